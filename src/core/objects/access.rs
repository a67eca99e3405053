//! What kernels do with memory.

use std::sync::Arc;

/// What a kernel does with a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Access {
    /// Reads it only.
    Read,
    /// Writes it only.
    Write,
    /// May do both.
    #[default]
    ReadWrite,
}

/// For each parameter of a kernel what the kernel does with the memory that it points to; `None` for one that is no address.
pub(in crate::core) type Accesses = Arc<[Option<Access>]>;
