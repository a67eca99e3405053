//! Nodes that were changed: what a graph and an exec remember of edits, so that an exec gets no more than what it lacks.

use graphcap_driver::NodeId;

/// The edits of a graph, or of an exec by hand, by when they were. Noting one costs no more when there are many.
#[derive(Default)]
pub(crate) struct Changes {
    /// Number of edits so far.
    now: u64,
    /// The edit after which single nodes are known. What was changed before it, or by it, is not.
    known_since: u64,
    /// As `known_since`, where what [`Changes::note_told`] noted counts as known.
    untold_since: u64,
    /// The nodes that were changed since, by their places, and when that was last: never at 0.
    nodes: Vec<(NodeId, u64)>,
}

impl Changes {
    /// The time: what [`Changes::since`] takes.
    #[inline]
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// A node does other work.
    #[inline]
    pub(crate) fn note(&mut self, node: NodeId) {
        self.now += 1;
        if self.nodes.len() <= node.place() {
            self.nodes.resize(node.place() + 1, (node, 0));
        }
        if let Some(noted) = self.nodes.get_mut(node.place()) {
            *noted = (node, self.now);
        }
    }

    /// Nodes of graphs within were changed, and whoever asks for [`Changes::told_since`] was told what they did.
    pub(crate) fn note_told(&mut self) {
        self.now += 1;
        self.known_since = self.now;
    }

    /// Something else was changed than the work of single nodes.
    #[inline]
    pub(crate) fn note_other(&mut self) {
        self.now += 1;
        self.known_since = self.now;
        self.untold_since = self.now;
        if !self.nodes.is_empty() {
            self.nodes.clear();
        }
    }

    /// The nodes that were changed since it was `then`; `None` where something else was changed.
    pub(crate) fn since(&self, then: u64) -> Option<Vec<NodeId>> {
        if then == self.now {
            return Some(Vec::new());
        }
        (then >= self.known_since).then(|| self.noted_since(then))
    }

    /// As [`Changes::since`], without what [`Changes::note_told`] noted.
    pub(crate) fn told_since(&self, then: u64) -> Option<Vec<NodeId>> {
        (then >= self.untold_since).then(|| self.noted_since(then))
    }

    fn noted_since(&self, then: u64) -> Vec<NodeId> {
        self.nodes.iter().filter(|(_, at)| *at > then).map(|(node, _)| *node).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(place: u64) -> NodeId {
        NodeId(7 << NodeId::PLACE_BITS | place)
    }

    #[test]
    fn what_was_changed_since_is_told_once_each() {
        let mut changes = Changes::default();
        let start = changes.now();
        assert_eq!(changes.since(start), Some(vec![]));
        changes.note(node(3));
        let middle = changes.now();
        changes.note(node(1));
        changes.note(node(3));
        assert_eq!(changes.since(start), Some(vec![node(1), node(3)]));
        assert_eq!(changes.since(middle), Some(vec![node(1), node(3)]));
        let end = changes.now();
        assert_eq!(changes.since(end), Some(vec![]));
        changes.note(node(0));
        assert_eq!(changes.since(end), Some(vec![node(0)]));
    }

    #[test]
    fn what_was_told_hides_no_nodes() {
        let mut changes = Changes::default();
        let start = changes.now();
        changes.note(node(0));
        changes.note_told();
        assert_eq!((changes.since(start), changes.told_since(start)), (None, Some(vec![node(0)])));
        let after = changes.now();
        assert_eq!((changes.since(after), changes.told_since(after)), (Some(vec![]), Some(vec![])));
        changes.note_other();
        assert_eq!((changes.told_since(start), changes.told_since(after)), (None, None));
    }

    #[test]
    fn other_changes_are_no_changes_of_single_nodes() {
        let mut changes = Changes::default();
        let start = changes.now();
        changes.note(node(0));
        changes.note_other();
        assert_eq!(changes.since(start), None);
        let after = changes.now();
        assert_eq!(changes.since(after), Some(vec![]));
        changes.note(node(2));
        assert_eq!((changes.since(after), changes.since(start)), (Some(vec![node(2)]), None));
    }
}
