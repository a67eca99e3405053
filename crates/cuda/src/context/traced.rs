//! Execs in a trace: described by what they were made of, and their launches.

use crate::context::CudaContext;
use crate::exec::Exec;
use crate::profiler;
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_base::names::quoted;
use graphcap_driver::rules::outline::Outline;
use graphcap_driver::{ExecNames, NodeId, StreamId};
use graphcap_observe::clock;
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::trace::{self, Replay, Span};

impl CudaContext {
    /// The number of an exec in the trace that goes on, which describes it from now on; 0 where none does.
    pub(super) fn number_in_trace(&self, exec: &Exec) -> u32 {
        if !trace::is_on() {
            return 0;
        }
        let (number, is_new) = exec.traced.number();
        if is_new {
            self.name_in_trace(exec, number);
        }
        number
    }

    /// Writes that an exec is launched by the calling thread, which `launch` does.
    #[cold]
    pub(super) fn trace_launch(
        &self,
        exec: &Exec,
        stream: StreamId,
        launch: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        // Launches of others record the same events.
        let timed = exec.traced.timed.as_ref().filter(|_| !exec.is_given_out());
        let timed = timed.map(|timed| (timed, timed.begin_launch()));
        let (outer, range) = self.begin_in_trace(exec, stream);
        let launched = launch();
        if let (Some((timed, mut launch)), Ok(())) = (timed, &launched) {
            let is_new = profiler::number_launch().is_some_and(|number| launch.made(number, stream.in_trace()));
            if is_new {
                profiler::watch(timed);
            }
        }
        trace::close(range);
        trace::exchange_replay(outer);
        launched
    }

    /// Gives the launch that the thread worked on before, and a range for a tool.
    fn begin_in_trace(&self, exec: &Exec, stream: StreamId) -> (Replay, Option<Span>) {
        let begin = clock::stamp();
        let number = self.number_in_trace(exec);
        let launch = exec.traced.count_launch();
        let stream = stream.in_trace();
        trace::put(&Entry { begin, exec: number, launch, stream, ..Entry::of(Kind::Launch) });
        let range = trace::open_range(&Entry { exec: number, ..Entry::of(Kind::Replay) });
        (trace::exchange_replay(Replay { exec: number, launch, stream }), range)
    }

    /// Writes what the exec and its nodes are called. Where the driver's numbers of the nodes are not known for sure, the trace has no more
    /// of the nodes than their kernels: where nodes were removed from the graph, or others were added to it, or the graph is gone.
    fn name_in_trace(&self, exec: &Exec, number: u32) {
        let names = exec.traced.names();
        let graph = names.as_ref().and_then(|names| names.graph());
        let mut graph = graph.map_or_else(|| "a graph".to_owned(), |name| format!("graph {}", quoted(&name)));
        if exec.traced.timed.is_some() {
            graph.push_str(", perturbed: with events around its nodes");
        }
        trace::put(&Entry { exec: number, name: trace::text(&graph), ..Entry::of(Kind::Exec) });
        // A tool that takes ranges is told of no node of a CUDA device.
        if !trace::is_written() {
            return;
        }
        let is_numbered = match exec.traced.timed {
            Some(_) => profiler::wants_events(),
            None => exec.facts.ends.is_none() && !lock(&exec.root).nodes.has_removed(),
        };
        if !is_numbered || self.write_down_exec(exec).is_err() {
            return;
        }
        let Some(outline) = exec.facts.shape.outline() else { return };
        Describing { exec: number, names: names.as_deref(), next: outline.nodes.len() as u32 }.write(outline, 0);
    }
}

/// An exec that is described. The driver numbers the nodes of the graph in the order in which they were made, and behind them those of graphs
/// within, a node's before those of the next (measured with CUPTI 13.0).
struct Describing<'a> {
    exec: u32,
    names: Option<&'a dyn ExecNames>,
    next: u32,
}

impl Describing<'_> {
    /// Writes the nodes of a graph, of which the first one has the number `first`.
    fn write(&mut self, graph: &Outline, first: u32) {
        for (number, node) in (first..).zip(&graph.nodes) {
            let (id, name) = self.names.map_or((NodeId(node.id), None), |names| names.node(NodeId(node.id)));
            let name = trace::text(name.as_deref().unwrap_or_default());
            trace::put(&Entry { exec: self.exec, number, name, duration: id.0, ..Entry::of(Kind::Step) });
            node.dependencies.iter().for_each(|from| self.edge(first + from, number));
        }
        for (number, node) in (first..).zip(&graph.nodes) {
            for within in &node.graphs {
                let start = self.next;
                self.next += within.nodes.len() as u32;
                self.write(within, start);
                for (inner, of) in (start..).zip(&within.nodes) {
                    self.edge(inner, number);
                    let before = node.dependencies.iter().filter(|_| of.dependencies.is_empty());
                    before.for_each(|from| self.edge(first + from, inner));
                }
            }
        }
    }

    fn edge(&self, name: u32, number: u32) {
        trace::put(&Entry { exec: self.exec, name, number, ..Entry::of(Kind::Edge) });
    }
}
