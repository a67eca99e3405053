//! Replays: every node once, after what it depends on, in whatever way the lanes share the work.

use super::*;
use crate::engine::lanes::lanes;
use graphcap_base::error::Status;
use graphcap_base::lock::lock;
use std::time::Duration;

/// Captures a random graph over several streams. Node `n` marks `marks[n]`; gives each node's dependencies.
fn capture_random(
    bench: &Bench,
    random: &mut Random,
    marks: &[Mark],
    node_ns: u64,
    hosts: bool,
) -> (ExecId, Vec<Vec<usize>>) {
    let streams: Vec<_> = (0..1 + random.below(5)).map(|_| bench.stream()).collect();
    bench.begin(streams[0]);
    for &stream in &streams[1..] {
        bench.order(streams[0], stream);
    }
    let mut frontier: Vec<Vec<usize>> = vec![Vec::new(); streams.len()];
    let mut dependencies = Vec::new();
    for (node, mark) in marks.iter().enumerate() {
        let at = random.below(streams.len());
        for _ in 0..random.below(3) {
            let from = random.below(streams.len());
            bench.order(streams[from], streams[at]);
            let joined = frontier[from].clone();
            frontier[at].extend(joined);
        }
        if hosts && random.below(10) == 0 {
            let address = std::ptr::from_ref(mark) as usize;
            // SAFETY: the marks outlive the exec's launches, which the tests wait for.
            let function = move || unsafe { &*(address as *const Mark) }.make();
            bench.driver.launch_host_function(streams[at], Arc::new(function)).unwrap();
        } else {
            bench.spin(streams[at], mark, node_ns);
        }
        dependencies.push(std::mem::replace(&mut frontier[at], vec![node]));
    }
    for &stream in &streams[1..] {
        bench.order(stream, streams[0]);
    }
    let exec = bench.end(streams[0]);
    for stream in streams {
        bench.driver.stream_destroy(stream);
    }
    (exec, dependencies)
}

fn check(marks: &[Mark], dependencies: &[Vec<usize>], replays: u64) {
    for (mark, needed) in marks.iter().zip(dependencies) {
        assert_eq!(mark.runs(), replays);
        assert!(needed.iter().all(|&node| marks[node].tick() < mark.tick()));
    }
}

#[test]
fn random_graphs_run_every_node_once_and_in_order() {
    let bench = Bench::new();
    let stream = bench.stream();
    for round in 0..rounds(5_000) {
        let mut random = Random(round as u64);
        let marks: Vec<Mark> = (0..1 + random.below(120)).map(|_| Mark::default()).collect();
        // Short nodes are walked, long ones spread, host functions leave the lanes.
        let node_ns = [0, 300, 3_000][random.below(3)];
        let (exec, dependencies) = capture_random(&bench, &mut random, &marks, node_ns, round % 2 == 0);
        let mut replays = 0;
        for _ in 0..3 {
            let launches = 1 + random.below(4) as u64;
            for _ in 0..launches {
                bench.driver.exec_launch(exec, stream).unwrap();
            }
            bench.finish(stream);
            replays += launches;
            check(&marks, &dependencies, replays);
        }
        bench.driver.exec_destroy(exec, Lists::new());
    }
}

#[test]
fn launches_of_one_exec_on_many_streams_take_turns() {
    let bench = Bench::new();
    let streams: Vec<_> = (0..4).map(|_| bench.stream()).collect();
    for round in 0..rounds(2_000) {
        let mut random = Random(round as u64);
        let marks: Vec<Mark> = (0..30).map(|_| Mark::default()).collect();
        let (exec, dependencies) = capture_random(&bench, &mut random, &marks, 300, round % 2 == 0);
        for _ in 0..20 {
            bench.driver.exec_launch(exec, streams[random.below(4)]).unwrap();
        }
        for &stream in &streams {
            bench.finish(stream);
        }
        check(&marks, &dependencies, 20);
        bench.driver.exec_destroy(exec, Lists::new());
    }
}

#[test]
fn a_launch_waits_for_an_earlier_one_that_is_held_up() {
    let bench = Bench::new();
    let (held, free) = (bench.stream(), bench.stream());
    let marks: Vec<Mark> = (0..2).map(|_| Mark::default()).collect();
    bench.begin(free);
    bench.mark(free, &marks[0]).unwrap();
    let exec = bench.end(free);
    let gate = bench.hold(held);
    bench.driver.exec_launch(exec, held).unwrap();
    bench.driver.exec_launch(exec, free).unwrap();
    bench.mark(free, &marks[1]).unwrap();
    // Other work shows that the lanes are free; the second launch must nevertheless not begin.
    let aside = bench.stream();
    bench.mark(aside, &Mark::default()).unwrap();
    bench.finish(aside);
    assert_eq!((marks[0].runs(), marks[1].runs()), (0, 0));
    drop(gate);
    bench.finish(free);
    assert_eq!((marks[0].runs(), marks[1].runs()), (2, 1));
}

#[test]
fn a_host_function_in_a_graph_holds_only_what_depends_on_it() {
    let bench = Bench::new();
    let (a, b) = (bench.stream(), bench.stream());
    let (after, beside) = (Mark::default(), Mark::default());
    bench.begin(a);
    bench.order(a, b);
    let gate = bench.hold(a);
    bench.mark(a, &after).unwrap();
    bench.mark(b, &beside).unwrap();
    bench.order(b, a);
    let exec = bench.end(a);
    bench.driver.exec_launch(exec, a).unwrap();
    while beside.runs() == 0 {
        std::thread::yield_now();
    }
    assert_eq!(after.runs(), 0);
    drop(gate);
    bench.finish(a);
    assert_eq!(after.runs(), 1);
}

#[test]
fn a_fault_in_a_replay_ends_it_and_later_work_is_skipped() {
    for width in [1, 40] {
        let bench = Bench::new();
        let streams: Vec<_> = (0..width).map(|_| bench.stream()).collect();
        let (before, after) = (Mark::default(), Mark::default());
        bench.begin(streams[0]);
        for &stream in &streams[1..] {
            bench.order(streams[0], stream);
        }
        for &stream in &streams {
            bench.spin(stream, &before, 30_000);
            bench.driver.launch_kernel(stream, bench.fail, ONE, &[]).unwrap();
            bench.mark(stream, &after).unwrap();
        }
        for &stream in &streams[1..] {
            bench.order(stream, streams[0]);
        }
        let exec = bench.end(streams[0]);
        bench.driver.exec_launch(exec, streams[0]).unwrap();
        let error = bench.driver.stream_synchronize(streams[0]).unwrap_err();
        assert_eq!(error.status, Status::ILLEGAL_ADDRESS);
        assert!(error.message.contains("kernel 'fail'"), "{error}");
        assert_eq!(after.runs(), 0);
        assert!(before.runs() >= 1);
    }
}

#[test]
fn what_a_graph_retains_goes_with_its_execs_and_is_told_of_their_launches() {
    let bench = Bench::new();
    let mut streams = [bench.stream(), bench.stream()];
    let retained = Arc::new(Told::default());
    let mark = Mark::default();
    bench.begin(streams[0]);
    bench.mark(streams[0], &mark).unwrap();
    let graph = bench.driver.end_capture(streams[0]).unwrap();
    let [(exec, nodes), (unused, _)] = [(); 2].map(|()| bench.driver.graph_instantiate(graph).unwrap());
    assert_eq!(nodes, 1);
    let kept = Lists::from_elem(retained.clone() as Retained, 1);
    bench.driver.graph_destroy(graph);
    bench.driver.exec_destroy(unused, kept.clone());
    let gate = bench.hold(streams[0]);
    for stream in [streams[0], streams[0], streams[1]] {
        bench.driver.exec_launch(exec, stream).unwrap();
    }
    assert_eq!((Arc::strong_count(&retained), lock(&retained.0).len()), (2, 0));
    bench.driver.exec_destroy(exec, kept);
    streams.sort();
    // The queued launches do not hold it: it may hold the context, whose end may be what lets them go.
    assert_eq!((Arc::strong_count(&retained), lock(&retained.0).as_slice()), (1, &streams[..]));
    drop(gate);
    streams.iter().for_each(|&stream| bench.finish(stream));
    assert_eq!(mark.runs(), 3);
}

/// Records which threads ran it, and takes as long as it is told.
unsafe extern "C-unwind" fn changeable(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with a pointer to a Changeable that outlives the launch.
    let told = unsafe { &**(*arguments).cast::<*const Changeable>() };
    let since = std::time::Instant::now();
    told.threads.lock().unwrap().insert(std::thread::current().id());
    while (since.elapsed().as_nanos() as u64) < told.ns.load(Ordering::SeqCst) {
        std::hint::spin_loop();
    }
    0
}

struct Changeable {
    ns: AtomicU64,
    threads: std::sync::Mutex<std::collections::HashSet<std::thread::ThreadId>>,
}

#[test]
fn an_exec_finds_out_that_its_nodes_have_become_long() {
    let bench = Bench::alone();
    if lanes().count == 1 {
        return; // One lane has nobody to share with.
    }
    let kernel = HostKernel { name: "changeable".into(), function: changeable, parameter_sizes: None };
    let module = bench.driver.module_load(ModuleSource { host_kernels: &[kernel], ..ModuleSource::default() }).unwrap();
    let kernel = bench.driver.module_kernel(module, "changeable").unwrap();
    let told = Changeable { ns: AtomicU64::new(0), threads: Default::default() };
    let argument = (std::ptr::from_ref(&told) as usize).to_ne_bytes();
    let streams: Vec<_> = (0..8).map(|_| bench.stream()).collect();
    bench.begin(streams[0]);
    for &stream in &streams {
        bench.order(streams[0], stream);
        bench.driver.launch_kernel(stream, kernel, ONE, &[Argument::Value(&argument)]).unwrap();
    }
    for &stream in &streams[1..] {
        bench.order(stream, streams[0]);
    }
    let exec = bench.end(streams[0]);
    let replay = || {
        told.threads.lock().unwrap().clear();
        bench.driver.exec_launch(exec, streams[0]).unwrap();
        bench.finish(streams[0]);
        told.threads.lock().unwrap().len()
    };
    // Learned as short, whichever replay it is that shows it.
    for _ in 0..10 {
        replay();
    }
    told.ns.store(1_000_000, Ordering::SeqCst);
    let shared = (0..2_000).any(|_| replay() > 1);
    assert!(shared, "eight branches of 1 ms were never run side by side");
}

/// Kernels of a long replay, the last of which ends when work on another stream has run, or when that takes too long.
struct Crowd {
    nodes: u64,
    begun: Mark,
    other: Mark,
    /// Tells whether the other work had run when the last kernel ended.
    was_interrupted: AtomicBool,
}

unsafe extern "C-unwind" fn crowd(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with a pointer to a Crowd that outlives the launch.
    let crowd = unsafe { &**(*arguments).cast::<*const Crowd>() };
    let begun = crowd.begun.runs.fetch_add(1, Ordering::SeqCst) + 1;
    let since = std::time::Instant::now();
    let limit = Duration::from_millis(if begun == crowd.nodes { 20_000 } else { 1 });
    while since.elapsed() < limit && (begun < crowd.nodes || crowd.other.runs() == 0) {
        std::thread::yield_now();
    }
    if begun == crowd.nodes {
        crowd.was_interrupted.store(crowd.other.runs() > 0, Ordering::SeqCst);
    }
    0
}

#[test]
fn a_stream_does_not_wait_for_the_end_of_a_long_replay_that_all_lanes_share() {
    if lanes().count < 2 {
        return; // a single lane runs one thing after another
    }
    let bench = Bench::new();
    let kernel = HostKernel { name: "crowd".into(), function: crowd, parameter_sizes: None };
    let module = bench.driver.module_load(ModuleSource { host_kernels: &[kernel], ..ModuleSource::default() }).unwrap();
    let kernel = bench.driver.module_kernel(module, "crowd").unwrap();
    let told =
        Crowd { nodes: 200, begun: Mark::default(), other: Mark::default(), was_interrupted: AtomicBool::new(false) };
    let argument = (std::ptr::from_ref(&told) as usize).to_ne_bytes();
    let (_, flag) = bench.driver.allocate(64, MemoryKind::Waitable).unwrap();
    let value = |value, action| ValueOperation { address: flag, value: Value::U32(value), action };
    let (long, other) = (bench.stream(), bench.stream());
    bench.driver.value_operation(other, value(0, ValueAction::Write { barrier: true })).unwrap();
    bench.finish(other);
    bench.begin(long);
    let branches: Vec<_> = (0..told.nodes).map(|_| bench.stream()).collect();
    for (at, &branch) in branches.iter().enumerate() {
        bench.order(long, branch);
        bench.driver.launch_kernel(branch, kernel, ONE, &[Argument::Value(&argument)]).unwrap();
        if at == 50 {
            bench.driver.value_operation(branch, value(1, ValueAction::Write { barrier: true })).unwrap();
        }
    }
    for &branch in &branches {
        bench.order(branch, long);
    }
    let exec = bench.end(long);
    // Ready when some kernels of the replay have run, and lanes are busy with others.
    let wait = ValueAction::Wait { comparison: Comparison::GreaterOrEqual, flush: false };
    bench.driver.value_operation(other, value(1, wait)).unwrap();
    bench.mark(other, &told.other).unwrap();
    bench.driver.exec_launch(exec, long).unwrap();
    bench.finish(long);
    bench.finish(other);
    assert!(told.was_interrupted.load(Ordering::SeqCst), "the other stream waited for the end of the replay");
    for stream in branches.into_iter().chain([long, other]) {
        bench.driver.stream_destroy(stream);
    }
    bench.driver.exec_destroy(exec, Lists::new());
}
