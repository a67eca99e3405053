//! Captures: of streams, as objects, and the graphs that they go into.

pub mod capture;
pub mod capture_graph;
pub mod capture_scope;
pub mod pool_capture;
pub mod recording;
pub mod violation;
