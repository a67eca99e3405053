//! Memory that a library's products need while they run. Each stream has one for what it executes, and another one for each
//! capture that it is in: work of one stream is in order, so that no two products that run at the same time share one. A product
//! that is recorded may have one of its own, so that nothing keeps it behind the others of its stream.

use std::sync::Arc;

use super::buffer::Buffer;
use crate::state::{Stream, Workspace};
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_base::thread::this_thread;
use graphcap_driver::{SgemmWorkspace, StreamId};

impl Stream {
    /// Memory of at least `bytes` bytes for a product. One of its own is for a product that is recorded: what the stream executes is
    /// in order.
    ///
    /// # Errors
    /// As [`Buffer::allocate`].
    pub(crate) fn workspace_for(&self, wanted: SgemmWorkspace, bytes: usize) -> Result<Buffer> {
        if wanted == SgemmWorkspace::OfStream || self.present().is_none() {
            return self.workspace(bytes);
        }
        Buffer::allocate(self.context(), bytes.max(1))
    }

    /// Memory of at least `bytes` bytes that no work uses but that of this stream in its present capture.
    ///
    /// # Errors
    /// As [`Buffer::allocate`].
    fn workspace(&self, bytes: usize) -> Result<Buffer> {
        let capture = self.present().map(|record| Arc::downgrade(&record));
        let thread = (self.id() == StreamId::PER_THREAD).then(this_thread);
        let is_same = |present: &&Workspace| {
            let is_same_capture = match (&present.capture, &capture) {
                (None, None) => true,
                (Some(one), Some(other)) => one.ptr_eq(other),
                _ => false,
            };
            is_same_capture && present.thread == thread
        };
        let present = lock(&self.0.workspace).as_ref().filter(is_same).map(|present| Arc::clone(&present.memory));
        if let Some(buffer) = present.and_then(Buffer::from_listed).filter(|buffer| buffer.size() >= bytes) {
            return Ok(buffer);
        }
        let buffer = Buffer::allocate(self.context(), bytes.max(1))?;
        buffer.share_as_workspace();
        let workspace = Workspace { memory: buffer.inner(), capture, thread };
        let former = lock(&self.0.workspace).replace(workspace);
        drop(former);
        Ok(buffer)
    }

    /// The next product is not ordered behind the ones before.
    pub(crate) fn forget_workspace(&self) {
        let former = lock(&self.0.workspace).take();
        drop(former);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::{Coefficient, Event, FftPlan, SgemmCall};
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{DependencyUpdate, EventOptions, Fft, FftDirection, Sgemm, SgemmWorkspace, StreamOptions};

    const SGEMM: Sgemm = Sgemm { stride: [0; 3], ..Sgemm::SMALLEST };

    fn multiply(stream: &Stream, buffer: &Buffer) -> Result<()> {
        multiply_in(stream, buffer, SgemmWorkspace::OfStream)
    }

    fn multiply_in(stream: &Stream, buffer: &Buffer, workspace: SgemmWorkspace) -> Result<()> {
        let matrices = [(buffer, 0), (buffer, 4), (buffer, 8)];
        let (alpha, beta) = (Coefficient::Value(1.0), Coefficient::Value(0.0));
        stream.sgemm(&SgemmCall { sgemm: Sgemm { workspace, ..SGEMM }, matrices, alpha, beta })
    }

    #[test]
    fn recorded_products_can_have_workspaces_of_their_own_that_the_graph_keeps() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 64).unwrap();
        let all = [SgemmWorkspace::Own, SgemmWorkspace::OwnOf(1 << 20), SgemmWorkspace::OfStream];
        let on = |stream: &Stream| all.iter().for_each(|&one| multiply_in(stream, &buffer, one).unwrap());
        on(&stream);
        stream.begin_capture(CaptureMode::Global).unwrap();
        on(&stream);
        on(&stream);
        let exec = stream.end_capture().unwrap().instantiate().unwrap();
        let used = driver.workspaces();
        assert!(used[0] == used[1] && used[0] == used[2]);
        let mut recorded = used[3..].to_vec();
        recorded.sort_unstable();
        recorded.dedup();
        // Of the six those two share one that want to.
        assert!(used[5] == used[8] && recorded.len() == 5 && !recorded.contains(&used[0]));
        drop(buffer);
        exec.launch(&stream).unwrap();
        assert_eq!(driver.violations(), Vec::<String>::new());
        drop((exec, stream));
        assert_eq!(driver.live(), 0);
    }

    #[test]
    fn a_stream_has_one_workspace_for_what_it_executes_and_one_for_each_capture() {
        let (driver, context) = Faulty::context();
        let [stream, side] = [(); 2].map(|()| Stream::create(&context, StreamOptions::default()).unwrap());
        let buffer = Buffer::allocate(&context, 64).unwrap();
        for on in [&stream, &stream, &side] {
            multiply(on, &buffer).unwrap();
        }
        let graphs: Vec<_> = (0..2)
            .map(|_| {
                stream.begin_capture(CaptureMode::Global).unwrap();
                let [fork, join] = [(); 2].map(|()| Event::create(&context, EventOptions::default()).unwrap());
                fork.record(&stream).unwrap();
                side.wait_event(&fork).unwrap();
                for on in [&stream, &side, &stream] {
                    multiply(on, &buffer).unwrap();
                }
                join.record(&side).unwrap();
                stream.wait_event(&join).unwrap();
                // Ordered behind nothing.
                stream.update_capture_dependencies(&[], DependencyUpdate::Set).unwrap();
                multiply(&stream, &buffer).unwrap();
                stream.end_capture().unwrap()
            })
            .collect();
        let used = driver.workspaces();
        let same = |a: usize, b: usize| used[a] == used[b];
        assert_eq!(used.len(), 11);
        assert!(same(0, 1) && !same(0, 2));
        for first in [3, 7] {
            assert!(same(first, first + 2) && !same(first, first + 1) && !same(first, first + 3));
        }
        assert!((0..3).all(|eager| (3..11).all(|recorded| !same(eager, recorded))));
        assert!((3..7).all(|one| (7..11).all(|other| !same(one, other))));
        // Graphs keep theirs.
        let execs: Vec<_> = graphs.iter().map(|graph| graph.instantiate().unwrap()).collect();
        drop((graphs, buffer));
        execs.iter().for_each(|exec| exec.launch(&side).unwrap());
        assert_eq!(driver.violations(), Vec::<String>::new());
        drop((execs, stream, side));
        assert_eq!(driver.live(), 0);
    }

    #[test]
    fn plans_are_kept_by_what_recorded_them_and_their_uses_share_no_memory() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 64).unwrap();
        let (direction, length, batch) = (FftDirection::RealToComplex, 4, 1);
        let plan = FftPlan::create(&context, &Fft { direction, length, batch, input_distance: 4, output_distance: 3 });
        let plan = plan.unwrap();
        stream.begin_capture(CaptureMode::Global).unwrap();
        for _ in 0..2 {
            stream.fft(&plan, (&buffer, 0), (&buffer, 32)).unwrap();
        }
        let exec = stream.end_capture().unwrap().instantiate().unwrap();
        let overlapping = stream.fft(&plan, (&buffer, 0), (&buffer, 8)).unwrap_err();
        assert_eq!(overlapping.status, Status::INVALID_VALUE);
        drop((plan, buffer));
        exec.launch(&stream).unwrap();
        let used = driver.workspaces();
        assert!(used.len() == 2 && used[0] != used[1] && driver.plans() == 1);
        assert_eq!(driver.violations(), Vec::<String>::new());
        drop((exec, stream));
        assert_eq!((driver.plans(), driver.live()), (0, 0));
    }
}
