//! Objects kept by graphs that others can have, that are lost, or that many captures go into.

use super::*;
use crate::{Fill, NodeWork};
use graphcap_driver::graphs::is_same;
use graphcap_driver::Captures;

/// The end of a capture that fails is the end of the graph, also where the device answers nothing else any more, and where no capture was
/// known to go into it.
#[test]
fn a_graph_that_is_lost_keeps_nothing_any_more() {
    for (is_known, is_stale) in [(true, false), (true, true), (false, false)] {
        let bench = Bench::new();
        let buffer = bench.buffer();
        let start = buffer.address();
        let graph = bench.sets(&[&buffer]);
        drop(buffer);
        let Bench { driver, context, stream } = bench;
        match is_known {
            true => stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap(),
            false => {
                graph.native().unwrap();
                stream.begin_capture(CaptureMode::Global).unwrap();
            }
        }
        driver.lose_graph(graph.id());
        driver.fail("graph_node_count", Status::NOT_PERMITTED);
        driver.break_captures();
        match is_stale {
            true => drop(context.reset().unwrap()),
            false => drop(stream.end_capture().unwrap_err()),
        }
        drop(stream);
        assert!(graph.0.kept().is_empty(), "known {is_known}, stale {is_stale}");
        // The driver's graph of the last one is lost with what it holds for others.
        assert_eq!(driver.is_allocated(start), !is_known);
    }
}

/// Captures that cannot begin into a graph that is lost leave no list there.
#[test]
fn a_begin_of_a_capture_into_a_lost_graph_leaves_nothing() {
    let bench = Bench::new();
    let graph = Graph::create(&bench.context).unwrap();
    bench.driver.lose_graph(graph.id());
    bench.driver.fail("graph_node_count", Status::INVALID_VALUE);
    let begun = bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global);
    assert_eq!((begun.unwrap_err().status, graph.0.kept().len()), (Status::INVALID_VALUE, 0));
    drop(graph);
    bench.end();
}

/// Whoever has the graph of the driver's finds all that it is to keep on it: where the driver refuses to hold that, nobody gets the graph.
#[test]
fn a_graph_that_cannot_hold_what_it_keeps_is_not_given_out() {
    let bench = Bench::new();
    let (buffer, other) = (bench.buffer(), bench.buffer());
    let start = buffer.address();
    let graph = bench.sets(&[&buffer, &other]);
    drop(buffer);
    bench.driver.fail("graph_retain", Status::OUT_OF_MEMORY);
    assert_eq!(graph.native().unwrap_err().status, Status::OUT_OF_MEMORY);
    assert!(bench.driver.held_by_graph(graph.id()).is_empty());
    graph.remove_node(nodes(&graph)[0]).unwrap();
    assert!(!bench.is_there(start), "nobody else has it");
    graph.native().unwrap();
    assert_eq!(bench.driver.held_by_graph(graph.id()).len(), graph.0.kept().len());
    drop((graph, other));
    bench.end();
}

/// Objects that another thread has the graph keep, while a capture begins that others can end, are on the driver's graph as well.
#[test]
fn what_a_graph_comes_to_keep_while_a_capture_begins_is_lent_too() {
    let bench = Bench::new();
    let graph = Graph::create(&bench.context).unwrap();
    let buffer = bench.buffer();
    bench.stream.native().unwrap();
    let (same, late) = (graph.clone(), buffer.clone());
    bench.driver.at("begin_capture_to_graph", move || {
        let fill = Fill { buffer: &late, offset: 0, value: 0, element_size: 1, width: 8, height: 1, pitch: 0 };
        std::thread::scope(|scope| drop(scope.spawn(|| same.add_node(&[], &NodeWork::Memset(fill)).unwrap())));
    });
    bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
    let lent = bench.driver.held_by_captures();
    let kept = graph.0.kept();
    assert_eq!((kept.len(), kept.iter().all(|kept| lent.iter().any(|lent| is_same(kept, lent)))), (2, true));
    bench.stream.end_capture().unwrap();
    drop((graph, buffer, lent, kept));
    bench.end();
}

/// Of captures into a graph whose nodes are gone again nothing is left.
#[test]
fn lists_that_nothing_is_on_go() {
    let bench = Bench::new();
    let (buffer, graph) = (bench.buffer(), Graph::create(&bench.context).unwrap());
    for _ in 0..500 {
        bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
        let node = graph.add_node(&[], &NodeWork::Empty).unwrap();
        bench.set(&buffer, 0);
        bench.stream.end_capture().unwrap();
        graph.remove_node(node).unwrap();
    }
    assert!(graph.0.kept().len() < 20, "{} lists", graph.0.kept().len());
    drop((graph, buffer));
    bench.end();
}

/// A capture that others can end does not begin where the driver refuses to hold what another thread had the graph keep meanwhile.
#[test]
fn a_capture_does_not_begin_where_its_graph_cannot_hold_what_it_keeps() {
    let bench = Bench::new();
    let graph = bench.sets(&[&bench.buffer()]);
    let other = bench.sets(&[&bench.buffer()]);
    bench.stream.native().unwrap();
    let (same, late, driver) = (graph.clone(), other.0.kept(), Arc::clone(&bench.driver));
    bench.driver.at("begin_capture_to_graph", move || {
        late.into_iter().for_each(|list| same.0.retain(list).unwrap());
        driver.fail("capture_retain", Status::OUT_OF_MEMORY);
    });
    let begun = bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global);
    assert_eq!((begun.unwrap_err().status, bench.driver.captures()), (Status::OUT_OF_MEMORY, 0));
    assert_eq!(graph.node_count(), Ok(1), "the graph is as it was");
    bench.stream.begin_capture_to_graph(&graph, &[], CaptureMode::Global).unwrap();
    bench.stream.end_capture().unwrap();
    drop((graph, other));
    bench.end();
}

/// Returns whether the driver's graph holds all that `graph` keeps, for the capture that goes into it.
fn lends_all(bench: &Bench, graph: &Graph) -> bool {
    let lent = bench.driver.held_by_captures();
    graph.0.kept().iter().all(|kept| lent.iter().any(|lent| is_same(kept, lent)))
}

/// Objects of nodes that are added by hand during a capture that others can end are on the driver's graph, from the begin, from where the
/// stream is given out, or from where the graph is asked for.
#[test]
fn what_nodes_added_during_a_capture_use_is_lent() {
    for way in 0..3 {
        let bench = Bench::new();
        let (buffer, new) = (bench.buffer(), Graph::create(&bench.context).unwrap());
        let start = buffer.address();
        if way != 1 {
            bench.stream.native().unwrap();
        }
        match way {
            2 => bench.stream.begin_capture(CaptureMode::Global).unwrap(),
            _ => bench.stream.begin_capture_to_graph(&new, &[], CaptureMode::Global).unwrap(),
        }
        if way == 1 {
            bench.stream.native().unwrap();
        }
        bench.set(&buffer, 0);
        let graph = bench.stream.capture_graph().unwrap();
        let fill = Fill { buffer: &buffer, offset: 0, value: 0, element_size: 1, width: 8, height: 1, pitch: 0 };
        graph.add_node(&[], &NodeWork::Memset(fill)).unwrap();
        assert_eq!((lends_all(&bench, &graph), graph.0.kept().len()), (true, 2), "way {way}");
        bench.stream.end_capture().unwrap();
        drop((buffer, new));
        assert!(bench.is_there(start));
        drop(graph);
        assert!(!bench.is_there(start));
        bench.end();
    }
}

/// A graph of a capture that others can end is not given to who could add nodes that it cannot hold the memory of.
#[test]
fn a_graph_that_cannot_hold_what_nodes_will_use_is_asked_for_again() {
    let bench = Bench::new();
    bench.stream.native().unwrap();
    bench.stream.begin_capture(CaptureMode::Global).unwrap();
    bench.set(&bench.buffer(), 0);
    bench.driver.fail("capture_retain", Status::OUT_OF_MEMORY);
    assert_eq!(bench.stream.capture_graph().unwrap_err().status, Status::OUT_OF_MEMORY);
    let graph = bench.stream.capture_graph().unwrap();
    assert!(lends_all(&bench, &graph) && graph.0.kept().len() == 2);
    bench.stream.end_capture().unwrap();
    drop(graph);
    bench.end();
}

/// A stream forgets captures that others begin, one after another, into a graph that is asked for each time.
#[test]
fn captures_of_others_into_one_graph_are_forgotten() {
    let bench = Bench::new();
    let (buffer, graph) = (bench.buffer(), Graph::create(&bench.context).unwrap());
    graph.native().unwrap();
    let stream = Stream::adopt(&bench.context, 7).unwrap();
    for _ in 0..100 {
        bench.driver.begin_capture_to_graph(stream.id(), graph.id(), &[], CaptureMode::Global, &[]).unwrap();
        stream.memset(&buffer, 0, 0, 1, 8).unwrap();
        assert!(Arc::ptr_eq(&stream.capture_graph().unwrap().0, &graph.0));
        stream.end_capture().unwrap();
    }
    let entered = lock(&stream.0.membership.history).entered.len();
    assert!(entered < 20, "{entered} captures");
    drop((graph, buffer, stream));
    bench.end();
}
