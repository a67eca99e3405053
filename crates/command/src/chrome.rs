//! Traces as Chrome's JSON, in the form of an array, one event a line.

use std::io::{self, Write};

use crate::names::Names;
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
    let place_of = |nanoseconds: u64| parts(nanoseconds.saturating_sub(trace.began));
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
            let begin = place_of(event.begin);
            let place = |parts| format!("\"pid\":{process},\"tid\":{line},\"ts\":{}", micros(parts));
            let from = place(begin);
            match event.kind {
                Kind::Mark => {
                    write!(out, "{before}{{\"name\":{},\"ph\":\"i\",\"s\":\"t\",{from}}}", json!(name))?;
                }
                Kind::Counter => {
                    let value = json!({ "value": event.duration });
                    write!(out, "{before}{{\"name\":{},\"ph\":\"C\",{from},\"args\":{value}}}", json!(name))?;
                }
                Kind::Capture => {
                    // It begins within one call and ends within another one.
                    captures += 1;
                    let same = format!("\"name\":\"capture\",\"cat\":\"capture\",\"id\":{captures}");
                    write!(out, "{before}{{{same},\"ph\":\"b\",{from},\"args\":{}}}", Value::Object(more))?;
                    write!(out, "{before}{{{same},\"ph\":\"e\",{}}}", place(place_of(end_of(event))))?;
                }
                kind => {
                    if event.duration == OPEN {
                        more.insert("unended".into(), Value::Bool(true));
                    }
                    let end = match event.duration {
                        OPEN => last.max(event.begin),
                        duration => event.begin.saturating_add(duration),
                    };
                    let duration = micros(place_of(end).saturating_sub(begin));
                    let (category, more) = (category(kind), Value::Object(more));
                    let name = json!(name);
                    write!(
                        out,
                        "{before}{{\"name\":{name},\"cat\":\"{category}\",\"ph\":\"X\",{from},\"dur\":{duration},\"args\":{more}}}"
                    )?;
                }
            }
        }
    }
    writeln!(out, "\n]")
}

/// Parts of a microsecond of which all times are multiples. Sums and differences of such numbers are exact in the floats of viewers, for six
/// days: an event ends where the next one begins also in speedscope, which counts from the first event of each line.
const PARTS: u64 = 1 << 14;

/// A time in parts of a microsecond, rounded up by less than a tenth of a nanosecond: viewers may cut what is behind the nanosecond. They show
/// a duration, which is a difference of such times, as up to a nanosecond less then.
fn parts(nanoseconds: u64) -> u64 {
    nanoseconds.saturating_mul(PARTS / 8).div_ceil(125)
}

/// Such a time in microseconds.
fn micros(parts: u64) -> f64 {
    parts as f64 / PARTS as f64
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
        let shown = |parts: u64| micros(parts).to_string().parse::<f64>().unwrap();
        for begin in (0..400_000_000_000_000).step_by(3_999_999_999_937) {
            for end in (begin..begin + 900).step_by(7).chain([begin + 1_234_567]) {
                let (from, to) = (parts(begin), parts(end));
                assert_eq!(shown(from) + shown(to - from), shown(to), "{begin} to {end}");
                let first = shown(parts(begin / 3));
                assert_eq!(
                    (shown(from) - first) + shown(to - from),
                    shown(to) - first,
                    "{begin} to {end}, counted from {first}"
                );
                assert_eq!((shown(to) * 1000.0) as u64, end);
            }
        }
    }

    #[test]
    fn lines_of_devices_have_numbers_that_viewers_read() {
        assert_eq!(line_number(0, 4_194_303), 4_194_303);
        assert_eq!([line_number(1, 1 << 40), line_number(2, 1 << 41)], [(1 << 31) + 1, (1 << 31) + 2]);
    }
}
