//! Memory by its addresses, saved so that it can be restored and compared: what replays of a graph change.

use super::copy::{Copy, CopySide, HostPointer, OwnedSide};
use super::located::Memory;
use crate::objects::buffer::Buffer;
use crate::objects::host_buffer::HostBuffer;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::room;
use graphcap_driver::rules::ranges::Ranges;
use graphcap_driver::{Address, BatchError, HostMemoryOptions};

/// Bytes that a graph touches, by the address that copies take.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryRanges {
    /// Of buffers, and of other memory that the device knows.
    pub device: Ranges,
    /// Of host buffers, by the CPU's addresses, and of other memory of the CPU's.
    pub host: Ranges,
}

impl MemoryRanges {
    /// The bytes of all of these.
    pub fn of<'a>(all: impl IntoIterator<Item = &'a MemoryRanges> + Clone) -> MemoryRanges {
        MemoryRanges {
            device: Ranges::of(all.clone().into_iter().flat_map(|one| one.device.iter())),
            host: Ranges::of(all.into_iter().flat_map(|one| one.host.iter())),
        }
    }

    /// Returns how many bytes these are.
    pub fn bytes(&self) -> u64 {
        self.device.bytes() + self.host.bytes()
    }

    /// The bytes that are among these, and not among others.
    pub fn without(&self, others: &MemoryRanges) -> MemoryRanges {
        MemoryRanges { device: self.device.without(&others.device), host: self.host.without(&others.host) }
    }
}

/// Place of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteHome {
    /// By what address copies take it.
    pub address: Address,
    /// Tells whether it is memory of the CPU's.
    pub is_host: bool,
    /// Tells whether it is memory of another device.
    pub is_foreign: bool,
}

impl Context {
    /// Tells where the byte at an address lies that a node of a graph touches.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn byte_home(&self, address: Address) -> Result<ByteHome> {
        let own = self.device().ordinal;
        let found = self.find_buffers(address).into_iter().find(|found| found.offset < found.memory.size());
        Ok(match found {
            Some(found) => {
                let start = found.memory.starts().next().unwrap_or_default();
                ByteHome {
                    address: start + found.offset as Address,
                    is_host: matches!(found.memory, Memory::HostBuffer(_)),
                    is_foreign: found.memory.context().device().ordinal != own,
                }
            }
            None => {
                let is_host = self.driver()?.address_origin(address)?.is_none();
                ByteHome { address, is_host, is_foreign: false }
            }
        })
    }
}

/// Some of the bytes, which follow each other in one piece of memory.
struct Span {
    place: OwnedSide,
    /// First address of the bytes.
    start: Address,
    bytes: usize,
    /// Place of the bytes in the copy.
    at: usize,
}

/// Memory of a graph with a copy of what was there, in memory of the device.
pub struct SavedMemory {
    stream: Stream,
    spans: Vec<Span>,
    bytes: usize,
    /// Copy of what was there; `None` where there is no byte.
    copy: Option<Buffer>,
    /// Through which the CPU looks at what is there.
    view: Option<HostBuffer>,
}

impl SavedMemory {
    /// Saves bytes that a graph touches, by a stream of graphcap's own. The memory must live, and nothing else may use it, as for a
    /// launch of that graph.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY` when there are more than `most` bytes, or when there is not enough memory for the copy; `INVALID_VALUE` for
    /// memory that is gone; the status of a context that faulted.
    pub fn save(stream: &Stream, ranges: &MemoryRanges, most: u64) -> Result<SavedMemory> {
        let bytes = ranges.bytes();
        if bytes > most {
            return Err(Error::new(
                Status::OUT_OF_MEMORY,
                format!(
                    "the nodes write {bytes} bytes, which have to be saved, and {most} may be used for that; allow as many bytes"
                ),
            ));
        }
        let bytes = usize::try_from(bytes).map_err(|_| room::missing())?;
        let copy = (bytes > 0).then(|| Buffer::allocate(stream.context(), bytes)).transpose()?;
        let mut saved = SavedMemory { stream: stream.clone(), spans: Vec::new(), bytes: 0, copy, view: None };
        for (start, end) in ranges.device.iter() {
            saved.add_device(start, end)?;
        }
        for (start, end) in ranges.host.iter() {
            // Whoever added the copy that writes there vouches for it as long as the graph may be launched.
            saved.add(OwnedSide::Host(HostPointer(start as usize)), start, end);
        }
        saved.save_again()?;
        Ok(saved)
    }

    /// Saves what is there now instead, and waits for that.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn save_again(&self) -> Result<()> {
        self.copy_all(|copy, span| Copy::of(CopySide::Buffer(copy, span.at), span.place.lend(), span.bytes))?;
        self.stream.synchronize()
    }

    /// Queues a copy for each span, all by one call.
    fn copy_all<'a>(&'a self, of: impl Fn(&'a Buffer, &'a Span) -> Copy<'a>) -> Result<()> {
        let Some(copy) = &self.copy else { return Ok(()) };
        let mut copies = room::list(self.spans.len())?;
        copies.extend(self.spans.iter().map(|span| of(copy, span)));
        self.stream.memcpy_batch(&copies).map_err(|BatchError { error, .. }| error)
    }

    fn add(&mut self, place: OwnedSide, start: Address, end: Address) {
        let bytes = (end - start) as usize;
        self.spans.push(Span { place, start, bytes, at: self.bytes });
        self.bytes += bytes;
    }

    /// Adds bytes of the device's, buffer by buffer.
    fn add_device(&mut self, start: Address, end: Address) -> Result<()> {
        let context = self.stream.context().clone();
        let mut at = start;
        while at < end {
            let rest = |found: &super::located::Located| (found.memory.size() - found.offset) as Address;
            let buffers = context.find_buffers(at).into_iter().filter(|found| found.offset < found.memory.size());
            let widest = buffers.max_by_key(rest).map(|found| (at + rest(&found), found));
            // Memory of another context, or of no buffer, is adopted for the copies alone: the graph's nodes keep it.
            let (until, own) = match widest {
                Some((until, found)) => {
                    let Memory::Buffer(buffer) = found.memory else { return Err(gone(at)) };
                    (until.min(end), buffer.context().is(&context).then_some((buffer, found.offset)))
                }
                None => {
                    let origin = context.driver()?.address_origin(at)?.ok_or_else(|| gone(at))?;
                    (end.min(origin.base + origin.bytes as Address), None)
                }
            };
            let (buffer, offset) = match own {
                Some(own) => own,
                None => (Buffer::adopt(&context, at, (until - at) as usize, Box::new(|| ()))?, 0),
            };
            self.add(OwnedSide::Buffer(buffer, offset), at, until);
            at = until;
        }
        Ok(())
    }

    /// Returns how many bytes are saved.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Puts back what was saved, behind what the stream was given before.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn restore(&self) -> Result<()> {
        self.copy_all(|copy, span| Copy::of(span.place.lend(), CopySide::Buffer(copy, span.at), span.bytes))
    }

    /// Returns what is there now, when all that the stream was given before is complete, for which the call waits.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`; the status of a context that faulted.
    pub fn read(&mut self) -> Result<Vec<u8>> {
        self.read_parts(&[(0, self.bytes)])
    }

    /// Returns what is there now of parts of what [`SavedMemory::read`] gives, one behind another.
    ///
    /// # Errors
    /// As [`SavedMemory::read`].
    pub fn read_parts(&mut self, parts: &[(usize, usize)]) -> Result<Vec<u8>> {
        let all = parts.iter().map(|(from, to)| to - from).sum();
        let mut bytes = room::list(all)?;
        bytes.resize(all, 0);
        if all == 0 {
            self.stream.synchronize()?;
            return Ok(bytes);
        }
        let view = match self.view.take().filter(|view| view.size() >= all) {
            Some(view) => view,
            None => HostBuffer::allocate(self.stream.context(), all, HostMemoryOptions::default())?,
        };
        let mut at = 0;
        for (place, bytes) in self.places(parts) {
            self.stream.memcpy(&Copy::of(CopySide::HostBuffer(&view, at), place.lend(), bytes))?;
            at += bytes;
        }
        // A copy that was not waited for may still write: the view goes with it then.
        self.stream.synchronize()?;
        self.stream.context().driver()?.host_bytes(view.address(), &mut bytes);
        self.view = Some(view);
        Ok(bytes)
    }

    /// Fills parts of what [`SavedMemory::read`] gives with a byte, behind what the stream was given before. Memory of the CPU's stays as
    /// it is.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn fill_parts(&self, parts: &[(usize, usize)], value: u8) -> Result<()> {
        self.places(parts).try_for_each(|(place, bytes)| match place {
            OwnedSide::Buffer(buffer, offset) => self.stream.memset(&buffer, offset, value.into(), 1, bytes),
            _ => Ok(()),
        })
    }

    /// The places of parts, with the numbers of their bytes.
    fn places<'a>(&'a self, parts: &'a [(usize, usize)]) -> impl Iterator<Item = (OwnedSide, usize)> + 'a {
        parts.iter().flat_map(move |&(from, to)| {
            self.spans.iter().filter_map(move |span| {
                let (first, end) = (from.max(span.at), to.min(span.at + span.bytes));
                let further = first.checked_sub(span.at)?;
                let place = match &span.place {
                    OwnedSide::Buffer(buffer, offset) => OwnedSide::Buffer(buffer.clone(), offset + further),
                    OwnedSide::Host(HostPointer(address)) => OwnedSide::Host(HostPointer(address + further)),
                    _ => return None,
                };
                (first < end).then(|| (place, end - first))
            })
        })
    }

    /// Lists which parts of what [`SavedMemory::read`] gives are of the device's memory in `ranges`.
    pub fn parts_of(&self, ranges: &MemoryRanges) -> Vec<(usize, usize)> {
        let of_device = |span: &&Span| matches!(span.place, OwnedSide::Buffer(..));
        let meet = |span: &Span, (start, end): (Address, Address)| {
            let (first, last) = (start.max(span.start), end.min(span.start + span.bytes as Address));
            let at = |address: Address| span.at + (address - span.start) as usize;
            (first < last).then(|| (at(first), at(last)))
        };
        let spans = self.spans.iter().filter(of_device);
        spans.flat_map(|span| ranges.device.iter().filter_map(move |range| meet(span, range))).collect()
    }

    /// Lends the memory through which the CPU looks, so that several need one of it.
    pub fn lend_view(&mut self, view: Option<HostBuffer>) {
        self.view = view;
    }

    /// Takes the memory through which the CPU looks.
    pub fn take_view(&mut self) -> Option<HostBuffer> {
        self.view.take()
    }

    /// The address of a byte of what [`SavedMemory::read`] gives, and whether it is memory of the CPU's.
    pub fn address(&self, offset: usize) -> (Address, bool) {
        let after = self.spans.partition_point(|span| span.at <= offset);
        match after.checked_sub(1).and_then(|last| self.spans.get(last)) {
            Some(span) => (span.start + (offset - span.at) as Address, matches!(span.place, OwnedSide::Host(_))),
            None => (0, false),
        }
    }

    /// Lists where each piece of memory starts and ends in what [`SavedMemory::read`] gives.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.spans.iter().map(|span| (span.at, span.at + span.bytes))
    }
}

#[cold]
fn gone(address: Address) -> Error {
    Error::invalid_value(format!("the memory at {address:#x} is gone, which nodes of the graph write; have it live"))
}
