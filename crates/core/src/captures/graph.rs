//! The graph of a capture that goes on: nodes are added to it by hand, and the capture goes on from them.

use std::sync::Arc;

use super::black_box::{self, About};
use crate::graphs::graph::Graph;
use crate::objects::buffer::Buffer;
use crate::operations::node_work::NodeWork;
use crate::state::{GraphInner, Record, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{check_caller, CaptureStatus, ConditionId, DependencyUpdate, NodeId, StreamId};

impl Stream {
    /// The graph that the stream's capture goes into. It can be looked at and edited while the capture goes on, and instantiated;
    /// nodes that are added are in the graph as if they had been recorded, but that the capture's next work depends on them only
    /// after [`Stream::update_capture_dependencies`]. The end of the capture gives the same graph. An end that fails is the end of
    /// the graph: every later call on it answers `INVALID_VALUE`.
    ///
    /// Threads: as [`Stream::capture_progress`].
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is not being captured; `CAPTURE_INVALIDATED` when the capture was broken;
    /// `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is captured; `NOT_PERMITTED` for a capture that another
    /// thread began on its per-thread stream; `NOT_SUPPORTED` for a capture that others began; `INVALID_CONTEXT` when others began
    /// it into a graph of another context than that of the stream that it was begun on.
    pub fn capture_graph(&self) -> Result<Graph> {
        check_caller()?;
        self.known_graph()
            .map_err(|error| black_box::failed(None, Some(self), About::Harmless(self.present_log()), error))
    }

    fn known_graph(&self) -> Result<Graph> {
        loop {
            let record = self.present();
            // Of a stream that joined, the one that the capture was begun on, which may be of another context.
            let origin = record.as_ref().and_then(|record| record.log.origin.upgrade()).map(Stream::of);
            let origin = origin.as_ref().unwrap_or(self);
            let is_of_others =
                |record: &Arc<Record>| origin.id() == StreamId::PER_THREAD && !record.log.is_of_this_thread();
            if record.as_ref().is_some_and(is_of_others) {
                return Err(begun_by_another_thread());
            }
            let found = origin.membership_or_new().transition(None, || {
                // Another thread may have ended the capture meanwhile, and begun one that has the same stream.
                let present = self.present();
                match present.as_ref().map(Arc::as_ptr) == record.as_ref().map(Arc::as_ptr) {
                    true => self.graph_of_capture(origin, present),
                    false => Ok(None),
                }
            })?;
            if let Some(found) = found {
                if let Some(record) = &record {
                    record.hand_over_notes();
                    if record.can_others_end() {
                        found.0.lend_holdings(|holdings| origin.lend(holdings))?;
                    }
                }
                return Ok(found);
            }
        }
    }

    /// The graph of the capture that `record` is of, while no other call begins or ends one on `origin`. `None` where others
    /// ended the capture.
    fn graph_of_capture(&self, origin: &Stream, record: Option<Arc<Record>>) -> Result<Option<Graph>> {
        let id = origin.driver()?.capture_graph(origin.id())?;
        let Some(record) = record else { return Err(not_begun_here()) };
        let known = record.target().filter(|known| known.id() == id);
        let graph = known.unwrap_or_else(|| GraphInner::ended(origin.context(), id));
        graph.let_others_know();
        Ok(record.is_known_as(&graph)?.then_some(Graph(graph)))
    }

    /// Puts a node into the stream's capture: it depends on what the stream recorded last, and what the stream records next depends
    /// on it. For work that no stream can be given, a child graph or a conditional; what streams can be given is recorded by
    /// their other methods.
    ///
    /// Where the work is wrong, the capture is as it was. A call that fails later may have made it one into a graph that is known,
    /// as [`Stream::capture_graph`] does. The node is taken away again where the capture cannot go on from it, unless the capture
    /// goes on: then it stays in the graph, and nothing depends on it.
    ///
    /// Threads: as [`Stream::capture_progress`].
    ///
    /// # Errors
    /// As [`Stream::capture_graph`] and [`Graph::add_node`]; `NOT_SUPPORTED` also for work that streams can be given, while the
    /// capture goes into a graph within a node. Such a graph has the node at the end, as all that is recorded: the graphs of the node
    /// can be had from then on.
    pub fn capture_node(&self, work: &NodeWork<'_>) -> Result<NodeId> {
        check_caller()?;
        if let Some(origin) = self.present().and_then(|record| record.log.origin.upgrade()) {
            work.check(&origin.context)?;
        }
        let graph = self.capture_graph()?;
        match graph.0.is_within() {
            true => self.capture_put(&graph, work),
            false => self.capture_added(&graph, |frontier| graph.add_node(frontier, work)),
        }
    }

    /// Records that a condition of the graph that the capture goes into, or of the outermost graph around it, is set as
    /// [`Graph::add_condition_setter`] does.
    ///
    /// # Errors
    /// As [`Stream::capture_node`] and [`Graph::add_condition_setter`].
    pub fn capture_condition_setter(&self, condition: ConditionId, buffer: &Buffer, offset: usize) -> Result<()> {
        check_caller()?;
        let graph = self.capture_graph().map_err(|error| match self.present() {
            None if error.status == Status::ILLEGAL_STATE => sets_in_captures_alone(&error),
            _ => error,
        })?;
        match graph.0.is_within() {
            // Which gets what is recorded at the end alone.
            true => graph.with_setter(condition, buffer, offset, |kernel, shape, arguments| {
                self.submit_kernel(kernel, shape, arguments, &[])
            }),
            // Never run outside of that graph, whoever ends the capture meanwhile.
            false => {
                let add = |frontier: &[NodeId]| graph.add_condition_setter(frontier, condition, buffer, offset);
                self.capture_added(&graph, add).map(drop)
            }
        }
    }

    /// Makes `add` add a node to the graph of the stream's capture, behind what the stream recorded last; the capture goes on from it.
    fn capture_added(&self, graph: &Graph, add: impl FnOnce(&[NodeId]) -> Result<NodeId>) -> Result<NodeId> {
        let frontier = match self.capture_progress()? {
            (_, Some(progress)) => progress.frontier,
            (info, None) => return Err(ended_meanwhile(info.status)),
        };
        let node = add(&frontier)?;
        let set = DependencyUpdate::Set;
        let updated = self.driver().and_then(|driver| driver.update_capture_dependencies(self.id(), &[node], set));
        self.note_added();
        updated.map(|()| node).inspect_err(|_| {
            // Refused while the capture goes on.
            let _ = graph.remove_node(node);
        })
    }

    /// A node was added that depends on what the stream recorded last, and the capture goes on from it.
    pub(super) fn note_added(&self) {
        self.note_dependencies_changed(true);
        let Some(record) = self.present() else { return };
        record.log.count_put();
        if !self.is_shared() {
            record.log.recorded_more(self.index(), self, 1);
        }
    }
}

/// The answer to a setter of a condition on a stream that is not captured.
#[cold]
fn sets_in_captures_alone(error: &Error) -> Error {
    Error::new(
        error.status,
        format!(
            "{}; a condition is set by launches of its graph alone: call this in the capture of the graph, or add a node to it with \
             gc_graph_add_set_condition_node()",
            error.message
        ),
    )
}

#[cold]
pub(super) fn ended_meanwhile(status: CaptureStatus) -> Error {
    match status {
        CaptureStatus::Invalidated => {
            Error::new(Status::CAPTURE_INVALIDATED, "another thread broke the capture; end it and record again")
        }
        CaptureStatus::None | CaptureStatus::Active => {
            Error::new(Status::ILLEGAL_STATE, "another thread ended the capture, so that no node can be put into it")
        }
    }
}

#[cold]
fn begun_by_another_thread() -> Error {
    Error::new(
        Status::NOT_PERMITTED,
        "the capture was begun on the per-thread stream of another thread, where only that thread can ask for its graph; do so there, \
         or capture a stream that was made",
    )
}

#[cold]
fn not_begun_here() -> Error {
    Error::new(Status::NOT_SUPPORTED, "the capture was begun by others, so its graph cannot be had as a gc_graph")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::StreamOptions;

    #[test]
    fn the_graph_of_a_capture_keeps_what_was_recorded_and_what_is_added() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 8).unwrap();
        assert_eq!(stream.capture_graph().unwrap_err().status, Status::ILLEGAL_STATE);
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        stream.memset(&buffer, 0, 0, 1, 8).unwrap();
        let graph = stream.capture_graph().unwrap();
        assert!(Arc::ptr_eq(&graph.0, &stream.capture_graph().unwrap().0));
        let node = graph.add_node(&[], &NodeWork::Empty).unwrap();
        stream.update_capture_dependencies(&[node], DependencyUpdate::Set).unwrap();
        stream.memset(&buffer, 0, 0, 1, 8).unwrap();
        let address = buffer.address();
        drop(buffer);
        let ended = stream.end_capture().unwrap();
        assert!(Arc::ptr_eq(&graph.0, &ended.0));
        assert_eq!(graph.node_count().unwrap(), 3);
        drop(graph);
        assert!(driver.is_allocated(address));
        drop(ended);
        assert!(!driver.is_allocated(address));
        assert_eq!((driver.graphs(), driver.captures(), driver.violations()), (0, 0, vec![]));
    }

    #[test]
    fn a_graph_whose_handle_is_gone_stays_until_the_capture_is_over() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        drop(stream.capture_graph().unwrap());
        assert_eq!(driver.graphs(), 1);
        drop(stream.end_capture().unwrap());
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let graph = stream.capture_graph().unwrap();
        driver.break_captures();
        assert_eq!(stream.end_capture().unwrap_err().status, Status::CAPTURE_INVALIDATED);
        drop(graph);
        assert_eq!((driver.graphs(), driver.violations()), (0, vec![]));
    }

    #[test]
    fn a_capture_that_ended_meanwhile_is_not_taken_for_the_next_one() {
        let (driver, context) = Faulty::context();
        // Its capture is asked about each time.
        let stream = context.per_thread_stream();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let other = stream.clone();
        driver.at("after capture_info", move || {
            drop(other.end_capture().unwrap());
            other.begin_capture(CaptureMode::Relaxed).unwrap();
        });
        let graph = stream.capture_graph().unwrap();
        assert!(Arc::ptr_eq(&graph.0, &stream.end_capture().unwrap().0));
        drop(graph);
        assert_eq!((driver.graphs(), driver.violations()), (0, vec![]));
    }

    #[test]
    fn work_that_is_wrong_changes_nothing_in_the_capture() {
        let ((driver, context), (_, other)) = (Faulty::context(), Faulty::context());
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let child = Graph::create(&other).unwrap();
        assert_eq!(stream.capture_node(&NodeWork::Child(&child)).unwrap_err().status, Status::INVALID_CONTEXT);
        assert_eq!(driver.graphs(), 0, "the capture has not got a graph that is known");
        drop(stream.end_capture().unwrap());
    }

    #[test]
    fn a_condition_is_set_by_its_graph_alone() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 8).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let condition = stream.capture_graph().unwrap().create_condition(0).unwrap();
        stream.capture_condition_setter(condition, &buffer, 4).unwrap();
        assert_eq!(stream.capture_condition_setter(condition, &buffer, 6).unwrap_err().status, Status::INVALID_VALUE);
        let graph = stream.end_capture().unwrap();
        assert_eq!(graph.node_count().unwrap(), 1);
        // Another thread ended the capture, or began another one.
        let setting =
            |stream: &Stream| stream.capture_condition_setter(condition, &buffer, 4).map_err(|error| error.status);
        assert_eq!((setting(&stream), driver.executed()), (Err(Status::ILLEGAL_STATE), vec![]));
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        assert_eq!(setting(&stream), Err(Status::INVALID_VALUE));
        assert_eq!(stream.end_capture().unwrap().node_count().unwrap(), 0);
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn a_node_that_the_capture_does_not_go_on_from_is_taken_back() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let graph = stream.capture_graph().unwrap();
        let other = stream.clone();
        driver.at("update_capture_dependencies", move || drop(other.end_capture().unwrap()));
        driver.fail("update_capture_dependencies", Status::ILLEGAL_STATE);
        assert_eq!(stream.capture_node(&NodeWork::Empty).unwrap_err().status, Status::ILLEGAL_STATE);
        assert_eq!(graph.node_count().unwrap(), 0);
        assert_eq!(driver.violations(), Vec::<String>::new());
    }
}
