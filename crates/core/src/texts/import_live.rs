//! Objects that live in the process, among which an import looks for what nothing is bound to.

use std::collections::HashSet;
use std::sync::Arc;

use super::import_binding::{Bindings, LiveObjects, Wrong};
use super::picture::{MemoryKind, Picture};
use crate::objects::event::Event;
use crate::objects::kernel::Kernel;
use crate::operations::located::Memory;
use crate::state::Context;
use graphcap_base::error::{Result, Status};
use graphcap_base::names::{listed, quoted};
use graphcap_devices::BuiltInKernel;

/// An object with the name that is looked for.
struct Candidate<T> {
    object: T,
    /// Tells it from others of the name.
    text: String,
    /// The reason for which it does not fit; `None` for one that does.
    refusal: Option<Status>,
}

impl LiveObjects {
    /// Finds the objects of `picture` that nothing is bound to: those of the same name, kind and size in `context`.
    ///
    /// # Errors
    /// `INVALID_VALUE` where several fit, and where those of the name have another kind or size; `INVALID_CONTEXT` where they are of
    /// other contexts; what the device says of a module.
    pub(super) fn bind(&self, context: &Context, picture: &Picture, bindings: &mut Bindings) -> Result<(), Wrong> {
        for (index, memory) in picture.memory.iter().enumerate() {
            let name = memory.name.as_str();
            let is_host = match memory.kind {
                MemoryKind::Snapshot | MemoryKind::Allocation => continue,
                MemoryKind::Buffer | MemoryKind::Foreign => false,
                MemoryKind::HostBuffer | MemoryKind::Host => true,
            };
            if bindings.memory.contains_key(name) {
                continue;
            }
            let chosen = choose(name, self.memory_of(context, name, is_host, memory.bytes));
            let chosen = chosen.map_err(|wrong| wrong.under(&format!("memory[{index}]")))?;
            bindings.memory.extend(chosen.map(|memory| (name.to_owned(), memory.clone().into())));
        }
        for (index, kernel) in picture.kernels.iter().enumerate() {
            let name = kernel.name.as_str();
            if bindings.kernels.contains_key(name) || BuiltInKernel::named(name).is_some() {
                continue;
            }
            let chosen = self.kernels_of(context, name).map_err(Wrong::from).and_then(|list| choose(name, list));
            let chosen = chosen.map_err(|wrong| wrong.under(&format!("kernels[{index}]")))?;
            bindings.kernels.extend(chosen.map(|kernel| (name.to_owned(), kernel)));
        }
        for (index, event) in picture.events.iter().enumerate() {
            let name = event.name.as_str();
            if bindings.events.contains_key(name) {
                continue;
            }
            let chosen = choose(name, self.events_of(context, name));
            let chosen = chosen.map_err(|wrong| wrong.under(&format!("events[{index}]")))?;
            bindings.events.extend(chosen.map(|event| (name.to_owned(), event.clone())));
        }
        Ok(())
    }

    /// Memory of the name. Handles of one memory count once.
    fn memory_of(&self, context: &Context, name: &str, is_host: bool, bytes: Option<usize>) -> Vec<Candidate<&Memory>> {
        let mut seen = HashSet::new();
        let named = self.memory.iter().filter(|memory| memory.name().as_deref() == Some(name));
        let named = named.filter(|memory| seen.insert(Arc::as_ptr(&memory.buffer().inner())));
        named
            .map(|object| {
                let is_of_host = matches!(object, Memory::HostBuffer(_));
                let fits = is_of_host == is_host && bytes.is_none_or(|bytes| bytes == object.size());
                let kind = if is_of_host { "host buffer" } else { "buffer" };
                let start = object.starts().next().unwrap_or_default();
                let text = format!("a {kind} of {} bytes at {start:#x}", object.size());
                Candidate::new(object, text, fits, object.context().is(context))
            })
            .collect()
    }

    /// Kernels of the name, and those of modules of the context.
    fn kernels_of(&self, context: &Context, name: &str) -> Result<Vec<Candidate<Kernel>>> {
        let mut kernels: Vec<Kernel> = self.kernels.iter().filter(|kernel| kernel.name() == name).cloned().collect();
        for module in self.modules.iter().filter(|module| module.context().is(context)) {
            match module.kernel(name) {
                Ok(kernel) => kernels.push(kernel),
                Err(error) if error.status == Status::NOT_FOUND => {}
                Err(error) => return Err(error),
            }
        }
        let mut seen = HashSet::new();
        kernels.retain(|kernel| seen.insert(kernel.id()));
        let candidate = |kernel: Kernel| {
            let is_of_context = kernel.context().is(context);
            Candidate::new(kernel, "a kernel of a module".into(), true, is_of_context)
        };
        Ok(kernels.into_iter().map(candidate).collect())
    }

    fn events_of(&self, context: &Context, name: &str) -> Vec<Candidate<&Event>> {
        let mut seen = HashSet::new();
        let named = self.events.iter().filter(|event| event.name().as_deref() == Some(name));
        let named = named.filter(|event| seen.insert(event.id()));
        named.map(|event| Candidate::new(event, "an event".into(), true, event.context().is(context))).collect()
    }
}

impl<T> Candidate<T> {
    fn new(object: T, text: String, fits: bool, is_of_context: bool) -> Candidate<T> {
        let text = if is_of_context { text } else { format!("{text} of another context") };
        let refusal = match (fits, is_of_context) {
            (true, true) => None,
            (true, false) => Some(Status::INVALID_CONTEXT),
            (false, _) => Some(Status::INVALID_VALUE),
        };
        Candidate { object, text, refusal }
    }
}

/// The one that fits; `None` where no object has the name.
fn choose<T>(name: &str, candidates: Vec<Candidate<T>>) -> Result<Option<T>, Wrong> {
    let (mut fitting, others): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|one| one.refusal.is_none());
    if fitting.len() > 1 {
        return Err(Wrong::value(format!(
            "several objects of the process fit {}: {}; bind one of them",
            quoted(name),
            list_of(&fitting)
        )));
    }
    match (fitting.pop(), others.first().and_then(|other| other.refusal)) {
        (Some(one), _) => Ok(Some(one.object)),
        (None, None) => Ok(None),
        (None, Some(status)) => Err(Wrong::new(
            status,
            format!(
                "no object of the process named {} has the kind, the size and the context of the text; there is {}; bind an object",
                quoted(name),
                list_of(&others)
            ),
        )),
    }
}

fn list_of<T>(candidates: &[Candidate<T>]) -> String {
    listed(&candidates.iter().map(|one| one.text.as_str()).collect::<Vec<_>>())
}
