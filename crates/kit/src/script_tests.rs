//! Scripts: what is recorded, what fails and how it is told, and that nothing is left.

use super::*;
use graphcap_core::{Buffer, FillOf, OwnedWork};
use graphcap_driver::{DeviceChoice, DeviceKind, HostFunction, NodeKind, StreamOptions};
use std::borrow::Cow;
use std::sync::atomic::AtomicU32;

/// A function that records.
type Record = fn(&RecordContext) -> Result<()>;

/// An op that a test decides about.
struct Told<P, R> {
    name: &'static str,
    prepare: P,
    record: R,
}

impl<P, R> GraphOp for Told<P, R>
where
    P: Fn() -> Result<()> + Send + Sync,
    R: Fn(&RecordContext) -> Result<()> + Send + Sync,
{
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.name)
    }

    fn prepare(&self, _: &Context) -> Result<()> {
        (self.prepare)()
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        (self.record)(at)
    }
}

fn recording(record: impl Fn(&RecordContext) -> Result<()> + Send + Sync + 'static) -> impl GraphOp + 'static {
    Told { name: "told", prepare: || Ok(()), record }
}

fn context() -> (Context, Stream) {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let stream = Stream::create(&context, StreamOptions::default()).unwrap();
    (context, stream)
}

fn counting(counter: &Arc<AtomicU32>) -> OwnedWork {
    let counter = Arc::clone(counter);
    let function: HostFunction = Arc::new(move || {
        counter.fetch_add(1, Ordering::SeqCst);
    });
    OwnedWork::Host(function)
}

#[test]
fn a_script_is_recorded_again_and_again() {
    let (context, stream) = context();
    let (script, count) = (Script::create(&context), Arc::new(AtomicU32::new(0)));
    script.push(counting(&count)).unwrap();
    script.push(OwnedWork::Memset(FillOf::bytes(&Buffer::allocate(&context, 8).unwrap(), 3))).unwrap();
    assert_eq!((script.len(), script.is_empty()), (2, false));
    for round in 1..=3 {
        let graph = script.record(&stream, CaptureMode::Relaxed).unwrap();
        let kinds: Vec<_> = graph.order().unwrap().iter().map(|&node| graph.node_kind(node).unwrap()).collect();
        assert_eq!(kinds, [NodeKind::Host, NodeKind::Memset]);
        graph.instantiate().unwrap().launch(&stream).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(count.load(Ordering::SeqCst), round);
    }
    drop(script);
    stream.synchronize().unwrap();
}

#[test]
fn what_is_submitted_runs_or_goes_into_the_capture() {
    let (context, stream) = context();
    let (script, count) = (Script::create(&context), Arc::new(AtomicU32::new(0)));
    let recorded = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&recorded);
    script.push(counting(&count)).unwrap();
    script
        .push(recording(move |at| {
            seen.fetch_add(u32::from(at.is_recording()), Ordering::SeqCst);
            assert_eq!(at.parent_graph().is_ok(), at.is_recording());
            Ok(())
        }))
        .unwrap();
    script.submit(&stream).unwrap();
    stream.synchronize().unwrap();
    assert_eq!((count.load(Ordering::SeqCst), recorded.load(Ordering::SeqCst)), (1, 0));
    stream.begin_capture(CaptureMode::Relaxed).unwrap();
    script.submit(&stream).unwrap();
    assert_eq!(stream.end_capture().unwrap().node_count().unwrap(), 1);
    assert_eq!((count.load(Ordering::SeqCst), recorded.load(Ordering::SeqCst)), (1, 1));
}

#[test]
fn the_op_that_fails_is_told_and_the_stream_is_left_clean() {
    let (context, stream) = context();
    let breaking: [(&str, Status, Record); 6] = [
        ("no luck", Status::SEALED, |_| Err(Error::new(Status::SEALED, "no luck"))),
        ("it panicked: on purpose", Status::CALLBACK, |_| std::panic::resume_unwind(Box::new("on purpose"))),
        ("it ended the capture", Status::CAPTURE_UNMATCHED, |at| at.stream().end_capture().map(drop)),
        ("and began another one", Status::CAPTURE_UNMATCHED, |at| {
            drop(at.stream().end_capture()?);
            at.stream().begin_capture(CaptureMode::Relaxed)
        }),
        ("and began another one", Status::CAPTURE_UNMATCHED, |at| {
            drop(at.stream().end_capture()?);
            at.stream().begin_capture(CaptureMode::Relaxed)?;
            at.stream().launch_host_function(Arc::new(|| ()))?;
            at.stream().synchronize().unwrap_err();
            Ok(())
        }),
        ("it broke the capture", Status::CAPTURE_INVALIDATED, |at| {
            let _ = at.stream().synchronize();
            Ok(())
        }),
    ];
    for (told, status, record) in breaking {
        let (script, count) = (Script::create(&context), Arc::new(AtomicU32::new(0)));
        let buffer = Buffer::allocate(&context, 8).unwrap();
        script.push(OwnedWork::Memset(FillOf::bytes(&buffer, 1))).unwrap();
        script.push_named(Some("the second one".into()), Box::new(recording(record))).unwrap();
        script.push(counting(&count)).unwrap();
        let error = script.record(&stream, CaptureMode::Relaxed).unwrap_err();
        assert_eq!(error.op, Some(FailedOp { index: 1, name: "the second one".into() }));
        assert_eq!(error.error.status, status);
        let message = error.to_string();
        assert!(message.contains("op 1 (the second one)") && message.contains(told), "{message}");
        assert!(!stream.is_recording().unwrap());
        drop(script);
        assert_eq!(Arc::strong_count(&count), 1, "what was recorded is gone");
        stream.synchronize().unwrap();
    }
}

#[test]
fn ops_are_prepared_once_and_before_the_capture() {
    let (context, stream) = context();
    let script = Script::create(&context);
    let (prepared, fails) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(true)));
    let (count, fail) = (Arc::clone(&prepared), Arc::clone(&fails));
    script
        .push(Told {
            name: "heavy",
            prepare: move || {
                count.fetch_add(1, Ordering::SeqCst);
                match fail.load(Ordering::SeqCst) {
                    true => Err(Error::new(Status::LIBRARY, "there is no library")),
                    false => Ok(()),
                }
            },
            record: |_: &RecordContext| Ok(()),
        })
        .unwrap();
    for result in [script.prepare(), script.record(&stream, CaptureMode::Relaxed).map(drop), script.submit(&stream)] {
        let error = result.unwrap_err();
        assert_eq!((error.error.status, error.op.map(|op| op.index)), (Status::LIBRARY, Some(0)));
        assert!(error.error.message.contains("op 0 (heavy) could not be prepared"), "{}", error.error);
    }
    fails.store(false, Ordering::SeqCst);
    script.prepare().unwrap();
    script.record(&stream, CaptureMode::Relaxed).unwrap();
    script.submit(&stream).unwrap();
    assert_eq!(prepared.load(Ordering::SeqCst), 4, "once more after three failures");
}

#[test]
fn a_stream_of_another_context_is_refused() {
    let ((context, _), (_, stream)) = (context(), context());
    let error = Script::create(&context).record(&stream, CaptureMode::Relaxed).unwrap_err();
    assert_eq!((error.error.status, error.op), (Status::INVALID_CONTEXT, None));
    assert_eq!(Script::create(&context).submit(&stream).unwrap_err().error.status, Status::INVALID_CONTEXT);
}

#[test]
fn one_script_is_recorded_by_several_threads() {
    let (context, _) = context();
    let (script, count) = (Script::create(&context), Arc::new(AtomicU32::new(0)));
    script.push(counting(&count)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let stream = Stream::create(&context, StreamOptions::default()).unwrap();
                for _ in 0..20 {
                    let graph = script.record(&stream, CaptureMode::Relaxed).unwrap();
                    graph.instantiate().unwrap().launch(&stream).unwrap();
                }
                stream.synchronize().unwrap();
            });
        }
    });
    assert_eq!(count.load(Ordering::SeqCst), 80);
}
