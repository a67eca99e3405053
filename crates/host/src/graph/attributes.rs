//! Attributes of the kernel nodes of a definition.

use super::node::Definition;
use super::Action;
use crate::code::kernel::KernelCall;
use crate::code::launch_attributes::{check, check_shape, is_updatable, value, Of};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::ids::not_of_graph;
use graphcap_driver::launch_attributes::{CLUSTER_DIMENSION, COOPERATIVE, DEVICE_UPDATABLE};
use graphcap_driver::refusals::{blocks_run_together, no_kernel};
use graphcap_driver::{AttributeValue, GridSources, LaunchAttribute, NodeId};

impl Definition {
    /// # Errors
    /// `INVALID_VALUE` for no node here, a node that is no kernel, and an attribute that nodes do not have.
    pub(crate) fn attribute(&self, id: NodeId, attribute: u32) -> Result<AttributeValue> {
        value(&self.kernel(id)?.attributes, attribute)
    }

    /// # Errors
    /// As [`Definition::attribute`]; `INVALID_VALUE` also for a value that cannot be; `COOPERATIVE_LAUNCH_TOO_LARGE`;
    /// `INVALID_CLUSTER_SIZE`.
    pub(crate) fn set_attribute(&mut self, id: NodeId, given: &LaunchAttribute) -> Result<()> {
        let call = self.kernel_mut(id)?;
        let attribute = check(Of::Node, &call.shape, &call.kernel.attributes, given)?;
        if attribute.id == DEVICE_UPDATABLE && is_updatable(&call.attributes) {
            return Err(updatable_already(attribute.number() != 0));
        }
        let mut attributes = call.attributes.to_vec();
        attributes.retain(|before| before.id != attribute.id);
        attributes.push(attribute);
        check_shape(&call.shape, &call.kernel.attributes, &attributes)?;
        call.attributes = attributes.into();
        Ok(())
    }

    /// # Errors
    /// `INVALID_VALUE` for no node here, and for a node that is no kernel; `NOT_SUPPORTED` for a kernel whose blocks run together.
    pub(crate) fn set_grid(&mut self, id: NodeId, from: GridSources) -> Result<()> {
        let call = self.kernel_mut(id)?;
        let is_some = from.iter().any(Option::is_some);
        let runs_together = |attribute: &LaunchAttribute| {
            matches!(attribute.id, COOPERATIVE | CLUSTER_DIMENSION) && attribute.number() != 0
        };
        if is_some && call.attributes.iter().any(runs_together) {
            return Err(blocks_run_together());
        }
        call.grid_from = is_some.then(|| Box::new(from));
        Ok(())
    }

    /// Tells where a node takes its grid from.
    ///
    /// # Errors
    /// `INVALID_VALUE` for no node here, and for a node that is no kernel.
    pub(crate) fn grid(&self, id: NodeId) -> Result<GridSources> {
        Ok(self.kernel(id)?.grid_from.as_deref().copied().unwrap_or_default())
    }

    /// All attributes of a node, for [`Definition::set_all_attributes`].
    ///
    /// # Errors
    /// As [`Definition::attribute`].
    pub(crate) fn all_attributes(&self, id: NodeId) -> Result<(u32, Box<[LaunchAttribute]>)> {
        let call = self.kernel(id)?;
        Ok((call.kernel.device, call.attributes.clone()))
    }

    /// Gives a node the attributes of a node whose kernel is of `device`.
    ///
    /// # Errors
    /// As [`Definition::set_attribute`]; `INVALID_VALUE` for a node whose kernel is of another device.
    pub(crate) fn set_all_attributes(
        &mut self,
        id: NodeId,
        device: u32,
        attributes: Box<[LaunchAttribute]>,
    ) -> Result<()> {
        let call = self.kernel_mut(id)?;
        if call.kernel.device != device {
            return Err(Error::invalid_value(
                "attributes are not copied between nodes whose kernels are of two devices; set them one by one",
            ));
        }
        check_shape(&call.shape, &call.kernel.attributes, &attributes)?;
        call.attributes = attributes;
        Ok(())
    }

    /// Returns whether kernels can change a node of it: it is not copied then, and has one exec.
    pub(crate) fn has_updatable(&self) -> bool {
        self.nodes.iter().flatten().any(|node| node.action.is_updatable())
    }

    /// Returns whether a kernel has attributes, or takes its grid from memory.
    pub(crate) fn has_attributes(&self) -> bool {
        self.nodes.iter().flatten().any(|node| match &node.action {
            Action::Kernel(call) => !call.attributes.is_empty() || call.grid_from.is_some(),
            _ => false,
        })
    }

    fn kernel(&self, id: NodeId) -> Result<&KernelCall> {
        match self.node(self.slot(id)?).map(|node| &node.action) {
            Some(Action::Kernel(call)) => Ok(call),
            _ => Err(no_kernel()),
        }
    }

    fn kernel_mut(&mut self, id: NodeId) -> Result<&mut KernelCall> {
        let slot = self.slot(id)?;
        self.look_anew(slot);
        let node = self.nodes.get_mut(slot as usize).and_then(Option::as_mut).ok_or_else(|| not_of_graph(id))?;
        match &mut node.action {
            Action::Kernel(call) => Ok(call),
            _ => Err(no_kernel()),
        }
    }
}

#[cold]
fn updatable_already(is_set: bool) -> Error {
    match is_set {
        true => Error::invalid_value("kernels can change the node already"),
        false => Error::new(Status::NOT_SUPPORTED, "a node that kernels can change stays so; build another graph"),
    }
}
