//! Handles: a pointer's value is a token (kind, generation, index) that is looked up and never dereferenced.
//!
//! One table per kind. A look-up on the launch and record paths writes no reference count: the thread is pinned for the
//! time of the call. Calls that may wait for long clone, and wait unpinned.

use std::any::Any;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::atomic::{fence, AtomicBool, Ordering};
use std::sync::OnceLock;

use super::failure::{Failure, Found, Result};
use super::handle::table::{Ownership, Table};
use graphcap_base::slots::{Key, INDEX_BITS};
use graphcap_core::Context;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("a handle needs 64 bits: kind 8, generation 32, index 24");

const GENERATION_BITS: u32 = 32;
const KIND_SHIFT: u32 = INDEX_BITS + GENERATION_BITS;
#[allow(clippy::disallowed_macros, reason = "checked by the compiler")]
const _: () = assert!(KIND_SHIFT + 8 == 64);

/// Functions for handles of one kind.
struct Operations {
    poison: fn(Token),
    live: fn() -> usize,
    context: fn(Token, &'static str) -> Result<Context>,
    make_stale: fn(&Context) -> Box<dyn Any>,
}

/// The operations of each kind, by its number. A kind gets them with its first handle.
static OPERATIONS: [OnceLock<Operations>; Kind::SPAN] = [const { OnceLock::new() }; Kind::SPAN];

impl Kind {
    fn operations(self) -> Option<&'static OnceLock<Operations>> {
        OPERATIONS.get((self as usize).wrapping_sub(Kind::Context as usize))
    }
}

/// A handle as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token(u64);

impl Token {
    /// The number that the pointer is.
    #[inline]
    pub(crate) fn of<H>(handle: *const H) -> Self {
        Token(handle.addr() as u64)
    }

    fn new(kind: Kind, key: Key) -> Self {
        Token((kind as u64) << KIND_SHIFT | u64::from(key.generation) << INDEX_BITS | u64::from(key.index))
    }

    #[inline]
    fn is_of(self, kind: Kind) -> bool {
        self.0 >> KIND_SHIFT == kind as u64
    }

    #[inline]
    fn key(self) -> Key {
        Key { index: self.0 as u32 & ((1 << INDEX_BITS) - 1), generation: (self.0 >> INDEX_BITS) as u32 }
    }

    /// The handle that the number is.
    pub(crate) fn pointer<H>(self) -> *mut H {
        ptr::without_provenance_mut(self.0 as usize)
    }

    /// The kind that the number says; there may be no such object.
    pub(crate) fn kind(self) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|&kind| self.is_of(kind))
    }
}

/// Entry of a handle table: the object, and if a call on it panicked.
pub(crate) struct TableEntry<T> {
    object: T,
    poisoned: AtomicBool,
}

impl<T> TableEntry<T> {
    fn new(object: T) -> Self {
        TableEntry { object, poisoned: AtomicBool::new(false) }
    }
}

/// A C handle type: which object it stands for, and where the objects of its kind are.
pub(crate) trait Handle: Sized + 'static {
    type Object: Clone + Send + Sync + 'static;
    const KIND: Kind;
    /// Tells when the object ends whose handle is destroyed.
    const ENDS: fn(&Self::Object) -> ObjectEnd = |_| ObjectEnd::Later;
    /// The context that the object is of; `None` for what no reset concerns.
    fn context(object: &Self::Object) -> Option<&Context>;
    fn table() -> &'static Table<TableEntry<Self::Object>>;
}

/// Ties a C handle type to its object, its kind, what tells the object's context, and a table of its own.
macro_rules! handle {
    ($handle:ty, $object:ty, $kind:ident, $context:expr $(, $ends:expr)?) => {
        impl $crate::ffi::boundary::handle::Handle for $handle {
            type Object = $object;
            const KIND: $crate::ffi::boundary::handle::Kind = $crate::ffi::boundary::handle::Kind::$kind;
            $(const ENDS: fn(&$object) -> $crate::ffi::boundary::handle::ObjectEnd = $ends;)?
            fn context(object: &$object) -> Option<&Context> {
                Some($context(object))
            }
            #[inline]
            fn table() -> &'static $crate::ffi::boundary::handle::table::Table<$crate::ffi::boundary::handle::TableEntry<$object>> {
                static TABLE: $crate::ffi::boundary::handle::table::Table<$crate::ffi::boundary::handle::TableEntry<$object>> =
                    $crate::ffi::boundary::handle::table::Table::new();
                &TABLE
            }
        }
    };
}
pub(crate) use handle;

/// Enters `object` and gives its handle.
#[inline]
pub(crate) fn insert<H: Handle>(object: H::Object) -> Result<*mut H> {
    Ok(reserve::<H>()?.enter(object))
}

/// A handle for an object that is not made yet, so that a full table cannot be found after that. Dropping it gives the number
/// back.
pub(crate) struct Reserved<H: Handle> {
    key: Key,
    kind: PhantomData<H>,
}

/// Reserves a handle, for a call that changes something besides making the object.
pub(crate) fn reserve<H: Handle>() -> Result<Reserved<H>> {
    if let Some(operations) = H::KIND.operations() {
        operations.get_or_init(|| Operations {
            poison: mark::<H>,
            live: || H::table().live(),
            context: context_of::<H>,
            make_stale: make_stale::<H>,
        });
    }
    let key = H::table().reserve().ok_or(Failure::TableFull(H::KIND))?;
    Ok(Reserved { key, kind: PhantomData })
}

impl<H: Handle> Reserved<H> {
    /// Enters `object` and gives its handle.
    pub(crate) fn enter(self, object: H::Object) -> *mut H {
        self.enter_as(object, Ownership::Caller)
    }

    fn enter_as(self, object: H::Object, ownership: Ownership) -> *mut H {
        let key = ManuallyDrop::new(self).key;
        H::table().fill(key, TableEntry::new(object), ownership);
        entered::<H>(key);
        Token::new(H::KIND, key).pointer()
    }
}

impl<H: Handle> Drop for Reserved<H> {
    fn drop(&mut self) {
        H::table().give_back(self.key);
    }
}

/// The object of `handle`, which C passed as `argument`, for a call that does not wait. It stays alive even when its
/// handle is destroyed.
#[inline(always)]
pub(crate) fn borrow<'p, H: Handle>(
    handle: *const H,
    argument: &'static str,
    pinned: &'p Pinned,
) -> Result<&'p H::Object> {
    match find(handle, pinned) {
        Some(object) => Ok(object),
        None => Err(refusal::<H>(Token::of(handle), argument)),
    }
}

/// As [`borrow`], for a caller that asks again to be told why there is none.
#[inline(always)]
pub(crate) fn find<H: Handle>(handle: *const H, pinned: &Pinned) -> Option<&H::Object> {
    let token = Token::of(handle);
    if !token.is_of(H::KIND) {
        return None;
    }
    let held = H::table().get(token.key(), pinned)?;
    (!held.poisoned.load(Ordering::Relaxed)).then_some(&held.object)
}

/// A clone of the object of `handle`, for a call that may wait.
pub(crate) fn clone<H: Handle>(handle: *const H, argument: &'static str) -> Result<H::Object> {
    borrow(handle, argument, &pin()).cloned()
}

/// As [`clone`], where NULL stands for no object.
pub(crate) fn optional<H: Handle>(handle: *const H, argument: &'static str) -> Result<Option<H::Object>> {
    (!handle.is_null()).then(|| clone(handle, argument)).transpose()
}

/// The context of the object of a handle of whichever kind, which C passed as `argument`.
pub(crate) fn context(token: Token, argument: &'static str) -> Result<Context> {
    let kind = token.kind();
    let Some(kind) = kind.filter(|_| token.0 != 0) else {
        let (is_null, known) = (token.0 == 0, "a handle that graphcap made");
        return Err(Failure::OtherKind { argument, is_null, kind, lacks: "context", known });
    };
    match kind.operations().and_then(OnceLock::get) {
        Some(operations) => (operations.context)(token, argument),
        None => Err(Failure::Handle { argument, expected: kind, found: Found::Dead }),
    }
}

fn context_of<H: Handle>(token: Token, argument: &'static str) -> Result<Context> {
    let pinned = pin();
    let object = borrow(token.pointer::<H>(), argument, &pinned)?;
    let known = "a handle of an object of a context";
    let none = || Failure::OtherKind { argument, is_null: false, kind: Some(H::KIND), lacks: "context", known };
    H::context(object).cloned().ok_or_else(none)
}

/// Marks the object behind a handle as one that met a panic. Dead handles and garbage have no effect.
#[cold]
pub(crate) fn poison(token: Token) {
    if let Some(operations) = token.kind().and_then(Kind::operations).and_then(OnceLock::get) {
        (operations.poison)(token);
    }
}

fn mark<H: Handle>(token: Token) {
    if let Some(held) = H::table().get(token.key(), &pin()) {
        held.poisoned.store(true, Ordering::Relaxed);
    }
}

/// After an object was entered: a reset may have looked through the table before that.
#[inline]
fn entered<H: Handle>(key: Key) {
    // Either the reset sees the object, or the generation is seen to be over here.
    fence(Ordering::SeqCst);
    let is_stale = |held: &TableEntry<H::Object>| H::context(&held.object).is_some_and(Context::is_stale);
    let is_late = H::table().get(key, &pin()).is_some_and(is_stale);
    if is_late {
        drop(take_out::<H>(key));
    }
}

fn of_context<H: Handle>(context: &Context) -> Vec<Key> {
    H::table().keys(|held| is_of::<H>(context, &held.object))
}

fn is_of<H: Handle>(context: &Context, object: &H::Object) -> bool {
    H::context(object).is_some_and(|other| other.is(context))
}

/// Takes out the objects of a context that is over.
fn make_stale<H: Handle>(context: &Context) -> Box<dyn Any> {
    make_stale_if::<H>(context, |_| true)
}

/// Takes out those for which `is_meant` holds.
fn make_stale_if<H: Handle>(context: &Context, is_meant: fn(&H::Object) -> bool) -> Box<dyn Any> {
    let is_meant = |held: &TableEntry<H::Object>| is_of::<H>(context, &held.object) && is_meant(&held.object);
    Box::new(H::table().keys(is_meant).into_iter().filter_map(take_out::<H>).collect::<Vec<_>>())
}

fn take_out<H: Handle>(key: Key) -> Option<table::Taken<TableEntry<H::Object>>> {
    H::table().make_stale(key, |held| (H::ENDS)(&held.object))
}

/// Returns whether `is_meant` holds for an object of a kind whose handle is not destroyed.
pub(crate) fn any<H: Handle>(is_meant: impl Fn(&H::Object) -> bool) -> bool {
    !H::table().keys(|held| is_meant(&held.object)).is_empty()
}

/// Clones of the objects of a kind for which `is_meant` holds and whose handles are not destroyed.
pub(crate) fn all<H: Handle>(is_meant: impl Fn(&H::Object) -> bool) -> Vec<H::Object> {
    let pinned = pin();
    let keys = H::table().keys(|held| !held.poisoned.load(Ordering::Relaxed) && is_meant(&held.object));
    keys.into_iter().filter_map(|key| Some(H::table().get(key, &pinned)?.object.clone())).collect()
}

/// Returns how many handles of all kinds are not yet destroyed, without those lent to callbacks.
pub(crate) fn live() -> u64 {
    OPERATIONS.iter().filter_map(OnceLock::get).map(|operations| (operations.live)() as u64).sum()
}

/// Returns why a look-up found nothing.
#[cold]
#[inline(never)]
fn refusal<H: Handle>(token: Token, argument: &'static str) -> Failure {
    let found = match token.kind() {
        _ if token.0 == 0 => Found::Null,
        // A binding that declares handles as 32-bit integers loses the upper half, or extends the sign of the lower one.
        None if token.0 <= u32::MAX.into() || i32::try_from(token.0.cast_signed()).is_ok() => Found::Half,
        None => Found::Garbage,
        Some(kind) if kind != H::KIND => Found::Other(kind),
        // The object may have been destroyed between the look-up and here; then it is dead, as it should be.
        Some(kind) => match H::table().get(token.key(), &pin()) {
            Some(_poisoned) => return Failure::Poisoned { argument, kind },
            None if H::table().is_stale(token.key()) => return Failure::Stale { argument, kind },
            None => Found::Dead,
        },
    };
    Failure::Handle { argument, expected: H::KIND, found }
}

pub(crate) use crossbeam_epoch::Guard as Pinned;
pub(crate) use destroy::{destroy, lend};
pub(crate) use kind::Kind;
pub(crate) use reset::reset;
pub(crate) use table::{drain, finish_removed, forget_threads, is_pinned, pin, ObjectEnd};

mod destroy;
mod kind;
mod reset;
pub(crate) mod table;

#[cfg(test)]
mod tests;
