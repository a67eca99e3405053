//! Fourier transforms: checked against their buffers, and given to a stream as a kernel or through the device's library.

use smallvec::SmallVec;

use super::overlap::{check_apart, Used};
use crate::captures::black_box::Operation;
use crate::objects::access::{Access, BufferAccess, LaunchAccesses};
use crate::objects::buffer::Buffer;
use crate::objects::fft_plan::FftPlan;
use crate::objects::kernel::KernelArgument;
use crate::operations::operands::Operand;
use crate::state::{Context, Stream};
use graphcap_base::error::Result;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{
    check_caller, Address, Argument, Arguments, Driver, Fft, FftOperands, Launch, MathKernel, StreamId, Way, Work,
};

/// Alignment of input and output: the size of a complex number, since transforms read real numbers in pairs.
const ALIGNMENT: usize = 8;

/// Checks what transforms work on, and gives the addresses of the first numbers of input and output.
fn resolve(context: &Context, fft: &Fft, input: (&Buffer, usize), output: (&Buffer, usize)) -> Result<[Address; 2]> {
    let [input_bytes, output_bytes] = fft.extents()?;
    let read = Used::of(context, "the input", input.0, input.1, input_bytes, ALIGNMENT)?;
    let written = Used::of(context, "the output", output.0, output.1, output_bytes, ALIGNMENT)?;
    let places = [read.start, written.start];
    check_apart(&written, &[read])?;
    Ok(places)
}

impl Context {
    /// Finds what is wrong with transforms on streams of the context before they are planned, since planning may take seconds.
    ///
    /// # Errors
    /// As [`Stream::fft`] for input and output, and as [`FftPlan::create`] for sizes that do not fit each other.
    pub fn check_fft(&self, fft: &Fft, input: (&Buffer, usize), output: (&Buffer, usize)) -> Result<()> {
        check_caller()?;
        resolve(self, fft, input, output).map(drop)
    }
}

impl Stream {
    /// Makes the transforms of a plan, from byte `input.1` of `input.0` to byte `output.1` of `output.0`. The input is kept. When
    /// the stream is being captured they are recorded, and made at each launch of the graph. Each use of a plan has memory of
    /// its own for the work, so that any number of them may run at the same time.
    ///
    /// # Errors
    /// `INVALID_VALUE` where input or output overrun their buffers, do not begin at a multiple of 8, or overlap;
    /// `INVALID_CONTEXT`; `OUT_OF_MEMORY`; what the capture rules say.
    pub fn fft(&self, plan: &FftPlan, input: (&Buffer, usize), output: (&Buffer, usize)) -> Result<()> {
        check_caller()?;
        self.home().check(plan.context(), "the plan")?;
        let places = resolve(self.context(), plan.fft(), input, output)?;
        match &plan.planned.way {
            Way::Kernel(by) => self.fft_by_kernel(plan, by, input, output),
            Way::Library(bytes) => self.fft_by_library(plan, *bytes, input.0, output.0, places),
        }
    }

    fn fft_by_kernel(
        &self,
        plan: &FftPlan,
        by: &MathKernel,
        input: (&Buffer, usize),
        output: (&Buffer, usize),
    ) -> Result<()> {
        let kernel = self.context().built_in(BuiltInKernel::Fft)?;
        let work = Buffer::allocate(self.context(), by.work_bytes)?;
        let [input_bytes, output_bytes] = plan.fft().extents()?.map(|bytes| bytes as usize);
        let place = |(buffer, offset), access, bytes| {
            let access = Some(BufferAccess::of_bytes(access, offset, bytes));
            KernelArgument::Buffer { buffer, offset, access }
        };
        let arguments = [
            place(input, Access::Read, input_bytes),
            place(output, Access::Write, output_bytes),
            place((&work, 0), Access::ReadWrite, by.work_bytes),
            KernelArgument::Value(&by.parameters),
        ];
        let mut passed = SmallVec::<[Argument<'_>; 16]>::new();
        kernel.resolve(self.home(), &arguments, &mut passed)?;
        let stated = kernel.stated(&arguments);
        let launch = Launch {
            kernel: kernel.id(),
            name: kernel.name(),
            shape: by.shape,
            arguments: Arguments::Separate(&passed),
            attributes: &[],
            stated: stated.as_deref().map(LaunchAccesses::as_stated),
        };
        // The kernel finds the plan by its length. What is kept need not be made again at a launch.
        let operands = (Operand::Device(&plan.object), (&kernel, &arguments));
        self.submit_work(Operation::KernelLaunch, &operands, &Work::Kernel(launch))?;
        if let Some(stated) = stated {
            self.note_stated(stated);
        }
        Ok(())
    }

    fn fft_by_library(
        &self,
        plan: &FftPlan,
        bytes: usize,
        input: &Buffer,
        output: &Buffer,
        [read, written]: [u64; 2],
    ) -> Result<()> {
        let area = match bytes {
            0 => None,
            bytes => Some(Buffer::allocate(self.context(), bytes)?),
        };
        let of = FftOperands { input: read, output: written, work: area.as_ref().map_or(0, Buffer::address) };
        let operands = (Operand::Device(&plan.object), [input, output, area.as_ref().unwrap_or(input)]);
        let library = |driver: &dyn Driver, stream: StreamId| driver.fft(stream, plan.planned.plan, &of);
        self.submit_several(|| self.submit(Operation::Library, &operands, library))
    }
}
