//! Work of a node, as data of its own: copied from what the device tells while it may hold locks.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::objects::access::LaunchAccesses;
use graphcap_base::error::{Error, Result};
use graphcap_driver::{
    Address, Argument, Arguments, Conditional, EventId, GivenFunction, KernelId, Launch, LaunchShape, MemAlloc,
    MemcpyRows, Memset, NodeKind, Snapshot, ValueOperation, Work, ADDRESS_BYTES,
};

/// Work of a node.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeParams {
    /// A kernel launch.
    Kernel(KernelParams),
    /// A copy.
    Memcpy {
        /// Memory that it reads and writes.
        rows: MemcpyRows,
        /// The bytes that it reads, where these are its own; never told by a device.
        snapshot: Option<Snapshot>,
    },
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
    /// Arguments of the kernel.
    pub arguments: OwnedArguments,
    id: KernelId,
    /// For each argument whether the device knows it as an address, of those that it tells one by one.
    are_addresses: SmallVec<[bool; 16]>,
    /// Accesses that the launch states of its arguments, where that is noted; never told by a device.
    pub(crate) accesses: Option<Arc<LaunchAccesses>>,
}

impl KernelParams {
    /// The kernel, by what the device calls it.
    pub fn id(&self) -> KernelId {
        self.id
    }

    /// Calls `take` with the launch as a device is given it.
    fn lend<T>(&self, take: impl FnOnce(Launch<'_>) -> T) -> T {
        let passed: SmallVec<[Argument<'_>; 16]>;
        let arguments = match &self.arguments {
            OwnedArguments::Separate(arguments) => {
                let are_addresses = self.are_addresses.iter().copied().chain(std::iter::repeat(false));
                passed = arguments.iter().zip(are_addresses).map(argument_of).collect();
                Arguments::Separate(&passed)
            }
            OwnedArguments::Packed(block) => Arguments::Packed(block),
            OwnedArguments::Unknown => Arguments::Unknown,
        };
        take(Launch {
            kernel: self.id,
            name: &self.name,
            shape: self.shape,
            arguments,
            // The node has its own.
            attributes: &[],
            stated: self.accesses.as_deref().map(LaunchAccesses::as_stated),
        })
    }
}

/// The bytes of an argument, which are mostly few.
pub type ArgumentValue = SmallVec<[u8; 16]>;

/// The bytes of arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OwnedArguments {
    /// One by one, in the order of the kernel's parameters.
    Separate(Vec<ArgumentValue>),
    /// In one block, laid out as the kernel's parameters are.
    Packed(ArgumentValue),
    /// The device does not tell them.
    Unknown,
}

impl OwnedArguments {
    pub(crate) fn of(arguments: &Arguments<'_>) -> OwnedArguments {
        let bytes = |argument: &Argument<'_>| match argument {
            Argument::Address(address) => ArgumentValue::from_slice(&address.to_ne_bytes()),
            Argument::Value(bytes) => ArgumentValue::from_slice(bytes),
        };
        match arguments {
            Arguments::Separate(arguments) => OwnedArguments::Separate(arguments.iter().map(bytes).collect()),
            Arguments::Packed(block) => OwnedArguments::Packed(ArgumentValue::from_slice(block)),
            Arguments::Unknown => OwnedArguments::Unknown,
        }
    }
}

impl KernelParams {
    /// Becomes another launch, in the memory that it has.
    fn become_launch(&mut self, launch: &Launch<'_>) {
        self.accesses = None;
        // A kernel has one name, which a device may not have told.
        if self.id != launch.kernel || self.name.len() != launch.name.len() {
            self.name.clear();
            self.name.push_str(launch.name);
        }
        (self.shape, self.id) = (launch.shape, launch.kernel);
        match (&mut self.arguments, &launch.arguments) {
            (OwnedArguments::Separate(owned), Arguments::Separate(arguments))
                if owned.len() == arguments.len() && self.are_addresses.len() == owned.len() =>
            {
                for ((bytes, is_address), argument) in owned.iter_mut().zip(&mut self.are_addresses).zip(*arguments) {
                    *is_address = matches!(argument, Argument::Address(_));
                    match argument {
                        Argument::Address(address) => become_bytes(bytes, &address.to_ne_bytes()),
                        Argument::Value(value) => become_bytes(bytes, value),
                    }
                }
            }
            (owned, arguments) => {
                *owned = OwnedArguments::of(arguments);
                self.are_addresses = are_addresses(arguments);
            }
        }
    }
}

impl NodeParams {
    /// Becomes those of other work, of which a launch states `accesses`. That of a kernel node is mostly another launch.
    pub(super) fn become_work(&mut self, work: &Work<'_>, accesses: Option<Arc<LaunchAccesses>>) {
        match (&mut *self, work) {
            (NodeParams::Kernel(params), Work::Kernel(launch)) => params.become_launch(launch),
            _ => *self = NodeParams::of(work),
        }
        if let NodeParams::Kernel(params) = self {
            params.accesses = accesses;
        }
    }

    /// Those of `work`, with what was noted of its launch if that is of the same kernel and arguments.
    pub(super) fn with_noted(work: &Work<'_>, accesses: Option<Arc<LaunchAccesses>>) -> NodeParams {
        let mut params = NodeParams::of(work);
        if let NodeParams::Kernel(launch) = &mut params {
            launch.accesses = accesses.filter(|accesses| match &launch.arguments {
                OwnedArguments::Separate(arguments) => accesses.are_of(launch.id, arguments),
                _ => false,
            });
        }
        params
    }

    /// Returns what the launch of a kernel node states of its arguments, where that is noted.
    pub(super) fn accesses(&self) -> Option<Arc<LaunchAccesses>> {
        match self {
            NodeParams::Kernel(launch) => launch.accesses.clone(),
            _ => None,
        }
    }

    /// Returns whether the device does not tell which memory the node uses.
    pub(super) fn is_unread(&self) -> bool {
        match self {
            NodeParams::Kernel(launch) => launch.arguments == OwnedArguments::Unknown,
            NodeParams::Other(kind) => matches!(
                kind,
                NodeKind::Kernel | NodeKind::Memcpy | NodeKind::Memset | NodeKind::BatchMemOp | NodeKind::Other
            ),
            _ => false,
        }
    }

    /// Calls `take` with the work as a device is given it. Of the kinds that a buffer is replaced in.
    pub(super) fn lend<T>(&self, take: impl FnOnce(&Work<'_>) -> Result<T>) -> Result<T> {
        match self {
            NodeParams::Memcpy { rows, snapshot } => take(&Work::Memcpy { rows: *rows, snapshot: snapshot.as_ref() }),
            NodeParams::Memset(set) => take(&Work::Memset(*set)),
            NodeParams::Values(operations) => take(&Work::Values(operations)),
            NodeParams::Kernel(launch) => launch.lend(|launch| take(&Work::Kernel(launch))),
            other => Err(Error::invalid_value(format!("a node of the kind {} has no buffer", other.kind()))),
        }
    }

    pub(crate) fn of(work: &Work<'_>) -> NodeParams {
        match work {
            Work::Kernel(launch) => NodeParams::Kernel(KernelParams {
                name: launch.name.to_owned(),
                shape: launch.shape,
                arguments: OwnedArguments::of(&launch.arguments),
                id: launch.kernel,
                are_addresses: are_addresses(&launch.arguments),
                accesses: None,
            }),
            Work::Memcpy { rows, snapshot } => NodeParams::Memcpy { rows: *rows, snapshot: snapshot.cloned() },
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
            NodeParams::Memcpy { .. } => NodeKind::Memcpy,
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

/// Makes `bytes` be those that were given, mostly as many as before.
#[inline(always)]
fn become_bytes(bytes: &mut ArgumentValue, given: &[u8]) {
    if !(become_word::<8>(bytes, given) || become_word::<4>(bytes, given)) {
        bytes.clear();
        bytes.extend_from_slice(given);
    }
}

/// As [`become_bytes`], where both have `N` bytes: without a call, as most arguments have few. False where they have not.
#[inline(always)]
fn become_word<const N: usize>(bytes: &mut [u8], given: &[u8]) -> bool {
    match (<&mut [u8; N]>::try_from(bytes), <&[u8; N]>::try_from(given)) {
        (Ok(bytes), Ok(given)) => {
            *bytes = *given;
            true
        }
        _ => false,
    }
}

/// For each argument whether it is an address, of those that are told one by one.
fn are_addresses(arguments: &Arguments<'_>) -> SmallVec<[bool; 16]> {
    match arguments {
        Arguments::Separate(arguments) => {
            arguments.iter().map(|argument| matches!(argument, Argument::Address(_))).collect()
        }
        _ => SmallVec::new(),
    }
}

/// An argument of these bytes, which the device knows as an address or not.
fn argument_of((bytes, is_address): (&ArgumentValue, bool)) -> Argument<'_> {
    match <[u8; ADDRESS_BYTES]>::try_from(&bytes[..]) {
        Ok(word) if is_address => Argument::Address(Address::from_ne_bytes(word)),
        _ => Argument::Value(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_driver::{KernelId, LaunchShape, Memset};

    #[test]
    fn work_becomes_other_work_as_if_it_were_made_of_that() {
        let two = [Argument::Address(0x1000), Argument::Value(&[1, 2, 3, 4])];
        let others = [Argument::Value(&[9; 8]), Argument::Address(0x2000)];
        let three = [Argument::Value(&[5]), Argument::Address(0x3000), Argument::Value(&[6; 40])];
        let arguments = [
            Arguments::Separate(&two),
            Arguments::Separate(&others),
            Arguments::Separate(&three),
            Arguments::Separate(&[]),
            Arguments::Packed(&[7; 24]),
            Arguments::Unknown,
        ];
        let mut works = vec![
            Work::Empty,
            Work::Memset(Memset { address: 8, value: 1, element_size: 4, count: 2, rows: 1, pitch: 0 }),
        ];
        for (number, arguments) in arguments.into_iter().enumerate() {
            let shape = LaunchShape { grid: [1 + number as u32; 3], block: [2; 3], shared_mem_bytes: number as u32 };
            let name = ["add", "a_longer_name", ""][number % 3];
            let kernel = KernelId(number as u64);
            works.push(Work::Kernel(Launch { kernel, name, shape, arguments, attributes: &[], stated: None }));
        }
        for before in &works {
            for after in &works {
                let mut params = NodeParams::of(before);
                params.become_work(after, None);
                assert_eq!(params, NodeParams::of(after));
            }
        }
    }
}
