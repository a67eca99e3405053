//! Attributes of kernel nodes that are changed after execs were made: the driver sets none in an exec, which keeps those that the
//! nodes had.

use std::collections::BTreeMap;

use super::nodes::take_stamp;
use super::parameters::{attribute_of, is_same_attribute};
use super::{Edited, Found, Locked};
use crate::driver::cuda::api::Node;
use crate::driver::cuda::shared::Device;
use crate::driver::launch_attributes::COOPERATIVE;
use crate::driver::{LaunchAttribute, NodeId, NodeKind};

/// The last change of each attribute that was changed.
#[derive(Default)]
pub(super) struct Changed(BTreeMap<(NodeId, u32), Change>);

struct Change {
    /// The stamp of the change before this one; 0 where there is none.
    earlier: u64,
    stamp: u64,
    before: LaunchAttribute,
}

/// What an exec has as an attribute of a node.
enum InExec {
    /// What the node has now.
    AsNow,
    As(LaunchAttribute),
    Unknown,
}

impl Changed {
    /// The stamp is that of a moment after the change.
    fn note(&mut self, node: NodeId, before: LaunchAttribute, stamp: u64) {
        let earlier = self.0.get(&(node, before.id)).map_or(0, |change| change.stamp);
        self.0.insert((node, before.id), Change { earlier, stamp, before });
    }

    /// For an exec that was made when `next_stamp` was the next stamp.
    fn in_exec(&self, node: NodeId, attribute: u32, next_stamp: u64) -> InExec {
        match self.0.get(&(node, attribute)) {
            Some(change) if next_stamp <= change.earlier => InExec::Unknown,
            Some(change) if next_stamp <= change.stamp => InExec::As(change.before),
            _ => InExec::AsNow,
        }
    }

    /// The node is gone.
    pub(super) fn forget(&mut self, node: NodeId) {
        while let Some(&known) = self.0.range((node, 0)..=(node, u32::MAX)).map(|(known, _)| known).next() {
            self.0.remove(&known);
        }
    }
}

impl Locked<'_> {
    /// Makes `change`, which changes these attributes of a kernel node.
    ///
    /// # Safety
    /// `handle` is that of the node `id` of the graph.
    pub(super) unsafe fn changing<T>(
        &mut self,
        device: Device,
        (id, handle): (NodeId, Node),
        attributes: &[u32],
        change: impl FnOnce(&mut Self) -> Edited<T>,
    ) -> Edited<T> {
        if attributes.is_empty() {
            return change(self);
        }
        let _current = device.enter()?;
        // SAFETY: the graph's lock is held, and the caller promises the node.
        let told = |attribute: &u32| unsafe { attribute_of(device, handle, *attribute) };
        let before: Vec<LaunchAttribute> = attributes.iter().filter_map(told).collect();
        let changed = change(self)?;
        for before in before {
            if told(&before.id) != Some(before) {
                self.state.changed.note(id, before, take_stamp());
            }
        }
        Ok(changed)
    }
}

impl Found<'_, '_> {
    /// What the exec has as an attribute of the node, which the driver does not tell; `None` where that is not known.
    fn attribute(&self, device: Device, attribute: u32) -> Option<LaunchAttribute> {
        match self.graph.state.changed.in_exec(self.id, attribute, self.next_stamp) {
            // SAFETY: the graph's lock is held, and the node is of the graph.
            InExec::AsNow => unsafe { attribute_of(device, self.handle, attribute) },
            InExec::As(before) => Some(before),
            InExec::Unknown => None,
        }
    }

    /// Whether the node is a kernel that has these launch attributes in the exec, as far as is known; true where there are none.
    pub(in crate::driver::cuda) fn has_attributes(
        &self,
        device: Device,
        attributes: &[LaunchAttribute],
    ) -> Edited<bool> {
        if attributes.is_empty() {
            return Ok(true);
        }
        let _current = device.enter()?;
        let has = |told: &LaunchAttribute| {
            self.attribute(device, told.id).is_some_and(|known| is_same_attribute(known, told))
        };
        Ok(attributes.iter().all(has))
    }

    /// Whether the exec may have the node as a cooperative kernel.
    pub(in crate::driver::cuda) fn may_be_cooperative(&self, device: Device) -> Edited<bool> {
        if self.kind()? != NodeKind::Kernel {
            return Ok(false);
        }
        let _current = device.enter()?;
        Ok(self.attribute(device, COOPERATIVE).is_none_or(|known| known.number() != 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exec_keeps_what_the_node_had_when_it_was_made() {
        let (mut changed, node, other) = (Changed::default(), NodeId(1), NodeId(2));
        let attribute = |value| LaunchAttribute { id: 8, value: [value; 64] };
        let known = |changed: &Changed, next_stamp| match changed.in_exec(node, 8, next_stamp) {
            InExec::AsNow => "now",
            InExec::As(before) if before == attribute(1) => "first",
            InExec::As(_) => "second",
            InExec::Unknown => "unknown",
        };
        assert_eq!(known(&changed, 5), "now");
        changed.note(node, attribute(1), 10);
        assert_eq!([5, 10, 11].map(|next_stamp| known(&changed, next_stamp)), ["first", "first", "now"]);
        changed.note(other, attribute(7), 15);
        changed.note(node, attribute(2), 20);
        let execs = [10, 11, 20, 21].map(|next_stamp| known(&changed, next_stamp));
        assert_eq!(execs, ["unknown", "second", "second", "now"]);
        changed.forget(node);
        assert_eq!((known(&changed, 10), changed.0.len()), ("now", 1));
    }
}
