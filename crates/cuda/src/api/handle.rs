//! Handles of the driver's objects.

use std::fmt;
use std::hash::{Hash, Hasher};

use cudarc::driver::sys::{
    CUctx_st, CUevent_st, CUfunc_st, CUgraphExec_st, CUgraphNode_st, CUgraph_st, CUkern_st, CUmemPoolHandle_st,
    CUmod_st, CUstream_st, CUuserObject_st,
};

/// A handle of the driver's. It is a token here: nothing of ours reads what it points to.
#[repr(transparent)]
pub(crate) struct Handle<T>(pub(crate) *mut T);

impl<T> Handle<T> {
    /// No object.
    pub(crate) const NULL: Self = Handle(std::ptr::null_mut());

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The handle as others know it.
    pub(crate) fn number(self) -> usize {
        self.0.addr()
    }

    /// The handle that others gave as a number.
    pub(crate) fn from_number(number: usize) -> Self {
        Handle(std::ptr::with_exposed_provenance_mut(number))
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}
impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl<T> Eq for Handle<T> {}
impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.0, f)
    }
}
// SAFETY: the driver's functions take its handles on any thread; where they must not run at once, a lock of ours is held.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}

pub(crate) type Ctx = Handle<CUctx_st>;
pub(crate) type StreamHandle = Handle<CUstream_st>;
pub(crate) type EventHandle = Handle<CUevent_st>;
pub(crate) type ModuleHandle = Handle<CUmod_st>;
pub(crate) type Function = Handle<CUfunc_st>;
pub(crate) type LibraryKernel = Handle<CUkern_st>;
pub(crate) type GraphHandle = Handle<CUgraph_st>;
pub(crate) type Node = Handle<CUgraphNode_st>;
pub(crate) type ExecHandle = Handle<CUgraphExec_st>;
pub(crate) type PoolHandle = Handle<CUmemPoolHandle_st>;
pub(crate) type UserObject = Handle<CUuserObject_st>;
