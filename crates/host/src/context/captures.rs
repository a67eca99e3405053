//! Captures of streams: begun, asked about, changed, ended.

use std::sync::Arc;

use super::{no_natives, HostContext};
use crate::capture::{self, Ended};
use crate::graph::nesting::Located;
use crate::graph::Graph;
use crate::shared::OBJECTS;
use graphcap_base::error::Result;
use graphcap_driver::ids::enter;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{
    callbacks, CaptureInfo, CaptureProgress, Captures, DependencyUpdate, EdgeData, GraphId, Lists, NodeId, Retained,
    StreamId, Work,
};

impl Captures for HostContext {
    fn begin_capture(&self, stream: StreamId, mode: CaptureMode) -> Result<u64> {
        self.check_call()?;
        capture::begin(&*self.stream(stream)?, mode)
    }

    fn begin_capture_to_graph(
        &self,
        stream: StreamId,
        graph: GraphId,
        dependencies: &[NodeId],
        mode: CaptureMode,
        _: &[Retained],
    ) -> Result<u64> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        let located = Arc::clone(&*self.located(graph)?);
        self.graph_at(graph, |_, _| Ok(()))?;
        capture::begin_to_graph(&stream, graph, &located, dependencies, mode)
    }

    fn end_capture_with(&self, stream: StreamId, _: &mut Lists) -> Result<GraphId> {
        callbacks::check_caller()?;
        // Also on a faulted context: a capture that cannot be ended would bar other contexts for ever.
        let ended = capture::end(&*self.stream(stream)?);
        self.check_fault()?;
        match ended? {
            Ended::New(definition) => self.enter_graph(Graph::new(definition, self.number())),
            Ended::Known(graph) => Ok(graph),
        }
    }

    fn capture_info(&self, stream: StreamId) -> Result<CaptureInfo> {
        self.check_call()?;
        capture::info(&*self.stream(stream)?)
    }

    fn capture_progress(&self, stream: StreamId) -> Result<(CaptureInfo, Option<CaptureProgress>)> {
        self.check_call()?;
        capture::progress(&*self.stream(stream)?)
    }

    fn capture_frontier(&self, stream: StreamId) -> Result<Vec<NodeId>> {
        self.check_call()?;
        capture::frontier(&*self.stream(stream)?)
    }

    fn capture_graph(&self, stream: StreamId) -> Result<GraphId> {
        self.check_call()?;
        let enter = |graph: &Arc<Located>| enter(&OBJECTS.graphs, Arc::clone(graph), "graphs").map(GraphId);
        capture::known_graph(&*self.stream(stream)?, self.number(), enter)
    }

    fn update_capture_dependencies(&self, stream: StreamId, nodes: &[NodeId], update: DependencyUpdate) -> Result<()> {
        self.check_call()?;
        let nodes: Vec<_> = nodes.iter().map(|&node| (node, EdgeData::NONE)).collect();
        capture::update_dependencies(&*self.stream(stream)?, &nodes, update)
    }

    fn capture_put(&self, stream: StreamId, graph: GraphId, work: &Work<'_>) -> Result<NodeId> {
        self.check_call()?;
        let mut action = Some(self.node_action(work, Some(graph))?);
        capture::put(&*self.stream(stream)?, graph, &mut action)
    }

    fn capture_retain(&self, _: StreamId, _: Retained) -> Result<()> {
        Err(no_natives())
    }
}
