//! The end of contexts. Nobody waits for it: a thread of graphcap's looks from time to time whether the work that was
//! left has completed, and gives everything back then.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::context::Shared;
use super::lock;

/// How long to wait between two looks, at first and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

#[derive(Default)]
struct Leaving {
    contexts: Vec<Arc<Shared>>,
    /// Whether a thread looks after them.
    watched: bool,
}

static LEAVING: Mutex<Leaving> = Mutex::new(Leaving { contexts: Vec::new(), watched: false });

/// Takes over a context that nobody uses any more.
pub(super) fn take_over(context: &Arc<Shared>) {
    // Mostly nothing was left.
    if finish(context) {
        return;
    }
    let mut leaving = lock(&LEAVING);
    leaving.contexts.push(Arc::clone(context));
    if !leaving.watched {
        // Without a thread the next context that ends tries again.
        let watch = std::thread::Builder::new().name("graphcap-teardown".into()).spawn(watch);
        leaving.watched = watch.is_ok();
    }
}

fn watch() {
    let mut pause = FIRST_PAUSE;
    loop {
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
        let contexts = std::mem::take(&mut lock(&LEAVING).contexts);
        let pending: Vec<_> = contexts.into_iter().filter(|context| !finish(context)).collect();
        let mut leaving = lock(&LEAVING);
        leaving.contexts.extend(pending);
        if leaving.contexts.is_empty() {
            leaving.watched = false;
            return;
        }
    }
}

/// Gives a context back if its work has completed; false when it has not.
fn finish(context: &Arc<Shared>) -> bool {
    // Calls that were handed to another thread may still be on their way.
    Arc::strong_count(context) == 1 && context.give_back()
}
