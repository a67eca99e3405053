//! The environment that work runs in, whoever runs it: the floating-point modes, the room on the stack, the signals that graphcap's
//! own threads block, the end of a thread within work.

mod cpython;
mod floats;
mod signals;
mod stack;
mod thread_end;

pub(super) use cpython::has_just_ended as has_python_just_ended;
pub(crate) use floats::enter_default as enter_default_floats;
pub(super) use floats::set_default as set_default_floats;
pub(super) use floats::set_default_for_kernel as set_default_floats_for_kernel;
pub(super) use signals::block as block_signals;
pub(super) use stack::has_room_for_kernels;
pub(super) use thread_end::{forget as forget_thread_end, outlive};
pub(crate) use thread_end::{is_ended as is_thread_ended, stay};
