//! Guarded contexts: a call that would harm an open capture is refused before the driver sees it, and the capture goes on.
//!
//! What the driver would answer is known from the rules, from the captures that the black box has, and from questions
//! that harm nothing. Nothing is asked while no capture is open. A capture that another thread begins between the look
//! and the call is not protected, nor is one that others began on a stream that graphcap does not know.

use std::sync::Arc;

use super::black_box::{self, About};
use super::membership::Marker;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::{self, Violated};
use graphcap_driver::{CaptureStatus, StreamId};

/// Returns whether calls on objects of the context have to be looked at.
#[inline]
pub(crate) fn watches(context: &Context) -> bool {
    context.is_guarded() && black_box::any_open()
}

#[cold]
fn refused(status: Status, rule: Violated) -> Error {
    let why =
        format!("refused, as it would break a capture: {}; the capture goes on; {}", rule.explanation(), rule.remedy());
    black_box::failed(None, None, About::Harmless(None), Error::new(status, why))
}

/// Rule R1: before an unsafe call of this thread.
#[inline]
pub(crate) fn unsafe_call(context: &Context) -> Result<()> {
    if watches(context) && black_box::bars_unsafe_call(context) {
        return Err(refused(rules::BARRED, Violated::Unsafe));
    }
    Ok(())
}

/// Before a wait for a stream, or a question whether it is complete.
#[inline]
pub(crate) fn question(stream: &Stream) -> Result<()> {
    if !watches(stream.context()) {
        return Ok(());
    }
    not_recorded(stream, Violated::OnCapturing)?;
    // On a stream in a broken capture the driver says so before it looks at others.
    if capture_status(stream) == CaptureStatus::Invalidated {
        return Ok(());
    }
    unsafe_call(stream.context())
}

/// Before work that is unsafe unless it is recorded.
pub(crate) fn unsafe_work(stream: &Stream) -> Result<()> {
    match watches(stream.context()) && !records(stream) {
        true => unsafe_call(stream.context()),
        false => Ok(()),
    }
}

/// Before a call that a stream in a capture does not take, by the rule `rule`.
#[inline]
pub(crate) fn not_recorded(stream: &Stream, rule: Violated) -> Result<()> {
    work(stream)?;
    if watches(stream.context()) && records(stream) {
        return Err(refused(rules::BARRED, rule));
    }
    Ok(())
}

/// Rule R3: before work of any kind.
#[inline]
pub(crate) fn work(stream: &Stream) -> Result<()> {
    if stream.id() == StreamId::LEGACY && watches(stream.context()) {
        return legacy_work(stream);
    }
    Ok(())
}

/// As [`work`] on the legacy stream of a guarded context. Apart, as most calls get no further.
#[cold]
#[inline(never)]
fn legacy_work(stream: &Stream) -> Result<()> {
    match legacy_is_closed(stream) {
        true => Err(refused(rules::LEGACY_BARRED, Violated::Legacy)),
        false => Ok(()),
    }
}

/// Before a launch: as [`work`], which comes first; and `check` finds out whether its shape is impossible, which on a stream in a capture
/// would break it.
#[inline]
pub(crate) fn shape(stream: &Stream, check: impl FnOnce() -> Result<()>) -> Result<()> {
    if !watches(stream.context()) {
        return Ok(());
    }
    watched_shape(stream, check)
}

#[cold]
#[inline(never)]
fn watched_shape(stream: &Stream, check: impl FnOnce() -> Result<()>) -> Result<()> {
    work(stream)?;
    check().or_else(|error| if records(stream) { Err(error) } else { Ok(()) })
}

/// Before a wait for a whole context.
pub(crate) fn whole_context(context: &Context) -> Result<()> {
    if watches(context) && black_box::captures_in(context) {
        return Err(refused(rules::BARRED, Violated::WholeContext));
    }
    Ok(())
}

/// Facts about the latest record of an event.
pub(crate) struct LatestRecord<'a> {
    /// Of the capture that it was made in.
    pub(crate) marker: Option<&'a Marker>,
    /// Tells whether others may have recorded the event since.
    pub(crate) is_shared: bool,
    /// Tells whether launches of graphs may have recorded the event since, which takes it out of captures.
    pub(crate) is_recorded_by_nodes: bool,
    /// Tells whether the event was ever recorded by a gc_ call.
    pub(crate) was_recorded: bool,
}

/// Before the host asks about an event of `context`, or waits for it.
pub(crate) fn event(context: &Context, latest: LatestRecord<'_>) -> Result<()> {
    if !watches(context) {
        return Ok(());
    }
    match latest.marker {
        Some(marker) if is_active(marker) => Err(refused(rules::CAPTURED_EVENT, Violated::CapturedEvent)),
        // Of a capture that is over, or broken, the driver says so and harms none, unless the event was recorded since.
        Some(_) if !latest.is_shared && !latest.is_recorded_by_nodes => Ok(()),
        _ => unsafe_call(context),
    }
}

/// Before a stream waits for an event.
pub(crate) fn wait(stream: &Stream, latest: LatestRecord<'_>) -> Result<()> {
    // Of an event that others may have recorded since the driver alone knows.
    if !watches(stream.context()) || latest.is_shared {
        return Ok(());
    }
    // A launch may have recorded the event since, outside: a stream that is captured must not wait for it then either.
    if stream.id() == StreamId::LEGACY {
        let is_barred = legacy_is_closed(stream) || latest.marker.is_some_and(is_active);
        return if is_barred { Err(refused(rules::LEGACY_BARRED, Violated::Legacy)) } else { Ok(()) };
    }
    if !records(stream) {
        return Ok(());
    }
    match latest.marker {
        Some(marker) if is_active(marker) => match stream.present_log() {
            Some(log) if !Arc::ptr_eq(&log, marker.log()) => Err(refused(Status::CAPTURE_MERGE, Violated::Merge)),
            // Of a capture that others began graphcap does not know whether it is the same.
            _ => Ok(()),
        },
        Some(_) => Err(refused(Status::INVALID_VALUE, Violated::CapturedEvent)),
        None if latest.was_recorded => Err(refused(Status::CAPTURE_ISOLATION, Violated::Isolation)),
        None => Ok(()),
    }
}

/// Returns whether the capture that an event was recorded in goes on and is whole.
fn is_active(marker: &Marker) -> bool {
    !marker.is_over() && marker.log().is_active()
}

/// Before the capture of a stream is ended.
pub(crate) fn end(stream: &Stream) -> Result<()> {
    work(stream)?;
    if !watches(stream.context()) || !records(stream) {
        return Ok(());
    }
    let Some(log) = stream.present_log() else { return Ok(()) };
    if !log.began_on(stream) {
        return Err(refused(Status::CAPTURE_UNMATCHED, Violated::Unmatched));
    }
    if let Some(streams) = log.open_streams() {
        let mut error = refused(Status::CAPTURE_UNJOINED, Violated::Unjoined);
        error.message.to_mut().push_str(&format!("; not joined{streams}"));
        return Err(error);
    }
    if !log.may_end_here() {
        return Err(refused(Status::CAPTURE_WRONG_THREAD, Violated::WrongThread));
    }
    Ok(())
}

fn capture_status(stream: &Stream) -> CaptureStatus {
    stream.capture_info().map_or(CaptureStatus::None, |info| info.status)
}

fn records(stream: &Stream) -> bool {
    capture_status(stream) == CaptureStatus::Active
}

/// To ask the legacy stream for its capture harms none.
fn legacy_is_closed(legacy: &Stream) -> bool {
    legacy.capture_info().is_err_and(|error| error.status == rules::LEGACY_BARRED)
}

/// Tests of what an end knows of work that is not joined, when calls race. All else is tried from C.
#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::faulty::Faulty;
    use crate::{Buffer, Context, Event, Stream};
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{DependencyUpdate, EventOptions, StreamOptions};

    struct World {
        driver: Arc<Faulty>,
        origin: Stream,
        fork: Stream,
        event: Event,
        buffer: Buffer,
    }

    /// A capture that is begun.
    fn world() -> World {
        let (driver, context) = Faulty::context();
        let stream = |context: &Context| Stream::create(context, StreamOptions::default()).unwrap();
        let world = World {
            driver,
            origin: stream(&context),
            fork: stream(&context),
            event: Event::create(&context, EventOptions::default()).unwrap(),
            buffer: Buffer::allocate(&context, 8).unwrap(),
        };
        world.origin.begin_capture(CaptureMode::Global).unwrap();
        world
    }

    impl World {
        fn order(&self, from: &Stream, to: &Stream) {
            self.event.record(from).unwrap();
            to.wait_event(&self.event).unwrap();
        }

        fn work(&self) {
            self.fork.memset(&self.buffer, 0, 0, 1, 8).unwrap();
        }

        fn is_refused(&self) -> bool {
            self.origin.present_log().unwrap().open_streams().is_some()
        }
    }

    #[test]
    fn work_counts_from_the_call_that_records_it() {
        let world = world();
        world.order(&world.origin, &world.fork);
        assert!(!world.is_refused());
        // Another thread joins what the driver has recorded and this thread's call has not returned from.
        let (origin, fork, event) = (world.origin.clone(), world.fork.clone(), world.event.clone());
        world.driver.at("after memset", move || {
            event.record(&fork).unwrap();
            origin.wait_event(&event).unwrap();
        });
        world.work();
        assert!(!world.is_refused());
        world.work();
        assert!(world.is_refused());
    }

    #[test]
    fn work_that_was_refused_does_not_count() {
        let world = world();
        world.order(&world.origin, &world.fork);
        world.driver.fail("memset", graphcap_base::error::Status::OUT_OF_MEMORY);
        world.fork.memset(&world.buffer, 0, 0, 1, 8).unwrap_err();
        assert!(!world.is_refused());
    }

    #[test]
    fn work_that_raced_a_join_is_left_to_the_driver() {
        let world = world();
        let (fork, buffer) = (world.fork.clone(), world.buffer.clone());
        world.driver.at("stream_wait_event", move || fork.memset(&buffer, 0, 0, 1, 8).unwrap());
        world.order(&world.origin, &world.fork);
        assert!(!world.is_refused());
        world.work();
        assert!(!world.is_refused());
    }

    #[test]
    fn an_end_after_new_dependencies_is_left_to_the_driver() {
        let world = world();
        world.order(&world.origin, &world.fork);
        world.work();
        assert!(world.is_refused());
        world.fork.update_capture_dependencies(&[], DependencyUpdate::Set).unwrap();
        assert!(!world.is_refused());
    }
}
