//! Traces of replays on the host device, checked as a viewer reads them: valid JSON, children within parents, never two nodes on a lane at
//! once; also of a process that was killed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use graphcap::core::{Buffer, Context, Fill, Graph, GraphExec, NodeWork, Stream};
use graphcap::driver::{DeviceChoice, DeviceKind};
use graphcap_command::chrome;
use graphcap_observe::format::{Kind, CHUNK};
use graphcap_observe::read::TraceFile;
use graphcap_observe::trace;
use serde_json::Value;

/// Makes this program the one that is to be killed, with a trace in that file.
const VICTIM: &str = "GRAPHCAP_TEST_TRACE_VICTIM";

/// A graph of four chains of memsets between two empty nodes; the chains have names.
struct Bench {
    stream: Stream,
    exec: GraphExec,
    nodes: usize,
}

impl Bench {
    fn new() -> Bench {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let stream = Stream::create(&context, Default::default()).unwrap();
        let graph = Graph::create(&context).unwrap();
        graph.set_name("four chains").unwrap();
        let root = graph.add_node(&[], &NodeWork::Empty).unwrap();
        for chain in 0..4 {
            let mut last = root;
            for place in 0..8 {
                let buffer = Buffer::allocate(&context, 1 << 14).unwrap();
                let fill =
                    Fill { buffer: &buffer, offset: 0, value: 1, element_size: 1, width: 1 << 14, height: 1, pitch: 0 };
                last = graph.add_node(&[last], &NodeWork::Memset(fill)).unwrap();
                graph.set_node_name(last, &format!("chain {chain} \"{place}\"")).unwrap();
            }
        }
        let exec = graph.instantiate().unwrap();
        Bench { stream, exec, nodes: 33 }
    }

    fn replay(&self, times: usize) {
        (0..times).for_each(|_| self.exec.launch(&self.stream).unwrap());
        self.stream.synchronize().unwrap();
    }
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("graphcap-traced-{}-{name}", std::process::id()))
}

/// An event of the JSON: its line, and its begin and end in nanoseconds.
struct Shown {
    name: String,
    category: String,
    begin: u64,
    end: u64,
}

fn nanoseconds(value: &Value) -> u64 {
    (value.as_f64().unwrap() * 1000.0).round() as u64
}

/// Checks what is true of all traces, and gives the events by their lines.
fn checked(file: &[u8]) -> HashMap<u64, Vec<Shown>> {
    let trace = TraceFile::read(file).unwrap();
    let mut json = Vec::new();
    chrome::write(&trace, &mut json).unwrap();
    let Value::Array(events) = serde_json::from_slice(&json).unwrap() else { panic!("no array") };
    let mut lines: HashMap<u64, Vec<Shown>> = HashMap::new();
    for event in &events {
        let line = event["tid"].as_u64().unwrap();
        if event["ph"] != "X" {
            assert!(["M", "i", "C", "b", "e"].iter().any(|known| event["ph"] == **known), "{event}");
            continue;
        }
        let begin = nanoseconds(&event["ts"]);
        lines.entry(line).or_default().push(Shown {
            name: event["name"].as_str().unwrap().into(),
            category: event["cat"].as_str().unwrap().into(),
            begin,
            end: begin + nanoseconds(&event["dur"]),
        });
    }
    for events in lines.values() {
        // Those that began earlier and have not ended.
        let mut open: Vec<&Shown> = Vec::new();
        for event in events {
            while open.last().is_some_and(|outer| outer.end <= event.begin) {
                open.pop();
            }
            if let Some(outer) = open.last() {
                assert!(
                    outer.begin <= event.begin && event.end <= outer.end,
                    "{} is not within {}",
                    event.name,
                    outer.name
                );
                assert!(outer.category != "node" || event.category != "node", "{} within {}", event.name, outer.name);
            }
            open.push(event);
        }
    }
    lines
}

fn count<'a>(lines: &'a HashMap<u64, Vec<Shown>>, category: &'a str) -> usize {
    lines.values().flatten().filter(|event| event.category == category).count()
}

#[test]
fn each_node_of_each_replay_is_shown_by_its_name() {
    if let Some(path) = std::env::var_os(VICTIM) {
        trace::start(Path::new(&path), 1 << 28).unwrap();
        let bench = Bench::new();
        loop {
            bench.replay(10);
        }
    }
    let path = path("names");
    let bench = Bench::new();
    bench.replay(3);
    trace::start(&path, 1 << 26).unwrap();
    bench.replay(50);
    assert_eq!(trace::stop().unwrap(), 0);
    bench.replay(3);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let lines = checked(&bytes);
    // The root does nothing.
    assert_eq!((count(&lines, "node"), count(&lines, "replay")), (50 * (bench.nodes - 1), 50));
    for (chain, place) in [(0, 0), (3, 7)] {
        let name = format!("chain {chain} \"{place}\"");
        assert_eq!(lines.values().flatten().filter(|event| event.name == name).count(), 50, "{name}");
    }
    assert!(lines.values().flatten().any(|event| event.name.contains("four chains")));
}

#[test]
fn what_a_killed_process_had_finished_is_there() {
    let path = path("killed");
    let this = std::env::current_exe().unwrap();
    let test = "each_node_of_each_replay_is_shown_by_its_name";
    let mut victim =
        Command::new(this).args(["--exact", test]).env(VICTIM, &path).stdout(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while std::fs::metadata(&path).map_or(0, |found| found.len()) < 8 * CHUNK as u64 {
        assert!(began.elapsed() < Duration::from_secs(60) && victim.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(1));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let trace = TraceFile::read(&bytes).unwrap();
    assert_eq!(trace.ended, 0);
    let nodes = trace.threads.iter().flat_map(|thread| &thread.events).filter(|event| event.kind == Kind::Node).count();
    assert_eq!(count(&checked(&bytes), "node"), nodes);
    assert!(nodes > 1000, "{nodes}");
}
