//! The stand-in for the CUDA driver, beside which the Rust core is tested. It is built here, since CMake builds it after these
//! tests have run.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use graphcap::core::Context;
use graphcap::driver::{DeviceChoice, DeviceKind};
use libloading::{Library, Symbol};

/// The stand-in, which graphcap uses too.
static DRIVER: LazyLock<Library> = LazyLock::new(|| {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c_tests/stand_in/driver");
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME")).join("libcuda.so.1");
    std::fs::create_dir_all(library.parent().unwrap()).unwrap();
    let mut files: Vec<_> = std::fs::read_dir(source).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    let built = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-std=c11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread"])
        .arg("-DSTAND_IN_DRIVER_VERSION=13000")
        .args(files)
        .arg("-o")
        .arg(&library)
        .status();
    assert!(built.unwrap().success(), "the stand-in cannot be built");
    std::env::set_var("GRAPHCAP_CUDA_LIBRARY", &library);
    // SAFETY: the stand-in does nothing when it is loaded.
    unsafe { Library::new(&library) }.unwrap()
});

/// A function of the stand-in's.
pub fn function<F>(name: &str) -> Symbol<'static, F> {
    // SAFETY: who asks names the type that the driver's manual, or stand_in.h, has for it.
    unsafe { DRIVER.get(name.as_bytes()) }.unwrap()
}

/// A context on the stand-in. What others do on this thread is of its device.
pub fn open() -> Context {
    LazyLock::force(&DRIVER);
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Cuda), 0).unwrap();
    let retain: Symbol<'_, unsafe extern "C" fn(*mut *mut c_void, c_int) -> c_int> =
        function("cuDevicePrimaryCtxRetain");
    let push: Symbol<'_, unsafe extern "C" fn(*mut c_void) -> c_int> = function("cuCtxPushCurrent_v2");
    let mut primary = std::ptr::null_mut();
    // SAFETY: the output is writable, and what it is given is retained until the process ends.
    unsafe { assert_eq!((retain(&mut primary, 0), push(primary)), (0, 0)) };
    context
}

/// Memory that others allocate.
pub struct Foreign(pub u64);

impl Foreign {
    pub fn new(bytes: usize) -> Foreign {
        let allocate: Symbol<'_, unsafe extern "C" fn(*mut u64, usize) -> c_int> = function("cuMemAlloc_v2");
        let mut address = 0;
        // SAFETY: the output is writable.
        assert_eq!(unsafe { allocate(&mut address, bytes) }, 0);
        Foreign(address)
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let free: Symbol<'_, unsafe extern "C" fn(u64) -> c_int> = function("cuMemFree_v2");
        // SAFETY: allocated above, and freed once.
        assert_eq!(unsafe { free(self.0) }, 0);
    }
}

/// The driver was never used as it must not be.
pub fn check_violations() {
    let violations: Symbol<'_, unsafe extern "C" fn(*mut c_char, usize) -> c_uint> = function("stand_in_violations");
    let mut text = [0; 200];
    // SAFETY: there is room for as many bytes as are told.
    let count = unsafe { violations(text.as_mut_ptr(), text.len()) };
    let first: String = text.iter().take_while(|&&byte| byte != 0).map(|&byte| byte as u8 as char).collect();
    assert_eq!(count, 0, "{first}");
}
