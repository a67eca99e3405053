//! Memory that Python sees: views of buffers of the host device, and DLPack's capsules.

use crate::handle::Handle;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{c_char, c_int, c_void, CString};
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

/// DLDevice, DLDataType, DLTensor, DLManagedTensor and DLManagedTensorVersioned of DLPack 1.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    dimensions: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: Tensor,
    manager: *mut c_void,
    deleter: Option<unsafe extern "C-unwind" fn(*mut Managed)>,
}

#[repr(C)]
struct Versioned {
    major: u32,
    minor: u32,
    manager: *mut c_void,
    deleter: Option<unsafe extern "C-unwind" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

/// Contents of a capsule: the object, and the shape that the tensor points to.
struct Owner {
    object: *mut ffi::PyObject,
    _shape: Vec<i64>,
}

fn drop_owner(manager: *mut c_void) {
    if manager.is_null() {
        return;
    }
    // SAFETY: `dlpack` made it, and a deleter is called once.
    let owner = unsafe { Box::from_raw(manager.cast::<Owner>()) };
    // The consumer may call the deleter without the GIL.
    crate::gate::attached(|| {
        // SAFETY: the gate attached the thread; the views were counted when the capsule was made.
        unsafe {
            let py = Python::assume_attached();
            let object = Bound::from_owned_ptr(py, owner.object);
            if let Ok(memory) = object.cast::<MemoryBase>() {
                memory.as_super().get().views.fetch_sub(1, Ordering::AcqRel);
            }
        }
    });
}

unsafe extern "C-unwind" fn delete_managed(managed: *mut Managed) {
    // SAFETY: the consumer passes what the capsule had, once.
    let managed = unsafe { Box::from_raw(managed) };
    drop_owner(managed.manager);
}

unsafe extern "C-unwind" fn delete_versioned(managed: *mut Versioned) {
    // SAFETY: the consumer passes what the capsule had, once.
    let managed = unsafe { Box::from_raw(managed) };
    drop_owner(managed.manager);
}

const NAME: *const c_char = c"dltensor".as_ptr();
const NAME_VERSIONED: *const c_char = c"dltensor_versioned".as_ptr();

/// Called for a capsule that nobody consumed, or whose consumer renamed it.
unsafe extern "C" fn destroy_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: Python passes the capsule, with the GIL.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME) != 0 {
            delete_managed(ffi::PyCapsule_GetPointer(capsule, NAME).cast());
        } else if ffi::PyCapsule_IsValid(capsule, NAME_VERSIONED) != 0 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, NAME_VERSIONED).cast());
        }
    }
}

/// A capsule of DLPack over memory that an object keeps. code: 0 int, 1 unsigned, 2 float, 5 complex, 6 bool.
#[pyfunction]
#[pyo3(signature = (object, address, device, code, bits, shape, versioned))]
fn dlpack(
    object: Bound<'_, MemoryBase>,
    address: usize,
    device: (i32, i32),
    code: u8,
    bits: u8,
    shape: Vec<i64>,
    versioned: bool,
) -> PyResult<Py<PyAny>> {
    let py = object.py();
    object.as_super().get().views.fetch_add(1, Ordering::AcqRel);
    let mut owner = Box::new(Owner { object: object.into_any().into_ptr(), _shape: shape });
    let (device_type, device_id) = device;
    let tensor = Tensor {
        data: address as *mut c_void,
        device_type,
        device_id,
        dimensions: owner._shape.len() as i32,
        code,
        bits,
        lanes: 1,
        shape: owner._shape.as_mut_ptr(),
        strides: null_mut(),
        byte_offset: 0,
    };
    let manager = Box::into_raw(owner).cast::<c_void>();
    let (pointer, name) = if versioned {
        let strides_none = Versioned { major: 1, minor: 0, manager, deleter: Some(delete_versioned), flags: 0, tensor };
        (Box::into_raw(Box::new(strides_none)).cast::<c_void>(), NAME_VERSIONED)
    } else {
        (Box::into_raw(Box::new(Managed { tensor, manager, deleter: Some(delete_managed) })).cast::<c_void>(), NAME)
    };
    // SAFETY: the pointer is not null, and the name lives for ever.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(pointer, name, Some(destroy_capsule))) }
        .map(Bound::unbind)
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MemoryBase>()?;
    module.add_function(wrap_pyfunction!(dlpack, module)?)
}
