//! Names of what a trace has.

use std::collections::HashMap;

use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::read::TraceFile;
use serde_json::{json, Map, Value};

/// Names that a trace gives execs, their nodes and streams.
pub(crate) struct Names<'a> {
    trace: &'a TraceFile,
    execs: HashMap<u32, u32>,
    /// By exec, body and step.
    steps: HashMap<(u32, u32, u32), Entry>,
    streams: HashMap<u32, u32>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(trace: &'a TraceFile) -> Names<'a> {
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
    pub(crate) fn told(&self, event: &Entry) -> (String, Map<String, Value>) {
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
