//! The orders that the launches of one exec keep to.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::launch_order::{self, LaunchOrder};
use super::pool::PoolUse;
use crate::graphs::retention;
use crate::objects::buffer::BufferInner;
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_driver::{ExecId, Lists};

/// The orders that the launches of an exec keep to: those of the pools that it keeps and whose graphs share memory, and of the places
/// where graphs of one recording are told which random numbers are theirs. It only grows: an order that the exec need not keep to any
/// more costs a wait.
#[derive(Default)]
pub(crate) struct LaunchOrders(OnceLock<Box<(Arc<LaunchOrder>, LaunchOrders)>>);

impl LaunchOrders {
    /// Tells whether launches keep to no order.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.get().is_none()
    }

    /// Makes launches keep to the orders of the pools and of the memory that are among `kept` from here on.
    pub(crate) fn follow(&self, kept: impl FnOnce() -> Lists) {
        if !LaunchOrder::is_any() {
            return;
        }
        let found = RefCell::new(SmallVec::<[Arc<LaunchOrder>; 1]>::new());
        retention::see_all(None, &kept(), &|kept| {
            let of_pool = kept.object::<PoolUse>().and_then(|used| used.launch_order().cloned());
            let of_buffer = || kept.object::<BufferInner>().and_then(|buffer| buffer.launch_order().cloned());
            found.borrow_mut().extend(of_pool.or_else(of_buffer));
        });
        found.into_inner().iter().for_each(|order| self.add(order));
    }

    fn add(&self, order: &Arc<LaunchOrder>) {
        let mut at = self;
        loop {
            let link = at.0.get_or_init(|| Box::new((Arc::clone(order), LaunchOrders::default())));
            if Arc::ptr_eq(&link.0, order) {
                return;
            }
            at = &link.1;
        }
    }

    /// Launches an exec in its turn.
    ///
    /// # Errors
    /// As [`launch_order::launch`].
    #[cold]
    pub(crate) fn launch(&self, exec: ExecId, stream: &Stream) -> Result<()> {
        let mut orders = SmallVec::<[&LaunchOrder; 2]>::new();
        let mut at = self;
        while let Some(link) = at.0.get() {
            orders.push(&link.0);
            at = &link.1;
        }
        orders.sort_unstable_by_key(|order| std::ptr::from_ref(*order).addr());
        launch_order::launch(&orders, exec, stream)
    }
}

#[cfg(test)]
#[path = "sharing_tests.rs"]
mod tests;
