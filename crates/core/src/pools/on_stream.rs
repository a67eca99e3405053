//! Memory of pools that is allocated and freed on streams, and that captures use again.

use std::sync::Arc;

use super::allocating::checked_size;
use super::kept_block::KeptBlocks;
use super::pool::Pool;
use super::reuse::{self, Reached, Reuse};
use crate::keep::Kept;
use crate::objects::buffer::Buffer;
use crate::objects::note::StreamKey;
use crate::operations::operands::Operands;
use crate::state::{Record, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_base::thread::this_thread;
use graphcap_driver::{check_caller, StreamId};

impl Pool {
    /// Allocates `bytes` bytes for work that `stream` submits from here on, as [`Pool::allocate`] does. While the stream is captured,
    /// memory is used again that was freed on a stream of the same capture, as the policy of the pool says. Other streams of the
    /// capture may use the buffer once they are behind an event that is recorded on `stream` after this. The graph keeps the memory,
    /// whatever becomes of the buffer.
    ///
    /// Work that reaches the memory by an address that graphcap does not see is not looked at: it is to come before the free on the
    /// stream of the free.
    ///
    /// # Errors
    /// As [`Pool::allocate`]; `INVALID_CONTEXT` for a stream of another context.
    pub fn allocate_on_stream(&self, bytes: usize, stream: &Stream) -> Result<Buffer> {
        check_caller()?;
        stream.context().check_same("the stream", self.context(), "the pool")?;
        let size = checked_size(bytes)?;
        let Some(record) = stream.recorded_in()? else { return self.allocate(bytes) };
        // Sealed pools allocate nothing, though this may take nothing of the pool.
        drop(self.0.unsealed("allocated from")?);
        let Some(reuse) = stream.reuse_in(&record)? else { return self.allocate(bytes) };
        let block = match (reuse.take(self.id(), size, stream.key()), reuse.kept()) {
            (Some(block), _) => block,
            (None, Some(kept)) => reuse.add(self.id(), self.0.policy, self.take_for(&record, bytes, &kept)?, size),
            // The capture is over.
            (None, None) => return self.allocate(bytes),
        };
        if !record.goes_on() {
            reuse.end();
        }
        let named = self.context().driver().and_then(|driver| block.name(driver, bytes));
        let (memory, address, kept) = named.inspect_err(|_| block.give_back())?;
        Ok(Buffer::of_capture(self.context(), memory, (address, bytes), block, kept))
    }
}

impl Buffer {
    /// Lets go of the buffer behind what `stream` has submitted. If the stream is in the capture that allocated the buffer, that may
    /// use its memory again: where a stream is behind this and behind all uses of the buffer that were recorded. Nobody uses the
    /// buffer from here on.
    ///
    /// Elsewhere, and of a buffer that was not allocated on a stream of the capture, nothing else happens than where the buffer is
    /// dropped: the capture does not use its memory again.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a stream of another context; `NOT_PERMITTED` on a thread that runs work.
    pub fn free_on_stream(self, stream: &Stream) -> Result<()> {
        check_caller()?;
        stream.context().check_same("the stream", self.context(), "the buffer")?;
        let Some(block) = self.capture_block() else { return Ok(()) };
        let record = stream.present();
        let reuse = record.as_ref().and_then(|record| record.log.state.reuse.get());
        if reuse.is_some_and(|reuse| block.is_in(reuse)) {
            block.free(stream.key());
        }
        Ok(())
    }
}

impl Stream {
    /// The memory that the capture of `record`, which the stream is in, allocates on its streams. `None` when that is over.
    ///
    /// # Errors
    /// What the device answers where the graph cannot keep it.
    fn reuse_in<'a>(&self, record: &'a Record) -> Result<Option<&'a Arc<Reuse>>> {
        let known = &record.log.state.reuse;
        if known.get().is_none() {
            let kept = Arc::<KeptBlocks>::default();
            if !record.keep_whole(Kept::Object(Arc::<KeptBlocks>::clone(&kept)), |list| self.retain(list))? {
                return Ok(None);
            }
            // Of two threads that come here the list of one stays empty.
            known.get_or_init(|| Reuse::new(record.number, kept));
        }
        Ok(known.get())
    }

    /// Number of the stream and, for the default stream that each thread has, the thread that asks.
    pub(crate) fn key(&self) -> StreamKey {
        (self.number(), (self.id() == StreamId::PER_THREAD).then(this_thread))
    }

    /// The point that an event stands for which is recorded now on the stream, in a capture that uses memory again.
    pub(crate) fn reached(&self) -> Option<Reached> {
        if !reuse::is_any() {
            return None;
        }
        self.present()?.log.state.reuse.get().map(|reuse| reuse.reached(self.key()))
    }

    /// Checks work on `operands` before it is recorded in a capture that uses memory again.
    ///
    /// # Errors
    /// `INVALID_VALUE` when a buffer was freed, and where the stream is not behind what used the memory of one before.
    pub(crate) fn check_uses(&self, reuse: &Arc<Reuse>, operands: &impl Operands) -> Result<()> {
        let mut refusal: Option<Error> = None;
        operands.all(|operand| {
            let block = operand.capture_block().filter(|block| block.is_in(reuse));
            refusal = block.and_then(|block| block.check_use(self.key()).err());
            refusal.is_none()
        });
        refusal.map_or(Ok(()), Err)
    }

    /// Notes work on `operands` that was recorded in a capture that uses memory again.
    pub(crate) fn note_uses(&self, reuse: &Arc<Reuse>, operands: &impl Operands) {
        operands.all(|operand| {
            if let Some(block) = operand.capture_block().filter(|block| block.is_in(reuse)) {
                block.note_use(self.key());
            }
            true
        });
    }
}

#[cfg(test)]
#[path = "on_stream_tests.rs"]
mod tests;
