//! The host kernel that summarizes pieces of memory, one in each block. `summarize.cu` of the CUDA device does the same on GPUs.

use std::ffi::c_void;

use crate::raw;
use graphcap_driver::HostBlock;

pub(crate) extern "C-unwind" fn summarize(block: *const HostBlock, arguments: *const *const c_void) -> i32 {
    raw::summarize(block, arguments);
    0
}
