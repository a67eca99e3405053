//! cuFFT: the functions that graphcap calls, and its plans.

use std::ffi::{c_int, c_longlong, c_void};

use crate::api::StreamHandle;
use crate::library::{table, Answer, LazyTable, Named};
use graphcap_base::error::Error;
use graphcap_driver::{Fft, FftDirection, FftOperands};

/// A plan of the library's.
#[derive(Clone, Copy)]
pub(crate) struct Plan(c_int);

table! { Table of Named {
        what: "cuFFT",
        files: &["libcufft.so.12", "libcufft.so.11"],
        variable: "GRAPHCAP_CUFFT_LIBRARY",
    };
    create "cufftCreate" (plan: *mut c_int);
    destroy "cufftDestroy" (plan: c_int);
    set_auto_allocation "cufftSetAutoAllocation" (plan: c_int, is_on: c_int);
    make "cufftMakePlanMany64" (plan: c_int, rank: c_int, sizes: *mut c_longlong, input: *mut c_longlong,
        input_step: c_longlong, input_distance: c_longlong, output: *mut c_longlong, output_step: c_longlong,
        output_distance: c_longlong, kind: c_int, batch: c_longlong, work_bytes: *mut usize);
    set_stream "cufftSetStream" (plan: c_int, stream: StreamHandle);
    set_work_area "cufftSetWorkArea" (plan: c_int, area: *mut c_void);
    forward "cufftExecR2C" (plan: c_int, input: u64, output: u64);
    back "cufftExecC2R" (plan: c_int, input: u64, output: u64);
}

/// The functions, once they are needed.
pub(super) static CUFFT: LazyTable<Table> = LazyTable::new();

/// The kinds of transforms (`cufftType`).
const R2C: c_int = 0x2a;
const C2R: c_int = 0x2c;

/// Returns what it answered, as graphcap's.
#[cold]
pub(super) fn told(answer: Answer) -> Error {
    const ALLOC_FAILED: c_int = 2;
    const INVALID_TYPE: c_int = 3;
    const INVALID_VALUE: c_int = 4;
    const INVALID_SIZE: c_int = 8;
    const NOT_IMPLEMENTED: c_int = 14;
    const NOT_SUPPORTED: c_int = 16;
    answer.told(ALLOC_FAILED, &[INVALID_TYPE, INVALID_VALUE, INVALID_SIZE], &[NOT_IMPLEMENTED, NOT_SUPPORTED])
}

/// Makes a plan, and tells how many bytes of memory each use of it needs. It allocates none of that itself.
///
/// # Safety
/// The context is current.
pub(super) unsafe fn plan(table: &Table, fft: &Fft) -> Result<(Plan, usize), Answer> {
    let mut plan = 0;
    // SAFETY: `plan` is writable; the caller promises the context.
    unsafe { table.create(&mut plan) }?;
    let kind = match fft.direction {
        FftDirection::RealToComplex => R2C,
        FftDirection::ComplexToReal => C2R,
    };
    let [(read, _), (written, _)] = fft.sides();
    // Without these two the library would take the distances for those of transforms without gaps.
    let (mut size, mut input, mut output) = (fft.length as c_longlong, read as c_longlong, written as c_longlong);
    let (input_distance, output_distance) = (fft.input_distance as c_longlong, fft.output_distance as c_longlong);
    let mut bytes = 0;
    // SAFETY: the plan is new and ours; what is pointed to is there; the sizes were checked to fit.
    let made = unsafe {
        table.set_auto_allocation(plan, 0).and_then(|()| {
            table.make(
                plan,
                1,
                &mut size,
                &mut input,
                1,
                input_distance,
                &mut output,
                1,
                output_distance,
                kind,
                fft.batch as c_longlong,
                &mut bytes,
            )
        })
    };
    match made {
        Ok(()) => Ok((Plan(plan), bytes)),
        Err(answer) => {
            // SAFETY: the plan is ours, and nothing uses it.
            unsafe { destroy(table, Plan(plan)) };
            Err(answer)
        }
    }
}

/// Destroys a plan.
///
/// # Safety
/// As [`plan`], and no work needs the plan.
pub(super) unsafe fn destroy(table: &Table, plan: Plan) {
    // SAFETY: the plan is ours; the caller promises the rest. What it answers changes nothing.
    let _ = unsafe { table.destroy(plan.0) };
}

/// Gives a stream the transforms of a plan.
///
/// # Safety
/// As [`plan`]; stream and memory live as long as the work, and nobody else uses the plan meanwhile.
pub(super) unsafe fn transform(
    table: &Table,
    (plan, direction): (Plan, FftDirection),
    stream: StreamHandle,
    of: &FftOperands,
) -> Result<(), Answer> {
    let Plan(plan) = plan;
    // SAFETY: the caller promises all of it.
    unsafe {
        table.set_stream(plan, stream)?;
        if of.work != 0 {
            table.set_work_area(plan, std::ptr::with_exposed_provenance_mut(of.work as usize))?;
        }
        match direction {
            FftDirection::RealToComplex => table.forward(plan, of.input, of.output),
            FftDirection::ComplexToReal => table.back(plan, of.input, of.output),
        }
    }
}
