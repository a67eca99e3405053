//! The part of a call that only a program pays for which looks at what graphcap does.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::message;
use super::status::gc_status;
use graphcap_base::switch::variable;
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::log::{self, Level, Record, Sink, SinkOwner, Subject, Wanted};
use graphcap_observe::{clock, trace};

/// Asks for messages on standard error.
const LOG: &str = "GRAPHCAP_LOG";

/// Asks for a trace in a file.
const TRACE: &str = "GRAPHCAP_TRACE";

/// File of a tool that takes ranges of NVTX.
const TOOL: &str = "NVTX_INJECTION64_PATH";

/// Standard error as a taker of messages.
struct StandardError;

impl Sink for StandardError {
    fn take(&self, record: &Record) {
        say(&record.to_string());
    }
}

/// Writes a line to standard error. Nothing can be done where that fails.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// Begins what the environment asks for. To be called once, by the first call of the process.
pub(super) fn begin_by_environment() {
    log_by_environment();
    if let Some(path) = variable(TOOL).filter(|path| !path.is_empty()) {
        trace::attach(Path::new(&path));
    }
    if let Some(path) = variable(TRACE).filter(|path| !path.is_empty()) {
        let path = path.to_string_lossy().replace("%p", &std::process::id().to_string());
        if let Err(error) = trace::start(Path::new(&path), trace::USUAL_LIMIT) {
            say(&format!("graphcap: {TRACE}: {}", error.message));
        }
    }
}

fn log_by_environment() {
    let Some(text) = variable(LOG).filter(|text| !text.is_empty()) else { return };
    match text.to_str().and_then(Wanted::parse) {
        Some(wanted) => drop(log::install(SinkOwner::Environment, Some((wanted, Arc::new(StandardError))))),
        None => say(&format!("graphcap: {LOG} must be level[,subject], such as info or debug,capture; it is {text:?}")),
    }
}

/// Returns whether anything is to be seen of calls.
pub(super) fn is_on() -> bool {
    log::is_on() || trace::is_on()
}

fn open(function: &'static str) -> Option<trace::Span> {
    let name = trace::name(function);
    trace::open(&Entry { name, begin: clock::stamp(), ..Entry::of(Kind::Call) })
}

/// A call that is looked at.
pub(super) struct Observed(Option<trace::Span>);

/// Parts of the names of calls that submit, wait, capture or make ready. Questions are not told.
const TOLD: [&str; 15] = [
    "launch",
    "submit",
    "memcpy",
    "memset",
    "record",
    "wait",
    "synchronize",
    "capture",
    "instantiate",
    "upload",
    "update",
    "apply",
    "allocate",
    "destroy",
    "optimize",
];

impl Observed {
    pub(super) fn begin(function: &'static str) -> Observed {
        log::enter();
        let is_told = trace::is_on() && TOLD.iter().any(|part| function.contains(part));
        Observed(is_told.then(|| open(function)).flatten())
    }

    pub(super) fn end(self, status: gc_status) {
        if self.0.is_some() {
            trace::close(self.0);
        }
        if status != 0 {
            let level = if status == graphcap_base::Status::PANIC.0 { Level::Error } else { Level::Debug };
            log::log(level, Subject::Call, || message::with_last(str::to_owned));
        }
        log::leave(!graphcap_driver::is_within_work());
    }
}
