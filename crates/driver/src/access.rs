//! Accesses of kernels to the memory that their arguments point to, where a program states it.

use serde::{Deserialize, Serialize};

use super::Address;

/// Use that a kernel makes of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Reads it only.
    Read,
    /// Writes it only.
    Write,
    /// May do both.
    #[default]
    ReadWrite,
}

/// Statements of a launch about its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stated<'a> {
    /// The arguments of which the launch states something, in the order of the kernel's parameters.
    pub arguments: &'a [StatedArgument],
    /// Tells whether it states something of every buffer, and writes one of them: then it touches nothing else.
    pub is_whole: bool,
}

/// Statement of a launch about one argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatedArgument {
    /// Number of the argument, counted from 0.
    pub index: usize,
    /// Value of the argument: the address that the kernel is given.
    pub address: Address,
    /// Use that the kernel makes of the bytes.
    pub access: Access,
    /// The first byte that it touches, and how many; `None` for all of the memory that the address lies in.
    pub bytes: Option<(Address, usize)>,
}
