//! Host functions that wait until a test lets them go on.

#![allow(clippy::disallowed_types)]

use std::sync::{Arc, Condvar, Mutex};

use graphcap::core::OwnedWork;
use graphcap::driver::HostFunction;

/// Closed at first; clones are of one gate.
#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// An op that waits until the gate is open.
    pub fn op(&self) -> OwnedWork {
        let gate = self.clone();
        let function: HostFunction = Arc::new(move || {
            let (is_open, changed) = &*gate.0;
            drop(changed.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
        });
        OwnedWork::Host(function)
    }

    /// Opens the gate for good.
    pub fn open(&self) {
        *self.0 .0.lock().unwrap() = true;
        self.0 .1.notify_all();
    }
}
