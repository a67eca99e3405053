//! The order of launches that share memory: that of a pool, or the place where the random numbers of a replay are told. Each waits
//! for the one before, which an event stands for where that was on another stream.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::core::state::Stream;
use crate::driver::{CaptureStatus, Driver, EventId, EventOptions, ExecId, StreamId};
use crate::error::{Error, Result, Status};
use crate::lock::{lock, rank, Mutex};
use crate::rules;

/// Whether there ever was memory that graphs share: until then nobody looks for an order.
static ANY: AtomicBool = AtomicBool::new(false);

/// The order of the launches that share some memory.
#[derive(Default)]
pub(in crate::core) struct Turns {
    latest: Mutex<Latest, rank::PoolTurns>,
    /// How many execs keep to it.
    members: AtomicUsize,
    /// Whether an event goes behind the launches of a member too that is the only one.
    marks_all: bool,
}

/// An exec that keeps to an order.
pub(super) struct Member {
    turns: Arc<Turns>,
    /// A number that no other member has or had.
    number: u64,
}

/// The latest launch.
#[derive(Default)]
struct Latest {
    /// The number of the stream that it was on; 0 before the first. Handles of default streams have different ones.
    stream: u64,
    /// The number of the member that was launched.
    member: u64,
    /// The event behind it.
    event: Option<EventId>,
    /// Where there is no event behind it: its stream, and why none could be recorded; no reason where nobody needed one.
    unmarked: Option<(Stream, Option<Error>)>,
    /// The events, one for each device of streams.
    events: Vec<OwnEvent>,
}

/// An event for the streams of one device.
struct OwnEvent {
    /// Keeps no context.
    driver: Arc<dyn Driver>,
    id: EventId,
}

impl Drop for OwnEvent {
    fn drop(&mut self) {
        self.driver.event_destroy(self.id, &[]);
    }
}

impl Turns {
    /// The order of the launches that share memory of a pool.
    pub(super) fn of_pool() -> Arc<Turns> {
        Turns::new(true)
    }

    /// The order of the launches of graphs that are told in one place which random numbers are theirs. It costs nothing while one exec
    /// keeps to it, as launches of that take turns by themselves.
    pub(in crate::core) fn of_random_numbers() -> Arc<Turns> {
        Turns::new(false)
    }

    fn new(marks_all: bool) -> Arc<Turns> {
        ANY.store(true, Ordering::Release);
        Arc::new(Turns { marks_all, ..Turns::default() })
    }

    /// Whether there ever was any.
    pub(super) fn are_any() -> bool {
        ANY.load(Ordering::Acquire)
    }
}

impl Member {
    /// Another one.
    pub(super) fn of(turns: &Arc<Turns>) -> Member {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        turns.members.fetch_add(1, Ordering::AcqRel);
        Member { turns: Arc::clone(turns), number: NUMBERS.fetch_add(1, Ordering::Relaxed) }
    }

    pub(super) fn turns(&self) -> &Arc<Turns> {
        &self.turns
    }

    /// Whether its launches need no event behind them now.
    fn is_alone(&self) -> bool {
        !self.turns.marks_all && self.turns.members.load(Ordering::Acquire) == 1
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.turns.members.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Latest {
    /// Has `stream` wait for it. The stream is in no capture. Streams that are needed no more go to `let_go`, to be dropped where no
    /// lock is held.
    fn go_before(&mut self, stream: &Stream, let_go: &mut LetGo) -> Result<()> {
        // The per-thread stream is another one for each thread.
        if self.stream == stream.number() && stream.id() != StreamId::PER_THREAD {
            return Ok(());
        }
        if let Some((of, why)) = self.unmarked.take() {
            if let Err(error) = self.mark_late(&of) {
                let error = unordered(error.as_ref().or(why.as_ref()));
                self.unmarked = Some((of, why));
                return Err(error);
            }
            let_go.push(of);
        }
        self.event.map_or(Ok(()), |event| stream.driver().stream_wait_event(stream.id(), event))
    }

    /// Records an event behind it now, since none was when it was made. Why not is told where it is known.
    fn mark_late(&mut self, stream: &Stream) -> std::result::Result<(), Option<Error>> {
        // That of another thread is not to be had.
        if stream.id() == StreamId::PER_THREAD || !is_free(stream).map_err(Some)? {
            return Err(None);
        }
        let marked = self.event_for(stream).and_then(|event| {
            stream.driver().event_record(event, stream.id())?;
            Ok(event)
        });
        self.event = Some(marked.map_err(Some)?);
        Ok(())
    }

    /// The event for launches on `stream`.
    fn event_for(&mut self, stream: &Stream) -> Result<EventId> {
        let driver = stream.context().shared_driver();
        if let Some(known) = self.events.iter().find(|event| Arc::ptr_eq(&event.driver, &driver)) {
            return Ok(known.id);
        }
        let options = EventOptions { disable_timing: true, ..EventOptions::default() };
        let id = driver.event_create(options)?;
        self.events.push(OwnEvent { driver, id });
        Ok(id)
    }

    /// The member was launched on `stream`, with `event` behind it or not.
    fn is_now(
        &mut self,
        member: &Member,
        stream: &Stream,
        event: std::result::Result<EventId, Option<Error>>,
        let_go: &mut LetGo,
    ) {
        (self.stream, self.member) = (stream.number(), member.number);
        let before = match event {
            Ok(event) => {
                self.event = Some(event);
                self.unmarked.take()
            }
            Err(why) => {
                self.event = None;
                self.unmarked.replace((stream.clone(), why))
            }
        };
        let_go.extend(before.map(|(stream, _)| stream));
    }

    /// Whether a launch of the member on `stream` has nothing to wait for and leaves nothing behind but its stream, to be marked when
    /// another member is launched.
    fn is_free_for(&self, member: &Member, stream: &Stream) -> bool {
        // What others can destroy or share is marked at once.
        let is_own = !stream.is_shared() && !matches!(stream.id(), StreamId::LEGACY | StreamId::PER_THREAD);
        is_own
            && member.is_alone()
            && (self.member == member.number || self.stream == stream.number() || self.stream == 0)
    }
}

type LetGo = SmallVec<[Stream; 1]>;

/// Whether work on a stream runs, and is neither recorded nor refused because of a capture.
///
/// # Errors
/// The status of a context that faulted.
fn is_free(stream: &Stream) -> Result<bool> {
    match stream.capture_info() {
        Ok(info) => Ok(info.status == CaptureStatus::None),
        Err(error) if error.status == rules::LEGACY_BARRED => Ok(false),
        Err(error) => Err(error),
    }
}

#[cold]
fn in_capture() -> Error {
    Error::new(Status::BUSY, "others captured that stream meanwhile")
}

#[cold]
fn unordered(why: Option<&Error>) -> Error {
    let why = why.map_or("the stream is being captured", |why| &why.message);
    Error::new(
        Status::BUSY,
        format!(
            "the launch shares memory of a pool, or its random numbers, with an earlier one on another stream, behind which no event \
             can be recorded: {why}; end the capture of that stream, launch on that stream, or wait for it and launch there"
        ),
    )
}

/// Launches an exec in its turn among those that share memory with it. No gc_ call begins a capture on the stream meanwhile. The
/// orders are locked by their addresses.
///
/// # Errors
/// As [`Execs::exec_launch`](crate::driver::Execs::exec_launch); `BUSY` where the launch cannot be ordered behind an earlier one.
#[cold]
pub(super) fn launch(members: &[&Member], exec: ExecId, stream: &Stream) -> Result<()> {
    let mut let_go = LetGo::new();
    let mut latest: SmallVec<[_; 2]> = members.iter().map(|member| (lock(&member.turns.latest), *member)).collect();
    let (driver, id) = (stream.driver(), stream.id());
    if latest.iter().all(|(latest, member)| latest.is_free_for(member, stream)) {
        driver.exec_launch(exec, id)?;
        for (latest, member) in &mut latest {
            match &latest.unmarked {
                // The stream is known already.
                Some((before, _)) if before.number() == stream.number() => latest.member = member.number,
                _ => latest.is_now(member, stream, Err(None), &mut let_go),
            }
        }
        return Ok(());
    }
    stream.membership_or_new().transition(None, || {
        // On a stream that is captured the launch is refused, with the driver's own answer.
        if !is_free(stream)? {
            driver.exec_launch(exec, id)?;
            // Others ended the capture meanwhile.
            latest.iter_mut().for_each(|(latest, member)| {
                latest.is_now(member, stream, Err(Some(in_capture())), &mut let_go);
            });
            return Ok(());
        }
        let mut events = SmallVec::<[EventId; 2]>::new();
        for (latest, _) in &mut latest {
            // Before the launch, which is not made without it.
            events.push(latest.event_for(stream)?);
            latest.go_before(stream, &mut let_go)?;
        }
        driver.exec_launch(exec, id)?;
        for ((latest, member), event) in latest.iter_mut().zip(events) {
            let marked = driver.event_record(event, id).and_then(|()| match stream.is_shared() && !is_free(stream)? {
                // Others began a capture meanwhile, which may have the event.
                true => Err(in_capture()),
                false => Ok(event),
            });
            latest.is_now(member, stream, marked.map_err(Some), &mut let_go);
        }
        Ok(())
    })
}

#[cfg(test)]
#[path = "random_turns_tests.rs"]
mod tests;
