//! Graphs and their execs: built, read, changed, launched; and what they keep alive.

pub(super) mod apply;
pub(super) mod cache;
pub(super) mod census;
pub(super) mod changes;
pub(super) mod condition_value;
pub(super) mod edges;
pub(super) mod edits;
pub(super) mod ends;
pub(super) mod entrusted;
pub(super) mod exec;
pub(super) mod exec_edits;
pub(super) mod exec_update;
pub(super) mod graph;
pub(super) mod holdings;
pub(super) mod memory;
pub(super) mod node_attributes;
pub(super) mod node_grid;
pub(super) mod node_names;
pub(super) mod node_params;
pub(super) mod order;
pub(super) mod others_memory;
pub(super) mod relaunch;
pub(super) mod retention;
pub(super) mod source;
pub mod typed;
pub(super) mod uses;
