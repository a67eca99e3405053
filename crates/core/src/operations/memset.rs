//! Memsets of streams and contexts: checked, and handed to the device.

use crate::captures::black_box::Operation;
use crate::objects::buffer::Buffer;
use crate::objects::home::Home;
use crate::state::{Context, Stream};
use graphcap_base::error::{Error, Result};
use graphcap_driver::{Address, Memset, Work};

/// Rows of elements to be set to a value, of a buffer that is borrowed ([`Fill`]) or owned.
#[derive(Clone, Copy)]
pub struct FillOf<B> {
    /// Buffer that is written.
    pub buffer: B,
    /// Its first byte written.
    pub offset: usize,
    /// The value; what does not fit an element is ignored.
    pub value: u32,
    /// 1, 2 or 4 bytes.
    pub element_size: u8,
    /// Elements in a row; with 0 there is nothing to set.
    pub width: usize,
    /// Rows; with 0 there is nothing to set.
    pub height: usize,
    /// Bytes from the start of a row to that of the next one; 0 where they follow each other.
    pub pitch: usize,
}

/// Rows of a borrowed buffer.
pub type Fill<'a> = FillOf<&'a Buffer>;

impl FillOf<Buffer> {
    /// Each byte of `buffer`, to be set to `value`.
    pub fn bytes(buffer: &Buffer, value: u8) -> FillOf<Buffer> {
        let (buffer, width) = (buffer.clone(), buffer.size());
        FillOf { buffer, offset: 0, value: value.into(), element_size: 1, width, height: 1, pitch: 0 }
    }

    /// Borrows the buffer of the filling.
    pub fn lend(&self) -> Fill<'_> {
        let FillOf { ref buffer, offset, value, element_size, width, height, pitch } = *self;
        Fill { buffer, offset, value, element_size, width, height, pitch }
    }
}

impl Stream {
    /// Sets `count` elements of `element_size` bytes from byte `offset` of `buffer` to the low bytes of
    /// `value`. No elements: nothing is queued.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `element_size` is not 1, 2 or 4, when the first element is not aligned to it, or when
    /// the range overruns the buffer; `INVALID_CONTEXT`; what the capture rules say.
    pub fn memset(&self, buffer: &Buffer, offset: usize, value: u32, element_size: u8, count: usize) -> Result<()> {
        let fill = Fill { buffer, offset, value, element_size, width: count, height: 1, pitch: 0 };
        self.submit_fill(Operation::Memset, &fill, "count")
    }

    /// Sets rows of elements to a value. No elements or no rows: nothing is queued.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `element_size` is not 1, 2 or 4, when the first element or the pitch is not aligned to it, when
    /// the pitch is less than a row, or when the rows overrun the buffer; `INVALID_CONTEXT`; what the capture rules say.
    pub fn memset_rows(&self, fill: &Fill<'_>) -> Result<()> {
        self.submit_fill(Operation::MemsetRows, fill, "width")
    }

    #[inline]
    fn submit_fill(&self, operation: Operation, fill: &Fill<'_>, width_name: &str) -> Result<()> {
        match fill.resolve(self.home(), width_name)? {
            Some(set) => self.submit_work(operation, &[fill.buffer], &Work::Memset(set)),
            None => Ok(()),
        }
    }
}

impl Fill<'_> {
    /// True of a memset of no elements or no rows, which is no work.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Returns what a device is asked to set; `None` where there is nothing to set. `width_name` is what the caller knows the elements
    /// of a row by.
    #[inline]
    pub(crate) fn resolve(&self, home: Home<'_>, width_name: &str) -> Result<Option<Memset>> {
        let Fill { buffer, offset, value, element_size, width, .. } = *self;
        home.check(buffer.context(), "the buffer")?;
        if !matches!(element_size, 1 | 2 | 4) {
            return Err(Error::invalid_value(format!("element_size must be 1, 2 or 4 bytes, not {element_size}")));
        }
        if self.is_empty() {
            return Ok(None);
        }
        let too_large = |rows: usize| {
            Error::invalid_value(format!(
                "{width_name} {width} of elements of {element_size} bytes, in {rows} rows with the given pitch, is more \
                 than memory can hold; the buffer has {} bytes",
                buffer.size()
            ))
        };
        let rows = self.height;
        let row_bytes = width.checked_mul(usize::from(element_size)).ok_or_else(|| too_large(rows))?;
        let pitch = if self.pitch == 0 && rows > 1 { row_bytes } else { self.pitch };
        if pitch != row_bytes && pitch != 0 && (pitch < row_bytes || !pitch.is_multiple_of(usize::from(element_size))) {
            return Err(Error::invalid_value(format!(
                "pitch is {pitch}; it must be a multiple of element_size {element_size} and at least the {row_bytes} bytes \
                 of a row, or 0 where rows follow each other"
            )));
        }
        let mut set = Memset { address: 0, value, element_size, count: width, rows, pitch };
        let span = set.span().ok_or_else(|| too_large(rows))?;
        set.address = buffer.device_range("buffer", offset, span)?;
        check_aligned(set.address, offset, element_size)?;
        Ok(Some(set.within_reach()))
    }
}

impl Context {
    /// Sets as [`Stream::memset_rows`] does on the legacy stream, and returns when that has run. No elements: it does not
    /// wait.
    ///
    /// # Errors
    /// As [`Stream::memset_rows`] on the legacy stream; the status of a fault when work failed while it ran.
    pub fn memset(&self, fill: &Fill<'_>) -> Result<()> {
        self.at_once(!fill.is_empty(), |legacy| legacy.memset_rows(fill))
    }
}

fn check_aligned(address: Address, offset: usize, element_size: u8) -> Result<()> {
    if address.is_multiple_of(Address::from(element_size)) {
        return Ok(());
    }
    Err(Error::invalid_value(format!(
        "offset {offset} puts the elements at address {address:#x}, which is no multiple of element_size {element_size}; \
         align it"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::{rejected, Faulty};
    use graphcap_driver::StreamOptions;

    const MAX: usize = usize::MAX;

    #[test]
    fn what_cannot_be_set_is_named() {
        let (driver, context) = Faulty::context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 64).unwrap();
        let good = Fill { buffer: &buffer, offset: 0, value: 1, element_size: 4, width: 2, height: 4, pitch: 16 };
        let calls = driver.calls();
        rejected(stream.memset_rows(&Fill { element_size: 3, ..good }), "element_size");
        rejected(stream.memset_rows(&Fill { pitch: 4, ..good }), "pitch");
        rejected(stream.memset_rows(&Fill { pitch: 10, ..good }), "pitch");
        rejected(stream.memset_rows(&Fill { offset: 2, ..good }), "offset 2");
        rejected(stream.memset_rows(&Fill { height: 5, ..good }), "64 bytes");
        rejected(stream.memset_rows(&Fill { height: MAX, ..good }), "width 2");
        rejected(stream.memset_rows(&Fill { width: MAX / 2, ..good }), "width");
        assert_eq!(driver.calls(), calls, "the device is not asked");
        stream.memset_rows(&good).unwrap();
        stream.memset_rows(&Fill { width: 0, ..good }).unwrap();
        stream.memset_rows(&Fill { height: 0, pitch: 4, offset: MAX, ..good }).unwrap();
        context.memset(&Fill { height: 0, ..good }).unwrap();
        assert_eq!(driver.calls(), calls + 1);
    }
}
