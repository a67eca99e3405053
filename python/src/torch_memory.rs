//! Functions that PyTorch's pluggable allocator calls by their names. PyTorch does not look at a null pointer, so a refusal becomes an exception
//! of C++, which PyTorch turns into one of Python's.

use crate::call::last_message;
use crate::library;
use std::ffi::{c_char, c_void, CString};
use std::ptr::null_mut;

/// Throws std::runtime_error, which PyTorch catches; ends the process where there is no libstdc++, and so no PyTorch.
fn throw(text: &str) -> ! {
    // SAFETY: texts with a NUL; the library stays loaded, since PyTorch is linked with it.
    let thrower = unsafe {
        let library = libc::dlopen(c"libstdc++.so.6".as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if library.is_null() {
            null_mut()
        } else {
            libc::dlsym(library, c"_ZSt21__throw_runtime_errorPKc".as_ptr())
        }
    };
    if thrower.is_null() {
        std::process::abort();
    }
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    // SAFETY: the function has this type, copies the text, and never returns. All frames up to PyTorch's let an exception through.
    unsafe {
        std::mem::transmute::<*mut c_void, unsafe extern "C-unwind" fn(*const c_char) -> !>(thrower)(text.as_ptr())
    }
}

/// Allocates for PyTorch, from the pool of the stream's capture or the one that is bound to the device.
///
/// # Safety
/// `stream` is a live stream of the device.
#[no_mangle]
pub unsafe extern "C-unwind" fn graphcap_torch_allocate(size: isize, device: i32, stream: *mut c_void) -> *mut c_void {
    let Some(api) = library::api() else { throw("libgraphcap.so.0 is not loaded; import graphcap") };
    // SAFETY: the caller's promise.
    let address = unsafe { (api.gc_pool_torch_allocate)(size as i64, device, stream) };
    if address.is_null() && size != 0 {
        throw(&format!("graphcap could not allocate {size} bytes for PyTorch: {}", last_message()));
    }
    address
}

/// Frees what `graphcap_torch_allocate` gave.
///
/// # Safety
/// `stream` is a live stream of the device.
#[no_mangle]
pub unsafe extern "C-unwind" fn graphcap_torch_free(
    address: *mut c_void,
    size: isize,
    device: i32,
    stream: *mut c_void,
) {
    if let Some(api) = library::api() {
        // SAFETY: the caller's promise.
        unsafe { (api.gc_pool_torch_free)(address, size as i64, device, stream) };
    }
}

/// Notes that a stream uses what `graphcap_torch_allocate` gave.
///
/// # Safety
/// `stream` is a live stream of the device.
#[no_mangle]
pub unsafe extern "C-unwind" fn graphcap_torch_record_stream(address: *mut c_void, stream: *mut c_void) {
    if let Some(api) = library::api() {
        // SAFETY: the caller's promise.
        unsafe { (api.gc_pool_torch_record_stream)(address, stream) };
    }
}
