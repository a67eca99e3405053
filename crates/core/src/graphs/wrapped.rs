//! Graphs and execs that other code made by the same driver, and may go on to use and change.

use std::slice;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use super::exec::{ExecInner, GraphExec};
use super::exec_names;
use super::gone_memory::NotedMemory;
use super::graph::Graph;
use super::named_memory::NamedMemory;
use super::others_memory::MemoryOfContexts;
use super::retention::held_apart;
use crate::state::{Context, GraphInner};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{check_caller, Lists};

/// Held until core has what the driver layer wraps, so that a graph or an exec has one owner.
static WRAPPING: Mutex<(), rank::Wrapping> = Mutex::new(());

impl Graph {
    /// Takes part in a graph that other code made by the device's driver. It stays theirs until [`Graph::own`]: dropping the last handle
    /// leaves it alone. They may change it, so its nodes are listed anew where that matters. One that graphcap knows already is given
    /// once more.
    ///
    /// The graph keeps the buffers that its nodes have addresses of, and notes the other memory that these name.
    ///
    /// # Errors
    /// `INVALID_VALUE` where no graph is at that address, as far as the driver tells; `INVALID_CONTEXT` for a graph that another context
    /// knows; `NOT_SUPPORTED` on a device without native handles.
    ///
    /// # Safety
    /// `native` is no number other than that of a graph that lives, or was destroyed. The graph is within no other one, lives until the
    /// last handle is dropped, and is used by no other thread during a call of graphcap's on it.
    #[allow(unsafe_code)]
    pub unsafe fn wrap(context: &Context, native: usize) -> Result<Graph> {
        Graph::wrap_live(context, native)
    }

    fn wrap_live(context: &Context, native: usize) -> Result<Graph> {
        check_caller()?;
        let graph = {
            let _one = lock(&WRAPPING);
            match context.driver()?.graph_wrap(native)? {
                (id, true) => {
                    let graph = GraphInner::new(context, id);
                    graph.give_out(|_| Ok(native))?;
                    graph.let_others_know();
                    graph.root().is_borrowed.store(true, Ordering::Release);
                    graph
                }
                (id, false) => GraphInner::known(context, id).ok_or_else(|| is_ending("graph"))?,
            }
        };
        let named = match NamedMemory::read(&graph) {
            // The device does not tell the nodes.
            Err(error) if matches!(error.status, Status::LOSSY_QUERY | Status::NOT_SUPPORTED) => {
                return Ok(Graph(graph))
            }
            named => named?,
        };
        if let Some(memory) = MemoryOfContexts::of(slice::from_ref(context)) {
            match named.has_graphs {
                true => graph.keep_what_others_use(&memory)?,
                false => graph.keep_memory_at(&memory, named.addresses())?,
            }
        }
        graph.note(named)?;
        Ok(Graph(graph))
    }

    /// Returns whether dropping the last handle has an effect that others count on at once: they may destroy a graph of theirs then, and
    /// make another one, which may get the same native handle.
    pub fn ends_at_once(&self) -> bool {
        self.0.root().is_borrowed.load(Ordering::Acquire)
    }

    /// A graph that was wrapped is graphcap's from here on: it is destroyed with the last handle.
    pub fn own(&self) {
        self.0.root().is_borrowed.store(false, Ordering::Release);
        self.context().driver_even_if_stale().graph_own(self.id());
    }
}

impl GraphExec {
    /// As [`Graph::wrap`], for an exec. `graph` is the graph that it was made of, and is as it was then: nodes of the exec go by its
    /// nodes. Without one the exec can be launched and uploaded, and none of its nodes be set.
    ///
    /// # Errors
    /// As [`Graph::wrap`]; `INVALID_CONTEXT` also for a graph of another context.
    ///
    /// # Safety
    /// As [`Graph::wrap`]; `graph` is the one that it was made of.
    #[allow(unsafe_code)]
    pub unsafe fn wrap(context: &Context, native: usize, graph: Option<&Graph>) -> Result<GraphExec> {
        GraphExec::wrap_live(context, native, graph)
    }

    fn wrap_live(context: &Context, native: usize, graph: Option<&Graph>) -> Result<GraphExec> {
        check_caller()?;
        graph.map_or(Ok(()), |graph| graph.context().check_same("the graph", context, "the context"))?;
        let one = lock(&WRAPPING);
        let wrapped = context.driver()?.exec_wrap(native, graph.map(Graph::id))?;
        if !wrapped.is_new {
            drop(one);
            let mut known = context.execs().live::<ExecInner>().into_iter().map(GraphExec::from_inner);
            return known.find(|exec| exec.made().id() == wrapped.id).ok_or_else(|| is_ending("graph exec"));
        }
        let (mut origin, mut names, mut kept, mut memory) =
            (Weak::new(), exec_names::without_graph(), Lists::new(), None);
        if let Some(Graph(graph)) = graph {
            let edits = graph.root().lock()?;
            (origin, names, kept) = (Arc::downgrade(graph), graph.exec_names(), held_apart(&graph.kept()));
            memory = edits.notes.memory()?.map(NotedMemory::of);
        }
        let exec =
            GraphExec::new(context, origin, (wrapped.id, kept), (wrapped.nodes, wrapped.flags), false, None, names);
        let made = exec.made();
        made.give_out();
        lock(made.edits()).memory = memory;
        drop(made);
        exec.is_borrowed().store(true, Ordering::Release);
        Ok(exec)
    }

    /// As [`Graph::ends_at_once`].
    pub fn ends_at_once(&self) -> bool {
        self.is_borrowed().load(Ordering::Acquire)
    }

    /// An exec that was wrapped is graphcap's from here on: it is destroyed with the last handle.
    pub fn own(&self) {
        self.is_borrowed().store(false, Ordering::Release);
        self.context().driver_even_if_stale().exec_own(self.made().id());
    }
}

#[cold]
fn is_ending(what: &str) -> Error {
    Error::invalid_value(format!(
        "another thread destroys the last handle of that {what} now; wrap it when that is done"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;

    #[test]
    fn an_object_of_graphcap_does_not_end_at_once_though_others_have_its_native_handle() {
        let (_driver, context) = Faulty::context();
        let graph = Graph::create(&context).unwrap();
        let exec = graph.instantiate().unwrap();
        graph.native().unwrap();
        exec.native().unwrap();
        assert!(!graph.ends_at_once() && !exec.ends_at_once());
    }
}
