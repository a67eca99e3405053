//! Memory that a kernel touches besides what its arguments point to, as programs state it.

use std::sync::Arc;

use super::buffer::Buffer;
use graphcap_driver::{Access, StatedMemory};

/// A buffer that a kernel touches without being given its address: a variable of its module, or what a pointer in memory leads to.
#[derive(Clone, Debug)]
pub struct TouchedBuffer {
    /// The buffer, which the statement keeps alive.
    pub buffer: Buffer,
    /// Use that the kernel makes of its bytes.
    pub access: Access,
}

impl TouchedBuffer {
    fn is_of(&self, buffer: &Buffer) -> bool {
        (self.buffer.address(), self.buffer.size()) == (buffer.address(), buffer.size())
    }

    /// As the driver is told.
    pub(crate) fn as_stated(&self) -> StatedMemory {
        StatedMemory { address: self.buffer.address(), bytes: self.buffer.size(), access: self.access }
    }
}

/// The statements `before`, with `access` stated of `buffer`, or nothing stated of it.
pub(crate) fn stated(before: &[TouchedBuffer], buffer: &Buffer, access: Option<Access>) -> Arc<[TouchedBuffer]> {
    let others = before.iter().filter(|touched| !touched.is_of(buffer)).cloned();
    others.chain(access.map(|access| TouchedBuffer { buffer: buffer.clone(), access })).collect()
}
