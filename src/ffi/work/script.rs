//! gc_script_push: work as an op of a script.

use super::data::{self, gc_work};
use super::op;
use crate::ffi::boundary::feature::kit_guard as guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::gc_script;
use crate::ffi::boundary::status::gc_status;
use graphcap_core::checked_name;
use graphcap_driver::check_caller;
use graphcap_kit::ops::Named;

/// Adds a built-in op at the end of a script.
///
/// Handles and members are checked now. What depends on the device, and ranges of buffers, is checked when the op is
/// recorded; a copy with GRAPHCAP_MEMCPY_SNAPSHOT is checked now, and the shape of one with GRAPHCAP_MEMCPY_PEER.
///
/// @param[in] script  the script
/// @param[in] work    the op, not NULL; read and copied during the call
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    the work is none of a script, or is wrong: see gc_work and its kind
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the copy with a snapshot is of a device of another kind
#[no_mangle]
pub unsafe extern "C" fn gc_script_push(script: *const gc_script, work: *const gc_work) -> gc_status {
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work) };
    guard(data::told!("gc_script_push", work), [Token::of(script)], move || {
        let script = handle::clone(script, "script")?;
        let (work, user_data) = work?;
        check_caller()?;
        // SAFETY: C promises that the name is NULL or a text that ends with a NUL.
        let name = unsafe { work.name() }?;
        // SAFETY: C promises what the members point to.
        let op = unsafe { op::op(&script, &work, user_data) }?;
        Ok(match name.map_or(Ok(None), checked_name)? {
            Some(name) => script.push(Named::new(&*name, op)),
            None => script.push(op),
        }?)
    })
}
