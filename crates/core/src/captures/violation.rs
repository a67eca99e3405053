//! Violations: what broke a capture, and the words for it.

use std::fmt;
use std::time::Duration;

use graphcap_base::error::Status;
use graphcap_driver::rules::Violated;

/// Call that broke a capture, or went past a strict one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The call, by its name in graphcap.h; `None` when it was none of graphcap's.
    pub function: Option<&'static str>,
    /// The stream that it worked on, as messages call it, and its number, 0 for none.
    pub stream: Option<(String, u64)>,
    /// The thread that made it, by the number of the operating system; 0 for work that went past the capture.
    pub thread: u64,
    /// The rule that it was against.
    pub rule: Violated,
    /// Its answer.
    pub status: Status,
    /// Time from the begin of the capture.
    pub after: Duration,
    /// Tells whether that begin was graphcap's; else it is when graphcap met the capture first.
    pub seen_begin: bool,
    /// The latest call before it on the capture that worked, and how much was recorded by then.
    pub before: (&'static str, u32),
    /// For a violation from outside graphcap: the call that met it.
    pub met_by: Option<&'static str>,
    /// Streams with work that was not joined, each with the event that forked it, as messages call them.
    pub unjoined: Vec<String>,
    /// Text that the driver wrote to its log meanwhile.
    pub log: Option<String>,
    /// For work that went past a strict capture, or was refused as it would have: by how many calls, of which the first is told.
    pub work_outside: u64,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, recorded) = self.before;
        match (self.function, self.met_by) {
            (Some(function), _) if self.rule == Violated::WorkOutside => {
                match self.status {
                    Status::SUCCESS => write!(f, "work went past the capture: {function}")?,
                    _ => write!(f, "work was refused that would have gone past the capture: {function}")?,
                }
                if let Some((stream, _)) = &self.stream {
                    write!(f, " on {stream}")?;
                }
                match self.work_outside.saturating_sub(1) {
                    0 => {}
                    1 => f.write_str(", and 1 later call")?,
                    later => write!(f, ", and {later} later calls")?,
                }
            }
            (Some(function), _) => {
                let what = if self.rule == Violated::WrongThread { "is gone, ended" } else { "was broken" };
                write!(f, "the capture {what} by {function}")?;
                if let Some((stream, _)) = &self.stream {
                    write!(f, " on {stream}")?;
                }
                write!(f, " in thread {}", self.thread)?;
            }
            (None, met_by) => write!(
                f,
                "the capture was broken by a call from outside graphcap, or by one of another thread that has not returned \
                 yet, between {before} and {}",
                met_by.unwrap_or("this call")
            )?,
        }
        let operations = if recorded == 1 { "operation" } else { "operations" };
        let since = if self.seen_begin { "its begin" } else { "graphcap met it" };
        write!(f, ", {:.3} ms after {since}, with {recorded} {operations} recorded", self.after.as_secs_f64() * 1e3)?;
        if let (Violated::LastFailed, Some(answer)) = (self.rule, self.status.name()) {
            write!(f, ", and answered {}", answer.to_string_lossy())?;
        }
        write!(f, ": {}", self.rule.explanation())?;
        if !self.unjoined.is_empty() {
            f.write_str(&names_of(&self.unjoined, usize::MAX))?;
        }
        write!(f, "; {}", self.rule.remedy())?;
        // Last, because it is long, and a message may be cut.
        match &self.log {
            Some(log) => write!(f, " (the driver's log: {log})"),
            None => Ok(()),
        }
    }
}

/// As many streams as a message names: more would crowd out what to do.
pub(crate) const NAMED: usize = 8;

/// Streams with work that was not joined, at `most` so many, in words that go behind "not joined".
pub(crate) fn names_of(unjoined: &[String], most: usize) -> String {
    let names = unjoined.get(..most).unwrap_or(unjoined).join(", ");
    match unjoined.len().saturating_sub(most) {
        0 => format!(": {names}"),
        others => format!(": {names} and {others} others"),
    }
}
