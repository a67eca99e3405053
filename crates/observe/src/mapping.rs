//! The file of a trace, mapped into memory: what is written there is in the file, also when the process is killed.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, FileTypeExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::clock;
use crate::format::{CHUNK, HEAD, MAGIC, MOMENTS};

/// Words of the header: the size of the file at most, when the trace began by the monotonic clock and by the calendar's, when it ended,
/// how many records were dropped, the process, and the begin and the end by
/// the counter, where that is the clock of records.
const LIMIT: usize = 1;
const BEGAN: usize = 2;
const BEGAN_CALENDAR: usize = 3;
const ENDED: usize = 4;
const DROPPED: usize = 5;
const PROCESS: usize = 6;
const BEGAN_COUNTER: usize = 7;
const ENDED_COUNTER: usize = 8;

/// A file of whole chunks that grows by one at a time, up to a limit. The addresses of all are reserved from the beginning.
pub(crate) struct Mapping {
    base: *mut u8,
    file: File,
    zeros: Vec<u8>,
    chunks: u64,
    next: AtomicU64,
    /// Number of moments in the header.
    moments: AtomicUsize,
}

// SAFETY: the memory is written through atomics, or by the one thread that a chunk was given to.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

/// Refuses a size that no file of the process may have. A write beyond it would end the process by a signal.
fn check_limit(bytes: u64) -> io::Result<()> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the struct is writable.
    match unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) } {
        0 if bytes > limit.rlim_cur => Err(io::Error::from_raw_os_error(libc::EFBIG)),
        _ => Ok(()),
    }
}

/// Makes a file in the place of one that is there, which is never cut: another process may write its trace to that, and would fault.
fn create_anew(path: &Path) -> io::Result<File> {
    let mut more = 0..100;
    loop {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
            // Another process, whose trace is to be in the same file, has just made one.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && more.next().is_some() => {}
            made => return made,
        }
    }
}

impl Mapping {
    /// Makes a file of at most `limit` bytes in the place of the one that there is.
    pub(crate) fn create(path: &Path, limit: u64) -> io::Result<Mapping> {
        if path.symlink_metadata().is_ok_and(|found| found.file_type().is_fifo() || found.file_type().is_char_device())
        {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the trace needs a regular file"));
        }
        // Before what takes a while, so that the first chunk tells how fast the counter is.
        let (counter, began) = clock::moment();
        let file = create_anew(path)?;
        // A copy is none of the first three descriptors, to which programs without standard streams write what is for these.
        let file = file.try_clone()?;
        let chunks = (limit / CHUNK as u64).max(2);
        let bytes = usize::try_from(chunks).ok().and_then(|chunks| chunks.checked_mul(CHUNK));
        let bytes = bytes.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address that the system chooses touches no memory that is in use.
        let base = unsafe {
            libc::mmap(std::ptr::null_mut(), bytes, access, libc::MAP_SHARED | libc::MAP_NORESERVE, file.as_raw_fd(), 0)
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let mapping = Mapping {
            base: base.cast(),
            file,
            zeros: vec![0; CHUNK],
            chunks,
            next: AtomicU64::new(0),
            moments: AtomicUsize::new(0),
        };
        mapping.add_chunk()?;
        let calendar = std::time::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_nanos() as u64);
        for (word, value) in [
            (LIMIT, chunks * CHUNK as u64),
            (BEGAN, began),
            (BEGAN_COUNTER, counter),
            (BEGAN_CALENDAR, calendar),
            (PROCESS, std::process::id().into()),
            (0, u64::from_le_bytes(MAGIC)),
        ] {
            mapping.header(word).store(value.to_le(), Ordering::Release);
        }
        Ok(mapping)
    }

    fn header(&self, word: usize) -> &AtomicU64 {
        // SAFETY: the first chunk is there as long as the mapping, and is accessed as such words alone.
        unsafe { AtomicU64::from_ptr(self.base.cast::<u64>().add(word)) }
    }

    /// The next chunk, whose room is there: a write cannot fail for a disk that is full.
    fn add_chunk(&self) -> io::Result<*mut u8> {
        let more = |next| (next < self.chunks).then_some(next + 1);
        let at = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        let at = at.map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let offset = at as usize * CHUNK;
        // A system gives what is written at once in large pages, and what is only reserved in small ones.
        let is_written =
            check_limit((offset + CHUNK) as u64).and_then(|()| self.file.write_all_at(&self.zeros, offset as u64));
        if let Err(error) = is_written {
            self.next.store(self.chunks, Ordering::Relaxed);
            return Err(error);
        }
        // SAFETY: the chunk lies within the mapping.
        let chunk = unsafe { self.base.add(offset) };
        #[cfg(target_os = "linux")]
        // SAFETY: the range is one of the mapping. Where the system is too old for it the pages come one by one.
        unsafe {
            libc::madvise(chunk.cast(), CHUNK, libc::MADV_POPULATE_WRITE)
        };
        Ok(chunk)
    }

    /// A chunk for the calling thread; `None` where there is no room.
    pub(crate) fn chunk(&self) -> Option<*mut u8> {
        let chunk = self.add_chunk().ok()?;
        let mut name = [0u8; HEAD - 8];
        #[cfg(target_os = "linux")]
        // SAFETY: the name has room for the 16 bytes that are written.
        unsafe {
            libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr())
        };
        let (counter, clock) = clock::moment();
        // SAFETY: the chunk is this thread's, and has its head and more. It begins at a multiple of its size.
        unsafe {
            chunk.add(8).copy_from_nonoverlapping(name.as_ptr(), name.len());
            chunk.add(24).cast::<[u64; 2]>().write([counter.to_le(), clock.to_le()]);
            AtomicU64::from_ptr(chunk.cast()).store(clock::thread_number().to_le(), Ordering::Release);
        }
        Some(chunk)
    }

    /// Notes that the trace is read now. Times that were read are the same in the file for good.
    pub(crate) fn note_moment(&self) {
        let (counter, clock) = clock::moment();
        let at = MOMENTS + 2 * self.moments.fetch_add(1, Ordering::Relaxed);
        if at < CHUNK / 8 - 1 {
            self.header(at + 1).store(clock.to_le(), Ordering::Release);
            self.header(at).store(counter.to_le(), Ordering::Release);
        }
    }

    /// Reads each chunk that there is, the header first, as others see the file.
    pub(crate) fn read(&self, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        let mut bytes = vec![0; CHUNK];
        for at in 0..self.next.load(Ordering::Acquire) {
            self.file.read_exact_at(&mut bytes, at * CHUNK as u64)?;
            take(&bytes);
        }
        Ok(())
    }

    /// Counts a record that found no room.
    #[cold]
    pub(crate) fn drop_one(&self) {
        let dropped = self.header(DROPPED);
        let _ =
            dropped.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| Some((u64::from_le(count) + 1).to_le()));
    }

    /// Notes that the trace ends. Tells how many records were dropped.
    pub(crate) fn end(&self) -> u64 {
        let (counter, clock) = clock::moment();
        self.header(ENDED_COUNTER).store(counter.to_le(), Ordering::Release);
        self.header(ENDED).store(clock.to_le(), Ordering::Release);
        u64::from_le(self.header(DROPPED).load(Ordering::Relaxed))
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and nobody has it any more.
        unsafe { libc::munmap(self.base.cast(), self.chunks as usize * CHUNK) };
    }
}
