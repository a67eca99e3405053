//! Works that are launches such as most are: read in one look, in the memory of the caller.

use std::mem::MaybeUninit;
use std::slice;

use super::data::gc_work;
use crate::ffi::boundary::{handle, options, Pinned};
use crate::ffi::operations::launch;
use graphcap_core::{Context, UsualLaunch};
use graphcap_driver::BatchError;

/// The work, if it is a launch without a name, in a struct of this version, that states nothing wrong. It has no user data.
///
/// # Safety
/// `work` is NULL or points to as many bytes as its struct_size states, which are not changed while the result lives.
#[inline(always)]
pub(super) unsafe fn plain<'a>(work: *const gc_work) -> Option<&'a gc_work> {
    // SAFETY: passed on to the caller.
    unsafe { options::in_place(work, 1) }?.first().filter(|work| work.is_plain_kernel())
}

/// Reads such a work into `place`, as what a node of a graph of `context` is to do. `None` where the launch is not such as most are.
///
/// # Safety
/// All that the members point to is there while the result lives.
#[inline(always)]
pub(super) unsafe fn read<'l, 'p>(
    work: &gc_work,
    context: &Context,
    pinned: &'p Pinned,
    place: &'l mut MaybeUninit<UsualLaunch<'p>>,
) -> Option<&'l UsualLaunch<'p>> {
    let kernel = handle::find(work.kernel, pinned)?;
    // SAFETY: passed on to the caller.
    unsafe { launch::read_usual(kernel, work.config, (work.arguments, work.argument_count), context, pinned, place) }
}

/// Makes `take` take such a work. `None`, and nothing is changed, where that asks for more than most works do.
///
/// # Safety
/// All that the members point to is there.
#[inline(always)]
pub(super) unsafe fn with<T>(
    work: &gc_work,
    context: &Context,
    pinned: &Pinned,
    take: impl FnOnce(&[UsualLaunch<'_>]) -> Option<std::result::Result<T, BatchError>>,
) -> Option<graphcap_base::Result<T>> {
    let mut place = MaybeUninit::uninit();
    // SAFETY: passed on to the caller.
    let launch = unsafe { read(work, context, pinned, &mut place) }?;
    let taken = take(slice::from_ref(launch))?;
    Some(taken.map_err(|failed| failed.error))
}
