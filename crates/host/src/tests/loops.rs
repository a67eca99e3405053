//! Conditionals that run again and again: how often, how loops end, and edits beside them.

use std::sync::mpsc;
use std::time::Duration;

use super::building::{with_mark, Built};
use super::conditionals::{runs, Deciding, IF, WHILE};
use super::*;
use graphcap_base::error::Status;

/// Rows `cond.while_*`.
#[test]
fn a_loop_runs_as_long_as_its_value_says() {
    let deciding = Deciding::new();
    let (left, marks): (_, [Mark; 2]) = (AtomicU64::new(0), Default::default());
    let condition = deciding.condition(1);
    let (node, bodies) = deciding.node(deciding.built.graph, &[], condition, WHILE);
    let first = deciding.marked(bodies[0], &[], &marks[0]);
    deciding.kernel(bodies[0], &[first], deciding.count_down, &left, condition);
    deciding.built.mark(&[node], &marks[1]);
    let exec = deciding.built.instantiate();
    let mut turns = 0;
    for (round, &count) in [10, 0, 1, 100_000].iter().enumerate() {
        left.store(count, Ordering::Relaxed);
        deciding.run(exec);
        turns += count.max(1);
        assert_eq!(runs(&marks), [turns, round as u64 + 1]);
    }
    drop(deciding);
    let deciding = Deciding::new();
    let mark = Mark::default();
    let condition = deciding.condition(0);
    let (_, bodies) = deciding.node(deciding.built.graph, &[], condition, WHILE);
    deciding.marked(bodies[0], &[], &mark);
    deciding.run(deciding.built.instantiate());
    assert_eq!(mark.runs(), 0);
}

/// Rows `cond_nest.*`: a default is for the launch, so that the inner loop runs in the first turn of the outer one alone
/// unless it is set again.
#[test]
fn loops_within_loops_begin_with_their_defaults_once() {
    for (is_reset, expected) in [(false, 4), (true, 12)] {
        let deciding = Deciding::new();
        let (driver, Built { graph, memory, .. }) = (deciding.driver(), &deciding.built);
        let (outer_left, one) = (AtomicU64::new(3), AtomicU64::new(1));
        let marks: [Mark; 2] = Default::default();
        let [outer, inner] = [(); 2].map(|()| deciding.condition(1));
        let (_, bodies) = deciding.node(*graph, &[], outer, WHILE);
        let first = deciding.marked(bodies[0], &[], &marks[0]);
        let (looped, inner_bodies) = deciding.node(bodies[0], &[first], inner, WHILE);
        let turn = deciding.marked(inner_bodies[0], &[], &marks[1]);
        // The inner countdown is in memory of the device, so that a memset can wind it up again.
        deciding.kernel_at(inner_bodies[0], &[turn], deciding.count_down, *memory, inner);
        let last = deciding.kernel(bodies[0], &[looped], deciding.count_down, &outer_left, outer);
        let low = |value| Memset { address: *memory, value, element_size: 4, count: 1, rows: 1, pitch: 0 };
        if is_reset {
            deciding.kernel(bodies[0], &[last], deciding.set, &one, inner);
            driver.graph_add_node(bodies[0], &[last], &Work::Memset(low(4))).unwrap();
        }
        let exec = deciding.built.instantiate();
        let stream = deciding.built.bench.stream();
        driver.submit(stream, &Work::Memset(Memset { count: 2, ..low(0) })).unwrap();
        driver.submit(stream, &Work::Memset(low(4))).unwrap();
        driver.exec_launch(exec, stream).unwrap();
        deciding.built.bench.finish(stream);
        assert_eq!(runs(&marks), [3, expected]);
    }
}

/// A kernel of a body that fails ends the loop, and tells its name.
#[test]
fn a_fault_in_a_body_ends_the_loop() {
    let deciding = Deciding::new();
    let condition = deciding.condition(1);
    let (_, bodies) = deciding.node(deciding.built.graph, &[], condition, WHILE);
    let arguments = Arguments::Separate(&[]);
    let launch =
        Launch { kernel: deciding.built.bench.fail, name: "", shape: ONE, arguments, attributes: &[], stated: None };
    deciding.driver().graph_add_node(bodies[0], &[], &Work::Kernel(launch)).unwrap();
    let exec = deciding.built.instantiate();
    let stream = deciding.built.bench.stream();
    deciding.driver().exec_launch(exec, stream).unwrap();
    let error = deciding.driver().stream_synchronize(stream).unwrap_err();
    assert!(error.status == Status::ILLEGAL_ADDRESS && error.message.contains("kernel 'fail' returned 7"), "{error}");
}

/// Loops that never end by themselves: on a lane, beside other branches, and behind each other. The context is left, and what
/// stands behind the loops is not run.
#[test]
fn loops_without_an_end_are_abandoned_when_their_context_ends() {
    for is_spread in [false, true] {
        let deciding = Deciding::new();
        let marks: [Mark; 3] = Default::default();
        let condition = deciding.condition(1);
        let first = deciding.built.mark(&[], &marks[0]);
        if is_spread {
            // A host function has the replay spread over lanes.
            let function: HostFunction = Arc::new(|| ());
            deciding.built.add(&[], &Work::Host(&function));
        }
        let (node, bodies) = deciding.node(deciding.built.graph, &[first], condition, WHILE);
        deciding.marked(bodies[0], &[], &marks[1]);
        deciding.built.mark(&[node], &marks[2]);
        let exec = deciding.built.instantiate();
        let stream = deciding.built.bench.stream();
        let Deciding { built, .. } = &deciding;
        built.bench.driver.exec_launch(exec, stream).unwrap();
        built.bench.driver.exec_launch(exec, stream).unwrap();
        let (ended, end) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _ = built.bench.driver.stream_synchronize(stream);
                ended.send(()).unwrap();
            });
            while marks[1].runs() < 1000 {
                std::thread::yield_now();
            }
            assert!(end.recv_timeout(Duration::from_millis(20)).is_err());
            built.bench.driver.leave();
            end.recv().unwrap();
        });
        assert_eq!([marks[0].runs(), marks[2].runs()], [1, 0]);
    }
}

/// Long work outlives its context, as other work does.
#[test]
fn a_loop_that_ends_by_itself_outlives_its_context() {
    let deciding = Deciding::new();
    let (left, marks): (_, [Mark; 2]) = (AtomicU64::new(20_000), Default::default());
    let condition = deciding.condition(1);
    let (node, bodies) = deciding.node(deciding.built.graph, &[], condition, WHILE);
    deciding.kernel(bodies[0], &[], deciding.count_down, &left, condition);
    deciding.built.mark(&[node], &marks[0]);
    let exec = deciding.built.instantiate();
    let stream = deciding.built.bench.stream();
    deciding.driver().exec_launch(exec, stream).unwrap();
    deciding.driver().leave();
    deciding.built.bench.finish(stream);
    assert_eq!((left.load(Ordering::Relaxed), marks[0].runs()), (0, 1));
}

/// Launches, edits of bodies and of execs, from several threads.
#[test]
fn edits_and_launches_of_conditionals_do_not_disturb_each_other() {
    for _ in 0..rounds(500) {
        let deciding = Deciding::new();
        let driver = deciding.driver();
        let marks: [Mark; 3] = Default::default();
        let condition = deciding.condition(1);
        let (_, bodies) = deciding.node(deciding.built.graph, &[], condition, IF);
        let body_node = deciding.marked(bodies[0], &[], &marks[0]);
        let exec = deciding.built.instantiate();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 0..40 {
                    let mark = &marks[round % 2];
                    with_mark(deciding.built.bench.append, mark, |work| driver.exec_set(exec, body_node, work))
                        .unwrap();
                }
            });
            scope.spawn(|| {
                for _ in 0..40 {
                    let node = deciding.marked(bodies[0], &[body_node], &marks[2]);
                    driver.graph_remove_node(bodies[0], node).unwrap();
                }
            });
            scope.spawn(|| {
                let stream = deciding.built.bench.stream();
                (0..40).for_each(|_| driver.exec_launch(exec, stream).unwrap());
                deciding.built.bench.finish(stream);
            });
        });
        assert_eq!((marks[0].runs() + marks[1].runs(), marks[2].runs()), (40, 0));
    }
}
