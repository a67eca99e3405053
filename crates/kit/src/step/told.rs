//! Nodes in words, with the arguments of their kernels: read before the nodes run, as a context that is lost tells nothing.

use std::fmt::Write;

use graphcap_base::error::{Error, Result};
use graphcap_base::names::quoted;
use graphcap_core::{ArgumentBytes, Graph, Located, Meaning, Moment, NodeParams, OwnedArguments, Parameter};
use graphcap_driver::{NodeId, ADDRESS_BYTES};

/// Arguments that are told at most.
const MOST_ARGUMENTS: usize = 24;
/// A word counts as an address of memory that ends at most so many bytes before it.
const NEAR: usize = 1 << 30;

/// A node in words.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) name: String,
    arguments: String,
}

impl Told {
    /// The node of a copy of the caller's graph, who knows it by the number of `original`. What the device answered about words of arguments
    /// since `moment` is not asked again.
    pub(super) fn of(copy: &Graph, node: NodeId, original: NodeId, moment: Moment) -> Result<Told> {
        let name = format!("node {:#x} ({})", original.0, copy.node_label(node)?);
        Ok(Told { name, arguments: arguments(copy, node, moment)? })
    }

    /// Nodes that run together.
    pub(super) fn of_all(count: usize) -> Told {
        Told { name: format!("the {count} nodes of the graph, which run together"), arguments: String::new() }
    }

    /// The number of a node of which no more is known.
    #[cold]
    pub(super) fn of_number(node: NodeId) -> Told {
        Told { name: format!("node {:#x}", node.0), arguments: String::new() }
    }

    /// The error by which the node failed, with the node and its arguments.
    pub(super) fn failed(&self, error: Error) -> Error {
        let message = format!("{} failed: {}{}", self.name, error.message, self.arguments);
        Error { message: message.into(), ..error }
    }
}

/// The arguments of a kernel as memory and offsets; nothing for other nodes.
fn arguments(graph: &Graph, node: NodeId, moment: Moment) -> Result<String> {
    let mut text = String::new();
    let NodeParams::Kernel(kernel) = graph.node_params(node)? else { return Ok(text) };
    let all = match kernel.arguments {
        OwnedArguments::Separate(all) => all,
        OwnedArguments::Packed(bytes) => vec![bytes],
        OwnedArguments::Unknown => return Ok(text),
    };
    let parameters: Vec<Parameter> = all.iter().map(|bytes| Parameter::new(0, bytes.len())).collect();
    let bytes: Vec<&[u8]> = all.iter().map(|bytes| &bytes[..]).collect();
    let context = graph.context();
    let pieces = context.read_arguments(moment).read(&parameters, ArgumentBytes::Separate(&bytes))?;
    for piece in pieces.iter().take(MOST_ARGUMENTS) {
        let _ = write!(text, "{}{}: ", if text.is_empty() { "; its arguments: " } else { ", " }, piece.parameter);
        let bytes = bytes.get(piece.parameter).and_then(|bytes| bytes.get(piece.offset..piece.offset + piece.size));
        let _ = match &piece.meaning {
            Meaning::Buffer(found) => write!(text, "{}", memory(found)),
            Meaning::Foreign { allocation, offset } => {
                write!(text, "byte {offset} of the {} bytes at {:#x}", allocation.bytes, allocation.base)
            }
            Meaning::Value => match number(bytes.unwrap_or_default()) {
                Some(word) if piece.size == ADDRESS_BYTES && (1 << 16..1 << 56).contains(&word) => {
                    let below = context.find_buffer_below(word);
                    match below.filter(|found| found.offset - found.memory.size() <= NEAR) {
                        Some(found) => write!(text, "{word:#x}, {}", memory(&found)),
                        None => write!(text, "{word:#x}"),
                    }
                }
                Some(word) => write!(text, "{word}"),
                None => write!(text, "{} bytes", piece.size),
            },
        };
    }
    Ok(text)
}

/// The number that at most 8 bytes are.
fn number(bytes: &[u8]) -> Option<u64> {
    let mut word = [0; ADDRESS_BYTES];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(word))
}

fn memory(found: &Located) -> String {
    let name = found.memory.name();
    let buffer = match &name {
        Some(name) => format!("buffer {} of {} bytes", quoted(name), found.memory.size()),
        None => format!("a buffer of {} bytes", found.memory.size()),
    };
    match found.offset.checked_sub(found.memory.size()) {
        None => format!("byte {} of {buffer}", found.offset),
        Some(behind) => format!("{behind} bytes behind the end of {buffer}"),
    }
}
