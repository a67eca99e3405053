//! Every unsafe operation of the host device: calls of host kernels, copies, memsets and its memory.
//!
//! The functions are safe to call within the device because addresses and functions reach it only through
//! [`graphcap_driver::Driver`], whose callers vouch for them (see the `unsafe fn`s of `core`).

use std::alloc::Layout;
use std::cell::RefCell;
use std::ffi::c_void;
use std::mem::size_of;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

#[cfg(feature = "transforms")]
use realfft::num_complex::Complex;

use graphcap_driver::rules::summary::{ElementKind, Summary, PIECE_WORDS, SUMMARY_WORDS};
use graphcap_driver::{Address, HostBlock, HostKernelFunction, Value};
use graphcap_environment::set_default_floats_for_kernel;

/// Place of the arguments of a kernel: the address of an array of pointers to values.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArgumentTable(pub usize);

/// Runs one block of a kernel and gives what it returned. The block before, or another kernel, may have changed how this thread
/// rounds.
#[inline]
pub(super) fn call_block(function: HostKernelFunction, block: &HostBlock, arguments: ArgumentTable) -> i32 {
    set_default_floats_for_kernel();
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
pub(super) struct HeapBlock {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a HeapBlock is the sole owner of its memory and gives out nothing but its address.
unsafe impl Send for HeapBlock {}
// SAFETY: as above; shared references only read the address.
unsafe impl Sync for HeapBlock {}

impl HeapBlock {
    /// `bytes` (not 0) bytes at a multiple of `alignment`, a power of two; `None` when there is no memory.
    pub(super) fn allocate(bytes: usize, alignment: usize) -> Option<HeapBlock> {
        let layout = Layout::from_size_align(bytes, alignment).ok()?;
        if bytes == 0 {
            return None;
        }
        // SAFETY: the layout's size is not 0.
        let start = NonNull::new(unsafe { std::alloc::alloc(layout) })?;
        Some(HeapBlock { start, layout })
    }

    /// The first byte, as a number.
    pub(super) fn address(&self) -> Address {
        self.start.as_ptr().expose_provenance() as Address
    }
}

impl Drop for HeapBlock {
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

thread_local! {
    /// Shared memory of the block that this thread runs; grows to the largest asked for.
    static SCRATCH: RefCell<Option<HeapBlock>> = const { RefCell::new(None) };
}

/// Scratch of at least `bytes` (not 0) bytes of this thread's own, 64-byte aligned; `None` without memory.
///
/// Valid until the thread asks for more.
pub(super) fn scratch(bytes: u32) -> Option<*mut c_void> {
    let scratch = SCRATCH.try_with(|scratch| {
        let mut scratch = scratch.borrow_mut();
        if scratch.as_ref().is_none_or(|block| block.layout.size() < bytes as usize) {
            *scratch = Some(HeapBlock::allocate((bytes as usize).next_power_of_two(), 64)?);
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

/// Cores that a thread may run on, and a way to keep it off one core for a moment.
#[cfg(target_os = "linux")]
pub(super) struct Affinity {
    thread: libc::pid_t,
    /// The cores that the thread may use; `None` where that could not be told.
    cores: Option<libc::cpu_set_t>,
    /// The core that the thread was on when its place was asked for.
    core: libc::c_int,
    left: AtomicBool,
}

#[cfg(target_os = "linux")]
impl Affinity {
    /// The place of the calling thread.
    pub(super) fn here() -> Affinity {
        let thread = graphcap_observe::clock::thread_number() as libc::pid_t;
        // SAFETY: a set of cores is an array of bits; all zero is the empty one.
        let mut cores: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set is ours to write, and its size is given.
        let told = unsafe { libc::sched_getaffinity(thread, size_of::<libc::cpu_set_t>(), &mut cores) };
        // SAFETY: takes nothing.
        let core = unsafe { libc::sched_getcpu() };
        Affinity { thread, cores: (told == 0).then_some(cores), core, left: AtomicBool::new(false) }
    }

    /// Keeps the thread, which sleeps, off the core that the calling thread runs on. A thread that slept on another core wakes up
    /// there, or on an idle one.
    pub(super) fn leave_this_core(&self) {
        // SAFETY: takes nothing.
        let core = unsafe { libc::sched_getcpu() };
        let (Some(cores), Ok(core), true) = (self.cores, usize::try_from(core), core == self.core) else { return };
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
pub(super) struct Affinity;

#[cfg(not(target_os = "linux"))]
impl Affinity {
    pub(super) fn here() -> Affinity {
        Affinity
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

/// Parameters of a fill with random floats.
pub(super) struct RandomFill {
    pub(super) seed: u64,
    pub(super) subsequence: u64,
    /// The element that the first float is of.
    pub(super) first: u64,
    /// Floats.
    pub(super) count: u64,
    floats: *mut f32,
}

/// Place of one block among the blocks of a launch.
pub(super) struct BlockShare {
    pub(super) index: u64,
    /// Blocks.
    pub(super) count: u64,
    /// Elements that a block fills before it skips those of the others.
    pub(super) elements: u64,
}

/// Argument `index` of a host kernel whose parameters have 8 bytes each.
///
/// # Safety
/// The table is that of a launch of such a kernel, which has the parameter.
unsafe fn word_argument(arguments: *const *const c_void, index: usize) -> u64 {
    // SAFETY: the caller's promise; a launch passes as many arguments as the kernel has parameters, each with its bytes.
    unsafe { (*arguments.add(index)).cast::<u64>().read_unaligned() }
}

/// A number of 8 bytes in device memory, which several blocks may use at the same time.
///
/// # Safety
/// The address is a multiple of 8, and of memory that the work which runs keeps.
unsafe fn number_at<'a>(address: u64) -> &'a AtomicU64 {
    // SAFETY: the caller's promise.
    unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(address as usize)) }
}

/// The host kernel that takes numbers of a generator: its state (seed, subsequence, next element), where the first goes, how many.
pub(super) fn reserve_random(arguments: *const *const c_void) {
    // SAFETY: the kernel has three parameters of 8 bytes; core gives it memory of a generator and of a reservation, aligned.
    unsafe {
        let [state, first, count] = [0, 1, 2].map(|index| word_argument(arguments, index));
        let taken = number_at(state + 16).fetch_add(count, Ordering::AcqRel);
        number_at(first).store(taken, Ordering::Release);
    }
}

/// The host kernel that marks how far a launch is: where the launch's number stands, the mark, and 1 where a launch begins.
pub(super) fn mark(arguments: *const *const c_void) {
    // SAFETY: the kernel has three parameters of 8 bytes; core gives it memory of a watched exec, aligned.
    unsafe {
        let [launch, mark, begins] = [0, 1, 2].map(|index| word_argument(arguments, index));
        let (launch, mark) = (number_at(launch), number_at(mark));
        if begins == 1 {
            launch.store(mark.load(Ordering::Acquire).wrapping_add(1), Ordering::Release);
        }
        mark.store(launch.load(Ordering::Acquire), Ordering::Release);
    }
}

/// The host kernel that summarizes pieces of memory: where they are described, and where the summaries go. Each block has one.
pub(super) fn summarize(block: *const HostBlock, arguments: *const *const c_void) {
    // SAFETY: the kernel has two parameters of 8 bytes; core gives it as many descriptions as there are blocks, of memory that lives and
    // that nothing else writes, and room for as many summaries, aligned.
    unsafe {
        let [pieces, summaries] = [0, 1].map(|index| word_argument(arguments, index) as usize);
        let at = (*block).block_index[0] as usize;
        let pieces = std::ptr::with_exposed_provenance::<[u64; PIECE_WORDS]>(pieces);
        let [address, bytes, kind] = *pieces.add(at);
        let memory = std::ptr::with_exposed_provenance::<u8>(address as usize);
        let memory = std::slice::from_raw_parts(memory, bytes as usize);
        let summary = Summary::of(memory, address, ElementKind::of_number(kind).unwrap_or_default());
        let summaries = std::ptr::with_exposed_provenance_mut::<[u64; SUMMARY_WORDS]>(summaries);
        summaries.add(at).write(summary.words());
    }
}

/// The host kernel that fills memory with random floats: a generator's state, where the first element's number stands or 0, what is
/// added to that, the memory, and how many floats. And which part of it a block does.
pub(super) fn random_fill(block: *const HostBlock, arguments: *const *const c_void) -> (RandomFill, BlockShare) {
    // SAFETY: the kernel has five parameters of 8 bytes; core gives it memory of a generator and of a reservation, aligned.
    unsafe {
        let [state, base, offset, floats, count] = [0, 1, 2, 3, 4].map(|index| word_argument(arguments, index));
        let number = |address| number_at(address).load(Ordering::Acquire);
        let first = if base == 0 { offset } else { number(base).wrapping_add(offset) };
        let (seed, subsequence) = (number(state), number(state + 8));
        let floats = std::ptr::with_exposed_provenance_mut(floats as usize);
        let block = &*block;
        let part = BlockShare {
            index: block.block_index[0].into(),
            count: block.grid_dim[0].into(),
            elements: 4 * u64::from(block.block_dim[0]),
        };
        (RandomFill { seed, subsequence, first, count, floats }, part)
    }
}

/// Calls `write` with `length` floats of a fill, from float `start` on, which are this block's alone.
pub(super) fn with_floats(fill: &RandomFill, start: u64, length: u64, write: impl FnOnce(&mut [f32])) {
    // SAFETY: core checked that the buffer has `count` floats, aligned; blocks fill parts that do not overlap.
    write(unsafe { std::slice::from_raw_parts_mut(fill.floats.add(start as usize), length as usize) });
}

/// As many words as argument `index` of a kernel of graphcap's own has.
#[cfg(any(feature = "products", feature = "transforms"))]
pub(super) fn argument_words<const N: usize>(arguments: *const *const c_void, index: usize) -> [u64; N] {
    // SAFETY: a launch passes as many arguments as the kernel has parameters, each with its bytes.
    unsafe { (*arguments.add(index)).cast::<[u64; N]>().read_unaligned() }
}

/// Returns the block of the grid that a kernel of graphcap's own runs.
#[cfg(any(feature = "products", feature = "transforms"))]
pub(super) fn block_index(block: *const HostBlock) -> [u32; 3] {
    // SAFETY: whoever runs a block passes it.
    unsafe { (*block).block_index }
}

/// Reads 4 bytes, which have been found to be there and aligned.
#[cfg(feature = "products")]
pub(super) fn load_u32(address: Address) -> u32 {
    // SAFETY: the caller checked the range against the live ranges, and its alignment.
    unsafe { *std::ptr::with_exposed_provenance::<u32>(address as usize) }
}

/// C = alpha * A * B + beta * C, of matrices whose steps are elements from one row to the next, and from one column to the
/// next.
#[cfg(feature = "products")]
pub(super) struct Product {
    /// Rows and columns of C, columns of A.
    pub(super) sizes: [u64; 3],
    pub(super) a: Address,
    pub(super) b: Address,
    pub(super) c: Address,
    /// Of A, B and C.
    pub(super) steps: [[u64; 2]; 3],
    pub(super) alpha: f32,
    pub(super) beta: f32,
}

/// Multiplies matrices on this thread alone. Neither A nor B is read where A has no columns, and C is not where `beta` is 0.
#[cfg(feature = "products")]
pub(super) fn multiply(product: &Product) {
    let [m, n, k] = product.sizes.map(|size| size as usize);
    let [[a_row, a_column], [b_row, b_column], [c_row, c_column]] =
        product.steps.map(|steps| steps.map(|step| step as isize));
    let place = |address: Address| std::ptr::with_exposed_provenance_mut::<f32>(address as usize);
    // The crate's names are the other way round: its alpha goes with C, its beta with the product.
    // SAFETY: the caller checked the ranges against the live ranges and their alignment, and the launch holds them.
    unsafe {
        gemm_f32::gemm::f32::get_gemm_fn()(
            m,
            n,
            k,
            place(product.c),
            c_column,
            c_row,
            product.beta != 0.0,
            place(product.a),
            a_column,
            a_row,
            place(product.b),
            b_column,
            b_row,
            product.beta,
            product.alpha,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
}

/// Lends real numbers in memory that has been checked and that the launch holds.
#[cfg(feature = "transforms")]
pub(super) fn with_real<T>(address: Address, count: usize, see: impl FnOnce(&mut [f32]) -> T) -> T {
    // SAFETY: the caller checked the range against the live ranges and its alignment; each block has ranges of its own to write.
    see(unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(address as usize), count) })
}

/// As [`with_real`], of complex numbers.
#[cfg(feature = "transforms")]
pub(super) fn with_complex<T>(address: Address, count: usize, see: impl FnOnce(&mut [Complex<f32>]) -> T) -> T {
    // SAFETY: as in `with_real`.
    see(unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(address as usize), count) })
}
