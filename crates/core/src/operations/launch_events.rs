//! Launches that record events: when all blocks have triggered them, or have begun.

use smallvec::SmallVec;

use crate::captures::membership::Marker;
use crate::objects::event::Event;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::state::Stream;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::MutexGuard;
use graphcap_driver::{LaunchAttribute, LaunchShape};

/// An event that a launch records.
#[derive(Clone, Copy, Debug)]
pub struct LaunchEvent<'a> {
    /// The event.
    pub event: &'a Event,
    /// Way in which it is recorded: an attribute of a programmatic event or of a completion event. What it names an event by is not read.
    pub attribute: LaunchAttribute,
}

/// Form in which a kernel is launched.
#[derive(Clone, Copy)]
pub(crate) struct KernelLaunch<'a> {
    pub(crate) shape: LaunchShape,
    pub(crate) arguments: &'a [KernelArgument<'a>],
    pub(crate) attributes: &'a [LaunchAttribute],
    pub(crate) events: &'a [LaunchEvent<'a>],
}

impl Stream {
    /// Launches a kernel as [`Stream::launch_kernel`](Stream) does, with attributes beyond its shape, and records `events`: each of
    /// another kind, and each another event. On a device without such launches each is recorded when the kernel is over. In a capture
    /// they stand for the kernel's node.
    ///
    /// # Errors
    /// As [`Stream::launch_kernel`](Stream); `INVALID_CONTEXT` for an event of another context; `INVALID_VALUE` for an event that is
    /// listed twice.
    ///
    /// # Safety
    /// As for other launches.
    #[allow(unsafe_code)]
    pub unsafe fn launch_kernel_recording(
        &self,
        kernel: &Kernel,
        shape: LaunchShape,
        arguments: &[KernelArgument<'_>],
        attributes: &[LaunchAttribute],
        events: &[LaunchEvent<'_>],
    ) -> Result<()> {
        self.submit_launch(kernel, KernelLaunch { shape, arguments, attributes, events })
    }

    #[inline]
    pub(crate) fn submit_launch(&self, kernel: &Kernel, launch: KernelLaunch<'_>) -> Result<()> {
        let KernelLaunch { shape, arguments, attributes, events } = launch;
        if name_events(attributes) {
            return Err(Error::invalid_value(
                "the events that a launch records are given apart from its other attributes; list them among its events",
            ));
        }
        match events.is_empty() {
            true => self.submit_kernel(kernel, shape, arguments, attributes),
            false => self.submit_recording(kernel, launch),
        }
    }

    #[cold]
    fn submit_recording(&self, kernel: &Kernel, launch: KernelLaunch<'_>) -> Result<()> {
        let KernelLaunch { shape, arguments, attributes, events } = launch;
        let mut all: SmallVec<[LaunchAttribute; 8]> = attributes.into();
        // By address, so that two threads do not wait for each other.
        let mut sorted: SmallVec<[&Event; 2]> = SmallVec::new();
        for LaunchEvent { event, attribute } in events {
            self.context().check_same("the stream", event.context(), "the event")?;
            if !name_events(&[*attribute]) {
                return Err(Error::invalid_value(format!(
                    "attribute {} has a launch record no event; give one of a programmatic event or of a completion event",
                    attribute.id
                )));
            }
            if all.iter().any(|other| other.id == attribute.id) {
                return Err(Error::invalid_value("a launch records at most one event of each kind"));
            }
            all.push(attribute.with_event(event.id().0));
            sorted.push(event);
        }
        sorted.sort_unstable_by_key(|event| event.address());
        if sorted.windows(2).any(|pair| pair[0].number() == pair[1].number()) {
            return Err(Error::invalid_value("a launch records an event once; give it another one for the other kind"));
        }
        let mut markers: SmallVec<[MutexGuard<'_, Option<Marker>>; 2]> =
            sorted.iter().map(|event| event.marker()).collect();
        let mark = self.mark(|| self.submit_kernel(kernel, shape, arguments, &all))?;
        for (marker, event) in markers.iter_mut().zip(sorted) {
            marker.clone_from(&mark);
            event.note_recorded();
        }
        Ok(())
    }
}

/// Returns whether one of the attributes is that of an event.
#[inline]
fn name_events(attributes: &[LaunchAttribute]) -> bool {
    attributes.iter().any(|attribute| attribute.event().is_some())
}

/// Refuses attributes of events, where nothing but a launch on a stream can record one.
pub(crate) fn check_no_events(attributes: &[LaunchAttribute]) -> Result<()> {
    match name_events(attributes) {
        true => Err(Error::invalid_value(
            "only launches on streams record events; give a node an edge to an event record node",
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::{rejected, Faulty};
    use crate::Buffer;
    use graphcap_driver::launch_attributes::{COMPLETION_EVENT, PRIORITY, PROGRAMMATIC_EVENT};
    use graphcap_driver::{EventOptions, ModuleSource, StreamOptions};

    #[test]
    fn what_is_wrong_with_the_events_of_a_launch_is_told_apart() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let [event, other] = [(); 2].map(|()| Event::create(&context, EventOptions::default()).unwrap());
        let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k").unwrap();
        let buffer = Buffer::allocate(&context, 8).unwrap();
        let buffer = KernelArgument::Buffer { buffer: &buffer, offset: 0, access: Default::default() };
        let arguments = [buffer, KernelArgument::Value(&[0; 4])];
        let shape = LaunchShape::ONE_THREAD;
        let attribute = |id| LaunchAttribute { id, value: [0; 64] };
        let launch = |attributes: &[LaunchAttribute], events: &[LaunchEvent<'_>]| {
            stream.submit_launch(&kernel, KernelLaunch { shape, arguments: &arguments, attributes, events })
        };
        let of = |event, id| LaunchEvent { event, attribute: attribute(id) };
        rejected(launch(&[attribute(COMPLETION_EVENT)], &[]), "among its events");
        rejected(launch(&[], &[of(&event, PRIORITY)]), "no event");
        rejected(launch(&[], &[of(&event, COMPLETION_EVENT), of(&other, COMPLETION_EVENT)]), "one event of each kind");
        rejected(launch(&[], &[of(&event, COMPLETION_EVENT), of(&event, PROGRAMMATIC_EVENT)]), "records an event once");
        assert_eq!(driver.executed(), []);
        launch(&[], &[of(&event, COMPLETION_EVENT), of(&other, PROGRAMMATIC_EVENT)]).unwrap();
        assert_eq!(driver.executed(), [stream.id()]);
    }
}
