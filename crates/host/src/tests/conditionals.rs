//! Conditionals: which bodies run, how values last, what bodies can have.

use std::ffi::c_void;

use super::building::{status, with_mark, Built, INVALID, OK};
use super::*;
use crate::graph::condition::set_condition;
use graphcap_base::error::Status;

const NOT_SUPPORTED: i32 = Status::NOT_SUPPORTED.0;

/// Sets a condition to a number that a countdown in memory decides: what is above 0 goes down by one and is then the value.
unsafe extern "C-unwind" fn count_down(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with a pointer to a counter that outlives the launch, and with the number of a condition.
    let (left, condition) =
        unsafe { (&**(*arguments).cast::<*const AtomicU64>(), ConditionId(*(*arguments.add(1)).cast::<u64>())) };
    let value = left.load(Ordering::Relaxed).saturating_sub(1);
    left.store(value, Ordering::Relaxed);
    i32::from(set_condition(condition, value as u32).is_err())
}

/// Sets a condition to a value.
unsafe extern "C-unwind" fn set(_: *const HostBlock, arguments: *const *const c_void) -> i32 {
    // SAFETY: launched with a pointer to a number that outlives the launch, and with the number of a condition.
    let (value, condition) =
        unsafe { (&**(*arguments).cast::<*const AtomicU64>(), ConditionId(*(*arguments.add(1)).cast::<u64>())) };
    i32::from(set_condition(condition, value.load(Ordering::Relaxed) as u32).is_err())
}

/// Graphs with conditionals.
pub(super) struct Deciding {
    pub(super) built: Built,
    pub(super) count_down: KernelId,
    pub(super) set: KernelId,
}

impl Deciding {
    pub(super) fn new() -> Deciding {
        let built = Built::new();
        let kernel = |name: &str, function| HostKernel { name: name.into(), function, parameter_sizes: None };
        let kernels = [kernel("count_down", count_down as HostKernelFunction), kernel("set", set)];
        let module =
            built.bench.driver.module_load(ModuleSource { host_kernels: &kernels, ..ModuleSource::default() }).unwrap();
        let [count_down, set] =
            ["count_down", "set"].map(|name| built.bench.driver.module_kernel(module, name).unwrap());
        Deciding { built, count_down, set }
    }

    pub(super) fn driver(&self) -> &dyn Driver {
        &*self.built.bench.driver
    }

    pub(super) fn condition(&self, default: u32) -> ConditionId {
        self.driver().condition_create(self.built.graph, default).unwrap()
    }

    /// A conditional node of `graph` after `dependencies`, and its bodies.
    pub(super) fn node(
        &self,
        graph: GraphId,
        dependencies: &[NodeId],
        condition: ConditionId,
        (kind, bodies): (ConditionalKind, u32),
    ) -> (NodeId, Vec<GraphId>) {
        let work = Work::Conditional(Conditional { condition, kind, bodies });
        let node = self.driver().graph_add_node(graph, dependencies, &work).unwrap();
        let bodies = self.driver().node_graphs(graph, node).unwrap();
        (node, bodies)
    }

    pub(super) fn kernel(
        &self,
        graph: GraphId,
        dependencies: &[NodeId],
        kernel: KernelId,
        counter: &AtomicU64,
        condition: ConditionId,
    ) -> NodeId {
        self.kernel_at(graph, dependencies, kernel, std::ptr::from_ref(counter) as u64, condition)
    }

    /// A kernel with a counter at an address.
    pub(super) fn kernel_at(
        &self,
        graph: GraphId,
        dependencies: &[NodeId],
        kernel: KernelId,
        counter: Address,
        condition: ConditionId,
    ) -> NodeId {
        let (counter, condition) = (counter.to_ne_bytes(), condition.0.to_ne_bytes());
        let given = [Argument::Value(&counter), Argument::Value(&condition)];
        let arguments = Arguments::Separate(&given);
        let launch = Launch { kernel, name: "", shape: ONE, arguments, attributes: &[], stated: None };
        self.driver().graph_add_node(graph, dependencies, &Work::Kernel(launch)).unwrap()
    }

    pub(super) fn marked(&self, graph: GraphId, dependencies: &[NodeId], mark: &Mark) -> NodeId {
        let add = |work: &Work<'_>| self.driver().graph_add_node(graph, dependencies, work).unwrap();
        with_mark(self.built.bench.append, mark, add)
    }

    pub(super) fn run(&self, exec: ExecId) {
        self.built.run(exec);
    }
}

pub(super) const IF: (ConditionalKind, u32) = (ConditionalKind::If, 1);
pub(super) const IF_ELSE: (ConditionalKind, u32) = (ConditionalKind::If, 2);
pub(super) const WHILE: (ConditionalKind, u32) = (ConditionalKind::While, 1);

pub(super) fn runs(marks: &[Mark]) -> Vec<u64> {
    marks.iter().map(Mark::runs).collect()
}

/// Rows `cond_else.*`, `cond_switch.*` and `cond_default.*`.
#[test]
fn the_value_decides_which_body_runs() {
    let cases: [((ConditionalKind, u32), u32, Option<usize>); 10] = [
        (IF, 0, None),
        (IF, 1, Some(0)),
        (IF, 5, Some(0)),
        (IF_ELSE, 0, Some(1)),
        (IF_ELSE, 1, Some(0)),
        ((ConditionalKind::Switch, 3), 0, Some(0)),
        ((ConditionalKind::Switch, 3), 2, Some(2)),
        ((ConditionalKind::Switch, 3), 3, None),
        ((ConditionalKind::Switch, 3), 100, None),
        ((ConditionalKind::Switch, 1000), 999, Some(999)),
    ];
    for (kind, value, expected) in cases {
        let deciding = Deciding::new();
        let marks: Vec<Mark> = (0..kind.1).map(|_| Mark::default()).collect();
        let around: [Mark; 2] = Default::default();
        let before = deciding.built.mark(&[], &around[0]);
        let condition = deciding.condition(value);
        let (node, bodies) = deciding.node(deciding.built.graph, &[before], condition, kind);
        assert_eq!(bodies.len(), kind.1 as usize);
        for (&body, mark) in bodies.iter().zip(&marks) {
            deciding.marked(body, &[], mark);
        }
        deciding.built.mark(&[node], &around[1]);
        let exec = deciding.built.instantiate();
        for round in 1..=2 {
            deciding.run(exec);
            let ran: Vec<usize> = (0..marks.len()).filter(|&at| marks[at].runs() == round).collect();
            assert_eq!(ran, expected.into_iter().collect::<Vec<_>>(), "{kind:?} of {value}");
            assert!(marks.iter().all(|mark| [0, round].contains(&mark.runs())));
            let order = [&around[0], &marks[expected.unwrap_or(0)], &around[1]];
            assert!(expected.is_none() || order.windows(2).all(|pair| pair[0].tick() < pair[1].tick()));
        }
    }
}

/// Rows `cond_size.*`, `cond.handle_*`, `node.destroy_conditional`, `cond.two_execs`, `reuse.conditional_if`, `params.conditional_set`.
#[test]
fn conditionals_are_added_with_the_answers_of_the_driver() {
    let deciding = Deciding::new();
    let (driver, graph) = (deciding.driver(), deciding.built.graph);
    let condition = deciding.condition(0);
    let work = |condition, kind, bodies| Work::Conditional(Conditional { condition, kind, bodies });
    let add = |graph, work: &Work<'_>| driver.graph_add_node(graph, &[], work);
    for (kind, bodies) in [
        (ConditionalKind::If, 0),
        (ConditionalKind::If, 3),
        (ConditionalKind::While, 0),
        (ConditionalKind::While, 2),
        (ConditionalKind::Switch, 0),
    ] {
        assert_eq!(status(&add(graph, &work(condition, kind, bodies))), INVALID, "{kind:?} of {bodies}");
    }
    let elsewhere = driver.graph_create().unwrap();
    let own = work(condition, ConditionalKind::If, 1);
    assert_eq!(status(&add(elsewhere, &own)), INVALID, "a condition of another graph");
    for garbage in [0, 12345] {
        assert_eq!(status(&add(graph, &work(ConditionId(garbage), ConditionalKind::If, 1))), INVALID);
    }
    assert_eq!(status(&driver.graph_instantiate(graph)), INVALID, "a condition without a node");
    let node = add(graph, &own).unwrap();
    assert_eq!(status(&add(graph, &own)), INVALID, "another node has it");
    let mut read = None;
    driver
        .node_work(GraphRef::Known(graph), node, &mut |work| {
            if let Work::Conditional(conditional) = work {
                read = Some(*conditional);
            }
        })
        .unwrap();
    assert_eq!(read, Some(Conditional { condition, kind: ConditionalKind::If, bodies: 1 }));
    let body = driver.node_graphs(graph, node).unwrap();
    assert_eq!((body.len(), driver.graph_node_count(body[0]).unwrap()), (1, 0));
    assert_eq!(status(&driver.node_set(graph, node, &own)), NOT_SUPPORTED);
    // What a graph alone can own is not copied.
    for refused in [driver.graph_clone(graph).map(drop), add(elsewhere, &Work::Child(graph)).map(drop)] {
        assert_eq!(status(&refused), NOT_SUPPORTED);
    }
    assert_eq!(status(&driver.graph_instantiate(body[0])), NOT_SUPPORTED);
    let exec = driver.graph_instantiate(graph).unwrap().0;
    assert_eq!(status(&driver.graph_instantiate(graph)), NOT_SUPPORTED, "one exec at a time");
    assert_eq!(status(&driver.exec_set(exec, node, &own)), NOT_SUPPORTED);
    assert_eq!(status(&driver.exec_enable(exec, node, false)), INVALID);
    deciding.run(exec);
    driver.exec_destroy(exec, Lists::new());
    let again = driver.graph_instantiate(graph).unwrap().0;
    deciding.run(again);
    driver.exec_destroy(again, Lists::new());
    driver.graph_remove_node(graph, node).unwrap();
    assert_eq!(status(&driver.graph_node_count(body[0])), Status::INVALID_HANDLE.0);
    assert_eq!(status(&driver.graph_instantiate(graph)), INVALID, "a condition without a node");
    let node = add(graph, &own).unwrap();
    driver.graph_instantiate(graph).unwrap();
    driver.graph_remove_node(graph, node).unwrap();
    // A condition of the outermost graph is for the graphs within as well.
    let within = driver.graph_add_node(graph, &[], &Work::Child(elsewhere)).unwrap();
    let inner = driver.node_graphs(graph, within).unwrap()[0];
    add(inner, &own).unwrap();
    assert_eq!(status(&add(graph, &own)), INVALID);
    driver.graph_remove_node(graph, within).unwrap();
    add(graph, &own).unwrap();
}

#[test]
fn each_launch_begins_with_the_default() {
    let deciding = Deciding::new();
    let (value, mark) = (AtomicU64::new(0), Mark::default());
    let condition = deciding.condition(0);
    let (node, bodies) = deciding.node(deciding.built.graph, &[], condition, IF);
    deciding.marked(bodies[0], &[], &mark);
    // Set behind the conditional, and forgotten by the next launch.
    deciding.kernel(deciding.built.graph, &[node], deciding.set, &value, condition);
    let exec = deciding.built.instantiate();
    for next in [0, 1, 7] {
        value.store(next, Ordering::Relaxed);
        deciding.run(exec);
    }
    // Several in a row, which the device puts together.
    let stream = deciding.built.bench.stream();
    (0..10).for_each(|_| deciding.driver().exec_launch(exec, stream).unwrap());
    deciding.built.bench.finish(stream);
    assert_eq!(mark.runs(), 0);
}

#[test]
fn conditionals_lie_within_each_other_up_to_a_limit() {
    let deciding = Deciding::new();
    let mark = Mark::default();
    let mut graph = deciding.built.graph;
    let mut levels = 1;
    let refused = loop {
        let condition = deciding.condition(1);
        let work = Work::Conditional(Conditional { condition, kind: ConditionalKind::If, bodies: 1 });
        match deciding.driver().graph_add_node(graph, &[], &work) {
            Ok(node) => graph = deciding.driver().node_graphs(graph, node).unwrap()[0],
            Err(error) => {
                // The condition is used elsewhere, since each has a node.
                deciding.node(deciding.built.graph, &[], condition, IF);
                break error;
            }
        }
        levels += 1;
    };
    assert_eq!((refused.status, levels), (Status::NOT_SUPPORTED, 128));
    deciding.marked(graph, &[], &mark);
    deciding.run(deciding.built.instantiate());
    assert_eq!(mark.runs(), 1);
}

/// Rows `body.*`.
#[test]
fn bodies_have_the_kinds_of_nodes_that_the_driver_takes() {
    let deciding = Deciding::new();
    let built = &deciding.built;
    let other = built.bench.on_other_device();
    let driver = deciding.driver();
    let condition = deciding.condition(1);
    let (_, bodies) = deciding.node(built.graph, &[], condition, IF);
    let child = driver.graph_create().unwrap();
    let host_child = driver.graph_create().unwrap();
    let marks: [Mark; 2] = Default::default();
    deciding.marked(child, &[], &marks[0]);
    let function: HostFunction = Arc::new(|| ());
    driver.graph_add_node(host_child, &[], &Work::Host(&function)).unwrap();
    let event = built.bench.event();
    let copy = |destination, source, kind| Work::Memcpy {
        rows: MemcpyRows::one(Memcpy { destination, source, bytes: 4, kind }),
        snapshot: None,
    };
    let (memory, pinned, pageable) = (built.memory, built.pinned, std::ptr::from_ref(&marks) as u64);
    let operation =
        ValueOperation { address: memory, value: Value::U32(1), action: ValueAction::Write { barrier: true } };
    let operations = [operation];
    let foreign = marks[1].argument();
    let foreign = [Argument::Value(&foreign)];
    let works = [
        ("empty", Work::Empty, OK),
        ("child", Work::Child(child), OK),
        ("memset", Work::Memset(built.set()), OK),
        ("memcpy_d2d", copy(memory, memory + 64, MemcpyKind::DeviceToDevice), OK),
        ("memcpy_h2d_pinned", copy(memory, pinned, MemcpyKind::HostToDevice), OK),
        ("memcpy_d2h_pinned", copy(pinned, memory, MemcpyKind::DeviceToHost), OK),
        ("memcpy_h2h", copy(pinned, pinned + 64, MemcpyKind::HostToHost), OK),
        ("memcpy_d2h_pageable", copy(pageable, memory, MemcpyKind::DeviceToHost), INVALID),
        ("memcpy_h2d_pageable", copy(memory, pageable, MemcpyKind::HostToDevice), INVALID),
        ("host", Work::Host(&function), INVALID),
        ("event_record", Work::EventRecord(event), INVALID),
        ("event_wait", Work::EventWait(event), INVALID),
        ("batch", Work::Values(&operations), INVALID),
        ("child with a host function", Work::Child(host_child), INVALID),
        (
            "kernel_foreign_ctx",
            Work::Kernel(Launch {
                kernel: other.append,
                name: "",
                shape: ONE,
                arguments: Arguments::Separate(&foreign),
                attributes: &[],
                stated: None,
            }),
            INVALID,
        ),
    ];
    for (name, work, expected) in works {
        let node = driver.graph_add_node(bodies[0], &[], &work).unwrap();
        let made = driver.graph_instantiate(built.graph);
        assert_eq!(status(&made), expected, "{name}");
        if let Ok((exec, _)) = made {
            deciding.run(exec);
            driver.exec_destroy(exec, Lists::new());
        }
        driver.graph_remove_node(bodies[0], node).unwrap();
    }
    assert_eq!(runs(&marks), [1, 0]);
    // Nor does an exec let such nodes in.
    let node = driver.graph_add_node(bodies[0], &[], &copy(pinned, memory, MemcpyKind::DeviceToHost)).unwrap();
    let exec = built.instantiate();
    let set = |destination| status(&driver.exec_set(exec, node, &copy(destination, memory, MemcpyKind::DeviceToHost)));
    assert_eq!([set(pageable), set(pinned + 64)], [INVALID, OK]);
    // Rows `cond.body_with_cycle`, `cond.body_grown_after_instantiate` and `enable.node_in_body`.
    let marked = deciding.marked(bodies[0], &[], &marks[1]);
    deciding.run(exec);
    assert_eq!(marks[1].runs(), 0);
    driver.exec_destroy(exec, Lists::new());
    let exec = built.instantiate();
    driver.exec_enable(exec, marked, false).unwrap();
    deciding.run(exec);
    assert_eq!((marks[1].runs(), driver.exec_is_enabled(exec, marked).unwrap()), (0, false));
    driver.exec_enable(exec, marked, true).unwrap();
    deciding.run(exec);
    assert_eq!(marks[1].runs(), 1);
    driver.exec_destroy(exec, Lists::new());
    driver.graph_add_edges(bodies[0], &plain(&[(node, marked), (marked, node)])).unwrap();
    assert_eq!(status(&driver.graph_instantiate(built.graph)), INVALID);
}

/// Row `cond.handle_of_parent_in_child`, and children of bodies that have conditionals in turn.
#[test]
fn conditionals_lie_in_children_and_children_in_bodies() {
    let deciding = Deciding::new();
    let (driver, graph) = (deciding.driver(), deciding.built.graph);
    let (left, marks): (_, [Mark; 4]) = (AtomicU64::new(0), Default::default());
    let [outer, inner] = [(); 2].map(|()| deciding.condition(1));
    let empty = driver.graph_create().unwrap();
    let within = |graph, dependencies: &[NodeId]| {
        let node = driver.graph_add_node(graph, dependencies, &Work::Child(empty)).unwrap();
        (node, driver.node_graphs(graph, node).unwrap()[0])
    };
    // A child, in which a loop is, in whose body a child is, in which a conditional is.
    let first = deciding.marked(graph, &[], &marks[0]);
    let (child, in_child) = within(graph, &[first]);
    let (_, bodies) = deciding.node(in_child, &[], outer, WHILE);
    let (in_body, deep) = within(bodies[0], &[]);
    let (_, deepest) = deciding.node(deep, &[], inner, IF);
    let node = deciding.marked(deepest[0], &[], &marks[1]);
    let turn = deciding.marked(bodies[0], &[in_body], &marks[2]);
    deciding.kernel(bodies[0], &[turn], deciding.count_down, &left, outer);
    deciding.marked(graph, &[child], &marks[3]);
    let exec = deciding.built.instantiate();
    let run = || {
        left.store(3, Ordering::Relaxed);
        deciding.run(exec);
    };
    run();
    assert_eq!(runs(&marks), [1, 3, 3, 1]);
    assert!(marks.windows(2).all(|pair| pair[0].tick() < pair[1].tick()));
    driver.exec_enable(exec, node, false).unwrap();
    run();
    assert_eq!(runs(&marks), [2, 3, 6, 2]);
    // What goes with the child gives its conditions back.
    driver.exec_destroy(exec, Lists::new());
    driver.graph_remove_node(graph, child).unwrap();
    for graph in [in_child, bodies[0], deep, deepest[0]] {
        assert_eq!(status(&driver.graph_node_count(graph)), Status::INVALID_HANDLE.0);
    }
    deciding.node(graph, &[], outer, IF);
    deciding.node(graph, &[], inner, IF);
    deciding.run(deciding.built.instantiate());
}

/// Branches with conditionals that several lanes run at a time.
#[test]
fn conditionals_of_a_replay_that_is_spread_run_as_often_as_on_one_lane() {
    let deciding = Deciding::new();
    let marks: Vec<Mark> = (0..24).map(|_| Mark::default()).collect();
    let counters: Vec<AtomicU64> = (0..8).map(|_| AtomicU64::new(0)).collect();
    let mut ends = Vec::new();
    for branch in 0..8 {
        let condition = deciding.condition(1);
        let first = deciding.built.mark(&[], &marks[3 * branch]);
        let (node, bodies) = deciding.node(deciding.built.graph, &[first], condition, WHILE);
        // A turn takes longer than lanes need to come and help.
        let (mark, ns) = (marks[3 * branch + 1].argument(), 20_000u64.to_ne_bytes());
        let given = [Argument::Value(&mark), Argument::Value(&ns)];
        let (kernel, arguments) = (deciding.built.bench.spin, Arguments::Separate(&given));
        let spin = Work::Kernel(Launch { kernel, name: "", shape: ONE, arguments, attributes: &[], stated: None });
        let turn = deciding.driver().graph_add_node(bodies[0], &[], &spin).unwrap();
        deciding.kernel(bodies[0], &[turn], deciding.count_down, &counters[branch], condition);
        ends.push(deciding.built.mark(&[node], &marks[3 * branch + 2]));
    }
    // Host functions have a replay spread from its beginning.
    let function: HostFunction = Arc::new(|| ());
    let last = deciding.built.add(&ends, &Work::Host(&function));
    deciding.built.add(&[last], &Work::Empty);
    let exec = deciding.built.instantiate();
    for round in 1..=10 {
        counters.iter().enumerate().for_each(|(branch, left)| left.store(branch as u64 + 1, Ordering::Relaxed));
        deciding.run(exec);
        for (branch, marks) in marks.chunks(3).enumerate() {
            assert_eq!(runs(marks), [round, round * (branch as u64 + 1), round]);
            assert!(marks.windows(2).all(|pair| pair[0].tick() < pair[1].tick()));
        }
    }
}

/// Row `cond.capture_into_body`.
#[test]
fn streams_are_captured_into_bodies() {
    let deciding = Deciding::new();
    let driver = deciding.driver();
    let marks: [Mark; 2] = Default::default();
    let condition = deciding.condition(1);
    let (node, bodies) = deciding.node(deciding.built.graph, &[], condition, IF);
    let stream = deciding.built.bench.stream();
    driver.begin_capture_to_graph(stream, bodies[0], &[], CaptureMode::Relaxed, &[]).unwrap();
    marks.iter().for_each(|mark| deciding.built.bench.mark(stream, mark).unwrap());
    assert_eq!(status(&driver.graph_remove_node(deciding.built.graph, node)), Status::ILLEGAL_STATE.0);
    assert_eq!(driver.end_capture(stream).unwrap(), bodies[0]);
    assert_eq!((driver.graph_node_count(bodies[0]).unwrap(), driver.graph_edge_count(bodies[0]).unwrap()), (2, 1));
    deciding.run(deciding.built.instantiate());
    assert!(runs(&marks) == [1, 1] && marks[0].tick() < marks[1].tick());
}

/// Row `cond.set_from_other_graph`, and who else may set a condition.
#[test]
fn a_condition_is_set_while_its_graph_runs() {
    let deciding = Deciding::new();
    let driver = deciding.driver();
    let mark = Mark::default();
    let condition = deciding.condition(0);
    // By a host function of the graph, in front of the conditional.
    let function: HostFunction = Arc::new(move || set_condition(condition, 1).unwrap());
    let first = deciding.built.add(&[], &Work::Host(&function));
    let (_, bodies) = deciding.node(deciding.built.graph, &[first], condition, IF);
    deciding.marked(bodies[0], &[], &mark);
    let exec = deciding.built.instantiate();
    deciding.run(exec);
    assert_eq!(mark.runs(), 1);
    assert_eq!(status(&set_condition(ConditionId(77), 1)), Status::INVALID_HANDLE.0);
    assert_eq!(status(&set_condition(condition, 0)), Status::ILLEGAL_ADDRESS.0);
    deciding.run(exec);
    assert_eq!(mark.runs(), 2, "a call from outside changes nothing and harms nothing");
    // The graph goes; the exec still has its condition. When both are gone, so is the condition.
    driver.graph_destroy(deciding.built.graph);
    deciding.run(exec);
    assert_eq!(mark.runs(), 3);
    let elsewhere = driver.graph_create().unwrap();
    let value = AtomicU64::new(1);
    let stray = deciding.kernel(elsewhere, &[], deciding.set, &value, condition);
    let other = driver.graph_instantiate(elsewhere).unwrap().0;
    assert!(stray.0 != 0);
    let stream = deciding.built.bench.stream();
    driver.exec_launch(other, stream).unwrap();
    let error = driver.stream_synchronize(stream).unwrap_err();
    assert!(error.status == Status::ILLEGAL_ADDRESS && error.message.contains("its graph did not run"), "{error}");
    driver.exec_destroy(exec, Lists::new());
    // A lane may hold the last launch for a moment.
    while status(&set_condition(condition, 0)) != Status::INVALID_HANDLE.0 {
        std::thread::yield_now();
    }
}
