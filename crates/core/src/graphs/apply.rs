//! Execs that come to do what a graph does, by the cheapest way that is right: not at all, node by node, by an update, or by an exec
//! that is made anew and takes the place of the old one.

use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::exec::{ExecEdits, GraphExec, Made};
use super::exec_update::{Superseded, Updated};
use super::graph::Graph;
use crate::state::{Edits, Stream};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::rules::apply_route::{choose, Costs, Expected, Route, Routes};
use graphcap_driver::{check_caller, Differing, NodeId, UpdateReport};
use graphcap_observe::log::{log, Level, Subject};

/// Options for the ways in which an exec may come to do what a graph does.
#[derive(Clone, Copy)]
pub struct ApplyOptions<'a> {
    /// The ways that are allowed.
    pub routes: Routes,
    /// Tells whether the exec may keep launch attributes of its own that differ from those of the graph.
    pub ignores_attributes: bool,
    /// Stream on which an exec that is made anew is uploaded.
    pub upload: Option<&'a Stream>,
    /// The number of replays that are expected before the exec is changed again; 0 where only the call itself counts.
    pub expected_replays: u64,
}

impl Default for ApplyOptions<'_> {
    fn default() -> Self {
        ApplyOptions { routes: Routes::ALL, ignores_attributes: false, upload: None, expected_replays: 0 }
    }
}

/// Reason for which a way was taken, with the number that C has for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reason {
    /// The exec did the work of the graph already.
    #[default]
    Unchanged = 0,
    /// It is known which nodes were changed, and to set them costs less than an update.
    FewNodes = 1,
    /// It is known which nodes were changed, and an update costs less than to set them.
    ManyNodes = 2,
    /// It is not known which nodes differ: the exec does the work of another graph, or more was changed than the work of nodes, or
    /// others may have changed the graph.
    NotKnown = 3,
    /// The exec cannot be updated by the graph.
    Refused = 4,
    /// A launch attribute differs, and an update would keep that of the exec.
    Attribute = 5,
    /// The cheaper ways are not allowed.
    OnlyAllowed = 6,
    /// A new exec replays faster than one that was changed, and so many replays are expected that it pays.
    ManyReplays = 8,
}

impl Reason {
    /// All of them, in the order of their numbers.
    pub const ALL: [Reason; 8] = [
        Reason::Unchanged,
        Reason::FewNodes,
        Reason::ManyNodes,
        Reason::NotKnown,
        Reason::Refused,
        Reason::Attribute,
        Reason::OnlyAllowed,
        Reason::ManyReplays,
    ];

    /// The reason in words.
    pub fn description(self) -> &'static CStr {
        match self {
            Reason::Unchanged => c"The exec does the work of the graph already.",
            Reason::FewNodes => c"Few nodes of the graph were changed, and to set them costs less than an update.",
            Reason::ManyNodes => c"Many nodes of the graph were changed, and an update costs less than to set them.",
            Reason::NotKnown => c"It is not known which nodes differ, so all are updated.",
            Reason::Refused => c"The exec cannot be updated by the graph.",
            Reason::Attribute => c"A launch attribute differs, and an update would keep that of the exec.",
            Reason::OnlyAllowed => c"No cheaper way is allowed.",
            Reason::ManyReplays => {
                c"The replays that are expected take less time with a new exec than with one that was changed."
            }
        }
    }
}

/// Report on what [`GraphExec::apply`] did.
pub struct Applied {
    /// The way that was taken; where the outcome is a refusal, the one that was tried last.
    pub route: Route,
    /// Reason for the way.
    pub reason: Reason,
    /// Number of nodes that the exec has now, those within nodes not counted.
    pub nodes: usize,
    /// Number of them that did something else than the graph, where that is known.
    pub changed: Option<usize>,
    /// The answer of the driver to an update, if one was tried.
    pub report: UpdateReport,
    /// Time that the call took.
    pub took: Duration,
    /// Time that the next launch needs beyond a usual one, as the device was measured.
    pub next_launch: Duration,
    /// The refusal. The exec is as it was then.
    pub outcome: Result<()>,
}

/// Decision that was made while the graph was locked.
struct ApplyPlan {
    route: Option<Route>,
    changed: Option<usize>,
}

/// The exec compared with the graph, for the replays behind a call, before a way is gone.
#[derive(Default)]
struct Comparison {
    /// True where a new exec takes less time in all.
    pays_anew: bool,
    /// The number of nodes of the exec that do something else than the graph.
    changed: Option<usize>,
    /// The answer of the driver to an update, if it were tried.
    report: UpdateReport,
    /// The kernels that an update would have replay slower.
    relaunched: Vec<NodeId>,
}

/// Parts of an exec that others took the place of.
#[derive(Default)]
struct ReplacedExec {
    superseded: Option<Superseded>,
    /// Another exec took its place.
    made: Option<Arc<Made>>,
    /// Exec that was to take its place.
    anew: Option<GraphExec>,
}

impl ReplacedExec {
    fn let_go(self) {
        if let Some(superseded) = self.superseded {
            superseded.let_go();
        }
        drop((self.made, self.anew));
    }
}

impl GraphExec {
    /// Makes the exec do what `graph` does in later launches, by the cheapest way that is right. Launches that were made before run as
    /// they were, and later ones run behind them. What is disabled stays disabled, and the counter of replays goes on.
    ///
    /// Where the exec does what the graph did at an earlier time, and single nodes were set in it since by calls of this library, they
    /// are set in the exec as well. Else the exec is updated as a whole. Where it cannot be, the graph is instantiated, with the flags
    /// that the exec was made with. From then on the nodes of the exec go by those of `graph`.
    ///
    /// # Errors
    /// As [`GraphExec::update`]. A refusal is no error of the call: [`Applied::outcome`] is `GRAPH_EXEC_UPDATE_FAILURE` or
    /// `NOT_SUPPORTED` where no way that is allowed is left; `ILLEGAL_STATE` where the exec would have to be made anew and its native
    /// handle was given out, where launches of it went to a stream of which the driver cannot tell how far it is, or where it is not
    /// known which nodes of the graph are those that are disabled; and what [`Graph::instantiate_with`] answers.
    ///
    /// With [`ApplyOptions::expected_replays`] these count as well: the launches of all kernels are compared, and the graph is instantiated
    /// where so many kernels replay slower on this device, because they were changed, that a new exec takes less time in all.
    ///
    /// # Examples
    /// A node of the graph is changed, and the exec follows:
    ///
    /// ```
    /// use graphcap::core::{ApplyOptions, Buffer, Context, Fill, Graph, NodeWork};
    /// use graphcap::driver::{DeviceChoice, DeviceKind};
    /// use graphcap::rules::apply_route::Route;
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let buffer = Buffer::allocate(&context, 64)?;
    /// let ones = Fill { buffer: &buffer, offset: 0, value: 1, element_size: 4, width: 16, height: 1, pitch: 0 };
    ///
    /// let graph = Graph::create(&context)?;
    /// let nodes = [(); 8].map(|()| graph.add_node(&[], &NodeWork::Memset(ones)).unwrap());
    /// let exec = graph.instantiate()?;
    /// graph.set_node(nodes[3], &NodeWork::Memset(Fill { value: 2, ..ones }))?;
    /// let applied = exec.apply(&graph, &ApplyOptions::default())?;
    /// applied.outcome?;
    /// assert_eq!(applied.changed, Some(1));
    /// assert_eq!(exec.apply(&graph, &ApplyOptions::default())?.route, Route::Nothing);
    ///
    /// // With more nodes it is another exec, which nobody sees.
    /// graph.add_node(&nodes, &NodeWork::Empty)?;
    /// let applied = exec.apply(&graph, &ApplyOptions::default())?;
    /// assert_eq!((applied.route, exec.node_count()), (Route::Anew, 9));
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn apply(&self, graph: &Graph, options: &ApplyOptions<'_>) -> Result<Applied> {
        check_caller()?;
        let began = Instant::now();
        self.check_source(graph)?;
        let mut left = ReplacedExec::default();
        let applied = self.apply_locked(graph, options, &mut left);
        if let Ok(Applied { route: Route::Anew, reason, outcome: Ok(()), nodes, .. }) = &applied {
            log(Level::Info, Subject::Exec, || {
                format!("a graph exec of {nodes} nodes was made anew: {}", reason.description().to_string_lossy())
            });
        }
        // This can run code of the program's, so no lock is held.
        left.let_go();
        applied.map(|applied| Applied { took: began.elapsed(), ..applied })
    }

    /// Applies the graph while nobody else does. Puts what is let go of into `left`.
    fn apply_locked(&self, graph: &Graph, options: &ApplyOptions<'_>, left: &mut ReplacedExec) -> Result<Applied> {
        let _applying = lock(self.applying());
        let costs = self.context().driver()?.update_costs();
        let compared = self.compare(graph, options, costs)?;
        if compared.pays_anew && self.apply_anew(graph, options, left).is_ok() {
            let nodes = self.node_count();
            return Ok(Applied {
                route: Route::Anew,
                reason: Reason::ManyReplays,
                nodes,
                changed: compared.changed,
                report: UpdateReport::default(),
                took: Duration::ZERO,
                next_launch: Duration::ZERO,
                outcome: Ok(()),
            });
        }
        // What could not be made anew is not tried again.
        let routes = Routes { anew: options.routes.anew && !compared.pays_anew, ..options.routes };
        let options = &ApplyOptions { routes, ..*options };
        let (plan, Updated { mut report, outcome }) = self.apply_cheaply(graph, options, costs, left)?;
        let reason = match (&outcome, plan.route, plan.changed) {
            (Err(_), _, _) if report.kept_attribute.is_some() => Reason::Attribute,
            (Err(_), Some(_), _) => Reason::Refused,
            (_, Some(Route::Nothing), _) => Reason::Unchanged,
            (_, Some(Route::SetNodes), _) => Reason::FewNodes,
            (_, Some(Route::Update), Some(_)) => Reason::ManyNodes,
            (_, Some(Route::Update), None) => Reason::NotKnown,
            (_, Some(Route::Anew) | None, _) => Reason::OnlyAllowed,
        };
        let is_left = plan.route == Some(Route::Anew) || (outcome.is_err() && options.routes.anew);
        let (route, outcome) = match is_left {
            true => (Route::Anew, self.apply_anew(graph, options, left)),
            false => (plan.route.unwrap_or_default(), outcome),
        };
        if outcome.is_ok() && route != Route::Anew {
            if !compared.relaunched.is_empty() {
                self.context().driver()?.exec_note_slower(self.made().id(), &compared.relaunched);
            }
            report.slower = compared.report.slower;
        }
        let nodes = self.node_count();
        let next_launch = match &outcome {
            Ok(()) => costs.of_next_launch(route, nodes, plan.changed.unwrap_or(nodes)),
            Err(_) => 0,
        };
        Ok(Applied {
            route,
            reason,
            nodes,
            changed: plan.changed,
            report,
            took: Duration::ZERO,
            next_launch: Duration::from_nanos(next_launch),
            outcome,
        })
    }

    /// Compares the launches of all kernels, where replays are expected and the device replays changed kernels slower.
    fn compare(&self, graph: &Graph, options: &ApplyOptions<'_>, costs: Costs) -> Result<Comparison> {
        let made = Arc::clone(&self.made());
        let (replays, nodes) = (options.expected_replays, made.node_count());
        let mut compared = Comparison::default();
        if replays == 0 {
            return Ok(compared);
        }
        let can_be_anew = options.routes.anew && !self.is_given_out();
        // Nothing is read where it would not pay even if all kernels were slower.
        if !costs.pays_anew(Route::Update, nodes, nodes, Expected { replays, slower: nodes }) {
            return Ok(compared);
        }
        made.update(graph, |edits, source| {
            // What is not told is not known; the cheap ways tell errors of their own.
            let Ok(update) = made.context().driver()?.exec_can_update(made.id(), graph.id()) else { return Ok(None) };
            let keeps_other = update.report.kept_attribute.is_some() && !options.ignores_attributes;
            let lacks = made.lacks(edits, graph, source, options.ignores_attributes);
            compared.changed = lacks.map(|nodes| nodes.len());
            let route = choose(nodes, compared.changed, options.routes, costs);
            let slower = update.report.slower;
            compared.pays_anew = match route {
                Some(route) if can_be_anew && route != Route::Anew && update.refused.is_none() && !keeps_other => {
                    costs.pays_anew(route, nodes, compared.changed.unwrap_or(nodes), Expected { replays, slower })
                }
                _ => false,
            };
            (compared.report, compared.relaunched) = (update.report, update.relaunched);
            Ok(None)
        })?;
        Ok(compared)
    }

    /// Applies the graph without an exec that is made anew. What is refused is left to that.
    fn apply_cheaply(
        &self,
        graph: &Graph,
        options: &ApplyOptions<'_>,
        costs: Costs,
        left: &mut ReplacedExec,
    ) -> Result<(ApplyPlan, Updated)> {
        let made = self.made();
        let driver = made.context().driver()?;
        let mut plan = ApplyPlan { route: None, changed: None };
        let updated = made.update(graph, |edits, source| {
            let lacks = made.lacks(edits, graph, source, options.ignores_attributes);
            plan.changed = lacks.as_ref().map(Vec::len);
            plan.route = choose(made.node_count(), plan.changed, options.routes, costs);
            match (plan.route, lacks) {
                (Some(Route::SetNodes), Some(nodes)) => {
                    driver.exec_update_nodes(made.id(), graph.id(), &nodes).map(Some)
                }
                (Some(Route::Update), _) if options.ignores_attributes => {
                    edits.attributes_agree = false;
                    driver.exec_update(made.id(), graph.id(), Differing::Kept).map(Some)
                }
                (Some(Route::Update), _) => {
                    let update = driver.exec_update(made.id(), graph.id(), Differing::Refused)?;
                    edits.attributes_agree |= update.refused.is_none();
                    Ok(Some(update))
                }
                _ => Ok(None),
            }
        });
        let tried = Arc::clone(&made);
        drop(made);
        match (updated?, plan.route) {
            (Some(update), _) => {
                let (updated, superseded) = tried.told(graph, update);
                left.superseded = Some(superseded);
                Ok((plan, updated))
            }
            (None, Some(_)) => Ok((plan, Updated { report: UpdateReport::default(), outcome: Ok(()) })),
            (None, None) => Ok((plan, Updated { report: UpdateReport::default(), outcome: Err(no_way()) })),
        }
    }

    /// Instantiates the graph and takes the place of what the exec was.
    fn apply_anew(&self, graph: &Graph, options: &ApplyOptions<'_>, left: &mut ReplacedExec) -> Result<()> {
        self.made().check_own()?;
        let before = Arc::clone(&self.made());
        let disabled = before.disabled_in(graph)?;
        let anew = left.anew.insert(graph.instantiate_with(before.flags(), options.upload)?);
        for node in disabled {
            // A node that was removed, or does something now that is always enabled, needs nothing.
            if anew.is_node_enabled(node).is_ok() {
                anew.enable_node(node, false)?;
            }
        }
        left.made = Some(self.become_other(anew)?);
        Ok(())
    }
}

impl Made {
    /// Refuses to have another one take its place where others may launch it.
    ///
    /// # Errors
    /// `ILLEGAL_STATE`.
    pub(super) fn check_own(&self) -> Result<()> {
        match self.is_given_out() {
            false => Ok(()),
            true => Err(Error::new(
                Status::ILLEGAL_STATE,
                "the exec would have to be made anew, and its native handle was given out, by which others would go on to use the old \
                 one; make another graph exec of the graph",
            )),
        }
    }

    /// The nodes of a graph, whose lock is held, that do something else than those of the exec, which has these edits; `None` where
    /// that is not known, or where nodes of the exec go by other ids.
    fn lacks(
        &self,
        edits: &ExecEdits,
        graph: &Graph,
        of_graph: &Edits,
        ignores_attributes: bool,
    ) -> Option<Vec<NodeId>> {
        let source = edits.source.as_ref().filter(|_| edits.attributes_agree || ignores_attributes)?;
        let mut lacks = graph.0.changed_since(source, of_graph)?;
        lacks.extend(edits.changes.since(0)?);
        lacks.sort_unstable_by_key(|node| node.0);
        lacks.dedup();
        let has_its_nodes = || graph.0.changed_since(self.born()?, of_graph).map(drop);
        (lacks.is_empty() || has_its_nodes().is_some()).then_some(lacks)
    }

    /// The nodes of `graph` that are disabled in the exec.
    fn disabled_in(&self, graph: &Graph) -> Result<Vec<NodeId>> {
        let disabled: Vec<NodeId> = lock(self.edits()).disabled.iter().copied().collect();
        if disabled.is_empty() || std::ptr::eq(self.origin().as_ptr(), Arc::as_ptr(&graph.0)) {
            return Ok(disabled);
        }
        let pairs = self.context().driver()?.exec_counterparts(self.id(), graph.id())?;
        let pairs: HashMap<NodeId, NodeId> = pairs.unwrap_or_default().into_iter().collect();
        let counterpart = |node: &NodeId| pairs.get(node).copied();
        disabled.iter().map(counterpart).collect::<Option<Vec<_>>>().ok_or_else(|| {
            Error::new(
                Status::ILLEGAL_STATE,
                "nodes of the exec are disabled, and it is not known which nodes of the graph they are; enable them first, or make \
                 another graph exec of the graph",
            )
        })
    }
}

#[cold]
fn no_way() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the exec does not do yet what the graph does, and no way is allowed that can be gone; allow an update, or an exec that is \
         made anew",
    )
}

#[cfg(test)]
#[path = "apply_tests.rs"]
mod tests;
