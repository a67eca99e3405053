//! The ops that record an event and wait for one.

use std::borrow::Cow;

use crate::op::{GraphOp, RecordContext};
use graphcap_base::error::{Error, Result};
use graphcap_core::{Event, NodeWork};

/// Records an event, at each launch of a graph. Streams outside the graph wait for the record.
#[derive(Clone, Debug)]
pub struct EventRecordOp {
    /// The event.
    pub event: Event,
}

impl GraphOp for EventRecordOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("event record")
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        at.stream().submit_node_work(&NodeWork::EventRecord(&self.event))
    }

    fn check_in_body(&self) -> Result<()> {
        Err(no_events())
    }
}

/// Waits for the record that an event holds when a graph is launched.
#[derive(Clone, Debug)]
pub struct EventWaitOp {
    /// The event.
    pub event: Event,
}

impl GraphOp for EventWaitOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("event wait")
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        at.stream().submit_node_work(&NodeWork::EventWait(&self.event))
    }

    fn check_in_body(&self) -> Result<()> {
        Err(no_events())
    }
}

#[cold]
fn no_events() -> Error {
    Error::invalid_value("bodies cannot record events or wait for them; put the op before the conditional or behind it")
}
