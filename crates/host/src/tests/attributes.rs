//! Launch attributes of kernels and nodes, what edges carry, and how many blocks run at once.

use super::building::{status, Built, INVALID, OK};
use super::*;
use graphcap_base::error::Status;
use graphcap_driver::launch_attributes::*;

const TOO_LARGE: i32 = Status::COOPERATIVE_LAUNCH_TOO_LARGE.0;
const CLUSTER: i32 = Status::INVALID_CLUSTER_SIZE.0;
const FOUR: LaunchShape = LaunchShape { grid: [4, 1, 1], block: [1; 3], shared_mem_bytes: 0 };
const VAST: LaunchShape = LaunchShape { grid: [1 << 20, 1, 1], block: [1; 3], shared_mem_bytes: 0 };

fn number(id: u32, number: i32) -> LaunchAttribute {
    let mut value = [0; 64];
    value[..4].copy_from_slice(&number.to_ne_bytes());
    LaunchAttribute { id, value }
}

fn cluster(blocks: u32) -> LaunchAttribute {
    let mut attribute = number(CLUSTER_DIMENSION, blocks as i32);
    let rest = u32::from(blocks > 0).to_ne_bytes();
    attribute.value[4..8].copy_from_slice(&rest);
    attribute.value[8..12].copy_from_slice(&rest);
    attribute
}

fn window(bytes: u64, ratio: f32, hit: u32, miss: u32) -> LaunchAttribute {
    let mut attribute = number(ACCESS_POLICY_WINDOW, 0);
    attribute.value[8..16].copy_from_slice(&bytes.to_ne_bytes());
    attribute.value[16..20].copy_from_slice(&ratio.to_ne_bytes());
    attribute.value[20..24].copy_from_slice(&hit.to_ne_bytes());
    attribute.value[24..28].copy_from_slice(&miss.to_ne_bytes());
    attribute
}

impl Built {
    fn count(
        &self,
        dependencies: &[NodeId],
        shape: LaunchShape,
        attributes: &[LaunchAttribute],
    ) -> graphcap_base::Result<NodeId> {
        with_count(&self.bench, shape, attributes, |work| self.try_add(dependencies, work))
    }
}

/// Calls `call` with a launch of a kernel that does nothing but be called.
fn with_count<T>(
    bench: &Bench,
    shape: LaunchShape,
    attributes: &[LaunchAttribute],
    call: impl FnOnce(&Work<'_>) -> T,
) -> T {
    // One for each block of what is run.
    static COUNTS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];
    let argument = COUNTS.as_ptr().expose_provenance().to_ne_bytes();
    let given = [Argument::Value(&argument)];
    let arguments = Arguments::Separate(&given);
    call(&Work::Kernel(Launch { kernel: bench.count_blocks, name: "", shape, arguments, attributes, stated: None }))
}

#[test]
fn nodes_have_the_attributes_that_the_driver_has() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let node = built.count(&[], FOUR, &[]).unwrap();
    let get = |id| driver.node_attribute(built.graph, node, id).map(|value| first_number(&value));
    let rows = [
        (number(PRIORITY, 100), OK, 0),
        (number(PRIORITY, -3), OK, -3),
        (number(PRIORITY, -100), OK, -5),
        (number(COOPERATIVE, 2), OK, 2),
        (cluster(2), OK, 2),
        (cluster(3), CLUSTER, 2),
        (cluster(16), CLUSTER, 2),
        (cluster(0), OK, 0),
        (number(CLUSTER_SCHEDULING, 99), OK, 99),
        (window(4096, 1.0, 1, 1), OK, 0),
        (window(1 << 40, 1.0, 1, 1), INVALID, 0),
        (window(4096, 2.0, 1, 1), INVALID, 0),
        (window(4096, 1.0, 1, 2), INVALID, 0),
        (number(MEMORY_SYNC_DOMAIN, 2), INVALID, 0),
        (number(SHARED_MEMORY_CARVEOUT, 50), OK, 50),
        (number(SHARED_MEMORY_CARVEOUT, 200), INVALID, 50),
    ];
    assert_eq!(get(MEMORY_SYNC_DOMAIN_MAP), Ok(256));
    for (attribute, answer, value) in rows {
        assert_eq!(status(&driver.node_set_attribute(built.graph, node, &attribute)), answer, "{attribute:?}");
        assert_eq!(get(attribute.id), Ok(value), "{attribute:?}");
    }
    for id in [IGNORE, 3, PROGRAMMATIC_SERIALIZATION, PREFERRED_CLUSTER_DIMENSION, 15, 99] {
        assert_eq!(status(&driver.node_set_attribute(built.graph, node, &number(id, 1))), INVALID, "{id}");
        assert_eq!(get(id).unwrap_err().status.0, INVALID, "{id}");
    }
    let set = built.add(&[], &Work::Memset(built.set()));
    assert_eq!(status(&driver.node_set_attribute(built.graph, set, &number(PRIORITY, 0))), INVALID);
    assert_eq!(status(&driver.node_attribute(built.graph, set, PRIORITY)), INVALID);
    assert_eq!(status(&built.count(&[], FOUR, &[cluster(3)])), CLUSTER);
    assert_eq!(status(&built.count(&[], FOUR, &[number(PROGRAMMATIC_SERIALIZATION, 1)])), INVALID);
}

#[test]
fn attributes_are_copied_to_nodes_and_with_graphs() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let from = built.count(&[], FOUR, &[number(PRIORITY, -3), cluster(4)]).unwrap();
    let (to, odd) = (built.count(&[], FOUR, &[]).unwrap(), built.count(&[], ONE, &[]).unwrap());
    let set = built.add(&[], &Work::Memset(built.set()));
    let copy = |to, from| driver.node_copy_attributes(built.graph, to, built.graph, from);
    let priority = |graph, node| driver.node_attribute(graph, node, PRIORITY).map(|value| first_number(&value));
    assert_eq!(status(&copy(to, from)), OK);
    assert_eq!(priority(built.graph, to), Ok(-3));
    assert_eq!(status(&copy(odd, from)), CLUSTER);
    assert_eq!(priority(built.graph, odd), Ok(0));
    assert_eq!((status(&copy(set, from)), status(&copy(to, set)), status(&copy(to, to))), (INVALID, INVALID, OK));
    let clone = driver.graph_clone(built.graph).unwrap();
    let cloned = driver.node_in_clone(built.graph, to, clone).unwrap();
    assert_eq!(priority(clone, cloned), Ok(-3));
    driver.node_copy_attributes(built.graph, from, clone, cloned).unwrap();
    // A set keeps them, and fits them.
    let node_set = |shape| with_count(&built.bench, shape, &[], |work| driver.node_set(built.graph, from, work));
    assert_eq!((status(&node_set(ONE)), status(&node_set(FOUR))), (CLUSTER, OK));
    assert_eq!(priority(built.graph, from), Ok(-3));
}

#[test]
fn a_node_that_kernels_can_change_stays_with_its_graph() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let node = built.count(&[], FOUR, &[]).unwrap();
    let set = |to| status(&driver.node_set_attribute(built.graph, node, &number(DEVICE_UPDATABLE, to)));
    assert_eq!((set(1), set(1), set(0)), (OK, INVALID, Status::NOT_SUPPORTED.0));
    assert_eq!(status(&driver.graph_clone(built.graph)), Status::NOT_SUPPORTED.0);
    assert_eq!(status(&driver.graph_remove_node(built.graph, node)), Status::NOT_SUPPORTED.0);
    let exec = built.instantiate();
    assert_eq!(status(&driver.graph_instantiate(built.graph)), Status::NOT_SUPPORTED.0);
    built.run(exec);
    let parent = driver.graph_create().unwrap();
    assert_eq!(status(&driver.graph_add_node(parent, &[], &Work::Child(built.graph))), OK);
}

#[test]
fn an_exec_keeps_the_attributes_and_runs_no_cooperative_kernel_that_does_not_fit() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let node = built.count(&[], FOUR, &[number(COOPERATIVE, 1)]).unwrap();
    let exec = built.instantiate();
    let set = |shape, attributes: &[LaunchAttribute]| {
        with_count(&built.bench, shape, attributes, |work| status(&driver.exec_set(exec, node, work)))
    };
    assert_eq!(set(VAST, &[]), TOO_LARGE);
    assert_eq!(set(ONE, &[number(COOPERATIVE, 0)]), INVALID);
    assert_eq!(set(ONE, &[number(COOPERATIVE, 1)]), OK);
    assert_eq!(status(&driver.exec_enable(exec, node, false)), INVALID);
    assert_eq!(driver.exec_is_enabled(exec, node), Ok(true));
    built.run(exec);
}

#[test]
fn launches_have_more_attributes_than_nodes() {
    let bench = Bench::new();
    let driver = &bench.driver;
    let (stream, event) = (bench.stream(), driver.event_create(EventOptions::default()).unwrap());
    let launch = |shape, attributes: &[LaunchAttribute]| {
        with_count(&bench, shape, attributes, |work| driver.submit(stream, work))
    };
    for id in [IGNORE, PROGRAMMATIC_SERIALIZATION, COOPERATIVE, PRIORITY] {
        assert_eq!(status(&launch(FOUR, &[number(id, 1)])), OK, "{id}");
    }
    assert_eq!(status(&launch(FOUR, &[number(99, 1)])), INVALID);
    assert_eq!(status(&launch(FOUR, &[cluster(3)])), CLUSTER);
    assert_eq!(status(&launch(VAST, &[number(COOPERATIVE, 1)])), TOO_LARGE);
    let programmatic = number(PROGRAMMATIC_EVENT, 0).with_event(event.0);
    launch(FOUR, &[programmatic]).unwrap();
    driver.event_synchronize(event).unwrap();
    assert_eq!(driver.event_is_complete(event), Ok(true));
    // In a capture the event stands for the kernel, so that another stream joins there.
    let other = bench.stream();
    driver.begin_capture(stream, CaptureMode::Relaxed).unwrap();
    launch(FOUR, &[programmatic, number(PRIORITY, -2)]).unwrap();
    driver.stream_wait_event(other, event).unwrap();
    assert_eq!(driver.capture_info(other).unwrap().status, CaptureStatus::Active);
    let graph = driver.end_capture(stream).unwrap();
    let node = bench.shape_of(graph).0[0];
    assert_eq!(driver.node_attribute(graph, node, PRIORITY).map(|value| first_number(&value)), Ok(-2));
    driver.event_destroy(event, &[]);
}

#[test]
fn edges_between_kernels_carry_what_the_driver_allows() {
    let built = Built::new();
    let driver = &built.bench.driver;
    let kernel = || built.count(&[], FOUR, &[]).unwrap();
    let (a, b, set) = (kernel(), kernel(), built.add(&[], &Work::Memset(built.set())));
    let data = |from_port, to_port, kind| EdgeData { from_port, to_port, kind };
    let add = |from, to, data| status(&driver.graph_add_edges(built.graph, &[(from, to, data)]));
    let carried = |graph| driver.graph_nodes(GraphRef::Known(graph)).unwrap().carrying;
    for wrong in [data(1, 0, 0), data(0, 0, 1), data(3, 0, 1), data(1, 1, 1), data(1, 0, 2)] {
        assert_eq!(add(a, b, wrong), INVALID, "{wrong:?}");
    }
    assert_eq!((add(a, set, EdgeData::PROGRAMMATIC), add(set, a, EdgeData::PROGRAMMATIC)), (INVALID, INVALID));
    assert_eq!((carried(built.graph), driver.graph_edge_count(built.graph)), (vec![], Ok(0)));
    for good in [data(1, 0, 1), data(2, 0, 0), data(2, 0, 1)] {
        assert_eq!(add(a, b, good), OK, "{good:?}");
        assert_eq!(carried(built.graph), [(a, b, good)]);
        assert_eq!(add(a, b, good), INVALID, "it is there");
        driver.graph_remove_edges(built.graph, &[(a, b)]).unwrap();
        assert_eq!(carried(built.graph), []);
    }
    // All of them, or none.
    let c = kernel();
    let both = [(a, b, EdgeData::PROGRAMMATIC), (b, set, EdgeData::PROGRAMMATIC)];
    assert_eq!(status(&driver.graph_add_edges(built.graph, &both)), INVALID);
    assert_eq!((carried(built.graph), driver.graph_edge_count(built.graph)), (vec![], Ok(0)));
    let both = [(a, b, EdgeData::PROGRAMMATIC), (b, c, EdgeData::NONE)];
    driver.graph_add_edges(built.graph, &both).unwrap();
    let clone = driver.graph_clone(built.graph).unwrap();
    assert_eq!(carried(built.graph), [(a, b, EdgeData::PROGRAMMATIC)]);
    let [a_copy, b_copy] = [a, b].map(|node| driver.node_in_clone(built.graph, node, clone).unwrap());
    assert_eq!(carried(clone), [(a_copy, b_copy, EdgeData::PROGRAMMATIC)]);
    driver.graph_remove_node(built.graph, b).unwrap();
    assert_eq!(carried(built.graph), []);
    built.run(built.instantiate());
    built.run(driver.graph_instantiate(clone).unwrap().0);
}

#[test]
fn a_capture_makes_programmatic_edges() {
    let bench = Bench::new();
    let driver = &bench.driver;
    let stream = bench.stream();
    let launch = |attributes: &[LaunchAttribute]| {
        with_count(&bench, FOUR, attributes, |work| driver.submit(stream, work)).unwrap();
    };
    let programmatic = [number(PROGRAMMATIC_SERIALIZATION, 1)];
    driver.begin_capture(stream, CaptureMode::Relaxed).unwrap();
    launch(&programmatic);
    launch(&programmatic);
    launch(&[]);
    let frontier = driver.capture_progress(stream).unwrap().1.unwrap().frontier[0];
    let update = |node, data| {
        status(&driver.update_capture_dependencies_with_data(stream, &[(node, data)], DependencyUpdate::Set))
    };
    assert_eq!(update(frontier, EdgeData { from_port: 1, to_port: 0, kind: 0 }), INVALID);
    assert_eq!(update(frontier, EdgeData { from_port: 2, to_port: 0, kind: 0 }), OK);
    launch(&[]);
    let (_, memory) = driver.allocate(64, MemoryKind::Pooled).unwrap();
    driver.memset(stream, Memset { address: memory, value: 5, element_size: 1, count: 64, rows: 1, pitch: 0 }).unwrap();
    let set = driver.capture_progress(stream).unwrap().1.unwrap().frontier[0];
    assert_eq!(update(set, EdgeData::PROGRAMMATIC), INVALID);
    launch(&programmatic);
    let graph = driver.end_capture(stream).unwrap();
    let (nodes, edges) = bench.shape_of(graph);
    assert_eq!(edges, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]);
    let mut carried = driver.graph_nodes(GraphRef::Known(graph)).unwrap().carrying;
    carried.sort_unstable();
    let begun = EdgeData { from_port: 2, to_port: 0, kind: 0 };
    assert_eq!(carried, [(nodes[0], nodes[1], EdgeData::PROGRAMMATIC), (nodes[2], nodes[3], begun)]);
    let exec = driver.graph_instantiate(graph).unwrap().0;
    driver.exec_launch(exec, stream).unwrap();
    bench.finish(stream);
}

#[test]
fn kernels_keep_attributes_and_tell_how_they_fit() {
    let bench = Bench::new();
    let (driver, kernel) = (&bench.driver, bench.count_blocks);
    assert_eq!(driver.kernel_attribute(kernel, 0), Ok(1024));
    driver.kernel_set_attribute(kernel, 9, 40).unwrap();
    assert_eq!(driver.kernel_attribute(kernel, 9), Ok(40));
    assert_eq!(status(&driver.kernel_set_attribute(kernel, 0, 1)), INVALID);
    assert_eq!(driver.max_active_blocks(kernel, 256, 0), Ok(8));
    assert_eq!(driver.suggested_block(kernel, 0, 0), Ok(SuggestedBlock { threads: 1024, blocks: 264 }));
    assert_eq!(driver.available_shared_memory(kernel, 2, 256), Ok(115_712));
    let wide = LaunchShape { grid: [16, 1, 1], ..FOUR };
    assert_eq!(status(&driver.max_active_clusters(kernel, wide, &[])), CLUSTER);
    assert_eq!(status(&driver.max_active_clusters(kernel, wide, &[cluster(16)])), CLUSTER);
    assert_eq!(driver.max_cluster_size(kernel, wide, &[]), Ok(8));
    driver.kernel_set_attribute(kernel, 14, 1).unwrap();
    assert_eq!(driver.max_cluster_size(kernel, wide, &[]), Ok(16));
    assert_eq!(driver.max_active_clusters(kernel, wide, &[cluster(16)]), Ok(264));
}
