//! Execs that are edited.

use super::*;

/// Something that is kept, and counts what it is told of.
struct Token {
    told: Mutex<Vec<StreamId>, rank::Told>,
}

impl Retain for Token {
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

fn token() -> Arc<Token> {
    Arc::new(Token { told: Mutex::default() })
}

#[test]
fn an_exec_does_what_its_nodes_are_set_to() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let [memory, source] = [bench.memory(), bench.memory()];
    let arguments = [Argument::Address(memory + 16), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let others = [Argument::Address(memory + 16), Argument::Value(&[5, 0, 0, 0]), Argument::Value(&COUNT)];
    let write = |value| {
        [ValueOperation {
            address: memory + 48,
            value: Value::U32(value),
            action: ValueAction::Write { barrier: true },
        }]
    };
    let set_node = bench.add(graph, &[], &Work::Memset(set(memory, 1)));
    let kernel = bench.add(graph, &[], &Work::Kernel(launch(bench.fill, &arguments)));
    let copied = bench.add(graph, &[set_node], &copy(memory + 32, memory));
    let values = bench.add(graph, &[copied], &Work::Values(&write(1)));
    let empty = bench.add(graph, &[], &Work::Empty);
    let exec = bench.exec(graph);
    driver.submit(bench.stream, &Work::Memset(set(source, 9))).unwrap();
    driver.exec_set(exec, set_node, &Work::Memset(set(memory, 2))).unwrap();
    driver.exec_set(exec, kernel, &Work::Kernel(launch(bench.add, &others))).unwrap();
    driver.exec_set(exec, copied, &copy(memory + 32, source)).unwrap();
    driver.exec_set(exec, values, &Work::Values(&write(4))).unwrap();
    driver.exec_set(exec, empty, &Work::Empty).unwrap();
    bench.launch(exec);
    assert_eq!([0, 16, 32, 48].map(|offset| bench.word(memory + offset)), [2, 5, 9, 4]);
    bench.run(graph);
    assert_eq!([0, 16, 32, 48].map(|offset| bench.word(memory + offset)), [1, 1, 1, 1], "the graph is as it was");
    for (node, work) in [(set_node, Work::Empty), (empty, Work::Memset(set(memory, 1))), (NodeId(0), Work::Empty)] {
        assert_eq!(status(driver.exec_set(exec, node, &work)), Status::INVALID_VALUE);
    }
    assert_eq!(status(driver.exec_set(exec, values, &Work::Values(&[write(1)[0]; 2]))), Status::INVALID_VALUE);
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
}

#[test]
fn an_exec_is_edited_by_the_nodes_that_it_was_made_of() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let work = Work::Memset(set(memory, 1));
    let [kept, removed] = [0; 2].map(|_| bench.add(graph, &[], &work));
    let exec = bench.exec(graph);
    driver.graph_remove_node(graph, removed).unwrap();
    // The driver may give it the handle of the one that was removed, which the exec still has.
    let late = bench.add(graph, &[], &work);
    for node in [removed, late] {
        assert_eq!(status(driver.exec_set(exec, node, &work)), Status::INVALID_VALUE);
        assert_eq!(status(driver.exec_enable(exec, node, false)), Status::INVALID_VALUE);
        assert_eq!(status(driver.exec_is_enabled(exec, node)), Status::INVALID_VALUE);
    }
    let copy = driver.graph_clone(graph).unwrap();
    let twin = driver.node_in_clone(graph, kept, copy).unwrap();
    assert_eq!(status(driver.exec_set(exec, twin, &work)), Status::INVALID_VALUE);
    let of_copy = bench.exec(copy);
    driver.exec_set(of_copy, twin, &work).unwrap();
    driver.exec_set(exec, kept, &work).unwrap();
    driver.graph_destroy(graph);
    let gone = driver.exec_set(exec, kept, &work).unwrap_err();
    assert!(gone.status == Status::INVALID_VALUE && gone.message.contains("gone"), "{}", gone.message);
    bench.launch(exec);
    driver.graph_destroy(copy);
    driver.exec_destroy(exec, Lists::new());
    driver.exec_destroy(of_copy, Lists::new());
}

/// Nodes of captures get their names when they are asked about, which may be after the exec was made.
#[test]
fn captured_nodes_that_are_named_late_can_be_set() {
    let bench = Bench::new();
    let (driver, memory) = (&bench.driver, bench.memory());
    let mode = graphcap_driver::rules::CaptureMode::Relaxed;
    driver.begin_capture(bench.stream, mode).unwrap();
    driver.submit(bench.stream, &Work::Memset(set(memory, 1))).unwrap();
    let graph = driver.end_capture(bench.stream).unwrap();
    let exec = bench.exec(graph);
    let [node] = bench.shape(graph).0[..] else { panic!("one node was recorded") };
    driver.exec_set(exec, node, &Work::Memset(set(memory, 2))).unwrap();
    driver.begin_capture_to_graph(bench.stream, graph, &[node], mode, &[]).unwrap();
    driver.submit(bench.stream, &Work::Memset(set(memory + 32, 1))).unwrap();
    driver.end_capture(bench.stream).unwrap();
    let later = bench.exec(graph);
    let [_, second] = bench.shape(graph).0[..] else { panic!("two nodes were recorded") };
    driver.exec_set(later, second, &Work::Memset(set(memory + 32, 3))).unwrap();
    assert_eq!(status(driver.exec_set(exec, second, &Work::Memset(set(memory, 3)))), Status::INVALID_VALUE);
    bench.launch(exec);
    assert_eq!((bench.word(memory), bench.word(memory + 32)), (2, 0));
    bench.launch(later);
    assert_eq!((bench.word(memory), bench.word(memory + 32)), (1, 3));
    driver.exec_destroy(exec, Lists::new());
    driver.exec_destroy(later, Lists::new());
    driver.graph_destroy(graph);
}

#[test]
fn nodes_are_disabled_and_enabled_but_for_cooperative_kernels() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let calls = Calls::new();
    let arguments = [Argument::Address(memory + 16), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let with = |number: u8| {
        let mut value = [0; 64];
        value[0] = number;
        [LaunchAttribute { id: 2, value }]
    };
    let (together, apart) = (with(1), with(0));
    let kernel = launch(bench.fill, &arguments);
    let set_node = bench.add(graph, &[], &Work::Memset(set(memory, 1)));
    let plain = bench.add(graph, &[set_node], &Work::Kernel(kernel));
    let cooperative = bench.add(graph, &[plain], &Work::Kernel(Launch { attributes: &together, ..kernel }));
    let host = bench.add(graph, &[cooperative], &Work::Host(&calls.function()));
    let exec = bench.exec(graph);
    assert!(driver.exec_is_enabled(exec, plain).unwrap());
    for node in [set_node, plain] {
        driver.exec_enable(exec, node, false).unwrap();
        assert!(!driver.exec_is_enabled(exec, node).unwrap());
    }
    bench.launch(exec);
    assert_eq!((bench.word(memory), bench.word(memory + 16)), (0, 1), "the cooperative one runs");
    driver.exec_enable(exec, set_node, true).unwrap();
    bench.launch(exec);
    assert_eq!(bench.word(memory), 1);
    assert_eq!(status(driver.exec_enable(exec, host, false)), Status::INVALID_VALUE);
    assert_eq!(status(driver.exec_is_enabled(exec, host)), Status::INVALID_VALUE);
    let refused = driver.exec_enable(exec, cooperative, false).unwrap_err();
    assert!(refused.status == Status::INVALID_VALUE && refused.message.contains("cooperative"), "{}", refused.message);
    driver.exec_enable(exec, cooperative, true).unwrap();
    // The graph's node is none any more, and the exec's still is.
    driver.node_set(graph, cooperative, &Work::Kernel(Launch { attributes: &apart, ..kernel })).unwrap();
    assert_eq!(status(driver.exec_enable(exec, cooperative, false)), Status::INVALID_VALUE);
    driver.exec_destroy(exec, Lists::new());
    // Beside another branch the driver would lose the place of a memset.
    let branch = bench.add(graph, &[], &Work::Memset(set(memory, 2)));
    let exec = bench.exec(graph);
    assert_eq!(status(driver.exec_enable(exec, branch, false)), Status::NOT_SUPPORTED);
    assert!(driver.exec_is_enabled(exec, branch).unwrap());
    driver.exec_enable(exec, plain, false).unwrap();
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
}

#[test]
fn an_exec_keeps_the_attributes_that_its_nodes_had() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let arguments = [Argument::Address(memory), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let kernel = launch(bench.fill, &arguments);
    let node = bench.add(graph, &[], &Work::Kernel(kernel));
    let with = |exec, domain| {
        let attributes = [attribute(10, domain)];
        status(driver.exec_set(exec, node, &Work::Kernel(Launch { attributes: &attributes, ..kernel })))
    };
    let first = bench.exec(graph);
    driver.node_set_attribute(graph, node, &attribute(10, 1)).unwrap();
    let second = bench.exec(graph);
    assert_eq!([0, 1].map(|domain| with(first, domain)), [Status::SUCCESS, Status::INVALID_VALUE]);
    assert_eq!([0, 1].map(|domain| with(second, domain)), [Status::INVALID_VALUE, Status::SUCCESS]);
    // One change is remembered: of the first exec it is not known any more what it has.
    let zero = [attribute(10, 0)];
    driver.node_set(graph, node, &Work::Kernel(Launch { attributes: &zero, ..kernel })).unwrap();
    assert_eq!([0, 1].map(|domain| with(first, domain)), [Status::INVALID_VALUE; 2]);
    assert_eq!([0, 1].map(|domain| with(second, domain)), [Status::INVALID_VALUE, Status::SUCCESS]);
    assert_eq!(status(driver.exec_set(first, node, &Work::Kernel(kernel))), Status::SUCCESS);
    for exec in [first, second] {
        driver.exec_destroy(exec, Lists::new());
    }
    driver.graph_destroy(graph);
}

#[test]
fn functions_that_an_exec_is_set_to_stay_until_its_launches_are_over() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let [first, second, third] = [Calls::new(), Calls::new(), Calls::new()];
    let node = bench.add(graph, &[], &Work::Host(&first.function()));
    let exec = bench.exec(graph);
    driver.exec_set(exec, node, &Work::Host(&second.function())).unwrap();
    bench.hold(true);
    driver.exec_launch(exec, bench.stream).unwrap();
    assert_eq!((first.count(), second.count()), (0, 1));
    driver.exec_set(exec, node, &Work::Host(&third.function())).unwrap();
    assert_eq!(second.held(), 1, "the launch may still call it");
    bench.hold(false);
    driver.synchronize().unwrap();
    bench.settle(|| second.held() == 0);
    bench.hold(true);
    driver.exec_launch(exec, bench.stream).unwrap();
    driver.exec_destroy(exec, Lists::new());
    assert_eq!((third.count(), third.held()), (1, 1));
    bench.hold(false);
    driver.synchronize().unwrap();
    bench.settle(|| third.held() == 0);
    driver.graph_destroy(graph);
    bench.settle(|| first.held() == 0);
}

#[test]
fn what_an_exec_lets_go_is_told_of_its_launches() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let [of_graph, old, late] = [token(), token(), token()];
    let kept = |token: &Arc<Token>| Lists::from_elem(Arc::clone(token) as Retained, 1);
    let exec = bench.exec(graph);
    driver.exec_let_go(exec, kept(&old));
    assert!(lock(&old.told).is_empty(), "there was no launch");
    bench.launch(exec);
    driver.exec_let_go(exec, kept(&old));
    assert_eq!((&*lock(&old.told), Arc::strong_count(&old)), (&vec![bench.stream], 1));
    // Others may use the graph, and the driver holds for it what it is told.
    driver.native(Object::Graph(graph)).unwrap();
    assert!(!driver.graph_was_taken(graph));
    driver.graph_retain(graph, &kept(&of_graph)).unwrap();
    assert!(driver.graph_was_taken(graph));
    // Others may launch the exec on any stream.
    driver.native(Object::Exec(exec)).unwrap();
    driver.exec_destroy(exec, kept(&late));
    assert_eq!((lock(&late.told).len(), Arc::strong_count(&late)), (2, 1));
    assert_eq!(Arc::strong_count(&of_graph), 2);
    driver.graph_destroy(graph);
    bench.settle(|| Arc::strong_count(&of_graph) == 1);
}

#[test]
fn an_exec_is_uploaded_before_its_first_edit_and_not_again() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let node = bench.add(graph, &[], &Work::Memset(set(memory, 1)));
    let uploads = || {
        // SAFETY: it takes nothing.
        unsafe { bench.stand_in.function::<unsafe extern "C" fn() -> std::ffi::c_ulong>("stand_in_uploads")() }
    };
    let edit = |exec| {
        let before = uploads();
        driver.exec_set(exec, node, &Work::Memset(set(memory, 2))).unwrap();
        driver.exec_enable(exec, node, true).unwrap();
        uploads() - before
    };
    let fresh = bench.exec(graph);
    assert!(driver.exec_is_enabled(fresh, node).unwrap());
    assert_eq!((edit(fresh), edit(fresh)), (1, 0));
    let launched = bench.exec(graph);
    bench.launch(launched);
    assert_eq!(edit(launched), 0);
    let uploaded = bench.exec(graph);
    driver.exec_upload(uploaded, bench.stream).unwrap();
    assert_eq!(edit(uploaded), 0);
    // The upload harms no capture, and the edit is made where it fails.
    let other = bench.exec(graph);
    driver.begin_capture(bench.stream, graphcap_driver::rules::CaptureMode::Global).unwrap();
    assert_eq!(edit(other), 1);
    assert_eq!(driver.capture_info(bench.stream).unwrap().status, CaptureStatus::Active);
    let captured = driver.end_capture(bench.stream).unwrap();
    bench.fail_each_call(
        || (),
        || {
            let exec = bench.exec_or_none(graph)?;
            let answer = driver.exec_set(exec, node, &Work::Memset(set(memory, 2)));
            driver.exec_destroy(exec, Lists::new());
            answer
        },
    );
    for exec in [fresh, launched, uploaded, other] {
        driver.exec_destroy(exec, Lists::new());
    }
    driver.graph_destroy(captured);
    driver.graph_destroy(graph);
    assert_eq!((bench.live(Live::Execs), bench.live(Live::Graphs)), (0, 0));
}

impl Bench {
    fn exec_or_none(&self, graph: GraphId) -> Result<ExecId> {
        self.driver.graph_instantiate(graph).map(|(exec, _)| exec)
    }
}
