//! Replays in a trace: each is a record of the lane that began it, and each node one of the lane that ran it.

use std::sync::atomic::Ordering;
use std::sync::Arc;

use super::{Exec, Pace};
use crate::engine::resumable::Resumable;
use crate::engine::spread::Progress;
use crate::engine::stream::Stream;
use graphcap_observe::clock;
use graphcap_observe::format::{Entry, Kind};
use graphcap_observe::trace::{self, Replay};

impl Exec {
    /// The number of the exec in the trace that goes on, which describes it from now on; 0 where none does.
    pub(crate) fn number_in_trace(&self) -> u32 {
        if !trace::is_on() {
            return 0;
        }
        let (exec, is_new) = self.traced.number();
        if is_new {
            self.plan.name_in_trace(exec);
        }
        exec
    }

    /// Writes that the launch with that turn was asked for.
    #[cold]
    pub(super) fn trace_launch(&self, turn: u64, stream: &Stream) {
        let (begin, exec, stream) = (clock::stamp(), self.number_in_trace(), stream.number_in_trace());
        trace::put(&Entry { begin, exec, launch: turn as u32, stream, ..Entry::of(Kind::Launch) });
    }

    /// As [`Exec::replay`], in a trace.
    #[cold]
    pub(super) fn replay_traced(&self, stream: &Arc<impl Resumable + 'static>, pace: &mut Pace) -> Progress {
        let exec = self.number_in_trace();
        let launch = self.turns.now.load(Ordering::Relaxed) as u32;
        let replay = Replay { exec, launch, stream: stream.number_in_trace() };
        let outer = trace::exchange_replay(replay);
        let Replay { exec, launch, stream: number } = replay;
        let begin = clock::stamp();
        let span = trace::open(&Entry { begin, exec, launch, stream: number, ..Entry::of(Kind::Replay) });
        let progress = self.replay_quietly(stream, pace);
        trace::close(span);
        trace::exchange_replay(outer);
        progress
    }
}
