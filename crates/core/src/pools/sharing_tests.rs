//! Graphs that share memory of a pool: what is used again, and in which order launches run.

use super::super::memory::PoolMemory;
use super::super::pool::{Pool, PoolOptions};
use super::*;
use crate::faulty::Faulty;
use crate::{Buffer, Context, Graph, GraphExec};
use graphcap_base::error::Status;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::StreamOptions;

struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
    pool: Pool,
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        driver.let_parts_overlap();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let pool =
            Pool::create(&context, PoolOptions { capacity: Some(1 << 20), is_shared: true, ..PoolOptions::default() })
                .unwrap();
        Bench { driver, context, stream, pool }
    }

    fn stream(&self) -> Stream {
        Stream::create(&self.context, StreamOptions::default()).unwrap()
    }

    fn begin(&self) {
        self.stream.begin_capture_with_pool(CaptureMode::Global, &self.pool).unwrap();
    }

    /// Records a memset of so many bytes that were just allocated.
    fn record(&self, bytes: usize) -> Buffer {
        let buffer = self.pool.allocate(bytes).unwrap();
        self.stream.memset(&buffer, 0, 0, 1, bytes).unwrap();
        buffer
    }

    fn end(&self) -> Graph {
        self.stream.end_capture().unwrap()
    }

    /// A graph that uses blocks of these sizes, of which nobody else has any.
    fn graph(&self, sizes: &[usize]) -> Graph {
        self.begin();
        let buffers: Vec<Buffer> = sizes.iter().map(|&bytes| self.record(bytes)).collect();
        drop(buffers);
        self.end()
    }

    fn exec(&self) -> GraphExec {
        self.graph(&[256]).instantiate().unwrap()
    }

    fn memory(&self) -> PoolMemory {
        self.pool.memory().unwrap()
    }

    /// Nothing is left but the context.
    fn over(self) {
        let Bench { driver, context, stream, pool } = self;
        drop((context, stream, pool));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
        assert_eq!(Arc::strong_count(&driver), 1, "no context is kept");
    }
}

/// In whatever order the shapes come.
#[test]
fn graphs_that_share_a_pool_take_what_the_largest_needs() {
    let mut orders: Vec<Vec<usize>> = vec![(1..=8).collect(), (1..=8).rev().collect(), vec![3, 8, 1, 5, 2, 7, 4, 6]];
    orders.push(vec![8, 8, 1, 8]);
    for order in orders {
        let bench = Bench::new();
        let sizes = |shape: usize| [4096 * shape, 256, 1000 * shape, 12_288 * shape];
        let graphs: Vec<_> = order.iter().map(|&shape| bench.graph(&sizes(shape))).collect();
        let execs: Vec<_> = graphs.iter().map(|graph| graph.instantiate().unwrap()).collect();
        let largest: usize = sizes(8).iter().map(|bytes| bytes.next_multiple_of(256)).sum();
        let PoolMemory { reserved, used, used_high, .. } = bench.memory();
        assert_eq!((used, used_high), (largest, largest), "{order:?}");
        assert!(reserved < largest + 4096, "{order:?}");
        execs.iter().for_each(|exec| exec.launch(&bench.stream).unwrap());
        drop((graphs, execs));
        assert_eq!(bench.memory().used, 0);
        bench.pool.trim().unwrap();
        assert_eq!(bench.memory().reserved, 0);
        bench.over();
    }
}

/// A chain of so many steps, each of which has a block of its own for a while.
fn chain(bench: &Bench, bytes: usize, steps: usize) -> Graph {
    bench.begin();
    let take = || {
        let buffer = bench.pool.allocate_on_stream(bytes, &bench.stream).unwrap();
        bench.stream.memset(&buffer, 0, 0, 1, bytes).unwrap();
        buffer
    };
    let mut latest = take();
    for _ in 0..steps {
        let next = take();
        std::mem::replace(&mut latest, next).free_on_stream(&bench.stream).unwrap();
    }
    latest.free_on_stream(&bench.stream).unwrap();
    bench.end()
}

/// A capture uses again itself what it allocates on its streams, and its graph shares it.
#[test]
fn captures_use_again_what_they_share() {
    let bench = Bench::new();
    let mut execs = Vec::new();
    for (shape, largest) in [(3, 3), (1, 3), (5, 5), (2, 5), (5, 5)] {
        let graph = chain(&bench, 4096 * shape, 12);
        execs.push(graph.instantiate().unwrap());
        assert_eq!(bench.memory().used, 2 * 4096 * largest);
    }
    // Nobody but graphs of the pool gets it, also where another one captures.
    let other = bench.stream();
    other.begin_capture(CaptureMode::Relaxed).unwrap();
    let alone = bench.pool.allocate_on_stream(4096, &other).unwrap();
    assert_eq!(bench.memory().used, 2 * 4096 * 5 + 4096);
    drop((other.end_capture().unwrap(), alone));
    execs.iter().for_each(|exec| exec.launch(&bench.stream).unwrap());
    bench.driver.hold_releases();
    drop(execs);
    assert_eq!(bench.memory().used, 2 * 4096 * 5, "replays may go on");
    bench.driver.finish_releases();
    assert_eq!(bench.memory().used, 0);
    drop(other);
    bench.over();
}

/// However long other captures with the pool go on.
#[test]
fn what_a_capture_had_is_free_when_it_is_over() {
    let bench = Bench::new();
    let long = bench.stream();
    long.begin_capture_with_pool(CaptureMode::Relaxed, &bench.pool).unwrap();
    let own = bench.pool.allocate_on_stream(4096, &long).unwrap();
    let mut graphs: Vec<Graph> = (0..10).map(|_| chain(&bench, 4096, 3)).collect();
    assert_eq!(bench.memory().used, 3 * 4096);
    // One after the other begins before the one before is over.
    let mut open: Option<(Stream, Buffer)> = None;
    for _ in 0..10 {
        let stream = bench.stream();
        stream.begin_capture_with_pool(CaptureMode::Relaxed, &bench.pool).unwrap();
        let buffer = bench.pool.allocate_on_stream(4096, &stream).unwrap();
        if let Some((stream, buffer)) = open.replace((stream, buffer)) {
            buffer.free_on_stream(&stream).unwrap();
            graphs.push(stream.end_capture().unwrap());
        }
    }
    open.into_iter().for_each(|(stream, _)| graphs.push(stream.end_capture().unwrap()));
    assert_eq!(bench.memory().used, 3 * 4096);
    graphs.push(long.end_capture().unwrap());
    drop((graphs, own, long));
    assert_eq!(bench.memory().used, 0);
    bench.over();
}

/// Nobody knows from there on what precedes what in the capture.
#[test]
fn a_capture_whose_dependencies_are_set_uses_nothing_again() {
    use graphcap_driver::DependencyUpdate;
    let bench = Bench::new();
    bench.begin();
    let take = || bench.pool.allocate_on_stream(4096, &bench.stream).unwrap();
    bench.stream.update_capture_dependencies(&[], DependencyUpdate::Set).unwrap();
    let first = take();
    bench.stream.update_capture_dependencies(&[], DependencyUpdate::Set).unwrap();
    let second = take();
    let taken = [first, second].map(|buffer| {
        let address = buffer.address();
        buffer.free_on_stream(&bench.stream).unwrap();
        address
    });
    let (third, fourth) = (take(), bench.record(4096));
    assert!([&third, &fourth].iter().all(|buffer| !taken.contains(&buffer.address())));
    drop((third, fourth, bench.end()));
    assert_eq!(bench.memory().used, 0);
    bench.over();
}

/// A capture that uses what another one allocated on a stream has nobody else get it.
#[test]
fn what_another_capture_allocated_on_a_stream_is_kept_as_it_is() {
    let bench = Bench::new();
    bench.begin();
    let buffer = bench.pool.allocate_on_stream(4096, &bench.stream).unwrap();
    let first = bench.end();
    bench.begin();
    bench.stream.memset(&buffer, 0, 0, 1, 8).unwrap();
    let at = buffer.address();
    drop(buffer);
    assert_ne!(bench.pool.allocate_on_stream(4096, &bench.stream).unwrap().address(), at);
    let second = bench.end();
    bench.begin();
    assert!([0, 1].map(|_| bench.record(4096).address()).into_iter().all(|again| again != at));
    drop((bench.end(), second));
    bench.begin();
    assert!([0, 1].map(|_| bench.record(4096).address()).contains(&at));
    drop((bench.end(), first));
    bench.over();
}

#[test]
fn what_somebody_has_is_not_used_again() {
    let bench = Bench::new();
    bench.begin();
    let kept = bench.record(1024);
    let first = bench.record(2048);
    let (at, next) = (kept.address(), first.address());
    drop(first);
    let second = bench.record(2048);
    assert_ne!(second.address(), next, "the capture goes on that uses it");
    drop(second);
    let graph = bench.end();
    // Not for anybody who is in no capture: the graph uses it.
    let alone = bench.pool.allocate(2048).unwrap();
    assert!(alone.address() >= at + 1024 + 2 * 2048);
    bench.begin();
    let again = bench.record(2048);
    assert_eq!(again.address(), next);
    assert!(bench.record(2048).address() < alone.address());
    assert!(bench.record(1024).address() > alone.address(), "the output that somebody has is left alone");
    drop((again, kept));
    let later = bench.end();
    bench.begin();
    assert_eq!(bench.record(5120).address(), at);
    drop(bench.end());
    drop((graph, later, alone));
    assert_eq!(bench.memory().used, 0);
    bench.over();
}

/// A holder of the buffer itself keeps its bytes: graphs of others, and nodes that are added by hand.
#[test]
fn what_other_graphs_use_is_not_used_again() {
    let bench = Bench::new();
    bench.begin();
    let [first, second] = [512, 512].map(|bytes| bench.record(bytes));
    let graph = bench.end();
    bench.stream.begin_capture(CaptureMode::Global).unwrap();
    bench.stream.memset(&first, 0, 0, 1, 512).unwrap();
    let other = bench.end();
    let addresses = [first.address(), second.address()];
    drop((first, second));
    bench.begin();
    let taken = [512, 512].map(|bytes| bench.record(bytes).address());
    assert!(taken.contains(&addresses[1]) && !taken.contains(&addresses[0]));
    drop((bench.end(), other));
    bench.begin();
    assert!([512, 512].map(|bytes| bench.record(bytes).address()).contains(&addresses[0]));
    drop((bench.end(), graph));
    bench.over();
}

/// Others may have recorded its use, or by an address that is in no argument of a buffer.
#[test]
fn a_graph_keeps_what_was_allocated_while_it_was_captured() {
    let bench = Bench::new();
    bench.begin();
    drop(bench.pool.allocate(8192).unwrap());
    let exec = bench.end().instantiate().unwrap();
    bench.pool.trim().unwrap();
    assert_eq!((bench.memory().used, bench.memory().reserved), (8192, 8192));
    let alone = bench.pool.allocate(4096).unwrap();
    assert_eq!(bench.memory().used, 8192 + 4096);
    exec.launch(&bench.stream).unwrap();
    bench.driver.hold_releases();
    drop((exec, alone));
    assert!(bench.driver.released().iter().any(|(_, by)| *by == [bench.stream.id()]), "behind the replay");
    bench.driver.finish_releases();
    assert_eq!(bench.memory().used, 0);
    bench.over();
}

#[test]
fn memory_stays_as_long_as_a_launch_may_use_it() {
    let bench = Bench::new();
    let exec = bench.graph(&[8192]).instantiate().unwrap();
    exec.launch(&bench.stream).unwrap();
    bench.driver.hold_releases();
    drop(exec);
    bench.pool.trim().unwrap();
    assert_eq!((bench.memory().used, bench.memory().reserved), (8192, 8192));
    bench.driver.finish_releases();
    bench.pool.trim().unwrap();
    assert_eq!((bench.memory().used, bench.memory().reserved), (0, 0));
    // Work outside of graphs is waited for before the bytes are used again.
    bench.begin();
    let buffer = bench.record(4096);
    let graph = bench.end();
    bench.stream.memset(&buffer, 0, 0, 1, 4096).unwrap();
    let at = buffer.address();
    bench.driver.hold_releases();
    drop(buffer);
    bench.begin();
    assert_ne!(bench.record(4096).address(), at);
    drop(bench.end());
    bench.driver.finish_releases();
    bench.begin();
    assert_eq!(bench.record(4096).address(), at);
    drop((bench.end(), graph));
    bench.over();
}

#[test]
fn launches_wait_for_the_latest_one_on_another_stream() {
    let bench = Bench::new();
    let other = bench.stream();
    let (a, b) = (&bench.stream, &other);
    let graph = bench.graph(&[256]);
    let execs = [graph.instantiate().unwrap(), graph.instantiate().unwrap(), bench.exec()];
    bench.driver.ordered();
    let turn = |exec: &GraphExec, stream: &Stream, waits: bool| {
        exec.launch(stream).unwrap();
        let id = stream.id();
        let mut expected = vec![("launch", id), ("record", id)];
        if waits {
            expected.insert(0, ("wait", id));
        }
        assert_eq!(bench.driver.ordered(), expected);
    };
    turn(&execs[0], a, false);
    turn(&execs[1], a, false);
    turn(&execs[1], b, true);
    turn(&execs[2], b, false);
    turn(&execs[0], a, true);
    // The per-thread stream is another one for each thread.
    let own = bench.context.per_thread_stream();
    turn(&execs[0], &own, true);
    turn(&execs[0], &own, true);
    // Who shares nothing pays nothing.
    let plain = Pool::create(&bench.context, PoolOptions::default()).unwrap();
    a.begin_capture_with_pool(CaptureMode::Global, &plain).unwrap();
    let alone = bench.end().instantiate().unwrap();
    bench.driver.ordered();
    alone.launch(b).unwrap();
    assert_eq!(bench.driver.ordered(), [("launch", b.id())]);
    drop((execs, graph, alone, plain, own, other));
    bench.over();
}

/// Also by an update, by a child graph, and where the exec is made anew.
#[test]
fn an_exec_comes_to_share_what_its_graph_shares() {
    use crate::{ApplyOptions, NodeWork};
    let bench = Bench::new();
    let other = bench.stream();
    let buffer = Buffer::allocate(&bench.context, 64).unwrap();
    bench.stream.begin_capture(CaptureMode::Global).unwrap();
    bench.stream.memset(&buffer, 0, 0, 1, 64).unwrap();
    let plain = bench.end();
    let shared = bench.graph(&[64]);
    let shares = |exec: &GraphExec| {
        bench.driver.ordered();
        exec.launch(&bench.stream).unwrap();
        exec.launch(&other).unwrap();
        bench.driver.ordered().contains(&("wait", other.id()))
    };
    let updated = plain.instantiate().unwrap();
    assert!(!shares(&updated));
    updated.update(&shared, false).unwrap().outcome.unwrap();
    assert!(shares(&updated));
    let larger = bench.graph(&[64, 64]);
    let anew = plain.instantiate().unwrap();
    anew.apply(&larger, &ApplyOptions::default()).unwrap().outcome.unwrap();
    assert!(shares(&anew));
    let parent = Graph::create(&bench.context).unwrap();
    let node = parent.add_node(&[], &NodeWork::Child(&plain)).unwrap();
    let before = parent.instantiate().unwrap();
    assert!(!shares(&before));
    before.set_node(node, &NodeWork::Child(&shared)).unwrap();
    assert!(shares(&before));
    parent.add_node(&[], &NodeWork::Child(&shared)).unwrap();
    assert!(shares(&parent.instantiate().unwrap()));
    drop((updated, anew, before, parent, larger, shared, plain, buffer, other));
    bench.over();
}

#[test]
fn a_launch_that_cannot_be_ordered_is_refused() {
    let bench = Bench::new();
    let other = bench.stream();
    let exec = bench.exec();
    let status = |result: Result<()>| result.unwrap_err().status;
    // Nothing is launched without an event.
    bench.driver.fail("event_create", Status::OUT_OF_MEMORY);
    assert_eq!(status(exec.launch(&bench.stream)), Status::OUT_OF_MEMORY);
    assert_eq!(exec.num_replays(), 0);
    bench.driver.fail("event_record", Status::OUT_OF_MEMORY);
    exec.launch(&bench.stream).unwrap();
    // Streams that are the same need no event.
    bench.driver.fail("event_record", Status::OUT_OF_MEMORY);
    exec.launch(&bench.stream).unwrap();
    // The event is recorded late, unless that fails, or the stream is captured.
    bench.driver.fail("event_record", Status::OUT_OF_MEMORY);
    assert_eq!(status(exec.launch(&other)), Status::BUSY);
    bench.stream.begin_capture(CaptureMode::Relaxed).unwrap();
    let busy = exec.launch(&other).unwrap_err();
    assert!(busy.status == Status::BUSY && busy.message.contains("end the capture of that stream"), "{busy}");
    drop(bench.end());
    bench.driver.ordered();
    exec.launch(&other).unwrap();
    let expected = [("record", &bench.stream), ("wait", &other), ("launch", &other), ("record", &other)];
    assert_eq!(bench.driver.ordered(), expected.map(|(call, stream)| (call, stream.id())));
    // A launch into a capture is the driver's to refuse; nothing is waited for and recorded there.
    bench.stream.begin_capture(CaptureMode::Relaxed).unwrap();
    bench.driver.fail("exec_launch", Status::CAPTURE_UNSUPPORTED);
    assert_eq!(status(exec.launch(&bench.stream)), Status::CAPTURE_UNSUPPORTED);
    assert_eq!(bench.driver.ordered(), []);
    drop(bench.end());
    // A wait that fails is one for nothing that was launched.
    bench.driver.fail("stream_wait_event", Status::OUT_OF_MEMORY);
    assert_eq!(status(exec.launch(&bench.stream)), Status::OUT_OF_MEMORY);
    assert_eq!(exec.num_replays(), 3);
    drop((exec, other));
    bench.over();
}

#[test]
fn an_allocation_that_fails_gives_all_back() {
    let bench = Bench::new();
    for (calls, reserved) in [(1, 4096), (2, 4096)] {
        bench.begin();
        // The first part is that of graphs, the second that of the buffer.
        match calls {
            1 => bench.driver.fail("carve", Status::OUT_OF_MEMORY),
            _ => bench.driver.at("after carve", {
                let driver = Arc::clone(&bench.driver);
                move || driver.fail("carve", Status::OUT_OF_MEMORY)
            }),
        }
        assert_eq!(bench.pool.allocate(4096).unwrap_err().status, Status::OUT_OF_MEMORY);
        assert_eq!((bench.memory().used, bench.memory().reserved), (0, reserved));
        drop(bench.end());
    }
    bench.over();
}

/// Threads that launch in both orders of two pools.
#[test]
fn execs_of_several_pools_take_their_turns() {
    use crate::NodeWork;
    let bench = Bench::new();
    let second = Pool::create(
        &bench.context,
        PoolOptions { capacity: Some(1 << 16), is_shared: true, ..PoolOptions::default() },
    )
    .unwrap();
    let graphs = [&bench.pool, &second].map(|pool| {
        bench.stream.begin_capture_with_pool(CaptureMode::Global, pool).unwrap();
        bench.end()
    });
    let parents = [[0, 1], [1, 0]].map(|order| {
        let parent = Graph::create(&bench.context).unwrap();
        for which in order {
            parent.add_node(&[], &NodeWork::Child(&graphs[which])).unwrap();
        }
        parent
    });
    let execs = parents.each_ref().map(|parent| parent.instantiate().unwrap());
    std::thread::scope(|scope| {
        for exec in &execs {
            let stream = bench.stream();
            scope.spawn(move || (0..200).for_each(|_| exec.launch(&stream).unwrap()));
        }
    });
    bench.driver.ordered();
    execs[0].launch(&bench.stream).unwrap();
    let id = bench.stream.id();
    let expected = [("wait", id), ("wait", id), ("launch", id), ("record", id), ("record", id)];
    assert_eq!(bench.driver.ordered(), expected);
    drop((execs, parents, graphs, second));
    bench.over();
}
