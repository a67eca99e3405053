//! The relaxed mode of a thread, for questions that must break no capture.

use graphcap_base::error::Result;
use graphcap_devices::exchange_capture_mode;
use graphcap_driver::rules::CaptureMode;

/// The calling thread's capture mode is relaxed as long as this lives.
pub struct RelaxedMode(CaptureMode);

impl RelaxedMode {
    /// # Errors
    /// `NOT_PERMITTED` inside host functions; the status of a driver that cannot be used.
    pub fn enter() -> Result<RelaxedMode> {
        exchange_capture_mode(CaptureMode::Relaxed).map(RelaxedMode)
    }
}

impl Drop for RelaxedMode {
    fn drop(&mut self) {
        // What it was set to before can be set.
        let _ = exchange_capture_mode(self.0);
    }
}
