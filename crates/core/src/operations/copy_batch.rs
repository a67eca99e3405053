//! Copies that a stream is given together: checked as a whole, then queued as one piece of work, or recorded one after another.

use std::cell::Cell;

use super::copy::Copy;
use super::operands::{Operand, Operands};
use crate::captures::black_box::Operation;
use crate::state::Stream;
use graphcap_base::room;
use graphcap_driver::{BatchCopy, BatchError, MemcpyRows};

/// The result of calls about several copies.
type Result<T> = std::result::Result<T, BatchError>;

/// A copy that is work.
struct Resolved<'a> {
    copy: &'a Copy<'a>,
    rows: MemcpyRows,
    /// Its place among the copies of the call.
    index: usize,
}

impl<'a> Resolved<'a> {
    /// The copy as a device takes it.
    fn work(&self) -> BatchCopy<'a> {
        BatchCopy { rows: self.rows, snapshot: self.copy.snapshot() }
    }
}

impl Operands for Resolved<'_> {
    fn all(&self, is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.copy.operands().all(is_so)
    }
}

impl Stream {
    /// Copies as [`Stream::memcpy`] does, in no order among the copies. Nothing is queued or recorded for a copy of nothing. While the
    /// stream is captured each copy is recorded as a node, one after another.
    ///
    /// # Errors
    /// As [`Stream::memcpy`], with the index of the first copy for which it holds. Nothing is done where arguments or a strict
    /// capture are the reason. Where the device refuses a copy, any of the others may be queued; in a
    /// capture those before it are recorded.
    pub fn memcpy_batch(&self, copies: &[Copy<'_>]) -> Result<()> {
        let batch = self.resolve_copies(copies)?;
        for Resolved { copy, rows, index } in &batch {
            copy.check_host_memory(self, rows).map_err(|error| BatchError::at(*index, error))?;
        }
        match batch.as_slice() {
            [] => Ok(()),
            [one] => self.submit_copy(one),
            several if self.may_record() => several.iter().try_for_each(|one| self.submit_copy(one)),
            several => self.queue_copies(several),
        }
    }

    /// The copies that are work, in their order.
    fn resolve_copies<'a>(&self, copies: &'a [Copy<'a>]) -> Result<Vec<Resolved<'a>>> {
        let mut batch = room::list(copies.len())?;
        for (index, copy) in copies.iter().enumerate() {
            if let Some(rows) = copy.resolve(self.home()).map_err(|error| BatchError::at(index, error))? {
                batch.push(Resolved { copy, rows, index });
            }
        }
        Ok(batch)
    }

    /// False where work of the stream is surely executed, unless a capture begins meanwhile.
    fn may_record(&self) -> bool {
        (self.is_shared() || self.may_be_captured()) && !matches!(self.recorded_in(), Ok(None))
    }

    /// Queues or records one copy, as [`Stream::memcpy`] does.
    fn submit_copy(&self, one: &Resolved<'_>) -> Result<()> {
        let submitted = self.submit_work(Operation::MemcpyBatch, &one.copy.operands(), &one.work().work());
        submitted.map_err(|error| BatchError::at(one.index, error))
    }

    /// Queues all copies by one call of the device's, which records them where a capture has begun meanwhile.
    fn queue_copies(&self, batch: &[Resolved<'_>]) -> Result<()> {
        let mut copies = room::list(batch.len())?;
        copies.extend(batch.iter().map(Resolved::work));
        let failed = Cell::new(None);
        let queued = self.submit(Operation::MemcpyBatch, &batch, |driver, stream| {
            driver.submit_copies(stream, &copies).map_err(|BatchError { index, error }| {
                failed.set(index);
                error
            })
        });
        let index_of = |at: usize| batch.get(at).map(|one| one.index);
        queued.map_err(|error| BatchError { index: failed.get().and_then(index_of), error })
    }
}

#[cfg(test)]
#[path = "copy_batch_tests.rs"]
mod tests;
