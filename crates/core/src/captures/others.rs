//! Captures that others may record into, on streams and behind events that they have too. The graph of such a capture keeps the
//! memory that the recorded work of others has addresses of. A graph that has no more nodes than graphcap recorded has none of theirs.

use std::sync::atomic::Ordering;

use crate::graphs::others_memory::MemoryOfContexts;
use crate::state::{CaptureLog, Context, GraphInner, Record, WeakContext};
use graphcap_base::error::Result;
use graphcap_base::lock::lock;

impl CaptureLog {
    /// Others may record into the capture from here on.
    pub(crate) fn others_record(&self) {
        self.state.is_of_others.store(true, Ordering::Release);
    }

    /// The contexts that streams joined from, beside that of the stream that the capture was begun on.
    fn other_contexts(&self) -> Vec<Context> {
        lock(&self.state.others).iter().filter_map(WeakContext::upgrade).collect()
    }
}

/// A capture has given `graph`; `record` is that of the capture, where graphcap has met it, and `is_shared` tells whether others use
/// the stream that it ended on. Where others may have recorded into it, the graph keeps the memory that its nodes have addresses of.
///
/// # Errors
/// As [`GraphInner::keep_what_others_use`].
pub(crate) fn keep_for(graph: &GraphInner, record: Option<&Record>, is_shared: bool) -> Result<()> {
    if !record.map_or(is_shared, |record| record.log.state.is_of_others.load(Ordering::Acquire)) {
        return Ok(());
    }
    let mut contexts = record.map(|record| record.log.other_contexts()).unwrap_or_default();
    contexts.insert(0, graph.context().clone());
    let Some(memory) = MemoryOfContexts::of(&contexts) else { return Ok(()) };
    // To read the nodes costs several times what it cost to record them.
    let has_counted_all = |record: &Record| {
        let nodes = graph.context().driver().and_then(|driver| driver.graph_node_count(graph.id()));
        nodes.is_ok_and(|nodes| record.log.counted_all(nodes))
    };
    match record.is_some_and(has_counted_all) {
        true => Ok(()),
        false => graph.keep_what_others_use(&memory),
    }
}
