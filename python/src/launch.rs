//! The calls that a program makes most: launches of kernels and replays of graph execs.

use crate::call::error;
use crate::call::functions::{Api, Kind};
use crate::handle::{self, Handle};
use crate::{callbacks, gate, library};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::OnceLock;

/// gc_kernel_arg.
#[repr(C)]
#[derive(Clone, Copy)]
struct KernelArg {
    struct_size: u32,
    kind: u32,
    access: u32,
    reserved: u32,
    buffer: *mut c_void,
    offset: usize,
    value: *const c_void,
    value_size: usize,
    access_offset: usize,
    access_size: usize,
}

/// gc_launch_config.
#[repr(C)]
struct LaunchConfig {
    struct_size: u32,
    grid_dim: [u32; 3],
    block_dim: [u32; 3],
    shared_mem_bytes: u32,
    flags: u32,
    reserved: u32,
    attributes: *const c_void,
    attribute_count: usize,
}

const _: () = assert!(size_of::<KernelArg>() == 64 && size_of::<LaunchConfig>() == 56);

const ARG_VALUE: u32 = 1;
const ARG_BUFFER: u32 = 2;

/// Kind of value that a parameter of a kernel takes.
enum Parameter {
    /// A number of a type: the code of the struct module, or '?' where only the size is known.
    Number { code: u8, size: usize },
    /// An address: a buffer.
    Pointer,
    /// An address and a length per dimension: a buffer of that type.
    Array { dtype: String, dimensions: usize },
}

/// Base class of kernels: the handle, and what its parameters take.
#[pyclass(extends = Handle, subclass, frozen, module = "graphcap._native")]
pub struct KernelBase {
    parameters: OnceLock<Vec<Parameter>>,
}

#[pymethods]
impl KernelBase {
    #[new]
    #[pyo3(signature = (*_arguments, **_named))]
    fn new(_arguments: &Bound<'_, PyAny>, _named: Option<&Bound<'_, PyAny>>) -> PyClassInitializer<KernelBase> {
        PyClassInitializer::from(Handle::empty()).add_subclass(KernelBase { parameters: OnceLock::new() })
    }

    /// Sets the parameters: triples of a code, a size or number of dimensions, and a dtype.
    fn _set_parameters(&self, parameters: Vec<(char, usize, String)>) -> PyResult<()> {
        let parameters = parameters
            .into_iter()
            .map(|(code, size, dtype)| match code {
                'P' => Parameter::Pointer,
                'A' => Parameter::Array { dtype, dimensions: size },
                _ => Parameter::Number { code: code as u8, size },
            })
            .collect();
        self.parameters
            .set(parameters)
            .map_err(|_| PyValueError::new_err("the parameters of the kernel are set already"))
    }
}

/// Arguments of one launch, and the memory that they point to.
struct Arguments {
    made: Vec<KernelArg>,
    /// Values of up to 8 bytes; made[i].value is null for those, and made[i].offset their place here.
    values: Vec<u64>,
    views: Vec<ffi::Py_buffer>,
    /// Buffers that were made of memory of other libraries for this launch.
    kept: Vec<Py<PyAny>>,
}

impl Drop for Arguments {
    fn drop(&mut self) {
        for view in &mut self.views {
            // SAFETY: PyObject_GetBuffer filled it, and the thread holds the GIL.
            unsafe { ffi::PyBuffer_Release(view) };
        }
    }
}

fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

const EMPTY: KernelArg = KernelArg {
    struct_size: size_of::<KernelArg>() as u32,
    kind: 0,
    access: 0,
    reserved: 0,
    buffer: null_mut(),
    offset: 0,
    value: std::ptr::null(),
    value_size: 0,
    access_offset: 0,
    access_size: 0,
};

impl Arguments {
    fn with_room(count: usize) -> Arguments {
        Arguments {
            made: Vec::with_capacity(count),
            values: Vec::with_capacity(count),
            views: Vec::new(),
            kept: Vec::new(),
        }
    }

    fn value(&mut self, bits: u64, size: usize) {
        self.made.push(KernelArg { kind: ARG_VALUE, offset: self.values.len(), value_size: size, ..EMPTY });
        self.values.push(bits);
    }

    /// Adds a buffer, a part of one, or a scalar; false for other objects.
    fn memory(&mut self, place: usize, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        let borrowed = object.as_borrowed();
        if let Some(handle) = handle::cast(&borrowed) {
            let pointer = handle.pointer();
            if pointer.is_null() {
                return Err(PyValueError::new_err(format!(
                    "launch(): argument {place} is a closed {}",
                    type_name(object)
                )));
            }
            match handle.kind() {
                Some(Kind::Buffer) => {
                    self.made.push(KernelArg { kind: ARG_BUFFER, buffer: pointer, ..EMPTY });
                    return Ok(true);
                }
                Some(Kind::Scalar) => return self.memory(place, &object.getattr("_argument")?),
                Some(Kind::HostBuffer) => {
                    let address = object.getattr("device_address")?.extract::<u64>()?;
                    self.value(address, 8);
                    return Ok(true);
                }
                _ => return Ok(false),
            }
        }
        if let Ok(part) = object.cast::<PyTuple>() {
            if part.len() >= 2 {
                let offset = part.get_item(1)?.extract::<usize>()?;
                if self.memory(place, &part.get_item(0)?)? {
                    if let Some(last) = self.made.last_mut() {
                        last.offset += offset;
                    }
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Adds an argument. Memory of other libraries becomes a buffer first, which the work keeps.
    fn add(
        &mut self,
        stream: &Bound<'_, PyAny>,
        place: usize,
        object: &Bound<'_, PyAny>,
        parameter: Option<&Parameter>,
    ) -> PyResult<()> {
        let takes_memory = match parameter {
            Some(Parameter::Pointer | Parameter::Array { .. }) => true,
            Some(Parameter::Number { code, size }) => *code == b'?' && *size == 8,
            None => false,
        };
        if takes_memory && is_foreign_memory(object) {
            let buffer = object
                .py()
                .import("graphcap.interop")?
                .call_method1("argument_of", (stream, object))
                .map_err(|failed| named_argument(object.py(), place, failed))?;
            self.known(place, &buffer, parameter)?;
            self.kept.push(buffer.unbind());
            return Ok(());
        }
        self.known(place, object, parameter)
    }

    fn known(&mut self, place: usize, object: &Bound<'_, PyAny>, parameter: Option<&Parameter>) -> PyResult<()> {
        let refused = |wanted: &str| {
            Err(PyTypeError::new_err(format!("launch(): argument {place} must be {wanted}, not {}", type_name(object))))
        };
        match parameter {
            Some(Parameter::Pointer) => {
                if self.memory(place, object)? {
                    return Ok(());
                }
                match object.extract::<u64>() {
                    Ok(address) => self.value(address, 8),
                    Err(_) => return refused("a Buffer, a part of one, a Scalar, a HostBuffer or an address"),
                }
                Ok(())
            }
            Some(Parameter::Array { dtype, dimensions }) => self.array(place, object, dtype, *dimensions),
            Some(Parameter::Number { code, size }) => {
                if *size == 8 && *code == b'?' && self.memory(place, object)? {
                    return Ok(());
                }
                self.number(place, object, *code, *size)
            }
            None => refused("left out: the kernel takes fewer arguments"),
        }
    }

    fn array(&mut self, place: usize, object: &Bound<'_, PyAny>, dtype: &str, dimensions: usize) -> PyResult<()> {
        let wanted = |found: String| {
            let kind =
                format!("a Buffer of {dtype} with {dimensions} dimension{}", if dimensions == 1 { "" } else { "s" });
            Err(PyTypeError::new_err(format!("launch(): argument {place} must be {kind}, not {found}")))
        };
        let Ok(shape) = object.getattr("shape").and_then(|shape| shape.extract::<Vec<u64>>()) else {
            return wanted(type_name(object));
        };
        let found = object.getattr("dtype").and_then(|found| found.extract::<String>()).unwrap_or_default();
        if found != dtype || shape.len() != dimensions {
            return wanted(format!("{} of {found} with shape {shape:?}", type_name(object)));
        }
        if !self.memory(place, object)? {
            return wanted(format!("{}; host memory goes into a Buffer first", type_name(object)));
        }
        for length in shape {
            self.value(length, 8);
        }
        Ok(())
    }

    fn number(&mut self, place: usize, object: &Bound<'_, PyAny>, code: u8, size: usize) -> PyResult<()> {
        // SAFETY: an object of the interpreter.
        let (is_float, is_int) =
            unsafe { (ffi::PyFloat_Check(object.as_ptr()) != 0, ffi::PyLong_Check(object.as_ptr()) != 0) };
        let is_real = matches!(code, b'f' | b'd') || (code == b'?' && is_float && (size == 4 || size == 8));
        if is_real && (is_float || is_int) {
            let value = object.extract::<f64>()?;
            let bits = if size == 4 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
            self.value(bits, size);
            return Ok(());
        }
        if is_int && size <= 8 && !is_real {
            let value = object.extract::<i128>()?;
            let bits = 8 * size as u32;
            let (least, most) = match code {
                b'?' => (-(1i128 << (bits - 1)), (1i128 << bits) - 1),
                b'B' | b'H' | b'I' | b'Q' => (0, (1i128 << bits) - 1),
                _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            };
            if value < least || value > most {
                return Err(PyOverflowError::new_err(format!(
                    "launch(): argument {place} is {value}, and its parameter has {size} bytes: from {least} to {most}"
                )));
            }
            self.value(value as u64, size);
            return Ok(());
        }
        self.bytes(place, object, code, size)
    }

    /// Adds the bytes of a NumPy scalar, a ctypes struct or bytes.
    fn bytes(&mut self, place: usize, object: &Bound<'_, PyAny>, code: u8, size: usize) -> PyResult<()> {
        let is_bytes = object.is_instance_of::<PyBytes>();
        let wanted = if matches!(code, b'f' | b'd') {
            "a float".to_owned()
        } else if code == b'?' {
            format!("a number, or bytes, of {size} bytes")
        } else {
            format!("an int of {size} bytes")
        };
        let mut view = MaybeUninit::<ffi::Py_buffer>::uninit();
        // SAFETY: an object of the interpreter, and room for the view.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), view.as_mut_ptr(), ffi::PyBUF_FORMAT | ffi::PyBUF_ND) }
            != 0
        {
            PyErr::take(object.py());
            return Err(PyTypeError::new_err(format!(
                "launch(): argument {place} must be {wanted}, not {}",
                type_name(object)
            )));
        }
        // SAFETY: the call above filled it.
        let view = unsafe { view.assume_init() };
        let (address, length, dimensions, format) = (view.buf, view.len as usize, view.ndim, view.format);
        self.views.push(view);
        if dimensions > 0 && !is_bytes {
            return Err(PyTypeError::new_err(format!(
                "launch(): argument {place} must be {wanted}, not {}, which is an array in host memory; copy it into a Buffer",
                type_name(object)
            )));
        }
        let is_other = code != b'?' && !is_bytes && !format.is_null() && {
            // SAFETY: a format is a text with a NUL.
            let found = unsafe { *format.cast::<u8>() };
            !(found == code || (code == b'q' && found == b'l') || (code == b'Q' && found == b'L'))
        };
        if length != size || is_other {
            return Err(PyTypeError::new_err(format!(
                "launch(): argument {place} must be {wanted}, not {} of {length} bytes",
                type_name(object)
            )));
        }
        self.made.push(KernelArg { kind: ARG_VALUE, value: address, value_size: length, ..EMPTY });
        Ok(())
    }

    /// Lets the values point to where they are, once no more are added.
    fn finish(&mut self) {
        for argument in &mut self.made {
            if argument.kind == ARG_VALUE && argument.value.is_null() {
                if let Some(value) = self.values.get(argument.offset) {
                    argument.value = std::ptr::from_ref(value).cast();
                }
                argument.offset = 0;
            }
        }
    }
}

/// Tells whether an object is memory of a GPU that another library has.
fn is_foreign_memory(object: &Bound<'_, PyAny>) -> bool {
    let borrowed = object.as_borrowed();
    // SAFETY: an object of the interpreter.
    let is_number = unsafe { ffi::PyLong_Check(object.as_ptr()) != 0 || ffi::PyFloat_Check(object.as_ptr()) != 0 };
    !is_number
        && handle::cast(&borrowed).is_none()
        && !object.is_instance_of::<PyTuple>()
        && object.hasattr("__cuda_array_interface__").unwrap_or(false)
}

/// An error of an argument, which tells its place.
fn named_argument(py: Python<'_>, place: usize, failed: PyErr) -> PyErr {
    let text = format!("launch(): argument {place}: {}", failed.value(py));
    if failed.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(text)
    } else if failed.is_instance_of::<PyValueError>(py) {
        PyValueError::new_err(text)
    } else {
        failed
    }
}

/// A number of blocks or threads: an int, or up to three.
fn dimensions(object: &Bound<'_, PyAny>, name: &str) -> PyResult<[u32; 3]> {
    if let Ok(x) = object.extract::<u32>() {
        return Ok([x, 1, 1]);
    }
    let mut made = [1; 3];
    let wanted = || {
        PyTypeError::new_err(format!("launch(): {name} must be an int, or a tuple of up to three, from 1 to 2**32 - 1"))
    };
    let given = object.cast::<PyTuple>().map_err(|_| wanted())?;
    if given.is_empty() || given.len() > 3 {
        return Err(wanted());
    }
    for (place, item) in made.iter_mut().zip(given.iter()) {
        *place = item.extract::<u32>().map_err(|_| wanted())?;
    }
    Ok(made)
}

/// The handle behind an argument, of the type that is wanted.
#[inline]
pub(crate) fn named(object: &Bound<'_, PyAny>, wanted: Kind, call: &str, parameter: &str) -> PyResult<*mut c_void> {
    let borrowed = object.as_borrowed();
    let refused = || {
        let (name, found) = (wanted.name(), type_name(object));
        let article = if name.starts_with(['A', 'E']) { "an" } else { "a" };
        PyTypeError::new_err(format!("{call}(): {parameter} must be {article} {name}, not {found}"))
    };
    let handle = handle::cast_exactly(&borrowed, wanted).or_else(|| handle::cast(&borrowed)).ok_or_else(refused)?;
    let pointer = handle.pointer();
    if pointer.is_null() {
        return Err(PyValueError::new_err(format!("{call}(): {parameter} is closed")));
    }
    match handle.kind() == Some(wanted) {
        true => Ok(pointer),
        false => Err(refused()),
    }
}

/// The functions of the library, for a call that begins. Drops references that the library has given back.
#[inline]
pub(crate) fn begin(py: Python<'_>) -> PyResult<&'static Api> {
    callbacks::drop_queued(py);
    library::needed_api()
}

/// Gives what a call returns, or the exception of its status. first: its first argument.
#[inline]
pub(crate) fn ended<T>(made: T, call: &str, status: i32, first: &Bound<'_, PyAny>) -> PyResult<T> {
    match status {
        0 => Ok(made),
        _ => Err(error(first.py(), call, status, Some(first.as_borrowed()))),
    }
}

/// Launches a kernel on a stream: `Stream.launch`.
pub(crate) fn launch_kernel(
    stream: &Bound<'_, PyAny>,
    kernel: &Bound<'_, PyAny>,
    grid: &Bound<'_, PyAny>,
    block: &Bound<'_, PyAny>,
    arguments: &Bound<'_, PyTuple>,
    shared: u32,
) -> PyResult<()> {
    let api = begin(stream.py())?;
    let handle = named(stream, Kind::Stream, "launch", "the stream")?;
    let kernel_handle = named(kernel, Kind::Kernel, "launch", "kernel")?;
    let config = LaunchConfig {
        struct_size: size_of::<LaunchConfig>() as u32,
        grid_dim: dimensions(grid, "grid")?,
        block_dim: dimensions(block, "block")?,
        shared_mem_bytes: shared,
        flags: 0,
        reserved: 0,
        attributes: std::ptr::null(),
        attribute_count: 0,
    };
    let base = kernel.cast::<KernelBase>().map_err(|_| PyTypeError::new_err("launch(): kernel must be a Kernel"))?;
    let parameters = base
        .get()
        .parameters
        .get()
        .ok_or_else(|| PyValueError::new_err("launch(): the kernel has no parameters yet"))?;
    if parameters.len() != arguments.len() {
        return Err(PyTypeError::new_err(format!(
            "launch(): the kernel takes {} arguments, {} given",
            parameters.len(),
            arguments.len()
        )));
    }
    let mut made = Arguments::with_room(arguments.len() + 2);
    for (place, argument) in arguments.iter().enumerate() {
        made.add(stream, place, &argument, parameters.get(place))?;
    }
    made.finish();
    let list = made.made.as_mut_ptr().cast::<c_void>();
    let count = made.made.len() as u64;
    let told = (&raw const config).cast_mut().cast();
    // SAFETY: the structs and what they point to live until the call returns; the token tells that the thread holds the GIL.
    let status = unsafe { gate::released(|| (api.gc_stream_launch_kernel)(handle, kernel_handle, told, list, count)) };
    ended((), "gc_stream_launch_kernel", status, stream)
}

/// Base class of graph execs: launches.
#[pyclass(extends = Handle, subclass, frozen, module = "graphcap._native")]
pub struct GraphExecBase {
    /// The stream that `replay` launches on.
    stream: OnceLock<Py<PyAny>>,
}

#[pymethods]
impl GraphExecBase {
    #[new]
    #[pyo3(signature = (*_arguments, **_named))]
    fn new(_arguments: &Bound<'_, PyAny>, _named: Option<&Bound<'_, PyAny>>) -> PyClassInitializer<GraphExecBase> {
        PyClassInitializer::from(Handle::empty()).add_subclass(GraphExecBase { stream: OnceLock::new() })
    }

    /// Launches the exec once: a replay of its graph, behind the work of the stream and behind earlier launches of the exec.
    ///
    /// Raises `StateError` if the context was reset, `CaptureError` if the launch breaks a capture, and the error of a fault.
    ///
    /// >>> exec.launch(stream)
    /// >>> stream.synchronize()
    #[pyo3(signature = (stream, /))]
    fn launch(slf: &Bound<'_, Self>, stream: &Bound<'_, PyAny>) -> PyResult<()> {
        let api = begin(slf.py())?;
        let exec = open_exec(slf, "launch")?;
        let to = named(stream, Kind::Stream, "launch", "stream")?;
        // SAFETY: the token tells that the thread holds the GIL; the library checks the handles.
        let status = unsafe { gate::released(|| (api.gc_graph_launch)(exec, to)) };
        ended((), "gc_graph_launch", status, stream)
    }

    /// Sets the stream that `replay` launches on.
    fn _remember(&self, stream: Py<PyAny>) -> PyResult<()> {
        self.stream.set(stream).map_err(|_| PyValueError::new_err("the graph exec remembers a stream already"))
    }

    #[getter]
    fn _stream(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.stream.get().map(|stream| stream.clone_ref(py))
    }

    /// Launches the exec on the stream that it remembers: that of `Graph.instantiate(stream=...)`, or of the capture.
    ///
    /// Raises `StateError` if it remembers none.
    ///
    /// >>> with graphcap.capture(stream) as captured:
    /// ...     stream.fill(buffer, 0)
    /// >>> captured.instantiate().replay()
    fn replay(slf: &Bound<'_, Self>) -> PyResult<()> {
        if let Some(stream) = slf.get().stream.get() {
            return Self::launch(slf, stream.bind(slf.py()));
        }
        let api = begin(slf.py())?;
        let exec = open_exec(slf, "replay")?;
        // SAFETY: the token tells that the thread holds the GIL; the library checks the handle.
        let status = unsafe { gate::released(|| (api.gc_graph_relaunch)(exec)) };
        ended((), "gc_graph_relaunch", status, slf.as_any())
    }
}

/// The handle of a graph exec that is not closed.
fn open_exec(exec: &Bound<'_, GraphExecBase>, call: &str) -> PyResult<*mut c_void> {
    match exec.as_super().get().pointer() {
        closed if closed.is_null() => Err(PyValueError::new_err(format!("{call}(): the graph exec is closed"))),
        open => Ok(open),
    }
}

pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<KernelBase>()?;
    module.add_class::<GraphExecBase>()
}
