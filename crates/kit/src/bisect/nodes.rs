//! The smallest set of nodes that makes a replay bad: by switching nodes off.

use super::report::{BisectOutcome, Culprit};
use super::search::Bisection;
use super::trials::{End, Tried};

use graphcap_base::error::{Result, Status};
use graphcap_core::GraphExec;
use graphcap_driver::rules::smallest::shrink;
use graphcap_driver::{NodeId, NodeKind};

/// Nodes of an exec that can be off.
struct Switches<'a> {
    exec: &'a GraphExec,
    nodes: Vec<NodeId>,
    /// Tells of each whether it is on.
    is_on: Vec<bool>,
}

impl Switches<'_> {
    /// Switches these on, and all others off.
    fn set(&mut self, is_on: &[bool]) -> Result<()> {
        for ((&node, was_on), &is_on) in self.nodes.iter().zip(&mut self.is_on).zip(is_on) {
            if *was_on != is_on {
                self.exec.enable_node(node, is_on)?;
                *was_on = is_on;
            }
        }
        Ok(())
    }
}

impl<'a> Bisection<'a> {
    pub(super) fn search_nodes(&mut self) -> std::result::Result<(), End> {
        let mut switches = self.switches()?;
        let all = switches.nodes.len();
        self.report.always_on = self.recorded.nodes.len() - all;
        let mut on: Vec<usize> = (0..all).collect();
        let mut is_answered = false;
        let shrunk = shrink(&mut on, |on| {
            let is_good = self.is_good_with(&mut switches, (on, true))?;
            is_answered = true;
            Ok(!is_good)
        });
        if !is_answered {
            return shrunk;
        }
        on.sort_unstable();
        if on.is_empty() {
            return self.search_alone(&mut switches);
        }
        self.report.outcome = BisectOutcome::Nodes;
        // Of a set of all nodes it was tried already.
        let are_tried = shrunk.is_ok() && on.len() == all;
        let mut others = shrunk;
        for &at in &on {
            // After an end of the search the set is told all the same.
            let mut is_good_without = are_tried.then_some(true);
            if others.is_ok() && !are_tried {
                match self.is_good_with(&mut switches, (&[at], false)) {
                    Ok(is_good) => is_good_without = Some(is_good),
                    Err(end) => others = Err(end),
                }
            }
            if let Some(&node) = switches.nodes.get(at) {
                self.report.add(self.graph, node, Culprit::Node { is_good_without })?;
            }
        }
        others?;
        self.report.is_confirmed = !self.is_good_with(&mut switches, (&on, true))?;
        Ok(())
    }

    /// Looks for nodes without which a replay is good: with all nodes off it is bad.
    fn search_alone(&mut self, switches: &mut Switches<'_>) -> std::result::Result<(), End> {
        for at in 0..switches.nodes.len() {
            if self.is_good_with(switches, (&[at], false))? {
                self.report.outcome = BisectOutcome::Without;
                self.report.is_confirmed = true;
                if let Some(&node) = switches.nodes.get(at) {
                    self.report.add(self.graph, node, Culprit::Without)?;
                }
            }
        }
        Ok(())
    }

    /// Tries the nodes at these places on and all others off, or the other way round.
    fn is_good_with(
        &mut self,
        switches: &mut Switches<'_>,
        (places, are_on): (&[usize], bool),
    ) -> std::result::Result<bool, End> {
        let mut is_on = vec![!are_on; switches.nodes.len()];
        for &place in places {
            if let Some(is_on) = is_on.get_mut(place) {
                *is_on = are_on;
            }
        }
        let count = is_on.iter().filter(|is_on| **is_on).count();
        switches.set(&is_on)?;
        self.trials.tried = Tried::Nodes(count, is_on.len());
        self.trials.is_good(switches.exec)
    }

    /// Switches all nodes off that can be.
    fn switches(&self) -> Result<Switches<'a>> {
        let mut nodes = Vec::new();
        for (&node, kind) in self.recorded.nodes.iter().zip(&self.recorded.kinds) {
            if !matches!(kind, NodeKind::Kernel | NodeKind::Memcpy | NodeKind::Memset) {
                continue;
            }
            match self.exec.enable_node(node, false) {
                Ok(()) => nodes.push(node),
                // As a cooperative kernel.
                Err(error) if matches!(error.status, Status::INVALID_VALUE | Status::NOT_SUPPORTED) => {}
                Err(error) => return Err(error),
            }
        }
        let is_on = vec![false; nodes.len()];
        Ok(Switches { exec: self.exec, nodes, is_on })
    }
}
