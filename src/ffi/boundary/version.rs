//! gc_version: which graphcap is loaded.

use std::ffi::{c_char, CStr};

/// The version as C compares it: major * 10000 + minor * 100 + patch.
const NUMBER: u32 = decimal(env!("CARGO_PKG_VERSION_MAJOR")) * 10_000
    + decimal(env!("CARGO_PKG_VERSION_MINOR")) * 100
    + decimal(env!("CARGO_PKG_VERSION_PATCH"));

const STRING: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(text) => text,
    Err(_) => c"",
};

const fn decimal(digits: &str) -> u32 {
    match u32::from_str_radix(digits, 10) {
        Ok(number) => number,
        Err(_) => 0,
    }
}

/// Returns the version of the loaded library.
///
/// Compare it with GRAPHCAP_VERSION_NUMBER, which is the version of the header.
///
/// @return major * 10000 + minor * 100 + patch. Never fails, not even in a forked child.
#[no_mangle]
pub extern "C" fn gc_version() -> u32 {
    NUMBER
}

/// Returns the version of the loaded library, as text such as "0.1.0".
///
/// @return a static text, never NULL. Never fails, not even in a forked child.
#[no_mangle]
pub extern "C" fn gc_version_string() -> *const c_char {
    STRING.as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_cargos() {
        let parts = [gc_version() / 10_000, gc_version() / 100 % 100, gc_version() % 100];
        assert_eq!(parts.map(|part| part.to_string()).join("."), env!("CARGO_PKG_VERSION"));
        assert_eq!(STRING.to_str(), Ok(env!("CARGO_PKG_VERSION")));
    }
}
