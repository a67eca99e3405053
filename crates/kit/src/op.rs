//! Ops, and the context that one is given to record itself.

use std::borrow::Cow;

use graphcap_base::error::{Error, Result, Status};
use graphcap_core::{Context, FftPlan, Graph, LentBlas, LentRand, Pool, Stream};
use graphcap_driver::{Fft, NodeId};

/// Adds nodes to the body of a conditional behind those that it is given, and gives the last one, which all of them are before.
pub type AddNodes = Box<dyn FnOnce(&Graph, &[NodeId]) -> Result<NodeId>>;

/// An op in the body of a conditional that is no part of the child graphs which the ops around it become, since child graphs cannot
/// have it.
pub trait BodyNodes {
    /// Returns how many conditionals lie within each other in it, itself included.
    fn levels(&self) -> usize;

    /// Records what the op needs, and gives what adds it to the body.
    ///
    /// # Errors
    /// As [`GraphOp::record`].
    fn record_apart(&self) -> Result<AddNodes>;
}

/// Something that can be recorded into a stream, any number of times.
///
/// An op records through `&self`, so that one script can be recorded again, and by several threads at the same time.
pub trait GraphOp: Send + Sync {
    /// Returns what messages call the op.
    fn name(&self) -> Cow<'_, str>;

    /// Does beforehand what must not happen inside a capture, such as loading a module. A script does this once before the first
    /// recording; several threads that record the script for the first time may do it at the same time, and a failure has it
    /// done again.
    ///
    /// # Errors
    /// Whatever the op says; nothing is recorded then.
    fn prepare(&self, _context: &Context) -> Result<()> {
        Ok(())
    }

    /// Submits the op's work to [`RecordContext::stream`], or to streams that it forks to and joins.
    ///
    /// # Errors
    /// Whatever the op says; the recording of the script ends then.
    fn record(&self, at: &RecordContext) -> Result<()>;

    /// True where the op says that recording it adds no node, such as a product of no elements.
    fn is_nothing(&self) -> bool {
        false
    }

    /// Finds out whether the op can be in the body of a conditional, as far as that is known before it is recorded. What is left to
    /// find is told when the graph is instantiated.
    ///
    /// # Errors
    /// `INVALID_VALUE` where it cannot.
    fn check_in_body(&self) -> Result<()> {
        Ok(())
    }

    /// Returns what adds the op to the body of a conditional as nodes, instead of [`GraphOp::record`]: that of a conditional. It is asked
    /// often, and gives the same each time.
    fn nodes_of_body(&self) -> Option<&dyn BodyNodes> {
        None
    }

    /// The Fourier transforms that the op makes, where it can make them by another plan.
    fn fft(&self) -> Option<Fft> {
        None
    }

    /// The op with another plan, which goes in the same direction: for [`Actor::set_fft_plan`](super::Actor::set_fft_plan). `None` where
    /// [`GraphOp::fft`] is.
    fn with_fft_plan(&self, _plan: &FftPlan) -> Option<Box<dyn GraphOp>> {
        None
    }
}

/// The place where an op records itself. It is lent for one call of [`GraphOp::record`].
#[derive(Debug)]
pub struct RecordContext {
    stream: Stream,
    /// The number of the capture that records, or why it could not be asked; `None` where what is submitted runs.
    capture: Option<Result<u64>>,
}

impl RecordContext {
    /// For a stream that is being captured.
    pub(super) fn captured(stream: &Stream) -> Self {
        let capture = stream.capture_info().map(|info| info.id);
        RecordContext { stream: stream.clone(), capture: Some(capture) }
    }

    /// For a stream that may be captured by the caller of a script's submit.
    pub(super) fn of(stream: &Stream) -> Result<Self> {
        Ok(match stream.is_recording()? {
            true => RecordContext::captured(stream),
            false => RecordContext { stream: stream.clone(), capture: None },
        })
    }

    /// Another context of the recording, for the C boundary, which lets go of it when the call of the op is over.
    pub fn for_call(&self) -> Self {
        RecordContext { stream: self.stream.clone(), capture: self.capture.clone() }
    }

    /// The stream to submit to.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The context of the stream.
    pub fn context(&self) -> &Context {
        self.stream.context()
    }

    /// Returns whether what is submitted goes into a graph, instead of running.
    pub fn is_recording(&self) -> bool {
        self.capture.is_some()
    }

    /// The pool that the capture was begun with into which the op is recorded: by the caller of [`Script::submit`](super::Script::submit),
    /// since [`Script::record`](super::Script::record) takes none.
    pub fn pool(&self) -> Option<Pool> {
        self.stream.capture_pool()
    }

    /// Lends a handle of the device's library for products, which works on the stream. See [`Stream::lend_blas`].
    ///
    /// # Errors
    /// As [`Stream::lend_blas`].
    pub fn lend_blas(&self) -> Result<LentBlas> {
        self.stream.lend_blas()
    }

    /// Lends a generator of the device's library for random numbers, which works on the stream. See [`Stream::lend_rand`].
    ///
    /// # Errors
    /// As [`Stream::lend_rand`].
    pub fn lend_rand(&self) -> Result<LentRand> {
        self.stream.lend_rand()
    }

    /// The number of the capture that records.
    pub(super) fn capture(&self) -> Result<Option<u64>> {
        self.capture.clone().transpose()
    }

    /// The graph that is recorded into, which can be looked at, and nodes added to. See [`Stream::capture_graph`].
    ///
    /// # Errors
    /// `ILLEGAL_STATE` where the op runs instead of being recorded, and as [`Stream::capture_graph`].
    pub fn parent_graph(&self) -> Result<Graph> {
        match self.capture {
            Some(_) => self.stream.capture_graph(),
            None => Err(Error::new(
                Status::ILLEGAL_STATE,
                "the script is submitted to a stream that is not being captured, so that there is no graph; record the script",
            )),
        }
    }
}
