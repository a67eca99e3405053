//! The trait `Driver`: all that a context on a device can do.

use std::sync::Arc;
use std::time::Duration;

use super::{
    Attributes, Captures, Code, DeviceInfo, Edges, Events, ExecEdits, ExecUpdates, Execs, Foreign, GraphEdits, Graphs,
    Kernels, Math, Memory, NodeAttributes, Streams, Submit,
};
use graphcap_base::error::Result;

/// A context on a device: everything that graphcap asks of a driver.
///
/// # Rules for all methods
///
/// Any method may be called from any thread. Ids must be of this context and not destroyed: an implementation may rely on
/// that, or answer `INVALID_HANDLE`. Some may be of any context of the [family](Driver::family): of users, which may be
/// destroyed, too; of the event that a stream waits for or records, and of the end event of a time; of the exec that is
/// launched or uploaded. Work is asynchronous: a
/// method that takes a stream returns when the work is queued or, while the stream is captured, recorded; a foreign
/// driver may make the caller wait for a copy of memory that it does not know. A context that faulted answers every
/// call but destroys with the fault's status; a foreign driver may go on to answer what it knows without the device.
/// The capture rules of [`crate::rules`] hold: a call that they bar fails with their code and invalidates what it
/// conflicts with.
///
/// Destroys cannot fail, return at once, never count as unsafe calls under the capture rules, and take
/// effect when the work that was submitted before has completed.
pub trait Driver:
    Streams
    + Attributes
    + Events
    + Memory
    + Code
    + Kernels
    + Submit
    + Math
    + Captures
    + Graphs
    + GraphEdits
    + NodeAttributes
    + Edges
    + Execs
    + ExecEdits
    + ExecUpdates
    + Foreign
    + Send
    + Sync
{
    /// The device that this context is on.
    fn device(&self) -> &DeviceInfo;
    /// Tells contexts that work together: those that answer the same. The numbers of their streams, events, captures and execs
    /// are distinct among all of them.
    fn family(&self) -> usize;
    /// Waits for all work of the context. Barred (900) while one of its streams is captured.
    fn synchronize(&self) -> Result<()>;
    /// Waits for all work of the context, but no longer than `limit`; whether all had completed. Barred as
    /// [`Driver::synchronize`].
    fn synchronize_for(&self, limit: Duration) -> Result<bool>;
    /// Returns whether [`Driver::synchronize`] waits for the work of all contexts on the device, since they share one of the
    /// driver's.
    fn shares_device(&self) -> bool;
    /// Frees what was destroyed and could not be freed without blocking. May block until the device is idle. Harms no
    /// capture.
    fn collect(&self) -> Result<()>;
    /// Makes the driver's context current on the calling thread, where the driver has such.
    fn make_current(&self) -> Result<()> {
        Ok(())
    }
    /// Begins a new generation of the context: a context on the same device that has nothing of this one. `None` where that is this
    /// context itself, which then goes on with what is made in it from here on. Nothing of this context is changed, whichever
    /// it is; [`Driver::leave`] is called on a context that another one follows.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread on which work runs; `OUT_OF_MEMORY`; the status of a fault that the device does not recover
    /// from.
    fn renew(&self) -> Result<Option<Arc<dyn Driver>>>;
    /// Nobody uses the context from here on, but that memory of it, which other contexts borrowed, is still released.
    fn leave(&self) {}
}
