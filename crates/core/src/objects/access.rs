//! Use that kernels make of memory.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::json_numbers;
use graphcap_driver::{Address, KernelId, Stated, StatedArgument};

pub use graphcap_driver::Access;

/// For each parameter of a kernel what the kernel does with the memory that it points to; `None` for one that is no address.
pub(crate) type Accesses = Arc<[Option<Access>]>;

/// Order of launches of a kernel beside other nodes of an optimized graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum KernelConcurrency {
    /// Beside all that touches other memory.
    #[default]
    Free,
    /// Never beside a launch of any kernel that has this concurrency, and in the recorded order: of kernels that talk to other processes,
    /// which make the same launches. It holds among the nodes of each graph: what runs within a node of it stays ordered as recorded.
    OneAtATime,
    /// Beside nothing of its graph: of kernels that need the whole device, as those that wait until all their blocks have begun.
    Alone,
}

/// Statement of a launch about the buffer of one of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BufferAccess {
    /// Use that the kernel makes of the bytes.
    #[serde(rename = "does")]
    pub access: Access,
    /// Bytes of the buffer: the first one, counted from the start of the buffer, and how many. `None` for all.
    #[serde(default, with = "json_numbers::range", skip_serializing_if = "Option::is_none")]
    pub range: Option<(usize, usize)>,
}

impl BufferAccess {
    /// Of `bytes` bytes from byte `first` of the buffer on. Of the whole buffer for 0 bytes, since ranges are not empty.
    pub(crate) fn of_bytes(access: Access, first: usize, bytes: usize) -> BufferAccess {
        BufferAccess { access, range: (bytes > 0).then_some((first, bytes)) }
    }
}

impl From<Access> for BufferAccess {
    fn from(access: Access) -> BufferAccess {
        BufferAccess { access, range: None }
    }
}

/// Statement of a launch about its arguments. A node keeps it; it holds as long as the node has the kernel and the addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchAccesses {
    kernel: KernelId,
    /// Number of arguments that the launch has.
    count: usize,
    arguments: Box<[StatedArgument]>,
    is_whole: bool,
}

impl LaunchAccesses {
    pub(crate) fn new(
        kernel: KernelId,
        count: usize,
        arguments: Box<[StatedArgument]>,
        is_whole: bool,
    ) -> LaunchAccesses {
        LaunchAccesses { kernel, count, arguments, is_whole }
    }

    /// Accesses of a launch whose addresses `moved` has moved, each by itself; what it gives nothing for stays.
    pub(crate) fn moved(&self, moved: &dyn Fn(Address) -> Option<Address>) -> LaunchAccesses {
        let one = |stated: &StatedArgument| {
            let Some(address) = moved(stated.address) else { return *stated };
            let bytes = stated.bytes.map(|(first, count)| (moved(first).unwrap_or(first), count));
            StatedArgument { address, bytes, ..*stated }
        };
        LaunchAccesses { arguments: self.arguments.iter().map(one).collect(), ..self.clone() }
    }

    /// As the driver is told.
    pub(crate) fn as_stated(&self) -> Stated<'_> {
        Stated { arguments: &self.arguments, is_whole: self.is_whole }
    }

    /// Returns whether they are of a launch of that kernel with these arguments.
    pub fn are_of(&self, kernel: KernelId, arguments: &[impl AsRef<[u8]>]) -> bool {
        let is_same = |stated: &StatedArgument| {
            arguments.get(stated.index).is_some_and(|bytes| stated.address.to_ne_bytes()[..] == *bytes.as_ref())
        };
        self.kernel == kernel && self.count == arguments.len() && self.arguments.iter().all(is_same)
    }

    /// Returns what was stated of an argument.
    pub fn argument(&self, index: usize) -> Option<StatedArgument> {
        self.arguments.iter().find(|stated| stated.index == index).copied()
    }

    /// Returns whether something was stated of every buffer, and one of them is written. A kernel that only reads what it is given writes
    /// something else.
    pub fn are_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns whether all that was stated is that buffers are read.
    pub fn are_read_alone(&self) -> bool {
        self.arguments.iter().all(|stated| stated.access == Access::Read)
    }
}
