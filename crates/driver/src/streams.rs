//! Streams: how they are made, waited for, and what they tell of themselves.

use std::sync::Arc;
use std::time::Duration;

use super::{Address, Attach, StreamId};
use graphcap_base::error::Result;

/// The streams of a context. The rules of [`Driver`](super::Driver) hold.
pub trait Streams: Send + Sync {
    /// Makes a stream.
    fn stream_create(&self, options: StreamOptions) -> Result<StreamId>;
    /// Forgets a stream; its queued work still runs. A capture that it began is gone, its forks execute again.
    /// [`StreamId::PER_THREAD`] itself stays; the captures that were begun on it are gone, by whichever thread, or by
    /// this one alone on a device that lets only a thread itself end them.
    fn stream_destroy(&self, stream: StreamId);
    /// Returns whether the stream was destroyed and all its work is known to be complete, so that nothing need wait for it.
    /// False for [`StreamId::UNKNOWN`].
    fn stream_is_over(&self, stream: StreamId) -> bool;
    /// Waits until everything submitted to the stream so far has completed.
    fn stream_synchronize(&self, stream: StreamId) -> Result<()>;
    /// Waits until everything submitted to the stream so far has completed, but no longer than `limit`; whether it had.
    /// A capture that begins meanwhile is left alone.
    fn stream_synchronize_for(&self, stream: StreamId, limit: Duration) -> Result<bool>;
    /// Waits as [`Streams::stream_synchronize_for`] does, for a thread that has nothing else to do: the device may run the work on the
    /// thread itself, however long that takes, and otherwise the thread looks for the end without a pause.
    fn stream_synchronize_eagerly(&self, stream: StreamId, limit: Duration) -> Result<bool>;
    /// The submissions to a stream that one thread alone tends; `None` where the device does not count what completes.
    fn stream_submissions(&self, _stream: StreamId) -> Option<Arc<dyn Submissions>> {
        None
    }
    /// Returns whether everything submitted to the stream so far has completed.
    fn stream_is_complete(&self, stream: StreamId) -> Result<bool>;
    /// Waits until what was submitted to the legacy stream so far has completed, for calls that submit to it and return
    /// when that is done. Never an unsafe call under the capture rules, and harms no capture: 906 when a blocking
    /// stream is captured meanwhile, of which the wait would be a part.
    fn finish_legacy(&self) -> Result<()>;
}

/// The submissions to a stream, by their numbers: the first one is 1. Their questions break no capture and fail never.
pub trait Submissions: Send + Sync {
    /// Returns the number of the latest one.
    fn submitted(&self) -> u64;
    /// Returns the number of the latest one that has completed.
    fn completed(&self) -> u64;
    /// Returns the number of the latest one that had completed before the context faulted.
    fn completed_before_fault(&self) -> u64;
    /// Runs those up to number `submitted` on the calling thread, as far as no other thread has begun with them and they wait for
    /// nothing else.
    fn help(self: Arc<Self>, submitted: u64);
    /// Arranges one call of `tell`, on any thread, for the completion of number `submitted`, instead of the call that was arranged before.
    /// False where it has completed. `tell` must not block.
    fn tell_at(&self, submitted: u64, tell: &Arc<dyn Fn() + Send + Sync>) -> bool;
}

/// Attributes of streams: read and set.
pub trait Attributes: Send + Sync {
    /// The priorities that streams can have: the least urgent one and the most urgent one, which is a lower number.
    fn stream_priority_range(&self) -> Result<(i32, i32)>;
    /// Returns whether the stream runs without regard to the legacy stream. Harms no capture: `CAPTURE_UNSUPPORTED` where a
    /// foreign driver would have to be asked and that would harm one.
    fn stream_is_non_blocking(&self, stream: StreamId) -> Result<bool>;
    /// The priority of the stream, within that range. Harms no capture.
    fn stream_priority(&self, stream: StreamId) -> Result<i32>;
    /// An attribute of the stream, by CUDA's number for it. `INVALID_VALUE` for one that streams do not have;
    /// `CAPTURE_INVALIDATED` for a stream whose capture was broken; rule R3 for the legacy stream, as for the next two.
    fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue>;
    /// Sets an attribute, for the work that is submitted from here on. `INVALID_VALUE` also for a value that cannot be.
    fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()>;
    /// Sets the attributes of a stream to those of another one.
    fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()>;
    /// Says who may use the managed memory at `address`, when the work before it has completed. Barred (900) on a
    /// stream that is being captured, which is invalidated.
    fn stream_attach(&self, stream: StreamId, address: Address, attach: Attach) -> Result<()>;
}

/// Options that a stream is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StreamOptions {
    /// Tells whether the stream runs without regard to the legacy stream.
    pub non_blocking: bool,
    /// Lower is more urgent, as on CUDA. Clamped by the driver to its range.
    pub priority: i32,
}

/// The value of an attribute of a stream, laid out as CUDA has it for that attribute.
pub type AttributeValue = [u8; 64];
