//! The attributes of launches and of kernel nodes: CUDA's numbers for them, and which bytes of their values mean something.

use super::{AttributeValue, EventId, LaunchAttribute};

/// Nothing, wherever it is given.
pub const IGNORE: u32 = 0;
/// The addresses that the caches keep.
pub const ACCESS_POLICY_WINDOW: u32 = 1;
/// Tells whether all blocks run at once.
pub const COOPERATIVE: u32 = 2;
/// The way in which the host waits for the launch.
const SYNCHRONIZATION_POLICY: u32 = 3;
/// Blocks in a cluster, in x, y and z.
pub const CLUSTER_DIMENSION: u32 = 4;
/// The way in which clusters are spread over the device.
pub const CLUSTER_SCHEDULING: u32 = 5;
/// Tells whether the launch may begin before the work before it on the stream is over.
pub const PROGRAMMATIC_SERIALIZATION: u32 = 6;
/// An event that is recorded when all blocks trigger it.
pub const PROGRAMMATIC_EVENT: u32 = 7;
/// The priority.
pub const PRIORITY: u32 = 8;
/// The domains of the device that the memory-sync domains stand for.
pub const MEMORY_SYNC_DOMAIN_MAP: u32 = 9;
/// The memory-sync domain.
pub const MEMORY_SYNC_DOMAIN: u32 = 10;
/// Blocks in a cluster where there is room for larger ones, in x, y and z.
pub const PREFERRED_CLUSTER_DIMENSION: u32 = 11;
/// An event that is recorded when all blocks have begun.
pub const COMPLETION_EVENT: u32 = 12;
/// Tells whether kernels can change the node.
pub const DEVICE_UPDATABLE: u32 = 13;
/// Percentage of a multiprocessor's memory that is shared memory.
pub const SHARED_MEMORY_CARVEOUT: u32 = 14;

/// Those that a kernel node has, in the order of their numbers.
pub const OF_NODES: [u32; 9] = [
    ACCESS_POLICY_WINDOW,
    COOPERATIVE,
    CLUSTER_DIMENSION,
    CLUSTER_SCHEDULING,
    PRIORITY,
    MEMORY_SYNC_DOMAIN_MAP,
    MEMORY_SYNC_DOMAIN,
    DEVICE_UPDATABLE,
    SHARED_MEMORY_CARVEOUT,
];

/// Facts about an attribute.
struct Known {
    name: &'static str,
    /// Number of bytes of its value that mean something.
    bytes: usize,
    /// Tells whether they are numbers, and no address, event or handle of one process.
    is_plain: bool,
}

fn known(id: u32) -> Option<Known> {
    let (name, bytes, is_plain) = match id {
        ACCESS_POLICY_WINDOW => ("access policy window", 28, false),
        COOPERATIVE => ("cooperative", 4, true),
        SYNCHRONIZATION_POLICY => ("synchronization policy", 4, true),
        CLUSTER_DIMENSION => ("cluster dimension", 12, true),
        CLUSTER_SCHEDULING => ("cluster scheduling policy", 4, true),
        PROGRAMMATIC_SERIALIZATION => ("programmatic stream serialization", 4, true),
        PROGRAMMATIC_EVENT => ("programmatic event", 16, false),
        PRIORITY => ("priority", 4, true),
        MEMORY_SYNC_DOMAIN_MAP => ("memory synchronization domain map", 2, true),
        MEMORY_SYNC_DOMAIN => ("memory synchronization domain", 4, true),
        PREFERRED_CLUSTER_DIMENSION => ("preferred cluster dimension", 12, true),
        COMPLETION_EVENT => ("launch completion event", 12, false),
        DEVICE_UPDATABLE => ("device updatable", 16, false),
        SHARED_MEMORY_CARVEOUT => ("preferred shared memory carveout", 4, true),
        _ => return None,
    };
    Some(Known { name, bytes, is_plain })
}

/// Returns what CUDA calls an attribute, in words; `None` for one that is not known here.
pub fn name(id: u32) -> Option<&'static str> {
    known(id).map(|known| known.name)
}

/// Returns whether the value of an attribute means the same in another process.
pub fn is_plain(id: u32) -> bool {
    known(id).is_some_and(|known| known.is_plain)
}

/// Returns how many bytes of the value of an attribute mean something: all of one that is not known here.
fn meaningful(id: u32) -> usize {
    known(id).map_or(64, |known| known.bytes)
}

impl LaunchAttribute {
    /// The attribute without the bytes of its value that mean nothing.
    pub fn cleared(mut self) -> LaunchAttribute {
        self.value[meaningful(self.id)..].fill(0);
        self
    }

    /// Returns whether it says what holds for a kernel node that was not told otherwise.
    pub fn is_usual(&self) -> bool {
        let mut usual = [0; 64];
        usual[1] = u8::from(self.id == MEMORY_SYNC_DOMAIN_MAP);
        self.cleared().value == usual
    }

    /// A number that differs where the value does, but for the bytes that mean nothing.
    pub fn digest(&self) -> u64 {
        // FNV-1a.
        const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x100_0000_01b3;
        self.cleared().value.iter().fold(BASIS, |digest, &byte| (digest ^ u64::from(byte)).wrapping_mul(PRIME))
    }

    /// The first four bytes of the value, as most attributes have it.
    pub fn number(&self) -> i32 {
        first_number(&self.value)
    }

    /// The event that the attribute has a launch record, which programmatic and completion events do. `None` for all others.
    pub fn event(&self) -> Option<EventId> {
        let is_event = self.id == PROGRAMMATIC_EVENT || self.id == COMPLETION_EVENT;
        let [id, ..] = self.value.as_chunks::<8>().0 else { return None };
        is_event.then(|| EventId(u64::from_ne_bytes(*id)))
    }

    /// Returns whether each block triggers the programmatic event when it begins.
    pub fn triggers_at_block_start(&self) -> bool {
        let [_, _, _, trigger, ..] = self.value.as_chunks::<4>().0 else { return false };
        *trigger != [0; 4]
    }

    /// This launch attribute with another event as its value: `event` is the number of an [`EventId`], or the driver's handle of
    /// an event.
    pub fn with_event(mut self, event: u64) -> LaunchAttribute {
        self.value[..size_of::<u64>()].copy_from_slice(&event.to_ne_bytes());
        self
    }
}

/// The first four bytes of a value as a number.
pub fn first_number(value: &AttributeValue) -> i32 {
    let &[a, b, c, d, ..] = value;
    i32::from_ne_bytes([a, b, c, d])
}

/// The first twelve bytes of a value as blocks in x, y and z.
pub fn dimensions(value: &AttributeValue) -> [u32; 3] {
    let words = value.as_chunks::<4>().0;
    std::array::from_fn(|at| words.get(at).map_or(0, |word| u32::from_ne_bytes(*word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_mean_nothing_are_cleared() {
        let full = |id| LaunchAttribute { id, value: [0xff; 64] };
        for (id, count) in [(PRIORITY, 4), (CLUSTER_DIMENSION, 12), (ACCESS_POLICY_WINDOW, 28), (99, 64)] {
            let value = full(id).cleared().value;
            assert!(
                value[..count].iter().all(|&byte| byte == 0xff) && value[count..].iter().all(|&byte| byte == 0),
                "{id}"
            );
        }
        assert_eq!(full(PRIORITY).number(), -1);
    }

    #[test]
    fn events_are_those_of_two_attributes() {
        let event = |id| LaunchAttribute { id, value: [0; 64] }.with_event(77).event();
        assert_eq!(event(PROGRAMMATIC_EVENT), Some(EventId(77)));
        assert_eq!(event(COMPLETION_EVENT), Some(EventId(77)));
        assert_eq!(event(PRIORITY), None);
    }
}
