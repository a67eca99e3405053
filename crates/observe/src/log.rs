//! The log: messages about what happens seldom, for people. A message is queued where it is made, which may be under locks, and
//! delivered at the end of a call of the C interface, where no lock is held.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

use crate::clock;
use graphcap_base::lock::{lock, rank, Mutex};

/// Importance of a message. Of a level that is asked for, those above it are delivered too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Level {
    /// Something failed for good: a context faulted.
    Error = 1,
    /// Something that the program wants to know of: a capture was broken.
    Warning = 2,
    /// Events that are rare and cost time: a library was loaded, an exec made anew.
    Info = 3,
    /// Facts that help to find an error of the program: each call that failed.
    Debug = 4,
}

impl Level {
    /// All levels with their names, the most important first.
    pub const ALL: [(Level, &'static str); 4] =
        [(Level::Error, "error"), (Level::Warning, "warning"), (Level::Info, "info"), (Level::Debug, "debug")];
}

/// Subject of a message. The numbers are bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Subject {
    /// Contexts opened and faulted.
    Context = 1,
    /// Libraries found and not found.
    Library = 2,
    /// Captures that were broken.
    Capture = 4,
    /// Execs that were made anew.
    Exec = 8,
    /// Pools that grew.
    Pool = 16,
    /// Another way that was taken, since the first one was not there.
    Fallback = 32,
    /// Calls that failed.
    Call = 64,
}

impl Subject {
    /// All subjects with their names.
    pub const ALL: [(Subject, &'static str); 7] = [
        (Subject::Context, "context"),
        (Subject::Library, "library"),
        (Subject::Capture, "capture"),
        (Subject::Exec, "exec"),
        (Subject::Pool, "pool"),
        (Subject::Fallback, "fallback"),
        (Subject::Call, "call"),
    ];
    /// The bits of all subjects.
    pub const EVERY: u8 = 127;
}

/// Choice of messages: those of a level and the ones above it, about some subjects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The least important level.
    pub level: Level,
    /// The bits of the subjects.
    pub subjects: u8,
}

impl Wanted {
    /// Reads `level[,subject...]`; `None` for another text.
    pub fn parse(text: &str) -> Option<Wanted> {
        let mut words = text.split(',');
        let name = words.next()?;
        let (level, _) = Level::ALL.into_iter().find(|(_, known)| *known == name)?;
        let bit = |name| Subject::ALL.iter().find(|(_, known)| *known == name).map(|(subject, _)| *subject as u8);
        let subjects = words.try_fold(0, |bits, word| Some(bits | bit(word)?))?;
        Some(Wanted { level, subjects: if subjects == 0 { Subject::EVERY } else { subjects } })
    }

    /// For each level a byte, the first one lowest, with the subjects of which messages are wanted.
    fn mask(self) -> u32 {
        let levels = Level::ALL.iter().filter(|(level, _)| *level <= self.level);
        levels.fold(0, |mask, (level, _)| mask | bit(*level, self.subjects))
    }
}

/// The subjects in the byte of a level.
const fn bit(level: Level, subjects: u8) -> u32 {
    (subjects as u32) << (8 * (level as u32 - 1))
}

/// A message.
#[derive(Clone, Debug)]
pub struct Record {
    /// The importance.
    pub level: Level,
    /// The subject.
    pub subject: Subject,
    /// The thread that made it, by the operating system's number.
    pub thread: u64,
    /// The time, in nanoseconds of the monotonic clock.
    pub time: u64,
    /// Number of messages that were dropped before it.
    pub dropped: u64,
    /// The message.
    pub text: String,
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = Level::ALL.iter().find(|(level, _)| *level == self.level).map_or("", |(_, name)| name);
        let subject = Subject::ALL.iter().find(|(subject, _)| *subject == self.subject).map_or("", |(_, name)| name);
        let (seconds, micros) = (self.time / 1_000_000_000, self.time / 1000 % 1_000_000);
        write!(f, "graphcap {seconds}.{micros:06} [{}] {level} {subject}: {}", self.thread, self.text)
    }
}

/// Taker of messages.
pub trait Sink: Send + Sync {
    /// Takes a message. No lock of graphcap's is held.
    fn take(&self, record: &Record);
}

/// Owner of a sink.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SinkOwner {
    /// Sink that the environment asks for.
    Environment,
    /// Sink of the program.
    Program,
}

/// A sink, and the mask of what it wants.
type Installed = Option<(u32, Arc<dyn Sink>)>;

/// Messages that wait to be delivered, and who wants some.
struct State {
    queue: VecDeque<Record>,
    sinks: [Installed; 2],
}

/// The log of the process.
struct Log {
    /// Levels that the sinks want together.
    wanted: AtomicU32,
    is_pending: AtomicBool,
    dropped: AtomicU64,
    state: Mutex<State, rank::Log>,
}

static LOG: Log = Log {
    wanted: AtomicU32::new(0),
    is_pending: AtomicBool::new(false),
    dropped: AtomicU64::new(0),
    state: Mutex::new(State { queue: VecDeque::new(), sinks: [None, None] }),
};

/// Most messages that wait at a time. Those that come then are dropped.
const ROOM: usize = 1024;
/// In [`DEPTH`]: the thread is in a sink.
const DELIVERING: u32 = 1 << 31;

thread_local! {
    /// The number of calls that the thread is in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Makes `sink` take what is `wanted`, instead of the one that the owner had before, which is given back.
pub fn install(owner: SinkOwner, sink: Option<(Wanted, Arc<dyn Sink>)>) -> Option<Arc<dyn Sink>> {
    let mut state = lock(&LOG.state);
    let installed = sink.map(|(wanted, sink)| (wanted.mask(), sink));
    let before = std::mem::replace(&mut state.sinks[owner as usize], installed);
    let wanted = state.sinks.iter().flatten().fold(0, |mask, (wanted, _)| mask | wanted);
    LOG.wanted.store(wanted, Ordering::Relaxed);
    before.map(|(_, sink)| sink)
}

/// Returns whether anybody wants messages.
pub fn is_on() -> bool {
    LOG.wanted.load(Ordering::Relaxed) != 0
}

/// Logs a message, if somebody wants it.
#[inline]
pub fn log(level: Level, subject: Subject, text: impl FnOnce() -> String) {
    if LOG.wanted.load(Ordering::Relaxed) & bit(level, subject as u8) != 0 {
        queue(level, subject, text());
    }
}

#[cold]
#[inline(never)]
fn queue(level: Level, subject: Subject, text: String) {
    // What is logged on a thread that ends has no number of calls any more.
    let is_delivering = DEPTH.try_with(Cell::get).is_ok_and(|depth| depth & DELIVERING != 0);
    let mut state = lock(&LOG.state);
    if is_delivering || state.queue.len() == ROOM {
        LOG.dropped.fetch_add(1, Ordering::Relaxed);
        return;
    }
    let dropped = LOG.dropped.load(Ordering::Relaxed);
    state.queue.push_back(Record { level, subject, thread: clock::thread_number(), time: clock::now(), dropped, text });
    LOG.is_pending.store(true, Ordering::Relaxed);
}

/// A call of the C interface begins on this thread.
pub fn enter() {
    DEPTH.set(DEPTH.get() + 1);
}

/// The call ends. Delivers the messages that wait, if this is the outermost call and the thread `may_deliver`.
pub fn leave(may_deliver: bool) {
    let depth = DEPTH.get() - 1;
    DEPTH.set(depth);
    if depth != 0 || !may_deliver || !LOG.is_pending.load(Ordering::Relaxed) {
        return;
    }
    DEPTH.set(DELIVERING);
    deliver();
    DEPTH.set(0);
}

fn deliver() {
    while let Some((record, takers)) = next() {
        takers.iter().for_each(|sink| sink.take(&record));
    }
}

/// The message that waits longest, and who wants it.
fn next() -> Option<(Record, Vec<Arc<dyn Sink>>)> {
    let mut state = lock(&LOG.state);
    let Some(record) = state.queue.pop_front() else {
        LOG.is_pending.store(false, Ordering::Relaxed);
        return None;
    };
    let wanting = bit(record.level, record.subject as u8);
    let takers = state.sinks.iter().flatten().filter(|(mask, _)| mask & wanting != 0).map(|(_, sink)| Arc::clone(sink));
    let takers = takers.collect();
    Some((record, takers))
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
