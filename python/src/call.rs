//! Common parts of the generated functions: arguments of Python's to arguments of C's, the GIL, statuses, results.

#[rustfmt::skip]
#[allow(clippy::all, clippy::undocumented_unsafe_blocks, unsafe_op_in_unsafe_fn)]
pub mod functions;

use crate::{callbacks, gate, handle, library};
use functions::{Api, Kind};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::ffi::{c_char, c_void, CStr, CString};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

pub type Object = ffi::PyObject;
pub type FastCall = unsafe extern "C-unwind" fn(*mut Object, *const *mut Object, isize) -> *mut Object;

pub const BUFFER_TOO_SMALL: i32 = -6;
/// Room for a text at first. A longer one takes a second call.
const TEXT_ROOM: usize = 4096;

static ERRORS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Sets the function that makes an exception of a status, the name of the call, its message and its first argument.
#[pyfunction]
pub fn _set_errors(py: Python<'_>, factory: Py<PyAny>) {
    let _ = ERRORS.set(py, factory);
}

/// The exception of a status that a call returned.
#[cold]
pub fn error(py: Python<'_>, name: &str, status: i32, first: Option<Borrowed<'_, '_, PyAny>>) -> PyErr {
    let message = last_message();
    let Some(factory) = ERRORS.get(py) else {
        return PyRuntimeError::new_err(format!("{name}(): status {status}: {message}"));
    };
    let first = first.map(|object| object.to_owned());
    match factory.bind(py).call1((status, name, message, first)) {
        Ok(made) => PyErr::from_value(made),
        Err(failed) => failed,
    }
}

/// The message of the last failed call of this thread.
pub fn last_message() -> String {
    let Some(api) = library::api() else { return String::new() };
    let mut room = vec![0u8; TEXT_ROOM];
    let mut needed = 0u64;
    loop {
        // SAFETY: the text has the room that is told.
        let status = unsafe {
            (api.gc_last_error_message)(room.as_mut_ptr().cast(), room.len() as u64, (&raw mut needed).cast())
        };
        if status != BUFFER_TOO_SMALL {
            return text_in(&room);
        }
        room.resize(needed as usize, 0);
    }
}

fn text_in(room: &[u8]) -> String {
    let end = room.iter().position(|byte| *byte == 0).unwrap_or(room.len());
    String::from_utf8_lossy(room.get(..end).unwrap_or_default()).into_owned()
}

/// One call from Python.
pub struct Call<'a> {
    pub py: Python<'a>,
    api: &'static Api,
    name: &'static str,
    parameters: &'static [&'static str],
    arguments: &'a [*mut Object],
    views: Vec<ffi::Py_buffer>,
    words: Vec<Vec<u64>>,
    texts: Vec<CString>,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        for view in &mut self.views {
            // SAFETY: PyObject_GetBuffer filled it, and the thread holds the GIL.
            unsafe { ffi::PyBuffer_Release(view) };
        }
    }
}

/// Runs a generated function.
///
/// # Safety
/// The thread holds the GIL, and `arguments` has `count` objects.
#[inline]
pub unsafe fn enter(
    arguments: *const *mut Object,
    count: isize,
    name: &'static str,
    parameters: &'static [&'static str],
    run: impl FnOnce(&mut Call) -> PyResult<*mut Object>,
) -> *mut Object {
    // SAFETY: the thread holds the GIL.
    let py = unsafe { Python::assume_attached() };
    callbacks::drop_queued(py);
    let result = (|| {
        if count as usize != parameters.len() {
            return Err(PyTypeError::new_err(format!(
                "{name}() takes {} arguments ({count} given): {}",
                parameters.len(),
                parameters.join(", ")
            )));
        }
        let api = library::needed_api()?;
        let arguments = match count {
            0 => &[][..],
            // SAFETY: see above.
            _ => unsafe { std::slice::from_raw_parts(arguments, count as usize) },
        };
        run(&mut Call { py, api, name, parameters, arguments, views: Vec::new(), words: Vec::new(), texts: Vec::new() })
    })();
    result.unwrap_or_else(|failed| {
        failed.restore(py);
        null_mut()
    })
}

impl<'a> Call<'a> {
    #[inline]
    fn argument(&self, place: usize) -> Borrowed<'a, 'a, PyAny> {
        // SAFETY: `enter` compared the counts, and Python keeps the arguments for the call.
        unsafe { Borrowed::from_ptr(self.py, self.arguments[place]) }
    }

    fn parameter(&self, place: usize) -> String {
        format!("{}(): {}", self.name, self.parameters[place])
    }

    #[cold]
    fn refused(&self, place: usize, wanted: &str) -> PyErr {
        let given =
            self.argument(place).get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("{} must be {wanted}, not {given}", self.parameter(place)))
    }

    /// A handle of a type, or a number that C takes as one; NULL for None.
    #[inline]
    pub fn handle(&self, place: usize, wanted: Kind) -> PyResult<*mut c_void> {
        let object = self.argument(place);
        if let Some(handle) = handle::cast_exactly(&object, wanted).or_else(|| handle::cast(&object)) {
            let pointer = handle.pointer();
            if handle.kind() == Some(wanted) && !pointer.is_null() {
                return Ok(pointer);
            }
            if pointer.is_null() {
                return Err(PyValueError::new_err(format!("{} is closed", self.parameter(place))));
            }
        } else if let Some(pointer) = self.number(&object)? {
            return Ok(pointer);
        }
        Err(self.refused(place, &format!("a {}", wanted.name())))
    }

    /// A number as a pointer, NULL for None; `None` for other objects.
    fn number(&self, object: &Borrowed<'_, '_, PyAny>) -> PyResult<Option<*mut c_void>> {
        if object.is_none() {
            return Ok(Some(null_mut()));
        }
        // SAFETY: an object of the interpreter.
        if unsafe { ffi::PyLong_Check(object.as_ptr()) } != 0 {
            return Ok(Some(object.extract::<usize>()? as *mut c_void));
        }
        Ok(None)
    }

    /// The address of a function of C's; NULL for None.
    pub fn function(&self, place: usize) -> PyResult<*mut c_void> {
        self.number(&self.argument(place))?
            .ok_or_else(|| self.refused(place, "the address of a C function, as an int, or None"))
    }

    /// The address of memory: of an object with a buffer, of a handle, or a number; NULL for None.
    pub fn pointer(&mut self, place: usize, is_written: bool) -> PyResult<*mut c_void> {
        let object = self.argument(place);
        if let Some(pointer) = self.number(&object)? {
            return Ok(pointer);
        }
        if let Some(handle) = handle::cast(&object) {
            return Ok(handle.pointer());
        }
        let mut view = MaybeUninit::<ffi::Py_buffer>::uninit();
        let flags = if is_written { ffi::PyBUF_WRITABLE } else { ffi::PyBUF_SIMPLE };
        // SAFETY: an object of the interpreter, and room for the view.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), flags) } != 0 {
            let cause = PyErr::fetch(self.py);
            let wanted = if is_written {
                "writable contiguous memory (a struct, a bytearray, an array)"
            } else {
                "contiguous memory (a struct, bytes, an array)"
            };
            let refused = self.refused(place, &format!("{wanted}, an address or None"));
            refused.set_cause(self.py, Some(cause));
            return Err(refused);
        }
        // SAFETY: the call above filled it.
        let view = unsafe { view.assume_init() };
        let address = view.buf;
        self.views.push(view);
        Ok(address)
    }

    /// A text with a NUL; NULL for None.
    pub fn string(&mut self, place: usize) -> PyResult<*mut c_void> {
        let object = self.argument(place);
        if object.is_none() {
            return Ok(null_mut());
        }
        let bytes = if let Ok(text) = object.extract::<&str>() {
            text.as_bytes().to_vec()
        } else if let Ok(bytes) = object.extract::<&[u8]>() {
            bytes.to_vec()
        } else {
            return Err(self.refused(place, "a str or bytes, or None"));
        };
        let text = CString::new(bytes)
            .map_err(|_| PyValueError::new_err(format!("{} has a NUL in it", self.parameter(place))))?;
        let pointer = text.as_ptr() as *mut c_void;
        self.texts.push(text);
        Ok(pointer)
    }

    /// An array of nodes, handles or addresses: a list, memory that has it, or its address.
    pub fn words(&mut self, place: usize) -> PyResult<*mut c_void> {
        let object = self.argument(place);
        // SAFETY: an object of the interpreter.
        let is_list = unsafe { ffi::PyList_Check(object.as_ptr()) != 0 || ffi::PyTuple_Check(object.as_ptr()) != 0 };
        if !is_list {
            return self.pointer(place, false);
        }
        let mut words = Vec::new();
        for item in object.try_iter()? {
            let item = item?;
            let item = item.as_borrowed();
            match handle::cast(&item) {
                Some(handle) => words.push(handle.pointer() as u64),
                None => {
                    words.push(item.extract::<u64>().map_err(|_| self.refused(place, "a list of handles and numbers"))?)
                }
            }
        }
        let pointer = words.as_mut_ptr().cast();
        self.words.push(words);
        Ok(pointer)
    }

    fn integer<N: for<'p> FromPyObject<'p, 'p, Error = PyErr>>(&self, place: usize, range: &str) -> PyResult<N> {
        let object = self.argument(place);
        object.extract::<N>().map_err(|failed| {
            if failed.is_instance_of::<PyOverflowError>(self.py) {
                return PyOverflowError::new_err(format!("{} must be from {range}", self.parameter(place)));
            }
            self.refused(place, "an int")
        })
    }

    pub fn u64(&self, place: usize) -> PyResult<u64> {
        self.integer(place, "0 to 2**64 - 1")
    }

    pub fn i64(&self, place: usize) -> PyResult<i64> {
        self.integer(place, "-2**63 to 2**63 - 1")
    }

    pub fn u32(&self, place: usize) -> PyResult<u32> {
        self.integer(place, "0 to 2**32 - 1")
    }

    pub fn i32(&self, place: usize) -> PyResult<i32> {
        self.integer(place, "-2**31 to 2**31 - 1")
    }

    /// Calls the library without the GIL.
    #[inline]
    pub fn released<R>(&self, call: impl FnOnce(&Api) -> R) -> R {
        // SAFETY: the token tells that the thread holds the GIL.
        unsafe { gate::released(|| call(self.api)) }
    }

    /// Calls the library with the GIL: it neither waits nor calls back.
    #[inline]
    pub fn held<R>(&self, call: impl FnOnce(&Api) -> R) -> R {
        call(self.api)
    }

    /// Calls a function that writes a text, until the text fits.
    pub fn text(
        &self,
        releases: bool,
        mut call: impl FnMut(&Api, *mut c_void, u64, *mut c_void) -> i32,
    ) -> (i32, String) {
        let mut room = vec![0u8; TEXT_ROOM];
        loop {
            let mut needed = 0u64;
            let (text, capacity, told) = (room.as_mut_ptr().cast(), room.len() as u64, (&raw mut needed).cast());
            let status = if releases {
                self.released(|api| call(api, text, capacity, told))
            } else {
                call(self.api, text, capacity, told)
            };
            if status != BUFFER_TOO_SMALL || needed <= capacity {
                return (status, text_in(&room));
            }
            room.resize(needed as usize, 0);
        }
    }

    #[inline]
    pub fn check(&self, status: i32) -> PyResult<()> {
        if status == 0 {
            return Ok(());
        }
        Err(error(self.py, self.name, status, (!self.arguments.is_empty()).then(|| self.argument(0))))
    }
}

/// A result as an object of Python's, owned by the receiver.
pub trait ToObject {
    fn object(self, py: Python<'_>) -> PyResult<*mut Object>;
}

macro_rules! to_object {
    ($($kind:ty),*) => {$(
        impl ToObject for $kind {
            #[inline]
            fn object(self, py: Python<'_>) -> PyResult<*mut Object> {
                Ok(self.into_pyobject(py).map_err(PyErr::from)?.into_any().into_ptr())
            }
        }
    )*};
}
to_object!(i32, u32, i64, u64, usize, f32, String, Vec<u32>, Vec<u64>);

impl ToObject for *mut c_void {
    fn object(self, py: Python<'_>) -> PyResult<*mut Object> {
        (self as usize).object(py)
    }
}

/// Elements as bytes.
pub struct Bytes<T>(pub Vec<T>);

impl<T: Copy> ToObject for Bytes<T> {
    fn object(self, py: Python<'_>) -> PyResult<*mut Object> {
        // SAFETY: the elements are plain numbers without padding.
        let bytes = unsafe {
            std::slice::from_raw_parts(self.0.as_ptr().cast::<u8>(), std::mem::size_of_val(self.0.as_slice()))
        };
        Ok(pyo3::types::PyBytes::new(py, bytes).into_any().into_ptr())
    }
}

#[inline]
pub fn none() -> *mut Object {
    // SAFETY: None is an object of the interpreter, of which the caller gets a reference.
    unsafe {
        let none = ffi::Py_None();
        ffi::Py_IncRef(none);
        none
    }
}

/// A tuple of objects, which it takes over.
pub fn tuple<const N: usize>(py: Python<'_>, objects: [*mut Object; N]) -> PyResult<*mut Object> {
    // SAFETY: the objects are owned, and alive.
    let objects = objects.map(|object| unsafe { Bound::from_owned_ptr(py, object) });
    Ok(pyo3::types::PyTuple::new(py, objects)?.into_any().into_ptr())
}

/// A text of the library's own.
pub fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the library gives texts that live as long as it.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Puts the functions into a module.
pub fn add_functions(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let name = module.name()?;
    for (function_name, function, description) in functions::FUNCTIONS {
        // A definition has to live as long as the function, which is as long as the interpreter.
        let definition = Box::leak(Box::new(ffi::PyMethodDef {
            ml_name: function_name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer {
                // SAFETY: the type that METH_FASTCALL asks for, with another word for the same calling convention.
                PyCFunctionFast: unsafe { std::mem::transmute::<FastCall, ffi::PyCFunctionFast>(*function) },
            },
            ml_flags: ffi::METH_FASTCALL,
            ml_doc: description.as_ptr(),
        }));
        // SAFETY: the definition is valid, and the name is a str.
        let made =
            unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCFunction_NewEx(definition, null_mut(), name.as_ptr())) }?;
        module.add(function_name.to_string_lossy().as_ref(), made)?;
    }
    Ok(())
}
