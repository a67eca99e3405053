//! Work of the nodes of an exec, where that is not what the nodes of its graph do: no device tells it.

use std::borrow::Cow;
use std::sync::Arc;

use super::node_data::NodeParams;
use super::source::Source;
use crate::objects::access::LaunchAccesses;
use crate::operations::usual_launch::USUAL_ARGUMENTS;
use graphcap_driver::{Argument, Arguments, KernelId, Launch, LaunchShape, NodeId, NodeMap, Work, ADDRESS_BYTES};

/// Work of an exec but for its [`SetNodes`], which go first: what its graph did at one time. Edits of the graph add to it, which do not
/// have the lock of the edits of the exec.
pub(crate) struct ExecWork {
    /// The graph as it was then, where that is known.
    source: Option<Source>,
    /// The nodes whose nodes of the graph do something else by now, as far as it was noted.
    nodes: NodeMap<NodeParams>,
}

impl ExecWork {
    /// Of an exec that does what a graph does.
    pub(crate) fn of(source: Option<Source>) -> ExecWork {
        ExecWork { source, nodes: NodeMap::default() }
    }

    pub(crate) fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// Returns what was noted of a node.
    pub(crate) fn get(&self, node: NodeId) -> Option<&NodeParams> {
        self.nodes.get(&node)
    }

    /// A node of the graph does something else by now, and that of the exec does this.
    pub(crate) fn note(&mut self, node: NodeId, work: NodeParams) {
        self.nodes.insert(node, work);
    }
}

/// Nodes of an exec that were set, with what they do.
#[derive(Default)]
pub(crate) struct SetNodes(NodeMap<SetNode>);

/// Work of a node that was set.
enum SetNode {
    Launch(SetLaunch),
    Other(NodeParams),
}

/// A launch of which nothing is stated, with few arguments that all fit a word: in place, as such nodes are set again and again.
struct SetLaunch {
    kernel: KernelId,
    name: String,
    shape: LaunchShape,
    arguments: [SetArgument; USUAL_ARGUMENTS],
    count: usize,
}

#[derive(Clone, Copy, Default)]
struct SetArgument {
    bytes: [u8; ADDRESS_BYTES],
    size: u8,
    is_address: bool,
}

impl SetArgument {
    #[inline(always)]
    fn of(argument: &Argument<'_>) -> Option<SetArgument> {
        let mut bytes = [0; ADDRESS_BYTES];
        Some(match *argument {
            Argument::Address(address) => {
                SetArgument { bytes: address.to_ne_bytes(), size: ADDRESS_BYTES as u8, is_address: true }
            }
            Argument::Value(value) => {
                // Without a call for the sizes that most have.
                match <[u8; 4]>::try_from(value) {
                    Ok(word) => bytes[..4].copy_from_slice(&word),
                    Err(_) => bytes.get_mut(..value.len())?.copy_from_slice(value),
                }
                SetArgument { bytes, size: value.len() as u8, is_address: false }
            }
        })
    }

    fn argument(&self) -> Argument<'_> {
        match self.is_address {
            true => Argument::Address(u64::from_ne_bytes(self.bytes)),
            false => Argument::Value(&self.bytes[..usize::from(self.size)]),
        }
    }
}

impl SetLaunch {
    /// One of no kernel.
    fn new() -> SetLaunch {
        let (kernel, shape) = (KernelId::FOREIGN, LaunchShape::ONE_THREAD);
        SetLaunch { kernel, name: String::new(), shape, arguments: Default::default(), count: 0 }
    }

    /// Becomes `launch`. False where that is to be noted in another way.
    #[inline(always)]
    fn become_launch(&mut self, launch: &Launch<'_>) -> bool {
        let Arguments::Separate(arguments) = launch.arguments else { return false };
        if arguments.len() > USUAL_ARGUMENTS || launch.stated.is_some() {
            return false;
        }
        for (place, argument) in self.arguments.iter_mut().zip(arguments) {
            let Some(argument) = SetArgument::of(argument) else { return false };
            *place = argument;
        }
        self.count = arguments.len();
        // A kernel has one name, which a device may not have told.
        if self.kernel != launch.kernel || self.name.len() != launch.name.len() {
            launch.name.clone_into(&mut self.name);
            self.kernel = launch.kernel;
        }
        self.shape = launch.shape;
        true
    }

    fn params(&self) -> NodeParams {
        let arguments = self.arguments.each_ref().map(SetArgument::argument);
        NodeParams::of(&Work::Kernel(Launch {
            kernel: self.kernel,
            name: &self.name,
            shape: self.shape,
            arguments: Arguments::Separate(&arguments[..self.count]),
            attributes: &[],
            stated: None,
        }))
    }
}

impl SetNodes {
    pub(crate) fn get(&self, node: NodeId) -> Option<Cow<'_, NodeParams>> {
        self.0.get(&node).map(|set| match set {
            SetNode::Launch(launch) => Cow::Owned(launch.params()),
            SetNode::Other(params) => Cow::Borrowed(params),
        })
    }

    /// A node does this from here on.
    pub(crate) fn note(&mut self, node: NodeId, work: NodeParams) {
        self.0.insert(node, SetNode::Other(work));
    }

    /// A kernel node makes `launch` from here on.
    #[inline]
    pub(crate) fn note_launch(&mut self, node: NodeId, launch: &Launch<'_>) {
        let is_noted = match self.0.get_mut(&node) {
            Some(SetNode::Launch(noted)) => noted.become_launch(launch),
            _ => self.note_first(node, launch),
        };
        if !is_noted {
            self.note_work(node, &Work::Kernel(*launch), None);
        }
    }

    #[cold]
    fn note_first(&mut self, node: NodeId, launch: &Launch<'_>) -> bool {
        let mut noted = SetLaunch::new();
        let is_noted = noted.become_launch(launch);
        if is_noted {
            self.0.insert(node, SetNode::Launch(noted));
        }
        is_noted
    }

    /// A node does `work` from here on, of which a launch stated `accesses`.
    pub(crate) fn note_work(&mut self, node: NodeId, work: &Work<'_>, accesses: Option<Arc<LaunchAccesses>>) {
        match self.0.get_mut(&node) {
            Some(SetNode::Other(noted)) => noted.become_work(work, accesses),
            _ => {
                let mut noted = NodeParams::Other(work.kind());
                noted.become_work(work, accesses);
                self.note(node, noted);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_told_as_they_were_set() {
        let (node, shape) = (NodeId(1), LaunchShape { grid: [1, 2, 3], block: [4, 5, 6], shared_mem_bytes: 7 });
        let (many, sizes) = ([[8; 16].as_slice(); USUAL_ARGUMENTS + 1], [0, 1, 3, 4, 7, 8, 9, 16]);
        let mixed = [Argument::Address(0x1000), Argument::Value(&[1, 2, 3, 4]), Argument::Value(&[9; 8])];
        let mut arguments = vec![mixed.to_vec(), vec![], many.map(|bytes| Argument::Value(&bytes[..4])).to_vec()];
        arguments.extend(sizes.map(|size| vec![Argument::Value(&many[0][..size]), Argument::Address(size as u64)]));
        let mut launches: Vec<_> = arguments.iter().map(|arguments| Arguments::Separate(arguments)).collect();
        launches.extend([Arguments::Packed(&[7; 24]), Arguments::Unknown]);
        let launch = |(kernel, arguments): (usize, &Arguments<'_>)| {
            let (name, kernel) = (["add", "a_longer_name"][kernel % 2], KernelId(kernel as u64 % 2));
            NodeParams::of(&Work::Kernel(Launch {
                kernel,
                name,
                shape,
                arguments: *arguments,
                attributes: &[],
                stated: None,
            }))
        };
        let mut set = SetNodes::default();
        for before in launches.iter().enumerate() {
            for after in launches.iter().enumerate() {
                for (kernel, arguments) in [before, after] {
                    let expected = launch((kernel, arguments));
                    let NodeParams::Kernel(params) = &expected else { panic!("a launch") };
                    let stated = None;
                    set.note_launch(
                        node,
                        &Launch {
                            kernel: params.id(),
                            name: &params.name,
                            shape,
                            arguments: *arguments,
                            attributes: &[],
                            stated,
                        },
                    );
                    assert_eq!(set.get(node).as_deref(), Some(&expected));
                }
            }
        }
        set.note_work(node, &Work::Empty, None);
        assert_eq!(set.get(node).as_deref(), Some(&NodeParams::of(&Work::Empty)));
    }
}
