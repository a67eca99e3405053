//! Launch attributes of a kernel node, in words.

use std::borrow::Cow;

use super::Attribute;
use crate::json_numbers::Hexadecimal;
use graphcap_driver::{launch_attributes as known, AttributeValue};

impl Attribute {
    /// Returns what CUDA calls the attribute.
    pub(super) fn name(&self) -> Cow<'static, str> {
        match known::name(self.id) {
            Some(name) => Cow::Borrowed(name),
            None => format!("attribute {}", self.id).into(),
        }
    }

    /// Its value: of one that is not known by its bytes, up to the last that is not 0.
    pub(super) fn words(&self) -> String {
        let Some(value) = self.whole() else { return Hexadecimal(significant(&self.value)).to_string() };
        let number = known::first_number(&value);
        match self.id {
            known::COOPERATIVE | known::DEVICE_UPDATABLE => if number == 0 { "no" } else { "yes" }.into(),
            known::CLUSTER_DIMENSION | known::PREFERRED_CLUSTER_DIMENSION => {
                let [x, y, z] = known::dimensions(&value);
                format!("{x}x{y}x{z}")
            }
            known::CLUSTER_SCHEDULING => match number {
                1 => "spread".into(),
                2 => "load balancing".into(),
                other => other.to_string(),
            },
            known::MEMORY_SYNC_DOMAIN_MAP => format!("{}, remote {}", value[0], value[1]),
            known::PRIORITY | known::MEMORY_SYNC_DOMAIN => number.to_string(),
            known::SHARED_MEMORY_CARVEOUT => format!("{number} %"),
            known::ACCESS_POLICY_WINDOW => window(&value),
            _ => Hexadecimal(significant(&self.value)).to_string(),
        }
    }

    /// The bytes of the value; `None` where it has another size than those of attributes.
    fn whole(&self) -> Option<AttributeValue> {
        self.value[..].try_into().ok()
    }
}

/// Tells which addresses caches keep, and how much of what is there.
fn window(value: &AttributeValue) -> String {
    let long =
        |at: usize| value.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_ne_bytes(*bytes));
    let word =
        |at: usize| value.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_ne_bytes(*bytes));
    let property = |number| match number {
        0 => "normal".to_owned(),
        1 => "streaming".to_owned(),
        2 => "persisting".to_owned(),
        other => other.to_string(),
    };
    let (base, size, ratio) = (long(0), long(8), f32::from_bits(word(16)));
    let (hit, miss) = (property(word(20)), property(word(24)));
    format!("{size} bytes at {base:#x}, ratio {ratio}, {hit}, else {miss}")
}

/// The bytes up to the last that is not 0, at least one word.
fn significant(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(4, |last| (last + 4) / 4 * 4);
    bytes.get(..end.max(4)).unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(id: u32, bytes: &[u8]) -> String {
        let mut value = vec![0; 64];
        value[..bytes.len()].copy_from_slice(bytes);
        Attribute { id, value }.words()
    }

    #[test]
    fn attributes_are_told_in_words() {
        assert_eq!(words(known::PRIORITY, &(-3_i32).to_ne_bytes()), "-3");
        assert_eq!(words(known::COOPERATIVE, &1_i32.to_ne_bytes()), "yes");
        assert_eq!(words(known::CLUSTER_SCHEDULING, &2_i32.to_ne_bytes()), "load balancing");
        assert_eq!(words(known::SHARED_MEMORY_CARVEOUT, &50_i32.to_ne_bytes()), "50 %");
        assert_eq!(words(known::MEMORY_SYNC_DOMAIN_MAP, &[0, 1]), "0, remote 1");
        let cluster: Vec<u8> = [2_u32, 1, 1].iter().flat_map(|word| word.to_ne_bytes()).collect();
        assert_eq!(words(known::CLUSTER_DIMENSION, &cluster), "2x1x1");
        let mut window = 0x1000_u64.to_ne_bytes().to_vec();
        window.extend(64_u64.to_ne_bytes());
        window.extend(0.5_f32.to_ne_bytes());
        window.extend([2_u32, 1].iter().flat_map(|word| word.to_ne_bytes()));
        assert_eq!(
            words(known::ACCESS_POLICY_WINDOW, &window),
            "64 bytes at 0x1000, ratio 0.5, persisting, else streaming"
        );
        assert_eq!(
            (words(99, &[7]), Attribute { id: 99, value: vec![7] }.name()),
            ("07000000".into(), "attribute 99".into())
        );
    }
}
