//! Ids that are addresses, for what is looked up at every launch: streams, events, kernels and graph execs.
//!
//! Looking an id up in a table would cost as much as the rest of a launch. Core uses an id only while it holds the object
//! that the id was made for, which is what makes reading behind the address sound.

use std::sync::Arc;

/// Bits of an id that are the address.
const ADDRESS_BITS: u32 = 48;
/// Bits above them that tell apart objects that had one address after another; the topmost stays free.
const TAG_BITS: u32 = 63 - ADDRESS_BITS;

/// Number of tags; 0 is one of them.
pub(crate) const TAGS: u64 = 1 << TAG_BITS;

/// The id of `object`: its address, with a tag so that numbers come again late. `None` where addresses have more bits than
/// an id has for them.
pub(crate) fn id_of<T>(object: &Arc<T>, tag: u64) -> Option<u64> {
    let address = Arc::as_ptr(object).expose_provenance() as u64;
    (address >> ADDRESS_BITS == 0).then_some(address | (tag % TAGS) << ADDRESS_BITS)
}

/// The object behind an id.
///
/// # Safety
/// `id` was given by [`id_of`] for a `T` of which somebody holds an `Arc` as long as the result is used.
#[inline]
pub(crate) unsafe fn object<'a, T>(id: u64) -> &'a T {
    let address = id & ((1 << ADDRESS_BITS) - 1);
    // SAFETY: passed on to the caller; the address was exposed by `id_of`.
    unsafe { &*std::ptr::with_exposed_provenance(address as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_leads_to_its_object_whatever_its_tag() {
        let object_of = Arc::new(String::from("here"));
        for tag in [0, 1, 77, u64::MAX] {
            let id = id_of(&object_of, tag).unwrap();
            assert_eq!(id >> 63, 0);
            // SAFETY: the id was made of an Arc that lives.
            assert_eq!(unsafe { object::<String>(id) }, "here");
        }
        assert_ne!(id_of(&object_of, 1), id_of(&object_of, 2));
    }
}
