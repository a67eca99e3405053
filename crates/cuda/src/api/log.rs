//! The driver's own log, from 12.9 on: what it says of the calls that it refused.

use crate::api::Api;

/// As much as the driver keeps.
const KEPT: usize = 25600;
/// As much of its end as is told.
const TOLD: usize = 2048;

/// Returns how far the log is; `None` where the driver has none.
pub(crate) fn position(api: &Api) -> Option<u32> {
    let mut position = 0;
    // SAFETY: `position` is writable.
    unsafe { api.cuLogsCurrent(&mut position, 0) }.ok()?;
    Some(position)
}

/// Returns what was written to the log since then, as one line. It leaves out what the driver says of questions about streams: a question
/// breaks no capture, and graphcap asks some itself.
pub(crate) fn since(api: &Api, mut position: u32) -> Option<String> {
    // A driver (580) that had to cut the log was seen to write beyond the end that it was told. So it is told enough for all
    // that it keeps, and there is more.
    let mut text = vec![0u8; 2 * KEPT];
    let mut bytes = KEPT;
    // SAFETY: the text has more bytes than `bytes` says, and both other arguments are writable.
    unsafe { api.cuLogsDumpToMemory(&mut position, text.as_mut_ptr().cast(), &mut bytes, 0) }.ok()?;
    text.truncate(bytes);
    Some(end_of(&String::from_utf8_lossy(&text)))
}

/// The functions that ask about a stream, as far as they are alike.
const QUESTIONS: [&str; 2] = [" from cuStreamGetCaptureInfo", " from cuStreamIsCapturing"];

/// Text in the line of a log that tells what a function returns.
const RETURNS: &str = "] Returning ";

/// The lines of a log. The driver says in one line what was wrong, and in the next one of the thread which function returns what.
fn lines_of(log: &str) -> Vec<&str> {
    let mut kept: Vec<&str> = Vec::new();
    for line in log.trim_end_matches('\0').lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !QUESTIONS.iter().any(|question| line.contains(question)) {
            kept.push(line);
            continue;
        }
        // What was wrong stands before it, unless that was cut off.
        let last =
            kept.iter().rposition(|earlier| thread_of(earlier).is_some_and(|thread| Some(thread) == thread_of(line)));
        if let Some(reason) = last.filter(|&last| kept.get(last).is_some_and(|line| !line.contains(RETURNS))) {
            kept.remove(reason);
        }
    }
    kept
}

/// The thread that a line is of: `[time][thread][CUDA][E] text`.
fn thread_of(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.split(']').nth(1)
}

fn end_of(log: &str) -> String {
    let lines = lines_of(log);
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
    fn questions_are_left_out() {
        let told = |question: &str| {
            format!(
                "[23:28:59.644][140130139316608][CUDA][E] Call cannot be made against CU_STREAM_LEGACY\n\
                 [23:28:59.644][77][CUDA][E] another thread\n\
                 [23:28:59.644][140130139316608][CUDA][E] Returning 906 (CUDA_ERROR_STREAM_CAPTURE_IMPLICIT) from {question}\n"
            )
        };
        let others = "[23:28:59.644][77][CUDA][E] another thread";
        for question in ["cuStreamGetCaptureInfo_v2", "cuStreamGetCaptureInfo_v3", "cuStreamIsCapturing"] {
            assert_eq!(end_of(&told(question)), others);
        }
        let submitted = told("cuMemsetD32Async");
        assert_eq!(lines_of(&(told("cuStreamIsCapturing") + &submitted)).len(), 4);
        assert!(end_of(&submitted).ends_with("from cuMemsetD32Async"));
        // The line before was cut off, or is of another call.
        assert_eq!(
            lines_of(
                &(submitted.clone() + "[1][140130139316608][CUDA][E] Returning 906 (X) from cuStreamIsCapturing\n")
            )
            .len(),
            3
        );
        assert_eq!(end_of("[1][2][CUDA][E] Returning 906 (X) from cuStreamIsCapturing\n"), "");
    }

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
