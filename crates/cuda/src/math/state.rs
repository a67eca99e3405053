//! What a context has of NVIDIA's libraries: its handles, plans and generators, and when they go.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::library::Native;
use super::{blas, fft, rand};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{FftDirection, FftPlanId};

/// What a context has of the libraries.
#[derive(Default)]
pub(crate) struct Mathematics {
    /// The handles of cuBLAS. Held while the own one is used, since stream and workspace are set in it.
    pub(super) blas: Mutex<BlasHandles, rank::Blas>,
    pub(super) plans: Mutex<Plans, rank::CudaFftPlans>,
    /// Plans that no work needs any more.
    pub(super) unused: Mutex<Vec<fft::Native>, rank::UnusedFftPlans>,
    /// Generators that no work needs any more, to be given out again.
    pub(super) generators: Mutex<Vec<Native>, rank::UnusedGenerators>,
    /// Bytes that a product may need while it runs.
    pub(super) workspace: OnceLock<usize>,
}

/// Handles of cuBLAS.
#[derive(Default)]
pub(super) struct BlasHandles {
    /// That of graphcap's own products.
    pub(super) own: Option<Native>,
    /// Those that were lent to others and came back.
    pub(super) spare: Vec<Native>,
}

/// The plans that were not destroyed. Held while one is used, as for the handle.
#[derive(Default)]
pub(super) struct Plans {
    pub(super) by_id: HashMap<FftPlanId, (fft::Native, FftDirection)>,
    pub(super) last: u64,
}

impl Mathematics {
    /// Destroys the plans and generators that nothing uses. The context must be current, the mode relaxed. May wait for all work of
    /// the device.
    pub(crate) fn destroy_unused(&self) {
        let unused = std::mem::take(&mut *lock(&self.unused));
        if let Some(table) = fft::TABLE.loaded() {
            // SAFETY: the context is current, and the work that used them is complete.
            unused.into_iter().for_each(|plan| unsafe { fft::destroy(table, plan) });
        }
        let generators = std::mem::take(&mut *lock(&self.generators));
        if let Some(table) = rand::TABLE.loaded() {
            // SAFETY: the context is current, and the work that used them is complete.
            generators.into_iter().for_each(|generator| unsafe { rand::destroy(table, generator) });
        }
    }

    /// Destroys all that there is. As [`Mathematics::destroy_unused`], of a context in which no work is left.
    pub(crate) fn end(&self) {
        self.destroy_unused();
        let BlasHandles { own, spare } = std::mem::take(&mut *lock(&self.blas));
        if let Some(table) = blas::TABLE.loaded() {
            // SAFETY: the context is current, and no work is left.
            own.into_iter().chain(spare).for_each(|handle| unsafe { blas::destroy(table, handle) });
        }
    }
}

/// A plan that core, all graphs and all handles let go of.
pub(crate) struct LeftPlan {
    pub(super) plan: fft::Native,
    pub(super) of: Arc<Mathematics>,
}

impl LeftPlan {
    /// No work needs it any more.
    pub(crate) fn leave(self) {
        lock(&self.of.unused).push(self.plan);
    }
}

/// A generator that core, all graphs and all handles let go of.
pub(crate) struct LeftGenerator {
    pub(super) generator: Native,
    pub(super) of: Arc<Mathematics>,
}

impl LeftGenerator {
    /// No work needs it any more.
    pub(crate) fn leave(self) {
        lock(&self.of.generators).push(self.generator);
    }
}
