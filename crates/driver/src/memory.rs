//! Memory: addresses, the kinds that devices have, pinned memory of the host's; taken and given back.

use super::{MemoryId, StreamId};
use graphcap_base::error::Result;

/// The memory of a context. The rules of [`Driver`](super::Driver) hold.
pub trait Memory: Send + Sync {
    /// Allocates device memory, at least 256-byte aligned, not cleared. Never an unsafe call under the capture rules.
    fn allocate(&self, bytes: usize, kind: MemoryKind) -> Result<(MemoryId, Address)>;
    /// Makes memory of the caller's known to the device. `on_release` runs once, on any thread, where it may
    /// block, after [`Memory::release`] and the work that uses it. `INVALID_VALUE` where the device cannot use it.
    fn adopt(&self, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId>;
    /// Lets device number `ordinal`, of the same kind, reach the memory that this context allocates, from here on. Never an
    /// unsafe call under the capture rules.
    fn lend(&self, ordinal: u32) -> Result<()>;
    /// Names memory that another context on the same kind of device has lent to this one. `on_release` runs once, on any
    /// thread, after [`Memory::release`] and the work that uses it; it runs no code of the caller's, but may drop a
    /// context. Asks nothing of a foreign driver.
    fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId>;
    /// Names an object of the caller's, which has no address. `on_release` runs as that of [`Memory::adopt`].
    fn entrust(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId>;
    /// Gives memory back once the work submitted so far to `used_by` has completed, destroyed streams
    /// included. Does not wait; the memory stays valid until then. Pinned host memory may go back in
    /// [`Driver::collect`](super::Driver::collect) or [`Driver::synchronize`](super::Driver::synchronize) alone, where that would wait.
    fn release(&self, memory: MemoryId, used_by: &[StreamId]);
    /// Returns whether all memory that no work uses goes back within [`Memory::release`], pinned memory too.
    fn releases_at_once(&self) -> bool {
        false
    }
    /// Returns whether host memory that was pinned in this range is released, and stays pinned until
    /// [`Driver::collect`](super::Driver::collect).
    fn leaves_pinned(&self, _address: Address, _bytes: usize) -> bool {
        false
    }
    /// Reserves addresses, with no memory behind them: `bytes` bytes at least, or as many as the device has memory. Messages say
    /// that they are of `owner`. Never an unsafe call under the capture rules.
    fn reserve(&self, bytes: Option<usize>, owner: &str) -> Result<Reserved>;
    /// Puts memory behind `bytes` bytes at `offset` of reserved addresses, which have none yet; both are multiples of
    /// [`Reserved::page`], and `bytes` is not 0. Never an unsafe call under the capture rules.
    fn back(&self, reserved: MemoryId, offset: usize, bytes: usize) -> Result<()>;
    /// Takes memory from behind the last reserved addresses that have some, which end at `end`: as much of it as begins at `from` or
    /// later, in the pieces that the device has it in. Nothing uses these addresses. Gives where the memory ends now. Never an unsafe
    /// call under the capture rules.
    fn unback(&self, reserved: MemoryId, from: usize, end: usize) -> Result<usize>;
    /// Names `bytes` bytes at `offset` of reserved addresses, which have memory behind them, and gives where they start: there, or
    /// elsewhere where the device allocates each range by itself. The memory stays there until this memory is released, too. Ranges
    /// may overlap. `on_release` runs once, on any thread, after [`Memory::release`] and the work that uses the bytes. The device
    /// may hold locks then: it takes none but leaves, and drops no object.
    fn carve(
        &self,
        reserved: MemoryId,
        offset: usize,
        bytes: usize,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<(MemoryId, Address)>;
    /// Tells how the program calls the memory that starts at `address`, for messages of the device's. Never an unsafe call under
    /// the capture rules.
    fn memory_named(&self, address: Address, name: &str);
    /// Ends the process, with a message, where bytes beside guarded memory were written to. Never an unsafe call under the capture
    /// rules.
    fn check_guarded(&self) {}
    /// Returns what the nodes of graphs that allocate have of the device, in this process. Never an unsafe call under the capture rules.
    fn graph_memory(&self) -> Result<GraphMemory>;
    /// Makes the highest numbers of [`Memory::graph_memory`] begin anew. Never an unsafe call under the capture rules.
    fn graph_memory_reset_high(&self) -> Result<()>;
    /// Gives memory back to the device that nothing uses and that is kept for later allocations. Does not wait for the caller's work.
    /// Never an unsafe call under the capture rules.
    fn trim(&self) -> Result<()>;
    /// Gives back to the device what graphs have reserved and neither hold allocated nor use in launches in flight. Never an unsafe
    /// call under the capture rules.
    fn graph_memory_trim(&self) -> Result<()>;
    /// The allocation that holds the byte at `address`, whoever made it; `None` where this device knows of no memory. Never an
    /// unsafe call under the capture rules. On a foreign driver an address of no memory takes longest.
    fn address_origin(&self, address: Address) -> Result<Option<AddressOrigin>>;
    /// Allocates pinned host memory, aligned as [`Memory::allocate`] does, not cleared. Never an unsafe call under the
    /// capture rules.
    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory>;
    /// Pins host memory of the caller's. `on_release` runs as that of [`Memory::adopt`], when it is pinned no longer.
    /// `HOST_MEMORY_ALREADY_REGISTERED` where it is pinned already. Never an unsafe call under the capture rules.
    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory>;
    /// Reads a number of 4 or 8 bytes from pinned host memory of the device's own, which lives. Its address is a multiple of its
    /// size. Work that writes it as a whole may do so meanwhile.
    fn host_number(&self, address: Address, bytes: usize) -> u64;
    /// Writes a number of 8 bytes into pinned host memory of the device's own, which lives, so that work which begins later sees it.
    /// Its address is a multiple of 8.
    fn host_set_number(&self, address: Address, number: u64);
    /// Reads bytes from pinned host memory of the device's own, which lives and which no work writes meanwhile.
    fn host_bytes(&self, address: Address, to: &mut [u8]);
}

/// A place in device memory, as a number: what a kernel gets as its pointer argument.
pub type Address = u64;
/// Bytes of an address.
pub const ADDRESS_BYTES: usize = size_of::<Address>();

/// The allocation that an address lies in, as a device knows it: all of its bytes are of one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AddressOrigin {
    /// Its first byte.
    pub base: Address,
    /// Its size in bytes.
    pub bytes: usize,
    /// Number of the allocation in the process: memory that is freed and allocated anew at the same address has another
    /// number.
    pub id: u64,
}

impl AddressOrigin {
    /// Returns whether the byte at `address` is of the allocation.
    pub fn holds(&self, address: Address) -> bool {
        address.checked_sub(self.base).is_some_and(|offset| offset < self.bytes as u64)
    }
}

/// Memory that the nodes of graphs allocate on a device, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GraphMemory {
    /// In use by graphs.
    pub used: u64,
    /// The most that was in use since the last reset.
    pub used_high: u64,
    /// Held for graphs.
    pub reserved: u64,
    /// The most that was held since the last reset.
    pub reserved_high: u64,
}

/// Purpose of memory of the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryKind {
    /// Work of all kinds but value operations, which a foreign driver does not do on memory of pools.
    Pooled,
    /// Value operations too.
    Waitable,
    /// The CPU and the device use the same addresses; attached so at first.
    Managed(Attach),
}

/// Streams that may use managed memory, by CUDA's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attach {
    /// Every stream.
    Global = 1,
    /// The CPU alone.
    Host = 2,
    /// One stream.
    Single = 4,
}

/// Options that host memory is pinned with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HostMemoryOptions {
    /// Contexts other than this one treat it as pinned, too.
    pub portable: bool,
    /// The device has an address for it.
    pub mapped: bool,
    /// Quick to write for the CPU and to read for the device; slow to read for the CPU.
    pub write_combined: bool,
}

/// Addresses that memory is put behind little by little. The memory goes back, and then the addresses, when they and all that was
/// carved of them are released.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reserved {
    /// Their name, for [`Memory::release`].
    pub memory: MemoryId,
    /// The first one.
    pub address: Address,
    /// Number of addresses, a multiple of the page.
    pub bytes: usize,
    /// Unit of the memory that is put behind them, a power of two.
    pub page: usize,
    /// Tells whether each range that is carved of them is allocated by itself, elsewhere: none overlap.
    pub is_apart: bool,
}

/// Host memory that the device reaches by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostMemory {
    /// Its name, for [`Memory::release`].
    pub memory: MemoryId,
    /// First address for the CPU.
    pub address: Address,
    /// First address for the device, if it is mapped.
    pub mapped: Option<Address>,
}
