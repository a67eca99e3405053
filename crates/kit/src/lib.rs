//! Work described as a list of operations, recorded once and replayed.
//!
//! A [`GraphOp`] is something that can record itself into a stream; [`ops`] has those that are built in. A [`Script`] is a list of
//! ops, which is recorded as a graph, or submitted. An [`Actor`] is a thread that owns execs, and records, launches and updates them
//! by message; a [`Future`] has its answer. [`optimize`] makes graphs that run their work side by side. Nothing in here knows a
//! device: all of it is made of the objects of [`core`](graphcap_core).

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_types))]

mod actor;
mod bisect;
mod check;
mod future;
mod looks;
mod op;
pub mod ops;
mod optimize;
mod script;
mod step;
mod verify;

pub use actor::{Actor, ActorOptions, Completion};
pub use bisect::{bisect, BisectFinding, BisectOptions, BisectOutcome, BisectReport, Culprit};
pub use check::{
    check, check_exec, check_saved, check_text, exec_findings_json, exec_findings_text, findings_json, findings_text,
    log_findings,
};
pub use check::{Flaw, GraphFinding, Severity};
pub use future::WeakFuture;
pub use future::{Future, Stall};
pub use graphcap_driver::rules::summary::ElementKind;
pub use op::{AddNodes, BodyNodes, GraphOp, RecordContext};
pub use optimize::{
    optimize, reasons, Barrier, Candidate, KernelStatement, MeasureOptions, Measured, OptimizeOptions, OptimizeReport,
    PartlyStated, Permits, Plan, Reason, SharedWorkspace, Timing, TrialOptions, Unwritten,
};
pub use script::{FailedOp, Script, ScriptError};
pub use step::{step, Step, StepFinding, StepFlaw, StepOptions, StepReport, TypedMemory, WrittenSummary};
pub use verify::{verify, Finding, MemoryPlace, NamedNode, VerifyOptions, VerifyReport};
