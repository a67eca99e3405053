//! Conditions, and nodes whose bodies run depending on one.

use std::ffi::c_int;

use super::edit::not_added;
use super::failure::Edited;
use super::locked::Locked;
use super::nested::Inner;
use super::nodes::{NodeTable, Nodes};
use super::refused;
use super::related::related;
use crate::api::{GraphHandle, Handle, Node, NodeParameters, Version};
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{ConditionId, Conditional, ConditionalKind, GraphId, NodeId};

/// The driver's flag of a condition that begins each launch with its default (`CU_GRAPH_COND_ASSIGN_DEFAULT`).
const ASSIGN_DEFAULT: u32 = 1;
/// Answer of the driver to a node that cannot have its condition or its bodies, and what that means.
const WRONG: Status = Status::INVALID_VALUE;
const NOT_MADE: &str =
    "the condition is none of the graph or a node has it already, or a node of that kind cannot have so many \
                        bodies; create a condition for each node";
/// The driver that came with the other body of an if, and with switches.
const WITH_SWITCHES: c_int = 12080;

impl Shared {
    /// Always with a default: without one the driver has a condition begin with what is in its memory, and a launch behind another
    /// one may end in a fault (719).
    pub(crate) fn make_condition(&self, graph: GraphId, default: u32) -> Result<ConditionId> {
        self.edit_graph(graph, |graph| {
            let mut condition = 0;
            // SAFETY: the graph's lock is held, and the context lives; `condition` is writable.
            unsafe {
                graph.api.cuGraphConditionalHandleCreate(
                    &mut condition,
                    graph.native,
                    self.device.context,
                    default,
                    ASSIGN_DEFAULT,
                )
            }?;
            Ok(ConditionId(condition))
        })
    }

    pub(super) fn add_conditional(
        &self,
        graph: GraphId,
        dependencies: &[NodeId],
        conditional: Conditional,
    ) -> Result<NodeId> {
        self.check_known_to_driver(conditional)?;
        self.change_graph(graph, |graph| self.add_conditional_as(None, graph, dependencies, conditional))
    }

    /// Adds a conditional node by that name, as [`Shared::add_put`], or by a new one.
    pub(super) fn add_conditional_as(
        &self,
        name: Option<NodeId>,
        graph: &mut Locked<'_>,
        dependencies: &[NodeId],
        conditional: Conditional,
    ) -> Edited<NodeId> {
        let handles = match name {
            Some(_) => Nodes::new(),
            None => graph.find(dependencies)?,
        };
        let (node, natives) = self.new_conditional(graph, (dependencies, &handles), conditional)?;
        let id = graph.name_as(name, node);
        graph.state.conditionals.insert(id, conditional);
        for native in natives {
            let body = Inner::new(native, NodeTable::default(), id, graph.place);
            self.enter_inner(graph, body);
        }
        Ok(id)
    }

    /// Finds out whether a graph can get a conditional node, which is not added. A capture may go into the graph.
    pub(super) fn check_conditional(&self, graph: &mut Locked<'_>, conditional: Conditional) -> Edited<()> {
        self.remember(graph);
        let handles = graph.find(&[])?;
        let (node, _) = self.new_conditional(graph, (&[], &handles), conditional)?;
        let _alone = related();
        // SAFETY: the graph's lock is held, and the node was just added to it; nobody else knows it.
        Ok(unsafe { graph.api.cuGraphDestroyNode(node) }?)
    }

    /// A new node with its bodies, behind some by their names and their handles.
    fn new_conditional(
        &self,
        graph: &mut Locked<'_>,
        (dependencies, handles): (&[NodeId], &[Node]),
        Conditional { condition: ConditionId(condition), kind, bodies }: Conditional,
    ) -> Edited<(Node, Vec<GraphHandle>)> {
        graph.check_room()?;
        let mut parameters = NodeParameters::conditional(condition, kind as u32, bodies, self.device.context);
        let mut node = Handle::NULL;
        // SAFETY: the graph's lock is held, and the nodes are of the graph; `node` and the parameters are writable.
        let added = unsafe {
            let (first, count, data) = (handles.as_ptr(), handles.len(), std::ptr::null());
            graph.api.cuGraphAddNode_v2(&mut node, graph.native, first, data, count, &mut parameters)
        };
        added.map_err(|refusal| not_added(dependencies, refused::because_of(graph.api, refusal, WRONG, NOT_MADE)))?;
        // SAFETY: the driver has filled the parameters, of which it keeps what they point to as long as the node.
        Ok((node, unsafe { parameters.bodies() }.to_vec()))
    }

    pub(super) fn check_known_to_driver(&self, Conditional { kind, bodies, .. }: Conditional) -> Result<()> {
        let is_newer = kind == ConditionalKind::Switch || bodies > 1;
        match is_newer && (1..WITH_SWITCHES).contains(&self.facts.driver_version) {
            true => Err(Error::new(
                Status::NOT_SUPPORTED,
                format!(
                    "this driver supports CUDA {}; the other body of an if, and switches, came with CUDA {}; install a newer driver",
                    Version(self.facts.driver_version),
                    Version(WITH_SWITCHES)
                ),
            )),
            false => Ok(()),
        }
    }
}
