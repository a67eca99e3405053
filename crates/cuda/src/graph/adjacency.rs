//! The nodes around a node of the driver's.

use cudarc::driver::sys::CUgraphEdgeData;

use super::listing::{or_older, NO_DATA};
use crate::api::{Api, DriverError, Handle, Node};
use graphcap_driver::Side;

/// Returns what a node depends on, or what depends on it, with the data of each edge.
///
/// # Safety
/// The node is of a live graph that no other thread uses.
pub(crate) unsafe fn neighbours(
    api: &Api,
    node: Node,
    side: Side,
) -> Result<impl Iterator<Item = (Node, CUgraphEdgeData)>, DriverError> {
    let ask = |nodes: *mut Node, data: *mut CUgraphEdgeData, count: &mut usize| {
        // SAFETY: the caller promises the node; there is room for as many neighbours as are told.
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
    // Most nodes have few: then one call is made.
    let mut room = 4;
    loop {
        let (mut nodes, mut data, mut count) = (vec![Handle::NULL; room], vec![NO_DATA; room], room);
        ask(nodes.as_mut_ptr(), data.as_mut_ptr(), &mut count)?;
        // Of more than there is room for the driver tells the first ones.
        if count < room {
            nodes.truncate(count);
            return Ok(nodes.into_iter().zip(data));
        }
        room *= 4;
    }
}
