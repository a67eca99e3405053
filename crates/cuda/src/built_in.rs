//! Images of graphcap's own kernels. The driver takes 10 to 30 ms to compile the PTX of one, and loads a cubin in 0.05 ms.

use graphcap_driver::BuiltInImage;

macro_rules! image {
    ($name:literal) => {
        BuiltInImage {
            cubins: &[
                (8, include_bytes!(concat!("built_in/", $name, ".sm_80.cubin"))),
                (9, include_bytes!(concat!("built_in/", $name, ".sm_90.cubin"))),
                (10, include_bytes!(concat!("built_in/", $name, ".sm_100.cubin"))),
                (12, include_bytes!(concat!("built_in/", $name, ".sm_120.cubin"))),
            ],
            ptx: include_bytes!(concat!("built_in/", $name, ".ptx")),
        }
    };
}

/// Sets a condition to a value in memory.
pub const SET_CONDITION: BuiltInImage = image!("set_condition");
/// Does nothing.
pub const NOTHING: BuiltInImage = image!("nothing");
/// Takes numbers of a generator.
pub const RNG_RESERVE: BuiltInImage = image!("rng_reserve");
/// Fills memory with random floats.
pub const RNG_UNIFORM: BuiltInImage = image!("rng_uniform");
/// Marks how far a launch is.
pub const MARK: BuiltInImage = image!("mark");
/// Summarizes pieces of memory.
pub const SUMMARIZE: BuiltInImage = image!("summarize");
/// Sets the grid of another kernel.
pub const SET_GRID: BuiltInImage = image!("set_grid");
