//! Work on its way to a stream: checked, made an action, and queued or recorded.

use std::sync::Arc;

use super::HostContext;
use crate::capture;
use crate::code::arguments::PackedArguments;
use crate::code::kernel::{self, Kernel, KernelCall};
use crate::code::launch_attributes::{self, Of};
use crate::engine::stream::{Op, Stream};
use crate::graph::{Action, RowsCall};
use crate::memory::guard;
use crate::memory::held;
use crate::memory::node_memory;
use crate::shared::OBJECTS;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::room;
use graphcap_driver::edges::after_event_of;
use graphcap_driver::ids::{key_of, no_such};
use graphcap_driver::refusals;
use graphcap_driver::{
    Address, Arguments, BatchCopy, BatchError, Launch, LaunchAttribute, MemcpyRows, Snapshot, StreamId, Submit, Work,
};

impl Submit for HostContext {
    #[inline]
    fn submit(&self, stream: StreamId, work: &Work<'_>) -> Result<()> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        if let Work::MemFree(freed) = work {
            return self.submit_free(&stream, freed.address);
        }
        let action = &mut match self.action(work) {
            Ok(action) => Some(action),
            Err(error) => return Err(refused(&stream, work, error)),
        };
        match work {
            Work::EventRecord(_) => {
                capture::refuse_on_legacy(&stream)?;
                self.record_only(&stream, action, "an EXTERNAL record")
            }
            Work::EventWait(_) => self.record_only(&stream, action, "an EXTERNAL wait"),
            // A capture takes a memset of any range; its replay fails if the range is not alive then.
            Work::Memset(set) => self.submit_or_record(&stream, action, || held::check_set(set)),
            Work::Values(operations) => {
                if action.as_ref().is_some_and(Action::waits_for_values) {
                    stream.cancellation.will_wait();
                }
                // A capture takes them for any range, as it does memsets.
                self.submit_or_record(&stream, action, || held::check_values(operations))
            }
            Work::Kernel(launch) if !launch.attributes.is_empty() => {
                self.launch_with_attributes(&stream, action, launch.attributes)
            }
            _ => self.submit_or_record(&stream, action, || Ok(())),
        }
    }

    /// All are checked before the first one is queued.
    fn submit_copies(&self, stream: StreamId, copies: &[BatchCopy<'_>]) -> std::result::Result<(), BatchError> {
        self.check_call()?;
        let stream = self.stream(stream)?;
        let mut actions = room::list(copies.len())?;
        for (index, copy) in copies.iter().enumerate() {
            actions.push(self.action(&copy.work()).map_err(|error| BatchError::at(index, error))?);
        }
        let submit = |(index, action)| {
            self.submit_or_record(&stream, &mut Some(action), || Ok(())).map_err(|error| BatchError::at(index, error))
        };
        actions.into_iter().enumerate().try_for_each(submit)
    }
}

impl HostContext {
    /// Launches a kernel, and records the events that its attributes name when it is over; in a capture, within it.
    #[cold]
    fn launch_with_attributes(
        &self,
        stream: &Arc<Stream>,
        action: &mut Option<Action>,
        attributes: &[LaunchAttribute],
    ) -> Result<()> {
        let events = attributes.iter().filter_map(|attribute| Some((attribute.event()?, after_event_of(attribute))));
        let events = events.map(|(event, data)| Ok((self.event(event)?, data)));
        let events: Vec<_> = events.collect::<Result<_>>()?;
        self.submit_or_record(stream, action, || Ok(()))?;
        events.iter().try_for_each(|(event, data)| event.record(stream, *data, |op| self.enqueue(stream, op)))
    }

    /// Returns what a stream or a node does for `work`. The checks are those that hold for both: of copies and of launches.
    #[inline]
    pub(super) fn action(&self, work: &Work<'_>) -> Result<Action> {
        Ok(match work {
            Work::Kernel(launch) => {
                let kernel =
                    OBJECTS.kernels.get(key_of(launch.kernel.0)).filter(|kernel| kernel.context == self.number());
                Action::Kernel(kernel_call(Of::Launch, launch, &*kernel.ok_or_else(|| no_such("kernel"))?)?)
            }
            Work::Memcpy { rows, snapshot } => {
                match rows.is_plain() {
                    true => held::check_copy(&rows.row)?,
                    false => held::check_rows(rows)?,
                }
                copy_action(rows, *snapshot)
            }
            Work::Memset(set) => Action::Memset(*set),
            Work::Host(function) => Action::Host(Arc::clone(function)),
            Work::Values(operations) => Action::Values((*operations).into()),
            Work::EventRecord(event) => Action::RecordEvent(Arc::clone(self.event(*event)?.point())),
            Work::EventWait(event) => Action::WaitEvent(Arc::clone(self.event(*event)?.point())),
            Work::Empty
            | Work::Child(_)
            | Work::Conditional(_)
            | Work::MemAlloc(_)
            | Work::MemFree(_)
            | Work::Opaque(_) => return Err(not_submitted()),
        })
    }
}

impl HostContext {
    /// Frees what a node allocated when the stream comes to it, or records a node that does.
    #[cold]
    fn submit_free(&self, stream: &Arc<Stream>, address: Address) -> Result<()> {
        capture::refuse_on_legacy(stream)?;
        if let Some(member) = capture::live_member(&mut stream.lock()) {
            if member.record_free(address)? {
                return Ok(());
            }
        }
        capture::unsafe_call()?;
        let release = node_memory::free(address)?;
        self.enqueue(stream, Op::Release(Arc::new(release)))
    }
}

/// A copy, unchecked.
#[inline]
pub(super) fn copy_action(rows: &MemcpyRows, snapshot: Option<&Snapshot>) -> Action {
    match snapshot {
        None if rows.is_plain() => Action::Memcpy(rows.row),
        _ => Action::MemcpyRows(Arc::new(RowsCall { copy: *rows, snapshot: snapshot.cloned() })),
    }
}

/// A launch of `kernel`, which `launch` names by its id.
#[inline(always)]
pub(super) fn kernel_call(of: Of, launch: &Launch<'_>, kernel: &Arc<Kernel>) -> Result<KernelCall> {
    kernel::check_shape(&launch.shape)?;
    let Arguments::Separate(arguments) = launch.arguments else { return Err(not_separate()) };
    Ok(KernelCall {
        kernel: Arc::clone(kernel),
        shape: launch.shape,
        arguments: PackedArguments::pack(arguments),
        attributes: launch_attributes::kept(of, &launch.shape, &kernel.attributes, launch.attributes)?,
        is_programmatic: launch_attributes::is_programmatic(launch.attributes),
        stated: match launch.stated {
            Some(stated) if guard::checks() => Some(Arc::new((stated.arguments.to_vec(), stated.is_whole))),
            _ => None,
        },
        grid_from: None,
    })
}

/// Returns what a refusal before the capture was looked at does to it: an impossible launch is the one argument error that breaks a
/// capture.
#[cold]
fn refused(stream: &Arc<Stream>, work: &Work<'_>, error: Error) -> Error {
    let Work::Kernel(launch) = work else { return error };
    if kernel::check_shape(&launch.shape).is_ok() {
        return error;
    }
    let broken = capture::refuse_on_legacy(stream).and_then(|()| match capture::live_member(&mut stream.lock()) {
        Some(member) => {
            member.check_active()?;
            member.capture.invalidate();
            Ok(true)
        }
        None => Ok(false),
    });
    match broken {
        Ok(false) => error,
        Ok(true) => refusals::broke_capture(error),
        Err(refusal) => refusal,
    }
}

#[cold]
fn not_submitted() -> Error {
    Error::invalid_value("a stream cannot be given this kind of work; add it to a graph as a node")
}

#[cold]
fn not_separate() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the host device does not take the arguments of a kernel in one block; give them one by one",
    )
}
