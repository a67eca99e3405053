//! Attributes of kernels of the host device, read and set, by CUDA's numbers (`CUfunction_attribute`).

use std::sync::atomic::{AtomicI32, Ordering};

use super::occupancy::MOST_SHARED_MEMORY;
use graphcap_base::error::{Error, Result};

const MOST_DYNAMIC_SHARED_MEMORY: u32 = 8;
const CARVEOUT: u32 = 9;
const REQUIRED_CLUSTER: [u32; 3] = [11, 12, 13];
const ANY_CLUSTER_SIZE: u32 = 14;
const CLUSTER_SCHEDULING: u32 = 15;

/// Threads in a block at most; static shared, constant and local memory; registers; versions of PTX and binary; caching; and
/// whether a launch needs a cluster dimension. A host kernel has no registers, no versions, and no memory but its arguments.
const FIXED: [(u32, i32); 9] = [(0, 1024), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (10, 0)];

/// The attributes that can be set, and the least and the greatest value of each.
const SETTABLE: [(u32, i32, i32); SETTABLE_COUNT] = [
    (MOST_DYNAMIC_SHARED_MEMORY, 0, MOST_SHARED_MEMORY as i32),
    (CARVEOUT, -1, 100),
    (REQUIRED_CLUSTER[0], 0, i32::MAX),
    (REQUIRED_CLUSTER[1], 0, i32::MAX),
    (REQUIRED_CLUSTER[2], 0, i32::MAX),
    (ANY_CLUSTER_SIZE, 0, 1),
    (CLUSTER_SCHEDULING, 0, 2),
];
const SETTABLE_COUNT: usize = 7;

/// The attributes of a kernel. They bear on nothing but what clusters its launches may have.
pub(crate) struct KernelAttributes([AtomicI32; SETTABLE_COUNT]);

impl Default for KernelAttributes {
    fn default() -> KernelAttributes {
        // What every kernel may have of shared memory without asking; no preference of a carve-out.
        KernelAttributes([48 * 1024, -1, 0, 0, 0, 0, 0].map(AtomicI32::new))
    }
}

impl KernelAttributes {
    /// # Errors
    /// `INVALID_VALUE` for an attribute that there is not.
    pub(crate) fn get(&self, attribute: u32) -> Result<i32> {
        if let Some(&(_, value)) = FIXED.iter().find(|(known, _)| *known == attribute) {
            return Ok(value);
        }
        match SETTABLE.iter().position(|(known, ..)| *known == attribute) {
            Some(place) => Ok(self.0[place].load(Ordering::Relaxed)),
            None => Err(unknown(attribute)),
        }
    }

    /// # Errors
    /// `INVALID_VALUE` for an attribute that there is not or that cannot be set, and for a value that it cannot have.
    pub(crate) fn set(&self, attribute: u32, value: i32) -> Result<()> {
        let Some(place) = SETTABLE.iter().position(|(known, ..)| *known == attribute) else {
            return Err(match FIXED.iter().any(|(known, _)| *known == attribute) {
                true => Error::invalid_value(format!("attribute {attribute} of a kernel cannot be set")),
                false => unknown(attribute),
            });
        };
        let (_, least, most) = SETTABLE[place];
        if !(least..=most).contains(&value) {
            return Err(Error::invalid_value(format!(
                "attribute {attribute} of a kernel is {least} to {most}, not {value}"
            )));
        }
        self.0[place].store(value, Ordering::Relaxed);
        Ok(())
    }

    /// Returns whether launches may have clusters of another size than every GPU has.
    pub(crate) fn is_any_cluster_allowed(&self) -> bool {
        self.get(ANY_CLUSTER_SIZE).is_ok_and(|value| value != 0)
    }
}

#[cold]
fn unknown(attribute: u32) -> Error {
    Error::invalid_value(format!("kernels have no attribute {attribute}; see the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_base::error::Status;

    #[test]
    fn attributes_are_read_and_some_of_them_set() {
        let attributes = KernelAttributes::default();
        assert_eq!((attributes.get(0), attributes.get(8), attributes.get(9)), (Ok(1024), Ok(48 * 1024), Ok(-1)));
        for (attribute, value) in [(8, 100_000), (9, 50), (11, 2), (14, 1), (15, 2)] {
            attributes.set(attribute, value).unwrap();
            assert_eq!(attributes.get(attribute), Ok(value));
        }
        assert!(attributes.is_any_cluster_allowed());
        let wrong = [(8, -1), (8, MOST_SHARED_MEMORY as i32 + 1), (9, 101), (9, -2), (14, 2), (0, 5), (16, 0), (99, 0)];
        for (attribute, value) in wrong {
            assert_eq!(attributes.set(attribute, value).unwrap_err().status, Status::INVALID_VALUE, "{attribute}");
        }
        assert_eq!(attributes.get(16).unwrap_err().status, Status::INVALID_VALUE);
        assert_eq!((attributes.get(8), attributes.get(9)), (Ok(100_000), Ok(50)));
    }
}
