//! Values that scalars hold: of six types, as bits.

use std::fmt;

use graphcap_base::error::{Error, Result};
use graphcap_driver::Value;

/// The type of a scalar, with the number that C has for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarType {
    /// A signed number of 32 bits.
    I32 = 1,
    /// An unsigned number of 32 bits.
    U32 = 2,
    /// A signed number of 64 bits.
    I64 = 3,
    /// An unsigned number of 64 bits.
    U64 = 4,
    /// A floating-point number of 32 bits.
    F32 = 5,
    /// A floating-point number of 64 bits.
    F64 = 6,
}

impl ScalarType {
    /// All of them.
    pub const ALL: [ScalarType; 6] =
        [ScalarType::I32, ScalarType::U32, ScalarType::I64, ScalarType::U64, ScalarType::F32, ScalarType::F64];

    /// Returns how many bytes of memory it has; their address is a multiple of that.
    pub const fn bytes(self) -> usize {
        match self {
            ScalarType::I32 | ScalarType::U32 | ScalarType::F32 => 4,
            ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => 8,
        }
    }

    /// Returns what a use of a scalar of this type as one of another type answers.
    #[cold]
    pub(crate) fn is_not(self, other: ScalarType) -> Error {
        Error::invalid_value(format!(
            "the scalar is of type {self}, not {other}; use it by the type that it was made with"
        ))
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ScalarType::I32 => "i32",
            ScalarType::U32 => "u32",
            ScalarType::I64 => "i64",
            ScalarType::U64 => "u64",
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
        })
    }
}

/// Value of a scalar: its bits, and their type. NaNs keep their bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScalarValue {
    of: ScalarType,
    bits: Value,
}

impl ScalarValue {
    /// The value of that type with these bits, of which a type of 32 bits has the lower half.
    pub const fn from_bits(of: ScalarType, bits: u64) -> ScalarValue {
        let bits = match of.bytes() {
            4 => Value::U32(bits as u32),
            _ => Value::U64(bits),
        };
        ScalarValue { of, bits }
    }

    /// Returns what a stream writes.
    pub(crate) fn written(self) -> Value {
        self.bits
    }

    /// Its type.
    pub const fn scalar_type(self) -> ScalarType {
        self.of
    }

    /// Its bits; the upper half is 0 for a type of 32 bits.
    pub const fn bits(self) -> u64 {
        match self.bits {
            Value::U32(bits) => bits as u64,
            Value::U64(bits) => bits,
        }
    }
}

/// Declares the Rust type of a type of scalars.
macro_rules! of_type {
    ($($rust:ty = $of:ident, $from:expr, $to:expr;)*) => {
        $(
            impl From<$rust> for ScalarValue {
                fn from(value: $rust) -> ScalarValue {
                    ScalarValue::from_bits(ScalarType::$of, $from(value))
                }
            }

            impl TryFrom<ScalarValue> for $rust {
                type Error = Error;

                fn try_from(value: ScalarValue) -> Result<$rust> {
                    match value.of {
                        ScalarType::$of => Ok($to(value.bits())),
                        of => Err(of.is_not(ScalarType::$of)),
                    }
                }
            }
        )*
    };
}

of_type! {
    i32 = I32, |value: i32| u64::from(value.cast_unsigned()), |bits| (bits as u32).cast_signed();
    u32 = U32, u64::from, |bits| bits as u32;
    i64 = I64, i64::cast_unsigned, u64::cast_signed;
    u64 = U64, |value| value, |bits| bits;
    f32 = F32, |value: f32| u64::from(value.to_bits()), |bits| f32::from_bits(bits as u32);
    f64 = F64, f64::to_bits, f64::from_bits;
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_base::error::Status;

    #[test]
    fn values_keep_their_bits_and_their_type() {
        assert_eq!(i32::try_from(ScalarValue::from(-5i32)), Ok(-5));
        assert_eq!(ScalarValue::from(-5i32).bits(), 0xffff_fffb);
        assert_eq!(u32::try_from(ScalarValue::from(u32::MAX)), Ok(u32::MAX));
        assert_eq!(i64::try_from(ScalarValue::from(i64::MIN)), Ok(i64::MIN));
        assert_eq!(u64::try_from(ScalarValue::from(u64::MAX)), Ok(u64::MAX));
        assert_eq!(f64::try_from(ScalarValue::from(-0.25f64)), Ok(-0.25));
        let signalling = f32::from_bits(0x7fa0_0001);
        assert_eq!(ScalarValue::from(signalling).bits(), 0x7fa0_0001);
        assert_eq!(f32::try_from(ScalarValue::from(signalling)).map(f32::to_bits), Ok(0x7fa0_0001));
        assert_eq!(ScalarValue::from_bits(ScalarType::F32, 0xffff_ffff_3f80_0000), ScalarValue::from(1f32));
        let error = f32::try_from(ScalarValue::from(1u32)).unwrap_err();
        assert!(error.status == Status::INVALID_VALUE && error.message.contains("of type u32, not f32"), "{error}");
    }
}
