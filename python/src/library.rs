//! Finds and loads libgraphcap.so.0. A process has one: two would be two cores, whose handles mean nothing to each other.

use crate::call::functions::{Api, VERSION, VERSION_TEXT};
use libc::{c_char, c_void, RTLD_DEFAULT, RTLD_LOCAL, RTLD_NOLOAD, RTLD_NOW};
use pyo3::exceptions::{PyImportError, PyRuntimeError};
use pyo3::prelude::*;
use std::ffi::{CStr, CString};
use std::sync::OnceLock;

const SONAME: &CStr = c"libgraphcap.so.0";

struct Library {
    api: Api,
    path: String,
    origin: &'static str,
}

static LIBRARY: OnceLock<Library> = OnceLock::new();

/// The functions of the library, which the import of the package has loaded.
#[inline]
pub fn api() -> Option<&'static Api> {
    LIBRARY.get().map(|library| &library.api)
}

fn dl_error() -> String {
    // SAFETY: dlerror gives NULL or a text that is valid until the next call of the thread.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "no reason is known".to_owned();
    }
    // SAFETY: see above.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn opened(path: &CStr, flags: i32) -> *mut c_void {
    // SAFETY: a text with a NUL.
    unsafe { libc::dlopen(path.as_ptr(), flags | RTLD_NOW | RTLD_LOCAL) }
}

/// The file that has the function at an address.
fn file_of(address: *mut c_void) -> String {
    // SAFETY: zeros are a valid Dl_info.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: dladdr looks the address up and does not read it.
    if unsafe { libc::dladdr(address, &raw mut info) } == 0 || info.dli_fname.is_null() {
        return String::new();
    }
    // SAFETY: dladdr gave a text of the loader's.
    unsafe { CStr::from_ptr(info.dli_fname as *const c_char) }.to_string_lossy().into_owned()
}

/// Loads the library: one that the process has already, else the file `named`, else the file `own`.
pub fn load(named: Option<&str>, own: &str) -> PyResult<()> {
    if LIBRARY.get().is_some() {
        return Ok(());
    }
    let (mut library, mut origin) = (opened(SONAME, RTLD_NOLOAD), "loaded by the process before");
    if library.is_null() {
        // SAFETY: a text with a NUL.
        let is_linked = !unsafe { libc::dlsym(RTLD_DEFAULT, c"gc_version".as_ptr()) }.is_null();
        if is_linked {
            (library, origin) = (RTLD_DEFAULT, "linked into the process");
        }
    }
    if library.is_null() && origin != "linked into the process" {
        let (path, tells) = match named {
            Some(path) => (path, "GRAPHCAP_LIBRARY"),
            None => (own, "the package's own"),
        };
        origin = tells;
        let text = CString::new(path).map_err(|_| PyImportError::new_err("GRAPHCAP_LIBRARY has a NUL in it"))?;
        library = opened(&text, 0);
        if library.is_null() {
            let hint = if named.is_some() {
                "GRAPHCAP_LIBRARY has to be the path of a libgraphcap.so.0"
            } else {
                "Install the package again"
            };
            return Err(PyImportError::new_err(format!(
                "graphcap cannot load {path} ({tells}): {}. {hint}.",
                dl_error()
            )));
        }
    }
    let find = |name: &CStr| {
        // SAFETY: `library` is open, or stands for the whole process.
        unsafe { libc::dlsym(library, name.as_ptr()) }
    };
    let version = find(c"gc_version");
    let path = file_of(version);
    if version.is_null() {
        return Err(PyImportError::new_err(format!(
            "graphcap: {} is no libgraphcap.so.0: it has no gc_version()",
            named.unwrap_or(own)
        )));
    }
    // SAFETY: the function has this type in every version.
    let found = unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn() -> u32>(version)() };
    let told = |what: String| {
        let version = format!("{}.{}.{}", found / 10000, found / 100 % 100, found % 100);
        PyImportError::new_err(format!(
            "graphcap {VERSION_TEXT} for Python cannot use {path} ({origin}), which is libgraphcap {version}: {what}. \
             Load a newer library, or unset GRAPHCAP_LIBRARY to use the package's own."
        ))
    };
    if found < VERSION {
        return Err(told(format!("{VERSION_TEXT} or newer is needed")));
    }
    // SAFETY: the library is a libgraphcap.so.0 by its version, and its functions keep their types as long as the SONAME stays.
    let api = unsafe { Api::resolve(find) }.map_err(|name| told(format!("it has no {}()", name.to_string_lossy())))?;
    let _ = LIBRARY.set(Library { api, path, origin });
    Ok(())
}

/// The functions of the library, or an exception where it is not loaded.
#[inline]
pub fn needed_api() -> PyResult<&'static Api> {
    api().ok_or_else(not_loaded)
}

/// The path of the library, and where it was found.
pub fn told() -> PyResult<(&'static str, &'static str)> {
    let library = LIBRARY.get().ok_or_else(not_loaded)?;
    Ok((&library.path, library.origin))
}

#[cold]
fn not_loaded() -> PyErr {
    PyRuntimeError::new_err("libgraphcap.so.0 is not loaded; import graphcap")
}
