//! The capture that a stream is in: begun, asked about, changed, ended; and its log.
//!
//! Others may record into some captures, on streams and behind events that they have too. The graph of such a capture keeps the memory
//! that the recorded work of others has addresses of. A graph that has no more nodes than graphcap recorded has none of theirs.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use super::black_box::{self, About};
use super::checks::Checks;
use super::guarded;
use super::record::{put_at_hand, EndedRecord};
use super::stream_capture::{CaptureOptions, CaptureTarget};
use super::strict_log::{self, StrictLog};
use super::violation::Violation;
use crate::graphs::graph::{let_go_of_lost, Graph};
use crate::graphs::others_memory::MemoryOfContexts;
use crate::keep::Kept;
use crate::pools::pool::PoolUse;
use crate::state::{CaptureLog, Context, GraphInner, Record, Stream, WeakContext};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::rules::{self, CaptureMode};
use graphcap_driver::{CaptureInfo, CaptureProgress, DependencyUpdate, GraphId, Lists, NodeId, Retained, StreamId};

impl Stream {
    /// Starts recording: work submitted to the stream goes into a graph instead of running.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is being captured already; `CAPTURE_UNSUPPORTED` on the legacy stream.
    pub fn begin_capture(&self, mode: CaptureMode) -> Result<()> {
        self.begin_told_capture(mode, Vec::new(), Checks::default()).map(drop)
    }

    /// Starts recording as [`Stream::begin_capture`], with options. No object owns the capture, and modules have no effect.
    ///
    /// # Errors
    /// As [`Stream::begin_capture`]; with a pool as [`Stream::begin_capture_with_pool`]; into a graph as
    /// [`Stream::begin_capture_to_graph`], and `NOT_SUPPORTED` where there is a pool as well.
    pub fn begin_capture_with(&self, mode: CaptureMode, options: CaptureOptions<'_>) -> Result<()> {
        self.begin_capture_of(mode, options).map(drop)
    }

    /// Gives what [`Stream::begin_told_capture`] does.
    pub(super) fn begin_capture_of(
        &self,
        mode: CaptureMode,
        CaptureOptions { pool, into, strict, notes_memory, .. }: CaptureOptions<'_>,
    ) -> Result<(u64, Arc<CaptureLog>)> {
        let checks = Checks { strict, notes_memory };
        match (into, pool) {
            (None, pool) => {
                let whole = pool.map(|pool| pool.for_capture(self)).transpose()?;
                self.begin_told_capture(mode, whole.into_iter().collect(), checks)
            }
            (Some(target), None) => self.begin_capture_into(target, mode, checks),
            (Some(_), Some(_)) => {
                let why = "a capture into a graph is begun without a pool; give the pool to the call that ends it, \
                           gc_stream_end_capture_with_pool()";
                Err(Error::new(Status::NOT_SUPPORTED, why))
            }
        }
    }

    /// Starts recording as [`Stream::begin_capture`], with objects that the graph is to keep for no node,
    /// and with checks. Gives the driver's number of the capture, 0 where the capture was broken at once, and how the
    /// capture goes.
    pub(crate) fn begin_told_capture(
        &self,
        mode: CaptureMode,
        whole: Vec<Kept>,
        checks: Checks,
    ) -> Result<(u64, Arc<CaptureLog>)> {
        let checks = checks.with_environment()?;
        guarded::work(self)?;
        let pools: Vec<Arc<PoolUse>> = whole.iter().filter_map(Kept::object).collect();
        let keeps_some = !whole.is_empty();
        let record = Record::with(self.context(), CaptureLog::new(self, Some(mode), checks), whole);
        let number = self.begin(&record, || self.driver()?.begin_capture(self.id(), mode))?;
        if keeps_some {
            // Others may record and end the capture without any gc_ call.
            if let Err(error) = record.attach(|list| self.retain(list)) {
                drop(self.end_capture());
                return Err(error);
            }
        }
        pools.iter().for_each(|used| used.begins(&record.log));
        Ok((number, Arc::clone(&record.log)))
    }

    /// Begins the capture of `record` through `call`, which gives the driver's number of it.
    fn begin(&self, record: &Arc<Record>, call: impl FnOnce() -> Result<u64>) -> Result<u64> {
        let membership = self.membership_or_new();
        let begun = membership.transition(Some((record, 0)), || {
            if self.is_shared() {
                record.let_others_end();
            }
            // Before the driver begins: who sees no open capture asks nothing. And what ends with a thread goes in the other
            // order, the driver's end first.
            black_box::open(record);
            let number = call()?;
            black_box::begun(record, number);
            Ok((number, membership.earlier()))
        });
        match begun {
            Ok((number, earlier)) => {
                // They are over, also where others ended them, and even if they had the same number, which is that of the graph.
                earlier.iter().for_each(|earlier| drop(earlier.discard()));
                membership.set_last_log(&record.log);
                if record.holds_its_streams() && !self.is_shared() {
                    self.confirm(number);
                }
                put_at_hand(number, Some(Arc::clone(record)));
                Ok(number)
            }
            Err(error) => {
                drop(record.discard());
                Err(self.failed_to_begin(error))
            }
        }
    }

    /// Starts recording into a graph that exists. The first node will depend on `dependencies`; each counts once. The
    /// end gives the same graph; it can be looked at and instantiated meanwhile, and lives until then at least. An end
    /// that fails is the end of the graph as well: every later call on it answers `INVALID_VALUE`. Execs that were made
    /// of it go on.
    ///
    /// A graph within a node gets its nodes at the end, and cannot be changed until then. An end that fails leaves it as it was.
    ///
    /// # Errors
    /// As [`Stream::begin_capture`]; `ILLEGAL_STATE` also while another capture goes into the graph; `INVALID_CONTEXT`
    /// for a graph of another context; `INVALID_VALUE` when one of `dependencies` is no node of the graph, or when an
    /// earlier capture into it failed; `NOT_SUPPORTED` where the driver is too old, and for a graph within a node where others
    /// use the stream too.
    pub fn begin_capture_to_graph(&self, graph: &Graph, dependencies: &[NodeId], mode: CaptureMode) -> Result<()> {
        self.begin_capture_into(CaptureTarget { graph, dependencies }, mode, Checks::default()).map(drop)
    }

    /// Starts recording as [`Stream::begin_capture_to_graph`], and gives what [`Stream::begin_told_capture`] does.
    fn begin_capture_into(
        &self,
        CaptureTarget { graph, dependencies }: CaptureTarget<'_>,
        mode: CaptureMode,
        checks: Checks,
    ) -> Result<(u64, Arc<CaptureLog>)> {
        self.context().check_same("the stream", graph.context(), "the graph")?;
        if graph.0.is_within() && self.is_shared() {
            return Err(Error::new(Status::NOT_SUPPORTED, format!("{OTHERS_COULD_END}; capture on another stream")));
        }
        let checks = checks.with_environment()?;
        guarded::work(self)?;
        let record = Record::new(self.context(), CaptureLog::new(self, Some(mode), checks));
        record.goes_into(&graph.0)?;
        // A graph that is lost keeps no list of a capture that cannot begin.
        let before = graph.node_count().inspect_err(|_| graph.0.let_go_if_lost())?;
        record.log.state.runs.begin_behind(before);
        if !graph.0.is_within() {
            graph.0.let_others_know();
        }
        let (dependencies, mut kept) = (distinct(dependencies), Lists::new());
        let number = self.begin(&record, || {
            if self.is_shared() {
                kept = graph.0.kept();
            }
            self.driver()?.begin_capture_to_graph(self.id(), graph.id(), &dependencies, mode, &kept)
        })?;
        if self.is_shared() {
            // What other threads had it keep meanwhile, too.
            if let Err(error) = self.lend_all(&graph.0, &kept) {
                drop(self.end_capture());
                return Err(error);
            }
        }
        if self.driver().is_ok_and(|driver| driver.graph_was_taken(graph.id())) {
            // What they make of it goes without what the driver refuses to hold now.
            let _ = graph.0.give_out(|_| Ok(0));
        }
        Ok((number, Arc::clone(&record.log)))
    }

    /// A begin that failed harms no capture, but on the legacy stream; one that is in its way may be broken.
    #[cold]
    fn failed_to_begin(&self, error: Error) -> Error {
        match error.status {
            rules::LEGACY_BARRED => black_box::failed_on(self, error),
            _ => black_box::failed(None, Some(self), About::Harmless(self.present_log()), error),
        }
    }

    /// Stops recording and gives what was recorded. The graph keeps alive all that its nodes use. Of a capture into a
    /// graph that was there before it is that graph.
    ///
    /// # Errors
    /// The capture goes on after `ILLEGAL_STATE` (the stream is not captured), `CAPTURE_UNMATCHED` (the
    /// capture was begun on another stream; it is invalidated) and `CAPTURE_IMPLICIT` (this is the legacy stream, and a
    /// blocking stream is captured, which is invalidated). It is over after `CAPTURE_INVALIDATED`,
    /// `CAPTURE_UNJOINED`, `CAPTURE_WRONG_THREAD` and all others.
    pub fn end_capture(&self) -> Result<Graph> {
        guarded::end(self)?;
        self.end_capture_after(|| Ok(()))
    }

    /// Ends the capture as [`Stream::end_capture`], also in a guarded context where that discards the capture, if
    /// `check` finds in what the driver tells of the stream that it is the capture that is meant. No other gc_ call
    /// ends or begins one in between, unless the stream is shared.
    pub(crate) fn end_capture_if(&self, check: impl FnOnce(CaptureInfo) -> Result<()>) -> Result<Graph> {
        self.end_capture_after(|| match self.capture_info() {
            Ok(info) => check(info),
            Err(error) if error.status == Status::NOT_PERMITTED => Err(error),
            // After a fault the driver tells nothing; the capture must be ended all the same.
            Err(_) => Ok(()),
        })
    }

    fn end_capture_after(&self, check: impl FnOnce() -> Result<()>) -> Result<Graph> {
        let membership = self.membership_or_new();
        let (mut is_asked, mut record, mut left, mut held) = (false, None, None, Lists::new());
        let ended = membership.transition(None, || {
            check()?;
            // A capture of a stale stream goes on until the stream is dropped, and needs its graph till then.
            let driver = self.driver()?;
            is_asked = true;
            record = self.present();
            let Some(record) = &record else { return driver.end_capture_with(self.id(), &mut held) };
            record.log.break_if_last_failed(self);
            record.ending();
            let ended = driver.end_capture_with(self.id(), &mut held);
            match &ended {
                Ok(_) => left = record.finish(),
                Err(error) if rules::goes_on_after_end(error.status, record.log.began_on(self)) => record.not_ended(),
                Err(_) => left = record.discard(),
            }
            ended
        });
        if let Some(record) = record.as_ref().filter(|record| !record.goes_on()) {
            membership.set_last_log(&record.log);
        }
        if is_asked && ended.is_err() {
            left = None;
            let_go_of_lost(self.context());
        }
        let graph = ended.and_then(|graph| match (left, &record) {
            (Some(left), record) => self.graph_of(graph, left, std::mem::take(&mut held), record.as_deref()),
            // Others began the capture, and nothing was recorded through graphcap.
            (None, None) if self.is_shared() => Ok(GraphInner::ended(self.context(), graph)),
            (None, _) => Err(was_over(GraphInner::new(self.context(), graph))),
        });
        let graph = graph.and_then(|graph| held.into_iter().try_for_each(|list| graph.retain(list)).map(|()| graph));
        let graph = graph.and_then(|graph| keep_for(&graph, record.as_deref(), self.is_shared()).map(|()| graph));
        if let (Ok(graph), Some(true)) = (&graph, record.as_ref().map(|record| record.log.state.notes_memory)) {
            // The graph is whole without it.
            let _ = graph.note_memory();
        }
        let about = match self.id() {
            StreamId::LEGACY => About::Stream,
            _ if is_asked => About::End(record.map(|record| Arc::clone(&record.log))),
            _ => About::Harmless(None),
        };
        graph.map(Graph).map_err(|error| black_box::failed(None, Some(self), about, error))
    }

    /// The graph that a capture gave, which keeps what that left, and the lists `held` that the driver's graph held for it.
    fn graph_of(
        &self,
        graph: GraphId,
        mut left: EndedRecord,
        held: Lists,
        record: Option<&Record>,
    ) -> Result<Arc<GraphInner>> {
        let target = left.target.take();
        let known = target.as_ref().map(|target| Arc::clone(&target.graph)).filter(|known| known.id() == graph);
        let graph = match known {
            Some(known) => known,
            // Others may have begun the capture.
            None if self.is_shared() => GraphInner::ended(self.context(), graph),
            None => GraphInner::new(self.context(), graph),
        };
        // While the capture counts as going into the graph: an edit could change a list that is on its way.
        let kept = left
            .list
            .take()
            .map(|list| list as Retained)
            .into_iter()
            .chain(held)
            .try_for_each(|list| graph.retain(list));
        drop(target);
        graph.was_captured_into();
        left.hand_over_notes(&graph);
        left.put.drain(..).for_each(|(node, child)| graph.note_put(node, &child));
        kept?;
        if let Some(record) = record {
            // The graph is whole without it.
            let _ = record.tell_streams(&graph);
        }
        Ok(graph)
    }

    /// Returns what broke the capture that the stream is in, or else the latest one that was begun on it, as far as graphcap's
    /// C functions have met it; or else what went past it, if it is strict.
    pub fn capture_violation(&self) -> Option<Arc<Violation>> {
        let log = self.log()?;
        log.violation().or_else(|| log.strict.as_ref()?.told_outside().map(Arc::new))
    }

    /// By how many calls the thread that began the strict capture which the stream is in had work executed outside of it, or was
    /// refused that; 0 for other captures.
    pub fn work_outside_capture(&self) -> u64 {
        match strict_log::any_open() {
            true => self.present_log().and_then(|log| log.strict.as_ref().map(StrictLog::work_outside)).unwrap_or(0),
            false => 0,
        }
    }

    /// Returns how the capture went that the stream is in, or else the latest one that was begun or ended on it.
    pub(crate) fn log(&self) -> Option<Arc<CaptureLog>> {
        match self.present_log() {
            // In one that graphcap has not met.
            None if self.asked().is_some_and(|info| info.id != 0) => None,
            None => self.membership()?.last_log(),
            present => present,
        }
    }

    /// Returns how the capture goes that the stream is in.
    pub(crate) fn present_log(&self) -> Option<Arc<CaptureLog>> {
        self.present().map(|record| Arc::clone(&record.log))
    }

    /// Returns whether the stream is being captured, and in which capture.
    ///
    /// # Errors
    /// `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is captured.
    pub fn capture_info(&self) -> Result<CaptureInfo> {
        self.driver()?.capture_info(self.id())
    }

    /// Returns whether the stream is being captured, in which capture, and how far the graph is while the capture is active. On
    /// a driver that is not graphcap's own no other thread may record in the capture meanwhile.
    ///
    /// # Errors
    /// As [`Stream::capture_info`].
    pub fn capture_progress(&self) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        self.driver()?.capture_progress(self.id())
    }

    /// Says what the next work that the stream records depends on. Each of `nodes` counts once. Nodes that are dropped
    /// need not be joined before the end. Threads: as [`Stream::capture_progress`].
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is not being captured; `CAPTURE_INVALIDATED` when the capture was broken;
    /// `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is captured; `INVALID_VALUE` when one of `nodes` is no node of the
    /// capture's graph. The capture goes on.
    pub fn update_capture_dependencies(&self, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        self.driver()?.update_capture_dependencies(self.id(), &distinct(nodes), update)?;
        self.note_dependencies_changed(update == DependencyUpdate::Add);
        Ok(())
    }

    /// The caller said what the stream's next work depends on. `goes_on` as in [`CaptureLog::dependencies_changed`].
    pub(crate) fn note_dependencies_changed(&self, goes_on: bool) {
        self.forget_workspace();
        if let Some(log) = self.log() {
            log.dependencies_changed(goes_on);
        }
    }
}

/// The nodes come into a graph within a node at the end, which graphcap must see: driver 580 crashes where such a graph is captured
/// into itself and the end fails.
pub(crate) const OTHERS_COULD_END: &str =
    "others use the stream too, and could end the capture, which goes into a graph within a \
                                           node: the end of that must be a gc_ call";

/// Returns the error of a capture that was over before its end: what its graph uses was not kept, so nobody may have it.
#[cold]
fn was_over(graph: Arc<GraphInner>) -> Error {
    drop(graph);
    Error::new(
        Status::CAPTURE_INVALIDATED,
        "the capture to be ended was discarded when its stream was destroyed; keep a handle of the stream until the capture \
         has ended, and capture again",
    )
}

/// The nodes without those that came before among them.
fn distinct(nodes: &[NodeId]) -> Vec<NodeId> {
    distinct_by(nodes, |&node| node)
}

/// The first element for each node.
pub(crate) fn distinct_by<T: Copy>(elements: &[T], node: impl Fn(&T) -> NodeId) -> Vec<T> {
    let mut seen = HashSet::with_capacity(elements.len());
    elements.iter().copied().filter(|element| seen.insert(node(element))).collect()
}

impl CaptureLog {
    /// Others may record into the capture from here on.
    pub(crate) fn others_record(&self) {
        self.state.is_of_others.store(true, Ordering::Release);
    }

    /// The contexts that streams joined from, beside that of the stream that the capture was begun on.
    fn other_contexts(&self) -> Vec<Context> {
        lock(&self.state.others).iter().filter_map(WeakContext::upgrade).collect()
    }
}

/// A capture has given `graph`; `record` is that of the capture, where graphcap has met it, and `is_shared` tells whether others use
/// the stream that it ended on. Where others may have recorded into it, the graph keeps the memory that its nodes have addresses of.
///
/// # Errors
/// As [`GraphInner::keep_what_others_use`].
pub(crate) fn keep_for(graph: &GraphInner, record: Option<&Record>, is_shared: bool) -> Result<()> {
    if !record.map_or(is_shared, |record| record.log.state.is_of_others.load(Ordering::Acquire)) {
        return Ok(());
    }
    let mut contexts = record.map(|record| record.log.other_contexts()).unwrap_or_default();
    contexts.insert(0, graph.context().clone());
    let Some(memory) = MemoryOfContexts::of(&contexts) else { return Ok(()) };
    // To read the nodes costs several times what it cost to record them.
    let has_counted_all = |record: &Record| {
        let nodes = graph.context().driver().and_then(|driver| driver.graph_node_count(graph.id()));
        nodes.is_ok_and(|nodes| record.log.counted_all(nodes))
    };
    match record.is_some_and(has_counted_all) {
        true => Ok(()),
        false => graph.keep_what_others_use(&memory),
    }
}
