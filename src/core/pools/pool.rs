//! A pool: what captures, their graphs and the execs made of these keep together, and memory that is allocated from it.

use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;

use super::blocks::{block_size, Blocks};
use super::leaving::{Item, Leaving};
use crate::core::graphs::uses::{Kind, Uses};
use crate::core::keep::{Keep, Kept};
use crate::core::objects::buffer::{Buffer, Origin};
use crate::core::state::Context;
use crate::driver::{check_caller, HostFunction, Reserved, StreamId, UsedBy};
use crate::error::{Error, Result, Status};
use crate::lock::{lock, rank, Mutex, MutexGuard};

/// Objects and memory that graphs share. Each capture that is begun with the pool keeps it, and so do the graph and the execs made
/// of that.
///
/// What was added goes when the last of them and the last handle are gone, and their last replay is over: one after another, in the
/// order in which it was added. Memory that was allocated from the pool is a buffer like any other. Dropping the last handle never
/// waits.
#[derive(Clone)]
pub struct Pool(pub(super) Arc<PoolInner>);

pub(in crate::core) struct PoolInner {
    context: Context,
    /// Distinct for each pool of the process, from 1 on.
    number: u64,
    /// How many addresses to reserve; `None` for as many as the device has memory.
    pub(super) capacity: Option<usize>,
    /// How many captures keep it, or their graphs and execs.
    captures: AtomicUsize,
    pub(super) state: Mutex<State, rank::PoolState>,
    /// The streams of execs that kept it, and of launches that were made before an edit.
    used_by: UsedBy,
}

#[derive(Default)]
pub(super) struct State {
    is_sealed: bool,
    /// In the order in which they were added.
    items: Vec<Item>,
    /// Made with the first of them.
    leaving: Option<Leaving>,
    /// Reserved by the first allocation.
    pub(super) space: Option<Space>,
}

/// The addresses of a pool.
pub(super) struct Space {
    pub(super) reserved: Reserved,
    pub(super) blocks: Arc<Mutex<Blocks, rank::PoolBlocks>>,
}

impl Pool {
    /// Makes a pool without objects. It reserves nothing before the first allocation, and then `capacity` bytes of addresses, or
    /// as many as the device has memory.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn create(context: &Context, capacity: Option<usize>) -> Result<Pool> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        check_caller()?;
        context.check_current()?;
        Ok(Pool(Arc::new(PoolInner {
            context: context.clone(),
            number: LAST.fetch_add(1, Ordering::Relaxed) + 1,
            capacity,
            captures: AtomicUsize::new(0),
            state: Mutex::default(),
            used_by: UsedBy::default(),
        })))
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Its number, which no other pool of the process has or had: from 1 on.
    pub fn id(&self) -> u64 {
        self.0.number
    }

    /// Adds a buffer, which the pool keeps from here on. Gives how many objects were added before since the pool was cleared.
    ///
    /// # Errors
    /// `SEALED`; `INVALID_CONTEXT` for a buffer of another context; `NOT_PERMITTED` on a thread that runs work; the status of a
    /// context that faulted.
    pub fn add_buffer(&self, buffer: &Buffer) -> Result<usize> {
        self.0.context.check_same("the pool", buffer.context(), "the buffer")?;
        self.add(Item::Buffer(buffer.clone()))
    }

    /// Adds an object of the caller's, whose last reference goes on a thread where it may block. Gives an index as
    /// [`Pool::add_buffer`] does.
    ///
    /// # Errors
    /// As [`Pool::add_buffer`]; the object is dropped then.
    pub fn add_object(&self, object: HostFunction) -> Result<usize> {
        self.add(Item::Object(object))
    }

    fn add(&self, item: Item) -> Result<usize> {
        check_caller()?;
        let mut state = self.0.unsealed("added to")?;
        if state.leaving.is_none() {
            state.leaving = Some(Leaving::new(self.0.context.shared_driver())?);
        }
        state.items.push(item);
        Ok(state.items.len() - 1)
    }

    /// Allocates `bytes` bytes, at least 256-byte aligned, not cleared, of the pool's memory. Allowed during captures. Value
    /// operations may work on them. The pool grows where it has to. The memory is free for other allocations from the pool when
    /// the buffer is gone and the work that uses it is over.
    ///
    /// # Errors
    /// `SEALED`; `INVALID_VALUE` for 0 bytes; `OUT_OF_MEMORY`, also where the pool has no addresses left; `NOT_SUPPORTED` where the
    /// device cannot map memory; `NOT_PERMITTED` on a thread that runs work; the status of a context that faulted.
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        check_caller()?;
        if bytes == 0 {
            return Err(Error::invalid_value("a buffer of 0 bytes cannot be allocated; its size must be at least 1"));
        }
        let inner = &*self.0;
        let size = block_size(bytes).ok_or_else(|| exhausted(bytes, None))?;
        let (reserved, blocks, at) = {
            let mut state = inner.unsealed("allocated from")?;
            let space = state.space(&inner.context, inner.capacity)?;
            (space.reserved, Arc::clone(&space.blocks), space.take(&inner.context, size, bytes)?)
        };
        let taken = Arc::clone(&blocks);
        let on_release = Box::new(move || lock(&taken).give_back(at, size));
        let driver = inner.context.driver();
        let memory = driver.carve(reserved.memory, at, bytes, on_release);
        let memory = memory.inspect_err(|_| lock(&blocks).give_back(at, size))?;
        Ok(Buffer::new(&inner.context, memory, reserved.address + at as u64, bytes, Origin::Pool))
    }

    /// How many objects were added since the pool was cleared.
    pub fn count(&self) -> usize {
        lock(&self.0.state).items.len()
    }

    /// Has the pool refuse what would make it grow: objects, allocations, captures.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn seal(&self) -> Result<()> {
        check_caller()?;
        lock(&self.0.state).is_sealed = true;
        Ok(())
    }

    /// Takes [`Pool::seal`] back.
    ///
    /// # Errors
    /// As [`Pool::seal`].
    pub fn unseal(&self) -> Result<()> {
        check_caller()?;
        lock(&self.0.state).is_sealed = false;
        Ok(())
    }

    /// Whether it is sealed.
    pub fn is_sealed(&self) -> bool {
        lock(&self.0.state).is_sealed
    }

    /// Lets go of all objects that were added, as the end of the pool does. What was allocated stays. A sealed pool stays sealed.
    ///
    /// # Errors
    /// `BUSY` while a capture, a graph or an exec keeps the pool; `NOT_PERMITTED` on a thread that runs work.
    pub fn clear(&self) -> Result<()> {
        check_caller()?;
        let inner = &*self.0;
        let (items, leaving) = {
            let mut state = lock(&inner.state);
            let captures = inner.captures.load(Ordering::Acquire);
            if captures > 0 {
                return Err(Error::new(
                    Status::BUSY,
                    format!(
                        "the pool cannot be cleared while {captures} captures keep it, or graphs and graph execs made of these; \
                         destroy them first"
                    ),
                ));
            }
            (std::mem::take(&mut state.items), state.leaving.take())
        };
        if let Some(leaving) = leaving {
            leaving.go(items, &inner.used_by.users());
        }
        Ok(())
    }
}

impl PoolInner {
    /// The state of a pool that is to be `used` so.
    fn unsealed(&self, used: &str) -> Result<MutexGuard<'_, State>> {
        self.context.check_current()?;
        let state = lock(&self.state);
        match state.is_sealed {
            true => Err(sealed(used)),
            false => Ok(state),
        }
    }

    /// What a capture that is about to begin keeps.
    pub(super) fn begin_use(self: &Arc<Self>) -> Result<Kept> {
        let _state = self.unsealed("used by another capture")?;
        Ok(self.kept())
    }

    /// What a capture keeps.
    pub(super) fn kept(self: &Arc<Self>) -> Kept {
        self.captures.fetch_add(1, Ordering::AcqRel);
        Kept::Object(Arc::new(PoolUse(Arc::clone(self))))
    }
}

#[cold]
fn sealed(used: &str) -> Error {
    Error::new(Status::SEALED, format!("the pool is sealed and cannot be {used}; unseal it, or use another pool"))
}

#[cold]
fn exhausted(bytes: usize, space: Option<(usize, usize)>) -> Error {
    let left = space.map(|(capacity, used)| format!(", of whose {capacity} addresses {used} are in use"));
    Error::new(
        Status::OUT_OF_MEMORY,
        format!(
            "{bytes} bytes do not fit into the pool{}; destroy buffers of it, or make a pool of a larger capacity",
            left.unwrap_or_default()
        ),
    )
}

impl State {
    /// The addresses of the pool, reserved now where they are not yet.
    fn space(&mut self, context: &Context, capacity: Option<usize>) -> Result<&Space> {
        if self.space.is_none() {
            let reserved = context.driver().reserve(capacity)?;
            let blocks = Arc::new(Mutex::new(Blocks::new(reserved.bytes)));
            self.space = Some(Space { reserved, blocks });
        }
        self.space.as_ref().ok_or_else(|| Error::new(Status::UNKNOWN, "the pool has no addresses"))
    }
}

impl Space {
    /// Takes a block of `size` bytes, for `bytes` bytes. Nobody else grows the pool meanwhile.
    fn take(&self, context: &Context, size: usize, bytes: usize) -> Result<usize> {
        let (missing, from) = {
            let mut blocks = lock(&self.blocks);
            if let Some(at) = blocks.take(size) {
                return Ok(at);
            }
            let (used, _) = blocks.used();
            let missing = blocks.missing(size, self.reserved.page);
            (missing.ok_or_else(|| exhausted(bytes, Some((self.reserved.bytes, used))))?, blocks.backed())
        };
        context.driver().back(self.reserved.memory, from, missing)?;
        let mut blocks = lock(&self.blocks);
        blocks.grow(missing);
        // Others give blocks back meanwhile and take none.
        blocks.take(size).ok_or_else(|| Error::new(Status::UNKNOWN, "the pool has grown and has no room all the same"))
    }
}

impl Drop for PoolInner {
    fn drop(&mut self) {
        let users = self.used_by.take();
        let State { items, leaving, space, .. } = std::mem::take(self.state.get_mut());
        if let Some(leaving) = leaving {
            leaving.go(items, &users);
        }
        if let Some(space) = space {
            self.context.driver().release(space.reserved.memory, &users);
        }
    }
}

/// The pool of a capture, which that and what is made of it keep.
pub(in crate::core) struct PoolUse(pub(super) Arc<PoolInner>);

impl Keep for PoolUse {
    fn note_use(&self, stream: StreamId) {
        self.0.used_by.note(stream, |stream| self.0.context.driver().stream_is_over(stream));
    }

    fn kind(&self) -> Kind {
        Kind::Context
    }

    /// It is kept for no node.
    fn users(&self, _: &Uses, _: &mut Vec<usize>) {}
}

impl Drop for PoolUse {
    fn drop(&mut self) {
        self.0.captures.fetch_sub(1, Ordering::AcqRel);
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pool").field(&self.0.number).finish()
    }
}
