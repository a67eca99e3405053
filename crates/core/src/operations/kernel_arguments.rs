//! Meanings of the bytes of a kernel's arguments: which of them are addresses, and of what.
//!
//! A kernel node gives the bytes of its arguments, and the driver their sizes, but not their types. What lies in memory that
//! is known is taken for an address. That is a guess where a parameter can be something else, and says so.

use std::collections::BTreeMap;

use super::located::Located;
use super::provenance::Moment;
use crate::state::Context;
use graphcap_base::error::{Error, Result};
use graphcap_driver::{Address, AddressOrigin, ADDRESS_BYTES};

/// Place of one parameter of a kernel, and what is known of its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Parameter {
    /// Its start in a packed block of arguments. Of no interest where each argument is given on its own.
    pub offset: usize,
    /// In bytes.
    pub size: usize,
    /// Facts about its type.
    pub declared: Declared,
}

impl Parameter {
    /// A parameter of which nothing else is known.
    pub const fn new(offset: usize, size: usize) -> Parameter {
        Parameter { offset, size, declared: Declared::Unknown }
    }
}

/// Facts about the type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Declared {
    /// Nothing, as of kernels that others launch.
    #[default]
    Unknown,
    /// It is an address: graphcap recorded a buffer there.
    Address,
    /// It is a value that holds no address: graphcap recorded bytes there.
    Value,
}

/// The bytes of a kernel's arguments.
#[derive(Clone, Copy, Debug)]
pub enum ArgumentBytes<'a> {
    /// Each argument on its own, as `kernelParams` of the driver has them.
    Separate(&'a [&'a [u8]]),
    /// All arguments in one block, as `extra` of the driver has them. It may end before its last parameters do, which the driver
    /// allows; nothing is told of the bytes that it lacks.
    Packed(&'a [u8]),
}

/// Meaning of some bytes of an argument.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// The address of a byte of a live buffer, or of its end.
    Buffer(Located),
    /// The address of a byte of memory that the device knows and graphcap has no buffer of: memory of others, and memory of
    /// buffers that are gone.
    Foreign {
        /// The allocation, as the device told of it when this was read. Memory that was freed and allocated anew at one
        /// address has another id.
        allocation: AddressOrigin,
        /// Of the byte, in the allocation.
        offset: u64,
    },
    /// No address of live memory. Of a parameter that is declared an address: NULL, or an address whose memory is gone.
    Value,
}

/// Reliability of a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Certainty {
    /// The type of the bytes is known: it is declared, or too small for an address.
    Certain,
    /// The bytes may be of any type: they are 8 bytes, or lie within a larger parameter. A value may look like an address,
    /// and a NULL or an address of freed memory like a value.
    Guess,
}

/// Some bytes of an argument that mean one thing.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Number of the parameter, counted from 0.
    pub parameter: usize,
    /// Start of the bytes, within the parameter.
    pub offset: usize,
    /// Number of the bytes.
    pub size: usize,
    /// Meaning of the bytes.
    pub meaning: Meaning,
    /// Reliability of that meaning.
    pub certainty: Certainty,
}

/// Reads arguments of kernels that were recorded before a moment. Several kernels are read quicker by one reader, which
/// asks the device once about each allocation of others. For one thread; the context may be used by others meanwhile.
pub struct ArgumentReader<'a> {
    context: &'a Context,
    recorded: Moment,
    /// The allocations that the device told of since this reader was made.
    told: BTreeMap<Address, AddressOrigin>,
}

impl Context {
    /// Reads arguments of kernels that had been recorded when `recorded` was taken by [`Context::moment`], which is best
    /// done when a graph is complete or was changed. Where that is not known, [`Context::moment`] of now is right, and the
    /// slowest: answers of the device that are older than `recorded` are not used.
    pub fn read_arguments(&self, recorded: Moment) -> ArgumentReader<'_> {
        ArgumentReader { context: self, recorded, told: BTreeMap::new() }
    }
}

impl ArgumentReader<'_> {
    /// Tells what the bytes of a kernel's arguments are: for each parameter pieces that cover its bytes, in order and once.
    ///
    /// A parameter of 8 bytes, and each aligned word of 8 bytes in a larger one, is looked up: as a byte of a live buffer
    /// (see [`Context::find_buffer`]), as a byte of memory that the device knows, as the end of a live buffer. A parameter
    /// that is larger is aligned as its words are, since it would be aligned so if it held an address.
    ///
    /// The device is asked about words that can be addresses at all, in an allocation that this reader has not been told
    /// of, and that it has not denied since the moment that the reader was made for.
    ///
    /// # Errors
    /// `INVALID_VALUE` when separate arguments do not have the sizes of the parameters, or when a parameter that is declared
    /// an address has not the size of one; the status of a context that faulted; `NOT_PERMITTED` inside host functions.
    pub fn read(&mut self, parameters: &[Parameter], arguments: ArgumentBytes<'_>) -> Result<Vec<Piece>> {
        arguments.check_count(parameters.len())?;
        let mut pieces = Vec::with_capacity(parameters.len());
        for (index, parameter) in parameters.iter().enumerate() {
            let bytes = arguments.of(index, parameter)?;
            match parameter.declared {
                Declared::Address if parameter.size != ADDRESS_BYTES => return Err(no_address(index, parameter.size)),
                Declared::Address => match <[u8; ADDRESS_BYTES]>::try_from(bytes) {
                    Ok(word) => {
                        let meaning = self.meaning(Address::from_ne_bytes(word))?;
                        let certainty = Certainty::Certain;
                        pieces.push(Piece { parameter: index, offset: 0, size: ADDRESS_BYTES, meaning, certainty });
                    }
                    // A block that ends here has a part of the address.
                    Err(_) => push_value(&mut pieces, index, 0, bytes.len(), Certainty::Guess),
                },
                Declared::Unknown if parameter.size >= ADDRESS_BYTES => self.guess(index, bytes, &mut pieces)?,
                Declared::Unknown | Declared::Value => {
                    push_value(&mut pieces, index, 0, bytes.len(), Certainty::Certain);
                }
            }
        }
        Ok(pieces)
    }

    /// Reads a parameter of unknown type that can hold addresses.
    fn guess(&mut self, parameter: usize, bytes: &[u8], pieces: &mut Vec<Piece>) -> Result<()> {
        let mut value_from = 0;
        for (number, word) in bytes.as_chunks::<ADDRESS_BYTES>().0.iter().enumerate() {
            let word = Address::from_ne_bytes(*word);
            if !can_be_address(word) {
                continue;
            }
            let meaning = self.meaning(word)?;
            if matches!(meaning, Meaning::Value) {
                continue;
            }
            let offset = number * ADDRESS_BYTES;
            push_value(pieces, parameter, value_from, offset, Certainty::Guess);
            pieces.push(Piece { parameter, offset, size: ADDRESS_BYTES, meaning, certainty: Certainty::Guess });
            value_from = offset + ADDRESS_BYTES;
        }
        push_value(pieces, parameter, value_from, bytes.len(), Certainty::Guess);
        Ok(())
    }

    /// Returns what is at an address.
    fn meaning(&mut self, address: Address) -> Result<Meaning> {
        let owner = match self.context.find_owner(address) {
            Some((located, false)) => return Ok(Meaning::Buffer(located)),
            end => end.map(|(located, _)| located),
        };
        Ok(match (self.allocation(address)?, owner) {
            // What starts where a buffer ends is another allocation; what started before is that of the buffer itself.
            (Some(allocation), Some(located)) if allocation.base != address => Meaning::Buffer(located),
            (Some(allocation), _) => Meaning::Foreign { allocation, offset: address - allocation.base },
            (None, Some(located)) => Meaning::Buffer(located),
            (None, None) => Meaning::Value,
        })
    }

    /// The allocation that holds the byte at an address, as the device knows it.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn allocation(&mut self, address: Address) -> Result<Option<AddressOrigin>> {
        if let Some((_, told)) = self.told.range(..=address).next_back() {
            if told.holds(address) {
                return Ok(Some(*told));
            }
        }
        let answers = self.context.answers();
        if answers.is_none(address, self.recorded) {
            return Ok(None);
        }
        let asked = answers.asking();
        let origin = self.context.driver()?.address_origin(address)?;
        match origin {
            Some(origin) => drop(self.told.insert(origin.base, origin)),
            None => answers.note_none(address, asked),
        }
        Ok(origin)
    }
}

impl<'a> ArgumentBytes<'a> {
    fn check_count(self, parameters: usize) -> Result<()> {
        match self {
            ArgumentBytes::Separate(arguments) if arguments.len() != parameters => Err(Error::invalid_value(format!(
                "the kernel has {parameters} parameters and {} arguments were given; give one for each",
                arguments.len()
            ))),
            _ => Ok(()),
        }
    }

    /// The bytes of one parameter.
    fn of(self, index: usize, parameter: &Parameter) -> Result<&'a [u8]> {
        let Parameter { offset, size, .. } = *parameter;
        match self {
            ArgumentBytes::Separate(arguments) => {
                arguments.get(index).copied().filter(|bytes| bytes.len() == size).ok_or_else(|| {
                    Error::invalid_value(format!(
                        "parameter {index} has {size} bytes, and its argument {}; give as many",
                        arguments.get(index).map_or(0, |bytes| bytes.len())
                    ))
                })
            }
            ArgumentBytes::Packed(block) => {
                let rest = block.get(offset..).unwrap_or_default();
                Ok(rest.get(..size).unwrap_or(rest))
            }
        }
    }
}

#[cold]
fn no_address(parameter: usize, size: usize) -> Error {
    Error::invalid_value(format!(
        "parameter {parameter} is declared an address and has {size} bytes; an address has {ADDRESS_BYTES}"
    ))
}

/// The bytes from one offset to another are a value.
fn push_value(pieces: &mut Vec<Piece>, parameter: usize, from: usize, to: usize, certainty: Certainty) {
    if from < to {
        pieces.push(Piece { parameter, offset: from, size: to - from, meaning: Meaning::Value, certainty });
    }
}

/// Returns whether a word can be an address of a program: no page below 64 KiB is ever mapped, and programs have at most 56 bits of
/// the address space. Small numbers, floating-point numbers, pairs of them and negative numbers are no addresses.
pub(crate) fn can_be_address(word: u64) -> bool {
    (1 << 16..1 << 56).contains(&word)
}

#[cfg(test)]
#[path = "kernel_arguments_tests.rs"]
mod tests;
