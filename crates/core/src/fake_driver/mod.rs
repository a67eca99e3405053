//! A driver for the tests of the objects: it executes nothing and writes down everything.
//!
//! It checks what a real device would suffer from: a replay whose memory, code or function is gone, memory given
//! back without waiting for a stream that used it, an id destroyed twice. Calls can be told to fail, and
//! other calls can be made in the middle of them.

mod captures;
mod code;
mod edits;
mod events;
mod execs;
mod foreign;
mod graphs;
mod kernels;
mod math;
mod memory;
mod streams;
mod updates;
mod work;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;

use self::captures::Capture;
use self::graphs::Plan;
use self::work::Need;
use super::{Context, ContextOptions};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::*;

type Key = (StreamId, Option<ThreadNumber>);
type Hook = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    next: u64,
    calls: u64,
    /// With the contexts that they are of.
    streams: BTreeMap<StreamId, usize>,
    captured: HashMap<Key, u64>,
    captures: HashMap<u64, Capture>,
    events: HashMap<EventId, Option<u64>>,
    memory: BTreeMap<Address, (usize, BTreeSet<StreamId>)>,
    adopted: HashMap<Address, Hook>,
    /// Parts of reserved addresses, by their names, where these may overlap; `None` where they may not.
    parts: Option<BTreeMap<u64, Address>>,
    /// Mapped parts of reserved addresses: of which memory, from where, how many bytes.
    backed: Vec<(Address, usize, usize)>,
    /// Work that released memory still waits for, where a test holds that up.
    held: Option<Vec<(Vec<StreamId>, Hook)>>,
    /// The streams behind whose work something runs that was released.
    waited_for: Vec<StreamId>,
    /// Memory of others.
    foreign: BTreeMap<Address, AddressOrigin>,
    /// The addresses that were asked about.
    asked: Vec<Address>,
    /// Distance from the CPU's address to the device's.
    mapped_at: Address,
    released: Vec<(Address, Vec<StreamId>)>,
    modules: BTreeSet<ModuleId>,
    kernels: HashMap<KernelId, ModuleId>,
    graphs: HashMap<GraphId, Plan>,
    /// Graphs that others may use.
    taken: BTreeSet<GraphId>,
    /// Graphs that a failed capture was the end of.
    lost: BTreeSet<GraphId>,
    /// With the streams that each was launched on.
    execs: HashMap<ExecId, (Plan, Users)>,
    exec_flags: HashMap<ExecId, ExecFlags>,
    disabled: BTreeSet<(ExecId, NodeId)>,
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
pub struct FakeDriver {
    info: DeviceInfo,
    shares_streams: bool,
    /// Which of the contexts of its family it is.
    context: usize,
    family: Arc<Family>,
}

/// State that all contexts of a driver share.
#[derive(Default)]
pub struct Family {
    state: Mutex<State, rank::FakeDriver>,
    failures: Mutex<Vec<(&'static str, Status)>, rank::FakeFailures>,
    hooks: Mutex<Vec<(&'static str, Hook)>, rank::FakeHooks>,
    contexts: AtomicUsize,
}

/// The state and the like, by their names.
impl Deref for FakeDriver {
    type Target = Family;

    fn deref(&self) -> &Family {
        &self.family
    }
}

fn key(stream: StreamId) -> Key {
    (stream, (stream == StreamId::PER_THREAD).then(this_thread))
}

fn failure<T>(status: Status) -> Result<T> {
    Err(Error::new(status, "the fake driver says so"))
}

/// A call was refused as `INVALID_VALUE`, and the message says `part`.
pub(super) fn rejected(result: Result<()>, part: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.status, Status::INVALID_VALUE, "{error}");
    assert!(error.message.contains(part), "{part}: {error}");
}

impl State {
    fn id(&mut self) -> u64 {
        self.next += 1;
        self.next + 100
    }

    fn violation(&mut self, what: String) {
        self.violations.push(what);
    }

    /// Refuses a stream of another context than number `context`.
    fn check_stream(&mut self, context: usize, stream: StreamId) -> Result<()> {
        match self.streams.get(&stream) {
            Some(&own) if own != context => {
                self.violation(format!("context {context} was given {stream:?}, which is of context {own}"));
                failure(Status::INVALID_HANDLE)
            }
            _ => Ok(()),
        }
    }
}

impl FakeDriver {
    /// A context of a new driver.
    pub fn context() -> (Arc<FakeDriver>, Context) {
        FakeDriver::context_that(false)
    }

    /// A context whose per-thread stream others can capture too.
    pub(super) fn sharing_context() -> (Arc<FakeDriver>, Context) {
        FakeDriver::context_that(true)
    }

    /// A context that refuses calls which would harm a capture.
    pub(super) fn guarded_context() -> (Arc<FakeDriver>, Context) {
        let driver = FakeDriver::with(false, Arc::default());
        let context = Context::from_driver_with(driver.clone(), ContextOptions { guarded: true, strict: false });
        (driver, context)
    }

    /// Another context of the driver. Both have the same default streams; other streams are for calls of their own context.
    pub(super) fn another_context(&self) -> Context {
        Context::from_driver(FakeDriver::with(self.shares_streams, Arc::clone(&self.family)))
    }

    fn with(shares_streams: bool, family: Arc<Family>) -> Arc<FakeDriver> {
        Arc::new(FakeDriver {
            shares_streams,
            info: DeviceInfo { kind: DeviceKind::Host, ordinal: 0, name: "fake".into() },
            context: family.contexts.fetch_add(1, Ordering::Relaxed),
            family,
        })
    }

    fn context_that(shares_streams: bool) -> (Arc<FakeDriver>, Context) {
        let driver = FakeDriver::with(shares_streams, Arc::default());
        let context = Context::from_driver(driver.clone());
        (driver, context)
    }

    /// The next call named `call` fails with `status`.
    pub fn fail(&self, call: &'static str, status: Status) {
        lock(&self.failures).push((call, status));
    }

    /// Runs `hook` at `call`: the name of a method, with "after " in front for when it has taken effect.
    pub(crate) fn at(&self, call: &'static str, hook: impl FnOnce() + Send + 'static) {
        lock(&self.hooks).push((call, Box::new(hook)));
    }

    pub(super) fn live(&self) -> usize {
        let state = lock(&self.state);
        state.streams.len()
            + state.events.len()
            + state.memory.len()
            + state.parts.as_ref().map_or(0, BTreeMap::len)
            + state.modules.len()
            + state.graphs.len()
            + state.execs.len()
    }

    /// The launches since this was called last, and the records of events and waits for them.
    pub(super) fn ordered(&self) -> Vec<(&'static str, StreamId)> {
        std::mem::take(&mut lock(&self.state).ordered)
    }

    /// The contexts that were left.
    pub(super) fn left(&self) -> Vec<usize> {
        lock(&self.state).left.clone()
    }

    pub(super) fn calls(&self) -> u64 {
        lock(&self.state).calls
    }

    pub(super) fn violations(&self) -> Vec<String> {
        lock(&self.state).violations.clone()
    }

    fn run_hook(&self, call: &str, after: bool) {
        let hook = {
            let mut hooks = lock(&self.hooks);
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

    fn call<T>(&self, name: &'static str, effect: impl FnOnce(&mut State) -> Result<T>) -> Result<T> {
        self.run_hook(name, false);
        lock(&self.state).calls += 1;
        let told = {
            let mut failures = lock(&self.failures);
            failures.iter().position(|(call, _)| *call == name).map(|at| failures.remove(at).1)
        };
        let result = match told {
            Some(status) => failure(status),
            None => effect(&mut lock(&self.state)),
        };
        self.run_hook(name, true);
        result
    }

    /// As `call`, for one on a stream.
    fn call_on<T>(
        &self,
        name: &'static str,
        stream: StreamId,
        effect: impl FnOnce(&mut State) -> Result<T>,
    ) -> Result<T> {
        self.call(name, |state| state.check_stream(self.context, stream).and_then(|()| effect(state)))
    }
}

impl Driver for FakeDriver {
    fn device(&self) -> &DeviceInfo {
        &self.info
    }
    fn family(&self) -> usize {
        Arc::as_ptr(&self.family).addr()
    }
    fn synchronize(&self) -> Result<()> {
        self.call("synchronize", |_| Ok(()))
    }
    fn synchronize_for(&self, limit: Duration) -> Result<bool> {
        self.call("synchronize_for", |_| Ok(!limit.is_zero()))
    }
    fn shares_device(&self) -> bool {
        false
    }
    fn collect(&self) -> Result<()> {
        self.call("collect", |_| Ok(()))
    }
    fn renew(&self) -> Result<Option<Arc<dyn Driver>>> {
        // As the devices do: what others share goes on.
        let new = || FakeDriver::with(false, Arc::clone(&self.family)) as Arc<dyn Driver>;
        self.call("renew", |_| Ok((!self.shares_streams).then(new)))
    }
    fn leave(&self) {
        lock(&self.state).left.push(self.context);
    }
}
