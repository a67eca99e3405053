//! What a node does, as data of its own: copied from what the device tells while it may hold locks.

use graphcap_driver::{
    Address, Argument, Arguments, Conditional, EventId, GivenFunction, KernelId, Launch, LaunchShape, MemAlloc,
    MemcpyRows, Memset, NodeKind, ValueOperation, Work,
};

/// What a node does.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeParams {
    /// A kernel launch.
    Kernel(KernelParams),
    /// A copy.
    Memcpy(MemcpyRows),
    /// A memset.
    Memset(Memset),
    /// Value operations.
    Values(Vec<ValueOperation>),
    /// An allocation.
    MemAlloc(MemAlloc),
    /// The end of an allocation, by its address.
    MemFree(Address),
    /// A host function, as C gave it; `None` for one that C did not give to graphcap.
    Host(Option<GivenFunction>),
    /// A record of an event.
    EventRecord(EventId),
    /// A wait for an event.
    EventWait(EventId),
    /// Bodies that run depending on a condition.
    Conditional(Conditional),
    /// Work without numbers, or that cannot be read.
    Other(NodeKind),
}

/// A kernel launch of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct KernelParams {
    /// The kernel's name; empty where the device does not tell it.
    pub name: String,
    /// Blocks, threads and shared memory.
    pub shape: LaunchShape,
    /// What the kernel is given.
    pub arguments: OwnedArguments,
    id: KernelId,
    /// Which arguments the device knows as addresses, of those that it tells one by one.
    are_addresses: Vec<bool>,
}

impl KernelParams {
    /// The kernel, by what the device calls it.
    pub fn id(&self) -> KernelId {
        self.id
    }

    /// Which arguments the device knows as addresses.
    pub(crate) fn are_addresses(&self) -> &[bool] {
        &self.are_addresses
    }
}

/// The bytes of arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OwnedArguments {
    /// One by one, in the order of the kernel's parameters.
    Separate(Vec<Vec<u8>>),
    /// In one block, laid out as the kernel's parameters are.
    Packed(Vec<u8>),
    /// The device does not tell them.
    Unknown,
}

impl OwnedArguments {
    pub(crate) fn of(arguments: &Arguments<'_>) -> OwnedArguments {
        let bytes = |argument: &Argument<'_>| match argument {
            Argument::Address(address) => address.to_ne_bytes().to_vec(),
            Argument::Value(bytes) => bytes.to_vec(),
        };
        match arguments {
            Arguments::Separate(arguments) => OwnedArguments::Separate(arguments.iter().map(bytes).collect()),
            Arguments::Packed(block) => OwnedArguments::Packed(block.to_vec()),
            Arguments::Unknown => OwnedArguments::Unknown,
        }
    }
}

impl KernelParams {
    /// Becomes another launch, in the memory that it has.
    fn become_launch(&mut self, launch: &Launch<'_>) {
        self.name.clear();
        self.name.push_str(launch.name);
        (self.shape, self.id) = (launch.shape, launch.kernel);
        match (&mut self.arguments, &launch.arguments) {
            (OwnedArguments::Separate(owned), Arguments::Separate(arguments)) if owned.len() == arguments.len() => {
                for (bytes, argument) in owned.iter_mut().zip(arguments.iter()) {
                    bytes.clear();
                    match argument {
                        Argument::Address(address) => bytes.extend_from_slice(&address.to_ne_bytes()),
                        Argument::Value(value) => bytes.extend_from_slice(value),
                    }
                }
            }
            (owned, arguments) => *owned = OwnedArguments::of(arguments),
        }
        self.are_addresses.clear();
        if let Arguments::Separate(arguments) = launch.arguments {
            self.are_addresses.extend(arguments.iter().map(|argument| matches!(argument, Argument::Address(_))));
        }
    }
}

impl NodeParams {
    /// Becomes those of other work. That of a kernel node is mostly another launch.
    pub(crate) fn become_work(&mut self, work: &Work<'_>) {
        match (&mut *self, work) {
            (NodeParams::Kernel(params), Work::Kernel(launch)) => params.become_launch(launch),
            _ => *self = NodeParams::of(work),
        }
    }

    pub(crate) fn of(work: &Work<'_>) -> NodeParams {
        match work {
            Work::Kernel(launch) => NodeParams::Kernel(KernelParams {
                name: launch.name.to_owned(),
                shape: launch.shape,
                arguments: OwnedArguments::of(&launch.arguments),
                id: launch.kernel,
                are_addresses: match launch.arguments {
                    Arguments::Separate(arguments) => {
                        arguments.iter().map(|argument| matches!(argument, Argument::Address(_))).collect()
                    }
                    _ => Vec::new(),
                },
            }),
            Work::Memcpy { rows, .. } => NodeParams::Memcpy(*rows),
            Work::Memset(set) => NodeParams::Memset(*set),
            Work::Values(operations) => NodeParams::Values(operations.to_vec()),
            Work::MemAlloc(alloc) => NodeParams::MemAlloc(*alloc),
            Work::MemFree(freed) => NodeParams::MemFree(freed.address),
            Work::Host(function) => NodeParams::Host(function.given()),
            Work::Opaque(NodeKind::Host) => NodeParams::Host(None),
            Work::EventRecord(event) => NodeParams::EventRecord(*event),
            Work::EventWait(event) => NodeParams::EventWait(*event),
            Work::Conditional(conditional) => NodeParams::Conditional(*conditional),
            _ => NodeParams::Other(work.kind()),
        }
    }

    /// The kind of node.
    pub fn kind(&self) -> NodeKind {
        match self {
            NodeParams::Kernel(_) => NodeKind::Kernel,
            NodeParams::Memcpy(_) => NodeKind::Memcpy,
            NodeParams::Memset(_) => NodeKind::Memset,
            NodeParams::Values(_) => NodeKind::BatchMemOp,
            NodeParams::MemAlloc(_) => NodeKind::MemAlloc,
            NodeParams::MemFree(_) => NodeKind::MemFree,
            NodeParams::Host(_) => NodeKind::Host,
            NodeParams::EventRecord(_) => NodeKind::EventRecord,
            NodeParams::EventWait(_) => NodeKind::EventWait,
            NodeParams::Conditional(_) => NodeKind::Conditional,
            NodeParams::Other(kind) => *kind,
        }
    }
}
