//! Kernels of graphcap's own, as a module for each kind of device.

use super::{host, HostKernel};

/// The kernel that sets a condition, its first argument, to the 4 bytes in device memory that the second one points to.
pub(crate) const SET_CONDITION: &str = "graphcap_set_condition_from";

/// The image for GPUs. Drivers before 12.3 do not load it.
pub(crate) const SET_CONDITION_IMAGE: &[u8] = include_bytes!("cuda/set_condition.ptx");

/// The kernel for host devices.
pub(crate) fn set_condition_kernel() -> HostKernel {
    let parameter_sizes = Some(vec![size_of::<u64>(), size_of::<u64>()]);
    HostKernel { name: SET_CONDITION.to_owned(), function: host::SET_CONDITION, parameter_sizes }
}
