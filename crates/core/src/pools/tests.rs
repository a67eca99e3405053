//! Pools: what they keep, in which order it goes, and what memory of theirs is used again.

use std::sync::mpsc::{channel, Receiver, Sender};

use super::super::memory::PoolMemory;
use super::*;
use crate::faulty::Faulty;
use crate::PoolOptions;
use crate::{ApplyOptions, Buffer, CaptureOptions, Context, StreamCapture};
use graphcap_base::error::Status;
use graphcap_driver::rules::apply_route::Route;
use graphcap_driver::{Address, HostFunction, StreamId, StreamOptions};

/// A pool, and who tells that objects of the caller's went.
struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
    tell: Sender<u32>,
    told: Receiver<u32>,
}

fn with_pool(pool: &Pool) -> CaptureOptions<'_> {
    CaptureOptions { pool: Some(pool), ..CaptureOptions::default() }
}

/// Tells its number when it goes.
struct Told(u32, Sender<u32>);

impl Drop for Told {
    fn drop(&mut self) {
        let _ = self.1.send(self.0);
    }
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let (tell, told) = channel();
        Bench { driver, context, stream, tell, told }
    }

    fn pool(&self) -> Pool {
        Pool::create(&self.context, PoolOptions { capacity: Some(1 << 16), ..PoolOptions::default() }).unwrap()
    }

    fn object(&self, number: u32) -> HostFunction {
        let told = Told(number, self.tell.clone());
        Arc::new(move || {
            let _kept = &told;
        })
    }

    fn wrapped(&self, number: u32) -> Buffer {
        let told = Told(number, self.tell.clone());
        let bytes = Box::new([0_u64; 8]);
        let address = bytes.as_ptr() as Address;
        Buffer::adopt(&self.context, address, 64, Box::new(move || drop((bytes, told)))).unwrap()
    }

    fn set(&self, buffer: &Buffer) {
        self.stream.memset(buffer, 0, 0, 1, 8).unwrap();
    }

    fn record(&self, pool: &Pool, buffers: &[&Buffer]) -> Graph {
        self.stream.begin_capture_with_pool(CaptureMode::Global, pool).unwrap();
        buffers.iter().for_each(|buffer| self.set(buffer));
        self.stream.end_capture().unwrap()
    }

    /// Returns what went so far.
    fn gone(&self) -> Vec<u32> {
        self.told.try_iter().collect()
    }

    /// Nothing is left but the context.
    fn end(self) {
        let Bench { driver, context, stream, .. } = self;
        drop((context, stream));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
        assert_eq!(Arc::strong_count(&driver), 1, "no context is kept");
    }
}

#[test]
fn objects_go_in_the_order_in_which_they_were_added_behind_all_users() {
    let bench = Bench::new();
    let pool = bench.pool();
    let (first, second) = (bench.wrapped(1), bench.wrapped(2));
    // The second one is used by a stream that knows nothing of the pool.
    let other = Stream::create(&bench.context, StreamOptions::default()).unwrap();
    other.memset(&second, 0, 0, 1, 8).unwrap();
    assert_eq!(pool.add_object(bench.object(10)).unwrap(), 0);
    assert_eq!(pool.add_buffer(&second).unwrap(), 1);
    assert_eq!(pool.add_object(bench.object(11)).unwrap(), 2);
    assert_eq!(pool.add_buffer(&first).unwrap(), 3);
    assert_eq!(pool.count(), 4);
    let graph = bench.record(&pool, &[&first, &second]);
    let exec = graph.instantiate().unwrap();
    drop((first, second, graph, pool));
    exec.launch(&bench.stream).unwrap();
    assert!(bench.gone().is_empty());
    bench.driver.hold_releases();
    drop(exec);
    assert!(bench.gone().is_empty(), "the replay may go on");
    let users = vec![bench.stream.id(), other.id()];
    assert!(bench.driver.released().iter().any(|(_, by)| *by == users), "{:?}", bench.driver.released());
    drop(other);
    bench.driver.finish_releases();
    assert_eq!(bench.gone(), [10, 2, 11, 1]);
    bench.end();
}

/// An edit parts what a capture listed among the nodes.
#[test]
fn objects_go_in_their_order_after_an_edit_too() {
    let bench = Bench::new();
    let pool = bench.pool();
    let buffers: Vec<_> = (1..5).map(|number| bench.wrapped(number)).collect();
    for buffer in buffers.iter().rev() {
        pool.add_buffer(buffer).unwrap();
    }
    let graph = bench.record(&pool, &buffers.iter().collect::<Vec<_>>());
    let before = graph.instantiate().unwrap();
    let nodes = graph.nodes().unwrap().nodes;
    graph.remove_node(nodes[1]).unwrap();
    graph.remove_node(nodes[2]).unwrap();
    let after = graph.instantiate().unwrap();
    let copy = graph.duplicate().unwrap();
    drop((buffers, graph));
    assert_eq!(after.pool().unwrap().map(|found| found.id()), Some(pool.id()));
    assert_eq!(copy.instantiate().unwrap().pool().unwrap().map(|found| found.id()), Some(pool.id()));
    drop((pool, before, copy));
    assert!(bench.gone().is_empty());
    drop(after);
    assert_eq!(bench.gone(), [4, 3, 2, 1]);
    bench.end();
}

/// An exec keeps the pool of what it does: an update and an exec made anew take the pool of their graph, and the one before goes
/// with the last launch that was made before.
#[test]
fn an_exec_keeps_the_pool_of_the_graph_that_it_came_to_do() {
    let bench = Bench::new();
    let pools = [1, 2, 3].map(|number| {
        let pool = bench.pool();
        pool.add_object(bench.object(number)).unwrap();
        pool
    });
    let buffer = bench.wrapped(9);
    let graphs = [
        bench.record(&pools[0], &[&buffer]),
        bench.record(&pools[1], &[&buffer]),
        bench.record(&pools[2], &[&buffer, &buffer]),
    ];
    let numbers = pools.each_ref().map(Pool::id);
    let exec = graphs[0].instantiate().unwrap();
    let number = || exec.pool().unwrap().map(|pool| pool.id());
    drop(pools);
    assert_eq!(number(), Some(numbers[0]));
    exec.launch(&bench.stream).unwrap();
    let [first, second, third] = graphs;
    drop(first);
    assert!(bench.gone().is_empty());
    bench.driver.hold_releases();
    for (graph, route, gone) in [(second, Route::Update, 1), (third, Route::Anew, 2)] {
        let applied = exec.apply(&graph, &ApplyOptions::default()).unwrap();
        applied.outcome.unwrap();
        drop(graph);
        assert_eq!((applied.route, number()), (route, Some(numbers[gone])));
        assert!(bench.gone().is_empty(), "a launch that was made before may go on");
        bench.driver.finish_releases();
        assert_eq!(bench.gone(), [gone as u32], "{route:?}");
        exec.launch(&bench.stream).unwrap();
        bench.driver.hold_releases();
    }
    drop((exec, buffer));
    bench.driver.finish_releases();
    let mut gone = bench.gone();
    gone.sort_unstable();
    assert_eq!(gone, [3, 9]);
    bench.end();
}

#[test]
fn what_others_keep_stays_and_goes_behind_the_replays() {
    let bench = Bench::new();
    let pool = bench.pool();
    let (kept, gone) = (bench.wrapped(1), bench.wrapped(2));
    pool.add_buffer(&kept).unwrap();
    pool.add_buffer(&gone).unwrap();
    let exec = bench.record(&pool, &[]).instantiate().unwrap();
    exec.launch(&bench.stream).unwrap();
    drop((gone, pool, exec));
    assert_eq!(bench.gone(), [2]);
    let kept_at = kept.address();
    drop(kept);
    assert_eq!(bench.gone(), [1]);
    // The launch may use what its pool kept, which nobody can read of its nodes.
    assert!(bench.driver.released().iter().any(|(at, by)| *at == kept_at && *by == [bench.stream.id()]));
    bench.end();
}

#[test]
fn several_graphs_share_a_pool() {
    let bench = Bench::new();
    let pool = bench.pool();
    pool.add_object(bench.object(1)).unwrap();
    let graphs: Vec<_> = (0..3).map(|_| bench.record(&pool, &[])).collect();
    let execs: Vec<_> = graphs.iter().map(|graph| graph.instantiate().unwrap()).collect();
    for exec in &execs {
        assert_eq!(exec.pool().unwrap().unwrap().id(), pool.id());
    }
    // What comes later is kept, too.
    execs[0].pool().unwrap().unwrap().add_object(bench.object(2)).unwrap();
    assert_eq!(execs[2].pool().unwrap().unwrap().count(), 2);
    drop((graphs, pool));
    let mut execs = execs;
    while execs.pop().is_some() {
        let is_last = execs.is_empty();
        assert_eq!(bench.gone(), if is_last { vec![1, 2] } else { vec![] });
    }
    bench.end();
}

#[test]
fn a_pool_in_use_is_not_cleared() {
    let bench = Bench::new();
    let pool = bench.pool();
    pool.add_object(bench.object(1)).unwrap();
    let busy = |pool: &Pool| pool.clear().is_err_and(|error| error.status == Status::BUSY);
    bench.stream.begin_capture_with_pool(CaptureMode::Global, &pool).unwrap();
    assert!(busy(&pool), "a capture keeps it");
    let graph = bench.stream.end_capture().unwrap();
    assert!(busy(&pool), "a graph keeps it");
    let exec = graph.instantiate().unwrap();
    exec.launch(&bench.stream).unwrap();
    drop(graph);
    assert!(busy(&pool), "an exec keeps it");
    drop(exec);
    assert_eq!((pool.count(), bench.gone()), (1, vec![]));
    bench.driver.hold_releases();
    pool.seal().unwrap();
    pool.clear().unwrap();
    assert_eq!((pool.count(), pool.is_sealed(), bench.gone()), (0, true, vec![]));
    bench.driver.finish_releases();
    assert_eq!(bench.gone(), [1], "behind the last replay");
    pool.clear().unwrap();
    pool.unseal().unwrap();
    // A capture that was discarded keeps nothing.
    assert_eq!(pool.add_object(bench.object(2)).unwrap(), 0);
    drop(StreamCapture::begin_with(&bench.stream, CaptureMode::Global, with_pool(&pool)).unwrap());
    pool.clear().unwrap();
    assert_eq!(bench.gone(), [2]);
    drop(pool);
    bench.end();
}

#[test]
fn a_sealed_pool_takes_nothing_in() {
    let bench = Bench::new();
    let pool = bench.pool();
    let buffer = bench.wrapped(1);
    pool.add_buffer(&buffer).unwrap();
    pool.seal().unwrap();
    assert!(pool.is_sealed());
    let sealed = |result: Result<()>| assert_eq!(result.unwrap_err().status, Status::SEALED);
    sealed(pool.add_buffer(&buffer).map(drop));
    sealed(pool.add_object(bench.object(5)).map(drop));
    assert_eq!(bench.gone(), [5], "an object that is refused goes at once");
    sealed(pool.allocate(8).map(drop));
    sealed(bench.stream.begin_capture_with_pool(CaptureMode::Global, &pool));
    sealed(bench.stream.capture_with(CaptureMode::Global, with_pool(&pool), |_| Ok(())).map(drop));
    assert_eq!((pool.count(), bench.driver.captures()), (1, 0));
    // The end of a capture only keeps what there is.
    bench.stream.begin_capture(CaptureMode::Global).unwrap();
    let exec = bench.stream.end_capture_with_pool(&pool).unwrap().instantiate().unwrap();
    assert_eq!(exec.pool().unwrap().unwrap().count(), 1);
    pool.unseal().unwrap();
    pool.add_object(bench.object(6)).unwrap();
    drop((buffer, exec, pool));
    assert_eq!(bench.gone(), [1, 6]);
    bench.end();
}

#[test]
fn the_end_of_a_capture_takes_the_pool_that_it_was_begun_with() {
    let bench = Bench::new();
    let (pool, other) = (bench.pool(), bench.pool());
    assert_ne!(pool.id(), other.id());
    bench.stream.begin_capture_with_pool(CaptureMode::Global, &pool).unwrap();
    let error = bench.stream.end_capture_with_pool(&other).unwrap_err();
    assert_eq!(error.status, Status::INVALID_VALUE);
    assert_eq!(bench.driver.captures(), 1, "the capture goes on");
    let graph = bench.stream.end_capture_with_pool(&pool).unwrap();
    other.clear().unwrap();
    let exec = graph.instantiate().unwrap();
    assert_eq!(exec.pool().unwrap().unwrap().id(), pool.id());
    // Ended with it alone.
    bench.stream.begin_capture(CaptureMode::Global).unwrap();
    let ended = bench.stream.end_capture_with_pool(&other).unwrap();
    assert!(other.clear().is_err());
    let exec_of_other = ended.instantiate().unwrap();
    assert_eq!(exec_of_other.pool().unwrap().unwrap().id(), other.id());
    drop((ended, exec_of_other));
    other.clear().unwrap();
    assert!(bench.stream.end_capture_with_pool(&other).is_err(), "there is no capture");
    other.clear().unwrap();
    // Of another context.
    let (_, elsewhere) = Faulty::context();
    let foreign = Pool::create(&elsewhere, PoolOptions::default()).unwrap();
    let status = |result: Result<()>| result.unwrap_err().status;
    assert_eq!(status(bench.stream.begin_capture_with_pool(CaptureMode::Global, &foreign)), Status::INVALID_CONTEXT);
    bench.stream.begin_capture(CaptureMode::Global).unwrap();
    assert_eq!(status(bench.stream.end_capture_with_pool(&foreign).map(drop)), Status::INVALID_CONTEXT);
    let plain = bench.stream.end_capture().unwrap().instantiate().unwrap();
    assert!(plain.pool().unwrap().is_none());
    let buffer = Buffer::allocate(&elsewhere, 8).unwrap();
    assert_eq!(status(pool.add_buffer(&buffer).map(drop)), Status::INVALID_CONTEXT);
    drop((pool, other, graph, exec, plain));
    bench.end();
}

#[test]
fn memory_is_used_again_when_nothing_uses_it() {
    let bench = Bench::new();
    let pool = bench.pool();
    let first = pool.allocate(1000).unwrap();
    assert_eq!((first.size(), first.address() % 256), (1000, 0));
    let second = pool.allocate(1).unwrap();
    assert_eq!(second.address(), first.address() + 1024);
    let (at, next) = (first.address(), second.address());
    // A graph keeps it, whoever else lets go.
    let exec = bench.record(&pool, &[&first]).instantiate().unwrap();
    drop(first);
    assert_ne!(pool.allocate(1000).unwrap().address(), at);
    exec.launch(&bench.stream).unwrap();
    bench.driver.hold_releases();
    drop(exec);
    let third = pool.allocate(1000).unwrap();
    assert_ne!(third.address(), at, "the replay may go on");
    bench.driver.finish_releases();
    let again = pool.allocate(1000).unwrap();
    assert_eq!(again.address(), at);
    drop(second);
    assert_eq!(pool.allocate(256).unwrap().address(), next);
    // Buffers outlive the pool.
    drop((pool, third));
    bench.set(&again);
    drop(again);
    bench.end();
}

/// Others may have recorded its use, or by an address that is in no argument of a buffer.
#[test]
fn a_graph_keeps_what_was_allocated_while_it_was_captured() {
    let bench = Bench::new();
    bench.driver.let_parts_overlap();
    let pool = bench.pool();
    let used = || pool.memory().unwrap().used;
    let before = pool.allocate(256).unwrap();
    bench.stream.begin_capture_with_pool(CaptureMode::Global, &pool).unwrap();
    let [first, second] = [0, 1].map(|_| pool.allocate(1024).unwrap());
    let at = first.address();
    drop((before, first));
    let exec = bench.stream.end_capture().unwrap().instantiate().unwrap();
    assert_eq!(used(), 2048);
    drop(second);
    assert_eq!(used(), 2048, "a replay may write there");
    exec.launch(&bench.stream).unwrap();
    bench.driver.hold_releases();
    drop(exec);
    assert_eq!(used(), 2048, "the replay may go on");
    bench.driver.finish_releases();
    assert_eq!((used(), pool.allocate(2048).unwrap().address()), (0, at - 256));
    // A capture that gives no graph keeps nothing.
    bench.stream.begin_capture_with_pool(CaptureMode::Global, &pool).unwrap();
    drop(pool.allocate(64).unwrap());
    bench.driver.fail("carve", Status::OUT_OF_MEMORY);
    assert!(pool.allocate(64).is_err() && used() == 256);
    bench.driver.break_captures();
    assert!(bench.stream.end_capture().is_err());
    assert_eq!(used(), 0);
    drop(pool);
    bench.end();
}

#[test]
fn a_pool_gives_back_what_is_free_at_its_end() {
    let bench = Bench::new();
    let pool = bench.pool();
    let is = |reserved, used, used_high| {
        assert_eq!(pool.memory().unwrap(), PoolMemory { capacity: 1 << 16, reserved, used, used_high });
    };
    is(0, 0, 0);
    pool.trim().unwrap();
    let [first, second, third] = [4096, 4000, 8192].map(|bytes| pool.allocate(bytes).unwrap());
    is(16384, 16384, 16384);
    drop(first);
    pool.trim().unwrap();
    is(16384, 12288, 16384);
    // What a graph keeps is in use, and what a replay may use still.
    let exec = bench.record(&pool, &[&third]).instantiate().unwrap();
    drop(third);
    exec.launch(&bench.stream).unwrap();
    pool.trim().unwrap();
    bench.driver.hold_releases();
    drop(exec);
    pool.trim().unwrap();
    is(16384, 12288, 16384);
    bench.driver.finish_releases();
    bench.driver.fail("unback", Status::OUT_OF_MEMORY);
    assert_eq!(pool.trim().unwrap_err().status, Status::OUT_OF_MEMORY);
    is(16384, 4096, 16384);
    pool.seal().unwrap();
    pool.trim().unwrap();
    is(8192, 4096, 16384);
    pool.unseal().unwrap();
    let again = pool.allocate(12288).unwrap();
    is(20480, 16384, 16384);
    drop((second, again));
    pool.trim().unwrap();
    is(0, 0, 16384);
    drop(pool);
    bench.end();
}

#[test]
fn a_pool_that_cannot_grow_says_so_and_goes_on() {
    let bench = Bench::new();
    let pool = bench.pool();
    let status = |result: Result<Buffer>| result.unwrap_err().status;
    assert_eq!(status(pool.allocate(0)), Status::INVALID_VALUE);
    assert_eq!(status(pool.allocate(usize::MAX)), Status::OUT_OF_MEMORY);
    assert_eq!(status(pool.allocate((1 << 16) + 1)), Status::OUT_OF_MEMORY);
    for call in ["reserve", "back", "carve"] {
        let whole = |pool: &Pool| pool.allocate(1 << 15);
        let pool = bench.pool();
        bench.driver.fail(call, Status::OUT_OF_MEMORY);
        assert_eq!(status(whole(&pool)), Status::OUT_OF_MEMORY, "{call}");
        let first = whole(&pool).unwrap();
        bench.driver.fail(call, Status::OUT_OF_MEMORY);
        if call != "reserve" {
            assert_eq!(status(whole(&pool)), Status::OUT_OF_MEMORY, "{call}");
        }
        let second = whole(&pool);
        // What is reserved once is not reserved again.
        assert!(second.is_ok() && status(whole(&pool)) == Status::OUT_OF_MEMORY, "{call}");
        drop((first, second));
        assert!(pool.allocate(1 << 16).is_ok(), "what is free side by side is one piece");
        if call == "reserve" {
            assert!(bench.pool().allocate(8).is_err(), "the failure that nobody met");
        }
    }
    bench.driver.fail("entrust", Status::OUT_OF_MEMORY);
    assert_eq!(pool.add_object(bench.object(3)).unwrap_err().status, Status::OUT_OF_MEMORY);
    assert_eq!((bench.gone(), pool.count()), (vec![3], 0));
    drop(pool);
    bench.end();
}

#[test]
fn pools_are_found_by_their_numbers_while_they_are_registered() {
    let bench = Bench::new();
    let pool = bench.pool();
    pool.add_object(bench.object(1)).unwrap();
    let not_found = |result: Result<()>| result.unwrap_err().status == Status::NOT_FOUND;
    assert!(not_found(Pool::registered(pool.id()).map(drop)) && not_found(Pool::registered(0).map(drop)));
    let number = pool.register().unwrap();
    assert_eq!((number, pool.register().unwrap()), (pool.id(), number));
    drop(pool);
    assert_eq!((Pool::registered(number).unwrap().count(), bench.gone()), (1, vec![]));
    Pool::unregister(number).unwrap();
    assert_eq!(bench.gone(), [1]);
    Pool::unregister(number).unwrap();
    assert!(not_found(Pool::unregister(0)) && not_found(Pool::unregister(u64::MAX)));
    assert!(not_found(Pool::registered(number).map(drop)));
    bench.end();
}

#[test]
fn a_reset_forgets_the_pools_of_the_context_that_are_registered() {
    let (bench, other) = (Bench::new(), Bench::new());
    let (pool, kept) = (bench.pool(), other.pool());
    pool.add_object(bench.object(1)).unwrap();
    let numbers = [&pool, &kept].map(|pool| pool.register().unwrap());
    let next = bench.context.reset().unwrap();
    assert_eq!(pool.register().unwrap_err().status, Status::STALE);
    assert_eq!(pool.add_object(bench.object(2)).unwrap_err().status, Status::STALE);
    assert_eq!(Pool::create(&bench.context, PoolOptions::default()).unwrap_err().status, Status::STALE);
    drop(pool);
    // The object that was refused, and the one that nobody keeps any more.
    assert_eq!(bench.gone(), [2, 1]);
    assert_eq!(Pool::registered(numbers[0]).unwrap_err().status, Status::NOT_FOUND);
    Pool::unregister(numbers[0]).unwrap();
    Pool::registered(numbers[1]).unwrap();
    Pool::unregister(numbers[1]).unwrap();
    drop((next, kept));
    other.end();
}

/// The streams of a pool are those of all its execs, also of such as are gone.
#[test]
fn memory_of_a_pool_goes_behind_the_replays_of_all_its_graphs() {
    let bench = Bench::new();
    let pool = bench.pool();
    let streams: Vec<_> = (0..3).map(|_| Stream::create(&bench.context, StreamOptions::default()).unwrap()).collect();
    for stream in &streams {
        bench.record(&pool, &[]).instantiate().unwrap().launch(stream).unwrap();
    }
    drop(pool.allocate(8).unwrap());
    let before = bench.driver.released().len();
    drop(pool);
    let expected: Vec<StreamId> = streams.iter().map(Stream::id).collect();
    let released = bench.driver.released();
    assert_eq!((released.len(), &released[before].1), (before + 1, &expected));
    drop(streams);
    bench.end();
}

/// Others may take the graph of a capture into which no gc_ call recorded anything.
#[test]
fn a_capture_that_others_end_keeps_its_pool() {
    let bench = Bench::new();
    let pool = bench.pool();
    pool.add_object(bench.object(1)).unwrap();
    let stream = Stream::adopt(&bench.context, 7).unwrap();
    bench.driver.fail("capture_retain", Status::OUT_OF_MEMORY);
    let refused = stream.begin_capture_with_pool(CaptureMode::Relaxed, &pool).unwrap_err();
    assert_eq!((refused.status, bench.driver.captures()), (Status::OUT_OF_MEMORY, 0));
    pool.clear().unwrap();
    assert_eq!(bench.gone(), [1]);
    pool.add_object(bench.object(2)).unwrap();
    stream.begin_capture_with_pool(CaptureMode::Relaxed, &pool).unwrap();
    let graph = bench.context.driver().unwrap().end_capture(stream.id()).unwrap();
    drop((pool, stream));
    assert!(bench.gone().is_empty());
    bench.context.driver().unwrap().graph_destroy(graph);
    assert_eq!(bench.gone(), [2]);
    bench.end();
}
