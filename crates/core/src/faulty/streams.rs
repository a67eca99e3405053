//! Streams, their attributes, and events; streams that the driver shares with others, by their native handles.

use std::sync::Arc;
use std::time::Duration;

use super::forward::{forward, plain};
use super::{failure, Faulty};
use graphcap_base::error::{Result, Status};
use graphcap_driver::*;

impl Faulty {
    /// All work of a stream that was destroyed is known to be complete.
    pub(crate) fn is_over(&self, stream: StreamId) {
        self.state().over.insert(stream);
    }

    /// The stream with that native handle.
    pub(crate) fn stream_of(&self, native: usize) -> Option<StreamId> {
        let state = self.state();
        let own = StreamId(native as u64);
        state.of_others.get(&native).map(|&(stream, _)| stream).or(state.streams.contains(&own).then_some(own))
    }
}

impl Streams for Faulty {
    fn stream_create(&self, options: StreamOptions) -> Result<StreamId> {
        let note = |state: &mut super::State, stream| {
            state.streams.insert(stream);
            state.made.push(stream);
        };
        self.call_noting("stream_create", || self.host.stream_create(options), note)
    }
    fn stream_destroy(&self, stream: StreamId) {
        let _ = self.call("stream_destroy", || {
            if let Some((_, handles)) = self.state().of_others.values_mut().find(|(of, _)| *of == stream) {
                *handles -= 1;
                if *handles > 0 {
                    return Ok(());
                }
            }
            self.host.stream_destroy(stream);
            let state = &mut *self.state();
            state.of_others.retain(|_, (_, handles)| *handles > 0);
            if stream != StreamId::PER_THREAD && !state.streams.remove(&stream) {
                state.violation(format!("{stream:?} destroyed twice"));
            }
            state.captures.retain(|_, (origin, _)| *origin != stream);
            Ok(())
        });
    }
    fn stream_is_over(&self, stream: StreamId) -> bool {
        self.state().over.contains(&stream)
    }
    forward! {
        fn stream_synchronize(&self, stream: StreamId) -> Result<()>;
        fn stream_synchronize_for(&self, stream: StreamId, limit: Duration) -> Result<bool>;
        fn stream_synchronize_eagerly(&self, stream: StreamId, limit: Duration) -> Result<bool>;
        fn stream_is_complete(&self, stream: StreamId) -> Result<bool>;
        fn finish_legacy(&self) -> Result<()>;
    }
    /// As on a GPU, which counts no completions: events tell of them.
    fn stream_submissions(&self, _: StreamId) -> Option<Arc<dyn Submissions>> {
        None
    }
}

impl Attributes for Faulty {
    forward! {
        fn stream_priority_range(&self) -> Result<(i32, i32)>;
        fn stream_is_non_blocking(&self, stream: StreamId) -> Result<bool>;
        fn stream_priority(&self, stream: StreamId) -> Result<i32>;
        fn stream_attribute(&self, stream: StreamId, attribute: u32) -> Result<AttributeValue>;
        fn stream_set_attribute(&self, stream: StreamId, attribute: u32, value: &AttributeValue) -> Result<()>;
        fn stream_copy_attributes(&self, destination: StreamId, source: StreamId) -> Result<()>;
    }
    fn stream_attach(&self, stream: StreamId, address: Address, attach: Attach) -> Result<()> {
        let effect = || self.host.stream_attach(stream, address, attach);
        self.call_noting("stream_attach", effect, |state, ()| state.use_memory(address, stream))
    }
}

impl Events for Faulty {
    fn stream_wait_event(&self, stream: StreamId, event: EventId) -> Result<()> {
        self.call("stream_wait_event", || {
            self.state().ordered.push(("wait", stream));
            self.host.stream_wait_event(stream, event)
        })
    }
    fn event_create(&self, options: EventOptions) -> Result<EventId> {
        let note = |state: &mut super::State, event| _ = state.events.insert(event);
        self.call_noting("event_create", || self.host.event_create(options), note)
    }
    fn event_destroy(&self, event: EventId, used_by: &[StreamId]) {
        let _ = self.call("event_destroy", || {
            self.host.event_destroy(event, used_by);
            let state = &mut *self.state();
            if !state.events.remove(&event) {
                state.violation(format!("{event:?} destroyed twice"));
            }
            let users = state.event_users.remove(&event).unwrap_or_default();
            if let Some(missed) = users.iter().find(|user| !used_by.contains(user)) {
                state.violation(format!("{event:?} destroyed without waiting for {missed:?}"));
            }
            Ok(())
        });
    }
    fn event_record(&self, event: EventId, stream: StreamId) -> Result<()> {
        self.call("event_record", || {
            self.state().ordered.push(("record", stream));
            self.host.event_record(event, stream)
        })
    }
    forward! {
        fn event_is_complete(&self, event: EventId) -> Result<bool>;
        fn event_synchronize(&self, event: EventId) -> Result<()>;
        fn event_elapsed_ms(&self, start: EventId, end: EventId) -> Result<f32>;
        fn event_ipc_handle(&self, event: EventId) -> Result<IpcHandle>;
        fn event_open_ipc(&self, handle: &IpcHandle) -> Result<EventId>;
    }
    /// As drivers do that would harm a capture: the event is asked about where nobody records it in one.
    fn event_synchronize_for(
        &self,
        event: EventId,
        limit: Duration,
        unless_captured: &dyn Fn(&mut dyn FnMut()),
    ) -> Result<bool> {
        self.call("event_synchronize_for", || {
            let mut answer = Ok(false);
            unless_captured(&mut || answer = self.host.event_synchronize_for(event, limit, &|ask| ask()));
            answer
        })
    }
    plain! { fn event_was_reached_before_fault(&self, event: EventId) -> bool; }
}

impl Foreign for Faulty {
    fn shares_streams(&self) -> bool {
        self.shares_streams
    }
    fn native(&self, object: Object) -> Result<usize> {
        self.call("native", || match object {
            Object::Stream(stream) => Ok(stream.0 as usize),
            Object::Event(event) => Ok(event.0 as usize),
            Object::Exec(exec) => Ok(exec.0 as usize),
            Object::Graph(graph) => Ok(graph.0 as usize),
            _ => failure(Status::NOT_SUPPORTED),
        })
    }
    fn stream_wrap(&self, native: usize) -> Result<StreamId> {
        self.call("stream_wrap", || {
            let known = self.state().of_others.get(&native).map(|&(stream, _)| stream);
            let stream = known.map_or_else(|| self.host.stream_create(StreamOptions::default()), Ok)?;
            let state = &mut *self.state();
            state.streams.insert(stream);
            state.made.push(stream);
            state.of_others.entry(native).or_insert((stream, 0)).1 += 1;
            Ok(stream)
        })
    }
    forward! {
        fn graph_wrap(&self, native: usize) -> Result<(GraphId, bool)>;
        fn exec_wrap(&self, native: usize, graph: Option<GraphId>) -> Result<WrappedExec>;
    }
    plain! {
        fn graph_own(&self, graph: GraphId);
        fn exec_own(&self, exec: ExecId);
    }
    fn native_capture(&self, native: usize) -> Result<CaptureInfo> {
        let not_captured = CaptureInfo { status: CaptureStatus::None, id: 0 };
        let stream = self.stream_of(native);
        self.call("capture_info", || stream.map_or(Ok(not_captured), |stream| self.host.capture_info(stream)))
    }
}
