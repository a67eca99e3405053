//! The trace: what ran, where and when, in a file that a converter reads. Each thread writes records into chunks of its own, so that
//! a record costs some stores and a look at the clock.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

use crate::clock;
use crate::format::{Entry, Kind, CHUNK, HEAD, OPEN, RECORD, RECORDS, TEXT};
use crate::mapping::Mapping;
use crate::nvtx;
use crate::read::{Reader, TraceFile};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::{defer, Deferred};

/// The limit of a trace for which nobody gave one: 1 GiB.
pub const USUAL_LIMIT: u64 = 1 << 30;

/// A trace that goes on.
#[derive(Default)]
struct Ongoing {
    /// The file; `None` where ranges for a tool are all there is.
    mapping: Option<Arc<Mapping>>,
    texts: HashMap<String, u32>,
    /// Names for a tool.
    names: nvtx::Names,
}

/// The number of a trace, and the function that brings what is still to be written of it.
type Bring = (u32, fn(bool));

/// The trace of the process.
struct Trace {
    /// The number of the trace that goes on; 0 while none does.
    on: AtomicU32,
    /// The number of the latest trace.
    latest: AtomicU32,
    /// The number of the latest exec that was named.
    execs: AtomicU32,
    ongoing: Mutex<Option<Ongoing>, rank::Trace>,
    /// Brings what is still to be written, and tells whether the trace ends.
    bring: Mutex<Option<Bring>, rank::Trace>,
}

static TRACE: Trace = Trace {
    on: AtomicU32::new(0),
    latest: AtomicU32::new(0),
    execs: AtomicU32::new(0),
    ongoing: Mutex::new(None),
    bring: Mutex::new(None),
};

/// Replay that a thread works on.
#[derive(Clone, Copy, Default)]
pub struct Replay {
    /// Number of the exec in the trace.
    pub exec: u32,
    /// Number of the launch.
    pub launch: u32,
    /// Number of the stream.
    pub stream: u32,
}

/// The part of a trace that a thread writes.
struct Writer {
    trace: u32,
    mapping: Option<Arc<Mapping>>,
    next: *mut u8,
    left: usize,
    replay: Replay,
    /// Ids of texts that never change.
    names: Vec<(&'static str, u32)>,
}

thread_local! {
    static WRITER: RefCell<Writer> = const {
        let replay = Replay { exec: 0, launch: 0, stream: 0 };
        RefCell::new(Writer { trace: 0, mapping: None, next: std::ptr::null_mut(), left: 0, replay, names: Vec::new() })
    };
}

/// A record whose end is not written yet, a range of a tool's that has not ended, or both. It is of the thread that made it.
pub struct Span {
    trace: u32,
    begin: u64,
    /// Place of the duration; null where nothing is written.
    duration: *mut u64,
    is_range: bool,
}

/// Returns whether a trace goes on, in a file or for a tool.
#[inline]
pub fn is_on() -> bool {
    TRACE.on.load(Ordering::Relaxed) != 0
}

/// The number of the trace that goes on; 0 for none.
#[inline]
pub fn number() -> u32 {
    TRACE.on.load(Ordering::Relaxed)
}

/// Returns whether a trace goes on in a file.
pub fn is_written() -> bool {
    lock(&TRACE.ongoing).as_ref().is_some_and(|ongoing| ongoing.mapping.is_some())
}

/// Tells the tool in a file of ranges and marks, by NVTX, until the process ends.
pub fn attach(path: &Path) {
    if nvtx::attach(path) {
        lock(&TRACE.ongoing).get_or_insert_with(begin_for_tool);
    }
}

/// A trace in no file.
fn begin_for_tool() -> Ongoing {
    renew_number();
    Ongoing::default()
}

fn renew_number() {
    clock::prefer_counter();
    let number = TRACE.latest.fetch_add(1, Ordering::Relaxed) + 1;
    TRACE.on.store(number, Ordering::Release);
}

/// To be called in a forked child as it begins: the file is the parent's.
pub fn note_child() {
    TRACE.on.store(0, Ordering::Relaxed);
}

/// Begins a trace in a file of at most `limit` bytes, in the place of one that is there.
///
/// # Errors
/// `ILLEGAL_STATE` while a trace goes on; `INVALID_VALUE` where the file cannot be made.
pub fn start(path: &Path, limit: u64) -> Result<()> {
    let mut ongoing = lock(&TRACE.ongoing);
    if ongoing.as_ref().is_some_and(|ongoing| ongoing.mapping.is_some()) {
        return Err(Error::new(Status::ILLEGAL_STATE, "a trace goes on already; stop it first"));
    }
    let mapping = Mapping::create(path, limit).map_err(|error| {
        Error::invalid_value(format!("the trace {path:?} could not be begun: {error}; name a file that can be written"))
    })?;
    *ongoing = Some(Ongoing { mapping: Some(Arc::new(mapping)), ..Ongoing::default() });
    renew_number();
    Ok(())
}

/// Ends the trace. Tells how many records were dropped, as there was no room.
///
/// # Errors
/// `ILLEGAL_STATE` where no trace goes on.
pub fn stop() -> Result<u64> {
    let number = number();
    bring_last(number);
    let mut ongoing = lock(&TRACE.ongoing);
    let Some(ended) = ongoing.as_mut().and_then(|ongoing| ongoing.mapping.take()) else {
        return Err(Error::new(Status::ILLEGAL_STATE, "no trace goes on; start one first"));
    };
    TRACE.on.store(0, Ordering::Relaxed);
    *ongoing = nvtx::is_attached().then(begin_for_tool);
    drop(ongoing);
    // A launch of another thread may have had one called meanwhile.
    bring_last(number);
    Ok(ended.end())
}

/// Reads what the trace that goes on has so far; of its records those that `keep` says.
///
/// # Errors
/// `ILLEGAL_STATE` where no trace goes on, or its file cannot be read.
pub fn read_back(keep: &mut dyn FnMut(&Entry) -> bool) -> Result<TraceFile> {
    let bring = *lock(&TRACE.bring);
    if let Some((_, bring)) = bring {
        bring(false);
    }
    let mapping = lock(&TRACE.ongoing).as_ref().and_then(|ongoing| ongoing.mapping.clone());
    let Some(mapping) = mapping else {
        return Err(Error::new(Status::ILLEGAL_STATE, "no trace goes on; start one first"));
    };
    mapping.note_moment();
    let mut reader = None;
    let mut unread = None;
    let read = mapping.read(&mut |bytes| match &mut reader {
        None => match Reader::begin(bytes) {
            Ok(begun) => reader = Some(begun),
            Err(reason) => unread = Some(reason),
        },
        Some(reader) => unread = reader.chunk(bytes, keep).err().or(unread.take()),
    });
    let reason = read.err().map(|error| error.to_string()).or_else(|| unread.map(|reason| reason.to_string()));
    match (reader, reason) {
        (Some(reader), None) => Ok(reader.end()),
        (_, reason) => Err(Error::new(
            Status::ILLEGAL_STATE,
            format!("the file of the trace could not be read: {}", reason.unwrap_or_default()),
        )),
    }
}

/// Calls the function of a trace that ends, and not that of one which another thread has begun since.
fn bring_last(number: u32) {
    let bring = lock(&TRACE.bring).take_if(|(of, _)| *of == number);
    if let Some((_, bring)) = bring {
        bring(true);
    }
}

/// Makes a function be called before the trace of that number ends, with `true`, and before it is read. It brings what is still to be
/// written.
pub fn bring_by(number: u32, bring: fn(bool)) {
    *lock(&TRACE.bring) = Some((number, bring));
}

/// Writes which number a profiler has for the launch that the calling thread makes, if it makes one.
pub fn correlate(number: u32) {
    with_writer(|writer| {
        let Replay { exec, launch, stream } = writer.replay;
        let of = Entry { exec, launch, stream, number, begin: clock::stamp(), ..Entry::of(Kind::Correlated) };
        (exec != 0).then(|| writer.put(of.words())).flatten()
    });
}

impl Writer {
    /// Room for a record of the trace that goes on; `None` where there is none.
    #[inline]
    fn room(&mut self) -> Option<*mut u64> {
        let trace = TRACE.on.load(Ordering::Acquire);
        if trace == 0 {
            return None;
        }
        if self.trace != trace || self.left == 0 {
            self.renew(trace)?;
        }
        let room = self.next;
        self.left -= 1;
        // SAFETY: there was room for one more record of the chunk, so this is within it or at its end.
        self.next = unsafe { room.add(RECORD) };
        Some(room.cast())
    }

    #[cold]
    #[inline(never)]
    fn renew(&mut self, trace: u32) -> Option<()> {
        if self.trace != trace {
            let ongoing = lock(&TRACE.ongoing);
            self.mapping = ongoing.as_ref().and_then(|ongoing| ongoing.mapping.clone());
            (self.trace, self.left) = (trace, 0);
            self.names.clear();
        }
        let mapping = self.mapping.as_ref()?;
        let Some(chunk) = mapping.chunk() else {
            mapping.drop_one();
            return None;
        };
        const { assert!(HEAD + RECORDS * RECORD <= CHUNK) };
        // SAFETY: a chunk is longer than its head.
        (self.next, self.left) = (unsafe { chunk.add(HEAD) }, RECORDS);
        Some(())
    }

    /// Writes a record. Tells where its duration is.
    #[inline]
    fn put(&mut self, words: [u64; 5]) -> Option<*mut u64> {
        let room = self.room()?;
        let [first, rest @ ..] = words;
        for (at, word) in rest.into_iter().enumerate() {
            // SAFETY: the room is that of a record of five words, at a multiple of 8, and this thread's.
            unsafe { room.add(at + 1).write(word.to_le()) };
        }
        // The kind comes last: a record that has one is whole, whenever the process ends.
        // SAFETY: as above.
        unsafe { AtomicU64::from_ptr(room).store(first.to_le(), Ordering::Release) };
        // SAFETY: as above.
        Some(unsafe { room.add(1) })
    }

    /// Writes the end of a record.
    #[inline]
    fn end(&self, span: &Span, now: u64) {
        // The memory is there as long as the thread has the mapping of that trace.
        if !span.duration.is_null() && self.trace == span.trace && number() == span.trace {
            let duration = now.saturating_sub(span.begin);
            // SAFETY: the place is one of the writer's mapping, and this thread's.
            unsafe { AtomicU64::from_ptr(span.duration).store(duration.to_le(), Ordering::Release) };
        }
    }

    /// Writes a record of something that has begun, and begins a range of a tool's.
    #[inline]
    fn open(&mut self, event: &Entry) -> Option<Span> {
        let is_range = nvtx::is_attached() && begin_range(event);
        let written = self.put(event.words());
        let duration = written.unwrap_or(std::ptr::null_mut());
        (is_range || written.is_some()).then_some(Span { trace: self.trace, begin: event.begin, duration, is_range })
    }
}

fn with_writer<T>(write: impl FnOnce(&mut Writer) -> Option<T>) -> Option<T> {
    // Nothing is written by threads that end.
    WRITER.try_with(|writer| write(&mut *writer.try_borrow_mut().ok()?)).ok().flatten()
}

/// Writes a record.
pub fn put(event: &Entry) {
    if nvtx::is_attached() {
        tell_tool(event);
    }
    with_writer(|writer| writer.put(event.words()));
}

/// Notes what a record describes for a tool, or tells it of a mark.
#[cold]
fn tell_tool(event: &Entry) {
    let name = match &mut *lock(&TRACE.ongoing) {
        Some(ongoing) if event.kind == Kind::Mark => ongoing.names.of(event),
        Some(ongoing) => return ongoing.names.note(event),
        None => None,
    };
    if let Some(name) = name {
        nvtx::mark(&name);
    }
}

/// Begins a range of a tool's that is called as a record is. Tells whether it did.
#[cold]
fn begin_range(event: &Entry) -> bool {
    let name = lock(&TRACE.ongoing).as_ref().and_then(|ongoing| ongoing.names.of(event));
    name.is_some_and(|name| nvtx::push(&name))
}

/// Begins a range for a tool alone.
pub fn open_range(event: &Entry) -> Option<Span> {
    let begun = nvtx::is_attached() && begin_range(event);
    begun.then_some(Span { trace: 0, begin: 0, duration: std::ptr::null_mut(), is_range: true })
}

/// Writes the value of a number that changes, whose name has the id; of a stream, or of none for 0.
#[cold]
pub fn counter(name: u32, stream: u32, value: u64) {
    put(&Entry { name, stream, begin: clock::stamp(), duration: value, ..Entry::of(Kind::Counter) });
}

/// Writes a record of something that has begun. Its end is written by [`close`].
#[inline]
pub fn open(event: &Entry) -> Option<Span> {
    let event = Entry { duration: OPEN, ..*event };
    with_writer(|writer| writer.open(&event))
}

/// Writes the end of a record.
#[inline]
pub fn close(span: Option<Span>) {
    let Some(span) = span else { return };
    let now = clock::stamp();
    if span.is_range {
        nvtx::pop();
    }
    with_writer(|writer| {
        writer.end(&span, now);
        Some(())
    });
}

/// The id of a text in the trace that goes on; 0 for an empty one, and where there is no room.
pub fn text(text: &str) -> u32 {
    if text.is_empty() || !is_on() {
        return 0;
    }
    let id = {
        let mut ongoing = lock(&TRACE.ongoing);
        let Some(ongoing) = &mut *ongoing else { return 0 };
        let next = ongoing.texts.len() as u32 + 1;
        match ongoing.texts.get(text) {
            Some(id) => return *id,
            None => ongoing.texts.insert(text.to_owned(), next),
        };
        if nvtx::is_attached() {
            ongoing.names.add(next, text);
        }
        next
    };
    for (part, bytes) in text.as_bytes().chunks(TEXT).take(1 << 16).enumerate() {
        let mut padded = [0; TEXT];
        padded[..bytes.len()].copy_from_slice(bytes);
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| padded[8 * at + byte]));
        let kind = u64::from(Kind::Text as u32) | (bytes.len() as u64) << 8 | (part as u64) << 16;
        with_writer(|writer| writer.put([kind | u64::from(id) << 32, word(0), word(1), word(2), 0]));
    }
    id
}

/// The id of a text that never changes.
pub fn name(text_of_program: &'static str) -> u32 {
    let known = with_writer(|writer| {
        let is_current = writer.trace == number();
        writer.names.iter().find(|(name, _)| is_current && std::ptr::eq(*name, text_of_program)).map(|(_, id)| *id)
    });
    known.unwrap_or_else(|| {
        let id = text(text_of_program);
        with_writer(|writer| {
            writer.names.push((text_of_program, id));
            Some(())
        });
        id
    })
}

/// Number of an exec in a trace, with that of the trace; 0 for none.
#[derive(Default)]
pub struct TracedExec(AtomicU64);

impl TracedExec {
    /// The number in the trace that goes on, and whether it is new, so that the nodes are to be named.
    pub fn number(&self) -> (u32, bool) {
        let of_trace = u64::from(number()) << 32;
        let known = self.0.load(Ordering::Relaxed);
        if known & !u64::from(u32::MAX) == of_trace {
            return (known as u32, false);
        }
        let number = TRACE.execs.fetch_add(1, Ordering::Relaxed) + 1;
        match self.0.compare_exchange(known, of_trace | u64::from(number), Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => (number, true),
            // Another thread was faster.
            Err(_) => self.number(),
        }
    }

    /// Makes launches from here on those of another exec in the trace: its nodes do other work.
    #[inline]
    pub fn forget(&self) {
        if self.0.load(Ordering::Relaxed) != 0 {
            self.drop_names();
        }
    }

    #[cold]
    fn drop_names(&self) {
        let number = self.0.swap(0, Ordering::Relaxed) as u32;
        if nvtx::is_attached() {
            if let Some(ongoing) = &mut *lock(&TRACE.ongoing) {
                ongoing.names.forget(number);
            }
        }
    }
}

impl Drop for TracedExec {
    #[inline]
    fn drop(&mut self) {
        self.forget();
    }
}

/// A replay that several threads work on.
#[derive(Default)]
pub struct SharedReplay {
    launch: AtomicU64,
    stream: AtomicU32,
}

impl SharedReplay {
    /// Makes it the replay that the calling thread works on, if a trace goes on.
    #[inline]
    pub fn take_from_thread(&self) {
        if is_on() {
            let Replay { exec, launch, stream } = with_writer(|writer| Some(writer.replay)).unwrap_or_default();
            self.launch.store(u64::from(exec) | u64::from(launch) << 32, Ordering::Relaxed);
            self.stream.store(stream, Ordering::Relaxed);
        }
    }

    /// Tells of the calling thread's work on it, if a trace goes on.
    #[inline]
    pub fn on_thread(&self) -> Deferred<impl FnOnce()> {
        let outer = is_on().then(|| {
            let of = self.launch.load(Ordering::Relaxed);
            let stream = self.stream.load(Ordering::Relaxed);
            exchange_replay(Replay { exec: of as u32, launch: (of >> 32) as u32, stream })
        });
        defer(move || outer.into_iter().for_each(|outer| _ = exchange_replay(outer)))
    }
}

/// Notes which replay the calling thread works on. Gives the one before.
pub fn exchange_replay(replay: Replay) -> Replay {
    with_writer(|writer| Some(std::mem::replace(&mut writer.replay, replay))).unwrap_or_default()
}

/// Steps of the replay that a thread works on, which it runs one after another: one ends as the next one begins.
#[derive(Default)]
pub struct Steps(Option<Span>);

impl Steps {
    /// Writes that the step before has ended and another one begins, unless that does nothing.
    #[inline]
    pub fn begin(&mut self, body: u32, step: u32, does_something: bool) {
        if !is_on() {
            return;
        }
        let (before, now) = (self.0.take(), clock::stamp());
        if before.as_ref().is_some_and(|span| span.is_range) {
            nvtx::pop();
        }
        self.0 = with_writer(|writer| {
            if let Some(span) = before {
                writer.end(&span, now);
            }
            let Replay { exec, launch, stream } = writer.replay;
            let node =
                Entry { kind: Kind::Node, name: body, begin: now, duration: OPEN, exec, launch, stream, number: step };
            does_something.then(|| writer.open(&node)).flatten()
        });
    }

    /// Writes that the last step has ended.
    #[inline]
    pub fn end(&mut self) {
        close(self.0.take());
    }
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
