//! Work of the command `graphcap`.

#![forbid(unsafe_code)]

pub mod arguments;
pub mod check;
pub mod chrome;
pub mod compare;
pub mod graphs;
pub mod info;
mod names;
pub mod report;
pub mod summary;
mod table;
