//! The ops that are built in: [`OwnedWork`](graphcap_core::OwnedWork), and those that are more than work of one node. Each keeps
//! alive what it uses, and so do the graphs that it is recorded into.

mod apart;
mod conditional;
mod fft;
mod owned;
mod rng;
mod sgemm;

pub use apart::{add_op, record_op, submit_op};
pub use conditional::ConditionalOp;
pub use fft::FftOp;
pub use rng::RngUniformOp;
pub use sgemm::SgemmOp;
