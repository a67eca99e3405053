//! The nodes around a node of the driver's.

use cudarc::driver::sys::CUgraphEdgeData;

use super::listing::{or_older, NO_DATA};
use crate::driver::cuda::api::{Api, Handle, Node, Refusal};
use crate::driver::Side;

/// What a node depends on, or what depends on it, with the data of each edge.
///
/// # Safety
/// The node is of a live graph that no other thread uses.
pub(super) unsafe fn neighbours(
    api: &Api,
    node: Node,
    side: Side,
) -> Result<impl Iterator<Item = (Node, CUgraphEdgeData)>, Refusal> {
    let ask = |nodes: *mut Node, data: *mut CUgraphEdgeData, count: &mut usize| {
        // SAFETY: the caller promises the node. Without room for neighbours the driver counts only; else there is room for as many
        // as it told.
        unsafe {
            match side {
                Side::Before => or_older(api.cuGraphNodeGetDependencies_v2(node, nodes, data, count), || {
                    api.cuGraphNodeGetDependencies(node, nodes, count)
                }),
                Side::After => or_older(api.cuGraphNodeGetDependentNodes_v2(node, nodes, data, count), || {
                    api.cuGraphNodeGetDependentNodes(node, nodes, count)
                }),
            }
        }
    };
    let mut count = 0;
    ask(std::ptr::null_mut(), std::ptr::null_mut(), &mut count)?;
    let mut nodes = vec![Handle::NULL; count];
    let mut data = vec![NO_DATA; count];
    if count > 0 {
        ask(nodes.as_mut_ptr(), data.as_mut_ptr(), &mut count)?;
    }
    nodes.truncate(count);
    Ok(nodes.into_iter().zip(data))
}
