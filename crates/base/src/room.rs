//! Memory for lists whose length the caller decides.
//!
//! Rust ends the process where memory is missing. For lists of a few entries that is left so, as the general part of
//! graphcap.h tells. Lists that can be large are made here, or asked for here before they are made, so that the call fails.

use std::hint::black_box;

use crate::error::{Error, Result, Status};

/// Smaller requests are not asked for ahead: it costs more to ask than to have them.
const LARGE: usize = 64 << 10;

/// An empty list with room for `count` elements.
///
/// # Errors
/// `OUT_OF_MEMORY`.
#[inline]
pub fn list<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| missing())?;
    Ok(list)
}

/// Returns whether lists of `bytes` in all, which are about to be made, have room. Few of them do anyhow.
///
/// # Errors
/// `OUT_OF_MEMORY`.
#[inline]
pub fn ask(bytes: usize) -> Result<()> {
    if bytes >= LARGE {
        // Unseen, the compiler would leave out memory that nobody uses.
        black_box(list::<u8>(bytes)?);
    }
    Ok(())
}

/// The error that memory is missing. The message is no list of its own.
#[cold]
pub fn missing() -> Error {
    Error::new(
        Status::OUT_OF_MEMORY,
        "the process has no memory for the lists that the call needs; free some, or make graphs of fewer nodes",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_memory_holds_is_refused() {
        assert_eq!(list::<u64>(isize::MAX as usize / 8).unwrap_err().status, Status::OUT_OF_MEMORY);
        assert_eq!(list::<u64>(usize::MAX).unwrap_err().status, Status::OUT_OF_MEMORY);
        assert_eq!(ask(usize::MAX).unwrap_err().status, Status::OUT_OF_MEMORY);
        assert_eq!(ask(isize::MAX as usize).unwrap_err().status, Status::OUT_OF_MEMORY);
    }

    #[test]
    fn what_there_is_memory_for_is_had() {
        assert!(list::<u64>(100).unwrap().capacity() >= 100);
        assert!(ask(0).is_ok() && ask(LARGE).is_ok());
    }
}
