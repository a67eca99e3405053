//! User objects of the driver's, by which its graphs, and the execs made from them, hold the host functions of their nodes and, where
//! others have a graph or can end a capture into it, the lists that core keeps for it. Else core alone keeps these, which costs less: an
//! exec whose graph has a user object takes half as long again to launch.

use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use super::api::driver_thread::run_for_driver;
use super::api::{Api, DriverError, GraphHandle, Handle, UserObject};
use super::deferred;
use graphcap_driver::{callbacks, Retain, Retained};

/// Object that the driver holds for a graph and the execs made from it, until they and their launches are gone.
pub(super) enum UserData {
    /// List of what core keeps for the nodes.
    List(Retained),
    /// Object that calls the host function of a node.
    Call(#[expect(dead_code, reason = "held for its drop alone")] Arc<dyn Any + Send + Sync>),
}

impl UserData {
    /// Makes `graph` hold it. It is let go at once when this fails.
    ///
    /// # Safety
    /// `graph` is a live graph, which no other thread uses.
    pub(super) unsafe fn attach(self, api: &Api, graph: GraphHandle) -> Result<UserObject, DriverError> {
        unsafe extern "C" fn let_go(data: *mut c_void) {
            // SAFETY: the data is the box that the driver was given, and it calls this once.
            let held = *unsafe { Box::from_raw(data.cast::<UserData>()) };
            run_for_driver(|| match held {
                UserData::List(list) => deferred::drop_later(list),
                call @ UserData::Call(_) => callbacks::run(Box::new(move || drop(call))),
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

/// A list on a graph that a capture grows, and that others may end the capture of.
pub(super) struct Attached {
    object: UserObject,
    list: Weak<dyn Retain>,
}

/// Those of one capture; mostly one.
pub(super) type OfCapture = SmallVec<[Attached; 1]>;

impl Attached {
    /// Attaches a list.
    ///
    /// # Safety
    /// As [`UserData::attach`].
    pub(super) unsafe fn to(api: &Api, graph: GraphHandle, list: Retained) -> Result<Attached, DriverError> {
        let attached = Arc::downgrade(&list);
        // SAFETY: passed on to the caller.
        let object = unsafe { UserData::List(list).attach(api, graph) }?;
        Ok(Attached { object, list: attached })
    }

    /// Returns whether the list is still held.
    pub(super) fn is_there(&self) -> bool {
        self.list.strong_count() > 0
    }

    /// Takes the list off `graph` again, and gives it; `None` where it is gone. Without a graph, and where the driver refuses, the driver
    /// goes on to hold the list too. That is not enough for who keeps what the graph keeps, such as an exec that the graph is applied to.
    ///
    /// # Safety
    /// `graph` is the graph that it was attached to, which is alive, and no other thread uses it.
    pub(super) unsafe fn take_off(self, api: &Api, graph: Option<GraphHandle>) -> Option<Retained> {
        let list = self.list.upgrade()?;
        // SAFETY: the caller promises the graph. It holds the object, since nobody else takes it off.
        graph.map(|graph| unsafe { api.cuGraphReleaseUserObject(graph, self.object, 1) });
        Some(list)
    }
}
