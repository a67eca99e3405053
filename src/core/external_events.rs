//! Events that the nodes of graphs record and wait for, which work outside the graph sees.

use super::black_box::Operation;
use super::event::Event;
use super::operands::Operand;
use super::state::Stream;
use crate::driver::Work;
use crate::error::Result;

impl Event {
    /// Records a node in the capture that `stream` is in: each launch of the graph records the event, which is reached
    /// when the node is. The graph keeps the event.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is not being captured, and as [`Event::record`].
    pub fn record_external(&self, stream: &Stream) -> Result<()> {
        stream.context().check_same("the stream", self.context(), "the event")?;
        stream.submit_work(Operation::ExternalRecord, &Operand::Event(self), &Work::EventRecord(self.id()))?;
        // By the launches, which are not looked at here.
        self.note_recorded();
        Ok(())
    }
}

impl Stream {
    /// Records a node in the capture that the stream is in: each replay waits there for the record that the event holds
    /// when the graph is launched. The graph keeps the event.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is not being captured; `INVALID_CONTEXT` for an event of another context; what
    /// the capture rules say.
    pub fn wait_event_external(&self, event: &Event) -> Result<()> {
        self.context().check_same("the stream", event.context(), "the event")?;
        self.submit_work(Operation::EventWait, &Operand::Event(event), &Work::EventWait(event.id()))
    }
}
