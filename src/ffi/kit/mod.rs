//! Work as lists of ops, recorded and replayed.

pub mod op;
pub mod op_desc;
pub mod script;
