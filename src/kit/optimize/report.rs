//! How a graph is optimised, and what became of it: as data, and in words.

use std::fmt::Write;

use super::accesses::Barrier;
use crate::core::{Graph, NodeParams};
use crate::driver::NodeId;
use crate::error::Result;

/// How a graph is optimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OptimizeOptions {
    /// Keeps the edges as they are recorded, and changes the shape alone.
    pub shape_only: bool,
    /// A kernel of which nothing is stated touches what its arguments point to, writes all of that, and touches nothing else: it
    /// follows no pointer that lies in memory, and uses no variable of its module, no texture and no heap of the device.
    pub trusts_parameters: bool,
    /// At most so many nodes run at once; 0 for 128.
    pub lanes: usize,
}

/// Which edges the result has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// Those that were recorded.
    AsRecorded,
    /// Those that the work needs, on lanes.
    Lanes,
}

/// Nodes that keep their place, and why.
pub(crate) type Barriers = Vec<(NodeId, Barrier)>;

/// What became of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptimizeReport {
    /// Which edges the result has.
    pub chosen: Candidate,
    /// Number of nodes, before.
    pub nodes: usize,
    /// Nodes that the result has besides: the kernels that do nothing, before all and behind all.
    pub added_nodes: usize,
    /// Number of edges, before and after.
    pub edges: (usize, usize),
    /// Nodes on the longest path, before and after.
    pub longest_path: (usize, usize),
    /// How many lanes the nodes are on; 0 where the edges are those that were recorded.
    pub lanes: usize,
    /// The nodes of the recorded graph that keep their place, and why.
    pub barriers: Barriers,
}

impl Barrier {
    /// Why the node keeps its place, and what to do about it.
    fn sentence(self, graph: &Graph, node: NodeId) -> Result<String> {
        let kernel = match graph.node_params(node)? {
            NodeParams::Kernel(kernel) => kernel.name,
            _ => String::new(),
        };
        Ok(match self {
            Barrier::UnknownKernel => format!(
                "nothing is stated of what kernel {kernel:?} touches; state it with gc_kernel_set_accesses(), or trust the parameters"
            ),
            Barrier::UnknownArguments => format!(
                "what kernel {kernel:?} is given is not told: it gets its arguments in one block, or the driver is older than 12.4"
            ),
            Barrier::Unresolved(argument) => {
                format!("argument {argument} of kernel {kernel:?} points to no memory that is known; wrap that memory as a buffer")
            }
            Barrier::SeenOutside(argument) => format!(
                "by argument {argument} kernel {kernel:?} may write memory that the CPU or another device sees; have it write device memory"
            ),
            Barrier::Cooperative => format!("the launch of kernel {kernel:?} is cooperative, and runs beside nothing"),
            Barrier::Kind(kind) => format!("what a node of kind {} does may be seen from outside, or is not known", kind.name()),
            Barrier::CarryingEdge => "an edge of it carries something".to_owned(),
        })
    }
}

impl OptimizeReport {
    /// The report in words: a line for what was there and what is there, and one for each node that keeps its place.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `graph`, which was optimised, does not have these nodes any more; the status of a context that faulted.
    pub fn text(&self, graph: &Graph) -> Result<String> {
        let (edges, path) = (self.edges, self.longest_path);
        let mut text =
            format!("recorded: {} nodes, {} edges, {} nodes on the longest path\n", self.nodes, edges.0, path.0);
        let chosen = match self.chosen {
            Candidate::AsRecorded => "as recorded".to_owned(),
            Candidate::Lanes => format!("on {} lanes", self.lanes),
        };
        let _ = write!(text, "result: {chosen}, {} edges, {} nodes on the longest path", edges.1, path.1);
        match self.added_nodes {
            0 => text.push('\n'),
            added => {
                let _ = writeln!(text, ", {added} kernels added that do nothing, before all and behind all");
            }
        }
        for &(node, barrier) in &self.barriers {
            let _ = writeln!(text, "node {:#x} keeps its place: {}", node.0, barrier.sentence(graph, node)?);
        }
        Ok(text)
    }
}
