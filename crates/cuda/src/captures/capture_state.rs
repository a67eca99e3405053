//! State of the capture that a stream is in, as the driver tells it.

use std::ffi::c_uint;

use crate::api::device::Device;
use crate::api::{self, DriverError, Handle};
use crate::captures::gate;
use graphcap_base::error::Status;
use graphcap_driver::{CaptureInfo, CaptureStatus};

/// A capture that a stream is in.
pub(crate) struct Capture {
    pub(crate) status: CaptureStatus,
    pub(crate) id: u64,
    pub(crate) graph: api::GraphHandle,
}

impl Device {
    /// The capture that a stream is in, if any.
    #[inline]
    pub(crate) fn ask_capture(&self, stream: api::StreamHandle) -> Result<Option<Capture>, DriverError> {
        let (mut status, mut id, mut graph): (c_uint, u64, _) = (0, 0, Handle::NULL);
        let (nodes, count) = (std::ptr::null_mut(), std::ptr::null_mut());
        let beside = gate::read();
        // SAFETY: the stream lives; the outputs are writable, and what is null is left out.
        let asked =
            unsafe { self.api.cuStreamGetCaptureInfo_v2(stream, &mut status, &mut id, &mut graph, nodes, count) };
        drop(beside);
        if asked.is_err_and(is_lossy) {
            return Ok(self.ask_frontier(stream)?.map(|(capture, _)| capture));
        }
        asked?;
        Ok(match status {
            0 => None,
            1 => Some(Capture { status: CaptureStatus::Active, id, graph }),
            _ => Some(Capture { status: CaptureStatus::Invalidated, id, graph }),
        })
    }

    /// Returns whether a stream is in a capture; of the legacy stream, whether one is that blocks it. To be called at the gate. True where
    /// the driver does not tell: it refuses what follows.
    #[cold]
    pub(crate) fn is_captured(&self, stream: api::StreamHandle) -> bool {
        let (mut status, mut id): (c_uint, u64) = (0, 0);
        let (graph, nodes, count) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the stream lives; the outputs are writable, and what is null is left out.
        let asked = unsafe { self.api.cuStreamGetCaptureInfo_v2(stream, &mut status, &mut id, graph, nodes, count) };
        asked.is_err() || status != 0
    }

    /// As [`Device::ask_capture`], without the graph.
    #[inline]
    pub(crate) fn ask_capture_info(&self, stream: api::StreamHandle) -> Result<CaptureInfo, DriverError> {
        let (mut status, mut id): (c_uint, u64) = (0, 0);
        let (graph, nodes, count) = (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
        let beside = gate::read();
        // SAFETY: the stream lives; the outputs are writable, and what is null is left out.
        let asked = unsafe { self.api.cuStreamGetCaptureInfo_v2(stream, &mut status, &mut id, graph, nodes, count) };
        drop(beside);
        if asked.is_err_and(is_lossy) {
            let none = CaptureInfo { status: CaptureStatus::None, id: 0 };
            return Ok(self
                .ask_frontier(stream)?
                .map_or(none, |(Capture { status, id, .. }, _)| CaptureInfo { status, id }));
        }
        asked?;
        Ok(match status {
            0 => CaptureInfo { status: CaptureStatus::None, id: 0 },
            1 => CaptureInfo { status: CaptureStatus::Active, id },
            _ => CaptureInfo { status: CaptureStatus::Invalidated, id },
        })
    }

    /// The stream's capture, with the nodes that the stream's next node will depend on while the capture is active.
    pub(crate) fn ask_frontier(
        &self,
        stream: api::StreamHandle,
    ) -> Result<Option<(Capture, Vec<api::Node>)>, DriverError> {
        let (mut status, mut id, mut graph): (c_uint, u64, _) = (0, 0, Handle::NULL);
        let (mut nodes, mut data, mut count) = (std::ptr::null(), std::ptr::null(), 0);
        let (api, places) = (self.api, (&mut status, &mut id, &mut graph, &mut nodes, &mut count));
        // Until the frontier was copied.
        let _beside = gate::read();
        // SAFETY: the stream lives; the outputs are writable.
        let mut asked = unsafe {
            api.cuStreamGetCaptureInfo_v3(stream, places.0, places.1, places.2, places.3, &mut data, places.4)
        };
        if asked.is_err_and(|refusal| refusal.since.is_some()) {
            // A driver without it has no edges that carry data, which the older function refuses.
            // SAFETY: as above.
            asked = unsafe { api.cuStreamGetCaptureInfo_v2(stream, places.0, places.1, places.2, places.3, places.4) };
        }
        asked?;
        Ok(match status {
            0 => None,
            1 if count > 0 => {
                // SAFETY: the driver gave as many nodes, which stay where they are until the stream records again.
                let frontier = unsafe { std::slice::from_raw_parts(nodes, count) }.to_vec();
                Some((Capture { status: CaptureStatus::Active, id, graph }, frontier))
            }
            1 => Some((Capture { status: CaptureStatus::Active, id, graph }, Vec::new())),
            _ => Some((Capture { status: CaptureStatus::Invalidated, id, graph }, Vec::new())),
        })
    }

    /// The stream's capture, if it is in one; `None` when the driver does not tell.
    pub(crate) fn capture(&self, stream: api::StreamHandle) -> Option<Option<Capture>> {
        // Asked twice: what is not known now may never be given back.
        self.ask_capture(stream).or_else(|_| self.ask_capture(stream)).ok()
    }
}

/// Returns whether the driver has more to tell of the frontier than was asked for: what its edges carry.
fn is_lossy(refusal: DriverError) -> bool {
    refusal.status == Status::LOSSY_QUERY
}
