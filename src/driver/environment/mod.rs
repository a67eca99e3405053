//! The environment that work runs in, whoever runs it: the signals that its threads block.

mod signals;

pub(super) use signals::block as block_signals;
