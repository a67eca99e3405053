//! The op that runs scripts depending on a value in device memory.

use std::borrow::Cow;

use super::apart::{new_stream, record_apart};
use crate::op::{AddNodes, BodyNodes, GraphOp, RecordContext};
use crate::script::{BodyPart, Script};
use graphcap_base::error::{Error, Result, Status};
use graphcap_core::{Buffer, Context, Graph, NodeWork};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{ConditionId, Conditional, ConditionalKind, NodeId};

/// Most conditionals that can lie within each other. A GPU was seen to run as many.
const DEEPEST: usize = 8;

/// Runs scripts depending on 4 bytes of device memory, as they are when the graph comes to the op. A
/// [`While`](ConditionalKind::While) looks at them again after each turn of its body.
///
/// The ops of a body between two conditionals become a child graph, so that they can be what child graphs within a conditional node
/// can have: kernels, copies, memsets and child graphs. The conditionals themselves become nodes of the body.
#[derive(Clone, Debug)]
pub struct ConditionalOp {
    kind: ConditionalKind,
    buffer: Buffer,
    offset: usize,
    bodies: Vec<Script>,
    /// As [`BodyNodes::levels`].
    levels: usize,
}

/// The parts of a body, in order.
type RecordedBody = Vec<BodyPart>;

impl ConditionalOp {
    /// Decides by the value at byte `offset` of `buffer`, whose address is a multiple of 4, about the scripts as they are now: 1 or
    /// 2 for [`ConditionalKind::If`], 1 for [`ConditionalKind::While`], at least 1 for [`ConditionalKind::Switch`].
    ///
    /// # Errors
    /// `INVALID_VALUE` for a body with an op that bodies cannot have, see [`GraphOp::check_in_body`], and for more than 8 conditionals
    /// within each other; `OUT_OF_MEMORY`.
    pub fn new(kind: ConditionalKind, buffer: &Buffer, offset: usize, bodies: &[Script]) -> Result<ConditionalOp> {
        let bodies: Vec<Script> = bodies.iter().map(Script::copy).collect::<Result<_>>()?;
        let mut levels = 1;
        for (number, body) in bodies.iter().enumerate() {
            let within = body
                .check_as_body()
                .map_err(|error| Error::new(error.status, format!("body {number}: {}", error.message)))?;
            levels = levels.max(1 + within);
            if levels > DEEPEST {
                return Err(Error::invalid_value(format!(
                    "body {number} has {within} conditionals within each other, so that there would be {levels}; there can be at most \
                     {DEEPEST}"
                )));
            }
        }
        Ok(ConditionalOp { kind, buffer: buffer.clone(), offset, bodies, levels })
    }

    /// Records the bodies, before anything is put where they go.
    fn record_bodies(&self) -> Result<Vec<RecordedBody>> {
        self.bodies.iter().map(|body| body.record_as_body(&|record| record_apart(body.context(), record))).collect()
    }

    /// Refuses a number of bodies that no node of the kind has, before anything is put anywhere.
    fn check_count(&self) -> Result<()> {
        let (what, wanted, fits) = match (self.kind, self.bodies.len()) {
            (ConditionalKind::If, count) => ("an if", "1 or 2 bodies", (1..=2).contains(&count)),
            (ConditionalKind::While, count) => ("a while", "1 body", count == 1),
            (ConditionalKind::Switch, count) => ("a switch", "at least 1 body", count > 0),
        };
        match fits {
            true => Ok(()),
            false => Err(Error::invalid_value(format!("{what} has {wanted}, and this one has {}", self.bodies.len()))),
        }
    }

    fn node(&self, condition: ConditionId) -> Result<NodeWork<'static>> {
        let bodies = u32::try_from(self.bodies.len()).map_err(|_| Error::invalid_value("there are too many bodies"))?;
        Ok(NodeWork::Conditional(Conditional { condition, kind: self.kind, bodies }))
    }

    /// Records the op into the capture of a stream.
    fn capture(&self, at: &RecordContext) -> Result<()> {
        self.check_count()?;
        let recorded = self.record_bodies()?;
        let graph = at.parent_graph()?;
        // The bodies of the op's node are filled at once.
        if graph.is_of_node() {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                "the capture goes into a body or the graph of a child node, where the bodies of an if, a while or a switch can be \
                 had when it has ended; record the script into a graph of its own, or have the outer conditional in a script too",
            ));
        }
        let condition = graph.create_condition(0)?;
        let work = self.node(condition)?;
        at.stream().capture_condition_setter(condition, &self.buffer, self.offset)?;
        let node = at.stream().capture_node(&work)?;
        self.fill(&graph, node, condition, recorded)
    }

    /// Puts what was recorded into the bodies of the op's node.
    fn fill(&self, graph: &Graph, node: NodeId, condition: ConditionId, recorded: Vec<RecordedBody>) -> Result<()> {
        for (body, parts) in graph.node_graphs(node)?.iter().zip(recorded) {
            let mut last: Option<NodeId> = None;
            for part in parts {
                last = Some(match part {
                    BodyPart::Graph(part) => body.add_node(last.as_slice(), &NodeWork::Child(&part))?,
                    BodyPart::Nodes(add) => add(body, last.as_slice())?,
                });
            }
            if self.kind == ConditionalKind::While {
                body.add_condition_setter(last.as_slice(), condition, &self.buffer, self.offset)?;
            }
        }
        Ok(())
    }
}

impl BodyNodes for ConditionalOp {
    fn levels(&self) -> usize {
        self.levels
    }

    fn record_apart(&self) -> Result<AddNodes> {
        self.check_count()?;
        let (op, recorded) = (self.clone(), self.record_bodies()?);
        Ok(Box::new(move |graph, after| {
            let condition = graph.create_condition(0)?;
            let set = graph.add_condition_setter(after, condition, &op.buffer, op.offset)?;
            // What was added for it goes where it cannot be.
            let node = graph.add_node(&[set], &op.node(condition)?).inspect_err(|_| {
                let _ = graph.remove_node(set);
            })?;
            op.fill(graph, node, condition, recorded)?;
            Ok(node)
        }))
    }
}

impl GraphOp for ConditionalOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.kind.name())
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

    fn nodes_of_body(&self) -> Option<&dyn BodyNodes> {
        Some(self)
    }
}
