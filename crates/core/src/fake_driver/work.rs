//! The work of the fake driver: what a node does and needs, and what becomes of what a stream is given.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::{failure, key, FakeDriver, State};
use crate::{Buffer, Kernel, KernelArgument, Stream};
use graphcap_base::error::{Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::*;

pub(super) type Function = Weak<dyn HostTask>;

/// Things that a node needs when it is replayed.
#[derive(Clone)]
pub(super) enum Need {
    Memory(Address),
    Code(ModuleId),
    Function(Function),
    Event(EventId),
    Snapshot(Weak<Vec<u8>>),
}

/// A node: the work that it does, and what that needs.
#[derive(Clone)]
pub(super) struct FakeNode {
    pub(super) work: FakeWork,
    pub(super) needs: Vec<Need>,
}

/// Work of a node, as it is read back.
#[derive(Clone)]
pub(super) enum FakeWork {
    Plain(Work<'static>),
    /// `None` where the arguments cannot be told.
    Kernel(KernelId, Option<Vec<Vec<u8>>>),
    /// Weak, to see whether the objects keep it.
    Host(Function),
    Values(Vec<ValueOperation>),
}

impl FakeWork {
    pub(super) fn of(work: &Work<'_>) -> FakeWork {
        match *work {
            Work::Memset(set) => FakeWork::Plain(Work::Memset(set)),
            Work::Memcpy { rows, .. } => FakeWork::Plain(Work::Memcpy { rows, snapshot: None }),
            Work::EventRecord(event) => FakeWork::Plain(Work::EventRecord(event)),
            Work::EventWait(event) => FakeWork::Plain(Work::EventWait(event)),
            Work::Values(operations) => FakeWork::Values(operations.to_vec()),
            Work::Host(function) => FakeWork::Host(Arc::downgrade(function)),
            Work::Kernel(Launch { kernel, arguments: Arguments::Separate(arguments), .. }) => {
                let bytes = arguments.iter().map(|argument| match argument {
                    Argument::Address(address) => address.to_ne_bytes().to_vec(),
                    Argument::Value(bytes) => bytes.to_vec(),
                });
                FakeWork::Kernel(kernel, Some(bytes.collect()))
            }
            Work::Kernel(Launch { kernel, .. }) => FakeWork::Kernel(kernel, None),
            Work::Empty => FakeWork::Plain(Work::Empty),
            Work::MemAlloc(alloc) => FakeWork::Plain(Work::MemAlloc(alloc)),
            Work::MemFree(freed) => FakeWork::Plain(Work::MemFree(freed)),
            Work::Child(_) | Work::Conditional(_) => FakeWork::Plain(Work::Opaque(work.kind())),
            Work::Opaque(kind) => FakeWork::Plain(Work::Opaque(kind)),
        }
    }

    pub(super) fn read(&self, read: &mut dyn FnMut(&Work<'_>)) {
        match self {
            FakeWork::Plain(work) => read(work),
            FakeWork::Values(operations) => read(&Work::Values(operations)),
            FakeWork::Host(function) => match function.upgrade() {
                Some(function) => read(&Work::Host(&function)),
                None => read(&Work::Opaque(NodeKind::Host)),
            },
            FakeWork::Kernel(kernel, arguments) => {
                let values: Vec<_> = arguments.iter().flatten().map(|bytes| Argument::Value(bytes)).collect();
                let arguments = arguments.as_ref().map_or(Arguments::Unknown, |_| Arguments::Separate(&values));
                let shape = LaunchShape::ONE_THREAD;
                read(&Work::Kernel(Launch {
                    kernel: *kernel,
                    name: "",
                    shape,
                    arguments,
                    attributes: &[],
                    stated: None,
                }));
            }
        }
    }
}

/// The nodes of a graph by their ids, which are not used twice.
#[derive(Clone, Default)]
pub(super) struct FakeNodes {
    pub(super) nodes: BTreeMap<u64, FakeNode>,
    pub(super) last: u64,
}

impl FakeNodes {
    pub(super) fn push(&mut self, node: FakeNode) {
        self.last += 1;
        self.nodes.insert(self.last, node);
    }
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }
    pub(super) fn ids(&self) -> Vec<NodeId> {
        self.nodes.keys().copied().map(NodeId).collect()
    }
    /// The edges of the chain.
    pub(super) fn chain(&self) -> Vec<(NodeId, NodeId)> {
        self.ids().windows(2).map(|pair| (pair[0], pair[1])).collect()
    }
    pub(super) fn iter(&self) -> impl Iterator<Item = &FakeNode> {
        self.nodes.values()
    }
}

impl State {
    pub(super) fn needs_memory(&self, address: Address) -> Option<Need> {
        let (&start, &(bytes, _)) = self.memory.range(..=address).next_back()?;
        (address <= start + bytes as u64).then_some(Need::Memory(start))
    }

    /// Returns what `work` needs when it runs.
    pub(super) fn needs(&self, work: &Work<'_>) -> Vec<Need> {
        let memory = |addresses: &[Address]| addresses.iter().filter_map(|&at| self.needs_memory(at)).collect();
        match work {
            Work::Kernel(launch) => {
                let mut needs = vec![Need::Code(self.kernels[&launch.kernel])];
                if let Arguments::Separate(arguments) = launch.arguments {
                    needs.extend(arguments.iter().filter_map(|argument| match argument {
                        Argument::Address(address) => self.needs_memory(*address),
                        Argument::Value(_) => None,
                    }));
                }
                needs
            }
            Work::Memcpy { rows, snapshot } => {
                let mut needs: Vec<Need> = memory(&[rows.row.destination, rows.row.source]);
                // Weak, to see whether the objects keep it.
                needs.extend(snapshot.map(|bytes| Need::Snapshot(Arc::downgrade(bytes))));
                needs
            }
            Work::Memset(set) => memory(&[set.address]),
            Work::Values(operations) => {
                operations.iter().filter_map(|operation| self.needs_memory(operation.address)).collect()
            }
            // Weak, to see whether the objects keep it.
            Work::Host(function) => vec![Need::Function(Arc::downgrade(function))],
            Work::EventRecord(event) | Work::EventWait(event) => vec![Need::Event(*event)],
            // As others use the memory, which has a name.
            Work::MemFree(freed) => memory(&[freed.address]),
            Work::Empty | Work::Child(_) | Work::Conditional(_) | Work::MemAlloc(_) | Work::Opaque(_) => Vec::new(),
        }
    }

    /// Records on a captured stream, else executes.
    pub(super) fn submit(&mut self, stream: StreamId, work: FakeWork, needs: Vec<Need>) -> Result<()> {
        if let Some(capture) = self.captured.get(&key(stream)).and_then(|id| self.captures.get_mut(id)) {
            if capture.broken {
                return failure(Status::CAPTURE_INVALIDATED);
            }
            match capture.graph {
                None => capture.nodes.push(FakeNode { work, needs }),
                Some(graph) => match self.graphs.get_mut(&graph) {
                    Some(plan) => plan.nodes.push(FakeNode { work, needs }),
                    None => self.violation(format!("{graph:?} was destroyed and is captured into")),
                },
            }
            return Ok(());
        }
        for need in &needs {
            if let Need::Memory(address) = need {
                if let Some((_, users)) = self.memory.get_mut(address) {
                    users.insert(stream);
                }
            }
        }
        self.executed.push(stream);
        Ok(())
    }

    /// Records what cannot be executed on its own.
    pub(super) fn submit_captured(&mut self, stream: StreamId, work: FakeWork, needs: Vec<Need>) -> Result<()> {
        match self.captured.contains_key(&key(stream)) {
            true => self.submit(stream, work, needs),
            false => failure(Status::ILLEGAL_STATE),
        }
    }
}

impl FakeDriver {
    pub(crate) fn launch(stream: &Stream, kernel: &Kernel, buffer: &Buffer) {
        let shape = LaunchShape::ONE_THREAD;
        let arguments =
            [KernelArgument::Buffer { buffer, offset: 0, access: Default::default() }, KernelArgument::Value(&[0; 4])];
        stream.submit_kernel(kernel, shape, &arguments, &[]).unwrap();
    }

    pub(crate) fn executed(&self) -> Vec<StreamId> {
        lock(&self.state).executed.clone()
    }

    /// The copies of several rows.
    pub(crate) fn copies(&self) -> Vec<MemcpyRows> {
        lock(&self.state).copies.clone()
    }
}

impl Submit for FakeDriver {
    fn launch_node(&self, stream: StreamId, _: GraphId, _: NodeId) -> Result<()> {
        self.call_on("launch_node", stream, |_| Ok(()))
    }

    /// Called by the kind of work: "launch_kernel", "memcpy" and so on.
    fn submit(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        let name = match work {
            Work::Kernel(_) => "launch_kernel",
            Work::Memcpy { rows, snapshot: None } if rows.is_plain() => "memcpy",
            Work::Memcpy { .. } => "memcpy_rows",
            Work::Memset(_) => "memset",
            Work::Values(_) => "value_operations",
            Work::Host(_) => "launch_host_function",
            Work::EventRecord(_) => "event_record_node",
            Work::EventWait(_) => "event_wait_node",
            Work::MemFree(_) => "mem_free",
            _ => return failure(Status::INVALID_VALUE),
        };
        self.call_on(name, stream, |state| {
            let needs = state.needs(work);
            if let ("memcpy_rows", Work::Memcpy { rows, .. }) = (name, work) {
                state.copies.push(*rows);
            }
            let node = FakeWork::of(work);
            match work {
                Work::EventRecord(_) | Work::EventWait(_) => state.submit_captured(stream, node, needs),
                _ => state.submit(stream, node, needs),
            }
        })
    }
}
