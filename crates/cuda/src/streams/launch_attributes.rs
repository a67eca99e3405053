//! Launch attributes as the driver takes them, and the description of a launch that has some.

use std::ffi::c_uint;

use smallvec::SmallVec;

use crate::api::{EventHandle, LaunchConfig, LaunchConfigAttribute, StreamAttribute, StreamHandle};
use graphcap_driver::{EventId, LaunchAttribute, LaunchShape};

/// The attributes of a launch.
pub(crate) type Attributes = SmallVec<[LaunchConfigAttribute; 4]>;

/// The attributes with the driver's handles of events, which `native_event` tells.
pub(crate) fn native(attributes: &[LaunchAttribute], native_event: impl Fn(EventId) -> EventHandle) -> Attributes {
    let native = |attribute: &LaunchAttribute| {
        let value = match attribute.event() {
            Some(event) => attribute.with_event(native_event(event).number() as u64).value,
            None => attribute.value,
        };
        LaunchConfigAttribute { id: attribute.id, padding: 0, value: StreamAttribute(value) }
    };
    attributes.iter().map(native).collect()
}

/// Returns what the driver is told of a launch of that shape. It points to `attributes`.
pub(crate) fn config(shape: LaunchShape, stream: StreamHandle, attributes: &mut Attributes) -> LaunchConfig {
    let LaunchShape { grid, block, shared_mem_bytes } = shape;
    LaunchConfig {
        grid,
        block,
        shared_bytes: shared_mem_bytes,
        stream,
        attributes: attributes.as_mut_ptr(),
        attribute_count: attributes.len() as c_uint,
    }
}
