//! Guarded memory, as both kinds of devices have it: the pattern beside blocks, and what is told of a byte there.

use std::fmt;

use graphcap_base::names::write_quoted;

use crate::Address;

/// Value of each byte beside a block that nobody may write to.
pub const CANARY: u8 = 0xc5;

/// A byte in a block or near it, to be told.
pub struct GuardedByte<'a> {
    /// Its address.
    pub address: Address,
    /// First byte of the block.
    pub start: Address,
    /// Bytes of the block.
    pub bytes: u64,
    /// Name of the block; empty for none.
    pub name: &'a str,
}

impl fmt::Display for GuardedByte<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GuardedByte { address, start, bytes, name } = *self;
        match address.checked_sub(start) {
            None => write!(out, "the byte {} bytes before the start of ", start - address)?,
            Some(offset) => write!(out, "byte {offset} of ")?,
        }
        match name {
            "" => write!(out, "an unnamed buffer")?,
            name => {
                out.write_str("buffer ")?;
                write_quoted(name, out)?;
            }
        }
        write!(out, " of {bytes} bytes at {start:#x}")?;
        match address.checked_sub(start + bytes) {
            None => Ok(()),
            Some(beyond) => write!(out, ", {beyond} bytes past its end"),
        }
    }
}
