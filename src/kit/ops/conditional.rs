//! The op that runs scripts depending on a value in device memory.

use std::borrow::Cow;

use crate::core::{Buffer, Context, Graph, NodeWork, Stream};
use crate::driver::{Conditional, ConditionalKind, StreamOptions};
use crate::error::{Error, Result};
use crate::kit::op::{GraphOp, RecordContext};
use crate::kit::script::Script;
use crate::rules::CaptureMode;

/// Runs scripts depending on 4 bytes of device memory, as they are when the graph comes to the op. A
/// [`While`](ConditionalKind::While) looks at them again after each turn of its body.
///
/// Each body becomes a child graph, so that it can have what child graphs within a conditional node can have: kernels, copies,
/// memsets and child graphs, but no conditional.
#[derive(Clone, Debug)]
pub struct ConditionalOp {
    kind: ConditionalKind,
    buffer: Buffer,
    offset: usize,
    bodies: Vec<Script>,
}

impl ConditionalOp {
    /// Decides by the value at byte `offset` of `buffer`, whose address is a multiple of 4, about the scripts as they are now: 1 or
    /// 2 for [`ConditionalKind::If`], 1 for [`ConditionalKind::While`], at least 1 for [`ConditionalKind::Switch`].
    ///
    /// # Errors
    /// `INVALID_VALUE` for a body with an op that bodies cannot have, see [`GraphOp::check_in_body`]; `OUT_OF_MEMORY`.
    pub fn new(kind: ConditionalKind, buffer: &Buffer, offset: usize, bodies: &[Script]) -> Result<ConditionalOp> {
        let bodies: Vec<Script> = bodies.iter().map(Script::copy).collect::<Result<_>>()?;
        for (number, body) in bodies.iter().enumerate() {
            body.check_as_body()
                .map_err(|error| Error::new(error.status, format!("body {number}: {}", error.message)))?;
        }
        Ok(ConditionalOp { kind, buffer: buffer.clone(), offset, bodies })
    }

    /// Records the op into the capture of a stream.
    fn capture(&self, at: &RecordContext) -> Result<()> {
        let bodies = u32::try_from(self.bodies.len()).map_err(|_| Error::invalid_value("there are too many bodies"))?;
        let recorded: Vec<Graph> = self.bodies.iter().map(record_apart).collect::<Result<_>>()?;
        let graph = at.parent_graph()?;
        let condition = graph.create_condition(None)?;
        at.stream().capture_condition_setter(condition, &self.buffer, self.offset)?;
        let conditional = Conditional { condition, kind: self.kind, bodies };
        let node = at.stream().capture_node(&NodeWork::Conditional(conditional))?;
        for (body, recorded) in graph.node_graphs(node)?.iter().zip(&recorded) {
            let child = body.add_node(&[], &NodeWork::Child(recorded))?;
            if self.kind == ConditionalKind::While {
                body.add_condition_setter(&[child], condition, &self.buffer, self.offset)?;
            }
        }
        Ok(())
    }
}

/// Records a script as a graph of its own, while another capture goes on.
fn record_apart(script: &Script) -> Result<Graph> {
    new_stream(script.context())?
        .capture(CaptureMode::Relaxed, |stream| script.record_within(&RecordContext::captured(stream)))
}

/// A blocking stream would have the legacy stream refuse work meanwhile.
fn new_stream(context: &Context) -> Result<Stream> {
    Stream::create(context, StreamOptions { non_blocking: true, ..StreamOptions::default() })
}

impl GraphOp for ConditionalOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self.kind {
            ConditionalKind::If => "if",
            ConditionalKind::While => "while",
            ConditionalKind::Switch => "switch",
        })
    }

    fn prepare(&self, context: &Context) -> Result<()> {
        context.prepare_condition_setters()?;
        self.bodies.iter().try_for_each(Script::prepare).map_err(|failed| failed.error)
    }

    fn record(&self, at: &RecordContext) -> Result<()> {
        if at.is_recording() {
            return self.capture(at);
        }
        // Only a graph has conditions.
        let stream = new_stream(at.context())?;
        let graph = stream.capture(CaptureMode::Relaxed, |stream| self.capture(&RecordContext::captured(stream)))?;
        graph.instantiate()?.launch(at.stream())
    }

    fn check_in_body(&self) -> Result<()> {
        Err(Error::invalid_value("a body becomes a child graph, and these have no conditionals"))
    }
}
