//! The fake driver's captures.

use super::graphs::Plan;
use super::work::FakeNodes;
use super::{failure, key, FakeDriver, Key, State};
use graphcap_base::error::{Result, Status};
use graphcap_base::lock::lock;
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::rules::{self, CaptureMode};
use graphcap_driver::*;

pub(super) struct Capture {
    pub(super) origin: Key,
    pub(super) mode: CaptureMode,
    pub(super) began_by: ThreadNumber,
    pub(super) broken: bool,
    pub(super) nodes: FakeNodes,
    pub(super) retained: Lists,
    /// The graph that it goes into, if that was there before.
    pub(super) graph: Option<GraphId>,
}

impl State {
    pub(super) fn end(&mut self, capture: u64) -> Option<Capture> {
        self.captured.retain(|_, &mut of| of != capture);
        self.captures.remove(&capture)
    }
}

impl FakeDriver {
    /// Breaks all captures, as others do.
    pub(crate) fn break_captures(&self) {
        lock(&self.state).captures.values_mut().for_each(|capture| capture.broken = true);
    }

    /// Lists that the driver's graphs hold for captures that go on.
    pub(crate) fn held_by_captures(&self) -> Lists {
        lock(&self.state).captures.values().flat_map(|capture| capture.retained.iter().cloned()).collect()
    }

    pub(crate) fn captures(&self) -> usize {
        lock(&self.state).captures.len()
    }

    pub(crate) fn updates(&self) -> Vec<Vec<(NodeId, EdgeData)>> {
        lock(&self.state).updates.clone()
    }
}

impl Captures for FakeDriver {
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64> {
        self.call_on("begin_capture", stream, |state| {
            if state.captured.contains_key(&key(stream)) {
                return failure(Status::ILLEGAL_STATE);
            }
            let id = state.id();
            state.captured.insert(key(stream), id);
            let began_by = this_thread();
            state.captures.insert(
                id,
                Capture {
                    origin: key(stream),
                    mode,
                    began_by,
                    broken: false,
                    nodes: FakeNodes::default(),
                    retained: Lists::new(),
                    graph: None,
                },
            );
            Ok(id)
        })
    }
    fn begin_capture_to_graph(
        &self,
        stream: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
        kept: &[Retained],
    ) -> Result<u64> {
        // No graph has nodes here that could be named.
        if !dependencies.is_empty() {
            return failure(Status::INVALID_VALUE);
        }
        self.call("begin_capture_to_graph", |_| Ok(()))?;
        let id = self.begin_capture(stream, mode)?;
        let mut state = lock(&self.state);
        let capture = state.captures.get_mut(&id).unwrap();
        capture.graph = Some(graph);
        capture.retained.extend(kept.iter().cloned());
        Ok(id)
    }
    /// As others do: the graph goes on to hold what it held.
    fn end_capture(&self, stream: StreamId) -> Result<GraphId> {
        let mut held = Lists::new();
        let graph = self.end_capture_with(stream, &mut held)?;
        lock(&self.state).graphs.get_mut(&graph).unwrap().retained.extend(held);
        Ok(graph)
    }
    fn end_capture_with(&self, stream: StreamId, held: &mut Lists) -> Result<GraphId> {
        self.call_on("end_capture", stream, |state| {
            let Some(&id) = state.captured.get(&key(stream)) else { return failure(Status::ILLEGAL_STATE) };
            let capture = state.captures.get_mut(&id).unwrap();
            if capture.origin != key(stream) {
                capture.broken = true;
                return failure(Status::CAPTURE_UNMATCHED);
            }
            let permitted = rules::may_end(capture.mode, capture.began_by, this_thread());
            let capture = state.end(id).unwrap();
            if !permitted {
                return failure(Status::CAPTURE_WRONG_THREAD);
            }
            if capture.broken {
                return failure(Status::CAPTURE_INVALIDATED);
            }
            *held = capture.retained;
            if let Some(graph) = capture.graph {
                return Ok(graph);
            }
            let graph = GraphId(state.id());
            state.graphs.insert(graph, Plan { nodes: capture.nodes, ..Plan::default() });
            Ok(graph)
        })
    }
    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        self.call_on("capture_info", stream, |state| {
            let id = state.captured.get(&key(stream)).copied().unwrap_or(0);
            let status = match state.captures.get(&id) {
                None => CaptureStatus::None,
                Some(capture) if capture.broken => CaptureStatus::Invalidated,
                Some(_) => CaptureStatus::Active,
            };
            Ok(CaptureInfo { status, id })
        })
    }
    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        let info = self.capture_info(stream)?;
        self.call_on("capture_progress", stream, |state| {
            let progress = state.captures.get(&info.id).filter(|capture| !capture.broken).map(|capture| {
                let nodes = capture.graph.map_or(capture.nodes.len(), |graph| state.graphs[&graph].nodes.len());
                CaptureProgress { nodes, ..CaptureProgress::default() }
            });
            Ok((info, progress))
        })
    }
    fn capture_graph(&self, stream: StreamId) -> Result<GraphId> {
        self.call_on("capture_graph", stream, |state| {
            let graph = GraphId(state.id());
            let Some(id) = state.captured.get(&key(stream)) else { return failure(Status::ILLEGAL_STATE) };
            let capture = state.captures.get_mut(id).unwrap();
            if let Some(known) = capture.graph {
                return Ok(known);
            }
            let nodes = std::mem::take(&mut capture.nodes);
            state.graphs.insert(graph, Plan { nodes, ..Plan::default() });
            capture.graph = Some(graph);
            Ok(graph)
        })
    }
    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        let nodes: Vec<_> = nodes.iter().map(|&node| (node, EdgeData::NONE)).collect();
        self.update_capture_dependencies_with_data(stream, &nodes, update)
    }
    fn capture_put(&self, stream: StreamId, graph: GraphId, work: &Work<'_>) -> Result<NodeId> {
        self.call_on("capture_put", stream, |_| Ok(()))?;
        self.graph_add_node(graph, &[], work)
    }
    fn capture_retain(&self, stream: StreamId, retained: Retained) -> Result<()> {
        self.call_on("capture_retain", stream, |state| {
            let id = state.captured.get(&key(stream)).copied();
            match id.and_then(|id| state.captures.get_mut(&id)) {
                Some(capture) => capture.retained.push(retained),
                None => return failure(Status::ILLEGAL_STATE),
            }
            Ok(())
        })
    }
}
