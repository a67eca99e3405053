//! Traces in numbers: how often and how long each kernel, graph and call ran.

use std::collections::BTreeMap;

use crate::names::Names;
use crate::table::{self, micros};
use graphcap_observe::format::{Kind, OPEN};
use graphcap_observe::read::TraceFile;
use graphcap_observe::times::ExecTimes;
pub use graphcap_observe::times::Row;
use serde::Serialize;

/// A trace in numbers. Rows with the largest sums come first.
#[derive(Serialize, Debug)]
pub struct Summary {
    /// Duration of the trace, in nanoseconds: to its end, or to the last event where it was not stopped.
    pub duration_ns: u64,
    /// Number of records that found no room.
    pub dropped: u64,
    /// Number of events that had begun and not ended.
    pub unended: u64,
    /// Replays by graph.
    pub replays: Vec<Row>,
    /// Nodes by name, or by kernel where they have none.
    pub nodes: Vec<Row>,
    /// Work of streams outside graphs.
    pub work: Vec<Row>,
    /// Calls by function.
    pub calls: Vec<Row>,
    /// Reasons for which replays take their time, by graph.
    pub reasons: Vec<Row>,
}

/// Title of a section of a summary, and its rows.
pub type Section<'a> = (&'static str, &'a [Row]);

impl Summary {
    /// Sums up a trace.
    pub fn of(trace: &TraceFile) -> Summary {
        let names = Names::of(trace);
        let mut durations: BTreeMap<(u8, String), Vec<u64>> = BTreeMap::new();
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
            durations.entry((event.kind as u8, names.told(event).0)).or_default().push(event.duration);
        }
        let rows = |kind: Kind| {
            let of_kind = durations.iter().filter(|((of, _), _)| *of == kind as u8);
            Row::of_all(of_kind.map(|((_, name), all)| (name.as_str(), &all[..])))
        };
        Summary {
            duration_ns: last - trace.began,
            dropped: trace.dropped,
            unended,
            replays: rows(Kind::Replay),
            nodes: rows(Kind::Node),
            work: rows(Kind::Work),
            calls: rows(Kind::Call),
            reasons: reasons(trace),
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
            let cells = |row: &Row| {
                let times = [row.total_ns, row.median_ns, row.min_ns, row.max_ns].map(micros);
                [vec![row.name.clone(), row.count.to_string()], times.to_vec()].concat()
            };
            let rows: Vec<_> = rows.iter().map(cells).collect();
            table::write(&mut out, &[title, "count", "total us", "median", "min", "max"], &rows);
        }
        out
    }
}

/// The parts of the replays of each graph: from begin to end, the longest path, times in which no node ran, and times before the begin.
fn reasons(trace: &TraceFile) -> Vec<Row> {
    let mut parts: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for times in ExecTimes::of_all(trace, usize::MAX) {
        for replay in &times.replays {
            for (part, time) in [
                ("begin to end", replay.duration_ns),
                ("critical path", replay.critical_ns),
                ("no node runs", replay.idle_ns),
                ("late to begin", replay.delay_ns),
                ("not launched yet", replay.held_ns),
            ] {
                parts.entry(format!("{}: {part}", times.graph)).or_default().push(time);
            }
        }
    }
    Row::of_all(parts.iter().map(|(name, all)| (name.as_str(), &all[..])))
}
