//! Memory that replays of a graph write, so that it can be saved before and restored after; and which graphs must not be replayed for
//! a trial.

use std::fmt::Write;
use std::sync::Arc;

use super::accesses::{copied, filled, Barrier, Reader};
use super::promises::Promises;
use super::recorded::{works_of, Works};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::quoted;
use graphcap_core::{
    ArgumentBytes, Context, Graph, KernelParams, Meaning, MemoryRanges, NodeParams, OwnedArguments, Parameter,
};
use graphcap_driver::rules::order::Touch;
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::{MemcpyKind, NodeId, NodeKind, ReadKernels, ValueAction, ValueOperation};

/// Acts that trial replays of a graph may do though they cannot be undone, because the caller says that it does no harm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Permits {
    /// Host functions are called at each replay. What they write is neither saved nor compared.
    pub host_functions: bool,
    /// Events are recorded and waited for at each replay.
    pub events: bool,
    /// Values are written and waited for at each replay. What is waited for must come each time.
    pub values: bool,
    /// Memory of other devices is written, and what others write there meanwhile is lost.
    pub other_devices: bool,
    /// Nodes run of which it is not known what they write. What their arguments point to counts as written; more is neither saved nor
    /// compared.
    pub unknown: bool,
}

/// Memory that a node writes, as far as that is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeWrites {
    /// Memory that it writes, by what is declared.
    pub(crate) writes: MemoryRanges,
    /// Memory that it touches, and all other memory that its arguments point into.
    pub(crate) reaches: MemoryRanges,
    /// False for a node that may write something else, which the caller permits.
    pub(crate) is_complete: bool,
}

impl NodeWrites {
    /// The memory that several nodes write together.
    pub(crate) fn of_all(all: &[NodeWrites]) -> NodeWrites {
        NodeWrites {
            writes: MemoryRanges::of(all.iter().map(|one| &one.writes).collect::<Vec<_>>()),
            reaches: MemoryRanges::of(all.iter().map(|one| &one.reaches).collect::<Vec<_>>()),
            is_complete: all.iter().all(|one| one.is_complete),
        }
    }
}

/// Reason for which a graph must not be replayed for a trial: a sentence that goes behind the name of a node.
pub(crate) type Refusal = String;

/// Reads what nodes of a graph write.
pub(crate) struct WriteReader<'a> {
    reader: Reader<'a>,
    permits: Permits,
}

impl<'a> WriteReader<'a> {
    pub(crate) fn new(graph: &'a Graph, promises: Promises, permits: Permits) -> WriteReader<'a> {
        WriteReader { reader: Reader::new(graph, promises), permits }
    }

    /// Returns what a node writes; or why it must not be replayed.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub(crate) fn read(
        &mut self,
        node: NodeId,
        params: &NodeParams,
    ) -> Result<std::result::Result<NodeWrites, Refusal>> {
        let (mut touches, mut pointed, mut is_complete) = (Vec::new(), Vec::new(), true);
        match params {
            NodeParams::Kernel(kernel) => {
                if self.reader.is_one_at_a_time(node, kernel)? {
                    let name = quoted(&kernel.name);
                    return Ok(Err(format!("kernel {name} is stated to talk to others, which do not replay")));
                }
                let barrier = self.reader.kernel_touches(node, kernel, &mut touches)?;
                self.pointed(kernel, &mut pointed)?;
                match barrier.filter(|barrier| !matches!(barrier, Barrier::SeenOutside(_))) {
                    None => {}
                    Some(_) if self.permits.unknown => {
                        touches.extend(pointed.iter().map(|&touch| Touch { writes: true, ..touch }));
                        is_complete = false;
                    }
                    Some(barrier) => return Ok(Err(self.unknown(barrier, node)?)),
                }
            }
            NodeParams::Memcpy { rows: copy, .. } => {
                copied(copy, &mut touches);
                if copy.row.kind == MemcpyKind::BetweenContexts && !self.permits.other_devices {
                    return Ok(Err("it copies between contexts; permit memory of other devices".to_owned()));
                }
            }
            NodeParams::Memset(set) => filled(set, &mut touches),
            NodeParams::Values(operations) => {
                if !self.permits.values {
                    return Ok(Err("it writes values or waits for them; permit values".to_owned()));
                }
                touches.extend(operations.iter().map(value_touch));
            }
            NodeParams::Host(_) => {
                if !self.permits.host_functions {
                    return Ok(Err("it calls a host function at each replay; permit host functions".to_owned()));
                }
                is_complete = false;
            }
            NodeParams::EventRecord(_) | NodeParams::EventWait(_) => {
                if !self.permits.events {
                    return Ok(Err("it records an event or waits for one; permit events".to_owned()));
                }
            }
            NodeParams::Other(NodeKind::Child) => return self.within(node),
            NodeParams::Other(NodeKind::Conditional) if self.permits.unknown => return self.within(node),
            NodeParams::Other(NodeKind::Empty) => {}
            _ if self.permits.unknown => is_complete = false,
            params => return Ok(Err(self.unknown(Barrier::Kind(params.kind()), node)?)),
        }
        let context = self.reader.graph.context();
        let ((writes, is_foreign), (reaches, _)) = (homes(context, &touches, true)?, homes(context, &touches, false)?);
        if is_foreign && !self.permits.other_devices {
            return Ok(Err("it writes memory of another device; permit memory of other devices".to_owned()));
        }
        let reaches = MemoryRanges::of([&reaches, &homes(context, &pointed, false)?.0]);
        Ok(Ok(NodeWrites { writes, reaches, is_complete }))
    }

    fn unknown(&self, barrier: Barrier, node: NodeId) -> Result<Refusal> {
        Ok(format!("what it writes is not known: {}", barrier.sentence(self.reader.graph, node)?))
    }

    /// Returns what the nodes of a child graph write.
    fn within(&self, node: NodeId) -> Result<std::result::Result<NodeWrites, Refusal>> {
        let mut all = Vec::new();
        for graph in self.reader.graph.node_graphs(node)? {
            let promises = Promises { unwritten: Arc::default(), ..self.reader.promises.clone() };
            let mut reader = WriteReader::new(&graph, promises, self.permits);
            let works = works_of(&graph, ReadKernels::All)?;
            for node in graph.order()? {
                match reader.read(node, work(&works, node))? {
                    Ok(writes) => all.push(writes),
                    Err(mut refusal) => {
                        let _ =
                            write!(refusal, " (node {:#x} ({}) of its child graph)", node.0, graph.node_label(node)?);
                        return Ok(Err(refusal));
                    }
                }
            }
        }
        Ok(Ok(NodeWrites::of_all(&all)))
    }

    /// All memory that arguments of a kernel may point into, whatever is declared of them.
    fn pointed(&mut self, kernel: &KernelParams, pointed: &mut Vec<Touch>) -> Result<()> {
        let block;
        let arguments = match &kernel.arguments {
            OwnedArguments::Separate(arguments) => arguments,
            OwnedArguments::Packed(bytes) => {
                block = vec![bytes.clone()];
                &block
            }
            OwnedArguments::Unknown => return Ok(()),
        };
        let parameters: Vec<Parameter> = arguments.iter().map(|bytes| Parameter::new(0, bytes.len())).collect();
        let bytes: Vec<&[u8]> = arguments.iter().map(|bytes| &bytes[..]).collect();
        for piece in self.reader.arguments.read(&parameters, ArgumentBytes::Separate(&bytes))? {
            let (start, size) = match piece.meaning {
                Meaning::Buffer(located) => {
                    (located.memory.starts().next().unwrap_or_default(), located.memory.size() as u64)
                }
                Meaning::Foreign { allocation, .. } => (allocation.base, allocation.bytes as u64),
                Meaning::Value => continue,
            };
            pointed.push(Touch { start, end: start.saturating_add(size), writes: false });
        }
        Ok(())
    }
}

/// The ranges that there is room for, which becomes less, and the number of bytes of the others.
pub(crate) fn fitting(ranges: &Ranges, room: &mut u64) -> (Ranges, u64) {
    let mut left_out = 0;
    let fitting = ranges.iter().filter(|(start, end)| {
        let fits = end - start <= *room;
        let count = if fits { &mut *room } else { &mut left_out };
        *count = if fits { *count - (end - start) } else { *count + (end - start) };
        fits
    });
    (Ranges::of(fitting.collect::<Vec<_>>()), left_out)
}

/// As [`fitting`], of both kinds of memory.
pub(crate) fn fitting_memory(ranges: &MemoryRanges, room: &mut u64) -> (MemoryRanges, u64) {
    let (device, left_out) = fitting(&ranges.device, room);
    let (host, of_host) = fitting(&ranges.host, room);
    (MemoryRanges { device, host }, left_out + of_host)
}

/// Tells where bytes lie that are touched, and whether some of them are of another device.
pub(super) fn homes(context: &Context, touches: &[Touch], writes_alone: bool) -> Result<(MemoryRanges, bool)> {
    let (mut device, mut host, mut is_foreign) = (Vec::new(), Vec::new(), false);
    let counts = |touch: &&Touch| touch.start < touch.end && (touch.writes || !writes_alone);
    for touch in touches.iter().filter(counts) {
        let home = context.byte_home(touch.start)?;
        let list = if home.is_host { &mut host } else { &mut device };
        list.push((home.address, home.address.saturating_add(touch.end - touch.start)));
        is_foreign |= home.is_foreign;
    }
    Ok((MemoryRanges { device: Ranges::of(device), host: Ranges::of(host) }, is_foreign))
}

fn value_touch(operation: &ValueOperation) -> Touch {
    let writes = matches!(operation.action, ValueAction::Write { .. });
    Touch { start: operation.address, end: operation.address + operation.value.bytes() as u64, writes }
}

/// Returns what each of the nodes of `graph` writes, which is a copy; `originals` tells how the caller calls them.
///
/// # Errors
/// `NOT_SUPPORTED` when what a node writes is not known, or when the caller did not permit what it does; the status of a context that
/// faulted.
pub(crate) fn writes(
    graph: &Graph,
    nodes: &[NodeId],
    original: impl Fn(NodeId) -> NodeId,
    (promises, permits): (Promises, Permits),
) -> Result<Vec<NodeWrites>> {
    let mut reader = WriteReader::new(graph, promises, permits);
    let refused = |node: NodeId, refusal: Refusal| {
        let (number, label) = (original(node).0, graph.node_label(node).unwrap_or_default());
        let sentence = format!("node {number:#x} ({label}) must not be replayed for a trial: {refusal}");
        Error::new(Status::NOT_SUPPORTED, sentence)
    };
    let works = works_of(graph, ReadKernels::All)?;
    let mut read = |node: NodeId| reader.read(node, work(&works, node))?.map_err(|refusal| refused(node, refusal));
    nodes.iter().map(|&node| read(node)).collect()
}

fn work(works: &Works, node: NodeId) -> &NodeParams {
    works.get(node).unwrap_or(&NodeParams::Other(NodeKind::Other))
}
