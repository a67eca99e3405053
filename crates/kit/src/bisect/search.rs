//! A search for what makes a replay bad: first in the order of the nodes, then in the nodes.

use super::report::{BisectOutcome, BisectReport};
use super::trials::{End, Trials};
use crate::optimize::Recorded;
use graphcap_core::{Graph, GraphExec};

/// A trial has so many times more replays where the graph itself is not bad in each.
const TIMES_IF_SELDOM: u32 = 4;

/// A search for what makes a replay bad.
pub(super) struct Bisection<'a> {
    pub(super) graph: &'a Graph,
    /// Exec of the graph as it is.
    pub(super) exec: &'a GraphExec,
    pub(super) recorded: &'a Recorded,
    pub(super) trials: Trials<'a>,
    pub(super) report: BisectReport,
}

impl Bisection<'_> {
    pub(super) fn search(&mut self) -> std::result::Result<(), End> {
        for _ in 0..self.trials.repeats {
            let is_good = self.trials.replay(self.exec)?;
            self.report.recorded_replays += 1;
            self.report.recorded_bad += u32::from(!is_good);
            let has_bad = self.report.recorded_bad > 0;
            self.report.outcome = if has_bad { BisectOutcome::Unknown } else { BisectOutcome::Good };
        }
        match self.report.recorded_bad {
            0 => return Ok(()),
            bad if bad < self.trials.repeats => {
                self.trials.repeats = self.trials.repeats.saturating_mul(TIMES_IF_SELDOM)
            }
            _ => {}
        }
        if self.search_order()? {
            return Ok(());
        }
        self.search_nodes()
    }
}
