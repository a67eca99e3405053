//! The relaxed mode of a thread, for questions that must break no capture.

use graphcap_base::defer;
use graphcap_base::error::Result;
use graphcap_devices::exchange_capture_mode;
use graphcap_driver::rules::CaptureMode;

/// Makes the calling thread's capture mode relaxed until what this gives is dropped.
///
/// # Errors
/// `NOT_PERMITTED` inside host functions; the status of a driver that cannot be used.
pub fn relax_mode() -> Result<impl Drop> {
    let before = exchange_capture_mode(CaptureMode::Relaxed)?;
    Ok(defer(move || {
        // What it was set to before can be set.
        let _ = exchange_capture_mode(before);
    }))
}
