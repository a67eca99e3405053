//! Conditions: values of graphs that decide about the bodies of their nodes, and that kernels set while their graph runs.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::quoted;
use graphcap_base::slots::{Slots, INDEX_BITS};
use graphcap_driver::callbacks;
use graphcap_driver::ids::{enter, key_of, no_such};
use graphcap_driver::{ConditionId, ExecNames};

/// All conditions of the process, by id.
static CONDITIONS: Slots<Arc<ConditionState>> = Slots::new();

/// The upper 8 bits of the id of a condition. No size, address, counter or handle has them, so that the bytes of a kernel's
/// argument that are alike are the condition.
const TAG: u64 = 0xa5;

/// The id of the condition that is entered under a number: the tag, the generation, and the index.
fn id_of(entry: u64) -> ConditionId {
    ConditionId(TAG << 56 | entry >> 32 << INDEX_BITS | entry & ((1 << INDEX_BITS) - 1))
}

/// The number that a condition is entered under; 0, which none is, for an id that is none of a condition.
fn entry_of(ConditionId(id): ConditionId) -> u64 {
    match id >> 56 {
        TAG => (id >> INDEX_BITS & u64::from(u32::MAX)) << 32 | id & ((1 << INDEX_BITS) - 1),
        _ => 0,
    }
}

/// A condition, as its graph and the execs of that have it. Its id ends with the last of them.
pub(crate) struct Condition {
    id: ConditionId,
    default: u32,
    /// Tells whether a node of the graph has it.
    is_used: AtomicBool,
    state: Arc<ConditionState>,
}

/// ConditionState that is found by the id.
struct ConditionState {
    value: AtomicU32,
    /// Number of launches that run now of which it may be set.
    running: AtomicUsize,
    /// Faults the context of the graph.
    fault: Box<dyn Fn(Error) + Send + Sync>,
    /// Of the graph, for messages.
    names: OnceLock<Arc<dyn ExecNames>>,
}

/// The conditions of a graph.
pub(crate) type Conditions = Arc<[Arc<Condition>]>;

impl Condition {
    /// A condition of the value that each launch begins with.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY` when there are too many.
    pub(crate) fn new(default: u32, fault: Box<dyn Fn(Error) + Send + Sync>) -> Result<Condition> {
        let state = Arc::new(ConditionState {
            value: AtomicU32::new(default),
            running: AtomicUsize::new(0),
            fault,
            names: OnceLock::new(),
        });
        let id = enter(&CONDITIONS, Arc::clone(&state), "conditions of graphs").map(id_of)?;
        Ok(Condition { id, default, is_used: AtomicBool::new(false), state })
    }

    pub(crate) fn id(&self) -> ConditionId {
        self.id
    }

    /// Notes that a node of the graph has it. False if one had it before.
    pub(crate) fn take(&self) -> bool {
        !self.is_used.swap(true, Ordering::Relaxed)
    }

    /// The node that had it was removed.
    pub(crate) fn give_back(&self) {
        self.is_used.store(false, Ordering::Relaxed);
    }

    /// Returns whether a node of the graph has it.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    /// A launch of the outermost graph begins.
    pub(crate) fn begin(&self) {
        self.state.value.store(self.default, Ordering::Release);
        self.state.running.fetch_add(1, Ordering::Release);
    }

    /// Notes that that launch is through.
    pub(crate) fn end(&self) {
        self.state.running.fetch_sub(1, Ordering::Release);
    }

    #[inline]
    pub(crate) fn value(&self) -> u32 {
        self.state.value.load(Ordering::Acquire)
    }
}

impl Drop for Condition {
    fn drop(&mut self) {
        drop(CONDITIONS.remove(key_of(entry_of(self.id))));
    }
}

/// Sets the value of a condition: for kernels and host functions of the graph that has it, while that runs.
///
/// # Errors
/// `INVALID_HANDLE` when there is no such condition. `ILLEGAL_ADDRESS` when its graph does not run; called by work of a
/// device this also faults the context of the condition's graph.
pub fn set_condition(condition: ConditionId, value: u32) -> Result<()> {
    let state = CONDITIONS.get(key_of(entry_of(condition))).ok_or_else(|| no_such("condition"))?;
    if state.running.load(Ordering::Acquire) == 0 {
        return Err(not_running(condition, &state));
    }
    state.value.store(value, Ordering::Release);
    Ok(())
}

/// Makes messages call the graph of a condition by these names.
pub(crate) fn call_by(condition: ConditionId, names: Arc<dyn ExecNames>) {
    if let Some(state) = CONDITIONS.get(key_of(entry_of(condition))) {
        let _ = state.names.set(names);
    }
}

#[cold]
fn not_running(condition: ConditionId, state: &ConditionState) -> Error {
    let name = state.names.get().and_then(|names| names.graph());
    let of = name.map(|name| format!(" of graph {}", quoted(&name))).unwrap_or_default();
    let error = Error::new(
        Status::ILLEGAL_ADDRESS,
        format!(
            "condition {:#x}{of} was set while its graph did not run; only the kernels and host functions of a graph may set its conditions",
            condition.0
        ),
    );
    if callbacks::inside_work() {
        (state.fault)(error.clone());
    }
    error
}
