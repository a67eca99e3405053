//! Graph execs whose nodes name memory that is gone.

use super::graph::gc_node;
use crate::ffi::boundary::{gc_graph_exec, gc_status, with_clone, StructOut, Versioned};
use graphcap_core::{AddressPlace, MemoryCheck};

/// The part of a node that has an address: one of the GRAPHCAP_ADDRESS_ numbers.
pub type gc_address_place = u32;

/// gc_address_place: an argument of a kernel.
pub const GRAPHCAP_ADDRESS_ARGUMENT: gc_address_place = 0;
/// gc_address_place: the destination of a copy.
pub const GRAPHCAP_ADDRESS_COPY_DESTINATION: gc_address_place = 1;
/// gc_address_place: the source of a copy.
pub const GRAPHCAP_ADDRESS_COPY_SOURCE: gc_address_place = 2;
/// gc_address_place: the memory that a memset writes.
pub const GRAPHCAP_ADDRESS_MEMSET: gc_address_place = 3;
/// gc_address_place: the word of a value operation.
pub const GRAPHCAP_ADDRESS_VALUE: gc_address_place = 4;

/// The answer of gc_graph_exec_check(). The members from node on tell of the first address whose memory is gone; they are 0 if
/// gone_count is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_exec_check_info {
    /// sizeof(gc_graph_exec_check_info). Set it before the call.
    pub struct_size: u32,
    /// 1 if it was noted which memory the nodes name. If it is 0, all other members are 0.
    pub is_noted: u32,
    /// The number of nodes that name memory by addresses.
    pub node_count: u64,
    /// The number of these addresses.
    pub address_count: u64,
    /// The number of allocations that they lie in, each of which the device was asked about. Those of child graphs count apart; blocks of
    /// gc_memory_block_begin() are not counted.
    pub allocation_count: u64,
    /// The number of nodes of which the driver did not tell the arguments. Nothing is known of their memory.
    pub unread_count: u64,
    /// The number of addresses whose memory is gone.
    pub gone_count: u64,
    /// The node, as the graph has it that the exec was made from or last updated by.
    pub node: gc_node,
    /// One of the GRAPHCAP_ADDRESS_ numbers.
    pub place: gc_address_place,
    /// 1 if other memory lies at the address by now, 0 if none does.
    pub is_exchanged: u32,
    /// Of an argument: which one, counted from 0. It is 0 if all arguments are one block. Of a value operation: which one of the node.
    pub index: u64,
    /// Offset in that argument at which the 8 bytes of the address start.
    pub offset: u64,
    /// The address.
    pub address: u64,
    /// First address of the allocation, or of the block, that it lay in.
    pub allocation_address: u64,
    /// Its size in bytes.
    pub allocation_size: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_graph_exec_check_info {}

impl From<&MemoryCheck> for gc_graph_exec_check_info {
    fn from(check: &MemoryCheck) -> gc_graph_exec_check_info {
        let counted = gc_graph_exec_check_info {
            struct_size: 0,
            is_noted: u32::from(check.is_noted),
            node_count: check.nodes as u64,
            address_count: check.words as u64,
            allocation_count: check.allocations as u64,
            unread_count: check.unread as u64,
            gone_count: check.gone.len() as u64,
            node: 0,
            place: 0,
            is_exchanged: 0,
            index: 0,
            offset: 0,
            address: 0,
            allocation_address: 0,
            allocation_size: 0,
        };
        let Some(gone) = check.gone.first() else { return counted };
        let (place, index, offset) = numbers_of(gone.place);
        gc_graph_exec_check_info {
            node: gone.node.0,
            place,
            is_exchanged: u32::from(gone.is_exchanged),
            index: index as u64,
            offset: offset as u64,
            address: gone.address,
            allocation_address: gone.allocation.base,
            allocation_size: gone.allocation.bytes as u64,
            ..counted
        }
    }
}

/// The number of a part of a node, with which argument or operation it is, and at which byte.
pub(super) fn numbers_of(place: AddressPlace) -> (gc_address_place, usize, usize) {
    match place {
        AddressPlace::Argument { parameter, offset } => (GRAPHCAP_ADDRESS_ARGUMENT, parameter, offset),
        AddressPlace::CopyDestination => (GRAPHCAP_ADDRESS_COPY_DESTINATION, 0, 0),
        AddressPlace::CopySource => (GRAPHCAP_ADDRESS_COPY_SOURCE, 0, 0),
        AddressPlace::Memset => (GRAPHCAP_ADDRESS_MEMSET, 0, 0),
        AddressPlace::Value { operation } => (GRAPHCAP_ADDRESS_VALUE, operation, 0),
    }
}

/// Tells whether memory is gone that the nodes of a graph exec name by addresses: it was freed, or freed and other memory allocated
/// in its place. A launch would use that. Blocks of gc_memory_block_begin() are such memory.
///
/// Known are the addresses that GRAPHCAP_CAPTURE_NOTE_MEMORY noted in the graph that the exec was made from or last updated by.
/// The call asks the device once for each allocation, and reads no node. Nodes that were set in the exec since are passed over. It is
/// not known which these are if they were set after an update by another graph than that of the exec, or are within a child graph or
/// a body; gc_graph_exec_check_info::is_noted is 0 then. Success says nothing where it is 0.
///
/// gc_graph_exec_check_findings() lists all memory that is gone. The call harms no capture and does not wait for work.
///
/// @param[in]     exec      the graph exec
/// @param[in,out] info_out  in: struct_size; out: what was found, also when memory is gone; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  memory is gone: the message has the node, its kernel, the parameter and the
///     address
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_check(
    exec: *const gc_graph_exec,
    info_out: *mut gc_graph_exec_check_info,
) -> gc_status {
    // SAFETY: C promises that `info_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(info_out, "info_out") };
    with_clone("gc_graph_exec_check", (exec, "exec"), |exec| {
        let out = out.optional()?;
        let check = exec.check_memory()?;
        if let Some(out) = out {
            out.write(gc_graph_exec_check_info::from(&check));
        }
        check.refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
    })
}
