//! A file descriptor that an event loop watches: readable while it is raised.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};

use super::failure::Result;
use graphcap_base::error::{Error, Status};

/// The descriptor. It is closed when this is dropped, and not passed on to programs that the process starts.
pub(crate) struct EventFd(File);

impl EventFd {
    /// Makes a descriptor that is not raised.
    pub(crate) fn new() -> Result<EventFd> {
        let refused = |why| {
            Error::new(
                Status::OUT_OF_MEMORY,
                format!("no file descriptor could be made for an event loop: {why}; close some, or raise the limit"),
            )
        };
        // SAFETY: the call takes no pointers.
        let number = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if number < 0 {
            return Err(refused(std::io::Error::last_os_error()).into());
        }
        // SAFETY: the descriptor was made here, and nobody else has it.
        let made = unsafe { File::from_raw_fd(number) };
        // A copy is none of the first three descriptors, to which programs without standard streams write what is for these.
        Ok(EventFd(made.try_clone().map_err(refused)?))
    }

    /// Makes it readable. Nothing else can come of the write: a descriptor that is full is readable too.
    pub(crate) fn raise(&self) {
        let _ = (&self.0).write(&1u64.to_ne_bytes());
    }

    /// Makes it not readable. It may be that already, where the caller has read it.
    pub(crate) fn lower(&self) {
        let _ = (&self.0).read(&mut [0; 8]);
    }

    /// The number of the descriptor.
    pub(crate) fn number(&self) -> i32 {
        self.0.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_readable(descriptor: &EventFd) -> bool {
        let mut asked = libc::pollfd { fd: descriptor.number(), events: libc::POLLIN, revents: 0 };
        // SAFETY: there is one struct, which is writable.
        unsafe { libc::poll(&mut asked, 1, 0) == 1 }
    }

    #[test]
    fn a_descriptor_is_readable_while_it_is_raised() {
        let descriptor = EventFd::new().unwrap();
        assert!(!is_readable(&descriptor));
        descriptor.raise();
        descriptor.raise();
        assert!(is_readable(&descriptor));
        descriptor.lower();
        assert!(!is_readable(&descriptor));
        descriptor.lower();
        assert!(!is_readable(&descriptor), "it does not block");
    }
}
