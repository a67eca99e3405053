//! Memory: addresses, the kinds that devices have, pinned memory of the host's.

use super::MemoryId;

/// A place in device memory, as a number: what a kernel gets as its pointer argument.
pub type Address = u64;

/// The allocation that an address lies in, as a device knows it: all of its bytes are of one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AddressOrigin {
    /// Its first byte.
    pub base: Address,
    /// Its size in bytes.
    pub bytes: usize,
    /// Which allocation of the process it is: memory that is freed and allocated anew at the same address has another
    /// number.
    pub id: u64,
}

impl AddressOrigin {
    /// Whether the byte at `address` is of the allocation.
    pub fn holds(&self, address: Address) -> bool {
        address.checked_sub(self.base).is_some_and(|offset| offset < self.bytes as u64)
    }
}

/// What memory of the device is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryKind {
    /// Work of all kinds but value operations, which a foreign driver does not do on memory of pools.
    Pooled,
    /// Value operations too.
    Waitable,
    /// The CPU and the device use the same addresses; attached so at first.
    Managed(Attach),
}

/// Who may use managed memory, by CUDA's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attach {
    /// Every stream.
    Global = 1,
    /// The CPU alone.
    Host = 2,
    /// One stream.
    Single = 4,
}

/// How host memory is pinned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HostMemoryOptions {
    /// Contexts other than this one treat it as pinned, too.
    pub portable: bool,
    /// The device has an address for it.
    pub mapped: bool,
    /// Quick to write for the CPU and to read for the device; slow to read for the CPU.
    pub write_combined: bool,
}

/// Host memory that the device reaches by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostMemory {
    /// Its name, for [`Driver::release`](super::Driver::release).
    pub memory: MemoryId,
    /// Where it starts for the CPU.
    pub address: Address,
    /// Where it starts for the device, if it is mapped.
    pub mapped: Option<Address>,
}
