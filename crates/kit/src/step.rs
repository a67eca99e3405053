//! A replay node by node, each waited for before the next one runs, with a look at what it wrote. The memory that the graph writes is
//! restored afterwards.
//!
//! That memory is cut into pieces so that each node writes whole ones. They are summarized on the device behind each node, and what the
//! CPU compares are the summaries.

mod options;
mod parts;
mod pieces;
mod report;
mod told;
mod unwritten;

pub use self::options::{StepOptions, TypedMemory};
pub(crate) use self::report::FINDINGS_TOLD;
pub use self::report::{StepFinding, StepFlaw, StepReport};

use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;

use self::parts::Parts;
use self::pieces::Pieces;
use self::told::Told;
use self::unwritten::Twins;
use super::optimize::as_it_was;
use graphcap_base::error::{Error, Result};
use graphcap_core::{relax_mode, Graph, SavedMemory, Stream, Summaries};
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::rules::summary::{ElementKind, Summary};
use graphcap_driver::{check_caller, Address, NodeId, StreamOptions};

/// A node that runs, or has run.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The node; 0 where all nodes run together.
    pub node: NodeId,
    /// Its number in the order in which the nodes run.
    pub index: usize,
    /// Number of steps.
    pub count: usize,
    /// Traces in memory, when it has run.
    pub left: Option<WrittenSummary>,
}

/// Traces of a node in the memory that it writes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WrittenSummary {
    /// Number of bytes that were looked at.
    pub bytes: u64,
    /// Hash of them.
    pub hash: u64,
    /// Number of floats that they are.
    pub floats: u64,
    /// Counts, the least and the greatest finite one, and their sum.
    pub summary: Summary,
}

/// Replays a graph node by node, in an order in which each node is behind those that it waits for. `each` is told of each node before and
/// after it runs, and ends the replay by giving false; it may read memory meanwhile. The memory that the graph writes is restored
/// afterwards, also after a failure, as far as the options give room.
///
/// Nothing else may use that memory meanwhile, and work that uses it must be complete before. A graph that cannot be copied runs as one
/// step.
///
/// # Examples
/// Two memsets of one buffer, of which the second one writes what is no number:
///
/// ```
/// use graphcap::core::{Buffer, Context, Stream};
/// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
/// use graphcap::kit::{step, ElementKind, StepOptions, TypedMemory};
/// use graphcap::rules::CaptureMode;
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let stream = Stream::create(&context, StreamOptions::default())?;
/// let buffer = Buffer::allocate(&context, 64)?;
/// stream.begin_capture(CaptureMode::Global)?;
/// for value in [0, 0x7fc0_0000] {
///     stream.memset(&buffer, 0, value, 4, 16)?;
/// }
/// let graph = stream.end_capture()?;
///
/// let memory = vec![TypedMemory { address: buffer.address(), bytes: 64, kind: ElementKind::F32, is_scratch: false }];
/// let report = step(&graph, &StepOptions { summarizes: true, memory, ..StepOptions::default() }, &mut |_| true)?;
/// assert_eq!((report.run, report.findings.len()), (2, 1));
/// assert_eq!(report.findings[0].node, graph.order()?[1]);
/// # Ok::<(), graphcap::Error>(())
/// ```
///
/// # Errors
/// `NOT_SUPPORTED` when a node does what [`StepOptions::permits`] does not permit; `INVALID_VALUE` when the edges form a cycle, for memory
/// that is gone, and when `first` or `last` is no node of the graph; `OUT_OF_MEMORY`; the status by which a node failed: the message names
/// it and its arguments.
pub fn step(graph: &Graph, options: &StepOptions, each: &mut dyn FnMut(&Step) -> bool) -> Result<StepReport> {
    check_caller()?;
    let _mode = relax_mode()?;
    let stream = Stream::create(graph.context(), StreamOptions { non_blocking: true, ..StreamOptions::default() })?;
    let parts = Parts::of(graph, options, &stream)?;
    let from = parts.place(options.first, 0)?;
    let last = parts.place(options.last, parts.all.len().saturating_sub(1))?;
    let most = if options.bytes == 0 { 1 << 30 } else { options.bytes };
    let (watched, bytes_unwatched) = parts.watched(graph, options, most);
    let scratch = options.scratch();
    let saved = SavedMemory::save(&stream, &watched, most)?;
    let together = if parts.is_whole() { parts.nodes.first().map_or(0, Vec::len) } else { 0 };
    let nodes = parts.nodes.iter().map(Vec::len).sum();
    let report =
        StepReport { nodes, together, bytes_saved: saved.bytes() as u64, bytes_unwatched, ..StepReport::default() };
    let look = match options.summarizes || options.watches_all {
        true => Some(Look::prepare(&stream, &watched.device, &parts, options)?),
        false => None,
    };
    let twins = match scratch.bytes() == 0 {
        true => None,
        false => Some(Twins::prepare(&stream, &watched, &scratch)?),
    };
    // Beforehand, as a context that is lost tells nothing, and all at once, as the driver is asked for much of it.
    let told = parts.told(if options.skips { from } else { 0 }, last);
    let mut stepper = Stepper { graph, options, parts: &parts, stream: &stream, told, look, twins, report };
    let run = stepper.run(from, last, each);
    let report = stepper.report;
    let restored =
        if options.keeps && run.is_ok() { Ok(()) } else { saved.restore().and_then(|()| stream.synchronize()) };
    as_it_was(run, restored)?;
    drop(saved);
    // What was saved is no memory of the program's.
    graph.context().trim()?;
    Ok(report)
}

/// Memory that is looked at behind each node.
struct Look {
    pieces: Pieces,
    summaries: Summaries,
    /// The last summary of each piece.
    state: Vec<Summary>,
    /// Tells whether a node wrote values that are not finite.
    is_spoilt: bool,
}

impl Look {
    fn prepare(stream: &Stream, watched: &Ranges, parts: &Parts, options: &StepOptions) -> Result<Look> {
        let pieces = Pieces::cut(watched, &parts.writes, &options.memory);
        let summaries = Summaries::prepare(stream, &pieces.all)?;
        Ok(Look { pieces, summaries, state: Vec::new(), is_spoilt: false })
    }

    /// The pieces to look at behind a step.
    fn places(&self, at: usize, is_all: bool) -> Vec<Range<usize>> {
        match is_all {
            true => std::iter::once(0..self.pieces.all.len()).collect(),
            false => self.pieces.written.get(at).cloned().unwrap_or_default(),
        }
    }
}

/// Runs the parts.
struct Stepper<'a> {
    graph: &'a Graph,
    options: &'a StepOptions,
    parts: &'a Parts,
    stream: &'a Stream,
    /// The parts in words, as far as they run.
    told: HashMap<usize, Told>,
    look: Option<Look>,
    /// Two states of memory that tell reads of scratch which nothing wrote, until one is found.
    twins: Option<Twins>,
    report: StepReport,
}

impl Stepper<'_> {
    fn run(&mut self, from: usize, last: usize, each: &mut dyn FnMut(&Step) -> bool) -> Result<()> {
        let count = self.parts.all.len();
        for at in 0..from.min(count) {
            if !self.options.skips {
                self.launch(at)?;
                self.wait(at)?;
            }
        }
        if let Some(look) = &mut self.look {
            let all = 0..look.pieces.all.len();
            look.summaries.submit(all.clone())?;
            self.stream.synchronize()?;
            look.state = look.summaries.read(all)?;
        }
        for at in from..count.min(last + 1) {
            let step = Step { node: self.parts.node(at), index: at, count, left: None };
            if !each(&step) {
                self.report.is_stopped = true;
                break;
            }
            let started = Instant::now();
            self.launch(at)?;
            let places = self.look.as_ref().map(|look| look.places(at, self.options.watches_all)).unwrap_or_default();
            if let Some(look) = &self.look {
                places.iter().try_for_each(|range| look.summaries.submit(range.clone()))?;
            }
            self.wait(at)?;
            self.report.run += self.parts.nodes.get(at).map_or(0, Vec::len);
            let left = self.compare(at, &places)?;
            self.report.time += started.elapsed();
            if !each(&Step { left: Some(left), ..step }) {
                self.report.is_stopped = true;
                break;
            }
        }
        Ok(())
    }

    fn launch(&mut self, at: usize) -> Result<()> {
        let parts = self.parts;
        let Some(part) = parts.all.get(at) else { return Ok(()) };
        let launched = match &mut self.twins {
            Some(twins) => twins.run(part, self.stream),
            None => part.launch(self.stream).map(|()| None),
        };
        if let Some((address, bytes)) = launched.map_err(|error| self.failed(at, error))? {
            // What later nodes write may depend on what this one wrote.
            self.twins = None;
            self.add(at, StepFlaw::Unwritten { address, bytes });
        }
        Ok(())
    }

    fn add(&mut self, at: usize, flaw: StepFlaw) {
        let name = self.told.get(&at).map_or("", |told| &told.name);
        self.report.add(self.graph, (self.parts.node(at), name), flaw);
    }

    fn wait(&self, at: usize) -> Result<()> {
        self.stream.synchronize().map_err(|error| self.failed(at, error))
    }

    /// The error by which a part failed, with its node.
    #[cold]
    fn failed(&self, at: usize, error: Error) -> Error {
        match self.told.get(&at) {
            Some(told) => told.failed(error),
            None => error,
        }
    }

    /// Compares what a step left with what was there, and tells what it left.
    fn compare(&mut self, at: usize, places: &[Range<usize>]) -> Result<WrittenSummary> {
        let mut left = WrittenSummary::default();
        let Some(look) = &mut self.look else { return Ok(left) };
        let written = look.pieces.written.get(at).map(Vec::as_slice).unwrap_or_default();
        // Of the values that are not finite: the first's address, the bytes of the pieces that have some, the number.
        let (mut spoilt, mut undeclared): (Option<(Address, u64, u64)>, _) = (None, None);
        for range in places {
            for (place, summary) in range.clone().zip(look.summaries.read(range.clone())?) {
                let Some(piece) = look.pieces.all.get(place) else { continue };
                let is_own = written.iter().any(|range| range.contains(&place));
                let before = look.state.get_mut(place).map(|state| std::mem::replace(state, summary));
                let is_changed = before.is_none_or(|before| before.hash != summary.hash);
                if !is_own {
                    undeclared = undeclared.or(is_changed.then_some(*piece));
                    continue;
                }
                left.add(piece.bytes, piece.kind, &summary);
                let is_told = look.pieces.is_told.get(place) == Some(&true);
                if is_told && is_changed && summary.has_not_finite() {
                    let first = piece.address + summary.first * piece.kind.size() as u64;
                    let (_, bytes, count) = spoilt.get_or_insert((first, 0, 0));
                    *bytes += piece.bytes;
                    *count += summary.nans + summary.infinities;
                }
            }
        }
        let first = written.first().and_then(|range| look.pieces.all.get(range.start));
        let expected = self.options.expected.get(at);
        let differs = expected.filter(|&&expected| expected != left.hash).and(first).map(|first| first.address);
        let mut flaws = Vec::new();
        if let Some((address, bytes, count)) = spoilt {
            let is_passed_on = std::mem::replace(&mut look.is_spoilt, true);
            flaws.push(StepFlaw::NotFinite { address, bytes, count, is_passed_on });
        }
        flaws.extend(undeclared.map(|piece| StepFlaw::Undeclared { address: piece.address, bytes: piece.bytes }));
        flaws.extend(differs.map(|address| StepFlaw::Differs { address, bytes: left.bytes }));
        flaws.extend(self.parts.writes.get(at).filter(|one| !one.is_complete).map(|_| StepFlaw::NotWatched));
        flaws.into_iter().for_each(|flaw| self.add(at, flaw));
        Ok(left)
    }
}

impl WrittenSummary {
    fn add(&mut self, bytes: u64, kind: ElementKind, summary: &Summary) {
        self.bytes += bytes;
        self.hash = self.hash.rotate_left(7) ^ summary.hash;
        if kind != ElementKind::Bytes {
            self.floats += bytes / kind.size() as u64;
        }
        self.summary.nans += summary.nans;
        self.summary.infinities += summary.infinities;
        self.summary.least = self.summary.least.min(summary.least);
        self.summary.greatest = self.summary.greatest.max(summary.greatest);
        self.summary.sum += summary.sum;
    }
}
