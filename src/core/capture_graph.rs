//! The graph of a capture that goes on: nodes are added to it by hand, and the capture goes on from them.

use super::black_box::{self, About};
use super::graph::Graph;
use super::node_work::NodeWork;
use super::state::{GraphInner, Stream};
use crate::driver::{check_caller, DependencyUpdate, NodeId};
use crate::error::{Error, Result, Status};

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
    /// `CAPTURE_IMPLICIT` for the legacy stream while a blocking stream is captured; `NOT_SUPPORTED` for a capture that others
    /// began.
    pub fn capture_graph(&self) -> Result<Graph> {
        check_caller()?;
        self.known_graph().map_err(|error| black_box::failed(Some(self), About::Harmless(self.present_story()), error))
    }

    fn known_graph(&self) -> Result<Graph> {
        // Of a stream that joined, the one that the capture was begun on.
        let record = self.present();
        let origin = record.as_ref().and_then(|record| record.story.origin.upgrade()).map(Stream::of);
        let stream = origin.as_ref().unwrap_or(self);
        stream.membership_or_new().transition(None, || {
            let known = record.as_ref().filter(|record| record.goes_on()).and_then(|record| record.target());
            let id = self.driver().capture_graph(stream.id())?;
            if let Some(known) = known.filter(|known| known.id() == id) {
                return Ok(Graph(known));
            }
            let Some(record) = record else { return Err(not_begun_here()) };
            let graph = GraphInner::ended(self.context(), id);
            record.is_known_as(&graph)?;
            graph.let_others_know();
            Ok(Graph(graph))
        })
    }

    /// Puts a node into the stream's capture: it depends on what the stream recorded last, and what the stream records next depends
    /// on it. For work that no stream can be given, a child graph or a conditional; what streams can be given is recorded by
    /// their other methods.
    ///
    /// Threads: as [`Stream::capture_progress`].
    ///
    /// # Errors
    /// As [`Stream::capture_graph`] and [`Graph::add_node`].
    pub fn capture_node(&self, work: &NodeWork<'_>) -> Result<NodeId> {
        let graph = self.capture_graph()?;
        let (_, progress) = self.capture_progress()?;
        let node = graph.add_node(&progress.unwrap_or_default().frontier, work)?;
        self.update_capture_dependencies(&[node], DependencyUpdate::Set)?;
        Ok(node)
    }
}

#[cold]
fn not_begun_here() -> Error {
    Error::new(Status::NOT_SUPPORTED, "the capture was begun by others, so its graph cannot be had as a gc_graph")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::core::buffer::Buffer;
    use crate::core::fake_driver::FakeDriver;
    use crate::driver::StreamOptions;
    use crate::rules::CaptureMode;

    #[test]
    fn the_graph_of_a_capture_keeps_what_was_recorded_and_what_is_added() {
        let (driver, context) = FakeDriver::context();
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
        let (driver, context) = FakeDriver::context();
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
}
