//! A module: loaded code, in which kernels are found by name.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use super::access::{Accesses, KernelConcurrency};
use super::buffer::Buffer;
use super::code::Code;
use super::touched::{self, TouchedBuffer};
use crate::graphs::uses::{Kind, Uses};
use crate::keep::{Keep, KeptBy};
use crate::state::Context;
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{Access, KernelId, ModuleId, ModuleSource, Object, StreamId, UsedBy, Users};

/// Loaded code.
///
/// It stays loaded while a handle of it, a kernel of it or a graph that recorded such a kernel exists, and
/// until launches that were submitted have run.
#[derive(Clone)]
pub struct Module(pub(crate) Arc<ModuleInner>);

pub(crate) struct ModuleInner {
    pub(crate) context: Context,
    code: Arc<Code>,
    pub(crate) kept_by: KeptBy,
    /// The kernels that were found in it.
    kernels: Mutex<HashMap<KernelId, KnownKernel>, rank::KernelNames>,
    /// Tells whether buffers were ever stated that kernels touch besides.
    touches: AtomicBool,
    /// The streams whose work used such buffers, which hear of it when the module or the statement goes.
    used_by: UsedBy,
}

/// Facts about a kernel.
struct KnownKernel {
    /// The name that it was found by.
    name: String,
    /// Use that it makes of the memory that its parameters point to, where that was stated.
    accesses: Option<Accesses>,
    /// Memory that it touches besides, as far as that was stated.
    touched: Arc<[TouchedBuffer]>,
    /// Order beside other nodes.
    concurrency: KernelConcurrency,
}

impl ModuleInner {
    pub(crate) fn id(&self) -> ModuleId {
        self.code.id()
    }

    /// Returns what is loaded.
    pub(crate) fn code(&self) -> &Arc<Code> {
        &self.code
    }

    /// A kernel was found in it by `name`.
    pub(crate) fn note_kernel(&self, kernel: KernelId, name: &str) {
        let new = || KnownKernel {
            name: name.to_owned(),
            accesses: None,
            touched: Arc::default(),
            concurrency: KernelConcurrency::Free,
        };
        lock(&self.kernels).entry(kernel).or_insert_with(new);
    }

    /// It is stated what a kernel that was found does with memory.
    pub(crate) fn state_accesses(&self, kernel: KernelId, accesses: Option<Accesses>) {
        let before = lock(&self.kernels).get_mut(&kernel).map(|known| std::mem::replace(&mut known.accesses, accesses));
        drop(before);
    }

    /// Returns what was stated of a kernel.
    pub(crate) fn accesses(&self, kernel: KernelId) -> Option<Accesses> {
        lock(&self.kernels).get(&kernel)?.accesses.clone()
    }

    /// It is stated what a kernel that was found does with a buffer besides. Gives all that is stated so.
    pub(crate) fn state_buffer(
        &self,
        kernel: KernelId,
        buffer: &Buffer,
        access: Option<Access>,
    ) -> Arc<[TouchedBuffer]> {
        // Before the statement, so that no launch goes unnoted that comes after it.
        self.touches.store(true, Ordering::SeqCst);
        let mut kernels = lock(&self.kernels);
        let Some(known) = kernels.get_mut(&kernel) else { return Arc::default() };
        let now = touched::stated(&known.touched, buffer, access);
        let before = std::mem::replace(&mut known.touched, Arc::clone(&now));
        // Where no lock is held: buffers may go with it.
        drop(kernels);
        self.tell(&before);
        drop(before);
        now
    }

    /// Remembers that `stream` executes work of its kernels, which may touch the buffers that are stated.
    #[inline]
    pub(crate) fn note_launch(&self, stream: StreamId) {
        if self.touches.load(Ordering::Relaxed) {
            self.used_by.note(stream, |stream| self.context.driver_even_if_stale().stream_is_over(stream));
        }
    }

    /// Tells buffers that may go of the work that uses them.
    fn tell(&self, touched: &[TouchedBuffer]) {
        let users = if touched.is_empty() { Users::new() } else { self.used_by.users() };
        for TouchedBuffer { buffer, .. } in touched {
            // What cannot be lent is of the context itself.
            match buffer.lend(&self.context) {
                Ok(Some(loan)) => users.iter().for_each(|&user| loan.note_use(user)),
                _ => users.iter().for_each(|&user| buffer.note_use(user)),
            }
        }
    }

    /// Returns what was stated of buffers that a kernel touches besides.
    pub(crate) fn touched(&self, kernel: KernelId) -> Arc<[TouchedBuffer]> {
        lock(&self.kernels).get(&kernel).map(|known| Arc::clone(&known.touched)).unwrap_or_default()
    }

    /// It is stated how a kernel that was found runs beside other nodes.
    pub(crate) fn set_concurrency(&self, kernel: KernelId, concurrency: KernelConcurrency) {
        if let Some(known) = lock(&self.kernels).get_mut(&kernel) {
            known.concurrency = concurrency;
        }
    }

    /// Returns how a kernel runs beside other nodes.
    pub(crate) fn concurrency(&self, kernel: KernelId) -> KernelConcurrency {
        lock(&self.kernels).get(&kernel).map_or(KernelConcurrency::Free, |known| known.concurrency)
    }

    /// The name that `kernel` was found by in it.
    pub(crate) fn name_of(&self, kernel: KernelId) -> Option<String> {
        lock(&self.kernels).get(&kernel).map(|known| known.name.clone())
    }
}

impl Keep for ModuleInner {
    /// The driver unloads code when no work of the context's device needs it.
    fn note_use(&self, stream: StreamId) {
        self.code.note_use(stream);
        self.note_launch(stream);
    }

    fn kind(&self) -> Kind {
        Kind::Code
    }

    fn users(&self, uses: &Uses, places: &mut Vec<usize>) {
        lock(&self.kernels).keys().for_each(|&kernel| uses.kernel(kernel, places));
    }
}

impl Drop for ModuleInner {
    fn drop(&mut self) {
        let kernels = std::mem::take(self.kernels.get_mut());
        kernels.values().for_each(|known| self.tell(&known.touched));
    }
}

impl Module {
    /// Loads code. Allowed during captures.
    ///
    /// # Errors
    /// `NO_BINARY_FOR_GPU` for a source without code for this device; `INVALID_VALUE` for host kernels of one name or
    /// none; `INVALID_IMAGE`, `INVALID_PTX` and what else the driver answers for images.
    ///
    /// # Safety
    /// The code must be sound to run with the arguments that it will be launched with. Functions of host
    /// kernels must stay callable until the module is unloaded.
    #[allow(unsafe_code)]
    pub unsafe fn load(context: &Context, source: ModuleSource<'_>) -> Result<Module> {
        Ok(Module::new(context, context.driver()?.module_load(source)?))
    }

    /// Takes over a module of the driver's.
    pub(crate) fn new(context: &Context, id: ModuleId) -> Module {
        Module::of(context, Code::new(context.shared_driver(), id))
    }

    /// Of code that was loaded for `context`.
    pub(crate) fn of(context: &Context, code: Arc<Code>) -> Module {
        let (kept_by, kernels) = (KeptBy::none(), Mutex::default());
        let (touches, used_by) = (AtomicBool::new(false), UsedBy::default());
        Module(Arc::new(ModuleInner { context: context.clone(), code, kept_by, kernels, touches, used_by }))
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The driver's own handle of the module.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles.
    pub fn native(&self) -> Result<usize> {
        self.0.context.driver()?.native(Object::Module(self.0.id()))
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Module").field(&self.0.id().0).finish()
    }
}
