//! The host kernel that does nothing.

use std::ffi::c_void;

use crate::driver::HostBlock;

pub(in crate::driver::host) extern "C-unwind" fn nothing(_: *const HostBlock, _: *const *const c_void) -> i32 {
    0
}
