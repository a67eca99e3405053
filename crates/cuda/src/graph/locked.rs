//! A graph while its lock is held, for edits.

use std::sync::Arc;

use super::changed::InExec;
use super::failure::{Edited, Failure};
use super::listing::{list, look};
use super::nested::NestedRef;
use super::nodes::{take_stamp, NodeTable, Nodes};
use super::parameters::{attribute_of, is_same_attribute};
use super::state::{address_of, Graph, GraphState};
use super::{node_count, read};
use crate::api::address;
use crate::api::device::Device;
use crate::api::{self, Api, Node};
use crate::captures::epoch::note_attributed;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::room;
use graphcap_driver::ids::{lost_graph, no_such, not_of_graph};
use graphcap_driver::launch_attributes::COOPERATIVE;
use graphcap_driver::refusals::too_new;
use graphcap_driver::{callbacks, GraphId, LaunchAttribute, NodeId, NodeKind};

/// Bytes that the tables of a graph and of a copy of it have for each node, about.
const OF_NAME: usize = 160;

/// A graph whose lock is held.
pub(crate) struct Locked<'a> {
    pub(crate) api: &'static Api,
    pub(crate) native: api::GraphHandle,
    /// The graph that it is, or is within.
    pub(super) outermost: api::GraphHandle,
    /// Its place within that one.
    pub(super) place: Option<NestedRef>,
    pub(crate) state: &'a mut GraphState,
}

impl Locked<'_> {
    /// The names of the nodes.
    pub(crate) fn nodes(&mut self) -> &mut NodeTable {
        match self.place {
            None => &mut self.state.nodes,
            Some(place) => self.state.inner.nodes(place),
        }
    }

    /// The handles of named nodes.
    pub(crate) fn find(&mut self, ids: &[NodeId]) -> Edited<Nodes> {
        self.look()?;
        self.nodes().nodes(ids).map_err(|stranger| not_of_graph(stranger).into())
    }

    /// The handle of a named node.
    #[inline]
    pub(crate) fn find_one(&mut self, id: NodeId) -> Edited<Node> {
        self.look()?;
        self.known(id)
    }

    /// As [`Locked::find_one`], behind a [`Locked::look`].
    #[inline]
    pub(super) fn known(&mut self, id: NodeId) -> Edited<Node> {
        self.nodes().node(id).ok_or_else(|| not_of_graph(id).into())
    }

    /// Makes the names know of the nodes that the driver has, as far as somebody else may have made or removed some.
    #[inline]
    pub(crate) fn look(&mut self) -> Edited<()> {
        match self.state.given_out || self.nodes().copies_to_list() > 0 {
            true => self.list_nodes(),
            false => Ok(()),
        }
    }

    #[cold]
    fn list_nodes(&mut self) -> Edited<()> {
        if self.nodes().is_read_here() {
            return Ok(());
        }
        let (api, native, is_given_out) = (self.api, self.native, self.state.given_out);
        // SAFETY: the graph's lock is held, and the names are of its nodes.
        Ok(unsafe { look(api, native, self.nodes(), is_given_out) }?)
    }

    /// Makes `call` while no thread records into the graph. No lock of another graph is taken meanwhile.
    #[inline]
    fn alone<T>(&mut self, call: impl FnOnce(&mut Self) -> T) -> T {
        let _alone = self.state.alone();
        call(self)
    }

    /// Names every node of the graph, and lists them.
    pub(super) fn name_all(&mut self) -> Edited<()> {
        self.look()?;
        if self.state.given_out {
            return Ok(());
        }
        // SAFETY: the graph's lock is held.
        let count = unsafe { node_count(self.api, self.native) }?;
        room::ask(count.saturating_mul(OF_NAME))?;
        if self.nodes().listed() == count {
            return Ok(());
        }
        // SAFETY: as above.
        let listed = unsafe { list(self.api, self.native, count) }?;
        // Then all nodes have names: of a graph that only graphcap changes every named node is there.
        match listed.len() == self.nodes().count() {
            true => self.nodes().list(listed),
            false => self.nodes().update(listed),
        }
        Ok(())
    }

    /// The graph within the same outermost one that has that place. Where others may have changed graphs, it is looked whether
    /// its node is still there.
    fn enter(&mut self, place: NestedRef) -> Edited<()> {
        let gone = || Failure::Wrong(no_such("graph"));
        let (native, owner, within) = {
            let inner = self.state.inner.get(place).ok_or_else(gone)?;
            (inner.native, inner.owner, inner.within)
        };
        if self.state.given_out {
            if let Some(within) = within {
                self.enter(within)?;
            }
            let handle = self.find_one(owner).map_err(|_| gone())?;
            // SAFETY: the lock is held, and the node is of the graph that was entered.
            if unsafe { read::child_graph(self.api, handle) }?.is_some_and(|child| child != native) {
                return Err(gone());
            }
        }
        (self.native, self.place) = (native, Some(place));
        Ok(())
    }
}

/// A node of a graph whose lock is held, for an exec that was made from the graph.
pub(crate) struct Found<'a, 'b> {
    pub(crate) graph: &'a mut Locked<'b>,
    id: NodeId,
    /// The stamp of the next node when the exec was made.
    next_stamp: u64,
    pub(crate) handle: Node,
}

impl<'a, 'b> Found<'a, 'b> {
    /// The node `id`, which was there when `next_stamp` was the stamp of the next node.
    #[inline(always)]
    pub(crate) fn of(graph: &'a mut Locked<'b>, id: NodeId, next_stamp: u64) -> Edited<Found<'a, 'b>> {
        if let Some(place) = graph.state.inner.with_node(id) {
            graph.enter(place)?;
        }
        let handle = graph.find_one(id)?;
        match graph.nodes().is_older(id, next_stamp) {
            true => Ok(Found { graph, id, next_stamp, handle }),
            // The driver would take it for a node that had its handle before.
            false => Err(too_new(id).into()),
        }
    }

    /// Returns what kind the node is of.
    pub(crate) fn kind(&self) -> Edited<NodeKind> {
        // SAFETY: the graph's lock is held, and the node is of the graph.
        Ok(unsafe { read::kind(self.graph.api, self.handle) }?)
    }
}

impl Locked<'_> {
    /// Makes `change`, which changes these attributes of a kernel node.
    ///
    /// # Safety
    /// `handle` is that of the node `id` of the graph.
    pub(super) unsafe fn changing<T>(
        &mut self,
        device: Device,
        (id, handle): (NodeId, Node),
        attributes: &[u32],
        change: impl FnOnce(&mut Self) -> Edited<T>,
    ) -> Edited<T> {
        let _current = device.enter()?;
        // SAFETY: the graph's lock is held, and the caller promises the node.
        let told = |attribute: &u32| unsafe { attribute_of(device, handle, *attribute) };
        let before: Vec<LaunchAttribute> = attributes.iter().filter_map(told).collect();
        self.state.note_attributes();
        note_attributed();
        let changed = change(self)?;
        for before in before {
            if told(&before.id) != Some(before) {
                self.state.for_execs.changed.note(id, before, take_stamp());
            }
        }
        Ok(changed)
    }
}

impl Found<'_, '_> {
    /// Returns what the exec has as an attribute of the node, which the driver does not tell; `None` where that is not known.
    fn attribute(&self, device: Device, attribute: u32) -> Option<LaunchAttribute> {
        match self.graph.state.for_execs.changed.in_exec(self.id, attribute, self.next_stamp) {
            // SAFETY: the graph's lock is held, and the node is of the graph.
            InExec::AsNow => unsafe { attribute_of(device, self.handle, attribute) },
            InExec::As(before) => Some(before),
            InExec::Unknown => None,
        }
    }

    /// Returns whether the node is a kernel that has these launch attributes in the exec, as far as is known; true where there are none.
    pub(crate) fn has_attributes(&self, device: Device, attributes: &[LaunchAttribute]) -> Edited<bool> {
        if attributes.is_empty() {
            return Ok(true);
        }
        let _current = device.enter()?;
        let has = |told: &LaunchAttribute| {
            self.attribute(device, told.id).is_some_and(|known| is_same_attribute(known, told))
        };
        Ok(attributes.iter().all(has))
    }

    /// Returns whether the exec may have the node as a cooperative kernel.
    pub(crate) fn may_be_cooperative(&self, device: Device) -> Edited<bool> {
        if self.kind()? != NodeKind::Kernel {
            return Ok(false);
        }
        let _current = device.enter()?;
        Ok(self.attribute(device, COOPERATIVE).is_none_or(|known| known.number() != 0))
    }
}

impl Shared {
    /// Makes `edit` with a graph while no other call uses it.
    #[inline]
    pub(crate) fn edit_graph<T>(&self, id: GraphId, edit: impl FnOnce(&mut Locked<'_>) -> Edited<T>) -> Result<T> {
        callbacks::check_caller()?;
        let inner;
        let (root, place) = match address_of(id) {
            // SAFETY: core holds the graph whose id it passes, so that it is not destroyed, and `graphs` holds it until then.
            Some(id) => (unsafe { address::object(id) }, None),
            None => {
                inner = self.find_graph(id).ok_or_else(|| no_such("graph"))?;
                (&*inner.root, inner.place)
            }
        };
        self.made(self.lock_at(root, place, lost_graph, |graph| graph.alone(edit)))
    }

    /// As [`Shared::edit_graph`], for what changes the graph.
    #[inline]
    pub(super) fn change_graph<T>(&self, id: GraphId, change: impl FnOnce(&mut Locked<'_>) -> Edited<T>) -> Result<T> {
        self.edit_graph(id, |graph| {
            graph.check_is_open()?;
            self.remember(graph);
            change(graph)
        })
    }

    /// Makes `edit` with a graph while no other call uses it, or what it is within.
    pub(crate) fn lock_graph<T>(&self, graph: &Graph, edit: impl FnOnce(&mut Locked<'_>) -> Edited<T>) -> Edited<T> {
        self.lock_at(&graph.root, graph.place, lost_graph, |graph| graph.alone(edit))
    }

    /// Makes `edit` with the graph that has that lock and place; `gone` where the driver's outermost graph is no more. Threads may
    /// record into it meanwhile.
    #[inline]
    pub(crate) fn lock_at<T>(
        &self,
        root: &Mutex<GraphState, rank::GraphRoot>,
        place: Option<NestedRef>,
        gone: fn() -> Error,
        edit: impl FnOnce(&mut Locked<'_>) -> Edited<T>,
    ) -> Edited<T> {
        let mut state = lock(root);
        let Some(native) = state.native else {
            return Err(if place.is_some() { no_such("graph") } else { gone() }.into());
        };
        let api = self.api();
        let mut locked = Locked { api, native, outermost: native, place: None, state: &mut state };
        if let Some(place) = place {
            locked.enter(place)?;
        }
        edit(&mut locked)
    }

    /// Makes `edit` with the graph that has the lock `root` and that place, and another one that is to be put into it, while no
    /// other call uses either; `gone` where the driver's graph of the former is no more.
    pub(super) fn lock_two<T>(
        &self,
        (root, place): (&Mutex<GraphState, rank::GraphRoot>, Option<NestedRef>),
        child: &Graph,
        gone: fn() -> Error,
        edit: impl FnOnce(&mut Locked<'_>, &mut Locked<'_>) -> Edited<T>,
    ) -> Edited<T> {
        // By address, so that two threads do not wait for each other.
        let edit = |graph: &mut Locked<'_>, child: &mut Locked<'_>| {
            // When both are locked, as no lock of a graph is taken after it.
            let _alone = graph.state.alone().or_else(|| child.state.alone());
            edit(graph, child)
        };
        let (child_root, child_place) = (&child.root, child.place);
        match std::ptr::from_ref(root) < Arc::as_ptr(child_root) {
            true => self.lock_at(root, place, gone, |graph| {
                self.lock_at(child_root, child_place, lost_graph, |child| edit(graph, child))
            }),
            false => self.lock_at(child_root, child_place, lost_graph, |child| {
                self.lock_at(root, place, gone, |graph| edit(graph, child))
            }),
        }
    }

    /// Returns what an edit gave, as graphcap answers it. To be called where no lock is held.
    pub(crate) fn made<T>(&self, edited: Edited<T>) -> Result<T> {
        edited.map_err(|failure| match failure {
            Failure::Refused(refusal) => self.error(refusal),
            Failure::Wrong(error) => error,
        })
    }
}
