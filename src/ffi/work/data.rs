//! gc_work: the work of a stream, a node, a capture or a script, as data.

use std::ffi::{c_char, c_void};
use std::mem::MaybeUninit;

use crate::ffi::boundary::{
    gc_buffer, gc_destroy_fn, gc_event, gc_graph, gc_host_fn, gc_kernel, gc_scalar, gc_script, options, Failure,
    Result, Token, UserData, Versioned,
};
use crate::ffi::graphs::conditional::gc_condition;
use crate::ffi::kit::math::{gc_fft_params, gc_sgemm_params};
use crate::ffi::objects::rng::gc_rng_uniform_params;
use crate::ffi::operations::copy::{gc_memcpy_params, gc_memset_params};
use crate::ffi::operations::launch::{check_unused, gc_kernel_arg, gc_launch_config};
use crate::ffi::operations::stream_values::gc_mem_op;

/// gc_work::kind: launches kernel with config and arguments, which are checked and copied as by gc_stream_launch_kernel().
///
/// A node has the attributes of the config that nodes can have; one that it cannot have is GRAPHCAP_ERROR_INVALID_VALUE. A node of a graph
/// that is set keeps its other attributes. In a graph exec the attributes stay: a config can only say what they are, and the kernel is one
/// for the device of the node. Scripts and nodes take no attribute that records an event.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: the device cannot have that shape or that much shared memory, or the arguments do not
/// match the kernel's parameters. GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES, GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE,
/// GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: as for every launch.
pub const GRAPHCAP_WORK_KERNEL: u32 = 1;
/// gc_work::kind: makes the copy of memcpy_params: one row, or rows in two or three dimensions.
///
/// Host memory must stay valid until the copy has run, and the bytes that the copy reads must not change until then. Captures, graphs and
/// scripts take a plain pointer as it is: each replay reads or writes the memory. GRAPHCAP_MEMCPY_SNAPSHOT saves the bytes during the call.
/// A size, height or depth of 0 copies nothing; a node copies at least a byte.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: a member is set that the direction does not use, host memory that it uses is NULL, a pitch is less
/// than size, a slice height is less than height, a range does not lie within its buffer, or the two sides overlap.
/// GRAPHCAP_ERROR_INVALID_CONTEXT: a stream copies without GRAPHCAP_MEMCPY_PEER, and a buffer is of another context.
/// GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture refuses plain host memory. In a graph exec the direction, the device of the
/// memory, and the extent of a copy of several rows stay; on a CUDA device a node that copies between managed and pinned memory
/// takes no pageable memory, with which the launch would fault.
pub const GRAPHCAP_WORK_MEMCPY: u32 = 2;
/// gc_work::kind: sets the rows of memset_params. A width or height of 0 sets nothing; a node sets at least an element.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: element_size is not 1, 2 or 4, the first address or the pitch is not a multiple of it, the pitch is less
/// than a row, the rows do not lie within the buffer, or the host buffer is not mapped. In a graph exec the device of the memory and the
/// extent of several rows stay.
pub const GRAPHCAP_WORK_MEMSET: u32 = 3;
/// gc_work::kind: calls function with user_data on the CPU, once per launch of a graph; see gc_host_fn. destroy is called when nothing will
/// call function any more: the work has run; or the graph, the graph execs, the node's later work and the script have let go of it. On a
/// CUDA device a graph exec lets go of a function that came from its graph when it is destroyed.
pub const GRAPHCAP_WORK_HOST: u32 = 4;
/// gc_work::kind: runs a copy of graph, as it is at the call; a script copies it when the op is recorded. A stream takes it while it is
/// being captured.
///
/// GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has conditions or allocations of its own, or belongs to a node. GRAPHCAP_ERROR_INVALID_VALUE: it
/// is the graph that it would be put into, or has that within a node.
pub const GRAPHCAP_WORK_CHILD_GRAPH: u32 = 5;
/// gc_work::kind: runs bodies depending on a value. conditional_kind is one of the GRAPHCAP_CONDITIONAL_ numbers.
///
/// With condition, which gc_graph_create_condition() made and no node has yet, it is a conditional node of body_count bodies. They are
/// empty; gc_node_get_graph() gives them to be filled, with kernel, copy, memset, empty, child and conditional nodes. A stream takes it
/// while it is being captured.
///
/// With buffer, offset and bodies, which are scripts, the value is the 4 bytes at offset of buffer, whose address is a multiple of 4, as
/// they are when the graph comes there; GRAPHCAP_CONDITIONAL_WHILE looks again after each turn. Scripts take only this form. A body can
/// have kernels, copies, memsets, child graphs, and up to 8 conditionals within each other; the ops between these become child graphs
/// within the conditional node. A body with work of another kind is refused at once; what ops of the caller's and child graphs have is
/// found when the graph is instantiated.
///
/// GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is for a version of CUDA before 12.3, or before 12.8 for a second body and for
/// GRAPHCAP_CONDITIONAL_SWITCH. GRAPHCAP_ERROR_OUT_OF_MEMORY: on the host device also for more than 1048576 bodies.
/// GRAPHCAP_ERROR_CAPTURE_INVALIDATED and GRAPHCAP_ERROR_LIBRARY: as for GRAPHCAP_WORK_SGEMM, for a node whose bodies are scripts.
pub const GRAPHCAP_WORK_CONDITIONAL: u32 = 6;
/// gc_work::kind: records event. With GRAPHCAP_EVENT_RECORD_EXTERNAL in flags, and in graphs and scripts always, each launch of the
/// graph records it, and streams outside the graph wait for the record. Otherwise it marks what the stream has done so far, as
/// gc_event_record() does; in a capture, another stream that waits for it joins the capture.
///
/// GRAPHCAP_ERROR_INVALID_HANDLE: the event and the stream belong to two devices of one kind. GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a CUDA
/// device captures the stream, and the event is one for several processes. GRAPHCAP_ERROR_INVALID_VALUE: a graph cannot record it.
pub const GRAPHCAP_WORK_EVENT_RECORD: u32 = 7;
/// gc_work::kind: waits for event. With GRAPHCAP_EVENT_WAIT_EXTERNAL in flags, and in graphs and scripts always, each launch of the
/// graph waits for the record that the event holds then. Otherwise what comes next waits for what the event marks, as
/// gc_stream_wait_event() does; in a capture, that joins streams which the capture forked to.
///
/// GRAPHCAP_ERROR_CAPTURE_ISOLATION: the stream is captured, and the event was recorded outside of captures. GRAPHCAP_ERROR_CAPTURE_MERGE:
/// it was recorded in another capture, which is invalidated too. GRAPHCAP_ERROR_INVALID_VALUE: it was last recorded in a capture that is
/// over, or a graph cannot wait for it. GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: it is one for several processes. These invalidate the capture.
pub const GRAPHCAP_WORK_EVENT_WAIT: u32 = 8;
/// gc_work::kind: nothing: where edges meet. For new nodes.
pub const GRAPHCAP_WORK_EMPTY: u32 = 9;
/// gc_work::kind: writes values into buffers and waits for values there, one after another, as gc_stream_batch_mem_op() does: the
/// operations, at most 255. A node has at least one.
pub const GRAPHCAP_WORK_MEM_OPS: u32 = 10;
/// gc_work::kind: allocates size bytes of device memory, in each launch at the same address. For new nodes of graphs; gc_node_get_buffer()
/// gives the buffer, which other nodes take as any buffer.
///
/// Order the nodes that use the memory after the allocation, and before the free. Memory that the graph does not free is allocated
/// until work of GRAPHCAP_WORK_MEM_FREE, of a stream or of a graph, or the next launch of a graph exec with
/// GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH frees it. A launch fails if the memory is still allocated. A launch that frees the
/// memory fails if the memory is not allocated. While it is allocated, streams can use the buffer as well; while it is not, their
/// copies and memsets are refused. A kernel that uses it then faults on a CUDA device, and reads and writes undefined values on a
/// host device.
///
/// Destroying the buffer frees nothing, as long as another handle, a graph or a graph exec has the memory. When none has it any more, it is
/// freed behind the work that uses it. A graph with allocation or free nodes cannot be copied or become a child
/// node, keeps its nodes and edges, and has one graph exec at a time. If a conditional body has such a node, gc_graph_instantiate() returns
/// GRAPHCAP_ERROR_INVALID_VALUE for the outermost graph.
///
/// If a node allocates memory after another node has freed the same number of bytes, both allocations can have the same address. The memory
/// is for kernels, copies and memsets of its context, and for nodes of other contexts on its device. Value operations and other work refuse
/// it. GRAPHCAP_ERROR_NOT_SUPPORTED: the graph is that of a child node.
pub const GRAPHCAP_WORK_MEM_ALLOC: u32 = 11;
/// gc_work::kind: frees buffer, which a node of a graph allocates. For new nodes, and for streams, which free what a launch left
/// allocated; then the graph can be launched again.
///
/// In the graph that allocates it, one node frees an allocation, and then no node of another graph can. Nodes of several other graphs can
/// free it, as long as no node of its own graph does; a launch that finds it free is refused.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: the memory is not allocated, the buffer is none that a node allocates, or, in a graph, a node
/// frees it already, or a graph exec was made of the graph that leaves it allocated. GRAPHCAP_ERROR_NOT_SUPPORTED: the graph is
/// that of a child node. GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is not captured, and a capture bars this thread from
/// freeing memory; that capture is invalidated.
pub const GRAPHCAP_WORK_MEM_FREE: u32 = 12;
/// gc_work::kind: sets condition to the 4 bytes at offset of buffer, whose address is a multiple of 4, or to the value of scalar,
/// which is a number of 32 bits, as they are when the work runs. So any kernel decides about a conditional, and gc_scalar_update().
/// For new nodes, and for streams that are being captured.
///
/// It is a kernel node of one thread. The conditional node that is to see the
/// value depends on it. A while is decided anew by such work at the end of its body.
pub const GRAPHCAP_WORK_SET_CONDITION: u32 = 13;

/// gc_work::kind: multiplies the matrices of sgemm_params. A product of no elements does nothing.
///
/// As a node, work of this kind and of those below is a child graph, which is recorded during the call. GRAPHCAP_ERROR_CAPTURE_INVALIDATED:
/// another thread made a call meanwhile that breaks captures of the context; call again. GRAPHCAP_ERROR_LIBRARY: the library is missing.
/// GRAPHCAP_ERROR_UNKNOWN: it failed otherwise, as it may while a blocking stream is captured; the message has its number.
pub const GRAPHCAP_WORK_SGEMM: u32 = 16;
/// gc_work::kind: makes the Fourier transforms of fft_params, from real numbers to complex ones.
pub const GRAPHCAP_WORK_FFT_R2C: u32 = 17;
/// gc_work::kind: makes the Fourier transforms of fft_params, from complex numbers to real ones.
pub const GRAPHCAP_WORK_FFT_C2R: u32 = 18;
/// gc_work::kind: fills floats with the random numbers of rng_uniform_params, at least 0 and below 1. The float of an element is its upper
/// 24 bits over 2^24, exactly. So the bits are the same on all devices. Element i is described at
/// gc_rng_create(). A script names the op "uniform" unless name says otherwise.
///
/// The fill draws the next numbers of the generator whenever it runs; a recorded one at each replay. The fills of a
/// capture have one node in common, without dependencies, which takes the numbers of all of them. They share these in
/// the order of the calls, on whatever streams, so branches draw the same numbers however they run. Captures into one
/// graph count as one; the body of a conditional node draws by a node of its own, at each turn.
///
/// Replays of several recordings, and fills that are not recorded, may run at the same time: each has numbers of its
/// own. The launches of all graph execs of one recording, of its copies, and of graphs that it is a child of take
/// turns, on whatever streams. A launch answers GRAPHCAP_ERROR_BUSY where the launch before was on another stream, has
/// no event behind it, and that stream is being captured by now. Two uses as a child within one graph are not kept
/// apart: order them. With GRAPHCAP_RNG_REPEAT the fill has the same numbers each time, and takes nothing.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: first is not 0 without GRAPHCAP_RNG_REPEAT, or the floats overrun the buffer or are not aligned.
/// GRAPHCAP_ERROR_NOT_SUPPORTED: the next numbers were asked for in a capture that others began; it goes on.
/// GRAPHCAP_ERROR_ILLEGAL_STATE: another thread ended the capture meanwhile. GRAPHCAP_ERROR_NOT_PERMITTED: the next numbers were
/// asked for in a capture that another thread began on its per-thread stream.
pub const GRAPHCAP_WORK_RNG_UNIFORM: u32 = 24;

/// Work as data: what a stream does, a node, or an op of a script. Start from GRAPHCAP_WORK_INIT, set kind, and the members that
/// the kind names; the others stay 0. All of it is read during the call, which copies what the struct points to. What takes the
/// work keeps alive the objects that it uses. GRAPHCAP_ERROR_INVALID_VALUE: it is NULL, its kind is unknown, or a member that the
/// kind does not name is not 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_work {
    /// sizeof(gc_work).
    pub struct_size: u32,
    /// A GRAPHCAP_WORK_ number.
    pub kind: u32,
    /// The name of the node, of at most 1024 bytes, or of the op, UTF-8; NULL for none, and for an op that of its kind. A stream
    /// names the node that it records; outside of captures it has no use for a name. Nodes of a graph exec have the names of their
    /// graph's: there it is NULL.
    pub name: *const c_char,
    /// GRAPHCAP_WORK_KERNEL: the kernel.
    pub kernel: *const gc_kernel,
    /// GRAPHCAP_WORK_KERNEL: the shape of the launch.
    pub config: *const gc_launch_config,
    /// GRAPHCAP_WORK_KERNEL: one for each parameter of the kernel.
    pub arguments: *const gc_kernel_arg,
    /// GRAPHCAP_WORK_KERNEL: the number of arguments.
    pub argument_count: usize,
    /// GRAPHCAP_WORK_MEMCPY: the copy.
    pub memcpy_params: *const gc_memcpy_params,
    /// GRAPHCAP_WORK_MEMSET: the rows.
    pub memset_params: *const gc_memset_params,
    /// GRAPHCAP_WORK_HOST: the function.
    pub function: gc_host_fn,
    /// GRAPHCAP_WORK_HOST: passed to function and to destroy; may be NULL.
    pub user_data: *mut c_void,
    /// GRAPHCAP_WORK_HOST: called exactly once, also when the call fails after it has read this struct; may be NULL. After a fault
    /// of a CUDA device it may never be called.
    pub destroy: gc_destroy_fn,
    /// GRAPHCAP_WORK_CHILD_GRAPH: the graph.
    pub graph: *const gc_graph,
    /// GRAPHCAP_WORK_EVENT_RECORD and GRAPHCAP_WORK_EVENT_WAIT: the event.
    pub event: *const gc_event,
    /// GRAPHCAP_WORK_CONDITIONAL with scripts and GRAPHCAP_WORK_SET_CONDITION: where the value is. GRAPHCAP_WORK_MEM_FREE: what is
    /// freed.
    pub buffer: *const gc_buffer,
    /// The first byte of the value in buffer.
    pub offset: usize,
    /// GRAPHCAP_WORK_CONDITIONAL: a GRAPHCAP_CONDITIONAL_ number.
    pub conditional_kind: u32,
    /// GRAPHCAP_WORK_CONDITIONAL: the number of bodies: 1 or 2 of an if, the second for 0; 1 of a while; at least 1 of a switch.
    pub body_count: u32,
    /// GRAPHCAP_WORK_CONDITIONAL: the scripts that become the bodies, as they are now; NULL with condition.
    pub bodies: *const *const gc_script,
    /// GRAPHCAP_WORK_RNG_UNIFORM: what is filled, and with what.
    pub rng_uniform_params: *const gc_rng_uniform_params,
    /// GRAPHCAP_WORK_SGEMM: the matrices.
    pub sgemm_params: *const gc_sgemm_params,
    /// GRAPHCAP_WORK_FFT_R2C and GRAPHCAP_WORK_FFT_C2R: the transforms.
    pub fft_params: *const gc_fft_params,
    /// GRAPHCAP_WORK_MEM_OPS: the operations, in this order.
    pub operations: *const gc_mem_op,
    /// GRAPHCAP_WORK_MEM_OPS: the number of operations.
    pub operation_count: usize,
    /// GRAPHCAP_WORK_CONDITIONAL and GRAPHCAP_WORK_SET_CONDITION: a condition of the graph, or of the outermost graph of a
    /// body, of gc_graph_create_condition().
    pub condition: gc_condition,
    /// GRAPHCAP_WORK_SET_CONDITION: the scalar instead of buffer and offset.
    pub scalar: *const gc_scalar,
    /// GRAPHCAP_WORK_MEM_ALLOC: bytes, at least 1.
    pub size: usize,
    /// GRAPHCAP_WORK_EVENT_RECORD: 0 or GRAPHCAP_EVENT_RECORD_EXTERNAL. GRAPHCAP_WORK_EVENT_WAIT: 0 or
    /// GRAPHCAP_EVENT_WAIT_EXTERNAL.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_work {
    const LEAST_SIZE: usize = 16;
}

/// Reads the work, in place where that is possible, and takes over its user data, which is destroyed once whatever becomes of the call.
/// `copy` is where it is read into otherwise.
///
/// # Safety
/// `work` is NULL or points to as many bytes as its struct_size states, which are not changed while the result lives. `destroy` may be
/// called once with `user_data`, on any thread.
#[inline]
pub(super) unsafe fn read(work: *const gc_work, copy: &mut MaybeUninit<gc_work>) -> Result<(&gc_work, UserData)> {
    // SAFETY: passed on to the caller.
    let work = match unsafe { options::in_place(work, 1) } {
        // `destroy` may free the struct.
        Some([work]) if work.destroy.is_none() => work,
        // SAFETY: passed on to the caller.
        _ => copy.write(unsafe { options::read(work, "work") }?),
    };
    // SAFETY: passed on to the caller.
    Ok((work, unsafe { UserData::new(work.user_data, work.destroy) }))
}

/// The name by which messages call a function that takes work: with the kind of the work.
macro_rules! told {
    ($function:literal, $work:expr) => {
        match &$work {
            Ok((work, _)) => match work.kind {
                $crate::ffi::work::data::GRAPHCAP_WORK_KERNEL => concat!($function, "(KERNEL)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_MEMCPY => concat!($function, "(MEMCPY)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_MEMSET => concat!($function, "(MEMSET)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_HOST => concat!($function, "(HOST)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_CHILD_GRAPH => concat!($function, "(CHILD_GRAPH)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_CONDITIONAL => concat!($function, "(CONDITIONAL)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_EVENT_RECORD => concat!($function, "(EVENT_RECORD)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_EVENT_WAIT => concat!($function, "(EVENT_WAIT)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_EMPTY => concat!($function, "(EMPTY)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_MEM_OPS => concat!($function, "(MEM_OPS)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_MEM_ALLOC => concat!($function, "(MEM_ALLOC)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_MEM_FREE => concat!($function, "(MEM_FREE)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_SET_CONDITION => concat!($function, "(SET_CONDITION)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_SGEMM => concat!($function, "(SGEMM)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_FFT_R2C => concat!($function, "(FFT_R2C)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_FFT_C2R => concat!($function, "(FFT_C2R)"),
                $crate::ffi::work::data::GRAPHCAP_WORK_RNG_UNIFORM => concat!($function, "(RNG_UNIFORM)"),
                _ => $function,
            },
            Err(_) => $function,
        }
    };
}
pub(super) use told;

/// The handle of the object that messages tell the name of.
#[inline]
pub(super) fn subject(work: &Result<(&gc_work, UserData)>) -> Token {
    let Ok((work, _)) = work else { return Token::of::<gc_kernel>(std::ptr::null()) };
    match work.kind {
        GRAPHCAP_WORK_KERNEL => Token::of(work.kernel),
        GRAPHCAP_WORK_CHILD_GRAPH => Token::of(work.graph),
        GRAPHCAP_WORK_EVENT_RECORD | GRAPHCAP_WORK_EVENT_WAIT => Token::of(work.event),
        _ => Token::of(work.buffer),
    }
}

#[cold]
pub(super) fn unknown(kind: u32) -> Failure {
    Failure::Unknown { argument: "work.kind", number: kind.into(), known: "one of the GRAPHCAP_WORK_ numbers" }
}

impl gc_work {
    /// Fails where a member is not 0 that the kind does not name, so that a member in the wrong place is noticed.
    #[inline]
    pub(super) fn check_members(&self) -> Result<()> {
        let of_kernel = || self.kernel.addr() | self.config.addr() | self.arguments.addr() | self.argument_count;
        // As most work is.
        let beside = match self.kind {
            GRAPHCAP_WORK_KERNEL => self.memcpy_params.addr() | self.memset_params.addr(),
            GRAPHCAP_WORK_MEMCPY => self.memset_params.addr() | of_kernel(),
            GRAPHCAP_WORK_MEMSET => self.memcpy_params.addr() | of_kernel(),
            _ => return self.check_each_member(),
        };
        match beside | self.beside_plain() {
            0 => Ok(()),
            _ => self.check_each_member(),
        }
    }

    /// Returns whether it is a launch without a name, in a struct of this version, which states nothing wrong.
    #[inline]
    pub(super) fn is_plain_kernel(&self) -> bool {
        let is_of_size = self.struct_size as usize == size_of::<gc_work>();
        let others = self.name.addr() | self.memcpy_params.addr() | self.memset_params.addr() | self.beside_plain();
        is_of_size && self.kind == GRAPHCAP_WORK_KERNEL && others == 0
    }

    /// 0 where the members are 0 that kernels, copies and memsets do not have.
    #[inline]
    fn beside_plain(&self) -> usize {
        let function = self.function.map_or(0, |function| function as usize);
        let destroy = self.destroy.map_or(0, |destroy| destroy as usize);
        let pointers = self.user_data.addr()
            | self.graph.addr()
            | self.event.addr()
            | self.buffer.addr()
            | self.bodies.addr()
            | self.rng_uniform_params.addr()
            | self.sgemm_params.addr()
            | self.fft_params.addr()
            | self.operations.addr()
            | self.scalar.addr();
        let numbers = self.offset | self.operation_count | self.condition as usize | self.size;
        let halves = self.conditional_kind | self.body_count | self.flags | self.reserved;
        function | destroy | pointers | numbers | halves as usize
    }

    #[inline(never)]
    fn check_each_member(&self) -> Result<()> {
        if !matches!(
            self.kind,
            GRAPHCAP_WORK_KERNEL..=GRAPHCAP_WORK_SET_CONDITION
                | GRAPHCAP_WORK_SGEMM..=GRAPHCAP_WORK_FFT_C2R
                | GRAPHCAP_WORK_RNG_UNIFORM
        ) {
            return Err(unknown(self.kind));
        }
        use GRAPHCAP_WORK_CONDITIONAL as CONDITIONAL;
        use GRAPHCAP_WORK_MEM_OPS as MEM_OPS;
        use GRAPHCAP_WORK_SET_CONDITION as SET_CONDITION;
        let function = self.function.map_or(0, |function| function as usize);
        let destroy = self.destroy.map_or(0, |destroy| destroy as usize);
        let kernel: &[u32] = &[GRAPHCAP_WORK_KERNEL];
        let events: &[u32] = &[GRAPHCAP_WORK_EVENT_RECORD, GRAPHCAP_WORK_EVENT_WAIT];
        for (member, argument, kinds) in [
            (self.kernel.addr(), "work.kernel", kernel),
            (self.config.addr(), "work.config", kernel),
            (self.arguments.addr(), "work.arguments", kernel),
            (self.argument_count, "work.argument_count", kernel),
            (self.memcpy_params.addr(), "work.memcpy_params", &[GRAPHCAP_WORK_MEMCPY]),
            (self.memset_params.addr(), "work.memset_params", &[GRAPHCAP_WORK_MEMSET]),
            (function, "work.function", &[GRAPHCAP_WORK_HOST]),
            (self.user_data.addr(), "work.user_data", &[GRAPHCAP_WORK_HOST]),
            (destroy, "work.destroy", &[GRAPHCAP_WORK_HOST]),
            (self.graph.addr(), "work.graph", &[GRAPHCAP_WORK_CHILD_GRAPH]),
            (self.event.addr(), "work.event", events),
            (self.buffer.addr(), "work.buffer", &[CONDITIONAL, SET_CONDITION, GRAPHCAP_WORK_MEM_FREE]),
            (self.offset, "work.offset", &[CONDITIONAL, SET_CONDITION]),
            (self.conditional_kind as usize, "work.conditional_kind", &[CONDITIONAL]),
            (self.body_count as usize, "work.body_count", &[CONDITIONAL]),
            (self.bodies.addr(), "work.bodies", &[CONDITIONAL]),
            (self.rng_uniform_params.addr(), "work.rng_uniform_params", &[GRAPHCAP_WORK_RNG_UNIFORM]),
            (self.sgemm_params.addr(), "work.sgemm_params", &[GRAPHCAP_WORK_SGEMM]),
            (self.fft_params.addr(), "work.fft_params", &[GRAPHCAP_WORK_FFT_R2C, GRAPHCAP_WORK_FFT_C2R]),
            (self.operations.addr(), "work.operations", &[MEM_OPS]),
            (self.operation_count, "work.operation_count", &[MEM_OPS]),
            (self.condition as usize, "work.condition", &[CONDITIONAL, SET_CONDITION]),
            (self.scalar.addr(), "work.scalar", &[SET_CONDITION]),
            (self.size, "work.size", &[GRAPHCAP_WORK_MEM_ALLOC]),
            (self.flags as usize, "work.flags", events),
            (self.reserved as usize, "work.reserved", &[]),
        ] {
            if !kinds.contains(&self.kind) {
                check_unused(member, argument, "0 or NULL for work of this kind")?;
            }
        }
        Ok(())
    }

    /// A failure of what the work points to, told by the member that the caller wrote.
    #[cold]
    pub(super) fn told(&self, failure: Failure) -> Failure {
        let place = match (failure.argument().split('.').next(), self.kind) {
            (Some("config"), _) => "work.config",
            (Some("arguments"), _) => "work.arguments",
            (Some("argument_count"), _) => "work.argument_count",
            (Some("count"), GRAPHCAP_WORK_MEM_OPS) => "work.operation_count",
            (Some("function"), _) => "work.function",
            (Some("operations"), _) => "work.operations",
            (Some("params"), GRAPHCAP_WORK_MEMCPY) => "work.memcpy_params",
            (Some("params"), GRAPHCAP_WORK_MEMSET) => "work.memset_params",
            (Some("element_size"), GRAPHCAP_WORK_MEMSET) => "work.memset_params.element_size",
            (Some("params"), GRAPHCAP_WORK_SGEMM) => "work.sgemm_params",
            (Some("params"), GRAPHCAP_WORK_FFT_R2C | GRAPHCAP_WORK_FFT_C2R) => "work.fft_params",
            (Some("params"), GRAPHCAP_WORK_RNG_UNIFORM) => "work.rng_uniform_params",
            _ => return failure,
        };
        failure.of_member(place)
    }

    /// The name, which may be NULL.
    ///
    /// # Safety
    /// It is NULL or a text that ends with a NUL.
    #[inline]
    pub(super) unsafe fn name<'a>(&self) -> Result<Option<&'a str>> {
        match self.name.is_null() {
            true => Ok(None),
            // SAFETY: passed on to the caller.
            false => unsafe { options::text(self.name, "work.name") }.map(Some),
        }
    }
}
