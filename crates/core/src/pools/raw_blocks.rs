//! The blocks that others have of one pool, and where what they freed may be used again.
//!
//! The pool's memory comes in *segments*, each for blocks of one stream in one capture, or of one stream outside of captures. They are
//! divided, and what is freed side by side is one piece.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};

use super::reuse::Extent;
use crate::objects::buffer::Buffer;
use crate::objects::event::Event;
use crate::state::CaptureLog;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::rules::free_list::{BlockStart, FreeList};
use graphcap_driver::{Address, StreamId};

/// A stream as the driver calls it, and the capture that it is in, by a number that no other one has; 0 for none.
pub(super) type RawStream = (usize, u64);

/// The blocks of one pool.
#[derive(Default)]
pub(super) struct RawBlocks {
    /// Allocated blocks by the addresses where they start.
    blocks: HashMap<Address, RawBlock>,
    /// Segments by their numbers.
    segments: BTreeMap<usize, Segment>,
    /// The number of the next one.
    next: usize,
    /// Memory that was freed and may be used again, by where.
    free: HashMap<RawStream, FreeBlocks>,
    /// The capture that was met last, and how many were met.
    latest: u64,
    met: u64,
}

/// A block that is allocated, or that was freed.
pub(super) struct RawBlock {
    segment: usize,
    offset: usize,
    size: usize,
    /// The stream that it was allocated for.
    pub(super) home: RawStream,
    /// Number of captures that had been met then.
    met: u64,
    /// Other streams that use it.
    pub(super) users: Vec<usize>,
}

/// Memory that the pool gave in one piece.
pub(super) struct Segment {
    memory: SegmentOwner,
    address: Address,
    home: RawStream,
    /// Number of blocks of it that are allocated.
    live: usize,
    /// Set when something of it was freed that a graph may use which does not keep it.
    is_lost: bool,
    /// The streams whose work it is known to be used by.
    noted: Vec<usize>,
    /// Set when it is one block, and used again by nobody.
    is_apart: bool,
}

/// Owner of the memory of a segment.
pub(super) enum SegmentOwner {
    Buffer(Buffer),
    /// The graph of the capture that goes by the log keeps it, too.
    OfCapture(#[allow(dead_code, reason = "held to be dropped")] Extent, Arc<CaptureLog>),
}

/// Memory that was freed at one place.
#[derive(Default)]
struct FreeBlocks {
    /// Free memory of segments by their numbers. The stream may use it, and does so in the order of the calls.
    list: FreeList,
    /// Blocks that are free behind events, and their sizes.
    behind: Vec<(BlockStart, usize, Vec<Event>)>,
}

impl FreeBlocks {
    /// Takes a block of `size` bytes that is free behind the work of other streams. What is left of it stays behind the same events:
    /// others may take that before the stream waits for them, or it may never do so.
    fn take_behind(&mut self, size: usize) -> Option<(BlockStart, Vec<Event>)> {
        let which = self.behind.iter().position(|&(_, free, _)| free >= size)?;
        let (at, free, events) = &mut self.behind[which];
        let taken = *at;
        if *free > size {
            at.1 += size;
            *free -= size;
            return Some((taken, events.clone()));
        }
        Some((taken, self.behind.swap_remove(which).2))
    }

    /// The stream waits for these events: what is free behind no other ones is free.
    fn waits_for(&mut self, events: &[Event]) {
        let is_met = |event: &Event| events.iter().any(|met| met.number() == event.number());
        for (at, size, _) in self.behind.extract_if(.., |(.., behind)| behind.iter().all(is_met)) {
            self.list.add(at, size);
        }
    }

    /// A segment is not there any more. Gives the events that are not needed any more.
    fn forget(&mut self, segment: usize) -> Vec<Event> {
        self.list.remove_owner(segment);
        self.behind.extract_if(.., |(at, ..)| at.0 == segment).flat_map(|(.., events)| events).collect()
    }
}

type Owner = dyn Any + Send + Sync;

/// The pools whose blocks lie at the addresses.
static BLOCK_OWNERS: Mutex<BTreeMap<Address, Weak<Owner>>, rank::RawOwners> = Mutex::new(BTreeMap::new());

/// The pool that has a block at `address`.
pub(super) fn owner(address: Address) -> Option<Arc<Owner>> {
    lock(&BLOCK_OWNERS).get(&address).and_then(Weak::upgrade)
}

/// Notes that the pool `owner` has a block at `address` from here on, until it goes.
pub(super) fn own(address: Address, owner: Weak<Owner>) {
    lock(&BLOCK_OWNERS).insert(address, owner);
}

impl Segment {
    /// Memory from `address` on, for blocks at `home`.
    pub(super) fn new(memory: SegmentOwner, address: Address, home: RawStream, is_apart: bool) -> Segment {
        Segment { memory, address, home, live: 0, is_lost: false, noted: Vec::new(), is_apart }
    }

    /// Tells whether it can go back to the pool: nobody has a block of it, and a graph that may use it keeps it.
    fn is_free(&self) -> bool {
        let is_over = match &self.memory {
            SegmentOwner::Buffer(_) => self.home.1 == 0,
            SegmentOwner::OfCapture(_, log) => !log.is_open(),
        };
        self.live == 0 && !self.is_lost && is_over
    }
}

impl RawBlocks {
    /// Tells whether others have memory of the pool, or had some that is kept for them.
    pub(super) fn has_any(&self) -> bool {
        !self.segments.is_empty()
    }

    /// Enters a segment, of which the first `size` bytes are allocated. Gives where they start.
    pub(super) fn enter(&mut self, segment: Segment, size: usize) -> Address {
        let (number, home) = (self.next, segment.home);
        self.next += 1;
        self.segments.insert(number, segment);
        self.allocated((number, 0), size, home).unwrap_or_default()
    }

    /// A block of a segment is allocated at `home`. Gives where it starts.
    fn allocated(&mut self, (number, offset): (usize, usize), size: usize, home: RawStream) -> Option<Address> {
        let met = self.meet(home.1);
        let segment = self.segments.get_mut(&number)?;
        segment.live += 1;
        let address = segment.address + offset as u64;
        self.blocks.insert(address, RawBlock { segment: number, offset, size, home, met, users: Vec::new() });
        Some(address)
    }

    /// Takes a block of `size` bytes that was freed at `place`. Gives what is to precede its next use.
    pub(super) fn take_freed(&mut self, size: usize, place: RawStream) -> Option<(Address, Vec<Event>)> {
        let free = self.free.get_mut(&place)?;
        let at = free.list.take(size).map(|at| (at, Vec::new()));
        let (at, events) = at.or_else(|| free.take_behind(size))?;
        Some((self.allocated(at, size, place)?, events))
    }

    /// The next work of the stream at `place` waits for these events. The caller has them still, so that none goes here.
    pub(super) fn waits_for(&mut self, place: RawStream, events: &[Event]) {
        if let Some(free) = self.free.get_mut(&place) {
            free.waits_for(events);
        }
    }

    /// Notes that a stream uses the block at `address` too. False where no block is allocated there.
    pub(super) fn note_user(&mut self, address: Address, stream: usize) -> bool {
        let Some(block) = self.blocks.get_mut(&address) else { return false };
        if block.home.0 != stream && !block.users.contains(&stream) {
            block.users.push(stream);
        }
        true
    }

    /// Takes the block at `address` from who has it. `None` where none is allocated there.
    pub(super) fn leave(&mut self, address: Address) -> Option<RawBlock> {
        self.blocks.remove(&address)
    }

    /// The streams that used a block and by which its segment is not known to be used, each with the buffer of that.
    pub(super) fn unnoted_users(&mut self, freed: &RawBlock, stream: usize) -> Vec<(Buffer, usize)> {
        let mut used_by = Vec::new();
        if let Some(Segment { memory: SegmentOwner::Buffer(buffer), noted, .. }) = self.segments.get_mut(&freed.segment)
        {
            for &user in freed.users.iter().chain([&freed.home.0, &stream]) {
                if !noted.contains(&user) {
                    noted.push(user);
                    used_by.push((buffer.clone(), user));
                }
            }
        }
        used_by
    }

    /// A block that was left may be used again at `place`, behind those events; `None` where it may not be. Takes the events where
    /// they are needed, and leaves them to the caller elsewhere: they are dropped where no lock is held, as is what it gives, which
    /// goes back to the pool.
    pub(super) fn give_back(
        &mut self,
        freed: &RawBlock,
        place: RawStream,
        behind: &mut Option<Vec<Event>>,
    ) -> Option<Segment> {
        // Outside of captures not where one was met since: its graph may use the block.
        let is_met = self.meet(place.1) != freed.met && place.1 == 0;
        let segment = self.segments.get_mut(&freed.segment)?;
        segment.live -= 1;
        let is_kept = matches!(segment.memory, SegmentOwner::OfCapture(..));
        let is_lost = is_met || behind.is_none();
        segment.is_lost |= is_lost && !is_kept;
        if segment.is_apart {
            let goes = !segment.is_lost && (is_kept || segment.home.1 == 0);
            return if goes { self.segments.remove(&freed.segment) } else { None };
        }
        if let Some(behind) = behind.take_if(|_| !is_lost) {
            let (free, at) = (self.free.entry(place).or_default(), (freed.segment, freed.offset));
            match behind.is_empty() {
                true => free.list.add(at, freed.size),
                false => free.behind.push((at, freed.size, behind)),
            }
        }
        None
    }

    /// Takes the segments that can go back to the pool, `all` or those of captures that are over, and the events that blocks of them
    /// were free behind: to be dropped where no lock is held.
    pub(super) fn take_free(&mut self, all: bool) -> (Vec<Segment>, Vec<Event>) {
        let is_of_capture = |segment: &Segment| matches!(segment.memory, SegmentOwner::OfCapture(..));
        let goes = |segment: &Segment| segment.is_free() && (all || is_of_capture(segment));
        let free: Vec<usize> = self.segments.iter().filter(|(_, segment)| goes(segment)).map(|(&at, _)| at).collect();
        let (mut taken, mut events) = (Vec::with_capacity(free.len()), Vec::new());
        for number in free {
            self.free.values_mut().for_each(|free| events.append(&mut free.forget(number)));
            taken.extend(self.segments.remove(&number));
        }
        self.free.retain(|_, free| !free.list.is_empty() || !free.behind.is_empty());
        (taken, events)
    }

    /// Notes a call in that capture; 0 for none. Gives how many captures were met so far.
    fn meet(&mut self, capture: u64) -> u64 {
        if capture != 0 && self.latest != capture {
            self.latest = capture;
            self.met += 1;
        }
        self.met
    }

    /// Makes the memory go behind the work of these streams.
    pub(super) fn note_users(&self, users: &[StreamId]) {
        for segment in self.segments.values() {
            if let SegmentOwner::Buffer(buffer) = &segment.memory {
                users.iter().for_each(|&user| buffer.note_use(user));
            }
        }
    }
}

/// Notes that no pool has a block at `address` any more.
pub(super) fn disown(address: Address) {
    lock(&BLOCK_OWNERS).remove(&address);
}

impl Drop for RawBlocks {
    fn drop(&mut self) {
        let mut owners = lock(&BLOCK_OWNERS);
        for address in self.blocks.keys() {
            // The addresses can be another pool's by now.
            if owners.get(address).is_some_and(|owner| owner.strong_count() == 0) {
                owners.remove(address);
            }
        }
    }
}
