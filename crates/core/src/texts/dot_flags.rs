//! Detail of a graph as Graphviz text.

/// Amount of detail in a DOT text: a sum of the constants, whose numbers are those of `CUgraphDebugDot_flags`. Without any, nodes show
/// their number, their name, their kind or kernel, and conditional nodes how they decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DotFlags(pub u32);

impl DotFlags {
    /// Everything that the other flags show. The names of CUDA's runtime are used only with [`DotFlags::RUNTIME_TYPES`].
    pub const VERBOSE: DotFlags = DotFlags(1);
    /// Kinds of nodes and directions of copies have the names that CUDA's runtime gives them.
    pub const RUNTIME_TYPES: DotFlags = DotFlags(1 << 1);
    /// Kernel nodes show their shape and their arguments.
    pub const KERNEL_NODE_PARAMS: DotFlags = DotFlags(1 << 2);
    /// Copy nodes show their direction, their size and both sides.
    pub const MEMCPY_NODE_PARAMS: DotFlags = DotFlags(1 << 3);
    /// Memset nodes show their size, the value and where it goes.
    pub const MEMSET_NODE_PARAMS: DotFlags = DotFlags(1 << 4);
    /// Host nodes show their function.
    pub const HOST_NODE_PARAMS: DotFlags = DotFlags(1 << 5);
    /// Event nodes show their event.
    pub const EVENT_NODE_PARAMS: DotFlags = DotFlags(1 << 6);
    /// No effect: graphcap does not read nodes that signal external semaphores.
    pub const EXT_SEMAS_SIGNAL_NODE_PARAMS: DotFlags = DotFlags(1 << 7);
    /// No effect: graphcap does not read nodes that wait for external semaphores.
    pub const EXT_SEMAS_WAIT_NODE_PARAMS: DotFlags = DotFlags(1 << 8);
    /// Kernel nodes show the attributes that the device tells of.
    pub const KERNEL_NODE_ATTRIBUTES: DotFlags = DotFlags(1 << 9);
    /// Nodes show their number among all nodes that the graph ever had.
    pub const HANDLES: DotFlags = DotFlags(1 << 10);
    /// Allocation nodes show what they allocate.
    pub const MEM_ALLOC_NODE_PARAMS: DotFlags = DotFlags(1 << 11);
    /// Free nodes show what they free.
    pub const MEM_FREE_NODE_PARAMS: DotFlags = DotFlags(1 << 12);
    /// Nodes of value operations show them.
    pub const BATCH_MEM_OP_NODE_PARAMS: DotFlags = DotFlags(1 << 13);
    /// Edges are numbered, and nodes show the stream that a capture recorded them on.
    pub const EXTRA_TOPO_INFO: DotFlags = DotFlags(1 << 14);
    /// Conditional nodes show by which condition they decide.
    pub const CONDITIONAL_NODE_PARAMS: DotFlags = DotFlags(1 << 15);
    /// All bits.
    pub const ALL: DotFlags = DotFlags(0xffff);

    /// Returns whether something is shown that `flag` asks for.
    pub(super) fn shows(self, flag: DotFlags) -> bool {
        self.0 & (flag.0 | DotFlags::VERBOSE.0) != 0
    }

    /// Returns whether the names of CUDA's runtime are used.
    pub(super) fn are_runtime_names(self) -> bool {
        self.0 & DotFlags::RUNTIME_TYPES.0 != 0
    }
}
