//! State that the calls of a CUDA context share, and steps that they have in common: how work is submitted, the driver's answers in
//! graphcap's words, what a fault may come from, looks at held memory, and the end of all of it.

use std::collections::{BTreeMap, HashMap};
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, OnceLock, Weak};

use super::api::answers::is_fault;
use super::api::current::Current;
use super::api::device::{Device, PrimaryContext};
use super::api::driver_thread;
use super::api::limits::Limits;
use super::api::{Api, DriverError};
use super::captures::gate::{self, GateRead};
use super::code::function::Failures;
use super::exec::uploads::Uploads;
use super::exec::Exec;
use super::graph::Graph;
use super::math::state::Mathematics;
use super::memory::node_memory::NodeMemories;
use super::memory::{self, Memory, OwnedMemory, User};
use super::streams::event::Event;
use super::streams::history::{Launched, Names};
use super::streams::stream::{Origin, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::thread::this_thread;
use graphcap_driver::{callbacks, DeviceInfo, EventId, ExecId, GraphId, MemoryId, StreamId};

/// The part that outlives the context for a moment: calls that were handed to another thread, and its end.
pub(super) struct Shared {
    pub(super) facts: DeviceFacts,
    pub(super) device: Device,
    /// Primary context that its modules are loaded into.
    pub(super) primary: PrimaryContext,
    /// Distinct for each context of the process.
    pub(super) number: u64,
    pub(super) memory: Memory,
    /// Objects that it has of NVIDIA's libraries.
    pub(super) math: Mathematics,
    pub(super) legacy: Stream,
    pub(super) per_thread: Stream,
    pub(super) objects: ObjectTables,
    /// Memory that nodes of graphs allocate.
    pub(super) node_memories: NodeMemories,
    /// Uploads of execs that are about to be edited.
    pub(super) uploads: Uploads,
    pub(super) faults: Faults,
    pub(super) life: Life,
}

/// Facts of a device and its driver, which stay.
pub(super) struct DeviceFacts {
    pub(super) info: DeviceInfo,
    /// As the driver numbers it: 12040 is 12.4. 0 where it does not tell.
    pub(super) driver_version: c_int,
    pub(super) limits: Limits,
}

/// Objects of a context by their ids, until they are destroyed.
#[derive(Default)]
pub(super) struct ObjectTables {
    /// The streams that were made or wrapped.
    pub(super) streams: Mutex<HashMap<StreamId, Arc<Stream>>, rank::CudaStreams>,
    /// Looked up rarely and made often: a table that is quick to read is slow to write.
    pub(super) graphs: Mutex<BTreeMap<GraphId, Graph>, rank::CudaGraphs>,
    pub(super) last_graph: AtomicU64,
    pub(super) events: Mutex<HashMap<EventId, Arc<Event>>, rank::CudaEvents>,
    /// The memory. As for graphs.
    pub(super) owned: Mutex<BTreeMap<MemoryId, OwnedMemory>, rank::OwnedMemory>,
    pub(super) last_memory: AtomicU64,
    /// As for graphs.
    pub(super) execs: Mutex<BTreeMap<ExecId, Arc<Exec>>, rank::CudaExecs>,
}

/// Failures of a context's work, and what they are told by.
#[derive(Default)]
pub(super) struct Faults {
    /// Names of kernels, and of execs that are gone, when a fault may come from them.
    pub(super) names: Arc<Names>,
    /// Message that the first call which met a fault was given.
    pub(super) fault: OnceLock<Error>,
    /// Host functions that failed, of which no wait has told yet.
    pub(super) failures: Arc<Failures>,
}

/// Life of a context: who keeps it, and how far its end is.
pub(super) struct Life {
    /// Tells whether the context was not given back yet. Held by who gives it back, or looks at its memory.
    pub(super) open: Mutex<bool, rank::Open>,
    /// This context, for whom it asks to look after its memory, and whether somebody does.
    pub(super) this: Weak<Shared>,
    pub(super) looked_after: AtomicBool,
    /// Number of its objects that are held in other contexts, whose streams used them.
    pub(super) abroad: AtomicUsize,
    /// Tells whether nobody uses it any more but contexts that borrowed memory of it. Such ones may keep each other, so that nobody
    /// would look at the special streams for what they hold.
    pub(super) left: AtomicBool,
}

impl Life {
    /// Of a context that was just opened.
    pub(super) fn begun(this: &Weak<Shared>) -> Life {
        Life {
            open: Mutex::new(true),
            this: this.clone(),
            looked_after: AtomicBool::new(false),
            abroad: AtomicUsize::new(0),
            left: AtomicBool::new(false),
        }
    }
}

/// The contexts of the process.
pub(super) struct Contexts {
    /// Those that are open, and some that are gone.
    pub(super) open: Mutex<Vec<Weak<Shared>>, rank::OpenContexts>,
    /// Tells whether there ever were several at a time, so that nobody looks for others where there are none.
    pub(super) are_several: AtomicBool,
    /// Tells whether these were on several devices.
    pub(super) are_devices_several: AtomicBool,
}

pub(super) static CONTEXTS: Contexts = Contexts {
    open: Mutex::new(Vec::new()),
    are_several: AtomicBool::new(false),
    are_devices_several: AtomicBool::new(false),
};

impl Contexts {
    /// Those that live.
    pub(super) fn live(&self) -> Vec<Arc<Shared>> {
        lock(&self.open).iter().filter_map(Weak::upgrade).collect()
    }
}

impl Shared {
    /// Makes `call` on a thread where the driver may be called: this one, unless it is one of the driver's own.
    pub(super) fn outside_driver(self: &Arc<Self>, call: impl FnOnce(&Shared) + Send + 'static) {
        if driver_thread::on_driver_thread() {
            let shared = Arc::clone(self);
            return callbacks::hand_over(Box::new(move || call(&shared)));
        }
        call(self);
    }

    pub(super) fn api(&self) -> &'static Api {
        self.device.api
    }

    /// The driver's answer as graphcap's.
    #[inline]
    pub(super) fn map_error<T>(&self, answer: Result<T, DriverError>) -> Result<T> {
        answer.map_err(|refusal| self.error(refusal))
    }

    /// The driver's answer as graphcap's, with `meaning` in front where the answer is `status`.
    pub(super) fn map_error_with<T>(&self, answer: Result<T, DriverError>, status: Status, meaning: &str) -> Result<T> {
        self.map_error(answer).map_err(|error| match error.status == status {
            true => Error::new(status, format!("{meaning}; {}", error.message)),
            false => error,
        })
    }

    #[cold]
    pub(super) fn error(&self, refusal: DriverError) -> Error {
        if is_fault(refusal.status) {
            let first = self.faults.fault.get_or_init(|| self.fault_of(refusal));
            return Error::new(refusal.status, first.message.clone());
        }
        self.api().error(refusal)
    }

    /// Returns what to tell about a fault. The driver does not say which launch it comes from.
    fn fault_of(&self, refusal: DriverError) -> Error {
        // All contexts of a device are its one primary context, so the fault may come from another one's launch.
        let others = CONTEXTS.live();
        let same = others.iter().filter(|other| other.primary == self.primary);
        let lists: Vec<String> = same.flat_map(|context| context.pending_launches()).collect();
        let suspects = match lists.is_empty() {
            true => "no launch of graphcap's was pending, so it comes from a copy or memset, or from work of others"
                .to_owned(),
            false => format!("it comes from one of the launches not known to be complete ({})", lists.join("; ")),
        };
        let Error { status, message } = self.api().error(refusal);
        Error::new(
            status,
            format!("work on the device failed: {message}; {suspects}. This process cannot use CUDA any more: save what you can and end it"),
        )
    }

    /// The launches of each stream that are not known to be complete.
    fn pending_launches(&self) -> Vec<String> {
        let known: Vec<Arc<Stream>> = lock(&self.objects.streams).values().cloned().collect();
        let special = [("legacy stream".into(), &self.legacy), ("per-thread streams".into(), &self.per_thread)];
        let known = known.iter().map(|stream| (format!("stream {:#x}", stream.native.number()), &**stream));
        let list = |(name, stream): (String, &Stream)| {
            let (forgotten, pending) = stream.history.pending();
            let launches: Vec<_> = pending.into_iter().map(|launched| self.name_of(launched)).collect();
            let older = if forgotten > 0 { format!("{forgotten} older launches, ") } else { String::new() };
            (!launches.is_empty()).then(|| format!("{name}: {older}{}", launches.join(", ")))
        };
        special.into_iter().chain(known).filter_map(list).collect()
    }

    fn name_of(&self, launched: Launched) -> String {
        let known = match launched {
            Launched::Kernel(id) => return self.faults.names.of_kernel(id),
            Launched::Exec(id) => {
                self.nodes_of(id).or_else(|| CONTEXTS.live().iter().find_map(|other| other.nodes_of(id)))
            }
        };
        known.map_or_else(|| "a graph".into(), |nodes| format!("a graph of {nodes} nodes"))
    }

    /// Returns how many nodes an exec of this context has, or had.
    fn nodes_of(&self, id: ExecId) -> Option<usize> {
        lock(&self.objects.execs).get(&id).map(|exec| exec.facts.nodes).or_else(|| self.faults.names.of_exec(id))
    }

    /// Makes `call` submit to the stream, and answers as the driver does.
    #[inline]
    pub(super) fn on_stream(&self, id: StreamId, call: impl FnOnce(&Stream) -> Result<(), DriverError>) -> Result<()> {
        let stream = self.stream(id);
        let special = match stream.origin {
            Origin::Special => Some(self.begin_on_special(id)?),
            Origin::Made | Origin::Wrapped => None,
        };
        let answer = self.map_error(call(stream));
        match special {
            Some((_current, user)) => self.end_on_special(stream, user, answer),
            None => answer,
        }
    }

    /// As [`Shared::on_stream`], for one call of the driver's that submits or records: none of another thread begins or ends a capture
    /// meanwhile that the stream is in.
    #[inline]
    pub(super) fn record_on_stream(
        &self,
        id: StreamId,
        call: impl FnOnce(&Stream) -> Result<(), DriverError>,
    ) -> Result<()> {
        self.on_stream(id, |stream| stream.recorded(self.device, || call(stream)))
    }

    /// For a call that looks at all streams of the context, `streams`, and waits for them: where one is in a capture the driver refuses
    /// at once.
    pub(super) fn beside_captures(&self, streams: &[&Stream]) -> Option<GateRead> {
        let mut may_be = streams.iter().filter(|stream| stream.apart().may_be_captured()).peekable();
        may_be.peek()?;
        let beside = gate::read()?;
        may_be.any(|stream| stream.apart().is_captured(|| self.device.is_captured(stream.native))).then_some(beside)
    }

    /// Before a call on a default stream, by whoever the second part of the answer says: the context is current until the first part is
    /// dropped.
    #[cold]
    fn begin_on_special(&self, id: StreamId) -> Result<(Current<'static>, User)> {
        let current = self.map_error(self.device.enter())?;
        let user = user_of(id);
        self.memory.note_special(user);
        Ok((current, user))
    }

    /// After such a call, which gave `answer`.
    #[cold]
    fn end_on_special(&self, stream: &Stream, user: User, answer: Result<()>) -> Result<()> {
        // Once more: a wait for the context may have begun before the call.
        self.memory.note_special(user);
        answer?;
        if self.memory.holds() {
            let _no_begin = memory::no_begin();
            if matches!(self.device.capture(stream.native), Some(None)) {
                self.memory.passed(user, stream.native);
            }
        }
        Ok(())
    }

    /// After work that was waited for: looks at the canaries of guarded memory, and tells of a host function that failed.
    #[inline]
    pub(super) fn waited(&self) -> Result<()> {
        self.memory.check_guarded("when work was waited for");
        self.faults.failures.tell()
    }

    /// Looks whether memory that is held can go: some of it, or all.
    pub(super) fn look_at_memory(&self, all: bool) {
        self.memory.look(all, &|id, see| self.find(id, see));
    }
}

pub(super) fn user_of(id: StreamId) -> User {
    match id {
        StreamId::PER_THREAD => User::Thread(this_thread()),
        id => User::Stream(id),
    }
}
