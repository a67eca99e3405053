//! The op that sets memory.

use std::borrow::Cow;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::Result;
use graphcap_core::{Buffer, Fill, NodeWork};

/// Sets rows of elements of a buffer to a value.
#[derive(Clone, Debug)]
pub struct MemsetOp {
    /// What is written.
    pub buffer: Buffer,
    /// Its first byte written.
    pub offset: usize,
    /// The value; what does not fit an element is ignored.
    pub value: u32,
    /// 1, 2 or 4 bytes.
    pub element_size: u8,
    /// Elements in a row; with 0 nothing is set.
    pub width: usize,
    /// Rows; with 0 nothing is set.
    pub height: usize,
    /// Bytes from the start of a row to that of the next one; 0 where they follow each other.
    pub pitch: usize,
}

impl MemsetOp {
    /// Sets each byte of `buffer` to `value`.
    pub fn bytes(buffer: &Buffer, value: u8) -> MemsetOp {
        let (buffer, width) = (buffer.clone(), buffer.size());
        MemsetOp { buffer, offset: 0, value: value.into(), element_size: 1, width, height: 1, pitch: 0 }
    }

    /// The rows, with the buffer owned.
    pub fn of(fill: &Fill<'_>) -> MemsetOp {
        let Fill { buffer, offset, value, element_size, width, height, pitch } = *fill;
        MemsetOp { buffer: buffer.clone(), offset, value, element_size, width, height, pitch }
    }
}

impl GraphOp for MemsetOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("memset")
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        let MemsetOp { ref buffer, offset, value, element_size, width, height, pitch } = *self;
        let fill = Fill { buffer, offset, value, element_size, width, height, pitch };
        at.stream().submit_node_work(&NodeWork::Memset(fill))
    }
}
