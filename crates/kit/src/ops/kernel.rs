//! The op that launches a kernel.

use std::borrow::Cow;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Buffer, BufferAccess, Kernel, KernelArgument, NodeWork};
use graphcap_driver::{LaunchAttribute, LaunchShape};

/// An argument of a [`KernelOp`].
#[derive(Clone, Debug)]
pub enum OpArgument {
    /// The device address of byte `offset` of `buffer`.
    Buffer {
        /// The buffer.
        buffer: Buffer,
        /// In bytes, at most the buffer's size.
        offset: usize,
        /// What the kernel does with it, where that is stated.
        access: Option<BufferAccess>,
    },
    /// The bytes of a value, as the parameter has them.
    Value(Vec<u8>),
}

impl OpArgument {
    /// The argument, owned.
    pub fn of(argument: &KernelArgument<'_>) -> OpArgument {
        match *argument {
            KernelArgument::Buffer { buffer, offset, access } => {
                OpArgument::Buffer { buffer: buffer.clone(), offset, access }
            }
            KernelArgument::Value(bytes) => OpArgument::Value(bytes.to_vec()),
        }
    }

    fn borrowed(&self) -> KernelArgument<'_> {
        match self {
            OpArgument::Buffer { buffer, offset, access } => {
                KernelArgument::Buffer { buffer, offset: *offset, access: *access }
            }
            OpArgument::Value(bytes) => KernelArgument::Value(bytes),
        }
    }
}

/// Launches a kernel.
#[derive(Clone, Debug)]
pub struct KernelOp {
    /// The kernel.
    pub kernel: Kernel,
    /// Blocks, threads and shared memory.
    pub shape: LaunchShape,
    /// One for each parameter.
    pub arguments: Vec<OpArgument>,
    /// How the kernel is launched, beyond its shape; none that records an event.
    pub attributes: Vec<LaunchAttribute>,
}

impl GraphOp for KernelOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.kernel.name())
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        let KernelOp { kernel, shape, arguments, attributes } = self;
        let arguments: Vec<_> = arguments.iter().map(OpArgument::borrowed).collect();
        let work = NodeWork::Kernel { kernel, shape: *shape, arguments: &arguments, attributes };
        at.stream().submit_node_work(&work)
    }
}
