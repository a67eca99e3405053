//! Functions to see what graphcap does.

pub mod log;
pub mod trace;
