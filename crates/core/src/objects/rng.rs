//! A generator of random numbers: a sequence, and how far it was drawn, in device memory.

use std::fmt;
use std::sync::{Arc, Weak};

use super::access::Access;
use super::buffer::Buffer;
use super::kernel::Kernel;
use super::scalar::Scalar;
use crate::state::{Context, GraphInner, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{rank, Mutex};
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{check_caller, GraphId, NodeId};

/// Random numbers of Philox 4x32-10, in the order of [`Sequence`](graphcap_driver::rules::philox::Sequence). Clones are the same generator.
///
/// What fills memory with its numbers ([`Rng::fill_uniform`]) draws the next ones, at each replay anew. The seed and the number of the
/// element that is drawn next are in device memory, so that replays draw without a call of the host. Graphs and queued work keep
/// that memory alive.
///
/// ```
/// use graphcap::core::{Buffer, Context, Draw, RandomFill, Rng, Stream};
/// use graphcap::driver::{DeviceChoice, DeviceKind, StreamOptions};
/// use graphcap::rules::CaptureMode;
///
/// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
/// let stream = Stream::create(&context, StreamOptions::default())?;
/// let buffer = Buffer::allocate(&context, 4 * 100)?;
/// let rng = Rng::create(&stream, 42, 0)?;
/// let graph = stream.capture(CaptureMode::Global, |stream| {
///     rng.fill_uniform(stream, &RandomFill { buffer: &buffer, offset: 0, count: 100, draw: Draw::Next })
/// })?;
/// let exec = graph.instantiate()?;
/// exec.launch(&stream)?;
/// exec.launch(&stream)?;
/// assert_eq!(rng.offset(&stream)?, 200);
/// # Ok::<(), graphcap::Error>(())
/// ```
#[derive(Clone)]
pub struct Rng(Arc<RngInner>);

struct RngInner {
    subsequence: u64,
    seed: Scalar,
    /// The number of the element that is drawn next.
    next: Scalar,
    /// Numbers that captures have taken.
    reservations: Mutex<Vec<Reservation>, rank::Reservations>,
    reserve: Kernel,
    uniform: Kernel,
}

/// The numbers that one graph takes at each replay.
pub(crate) struct Reservation {
    pub(crate) graph: GraphId,
    pub(crate) outermost: Weak<GraphInner>,
    /// The node that takes them.
    pub(crate) node: NodeId,
    /// Buffer that it puts the number of the first one into.
    pub(crate) base: Buffer,
    /// Number of them.
    pub(crate) count: u64,
}

impl Rng {
    /// Makes a generator of the context of `stream`, at element 0 of a sequence. Its state is written in the order of the stream.
    /// Generators with one seed and several subsequences draw numbers that do not overlap.
    ///
    /// # Errors
    /// As [`Scalar::create_block`]; what the device says of a kernel of graphcap's own that it does not load.
    pub fn create(stream: &Stream, seed: u64, subsequence: u64) -> Result<Rng> {
        check_caller()?;
        stream.check_uncaptured()?;
        let context = stream.context();
        let (reserve, uniform) =
            (context.built_in(BuiltInKernel::RngReserve)?, context.built_in(BuiltInKernel::RngUniform)?);
        reserve.state_accesses(Some(&[Some(Access::ReadWrite), Some(Access::Write), None]))?;
        uniform.state_accesses(Some(&[Some(Access::Read), Some(Access::Read), None, Some(Access::Write), None]))?;
        // Laid out as the kernels have it: the seed, the subsequence, the next element.
        let state = Scalar::create_block(stream, &[seed.into(), subsequence.into(), 0u64.into()])?;
        let [seed, _, next] = <[Scalar; 3]>::try_from(state).map_err(|_| Error::invalid_value("no state was made"))?;
        let reservations = Mutex::default();
        Ok(Rng(Arc::new(RngInner { subsequence, seed, next, reservations, reserve, uniform })))
    }

    /// Begins another sequence when the work that was submitted to `stream` before has completed: the one of `seed`, with the same
    /// subsequence, from element 0 on.
    ///
    /// # Errors
    /// As [`Scalar::update`].
    pub fn set_seed(&self, stream: &Stream, seed: u64) -> Result<()> {
        Scalar::update_many(stream, &[(&self.0.seed, seed.into()), (&self.0.next, 0u64.into())])
    }

    /// The seed as it is when the work that was submitted to `stream` before has completed, for which the call waits.
    ///
    /// # Errors
    /// As [`Scalar::read`].
    pub fn seed(&self, stream: &Stream) -> Result<u64> {
        self.0.seed.read(stream)?.try_into()
    }

    /// Makes the generator go on from element `offset`, when the work that was submitted to `stream` before has completed.
    ///
    /// # Errors
    /// As [`Scalar::update`].
    pub fn set_offset(&self, stream: &Stream, offset: u64) -> Result<()> {
        self.0.next.update(stream, offset)
    }

    /// The number of the element that is drawn next, as it is when the work that was submitted to `stream` before has completed, for
    /// which the call waits.
    ///
    /// # Errors
    /// As [`Scalar::read`].
    pub fn offset(&self, stream: &Stream) -> Result<u64> {
        self.0.next.read(stream)?.try_into()
    }

    /// Returns the subsequence of its seed that it draws.
    pub fn subsequence(&self) -> u64 {
        self.0.subsequence
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        self.0.seed.context()
    }

    /// The state, as the kernels have it.
    pub(crate) fn state(&self) -> &Buffer {
        self.0.seed.buffer()
    }

    /// Returns what captures have taken.
    pub(crate) fn reservations(&self) -> &Mutex<Vec<Reservation>, rank::Reservations> {
        &self.0.reservations
    }

    /// The kernel that takes numbers.
    pub(crate) fn reserve_kernel(&self) -> &Kernel {
        &self.0.reserve
    }

    /// The kernel that fills memory.
    pub(crate) fn uniform_kernel(&self) -> &Kernel {
        &self.0.uniform
    }
}

impl fmt::Debug for Rng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rng(subsequence {}, state at {:#x})", self.0.subsequence, self.state().address())
    }
}
