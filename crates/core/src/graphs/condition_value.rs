//! Conditions that are set from values in device memory, by a kernel of graphcap's own.

use super::graph::Graph;
use crate::captures::relaxed::relax_mode;
use crate::objects::access::Access;
use crate::objects::buffer::Buffer;
use crate::objects::home::Home;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::operations::node_work::NodeWork;
use graphcap_base::error::{Error, Result};
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{check_caller, ConditionId, LaunchShape, NodeId};

impl Graph {
    /// Adds a node that sets a condition to the 4 bytes at byte `offset` of `buffer`, as they are when the node runs. It is a kernel
    /// node of one thread. The conditional node that is to see the value depends on it.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the condition was not made for this graph, when the value overruns the buffer or does not lie at a
    /// multiple of 4; and as [`Graph::add_node`].
    pub fn add_condition_setter(
        &self,
        dependencies: &[NodeId],
        condition: ConditionId,
        buffer: &Buffer,
        offset: usize,
    ) -> Result<NodeId> {
        check_caller()?;
        self.with_setter(condition, buffer, offset, |kernel, shape, arguments| {
            self.add_node(dependencies, &NodeWork::Kernel { kernel, shape, arguments, attributes: &[] })
        })
    }

    /// Gives `take` the launch that sets a condition of the graph, or of the outermost graph around it, as
    /// [`Graph::add_condition_setter`] says.
    ///
    /// # Errors
    /// `INVALID_VALUE` as [`Graph::add_condition_setter`]; what `take` says.
    pub(crate) fn with_setter<T>(
        &self,
        condition: ConditionId,
        buffer: &Buffer,
        offset: usize,
        take: impl FnOnce(&Kernel, LaunchShape, &[KernelArgument<'_>]) -> Result<T>,
    ) -> Result<T> {
        Home::graph(self.context()).check(buffer.context(), "the buffer")?;
        let address = buffer.device_range("buffer", offset, size_of::<u32>())?;
        if !address.is_multiple_of(size_of::<u32>() as u64) {
            return Err(Error::invalid_value(format!(
                "offset {offset} puts the value at address {address:#x}, which is no multiple of its 4 bytes; align it"
            )));
        }
        if !self.0.root().lock()?.conditions.contains_key(&condition) {
            return Err(Error::invalid_value(format!(
                "{:#x} is no condition of this graph; make one with gc_graph_create_condition()",
                condition.0
            )));
        }
        // Its module is loaded when it is first needed, and the thread's own capture would bar that.
        let relaxed = relax_mode()?;
        let kernel = self.context().built_in(BuiltInKernel::SetCondition)?;
        drop(relaxed);
        let value = condition.0.to_ne_bytes();
        let arguments = [
            KernelArgument::Value(&value),
            KernelArgument::Buffer { buffer, offset, access: Some(Access::Read.into()) },
        ];
        take(&kernel, LaunchShape::ONE_THREAD, &arguments)
    }
}

#[cfg(test)]
mod tests {
    use crate::faulty::Faulty;
    use crate::{Buffer, Graph, NodeWork, Stream};
    use graphcap_base::error::Status;
    use graphcap_driver::{Conditional, ConditionalKind, StreamOptions};

    #[test]
    fn the_kernel_is_loaded_once_for_a_context() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 8).unwrap();
        for round in 0..3 {
            let graph = Graph::create(&context).unwrap();
            let condition = graph.create_condition(0).unwrap();
            let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 1 };
            graph.add_node(&[], &NodeWork::Conditional(conditional)).unwrap();
            graph.add_condition_setter(&[], condition, &buffer, 4).unwrap();
            let exec = graph.instantiate().unwrap();
            exec.launch(&stream).unwrap();
            drop((graph, exec));
            if round == 0 {
                driver.fail("module_load", Status::UNKNOWN);
            }
        }
        drop((stream, buffer, context));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]), "it goes with the context");
    }
}
