//! What the command `graphcap` does.

#![forbid(unsafe_code)]

pub mod chrome;
