//! Traces as Chrome's JSON, in the form of an array, one event a line.

use std::collections::HashMap;
use std::io::{self, Write};

use graphcap_observe::format::{Entry, Kind, OPEN};
use graphcap_observe::read::TraceFile;
use serde_json::{json, Map, Value};

/// Names that a trace gives execs, their nodes and streams.
struct Names<'a> {
    trace: &'a TraceFile,
    execs: HashMap<u32, u32>,
    /// By exec, body and step.
    steps: HashMap<(u32, u32, u32), Entry>,
    streams: HashMap<u32, u32>,
}

impl<'a> Names<'a> {
    fn of(trace: &'a TraceFile) -> Names<'a> {
        let mut names = Names { trace, execs: HashMap::new(), steps: HashMap::new(), streams: HashMap::new() };
        for event in trace.threads.iter().flat_map(|thread| &thread.events) {
            match event.kind {
                Kind::Exec => drop(names.execs.insert(event.exec, event.name)),
                Kind::Step => drop(names.steps.insert((event.exec, event.launch, event.number), *event)),
                Kind::Stream => drop(names.streams.insert(event.stream, event.name)),
                _ => {}
            }
        }
        names
    }

    fn stream(&self, number: u32) -> String {
        match self.streams.get(&number).map(|name| self.trace.text(*name)) {
            Some(name) => name,
            None if number == 0 => "a default stream".into(),
            None => format!("stream {number:#x}"),
        }
    }

    fn graph(&self, exec: u32) -> String {
        self.execs.get(&exec).map_or_else(|| "a graph".into(), |name| self.trace.text(*name))
    }

    /// The name of an event, and what else there is to tell of it.
    fn told(&self, event: &Entry) -> (String, Map<String, Value>) {
        let mut more = Map::new();
        let mut tell = |key: &str, value: Value| drop(more.insert(key.into(), value));
        let name = match event.kind {
            Kind::Node => {
                let step = self.steps.get(&(event.exec, event.name, event.number));
                let text = |id: Option<u32>| id.map(|id| self.trace.text(id)).unwrap_or_default();
                let (name, kind) = (text(step.map(|step| step.name)), text(step.map(|step| step.stream)));
                let kernel = text(step.map(|step| step.begin as u32));
                if let Some(step) = step.filter(|step| step.duration != 0) {
                    tell("node", json!(format!("{:#x}", step.duration)));
                }
                tell("kind", json!(kind));
                if !kernel.is_empty() {
                    tell("kernel", json!(kernel));
                }
                [name, kernel, kind].into_iter().find(|text| !text.is_empty()).unwrap_or_else(|| "node".into())
            }
            Kind::Capture => "capture".into(),
            Kind::Counter if event.stream != 0 => {
                format!("{} on {}", self.trace.text(event.name), self.stream(event.stream))
            }
            Kind::Replay => format!("replay of {}", self.graph(event.exec)),
            _ => self.trace.text(event.name),
        };
        if matches!(event.kind, Kind::Node | Kind::Replay) {
            tell("graph", json!(self.graph(event.exec)));
            tell("exec", json!(event.exec));
            tell("launch", json!(event.launch));
        }
        if matches!(event.kind, Kind::Node | Kind::Replay | Kind::Work | Kind::Capture) {
            tell("stream", json!(self.stream(event.stream)));
        }
        (name, more)
    }
}

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

/// Microseconds as a number of JSON, to the nanosecond.
fn micros(nanoseconds: u64) -> String {
    format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000)
}

/// Writes a trace. What has no end in it ends with the trace, and is marked as unended.
///
/// # Errors
/// Those of `out`.
pub fn write(trace: &TraceFile, out: &mut impl Write) -> io::Result<()> {
    let names = Names::of(trace);
    let events = || trace.threads.iter().flat_map(|thread| &thread.events);
    let end_of = |event: &Entry| match event.duration {
        OPEN => event.begin,
        _ if event.kind == Kind::Counter || event.kind == Kind::Step => event.begin,
        duration => event.begin.saturating_add(duration),
    };
    let timed = |event: &&Entry| !matches!(event.kind, Kind::Step | Kind::Exec | Kind::Stream);
    let last = events().filter(timed).map(end_of).max().unwrap_or(0).max(trace.ended);
    let process = trace.process;
    write!(out, "[")?;
    let (mut before, mut captures) = ("\n", 0);
    for thread in &trace.threads {
        let name = json!({"name": "thread_name", "ph": "M", "pid": process, "tid": thread.number, "args": {"name": thread.name}});
        write!(out, "{before}{name}")?;
        before = ",\n";
        for event in thread.events.iter().filter(timed) {
            let (name, mut more) = names.told(event);
            let begin = micros(event.begin.saturating_sub(trace.began));
            let place = format!("\"pid\":{process},\"tid\":{},\"ts\":{begin}", thread.number);
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
                    let place = format!("\"pid\":{process},\"tid\":{},\"ts\":{end}", thread.number);
                    write!(out, "{before}{{{same},\"ph\":\"e\",{place}}}")?;
                }
                kind => {
                    if event.duration == OPEN {
                        more.insert("unended".into(), Value::Bool(true));
                    }
                    let duration = match event.duration {
                        OPEN => last.saturating_sub(event.begin),
                        duration => duration,
                    };
                    let (duration, category, more) = (micros(duration), category(kind), Value::Object(more));
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
