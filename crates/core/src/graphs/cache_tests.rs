//! Tests of what a cache records, launches, keeps and drops.

use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::time::Duration;

use super::*;
use crate::faulty::Faulty;
use crate::Buffer;
use graphcap_base::error::Status;
use graphcap_driver::{Address, ByteModel, StreamOptions};

struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    stream: Stream,
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        Bench { driver, context, stream }
    }

    fn cache(&self, options: CacheOptions) -> GraphCache {
        GraphCache::create(&self.context, options).unwrap()
    }

    fn sharing(&self) -> GraphCache {
        self.cache(CacheOptions { shares_execs: true, ..CacheOptions::default() })
    }

    /// Launches a key whose work is `count` memsets of a buffer that nobody else keeps. Gives its address if it was recorded.
    fn launch(&self, cache: &GraphCache, key: &str, count: usize) -> Option<Address> {
        let mut recorded = None;
        cache
            .launch(key.as_bytes(), &self.stream, |stream| {
                let buffer = Buffer::allocate(&self.context, 64)?;
                recorded = Some(buffer.address());
                (0..count).try_for_each(|_| stream.memset(&buffer, 0, 1, 1, 8))
            })
            .unwrap();
        assert_eq!(self.driver.violations(), Vec::<String>::new());
        recorded
    }

    fn end(self) {
        let Bench { driver, context, stream } = self;
        drop((context, stream));
        assert_eq!((driver.live(), driver.captures(), driver.violations()), (0, 0, vec![]));
    }
}

fn nothing(_: &Stream) -> Result<()> {
    panic!("recorded")
}

/// Returns what an exec of so many memsets takes, and its graph.
fn bytes_of(memsets: u64) -> (u64, u64) {
    let model = ByteModel::Cuda;
    let exec = model.exec_node(NodeKind::Memset).times(memsets) + model.exec();
    let graph = model.graph_node(NodeKind::Memset).times(memsets) + model.graph();
    (exec.total(), graph.total())
}

#[test]
fn the_work_of_a_key_is_recorded_once_and_kept() {
    let bench = Bench::new();
    let cache = bench.cache(CacheOptions::default());
    let memory = bench.launch(&cache, "a", 2).unwrap();
    for _ in 0..3 {
        assert!(bench.launch(&cache, "a", 2).is_none());
        assert!(cache.launch_at_once(b"a", &bench.stream).unwrap());
    }
    assert!(!cache.launch_at_once(b"b", &bench.stream).unwrap());
    assert!(bench.launch(&cache, "b", 2).is_some());
    let stats = cache.stats();
    assert_eq!((stats.hits, stats.recordings, stats.updates, stats.instantiations), (6, 2, 0, 2));
    assert_eq!((stats.keys, stats.execs, stats.evictions), (2, 2, 0));
    assert_eq!(stats.bytes.total(), 2 * bytes_of(2).0);
    assert!(bench.driver.is_allocated(memory));
    drop(cache);
    assert!(!bench.driver.is_allocated(memory));
    bench.end();
}

#[test]
fn keys_are_bytes_and_may_be_empty() {
    let bench = Bench::new();
    let cache = bench.cache(CacheOptions::default());
    for key in ["", "\0", "\0\0", "a"] {
        assert!(bench.launch(&cache, key, 1).is_some());
        assert!(bench.launch(&cache, key, 1).is_none());
    }
    assert_eq!(cache.stats().keys, 4);
    drop(cache);
    bench.end();
}

#[test]
fn keys_of_one_topology_share_an_exec_that_does_the_work_of_the_key() {
    let bench = Bench::new();
    let cache = bench.sharing();
    let memory: Vec<_> = ["a", "b", "c"].iter().map(|key| bench.launch(&cache, key, 2).unwrap()).collect();
    let long = bench.launch(&cache, "long", 3).unwrap();
    let stats = cache.stats();
    assert_eq!((stats.hits, stats.recordings, stats.updates, stats.instantiations), (0, 4, 2, 2));
    assert_eq!((stats.keys, stats.execs), (4, 2));
    let ((exec, graph), (long_exec, long_graph)) = (bytes_of(2), bytes_of(3));
    assert_eq!(stats.bytes.total(), exec + 3 * graph + long_exec + long_graph);
    // The last one is still in the exec.
    assert!(cache.launch_at_once(b"c", &bench.stream).unwrap());
    assert!(!cache.launch_at_once(b"a", &bench.stream).unwrap());
    for (key, at) in ["a", "b", "c", "a"].iter().zip([0, 1, 2, 0]) {
        bench.driver.forget_uses();
        assert!(bench.launch(&cache, key, 2).is_none());
        let used: Vec<_> = memory.iter().map(|&address| bench.driver.is_used(address)).collect();
        let wanted: Vec<_> = (0..3).map(|other| other == at).collect();
        assert_eq!(used, wanted, "the exec did the work of another key");
    }
    let stats = cache.stats();
    assert_eq!((stats.hits, stats.updates, stats.instantiations), (1, 6, 2));
    drop(cache);
    assert!(memory.iter().chain([&long]).all(|&address| !bench.driver.is_allocated(address)));
    bench.end();
}

#[test]
fn a_shared_exec_goes_with_its_last_key() {
    let bench = Bench::new();
    let cache = bench.sharing();
    let first = bench.launch(&cache, "a", 1).unwrap();
    let second = bench.launch(&cache, "b", 1).unwrap();
    cache.remove(b"a");
    let (exec, graph) = bytes_of(1);
    let stats = cache.stats();
    assert_eq!((stats.keys, stats.execs, stats.bytes.total()), (1, 1, exec + 2 * graph));
    assert!(bench.driver.is_allocated(first), "the graph of the first key is that of the exec");
    assert!(bench.launch(&cache, "b", 1).is_none());
    cache.remove(b"b");
    let stats = cache.stats();
    assert_eq!((stats.keys, stats.execs, stats.bytes.total()), (0, 0, 0));
    assert!(!bench.driver.is_allocated(first) && !bench.driver.is_allocated(second));
    drop(cache);
    bench.end();
}

#[test]
fn a_key_whose_update_is_refused_gets_an_exec_of_its_own() {
    let bench = Bench::new();
    let cache = bench.sharing();
    bench.launch(&cache, "a", 1);
    bench.driver.fail("exec_can_update", Status::UNKNOWN);
    bench.launch(&cache, "b", 1);
    let stats = cache.stats();
    assert_eq!((stats.updates, stats.instantiations, stats.execs), (0, 2, 2));
    // Told that it can be updated, and then it cannot.
    bench.driver.refuse_next_update();
    bench.launch(&cache, "c", 1);
    let stats = cache.stats();
    assert_eq!((stats.updates, stats.instantiations, stats.execs), (1, 2, 2), "by the other exec");
    // One that was updated, and cannot be updated back.
    bench.launch(&cache, "a", 1);
    bench.launch(&cache, "b", 1);
    bench.driver.refuse_next_update();
    bench.launch(&cache, "c", 1);
    let stats = cache.stats();
    assert_eq!((stats.keys, stats.execs, stats.instantiations), (3, 3, 3));
    assert!(cache.launch_at_once(b"c", &bench.stream).unwrap(), "it is its own");
    drop(cache);
    bench.end();
}

#[test]
fn an_update_that_fails_leaves_the_key() {
    let bench = Bench::new();
    let cache = bench.sharing();
    bench.launch(&cache, "a", 1);
    bench.launch(&cache, "b", 1);
    bench.driver.fail("exec_update", Status::OUT_OF_MEMORY);
    assert_eq!(cache.launch(b"a", &bench.stream, nothing).unwrap_err().status, Status::OUT_OF_MEMORY);
    // What the exec does is not known now.
    bench.launch(&cache, "b", 1);
    bench.launch(&cache, "a", 1);
    let stats = cache.stats();
    assert_eq!((stats.keys, stats.updates, stats.hits), (2, 3, 0));
    drop(cache);
    bench.end();
}

#[test]
fn the_keys_that_were_not_used_for_the_longest_time_leave_first() {
    let bench = Bench::new();
    let limit = 3 * bytes_of(2).0;
    let cache = bench.cache(CacheOptions { max_bytes: Some(limit), ..CacheOptions::default() });
    for key in ["a", "b", "c"] {
        bench.launch(&cache, key, 2);
    }
    assert!(cache.launch_at_once(b"a", &bench.stream).unwrap());
    bench.launch(&cache, "d", 2);
    let has = |key: &str| bench.launch(&cache, key, 2).is_none();
    assert!(has("a") && has("c") && has("d"));
    assert_eq!((cache.stats().evictions, cache.stats().bytes.total()), (1, limit));
    assert!(!has("b") && !has("a") && has("d") && has("b"));
    // One that takes the place of several.
    bench.launch(&cache, "large", 4);
    assert!(cache.stats().bytes.total() <= limit);
    assert_eq!(cache.stats().keys, 2);
    drop(cache);
    bench.end();
}

#[test]
fn what_alone_is_larger_than_the_limit_is_launched_and_harms_no_other_key() {
    let bench = Bench::new();
    for shares_execs in [false, true] {
        let (exec, graph) = bytes_of(2);
        let max_bytes = Some(exec + graph);
        let cache = bench.cache(CacheOptions { shares_execs, max_bytes, ..CacheOptions::default() });
        bench.launch(&cache, "a", 2);
        for _ in 0..3 {
            let memory = bench.launch(&cache, "large", 9).unwrap();
            assert!(!bench.driver.is_allocated(memory));
        }
        assert!(bench.launch(&cache, "a", 2).is_none());
        let stats = cache.stats();
        assert_eq!((stats.keys, stats.execs, stats.evictions, stats.recordings), (1, 1, 3, 4));
    }
    bench.end();
}

#[test]
fn a_shared_exec_stays_while_keys_are_evicted_one_by_one() {
    let bench = Bench::new();
    let (exec, graph) = bytes_of(2);
    let options = CacheOptions { shares_execs: true, max_bytes: Some(exec + 3 * graph), ..CacheOptions::default() };
    let cache = bench.cache(options);
    for key in ["a", "b", "c", "d", "e", "f"] {
        bench.launch(&cache, key, 2);
        assert!(cache.stats().bytes.total() <= exec + 3 * graph);
    }
    let stats = cache.stats();
    assert_eq!((stats.instantiations, stats.execs), (1, 1));
    assert!(bench.launch(&cache, "f", 2).is_none());
    drop(cache);
    bench.end();
}

#[test]
fn a_failed_recording_leaves_nothing() {
    let bench = Bench::new();
    let cache = bench.cache(CacheOptions::default());
    let live = bench.driver.live();
    let failing = |stream: &Stream| {
        let buffer = Buffer::allocate(&bench.context, 64)?;
        stream.memset(&buffer, 0, 1, 1, 8)?;
        Err(Error::new(Status::NOT_FOUND, "no such shape"))
    };
    let error = cache.launch(b"a", &bench.stream, failing).unwrap_err();
    assert_eq!((error.status, &*error.message), (Status::NOT_FOUND, "no such shape"));
    let error = cache.launch(b"a", &bench.stream, |_| Ok::<(), Error>(())).unwrap_err();
    assert!(error.status == Status::INVALID_VALUE && error.message.contains("nothing"), "{error}");
    let ending = |stream: &Stream| stream.end_capture().map(drop);
    let error = cache.launch(b"a", &bench.stream, ending).unwrap_err();
    assert_eq!(error.status, Status::CAPTURE_UNMATCHED);
    // Another capture of the stream goes with the stream.
    let again = |stream: &Stream| {
        stream.end_capture()?;
        stream.begin_capture(CaptureMode::Relaxed)
    };
    assert_eq!(cache.launch(b"a", &bench.stream, again).unwrap_err().status, Status::CAPTURE_UNMATCHED);
    let breaking = |_: &Stream| {
        bench.driver.break_captures();
        Ok::<(), Error>(())
    };
    assert_eq!(cache.launch(b"a", &bench.stream, breaking).unwrap_err().status, Status::CAPTURE_INVALIDATED);
    for (call, status) in [
        ("stream_create", Status::OUT_OF_MEMORY),
        ("begin_capture", Status::OUT_OF_MEMORY),
        ("end_capture", Status::UNKNOWN),
        ("graph_instantiate", Status::CAPTURE_UNSUPPORTED),
    ] {
        bench.driver.fail(call, status);
        let buffer = Buffer::allocate(&bench.context, 64).unwrap();
        let error = cache.launch(b"a", &bench.stream, |stream| stream.memset(&buffer, 0, 1, 1, 8)).unwrap_err();
        assert_eq!(error.status, status, "{call}");
    }
    assert_eq!((bench.driver.live(), bench.driver.captures()), (live, 0));
    assert_eq!(CacheStats { recordings: 0, ..cache.stats() }, CacheStats::default());
    assert!(bench.launch(&cache, "a", 1).is_some());
    drop(cache);
    bench.end();
}

#[test]
fn a_panic_in_a_recording_leaves_the_key_to_others() {
    let bench = Bench::new();
    let cache = bench.cache(CacheOptions::default());
    let panicking = || cache.launch(b"a", &bench.stream, |_| -> Result<()> { std::panic::panic_any(1) });
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panicking)).is_err());
    assert!(bench.launch(&cache, "a", 1).is_some());
    drop(cache);
    bench.end();
}

#[test]
fn a_launch_that_fails_leaves_the_key() {
    let bench = Bench::new();
    for shares_execs in [false, true] {
        let cache = bench.cache(CacheOptions { shares_execs, ..CacheOptions::default() });
        bench.driver.fail("exec_launch", Status::CAPTURE_UNSUPPORTED);
        let buffer = Buffer::allocate(&bench.context, 64).unwrap();
        let error = cache.launch(b"a", &bench.stream, |stream| stream.memset(&buffer, 0, 1, 1, 8)).unwrap_err();
        assert_eq!(error.status, Status::CAPTURE_UNSUPPORTED);
        cache.launch(b"a", &bench.stream, nothing).unwrap();
        bench.driver.fail("exec_launch", Status::CAPTURE_UNSUPPORTED);
        assert_eq!(cache.launch_at_once(b"a", &bench.stream).unwrap_err().status, Status::CAPTURE_UNSUPPORTED);
        let stats = cache.stats();
        assert_eq!((stats.keys, stats.hits, stats.recordings), (1, 1, 1));
    }
    bench.end();
}

#[test]
fn a_recording_function_cannot_launch_through_its_cache() {
    let bench = Bench::new();
    let cache = bench.cache(CacheOptions::default());
    bench.launch(&cache, "b", 1);
    let buffer = Buffer::allocate(&bench.context, 64).unwrap();
    let calling = |stream: &Stream| {
        for key in [&b"a"[..], b"b", b"c"] {
            assert_eq!(cache.launch(key, &bench.stream, nothing).unwrap_err().status, Status::BUSY);
            assert_eq!(cache.launch_at_once(key, &bench.stream).unwrap_err().status, Status::BUSY);
        }
        assert_eq!(cache.stats().keys, 1);
        // Another cache is another matter.
        let other = bench.cache(CacheOptions::default());
        bench.launch(&other, "a", 1);
        stream.memset(&buffer, 0, 1, 1, 8)
    };
    cache.launch(b"a", &bench.stream, calling).unwrap();
    assert!(cache.launch_at_once(b"a", &bench.stream).unwrap());
    drop((cache, buffer));
    bench.end();
}

#[test]
fn what_is_forgotten_while_it_is_recorded_is_launched_and_not_kept() {
    let bench = Bench::new();
    let cache = bench.sharing();
    let ways: [fn(&GraphCache); 2] = [|cache| cache.remove(b"a"), GraphCache::clear];
    for forget in ways {
        let buffer = Buffer::allocate(&bench.context, 64).unwrap();
        let before = cache.stats();
        let forgetting = |stream: &Stream| {
            stream.memset(&buffer, 0, 1, 1, 8)?;
            forget(&cache);
            Ok::<(), Error>(())
        };
        cache.launch(b"a", &bench.stream, forgetting).unwrap();
        let stats = cache.stats();
        assert_eq!((stats.keys, stats.bytes), (0, Bytes::default()));
        assert_eq!((stats.recordings, stats.evictions), (before.recordings + 1, 0));
    }
    bench.launch(&cache, "a", 1);
    bench.launch(&cache, "b", 2);
    cache.clear();
    let stats = cache.stats();
    assert_eq!((stats.keys, stats.execs, stats.bytes), (0, 0, Bytes::default()));
    drop(cache);
    bench.end();
}

#[test]
fn a_second_thread_waits_for_the_recording_and_records_itself_where_that_failed() {
    let bench = Bench::new();
    let cache = bench.cache(CacheOptions::default());
    for fails in [false, true] {
        let (began, is_begun) = channel();
        let (go_on, may_go_on) = channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let buffer = Buffer::allocate(&bench.context, 64).unwrap();
                let slow = move |stream: &Stream| {
                    began.send(()).unwrap();
                    may_go_on.recv().unwrap();
                    stream.memset(&buffer, 0, 1, 1, 8)?;
                    if fails {
                        Err(Error::invalid_value("no"))
                    } else {
                        Ok(())
                    }
                };
                assert_eq!(cache.launch(b"a", &bench.stream, slow).is_err(), fails);
            });
            is_begun.recv().unwrap();
            // Others go on.
            bench.launch(&cache, "b", 1);
            let recorded = scope.spawn(|| bench.launch(&cache, "a", 1).is_some());
            std::thread::sleep(Duration::from_millis(5));
            assert!(!recorded.is_finished());
            go_on.send(()).unwrap();
            assert_eq!(recorded.join().unwrap(), fails);
        });
        assert_eq!(cache.stats().keys, 2);
        cache.remove(b"a");
    }
    drop(cache);
    bench.end();
}

#[test]
fn recording_functions_do_not_wait_for_each_other() {
    let bench = Bench::new();
    let caches = [bench.cache(CacheOptions::default()), bench.cache(CacheOptions::default())];
    let together = Barrier::new(2);
    let crossing = |own: usize| {
        let mut tried = None;
        let buffer = Buffer::allocate(&bench.context, 64).unwrap();
        let record = |stream: &Stream| {
            together.wait();
            tried = caches[1 - own].launch(b"a", &bench.stream, nothing).err();
            together.wait();
            stream.memset(&buffer, 0, 1, 1, 8)
        };
        caches[own].launch(b"a", &bench.stream, record).unwrap();
        tried.unwrap().status
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| crossing(1));
        assert_eq!((crossing(0), other.join().unwrap()), (Status::BUSY, Status::BUSY));
    });
    drop(caches);
    bench.end();
}

#[test]
fn threads_get_the_work_of_their_keys() {
    let bench = Bench::new();
    let (exec, graph) = bytes_of(1);
    for (shares_execs, max_bytes) in
        [(false, None), (true, None), (false, Some(3 * exec)), (true, Some(exec + 3 * graph))]
    {
        let cache = bench.cache(CacheOptions { shares_execs, max_bytes, ..CacheOptions::default() });
        std::thread::scope(|scope| {
            for thread in 0..4_usize {
                let (bench, cache) = (&bench, &cache);
                scope.spawn(move || {
                    for round in 0..200 {
                        let key = ["a", "b", "c", "d", "e"][(thread * 7 + round * 3) % 5];
                        bench.launch(cache, key, 1);
                        assert!(max_bytes.is_none_or(|limit| cache.stats().bytes.total() <= limit));
                    }
                });
            }
        });
        let stats = cache.stats();
        assert_eq!(stats.hits + stats.updates + stats.instantiations, 800);
        assert_eq!(stats.recordings, stats.keys as u64 + stats.evictions);
    }
    bench.end();
}

#[test]
fn bad_options_and_streams_of_other_devices_are_refused() {
    let bench = Bench::new();
    let global = CacheOptions { mode: CaptureMode::Global, ..CacheOptions::default() };
    assert_eq!(GraphCache::create(&bench.context, global).unwrap_err().status, Status::INVALID_VALUE);
    let cache = bench.cache(CacheOptions::default());
    let (_driver, elsewhere) = Faulty::context();
    let stream = Stream::create(&elsewhere, StreamOptions::default()).unwrap();
    assert_eq!(cache.launch(b"a", &stream, nothing).unwrap_err().status, Status::INVALID_CONTEXT);
    // One of the same kind is as good.
    let neighbour = bench.driver.another_context();
    let stream = Stream::create(&neighbour, StreamOptions::default()).unwrap();
    let buffer = Buffer::allocate(&bench.context, 64).unwrap();
    cache.launch(b"a", &stream, |stream| stream.memset(&buffer, 0, 1, 1, 8)).unwrap();
    drop((cache, stream, neighbour, buffer));
    bench.end();
}
