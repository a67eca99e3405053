//! The form of trace files. docs/architecture/trace-file.md describes it; the library writes it and the converter reads it.
//!
//! A file is a header and chunks of one size. A chunk belongs to one thread, and has a head and records of 40 bytes. All numbers are
//! little-endian. A chunk whose thread is 0 was never used, and a record of kind 0 was never begun.

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"GCTRACE1";
/// Bytes of the header, and of each chunk.
pub const CHUNK: usize = 64 * 1024;
/// Word of the header from which on it has the moments at which the trace was read, by the counter and by the clock.
pub const MOMENTS: usize = 16;
/// Bytes of a record.
pub const RECORD: usize = 40;
/// Bytes of the head of a chunk.
pub const HEAD: usize = 64;
/// Records that a chunk has room for.
pub const RECORDS: usize = (CHUNK - HEAD) / RECORD;
/// Bytes of text at most in a record of kind [`Kind::Text`].
pub const TEXT: usize = 24;
/// In place of a duration: the work had not ended when the trace did.
pub const OPEN: u64 = u64::MAX;

/// In the number of a record of kind [`Kind::Ran`]: its name is a kind, and no kernel.
pub const IS_KIND: u32 = 1 << 31;
/// The bit from which on the stream of such a record has the number of the device.
const DEVICE: u32 = 24;

/// The stream in a record of kind [`Kind::Ran`]: each device has numbers of its own.
pub fn stream_of(device: u32, stream: u32) -> u32 {
    device << DEVICE | (stream & ((1 << DEVICE) - 1))
}

/// The device of such a stream.
pub fn device_of(stream: u32) -> u32 {
    stream >> DEVICE
}

/// Kind of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A part of a text. Its first word has the number of its bytes behind the kind, then the number of the part in 16 bits, and the id
    /// in its upper half. Three words of text follow.
    Text = 1,
    /// A call: `name` is its function.
    Call = 2,
    /// A replay, or a part that one lane walked: `exec`, `launch`, `stream`.
    Replay = 3,
    /// A node as it ran: `exec`, `launch`, `stream`, `number` is its step, `name` the number of the body that has it, 0 for the graph.
    Node = 4,
    /// Description of a node: `exec`, `number` its step, `launch` its body, `name` what it is called, `begin` the id of its kernel's name,
    /// `stream` that of its kind.
    Step = 5,
    /// Description of an exec: `exec`, `name` is what its graph is called.
    Exec = 6,
    /// A mark of the program's: `name`.
    Mark = 7,
    /// A capture, from its begin to its end: `stream`. It is written at the end.
    Capture = 8,
    /// A number that changes: `name`, and the value in place of the duration.
    Counter = 9,
    /// Work of a stream that is in no graph: `stream`, `name`.
    Work = 10,
    /// Description of a stream: `stream`, `number` is what the program knows it by, `name` what messages call it.
    Stream = 11,
    /// Edge of an exec: `exec`, `launch` its body, from the step `name` to the step `number`.
    Edge = 12,
    /// Launch that was asked for: `exec`, `launch`, `stream`.
    Launch = 13,
    /// Launch by the number that a profiler gave it: `exec`, `launch`, `stream`, `number`.
    Correlated = 14,
    /// Work that ran on a device, as a profiler tells it: `launch` is the profiler's number of the launch, `exec` that of the exec, 0 for work in no
    /// graph, `number` the step, `stream` the device and its number of the stream ([`stream_of`]), `name` the kernel, or the kind where `number` has [`IS_KIND`].
    Ran = 15,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 15] = [
        Kind::Text,
        Kind::Call,
        Kind::Replay,
        Kind::Node,
        Kind::Step,
        Kind::Exec,
        Kind::Mark,
        Kind::Capture,
        Kind::Counter,
        Kind::Work,
        Kind::Stream,
        Kind::Edge,
        Kind::Launch,
        Kind::Correlated,
        Kind::Ran,
    ];
}

/// A record, but for texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The kind.
    pub kind: Kind,
    /// The id of a text.
    pub name: u32,
    /// Begin, by [`crate::clock::stamp`] where it is written and in nanoseconds of the monotonic clock where it was read; of captures and of
    /// what profilers tell always in nanoseconds.
    pub begin: u64,
    /// Duration by the same clock, or [`OPEN`].
    pub duration: u64,
    /// Number of an exec in this trace.
    pub exec: u32,
    /// Number of a launch.
    pub launch: u32,
    /// Number of a stream.
    pub stream: u32,
    /// Number of a step or a text.
    pub number: u32,
}

impl Entry {
    /// Time at which a span has ended; the last one there is for one without an end.
    pub const fn end_of_span(&self) -> u64 {
        self.begin.saturating_add(self.duration)
    }

    /// A record of a kind without anything.
    pub const fn of(kind: Kind) -> Entry {
        Entry { kind, name: 0, begin: 0, duration: 0, exec: 0, launch: 0, stream: 0, number: 0 }
    }

    /// The record as words, of which the second one is the duration and the first one has the kind. The kind is written last.
    #[inline]
    pub fn words(&self) -> [u64; 5] {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [
            pair(self.kind as u32, self.name),
            self.duration,
            self.begin,
            pair(self.exec, self.launch),
            pair(self.stream, self.number),
        ]
    }
}
