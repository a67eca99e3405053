//! The memory that nodes of a text of a graph allocate, once these nodes are made.

use std::cell::OnceCell;

use super::import_binding::Wrong;
use crate::objects::buffer::Buffer;
use graphcap_base::error::Result;
use graphcap_base::names::quoted;
use graphcap_base::room;

/// Memory that the nodes which are made so far allocate, by the places of the memory in the text.
pub(super) struct Allocations(Vec<OnceCell<Buffer>>);

impl Allocations {
    /// For a text with so many pieces of memory.
    pub(super) fn new(count: usize) -> Result<Allocations> {
        let mut list = room::list(count)?;
        list.resize_with(count, OnceCell::new);
        Ok(Allocations(list))
    }

    /// Returns where a node notes what it allocates.
    pub(super) fn place(&self, index: usize) -> Option<&OnceCell<Buffer>> {
        self.0.get(index)
    }

    /// The memory in a place, which a node before allocates.
    pub(super) fn find(&self, index: usize, name: &str) -> Result<&Buffer, Wrong> {
        let made = self.place(index).and_then(OnceCell::get);
        made.ok_or_else(|| {
            Wrong::value(format!(
                "no node before allocates {}; list the node that allocates it before those that use it",
                quoted(name)
            ))
        })
    }
}
