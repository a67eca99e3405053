//! Reports on stepped replays: as data, and in words.

use std::fmt::Write;
use std::time::Duration;

use crate::check::Severity;
use crate::optimize::byte_of_buffer;
use graphcap_core::Graph;
use graphcap_driver::{Address, NodeId};

/// Findings that are told at most.
pub(crate) const FINDINGS_TOLD: usize = 256;

/// Finding of a stepped replay.
#[derive(Clone, Debug)]
pub struct StepFinding {
    /// The node; 0 where the nodes run together.
    pub node: NodeId,
    /// The kind of the finding, with what belongs to it.
    pub flaw: StepFlaw,
    /// The finding in words.
    pub text: String,
}

/// Kind of a finding of a stepped replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepFlaw {
    /// The node wrote values that are not finite, of memory whose kind the caller told.
    NotFinite {
        /// The first such value.
        address: Address,
        /// The number of bytes of the pieces of memory that have such values.
        bytes: u64,
        /// The number of the values.
        count: u64,
        /// Tells whether an earlier node wrote such values, so that this one may only have passed them on.
        is_passed_on: bool,
    },
    /// The node changed memory that it is not declared to write.
    Undeclared {
        /// The first byte of a piece of memory that it changed.
        address: Address,
        /// The number of bytes of that piece.
        bytes: u64,
    },
    /// The node did not leave what was expected.
    Differs {
        /// The first byte that it writes.
        address: Address,
        /// The number of bytes that it writes.
        bytes: u64,
    },
    /// The node wrote bytes that depend on scratch memory which nothing wrote before.
    Unwritten {
        /// The first byte that it wrote so.
        address: Address,
        /// The number of such bytes.
        bytes: u64,
    },
    /// It is not known what the node writes, beside what its arguments point to.
    NotWatched,
}

impl StepFlaw {
    /// The weight of the finding.
    pub fn severity(&self) -> Severity {
        match self {
            StepFlaw::NotFinite { is_passed_on: true, .. } | StepFlaw::NotWatched => Severity::Note,
            _ => Severity::Error,
        }
    }

    /// Returns what the node does, behind its name.
    fn sentence(&self, graph: &Graph) -> String {
        let place = |address: Address| match byte_of_buffer(graph.context(), address) {
            Some(byte) => format!("{address:#x}, {byte}"),
            None => format!("{address:#x}"),
        };
        match *self {
            StepFlaw::NotFinite { address, count, is_passed_on, .. } => format!(
                "writes {count} values that are not finite, the first at {}{}",
                place(address),
                if is_passed_on { "; an earlier node wrote such values" } else { "" }
            ),
            StepFlaw::Undeclared { address, bytes } => format!(
                "changes memory that it is not declared to write, among the {bytes} bytes at {}; it overruns its own, or declare it",
                place(address)
            ),
            StepFlaw::Differs { address, bytes } => {
                format!("does not leave what is expected in the {bytes} bytes that it writes, from {} on", place(address))
            }
            StepFlaw::Unwritten { address, bytes } => format!(
                "reads scratch memory that no node wrote before: {bytes} bytes that it writes depend on that, from {} on",
                place(address)
            ),
            StepFlaw::NotWatched => "may write memory that is not looked at".to_owned(),
        }
    }
}

/// Report on a stepped replay.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// The findings, up to 256, in the order in which the nodes ran.
    pub findings: Vec<StepFinding>,
    /// Number of findings.
    pub finding_count: u64,
    /// Tells whether the caller ended it early.
    pub is_stopped: bool,
    /// Number of nodes of the graph.
    pub nodes: usize,
    /// Number of nodes that ran.
    pub run: usize,
    /// Number of nodes that ran together, since they cannot be parted.
    pub together: usize,
    /// Number of bytes that were saved before and restored after.
    pub bytes_saved: u64,
    /// Number of bytes of memory that nodes write and that there was no room to save.
    pub bytes_unwatched: u64,
    /// Time that the nodes took, with the looks at memory.
    pub time: Duration,
}

impl StepReport {
    /// Adds a finding about a node, which has this name.
    pub(super) fn add(&mut self, graph: &Graph, (node, name): (NodeId, &str), flaw: StepFlaw) {
        self.finding_count += 1;
        if self.findings.len() < FINDINGS_TOLD {
            let severity = if flaw.severity() == Severity::Error { "error" } else { "note" };
            let text = format!("{severity}: {name} {}", flaw.sentence(graph));
            self.findings.push(StepFinding { node, flaw, text });
        }
    }

    /// The report in words: what was done, and a line for each finding.
    pub fn text(&self) -> String {
        let mut text = format!(
            "stepped: {} of {} nodes in {:.3} ms, {} bytes restored\n",
            self.run,
            self.nodes,
            self.time.as_secs_f64() * 1e3,
            self.bytes_saved
        );
        let mut line = |is_told: bool, words: String| {
            if is_told {
                let _ = writeln!(text, "{words}");
            }
        };
        line(self.together > 0, format!("{} nodes ran together, as they cannot be parted", self.together));
        line(self.bytes_unwatched > 0, format!("{} bytes neither restored nor looked at", self.bytes_unwatched));
        line(self.is_stopped, "stopped before the end".to_owned());
        self.findings.iter().for_each(|finding| line(true, finding.text.clone()));
        line(self.finding_count == 0, "nothing wrong was found".to_owned());
        text
    }
}
