//! Amount of memory that graphs have of a host device, as NVIDIA's driver counts it: in pieces, which stay with graphs for later launches
//! until they are trimmed. The memory itself is elsewhere; this is the account.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::GraphMemory;

/// The driver's pieces are multiples of this.
const SLAB_STEP: u64 = 32 << 20;

/// The accounts of devices, by their ordinals.
static ACCOUNTS: Mutex<BTreeMap<u32, Account>, rank::Accounts> = Mutex::new(BTreeMap::new());

#[derive(Default)]
struct Account {
    pieces: Vec<GraphPiece>,
    /// Used and reserved are the same.
    high: u64,
    last: u64,
}

/// Memory that launches use one after another.
struct GraphPiece {
    number: u64,
    bytes: u64,
    user: User,
    /// The first allocation of the exec that has it. Launches of one exec run one after another, so they share it.
    owner: Arc<AtomicBool>,
    /// The allocations in it that the launches so far leave behind, as long as these are allocated.
    left: Vec<Arc<AtomicBool>>,
}

/// The latest launch that uses a piece.
enum User {
    /// It is about to be queued.
    Coming,
    Queued {
        /// The place of its stream, which tells it from other streams as long as the launch is not through.
        stream: usize,
        is_through: IsThrough,
    },
}

/// Tells whether a launch is through.
type IsThrough = Box<dyn Fn() -> bool + Send>;

/// The piece of a launch that is about to be queued.
pub(crate) struct Taken {
    ordinal: u32,
    number: u64,
}

impl GraphPiece {
    /// Returns whether a launch on `stream` can use it: what used it before is through, or comes first on the same stream.
    fn is_free_for(&self, next: Option<usize>) -> bool {
        let is_ordered = match &self.user {
            User::Coming => false,
            User::Queued { stream, is_through } => next == Some(*stream) || is_through(),
        };
        is_ordered && self.left.iter().all(|allocated| !allocated.load(Ordering::SeqCst))
    }
}

impl Account {
    fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.bytes).sum()
    }

    /// The piece of so many bytes for the exec whose allocations are `allocated`, which `use_piece` gives its next user: the one that
    /// the exec has, else one that is free for the stream at the place `stream`, else a new one. Nothing for no bytes.
    fn piece_for(
        &mut self,
        bytes: u64,
        stream: usize,
        allocated: Vec<Arc<AtomicBool>>,
        use_piece: impl FnOnce(&mut GraphPiece),
    ) {
        let Some(owner) = allocated.first().cloned() else { return };
        let bytes = bytes.next_multiple_of(SLAB_STEP);
        let again: HashSet<*const AtomicBool> = allocated.iter().map(Arc::as_ptr).collect();
        for piece in &mut self.pieces {
            piece.left.retain(|left| left.load(Ordering::SeqCst) && !again.contains(&Arc::as_ptr(left)));
        }
        let own = self.pieces.iter().position(|piece| Arc::ptr_eq(&piece.owner, &owner));
        let free = || {
            let free = self.pieces.iter().enumerate().filter(|(_, piece)| piece.is_free_for(Some(stream)));
            // The smallest that is large enough; else the largest, which grows.
            let key = |piece: &GraphPiece| if piece.bytes < bytes { u64::MAX - piece.bytes } else { piece.bytes };
            free.min_by_key(|(_, piece)| key(piece)).map(|(at, _)| at)
        };
        let at = own.or_else(free).unwrap_or_else(|| {
            let user = User::Queued { stream, is_through: Box::new(|| true) };
            self.pieces.push(GraphPiece { number: 0, bytes, user, owner: Arc::clone(&owner), left: Vec::new() });
            self.pieces.len() - 1
        });
        if let Some(piece) = self.pieces.get_mut(at) {
            (piece.bytes, piece.owner, piece.left) = (piece.bytes.max(bytes), owner, allocated);
            use_piece(piece);
        }
        self.high = self.high.max(self.bytes());
    }
}

/// Takes a piece of so many bytes for a launch on the stream at the place `stream`, whose allocations are `allocated`. Nothing for no
/// bytes.
pub(crate) fn take<'a>(
    ordinal: u32,
    bytes: u64,
    stream: usize,
    allocated: impl Iterator<Item = &'a Arc<AtomicBool>>,
) -> Option<Taken> {
    let allocated: Vec<_> = allocated.cloned().collect();
    let mut accounts = lock(&ACCOUNTS);
    let account = accounts.entry(ordinal).or_default();
    account.last += 1;
    let number = account.last;
    let mut taken = None;
    account.piece_for(bytes, stream, allocated, |piece| {
        (piece.number, piece.user) = (number, User::Coming);
        taken = Some(Taken { ordinal, number });
    });
    taken
}

/// Counts so many bytes for the launches of an exec that is uploaded on the stream at the place `stream`, whose allocations are
/// `allocated`. The next launch can use them. Where the exec has a piece already, and be it in use, they are those.
pub(crate) fn upload<'a>(
    ordinal: u32,
    bytes: u64,
    stream: usize,
    allocated: impl Iterator<Item = &'a Arc<AtomicBool>>,
) {
    let allocated: Vec<_> = allocated.cloned().collect();
    lock(&ACCOUNTS).entry(ordinal).or_default().piece_for(bytes, stream, allocated, |_| ());
}

impl Taken {
    /// The launch is queued on the stream at the place `stream`.
    pub(crate) fn queued(self, stream: usize, is_through: IsThrough) {
        let mut accounts = lock(&ACCOUNTS);
        let mut pieces = accounts.get_mut(&self.ordinal).into_iter().flat_map(|account| &mut account.pieces);
        if let Some(piece) = pieces.find(|piece| piece.number == self.number) {
            piece.user = User::Queued { stream, is_through };
        }
    }
}

/// Returns what graphs have of a device.
pub(crate) fn of(ordinal: u32) -> GraphMemory {
    let mut accounts = lock(&ACCOUNTS);
    let account = accounts.entry(ordinal).or_default();
    let bytes = account.bytes();
    GraphMemory { used: bytes, used_high: account.high, reserved: bytes, reserved_high: account.high }
}

/// Makes the highest numbers of a device begin anew.
pub(crate) fn reset_high(ordinal: u32) {
    let mut accounts = lock(&ACCOUNTS);
    let account = accounts.entry(ordinal).or_default();
    account.high = account.bytes();
}

/// Gives the pieces back that nothing uses.
pub(crate) fn trim(ordinal: u32) {
    let mut accounts = lock(&ACCOUNTS);
    accounts.entry(ordinal).or_default().pieces.retain(|piece| !piece.is_free_for(None));
}
