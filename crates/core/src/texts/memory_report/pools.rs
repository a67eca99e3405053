//! The pools of a memory report.

use std::collections::HashMap;
use std::fmt::Write;

use serde::Serialize;

use super::keepers::{list, place, Keepers};
use crate::objects::buffer::Buffer;
use crate::pools::pool::Pool;
use crate::state::Context;
use crate::texts::text::Text;
use graphcap_base::error::Result;

/// A pool.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct PoolRow {
    /// Its number in the report.
    pub id: usize,
    /// Its number in the process, as [`Pool::id`] tells it.
    pub number: u64,
    /// Bytes that it has of the device.
    pub reserved: u64,
    /// Bytes of that which are in blocks.
    pub used: u64,
    /// The most that ever was.
    pub peak: u64,
    /// Tells whether its graphs share memory.
    pub shared: bool,
    /// Tells whether it is sealed.
    pub sealed: bool,
    /// Number of objects that were added to it.
    pub objects: usize,
    /// The buffers among these, by their numbers in the report.
    pub keeps: Vec<usize>,
    /// The buffers that are blocks of it.
    pub blocks: Vec<usize>,
    /// The graphs that keep it.
    pub graphs: Vec<usize>,
    /// The execs that keep it.
    pub execs: Vec<usize>,
}

/// The rows of the pools of a context, beside those of its `buffers`.
pub(super) fn rows(
    context: &Context,
    buffers: &[Buffer],
    of_graphs: &Keepers,
    of_execs: &Keepers,
) -> Result<Vec<PoolRow>> {
    let numbers: HashMap<usize, usize> =
        buffers.iter().enumerate().map(|(id, buffer)| (place(&buffer.inner()), id)).collect();
    let row = |(id, pool): (usize, Pool)| {
        let memory = pool.memory()?;
        let added = pool.added_buffers();
        let mut keeps: Vec<usize> =
            added.iter().filter_map(|buffer| numbers.get(&place(&buffer.inner())).copied()).collect();
        keeps.sort_unstable();
        keeps.dedup();
        let is_block = |buffer: &Buffer| buffer.origin().pool() == Some(pool.id());
        let blocks = buffers.iter().enumerate().filter(|(_, buffer)| is_block(buffer)).map(|(id, _)| id).collect();
        let keepers = |of: &Keepers| of.get(&pool.place()).cloned().unwrap_or_default();
        Ok(PoolRow {
            id,
            number: pool.id(),
            reserved: memory.reserved as u64,
            used: memory.used as u64,
            peak: memory.used_high as u64,
            shared: pool.is_shared(),
            sealed: pool.is_sealed(),
            objects: pool.count(),
            keeps,
            blocks,
            graphs: keepers(of_graphs),
            execs: keepers(of_execs),
        })
    };
    Pool::all_of(context).into_iter().enumerate().map(row).collect()
}

impl PoolRow {
    /// Writes it as a line for people.
    pub(super) fn write(&self, out: &mut Text) -> std::fmt::Result {
        let PoolRow { id, number, reserved, used, peak, objects, .. } = self;
        write!(out, "pool {id}, number {number}: {reserved} bytes reserved, {used} used, {peak} at most")?;
        if self.shared {
            write!(out, ", shared by its graphs")?;
        }
        if self.sealed {
            write!(out, ", sealed")?;
        }
        write!(out, ", {objects} objects")?;
        for (what, ids) in [("blocks", &self.blocks), ("keeps", &self.keeps)] {
            if !ids.is_empty() {
                write!(out, ", {what} buffers")?;
                ids.iter().try_for_each(|id| write!(out, " {id}"))?;
            }
        }
        list(out, "graphs", &self.graphs)?;
        list(out, "execs", &self.execs)?;
        out.write_char('\n')
    }
}
