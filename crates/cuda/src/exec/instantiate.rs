//! Options for the driver of execs that are made, and meanings of its refusals.

use std::ffi::c_uint;

use crate::api::InstantiateParameters;
use graphcap_base::error::Status;
use graphcap_driver::ExecFlags;

/// The driver's flags (`CUgraphInstantiate_flags`).
const AUTO_FREE_ON_LAUNCH: u64 = 1;
pub(crate) const UPLOAD: u64 = 2;
const DEVICE_LAUNCH: u64 = 4;
const USE_NODE_PRIORITY: u64 = 8;

/// The flags of an exec, as the driver tells them.
pub(crate) fn flags_of(number: u64) -> ExecFlags {
    ExecFlags {
        watched: false,
        watched_by_events: false,
        shaped: false,
        turn_limit: 0,
        auto_free: number & AUTO_FREE_ON_LAUNCH != 0,
        device_launch: number & DEVICE_LAUNCH != 0,
        node_priorities: number & USE_NODE_PRIORITY != 0,
    }
}

/// The flags of an exec, as the driver takes them.
pub(crate) fn number_of(flags: ExecFlags) -> u64 {
    let bit = |is_set, bit| if is_set { bit } else { 0 };
    bit(flags.auto_free, AUTO_FREE_ON_LAUNCH)
        | bit(flags.device_launch, DEVICE_LAUNCH)
        | bit(flags.node_priorities, USE_NODE_PRIORITY)
}

/// Returns what a refusal means by its result (`CUgraphInstantiateResult`); empty where that is no more than the refusal. `node` tells the
/// node in words, and `has_one_exec` whether the graph has nodes that allow one exec alone.
#[cold]
pub(crate) fn meaning(
    status: Status,
    parameters: &InstantiateParameters,
    node: impl FnOnce() -> String,
    has_one_exec: bool,
) -> String {
    const INVALID_STRUCTURE: c_uint = 2;
    const NODE_OPERATION_NOT_SUPPORTED: c_uint = 3;
    const MULTIPLE_CONTEXTS_NOT_SUPPORTED: c_uint = 4;
    const CONDITIONAL_HANDLE_UNUSED: c_uint = 5;
    let is_for_device = parameters.flags & DEVICE_LAUNCH != 0;
    match parameters.result {
        INVALID_STRUCTURE => format!(
            "the graph's structure is not valid at {}: the edges form a cycle, so that some nodes can never begin; remove one of \
             them (CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE)",
            node()
        ),
        NODE_OPERATION_NOT_SUPPORTED => format!(
            "{} cannot be in {} (CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED)",
            node(),
            if is_for_device {
                "a graph that kernels launch: such a graph has kernels, memsets, copies of device and pinned memory, and child \
                 graphs of these"
            } else {
                "the body of a conditional: bodies have kernels of one context, copies of device and pinned memory, memsets, empty \
                 nodes, child graphs and conditionals"
            },
        ),
        MULTIPLE_CONTEXTS_NOT_SUPPORTED => format!(
            "{} is of another context than the rest, or copies from or to host memory that is not pinned: {} \
             (CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED)",
            node(),
            if is_for_device {
                "a graph that kernels launch has one context"
            } else {
                "the bodies of conditionals have the context of the exec"
            }
        ),
        CONDITIONAL_HANDLE_UNUSED => {
            "a condition of the graph has no node; add a conditional node for each condition \
             (CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED)"
                .to_owned()
        }
        _ if status == Status::NOT_SUPPORTED && has_one_exec => {
            "a graph that allocates or frees memory, that has conditions, or that has nodes which kernels can change, has one exec at \
             a time: destroy that one first"
                .to_owned()
        }
        _ if is_for_device && status == Status::INVALID_VALUE => {
            "the graph cannot be launched by kernels: it needs at least one kernel, copy or memset".to_owned()
        }
        _ => String::new(),
    }
}
