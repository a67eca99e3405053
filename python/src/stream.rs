//! Base class of streams: the calls that a program makes most, which take a stream and a kernel or an event.

use crate::call::functions::Kind;
use crate::gate;
use crate::handle::Handle;
use crate::launch::{begin, ended, launch_kernel, named};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

const EXTERNAL: u32 = 1;

/// Base class of streams: launches of kernels, events.
#[pyclass(extends = Handle, subclass, frozen, module = "graphcap._native")]
pub struct StreamBase;

#[pymethods]
impl StreamBase {
    #[new]
    #[pyo3(signature = (*_arguments, **_named))]
    fn new(_arguments: &Bound<'_, PyAny>, _named: Option<&Bound<'_, PyAny>>) -> PyClassInitializer<StreamBase> {
        PyClassInitializer::from(Handle::empty()).add_subclass(StreamBase)
    }

    /// Launches a kernel, or records the launch while the stream is captured.
    ///
    /// grid, block: blocks of the grid and threads of a block, an int or up to three. A host device calls the kernel once per block.
    /// arguments: a `Buffer`, a part of one, a `Scalar`, an address, a number, a NumPy scalar, or bytes for a struct.
    /// shared: bytes of dynamic shared memory.
    /// Raises `TypeError` for an argument that its parameter cannot take, `OverflowError` for a number out of its range.
    ///
    /// >>> stream.launch(double, 1, 1, buffer)
    /// >>> stream.synchronize()
    #[pyo3(signature = (kernel, grid, block, /, *arguments, shared = 0))]
    fn launch(
        slf: &Bound<'_, Self>,
        kernel: &Bound<'_, PyAny>,
        grid: &Bound<'_, PyAny>,
        block: &Bound<'_, PyAny>,
        arguments: &Bound<'_, PyTuple>,
        shared: u32,
    ) -> PyResult<()> {
        launch_kernel(slf.as_any(), kernel, grid, block, arguments, shared)
    }

    /// Records an event behind the work of the stream, and returns it; a new one if none is given.
    ///
    /// external: in a capture, each replay records the event for others, instead of an edge of the graph.
    ///
    /// Raises `TypeError` where the event is no `Event`, `ValueError` where it is closed, `InvalidHandleError` where it is of another device,
    /// `StateError` where external is set outside a capture.
    ///
    /// >>> stream.record().synchronize()
    #[pyo3(signature = (event = None, *, external = false))]
    fn record<'py>(
        slf: &Bound<'py, Self>,
        event: Option<&Bound<'py, PyAny>>,
        external: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let event = match event {
            Some(event) => event.clone(),
            None => py.import("graphcap.stream")?.getattr("Event")?.call1((slf.getattr("context")?,))?,
        };
        let api = begin(py)?;
        let handle = named(&event, Kind::Event, "record", "event")?;
        let stream = named(slf.as_any(), Kind::Stream, "record", "the stream")?;
        let flags = if external { EXTERNAL } else { 0 };
        // SAFETY: the token tells that the thread holds the GIL; the library checks the handles.
        let status = unsafe { gate::released(|| (api.gc_event_record)(handle, stream, flags)) };
        ended(event, "gc_event_record", status, slf)
    }

    /// Makes later work of the stream wait for an event. A stream that waits for an event of a capture joins the capture.
    ///
    /// external: in a capture, each replay waits for what others recorded last.
    ///
    /// Raises `TypeError` where the event is none, `ValueError` where it is closed, `StateError` where external is set outside a capture,
    /// `CaptureError` where the stream is captured and the event is not of its capture, `InvalidValueError` where the event is of a capture
    /// that is over. The last two break a capture of the stream.
    ///
    /// >>> other = graphcap.Stream(context)
    /// >>> other.wait(stream.record())
    #[pyo3(signature = (event, *, external = false))]
    fn wait(slf: &Bound<'_, Self>, event: &Bound<'_, PyAny>, external: bool) -> PyResult<()> {
        let api = begin(slf.py())?;
        let stream = named(slf.as_any(), Kind::Stream, "wait", "the stream")?;
        let handle = named(event, Kind::Event, "wait", "event")?;
        let flags = if external { EXTERNAL } else { 0 };
        // SAFETY: the token tells that the thread holds the GIL; the library checks the handles.
        let status = unsafe { gate::released(|| (api.gc_stream_wait_event)(stream, handle, flags)) };
        ended((), "gc_stream_wait_event", status, slf)
    }
}
