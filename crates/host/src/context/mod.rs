//! A context on a host device: the implementation of [`Driver`], with a file for each trait that it sums up. It finds the
//! objects behind the ids, applies the capture rules, and hands over to the file that does the work. What its methods have in
//! common is in `host/shared.rs`.

mod captures;
mod code;
mod edges;
mod edits;
mod events;
mod exec_edits;
mod exec_updates;
mod graphs;
mod kernels;
mod math;
mod memory;
mod nodes;
mod streams;
mod submit;

use std::sync::atomic::AtomicU64;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::capture;
use super::device::device_info;
use super::engine::context_state::ContextState;
use super::engine::lanes::lanes;
use super::engine::stream::Stream;
use super::engine::stream_list::{self, Streams};
use super::memory::guard;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::ids::number_context;
use graphcap_driver::{
    callbacks, CaptureInfo, CaptureStatus, DeviceInfo, DeviceKind, Driver, ExecId, Foreign, GraphId, Object, StreamId,
    WrappedExec,
};

/// A context on a host device.
pub(crate) struct HostContext {
    info: DeviceInfo,
    pub(crate) state: Arc<ContextState>,
    pub(crate) legacy: Arc<Stream>,
    pub(crate) streams: Arc<Streams>,
}

#[cold]
pub(super) fn no_natives() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the host device has no driver underneath, so its objects have no native handles; use a CUDA device for that",
    )
}

impl HostContext {
    pub(crate) fn new(ordinal: u32) -> Result<HostContext> {
        HostContext::on(device_info(ordinal)?)
    }

    /// A context on the device that `info` describes.
    pub(crate) fn on(info: DeviceInfo) -> Result<HostContext> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        guard::set_up()?;
        let number = number_context(&LAST)?;
        lanes().enlist()?;
        let state = Arc::new(ContextState::new(number));
        let legacy = Stream::legacy(&state);
        let streams = stream_list::new(number, &legacy);
        Ok(HostContext { info, state, legacy, streams })
    }

    /// The number of the device.
    pub(crate) fn ordinal(&self) -> u32 {
        self.info.ordinal
    }
}

impl Drop for HostContext {
    fn drop(&mut self) {
        self.leave();
        stream_list::forget(&self.streams);
        lanes().dismiss();
    }
}

impl Driver for HostContext {
    fn device(&self) -> &DeviceInfo {
        &self.info
    }

    fn family(&self) -> usize {
        DeviceKind::Host as usize
    }

    fn synchronize(&self) -> Result<()> {
        self.check_call()?;
        capture::refuse_in_context(self.number(), "waiting for the whole context")?;
        self.wait_for(&self.all_streams())
    }

    fn synchronize_for(&self, limit: Duration) -> Result<bool> {
        let deadline = Instant::now().checked_add(limit);
        self.check_call()?;
        capture::refuse_in_context(self.number(), "waiting for the whole context")?;
        self.wait_until(&self.all_streams(), deadline)
    }

    fn shares_device(&self) -> bool {
        false
    }

    fn collect(&self) -> Result<()> {
        // Nothing is held back on this device.
        self.check_call()
    }

    fn renew(&self) -> Result<Option<Arc<dyn Driver>>> {
        callbacks::check_caller()?;
        Ok(Some(Arc::new(HostContext::on(self.info.clone())?)))
    }

    fn leave(&self) {
        self.state.loops.leave();
        // The default streams are destroyed with the context.
        for stream in self.all_streams().iter().filter(|stream| stream.cancellation.may_wait()) {
            stream_list::end_waits(stream);
        }
    }
}

impl Foreign for HostContext {
    fn shares_streams(&self) -> bool {
        false
    }

    fn native(&self, object: Object) -> Result<usize> {
        // Giving these out is more than a question on a device that has native handles.
        if matches!(object, Object::Stream(_) | Object::Graph(_) | Object::Node(..) | Object::Exec(_)) {
            callbacks::check_caller()?;
        }
        Err(no_natives())
    }

    fn stream_wrap(&self, _: usize) -> Result<StreamId> {
        callbacks::check_caller()?;
        Err(no_natives())
    }

    fn graph_wrap(&self, _: usize) -> Result<(GraphId, bool)> {
        callbacks::check_caller()?;
        Err(no_natives())
    }

    fn graph_own(&self, _: GraphId) {}

    fn exec_wrap(&self, _: usize, _: Option<GraphId>) -> Result<WrappedExec> {
        callbacks::check_caller()?;
        Err(no_natives())
    }

    fn exec_own(&self, _: ExecId) {}

    fn native_capture(&self, _: usize) -> Result<CaptureInfo> {
        callbacks::check_caller()?;
        Ok(CaptureInfo { status: CaptureStatus::None, id: 0 })
    }
}
