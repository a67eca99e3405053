//! The driver's own log, from 12.9 on: what it says of the calls that it refused.

use crate::driver::cuda::api::Api;

/// As much as the driver keeps.
const KEPT: usize = 25600;
/// As much of its end as is told.
const TOLD: usize = 2048;

/// How far the log is; `None` where the driver has none.
pub(in crate::driver::cuda) fn position(api: &Api) -> Option<u32> {
    let mut position = 0;
    // SAFETY: `position` is writable.
    unsafe { api.cuLogsCurrent(&mut position, 0) }.ok()?;
    Some(position)
}

/// What was written to the log since then, as one line.
pub(in crate::driver::cuda) fn since(api: &Api, mut position: u32) -> Option<String> {
    // A driver (580) that had to cut the log was seen to write beyond the end that it was told. So it is told enough for all
    // that it keeps, and there is more.
    let mut text = vec![0u8; 2 * KEPT];
    let mut bytes = KEPT;
    // SAFETY: the text has more bytes than `bytes` says, and both other arguments are writable.
    unsafe { api.cuLogsDumpToMemory(&mut position, text.as_mut_ptr().cast(), &mut bytes, 0) }.ok()?;
    text.truncate(bytes);
    Some(end_of(&String::from_utf8_lossy(&text)))
}

fn end_of(log: &str) -> String {
    let lines: Vec<&str> = log.trim_end_matches('\0').lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut bytes = 0;
    let told = lines.iter().rev().take_while(|line| {
        bytes += line.len() + " / ".len();
        bytes <= TOLD
    });
    let first = lines.len() - told.count();
    lines.get(first..).unwrap_or_default().join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_told_as_one() {
        assert_eq!(end_of(""), "");
        assert_eq!(end_of("\n\n"), "");
        assert_eq!(end_of("one\n two \n\0"), "one / two");
        let long: String = (0..1000).map(|number| format!("line {number}\n")).collect();
        let told = end_of(&long);
        assert!(told.len() <= TOLD && told.len() > TOLD - 20, "{}", told.len());
        assert!(told.ends_with("line 998 / line 999"), "{told}");
        assert_eq!(end_of(&"x".repeat(TOLD)), "");
    }
}
