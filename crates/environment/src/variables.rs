//! Variables of the environment, as far as whoever set them may decide.

use std::ffi::OsString;

/// The text of a variable; `None` also where the process has more rights than who started it, by the set-user-ID bit or the
/// capabilities of its file. Who starts such a program must not choose the libraries that it loads and the files that it writes.
pub fn variable(name: &str) -> Option<OsString> {
    match has_more_rights() {
        true => None,
        false => std::env::var_os(name),
    }
}

#[cfg(target_os = "linux")]
fn has_more_rights() -> bool {
    // SAFETY: the call reads a number that the kernel gave the process at its start.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

#[cfg(not(target_os = "linux"))]
fn has_more_rights() -> bool {
    false
}
