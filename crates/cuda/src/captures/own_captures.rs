//! Captures that a thread began on its per-thread stream, and that must be over before the thread is: a driver (580) was seen
//! to crash in the end of a thread whose per-thread stream was captured and had been joined by another stream.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use crate::shared::Shared;
use graphcap_base::lock::lock;
use graphcap_driver::forked;

/// The contexts in which a thread began such captures.
struct OwnCaptures(RefCell<Vec<Weak<Shared>>>);

thread_local! {
    static OWN: OwnCaptures = const { OwnCaptures(RefCell::new(Vec::new())) };
}

/// To be called when this thread began a capture on its per-thread stream in `context`.
pub(crate) fn begun(context: &Arc<Shared>) {
    // Without its locals the thread is about to end, and the capture is left to the driver.
    let _ = OWN.try_with(|own| {
        let mut contexts = own.0.borrow_mut();
        contexts.retain(|known| known.strong_count() > 0 && !std::ptr::eq(known.as_ptr(), Arc::as_ptr(context)));
        contexts.push(Arc::downgrade(context));
    });
}

impl Drop for OwnCaptures {
    /// Runs before the driver learns of the end of the thread: the C library calls the destructors of a language's
    /// thread-local variables first.
    fn drop(&mut self) {
        if forked::is_child() {
            return;
        }
        for context in self.0.take().iter().filter_map(Weak::upgrade) {
            // Held, so that the context is not given back meanwhile.
            let open = lock(&context.open);
            if !*open {
                continue;
            }
            if let Ok(_current) = context.device.enter() {
                context.discard_capture(&context.per_thread);
            }
        }
    }
}
