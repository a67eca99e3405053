//! One description of work, gc_work, and the calls that take it: one for each place that work can go to.

pub mod add_many;
pub mod capture;
pub mod data;
pub mod exec_set;
pub mod node;
pub mod node_set;
pub mod script;
pub mod set_many;
pub mod stream;
mod usual;

mod op;
mod read;
mod target;
