//! Copies: what of buffers and of host memory they read and write, checked before a device sees them.

use std::borrow::Borrow;
use std::ffi::c_void;

use serde::{Deserialize, Serialize};

use super::operands::{Operand, Operands};
use crate::captures::black_box::{self, About, Operation};
use crate::captures::strict::{self, HostSide};
use crate::json_numbers;
use crate::objects::buffer::Buffer;
use crate::objects::home::Home;
use crate::objects::host_buffer::HostBuffer;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_driver::{Address, Memcpy, MemcpyKind, MemcpyRows, Snapshot, Steps, Work};

/// Host memory of the caller's, by its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostPointer(pub(crate) usize);

impl HostPointer {
    /// The memory that starts at `pointer`.
    ///
    /// # Safety
    /// What a copy reads there must be readable, and hold still, until the copy has run; what it writes must be writable
    /// and otherwise unused. A recorded copy uses the memory at every replay.
    #[allow(unsafe_code)]
    pub unsafe fn new(pointer: *const c_void) -> HostPointer {
        HostPointer(pointer.addr())
    }
}

/// Start of a side of a copy, in objects that are borrowed ([`CopySide`]) or owned ([`OwnedSide`]).
#[derive(Clone, Copy)]
pub enum CopySideOf<B, H, S> {
    /// At a byte of a buffer.
    Buffer(B, usize),
    /// At a byte of a host buffer.
    HostBuffer(H, usize),
    /// In host memory of the caller's, which stays valid as long as the work and the graphs that it becomes a node of.
    Host(HostPointer),
    /// In bytes that were copied from host memory; a source only.
    Snapshot(S),
}

/// A side of borrowed objects.
pub type CopySide<'a> = CopySideOf<&'a Buffer, &'a HostBuffer, &'a Snapshot>;
/// A side that keeps its objects alive.
pub type OwnedSide = CopySideOf<Buffer, HostBuffer, Snapshot>;

/// Distances between the rows of a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pitch {
    /// Bytes from the start of a row to that of the next one; 0 where they follow each other.
    #[serde(with = "json_numbers")]
    pub bytes: usize,
    /// Rows from the start of a slice to that of the next one; 0 where they follow each other.
    #[serde(with = "json_numbers")]
    pub slice_height: usize,
}

/// A copy of `depth` slices of `height` rows of `width` bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CopyOf<S> {
    /// Place that is written.
    pub destination: S,
    /// Place that is read.
    pub source: S,
    /// Bytes in a row; with 0 there is nothing to copy.
    #[serde(serialize_with = "json_numbers::serialize")]
    pub width: usize,
    /// Rows in a slice; with 0 there is nothing to copy.
    #[serde(serialize_with = "json_numbers::serialize")]
    pub height: usize,
    /// Slices; with 0 there is nothing to copy.
    #[serde(serialize_with = "json_numbers::serialize")]
    pub depth: usize,
    /// Distance between the rows that are written.
    pub destination_pitch: Pitch,
    /// Distance between the rows that are read.
    pub source_pitch: Pitch,
}

/// A copy between borrowed objects.
pub type Copy<'a> = CopyOf<CopySide<'a>>;
/// A copy that keeps its objects alive.
pub type OwnedCopy = CopyOf<OwnedSide>;

/// A side of a copy, and how messages call what tells of it.
#[derive(Clone, Copy)]
struct SideNames {
    name: &'static str,
    pitch: &'static str,
    slice_height: &'static str,
}

const DESTINATION: SideNames =
    SideNames { name: "destination", pitch: "destination_pitch", slice_height: "destination_slice_height" };
const SOURCE: SideNames = SideNames { name: "source", pitch: "source_pitch", slice_height: "source_slice_height" };

impl<'a> CopySide<'a> {
    /// The memory that work on it uses.
    fn memory(&self) -> Option<&'a Buffer> {
        match self {
            CopySide::Buffer(buffer, _) => Some(buffer),
            CopySide::HostBuffer(buffer, _) => Some(buffer.memory()),
            CopySide::Host(_) | CopySide::Snapshot(_) => None,
        }
    }

    fn is_host(&self) -> bool {
        !matches!(self, CopySide::Buffer(..))
    }

    /// The address of the first byte, of `span` bytes that are there.
    #[inline]
    fn range(&self, side: SideNames, span: usize) -> Result<Address> {
        match self {
            CopySide::Buffer(buffer, offset) => buffer.range(side.name, *offset, span),
            CopySide::HostBuffer(buffer, offset) => buffer.memory().range(side.name, *offset, span),
            CopySide::Host(HostPointer(address)) => host_range(side.name, *address, span),
            CopySide::Snapshot(bytes) if span <= bytes.len() => Ok(bytes.as_ptr().addr() as Address),
            CopySide::Snapshot(bytes) => {
                Err(Error::invalid_value(format!("{span} bytes of a snapshot of {} cannot be copied", bytes.len())))
            }
        }
    }
}

impl<B: Borrow<Buffer>, H: Borrow<HostBuffer>, S: Borrow<Snapshot>> CopySideOf<B, H, S> {
    /// Borrows the objects of the side.
    pub(crate) fn lend(&self) -> CopySide<'_> {
        match self {
            CopySideOf::Buffer(buffer, offset) => CopySide::Buffer(buffer.borrow(), *offset),
            CopySideOf::HostBuffer(buffer, offset) => CopySide::HostBuffer(buffer.borrow(), *offset),
            CopySideOf::Host(pointer) => CopySide::Host(*pointer),
            CopySideOf::Snapshot(bytes) => CopySide::Snapshot(bytes.borrow()),
        }
    }
}

impl<B: Borrow<Buffer>, H: Borrow<HostBuffer>, S: Borrow<Snapshot>> CopyOf<CopySideOf<B, H, S>> {
    /// Borrows the objects of both sides.
    pub fn lend(&self) -> Copy<'_> {
        self.between(self.destination.lend(), self.source.lend())
    }
}

impl<S> CopyOf<S> {
    /// A copy of one row.
    pub fn of(destination: S, source: S, width: usize) -> CopyOf<S> {
        let (destination_pitch, source_pitch) = Default::default();
        CopyOf { destination, destination_pitch, source, source_pitch, width, height: 1, depth: 1 }
    }

    /// Returns this copy with other sides.
    #[inline]
    pub(crate) fn between<T>(&self, destination: T, source: T) -> CopyOf<T> {
        let CopyOf { width, height, depth, destination_pitch, source_pitch, .. } = *self;
        CopyOf { destination, source, width, height, depth, destination_pitch, source_pitch }
    }

    /// True of a copy of no bytes, no rows or no slices, which is no work.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0 || self.depth == 0
    }
}

impl<'a> Copy<'a> {
    /// Returns which way it goes, between objects that may be used there.
    #[inline]
    fn kind(&self, home: Home<'_>) -> Result<MemcpyKind> {
        for (place, what) in [
            (self.destination, ["the destination buffer", "the destination host buffer"]),
            (self.source, ["the source buffer", "the source host buffer"]),
        ] {
            if let Some(memory) = place.memory() {
                home.check(memory.context(), what[usize::from(place.is_host())])?;
            }
        }
        Ok(match (self.destination.is_host(), self.source.is_host()) {
            (false, true) => MemcpyKind::HostToDevice,
            (true, false) => MemcpyKind::DeviceToHost,
            (false, false) => match (self.destination.memory(), self.source.memory()) {
                (Some(to), Some(from)) if !to.context().is_beside(from.context()) => MemcpyKind::BetweenContexts,
                _ => MemcpyKind::DeviceToDevice,
            },
            (true, true) => MemcpyKind::HostToHost,
        })
    }

    /// The first row, as it is asked of the device; its sides have `written` and `read` bytes in all.
    #[inline]
    pub(crate) fn row(&self, kind: MemcpyKind, written: usize, read: usize) -> Result<Memcpy> {
        let destination = || self.destination.range(DESTINATION, written);
        let source = || self.source.range(SOURCE, read);
        // Of host memory little is known: what is wrong shows better at the other side.
        let (destination, source) = match kind {
            MemcpyKind::DeviceToHost => {
                let source = source()?;
                (destination()?, source)
            }
            _ => (destination()?, source()?),
        };
        Ok(Memcpy { destination, source, bytes: self.width, kind })
    }

    /// Its sides in host memory of the caller's; `written` and `read` as [`Copy::row`] has it.
    #[inline]
    fn host_sides(&self, row: &Memcpy, written: usize, read: usize) -> impl Iterator<Item = HostSide> {
        let side = |place: CopySide<'_>, is_written, address, bytes| {
            matches!(place, CopySide::Host(_)).then_some(HostSide { is_written, address, bytes })
        };
        let sides =
            [side(self.destination, true, row.destination, written), side(self.source, false, row.source, read)];
        sides.into_iter().flatten()
    }

    /// Refuses host memory of the caller's where `stream` is in a strict capture. `rows` is what the copy was resolved to.
    #[inline]
    pub(crate) fn check_host_memory(&self, stream: &Stream, rows: &MemcpyRows) -> Result<()> {
        strict::host_memory(stream, || {
            let [written, read] = [rows.destination_span(), rows.source_span()];
            self.host_sides(&rows.row, written.unwrap_or(usize::MAX), read.unwrap_or(usize::MAX))
        })
    }

    /// The bytes that are read, where they are a snapshot.
    #[inline]
    pub(crate) fn snapshot(&self) -> Option<&'a Snapshot> {
        match self.source {
            CopySide::Snapshot(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns what the copy uses.
    #[inline]
    pub(crate) fn operands(&self) -> impl Operands + 'a {
        ([self.destination.memory(), self.source.memory()], self.snapshot().map(Operand::Snapshot))
    }

    /// The steps of a side, and how many bytes it has from its first to its last.
    #[inline]
    fn span(&self, side: SideNames, pitch: Pitch) -> Result<(Steps, usize)> {
        let Copy { width, height, depth, .. } = *self;
        let steps = steps(side, pitch, width, height, depth)?;
        let span = steps.span(width, height, depth);
        Ok((steps, span.ok_or_else(|| too_large(side, width, height, depth))?))
    }

    /// Returns how many bytes the copy writes and reads, from the first to the last of each side.
    ///
    /// # Errors
    /// `INVALID_VALUE` when a pitch is less than what it steps over, or when no memory has so many bytes.
    pub(crate) fn extents(&self) -> Result<[usize; 2]> {
        if self.is_empty() {
            return Ok([0, 0]);
        }
        let sides = [(DESTINATION, self.destination_pitch), (SOURCE, self.source_pitch)];
        let [written, read] = sides.map(|(side, pitch)| self.span(side, pitch).map(|(_, span)| span));
        Ok([written?, read?])
    }

    /// Returns what a device is asked to copy; `None` where there is nothing to copy.
    pub(crate) fn resolve(&self, home: Home<'_>) -> Result<Option<MemcpyRows>> {
        let kind = self.kind(home)?;
        if self.is_empty() {
            return Ok(None);
        }
        let (destination, written) = self.span(DESTINATION, self.destination_pitch)?;
        let (source, read) = self.span(SOURCE, self.source_pitch)?;
        let row = self.row(kind, written, read)?;
        let rows = MemcpyRows { row, height: self.height, depth: self.depth, destination, source }.within_reach();
        if kind == MemcpyKind::BetweenContexts {
            let sides = [self.destination.memory(), self.source.memory()];
            sides.iter().flatten().try_for_each(|buffer| buffer.let_copy_reach(home.context))?;
        }
        if may_overlap(&row, written, read) && rows.joined().overlaps_itself() {
            return Err(overlap());
        }
        Ok(Some(rows))
    }
}

/// Returns whether the ranges that a copy writes and reads within have bytes in common. The addresses of the host and of devices
/// are of one space: where they are the same, so is the memory.
#[inline]
pub(crate) fn may_overlap(row: &Memcpy, written: usize, read: usize) -> bool {
    row.destination < row.source + read as Address && row.source < row.destination + written as Address
}

#[cold]
pub(crate) fn overlap() -> Error {
    Error::invalid_value(
        "the destination of the copy overlaps its source; copy in pieces that do not, or through another buffer",
    )
}

/// Returns how far apart the rows of a side are, in bytes: 0 where there is one row and no pitch is given, and from slice to slice where
/// there is one.
fn steps(side: SideNames, pitch: Pitch, width: usize, height: usize, depth: usize) -> Result<Steps> {
    let row = if pitch.bytes == 0 { width } else { pitch.bytes };
    if row < width {
        return Err(Error::invalid_value(format!(
            "{} is {row}, less than the {width} bytes of a row; give the bytes from row to row, or 0 where rows follow \
             each other",
            side.pitch
        )));
    }
    let slice_height = if pitch.slice_height == 0 { height } else { pitch.slice_height };
    if slice_height < height {
        return Err(Error::invalid_value(format!(
            "{} is {slice_height}, less than the {height} rows of a slice; give the rows from slice to slice, or 0 where \
             slices follow each other",
            side.slice_height
        )));
    }
    let slice = match (depth, row.checked_mul(slice_height)) {
        (1, _) => 0,
        (_, Some(slice)) => slice,
        (_, None) => return Err(too_large(side, width, height, depth)),
    };
    match (height, depth, pitch.bytes) {
        (1, 1, 0) => Ok(Steps::default()),
        _ => Ok(Steps { row, slice }),
    }
}

#[cold]
fn too_large(side: SideNames, width: usize, height: usize, depth: usize) -> Error {
    Error::invalid_value(format!(
        "the {} of the copy, {depth} slices of {height} rows of {width} bytes with the given pitch, is larger than memory \
         can be; check the sizes",
        side.name
    ))
}

impl Stream {
    /// Copies rows between buffers, host buffers and host memory. Nothing to copy: nothing is queued.
    ///
    /// # Errors
    /// `INVALID_VALUE` when a pitch is less than what it steps over, when a range overruns its buffer or is no memory,
    /// or when the two sides overlap; `INVALID_CONTEXT`; what the capture rules say.
    pub fn memcpy(&self, copy: &Copy<'_>) -> Result<()> {
        let Some(rows) = copy.resolve(self.home())? else { return Ok(()) };
        copy.check_host_memory(self, &rows)?;
        self.submit_work(Operation::Memcpy, &copy.operands(), &Work::Memcpy { rows, snapshot: copy.snapshot() })
    }

    /// Submits a copy of one row, which the quick way of recording is for.
    #[inline]
    fn submit_row(&self, operation: Operation, copy: &Copy<'_>) -> Result<()> {
        let kind = copy.kind(self.home())?;
        if copy.width == 0 {
            return Ok(());
        }
        let row = copy.row(kind, copy.width, copy.width)?;
        if may_overlap(&row, copy.width, copy.width) {
            return Err(overlap());
        }
        strict::host_memory(self, || copy.host_sides(&row, copy.width, copy.width))?;
        self.submit_work(operation, &copy.operands(), &Work::Memcpy { rows: MemcpyRows::one(row), snapshot: None })
    }

    /// Returns whether [`Stream::memcpy`] finds nothing wrong with a copy, before its source is read.
    ///
    /// # Errors
    /// As [`Stream::memcpy`], but for what the capture rules say.
    pub fn check_memcpy(&self, copy: &Copy<'_>) -> Result<()> {
        copy.resolve(self.home()).map(drop)
    }

    /// Copies `bytes` bytes from host memory to byte `offset` of `destination`. No bytes: nothing is queued.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the range overruns the buffer or `source` is null; `INVALID_CONTEXT`; what the
    /// capture rules say.
    ///
    /// # Safety
    /// `source` must be readable for `bytes` bytes and hold still until the copy has run. A recorded copy
    /// reads it at every replay.
    #[allow(unsafe_code)]
    pub unsafe fn memcpy_htod(
        &self,
        destination: &Buffer,
        offset: usize,
        source: *const c_void,
        bytes: usize,
    ) -> Result<()> {
        self.memcpy_host(MemcpyKind::HostToDevice, destination, offset, source.addr(), bytes)
    }

    /// Copies `bytes` bytes from byte `offset` of `source` to host memory. No bytes: nothing is queued.
    ///
    /// # Errors
    /// As [`Stream::memcpy_htod`].
    ///
    /// # Safety
    /// `destination` must be writable for `bytes` bytes and otherwise unused until the copy has run. A
    /// recorded copy writes it at every replay.
    #[allow(unsafe_code)]
    pub unsafe fn memcpy_dtoh(
        &self,
        destination: *mut c_void,
        source: &Buffer,
        offset: usize,
        bytes: usize,
    ) -> Result<()> {
        self.memcpy_host(MemcpyKind::DeviceToHost, source, offset, destination.addr(), bytes)
    }

    /// Copies between `buffer` and the host memory at address `host`, to the device or else from it.
    pub(crate) fn memcpy_host(
        &self,
        kind: MemcpyKind,
        buffer: &Buffer,
        offset: usize,
        host: usize,
        bytes: usize,
    ) -> Result<()> {
        let (buffer, host) = (CopySide::Buffer(buffer, offset), CopySide::Host(HostPointer(host)));
        match kind {
            MemcpyKind::HostToDevice => self.submit_row(Operation::MemcpyToDevice, &Copy::of(buffer, host, bytes)),
            _ => self.submit_row(Operation::MemcpyToHost, &Copy::of(host, buffer, bytes)),
        }
    }

    /// Copies `bytes` bytes between two buffers, or between two ranges of one that do not overlap. No bytes:
    /// nothing is queued.
    ///
    /// # Errors
    /// `INVALID_VALUE` when a range overruns its buffer, or the two overlap; `INVALID_CONTEXT`; what the capture rules
    /// say.
    pub fn memcpy_dtod(
        &self,
        destination: &Buffer,
        destination_offset: usize,
        source: &Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let (to, from) = (CopySide::Buffer(destination, destination_offset), CopySide::Buffer(source, source_offset));
        self.submit_row(Operation::MemcpyOnDevice, &Copy::of(to, from, bytes))
    }
}

impl Context {
    /// Copies as [`Stream::memcpy`] does on the legacy stream, and returns when the copy has run. Nothing to copy: it does
    /// not wait.
    ///
    /// # Errors
    /// As [`Stream::memcpy`] on the legacy stream; the status of a fault when work failed while it ran.
    pub fn memcpy(&self, copy: &Copy<'_>) -> Result<()> {
        self.at_once(!copy.is_empty(), |legacy| legacy.memcpy(copy))
    }

    /// Waits for what `submit` submits, if there is something to do.
    pub(crate) fn at_once(&self, has_work: bool, submit: impl FnOnce(&Stream) -> Result<()>) -> Result<()> {
        submit(&self.legacy_stream())?;
        if !has_work {
            return Ok(());
        }
        // Whoever broke a capture meanwhile, it was not this wait.
        self.driver()?
            .finish_legacy()
            .map_err(|error| black_box::failed(Some(self), None, About::Harmless(None), error))
    }
}

/// The address of a host range that must exist.
#[inline]
fn host_range(what: &str, address: usize, bytes: usize) -> Result<Address> {
    if address != 0 && address.checked_add(bytes).is_some() {
        return Ok(address as Address);
    }
    Err(Error::invalid_value(format!(
        "{what} must be host memory of {bytes} bytes; {address:#x} is {}",
        if address == 0 { "NULL" } else { "too close to the end of the address space" }
    )))
}

#[cfg(test)]
#[path = "copy_tests.rs"]
mod tests;
