//! Kernel nodes that take their grid from scalars, anew at each replay.

use std::sync::Arc;

use super::graph::Graph;
use crate::objects::home::Home;
use crate::objects::scalar::Scalar;
use crate::objects::scalar_value::ScalarType;
use crate::operations::operands::Operand;
use graphcap_base::error::{Error, Result};
use graphcap_driver::{check_caller, GridSources, NodeId};

impl Graph {
    /// Makes each replay take the grid of a kernel node along `axis` (0 for x, 1 for y, 2 for z) from a scalar of type u32, as it is
    /// when the node runs. A node whose grid has a 0 then does nothing. A grid that no launch can have faults the context with
    /// `LAUNCH_FAILED`. Execs that were made before go on as they were.
    ///
    /// It ends for all axes when the node is set to do other work ([`Graph::set_node`]). The node keeps the scalar until then.
    ///
    /// On a CUDA device an exec is made of a copy of the graph, in which a kernel sets the grid. It is neither updated nor edited,
    /// and [`GraphExec::apply`](super::exec::GraphExec::apply) makes it anew. A graph that also has conditions or allocations is not
    /// instantiated.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` for a kernel that is cooperative or has clusters, and on a CUDA device with a driver before CUDA 12.4, for a
    /// kernel of another context, and in the body of a conditional or a graph within the graph of a node; `INVALID_VALUE` when `node`
    /// is no kernel node of the graph, for another axis, and for a scalar of another type; `INVALID_CONTEXT` for one of a device of
    /// another kind; the status of a context that faulted.
    ///
    /// # Examples
    /// ```
    /// use graphcap::core::{Context, Graph, NodeWork, Scalar, Stream};
    /// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
    /// use graphcap::Status;
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let stream = Stream::create(&context, StreamOptions::default())?;
    /// let blocks = Scalar::create(&stream, 64u32)?;
    /// let graph = Graph::create(&context)?;
    /// let node = graph.add_node(&[], &NodeWork::Empty)?;
    /// // A node of another kind has no grid.
    /// let refused = graph.set_node_grid(node, 0, &blocks).unwrap_err();
    /// assert_eq!(refused.status, Status::INVALID_VALUE);
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn set_node_grid(&self, node: NodeId, axis: u32, scalar: &Scalar) -> Result<()> {
        check_caller()?;
        Home::graph(self.context()).check(scalar.context(), "the scalar")?;
        if scalar.scalar_type() != ScalarType::U32 {
            return Err(Error::invalid_value(format!(
                "the scalar is of type {}, and the size of a grid is one of type u32; make the scalar of that type",
                scalar.scalar_type()
            )));
        }
        let change = |from: &mut GridSources| {
            let source = from.get_mut(axis as usize).ok_or_else(|| {
                Error::invalid_value(format!("a grid has no axis {axis}: 0 stands for x, 1 for y and 2 for z"))
            })?;
            *source = Some(scalar.address());
            Ok(())
        };
        self.change_grid(node, change, Some(scalar)).map_err(|error| self.naming(node, error))
    }

    /// Makes each replay take the grid from numbers in memory that the node keeps already, at multiples of 4.
    pub(crate) fn set_grid_sources(&self, node: NodeId, sources: GridSources) -> Result<()> {
        let change = |from: &mut GridSources| {
            *from = sources;
            Ok(())
        };
        self.change_grid(node, change, None)
    }

    fn change_grid(
        &self,
        node: NodeId,
        change: impl FnOnce(&mut GridSources) -> Result<()>,
        scalar: Option<&Scalar>,
    ) -> Result<()> {
        let mut edits = self.0.root().lock()?;
        // First, since it can fail.
        let holdings = Arc::clone(self.0.holdings(&mut edits)?);
        let mut from = self.node_grid(node)?;
        change(&mut from)?;
        self.context().driver()?.node_set_grid(self.id(), node, from)?;
        if let Some(scalar) = scalar {
            holdings.add(self.0.keeper(node), &Operand::Buffer(scalar.buffer()));
        }
        edits.changes.note_other();
        Ok(())
    }

    /// Tells where a kernel node takes its grid from.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no kernel node of the graph; the status of a context that faulted.
    pub fn node_grid(&self, node: NodeId) -> Result<GridSources> {
        self.context().driver()?.node_grid(self.id(), node)
    }
}
