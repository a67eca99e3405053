//! Times of an exec's nodes by events, where CUPTI tells nothing. The exec has the record of an event before each node and one behind it; the
//! graph, whose nodes are what its user knows, does not. Each launch records the same events anew, so their times are read before the next.

use std::ffi::c_uint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use cudarc::driver::sys::CUstream_flags;

use crate::api::current::relax;
use crate::api::device::Device;
use crate::api::{DriverError, EventHandle, Handle, Node};
use crate::graph::Timing;
use graphcap_base::error::Status;
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::{NodeId, NodeKind};
use graphcap_observe::format::{stream_of, Entry, Kind, IS_KIND};
use graphcap_observe::{clock, trace};

/// Longest time that a launch waits for the one before it, whose times would be lost.
const LONGEST_LOOK: Duration = Duration::from_millis(100);
/// Time between two looks.
const PAUSE: Duration = Duration::from_micros(20);

/// The nodes of an exec whose times are told.
pub(crate) struct TimedNodes {
    device: Device,
    /// Number of the GPU.
    ordinal: u32,
    nodes: Vec<TimedNode>,
    /// Tells whether a kernel may be another one than when the exec was made.
    has_other_kernels: AtomicBool,
    /// Tells whether a graph may have records of the events for good: they go with the primary context then.
    are_left: Arc<AtomicBool>,
    launch: Mutex<TimedLaunch, rank::ExecTimed>,
}

/// The latest launch.
#[derive(Default)]
pub(crate) struct TimedLaunch {
    /// Number of the trace that it is in.
    trace: u32,
    /// Numbers of the launch and its stream in the trace, until its times were read.
    unread: Option<(u32, u32)>,
    /// Tells that a launch took too long to be waited for: no later one is.
    is_late: bool,
    /// Tells whether the events are destroyed.
    is_over: bool,
}

struct TimedNode {
    id: NodeId,
    is_off: AtomicBool,
    /// Place of the node among those of the graph.
    number: u32,
    /// The kernel; `None` for other kinds.
    kernel: Option<String>,
    kind: NodeKind,
    before: EventHandle,
    behind: EventHandle,
}

impl TimedNodes {
    /// Makes the events for nodes: the name of each, its place among those of the graph, its kind, and its kernel. The context must be current.
    pub(crate) fn create(
        device: Device,
        ordinal: u32,
        nodes: impl Iterator<Item = (NodeId, u32, NodeKind, Option<String>)>,
    ) -> Result<TimedNodes, DriverError> {
        let api = device.api;
        let mut timed = TimedNodes {
            device,
            ordinal,
            nodes: Vec::new(),
            has_other_kernels: AtomicBool::new(false),
            are_left: Arc::default(),
            launch: Mutex::default(),
        };
        for (id, number, kind, kernel) in nodes {
            let (mut before, mut behind) = (Handle::NULL, Handle::NULL);
            // SAFETY: the outputs are writable.
            let created = unsafe { api.cuEventCreate(&mut before, 0).and_then(|()| api.cuEventCreate(&mut behind, 0)) };
            timed.nodes.push(TimedNode { id, is_off: AtomicBool::new(false), number, kernel, kind, before, behind });
            created?;
        }
        Ok(timed)
    }

    /// The events, with the nodes that `node` gives for their numbers.
    pub(crate) fn timings(&self, node: impl Fn(u32) -> Option<Node>) -> Vec<Timing> {
        let timing =
            |timed: &TimedNode| Some(Timing { node: node(timed.number)?, before: timed.before, behind: timed.behind });
        self.nodes.iter().filter_map(timing).collect()
    }

    /// To be set where a graph that got records of the events may have kept one.
    pub(crate) fn are_left(&self) -> &Arc<AtomicBool> {
        &self.are_left
    }

    /// A kernel is another one from here on: names of kernels are told no more.
    pub(crate) fn forget_kernels(&self) {
        self.has_other_kernels.store(true, Ordering::Relaxed);
    }

    /// A node runs from here on, or does not.
    pub(crate) fn switch(&self, id: NodeId, is_enabled: bool) {
        let found = self.nodes.iter().find(|node| node.id == id);
        found.into_iter().for_each(|node| node.is_off.store(!is_enabled, Ordering::Relaxed));
    }

    /// Reads the times of the latest launch, and keeps others from launching the exec while what is given is held.
    pub(crate) fn begin_launch(&self) -> MutexGuard<'_, TimedLaunch> {
        let mut launch = lock(&self.launch);
        let patience = if launch.is_late { Duration::ZERO } else { LONGEST_LOOK };
        let is_read = self.read(&mut launch, patience);
        launch.is_late |= !is_read;
        launch
    }

    /// Writes into the trace what is known of the latest launch, if it has completed. A thread that launches the exec may wait for this one.
    pub(crate) fn bring(&self) {
        if let Some(mut launch) = self.launch.try_lock() {
            self.read(&mut launch, Duration::ZERO);
        }
    }

    /// The exec is destroyed.
    pub(crate) fn end(&self) {
        let mut launch = lock(&self.launch);
        self.read(&mut launch, Duration::ZERO);
        launch.is_over = true;
        self.destroy_events();
    }

    /// The driver keeps those that a launch has yet to record.
    fn destroy_events(&self) {
        if self.are_left.load(Ordering::Acquire) {
            return;
        }
        let _current = self.device.enter();
        for event in self.nodes.iter().flat_map(|node| [node.before, node.behind]).filter(|event| !event.is_null()) {
            // SAFETY: the event is ours and is destroyed once, as nobody uses it from here on.
            let _ = unsafe { self.device.api.cuEventDestroy_v2(event) };
        }
    }

    /// False where the launch has not completed.
    fn read(&self, launch: &mut TimedLaunch, patience: Duration) -> bool {
        let is_told = launch.trace == trace::number() && !launch.is_over;
        let Some((number, stream)) = launch.unread.filter(|_| is_told) else { return true };
        let (Ok(_relaxed), Ok(_current)) = (relax(self.device.api), self.device.enter()) else { return true };
        if self.is_running(patience) {
            return false;
        }
        launch.unread = None;
        // Where the driver does not tell, as after a fault, there is nothing to write.
        let _ = self.write(number, stream);
        true
    }

    /// Waits for the launch. Returns whether it goes on all the same.
    fn is_running(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let is_running = |node: &TimedNode| matches!(poll(self.device, node.behind, deadline), Err(refusal) if refusal.status == Status::NOT_READY);
        self.nodes.iter().any(is_running)
    }

    fn write(&self, launch: u32, stream: u32) -> Result<(), DriverError> {
        let Some(first) = self.nodes.first() else { return Ok(()) };
        let start = now_less(self.device, first.before)?;
        let has_other_kernels = self.has_other_kernels.load(Ordering::Relaxed);
        for node in self.nodes.iter().filter(|node| !node.is_off.load(Ordering::Relaxed)) {
            let TimedNode { number, kernel, kind, before, behind, .. } = node;
            let begin = start.saturating_add_signed(elapsed(self.device, first.before, *before)?);
            let duration = elapsed(self.device, *before, *behind)?.unsigned_abs();
            let (name, number) = match kernel.as_ref().filter(|_| !has_other_kernels) {
                Some(kernel) => (trace::text(kernel), *number),
                None => (trace::name(kind.name()), *number | IS_KIND),
            };
            let stream = stream_of(self.ordinal, stream);
            trace::put(&Entry { kind: Kind::Ran, name, begin, duration, exec: 1, launch, stream, number });
        }
        Ok(())
    }
}

impl Drop for TimedNodes {
    fn drop(&mut self) {
        if !self.launch.get_mut().is_over {
            self.destroy_events();
        }
    }
}

impl TimedLaunch {
    /// The exec was launched: by that number on a stream of that number in the trace that goes on. Returns whether this is the first time in that trace.
    pub(crate) fn made(&mut self, number: u32, stream: u32) -> bool {
        let before = std::mem::replace(&mut self.trace, trace::number());
        self.unread = Some((number, stream));
        before != self.trace
    }
}

/// Waits for an event until a deadline, at which `NOT_READY` is the answer.
fn poll(device: Device, event: EventHandle, deadline: Instant) -> Result<(), DriverError> {
    loop {
        // SAFETY: the event is ours and lives.
        match unsafe { device.api.cuEventQuery(event) } {
            Err(refusal) if refusal.status == Status::NOT_READY && Instant::now() < deadline => thread::sleep(PAUSE),
            answer => return answer,
        }
    }
}

/// Nanoseconds from one event to another; less than 0 where the other one was before.
fn elapsed(device: Device, from: EventHandle, to: EventHandle) -> Result<i64, DriverError> {
    let mut milliseconds = 0.0;
    // SAFETY: the events are ours and live; the output is writable.
    unsafe { device.api.cuEventElapsedTime(&mut milliseconds, from, to) }?;
    Ok((f64::from(milliseconds) * 1e6) as i64)
}

/// The time of an event by the monotonic clock: another one is recorded now, on a stream of its own. Right to some microseconds, and to the
/// resolution of a 32-bit float of the milliseconds between the two. The context is current.
fn now_less(device: Device, event: EventHandle) -> Result<u64, DriverError> {
    let api = device.api;
    let (mut stream, mut now) = (Handle::NULL, Handle::NULL);
    let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
    // SAFETY: the outputs are writable. Stream and event are ours, and are destroyed once.
    unsafe {
        api.cuStreamCreateWithPriority(&mut stream, flags, 0)?;
        let told = api.cuEventCreate(&mut now, 0).and_then(|()| {
            let recorded = || {
                api.cuEventRecord(now, stream)?;
                // The stream may share what is full of work that waits for this thread.
                poll(device, now, Instant::now() + LONGEST_LOOK)
            };
            // The first one on a stream takes longer.
            recorded()?;
            let begin = clock::now();
            recorded()?;
            let middle = begin + (clock::now() - begin) / 2;
            Ok(middle.saturating_add_signed(-elapsed(device, event, now)?))
        });
        if !now.is_null() {
            let _ = api.cuEventDestroy_v2(now);
        }
        let _ = api.cuStreamDestroy_v2(stream);
        told
    }
}
