//! Work as lists of ops, recorded and replayed.

pub mod actor;
pub mod future;
pub mod math;
pub mod op;
pub mod script;
