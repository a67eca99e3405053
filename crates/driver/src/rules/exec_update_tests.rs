use super::*;
use crate::rules::outline::{Outline, OutlinedNode};

const KERNEL: Facts = Facts::Kernel { context: 1, is_cooperative: false, is_updatable: false, priority: 0 };
const SET: Facts = Facts::Memset(None);

/// Nodes with the ids 100, 101 and so on, and what each waits for.
fn graph(nodes: &[(Facts, &[u32])]) -> Outline {
    let of = |(at, (facts, dependencies)): (usize, &(Facts, &[u32]))| OutlinedNode {
        dependencies: dependencies.to_vec(),
        ..OutlinedNode::new(100 + at as u64, facts.clone())
    };
    Outline { nodes: nodes.iter().enumerate().map(of).collect() }
}

fn paired(exec: &Outline, graph: &Outline) -> Vec<u32> {
    let pairing = pair(exec, graph, Terms::default()).unwrap();
    (0..exec.node_count()).map(|node| pairing.of(node)).collect()
}

/// The result, and the nodes that the driver tells: that of the graph, and what it waits for.
fn refused(exec: &Outline, graph: &Outline) -> (u32, Option<u64>, Option<u64>) {
    let difference = pair(exec, graph, Terms::default()).unwrap_err();
    assert!(!difference.change.sentence().is_empty());
    (difference.change.result() as u32, difference.graph_node, difference.from_node)
}

fn refused_alone(before: Facts, after: Facts) -> (u32, Option<u64>, Option<u64>) {
    refused(&graph(&[(before, &[])]), &graph(&[(after, &[])]))
}

#[test]
fn nodes_are_paired_by_edges_and_not_by_when_they_were_made() {
    let chain = graph(&[(KERNEL, &[]), (SET, &[0]), (KERNEL, &[1])]);
    assert_eq!(paired(&chain, &chain), [0, 1, 2]);
    assert_eq!(pair(&chain, &chain, Terms::default()).unwrap().nodes, None, "found without a walk");
    let backwards = graph(&[(KERNEL, &[1]), (SET, &[2]), (KERNEL, &[])]);
    assert_eq!(paired(&chain, &backwards), [2, 1, 0]);
    let wide = graph(&[(KERNEL, &[]), (SET, &[]), (KERNEL, &[0, 1])]);
    let wide_in_another_order = graph(&[(SET, &[]), (KERNEL, &[]), (KERNEL, &[1, 0])]);
    assert_eq!(paired(&wide, &wide_in_another_order), [1, 0, 2]);
}

#[test]
fn leaves_are_paired_from_the_newest_on() {
    let exec = graph(&[(KERNEL, &[]), (KERNEL, &[]), (SET, &[1])]);
    let moved = graph(&[(KERNEL, &[]), (KERNEL, &[]), (SET, &[0])]);
    // The newest of both is the set, the other one is the kernel without a successor.
    assert_eq!(paired(&exec, &moved), [1, 0, 2]);
    // update.roots_of_two_kinds_swapped: the kernel is made second.
    assert_eq!(
        refused(&graph(&[(KERNEL, &[]), (SET, &[])]), &graph(&[(SET, &[]), (KERNEL, &[])])),
        (3, Some(101), None)
    );
}

#[test]
fn another_topology_is_result_2() {
    let pair_of_kernels = graph(&[(KERNEL, &[]), (KERNEL, &[0])]);
    let three = graph(&[(KERNEL, &[]), (KERNEL, &[0]), (KERNEL, &[1])]);
    assert_eq!(refused(&pair_of_kernels, &three), (2, None, None), "update.one_more_node");
    assert_eq!(refused(&three, &pair_of_kernels), (2, None, None), "update.one_less_node");
    let without_edge = graph(&[(KERNEL, &[]), (KERNEL, &[])]);
    assert_eq!(refused(&pair_of_kernels, &without_edge), (2, Some(100), None), "update.edge_missing");
    let fork = graph(&[(KERNEL, &[]), (KERNEL, &[0]), (KERNEL, &[0])]);
    assert_eq!(refused(&three, &fork), (2, Some(101), None), "update.edges_differ_same_count");
    let cycle = graph(&[(KERNEL, &[1]), (KERNEL, &[0])]);
    assert_eq!(refused(&pair_of_kernels, &cycle), (2, None, None), "update.cycle");
    let join = graph(&[(KERNEL, &[]), (KERNEL, &[]), (KERNEL, &[0, 1])]);
    assert_eq!(refused(&three, &join), (2, Some(102), None), "another number of dependencies");
    // 0 -> 2, 1 -> 2, 0 -> 3, 1 -> 3, 2 -> 4, 3 -> 4: the last two edges crossed.
    let square: &[(Facts, &[u32])] =
        &[(KERNEL, &[]), (KERNEL, &[]), (KERNEL, &[0, 1]), (KERNEL, &[0, 1]), (KERNEL, &[2, 3])];
    let mut crossed = square.to_vec();
    crossed[3].1 = &[1, 0];
    assert_eq!(refused(&graph(square), &graph(&crossed)), (2, Some(103), Some(101)), "paired with another one already");
}

#[test]
fn cycles_beside_leaves_are_refused() {
    let exec = graph(&[(KERNEL, &[]), (KERNEL, &[0]), (KERNEL, &[])]);
    let cycle = graph(&[(KERNEL, &[1]), (KERNEL, &[0]), (KERNEL, &[])]);
    assert_eq!(refused(&exec, &cycle).0, 2);
    assert_eq!(refused(&cycle, &exec).0, 2);
}

#[test]
fn a_node_keeps_its_kind() {
    let exec = graph(&[(KERNEL, &[]), (KERNEL, &[0])]);
    assert_eq!(refused(&exec, &graph(&[(KERNEL, &[]), (SET, &[0])])), (3, Some(101), None), "update.kind");
    let inputs = graph(&[(KERNEL, &[]), (SET, &[]), (KERNEL, &[0, 1])]);
    let swapped = graph(&[(KERNEL, &[]), (SET, &[]), (KERNEL, &[1, 0])]);
    assert_eq!(refused(&inputs, &swapped), (3, Some(101), None), "update.dependencies_in_other_order");
    let event = |records| Facts::Event { records, context: 1 };
    assert_eq!(refused_alone(event(true), event(false)).0, 3);
    assert_eq!(refused_alone(Facts::Plain("host function"), Facts::Plain("empty")).0, 3);
}

#[test]
fn parameters_may_differ_as_measured() {
    let kernel =
        |context, is_cooperative, priority| Facts::Kernel { context, is_cooperative, is_updatable: false, priority };
    let copy = |to_host, from_host, rows| Facts::Memcpy { host_sides: (to_host, from_host), rows, host: HostSide::Any };
    for (before, after, result) in [
        (KERNEL, kernel(2, false, 0), 7),
        (KERNEL, kernel(1, true, 0), 8),
        (kernel(1, true, 0), KERNEL, 8),
        (copy(false, false, None), copy(true, false, None), 5),
        (copy(false, true, None), copy(false, false, None), 5),
        (copy(false, false, None), copy(false, false, Some([1; 10])), 5),
        (copy(false, false, Some([2; 10])), copy(false, false, Some([1; 10])), 5),
        (SET, Facts::Memset(Some([2, 64, 16, 4])), 5),
        (Facts::Memset(Some([2, 64, 16, 4])), SET, 5),
        (Facts::Memset(Some([2, 64, 16, 4])), Facts::Memset(Some([2, 64, 32, 4])), 5),
        (Facts::Values([0].into()), Facts::Values([0, 0].into()), 5),
        (Facts::Values([0].into()), Facts::Values([1].into()), 5),
        (Facts::Event { records: true, context: 1 }, Facts::Event { records: true, context: 2 }, 5),
        (Facts::Conditional(0, 1), Facts::Conditional(0, 2), 6),
        (Facts::Conditional(0, 1), Facts::Conditional(1, 1), 6),
    ] {
        assert_eq!(refused_alone(before.clone(), after.clone()), (result, Some(100), None), "{before:?} {after:?}");
        let same = graph(&[(before, &[])]);
        assert_eq!(paired(&same, &same), [0]);
    }
    let (plain, urgent) = (graph(&[(KERNEL, &[])]), graph(&[(kernel(1, false, -5), &[])]));
    assert_eq!(paired(&plain, &urgent), [0], "update.priority");
    let with_priorities = Terms { node_priorities: true, ..Terms::default() };
    let difference = pair(&plain, &urgent, with_priorities).unwrap_err();
    assert_eq!(difference.change.result(), UpdateResult::AttributesChanged, "update.priority_flagged");
}

#[test]
fn a_copy_of_managed_memory_becomes_none_of_pageable_memory() {
    use HostSide::{Any, Pageable, PinnedOfManaged};
    let copy = |host| (Facts::Memcpy { host_sides: (true, false), rows: None, host }, &[][..]);
    let found = |exec: &[HostSide], after: &[HostSide]| {
        let of = |hosts: &[HostSide]| graph(&hosts.iter().map(|&host| copy(host)).collect::<Vec<_>>());
        let (exec, after) = (of(exec), of(after));
        let pairing = pair(&exec, &after, Terms::default()).unwrap();
        pageable_instead(&exec, &after, &pairing).map(|found| (found.exec_node, found.graph_node))
    };
    assert_eq!(found(&[PinnedOfManaged], &[Pageable]), Some((Some(100), Some(100))));
    assert_eq!(found(&[Any, PinnedOfManaged], &[Pageable, Pageable]), Some((Some(101), Some(101))));
    for (before, after) in [(PinnedOfManaged, Any), (Any, Pageable), (Pageable, PinnedOfManaged)] {
        assert_eq!(found(&[before], &[after]), None);
    }
    let nested = |host| {
        let mut outer = graph(&[(Facts::Plain("child"), &[])]);
        outer.nodes[0].graphs = vec![graph(&[copy(host)])];
        outer
    };
    let (exec, after) = (nested(PinnedOfManaged), nested(Pageable));
    let pairing = pair(&exec, &after, Terms::default()).unwrap();
    let found = pageable_instead(&exec, &after, &pairing).unwrap();
    assert_eq!((found.change, found.change.result() as u32), (Change::CopyPageable, 5));
}

#[test]
fn a_node_that_kernels_can_change_is_refused_without_a_result() {
    let updatable = Facts::Kernel { context: 1, is_cooperative: false, is_updatable: true, priority: 0 };
    let exec = graph(&[(updatable, &[])]);
    let difference = pair(&exec, &exec, Terms::default()).unwrap_err();
    assert_eq!(
        (difference.change.result(), difference.change.status()),
        (UpdateResult::Success, Status::NOT_SUPPORTED)
    );
}

#[test]
fn what_edges_carry_stays() {
    let plain = graph(&[(KERNEL, &[]), (KERNEL, &[0])]);
    let mut programmatic = plain.clone();
    programmatic.nodes[1].carried.push((0, [1, 0, 1]));
    assert_eq!(refused(&plain, &programmatic), (2, Some(101), Some(100)));
    assert_eq!(refused(&programmatic, &plain), (2, Some(101), Some(100)));
    assert_eq!(paired(&programmatic, &programmatic), [0, 1]);
}

#[test]
fn graphs_of_nodes_are_compared_as_well() {
    let outer = |inner: Outline| {
        let mut outer = graph(&[(KERNEL, &[]), (Facts::Plain("child graph"), &[0])]);
        outer.nodes[1].graphs.push(inner);
        outer
    };
    let inner = graph(&[(KERNEL, &[]), (SET, &[0])]);
    let backwards = graph(&[(SET, &[1]), (KERNEL, &[])]);
    let pairing = pair(&outer(inner.clone()), &outer(backwards), Terms::default()).unwrap();
    assert_eq!(pairing.nodes, None);
    let [(1, 0, within)] = &pairing.within[..] else { panic!("{pairing:?}") };
    assert_eq!(within.nodes, Some(vec![1, 0]));
    let longer = graph(&[(KERNEL, &[]), (SET, &[0]), (SET, &[1])]);
    assert_eq!(refused(&outer(inner.clone()), &outer(longer)), (2, None, None), "update.child_topology");
    let other_kind = graph(&[(KERNEL, &[]), (KERNEL, &[0])]);
    assert_eq!(refused(&outer(inner), &outer(other_kind)), (3, Some(101), None), "update.cond_body_kind");
}

#[test]
fn attributes_that_the_exec_keeps_are_named_where_asked_for() {
    let exec = graph(&[(KERNEL, &[]), (KERNEL, &[0])]);
    let mut clustered = exec.clone();
    let mut plain = exec.clone();
    plain.nodes[1].attributes = vec![(2, 0), (4, 0)];
    clustered.nodes[1].attributes = vec![(2, 0), (4, 77)];
    assert_eq!(pair(&plain, &clustered, Terms::default()).unwrap().kept, None);
    let compares = Terms { compares_attributes: true, ..Terms::default() };
    let kept = KeptAttribute { attribute: 4, exec_node: 101, graph_node: 101 };
    assert_eq!(pair(&plain, &clustered, compares).unwrap().kept, Some(kept));
    assert_eq!(pair(&plain, &plain, compares).unwrap().kept, None);
}

#[test]
fn results_have_cudas_numbers() {
    for number in 0..=8 {
        assert_eq!(UpdateResult::from_number(number) as u32, number);
        assert!(!UpdateResult::from_number(number).meaning().is_empty());
    }
    assert_eq!(UpdateResult::from_number(9), UpdateResult::Error);
}
