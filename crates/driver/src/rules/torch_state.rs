//! State that PyTorch passes to kernels which draw random numbers, `at::PhiloxCudaState`: where the seed and an offset stand in device
//! memory, and what a kernel of a graph adds to the offset. A kernel draws from element offset on, each of its threads from a
//! subsequence of its own, the number of the thread.
//!
//! The struct has had several layouts. Its first two members are unions of a number and a pointer, of 8 bytes each. A flag behind
//! the others says which of the two they are; here it is always pointers, as in PyTorch's own captures.

use graphcap_base::error::{Error, Result};

/// Offsets are multiples of it, since a counter gives as many numbers.
pub const GROUP: u64 = 4;

/// A layout of the struct, by its size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TorchLayout {
    /// 24 bytes: what is added to the offset has 32 bits, and the flag follows it.
    Bytes24,
    /// 32 bytes, those of PyTorch 2.11: it has 64 bits.
    Bytes32,
}

impl TorchLayout {
    /// Bytes of the struct.
    pub fn bytes(self) -> usize {
        match self {
            TorchLayout::Bytes24 => 24,
            TorchLayout::Bytes32 => 32,
        }
    }

    /// The struct, whose bytes are the first of these words, for the addresses of the seed and of the offset.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an addition that the layout has no room for.
    pub fn state(self, seed: u64, offset: u64, added: u64) -> Result<[u64; 4]> {
        const IS_CAPTURED: u64 = 1;
        match self {
            TorchLayout::Bytes32 => Ok([seed, offset, added, IS_CAPTURED]),
            TorchLayout::Bytes24 if added <= u32::MAX.into() => Ok([seed, offset, added | IS_CAPTURED << 32, 0]),
            TorchLayout::Bytes24 => Err(Error::invalid_value(format!(
                "the graph draws {added} numbers before, and this layout of the state has 32 bits for that; use the one of 32 bytes"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_base::error::Status;

    #[test]
    fn members_are_where_the_struct_has_them() {
        let bytes = |words: [u64; 4]| words.map(u64::to_le_bytes).concat();
        let small = bytes(TorchLayout::Bytes24.state(0x1122, 0x3344, 0x5566).unwrap());
        assert_eq!(
            (&small[0..2], &small[8..10], &small[16..18]),
            (&[0x22, 0x11][..], &[0x44, 0x33][..], &[0x66, 0x55][..])
        );
        assert_eq!((small[20], TorchLayout::Bytes24.bytes()), (1, 24));
        let large = bytes(TorchLayout::Bytes32.state(1, 2, 1 << 40).unwrap());
        assert_eq!((large[21], large[24], TorchLayout::Bytes32.bytes()), (1, 1, 32));
        assert!(TorchLayout::Bytes24.state(1, 2, u32::MAX.into()).is_ok());
        assert_eq!(TorchLayout::Bytes24.state(1, 2, 1 << 32).unwrap_err().status, Status::INVALID_VALUE);
    }
}
