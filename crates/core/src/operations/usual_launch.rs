//! Launches such as most are, on streams and for nodes that are added or set: read in one look, without a list that is allocated.

use super::operands::{Operand, Operands};
use crate::objects::buffer::Buffer;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::state::Context;
use graphcap_base::error::Result;
use graphcap_driver::{Address, Argument, Arguments, Driver, Launch, LaunchShape};

/// Number of arguments of such a launch at most.
pub const USUAL_ARGUMENTS: usize = 8;

/// A launch such as most are: kernel and buffers are of the context of the stream or the graph, the arguments are few and fit the
/// parameters, whose sizes are known, nothing is stated of them, and there are no attributes.
pub struct UsualLaunch<'a> {
    kernel: &'a Kernel,
    shape: LaunchShape,
    passed: [Argument<'a>; USUAL_ARGUMENTS],
    count: usize,
    buffers: [Option<&'a Buffer>; USUAL_ARGUMENTS],
}

impl<'a> UsualLaunch<'a> {
    /// A launch of which no argument was read yet. They are read in place, as the launch is too large to be moved.
    #[inline(always)]
    pub fn new(kernel: &'a Kernel, shape: LaunchShape) -> UsualLaunch<'a> {
        let passed = [Argument::Address(0); USUAL_ARGUMENTS];
        UsualLaunch { kernel, shape, passed, count: 0, buffers: [None; USUAL_ARGUMENTS] }
    }

    /// Reads the arguments, each of which `read` makes of one that was `given`, for a stream or a graph of `context`. `None` where the
    /// launch is not such as most are.
    #[inline(always)]
    pub fn read<G>(
        &mut self,
        context: &Context,
        given: &[G],
        read: impl Fn(&G) -> Option<KernelArgument<'a>>,
    ) -> Option<()> {
        let sizes = self.kernel.parameter_sizes()?;
        if sizes.len() != given.len() || given.len() > USUAL_ARGUMENTS || !context.is(self.kernel.context()) {
            return None;
        }
        for (((given, size), passed), kept) in given.iter().zip(sizes).zip(&mut self.passed).zip(&mut self.buffers) {
            *passed = match read(given)? {
                KernelArgument::Value(bytes) if bytes.len() == *size => Argument::Value(bytes),
                KernelArgument::Buffer { buffer, offset, access: None }
                    if *size == size_of::<Address>() && buffer.context().is(context) =>
                {
                    *kept = Some(buffer);
                    Argument::Address(buffer.argument(offset)?)
                }
                _ => return None,
            };
        }
        self.count = given.len();
        Some(())
    }

    /// Returns whether the device can launch the kernel with that shape.
    pub(crate) fn check_shape(&self, driver: &dyn Driver) -> Result<()> {
        driver.check_shape(self.kernel.id(), self.shape)
    }

    /// The launch as a device is given it.
    #[inline(always)]
    pub(crate) fn launch(&self) -> Launch<'_> {
        Launch {
            kernel: self.kernel.id(),
            name: self.kernel.name(),
            shape: self.shape,
            arguments: Arguments::Separate(self.passed.get(..self.count).unwrap_or_default()),
            attributes: &[],
            stated: None,
        }
    }
}

/// The code, and the buffers among its arguments, in the order of those of other launches.
impl Operands for UsualLaunch<'_> {
    #[inline(always)]
    fn all(&self, mut is_so: impl FnMut(Operand<'_>) -> bool) -> bool {
        let mut buffers = self.buffers.get(..self.count).unwrap_or_default().iter().flatten();
        self.kernel.all(&mut is_so) && buffers.all(|buffer| is_so(Operand::Buffer(buffer)))
    }
}
