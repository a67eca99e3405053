//! Outputs: places in the caller's memory that hold the result when the call has succeeded, and nothing when it has failed.

use std::ffi::c_char;
use std::mem::{size_of, ManuallyDrop};
use std::ptr::{null_mut, NonNull};

use super::failure::{Failure, Result};
use super::message::prefix;
use super::options::{self, Versioned};

/// An output that a call must be given.
pub(crate) trait Output {
    /// The result that it takes.
    type Value;

    /// Writes the result that `value` makes, which is not called where C passed no place for it.
    fn answer(self, value: impl FnOnce() -> Result<Self::Value>) -> Result<()>;
}

impl<T: Copy> Output for Out<T> {
    type Value = T;

    #[inline]
    fn answer(self, value: impl FnOnce() -> Result<T>) -> Result<()> {
        let place = self.required()?;
        place.write(value()?);
        Ok(())
    }
}

impl<T: Versioned> Output for StructOut<T> {
    type Value = T;

    fn answer(self, value: impl FnOnce() -> Result<T>) -> Result<()> {
        let place = self.required()?;
        place.write(value()?);
        Ok(())
    }
}

/// An out parameter that C passed. It is set to nothing when it is dropped before the result was written: until then an input of the
/// same call may be there, such as a node whose place the node takes that depends on it.
pub(crate) struct Out<T: Copy> {
    place: Option<OutputSlot<T>>,
    argument: &'static str,
}

impl<T: Copy + Default> Out<T> {
    /// Takes an out parameter for a number, 0 on failure.
    ///
    /// # Safety
    /// `pointer` is NULL or valid for writes while the result lives.
    #[inline]
    pub(crate) unsafe fn number(pointer: *mut T, argument: &'static str) -> Self {
        // SAFETY: the caller's promise is the one that `new` asks for.
        unsafe { Out::new(pointer, argument, T::default()) }
    }
}

impl Out<usize> {
    /// Takes an out parameter for the index of what failed, `SIZE_MAX` unless one is written. NULL is allowed.
    ///
    /// # Safety
    /// As [`Out::number`].
    pub(crate) unsafe fn index(pointer: *mut usize, argument: &'static str) -> Self {
        // SAFETY: the caller's promise is the one that `new` asks for.
        unsafe { Out::new(pointer, argument, usize::MAX) }
    }
}

impl Out<[u8; 64]> {
    /// Takes an out parameter for a value of 64 bytes, all 0 on failure.
    ///
    /// # Safety
    /// As [`Out::number`], for 64 bytes.
    pub(crate) unsafe fn bytes<T>(pointer: *mut T, argument: &'static str) -> Self {
        // SAFETY: the caller's promise is the one that `new` asks for.
        unsafe { Out::new(pointer.cast(), argument, [0; 64]) }
    }
}

impl<H> Out<*mut H> {
    /// Takes an out parameter for a handle, NULL on failure.
    ///
    /// # Safety
    /// As [`Out::number`].
    pub(crate) unsafe fn handle(pointer: *mut *mut H, argument: &'static str) -> Self {
        // SAFETY: the caller's promise is the one that `new` asks for.
        unsafe { Out::new(pointer, argument, null_mut()) }
    }
}

impl<T: Copy> Out<T> {
    /// # Safety
    /// As [`Out::number`].
    #[inline]
    unsafe fn new(pointer: *mut T, argument: &'static str, nothing: T) -> Self {
        Out { place: NonNull::new(pointer).map(|place| OutputSlot { place, nothing }), argument }
    }

    /// Takes a parameter that C gives a value in and gets one back in, which stays as it is when the call fails.
    ///
    /// # Safety
    /// As [`Out::number`], and `pointer` is NULL or valid for reads.
    pub(crate) unsafe fn in_out(pointer: *mut T, argument: &'static str) -> Self {
        // SAFETY: the caller promises that it can be read.
        let slot = |place: NonNull<T>| OutputSlot { place, nothing: unsafe { place.read_unaligned() } };
        Out { place: NonNull::new(pointer).map(slot), argument }
    }

    /// The place to write to; an error when C passed NULL.
    #[inline]
    pub(crate) fn required(self) -> Result<OutputSlot<T>> {
        self.place.ok_or(Failure::Null(self.argument))
    }

    /// The place to write to, unless C passed NULL.
    pub(crate) fn optional(self) -> Option<OutputSlot<T>> {
        self.place
    }
}

/// An out parameter that is there.
pub(crate) struct OutputSlot<T: Copy> {
    place: NonNull<T>,
    nothing: T,
}

impl<T: Copy> OutputSlot<T> {
    /// Returns what C gave, of [`Out::in_out`].
    pub(crate) fn given(&self) -> T {
        self.nothing
    }

    /// Writes the result.
    #[inline]
    pub(crate) fn write(self, value: T) {
        // SAFETY: the constructor of Out was promised a pointer that is valid for writes.
        unsafe { ManuallyDrop::new(self).place.write_unaligned(value) }
    }
}

impl<T: Copy> Drop for OutputSlot<T> {
    fn drop(&mut self) {
        // SAFETY: as in `write`.
        unsafe { self.place.write_unaligned(self.nothing) }
    }
}

/// An out parameter for as many numbers as C gave inputs, which are written in their order. Those that were not written when it is dropped
/// are set to 0: until then an input of the same call may be there.
pub(crate) struct NumbersOut {
    place: NonNull<u64>,
    count: usize,
    written: usize,
}

impl NumbersOut {
    /// Takes the out parameter; an error when C passed NULL, and where no memory holds as many numbers.
    ///
    /// # Safety
    /// `pointer` is NULL or valid for writes of `count` numbers while the result lives.
    pub(crate) unsafe fn new(pointer: *mut u64, count: usize, argument: &'static str) -> Result<Self> {
        let place = NonNull::new(pointer).ok_or(Failure::Null(argument))?;
        match options::fits_memory(count, size_of::<u64>()) {
            true => Ok(NumbersOut { place, count, written: 0 }),
            false => Err(Failure::NoArray { argument, count }),
        }
    }

    /// Number of those that were written.
    #[inline]
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// Writes the next one.
    #[inline]
    pub(crate) fn write(&mut self, number: u64) {
        if self.written < self.count {
            // SAFETY: `new` was promised a pointer that is valid for writes of as many numbers.
            unsafe { self.place.add(self.written).write_unaligned(number) };
            self.written += 1;
        }
    }
}

impl Drop for NumbersOut {
    fn drop(&mut self) {
        while self.written < self.count {
            self.write(0);
        }
    }
}

/// The value of 64 bytes that C passed; an error for NULL.
///
/// # Safety
/// `pointer` is NULL or points to 64 readable bytes.
pub(crate) unsafe fn read_bytes<T>(pointer: *const T, argument: &'static str) -> Result<[u8; 64]> {
    if pointer.is_null() {
        return Err(Failure::Null(argument));
    }
    // SAFETY: the caller promises 64 readable bytes; alignment is not assumed.
    Ok(unsafe { pointer.cast::<[u8; 64]>().read_unaligned() })
}

/// A struct that C wants filled. Its first member says how much of it the caller knows.
pub(crate) struct StructOut<T> {
    place: *mut T,
    stated: Result<usize>,
}

impl<T: Versioned> StructOut<T> {
    /// Takes the parameter and sets all but the first member to 0.
    ///
    /// # Safety
    /// `pointer` is NULL, or points to a `u32` and to as many bytes as that states, which are valid for writes while the
    /// result lives.
    pub(crate) unsafe fn new(pointer: *mut T, argument: &'static str) -> Self {
        // SAFETY: the caller's promise is the one that is asked for.
        let stated = unsafe { options::stated_size(pointer, argument) };
        if let Ok(size) = stated {
            let head = size_of::<u32>();
            // SAFETY: the caller promises that many writable bytes, at least those of the first member.
            unsafe { pointer.cast::<u8>().add(head).write_bytes(0, size - head) };
        }
        StructOut { place: pointer, stated }
    }

    /// The place to write to; an error when C passed NULL, or a size that cannot be.
    pub(crate) fn required(self) -> Result<StructPlace<T>> {
        Ok(StructPlace { place: self.place, stated: self.stated? })
    }

    /// The place to write to, where C passed a struct that can be written to, whatever becomes of the call.
    pub(crate) fn place(&self) -> Option<StructPlace<T>> {
        let stated = *self.stated.as_ref().ok()?;
        Some(StructPlace { place: self.place, stated })
    }

    /// The place to write to, unless C passed NULL; an error for a size that cannot be.
    pub(crate) fn optional(self) -> Result<Option<StructPlace<T>>> {
        match self.place.is_null() {
            true => Ok(None),
            false => self.required().map(Some),
        }
    }
}

/// A struct that is there.
pub(crate) struct StructPlace<T> {
    place: *mut T,
    stated: usize,
}

impl<T: Versioned> StructPlace<T> {
    /// Writes as much of `value` as the caller knows; its size stays what the caller stated.
    pub(crate) fn write(self, value: T) {
        let head = size_of::<u32>();
        let bytes = size_of::<T>().min(self.stated) - head;
        let from = (&raw const value).cast::<u8>();
        // SAFETY: `new` was promised `stated` writable bytes, `value` is a local with as many or more readable ones, and
        // both have at least those of the first member.
        unsafe { self.place.cast::<u8>().add(head).copy_from_nonoverlapping(from.add(head), bytes) };
    }
}

/// Arrays of `N` values for each element, of one capacity, with the number of elements that there are. Arrays of a capacity
/// that no memory can hold are refused, and not touched.
pub(crate) struct ArrayOut<T, const N: usize> {
    arrays: [(*mut T, &'static str); N],
    capacity: usize,
    needed: Option<NonNull<usize>>,
}

impl<T: Copy + Default, const N: usize> ArrayOut<T, N> {
    /// Takes the parameters and sets them to 0.
    ///
    /// # Safety
    /// Each of `arrays` is NULL or valid for writes of `capacity` elements, `needed` is NULL or valid for writes, while
    /// the result lives.
    pub(crate) unsafe fn new(arrays: [(*mut T, &'static str); N], capacity: usize, needed: *mut usize) -> Self {
        let needed = NonNull::new(needed);
        if let Some(needed) = needed {
            // SAFETY: the caller promises that it may be written.
            unsafe { needed.write_unaligned(0) };
        }
        let touched = if options::fits_memory(capacity, size_of::<T>()) { capacity } else { 0 };
        for (array, _) in arrays.iter().filter(|(array, _)| !array.is_null()) {
            for index in 0..touched {
                // SAFETY: the caller promises `capacity` writable elements; alignment is not assumed.
                unsafe { array.add(index).write_unaligned(T::default()) };
            }
        }
        ArrayOut { arrays, capacity, needed }
    }

    /// Fails where C passed what nothing can be written to.
    pub(crate) fn check(&self) -> Result<()> {
        if let Some((_, missing)) = self.arrays.iter().find(|(array, _)| array.is_null() && self.capacity > 0) {
            return Err(Failure::Null(missing));
        }
        if !options::fits_memory(self.capacity, size_of::<T>()) {
            let known = "the number of elements that the arrays have room for";
            return Err(Failure::Unknown { argument: "capacity", number: self.capacity as i128, known });
        }
        match self.needed {
            None if self.capacity == 0 => Err(Failure::Null("needed")),
            _ => Ok(()),
        }
    }

    /// Writes the elements, as many as fit. A capacity of 0 asks for their number only.
    pub(crate) fn write(self, elements: impl ExactSizeIterator<Item = [T; N]>) -> Result<()> {
        self.check()?;
        let count = elements.len();
        if let Some(needed) = self.needed {
            // SAFETY: `new` was promised that it may be written.
            unsafe { needed.write_unaligned(count) };
        }
        for (index, element) in elements.take(self.capacity).enumerate() {
            for ((array, _), value) in self.arrays.iter().zip(element) {
                // SAFETY: `new` was promised `capacity` writable elements; alignment is not assumed.
                unsafe { array.add(index).write_unaligned(value) };
            }
        }
        match self.capacity == 0 || count <= self.capacity {
            true => Ok(()),
            false => Err(Failure::ArrayTooSmall { needed: count, capacity: self.capacity }),
        }
    }
}

/// The three parameters of a text output.
pub(crate) struct TextOut {
    text: *mut c_char,
    capacity: usize,
    needed: Option<NonNull<usize>>,
}

impl TextOut {
    /// Takes the parameters and sets them to the empty text.
    ///
    /// # Safety
    /// `text` is NULL or valid for writes of `capacity` bytes, `needed` is NULL or valid for writes, while the
    /// result lives.
    pub(crate) unsafe fn new(text: *mut c_char, capacity: usize, needed: *mut usize) -> Self {
        let needed = NonNull::new(needed);
        if let Some(needed) = needed {
            // SAFETY: the caller promises that it may be written.
            unsafe { needed.write_unaligned(0) };
        }
        if !text.is_null() && capacity > 0 {
            // SAFETY: the caller promises `capacity` writable bytes.
            unsafe { text.write(0) };
        }
        TextOut { text, capacity, needed }
    }

    /// Fails where C passed what nothing can be written to.
    pub(crate) fn check(&self) -> Result<()> {
        match (self.text.is_null(), self.capacity, self.needed) {
            (true, 1.., _) => Err(Failure::Null("text")),
            (_, 0, None) => Err(Failure::Null("needed")),
            _ => Ok(()),
        }
    }

    /// Copies `source` with a terminating NUL, cut between characters where it does not fit. A capacity of 0
    /// asks for the size only.
    pub(crate) fn write(self, source: &str) -> Result<()> {
        self.check()?;
        let size = source.len() + 1;
        if let Some(needed) = self.needed {
            // SAFETY: `new` was promised that it may be written.
            unsafe { needed.write_unaligned(size) };
        }
        let Some(room) = self.capacity.checked_sub(1) else {
            return Ok(());
        };
        let copied = prefix(source, room);
        // SAFETY: `text` is not NULL here and `new` was promised `capacity` writable bytes there, which is at
        // least one more than `copied` has; a str of ours does not overlap the caller's memory.
        unsafe {
            self.text.cast::<u8>().copy_from_nonoverlapping(copied.as_ptr(), copied.len());
            self.text.add(copied.len()).write(0);
        }
        match copied.len() == source.len() {
            true => Ok(()),
            false => Err(Failure::TextTooSmall { needed: size, capacity: self.capacity }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_base::error::Status;
    use std::ffi::CStr;

    /// The result, what was needed, and the text, for a text output of `capacity` bytes.
    fn copy(source: &str, capacity: usize) -> (Option<Status>, usize, String) {
        let mut text = [b'#' as c_char; 16];
        let mut needed = usize::MAX;
        // SAFETY: both are writable, and no test has a capacity above 16.
        let out = unsafe { TextOut::new(text.as_mut_ptr(), capacity, &mut needed) };
        let status = out.write(source).err().map(|failure| failure.status());
        assert!(text[capacity..].iter().all(|&byte| byte == b'#' as c_char), "wrote behind its capacity");
        let read = match capacity {
            0 => String::new(),
            // SAFETY: a write to at least one byte terminates the text.
            _ => unsafe { CStr::from_ptr(text.as_ptr()) }.to_str().unwrap().to_owned(),
        };
        (status, needed, read)
    }

    #[test]
    fn a_text_is_copied_whole_or_cut_and_its_size_told() {
        assert_eq!(copy("four", 5), (None, 5, "four".into()));
        assert_eq!(copy("four", 16), (None, 5, "four".into()));
        assert_eq!(copy("four", 4), (Some(Status::BUFFER_TOO_SMALL), 5, "fou".into()));
        assert_eq!(copy("four", 1), (Some(Status::BUFFER_TOO_SMALL), 5, "".into()));
        assert_eq!(copy("four", 0), (None, 5, "".into()));
        assert_eq!(copy("", 1), (None, 1, "".into()));
        assert_eq!(copy("añb", 3), (Some(Status::BUFFER_TOO_SMALL), 5, "a".into()));
    }

    #[test]
    fn null_texts_are_queries_only() {
        let mut needed = 0;
        // SAFETY: NULL is allowed, and `needed` is writable.
        unsafe {
            assert!(TextOut::new(null_mut(), 0, &mut needed).write("four").is_ok());
            assert_eq!(needed, 5);
            assert!(TextOut::new(null_mut(), 3, &mut needed).write("four").is_err());
            assert!(TextOut::new(null_mut(), 0, null_mut()).write("four").is_err());
        }
    }

    #[test]
    fn outputs_hold_the_result_or_nothing() {
        let (mut number, mut other) = (7u32, 7u32);
        let mut handle = NonNull::<u8>::dangling().as_ptr();
        // SAFETY: all are writable.
        let (number_out, other_out, handle_out) = unsafe {
            (
                Out::number(&mut number, "count"),
                Out::number(&mut other, "count"),
                Out::handle(&mut handle, "stream_out"),
            )
        };
        assert!(!handle.is_null(), "an input may be there");
        number_out.required().unwrap().write(9);
        drop(other_out.required().unwrap());
        drop(handle_out);
        assert!(handle.is_null());
        assert_eq!((number, other), (9, 0));
        let mut indices = [7; 2];
        // SAFETY: both are writable.
        let [told, untold] = indices.each_mut().map(|index| unsafe { Out::index(index, "failed_index_out") });
        told.optional().unwrap().write(3);
        drop(untold);
        assert_eq!(indices, [3, usize::MAX]);
        // SAFETY: NULL is allowed.
        assert!(unsafe { Out::index(null_mut(), "failed_index_out") }.optional().is_none());
        // SAFETY: NULL is allowed.
        let missing = unsafe { Out::<u32>::number(null_mut(), "count") };
        assert_eq!(missing.required().err().unwrap().status(), Status::INVALID_VALUE);
    }
}
