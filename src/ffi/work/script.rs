//! gc_script_push: work as an op of a script.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::op;
use super::read::{self, Owned};
use crate::ffi::boundary::{
    check_flags, gc_script, gc_status, handle, kit_guard as guard, Failure, Result, Token, UserData,
};
use crate::ffi::objects::event::{GRAPHCAP_EVENT_RECORD_EXTERNAL, GRAPHCAP_EVENT_WAIT_EXTERNAL};
use crate::ffi::operations::copy::PeerCopy;
use crate::ffi::operations::launch::{self, check_unused, Arguments};
use graphcap_core::{checked_name, Copy, KernelArgument, NodeWork, OwnedWork};
use graphcap_driver::check_caller;
use graphcap_kit::{GraphOp, Script};

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
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_script_push", work), [Token::of(script)], move || {
        let script = handle::clone(script, "script")?;
        let (work, user_data) = work?;
        check_caller()?;
        // SAFETY: C promises that the name is NULL or a text that ends with a NUL.
        let name = unsafe { work.name() }?;
        // SAFETY: C promises what the members point to.
        let op = unsafe { op(&script, work, user_data) }?;
        Ok(script.push_named(name.map_or(Ok(None), checked_name)?, op)?)
    })
}

/// The op that does the work in a script.
///
/// # Safety
/// All that the struct points to is there, as the header says. `user_data` is that of the struct.
unsafe fn op(script: &Script, work: &gc_work, user_data: UserData) -> Result<Box<dyn GraphOp>> {
    work.check_members()?;
    // SAFETY: passed on to the caller.
    unsafe { of_kind(script, work, user_data) }.map_err(|failure| work.told(failure))
}

/// # Safety
/// As [`op`].
unsafe fn of_kind(script: &Script, work: &gc_work, user_data: UserData) -> Result<Box<dyn GraphOp>> {
    Ok(match work.kind {
        // SAFETY: passed on to the caller.
        data::GRAPHCAP_WORK_KERNEL => Box::new(unsafe { kernel(work) }?),
        data::GRAPHCAP_WORK_CONDITIONAL => {
            let known = "0 in a script, where buffer and bodies say what decides about what";
            check_unused(work.condition as usize, "work.condition", known)?;
            // SAFETY: passed on to the caller.
            Box::new(unsafe { op::conditional(work) }?)
        }
        data::GRAPHCAP_WORK_EVENT_RECORD => {
            let known = "0 or GRAPHCAP_EVENT_RECORD_EXTERNAL";
            check_flags(work.flags, GRAPHCAP_EVENT_RECORD_EXTERNAL, "work.flags", known)?;
            Box::new(OwnedWork::EventRecord(handle::clone(work.event, "work.event")?))
        }
        data::GRAPHCAP_WORK_EVENT_WAIT => {
            let known = "0 or GRAPHCAP_EVENT_WAIT_EXTERNAL";
            check_flags(work.flags, GRAPHCAP_EVENT_WAIT_EXTERNAL, "work.flags", known)?;
            Box::new(OwnedWork::EventWait(handle::clone(work.event, "work.event")?))
        }
        data::GRAPHCAP_WORK_EMPTY
        | data::GRAPHCAP_WORK_MEM_OPS
        | data::GRAPHCAP_WORK_MEM_ALLOC
        | data::GRAPHCAP_WORK_MEM_FREE
        | data::GRAPHCAP_WORK_SET_CONDITION => return Err(none_of_scripts(work)),
        _ => {
            let check = |copy: &Copy<'_>| NodeWork::Memcpy(*copy).check(script.context());
            // SAFETY: passed on to the caller.
            match unsafe { read::owned(work, user_data, check) }? {
                Owned::Node { work, is_peer } => {
                    if let (OwnedWork::Memcpy(copy), true) = (&work, is_peer) {
                        // Rows between contexts would fail only where the op is recorded.
                        PeerCopy::of(&copy.lend())?;
                    }
                    Box::new(work)
                }
                Owned::Op(op) => op,
                Owned::SetCondition(..) | Owned::Allocation(_) => return Err(none_of_scripts(work)),
            }
        }
    })
}

#[cold]
fn none_of_scripts(work: &gc_work) -> Failure {
    let known = "that of an op; push a child graph that has such a node";
    Failure::Unknown { argument: "work.kind", number: work.kind.into(), known }
}

/// # Safety
/// As [`op`].
unsafe fn kernel(work: &gc_work) -> Result<OwnedWork> {
    let pinned = handle::pin();
    let kernel = handle::clone(work.kernel, "work.kernel")?;
    // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
    let (shape, attributes) = unsafe { launch::shape(work.config, &pinned) }?;
    let mut held = Arguments::new();
    // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
    unsafe { held.read(work.arguments, work.argument_count, &pinned) }?;
    let arguments = held.list().iter().map(KernelArgument::to_owned).collect();
    Ok(OwnedWork::Kernel { kernel, shape, arguments, attributes: attributes.of_node()?.to_vec() })
}
