//! The objects that are bound to the names in a text of a graph, and what is told of a text that is wrong.

use std::collections::HashMap;
use std::sync::Arc;

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
#[derive(Clone)]
pub struct Binding<'a> {
    /// The name in the text, among the objects of its kind. Buffers, host buffers and host memory are one kind.
    pub name: &'a str,
    /// The object.
    pub object: Bound,
}

/// Object that is bound.
#[derive(Clone)]
pub enum Bound {
    /// Device memory.
    Buffer(Buffer),
    /// Pinned host memory.
    HostBuffer(HostBuffer),
    /// So many bytes of host memory of the caller's.
    Host(HostPointer, usize),
    /// A kernel.
    Kernel(Kernel),
    /// An event.
    Event(Event),
    /// A function that host nodes call.
    Function(HostFunction),
    /// All objects of that graph that its text has names for, but for plain host memory: where nothing else is bound to the name. The
    /// binding has no name of its own.
    Graph(Graph),
    /// Those of these objects that belong to the context of the import and that the text has names for, where nothing else is bound to
    /// the name. The binding has no name of its own.
    Live(Arc<LiveObjects>),
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

impl From<Memory> for Bound {
    fn from(memory: Memory) -> Bound {
        match memory {
            Memory::Buffer(buffer) => Bound::Buffer(buffer),
            Memory::HostBuffer(buffer) => Bound::HostBuffer(buffer),
        }
    }
}

/// All that is bound, by names. It keeps the objects.
#[derive(Default)]
pub(crate) struct Bindings {
    /// Buffers, host buffers and host memory.
    pub(crate) memory: HashMap<String, Bound>,
    pub(crate) kernels: HashMap<String, Kernel>,
    pub(crate) events: HashMap<String, Event>,
    pub(crate) functions: HashMap<String, HostFunction>,
    /// Graph whose objects are bound where nothing else is.
    pub(crate) graph: Option<Graph>,
    /// Objects among which those are looked for that nothing is bound to.
    pub(crate) live: Option<Arc<LiveObjects>>,
}

impl Bindings {
    /// # Errors
    /// `INVALID_VALUE` for two bindings of one name and kind, two graphs, or twice live objects; `OUT_OF_MEMORY`.
    pub(crate) fn new(list: &[Binding<'_>]) -> Result<Bindings> {
        /// Most bytes that each takes while its table grows.
        const OF_BINDING: usize = 4 * (size_of::<String>() + size_of::<Bound>());
        room::ask(list.len().saturating_mul(OF_BINDING))?;
        let mut bindings = Bindings::default();
        list.iter().try_for_each(|Binding { name, object }| bindings.bind(name, object.clone()))?;
        Ok(bindings)
    }

    /// Binds one more object.
    ///
    /// # Errors
    /// `INVALID_VALUE` where one of its name and kind is bound, or a second graph, or live objects twice.
    pub(super) fn bind(&mut self, name: &str, object: Bound) -> Result<()> {
        let key = name.to_owned();
        let was_there = match object {
            Bound::Buffer(_) | Bound::HostBuffer(_) | Bound::Host(..) => self.memory.insert(key, object).is_some(),
            Bound::Kernel(kernel) => self.kernels.insert(key, kernel).is_some(),
            Bound::Event(event) => self.events.insert(key, event).is_some(),
            Bound::Function(function) => self.functions.insert(key, function).is_some(),
            Bound::Graph(graph) if self.graph.replace(graph.clone()).is_some() => {
                return Err(Error::invalid_value("two graphs are bound, and one gives the objects; leave one out"));
            }
            Bound::Live(live) if self.live.replace(live.clone()).is_some() => {
                return Err(Error::invalid_value("the objects of the process are bound twice; leave one binding out"));
            }
            Bound::Graph(_) | Bound::Live(_) => false,
        };
        match was_there {
            true => Err(Error::invalid_value(format!("two bindings have the name {}; leave one out", quoted(name)))),
            false => Ok(()),
        }
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
