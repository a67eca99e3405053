//! Plans of Fourier transforms on the host device: tables of factors, one for each length and direction in use.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, Weak};

use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};

use crate::driver::{FftDirection, FftPlanId};
use crate::lock::{lock, rank, Mutex};

/// A plan, which any number of threads use at the same time.
pub(super) enum Plan {
    Forward(Arc<dyn RealToComplex<f32>>),
    Back(Arc<dyn ComplexToReal<f32>>),
}

/// What a plan is for.
type Purpose = (u64, FftDirection);

#[derive(Default)]
struct Plans {
    /// Those that ids stand for.
    held: BTreeMap<FftPlanId, Arc<Plan>>,
    /// Those that somebody has.
    known: BTreeMap<Purpose, Weak<Plan>>,
    last: u64,
}

impl Plans {
    /// Forgets what nobody has any more.
    fn forget(&mut self) {
        self.known.retain(|_, plan| plan.strong_count() > 0);
    }
}

fn plans() -> &'static Mutex<Plans, rank::FftPlans> {
    static PLANS: OnceLock<Mutex<Plans, rank::FftPlans>> = OnceLock::new();
    PLANS.get_or_init(Mutex::default)
}

impl Plan {
    fn new((length, direction): Purpose) -> Plan {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let mut planner = RealFftPlanner::new();
        match direction {
            FftDirection::RealToComplex => Plan::Forward(planner.plan_fft_forward(length)),
            FftDirection::ComplexToReal => Plan::Back(planner.plan_fft_inverse(length)),
        }
    }

    /// Complex numbers that it needs beside input and output.
    pub(super) fn scratch(&self) -> usize {
        match self {
            Plan::Forward(plan) => plan.get_scratch_len(),
            Plan::Back(plan) => plan.get_scratch_len(),
        }
    }
}

/// The plan for a purpose. It is made where nobody has it.
pub(super) fn find(purpose: Purpose) -> Arc<Plan> {
    if let Some(known) = lock(plans()).known.get(&purpose).and_then(Weak::upgrade) {
        return known;
    }
    // Making one takes milliseconds; who comes at the same time makes another one.
    let made = Arc::new(Plan::new(purpose));
    let mut plans = lock(plans());
    let known = plans.known.get(&purpose).and_then(Weak::upgrade);
    if known.is_none() {
        plans.forget();
        plans.known.insert(purpose, Arc::downgrade(&made));
    }
    drop(plans);
    known.unwrap_or(made)
}

/// Keeps the plan for a purpose until its id is given to [`end`].
pub(super) fn begin(purpose: Purpose) -> (FftPlanId, Arc<Plan>) {
    let plan = find(purpose);
    let mut plans = lock(plans());
    plans.last += 1;
    let id = FftPlanId(plans.last);
    plans.held.insert(id, Arc::clone(&plan));
    (id, plan)
}

/// Lets go of a plan. Transforms that run have it still.
pub(in crate::driver::host) fn end(plan: FftPlanId) {
    let held = lock(plans()).held.remove(&plan);
    drop(held);
    // So that a program which gave all back leaves nothing behind.
    lock(plans()).forget();
}

/// Transforms `input`, which it overwrites, to `output`. All have the lengths that the plan says.
pub(super) fn forward(
    plan: &dyn RealToComplex<f32>,
    input: &mut [f32],
    output: &mut [Complex<f32>],
    scratch: &mut [Complex<f32>],
) -> bool {
    plan.process_with_scratch(input, output, scratch).is_ok()
}

/// As [`forward`], in the other direction.
pub(super) fn back(
    plan: &dyn ComplexToReal<f32>,
    input: &mut [Complex<f32>],
    output: &mut [f32],
    scratch: &mut [Complex<f32>],
    length: usize,
) -> bool {
    // These have no imaginary part in what a transform of real numbers gives.
    input[0].im = 0.0;
    if length.is_multiple_of(2) {
        input[length / 2].im = 0.0;
    }
    plan.process_with_scratch(input, output, scratch).is_ok()
}
