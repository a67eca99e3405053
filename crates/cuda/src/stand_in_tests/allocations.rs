//! Nodes that allocate memory and free it.

use super::*;

#[test]
fn allocations_are_nodes_whose_address_is_read_back() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let allocation = driver.graph_add_allocation(graph, &[], 64).unwrap().node;
    let mut address = 0;
    let mut read = |work: &Work<'_>| match work {
        Work::MemAlloc(MemAlloc { bytes: 64, address: told }) => address = *told,
        _ => panic!("an allocation of 64 bytes"),
    };
    driver.node_work(GraphRef::Known(graph), allocation, &mut read).unwrap();
    let fill = bench.add(graph, &[allocation], &Work::Memset(set(address, 5)));
    let read_out = bench.add(graph, &[fill], &copy(memory, address));
    let free = bench.add(graph, &[read_out], &Work::MemFree(MemFree::at(address)));
    let mut freed = 0;
    let mut read = |work: &Work<'_>| match work {
        Work::MemFree(read) => freed = read.address,
        _ => panic!("a free"),
    };
    driver.node_work(GraphRef::Known(graph), free, &mut read).unwrap();
    assert_eq!(freed, address);
    bench.run(graph);
    assert_eq!(bench.word(memory), 5);
    assert_eq!(
        status(driver.graph_add_node(graph, &[], &Work::MemFree(MemFree::at(address)))),
        Status::INVALID_VALUE,
        "twice"
    );
    assert_eq!(status(driver.graph_add_node(graph, &[], &Work::MemFree(MemFree::at(memory)))), Status::INVALID_VALUE);
    assert_eq!(status(driver.graph_add_allocation(graph, &[], 0)), Status::INVALID_VALUE);
    let nothing = MemAlloc { bytes: 64, address: 0 };
    assert_eq!(
        status(driver.graph_add_node(graph, &[], &Work::MemAlloc(nothing))),
        Status::INVALID_VALUE,
        "without a name"
    );
    assert_eq!(status(driver.node_set(graph, allocation, &Work::MemAlloc(nothing))), Status::NOT_SUPPORTED);
    // Nothing is taken from such a graph, so that edges of which one is wrong must not be begun with.
    let before = bench.shape(graph);
    assert_eq!(status(driver.graph_remove_node(graph, fill)), Status::NOT_SUPPORTED);
    assert_eq!(status(driver.graph_remove_edges(graph, &[(allocation, fill)])), Status::NOT_SUPPORTED);
    let edges = [(allocation, free), (allocation, fill)];
    assert_eq!(status(driver.graph_add_edges(graph, &plain(&edges))), Status::INVALID_VALUE);
    let programmatic = [(allocation, read_out, EdgeData::default()), (fill, free, EdgeData::PROGRAMMATIC)];
    assert_eq!(status(driver.graph_add_edges(graph, &programmatic)), Status::INVALID_VALUE);
    assert_eq!(status(driver.graph_clone(graph)), Status::NOT_SUPPORTED);
    assert_eq!(bench.shape(graph), before);
    driver.graph_destroy(graph);
}

#[test]
fn memory_of_a_destroyed_graph_is_not_taken_for_what_came_to_its_address() {
    let bench = Bench::new();
    let (driver, first) = (&bench.driver, bench.graph());
    let gone = driver.graph_add_allocation(first, &[], 64).unwrap();
    driver.graph_destroy(first);
    let (second, third) = (bench.graph(), bench.graph());
    let there = driver.graph_add_allocation(second, &[], 64).unwrap();
    assert_eq!(gone.address, there.address, "row mem.address_after_graph_destroyed");
    let exec = bench.exec(second);
    bench.launch(exec);
    let free = |named: &Allocated| Work::MemFree(MemFree { address: named.address, memory: Some(named.memory) });
    let refused = driver.submit(bench.stream, &free(&gone)).unwrap_err();
    assert!(refused.status == Status::INVALID_VALUE && refused.message.contains("another"), "{}", refused.message);
    assert_eq!(status(driver.graph_add_node(third, &[], &free(&gone))), Status::INVALID_VALUE);
    driver.release(gone.memory, &[]);
    assert_eq!(status(driver.exec_launch(exec, bench.stream)), Status::INVALID_VALUE, "it is allocated");
    driver.submit(bench.stream, &free(&there)).unwrap();
    bench.launch(exec);
    let again = driver.node_allocation(second, there.node).unwrap();
    driver.submit(bench.stream, &free(&again)).unwrap();
    assert_eq!(status(driver.submit(bench.stream, &free(&there))), Status::INVALID_VALUE, "twice");
    for named in [there, again] {
        driver.release(named.memory, &[]);
    }
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(second);
    driver.graph_destroy(third);
}

#[test]
fn a_free_that_the_driver_refuses_leaves_the_memory_allocated() {
    let bench = Bench::new();
    let (driver, graph) = (&bench.driver, bench.graph());
    let named = driver.graph_add_allocation(graph, &[], 64).unwrap();
    let exec = bench.exec(graph);
    bench.launch(exec);
    let free = Work::MemFree(MemFree { address: named.address, memory: Some(named.memory) });
    // A free that works although a call fails is made up for.
    let allocated = || _ = driver.exec_launch(exec, bench.stream);
    bench.fail_each_call(allocated, || driver.submit(bench.stream, &free));
    assert_eq!(status(driver.submit(bench.stream, &free)), Status::INVALID_VALUE, "it was freed at last");
    bench.launch(exec);
    driver.exec_destroy(exec, Lists::new());
    driver.graph_destroy(graph);
    driver.release(named.memory, &[]);
}

#[test]
fn edges_that_an_old_driver_cannot_carry_leave_no_others_behind() {
    let bench = Bench::on(&OLD);
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let arguments = [Argument::Address(memory), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    driver.graph_add_allocation(graph, &[], 64).unwrap();
    let [a, b, c] = [0; 3].map(|_| bench.add(graph, &[], &Work::Kernel(launch(bench.fill, &arguments))));
    let before = bench.shape(graph);
    let edges = [(a, b, EdgeData::default()), (b, c, EdgeData::PROGRAMMATIC)];
    assert_eq!(status(driver.graph_add_edges(graph, &edges)), Status::NOT_SUPPORTED);
    assert_eq!(bench.shape(graph), before);
    driver.graph_destroy(graph);
}

#[test]
fn a_second_exec_is_refused_with_a_remedy_where_there_is_one() {
    let bench = Bench::new();
    let (driver, plain, memory) = (&bench.driver, bench.graph(), bench.memory());
    let arguments = [Argument::Address(memory), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let changeable = [attribute(13, 1)];
    let allocating = bench.graph();
    driver.graph_add_allocation(allocating, &[], 64).unwrap();
    let changed = bench.graph();
    let kernel = Launch { attributes: &changeable, ..launch(bench.fill, &arguments) };
    bench.add(changed, &[], &Work::Kernel(kernel));
    for graph in [allocating, changed] {
        let exec = bench.exec(graph);
        let refused = driver.graph_instantiate(graph).unwrap_err();
        assert_eq!(refused.status, Status::NOT_SUPPORTED);
        assert!(refused.message.contains("destroy that one first"), "{}", refused.message);
        driver.exec_destroy(exec, Lists::new());
    }
    let fail = bench.stand_in.function::<unsafe extern "C" fn(u64, c_int)>("stand_in_fail");
    let mut was_refused = false;
    for number in 1..20 {
        // SAFETY: it takes any number.
        unsafe { fail(number, Status::NOT_SUPPORTED.0) };
        let made = driver.graph_instantiate(plain);
        // SAFETY: as above.
        unsafe { fail(0, 0) };
        match made {
            Ok((exec, _)) => driver.exec_destroy(exec, Lists::new()),
            Err(refused) => {
                was_refused |= refused.message.contains("cuGraphInstantiate");
                assert!(!refused.message.contains("destroy that one"), "{}", refused.message);
            }
        }
    }
    assert!(was_refused);
    [allocating, changed, plain].into_iter().for_each(|graph| driver.graph_destroy(graph));
}

#[test]
fn what_is_no_kernel_is_not_refused_for_its_attribute() {
    let bench = Bench::new();
    let (driver, graph, memory) = (&bench.driver, bench.graph(), bench.memory());
    let arguments = [Argument::Address(memory), Argument::Value(&[1, 0, 0, 0]), Argument::Value(&COUNT)];
    let kernel = bench.add(graph, &[], &Work::Kernel(launch(bench.fill, &arguments)));
    let empty = bench.add(graph, &[], &Work::Empty);
    for (node, expected) in
        [(empty, "only kernel nodes"), (NodeId(0), "no node of the graph"), (kernel, "attribute 99")]
    {
        let asked = driver.node_attribute(graph, node, 99).unwrap_err();
        let set = driver.node_set_attribute(graph, node, &attribute(99, 0)).unwrap_err();
        for refused in [asked, set] {
            assert_eq!(refused.status, Status::INVALID_VALUE);
            assert!(refused.message.contains(expected), "{}", refused.message);
            assert_eq!(refused.message.contains("attribute 99"), node == kernel, "{}", refused.message);
        }
    }
    driver.graph_destroy(graph);
}
