//! Memory that graphs of a pool share: who has which bytes of it.

use std::cell::RefCell;
use std::sync::Arc;

use super::within::blocks_of;
use crate::graphs::exec::{ExecInner, GraphExec};
use crate::graphs::retention;
use crate::objects::buffer::Buffer;
use crate::state::{Context, GraphInner};
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::{Address, Lists};

/// The graphs and execs of a context that keep memory which graphs share: of each the addresses where a block begins and ends, and the
/// place of the block in the process.
pub struct SharedUsers(Vec<Vec<(Address, Address, usize)>>);

impl Context {
    /// Lists the graphs and execs that keep memory which graphs of a pool share. Takes time for all that graphs and execs keep.
    pub fn shared_users(&self) -> SharedUsers {
        let graphs = self.graphs().live::<GraphInner>().into_iter().map(|graph| graph.kept());
        let execs = self.execs().live::<ExecInner>().into_iter().map(|exec| GraphExec::from_inner(exec).made().kept());
        SharedUsers(graphs.chain(execs).map(|lists| shared_by(&lists)).filter(|blocks| !blocks.is_empty()).collect())
    }
}

impl SharedUsers {
    /// Returns where the first bytes of a buffer begin and end, from `start` to before `end`, that launches of others may write: of graphs
    /// and execs that keep another block there, and not the block of the buffer. Those that keep both made what is in the buffer.
    pub fn others(&self, buffer: &Buffer, start: Address, end: Address) -> Option<(Address, Address)> {
        let inner = buffer.inner();
        let own = Arc::as_ptr(inner.kept_block()?).addr();
        let others = self.0.iter().filter(|blocks| blocks.iter().all(|&(.., block)| block != own));
        let bytes = others.flatten().map(|&(from, to, _)| (from.max(start), to.min(end)));
        Ranges::of(bytes).iter().next()
    }
}

fn shared_by(lists: &Lists) -> Vec<(Address, Address, usize)> {
    let found = RefCell::new(Vec::new());
    retention::see_all(None, lists, &|kept| {
        let blocks = blocks_of(kept).into_iter();
        let shared = blocks.filter_map(|block| {
            let (start, end, _) = block.shared()?;
            Some((start, end, Arc::as_ptr(&block).addr()))
        });
        found.borrow_mut().extend(shared);
    });
    found.into_inner()
}
