//! cuRAND: the functions that graphcap calls, and a generator of it.

use std::ffi::{c_int, c_uint, c_ulonglong, c_void};

use crate::api::StreamHandle;
use crate::library::{table, Answer, LazyTable, LibraryHandle, Named};
use graphcap_base::error::Error;

table! { Table of Named {
        what: "cuRAND",
        files: &["libcurand.so.10"],
        variable: "GRAPHCAP_CURAND_LIBRARY",
    };
    create "curandCreateGenerator" (generator: *mut *mut c_void, kind: c_uint);
    destroy "curandDestroyGenerator" (generator: *mut c_void);
    set_stream "curandSetStream" (generator: *mut c_void, stream: StreamHandle);
    set_seed "curandSetPseudoRandomGeneratorSeed" (generator: *mut c_void, seed: c_ulonglong);
    set_offset "curandSetGeneratorOffset" (generator: *mut c_void, offset: c_ulonglong);
    set_ordering "curandSetGeneratorOrdering" (generator: *mut c_void, ordering: c_uint);
}

/// The functions, once they are needed.
pub(super) static CURAND: LazyTable<Table> = LazyTable::new();

/// The kind of generator (`curandRngType_t`).
const PHILOX4_32_10: c_uint = 161;
/// The order of the numbers that a generator begins with (`curandOrdering_t`).
const DEFAULT_ORDERING: c_uint = 101;

/// Returns what it answered, as graphcap's.
#[cold]
pub(super) fn told(answer: Answer) -> Error {
    const ALLOCATION_FAILED: c_int = 102;
    const OUT_OF_RANGE: c_int = 104;
    const DOUBLE_PRECISION_REQUIRED: c_int = 106;
    const ARCH_MISMATCH: c_int = 204;
    answer.told(ALLOCATION_FAILED, &[OUT_OF_RANGE], &[DOUBLE_PRECISION_REQUIRED, ARCH_MISMATCH])
}

/// Makes a generator.
///
/// # Safety
/// The context is current.
pub(super) unsafe fn create(table: &Table) -> Result<LibraryHandle, Answer> {
    let mut generator = std::ptr::null_mut();
    // SAFETY: `generator` is writable; the caller promises the context.
    unsafe { table.create(&mut generator, PHILOX4_32_10) }?;
    Ok(LibraryHandle(generator))
}

/// Gives a generator the seed, the offset and the order that a new one has, whatever others made of it.
///
/// # Safety
/// As [`create`]; nobody else uses the generator, and no work needs it.
pub(super) unsafe fn renew(table: &Table, generator: LibraryHandle) -> Result<(), Answer> {
    let LibraryHandle(generator) = generator;
    // SAFETY: the caller promises all of it.
    unsafe {
        table.set_seed(generator, 0)?;
        table.set_offset(generator, 0)?;
        table.set_ordering(generator, DEFAULT_ORDERING)
    }
}

/// Makes a generator work on a stream.
///
/// # Safety
/// As [`create`]; nobody else uses the generator meanwhile, and the stream lives as long as it is used.
pub(super) unsafe fn set_stream(table: &Table, generator: LibraryHandle, stream: StreamHandle) -> Result<(), Answer> {
    // SAFETY: the caller promises all of it.
    unsafe { table.set_stream(generator.0, stream) }
}

/// Destroys a generator.
///
/// # Safety
/// As [`create`], and no work needs the generator.
pub(super) unsafe fn destroy(table: &Table, generator: LibraryHandle) {
    // SAFETY: the generator is ours; the caller promises the rest. What it answers changes nothing.
    let _ = unsafe { table.destroy(generator.0) };
}
