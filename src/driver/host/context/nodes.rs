//! Work that becomes what a node does, checked as the driver checks nodes: at once, where a capture leaves it to the launch.

use super::submit::kernel_call;
use super::HostContext;
use crate::driver::host::graph::Action;
use crate::driver::host::memory;
use crate::driver::host::shared::KERNELS;
use crate::driver::ids::{key_of, no_such};
use crate::driver::{MemcpyRows, Memset, Steps, Work, MOST_IN_A_BATCH};
use crate::error::{Error, Result};

impl HostContext {
    /// What a node does for `work`.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a shape that cannot be, and for copies and memsets of memory that is not alive.
    pub(super) fn node_action(&self, work: &Work<'_>) -> Result<Action> {
        match work {
            Work::Empty => Ok(Action::Empty),
            Work::Kernel(launch) => {
                // Of whatever context: a host kernel runs anywhere.
                let kernel = KERNELS.get(key_of(launch.kernel.0)).ok_or_else(|| no_such("kernel"))?;
                kernel_call(launch, &kernel).map(Action::Kernel)
            }
            Work::Memcpy { rows, .. } => {
                check_extent(rows)?;
                self.action(work)
            }
            Work::Memset(set) => {
                check_set(set)?;
                Ok(Action::Memset(*set))
            }
            Work::Values(operations) => {
                check_count(operations.len())?;
                memory::check_alignments(operations)?;
                self.action(work)
            }
            Work::Host(_) | Work::EventRecord(_) | Work::EventWait(_) => self.action(work),
            Work::Child(_) | Work::Conditional(_) | Work::MemAlloc(_) | Work::MemFree(_) | Work::Opaque(_) => {
                self.action(work)
            }
        }
    }
}

fn check_extent(copy: &MemcpyRows) -> Result<()> {
    if copy.row.bytes == 0 || copy.height == 0 || copy.depth == 0 {
        return Err(Error::invalid_value(format!(
            "a copy node of {} slices of {} rows of {} bytes copies nothing; each of these is at least 1",
            copy.depth, copy.height, copy.row.bytes
        )));
    }
    let overlap = |steps: &Steps| {
        copy.height > 1 && steps.row < copy.row.bytes
            || copy.depth > 1 && copy.height.checked_mul(steps.row).is_none_or(|rows| steps.slice < rows)
    };
    if !copy.is_one() && [copy.destination, copy.source].iter().any(overlap) {
        return Err(Error::invalid_value(format!(
            "the rows or slices of a copy node overlap: rows of {} bytes lie {} bytes apart where they are written and {} where \
             they are read",
            copy.row.bytes, copy.destination.row, copy.source.row
        )));
    }
    Ok(())
}

fn check_set(set: &Memset) -> Result<()> {
    if set.count == 0 || set.rows == 0 {
        return Err(Error::invalid_value(format!(
            "a memset node of {} rows of {} elements sets nothing; each of these is at least 1",
            set.rows, set.count
        )));
    }
    if set.rows > 1 && set.count.checked_mul(usize::from(set.element_size)).is_none_or(|width| set.pitch < width) {
        return Err(Error::invalid_value(format!(
            "the rows of a memset node overlap: {} elements of {} bytes do not fit in the {} bytes from a row to the next",
            set.count, set.element_size, set.pitch
        )));
    }
    memory::check_set(set)
}

fn check_count(operations: usize) -> Result<()> {
    if operations <= MOST_IN_A_BATCH {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "{operations} operations on values are more than one node can do, {MOST_IN_A_BATCH}; add several nodes"
    )))
}
