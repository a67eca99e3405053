//! The blocks that others have of one pool, and where what they freed may be used again.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};

use crate::core::objects::buffer::Buffer;
use crate::core::objects::event::Event;
use crate::driver::{Address, StreamId};
use crate::lock::{lock, rank, Mutex};

/// A stream as the driver calls it, and the capture that it is in, by a number that no other one has; 0 for none.
pub(super) type Place = (usize, u64);

/// The blocks of one pool.
#[derive(Default)]
pub(super) struct RawBlocks {
    all: HashMap<Address, Block>,
    /// What was freed and may be used again: by where, and by size.
    free: HashMap<Place, BTreeMap<usize, Vec<Address>>>,
    /// The capture that was met last, and how many were met.
    latest: u64,
    met: u64,
}

struct Block {
    buffer: Buffer,
    /// Where it was allocated; `None` once it was freed.
    home: Option<Place>,
    /// How many captures had been met then.
    met: u64,
    /// Other streams that use it.
    users: Vec<usize>,
    /// Once it was freed: what is to precede its next use.
    behind: Vec<Event>,
}

/// What was known of a block that was freed.
pub(super) struct Left {
    pub(super) home: Place,
    pub(super) met: u64,
    pub(super) users: Vec<usize>,
}

type Owner = dyn Any + Send + Sync;

/// The pools whose blocks lie at the addresses.
static OWNERS: Mutex<BTreeMap<Address, Weak<Owner>>, rank::RawOwners> = Mutex::new(BTreeMap::new());

/// The pool that has a block at `address`.
pub(super) fn owner(address: Address) -> Option<Arc<Owner>> {
    lock(&OWNERS).get(&address).and_then(Weak::upgrade)
}

/// The pool `owner` has a block at `address` from here on, until it goes.
pub(super) fn own(address: Address, owner: Weak<Owner>) {
    lock(&OWNERS).insert(address, owner);
}

impl RawBlocks {
    /// Enters a block that was allocated at `home`.
    pub(super) fn enter(&mut self, buffer: Buffer, home: Place) {
        let (address, met) = (buffer.address(), self.meet(home.1));
        self.all.insert(address, Block { buffer, home: Some(home), met, users: Vec::new(), behind: Vec::new() });
    }

    /// Takes a block that was freed at `place`, of at least `bytes` bytes and at most twice as many. Gives what is to precede its
    /// next use.
    pub(super) fn take_freed(&mut self, bytes: usize, place: Place) -> Option<(Address, Vec<Event>)> {
        let met = self.meet(place.1);
        let sizes = self.free.get_mut(&place)?;
        let (&size, _) = sizes.range(bytes..=bytes.saturating_mul(2)).next()?;
        let addresses = sizes.get_mut(&size)?;
        let address = addresses.pop()?;
        if addresses.is_empty() {
            sizes.remove(&size);
        }
        let block = self.all.get_mut(&address)?;
        (block.home, block.met) = (Some(place), met);
        Some((address, std::mem::take(&mut block.behind)))
    }

    /// A stream uses the block at `address` too. False where no block is allocated there.
    pub(super) fn note_user(&mut self, address: Address, stream: usize) -> bool {
        let block = self.all.get_mut(&address);
        let Some((block, home)) = block.and_then(|block| block.home.map(|home| (block, home))) else { return false };
        if home.0 != stream && !block.users.contains(&stream) {
            block.users.push(stream);
        }
        true
    }

    /// Nobody has the block at `address` any more. `None` where none is allocated there.
    pub(super) fn leave(&mut self, address: Address) -> Option<Left> {
        let block = self.all.get_mut(&address)?;
        let home = block.home.take()?;
        Some(Left { home, met: block.met, users: std::mem::take(&mut block.users) })
    }

    /// A block that was left may be used again at `place`, behind those events. Outside of captures not where one was met since
    /// `met`: its graph may use the block.
    pub(super) fn give_back(&mut self, address: Address, place: Place, met: u64, behind: Vec<Event>) {
        if self.meet(place.1) != met && place.1 == 0 {
            return;
        }
        if let Some(block) = self.all.get_mut(&address) {
            block.behind = behind;
            let size = block.buffer.size();
            self.free.entry(place).or_default().entry(size).or_default().push(address);
        }
    }

    /// A call was made in that capture; 0 for none. Gives how many captures were met so far.
    fn meet(&mut self, capture: u64) -> u64 {
        if capture != 0 && self.latest != capture {
            self.latest = capture;
            self.met += 1;
        }
        self.met
    }

    /// Has the memory go behind the work of these streams.
    pub(super) fn note_users(&self, users: &[StreamId]) {
        for block in self.all.values() {
            users.iter().for_each(|&user| block.buffer.inner().note_use(user));
        }
    }
}

impl Drop for RawBlocks {
    fn drop(&mut self) {
        let mut owners = lock(&OWNERS);
        for address in self.all.keys() {
            // The addresses can be another pool's by now.
            if owners.get(address).is_some_and(|owner| owner.strong_count() == 0) {
                owners.remove(address);
            }
        }
    }
}
