//! The timeline: a bar for each run of a node, in a row for each lane.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use graphcap_core::ToldGraph;
use graphcap_observe::format::{Entry, Kind, OPEN};
use graphcap_observe::read::TraceFile;

use super::kernels::{hue, Kernels};
use super::markup::escaped;
use super::pairing::{pairs, Step};
use crate::names::Names;
use crate::table::micros;

/// Most bars that are shown, the last ones of the trace.
const MOST: usize = 10_000;
/// Height of a lane, in pixels.
const LANE: usize = 24;

/// The timeline.
pub(super) struct Bars {
    /// Names of the lanes that nodes ran on.
    pub(super) lanes: Vec<String>,
    /// Number of runs of nodes in the trace.
    pub(super) count: usize,
    /// The bars that are shown, by kernels.
    shown: BTreeMap<usize, Vec<Bar>>,
    /// Names of nodes, by their numbers in bars.
    names: Vec<String>,
    /// Begin and end of what is shown, from the begin of the trace, in nanoseconds.
    range: (u64, u64),
}

struct Bar {
    lane: usize,
    begin: u64,
    duration: u64,
    name: usize,
    launch: u32,
    /// Number of the node in the picture of the graph.
    node: Option<String>,
}

/// Facts about the nodes of one step.
#[derive(Clone)]
struct Known {
    kernel: usize,
    name: usize,
    node: Option<String>,
}

impl Bars {
    /// Reads the runs of nodes, and of work outside graphs, and adds their durations to those of their kernels.
    pub(super) fn of(trace: &TraceFile, graph: Option<&ToldGraph>, kernels: &mut Kernels) -> Bars {
        let names = Names::of(trace);
        let paired = graph.map(|graph| pairs(trace, graph)).unwrap_or_default();
        let mut known: HashMap<(Step, u8), Known> = HashMap::new();
        let mut bars = Bars { lanes: Vec::new(), count: 0, shown: BTreeMap::new(), names: Vec::new(), range: (0, 0) };
        let mut all = Vec::new();
        for thread in &trace.threads {
            let lane = bars.lanes.len();
            let runs = thread.events.iter().filter(|event| is_run(event));
            for event in runs {
                let of = known.entry(step_of(event)).or_insert_with(|| {
                    let (name, more) = names.told(event);
                    let of_event = more.get("kernel").and_then(|kernel| kernel.as_str());
                    let kind = more.get("kind").and_then(|kind| kind.as_str());
                    let kernel = kernels.number(of_event.or(kind).unwrap_or(&name), of_event.is_some());
                    bars.names.push(name);
                    let node = paired.get(&step_of(event).0).filter(|_| event.kind == Kind::Node).cloned();
                    Known { kernel, name: bars.names.len() - 1, node }
                });
                if let Some(row) = kernels.rows.get_mut(of.kernel) {
                    row.durations.push(event.duration);
                }
                let begin = event.begin.saturating_sub(trace.began);
                let Known { kernel, name, node } = of.clone();
                all.push((kernel, Bar { lane, begin, duration: event.duration, name, launch: event.launch, node }));
            }
            if all.last().is_some_and(|(_, bar)| bar.lane == lane) {
                bars.lanes.push(format!("{} {}", thread.name, thread.number));
            }
        }
        bars.count = all.len();
        all.sort_by_key(|(_, bar)| bar.begin);
        let shown = all.split_off(all.len().saturating_sub(MOST));
        let ends = shown.iter().map(|(_, bar)| bar.begin.saturating_add(bar.duration));
        bars.range = (shown.first().map_or(0, |(_, bar)| bar.begin), ends.max().unwrap_or(0));
        for (kernel, bar) in shown {
            bars.shown.entry(kernel).or_default().push(bar);
        }
        bars
    }

    /// Returns the section. A pixel of its picture is a nanosecond, and the picture is stretched to the page.
    pub(super) fn html(&self) -> String {
        if self.count == 0 {
            return "<p>No node ran while the trace went on.</p>\n".into();
        }
        let (begin, end) = self.range;
        let (width, height) = ((end - begin).max(1), self.lanes.len() * LANE);
        let shown = self.shown.values().map(Vec::len).sum::<usize>();
        let of = if shown < self.count { format!("The last {shown} of {} runs. ", self.count) } else { String::new() };
        let mut out = format!(
            "<p class=\"note\">{of}Colours are those of the table by kernel.</p>\n\
             <div class=\"tools\" hidden><button type=\"button\" data-time=\"in\" title=\"Zoom in\">+</button>\
             <button type=\"button\" data-time=\"out\" title=\"Zoom out\">−</button><button type=\"button\" data-time=\"fit\">Fit</button></div>\n\
             <div class=\"lanes\"><div class=\"names\">"
        );
        for lane in &self.lanes {
            let _ = write!(out, "<div>{}</div>", escaped(lane));
        }
        let _ = writeln!(
            out,
            "</div><div class=\"time\" tabindex=\"0\" role=\"group\" aria-label=\"Timeline\"><svg viewBox=\"0 0 {width} {height}\" \
             height=\"{height}\" preserveAspectRatio=\"none\" data-begin=\"{begin}\" role=\"img\" aria-label=\"Runs of nodes by lane\">"
        );
        for (kernel, bars) in &self.shown {
            let _ = writeln!(out, "<g data-k=\"{kernel}\" style=\"--h:{}\">", hue(*kernel));
            for Bar { lane, begin: at, duration, name, launch, node } in bars {
                let (x, y, height) = (at - begin, lane * LANE + 3, LANE - 6);
                let node = node.as_ref().map(|node| format!(" data-n=\"{node}\"")).unwrap_or_default();
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{duration}\" height=\"{height}\" data-l=\"{launch}\" data-w=\"{name}\"{node}/>"
                );
            }
            out.push_str("</g>\n");
        }
        let ticks = (0..=4).map(|part| format!("<span>{}</span>", micros(begin + (end - begin) / 4 * part)));
        let _ = writeln!(out, "</svg><div class=\"ticks\">{}</div></div></div>", ticks.collect::<String>());
        let names: Vec<_> = self.names.iter().map(|name| escaped(name)).collect();
        let _ = writeln!(out, "<p class=\"note\">Microseconds from the begin of the trace.</p>");
        let _ = writeln!(
            out,
            "<ol id=\"names\" hidden>{}</ol>",
            names.iter().map(|name| format!("<li>{name}</li>")).collect::<String>()
        );
        out
    }
}

fn is_run(event: &Entry) -> bool {
    matches!(event.kind, Kind::Node | Kind::Work) && event.duration != OPEN
}

/// By which events have one name: work outside graphs has it as its text.
fn step_of(event: &Entry) -> (Step, u8) {
    ((event.exec, event.name, event.number), event.kind as u8)
}
