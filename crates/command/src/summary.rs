//! Traces in numbers: how often and how long each kernel, graph and call ran.

use std::collections::BTreeMap;

use crate::names::Names;
use crate::table::{self, micros};
use graphcap_observe::format::{Kind, OPEN};
use graphcap_observe::read::TraceFile;
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
            let mut rows: Vec<Row> = of_kind.filter_map(|((_, name), all)| Row::of(name, all)).collect();
            rows.sort_by_key(|row| std::cmp::Reverse(row.total_ns));
            rows
        };
        Summary {
            duration_ns: last - trace.began,
            dropped: trace.dropped,
            unended,
            replays: rows(Kind::Replay),
            nodes: rows(Kind::Node),
            work: rows(Kind::Work),
            calls: rows(Kind::Call),
        }
    }

    /// The sections, in the order in which they are shown.
    pub fn sections(&self) -> [Section<'_>; 4] {
        [
            ("replays", &self.replays),
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

impl Row {
    /// `None` where there are no durations.
    fn of(name: &str, durations: &[u64]) -> Option<Row> {
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
}
