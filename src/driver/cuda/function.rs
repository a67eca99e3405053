//! Functions of the caller's that the driver calls: host functions, and what is dropped when the driver says so.
//!
//! The driver calls them on threads of its own, where none of its functions may be called. What would have to is
//! handed to another thread.

use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use super::api::{Api, Graph, Handle, Refusal, Stream, UserObject};
use super::garbage;
use crate::driver::{callbacks, HostFunction, Retained};

thread_local! {
    static ON_DRIVER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Whether this is a thread of the driver's, on which its functions may not be called.
#[inline]
pub(super) fn on_driver_thread() -> bool {
    ON_DRIVER_THREAD.get()
}

/// Runs code that is not ours on a thread of the driver's. Nothing may unwind into the driver.
fn run_for_driver(run: impl FnOnce()) {
    let _inside = callbacks::enter_work();
    let before = ON_DRIVER_THREAD.replace(true);
    // A panic was reported by the panic hook already.
    if let Err(payload) = catch_unwind(AssertUnwindSafe(run)) {
        std::mem::forget(payload);
    }
    ON_DRIVER_THREAD.set(before);
}

/// A host function on its way through the driver.
pub(super) struct HostCall {
    function: HostFunction,
    /// Whether a graph holds it and the driver calls it once per replay; else it is called once.
    recorded: AtomicBool,
}

impl HostCall {
    /// Submits `function` to a stream that records into `graph`, or executes when that is `None`.
    ///
    /// # Safety
    /// `stream` is a live stream, in the capture that `graph` is of, if any.
    pub(super) unsafe fn submit(
        api: &Api,
        stream: Stream,
        graph: Option<Graph>,
        function: HostFunction,
    ) -> Result<Arc<HostCall>, Refusal> {
        let call = Arc::new(HostCall { function, recorded: AtomicBool::new(graph.is_some()) });
        let data = Arc::as_ptr(&call).cast_mut().cast();
        let Some(graph) = graph else {
            let given = Arc::into_raw(Arc::clone(&call));
            // SAFETY: the stream lives; the data is a HostCall that `run` lets go of when it was called.
            if let Err(refusal) = unsafe { api.cuLaunchHostFunc(stream, HostCall::run, data) } {
                // SAFETY: the driver refused, so nobody else has the reference that was given away above.
                drop(unsafe { Arc::from_raw(given) });
                return Err(refusal);
            }
            return Ok(call);
        };
        // SAFETY: the graph lives while it is captured into.
        let held = unsafe { Held::Call(Arc::clone(&call)).attach(api, graph) }?;
        // SAFETY: the stream lives; the data lives as long as the graph and its execs, which hold it.
        if let Err(refusal) = unsafe { api.cuLaunchHostFunc(stream, HostCall::run, data) } {
            // SAFETY: the graph lives, and holds the object once.
            let _ = unsafe { api.cuGraphReleaseUserObject(graph, held, 1) };
            return Err(refusal);
        }
        Ok(call)
    }

    /// Others took the stream into or out of a capture while the function was submitted, so that nobody knows how often
    /// it will be called: it is never let go.
    pub(super) fn keep_for_ever(self: Arc<Self>) {
        self.recorded.store(true, Ordering::Release);
        std::mem::forget(self);
    }

    unsafe extern "C" fn run(data: *mut c_void) {
        let call: *const HostCall = data.cast();
        run_for_driver(|| {
            // SAFETY: the data is a HostCall: of a graph that lives while a replay runs, or the one reference given away.
            let recorded = unsafe {
                ((*call).function)();
                (*call).recorded.load(Ordering::Acquire)
            };
            if !recorded {
                // SAFETY: not recorded, so it is called once, and this is the reference that was given away for it.
                drop(unsafe { Arc::from_raw(call) });
            }
        });
    }
}

/// What the driver holds for a graph and the execs made from it, until they and their launches are gone.
pub(super) enum Held {
    /// What core keeps for the nodes.
    List(Retained),
    /// A host function that a node calls.
    Call(#[expect(dead_code, reason = "held for its drop alone")] Arc<HostCall>),
}

impl Held {
    /// Has `graph` hold it. It is let go at once when this fails.
    ///
    /// # Safety
    /// `graph` is a live graph, which no other thread uses.
    pub(super) unsafe fn attach(self, api: &Api, graph: Graph) -> Result<UserObject, Refusal> {
        unsafe extern "C" fn let_go(data: *mut c_void) {
            // SAFETY: the data is the box that the driver was given, and it calls this once.
            let held = *unsafe { Box::from_raw(data.cast::<Held>()) };
            run_for_driver(|| match held {
                Held::List(list) => garbage::put(list),
                call @ Held::Call(_) => callbacks::run(Box::new(move || drop(call))),
            });
        }
        const NO_DESTRUCTOR_SYNC: u32 = 1;
        const MOVE: u32 = 1;
        let data = Box::into_raw(Box::new(self));
        let mut object = Handle::NULL;
        // SAFETY: `object` is writable; `let_go` takes the data back on whichever thread.
        let made = unsafe { api.cuUserObjectCreate(&mut object, data.cast(), let_go, 1, NO_DESTRUCTOR_SYNC) };
        if let Err(refusal) = made {
            // SAFETY: the driver refused, so the box is still ours.
            let held = unsafe { Box::from_raw(data) };
            // Not here, where the graph's lock is held.
            callbacks::run(Box::new(move || drop(held)));
            return Err(refusal);
        }
        // SAFETY: the caller promises the graph; the object has the one reference that is moved.
        unsafe { api.cuGraphRetainUserObject(graph, object, 1, MOVE) }.inspect_err(|_| {
            // SAFETY: the reference was not moved.
            let _ = unsafe { api.cuUserObjectRelease(object, 1) };
        })?;
        Ok(object)
    }
}
