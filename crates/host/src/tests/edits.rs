//! Edits of execs: launches that are queued run the plan that the exec had when they were made.

use std::sync::atomic::AtomicUsize;

use super::notes::Notes;
use super::*;
use crate::graph::Action;
use crate::shared::OBJECTS;
use graphcap_base::error::Status;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::ids::key_of;

/// Counts those that are alive, and notes what streams they are told.
struct Counted {
    alive: Arc<AtomicUsize>,
    told: Arc<Mutex<Vec<StreamId>, rank::Told>>,
}

impl Counted {
    fn new(count: &Arc<AtomicUsize>) -> Counted {
        count.fetch_add(1, Ordering::SeqCst);
        Counted { alive: Arc::clone(count), told: Arc::default() }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Retain for Counted {
    fn calls_out(&self) -> bool {
        false
    }

    fn used_by(&self, streams: &[StreamId], _: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot> {
        lock(&self.told).extend(streams);
        Vec::new()
    }

    fn to_be_held_apart(self: Arc<Self>) -> Retained {
        self
    }
}

/// A host function that holds something.
fn holding(count: &Arc<AtomicUsize>, ran: &Arc<AtomicUsize>) -> Action {
    let (held, ran) = (Counted::new(count), Arc::clone(ran));
    Action::Host(Arc::new(move || {
        let _ = &held;
        ran.fetch_add(1, Ordering::SeqCst);
    }))
}

/// An exec of one such function, recorded on `stream`, and its node.
fn exec_of_holding(
    notes: &Notes,
    stream: StreamId,
    alive: &Arc<AtomicUsize>,
    ran: &Arc<AtomicUsize>,
) -> (ExecId, NodeId) {
    let Action::Host(function) = holding(alive, ran) else { unreachable!() };
    notes.bench.begin(stream);
    notes.bench.driver.launch_host_function(stream, function).unwrap();
    let (exec, nodes) = notes.finish_capture(stream);
    (exec, nodes[0])
}

/// Waits until so many are alive. A lane may hold a plan for a moment after its last launch.
fn wait_for(count: &AtomicUsize, alive: usize) {
    while count.load(Ordering::SeqCst) != alive {
        assert!(count.load(Ordering::SeqCst) > alive, "something went that is still needed");
        std::thread::yield_now();
    }
}

fn refused<T>(result: graphcap_base::Result<T>) -> bool {
    result.is_err_and(|error| error.status == Status::INVALID_VALUE)
}

#[test]
fn launches_behind_a_wait_run_what_the_exec_was_when_they_were_made() {
    let notes = Notes::new();
    let (exec, nodes) = notes.chain(&[1, 2]);
    let held = notes.hold();
    let mut expected = Vec::new();
    for round in 0..20 {
        for _ in 0..round % 4 {
            notes.launch(exec, held.stream);
            expected.extend(match round {
                0 => [1, 2],
                _ => [99 + round, 2],
            });
        }
        // Several edits before one launch, the last of which counts.
        notes.set(exec, nodes[0], 7);
        notes.set(exec, nodes[0], 100 + round);
    }
    assert!(notes.take().is_empty());
    held.let_go();
    assert_eq!(notes.take(), expected);
}

#[test]
fn launches_on_other_streams_and_the_legacy_stream_follow_the_edits() {
    let notes = Notes::new();
    let (exec, nodes) = notes.chain(&[1]);
    let held = notes.hold();
    let (other, blocking) = (notes.bench.stream(), notes.bench.blocking_stream());
    let mut expected = vec![1];
    notes.launch(exec, held.stream);
    for (number, stream) in [(2, other), (3, StreamId::LEGACY), (4, blocking), (5, StreamId::PER_THREAD), (6, other)] {
        notes.set(exec, nodes[0], number);
        notes.launch(exec, stream);
        notes.launch(exec, stream);
        expected.extend([number; 2]);
    }
    held.let_go();
    for stream in [other, StreamId::LEGACY, blocking, StreamId::PER_THREAD] {
        notes.bench.finish(stream);
    }
    assert_eq!(notes.take(), expected);
}

/// Two threads edit a node each, and launch; others only launch. Replays follow one another in the order of turns, so that
/// each node's numbers never go back; and a launch runs nothing older than what its thread has set.
#[test]
fn edits_and_launches_of_many_threads_have_one_order() {
    for round in 0..rounds(200) {
        let notes = Notes::new();
        const EDITS: u64 = 200;
        let (exec, nodes) = notes.chain(&[0, 0]);
        let held = (round % 2 == 0).then(|| notes.hold());
        let mut streams: Vec<_> = (0..4).map(|_| notes.bench.stream()).collect();
        streams[3] = held.as_ref().map_or(StreamId::LEGACY, |held| held.stream);
        let mark = |at: usize, number: u64| number << 1 | at as u64;
        notes.set(exec, nodes[1], mark(1, 0));
        std::thread::scope(|scope| {
            let (notes, nodes, streams) = (&notes, &nodes, &streams);
            for at in 0..2 {
                scope.spawn(move || {
                    for number in 1..=EDITS {
                        notes.set(exec, nodes[at], mark(at, number));
                        notes.launch(exec, streams[at]);
                    }
                });
            }
            for &stream in &streams[2..] {
                scope.spawn(move || (0..2 * EDITS).for_each(|_| notes.launch(exec, stream)));
            }
        });
        if let Some(held) = held {
            held.let_go();
        }
        streams.iter().for_each(|stream| notes.bench.finish(*stream));
        let log = notes.take();
        assert_eq!(log.len() as u64, 2 * 6 * EDITS);
        for at in 0..2 {
            // Each replay writes one number for each node, the first node's first.
            let numbers: Vec<_> = log.chunks(2).map(|replay| replay[at]).collect();
            assert!(numbers.iter().all(|number| number & 1 == at as u64));
            assert!(numbers.is_sorted());
            let seen: std::collections::BTreeSet<_> = numbers.iter().collect();
            assert!((1..=EDITS).all(|number| seen.contains(&mark(at, number))), "a launch ran something older");
        }
    }
}

#[test]
fn replays_that_lanes_share_run_the_plan_of_their_turn() {
    let notes = Notes::new();
    let width = 24;
    let streams: Vec<_> = (0..width).map(|_| notes.bench.stream()).collect();
    notes.bench.begin(streams[0]);
    for &stream in &streams[1..] {
        notes.bench.order(streams[0], stream);
    }
    streams.iter().for_each(|&stream| notes.record(stream, 0, 2_000));
    for &stream in &streams[1..] {
        notes.bench.order(stream, streams[0]);
    }
    let (exec, nodes) = notes.finish_capture(streams[0]);
    for number in 1..rounds(2_000) as u64 {
        notes.launch(exec, streams[0]);
        for &node in &nodes {
            notes.bench.set_in_exec(exec, node, notes.action(number, 2_000)).unwrap();
        }
    }
    notes.launch(exec, streams[0]);
    notes.bench.finish(streams[0]);
    for (number, replay) in notes.take().chunks(width).enumerate() {
        assert_eq!(replay, vec![number as u64; width]);
    }
}

#[test]
fn events_are_those_of_the_plan_that_a_launch_runs() {
    let notes = Notes::new();
    let Notes { bench, .. } = &notes;
    let (first, second) = (bench.event(), bench.event());
    let stream = bench.stream();
    bench.begin(stream);
    notes.record(stream, 1, 0);
    bench.driver.submit(stream, &Work::EventRecord(first)).unwrap();
    let (exec, nodes) = notes.finish_capture(stream);
    let (one, two) = (notes.hold(), notes.hold());
    notes.launch(exec, one.stream);
    let record = |event: EventId| Action::RecordEvent(Arc::clone(OBJECTS.events.get(key_of(event.0)).unwrap().point()));
    bench.set_in_exec(exec, nodes[1], record(second)).unwrap();
    notes.launch(exec, two.stream);
    let is_complete = |event| bench.driver.event_is_complete(event).unwrap();
    assert!(!is_complete(first) && !is_complete(second));
    one.let_go();
    assert!(is_complete(first) && !is_complete(second));
    two.let_go();
    assert!(is_complete(second));
    // A wait of the new plan is for what its event was last recorded as.
    let held = notes.hold();
    bench.driver.event_record(first, held.stream).unwrap();
    bench.begin(stream);
    bench.driver.submit(stream, &Work::EventWait(second)).unwrap();
    notes.record(stream, 2, 0);
    let (waiting, nodes) = notes.finish_capture(stream);
    notes.take();
    notes.launch(waiting, stream);
    bench.finish(stream);
    assert_eq!(notes.take(), [2]);
    let wait = Action::WaitEvent(Arc::clone(OBJECTS.events.get(key_of(first.0)).unwrap().point()));
    bench.set_in_exec(waiting, nodes[0], wait).unwrap();
    notes.launch(waiting, stream);
    let aside = bench.stream();
    notes.record(aside, 3, 0);
    bench.finish(aside);
    assert_eq!(notes.take(), [3]);
    held.let_go();
    bench.finish(stream);
    assert_eq!(notes.take(), [2]);
}

/// Whoever waits for an event after launching waits for the replay that his launch bound it to, whatever others edit.
#[test]
fn events_are_bound_while_others_edit() {
    for _ in 0..rounds(200) {
        let notes = Notes::new();
        let Notes { bench, .. } = &notes;
        let events: Vec<_> = (0..3).map(|_| bench.event()).collect();
        let stream = bench.stream();
        bench.begin(stream);
        notes.record(stream, 1, 0);
        bench.driver.submit(stream, &Work::EventRecord(events[0])).unwrap();
        let (exec, nodes) = notes.finish_capture(stream);
        std::thread::scope(|scope| {
            let (notes, nodes, events) = (&notes, &nodes, &events);
            for thread in 0..3 {
                scope.spawn(move || {
                    let stream = notes.bench.stream();
                    for round in 0..100 {
                        let event = events[(thread + round) % 3];
                        let record =
                            Action::RecordEvent(Arc::clone(OBJECTS.events.get(key_of(event.0)).unwrap().point()));
                        notes.bench.set_in_exec(exec, nodes[1], record).unwrap();
                        notes.launch(exec, stream);
                        notes.bench.driver.event_synchronize(event).unwrap();
                    }
                    notes.bench.finish(stream);
                });
            }
        });
        assert!(events.iter().all(|event| bench.driver.event_is_complete(*event).unwrap()));
        assert_eq!(notes.take().len(), 300);
    }
}

#[test]
fn what_an_edit_supersedes_goes_with_its_last_launch() {
    let notes = Notes::new();
    let Notes { bench, .. } = &notes;
    let (alive, ran) = (Arc::default(), Arc::default());
    let stream = bench.stream();
    let (exec, node) = exec_of_holding(&notes, stream, &alive, &ran);
    let set = || bench.set_in_exec(exec, node, holding(&alive, &ran)).unwrap();
    // Without launches at once.
    set();
    wait_for(&alive, 1);
    set();
    wait_for(&alive, 1);
    notes.launch(exec, stream);
    bench.finish(stream);
    assert_eq!((alive.load(Ordering::SeqCst), ran.load(Ordering::SeqCst)), (1, 1));
    set();
    wait_for(&alive, 1);
    // With launches when these are through.
    let (one, two) = (notes.hold(), notes.hold());
    notes.launch(exec, one.stream);
    notes.launch(exec, one.stream);
    set();
    notes.launch(exec, two.stream);
    set();
    assert_eq!(alive.load(Ordering::SeqCst), 3);
    one.let_go();
    wait_for(&alive, 2);
    // A refused edit changes nothing and keeps nothing.
    assert!(refused(bench.set_in_exec(exec, node, notes.action(0, 0))));
    assert!(refused(bench.set_in_exec(exec, NodeId(0), holding(&alive, &ran))));
    assert_eq!(alive.load(Ordering::SeqCst), 2);
    two.let_go();
    wait_for(&alive, 1);
    assert_eq!(ran.load(Ordering::SeqCst), 4);
    // What was never launched goes with the exec.
    bench.driver.exec_destroy(exec, Lists::new());
    wait_for(&alive, 0);
    let gone = bench.set_in_exec(exec, node, holding(&alive, &ran)).unwrap_err();
    assert_eq!(gone.status, Status::INVALID_HANDLE);
    wait_for(&alive, 0);
}

#[test]
fn an_update_has_other_actions_and_keeps_something_else() {
    let notes = Notes::new();
    let Notes { bench, .. } = &notes;
    let stream = bench.stream();
    let (alive, other) = (Arc::default(), Arc::default());
    bench.begin(stream);
    (1..=3).for_each(|number| notes.record(stream, number, 0));
    let graph = bench.driver.end_capture(stream).unwrap();
    let first = Counted::new(&alive);
    let told = Arc::clone(&first.told);
    let kept: Lists = [Arc::new(first) as Retained].into_iter().collect();
    let nodes = bench.driver.graph_nodes(GraphRef::Known(graph)).unwrap().nodes;
    let exec = bench.driver.graph_instantiate(graph).unwrap().0;
    bench.driver.graph_destroy(graph);
    let source = |numbers: &[u64]| {
        bench.begin(stream);
        numbers.iter().for_each(|&number| notes.record(stream, number, 0));
        let graph = bench.driver.end_capture(stream).unwrap();
        (graph, Lists::from_elem(Arc::new(Counted::new(&other)) as Retained, 1))
    };
    for (numbers, result) in [(&[4, 5][..], 2), (&[4, 5, 6, 7], 2)] {
        let (graph, kept) = source(numbers);
        let update = bench.driver.exec_update(exec, graph, Differing::Kept).unwrap();
        assert_eq!(update.refused.unwrap().status, Status::GRAPH_EXEC_UPDATE_FAILURE);
        assert_eq!(update.report.result as u32, result);
        bench.driver.graph_destroy_with(graph, kept);
        wait_for(&other, 0);
    }
    bench.host.enable_in_exec(exec, nodes[1], false).unwrap();
    let held = notes.hold();
    notes.launch(exec, held.stream);
    let (graph, later) = source(&[4, 5, 6]);
    let update = bench.driver.exec_update(exec, graph, Differing::Kept).unwrap();
    assert!(update.refused.is_none());
    bench.driver.exec_let_go(exec, kept);
    let kept = later;
    bench.driver.graph_destroy(graph);
    notes.launch(exec, held.stream);
    // The first list is told of the launch that is queued, and goes: memory in it knows to wait for that stream.
    assert_eq!((alive.load(Ordering::SeqCst), other.load(Ordering::SeqCst)), (0, 1));
    assert_eq!(lock(&told).as_slice(), [held.stream]);
    held.let_go();
    // What is disabled stays so, and the nodes have the ids that they had.
    assert_eq!(notes.take(), [1, 3, 4, 6]);
    notes.set(exec, nodes[0], 7);
    bench.host.enable_in_exec(exec, nodes[1], true).unwrap();
    notes.launch(exec, stream);
    bench.finish(stream);
    assert_eq!(notes.take(), [7, 5, 6]);
    assert_eq!(other.load(Ordering::SeqCst), 1);
    bench.driver.exec_destroy(exec, kept);
    wait_for(&other, 0);
}

/// Graphs of several chunks of steps, which differ in no node, in one, and in all. A launch that is queued has what the exec was.
#[test]
fn updates_change_the_nodes_that_differ_and_no_other() {
    let notes = Notes::new();
    let Notes { bench, .. } = &notes;
    let first: Vec<u64> = (0..200).collect();
    let (exec, nodes) = notes.chain(&first);
    bench.host.enable_in_exec(exec, nodes[70], false).unwrap();
    let stream = bench.stream();
    let held = notes.hold();
    let mut expected = Vec::new();
    let mut launch = |numbers: &[u64]| {
        notes.launch(exec, held.stream);
        expected.extend(numbers.iter().enumerate().filter(|(at, _)| *at != 70).map(|(_, number)| *number));
    };
    launch(&first);
    for changed in [0..0, 130..131, 70..71, 0..200, 5..6] {
        let mut numbers = first.clone();
        numbers[changed].iter_mut().for_each(|number| *number += 1000);
        bench.begin(stream);
        numbers.iter().for_each(|&number| notes.record(stream, number, 0));
        let graph = bench.driver.end_capture(stream).unwrap();
        assert!(bench.driver.exec_update(exec, graph, Differing::Kept).unwrap().refused.is_none());
        bench.driver.graph_destroy(graph);
        launch(&numbers);
    }
    held.let_go();
    assert_eq!(notes.take(), expected);
    // It has what the last update gave it.
    bench.host.enable_in_exec(exec, nodes[70], true).unwrap();
    notes.launch(exec, stream);
    bench.finish(stream);
    assert_eq!(notes.take()[5..=70], [vec![1005], (6..=70).collect()].concat());
    bench.driver.exec_destroy(exec, Lists::new());
    bench.driver.stream_destroy(stream);
}

#[test]
fn a_disabled_node_does_nothing_and_its_edges_hold() {
    let notes = Notes::new();
    let Notes { bench, .. } = &notes;
    let (range, memory) = bench.driver.allocate(64, MemoryKind::Pooled).unwrap();
    let (stream, fork) = (bench.stream(), bench.stream());
    let set = |value| Memset { address: memory, value, element_size: 4, count: 1, rows: 1, pitch: 0 };
    let grid = LaunchShape { grid: [4, 1, 1], ..ONE };
    let counters: Vec<AtomicU64> = (0..4).map(|_| AtomicU64::new(0)).collect();
    let argument = (counters.as_ptr() as usize).to_ne_bytes();
    bench.begin(stream);
    bench.order(stream, fork);
    let gate = bench.hold(fork);
    bench.driver.memset(fork, set(7)).unwrap();
    let copy = Memcpy { destination: memory + 32, source: memory, bytes: 4, kind: MemcpyKind::DeviceToDevice };
    bench.driver.memcpy(fork, copy).unwrap();
    bench.driver.launch_kernel(fork, bench.count_blocks, grid, &[Argument::Value(&argument)]).unwrap();
    notes.record(fork, 1, 0);
    bench.order(fork, stream);
    notes.record(stream, 2, 0);
    let (exec, nodes) = notes.finish_capture(stream);
    bench.driver.memset(stream, Memset { count: 16, ..set(1) }).unwrap();
    // The host function and what never was a node cannot be disabled.
    assert!(refused(bench.host.enable_in_exec(exec, nodes[0], false)));
    assert!(refused(bench.host.is_enabled_in_exec(exec, nodes[0])));
    assert!(refused(bench.host.enable_in_exec(exec, NodeId(5), false)));
    for &node in &nodes[1..5] {
        assert!(bench.host.is_enabled_in_exec(exec, node).unwrap());
        bench.host.enable_in_exec(exec, node, false).unwrap();
        bench.host.enable_in_exec(exec, node, false).unwrap();
        assert!(!bench.host.is_enabled_in_exec(exec, node).unwrap());
    }
    notes.launch(exec, stream);
    let aside = bench.stream();
    notes.record(aside, 3, 0);
    bench.finish(aside);
    // What comes after the disabled nodes waits for what comes before them.
    assert_eq!(notes.take(), [3]);
    drop(gate);
    bench.finish(stream);
    let mut found = [0u32; 16];
    let mut look = || {
        let destination = found.as_mut_ptr() as u64;
        let copy = Memcpy { destination, source: memory, bytes: 64, kind: MemcpyKind::DeviceToHost };
        bench.driver.memcpy(stream, copy).unwrap();
        bench.finish(stream);
        (found[0], found[8], counters.iter().map(|counter| counter.load(Ordering::SeqCst)).sum::<u64>())
    };
    assert_eq!((notes.take(), look()), (vec![2], (1, 1, 0)));
    nodes[1..5].iter().for_each(|&node| bench.host.enable_in_exec(exec, node, true).unwrap());
    notes.launch(exec, stream);
    bench.finish(stream);
    assert_eq!((notes.take(), look()), (vec![1, 2], (7, 7, 4)));
    bench.driver.release(range, &[]);
}

#[test]
fn an_edit_may_make_an_exec_wait_for_another_value() {
    let notes = Notes::new();
    let Notes { bench, .. } = &notes;
    let stream = bench.stream();
    let (range, address) = bench.driver.allocate(8, MemoryKind::Pooled).unwrap();
    let write =
        |value| ValueOperation { address, value: Value::U64(value), action: ValueAction::Write { barrier: true } };
    let waits = |value| ValueOperation {
        address,
        value: Value::U64(value),
        action: ValueAction::Wait { comparison: Comparison::Equal, flush: false },
    };
    let wait = |value| Action::Values([waits(value)].into());
    bench.begin(stream);
    bench.driver.value_operation(stream, waits(0)).unwrap();
    notes.record(stream, 1, 0);
    let (exec, nodes) = notes.finish_capture(stream);
    bench.driver.value_operation(stream, write(0)).unwrap();
    notes.launch(exec, stream);
    bench.finish(stream);
    assert_eq!(notes.take(), [1]);
    bench.set_in_exec(exec, nodes[0], wait(1)).unwrap();
    notes.launch(exec, stream);
    let aside = bench.stream();
    notes.record(aside, 2, 0);
    bench.finish(aside);
    assert_eq!(notes.take(), [2]);
    bench.driver.value_operation(aside, write(1)).unwrap();
    bench.finish(stream);
    assert_eq!(notes.take(), [1]);
    // The stream that the launch is on knows that it waits: it is destroyed, and the wait is given up.
    let event = bench.event();
    bench.set_in_exec(exec, nodes[0], wait(2)).unwrap();
    let leaving = bench.stream();
    notes.launch(exec, leaving);
    bench.driver.event_record(event, leaving).unwrap();
    bench.driver.stream_destroy(leaving);
    bench.driver.event_synchronize(event).unwrap();
    assert!(notes.take().is_empty());
    bench.driver.release(range, &[]);
}

#[test]
fn an_upload_prepares_what_the_next_launch_runs() {
    let notes = Notes::new();
    let (exec, nodes) = notes.chain(&[1]);
    let stream = notes.bench.stream();
    notes.bench.driver.exec_upload(exec, stream).unwrap();
    notes.set(exec, nodes[0], 2);
    notes.bench.driver.exec_upload(exec, stream).unwrap();
    notes.launch(exec, stream);
    notes.set(exec, nodes[0], 3);
    notes.launch(exec, stream);
    notes.bench.finish(stream);
    assert_eq!(notes.take(), [2, 3]);
}

#[test]
fn nodes_of_an_edited_graph_are_found_in_its_execs() {
    let notes = Notes::new();
    let Notes { bench, .. } = &notes;
    let stream = bench.stream();
    bench.begin(stream);
    (1..=3).for_each(|number| notes.record(stream, number, 0));
    let graph = bench.driver.end_capture(stream).unwrap();
    let removed = bench.driver.graph_nodes(GraphRef::Known(graph)).unwrap().nodes[0];
    let old = bench.driver.graph_instantiate(graph).unwrap().0;
    bench.host.graph(graph, |graph| graph.remove(&[], removed).map(drop)).unwrap().unwrap();
    bench.driver.begin_capture_to_graph(stream, graph, &[], CaptureMode::Relaxed, &[]).unwrap();
    notes.record(stream, 4, 0);
    bench.driver.end_capture(stream).unwrap();
    let nodes = bench.driver.graph_nodes(GraphRef::Known(graph)).unwrap().nodes;
    let new = bench.driver.graph_instantiate(graph).unwrap().0;
    // The new node has the slot of the one that was removed, and each exec knows one of the two.
    assert_eq!(removed.0 as u32, nodes[2].0 as u32);
    assert!(refused(bench.set_in_exec(new, removed, notes.action(0, 0))));
    assert!(refused(bench.set_in_exec(old, nodes[2], notes.action(0, 0))));
    notes.set(new, nodes[2], 40);
    notes.set(new, nodes[0], 20);
    notes.set(old, removed, 10);
    notes.launch(old, stream);
    notes.launch(new, stream);
    bench.finish(stream);
    let (of_old, mut of_new) = (notes.take(), Vec::new());
    of_new.extend_from_slice(&of_old[3..]);
    of_new.sort_unstable();
    assert_eq!((&of_old[..3], &of_new[..]), (&[10, 2, 3][..], &[3, 20, 40][..]));
}

#[test]
fn destroying_an_exec_beside_edits_and_launches_leaves_nothing() {
    for _ in 0..rounds(2_000) {
        let notes = Notes::new();
        let Notes { bench, .. } = &notes;
        let (alive, ran) = (Arc::default(), Arc::default());
        let stream = bench.stream();
        let (exec, node) = exec_of_holding(&notes, stream, &alive, &ran);
        let launched = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| while bench.set_in_exec(exec, node, holding(&alive, &ran)).is_ok() {});
            scope.spawn(|| {
                while bench.driver.exec_launch(exec, stream).is_ok() {
                    launched.fetch_add(1, Ordering::SeqCst);
                }
            });
            while launched.load(Ordering::SeqCst) < 10 {
                std::thread::yield_now();
            }
            bench.driver.exec_destroy(exec, Lists::new());
        });
        bench.finish(stream);
        assert_eq!(ran.load(Ordering::SeqCst), launched.load(Ordering::SeqCst));
        wait_for(&alive, 0);
    }
}
