//! Kernels of graphcap's own, as a module for each kind of device.

use graphcap_driver::{BuiltInImage, HostKernel};
use {graphcap_cuda::built_in as cuda, graphcap_host as host};

/// The kernel that sets a condition, its first argument, to the 4 bytes in device memory that the second one points to.
pub const SET_CONDITION: &str = "graphcap_set_condition_from";

/// Kernels that graphcap needs itself. Each is in a module of its own, as drivers do not load all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuiltInKernel {
    /// [`SET_CONDITION`]. Drivers before 12.3 do not load it.
    SetCondition,
    /// Does nothing.
    Nothing,
    /// Takes numbers of a generator for the fills of a replay: its arguments are the generator's state, where the number of the
    /// first one goes, and how many.
    RngReserve,
    /// Fills memory with random floats: its arguments are the generator's state, where the number of the first element stands or 0,
    /// what is added to that, the memory, and how many floats.
    RngUniform,
    /// Marks in host memory how far a launch of a graph is: its arguments are where the number of the launch stands in device memory,
    /// the mark, and 1 where a launch begins, else 0.
    Mark,
    /// Sets the grid of a kernel node before it runs: its arguments are what kernels know the node by, where the sizes in x, y and z
    /// are, 0 for none, and those that count there. For GPUs alone; drivers before 12.4 do not load it.
    SetGrid,
    /// Summarizes pieces of memory, one in each block: its arguments are where the pieces are described, and where the summaries go, as
    /// [`Summary`](graphcap_driver::rules::summary::Summary) has them.
    Summarize,
    /// Multiplies matrices, one tile of them in each block. For host devices alone.
    Sgemm,
    /// Transforms rows of real or complex numbers, some rows in each block. For host devices alone.
    Fft,
}

impl BuiltInKernel {
    /// Number of kernels.
    pub const COUNT: usize = BuiltInKernel::ALL.len();

    const ALL: [BuiltInKernel; 9] = [
        BuiltInKernel::SetCondition,
        BuiltInKernel::Nothing,
        BuiltInKernel::RngReserve,
        BuiltInKernel::RngUniform,
        BuiltInKernel::Mark,
        BuiltInKernel::SetGrid,
        BuiltInKernel::Summarize,
        BuiltInKernel::Sgemm,
        BuiltInKernel::Fft,
    ];

    /// The one of that name, among those that nodes of a program's graphs can be. No graph of a program has those that set grids and summarize.
    pub fn named(name: &str) -> Option<BuiltInKernel> {
        BuiltInKernel::ALL.into_iter().find(|kernel| {
            kernel.name() == name && !matches!(kernel, BuiltInKernel::SetGrid | BuiltInKernel::Summarize)
        })
    }

    /// The name of the kernel in its module.
    pub fn name(self) -> &'static str {
        match self {
            BuiltInKernel::SetCondition => SET_CONDITION,
            BuiltInKernel::Nothing => "graphcap_nothing",
            BuiltInKernel::RngReserve => "graphcap_rng_reserve",
            BuiltInKernel::RngUniform => "graphcap_rng_uniform",
            BuiltInKernel::Mark => "graphcap_mark",
            BuiltInKernel::SetGrid => "graphcap_set_grid",
            BuiltInKernel::Summarize => "graphcap_summarize",
            BuiltInKernel::Sgemm => "graphcap_sgemm",
            BuiltInKernel::Fft => "graphcap_fft",
        }
    }

    /// The image for GPUs, which have libraries for the rest.
    pub fn image(self) -> Option<BuiltInImage> {
        match self {
            BuiltInKernel::SetCondition => Some(cuda::SET_CONDITION),
            BuiltInKernel::Nothing => Some(cuda::NOTHING),
            BuiltInKernel::RngReserve => Some(cuda::RNG_RESERVE),
            BuiltInKernel::RngUniform => Some(cuda::RNG_UNIFORM),
            BuiltInKernel::Mark => Some(cuda::MARK),
            BuiltInKernel::SetGrid => Some(cuda::SET_GRID),
            BuiltInKernel::Summarize => Some(cuda::SUMMARIZE),
            BuiltInKernel::Sgemm | BuiltInKernel::Fft => None,
        }
    }

    /// The kernel for host devices, which need none to set grids.
    pub fn for_host(self) -> Option<HostKernel> {
        let (function, parameter_sizes) = match self {
            BuiltInKernel::SetCondition => (host::SET_CONDITION, vec![size_of::<u64>(), size_of::<u64>()]),
            BuiltInKernel::Nothing => (host::NOTHING, Vec::new()),
            BuiltInKernel::RngReserve => (host::RNG_RESERVE, vec![size_of::<u64>(); 3]),
            BuiltInKernel::RngUniform => (host::RNG_UNIFORM, vec![size_of::<u64>(); 5]),
            BuiltInKernel::Mark => (host::MARK, vec![size_of::<u64>(); 3]),
            BuiltInKernel::SetGrid => return None,
            BuiltInKernel::Summarize => (host::SUMMARIZE, vec![size_of::<u64>(); 2]),
            BuiltInKernel::Sgemm => (host::SGEMM, host::SGEMM_PARAMETERS.to_vec()),
            BuiltInKernel::Fft => (host::FFT, host::FFT_PARAMETERS.to_vec()),
        };
        Some(HostKernel { name: self.name().to_owned(), function, parameter_sizes: Some(parameter_sizes) })
    }
}
