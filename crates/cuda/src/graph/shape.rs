//! A graph as it was when execs were made of it.

use std::sync::OnceLock;

use graphcap_driver::rules::outline::Outline;

/// A graph as it is between two edits of it. It is written down when that is asked for, or when the graph is about to be edited
/// and an exec was made from it.
#[derive(Default)]
pub(crate) struct Shape(OnceLock<Outline>);

impl Shape {
    /// Returns what is written down.
    pub(crate) fn outline(&self) -> Option<&Outline> {
        self.0.get()
    }

    /// Writes it down, unless it was.
    pub(super) fn set(&self, outline: Outline) {
        let _ = self.0.set(outline);
    }
}
