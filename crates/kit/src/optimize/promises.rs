//! Promises and statements of the caller about the kernels of a graph.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use graphcap_base::names::is_called;
use graphcap_core::{Access, KernelParams};
use graphcap_driver::KernelId;

/// Promises of the caller about kernels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Promises {
    /// [`OptimizeOptions::trusts_parameters`](super::OptimizeOptions::trusts_parameters).
    pub(crate) trusts_parameters: bool,
    /// [`OptimizeOptions::unobserved`](super::OptimizeOptions::unobserved).
    pub(crate) unobserved: bool,
    /// Nobody asks why nodes keep their place.
    pub(crate) unexplained: bool,
    /// [`OptimizeOptions::statements`](super::OptimizeOptions::statements).
    pub(crate) statements: Arc<[KernelStatement]>,
    /// Addresses that kernels with trusted parameters were seen never to write through.
    pub(crate) unwritten: Arc<Unwritten>,
}

/// Statement about what kernels do with the memory that an address in their arguments points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelStatement {
    /// Pattern of the kernels' names, mangled or not: `*` stands for any characters, `?` for one.
    pub pattern: String,
    /// Number of the parameter, counted from 0.
    pub parameter: usize,
    /// Place of the address in the parameter, in bytes; `None` for each word of the parameter.
    pub offset: Option<usize>,
    /// Access of the kernel to the memory; `None` where it is no address.
    pub access: Option<Access>,
}

/// A kernel, by what the device and its maker call it.
pub(crate) type KernelName = (KernelId, String);

/// Places of addresses in the arguments of kernels: the number of the parameter, and the byte in it.
pub type Unwritten = BTreeMap<KernelName, BTreeSet<(usize, usize)>>;

impl KernelStatement {
    /// Returns whether it is about the word at a place of a parameter.
    pub(super) fn is_of(&self, parameter: usize, offset: usize) -> bool {
        self.parameter == parameter && self.offset.is_none_or(|own| own == offset)
    }
}

impl Promises {
    /// The statements about a kernel.
    pub(super) fn statements_of(&self, kernel: &KernelParams) -> Arc<[KernelStatement]> {
        if self.statements.is_empty() {
            return Arc::default();
        }
        self.statements.iter().filter(|one| is_called(&one.pattern, &kernel.name)).cloned().collect()
    }

    /// Places of addresses that the kernel was seen never to write through.
    pub(super) fn unwritten_by(&self, kernel: &KernelParams) -> BTreeSet<(usize, usize)> {
        let found = (!self.unwritten.is_empty()).then(|| self.unwritten.get(&(kernel.id(), kernel.name.clone())));
        found.flatten().cloned().unwrap_or_default()
    }
}
