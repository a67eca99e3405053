//! Reports on searches for what makes a replay bad: as data, and in words.

use std::fmt::Write;

use crate::optimize::called;
use crate::step::FINDINGS_TOLD;
use graphcap_base::error::Result;
use graphcap_core::Graph;
use graphcap_driver::NodeId;

/// Result of a search for what makes a replay bad, with the number that C has for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BisectOutcome {
    /// No replay of the graph that was judged was bad.
    Good = 0,
    /// With all nodes off but those of the findings a replay is bad.
    Nodes = 1,
    /// A replay is bad with all nodes off that can be, and good without any one of the findings.
    Without = 2,
    /// Edges are missing, with which a replay is good.
    Order = 3,
    /// Replays are bad, and it was not found by what; or none was judged.
    #[default]
    Unknown = 4,
}

/// Part of a node in bad replays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Culprit {
    /// The node is of the smallest set that was found to make a replay bad.
    Node {
        /// Tells whether a replay is good in which this node alone is off; `None` if that was not tried.
        is_good_without: Option<bool>,
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
    /// Number of nodes that cannot be switched off.
    pub always_on: usize,
    /// Number of replays.
    pub replays: u64,
    /// Number of replays of the graph as it is.
    pub recorded_replays: u32,
    /// Number of them that were bad.
    pub recorded_bad: u32,
    /// Number of bytes that were restored before each replay.
    pub bytes_saved: u64,
    /// Number of nodes that may write memory that is not restored.
    pub unknown: usize,
}

impl BisectReport {
    pub(super) fn add(&mut self, graph: &Graph, node: NodeId, culprit: Culprit) -> Result<()> {
        self.finding_count += 1;
        if self.findings.len() < FINDINGS_TOLD {
            let name = called(graph, node)?;
            let text = match culprit {
                Culprit::Node { is_good_without: None } => name,
                Culprit::Node { is_good_without: Some(false) } => {
                    format!("{name}: a replay stays bad when it alone is off")
                }
                Culprit::Node { is_good_without: Some(true) } | Culprit::Without => {
                    format!("{name}: a replay is good when it alone is off")
                }
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
            self.recorded_bad > 0 && self.recorded_bad < self.recorded_replays,
            "it is not the same in each replay; the more replays a trial has, the surer is the result".to_owned(),
        );
        line(self.unknown > 0, format!("{} nodes may write memory that is not restored", self.unknown));
        line(self.always_on > 0, format!("{} of {} nodes cannot be switched off", self.always_on, self.nodes));
        let more = if self.findings.is_empty() { "" } else { ": there may be a smaller set" };
        line(self.is_stopped, format!("stopped before the end{more}"));
        let count = self.finding_count;
        line(
            true,
            match self.outcome {
                BisectOutcome::Good => "no replay was bad".to_owned(),
                BisectOutcome::Nodes => format!("with all nodes off but {count} a replay is bad:"),
                BisectOutcome::Without => {
                    "a replay is bad also with all nodes off, and good without any one of these:".to_owned()
                }
                BisectOutcome::Order if count == 1 => "a replay is good with one more edge:".to_owned(),
                BisectOutcome::Order => format!("a replay is good with {count} more edges:"),
                BisectOutcome::Unknown if self.recorded_replays == 0 => "no replay was judged".to_owned(),
                BisectOutcome::Unknown => "it was not found what makes a replay bad".to_owned(),
            },
        );
        self.findings.iter().for_each(|finding| line(true, finding.text.clone()));
        line(
            is_bad && !self.is_stopped && !self.findings.is_empty() && !self.is_confirmed,
            "tried again, it was otherwise: have a trial take more replays".to_owned(),
        );
        line(
            is_bad && !self.is_stopped && !self.is_order_tried,
            "the nodes were not tried in order: the graph cannot be copied".to_owned(),
        );
        text
    }
}
