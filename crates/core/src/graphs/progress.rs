//! Progress of the launch of a watched exec: which nodes have completed, and which should run.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use super::exec::{ExecInner, GraphExec};
use super::graph::Graph;
use super::marks::{Seen, WatchedNode};
use crate::state::Context;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::quoted;
use graphcap_driver::{check_caller, NodeId, NodeKind, RunningBody};

/// Lines of a text for nodes of one state, before the rest is only counted.
const MOST_LINES: usize = 64;

/// Graph execs that the message of a wait tells of, before the rest is only counted.
const MOST_EXECS: usize = 3;

/// Progress of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeState {
    /// It waits for a node that has not completed.
    Waits,
    /// All that it waits for has completed, and it has not: it runs, or is about to.
    Ready,
    /// It has completed.
    Completed,
}

/// A node of the graph that a watched exec was made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeProgress {
    /// The node of that graph.
    pub id: NodeId,
    /// Its kind, and its name or that of its kernel.
    pub label: String,
    /// Its progress.
    pub state: NodeState,
}

/// Progress of the launches of a watched exec, which run one after another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The name of the graph that the exec was made from.
    pub graph: Option<Arc<str>>,
    /// Number of launches that were asked for.
    pub launches: u64,
    /// Number of them that have begun. The last of these is the one that the nodes tell of.
    pub begun: u64,
    /// Tells whether it is not known which nodes that one has completed, as the exec is watched by events and a later launch was asked for:
    /// the states of the nodes tell nothing then.
    pub is_hidden: bool,
    /// The nodes, each behind those that it waits for.
    pub nodes: Vec<NodeProgress>,
    /// The conditional nodes that this launch is within, each before those in its bodies. Empty where the device does not tell them.
    pub within: Vec<BodyProgress>,
}

/// Progress of the body of a conditional node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BodyProgress {
    /// The conditional node, and what it does.
    pub conditional: (NodeId, String),
    /// Number of the body that runs.
    pub body: u32,
    /// The turn of a loop, from 1 on. `None` for other conditionals.
    pub turn: Option<u64>,
    /// The node of the body that runs, and what it does.
    pub runs: Option<(NodeId, String)>,
}

impl GraphExec {
    /// Returns how far the launches of a watched exec are, which [`ExecFlags::watched`](graphcap_driver::ExecFlags::watched)
    /// asks for. Reads memory of the host, or asks about events, and waits for nothing: it can be called while a launch hangs, by any
    /// thread.
    ///
    /// # Errors
    /// `NOT_FOUND` for an exec that is not watched; `NOT_PERMITTED` on a thread on which work runs; the status of a context that
    /// faulted, of an exec that is watched by events.
    pub fn progress(&self) -> Result<Progress> {
        check_caller()?;
        let watch = self.watched().ok_or_else(|| {
            Error::new(
                Status::NOT_FOUND,
                "the graph exec is not watched; instantiate the graph with GRAPHCAP_INSTANTIATE_WATCH",
            )
        })?;
        let Seen { begun, asked, completed } = watch.look()?;
        let is_hidden = completed.is_none();
        let has_completed = completed.unwrap_or_default();
        let is_through = |at: &u32| begun > 0 && has_completed.get(*at as usize) == Some(&true);
        let state = |at: usize, node: &WatchedNode| match begun > 0 && node.after.iter().all(is_through) {
            _ if is_hidden => NodeState::Waits,
            _ if is_through(&(at as u32)) => NodeState::Completed,
            true => NodeState::Ready,
            false => NodeState::Waits,
        };
        let nodes = watch.nodes.iter().enumerate();
        let nodes =
            nodes.map(|(at, node)| NodeProgress { id: node.id, label: node.label.clone(), state: state(at, node) });
        let within = self.within();
        let launches = self.num_replays().max(begun).max(if is_hidden { asked } else { 0 });
        Ok(Progress { graph: self.graph_name(), launches, begun, is_hidden, nodes: nodes.collect(), within })
    }

    /// The conditional nodes that a launch of the exec is within, each before those in its bodies. Waits for nothing. Empty where the
    /// device does not tell them.
    pub fn within(&self) -> Vec<BodyProgress> {
        let (entered, graph, names) = {
            let made = self.made();
            let (graph, names) = match self.watched() {
                Some(watch) => (&watch.graph, &watch.names),
                None => (made.origin(), made.names()),
            };
            let entered = self.context().driver().map_or_else(|_| Vec::new(), |driver| driver.exec_within(made.id()));
            (entered, graph.upgrade().map(Graph), Arc::clone(names))
        };
        // The graphs that the nodes told so far have as bodies.
        let mut graphs: Vec<Graph> = graph.into_iter().collect();
        let mut told = |node: NodeId| {
            let (node, name) = names.node(node);
            let found = graphs.iter().rev().find_map(|graph| graph.label_and_bodies(node));
            // The graph may be gone, of which the names are left.
            let (label, bodies) =
                found.unwrap_or_else(|| (name.map(|name| quoted(&name).to_string()).unwrap_or_default(), Vec::new()));
            graphs.extend(bodies);
            (node, label)
        };
        let body = |within: RunningBody| BodyProgress {
            conditional: told(within.node),
            body: within.body,
            turn: within.turn,
            runs: within.runs.map(&mut told),
        };
        entered.into_iter().map(body).collect()
    }

    /// Returns how far the launch is that goes on, in one line. `None` where none goes on, as far as is known.
    pub fn what_runs(&self) -> Option<String> {
        match self.is_watched() {
            true => self.progress().ok().filter(Progress::is_running).map(|progress| progress.summary()),
            false => within_words(&self.within()).map(|words| match self.graph_name() {
                Some(name) => format!("a launch of graph {} {words}", quoted(&name)),
                None => format!("a launch of a graph exec {words}"),
            }),
        }
    }

    /// Returns whether [`GraphExec::progress`] tells how far its launches are.
    pub fn is_watched(&self) -> bool {
        self.watched().is_some()
    }
}

impl Graph {
    /// The label and the bodies of a node of the graph, or of a child within it.
    fn label_and_bodies(&self, node: NodeId) -> Option<(String, Vec<Graph>)> {
        if let Ok(label) = self.node_label(node) {
            return Some((label, self.node_graphs(node).unwrap_or_default()));
        }
        let is_child = |&node: &NodeId| self.node_kind(node).is_ok_and(|kind| kind == NodeKind::Child);
        let children = self.nodes().map(|nodes| nodes.nodes).unwrap_or_default().into_iter().filter(is_child);
        children
            .flat_map(|node| self.node_graphs(node).unwrap_or_default())
            .find_map(|child| child.label_and_bodies(node))
    }
}

impl Context {
    /// The error of a wait of at most `limit`. Where it took too long, with what is known of the launches that go on; nothing is added
    /// to the answer of a call that only asks.
    #[cold]
    pub fn with_what_runs(&self, limit: Duration, error: Error) -> Error {
        if error.status != Status::TIMEOUT || limit.is_zero() {
            return error;
        }
        let execs = self.execs().live::<ExecInner>().into_iter().map(GraphExec::from_inner);
        let mut running = execs.filter_map(|exec| exec.what_runs());
        let mut message = error.message.into_owned();
        for text in running.by_ref().take(MOST_EXECS) {
            let _ = write!(message, "; {text}");
        }
        let more = running.count();
        if more > 0 {
            let _ = write!(message, "; {more} more graph execs run");
        }
        Error::new(error.status, message)
    }
}

/// Says within which conditional nodes a launch is: to go behind a name of the launch. `None` where it is within none.
fn within_words(within: &[BodyProgress]) -> Option<String> {
    let node = |(id, label): &(NodeId, String)| match label.is_empty() {
        true => format!("node {:#x}", id.0),
        false => format!("node {:#x} ({label})", id.0),
    };
    let words = within.iter().map(|one| {
        let turn = one.turn.map(|turn| format!("turn {turn} of ")).unwrap_or_default();
        let at = one.runs.as_ref().map(|runs| format!(", at {}", node(runs))).unwrap_or_default();
        format!("is in {turn}body {} of {}{at}", one.body, node(&one.conditional))
    });
    let words: Vec<_> = words.collect();
    (!words.is_empty()).then(|| words.join(", and "))
}

impl Progress {
    /// Returns whether a launch has begun and not completed all its nodes.
    pub fn is_running(&self) -> bool {
        self.begun > 0 && self.completed() < self.nodes.len()
    }

    /// Returns how many nodes have completed in the launch that began last.
    pub fn completed(&self) -> usize {
        self.of(NodeState::Completed).count()
    }

    /// The nodes that should run: if the launch hangs, one of these does.
    pub fn suspects(&self) -> impl Iterator<Item = &NodeProgress> {
        self.of(NodeState::Ready)
    }

    fn of(&self, state: NodeState) -> impl Iterator<Item = &NodeProgress> {
        self.nodes.iter().filter(move |node| node.state == state)
    }

    /// The progress in one line: the nodes that should run, and how many have completed.
    pub fn summary(&self) -> String {
        let (launches, begun, count) = (self.launches, self.begun, self.nodes.len());
        let of = self.graph.as_ref().map(|name| format!(" of graph {}", quoted(name))).unwrap_or_default();
        if !self.is_running() {
            return match launches - begun {
                0 => format!("all {launches} launches of the graph exec{of} have completed"),
                queued => format!("{begun} launches of the graph exec{of} have completed, and {queued} have not begun"),
            };
        }
        if self.is_hidden {
            return format!(
                "launch {begun} of {launches}{of} has begun and not completed; which of its {count} nodes it has completed is not known while \
                 later launches wait, as the graph exec is watched by events"
            );
        }
        let mut text =
            format!("launch {begun} of {launches}{of} has completed {} of {count} nodes and not", self.completed());
        let suspects = self.suspects().count();
        for (at, node) in self.suspects().take(4).enumerate() {
            let _ = write!(text, "{} node {:#x} ({})", if at == 0 { "" } else { "," }, node.id.0, node.label);
        }
        if suspects > 4 {
            let _ = write!(text, " and {} others that could run", suspects - 4);
        }
        if let Some(words) = within_words(&self.within) {
            let _ = write!(text, "; it {words}");
        }
        text
    }

    /// The progress in words: a first line that says it all, then the nodes by what is known of them, a line each.
    pub fn text(&self) -> String {
        let mut text = self.summary();
        text.push('\n');
        if self.is_running() && !self.is_hidden {
            self.list(&mut text, "could run and has not completed", NodeState::Ready);
            self.list(&mut text, "waits for these", NodeState::Waits);
            self.list(&mut text, "has completed", NodeState::Completed);
        }
        text
    }

    fn list(&self, text: &mut String, what: &str, state: NodeState) {
        for node in self.of(state).take(MOST_LINES) {
            let _ = writeln!(text, "  {what}: node {:#x} ({})", node.id.0, node.label);
        }
        let count = self.of(state).count();
        if count > MOST_LINES {
            let _ = writeln!(text, "  {what}: {} more", count - MOST_LINES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(begun: u64, states: &[NodeState]) -> Progress {
        let node = |(at, &state): (usize, &NodeState)| NodeProgress {
            id: NodeId(at as u64 + 16),
            label: format!("kernel \"k{at}\""),
            state,
        };
        Progress {
            graph: None,
            launches: 5,
            begun,
            is_hidden: false,
            nodes: states.iter().enumerate().map(node).collect(),
            within: Vec::new(),
        }
    }

    #[test]
    fn the_text_tells_first_what_could_run() {
        let told = progress(3, &[NodeState::Completed, NodeState::Ready, NodeState::Waits]);
        assert!(told.is_running());
        assert_eq!(
            told.text(),
            "launch 3 of 5 has completed 1 of 3 nodes and not node 0x11 (kernel \"k1\")\n  \
             could run and has not completed: node 0x11 (kernel \"k1\")\n  \
             waits for these: node 0x12 (kernel \"k2\")\n  \
             has completed: node 0x10 (kernel \"k0\")\n"
        );
    }

    #[test]
    fn the_turn_of_a_loop_and_the_node_of_its_body_are_told() {
        let body = |conditional: u64, turn, runs: u64| BodyProgress {
            conditional: (NodeId(conditional), "conditional \"loop\"".to_owned()),
            body: 0,
            turn,
            runs: Some((NodeId(runs), String::new())),
        };
        let words = within_words(&[body(16, Some(7), 32), body(32, None, 33)]).unwrap();
        assert_eq!(
            words,
            "is in turn 7 of body 0 of node 0x10 (conditional \"loop\"), at node 0x20, and is in body 0 of node 0x20 \
             (conditional \"loop\"), at node 0x21"
        );
        assert_eq!(within_words(&[]), None);
    }

    #[test]
    fn launches_that_have_not_begun_are_told() {
        let (done, none) = (progress(5, &[NodeState::Completed]), progress(0, &[NodeState::Waits]));
        assert_eq!(done.summary(), "all 5 launches of the graph exec have completed");
        assert_eq!(none.summary(), "0 launches of the graph exec have completed, and 5 have not begun");
        assert!(!done.is_running() && !none.is_running());
    }

    #[test]
    fn nodes_that_a_later_launch_hides_are_not_told() {
        let hidden = Progress { is_hidden: true, ..progress(2, &[NodeState::Waits, NodeState::Waits]) };
        assert!(hidden.is_running() && hidden.completed() == 0 && hidden.suspects().count() == 0);
        let text = hidden.text();
        assert!(text.starts_with("launch 2 of 5 has begun and not completed; which of its 2 nodes"), "{text}");
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn long_lists_are_cut() {
        let text = progress(1, &[NodeState::Ready; 100]).text();
        assert!(text.contains(" and 96 others that could run\n"), "{text}");
        assert!(text.ends_with("has not completed: 36 more\n"), "{text}");
        assert_eq!(text.lines().count(), 1 + MOST_LINES + 1);
    }
}
