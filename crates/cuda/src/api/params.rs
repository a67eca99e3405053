//! Structs that the driver's functions take and fill, beside those of cudarc's: with integers where its headers have enums, or
//! with words where they have unions.

use std::ffi::{c_int, c_uint, c_void};

use super::handle::{Ctx, GraphHandle, Node, StreamHandle};
use graphcap_driver::AttributeValue;

/// Function that the driver calls back with the data that it was given.
pub(crate) type Callback = unsafe extern "C" fn(data: *mut c_void);

/// `CUDA_MEMCPY3D`, with its enums as integers, because the driver fills it, too.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Memcpy3d {
    pub(crate) source: Memcpy3dSide<*const c_void>,
    pub(crate) destination: Memcpy3dSide<*mut c_void>,
    pub(crate) width_in_bytes: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
}

/// One side of a [`Memcpy3d`].
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Memcpy3dSide<P> {
    pub(crate) x_in_bytes: usize,
    pub(crate) y: usize,
    pub(crate) z: usize,
    pub(crate) lod: usize,
    pub(crate) memory_type: c_uint,
    /// Always 0. An exec takes a copy of rows only for the same one, and its bytes are compared: bytes that are left undefined
    /// here had driver 580 refuse it.
    pub(crate) padding: c_uint,
    pub(crate) host: P,
    pub(crate) device: u64,
    pub(crate) array: *mut c_void,
    pub(crate) reserved: *mut c_void,
    pub(crate) pitch: usize,
    pub(crate) height: usize,
}

/// `CU_MEMORYTYPE_HOST`
pub(crate) const MEMORY_TYPE_HOST: c_uint = 1;
/// `CU_MEMORYTYPE_DEVICE`
pub(crate) const MEMORY_TYPE_DEVICE: c_uint = 2;
/// `CU_MEMORYTYPE_UNIFIED`
pub(crate) const MEMORY_TYPE_UNIFIED: c_uint = 4;

/// `CUmemcpyAttributes`, with its enums as integers.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct MemcpyAttributes {
    pub(crate) source_order: c_uint,
    /// Kind and number of a place of managed memory, as a hint; 0 for none.
    pub(crate) source_place: [c_int; 2],
    pub(crate) destination_place: [c_int; 2],
    pub(crate) flags: c_uint,
}

const _: () = assert!(size_of::<MemcpyAttributes>() == size_of::<cudarc::driver::sys::CUmemcpyAttributes>());
const _: () = assert!(size_of::<Memcpy3d>() == size_of::<cudarc::driver::sys::CUDA_MEMCPY3D>());

/// `CUstreamBatchMemOpParams`, with its enums as integers, as writes and waits have it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct MemOp {
    pub(crate) operation: c_uint,
    pub(crate) unused: c_uint,
    pub(crate) address: u64,
    /// A value of 32 bits is in the low half.
    pub(crate) value: u64,
    pub(crate) flags: c_uint,
    pub(crate) padding: c_uint,
    pub(crate) alias: u64,
    pub(crate) rest: u64,
}

/// `CUDA_BATCH_MEM_OP_NODE_PARAMS`.
#[repr(C)]
pub(crate) struct MemOpNode {
    pub(crate) context: Ctx,
    pub(crate) count: c_uint,
    pub(crate) operations: *const MemOp,
    pub(crate) flags: c_uint,
}

/// `CUlaunchConfig`.
#[repr(C)]
pub(crate) struct LaunchConfig {
    pub(crate) grid: [c_uint; 3],
    pub(crate) block: [c_uint; 3],
    pub(crate) shared_bytes: c_uint,
    pub(crate) stream: StreamHandle,
    pub(crate) attributes: *mut LaunchConfigAttribute,
    pub(crate) attribute_count: c_uint,
}

/// `CUlaunchAttribute`, with its enum as an integer.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct LaunchConfigAttribute {
    pub(crate) id: c_uint,
    pub(crate) padding: c_uint,
    pub(crate) value: StreamAttribute,
}

const _: () = assert!(size_of::<LaunchConfig>() == size_of::<cudarc::driver::sys::CUlaunchConfig>());
const _: () = assert!(size_of::<LaunchConfigAttribute>() == size_of::<cudarc::driver::sys::CUlaunchAttribute>());

/// `CUDA_HOST_NODE_PARAMS`.
#[repr(C)]
pub(crate) struct HostNode {
    pub(crate) function: Option<Callback>,
    pub(crate) data: *mut c_void,
}

const _: () = assert!(size_of::<HostNode>() == size_of::<cudarc::driver::sys::CUDA_HOST_NODE_PARAMS>());
const _: () = assert!(size_of::<MemOp>() == size_of::<cudarc::driver::sys::CUstreamBatchMemOpParams>());
const _: () = assert!(size_of::<MemOpNode>() == size_of::<cudarc::driver::sys::CUDA_BATCH_MEM_OP_NODE_PARAMS>());

/// `CUgraphExecUpdateResultInfo`, with its enum as an integer. The driver sets all of it.
#[repr(C)]
pub(crate) struct ExecUpdateInfo {
    pub(crate) result: c_uint,
    pub(crate) node: Node,
    pub(crate) from: Node,
}

const _: () = assert!(size_of::<ExecUpdateInfo>() == size_of::<cudarc::driver::sys::CUgraphExecUpdateResultInfo>());

/// `CUDA_GRAPH_INSTANTIATE_PARAMS`, with its enum as an integer.
#[repr(C)]
pub(crate) struct InstantiateParameters {
    pub(crate) flags: u64,
    pub(crate) upload: StreamHandle,
    /// The driver sets it, and the next one.
    pub(crate) node: Node,
    pub(crate) result: c_uint,
}

const _: () =
    assert!(size_of::<InstantiateParameters>() == size_of::<cudarc::driver::sys::CUDA_GRAPH_INSTANTIATE_PARAMS>());

/// `CUgraphNodeParams`, with its enum as an integer and its union as words.
#[repr(C)]
pub(crate) struct NodeParameters {
    kind: c_uint,
    reserved: [c_int; 3],
    words: [u64; 29],
    rest: u64,
}

const _: () = assert!(size_of::<NodeParameters>() == size_of::<cudarc::driver::sys::CUgraphNodeParams>());

impl NodeParameters {
    /// Returns what a child node is told (`CUDA_CHILD_GRAPH_NODE_PARAMS`): the graph that it gets a copy of.
    pub(crate) fn child(graph: GraphHandle) -> NodeParameters {
        let kind = cudarc::driver::sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_GRAPH as c_uint;
        let mut words = [0; 29];
        words[0] = graph.0.expose_provenance() as u64;
        NodeParameters { kind, reserved: [0; 3], words, rest: 0 }
    }

    /// Returns what a conditional node is told (`CUDA_CONDITIONAL_NODE_PARAMS`): its condition, how its value decides, and how many
    /// bodies it gets.
    pub(crate) fn conditional(condition: u64, how: c_uint, bodies: c_uint, context: Ctx) -> NodeParameters {
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
    pub(crate) unsafe fn bodies(&self) -> &[GraphHandle] {
        let bodies: *const GraphHandle = std::ptr::with_exposed_provenance(self.words[2] as usize);
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
pub(crate) struct StreamAttribute(pub(crate) AttributeValue);

const _: () = assert!(size_of::<StreamAttribute>() == size_of::<cudarc::driver::sys::CUlaunchAttributeValue>());
const _: () = assert!(align_of::<StreamAttribute>() == align_of::<cudarc::driver::sys::CUlaunchAttributeValue>());
