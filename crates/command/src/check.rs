//! Checks of traces: what each of them holds, whatever was traced.

use std::collections::BTreeMap;

use crate::chrome;
use graphcap_observe::read::TraceFile;
use graphcap_observe::times::ExecTimes;
use serde_json::Value;

/// An event of the JSON: its begin and end in nanoseconds.
struct Shown {
    name: String,
    is_node: bool,
    begin: u64,
    end: u64,
}

fn nanoseconds(value: &Value) -> u64 {
    (value.as_f64().unwrap_or(-1.0) * 1000.0).round() as u64
}

/// Checks that the JSON of a trace is valid, that events of a line are within each other or apart, that no line has two nodes at once, and
/// that the nodes of each replay take as long in the JSON as in its times. Tells how many nodes there are.
///
/// # Errors
/// The first thing that does not hold.
pub fn check(trace: &TraceFile) -> Result<usize, String> {
    let mut json = Vec::new();
    chrome::write(trace, &mut json).map_err(|error| error.to_string())?;
    let events: Vec<Value> =
        serde_json::from_slice(&json).map_err(|error| format!("the JSON is not valid: {error}"))?;
    let mut lines: BTreeMap<u64, Vec<Shown>> = BTreeMap::new();
    let mut sums: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let mut count = 0;
    for event in events.iter().filter(|event| event["ph"] == "X") {
        let (begin, duration) = (nanoseconds(&event["ts"]), nanoseconds(&event["dur"]));
        let (is_node, of) = (event["cat"] == "node", &event["args"]);
        if is_node {
            count += 1;
            let ran = if of["unended"] == true { 0 } else { duration };
            *sums.entry((of["exec"].as_u64().unwrap_or(0), of["launch"].as_u64().unwrap_or(0))).or_default() += ran;
        }
        let name = event["name"].as_str().unwrap_or_default().to_owned();
        let line = event["tid"].as_u64().unwrap_or(0);
        if line > u32::MAX.into() {
            return Err(format!("line {line} has a number that is too large for viewers"));
        }
        let line = lines.entry(line).or_default();
        line.push(Shown { name, is_node, begin, end: begin + duration });
    }
    for (line, events) in &lines {
        check_line(events).map_err(|wrong| format!("line {line}: {wrong}"))?;
    }
    let mut told: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for times in ExecTimes::of_all(trace, usize::MAX) {
        for replay in times.replays.iter().filter(|replay| !replay.nodes.is_empty()) {
            let sum = replay.nodes.iter().filter_map(|node| node.duration_ns).sum();
            told.insert((times.exec.into(), replay.launch.into()), sum);
        }
    }
    match told == sums {
        true => Ok(count),
        false => Err("the nodes of a replay take another time in the JSON than in its times".into()),
    }
}

fn check_line(events: &[Shown]) -> Result<(), String> {
    // Those that began earlier and have not ended.
    let mut open: Vec<&Shown> = Vec::new();
    for event in events {
        while open.last().is_some_and(|outer| outer.end <= event.begin) {
            open.pop();
        }
        if let Some(outer) = open.last() {
            if event.begin < outer.begin || event.end > outer.end {
                return Err(format!("{} is not within {}", event.name, outer.name));
            }
            if outer.is_node && event.is_node {
                return Err(format!("{} runs while {} does", event.name, outer.name));
            }
        }
        open.push(event);
    }
    Ok(())
}
