//! The end of objects of a pool: one after another, in the order in which they were added, behind all work that uses any of them.

use std::sync::Arc;

use crate::objects::buffer::{Buffer, LeftMemory};
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{Driver, HostFunction, MemoryId, StreamId, Users};

/// An object that a pool keeps.
pub(super) enum Item {
    Buffer(Buffer),
    /// Of the caller's, destroyed when it is dropped.
    Object(HostFunction),
}

/// Rest of one of them. It keeps no context, so a device may hold it.
enum Part {
    Memory(LeftMemory),
    Object(HostFunction),
}

type Parts = Mutex<Vec<Part>, rank::PoolLeaving>;

/// Object that has a device let objects go, once.
pub(super) struct Leaving {
    driver: Arc<dyn Driver>,
    object: MemoryId,
    parts: Arc<Parts>,
}

impl Leaving {
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work; the status of a context that faulted.
    pub(super) fn new(driver: Arc<dyn Driver>) -> Result<Leaving> {
        let parts = Arc::<Parts>::default();
        let going = Arc::clone(&parts);
        let object = driver.entrust(Box::new(move || {
            let parts = std::mem::take(&mut *lock(&going));
            graphcap_driver::in_order(|| parts.into_iter().for_each(Part::go));
        }))?;
        Ok(Leaving { driver, object, parts })
    }

    /// Lets go of `items`, in their order, behind the work of `users` and of all that used one of them. What others keep, too,
    /// stays until they let go of it, and then for the work of `users`.
    pub(super) fn go(self, items: Vec<Item>, users: &[StreamId]) {
        let mut all = Users::new();
        users.iter().for_each(|&user| all.add(user));
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Object(object) => parts.push(Part::Object(object)),
                Item::Buffer(buffer) => {
                    users.iter().for_each(|&user| buffer.note_use(user));
                    if let Some(left) = buffer.into_left() {
                        left.users().iter().for_each(|&user| all.add(user));
                        parts.push(Part::Memory(left));
                    }
                }
            }
        }
        *lock(&self.parts) = parts;
        self.driver.release(self.object, &all);
    }
}

impl Part {
    fn go(self) {
        match self {
            // Of a stream that lets this go it would be asked whether it is complete, which it is not yet.
            Part::Memory(left) => left.release_behind(),
            Part::Object(object) => graphcap_driver::run_release(Box::new(move || drop(object))),
        }
    }
}
