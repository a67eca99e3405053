//! From a capture to an exec in one call, and launches on the stream that the capture was ended on.

use super::exec::GraphExec;
use super::graph::Graph;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::check_caller;

impl Stream {
    /// Ends the capture of the stream, has `instantiate` make an exec of its graph, and has the exec remember the stream. Where
    /// `instantiate` fails the capture is over all the same and the graph is gone.
    ///
    /// # Errors
    /// As [`Stream::end_capture`], and those of `instantiate`.
    pub fn end_capture_exec(&self, instantiate: impl FnOnce(&Graph) -> Result<GraphExec>) -> Result<GraphExec> {
        check_caller()?;
        let exec = instantiate(&self.end_capture()?)?;
        exec.remember(self);
        Ok(exec)
    }
}

impl GraphExec {
    /// Queues one replay on the stream that the exec remembers, as [`GraphExec::launch`] does. The exec keeps no stream alive.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` where the exec remembers no stream, or the stream was destroyed; else as [`GraphExec::launch`].
    pub fn relaunch(&self) -> Result<()> {
        let Some(remembered) = self.remembered() else {
            return Err(not_launched("was not made by the end of a capture, so it remembers no stream"));
        };
        match remembered.upgrade().map(Stream) {
            Some(stream) => self.launch(&stream),
            None => Err(not_launched("remembers a stream that was destroyed")),
        }
    }
}

/// Returns why there was no launch: what bars any launch comes first.
#[cold]
fn not_launched(why: &str) -> Error {
    if let Err(barred) = check_caller() {
        return barred;
    }
    let message = format!("the graph exec {why}; launch it on a stream of your choice");
    Error::new(Status::ILLEGAL_STATE, message)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::faulty::Faulty;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::StreamOptions;

    #[test]
    fn an_exec_is_launched_on_the_stream_whose_capture_it_was_while_that_lives() {
        let (_driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let strong = Arc::strong_count(&stream.0);
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        let exec = stream.end_capture_exec(Graph::instantiate).unwrap();
        assert_eq!(Arc::strong_count(&stream.0), strong);
        exec.relaunch().unwrap();
        assert_eq!(exec.num_replays(), 1);
        drop(stream);
        let error = exec.relaunch().unwrap_err();
        assert!(error.status == Status::ILLEGAL_STATE && error.message.contains("destroyed"), "{error}");
        assert_eq!(exec.num_replays(), 1);
    }

    #[test]
    fn an_exec_of_a_graph_remembers_no_stream() {
        let (_driver, context) = Faulty::context();
        let exec = Graph::create(&context).unwrap().instantiate().unwrap();
        let error = exec.relaunch().unwrap_err();
        assert!(error.status == Status::ILLEGAL_STATE && error.message.contains("remembers no stream"), "{error}");
    }
}
