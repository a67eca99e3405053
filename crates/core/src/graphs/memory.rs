//! Memory that nodes of graphs allocate and free: the nodes, the buffers that name it, and how much of it there is.

use super::graph::Graph;
use super::node_params::{not_known, not_of_kind};
use crate::captures::black_box::Operation;
use crate::captures::guarded;
use crate::objects::buffer::{Buffer, BufferInner, Origin};
use crate::objects::name::naming;
use crate::operations::operands::Operand;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_driver::{check_caller, Allocated, GraphMemory, GraphRef, NodeId, Work};

impl Buffer {
    /// Allocation of a node.
    fn of_node(context: &Context, Allocated { memory, address, bytes, .. }: Allocated) -> Buffer {
        Buffer::new(context, memory, address, bytes, Origin::Node)
    }

    /// The error of a call on the buffer, with its name.
    #[cold]
    pub(crate) fn naming(&self, error: Error) -> Error {
        naming(error, "buffer", self.name())
    }
}

impl Graph {
    /// Adds a node that allocates `bytes` bytes when it runs. The buffer names the memory for other nodes, and for streams while it
    /// is allocated: from a launch on until a node, [`Stream::free`], or a later launch of an exec that frees by itself, frees it.
    /// A launch that finds it allocated is refused. The address is the same in all launches.
    ///
    /// Dropping the buffer frees nothing.
    ///
    /// # Errors
    /// As [`Graph::add_node`]; `INVALID_VALUE` for 0 bytes; `NOT_SUPPORTED` in the graph of a child node.
    ///
    /// # Examples
    /// Memory that lives within the graph:
    ///
    /// ```
    /// use graphcap::core::{Context, Fill, Graph, NodeWork, Stream};
    /// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let stream = Stream::create(&context, StreamOptions::default())?;
    /// let graph = Graph::create(&context)?;
    /// let (begin, scratch) = graph.add_allocation(&[], 64)?;
    /// let ones = Fill { buffer: &scratch, offset: 0, value: 1, element_size: 4, width: 16, height: 1, pitch: 0 };
    /// let set = graph.add_node(&[begin], &NodeWork::Memset(ones))?;
    /// graph.add_node(&[set], &NodeWork::Free(&scratch))?;
    /// let exec = graph.instantiate()?;
    /// exec.launch(&stream)?;
    /// exec.launch(&stream)?;
    /// stream.synchronize()?;
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn add_allocation(&self, dependencies: &[NodeId], bytes: usize) -> Result<(NodeId, Buffer)> {
        check_caller()?;
        if bytes == 0 {
            return Err(Error::invalid_value("a node cannot allocate 0 bytes; the size must be at least 1"));
        }
        let mut edits = self.0.root().lock()?;
        // First, since it can fail.
        let holdings = self.0.holdings(&mut edits)?;
        let made = self.context().driver()?.graph_add_allocation(self.id(), dependencies, bytes)?;
        let buffer = Buffer::of_node(self.context(), made);
        // So that the node's memory is found by its buffer as long as there is the node.
        holdings.add(self.0.keeper(made.node), &Operand::Buffer(&buffer));
        edits.changes.note_other();
        Ok((made.node, buffer))
    }

    /// The memory that a node allocates or frees.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no such node of the graph; `NOT_FOUND` for a node of others that frees what graphcap does not
    /// know.
    pub fn node_buffer(&self, node: NodeId) -> Result<Buffer> {
        check_caller()?;
        let mut address = None;
        let mut allocates = false;
        self.context().driver()?.node_work(GraphRef::Known(self.id()), node, &mut |work| match work {
            Work::MemAlloc(made) => (address, allocates) = (Some(made.address), true),
            Work::MemFree(freed) => address = Some(freed.address),
            _ => {}
        })?;
        let wanted = "a node that allocates or frees memory";
        let address = address.ok_or_else(|| self.naming(node, not_of_kind(node, wanted)))?;
        let found = self.find_kept(node, |kept| {
            let buffer = Buffer::from_inner(kept.object::<BufferInner>()?);
            (buffer.origin() == Origin::Node && buffer.address() == address).then_some(buffer)
        })?;
        match found {
            Some(buffer) => Ok(buffer),
            None if allocates => {
                let made = self.context().driver()?.node_allocation(self.id(), node)?;
                Ok(Buffer::of_node(self.context(), made))
            }
            None => Err(self.naming(node, not_known(node, "memory"))),
        }
    }
}

impl Stream {
    /// Frees memory that a launch of a graph allocated and left, when the stream comes to it. While the stream is captured a node is
    /// recorded that frees it. The graph can be launched again.
    ///
    /// # Errors
    /// `INVALID_VALUE` for memory that is not allocated, and for a buffer of another kind; `INVALID_CONTEXT` for a buffer of another
    /// context; what the capture rules say of an unsafe call.
    pub fn free(&self, buffer: &Buffer) -> Result<()> {
        self.home().check(buffer.context(), "the buffer")?;
        let freed = buffer.freed_in_graphs()?;
        guarded::unsafe_work(self)?;
        let submitted = self.submit_work(Operation::Free, &Operand::Buffer(buffer), &Work::MemFree(freed));
        submitted.map_err(|error| buffer.naming(error))
    }
}

impl Context {
    /// Returns how much memory the nodes of graphs have of the device, those of all contexts of the process together.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn graph_memory(&self) -> Result<GraphMemory> {
        check_caller()?;
        self.driver()?.graph_memory()
    }

    /// Makes the highest numbers of [`Context::graph_memory`] begin anew from what is in use.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn reset_graph_memory_high(&self) -> Result<()> {
        check_caller()?;
        self.driver()?.graph_memory_reset_high()
    }

    /// Gives back to the device the memory that it holds for graphs and no graph uses.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn trim_graph_memory(&self) -> Result<()> {
        check_caller()?;
        self.driver()?.graph_memory_trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::operations::node_work::NodeWork;
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{MemcpyKind, NodeKind, StreamOptions};

    #[test]
    fn a_node_keeps_the_name_of_its_memory() {
        let (driver, context) = Faulty::context();
        let graph = Graph::create(&context).unwrap();
        let (node, buffer) = graph.add_allocation(&[], 64).unwrap();
        let address = buffer.address();
        assert_eq!((buffer.size(), graph.node_params(node).unwrap().kind()), (64, NodeKind::MemAlloc));
        drop(buffer);
        assert!(driver.is_allocated(address));
        let again = graph.node_buffer(node).unwrap();
        assert_eq!(again.address(), address);
        let free = graph.add_node(&[node], &NodeWork::Free(&again)).unwrap();
        drop(again);
        assert_eq!(graph.node_buffer(free).unwrap().address(), address);
        let exec = graph.instantiate().unwrap();
        drop(graph);
        assert!(driver.is_allocated(address), "an exec keeps it too");
        drop(exec);
        assert!(!driver.is_allocated(address));
        assert_eq!((driver.live(), driver.violations()), (0, Vec::<String>::new()));
    }

    #[test]
    fn an_allocation_is_added_wholly_or_not_at_all() {
        let (driver, context) = Faulty::context();
        let graph = Graph::create(&context).unwrap();
        let status = |made: Result<(NodeId, Buffer)>| made.map(drop).unwrap_err().status;
        assert_eq!(status(graph.add_allocation(&[], 0)), Status::INVALID_VALUE);
        driver.fail("graph_add_allocation", Status::OUT_OF_MEMORY);
        assert_eq!(status(graph.add_allocation(&[], 64)), Status::OUT_OF_MEMORY);
        assert_eq!(graph.node_count().unwrap(), 0);
        drop(graph);
        assert_eq!((driver.live(), driver.violations()), (0, Vec::<String>::new()));
    }

    #[test]
    fn memory_of_graphs_is_freed_by_streams_and_other_memory_is_not() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let graph = Graph::create(&context).unwrap();
        let plain = Buffer::allocate(&context, 64).unwrap();
        let (_, buffer) = graph.add_allocation(&[], 64).unwrap();
        assert_eq!(stream.free(&plain).unwrap_err().status, Status::INVALID_VALUE);
        assert_eq!(graph.add_node(&[], &NodeWork::Free(&plain)).unwrap_err().status, Status::INVALID_VALUE);
        let exec = graph.instantiate().unwrap();
        exec.launch(&stream).unwrap();
        stream.synchronize().unwrap();
        stream.free(&buffer).unwrap();
        assert_eq!(driver.executed(), [stream.id()]);
        exec.launch(&stream).unwrap();
        stream.synchronize().unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        stream.memcpy_host(MemcpyKind::HostToDevice, &buffer, 0, 64, 8).unwrap();
        stream.free(&buffer).unwrap();
        let recorded = stream.end_capture().unwrap();
        let nodes = recorded.nodes().unwrap().nodes;
        assert_eq!(recorded.node_params(nodes[1]).unwrap().kind(), NodeKind::MemFree);
        let address = buffer.address();
        drop((buffer, graph, exec));
        assert!(driver.is_allocated(address), "the recorded nodes keep it");
        assert_eq!(recorded.remove_node(nodes[0]).unwrap_err().status, Status::NOT_SUPPORTED);
        assert_eq!(recorded.node_buffer(nodes[1]).unwrap().address(), address);
        drop((recorded, stream, plain));
        assert!(!driver.is_allocated(address));
        assert_eq!((driver.live(), driver.violations()), (0, Vec::<String>::new()));
    }

    #[test]
    fn what_graphs_have_of_the_device_is_passed_on() {
        let (driver, context) = Faulty::context();
        assert_eq!(context.graph_memory(), context.driver().unwrap().graph_memory());
        driver.fail("graph_memory_trim", Status::UNKNOWN);
        assert_eq!(context.trim_graph_memory().unwrap_err().status, Status::UNKNOWN);
        driver.fail("graph_memory_reset_high", Status::UNKNOWN);
        assert_eq!(context.reset_graph_memory_high().unwrap_err().status, Status::UNKNOWN);
    }
}
