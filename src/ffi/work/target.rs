//! Nodes of graphs and of graph execs that are set to other work.

use super::data::gc_work;
use super::read::{self, Owned, Read};
use super::usual;
use crate::ffi::boundary::handle::Handle;
use crate::ffi::boundary::{handle, Result, UserData};
use crate::ffi::graphs::graph::gc_node;
use crate::ffi::operations::launch::{check_unused, Arguments};
use graphcap_base::error::Error;
use graphcap_core::{Context, Graph, GraphExec, NodeWork, OwnedWork, UsualLaunch};
use graphcap_driver::{BatchError, NodeId};
use graphcap_kit::ops;

/// Owner of the nodes that are set.
pub(super) trait Target {
    /// The name that a node gets with the work.
    ///
    /// # Safety
    /// The name of the work is NULL or a text that ends with a NUL.
    unsafe fn read_name(work: &gc_work) -> Result<Option<&str>>;

    fn context(&self) -> &Context;

    fn set(&self, node: NodeId, work: &NodeWork<'_>) -> graphcap_base::Result<()>;

    fn set_launches(
        &self,
        nodes: &[NodeId],
        launches: &[UsualLaunch<'_>],
    ) -> Option<std::result::Result<(), BatchError>>;

    /// Makes `set` set a node, which gets the name of its work.
    fn named(
        &self,
        name: Option<&str>,
        node: NodeId,
        set: impl FnOnce() -> graphcap_base::Result<()>,
    ) -> graphcap_base::Result<()>;

    /// Sets a node to work of any kind.
    ///
    /// # Safety
    /// All that the members of the work point to is there. `user_data` is that of the work.
    unsafe fn set_work(&self, node: NodeId, work: &gc_work, user_data: UserData) -> Result<()> {
        // SAFETY: C promises that the name is NULL or a text that ends with a NUL.
        let name = unsafe { Self::read_name(work) }?;
        let mut arguments = Arguments::new();
        let pinned = handle::pin();
        // SAFETY: passed on to the caller.
        let read = unsafe {
            read::read(work, user_data, &pinned, &mut arguments, |copy| NodeWork::Memcpy(*copy).check(self.context()))
        }?;
        Ok(match read {
            Read::Brief(brief) => {
                let work = brief.node()?;
                self.named(name, node, || self.set(node, &work))
            }
            Read::Owned(owned) => {
                drop(pinned);
                self.named(name, node, || set_owned(&owned, self.context(), |work| self.set(node, work)))
            }
        }?)
    }
}

impl Target for Graph {
    unsafe fn read_name(work: &gc_work) -> Result<Option<&str>> {
        // SAFETY: passed on to the caller.
        unsafe { work.name() }
    }

    fn context(&self) -> &Context {
        Graph::context(self)
    }

    fn set(&self, node: NodeId, work: &NodeWork<'_>) -> graphcap_base::Result<()> {
        self.set_node(node, work)
    }

    #[inline(always)]
    fn set_launches(
        &self,
        nodes: &[NodeId],
        launches: &[UsualLaunch<'_>],
    ) -> Option<std::result::Result<(), BatchError>> {
        Graph::set_launches(self, nodes, launches)
    }

    fn named(
        &self,
        name: Option<&str>,
        node: NodeId,
        set: impl FnOnce() -> graphcap_base::Result<()>,
    ) -> graphcap_base::Result<()> {
        self.set_named(name, node, set)
    }
}

impl Target for GraphExec {
    unsafe fn read_name(work: &gc_work) -> Result<Option<&str>> {
        check_unused(work.name.addr(), "work.name", "NULL for a node of an exec, which has the name of its graph's")?;
        Ok(None)
    }

    fn context(&self) -> &Context {
        GraphExec::context(self)
    }

    fn set(&self, node: NodeId, work: &NodeWork<'_>) -> graphcap_base::Result<()> {
        self.set_node(node, work)
    }

    #[inline(always)]
    fn set_launches(
        &self,
        nodes: &[NodeId],
        launches: &[UsualLaunch<'_>],
    ) -> Option<std::result::Result<(), BatchError>> {
        GraphExec::set_launches(self, nodes, launches)
    }

    /// A node of an exec has the name of its graph's.
    fn named(
        &self,
        _: Option<&str>,
        _: NodeId,
        set: impl FnOnce() -> graphcap_base::Result<()>,
    ) -> graphcap_base::Result<()> {
        set()
    }
}

/// Sets a node to work that is a plain launch.
///
/// # Safety
/// All that the members of the work point to is there. The work has no user data.
#[inline(always)]
pub(super) unsafe fn set_plain<H: Handle<Object: Target>>(
    (handle, argument): (*const H, &'static str),
    node: gc_node,
    work: &gc_work,
) -> Result<()> {
    let set = {
        let pinned = handle::pin();
        let target = handle::borrow(handle, argument, &pinned)?;
        let set = |launch: &[UsualLaunch<'_>]| target.set_launches(&[NodeId(node)], launch);
        // SAFETY: passed on to the caller.
        unsafe { usual::with(work, target.context(), &pinned, set) }
    };
    match set {
        Some(set) => Ok(set?),
        // SAFETY: as above; there is no user data.
        None => unsafe {
            let user_data = UserData::new(work.user_data, work.destroy);
            set_any((handle, argument), node, Ok((work, user_data)))
        },
    }
}

/// Sets a node to work of any kind.
///
/// # Safety
/// All that the members of the work point to is there.
#[inline(never)]
pub(super) unsafe fn set_any<H: Handle<Object: Target>>(
    (handle, argument): (*const H, &'static str),
    node: gc_node,
    work: Result<(&gc_work, UserData)>,
) -> Result<()> {
    let target = handle::clone(handle, argument)?;
    let (work, user_data) = work?;
    // SAFETY: passed on to the caller.
    unsafe { target.set_work(NodeId(node), work, user_data) }
}

/// Makes `set` set a node to the work.
fn set_owned(
    work: &Owned,
    context: &Context,
    set: impl FnOnce(&NodeWork<'_>) -> graphcap_base::Result<()>,
) -> graphcap_base::Result<()> {
    let refused = match work {
        Owned::Node { work: OwnedWork::Empty, .. } => "an empty node has no work; remove it and add another node",
        Owned::Node { work: OwnedWork::Free(_), .. } => "a free node stays as it was made",
        Owned::Node { work: OwnedWork::Conditional(_), .. } => {
            "a conditional node stays as it was made; fill its bodies, or remove it and add another one"
        }
        Owned::Op(op) if op.nodes_of_body().is_some() => {
            "a conditional by scripts is several nodes, which stay as they were made; remove them and add others"
        }
        Owned::Node { work, .. } => return work.lend(set),
        Owned::Op(op) => return set(&NodeWork::Child(&ops::record_op(op.as_ref(), context)?)),
        Owned::Allocation(_) => {
            "an allocation node stays as it was made; add another one, and make the nodes depend on that"
        }
        Owned::SetCondition(..) => {
            "the setter of a condition is a kernel node, which stays as it was made; remove it and add another one"
        }
    };
    Err(Error::invalid_value(refused))
}
