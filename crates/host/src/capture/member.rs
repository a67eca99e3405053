//! A stream's part in a capture, which a stream keeps.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use super::ongoing::Capture;
use super::recording::Frontier;
use crate::graph::Action;
use crate::memory::node_memory::NodeMemory;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules;
use graphcap_driver::{Address, CaptureInfo, CaptureStatus, EdgeData};

/// A stream's part in a capture.
pub(crate) struct Member {
    pub(crate) capture: Arc<Capture>,
    pub(super) frontier: Frontier,
    pub(super) is_origin: bool,
}

impl Member {
    /// Takes `action`, records it after the frontier, and makes it the frontier. Leaves it there if the capture has ended
    /// meanwhile.
    pub(crate) fn record(&mut self, action: &mut Option<Action>) -> Result<()> {
        self.check_active()?;
        let mut recording = self.capture.recording();
        let Some(recording) = &mut *recording else { return Ok(()) };
        if action.as_ref().is_some_and(Action::is_programmatic) {
            // Where the work before it is one kernel, which it may overlap.
            let before = self.frontier.only().filter(|&node| recording.with(|definition| definition.is_kernel(node)));
            let data = before.map(|node| (node, EdgeData::PROGRAMMATIC)).into_iter().collect();
            self.frontier = Frontier::with_data(self.frontier.take().0, data);
        }
        let (dependencies, data) = self.frontier.take();
        let Some(node) = recording.add(action, dependencies, &data) else {
            self.capture.invalidate();
            return Err(no_room());
        };
        self.frontier.set(node);
        Ok(())
    }

    /// Records a node that frees what one allocates at an address. False if the capture has ended meanwhile.
    pub(crate) fn record_free(&mut self, address: Address) -> Result<bool> {
        self.check_active()?;
        let mut recording = self.capture.recording();
        let Some(recording) = &mut *recording else { return Ok(false) };
        let freed = Arc::new(NodeMemory::find(address)?.free_by(recording.target.number())?);
        let (dependencies, data) = self.frontier.take();
        let mut action = Some(Action::MemFree(Arc::clone(&freed)));
        let Some(node) = recording.add(&mut action, dependencies, &data) else {
            self.capture.invalidate();
            return Err(no_room());
        };
        freed.added(node);
        self.frontier.set(node);
        Ok(true)
    }

    pub(super) fn info(&self) -> CaptureInfo {
        let invalid = self.capture.invalidated.load(Ordering::Acquire);
        let status = if invalid { CaptureStatus::Invalidated } else { CaptureStatus::Active };
        CaptureInfo { status, id: self.capture.id }
    }

    /// The frontier, for an event that marks it. Of a launch that records the event, `data` tells where in the kernel.
    pub(crate) fn mark(&mut self, data: EdgeData) -> Result<Frontier> {
        self.check_active()?;
        self.frontier.drop_doubles();
        let marked = self.frontier.clone();
        Ok(match data.is_none() {
            true => marked,
            false => marked.carrying(data),
        })
    }

    /// Fails when the capture was broken.
    pub(crate) fn check_active(&self) -> Result<()> {
        if self.capture.invalidated.load(Ordering::Acquire) {
            return Err(invalidated());
        }
        Ok(())
    }

    /// Breaks the capture for a call that is illegal on its streams, and gives what that call answers, also when the
    /// capture was broken before.
    pub(crate) fn bar(&self, what: &str) -> Error {
        self.capture.invalidate();
        Error::new(
            rules::BARRED,
            format!("{what} is not possible on a stream that is being captured; the capture is now invalid: end it and start again"),
        )
    }
}

#[cold]
pub(super) fn no_room() -> Error {
    Error::new(Status::OUT_OF_MEMORY, "the graph has as many nodes as a graph can have, or as there is memory for")
}

#[cold]
pub(super) fn invalidated() -> Error {
    Error::new(
        Status::CAPTURE_INVALIDATED,
        "an earlier call broke the capture; end it on the stream that began it and record again",
    )
}
