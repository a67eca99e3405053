//! The lanes: the threads that execute the host device's work, one per core, shared by all its contexts.
//!
//! A lane takes a stream that has work and runs it in order, or helps with work that another lane has
//! offered. A lane without work yields for a while, then sleeps.

use std::collections::VecDeque;
use std::sync::atomic::{fence, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::stream::Stream;
use super::{callbacks, lock};
use crate::error::{Error, Result, Status};

/// How long a lane without work stays awake. Waking one takes 4 to 5 microseconds, which a program that
/// launches and waits in turn would pay every time.
const LINGER: Duration = Duration::from_micros(50);

/// Work that several lanes can do together.
pub(super) trait Helpable: Send + Sync {
    /// Whether another lane would find something to do.
    fn wants_help(&self) -> bool;
    /// Works along until there is nothing left to take.
    fn help(self: Arc<Self>);
}

/// All lanes of the process.
pub(super) struct Lanes {
    /// How many lanes there are.
    pub(super) count: usize,
    ready: Mutex<VecDeque<Arc<Stream>>>,
    offers: Mutex<Vec<Arc<dyn Helpable>>>,
    /// Length of `ready` and of `offers` together, to look without locking.
    visible: AtomicUsize,
    /// Lanes that are awake and look for work.
    searching: AtomicUsize,
    /// Lanes that sleep; changed under the crew's lock only.
    asleep: AtomicUsize,
    /// Lanes that exist; changed under the crew's lock only.
    running: AtomicUsize,
    crew: Mutex<Crew>,
    wake: Condvar,
}

struct Crew {
    /// Sleepers that were told to get up and have not yet.
    called: usize,
    /// Contexts that need the lanes.
    contexts: usize,
    threads: Vec<JoinHandle<()>>,
}

static LANES: LazyLock<Lanes> = LazyLock::new(|| Lanes {
    count: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
    ready: Mutex::new(VecDeque::new()),
    offers: Mutex::new(Vec::new()),
    visible: AtomicUsize::new(0),
    searching: AtomicUsize::new(0),
    asleep: AtomicUsize::new(0),
    running: AtomicUsize::new(0),
    crew: Mutex::new(Crew { called: 0, contexts: 0, threads: Vec::new() }),
    wake: Condvar::new(),
});

/// The lanes.
pub(super) fn lanes() -> &'static Lanes {
    &LANES
}

impl Lanes {
    /// Starts the lanes that are missing, on behalf of a new context.
    pub(super) fn enlist(&'static self) -> Result<()> {
        let mut crew = self.crew();
        while self.running.load(Ordering::Relaxed) < self.count {
            if let Err(error) = self.start_one(&mut crew) {
                return Err(Error::new(
                    Status::OUT_OF_MEMORY,
                    format!(
                        "the host device could not start a thread ({error}); raise the limit on threads or end some"
                    ),
                ));
            }
        }
        crew.contexts += 1;
        Ok(())
    }

    /// Ends the lanes when the last context is gone. Waits for those that are idle or finish soon.
    pub(super) fn dismiss(&'static self) {
        let threads = {
            let mut crew = self.crew();
            crew.contexts -= 1;
            if crew.contexts > 0 {
                return;
            }
            self.wake.notify_all();
            std::mem::take(&mut crew.threads)
        };
        if !callbacks::inside_work() {
            let deadline = Instant::now() + Duration::from_millis(100);
            for thread in threads {
                while !thread.is_finished() && Instant::now() < deadline {
                    std::thread::sleep(Duration::from_micros(20));
                }
                if thread.is_finished() {
                    // A lane ends by returning; its result says nothing.
                    let _ = thread.join();
                }
            }
        }
        callbacks::finish();
    }

    /// Queues a stream that has something to run.
    pub(super) fn push(&'static self, stream: Arc<Stream>) {
        lock(&self.ready).push_back(stream);
        self.visible.fetch_add(1, Ordering::SeqCst);
        self.call_one();
    }

    /// Lets other lanes help with `work`.
    pub(super) fn offer(&'static self, work: &Arc<dyn Helpable>) {
        lock(&self.offers).push(Arc::clone(work));
        self.visible.fetch_add(1, Ordering::SeqCst);
        self.call_one();
    }

    /// Ends an offer; lanes that help already go on.
    pub(super) fn withdraw(&self, work: &Arc<dyn Helpable>) {
        let mut offers = lock(&self.offers);
        if let Some(position) = offers.iter().position(|offer| std::ptr::addr_eq(Arc::as_ptr(offer), Arc::as_ptr(work)))
        {
            offers.swap_remove(position);
            self.visible.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Wakes a sleeping lane, if there is one and none that is awake is looking for work.
    #[inline]
    pub(super) fn call_one(&'static self) {
        fence(Ordering::SeqCst);
        if self.searching.load(Ordering::SeqCst) == 0 {
            self.call_sleeper();
        }
    }

    /// Whether a lane has nothing to do.
    #[inline]
    pub(super) fn has_idle(&self) -> bool {
        self.searching.load(Ordering::Relaxed) > 0 || self.asleep.load(Ordering::Relaxed) > 0
    }

    fn call_sleeper(&'static self) {
        if self.asleep.load(Ordering::SeqCst) == 0 && self.running.load(Ordering::SeqCst) > 0 {
            return;
        }
        let mut crew = self.crew();
        if self.asleep.load(Ordering::SeqCst) > crew.called {
            crew.called += 1;
            self.wake.notify_one();
        } else if self.running.load(Ordering::SeqCst) == 0 {
            // Work that outlived the last context, whose lanes have ended. Where no thread can be had it waits
            // for the next context, or for a caller that synchronises.
            let _ = self.start_one(&mut crew);
        }
    }

    fn start_one(&'static self, crew: &mut Crew) -> std::io::Result<()> {
        let thread = std::thread::Builder::new().name("graphcap-lane".into()).spawn(|| self.serve())?;
        crew.threads.push(thread);
        self.running.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// The life of a lane.
    fn serve(&'static self) {
        let _inside = callbacks::enter_work();
        self.searching.fetch_add(1, Ordering::SeqCst);
        loop {
            if let Some(stream) = self.take_ready() {
                self.stop_searching();
                stream.run_if_queued();
                drop(stream);
            } else if let Some(work) = self.take_offer() {
                self.stop_searching();
                work.help();
            } else if self.rest() {
                continue;
            } else {
                return;
            }
            self.searching.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// The last lane that stops looking calls another one where there is more to find, since those who made
    /// the work visible saw a lane awake and called nobody.
    fn stop_searching(&'static self) {
        if self.searching.fetch_sub(1, Ordering::SeqCst) == 1 && self.visible.load(Ordering::SeqCst) > 0 {
            self.call_sleeper();
        }
    }

    fn take_ready(&self) -> Option<Arc<Stream>> {
        if self.visible.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let stream = lock(&self.ready).pop_front()?;
        self.visible.fetch_sub(1, Ordering::SeqCst);
        Some(stream)
    }

    fn take_offer(&self) -> Option<Arc<dyn Helpable>> {
        if self.visible.load(Ordering::Relaxed) == 0 {
            return None;
        }
        lock(&self.offers).iter().find(|work| work.wants_help()).cloned()
    }

    /// Waits for work: awake at first, then asleep. False when the lane should end.
    fn rest(&'static self) -> bool {
        let since = Instant::now();
        loop {
            for _ in 0..8 {
                std::thread::yield_now();
                if self.something_to_do() {
                    return true;
                }
            }
            if since.elapsed() >= LINGER {
                break;
            }
        }
        let mut crew = self.crew();
        self.asleep.fetch_add(1, Ordering::SeqCst);
        self.searching.fetch_sub(1, Ordering::SeqCst);
        loop {
            // Whoever made work visible before the two lines above were seen called nobody.
            let called = crew.called > 0;
            if called || self.something_to_do() {
                crew.called -= usize::from(called);
                self.asleep.fetch_sub(1, Ordering::SeqCst);
                self.searching.fetch_add(1, Ordering::SeqCst);
                return true;
            }
            if crew.contexts == 0 {
                self.asleep.fetch_sub(1, Ordering::SeqCst);
                self.running.fetch_sub(1, Ordering::SeqCst);
                return false;
            }
            crew = self.wake.wait(crew).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn something_to_do(&self) -> bool {
        self.visible.load(Ordering::SeqCst) > 0
            && (!lock(&self.ready).is_empty() || lock(&self.offers).iter().any(|work| work.wants_help()))
    }

    fn crew(&self) -> MutexGuard<'_, Crew> {
        lock(&self.crew)
    }
}
