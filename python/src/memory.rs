//! Memory that Python sees: views of buffers of the host device.

use crate::handle::Handle;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{c_int, c_void, CString};
use std::ptr::null_mut;
use std::sync::atomic::Ordering;
use std::sync::OnceLock;

/// Facts that a view of the memory tells.
struct Layout {
    /// The first byte; 0 where the CPU cannot read the memory.
    address: usize,
    bytes: isize,
    item: isize,
    format: CString,
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
}

/// Base class of buffers: the handle, and the buffer protocol where the CPU can read the memory.
#[pyclass(extends = Handle, subclass, frozen, module = "graphcap._native")]
pub struct MemoryBase {
    layout: OnceLock<Layout>,
}

#[pymethods]
impl MemoryBase {
    #[new]
    #[pyo3(signature = (*_arguments, **_named))]
    fn new(_arguments: &Bound<'_, PyAny>, _named: Option<&Bound<'_, PyAny>>) -> PyClassInitializer<MemoryBase> {
        PyClassInitializer::from(Handle::empty()).add_subclass(MemoryBase { layout: OnceLock::new() })
    }

    /// Sets the address (0: not for the CPU), the size of an element, its format, and the shape.
    fn _set_layout(&self, address: usize, item: isize, format: &str, shape: Vec<isize>) -> PyResult<()> {
        let mut strides = vec![item; shape.len()];
        let mut bytes = item;
        for (stride, length) in strides.iter_mut().zip(&shape).rev() {
            *stride = bytes;
            bytes *= *length;
        }
        let format = CString::new(format).map_err(|_| PyBufferError::new_err("the format has a NUL in it"))?;
        let layout = Layout { address, bytes, item, format, shape, strides };
        self.layout.set(layout).map_err(|_| PyBufferError::new_err("the layout is set already"))
    }

    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, _flags: c_int) -> PyResult<()> {
        let this = slf.get();
        let handle = slf.as_super().get();
        let layout = this.layout.get().ok_or_else(|| PyBufferError::new_err("the memory has no layout yet"))?;
        if handle.pointer().is_null() {
            return Err(PyBufferError::new_err("the memory is closed"));
        }
        if layout.address == 0 {
            return Err(PyBufferError::new_err(
                "the memory is a GPU's: copy it to the host, by copy_to_host() or a stream's copy()",
            ));
        }
        handle.views.fetch_add(1, Ordering::AcqRel);
        // SAFETY: Python passes room for a view. What it points to lives as long as the object, which the view keeps.
        unsafe {
            (*view).buf = layout.address as *mut c_void;
            (*view).len = layout.bytes;
            (*view).itemsize = layout.item;
            (*view).readonly = 0;
            (*view).format = layout.format.as_ptr().cast_mut();
            (*view).ndim = layout.shape.len() as c_int;
            (*view).shape = layout.shape.as_ptr().cast_mut();
            (*view).strides = layout.strides.as_ptr().cast_mut();
            (*view).suboffsets = null_mut();
            (*view).internal = null_mut();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }

    unsafe fn __releasebuffer__(slf: Bound<'_, Self>, _view: *mut ffi::Py_buffer) {
        slf.as_super().get().views.fetch_sub(1, Ordering::AcqRel);
    }
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MemoryBase>()
}
