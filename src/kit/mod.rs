//! What is made of the objects of [`core`](crate::core) alone: graphs that run their work side by side.

mod optimize;

pub use optimize::{optimize, Barrier, Candidate, OptimizeOptions, OptimizeReport};
