//! On which streams captures recorded the nodes of a graph: runs of nodes, by their places in the order in which they were made.
//!
//! A capture of one stream is one run, however long it is, so copies of a graph share what is known in constant time. A node that is
//! removed moves the places of others: then each node of the graph gets a note of its own ([`note`](super::note)).

use std::sync::Arc;

use graphcap_base::thread::ThreadNumber;

/// Key that tells streams apart: the number, and whose default stream it is, for the one that each thread has of its own.
pub(crate) type StreamKey = (u64, Option<ThreadNumber>);

/// A stream that recorded something, with the name that it had then.
#[derive(Clone)]
pub(crate) struct Recorder {
    pub(crate) key: StreamKey,
    pub(crate) name: Option<Arc<str>>,
}

/// Nodes that one stream recorded one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    /// The place of the stream in its list.
    pub(crate) stream: usize,
    pub(crate) nodes: usize,
}

/// On which streams the nodes of one graph were recorded.
#[derive(Clone, Default)]
pub(crate) struct RecordedOn {
    /// Names of the streams, in the order of their first use.
    streams: Vec<(StreamKey, Arc<str>)>,
    runs: Vec<Placed>,
}

#[derive(Clone, Copy)]
struct Placed {
    first: usize,
    end: usize,
    stream: usize,
}

impl RecordedOn {
    /// A capture recorded `runs`, with `recorders`, behind the first `before` nodes of the graph.
    pub(crate) fn add(&mut self, before: usize, recorders: &[Recorder], runs: &[Run]) {
        let places: Vec<usize> = recorders.iter().map(|recorder| self.place(recorder)).collect();
        let mut first = before;
        self.runs.reserve(runs.len());
        for run in runs {
            let end = first + run.nodes;
            if let Some(&stream) = places.get(run.stream) {
                self.runs.push(Placed { first, end, stream });
            }
            first = end;
        }
    }

    /// The place of a stream, which other captures into the graph may have used before.
    fn place(&mut self, recorder: &Recorder) -> usize {
        if let Some(known) = self.streams.iter().position(|(key, _)| *key == recorder.key) {
            return known;
        }
        let place = self.streams.len();
        let called = recorder.name.clone().unwrap_or_else(|| format!("stream {place}").into());
        self.streams.push((recorder.key, called));
        place
    }

    /// Returns what the stream is called that recorded the node at a place among the graph's nodes. `None` for a node that no capture
    /// recorded.
    pub(crate) fn stream(&self, node: usize) -> Option<Arc<str>> {
        let run = self.runs.get(self.runs.partition_point(|run| run.end <= node))?;
        let (_, called) = self.streams.get(run.stream).filter(|_| run.first <= node)?;
        Some(Arc::clone(called))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorder(number: u64, name: Option<&str>) -> Recorder {
        Recorder { key: (number, None), name: name.map(Arc::from) }
    }

    #[test]
    fn nodes_are_found_by_their_places() {
        let mut recorded = RecordedOn::default();
        let first = [recorder(7, None), recorder(9, Some("copies")), recorder(8, None)];
        let run = |stream, nodes| Run { stream, nodes };
        recorded.add(2, &first, &[run(0, 1), run(1, 2), run(0, 1), run(2, 1)]);
        // One of the streams is known by now, and the new one has the next number.
        recorded.add(9, &[recorder(5, None), recorder(8, None)], &[run(0, 1), run(1, 1)]);
        let told: Vec<_> = (0..12).map(|node| recorded.stream(node)).collect();
        let told: Vec<_> = told.iter().map(|name| name.as_deref().unwrap_or("-")).collect();
        let (zero, two, three) = ("stream 0", "stream 2", "stream 3");
        assert_eq!(told, ["-", "-", zero, "copies", "copies", zero, two, "-", "-", three, two, "-"]);
    }
}
