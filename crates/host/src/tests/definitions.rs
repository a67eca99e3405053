//! Definitions of graphs: slots and ids of nodes, edges, what edits leave behind, cycles.

use std::collections::BTreeSet;

use super::*;
use crate::graph::flat::Flat;
use crate::graph::origin::Origin;
use crate::graph::plan::Plan;
use crate::graph::{Action, Definition, Graph};
use graphcap_base::error::Status;
use graphcap_driver::rules::exec_update::Terms;

/// An action that a description tells from others.
fn tagged(tag: u32) -> Action {
    Action::Memset(Memset { address: 0, value: tag, element_size: 4, count: 1, rows: 1, pitch: 0 })
}

fn tag_of(action: &Action) -> u32 {
    match action {
        Action::Memset(set) => set.value,
        _ => unreachable!("the definitions of these tests have memsets alone"),
    }
}

fn insert(definition: &mut Definition, tag: u32, dependencies: &[NodeId]) -> graphcap_base::Result<NodeId> {
    let slots = definition.new_dependencies(dependencies)?;
    let slot = definition.add(&mut Some(tagged(tag)), slots).unwrap();
    Ok(definition.id(slot))
}

/// A definition with `count` nodes and no edges.
fn loose(count: u32) -> (Definition, Vec<NodeId>) {
    let mut definition = Definition::new();
    let nodes = (0..count).map(|tag| insert(&mut definition, tag, &[]).unwrap()).collect();
    (definition, nodes)
}

fn refused<T>(result: graphcap_base::Result<T>) -> bool {
    result.is_err_and(|error| error.status == Status::INVALID_VALUE)
}

fn compile(definition: Definition) -> graphcap_base::Result<Plan> {
    let definition = Arc::new(definition);
    let (flat, places) = Flat::of(&definition, 0)?;
    Plan::compile(flat, &Arc::new(places), 0).map_err(|error| Flat::check_order(&definition).err().unwrap_or(error))
}

/// The expected definition.
#[derive(Default)]
struct Model {
    /// In the order in which they were made: id, tag, dependencies.
    nodes: Vec<(NodeId, u32, Vec<NodeId>)>,
    dead: Vec<NodeId>,
}

impl Model {
    fn has_edge(&self, from: NodeId, to: NodeId) -> bool {
        self.nodes.iter().any(|(id, _, dependencies)| *id == to && dependencies.contains(&from))
    }

    fn knows(&self, id: NodeId) -> bool {
        self.nodes.iter().any(|(known, ..)| *known == id)
    }

    fn has_cycle(&self) -> bool {
        let mut placed: Vec<NodeId> = Vec::new();
        while let Some((id, ..)) = self.nodes.iter().find(|(id, _, dependencies)| {
            !placed.contains(id) && dependencies.iter().all(|dependency| placed.contains(dependency))
        }) {
            placed.push(*id);
        }
        placed.len() < self.nodes.len()
    }

    fn check(&self, definition: &Definition) {
        let ids = definition.ids().unwrap();
        let expected: Vec<NodeId> = self.nodes.iter().map(|(id, ..)| *id).collect();
        assert_eq!(ids.nodes, expected);
        let edges: Vec<_> = self.nodes.iter().flat_map(|(to, _, from)| from.iter().map(|from| (*from, *to))).collect();
        assert_eq!(ids.edges, edges);
        assert_eq!((definition.len(), definition.edge_count()), (expected.len(), edges.len()));
        let place = |id: &NodeId| expected.iter().position(|other| other == id).unwrap();
        for (id, tag, _) in &self.nodes {
            assert_eq!(tag_of(&definition.action(*id).unwrap()), *tag);
        }
        let sinks = definition.sinks();
        for (id, ..) in &self.nodes {
            let has_dependent = edges.iter().any(|(from, _)| from == id);
            assert_eq!(sinks[definition.slot(*id).unwrap() as usize], !has_dependent);
        }
        assert_eq!(sinks.iter().filter(|is_sink| **is_sink).count(), {
            expected.iter().filter(|id| edges.iter().all(|(from, _)| from != *id)).count()
        });
        assert!(self.dead.iter().all(|id| definition.slot(*id).is_err()));
        let packed = Arc::new(definition.clone()).packed();
        let names = definition.names();
        for (at, (id, tag, dependencies)) in self.nodes.iter().enumerate() {
            assert_eq!(names.slot(*id).unwrap(), at as u32);
            let node = packed.node(at as u32).unwrap();
            assert_eq!(tag_of(&node.action), *tag);
            assert!(node.dependencies.iter().map(|from| *from as usize).eq(dependencies.iter().map(place)));
        }
        assert!(self.dead.iter().all(|id| names.slot(*id).is_err()));
        match compile(definition.clone()) {
            Ok(plan) => assert!(!self.has_cycle() && plan.shape().step_count() as usize == self.nodes.len()),
            Err(error) => {
                assert!(self.has_cycle() && error.status == Status::INVALID_VALUE, "{error}");
                self.check_cycle(&error.message);
            }
        }
    }

    /// Each arrow of the message is an edge.
    fn check_cycle(&self, message: &str) {
        let (_, told) = message.split_once("can begin: ").unwrap();
        let (told, _) = told.split_once(';').unwrap();
        let id = |hex: &str| NodeId(u64::from_str_radix(hex.split(' ').next().unwrap(), 16).unwrap());
        let nodes: Vec<Option<NodeId>> = told.split(" -> ").map(|node| node.strip_prefix("node 0x").map(id)).collect();
        assert!(nodes.len() >= 3 && nodes.first() == nodes.last(), "{message}");
        for pair in nodes.windows(2) {
            if let &[Some(from), Some(to)] = pair {
                assert!(self.has_edge(from, to), "{message}");
            }
        }
    }
}

#[test]
fn edits_at_random_leave_what_a_model_says() {
    for round in 0..rounds(5_000) {
        let mut random = Random(round as u64);
        let mut definition = Definition::new();
        let mut model = Model::default();
        let foreign = loose(3).1;
        for step in 0..60u32 {
            // Mostly a node that there is; else one that is gone, one of another definition, or none.
            let pick = |random: &mut Random, model: &Model| match random.below(24) {
                0 if !model.dead.is_empty() => model.dead[random.below(model.dead.len())],
                1 => foreign[random.below(3)],
                2 => NodeId(0),
                _ if model.nodes.is_empty() => NodeId(7 << 32),
                _ => model.nodes[random.below(model.nodes.len())].0,
            };
            match random.below(8) {
                0..=2 => {
                    let dependencies: Vec<_> = (0..random.below(4)).map(|_| pick(&mut random, &model)).collect();
                    let distinct: BTreeSet<_> = dependencies.iter().collect();
                    let is_good =
                        distinct.len() == dependencies.len() && dependencies.iter().all(|id| model.knows(*id));
                    match insert(&mut definition, step, &dependencies) {
                        Ok(id) => {
                            assert!(is_good && !model.knows(id) && !model.dead.contains(&id));
                            model.nodes.push((id, step, dependencies));
                        }
                        Err(error) => assert!(!is_good && error.status == Status::INVALID_VALUE, "{error}"),
                    }
                }
                3 | 4 => {
                    let id = pick(&mut random, &model);
                    match definition.remove(id) {
                        Ok(action) => {
                            let at = model.nodes.iter().position(|(known, ..)| *known == id).unwrap();
                            assert_eq!(tag_of(&action), model.nodes.remove(at).1);
                            model.nodes.iter_mut().for_each(|(_, _, from)| from.retain(|from| *from != id));
                            model.dead.push(id);
                        }
                        Err(error) => assert!(!model.knows(id) && error.status == Status::INVALID_VALUE),
                    }
                }
                verb @ (5 | 6) => {
                    let some_edges: Vec<_> = definition.ids().unwrap().edges;
                    let edges: Vec<_> = (0..random.below(4))
                        .map(|_| match random.below(3) {
                            0 if !some_edges.is_empty() => some_edges[random.below(some_edges.len())],
                            _ if verb == 6 && !some_edges.is_empty() => some_edges[random.below(some_edges.len())],
                            _ => (pick(&mut random, &model), pick(&mut random, &model)),
                        })
                        .collect();
                    let distinct: BTreeSet<_> = edges.iter().collect();
                    let of_nodes = |(from, to): &(NodeId, NodeId)| model.knows(*from) && model.knows(*to);
                    let is_good = distinct.len() == edges.len()
                        && edges.iter().all(|edge| {
                            of_nodes(edge) && edge.0 != edge.1 && model.has_edge(edge.0, edge.1) == (verb == 6)
                        });
                    let changed = match verb {
                        5 => definition.add_edges(&edges),
                        _ => definition.remove_edges(&edges),
                    };
                    assert_eq!(changed.is_ok(), is_good, "{edges:?}");
                    for (from, to) in edges.into_iter().filter(|_| is_good) {
                        let (.., dependencies) = model.nodes.iter_mut().find(|(id, ..)| *id == to).unwrap();
                        match verb {
                            5 => dependencies.push(from),
                            _ => dependencies.retain(|dependency| *dependency != from),
                        }
                    }
                }
                _ => {
                    let id = pick(&mut random, &model);
                    let mut action = tagged(1_000 + step);
                    let exchanged = definition.exchange(id, &mut action);
                    assert_eq!(exchanged.is_ok(), model.knows(id));
                    if let Some((_, tag, _)) = model.nodes.iter_mut().find(|(known, ..)| *known == id) {
                        assert_eq!(std::mem::replace(tag, 1_000 + step), tag_of(&action));
                    }
                }
            }
            model.check(&definition);
            if random.below(10) == 0 {
                // What shares the definition keeps it as it was.
                let shared = definition.clone();
                if let Some((id, ..)) = model.nodes.first() {
                    definition.remove(*id).unwrap();
                }
                model.check(&shared);
                definition = shared;
            }
        }
    }
}

#[test]
fn a_slot_is_filled_again_and_an_old_id_stays_dead() {
    let (mut definition, mut nodes) = loose(3);
    let mut dead = Vec::new();
    for round in 0..1_000 {
        let at = round % 3;
        definition.remove(nodes[at]).unwrap();
        dead.push(nodes[at]);
        nodes[at] = insert(&mut definition, 0, &[]).unwrap();
    }
    // Three slots served them all.
    assert!(nodes.iter().all(|id| definition.slot(*id).unwrap() < 3));
    assert_eq!(definition.ids().unwrap().nodes, [nodes[1], nodes[2], nodes[0]]);
    for id in dead {
        assert!(refused(definition.remove(id)) && refused(definition.exchange(id, &mut tagged(0))));
        assert!(refused(definition.add_edges(&[(id, nodes[0])])) && refused(definition.new_dependencies(&[id])));
    }
}

#[test]
fn edges_are_changed_wholly_or_not_at_all() {
    let (mut definition, nodes) = loose(4);
    let [a, b, c, d] = nodes[..] else { unreachable!() };
    definition.add_edges(&[(a, b), (b, c)]).unwrap();
    let before = definition.ids();
    let other = loose(1).1[0];
    let bad = [(a, a), (a, b), (c, d), (other, d), (d, other), (NodeId(0), d)];
    for edge in bad {
        assert!(refused(definition.add_edges(&[(a, d), (c, d), edge])), "{edge:?}");
        assert_eq!(definition.ids(), before);
    }
    for edge in [(b, a), (a, d), (b, c), (d, d), (other, b), (b, NodeId(0))] {
        assert!(refused(definition.remove_edges(&[(a, b), (b, c), edge])), "{edge:?}");
        assert_eq!(definition.ids(), before);
    }
    definition.remove_edges(&[(b, c), (a, b)]).unwrap();
    assert_eq!(definition.ids().unwrap().edges, []);
    assert!(refused(definition.remove_edges(&[(a, b)])));
    definition.add_edges(&[]).unwrap();
    definition.add_edges(&[(d, a), (c, a), (b, a)]).unwrap();
    definition.remove(a).unwrap();
    assert_eq!(definition.edge_count(), 0);
}

#[test]
fn a_node_keeps_its_kind() {
    let (mut definition, nodes) = loose(1);
    let mut action = Action::Host(Arc::new(|| ()));
    assert!(refused(definition.exchange(nodes[0], &mut action)));
    assert!(matches!(action, Action::Host(_)), "a refused action is the caller's");
    assert_eq!(tag_of(&definition.node(0).unwrap().action), 0);
}

#[test]
fn a_cycle_is_told_by_its_nodes_when_the_graph_is_compiled() {
    let (mut definition, nodes) = loose(12);
    // n0 leads into the cycle n2, n5, n3, and n1 comes out of it.
    definition
        .add_edges(&[(nodes[0], nodes[2]), (nodes[5], nodes[3]), (nodes[3], nodes[2]), (nodes[3], nodes[1])])
        .unwrap();
    compile(definition.clone()).map(drop).unwrap();
    definition.add_edges(&[(nodes[2], nodes[5])]).unwrap();
    let error = compile(definition.clone()).map(drop).unwrap_err();
    assert_eq!(error.status, Status::INVALID_VALUE);
    let [two, three, five] = [2, 3, 5].map(|at: usize| format!("node {:#x} (memset)", nodes[at].0));
    let ring = format!("{two} -> {five} -> {three} -> node {:#x};", nodes[2].0);
    assert!(error.message.contains(&ring), "{error}");
    definition.remove_edges(&[(nodes[3], nodes[2])]).unwrap();
    compile(definition).map(drop).unwrap();

    let (mut ring, nodes) = loose(12);
    let edges: Vec<_> = (0..12).map(|at| (nodes[at], nodes[(at + 1) % 12])).collect();
    ring.add_edges(&edges).unwrap();
    let told = compile(ring).map(drop).unwrap_err().message;
    let [first, second] = [0, 1].map(|at: usize| nodes[at].0);
    assert!(told.contains(&format!("node {first:#x} (memset) -> node {second:#x} (memset) -> ")), "{told}");
    assert!(told.contains(&format!("4 more -> node {first:#x};")), "{told}");
}

#[test]
fn a_node_stays_while_a_capture_goes_into_its_graph() {
    let (definition, nodes) = loose(2);
    let mut graph = Graph::new(definition, 1);
    graph.begin_capture(&[]);
    assert_eq!(graph.remove(&[], nodes[0]).map(drop).unwrap_err().status, Status::ILLEGAL_STATE);
    graph.end_capture(true);
    let shared = Arc::clone(&graph.definition);
    graph.remove(&[], nodes[0]).unwrap();
    assert_eq!((graph.definition.len(), shared.len()), (1, 2));
    assert!(refused(graph.remove(&[], nodes[0])));
}

#[test]
fn an_edited_graph_can_be_captured_into() {
    let bench = Bench::new();
    let stream = bench.stream();
    let marks: Vec<Mark> = (0..4).map(|_| Mark::default()).collect();
    bench.begin(stream);
    marks[..3].iter().for_each(|mark| bench.mark(stream, mark).unwrap());
    let graph = bench.driver.end_capture(stream).unwrap();
    let nodes = bench.driver.graph_nodes(GraphRef::Known(graph)).unwrap().nodes;
    let old = bench.driver.graph_instantiate(graph).unwrap().0;
    bench.host.graph(graph, |graph| graph.remove(&[], nodes[1]).map(drop)).unwrap().unwrap();
    let into =
        |dependency| bench.driver.begin_capture_to_graph(stream, graph, &[dependency], CaptureMode::Relaxed, &[]);
    assert!(refused(into(nodes[1])));
    into(nodes[2]).unwrap();
    let refusal = bench.host.graph(graph, |graph| graph.remove(&[], nodes[0]).map(drop)).unwrap();
    assert_eq!(refusal.unwrap_err().status, Status::ILLEGAL_STATE);
    bench.mark(stream, &marks[3]).unwrap();
    bench.driver.end_capture(stream).unwrap();
    let known = bench.driver.graph_nodes(GraphRef::Known(graph)).unwrap();
    // The new node is in the slot of the one that was removed, and the last in order.
    assert_eq!((&known.nodes[..2], known.nodes.len()), (&[nodes[0], nodes[2]][..], 3));
    assert_eq!(known.edges, [(nodes[2], known.nodes[2])]);
    let new = bench.driver.graph_instantiate(graph).unwrap().0;
    bench.driver.exec_launch(old, stream).unwrap();
    bench.driver.exec_launch(new, stream).unwrap();
    bench.finish(stream);
    assert_eq!(marks.iter().map(Mark::runs).collect::<Vec<_>>(), [2, 1, 2, 1]);
    assert!(marks[2].tick() < marks[3].tick());
}

/// Some action that updates tell from some others, and not from the rest.
fn some_action(random: &mut Random) -> Action {
    let copy = |kind| Action::Memcpy(Memcpy { destination: 0, source: 0, bytes: 4, kind });
    match random.below(5) {
        0 => Action::Empty,
        1 => Action::Memset(Memset { address: 0, value: 1, element_size: 4, count: 1, rows: 2, pitch: 8 }),
        2 => copy(MemcpyKind::HostToDevice),
        3 => copy(MemcpyKind::DeviceToDevice),
        tag => tagged(tag as u32),
    }
}

#[test]
fn what_is_alike_at_a_glance_is_paired_in_its_order() {
    let mut random = Random(20);
    let terms = Terms { node_priorities: true, compares_attributes: true };
    let (mut alike, mut different) = (0, 0);
    for _ in 0..rounds(200_000) {
        let count = 1 + random.below(4) as u32;
        let mut definitions = [Definition::new(), Definition::new()];
        for slot in 0..count {
            let dependencies: Vec<u32> = (0..slot).filter(|_| random.below(2) == 0).collect();
            let action = some_action(&mut random);
            for definition in &mut definitions {
                let (mut action, mut dependencies) = (Some(action.clone()), dependencies.clone());
                if random.below(12) == 0 {
                    action = Some(some_action(&mut random));
                }
                if random.below(12) == 0 {
                    dependencies.pop();
                }
                definition.add(&mut action, dependencies.into()).unwrap();
            }
        }
        for definition in &mut definitions {
            let node = definition.id(random.below(count as usize) as u32);
            match random.below(8) {
                0 => drop(definition.remove(node)),
                1 => drop(definition.exchange(node, &mut some_action(&mut random))),
                _ => {}
            }
        }
        let [of_exec, definition] = definitions.map(Arc::new);
        let origin = Origin::of(&of_exec);
        let paired = origin.pair(&definition, terms);
        if origin.is_plainly_alike(&definition) {
            alike += 1;
            let pairing = paired.unwrap();
            assert!((0..count).all(|number| pairing.of(number) == number));
        } else {
            different += usize::from(paired.is_err());
        }
    }
    assert!(alike > 500 && different > 500, "{alike} {different}");
}
