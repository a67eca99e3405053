//! Copies: what of buffers and of host memory they read and write, checked before a device sees them.

use std::ffi::c_void;
use std::sync::Arc;

use super::black_box::{self, About, Operation};
use super::buffer::Buffer;
use super::context::Home;
use super::host_buffer::HostBuffer;
use super::operands::{Operand, Operands};
use super::state::{Context, Loan, Stream};
use crate::driver::{Address, DeviceKind, Memcpy, MemcpyKind, MemcpyRows, Snapshot, Steps, Work};
use crate::error::{Error, Result, Status};

/// Host memory of the caller's, by its address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostPointer(pub(super) usize);

impl HostPointer {
    /// The memory that starts at `pointer`.
    ///
    /// # Safety
    /// What a copy reads there must be readable, and hold still, until the copy has run; what it writes must be writable
    /// and otherwise unused. A recorded copy uses the memory at every replay.
    pub unsafe fn new(pointer: *const c_void) -> HostPointer {
        HostPointer(pointer.addr())
    }
}

/// Where a side of a copy begins.
#[derive(Clone, Copy)]
pub enum Place<'a> {
    /// At a byte of a buffer.
    Buffer(&'a Buffer, usize),
    /// At a byte of a host buffer.
    HostBuffer(&'a HostBuffer, usize),
    /// In host memory of the caller's.
    Host(HostPointer),
    /// In bytes that were copied from host memory; a source only.
    Snapshot(&'a Snapshot),
}

/// How far apart the rows of a side are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pitch {
    /// Bytes from the start of a row to that of the next one; 0 where they follow each other.
    pub bytes: usize,
    /// Rows from the start of a slice to that of the next one; 0 where they follow each other.
    pub slice_height: usize,
}

/// A copy of `depth` slices of `height` rows of `width` bytes.
#[derive(Clone, Copy)]
pub struct Copy<'a> {
    /// What is written.
    pub destination: Place<'a>,
    /// How far apart its rows are.
    pub destination_pitch: Pitch,
    /// What is read.
    pub source: Place<'a>,
    /// How far apart its rows are.
    pub source_pitch: Pitch,
    /// Bytes in a row; with 0 there is nothing to copy.
    pub width: usize,
    /// Rows in a slice; 0 for 1.
    pub height: usize,
    /// Slices; 0 for 1.
    pub depth: usize,
}

/// Which side of a copy, and how messages call what tells of it.
#[derive(Clone, Copy)]
struct Side {
    name: &'static str,
    pitch: &'static str,
    slice_height: &'static str,
}

const DESTINATION: Side =
    Side { name: "destination", pitch: "destination_pitch", slice_height: "destination_slice_height" };
const SOURCE: Side = Side { name: "source", pitch: "source_pitch", slice_height: "source_slice_height" };

impl<'a> Place<'a> {
    /// The memory that work on it uses.
    fn memory(&self) -> Option<&'a Buffer> {
        match self {
            Place::Buffer(buffer, _) => Some(buffer),
            Place::HostBuffer(buffer, _) => Some(buffer.memory()),
            Place::Host(_) | Place::Snapshot(_) => None,
        }
    }

    fn is_host(&self) -> bool {
        !matches!(self, Place::Buffer(..))
    }

    /// The address of the first byte, of `span` bytes that are there.
    #[inline]
    fn range(&self, side: Side, span: usize) -> Result<Address> {
        match self {
            Place::Buffer(buffer, offset) => buffer.range(side.name, *offset, span),
            Place::HostBuffer(buffer, offset) => buffer.memory().range(side.name, *offset, span),
            Place::Host(HostPointer(address)) => host_range(side.name, *address, span),
            Place::Snapshot(bytes) if span <= bytes.len() => Ok(bytes.as_ptr().addr() as Address),
            Place::Snapshot(bytes) => {
                Err(Error::invalid_value(format!("{span} bytes of a snapshot of {} cannot be copied", bytes.len())))
            }
        }
    }
}

impl<'a> Copy<'a> {
    /// Of one row.
    pub(super) fn of(destination: Place<'a>, source: Place<'a>, width: usize) -> Copy<'a> {
        let pitch = Pitch::default();
        Copy { destination, destination_pitch: pitch, source, source_pitch: pitch, width, height: 1, depth: 1 }
    }

    /// Which way it goes, between objects that may be used there.
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
        match (self.destination.is_host(), self.source.is_host()) {
            (false, true) => Ok(MemcpyKind::HostToDevice),
            (true, false) => Ok(MemcpyKind::DeviceToHost),
            (false, false) => Ok(MemcpyKind::DeviceToDevice),
            (true, true) => Err(Error::invalid_value(
                "both sides of the copy are host memory, which no device is needed for; use memcpy() of the C library",
            )),
        }
    }

    /// The first row, as it is asked of the device; its sides have `written` and `read` bytes in all.
    #[inline]
    fn row(&self, kind: MemcpyKind, written: usize, read: usize) -> Result<Memcpy> {
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

    /// What the copy uses.
    #[inline]
    pub(super) fn operands(&self) -> CopyOperands<'a> {
        let snapshot = match self.source {
            Place::Snapshot(bytes) => Some(bytes),
            _ => None,
        };
        CopyOperands { memory: [self.destination.memory(), self.source.memory()], snapshot }
    }

    /// What a device is asked to copy; `None` where there is nothing to copy.
    pub(super) fn resolve(&self, home: Home<'_>) -> Result<Option<MemcpyRows>> {
        let kind = self.kind(home)?;
        if self.width == 0 {
            return Ok(None);
        }
        let (height, depth) = (self.height.max(1), self.depth.max(1));
        let span = |side: Side, pitch: Pitch| {
            let steps = steps(side, pitch, self.width, height, depth)?;
            let span = steps.span(self.width, height, depth);
            Ok((steps, span.ok_or_else(|| too_large(side, self.width, height, depth))?))
        };
        let (destination, written) = span(DESTINATION, self.destination_pitch)?;
        let (source, read) = span(SOURCE, self.source_pitch)?;
        let row = self.row(kind, written, read)?;
        let rows = MemcpyRows { row, height, depth, destination, source }.joined();
        if may_overlap(&row, written, read) && rows.overlaps_itself() {
            return Err(overlap());
        }
        Ok(Some(rows))
    }
}

/// Whether the ranges that a copy writes and reads within have bytes in common. The addresses of the host and of devices
/// are of one space: where they are the same, so is the memory.
#[inline]
fn may_overlap(row: &Memcpy, written: usize, read: usize) -> bool {
    row.destination < row.source + read as Address && row.source < row.destination + written as Address
}

#[cold]
fn overlap() -> Error {
    Error::invalid_value(
        "the destination of the copy overlaps its source; copy in pieces that do not, or through another buffer",
    )
}

/// How far apart the rows of a side are, in bytes.
fn steps(side: Side, pitch: Pitch, width: usize, height: usize, depth: usize) -> Result<Steps> {
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
    let slice = match (row.checked_mul(slice_height), depth) {
        (Some(slice), _) => slice,
        // Not stepped over.
        (None, 1) => 0,
        (None, _) => return Err(too_large(side, width, height, depth)),
    };
    Ok(Steps { row, slice })
}

#[cold]
fn too_large(side: Side, width: usize, height: usize, depth: usize) -> Error {
    Error::invalid_value(format!(
        "the {} of the copy, {depth} slices of {height} rows of {width} bytes with the given pitch, is larger than memory \
         can be; check the sizes",
        side.name
    ))
}

/// What a copy uses.
pub(super) struct CopyOperands<'a> {
    memory: [Option<&'a Buffer>; 2],
    snapshot: Option<&'a Snapshot>,
}

impl<'a> CopyOperands<'a> {
    /// The bytes that are read, where they are a snapshot.
    pub(super) fn snapshot(&self) -> Option<&'a Snapshot> {
        self.snapshot
    }
}

impl Operands for CopyOperands<'_> {
    #[inline]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.memory.iter().flatten().all(|buffer| is_so(Operand::Buffer(buffer)))
            && self.snapshot.is_none_or(|snapshot| is_so(Operand::Snapshot(snapshot)))
    }
}

/// What a copy between contexts uses, each side with its loan where it is of another context than the stream.
struct PeerOperands<'a>([(&'a Buffer, Option<Arc<Loan>>); 2]);

impl Operands for PeerOperands<'_> {
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        self.0.iter().all(|(buffer, loan)| match loan {
            Some(loan) => is_so(Operand::Lent(buffer, loan)),
            None => is_so(Operand::Buffer(buffer)),
        })
    }
}

/// What messages call a kind of device.
fn kind_name(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::Cuda => "a CUDA device",
        DeviceKind::Host => "the host device",
    }
}

#[cold]
fn other_kind(what: &str, theirs: DeviceKind, ours: DeviceKind) -> Error {
    let (theirs, ours) = (kind_name(theirs), kind_name(ours));
    let message = format!(
        "{what} belongs to a context on {theirs}, and the stream to one on {ours}; copy to host memory and from there"
    );
    Error::new(Status::INVALID_CONTEXT, message)
}

impl Stream {
    /// Copies rows between buffers, host buffers and host memory. Nothing to copy: nothing is queued.
    ///
    /// # Errors
    /// `INVALID_VALUE` when a pitch is less than what it steps over, when a range overruns its buffer or is no memory,
    /// when the two sides overlap, or both are host memory; `INVALID_CONTEXT`; what the capture rules say.
    pub fn memcpy(&self, copy: &Copy<'_>) -> Result<()> {
        let Some(rows) = copy.resolve(self.home())? else { return Ok(()) };
        let operands = copy.operands();
        self.submit_work(Operation::Memcpy, &operands, &Work::Memcpy { rows, snapshot: operands.snapshot })
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
        self.submit_work(operation, &copy.operands(), &Work::Memcpy { rows: MemcpyRows::one(row), snapshot: None })
    }

    /// Whether [`Stream::memcpy`] finds nothing wrong with a copy, before its source is read.
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
    pub(super) fn memcpy_host(
        &self,
        kind: MemcpyKind,
        buffer: &Buffer,
        offset: usize,
        host: usize,
        bytes: usize,
    ) -> Result<()> {
        let (buffer, host) = (Place::Buffer(buffer, offset), Place::Host(HostPointer(host)));
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
        let (to, from) = (Place::Buffer(destination, destination_offset), Place::Buffer(source, source_offset));
        self.submit_row(Operation::MemcpyOnDevice, &Copy::of(to, from, bytes))
    }

    /// Copies as [`Stream::memcpy_dtod`] does between buffers of any contexts on devices of one kind.
    ///
    /// # Errors
    /// As [`Stream::memcpy_dtod`], but `INVALID_CONTEXT` only for a buffer of a context on another kind of device;
    /// `OUT_OF_MEMORY`.
    pub fn memcpy_peer(
        &self,
        destination: &Buffer,
        destination_offset: usize,
        source: &Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        let ours = self.context().device().kind;
        for (buffer, what) in [(destination, "the destination buffer"), (source, "the source buffer")] {
            let theirs = buffer.context().device().kind;
            if theirs != ours {
                return Err(other_kind(what, theirs, ours));
            }
        }
        if bytes == 0 {
            return Ok(());
        }
        let (to, from) = (Place::Buffer(destination, destination_offset), Place::Buffer(source, source_offset));
        let is_within = [destination, source].iter().all(|buffer| buffer.context().is(self.context()));
        let kind = if is_within { MemcpyKind::DeviceToDevice } else { MemcpyKind::BetweenContexts };
        let row = Copy::of(to, from, bytes).row(kind, bytes, bytes)?;
        if may_overlap(&row, bytes, bytes) {
            return Err(overlap());
        }
        let (to, from) = (destination.lend(self.context())?, source.lend(self.context())?);
        let operands = PeerOperands([(destination, to), (source, from)]);
        self.submit_work(Operation::MemcpyPeer, &operands, &Work::Memcpy { rows: MemcpyRows::one(row), snapshot: None })
    }
}

impl Context {
    /// Copies as [`Stream::memcpy`] does on the legacy stream, and returns when the copy has run. Nothing to copy: it does
    /// not wait.
    ///
    /// # Errors
    /// As [`Stream::memcpy`] on the legacy stream; the status of a fault when work failed while it ran.
    pub fn memcpy(&self, copy: &Copy<'_>) -> Result<()> {
        self.at_once(copy.width > 0, |legacy| legacy.memcpy(copy))
    }

    /// Copies as [`Stream::memcpy_peer`] does on the legacy stream, and returns when the copy has run. No bytes: it does not
    /// wait.
    ///
    /// # Errors
    /// As [`Stream::memcpy_peer`] on the legacy stream; the status of a fault when work failed while it ran.
    pub fn memcpy_peer(
        &self,
        destination: &Buffer,
        destination_offset: usize,
        source: &Buffer,
        source_offset: usize,
        bytes: usize,
    ) -> Result<()> {
        self.at_once(bytes > 0, |legacy| {
            legacy.memcpy_peer(destination, destination_offset, source, source_offset, bytes)
        })
    }

    /// Waits for what `submit` submits, if there is something to do.
    pub(super) fn at_once(&self, has_work: bool, submit: impl FnOnce(&Stream) -> Result<()>) -> Result<()> {
        submit(&self.legacy_stream())?;
        if !has_work {
            return Ok(());
        }
        // Whoever broke a capture meanwhile, it was not this wait.
        self.driver().finish_legacy().map_err(|error| black_box::failed(None, About::Harmless(None), error))
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
mod tests {
    use super::*;
    use crate::core::fake_driver::{rejected, FakeDriver};
    use crate::driver::{HostMemoryOptions, StreamId, StreamOptions};
    use crate::error::Status;
    use crate::rules::CaptureMode;

    const MAX: usize = usize::MAX;

    #[test]
    fn rows_are_told_to_the_device_as_few_as_possible() {
        let (driver, context) = FakeDriver::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let (a, b) = (Buffer::allocate(&context, 4096).unwrap(), Buffer::allocate(&context, 4096).unwrap());
        let mut copy = Copy::of(Place::Buffer(&a, 16), Place::Buffer(&b, 8), 10);
        (copy.height, copy.depth) = (3, 2);
        stream.memcpy(&copy).unwrap();
        assert_eq!(driver.copies(), [], "rows that follow each other are one");
        copy.destination_pitch = Pitch { bytes: 32, slice_height: 4 };
        stream.memcpy(&copy).unwrap();
        let [rows] = driver.copies()[..] else { panic!("one copy") };
        assert_eq!((rows.row.destination, rows.row.source), (a.address() + 16, b.address() + 8));
        assert_eq!((rows.row.bytes, rows.height, rows.depth), (10, 3, 2));
        assert_eq!((rows.destination, rows.source), (Steps { row: 32, slice: 128 }, Steps { row: 10, slice: 30 }));
    }

    #[test]
    fn what_cannot_be_copied_is_named() {
        let (driver, context) = FakeDriver::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let (a, b) = (Buffer::allocate(&context, 64).unwrap(), Buffer::allocate(&context, 1024).unwrap());
        let host = Place::Host(HostPointer(4096));
        let good = Copy { height: 4, ..Copy::of(Place::Buffer(&a, 0), Place::Buffer(&b, 0), 16) };
        let calls = driver.calls();
        let pitch = |bytes, slice_height| Pitch { bytes, slice_height };
        rejected(stream.memcpy(&Copy { destination_pitch: pitch(15, 0), ..good }), "destination_pitch");
        rejected(stream.memcpy(&Copy { source_pitch: pitch(1, 0), ..good }), "source_pitch");
        rejected(stream.memcpy(&Copy { source_pitch: pitch(0, 3), ..good }), "source_slice_height");
        rejected(stream.memcpy(&Copy { destination_pitch: pitch(0, 1), ..good }), "destination_slice_height");
        rejected(stream.memcpy(&Copy { destination_pitch: pitch(17, 0), ..good }), "destination");
        rejected(stream.memcpy(&Copy { source: Place::Buffer(&b, 1000), ..good }), "source");
        rejected(stream.memcpy(&Copy { width: MAX, ..good }), "destination");
        rejected(stream.memcpy(&Copy { height: MAX, ..good }), "destination");
        rejected(stream.memcpy(&Copy { depth: MAX, ..good }), "destination");
        rejected(stream.memcpy(&Copy { source_pitch: pitch(MAX, MAX), ..good }), "source");
        rejected(stream.memcpy(&Copy { source: Place::Host(HostPointer(0)), ..good }), "source");
        rejected(stream.memcpy(&Copy { source: Place::Host(HostPointer(MAX - 62)), ..good }), "source");
        rejected(stream.memcpy(&Copy { destination: host, source: host, ..good }), "both sides");
        let within = |to, from| Copy { destination: Place::Buffer(&b, to), source: Place::Buffer(&b, from), ..good };
        rejected(stream.memcpy(&within(63, 0)), "overlaps");
        rejected(stream.memcpy(&within(0, 0)), "overlaps");
        let columns = |to| Copy { source_pitch: pitch(32, 0), destination_pitch: pitch(32, 0), ..within(to, 0) };
        rejected(stream.memcpy(&columns(15)), "overlaps");
        assert_eq!(driver.calls(), calls, "the device is not asked");
        // The CPU may know the memory by the same address.
        let by_pointer = |at| Place::Host(HostPointer(b.address() as usize + at));
        rejected(stream.memcpy(&Copy { source: by_pointer(63), ..within(0, 0) }), "overlaps");
        rejected(stream.memcpy(&Copy { destination: by_pointer(63), ..within(0, 0) }), "overlaps");
        rejected(stream.memcpy_host(MemcpyKind::DeviceToHost, &b, 8, b.address() as usize, 9), "overlaps");
        assert_eq!(driver.calls(), calls, "the device is not asked");
        stream.memcpy_host(MemcpyKind::DeviceToHost, &b, 8, b.address() as usize, 8).unwrap();
        stream.memcpy(&columns(16)).unwrap();
        stream.memcpy(&within(64, 0)).unwrap();
        stream.memcpy(&Copy { width: 0, height: MAX, ..good }).unwrap();
    }

    #[test]
    fn a_graph_keeps_host_buffers_and_snapshots() {
        let (driver, context) = FakeDriver::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let device = Buffer::allocate(&context, 64).unwrap();
        let pinned = HostBuffer::allocate(&context, 64, HostMemoryOptions::default()).unwrap();
        let at = pinned.address();
        let bytes: Snapshot = vec![7; 64].into();
        stream.begin_capture(CaptureMode::Global).unwrap();
        stream.memcpy(&Copy::of(Place::Buffer(&device, 0), Place::HostBuffer(&pinned, 0), 64)).unwrap();
        stream.memcpy(&Copy::of(Place::Buffer(&device, 0), Place::Snapshot(&bytes), 64)).unwrap();
        let graph = stream.end_capture().unwrap();
        let exec = graph.instantiate().unwrap();
        drop((graph, pinned, device, bytes));
        assert!(driver.is_allocated(at));
        exec.launch(&stream).unwrap();
        assert_eq!(driver.violations(), Vec::<String>::new());
        drop(exec);
        assert!(!driver.is_allocated(at));
    }

    #[test]
    fn a_capture_does_not_keep_the_snapshot_of_a_copy_that_failed() {
        let (driver, context) = FakeDriver::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let device = Buffer::allocate(&context, 64).unwrap();
        let bytes: Snapshot = vec![7; 64].into();
        let copy = Copy::of(Place::Buffer(&device, 0), Place::Snapshot(&bytes), 64);
        stream.begin_capture(CaptureMode::Global).unwrap();
        stream.memcpy(&copy).unwrap();
        let kept = Arc::strong_count(&bytes);
        driver.fail("memcpy_rows", Status::CAPTURE_INVALIDATED);
        stream.memcpy(&copy).unwrap_err();
        assert_eq!(Arc::strong_count(&bytes), kept);
        drop(stream.end_capture().unwrap());
        assert_eq!(Arc::strong_count(&bytes), 1);
    }

    #[test]
    fn a_copy_at_once_is_waited_for_and_a_failed_one_is_not() {
        let (driver, context) = FakeDriver::context();
        let buffer = Buffer::allocate(&context, 64).unwrap();
        let copy = Copy::of(Place::Buffer(&buffer, 0), Place::Host(HostPointer(4096)), 64);
        let before = driver.calls();
        context.memcpy(&copy).unwrap();
        assert_eq!((driver.executed(), driver.calls() - before), (vec![StreamId::LEGACY], 2));
        rejected(context.memcpy(&Copy { width: 65, ..copy }), "65");
        context.memcpy(&Copy { width: 0, ..copy }).unwrap();
        assert_eq!(driver.calls() - before, 2);
    }
}
