//! Numbers of 64 bits and bytes in a JSON text: as texts.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, Serializer};

/// Number of bytes that are written at a time.
const PIECE: usize = 64;

pub(super) fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(number)
}

pub(super) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<u64, D::Error> {
    from.deserialize_str(Read::<u64>(PhantomData))
}

/// Form that a text is read as, without a copy of the text.
struct Read<T>(PhantomData<T>);

impl Visitor<'_> for Read<u64> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal number of 64 bits as a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<u64, E> {
        let is_plain = text == "0" || (text.bytes().all(|digit| digit.is_ascii_digit()) && !text.starts_with('0'));
        let number = text.parse().ok().filter(|_| is_plain);
        number.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl Visitor<'_> for Read<Vec<u8>> {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes as pairs of the digits 0 to 9 and a to f")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<u8>, E> {
        let digit = |digit: u8| match digit {
            b'0'..=b'9' => Some(digit - b'0'),
            b'a'..=b'f' => Some(digit - b'a' + 10),
            _ => None,
        };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
        let whole: Option<Vec<u8>> = if rest.is_empty() { bytes } else { None };
        whole.ok_or_else(|| E::custom("expected bytes as pairs of the digits 0 to 9 and a to f"))
    }
}

pub(super) mod maybe {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(number: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        match number {
            Some(number) => super::serialize(number, to),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<u64>, D::Error> {
        super::deserialize(from).map(Some)
    }
}

/// Two hexadecimal digits for each byte.
pub(super) struct Hexadecimal<'a>(pub(super) &'a [u8]);

impl fmt::Display for Hexadecimal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
        for piece in self.0.chunks(PIECE) {
            let mut digits = [[0; 2]; PIECE];
            for (digits, byte) in digits.iter_mut().zip(piece) {
                *digits = [digit(byte >> 4), digit(byte & 15)];
            }
            let digits = digits.as_flattened().get(..2 * piece.len()).unwrap_or_default();
            f.write_str(std::str::from_utf8(digits).map_err(|_| fmt::Error)?)?;
        }
        Ok(())
    }
}

pub(super) mod bytes {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&Hexadecimal(bytes))
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<u8>, D::Error> {
        from.deserialize_str(Read::<Vec<u8>>(PhantomData))
    }
}

/// The bytes of a snapshot, which are written where they lie.
pub(super) mod snapshot {
    use std::sync::Arc;

    use super::*;
    use graphcap_driver::Snapshot;

    pub(crate) fn serialize<S: Serializer>(bytes: &Option<Snapshot>, to: S) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => super::bytes::serialize(bytes, to),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<Snapshot>, D::Error> {
        super::bytes::deserialize(from).map(|bytes| Some(Arc::new(bytes)))
    }
}
