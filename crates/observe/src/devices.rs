//! Lines of devices in a trace. A profiler tells of what ran in any order; this puts it on lines on which one thing runs at a time, and finds the
//! launches by which it ran.

use std::collections::{BTreeMap, HashMap};

use crate::format::{device_of, Entry, Kind, IS_KIND, OPEN};
use crate::read::{Thread, TraceFile};

/// Lines of devices have numbers from this one on, which no thread has.
const LINES: u64 = 1 << 40;
/// Lines of replays on devices, by the stream.
const REPLAYS: u64 = 1 << 41;
/// Id of the word for kernels, which no text of the file has.
const KERNEL: u32 = u32::MAX;

impl TraceFile {
    /// Puts what ran on devices on lines of its own.
    pub(crate) fn place_on_devices(&mut self) {
        let (mut launches, mut ran, mut steps) = (HashMap::new(), Vec::new(), HashMap::new());
        for thread in &mut self.threads {
            thread.events.retain(|event| {
                match event.kind {
                    Kind::Correlated => drop(launches.insert(event.number, *event)),
                    Kind::Ran => ran.push(*event),
                    Kind::Step => drop(steps.insert((event.exec, event.launch, event.number), *event)),
                    _ => {}
                }
                !matches!(event.kind, Kind::Correlated | Kind::Ran)
            });
        }
        // Threads that told of nothing else, such as CUPTI's own.
        self.threads.retain(|thread| !thread.events.is_empty());
        if ran.is_empty() {
            return;
        }
        ran.sort_by_key(|event| event.begin);
        self.name_text(KERNEL, "kernel");
        let mut lines: BTreeMap<u64, (u64, Vec<Entry>)> = BTreeMap::new();
        let mut replays: BTreeMap<(u32, u32), Entry> = BTreeMap::new();
        let mut described = BTreeMap::new();
        for event in ran {
            let of = launches.get(&event.launch).filter(|_| event.exec != 0);
            let placed = match of {
                Some(of) => {
                    let number = event.number & !IS_KIND;
                    let step = steps.get(&(of.exec, 0, number)).copied();
                    let step = step.unwrap_or(Entry { exec: of.exec, number, ..Entry::of(Kind::Step) });
                    let (kernel, kind) = match event.number & IS_KIND {
                        0 => (event.name, KERNEL),
                        _ => (0, event.name),
                    };
                    described.insert((of.exec, number), Entry { begin: kernel.into(), stream: kind, ..step });
                    let Entry { exec, launch, stream, .. } = *of;
                    let replay = Entry { kind: Kind::Replay, exec, launch, stream, name: 0, number: 0, ..event };
                    let replay = replays.entry((exec, launch)).or_insert(replay);
                    replay.duration = match (replay.duration, event.duration) {
                        (OPEN, _) | (_, OPEN) => OPEN,
                        (known, _) => known.max(event.end_of_span() - replay.begin),
                    };
                    Entry { kind: Kind::Node, exec, launch, stream, name: 0, number, ..event }
                }
                None => Entry { kind: Kind::Work, exec: 0, launch: 0, number: 0, ..event },
            };
            // The first line of the stream that is free.
            let first = LINES + (u64::from(event.stream) << 8);
            let is_free = |line: &u64| lines.get(line).is_none_or(|(end, _)| *end <= event.begin);
            let line = (first..first + 255).find(is_free).unwrap_or(first + 255);
            let (end, events) = lines.entry(line).or_default();
            *end = event.end_of_span();
            events.push(placed);
        }
        for replay in replays.into_values() {
            let line = lines.entry(REPLAYS + u64::from(replay.stream)).or_default();
            line.1.push(replay);
        }
        // Behind all descriptions, in the place of those of the same steps.
        let mut described = Some(described);
        for (number, (_, mut events)) in lines {
            let name = match number {
                REPLAYS.. => "replays on a GPU".to_owned(),
                _ => format!("GPU {}", device_of(((number - LINES) >> 8) as u32)),
            };
            events.sort_by_key(|event| event.begin);
            events.splice(0..0, described.take().into_iter().flat_map(BTreeMap::into_values));
            self.threads.push(Thread { number, name, events });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(begin: u64, duration: u64, launch: u32, number: u32) -> Entry {
        Entry { begin, duration, exec: 7, launch, number, stream: 13, ..Entry::of(Kind::Ran) }
    }

    #[test]
    fn what_runs_at_once_is_on_lines_of_its_own_and_in_its_launch() {
        let launch = Entry { exec: 1, launch: 4, stream: 2, number: 90, ..Entry::of(Kind::Correlated) };
        let events = vec![ran(30, 10, 90, 1), launch, ran(20, 15, 90, 0), ran(50, 5, 91, 0)];
        let mut trace = TraceFile::default();
        trace.threads.push(Thread { number: 5, name: String::new(), events });
        trace.place_on_devices();
        let lines: Vec<Vec<(Kind, u32, u64)>> = trace
            .threads
            .iter()
            .map(|line| line.events.iter().filter(|event| event.kind != Kind::Step))
            .map(|events| events.map(|event| (event.kind, event.launch, event.begin)).collect())
            .collect();
        // The launch of the last one is of others.
        let first = vec![(Kind::Node, 4, 20), (Kind::Work, 0, 50)];
        assert_eq!(lines, [first, vec![(Kind::Node, 4, 30)], vec![(Kind::Replay, 4, 20)]]);
        assert_eq!(trace.threads[2].events[0].duration, 20);
    }
}
