//! What kernels do with the memory that their arguments point to, where a program states it.

use super::Address;

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

/// What a launch states of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stated<'a> {
    /// The arguments of which the launch states something, in the order of the kernel's parameters.
    pub arguments: &'a [StatedArgument],
    /// Tells whether it states something of every buffer, and writes one of them: then it touches nothing else.
    pub is_whole: bool,
}

/// What a launch states of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatedArgument {
    /// Which argument, counted from 0.
    pub index: usize,
    /// What the argument is.
    pub address: Address,
    /// What the kernel does with the bytes.
    pub access: Access,
    /// The first byte that it touches, and how many; `None` for all of the memory that the address lies in.
    pub bytes: Option<(Address, usize)>,
}
