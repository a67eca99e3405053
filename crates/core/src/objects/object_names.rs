//! Names of buffers, host buffers, events, streams and graphs.

use std::sync::Arc;

use super::buffer::Buffer;
use super::event::Event;
use super::host_buffer::HostBuffer;
use crate::graphs::graph::Graph;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::StreamId;

impl Buffer {
    /// The name that [`Buffer::set_name`] gave it.
    pub fn name(&self) -> Option<Arc<str>> {
        self.own_name().get()
    }

    /// Gives the buffer a name, which messages and texts of graphs call it by. The empty text takes the name away. Handles of
    /// one buffer share the name.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a name of more than [`NAME_LIMIT`](crate::NAME_LIMIT) bytes.
    pub fn set_name(&self, name: &str) -> Result<()> {
        self.own_name().set(name)?;
        self.context().driver_even_if_stale().memory_named(self.address(), name);
        Ok(())
    }
}

impl HostBuffer {
    /// As [`Buffer::name`].
    pub fn name(&self) -> Option<Arc<str>> {
        self.memory().name()
    }

    /// As [`Buffer::set_name`].
    ///
    /// # Errors
    /// As [`Buffer::set_name`].
    pub fn set_name(&self, name: &str) -> Result<()> {
        self.memory().set_name(name)
    }
}

impl Event {
    /// As [`Buffer::name`].
    pub fn name(&self) -> Option<Arc<str>> {
        self.own_name().get()
    }

    /// As [`Buffer::set_name`].
    ///
    /// # Errors
    /// As [`Buffer::set_name`].
    pub fn set_name(&self, name: &str) -> Result<()> {
        self.own_name().set(name)
    }
}

impl Stream {
    /// As [`Buffer::name`]. The default streams have none.
    pub fn name(&self) -> Option<Arc<str>> {
        self.0.name.get()
    }

    /// As [`Buffer::set_name`].
    ///
    /// # Errors
    /// As [`Buffer::set_name`]; `NOT_SUPPORTED` for a default stream, which messages call by what it is.
    pub fn set_name(&self, name: &str) -> Result<()> {
        match self.id() {
            StreamId::LEGACY | StreamId::PER_THREAD => Err(not_named("a default stream", "is called by what it is")),
            _ => self.0.name.set(name),
        }
    }
}

impl Graph {
    /// As [`Buffer::name`]. A graph within a node has none.
    pub fn name(&self) -> Option<Arc<str>> {
        if self.0.is_within() {
            return None;
        }
        self.0.root().names.graph.get()
    }

    /// As [`Buffer::set_name`]. Copies that are made of the graph from then on begin with the name.
    ///
    /// # Errors
    /// As [`Buffer::set_name`]; `NOT_SUPPORTED` for a graph within a node, which goes by the name of the node.
    pub fn set_name(&self, name: &str) -> Result<()> {
        match self.0.is_within() {
            true => Err(not_named("a graph within a node", "goes by the name of the node; name that one")),
            false => self.0.root().names.graph.set(name),
        }
    }
}

#[cold]
fn not_named(what: &str, why: &str) -> Error {
    Error::new(Status::NOT_SUPPORTED, format!("{what} is not given a name: it {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::NAME_LIMIT;
    use graphcap_driver::{EventOptions, HostMemoryOptions, StreamOptions};

    #[test]
    fn objects_have_the_name_that_they_were_given_last() {
        let (_driver, context) = Faulty::context();
        let buffer = Buffer::allocate(&context, 16).unwrap();
        let host = HostBuffer::allocate(&context, 16, HostMemoryOptions::default()).unwrap();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let graph = Graph::create(&context).unwrap();
        type Get<'a> = Box<dyn Fn() -> Option<Arc<str>> + 'a>;
        type Set<'a> = Box<dyn Fn(&str) -> Result<()> + 'a>;
        let objects: [(Get<'_>, Set<'_>); 5] = [
            (Box::new(|| buffer.clone().name()), Box::new(|name| buffer.set_name(name))),
            (Box::new(|| host.clone().name()), Box::new(|name| host.set_name(name))),
            (Box::new(|| event.clone().name()), Box::new(|name| event.set_name(name))),
            (Box::new(|| stream.clone().name()), Box::new(|name| stream.set_name(name))),
            (Box::new(|| graph.clone().name()), Box::new(|name| graph.set_name(name))),
        ];
        for (get, set) in &objects {
            assert_eq!(get(), None);
            set("first").unwrap();
            set(&"n".repeat(NAME_LIMIT)).unwrap();
            assert_eq!(set(&"n".repeat(NAME_LIMIT + 1)).unwrap_err().status, Status::INVALID_VALUE);
            assert_eq!(get().map(|name| name.len()), Some(NAME_LIMIT), "a refused name changes nothing");
            set("").unwrap();
            assert_eq!(get(), None);
        }
    }

    #[test]
    fn default_streams_go_by_what_they_are() {
        let (_driver, context) = Faulty::context();
        for stream in [context.legacy_stream(), context.per_thread_stream()] {
            assert_eq!(stream.set_name("mine").unwrap_err().status, Status::NOT_SUPPORTED);
            assert_eq!(stream.name(), None);
        }
    }

    #[test]
    fn messages_call_objects_by_their_names() {
        let (_driver, context) = Faulty::context();
        let buffer = Buffer::allocate(&context, 16).unwrap();
        let message = |bytes| buffer.range("source", 8, bytes).unwrap_err().message;
        assert!(message(9).contains("overrun the buffer, which"), "{}", message(9));
        buffer.set_name("weights").unwrap();
        assert!(message(9).contains("overrun the buffer \"weights\", which"), "{}", message(9));
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        stream.set_name("copies").unwrap();
        assert!(stream.label().ends_with("\"copies\""), "{}", stream.label());
    }
}
