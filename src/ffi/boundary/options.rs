//! Structs that cross the boundary and may grow: the first member states the size the caller compiled with.
//!
//! A shorter struct is zero-extended. A longer one is accepted when what this version does not know is zero. Arrays of
//! plain values, and texts, are borrowed as they are.

use std::any::type_name;
use std::ffi::{c_char, CStr};
use std::mem::{size_of, MaybeUninit};
use std::slice;

use super::failure::{Failure, Result};

/// No struct of this API comes near this size: a larger one is an uninitialised `struct_size`.
const SIZE_LIMIT: usize = 4096;

/// A struct of the C API that starts with `uint32_t struct_size`.
///
/// # Safety
/// The type is `repr(C)`, its first member is a `u32` that states its size, and all its members may be zero.
pub(crate) unsafe trait Versioned: Copy {
    /// Bytes that every program states, since without them the struct says nothing. Fewer are no size of the struct.
    const LEAST_SIZE: usize = size_of::<u32>();
}

/// The text that C passed as `argument`.
///
/// # Safety
/// `text` is NULL or points to a text that ends with a NUL and is not changed while the result lives.
pub(crate) unsafe fn text<'a>(text: *const c_char, argument: &'static str) -> Result<&'a str> {
    if text.is_null() {
        return Err(Failure::Null(argument));
    }
    // SAFETY: the caller promises a text that ends with a NUL.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::NotUtf8(argument))
}

/// Reads the struct that C passed as `argument`. NULL is an error. The pointer need not be aligned.
///
/// # Safety
/// `pointer` is NULL or points to a `u32` and to as many readable bytes as that states.
#[inline]
pub(crate) unsafe fn read<T: Versioned>(pointer: *const T, argument: &'static str) -> Result<T> {
    if pointer.is_null() {
        return Err(Failure::Null(argument));
    }
    // SAFETY: the caller promises a readable u32 at `pointer`; alignment is not assumed.
    let stated = unsafe { pointer.cast::<u32>().read_unaligned() } as usize;
    if stated == size_of::<T>() {
        // SAFETY: the caller promises `stated` readable bytes, which is all of T; alignment is not assumed.
        return Ok(unsafe { pointer.read_unaligned() });
    }
    // SAFETY: the caller promises `stated` readable bytes.
    unsafe { read_other_version(pointer, stated, argument) }
}

/// The size that the struct states which C passed as `argument` to have it filled. NULL is an error.
///
/// # Safety
/// `pointer` is NULL or points to a readable `u32`.
pub(crate) unsafe fn stated_size<T: Versioned>(pointer: *const T, argument: &'static str) -> Result<usize> {
    if pointer.is_null() {
        return Err(Failure::Null(argument));
    }
    // SAFETY: the caller promises a readable u32 at `pointer`; alignment is not assumed.
    let stated = unsafe { pointer.cast::<u32>().read_unaligned() } as usize;
    match (size_of::<u32>()..=SIZE_LIMIT).contains(&stated) {
        true => Ok(stated),
        false => Err(Failure::StructSize { argument, of: type_name::<T>(), stated, known: size_of::<T>() }),
    }
}

/// As [`read`], but in place where that is possible: copying a struct that was just filled would wait for the memory.
/// `copy` is where another version is read into.
///
/// # Safety
/// As [`read`], and the struct is not changed while the result lives.
#[inline]
pub(crate) unsafe fn view<'a, T: Versioned>(
    pointer: *const T,
    argument: &'static str,
    copy: &'a mut MaybeUninit<T>,
) -> Result<&'a T> {
    if !pointer.is_null() && pointer.is_aligned() {
        // SAFETY: the caller promises a readable u32 at `pointer`.
        let stated = unsafe { pointer.cast::<u32>().read() } as usize;
        if stated == size_of::<T>() {
            // SAFETY: the caller promises `stated` readable bytes, which is all of T, not changed meanwhile.
            return Ok(unsafe { &*pointer });
        }
    }
    // SAFETY: passed on to the caller.
    Ok(copy.write(unsafe { read(pointer, argument) }?))
}

/// As [`read`], with NULL for a struct whose members are all zero.
///
/// # Safety
/// As [`read`].
#[inline]
pub(crate) unsafe fn read_or_default<T: Versioned>(pointer: *const T, argument: &'static str) -> Result<T> {
    if pointer.is_null() {
        // SAFETY: all members of a Versioned type may be zero.
        return Ok(unsafe { MaybeUninit::zeroed().assume_init() });
    }
    // SAFETY: the caller's promise is the one that `read` asks for.
    unsafe { read(pointer, argument) }
}

/// Reads a struct of an earlier or a later version.
///
/// # Safety
/// `pointer` points to `stated` readable bytes.
#[cold]
#[inline(never)]
unsafe fn read_other_version<T: Versioned>(pointer: *const T, stated: usize, argument: &'static str) -> Result<T> {
    let known = size_of::<T>();
    if !(T::LEAST_SIZE..=SIZE_LIMIT).contains(&stated) {
        return Err(Failure::StructSize { argument, of: type_name::<T>(), stated, known });
    }
    let bytes = pointer.cast::<u8>();
    for offset in known..stated {
        // SAFETY: `offset` is below `stated`, and the caller promises that many readable bytes.
        if unsafe { bytes.add(offset).read() } != 0 {
            return Err(Failure::StructTail { argument, stated, known });
        }
    }
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the source has `stated` readable bytes by the caller's promise, `value` has `known` writable
    // ones, and it is a local, so that they do not overlap.
    unsafe { value.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes, stated.min(known)) };
    // SAFETY: every byte is zero or the caller's, and all members of a Versioned type may be zero.
    Ok(unsafe { value.assume_init() })
}

/// The `count` structs that lie one after another, in place, where they are aligned and the first one states the size of this
/// version. The others may state another one.
///
/// # Safety
/// `pointer` is NULL or points to `count` structs, each of as many bytes as the first one states, which are not changed while the
/// result lives.
#[inline]
pub(crate) unsafe fn in_place<'a, T: Versioned>(pointer: *const T, count: usize) -> Option<&'a [T]> {
    if count == 0 || pointer.is_null() || !pointer.is_aligned() || !fits_memory(count, size_of::<T>()) {
        return None;
    }
    // SAFETY: there is at least one struct, and it starts with its size.
    let stated = unsafe { pointer.cast::<u32>().read() } as usize;
    // SAFETY: the caller promises `count` structs of that size; they are aligned and fit the address space.
    (stated == size_of::<T>()).then(|| unsafe { slice::from_raw_parts(pointer, count) })
}

/// Reads `count` structs that lie one after another. All state the same size, which is the distance between
/// them, so that an array of another version's structs is read right.
///
/// # Safety
/// `pointer` is NULL or points to `count` such structs, which are not changed meanwhile.
#[inline]
pub(crate) unsafe fn for_each<T: Versioned>(
    pointer: *const T,
    count: usize,
    argument: &'static str,
    mut visit: impl FnMut(usize, &T) -> Result<()>,
) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    if pointer.is_null() {
        return Err(Failure::Null(argument));
    }
    // SAFETY: there is at least one struct, and it starts with its size; alignment is not assumed.
    let stride = unsafe { pointer.cast::<u32>().read_unaligned() } as usize;
    if !fits_memory(count, stride) {
        return Err(Failure::NoArray { argument, count });
    }
    for index in 0..count {
        // SAFETY: the caller promises `count` structs of the size that the first one states.
        let element = unsafe { pointer.byte_add(index * stride) };
        // SAFETY: as above, and each starts with its size; alignment is not assumed.
        let stated = unsafe { element.cast::<u32>().read_unaligned() } as usize;
        if stated != stride {
            return Err(Failure::MixedSizes { argument, stated, first: stride }.of_element(index));
        }
        let mut copy = MaybeUninit::uninit();
        // SAFETY: `element` has `stride` readable bytes, which is what it states, and is not changed while the call lasts.
        let element = unsafe { view(element, argument, &mut copy) }.map_err(|failure| failure.of_element(index))?;
        visit(index, element).map_err(|failure| failure.of_element(index))?;
    }
    Ok(())
}

/// The logarithm of how many bytes a process can address at most: the widest addresses that CPUs translate have 57 bits, half of
/// them for the process.
const ADDRESS_BITS: u32 = 56;

/// Returns whether memory can hold an array of `count` elements of `size` bytes.
#[inline]
pub(crate) fn fits_memory(count: usize, size: usize) -> bool {
    count
        .checked_mul(size)
        .is_some_and(|bytes| isize::try_from(bytes).is_ok() && bytes.checked_shr(ADDRESS_BITS).unwrap_or(0) == 0)
}

/// `count` elements that C passed as `argument`; `None` for NULL, which must come with a count of 0.
///
/// # Safety
/// `elements` is NULL or points to `count` aligned elements that are not changed while the result lives.
pub(crate) unsafe fn elements<'a, T>(
    elements: *const T,
    count: usize,
    argument: &'static str,
) -> Result<Option<&'a [T]>> {
    if elements.is_null() {
        return if count == 0 { Ok(None) } else { Err(Failure::Null(argument)) };
    }
    if !fits_memory(count, size_of::<T>()) || !elements.is_aligned() {
        return Err(Failure::NoArray { argument, count });
    }
    // SAFETY: the caller promises `count` elements; they are not NULL, are aligned and fit the address space.
    Ok(Some(unsafe { slice::from_raw_parts(elements, count) }))
}

/// Refuses a `count` above `most`. `known` tells the reader what it can be.
#[inline]
pub(crate) fn check_count(count: usize, most: usize, argument: &'static str, known: &'static str) -> Result<()> {
    match count <= most {
        true => Ok(()),
        false => Err(Failure::Unknown { argument, number: count as i128, known }),
    }
}

/// The value that C means by a number, of all values with their numbers. `known` tells the reader the numbers.
pub(crate) fn one_of<N: Copy + PartialEq + Into<i128>, T, const COUNT: usize>(
    all: [(N, T); COUNT],
    number: N,
    argument: &'static str,
    known: &'static str,
) -> Result<T> {
    let found = all.into_iter().find(|(of, _)| *of == number);
    found.map(|(_, value)| value).ok_or(Failure::Unknown { argument, number: number.into(), known })
}

/// Refuses bits of `flags` that are not in `known`, of which `known_names` tells the reader.
#[inline]
pub(crate) fn check_flags(flags: u32, known: u32, argument: &'static str, known_names: &'static str) -> Result<()> {
    match flags & !known {
        0 => Ok(()),
        _ => Err(Failure::Unknown { argument, number: flags.into(), known: known_names }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_base::error::Status;

    #[repr(C)]
    #[derive(Clone, Copy, PartialEq, Debug)]
    struct Sample {
        struct_size: u32,
        a: u32,
        b: u64,
    }
    // SAFETY: repr(C), starts with its size, and integers may be zero.
    unsafe impl Versioned for Sample {}

    /// A Sample of a later version, as the caller's compiler lays it out.
    #[repr(C)]
    struct Later {
        sample: Sample,
        c: u64,
    }

    fn status<T: std::fmt::Debug>(result: Result<T>) -> Status {
        result.unwrap_err().status()
    }

    #[test]
    fn a_struct_of_this_version_is_read_also_unaligned() {
        let sample = Sample { struct_size: 16, a: 3, b: 4 };
        // SAFETY: `sample` is a whole Sample.
        assert_eq!(unsafe { read(&sample, "options") }.unwrap(), sample);
        let mut bytes = [0u64; 3];
        let odd = odd_address(&mut bytes);
        // SAFETY: 23 bytes are left behind `odd`, and a Sample has 16.
        unsafe { odd.write_unaligned(sample) };
        // SAFETY: a whole Sample was just written there.
        assert_eq!(unsafe { read(odd, "options") }.unwrap(), sample);
    }

    fn odd_address(bytes: &mut [u64; 3]) -> *mut Sample {
        bytes.as_mut_ptr().cast::<u8>().wrapping_add(1).cast()
    }

    #[test]
    fn null_is_an_error_or_all_zero() {
        // SAFETY: NULL is allowed.
        assert_eq!(status(unsafe { read::<Sample>(std::ptr::null(), "config") }), Status::INVALID_VALUE);
        // SAFETY: NULL is allowed.
        let default = unsafe { read_or_default::<Sample>(std::ptr::null(), "options") }.unwrap();
        assert_eq!(default, Sample { struct_size: 0, a: 0, b: 0 });
    }

    #[test]
    fn a_shorter_struct_is_zero_extended() {
        let sample = Sample { struct_size: 8, a: 3, b: u64::MAX };
        // SAFETY: `sample` has more than the 8 bytes that it states.
        assert_eq!(unsafe { read(&sample, "options") }.unwrap(), Sample { struct_size: 8, a: 3, b: 0 });
    }

    #[test]
    fn a_longer_struct_must_end_in_zeros() {
        let mut later = Later { sample: Sample { struct_size: 24, a: 1, b: 2 }, c: 0 };
        // SAFETY: a Later has the 24 bytes that it states.
        assert_eq!(unsafe { read(&raw const later.sample, "options") }.unwrap().b, 2);
        later.c = 1 << 63;
        // SAFETY: as above.
        let failure = unsafe { read(&raw const later.sample, "options") }.unwrap_err();
        assert_eq!(failure.status(), Status::INVALID_VALUE);
        assert!(failure.to_string().contains("24") && failure.to_string().contains("16"), "{failure}");
    }

    #[test]
    fn sizes_that_cannot_be_meant_are_refused() {
        for stated in [0, 3, 4097, u32::MAX] {
            let sample = Sample { struct_size: stated, a: 0, b: 0 };
            // SAFETY: the size is refused before anything behind the first member is read.
            let failure = unsafe { read(&sample, "options") }.unwrap_err();
            assert!(matches!(failure, Failure::StructSize { .. }), "{stated}");
        }
    }

    #[test]
    fn an_array_is_walked_by_the_size_of_its_first_element() {
        let later = |a| Later { sample: Sample { struct_size: 24, a, b: 0 }, c: 0 };
        let array = [later(5), later(6), later(7)];
        let mut seen = Vec::new();
        // SAFETY: three structs of 24 bytes each.
        unsafe {
            for_each(array.as_ptr().cast::<Sample>(), 3, "arguments", |index, sample| {
                seen.push((index, sample.a));
                Ok(())
            })
        }
        .unwrap();
        assert_eq!(seen, [(0, 5), (1, 6), (2, 7)]);
    }

    #[test]
    fn an_array_of_this_version_is_seen_in_place() {
        let array = [5, 6].map(|a| Sample { struct_size: 16, a, b: 0 });
        let older = [Sample { struct_size: 8, a: 0, b: 0 }; 2];
        let mut bytes = [0u64; 3];
        let odd = odd_address(&mut bytes);
        // SAFETY: two structs, or one of the size that it states; NULL is allowed. 23 bytes are left behind `odd`.
        unsafe {
            odd.write_unaligned(array[0]);
            assert_eq!(in_place(array.as_ptr(), 2), Some(&array[..]));
            assert_eq!(in_place(array.as_ptr(), 0), None);
            assert_eq!(in_place::<Sample>(std::ptr::null(), 2), None);
            assert_eq!(in_place(older.as_ptr(), 2), None, "another version");
            assert_eq!(in_place(odd.cast_const(), 1), None, "not aligned");
            assert_eq!(in_place(array.as_ptr(), usize::MAX), None, "no memory holds so many");
        }
    }

    #[test]
    fn arrays_of_mixed_sizes_are_refused() {
        let array = [Sample { struct_size: 16, a: 0, b: 0 }, Sample { struct_size: 8, a: 0, b: 0 }];
        // SAFETY: two structs of the size that the first one states.
        let failure = unsafe { for_each(array.as_ptr(), 2, "arguments", |_, _| Ok(())) }.unwrap_err();
        assert_eq!(failure.status(), Status::INVALID_VALUE);
        assert!(failure.to_string().ends_with("(element 1)"), "{failure}");
        // SAFETY: NULL is allowed, and with no elements nothing is read.
        unsafe {
            assert!(for_each::<Sample>(std::ptr::null(), 0, "arguments", |_, _| Ok(())).is_ok());
            assert_eq!(
                status(for_each::<Sample>(std::ptr::null(), 1, "arguments", |_, _| Ok(()))),
                Status::INVALID_VALUE
            );
        }
    }

    #[test]
    fn arrays_that_no_memory_can_hold_are_refused_unread() {
        let one = [Sample { struct_size: 16, a: 0, b: 0 }];
        for count in [usize::MAX, usize::MAX / 16, isize::MAX as usize / 16 + 1] {
            // SAFETY: the count is refused before more than the first member of the first element is read.
            let failure = unsafe { for_each(one.as_ptr(), count, "arguments", |_, _| Ok(())) }.unwrap_err();
            assert_eq!(failure.status(), Status::INVALID_VALUE);
            assert!(failure.to_string().contains(&format!("{count} elements")), "{failure}");
        }
    }

    #[test]
    fn unknown_flags_are_refused() {
        assert!(check_flags(3, 7, "flags", "0 to 7").is_ok());
        assert_eq!(status(check_flags(9, 7, "flags", "0 to 7")), Status::INVALID_VALUE);
    }
}
