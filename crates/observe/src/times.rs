//! Times of replays in a trace: when each node ran and where, what it waited for, which nodes made the longest path, and when nothing ran.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::format::{Entry, Kind, OPEN};
use crate::read::TraceFile;
use serde::Serialize;

/// Durations of what has one name, in nanoseconds.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name.
    pub name: String,
    /// Number of runs to its end.
    pub count: u64,
    /// Sum of the durations.
    pub total_ns: u64,
    /// Median duration.
    pub median_ns: u64,
    /// Shortest duration.
    pub min_ns: u64,
    /// Longest duration.
    pub max_ns: u64,
}

/// A node as it ran.
#[derive(Serialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeTime {
    /// Number of the node in its graph; 0 where it has none.
    pub node: u64,
    /// Number of the body that has it; 0 for the graph.
    pub body: u32,
    /// Its name.
    pub name: String,
    /// Name of its kernel.
    pub kernel: String,
    /// Its kind.
    pub kind: String,
    /// Number of the thread, or of the line of a device, on which it ran.
    pub lane: u64,
    /// Begin, counted from that of the replay.
    pub begin_ns: u64,
    /// Duration; `None` where it has not ended.
    pub duration_ns: Option<u64>,
    /// Place in the list of the node that ended last of those that it had to wait for.
    pub after: Option<usize>,
    /// Time from the end of that node, or from the begin of the replay, to its begin.
    pub waited_ns: u64,
    /// Tells whether it is on the path of nodes that waited for each other and that ended last.
    pub is_critical: bool,
}

/// A replay.
#[derive(Serialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayTime {
    /// Number of the launch.
    pub launch: u32,
    /// Begin, by the monotonic clock.
    pub begin_ns: u64,
    /// Time from its begin to the end of its last node.
    pub duration_ns: u64,
    /// Time that the replay began behind its launch, and behind the end of the launch before.
    pub delay_ns: u64,
    /// Time for which the launch before had ended and this one was not asked for.
    pub held_ns: u64,
    /// Time within the replay in which no node ran.
    pub idle_ns: u64,
    /// Sum of the durations of nodes on the critical path.
    pub critical_ns: u64,
    /// The nodes in the order in which they began.
    pub nodes: Vec<NodeTime>,
}

/// Times of the last replays of an exec.
#[derive(Serialize, Clone, Debug, Default, PartialEq, Eq)]
pub struct ExecTimes {
    /// Number of the exec in the trace.
    pub exec: u32,
    /// Name of its graph.
    pub graph: String,
    /// The replays.
    pub replays: Vec<ReplayTime>,
    /// Nodes of these replays by kernel, or by kind where they are none; the largest sum first.
    pub kernels: Vec<Row>,
}

/// Place of a step: its body, and its number there.
type Place = (u32, u32);

/// Descriptions of an exec.
#[derive(Default)]
struct Described {
    graph: u32,
    steps: HashMap<Place, Entry>,
    /// The steps that each waits for.
    before: HashMap<Place, Vec<Place>>,
    /// Begin of each launch's call.
    asked: HashMap<u32, u64>,
    /// Launches and nodes that ran, with their lanes, by the number of the launch.
    runs: BTreeMap<u32, Vec<(u64, Entry)>>,
}

impl Row {
    /// Sums durations up; `None` where there are none.
    pub fn of(name: &str, durations: &[u64]) -> Option<Row> {
        let mut sorted = durations.to_vec();
        sorted.sort_unstable();
        Some(Row {
            name: name.to_owned(),
            count: sorted.len() as u64,
            total_ns: sorted.iter().fold(0, |sum, duration| sum.saturating_add(*duration)),
            median_ns: *sorted.get(sorted.len() / 2)?,
            min_ns: *sorted.first()?,
            max_ns: *sorted.last()?,
        })
    }

    /// Sums up durations by name, the largest sum first.
    pub fn of_all<'a>(all: impl IntoIterator<Item = (&'a str, &'a [u64])>) -> Vec<Row> {
        let mut rows: Vec<Row> = all.into_iter().filter_map(|(name, durations)| Row::of(name, durations)).collect();
        rows.sort_by(|one, other| other.total_ns.cmp(&one.total_ns).then_with(|| one.name.cmp(&other.name)));
        rows
    }
}

impl ExecTimes {
    /// Times of the last `count` replays of each exec that a trace has.
    pub fn of_all(trace: &TraceFile, count: usize) -> Vec<ExecTimes> {
        let mut execs: BTreeMap<u32, Described> = BTreeMap::new();
        for (lane, entry) in entries(trace).filter(|(_, entry)| entry.exec != 0) {
            let described = execs.entry(entry.exec).or_default();
            match entry.kind {
                Kind::Exec => described.graph = entry.name,
                Kind::Step => drop(described.steps.insert((entry.launch, entry.number), *entry)),
                Kind::Edge => {
                    let before = described.before.entry((entry.launch, entry.number)).or_default();
                    before.push((entry.launch, entry.name));
                }
                Kind::Launch => drop(described.asked.insert(entry.launch, entry.begin)),
                Kind::Replay | Kind::Node => described.runs.entry(entry.launch).or_default().push((lane, *entry)),
                _ => {}
            }
        }
        execs.into_iter().map(|(exec, described)| ExecTimes::of(trace, exec, described, count)).collect()
    }

    fn of(trace: &TraceFile, exec: u32, mut described: Described, count: usize) -> ExecTimes {
        let mut runs = std::mem::take(&mut described.runs);
        let mut last_end = None;
        // One more, to tell when it had ended.
        while runs.len() > count.saturating_add(1) {
            runs.pop_first();
        }
        let mut replays = Vec::with_capacity(runs.len());
        for (launch, ran) in runs {
            let replay = described.replay(trace, launch, ran, last_end);
            last_end = Some(replay.begin_ns.saturating_add(replay.duration_ns));
            replays.push(replay);
        }
        let replays = replays.split_off(replays.len().saturating_sub(count));
        let mut durations: HashMap<&str, Vec<u64>> = HashMap::new();
        for node in replays.iter().flat_map(|replay| &replay.nodes) {
            let name = if node.kernel.is_empty() { &node.kind } else { &node.kernel };
            durations.entry(name).or_default().extend(node.duration_ns);
        }
        let kernels = Row::of_all(durations.iter().map(|(name, all)| (*name, &all[..])));
        ExecTimes { exec, graph: trace.text(described.graph), replays, kernels }
    }
}

/// All records, with the numbers of their threads.
fn entries(trace: &TraceFile) -> impl Iterator<Item = (u64, &Entry)> {
    trace.threads.iter().flat_map(|thread| thread.events.iter().map(|entry| (thread.number, entry)))
}

impl Described {
    /// A replay of which these records are, behind the end of the one before.
    fn replay(&self, trace: &TraceFile, launch: u32, mut ran: Vec<(u64, Entry)>, last_end: Option<u64>) -> ReplayTime {
        ran.sort_by_key(|(_, entry)| entry.begin);
        let begin = ran.first().map_or(0, |(_, entry)| entry.begin);
        ran.retain(|(_, entry)| entry.kind == Kind::Node);
        let mut latest = HashMap::new();
        let mut nodes: Vec<NodeTime> = Vec::with_capacity(ran.len());
        let end_of = |node: &NodeTime| node.begin_ns.saturating_add(node.duration_ns.unwrap_or(0));
        for (at, (lane, entry)) in ran.iter().enumerate() {
            let place = (entry.name, entry.number);
            let step = self.steps.get(&place);
            let text = |id: Option<u32>| id.map(|id| trace.text(id)).unwrap_or_default();
            let begin_ns = entry.begin - begin;
            let ended = |at: &usize| nodes.get(*at).map(end_of);
            let after = self.waited_for(place, &latest).into_iter().max_by_key(ended);
            nodes.push(NodeTime {
                node: step.map_or(0, |step| step.duration),
                body: entry.name,
                name: text(step.map(|step| step.name)),
                kernel: text(step.map(|step| step.begin as u32)),
                kind: text(step.map(|step| step.stream)),
                lane: *lane,
                begin_ns,
                duration_ns: (entry.duration != OPEN).then_some(entry.duration),
                after,
                waited_ns: begin_ns.saturating_sub(after.and_then(|at| nodes.get(at)).map_or(0, end_of)),
                is_critical: false,
            });
            latest.insert(place, at);
        }
        let mut replay = ReplayTime { launch, begin_ns: begin, nodes, ..ReplayTime::default() };
        replay.duration_ns = replay.nodes.iter().map(end_of).max().unwrap_or(0);
        replay.mark_path();
        replay.idle_ns = replay.idle();
        let asked = self.asked.get(&launch).copied();
        replay.held_ns = asked.zip(last_end).map_or(0, |(asked, last)| asked.saturating_sub(last));
        replay.delay_ns = asked.max(last_end).map_or(0, |ready| begin.saturating_sub(ready));
        replay
    }

    /// The latest runs of the steps that a step waits for. Steps that have not run are passed through.
    fn waited_for(&self, place: Place, latest: &HashMap<Place, usize>) -> Vec<usize> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let mut open = vec![place];
        while let Some(place) = open.pop() {
            for before in self.before.get(&place).into_iter().flatten().filter(|before| seen.insert(**before)) {
                match latest.get(before) {
                    Some(at) => found.push(*at),
                    None => open.push(*before),
                }
            }
        }
        found
    }
}

impl ReplayTime {
    /// Marks the node that ended last, the one that it waited for, and so on.
    fn mark_path(&mut self) {
        let of_graph = self.nodes.iter().enumerate().filter(|(_, node)| node.body == 0);
        let mut next = of_graph.max_by_key(|(_, node)| node.begin_ns + node.duration_ns.unwrap_or(0)).map(|(at, _)| at);
        while let Some(node) = next.and_then(|at| self.nodes.get_mut(at)).filter(|node| !node.is_critical) {
            node.is_critical = true;
            self.critical_ns = self.critical_ns.saturating_add(node.duration_ns.unwrap_or(0));
            next = node.after;
        }
    }

    /// Time in which no node ran.
    fn idle(&self) -> u64 {
        let (mut idle, mut through) = (0, 0);
        for node in &self.nodes {
            idle += node.begin_ns.saturating_sub(through);
            through = through.max(node.begin_ns.saturating_add(node.duration_ns.unwrap_or(0)));
        }
        idle
    }
}
