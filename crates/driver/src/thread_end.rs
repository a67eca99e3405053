//! End of a thread: captures of its own default streams end with it.

use std::cell::RefCell;
use std::sync::Weak;

use crate::forked;

/// Something that is told of the end of a thread.
pub trait EndsWithThread {
    /// Called on that thread, where no more than a moment may be spent, and nothing of the caller's may run.
    fn thread_ends(&self);
}

#[derive(Default)]
struct OfThread(RefCell<Vec<Weak<dyn EndsWithThread>>>);

impl Drop for OfThread {
    /// Runs before a driver learns of the end of the thread: the C library calls the destructors of a language's thread-local
    /// variables first.
    fn drop(&mut self) {
        if forked::is_child() {
            return;
        }
        // What came last ends first: a device enters itself at each begin, behind core's record of the capture, which keeps what the
        // capture needs until the device has ended it.
        self.0.take().iter().rev().filter_map(Weak::upgrade).for_each(|known| known.thread_ends());
    }
}

thread_local! {
    static OF_THREAD: OfThread = OfThread::default();
}

/// Tells `known` when this thread ends, if it is still there.
pub fn end_with_this_thread(known: Weak<dyn EndsWithThread>) {
    // A thread that ends has no room for notes any more.
    let _ = OF_THREAD.try_with(|of_thread| {
        let mut list = of_thread.0.borrow_mut();
        list.retain(|other| other.strong_count() > 0 && !std::ptr::addr_eq(other.as_ptr(), known.as_ptr()));
        list.push(known);
    });
}
