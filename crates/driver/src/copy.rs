//! Copies and memsets. Where the rows of a copy lie is in `region.rs`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Address;
use graphcap_base::error::Error;

/// The two sides of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemcpyKind {
    /// From host memory into device memory.
    HostToDevice,
    /// From device memory into host memory.
    DeviceToHost,
    /// Within device memory.
    DeviceToDevice,
    /// Within host memory.
    HostToHost,
    /// Within device memory, of which one side at least is of another context than the stream, on the same kind of device.
    BetweenContexts,
}

impl MemcpyKind {
    /// Tells which sides are host memory: the destination, the source.
    pub fn host_sides(self) -> (bool, bool) {
        (
            matches!(self, MemcpyKind::DeviceToHost | MemcpyKind::HostToHost),
            matches!(self, MemcpyKind::HostToDevice | MemcpyKind::HostToHost),
        )
    }
}

/// A copy of `bytes` bytes from `source` to `destination`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memcpy {
    /// First byte written.
    pub destination: Address,
    /// First byte read.
    pub source: Address,
    /// Number of bytes.
    pub bytes: usize,
    /// The sides of the copy.
    pub kind: MemcpyKind,
}

/// Sets `rows` rows of `count` elements of `element_size` bytes (1, 2 or 4) to the low bytes of `value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memset {
    /// First byte written; a multiple of `element_size`.
    pub address: Address,
    /// The value; what does not fit an element is ignored.
    pub value: u32,
    /// 1, 2 or 4 bytes.
    pub element_size: u8,
    /// Number of elements in a row.
    pub count: usize,
    /// Number of rows; not 0.
    pub rows: usize,
    /// Bytes from the start of a row to that of the next one, a multiple of `element_size`. Where there is one row it is unused, and what
    /// was given, or 0.
    pub pitch: usize,
}

/// Bytes of the host's that a copy reads in the place of memory of the caller's. Not `Arc<[u8]>`, which would copy them once
/// more into an allocation that cannot fail.
pub type Snapshot = Arc<Vec<u8>>;

/// The failure of copies that were given together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BatchError {
    /// The copy that failed, by its place among them; `None` where it is not known, or none of them is to blame.
    pub index: Option<usize>,
    /// The reason.
    pub error: Error,
}

impl BatchError {
    /// The failure of the copy at `index`.
    #[cold]
    pub fn at(index: usize, error: Error) -> BatchError {
        BatchError { index: Some(index), error }
    }
}

impl From<Error> for BatchError {
    #[cold]
    fn from(error: Error) -> BatchError {
        BatchError { index: None, error }
    }
}
