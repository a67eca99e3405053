//! The attributes of launches and of kernel nodes: what a launch config points to, and what nodes are asked and told.

use crate::ffi::boundary::{gc_event, handle, options, read_bytes, Failure, Pinned, Result, Versioned};
use crate::ffi::objects::stream_attributes::{gc_access_policy_window, gc_memory_sync_domain_map};
use graphcap_base::error::{Error, Status};
use graphcap_core::LaunchEvent;
use graphcap_driver::launch_attributes::{COMPLETION_EVENT, PROGRAMMATIC_EVENT};
use graphcap_driver::{AttributeValue, LaunchAttribute};

/// An attribute of a launch or of a kernel node: one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, which are CUDA's. A CUDA
/// device also accepts other attributes that its driver knows.
pub type gc_launch_attribute_id = u32;

/// No attribute; an entry of a launch that has no effect.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_IGNORE: gc_launch_attribute_id = 0;
/// Addresses that the caches of the device should keep: gc_launch_attribute_value::access_policy_window.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: gc_launch_attribute_id = 1;
/// Demand that all blocks run at once, so that they can wait for each other: gc_launch_attribute_value::number, 0 or 1.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE: gc_launch_attribute_id = 2;
/// Blocks in a cluster: gc_launch_attribute_value::dimensions. They divide the grid.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: gc_launch_attribute_id = 4;
/// Spread of the blocks of clusters over the device: gc_launch_attribute_value::number, one of the
/// GRAPHCAP_CLUSTER_SCHEDULING_ numbers.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING: gc_launch_attribute_id = 5;
/// Permission that the kernel begins when the kernel before it on the stream allows it, before that one is over:
/// gc_launch_attribute_value::number, 0 or 1. Of launches alone; in a graph an edge says so, see
/// GRAPHCAP_EDGE_TYPE_PROGRAMMATIC.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION: gc_launch_attribute_id = 6;
/// An event that is recorded when all blocks have triggered it: gc_launch_attribute_value::event. Of launches alone. In a
/// capture the edge from the kernel to what waits for the event has data: gc_graph_get_edges() lists it.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: gc_launch_attribute_id = 7;
/// The priority: gc_launch_attribute_value::number. It is cut to the range of the context's streams.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY: gc_launch_attribute_id = 8;
/// Domains of the device that the two memory-sync domains map to: gc_launch_attribute_value::memory_sync_domain_map.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP: gc_launch_attribute_id = 9;
/// The memory-sync domain: gc_launch_attribute_value::number, one of the GRAPHCAP_MEMORY_SYNC_DOMAIN_ numbers.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN: gc_launch_attribute_id = 10;
/// Blocks in a cluster where there is room for more than the cluster dimension says:
/// gc_launch_attribute_value::dimensions. Of launches alone.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: gc_launch_attribute_id = 11;
/// An event that is recorded when all blocks have begun: gc_launch_attribute_value::event. Of launches alone. In a capture the
/// edge from the kernel to what waits for the event has data, as with a programmatic event.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT: gc_launch_attribute_id = 12;
/// Permission that kernels change the node: gc_launch_attribute_value::number, 0 or 1.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE: gc_launch_attribute_id = 13;
/// Share of the memory of a multiprocessor that should be shared memory: gc_launch_attribute_value::number, in percent of
/// the most that is possible, or -1 for no preference.
pub const GRAPHCAP_LAUNCH_ATTRIBUTE_SHARED_MEMORY_CARVEOUT: gc_launch_attribute_id = 14;

/// Spread of the blocks of clusters: as the driver likes.
pub const GRAPHCAP_CLUSTER_SCHEDULING_DEFAULT: i32 = 0;
/// Spread of the blocks of clusters: over as many multiprocessors as possible.
pub const GRAPHCAP_CLUSTER_SCHEDULING_SPREAD: i32 = 1;
/// Spread of the blocks of clusters: so that multiprocessors are loaded equally.
pub const GRAPHCAP_CLUSTER_SCHEDULING_LOAD_BALANCING: i32 = 2;

/// An event that a launch records. The event is then as gc_event_record() leaves it: it holds the point, and in a capture
/// the kernel's node. On a host device that point is the end of the kernel.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_launch_event {
    /// An event of the stream's context. It takes no times, see GRAPHCAP_EVENT_DISABLE_TIMING.
    pub event: *const gc_event,
    /// Flags of the record: 0 or those that the driver knows.
    pub flags: i32,
    /// 1 where each block triggers the event when it begins; 0 for GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.
    pub trigger_at_block_start: i32,
}

/// The value of a launch attribute. It has the layout of CUDA's type, 64 bytes, and therefore no struct_size; but an event
/// is graphcap's. The attribute determines which member is used.
#[repr(C)]
#[derive(Clone, Copy)]
pub union gc_launch_attribute_value {
    /// The whole value, also for attributes that have no member here.
    pub bytes: [u8; 64],
    /// For attributes whose value is a number.
    pub number: i32,
    /// For GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION and GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: in x,
    /// y and z.
    pub dimensions: [u32; 3],
    /// For GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW.
    pub access_policy_window: gc_access_policy_window,
    /// For GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP.
    pub memory_sync_domain_map: gc_memory_sync_domain_map,
    /// For GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT and GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.
    pub event: gc_launch_event,
}

/// An attribute of a launch. Start from GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(id) and set the value, or fill it by
/// gc_launch_attribute_init_number() or gc_launch_attribute_init_dimensions().
#[repr(C)]
#[derive(Clone, Copy)]
pub struct gc_launch_attribute {
    /// sizeof(gc_launch_attribute).
    pub struct_size: u32,
    /// Number of the attribute.
    pub id: gc_launch_attribute_id,
    /// Its value.
    pub value: gc_launch_attribute_value,
}
// SAFETY: repr(C), starts with its size, and holds integers, numbers and pointers, which may be 0 and NULL.
unsafe impl Versioned for gc_launch_attribute {}

/// The most attributes that a launch is given. There are fewer that differ from each other.
const MOST_ATTRIBUTES: usize = 64;

/// The attributes of a launch, as core takes them. Most launches have none.
#[derive(Default)]
pub(crate) struct Attributes<'a>(Option<Box<Lists<'a>>>);

#[derive(Default)]
struct Lists<'a> {
    attributes: Vec<LaunchAttribute>,
    events: Vec<LaunchEvent<'a>>,
}

impl<'a> Attributes<'a> {
    /// Reads the attributes that C passed.
    ///
    /// # Safety
    /// `attributes` is NULL or points to `count` attributes.
    #[cold]
    pub(crate) unsafe fn read(
        attributes: *const gc_launch_attribute,
        count: usize,
        pinned: &'a Pinned,
    ) -> Result<Attributes<'a>> {
        options::check_count(count, MOST_ATTRIBUTES, "config.attribute_count", "0 to 64")?;
        let mut lists = Box::<Lists<'a>>::default();
        let read_one = |_, attribute: &gc_launch_attribute| {
            // SAFETY: the value is a member of a struct that was read.
            let value = unsafe { read_bytes(&raw const attribute.value, "value") }?;
            match attribute.id {
                PROGRAMMATIC_EVENT | COMPLETION_EVENT => lists.events.push(event(attribute.id, value, pinned)?),
                id => lists.attributes.push(LaunchAttribute { id, value }),
            }
            Ok(())
        };
        // SAFETY: the caller promises `count` attributes.
        unsafe { options::for_each(attributes, count, "config.attributes", read_one) }?;
        Ok(Attributes(Some(lists)))
    }

    /// Those that name no events.
    #[inline]
    pub(crate) fn list(&self) -> &[LaunchAttribute] {
        self.0.as_ref().map_or(&[], |lists| &lists.attributes)
    }

    /// The events that the launch records.
    #[inline]
    pub(crate) fn events(&self) -> &[LaunchEvent<'a>] {
        self.0.as_ref().map_or(&[], |lists| &lists.events)
    }

    /// Those of a node, which names no events.
    pub(crate) fn of_node(&self) -> Result<&[LaunchAttribute]> {
        match self.events() {
            [] => Ok(self.list()),
            _ => Err(Failure::Told(Error::new(
                Status::INVALID_VALUE,
                "only launches on streams record events; add an event record node that depends on the kernel node",
            ))),
        }
    }
}

/// The event that an attribute names.
fn event<'a>(id: u32, value: AttributeValue, pinned: &'a Pinned) -> Result<LaunchEvent<'a>> {
    // SAFETY: the value has as many bytes as its members, of which any will do; the handle is looked up.
    let named = unsafe { value.as_ptr().cast::<gc_launch_event>().read_unaligned() };
    let event = handle::borrow(named.event, "config.attributes.event", pinned)?;
    Ok(LaunchEvent { event, attribute: LaunchAttribute { id, value } })
}
