//! Attributes of kernel nodes that are changed after execs were made: the driver sets none in an exec, which keeps those that the
//! nodes had.

use std::collections::BTreeMap;

use graphcap_driver::{LaunchAttribute, NodeId};

/// The last change of each attribute that was changed.
#[derive(Default)]
pub(super) struct Changed(BTreeMap<(NodeId, u32), Change>);

struct Change {
    /// The stamp of the change before this one; 0 where there is none.
    earlier: u64,
    stamp: u64,
    before: LaunchAttribute,
}

/// Attribute that an exec has of a node.
pub(super) enum InExec {
    /// The value that the node has now.
    AsNow,
    As(LaunchAttribute),
    Unknown,
}

impl Changed {
    /// The stamp is that of a moment after the change.
    pub(super) fn note(&mut self, node: NodeId, before: LaunchAttribute, stamp: u64) {
        let earlier = self.0.get(&(node, before.id)).map_or(0, |change| change.stamp);
        self.0.insert((node, before.id), Change { earlier, stamp, before });
    }

    /// For an exec that was made when `next_stamp` was the next stamp.
    pub(super) fn in_exec(&self, node: NodeId, attribute: u32, next_stamp: u64) -> InExec {
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
