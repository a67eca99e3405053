//! Graphs as text: drawn, written and read back, compared.

mod allocations;
pub(super) mod diff;
pub(super) mod dot;
pub(super) mod dot_flags;
pub(super) mod graph_text;
pub(super) mod import_allocation;
pub(super) mod import_binding;
mod import_kernel;
mod import_live;
mod import_own;
pub(super) mod import_work;
pub(super) mod json;
pub(super) mod json_import;
pub(super) mod memory_report;
pub(super) mod picture;
pub(super) mod process_memory;
pub(super) mod saved_graph;
pub(crate) mod stand_in;
pub(super) mod text;
pub(super) mod told;
