//! Graphs that are built and changed by hand, through the traits of the device: what nodes can be added and set, copies
//! of graphs, captures into them.

use std::sync::atomic::AtomicUsize;
use std::sync::Arc;

use super::*;
use graphcap_base::error::Status;

/// A graph that is built by hand, and memory for its nodes.
pub(super) struct Built {
    pub(super) bench: Bench,
    pub(super) graph: GraphId,
    /// 64 KiB.
    pub(super) memory: Address,
    pub(super) pinned: Address,
    /// Of 256 bytes; it was freed.
    freed: Address,
}

/// Memory that no device knows of.
static PAGEABLE: [AtomicU64; 64] = [const { AtomicU64::new(0) }; 64];

pub(super) const OK: i32 = 0;
pub(super) const INVALID: i32 = Status::INVALID_VALUE.0;

/// Returns what a call answered, as a number.
pub(super) fn status<T>(result: &graphcap_base::Result<T>) -> i32 {
    result.as_ref().map_or_else(|error| error.status.0, |_| OK)
}

impl Built {
    pub(super) fn new() -> Built {
        let bench = Bench::new();
        let graph = bench.driver.graph_create().unwrap();
        let (_, memory) = bench.driver.allocate(64 << 10, MemoryKind::Pooled).unwrap();
        let options = HostMemoryOptions { portable: false, mapped: false, write_combined: false };
        let pinned = bench.driver.host_allocate(4096, options).unwrap().address;
        let (range, freed) = bench.driver.allocate(256, MemoryKind::Pooled).unwrap();
        bench.driver.release(range, &[]);
        Built { bench, graph, memory, pinned, freed }
    }

    pub(super) fn try_add(&self, dependencies: &[NodeId], work: &Work<'_>) -> graphcap_base::Result<NodeId> {
        self.bench.driver.graph_add_node(self.graph, dependencies, work)
    }

    pub(super) fn add(&self, dependencies: &[NodeId], work: &Work<'_>) -> NodeId {
        self.try_add(dependencies, work).unwrap()
    }

    /// A node that makes `mark`.
    pub(super) fn mark(&self, dependencies: &[NodeId], mark: &Mark) -> NodeId {
        with_mark(self.bench.append, mark, |work| self.add(dependencies, work))
    }

    pub(super) fn instantiate(&self) -> ExecId {
        self.bench.driver.graph_instantiate(self.graph).unwrap().0
    }

    pub(super) fn run(&self, exec: ExecId) {
        let stream = self.bench.stream();
        self.bench.driver.exec_launch(exec, stream).unwrap();
        self.bench.finish(stream);
        self.bench.driver.stream_destroy(stream);
    }

    pub(super) fn word(&self, address: Address) -> u32 {
        let mut found = 0u32;
        let destination = std::ptr::from_mut(&mut found) as u64;
        let stream = self.bench.stream();
        let copy = Memcpy { destination, source: address, bytes: 4, kind: MemcpyKind::DeviceToHost };
        self.bench.driver.memcpy(stream, copy).unwrap();
        self.bench.finish(stream);
        self.bench.driver.stream_destroy(stream);
        found
    }

    pub(super) fn copy(&self, kind: MemcpyKind) -> MemcpyRows {
        let host = PAGEABLE.as_ptr() as u64;
        let (destination, source) = match kind {
            MemcpyKind::HostToDevice => (self.memory, host),
            MemcpyKind::DeviceToHost => (host, self.memory),
            MemcpyKind::HostToHost => (host, host + 256),
            _ => (self.memory, self.memory + 4096),
        };
        MemcpyRows::one(Memcpy { destination, source, bytes: 64, kind })
    }

    pub(super) fn set(&self) -> Memset {
        Memset { address: self.memory, value: 5, element_size: 1, count: 64, rows: 1, pitch: 0 }
    }

    pub(super) fn write(&self, value: Value) -> ValueOperation {
        ValueOperation { address: self.memory, value, action: ValueAction::Write { barrier: true } }
    }

    pub(super) fn wait(&self) -> ValueOperation {
        let action = ValueAction::Wait { comparison: Comparison::GreaterOrEqual, flush: false };
        ValueOperation { address: self.memory, value: Value::U32(0), action }
    }
}

/// A launch of one block.
pub(super) fn launch<'a>(kernel: KernelId, arguments: &'a [Argument<'a>]) -> Launch<'a> {
    Launch { kernel, name: "", shape: ONE, arguments: Arguments::Separate(arguments), attributes: &[], stated: None }
}

/// Calls `call` with a launch that makes `mark`.
pub(super) fn with_mark<T>(kernel: KernelId, mark: &Mark, call: impl FnOnce(&Work<'_>) -> T) -> T {
    let argument = mark.argument();
    call(&Work::Kernel(launch(kernel, &[Argument::Value(&argument)])))
}

pub(super) fn memcpy(rows: MemcpyRows) -> Work<'static> {
    Work::Memcpy { rows, snapshot: None }
}

/// `height` rows of 64 bytes, so far apart, in `depth` slices.
pub(super) fn rows(row: MemcpyRows, height: usize, depth: usize, steps: [usize; 2]) -> MemcpyRows {
    let [destination, source] = steps.map(|row| Steps { row, slice: row * height });
    MemcpyRows { height, depth, destination, source, ..row }
}

#[test]
fn nodes_of_every_kind_that_runs_alone_are_built_by_hand() {
    let built = Built::new();
    let Bench { driver, .. } = &built.bench;
    let marks: [Mark; 3] = Default::default();
    let ran = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&ran);
    let function: HostFunction = Arc::new(move || {
        count.fetch_add(1, Ordering::SeqCst);
    });
    let event = built.bench.event();
    let first = built.mark(&[], &marks[0]);
    let set = built.add(&[first], &Work::Memset(built.set()));
    let copy = MemcpyRows::one(Memcpy {
        destination: built.memory + 4096,
        source: built.memory,
        bytes: 4,
        kind: MemcpyKind::DeviceToDevice,
    });
    let copied = built.add(&[set], &memcpy(copy));
    let counted = built.add(&[set], &Work::Host(&function));
    let met = built.add(&[copied, counted], &Work::Empty);
    let operation = ValueOperation { address: built.memory + 8192, ..built.write(Value::U32(9)) };
    let written = built.add(&[met], &Work::Values(&[operation]));
    let recorded = built.add(&[written], &Work::EventRecord(event));
    let second = built.mark(&[recorded], &marks[1]);
    let waited = built.add(&[], &Work::EventWait(event));
    built.mark(&[waited], &marks[2]);
    let kinds = [
        (first, NodeKind::Kernel),
        (set, NodeKind::Memset),
        (copied, NodeKind::Memcpy),
        (counted, NodeKind::Host),
        (met, NodeKind::Empty),
        (written, NodeKind::BatchMemOp),
        (recorded, NodeKind::EventRecord),
        (waited, NodeKind::EventWait),
    ];
    for (node, kind) in kinds {
        let mut found = None;
        driver.node_work(GraphRef::Known(built.graph), node, &mut |work| found = Some(work.kind())).unwrap();
        assert_eq!(found, Some(kind));
    }
    assert_eq!((driver.graph_node_count(built.graph).unwrap(), driver.graph_edge_count(built.graph).unwrap()), (10, 9));
    let exec = built.instantiate();
    for round in 1..=2 {
        built.run(exec);
        assert_eq!(ran.load(Ordering::SeqCst), round);
        assert!(marks.iter().all(|mark| mark.runs() == round as u64) && marks[0].tick() < marks[1].tick());
        assert_eq!((built.word(built.memory + 4096), built.word(built.memory + 8192)), (0x0505_0505, 9));
        driver.event_synchronize(event).unwrap();
    }
    assert!(second.place() < 11);
}

/// Rows of the driver's answers: each to adding the node, and to setting one that stood before.
#[test]
fn nodes_are_checked_when_they_are_added_and_when_they_are_set() {
    let built = Built::new();
    let copy = |kind| built.copy(kind);
    let d2d = copy(MemcpyKind::DeviceToDevice);
    let with = |change: &dyn Fn(&mut MemcpyRows)| {
        let mut changed = d2d;
        change(&mut changed);
        memcpy(changed)
    };
    let copies = [
        ("d2d", memcpy(d2d), OK),
        ("h2d_pageable", memcpy(copy(MemcpyKind::HostToDevice)), OK),
        ("d2h_pageable", memcpy(copy(MemcpyKind::DeviceToHost)), OK),
        ("h2h_pageable", memcpy(copy(MemcpyKind::HostToHost)), OK),
        ("type_device_pinned_pointer", with(&|rows| rows.row.source = built.pinned), OK),
        ("type_device_pageable_pointer", with(&|rows| rows.row.source = PAGEABLE.as_ptr() as u64), INVALID),
        ("width_0", with(&|rows| rows.row.bytes = 0), INVALID),
        ("height_0", with(&|rows| rows.height = 0), INVALID),
        ("depth_0", with(&|rows| rows.depth = 0), INVALID),
        ("dst_freed", with(&|rows| rows.row.destination = built.freed), INVALID),
        ("dst_garbage", with(&|rows| rows.row.destination = 0xdead_0000_0000), INVALID),
        ("dst_overrun", with(&|rows| rows.row.destination = built.memory + (64 << 10) - 32), INVALID),
        ("src_null", with(&|rows| rows.row.source = 0), INVALID),
        ("overlap", with(&|rows| rows.row.source = built.memory + 32), OK),
        ("same_address", with(&|rows| rows.row.source = built.memory), OK),
        ("2d_good", memcpy(rows(d2d, 2, 1, [128, 64])), OK),
        ("3d_good", memcpy(rows(d2d, 2, 2, [128, 64])), OK),
        ("src_pitch_lt_width", memcpy(rows(d2d, 2, 1, [64, 32])), INVALID),
        ("dst_pitch_lt_width", memcpy(rows(d2d, 2, 1, [32, 64])), INVALID),
        (
            "slices_overlap",
            with(&|rows| {
                *rows = self::rows(*rows, 2, 2, [64, 64]);
                rows.source.slice = 64;
            }),
            INVALID,
        ),
    ];
    let set = |change: &dyn Fn(&mut Memset)| {
        let mut changed = built.set();
        change(&mut changed);
        Work::Memset(changed)
    };
    let sets = [
        ("good", set(&|_| ()), OK),
        ("width_0", set(&|set| set.count = 0), INVALID),
        ("height_0", set(&|set| set.rows = 0), INVALID),
        ("elem_0", set(&|set| set.element_size = 0), INVALID),
        ("elem_3", set(&|set| set.element_size = 3), INVALID),
        ("elem_8", set(&|set| set.element_size = 8), INVALID),
        ("value_0x1ff_elem_1", set(&|set| set.value = 0x1ff), OK),
        ("pitch_0_height_2", set(&|set| set.rows = 2), INVALID),
        ("pitch_small_height_1", set(&|set| set.pitch = 3), OK),
        ("2d_good", set(&|set| (set.rows, set.pitch) = (2, 128)), OK),
        ("pitch_66_elem_4", set(&|set| (set.element_size, set.count, set.rows, set.pitch) = (4, 16, 2, 66)), INVALID),
        ("dst_null", set(&|set| set.address = 0), INVALID),
        ("dst_freed", set(&|set| set.address = built.freed), INVALID),
        ("dst_pageable", set(&|set| set.address = PAGEABLE.as_ptr() as u64), INVALID),
        ("unaligned_elem_4", set(&|set| (set.element_size, set.address) = (4, built.memory + 2)), INVALID),
        ("unaligned_elem_2", set(&|set| (set.element_size, set.address) = (2, built.memory + 1)), INVALID),
        ("overrun", set(&|set| set.count = (64 << 10) + 1), INVALID),
        ("width_2pow40", set(&|set| set.count = 1 << 40), INVALID),
    ];
    let write = built.write(Value::U32(7));
    let freed = ValueOperation { address: built.freed, ..write };
    let unaligned = ValueOperation { address: built.memory + 2, ..write };
    let many = [write; 256];
    let batches = [
        ("one", Work::Values(&many[..1]), OK),
        ("zero_ops", Work::Values(&[]), OK),
        ("255_ops", Work::Values(&many[..255]), OK),
        ("256_ops", Work::Values(&many), INVALID),
        ("write_freed", Work::Values(std::slice::from_ref(&freed)), OK),
        ("unaligned", Work::Values(std::slice::from_ref(&unaligned)), INVALID),
        ("write64", Work::Values(&[built.write(Value::U64(1))]), OK),
        ("wait_satisfied", Work::Values(&[built.wait()]), OK),
    ];
    let driver = &built.bench.driver;
    for (name, work, expected) in copies.iter().chain(&sets).chain(&batches) {
        let good = match work.kind() {
            NodeKind::Memcpy => memcpy(d2d),
            NodeKind::Memset => Work::Memset(built.set()),
            _ => Work::Values(std::slice::from_ref(&write)),
        };
        let before = driver.graph_node_count(built.graph).unwrap();
        let added = built.try_add(&[], work);
        assert_eq!(status(&added), *expected, "add {:?} {name}", work.kind());
        assert_eq!(driver.graph_node_count(built.graph).unwrap(), before + usize::from(*expected == OK));
        let node = built.add(&[], &good);
        assert_eq!(status(&driver.node_set(built.graph, node, work)), *expected, "set {:?} {name}", work.kind());
    }
    let shape = |grid, block, shared_mem_bytes| LaunchShape { grid, block, shared_mem_bytes };
    for (name, shape, expected) in [
        ("good", ONE, OK),
        ("grid_x_0", shape([0, 1, 1], [1; 3], 0), INVALID),
        ("grid_y_0", shape([1, 0, 1], [1; 3], 0), INVALID),
        ("block_x_0", shape([1; 3], [0, 1, 1], 0), INVALID),
        ("block_32x32x2", shape([1; 3], [32, 32, 2], 0), INVALID),
        ("block_z_65", shape([1; 3], [1, 1, 65], 0), INVALID),
        ("grid_y_65536", shape([1, 65536, 1], [1; 3], 0), INVALID),
        ("grid_x_2pow31", shape([1 << 31, 1, 1], [1; 3], 0), INVALID),
        ("smem_48k", shape([1; 3], [1; 3], 48 << 10), OK),
        ("smem_300000", shape([1; 3], [1; 3], 300_000), INVALID),
    ] {
        let arguments = Arguments::Separate(&[]);
        let launch = Launch { kernel: built.bench.fail, name: "", shape, arguments, attributes: &[], stated: None };
        assert_eq!(status(&built.try_add(&[], &Work::Kernel(launch))), expected, "{name}");
    }
    let unloaded = Launch {
        kernel: KernelId(u64::MAX),
        name: "",
        shape: ONE,
        arguments: Arguments::Separate(&[]),
        attributes: &[],
        stated: None,
    };
    assert_eq!(status(&built.try_add(&[], &Work::Kernel(unloaded))), Status::INVALID_HANDLE.0);
}

#[test]
fn a_node_becomes_none_of_another_kind() {
    let built = Built::new();
    let function: HostFunction = Arc::new(|| ());
    let event = built.bench.event();
    let operations = [built.write(Value::U32(1))];
    let mark = Mark::default();
    with_mark(built.bench.append, &mark, |kernel| {
        let works = [
            Work::Empty,
            *kernel,
            memcpy(built.copy(MemcpyKind::DeviceToDevice)),
            Work::Memset(built.set()),
            Work::Host(&function),
            Work::Values(&operations),
            Work::EventRecord(event),
            Work::EventWait(event),
        ];
        let nodes: Vec<_> = works.iter().map(|work| built.add(&[], work)).collect();
        let exec = built.instantiate();
        let driver = &built.bench.driver;
        for (at, &node) in nodes.iter().enumerate() {
            for (other, work) in works.iter().enumerate() {
                let expected = if at == other { OK } else { INVALID };
                assert_eq!(status(&driver.node_set(built.graph, node, work)), expected, "{at} {other}");
                assert_eq!(status(&driver.exec_set(exec, node, work)), expected, "{at} {other} in an exec");
            }
            let can_be_off = matches!(works[at].kind(), NodeKind::Kernel | NodeKind::Memcpy | NodeKind::Memset);
            let expected = if can_be_off { OK } else { INVALID };
            assert_eq!(status(&driver.exec_is_enabled(exec, node)), expected);
            assert_eq!(status(&driver.exec_enable(exec, node, false)), expected);
            assert_eq!(driver.exec_is_enabled(exec, node).ok(), can_be_off.then_some(false));
        }
    });
}

#[test]
fn dependencies_are_taken_whole_or_not_at_all() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let [a, b, c] = [(); 3].map(|()| built.add(&[], &Work::Empty));
    let elsewhere = driver.graph_create().unwrap();
    let foreign = driver.graph_add_node(elsewhere, &[], &Work::Empty).unwrap();
    let edges = || {
        let mut edges = built.bench.shape_of(built.graph).1;
        edges.sort_unstable();
        edges
    };
    for bad in [&[a, a][..], &[a, foreign], &[NodeId(0)], &[NodeId(0xdead)]] {
        assert_eq!(status(&built.try_add(bad, &Work::Empty)), INVALID);
    }
    driver.graph_add_edges(built.graph, &plain(&[(a, b)])).unwrap();
    for bad in [&[(a, c), (a, b)][..], &[(a, c), (a, c)], &[(a, c), (b, b)], &[(a, c), (b, foreign)]] {
        assert_eq!(status(&driver.graph_add_edges(built.graph, &plain(bad))), INVALID);
        assert_eq!(edges(), [(0, 1)]);
    }
    for bad in [&[(a, b), (a, c)][..], &[(a, b), (a, b)], &[(b, a)], &[(a, foreign)]] {
        assert_eq!(status(&driver.graph_remove_edges(built.graph, bad)), INVALID);
        assert_eq!(edges(), [(0, 1)]);
    }
    driver.graph_add_edges(built.graph, &plain(&[])).unwrap();
    driver.graph_remove_edges(built.graph, &[]).unwrap();
    // A cycle is told when the graph is instantiated, and can be broken again.
    driver.graph_add_edges(built.graph, &plain(&[(b, c), (c, a)])).unwrap();
    assert_eq!(status(&driver.graph_instantiate(built.graph)), INVALID);
    driver.graph_remove_edges(built.graph, &[(c, a)]).unwrap();
    driver.graph_instantiate(built.graph).unwrap();
}

#[test]
fn while_a_capture_goes_into_a_graph_nothing_is_taken_out_of_it() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let marks: [Mark; 4] = Default::default();
    let stream = built.bench.stream();
    let a = built.mark(&[], &marks[0]);
    let b = built.mark(&[a], &marks[1]);
    driver.begin_capture_to_graph(stream, built.graph, &[b], CaptureMode::Relaxed, &[]).unwrap();
    built.bench.mark(stream, &marks[2]).unwrap();
    let c = built.bench.shape_of(built.graph).0[2];
    let illegal = Status::ILLEGAL_STATE.0;
    assert_eq!(status(&driver.graph_remove_node(built.graph, a)), illegal);
    assert_eq!(status(&driver.graph_remove_edges(built.graph, &[(a, b)])), illegal);
    let d = built.mark(&[c], &marks[3]);
    driver.graph_add_edges(built.graph, &plain(&[(a, d)])).unwrap();
    with_mark(built.bench.append, &marks[3], |work| driver.node_set(built.graph, b, work)).unwrap();
    driver.end_capture(stream).unwrap();
    assert_eq!(built.bench.shape_of(built.graph).1, [(0, 1), (0, 3), (1, 2), (2, 3)]);
    built.run(built.instantiate());
    assert_eq!(marks.iter().map(Mark::runs).collect::<Vec<_>>(), [1, 0, 1, 2]);
}

/// Rows `find.*` and `clone.*` of the driver's answers.
#[test]
fn copies_of_graphs_have_the_nodes_that_there_were_then() {
    let built = Built::new();
    let Built { bench, graph, .. } = &built;
    let (driver, graph) = (&bench.driver, *graph);
    let marks: [Mark; 4] = Default::default();
    let a = built.mark(&[], &marks[0]);
    let b = built.mark(&[a], &marks[1]);
    let removed = built.mark(&[], &marks[3]);
    driver.graph_remove_node(graph, removed).unwrap();
    let clone = driver.graph_clone(graph).unwrap();
    let find = |node, clone| driver.node_in_clone(graph, node, clone);
    let copies = [find(a, clone).unwrap(), find(b, clone).unwrap()];
    assert_eq!(bench.shape_of(clone), (copies.to_vec(), vec![(0, 1)]));
    assert!(copies[0] != a && copies[0].place() == a.place() && copies[1].place() == b.place());
    // What comes later is in one of the two alone, also where both fill the slot of the node that was removed.
    let later = built.mark(&[b], &marks[2]);
    let with = |work: &Work<'_>| driver.graph_add_node(clone, &[], work).unwrap();
    let of_clone = with_mark(bench.append, &marks[3], with);
    assert!(later != of_clone && later.place() == removed.place() && later.place() == of_clone.place());
    let grown = built.mark(&[], &marks[2]);
    let grown_clone = with_mark(bench.append, &marks[3], with);
    assert_eq!(grown.place(), grown_clone.place());
    for node in [removed, later, grown, of_clone, NodeId(0)] {
        assert_eq!(status(&find(node, clone)), INVALID);
    }
    assert_eq!(status(&driver.node_in_clone(clone, copies[0], graph)), INVALID, "the other way round");
    let second = driver.graph_clone(clone).unwrap();
    assert_eq!(status(&find(a, second)), INVALID, "a copy of a copy is none of the first");
    assert_eq!(driver.node_in_clone(clone, of_clone, second).unwrap().place(), of_clone.place());
    assert_eq!(status(&find(a, graph)), INVALID);
    driver.graph_remove_node(clone, copies[1]).unwrap();
    assert_eq!(status(&find(b, clone)), INVALID);
    let refilled = with_mark(bench.append, &marks[3], with);
    assert_eq!((refilled.place(), status(&find(b, clone))), (b.place(), INVALID));
    driver.graph_remove_node(graph, a).unwrap();
    assert_eq!(status(&find(a, clone)), INVALID, "a node that was removed from the original");
    // Each goes its own way.
    driver.graph_destroy(graph);
    let exec = driver.graph_instantiate(clone).unwrap().0;
    built.run(exec);
    assert_eq!(marks.iter().map(Mark::runs).collect::<Vec<_>>(), [1, 0, 0, 3]);
}

#[test]
fn a_kernel_node_keeps_its_attributes() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let attribute = |id, byte| LaunchAttribute { id, value: [byte; 64] };
    let launch = |attributes| {
        let arguments = Arguments::Separate(&[]);
        Work::Kernel(Launch { kernel: built.bench.fail, name: "", shape: ONE, arguments, attributes, stated: None })
    };
    let told = || {
        let mut told = Vec::new();
        let node = built.bench.shape_of(built.graph).0[0];
        let mut read = |work: &Work<'_>| {
            if let Work::Kernel(launch) = work {
                told = launch.attributes.iter().map(|attribute| (attribute.id, attribute.value[0])).collect();
            }
        };
        driver.node_work(GraphRef::Known(built.graph), node, &mut read).unwrap();
        told.sort_unstable();
        told
    };
    let (given, anew) = ([attribute(2, 1), attribute(5, 1)], [attribute(5, 3)]);
    let node = built.add(&[], &launch(&given));
    driver.node_set(built.graph, node, &launch(&[])).unwrap();
    assert_eq!(told(), [(2, 1), (5, 1)]);
    driver.node_set(built.graph, node, &launch(&anew)).unwrap();
    assert_eq!(told(), [(2, 1), (5, 3)]);
}

/// Refused work is not kept; what a node did that is set or removed is dropped where the device holds no lock, since that
/// may use the graph.
#[test]
fn host_functions_are_let_go_where_they_may_use_the_graph() {
    struct Asks(Arc<dyn Driver>, GraphId, Arc<AtomicUsize>);
    impl Drop for Asks {
        fn drop(&mut self) {
            self.0.graph_node_count(self.1).unwrap();
            self.2.fetch_add(1, Ordering::SeqCst);
        }
    }
    let built = Built::new();
    let (driver, dropped) = (Arc::clone(&built.bench.driver), Arc::new(AtomicUsize::new(0)));
    let with_function = |call: &dyn Fn(&Work<'_>)| {
        let asks = Asks(Arc::clone(&driver), built.graph, Arc::clone(&dropped));
        let function: HostFunction = Arc::new(move || {
            let _ = &asks;
        });
        // Tells whether nothing of it is kept.
        let weak = Arc::downgrade(&function);
        call(&Work::Host(&function));
        drop(function);
        weak.upgrade().is_none()
    };
    let empty = built.add(&[], &Work::Empty);
    assert!(with_function(&|work| assert_eq!(status(&built.try_add(&[NodeId(0)], work)), INVALID)));
    assert!(with_function(&|work| assert_eq!(status(&driver.node_set(built.graph, empty, work)), INVALID)));
    assert!(!with_function(&|work| assert!(built.try_add(&[], work).is_ok())));
    let node = built.bench.shape_of(built.graph).0[1];
    assert!(!with_function(&|work| driver.node_set(built.graph, node, work).unwrap()));
    assert_eq!(dropped.load(Ordering::SeqCst), 3);
    driver.graph_remove_node(built.graph, node).unwrap();
    assert_eq!(dropped.load(Ordering::SeqCst), 4);
}
