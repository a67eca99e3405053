//! Functions of Python's that the library calls, and objects of Python's that it keeps.

use crate::call::functions::Kind;
use crate::{gate, library};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ffi::{c_char, c_void, CString};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

/// A Python object that the library keeps, and a name of it for C.
struct LibraryReference {
    object: *mut ffi::PyObject,
    name: CString,
}

/// Objects that the library let go of. Its threads may not have the GIL then; the next call drops them.
struct Queued(Vec<*mut LibraryReference>);

// SAFETY: the pointers are used by the thread that takes them out, with the GIL.
unsafe impl Send for Queued {}

static QUEUE: Mutex<Queued> = Mutex::new(Queued(Vec::new()));
static IS_QUEUED: AtomicBool = AtomicBool::new(false);

/// Drops what the library let go of since the last call.
#[inline]
pub fn drop_queued(py: Python<'_>) {
    if IS_QUEUED.load(Ordering::Relaxed) {
        drop_all(py);
    }
}

#[cold]
fn drop_all(_: Python<'_>) {
    // In a forked child the lock may be another thread's for ever.
    let Ok(mut queue) = QUEUE.try_lock() else { return };
    let queued = std::mem::take(&mut queue.0);
    IS_QUEUED.store(false, Ordering::Relaxed);
    drop(queue);
    for kept in queued {
        // SAFETY: `keep` made it, and the queue had it once.
        let kept = unsafe { Box::from_raw(kept) };
        // SAFETY: the thread holds the GIL, and the reference is this one's.
        unsafe { ffi::Py_DecRef(kept.object) };
    }
}

/// Makes the library the owner of an object: pass the result as user_data, with the address of DESTROY.
#[pyfunction]
#[pyo3(signature = (object, name = ""))]
fn keep(object: Py<PyAny>, name: &str) -> PyResult<usize> {
    let name = CString::new(name).map_err(|_| pyo3::exceptions::PyValueError::new_err("the name has a NUL in it"))?;
    Ok(Box::into_raw(Box::new(LibraryReference { object: object.into_ptr(), name })) as usize)
}

/// Lets go of what `keep` made, where the library does not: for a callback of one call.
#[pyfunction]
fn forget(kept: usize) {
    // SAFETY: the caller passes what `keep` gave, and nobody uses it any more.
    unsafe { destroy(kept as *mut c_void) };
}

unsafe extern "C-unwind" fn destroy(user_data: *mut c_void) {
    if gate::is_closed() || user_data.is_null() {
        return;
    }
    let mut queue = QUEUE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    queue.0.push(user_data.cast());
    IS_QUEUED.store(true, Ordering::Relaxed);
}

/// Calls the object behind user_data, and gives what it returns.
fn called<'py>(
    py: Python<'py>,
    user_data: *mut c_void,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: `keep` made it, and the library calls nothing after destroy.
    let object = unsafe { Bound::from_borrowed_ptr(py, (*user_data.cast::<LibraryReference>()).object) };
    object.call1(arguments)
}

/// Tells the library that the host function failed, and Python why.
fn fail(py: Python<'_>, failed: &PyErr) {
    let reason = failed.value(py).repr().map_or_else(|_| "an exception".to_owned(), |text| text.to_string());
    fail_with(&reason);
}

fn fail_with(reason: &str) {
    if let (Ok(reason), Some(api)) = (CString::new(reason.replace('\0', " ")), library::api()) {
        // SAFETY: a text with a NUL.
        unsafe { (api.gc_host_fail)(reason.as_ptr() as *mut c_void) };
    }
}

unsafe extern "C-unwind" fn host_function(user_data: *mut c_void) {
    let done = gate::attached(|| {
        // SAFETY: the gate attached the thread.
        let py = unsafe { Python::assume_attached() };
        if let Err(failed) = called(py, user_data, ()) {
            fail(py, &failed);
        }
    });
    if done.is_none() {
        fail_with("the Python interpreter has ended");
    }
}

const CALLBACK: i32 = -5;

/// The status that a recording function returns.
fn status_of(result: PyResult<Bound<'_, PyAny>>, py: Python<'_>) -> i32 {
    match result.and_then(|value| value.extract::<i32>()) {
        Ok(status) => status,
        Err(failed) => {
            failed.write_unraisable(py, None);
            CALLBACK
        }
    }
}

unsafe extern "C-unwind" fn record(stream: *mut c_void, user_data: *mut c_void) -> i32 {
    gate::attached(|| {
        // SAFETY: the gate attached the thread.
        let py = unsafe { Python::assume_attached() };
        status_of(called(py, user_data, (stream as usize,)), py)
    })
    .unwrap_or(CALLBACK)
}

unsafe extern "C-unwind" fn cache_record(
    stream: *mut c_void,
    key: *const u8,
    size: usize,
    user_data: *mut c_void,
    launch: *mut c_void,
) -> i32 {
    gate::attached(|| {
        // SAFETY: the gate attached the thread.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: the library passes a key of that size.
        let key = if size == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(key, size) } };
        status_of(called(py, user_data, (stream as usize, PyBytes::new(py, key), launch as usize)), py)
    })
    .unwrap_or(CALLBACK)
}

unsafe extern "C-unwind" fn future_done(future: *mut c_void, user_data: *mut c_void) {
    gate::attached(|| {
        // SAFETY: the gate attached the thread.
        let py = unsafe { Python::assume_attached() };
        if let Err(failed) = called(py, user_data, (future as usize,)) {
            failed.write_unraisable(py, None);
        }
    });
}

unsafe extern "C-unwind" fn progress(done: u64, total: u64, user_data: *mut c_void) -> i32 {
    gate::attached(|| {
        // SAFETY: the gate attached the thread.
        let py = unsafe { Python::assume_attached() };
        status_of(called(py, user_data, (done, total)), py)
    })
    // Ends a check, and a search, too, for which 1 were a good replay.
    .unwrap_or(-1)
}

unsafe extern "C-unwind" fn name(user_data: *mut c_void) -> *const c_char {
    // SAFETY: `keep` made it, and the library calls nothing after destroy.
    unsafe { (*user_data.cast::<LibraryReference>()).name.as_ptr() }
}

/// Drops at once what is queued, for tests.
#[pyfunction]
fn drop_kept(py: Python<'_>) {
    drop_queued(py);
}

/// Closes the gate at the end of the interpreter; what is queued, and what objects own, leaks.
#[pyfunction]
fn at_exit(py: Python<'_>) {
    drop_queued(py);
    // SAFETY: the token tells that the thread holds the GIL.
    unsafe { gate::close() };
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for (text, address) in [
        ("DESTROY", destroy as *const () as usize),
        ("HOST_FUNCTION", host_function as *const () as usize),
        ("RECORD", record as *const () as usize),
        ("CACHE_RECORD", cache_record as *const () as usize),
        ("FUTURE_DONE", future_done as *const () as usize),
        ("PROGRESS", progress as *const () as usize),
        ("NAME", name as *const () as usize),
    ] {
        module.add(text, address)?;
    }
    module.add("HANDLES", Kind::ALL.map(Kind::name))?;
    for function in [
        wrap_pyfunction!(keep, module)?,
        wrap_pyfunction!(drop_kept, module)?,
        wrap_pyfunction!(forget, module)?,
        wrap_pyfunction!(at_exit, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
