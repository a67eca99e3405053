//! Which launches an exec takes its turn among: the pools that it keeps and whose graphs share memory, and the places where graphs of
//! one recording are told which random numbers are theirs.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::pool::PoolUse;
use super::turns::{self, Turns};
use crate::graphs::retention;
use crate::keep::Kept;
use crate::objects::buffer::BufferInner;
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_driver::{ExecId, Retained};

/// The orders that the launches of an exec keep to. It only grows: an order that the exec need not keep to any more costs a wait.
#[derive(Default)]
pub(crate) struct InTurn(OnceLock<Box<Link>>);

struct Link {
    turns: Arc<Turns>,
    next: InTurn,
}

impl InTurn {
    /// Whether launches keep to no order.
    #[inline]
    pub(crate) fn is_free(&self) -> bool {
        self.0.get().is_none()
    }

    /// Launches keep to the orders of the pools and of the memory that are among `kept` from here on.
    ///
    /// # Errors
    /// Those of `kept`, which tells what there is.
    pub(crate) fn follow(&self, kept: impl FnOnce() -> Result<Vec<Retained>>) -> Result<()> {
        if Turns::are_any() {
            kept()?.iter().for_each(|list| self.follow_in(list));
        }
        Ok(())
    }

    fn follow_in(&self, list: &Retained) {
        let found = RefCell::new(SmallVec::<[Arc<Turns>; 1]>::new());
        let none: Option<()> = retention::find(list, &|kept: &Kept| {
            let of_pool = kept.object::<PoolUse>().and_then(|used| used.turns().cloned());
            let order = of_pool.or_else(|| kept.object::<BufferInner>().and_then(|buffer| buffer.turns().cloned()));
            found.borrow_mut().extend(order);
            None
        });
        debug_assert!(none.is_none());
        found.into_inner().iter().for_each(|turns| self.add(turns));
    }

    fn add(&self, turns: &Arc<Turns>) {
        let mut at = self;
        loop {
            let link = at.0.get_or_init(|| Box::new(Link { turns: Arc::clone(turns), next: InTurn::default() }));
            if Arc::ptr_eq(&link.turns, turns) {
                return;
            }
            at = &link.next;
        }
    }

    fn all(&self) -> SmallVec<[&Turns; 2]> {
        let (mut all, mut at) = (SmallVec::new(), self);
        while let Some(link) = at.0.get() {
            all.push(&*link.turns);
            at = &link.next;
        }
        all.sort_unstable_by_key(|turns: &&Turns| std::ptr::from_ref(*turns).addr());
        all
    }

    /// Launches an exec in its turn.
    ///
    /// # Errors
    /// As [`turns::launch`].
    #[cold]
    pub(crate) fn launch(&self, exec: ExecId, stream: &Stream) -> Result<()> {
        turns::launch(&self.all(), exec, stream)
    }
}

#[cfg(test)]
#[path = "sharing_tests.rs"]
mod tests;
