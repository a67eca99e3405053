//! `GRAPHCAP_CUDA_MEMORY=guard`: each buffer has a mapping of its own in reserved addresses, behind those of buffers before it, and with
//! addresses around it behind which there is nothing. A touch there is a fault of the driver's.
//!
//! A buffer ends where its mapping ends, as far as its alignment allows. What is left over behind it, and the last bytes before it,
//! have a pattern, the *canary*, which is looked at when the buffer is freed and when somebody waits for work.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{c_int, OsStr};
use std::io::Write as _;
use std::ops::Range as Addresses;
use std::sync::Arc;

use cudarc::driver::sys::CUdevice_attribute;

use super::pool::Pool;
use super::reserved::Range;
use crate::api::{Api, DriverError};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::switch::{malformed, variable};
use graphcap_driver::guarded::{GuardedByte, CANARY};
use graphcap_driver::Address;
use graphcap_observe::log::{log, Level, Subject};

/// Buffers start at multiples of this.
const ALIGNMENT: u64 = 256;
/// Bytes before a buffer that have the pattern, where its mapping has as many.
const BYTES_BEFORE: u64 = 4096;
/// Addresses that are reserved at once, beside those of the buffer that there was no room for.
const RESERVED_AT_ONCE: usize = 16 << 30;
/// Addresses from which on those go back that nothing lives at any more.
const MOST_RESERVED: usize = 4 << 40;

/// Guarded memory of a context.
#[derive(Default)]
pub(crate) struct Guard(Mutex<Guarded, rank::GuardedBuffers>);

#[derive(Default)]
struct Guarded {
    /// The oldest first; buffers are carved of the last.
    spaces: VecDeque<Space>,
    live: BTreeMap<Address, GuardedBuffer>,
}

/// Reserved addresses, of which so many are used up.
struct Space {
    range: Arc<Range>,
    used: usize,
}

/// The mapping of a buffer.
struct GuardedBuffer {
    range: Arc<Range>,
    offset: usize,
    mapped: usize,
    bytes: usize,
    name: String,
}

/// Tells whether the environment asks for guarded memory, which the device must be able to have.
///
/// # Errors
/// `INVALID_VALUE` for another text than `guard`; `NOT_SUPPORTED` for a device that maps no memory into reserved addresses.
pub(crate) fn is_wanted(api: &Api, ordinal: c_int, device: &str) -> Result<bool> {
    match variable("GRAPHCAP_CUDA_MEMORY").as_deref() {
        None => return Ok(false),
        Some(text) if text == OsStr::new("guard") => {}
        Some(_) => return Err(malformed("GRAPHCAP_CUDA_MEMORY", "\"guard\" or not set")),
    }
    let (mut maps, attribute) =
        (0, CUdevice_attribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED as c_int);
    // SAFETY: `maps` is writable; the ordinal is a device.
    unsafe { api.cuDeviceGetAttribute(&mut maps, attribute, ordinal) }.map_err(|refusal| api.error(refusal))?;
    if maps == 0 {
        let message =
            format!("{device} cannot map memory into reserved addresses, as GRAPHCAP_CUDA_MEMORY=guard needs");
        return Err(Error::new(Status::NOT_SUPPORTED, message));
    }
    log(Level::Info, Subject::Context, || {
        "GRAPHCAP_CUDA_MEMORY=guard: buffers and blocks of pools are guarded; managed, pinned and wrapped memory, globals of modules and \
         allocations of nodes are not"
            .into()
    });
    Ok(true)
}

impl Guard {
    /// Allocates memory that every stream can use at once.
    pub(super) fn allocate(&self, pool: &Pool, bytes: usize) -> std::result::Result<Address, DriverError> {
        let mut guarded = lock(&self.0);
        let (range, offset, mapped) = guarded.place(pool, bytes)?;
        if let Err(refusal) = range.map(offset, mapped) {
            guarded.take_back(offset);
            return Err(refusal);
        }
        let live = GuardedBuffer { range, offset, mapped, bytes, name: String::new() };
        for slack in live.slack() {
            if let Err(refusal) = pool.fill(slack, CANARY) {
                live.unmap();
                return Err(refusal);
            }
        }
        let address = live.start();
        guarded.live.insert(address, live);
        Ok(address)
    }

    /// Gives a buffer back, which nothing uses any more; false where it is none of these.
    pub(super) fn free(&self, pool: &Pool, address: Address) -> bool {
        let mut guarded = lock(&self.0);
        let Some(live) = guarded.live.remove(&address) else { return false };
        check(pool, &[&live], "when it was freed");
        live.unmap();
        true
    }

    /// Returns whether bytes begin in guarded addresses, and no live buffer has them all.
    pub(crate) fn is_gone(&self, address: Address, bytes: usize) -> bool {
        let guarded = lock(&self.0);
        let is_guarded = |space: &Space| {
            address.checked_sub(space.range.address).is_some_and(|offset| offset < space.range.bytes as Address)
        };
        let last = guarded.live.range(..=address).next_back();
        let has_them = last.is_some_and(|(start, live)| address - start + bytes as Address <= live.bytes as Address);
        !has_them && guarded.spaces.iter().any(is_guarded)
    }

    /// Gives the buffer that starts at `address` the name that messages call it by.
    pub(crate) fn name(&self, address: Address, name: &str) {
        if let Some(live) = lock(&self.0).live.get_mut(&address) {
            live.name = name.into();
        }
    }

    /// Looks at the canaries of all buffers. Ends the process where one is damaged.
    pub(super) fn check(&self, pool: &Pool, when: &str) {
        check(pool, &lock(&self.0).live.values().collect::<Vec<_>>(), when);
    }

    /// Gives all addresses back. Nothing uses the memory any more.
    pub(super) fn end(&self) {
        *lock(&self.0) = Guarded::default();
    }
}

impl Guarded {
    /// Addresses for a buffer: a range, and offset and size of a mapping in it.
    fn place(&mut self, pool: &Pool, bytes: usize) -> std::result::Result<(Arc<Range>, usize, usize), DriverError> {
        if let Some(place) = self.spaces.back_mut().and_then(|space| space.take(bytes)) {
            return Ok(place);
        }
        while self.spaces.iter().map(|space| space.range.bytes).sum::<usize>() >= MOST_RESERVED {
            // Each buffer that lives holds the range too.
            let Some(oldest) = self.spaces.iter().position(|space| Arc::strong_count(&space.range) == 1) else { break };
            self.spaces.remove(oldest);
        }
        let range = Arc::new(pool.reserve(Some(bytes.saturating_add(RESERVED_AT_ONCE)), None)?);
        let mut space = Space { range, used: 0 };
        let place = space.take(bytes);
        self.spaces.push_back(space);
        place.ok_or(DriverError { function: "cuMemAddressReserve", status: Status::OUT_OF_MEMORY, since: None })
    }

    /// Takes the addresses back that were given last, at which no memory was mapped.
    fn take_back(&mut self, offset: usize) {
        if let Some(space) = self.spaces.back_mut() {
            space.used = offset.saturating_sub(space.range.page);
            if space.used == 0 {
                self.spaces.pop_back();
            }
        }
    }
}

impl Space {
    /// Addresses for a buffer, between pages that stay without memory; `None` when there are too few.
    fn take(&mut self, bytes: usize) -> Option<(Arc<Range>, usize, usize)> {
        let page = self.range.page;
        let mapped = bytes.checked_next_multiple_of(page)?;
        let offset = self.used + page;
        let end = offset.checked_add(mapped)?;
        if end.checked_add(page)? > self.range.bytes {
            return None;
        }
        self.used = end;
        Some((Arc::clone(&self.range), offset, mapped))
    }
}

impl GuardedBuffer {
    fn mapping(&self) -> Addresses<Address> {
        let start = self.range.address + self.offset as Address;
        start..start + self.mapped as Address
    }

    fn start(&self) -> Address {
        (self.mapping().end - self.bytes as Address) & !(ALIGNMENT - 1)
    }

    /// The addresses that have the pattern: before the buffer, and behind it.
    fn slack(&self) -> impl Iterator<Item = Addresses<Address>> {
        let (mapping, start) = (self.mapping(), self.start());
        let before = mapping.start.max(start - BYTES_BEFORE)..start;
        [before, start + self.bytes as Address..mapping.end].into_iter().filter(|slack| !slack.is_empty())
    }

    /// Ends the process, since nobody can tell any more what its memory is worth.
    #[cold]
    fn end_process(&self, address: Address, when: &str) -> ! {
        let place = GuardedByte { address, start: self.start(), bytes: self.bytes as u64, name: &self.name };
        // Where it cannot be written, there is nobody to tell.
        let _ = writeln!(
            std::io::stderr(),
            "graphcap: GRAPHCAP_CUDA_MEMORY=guard: {place} was written to, as was found {when}"
        );
        std::process::abort()
    }

    fn unmap(&self) {
        let _ = self.range.unmap(self.offset, self.offset + self.mapped);
    }
}

/// Ends the process where a byte of the pattern beside these was written to. Where memory is out, or behind a fault of the context, nothing
/// is known, which is logged.
fn check(pool: &Pool, live: &[&GuardedBuffer], when: &str) {
    let slack: Vec<_> = live.iter().flat_map(|live| live.slack().map(move |slack| (*live, slack))).collect();
    let ranges: Vec<_> = slack.iter().map(|(_, slack)| slack.clone()).collect();
    let bytes = match pool.read(&ranges) {
        Ok(bytes) => bytes,
        Err(refusal) => {
            log(Level::Warning, Subject::Fallback, || {
                let error = pool.error(refusal).message;
                format!(
                    "GRAPHCAP_CUDA_MEMORY=guard: the canaries of {} buffers were not looked at {when}: {error}; \
                     writes beside buffers go unnoticed until the next look",
                    live.len()
                )
            });
            return;
        }
    };
    let Some(mut damaged) = bytes.iter().position(|&byte| byte != CANARY) else { return };
    for (live, slack) in slack {
        let length = (slack.end - slack.start) as usize;
        match damaged.checked_sub(length) {
            None => live.end_process(slack.start + damaged as Address, when),
            Some(behind) => damaged = behind,
        }
    }
}
