//! The glance of an update at a node: a number that tells whether two nodes are alike, so that neither has to be looked at. An
//! update of many nodes takes as long as the memory takes that it reads.

/// All of a node that bears on an update: nodes of the same number may be exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glance(u64);

/// Facts of an action that bear on an update, of those that have little.
pub(super) enum Plain {
    Empty,
    HostFunction,
    /// A kernel of a device, without attributes.
    Kernel(u32),
    /// A row that is copied, and whether its destination and its source are memory of the host's.
    Copy(bool, bool),
    /// A row that is set.
    Memset,
}

/// Most devices that a number has room for.
const DEVICES: u32 = 1 << 24;

impl Glance {
    /// The node has to be looked at.
    pub(super) const UNCLEAR: Glance = Glance(0);

    /// Of a node in a slot of its own, after the nodes in these slots.
    #[inline]
    pub(super) fn of(action: Option<Plain>, dependencies: &[u32]) -> Glance {
        let (kind, detail) = match action {
            Some(Plain::Kernel(device)) if device < DEVICES => (1, device),
            Some(Plain::Memset) => (2, 0),
            Some(Plain::Copy(destination, source)) => (3, u32::from(destination) << 1 | u32::from(source)),
            Some(Plain::Empty) => (4, 0),
            Some(Plain::HostFunction) => (5, 0),
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

/// Returns whether as many nodes are alike at a glance.
pub(super) fn are_alike(these: &[Glance], those: &[Glance], count: usize) -> bool {
    these.len() == count && these == those && !these.contains(&Glance::UNCLEAR)
}
