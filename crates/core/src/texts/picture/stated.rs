//! What launches state of their arguments, as a picture tells it.

use super::{Argument, Does, Link, Memory, MemoryKind, Range, Stated, Target};
use crate::objects::access::{BufferAccess, LaunchAccesses};
use graphcap_driver::{Access, StatedArgument};

/// Tells with the arguments of a launch what it stated of them. If that cannot be told of one of them, it is told of none: what is
/// stated of the others would count as all that the kernel touches.
pub(super) fn tell(stated: &LaunchAccesses, arguments: &mut [Argument], memory: &[Memory]) {
    let told = arguments.iter().enumerate().map(|(index, argument)| match stated.argument(index) {
        None => Some(None),
        Some(stated) => of(&stated, argument, memory).map(Some),
    });
    let Some(told) = told.collect::<Option<Vec<_>>>() else { return };
    arguments.iter_mut().zip(told).for_each(|(argument, told)| argument.access = told);
}

fn of(stated: &StatedArgument, argument: &Argument, memory: &[Memory]) -> Option<Stated> {
    let (&[Link { at: 0, to: Target::Memory(place) }], 8) = (&argument.addresses[..], argument.bytes.len()) else {
        return None;
    };
    let memory = memory.get(place.memory)?;
    if !matches!(memory.kind, MemoryKind::Buffer | MemoryKind::Allocation) {
        return None;
    }
    let range = match stated.bytes {
        None => None,
        Some((first, size)) => {
            let offset = first.checked_sub(stated.address.checked_sub(place.offset)?)?;
            let size = size as u64;
            offset.checked_add(size).filter(|&end| memory.bytes.is_some_and(|bytes| end <= bytes))?;
            Some(Range { offset, size })
        }
    };
    let does = match stated.access {
        Access::Read => Does::Read,
        Access::Write => Does::Write,
        Access::ReadWrite => Does::ReadWrite,
    };
    Some(Stated { does, range })
}

impl Stated {
    /// Returns what a launch states of a buffer of so many bytes; `None` for bytes that it does not have.
    pub(crate) fn of_buffer(&self, bytes: usize) -> Option<BufferAccess> {
        let access = match self.does {
            Does::Read => Access::Read,
            Does::Write => Access::Write,
            Does::ReadWrite => Access::ReadWrite,
        };
        let range = match self.range {
            None => None,
            Some(Range { offset, size }) => {
                let (offset, size) = (usize::try_from(offset).ok()?, usize::try_from(size).ok()?);
                offset.checked_add(size).filter(|&end| size > 0 && end <= bytes)?;
                Some((offset, size))
            }
        };
        Some(BufferAccess { access, range })
    }
}
