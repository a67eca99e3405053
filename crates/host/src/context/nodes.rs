//! Work that becomes what a node does, checked as the driver checks nodes: at once, where a capture leaves it to the launch.

use std::sync::Arc;

use super::submit::{copy_action, kernel_call};
use super::HostContext;
use crate::code::launch_attributes::Of;
use crate::graph::{Action, Bodies, Definition, Graph};
use crate::memory::held;
use crate::shared::OBJECTS;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::room;
use graphcap_driver::ids::{key_of, no_such};
use graphcap_driver::{
    Conditional, ConditionalKind, GraphId, MemcpyRows, Memset, NodeKind, Steps, Work, MOST_IN_A_BATCH,
};

/// Most bodies that a conditional can have: some hundred megabytes of graphs without nodes.
const MOST_BODIES: u32 = 1 << 20;

impl HostContext {
    /// Returns what a node that is added to `graph` does for `work`; without a graph, what one of an exec does.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a shape that cannot be, for copies and memsets of memory that is not alive, and for what is of another
    /// graph; `NOT_SUPPORTED` for work that the device can never do.
    pub(super) fn node_action(&self, work: &Work<'_>, graph: Option<GraphId>) -> Result<Action> {
        match work {
            Work::Empty => Ok(Action::Empty),
            Work::Kernel(launch) => {
                // Of whatever context: a host kernel runs anywhere.
                let kernel = OBJECTS.kernels.get(key_of(launch.kernel.0)).ok_or_else(|| no_such("kernel"))?;
                kernel_call(Of::Node, launch, &kernel).map(Action::Kernel)
            }
            Work::Memcpy { rows, snapshot } => {
                check_extent(rows)?;
                held::check_rows_of_node(rows)?;
                Ok(copy_action(rows, *snapshot))
            }
            Work::Memset(set) => {
                check_set(set)?;
                Ok(Action::Memset(*set))
            }
            Work::Values(operations) => {
                check_count(operations.len())?;
                held::check_alignments(operations)?;
                self.action(work)
            }
            Work::Host(_) | Work::EventRecord(_) | Work::EventWait(_) => self.action(work),
            Work::Child(child) => match graph {
                Some(graph) => self.child_of(graph, *child),
                None => self.graph_at(*child, |child, path| Ok(Action::Child(Arc::clone(child.at(path)?)))),
            },
            Work::Conditional(conditional) => match graph {
                Some(graph) => self.conditional_of(graph, conditional),
                None => Err(not_set(work.kind())),
            },
            // What a node of a graph allocates depends on the nodes before it.
            Work::MemAlloc(_) | Work::MemFree(_) => Err(not_set(work.kind())),
            Work::Opaque(_) => self.action(work),
        }
    }

    /// Returns what a node is set to do, as [`HostContext::node_action`].
    ///
    /// # Errors
    /// Also `NOT_SUPPORTED` for work that a node goes on to do as it was added.
    pub(super) fn settable_action(&self, work: &Work<'_>, graph: Option<GraphId>) -> Result<Action> {
        match work {
            Work::Conditional(_) | Work::MemAlloc(_) | Work::MemFree(_) => Err(not_set(work.kind())),
            _ => self.node_action(work, graph),
        }
    }

    /// A copy of the graph `child` for a node of `graph`.
    fn child_of(&self, graph: GraphId, child: GraphId) -> Result<Action> {
        let (outer, inner) = (Arc::clone(&*self.located(graph)?), Arc::clone(&*self.located(child)?));
        if !inner.path.is_empty() {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                "a graph of a node cannot be the child of another node; clone it, and add the clone",
            ));
        }
        if Arc::ptr_eq(&outer.root, &inner.root) {
            return Err(Error::invalid_value(
                "a graph cannot be added to itself, nor to a graph within it; clone it, and add the clone",
            ));
        }
        self.graph_at(child, |child, path| {
            child.check_whole()?;
            let definition = child.at(path)?;
            if definition.is_owner() || !child.conditions.is_empty() {
                return Err(not_copied());
            }
            Graph::check_depth(&outer.path, definition.height())?;
            Ok(Action::Child(Arc::new(definition.copy())))
        })
    }

    /// A conditional of `graph`, with bodies that have no nodes.
    fn conditional_of(&self, graph: GraphId, conditional: &Conditional) -> Result<Action> {
        let Conditional { condition, kind, bodies } = *conditional;
        let (least, most) = match kind {
            ConditionalKind::If => (1, 2),
            ConditionalKind::While => (1, 1),
            ConditionalKind::Switch => (1, u32::MAX),
        };
        if bodies < least || bodies > most {
            return Err(Error::invalid_value(format!(
                "a conditional of the kind {kind} has {least} to {most} bodies, not {bodies}"
            )));
        }
        // Each is made now. Systems that promise more memory than there is would end the process.
        if bodies > MOST_BODIES {
            return Err(Error::new(
                Status::OUT_OF_MEMORY,
                format!("{bodies} bodies have no room; a conditional of the host device has at most {MOST_BODIES}"),
            ));
        }
        let mut graphs = room::list(bodies as usize)?;
        graphs.extend((0..bodies).map(|_| Arc::new(Definition::new())));
        self.graph_at(graph, |graph, path| {
            Graph::check_depth(path, 1)?;
            let known = graph.conditions.iter().find(|known| known.id() == condition);
            let condition = Arc::clone(known.ok_or_else(|| {
                Error::invalid_value(format!(
                    "{:#x} is no condition of the graph; create one for the graph first",
                    condition.0
                ))
            })?);
            Ok(Action::Conditional(Arc::new(Bodies { condition, kind, graphs })))
        })
    }
}

#[cold]
pub(super) fn not_copied() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the graph cannot be copied. A graph with conditions, allocations or DEVICE_UPDATABLE kernels owns them alone, and the body of \
         a conditional node belongs to its node. To run such a graph as a part of another one, record its work into the other graph, \
         or launch it by itself between two launches. A graph whose only obstacle is DEVICE_UPDATABLE kernels can be a child",
    )
}

#[cold]
fn not_set(kind: NodeKind) -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        format!("a node of the kind {kind} stays what it was when it was added; remove it and add another one"),
    )
}

fn check_extent(copy: &MemcpyRows) -> Result<()> {
    if copy.row.bytes == 0 || copy.height == 0 || copy.depth == 0 {
        return Err(Error::invalid_value(format!(
            "a copy node of {} slices of {} rows of {} bytes copies nothing; each of these is at least 1",
            copy.depth, copy.height, copy.row.bytes
        )));
    }
    let overlap = |steps: &Steps| {
        copy.height > 1 && steps.row < copy.row.bytes
            || copy.depth > 1 && copy.height.checked_mul(steps.row).is_none_or(|rows| steps.slice < rows)
    };
    if !copy.is_one() && [copy.destination, copy.source].iter().any(overlap) {
        return Err(Error::invalid_value(format!(
            "the rows or slices of a copy node overlap: rows of {} bytes lie {} bytes apart where they are written and {} where \
             they are read",
            copy.row.bytes, copy.destination.row, copy.source.row
        )));
    }
    Ok(())
}

fn check_set(set: &Memset) -> Result<()> {
    if set.count == 0 || set.rows == 0 {
        return Err(Error::invalid_value(format!(
            "a memset node of {} rows of {} elements sets nothing; each of these is at least 1",
            set.rows, set.count
        )));
    }
    if set.rows > 1 && set.count.checked_mul(usize::from(set.element_size)).is_none_or(|width| set.pitch < width) {
        return Err(Error::invalid_value(format!(
            "the rows of a memset node overlap: {} elements of {} bytes do not fit in the {} bytes from a row to the next",
            set.count, set.element_size, set.pitch
        )));
    }
    held::check_set_of_node(set)
}

fn check_count(operations: usize) -> Result<()> {
    if operations <= MOST_IN_A_BATCH {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "{operations} operations on values are more than one node can do, {MOST_IN_A_BATCH}; add several nodes"
    )))
}
