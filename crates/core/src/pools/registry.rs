//! The pools of the process that are found by their numbers.

use std::collections::BTreeMap;

use super::pool::Pool;
use crate::state::Context;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::check_caller;

static POOLS: Mutex<Registered, rank::PoolRegistry> = Mutex::new(Registered { pools: BTreeMap::new(), last: 0 });

struct Registered {
    pools: BTreeMap<u64, Pool>,
    /// The greatest number that was ever registered.
    last: u64,
}

impl Pool {
    /// Has the pool found by its number, and kept, until [`Pool::unregister`]. Gives the number. Once is enough.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn register(&self) -> Result<u64> {
        check_caller()?;
        let number = self.id();
        let before = {
            let mut registered = lock(&POOLS);
            registered.last = registered.last.max(number);
            registered.pools.insert(number, self.clone())
        };
        drop(before);
        // A reset that came in between has looked already.
        if let Err(stale) = self.context().check_current() {
            forget(self.context());
            return Err(stale);
        }
        Ok(number)
    }

    /// The pool of that number.
    ///
    /// # Errors
    /// `NOT_FOUND` where none is registered; `NOT_PERMITTED` on a thread that runs work.
    pub fn registered(number: u64) -> Result<Pool> {
        check_caller()?;
        let found = lock(&POOLS).pools.get(&number).cloned().ok_or_else(|| unknown(number))?;
        found.context().check_current()?;
        Ok(found)
    }

    /// Has the pool of that number found no more. Does nothing where that was done before.
    ///
    /// # Errors
    /// `NOT_FOUND` where neither that number nor a greater one was registered; `NOT_PERMITTED` on a thread that runs work.
    pub fn unregister(number: u64) -> Result<()> {
        check_caller()?;
        let (pool, is_known) = {
            let mut registered = lock(&POOLS);
            (registered.pools.remove(&number), (1..=registered.last).contains(&number))
        };
        // Dropped after the lock.
        drop(pool);
        match is_known {
            true => Ok(()),
            false => Err(unknown(number)),
        }
    }
}

/// A context is reset: its pools are found no more.
pub(crate) fn forget(context: &Context) {
    let forgotten: Vec<Pool> = {
        let pools = &mut lock(&POOLS).pools;
        let numbers: Vec<u64> =
            pools.iter().filter(|(_, pool)| pool.context().is(context)).map(|(&number, _)| number).collect();
        numbers.iter().filter_map(|number| pools.remove(number)).collect()
    };
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
