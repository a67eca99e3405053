//! Tests of the host device through the Rust interface: one program, since each test program contains the whole library.
//!
//! The tests run side by side: their captures bar no other thread. `lifetimes.rs` has those that do.

mod actor_faults;
mod actor_messages;
mod gate;
mod graph_import;
mod graph_of_every_kind;
mod graph_text;
mod math;
mod optimized_ops;
mod planning_memory;
mod pool_children;
mod pool_reuse;
mod random;
mod random_numbers;
mod retention;
mod step_scratch;
