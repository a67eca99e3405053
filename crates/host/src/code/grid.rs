//! Runs the blocks of a launch, and tells which one failed.
//!
//! A kernel is a C function called once per block. A launch of one block is a plain call; a launch whose
//! blocks turn out long offers them to other lanes.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::names::shown;
use graphcap_driver::failing::{self, Reason};
use graphcap_driver::{GridSources, HostKernelFunction, LaunchShape, Value};

use super::kernel::check_shape;
use crate::engine::lanes::{lanes, Helpable};
use crate::memory::guard;
use crate::raw::{self, ArgumentTable, BlockTemplate};
use crate::settings::AFTER_A_FAULT;

/// Blocks that take longer than this together are worth another lane's help.
const WORTH_SHARING: Duration = Duration::from_micros(20);
/// Time that the blocks should run which a lane takes at once: long against the taking, short against the wait at the end.
const BITE: Duration = Duration::from_micros(10);
/// Shortest time that they should run toward the end of a launch.
const LAST_BITE: Duration = Duration::from_micros(1);
/// After how many bites a lane that helps looks whether other launches and replays have fewer lanes.
const BITES_BETWEEN_LOOKS: u32 = 8;

/// Runs `work`, which is kernels, in the default floating-point environment; `None` if a kernel written in Rust panicked. An
/// exception of another language aborts the process there.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    graphcap_environment::set_default_floats();
    outlive_panic(work)
}

/// As [`catch_panic`], in the floating-point environment that there is. A reason that a kernel gave before it panicked stays.
#[inline]
fn outlive_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Some(done),
        Err(payload) => {
            // Dropping the payload runs the panicking code's Drop, which may panic as well.
            let _ = catch_unwind(AssertUnwindSafe(move || drop(payload)));
            None
        }
    }
}

/// Runs `run`, which begins with the piece of work whose number it is given, keeps in `running` the number of the one that runs,
/// and ends with the last. A piece in which a kernel ends the thread counts as run, and the one behind it is next.
#[inline]
pub(crate) fn go_on_behind_ends<T>(running: &Cell<u64>, mut run: impl FnMut(u64) -> T) -> T {
    loop {
        let start = running.get();
        if let Some(done) = graphcap_environment::outlive(|| run(start)) {
            return done;
        }
        running.set(running.get() + 1);
        // The kernel did not come to put back what it has changed.
        graphcap_environment::set_default_floats();
    }
}

/// The fault of a context in which the only block of a kernel has said that it fails, and returned 0.
#[cold]
pub(crate) fn block_failed(kernel: &str, reason: Reason) -> Error {
    BlockFault { cause: Cause::Returned(0), reason: Some(reason), index: 0, grid_dim: [1; 3] }.into_error(kernel)
}

/// The fault of a context in which a kernel panicked, whose only block may have given a reason before.
#[cold]
pub(crate) fn kernel_panicked(kernel: &str, reason: Option<Reason>) -> Error {
    BlockFault { cause: Cause::Panicked, reason, index: 0, grid_dim: [1; 3] }.into_error(kernel)
}

/// The grid of a launch, ready to run block by block.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    template: BlockTemplate,
    blocks: u64,
}

/// A block that failed.
pub(crate) struct BlockFault {
    cause: Cause,
    /// The reason that the kernel gave.
    reason: Option<Reason>,
    /// The block's number in the grid, x running fastest.
    index: u64,
    grid_dim: [u32; 3],
}

#[derive(Clone, Copy)]
enum Cause {
    /// The kernel returned this.
    Returned(i32),
    /// The kernel, written in Rust, panicked.
    Panicked,
    /// There was no memory to be the block's shared memory.
    NoSharedMemory(u32),
}

/// The coordinates of block number `index` of a grid.
fn coordinates(index: u64, grid_dim: [u32; 3]) -> [u32; 3] {
    let [width, height, _] = grid_dim.map(u64::from);
    [(index % width) as u32, (index / width % height) as u32, (index / (width * height)) as u32]
}

/// The grid that a node has when it runs; `None` where one of its sizes is 0.
///
/// # Errors
/// `INVALID_VALUE` for a grid that no launch can have.
pub(crate) fn grid_now(shape: &LaunchShape, from: &GridSources) -> Result<Option<Grid>> {
    let mut shape = *shape;
    for (size, &address) in shape.grid.iter_mut().zip(from) {
        // Core holds the memory, and checked the alignment.
        if let Some(Value::U32(found)) = address.map(|address| raw::load(address, Value::U32(0))) {
            *size = found;
        }
    }
    if shape.grid.contains(&0) {
        return Ok(None);
    }
    check_shape(&shape)?;
    Ok(Some(Grid::new(&shape)))
}

impl BlockFault {
    /// The reason, if it is of another piece of work, which gave it and returned 0.
    #[cold]
    pub(crate) fn take_reason_of_other(&mut self, at: u64) -> Option<Reason> {
        self.reason.take_if(|reason| reason.at != at)
    }

    /// Tells the block that gave the reason, which an earlier one may have done that returned 0.
    #[cold]
    fn of_first_block(mut self: Box<Self>) -> Box<BlockFault> {
        self.index = self.reason.as_ref().map_or(self.index, |reason| reason.at);
        self
    }

    /// The fault of the context, told for a person.
    #[cold]
    pub(crate) fn into_error(self, kernel: &str) -> Error {
        let [x, y, z] = coordinates(self.index, self.grid_dim);
        let (status, what) = match (self.cause, self.reason) {
            (Cause::Returned(_), Some(Reason { text, .. })) => {
                (Status::CALLBACK, format!("failed in block ({x}, {y}, {z}): {text}"))
            }
            (Cause::Returned(number), None) => (
                Status::ILLEGAL_ADDRESS,
                format!(
                    "returned {number} in block ({x}, {y}, {z}), which faults the context as an illegal address would"
                ),
            ),
            (Cause::Panicked, Some(Reason { text, .. })) => {
                (Status::CALLBACK, format!("failed in block ({x}, {y}, {z}): {text}; it panicked afterwards"))
            }
            (Cause::Panicked, None) => {
                (Status::LAUNCH_FAILED, "panicked; a kernel should return a number other than 0 instead".into())
            }
            (Cause::NoSharedMemory(bytes), _) => {
                (Status::LAUNCH_OUT_OF_RESOURCES, format!("could not be given {bytes} bytes of shared memory"))
            }
        };
        Error::new(status, format!("kernel '{}' {what}; {AFTER_A_FAULT}", shown(kernel)))
    }
}

impl Grid {
    pub(crate) fn new(shape: &LaunchShape) -> Self {
        let template = BlockTemplate::new(shape.grid, shape.block, shape.shared_mem_bytes);
        Grid { template, blocks: shape.grid.iter().map(|&dim| u64::from(dim)).product() }
    }

    /// Returns whether it is the grid of launches of a shape.
    pub(crate) fn is_of(&self, shape: &LaunchShape) -> bool {
        let block = self.template.first();
        let own = (block.grid_dim, block.block_dim, block.shared_mem_bytes);
        own == (shape.grid, shape.block, shape.shared_mem_bytes)
    }

    /// Returns whether a launch is one plain call of the function.
    pub(crate) fn is_one_plain_block(&self) -> bool {
        self.blocks == 1 && self.template.first().shared_mem_bytes == 0
    }

    /// Runs the only block of a grid that [`Grid::is_one_plain_block`].
    #[inline]
    pub(crate) fn run_plain_block(
        &self,
        function: HostKernelFunction,
        arguments: ArgumentTable,
    ) -> Result<(), Box<BlockFault>> {
        match raw::call_block(function, self.template.first(), arguments) {
            0 => Ok(()),
            returned => Err(self.fault(Cause::Returned(returned), 0)),
        }
    }

    /// Runs all blocks, with the help of other lanes where they are long. `pace` is kept from one run of the
    /// same launch to the next.
    pub(crate) fn run(
        &self,
        function: HostKernelFunction,
        arguments: ArgumentTable,
        pace: &BlockPace,
    ) -> Result<(), Box<BlockFault>> {
        if pace.is_worth_sharing(self.blocks) {
            return self.share(function, arguments, 0, pace);
        }
        let started = Instant::now();
        let mut next = 0;
        // Doubling the run between two looks at the clock keeps its cost away from short blocks.
        let mut run = 1;
        while next < self.blocks {
            let end = (next + run).min(self.blocks);
            self.run_range(function, arguments, next, end)?;
            next = end;
            run *= 2;
            pace.note(started.elapsed(), next);
            if pace.is_worth_sharing(self.blocks - next) {
                return self.share(function, arguments, next, pace);
            }
        }
        Ok(())
    }

    /// Runs the blocks from `start` to `end`. One that ends the thread counts as run.
    fn run_range(
        &self,
        function: HostKernelFunction,
        arguments: ArgumentTable,
        start: u64,
        end: u64,
    ) -> Result<(), Box<BlockFault>> {
        let ran = failing::number_inner_work(|running| {
            running.set(start);
            // Here, where it is known that a reason is of these blocks.
            outlive_panic(|| {
                go_on_behind_ends(running, |start| self.run_blocks(function, arguments, start..end, running))
            })
            .unwrap_or_else(|| Err(self.fault(Cause::Panicked, running.get())))
        });
        match (ran, failing::take_reason()) {
            (Ok(()), None) => Ok(()),
            (Ok(()), Some(reason)) => Err(self.failed(reason)),
            (Err(fault), _) => Err(fault.of_first_block()),
        }
    }

    /// Runs blocks one after another, and keeps in `running` which one runs.
    fn run_blocks(
        &self,
        function: HostKernelFunction,
        arguments: ArgumentTable,
        blocks: Range<u64>,
        running: &Cell<u64>,
    ) -> Result<(), Box<BlockFault>> {
        let mut block = *self.template.first();
        if block.shared_mem_bytes > 0 {
            let Some(scratch) = raw::scratch(block.shared_mem_bytes) else {
                return Err(self.fault(Cause::NoSharedMemory(block.shared_mem_bytes), blocks.start));
            };
            block.shared_mem = scratch;
        }
        for index in blocks {
            running.set(index);
            block.block_index = coordinates(index, block.grid_dim);
            let returned = raw::call_block(function, &block, arguments);
            if returned != 0 {
                return Err(self.fault(Cause::Returned(returned), index));
            }
        }
        Ok(())
    }

    /// Offers the blocks from `next` on to other lanes, a bite at a time, and works on them until all are done.
    fn share(
        &self,
        function: HostKernelFunction,
        arguments: ArgumentTable,
        next: u64,
        pace: &BlockPace,
    ) -> Result<(), Box<BlockFault>> {
        let shared = Arc::new(SharedGrid {
            grid: *self,
            function,
            arguments,
            bite: pace.blocks_in(BITE),
            last_bite: pace.blocks_in(LAST_BITE),
            next: AtomicU64::new(next),
            helpers: AtomicUsize::new(0),
            unfinished: AtomicU64::new(self.blocks - next),
            failed: AtomicU64::new(u64::MAX),
            fault: Mutex::default(),
            running: guard::running(),
        });
        let offer: Arc<dyn Helpable> = shared.clone();
        lanes().offer(&offer);
        lanes().call_helpers(&*shared);
        let started = Instant::now();
        let ran = shared.work(|_| false);
        pace.note(started.elapsed(), ran);
        lanes().withdraw(&offer);
        // Whatever is left is in the hands of lanes that run it right now.
        let mut looks = 0u32;
        while shared.unfinished.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks < 1000 {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
        let fault = lock(&shared.fault).take();
        fault.map_or(Ok(()), Err)
    }

    /// A block has said that it fails, and returned 0.
    #[cold]
    fn failed(&self, reason: Reason) -> Box<BlockFault> {
        let index = reason.at;
        Box::new(BlockFault { reason: Some(reason), ..*self.fault(Cause::Returned(0), index) })
    }

    #[cold]
    fn fault(&self, cause: Cause, index: u64) -> Box<BlockFault> {
        Box::new(BlockFault { cause, reason: failing::take_reason(), index, grid_dim: self.template.first().grid_dim })
    }
}

/// Duration of the blocks of a launch when it last ran, so that a replay shares them from the first on.
#[derive(Default)]
pub(crate) struct BlockPace(AtomicU64);

impl Clone for BlockPace {
    fn clone(&self) -> BlockPace {
        BlockPace(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}

impl BlockPace {
    /// Takes note of `blocks` blocks that a lane has run in `elapsed`.
    fn note(&self, elapsed: Duration, blocks: u64) {
        if let Some(block_ns) = u64::try_from(elapsed.as_nanos()).ok().and_then(|ns| ns.checked_div(blocks)) {
            self.0.store(block_ns, Ordering::Relaxed);
        }
    }

    /// Returns whether so many blocks are worth another lane's help.
    fn is_worth_sharing(&self, blocks: u64) -> bool {
        let ns = u128::from(self.0.load(Ordering::Relaxed)) * u128::from(blocks);
        // A check tells a kernel from others by its thread.
        blocks > 1 && !guard::checks() && ns > WORTH_SHARING.as_nanos() && lanes().count > 1
    }

    /// Returns how many blocks take that long; 1 at least.
    fn blocks_in(&self, time: Duration) -> u64 {
        u64::try_from(time.as_nanos())
            .unwrap_or(u64::MAX)
            .checked_div(self.0.load(Ordering::Relaxed))
            .unwrap_or(1)
            .max(1)
    }
}

/// A grid that several lanes work on. Blocks are taken in order, some at a time.
struct SharedGrid {
    grid: Grid,
    function: HostKernelFunction,
    arguments: ArgumentTable,
    /// The most and the fewest blocks that a lane takes at a time.
    bite: u64,
    last_bite: u64,
    next: AtomicU64,
    /// Lanes that help the one that offered. More lanes than there are cores would only take turns.
    helpers: AtomicUsize,
    /// Blocks not yet run. The arguments stay alive until it is 0: the lane that offered waits for that.
    unfinished: AtomicU64,
    /// The number of the first block that failed so far; none behind it is begun any more.
    failed: AtomicU64,
    /// Failure of that block.
    fault: Mutex<Option<Box<BlockFault>>, rank::GridFault>,
    /// Work that the lane runs which offered. It ends no sooner than the blocks.
    running: guard::Running,
}

impl SharedGrid {
    /// Returns how many blocks a lane takes next: fewer toward the end, so that all lanes end at about the same time.
    fn next_bite(&self) -> u64 {
        let left = self.grid.blocks.saturating_sub(self.next.load(Ordering::Relaxed));
        (left / (2 * lanes().count as u64)).clamp(self.last_bite, self.bite)
    }

    /// Runs blocks until all are taken, or until `leave` says so of the bite that comes next; gives how many it ran.
    fn work(&self, leave: impl Fn(u32) -> bool) -> u64 {
        let mut ran = 0;
        let mut bites = 0u32;
        loop {
            if leave(bites) {
                return ran;
            }
            bites = bites.wrapping_add(1);
            let bite = self.next_bite();
            let start = self.next.fetch_add(bite, Ordering::Relaxed);
            if start >= self.grid.blocks {
                return ran;
            }
            let end = (start + bite).min(self.grid.blocks);
            // Behind a fault the rest is counted down unrun: the context is lost anyway. Blocks before it are run, so that the fault
            // is told which a lane alone would have met, and no reason is lost that an earlier block gives.
            if start <= self.failed.load(Ordering::Acquire) {
                let _runs = self.running.goes_on();
                let ran = catch_panic(|| self.grid.run_range(self.function, self.arguments, start, end));
                // Whichever lane a kernel panics on, its blocks must be counted down.
                if let Err(fault) = ran.unwrap_or_else(|| Err(self.grid.fault(Cause::Panicked, start))) {
                    self.note_fault(fault);
                }
            }
            ran += end - start;
            self.unfinished.fetch_sub(end - start, Ordering::AcqRel);
        }
    }
}

impl SharedGrid {
    /// A block failed; the first one is told.
    #[cold]
    fn note_fault(&self, fault: Box<BlockFault>) {
        let mut first = lock(&self.fault);
        if first.as_ref().is_none_or(|first| fault.index < first.index) {
            self.failed.store(fault.index, Ordering::Release);
            *first = Some(fault);
        }
    }
}

impl Helpable for SharedGrid {
    fn helpers_wanted(&self) -> usize {
        let bites = self.grid.blocks.saturating_sub(self.next.load(Ordering::Relaxed)).div_ceil(self.bite);
        let room = lanes().count.saturating_sub(1 + self.helpers.load(Ordering::Relaxed));
        usize::try_from(bites).map_or(room, |bites| room.min(bites))
    }

    fn lanes_present(&self) -> usize {
        1 + self.helpers.load(Ordering::Relaxed)
    }

    fn help(self: Arc<Self>) {
        let more = |helpers| (helpers + 1 < lanes().count).then_some(helpers + 1);
        if self.helpers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok() {
            // One bite at least, so that it gets on however many streams come.
            self.work(|bites| {
                bites > 0
                    && lanes().need_helper_elsewhere(self.lanes_present(), bites.is_multiple_of(BITES_BETWEEN_LOOKS))
            });
            self.helpers.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_driver::{callbacks, fail_work, HostBlock};
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicBool, AtomicU32};

    static BEGUN: AtomicU32 = AtomicU32::new(0);
    static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

    /// The block that begins second panics; the first one gives a reason when that has been noted.
    extern "C-unwind" fn reason_behind_panic(_: *const HostBlock, _: *const *const c_void) -> i32 {
        if BEGUN.fetch_add(1, Ordering::AcqRel) == 1 {
            std::panic::resume_unwind(Box::new("test"));
        }
        while !HAS_PANICKED.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        fail_work("the rim is empty").unwrap();
        0
    }

    #[test]
    fn the_first_block_tells_its_reason_where_a_later_one_panicked_before() {
        let shape = LaunchShape { grid: [2, 1, 1], ..LaunchShape::ONE_THREAD };
        let shared = SharedGrid {
            grid: Grid::new(&shape),
            function: reason_behind_panic,
            arguments: ArgumentTable(0),
            bite: 1,
            last_bite: 1,
            next: AtomicU64::new(0),
            helpers: AtomicUsize::new(0),
            unfinished: AtomicU64::new(2),
            failed: AtomicU64::new(u64::MAX),
            fault: Mutex::default(),
            running: guard::running(),
        };
        std::thread::scope(|scope| {
            let first = scope.spawn(|| {
                let _inside = callbacks::enter_work();
                shared.work(|bites| bites > 0)
            });
            while BEGUN.load(Ordering::Acquire) == 0 {
                std::thread::yield_now();
            }
            let _inside = callbacks::enter_work();
            assert_eq!(shared.work(|_| false), 1);
            HAS_PANICKED.store(true, Ordering::Release);
            assert_eq!(first.join().unwrap(), 1);
        });
        let error = lock(&shared.fault).take().unwrap().into_error("reason_behind_panic");
        assert_eq!(error.status, Status::CALLBACK, "{error}");
        assert!(error.message.contains("failed in block (0, 0, 0): the rim is empty"), "{error}");
    }
}
