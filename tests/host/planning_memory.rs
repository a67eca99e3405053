//! Plans of Fourier transforms where memory is short: a thread is refused what is beyond a budget, and no budget ends the process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use graphcap::core::{Buffer, Context, FftPlan};
use graphcap::driver::{DeviceChoice, DeviceKind, Fft, FftDirection};
use graphcap::kit::ops::FftOp;
use graphcap::kit::Script;
use graphcap::Status;

/// Smaller pieces are not counted: tests and lists of a few entries have them.
const COUNTED: usize = 1 << 10;
/// Smallest request that graphcap asks for ahead.
const ASKED: usize = 64 << 10;

thread_local! {
    /// The bytes that the thread can still have, where they are limited.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The system's memory, as far as the budget of the thread goes.
struct Budgeted;

impl Budgeted {
    fn left() -> Option<usize> {
        LEFT.try_with(Cell::get).ok().flatten()
    }
}

// SAFETY: all memory is the system's, or refused.
unsafe impl GlobalAlloc for Budgeted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if let Some(left) = Budgeted::left().filter(|_| layout.size() >= COUNTED) {
            let Some(left) = left.checked_sub(layout.size()) else { return std::ptr::null_mut() };
            LEFT.set(Some(left));
        }
        // SAFETY: passed on to the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if let Some(left) = Budgeted::left().filter(|_| layout.size() >= COUNTED) {
            LEFT.set(Some(left.saturating_add(layout.size())));
        }
        // SAFETY: passed on to the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static MEMORY: Budgeted = Budgeted;

/// Tells whether a plan can be made with so many bytes.
fn is_planned(context: &Context, fft: &Fft, bytes: usize) -> bool {
    LEFT.set(Some(bytes));
    let plan = FftPlan::create(context, fft);
    LEFT.set(None);
    match plan {
        Ok(_) => true,
        Err(error) => {
            assert_eq!(error.status, Status::OUT_OF_MEMORY, "{error}");
            false
        }
    }
}

/// Looks for the least budget with which a plan is made. With each one less the call fails: were the planner given less than it
/// takes, it would end the process.
fn plan_with_ever_less(context: &Context, length: u64, direction: FftDirection) {
    let fft = Fft { direction, length, batch: 1, input_distance: length, output_distance: length };
    let (mut too_little, mut enough) = (ASKED, 1 << 30);
    assert!(is_planned(context, &fft, enough), "{length}");
    assert!(!is_planned(context, &fft, too_little), "{length} takes no memory that is asked for; try a larger one");
    while enough - too_little > 256 {
        let between = too_little.midpoint(enough);
        *(if is_planned(context, &fft, between) { &mut enough } else { &mut too_little }) = between;
    }
}

#[test]
fn no_budget_of_memory_ends_the_process_that_plans() {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    // Powers, products of small primes and of larger ones, twice a prime, primes that are one more than such products (Rader's
    // algorithm) and others (Bluestein's).
    let lengths = [
        1 << 14,
        3 << 13,
        19683,
        15625,
        16807,
        14641 * 2,
        2 * 3 * 5 * 7 * 11 * 13,
        17 * 19 * 23 * 2,
        29 * 31 * 37,
        2 * 10_007,
        127 * 131,
        4 * 127 * 131,
        12_289,
        17_497,
        10_007,
        20_011,
        16_381,
        101 * 101,
    ];
    for length in lengths {
        plan_with_ever_less(&context, length, FftDirection::RealToComplex);
    }
    plan_with_ever_less(&context, 20_011, FftDirection::ComplexToReal);
    plan_with_ever_less(&context, 1 << 14, FftDirection::ComplexToReal);
}

#[test]
fn transforms_beyond_their_buffers_are_refused_before_they_are_planned() {
    let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
    let [input, output] = [(); 2].map(|()| (Buffer::allocate(&context, 64).unwrap(), 0));
    // A prime that takes seconds to plan, and much more memory than there is now.
    let length = 16_777_259;
    let fft = Fft {
        direction: FftDirection::RealToComplex,
        length,
        batch: 1,
        input_distance: length,
        output_distance: length,
    };
    let script = Script::create(&context);
    script.push(FftOp::new(fft, input, output)).unwrap();
    LEFT.set(Some(1 << 20));
    let prepared = script.prepare();
    LEFT.set(None);
    assert_eq!(prepared.unwrap_err().error.status, Status::INVALID_VALUE);
}
