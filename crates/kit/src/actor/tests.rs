//! Actors on the host device: each message is answered once, when it should be, and nothing is left.

use super::*;
use crate::ops::FftOp;
use crate::{GraphOp, RecordContext};
use graphcap_core::faulty::Faulty;
use graphcap_core::{Buffer, OwnedWork};
use graphcap_driver::{DeviceChoice, DeviceKind, Fft, FftDirection, HostFunction};
use std::borrow::Cow;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::task::{Wake, Waker};
use std::thread::{self, Thread};

const SOON: Duration = Duration::from_secs(60);

fn context() -> Context {
    Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap()
}

fn counting(context: &Context, counter: &Arc<AtomicUsize>) -> Script {
    let (script, counter) = (Script::create(context), Arc::clone(counter));
    let function: HostFunction = Arc::new(move || {
        counter.fetch_add(1, Ordering::SeqCst);
    });
    script.push(OwnedWork::Host(function)).unwrap();
    script
}

fn exec_of(actor: &Actor, script: &Script) -> GraphExec {
    let recorded = actor.record(script, CaptureMode::Relaxed, ExecFlags::default()).unwrap();
    recorded.wait().unwrap();
    recorded.take_exec().unwrap()
}

/// An op during whose record the actor's thread stays where it is.
struct Gate(std::sync::Mutex<(Sender<()>, Receiver<()>)>);

impl GraphOp for Gate {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("gate")
    }

    fn record(&self, _: &RecordContext) -> Result<()> {
        let ends = self.0.lock().unwrap();
        ends.0.send(()).unwrap();
        let _ = ends.1.recv();
        Ok(())
    }
}

/// Makes the actor's thread stay in a recording until the sender is dropped or sends.
fn hold(actor: &Actor) -> (Sender<()>, Future) {
    let ((entered, seen), (go, held)) = (channel(), channel());
    let script = Script::create(actor.context());
    script.push(Gate(std::sync::Mutex::new((entered, held)))).unwrap();
    let recorded = actor.record(&script, CaptureMode::Relaxed, ExecFlags::default()).unwrap();
    seen.recv().unwrap();
    (go, recorded)
}

fn status(result: Result<(), crate::ScriptError>) -> Status {
    result.unwrap_err().error.status
}

#[test]
fn launches_are_answered_when_they_have_run() {
    let context = context();
    for completion in [Completion::Event, Completion::HostFunction, Completion::Synchronize] {
        let actor = Actor::create(&context, ActorOptions { completion, ..ActorOptions::default() }).unwrap();
        let count = Arc::new(AtomicUsize::new(0));
        let exec = exec_of(&actor, &counting(&context, &count));
        for round in 1..=50 {
            actor.launch(&exec).unwrap().wait().unwrap();
            assert_eq!(count.load(Ordering::SeqCst), round, "{completion:?}");
        }
        let flying: Vec<_> = (0..500).map(|_| actor.launch(&exec).unwrap()).collect();
        for (index, launched) in flying.iter().enumerate() {
            launched.wait_for(SOON).unwrap();
            launched.wait().unwrap();
            assert!(count.load(Ordering::SeqCst) > 50 + index);
        }
        assert_eq!((count.load(Ordering::SeqCst), exec.num_replays()), (550, 550));
        actor.close_and_wait(SOON).unwrap();
    }
}

#[test]
fn threads_lose_no_launch_and_each_is_answered_once() {
    let launches = if std::env::var_os("GRAPHCAP_SOAK").is_some() { 125_000 } else { 1_000 };
    let context = context();
    let actor = Actor::create(&context, ActorOptions { mailbox: 64, ..ActorOptions::default() }).unwrap();
    let (count, answered) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let exec = exec_of(&actor, &counting(&context, &count));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut last = None;
                for _ in 0..launches {
                    let launched = actor.launch(&exec).unwrap();
                    let answered = Arc::clone(&answered);
                    launched.on_done(move |launched| {
                        assert_eq!(launched.outcome(), Some(Ok(())));
                        answered.fetch_add(1, Ordering::SeqCst);
                    });
                    last = Some(launched);
                }
                last.unwrap().wait().unwrap();
            });
        }
    });
    actor.close_and_wait(SOON).unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 8 * launches);
    assert_eq!(answered.load(Ordering::SeqCst), 8 * launches);
}

#[test]
fn a_full_mailbox_holds_posts_back() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions { mailbox: 2, ..ActorOptions::default() }).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let exec = exec_of(&actor, &counting(&context, &count));
    let (go, recorded) = hold(&actor);
    let queued = [actor.launch(&exec).unwrap(), actor.launch(&exec).unwrap()];
    let post = |limit| actor.with_patience(limit).launch(&exec).unwrap_err().status;
    assert_eq!(post(Duration::ZERO), Status::BUSY);
    assert_eq!(post(Duration::from_millis(5)), Status::TIMEOUT);
    assert_eq!(status(queued[0].wait_for(Duration::from_millis(5))), Status::TIMEOUT);
    assert!(queued[0].outcome().is_none());
    thread::scope(|scope| {
        let posted = scope.spawn(|| actor.launch(&exec).unwrap().wait());
        thread::sleep(Duration::from_millis(5));
        drop(go);
        posted.join().unwrap().unwrap();
    });
    // What was held recorded no work, so that there is nothing to launch but an empty graph.
    recorded.wait().unwrap();
    queued.iter().for_each(|queued| queued.wait().unwrap());
    assert_eq!(count.load(Ordering::SeqCst), 3);
}

#[test]
fn a_close_cancels_what_is_queued_and_lets_launches_finish() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let exec = exec_of(&actor, &counting(&context, &count));
    let launched: Vec<_> = (0..20).map(|_| actor.launch(&exec).unwrap()).collect();
    let (go, recorded) = hold(&actor);
    let queued: Vec<_> = (0..20).map(|_| actor.launch(&exec).unwrap()).collect();
    actor.close();
    assert_eq!(actor.launch(&exec).unwrap_err().status, Status::ILLEGAL_STATE);
    assert_eq!(actor.close_and_wait(Duration::from_millis(5)).unwrap_err().status, Status::TIMEOUT);
    drop(go);
    launched.iter().for_each(|launched| launched.wait().unwrap());
    recorded.wait().unwrap();
    assert!(queued.iter().all(|queued| status(queued.wait()) == Status::CANCELLED));
    actor.close_and_wait(SOON).unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 20);
}

#[test]
fn the_last_clone_closes_and_execs_go_with_the_thread() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let exec = exec_of(&actor.clone(), &counting(&context, &count));
    actor.launch(&exec).unwrap().wait().unwrap();
    drop((actor, exec));
    while Arc::strong_count(&count) > 1 {
        thread::yield_now();
    }
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn callbacks_run_on_the_actors_thread_which_waits_for_nobody() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions { mailbox: 1, ..ActorOptions::default() }).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let exec = exec_of(&actor, &counting(&context, &count));
    let (go, recorded) = hold(&actor);
    let (tell, told) = channel();
    let (posting, launching) = (actor.clone(), exec.clone());
    recorded.on_done(move |_| {
        let first = posting.launch(&launching).unwrap();
        let full = posting.launch(&launching).unwrap_err().status;
        let end = posting.close_and_wait(SOON).map_err(|error| error.status);
        tell.send((thread::current().name().map(str::to_owned), full, status(first.wait()), end)).unwrap();
    });
    drop(go);
    let seen = told.recv().unwrap();
    assert_eq!(seen, (Some("graphcap-actor".into()), Status::BUSY, Status::BUSY, Err(Status::BUSY)));
    // One that comes late is called at once, and a panic of it harms nobody.
    let called = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&called);
    recorded.on_done(move |_| {
        counts.fetch_add(1, Ordering::SeqCst);
        std::panic::resume_unwind(Box::new("on purpose"));
    });
    assert_eq!(called.load(Ordering::SeqCst), 1);
}

#[test]
fn graphs_are_adopted_updated_and_written() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    let counts = [Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0))];
    let [first, second] =
        counts.each_ref().map(|count| counting(&context, count).record(&stream, CaptureMode::Relaxed).unwrap());
    let adopted = actor.adopt(&first, ExecFlags::default()).unwrap();
    adopted.wait().unwrap();
    let exec = adopted.take_exec().unwrap();
    assert!(adopted.take_exec().is_none() && adopted.wait().is_ok(), "it is given once");
    actor.launch(&exec).unwrap();
    actor.update(&exec, &second).unwrap().wait().unwrap();
    actor.launch(&exec).unwrap().wait().unwrap();
    assert_eq!(counts.each_ref().map(|count| count.load(Ordering::SeqCst)), [1, 1]);
    let written = actor.export_dot(&exec, DotFlags(0)).unwrap();
    written.wait().unwrap();
    assert!(written.text().unwrap().starts_with("digraph"));
    let larger = counting(&context, &counts[0]);
    larger.push(OwnedWork::Host(Arc::new(|| ()))).unwrap();
    let larger = larger.record(&stream, CaptureMode::Relaxed).unwrap();
    assert_eq!(status(actor.update(&exec, &larger).unwrap().wait()), Status::GRAPH_EXEC_UPDATE_FAILURE);
    let stranger = first.instantiate().unwrap();
    assert_eq!(status(actor.export_dot(&stranger, DotFlags(0)).unwrap().wait()), Status::NOT_FOUND);
    actor.launch(&stranger).unwrap().wait().unwrap();
    actor.close_and_wait(SOON).unwrap();
}

#[test]
fn an_op_that_fails_is_told_in_the_answer() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let other = self::context();
    let count = Arc::new(AtomicUsize::new(0));
    let recorded = actor.record(&counting(&other, &count), CaptureMode::Relaxed, ExecFlags::default()).unwrap();
    assert_eq!(status(recorded.wait()), Status::INVALID_CONTEXT);
    assert!(recorded.take_exec().is_none());
    assert_eq!(
        Actor::create(&context, ActorOptions { mailbox: 0, ..ActorOptions::default() }).unwrap_err().status,
        Status::INVALID_VALUE
    );
}

#[test]
fn what_only_the_actor_had_of_an_exec_goes_with_its_handle() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let exec = exec_of(&actor, &counting(&context, &count));
    actor.launch(&exec).unwrap().wait().unwrap();
    // The answer is given before the thread lets go of the launch. No other message comes.
    drop(exec);
    while Arc::strong_count(&count) > 1 {
        thread::yield_now();
    }
    actor.close_and_wait(SOON).unwrap();
}

#[test]
fn an_error_that_is_no_fault_ends_nothing() {
    let (driver, context) = Faulty::context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let script = Script::create(&context);
    script.push(OwnedWork::Host(Arc::new(|| ()))).unwrap();
    let exec = exec_of(&actor, &script);
    for (call, runs) in
        [("event_create", false), ("exec_launch", false), ("event_record", true), ("event_is_complete", true)]
    {
        let before = exec.num_replays();
        driver.fail(call, Status::OUT_OF_MEMORY);
        let answer = actor.launch(&exec).unwrap().wait();
        assert_eq!(exec.num_replays() - before, u64::from(runs), "{call}");
        match runs {
            true => assert_eq!(answer, Ok(()), "{call}: what runs is answered when it has completed"),
            false => assert_eq!(status(answer), Status::OUT_OF_MEMORY, "{call}"),
        }
        actor.launch(&exec).unwrap().wait().unwrap();
    }
    actor.close_and_wait(SOON).unwrap();
    let waiting = ActorOptions { completion: Completion::HostFunction, ..ActorOptions::default() };
    let actor = Actor::create(&context, waiting).unwrap();
    driver.fail("launch_host_function", Status::OUT_OF_MEMORY);
    assert_eq!(actor.launch(&exec).unwrap().wait(), Ok(()));
    actor.close_and_wait(SOON).unwrap();
}

#[test]
fn a_reset_answers_everything_with_stale() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let script = counting(&context, &count);
    let exec = exec_of(&actor, &script);
    let (go, recorded) = hold(&actor);
    let queued =
        [actor.launch(&exec).unwrap(), actor.adopt(&Graph::create(&context).unwrap(), ExecFlags::default()).unwrap()];
    let next = context.reset().unwrap();
    drop(go);
    assert_eq!(status(recorded.wait()), Status::STALE);
    queued.iter().for_each(|queued| assert_eq!(status(queued.wait()), Status::STALE));
    assert_eq!(status(actor.launch(&exec).unwrap().wait()), Status::STALE);
    // An actor of the new generation refuses what is old, and goes on.
    let actor = Actor::create(&next, ActorOptions::default()).unwrap();
    assert_eq!(status(actor.launch(&exec).unwrap().wait()), Status::STALE);
    assert_eq!(
        status(actor.record(&script, CaptureMode::Relaxed, ExecFlags::default()).unwrap().wait()),
        Status::STALE
    );
    let fresh = exec_of(&actor, &counting(&next, &count));
    actor.launch(&fresh).unwrap().wait().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

/// An op that panics when it is asked for its transform.
struct Unasked;

impl GraphOp for Unasked {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("unasked")
    }

    fn record(&self, _: &RecordContext) -> Result<()> {
        Ok(())
    }

    fn fft(&self) -> Option<Fft> {
        panic!("nobody should ask")
    }
}

#[test]
fn a_plan_is_replaced_by_the_index_of_its_op() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let buffer = Buffer::allocate(&context, 256).unwrap();
    let fft = |length, batch| Fft {
        direction: FftDirection::RealToComplex,
        length,
        batch,
        input_distance: length,
        output_distance: length / 2 + 1,
    };
    let (script, halves) = (Script::create(&context), FftPlan::create(&context, &fft(2, 2)).unwrap());
    script.push(Unasked).unwrap();
    let forth = FftOp::new(fft(4, 1), (buffer.clone(), 0), (buffer, 128));
    script.push_named(Some("forth".into()), Box::new(forth)).unwrap();
    let exec = exec_of(&actor, &script);
    // What is pushed later is not recorded.
    script.push(Gate(std::sync::Mutex::new((channel().0, channel().1)))).unwrap();
    actor.set_fft_plan(&exec, 1, &halves).unwrap().wait().unwrap();
    actor.launch(&exec).unwrap().wait().unwrap();
    let refused = |op| actor.set_fft_plan(&exec, op, &halves).unwrap().wait().unwrap_err().error;
    assert_eq!(refused(0).status, Status::CALLBACK);
    assert_eq!(refused(2).message, "the script that was recorded has 2 ops, and none of index 2");
    let back = Fft { direction: FftDirection::ComplexToReal, ..fft(2, 2) };
    let back = Fft { input_distance: back.output_distance, output_distance: back.input_distance, ..back };
    let back = FftPlan::create(&context, &back).unwrap();
    let error = actor.set_fft_plan(&exec, 1, &back).unwrap().wait().unwrap_err().error;
    assert!(error.message.starts_with("op 1 (forth) transforms in the other direction"), "{error}");
}

/// A waker that asks the future when it goes.
struct Asks(Future);

impl Wake for Asks {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Asks {
    fn drop(&mut self) {
        let _ = self.0.is_done();
    }
}

#[test]
fn a_future_keeps_one_waker_for_each_clone() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let (go, recorded) = hold(&actor);
    let poll = |future: &mut Future| {
        let waker = Waker::from(Arc::new(Asks(recorded.clone())));
        std::future::Future::poll(Pin::new(future), &mut std::task::Context::from_waker(&waker)).is_pending()
    };
    let mut clones = [recorded.clone(), recorded.clone()];
    for _ in 0..100 {
        assert!(clones.iter_mut().all(poll));
    }
    assert_eq!(recorded.wakers(), (2, 2));
    drop(clones);
    assert_eq!(recorded.wakers().0, 0);
    let mut late = recorded.clone();
    assert!(poll(&mut late));
    assert_eq!(recorded.wakers(), (1, 2), "places are taken again");
    drop(go);
    recorded.wait().unwrap();
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

#[test]
fn a_future_is_awaited_without_a_runtime() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let exec = exec_of(&actor, &counting(&context, &count));
    let mut all = Box::pin(async {
        for _ in 0..20 {
            actor.launch(&exec)?.await?;
        }
        Ok::<_, crate::ScriptError>(())
    });
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut task = std::task::Context::from_waker(&waker);
    let outcome = loop {
        match std::future::Future::poll(all.as_mut(), &mut task) {
            std::task::Poll::Ready(outcome) => break outcome,
            std::task::Poll::Pending => thread::park(),
        }
    };
    outcome.unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 20);
}

/// A launch that a function holds, on an actor with that limit: the future, and what lets it go.
fn held_launch(context: &Context, limit: Option<Duration>, watched: bool) -> (Actor, Future, Sender<()>) {
    let actor = Actor::create(context, ActorOptions { stall_limit: limit, ..ActorOptions::default() }).unwrap();
    let (go, held) = channel::<()>();
    let held = std::sync::Mutex::new(held);
    let script = Script::create(context);
    let function: HostFunction = Arc::new(move || {
        let _ = held.lock().unwrap().recv();
    });
    script.push(OwnedWork::Host(function)).unwrap();
    let recorded = actor.record(&script, CaptureMode::Relaxed, ExecFlags { watched, ..ExecFlags::default() }).unwrap();
    recorded.wait().unwrap();
    let exec = recorded.take_exec().unwrap();
    let launched = actor.launch(&exec).unwrap();
    (actor, launched, go)
}

#[test]
fn a_launch_that_is_late_is_told() {
    let context = context();
    for watched in [false, true] {
        let limit = Duration::from_millis(5);
        let (actor, launched, go) = held_launch(&context, Some(limit), watched);
        let (told, late) = channel();
        launched.on_stall(move |future| told.send(future.stall()).unwrap());
        let stall = late.recv_timeout(SOON).unwrap().unwrap();
        assert_eq!((stall.limit, stall.progress.is_some()), (limit, watched));
        assert!(stall.text().starts_with("the launch has not completed within 5ms"), "{}", stall.text());
        assert!(!launched.is_done());
        // A panic is the function's own affair.
        launched.on_stall(|_| panic!("on purpose"));
        drop(go);
        launched.wait().unwrap();
        assert!(launched.stall().is_some(), "the report stays");
        actor.close_and_wait(SOON).unwrap();
    }
}

#[test]
fn functions_for_late_launches_go_with_the_answer() {
    let context = context();
    for limit in [None, Some(Duration::from_secs(3600)), Some(Duration::MAX)] {
        let (actor, launched, go) = held_launch(&context, limit, true);
        let kept = Arc::new(());
        for _ in 0..3 {
            let kept = Arc::clone(&kept);
            launched.on_stall(move |_| unreachable!("{kept:?}"));
        }
        drop(go);
        launched.wait().unwrap();
        actor.close_and_wait(SOON).unwrap();
        let late = Arc::clone(&kept);
        launched.on_stall(move |_| unreachable!("{late:?}"));
        assert_eq!((Arc::strong_count(&kept), launched.stall().is_none()), (1, true));
    }
}

#[test]
fn messages_are_seen_while_launches_run_on_other_threads() {
    let context = context();
    let actor = Actor::create(&context, ActorOptions::default()).unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let exec = exec_of(&actor, &counting(&context, &count));
    let (go, held) = channel::<()>();
    let held = std::sync::Mutex::new(held);
    let script = Script::create(&context);
    let function: HostFunction = Arc::new(move || {
        let _ = held.lock().unwrap().recv();
    });
    script.push(OwnedWork::Host(function)).unwrap();
    let holding = exec_of(&actor, &script);
    // Short ones first, so that the thread expects the next to be short.
    (0..20).for_each(|_| actor.launch(&exec).unwrap().wait().unwrap());
    let flying: Vec<_> = [&exec, &holding, &exec, &exec].map(|exec| actor.launch(exec).unwrap()).into();
    flying[0].wait_for(SOON).unwrap();
    for _ in 0..3 {
        actor.export_dot(&exec, DotFlags(0)).unwrap().wait_for(SOON).unwrap();
        assert!(flying[1..].iter().all(|launched| !launched.is_done()));
    }
    drop(go);
    flying.iter().for_each(|launched| launched.wait_for(SOON).unwrap());
    // While nothing is in flight, and after a close, as well.
    let last = actor.launch(&exec).unwrap();
    actor.close_and_wait(SOON).unwrap();
    assert!(matches!(last.outcome(), Some(Ok(()))) || status(last.wait()) == Status::CANCELLED);
}
