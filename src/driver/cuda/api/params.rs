//! What the driver's functions are told and tell in structs that are not cudarc's: with integers where its headers have enums, or
//! with words where they have unions.

use std::ffi::{c_int, c_uint, c_void};

use super::handle::{Ctx, Graph, Node, Stream};
use crate::driver::AttributeValue;

/// What the driver calls back with the data that it was given.
pub(in crate::driver::cuda) type Callback = unsafe extern "C" fn(data: *mut c_void);

/// `CUDA_MEMCPY3D`, with its enums as integers, because the driver fills it, too.
#[repr(C)]
#[derive(Clone, Copy)]
pub(in crate::driver::cuda) struct Memcpy3d {
    pub(in crate::driver::cuda) source: Memcpy3dSide<*const c_void>,
    pub(in crate::driver::cuda) destination: Memcpy3dSide<*mut c_void>,
    pub(in crate::driver::cuda) width_in_bytes: usize,
    pub(in crate::driver::cuda) height: usize,
    pub(in crate::driver::cuda) depth: usize,
}

/// One side of a [`Memcpy3d`].
#[repr(C)]
#[derive(Clone, Copy)]
pub(in crate::driver::cuda) struct Memcpy3dSide<P> {
    pub(in crate::driver::cuda) x_in_bytes: usize,
    pub(in crate::driver::cuda) y: usize,
    pub(in crate::driver::cuda) z: usize,
    pub(in crate::driver::cuda) lod: usize,
    pub(in crate::driver::cuda) memory_type: c_uint,
    /// Always 0. An exec takes a copy of rows only for the same one, and its bytes are compared: bytes that are left undefined
    /// here had driver 580 refuse it.
    pub(in crate::driver::cuda) padding: c_uint,
    pub(in crate::driver::cuda) host: P,
    pub(in crate::driver::cuda) device: u64,
    pub(in crate::driver::cuda) array: *mut c_void,
    pub(in crate::driver::cuda) reserved: *mut c_void,
    pub(in crate::driver::cuda) pitch: usize,
    pub(in crate::driver::cuda) height: usize,
}

/// `CU_MEMORYTYPE_HOST`
pub(in crate::driver::cuda) const MEMORY_TYPE_HOST: c_uint = 1;
/// `CU_MEMORYTYPE_DEVICE`
pub(in crate::driver::cuda) const MEMORY_TYPE_DEVICE: c_uint = 2;
/// `CU_MEMORYTYPE_UNIFIED`
pub(in crate::driver::cuda) const MEMORY_TYPE_UNIFIED: c_uint = 4;

/// `CUmemcpyAttributes`, with its enums as integers.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(in crate::driver::cuda) struct MemcpyAttributes {
    pub(in crate::driver::cuda) source_order: c_uint,
    /// Kind and number of a place of managed memory, as a hint; 0 for none.
    pub(in crate::driver::cuda) source_place: [c_int; 2],
    pub(in crate::driver::cuda) destination_place: [c_int; 2],
    pub(in crate::driver::cuda) flags: c_uint,
}

const _: () = assert!(size_of::<MemcpyAttributes>() == size_of::<cudarc::driver::sys::CUmemcpyAttributes>());
const _: () = assert!(size_of::<Memcpy3d>() == size_of::<cudarc::driver::sys::CUDA_MEMCPY3D>());

/// `CUstreamBatchMemOpParams`, with its enums as integers, as writes and waits have it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(in crate::driver::cuda) struct MemOp {
    pub(in crate::driver::cuda) operation: c_uint,
    pub(in crate::driver::cuda) unused: c_uint,
    pub(in crate::driver::cuda) address: u64,
    /// A value of 32 bits is in the low half.
    pub(in crate::driver::cuda) value: u64,
    pub(in crate::driver::cuda) flags: c_uint,
    pub(in crate::driver::cuda) padding: c_uint,
    pub(in crate::driver::cuda) alias: u64,
    pub(in crate::driver::cuda) rest: u64,
}

/// `CUDA_BATCH_MEM_OP_NODE_PARAMS`.
#[repr(C)]
pub(in crate::driver::cuda) struct MemOpNode {
    pub(in crate::driver::cuda) context: Ctx,
    pub(in crate::driver::cuda) count: c_uint,
    pub(in crate::driver::cuda) operations: *const MemOp,
    pub(in crate::driver::cuda) flags: c_uint,
}

/// `CUlaunchConfig`.
#[repr(C)]
pub(in crate::driver::cuda) struct LaunchConfig {
    pub(in crate::driver::cuda) grid: [c_uint; 3],
    pub(in crate::driver::cuda) block: [c_uint; 3],
    pub(in crate::driver::cuda) shared_bytes: c_uint,
    pub(in crate::driver::cuda) stream: Stream,
    pub(in crate::driver::cuda) attributes: *mut LaunchConfigAttribute,
    pub(in crate::driver::cuda) attribute_count: c_uint,
}

/// `CUlaunchAttribute`, with its enum as an integer.
#[repr(C)]
#[derive(Clone, Copy)]
pub(in crate::driver::cuda) struct LaunchConfigAttribute {
    pub(in crate::driver::cuda) id: c_uint,
    pub(in crate::driver::cuda) padding: c_uint,
    pub(in crate::driver::cuda) value: StreamAttribute,
}

const _: () = assert!(size_of::<LaunchConfig>() == size_of::<cudarc::driver::sys::CUlaunchConfig>());
const _: () = assert!(size_of::<LaunchConfigAttribute>() == size_of::<cudarc::driver::sys::CUlaunchAttribute>());

/// `CUDA_HOST_NODE_PARAMS`.
#[repr(C)]
pub(in crate::driver::cuda) struct HostNode {
    pub(in crate::driver::cuda) function: Option<Callback>,
    pub(in crate::driver::cuda) data: *mut c_void,
}

const _: () = assert!(size_of::<HostNode>() == size_of::<cudarc::driver::sys::CUDA_HOST_NODE_PARAMS>());
const _: () = assert!(size_of::<MemOp>() == size_of::<cudarc::driver::sys::CUstreamBatchMemOpParams>());
const _: () = assert!(size_of::<MemOpNode>() == size_of::<cudarc::driver::sys::CUDA_BATCH_MEM_OP_NODE_PARAMS>());

/// `CUgraphExecUpdateResultInfo`, with its enum as an integer. The driver sets all of it.
#[repr(C)]
pub(in crate::driver::cuda) struct ExecUpdateInfo {
    pub(in crate::driver::cuda) result: c_uint,
    pub(in crate::driver::cuda) node: Node,
    pub(in crate::driver::cuda) from: Node,
}

const _: () = assert!(size_of::<ExecUpdateInfo>() == size_of::<cudarc::driver::sys::CUgraphExecUpdateResultInfo>());

/// `CUDA_GRAPH_INSTANTIATE_PARAMS`, with its enum as an integer.
#[repr(C)]
pub(in crate::driver::cuda) struct InstantiateParameters {
    pub(in crate::driver::cuda) flags: u64,
    pub(in crate::driver::cuda) upload: Stream,
    /// The driver sets it, and the next one.
    pub(in crate::driver::cuda) node: Node,
    pub(in crate::driver::cuda) result: c_uint,
}

const _: () =
    assert!(size_of::<InstantiateParameters>() == size_of::<cudarc::driver::sys::CUDA_GRAPH_INSTANTIATE_PARAMS>());

/// `CUgraphNodeParams`, with its enum as an integer and its union as words.
#[repr(C)]
pub(in crate::driver::cuda) struct NodeParameters {
    kind: c_uint,
    reserved: [c_int; 3],
    words: [u64; 29],
    rest: u64,
}

const _: () = assert!(size_of::<NodeParameters>() == size_of::<cudarc::driver::sys::CUgraphNodeParams>());

impl NodeParameters {
    /// What a child node is told (`CUDA_CHILD_GRAPH_NODE_PARAMS`): the graph that it gets a copy of.
    pub(in crate::driver::cuda) fn child(graph: Graph) -> NodeParameters {
        let kind = cudarc::driver::sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_GRAPH as c_uint;
        let mut words = [0; 29];
        words[0] = graph.0.expose_provenance() as u64;
        NodeParameters { kind, reserved: [0; 3], words, rest: 0 }
    }

    /// What a conditional node is told (`CUDA_CONDITIONAL_NODE_PARAMS`): its condition, how its value decides, and how many
    /// bodies it gets.
    pub(in crate::driver::cuda) fn conditional(
        condition: u64,
        how: c_uint,
        bodies: c_uint,
        context: Ctx,
    ) -> NodeParameters {
        let kind = cudarc::driver::sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL as c_uint;
        let mut words = [0; 29];
        words[0] = condition;
        // Two members of 32 bits.
        words[1] = match cfg!(target_endian = "little") {
            true => u64::from(bodies) << 32 | u64::from(how),
            false => u64::from(how) << 32 | u64::from(bodies),
        };
        words[3] = context.0.expose_provenance() as u64;
        NodeParameters { kind, reserved: [0; 3], words, rest: 0 }
    }

    /// The bodies of a conditional node.
    ///
    /// # Safety
    /// The parameters are those that the driver added such a node with, and the node is there as long as the result is used.
    pub(in crate::driver::cuda) unsafe fn bodies(&self) -> &[Graph] {
        let bodies: *const Graph = std::ptr::with_exposed_provenance(self.words[2] as usize);
        let count = if cfg!(target_endian = "little") { self.words[1] >> 32 } else { self.words[1] & 0xffff_ffff };
        match bodies.is_null() {
            true => &[],
            // SAFETY: the caller promises that the driver has put a list of as many graphs there.
            false => unsafe { std::slice::from_raw_parts(bodies, count as usize) },
        }
    }
}

/// `CUstreamAttrValue` as bytes: what they mean is a matter between the caller and the driver.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub(in crate::driver::cuda) struct StreamAttribute(pub(in crate::driver::cuda) AttributeValue);

const _: () = assert!(size_of::<StreamAttribute>() == size_of::<cudarc::driver::sys::CUlaunchAttributeValue>());
const _: () = assert!(align_of::<StreamAttribute>() == align_of::<cudarc::driver::sys::CUlaunchAttributeValue>());
