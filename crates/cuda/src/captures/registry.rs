//! The registry of captures: by the driver's numbers, where each was begun, which graph it goes into, what hangs on that graph for it,
//! and what its nodes are called. The end of a capture gives the driver's graph, which must not get a second owner where graphcap has
//! a handle of it; so the registry knows those graphs, too.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use super::epoch;
use crate::api::GraphHandle;
use crate::graph::{Graph, GraphState, NodeTable, Root};
use crate::retention::{Attached, OfCapture};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::numbers::fresh_number;
use graphcap_driver::GraphId;

/// The captures of the process that go on, as far as graphcap knows: others can end them. Streams of several contexts may be in one.
pub(crate) static CAPTURES: CaptureRegistry =
    CaptureRegistry(Mutex::new(Registered { captures: Vec::new(), graphs: BTreeMap::new() }));

/// The number of captures, and each multiple, at which those go that others ended.
const CROWD: usize = 16;

/// The number of captures with names at most. Those of others, whose ends nobody sees, make room: their nodes lose their names.
const MOST_CAPTURES: usize = 256;

pub(crate) struct CaptureRegistry(Mutex<Registered, rank::CaptureRegistry>);

struct Registered {
    /// In the order in which graphcap met them.
    captures: Vec<Entry>,
    /// The graphs of graphcap's that captures of others may go into, or that another handle may end one into, by the driver's handles.
    graphs: BTreeMap<usize, GraphEntry>,
}

struct GraphEntry {
    graph: Weak<Mutex<GraphState, rank::GraphRoot>>,
    /// Tells whether others have its handle.
    is_given_out: bool,
    /// Tells whether it is theirs.
    is_borrowed: bool,
}

#[derive(Default)]
struct Entry {
    /// The driver's: that of the graph, which no other graph gets later. 0, which none has, while it is begun, and where the driver
    /// does not tell.
    number: u64,
    /// `None` where others began it.
    begun: Option<BegunCapture>,
    /// The graph of graphcap's that it goes into, if it was there before or has a handle since.
    graph: Option<GraphHandle>,
    attached: OfCapture,
    names: Option<CaptureNames>,
}

/// The begin of a capture through graphcap.
#[derive(Clone, Copy)]
pub(crate) struct BegunCapture {
    origin: CaptureOrigin,
    /// The driver's number of the capture.
    pub(crate) number: u64,
    /// Larger than that of any capture that was begun before: of two on one stream, the later one goes on.
    at: u64,
    /// Time, by [`epoch::attributed`].
    attributed: u64,
    /// The graph that it goes into, as the context of the stream has it.
    pub(crate) graph: Option<GraphId>,
}

/// A handle of a stream that captures are begun on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CaptureOrigin {
    /// Address of the stream's object. The registry forgets it before the object is gone.
    pub(crate) handle: usize,
    /// The driver's stream, which several handles may stand for: its handle, and 0; of a per-thread stream the handle of its context, and
    /// the number of the thread.
    pub(crate) stream: (usize, u64),
}

/// The place of the names of a capture's nodes.
#[derive(Clone)]
pub(crate) enum CaptureNames {
    /// With the capture, which makes a graph of its own or is someone else's.
    Own(Arc<Mutex<NodeTable, rank::CapturedNames>>),
    /// With the graph that the capture goes into.
    Graph(Root),
}

/// Captures that are over, to be dropped where the registry is not locked: they may be the last to hold a graph.
type Gone = SmallVec<[Entry; 1]>;

impl BegunCapture {
    /// Returns a capture that is begun now, of a number that is not known yet.
    pub(crate) fn now(origin: CaptureOrigin, graph: Option<GraphId>) -> BegunCapture {
        BegunCapture { origin, number: 0, at: fresh_number(), attributed: epoch::attributed(), graph }
    }

    /// Returns whether nothing happened since by which its kernels may have got launch attributes.
    pub(crate) fn is_without_attributes(&self) -> bool {
        self.attributed == epoch::attributed()
    }

    /// Returns the capture, whose number is known now.
    pub(crate) fn of(self, number: u64) -> BegunCapture {
        BegunCapture { number, ..self }
    }

    /// Returns whether it may be the capture `number`. The driver calls every broken one 0.
    pub(crate) fn may_be(&self, number: u64) -> bool {
        self.number == number || self.number == 0 || number == 0
    }
}

impl CaptureNames {
    pub(crate) fn of(table: NodeTable) -> CaptureNames {
        CaptureNames::Own(Arc::new(Mutex::new(table)))
    }

    /// Takes the names; none where the graph has them.
    fn take(self) -> NodeTable {
        match self {
            CaptureNames::Own(table) => std::mem::take(&mut *lock(&table)),
            CaptureNames::Graph(_) => NodeTable::default(),
        }
    }
}

impl Entry {
    /// As [`Entry::goes_into`] it compares values that are always there, so that memcheck finds no use of what is not.
    fn was_begun_on(&self, origin: CaptureOrigin) -> bool {
        self.begun.map_or(CaptureOrigin { handle: 0, stream: (0, 0) }, |begun| begun.origin) == origin
    }

    fn goes_into(&self, graph: Option<GraphHandle>) -> bool {
        graph.is_some() && self.graph.map_or(0, |own| own.number()) == graph.map_or(0, |graph| graph.number())
    }

    fn has_number(&self, number: u64) -> bool {
        self.number == number && number != 0
    }

    /// Returns whether it makes room for others: graphcap did not begin it, and nothing hangs on a graph for it.
    fn is_of_others(&self) -> bool {
        self.begun.is_none() && self.graph.is_none() && !self.attached.iter().any(Attached::is_there)
    }

    /// Returns whether nothing of it is left where the capture `number` is over, what was begun by that handle, and what goes into `graph`.
    fn is_over(&mut self, origin: CaptureOrigin, number: u64, graph: Option<GraphHandle>) -> bool {
        self.has_number(number) || self.goes_into(graph) || self.was_begun_on(origin) && self.forget_begin()
    }

    /// The begun capture is over, and others may have ended it. Returns whether nothing else is known of the capture: lists that hang on a
    /// graph which others have are.
    fn forget_begin(&mut self) -> bool {
        self.begun = None;
        self.attached.is_empty() && self.names.is_none() && self.graph.is_none()
    }
}

impl Registered {
    /// Ends entries: takes those out of which `is_over` is true.
    fn end(&mut self, is_over: impl FnMut(&mut Entry) -> bool) -> Gone {
        self.captures.extract_if(.., is_over).collect()
    }

    /// Enters a capture, and ends those of others of which nothing is left, and the oldest of them where there are too many.
    fn enter(&mut self, capture: Entry) -> Gone {
        let mut gone = Gone::new();
        if !self.captures.is_empty() && self.captures.len().is_multiple_of(CROWD) {
            gone = self.end(|capture| capture.is_of_others() && capture.names.is_none());
            let mut excess = (self.captures.len() + CROWD).saturating_sub(MOST_CAPTURES);
            gone.extend(self.end(|capture| {
                let is_excess = excess > 0 && capture.is_of_others();
                excess -= usize::from(is_excess);
                is_excess
            }));
        }
        self.captures.push(capture);
        gone
    }

    /// Changes the entry of the capture `number`. One that has none is someone else's.
    fn change(&mut self, number: u64, change: impl FnOnce(&mut Entry)) -> Gone {
        if let Some(capture) = self.captures.iter_mut().find(|capture| capture.has_number(number)) {
            change(capture);
            return Gone::new();
        }
        let mut capture = Entry { number, ..Entry::default() };
        change(&mut capture);
        self.enter(capture)
    }
}

impl Registered {
    /// No capture that graphcap began goes into `graph` any more. Others may begin some into one that they have.
    fn settle(&mut self, graph: GraphHandle) {
        if self.graphs.get(&graph.number()).is_some_and(|entry| !entry.is_given_out) {
            self.graphs.remove(&graph.number());
        }
    }
}

impl CaptureRegistry {
    /// Notes a capture that is about to be begun into `graph`: another handle of the stream can end it at once, and must find where
    /// it was begun. Then it is [`CaptureRegistry::begun`] or [`CaptureRegistry::not_begun`].
    pub(crate) fn expect(&self, begun: BegunCapture, graph: GraphHandle, state: &GraphState) {
        self.know_graph(graph, state);
        let _gone = lock(&self.0).enter(Entry { begun: Some(begun), graph: Some(graph), ..Entry::default() });
    }

    /// Takes back [`CaptureRegistry::expect`].
    pub(crate) fn not_begun(&self, begun: BegunCapture, graph: GraphHandle) {
        let mut known = lock(&self.0);
        let _gone = known.end(|capture| capture.begun.is_some_and(|known| known.at == begun.at));
        if !known.captures.iter().any(|capture| capture.goes_into(Some(graph))) {
            known.settle(graph);
        }
    }

    /// Notes a capture that was begun, into `graph` if that was there before. What was begun earlier by that handle or into that graph
    /// is over. Returns whether lists hang on the graph for a capture into it that others ended, which had the same number.
    pub(crate) fn begun(&self, begun: BegunCapture, graph: Option<GraphHandle>, names: Option<CaptureNames>) -> bool {
        let mut known = lock(&self.0);
        let gone = known.end(|capture| capture.is_over(begun.origin, begun.number, graph));
        let _left = known.enter(Entry { number: begun.number, begun: Some(begun), graph, names, ..Entry::default() });
        drop(known);
        gone.iter().any(|capture| capture.has_number(begun.number) && !capture.attached.is_empty())
    }

    /// The graph of the capture `number` gets a handle of graphcap's, and the names of its nodes.
    pub(crate) fn go_into(&self, number: u64, (id, native): (GraphId, GraphHandle), root: Root) {
        let mut state = lock(&root);
        let mut names = Some(CaptureNames::Graph(Arc::clone(&root)));
        self.know_graph(native, &state);
        let _gone = lock(&self.0).change(number, |capture| {
            capture.graph = Some(native);
            capture.begun.iter_mut().for_each(|begun| begun.graph = Some(id));
            std::mem::swap(&mut capture.names, &mut names);
        });
        state.nodes = names.map(CaptureNames::take).unwrap_or_default();
    }

    /// Notes lists that were attached for the capture `number`.
    pub(crate) fn attach(&self, number: u64, attached: impl IntoIterator<Item = Attached>) {
        let _gone = lock(&self.0).change(number, |capture| capture.attached.extend(attached));
    }

    /// Makes `call` with the names of the nodes of the capture `number`, while no other call uses them.
    pub(crate) fn with_names<T>(&self, number: u64, call: impl FnOnce(&mut NodeTable) -> T) -> T {
        let mut names = CaptureNames::Own(Arc::default());
        let known = |capture: &mut Entry| names = capture.names.get_or_insert(names.clone()).clone();
        let _gone = lock(&self.0).change(number, known);
        match names {
            CaptureNames::Own(table) => call(&mut lock(&table)),
            CaptureNames::Graph(root) => call(lock(&root).nodes()),
        }
    }

    /// Returns the capture that was begun last by that handle.
    pub(crate) fn begun_on(&self, origin: CaptureOrigin) -> Option<BegunCapture> {
        lock(&self.0).captures.iter().find(|capture| capture.was_begun_on(origin)).and_then(|capture| capture.begun)
    }

    /// Returns whether a capture into some graph was begun on the stream of that handle, after `earlier` if there is one.
    pub(crate) fn has_begun(&self, origin: CaptureOrigin, earlier: Option<BegunCapture>) -> bool {
        let is_later = |begun: BegunCapture| {
            begun.origin.stream == origin.stream && earlier.is_none_or(|earlier| begun.at > earlier.at)
        };
        lock(&self.0).captures.iter().any(|capture| capture.graph.is_some() && capture.begun.is_some_and(is_later))
    }

    /// Returns graphcap's graph of that handle, and where the capture was begun that goes into it; `None` for that where others began
    /// it, or nobody.
    pub(crate) fn find_graph(&self, graph: GraphHandle) -> Option<(Graph, Option<CaptureOrigin>)> {
        let known = lock(&self.0);
        let root = known.graphs.get(&graph.number())?.graph.upgrade()?;
        let capture = known.captures.iter().rfind(|capture| capture.graph == Some(graph));
        let begun = capture.and_then(|capture| capture.begun);
        Some((Graph { root, place: None }, begun.map(|begun| begun.origin)))
    }

    /// Returns whether nothing is known of captures that their ends need, but where they were begun.
    pub(crate) fn is_plain(&self) -> bool {
        let known = lock(&self.0);
        let is_plain = |capture: &Entry| capture.attached.is_empty() && capture.names.is_none();
        known.graphs.is_empty() && known.captures.iter().all(is_plain)
    }

    /// Ends the entries of a capture that is over: that of `number`, what was begun by that handle, and what was begun into `graph`.
    /// Returns what was attached for the capture `number`, and the names of its nodes unless a graph has them.
    pub(crate) fn end(
        &self,
        origin: CaptureOrigin,
        number: Option<u64>,
        graph: Option<GraphHandle>,
    ) -> (OfCapture, NodeTable) {
        let number = number.unwrap_or(0);
        let has_number = |capture: &Entry| capture.has_number(number);
        let mut known = lock(&self.0);
        graph.into_iter().for_each(|graph| known.settle(graph));
        let gone = known.end(|capture| capture.is_over(origin, number, graph));
        drop(known);
        let ended = gone.into_iter().find(has_number);
        ended.map_or_else(Default::default, |Entry { attached, names, .. }| {
            (attached, names.map(CaptureNames::take).unwrap_or_default())
        })
    }

    /// Ends what was begun by handles of streams that are over. What else is known of a capture stays: where the stream is someone
    /// else's it goes on.
    pub(crate) fn end_begun(&self, is_over: impl Fn(CaptureOrigin) -> bool) {
        let _gone = lock(&self.0)
            .end(|capture| capture.begun.is_some_and(|begun| is_over(begun.origin)) && capture.forget_begin());
    }

    /// Notes a graph that captures may go into which graphcap does not begin, or does not end by the handle that began them.
    pub(crate) fn know_graph(&self, graph: GraphHandle, state: &GraphState) {
        let mut known = lock(&self.0);
        let earlier = known.graphs.get(&graph.number());
        let is_borrowed = earlier.is_some_and(|earlier| earlier.is_borrowed && earlier.graph.ptr_eq(&state.this));
        let entry = GraphEntry { graph: state.this.clone(), is_given_out: state.given_out, is_borrowed };
        known.graphs.insert(graph.number(), entry);
    }

    /// Notes whether a graph that is known is someone else's.
    pub(crate) fn set_borrowed(&self, graph: GraphHandle, is_borrowed: bool) {
        let mut known = lock(&self.0);
        known.graphs.get_mut(&graph.number()).into_iter().for_each(|entry| entry.is_borrowed = is_borrowed);
    }

    /// A graph is gone, or about to go, and what others captured into it. Returns whether it is someone else's.
    pub(crate) fn end_graph(&self, graph: GraphHandle) -> bool {
        let ended = lock(&self.0).graphs.remove(&graph.number());
        let _gone = lock(&self.0)
            .end(|capture| capture.graph.take_if(|into| *into == graph).is_some() && capture.begun.is_none());
        ended.is_some_and(|ended| ended.is_borrowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Handle, Node};

    fn registry() -> CaptureRegistry {
        CaptureRegistry(Mutex::new(Registered { captures: Vec::new(), graphs: BTreeMap::new() }))
    }

    fn origin(handle: usize) -> CaptureOrigin {
        CaptureOrigin { handle, stream: (8, 0) }
    }

    fn begun(handle: usize, number: u64) -> BegunCapture {
        BegunCapture { number, ..BegunCapture::now(origin(handle), None) }
    }

    fn count(captures: &CaptureRegistry) -> usize {
        lock(&captures.0).captures.len()
    }

    fn node(number: usize) -> Node {
        Handle::from_number(number)
    }

    #[test]
    fn an_end_gives_the_names_of_its_capture_once_and_leaves_other_captures() {
        let captures = registry();
        captures.begun(begun(1, 7), None, None);
        captures.begun(begun(2, 9), None, None);
        assert!(captures.is_plain());
        let name = captures.with_names(7, |table| table.name(node(8)));
        assert!(!captures.is_plain());
        assert_eq!(captures.end(origin(1), Some(7), None).1.node(name), Some(node(8)));
        assert!(captures.is_plain() && captures.begun_on(origin(1)).is_none());
        assert_eq!(captures.end(origin(1), Some(7), None).1.node(name), None);
        assert_eq!(captures.begun_on(origin(2)).map(|begun| begun.number), Some(9));
    }

    #[test]
    fn a_begin_ends_what_the_handle_had_begun_unless_the_begin_fails() {
        let captures = registry();
        let graph = Graph::new(Handle::from_number(64), NodeTable::default());
        let native = Handle::from_number(64);
        captures.begun(begun(1, 7), None, None);
        let next = BegunCapture::now(origin(1), Some(GraphId(3)));
        graph.with_state(|_, state| captures.expect(next, native, state));
        assert_eq!(captures.find_graph(native).and_then(|(_, begun)| begun), Some(origin(1)));
        captures.not_begun(next, native);
        assert!(captures.find_graph(native).is_none());
        assert_eq!(captures.begun_on(origin(1)).map(|begun| begun.number), Some(7));
        graph.with_state(|_, state| captures.expect(next, native, state));
        captures.begun(BegunCapture { number: 9, ..next }, Some(native), Some(CaptureNames::Graph(graph.root())));
        assert_eq!((count(&captures), captures.begun_on(origin(1)).map(|begun| begun.number)), (1, Some(9)));
        assert!(captures.has_begun(origin(2), None) && !captures.has_begun(origin(2), Some(begun(2, 0))));
        captures.end_begun(|of| of == origin(1));
        assert!(captures.begun_on(origin(1)).is_none());
        assert_eq!(captures.find_graph(native).map(|(_, begun)| begun), Some(None));
        captures.end_graph(native);
        assert!(count(&captures) == 0 && captures.is_plain());
    }

    #[test]
    fn a_begin_that_fails_leaves_the_graph_known_that_others_have_or_capture_into() {
        let captures = registry();
        let (graph, native) = (Graph::new(Handle::from_number(64), NodeTable::default()), Handle::from_number(64));
        let (earlier, next) = (BegunCapture::now(origin(1), None), BegunCapture::now(origin(2), None));
        graph.with_state(|_, state| captures.expect(earlier, native, state));
        graph.with_state(|_, state| captures.expect(next, native, state));
        captures.not_begun(next, native);
        assert_eq!(captures.find_graph(native).and_then(|(_, begun)| begun), Some(origin(1)));
        graph.with_state(|_, state| {
            state.given_out = true;
            captures.know_graph(native, state);
        });
        captures.not_begun(earlier, native);
        assert_eq!(captures.find_graph(native).map(|(_, begun)| begun), Some(None));
    }

    #[test]
    fn captures_of_which_nothing_is_left_make_room_before_those_with_names() {
        let captures = registry();
        let named = |number| _ = captures.with_names(number, |table| table.name(node(8)));
        let attach = |number| captures.attach(number, std::iter::empty());
        (1..=128).for_each(named);
        // The count of those with names is below the limit, so none of them goes.
        for number in 129..4 * MOST_CAPTURES as u64 {
            attach(number);
        }
        let known = lock(&captures.0);
        assert_eq!(known.captures.iter().filter(|capture| capture.names.is_some()).count(), 128);
    }

    #[test]
    fn captures_of_others_make_room_and_those_that_graphcap_began_stay() {
        let captures = registry();
        captures.begun(begun(1, 1), None, None);
        for number in 2..4 * MOST_CAPTURES as u64 {
            captures.with_names(number, |table| table.name(node(8)));
        }
        assert!(count(&captures) <= MOST_CAPTURES);
        assert!(captures.begun_on(origin(1)).is_some());
        let known = lock(&captures.0);
        assert!(known.captures.iter().all(|capture| capture.number != 2));
        assert_eq!(known.captures.last().map(|capture| capture.number), Some(4 * MOST_CAPTURES as u64 - 1));
    }
}
