//! The work that a thread runs just now, for the message of a trap. Noted where memory is guarded alone.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

use super::check::{Checked, Declared};
use super::mode::is_on;
use graphcap_driver::NodeId;

/// A kind of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// None of graphcap's.
    Nothing,
    Kernel,
    Copy,
    Memset,
    Values,
    HostFunction,
    /// A node of another kind.
    Node,
}

/// The work that a thread runs.
#[derive(Clone, Copy)]
pub(crate) struct Running {
    pub(super) what: What,
    pub(super) in_replay: bool,
    /// The name of the kernel.
    pub(super) name: Noted,
    /// In a replay the number of the node, or 0, its name, and that of the graph.
    pub(super) node: u64,
    pub(super) node_name: Noted,
    pub(super) graph_name: Noted,
}

/// A text that lives as long as it is noted: where it starts, as a number, and how many bytes it has; 0 for none.
#[derive(Clone, Copy)]
pub(super) struct Noted {
    pub(super) start: usize,
    pub(super) length: usize,
}

impl Noted {
    const NONE: Noted = Noted { start: 0, length: 0 };

    fn of(text: &str) -> Noted {
        Noted { start: text.as_ptr().expose_provenance(), length: text.len() }
    }

    fn of_shared(text: &Option<Arc<str>>) -> Noted {
        text.as_deref().map_or(Noted::NONE, Noted::of)
    }
}

/// A node that a replay runs, and the names that the program gave it and the graph.
#[derive(Default)]
pub(crate) struct RunningNode {
    pub(crate) id: Option<NodeId>,
    pub(crate) name: Option<Arc<str>>,
    pub(crate) graph: Option<Arc<str>>,
}

const NO_WORK: Running = Running {
    what: What::Nothing,
    in_replay: false,
    name: Noted::NONE,
    node: 0,
    node_name: Noted::NONE,
    graph_name: Noted::NONE,
};

thread_local! {
    static RUNNING: Cell<Running> = const { Cell::new(NO_WORK) };
}

/// Until it is dropped, the thread is known to run something, whose name lives as long.
pub(crate) struct Turn<'a> {
    _checked: Option<Checked>,
    former: Option<Running>,
    name: PhantomData<&'a str>,
    /// Held for the names of what is noted.
    _node: Option<RunningNode>,
}

/// Notes what this thread runs from here on. `name` is that of a kernel, `node` what a replay runs.
#[inline]
pub(crate) fn runs(what: What, name: &str, node: Option<RunningNode>) -> Turn<'_> {
    let name = Noted::of(name);
    let running = match &node {
        None => Running { what, name, ..NO_WORK },
        Some(RunningNode { id, name: node_name, graph }) => Running {
            what,
            in_replay: true,
            name,
            node: id.map_or(0, |id| id.0),
            node_name: Noted::of_shared(node_name),
            graph_name: Noted::of_shared(graph),
        },
    };
    let mut turn = running.goes_on();
    turn._node = node;
    turn
}

/// Returns what this thread runs.
#[inline]
pub(crate) fn running() -> Running {
    match is_on() {
        true => here(),
        false => NO_WORK,
    }
}

/// As [`running`], for a handler of a signal.
pub(super) fn here() -> Running {
    RUNNING.try_with(Cell::get).unwrap_or(NO_WORK)
}

impl Running {
    /// Notes it for this thread, too, which helps the one that runs it, and ends before that.
    #[inline]
    pub(crate) fn goes_on<'a>(self) -> Turn<'a> {
        let former = is_on().then(|| RUNNING.try_with(|running| running.replace(self)).unwrap_or(NO_WORK));
        Turn { _checked: None, former, name: PhantomData, _node: None }
    }
}

impl Turn<'_> {
    /// Makes the kernel run alone, with everything else than `declared` out of reach; with all in reach where that is not known.
    pub(crate) fn checking(mut self, declared: Option<Vec<Declared>>) -> Self {
        self._checked = declared.map(Checked::begin);
        self
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        drop(self._checked.take());
        if let Some(former) = self.former {
            let _ = RUNNING.try_with(|running| running.set(former));
        }
    }
}
