//! Replays that the caller judges, each from the same memory.

use std::fmt;

use super::options::BisectOptions;
use graphcap_base::error::{Error, Result};
use graphcap_core::{GraphExec, SavedMemory, Stream};

/// End of a search before it is done.
pub(super) enum End {
    /// The caller wants no more, or there were as many replays as may be.
    Stopped,
    Failed(Error),
}

impl From<Error> for End {
    fn from(error: Error) -> End {
        End::Failed(error)
    }
}

/// The graph of a trial, in words behind "a replay".
#[derive(Clone, Copy)]
pub(super) enum Tried {
    Recorded,
    /// With so many nodes on, of those that can be off.
    Nodes(usize, usize),
    /// With so many edges added.
    Edges(usize),
}

impl fmt::Display for Tried {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tried::Recorded => to.write_str("of the graph as it is"),
            Tried::Nodes(on, all) => write!(to, "with {on} nodes on, of {all} that can be off,"),
            Tried::Edges(added) => write!(to, "with {added} edges more"),
        }
    }
}

/// Replays of graphs.
pub(super) struct Trials<'a> {
    stream: &'a Stream,
    saved: &'a SavedMemory,
    is_good: &'a mut dyn FnMut(u64, u64) -> Option<bool>,
    /// Number of replays of a trial.
    pub(super) repeats: u32,
    /// Number of replays that there may be.
    most: u64,
    /// Number of replays so far.
    pub(super) count: u64,
    /// The graph that is tried, for messages.
    pub(super) tried: Tried,
}

impl<'a> Trials<'a> {
    pub(super) fn new(
        stream: &'a Stream,
        saved: &'a SavedMemory,
        options: &BisectOptions,
        is_good: &'a mut dyn FnMut(u64, u64) -> Option<bool>,
    ) -> Trials<'a> {
        let repeats = if options.repeats == 0 { 3 } else { options.repeats };
        let most = if options.replays == 0 { 10_000 } else { options.replays };
        Trials { stream, saved, is_good, repeats, most, count: 0, tried: Tried::Recorded }
    }

    /// Replays an exec from the memory that was saved, and returns whether that is good.
    pub(super) fn replay(&mut self, exec: &GraphExec) -> std::result::Result<bool, End> {
        if self.count >= self.most {
            return Err(End::Stopped);
        }
        self.run(exec).map_err(|error| self.failed(error))?;
        let is_good = (self.is_good)(self.count, self.most).ok_or(End::Stopped)?;
        self.count += 1;
        Ok(is_good)
    }

    /// Returns whether each replay of a trial is good.
    pub(super) fn is_good(&mut self, exec: &GraphExec) -> std::result::Result<bool, End> {
        for _ in 0..self.repeats {
            if !self.replay(exec)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn run(&self, exec: &GraphExec) -> Result<()> {
        self.saved.restore()?;
        exec.launch(self.stream)?;
        self.stream.synchronize()
    }

    #[cold]
    fn failed(&self, error: Error) -> Error {
        let message = format!("replay {} {} failed: {}", self.count, self.tried, error.message);
        Error { message: message.into(), ..error }
    }
}
