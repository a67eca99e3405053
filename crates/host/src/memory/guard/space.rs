//! Address space of guarded blocks, each part of which is used once, and the records of the blocks. A handler of a signal reads the
//! records: without locks, in the order of their addresses, and they stay for good.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicU8, AtomicUsize, Ordering};

use super::pages;
use graphcap_driver::guarded::GuardedByte;
use graphcap_driver::Address;

/// Bytes that are reserved at a time, where the system lets us.
const RESERVED: u64 = 1 << 40;
/// Bytes that nobody may touch on either side of a block: more than a page, so that a stride too far is told, too.
const BETWEEN: u64 = 64 << 10;
/// Records lie in chunks of so many.
const CHUNK: usize = 1 << 16;
/// Bytes of a name that are kept.
const NAME_BYTES: usize = 94;

/// Facts about a block.
#[derive(Default)]
#[repr(C)]
pub(super) struct Record {
    start: AtomicU64,
    bytes: AtomicU64,
    first_page: AtomicU64,
    end_of_pages: AtomicU64,
    state: AtomicU8,
    name_length: AtomicU8,
    name: Name,
}

#[repr(transparent)]
struct Name([AtomicU8; NAME_BYTES]);

impl Default for Name {
    fn default() -> Name {
        Name([const { AtomicU8::new(0) }; NAME_BYTES])
    }
}

/// Threads that may touch a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockState {
    Live,
    /// Nodes allocate and free it, and it is not allocated now.
    Closed,
    Freed,
}

/// Address space that was reserved at once.
struct Reservation {
    start: AtomicU64,
    end: AtomicU64,
    /// The numbers of its blocks.
    first: AtomicUsize,
    last: AtomicUsize,
}

/// The address space of all guarded blocks.
struct GuardedSpace {
    reservations: [Reservation; 64],
    /// Number of reservations so far.
    reserved_so_far: AtomicUsize,
    /// The chunks of records.
    chunks: [AtomicPtr<Record>; 4096],
    /// Address of the next block of the latest reservation.
    next: AtomicU64,
    /// Number of blocks so far.
    block_count: AtomicUsize,
}

static SPACE: GuardedSpace = GuardedSpace {
    reservations: [const {
        Reservation {
            start: AtomicU64::new(0),
            end: AtomicU64::new(0),
            first: AtomicUsize::new(0),
            last: AtomicUsize::new(0),
        }
    }; 64],
    reserved_so_far: AtomicUsize::new(0),
    chunks: [const { AtomicPtr::new(std::ptr::null_mut()) }; 4096],
    next: AtomicU64::new(0),
    block_count: AtomicUsize::new(0),
};

/// A record that was made.
pub(super) fn record(number: usize) -> &'static Record {
    let chunk = SPACE.chunks[number / CHUNK].load(Ordering::Acquire);
    // SAFETY: the chunk has `CHUNK` records, all of atomics for which 0 is a value, and stays as long as the process. It was
    // entered before any number in it was given out.
    unsafe { &*chunk.add(number % CHUNK) }
}

/// Takes address space for a block, whose pages may be touched; its number. Only one thread at a time may call this.
pub(super) fn allocate(bytes: usize, alignment: usize) -> Option<usize> {
    let taken = (bytes as u64).checked_next_multiple_of(alignment as u64)?;
    let in_pages = taken.checked_next_multiple_of(pages::size())?;
    let needed = in_pages.checked_add(BETWEEN)?;
    let number = SPACE.block_count.load(Ordering::Relaxed);
    let chunk = SPACE.chunks.get(number / CHUNK)?;
    if chunk.load(Ordering::Relaxed).is_null() {
        chunk.store(pages::map_for_good(CHUNK * size_of::<Record>())?.cast(), Ordering::Release);
    }
    let reservation = room_for(needed, number)?;
    let first_page = SPACE.next.load(Ordering::Relaxed);
    let end_of_pages = first_page + in_pages;
    if !pages::allow(first_page..end_of_pages) {
        return None;
    }
    SPACE.next.store(end_of_pages + BETWEEN, Ordering::Relaxed);
    let record = record(number);
    record.start.store(end_of_pages - taken, Ordering::Relaxed);
    record.bytes.store(bytes as u64, Ordering::Relaxed);
    record.first_page.store(first_page, Ordering::Relaxed);
    record.end_of_pages.store(end_of_pages, Ordering::Relaxed);
    record.set_state(BlockState::Live);
    SPACE.block_count.store(number + 1, Ordering::Relaxed);
    reservation.last.store(number + 1, Ordering::Release);
    Some(number)
}

/// The reservation in which the next block, with the number `number`, gets so many bytes.
fn room_for(needed: u64, number: usize) -> Option<&'static Reservation> {
    let so_far = SPACE.reserved_so_far.load(Ordering::Relaxed);
    if let Some(latest) = so_far.checked_sub(1).and_then(|latest| SPACE.reservations.get(latest)) {
        if latest.end.load(Ordering::Relaxed) - SPACE.next.load(Ordering::Relaxed) >= needed {
            return Some(latest);
        }
    }
    let reservation = SPACE.reservations.get(so_far)?;
    // Before the first block there is as much as between two.
    let least = needed.checked_add(BETWEEN)?;
    let mut bytes = RESERVED.max(least);
    let range = loop {
        match pages::reserve(bytes) {
            Some(range) => break range,
            None if bytes == least => return None,
            None => bytes = (bytes / 2).max(least),
        }
    };
    reservation.start.store(range.start, Ordering::Relaxed);
    reservation.end.store(range.end, Ordering::Relaxed);
    reservation.first.store(number, Ordering::Relaxed);
    reservation.last.store(number, Ordering::Relaxed);
    SPACE.next.store(range.start + BETWEEN, Ordering::Relaxed);
    SPACE.reserved_so_far.store(so_far + 1, Ordering::Release);
    Some(reservation)
}

/// The block that an address is nearest to; `None` for an address that is in no reservation. Takes no lock.
pub(super) fn find(address: Address) -> Option<&'static Record> {
    let so_far = SPACE.reserved_so_far.load(Ordering::Acquire);
    let holds = |known: &&Reservation| {
        (known.start.load(Ordering::Relaxed)..known.end.load(Ordering::Relaxed)).contains(&address)
    };
    let reservation = SPACE.reservations.iter().take(so_far).find(holds)?;
    let (mut from, last) = (reservation.first.load(Ordering::Relaxed), reservation.last.load(Ordering::Acquire));
    let mut to = last;
    // The first block that starts behind the address.
    while from < to {
        let middle = from + (to - from) / 2;
        match record(middle).start() <= address {
            true => from = middle + 1,
            false => to = middle,
        }
    }
    let before = from.checked_sub(1).filter(|&number| number >= reservation.first.load(Ordering::Relaxed)).map(record);
    let behind = (from < last).then(|| record(from));
    match (before, behind) {
        (Some(before), Some(behind)) => {
            let is_behind = address.saturating_sub(before.end()) > behind.start() - address;
            Some(if is_behind { behind } else { before })
        }
        (before, behind) => before.or(behind),
    }
}

impl Record {
    /// The first byte.
    pub(super) fn start(&self) -> Address {
        self.start.load(Ordering::Relaxed)
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The first byte behind it.
    pub(super) fn end(&self) -> Address {
        self.start() + self.bytes()
    }

    /// The pages that it lies in.
    pub(super) fn pages(&self) -> Range<Address> {
        self.first_page.load(Ordering::Relaxed)..self.end_of_pages.load(Ordering::Relaxed)
    }

    /// Returns what of its pages is not the block's: before it, and behind it.
    pub(super) fn slack(&self) -> [Range<Address>; 2] {
        let pages = self.pages();
        [pages.start..self.start(), self.end()..pages.end]
    }

    pub(super) fn set_state(&self, state: BlockState) {
        self.state.store(state as u8, Ordering::Relaxed);
    }

    /// Returns whether it may be touched by whoever knows it.
    pub(super) fn is_live(&self) -> bool {
        self.state() == BlockState::Live
    }

    fn state(&self) -> BlockState {
        [BlockState::Live, BlockState::Closed, BlockState::Freed]
            .into_iter()
            .find(|&state| state as u8 == self.state.load(Ordering::Relaxed))
            .unwrap_or(BlockState::Freed)
    }

    /// Gives it a name, of which so much is kept as there is room for.
    pub(super) fn set_name(&self, name: &str) {
        self.name_length.store(0, Ordering::Relaxed);
        let kept = &name.as_bytes()[..floor_char_boundary(name, NAME_BYTES)];
        self.name.0.iter().zip(kept).for_each(|(place, &byte)| place.store(byte, Ordering::Relaxed));
        self.name_length.store(kept.len() as u8, Ordering::Relaxed);
    }
}

/// The greatest place in `text` up to `most` where a character ends.
fn floor_char_boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A byte in a block or near it, to be told.
pub(super) struct BytePlace<'a> {
    record: &'a Record,
    address: Address,
}

impl<'a> BytePlace<'a> {
    pub(super) fn of(record: &'a Record, address: Address) -> BytePlace<'a> {
        BytePlace { record, address }
    }
}

impl fmt::Display for BytePlace<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BytePlace { record, address } = *self;
        let (start, bytes) = (record.start(), record.bytes());
        let mut name = [0u8; NAME_BYTES];
        let length = usize::from(record.name_length.load(Ordering::Relaxed)).min(NAME_BYTES);
        name.iter_mut().zip(&record.name.0).for_each(|(byte, kept)| *byte = kept.load(Ordering::Relaxed));
        let name = std::str::from_utf8(&name[..length]).unwrap_or("");
        GuardedByte { address, start, bytes, name }.fmt(out)?;
        match record.state() {
            BlockState::Live => Ok(()),
            BlockState::Closed => write!(out, ", which a graph allocates and which is not allocated now"),
            BlockState::Freed => write!(out, ", which is freed"),
        }
    }
}

/// A message, made without an allocation.
pub(super) struct Text {
    bytes: [u8; 1024],
    length: usize,
}

impl Text {
    pub(super) fn new() -> Text {
        Text { bytes: [0; 1024], length: 0 }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.len() - self.length;
        let taken = text.len().min(room);
        self.bytes[self.length..self.length + taken].copy_from_slice(&text.as_bytes()[..taken]);
        self.length += taken;
        Ok(())
    }
}
