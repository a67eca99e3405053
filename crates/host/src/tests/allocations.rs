//! Nodes that allocate and free memory: rows `mem.*` and `mem_alloc.*` of the driver's answers, as far as they are the device's.

use super::building::{status, Built, INVALID, OK};
use super::*;
use graphcap_base::error::Status;

const NOT_SUPPORTED: i32 = Status::NOT_SUPPORTED.0;

trait Allocating {
    fn try_allocate(
        &self,
        graph: GraphId,
        dependencies: &[NodeId],
        bytes: usize,
    ) -> graphcap_base::Result<(NodeId, Address)>;
    fn allocate(&self, graph: GraphId, bytes: usize) -> (NodeId, Address);
    fn try_free(&self, graph: GraphId, dependencies: &[NodeId], address: Address) -> graphcap_base::Result<NodeId>;
    fn fill(&self, graph: GraphId, dependencies: &[NodeId], address: Address, value: u32) -> NodeId;
    fn exec_of(&self, graph: GraphId) -> ExecId;
    /// Returns what a launch answers; waits for it.
    fn launch(&self, exec: ExecId) -> i32;
    /// Returns whether work can be submitted that uses the memory.
    fn is_alive(&self, address: Address) -> bool;
    /// Gives the memory back as its user does.
    fn give_back(&self, address: Address);
}

impl Allocating for Built {
    fn try_allocate(
        &self,
        graph: GraphId,
        dependencies: &[NodeId],
        bytes: usize,
    ) -> graphcap_base::Result<(NodeId, Address)> {
        let driver = &self.bench.driver;
        let Allocated { node, memory, address, .. } = driver.graph_add_allocation(graph, dependencies, bytes)?;
        driver.release(memory, &[]);
        driver.node_work(GraphRef::Known(graph), node, &mut |work| {
            let Work::MemAlloc(read) = work else { panic!("it allocates") };
            assert_eq!(*read, MemAlloc { bytes, address });
        })?;
        Ok((node, address))
    }

    fn allocate(&self, graph: GraphId, bytes: usize) -> (NodeId, Address) {
        self.try_allocate(graph, &[], bytes).unwrap()
    }

    fn try_free(&self, graph: GraphId, dependencies: &[NodeId], address: Address) -> graphcap_base::Result<NodeId> {
        self.bench.driver.graph_add_node(graph, dependencies, &Work::MemFree(MemFree::at(address)))
    }

    fn fill(&self, graph: GraphId, dependencies: &[NodeId], address: Address, value: u32) -> NodeId {
        let set = Memset { address, value, element_size: 4, count: 16, rows: 1, pitch: 0 };
        self.bench.driver.graph_add_node(graph, dependencies, &Work::Memset(set)).unwrap()
    }

    fn exec_of(&self, graph: GraphId) -> ExecId {
        self.bench.driver.graph_instantiate(graph).unwrap().0
    }

    fn launch(&self, exec: ExecId) -> i32 {
        let stream = self.bench.stream();
        let launched = self.bench.driver.exec_launch(exec, stream);
        self.bench.finish(stream);
        self.bench.driver.stream_destroy(stream);
        status(&launched)
    }

    fn is_alive(&self, address: Address) -> bool {
        let stream = self.bench.stream();
        let set = Memset { address, value: 7, element_size: 4, count: 16, rows: 1, pitch: 0 };
        let submitted = self.bench.driver.memset(stream, set);
        self.bench.finish(stream);
        self.bench.driver.stream_destroy(stream);
        let known = self.bench.driver.address_origin(address).unwrap();
        assert_eq!(known.is_some(), submitted.is_ok());
        submitted.is_ok()
    }

    fn give_back(&self, address: Address) {
        let stream = self.bench.stream();
        self.bench.driver.submit(stream, &Work::MemFree(MemFree::at(address))).unwrap();
        self.bench.finish(stream);
        self.bench.driver.stream_destroy(stream);
    }
}

#[test]
fn what_a_node_allocates_lives_from_launch_to_free() {
    let built = Built::new();
    let (driver, graph) = (&built.bench.driver, built.graph);
    let (alloc, address) = built.allocate(graph, 64);
    assert!(address.is_multiple_of(512));
    let set = built.fill(graph, &[alloc], address, 5);
    let exec = built.exec_of(graph);
    // Rows `mem.eager_use_before_launch`, `mem.unfreed_relaunch` and `mem.unfreed_memfree`.
    assert!(!built.is_alive(address));
    assert_eq!(built.launch(exec), OK);
    assert_eq!(built.word(address), 5);
    assert!(built.is_alive(address));
    assert_eq!(built.launch(exec), INVALID);
    assert_eq!(built.word(address), 7, "the refused launch did nothing");
    built.give_back(address);
    assert!(!built.is_alive(address));
    assert_eq!(built.launch(exec), OK);
    assert_eq!(built.word(address), 5);
    // Row `mem.exec_destroyed_unfreed`.
    driver.exec_destroy(exec, Lists::new());
    assert!(built.is_alive(address));
    let exec = built.exec_of(graph);
    assert_eq!(built.launch(exec), INVALID);
    driver.exec_destroy(exec, Lists::new());
    let name = driver.node_allocation(graph, alloc).unwrap();
    assert_eq!((name.address, name.bytes), (address, 64));
    assert_eq!(status(&driver.node_allocation(graph, set)), INVALID);
    driver.graph_destroy(graph);
    assert!(built.is_alive(address), "by its name");
    built.give_back(address);
    assert!(!built.is_alive(address));
    driver.release(name.memory, &[]);
}

/// Rows `mem.edit_restrictions`, `mem.two_execs`, `mem.only_free_node_two_execs`, `reuse.alloc*`, `setters.alloc*`,
/// `enable.alloc`, `child.alloc*`, `body.alloc*`, `mem_alloc.size_0`.
#[test]
fn graphs_that_allocate_are_bound() {
    let built = Built::new();
    let (driver, graph) = (&built.bench.driver, built.graph);
    let early = built.add(&[], &Work::Empty);
    let (alloc, address) = built.allocate(graph, 64);
    let set = built.fill(graph, &[alloc], address, 5);
    let free = built.try_free(graph, &[set], address).unwrap();
    let elsewhere = driver.graph_create().unwrap();
    let (_, unfreed) = built.allocate(elsewhere, 64);
    let other = driver.graph_create().unwrap();
    let only_free = built.try_free(other, &[], unfreed).unwrap();
    for node in [alloc, free, set, early] {
        assert_eq!(status(&driver.graph_remove_node(graph, node)), NOT_SUPPORTED);
    }
    assert_eq!(status(&driver.graph_remove_node(other, only_free)), NOT_SUPPORTED);
    assert_eq!(status(&driver.graph_remove_edges(graph, &[(set, free)])), NOT_SUPPORTED);
    driver.graph_add_edges(graph, &plain(&[(early, set)])).unwrap();
    let around = driver.graph_create().unwrap();
    for graph in [graph, other] {
        assert_eq!(status(&driver.graph_clone(graph)), NOT_SUPPORTED);
        assert_eq!(status(&driver.graph_add_node(around, &[], &Work::Child(graph))), NOT_SUPPORTED);
        let exec = built.exec_of(graph);
        assert_eq!(status(&driver.graph_instantiate(graph)), NOT_SUPPORTED);
        driver.exec_destroy(exec, Lists::new());
    }
    let exec = built.exec_of(graph);
    let works = [Work::MemAlloc(MemAlloc { bytes: 64, address: 0 }), Work::MemFree(MemFree::at(address))];
    for (node, work) in [alloc, free].iter().zip(&works) {
        assert_eq!(status(&driver.node_set(graph, *node, work)), NOT_SUPPORTED);
        assert_eq!(status(&driver.exec_set(exec, *node, work)), NOT_SUPPORTED);
        assert_eq!(status(&driver.exec_set(exec, *node, &Work::Empty)), INVALID);
        assert_eq!(status(&driver.exec_enable(exec, *node, false)), INVALID);
    }
    for _ in 0..3 {
        assert_eq!(built.launch(exec), OK);
        assert!(!built.is_alive(address));
    }
    assert_eq!(status(&built.try_allocate(graph, &[], 0)), INVALID);
    assert_eq!(status(&driver.graph_add_node(graph, &[], &works[0])), INVALID, "without a name");
    assert_eq!(status(&built.try_allocate(graph, &[], usize::MAX)), Status::OUT_OF_MEMORY.0);
    // Not in a child; in a body, until the graph is instantiated.
    let leaf = driver.graph_create().unwrap();
    let child = driver.graph_add_node(around, &[], &Work::Child(leaf)).unwrap();
    let inner = driver.node_graphs(around, child).unwrap()[0];
    assert_eq!(status(&built.try_allocate(inner, &[], 64)), NOT_SUPPORTED);
    assert_eq!(status(&built.try_free(inner, &[], unfreed)), NOT_SUPPORTED);
    let condition = driver.condition_create(around, 0).unwrap();
    let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 1 };
    let node = driver.graph_add_node(around, &[], &Work::Conditional(conditional)).unwrap();
    let body = driver.node_graphs(around, node).unwrap()[0];
    built.allocate(body, 64);
    assert_eq!(status(&driver.graph_instantiate(around)), INVALID);
}

/// Rows `mem.free_*`.
#[test]
fn each_allocation_is_freed_once() {
    let built = Built::new();
    let (driver, graph) = (&built.bench.driver, built.graph);
    let [first, second, third] = [(); 3].map(|()| driver.graph_create().unwrap());
    let (alloc, address) = built.allocate(graph, 64);
    let plain = built.memory;
    for wrong in [plain, 0, 0xdead_0000, address + 64, built.pinned] {
        assert_eq!(status(&built.try_free(graph, &[], wrong)), INVALID, "{wrong:#x}");
    }
    built.try_free(graph, &[alloc], address).unwrap();
    assert_eq!(status(&built.try_free(graph, &[alloc], address)), INVALID, "twice");
    assert_eq!(status(&built.try_free(first, &[], address)), INVALID, "in its own graph, then in another");
    assert_eq!((driver.graph_node_count(graph).unwrap(), driver.graph_node_count(first).unwrap()), (2, 0));
    let (_, address) = built.allocate(first, 64);
    built.try_free(second, &[], address).unwrap();
    assert_eq!(status(&built.try_free(first, &[], address)), INVALID, "in another graph, then in its own");
    built.try_free(third, &[], address).unwrap();
    driver.graph_destroy(second);
    driver.graph_destroy(third);
    built.try_free(first, &[], address).unwrap();
    // Ordered in front of its allocation.
    let early = driver.graph_create().unwrap();
    let (alloc, address) = built.allocate(early, 64);
    let free = built.try_free(early, &[], address).unwrap();
    driver.graph_add_edges(early, &graphcap_driver::plain(&[(free, alloc)])).unwrap();
    let exec = built.exec_of(early);
    assert_eq!([built.launch(exec), built.launch(exec)], [OK, OK]);
}

/// Rows `mem.free_graph_cycle` and `mem.free_graph_by_stream_after`.
#[test]
fn one_graph_allocates_and_another_one_frees() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let (alloc, address) = built.allocate(built.graph, 64);
    built.fill(built.graph, &[alloc], address, 5);
    let frees = driver.graph_create().unwrap();
    built.try_free(frees, &[], address).unwrap();
    let [allocates, frees] = [built.graph, frees].map(|graph| built.exec_of(graph));
    assert_eq!(built.launch(frees), INVALID);
    for _ in 0..3 {
        assert_eq!([built.launch(allocates), built.launch(allocates)], [OK, INVALID]);
        assert!(built.is_alive(address));
        assert_eq!([built.launch(frees), built.launch(frees)], [OK, INVALID]);
        assert!(!built.is_alive(address));
    }
    assert_eq!(built.launch(allocates), OK);
    built.give_back(address);
    assert_eq!(built.launch(frees), INVALID);
    // All queued at once: each launch finds what the one before leaves behind.
    let stream = built.bench.stream();
    let gate = built.bench.hold(stream);
    for _ in 0..5 {
        driver.exec_launch(allocates, stream).unwrap();
        assert_eq!(status(&driver.exec_launch(allocates, stream)), INVALID);
        driver.exec_launch(frees, stream).unwrap();
    }
    driver.exec_launch(allocates, stream).unwrap();
    drop(gate);
    built.bench.finish(stream);
    assert_eq!(built.word(address), 5);
    built.give_back(address);
}

/// Rows `mem.address_reuse_in_graph` and `mem.addresses_across_graphs`.
#[test]
fn memory_that_was_freed_before_is_allocated_again() {
    let built = Built::new();
    let (driver, graph) = (&built.bench.driver, built.graph);
    let (alloc, address) = built.allocate(graph, 4096);
    let set = built.fill(graph, &[alloc], address, 1);
    let parallel = built.try_allocate(graph, &[alloc], 4096).unwrap().1;
    let free = built.try_free(graph, &[set], address).unwrap();
    let between = built.add(&[free], &Work::Empty);
    assert_ne!(parallel, address);
    assert_ne!(built.try_allocate(graph, &[], 4096).unwrap().1, address, "not behind the free");
    assert_ne!(built.try_allocate(graph, &[between], 64).unwrap().1, address, "of another size");
    let (again, same) = built.try_allocate(graph, &[between], 4096).unwrap();
    assert_eq!(same, address);
    assert_ne!(built.try_allocate(graph, &[between], 4096).unwrap().1, address, "it is taken");
    let last = built.fill(graph, &[again], address, 3);
    let freed_again = built.try_free(graph, &[last], address).unwrap();
    assert_ne!(built.try_allocate(graph, &[free], 4096).unwrap().1, address, "behind its first free alone");
    assert_eq!(built.try_allocate(graph, &[freed_again], 4096).unwrap().1, address);
    let exec = built.exec_of(graph);
    assert_eq!(built.launch(exec), OK);
    assert!(built.is_alive(address), "allocated three times, freed twice");
    assert_eq!(built.launch(exec), INVALID);
    let elsewhere = driver.graph_create().unwrap();
    assert_ne!(built.allocate(elsewhere, 4096).1, address);
}

/// A launch allocates again while the memory that an earlier one allocated is on its way back.
#[test]
fn giving_memory_back_does_not_take_what_was_allocated_since() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let (alloc, address) = built.allocate(built.graph, 64);
    built.fill(built.graph, &[alloc], address, 5);
    let exec = built.exec_of(built.graph);
    assert_eq!(built.launch(exec), OK);
    let user = built.bench.stream();
    let gate = built.bench.hold(user);
    driver.submit(user, &Work::MemFree(MemFree::at(address))).unwrap();
    let stream = built.bench.stream();
    driver.exec_launch(exec, stream).unwrap();
    built.bench.finish(stream);
    drop(gate);
    built.bench.finish(user);
    assert!(built.is_alive(address));
    assert_eq!(built.launch(exec), INVALID);
    built.give_back(address);
    assert_eq!(built.launch(exec), OK);
}

/// The range is there until the stream comes to the first free.
#[test]
fn a_free_that_is_pending_is_not_repeated() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let (_, address) = built.allocate(built.graph, 64);
    let exec = built.exec_of(built.graph);
    assert_eq!(built.launch(exec), OK);
    let stream = built.bench.stream();
    let gate = built.bench.hold(stream);
    driver.submit(stream, &Work::MemFree(MemFree::at(address))).unwrap();
    assert_eq!(status(&driver.submit(stream, &Work::MemFree(MemFree::at(address)))), INVALID);
    drop(gate);
    built.bench.finish(stream);
    assert!(!built.is_alive(address));
    assert_eq!(built.launch(exec), OK);
    built.give_back(address);
}
