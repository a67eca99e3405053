//! Captures as the driver has them.

pub(super) mod capture;
pub(super) mod capture_end;
pub(super) mod capture_graph;
mod capture_put;
pub(super) mod capture_state;
pub(super) mod ends;
pub(super) mod epoch;
pub(super) mod gate;
pub(super) mod registry;
