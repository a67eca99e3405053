//! Pools: objects and memory that captures share, and that go behind the last replay of all their graphs.

mod allocating;
mod blocks;
mod captures;
mod coverage;
mod full;
pub(super) mod keeping;
pub(super) mod kept_block;
pub(super) mod launch_order;
pub(super) mod launch_orders;
mod lease;
mod leaving;
pub(super) mod memory;
pub(super) mod on_stream;
pub(super) mod pool;
mod raw;
mod raw_blocks;
pub(super) mod registry;
pub(super) mod reuse;
pub(super) mod shared_users;
pub(super) mod within;
