//! Work that a stream is given: it is executed, or recorded while the stream is captured, and keeps what it needs alive.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use smallvec::SmallVec;

use super::access::LaunchAccesses;
use super::home::Home;
use super::kernel::{Kernel, KernelArgument};
use crate::captures::black_box::{self, Operation};
use crate::captures::guarded;
use crate::captures::membership::Marker;
use crate::captures::record::{put_at_hand, take_at_hand};
use crate::captures::strict;
use crate::graphs::retention::stay_for;
use crate::operations::operands::{Operand, Operands};
use crate::operations::usual_launch::UsualLaunch;
use crate::state::{Record, Stream};
use graphcap_base::error::Result;
use graphcap_driver::{
    Argument, Arguments, Driver, HostFunction, Launch, LaunchAttribute, LaunchShape, StreamId, Work,
};

impl Stream {
    /// Makes the stream call `function`, once per replay when it is recorded. A graph that recorded it keeps it alive.
    ///
    /// # Errors
    /// What the capture rules say.
    pub fn launch_host_function(&self, function: HostFunction) -> Result<()> {
        self.submit_work(Operation::HostFunction, &Operand::HostFunction(&function), &Work::Host(&function))
    }

    /// Launches a kernel. The arguments are copied before this returns.
    ///
    /// # Errors
    /// `INVALID_VALUE` when number or sizes of the arguments differ from the kernel's parameters, when an
    /// offset overruns its buffer, or for an impossible shape, which invalidates a capture of the stream;
    /// `INVALID_CONTEXT`; what the capture rules say.
    ///
    /// # Safety
    /// The arguments must be what the kernel expects, and the kernel must stay within the buffers that it
    /// is given; addresses inside of values must be valid whenever the launch runs.
    #[allow(unsafe_code)]
    pub unsafe fn launch_kernel(
        &self,
        kernel: &Kernel,
        shape: LaunchShape,
        arguments: &[KernelArgument<'_>],
    ) -> Result<()> {
        self.submit_kernel(kernel, shape, arguments, &[])
    }

    pub(crate) fn submit_kernel(
        &self,
        kernel: &Kernel,
        shape: LaunchShape,
        arguments: &[KernelArgument<'_>],
        attributes: &[LaunchAttribute],
    ) -> Result<()> {
        let mut passed = SmallVec::<[Argument<'_>; 16]>::new();
        let stated = kernel.resolve(self.home(), arguments, &mut passed)?;
        guarded::shape(self, || self.driver()?.check_shape(kernel.id(), shape))?;
        let launch = Launch {
            kernel: kernel.id(),
            name: kernel.name(),
            shape,
            arguments: Arguments::Separate(&passed),
            attributes,
            stated: stated.as_deref().map(LaunchAccesses::as_stated),
        };
        self.submit_work(Operation::KernelLaunch, &(kernel, arguments), &Work::Kernel(launch))?;
        if let Some(stated) = stated {
            self.note_stated(stated);
        }
        Ok(())
    }

    /// Launches a kernel as [`Stream::launch_kernel`], where the launch, which was read for the stream's context, is such as most are.
    ///
    /// # Errors
    /// As there, without those about arguments.
    ///
    /// # Safety
    /// As there.
    #[allow(unsafe_code)]
    #[inline]
    pub unsafe fn launch_usual(&self, launch: &UsualLaunch<'_>) -> Result<()> {
        guarded::shape(self, || launch.check_shape(self.driver()?))?;
        self.submit_work(Operation::KernelLaunch, launch, &Work::Kernel(launch.launch()))
    }

    /// Returns whether the kernel can be launched with `shape`, asked before a launch that would break a capture.
    pub(crate) fn check_shape(&self, kernel: &Kernel, shape: LaunchShape) -> Result<()> {
        self.context().check_same("the stream", kernel.context(), "the kernel")?;
        self.driver()?.check_shape(kernel.id(), shape)
    }

    /// Returns the home of work for the stream.
    #[inline]
    pub(crate) fn home(&self) -> Home<'_> {
        Home::stream(self.context())
    }

    /// Queues or records `work`, which is on `operands`.
    #[inline]
    pub(crate) fn submit_work<O: Operands>(&self, operation: Operation, operands: &O, work: &Work<'_>) -> Result<()> {
        self.submit(operation, operands, |driver, stream| driver.submit(stream, work))
    }

    /// Queues or records work on `operands`, through `call`, and sees to it that they live as long as the work needs
    /// them.
    #[inline]
    pub(crate) fn submit<O: Operands>(
        &self,
        operation: Operation,
        operands: &O,
        call: impl FnOnce(&dyn Driver, StreamId) -> Result<()>,
    ) -> Result<()> {
        guarded::work(self)?;
        let before = self.moment();
        let is_shared = self.is_shared();
        let call = || call(self.driver()?, self.id());
        let submitted = if is_shared || self.may_be_captured() {
            self.submit_asking(before, is_shared, operation, operands, call)
        } else {
            self.submit_eagerly(before, operation, operands, call)
        };
        submitted.map_err(|error| black_box::failed_on(self, error))
    }

    #[inline(always)]
    fn submit_eagerly<O: Operands>(
        &self,
        before: u64,
        operation: Operation,
        operands: &O,
        call: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let is_told = strict::executes(self, || operation.name())?;
        operands.note_executed(self.id());
        call()?;
        if is_told {
            strict::executed(self, operation.name());
        }
        if self.has_moved(before) {
            self.resolve(before, operands);
        }
        Ok(())
    }

    /// The record of the capture that the stream is in, with the driver's number of it, and whether the stream is surely in it
    /// as long as [`Record::holds_its_streams`]. `None` when work is executed. The record is taken from those at hand.
    ///
    /// The driver is asked, unless it gave the answer before and that still holds.
    #[inline(always)]
    fn take_record(&self, is_shared: bool) -> Result<Option<(u64, Arc<Record>, bool)>> {
        // 0 for the per-thread stream, of which each thread has one, and the legacy stream, which is not asked about.
        let confirmed = if is_shared { 0 } else { self.0.membership.confirmed.load(Ordering::Relaxed) };
        let capture = match confirmed {
            0 => match self.recording_number() {
                Some(capture) => capture,
                None => return Ok(None),
            },
            confirmed => confirmed,
        };
        let find = || match confirmed {
            0 => self.find(capture),
            // The driver may number another one by now, or none.
            confirmed => Ok(self.known(confirmed)),
        };
        let record = take_at_hand(capture, |record| record.is_of(self.context(), capture), find)?;
        // A capture never begins to hold its streams, so it held them when the driver was asked.
        let is_sure = !is_shared && record.as_ref().is_some_and(|record| record.holds_its_streams());
        if confirmed != if is_sure { capture } else { 0 } {
            return self.take_record_anew(capture, record, is_sure);
        }
        Ok(record.map(|record| (capture, record, is_sure)))
    }

    /// Notes what the driver said of the stream, or asks it again as what it said before does not hold any more.
    #[cold]
    #[inline(never)]
    fn take_record_anew(
        &self,
        capture: u64,
        record: Option<Arc<Record>>,
        is_sure: bool,
    ) -> Result<Option<(u64, Arc<Record>, bool)>> {
        if is_sure {
            self.confirm(capture);
            return Ok(record.map(|record| (capture, record, true)));
        }
        self.confirm(0);
        self.take_record(false)
    }

    #[inline(always)]
    fn submit_asking<O: Operands>(
        &self,
        before: u64,
        is_shared: bool,
        operation: Operation,
        operands: &O,
        call: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let Some((capture, record, is_sure)) = self.take_record(is_shared)? else {
            return self.submit_eagerly(before, operation, operands, call);
        };
        if !record.keep(operands, |list| self.retain(list))? {
            return self.submit_eagerly(before, operation, operands, call);
        }
        // The capture may have ended unseen. On a per-thread stream that nobody shares only this thread can end one.
        if is_shared || !(is_sure || self.id() == StreamId::PER_THREAD) {
            operands.note_use(self.id());
        }
        let index = if is_shared { 0 } else { self.index() };
        let reuse = record.log.state.reuse.get();
        if let Some(reuse) = reuse {
            self.check_uses(reuse, operands)?;
        }
        record.log.count(index, self);
        // A library makes as many nodes as it likes.
        if operation == Operation::Library {
            record.log.miscounts();
        }
        if let Err(error) = call() {
            record.log.uncount(index);
            record.forget(operands);
            return Err(error);
        }
        record.log.note_call(operation);
        if let Some(reuse) = reuse {
            self.note_uses(reuse, operands);
        }
        let is_settled = if is_sure { record.holds_its_streams() } else { record.is_settled() };
        put_at_hand(capture, Some(record));
        if !is_settled || self.has_moved(before) {
            self.resolve(before, operands);
        }
        Ok(())
    }

    /// After a call that raced a begin, join or end: it counts as executed, and as recorded in each capture that the
    /// stream was in since `before`.
    #[cold]
    pub(crate) fn resolve(&self, before: u64, operands: &impl Operands) {
        operands.note_executed(self.id());
        let (mut records, is_one_forgotten) =
            self.membership().map_or_else(Default::default, |membership| membership.since(before));
        // It may have joined one through an event that others recorded.
        records.extend(self.recorded_in().ok().flatten());
        for record in &records {
            // It may be counted and executed, or recorded and not counted.
            record.log.joined_unseen();
            record.log.miscounts();
            record.keep_late(operands.collect(), |list| self.retain(list));
        }
        if is_one_forgotten {
            stay_for(&[StreamId::UNKNOWN], &operands.collect::<Vec<_>>());
        }
    }

    /// Records an event through `record` and gives the mark that it then carries.
    pub(crate) fn mark(&self, record: impl FnOnce() -> Result<()>) -> Result<Option<Marker>> {
        let before = self.moment();
        let reached = self.reached();
        record().map_err(|error| black_box::failed_on(self, error))?;
        let entered = if self.has_moved(before) { self.latest() } else { None };
        let record = match entered {
            None if self.is_shared() || self.may_be_captured() => self.recorded_in()?,
            entered => entered,
        };
        Ok(record.map(|record| {
            record.log.note_call(Operation::EventRecord);
            Marker::new(record, self.index(), reached)
        }))
    }
}
