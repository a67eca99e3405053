//! Captures.

use super::forward::{forward, plain};
use super::{Faulty, State};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::*;

impl Faulty {
    /// Breaks all captures, as others do.
    pub(crate) fn break_captures(&self) {
        let streams: Vec<_> = self.state().captures.values().map(|&(stream, _)| stream).collect();
        for stream in streams {
            // It is barred, and breaks the capture.
            let _ = self.host.stream_synchronize(stream);
        }
    }

    /// Lists that the driver's graphs hold for captures that go on.
    pub(crate) fn held_by_captures(&self) -> Lists {
        self.state().captures.values().flat_map(|(_, held)| held.iter().cloned()).collect()
    }

    pub(crate) fn captures(&self) -> usize {
        self.state().captures.len()
    }

    pub(crate) fn updates(&self) -> Vec<Vec<(NodeId, EdgeData)>> {
        self.state().updates.clone()
    }

    fn begun(&self, stream: StreamId, kept: &[Retained]) -> impl FnOnce(&mut State, u64) {
        let kept = kept.iter().cloned().collect();
        move |state, number| _ = state.captures.insert(number, (stream, kept))
    }
}

impl Captures for Faulty {
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64> {
        self.call_noting("begin_capture", || self.host.begin_capture(stream, mode), self.begun(stream, &[]))
    }
    fn begin_capture_to_graph(
        &self,
        stream: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
        kept: &[Retained],
    ) -> Result<u64> {
        let effect = || self.host.begin_capture_to_graph(stream, graph, dependencies, mode, kept);
        self.call_noting("begin_capture_to_graph", effect, self.begun(stream, kept))
    }
    /// As others do: the graph goes on to hold what it held.
    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        let mut held = Lists::new();
        let graph = self.end_capture_with(stream, &mut held)?;
        self.state().retained.entry(graph).or_default().extend(held);
        Ok(graph)
    }
    fn end_capture_with(&self, stream: StreamId, held: &mut Lists) -> Result<GraphId> {
        self.call("end_capture", || {
            let number = self.host.capture_now(stream).map_or(0, |info| info.id);
            let ended = self.host.end_capture_with(stream, held);
            let goes_on = self.host.capture_now(stream).is_some_and(|info| info.id == number);
            let state = &mut *self.state();
            if let Some((_, lists)) = (!goes_on).then(|| state.captures.remove(&number)).flatten() {
                *held = lists;
            }
            let graph = ended?;
            state.graphs.insert(graph);
            Ok(graph)
        })
    }
    fn capture_now(&self, stream: StreamId) -> Option<CaptureInfo> {
        let none = || Error::new(Status::CAPTURE_IMPLICIT, "the host device says so");
        self.call("capture_info", || self.host.capture_now(stream).ok_or_else(none)).ok()
    }
    fn capture_graph(&self, stream: StreamId) -> Result<GraphId> {
        let note = |state: &mut State, graph| _ = state.graphs.insert(graph);
        self.call_noting("capture_graph", || self.host.capture_graph(stream), note)
    }
    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        let nodes: Vec<_> = nodes.iter().map(|&node| (node, EdgeData::NONE)).collect();
        self.update_capture_dependencies_with_data(stream, &nodes, update)
    }
    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()> {
        self.call("capture_retain", || {
            let number = self.host.capture_info(stream)?.id;
            match self.state().captures.get_mut(&number) {
                Some((_, held)) => held.push(retained),
                None => return super::failure(Status::ILLEGAL_STATE),
            }
            Ok(())
        })
    }
    forward! {
        fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo>;
        fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)>;
        fn capture_frontier(&self, stream: StreamId) -> Result<Vec<NodeId>>;
        fn capture_put(&self, stream: StreamId, graph: GraphId, work: &Work<'_>) -> Result<NodeId>;
    }
    plain! {
        fn log_position(&self) -> Option<u32>;
        fn log_since(&self, position: u32) -> Option<String>;
    }
}

impl Edges for Faulty {
    fn update_capture_dependencies_with_data(
        &self,
        stream: StreamId,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()> {
        let effect = || self.host.update_capture_dependencies_with_data(stream, nodes, update);
        self.call_noting("update_capture_dependencies", effect, |state, ()| state.updates.push(nodes.to_vec()))
    }
}
