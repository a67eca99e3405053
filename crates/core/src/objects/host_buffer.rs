//! A host buffer: pinned memory of the host's, which the device reaches by itself and graphs keep alive.

use super::buffer::{check_given, not_mapped, Buffer, Origin};
use crate::captures::black_box;
use crate::state::Context;
use graphcap_base::defer;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{Address, HostMemory, HostMemoryOptions};

/// Pinned host memory.
///
/// Dropping the last handle never waits. The memory goes back when nothing uses it any more; on a device whose driver
/// would wait for that, when somebody waits for all work anyway.
#[derive(Clone)]
pub struct HostBuffer {
    /// As memory that work uses; its address is the CPU's.
    memory: Buffer,
}

impl HostBuffer {
    /// Allocates `bytes` bytes, not cleared. Allowed during captures.
    ///
    /// # Errors
    /// `INVALID_VALUE` for 0 bytes; `OUT_OF_MEMORY`; the status of a context that faulted.
    pub fn allocate(context: &Context, bytes: usize, options: HostMemoryOptions) -> Result<HostBuffer> {
        if bytes == 0 {
            return Err(Error::invalid_value("a host buffer of 0 bytes cannot be made; its size must be at least 1"));
        }
        Ok(HostBuffer::new(context, context.driver()?.host_allocate(bytes, options)?, bytes))
    }

    /// Pins memory of the caller's. `on_release` runs exactly once, on any thread: when the memory is pinned no longer, or
    /// at once when this fails.
    ///
    /// # Errors
    /// `INVALID_VALUE` for address 0, 0 bytes, or a range that passes the end of the address space;
    /// `HOST_MEMORY_ALREADY_REGISTERED`; `OUT_OF_MEMORY`; the status of a context that faulted.
    ///
    /// # Safety
    /// The range must be host memory that can be read and written until `on_release` runs.
    #[allow(unsafe_code)]
    pub unsafe fn register(
        context: &Context,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostBuffer> {
        HostBuffer::pin(context, address, bytes, options, on_release)
    }

    pub(crate) fn pin(
        context: &Context,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostBuffer> {
        // It runs once, whoever fails.
        let on_release = defer(on_release);
        check_given(address, bytes, "registered")?;
        let release = Box::new(move || drop(on_release));
        Ok(HostBuffer::new(context, context.driver()?.host_register(address, bytes, options, release)?, bytes))
    }

    /// Returns whether memory in the range is pinned by a host buffer that is gone, on a device that leaves it pinned until
    /// [`Context::collect`].
    pub fn is_left_pinned(context: &Context, address: Address, bytes: usize) -> bool {
        context.driver().is_ok_and(|driver| driver.leaves_pinned(address, bytes))
    }

    /// Unpins the memory of host buffers that are gone, as [`Context::collect`] does.
    ///
    /// # Errors
    /// `HOST_MEMORY_ALREADY_REGISTERED` while a capture is open; the status of a fault.
    pub fn unpin_left(context: &Context) -> Result<()> {
        if black_box::any_open() {
            return Err(Error::new(
                Status::HOST_MEMORY_ALREADY_REGISTERED,
                "the memory is still pinned by a host buffer that is destroyed; this call unpins it only while no stream is captured; \
                 call gc_context_collect(), which unpins it and waits for the device",
            ));
        }
        context.collect()
    }

    fn new(context: &Context, HostMemory { memory, address, mapped }: HostMemory, bytes: usize) -> HostBuffer {
        HostBuffer { memory: Buffer::new(context, memory, address, bytes, Origin::Pinned { mapped }) }
    }

    /// The host buffer that `memory` is of, if it is of one.
    pub(crate) fn of(memory: Buffer) -> std::result::Result<HostBuffer, Buffer> {
        match memory.origin() {
            Origin::Pinned { .. } => Ok(HostBuffer { memory }),
            Origin::Allocated(_) | Origin::Wrapped | Origin::Pool { .. } | Origin::Node => Err(memory),
        }
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        self.memory.size()
    }

    /// Returns its first address, as the CPU sees it.
    pub fn address(&self) -> Address {
        self.memory.address()
    }

    /// Returns its first address, as kernels see it.
    ///
    /// # Errors
    /// `INVALID_VALUE` when it was not made to be mapped.
    pub fn device_address(&self) -> Result<Address> {
        match self.memory.origin() {
            Origin::Pinned { mapped: Some(mapped) } => Ok(mapped),
            _ => Err(not_mapped()),
        }
    }

    /// As memory that work uses: memsets and value operations take it in the place of a buffer if it is mapped. Copies take the
    /// host buffer itself.
    #[inline]
    pub fn memory(&self) -> &Buffer {
        &self.memory
    }

    /// Returns whether its memory is unpinned within the destroy of its handle, where nothing else uses it.
    pub fn ends_at_once(&self) -> bool {
        self.memory.ends_at_once()
    }

    /// Returns whether its memory shares a byte with the `bytes` bytes at `address`.
    pub fn overlaps(&self, address: Address, bytes: usize) -> bool {
        let (first, length) = (self.address(), self.size());
        first < address.saturating_add(bytes as u64) && address < first.saturating_add(length as u64)
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        self.memory.context()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Arc;

    use super::*;
    use crate::faulty::Faulty;

    #[test]
    fn registered_memory_is_handed_back_once_also_after_a_failure() {
        let (driver, context) = Faulty::context();
        let handed_back = Arc::new(AtomicUsize::new(0));
        let options = HostMemoryOptions { mapped: true, ..HostMemoryOptions::default() };
        let pin = |address, bytes| {
            let count = Arc::clone(&handed_back);
            let on_release = move || {
                count.fetch_add(1, Ordering::SeqCst);
            };
            HostBuffer::pin(&context, address, bytes, options, Box::new(on_release))
        };
        let count = || handed_back.load(Ordering::SeqCst);
        let buffer = pin(0x1000, 16).unwrap();
        assert_eq!((buffer.address(), buffer.size(), buffer.device_address(), count()), (0x1000, 16, Ok(0x1000), 0));
        drop(buffer);
        assert_eq!(count(), 1);
        for (round, (address, bytes)) in [(0, 16), (0x1000, 0), (u64::MAX - 7, 16)].into_iter().enumerate() {
            assert_eq!(pin(address, bytes).map(drop).unwrap_err().status, Status::INVALID_VALUE);
            assert_eq!(count(), round + 2);
        }
        driver.fail("host_register", Status::OUT_OF_MEMORY);
        assert_eq!(pin(0x1000, 16).map(drop).unwrap_err().status, Status::OUT_OF_MEMORY);
        assert_eq!((count(), driver.live()), (5, 0));
    }

    #[test]
    fn an_allocation_has_a_size_and_is_mapped_on_demand() {
        let (driver, context) = Faulty::context();
        let none = HostMemoryOptions::default();
        assert_eq!(HostBuffer::allocate(&context, 0, none).map(drop).unwrap_err().status, Status::INVALID_VALUE);
        let buffer = HostBuffer::allocate(&context, 8, none).unwrap();
        assert_eq!(buffer.device_address().unwrap_err().status, Status::INVALID_VALUE);
        drop(buffer);
        assert_eq!(driver.live(), 0);
    }
}
