//! Code: modules and kernels; and functions of the caller's.

pub(super) mod function;
pub(super) mod image;
pub(super) mod kernels;
pub(super) mod module;
