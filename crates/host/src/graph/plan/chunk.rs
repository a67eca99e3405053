//! Chunks of compiled steps, which the versions of an exec share but for those that edits change.

use std::sync::Arc;

use super::step::Step;
use crate::code::arguments::ArgumentArena;
use crate::code::grid::{BlockPace, Grid};
use crate::code::kernel::KernelCall;
use crate::graph::Action;
use crate::raw::ArgumentTable;
use graphcap_driver::{GridSources, LaunchShape};

/// Number of steps in each chunk of a body but the last. A replay of short nodes looks at the clock as often.
pub(super) const CHUNK_STEPS: u32 = 64;
/// Number of grids in a chunk that are compared with the one of a launch, the latest first.
const COMPARED_GRIDS: usize = 4;
/// Most grids, and most paces, that edits leave in a chunk before it is compiled anew.
const MOST_LEFT: usize = 2 * CHUNK_STEPS as usize;

/// Some steps that follow each other, with all that they run by.
#[derive(Clone)]
pub(super) struct Chunk {
    pub(super) code: Code,
    /// Actions of the steps, where the exec was edited; none where its definition has them.
    pub(super) actions: Box<[Arc<Action>]>,
}

/// Compiled steps. All that the common case needs stands in the step itself.
#[derive(Clone)]
pub(super) struct Code {
    pub(super) steps: Box<[Step]>,
    pub(super) grids: Vec<Grid>,
    pub(super) paces: Vec<BlockPace>,
    /// Launches whose grids come from memory.
    pub(super) sized: Vec<(LaunchShape, GridSources)>,
    /// Held for its memory, which the steps point into.
    arguments: Arc<ArgumentArena>,
    /// Steps of nodes that are disabled, which do nothing meanwhile, each with its number in the chunk.
    resting: Vec<(u32, Step)>,
}

/// Numbers of the first event node and of the first conditional among steps of a body.
fn numbers_among(steps: &[Step]) -> [u32; 2] {
    let mut numbers = [0; 2];
    for step in steps.iter().rev() {
        match step {
            Step::Event(number) => numbers[0] = *number,
            Step::Branch(number) => numbers[1] = *number,
            _ => {}
        }
    }
    numbers
}

fn take(number: &mut u32) -> u32 {
    *number += 1;
    *number - 1
}

impl Code {
    /// Compiles actions. The next event node and the next conditional get the numbers `numbers`.
    pub(super) fn of<'a>(actions: impl Iterator<Item = &'a Action> + Clone, numbers: &mut [u32; 2]) -> Code {
        let arguments = actions.clone().filter_map(|action| match action {
            Action::Kernel(call) => Some(&call.arguments),
            _ => None,
        });
        let mut arguments = ArgumentArena::for_launches(arguments);
        let (mut grids, mut paces, mut sized) = (Vec::new(), Vec::new(), Vec::new());
        let steps = actions.map(|action| match action {
            Action::Kernel(call) => {
                let table = arguments.append(&call.arguments);
                match &call.grid_from {
                    None => Step::launch(call, table, &mut grids, || append(&mut paces, BlockPace::default())),
                    Some(from) => Step::Sized {
                        function: call.kernel.function,
                        arguments: table,
                        at: append(&mut sized, (call.shape, **from)),
                        pace: append(&mut paces, BlockPace::default()),
                    },
                }
            }
            Action::RecordEvent(_) | Action::WaitEvent(_) => Step::Event(take(&mut numbers[0])),
            Action::Branch(_) => Step::Branch(take(&mut numbers[1])),
            Action::Empty | Action::Boundary => Step::Nothing,
            _ => Step::Node,
        });
        let steps = steps.collect();
        Code { steps, grids, paces, sized, arguments: Arc::new(arguments), resting: Vec::new() }
    }

    /// Returns whether the node of step number `step` is disabled.
    pub(super) fn rests(&self, step: u32) -> bool {
        self.resting.iter().any(|(resting, _)| *resting == step)
    }

    /// Returns whether the node of some step is disabled.
    pub(super) fn has_resting(&self) -> bool {
        !self.resting.is_empty()
    }

    /// Makes those steps of `other` rest that rest here.
    pub(super) fn rest_too(&self, other: &mut Code) {
        self.resting.iter().for_each(|(step, _)| other.rest(*step));
    }

    /// Makes a step do nothing until it is woken.
    pub(super) fn rest(&mut self, step: u32) {
        if !self.rests(step) {
            let resting = std::mem::replace(&mut self.steps[step as usize], Step::Nothing);
            self.resting.push((step, resting));
        }
    }

    /// Makes a step do again what it did.
    pub(super) fn wake(&mut self, step: u32) {
        if let Some(at) = self.resting.iter().position(|(resting, _)| *resting == step) {
            self.steps[step as usize] = self.resting.swap_remove(at).1;
        }
    }

    /// Makes the step of a kernel launch `after` in the place of `before`; false where the chunk is to be compiled anew for that.
    fn relaunch(&mut self, step: u32, before: &KernelCall, after: &KernelCall) -> bool {
        let is_crowded = self.grids.len().max(self.paces.len()) >= MOST_LEFT;
        if is_crowded || before.grid_from.is_some() || after.grid_from.is_some() {
            return false;
        }
        if Arc::get_mut(&mut self.arguments).is_none() {
            self.part_arguments();
        }
        let Code { steps, grids, paces, arguments, resting, .. } = self;
        let resting = resting.iter_mut().find(|(resting, _)| *resting == step).map(|(_, step)| step);
        let Some(changed) = resting.or_else(|| steps.get_mut(step as usize)) else { return false };
        let (table, pace) = match *changed {
            Step::Block { arguments, .. } => (arguments, None),
            Step::Grid { arguments, pace, .. } => (arguments, Some(pace)),
            _ => return false,
        };
        let is_laid_out = Arc::get_mut(arguments)
            .is_some_and(|arguments| arguments.rewrite(table, &before.arguments, &after.arguments));
        if is_laid_out {
            *changed =
                Step::launch(after, table, grids, || pace.unwrap_or_else(|| append(paces, BlockPace::default())));
        }
        is_laid_out
    }

    /// Makes arguments of its own, which other versions do not read.
    fn part_arguments(&mut self) {
        let (arguments, moved) = self.arguments.copy();
        self.arguments = Arc::new(arguments);
        for step in self.steps.iter_mut().chain(self.resting.iter_mut().map(|(_, step)| step)) {
            if let Step::Block { arguments, .. } | Step::Grid { arguments, .. } | Step::Sized { arguments, .. } = step {
                *arguments = ArgumentTable(arguments.0.wrapping_add(moved));
            }
        }
    }
}

impl Step {
    /// Of a kernel whose grid is known. `pace` gives the number of a pace where it needs one.
    #[inline]
    fn launch(call: &KernelCall, arguments: ArgumentTable, grids: &mut Vec<Grid>, pace: impl FnOnce() -> u32) -> Step {
        let latest = grids.iter().enumerate().rev().take(COMPARED_GRIDS);
        let known = latest.filter(|(_, grid)| grid.is_of(&call.shape)).map(|(at, _)| at as u32).next();
        let grid = known.unwrap_or_else(|| append(grids, Grid::new(&call.shape)));
        let function = call.kernel.function;
        match grids[grid as usize].is_one_plain_block() {
            true => Step::Block { function, arguments, grid },
            false => Step::Grid { function, arguments, grid, pace: pace() },
        }
    }
}

/// Appends to a list. Gives the number of the entry.
fn append<T>(list: &mut Vec<T>, entry: T) -> u32 {
    list.push(entry);
    list.len() as u32 - 1
}

impl Chunk {
    /// Compiles actions that a definition has, as [`Code::of`].
    pub(super) fn of<'a>(actions: impl Iterator<Item = &'a Action> + Clone, numbers: &mut [u32; 2]) -> Chunk {
        Chunk { code: Code::of(actions, numbers), actions: Box::default() }
    }

    /// Exchanges what the node of a step does for `action`. The chunk has actions of its own. What other versions do meanwhile is put
    /// into `superseded`.
    pub(super) fn exchange(&mut self, step: u32, action: &mut Action, superseded: &mut Vec<Arc<Action>>) {
        let Some(own) = self.actions.get_mut(step as usize) else { return };
        let is_patched = match (&**own, &*action) {
            (Action::Kernel(before), Action::Kernel(after)) => self.code.relaunch(step, before, after),
            _ => true,
        };
        match Arc::get_mut(own) {
            Some(own) => std::mem::swap(own, action),
            None => {
                let exchanged = std::mem::replace(action, Action::Empty);
                superseded.push(std::mem::replace(own, Arc::new(exchanged)));
            }
        }
        if !is_patched {
            self.compile_anew();
        }
    }

    #[cold]
    fn compile_anew(&mut self) {
        let mut code = Code::of(self.actions.iter().map(|action| &**action), &mut numbers_among(&self.code.steps));
        self.code.rest_too(&mut code);
        self.code = code;
    }
}
