//! The host kernel that sets a condition to a value in memory.

use std::ffi::c_void;

use crate::graph::condition;
use crate::raw;
use graphcap_driver::{ConditionId, HostBlock};

/// Sets the condition that its first argument names to the 4 bytes that the second one points to.
pub(crate) extern "C-unwind" fn set_condition(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    let (condition, value) = raw::condition_and_value(arguments);
    match condition::set_condition(ConditionId(condition), value) {
        Ok(()) => 0,
        Err(error) => error.status.0,
    }
}
