//! A driver for the tests of the objects: the host device, of which calls can be told to fail, and in the middle of
//! which other calls can be made.
//!
//! The device gives the answers. Beside it is written down what the objects ask for, and checked what a GPU would suffer
//! from: a replay whose memory, code or function is gone, memory given back without a wait for a stream that used it, an
//! id destroyed twice.

mod captures;
mod execs;
mod forward;
mod graphs;
mod math;
mod memory;
mod streams;
mod work;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use self::forward::{forward, plain};
use self::memory::{HeldRelease, Known};
use self::work::Nodes;
use super::{Context, ContextOptions};
use graphcap_base::defer::{defer, Deferred};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Condvar, Mutex};
use graphcap_driver::*;

type Hook = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    failures: Vec<(&'static str, Status)>,
    hooks: Vec<(&'static str, Hook)>,
    calls: u64,
    contexts: usize,
    streams: BTreeSet<StreamId>,
    /// All streams in the order in which they were made.
    made: Vec<StreamId>,
    /// Streams of others by their native handles, and the handles that were made of each.
    of_others: BTreeMap<usize, (StreamId, usize)>,
    events: BTreeSet<EventId>,
    modules: BTreeSet<ModuleId>,
    kernels: HashMap<KernelId, ModuleId>,
    graphs: BTreeSet<GraphId>,
    /// Needs of the nodes of each, and the streams that it was launched on.
    execs: HashMap<ExecId, (Nodes, Users)>,
    memory: BTreeMap<MemoryId, Known>,
    /// Parts of reserved addresses may overlap.
    parts_overlap: bool,
    /// Memory that was released, and that work goes on to use, where a test says so.
    held: Option<Vec<HeldRelease>>,
    /// The streams behind whose work something runs that was released.
    waited_for: Vec<StreamId>,
    released: Vec<(Address, Vec<StreamId>)>,
    /// Memory of others.
    foreign: BTreeMap<Address, AddressOrigin>,
    /// The addresses that were asked about.
    asked: Vec<Address>,
    /// Distance from the CPU's address to the device's.
    mapped_at: Address,
    /// Captures, and the lists that the driver's graphs hold for them.
    captures: HashMap<u64, (StreamId, Lists)>,
    /// Lists that the driver's graphs hold for others.
    retained: HashMap<GraphId, Lists>,
    /// Nodes that others changed.
    changed: HashMap<(GraphId, NodeId), NodeKind>,
    /// Graphs that others may use.
    taken: BTreeSet<GraphId>,
    /// Graphs that a failed capture was the end of.
    lost: BTreeSet<GraphId>,
    /// The streams that launched execs with nodes of an event.
    event_users: HashMap<EventId, BTreeSet<StreamId>>,
    /// Streams that nothing need wait for.
    over: BTreeSet<StreamId>,
    /// Objects that execs that are gone gave to be held.
    snapshots: Vec<Snapshot>,
    executed: Vec<StreamId>,
    /// Launches, and the records of events and waits for them, with their streams.
    ordered: Vec<(&'static str, StreamId)>,
    uploads: usize,
    /// The next update of an exec is refused.
    refuses_update: bool,
    /// The number of kernels that the next updates have replay slower.
    relaunches: usize,
    /// The kernels that were noted to replay slower.
    noted_slower: Vec<NodeId>,
    updates: Vec<Vec<(NodeId, EdgeData)>>,
    /// The copies of several rows.
    copies: Vec<MemcpyRows>,
    /// The contexts that were left, in that order.
    left: Vec<usize>,
    /// Memory that products and transforms were given to work in.
    workspaces: Vec<Address>,
    plans: BTreeSet<FftPlanId>,
    generators: BTreeSet<usize>,
    violations: Vec<String>,
}

/// One context of the driver.
pub struct Faulty {
    host: Arc<dyn Driver>,
    shares_streams: bool,
    /// Which of the contexts of its family it is.
    context: usize,
    family: Arc<Family>,
}

/// State that all contexts of a test share.
#[derive(Default)]
struct Family {
    state: Mutex<State, rank::FaultyState>,
}

fn open() -> Arc<dyn Driver> {
    graphcap_devices::open(DeviceKind::Host, 0).unwrap()
}

fn failure<T>(status: Status) -> Result<T> {
    Err(Error::new(status, "the test says so"))
}

/// A call was refused as `INVALID_VALUE`, and the message says `part`.
pub(super) fn rejected(result: Result<()>, part: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.status, Status::INVALID_VALUE, "{error}");
    assert!(error.message.contains(part), "{part}: {error}");
}

impl State {
    fn violation(&mut self, what: String) {
        self.violations.push(what);
    }
}

impl Faulty {
    /// A context of a new driver.
    pub fn context() -> (Arc<Faulty>, Context) {
        Faulty::context_that(false, ContextOptions::default())
    }

    /// A context whose per-thread stream others can capture too.
    pub(super) fn sharing_context() -> (Arc<Faulty>, Context) {
        Faulty::context_that(true, ContextOptions::default())
    }

    /// A context that refuses calls which would harm a capture.
    pub(super) fn guarded_context() -> (Arc<Faulty>, Context) {
        Faulty::context_that(false, ContextOptions { guarded: true, strict: false })
    }

    /// Another context of the driver. Streams are for calls of their own context.
    pub(super) fn another_context(&self) -> Context {
        Context::from_driver(self.beside(open()))
    }

    fn beside(&self, host: Arc<dyn Driver>) -> Arc<Faulty> {
        Faulty::with(host, self.shares_streams, Arc::clone(&self.family))
    }

    fn with(host: Arc<dyn Driver>, shares_streams: bool, family: Arc<Family>) -> Arc<Faulty> {
        let context = {
            let mut state = lock(&family.state);
            state.contexts += 1;
            state.contexts - 1
        };
        Arc::new(Faulty { host, shares_streams, context, family })
    }

    fn context_that(shares_streams: bool, options: ContextOptions) -> (Arc<Faulty>, Context) {
        // The threads of the device go with its last context, and take longer to start than most tests.
        static KEPT: OnceLock<Arc<dyn Driver>> = OnceLock::new();
        take_turn();
        KEPT.get_or_init(open);
        let host = open();
        let driver = Faulty::with(host, shares_streams, Arc::default());
        let context = Context::from_driver_with(driver.clone(), options);
        (driver, context)
    }

    fn state(&self) -> graphcap_base::lock::MutexGuard<'_, State> {
        lock(&self.family.state)
    }

    /// The next call named `call` fails with `status`.
    pub fn fail(&self, call: &'static str, status: Status) {
        self.state().failures.push((call, status));
    }

    /// Runs `hook` at `call`: the name of a method, with "after " in front for when it has taken effect.
    pub(crate) fn at(&self, call: &'static str, hook: impl FnOnce() + Send + 'static) {
        self.state().hooks.push((call, Box::new(hook)));
    }

    pub(super) fn live(&self) -> usize {
        let state = self.state();
        state.streams.len()
            + state.events.len()
            + state.memory.len()
            + state.modules.len()
            + state.graphs.len()
            + state.execs.len()
    }

    /// The launches since this was called last, and the records of events and waits for them.
    pub(super) fn ordered(&self) -> Vec<(&'static str, StreamId)> {
        std::mem::take(&mut self.state().ordered)
    }

    /// The contexts that were left.
    pub(super) fn left(&self) -> Vec<usize> {
        self.state().left.clone()
    }

    pub(super) fn calls(&self) -> u64 {
        self.state().calls
    }

    pub(super) fn violations(&self) -> Vec<String> {
        self.state().violations.clone()
    }

    fn run_hook(&self, call: &str, after: bool) {
        let hook = {
            let hooks = &mut self.state().hooks;
            let named = |name: &str| match name.strip_prefix("after ") {
                Some(name) => after && name == call,
                None => !after && name == call,
            };
            hooks.iter().position(|(name, _)| named(name)).map(|at| hooks.remove(at).1)
        };
        if let Some(hook) = hook {
            hook();
        }
    }

    /// Makes a call of that name, unless it is to fail.
    fn call<T>(&self, name: &'static str, effect: impl FnOnce() -> Result<T>) -> Result<T> {
        self.run_hook(name, false);
        let told = {
            let state = &mut *self.state();
            state.calls += 1;
            let failures = &mut state.failures;
            failures.iter().position(|(call, _)| *call == name).map(|at| failures.remove(at).1)
        };
        let result = match told {
            Some(status) => failure(status),
            None => effect(),
        };
        if let (None, Err(error)) = (told, &result) {
            if error.status == Status::INVALID_HANDLE {
                self.state().violation(format!("{name}: {error}"));
            }
        }
        self.run_hook(name, true);
        result
    }

    /// As `call`, for one whose answer is written down.
    fn call_noting<T: Copy>(
        &self,
        name: &'static str,
        effect: impl FnOnce() -> Result<T>,
        note: impl FnOnce(&mut State, T),
    ) -> Result<T> {
        self.call(name, || {
            let answer = effect()?;
            note(&mut self.state(), answer);
            Ok(answer)
        })
    }
}

impl Driver for Faulty {
    plain! {
        fn device(&self) -> &DeviceInfo;
        fn shares_device(&self) -> bool;
    }
    fn family(&self) -> usize {
        Arc::as_ptr(&self.family).addr()
    }
    forward! {
        fn synchronize(&self) -> Result<()>;
        fn synchronize_for(&self, limit: Duration) -> Result<bool>;
        fn collect(&self) -> Result<()>;
        fn make_current(&self) -> Result<()>;
    }
    fn renew(&self) -> Result<Option<Arc<dyn Driver>>> {
        // As on a GPU: what others share goes on.
        let renewed = |host| self.beside(host) as Arc<dyn Driver>;
        self.call("renew", || match self.shares_streams {
            true => Ok(None),
            false => Ok(self.host.renew()?.map(renewed)),
        })
    }
    fn leave(&self) {
        self.state().left.push(self.context);
        self.host.leave();
    }
}

/// True while a test has its turn: a capture in the global mode bars calls of other tests, which run in the same process.
static IS_TAKEN: Mutex<bool, rank::FaultyTurn> = Mutex::new(false);
static TURN_ENDED: Condvar = Condvar::new();

/// Takes the turn for the test that runs on this thread, until the thread ends: drivers that keep themselves are left then.
fn take_turn() {
    thread_local! {
        static TURN: Deferred<fn()> = {
            let mut is_taken = lock(&IS_TAKEN);
            while *is_taken {
                is_taken = TURN_ENDED.wait(is_taken);
            }
            *is_taken = true;
            defer(end_turn)
        };
    }
    TURN.with(|_| ());
}

fn end_turn() {
    *lock(&IS_TAKEN) = false;
    TURN_ENDED.notify_one();
}
