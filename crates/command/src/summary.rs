//! Traces in numbers: how often and how long each kernel, graph and call ran.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use crate::names::Names;
use crate::table::{self, micros};
use graphcap_observe::format::{Kind, OPEN};
use graphcap_observe::read::TraceFile;
use graphcap_observe::times::ExecTimes;
use graphcap_observe::times::Row;
use serde::Serialize;

/// Durations of what has one name.
#[derive(Serialize, Debug)]
pub struct SummaryRow {
    /// All of them.
    #[serde(flatten)]
    pub row: Row,
    /// Sum of the durations without those of the longest twentieth of the replays of each exec, at least one of three, which the system may
    /// have interrupted. Of work that ran in these alone, the sum of all.
    pub usual_ns: u64,
}

/// Durations by kind and name, and the usual sum of each.
type Durations<K> = BTreeMap<K, (Vec<u64>, u64)>;

/// A trace in numbers. Rows with the largest usual sums come first.
#[derive(Serialize, Debug)]
pub struct Summary {
    /// Duration of the trace, in nanoseconds: to its end, or to the last event where it was not stopped.
    pub duration_ns: u64,
    /// Number of records that found no room.
    pub dropped: u64,
    /// Number of events that had begun and not ended.
    pub unended: u64,
    /// Replays by graph.
    pub replays: Vec<SummaryRow>,
    /// Nodes by name, or by kernel where they have none.
    pub nodes: Vec<SummaryRow>,
    /// Work of streams outside graphs.
    pub work: Vec<SummaryRow>,
    /// Calls by function.
    pub calls: Vec<SummaryRow>,
    /// Reasons for which replays take their time, by graph.
    pub reasons: Vec<SummaryRow>,
}

/// Title of a section of a summary, and its rows.
pub type Section<'a> = (&'static str, &'a [SummaryRow]);

impl Summary {
    /// Sums up a trace.
    pub fn of(trace: &TraceFile) -> Summary {
        let names = Names::of(trace);
        let long = long_replays(trace);
        let mut durations: Durations<(u8, String)> = BTreeMap::new();
        let (mut unended, mut last) = (0, trace.ended.max(trace.began));
        for event in trace.threads.iter().flat_map(|thread| &thread.events) {
            if !matches!(event.kind, Kind::Replay | Kind::Node | Kind::Work | Kind::Call) {
                continue;
            }
            if event.duration == OPEN {
                unended += 1;
                continue;
            }
            last = last.max(event.begin.saturating_add(event.duration));
            let (all, usual) = durations.entry((event.kind as u8, names.told(event).0)).or_default();
            all.push(event.duration);
            if event.exec == 0 || !long.contains(&(event.exec, event.launch)) {
                *usual = usual.saturating_add(event.duration);
            }
        }
        let rows = |kind: Kind| {
            let of_kind = durations.iter().filter(|((of, _), _)| *of == kind as u8);
            sorted(of_kind.map(|((_, name), all)| (name.as_str(), all)))
        };
        Summary {
            duration_ns: last - trace.began,
            dropped: trace.dropped,
            unended,
            replays: rows(Kind::Replay),
            nodes: rows(Kind::Node),
            work: rows(Kind::Work),
            calls: rows(Kind::Call),
            reasons: reasons(trace, &long),
        }
    }

    /// The sections, in the order in which they are shown.
    pub fn sections(&self) -> [Section<'_>; 5] {
        [
            ("replays", &self.replays),
            ("parts of replays", &self.reasons),
            ("nodes", &self.nodes),
            ("work outside graphs", &self.work),
            ("calls", &self.calls),
        ]
    }

    /// Writes the summary for people.
    pub fn text(&self) -> String {
        let mut out = format!("duration: {} us\n", micros(self.duration_ns));
        if self.dropped > 0 {
            out.push_str(&format!("records that found no room: {}\n", self.dropped));
        }
        if self.unended > 0 {
            out.push_str(&format!("begun and not ended: {}\n", self.unended));
        }
        out.push('\n');
        for (title, rows) in self.sections() {
            let cells = |SummaryRow { row, usual_ns }: &SummaryRow| {
                let times = [*usual_ns, row.total_ns, row.median_ns, row.min_ns, row.max_ns].map(micros);
                [vec![row.name.clone(), row.count.to_string()], times.to_vec()].concat()
            };
            let rows: Vec<_> = rows.iter().map(cells).collect();
            table::write(&mut out, &[title, "count", "usual us", "total us", "median", "min", "max"], &rows);
        }
        out
    }
}

/// Rows of durations by name, the largest usual sum first.
fn sorted<'a>(all: impl Iterator<Item = (&'a str, &'a (Vec<u64>, u64))>) -> Vec<SummaryRow> {
    let of = |(name, (all, usual)): (&str, &(Vec<u64>, u64))| {
        let row = Row::of(name, all)?;
        // Work that ran in the longest replays alone is most likely why they were long.
        let usual_ns = if *usual == 0 { row.total_ns } else { *usual };
        Some(SummaryRow { row, usual_ns })
    };
    let mut rows: Vec<SummaryRow> = all.filter_map(of).collect();
    rows.sort_by(|one, other| (Reverse(one.usual_ns), &one.row.name).cmp(&(Reverse(other.usual_ns), &other.row.name)));
    rows
}

/// The longest twentieth of the replays of each exec of which there are three or more: their execs and launches.
fn long_replays(trace: &TraceFile) -> HashSet<(u32, u32)> {
    let mut spans: BTreeMap<u32, BTreeMap<u32, (u64, u64)>> = BTreeMap::new();
    let nodes = trace.threads.iter().flat_map(|thread| &thread.events).filter(|event| event.kind == Kind::Node);
    for node in nodes.filter(|node| node.duration != OPEN) {
        let (begin, end) = spans.entry(node.exec).or_default().entry(node.launch).or_insert((u64::MAX, 0));
        (*begin, *end) = (node.begin.min(*begin), node.end_of_span().max(*end));
    }
    let longest = |(exec, spans): (u32, BTreeMap<u32, (u64, u64)>)| {
        let mut launches: Vec<_> = spans.into_iter().map(|(launch, (begin, end))| (end - begin, launch)).collect();
        launches.sort_unstable();
        let kept = launches.len() - if launches.len() < 3 { 0 } else { launches.len().div_ceil(20) };
        launches.split_off(kept).into_iter().map(move |(_, launch)| (exec, launch))
    };
    spans.into_iter().flat_map(longest).collect()
}

/// The parts of the replays of each graph: from begin to end, the longest path, times in which no node ran, and times before the begin.
fn reasons(trace: &TraceFile, long: &HashSet<(u32, u32)>) -> Vec<SummaryRow> {
    let mut parts: Durations<String> = BTreeMap::new();
    for times in ExecTimes::of_all(trace, usize::MAX) {
        for replay in &times.replays {
            for (part, time) in [
                ("begin to end", replay.duration_ns),
                ("critical path", replay.critical_ns),
                ("no node runs", replay.idle_ns),
                ("late to begin", replay.delay_ns),
                ("not launched yet", replay.held_ns),
            ] {
                let (all, usual) = parts.entry(format!("{}: {part}", times.graph)).or_default();
                all.push(time);
                if !long.contains(&(times.exec, replay.launch)) {
                    *usual = usual.saturating_add(time);
                }
            }
        }
    }
    sorted(parts.iter().map(|(name, all)| (name.as_str(), all)))
}
