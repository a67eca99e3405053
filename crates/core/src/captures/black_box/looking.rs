//! Looking at captures that go on, which keeps the streams that they were begun on: a stream's destroy waits for that.

use graphcap_base::defer;
use graphcap_base::lock::{rank, RwLock};
use std::cell::Cell;

/// Held, for reading, while captures are looked at, which keeps their streams: see [`await_examiners`].
static EXAMINING: RwLock<(), rank::Examining> = RwLock::new(());

thread_local! {
    /// Tells whether this thread is looking at captures.
    static LOOKS: Cell<bool> = const { Cell::new(false) };
}

/// Begins to look at captures: until what this gives is dropped, streams that this thread takes from logs are waited for by
/// [`await_examiners`]. `None` where it looks at them already: nested looks are part of the outermost, which holds the lock.
pub(super) fn begin_look() -> Option<impl Drop> {
    let begins = LOOKS.try_with(|looks| !looks.replace(true)).unwrap_or(false);
    begins.then(|| {
        let held = EXAMINING.read();
        defer(move || {
            LOOKS.set(false);
            drop(held);
        })
    })
}

/// Makes `drop_left`, which drops what a stream leaves: aside where this thread looks at captures, and was the last to have the stream.
/// Dropping that can run code of the caller's, and takes locks that come before the one which is held meanwhile.
pub(crate) fn let_go(drop_left: impl FnOnce() + Send + 'static) {
    match LOOKS.try_with(Cell::get).unwrap_or(false) {
        true => graphcap_driver::run_aside(Box::new(drop_left)),
        false => drop_left(),
    }
}

/// After a stream was destroyed: waits until no other thread uses it any more because of a failing call. What it stands
/// for may be the caller's, who may destroy that next.
pub fn await_examiners() {
    // A thread that runs work could keep the examiner from ending.
    if !LOOKS.try_with(Cell::get).unwrap_or(true) && !graphcap_driver::is_within_work() {
        drop(EXAMINING.write());
    }
}

#[cfg(test)]
mod tests {
    use crate::{Context, Graph, Stream};
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{DeviceChoice, DeviceKind, StreamOptions};

    #[test]
    fn what_a_capture_left_goes_aside_where_its_stream_was_looked_at() {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let graph = Graph::create(&context).unwrap();
        let alive = std::sync::Arc::downgrade(&graph.0);
        stream.begin_capture_to_graph(&graph, &[], CaptureMode::Relaxed).unwrap();
        // The capture alone keeps it.
        drop(graph);
        let log = stream.log().unwrap();
        // The destroy of the stream leaves it to the thread that looks. A debug build panics where a lock is taken out of order.
        log.with_origin(|_| drop(stream));
        // The threads of other tests look at captures too: the last to look, whoever that is, ends the capture.
        while !log.is_over() || alive.upgrade().is_some() {
            std::thread::yield_now();
        }
    }
}
