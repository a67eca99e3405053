//! Reports on graphs that were optimised: as data, and in words.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use super::accesses::{Barrier, Barriers, PartlyStated, SharedWorkspace};
use super::options::OptimizeOptions;
use super::plan::{Candidate, Plan};
use super::promises::{Promises, Unwritten};
use super::reasons::{called, reasons_by, write_pairs};
use graphcap_base::error::Result;
use graphcap_base::names::{is_called, listed, quoted};
use graphcap_core::{Graph, NodeParams};
use graphcap_driver::NodeId;

/// Groups of nodes that keep their place, kernels that were observed, and workspaces, that are told in words.
const MOST_PLACES: usize = 8;
const MOST_OBSERVED: usize = 4;
const MOST_WORKSPACES: usize = 3;

/// Time that a graph takes for each replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Time where replays are launched one behind another.
    pub pipelined: Duration,
    /// Time where each is waited for before the next one is launched.
    pub single: Duration,
    /// The CPU's time for a launch.
    pub launch: Duration,
}

/// A graph that was measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measured {
    /// Its edges.
    pub edges: Candidate,
    /// Number of lanes that its nodes are on; 0 with the recorded edges.
    pub lanes: usize,
    /// Number of nodes that it has besides those recorded.
    pub added_nodes: usize,
    /// Its time.
    pub timing: Timing,
}

impl Candidate {
    fn words(self, lanes: usize) -> String {
        match self {
            Candidate::AsRecorded => "as recorded".to_owned(),
            Candidate::Lanes => format!("on {lanes} lanes"),
            Candidate::Needed => format!("with needed edges alone, on {lanes} lanes"),
        }
    }
}

/// Report on a graph that was optimised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptimizeReport {
    /// Edges of the result.
    pub chosen: Candidate,
    /// Number of nodes, before.
    pub nodes: usize,
    /// Nodes that the result has besides: the kernels that do nothing, before all and behind all.
    pub added_nodes: usize,
    /// Number of edges, before and after.
    pub edges: (usize, usize),
    /// Nodes on the longest path, before and after.
    pub longest_path: (usize, usize),
    /// Number of lanes that the nodes are on; 0 where the edges are those that were recorded.
    pub lanes: usize,
    /// The nodes of the recorded graph that keep their place, and why.
    pub barriers: Barriers,
    /// The workspaces that products share which were recorded on one stream: where those are in order for nothing else, a workspace of
    /// its own for each lifts it.
    pub shared_workspaces: Vec<SharedWorkspace>,
    /// Number of graphs that the nodes of the graph have, also those within them, and number of these that have other edges now.
    pub inner: (usize, usize),
    /// Plan of what was made, to be made of later graphs.
    pub plan: Option<Plan>,
    /// The candidates that were measured; the first is the graph as it was recorded.
    pub measured: Vec<Measured>,
    /// The one of them that the result is.
    pub chosen_measured: usize,
    /// Reason for which nothing was measured, though it was asked for.
    pub not_measured: Option<String>,
    /// Reason for which nothing was observed, though it was asked for.
    pub not_observed: Option<String>,
}

/// The name of the kernel that a node launches, if it does.
fn kernel_name(graph: &Graph, node: NodeId) -> Result<Option<String>> {
    Ok(match graph.node_params(node)? {
        NodeParams::Kernel(kernel) => Some(kernel.name),
        _ => None,
    })
}

impl Barrier {
    /// Returns why the node keeps its place, and what to do about it.
    pub(super) fn sentence(self, graph: &Graph, node: NodeId) -> Result<String> {
        let kernel = kernel_name(graph, node)?.unwrap_or_default();
        let kernel = quoted(&kernel);
        Ok(match self {
            Barrier::UnknownKernel(PartlyStated::Nothing) => format!(
                "nothing is stated of what kernel {kernel} touches; state it with gc_kernel_set_accesses(), or of each buffer of the \
                 launch, or trust the parameters"
            ),
            Barrier::UnknownKernel(PartlyStated::Besides) => format!(
                "gc_kernel_set_buffer_access() states what kernel {kernel} touches beside its arguments, and nothing is stated of \
                 these; state it with gc_kernel_set_accesses(), or of each buffer of the launch"
            ),
            Barrier::UnknownKernel(PartlyStated::OtherArguments) => format!(
                "gc_kernel_set_accesses() stated what kernel {kernel} does with another number of arguments than the launch has; state \
                 it of as many"
            ),
            Barrier::UnknownKernel(PartlyStated::SomeBuffers) => format!(
                "the launch of kernel {kernel} states what it does with some of its buffers and not with all; state it of each buffer, \
                 or with gc_kernel_set_accesses()"
            ),
            Barrier::UnknownKernel(PartlyStated::NamedRead) => format!(
                "the statements by name say of kernel {kernel} that it reads alone, so it is not known what it writes; state what it writes"
            ),
            Barrier::UnknownKernel(PartlyStated::AllRead) => format!(
                "the launch of kernel {kernel} states of its buffers that they are read alone, so it is not known what the kernel writes; \
                 state GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE of what it writes, or state the accesses of the kernel with \
                 gc_kernel_set_accesses()"
            ),
            Barrier::UnknownArguments => format!(
                "what kernel {kernel} is given is not told: it gets its arguments in one block, which is taken apart where the \
                 parameters are trusted and nothing is stated of the kernel, or the driver is older than 12.4"
            ),
            Barrier::Unresolved(argument) => {
                format!("argument {argument} of kernel {kernel} points to no memory that is known; wrap that memory as a buffer")
            }
            Barrier::Unstated(argument) => format!(
                "argument {argument} of kernel {kernel} holds an address, and nothing is stated of it by the launch or by name; pass the \
                 buffer with its access, or state the accesses of the kernel"
            ),
            Barrier::SeenOutside(argument) => {
                let by = match argument {
                    Some(argument) => format!("by argument {argument} kernel {kernel}"),
                    None => format!("kernel {kernel} is stated by gc_kernel_set_buffer_access() to touch a buffer by which it"),
                };
                format!(
                    "{by} may write memory that the CPU or another device sees; have it write device memory, or promise that nobody looks \
                     (GRAPHCAP_OPTIMIZE_UNOBSERVED)"
                )
            }
            Barrier::Cooperative => format!("the launch of kernel {kernel} is cooperative, and runs beside nothing"),
            Barrier::SetsCondition => "it sets a condition, by which the conditional nodes behind it go".to_owned(),
            Barrier::Alone => format!("kernel {kernel} is stated to run beside nothing, by gc_kernel_set_concurrency()"),
            Barrier::Kind(kind) => format!("what a node of kind {} does may be seen from outside, or is not known", kind.name()),
            Barrier::CarryingEdge => "an edge of it carries something".to_owned(),
        })
    }
}

impl OptimizeReport {
    /// Of a graph that is as it was recorded, of so many nodes and edges, with so many nodes on the longest path.
    pub(super) fn of_recorded(nodes: usize, edges: usize, path: usize) -> OptimizeReport {
        OptimizeReport {
            chosen: Candidate::AsRecorded,
            nodes,
            added_nodes: 0,
            edges: (edges, edges),
            longest_path: (path, path),
            lanes: 0,
            barriers: Vec::new(),
            shared_workspaces: Vec::new(),
            inner: (0, 0),
            plan: None,
            measured: Vec::new(),
            chosen_measured: 0,
            not_measured: None,
            not_observed: None,
        }
    }

    /// The report in words, at most 40 lines: the gain; what was there and what is there; the candidates; and why it is not more, for
    /// nodes and pairs of nodes that are alike in one line, the most frequent ones first.
    ///
    /// The options are those by which the graph was optimised.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `graph`, which was optimised, does not have these nodes any more; the status of a context that faulted.
    pub fn text(&self, graph: &Graph, options: &OptimizeOptions) -> Result<String> {
        let _reading = graph.reading()?;
        let (edges, path) = (self.edges, self.longest_path);
        let mut text = self.gain(options);
        let _ =
            writeln!(text, "recorded: {} nodes, {} edges, {} nodes on the longest path", self.nodes, edges.0, path.0);
        let chosen = self.chosen.words(self.lanes);
        let _ = write!(text, "result: {chosen}, {} edges, {} nodes on the longest path", edges.1, path.1);
        match self.added_nodes {
            0 => text.push('\n'),
            added => {
                let _ = writeln!(text, ", {added} kernels added that do nothing, before all and behind all");
            }
        }
        self.write_measured(&mut text);
        for (what, reason) in [("measured, but estimated", &self.not_measured), ("observed", &self.not_observed)] {
            if let Some(reason) = reason {
                let _ = writeln!(text, "not {what}: {reason}");
            }
        }
        if self.inner.0 > 0 {
            let (all, changed) = self.inner;
            let _ = writeln!(text, "graphs within its nodes: {all}, of which {changed} have other edges now");
        }
        write_unwritten(&mut text, &self.promises().unwritten);
        if !options.shape_only {
            self.write_unused(&mut text, graph)?;
            self.write_places(&mut text, graph)?;
            write_pairs(&mut text, graph, &reasons_by(graph, self.promises())?)?;
        }
        for (number, &SharedWorkspace { address, bytes, nodes }) in self.shared_workspaces.iter().enumerate() {
            if number == MOST_WORKSPACES {
                let _ = writeln!(text, "and so do those of {} more workspaces", self.shared_workspaces.len() - number);
                break;
            }
            let _ = writeln!(
                text,
                "{nodes} nodes stay in order since they share the workspace of their stream's products, {bytes} bytes at {address:#x}; \
                 give each product one of its own with gc_sgemm_params::workspace_bytes"
            );
        }
        Ok(text)
    }

    /// Promises by which it was optimised, with what was observed.
    fn promises(&self) -> Promises {
        self.plan.as_ref().map_or_else(Promises::default, |plan| plan.0.promises.clone())
    }

    /// Number of addresses in arguments of kernels that count as read since no node was seen to write there.
    pub fn observed_count(&self) -> usize {
        self.promises().unwritten.values().map(BTreeSet::len).sum()
    }

    /// The first line: what was gained.
    fn gain(&self, options: &OptimizeOptions) -> String {
        let is_single = options.measures.is_some_and(|how| how.single);
        let of = |one: &Measured| if is_single { one.timing.single } else { one.timing.pipelined };
        let measured = self.measured.first().zip(self.measured.get(self.chosen_measured));
        let path = self.longest_path;
        match measured.map(|(recorded, chosen)| (of(recorded).as_secs_f64(), of(chosen).as_secs_f64())) {
            Some(_) if self.chosen_measured == 0 => {
                format!("no gain: the graph as recorded is the fastest of {} candidates\n", self.measured.len())
            }
            Some((recorded, chosen)) => {
                format!(
                    "gain: {:.3} times, {:.1} us instead of {:.1}\n",
                    recorded / chosen,
                    chosen * 1e6,
                    recorded * 1e6
                )
            }
            None if path.1 < path.0 => {
                format!("gain, estimated: a longest path of {} instead of {} nodes\n", path.1, path.0)
            }
            None => "no gain: no shorter path was found\n".to_owned(),
        }
    }

    fn write_measured(&self, text: &mut String) {
        for (number, one) in self.measured.iter().enumerate() {
            let Timing { pipelined, single, launch } = one.timing;
            let times = [pipelined, single, launch].map(|time| time.as_nanos() as f64 / 1e3);
            let _ = writeln!(
                text,
                "measured: {}{}: {:.1} us pipelined, {:.1} us one by one, {:.1} us of the CPU for a launch{}",
                one.edges.words(one.lanes),
                if one.added_nodes > 0 { " with kernels added" } else { "" },
                times[0],
                times[1],
                times[2],
                if number == self.chosen_measured { "; the result" } else { "" }
            );
        }
    }

    /// Tells of statements by name that no kernel of the graph has.
    fn write_unused(&self, text: &mut String, graph: &Graph) -> Result<()> {
        let statements = &self.promises().statements;
        if statements.is_empty() {
            return Ok(());
        }
        let mut names = BTreeSet::new();
        for node in graph.nodes()?.nodes {
            names.extend(kernel_name(graph, node)?);
        }
        let is_unused = |pattern: &str| !names.iter().any(|name| is_called(pattern, name));
        let unused: BTreeSet<&str> = statements.iter().map(|one| &*one.pattern).filter(|one| is_unused(one)).collect();
        if !unused.is_empty() {
            let unused: Vec<String> = unused.into_iter().map(|pattern| quoted(pattern).to_string()).collect();
            let _ = writeln!(text, "statements about no kernel of the graph: {}", listed(&unused));
        }
        Ok(())
    }

    /// A line for the nodes that keep their place for one reason.
    fn write_places(&self, text: &mut String, graph: &Graph) -> Result<()> {
        let mut groups: Vec<(Barrier, String, NodeId, usize)> = Vec::new();
        for &(node, barrier) in &self.barriers {
            let kernel = kernel_name(graph, node)?.unwrap_or_default();
            match groups.iter_mut().find(|group| group.0 == barrier && group.1 == kernel) {
                Some(group) => group.3 += 1,
                None => groups.push((barrier, kernel, node, 1)),
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.3));
        for &(barrier, _, node, count) in groups.iter().take(MOST_PLACES) {
            let (called, sentence) = (called(graph, node)?, barrier.sentence(graph, node)?);
            let _ = match count {
                1 => writeln!(text, "{called} keeps its place: {sentence}"),
                _ => writeln!(text, "{called} keeps its place, and so do {} more: {sentence}", count - 1),
            };
        }
        let others: usize = groups.iter().skip(MOST_PLACES).map(|group| group.3).sum();
        if others > 0 {
            let _ = writeln!(text, "and {others} more nodes keep their places; gc_graph_optimize_reasons() tells why");
        }
        Ok(())
    }
}

/// Names what counts as read since no node was seen to write it.
fn write_unwritten(text: &mut String, unwritten: &Unwritten) {
    if unwritten.is_empty() {
        return;
    }
    let all: usize = unwritten.values().map(BTreeSet::len).sum();
    let _ = writeln!(
        text,
        "observed: addresses that count as read by the promise of GRAPHCAP_OPTIMIZE_OBSERVE, since no node was seen to write there: {all}"
    );
    for ((_, name), places) in unwritten.iter().take(MOST_OBSERVED) {
        let told = places.iter().map(|(parameter, offset)| format!("parameter {parameter}, byte {offset}"));
        let told: Vec<String> = told.collect();
        let _ = writeln!(text, "observed: kernel {} reads by: {}", quoted(name), listed(&told));
    }
    if unwritten.len() > MOST_OBSERVED {
        let _ = writeln!(text, "observed: and {} more kernels", unwritten.len() - MOST_OBSERVED);
    }
}
