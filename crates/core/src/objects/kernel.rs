//! A kernel of a module, and the typed arguments that it is launched with.

use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use super::access::{Access, BufferAccess, KernelConcurrency, LaunchAccesses};
use super::buffer::Buffer;
use super::home::Home;
use super::module::{Module, ModuleInner};
use super::touched::TouchedBuffer;
use crate::operations::operands::{Operand, Operands};
use crate::state::Context;
use graphcap_base::error::{Error, Result};
use graphcap_base::names::quoted;
use graphcap_driver::{check_caller, Address, Argument, KernelId, Object, StatedArgument};

/// Code that can be launched. Keeps its module loaded.
#[derive(Clone)]
pub struct Kernel(Arc<KernelInner>);

struct KernelInner {
    module: Arc<ModuleInner>,
    id: KernelId,
    name: String,
    parameter_sizes: Option<Vec<usize>>,
}

/// One argument of a launch, in a buffer and bytes that are borrowed ([`KernelArgument`]) or owned ([`OwnedArgument`]).
#[derive(Clone, Copy, Debug)]
pub enum KernelArgumentOf<B, V> {
    /// The device address of byte `offset` of `buffer`.
    Buffer {
        /// The buffer; a graph that records the launch keeps it alive.
        buffer: B,
        /// In bytes, at most the buffer's size.
        offset: usize,
        /// Use that the kernel makes of it, where that is stated. It holds for this launch, whatever is stated of the kernel.
        access: Option<BufferAccess>,
    },
    /// The bytes of a value, as the parameter has them.
    Value(V),
}

/// An argument of a borrowed buffer or borrowed bytes.
pub type KernelArgument<'a> = KernelArgumentOf<&'a Buffer, &'a [u8]>;
/// An argument that keeps its buffer alive.
pub type OwnedArgument = KernelArgumentOf<Buffer, Vec<u8>>;

impl OwnedArgument {
    /// Borrows the argument.
    pub(crate) fn lend(&self) -> KernelArgument<'_> {
        match self {
            OwnedArgument::Buffer { buffer, offset, access } => {
                KernelArgument::Buffer { buffer, offset: *offset, access: *access }
            }
            OwnedArgument::Value(bytes) => KernelArgument::Value(bytes),
        }
    }
}

impl KernelArgument<'_> {
    /// Owns the argument: its bytes are copied, and the buffer is kept.
    pub fn to_owned(&self) -> OwnedArgument {
        match *self {
            KernelArgument::Buffer { buffer, offset, access } => {
                OwnedArgument::Buffer { buffer: buffer.clone(), offset, access }
            }
            KernelArgument::Value(bytes) => OwnedArgument::Value(bytes.to_vec()),
        }
    }

    #[inline]
    fn size(&self) -> usize {
        match self {
            KernelArgument::Buffer { .. } => size_of::<Address>(),
            KernelArgument::Value(bytes) => bytes.len(),
        }
    }
}

impl Module {
    /// Finds a kernel by its exact name.
    ///
    /// # Errors
    /// `NOT_FOUND` when the module has no kernel of that name.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        Kernel::find(&self.0, name)
    }
}

impl Kernel {
    fn find(module: &Arc<ModuleInner>, name: &str) -> Result<Kernel> {
        let driver = module.context.driver()?;
        let id = driver.module_kernel(module.id(), name)?;
        let parameter_sizes = driver.kernel_parameters(id)?;
        module.note_kernel(id, name);
        Ok(Kernel(Arc::new(KernelInner { module: Arc::clone(module), id, name: name.to_owned(), parameter_sizes })))
    }

    /// The name that it was found by.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Size of each parameter in bytes, or `None` where they are not known; arguments are not checked then.
    pub fn parameter_sizes(&self) -> Option<&[usize]> {
        self.0.parameter_sizes.as_deref()
    }

    /// States what the kernel does with the memory that its parameters point to, one by one: `None` for a parameter that is no
    /// address. It then touches no memory but the buffers, or other allocations, that these point into: it follows no pointer that
    /// lies in memory, uses no variable of its module, but for what [`Kernel::state_buffer`] states, and waits for nothing that the CPU
    /// or another kernel does meanwhile. `None` for all takes that back. It holds for all handles of the kernel, and for launches that
    /// were recorded before.
    ///
    /// # Errors
    /// `INVALID_VALUE` when that is not one for each parameter, as far as their number is known, and for an address that has not the
    /// size of one; `NOT_PERMITTED` on a thread that runs work.
    pub fn state_accesses(&self, accesses: Option<&[Option<Access>]>) -> Result<()> {
        check_caller()?;
        if let (Some(sizes), Some(accesses)) = (self.parameter_sizes(), accesses) {
            if sizes.len() != accesses.len() {
                return Err(Error::invalid_value(format!(
                    "kernel {} has {} parameters, and something was stated of {}; state it of each",
                    quoted(self.name()),
                    sizes.len(),
                    accesses.len()
                )));
            }
            let is_wrong =
                |(size, access): (&usize, &Option<Access>)| access.is_some() && *size != size_of::<Address>();
            if let Some(wrong) = sizes.iter().zip(accesses).position(is_wrong) {
                return Err(Error::invalid_value(format!(
                    "parameter {wrong} of kernel {} is no address, since it has not {} bytes; state that it is none",
                    quoted(self.name()),
                    size_of::<Address>()
                )));
            }
        }
        let accesses = accesses.map(Arc::from);
        self.0.module.context.driver()?.kernel_accesses_stated(self.0.id, accesses.clone());
        self.0.module.state_accesses(self.0.id, accesses);
        Ok(())
    }

    /// Returns what was stated by [`Kernel::state_accesses`].
    pub fn accesses(&self) -> Option<Arc<[Option<Access>]>> {
        self.0.module.accesses(self.0.id)
    }

    /// States what the kernel does with the bytes of a buffer that no argument points to: a variable of its module, or what a pointer
    /// in memory leads to. `None` takes that back. It counts beside what is stated of the parameters, for those launches of which that
    /// is known. It holds for all handles of the kernel, and for launches that were recorded before. The buffer lives as long as the
    /// kernel and the statement.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a buffer of a device of another kind; `NOT_PERMITTED` on a thread that runs work.
    pub fn state_buffer(&self, buffer: &Buffer, access: Option<Access>) -> Result<()> {
        check_caller()?;
        Home::graph(self.context()).check(buffer.context(), "the buffer")?;
        let stated = self.0.module.state_buffer(self.0.id, buffer, access);
        let told = stated.iter().map(TouchedBuffer::as_stated).collect();
        self.0.module.context.driver()?.kernel_memory_stated(self.0.id, told);
        Ok(())
    }

    /// Returns what was stated by [`Kernel::state_buffer`].
    pub fn touched_buffers(&self) -> Arc<[TouchedBuffer]> {
        self.0.module.touched(self.0.id)
    }

    /// States how launches of the kernel run beside other nodes of an optimized graph, besides what they touch. It holds for all handles
    /// of the kernel, and for launches that were recorded before.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn set_concurrency(&self, concurrency: KernelConcurrency) -> Result<()> {
        check_caller()?;
        self.0.module.set_concurrency(self.0.id, concurrency);
        Ok(())
    }

    /// The concurrency that [`Kernel::set_concurrency`] stated.
    pub fn concurrency(&self) -> KernelConcurrency {
        self.0.module.concurrency(self.0.id)
    }

    /// The module that it is of.
    pub fn module(&self) -> Module {
        Module(Arc::clone(&self.0.module))
    }

    #[inline]
    pub(crate) fn id(&self) -> KernelId {
        self.0.id
    }

    /// The context that it belongs to.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.0.module.context
    }

    /// Puts what a launch passes for `arguments` into `passed`. Gives what it states of them, as [`Kernel::stated`] does.
    ///
    /// # Errors
    /// `INVALID_VALUE` when number or sizes of the arguments differ from the kernel's parameters, or when an offset overruns
    /// its buffer; `INVALID_CONTEXT`.
    #[inline]
    pub(crate) fn resolve<'a>(
        &self,
        home: Home<'_>,
        arguments: &[KernelArgument<'a>],
        passed: &mut SmallVec<[Argument<'a>; 16]>,
    ) -> Result<Option<Arc<LaunchAccesses>>> {
        match self.resolve_usual(home, arguments, passed) {
            Some(()) => Ok(None),
            None => {
                passed.clear();
                self.resolve_any(home, arguments, passed)
            }
        }
    }

    /// As [`Kernel::resolve`], where kernel and buffers are of the context that the launch goes to, the arguments fit the parameters, whose
    /// sizes are known, and nothing is stated of them: as it mostly is. `None` for others.
    #[inline]
    fn resolve_usual<'a>(
        &self,
        home: Home<'_>,
        arguments: &[KernelArgument<'a>],
        passed: &mut SmallVec<[Argument<'a>; 16]>,
    ) -> Option<()> {
        let sizes = self.parameter_sizes().filter(|sizes| sizes.len() == arguments.len())?;
        if !home.context.is(self.context()) {
            return None;
        }
        for (argument, size) in arguments.iter().zip(sizes) {
            passed.push(match argument {
                KernelArgument::Value(bytes) if bytes.len() == *size => Argument::Value(bytes),
                KernelArgument::Buffer { buffer, offset, access: None }
                    if *size == size_of::<Address>() && buffer.context().is(home.context) =>
                {
                    Argument::Address(buffer.argument(*offset)?)
                }
                _ => return None,
            });
        }
        Some(())
    }

    /// As [`Kernel::resolve`], one by one, so that it finds what is wrong.
    #[cold]
    #[inline(never)]
    fn resolve_any<'a>(
        &self,
        home: Home<'_>,
        arguments: &[KernelArgument<'a>],
        passed: &mut SmallVec<[Argument<'a>; 16]>,
    ) -> Result<Option<Arc<LaunchAccesses>>> {
        home.check(self.context(), "the kernel")?;
        let sizes = self.parameter_sizes();
        if let Some(sizes) = sizes.filter(|sizes| sizes.len() != arguments.len()) {
            return Err(self.wrong_count(sizes.len(), arguments.len()));
        }
        let sizes = sizes.unwrap_or_default();
        for (index, argument) in arguments.iter().enumerate() {
            if let Some(&expected) = sizes.get(index).filter(|&&expected| argument.size() != expected) {
                return Err(self.wrong_size(index, expected, argument));
            }
            passed.push(match argument {
                KernelArgument::Value(bytes) => Argument::Value(bytes),
                KernelArgument::Buffer { buffer, offset, access } => {
                    if let Some((first, bytes)) = access.and_then(|access| access.range) {
                        check_range(index, buffer, first, bytes)?;
                    }
                    Argument::Address(self.address(home, index, buffer, *offset)?)
                }
            });
        }
        Ok(self.stated(arguments))
    }

    /// The address of argument `index`.
    fn address(&self, home: Home<'_>, index: usize, buffer: &Buffer, offset: usize) -> Result<Address> {
        let checked = home.check(buffer.context(), "the buffer");
        if let Err(error) = checked.and_then(|()| buffer.let_kernel_reach(self.context())) {
            return Err(of_argument(index, &error));
        }
        buffer.argument(offset).ok_or_else(|| is_beyond(index, buffer, offset))
    }

    /// Returns what a launch with these arguments states of them. `None` where it states nothing.
    #[inline]
    pub(crate) fn stated(&self, arguments: &[KernelArgument<'_>]) -> Option<Arc<LaunchAccesses>> {
        let states = |argument: &KernelArgument<'_>| matches!(argument, KernelArgument::Buffer { access: Some(_), .. });
        arguments.iter().any(states).then(|| self.stated_of(arguments))
    }

    #[cold]
    fn stated_of(&self, arguments: &[KernelArgument<'_>]) -> Arc<LaunchAccesses> {
        let stated = |(index, argument): (usize, &KernelArgument<'_>)| match argument {
            KernelArgument::Buffer { buffer, offset, access: Some(stated) } => {
                let (address, start) = (buffer.argument(*offset)?, buffer.argument(0)?);
                let bytes = stated.range.map(|(first, bytes)| (start.saturating_add(first as u64), bytes));
                Some(StatedArgument { index, address, access: stated.access, bytes })
            }
            _ => None,
        };
        let is_unstated =
            |argument: &KernelArgument<'_>| matches!(argument, KernelArgument::Buffer { access: None, .. });
        let all: Box<[_]> = arguments.iter().enumerate().filter_map(stated).collect();
        let writes = all.iter().any(|stated| stated.access != Access::Read);
        let is_whole = writes && !arguments.iter().any(is_unstated);
        Arc::new(LaunchAccesses::new(self.id(), arguments.len(), all, is_whole))
    }

    #[cold]
    fn wrong_count(&self, expected: usize, given: usize) -> Error {
        let at = expected.min(given);
        let problem = if given < expected { "is missing" } else { "is one too many" };
        Error::invalid_value(format!(
            "kernel {} takes {expected} argument{} and was given {given}: argument {at} {problem}",
            quoted(self.name()),
            if expected == 1 { "" } else { "s" }
        ))
    }

    #[cold]
    fn wrong_size(&self, index: usize, expected: usize, argument: &KernelArgument<'_>) -> Error {
        let what = match argument {
            KernelArgument::Buffer { .. } => "an address",
            KernelArgument::Value(_) => "a value",
        };
        Error::invalid_value(format!(
            "argument {index} of kernel {} must have {expected} bytes and was given {what} of {}; compare it with the \
             kernel's parameter list",
            quoted(self.name()),
            argument.size()
        ))
    }

    /// The driver's own handle of the kernel.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` on a device without native handles.
    pub fn native(&self) -> Result<usize> {
        self.0.module.context.driver()?.native(Object::Kernel(self.0.id))
    }
}

#[cold]
fn of_argument(index: usize, error: &Error) -> Error {
    Error::new(error.status, format!("argument {index}: {}", error.message))
}

#[cold]
fn is_beyond(index: usize, buffer: &Buffer, offset: usize) -> Error {
    Error::invalid_value(format!(
        "argument {index}: offset {offset} is beyond {}, which has {} bytes",
        buffer.label(),
        buffer.size()
    ))
}

fn check_range(index: usize, buffer: &Buffer, first: usize, bytes: usize) -> Result<()> {
    let fits = bytes > 0 && first.checked_add(bytes).is_some_and(|end| end <= buffer.size());
    fits.then_some(()).ok_or_else(|| {
        Error::invalid_value(format!(
            "argument {index}: the access is stated of {bytes} bytes from {first} on, and {} has {}; state it of bytes of \
             the buffer",
            buffer.label(),
            buffer.size()
        ))
    })
}

impl Operands for Kernel {
    #[inline(always)]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        is_so(Operand::Module(&self.0.module))
    }
}

impl Operands for KernelArgument<'_> {
    #[inline(always)]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        match self {
            KernelArgument::Buffer { buffer, .. } => is_so(Operand::Buffer(buffer)),
            KernelArgument::Value(_) => true,
        }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kernel").field(&self.name()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::Stream;
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{LaunchShape, ModuleSource, StreamOptions};

    const SHAPE: LaunchShape = LaunchShape::ONE_THREAD;

    fn at(buffer: &Buffer, offset: usize) -> KernelArgument<'_> {
        KernelArgument::Buffer { buffer, offset, access: None }
    }

    #[test]
    fn arguments_are_checked_against_the_parameters() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 64).unwrap();
        let module = Faulty::load(&context, ModuleSource::default());
        let kernel = module.kernel("k").unwrap();
        assert_eq!((kernel.name(), kernel.parameter_sizes()), ("k", Some(&[8, 4][..])));
        let calls = driver.calls();
        let value = KernelArgument::Value;
        let wrong: [(&[KernelArgument<'_>], &[&str]); 5] = [
            (&[at(&buffer, 0)], &["takes 2", "given 1", "argument 1"]),
            (&[at(&buffer, 0), value(&[0; 4]), value(&[0; 4])], &["takes 2", "given 3", "argument 2"]),
            (&[value(&[0; 8]), value(&[0; 8])], &["argument 1", "4 bytes", "a value of 8"]),
            (&[at(&buffer, 0), at(&buffer, 0)], &["argument 1", "4 bytes", "an address of 8"]),
            (&[at(&buffer, 65), value(&[0; 4])], &["argument 0", "offset 65", "64 bytes"]),
        ];
        for (arguments, parts) in wrong {
            let error = stream.submit_kernel(&kernel, SHAPE, arguments, &[]).unwrap_err();
            assert_eq!(error.status, Status::INVALID_VALUE);
            for part in parts {
                assert!(error.message.contains(part), "{part:?} is not in {:?}", error.message);
            }
        }
        assert_eq!(driver.calls(), calls);
        stream.submit_kernel(&kernel, SHAPE, &[at(&buffer, 64), value(&[0; 4])], &[]).unwrap();
        stream.submit_kernel(&kernel, SHAPE, &[value(&[0; 8]), value(&[0; 4])], &[]).unwrap();
    }

    #[test]
    fn a_foreign_buffer_is_named_by_its_index() {
        let (_driver, context) = Faulty::context();
        let (_other_driver, other) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let foreign = Buffer::allocate(&other, 64).unwrap();
        let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k-any").unwrap();
        let arguments = [KernelArgument::Value(&[0; 3]), at(&foreign, 0)];
        let error = stream.submit_kernel(&kernel, SHAPE, &arguments, &[]).unwrap_err();
        assert_eq!(error.status, Status::INVALID_CONTEXT);
        assert!(error.message.starts_with("argument 1: the buffer belongs"), "{}", error.message);
    }

    #[test]
    fn many_arguments_of_unknown_size_pass() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffers: Vec<_> = (0..40).map(|_| Buffer::allocate(&context, 8).unwrap()).collect();
        let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k-any").unwrap();
        assert_eq!(kernel.parameter_sizes(), None);
        let arguments: Vec<_> = buffers.iter().map(|buffer| at(buffer, 8)).collect();
        stream.begin_capture(CaptureMode::Global).unwrap();
        stream.submit_kernel(&kernel, SHAPE, &arguments, &[]).unwrap();
        let exec = stream.end_capture().unwrap().instantiate().unwrap();
        drop((buffers, kernel));
        exec.launch(&stream).unwrap();
        assert_eq!(driver.violations(), Vec::<String>::new());
        drop(exec);
        assert_eq!(driver.released().len(), 40);
    }

    #[test]
    fn an_unknown_kernel_is_not_found() {
        let (driver, context) = Faulty::context();
        let module = Faulty::load(&context, ModuleSource::default());
        assert_eq!(module.kernel("absent").unwrap_err().status, Status::NOT_FOUND);
        let kernel = module.kernel("k").unwrap();
        drop(module);
        assert_eq!(driver.live(), 1, "a kernel keeps its module");
        drop(kernel);
        assert_eq!(driver.live(), 0);
    }
}
