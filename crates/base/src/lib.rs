//! Things that every layer of graphcap uses: statuses and errors, ranked locks, names in messages, slots, numbers of threads.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_types))]

pub mod defer;
pub mod error;
#[allow(clippy::disallowed_types, reason = "the ranked locks are made of them")]
pub mod lock;
pub mod names;
pub mod numbers;
pub mod room;
pub mod slots;
pub mod switch;
pub mod thread;

pub use defer::{defer, Deferred};
pub use error::{Error, Result, Status};
