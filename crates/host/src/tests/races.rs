//! Calls and lanes that race: nothing that was answered with success may be lost.

use super::*;
use crate::engine::lanes::lanes;
use crate::shared::OBJECTS;
use graphcap_base::error::Status;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::ids::key_of;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Keeps a broken device from hanging a test; much longer than anything takes beside busy programs.
const HUNG: Duration = Duration::from_secs(60);

fn soon(what: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + HUNG;
    while !what() && Instant::now() < deadline {
        // Beside busy programs one who yields comes last, and one who wakes comes soon.
        std::thread::sleep(Duration::from_micros(20));
    }
    what()
}

#[test]
fn a_launch_that_races_the_end_of_its_capture_is_recorded_or_executed() {
    let bench = Bench::new();
    let (origin, fork) = (bench.stream(), bench.stream());
    let mut random = Random(1);
    for round in 0..rounds(200_000) {
        let mark = Mark::default();
        bench.begin(origin);
        bench.order(origin, fork);
        let go = AtomicBool::new(false);
        let (delay, wait) = (random.below(400), random.below(400));
        let ended = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !go.load(Ordering::SeqCst) {
                    std::hint::spin_loop();
                }
                (0..delay).for_each(|_| std::hint::spin_loop());
                bench.mark(fork, &mark).unwrap();
            });
            go.store(true, Ordering::SeqCst);
            (0..wait).for_each(|_| std::hint::spin_loop());
            bench.driver.end_capture(origin)
        });
        match ended {
            Ok(graph) => {
                bench.driver.graph_destroy(graph);
                bench.finish(fork);
                assert_eq!(mark.runs(), 1, "round {round}: the launch was neither recorded nor executed");
            }
            Err(error) => assert_eq!(error.status, Status::CAPTURE_UNJOINED),
        }
    }
}

#[test]
fn a_replay_that_races_the_end_of_a_capture_is_refused_or_runs() {
    let bench = Bench::new();
    let (origin, work) = (bench.stream(), bench.stream());
    let mark = Mark::default();
    bench.begin(work);
    bench.mark(work, &mark).unwrap();
    let exec = bench.end(work);
    let mut random = Random(2);
    let mut launched = 0;
    for round in 0..rounds(200_000) {
        bench.begin(origin);
        let go = AtomicBool::new(false);
        let (delay, wait) = (random.below(400), random.below(400));
        let ok = std::thread::scope(|scope| {
            let launch = scope.spawn(|| {
                while !go.load(Ordering::SeqCst) {
                    std::hint::spin_loop();
                }
                (0..delay).for_each(|_| std::hint::spin_loop());
                bench.driver.exec_launch(exec, origin).is_ok()
            });
            go.store(true, Ordering::SeqCst);
            (0..wait).for_each(|_| std::hint::spin_loop());
            let _ = bench.driver.end_capture(origin).map(|graph| bench.driver.graph_destroy(graph));
            launch.join().unwrap()
        });
        bench.finish(origin);
        launched += u64::from(ok);
        assert_eq!(mark.runs(), launched, "round {round}: a launch was answered with success and not made");
    }
}

#[test]
fn no_offer_outlives_its_replay() {
    let bench = Bench::alone();
    let streams = [bench.stream(), bench.stream()];
    let marks = [const { Mark { tick: AtomicU64::new(0), runs: AtomicU64::new(0) } }; 2];
    bench.begin(streams[0]);
    bench.order(streams[0], streams[1]);
    bench.spin(streams[0], &marks[0], 300);
    bench.spin(streams[1], &marks[1], 300);
    bench.order(streams[1], streams[0]);
    let exec = bench.end(streams[0]);
    for round in 0..rounds(20_000) {
        for _ in 0..200 {
            bench.driver.exec_launch(exec, streams[0]).unwrap();
        }
        bench.finish(streams[0]);
        assert_eq!(lanes().offered(), 0, "round {round}");
    }
}

#[test]
fn work_that_outlives_its_context_runs_to_its_end() {
    let mut random = Random(3);
    for round in 0..rounds(100_000) {
        let bench = Bench::alone();
        let (start, started) = mpsc::channel();
        let (let_go, dropped) = mpsc::channel();
        let dropped = Mutex::<_, rank::Told>::new(dropped);
        let mark = Arc::new(Mark::default());
        let stream = bench.stream();
        let spins = 50 * random.below(100) as u32;
        let wait = move || {
            start.send(()).unwrap();
            lock(&dropped).recv().unwrap();
            let since = Instant::now();
            while since.elapsed() < Duration::from_nanos(u64::from(spins) * 40) {
                std::hint::spin_loop();
            }
        };
        bench.driver.launch_host_function(stream, Arc::new(wait)).unwrap();
        bench.mark(stream, &mark).unwrap();
        started.recv_timeout(HUNG).unwrap();
        bench.driver.stream_destroy(stream);
        let_go.send(()).unwrap();
        drop(bench);
        assert!(soon(|| mark.runs() == 1), "round {round}: nobody runs what is queued");
    }
}

#[test]
fn a_stream_that_is_fed_on_and_on_lets_others_run() {
    let bench = Bench::new();
    let mark = Mark::default();
    let done = AtomicBool::new(false);
    let late = bench.stream();
    let ignored = Mark::default();
    let gave_up = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..lanes().count {
            scope.spawn(|| {
                let fed = bench.stream();
                let mut ahead = std::collections::VecDeque::new();
                while !done.load(Ordering::SeqCst) {
                    // Kept some way ahead of the device, as programs do.
                    bench.spin(fed, &ignored, 300_000);
                    let event = bench.event();
                    bench.driver.event_record(event, fed).unwrap();
                    ahead.push_back(event);
                    while ahead.len() > 40 {
                        let oldest = ahead.pop_front().unwrap();
                        bench.driver.event_synchronize(oldest).unwrap();
                        bench.driver.event_destroy(oldest, &[]);
                    }
                }
                bench.finish(fed);
            });
        }
        std::thread::sleep(Duration::from_millis(5));
        bench.mark(late, &mark).unwrap();
        if !soon(|| mark.runs() == 1) {
            gave_up.store(true, Ordering::SeqCst);
        }
        done.store(true, Ordering::SeqCst);
    });
    bench.finish(late);
    assert!(!gave_up.load(Ordering::SeqCst), "the late stream waited until the others had nothing left");
}

#[test]
fn a_replay_that_a_waiting_caller_leaves_goes_on() {
    let bench = Bench::new();
    let stream = bench.stream();
    let marks: Vec<Mark> = (0..40).map(|_| Mark::default()).collect();
    let busy = Duration::from_micros(12);
    bench.begin(stream);
    for mark in &marks[..32] {
        bench.mark(stream, mark).unwrap();
    }
    let wait = move || {
        let since = Instant::now();
        while since.elapsed() < busy {
            std::hint::spin_loop();
        }
    };
    bench.driver.launch_host_function(stream, Arc::new(wait)).unwrap();
    for mark in &marks[32..] {
        bench.mark(stream, mark).unwrap();
    }
    let exec = bench.end(stream);
    let rounds = rounds(50_000) as u64;
    let (done, driver) = (AtomicU64::new(0), Arc::clone(&bench.driver));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..rounds {
                driver.exec_launch(exec, stream).unwrap();
                driver.stream_synchronize(stream).unwrap();
                done.fetch_add(1, Ordering::SeqCst);
            }
        });
        let (mut before, mut since) = (u64::MAX, Instant::now());
        while done.load(Ordering::SeqCst) < rounds {
            let now = done.load(Ordering::SeqCst);
            if now != before {
                (before, since) = (now, Instant::now());
            } else if since.elapsed() > HUNG {
                eprintln!("replay {now} stands still");
                std::process::abort();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    });
}

/// Gives every lane something else to do until it is dropped.
struct BusyLanes<'a> {
    bench: &'a Bench,
    streams: Vec<StreamId>,
    // In boxes, as the kernels have their addresses.
    begun: Box<Mark>,
    leave: Box<AtomicBool>,
}

impl<'a> BusyLanes<'a> {
    fn of(bench: &'a Bench) -> BusyLanes<'a> {
        let streams = (0..lanes().count).map(|_| bench.stream()).collect();
        let busy = BusyLanes { bench, streams, begun: Box::default(), leave: Box::default() };
        busy.streams.iter().for_each(|&stream| bench.stay(stream, &busy.begun, &busy.leave));
        while busy.begun.runs() < busy.streams.len() as u64 {
            std::thread::yield_now();
        }
        busy
    }
}

impl Drop for BusyLanes<'_> {
    fn drop(&mut self) {
        self.leave.store(true, Ordering::SeqCst);
        self.streams.iter().for_each(|&stream| self.bench.finish(stream));
    }
}

#[test]
fn a_wait_runs_no_launch_that_it_does_not_wait_for() {
    let bench = Bench::alone();
    let stream = bench.stream();
    let mark = Mark::default();
    bench.begin(stream);
    bench.mark(stream, &mark).unwrap();
    let exec = bench.end(stream);
    let busy = BusyLanes::of(&bench);
    for _ in 0..3 {
        bench.driver.exec_launch(exec, stream).unwrap();
    }
    let waited = OBJECTS.streams.get(key_of(stream.0)).unwrap();
    waited.wait(waited.submitted() - 2);
    assert_eq!(mark.runs(), 1);
    drop(busy);
    bench.finish(stream);
    assert_eq!(mark.runs(), 3);
}

#[test]
fn a_wait_for_an_event_runs_what_comes_before_it() {
    let bench = Bench::alone();
    let driver = &bench.driver;
    let stream = bench.stream();
    let mark = Mark::default();
    bench.begin(stream);
    bench.mark(stream, &mark).unwrap();
    let exec = bench.end(stream);
    let busy = BusyLanes::of(&bench);
    let events = [bench.event(), bench.event(), bench.event()];
    for event in events {
        driver.exec_launch(exec, stream).unwrap();
        driver.event_record(event, stream).unwrap();
    }
    let limit = Duration::from_millis(1);
    assert!(!driver.event_synchronize_for(events[2], limit, &|ask| ask()).unwrap(), "a limit is for sleeping alone");
    assert_eq!(mark.runs(), 0);
    for (index, &event) in events[..2].iter().enumerate() {
        driver.event_synchronize(event).unwrap();
        assert_eq!((mark.runs(), driver.event_is_complete(event).unwrap()), (index as u64 + 1, true));
    }
    // What was queued runs although the stream is gone, and the event is waited for as before.
    driver.stream_destroy(stream);
    driver.event_synchronize(events[2]).unwrap();
    assert_eq!(mark.runs(), 3);
    drop(busy);
    driver.event_synchronize(events[2]).unwrap();
    assert_eq!(mark.runs(), 3);
}
