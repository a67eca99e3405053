//! Functions of the caller's that the driver calls: host functions.
//!
//! The driver calls them on threads of its own, where none of its functions may be called. What would have to is
//! handed to another thread.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use super::api::{Api, Graph, HostNode, Refusal, Stream, UserObject};
use super::capture_state::Capture;
use super::lock;
use super::retention::Held;
use crate::driver::{callbacks, CaptureStatus, HostFunction};

thread_local! {
    static ON_DRIVER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Whether this is a thread of the driver's, on which its functions may not be called.
#[inline]
pub(super) fn on_driver_thread() -> bool {
    ON_DRIVER_THREAD.get()
}

/// Runs code that is not ours on a thread of the driver's. Nothing may unwind into the driver.
pub(super) fn run_for_driver(run: impl FnOnce()) {
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
    /// By which the graph holds it that it is a node of, and with that graph its copies.
    object: OnceLock<UserObject>,
}

/// The host functions that graphs may call, by the address that the driver passes.
static RECORDED: Mutex<BTreeMap<usize, Weak<HostCall>>> = Mutex::new(BTreeMap::new());

impl Drop for HostCall {
    fn drop(&mut self) {
        if self.recorded.load(Ordering::Acquire) {
            lock(&RECORDED).remove(&std::ptr::from_ref(self).addr());
        }
    }
}

impl HostCall {
    /// What a node calls; `None` for a function of others. Nothing that the node points to is followed.
    pub(super) fn find(node: &HostNode) -> Option<Arc<HostCall>> {
        lock(&RECORDED).get(&node.data.addr())?.upgrade()
    }

    pub(super) fn function(&self) -> &HostFunction {
        &self.function
    }

    /// One that nodes call, and that can be found by them.
    pub(super) fn recorded(function: HostFunction) -> Arc<HostCall> {
        let call = HostCall::new(function, true);
        lock(&RECORDED).insert(Arc::as_ptr(&call).addr(), Arc::downgrade(&call));
        call
    }

    fn new(function: HostFunction, is_recorded: bool) -> Arc<HostCall> {
        Arc::new(HostCall { function, recorded: AtomicBool::new(is_recorded), object: OnceLock::new() })
    }

    /// What the driver is told of a node that calls it.
    pub(super) fn node(self: &Arc<Self>) -> HostNode {
        HostNode { function: Some(HostCall::run), data: Arc::as_ptr(self).cast_mut().cast() }
    }

    /// Has `graph` hold it, for a node of that graph. Once.
    ///
    /// # Safety
    /// `graph` is a live graph, which no other thread uses.
    pub(super) unsafe fn attach(self: &Arc<Self>, api: &Api, graph: Graph) -> Result<(), Refusal> {
        // SAFETY: passed on to the caller.
        let object = unsafe { Held::Call(Arc::clone(self)).attach(api, graph) }?;
        self.object.get_or_init(|| object);
        Ok(())
    }

    /// Has `graph` let go of it, whose one node that called it is gone. A refusal leaves it there, for as long as the graph lives.
    ///
    /// # Safety
    /// `graph` is a live graph, which no other thread uses: the one that it was attached to, or a copy of that. It had a node
    /// that called it until now, and nobody but graphcap changes the graph.
    pub(super) unsafe fn detach(&self, api: &Api, graph: Graph) {
        if let Some(&object) = self.object.get() {
            // SAFETY: passed on to the caller: the graph holds the object once.
            let _ = unsafe { api.cuGraphReleaseUserObject(graph, object, 1) };
        }
    }

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
        let Some(graph) = graph else {
            let call = HostCall::new(function, false);
            let given = Arc::into_raw(Arc::clone(&call));
            // SAFETY: the stream lives; the data is a HostCall that `run` lets go of when it was called.
            if let Err(refusal) = unsafe { api.cuLaunchHostFunc(stream, HostCall::run, given.cast_mut().cast()) } {
                // SAFETY: the driver refused, so nobody else has the reference that was given away above.
                drop(unsafe { Arc::from_raw(given) });
                return Err(refusal);
            }
            return Ok(call);
        };
        let call = HostCall::recorded(function);
        // SAFETY: the graph lives while it is captured into.
        unsafe { call.attach(api, graph) }?;
        // SAFETY: the stream lives; the data lives as long as the graph and its execs, which hold it.
        if let Err(refusal) = unsafe { api.cuLaunchHostFunc(stream, HostCall::run, call.node().data) } {
            // SAFETY: the graph lives, and has no node that calls it.
            unsafe { call.detach(api, graph) };
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
        // SAFETY: the data is a HostCall: of a graph that lives while a replay runs, or the one reference given away.
        run_for_driver(|| unsafe { ((*call).function)() });
        // Apart, since a function that panics is let go as well.
        run_for_driver(|| {
            // SAFETY: as above.
            if !unsafe { (*call).recorded.load(Ordering::Acquire) } {
                // SAFETY: not recorded, so it is called once, and this is the reference that was given away for it.
                drop(unsafe { Arc::from_raw(call) });
            }
        });
    }
}

/// Whether what was submitted to a stream while it was in the capture `before`, and then in `after`, went into the former, or
/// was executed where there was none. The driver does not tell the number of one that was broken meanwhile; that it is
/// another one takes `others` who use the stream.
pub(super) fn went_into(before: Option<&Capture>, after: Option<&Capture>, others: bool) -> bool {
    match (before, after) {
        (Some(_), Some(after)) if after.status == CaptureStatus::Invalidated && !others => true,
        _ => before.map(|capture| capture.id) == after.map(|capture| capture.id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::cuda::api::Handle;

    #[test]
    fn a_function_that_panics_is_let_go_as_others_are() {
        let token = Arc::new(());
        for (recorded, left) in [(false, 0), (true, 1)] {
            let held = Arc::clone(&token);
            let function: HostFunction = Arc::new(move || {
                let _held = &held;
                std::panic::resume_unwind(Box::new("test"));
            });
            let call = HostCall::new(function, recorded);
            let given = Arc::into_raw(call);
            // SAFETY: the data is a HostCall with the one reference that was given away.
            unsafe { HostCall::run(given.cast_mut().cast()) };
            assert_eq!(Arc::strong_count(&token) - 1, left);
            if recorded {
                // SAFETY: the graph's reference, which a recorded call leaves alone.
                drop(unsafe { Arc::from_raw(given) });
            }
        }
    }

    #[test]
    fn a_capture_that_was_broken_meanwhile_is_the_same() {
        let active = |id| Capture { status: CaptureStatus::Active, id, graph: Handle::NULL };
        let broken = Capture { status: CaptureStatus::Invalidated, id: 0, graph: Handle::NULL };
        assert!(went_into(Some(&active(1)), Some(&active(1)), true) && went_into(None, None, true));
        assert!(!went_into(Some(&active(1)), Some(&active(2)), false) && !went_into(Some(&active(1)), None, false));
        assert!(!went_into(None, Some(&active(1)), false) && !went_into(None, Some(&broken), false));
        assert!(went_into(Some(&active(1)), Some(&broken), false), "nobody else began another one");
        assert!(!went_into(Some(&active(1)), Some(&broken), true));
    }
}
