//! Numbers of 64 bits and bytes in a JSON text: as texts.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Number of bytes that are written at a time.
const PIECE: usize = 64;

pub(crate) fn serialize<N: fmt::Display, S: Serializer>(number: &N, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(number)
}

pub(crate) fn deserialize<'a, N: FromStr, D: Deserializer<'a>>(from: D) -> Result<N, D::Error> {
    from.deserialize_str(Number(PhantomData))
}

/// A number that a text is read as, without a copy of the text.
struct Number<N>(PhantomData<N>);

impl<N: FromStr> Visitor<'_> for Number<N> {
    type Value = N;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal number of 64 bits as a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<N, E> {
        let is_plain = text == "0" || (text.bytes().all(|digit| digit.is_ascii_digit()) && !text.starts_with('0'));
        let number = text.parse().ok().filter(|_| is_plain);
        number.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// The bytes that a text is read as.
struct Bytes;

impl Visitor<'_> for Bytes {
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

/// A number that may be absent.
pub(crate) mod maybe {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(number: &Option<usize>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&number.unwrap_or_default())
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<usize>, D::Error> {
        super::deserialize(from).map(Some)
    }
}

/// Bytes of a buffer, which may be absent: the first one and how many.
pub(crate) mod range {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Range {
        #[serde(with = "super")]
        offset: usize,
        #[serde(with = "super")]
        size: usize,
    }

    pub(crate) fn serialize<S: Serializer>(range: &Option<(usize, usize)>, to: S) -> Result<S::Ok, S::Error> {
        range.map(|(offset, size)| Range { offset, size }).serialize(to)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<(usize, usize)>, D::Error> {
        let range = Option::<Range>::deserialize(from)?;
        Ok(range.map(|Range { offset, size }| (offset, size)))
    }
}

/// Two hexadecimal digits for each byte.
pub(crate) struct Hexadecimal<'a>(pub(crate) &'a [u8]);

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

pub(crate) mod bytes {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&Hexadecimal(bytes))
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<u8>, D::Error> {
        from.deserialize_str(Bytes)
    }
}

/// The bytes of a snapshot, which are written where they lie.
pub(crate) mod snapshot {
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
