//! Calls on a stream, kept apart from those that begin and end its captures on other threads; `captures/gate.rs` has the gate.
//!
//! A call on a stream that is in a capture records, is refused or answers: it is short, and is made at the gate. Any other call may wait
//! for the device, so it holds up nobody at the gate: it is counted, and who takes the stream into a capture waits for it first.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::captures::gate::{self, Counted, GateRead, GateWrite};

/// Time that the begin of a capture waits for calls on its stream. One that takes longer waits for the device, and may do so for what
/// comes behind the begin.
const PATIENCE: Duration = Duration::from_millis(50);

/// Number of devices that are told apart.
const DEVICES: usize = 16;

/// Tells whether a stream is in a capture, as far as is known, and which calls on it go on.
pub(crate) struct StreamGate {
    /// In the lowest bit whether it may be in a capture: it was when it was asked about last, or a call has begun since that takes it
    /// into one. Above that, how many such calls began.
    state: AtomicUsize,
    /// Answer of [`gate::ends`] when it was last known to be in a capture, plus 1; 0 where that is not known.
    seen: AtomicU64,
    /// The calls on it that were found to be of no capture and have not returned.
    eager: AtomicUsize,
    /// The threads that wait for these, to take it into a capture. Other such calls begin after them, so that their wait has an end.
    awaited: AtomicUsize,
    whose: Whose,
}

/// Kind of owner of the stream.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Any,
    /// Each thread has another one.
    Threads,
}

/// Of the legacy stream of each device: whether a stream may be in a capture that blocks it.
static LEGACY: [StreamGate; DEVICES] = [const { StreamGate::new(Whose::Any) }; DEVICES];

thread_local! {
    /// As [`StreamGate::seen`], of the stream of this thread that was asked about last.
    static SEEN: Cell<(usize, u64)> = const { Cell::new((0, 0)) };
}

/// State of a stream while one call on it is made.
pub(crate) enum StreamAccess<'a, G> {
    /// The stream is in a capture, and stays in it.
    InCapture(G),
    /// The stream is in none, and gets into none until this is dropped; or it is this thread's.
    Eager(#[allow(dead_code, reason = "it is held")] Option<Counted<'a>>),
}

/// The thread is about to take a stream into a capture.
pub(crate) struct EnteringCapture<'a> {
    stream: &'a StreamGate,
    _alone: GateWrite,
}

impl StreamGate {
    const fn new(whose: Whose) -> StreamGate {
        let [state, eager, awaited] = [const { AtomicUsize::new(0) }; 3];
        StreamGate { state, seen: AtomicU64::new(0), eager, awaited, whose }
    }

    /// Of a stream.
    pub(crate) const fn of_stream() -> StreamGate {
        StreamGate::new(Whose::Any)
    }

    /// Of the per-thread streams of a context.
    pub(crate) const fn of_threads() -> StreamGate {
        StreamGate::new(Whose::Threads)
    }

    /// Of the legacy stream of a device.
    pub(crate) fn of_legacy(ordinal: i32) -> &'static StreamGate {
        &LEGACY[ordinal as usize % DEVICES]
    }

    /// Returns whether the stream may be in a capture.
    #[inline]
    pub(crate) fn may_be_captured(&self) -> bool {
        self.state.load(Ordering::Relaxed) & 1 != 0
    }

    /// Returns the state before a question about the stream that is made without the gate.
    pub(crate) fn before_question(&self) -> usize {
        self.state.load(Ordering::SeqCst)
    }

    /// Notes what the driver answered, unless a call began since `before` that takes the stream into a capture.
    #[inline]
    pub(crate) fn answered(&self, before: usize, is_captured: bool) {
        let now = before & !1 | usize::from(is_captured);
        // Mostly it is known, and the line stays where it is. That this thread's stream is in none tells nothing of others'.
        if now != before && (is_captured || self.whose == Whose::Any) {
            let _ = self.state.compare_exchange(before, now, Ordering::SeqCst, Ordering::Relaxed);
        }
    }

    /// Returns whether the stream is in a capture. To be called at the gate. `ask` asks the driver, where that is not known.
    pub(crate) fn is_captured(&self, ask: impl FnOnce() -> bool) -> bool {
        if !self.may_be_captured() {
            return false;
        }
        let now = gate::ends() + 1;
        if self.seen() == now {
            return true;
        }
        let before = self.before_question();
        let is_captured = ask();
        self.answered(before, is_captured);
        if is_captured {
            self.see(now);
        }
        is_captured
    }

    fn seen(&self) -> u64 {
        match self.whose {
            Whose::Any => self.seen.load(Ordering::Relaxed),
            Whose::Threads => match SEEN.get() {
                (stream, seen) if stream == std::ptr::from_ref(self).addr() => seen,
                _ => 0,
            },
        }
    }

    fn see(&self, now: u64) {
        match self.whose {
            Whose::Any => self.seen.store(now, Ordering::Relaxed),
            Whose::Threads => SEEN.set((std::ptr::from_ref(self).addr(), now)),
        }
    }

    /// The capture that the stream was in has ended. To be called where no call takes it into another one.
    pub(crate) fn has_left(&self) {
        if self.whose == Whose::Any {
            self.state.fetch_and(!1, Ordering::SeqCst);
        }
    }

    /// Keeps the next call on the stream apart from begins and ends: by `take` at the gate where the stream is in a capture, as `ask` asks
    /// the driver where that is not known.
    #[inline]
    pub(crate) fn keep<G>(&self, take: impl Fn() -> G, ask: impl Fn() -> bool) -> StreamAccess<'_, G> {
        loop {
            if self.may_be_captured() {
                let at_the_gate = take();
                if self.is_captured(&ask) {
                    return StreamAccess::InCapture(at_the_gate);
                }
                drop(at_the_gate);
                if self.whose == Whose::Threads {
                    // No other call takes it into a capture.
                    return StreamAccess::Eager(None);
                }
            }
            let mut since: Option<Instant> = None;
            while self.gives_way() && since.get_or_insert_with(Instant::now).elapsed() <= PATIENCE {
                std::thread::yield_now();
            }
            let eager = Counted::add(&self.eager);
            // After the count, as who takes the stream into a capture looks at that after it has set the bit.
            if self.state.load(Ordering::SeqCst) & 1 == 0 || self.whose == Whose::Threads {
                return StreamAccess::Eager(Some(eager));
            }
        }
    }

    /// Returns whether a call that is of no capture lets a thread go first that waits to take the stream into one. Not where this thread is
    /// alone at the gate, for which that one waits in turn.
    #[inline]
    fn gives_way(&self) -> bool {
        self.awaited.load(Ordering::SeqCst) != 0 && self.whose == Whose::Any && !gate::is_alone()
    }

    /// Makes `call`, one call of the driver's on the stream, while no other thread takes the stream into a capture or ends one that it is
    /// in. Such a call waits, so no lock is taken meanwhile.
    #[inline]
    pub(crate) fn recorded<T>(&self, ask: impl Fn() -> bool, call: impl FnOnce() -> T) -> T {
        let _kept: StreamAccess<'_, Option<GateRead>> = self.keep(gate::read, ask);
        call()
    }

    /// The next call of this thread may take the stream into a capture, which keeps `legacy` from working, where it is of a blocking
    /// stream. Waits for calls on both that would not notice. Until what this gives is dropped the thread is alone at the gate.
    pub(crate) fn entering<'a>(&'a self, legacy: Option<&'a StreamGate>) -> EnteringCapture<'a> {
        let streams = [Some(self), legacy];
        let mut waited: Option<(Instant, [Option<Counted<'_>>; 2])> = None;
        loop {
            let alone = gate::write();
            let were = streams.map(|stream| stream.map_or(0, StreamGate::enters));
            let are_idle = streams.iter().flatten().all(|stream| stream.is_idle());
            // Who was alone before cannot let others in.
            if are_idle || alone.is_nested() || waited.as_ref().is_some_and(|(since, _)| since.elapsed() > PATIENCE) {
                return EnteringCapture { stream: self, _alone: alone };
            }
            for (stream, was) in streams.iter().zip(were) {
                if let (Some(stream), 0) = (stream, was & 1) {
                    stream.state.fetch_and(!1, Ordering::SeqCst);
                }
            }
            let since = waited
                .get_or_insert_with(|| (Instant::now(), streams.map(|stream| stream.map(StreamGate::await_calls))))
                .0;
            drop(alone);
            while !streams.iter().flatten().all(|stream| stream.is_idle()) && since.elapsed() <= PATIENCE {
                std::thread::yield_now();
            }
        }
    }

    /// Makes calls that are of no capture let this thread go first, until what this gives is dropped.
    fn await_calls(&self) -> Counted<'_> {
        Counted::add(&self.awaited)
    }

    /// Notes that a call is made which may take it into a capture; gives the state before.
    fn enters(&self) -> usize {
        let enters = |state: usize| Some((state | 1).wrapping_add(2));
        self.state.fetch_update(Ordering::SeqCst, Ordering::SeqCst, enters).unwrap_or_default()
    }

    /// Returns whether no call on it goes on that would not notice a capture. A thread makes no other call on its own stream.
    fn is_idle(&self) -> bool {
        self.whose == Whose::Threads || self.eager.load(Ordering::SeqCst) == 0
    }
}

impl EnteringCapture<'_> {
    /// The call was made, and the stream is in a capture if so. Without this the next call on it asks.
    pub(crate) fn has_entered(self, is_captured: bool) {
        match is_captured {
            true => self.stream.see(gate::ends() + 1),
            false => self.stream.has_left(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_the_gate() -> Option<GateRead> {
        gate::read()
    }

    #[test]
    fn a_stream_that_left_its_capture_unseen_is_asked_about_once() {
        let stream = StreamGate::of_stream();
        let asked = Cell::new(0);
        let ask = |answer| {
            let asked = &asked;
            move || {
                asked.set(asked.get() + 1);
                answer
            }
        };
        assert!(matches!(stream.keep(at_the_gate, ask(true)), StreamAccess::Eager(Some(_))));
        stream.entering(None).has_entered(true);
        assert!(matches!(stream.keep(at_the_gate, ask(true)), StreamAccess::InCapture(_)));
        assert_eq!(asked.get(), 0, "a begin tells");
        gate::note_end();
        assert!(matches!(stream.keep(at_the_gate, ask(true)), StreamAccess::InCapture(_)));
        assert!(matches!(stream.keep(at_the_gate, ask(true)), StreamAccess::InCapture(_)));
        assert!(asked.get() >= 1);
        gate::note_end();
        assert!(matches!(stream.keep(at_the_gate, ask(false)), StreamAccess::Eager(Some(_))));
        let before = asked.get();
        assert!(matches!(stream.keep(at_the_gate, ask(false)), StreamAccess::Eager(Some(_))));
        assert_eq!(asked.get(), before);
        // Refused: the next call asks.
        drop(stream.entering(None));
        assert!(matches!(stream.keep(at_the_gate, ask(false)), StreamAccess::Eager(Some(_))));
        assert_eq!(asked.get(), before + 1);
    }

    #[test]
    fn a_begin_waits_for_calls_that_go_on_but_not_for_ever() {
        let stream = StreamGate::of_stream();
        let legacy = StreamGate::of_stream();
        for waited_for in [&stream, &legacy] {
            let StreamAccess::Eager(kept) = waited_for.keep(at_the_gate, || false) else {
                unreachable!("it is in no capture")
            };
            let since = Instant::now();
            stream.entering(Some(&legacy)).has_entered(false);
            assert!(since.elapsed() >= PATIENCE);
            drop(kept);
            legacy.has_left();
        }
        std::thread::scope(|scope| {
            let StreamAccess::Eager(kept) = stream.keep(at_the_gate, || false) else {
                unreachable!("it is in no capture")
            };
            let begin = scope.spawn(|| stream.entering(None).has_entered(true));
            // Who waits for calls keeps nobody from the gate.
            drop(gate::write());
            drop(kept);
            begin.join().unwrap();
        });
        assert!(stream.may_be_captured());
    }

    #[test]
    fn who_is_alone_at_the_gate_gives_way_to_nobody() {
        let stream = StreamGate::of_stream();
        assert!(!stream.gives_way());
        let _awaited = stream.await_calls();
        assert!(stream.gives_way());
        let alone = gate::write();
        assert!(!stream.gives_way());
        drop(alone);
        assert!(stream.gives_way());
    }

    #[test]
    fn a_begin_comes_through_beside_calls_without_end() {
        let stream = StreamGate::of_stream();
        let (is_over, calls) = (std::sync::atomic::AtomicBool::new(false), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            let begun: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        while !is_over.load(Ordering::Relaxed) {
                            let _kept = stream.keep(at_the_gate, || false);
                            calls.fetch_add(1, Ordering::SeqCst);
                            std::thread::yield_now();
                            calls.fetch_sub(1, Ordering::SeqCst);
                        }
                    })
                })
                .collect();
            for _ in 0..200 {
                let entering = stream.entering(None);
                assert_eq!(calls.load(Ordering::SeqCst), 0);
                entering.has_entered(false);
            }
            is_over.store(true, Ordering::Relaxed);
            begun.into_iter().for_each(|thread| thread.join().unwrap());
        });
    }

    #[test]
    fn what_a_thread_knows_of_its_own_stream_is_its_own() {
        let stream = StreamGate::of_threads();
        stream.entering(None).has_entered(true);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let before = stream.before_question();
                stream.answered(before, false);
                matches!(stream.keep(at_the_gate, || false), StreamAccess::Eager(None))
            });
            assert!(other.join().unwrap());
        });
        assert!(matches!(stream.keep(at_the_gate, || true), StreamAccess::InCapture(_)));
        // A call of another thread on its own stream holds up no begin.
        let stream = StreamGate::of_threads();
        let _kept = stream.keep(at_the_gate, || false);
        let since = Instant::now();
        drop(stream.entering(None));
        assert!(since.elapsed() < PATIENCE);
    }
}
