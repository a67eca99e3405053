//! The pools of the process that are found by their numbers, and those that allocators of others find by the device.

use std::collections::BTreeMap;

use super::pool::Pool;
use crate::state::Context;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::check_caller;

static REGISTRY: Mutex<Registry, rank::PoolRegistry> =
    Mutex::new(Registry { pools: BTreeMap::new(), last: 0, bound: BTreeMap::new() });

struct Registry {
    pools: BTreeMap<u64, Pool>,
    /// The greatest number that was ever registered.
    last: u64,
    /// The pools that are bound to devices.
    bound: BTreeMap<u32, Pool>,
}

impl Pool {
    /// Registers the pool under its number, and keeps it, until [`Pool::unregister`]. Gives the number. Once is enough.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn register(&self) -> Result<u64> {
        check_caller()?;
        let number = self.id();
        let before = {
            let mut registry = lock(&REGISTRY);
            registry.last = registry.last.max(number);
            registry.pools.insert(number, self.clone())
        };
        // Dropped after the lock.
        drop(before);
        self.check_entered().map(|()| number)
    }

    /// The pool of that number.
    ///
    /// # Errors
    /// `NOT_FOUND` where none is registered; `NOT_PERMITTED` on a thread that runs work.
    pub fn registered(number: u64) -> Result<Pool> {
        check_caller()?;
        let found = lock(&REGISTRY).pools.get(&number).cloned().ok_or_else(|| unknown(number))?;
        found.context().check_current()?;
        Ok(found)
    }

    /// Removes the pool of that number from the registry. Does nothing where that was done before.
    ///
    /// # Errors
    /// `NOT_FOUND` where neither that number nor a greater one was registered; `NOT_PERMITTED` on a thread that runs work.
    pub fn unregister(number: u64) -> Result<()> {
        check_caller()?;
        let (pool, is_known) = {
            let mut registry = lock(&REGISTRY);
            (registry.pools.remove(&number), (1..=registry.last).contains(&number))
        };
        // Dropped after the lock.
        drop(pool);
        match is_known {
            true => Ok(()),
            false => Err(unknown(number)),
        }
    }

    /// Makes allocations of others for the device of that number come from the pool, which is kept for that, until [`Pool::unbind`] or
    /// until another one is bound. A capture that was begun with a pool takes precedence.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a pool of another device; `NOT_PERMITTED` on a thread that runs work; `STALE`.
    pub fn bind(&self, device: u32) -> Result<()> {
        check_caller()?;
        let own = self.context().device().ordinal;
        if own != device {
            return Err(Error::invalid_value(format!(
                "the pool is of device {own} and cannot be bound to device {device}; bind one of a context there"
            )));
        }
        let before = lock(&REGISTRY).bound.insert(device, self.clone());
        // Dropped after the lock.
        drop(before);
        self.check_entered()
    }

    /// Makes allocations of others for the device come from no pool.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn unbind(device: u32) -> Result<()> {
        check_caller()?;
        let before = lock(&REGISTRY).bound.remove(&device);
        // Dropped after the lock.
        drop(before);
        Ok(())
    }

    /// The pool that is bound to a device.
    pub(super) fn bound(device: u32) -> Option<Pool> {
        lock(&REGISTRY).bound.get(&device).cloned()
    }

    /// The answer to a pool that was entered just now. A reset that came in between has looked already.
    fn check_entered(&self) -> Result<()> {
        self.context().check_current().inspect_err(|_| forget(self.context()))
    }
}

/// Removes the pools of a context that is reset from the registry, and unbinds them.
pub(crate) fn forget(context: &Context) {
    let mut forgotten = Vec::new();
    {
        let Registry { pools, bound, .. } = &mut *lock(&REGISTRY);
        let mut stays = |pool: &mut Pool| {
            let is_of_other = !pool.context().is(context);
            forgotten.extend((!is_of_other).then(|| pool.clone()));
            is_of_other
        };
        pools.retain(|_, pool| stays(pool));
        bound.retain(|_, pool| stays(pool));
    }
    // Dropped after the lock.
    drop(forgotten);
}

#[cold]
fn unknown(number: u64) -> Error {
    Error::new(
        Status::NOT_FOUND,
        format!("no pool is registered under {number}; register it, and give the number that it got"),
    )
}
