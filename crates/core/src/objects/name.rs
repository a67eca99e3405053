//! Names that a program gives its objects, for messages and for what is drawn of graphs.

use std::sync::Arc;

use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::names::quoted;

/// Most bytes that a name has.
pub const NAME_LIMIT: usize = 1024;

/// The name of one object, if it was given one. A leaf among the locks.
#[derive(Default)]
pub(crate) struct Name(Mutex<Option<Arc<str>>, rank::Names>);

impl Name {
    pub(crate) fn get(&self) -> Option<Arc<str>> {
        lock(&self.0).clone()
    }

    pub(crate) fn set(&self, name: &str) -> Result<()> {
        let name = checked(name)?;
        *lock(&self.0) = name;
        Ok(())
    }

    /// Takes over the name of another object.
    pub(crate) fn copy(&self, other: &Name) {
        let name = other.get();
        *lock(&self.0) = name;
    }
}

/// A name as it is kept; `None` for the empty one.
///
/// # Errors
/// `INVALID_VALUE` for more than [`NAME_LIMIT`] bytes.
pub fn checked(name: &str) -> Result<Option<Arc<str>>> {
    match name.len() {
        0 => Ok(None),
        1..=NAME_LIMIT => Ok(Some(name.into())),
        bytes => Err(Error::invalid_value(format!("a name has at most {NAME_LIMIT} bytes, not {bytes}; shorten it"))),
    }
}

/// Returns what messages call an object: `what` it is, with its number where it has one, and its name where it was given one.
#[cold]
pub(crate) fn label(what: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{what} {}", quoted(name)),
        None => what.to_owned(),
    }
}

/// `error`, told with the name of the `role` that the call was about, where that has a name and is not told yet.
#[cold]
pub(crate) fn naming(error: Error, role: &str, name: Option<Arc<str>>) -> Error {
    match name.map(|name| quoted(&name).to_string()) {
        Some(name) if !error.message.contains(&name) => {
            Error::new(error.status, format!("{}; the {role} is {name}", error.message))
        }
        _ => error,
    }
}
