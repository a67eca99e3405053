//! Homes: where work is to go, and of which contexts its objects may be.

use crate::state::Context;
use graphcap_base::error::Result;

/// Place that work is to go to: a stream, whose objects are of its context, or a graph, whose nodes may be of several.
#[derive(Clone, Copy)]
pub(crate) struct Home<'a> {
    /// The context.
    pub(crate) context: &'a Context,
    /// Name of it in messages: a stream, or a graph.
    name: &'static str,
    /// Tells whether objects may be of other contexts on devices of the same kind.
    has_several: bool,
}

impl<'a> Home<'a> {
    /// A stream of `context`.
    pub(crate) fn stream(context: &'a Context) -> Home<'a> {
        Home { context, name: "the stream", has_several: false }
    }

    /// A graph of `context`.
    pub(crate) fn graph(context: &'a Context) -> Home<'a> {
        Home { context, name: "the graph", has_several: true }
    }

    /// An exec of `context`.
    pub(crate) fn exec(context: &'a Context) -> Home<'a> {
        Home { context, name: "the graph exec", has_several: true }
    }

    /// Fails unless the object, of context `other`, may be used there. `what` is what messages call it.
    #[inline]
    pub(crate) fn check(&self, other: &Context, what: &str) -> Result<()> {
        match self.has_several {
            true => self.context.check_family(self.name, other, what),
            false => self.check_own(other, what),
        }
    }

    /// Fails unless the object, of context `other`, is of the same context.
    pub(crate) fn check_own(&self, other: &Context, what: &str) -> Result<()> {
        self.context.check_same(self.name, other, what)
    }
}
