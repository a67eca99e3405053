//! Resets of handles: the context's own name its new generation, and the objects of all others are taken out, so that
//! what they keep is released. The numbers stay taken until they are destroyed; a look-up pays nothing for this.

use std::any::Any;
use std::sync::atomic::{fence, Ordering};

use super::table::pin;
use super::{make_stale, make_stale_if, of_context, Handle, TableEntry, OPERATIONS};
use crate::ffi::boundary::failure::Result;
use crate::ffi::boundary::handle_types::{gc_capture, gc_context, gc_stream};
use graphcap_core::{Context, Stream};

/// Resets a context, whose handles name its new generation then.
pub(crate) fn reset(context: &Context) -> Result<()> {
    discard_captures(context);
    let mut renewed = None;
    context.reset_with(|next| renewed = Some(renew(context, next)))?;
    // What is entered from here on sees that the generation is over; what was entered before is found.
    fence(Ordering::SeqCst);
    // Taken out first and dropped later: callbacks of the caller's may run then. Captures and streams of others go before the
    // streams that they may be of.
    let captures = make_stale::<gc_capture>(context);
    let wrapped = make_stale_if::<gc_stream>(context, Stream::is_wrapped);
    let others: Vec<Box<dyn Any>> =
        OPERATIONS.iter().filter_map(|kind| kind.get()).map(|kind| (kind.make_stale)(context)).collect();
    drop(captures);
    drop(wrapped);
    drop((others, renewed));
    Ok(())
}

/// Discards the captures that were begun on streams of others. Those of other streams end with them.
fn discard_captures(context: &Context) {
    // While this is pinned, nobody's destroy of a wrapped stream returns whose capture is looked at here.
    let pinned = pin();
    for key in of_context::<gc_stream>(context) {
        if let Some(held) = gc_stream::table().get(key, &pinned) {
            held.object.let_own_capture_go();
        }
    }
}

/// Makes all handles of a context name its generation `next`. Gives what they named.
fn renew(context: &Context, next: &Context) -> impl Sized {
    let keys = of_context::<gc_context>(context);
    let replace = |key| gc_context::table().replace(key, TableEntry::new(next.clone()));
    keys.into_iter().filter_map(replace).collect::<Vec<_>>()
}
