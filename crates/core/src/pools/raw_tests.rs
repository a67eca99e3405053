//! Tests of what others allocate of pools by addresses and by streams of the driver's.

use super::*;
use crate::faulty::Faulty;
use crate::PoolOptions;
use graphcap_driver::rules::CaptureMode;

fn pool(context: &Context, reuse: Policy) -> Pool {
    Pool::create(context, PoolOptions { reuse, ..PoolOptions::default() }).unwrap()
}

fn allocate(pool: &Pool, bytes: usize, stream: usize) -> Address {
    pool.allocate_on_native(bytes, stream).unwrap()
}

fn free(address: Address, stream: usize) {
    Pool::free_on_native(address, stream).unwrap();
}

fn of_stream(stream: usize) -> Result<Pool> {
    Pool::of_native(0, stream)
}

#[test]
fn a_stream_uses_again_what_was_freed_on_it() {
    let (driver, context) = Faulty::sharing_context();
    let own = pool(&context, Policy::Ordered);
    let first = allocate(&own, 1000, 7);
    free(first, 7);
    assert_ne!(allocate(&own, 1000, 8), first, "of another stream");
    assert_ne!(allocate(&own, 1025, 7), first, "too small");
    // It is divided, and what is freed side by side is one.
    assert_eq!([300, 512, 8].map(|bytes| allocate(&own, bytes, 7) - first)[..2], [0, 512]);
    free(first + 512, 7);
    assert_ne!(allocate(&own, 1000, 7), first, "in use");
    free(first, 7);
    assert_eq!(allocate(&own, 1000, 7), first);
    let never = pool(&context, Policy::Never);
    let first = allocate(&never, 64, 7);
    free(first, 7);
    assert_ne!(allocate(&never, 64, 7), first);
    drop((own, never, context));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

#[test]
fn what_was_freed_goes_back_to_the_pool() {
    let (driver, context) = Faulty::sharing_context();
    let own = Pool::create(&context, PoolOptions { capacity: Some(8192), ..PoolOptions::default() }).unwrap();
    let used = || own.memory().unwrap().used;
    let blocks = [7, 7, 8].map(|stream| (allocate(&own, 1024, stream), stream));
    blocks.iter().for_each(|&(block, stream)| free(block, stream));
    assert_eq!(used(), 3072, "the streams use it again");
    own.trim().unwrap();
    assert_eq!(used(), 0);
    let waited_for = |used_by: usize| driver.released().iter().filter(|(_, by)| by.len() == used_by).count();
    assert_eq!(waited_for(1), 3, "behind the work of the stream");
    // Also where the pool has nothing else.
    let block = allocate(&own, 8000, 7);
    assert_eq!(own.allocate(8000).unwrap_err().status, Status::OUT_OF_MEMORY);
    free(block, 7);
    drop(own.allocate(8000).unwrap());
    // Not what a graph may use.
    let block = allocate(&own, 64, 7);
    let stream = Stream::adopt(&context, 9).unwrap();
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    allocate(&own, 64, 9);
    free(block, 7);
    own.trim().unwrap();
    assert_eq!(used(), 512);
    drop((stream.end_capture().unwrap(), stream, own, context));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

/// Blocks of a capture with the pool go back when it was freed and the graph is gone, and graphs that share it share it.
#[test]
fn what_a_capture_had_goes_with_its_graph() {
    for is_shared in [false, true] {
        let (driver, context) = Faulty::sharing_context();
        driver.let_parts_overlap();
        let own = Pool::create(&context, PoolOptions { is_shared, ..PoolOptions::default() }).unwrap();
        let stream = Stream::adopt(&context, 7).unwrap();
        let capture = |size: usize| {
            stream.begin_capture_with_pool(CaptureMode::Relaxed, &own).unwrap();
            let [first, second] = [0, 1].map(|_| allocate(&own, size, 7));
            free(first, 7);
            assert_eq!(allocate(&own, size, 7), first);
            let graph = stream.end_capture().unwrap();
            [first, second].into_iter().for_each(|block| free(block, 7));
            graph
        };
        let graphs: Vec<_> = [1024, 2048, 512].map(capture).into();
        let exec = graphs[1].instantiate().unwrap();
        assert_eq!(own.memory().unwrap().used, if is_shared { 4096 } else { 2 * (1024 + 2048 + 512) });
        exec.launch(&stream).unwrap();
        drop((graphs, exec));
        assert_eq!(own.memory().unwrap().used, 0);
        drop((stream, own, context));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
    }
}

#[test]
fn what_other_streams_use_is_used_again_behind_them() {
    let (driver, context) = Faulty::sharing_context();
    let own = pool(&context, Policy::Ordered);
    let block = allocate(&own, 64, 7);
    Pool::note_raw_use(block, 8).unwrap();
    Pool::note_raw_use(block, 7).unwrap();
    free(block, 7);
    let calls = driver.calls();
    assert_eq!(allocate(&own, 64, 7), block);
    assert!(driver.calls() > calls + 1, "the stream waits for an event");
    Pool::note_raw_use(block, 9).unwrap();
    // It cannot be told when the work is over of a stream that is captured.
    let captured = Stream::adopt(&context, 9).unwrap();
    captured.begin_capture(CaptureMode::Relaxed).unwrap();
    free(block, 7);
    assert_ne!(allocate(&own, 64, 7), block);
    drop(captured.end_capture().unwrap());
    drop((captured, own, context));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

/// Allocates a block on stream 7 and frees it behind the work of stream 8, too.
fn freed_behind(pool: &Pool, bytes: usize) -> Address {
    let block = allocate(pool, bytes, 7);
    Pool::note_raw_use(block, 8).unwrap();
    free(block, 7);
    block
}

/// A debug build panics where the driver destroys an event while a lock is held that is a leaf.
#[test]
fn events_that_are_not_needed_any_more_go_where_no_lock_is_held() {
    let (driver, context) = Faulty::sharing_context();
    let own = pool(&context, Policy::Ordered);
    // With the segment.
    freed_behind(&own, 64);
    own.trim().unwrap();
    // As a graph may use the block.
    let block = allocate(&own, 64, 7);
    Pool::note_raw_use(block, 8).unwrap();
    let stream = Stream::adopt(&context, 9).unwrap();
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    allocate(&own, 64, 9);
    drop(stream.end_capture().unwrap());
    free(block, 7);
    assert_ne!(allocate(&own, 64, 7), block);
    drop((stream, own, context));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

#[test]
fn each_part_of_a_block_is_used_again_behind_its_events() {
    let (driver, context) = Faulty::sharing_context();
    let own = pool(&context, Policy::Ordered);
    let stream = Stream::adopt(&context, 7).unwrap();
    let (wait, place) = ([("wait", stream.id())], (7, 0));
    let block = freed_behind(&own, 4096);
    driver.ordered();
    // Another thread has a part and has not had the stream wait yet.
    let (first, behind) = own.take_freed(512, place).unwrap();
    assert_eq!((first, behind.len()), (block, 1));
    driver.fail("stream_wait_event", Status::OUT_OF_MEMORY);
    assert_eq!(own.allocate_on_native(512, 7).unwrap_err().status, Status::OUT_OF_MEMORY);
    assert_eq!((driver.ordered(), allocate(&own, 512, 7)), (vec![], block + 1024), "the part before is withheld");
    assert_eq!(driver.ordered(), wait);
    // What is left is behind that wait.
    assert_eq!((allocate(&own, 512, 7), driver.ordered()), (block + 1536, vec![]));
    free(block + 1536, 7);
    assert_eq!((allocate(&own, 2560, 7), driver.ordered()), (block + 1536, vec![]), "it is one piece with the rest");
    drop((behind, stream, own, context));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

/// The only test that binds a pool or asks which pool a stream has: while none is bound, the answer is looked for in the captures of all
/// tests. c_tests/object/pool_raw.c asks then.
#[test]
fn a_capture_has_its_pool_and_its_blocks() {
    let (driver, context) = Faulty::sharing_context();
    driver.let_parts_overlap();
    let (bound, of_capture) = (pool(&context, Policy::Ordered), pool(&context, Policy::Ordered));
    assert_eq!(bound.bind(1).unwrap_err().status, Status::INVALID_VALUE);
    bound.bind(0).unwrap();
    let stream = Stream::adopt(&context, 7).unwrap();
    let before = allocate(&of_stream(7).unwrap(), 64, 7);
    stream.begin_capture_with_pool(CaptureMode::Relaxed, &of_capture).unwrap();
    assert_eq!((of_stream(7).unwrap().id(), of_stream(8).unwrap().id()), (of_capture.id(), bound.id()));
    let (kept, freed) = (allocate(&of_capture, 64, 7), allocate(&of_capture, 64, 7));
    free(freed, 7);
    assert_eq!(allocate(&of_capture, 64, 7), freed);
    let outside = allocate(&of_capture, 64, 8);
    assert!(outside != freed && outside != kept);
    // Allocated before, so that the graph may have it.
    free(before, 7);
    let graph = stream.end_capture().unwrap();
    free(kept, 7);
    free(freed, 7);
    let later = [allocate(&of_capture, 64, 7), allocate(&bound, 64, 7)];
    assert!(later.iter().all(|later| ![kept, freed, before].contains(later)), "a replay uses them");
    Pool::unbind(0).unwrap();
    drop((stream, bound, of_capture));
    // The graph keeps the pool, and that its blocks.
    assert!(Pool::note_raw_use(later[0], 9).is_ok());
    drop(graph);
    assert_eq!(Pool::note_raw_use(later[0], 9).unwrap_err().status, Status::NOT_FOUND);
    drop(context);
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}

#[test]
fn what_is_freed_while_an_unrelated_capture_is_met_is_kept() {
    let (_driver, context) = Faulty::sharing_context();
    let own = pool(&context, Policy::Ordered);
    let block = allocate(&own, 64, 7);
    let stream = Stream::adopt(&context, 9).unwrap();
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    allocate(&own, 64, 9);
    drop(stream.end_capture().unwrap());
    free(block, 7);
    assert_ne!(allocate(&own, 64, 7), block, "the graph may use it");
}

#[test]
fn bad_addresses_and_sealed_pools_are_refused() {
    let (driver, context) = Faulty::sharing_context();
    let own = pool(&context, Policy::Ordered);
    let block = allocate(&own, 64, 7);
    let freed = |address| Pool::free_on_native(address, 7).map_err(|error| error.status);
    assert_eq!(freed(block + 1), Err(Status::NOT_FOUND));
    assert_eq!(freed(0), Err(Status::NOT_FOUND));
    assert_eq!((freed(block), freed(block)), (Ok(()), Err(Status::NOT_FOUND)));
    assert_eq!(Pool::note_raw_use(block, 8).unwrap_err().status, Status::NOT_FOUND);
    own.seal().unwrap();
    let refused = |bytes| own.allocate_on_native(bytes, 7).unwrap_err().status;
    assert_eq!(refused(64), Status::SEALED);
    own.unseal().unwrap();
    assert_eq!(refused(0), Status::INVALID_VALUE);
    // What cannot be waited for is not used again.
    let block = allocate(&own, 64, 8);
    driver.fail("capture_info", Status::LAUNCH_FAILED);
    free(block, 8);
    assert_ne!(allocate(&own, 64, 8), block);
    drop((own, context));
    assert_eq!((driver.live(), driver.violations()), (0, vec![]));
}
