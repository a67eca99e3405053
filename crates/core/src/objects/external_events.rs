//! Events that the nodes of graphs record and wait for, which work outside the graph sees.

use super::event::Event;
use crate::captures::black_box::Operation;
use crate::operations::operands::Operand;
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_driver::Work;

impl Event {
    /// Records a node in the capture that `stream` is in: each launch of the graph records the event, which is reached
    /// when the node is. The graph keeps the event.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is not being captured, and as [`Event::record`].
    pub fn record_external(&self, stream: &Stream) -> Result<()> {
        stream.context().check_family("the stream", self.context(), "the event")?;
        stream.submit_work(Operation::ExternalRecord, &Operand::Event(self), &Work::EventRecord(self.id()))?;
        self.note_node();
        Ok(())
    }
}

impl Stream {
    /// Records a node in the capture that the stream is in: each replay waits there for the record that the event holds
    /// when the graph is launched. The graph keeps the event.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` when the stream is not being captured; `INVALID_CONTEXT` for an event of a device of another kind; what
    /// the capture rules say.
    pub fn wait_event_external(&self, event: &Event) -> Result<()> {
        self.context().check_family("the stream", event.context(), "the event")?;
        self.submit_work(Operation::EventWait, &Operand::Event(event), &Work::EventWait(event.id()))
    }
}

#[cfg(test)]
mod tests {
    use crate::faulty::Faulty;
    use crate::{Context, Event, Graph, NodeWork, Stream};
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{DependencyUpdate, EventOptions, StreamOptions};

    /// Graphs whose launches record an event: one that is built, one that is captured, and one that was set to do so.
    fn recorders(context: &Context, event: &Event) -> [Graph; 3] {
        let [built, set] = [(); 2].map(|()| Graph::create(context).unwrap());
        built.add_node(&[], &NodeWork::EventRecord(event)).unwrap();
        let other = Event::create(context, EventOptions::default()).unwrap();
        let node = set.add_node(&[], &NodeWork::EventRecord(&other)).unwrap();
        set.set_node(node, &NodeWork::EventRecord(event)).unwrap();
        let stream = Stream::create(context, StreamOptions::default()).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        event.record_external(&stream).unwrap();
        [built, stream.end_capture().unwrap(), set]
    }

    #[test]
    fn a_launch_takes_the_event_that_it_records_out_of_a_capture() {
        let (driver, context) = Faulty::context();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        for recorder in recorders(&context, &event) {
            let exec = recorder.instantiate().unwrap();
            let [captured, other] = [(); 2].map(|()| Stream::create(&context, StreamOptions::default()).unwrap());
            let into = Graph::create(&context).unwrap();
            captured.begin_capture_to_graph(&into, &[], CaptureMode::Relaxed).unwrap();
            event.record(&captured).unwrap();
            exec.launch(&other).unwrap();
            other.wait_event(&event).unwrap();
            assert_eq!(other.capture_info().unwrap().id, 0, "it has not joined");
            // Another capture of that stream is no sign that the first one is over.
            other.begin_capture(CaptureMode::Relaxed).unwrap();
            let graph = into.id();
            drop((into, other.end_capture().unwrap()));
            captured.update_capture_dependencies(&[], DependencyUpdate::Add).unwrap();
            assert_eq!(captured.end_capture().unwrap().id(), graph, "the capture keeps the graph that it goes into");
        }
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    /// A launch takes an event out of a capture and never into one, so a wait for it is as any other while it marks none.
    #[test]
    fn a_wait_for_an_event_that_nodes_record_asks_nothing() {
        let (driver, context) = Faulty::context();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let recorders = recorders(&context, &event);
        let [stream, other] = [(); 2].map(|()| Stream::create(&context, StreamOptions::default()).unwrap());
        event.record(&stream).unwrap();
        let calls = driver.calls();
        other.wait_event(&event).unwrap();
        assert_eq!(driver.calls(), calls + 1);
        // Nor does the stream ask later whether it has joined anything.
        other.wait_event(&event).unwrap();
        assert_eq!(driver.calls(), calls + 2);
        drop(recorders);
    }
}
