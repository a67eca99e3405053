//! Streams that the fake driver shares with others, by their native handles.

use super::{failure, FakeDriver};
use graphcap_base::error::{Result, Status};
use graphcap_driver::*;

impl Foreign for FakeDriver {
    fn shares_streams(&self) -> bool {
        self.shares_streams
    }
    fn native(&self, object: Object) -> Result<usize> {
        self.call("native", |_| match object {
            Object::Stream(stream) => Ok(stream.0 as usize),
            Object::Event(event) => Ok(event.0 as usize),
            Object::Exec(exec) => Ok(exec.0 as usize),
            Object::Graph(graph) => Ok(graph.0 as usize),
            _ => failure(Status::NOT_SUPPORTED),
        })
    }
    fn stream_wrap(&self, native: usize) -> Result<StreamId> {
        self.call("stream_wrap", |state| {
            let id = StreamId(native as u64);
            state.streams.insert(id, self.context);
            Ok(id)
        })
    }
    fn graph_wrap(&self, _: usize) -> Result<(GraphId, bool)> {
        self.call("graph_wrap", |_| failure(Status::NOT_SUPPORTED))
    }
    fn graph_own(&self, _: GraphId) {}
    fn exec_wrap(&self, _: usize, _: Option<GraphId>) -> Result<WrappedExec> {
        self.call("exec_wrap", |_| failure(Status::NOT_SUPPORTED))
    }
    fn exec_own(&self, _: ExecId) {}
    fn native_capture(&self, native: usize) -> Result<CaptureInfo> {
        self.capture_info(StreamId(native as u64))
    }
}
