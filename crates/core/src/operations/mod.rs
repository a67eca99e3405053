//! Work: what calls and nodes ask for, checked, with what it needs alive; and what addresses in it mean.

pub(super) mod copy;
mod copy_batch;
pub(super) mod fft;
pub(super) mod kernel_arguments;
pub(super) mod launch_events;
pub(super) mod lent_blas;
pub(super) mod lent_rand;
pub(super) mod located;
pub(super) mod memset;
pub(super) mod node_work;
pub(super) mod operands;
mod overlap;
pub(super) mod owned_work;
pub(super) mod peer_copy;
pub(super) mod provenance;
pub(super) mod random_fill;
pub(super) mod saved;
pub(super) mod sgemm;
pub(super) mod stream_node_work;
pub(super) mod summaries;
mod torch_state;
pub(super) mod usual_launch;
pub(super) mod values;
