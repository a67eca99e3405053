//! Refusals that both devices give in the same words.

use super::{Address, NodeId, NodeKind};
use graphcap_base::error::{Error, Status};

/// The answer to work and frees of memory that nodes allocate, while it is not allocated.
#[cold]
pub fn not_allocated(address: Address) -> Error {
    Error::invalid_value(format!(
        "the graph's allocation at {address:#x} is not allocated: no launch has made it, or it was freed; launch the graph first"
    ))
}

/// Returns what an allocation answers that is to be added as other work is.
#[cold]
pub fn not_added_so() -> Error {
    Error::invalid_value("a node that allocates is added by its size, which gives its memory a name")
}

/// Adds to the refusal of an impossible launch that it broke the capture of its stream.
#[cold]
pub fn broke_capture(mut error: Error) -> Error {
    error.message.to_mut().push_str("; the capture is now invalid: end it and record again");
    error
}

/// Returns what a node answers that has no attributes.
#[cold]
pub fn no_kernel() -> Error {
    Error::invalid_value("only kernel nodes have attributes; ask for the kind of a node first")
}

/// Returns what a node answers that is to take its grid from memory, and whose blocks run together.
#[cold]
pub fn blocks_run_together() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "a kernel that is cooperative or has clusters does not take its grid from a scalar; launch it without",
    )
}

/// Returns what a cooperative kernel of an exec answers that is to be disabled.
#[cold]
pub fn cooperative() -> Error {
    Error::invalid_value(
        "a cooperative kernel cannot be disabled: a GPU would fault at the next launch (719); have the node launch a kernel that does \
         nothing",
    )
}

/// Returns what a node answers that was to become one of another kind.
#[cold]
pub fn other_kind(before: NodeKind, after: NodeKind) -> Error {
    Error::invalid_value(format!(
        "the node is of the kind {before} and cannot become one of the kind {after}; remove it and add another node"
    ))
}

/// Returns what a node of an exec answers to a change that only the node of the graph can be given.
#[cold]
pub fn not_of_exec(what: &str) -> Error {
    Error::invalid_value(format!(
        "an exec does not allow this change: {what}; set the node of the graph and instantiate it anew, as gc_graph_exec_apply() does"
    ))
}

/// Returns what a node answers of which an exec, made before it, has none.
#[cold]
pub fn too_new(NodeId(id): NodeId) -> Error {
    Error::invalid_value(format!("node {id:#x} was added after the exec was made; make another exec of the graph"))
}

/// Rules that a cluster breaks which does not fit the grid.
pub const NO_SUCH_CLUSTER: &str =
    "each dimension of a cluster divides that of the grid, and a cluster has at most 8 blocks, or as many as a kernel allows for which \
     larger ones are allowed";
