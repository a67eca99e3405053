//! What updates see of a node at a glance: a number that tells whether two nodes are alike, so that neither has to be looked at. An
//! update of many nodes takes as long as the memory takes that it reads.

use super::Action;

/// All of a node that bears on an update: nodes of the same number may be exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glance(u64);

/// Most devices that a number has room for.
const DEVICES: u32 = 1 << 24;

impl Glance {
    /// The node has to be looked at.
    pub(super) const UNCLEAR: Glance = Glance(0);

    /// Of a node in a slot of its own, after the nodes in these slots.
    #[inline]
    pub(super) fn of(action: &Action, dependencies: &[u32]) -> Glance {
        let (kind, detail) = match action {
            Action::Kernel(call) if call.attributes.is_empty() && call.kernel.device < DEVICES => {
                (1, call.kernel.device)
            }
            Action::Memset(set) if set.rows <= 1 => (2, 0),
            Action::Memcpy(row) => {
                let (destination, source) = row.kind.host_sides();
                (3, u32::from(destination) << 1 | u32::from(source))
            }
            Action::Empty => (4, 0),
            Action::Host(_) => (5, 0),
            _ => return Glance::UNCLEAR,
        };
        // Most nodes wait for one.
        let before = match dependencies {
            [] => 0,
            &[before] => u64::from(before) + 1,
            _ => return Glance::UNCLEAR,
        };
        Glance(before << 32 | u64::from(kind * DEVICES + detail))
    }
}

/// Whether as many nodes are alike at a glance.
pub(super) fn are_alike(these: &[Glance], those: &[Glance], count: usize) -> bool {
    these.len() == count && these == those && !these.contains(&Glance::UNCLEAR)
}
