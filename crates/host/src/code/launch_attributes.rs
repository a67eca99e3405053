//! Attributes of launches and of kernel nodes: which there are, which values they can have. Blocks run on the CPU whatever they
//! say. What they mean for other work, a programmatic edge or the record of an event, is done where that work is.

use super::kernel_attributes::KernelAttributes;
use super::occupancy;
use crate::engine::stream_attributes::{GREATEST_PRIORITY, LEAST_PRIORITY};
use graphcap_base::error::{Error, Result};
use graphcap_driver::launch_attributes::*;
use graphcap_driver::{AttributeValue, LaunchAttribute, LaunchShape};

/// The largest window of an access policy, in bytes.
const MOST_IN_WINDOW: u64 = 128 << 20;

/// Tells whether work has an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// A launch on a stream.
    Launch,
    /// A node that is added or changed by hand.
    Node,
}

/// Returns what a node keeps of the attributes that it, or the launch that it was recorded of, was given.
///
/// # Errors
/// As [`check`]; `COOPERATIVE_LAUNCH_TOO_LARGE`.
pub(crate) fn kept(
    of: Of,
    shape: &LaunchShape,
    kernel: &KernelAttributes,
    given: &[LaunchAttribute],
) -> Result<Box<[LaunchAttribute]>> {
    if given.is_empty() {
        return Ok(Box::default());
    }
    let mut kept: Vec<LaunchAttribute> = Vec::new();
    for attribute in given {
        let checked = check(of, shape, kernel, attribute)?;
        if !OF_NODES.contains(&checked.id) {
            continue;
        }
        match kept.iter_mut().find(|before| before.id == checked.id) {
            Some(before) => *before = checked,
            None => kept.push(checked),
        }
    }
    if is_cooperative(&kept) {
        occupancy::check_cooperative(shape)?;
    }
    Ok(kept.into())
}

/// The attribute as it is kept.
///
/// # Errors
/// `INVALID_VALUE` for an attribute that there is not, and for a value that it cannot have; `INVALID_CLUSTER_SIZE`.
pub(crate) fn check(
    of: Of,
    shape: &LaunchShape,
    kernel: &KernelAttributes,
    given: &LaunchAttribute,
) -> Result<LaunchAttribute> {
    /// Preference for a launch's blocks among multiprocessors that are linked closely.
    const LINK_SCHEDULING: u32 = 16;
    let mut attribute = given.cleared();
    let number = attribute.number();
    let within = |least: i32, most: i32| match (least..=most).contains(&number) {
        true => Ok(()),
        false => Err(wrong(given.id, &format!("is {least} to {most}, not {number}"))),
    };
    match given.id {
        ACCESS_POLICY_WINDOW => check_window(&attribute.value)?,
        COOPERATIVE | CLUSTER_SCHEDULING | MEMORY_SYNC_DOMAIN_MAP | LINK_SCHEDULING => {}
        CLUSTER_DIMENSION => {
            if occupancy::check_cluster(shape, Some(&attribute.value), kernel.is_any_cluster_allowed())? == 0 {
                attribute.value.fill(0);
            }
        }
        PRIORITY => {
            let priority = number.clamp(GREATEST_PRIORITY, LEAST_PRIORITY);
            attribute.value[..4].copy_from_slice(&priority.to_ne_bytes());
        }
        MEMORY_SYNC_DOMAIN | DEVICE_UPDATABLE => within(0, 1)?,
        SHARED_MEMORY_CARVEOUT => within(-1, 100)?,
        IGNORE | PROGRAMMATIC_SERIALIZATION | PROGRAMMATIC_EVENT | COMPLETION_EVENT if of == Of::Launch => {}
        PREFERRED_CLUSTER_DIMENSION if of == Of::Launch => {
            occupancy::check_cluster(shape, Some(&attribute.value), kernel.is_any_cluster_allowed())?;
        }
        _ => return Err(unknown(of, given.id)),
    }
    Ok(attribute)
}

/// The value of an attribute that a node has which keeps `kept`.
///
/// # Errors
/// `INVALID_VALUE` for an attribute that nodes do not have.
pub(crate) fn value(kept: &[LaunchAttribute], id: u32) -> Result<AttributeValue> {
    if !OF_NODES.contains(&id) {
        return Err(unknown(Of::Node, id));
    }
    Ok(find(kept, id).copied().unwrap_or_else(|| {
        let mut value = [0; 64];
        if id == MEMORY_SYNC_DOMAIN_MAP {
            // The domain of kernels that write to other devices is the second one.
            value[1] = 1;
        }
        value
    }))
}

/// Returns whether all blocks are to run at once.
pub(crate) fn is_cooperative(kept: &[LaunchAttribute]) -> bool {
    find(kept, COOPERATIVE).is_some_and(|value| first_number(value) != 0)
}

/// Returns whether kernels can change the node.
pub(crate) fn is_updatable(kept: &[LaunchAttribute]) -> bool {
    find(kept, DEVICE_UPDATABLE).is_some_and(|value| first_number(value) != 0)
}

/// Returns whether the launch may begin before the work before it is over.
pub(crate) fn is_programmatic(given: &[LaunchAttribute]) -> bool {
    find(given, PROGRAMMATIC_SERIALIZATION).is_some_and(|value| first_number(value) != 0)
}

/// Returns whether a node that keeps `kept` can have the shape.
///
/// # Errors
/// `COOPERATIVE_LAUNCH_TOO_LARGE`, `INVALID_CLUSTER_SIZE`.
pub(crate) fn check_shape(shape: &LaunchShape, kernel: &KernelAttributes, kept: &[LaunchAttribute]) -> Result<()> {
    if is_cooperative(kept) {
        occupancy::check_cooperative(shape)?;
    }
    match find(kept, CLUSTER_DIMENSION) {
        Some(cluster) => occupancy::check_cluster(shape, Some(cluster), kernel.is_any_cluster_allowed()).map(drop),
        None => Ok(()),
    }
}

/// The value of the last attribute of that number.
fn find(attributes: &[LaunchAttribute], id: u32) -> Option<&AttributeValue> {
    attributes.iter().rfind(|attribute| attribute.id == id).map(|attribute| &attribute.value)
}

/// A window as CUDA has it: its address, its bytes, the share of accesses that hit, how a hit and how a miss are treated.
fn check_window(value: &AttributeValue) -> Result<()> {
    const STREAMING: u32 = 1;
    const PERSISTING: u32 = 2;
    let words = value.as_chunks::<4>().0;
    let word = |at: usize| words.get(at).map_or(0, |word| u32::from_ne_bytes(*word));
    let bytes = value.as_chunks::<8>().0.get(1).map_or(0, |bytes| u64::from_ne_bytes(*bytes));
    let (ratio, hit, miss) = (f32::from_bits(word(4)), word(5), word(6));
    if bytes > MOST_IN_WINDOW || !(0.0..=1.0).contains(&ratio) || hit > PERSISTING || miss > STREAMING {
        return Err(wrong(
            ACCESS_POLICY_WINDOW,
            &format!(
                "is a window of {MOST_IN_WINDOW} bytes at most with a ratio from 0 to 1, a hit that is normal, streaming or \
                 persisting, and a miss that is normal or streaming"
            ),
        ));
    }
    Ok(())
}

#[cold]
fn wrong(id: u32, what: &str) -> Error {
    Error::invalid_value(format!("launch attribute {id} {what}"))
}

#[cold]
fn unknown(of: Of, id: u32) -> Error {
    let what = if of == Of::Launch { "launches" } else { "kernel nodes" };
    Error::invalid_value(format!("{what} have no attribute {id}; see the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers"))
}
