//! Plans and their edits: what versions share, and what they do not.

use std::sync::Arc;

use super::chunk::CHUNK_STEPS;
use super::{Plan, Superseded};
use crate::graph::flat::{Flat, Spot};
use crate::graph::{Action, Definition, Dependencies};
use graphcap_driver::Memset;

/// More than two chunks.
const NODES: u32 = 2 * CHUNK_STEPS + 9;

fn tagged(tag: u32) -> Action {
    Action::Memset(Memset { address: 0, value: tag, element_size: 4, count: 1, rows: 1, pitch: 0 })
}

/// A chain of nodes, each with a tag of its own from `first` on.
fn chain(first: u32) -> Arc<Definition> {
    let mut definition = Definition::new();
    for number in 0..NODES {
        let before: Dependencies = number.checked_sub(1).into_iter().collect();
        definition.add(&mut Some(tagged(first + number)), before).unwrap();
    }
    Arc::new(definition)
}

fn plan(first: u32) -> Plan {
    let (flat, places) = Flat::of(&chain(first), 0).unwrap();
    Plan::compile(flat, &Arc::new(places), 0).unwrap()
}

fn tag_of(plan: &Plan, slot: u32) -> u32 {
    match plan.action(Spot::of_graph(slot)) {
        Some(Action::Memset(set)) => set.value,
        _ => unreachable!("the plans of these tests have memsets alone"),
    }
}

fn set(plan: &mut Plan, slot: u32, tag: u32) -> Superseded {
    let mut superseded = Superseded::default();
    plan.exchange(Spot::of_graph(slot), &mut tagged(tag), 0, &mut superseded).unwrap();
    superseded
}

/// For each chunk whether two plans share it.
fn shared(plan: &Plan, other: &Plan) -> Vec<bool> {
    let pairs = plan.main.chunks.iter().zip(&other.main.chunks);
    pairs.map(|(chunk, other)| Arc::ptr_eq(chunk, other)).collect()
}

#[test]
fn an_edit_of_a_plan_that_others_have_copies_one_chunk() {
    let mut plan = plan(0);
    set(&mut plan, 0, 1000);
    let before = plan.clone();
    assert_eq!(shared(&plan, &before), [true; 3]);
    set(&mut plan, CHUNK_STEPS + 3, 1001);
    assert_eq!(shared(&plan, &before), [true, false, true]);
    assert_eq!((tag_of(&plan, CHUNK_STEPS + 3), tag_of(&before, CHUNK_STEPS + 3)), (1001, CHUNK_STEPS + 3));
    assert!(Arc::ptr_eq(plan.shape(), before.shape()));
    let mut superseded = Superseded::default();
    plan.enable(Spot::of_graph(NODES - 1), false, &mut superseded);
    assert_eq!(shared(&plan, &before), [true, false, false]);
    assert!(plan.is_disabled(Spot::of_graph(NODES - 1)) && !before.is_disabled(Spot::of_graph(NODES - 1)));
}

#[test]
fn an_edit_of_a_plan_that_nobody_else_has_copies_nothing() {
    let mut plan = plan(0);
    set(&mut plan, 0, 1000);
    let places: Vec<_> = plan.main.chunks.iter().map(Arc::as_ptr).collect();
    for slot in 0..NODES {
        set(&mut plan, slot, 2000 + slot);
    }
    assert_eq!(plan.main.chunks.iter().map(Arc::as_ptr).collect::<Vec<_>>(), places);
    assert!((0..NODES).all(|slot| tag_of(&plan, slot) == 2000 + slot));
}

#[test]
fn an_update_keeps_the_shape_and_what_is_disabled() {
    let mut plan = plan(0);
    let mut superseded = Superseded::default();
    let resting = Spot::of_graph(CHUNK_STEPS);
    plan.enable(resting, false, &mut superseded);
    set(&mut plan, 1, 1000);
    let before = plan.clone();
    let other = chain(500);
    plan.update(&other, 0, &mut superseded).unwrap();
    assert!(Arc::ptr_eq(plan.shape(), before.shape()));
    assert_eq!([0, 1, CHUNK_STEPS].map(|slot| tag_of(&plan, slot)), [500, 501, 500 + CHUNK_STEPS]);
    assert_eq!([0, 1, CHUNK_STEPS].map(|slot| tag_of(&before, slot)), [0, 1000, CHUNK_STEPS]);
    assert!(plan.is_disabled(resting));
    // Of a graph that it is of already nothing is compiled.
    let updated = plan.clone();
    plan.update(&other, 0, &mut superseded).unwrap();
    assert_eq!(shared(&plan, &updated), [true; 3]);
    plan.enable(resting, true, &mut superseded);
    assert!(!plan.is_disabled(resting) && updated.is_disabled(resting));
}

/// Memsets are looked up in the definition by their steps.
#[test]
fn an_update_shares_the_chunks_whose_steps_run_the_same() {
    let before = plan(0);
    let mut plan = before.clone();
    plan.update(&chain(500), 0, &mut Superseded::default()).unwrap();
    assert_eq!(shared(&plan, &before), [true; 3]);
    assert_eq!((tag_of(&plan, 3), tag_of(&before, 3)), (503, 3));
    set(&mut plan, 3, 1000);
    assert_eq!((tag_of(&plan, 3), tag_of(&before, 3)), (1000, 3));
}

#[test]
fn a_plan_is_not_updated_by_a_graph_of_another_size() {
    let mut plan = plan(0);
    let mut longer = Definition::clone(&chain(0));
    longer.add(&mut Some(tagged(7)), Dependencies::new()).unwrap();
    assert!(plan.update(&Arc::new(longer), 0, &mut Superseded::default()).is_err());
    assert_eq!(tag_of(&plan, NODES - 1), NODES - 1);
}

/// An exchanged host function goes with the last plan that has it: within the edit where no other plan does.
#[test]
fn what_was_exchanged_goes_with_the_last_plan_that_has_it() {
    let function: graphcap_driver::HostFunction = Arc::new(|| ());
    let held = Arc::downgrade(&function);
    let mut definition = Definition::new();
    definition.add(&mut Some(Action::Host(function)), Dependencies::new()).unwrap();
    let (flat, places) = Flat::of(&Arc::new(definition), 0).unwrap();
    let mut with_function = Plan::compile(flat, &Arc::new(places), 0).unwrap();
    let before = with_function.clone();
    let mut superseded = Superseded::default();
    let mut other = Action::Host(Arc::new(|| ()));
    with_function.exchange(Spot::of_graph(0), &mut other, 0, &mut superseded).unwrap();
    drop((other, superseded));
    assert!(held.upgrade().is_some());
    drop(before);
    assert!(held.upgrade().is_none());
}
