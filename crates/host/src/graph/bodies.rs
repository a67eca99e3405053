//! Nodes that the bodies of a conditional can have. The driver tells when the graph is instantiated, and so does this device.

use super::Action;
use crate::memory::held;
use graphcap_base::error::{Error, Result};
use graphcap_base::names::shown;
use graphcap_driver::{MemcpyRows, NodeKind};

/// Returns whether a node of a body, which is called `node`, can do `action` in an exec of the device with the number `device`.
///
/// # Errors
/// `INVALID_VALUE` where it cannot.
pub(super) fn check(node: &dyn Fn() -> String, action: &Action, device: u32) -> Result<()> {
    let copy = match action {
        Action::Kernel(call) if call.kernel.device != device => {
            let name = shown(&call.kernel.name);
            return Err(refused(&node(), &format!("launches the kernel '{name}' of another device than the exec's")));
        }
        Action::Memcpy(row) => MemcpyRows::one(*row),
        Action::MemcpyRows(call) => call.copy,
        action if runs(action.kind()) => return Ok(()),
        action => return Err(refused(&node(), &format!("is of the kind {}", action.kind()))),
    };
    if held::has_pageable_side(&copy) {
        return Err(refused(&node(), "copies from or to host memory that is not pinned"));
    }
    Ok(())
}

/// The kinds of nodes that a body can have.
fn runs(kind: NodeKind) -> bool {
    match kind {
        NodeKind::Empty
        | NodeKind::Kernel
        | NodeKind::Memcpy
        | NodeKind::Memset
        | NodeKind::Child
        | NodeKind::Conditional => true,
        NodeKind::Host
        | NodeKind::EventWait
        | NodeKind::EventRecord
        | NodeKind::MemAlloc
        | NodeKind::MemFree
        | NodeKind::BatchMemOp
        | NodeKind::Other => false,
    }
}

#[cold]
fn refused(node: &str, what: &str) -> Error {
    Error::invalid_value(format!(
        "{node} of a conditional body {what}, which bodies cannot have: they have kernels of one device, copies of device \
         and pinned memory, memsets, empty nodes, child graphs and conditionals"
    ))
}
