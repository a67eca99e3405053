//! DLPack: capsules of our memory for others, and memory of others for us.

use crate::memory::MemoryBase;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::Ordering;

/// DLDevice, DLDataType, DLTensor, DLManagedTensor and DLManagedTensorVersioned of DLPack 1.
#[repr(C)]
#[derive(Clone, Copy)]
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
        let made = Versioned { major: 1, minor: 0, manager, deleter: Some(delete_versioned), flags: 0, tensor };
        (Box::into_raw(Box::new(made)).cast::<c_void>(), NAME_VERSIONED)
    } else {
        (Box::into_raw(Box::new(Managed { tensor, manager, deleter: Some(delete_managed) })).cast::<c_void>(), NAME)
    };
    // SAFETY: the pointer is not null, and the name lives for ever.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(pointer, name, Some(destroy_capsule))) }
        .map(Bound::unbind)
}

const USED: *const c_char = c"used_dltensor".as_ptr();
const USED_VERSIONED: *const c_char = c"used_dltensor_versioned".as_ptr();

/// DLPackExchangeAPI of DLPack 1.3: calls that convert without capsules.
#[repr(C)]
struct ExchangeTable {
    major: u32,
    minor: u32,
    previous: *const ExchangeTable,
    allocate: Option<Allocate>,
    export: Option<unsafe extern "C-unwind" fn(*mut ffi::PyObject, *mut *mut Versioned) -> c_int>,
    import: Option<unsafe extern "C-unwind" fn(*mut Versioned, *mut *mut ffi::PyObject) -> c_int>,
    view: *const c_void,
    current_stream: Option<unsafe extern "C-unwind" fn(i32, i32, *mut *mut c_void) -> c_int>,
}

/// Takes the kind of an error and its message.
type SetError = unsafe extern "C-unwind" fn(*mut c_void, *const c_char, *const c_char);
type Allocate = unsafe extern "C-unwind" fn(*mut Tensor, *mut *mut Versioned, *mut c_void, Option<SetError>) -> c_int;

// SAFETY: a table does not change.
unsafe impl Sync for ExchangeTable {}

/// The table of buffers.
static TABLE: ExchangeTable = ExchangeTable {
    major: 1,
    minor: 3,
    previous: std::ptr::null(),
    allocate: Some(allocate),
    export: Some(export),
    import: Some(import),
    view: std::ptr::null(),
    current_stream: Some(current_stream),
};

unsafe extern "C-unwind" fn allocate(
    _like: *mut Tensor,
    _made: *mut *mut Versioned,
    told: *mut c_void,
    set_error: Option<SetError>,
) -> c_int {
    if let Some(set_error) = set_error {
        let text = c"graphcap allocates memory of a context: make a graphcap.Buffer, and pass it";
        // SAFETY: the caller passes a function that takes two texts.
        unsafe { set_error(told, c"NotImplementedError".as_ptr(), text.as_ptr()) };
    }
    -1
}

unsafe extern "C-unwind" fn export(object: *mut ffi::PyObject, made: *mut *mut Versioned) -> c_int {
    // SAFETY: the caller has the GIL, and passes an object.
    let (py, object) =
        unsafe { (Python::assume_attached(), Bound::from_borrowed_ptr(Python::assume_attached(), object)) };
    let told = object.call_method0("_exported").and_then(|capsule| {
        // SAFETY: the capsule is of `dlpack`, which nobody has consumed.
        unsafe {
            let managed = ffi::PyCapsule_GetPointer(capsule.as_ptr(), NAME_VERSIONED);
            if managed.is_null() || ffi::PyCapsule_SetName(capsule.as_ptr(), USED_VERSIONED) != 0 {
                return Err(PyErr::fetch(py));
            }
            *made = managed.cast();
        }
        Ok(())
    });
    answered(py, told)
}

unsafe extern "C-unwind" fn import(managed: *mut Versioned, made: *mut *mut ffi::PyObject) -> c_int {
    // SAFETY: the caller has the GIL.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller gives the tensor away.
    let told = unsafe { Imported::versioned(managed) }.and_then(|told| {
        let buffer = py.import("graphcap.memory")?.getattr("Buffer")?.call_method1("_imported", (told,))?;
        // SAFETY: the caller passes room for an object.
        unsafe { *made = buffer.into_ptr() };
        Ok(())
    });
    answered(py, told)
}

/// Work of graphcap's is on streams that the program names, so others use the legacy stream.
unsafe extern "C-unwind" fn current_stream(_kind: i32, _number: i32, stream: *mut *mut c_void) -> c_int {
    // SAFETY: the caller passes room for a stream.
    unsafe { *stream = null_mut() };
    0
}

fn answered(py: Python<'_>, told: PyResult<()>) -> c_int {
    match told {
        Ok(()) => 0,
        Err(failed) => {
            failed.restore(py);
            -1
        }
    }
}

const TABLE_NAME: *const c_char = c"dlpack_exchange_api".as_ptr();

/// A capsule with the table of buffers, for `__dlpack_c_exchange_api__`.
#[pyfunction]
fn exchange_table(py: Python<'_>) -> PyResult<Py<PyAny>> {
    let table = (&raw const TABLE).cast_mut().cast::<c_void>();
    // SAFETY: the table and the name live for ever.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(table, TABLE_NAME, None)) }.map(Bound::unbind)
}

/// Memory that `Imported` owns.
enum Owned {
    Plain(*mut Managed),
    Versioned(*mut Versioned),
}

/// Memory of another library, which it keeps as long as this object lives.
#[pyclass(frozen, module = "graphcap._native")]
pub struct Imported {
    owned: Owned,
    tensor: Tensor,
    #[pyo3(get)]
    flags: u64,
}

// SAFETY: Python's threads use it with the GIL, and the tensor's memory is not read by this type.
unsafe impl Send for Imported {}
// SAFETY: see above; it does not change.
unsafe impl Sync for Imported {}

impl Imported {
    /// # Safety
    /// `managed` is a live tensor whose owner the caller becomes.
    unsafe fn plain(managed: *mut Managed) -> Imported {
        // SAFETY: the caller's promise.
        Imported { owned: Owned::Plain(managed), tensor: unsafe { (*managed).tensor }, flags: 0 }
    }

    /// # Safety
    /// `managed` is a live tensor of version 1, whose owner the caller becomes.
    unsafe fn versioned(managed: *mut Versioned) -> PyResult<Imported> {
        // SAFETY: the caller's promise; the version comes first in every version.
        let (major, minor) = unsafe { ((*managed).major, (*managed).minor) };
        // SAFETY: see above.
        let made = unsafe {
            Imported { owned: Owned::Versioned(managed), tensor: (*managed).tensor, flags: (*managed).flags }
        };
        if major != 1 {
            return Err(PyBufferError::new_err(format!("the memory is told by DLPack {major}.{minor}; 1 is known")));
        }
        Ok(made)
    }

    fn lengths(&self, first: *const i64) -> Vec<i64> {
        if first.is_null() || self.tensor.dimensions <= 0 {
            return Vec::new();
        }
        // SAFETY: the tensor has that many lengths, as long as it is owned.
        unsafe { std::slice::from_raw_parts(first, self.tensor.dimensions as usize) }.to_vec()
    }
}

impl Drop for Imported {
    fn drop(&mut self) {
        // SAFETY: the tensor is owned by this object alone, and a deleter is called once. Python drops its objects with the GIL.
        unsafe {
            match self.owned {
                Owned::Plain(managed) => {
                    if let Some(delete) = (*managed).deleter {
                        delete(managed);
                    }
                }
                Owned::Versioned(managed) => {
                    if let Some(delete) = (*managed).deleter {
                        delete(managed);
                    }
                }
            }
        }
    }
}

#[pymethods]
impl Imported {
    /// The address of the first element.
    #[getter]
    fn address(&self) -> usize {
        self.tensor.data as usize + self.tensor.byte_offset as usize
    }

    /// The type and the number of the device, by DLPack's numbers.
    #[getter]
    fn device(&self) -> (i32, i32) {
        (self.tensor.device_type, self.tensor.device_id)
    }

    /// The code, bits and lanes of an element.
    #[getter]
    fn element(&self) -> (u8, u8, u16) {
        (self.tensor.code, self.tensor.bits, self.tensor.lanes)
    }

    #[getter]
    fn shape(&self) -> Vec<i64> {
        self.lengths(self.tensor.shape)
    }

    /// The strides in elements; `None` where the elements are in rows.
    #[getter]
    fn strides(&self) -> Option<Vec<i64>> {
        (!self.tensor.strides.is_null()).then(|| self.lengths(self.tensor.strides))
    }
}

/// The exchange table of the object's type; null if it has none that this version knows.
fn table_of(object: &Bound<'_, PyAny>) -> *const ExchangeTable {
    let kind = object.get_type();
    let mut table: *const ExchangeTable = if let Ok(told) = kind.getattr("__dlpack_c_exchange_api__") {
        // SAFETY: a capsule of that name has a table that lives as long as the process.
        unsafe {
            if ffi::PyCapsule_IsValid(told.as_ptr(), TABLE_NAME) == 0 {
                return std::ptr::null();
            }
            ffi::PyCapsule_GetPointer(told.as_ptr(), TABLE_NAME).cast()
        }
    } else if let Ok(told) = kind.getattr("__c_dlpack_exchange_api__") {
        told.extract::<usize>().unwrap_or(0) as *const ExchangeTable
    } else {
        return std::ptr::null();
    };
    // SAFETY: the tables of a library live as long as the process, and each begins with its version.
    unsafe {
        while !table.is_null() && (*table).major != 1 {
            table = (*table).previous;
        }
    }
    table
}

/// Memory of another library. stream: as `__dlpack__` has it; -1 for no order, by which the exchange table of the object's type is used.
#[pyfunction]
fn dlpack_of(object: &Bound<'_, PyAny>, stream: Option<i64>) -> PyResult<Imported> {
    let py = object.py();
    let table = if stream == Some(-1) { table_of(object) } else { std::ptr::null() };
    if !table.is_null() {
        let mut made: *mut Versioned = null_mut();
        // SAFETY: the table lives, and the thread has the GIL.
        if let Some(export) = unsafe { (*table).export } {
            // SAFETY: the object is of the type that the table was found on.
            if unsafe { export(object.as_ptr(), &raw mut made) } != 0 || made.is_null() {
                return Err(PyErr::take(py).unwrap_or_else(|| PyBufferError::new_err("the memory cannot be exported")));
            }
            // SAFETY: the call made it, for this caller.
            return unsafe { Imported::versioned(made) };
        }
    }
    let named = PyDict::new(py);
    if let Some(stream) = stream {
        named.set_item("stream", stream)?;
    }
    named.set_item("max_version", (1, 0))?;
    let told = match object.call_method("__dlpack__", (), Some(&named)) {
        Err(failed) if failed.is_instance_of::<PyTypeError>(py) => {
            named.del_item("max_version")?;
            object.call_method("__dlpack__", (), Some(&named))?
        }
        told => told?,
    };
    let capsule = told.cast::<PyCapsule>().map_err(|_| PyTypeError::new_err("__dlpack__() gave no capsule"))?;
    let capsule = capsule.as_ptr();
    // SAFETY: a capsule of that name has such a tensor. Renaming it tells its owner that somebody else owns the tensor.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME_VERSIONED) != 0 {
            let managed = ffi::PyCapsule_GetPointer(capsule, NAME_VERSIONED).cast::<Versioned>();
            ffi::PyCapsule_SetName(capsule, USED_VERSIONED);
            return Imported::versioned(managed);
        }
        if ffi::PyCapsule_IsValid(capsule, NAME) != 0 {
            let managed = ffi::PyCapsule_GetPointer(capsule, NAME).cast::<Managed>();
            ffi::PyCapsule_SetName(capsule, USED);
            return Ok(Imported::plain(managed));
        }
    }
    Err(PyTypeError::new_err("__dlpack__() gave a capsule that has no tensor, or whose tensor was taken"))
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Imported>()?;
    module.add_function(wrap_pyfunction!(dlpack, module)?)?;
    module.add_function(wrap_pyfunction!(exchange_table, module)?)?;
    module.add_function(wrap_pyfunction!(dlpack_of, module)?)
}
