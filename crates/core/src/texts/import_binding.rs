//! The objects that are bound to the names in a text of a graph, and what is told of a text that is wrong.

use std::collections::HashMap;

use crate::graphs::graph::Graph;
use crate::objects::buffer::Buffer;
use crate::objects::event::Event;
use crate::objects::host_buffer::HostBuffer;
use crate::objects::kernel::Kernel;
use crate::objects::module::Module;
use crate::operations::copy::HostPointer;
use crate::operations::located::Memory;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::quoted;
use graphcap_base::room;
use graphcap_driver::HostFunction;

/// An object that a text of a graph uses by a name.
#[derive(Clone, Copy)]
pub struct Binding<'a> {
    /// The name in the text, among the objects of its kind. Buffers, host buffers and host memory are one kind.
    pub name: &'a str,
    /// The object.
    pub object: Bound<'a>,
}

/// Object that is bound.
#[derive(Clone, Copy)]
pub enum Bound<'a> {
    /// Device memory.
    Buffer(&'a Buffer),
    /// Pinned host memory.
    HostBuffer(&'a HostBuffer),
    /// So many bytes of host memory of the caller's.
    Host(HostPointer, usize),
    /// A kernel.
    Kernel(&'a Kernel),
    /// An event.
    Event(&'a Event),
    /// A function that host nodes call.
    Function(&'a HostFunction),
    /// All objects of that graph that its text has names for, but for plain host memory: where nothing else is bound to the name. The
    /// binding has no name of its own.
    Graph(&'a Graph),
    /// Those of these objects that belong to the context of the import and that the text has names for, where nothing else is bound to
    /// the name. The binding has no name of its own.
    Live(&'a LiveObjects),
}

/// Objects that live in the process, of any context. Holding them keeps them alive.
#[derive(Default)]
pub struct LiveObjects {
    /// Buffers and host buffers. Those without a name are not found.
    pub memory: Vec<Memory>,
    /// Kernels.
    pub kernels: Vec<Kernel>,
    /// Modules, whose kernels are found too.
    pub modules: Vec<Module>,
    /// Events. Those without a name are not found.
    pub events: Vec<Event>,
}

/// Memory that is bound.
#[derive(Clone, Copy)]
pub(crate) enum BoundMemory<'a> {
    Buffer(&'a Buffer),
    HostBuffer(&'a HostBuffer),
    Host(HostPointer, usize),
}

/// All that is bound, by names.
#[derive(Default)]
pub(crate) struct Bindings<'a> {
    pub(crate) memory: HashMap<&'a str, BoundMemory<'a>>,
    pub(crate) kernels: HashMap<&'a str, &'a Kernel>,
    pub(crate) events: HashMap<&'a str, &'a Event>,
    pub(crate) functions: HashMap<&'a str, &'a HostFunction>,
    /// Graph whose objects are bound where nothing else is.
    pub(crate) graph: Option<&'a Graph>,
    /// Objects among which those are looked for that nothing is bound to.
    pub(crate) live: Option<&'a LiveObjects>,
}

impl<'a> BoundMemory<'a> {
    pub(super) fn of(memory: &'a Memory) -> BoundMemory<'a> {
        match memory {
            Memory::Buffer(buffer) => BoundMemory::Buffer(buffer),
            Memory::HostBuffer(buffer) => BoundMemory::HostBuffer(buffer),
        }
    }
}

impl<'a> Bindings<'a> {
    /// # Errors
    /// `INVALID_VALUE` for two bindings of one name and kind, two graphs, or twice live objects; `OUT_OF_MEMORY`.
    pub(crate) fn new(list: &[Binding<'a>]) -> Result<Bindings<'a>> {
        /// Most bytes that each takes while its table grows.
        const OF_BINDING: usize = 4 * (size_of::<&str>() + size_of::<BoundMemory<'static>>());
        room::ask(list.len().saturating_mul(OF_BINDING))?;
        let mut bindings = Bindings::default();
        for &Binding { name, object } in list {
            let was_there = match object {
                Bound::Buffer(buffer) => bindings.memory.insert(name, BoundMemory::Buffer(buffer)).is_some(),
                Bound::HostBuffer(buffer) => bindings.memory.insert(name, BoundMemory::HostBuffer(buffer)).is_some(),
                Bound::Host(pointer, bytes) => {
                    bindings.memory.insert(name, BoundMemory::Host(pointer, bytes)).is_some()
                }
                Bound::Kernel(kernel) => bindings.kernels.insert(name, kernel).is_some(),
                Bound::Event(event) => bindings.events.insert(name, event).is_some(),
                Bound::Function(function) => bindings.functions.insert(name, function).is_some(),
                Bound::Graph(graph) if bindings.graph.replace(graph).is_some() => {
                    return Err(Error::invalid_value("two graphs are bound, and one gives the objects; leave one out"));
                }
                Bound::Live(live) if bindings.live.replace(live).is_some() => {
                    return Err(Error::invalid_value(
                        "the objects of the process are bound twice; leave one binding out",
                    ));
                }
                Bound::Graph(_) | Bound::Live(_) => false,
            };
            if was_there {
                return Err(Error::invalid_value(format!(
                    "two bindings have the name {}; leave one out",
                    quoted(name)
                )));
            }
        }
        Ok(bindings)
    }
}

/// Fault of a text, and its place.
pub(crate) struct Wrong {
    status: Status,
    /// The members and elements that lead there, the outermost first.
    path: String,
    message: String,
}

impl Wrong {
    #[cold]
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Wrong {
        Wrong { status, path: String::new(), message: message.into() }
    }

    #[cold]
    pub(crate) fn value(message: impl Into<String>) -> Wrong {
        Wrong::new(Status::INVALID_VALUE, message)
    }

    /// It is within a member or an element.
    #[cold]
    pub(crate) fn under(mut self, member: &str) -> Wrong {
        self.path = match self.path.is_empty() {
            true => member.to_owned(),
            false => format!("{member}.{}", self.path),
        };
        self
    }

    /// As the error of a call.
    #[cold]
    pub(crate) fn into_error(self) -> Error {
        let Wrong { status, path, message } = self;
        Error::new(status, if path.is_empty() { message } else { format!("{path}: {message}") })
    }
}

impl From<Error> for Wrong {
    #[cold]
    fn from(error: Error) -> Wrong {
        Wrong::new(error.status, error.message)
    }
}
