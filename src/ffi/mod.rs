//! The C boundary: every function of graphcap.h, in three visible steps: convert, call, write out.
//!
//! No logic lives here. The doc comments of the exported items are the manual that graphcap.h carries, which
//! is why they are written for readers of C.

// The names are C's.
#![allow(non_camel_case_types)]
// The manual says [in] and [out] as Doxygen has it; rustdoc takes them for links.
#![allow(rustdoc::broken_intra_doc_links)]
// What a caller has to keep to is in the manual, not under a heading of Rust's.
#![allow(clippy::missing_safety_doc)]
// Nothing here may panic.
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod boundary;
pub mod captures;
pub mod graphs;
pub mod kit;
pub mod objects;
pub mod observe;
pub mod operations;
#[cfg(test)]
mod tests;
pub mod work;
