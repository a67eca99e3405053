//! Graphs and their execs: built, read, changed, launched, written as text.

pub mod conditional;
pub mod edges;
pub mod exec_apply;
pub mod exec_pool;
pub mod exec_set;
pub mod exec_update;
pub mod graph;
pub mod graph_cache;
pub mod graph_edits;
pub mod graph_exec;
pub mod graph_memory;
pub mod graph_nodes;
pub mod graph_text;
pub mod host_node;
pub mod node;
pub mod node_attributes;
pub mod node_get;
pub mod node_grid;
pub mod node_set;
pub mod optimize;
pub mod optimize_reasons;
pub mod plan;
pub mod progress;
pub mod relaunch;
pub mod unresolved_pointers;
pub mod verify;
