//! Random numbers for kernels that were written for PyTorch: the state that they take, whose offset each replay writes anew.

use super::random_fill::too_many;
use crate::objects::rng::Rng;
use crate::state::Stream;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::torch_state::{TorchLayout, GROUP};
use graphcap_driver::{check_caller, DependencyUpdate};

impl Rng {
    /// Gives a state for a kernel that is recorded next on `stream`, and reserves numbers for it: at each replay each thread of the
    /// kernel draws up to `increment` numbers, a multiple of 4 after rounding up, from the generator's next element on, of the
    /// subsequence that is the thread's. The node that takes numbers for all fills of the graph writes the offset, and the kernel
    /// depends on it. The graph keeps what the state points to.
    ///
    /// # Errors
    /// `INVALID_VALUE` for no numbers, and for more than the layout or the sequence has room for; `ILLEGAL_STATE` for a stream that is
    /// not being captured; `INVALID_CONTEXT`; `NOT_SUPPORTED` in a capture that others began; `OUT_OF_MEMORY`; and as
    /// [`Rng::fill_uniform`].
    pub fn torch_state(&self, stream: &Stream, layout: TorchLayout, increment: u64) -> Result<[u64; 4]> {
        check_caller()?;
        self.context().check_same("the generator", stream.context(), "the stream")?;
        let count = match increment {
            0 => return Err(Error::invalid_value("a kernel that draws 0 numbers needs no state; reserve at least 1")),
            _ => increment.checked_next_multiple_of(GROUP).ok_or_else(too_many)?,
        };
        if !stream.is_recording()? {
            return Err(Error::new(
                Status::ILLEGAL_STATE,
                "the stream is not being captured; a state is for a kernel of a graph, so begin a capture first",
            ));
        }
        let graph = stream.capture_graph()?;
        let (node, base, first) = self.take(&graph, count)?;
        let state = layout.state(self.state().address(), base.address(), first)?;
        stream.update_capture_dependencies(&[node], DependencyUpdate::Add)?;
        Ok(state)
    }
}
