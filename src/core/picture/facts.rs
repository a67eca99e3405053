//! What a node of a picture does, in words.

use super::{
    Action, Argument, Arguments, Comparison, Decides, Direction, Memory, MemoryKind, Node, Picture, Place, Target,
    ValueOperation, Work,
};
use crate::driver::NodeKind;

/// One thing that is told of a node.
#[derive(Debug)]
pub(in crate::core) struct Fact {
    pub(in crate::core) topic: Topic,
    /// What is told of, for comparing nodes.
    pub(in crate::core) what: String,
    pub(in crate::core) value: String,
    /// The line of a label; it goes on in the line before if it begins with a comma.
    pub(in crate::core) line: String,
}

/// What a fact is about; a text of a graph tells of those that it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::core) enum Topic {
    Kernel,
    Attributes,
    Memcpy,
    Memset,
    Host,
    Event,
    Values,
    MemAlloc,
    MemFree,
    Conditional,
}

/// Whose words are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::core) enum Words {
    /// Plain ones.
    #[default]
    Plain,
    /// The names that CUDA's runtime has.
    Runtime,
}

/// What a kind of node is called in texts.
pub(super) fn kind_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Kernel => "kernel",
        NodeKind::Memcpy => "memcpy",
        NodeKind::Memset => "memset",
        NodeKind::Host => "host function",
        NodeKind::Empty => "empty",
        NodeKind::Child => "child graph",
        NodeKind::EventWait => "event wait",
        NodeKind::EventRecord => "event record",
        NodeKind::MemAlloc => "allocation",
        NodeKind::MemFree => "free",
        NodeKind::BatchMemOp => "value operations",
        NodeKind::Conditional => "conditional",
        NodeKind::Other => "other",
    }
}

impl Node {
    /// What its kind is called.
    pub(in crate::core) fn kind_name(&self) -> &str {
        let kind = match &self.work {
            Work::Empty {} => NodeKind::Empty,
            Work::Kernel { .. } => NodeKind::Kernel,
            Work::Memcpy { .. } => NodeKind::Memcpy,
            Work::Memset { .. } => NodeKind::Memset,
            Work::Host { .. } => NodeKind::Host,
            Work::ValueOperations { .. } => NodeKind::BatchMemOp,
            Work::EventRecord { .. } => NodeKind::EventRecord,
            Work::EventWait { .. } => NodeKind::EventWait,
            Work::Child { .. } => NodeKind::Child,
            Work::Conditional { .. } => NodeKind::Conditional,
            Work::MemAlloc { .. } => NodeKind::MemAlloc,
            Work::MemFree { .. } => NodeKind::MemFree,
            Work::Opaque { of } => return of,
        };
        kind_name(kind)
    }

    /// The graphs within it.
    pub(in crate::core) fn graphs(&self) -> &[super::Graph] {
        match &self.work {
            Work::Child { graph } => std::slice::from_ref(graph),
            Work::Conditional { bodies, .. } => bodies,
            _ => &[],
        }
    }
}

impl Picture {
    /// What a kind of node, or the kernel that it launches, is called.
    pub(in crate::core) fn title<'a>(&'a self, node: &'a Node, words: Words) -> &'a str {
        match &node.work {
            Work::Kernel { kernel, .. } => self.kernels.get(*kernel).map_or("kernel", |kernel| &kernel.name),
            _ if words == Words::Runtime => runtime_name(&node.work),
            _ => node.kind_name(),
        }
    }

    /// Everything that is told of what a node does.
    pub(in crate::core) fn facts(&self, node: &Node, words: Words) -> Vec<Fact> {
        let mut facts = Facts { picture: self, list: Vec::new() };
        facts.tell(&node.work, words);
        facts.list
    }

    /// A byte of memory, as a name and an offset.
    fn place(&self, place: Place) -> String {
        let name = self.memory.get(place.memory).map_or("unknown memory", |memory| &memory.name);
        match place.offset {
            0 => name.into(),
            offset => format!("{name} + {offset}"),
        }
    }

    /// As [`Picture::place`], with the address of memory that was given no name, which tells it from other memory.
    fn exact_place(&self, place: Place) -> String {
        match self.memory.get(place.memory) {
            Some(Memory { is_named: false, address, kind, .. }) if *kind != MemoryKind::Snapshot => {
                format!("{} at {:#x}", self.place(place), address.wrapping_add(place.offset))
            }
            _ => self.place(place),
        }
    }
}

/// How a byte of memory is told.
type Told = fn(&Picture, Place) -> String;

struct Facts<'a> {
    picture: &'a Picture,
    list: Vec<Fact>,
}

impl Facts<'_> {
    fn add(&mut self, topic: Topic, what: impl Into<String>, value: impl Into<String>, line: impl Into<String>) {
        self.list.push(Fact { topic, what: what.into(), value: value.into(), line: line.into() });
    }

    fn tell(&mut self, work: &Work, words: Words) {
        let picture = self.picture;
        match work {
            Work::Kernel { kernel, grid, block, shared_mem_bytes, arguments, attributes } => {
                let name = picture.kernels.get(*kernel).map_or("", |kernel| &kernel.name);
                self.add(Topic::Kernel, "kernel", name, "");
                let (grid, block) = (dimensions(grid), dimensions(block));
                self.add(Topic::Kernel, "grid", &grid, format!("grid {grid}"));
                self.add(Topic::Kernel, "block", &block, format!(", block {block}"));
                let shared = format!("{shared_mem_bytes} bytes shared");
                self.add(
                    Topic::Kernel,
                    "shared memory",
                    &shared,
                    if *shared_mem_bytes > 0 { format!(", {shared}") } else { String::new() },
                );
                self.tell_arguments(arguments);
                for attribute in attributes {
                    let (name, value) = (attribute_name(attribute.id), hexadecimal(significant(&attribute.value)));
                    self.add(Topic::Attributes, format!("attribute {name}"), &value, format!("{name} {value}"));
                }
            }
            Work::Memcpy { direction, destination, source, width, height, depth, destination_pitch, source_pitch } => {
                let extent = match (height, depth) {
                    (1, 1) => format!("{width} bytes"),
                    (height, 1) => format!("{width} bytes x {height}"),
                    (height, depth) => format!("{width} bytes x {height} x {depth}"),
                };
                let way = way(*direction, words);
                self.add(Topic::Memcpy, "direction", way, way);
                self.add(Topic::Memcpy, "size", &extent, format!(", {extent}"));
                for (what, word, place) in [("source", "from", *source), ("destination", "to", *destination)] {
                    let line = format!("{word} {}", picture.place(place));
                    self.add(Topic::Memcpy, what, picture.exact_place(place), line);
                }
                for (what, pitch) in [("source pitch", source_pitch), ("destination pitch", destination_pitch)] {
                    let value = match pitch.slice_height {
                        0 => format!("{} bytes", pitch.bytes),
                        rows => format!("{} bytes x {rows}", pitch.bytes),
                    };
                    let line = if pitch.bytes > 0 { format!("{what} {value}") } else { String::new() };
                    self.add(Topic::Memcpy, what, &value, line);
                }
            }
            Work::Memset { at, value, element_size, width, height, pitch } => {
                let rows = if *height > 1 { format!(" x {height}") } else { String::new() };
                let extent = format!("{width}{rows} x {element_size} bytes");
                self.add(Topic::Memset, "size", &extent, &extent);
                self.add(Topic::Memset, "destination", picture.exact_place(*at), format!("at {}", picture.place(*at)));
                let value = format!("{value:#x}");
                self.add(Topic::Memset, "value", &value, format!(" to {value}"));
                let line = if *pitch > 0 { format!("pitch {pitch} bytes") } else { String::new() };
                self.add(Topic::Memset, "pitch", format!("{pitch} bytes"), line);
            }
            Work::Host { function } => {
                let name = picture.functions.get(*function).map_or("", |function| &function.name);
                self.add(Topic::Host, "function", name, name);
            }
            Work::ValueOperations { operations } => {
                const SHOWN: usize = 8;
                for (index, operation) in operations.iter().enumerate() {
                    let value = self.operation(operation, Picture::exact_place);
                    let line = match index {
                        0..SHOWN => self.operation(operation, Picture::place),
                        SHOWN => format!("and {} more", operations.len() - SHOWN),
                        _ => String::new(),
                    };
                    self.add(Topic::Values, format!("operation {index}"), value, line);
                }
            }
            Work::EventRecord { event } | Work::EventWait { event } => {
                let name = picture.events.get(*event).map_or("", |event| &event.name);
                self.add(Topic::Event, "event", name, name);
            }
            Work::Conditional { decides, condition, bodies } => {
                let kind = match decides {
                    Decides::If => "if",
                    Decides::While => "while",
                    Decides::Switch => "switch",
                };
                let default = picture.conditions.get(*condition).and_then(|condition| condition.default);
                let begins = default.map_or(String::new(), |value| format!(", begins as {value}"));
                let condition = format!("condition {condition}{begins}");
                self.add(Topic::Conditional, "decides", kind, kind);
                self.add(Topic::Conditional, "condition", &condition, format!(", {condition}"));
                self.add(Topic::Conditional, "bodies", bodies.len().to_string(), "");
            }
            Work::MemAlloc { memory } | Work::MemFree { memory } => {
                let topic = if matches!(work, Work::MemAlloc { .. }) { Topic::MemAlloc } else { Topic::MemFree };
                let name = picture.place(Place { memory: *memory, offset: 0 });
                self.add(topic, "memory", &name, &name);
                if let Some(bytes) = picture.memory.get(*memory).and_then(|memory| memory.bytes) {
                    self.add(topic, "size", format!("{bytes} bytes"), format!(", {bytes} bytes"));
                }
            }
            Work::Empty {} | Work::Child { .. } | Work::Opaque { .. } => {}
        }
    }

    fn tell_arguments(&mut self, arguments: &Arguments) {
        /// How many are told in a line.
        const TOGETHER: usize = 4;
        match arguments {
            Arguments::Separate(arguments) => {
                for (index, argument) in arguments.iter().enumerate() {
                    let value = self.argument(argument, Picture::exact_place);
                    let line = self.argument(argument, Picture::place);
                    let line = if index % TOGETHER == 0 { line } else { format!(", {line}") };
                    self.add(Topic::Kernel, format!("argument {index}"), value, line);
                }
            }
            Arguments::Packed(block) => {
                let value = self.argument(block, Picture::exact_place);
                self.add(Topic::Kernel, "arguments", value, self.argument(block, Picture::place));
            }
            Arguments::Unknown => self.add(Topic::Kernel, "arguments", "unknown", ""),
        }
    }

    fn argument(&self, Argument { bytes, addresses }: &Argument, place: Told) -> String {
        let target = |to: Target| match to {
            Target::Memory(byte) => place(self.picture, byte),
            Target::Condition(condition) => format!("condition {condition}"),
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
                    told.insert(0, short(&hexadecimal(bytes), 34));
                }
                format!("{count} bytes ({})", told.join("; "))
            }
        }
    }

    fn operation(&self, operation: &ValueOperation, place: Told) -> String {
        let word = match operation.action {
            Action::Write { .. } => "write",
            Action::Wait { comparison: Comparison::GreaterOrEqual, .. } => "wait for >=",
            Action::Wait { comparison: Comparison::Equal, .. } => "wait for ==",
            Action::Wait { comparison: Comparison::And, .. } => "wait for &",
            Action::Wait { comparison: Comparison::Nor, .. } => "wait for nor",
        };
        let flags = match operation.action {
            Action::Write { barrier: false } => ", without a barrier",
            Action::Wait { flush: true, .. } => ", and flush",
            _ => "",
        };
        format!(
            "{word} {:#x}, {} bits at {}{flags}",
            operation.value,
            operation.bits,
            place(self.picture, operation.at)
        )
    }
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

fn way(direction: Direction, words: Words) -> &'static str {
    match (direction, words) {
        (Direction::HostToDevice, Words::Plain) => "host to device",
        (Direction::DeviceToHost, Words::Plain) => "device to host",
        (Direction::HostToHost, Words::Plain) => "host to host",
        (Direction::DeviceToDevice | Direction::BetweenContexts, Words::Plain) => "device to device",
        (Direction::HostToDevice, Words::Runtime) => "cudaMemcpyHostToDevice",
        (Direction::DeviceToHost, Words::Runtime) => "cudaMemcpyDeviceToHost",
        (Direction::HostToHost, Words::Runtime) => "cudaMemcpyHostToHost",
        (Direction::DeviceToDevice, Words::Runtime) => "cudaMemcpyDeviceToDevice",
        (Direction::BetweenContexts, Words::Runtime) => "cudaMemcpyDefault",
    }
}

/// What CUDA's runtime calls the kind of a node.
fn runtime_name(work: &Work) -> &'static str {
    match work {
        Work::Empty {} => "cudaGraphNodeTypeEmpty",
        Work::Kernel { .. } => "cudaGraphNodeTypeKernel",
        Work::Memcpy { .. } => "cudaGraphNodeTypeMemcpy",
        Work::Memset { .. } => "cudaGraphNodeTypeMemset",
        Work::Host { .. } => "cudaGraphNodeTypeHost",
        // The runtime has no name for nodes of value operations.
        Work::ValueOperations { .. } => "CU_GRAPH_NODE_TYPE_BATCH_MEM_OP",
        Work::EventRecord { .. } => "cudaGraphNodeTypeEventRecord",
        Work::EventWait { .. } => "cudaGraphNodeTypeWaitEvent",
        Work::Child { .. } => "cudaGraphNodeTypeGraph",
        Work::Conditional { .. } => "cudaGraphNodeTypeConditional",
        Work::MemAlloc { .. } => "cudaGraphNodeTypeMemAlloc",
        Work::MemFree { .. } => "cudaGraphNodeTypeMemFree",
        Work::Opaque { .. } => "cudaGraphNodeTypeCount",
    }
}

/// What CUDA calls an attribute of a launch, without the prefix.
fn attribute_name(id: u32) -> String {
    let name = match id {
        1 => "access policy window",
        2 => "cooperative",
        3 => "synchronization policy",
        4 => "cluster dimension",
        5 => "cluster scheduling policy",
        6 => "programmatic stream serialization",
        7 => "programmatic event",
        8 => "priority",
        9 => "memory synchronization domain map",
        10 => "memory synchronization domain",
        11 => "preferred cluster dimension",
        12 => "launch completion event",
        13 => "device updatable",
        14 => "preferred shared memory carveout",
        other => return other.to_string(),
    };
    name.into()
}

/// The bytes up to the last that is not 0, at least one word.
fn significant(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(4, |last| (last + 4) / 4 * 4);
    bytes.get(..end.max(4)).unwrap_or(bytes)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A text, cut where it has more than `most` characters.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}
