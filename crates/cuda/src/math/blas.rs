//! cuBLAS: the functions that graphcap calls, and a handle of it.

use std::ffi::{c_int, c_longlong, c_void};

use crate::api::StreamHandle;
use crate::library::{table, Answer, LazyTable, LibraryHandle, Named};
use graphcap_base::error::Error;
use graphcap_driver::{Factor, MathMode, Sgemm, SgemmOperands};

table! { Table of Named {
        what: "cuBLAS",
        files: &["libcublas.so.13", "libcublas.so.12"],
        variable: "GRAPHCAP_CUBLAS_LIBRARY",
    };
    create "cublasCreate_v2" (handle: *mut *mut c_void);
    destroy "cublasDestroy_v2" (handle: *mut c_void);
    set_stream "cublasSetStream_v2" (handle: *mut c_void, stream: StreamHandle);
    set_workspace "cublasSetWorkspace_v2" (handle: *mut c_void, workspace: u64, bytes: usize);
    set_pointer_mode "cublasSetPointerMode_v2" (handle: *mut c_void, mode: c_int);
    set_math_mode "cublasSetMathMode" (handle: *mut c_void, mode: c_int);
    sgemm "cublasSgemmStridedBatched" (handle: *mut c_void, transpose_a: c_int, transpose_b: c_int, m: c_int, n: c_int,
        k: c_int, alpha: *const f32, a: u64, lda: c_int, stride_a: c_longlong, b: u64, ldb: c_int, stride_b: c_longlong,
        beta: *const f32, c: u64, ldc: c_int, stride_c: c_longlong, batch: c_int);
}

/// The functions, once they are needed.
pub(super) static CUBLAS: LazyTable<Table> = LazyTable::new();

/// alpha and beta are in memory of the host's, or of the device's (`cublasPointerMode_t`).
const OF_HOST: c_int = 0;
const OF_DEVICE: c_int = 1;
/// Precision (`cublasMath_t`): without TF32, which the default mode does not use for such products, or with it.
const DEFAULT: c_int = 0;
const TF32: c_int = 3;

/// Returns what it answered, as graphcap's.
#[cold]
pub(super) fn told(answer: Answer) -> Error {
    const ALLOC_FAILED: c_int = 3;
    const INVALID_VALUE: c_int = 7;
    const ARCH_MISMATCH: c_int = 8;
    const NOT_SUPPORTED: c_int = 15;
    answer.told(ALLOC_FAILED, &[INVALID_VALUE], &[ARCH_MISMATCH, NOT_SUPPORTED])
}

/// Makes a handle.
///
/// # Safety
/// The context is current.
pub(super) unsafe fn create(table: &Table) -> Result<LibraryHandle, Answer> {
    let mut handle = std::ptr::null_mut();
    // SAFETY: `handle` is writable; the caller promises the context.
    unsafe { table.create(&mut handle) }?;
    Ok(LibraryHandle(handle))
}

/// Destroys a handle.
///
/// # Safety
/// As [`create`], and no work needs the handle.
pub(super) unsafe fn destroy(table: &Table, handle: LibraryHandle) {
    // SAFETY: the handle is ours; the caller promises the rest. What it answers changes nothing.
    let _ = unsafe { table.destroy(handle.0) };
}

/// Memory that the library works in.
pub(super) struct BlasTarget {
    pub(super) stream: StreamHandle,
    /// Memory for the work alone: where, and how much.
    pub(super) workspace: (u64, usize),
}

/// Makes a handle work on a stream, with factors from memory of the host's, without TF32.
///
/// # Safety
/// As [`create`]; nobody else uses the handle meanwhile, and stream and memory live as long as work that it is used for.
pub(super) unsafe fn prepare(table: &Table, handle: LibraryHandle, place: &BlasTarget) -> Result<(), Answer> {
    let LibraryHandle(handle) = handle;
    // SAFETY: the caller promises all of it. The workspace comes after the stream, since setting the stream takes it away.
    unsafe {
        table.set_stream(handle, place.stream)?;
        table.set_workspace(handle, place.workspace.0, place.workspace.1)?;
        table.set_pointer_mode(handle, OF_HOST)?;
        table.set_math_mode(handle, DEFAULT)
    }
}

/// Gives a stream a product. `constant` is where the device has the factor that is a value, where the other one is in memory.
///
/// # Safety
/// As [`create`]; stream and memory live as long as the work, and nobody else uses the handle meanwhile.
pub(super) unsafe fn multiply(
    table: &Table,
    handle: LibraryHandle,
    place: &BlasTarget,
    sgemm: &Sgemm,
    of: &SgemmOperands,
    constant: u64,
) -> Result<(), Answer> {
    let LibraryHandle(handle) = handle;
    let (mode, [alpha, beta]) = match (&of.alpha, &of.beta) {
        (Factor::Value(alpha), Factor::Value(beta)) => (OF_HOST, [std::ptr::from_ref(alpha), std::ptr::from_ref(beta)]),
        _ => {
            let place = |factor: &Factor| match *factor {
                Factor::At(address) => address,
                Factor::Value(_) => constant,
            };
            let pointer = |address: u64| std::ptr::with_exposed_provenance(address as usize);
            (OF_DEVICE, [pointer(place(&of.alpha)), pointer(place(&of.beta))])
        }
    };
    let math_mode = match sgemm.mode {
        MathMode::Float32 => DEFAULT,
        MathMode::TensorFloat32 => TF32,
    };
    let [a, b, c] = of.matrices;
    let [lda, ldb, ldc] = sgemm.leading.map(|leading| leading as c_int);
    let [stride_a, stride_b, stride_c] = sgemm.stride.map(|stride| stride as c_longlong);
    let (transpose_a, transpose_b) = (c_int::from(sgemm.transpose_a), c_int::from(sgemm.transpose_b));
    let (m, n, k, batch) = (sgemm.m as c_int, sgemm.n as c_int, sgemm.k as c_int, sgemm.batch as c_int);
    // SAFETY: the caller promises all of it. The sizes were checked to fit. The workspace comes after the stream, since setting the
    // stream takes it away.
    unsafe {
        table.set_stream(handle, place.stream)?;
        table.set_workspace(handle, place.workspace.0, place.workspace.1)?;
        table.set_pointer_mode(handle, mode)?;
        table.set_math_mode(handle, math_mode)?;
        table.sgemm(
            handle,
            transpose_a,
            transpose_b,
            m,
            n,
            k,
            alpha,
            a,
            lda,
            stride_a,
            b,
            ldb,
            stride_b,
            beta,
            c,
            ldc,
            stride_c,
            batch,
        )
    }
}
