//! The environment that work runs in, whoever runs it: the floating-point modes, the room on the stack, the signals that graphcap's
//! own threads block, the end of a thread within work, the variables that set graphcap up.

#![cfg_attr(test, allow(clippy::disallowed_types))]

mod cpython;
mod floats;
mod join;
mod signals;
mod stack;
mod thread_end;
mod variables;

pub use cpython::has_just_ended as has_python_just_ended;
pub use floats::enter_default as enter_default_floats;
pub use floats::set_default as set_default_floats;
pub use floats::set_default_for_kernel as set_default_floats_for_kernel;
pub use join::join_if_over;
pub use signals::block as block_signals;
pub use stack::has_room_for_kernels;
pub use thread_end::{forget as forget_thread_end, outlive};
pub use thread_end::{is_ended as is_thread_ended, stay};
pub use variables::variable;
