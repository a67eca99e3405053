//! Works that are launches such as most are: read in one look, in the memory of the caller.

use std::mem::MaybeUninit;
use std::slice;

use super::data::gc_work;
use crate::ffi::boundary::{handle, options, Pinned};
use crate::ffi::operations::launch;
use graphcap_core::{Context, UsualLaunch, USUAL_ARGUMENTS};
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
pub(super) unsafe fn read<'p>(
    work: &gc_work,
    context: &Context,
    pinned: &'p Pinned,
    place: &mut MaybeUninit<UsualLaunch<'p>>,
) -> Option<()> {
    if work.argument_count > USUAL_ARGUMENTS {
        return None;
    }
    let kernel = handle::find(work.kernel, pinned)?;
    // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
    let config = unsafe { launch::usual_config(work.config) }?;
    let given = match work.argument_count {
        0 => &[],
        // SAFETY: C promises `argument_count` arguments, not changed meanwhile.
        count => unsafe { options::in_place(work.arguments, count) }?,
    };
    let launch = place.write(UsualLaunch::new(kernel, config.shape()));
    // SAFETY: C promises that each value has as many bytes as it states.
    launch.read(context, given, |argument| unsafe { launch::convert_usual(argument, pinned) })
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
    unsafe { read(work, context, pinned, &mut place) }?;
    // SAFETY: it was read.
    let taken = take(slice::from_ref(unsafe { place.assume_init_ref() }))?;
    Some(taken.map_err(|failed| failed.error))
}
