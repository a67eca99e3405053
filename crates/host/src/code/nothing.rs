//! The host kernel that does nothing.

use std::ffi::c_void;

use graphcap_driver::HostBlock;

pub(crate) extern "C-unwind" fn nothing(_: *const HostBlock, _: *const *const c_void) -> i32 {
    0
}
