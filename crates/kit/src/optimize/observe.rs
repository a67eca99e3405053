//! Observation of what kernels with trusted parameters write: the nodes of a graph run one by one, in the recorded order.
//!
//! Each node runs with what is in memory, and once more for each address in its arguments by which nothing changed, with zeros in the
//! memory there: so it is seen to write by its address unless it writes what is there and also zeros where zeros are. Memory that is all
//! zeros tells nothing, nor does memory that two addresses of a node point to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::accesses::{Reader, Trusted};
use super::measure::{as_it_was, refused};
use super::options::{OptimizeOptions, TrialOptions};
use super::promises::{KernelName, Promises, Unwritten};
use super::trial::Trial;
use super::written::homes;
use graphcap_base::error::{Result, Status};
use graphcap_core::{relax_mode, Graph, GraphExec, HostBuffer, MemoryRanges, NodeParams, SavedMemory, Stream};
use graphcap_driver::rules::order::Touch;
use graphcap_driver::{KernelId, NodeId, StreamOptions};

/// Place of an address in the arguments of a kernel.
type Place = (KernelName, (usize, usize));

/// Memory that an address in the arguments of a node points to.
struct Pointed {
    place: Place,
    memory: MemoryRanges,
    /// Tells whether it may be looked at and changed.
    is_open: bool,
    /// Tells whether no other address of the node points to some of it.
    is_alone: bool,
    /// Places of the addresses with it that do, of which nothing is stated either.
    shared_by: Vec<Place>,
}

/// Places by which kernels write, and those that were seen.
#[derive(Default)]
struct Seen {
    written: BTreeSet<Place>,
    tried: BTreeSet<Place>,
    /// For memory that changed and that several addresses of a node point to, their places.
    by_several: Vec<Vec<Place>>,
}

/// The promises of the options, with what was observed where they say so; or why nothing was.
///
/// # Errors
/// `OUT_OF_MEMORY`; `INVALID_VALUE` when the edges form a cycle; the status of a context that faulted.
pub(super) fn promises_of(graph: &Graph, options: &OptimizeOptions) -> Result<(Promises, Option<String>)> {
    let promises = options.promises();
    match options.observes.filter(|_| !options.shape_only) {
        None => Ok((promises, None)),
        Some(_) if options.in_place => {
            Ok((promises, Some("the graph itself is changed; have a copy made to observe kernels".to_owned())))
        }
        Some(trials) => observed(graph, promises, trials),
    }
}

/// The promises with what was observed; or why nothing was.
///
/// # Errors
/// As [`promises_of`].
pub(crate) fn observed(graph: &Graph, promises: Promises, trials: TrialOptions) -> Result<(Promises, Option<String>)> {
    let unwritten = run_nodes(graph, &promises, trials)?;
    // What was saved is no memory of the program's.
    graph.context().trim()?;
    Ok(match unwritten {
        Ok(unwritten) => (Promises { unwritten: Arc::new(unwritten), ..promises }, None),
        Err(reason) => (promises, Some(reason)),
    })
}

fn run_nodes(
    graph: &Graph,
    promises: &Promises,
    trials: TrialOptions,
) -> Result<std::result::Result<Unwritten, String>> {
    let _mode = relax_mode()?;
    let trial = match Trial::of(graph, promises.clone(), trials.permits) {
        Ok(trial) => trial,
        Err(error) => return refused(error, Status::NOT_SUPPORTED),
    };
    let stream = Stream::create(graph.context(), StreamOptions { non_blocking: true, ..StreamOptions::default() })?;
    let saved = match trial.save(&stream, trials.bytes) {
        Ok(saved) => saved,
        Err(error) => return refused(error, Status::OUT_OF_MEMORY),
    };
    let singles = trial.singles()?;
    let mut reader = Reader::new(trial.copy(), promises.clone());
    let (mut seen, mut view) = (Seen::default(), None);
    let mut nodes = (0..).map_while(|place| trial.node(place)).zip(&singles);
    let run = nodes.try_for_each(|((node, _), exec)| {
        let pointed = pointed(&mut reader, node)?;
        seen.run(&stream, exec, &pointed, &mut view)
    });
    let restored = saved.restore().and_then(|()| stream.synchronize());
    as_it_was(run, restored)?;
    Ok(Ok(seen.unwritten()))
}

/// Lists what the arguments of a node point to of which nothing is stated.
fn pointed(reader: &mut Reader<'_>, node: NodeId) -> Result<Vec<Pointed>> {
    let NodeParams::Kernel(kernel) = reader.graph.node_params(node)? else { return Ok(Vec::new()) };
    let mut touches = Vec::new();
    reader.kernel_touches(node, &kernel, &mut touches)?;
    let mut all = Vec::new();
    let is_named = kernel.id() != KernelId::FOREIGN || !kernel.name.is_empty();
    let name: KernelName = (kernel.id(), kernel.name);
    for trusted in reader.trusted.iter().filter(|_| is_named) {
        let own = touches.get(trusted.touches.clone()).unwrap_or_default();
        let (memory, is_foreign) = homes(reader.graph.context(), own, false)?;
        let is_met = |other: &Touch| own.iter().any(|own| own.start < other.end && other.start < own.end);
        let outside = touches.iter().enumerate().filter(|(at, _)| !trusted.touches.contains(at));
        let is_alone = !outside.map(|(_, other)| other).any(is_met);
        let shares = |other: &&Trusted| touches.get(other.touches.clone()).unwrap_or_default().iter().any(is_met);
        let shared_by = reader.trusted.iter().filter(shares).map(|other| (name.clone(), other.place)).collect();
        let is_open = !trusted.is_seen && !is_foreign && memory.host.bytes() == 0;
        all.push(Pointed { place: (name.clone(), trusted.place), memory, is_open, is_alone, shared_by });
    }
    Ok(all)
}

impl Seen {
    /// Runs a node, and once more for each address by which it is not seen to write. Memory is then as after one run.
    fn run(
        &mut self,
        stream: &Stream,
        exec: &GraphExec,
        pointed: &[Pointed],
        view: &mut Option<HostBuffer>,
    ) -> Result<()> {
        let closed = pointed.iter().filter(|one| !one.is_open).map(|one| one.place.clone());
        self.written.extend(closed);
        let memory =
            MemoryRanges::of(pointed.iter().filter(|one| one.is_open).map(|one| &one.memory).collect::<Vec<_>>());
        let mut saved = SavedMemory::save(stream, &memory, u64::MAX)?;
        saved.lend_view(view.take());
        let before = saved.read()?;
        exec.launch(stream)?;
        let after = saved.read()?;
        let mut is_moved = false;
        for one in pointed.iter().filter(|one| one.is_open) {
            let parts = saved.parts_of(&one.memory);
            let is_changed = parts.iter().any(|&(from, to)| before.get(from..to) != after.get(from..to));
            if !one.is_alone {
                self.by_several.extend(is_changed.then(|| one.shared_by.clone()));
                continue;
            }
            let tells = |&(from, to): &(usize, usize)| {
                before.get(from..to).is_some_and(|part| part.iter().any(|&byte| byte != 0))
            };
            if is_changed {
                self.written.insert(one.place.clone());
            } else if !self.written.contains(&one.place) && parts.iter().any(tells) {
                is_moved = true;
                saved.restore()?;
                saved.fill_parts(&parts, 0)?;
                exec.launch(stream)?;
                let is_written = saved.read_parts(&parts)?.iter().any(|&byte| byte != 0);
                let list = if is_written { &mut self.written } else { &mut self.tried };
                list.insert(one.place.clone());
            }
        }
        if is_moved {
            saved.restore()?;
            exec.launch(stream)?;
        }
        *view = saved.take_view();
        Ok(())
    }

    /// The places that were tried and never written.
    fn unwritten(mut self) -> Unwritten {
        let unexplained = self.by_several.iter().filter(|places| !places.iter().any(|one| self.written.contains(one)));
        let unexplained: Vec<Place> = unexplained.flatten().cloned().collect();
        self.written.extend(unexplained);
        let mut unwritten: Unwritten = BTreeMap::new();
        for (kernel, place) in self.tried.difference(&self.written) {
            unwritten.entry(kernel.clone()).or_default().insert(*place);
        }
        unwritten
    }
}
