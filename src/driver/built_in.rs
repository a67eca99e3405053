//! Kernels of graphcap's own, as a module for each kind of device.

use super::{host, HostKernel};

/// The kernel that sets a condition, its first argument, to the 4 bytes in device memory that the second one points to.
pub(crate) const SET_CONDITION: &str = "graphcap_set_condition_from";

/// Kernels that graphcap needs itself. Each is in a module of its own, as drivers do not load all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuiltInKernel {
    /// [`SET_CONDITION`]. Drivers before 12.3 do not load it.
    SetCondition,
    /// Does nothing.
    Nothing,
}

impl BuiltInKernel {
    /// How many there are.
    pub(crate) const COUNT: usize = 2;

    /// The one of that name.
    pub(crate) fn named(name: &str) -> Option<BuiltInKernel> {
        [BuiltInKernel::SetCondition, BuiltInKernel::Nothing].into_iter().find(|kernel| kernel.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            BuiltInKernel::SetCondition => SET_CONDITION,
            BuiltInKernel::Nothing => "graphcap_nothing",
        }
    }

    /// The image for GPUs.
    pub(crate) fn image(self) -> &'static [u8] {
        match self {
            BuiltInKernel::SetCondition => include_bytes!("cuda/set_condition.ptx"),
            BuiltInKernel::Nothing => include_bytes!("cuda/nothing.ptx"),
        }
    }

    /// The kernel for host devices.
    pub(crate) fn for_host(self) -> HostKernel {
        let (function, parameter_sizes) = match self {
            BuiltInKernel::SetCondition => (host::SET_CONDITION, vec![size_of::<u64>(), size_of::<u64>()]),
            BuiltInKernel::Nothing => (host::NOTHING, Vec::new()),
        };
        HostKernel { name: self.name().to_owned(), function, parameter_sizes: Some(parameter_sizes) }
    }
}
