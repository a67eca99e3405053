//! A buffer and the one that takes its place, in what one node does.

use std::cell::RefCell;
use std::sync::Arc;

use super::node_data::{KernelParams, NodeParams, OwnedArguments};
use super::retention;
use crate::keep::{Kept, Kepts};
use crate::objects::access::LaunchAccesses;
use crate::objects::buffer::{Buffer, LentBuffer, Origin};
use crate::objects::home::Home;
use crate::operations::located::Memory;
use crate::operations::values;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::quoted;
use graphcap_driver::{Address, Arguments, KernelId, Work, ADDRESS_BYTES};

/// A buffer and the one that takes its place.
pub(super) struct Swap<'a> {
    pub(super) from: &'a Buffer,
    pub(super) to: &'a Buffer,
}

impl<'a> Swap<'a> {
    /// # Errors
    /// `INVALID_CONTEXT`, `INVALID_VALUE`, `NOT_SUPPORTED`: see `Graph::replace_buffer`.
    pub(super) fn new(home: Home<'_>, from: &'a Buffer, to: &'a Buffer) -> Result<Swap<'a>> {
        home.check(from.context(), "the buffer to be replaced")?;
        Home::graph(from.context()).check_own(to.context(), "the new buffer")?;
        if [from, to].iter().any(|buffer| buffer.origin() == Origin::Node) {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                "memory that a node of a graph allocates is neither replaced nor put in the place of other memory; set the nodes one \
                 by one",
            ));
        }
        let is_pinned = |buffer: &Buffer| matches!(buffer.origin(), Origin::Pinned { .. });
        if is_pinned(from) != is_pinned(to) || from.inner().starts().count() > to.inner().starts().count() {
            return Err(Error::invalid_value(
                "one of the buffers is memory of the host and the other one is not, or the new one is not mapped for the device; \
                 give two of one kind",
            ));
        }
        to.let_kernel_reach(home.context)?;
        Ok(Swap { from, to })
    }

    /// Tells where an address of the old buffer goes, and how far it lies in that. The end of a buffer counts where a kernel was given it
    /// and nothing else is known to begin there.
    fn moved(&self, address: Address) -> Option<(Address, usize)> {
        let (from, to) = (self.from.inner(), self.to.inner());
        let mut starts = from.starts().zip(to.starts());
        starts.find_map(|(start, to)| {
            let offset = address.checked_sub(start).and_then(|offset| usize::try_from(offset).ok())?;
            let is_in = offset < self.from.size() || (offset == self.from.size() && self.ends_at(address));
            is_in.then(|| (to.wrapping_add(offset as u64), offset))
        })
    }

    /// Returns whether an address may be one of the old buffer: in it, or at its end.
    pub(super) fn covers(&self, address: Address) -> bool {
        let size = self.from.size() as u64;
        self.from.inner().starts().any(|start| address.checked_sub(start).is_some_and(|offset| offset <= size))
    }

    /// Returns whether a node that does `work` may use the old buffer, which includes what cannot be read of it.
    pub(super) fn may_change(&self, work: &Work<'_>) -> bool {
        let mut may_change = match work {
            Work::Kernel(launch) => launch.arguments == Arguments::Unknown,
            Work::Opaque(_) => true,
            _ => false,
        };
        work.each_address(&mut |address| may_change |= self.covers(address));
        may_change
    }

    fn ends_at(&self, address: Address) -> bool {
        let owner = self.from.context().find_owner(address);
        owner.is_some_and(|(located, is_end)| {
            let owner = match located.memory {
                Memory::Buffer(buffer) => buffer,
                Memory::HostBuffer(buffer) => buffer.memory().clone(),
            };
            is_end && Arc::ptr_eq(&owner.inner(), &self.from.inner())
        })
    }

    /// Moves an address of which a node touches `bytes` bytes, at a multiple of `alignment`. Gives whether it is one of the old
    /// buffer.
    pub(super) fn move_address(&self, address: &mut Address, bytes: Option<usize>, alignment: usize) -> Result<bool> {
        let Some((moved, offset)) = self.moved(*address) else { return Ok(false) };
        self.check_room(offset, bytes.unwrap_or(usize::MAX))?;
        if !moved.is_multiple_of(alignment as u64) {
            return Err(Error::invalid_value(format!(
                "offset {offset} of the new buffer{} lies at address {moved:#x}, which is no multiple of the {alignment} bytes of an \
                 element; align the buffer",
                self.name()
            )));
        }
        *address = moved;
        Ok(true)
    }

    fn check_room(&self, offset: usize, bytes: usize) -> Result<()> {
        let size = self.to.size();
        match offset.checked_add(bytes).is_some_and(|end| end <= size) {
            true => Ok(()),
            false => Err(Error::invalid_value(format!(
                "the node uses {bytes} bytes from byte {offset} of the buffer on, and the new one{} has {size}; give a larger one",
                self.name()
            ))),
        }
    }

    #[cold]
    fn name(&self) -> String {
        self.to.name().map(|name| format!(" {}", quoted(&name))).unwrap_or_default()
    }

    /// Returns what a node is to do that does `before`, if it uses the old buffer.
    pub(super) fn of_work(&self, before: &NodeParams) -> Result<Option<NodeParams>> {
        let mut after = before.clone();
        let is_moved = match &mut after {
            NodeParams::Kernel(launch) => {
                let stated = launch.accesses.clone();
                let is_moved = self.of_launch(launch, stated.as_deref())?;
                if let Some(accesses) = stated.filter(|_| is_moved) {
                    launch.accesses = Some(Arc::new(accesses.moved(&|address| Some(self.moved(address)?.0))));
                }
                is_moved
            }
            NodeParams::Memcpy { rows, .. } => {
                let (written, read) = (rows.destination_span(), rows.source_span());
                self.move_address(&mut rows.row.destination, written, 1)?
                    | self.move_address(&mut rows.row.source, read, 1)?
            }
            NodeParams::Memset(set) => {
                let (bytes, element) = (set.span(), usize::from(set.element_size).max(1));
                self.move_address(&mut set.address, bytes, element)?
            }
            NodeParams::Values(operations) => {
                let mut is_moved = false;
                for operation in operations {
                    let bytes = operation.value.bytes();
                    is_moved |= self.move_address(&mut operation.address, Some(bytes), bytes)?;
                }
                if is_moved {
                    values::check_memory(self.to)?;
                }
                is_moved
            }
            _ => false,
        };
        Ok(is_moved.then_some(after))
    }

    /// Moves the addresses in the arguments of a launch: each aligned word of 8 bytes in the buffer is one.
    fn of_launch(&self, launch: &mut KernelParams, accesses: Option<&LaunchAccesses>) -> Result<bool> {
        let mut is_moved = false;
        match &mut launch.arguments {
            OwnedArguments::Separate(arguments) => {
                for (index, bytes) in arguments.iter_mut().enumerate() {
                    // What a kernel touches is known where the launch states it.
                    let stated = accesses.and_then(|accesses| accesses.argument(index)?.bytes);
                    is_moved |= self.of_words(bytes, stated)?;
                }
            }
            OwnedArguments::Packed(block) => is_moved = self.of_words(block, None)?,
            OwnedArguments::Unknown => {}
        }
        if is_moved && launch.id() == KernelId::FOREIGN {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                "the node launches a kernel that was not found through graphcap, and uses the buffer; graphcap cannot set such a node, \
                 so set it by the driver's own call",
            ));
        }
        Ok(is_moved)
    }

    fn of_words(&self, bytes: &mut [u8], stated: Option<(Address, usize)>) -> Result<bool> {
        let mut is_moved = false;
        for word in bytes.as_chunks_mut::<ADDRESS_BYTES>().0 {
            let Some((moved, offset)) = self.moved(Address::from_ne_bytes(*word)) else { continue };
            match stated.and_then(|(first, count)| Some((self.moved(first)?.1, count))) {
                Some((first, count)) => {
                    self.check_room(offset, 0)?;
                    self.check_room(first, count)?;
                }
                None => self.check_room(0, self.from.size())?,
            }
            *word = moved.to_ne_bytes();
            is_moved = true;
        }
        Ok(is_moved)
    }

    /// Returns what a node keeps of `kept` that does not use the old buffer any more; `None` where that is all of it.
    pub(super) fn without_old(&self, kept: &Kepts) -> Option<Kepts> {
        let is_old = |kept: &Kept| {
            let is_lent = |lent: Arc<LentBuffer>| Arc::ptr_eq(&lent.buffer, &self.from.inner());
            self.from.is_kept(kept) || kept.object::<LentBuffer>().is_some_and(is_lent)
        };
        let has_old = |kept: &Kept| retention::find_in(kept, &|kept| is_old(kept).then_some(())).is_some();
        if !kept.iter().any(has_old) {
            return None;
        }
        // Of what a child graph kept, the rest.
        let left = RefCell::new(Kepts::new());
        let keep = |kept: &Kept| {
            if !is_old(kept) {
                left.borrow_mut().push(kept.clone());
            }
            None::<()>
        };
        for kept in kept {
            match has_old(kept) {
                true => retention::find_in(kept, &keep).unwrap_or_default(),
                false => left.borrow_mut().push(kept.clone()),
            }
        }
        Some(left.into_inner())
    }
}
