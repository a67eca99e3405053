//! Copies between managed and pinned memory. The driver (580.159) lets an exec that was made with one copy to or from pageable memory
//! instead, by a set or an update, and the launch faults then. So graphcap refuses that.

use crate::api::{Api, DriverError};
use crate::memory::managed::{is_managed, is_pageable, is_pinned};
use graphcap_driver::rules::exec_update::{Facts, HostSide};
use graphcap_driver::rules::outline::Outline;
use graphcap_driver::{MemcpyKind, MemcpyRows};

/// Tells which memory of the host a copy reads or writes. The context must be current.
pub(crate) fn host_side_of(api: &Api, copy: &MemcpyRows) -> HostSide {
    let side = |of_device, of_host| {
        Ok(match is_pageable(api, of_host)? {
            true => HostSide::Pageable,
            false if is_managed(api, of_device)? && is_pinned(api, of_host)? => HostSide::PinnedOfManaged,
            false => HostSide::Any,
        })
    };
    let (source, destination) = (copy.row.source, copy.row.destination);
    let told: Result<HostSide, DriverError> = match copy.row.kind {
        // What is told to be of the host can be managed memory, and what is told to be of the device pinned memory. A copy that says no
        // direction is one between contexts here.
        MemcpyKind::DeviceToHost | MemcpyKind::HostToDevice | MemcpyKind::BetweenContexts => side(source, destination)
            .and_then(|found| match found {
                HostSide::Any => side(destination, source),
                found => Ok(found),
            }),
        MemcpyKind::HostToHost | MemcpyKind::DeviceToDevice => return HostSide::Any,
    };
    told.unwrap_or_default()
}

/// Returns whether a graph, or one within it, has a copy between managed and pinned memory.
pub(crate) fn has_some(graph: &Outline) -> bool {
    graph.nodes.iter().any(|node| {
        matches!(node.facts, Facts::Memcpy { host: HostSide::PinnedOfManaged, .. }) || node.graphs.iter().any(has_some)
    })
}
