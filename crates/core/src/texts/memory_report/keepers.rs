//! Keepers of what a memory report tells of.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use crate::graphs::retention;
use crate::keep::Kept;
use crate::objects::buffer::{BufferInner, LentBuffer};
use crate::pools::kept_block::KeptBlock;
use crate::pools::pool::PoolUse;
use crate::texts::text::Text;
use graphcap_driver::Retained;

/// Keepers of a buffer, a block or a pool, by the place where that lies in the process.
pub(super) type Keepers = HashMap<usize, Vec<usize>>;

/// Returns where an object lies in the process.
pub(super) fn place<T>(object: &Arc<T>) -> usize {
    Arc::as_ptr(object).addr()
}

/// Adds `keeper` to the keepers of each buffer, block and pool on the lists.
pub(super) fn note(lists: &[Retained], keeper: usize, keepers: &mut Keepers) {
    let found = RefCell::new(Vec::new());
    for list in lists {
        let none: Option<()> = retention::find(list, &|kept: &Kept| {
            let buffer = kept.object::<BufferInner>();
            let buffer = buffer.or_else(|| kept.object::<LentBuffer>().map(|lent| Arc::clone(&lent.buffer)));
            let pool = || kept.object::<PoolUse>().map(|kept| kept.place());
            let block = || kept.object::<KeptBlock>().map(|block| place(&block));
            found.borrow_mut().extend(buffer.map(|buffer| place(&buffer)).or_else(pool).or_else(block));
            None
        });
        debug_assert!(none.is_none());
    }
    let mut found = found.into_inner();
    found.sort_unstable();
    found.dedup();
    found.into_iter().for_each(|buffer| keepers.entry(buffer).or_default().push(keeper));
}

/// Writes who keeps something.
pub(super) fn list(out: &mut Text, what: &str, ids: &[usize]) -> std::fmt::Result {
    if ids.is_empty() {
        return Ok(());
    }
    write!(out, ", kept by {what}")?;
    ids.iter().try_for_each(|id| write!(out, " {id}"))
}
