//! Attributes that a stream of the host device was given. It tells them when asked; they have no effect here.

use graphcap_base::error::{Error, Result};
use graphcap_driver::AttributeValue;

/// The priorities of this device, which are those that GPUs have.
pub(crate) const LEAST_PRIORITY: i32 = 0;
pub(crate) const GREATEST_PRIORITY: i32 = -5;

/// CUDA's numbers for the attributes that streams have.
const ACCESS_POLICY_WINDOW: u32 = 1;
const SYNCHRONIZATION_POLICY: u32 = 3;
const PRIORITY: u32 = 8;
const MEMORY_SYNC_DOMAIN_MAP: u32 = 9;
const MEMORY_SYNC_DOMAIN: u32 = 10;

/// Each attribute, how many bytes of its value mean something, and those that it begins with.
const ATTRIBUTES: [(u32, usize, &[u8]); ATTRIBUTE_COUNT] = [
    (ACCESS_POLICY_WINDOW, 32, &[]),
    (SYNCHRONIZATION_POLICY, 4, &1u32.to_ne_bytes()),
    (PRIORITY, 4, &[]),
    (MEMORY_SYNC_DOMAIN_MAP, 2, &[0, 1]),
    (MEMORY_SYNC_DOMAIN, 4, &[]),
];
const ATTRIBUTE_COUNT: usize = 5;

/// The attributes of a stream.
#[derive(Clone)]
pub(crate) struct Attributes([AttributeValue; ATTRIBUTE_COUNT]);

impl Default for Attributes {
    fn default() -> Attributes {
        Attributes(ATTRIBUTES.map(|(_, _, first)| with_start(first)))
    }
}

impl Attributes {
    pub(crate) fn get(&self, attribute: u32) -> Result<AttributeValue> {
        place(attribute).map(|place| self.0[place])
    }

    pub(crate) fn set(&mut self, attribute: u32, value: &AttributeValue) -> Result<()> {
        let place = place(attribute)?;
        let number = number_of(value);
        let refuse = |what: &str, range: &str| {
            Err(Error::invalid_value(format!("{number} is no {what} of a stream; those are {range}")))
        };
        match attribute {
            SYNCHRONIZATION_POLICY if !(1..=4).contains(&number) => return refuse("synchronization policy", "1 to 4"),
            MEMORY_SYNC_DOMAIN if !(0..=1).contains(&number) => return refuse("memory-sync domain", "0 and 1"),
            PRIORITY => {
                self.set_priority(number);
                return Ok(());
            }
            _ => {}
        }
        self.0[place] = with_start(&value[..ATTRIBUTES[place].1]);
        Ok(())
    }

    pub(crate) fn priority(&self) -> i32 {
        place(PRIORITY).map_or(LEAST_PRIORITY, |place| number_of(&self.0[place]))
    }

    /// Sets the priority, cut to the range of the device.
    pub(crate) fn set_priority(&mut self, priority: i32) {
        if let Ok(place) = place(PRIORITY) {
            self.0[place] = with_start(&priority.clamp(GREATEST_PRIORITY, LEAST_PRIORITY).to_ne_bytes());
        }
    }
}

fn place(attribute: u32) -> Result<usize> {
    ATTRIBUTES.iter().position(|(known, ..)| *known == attribute).ok_or_else(|| {
        Error::invalid_value(format!(
            "streams have no attribute {attribute}; see the GRAPHCAP_STREAM_ATTRIBUTE_ numbers"
        ))
    })
}

fn with_start(start: &[u8]) -> AttributeValue {
    let mut value = [0; 64];
    value[..start.len()].copy_from_slice(start);
    value
}

fn number_of(&[a, b, c, d, ..]: &AttributeValue) -> i32 {
    i32::from_ne_bytes([a, b, c, d])
}
