//! The lanes: the threads that execute the host device's work, shared by all its contexts: one per core, or as many as the
//! program's user asks for.
//!
//! A lane takes a stream that has work and runs it in order, or helps with work that another lane has
//! offered. A lane without work yields for a while, then sleeps.

use std::collections::VecDeque;
use std::sync::atomic::{fence, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use super::sleeper::Sleeper;
use crate::settings::lanes_asked_for;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock_soon, rank, Mutex, MutexGuard};
use graphcap_driver::{callbacks, threads};

/// Name of the threads.
const THREAD_NAME: &str = "graphcap-lane";
/// Time that a lane without work stays awake. Waking one takes 4 to 5 microseconds, which a program that
/// launches and waits in turn would pay every time.
const SPIN_TIME: Duration = Duration::from_micros(50);
/// A lane that looks for work but has not done so for this long shares its core with a busy thread, which can
/// keep it from running for milliseconds.
const STARVED: Duration = Duration::from_micros(20);
/// Time that the end of the last context waits for the lanes to end.
const LEAVING: Duration = Duration::from_millis(100);
/// Longest time that a lane takes to get up, where it has a core to do so.
const GETTING_UP: Duration = Duration::from_micros(100);
/// Time for which a lane that is awake leaves a stream to the thread that has launched on it. Many threads launch and then wait, and run
/// the stream themselves then. One whose stream a lane has taken has nothing to do but sleep, and to be woken at the end.
const HANDOFF_DELAY: Duration = Duration::from_micros(2);

/// A stream, as lanes know it.
pub(crate) trait Runnable: Send + Sync {
    /// Runs what is queued on this lane, unless another one or a caller has taken the stream meanwhile.
    fn run_if_queued(self: Arc<Self>);
}

/// Work that several lanes can do together.
pub(crate) trait Helpable: Send + Sync {
    /// Returns whether another lane would find something to do.
    fn wants_help(&self) -> bool {
        self.helpers_wanted() > 0
    }
    /// Returns how many more lanes it has room for; 0 where there is nothing to take.
    fn helpers_wanted(&self) -> usize;
    /// Returns how many lanes work on it.
    fn lanes_present(&self) -> usize;
    /// Works along until there is nothing left to take, or until other work has more need of the lane.
    fn help(self: Arc<Self>);
}

type Sleepers = Vec<Arc<Sleeper>>;

/// All lanes of the process.
pub(crate) struct Lanes {
    /// Number of lanes.
    pub(crate) count: usize,
    ready: Ready,
    offers: Mutex<Vec<Arc<dyn Helpable>>, rank::Offers>,
    /// Number of streams that are ready and offers that stand, to look without locking.
    visible: CachePadded<AtomicUsize>,
    /// Length of `offers`, which lanes that help look at after each piece of work.
    offers_made: CachePadded<AtomicUsize>,
    /// Number of times that lanes were called. Lanes without work look at the offers when it has changed: if all of them did so all
    /// the time, those that make and end offers would wait for them.
    calls: CachePadded<AtomicU64>,
    /// Lanes that are awake and look for work.
    searching: CachePadded<AtomicUsize>,
    /// Time at which one of them last looked, or will have got up; in nanoseconds since the lanes were made. By itself, as lanes without
    /// work write it all the time, while those that have work look at what is beside it.
    looked: CachePadded<AtomicU64>,
    made: Instant,
    /// Lanes that sleep; changed under the lock of the sleepers only.
    asleep: AtomicUsize,
    /// Lanes that exist; changed under the lock of the sleepers only.
    running: AtomicUsize,
    /// Contexts that need the lanes; changed under the lock of the sleepers only.
    contexts: AtomicUsize,
    /// The lanes that sleep and were not called yet.
    sleepers: Mutex<Sleepers, rank::Sleepers>,
}

/// A stream, and whether a thread has just launched on it, which may be about to wait for it.
type ReadyStream = (Arc<dyn Runnable>, bool);

/// The streams that wait for a lane.
struct Ready {
    streams: Mutex<VecDeque<ReadyStream>, rank::Ready>,
    /// Number of streams, which lanes that help look at after each piece of work.
    count: CachePadded<AtomicUsize>,
    /// Number of those that no thread has just launched on.
    left: CachePadded<AtomicUsize>,
}

/// Things that a lane without work remembers.
#[derive(Default)]
struct Idle {
    /// Since when it has no work, in nanoseconds since the lanes were made.
    since: Option<u64>,
    /// Number of times that lanes had been called when it looked at the offers.
    calls: u64,
}

static LANES: LazyLock<Lanes> = LazyLock::new(|| Lanes {
    // Who opens a device is told of a number that is wrong.
    count: lanes_asked_for().ok().flatten().unwrap_or_else(cores),
    ready: Ready {
        streams: Mutex::new(VecDeque::new()),
        count: CachePadded::new(AtomicUsize::new(0)),
        left: CachePadded::new(AtomicUsize::new(0)),
    },
    offers: Mutex::new(Vec::new()),
    visible: CachePadded::new(AtomicUsize::new(0)),
    offers_made: CachePadded::new(AtomicUsize::new(0)),
    calls: CachePadded::new(AtomicU64::new(1)),
    searching: CachePadded::new(AtomicUsize::new(0)),
    looked: CachePadded::new(AtomicU64::new(0)),
    made: Instant::now(),
    asleep: AtomicUsize::new(0),
    running: AtomicUsize::new(0),
    contexts: AtomicUsize::new(0),
    sleepers: Mutex::new(Vec::new()),
});

/// The offer that has something to take and the fewest lanes, so that work side by side gets about as many lanes each.
fn neediest(offers: &[Arc<dyn Helpable>]) -> Option<&Arc<dyn Helpable>> {
    offers.iter().filter(|work| work.wants_help()).min_by_key(|work| work.lanes_present())
}

/// Returns how many cores the process may use.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get())
}

/// The lanes.
pub(crate) fn lanes() -> &'static Lanes {
    &LANES
}

/// Lets the collector behind the lanes' deques forget lanes that have ended.
pub fn forget_ended() {
    for _ in 0..8 {
        crossbeam_epoch::pin().flush();
    }
}

impl Lanes {
    /// Starts the lanes that are missing, on behalf of a new context.
    pub(crate) fn enlist(&'static self) -> Result<()> {
        let _sleepers = self.sleepers();
        while self.running.load(Ordering::Relaxed) < self.count {
            if let Err(error) = self.start_one() {
                return Err(Error::new(
                    Status::OUT_OF_MEMORY,
                    format!(
                        "the host device could not start a thread ({error}); raise the limit on threads or end some"
                    ),
                ));
            }
        }
        self.contexts.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// Ends the lanes when the last context is gone. Waits for those that are idle or finish soon.
    pub(crate) fn dismiss(&'static self) {
        let sleepers = {
            let mut sleepers = self.sleepers();
            if self.contexts.fetch_sub(1, Ordering::SeqCst) > 1 {
                return;
            }
            // Each finds nothing to do, and nobody who needs it.
            let all = sleepers.len();
            self.take_sleepers(&mut sleepers, all)
        };
        sleepers.iter().for_each(|sleeper| sleeper.wake());
        if !callbacks::inside_work() {
            let since = Instant::now();
            let is_needed = || self.contexts.load(Ordering::SeqCst) > 0;
            while !is_needed() && !threads::are_over(THREAD_NAME) && since.elapsed() < LEAVING {
                std::thread::sleep(Duration::from_micros(20));
            }
        }
        // The collector looks on threads that use deques often. Lanes of contexts that come and go may never do so.
        forget_ended();
        callbacks::finish();
    }

    /// Queues a stream that a lane will find by itself which is about to look for work.
    pub(crate) fn push_for_this_lane(&'static self, stream: Arc<dyn Runnable>) {
        self.enqueue(stream, false);
    }

    /// Queues a stream that has something to run.
    pub(crate) fn push(&'static self, stream: Arc<dyn Runnable>) {
        self.enqueue(stream, false);
        self.call_one();
    }

    /// Queues a stream that the calling thread has just launched on.
    pub(crate) fn push_launched(&'static self, stream: Arc<dyn Runnable>) {
        self.enqueue(stream, true);
        self.wake_one();
    }

    fn enqueue(&self, stream: Arc<dyn Runnable>, is_launched: bool) {
        let mut ready = lock_soon(&self.ready.streams);
        if !is_launched {
            self.ready.left.fetch_add(1, Ordering::Relaxed);
        }
        ready.push_back((stream, is_launched));
        self.ready.count.store(ready.len(), Ordering::Relaxed);
        drop(ready);
        self.visible.fetch_add(1, Ordering::SeqCst);
    }

    /// Lets other lanes help with `work`. They are called with [`Lanes::call_one`] once it has something to take.
    pub(crate) fn offer(&self, work: &Arc<dyn Helpable>) {
        let mut offers = lock_soon(&self.offers);
        offers.push(Arc::clone(work));
        self.offers_made.store(offers.len(), Ordering::Relaxed);
        drop(offers);
        self.visible.fetch_add(1, Ordering::SeqCst);
    }

    /// Ends an offer; lanes that help already go on.
    pub(crate) fn withdraw(&self, work: &Arc<dyn Helpable>) {
        let mut offers = lock_soon(&self.offers);
        if let Some(position) = offers.iter().position(|offer| std::ptr::addr_eq(Arc::as_ptr(offer), Arc::as_ptr(work)))
        {
            offers.swap_remove(position);
            self.offers_made.store(offers.len(), Ordering::Relaxed);
            self.visible.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Returns how many offers stand.
    #[cfg(test)]
    pub(crate) fn offered(&self) -> usize {
        lock_soon(&self.offers).len()
    }

    /// Wakes a sleeping lane, if there is one and none that is awake is looking for work.
    #[inline]
    pub(crate) fn call_one(&'static self) {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.wake_one();
    }

    #[inline]
    fn wake_one(&'static self) {
        fence(Ordering::SeqCst);
        if self.searching.load(Ordering::SeqCst) == 0 || self.is_search_starved() {
            self.call_sleeper();
        }
    }

    /// Wakes sleeping lanes for `work`, which the calling thread has offered and works on.
    pub(crate) fn call_helpers(&'static self, work: &dyn Helpable) {
        self.calls.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if !self.call_beside(work, 0) {
            self.call_one();
        }
    }

    /// Wakes sleeping lanes until those that look for work, with those that get up, are as many as `work` wants beside `coming`
    /// that are counted nowhere yet; whether it woke any. A wake takes the waker a few microseconds, and the sleeper ten times as
    /// long. So all are up the soonest when whoever is up goes on waking.
    fn call_beside(&'static self, work: &dyn Helpable, coming: usize) -> bool {
        let is_wanted = || {
            self.asleep.load(Ordering::SeqCst) > 0
                && work.helpers_wanted() > coming + self.searching.load(Ordering::SeqCst)
        };
        let mut has_woken = false;
        while is_wanted() && self.call_sleeper() {
            has_woken = true;
        }
        has_woken
    }

    /// Returns whether the lanes that look for work are kept from doing so, while another one sleeps.
    fn is_search_starved(&self) -> bool {
        self.asleep.load(Ordering::Relaxed) > 0
            && self.now() > self.looked.load(Ordering::Relaxed) + STARVED.as_nanos() as u64
    }

    fn now(&self) -> u64 {
        self.made.elapsed().as_nanos() as u64
    }

    /// Returns whether a lane has nothing to do.
    #[inline]
    pub(crate) fn has_idle(&self) -> bool {
        self.searching.load(Ordering::Relaxed) > 0 || self.asleep.load(Ordering::Relaxed) > 0
    }

    /// Returns whether a stream waits for a lane.
    #[inline]
    pub(crate) fn has_ready(&self) -> bool {
        self.ready.count.load(Ordering::Relaxed) > 0
    }

    /// Returns whether a lane should leave the work that it helps with, on which `present` lanes are: a stream waits for a lane, or
    /// fewer lanes are at other work by more than one. That is looked at where `thorough`, as it takes a lock.
    #[inline]
    pub(crate) fn need_helper_elsewhere(&self, present: usize, thorough: bool) -> bool {
        self.has_ready()
            || (thorough
                && self.offers_made.load(Ordering::Relaxed) > 1
                && neediest(&lock_soon(&self.offers)).is_some_and(|other| other.lanes_present() + 1 < present))
    }

    /// Wakes one of the sleepers; whether there was one.
    fn call_sleeper(&'static self) -> bool {
        if self.asleep.load(Ordering::SeqCst) == 0 && self.running.load(Ordering::SeqCst) > 0 {
            return false;
        }
        let mut sleepers = self.sleepers();
        let sleeper = self.take_sleepers(&mut sleepers, 1).pop();
        if sleeper.is_none() && self.running.load(Ordering::SeqCst) == 0 {
            // Work that outlived the last context, whose lanes have ended. Where no thread can be had it waits
            // for the next context, or for a caller that synchronises.
            let _ = self.start_one();
        }
        drop(sleepers);
        // It takes microseconds, for which nobody has to wait.
        sleeper.as_ref().inspect(|sleeper| sleeper.wake()).is_some()
    }

    /// Takes up to `most` off the list of sleepers, who are to be woken next.
    fn take_sleepers(&self, sleepers: &mut Sleepers, most: usize) -> Vec<Arc<Sleeper>> {
        let left = sleepers.len().saturating_sub(most);
        let taken = sleepers.split_off(left);
        if !taken.is_empty() {
            // From here on they count as looking for work, so that nobody calls others for the same work.
            self.searching.fetch_add(taken.len(), Ordering::SeqCst);
            self.asleep.fetch_sub(taken.len(), Ordering::SeqCst);
            self.looked.store(self.now() + GETTING_UP.as_nanos() as u64, Ordering::Relaxed);
        }
        taken
    }

    /// Starts a lane. The sleepers are locked.
    fn start_one(&'static self) -> std::io::Result<()> {
        threads::start(THREAD_NAME, || self.serve())?;
        self.running.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// The life of a lane.
    fn serve(&'static self) {
        let _inside = callbacks::enter_work();
        self.searching.fetch_add(1, Ordering::SeqCst);
        let mut idle = Idle::default();
        loop {
            if let Some(stream) = self.take_ready() {
                self.stop_searching();
                stream.run_if_queued();
            } else if let Some(work) = self.take_offer(&mut idle) {
                self.begin_to_help(&*work);
                work.help();
            } else if self.rest(&mut idle) {
                continue;
            } else {
                return;
            }
            if graphcap_environment::is_thread_ended() && self.replace() {
                return;
            }
            idle.since = None;
            self.searching.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Starts a lane in the place of this one, whose thread a kernel has ended; false where none can be had, and this one goes on.
    #[cold]
    fn replace(&'static self) -> bool {
        let _sleepers = self.sleepers();
        let is_started = self.start_one().is_ok();
        if is_started {
            self.running.fetch_sub(1, Ordering::SeqCst);
        }
        is_started
    }

    /// The last lane that stops looking calls another one where there is more to find, since those who made
    /// the work visible saw a lane awake and called nobody.
    fn stop_searching(&'static self) {
        if self.searching.fetch_sub(1, Ordering::SeqCst) == 1 && self.something_to_do() {
            self.call_sleeper();
        }
    }

    /// A lane stops looking, as it will help with `work`. It calls others first.
    fn begin_to_help(&'static self, work: &dyn Helpable) {
        let is_last = self.searching.fetch_sub(1, Ordering::SeqCst) == 1;
        // It does not count as one that helps before it does.
        if !self.call_beside(work, 1) && is_last && self.something_to_do() {
            self.call_sleeper();
        }
    }

    fn take_ready(&self) -> Option<Arc<dyn Runnable>> {
        if !self.has_ready() {
            return None;
        }
        let mut ready = lock_soon(&self.ready.streams);
        let (stream, is_launched) = ready.pop_front()?;
        if !is_launched {
            self.ready.left.fetch_sub(1, Ordering::Relaxed);
        }
        self.ready.count.store(ready.len(), Ordering::Relaxed);
        drop(ready);
        self.visible.fetch_sub(1, Ordering::SeqCst);
        Some(stream)
    }

    fn take_offer(&self, idle: &mut Idle) -> Option<Arc<dyn Helpable>> {
        idle.calls = self.calls.load(Ordering::SeqCst);
        if self.offers_made.load(Ordering::Relaxed) == 0 {
            return None;
        }
        neediest(&lock_soon(&self.offers)).cloned()
    }

    /// Waits for work: awake at first, then asleep. False when the lane should end.
    fn rest(&'static self, idle: &mut Idle) -> bool {
        let mut before = self.now();
        let since = *idle.since.get_or_insert(before);
        // Without a context nothing will come.
        while self.contexts.load(Ordering::SeqCst) > 0 {
            if before > self.looked.load(Ordering::Relaxed) + STARVED.as_nanos() as u64 / 4 {
                self.looked.store(before, Ordering::Relaxed);
            }
            std::thread::yield_now();
            if self.is_called(idle) {
                return true;
            }
            // After each look, as a busy thread may have had the core for milliseconds.
            let now = self.now();
            if now - since >= SPIN_TIME.as_nanos() as u64 || now - before >= STARVED.as_nanos() as u64 {
                break;
            }
            before = now;
        }
        idle.since = None;
        let sleeper = Arc::new(Sleeper::this_thread());
        let mut sleepers = self.sleepers();
        if self.contexts.load(Ordering::SeqCst) == 0 {
            self.searching.fetch_sub(1, Ordering::SeqCst);
            self.running.fetch_sub(1, Ordering::SeqCst);
            // Whoever made work visible before the two lines above were seen called nobody.
            fence(Ordering::SeqCst);
            if !self.something_to_do() {
                return false;
            }
            self.running.fetch_add(1, Ordering::SeqCst);
            self.searching.fetch_add(1, Ordering::SeqCst);
            return true;
        }
        sleepers.push(Arc::clone(&sleeper));
        self.asleep.fetch_add(1, Ordering::SeqCst);
        self.searching.fetch_sub(1, Ordering::SeqCst);
        loop {
            // Whoever made work visible before the two lines above were seen called nobody.
            fence(Ordering::SeqCst);
            if self.something_to_do() && self.get_up(&mut sleepers, &sleeper) {
                return true;
            }
            drop(sleepers);
            if sleeper.sleep() {
                return true;
            }
            sleepers = self.sleepers();
        }
    }

    /// Takes a lane off the list of sleepers; false where it is about to be called.
    fn get_up(&self, sleepers: &mut Sleepers, sleeper: &Arc<Sleeper>) -> bool {
        let Some(position) = sleepers.iter().position(|other| Arc::ptr_eq(other, sleeper)) else { return false };
        sleepers.swap_remove(position);
        self.searching.fetch_add(1, Ordering::SeqCst);
        self.asleep.fetch_sub(1, Ordering::SeqCst);
        true
    }

    fn something_to_do(&self) -> bool {
        self.visible.load(Ordering::SeqCst) > 0
            && (self.has_ready() || lock_soon(&self.offers).iter().any(|work| work.wants_help()))
    }

    /// Returns whether a lane without work, which is awake, should look at what there is. It leaves streams for a moment to the threads
    /// that have launched on them.
    fn is_called(&self, idle: &Idle) -> bool {
        let is_news =
            || self.ready.left.load(Ordering::Relaxed) > 0 || self.calls.load(Ordering::Relaxed) != idle.calls;
        if self.has_ready() {
            let since = Instant::now();
            while self.has_ready() && !is_news() && since.elapsed() < HANDOFF_DELAY {
                std::hint::spin_loop();
            }
        }
        self.has_ready() || is_news()
    }

    fn sleepers(&self) -> MutexGuard<'_, Sleepers> {
        lock_soon(&self.sleepers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that wants so many lanes more, and has so many.
    struct Offer(usize, usize);

    impl Helpable for Offer {
        fn helpers_wanted(&self) -> usize {
            self.0
        }
        fn lanes_present(&self) -> usize {
            self.1
        }
        fn help(self: Arc<Self>) {}
    }

    #[test]
    fn a_lane_goes_where_there_is_something_to_take_and_the_fewest_are() {
        let chosen = |offers: &[(usize, usize)]| {
            let offers: Vec<Arc<dyn Helpable>> =
                offers.iter().map(|&(wanted, present)| Arc::new(Offer(wanted, present)) as _).collect();
            neediest(&offers).map(|offer| offer.lanes_present())
        };
        assert_eq!(chosen(&[]), None);
        assert_eq!(chosen(&[(0, 1), (0, 3)]), None);
        assert_eq!(chosen(&[(5, 3), (1, 2), (0, 1)]), Some(2));
    }
}
