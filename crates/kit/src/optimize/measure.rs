//! Candidates for an optimised graph, replayed and timed, with all that they write saved before and restored after.

use std::time::{Duration, Instant};

use super::layouts::longest_path;
use super::options::{MeasureOptions, OptimizeOptions};
use super::plan::{Candidate, Form};
use super::promises::Promises;
use super::rebuild::Rebuilt;
use super::report::{Measured, OptimizeReport, Timing};
use super::trial::Trial;
use graphcap_base::error::{Error, Result, Status};
use graphcap_core::{relax_mode, Event, Graph, GraphExec, SavedMemory, Stream};
use graphcap_driver::rules::lanes::Layout;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{EventOptions, StreamOptions};

/// Numbers of lanes that are tried.
const LANES: [usize; 5] = [2, 16, 32, 64, 128];
/// A graph of more nodes is not tried with the edges that it needs alone: its clocks would have an entry for each pair.
const MOST_NODES_OF_NEEDED: usize = 4096;
/// A node that waits for more others makes instantiating slow.
const WIDEST: usize = 128;
/// The candidates take turns, so that what disturbs the machine for a while disturbs all.
const ROUNDS: u32 = 2;
/// Of one candidate, one behind another and then one by one.
const REPLAYS: u32 = 10;

/// A graph to measure.
struct Contender {
    measured: Measured,
    layout: Option<Layout>,
    /// Tells whether it is the graph as it was recorded, which gets no nodes before and behind.
    is_recorded: bool,
    exec: GraphExec,
}

/// The fastest of several graphs that do what `graph` does; or why they must not be measured.
///
/// # Errors
/// As [`optimize`](super::optimize); the status of a context that faulted.
pub(super) fn measure(
    graph: &Graph,
    options: &OptimizeOptions,
    promises: &Promises,
    how: &MeasureOptions,
) -> Result<std::result::Result<(Graph, OptimizeReport), String>> {
    let measured = try_candidates(graph, options, promises, how)?;
    // What was saved is no memory of the program's.
    graph.context().trim()?;
    Ok(measured)
}

fn try_candidates(
    graph: &Graph,
    options: &OptimizeOptions,
    promises: &Promises,
    how: &MeasureOptions,
) -> Result<std::result::Result<(Graph, OptimizeReport), String>> {
    if options.in_place {
        return Ok(Err("the graph itself is changed; have a copy made to measure candidates".to_owned()));
    }
    let _mode = relax_mode()?;
    let trial = match Trial::of(graph, promises.clone(), how.trial.permits) {
        Ok(trial) => trial,
        Err(error) => return refused(error, Status::NOT_SUPPORTED),
    };
    let options_of_stream = StreamOptions { non_blocking: true, ..StreamOptions::default() };
    let stream = Stream::create(graph.context(), options_of_stream)?;
    let saved = match trial.save(&stream, how.trial.bytes) {
        Ok(saved) => saved,
        Err(error) => return refused(error, Status::OUT_OF_MEMORY),
    };
    let mut contenders = contenders(&trial, options)?;
    let timed = time(&mut contenders, &stream, &saved);
    let restored = saved.restore().and_then(|()| stream.synchronize());
    as_it_was(timed, restored)?;
    let by = |timing: &Timing| if how.single { timing.single } else { timing.pipelined };
    let chosen =
        (0..contenders.len()).min_by_key(|&at| contenders.get(at).map(|one| by(&one.measured.timing))).unwrap_or(0);
    let measured = contenders.iter().map(|one| one.measured).collect();
    let best = contenders.into_iter().nth(chosen).ok_or_else(|| Error::invalid_value("there is no candidate"))?;
    let mut report = trial.report();
    report.chosen = best.measured.edges;
    report.lanes = best.measured.lanes;
    report.measured = measured;
    report.chosen_measured = chosen;
    if let Some(layout) = &best.layout {
        report.longest_path.1 = longest_path(&layout.after).len();
        report.edges.1 = layout.after.iter().map(Vec::len).sum();
    }
    let form = Form { edges: best.measured.edges, has_ends: !best.is_recorded, is_measured: true };
    report.plan = Some(trial.plan(options, best.layout.as_ref(), form));
    let Rebuilt { graph, added_nodes, added_edges } = trial.into_rebuilt(best.layout.as_ref(), form.has_ends)?;
    report.added_nodes = added_nodes;
    report.edges.1 += added_edges;
    Ok(Ok((graph, report)))
}

/// Tells of a trial that failed whether the memory could be restored.
pub(crate) fn as_it_was<T>(trial: Result<T>, restored: Result<()>) -> Result<T> {
    match (trial, restored) {
        (Err(error), Err(_)) => Err(Error {
            message: format!("{}; the context is lost, with the memory that the graph writes", error.message).into(),
            ..error
        }),
        (trial, restored) => trial.and_then(|made| restored.map(|()| made)),
    }
}

/// An error of this status says why the graph must not be measured.
pub(super) fn refused<T>(error: Error, status: Status) -> Result<std::result::Result<T, String>> {
    match error.status == status {
        true => Ok(Err(error.message.into_owned())),
        false => Err(error),
    }
}

/// The graph as it was recorded first; then with one root and one leaf; then on lanes; then with the edges that it needs alone.
fn contenders(trial: &Trial, options: &OptimizeOptions) -> Result<Vec<Contender>> {
    let none = Timing { pipelined: Duration::MAX, single: Duration::MAX, launch: Duration::MAX };
    let contender = |edges, layout: Option<Layout>| -> Result<Contender> {
        let rebuilt = trial.rebuilt(layout.as_ref())?;
        let lanes = layout.as_ref().map_or(0, Layout::lane_count);
        let exec = rebuilt.graph.instantiate()?;
        let measured = Measured { edges, lanes, added_nodes: rebuilt.added_nodes, timing: none };
        Ok(Contender { measured, layout, is_recorded: false, exec })
    };
    let exec = trial.copy().instantiate()?;
    let edges = Candidate::AsRecorded;
    let measured = Measured { edges, lanes: 0, added_nodes: 0, timing: none };
    let mut all = vec![Contender { measured, layout: None, is_recorded: true, exec }];
    let shaped = contender(edges, None)?;
    if shaped.measured.added_nodes > 0 {
        all.push(shaped);
    }
    if options.shape_only {
        return Ok(all);
    }
    let most = if options.lanes == 0 { usize::MAX } else { options.lanes };
    let mut former = 0;
    for lanes in LANES.into_iter().map(|lanes| lanes.min(most)) {
        let Some(layout) = trial.layout(lanes) else { return Ok(all) };
        if layout.lane_count() > former {
            former = layout.lane_count();
            all.push(contender(Candidate::Lanes, Some(layout))?);
        }
    }
    let needed = trial.layout_needed(MOST_NODES_OF_NEEDED);
    let is_wanted = |layout: &Layout| {
        let width = layout.after.iter().map(Vec::len).max().unwrap_or(0);
        (former + 1..=most).contains(&layout.lane_count()) && width <= WIDEST
    };
    if let Some(layout) = needed.filter(is_wanted) {
        all.push(contender(Candidate::Needed, Some(layout))?);
    }
    Ok(all)
}

/// Replays all of them, each time from the same state of memory.
fn time(contenders: &mut [Contender], stream: &Stream, saved: &SavedMemory) -> Result<()> {
    let restoring = restoring(stream, saved)?;
    let restore = || restoring.as_ref().map_or(Ok(()), |exec| exec.launch(stream));
    let event = || Event::create(stream.context(), EventOptions::default());
    let events = (0..REPLAYS).map(|_| Ok((event()?, event()?))).collect::<Result<Vec<_>>>()?;
    for one in contenders.iter() {
        one.exec.upload(stream)?;
        // The first replay makes what the later ones find made.
        one.exec.launch(stream)?;
        restore()?;
    }
    for _ in 0..ROUNDS {
        for one in contenders.iter_mut() {
            let mut launched = Duration::ZERO;
            for (begin, end) in &events {
                restore()?;
                begin.record(stream)?;
                let before = Instant::now();
                one.exec.launch(stream)?;
                launched += before.elapsed();
                end.record(stream)?;
            }
            stream.synchronize()?;
            let spans = events.iter().map(|(begin, end)| begin.elapsed_ms(end));
            let device = spans.sum::<Result<f32>>()?.max(0.0);
            let mut single = Duration::ZERO;
            for _ in 0..REPLAYS {
                restore()?;
                stream.synchronize()?;
                let before = Instant::now();
                one.exec.launch(stream)?;
                stream.synchronize()?;
                single += before.elapsed();
            }
            // Of replays behind one another the device or the CPU takes longer.
            let pipelined = Duration::from_secs_f64(f64::from(device) / 1e3).max(launched);
            one.measured.timing = Timing {
                pipelined: one.measured.timing.pipelined.min(pipelined / REPLAYS),
                single: one.measured.timing.single.min(single / REPLAYS),
                launch: one.measured.timing.launch.min(launched / REPLAYS),
            };
        }
    }
    Ok(())
}

/// A graph that puts back what was saved, so that the device is at work while a replay behind it is launched.
fn restoring(stream: &Stream, saved: &SavedMemory) -> Result<Option<GraphExec>> {
    if saved.bytes() == 0 {
        return Ok(None);
    }
    stream.begin_capture(CaptureMode::Relaxed)?;
    let recorded = saved.restore();
    let graph = stream.end_capture()?;
    recorded?;
    graph.instantiate().map(Some)
}
