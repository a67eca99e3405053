//! Execs that share the place of their random numbers: what their launches cost, and in which order they run.

use super::*;
use crate::faulty::Faulty;
use crate::{Buffer, Context, Graph, GraphExec};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::StreamOptions;

struct Bench {
    driver: Arc<Faulty>,
    context: Context,
    streams: [Stream; 2],
}

impl Bench {
    fn new() -> Bench {
        let (driver, context) = Faulty::context();
        let streams = [(); 2].map(|()| Stream::create(&context, StreamOptions::default()).unwrap());
        Bench { driver, context, streams }
    }

    /// A graph with a place of its own, or none.
    fn graph(&self, has_place: bool) -> Graph {
        let place = Buffer::allocate(&self.context, 64).unwrap();
        if has_place {
            place.order_launches(LaunchOrder::new());
        }
        let stream = &self.streams[0];
        stream.begin_capture(CaptureMode::Global).unwrap();
        stream.memset(&place, 0, 0, 1, 64).unwrap();
        stream.end_capture().unwrap()
    }

    /// Returns what a launch has the driver do, on a stream of that place.
    fn launch(&self, exec: &GraphExec, stream: usize) -> Vec<(&'static str, usize)> {
        self.driver.ordered();
        exec.launch(&self.streams[stream]).unwrap();
        let place = |id| usize::from(id == self.streams[1].id());
        self.driver.ordered().into_iter().map(|(call, stream)| (call, place(stream))).collect()
    }

    /// Nothing is left but the context.
    fn over(self) {
        let Bench { driver, context, streams } = self;
        drop((context, streams));
        assert_eq!((driver.live(), driver.violations()), (0, vec![]));
        assert_eq!(Arc::strong_count(&driver), 1, "no context is kept");
    }
}

#[test]
fn an_exec_without_random_numbers_pays_nothing() {
    let bench = Bench::new();
    let execs = [true, false].map(|has_place| bench.graph(has_place).instantiate().unwrap());
    for stream in [0, 0, 1, 0, 1] {
        assert_eq!(bench.launch(&execs[1], stream), [("launch", stream)]);
    }
    drop(execs);
    bench.over();
}

#[test]
fn execs_of_one_recording_take_turns() {
    let bench = Bench::new();
    let graph = bench.graph(true);
    let first = graph.instantiate().unwrap();
    assert_eq!(bench.launch(&first, 0), [("launch", 0), ("record", 0)]);
    let second = graph.instantiate().unwrap();
    assert_eq!(bench.launch(&second, 1), [("wait", 1), ("launch", 1), ("record", 1)]);
    assert_eq!(bench.launch(&second, 1), [("launch", 1), ("record", 1)]);
    assert_eq!(bench.launch(&first, 1), [("launch", 1), ("record", 1)]);
    assert_eq!(bench.launch(&first, 0), [("wait", 0), ("launch", 0), ("record", 0)]);
    drop(first);
    assert_eq!(bench.launch(&second, 1), [("wait", 1), ("launch", 1), ("record", 1)]);
    drop((second, graph));
    bench.over();
}

/// The order keeps no stream: one may be in a capture that ends with it, into a graph that keeps the order.
#[test]
fn a_launch_on_a_stream_that_is_gone_is_waited_for() {
    let Bench { driver, context, streams: [stream, gone] } = Bench::new();
    let bench = Bench { driver, context, streams: [stream.clone(), stream] };
    let graph = bench.graph(true);
    let first = graph.instantiate().unwrap();
    first.launch(&gone).unwrap();
    let kept = Arc::downgrade(&gone.0);
    drop((first, gone));
    assert!(kept.upgrade().is_none());
    let second = graph.instantiate().unwrap();
    bench.driver.ordered();
    second.launch(&bench.streams[0]).unwrap();
    let own = bench.streams[0].id();
    assert_eq!(bench.driver.ordered(), [("wait", own), ("launch", own), ("record", own)]);
    drop((second, graph));
    bench.over();
}

#[test]
fn an_exec_comes_to_take_turns_by_an_update_and_by_a_copy_of_the_graph() {
    let bench = Bench::new();
    let graph = bench.graph(true);
    let updated = bench.graph(false).instantiate().unwrap();
    updated.update(&graph, false).unwrap().outcome.unwrap();
    let of_copy = graph.duplicate().unwrap().instantiate().unwrap();
    assert_eq!(bench.launch(&updated, 0), [("launch", 0), ("record", 0)]);
    assert_eq!(bench.launch(&of_copy, 1), [("wait", 1), ("launch", 1), ("record", 1)]);
    drop((updated, of_copy, graph));
    bench.over();
}
