//! Order, independence and waiting of streams and events; memory; faults.

use super::*;
use crate::engine::lanes::lanes;
use graphcap_base::error::Status;
use graphcap_base::lock::lock;

#[test]
fn a_stream_runs_its_work_in_order_and_asynchronously() {
    let bench = Bench::new();
    let stream = bench.stream();
    let marks: Vec<Mark> = (0..100).map(|_| Mark::default()).collect();
    let gate = bench.hold(stream);
    for mark in &marks {
        bench.mark(stream, mark).unwrap();
    }
    assert!(!bench.driver.stream_is_complete(stream).unwrap());
    assert!(marks.iter().all(|mark| mark.runs() == 0));
    drop(gate);
    bench.finish(stream);
    assert!(bench.driver.stream_is_complete(stream).unwrap());
    assert!(marks.windows(2).all(|pair| pair[0].tick() < pair[1].tick()));
}

#[test]
fn streams_are_independent_and_events_order_them() {
    let bench = Bench::new();
    let (a, b, c) = (bench.stream(), bench.stream(), bench.stream());
    let (first, free, after) = (Mark::default(), Mark::default(), Mark::default());
    let gate = bench.hold(a);
    bench.mark(a, &first).unwrap();
    bench.order(a, c);
    bench.mark(c, &after).unwrap();
    bench.mark(b, &free).unwrap();
    bench.finish(b);
    assert_eq!((free.runs(), first.runs(), after.runs()), (1, 0, 0));
    drop(gate);
    bench.finish(c);
    assert!(first.tick() < after.tick());
}

#[test]
fn blocking_streams_order_against_the_legacy_stream() {
    let bench = Bench::new();
    let (before, after, aside) = (bench.blocking_stream(), bench.blocking_stream(), bench.stream());
    let marks: [Mark; 4] = Default::default();
    let gate = bench.hold(before);
    bench.mark(before, &marks[0]).unwrap();
    bench.mark(StreamId::LEGACY, &marks[1]).unwrap();
    bench.mark(after, &marks[2]).unwrap();
    bench.mark(aside, &marks[3]).unwrap();
    bench.finish(aside);
    assert_eq!(marks.each_ref().map(Mark::runs), [0, 0, 0, 1]);
    assert!(!bench.driver.stream_is_complete(StreamId::LEGACY).unwrap());
    drop(gate);
    bench.finish(after);
    assert!(marks[0].tick() < marks[1].tick() && marks[1].tick() < marks[2].tick());
    bench.finish(StreamId::LEGACY);
    assert!(bench.driver.stream_is_complete(StreamId::LEGACY).unwrap());
}

#[test]
fn legacy_and_blocking_work_of_many_threads_never_overlaps() {
    let bench = Bench::new();
    let inside = AtomicU64::new(0);
    let overlaps = AtomicU64::new(0);
    let legacy_runs = Arc::new(AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (bench, inside, overlaps, legacy_runs) = (&bench, &inside, &overlaps, &legacy_runs);
            scope.spawn(move || {
                let stream = bench.blocking_stream();
                // SAFETY of the borrow: the scope ends after everything has been synchronised.
                let (inside, overlaps) = (std::ptr::from_ref(inside) as usize, std::ptr::from_ref(overlaps) as usize);
                for round in 0..rounds(10_000) {
                    let legacy = thread == 0 && round % 3 == 0;
                    let runs = Arc::clone(legacy_runs);
                    let function = move || {
                        // SAFETY: both outlive the streams' work, see above.
                        let (inside, overlaps) =
                            unsafe { (&*(inside as *const AtomicU64), &*(overlaps as *const AtomicU64)) };
                        let weight = if legacy { 1000 } else { 1 };
                        let seen = inside.fetch_add(weight, Ordering::SeqCst);
                        if seen >= 1000 || (legacy && seen > 0) {
                            overlaps.fetch_add(1, Ordering::SeqCst);
                        }
                        runs.fetch_add(u64::from(legacy), Ordering::SeqCst);
                        inside.fetch_sub(weight, Ordering::SeqCst);
                    };
                    let target = if legacy { StreamId::LEGACY } else { stream };
                    bench.driver.launch_host_function(target, Arc::new(function)).unwrap();
                }
                bench.driver.synchronize().unwrap();
            });
        }
    });
    assert!(legacy_runs.load(Ordering::SeqCst) > 0);
    assert_eq!(overlaps.load(Ordering::SeqCst), 0);
}

#[test]
fn every_thread_has_a_default_stream_of_its_own() {
    let bench = Bench::new();
    let gate = bench.hold(StreamId::PER_THREAD);
    assert!(!bench.driver.stream_is_complete(StreamId::PER_THREAD).unwrap());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mark = Mark::default();
            bench.mark(StreamId::PER_THREAD, &mark).unwrap();
            bench.finish(StreamId::PER_THREAD);
            assert_eq!(mark.runs(), 1);
        });
    });
    drop(gate);
    bench.finish(StreamId::PER_THREAD);
}

#[test]
fn events_tell_completion_and_time() {
    let bench = Bench::new();
    let stream = bench.stream();
    let (start, end) = (bench.event(), bench.event());
    let driver = &bench.driver;
    assert!(driver.event_is_complete(start).unwrap(), "never recorded");
    assert_eq!(driver.event_elapsed_ms(start, end).unwrap_err().status, Status::INVALID_HANDLE);
    driver.event_record(start, stream).unwrap();
    let gate = bench.hold(stream);
    driver.event_record(end, stream).unwrap();
    assert!(!driver.event_is_complete(end).unwrap());
    driver.event_synchronize(start).unwrap();
    assert_eq!(driver.event_elapsed_ms(start, end).unwrap_err().status, Status::NOT_READY);
    // What will never be ready is told whether or not the other event is.
    let never = bench.event();
    assert_eq!(driver.event_elapsed_ms(end, never).unwrap_err().status, Status::INVALID_HANDLE);
    assert_eq!(driver.event_elapsed_ms(never, end).unwrap_err().status, Status::INVALID_HANDLE);
    drop(gate);
    driver.event_synchronize(end).unwrap();
    assert!(driver.event_elapsed_ms(start, end).unwrap() > 0.0);
    assert!(driver.event_elapsed_ms(end, start).unwrap() < 0.0);
    let untimed = driver.event_create(EventOptions { disable_timing: true, ..EventOptions::default() }).unwrap();
    driver.event_record(untimed, stream).unwrap();
    driver.event_synchronize(untimed).unwrap();
    assert_eq!(driver.event_elapsed_ms(start, untimed).unwrap_err().status, Status::INVALID_HANDLE);
}

#[test]
fn memory_is_moved_and_checked() {
    let bench = Bench::new();
    let (driver, stream) = (&bench.driver, bench.stream());
    let bytes = 1000;
    let ((a_memory, a), (b_memory, b)) =
        (driver.allocate(bytes, MemoryKind::Pooled).unwrap(), driver.allocate(bytes, MemoryKind::Pooled).unwrap());
    let source: Vec<u8> = (0..bytes).map(|n| n as u8).collect();
    let mut back = vec![0u8; bytes];
    let copy = |kind, destination, source, bytes| Memcpy { destination, source, bytes, kind };
    driver.memcpy(stream, copy(MemcpyKind::HostToDevice, a, source.as_ptr() as u64, bytes)).unwrap();
    driver
        .memset(stream, Memset { address: a + 4, value: 0xABCD_1234, element_size: 4, count: 3, rows: 1, pitch: 0 })
        .unwrap();
    driver
        .memset(stream, Memset { address: a + 16, value: 0xABCD_1234, element_size: 2, count: 1, rows: 1, pitch: 0 })
        .unwrap();
    driver.memcpy(stream, copy(MemcpyKind::DeviceToDevice, b + 1, a, bytes - 1)).unwrap();
    driver.memcpy(stream, copy(MemcpyKind::DeviceToHost, back.as_mut_ptr() as u64, b + 1, bytes - 1)).unwrap();
    bench.finish(stream);
    let mut expected = source.clone();
    expected[4..16].copy_from_slice(&0xABCD_1234u32.to_ne_bytes().repeat(3));
    expected[16..18].copy_from_slice(&0x1234u16.to_ne_bytes());
    assert_eq!(back[..bytes - 1], expected[..bytes - 1]);

    driver.release(b_memory, &[]);
    for (destination, source, bytes) in [(b, a, 1), (a, b, 1), (a, a + 1, bytes), (a, 0, 1), (a, a, usize::MAX)] {
        let bad = copy(MemcpyKind::DeviceToDevice, destination, source, bytes);
        assert_eq!(driver.memcpy(stream, bad).unwrap_err().status, Status::INVALID_VALUE);
    }
    for (address, element_size, count) in [(b, 1, 1), (a, 4, 251), (a + 1, 2, 1), (a, 3, 1), (a, 4, usize::MAX)] {
        let bad = Memset { address, value: 0, element_size, count, rows: 1, pitch: 0 };
        assert_eq!(driver.memset(stream, bad).unwrap_err().status, Status::INVALID_VALUE);
    }
    bench.finish(stream);
    driver.release(a_memory, &[]);
}

#[test]
fn memory_goes_back_after_the_work_that_uses_it() {
    let bench = Bench::new();
    let stream = bench.stream();
    let released = Arc::new(AtomicBool::new(false));
    let bytes = [0u8; 64];
    let address = bytes.as_ptr() as u64;
    let told = Arc::clone(&released);
    let memory = bench.driver.adopt(address, 64, Box::new(move || told.store(true, Ordering::SeqCst))).unwrap();
    let gate = bench.hold(stream);
    bench.driver.memset(stream, Memset { address, value: 1, element_size: 1, count: 64, rows: 1, pitch: 0 }).unwrap();
    bench.driver.stream_destroy(stream);
    bench.driver.release(memory, &[stream]);
    assert!(!released.load(Ordering::SeqCst));
    drop(gate);
    bench.driver.synchronize().unwrap();
    while !released.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
}

#[test]
fn every_block_runs_once_however_many_there_are() {
    let bench = Bench::new();
    let stream = bench.stream();
    for (grid, shared_mem_bytes) in [([1, 1, 1], 0), ([7, 5, 3], 0), ([1000, 20, 1], 0), ([300, 3, 2], 4096)] {
        let blocks = grid.iter().product::<u32>() as usize;
        let counters: Vec<AtomicU64> = (0..blocks).map(|_| AtomicU64::new(0)).collect();
        let shape = LaunchShape { grid, block: [32, 1, 1], shared_mem_bytes };
        let argument = (counters.as_ptr() as usize).to_ne_bytes();
        bench.driver.launch_kernel(stream, bench.count_blocks, shape, &[Argument::Value(&argument)]).unwrap();
        bench.finish(stream);
        assert!(counters.iter().all(|counter| counter.load(Ordering::SeqCst) == 1), "{grid:?}");
    }
}

#[test]
fn impossible_launches_are_refused() {
    let bench = Bench::new();
    let stream = bench.stream();
    let mark = Mark::default();
    for (grid, block, shared_mem_bytes) in [
        ([0, 1, 1], [1, 1, 1], 0),
        ([1, 1, 65_536], [1, 1, 1], 0),
        ([u32::MAX, 1, 1], [1, 1, 1], 0),
        ([1, 1, 1], [1, 0, 1], 0),
        ([1, 1, 1], [2000, 1, 1], 0),
        ([1, 1, 1], [1024, 2, 1], 0),
        ([1, 1, 1], [1, 1, 65], 0),
        ([1, 1, 1], [1, 1, 1], u32::MAX),
    ] {
        let shape = LaunchShape { grid, block, shared_mem_bytes };
        let refused = bench.driver.launch_kernel(stream, bench.append, shape, &[Argument::Value(&mark.argument())]);
        assert_eq!(refused.unwrap_err().status, Status::INVALID_VALUE, "{shape:?}");
    }
    bench.finish(stream);
    assert_eq!(mark.runs(), 0);
}

#[test]
fn a_failing_kernel_faults_its_context_and_no_other() {
    let bench = Bench::new();
    let other = bench.beside();
    let stream = bench.stream();
    let (skipped, runs) = (Mark::default(), Mark::default());
    bench.driver.launch_kernel(stream, bench.fail, ONE, &[]).unwrap();
    let error = loop {
        match bench.mark(stream, &skipped) {
            Ok(()) => std::thread::yield_now(),
            Err(error) => break error,
        }
    };
    assert_eq!(error.status, Status::ILLEGAL_ADDRESS);
    assert!(error.message.contains("'fail' returned 7"), "{error}");
    assert_eq!(bench.driver.stream_synchronize(stream).unwrap_err().status, Status::ILLEGAL_ADDRESS);
    assert_eq!(bench.driver.allocate(1, MemoryKind::Pooled).unwrap_err().status, Status::ILLEGAL_ADDRESS);
    let stream = other.stream();
    other.mark(stream, &runs).unwrap();
    other.finish(stream);
    assert_eq!(runs.runs(), 1);
}

#[test]
fn the_device_may_not_be_used_from_inside_its_work() {
    let bench = Bench::new();
    let stream = bench.stream();
    let statuses = Arc::new(std::sync::Mutex::new(Vec::new()));
    let (driver, seen) = (Arc::clone(&bench.driver), Arc::clone(&statuses));
    let function = move || {
        let answers = [
            driver.stream_synchronize(stream),
            driver.synchronize(),
            driver.stream_create(StreamOptions::default()).map(drop),
        ];
        seen.lock().unwrap().extend(answers.map(|answer| answer.unwrap_err().status));
    };
    bench.driver.launch_host_function(stream, Arc::new(function)).unwrap();
    bench.finish(stream);
    assert_eq!(*statuses.lock().unwrap(), [Status::NOT_PERMITTED; 3]);
}

#[test]
fn a_panicking_kernel_faults_its_context_on_whatever_lane_it_runs() {
    for grid in [[1, 1, 1], [64, 1, 1]] {
        let bench = Bench::new();
        let stream = bench.stream();
        let shape = LaunchShape { grid, ..ONE };
        bench.driver.launch_kernel(stream, bench.panic, shape, &[]).unwrap();
        let error = bench.driver.stream_synchronize(stream).unwrap_err();
        assert!(matches!(error.status, Status::LAUNCH_FAILED | Status::ILLEGAL_ADDRESS), "{error}");
    }
}

#[test]
fn a_panicking_host_function_does_not_stop_its_stream() {
    let bench = Bench::new();
    let stream = bench.stream();
    let mark = Mark::default();
    bench.driver.launch_host_function(stream, Arc::new(|| std::panic::resume_unwind(Box::new("test")))).unwrap();
    bench.mark(stream, &mark).unwrap();
    bench.finish(stream);
    assert_eq!(mark.runs(), 1);
}

#[test]
fn streams_of_other_contexts_and_destroyed_objects_are_refused() {
    let bench = Bench::new();
    let other = bench.beside();
    let stream = bench.stream();
    let event = bench.event();
    assert_eq!(other.driver.stream_synchronize(stream).unwrap_err().status, Status::INVALID_HANDLE);
    assert_eq!(other.driver.event_synchronize(event), Ok(()), "events are of all contexts");
    bench.driver.stream_destroy(stream);
    bench.driver.event_destroy(event, &[]);
    assert_eq!(bench.driver.stream_synchronize(stream).unwrap_err().status, Status::INVALID_HANDLE);
    assert_eq!(bench.driver.event_synchronize(event).unwrap_err().status, Status::INVALID_HANDLE);
    assert_eq!(bench.driver.stream_synchronize(StreamId(77)).unwrap_err().status, Status::INVALID_HANDLE);
}

#[test]
fn work_of_a_destroyed_stream_still_runs_and_is_waited_for() {
    let bench = Bench::new();
    let stream = bench.stream();
    let mark = Mark::default();
    let gate = bench.hold(stream);
    bench.mark(stream, &mark).unwrap();
    bench.driver.stream_destroy(stream);
    drop(gate);
    bench.driver.synchronize().unwrap();
    assert_eq!(mark.runs(), 1);
}

/// Blocks its drop until the gate opens.
struct SlowToGo(Arc<AtomicBool>);

impl Drop for SlowToGo {
    fn drop(&mut self) {
        while !self.0.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
    }
}

#[test]
fn what_a_host_function_or_an_exec_held_may_block_when_it_goes() {
    let bench = Bench::new();
    let gate = Gate(Arc::new(AtomicBool::new(false)));
    let slow = || SlowToGo(Arc::clone(&gate.0));
    // More of them than there are lanes, so that no lane would be left.
    let streams: Vec<_> = (0..2 * lanes().count).map(|_| bench.stream()).collect();
    let marks: Vec<Mark> = streams.iter().map(|_| Mark::default()).collect();
    for (n, (&stream, mark)) in streams.iter().zip(&marks).enumerate() {
        let held = slow();
        let function = move || {
            let _ = &held;
        };
        if n % 2 == 0 {
            // What is submitted outlives this thread's share of it, or its drop would be this thread's.
            let held = bench.hold(stream);
            bench.driver.launch_host_function(stream, Arc::new(function)).unwrap();
            drop(held);
        } else {
            bench.begin(stream);
            bench.mark(stream, mark).unwrap();
            bench.driver.launch_host_function(stream, Arc::new(function)).unwrap();
            let exec = bench.end(stream);
            // The launch outlives the exec, or its drop would be this thread's.
            let held = bench.hold(stream);
            bench.driver.exec_launch(exec, stream).unwrap();
            bench.driver.exec_destroy(exec, Lists::new());
            drop(held);
        }
    }
    let (aside, mark) = (bench.stream(), Mark::default());
    bench.mark(aside, &mark).unwrap();
    bench.finish(aside);
    assert_eq!(mark.runs(), 1);
    drop(gate);
    for &stream in &streams {
        bench.finish(stream);
    }
}

#[test]
fn the_default_stream_of_a_thread_goes_with_the_thread() {
    let _shared = Bench::new();
    let context = crate::context::HostContext::new(0).unwrap();
    for _ in 0..100 {
        std::thread::scope(|scope| {
            scope.spawn(|| context.stream_synchronize(StreamId::PER_THREAD).unwrap());
        });
    }
    assert!(lock(&context.streams).made.len() < 100);
}

#[test]
fn submissions_are_counted_and_told_of() {
    let bench = Bench::new();
    let (stream, mark) = (bench.stream(), Mark::default());
    let submissions = bench.driver.stream_submissions(stream).unwrap();
    assert_eq!((submissions.submitted(), submissions.completed()), (0, 0));
    let gate = bench.hold(stream);
    bench.mark(stream, &mark).unwrap();
    assert_eq!((submissions.submitted(), submissions.completed()), (2, 0));
    let (told, tells) = (Arc::new(Mark::default()), Arc::new(Mark::default()));
    let tell = |mark: &Arc<Mark>| -> Arc<dyn Fn() + Send + Sync> {
        let mark = Arc::clone(mark);
        Arc::new(move || mark.make())
    };
    assert!(submissions.tell_at(1, &tell(&told)));
    assert!(submissions.tell_at(2, &tell(&tells)), "instead of the one before");
    drop(gate);
    bench.finish(stream);
    while tells.runs() == 0 {
        std::thread::yield_now();
    }
    assert!(!submissions.tell_at(2, &tell(&told)), "it has completed");
    assert_eq!((submissions.completed(), submissions.completed_before_fault()), (2, 2));
    assert_eq!((told.runs(), tells.runs(), mark.runs()), (0, 1, 1));
    bench.driver.launch_kernel(stream, bench.fail, ONE, &[]).unwrap();
    bench.driver.launch_host_function(stream, Arc::new(|| ())).unwrap();
    assert!(bench.driver.stream_synchronize(stream).is_err());
    assert_eq!((submissions.completed(), submissions.completed_before_fault()), (4, 2));
}

#[test]
fn launches_that_a_fault_took_are_no_longer_counted_as_run() {
    let bench = Bench::new();
    let (stream, mark) = (bench.stream(), Mark::default());
    bench.begin(stream);
    bench.mark(stream, &mark).unwrap();
    let good = bench.end(stream);
    bench.begin(stream);
    bench.driver.launch_kernel(stream, bench.fail, ONE, &[]).unwrap();
    let bad = bench.end(stream);
    let submissions = bench.driver.stream_submissions(stream).unwrap();
    let gate = bench.hold(stream);
    for exec in [good, good, bad, good, good] {
        bench.driver.exec_launch(exec, stream).unwrap();
    }
    drop(gate);
    assert!(bench.driver.stream_synchronize(stream).is_err());
    assert_eq!((submissions.completed(), submissions.completed_before_fault(), mark.runs()), (6, 3, 2));
}
