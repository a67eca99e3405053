//! Reports on verifications: as data, and in words.

use std::fmt::Write;

use crate::optimize::{byte_of_buffer, Trial};
use graphcap_base::names::quoted;
use graphcap_core::NodeParams;
use graphcap_driver::{Address, NodeId, NodeKind};

/// So many findings are told.
const MOST_FINDINGS: usize = 256;

/// A node of the recorded graph, for a reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedNode {
    /// The node.
    pub id: NodeId,
    /// Its name, or what it does.
    pub name: String,
}

/// The memory in which something is wrong, for a reader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPlace {
    /// Tells whether it is memory of the CPU's.
    pub is_host: bool,
    /// Name of the byte, where it lies in a buffer.
    pub byte: Option<String>,
}

/// Something that is wrong. Addresses are those of a byte by which it was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// A node writes bytes that it was not declared to write.
    Undeclared {
        /// The node.
        node: NamedNode,
        /// The first such byte.
        address: Address,
        /// Number of bytes that follow each other.
        bytes: u64,
        /// The memory.
        memory: MemoryPlace,
    },
    /// Two nodes write the same byte, and neither has to come before the other one.
    BothWrite {
        /// The one recorded first.
        first: NamedNode,
        /// The other one.
        second: NamedNode,
        /// The byte.
        address: Address,
        /// The memory.
        memory: MemoryPlace,
    },
    /// Two nodes need no order by what is declared, and another order of the two gives another result.
    Order {
        /// The one recorded first.
        first: NamedNode,
        /// The other one.
        second: NamedNode,
        /// A byte that differs.
        address: Address,
        /// The memory.
        memory: MemoryPlace,
    },
    /// Nodes that run side by side give another result than one after another, in each order that was tried.
    Lanes {
        /// On how many lanes.
        lanes: usize,
        /// A byte that differs.
        address: Address,
        /// The memory.
        memory: MemoryPlace,
    },
    /// The graph as it is recorded gives another result than its nodes one after another: it runs nodes at once that must not.
    Recorded {
        /// A byte that differs.
        address: Address,
        /// The memory.
        memory: MemoryPlace,
    },
}

/// Report on a verification.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VerifyReport {
    /// The findings. Empty where nothing was found.
    pub findings: Vec<Finding>,
    /// Number of findings; up to 256 are told.
    pub finding_count: u64,
    /// Tells whether the caller ended it early.
    pub stopped: bool,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of replays of all nodes.
    pub replays: u64,
    /// Number of orders that were tried.
    pub orders: u64,
    /// On how many lanes at most the nodes were replayed.
    pub lanes: usize,
    /// Number of pairs of nodes that need no order by what is declared; 0 in graphs of more than 2,048 nodes.
    pub pairs: u64,
    /// Number of those pairs that have run in both orders.
    pub pairs_tried: u64,
    /// Number of bytes that were compared.
    pub bytes_compared: u64,
    /// Number of bytes that were not, since they differ from replay to replay of the recorded graph.
    pub bytes_excluded: u64,
    /// Number of bytes, of memory that nodes reach and are not declared to write, that there was no room to save and compare.
    pub bytes_unwatched: u64,
}

impl NamedNode {
    fn of(trial: &Trial, place: u32) -> NamedNode {
        let Some((node, original)) = trial.node(place) else { return NamedNode { id: NodeId(0), name: String::new() } };
        let name = match (trial.copy().node_name(node), trial.copy().node_params(node)) {
            (Ok(Some(name)), _) => quoted(&name).to_string(),
            (_, Ok(NodeParams::Kernel(kernel))) if !kernel.name.is_empty() => {
                format!("kernel {}", quoted(&kernel.name))
            }
            (_, Ok(params)) => params.kind().name().to_owned(),
            (_, Err(_)) => NodeKind::Other.name().to_owned(),
        };
        NamedNode { id: original, name }
    }

    fn words(&self) -> String {
        format!("node {:#x} ({})", self.id.0, self.name)
    }
}

impl Finding {
    /// Returns what is wrong, and what to do about it.
    pub fn sentence(&self) -> String {
        match self {
            Finding::Undeclared { node, address, bytes, memory } => format!(
                "{} writes {bytes} bytes at {} that it is not declared to write; declare that it writes them",
                node.words(),
                place(*address, memory)
            ),
            Finding::BothWrite { first, second, address, memory } => format!(
                "{} and {} write the byte at {}, and nothing orders them; declare that both write it, or record an order",
                first.words(),
                second.words(),
                place(*address, memory)
            ),
            Finding::Order { first, second, address, memory } => format!(
                "the order of {} and {} matters, and by what is declared it does not: the byte at {} differs; declare what \
                 both touch",
                first.words(),
                second.words(),
                place(*address, memory)
            ),
            Finding::Lanes { lanes, address, memory } => format!(
                "on {lanes} lanes the byte at {} differs, and in no order of the nodes one after another; two nodes that run at \
                 once use the same memory in between",
                place(*address, memory)
            ),
            Finding::Recorded { address, memory } => format!(
                "the graph as recorded leaves another byte at {} than its nodes one after another; nodes that it runs at once \
                 use the same memory",
                place(*address, memory)
            ),
        }
    }

    pub(super) fn is_of_order(&self) -> bool {
        matches!(self, Finding::Order { .. })
    }
}

fn place(address: Address, memory: &MemoryPlace) -> String {
    let whose = if memory.is_host { "the CPU's " } else { "" };
    match &memory.byte {
        Some(byte) => format!("{whose}address {address:#x} ({byte})"),
        None => format!("{whose}address {address:#x}"),
    }
}

impl MemoryPlace {
    fn of(trial: &Trial, address: Address, is_host: bool) -> MemoryPlace {
        MemoryPlace { is_host, byte: byte_of_buffer(trial.copy().context(), address) }
    }
}

impl VerifyReport {
    /// Adds what `finding` makes of the names of nodes and the memory at an address.
    pub(super) fn add(
        &mut self,
        trial: &Trial,
        (address, is_host): (Address, bool),
        finding: impl FnOnce(&dyn Fn(u32) -> NamedNode, MemoryPlace) -> Finding,
    ) {
        self.finding_count += 1;
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(finding(&|node| NamedNode::of(trial, node), MemoryPlace::of(trial, address, is_host)));
        }
    }

    /// Adds that a node wrote bytes, to those that it wrote close before them.
    pub(super) fn add_undeclared(&mut self, trial: &Trial, node: u32, (from, to): (Address, Address), is_host: bool) {
        if let Some(Finding::Undeclared { node: last, address, bytes, .. }) = self.findings.last_mut() {
            let is_same = trial.node(node).is_some_and(|(_, original)| original == last.id);
            // Bytes in between may have been written with what was there.
            if is_same && (*address..=*address + *bytes + 64).contains(&from) {
                *bytes = to - *address;
                return;
            }
        }
        let bytes = to - from;
        self.add(trial, (from, is_host), |name, memory| Finding::Undeclared {
            node: name(node),
            address: from,
            bytes,
            memory,
        });
    }

    /// The finding that tells most: a pair of nodes whose order matters before all others.
    pub fn foremost(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.is_of_order()).or(self.findings.first())
    }

    /// Returns how many pairs were found whose order matters.
    pub(super) fn order_findings(&self) -> usize {
        self.findings.iter().filter(|finding| finding.is_of_order()).count()
    }

    /// The report in words: what was done, and a line for each finding.
    pub fn text(&self) -> String {
        let mut text = format!(
            "verified: {} nodes, {} replays, {} orders, {} of {} pairs in both orders, up to {} lanes\n",
            self.nodes, self.replays, self.orders, self.pairs_tried, self.pairs, self.lanes
        );
        let _ = writeln!(
            text,
            "{} bytes compared, {} differ from replay to replay as recorded, {} not watched",
            self.bytes_compared, self.bytes_excluded, self.bytes_unwatched
        );
        if self.stopped {
            text.push_str("stopped before the end\n");
        }
        match self.findings.len() {
            0 => text.push_str("nothing wrong was found\n"),
            _ => self.findings.iter().for_each(|finding| {
                let _ = writeln!(text, "{}", finding.sentence());
            }),
        }
        text
    }
}
