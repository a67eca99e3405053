//! Every unsafe operation of the host device: calls of host kernels, copies, memsets and its memory.
//!
//! The functions are safe to call within the device because addresses and functions reach it only through
//! [`crate::driver::Driver`], whose callers vouch for them (see the `unsafe fn`s of `core`).

use std::alloc::Layout;
use std::cell::RefCell;
use std::ffi::c_void;
use std::mem::size_of;
#[cfg(target_os = "linux")]
use std::os::unix::thread::JoinHandleExt;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::JoinHandle;

use crate::driver::{Address, HostBlock, HostKernelFunction, Value};

/// Where arguments of a kernel lie: the address of an array of pointers to values.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArgumentTable(pub usize);

/// Runs one block of a kernel and gives what it returned.
#[inline]
pub(super) fn call_block(function: HostKernelFunction, block: &HostBlock, arguments: ArgumentTable) -> i32 {
    // SAFETY: whoever loaded the module promised that `function` is callable with its parameters while the
    // module lives, and what holds the call holds the module; the table is built by `PackedArguments`.
    unsafe { function(block, std::ptr::with_exposed_provenance::<*const c_void>(arguments.0)) }
}

/// Copies bytes; the ranges may overlap.
pub(super) fn copy(destination: Address, source: Address, bytes: usize) {
    // SAFETY: the caller checked the device side against the live ranges and holds them; the host side is
    // vouched for by whoever submitted the copy.
    unsafe {
        std::ptr::copy(
            std::ptr::with_exposed_provenance::<u8>(source as usize),
            std::ptr::with_exposed_provenance_mut::<u8>(destination as usize),
            bytes,
        );
    }
}

/// Sets `count` elements of `element_size` bytes to the low bytes of `value`.
pub(super) fn fill(address: Address, value: u32, element_size: u8, count: usize) {
    let start = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
    // SAFETY: the caller checked the range against the live ranges and holds it, and checked that the
    // address is a multiple of the element's size.
    unsafe {
        match element_size {
            1 => std::ptr::write_bytes(start, value as u8, count),
            2 => std::slice::from_raw_parts_mut(start.cast::<u16>(), count).fill(value as u16),
            _ => std::slice::from_raw_parts_mut(start.cast::<u32>(), count).fill(value),
        }
    }
}

/// Writes a value so that all that was written before is seen by whoever reads it.
pub(super) fn store(address: Address, value: Value) {
    let place = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
    // SAFETY: the caller checked the range against the live ranges and holds it, and checked that the address is a
    // multiple of the value's size; what others do there without atomics is theirs to order.
    unsafe {
        match value {
            Value::U32(value) => AtomicU32::from_ptr(place.cast()).store(value, Ordering::SeqCst),
            Value::U64(value) => AtomicU64::from_ptr(place.cast()).store(value, Ordering::SeqCst),
        }
    }
}

/// Reads as many bytes as `like` has.
pub(super) fn load(address: Address, like: Value) -> Value {
    let place = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
    // SAFETY: as in `store`; or it is memory of the device's that core holds.
    unsafe {
        match like {
            Value::U32(_) => Value::U32(AtomicU32::from_ptr(place.cast()).load(Ordering::SeqCst)),
            Value::U64(_) => Value::U64(AtomicU64::from_ptr(place.cast()).load(Ordering::SeqCst)),
        }
    }
}

/// A piece of memory of the device's own, freed when dropped.
pub(super) struct Block {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a Block is the sole owner of its memory and gives out nothing but its address.
unsafe impl Send for Block {}
// SAFETY: as above; shared references only read the address.
unsafe impl Sync for Block {}

impl Block {
    /// `bytes` (not 0) bytes at a multiple of `alignment`, a power of two; `None` when there is no memory.
    pub(super) fn allocate(bytes: usize, alignment: usize) -> Option<Block> {
        let layout = Layout::from_size_align(bytes, alignment).ok()?;
        if bytes == 0 {
            return None;
        }
        // SAFETY: the layout's size is not 0.
        let start = NonNull::new(unsafe { std::alloc::alloc(layout) })?;
        Some(Block { start, layout })
    }

    /// The first byte, as a number.
    pub(super) fn address(&self) -> Address {
        self.start.as_ptr().expose_provenance() as Address
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated by `allocate` with this very layout, and freed only here.
        unsafe { std::alloc::dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// Addresses of the process, which memory is put behind little by little; all goes back when dropped.
pub(super) struct Arena {
    start: NonNull<c_void>,
    bytes: usize,
}

// SAFETY: an Arena is the sole owner of its addresses and gives out nothing but the first of them.
unsafe impl Send for Arena {}
// SAFETY: as above; what shared references change is up to the system, which orders it.
unsafe impl Sync for Arena {}

impl Arena {
    /// Reserves `bytes` addresses, a multiple of the system's page; `None` when there are not so many.
    pub(super) fn reserve(bytes: usize) -> Option<Arena> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, at whatever addresses are free.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        NonNull::new(start).map(|start| Arena { start, bytes })
    }

    /// The first address.
    pub(super) fn address(&self) -> Address {
        self.start.as_ptr().expose_provenance() as Address
    }

    /// Puts memory behind addresses; both numbers are multiples of the system's page. False when there is none, and where the
    /// range is not within the arena.
    pub(super) fn back(&self, offset: usize, bytes: usize) -> bool {
        if offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return false;
        }
        // SAFETY: the range is within the mapping, which is ours.
        unsafe { libc::mprotect(self.start.as_ptr().byte_add(offset), bytes, libc::PROT_READ | libc::PROT_WRITE) == 0 }
    }

    /// Takes the memory from behind addresses that have some, and which nothing uses; both numbers are multiples of the system's page.
    /// False when the system refuses, and where the range is not within the arena.
    pub(super) fn unback(&self, offset: usize, bytes: usize) -> bool {
        if offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return false;
        }
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
        // SAFETY: the range is within the mapping, which is ours, and a new one without memory takes its place at once.
        unsafe {
            let at = self.start.as_ptr().byte_add(offset);
            libc::mmap(at, bytes, libc::PROT_NONE, flags, -1, 0) == at
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: mapped by `reserve` with this very size, and unmapped only here.
        let _ = unsafe { libc::munmap(self.start.as_ptr(), self.bytes) };
    }
}

/// The memory of the machine in bytes, or a guess.
pub(super) fn machine_memory() -> usize {
    // SAFETY: asks for numbers.
    let (pages, page) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    let bytes =
        usize::try_from(pages).ok().zip(usize::try_from(page).ok()).and_then(|(pages, page)| pages.checked_mul(page));
    bytes.filter(|&bytes| bytes > 0).unwrap_or(1 << 30)
}

/// Joins a thread that is over; gives the others back. Never waits, unlike a join of a thread that has returned but runs
/// destructors of thread-locals, which may be the caller's.
pub(in crate::driver) fn join_if_over(thread: JoinHandle<()>) -> Option<JoinHandle<()>> {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: the handle is that of a thread that was neither joined nor detached.
        if unsafe { libc::pthread_tryjoin_np(thread.as_pthread_t(), std::ptr::null_mut()) } != 0 {
            return Some(thread);
        }
        // Joined, so that the handle must not detach it.
        let _joined = thread.into_pthread_t();
        None
    }
    #[cfg(not(target_os = "linux"))]
    {
        if !thread.is_finished() {
            return Some(thread);
        }
        // A thread of graphcap's ends by returning; its result says nothing.
        let _ = thread.join();
        None
    }
}

thread_local! {
    /// Shared memory of the block that this thread runs; grows to the largest asked for.
    static SCRATCH: RefCell<Option<Block>> = const { RefCell::new(None) };
}

/// Scratch of at least `bytes` (not 0) bytes of this thread's own, 64-byte aligned; `None` without memory.
///
/// Valid until the thread asks for more.
pub(super) fn scratch(bytes: u32) -> Option<*mut c_void> {
    let scratch = SCRATCH.try_with(|scratch| {
        let mut scratch = scratch.borrow_mut();
        if scratch.as_ref().is_none_or(|block| block.layout.size() < bytes as usize) {
            *scratch = Some(Block::allocate((bytes as usize).next_power_of_two(), 64)?);
        }
        scratch.as_ref().map(|block| block.start.as_ptr().cast())
    });
    // A thread that is about to end, and waits in a destructor, has no scratch any more.
    scratch.ok().flatten()
}

/// A kernel call in a form that lanes can share: plain numbers, the block filled in by whoever runs it.
#[derive(Clone, Copy)]
pub(super) struct BlockTemplate(HostBlock);

// SAFETY: the only pointer inside, `shared_mem`, is NULL in a template.
unsafe impl Send for BlockTemplate {}
// SAFETY: as above.
unsafe impl Sync for BlockTemplate {}

impl BlockTemplate {
    /// The first block of a launch of `grid` blocks of `block` threads.
    pub(super) fn new(grid: [u32; 3], block: [u32; 3], shared_mem_bytes: u32) -> Self {
        BlockTemplate(HostBlock {
            struct_size: size_of::<HostBlock>() as u32,
            shared_mem_bytes,
            grid_dim: grid,
            block_dim: block,
            block_index: [0; 3],
            reserved: 0,
            shared_mem: std::ptr::null_mut(),
        })
    }

    /// The block as the kernel sees it; `shared_mem` is NULL.
    #[inline]
    pub(super) fn first(&self) -> &HostBlock {
        &self.0
    }
}

/// Where a thread may run, and a way to keep it off one core for a moment.
#[cfg(target_os = "linux")]
pub(super) struct Place {
    thread: libc::pid_t,
    /// The cores that the thread may use; `None` where that could not be told.
    cores: Option<libc::cpu_set_t>,
    left: AtomicBool,
}

#[cfg(target_os = "linux")]
impl Place {
    /// The place of the calling thread.
    pub(super) fn here() -> Place {
        // SAFETY: takes nothing and cannot fail.
        let thread = unsafe { libc::gettid() };
        // SAFETY: a set of cores is an array of bits; all zero is the empty one.
        let mut cores: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set is ours to write, and its size is given.
        let told = unsafe { libc::sched_getaffinity(thread, size_of::<libc::cpu_set_t>(), &mut cores) };
        Place { thread, cores: (told == 0).then_some(cores), left: AtomicBool::new(false) }
    }

    /// Keeps the thread, which sleeps, off the core that the calling thread runs on.
    pub(super) fn leave_this_core(&self) {
        // SAFETY: takes nothing.
        let core = unsafe { libc::sched_getcpu() };
        let (Some(cores), Ok(core)) = (self.cores, usize::try_from(core)) else { return };
        let mut others = cores;
        if core < 8 * size_of::<libc::cpu_set_t>() {
            // SAFETY: the core is inside the set.
            unsafe { libc::CPU_CLR(core, &mut others) };
        }
        // SAFETY: reads the set only.
        if unsafe { libc::CPU_COUNT(&others) } == 0 {
            return;
        }
        self.left.store(true, Ordering::Relaxed);
        // SAFETY: reads the set only. A failure leaves the thread where it was, which costs only time.
        unsafe { libc::sched_setaffinity(self.thread, size_of::<libc::cpu_set_t>(), &others) };
    }

    /// Lets the calling thread, whose place this is, run on all its cores again.
    pub(super) fn come_back(&self) {
        let Some(cores) = &self.cores else { return };
        if self.left.swap(false, Ordering::Relaxed) {
            // SAFETY: reads the set only.
            unsafe { libc::sched_setaffinity(self.thread, size_of::<libc::cpu_set_t>(), cores) };
        }
    }
}

/// Elsewhere the scheduler decides.
#[cfg(not(target_os = "linux"))]
pub(super) struct Place;

#[cfg(not(target_os = "linux"))]
impl Place {
    pub(super) fn here() -> Place {
        Place
    }
    pub(super) fn leave_this_core(&self) {}
    pub(super) fn come_back(&self) {}
}
/// The arguments of the host kernel that sets a condition: the condition, and the value that the second one points to.
pub(super) fn condition_and_value(arguments: *const *const c_void) -> (u64, u32) {
    // SAFETY: a launch passes as many arguments as the kernel has parameters, each with its bytes.
    let (condition, place) = unsafe { (*(*arguments).cast::<u64>(), *(*arguments.add(1)).cast::<*const AtomicU32>()) };
    // SAFETY: core checked that the address is of 4 bytes, aligned, in memory that the graph keeps.
    (condition, unsafe { &*place }.load(Ordering::Acquire))
}
