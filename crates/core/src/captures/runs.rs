//! Which stream of a capture recorded which of its nodes: how much each recorded in turn, until the graph is told.
//!
//! A recording compares one number; only where another stream goes on is something noted. Nothing is said of a capture where that
//! may be wrong: where others recorded too, where several threads did on several streams, and where the graph got another number
//! of nodes than was counted.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::objects::note::{Recorder, Recorders, Run};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::{this_thread, ThreadNumber};

/// In place of a member: nothing was recorded.
const NO_MEMBER: usize = usize::MAX;

/// Turns that the streams of a capture took.
pub(crate) struct Runs {
    /// The member that recorded last.
    latest: AtomicUsize,
    noted: Mutex<Noted, rank::CaptureRuns>,
}

#[derive(Default)]
struct Noted {
    /// Number of nodes that the graph had before.
    before: usize,
    recorders: Recorders,
    /// The places of members among the recorders, and one more; 0 for those that recorded nothing.
    places: SmallVec<[usize; 4]>,
    runs: SmallVec<[Run; 2]>,
    /// The run that goes on.
    open: Option<OpenRun>,
    /// Stream that noted something first.
    thread: Option<ThreadNumber>,
    /// Tells whether it may be wrong.
    is_unsure: bool,
}

struct OpenRun {
    member: usize,
    stream: usize,
    /// Number of nodes that the member had recorded before.
    from: u32,
    /// Nodes beside one for each that is counted.
    more: isize,
}

impl Runs {
    pub(crate) fn new() -> Runs {
        Runs { latest: AtomicUsize::new(NO_MEMBER), noted: Mutex::default() }
    }

    /// The member `index` is about to be counted in `recorded`. `recorder` tells of its stream.
    #[inline]
    pub(crate) fn goes_on(&self, index: usize, recorded: &Counters, recorder: impl FnOnce() -> Recorder) {
        if self.latest.load(Ordering::Relaxed) != index {
            self.turn_to(index, recorded, recorder);
        }
    }

    #[cold]
    #[inline(never)]
    fn turn_to(&self, index: usize, recorded: &Counters, recorder: impl FnOnce() -> Recorder) {
        let mut noted = lock(&self.noted);
        noted.close(recorded);
        if *noted.thread.get_or_insert_with(this_thread) != this_thread() {
            noted.is_unsure = true;
        }
        match recorded.of(index) {
            Some(count) if !noted.is_unsure => {
                let from = count.load(Ordering::Relaxed);
                let stream = noted.place(index, recorder);
                noted.open = Some(OpenRun { member: index, stream, from, more: 0 });
            }
            // What is unsure needs no more notes.
            _ => noted.is_unsure = true,
        }
        self.latest.store(index, Ordering::Relaxed);
    }

    /// The capture goes into a graph that has so many nodes.
    pub(crate) fn begin_behind(&self, nodes: usize) {
        lock(&self.noted).before = nodes;
    }

    /// The member `index`, which recorded last, recorded so many nodes beside those that are counted.
    pub(crate) fn add(&self, index: usize, nodes: isize) {
        if let Some(open) = lock(&self.noted).open.as_mut().filter(|open| open.member == index) {
            open.more += nodes;
        }
    }

    /// Returns what the capture recorded, which has ended. `None` for nothing, and where it is not known.
    pub(crate) fn take(&self, recorded: &Counters) -> Option<RecordedRuns> {
        let mut noted = lock(&self.noted);
        noted.close(recorded);
        let Noted { before, recorders, runs, is_unsure, .. } = std::mem::take(&mut *noted);
        let turns = RecordedRuns { before, recorders, runs };
        (!is_unsure && turns.count() > 0).then_some(turns)
    }
}

/// Runs of nodes that a capture recorded, by stream.
pub(crate) struct RecordedRuns {
    /// Number of nodes that the graph had before.
    pub(crate) before: usize,
    pub(crate) recorders: Recorders,
    pub(crate) runs: SmallVec<[Run; 2]>,
}

impl RecordedRuns {
    /// Returns how many nodes were recorded.
    pub(crate) fn count(&self) -> usize {
        self.runs.iter().map(|run| run.nodes).sum()
    }
}

impl Noted {
    /// The place of a member among the streams that recorded something.
    fn place(&mut self, index: usize, recorder: impl FnOnce() -> Recorder) -> usize {
        if self.places.len() <= index {
            self.places.resize(index + 1, 0);
        }
        let next = self.recorders.len();
        let Some(place) = self.places.get_mut(index) else { return next };
        if *place == 0 {
            self.recorders.push(recorder());
            *place = next + 1;
        }
        *place - 1
    }

    /// Notes how long the run was that went on.
    fn close(&mut self, recorded: &Counters) {
        let Some(OpenRun { member, stream, from, more }) = self.open.take() else { return };
        let count = recorded.of(member).map_or(0, |count| count.load(Ordering::Relaxed).wrapping_sub(from));
        match (count as usize).checked_add_signed(more) {
            Some(0) => {}
            Some(nodes) => self.runs.push(Run { stream, nodes }),
            None => self.is_unsure = true,
        }
    }
}

/// The streams of a capture are counted in blocks: one that most captures get along with, and others that are made when
/// they are needed. Streams beyond them all are not told apart.
const FIRST_BLOCK: usize = 16;
const FURTHER_BLOCK: usize = 256;
const FURTHER_BLOCKS: usize = 16;
pub(crate) const TOLD_APART: usize = FIRST_BLOCK + FURTHER_BLOCK * FURTHER_BLOCKS;

/// Amount that each stream of a capture recorded.
pub(crate) struct Counters {
    first: [AtomicU32; FIRST_BLOCK],
    further: OnceLock<Box<Further>>,
}

type Further = [OnceLock<Box<[AtomicU32; FURTHER_BLOCK]>>; FURTHER_BLOCKS];

impl Counters {
    pub(crate) const fn new() -> Self {
        Counters { first: [const { AtomicU32::new(0) }; FIRST_BLOCK], further: OnceLock::new() }
    }

    #[inline]
    pub(crate) fn of(&self, index: usize) -> Option<&AtomicU32> {
        self.first.get(index).or_else(|| self.of_further(index))
    }

    #[cold]
    fn of_further(&self, index: usize) -> Option<&AtomicU32> {
        let beyond = index.checked_sub(FIRST_BLOCK)?;
        let further = self.further.get_or_init(|| Box::new([const { OnceLock::new() }; FURTHER_BLOCKS]));
        let block = further.get(beyond / FURTHER_BLOCK)?;
        block.get_or_init(|| Box::new([const { AtomicU32::new(0) }; FURTHER_BLOCK])).get(beyond % FURTHER_BLOCK)
    }

    pub(crate) fn sum(&self) -> u32 {
        let blocks = self.further.get().into_iter().flat_map(|further| further.iter());
        let further = blocks.filter_map(OnceLock::get).flat_map(|block| block.iter());
        self.first.iter().chain(further).map(|count| count.load(Ordering::Relaxed)).fold(0, u32::wrapping_add)
    }
}

/// For each stream of a capture how much of its work is behind a point.
pub(crate) type Clock = SmallVec<[u32; 4]>;

#[cfg(test)]
#[path = "recorders_tests.rs"]
mod recorders_tests;
