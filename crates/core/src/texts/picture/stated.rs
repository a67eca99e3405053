//! Statements of launches about their arguments, as a picture tells them.

use super::{Argument, Link, LinkTarget, MemoryEntry, MemoryKind};
use crate::objects::access::{BufferAccess, LaunchAccesses};
use graphcap_driver::StatedArgument;

/// Tells with the arguments of a launch what it stated of them. If that cannot be told of one of them, it is told of none: what is
/// stated of the others would count as all that the kernel touches.
pub(super) fn tell(stated: &LaunchAccesses, arguments: &mut [Argument], memory: &[MemoryEntry]) {
    let told = arguments.iter().enumerate().map(|(index, argument)| match stated.argument(index) {
        None => Some(None),
        Some(stated) => of(&stated, argument, memory).map(Some),
    });
    let Some(told) = told.collect::<Option<Vec<_>>>() else { return };
    arguments.iter_mut().zip(told).for_each(|(argument, told)| argument.access = told);
}

fn of(stated: &StatedArgument, argument: &Argument, memory: &[MemoryEntry]) -> Option<BufferAccess> {
    let (&[Link { at: 0, to: LinkTarget::Memory(place) }], 8) = (&argument.addresses[..], argument.bytes.len()) else {
        return None;
    };
    let memory = memory.get(place.memory)?;
    if !matches!(memory.kind, MemoryKind::Buffer | MemoryKind::Allocation) {
        return None;
    }
    let range = match stated.bytes {
        None => None,
        Some((first, size)) => {
            let offset = first.checked_sub(stated.address.checked_sub(place.offset as u64)?)?;
            let offset = usize::try_from(offset).ok()?;
            offset.checked_add(size).filter(|&end| memory.bytes.is_some_and(|bytes| end <= bytes))?;
            Some((offset, size))
        }
    };
    Some(BufferAccess { access: stated.access, range })
}
