//! Pools: objects and memory that captures share, and that go behind the last replay of all their graphs.

mod blocks;
mod captures;
mod leaving;
pub(super) mod memory;
pub(super) mod pool;
pub(super) mod registry;
