//! What a node was set to do, as data that outlives the call.

use std::sync::Arc;

use smallvec::SmallVec;

use super::node_data::{NodeParams, OwnedArguments};
use crate::objects::access::LaunchAccesses;
use graphcap_base::error::{Error, Result};
use graphcap_driver::{Address, Argument, Arguments, Launch, NodeKind, Snapshot, Work};

/// Bytes of an address.
const WORD: usize = size_of::<Address>();

/// What a node does.
#[derive(Clone)]
pub(crate) struct DoneWork {
    pub(crate) params: NodeParams,
    /// What a launch states of its arguments.
    pub(crate) accesses: Option<Arc<LaunchAccesses>>,
    /// The bytes that a copy reads, where these are its own.
    snapshot: Option<Snapshot>,
}

impl DoneWork {
    pub(crate) fn of(work: &Work<'_>, accesses: Option<Arc<LaunchAccesses>>) -> DoneWork {
        let snapshot = match work {
            Work::Memcpy { snapshot, .. } => snapshot.cloned(),
            _ => None,
        };
        DoneWork { params: NodeParams::of(work), accesses, snapshot }
    }

    /// Becomes other work, as [`DoneWork::of`] gives it.
    pub(super) fn become_work(&mut self, work: &Work<'_>, accesses: Option<Arc<LaunchAccesses>>) {
        self.params.become_work(work);
        self.accesses = accesses;
        self.snapshot = match work {
            Work::Memcpy { snapshot, .. } => snapshot.cloned(),
            _ => None,
        };
    }

    /// Without what a launch stated that was of another kernel or of other arguments.
    pub(super) fn with_own_accesses(mut self) -> DoneWork {
        let NodeParams::Kernel(launch) = &self.params else { return DoneWork { accesses: None, ..self } };
        self.accesses = self.accesses.filter(|accesses| match &launch.arguments {
            OwnedArguments::Separate(arguments) => accesses.are_of(launch.id(), arguments),
            _ => false,
        });
        self
    }

    /// Returns whether the device does not tell which memory it uses.
    pub(super) fn is_unread(&self) -> bool {
        match &self.params {
            NodeParams::Kernel(launch) => launch.arguments == OwnedArguments::Unknown,
            NodeParams::Other(kind) => matches!(
                kind,
                NodeKind::Kernel | NodeKind::Memcpy | NodeKind::Memset | NodeKind::BatchMemOp | NodeKind::Other
            ),
            _ => false,
        }
    }

    /// Calls `take` with the work as a device is given it. Of the kinds that a buffer is replaced in.
    pub(super) fn with<T>(&self, take: impl FnOnce(&Work<'_>) -> Result<T>) -> Result<T> {
        match &self.params {
            NodeParams::Memcpy(rows) => take(&Work::Memcpy { rows: *rows, snapshot: self.snapshot.as_ref() }),
            NodeParams::Memset(set) => take(&Work::Memset(*set)),
            NodeParams::Values(operations) => take(&Work::Values(operations)),
            NodeParams::Kernel(launch) => {
                let passed: SmallVec<[Argument<'_>; 16]>;
                let arguments = match &launch.arguments {
                    OwnedArguments::Separate(arguments) => {
                        let are_addresses = launch.are_addresses().iter().copied().chain(std::iter::repeat(false));
                        passed = arguments.iter().zip(are_addresses).map(argument_of).collect();
                        Arguments::Separate(&passed)
                    }
                    OwnedArguments::Packed(block) => Arguments::Packed(block),
                    OwnedArguments::Unknown => Arguments::Unknown,
                };
                take(&Work::Kernel(Launch {
                    kernel: launch.id(),
                    name: &launch.name,
                    shape: launch.shape,
                    arguments,
                    // The node has its own.
                    attributes: &[],
                    stated: self.accesses.as_deref().map(LaunchAccesses::told),
                }))
            }
            other => Err(Error::invalid_value(format!("a node of the kind {} has no buffer", other.kind().name()))),
        }
    }
}

/// An argument of these bytes, which the device knows as an address or not.
fn argument_of((bytes, is_address): (&Vec<u8>, bool)) -> Argument<'_> {
    match <[u8; WORD]>::try_from(&bytes[..]) {
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
                let mut done = DoneWork::of(before, None);
                done.become_work(after, None);
                assert_eq!(done.params, NodeParams::of(after));
            }
        }
    }
}
