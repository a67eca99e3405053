//! Functions of the caller's that the driver calls: host functions.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use smallvec::SmallVec;

use crate::api::driver_thread::run_for_driver;
use crate::api::{Api, Callback, DriverError, GraphHandle, HostNode, UserObject};
use crate::captures::capture_state::Capture;
use crate::captures::gate;
use crate::retention::UserData;
use graphcap_base::error::{Error, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{CaptureStatus, HostFunction};

/// Host functions that the nodes of a graph call.
pub(crate) type HostCalls = SmallVec<[Arc<HostCall>; 1]>;

/// A host function on its way through the driver.
pub(crate) struct HostCall {
    function: HostFunction,
    /// List in which it tells that it failed.
    failures: Arc<Failures>,
    /// Tells whether a graph holds it and the driver calls it once per replay; else it is called once.
    recorded: AtomicBool,
    /// By which the graph holds it that it is a node of, and with that graph its copies.
    object: OnceLock<UserObject>,
}

/// Failures of the host functions of a context, until a wait of the context tells the caller.
#[derive(Default)]
pub(crate) struct Failures {
    any: AtomicBool,
    first: Mutex<Option<Error>, rank::FailedFunctions>,
}

impl Failures {
    fn add(&self, reason: &str) {
        let meaning = "what comes after it has run all the same";
        let error = Error::new(Status::CALLBACK, format!("a host function failed: {reason}; {meaning}"));
        lock(&self.first).get_or_insert(error);
        self.any.store(true, Ordering::Release);
    }

    /// Ends a wait of the context.
    ///
    /// # Errors
    /// `CALLBACK`, once, where a host function has failed that no other wait has told of.
    #[inline]
    pub(crate) fn tell(&self) -> graphcap_base::error::Result<()> {
        match self.any.load(Ordering::Acquire) {
            false => Ok(()),
            true => self.tell_first(),
        }
    }

    #[cold]
    fn tell_first(&self) -> graphcap_base::error::Result<()> {
        let mut first = lock(&self.first);
        self.any.store(false, Ordering::Relaxed);
        first.take().map_or(Ok(()), Err)
    }
}

/// The host functions that graphs may call, by the address that the driver passes.
static RECORDED: Mutex<BTreeMap<usize, Weak<HostCall>>, rank::RecordedCalls> = Mutex::new(BTreeMap::new());

impl Drop for HostCall {
    fn drop(&mut self) {
        if self.recorded.load(Ordering::Acquire) {
            lock(&RECORDED).remove(&std::ptr::from_ref(self).addr());
        }
    }
}

impl HostCall {
    /// Returns what a node calls; `None` for a function of others. Nothing that the node points to is followed.
    pub(crate) fn find(node: &HostNode) -> Option<Arc<HostCall>> {
        lock(&RECORDED).get(&node.data.addr())?.upgrade()
    }

    pub(crate) fn function(&self) -> &HostFunction {
        &self.function
    }

    /// One that nodes call, and that can be found by them.
    pub(crate) fn recorded(function: HostFunction, failures: &Arc<Failures>) -> Arc<HostCall> {
        let call = HostCall::new(function, failures, true);
        lock(&RECORDED).insert(Arc::as_ptr(&call).addr(), Arc::downgrade(&call));
        call
    }

    /// A second handle of it, for another node.
    pub(crate) fn again(&self) -> Arc<HostCall> {
        HostCall::recorded(Arc::clone(&self.function), &self.failures)
    }

    fn new(function: HostFunction, failures: &Arc<Failures>, is_recorded: bool) -> Arc<HostCall> {
        let failures = Arc::clone(failures);
        Arc::new(HostCall { function, failures, recorded: AtomicBool::new(is_recorded), object: OnceLock::new() })
    }

    /// Returns what the driver is told of a node that calls it.
    pub(crate) fn node(self: &Arc<Self>) -> HostNode {
        HostNode { function: Some(HostCall::run), data: Arc::as_ptr(self).cast_mut().cast() }
    }

    /// Makes `graph` hold it, for a node of that graph. Once.
    ///
    /// # Safety
    /// `graph` is a live graph, which no other thread uses.
    pub(crate) unsafe fn attach(self: &Arc<Self>, api: &Api, graph: GraphHandle) -> Result<(), DriverError> {
        // SAFETY: passed on to the caller.
        let object = unsafe { UserData::Call(self.clone()).attach(api, graph) }?;
        self.object.get_or_init(|| object);
        Ok(())
    }

    /// Makes `graph` let go of it, whose one node that called it is gone. A refusal leaves it there, for as long as the graph lives.
    ///
    /// # Safety
    /// `graph` is a live graph, which no other thread uses: the one that it was attached to, or a copy of that. It had a node
    /// that called it until now, and nobody but graphcap changes the graph.
    pub(crate) unsafe fn detach(&self, api: &Api, graph: GraphHandle) {
        if let Some(&object) = self.object.get() {
            // SAFETY: passed on to the caller: the graph holds the object once.
            let _ = unsafe { api.cuGraphReleaseUserObject(graph, object, 1) };
        }
    }

    /// Submits `function` by `launch`, cuLaunchHostFunc on a stream that records into `graph`, or executes when that is `None`.
    ///
    /// # Safety
    /// The stream is in the capture that `graph` is of, if any.
    pub(crate) unsafe fn submit(
        api: &Api,
        launch: impl FnOnce(Callback, *mut c_void) -> Result<(), DriverError>,
        graph: Option<GraphHandle>,
        function: HostFunction,
        failures: &Arc<Failures>,
    ) -> Result<Arc<HostCall>, DriverError> {
        let Some(graph) = graph else {
            let call = HostCall::new(function, failures, false);
            let given = Arc::into_raw(Arc::clone(&call));
            // The data is a HostCall that `run` lets go of when it was called.
            if let Err(refusal) = launch(HostCall::run, given.cast_mut().cast()) {
                // SAFETY: the driver refused, so nobody else has the reference that was given away above.
                drop(unsafe { Arc::from_raw(given) });
                return Err(refusal);
            }
            return Ok(call);
        };
        let call = HostCall::recorded(function, failures);
        // SAFETY: the graph lives while it is captured into.
        let attach = || unsafe { call.attach(api, graph) };
        // Other streams of the capture may record on other threads.
        apart(attach)?;
        // The data lives as long as the graph and its execs, which hold it.
        if let Err(refusal) = launch(HostCall::run, call.node().data) {
            // SAFETY: the graph lives, and has no node that calls it.
            apart(|| unsafe { call.detach(api, graph) });
            return Err(refusal);
        }
        Ok(call)
    }

    /// Others took the stream into or out of a capture while the function was submitted, so that nobody knows how often
    /// it will be called: it is never let go.
    pub(crate) fn keep_for_ever(self: Arc<Self>) {
        self.recorded.store(true, Ordering::Release);
        std::mem::forget(self);
    }

    unsafe extern "C" fn run(data: *mut c_void) {
        let call: *const HostCall = data.cast();
        // SAFETY: the data is a HostCall: of a graph that lives while a replay runs, or the one reference given away.
        run_for_driver(|| {
            // SAFETY: as above.
            let call = unsafe { &*call };
            if let Some(reason) = call.function.call() {
                call.failures.add(&reason);
            }
        });
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

/// Makes `call` while no thread records.
fn apart<T>(call: impl FnOnce() -> T) -> T {
    let _alone = gate::write();
    call()
}

/// Returns whether what was submitted to a stream while it was in the capture `before`, and then in `after`, went into the former, or
/// was executed where there was none. The driver does not tell the number of one that was broken meanwhile; that it is
/// another one takes `others` who use the stream.
pub(crate) fn went_into(before: Option<&Capture>, after: Option<&Capture>, others: bool) -> bool {
    match (before, after) {
        (Some(_), Some(after)) if after.status == CaptureStatus::Invalidated && !others => true,
        _ => before.map(|capture| capture.id) == after.map(|capture| capture.id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Handle;

    #[test]
    fn a_function_that_panics_is_let_go_as_others_are() {
        let token = Arc::new(());
        for (recorded, left) in [(false, 0), (true, 1)] {
            let held = Arc::clone(&token);
            let function: HostFunction = Arc::new(move || {
                let _held = &held;
                std::panic::resume_unwind(Box::new("test"));
            });
            let call = HostCall::new(function, &Arc::default(), recorded);
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
