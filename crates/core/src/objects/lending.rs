//! Buffers that work of other contexts uses, as copies between contexts do: the memory goes back only when that work has
//! run, too.
//!
//! A driver knows the streams of its own context alone. So a buffer that is lent has a *loan* in each borrowing context:
//! a name that is released there as memory of its own would be, and keeps the lender's memory until then.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use crate::state::{Context, Loan, WeakContext};
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{Address, Driver, MemoryId, StreamId, UsedBy, Users};

/// The memory of a buffer that was lent. The buffer and each loan hold it; the last of them gives it back.
struct Lent {
    /// Of the lending context, which this does not keep: contexts that lend to each other would keep each other.
    driver: Arc<dyn Driver>,
    memory: MemoryId,
    /// Users of it in its own context; known when the buffer has gone.
    used_by: Mutex<Users, rank::LentUsers>,
}

impl Drop for Lent {
    fn drop(&mut self) {
        let used_by = self.used_by.get_mut();
        self.driver.release(self.memory, used_by);
    }
}

/// Loans that a buffer knows of which was lent.
pub(crate) struct Lending {
    lent: Arc<Lent>,
    loans: Mutex<Vec<(WeakContext, Arc<Loan>)>, rank::Lending>,
}

impl Lending {
    /// Of `memory` of `context`, which it gives back from here on.
    pub(crate) fn new(context: &Context, memory: MemoryId) -> Lending {
        let lent = Lent { driver: context.shared_driver(), memory, used_by: Mutex::default() };
        Lending { lent: Arc::new(lent), loans: Mutex::default() }
    }

    /// The loan of `borrower`, which is another context: one for all its uses. The buffer is the `bytes` bytes at `address`.
    pub(crate) fn lend(
        &self,
        borrower: &Context,
        address: Address,
        bytes: usize,
        buffer: impl FnOnce() -> Weak<dyn Any + Send + Sync>,
    ) -> Result<Arc<Loan>> {
        let mut loans = lock(&self.loans);
        if let Some((_, loan)) = loans.iter().find(|(context, _)| context.is(borrower)) {
            return Ok(Arc::clone(loan));
        }
        self.lent.driver.lend(borrower.device().ordinal)?;
        let lent = Arc::clone(&self.lent);
        let loan = borrower.borrow(address, bytes, buffer(), Box::new(move || drop(lent)))?;
        // Those of contexts that are gone have ended with them.
        loans.retain(|(context, _)| !context.is_gone());
        loans.push((borrower.downgrade(), Arc::clone(&loan)));
        Ok(loan)
    }

    /// The buffer has gone, which `used_by` used in its own context.
    pub(crate) fn end(self, used_by: Users) {
        *lock(&self.lent.used_by) = used_by;
        let loans = std::mem::take(&mut *lock(&self.loans));
        for (context, loan) in loans {
            // A context that is just going ends its loans itself.
            if let Some(context) = context.upgrade() {
                context.end_loan(&loan);
            }
        }
    }
}

impl Loan {
    pub(crate) fn new(memory: MemoryId, address: Address, borrower: WeakContext) -> Loan {
        Loan { memory, address, borrower, used_by: UsedBy::default(), has_ended: AtomicBool::new(false) }
    }

    /// Remembers that `stream` of the borrowing context executes work on the buffer.
    pub(crate) fn note_use(&self, stream: StreamId) {
        let is_over = |stream| {
            self.borrower.upgrade().is_some_and(|context| context.driver_even_if_stale().stream_is_over(stream))
        };
        self.used_by.note(stream, is_over);
    }

    /// Lets go of the lender's memory when the work of the borrowing context, whose driver that is, has completed.
    pub(crate) fn end(&self, borrower: &dyn Driver) {
        if !self.has_ended.swap(true, Ordering::AcqRel) {
            borrower.release(self.memory, &self.used_by.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::{Buffer, Graph, Stream};
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{DeviceChoice, DeviceKind, StreamOptions};

    #[test]
    fn a_lent_buffer_waits_for_the_streams_of_both_contexts() {
        let ((driver, context), (other_driver, other)) = (Faulty::context(), Faulty::context());
        let streams: Vec<_> = (0..3).map(|_| Stream::create(&context, StreamOptions::default()).unwrap()).collect();
        let (own, lent) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&other, 64).unwrap());
        let (own_at, lent_at) = (own.address(), lent.address());
        other.legacy_stream().memset(&lent, 0, 0, 1, 8).unwrap();
        for stream in [&streams[2], &streams[0], &streams[2]] {
            stream.memcpy_peer(&own, 0, &lent, 0, 64).unwrap();
        }
        let users = vec![streams[0].id(), streams[2].id()];
        drop((streams, context));
        // The borrower's release comes before the lender's, which has to wait for it.
        let seen = Arc::new(Mutex::<_, rank::Told>::new(None));
        let (note, lender) = (Arc::clone(&seen), Arc::clone(&other_driver));
        driver.at("release", move || *lock(&note) = Some(lender.is_allocated(lent_at)));
        drop(lent);
        assert_eq!(*lock(&seen), Some(true));
        assert_eq!(other_driver.released(), [(lent_at, vec![StreamId::LEGACY])]);
        drop(own);
        let released = driver.released();
        assert_eq!(released.iter().map(|(_, users)| users.clone()).collect::<Vec<_>>(), [users.clone(), users]);
        assert_eq!(released[1].0, own_at);
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
        assert_eq!(Arc::strong_count(&driver), 1, "the borrowing context is gone");
        drop(other);
        assert_eq!(Arc::strong_count(&other_driver), 1, "the lending context is gone");
    }

    #[test]
    fn a_borrowing_context_that_goes_first_ends_its_loans() {
        let ((driver, context), (other_driver, other)) = (Faulty::context(), Faulty::context());
        let lent = Buffer::allocate(&other, 64).unwrap();
        for _ in 0..3 {
            context.legacy_stream().memcpy_peer(&lent, 0, &lent, 32, 32).unwrap();
        }
        drop(context);
        assert_eq!(driver.released().len(), 1, "one loan for all uses");
        assert_eq!(driver.released()[0].1, [StreamId::LEGACY]);
        assert_eq!((driver.live(), Arc::strong_count(&driver)), (0, 1));
        assert!(other_driver.released().is_empty());
        // Another one takes its place.
        let (driver, context) = Faulty::context();
        context.memcpy_peer(&lent, 0, &lent, 32, 32).unwrap();
        drop((lent, other));
        assert_eq!((driver.released().len(), other_driver.released().len()), (1, 1));
        assert_eq!((other_driver.live(), Arc::strong_count(&other_driver)), (0, 1));
    }

    #[test]
    fn a_graph_keeps_buffers_of_other_contexts() {
        let ((driver, context), (other_driver, other)) = (Faulty::context(), Faulty::context());
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let (own, lent) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&other, 64).unwrap());
        let lent_at = lent.address();
        stream.begin_capture(CaptureMode::Global).unwrap();
        stream.memcpy_peer(&lent, 0, &own, 0, 64).unwrap();
        let exec = stream.end_capture().unwrap().instantiate().unwrap();
        drop((own, lent, other));
        exec.launch(&stream).unwrap();
        assert!(other_driver.is_allocated(lent_at));
        drop(exec);
        assert!(!other_driver.is_allocated(lent_at));
        let users: Vec<_> = driver.released().into_iter().map(|(_, users)| users).collect();
        assert_eq!(users, [[stream.id()], [stream.id()]], "both wait for the replay");
        assert_eq!((driver.violations(), other_driver.violations()), (vec![], vec![]));
        assert_eq!(Arc::strong_count(&other_driver), 1);
    }

    #[test]
    fn a_broken_capture_into_a_graph_ends_loans_where_no_lock_is_held() {
        let [context, other] = [(); 2].map(|()| Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap());
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let (own, lent) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&other, 64).unwrap());
        let graph = Graph::create(&context).unwrap();
        stream.begin_capture_to_graph(&graph, &[], CaptureMode::Relaxed).unwrap();
        stream.memcpy_peer(&own, 0, &lent, 0, 64).unwrap();
        // The graph alone keeps it.
        drop(lent);
        assert_eq!(stream.synchronize().unwrap_err().status, Status::CAPTURE_UNSUPPORTED);
        // A debug build panics where a lock is taken out of order.
        assert_eq!(stream.end_capture().unwrap_err().status, Status::CAPTURE_INVALIDATED);
    }

    #[test]
    fn copies_both_ways_keep_no_context_alive() {
        let ((driver, context), (other_driver, other)) = (Faulty::context(), Faulty::context());
        let (one, two) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&other, 64).unwrap());
        context.legacy_stream().memcpy_peer(&one, 0, &two, 0, 64).unwrap();
        other.legacy_stream().memcpy_peer(&one, 0, &two, 0, 64).unwrap();
        drop((context, other));
        drop((one, two));
        assert_eq!((driver.live(), other_driver.live()), (0, 0));
        assert_eq!((Arc::strong_count(&driver), Arc::strong_count(&other_driver)), (1, 1));
    }

    #[test]
    fn what_cannot_be_copied_is_not_lent() {
        let ((driver, context), (_, other)) = (Faulty::context(), Faulty::context());
        let stream = context.legacy_stream();
        let (own, lent) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&other, 64).unwrap());
        let calls = driver.calls();
        for (result, part) in [
            (stream.memcpy_peer(&own, 1, &lent, 0, 64), "destination"),
            (stream.memcpy_peer(&own, 0, &lent, 65, 1), "source"),
            (stream.memcpy_peer(&lent, 0, &lent, 1, 2), "overlaps"),
            (stream.memcpy_peer(&own, 0, &own, 1, 2), "overlaps"),
        ] {
            let error = result.unwrap_err();
            assert_eq!(error.status, Status::INVALID_VALUE);
            assert!(error.message.contains(part), "{part}: {error}");
        }
        stream.memcpy_peer(&own, 65, &lent, 65, 0).unwrap();
        assert_eq!(driver.calls(), calls, "the device is not asked");
        driver.fail("borrow", Status::OUT_OF_MEMORY);
        assert_eq!(stream.memcpy_peer(&own, 0, &lent, 0, 64).unwrap_err().status, Status::OUT_OF_MEMORY);
        stream.memcpy_peer(&own, 0, &lent, 0, 64).unwrap();
        // Within one context there is nothing to lend.
        let before = driver.calls();
        stream.memcpy_peer(&own, 0, &own, 32, 32).unwrap();
        assert_eq!(driver.calls(), before + 1);
    }
}
