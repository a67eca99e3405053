//! Attributes of a stream, read and set: whether it blocks, its priority, its attributes, which managed memory is
//! its own.

use std::ffi::c_uint;
use std::sync::atomic::Ordering;

use cudarc::driver::sys::CUstream_flags;

use super::stream::Stream;
use crate::api::{DriverError, StreamAttribute};
use crate::captures::gate;
use crate::context::CudaContext;
use crate::memory;
use crate::memory::blocking;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::RwLockWriteGuard;
use graphcap_driver::rules;
use graphcap_driver::{callbacks, Address, Attach, AttributeValue, Attributes, StreamId};

/// Lets no gc_ call begin a capture while the legacy stream is told an attribute, and then asked for its priority, which
/// breaks captures of blocking streams.
fn bar_begins(stream: StreamId) -> Option<RwLockWriteGuard<'static, ()>> {
    (stream == StreamId::LEGACY).then(memory::no_begin)
}

impl Attributes for CudaContext {
    fn stream_priority_range(&self) -> Result<(i32, i32)> {
        callbacks::check_caller()?;
        let (mut least, mut greatest) = (0, 0);
        let _current = self.map_error(self.device.enter())?;
        // SAFETY: both are writable; the context is current.
        self.map_error(unsafe { self.api().cuCtxGetStreamPriorityRange(&mut least, &mut greatest) })?;
        Ok((least, greatest))
    }

    fn stream_is_non_blocking(&self, stream: StreamId) -> Result<bool> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        if let Some(&known) = stream.non_blocking.get() {
            return Ok(known);
        }
        let asked = stream.settled(|| match self.device.ask_capture(stream.native)? {
            None => self.learn_flags(stream).map(Some),
            Some(_) => Ok(None),
        });
        self.map_error(asked)?.ok_or_else(|| {
            Error::new(
                rules::BARRED,
                "the stream has been captured since it was wrapped, and the driver cannot be asked for its flags without \
                 breaking the capture, which goes on; ask when it is over",
            )
        })
    }

    fn stream_priority(&self, stream: StreamId) -> Result<i32> {
        callbacks::check_caller()?;
        if stream == StreamId::PER_THREAD {
            // Each thread has one of its own, so that what another thread learnt says nothing.
            let _current = self.map_error(self.device.enter())?;
            return self.map_error(self.ask_priority(&self.per_thread));
        }
        Ok(self.stream(stream).priority.load(Ordering::Acquire))
    }

    fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue> {
        callbacks::check_caller()?;
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let mut value = StreamAttribute([0; size_of::<AttributeValue>()]);
        // SAFETY: the stream lives; the value is writable.
        let ask = || unsafe { self.api().cuStreamGetAttribute(stream.native, attribute, &mut value) };
        self.map_error(stream.recorded(self.device, ask))?;
        Ok(value.0)
    }

    fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()> {
        callbacks::check_caller()?;
        let _no_begin = bar_begins(stream);
        let stream = self.stream(stream);
        let _current = self.current_for(stream)?;
        let value = StreamAttribute(*value);
        // SAFETY: the stream lives; the value has as many bytes as any.
        let set = || unsafe { self.api().cuStreamSetAttribute(stream.native, attribute, &value) };
        self.map_error(stream.recorded(self.device, set))?;
        stream.note_attributes();
        self.learn_priority(stream);
        Ok(())
    }

    fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()> {
        callbacks::check_caller()?;
        let _no_begin = bar_begins(destination);
        let (destination, source) = (self.stream(destination), self.stream(source));
        let _current = self.map_error(self.device.enter())?;
        let copied = {
            // Either stream may be in a capture.
            let _alone = gate::write();
            // SAFETY: both streams live, and their context is current.
            unsafe { self.api().cuStreamCopyAttributes(destination.native, source.native) }
        };
        self.map_error(copied)?;
        destination.note_attributes();
        self.learn_priority(destination);
        Ok(())
    }

    fn stream_attach(&self, stream: StreamId, address: Address, attach: Attach) -> Result<()> {
        callbacks::check_caller()?;
        blocking::attached(address);
        // SAFETY: the stream lives; the driver checks the address. It crashes on a number that is no way to attach, which this
        // one is.
        let attach =
            |stream: &Stream| unsafe { self.api().cuStreamAttachMemAsync(stream.native, address, 0, attach as c_uint) };
        self.record_on_stream(stream, attach)
    }
}

impl Shared {
    /// Remembers the priority of a stream; what the driver does not tell stays as it was. Of the legacy stream only where no
    /// capture can begin.
    pub(crate) fn learn_priority(&self, stream: &Stream) {
        if let Ok(priority) = self.ask_priority(stream) {
            stream.priority.store(priority, Ordering::Release);
        }
    }

    fn ask_priority(&self, stream: &Stream) -> Result<i32, DriverError> {
        let mut priority = 0;
        // SAFETY: the stream lives; `priority` is writable.
        stream.recorded(self.device, || unsafe { self.api().cuStreamGetPriority(stream.native, &mut priority) })?;
        Ok(priority)
    }

    /// Asks for the flags of a stream that is not being captured.
    pub(crate) fn learn_flags(&self, stream: &Stream) -> Result<bool, DriverError> {
        let mut flags = 0;
        // SAFETY: the stream lives; `flags` is writable.
        unsafe { self.api().cuStreamGetFlags(stream.native, &mut flags) }?;
        Ok(*stream.non_blocking.get_or_init(|| flags & CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint != 0))
    }
}
