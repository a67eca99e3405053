//! Work of a node of a picture, in words.

use std::borrow::Cow;

use super::{
    Argument, Arguments, Attribute, LinkTarget, MemoryEntry, MemoryKind, MemoryRef, NamedEntry, NodePicture, Picture,
    ValueOperation, WorkPicture,
};
use crate::json_numbers::Hexadecimal;
use crate::operations::copy::CopyOf;
use crate::texts::dot_flags::DotFlags;
use graphcap_driver::{ConditionalKind, EdgeData, MemcpyKind, NodeKind, ValueAction};

/// One thing that is told of a node.
#[derive(Debug)]
pub(crate) struct Fact<'a> {
    /// Subject of the fact, for comparing nodes.
    pub(crate) what: Cow<'static, str>,
    /// In a label: its line, which goes on in the line before if it begins with a comma or a space.
    pub(crate) text: String,
    /// The bytes that it is about, of which the text may tell a part.
    pub(crate) bytes: &'a [u8],
}

impl NodePicture {
    /// Returns its kind; [`NodeKind::Other`] for what graphcap cannot read.
    pub(crate) fn kind(&self) -> NodeKind {
        match &self.work {
            WorkPicture::Empty {} => NodeKind::Empty,
            WorkPicture::Kernel { .. } => NodeKind::Kernel,
            WorkPicture::Memcpy { .. } => NodeKind::Memcpy,
            WorkPicture::Memset { .. } => NodeKind::Memset,
            WorkPicture::Host { .. } => NodeKind::Host,
            WorkPicture::ValueOperations { .. } => NodeKind::BatchMemOp,
            WorkPicture::EventRecord { .. } => NodeKind::EventRecord,
            WorkPicture::EventWait { .. } => NodeKind::EventWait,
            WorkPicture::Child { .. } => NodeKind::Child,
            WorkPicture::Conditional { .. } => NodeKind::Conditional,
            WorkPicture::MemAlloc { .. } => NodeKind::MemAlloc,
            WorkPicture::MemFree { .. } => NodeKind::MemFree,
            WorkPicture::Opaque { .. } => NodeKind::Other,
        }
    }

    /// Returns what its kind is called.
    pub(crate) fn kind_name(&self) -> &str {
        match &self.work {
            WorkPicture::Opaque { of } => of,
            _ => self.kind().name(),
        }
    }

    /// The graphs within it.
    pub(crate) fn graphs(&self) -> &[super::GraphPicture] {
        match &self.work {
            WorkPicture::Child { graph } => std::slice::from_ref(graph),
            WorkPicture::Conditional { bodies, .. } => bodies,
            _ => &[],
        }
    }
}

impl Picture {
    /// Returns what a kind of node, or the kernel that it launches, is called.
    pub(crate) fn title<'a>(&'a self, node: &'a NodePicture, flags: DotFlags) -> &'a str {
        match &node.work {
            WorkPicture::Kernel { kernel, .. } => self.kernels.get(*kernel).map_or("kernel", |kernel| &kernel.name),
            _ if flags.are_runtime_names() => runtime_name(node.kind()),
            _ => node.kind_name(),
        }
    }

    /// Everything that is told of what a node does, for comparing it with another one.
    pub(crate) fn facts<'a>(&'a self, node: &'a NodePicture) -> Vec<Fact<'a>> {
        self.facts_for(node, For::Comparing)
    }

    /// The lines of a node's label with the detail that `flags` ask for.
    pub(crate) fn lines<'a>(&'a self, node: &'a NodePicture, flags: DotFlags) -> Vec<Fact<'a>> {
        self.facts_for(node, For::Label(flags))
    }

    fn facts_for<'a>(&'a self, node: &'a NodePicture, purpose: For) -> Vec<Fact<'a>> {
        let mut facts = Facts { picture: self, purpose, list: Vec::new() };
        facts.tell(node);
        facts.list
    }

    /// The bytes of a snapshot from a byte on.
    fn snapshot(&self, place: MemoryRef) -> &[u8] {
        let data = self.memory.get(place.memory).and_then(|memory| memory.data.as_ref());
        data.and_then(|data| data.get(place.offset..)).unwrap_or_default()
    }
}

/// Purpose that facts are told for.
#[derive(Clone, Copy)]
enum For {
    /// Comparing nodes of two graphs. Objects are told so that the same text means the same object.
    Comparing,
    /// A label with this detail.
    Label(DotFlags),
}

struct Facts<'a> {
    picture: &'a Picture,
    purpose: For,
    list: Vec<Fact<'a>>,
}

impl<'a> Facts<'a> {
    /// Returns whether it is told what `flag` asks for.
    fn tells(&self, flag: DotFlags) -> bool {
        match self.purpose {
            For::Comparing => true,
            For::Label(flags) => flags.shows(flag),
        }
    }

    /// Adds what is told for comparing, or for a label unless that is empty.
    fn add<T: Into<String>>(
        &mut self,
        what: impl Into<Cow<'static, str>>,
        value: impl FnOnce(&Self) -> T,
        line: impl FnOnce(&Self) -> String,
    ) {
        let text = match self.purpose {
            For::Comparing => value(self).into(),
            For::Label(..) => line(self),
        };
        if !(text.is_empty() && matches!(self.purpose, For::Label(..))) {
            self.list.push(Fact { what: what.into(), text, bytes: &[] });
        }
    }

    /// A byte of memory: in labels as a name and an offset.
    fn place(&self, place: MemoryRef) -> String {
        let memory = self.picture.memory.get(place.memory);
        let name = match (memory, self.purpose) {
            (None, _) => "unknown memory",
            (Some(MemoryEntry { is_named: false, kind, address, .. }), For::Comparing) => match kind {
                MemoryKind::Snapshot => return snapshot(self.picture.snapshot(place)),
                // By the place alone: numbers of first uses mean nothing in another graph.
                kind => return format!("{} at {:#x}", kind.name(), address.wrapping_add(place.offset as u64)),
            },
            (Some(memory), _) => &memory.name,
        };
        match place.offset {
            0 => name.into(),
            offset => format!("{name} + {offset}"),
        }
    }

    /// A function or an event: in labels by its name.
    fn object(&self, object: Option<&NamedEntry>) -> String {
        match (object, self.purpose) {
            (Some(object), For::Comparing) if !object.is_named => object.identity.clone(),
            _ => object.map_or_else(String::new, |object| object.name.clone()),
        }
    }

    fn tell(&mut self, node: &'a NodePicture) {
        let (picture, work) = (self.picture, &node.work);
        if flag_of(node.kind()).is_some_and(|flag| !self.tells(flag)) {
            return match work {
                WorkPicture::Kernel { attributes, .. } => self.tell_attributes(attributes),
                WorkPicture::Conditional { decides, .. } => self.tell_decision(*decides),
                _ => {}
            };
        }
        match work {
            WorkPicture::Kernel { kernel, grid, grid_from, block, shared_mem_bytes, arguments, attributes } => {
                let name = picture.kernels.get(*kernel).map_or("", |kernel| &kernel.name);
                self.add("kernel", |_| name, |_| String::new());
                self.add("grid", |_| dimensions(grid), |_| format!("grid {}", dimensions(grid)));
                for (axis, place) in ["x", "y", "z"].into_iter().zip(grid_from) {
                    if let Some(place) = *place {
                        let line = |facts: &Self| format!(" with {axis} from {}", facts.place(place));
                        self.add(format!("grid {axis} from"), |facts| facts.place(place), line);
                    }
                }
                self.add("block", |_| dimensions(block), |_| format!(", block {}", dimensions(block)));
                let shared = format!("{shared_mem_bytes} bytes shared");
                self.add(
                    "shared memory",
                    |_| shared.as_str(),
                    |_| if *shared_mem_bytes > 0 { format!(", {shared}") } else { String::new() },
                );
                self.tell_arguments(arguments);
                self.tell_attributes(attributes);
            }
            WorkPicture::Memcpy { direction, copy } => {
                let CopyOf { width, height, depth, .. } = *copy;
                let extent = match (height, depth) {
                    (1, 1) => format!("{width} bytes"),
                    (height, 1) => format!("{width} bytes x {height}"),
                    (height, depth) => format!("{width} bytes x {height} x {depth}"),
                };
                let way = way(*direction, matches!(self.purpose, For::Label(flags) if flags.are_runtime_names()));
                self.add("direction", |_| way, |_| way.into());
                self.add("size", |_| extent.as_str(), |_| format!(", {extent}"));
                for (what, word, place) in [("source", "from", copy.source), ("destination", "to", copy.destination)] {
                    self.add(what, |facts| facts.place(place), |facts| format!("{word} {}", facts.place(place)));
                    if let (For::Comparing, Some(fact)) = (self.purpose, self.list.last_mut()) {
                        fact.bytes = picture.snapshot(place);
                    }
                }
                let pitches = [("source pitch", copy.source_pitch), ("destination pitch", copy.destination_pitch)];
                for (what, pitch) in pitches {
                    let value = match pitch.slice_height {
                        0 => format!("{} bytes", pitch.bytes),
                        rows => format!("{} bytes x {rows}", pitch.bytes),
                    };
                    let line = if pitch.bytes > 0 { format!("{what} {value}") } else { String::new() };
                    self.add(what, |_| value, |_| line);
                }
            }
            WorkPicture::Memset { at, value, element_size, width, height, pitch } => {
                let rows = if *height > 1 { format!(" x {height}") } else { String::new() };
                let extent = format!("{width}{rows} x {element_size} bytes");
                self.add("size", |_| extent.as_str(), |_| extent.clone());
                self.add("destination", |facts| facts.place(*at), |facts| format!("at {}", facts.place(*at)));
                self.add("value", |_| format!("{value:#x}"), |_| format!(" to {value:#x}"));
                let line = if *pitch > 0 { format!("pitch {pitch} bytes") } else { String::new() };
                self.add("pitch", |_| format!("{pitch} bytes"), |_| line);
            }
            WorkPicture::Host { function } => {
                let function = |facts: &Self| facts.object(picture.functions.get(*function));
                self.add("function", function, function);
            }
            WorkPicture::ValueOperations { operations } => {
                const SHOWN: usize = 8;
                for (index, operation) in operations.iter().enumerate() {
                    self.add(
                        format!("operation {index}"),
                        |facts| facts.operation(operation),
                        |facts| match index {
                            0..SHOWN => facts.operation(operation),
                            SHOWN => format!("and {} more", operations.len() - SHOWN),
                            _ => String::new(),
                        },
                    );
                }
            }
            WorkPicture::EventRecord { event } | WorkPicture::EventWait { event } => {
                let event = |facts: &Self| facts.object(picture.events.get(*event));
                self.add("event", event, event);
            }
            WorkPicture::Conditional { decides, condition, bodies } => {
                let default = picture.conditions.get(*condition).and_then(|condition| condition.default);
                let begins = default.map_or(String::new(), |value| format!(", begins as {value}"));
                let condition = format!("condition {condition}{begins}");
                self.tell_decision(*decides);
                self.add("condition", |_| condition.as_str(), |_| format!(", {condition}"));
                self.add("bodies", |_| bodies.len().to_string(), |_| String::new());
            }
            WorkPicture::MemAlloc { memory } | WorkPicture::MemFree { memory } => {
                let place = |facts: &Self| facts.place(MemoryRef { memory: *memory, offset: 0 });
                self.add("memory", place, place);
                if let Some(bytes) = picture.memory.get(*memory).and_then(|memory| memory.bytes) {
                    self.add("size", |_| format!("{bytes} bytes"), |_| format!(", {bytes} bytes"));
                }
            }
            WorkPicture::Empty {} | WorkPicture::Child { .. } | WorkPicture::Opaque { .. } => {}
        }
    }

    fn tell_decision(&mut self, decides: ConditionalKind) {
        self.add("decides", |_| decides.name(), |_| decides.name().into());
    }

    fn tell_attributes(&mut self, attributes: &[Attribute]) {
        if !self.tells(DotFlags::KERNEL_NODE_ATTRIBUTES) {
            return;
        }
        for attribute in attributes {
            let name = attribute.name();
            let what = match name.starts_with("attribute ") {
                true => name.clone(),
                false => format!("attribute {name}").into(),
            };
            self.add(what, |_| attribute.words(), |_| format!("{name} {}", attribute.words()));
        }
    }

    fn tell_arguments(&mut self, arguments: &Arguments) {
        /// Number of facts that are told in a line.
        const TOGETHER: usize = 4;
        match arguments {
            Arguments::Separate(arguments) => {
                for (index, argument) in arguments.iter().enumerate() {
                    let separator = if index % TOGETHER == 0 { "" } else { ", " };
                    self.add(
                        format!("argument {index}"),
                        |facts| facts.argument(argument),
                        |facts| format!("{separator}{}", facts.argument(argument)),
                    );
                }
            }
            Arguments::Packed(block) => {
                self.add("arguments", |facts| facts.argument(block), |facts| facts.argument(block));
            }
            Arguments::Unknown => self.add("arguments", |_| "unknown", |_| String::new()),
        }
    }

    fn argument(&self, Argument { bytes, addresses, .. }: &Argument) -> String {
        let target = |to: LinkTarget| match to {
            LinkTarget::Memory(byte) => self.place(byte),
            LinkTarget::Condition(condition) => format!("condition {condition}"),
        };
        match (&addresses[..], bytes.len()) {
            ([link], 8) => target(link.to),
            ([], 1 | 2 | 4 | 8) => {
                let mut word = [0; 8];
                word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                number(u64::from_le_bytes(word))
            }
            // Most likely a struct of numbers.
            ([], 12..=32) if bytes.len() % 4 == 0 => {
                let words: Vec<_> =
                    bytes.as_chunks::<4>().0.iter().map(|word| number(u32::from_le_bytes(*word).into())).collect();
                format!("{{{}}}", words.join(", "))
            }
            (links, count) => {
                let mut told: Vec<_> = links.iter().map(|link| format!("{} at {}", target(link.to), link.at)).collect();
                if bytes.iter().any(|byte| *byte != 0) || told.is_empty() {
                    told.insert(0, self.block(bytes));
                }
                format!("{count} bytes ({})", told.join("; "))
            }
        }
    }

    /// Bytes of a large argument: in labels the first ones.
    fn block(&self, bytes: &[u8]) -> String {
        const SHOWN: usize = 17;
        match (bytes.get(..SHOWN), self.purpose) {
            (Some(first), For::Label(..)) if bytes.len() > SHOWN => format!("{}...", Hexadecimal(first)),
            _ => Hexadecimal(bytes).to_string(),
        }
    }

    fn operation(&self, operation: &ValueOperation) -> String {
        let word = operation.action.name();
        let flags = match operation.action {
            ValueAction::Write { barrier: false } => ", without a barrier",
            ValueAction::Wait { flush: true, .. } => ", and flush",
            _ => "",
        };
        format!("{word} {:#x}, {} bits at {}{flags}", operation.value, operation.bits, self.place(operation.at))
    }
}

/// The flag that asks for what is told of a kind of node; `None` for one of which nothing is told.
fn flag_of(kind: NodeKind) -> Option<DotFlags> {
    Some(match kind {
        NodeKind::Kernel => DotFlags::KERNEL_NODE_PARAMS,
        NodeKind::Memcpy => DotFlags::MEMCPY_NODE_PARAMS,
        NodeKind::Memset => DotFlags::MEMSET_NODE_PARAMS,
        NodeKind::Host => DotFlags::HOST_NODE_PARAMS,
        NodeKind::EventRecord | NodeKind::EventWait => DotFlags::EVENT_NODE_PARAMS,
        NodeKind::BatchMemOp => DotFlags::BATCH_MEM_OP_NODE_PARAMS,
        NodeKind::MemAlloc => DotFlags::MEM_ALLOC_NODE_PARAMS,
        NodeKind::MemFree => DotFlags::MEM_FREE_NODE_PARAMS,
        NodeKind::Conditional => DotFlags::CONDITIONAL_NODE_PARAMS,
        NodeKind::Empty | NodeKind::Child | NodeKind::Other => return None,
    })
}

/// A snapshot by its bytes, of which the first ones are told.
fn snapshot(bytes: &[u8]) -> String {
    const SHOWN: usize = 16;
    match bytes.get(..SHOWN) {
        Some(first) if bytes.len() > SHOWN => {
            format!("a snapshot of {} bytes, {}...", bytes.len(), Hexadecimal(first))
        }
        _ => format!("a snapshot of {} bytes, {}", bytes.len(), Hexadecimal(bytes)),
    }
}

/// Data of an edge, in words; empty where it carries nothing.
pub(crate) fn edge_label(EdgeData { from_port, to_port, kind }: EdgeData) -> String {
    let told = [("from port", from_port), ("to port", to_port), ("type", kind)];
    let told = told.iter().filter(|(_, number)| *number > 0).map(|(what, number)| format!("{what} {number}"));
    told.collect::<Vec<_>>().join(", ")
}

/// A number as it is read most easily.
fn number(number: u64) -> String {
    match number {
        0..1_000_000 => number.to_string(),
        large => format!("{large:#x}"),
    }
}

fn dimensions([x, y, z]: &[u32; 3]) -> String {
    format!("{x}x{y}x{z}")
}

fn way(direction: MemcpyKind, are_runtime_names: bool) -> &'static str {
    match (direction, are_runtime_names) {
        (MemcpyKind::HostToDevice, false) => "host to device",
        (MemcpyKind::DeviceToHost, false) => "device to host",
        (MemcpyKind::HostToHost, false) => "host to host",
        (MemcpyKind::DeviceToDevice | MemcpyKind::BetweenContexts, false) => "device to device",
        (MemcpyKind::HostToDevice, true) => "cudaMemcpyHostToDevice",
        (MemcpyKind::DeviceToHost, true) => "cudaMemcpyDeviceToHost",
        (MemcpyKind::HostToHost, true) => "cudaMemcpyHostToHost",
        (MemcpyKind::DeviceToDevice, true) => "cudaMemcpyDeviceToDevice",
        (MemcpyKind::BetweenContexts, true) => "cudaMemcpyDefault",
    }
}

/// Returns what CUDA's runtime calls the kind of a node.
fn runtime_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Empty => "cudaGraphNodeTypeEmpty",
        NodeKind::Kernel => "cudaGraphNodeTypeKernel",
        NodeKind::Memcpy => "cudaGraphNodeTypeMemcpy",
        NodeKind::Memset => "cudaGraphNodeTypeMemset",
        NodeKind::Host => "cudaGraphNodeTypeHost",
        // The runtime has no name for nodes of value operations.
        NodeKind::BatchMemOp => "CU_GRAPH_NODE_TYPE_BATCH_MEM_OP",
        NodeKind::EventRecord => "cudaGraphNodeTypeEventRecord",
        NodeKind::EventWait => "cudaGraphNodeTypeWaitEvent",
        NodeKind::Child => "cudaGraphNodeTypeGraph",
        NodeKind::Conditional => "cudaGraphNodeTypeConditional",
        NodeKind::MemAlloc => "cudaGraphNodeTypeMemAlloc",
        NodeKind::MemFree => "cudaGraphNodeTypeMemFree",
        NodeKind::Other => "cudaGraphNodeTypeCount",
    }
}
