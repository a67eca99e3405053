//! Objects that a context has of NVIDIA's libraries: its handles, plans and generators, and when they go.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{blas, fft, rand};
use crate::library::LibraryHandle;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{FftDirection, FftPlanId};

/// Objects that a context has of the libraries.
#[derive(Default)]
pub(crate) struct Mathematics {
    /// The handles of cuBLAS. Held while the own one is used, since stream and workspace are set in it.
    pub(super) blas: Mutex<BlasHandles, rank::Blas>,
    pub(super) plans: Mutex<Plans, rank::CudaFftPlans>,
    /// Bytes that a product may need while it runs.
    pub(super) workspace: OnceLock<usize>,
}

/// Handles of cuBLAS.
#[derive(Default)]
pub(super) struct BlasHandles {
    /// Handle of graphcap's own products.
    pub(super) own: Option<LibraryHandle>,
    /// Those that were lent to others and came back.
    pub(super) spare: Vec<LibraryHandle>,
}

/// The plans that were not destroyed. Held while one is used, as for the handle.
#[derive(Default)]
pub(super) struct Plans {
    pub(super) by_id: HashMap<FftPlanId, (fft::Plan, FftDirection)>,
    pub(super) last: u64,
}

impl Mathematics {
    /// Destroys the handles, of a context in which no work is left. The context must be current, the mode relaxed.
    pub(crate) fn end(&self) {
        let BlasHandles { own, spare } = std::mem::take(&mut *lock(&self.blas));
        if let Some(table) = blas::CUBLAS.loaded() {
            // SAFETY: the context is current, and no work is left.
            own.into_iter().chain(spare).for_each(|handle| unsafe { blas::destroy(table, handle) });
        }
    }
}

/// Destroys a plan. Its context must be current, the mode relaxed, and no work may need it. May wait for all work of the device.
pub(crate) fn destroy_plan(plan: fft::Plan) {
    if let Some(table) = fft::CUFFT.loaded() {
        // SAFETY: the context is current, and the work that used it is complete.
        unsafe { fft::destroy(table, plan) };
    }
}

/// As [`destroy_plan`], of a generator.
pub(crate) fn destroy_generator(generator: LibraryHandle) {
    if let Some(table) = rand::CURAND.loaded() {
        // SAFETY: the context is current, and the work that used it is complete.
        unsafe { rand::destroy(table, generator) };
    }
}
