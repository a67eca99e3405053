//! Execs whose nodes take their grids from memory, on a device that does not do that by itself.
//!
//! Such an exec is made of a copy of the graph. In front of each such node stands a kernel of one thread, which waits for what the
//! node waits for, reads the sizes, and sets the grid of the node. The graph itself stays as it is: it can be copied, and it has any
//! number of execs.

use super::exec::GraphExec;
use super::graph::Graph;
use crate::captures::guarded;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::operations::node_work::NodeWork;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{ExecFlags, GraphRef, GridSources, LaunchShape, NodeId, NodeKind, Work};

impl Graph {
    /// Makes an exec of a copy of the graph, in which kernels set the grids that come from memory.
    ///
    /// # Errors
    /// As [`Graph::instantiate_with`].
    pub(super) fn instantiate_with_setters(&self, flags: ExecFlags, upload: Option<&Stream>) -> Result<GraphExec> {
        if flags.device_launch {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                "a node takes its grid from a scalar, which this device does not do in a graph exec that kernels launch; leave the flag \
                 out, or have the kernel read the scalar",
            ));
        }
        if guarded::watches(self.context()) {
            // Before a module is loaded, which harms a capture as the instantiation does.
            guarded::unsafe_call(self.context())?;
        }
        // Before the copy: what is changed meanwhile counts as a change since.
        let source = self.0.as_it_is(&*self.0.root().lock()?);
        let copy = self.duplicate().map_err(|error| match error.status {
            Status::NOT_SUPPORTED => Error::new(
                error.status,
                format!(
                    "a node takes its grid from a scalar, and this device makes the exec of a copy of the graph: {}; have the kernel read \
                     the scalar, and let the blocks beyond it return",
                    error.message
                ),
            ),
            _ => error,
        })?;
        copy.add_setters(&self.context().built_in(BuiltInKernel::SetGrid)?)?;
        let exec = copy.instantiate_as_it_is(flags, upload)?;
        exec.made().is_of_copy(source);
        Ok(exec)
    }

    /// Adds the kernels that set grids, also in the graphs of child nodes.
    fn add_setters(&self, setter: &Kernel) -> Result<()> {
        for node in self.nodes()?.nodes {
            match self.node_kind(node)? {
                NodeKind::Kernel => {
                    let from = self.node_grid(node)?;
                    if from.iter().any(Option::is_some) {
                        self.add_setter(setter, node, &from)?;
                    }
                }
                NodeKind::Child => {
                    for child in self.node_graphs(node)? {
                        child.add_setters(setter)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the kernel that sets the grid of `node`. The node waits for it, and it for all that the node waits for.
    fn add_setter(&self, setter: &Kernel, node: NodeId, from: &GridSources) -> Result<()> {
        let driver = self.context().driver()?;
        let mut sizes = [0; 3];
        driver.node_work(GraphRef::Known(self.id()), node, &mut |work| {
            if let Work::Kernel(launch) = work {
                sizes = launch.shape.grid;
            }
        })?;
        let known_as = driver.node_let_kernels_change(self.id(), node)?.to_ne_bytes();
        let addresses = from.map(|address| address.unwrap_or(0).to_ne_bytes());
        let sizes = sizes.map(u32::to_ne_bytes);
        let values = std::iter::once(&known_as).chain(&addresses).map(<[u8; 8]>::as_slice);
        let values = values.chain(sizes.iter().map(<[u8; 4]>::as_slice));
        let arguments: Vec<KernelArgument<'_>> = values.map(KernelArgument::Value).collect();
        let shape = LaunchShape::ONE_THREAD;
        let work = NodeWork::Kernel { kernel: setter, shape, arguments: &arguments, attributes: &[] };
        let before = self.all_dependencies(node)?;
        let set = self.add_node(&before, &work)?;
        self.add_dependencies(&[(set, node)])
    }
}
