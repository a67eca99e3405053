//! The trace of the GPU, by CUPTI. It is loaded and subscribed to as a trace begins beside open contexts, or as the first context is opened in
//! a trace, and let go as the trace ends. No later: CUPTI waits for the work of all contexts as it is subscribed to, and the thread that makes
//! or launches an exec may be the one that this work waits for. CUPTI has one subscriber: where another tool is that, execs that are made from
//! then on have their nodes timed by events.

mod cupti;

use std::alloc::Layout;
use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once, Weak};
use std::thread;

use self::cupti::{activity, is_known, number_of_call, Cupti, CUPTI};
use crate::exec::timed::TimedNodes;
use crate::library::SoughtLibrary;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::forked;
use graphcap_observe::format::{stream_of, Entry, Kind, IS_KIND, OPEN};
use graphcap_observe::log::{log, Level, Subject};
use graphcap_observe::{clock, trace};

/// The buffers that CUPTI is given: small, so that what ran is in the trace soon.
const BUFFER: Layout = match Layout::from_size_align(1 << 16, 8) {
    Ok(layout) => layout,
    Err(_) => Layout::new::<u64>(),
};

/// Price of a trace.
const SLOWER: &str = "CUPTI tells what runs on the GPU: durations are right, gaps are longer, and launches stay slower until the process ends";

/// Meaning of a trace by events.
const BY_EVENTS: &str =
    "graph execs that are made from here on have events around their nodes, whose times the trace has: they are perturbed, as replays take longer";

/// CUPTI's subscriber.
struct Subscriber(*mut c_void);
// SAFETY: CUPTI takes it on any thread.
unsafe impl Send for Subscriber {}

/// By what the trace that goes on is told what runs.
enum Source {
    Nothing,
    Cupti(Subscriber),
    /// Events around the nodes of these.
    Events(Vec<Weak<TimedNodes>>),
}

/// The profiler of the process.
struct Profiler {
    /// The latest trace that it was asked for.
    trace: AtomicU32,
    source: Mutex<Source, rank::Profiler>,
    /// Number of launches whose nodes are timed by events.
    launches: AtomicU32,
}

static PROFILER: Profiler =
    Profiler { trace: AtomicU32::new(0), source: Mutex::new(Source::Nothing), launches: AtomicU32::new(0) };

/// Loads CUPTI, to tell of it.
pub(crate) fn seek_library() -> SoughtLibrary {
    CUPTI.seek()
}

/// Makes the trace that goes on tell what runs on the GPU from here on.
#[inline]
pub(crate) fn attend() {
    if PROFILER.trace.load(Ordering::Relaxed) != trace::number() {
        begin();
    }
}

#[cold]
fn begin() {
    let number = trace::number();
    if PROFILER.trace.swap(number, Ordering::Relaxed) == number || !trace::is_written() {
        return;
    }
    // No lock is held, since CUPTI waits for work, which may wait for calls of other threads.
    let subscribed = CUPTI.get().and_then(subscribe);
    let mut source = lock(&PROFILER.source);
    if trace::number() == number {
        trace::bring_by(number, bring);
    }
    // Looked at again: an end of the trace that was not told of this is seen now.
    match subscribed {
        // The trace ended meanwhile.
        Ok(made) if trace::number() != number => {
            drop(source);
            release(made);
        }
        Ok(made) => {
            *source = Source::Cupti(made);
            end_with_process();
            tell(Level::Info, SLOWER.to_owned());
        }
        Err(_) if trace::number() != number => {}
        Err(error) => {
            *source = Source::Events(Vec::new());
            let why = error.message;
            tell(Level::Warning, format!("CUPTI tells nothing of what runs on the GPU: {why}; {BY_EVENTS}"));
        }
    }
}

/// Returns whether an exec that is made now is to have events around its nodes. Does not begin what [`attend`] does, since that waits for
/// work: whoever begins the trace does.
pub(crate) fn wants_events() -> bool {
    matches!(*lock(&PROFILER.source), Source::Events(_))
}

/// Takes what the events of an exec tell as the trace is read or ends.
pub(crate) fn watch(timed: &Arc<TimedNodes>) {
    if let Source::Events(watched) = &mut *lock(&PROFILER.source) {
        watched.retain(|timed| timed.strong_count() > 0);
        watched.push(Arc::downgrade(timed));
    }
}

/// Numbers the launch that the calling thread has made of an exec whose nodes are timed; `None` where CUPTI tells of it.
pub(crate) fn number_launch() -> Option<u32> {
    let is_told = matches!(*lock(&PROFILER.source), Source::Events(_))
        && PROFILER.trace.load(Ordering::Relaxed) == trace::number();
    is_told.then(|| {
        let number = PROFILER.launches.fetch_add(1, Ordering::Relaxed);
        trace::correlate(number);
        number
    })
}

/// Tells something in the trace, as a mark, and in the log.
fn tell(level: Level, told: String) {
    trace::put(&Entry { name: trace::text(&told), begin: clock::stamp(), ..Entry::of(Kind::Mark) });
    log(level, Subject::Library, || told);
}

/// Subscribes to CUPTI and asks for records.
fn subscribe(table: &Cupti) -> Result<Subscriber> {
    let mut version = 0;
    let mut subscriber = std::ptr::null_mut();
    // SAFETY: the outputs are writable, and the functions are ones that CUPTI may call on any thread for as long as the process lives.
    let asked = unsafe {
        table.version(&mut version).map_err(|answer| refused(answer.code))?;
        if !is_known(version) {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                format!("CUPTI tells version {version}, whose records are not known; use one of CUDA 12.1 to 13.4"),
            ));
        }
        table.subscribe(&mut subscriber, on_launch, std::ptr::null_mut()).map_err(|answer| refused(answer.code))?;
        table
            .register_clock(now)
            .and_then(|()| table.register(request, completed))
            .and_then(|()| {
                cupti::GRAPH_LAUNCHES
                    .into_iter()
                    .try_for_each(|function| table.enable_callback(1, subscriber, cupti::DRIVER_API, function))
            })
            .and_then(|()| cupti::KINDS.into_iter().try_for_each(|kind| table.enable(kind)))
    };
    if let Err(answer) = asked {
        if !subscriber.is_null() {
            // The kinds of records that were asked for already cost launches their speed.
            release(Subscriber(subscriber));
        }
        return Err(refused(answer.code));
    }
    Ok(Subscriber(subscriber))
}

/// Error for an answer of CUPTI's.
fn refused(code: c_int) -> Error {
    let told = match code {
        cupti::SUBSCRIBED => {
            "another tool is subscribed to it, such as torch.profiler or Nsight; to have its records in this trace, run without that tool, or begin \
             this trace before it"
                .into()
        }
        code => format!("CUPTI answered {code}"),
    };
    Error::new(Status::NOT_SUPPORTED, told)
}

/// Takes what there is to tell so far. Lets CUPTI go where the trace ends.
fn bring(ends: bool) {
    let mut source = lock(&PROFILER.source);
    let timed: Vec<_> = match (&*source, CUPTI.loaded()) {
        (Source::Events(timed), _) => timed.iter().filter_map(Weak::upgrade).collect(),
        (Source::Cupti(_), Some(table)) if !ends => {
            // SAFETY: functions for buffers were registered, as there is a subscriber.
            let _ = unsafe { table.flush(0) };
            Vec::new()
        }
        _ => Vec::new(),
    };
    let ended = ends.then(|| std::mem::replace(&mut *source, Source::Nothing));
    drop(source);
    if let Some(Source::Cupti(subscriber)) = ended {
        release(subscriber);
    }
    timed.iter().for_each(|timed| timed.bring());
}

fn release(Subscriber(subscriber): Subscriber) {
    let Some(table) = CUPTI.loaded() else { return };
    // SAFETY: the subscriber is there until the last call. It is never finalised: execs that live would break.
    unsafe {
        for kind in cupti::KINDS {
            let _ = table.disable(kind);
        }
        let _ = table.flush(cupti::FORCED);
        let _ = table.unsubscribe(subscriber);
    }
}

/// Completes a trace that nobody ends as the process exits. The handler is registered behind CUPTI's own, so it runs before them. CUPTI may
/// tell the thread that asks for records, and the thread that exits writes none any more.
fn end_with_process() {
    static WATCH: Once = Once::new();
    extern "C" fn at_exit() {
        if !forked::is_child() {
            let source = PROFILER.source.try_lock().map(|mut source| std::mem::replace(&mut *source, Source::Nothing));
            if let Some(Source::Cupti(subscriber)) = source {
                let releasing = thread::Builder::new().spawn(move || release(subscriber));
                let _ = releasing.map(thread::JoinHandle::join);
            }
        }
    }
    WATCH.call_once(|| {
        // SAFETY: the handler may be called at any time, and the library stays mapped.
        unsafe { libc::atexit(at_exit) };
    });
}

extern "C" fn now() -> u64 {
    clock::now()
}

extern "C" fn on_launch(_data: *mut c_void, _domain: c_int, _function: c_uint, call: *const c_void) {
    // SAFETY: CUPTI tells of calls of the driver's alone, as no others were asked for.
    if let Some(number) = unsafe { number_of_call(call) } {
        trace::correlate(number);
    }
}

extern "C" fn request(buffer: *mut *mut u8, size: *mut usize, records: *mut usize) {
    // SAFETY: the size is not 0, and CUPTI's outputs are writable.
    unsafe {
        let made = std::alloc::alloc(BUFFER);
        buffer.write(made);
        size.write(if made.is_null() { 0 } else { BUFFER.size() });
        records.write(0);
    }
}

extern "C" fn completed(_context: *mut c_void, _stream: c_uint, buffer: *mut u8, _size: usize, bytes: usize) {
    if buffer.is_null() {
        return;
    }
    if let Some(table) = CUPTI.loaded() {
        let mut record = std::ptr::null();
        // SAFETY: the buffer is CUPTI's, with so many bytes of records; `record` is writable.
        while unsafe { table.next_record(buffer, bytes, &mut record) }.is_ok() {
            // SAFETY: the record is one of the buffer, of a version that was looked at.
            if let Some(activity) = unsafe { activity(record) } {
                write(&activity);
            }
        }
    }
    // SAFETY: the buffer was made so by `request`, and CUPTI has given it back.
    unsafe { std::alloc::dealloc(buffer, BUFFER) };
}

/// Writes a record into the trace.
fn write(activity: &cupti::Activity<'_>) {
    let (begin, end) = activity.times;
    let (exec, node) = activity.node;
    if begin == 0 {
        return;
    }
    let (name, number) = match activity.kernel {
        Some(kernel) => (trace::text(&kernel.to_string_lossy()), node & !IS_KIND),
        None => (trace::name(activity.kind), node | IS_KIND),
    };
    trace::put(&Entry {
        kind: Kind::Ran,
        name,
        begin,
        duration: end.checked_sub(begin).unwrap_or(OPEN),
        exec,
        launch: activity.correlation,
        stream: stream_of(activity.place.0, activity.place.1),
        number,
    });
}
