//! Work described as that of a node, given to a stream: it runs, or is recorded if the stream is being captured.

use super::launch_events::KernelLaunch;
use super::node_work::NodeWork;
use crate::state::{Context, Stream};
use graphcap_base::error::Result;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{check_caller, CaptureStatus};

impl Stream {
    /// Gives the stream the work of a node. If the stream is being captured, the work is recorded as such a node: events are
    /// recorded and waited for at each launch of the graph, and a child graph is copied. Otherwise the work is queued; a child
    /// graph is instantiated and launched. Copies of no bytes, memsets of no elements and empty work do nothing.
    ///
    /// # Errors
    /// As the method of [`Stream`] for such work; `INVALID_VALUE` for a conditional of a stream that is not captured, since its
    /// condition belongs to a graph.
    pub fn submit_node_work(&self, work: &NodeWork<'_>) -> Result<()> {
        match *work {
            NodeWork::Empty => Ok(()),
            NodeWork::Kernel { kernel, shape, arguments, attributes } => {
                self.submit_launch(kernel, KernelLaunch { shape, arguments, attributes, events: &[] })
            }
            NodeWork::Memcpy(copy) => self.memcpy(&copy),
            NodeWork::Memset(fill) => self.memset_rows(&fill),
            NodeWork::Host(function) => self.launch_host_function(function.clone()),
            NodeWork::Values(operations) => self.value_batch(operations),
            NodeWork::EventRecord(event) if self.is_recording()? => event.record_external(self),
            NodeWork::EventRecord(event) => event.record(self),
            NodeWork::EventWait(event) if self.is_recording()? => self.wait_event_external(event),
            NodeWork::EventWait(event) => self.wait_event(event),
            NodeWork::Child(graph) if !self.is_recording()? => graph.instantiate()?.launch(self),
            NodeWork::Child(_) | NodeWork::Conditional(_) => self.capture_node(work).map(drop),
            NodeWork::Free(buffer) => self.free(buffer),
        }
    }

    /// Returns whether work is recorded now. A capture that was broken counts: what is submitted then tells why.
    ///
    /// # Errors
    /// As [`Stream::capture_info`].
    pub fn is_recording(&self) -> Result<bool> {
        Ok(self.capture_info()?.status != CaptureStatus::None)
    }
}

impl Context {
    /// Loads what [`Stream::capture_condition_setter`] records, which must not happen while the thread's own capture bars it.
    ///
    /// # Errors
    /// As [`Module::load`](crate::Module), for a module of graphcap's own.
    pub fn prepare_condition_setters(&self) -> Result<()> {
        check_caller()?;
        self.built_in(BuiltInKernel::SetCondition).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::{Event, Graph};
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{Conditional, ConditionalKind, EventOptions, HostFunction, NodeKind, StreamOptions};
    use std::sync::Arc;

    #[test]
    fn the_work_of_nodes_is_recorded_or_runs() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let function: HostFunction = Arc::new(|| ());
        let child = Graph::create(&context).unwrap();
        let works = [
            NodeWork::Empty,
            NodeWork::Host(&function),
            NodeWork::EventRecord(&event),
            NodeWork::EventWait(&event),
            NodeWork::Child(&child),
        ];
        works.iter().for_each(|work| stream.submit_node_work(work).unwrap());
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        works.iter().for_each(|work| stream.submit_node_work(work).unwrap());
        let graph = stream.end_capture().unwrap();
        let kinds: Vec<_> = graph.order().unwrap().into_iter().map(|node| graph.node_kind(node).unwrap()).collect();
        assert_eq!(kinds, [NodeKind::Host, NodeKind::EventRecord, NodeKind::EventWait, NodeKind::Child]);
        assert_eq!(driver.violations(), Vec::<String>::new());
    }

    #[test]
    fn what_only_graphs_have_is_refused_outside_of_captures() {
        let (_driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let condition = Graph::create(&context).unwrap().create_condition(0).unwrap();
        let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 1 };
        assert!(stream.submit_node_work(&NodeWork::Conditional(conditional)).is_err());
    }
}
