//! The ops that are built in. Each keeps alive what it uses, and so do the graphs that it is recorded into.

mod apart;
mod child;
mod conditional;
mod event;
mod fft;
mod host;
mod kernel;
mod memcpy;
mod memset;
mod named;
mod rng;
mod sgemm;

pub use apart::{add_op, record_op, submit_op};
pub use child::ChildGraphOp;
pub use conditional::ConditionalOp;
pub use event::{EventRecordOp, EventWaitOp};
pub use fft::FftOp;
pub use host::HostOp;
pub use kernel::{KernelOp, OpArgument};
pub use memcpy::{MemcpyOp, OpPlace};
pub use memset::MemsetOp;
pub use named::Named;
pub use rng::RngUniformOp;
pub use sgemm::{OpCoefficient, SgemmOp};
