//! Graphs made of saved ones on the host device, with objects that stand in for those of the text: to be asked, not to be replayed.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

use super::import_binding::{Bindings, Bound};
use super::json_import::import;
use super::picture::{Arguments, GraphPicture, MemoryKind, NodePicture, Picture, WorkPicture};
use super::saved_graph::SavedGraph;
use super::told::uses;
use crate::graphs::graph::Graph;
use crate::objects::buffer::Buffer;
use crate::objects::event::Event;
use crate::objects::host_buffer::HostBuffer;
use crate::objects::module::Module;
use crate::operations::located::Memory;
use crate::state::Context;
use graphcap_base::error::Result;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{
    Address, DeviceChoice, DeviceKind, HostBlock, HostKernel, MemoryKind as DeviceMemoryKind, ModuleSource,
};

/// In place of a kernel of the text.
extern "C-unwind" fn do_nothing(_: *const HostBlock, _: *const *const c_void) -> i32 {
    0
}

/// Graph that stands in for a saved one.
pub struct StandIn {
    /// The graph.
    pub graph: Graph,
    /// Its memory but for snapshots and for what its nodes allocate.
    pub memory: Vec<StatedMemory>,
}

/// Memory as a text states it.
#[derive(Clone, Debug)]
pub struct StatedMemory {
    /// Addresses of what stands in for it, which is no smaller than what nodes touch.
    pub addresses: Range<Address>,
    /// Size by the text, in bytes; `None` for plain memory of the CPU's, and where the text does not have it.
    pub bytes: Option<usize>,
    /// Tells whether the library's products of a stream use it one after another.
    pub is_workspace: bool,
}

impl SavedGraph {
    /// Makes a graph of the same nodes on the host device. Its memory has the names of the text's and no contents, and is larger than the
    /// text's where nodes overrun that; its kernels and functions do nothing. What kernels were stated to touch is known of it as far as
    /// launches stated it.
    ///
    /// # Errors
    /// As [`Graph::import_json`]; `OUT_OF_MEMORY` where memory of the text's sizes cannot be had.
    pub fn stand_in(&self) -> Result<StandIn> {
        let picture = &self.0;
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
        let mut memory = Vec::new();
        let bindings = bindings(&context, picture, &mut memory)?;
        Ok(StandIn { graph: import(&context, picture, &bindings)?, memory })
    }
}

/// Makes objects that stand in for those of a text, and lists the memory among them.
fn bindings(context: &Context, picture: &Picture, stated: &mut Vec<StatedMemory>) -> Result<Bindings> {
    let mut needed = Needed { reached: vec![0; picture.memory.len()], sizes: vec![None; picture.kernels.len()] };
    needed.look(&picture.graph);
    let mut bindings = Bindings::default();
    for (entry, reached) in picture.memory.iter().zip(&needed.reached) {
        let bytes = entry.bytes.unwrap_or(0).max(*reached).max(1);
        let made = match entry.kind {
            MemoryKind::Allocation | MemoryKind::Snapshot => continue,
            MemoryKind::Buffer | MemoryKind::Foreign => {
                Memory::Buffer(Buffer::allocate_as(context, bytes, DeviceMemoryKind::Waitable)?)
            }
            MemoryKind::HostBuffer | MemoryKind::Host => {
                Memory::HostBuffer(HostBuffer::allocate(context, bytes, Default::default())?)
            }
        };
        made.buffer().set_name(&entry.name)?;
        stated.extend(made.starts().map(|start| StatedMemory {
            addresses: start..start + bytes as Address,
            bytes: entry.bytes,
            is_workspace: entry.is_workspace,
        }));
        bindings.bind(&entry.name, made.into())?;
    }
    let bound = picture.kernels.iter().zip(needed.sizes);
    let bound = bound.filter(|(kernel, _)| BuiltInKernel::named(&kernel.name).is_none());
    let host_kernels: Vec<_> = bound
        .map(|(kernel, parameter_sizes)| HostKernel {
            name: kernel.name.clone(),
            function: do_nothing,
            parameter_sizes,
        })
        .collect();
    // A module without kernels is refused.
    if !host_kernels.is_empty() {
        let source = ModuleSource { host_kernels: &host_kernels, ..ModuleSource::default() };
        let module = Module::new(context, context.driver()?.module_load(source)?);
        for HostKernel { name, .. } in &host_kernels {
            bindings.bind(name, Bound::Kernel(module.kernel(name)?))?;
        }
    }
    for entry in &picture.events {
        let event = Event::create(context, Default::default())?;
        event.set_name(&entry.name)?;
        bindings.bind(&entry.name, Bound::Event(event))?;
    }
    for entry in &picture.functions {
        bindings.bind(&entry.name, Bound::Function(Arc::new(|| ())))?;
    }
    Ok(bindings)
}

/// Facts that nodes tell of the objects of a text.
struct Needed {
    /// Number of bytes from the start of each memory to the furthest one that a node tells of.
    reached: Vec<usize>,
    /// The bytes of the parameters of each kernel, where a node tells them one by one.
    sizes: Vec<Option<Vec<usize>>>,
}

impl Needed {
    fn look(&mut self, graph: &GraphPicture) {
        for node in &graph.nodes {
            for (place, _) in uses(node) {
                if let Some(reached) = self.reached.get_mut(place.memory) {
                    *reached = place.offset.saturating_add(extent(node)).max(*reached);
                }
            }
            if let WorkPicture::Kernel { kernel, arguments: Arguments::Separate(arguments), .. } = &node.work {
                if let Some(sizes @ None) = self.sizes.get_mut(*kernel) {
                    *sizes = Some(arguments.iter().map(|argument| argument.bytes.len()).collect());
                }
            }
            node.graphs().iter().for_each(|within| self.look(within));
        }
    }
}

/// Bytes that a node touches at most behind a byte that it names, as far as it tells.
fn extent(node: &NodePicture) -> usize {
    /// Bytes of a word, of which a kernel or a value operation touches one at least.
    const WORD: usize = 8;
    let product = |factors: [usize; 3]| factors.into_iter().fold(1_usize, usize::saturating_mul);
    match &node.work {
        WorkPicture::Memcpy { copy, .. } => {
            let [one, other] = [copy.destination_pitch, copy.source_pitch]
                .map(|pitch| product([pitch.bytes.max(copy.width), pitch.slice_height.max(copy.height), copy.depth]));
            one.max(other)
        }
        WorkPicture::Memset { element_size, width, height, pitch, .. } => {
            product([(*pitch).max(width.saturating_mul(usize::from(*element_size))), *height, 1])
        }
        _ => WORD,
    }
}
