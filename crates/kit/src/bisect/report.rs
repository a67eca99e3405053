//! Reports on searches for what makes a replay bad: as data, and in words.

use std::fmt::Write;

use crate::optimize::called;
use crate::step::FINDINGS_TOLD;
use graphcap_base::error::Result;
use graphcap_core::Graph;
use graphcap_driver::NodeId;

/// Result of a search for what makes a replay bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BisectOutcome {
    /// No replay of the graph was bad.
    Good,
    /// With all nodes off but those of the findings a replay is bad.
    Nodes,
    /// A replay is bad with all nodes off that can be, and good without any one of the findings.
    Without,
    /// Edges are missing, with which a replay is good.
    Order,
    /// Replays are bad, and it was not found by what.
    #[default]
    Unknown,
}

/// Part of a node in bad replays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Culprit {
    /// The node is of the smallest set that was found to make a replay bad.
    Node {
        /// Tells whether a replay is good in which this node alone is off.
        is_good_without: bool,
    },
    /// A replay is good in which this node alone is off.
    Without,
    /// The node has to wait for another one, and does not.
    Order {
        /// The other node.
        other: NodeId,
    },
}

/// Finding of a search for what makes a replay bad.
#[derive(Clone, Debug)]
pub struct BisectFinding {
    /// The node.
    pub node: NodeId,
    /// Its part.
    pub culprit: Culprit,
    /// The finding in words.
    pub text: String,
}

/// Report on a search for what makes a replay bad.
#[derive(Clone, Debug, Default)]
pub struct BisectReport {
    /// The result.
    pub outcome: BisectOutcome,
    /// The findings, up to 256, in the order in which the nodes run.
    pub findings: Vec<BisectFinding>,
    /// Number of findings.
    pub finding_count: u64,
    /// Tells whether the search ended early, so that the findings may be more or fewer than need be.
    pub is_stopped: bool,
    /// Tells whether replays gave the same answer again in the end.
    pub is_confirmed: bool,
    /// Tells whether the nodes were tried one after another, which takes a copy of the graph.
    pub is_order_tried: bool,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of nodes that cannot be off.
    pub held: usize,
    /// Number of replays.
    pub replays: u64,
    /// Number of replays of the graph as it is.
    pub recorded_replays: u32,
    /// Number of them that were bad.
    pub recorded_bad: u32,
    /// Number of bytes that were restored before each replay.
    pub bytes_saved: u64,
    /// Number of bytes that nodes write and that there was no room to save.
    pub bytes_left_out: u64,
    /// Number of nodes that may write memory that is not restored.
    pub unknown: usize,
}

impl BisectReport {
    pub(super) fn add(&mut self, graph: &Graph, node: NodeId, culprit: Culprit) -> Result<()> {
        self.finding_count += 1;
        if self.findings.len() < FINDINGS_TOLD {
            let name = called(graph, node)?;
            let text = match culprit {
                Culprit::Node { is_good_without: true } => format!("{name}: a replay is good when it alone is off"),
                Culprit::Node { is_good_without: false } => format!("{name}: a replay stays bad when it alone is off"),
                Culprit::Without => format!("{name}: a replay is good when it alone is off"),
                Culprit::Order { other } => format!(
                    "{name} has to wait for {}: no path orders them, and a replay is good with an edge between them",
                    called(graph, other)?
                ),
            };
            self.findings.push(BisectFinding { node, culprit, text });
        }
        Ok(())
    }

    /// The report in words: what was done, and a line for each finding.
    pub fn text(&self) -> String {
        let mut text = format!(
            "bisected: {} of {} replays of the graph were bad; {} replays in all, {} bytes restored before each\n",
            self.recorded_bad, self.recorded_replays, self.replays, self.bytes_saved
        );
        let is_bad = self.outcome != BisectOutcome::Good;
        let mut line = |is_told: bool, words: String| {
            if is_told {
                let _ = writeln!(text, "{words}");
            }
        };
        line(
            is_bad && self.recorded_bad < self.recorded_replays,
            "it is not the same in each replay; the more replays a trial has, the surer is the result".to_owned(),
        );
        line(self.bytes_left_out > 0, format!("{} bytes not restored, as there is no room", self.bytes_left_out));
        line(self.unknown > 0, format!("{} nodes may write memory that is not restored", self.unknown));
        line(self.held > 0, format!("{} of {} nodes cannot be off", self.held, self.nodes));
        line(self.is_stopped, "stopped before the end: there may be a smaller set".to_owned());
        let count = self.finding_count;
        line(
            true,
            match self.outcome {
                BisectOutcome::Good => "no replay was bad".to_owned(),
                BisectOutcome::Nodes => format!("with all nodes off but {count} a replay is bad:"),
                BisectOutcome::Without => {
                    format!("a replay is bad also with all nodes off; {count} of them make it so:")
                }
                BisectOutcome::Order => format!("a replay is good with {count} edges more:"),
                BisectOutcome::Unknown => "it was not found what makes a replay bad".to_owned(),
            },
        );
        self.findings.iter().for_each(|finding| line(true, finding.text.clone()));
        line(
            is_bad && !self.is_stopped && !self.findings.is_empty() && !self.is_confirmed,
            "tried again, it was otherwise: have a trial take more replays".to_owned(),
        );
        line(
            is_bad && !self.is_order_tried,
            "the nodes were not tried in order: the graph cannot be copied".to_owned(),
        );
        text
    }
}
