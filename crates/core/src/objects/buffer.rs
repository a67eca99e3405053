//! A buffer: a range of device memory that graphs and queued work keep from going away under them.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use super::lending::Lending;
use super::name::{label, Name};
use crate::graphs::uses::{Kind, Uses};
use crate::keep::{Keep, Kept, KeptBy};
use crate::pools::kept_block::KeptBlock;
use crate::pools::launch_order::LaunchOrder;
use crate::pools::reuse::CaptureBlock;
use crate::state::{Context, Loan};
use graphcap_base::defer;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{Address, Driver, MemFree, MemoryId, MemoryKind, StreamId, UsedBy, Users};

/// Device memory.
///
/// Dropping the last handle never waits. The memory goes back once the work that was submitted on it has
/// completed and no graph or exec uses it any more.
#[derive(Clone)]
pub struct Buffer(Arc<BufferInner>);

pub(crate) struct BufferInner {
    context: Context,
    memory: MemoryId,
    address: Address,
    bytes: usize,
    origin: Origin,
    name: Name,
    kept_by: KeptBy,
    /// Tells whether a kernel was ever given the address one past its last byte.
    gave_end: AtomicBool,
    /// Tells whether the library's products of a stream use it one after another.
    is_shared_workspace: AtomicBool,
    /// Every stream that executed work on the buffer.
    used_by: UsedBy,
    /// Set when work of another context uses the buffer.
    lending: OnceLock<Box<Lending>>,
    /// Tells whether it is known what is to be given back.
    has_left: bool,
    pool: PoolPart,
}

/// Part that a buffer has in a pool, and in what graphs share of that.
#[derive(Default)]
struct PoolPart {
    /// Part of the capture that allocated the buffer on a stream.
    capture_block: Option<CaptureBlock>,
    /// Block that graphs keep of its memory beside it or, where they share memory of its pool, in its place.
    kept_block: Option<Arc<KeptBlock>>,
    /// The order of the launches that it is written by, where execs must not use it at once.
    launch_order: OnceLock<Arc<LaunchOrder>>,
}

/// Origin of the memory of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// It was allocated as this.
    Allocated(MemoryKind),
    /// It is the caller's, who knows what it is.
    Wrapped,
    /// It is a block of the pool of that number.
    Pool { pool: u64 },
    /// Nodes of graphs allocate and free it.
    Node,
    /// It is pinned memory of the host's, and where it starts for the device, if it is mapped.
    Pinned { mapped: Option<Address> },
}

impl Origin {
    /// The number of the pool that it is a block of.
    pub(crate) fn pool(self) -> Option<u64> {
        match self {
            Origin::Pool { pool } => Some(pool),
            _ => None,
        }
    }

    /// Returns what a report calls it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Origin::Allocated(MemoryKind::Pooled) => "device",
            Origin::Allocated(MemoryKind::Waitable) => "waitable",
            Origin::Allocated(MemoryKind::Managed(_)) => "managed",
            Origin::Wrapped => "wrapped",
            Origin::Pool { .. } => "pool",
            Origin::Node => "graph",
            Origin::Pinned { .. } => "pinned",
        }
    }
}

impl Buffer {
    /// Allocates `bytes` bytes, at least 256-byte aligned, not cleared. Allowed during captures.
    ///
    /// # Errors
    /// `INVALID_VALUE` for 0 bytes; `OUT_OF_MEMORY`; the status of a context that faulted.
    pub fn allocate(context: &Context, bytes: usize) -> Result<Buffer> {
        Buffer::allocate_as(context, bytes, MemoryKind::Pooled)
    }

    /// Allocates `bytes` bytes of memory of the kind `kind`, aligned and usable during captures as [`Buffer::allocate`]
    /// says.
    ///
    /// # Errors
    /// As [`Buffer::allocate`].
    pub fn allocate_as(context: &Context, bytes: usize, kind: MemoryKind) -> Result<Buffer> {
        if bytes == 0 {
            return Err(Error::invalid_value("a buffer of 0 bytes cannot be made; its size must be at least 1"));
        }
        let (memory, address) = context.driver()?.allocate(bytes, kind)?;
        Ok(Buffer::new(context, memory, address, bytes, Origin::Allocated(kind)))
    }

    /// Makes memory of the caller's usable as a buffer. `on_release` runs exactly once, on any thread: when
    /// nothing uses the memory any more, or at once when this fails.
    ///
    /// # Errors
    /// `INVALID_VALUE` for address 0, 0 bytes, a range that passes the end of the address space, or one that the device
    /// cannot use; the status of a context that faulted.
    ///
    /// # Safety
    /// The range must be memory that the device can read and write until `on_release` runs.
    #[allow(unsafe_code)]
    pub unsafe fn wrap(
        context: &Context,
        address: Address,
        bytes: usize,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<Buffer> {
        Buffer::adopt(context, address, bytes, on_release)
    }

    pub(crate) fn adopt(
        context: &Context,
        address: Address,
        bytes: usize,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<Buffer> {
        // It runs once, whoever fails.
        let on_release = defer(on_release);
        check_given(address, bytes, "wrapped")?;
        let memory = context.driver()?.adopt(address, bytes, Box::new(move || drop(on_release)))?;
        Ok(Buffer::new(context, memory, address, bytes, Origin::Wrapped))
    }

    pub(crate) fn new(context: &Context, memory: MemoryId, address: Address, bytes: usize, origin: Origin) -> Buffer {
        Buffer::with_blocks(context, memory, (address, bytes), origin, PoolPart::default())
    }

    /// A block of a pool, which graphs keep as `block` too.
    pub(crate) fn of_pool(
        context: &Context,
        memory: MemoryId,
        address: Address,
        bytes: usize,
        block: Arc<KeptBlock>,
    ) -> Buffer {
        let origin = Origin::Pool { pool: block.pool() };
        let pool = PoolPart { kept_block: Some(block), ..PoolPart::default() };
        Buffer::with_blocks(context, memory, (address, bytes), origin, pool)
    }

    /// Makes a buffer of what a capture allocated on a stream: `bytes` bytes at `address`, which its graph keeps as a part of `kept` too.
    pub(crate) fn of_capture(
        context: &Context,
        memory: MemoryId,
        (address, bytes): (Address, usize),
        block: CaptureBlock,
        kept: Arc<KeptBlock>,
    ) -> Buffer {
        let origin = Origin::Pool { pool: block.pool() };
        let pool = PoolPart { capture_block: Some(block), kept_block: Some(kept), launch_order: OnceLock::new() };
        Buffer::with_blocks(context, memory, (address, bytes), origin, pool)
    }

    fn with_blocks(
        context: &Context,
        memory: MemoryId,
        (address, bytes): (Address, usize),
        origin: Origin,
        pool: PoolPart,
    ) -> Buffer {
        let inner = Arc::new(BufferInner {
            context: context.clone(),
            memory,
            address,
            bytes,
            origin,
            name: Name::default(),
            kept_by: KeptBy::none(),
            gave_end: AtomicBool::new(false),
            is_shared_workspace: AtomicBool::new(false),
            used_by: UsedBy::default(),
            lending: OnceLock::new(),
            has_left: false,
            pool,
        });
        inner.starts().for_each(|start| context.memory().insert(start, bytes, memory, listed(&inner)));
        Buffer(inner)
    }

    /// The buffer of what the index of a context holds.
    pub(crate) fn from_listed(memory: Arc<dyn Any + Send + Sync>) -> Option<Buffer> {
        memory.downcast().ok().map(Buffer)
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        self.0.bytes
    }

    /// Returns its first address, as kernels see it.
    pub fn address(&self) -> Address {
        self.0.address
    }

    /// The context that it belongs to.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    pub(crate) fn own_name(&self) -> &Name {
        &self.0.name
    }

    /// The library's products of a stream use it one after another.
    pub(crate) fn share_as_workspace(&self) {
        self.0.is_shared_workspace.store(true, Ordering::Relaxed);
    }

    /// Returns whether the products of a stream share it as their workspace.
    pub(crate) fn is_shared_workspace(&self) -> bool {
        self.0.is_shared_workspace.load(Ordering::Relaxed)
    }

    /// Returns whether it is a block of a pool.
    pub fn is_of_pool(&self) -> bool {
        self.origin().pool().is_some()
    }

    /// Makes execs whose graphs keep it from here on take turns.
    pub(crate) fn order_launches(&self, order: Arc<LaunchOrder>) {
        let _ = self.0.pool.launch_order.set(order);
    }

    /// Returns the origin of its memory.
    pub(crate) fn origin(&self) -> Origin {
        self.0.origin
    }

    /// The end of what a node of a graph allocates.
    ///
    /// # Errors
    /// `INVALID_VALUE` for other memory.
    pub(crate) fn freed_in_graphs(&self) -> Result<MemFree> {
        match self.0.origin {
            Origin::Node => Ok(MemFree { address: self.0.address, memory: Some(self.0.memory) }),
            _ => Err(Error::invalid_value(
                "the buffer is none that a node of a graph allocates, and cannot be freed so; it goes when its last handle is destroyed",
            )),
        }
    }

    /// Returns whether value operations may work on it, as far as is known.
    pub(crate) fn takes_values(&self) -> bool {
        !matches!(self.0.origin, Origin::Allocated(MemoryKind::Pooled | MemoryKind::Managed(_)) | Origin::Node)
    }

    /// Returns whether it may be managed memory, as far as is known.
    pub(crate) fn can_be_attached(&self) -> bool {
        matches!(self.0.origin, Origin::Allocated(MemoryKind::Managed(_)) | Origin::Wrapped)
    }

    /// Address of byte `offset`, which may be one past the last. `None` beyond.
    #[inline]
    pub(crate) fn position(&self, offset: usize) -> Option<Address> {
        // The sum cannot overflow: the range itself was checked when the buffer was made.
        (offset <= self.0.bytes).then(|| self.0.address + offset as u64)
    }

    /// As [`Buffer::position`], for an argument of a kernel, which may be the address one past the last byte alone.
    #[inline]
    pub(crate) fn argument(&self, offset: usize) -> Option<Address> {
        if offset == self.0.bytes {
            self.0.gave_end.store(true, Ordering::Release);
        }
        self.position(offset)
    }

    /// Address of byte `offset`, checked to have `bytes` bytes behind it. `role` names the buffer.
    #[inline]
    pub(crate) fn range(&self, role: &str, offset: usize, bytes: usize) -> Result<Address> {
        match (self.position(offset), offset.checked_add(bytes)) {
            (Some(address), Some(end)) if end <= self.0.bytes => Ok(address),
            _ => Err(self.overrun(role, offset, bytes)),
        }
    }

    /// As [`Buffer::range`], by the address that the device has for the memory.
    ///
    /// # Errors
    /// `INVALID_VALUE` also for pinned memory that was not made to be mapped.
    #[inline]
    pub(crate) fn device_range(&self, role: &str, offset: usize, bytes: usize) -> Result<Address> {
        let address = self.range(role, offset, bytes)?;
        match self.0.origin {
            Origin::Allocated(_) | Origin::Wrapped | Origin::Pool { .. } | Origin::Node => Ok(address),
            Origin::Pinned { mapped } => mapped.map(|mapped| mapped + offset as u64).ok_or_else(not_mapped),
        }
    }

    /// Returns what messages call the buffer.
    #[cold]
    pub(crate) fn label(&self) -> String {
        label("the buffer", self.name().as_deref())
    }

    #[cold]
    fn overrun(&self, role: &str, offset: usize, bytes: usize) -> Error {
        let size = self.0.bytes;
        let buffer = self.label();
        Error::invalid_value(if offset > size {
            format!("{role} offset {offset} is beyond {buffer}, which has {size} bytes")
        } else {
            format!(
                "{bytes} bytes at {role} offset {offset} overrun {buffer}, which has {size} bytes; at most {} fit there",
                size - offset
            )
        })
    }

    /// Remembers that `stream` executes work on the buffer.
    #[inline]
    pub(crate) fn note_use(&self, stream: StreamId) {
        self.0.note_use(stream);
    }

    /// Returns what work of `borrower` uses the buffer by; `None` for the context that it was made from.
    pub(crate) fn lend(&self, borrower: &Context) -> Result<Option<Arc<Loan>>> {
        let inner = &*self.0;
        if inner.context.is(borrower) {
            return Ok(None);
        }
        if inner.origin == Origin::Node {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                "work of another context cannot use memory that a graph allocates; copy it to a buffer first",
            ));
        }
        let lending = inner.lending.get_or_init(|| Box::new(Lending::new(&inner.context, inner.memory)));
        lending.lend(borrower, inner.address, inner.bytes, || listed(&self.0)).map(Some)
    }

    #[inline]
    pub(crate) fn kept_by(&self) -> &KeptBy {
        &self.0.kept_by
    }

    /// Returns what is known of the capture that allocated it on a stream.
    #[inline]
    pub(crate) fn capture_block(&self) -> Option<&CaptureBlock> {
        self.0.pool.capture_block.as_ref()
    }

    /// Returns whether `kept` keeps it alive.
    #[inline]
    pub(crate) fn is_kept(&self, kept: &Kept) -> bool {
        kept.is_of(&self.0)
    }

    pub(crate) fn from_inner(inner: Arc<BufferInner>) -> Buffer {
        Buffer(inner)
    }

    /// Returns what is to be given back, if this is the last reference.
    pub(crate) fn into_left(self) -> Option<LeftMemory> {
        Arc::into_inner(self.0)?.leave()
    }

    pub(crate) fn inner(&self) -> Arc<BufferInner> {
        Arc::clone(&self.0)
    }

    /// The address of what [`Buffer::inner`] gives.
    #[inline]
    pub(crate) fn inner_address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

/// Returns what the index of a context holds of a buffer.
fn listed(inner: &Arc<BufferInner>) -> Weak<dyn Any + Send + Sync> {
    Arc::<BufferInner>::downgrade(inner)
}

impl BufferInner {
    /// Returns what graphs keep of its memory beside it or, where they share memory of its pool, in its place.
    pub(crate) fn kept_block(&self) -> Option<&Arc<KeptBlock>> {
        self.pool.kept_block.as_ref()
    }

    /// Returns whether a capture other than the one of that number allocated it on a stream.
    pub(crate) fn is_of_other_capture(&self, capture: u64) -> bool {
        self.pool.capture_block.as_ref().is_some_and(|block| !block.is_of(capture))
    }

    /// The order of the launches of execs that keep it, where these must not run at once.
    pub(crate) fn launch_order(&self) -> Option<&Arc<LaunchOrder>> {
        self.pool.launch_order.get()
    }

    /// Returns how many addresses from each start on stand for the buffer in nodes. The one past the last byte may be the first
    /// of another buffer, so it counts only if it was ever used.
    pub(crate) fn reach(&self) -> usize {
        self.bytes + usize::from(self.gave_end.load(Ordering::Acquire))
    }

    /// Lists where it starts: once for each address that work may use it by.
    #[inline]
    pub(crate) fn starts(&self) -> impl Iterator<Item = Address> {
        let mapped = match self.origin {
            Origin::Pinned { mapped } => mapped.filter(|&mapped| mapped != self.address),
            Origin::Allocated(_) | Origin::Wrapped | Origin::Pool { .. } | Origin::Node => None,
        };
        [self.address].into_iter().chain(mapped)
    }

    /// As [`Buffer::note_use`].
    #[inline]
    pub(crate) fn note_use(&self, stream: StreamId) {
        self.used_by.note(stream, |stream| self.context.driver_even_if_stale().stream_is_over(stream));
    }
}

impl Buffer {
    /// Returns whether its memory, which is the caller's or the host's, goes back within the destroy of its handle, where nothing else
    /// uses it.
    pub fn ends_at_once(&self) -> bool {
        let is_lent = matches!(self.0.origin, Origin::Wrapped | Origin::Pinned { .. });
        is_lent && self.context().driver().is_ok_and(|driver| driver.releases_at_once())
    }
}

impl Keep for BufferInner {
    fn note_use(&self, stream: StreamId) {
        BufferInner::note_use(self, stream);
    }

    fn kind(&self) -> Kind {
        Kind::Memory
    }

    fn users(&self, uses: &Uses, places: &mut Vec<usize>) {
        self.starts().for_each(|start| uses.memory(start, self.reach(), places));
    }
}

/// A buffer of another context among what a capture keeps, with what it knows of the streams of the borrowing one.
pub(crate) struct LentBuffer {
    pub(crate) buffer: Arc<BufferInner>,
    pub(crate) loan: Arc<Loan>,
}

impl Keep for LentBuffer {
    fn note_use(&self, stream: StreamId) {
        self.loan.note_use(stream);
    }

    fn kind(&self) -> Kind {
        Kind::Memory
    }

    fn users(&self, uses: &Uses, places: &mut Vec<usize>) {
        self.buffer.users(uses, places);
        uses.memory(self.loan.address, self.buffer.reach(), places);
    }
}

impl BufferInner {
    /// Returns what is to be given back of it, once.
    fn leave(&mut self) -> Option<LeftMemory> {
        if std::mem::replace(&mut self.has_left, true) {
            return None;
        }
        // Before the memory goes back, since the device may give the same range to others then.
        self.starts().for_each(|start| self.context.memory().remove(start, self.memory));
        let (driver, lending) = (self.context.shared_driver(), self.lending.take());
        let used_by = self.used_by.take();
        if let Some(block) = &self.pool.kept_block {
            used_by.iter().for_each(|&user| block.note_use(user));
        }
        Some(LeftMemory { driver, memory: self.memory, used_by, lending })
    }
}

impl Drop for BufferInner {
    fn drop(&mut self) {
        if let Some(left) = self.leave() {
            left.release();
        }
    }
}

/// The memory of a buffer that is gone. It keeps no context, so a device may hold it.
pub(crate) struct LeftMemory {
    driver: Arc<dyn Driver>,
    memory: MemoryId,
    /// Users of it in its own context.
    used_by: Users,
    lending: Option<Box<Lending>>,
}

impl LeftMemory {
    /// Lists who must be waited for before the memory goes back, in its own context.
    pub(crate) fn users(&self) -> &[StreamId] {
        &self.used_by
    }

    /// Gives the memory back when the work of its own context that used it was waited for.
    pub(crate) fn release_behind(self) {
        LeftMemory { used_by: Users::new(), ..self }.release();
    }

    /// Gives the memory back behind the work that uses it.
    pub(crate) fn release(self) {
        match self.lending {
            None => self.driver.release(self.memory, &self.used_by),
            Some(lending) => lending.end(self.used_by),
        }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({:#x}, {} bytes)", self.0.address, self.0.bytes)
    }
}

/// Returns whether memory of the caller's can be a range, which is to be `used` so.
pub(crate) fn check_given(address: Address, bytes: usize, used: &str) -> Result<()> {
    if address != 0 && bytes != 0 && address.checked_add(bytes as u64).is_some() {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "memory of {bytes} bytes at address {address:#x} cannot be {used}; give a range of at least 1 byte that does not start \
         at 0 and ends within the address space"
    )))
}

/// Returns what work that needs the device's address of pinned memory answers where there is none.
#[cold]
pub(crate) fn not_mapped() -> Error {
    Error::invalid_value(
        "the host buffer is not mapped, so it has no device address; make it with GRAPHCAP_HOST_BUFFER_MAPPED",
    )
}

#[cfg(test)]
#[path = "buffer_tests.rs"]
mod tests;
