//! Traces as Chrome's JSON, in the form of an array, one event a line.

use std::io::{self, Write};

use crate::names::Names;
use crate::table::micros;
use graphcap_observe::format::{Entry, Kind, OPEN};
use graphcap_observe::read::TraceFile;
use serde_json::{json, Value};

/// The word by which viewers tell events apart.
fn category(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "call",
        Kind::Replay => "replay",
        Kind::Node => "node",
        Kind::Work => "work",
        _ => "mark",
    }
}

/// Writes a trace. What has no end in it ends with the trace, and is marked as unended.
///
/// # Errors
/// Those of `out`.
pub fn write(trace: &TraceFile, out: &mut dyn Write) -> io::Result<()> {
    let names = Names::of(trace);
    let events = || trace.threads.iter().flat_map(|thread| &thread.events);
    let end_of = |event: &Entry| match event.duration {
        OPEN => event.begin,
        _ if event.kind == Kind::Counter || event.kind == Kind::Step => event.begin,
        duration => event.begin.saturating_add(duration),
    };
    let is_timed = |kind| !matches!(kind, Kind::Step | Kind::Exec | Kind::Stream | Kind::Edge | Kind::Launch);
    let timed = |event: &&Entry| is_timed(event.kind);
    let last = events().filter(timed).map(end_of).max().unwrap_or(0).max(trace.ended);
    let process = trace.process;
    write!(out, "[")?;
    let (mut before, mut captures) = ("\n", 0);
    for (at, thread) in trace.threads.iter().enumerate() {
        let line = line_number(at, thread.number);
        let name =
            json!({"name": "thread_name", "ph": "M", "pid": process, "tid": line, "args": {"name": thread.name}});
        write!(out, "{before}{name}")?;
        before = ",\n";
        for event in thread.events.iter().filter(timed) {
            let (name, mut more) = names.told(event);
            let begin = micros(event.begin.saturating_sub(trace.began));
            let place = format!("\"pid\":{process},\"tid\":{line},\"ts\":{begin}");
            match event.kind {
                Kind::Mark => {
                    write!(out, "{before}{{\"name\":{},\"ph\":\"i\",\"s\":\"t\",{place}}}", json!(name))?;
                }
                Kind::Counter => {
                    let value = json!({ "value": event.duration });
                    write!(out, "{before}{{\"name\":{},\"ph\":\"C\",{place},\"args\":{value}}}", json!(name))?;
                }
                Kind::Capture => {
                    // It begins within one call and ends within another one.
                    captures += 1;
                    let end = micros(end_of(event).saturating_sub(trace.began));
                    let same = format!("\"name\":\"capture\",\"cat\":\"capture\",\"id\":{captures}");
                    write!(out, "{before}{{{same},\"ph\":\"b\",{place},\"args\":{}}}", Value::Object(more))?;
                    let place = format!("\"pid\":{process},\"tid\":{line},\"ts\":{end}");
                    write!(out, "{before}{{{same},\"ph\":\"e\",{place}}}")?;
                }
                kind => {
                    if event.duration == OPEN {
                        more.insert("unended".into(), Value::Bool(true));
                    }
                    let end = match event.duration {
                        OPEN => last.max(event.begin),
                        duration => event.begin.saturating_add(duration),
                    };
                    let duration = duration(event.begin.saturating_sub(trace.began), end.saturating_sub(trace.began));
                    let (category, more) = (category(kind), Value::Object(more));
                    let name = json!(name);
                    write!(
                        out,
                        "{before}{{\"name\":{name},\"cat\":\"{category}\",\"ph\":\"X\",{place},\"dur\":{duration},\"args\":{more}}}"
                    )?;
                }
            }
        }
    }
    writeln!(out, "\n]")
}

/// A duration in microseconds, as the number that gives the end exactly when a viewer adds it to the begin: both are floats there. By the
/// decimals alone the sum may lie behind the begin of the next event, which speedscope takes for an overlap.
fn duration(begin: u64, end: u64) -> String {
    let decimals = micros(end.saturating_sub(begin));
    let float = |decimals: &str| decimals.parse::<f64>().unwrap_or_default();
    let (from, to) = (float(&micros(begin)), float(&micros(end)));
    if from + float(&decimals) == to {
        return decimals;
    }
    let mut duration = to - from;
    // The difference was rounded: by less than a float of the sum's size is apart from the next one.
    if from + duration > to {
        duration = duration.next_down();
    } else if from + duration < to {
        duration = duration.next_up();
    }
    duration.to_string()
}

/// The number of a line of the picture: the thread's, or one above those of threads for what is no thread. Perfetto reads 32 bits, and puts
/// lines with larger numbers on that of the process's first thread.
fn line_number(at: usize, thread: u64) -> u64 {
    const FIRST: u64 = 1 << 31;
    match thread < FIRST {
        true => thread,
        false => FIRST + at as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_end_where_viewers_expect_the_next_one() {
        let as_float = |text: &str| text.parse::<f64>().unwrap();
        let mut longer = 0;
        for begin in (0..4_000_000_000_000).step_by(39_999_999_937) {
            for end in (begin..begin + 900).step_by(7).chain([begin + 1_234_567]) {
                let text = duration(begin, end);
                assert_eq!(
                    as_float(&micros(begin)) + as_float(&text),
                    as_float(&micros(end)),
                    "{begin} to {end}: {text}"
                );
                longer += usize::from(text != micros(end - begin));
            }
        }
        assert!(longer > 0, "decimals alone would do");
    }

    #[test]
    fn lines_of_devices_have_numbers_that_viewers_read() {
        assert_eq!(line_number(0, 4_194_303), 4_194_303);
        assert_eq!([line_number(1, 1 << 40), line_number(2, 1 << 41)], [(1 << 31) + 1, (1 << 31) + 2]);
    }
}
