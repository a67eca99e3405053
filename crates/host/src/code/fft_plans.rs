//! Plans of Fourier transforms on the host device: tables of factors, one for each length and direction in use.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};

use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_base::room;
use graphcap_driver::{enter_default_floats, FftDirection, FftPlanId};

/// A plan, which any number of threads use at the same time.
pub(super) enum FftPlan {
    Forward(Arc<dyn RealToComplex<f32>>),
    Back(Arc<dyn ComplexToReal<f32>>),
}

/// Length and direction that a plan is for.
type Purpose = (u64, FftDirection);

struct Plans {
    /// Those that ids stand for.
    held: BTreeMap<FftPlanId, Arc<FftPlan>>,
    /// Those that somebody has.
    known: BTreeMap<Purpose, Weak<FftPlan>>,
    last: u64,
}

impl Plans {
    /// Forgets what nobody has any more.
    fn forget(&mut self) {
        self.known.retain(|_, plan| plan.strong_count() > 0);
    }
}

static PLANS: Mutex<Plans, rank::FftPlans> =
    Mutex::new(Plans { held: BTreeMap::new(), known: BTreeMap::new(), last: 0 });

/// Bytes of a complex number.
const COMPLEX: u64 = 8;

/// More bytes than planning transforms of `length` real numbers takes at any time.
///
/// The planner makes a plan of complex transforms of n numbers: of half the length, or of all of it where that is odd. A plan consists
/// of steps, one for each small factor of n, which have tables of at most 2n numbers in all; the real transform has n / 2 more, and
/// making them takes no more than they have. What is left of n without the factors 2, 3, 5, 7 and 11 may be transformed by way of a
/// convolution (Bluestein's, or Rader's algorithm) of at most m numbers, the power of two that is at least twice as large. Its own
/// plan, its table, the numbers that the table is made of, and the memory for the transform that makes it, are at most 7m.
fn planning_bytes(length: u64) -> u64 {
    let numbers = if length.is_multiple_of(2) { length / 2 } else { length }.max(1);
    let mut rest = numbers;
    for factor in [2, 3, 5, 7, 11] {
        while rest.is_multiple_of(factor) {
            rest /= factor;
        }
    }
    let convolution = if rest > 1 { (2 * rest).next_power_of_two() } else { 0 };
    (4 * numbers + 7 * convolution) * COMPLEX
}

impl FftPlan {
    /// Plans, if there is memory for it: the planner would end the process otherwise.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    fn new((length, direction): Purpose) -> Result<FftPlan> {
        let bytes = planning_bytes(length);
        let (Ok(length), Ok(Ok(()))) = (usize::try_from(length), usize::try_from(bytes).map(room::ask)) else {
            return Err(Error::new(
                Status::OUT_OF_MEMORY,
                format!("planning transforms of {length} numbers may take {bytes} bytes of memory, which the process does not have; free some"),
            ));
        };
        // The tables are kept for all who make such transforms, however this thread rounds.
        let _floats = enter_default_floats();
        let mut planner = RealFftPlanner::new();
        Ok(match direction {
            FftDirection::RealToComplex => FftPlan::Forward(planner.plan_fft_forward(length)),
            FftDirection::ComplexToReal => FftPlan::Back(planner.plan_fft_inverse(length)),
        })
    }

    /// Complex numbers that it needs beside input and output.
    pub(super) fn scratch(&self) -> usize {
        match self {
            FftPlan::Forward(plan) => plan.get_scratch_len(),
            FftPlan::Back(plan) => plan.get_scratch_len(),
        }
    }
}

/// The plan for a purpose. It is made where nobody has it.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub(super) fn find(purpose: Purpose) -> Result<Arc<FftPlan>> {
    if let Some(known) = lock(&PLANS).known.get(&purpose).and_then(Weak::upgrade) {
        return Ok(known);
    }
    // Making one takes milliseconds, and seconds for large lengths; who comes at the same time makes another one.
    let made = Arc::new(FftPlan::new(purpose)?);
    let mut plans = lock(&PLANS);
    let known = plans.known.get(&purpose).and_then(Weak::upgrade);
    if known.is_none() {
        plans.forget();
        plans.known.insert(purpose, Arc::downgrade(&made));
    }
    drop(plans);
    Ok(known.unwrap_or(made))
}

/// Keeps the plan for a purpose until its id is given to [`end`].
///
/// # Errors
/// As [`find`].
pub(super) fn begin(purpose: Purpose) -> Result<(FftPlanId, Arc<FftPlan>)> {
    let plan = find(purpose)?;
    let mut plans = lock(&PLANS);
    plans.last += 1;
    let id = FftPlanId(plans.last);
    plans.held.insert(id, Arc::clone(&plan));
    Ok((id, plan))
}

/// Lets go of a plan. Transforms that run have it still.
pub(crate) fn end(plan: FftPlanId) {
    let held = lock(&PLANS).held.remove(&plan);
    drop(held);
    // So that a program which gave all back leaves nothing behind.
    lock(&PLANS).forget();
}

/// Transforms `input`, which it overwrites, back to `output`. All have the lengths that the plan says.
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
