//! Means to see what graphcap does: messages about what happens seldom.

#![cfg_attr(test, allow(clippy::disallowed_types))]

pub mod clock;
pub mod log;
