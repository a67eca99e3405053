//! Pairs of the nodes of a saved graph and the nodes that a trace describes.

use std::collections::{BTreeMap, HashMap};

use graphcap_core::{ToldGraph, ToldNode};
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::read::TraceFile;

use super::draw::number_within;

/// Exec, body and step by which a trace knows a node.
pub(super) type Step = (u32, u32, u32);

/// Name, kernel and kind of a node.
type Key = (String, String, String);

/// Returns the numbers that the page gives to nodes of a trace. The nodes of an exec are those of the graph if they are alike in the order
/// in which they were made; else a node is paired by its name, kernel and kind, where one node alone has these.
pub(super) fn pairs(trace: &TraceFile, graph: &ToldGraph) -> HashMap<Step, String> {
    let mut execs: BTreeMap<u32, Vec<(u64, Step, Key)>> = BTreeMap::new();
    for event in trace.threads.iter().flat_map(|thread| &thread.events).filter(|event| event.kind == Kind::Step) {
        let Entry { exec, launch, number, duration: node, .. } = *event;
        let key = (trace.text(event.name), trace.text(event.begin as u32), trace.text(event.stream));
        execs.entry(exec).or_default().push((node, (exec, launch, number), key));
    }
    let nodes: Vec<_> = graph.nodes.iter().enumerate().filter(|(_, node)| node.kind != "empty").collect();
    let mut single: HashMap<Key, Option<String>> = HashMap::new();
    note(graph, "", &mut single);
    let mut found = HashMap::new();
    for (_, mut steps) in execs {
        let mut main: Vec<_> = steps.iter().filter(|(_, (_, body, _), _)| *body == 0).collect();
        main.sort_by_key(|(node, ..)| *node);
        let is_same = |((_, node), (_, _, step)): (&(usize, &ToldNode), &&(u64, Step, Key))| key(node) == *step;
        if main.len() == nodes.len() && nodes.iter().zip(&main).all(is_same) {
            found.extend(nodes.iter().zip(&main).map(|((number, _), (_, step, _))| (*step, number.to_string())));
            steps.retain(|(_, (_, body, _), _)| *body != 0);
        }
        let by_key = |(_, step, key): (u64, Step, Key)| Some((step, single.get(&key)?.clone()?));
        found.extend(steps.into_iter().filter_map(by_key));
    }
    found
}

fn key(node: &ToldNode) -> Key {
    let kernel = if node.kind == "kernel" { node.title.clone() } else { String::new() };
    (node.name.clone().unwrap_or_default(), kernel, node.kind.clone())
}

/// Notes the nodes by their keys; `None` for keys of several nodes.
fn note(graph: &ToldGraph, prefix: &str, single: &mut HashMap<Key, Option<String>>) {
    for (number, node) in graph.nodes.iter().enumerate() {
        let id = format!("{prefix}{number}");
        for (body, within) in node.graphs.iter().enumerate() {
            note(within, &number_within(&id, body), single);
        }
        single.entry(key(node)).and_modify(|known| *known = None).or_insert(Some(id));
    }
}
