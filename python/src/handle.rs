//! The base class of everything that names an object of the library.

use crate::call::functions::Kind;
use crate::{callbacks, gate, library};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicUsize, Ordering};

/// A handle of the library. It is destroyed with this object, or by `close`, unless it is borrowed.
#[pyclass(subclass, frozen, weakref, module = "graphcap._native")]
pub struct Handle {
    pub(crate) pointer: AtomicPtr<c_void>,
    kind: AtomicU8,
    is_borrowed: AtomicBool,
    /// Views of the object's memory that are in use.
    pub(crate) views: AtomicUsize,
}

impl Handle {
    pub fn empty() -> Handle {
        Handle {
            pointer: AtomicPtr::new(null_mut()),
            kind: AtomicU8::new(u8::MAX),
            is_borrowed: AtomicBool::new(false),
            views: AtomicUsize::new(0),
        }
    }

    #[inline]
    pub fn pointer(&self) -> *mut c_void {
        self.pointer.load(Ordering::Acquire)
    }

    /// The type of the handle; `None` before it has one.
    #[inline]
    pub fn kind(&self) -> Option<Kind> {
        Kind::ALL.get(usize::from(self.kind.load(Ordering::Relaxed))).copied()
    }

    /// Destroys the handle, if it has one that it owns.
    ///
    /// # Safety
    /// The thread holds the GIL.
    unsafe fn destroy(&self) {
        let pointer = self.pointer.swap(null_mut(), Ordering::AcqRel);
        if pointer.is_null() || self.is_borrowed.load(Ordering::Relaxed) || gate::is_closed() {
            return;
        }
        let (Some(kind), Some(api)) = (self.kind(), library::api()) else { return };
        let Some(destroy) = kind.destroy(api) else { return };
        // SAFETY: the thread holds the GIL. The library checks the handle.
        unsafe { gate::released(|| destroy(pointer)) };
    }
}

#[pymethods]
impl Handle {
    #[new]
    #[pyo3(signature = (*_arguments, **_named))]
    fn new(_arguments: &Bound<'_, PyAny>, _named: Option<&Bound<'_, PyAny>>) -> Handle {
        Handle::empty()
    }

    /// Takes a handle of the library over. `kind` is the place of its type among HANDLES.
    #[pyo3(signature = (pointer, kind, borrowed = false))]
    fn _adopt(slf: &Bound<'_, Self>, pointer: usize, kind: u8, borrowed: bool) -> PyResult<()> {
        let Some(class) = CLASSES.get(usize::from(kind)) else {
            return Err(PyValueError::new_err("kind is not the place of a type among HANDLES"));
        };
        let this = slf.get();
        if !this.pointer().is_null() {
            return Err(PyValueError::new_err("the object has a handle already"));
        }
        remember(class, slf)?;
        this.kind.store(kind, Ordering::Relaxed);
        this.is_borrowed.store(borrowed, Ordering::Relaxed);
        this.pointer.store(pointer as *mut c_void, Ordering::Release);
        Ok(())
    }

    /// Gives the handle away: the object is closed, and the handle lives on.
    fn _release(&self) -> usize {
        self.pointer.swap(null_mut(), Ordering::AcqRel) as usize
    }

    fn _close(&self, py: Python<'_>) -> PyResult<()> {
        if self.views.load(Ordering::Acquire) > 0 {
            return Err(pyo3::exceptions::PyBufferError::new_err(
                "the memory is still viewed, by a NumPy array or a memoryview; delete the views before close()",
            ));
        }
        // SAFETY: the token tells that the thread holds the GIL.
        unsafe { self.destroy() };
        callbacks::drop_queued(py);
        Ok(())
    }

    /// The handle as a number, for calls of C; 0 once the object is closed.
    #[getter]
    fn handle(&self) -> usize {
        self.pointer() as usize
    }

    /// Returns whether the object has no handle any more.
    #[getter]
    fn closed(&self) -> bool {
        self.pointer().is_null()
    }

    #[getter]
    fn _borrowed(&self) -> bool {
        self.is_borrowed.load(Ordering::Relaxed)
    }

    fn __reduce_ex__(slf: &Bound<'_, Self>, _protocol: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let name = slf.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a graphcap.{name} cannot be pickled or copied: it names an object of this process. Make it anew in the other process."
        )))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: Python drops its objects with the GIL held.
        unsafe { self.destroy() };
    }
}

/// The Python type of `Handle`, which lives as long as the interpreter.
#[inline]
pub fn type_of(py: Python<'_>) -> *mut ffi::PyTypeObject {
    static TYPE: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(null_mut());
    let known = TYPE.load(Ordering::Relaxed);
    if !known.is_null() {
        return known;
    }
    let found = <Handle as pyo3::PyTypeInfo>::type_object_raw(py);
    TYPE.store(found, Ordering::Relaxed);
    found
}

/// For each type of handles the package's class, once an object of it was made. Its objects need no search among base classes.
static CLASSES: [AtomicPtr<ffi::PyTypeObject>; Kind::ALL.len()] =
    [const { AtomicPtr::new(null_mut()) }; Kind::ALL.len()];

/// Notes the class of an object as that of a type of handles, unless there is one, or it is derived from that one. A noted class lives as
/// long as the interpreter.
fn remember(class: &AtomicPtr<ffi::PyTypeObject>, object: &Bound<'_, Handle>) -> PyResult<()> {
    if class.load(Ordering::Relaxed).is_null() {
        let found = object.get_type();
        // A derived class has the number of its type from its base.
        if found.getattr("__dict__")?.contains("_KIND")? {
            class.store(found.into_ptr().cast(), Ordering::Relaxed);
        }
    }
    Ok(())
}

/// The handle that an object is, if it is one of the class that is noted for a type.
#[inline]
pub fn cast_exactly<'a, 'py>(object: &'a Borrowed<'_, 'py, PyAny>, kind: Kind) -> Option<&'a Handle> {
    let class = CLASSES.get(kind as usize)?.load(Ordering::Relaxed);
    // SAFETY: an object of the interpreter.
    if unsafe { ffi::Py_TYPE(object.as_ptr()) } != class {
        return None;
    }
    // SAFETY: classes that are noted are those of handles.
    Some(unsafe { object.cast_unchecked::<Handle>() }.get())
}

/// The handle that an object is, if it is one.
#[inline]
pub fn cast<'a, 'py>(object: &'a Borrowed<'_, 'py, PyAny>) -> Option<&'a Handle> {
    // SAFETY: both are types and objects of the interpreter.
    if unsafe { ffi::PyObject_TypeCheck(object.as_ptr(), type_of(object.py())) } == 0 {
        return None;
    }
    // SAFETY: its type was checked.
    Some(unsafe { object.cast_unchecked::<Handle>() }.get())
}
