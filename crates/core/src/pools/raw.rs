//! Memory of pools for the allocators of others, who know blocks by their addresses and streams by the driver's handles: PyTorch's
//! pluggable allocator, RMM's callbacks.
//!
//! The pool keeps what a graph may use that does not keep it, so that none replays into memory that is gone. A stream uses again what
//! was freed on it: in the capture that allocated it, or what was allocated and freed while none was met.

use std::sync::{Arc, Weak};

use super::allocating::checked_size;
use super::pool::{Pool, PoolInner, PoolUse};
use super::raw_blocks::{self, RawBlock, RawStream, Segment, SegmentOwner};
use crate::captures::black_box;
use crate::objects::event::Event;
use crate::state::{Context, Record, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::rules::reuse::Policy;
use graphcap_driver::{check_caller, Address, CaptureStatus, EventOptions};

/// Bit in the number of a capture that graphcap has not met: the rest is the driver's number.
const UNMET: u64 = 1 << 63;

impl Pool {
    /// The pool for an allocation of others on a stream of theirs: that of the capture that the stream is in, if it was begun with
    /// one, else the one that is bound to the device.
    ///
    /// # Errors
    /// `NOT_FOUND` where there is neither; `NOT_PERMITTED` on a thread that runs work.
    ///
    /// # Safety
    /// `stream` is a live stream of the driver's, or one of its default streams.
    #[allow(unsafe_code)]
    pub unsafe fn of_stream(device: u32, stream: usize) -> Result<Pool> {
        Pool::of_native(device, stream)
    }

    fn of_native(device: u32, stream: usize) -> Result<Pool> {
        check_caller()?;
        let bound = Pool::bound(device);
        let of_captures = || {
            let used = black_box::open_records().into_iter().filter_map(|record| record.whole::<PoolUse>());
            used.map(|used| Pool(Arc::clone(&used.pool))).find(|pool| pool.context().device().ordinal == device)
        };
        // Whoever asks: captures have the same numbers in all contexts of a device.
        let Some(asks) = bound.clone().or_else(of_captures) else { return Err(no_pool(device)) };
        let number = number_of(asks.context(), stream)?;
        let record = if number == 0 { None } else { black_box::find(asks.context(), number) };
        let begun_with = record.and_then(|record| record.whole::<PoolUse>()).map(|used| Pool(Arc::clone(&used.pool)));
        begun_with.or(bound).ok_or_else(|| no_pool(device))
    }

    /// Allocates `bytes` bytes, as [`Pool::allocate`] does, for work on a stream of the driver's. What was freed on the stream is used
    /// again: by the capture that allocated it, or outside of captures, unless the policy of the pool is never to do so. What a capture
    /// with the pool allocated goes back to the pool when it was freed and the graph is gone. Memory that was allocated and freed
    /// outside of captures goes back by [`Pool::trim`], and where the pool has no other. All else stays allocated until the pool goes.
    ///
    /// # Errors
    /// As [`Pool::allocate`].
    ///
    /// # Safety
    /// As [`Pool::of_stream`].
    #[allow(unsafe_code)]
    pub unsafe fn allocate_raw(&self, bytes: usize, stream: usize) -> Result<Address> {
        self.allocate_on_native(bytes, stream)
    }

    fn allocate_on_native(&self, bytes: usize, stream: usize) -> Result<Address> {
        check_caller()?;
        // Also where a block is used again: a sealed pool allocates nothing.
        drop(self.0.unsealed("allocated from")?);
        let size = checked_size(bytes)?;
        let (number, record) = self.capture_of(stream)?;
        let place = (stream, number);
        let owner: Weak<PoolInner> = Arc::downgrade(&self.0);
        if let Some((address, behind)) = self.take_freed(size, place) {
            raw_blocks::own(address, owner);
            if let Err(error) = follow(self.context(), stream, &behind) {
                // It stays with the pool, and is not used again.
                self.let_go(address, place, |_| None);
                return Err(error);
            }
            if !behind.is_empty() {
                lock(&self.0.raw).waits_for(place, &behind);
            }
            return Ok(address);
        }
        let segment = self.segment(bytes, size, place, record)?;
        let address = lock(&self.0.raw).enter(segment, size);
        raw_blocks::own(address, owner);
        Ok(address)
    }

    fn take_freed(&self, size: usize, place: RawStream) -> Option<(Address, Vec<Event>)> {
        match self.0.policy {
            Policy::Never => None,
            Policy::Ordered | Policy::SameStream => lock(&self.0.raw).take_freed(size, place),
        }
    }

    /// Takes memory for a block at `place`, which is in the capture of `record`, if in any that graphcap has met.
    fn segment(&self, bytes: usize, size: usize, place: RawStream, record: Option<Arc<Record>>) -> Result<Segment> {
        self.give_back_raw(false);
        if let Some(record) = record {
            let begun_with = record.whole::<PoolUse>().filter(|used| Arc::ptr_eq(&used.pool, &self.0));
            if let Some(used) = begun_with {
                let extent = self.take_for(&record, bytes, &used.blocks)?;
                let (address, is_apart) = (extent.position(0), extent.is_apart());
                return Ok(Segment::new(
                    SegmentOwner::OfCapture(extent, Arc::clone(&record.log)),
                    address,
                    place,
                    is_apart,
                ));
            }
        }
        // What lies apart ends where the program is told that it ends.
        let is_apart = self.0.is_apart()?;
        let buffer = self.allocate(if is_apart { bytes } else { size })?;
        let address = buffer.address();
        Ok(Segment::new(SegmentOwner::Buffer(buffer), address, place, is_apart))
    }

    /// Notes that work on another stream of the driver's uses a block too, which is at `address`.
    ///
    /// # Errors
    /// `NOT_FOUND` where no block that is allocated starts there; `NOT_PERMITTED` on a thread that runs work.
    pub fn note_raw_use(address: Address, stream: usize) -> Result<()> {
        check_caller()?;
        let pool = owner(address)?;
        let is_there = lock(&pool.0.raw).note_user(address, stream);
        if is_there {
            Ok(())
        } else {
            Err(unknown(address))
        }
    }

    /// Frees the block at `address` behind the work of a stream of the driver's, and behind that of the streams that
    /// [`Pool::note_raw_use`] named.
    ///
    /// # Errors
    /// `NOT_FOUND` where no block that is allocated starts there; `NOT_PERMITTED` on a thread that runs work, and the block stays
    /// allocated.
    ///
    /// # Safety
    /// As [`Pool::of_stream`], of each stream that was named too.
    #[allow(unsafe_code)]
    pub unsafe fn free_raw(address: Address, stream: usize) -> Result<()> {
        Pool::free_on_native(address, stream)
    }

    fn free_on_native(address: Address, stream: usize) -> Result<()> {
        check_caller()?;
        let pool = owner(address)?;
        // Where it is not known what the stream is in, the block is not used again.
        let capture = pool.capture_of(stream).ok().map(|(number, _)| number);
        let place = (stream, capture.unwrap_or(0));
        let behind = |freed: &RawBlock| capture.and_then(|_| pool.behind(freed.home, place, &freed.users));
        match pool.let_go(address, place, behind) {
            true => Ok(()),
            false => Err(unknown(address)),
        }
    }

    /// Frees the block at `address`; `behind` tells behind which events it may be used again at `place`, if it may be.
    /// False where none is allocated there.
    fn let_go(&self, address: Address, place: RawStream, behind: impl FnOnce(&RawBlock) -> Option<Vec<Event>>) -> bool {
        let left = lock(&self.0.raw).leave(address);
        let Some(freed) = left else { return false };
        raw_blocks::disown(address);
        let mut behind = behind(&freed);
        // What may go back to the pool, outside of captures. Where a device has no streams of others, none of their work uses it.
        if behind.is_some() && place.1 == 0 && self.context().driver_even_if_stale().shares_streams() {
            let noted = lock(&self.0.raw).unnoted_users(&freed, place.0);
            for (buffer, stream) in noted {
                match Stream::adopt(self.context(), stream) {
                    Ok(stream) => buffer.note_use(stream.id()),
                    // It stays with the pool, as nobody can tell when that stream is done with it.
                    Err(_) => behind = None,
                }
            }
        }
        let left = lock(&self.0.raw).give_back(&freed, place, &mut behind);
        // Dropped after the lock.
        drop((left, behind));
        true
    }

    /// Gives back to the pool what others freed of it and that no graph may use which does not keep it: all, or what captures had that
    /// are over. Whether there was any.
    pub(super) fn give_back_raw(&self, all: bool) -> bool {
        let (free, events) = lock(&self.0.raw).take_free(all);
        let is_any = !free.is_empty();
        // Dropped after the lock.
        drop((free, events));
        is_any
    }

    /// Events behind which a block may be used again at `place`, where it is freed; `None` where it may not be.
    fn behind(&self, home: RawStream, place: RawStream, users: &[usize]) -> Option<Vec<Event>> {
        let is_captured = place.1 != 0;
        if home.1 != place.1 || (is_captured && (home != place || !users.is_empty())) {
            return None;
        }
        let others = users.iter().chain([&home.0]).filter(|&&user| user != place.0);
        others.map(|&user| self.event_behind(user).ok().flatten()).collect()
    }

    /// An event behind the work of a stream of the driver's; `None` where that is captured.
    fn event_behind(&self, stream: usize) -> Result<Option<Event>> {
        if self.capture_of(stream)?.0 != 0 {
            return Ok(None);
        }
        let event = Event::create(self.context(), EventOptions { disable_timing: true, ..EventOptions::default() })?;
        event.record(&Stream::adopt(self.context(), stream)?)?;
        Ok(Some(event))
    }

    /// The number of the capture that a stream of the driver's is in, 0 for none; and its record, where graphcap has met it.
    fn capture_of(&self, stream: usize) -> Result<(u64, Option<Arc<Record>>)> {
        let number = number_of(self.context(), stream)?;
        if number == 0 {
            return Ok((0, None));
        }
        let record = black_box::find(self.context(), number);
        Ok((record.as_ref().map_or(number | UNMET, |record| record.number), record))
    }
}

/// The driver's number of the capture that a stream of its is in; 0 for none.
fn number_of(context: &Context, stream: usize) -> Result<u64> {
    let info = context.driver()?.native_capture(stream)?;
    Ok(if info.status == CaptureStatus::None { 0 } else { info.id })
}

/// Makes the next work of a stream of the driver's wait for events.
fn follow(context: &Context, stream: usize, events: &[Event]) -> Result<()> {
    if events.is_empty() {
        return Ok(());
    }
    let stream = Stream::adopt(context, stream)?;
    events.iter().try_for_each(|event| stream.wait_event(event))
}

fn owner(address: Address) -> Result<Pool> {
    let owner = raw_blocks::owner(address).and_then(|owner| owner.downcast::<PoolInner>().ok());
    owner.map(Pool).ok_or_else(|| unknown(address))
}

#[cold]
fn unknown(address: Address) -> Error {
    Error::new(
        Status::NOT_FOUND,
        format!(
            "no block of a pool that is allocated starts at {address:#x}; give what the allocation returned, once, while its pool lives"
        ),
    )
}

#[cold]
fn no_pool(device: u32) -> Error {
    Error::new(
        Status::NOT_FOUND,
        format!(
            "no pool is bound to device {device}, and the stream is in no capture that was begun with a pool; bind one by \
             gc_pool_bind(), or capture by gc_stream_begin_capture_with_pool()"
        ),
    )
}

#[cfg(test)]
#[path = "raw_tests.rs"]
mod tests;
