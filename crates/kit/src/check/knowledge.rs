//! Precision to which it is known what nodes touch.

use crate::optimize::{is_rounded, Works};
use graphcap_core::NodeParams;
use graphcap_driver::NodeId;

/// Precision to which it is known which bytes a node touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Knowledge {
    EachByte,
    /// By what is stated of its kernel.
    Stated,
    /// All from the first row to the last one counts as touched, with what lies between the rows.
    Rounded,
}

pub(super) fn knowledge(works: &Works, node: NodeId) -> Knowledge {
    let of_rows = |is_rounded| if is_rounded { Knowledge::Rounded } else { Knowledge::EachByte };
    match works.get(node) {
        Some(NodeParams::Memcpy { rows, .. }) => of_rows(is_rounded(rows.joined().height, rows.joined().depth)),
        Some(NodeParams::Memset(set)) => of_rows(is_rounded(set.joined().rows, 1)),
        _ => Knowledge::Stated,
    }
}
