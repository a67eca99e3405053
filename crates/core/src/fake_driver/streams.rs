//! The fake driver's streams, on which all work is complete at once, and their attributes.

use std::time::Duration;

use super::{key, FakeDriver};
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::*;

impl FakeDriver {
    /// All work of a stream that was destroyed is known to be complete.
    pub(crate) fn is_over(&self, stream: StreamId) {
        lock(&self.state).over.insert(stream);
    }
}

impl Streams for FakeDriver {
    fn stream_create(&self, _: StreamOptions) -> Result<StreamId> {
        self.call("stream_create", |state| {
            let id = StreamId(state.id());
            state.streams.insert(id, self.context);
            Ok(id)
        })
    }
    fn stream_destroy(&self, stream: StreamId) {
        let _ = self.call_on("stream_destroy", stream, |state| {
            if stream == StreamId::PER_THREAD {
                let begun = state.captures.iter().filter(|(_, capture)| capture.origin.0 == stream);
                let begun: Vec<u64> = begun.map(|(&id, _)| id).collect();
                begun.into_iter().for_each(|id| drop(state.end(id)));
                return Ok(());
            }
            if state.streams.remove(&stream).is_none() {
                state.violation(format!("{stream:?} destroyed twice"));
            }
            if let Some(capture) = state.captured.remove(&key(stream)) {
                if state.captures.get(&capture).is_some_and(|capture| capture.origin == key(stream)) {
                    state.end(capture);
                }
            }
            Ok(())
        });
    }
    fn stream_is_over(&self, stream: StreamId) -> bool {
        lock(&self.state).over.contains(&stream)
    }
    fn stream_synchronize(&self, stream: StreamId) -> Result<()> {
        self.call_on("stream_synchronize", stream, |_| Ok(()))
    }
    fn stream_synchronize_for(&self, stream: StreamId, limit: Duration) -> Result<bool> {
        self.call_on("stream_synchronize_for", stream, |_| Ok(!limit.is_zero()))
    }
    fn stream_synchronize_eagerly(&self, stream: StreamId, limit: Duration) -> Result<bool> {
        self.call_on("stream_synchronize_eagerly", stream, |_| Ok(!limit.is_zero()))
    }
    fn stream_is_complete(&self, stream: StreamId) -> Result<bool> {
        self.call_on("stream_is_complete", stream, |_| Ok(true))
    }
    fn finish_legacy(&self) -> Result<()> {
        self.call("finish_legacy", |_| Ok(()))
    }
}

impl Attributes for FakeDriver {
    fn stream_priority_range(&self) -> Result<(i32, i32)> {
        self.call("stream_priority_range", |_| Ok((0, -5)))
    }
    fn stream_is_non_blocking(&self, _: StreamId) -> Result<bool> {
        self.call("stream_is_non_blocking", |_| Ok(true))
    }
    fn stream_priority(&self, _: StreamId) -> Result<i32> {
        self.call("stream_priority", |_| Ok(0))
    }
    fn stream_attribute(&self, _: StreamId, _: u32) -> Result<AttributeValue> {
        self.call("stream_attribute", |_| Ok([0; 64]))
    }
    fn stream_set_attribute(&self, _: StreamId, _: u32, _: &AttributeValue) -> Result<()> {
        self.call("stream_set_attribute", |_| Ok(()))
    }
    fn stream_copy_attributes(&self, _: StreamId, _: StreamId) -> Result<()> {
        self.call("stream_copy_attributes", |_| Ok(()))
    }
    // Memory is named by its address here, which is never used twice.
    fn stream_attach(&self, stream: StreamId, address: Address, _: Attach) -> Result<()> {
        self.call_on("stream_attach", stream, |state| {
            if let Some((_, users)) = state.memory.get_mut(&address) {
                users.insert(stream);
            }
            Ok(())
        })
    }
}
