//! Data of an edge, as the driver has it.

use cudarc::driver::sys::CUgraphEdgeData;

use graphcap_driver::EdgeData;

/// Makes the driver's form of it.
pub(crate) fn native(EdgeData { from_port, to_port, kind }: EdgeData) -> CUgraphEdgeData {
    CUgraphEdgeData { from_port, to_port, type_: kind, reserved: [0; 5] }
}

/// Returns what the driver tells.
pub(crate) fn carried(data: &CUgraphEdgeData) -> EdgeData {
    EdgeData { from_port: data.from_port, to_port: data.to_port, kind: data.type_ }
}
