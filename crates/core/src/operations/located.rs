//! The buffer that an address lies in, as an object.

use std::fmt;
use std::sync::Arc;

use super::provenance::Found;
use crate::objects::buffer::{Buffer, Origin};
use crate::objects::host_buffer::HostBuffer;
use crate::state::Context;
use graphcap_base::error::Error;
use graphcap_base::names::quoted;
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::{Address, MemoryKind};

/// Memory that graphcap knows by an object.
#[derive(Clone)]
pub enum Memory {
    /// Device memory: allocated, managed, wrapped, a module's, or what nodes of graphs allocate.
    Buffer(Buffer),
    /// Pinned memory of the host's.
    HostBuffer(HostBuffer),
}

impl Memory {
    /// Lists where it starts, for kernels and for the CPU, as far as it has an address there.
    pub fn starts(&self) -> impl Iterator<Item = Address> {
        let (own, mapped) = match self {
            Memory::Buffer(buffer) => (buffer.address(), None),
            Memory::HostBuffer(buffer) => (buffer.address(), buffer.device_address().ok()),
        };
        std::iter::once(own).chain(mapped.filter(|&mapped| mapped != own))
    }

    /// Returns whether the products of a stream share it as the workspace of the device's library.
    pub fn is_shared_workspace(&self) -> bool {
        match self {
            Memory::Buffer(buffer) => buffer.is_shared_workspace(),
            Memory::HostBuffer(_) => false,
        }
    }

    /// Returns whether the CPU can see what is written to it, as far as is known.
    pub fn is_seen_by_host(&self) -> bool {
        match self {
            Memory::Buffer(buffer) => matches!(buffer.origin(), Origin::Allocated(MemoryKind::Managed(_))),
            Memory::HostBuffer(_) => true,
        }
    }

    /// Returns whether it is memory of others that a buffer names, perhaps a part of it.
    pub fn is_wrapped(&self) -> bool {
        matches!(self, Memory::Buffer(buffer) if buffer.origin() == Origin::Wrapped)
    }

    /// The name that it was given.
    pub fn name(&self) -> Option<Arc<str>> {
        match self {
            Memory::Buffer(buffer) => buffer.name(),
            Memory::HostBuffer(buffer) => buffer.name(),
        }
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        self.buffer().context()
    }

    /// The buffer of its memory.
    pub(crate) fn buffer(&self) -> &Buffer {
        match self {
            Memory::Buffer(buffer) => buffer,
            Memory::HostBuffer(buffer) => buffer.memory(),
        }
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        match self {
            Memory::Buffer(buffer) => buffer.size(),
            Memory::HostBuffer(buffer) => buffer.size(),
        }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Memory::Buffer(buffer) => buffer.fmt(f),
            Memory::HostBuffer(buffer) => write!(f, "Host{:?}", buffer.memory()),
        }
    }
}

/// An address as memory and offset.
#[derive(Clone, Debug)]
pub struct Located {
    /// The memory. Holding it keeps it alive.
    pub memory: Memory,
    /// In bytes, at most the size of the memory: one past the last byte is a legal address.
    pub offset: usize,
}

impl Located {
    fn new(found: Found<dyn std::any::Any + Send + Sync>, address: Address) -> Option<Located> {
        let buffer = Buffer::from_listed(found.memory)?;
        let memory = HostBuffer::of(buffer).map_or_else(Memory::Buffer, Memory::HostBuffer);
        Some(Located { memory, offset: (address - found.start) as usize })
    }
}

impl Context {
    /// Finds the live buffer that an address lies in, and the offset within it. Buffers and host buffers of this context are
    /// found, and buffers of other contexts once work of this one has used them. A host buffer is found by the CPU's
    /// address and by the device's.
    ///
    /// Wrapped memory may overlap other buffers. Of several buffers that hold the address's byte the one that starts latest
    /// is found, and of several such the one made latest. An address that is one past the last byte of a buffer, and a byte
    /// of none, is found as that buffer's end.
    ///
    /// Takes O(log n) of n buffers, asks nothing of the driver, and may be called on any thread. A buffer that is found is a
    /// handle like any other and keeps the memory alive. A buffer whose last handle is being dropped is not found.
    pub fn find_buffer(&self, address: Address) -> Option<Located> {
        self.find_owner(address).map(|(located, _)| located)
    }

    /// Finds all live buffers that hold the byte at an address, then all that end at it; within each in the order in which
    /// [`Context::find_buffer`] prefers them.
    pub fn find_buffers(&self, address: Address) -> Vec<Located> {
        self.memory().find_all(address).into_iter().filter_map(|found| Located::new(found, address)).collect()
    }

    /// Finds the live buffer that ends closest below an address, with the offset of the address, which lies behind its end. Looks at all
    /// buffers.
    pub fn find_buffer_below(&self, address: Address) -> Option<Located> {
        let all = self.memory().all().into_iter().filter_map(Buffer::from_listed);
        let below = all.filter(|buffer| buffer.address() + buffer.size() as Address <= address);
        let buffer = below.max_by_key(|buffer| buffer.address() + buffer.size() as Address)?;
        let offset = (address - buffer.address()) as usize;
        let memory = HostBuffer::of(buffer).map_or_else(Memory::Buffer, Memory::HostBuffer);
        Some(Located { memory, offset })
    }

    /// The bytes of the live buffers of the context's own that are the device's alone.
    pub fn buffer_ranges(&self) -> Ranges {
        let all = self.memory().all().into_iter().filter_map(Buffer::from_listed);
        let own = all.filter(|buffer| buffer.context().is(self) && matches!(buffer.origin(), Origin::Allocated(_)));
        Ranges::of(
            own.map(|buffer| (buffer.address(), buffer.address() + buffer.size() as Address)).collect::<Vec<_>>(),
        )
    }

    /// An error that tells the address of an allocation, with the name of its buffer.
    #[cold]
    pub(crate) fn naming_allocation(&self, error: Error) -> Error {
        const TOLD: &str = "allocation at 0x";
        let named = || {
            let from = error.message.find(TOLD)? + TOLD.len();
            let rest = &error.message[from..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()).len();
            let (address, rest) = rest.split_at(digits);
            let name = self.find_buffer(Address::from_str_radix(address, 16).ok()?)?.memory.name()?;
            Some(format!("{}{address} {}{rest}", &error.message[..from], quoted(&name)))
        };
        match named() {
            Some(message) => Error::new(error.status, message),
            None => error,
        }
    }

    /// As [`Context::find_buffer`], with whether the address is one past the last byte.
    pub(crate) fn find_owner(&self, address: Address) -> Option<(Located, bool)> {
        let found = self.memory().find(address)?;
        let is_end = found.is_end;
        Located::new(found, address).map(|located| (located, is_end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use graphcap_driver::{Attach, HostMemoryOptions, MemoryKind};

    /// Start, size and offset of what is at an address.
    fn at(context: &Context, address: Address) -> Option<(Address, usize, usize)> {
        let Located { memory, offset } = context.find_buffer(address)?;
        let start = match &memory {
            Memory::Buffer(buffer) => buffer.address(),
            Memory::HostBuffer(buffer) => buffer.address(),
        };
        Some((start, memory.size(), offset))
    }

    #[test]
    fn every_kind_of_buffer_is_found_while_it_lives() {
        let (driver, context) = Faulty::context();
        let (_other_driver, other) = Faulty::context();
        let kinds = [MemoryKind::Pooled, MemoryKind::Waitable, MemoryKind::Managed(Attach::Global)];
        let mut buffers: Vec<_> =
            kinds.into_iter().map(|kind| Buffer::allocate_as(&context, 100, kind).unwrap()).collect();
        buffers.push(Buffer::adopt(&context, 0x1000, 100, Box::new(|| ())).unwrap());
        for buffer in &buffers {
            let start = buffer.address();
            for offset in [0, 1, 99, 100] {
                assert_eq!(at(&context, start + offset), Some((start, 100, offset as usize)));
            }
            assert_eq!((at(&context, start - 1), at(&context, start + 101)), (None, None));
            assert_eq!(at(&other, start), None, "it was not lent");
        }
        let starts: Vec<_> = buffers.iter().map(Buffer::address).collect();
        let Some(Located { memory: Memory::Buffer(found), .. }) = context.find_buffer(starts[0]) else {
            panic!("it is a buffer")
        };
        drop(buffers);
        assert_eq!(at(&context, starts[0] + 5), Some((starts[0], 100, 5)), "what was found keeps the memory");
        drop(found);
        assert!(starts.iter().all(|&start| context.find_buffers(start).is_empty()));
        assert_eq!(context.memory().len(), 0, "the index forgets what is gone");
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }

    #[test]
    fn host_buffers_are_found_by_both_addresses() {
        let (driver, context) = Faulty::context();
        let options = HostMemoryOptions { mapped: true, ..HostMemoryOptions::default() };
        driver.map_elsewhere(0x100);
        let mapped = HostBuffer::allocate(&context, 64, options).unwrap();
        let plain = HostBuffer::allocate(&context, 64, HostMemoryOptions::default()).unwrap();
        let (cpu, device) = (mapped.address(), mapped.device_address().unwrap());
        assert_eq!(device, cpu + 0x100);
        assert_eq!(at(&context, cpu + 7), Some((cpu, 64, 7)));
        assert_eq!(at(&context, device + 9), Some((cpu, 64, 9)));
        assert_eq!(at(&context, plain.address() + 64), Some((plain.address(), 64, 64)));
        assert!(matches!(context.find_buffer(device), Some(Located { memory: Memory::HostBuffer(_), .. })));
        assert_eq!(context.memory().len(), 3);
        drop((mapped, plain));
        assert_eq!(context.memory().len(), 0);
        assert_eq!((at(&context, cpu), at(&context, device)), (None, None));
        assert_eq!(driver.live(), 0);
    }

    #[test]
    fn a_lent_buffer_is_found_in_the_borrowing_context_too() {
        let ((driver, context), (_, other)) = (Faulty::context(), Faulty::context());
        let (own, lent) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&other, 64).unwrap());
        let start = lent.address();
        assert_eq!(at(&context, start), None);
        for _ in 0..2 {
            context.legacy_stream().memcpy_peer(&own, 0, &lent, 0, 64).unwrap();
        }
        assert_eq!((at(&context, start + 64), context.find_buffers(start).len()), (Some((start, 64, 64)), 1));
        assert_eq!(at(&other, start + 64), Some((start, 64, 64)));
        drop(lent);
        assert_eq!((at(&context, start), at(&other, start)), (None, None));
        assert_eq!((context.memory().len(), other.memory().len()), (1, 0));
        // A context that goes first takes its index with it.
        let lent = Buffer::allocate(&other, 64).unwrap();
        context.legacy_stream().memcpy_peer(&own, 0, &lent, 0, 64).unwrap();
        drop((own, context));
        assert!(at(&other, lent.address()).is_some());
        drop(lent);
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn of_wrapped_memory_the_innermost_is_found() {
        let (_driver, context) = Faulty::context();
        let wrap = |start, bytes| Buffer::adopt(&context, start, bytes, Box::new(|| ())).unwrap();
        let (whole, tail, inner) = (wrap(0x10000, 0x1000), wrap(0x10800, 0x800), wrap(0x10400, 0x400));
        assert_eq!(at(&context, 0x103ff), Some((0x10000, 0x1000, 0x3ff)));
        assert_eq!(at(&context, 0x10400), Some((0x10400, 0x400, 0)));
        assert_eq!(at(&context, 0x10800), Some((0x10800, 0x800, 0)), "the end of one is the first byte of another");
        assert_eq!(at(&context, 0x11000), Some((0x10800, 0x800, 0x800)));
        let offsets = |address| context.find_buffers(address).iter().map(|found| found.offset).collect::<Vec<_>>();
        assert_eq!(offsets(0x10800), [0, 0x800, 0x400]);
        assert_eq!(offsets(0x11000), [0x800, 0x1000]);
        drop(inner);
        assert_eq!(at(&context, 0x10400), Some((0x10000, 0x1000, 0x400)));
        drop((whole, tail));
        assert_eq!(at(&context, 0x10400), None);
    }

    /// The last handle may be the one that a look-up gave, and go on whatever thread.
    #[test]
    fn buffers_are_made_dropped_and_found_by_several_threads() {
        let (driver, context) = Faulty::context();
        let anchor = Buffer::allocate(&context, 16).unwrap();
        // What the threads allocate is near.
        let first = anchor.address();
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        let buffer = Buffer::allocate(&context, 16).unwrap();
                        let found = at(&context, buffer.address() + 16);
                        assert_eq!(found, Some((buffer.address(), 16, 16)));
                    }
                });
            }
            scope.spawn(|| {
                for number in 0..5000 {
                    drop(context.find_buffers(first + 16 * number));
                }
            });
        });
        drop(anchor);
        assert_eq!((context.memory().len(), driver.live(), driver.violations()), (0, 0, vec![]));
    }
}
