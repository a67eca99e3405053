//! Deferred release: objects that are given back later than their last handle goes.
//!
//! `memory/held.rs` gives a thing back when the work that uses it is complete. This file has what then has to wait for more:
//!
//! - Objects whose release waits for all work of the device, and has whoever calls the driver meanwhile wait too. They are released
//!   *on request*: when somebody waits for all work anyway, in whatever context on the device, or when the primary context ends.
//! - Lists that graphs and execs kept, which may not be dropped where they were let go of: on threads of the driver's, or under a lock.
//!   A call that destroys a graph or an exec drops its lists itself at the end: its thread used these objects last, so it is cheap
//!   there; on another core it would slow down the next recording as well. Other lists are dropped by the next call that makes or
//!   destroys something, or a moment later by a thread.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{c_int, c_uint};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use super::api::answers::is_fault;
use super::api::current::relax;
use super::api::device::PrimaryContext;
use super::api::Api;
use super::code::module::Module;
use super::library;
use super::math::fft;
use super::math::state::{destroy_generator, destroy_plan};
use super::memory::blocking::{BlockingMemory, Class, Use};
use super::streams::history::Names;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::slots::Entry;
use graphcap_driver::{callbacks, Address, Retained};

/// An object that is released on request.
pub(super) enum OnRequest {
    /// With the names of its kernels, as long as their context is there.
    Module(Arc<Entry<Module>>, Weak<Names>),
    /// Of a library's, which no work needs any more.
    Plan(fft::Plan),
    /// As above, or given out again.
    Generator(library::LibraryHandle),
    /// Taken by an allocation of its class when its use has ended.
    Memory(BlockingMemory, Arc<Use>),
}

/// Objects by their primary contexts, the oldest first; memory by its classes as well.
type Objects = BTreeMap<(PrimaryContext, Option<Class>), VecDeque<OnRequest>>;

/// Objects that are released later than they were let go of.
struct DeferredRelease {
    /// The objects that are released on request.
    on_request: Mutex<Objects, rank::OnRequest>,
    to_drop: Mutex<ToDrop, rank::ToDrop>,
    /// Tells whether there are lists to drop, to look without locking.
    has_to_drop: AtomicBool,
}

/// Lists that are to be dropped, and whether a thread is about to.
struct ToDrop {
    lists: Vec<Retained>,
    is_scheduled: bool,
}

static DEFERRED: DeferredRelease = DeferredRelease {
    on_request: Mutex::new(BTreeMap::new()),
    to_drop: Mutex::new(ToDrop { lists: Vec::new(), is_scheduled: false }),
    has_to_drop: AtomicBool::new(false),
};

/// Number of objects of a class that an allocation looks at, the oldest first.
const CLASS_LOOKS: usize = 4;

impl OnRequest {
    /// Releases the object by the driver of `api`; without one, forgets what went with its primary context.
    fn release(self, api: Option<&Api>) {
        match self {
            OnRequest::Module(module, names) => {
                let names = names.upgrade();
                for (id, _) in lock(&module.kernels).drain().map(|(_, kernel)| kernel) {
                    names.iter().for_each(|names| names.forget_kernel(id));
                }
                if let Some(api) = api {
                    // SAFETY: the module lives, as its context does, and nothing uses it.
                    let _ = unsafe { api.cuModuleUnload(module.native) };
                }
            }
            OnRequest::Plan(plan) => drop(api.map(|_| destroy_plan(plan))),
            OnRequest::Generator(generator) => drop(api.map(|_| destroy_generator(generator))),
            OnRequest::Memory(memory, _) => drop(memory.release(api)),
        }
    }
}

/// Takes over an object of a primary context that core, all graphs and all handles let go of.
pub(super) fn on_request(primary: PrimaryContext, object: OnRequest) {
    let class = match &object {
        OnRequest::Memory(memory, _) => Some(memory.unused_class()),
        _ => None,
    };
    lock(&DEFERRED.on_request).entry((primary, class)).or_default().push_back(object);
}

/// Memory of a class that was let go of, and that no work uses any more. [`BlockingMemory::make_as_allocated`] is to follow.
pub(super) fn take_memory(primary: PrimaryContext, class: Class) -> Option<BlockingMemory> {
    let mut on_request = lock(&DEFERRED.on_request);
    class.alike().find_map(|class| {
        let of_class = on_request.get_mut(&(primary, Some(class)))?;
        let is_over = |object: &OnRequest| matches!(object, OnRequest::Memory(_, use_of) if use_of.is_over());
        let found = of_class.iter().take(CLASS_LOOKS).position(is_over)?;
        let taken = of_class.remove(found);
        if of_class.is_empty() {
            on_request.remove(&(primary, Some(class)));
        }
        let Some(OnRequest::Memory(memory, _)) = taken else { return None };
        Some(memory)
    })
}

/// A generator that was let go of.
pub(super) fn take_generator(primary: PrimaryContext) -> Option<library::LibraryHandle> {
    let mut on_request = lock(&DEFERRED.on_request);
    let objects = on_request.get_mut(&(primary, None))?;
    let found = objects.iter().position(|object| matches!(object, OnRequest::Generator(_)))?;
    let Some(OnRequest::Generator(generator)) = objects.remove(found) else { return None };
    Some(generator)
}

/// Returns whether memory of the caller's that a device let go of, and that is pinned still, shares a byte with this range.
pub(super) fn has_registered(ordinal: c_int, address: Address, bytes: usize) -> bool {
    let shares =
        |object: &OnRequest| matches!(object, OnRequest::Memory(memory, _) if memory.is_registered_in(address, bytes));
    let on_request = lock(&DEFERRED.on_request);
    on_request.iter().filter(|((of, _), _)| of.ordinal == ordinal).flat_map(|(_, objects)| objects).any(shares)
}

/// Releases all that waits for a request on a primary context, of ended contexts too. It must be current. May wait for all work
/// of the device.
pub(super) fn release_all(api: &Api, primary: PrimaryContext) {
    let _relaxed = relax(api);
    for (of, object) in take_all(primary.ordinal) {
        // What an earlier primary context of the device had went with it.
        object.release((of == primary).then_some(api));
    }
}

/// As [`release_all`], for the objects of libraries alone, in the relaxed mode.
pub(super) fn release_library_objects(api: &Api, primary: PrimaryContext) {
    let mut objects = VecDeque::new();
    if let Some(all) = lock(&DEFERRED.on_request).get_mut(&(primary, None)) {
        (objects, *all) = std::mem::take(all).into_iter().partition(|object| !matches!(object, OnRequest::Module(..)));
    }
    objects.into_iter().for_each(|object| object.release(Some(api)));
}

fn take_all(ordinal: c_int) -> Vec<(PrimaryContext, OnRequest)> {
    let mut taken = Vec::new();
    lock(&DEFERRED.on_request).retain(|&(of, _), objects| {
        let is_kept = of.ordinal != ordinal;
        if !is_kept {
            taken.extend(objects.drain(..).map(|object| (of, object)));
        }
        is_kept
    });
    taken
}

/// Forgets what a device had whose primary context is gone, and it with that, or beyond use after a fault.
pub(super) fn forget_gone(api: &Api, ordinal: c_int) {
    let (mut flags, mut is_active): (c_uint, c_int) = (0, 0);
    // SAFETY: both are writable.
    let asked = unsafe { api.cuDevicePrimaryCtxGetState(ordinal, &mut flags, &mut is_active) };
    let is_gone = match asked {
        Ok(()) => is_active == 0,
        Err(refusal) => is_fault(refusal.status),
    };
    if is_gone {
        take_all(ordinal).into_iter().for_each(|(_, object)| object.release(None));
    }
}

/// Time that a list may wait for when no call comes.
const DROP_DELAY: Duration = Duration::from_millis(2);

/// Takes a list that is to be dropped from callers that cannot do it: threads of the driver's, and calls that failed.
pub(super) fn drop_later(list: Retained) {
    let mut to_drop = lock(&DEFERRED.to_drop);
    to_drop.lists.push(list);
    DEFERRED.has_to_drop.store(true, Ordering::SeqCst);
    if !std::mem::replace(&mut to_drop.is_scheduled, true) {
        drop(to_drop);
        callbacks::run(Box::new(|| {
            std::thread::sleep(DROP_DELAY);
            lock(&DEFERRED.to_drop).is_scheduled = false;
            drop_taken();
        }));
    }
}

/// Drops lists, and what others left, for a caller that holds no lock.
pub(super) fn drop_now(lists: impl IntoIterator<Item = Retained>) {
    lists.into_iter().for_each(drop_list);
    drop_left();
}

/// Drops what others left.
#[inline]
pub(super) fn drop_left() {
    if DEFERRED.has_to_drop.load(Ordering::Relaxed) {
        drop_taken();
    }
}

fn drop_taken() {
    let lists = {
        let mut to_drop = lock(&DEFERRED.to_drop);
        DEFERRED.has_to_drop.store(false, Ordering::SeqCst);
        std::mem::take(&mut to_drop.lists)
    };
    lists.into_iter().for_each(drop_list);
}

/// A list that would run code of the caller's is left to a thread where that may block.
fn drop_list(list: Retained) {
    if list.calls_out() {
        callbacks::run(Box::new(move || drop(list)));
    }
}
