//! Traces of replays on the host device, checked as a viewer reads them: valid JSON, children within parents, never two nodes on a lane at
//! once; also of a process that was killed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use graphcap::core::{Buffer, Context, Fill, Graph, GraphExec, NodeWork, Stream};
use graphcap::driver::{DeviceChoice, DeviceKind};
use graphcap::Status;
use graphcap_command::summary::{Summary, SummaryRow};
use graphcap_command::{check, compare};
use graphcap_observe::format::{Kind, CHUNK};
use graphcap_observe::read::TraceFile;
use graphcap_observe::times::{ExecTimes, NodeTime, ReplayTime};
use graphcap_observe::trace;

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

/// Number of the nodes and of the replays of a trace that ran to their ends, by their names. The trace is checked.
fn checked(trace: &TraceFile) -> [HashMap<String, u64>; 2] {
    let count =
        |rows: &[SummaryRow]| rows.iter().map(|of| (of.row.name.clone(), of.row.count)).collect::<HashMap<_, _>>();
    let (nodes, summary) = (check::check(trace).unwrap(), Summary::of(trace));
    let counts = [count(&summary.nodes), count(&summary.replays)];
    let ended = counts[0].values().sum::<u64>();
    assert!((ended..=ended + summary.unended).contains(&(nodes as u64)), "{nodes} {ended} {}", summary.unended);
    counts
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
    assert_eq!(bench.exec.times(1).unwrap_err().status, Status::ILLEGAL_STATE);
    trace::start(&path, 1 << 26).unwrap();
    bench.replay(50);
    let times = bench.exec.times(3).unwrap();
    assert_eq!(trace::stop().unwrap(), 0);
    bench.replay(3);
    let trace = TraceFile::read(&std::fs::read(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    let [nodes, replays] = checked(&trace);
    // The root does nothing.
    assert_eq!((nodes.len(), nodes.values().sum::<u64>()), (bench.nodes - 1, 50 * (bench.nodes as u64 - 1)));
    for (chain, place) in [(0, 0), (3, 7)] {
        assert_eq!(nodes[&format!("chain {chain} \"{place}\"")], 50);
    }
    // The last one may not have told its end.
    assert!((49..=50).contains(&replays["replay of graph \"four chains\""]));
    let launches: Vec<u32> = times.replays.iter().map(|replay| replay.launch).collect();
    assert_eq!(launches, [50, 51, 52]);
    let mut of_file = ExecTimes::of_all(&trace, 3);
    assert_eq!(of_file.pop(), Some(times.clone()));
    for replay in &times.replays {
        check_replay(replay);
    }
    interrupted_replays_hide_no_slow_node(trace);
    let [kernels] = &times.kernels[..] else { panic!("{:?}", times.kernels) };
    let sum = times.replays.iter().flat_map(|replay| &replay.nodes).map(|node| node.duration_ns.unwrap()).sum::<u64>();
    assert_eq!((&kernels.name[..], kernels.count, kernels.total_ns), ("memset", 96, sum));
}

/// A node that is slow in each replay comes before one that the system interrupted in one of them for longer.
fn interrupted_replays_hide_no_slow_node(mut trace: TraceFile) {
    let usual = Summary::of(&trace);
    let mut nodes = trace.threads.iter_mut().flat_map(|thread| &mut thread.events).filter(|of| of.kind == Kind::Node);
    let (slow, interrupted) = (8, 16);
    let mut delay = |step: u32, times: usize, nanoseconds: u64| {
        let of_step = nodes.by_ref().filter(|node| node.number == step).take(times);
        of_step.for_each(|node| node.duration += nanoseconds);
    };
    delay(interrupted, 1, 1_000_000_000_000);
    delay(slow, 40, 1_000_000_000);
    let summary = Summary::of(&trace);
    let first = &summary.nodes[0];
    let is_hidden = summary.nodes.iter().any(|of| of.row.total_ns > first.row.total_ns);
    assert!(first.row.median_ns > 1_000_000_000 && is_hidden, "{summary:?}");
    let compared = compare::text(&usual, &summary);
    let mut lines = compared.lines().skip_while(|line| !line.starts_with("nodes"));
    assert!(lines.nth(1).is_some_and(|line| line.starts_with(&first.row.name)), "{compared}");
}

/// Checks the times of a replay of four chains of eight memsets.
fn check_replay(replay: &ReplayTime) {
    assert_eq!(replay.nodes.len(), 32);
    let end = |node: &NodeTime| node.begin_ns + node.duration_ns.unwrap();
    for node in &replay.nodes {
        let place = |node: &NodeTime| -> (usize, usize) {
            let parts: Vec<&str> = node.name.split(['"', ' ']).filter(|part| !part.is_empty()).collect();
            (parts[1].parse().unwrap(), parts[2].parse().unwrap())
        };
        let (chain, at) = place(node);
        let before = node.after.map(|before| &replay.nodes[before]);
        assert_eq!(before.map(place), (at > 0).then(|| (chain, at - 1)));
        assert_eq!(node.waited_ns, node.begin_ns - before.map_or(0, end));
        assert!(node.node != 0 && node.kind == "memset" && node.lane != 0);
    }
    let path: Vec<&NodeTime> = replay.nodes.iter().filter(|node| node.is_critical).collect();
    assert_eq!(path.len(), 8);
    assert_eq!(replay.critical_ns, path.iter().map(|node| node.duration_ns.unwrap()).sum::<u64>());
    assert_eq!(replay.duration_ns, end(path[7]));
    assert!(replay.idle_ns + replay.critical_ns <= replay.duration_ns);
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
    let trace = TraceFile::read(&std::fs::read(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(trace.ended, 0);
    let [nodes, _] = checked(&trace);
    assert!(nodes.values().sum::<u64>() > 1000);
}
