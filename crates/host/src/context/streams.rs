//! Streams: made, waited for, asked about; and the work that is submitted to them.

use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::HostContext;
use crate::capture;
use crate::engine::stream_attributes::{GREATEST_PRIORITY, LEAST_PRIORITY};
use crate::engine::stream_list;
use crate::memory::guard;
use crate::shared::OBJECTS;
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::ids::{enter, key_of};
use graphcap_driver::{Address, Attach, AttributeValue, Attributes, StreamId, StreamOptions, Streams};

impl Streams for HostContext {
    fn stream_create(&self, options: StreamOptions) -> Result<StreamId> {
        self.check_call()?;
        let stream = self.legacy.sibling(!options.non_blocking);
        lock(&stream.attributes).set_priority(options.priority);
        let id = enter(&OBJECTS.streams, Arc::clone(&stream), "streams")?;
        stream.number.store(StreamId(id).in_trace(), Ordering::Relaxed);
        lock(&self.streams).made.insert(id, stream);
        Ok(StreamId(id))
    }

    fn stream_destroy(&self, stream: StreamId) {
        if stream == StreamId::PER_THREAD {
            let of_threads: Vec<_> = {
                let streams = lock(&self.streams);
                let numbered = streams.made.iter().filter(|(number, _)| **number >> 32 == 0);
                numbered.map(|(_, stream)| Arc::clone(stream)).collect()
            };
            of_threads.iter().for_each(capture::abandon);
            return;
        }
        let Some(removed) = OBJECTS.streams.remove(key_of(stream.0)) else { return };
        capture::leave(&removed);
        if removed.cancellation.may_wait() {
            stream_list::end_waits(&removed);
        }
        lock(&self.streams).remove(stream.0);
    }

    fn stream_is_over(&self, stream: StreamId) -> bool {
        stream_list::is_over(&self.streams, stream)
    }

    fn stream_synchronize(&self, stream: StreamId) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.check_wait(&stream, "waiting")?;
        if stream.is_legacy {
            return self.wait_for(&self.waited_for(&stream));
        }
        stream.wait(stream.submitted());
        guard::check_all();
        self.state.error().cloned().map_or(Ok(()), Err)
    }

    fn stream_synchronize_for(&self, stream: StreamId, limit: Duration) -> Result<bool> {
        let deadline = Instant::now().checked_add(limit);
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.check_wait(&stream, "waiting")?;
        self.wait_until(&self.waited_for(&stream), deadline)
    }

    fn stream_synchronize_eagerly(&self, stream: StreamId, limit: Duration) -> Result<bool> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.check_wait(&stream, "waiting")?;
        if !stream.is_legacy {
            stream.help(stream.submitted());
        }
        self.wait_until(&self.waited_for(&stream), Instant::now().checked_add(limit))
    }

    fn stream_submissions(&self, stream: StreamId) -> Option<Arc<dyn graphcap_driver::Submissions>> {
        self.stream(stream).ok().map(|stream| Arc::clone(&stream) as _)
    }

    fn stream_is_complete(&self, stream: StreamId) -> Result<bool> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        self.check_wait(&stream, "asking for completion")?;
        Ok(self.waited_for(&stream).iter().all(|stream| stream.is_complete()))
    }

    fn finish_legacy(&self) -> Result<()> {
        self.check_call()?;
        // Its own work waits for that of the blocking streams.
        self.wait_for(std::slice::from_ref(&self.legacy))
    }
}

impl Attributes for HostContext {
    fn stream_priority_range(&self) -> Result<(i32, i32)> {
        self.check_call()?;
        Ok((LEAST_PRIORITY, GREATEST_PRIORITY))
    }

    fn stream_is_non_blocking(&self, stream: StreamId) -> Result<bool> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        Ok(!stream.blocking && !stream.is_legacy)
    }

    fn stream_priority(&self, stream: StreamId) -> Result<i32> {
        self.check_call()?;
        let found = self.stream(stream)?;
        if stream == StreamId::PER_THREAD {
            // The driver knows the others' without a question.
            capture::refuse_while_broken(&found)?;
        }
        let priority = lock(&found.attributes).priority();
        Ok(priority)
    }

    fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        capture::refuse_on_legacy(&stream)?;
        let value = lock(&stream.attributes).get(attribute)?;
        // As the driver was seen to answer; a broken capture is not in the way of other questions about a stream.
        capture::refuse_while_broken(&stream)?;
        Ok(value)
    }

    fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        capture::refuse_on_legacy(&stream)?;
        capture::refuse_while_broken(&stream)?;
        let mut attributes = lock(&stream.attributes);
        attributes.set(attribute, value)
    }

    fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()> {
        self.check_call()?;
        let (destination, source) = (self.stream(destination)?, self.stream(source)?);
        capture::refuse_on_legacy(&destination)?;
        capture::refuse_on_legacy(&source)?;
        capture::refuse_while_broken(&destination)?;
        capture::refuse_while_broken(&source)?;
        let copied = lock(&source.attributes).clone();
        *lock(&destination.attributes) = copied;
        Ok(())
    }

    fn stream_attach(&self, stream: StreamId, _: Address, _: Attach) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        capture::refuse_while_capturing(&stream, "attaching memory")?;
        // All may use all memory at any time.
        capture::refuse_on_legacy(&stream)
    }
}
