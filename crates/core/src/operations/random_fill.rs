//! Memory filled with random numbers: when the work runs, it takes the next numbers of a generator.
//!
//! A capture takes the numbers of all its fills at once, by one node without dependencies: it adds how many they are to the
//! generator's counter, atomically, and puts the former value into 8 bytes of memory, the *base*. Each fill depends on that node, and
//! begins at a number of its own behind the base. So fills in branches never race. Execs of one graph share the base, so that their
//! replays take turns; replays of several graphs run at once and draw other numbers.

use std::sync::Weak;

use super::node_work::NodeWork;
use crate::graphs::graph::Graph;
use crate::objects::access::{Access, BufferAccess};
use crate::objects::buffer::Buffer;
use crate::objects::kernel::KernelArgument;
use crate::objects::rng::{Reservation, Rng};
use crate::pools::launch_order::LaunchOrder;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_base::room;
use graphcap_driver::{check_caller, DependencyUpdate, LaunchShape, NodeId};

/// Threads of a block, each of which makes four numbers at a time.
const BLOCK: u32 = 256;
/// Blocks of a launch at most; a block goes on behind those of all blocks.
const MOST_BLOCKS: usize = 1 << 16;
/// Floats of a buffer that are filled.
#[derive(Clone, Copy, Debug)]
pub struct RandomFill<'a> {
    /// The buffer.
    pub buffer: &'a Buffer,
    /// The first byte; the address there is a multiple of 4.
    pub offset: usize,
    /// Number of floats; with 0 nothing is filled.
    pub count: usize,
    /// Numbers that are drawn.
    pub draw: Draw,
}

/// Numbers of a generator that are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draw {
    /// The next ones, whenever the work runs.
    Next,
    /// Each time those from element `first` of the sequence on. The generator does not move on.
    Repeat {
        /// The number of the element.
        first: u64,
    },
}

/// Returns whether numbers were taken for that graph.
fn is_of(taken: &Reservation, graph: &Graph) -> bool {
    taken.graph == graph.id() && taken.outermost.ptr_eq(&graph.0.root().outermost)
}

impl Rng {
    /// Fills floats of a buffer with numbers that are at least 0 and below 1: [`uniform`](graphcap_driver::rules::philox::uniform) of
    /// the elements. On a stream that is being captured the fill is recorded, and each replay draws.
    ///
    /// The fills of a capture that draw the next numbers follow one another in the sequence as they were recorded, on whatever
    /// streams. Several captures into one graph count as one.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the floats overrun the buffer or do not lie at a multiple of 4 bytes; `INVALID_CONTEXT` for a stream or a
    /// buffer of another context; `NOT_SUPPORTED` for the next numbers in a capture that others began; `OUT_OF_MEMORY`; and as for
    /// launches.
    pub fn fill_uniform(&self, stream: &Stream, fill: &RandomFill<'_>) -> Result<()> {
        check_caller()?;
        self.context().check_same("the generator", stream.context(), "the stream")?;
        self.context().check_same("the generator", fill.buffer.context(), "the buffer")?;
        fill.check()?;
        if fill.count == 0 {
            return Ok(());
        }
        match fill.draw {
            Draw::Repeat { first } => self.submit(stream, fill, None, first),
            Draw::Next if stream.is_recording()? => self.record_next(stream, fill),
            Draw::Next => {
                let base = Buffer::allocate(self.context(), size_of::<u64>())?;
                let count = (fill.count as u64).to_ne_bytes();
                stream.submit_node_work(&self.reserve(&self.reserve_arguments(&base, &count)))?;
                self.submit(stream, fill, Some(&base), 0)
            }
        }
    }

    /// Records a fill that draws the next numbers.
    fn record_next(&self, stream: &Stream, fill: &RandomFill<'_>) -> Result<()> {
        let graph = stream.capture_graph()?;
        let (node, base, first) = self.take(&graph, fill.count as u64)?;
        stream.update_capture_dependencies(&[node], DependencyUpdate::Add)?;
        self.submit(stream, fill, Some(&base), first)
    }

    /// Takes `count` numbers for a graph that is captured into. Gives the node that the fill has to run behind, where the base
    /// stands, and what the fill adds to that.
    pub(super) fn take(&self, graph: &Graph, count: u64) -> Result<(NodeId, Buffer, u64)> {
        let mut reservations = lock(self.reservations());
        reservations.retain(|taken| taken.outermost.strong_count() > 0);
        if let Some(at) = reservations.iter().position(|taken| is_of(taken, graph)) {
            let taken = &mut reservations[at];
            let first = taken.count;
            let sum = first.checked_add(count).ok_or_else(too_many)?;
            let set =
                graph.set_node(taken.node, &self.reserve(&self.reserve_arguments(&taken.base, &sum.to_ne_bytes())));
            match set {
                Ok(()) => {
                    taken.count = sum;
                    return Ok((taken.node, taken.base.clone(), first));
                }
                // The node was removed, or the graph that it was in.
                Err(error) if error.status == Status::INVALID_VALUE => drop(reservations.swap_remove(at)),
                Err(error) => return Err(error),
            }
        }
        reservations.try_reserve(1).map_err(|_| room::missing())?;
        let base = Buffer::allocate(self.context(), size_of::<u64>())?;
        // Execs of the graph, and of its copies, would overwrite it while another one reads it.
        base.order_launches(LaunchOrder::new());
        let node = graph.add_node(&[], &self.reserve(&self.reserve_arguments(&base, &count.to_ne_bytes())))?;
        let (graph, outermost) = (graph.id(), Weak::clone(&graph.0.root().outermost));
        reservations.push(Reservation { graph, outermost, node, base: base.clone(), count });
        Ok((node, base, 0))
    }

    /// Launches the fill: `first` is added to the number at `base`.
    fn submit(&self, stream: &Stream, fill: &RandomFill<'_>, base: Option<&Buffer>, first: u64) -> Result<()> {
        // One group more, as the first and the last one may be drawn in part.
        let groups = fill.count.div_ceil(4) + 1;
        let blocks = groups.div_ceil(BLOCK as usize).min(MOST_BLOCKS) as u32;
        let shape = LaunchShape { grid: [blocks, 1, 1], block: [BLOCK, 1, 1], shared_mem_bytes: 0 };
        let (buffer, offset) = (fill.buffer, fill.offset);
        let written = BufferAccess::of_bytes(Access::Write, offset, fill.count * size_of::<f32>());
        let (first, count) = (first.to_ne_bytes(), (fill.count as u64).to_ne_bytes());
        let arguments = [
            self.state_argument(Access::Read),
            base.map_or(KernelArgument::Value(&[0; size_of::<u64>()]), |base| whole(base, Access::Read)),
            KernelArgument::Value(&first),
            KernelArgument::Buffer { buffer, offset, access: Some(written) },
            KernelArgument::Value(&count),
        ];
        let kernel = self.uniform_kernel();
        stream.submit_node_work(&NodeWork::Kernel { kernel, shape, arguments: &arguments, attributes: &[] })
    }

    /// The work that takes numbers.
    fn reserve<'a>(&'a self, arguments: &'a [KernelArgument<'a>; 3]) -> NodeWork<'a> {
        NodeWork::Kernel { kernel: self.reserve_kernel(), shape: LaunchShape::ONE_THREAD, arguments, attributes: &[] }
    }

    fn reserve_arguments<'a>(&'a self, base: &'a Buffer, count: &'a [u8]) -> [KernelArgument<'a>; 3] {
        [self.state_argument(Access::ReadWrite), whole(base, Access::Write), KernelArgument::Value(count)]
    }

    fn state_argument(&self, access: Access) -> KernelArgument<'_> {
        whole(self.state(), access)
    }
}

impl RandomFill<'_> {
    /// Finds what is wrong with it.
    fn check(&self) -> Result<()> {
        let bytes = self.count.checked_mul(size_of::<f32>()).ok_or_else(too_many)?;
        let address = self.buffer.device_range("buffer", self.offset, bytes)?;
        match address.is_multiple_of(size_of::<f32>() as u64) {
            true => Ok(()),
            false => Err(Error::invalid_value(format!(
                "offset {} puts the floats at address {address:#x}, which is no multiple of their 4 bytes; align it",
                self.offset
            ))),
        }
    }
}

/// A buffer from its first byte on.
fn whole(buffer: &Buffer, access: Access) -> KernelArgument<'_> {
    KernelArgument::Buffer { buffer, offset: 0, access: Some(access.into()) }
}

#[cold]
pub(super) fn too_many() -> Error {
    Error::invalid_value("there are more numbers than memory can have; fill fewer at once")
}
