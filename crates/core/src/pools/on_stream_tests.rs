//! Memory that captures use again: where, and where not.

use super::*;
use crate::faulty::{rejected, Faulty};
use crate::{Context, Event, Graph, NodeWork, PoolMemory, PoolOptions};
use graphcap_base::error::Status;
use graphcap_driver::rules::reuse::Policy;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{
    Address, Conditional, ConditionalKind, DependencyUpdate, DeviceChoice, DeviceKind, EventOptions, StreamOptions,
};

/// A capture on the first of some streams, and a pool.
struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    streams: Vec<Stream>,
    pool: Pool,
}

fn bench(policy: Policy) -> Bench {
    let (driver, context) = Faulty::context();
    driver.let_parts_overlap();
    let streams = (0..3).map(|_| Stream::create(&context, StreamOptions::default()).unwrap()).collect();
    let pool = Pool::create(&context, PoolOptions { capacity: Some(1 << 16), reuse: policy, ..PoolOptions::default() })
        .unwrap();
    let bench = Bench { driver, context, streams, pool };
    bench.streams[0].begin_capture(CaptureMode::Relaxed).unwrap();
    bench
}

impl Bench {
    fn take(&self, stream: usize, bytes: usize) -> Buffer {
        self.pool.allocate_on_stream(bytes, &self.streams[stream]).unwrap()
    }

    fn free(&self, stream: usize, buffer: Buffer) -> Address {
        let address = buffer.address();
        buffer.free_on_stream(&self.streams[stream]).unwrap();
        address
    }

    fn set(&self, stream: usize, buffer: &Buffer) -> Result<()> {
        self.streams[stream].memset(buffer, 0, 0, 1, 8)
    }

    /// One stream waits for what another one has submitted.
    fn join(&self, stream: usize, other: usize) {
        let event = Event::create(&self.context, EventOptions::default()).unwrap();
        event.record(&self.streams[other]).unwrap();
        self.streams[stream].wait_event(&event).unwrap();
    }

    fn used(&self) -> usize {
        self.pool.memory().unwrap().used
    }

    fn end_capture(&self) -> Graph {
        [1, 2].into_iter().for_each(|other| {
            if self.streams[other].is_recording().unwrap() {
                self.join(0, other);
            }
        });
        self.streams[0].end_capture().unwrap()
    }

    /// Nothing is left.
    fn end(self) {
        let Bench { driver, context, streams, pool } = self;
        drop((context, streams, pool));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
        assert_eq!(Arc::strong_count(&driver), 1);
    }
}

#[test]
fn a_stream_uses_again_what_it_freed_and_the_graph_keeps_it_without_the_pool() {
    let bench = bench(Policy::Ordered);
    let first = bench.take(0, 1000);
    bench.set(0, &first).unwrap();
    let at = bench.free(0, first);
    // A part of it, then the rest, then a third that does not fit.
    let (second, third, fourth) = (bench.take(0, 500), bench.take(0, 512), bench.take(0, 8));
    assert_eq!((second.address(), third.address()), (at, at + 512));
    assert!(fourth.address() >= at + 1024 && second.size() == 500);
    [&second, &third, &fourth].into_iter().for_each(|buffer| bench.set(0, buffer).unwrap());
    assert_eq!(bench.used(), 1024 + 256);
    // Both parts, which are one extent.
    bench.free(0, second);
    bench.free(0, third);
    let whole = bench.take(0, 1024);
    assert_eq!(whole.address(), at);
    bench.set(0, &whole).unwrap();
    let used = PoolMemory { capacity: 1 << 16, reserved: 4096, used: 1280, used_high: 1280 };
    assert_eq!(bench.pool.memory().unwrap(), used);
    bench.pool.trim().unwrap();
    let exec = bench.end_capture().instantiate().unwrap();
    drop((whole, fourth));
    assert_eq!(bench.used(), 1280);
    let outside = bench.take(0, 8);
    assert_ne!(outside.address(), at, "the exec has it");
    let Bench { driver, context, streams, pool } = bench;
    drop((pool, outside));
    exec.launch(&streams[0]).unwrap();
    drop((exec, context, streams));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    assert_eq!(Arc::strong_count(&driver), 1);
}

/// Work that graphcap does not see may use it by an address, also where its buffer was freed.
#[test]
fn a_graph_keeps_what_its_capture_allocated() {
    for (policy, is_freed) in [(Policy::Ordered, true), (Policy::Ordered, false), (Policy::Never, true)] {
        let bench = bench(policy);
        let block = bench.take(0, 256);
        let at = block.address();
        match is_freed {
            true => block.free_on_stream(&bench.streams[0]).unwrap(),
            false => drop(block),
        }
        let graph = bench.end_capture();
        let allocate = || bench.pool.allocate(256).unwrap().address();
        assert_ne!(allocate(), at, "the graph may write there");
        let exec = graph.instantiate().unwrap();
        drop(graph);
        assert_ne!(allocate(), at, "a replay may write there");
        exec.launch(&bench.streams[1]).unwrap();
        bench.driver.hold_releases();
        drop(exec);
        assert!(bench.driver.released().iter().any(|(_, by)| *by == [bench.streams[1].id()]), "behind the replay");
        assert_ne!(allocate(), at, "the replay may go on");
        bench.driver.finish_releases();
        assert_eq!(allocate(), at);
        bench.end();
    }
}

/// The graph within a node is as it was, and so is what the outermost one keeps.
#[test]
fn a_broken_capture_into_the_graph_of_a_node_keeps_nothing() {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let pool = Pool::create(&context, PoolOptions::default()).unwrap();
    for is_body in [false, true] {
        let [graph, child] = [(); 2].map(|()| Graph::create(&context).unwrap());
        let condition = graph.create_condition(0).unwrap();
        let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 1 };
        let work = if is_body { NodeWork::Conditional(conditional) } else { NodeWork::Child(&child) };
        let node = graph.add_node(&[], &work).unwrap();
        let within = &graph.node_graphs(node).unwrap()[0];
        let used = || pool.memory().unwrap().used;
        stream.begin_capture_to_graph(within, &[], CaptureMode::Relaxed).unwrap();
        let block = pool.allocate_on_stream(256, &stream).unwrap();
        assert_eq!(stream.synchronize().unwrap_err().status, Status::CAPTURE_UNSUPPORTED);
        assert_eq!(stream.end_capture().unwrap_err().status, Status::CAPTURE_INVALIDATED);
        drop(block);
        assert_eq!(used(), 0);
        // One that is whole keeps what it allocated.
        stream.begin_capture_to_graph(within, &[], CaptureMode::Relaxed).unwrap();
        drop(pool.allocate_on_stream(256, &stream).unwrap());
        drop(stream.end_capture().unwrap());
        assert_eq!(used(), 256);
        drop(graph);
        assert_eq!(used(), 0);
    }
}

/// A handle that is destroyed tells no stream behind which its uses are.
#[test]
fn what_is_destroyed_is_not_used_again_in_the_capture() {
    let bench = bench(Policy::Ordered);
    bench.join(1, 0);
    let block = bench.take(0, 256);
    let at = block.address();
    drop(block);
    assert!([0, 1].map(|stream| bench.take(stream, 256).address()).into_iter().all(|again| again != at));
    drop(bench.end_capture());
    assert_eq!(bench.used(), 0);
    bench.end();
}

#[test]
fn streams_use_again_what_all_uses_precede() {
    let bench = bench(Policy::Ordered);
    bench.join(1, 0);
    let [first, second] = [0, 1].map(|_| bench.take(0, 256));
    bench.join(1, 0);
    bench.join(2, 0);
    bench.set(1, &first).unwrap();
    bench.set(0, &second).unwrap();
    let (first, second) = (bench.free(0, first), bench.free(0, second));
    // The second stream used the first block, and the free is not behind that; the third one is behind neither use.
    let mut fresh = vec![bench.take(0, 256), bench.take(0, 256), bench.take(1, 256), bench.take(2, 256)];
    let at: Vec<_> = fresh.iter().map(Buffer::address).collect();
    assert_eq!(at[0], second);
    assert!(at[1..].iter().all(|at| ![first, second].contains(at)), "{at:?}");
    // A mark that was made before a use is not behind it.
    let event = Event::create(&bench.context, EventOptions::default()).unwrap();
    event.record(&bench.streams[1]).unwrap();
    bench.set(1, &fresh[2]).unwrap();
    let third = bench.free(1, fresh.remove(2));
    bench.streams[0].wait_event(&event).unwrap();
    assert_eq!(bench.take(0, 256).address(), first, "the use of the first block is behind the mark");
    assert_eq!(bench.take(2, 256).address() % 256, 0);
    bench.join(2, 1);
    let again = [bench.take(2, 256), bench.take(2, 256)];
    assert!(again.iter().any(|again| again.address() == third));
    let graph = bench.end_capture();
    drop((again, fresh, event, graph));
    bench.end();
}

#[test]
fn what_is_used_again_may_be_used_behind_its_allocation_alone() {
    let bench = bench(Policy::Ordered);
    bench.join(1, 0);
    let first = bench.take(0, 256);
    bench.set(0, &first).unwrap();
    let at = bench.free(0, first);
    let again = bench.take(0, 256);
    assert_eq!(again.address(), at);
    rejected(bench.set(1, &again), "not behind that use");
    bench.join(1, 0);
    bench.set(1, &again).unwrap();
    // One that was freed is nobody's.
    let other = again.clone();
    bench.free(1, again);
    rejected(bench.set(1, &other), "freed");
    drop(other);
    let graph = bench.end_capture();
    assert_eq!(graph.node_count(), Ok(2));
    drop(graph);
    bench.end();
}

#[test]
fn policies_say_which_streams_use_memory_again() {
    for (policy, on_own, on_other) in
        [(Policy::Ordered, true, true), (Policy::SameStream, true, false), (Policy::Never, false, false)]
    {
        let bench = bench(policy);
        let blocks = [0, 1].map(|_| bench.take(0, 256));
        blocks.iter().for_each(|block| bench.set(0, block).unwrap());
        let freed = blocks.map(|block| bench.free(0, block));
        bench.join(1, 0);
        let is_again = |stream| freed.contains(&bench.take(stream, 256).address());
        assert_eq!((is_again(1), is_again(0)), (on_other, on_own), "{policy:?}");
        drop(bench.end_capture());
        bench.end();
    }
}

#[test]
fn what_is_used_elsewhere_is_not_used_again() {
    let bench = bench(Policy::Ordered);
    let other = Stream::create(&bench.context, StreamOptions::default()).unwrap();
    let graph = Graph::create(&bench.context).unwrap();
    let uses: [&dyn Fn(&Buffer); 4] = [
        &|_| (),
        // It runs.
        &|block| bench.set(2, block).unwrap(),
        // Another capture records it.
        &|block| {
            other.begin_capture(CaptureMode::Relaxed).unwrap();
            other.memset(block, 0, 0, 1, 8).unwrap();
            drop(other.end_capture().unwrap());
        },
        // A node has it that was added by hand.
        &|block| {
            let fill =
                crate::Fill { buffer: block, offset: 0, value: 0, element_size: 1, width: 8, height: 1, pitch: 0 };
            graph.add_node(&[], &NodeWork::Memset(fill)).unwrap();
        },
    ];
    for (kind, use_) in uses.iter().enumerate() {
        let block = bench.take(0, 256);
        bench.set(0, &block).unwrap();
        use_(&block);
        let at = bench.free(0, block);
        assert_eq!(bench.take(0, 256).address() == at, kind == 0, "{kind}");
    }
    // What is freed on a stream that is not in the capture is only let go of.
    let block = bench.take(0, 256);
    bench.set(0, &block).unwrap();
    assert_ne!(bench.free(2, block), bench.take(0, 256).address());
    // What another capture of the pool freed is not taken.
    let block = bench.take(0, 256);
    bench.set(0, &block).unwrap();
    let at = bench.free(0, block);
    other.begin_capture(CaptureMode::Relaxed).unwrap();
    assert_ne!(bench.pool.allocate_on_stream(256, &other).unwrap().address(), at);
    drop(other.end_capture().unwrap());
    drop((bench.end_capture(), graph, other));
    bench.end();
}

#[test]
fn nothing_is_used_again_once_dependencies_are_set() {
    for by_hand in [None, Some(DependencyUpdate::Add), Some(DependencyUpdate::Set)] {
        let bench = bench(Policy::Ordered);
        let [first, second] = [0, 1].map(|_| bench.take(0, 256));
        bench.set(0, &first).unwrap();
        let at = bench.free(0, first);
        let again = bench.take(0, 256);
        assert_eq!(again.address(), at);
        bench.free(0, again);
        let graph = bench.streams[0].capture_graph().unwrap();
        match by_hand {
            Some(update) => bench.streams[0].update_capture_dependencies(&[], update).unwrap(),
            // Which depends on what was recorded last.
            None => {
                let condition = graph.create_condition(0).unwrap();
                let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 1 };
                bench.streams[0].capture_node(&NodeWork::Conditional(conditional)).unwrap();
            }
        }
        assert_eq!(bench.take(0, 256).address() == at, by_hand != Some(DependencyUpdate::Set), "{by_hand:?}");
        bench.free(0, second);
        drop((bench.end_capture(), graph));
        bench.end();
    }
}

#[test]
fn allocations_that_fail_take_nothing() {
    let bench = bench(Policy::Ordered);
    let status = |result: Result<Buffer>| result.unwrap_err().status;
    let take = |bytes| bench.pool.allocate_on_stream(bytes, &bench.streams[0]);
    assert_eq!(status(take(0)), Status::INVALID_VALUE);
    assert_eq!(status(take(usize::MAX)), Status::OUT_OF_MEMORY);
    for call in ["reserve", "back", "carve", "the second carve"] {
        match call {
            // The first is what the graph keeps, the second one the buffer's.
            "the second carve" => bench.driver.at("after carve", {
                let driver = Arc::clone(&bench.driver);
                move || driver.fail("carve", Status::OUT_OF_MEMORY)
            }),
            call => bench.driver.fail(call, Status::OUT_OF_MEMORY),
        }
        assert_eq!(status(take(4096)), Status::OUT_OF_MEMORY, "{call}");
    }
    // The block of which the last refusal was is there.
    let whole = take(4096).unwrap();
    assert_eq!(bench.used(), 4096);
    bench.set(0, &whole).unwrap();
    bench.free(0, whole);
    bench.driver.fail("carve", Status::OUT_OF_MEMORY);
    assert_eq!(status(take(4096)), Status::OUT_OF_MEMORY);
    assert_eq!((take(4096).is_ok(), bench.used()), (true, 4096));
    bench.pool.seal().unwrap();
    assert_eq!(status(take(4096)), Status::SEALED);
    bench.pool.unseal().unwrap();
    let (_, elsewhere) = Faulty::context();
    let foreign = Stream::create(&elsewhere, StreamOptions::default()).unwrap();
    assert_eq!(status(bench.pool.allocate_on_stream(8, &foreign)), Status::INVALID_CONTEXT);
    let left = take(8).unwrap();
    assert_eq!(left.clone().free_on_stream(&foreign).unwrap_err().status, Status::INVALID_CONTEXT);
    drop((bench.end_capture(), left));
    bench.end();
}

/// Work that a call records which races an end of the capture may run as well.
#[test]
fn work_that_raced_an_end_is_not_relied_on() {
    let bench = bench(Policy::Ordered);
    let block = bench.take(0, 256);
    let stream = bench.streams[0].clone();
    let ended = Arc::new(std::sync::Mutex::new(None));
    let given = Arc::clone(&ended);
    bench.driver.at("after memset", move || *given.lock().unwrap() = Some(stream.end_capture().unwrap()));
    bench.set(0, &block).unwrap();
    bench.streams[0].begin_capture(CaptureMode::Relaxed).unwrap();
    let at = bench.free(0, block);
    assert_ne!(bench.take(0, 256).address(), at);
    drop((bench.end_capture(), ended.lock().unwrap().take()));
    bench.end();
}
