use std::sync::Arc;

use super::*;
use crate::faulty::{rejected, Faulty};
use crate::{Buffer, HostBuffer, Memory};
use graphcap_base::error::Status;
use graphcap_driver::HostMemoryOptions;

use Certainty::{Certain, Guess};

/// A piece in short: parameter, offset, size, what it is, how certain.
type Short = (usize, usize, usize, What, Certainty);

/// The bytes of one parameter, and its pieces in short.
type Row = (Vec<u8>, Vec<(usize, usize, What, Certainty)>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// Address of the buffer, and the offset.
    Buffer(Address, usize),
    Host(Address, usize),
    /// The number of the allocation, its base, its size, and the offset.
    Foreign(u64, Address, usize, u64),
    Value,
}

fn short(pieces: &[Piece]) -> Vec<Short> {
    let what = |meaning: &Meaning| match meaning {
        Meaning::Buffer(Located { memory: Memory::Buffer(buffer), offset }) => What::Buffer(buffer.address(), *offset),
        Meaning::Buffer(Located { memory: Memory::HostBuffer(buffer), offset }) => {
            What::Host(buffer.address(), *offset)
        }
        Meaning::Foreign { allocation, offset } => {
            What::Foreign(allocation.id, allocation.base, allocation.bytes, *offset)
        }
        Meaning::Value => What::Value,
    };
    pieces
        .iter()
        .map(|piece| (piece.parameter, piece.offset, piece.size, what(&piece.meaning), piece.certainty))
        .collect()
}

/// Memory of others, far from the device's.
const FOREIGN: Address = 0x7f12_0000_0000;

/// Looks like an address and is none.
const LOOKALIKE: u64 = 0x0000_0400_0000_0400;

struct Scene {
    driver: Arc<Faulty>,
    context: Context,
    buffer: Buffer,
    foreign: u64,
}

impl Scene {
    fn new() -> Scene {
        let (driver, context) = Faulty::context();
        let buffer = Buffer::allocate(&context, 256).unwrap();
        let foreign = driver.foreign(FOREIGN, 4096);
        Scene { driver, context, buffer, foreign }
    }

    fn at(&self, offset: u64) -> u64 {
        self.buffer.address() + offset
    }

    fn in_buffer(&self, offset: usize) -> What {
        What::Buffer(self.buffer.address(), offset)
    }

    fn in_foreign(&self, offset: u64) -> What {
        What::Foreign(self.foreign, FOREIGN, 4096, offset)
    }

    /// Reads arguments on their own, of which nothing is declared.
    fn read(&self, arguments: &[&[u8]]) -> Vec<Short> {
        self.read_as(&undeclared(arguments), arguments)
    }

    fn read_as(&self, parameters: &[Parameter], arguments: &[&[u8]]) -> Vec<Short> {
        let mut reader = self.context.read_arguments(self.context.moment());
        short(&reader.read(parameters, ArgumentBytes::Separate(arguments)).unwrap())
    }
}

fn undeclared(arguments: &[&[u8]]) -> Vec<Parameter> {
    arguments.iter().map(|bytes| Parameter::new(0, bytes.len())).collect()
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// One parameter at a time: its bytes, and what they are.
#[test]
fn each_shape_of_parameter_is_read() {
    let scene = Scene::new();
    let (buffer, end) = (scene.in_buffer(16), scene.in_buffer(256));
    let unaligned = {
        let mut bytes = vec![0; 4];
        bytes.extend(scene.at(0).to_ne_bytes());
        bytes
    };
    let with_tail = {
        let mut bytes = bytes_of(&[3, scene.at(16)]);
        bytes.extend([1; 4]);
        bytes
    };
    let rows: Vec<Row> = vec![
        (vec![7], vec![(0, 1, What::Value, Certain)]),
        (vec![7; 4], vec![(0, 4, What::Value, Certain)]),
        (vec![7; 7], vec![(0, 7, What::Value, Certain)]),
        (bytes_of(&[scene.at(16)]), vec![(0, 8, buffer, Guess)]),
        (bytes_of(&[scene.at(256)]), vec![(0, 8, end, Guess)]),
        (bytes_of(&[scene.at(257)]), vec![(0, 8, What::Value, Guess)]),
        (bytes_of(&[scene.at(0) - 1]), vec![(0, 8, What::Value, Guess)]),
        (bytes_of(&[FOREIGN]), vec![(0, 8, scene.in_foreign(0), Guess)]),
        (bytes_of(&[FOREIGN + 4095]), vec![(0, 8, scene.in_foreign(4095), Guess)]),
        (bytes_of(&[FOREIGN + 4096]), vec![(0, 8, What::Value, Guess)]),
        (bytes_of(&[0]), vec![(0, 8, What::Value, Guess)]),
        (bytes_of(&[1 << 16]), vec![(0, 8, What::Value, Guess)]),
        (bytes_of(&[u64::MAX]), vec![(0, 8, What::Value, Guess)]),
        (1.5f64.to_ne_bytes().to_vec(), vec![(0, 8, What::Value, Guess)]),
        // Structs.
        (bytes_of(&[1, 2, 3]), vec![(0, 24, What::Value, Guess)]),
        (unaligned, vec![(0, 12, What::Value, Guess)]),
        (with_tail, vec![(0, 8, What::Value, Guess), (8, 8, buffer, Guess), (16, 4, What::Value, Guess)]),
        (
            bytes_of(&[scene.at(16), FOREIGN + 8, scene.at(256)]),
            vec![(0, 8, buffer, Guess), (8, 8, scene.in_foreign(8), Guess), (16, 8, end, Guess)],
        ),
        (
            bytes_of(&[5, LOOKALIKE, scene.at(16), 6, 7]),
            vec![(0, 16, What::Value, Guess), (16, 8, buffer, Guess), (24, 16, What::Value, Guess)],
        ),
    ];
    for (bytes, expected) in &rows {
        let expected: Vec<Short> = expected.iter().map(|&(at, size, what, how)| (0, at, size, what, how)).collect();
        assert_eq!(scene.read(&[bytes]), expected, "{bytes:?}");
    }
    // All in one kernel.
    let all: Vec<&[u8]> = rows.iter().map(|(bytes, _)| &bytes[..]).collect();
    let expected: Vec<Short> = rows
        .iter()
        .enumerate()
        .flat_map(|(parameter, (_, pieces))| {
            pieces.iter().map(move |&(at, size, what, how)| (parameter, at, size, what, how))
        })
        .collect();
    assert_eq!(scene.read(&all), expected);
    assert_eq!(scene.read(&[]), []);
}

#[test]
fn declared_parameters_are_certain() {
    let scene = Scene::new();
    let word = |value: u64| value.to_ne_bytes();
    let (inside, end, foreign, null, small) =
        (word(scene.at(16)), word(scene.at(256)), word(FOREIGN + 1), word(0), word(8));
    let declared = |declared| Parameter { declared, ..Parameter::new(0, 8) };
    let (address, value) = (declared(Declared::Address), declared(Declared::Value));
    scene.driver.asked();
    let pieces = scene.read_as(
        &[address, address, address, address, address, value],
        &[&inside, &end, &foreign, &null, &small, &inside],
    );
    let expected = [
        scene.in_buffer(16),
        scene.in_buffer(256),
        scene.in_foreign(1),
        What::Value,
        What::Value,
        What::Value, // however much it looks like the address of a buffer
    ];
    assert_eq!(pieces.len(), expected.len());
    for (at, (piece, what)) in pieces.iter().zip(expected).enumerate() {
        assert_eq!(*piece, (at, 0, 8, what, Certain));
    }
    let mut reader = scene.context.read_arguments(scene.context.moment());
    let short = Parameter { declared: Declared::Address, ..Parameter::new(0, 4) };
    rejected(reader.read(&[short], ArgumentBytes::Separate(&[&[0; 4]])).map(drop), "is declared an address");
}

#[test]
fn packed_and_separate_arguments_are_the_same() {
    let scene = Scene::new();
    // A pointer, an int, a struct with a pointer behind padding, a short.
    let structure = bytes_of(&[9, scene.at(32), FOREIGN, 4]);
    let pointer = scene.at(8).to_ne_bytes();
    let parameters = [Parameter::new(0, 8), Parameter::new(8, 4), Parameter::new(16, 32), Parameter::new(48, 2)];
    let separate: [&[u8]; 4] = [&pointer, &[1; 4], &structure, &[2; 2]];
    let mut block = vec![0xff; 56];
    for (parameter, bytes) in parameters.iter().zip(separate) {
        block[parameter.offset..][..bytes.len()].copy_from_slice(bytes);
    }
    let mut reader = scene.context.read_arguments(scene.context.moment());
    let packed = short(&reader.read(&parameters, ArgumentBytes::Packed(&block)).unwrap());
    let expected = [
        (0, 0, 8, scene.in_buffer(8), Guess),
        (1, 0, 4, What::Value, Certain),
        (2, 0, 8, What::Value, Guess),
        (2, 8, 8, scene.in_buffer(32), Guess),
        (2, 16, 8, scene.in_foreign(0), Guess),
        (2, 24, 8, What::Value, Guess),
        (3, 0, 2, What::Value, Certain),
    ];
    assert_eq!(packed, expected);
    assert_eq!(short(&reader.read(&parameters, ArgumentBytes::Separate(&separate)).unwrap()), expected);
}

#[test]
fn bytes_that_do_not_fit_the_parameters_are_refused() {
    let scene = Scene::new();
    let mut reader = scene.context.read_arguments(scene.context.moment());
    let two = [Parameter::new(0, 8), Parameter::new(8, 4)];
    let mut refused = |parameters: &[Parameter], arguments, part| {
        rejected(reader.read(parameters, arguments).map(drop), part);
    };
    refused(&two, ArgumentBytes::Separate(&[&[0; 8]]), "2 parameters and 1 arguments");
    refused(&two, ArgumentBytes::Separate(&[&[0; 8], &[0; 4], &[0; 4]]), "2 parameters and 3 arguments");
    refused(&two, ArgumentBytes::Separate(&[&[0; 8], &[0; 8]]), "parameter 1 has 4 bytes, and its argument 8");
}

/// The driver takes a block that ends before its parameters do, and gives it back so.
#[test]
fn a_packed_block_may_be_short() {
    let scene = Scene::new();
    let mut reader = scene.context.read_arguments(scene.context.moment());
    let block = bytes_of(&[scene.at(0), scene.at(8), scene.at(16), 5]);
    let address = Parameter { declared: Declared::Address, ..Parameter::new(16, 8) };
    let parameters = [Parameter::new(0, 16), address, Parameter::new(24, 4), Parameter::new(usize::MAX, usize::MAX)];
    let mut read = |bytes: usize| short(&reader.read(&parameters, ArgumentBytes::Packed(&block[..bytes])).unwrap());
    let all = [
        (0, 0, 8, scene.in_buffer(0), Guess),
        (0, 8, 8, scene.in_buffer(8), Guess),
        (1, 0, 8, scene.in_buffer(16), Certain),
        (2, 0, 4, What::Value, Certain),
    ];
    assert_eq!(read(32), all);
    assert_eq!(read(28), all);
    assert_eq!(read(26), [all[0], all[1], all[2], (2, 0, 2, What::Value, Certain)]);
    assert_eq!(read(24), all[..3]);
    assert_eq!(read(23), [all[0], all[1], (1, 0, 7, What::Value, Guess)]);
    assert_eq!(read(16), all[..2]);
    assert_eq!(read(15), [all[0], (0, 8, 7, What::Value, Guess)]);
    assert_eq!(read(7), [(0, 0, 7, What::Value, Guess)]);
    assert_eq!(read(0), []);
}

/// The largest single parameter that was seen in a kernel of a library.
#[test]
fn a_parameter_of_2720_bytes_is_read_word_by_word() {
    let scene = Scene::new();
    let words: Vec<u64> = (0..340)
        .map(|at| match at {
            0 => scene.at(0),
            17 => FOREIGN + 8,
            18 => scene.at(128),
            339 => scene.at(256),
            at if at % 5 == 0 => LOOKALIKE + at, // strides in pairs
            at if at % 5 == 1 => (at as f64 / 3.0).to_bits(),
            at if at % 5 == 2 => 0x3f80_0000_3f80_0000,
            at => at,
        })
        .collect();
    let bytes = bytes_of(&words);
    assert_eq!(bytes.len(), 2720);
    let pieces = scene.read(&[&bytes]);
    assert_eq!(
        pieces,
        [
            (0, 0, 8, scene.in_buffer(0), Guess),
            (0, 8, 128, What::Value, Guess),
            (0, 136, 8, scene.in_foreign(8), Guess),
            (0, 144, 8, scene.in_buffer(128), Guess),
            (0, 152, 2560, What::Value, Guess),
            (0, 2712, 8, scene.in_buffer(256), Guess),
        ]
    );
    assert_eq!(scene.driver.asked().len(), 1 + 67 + 1, "the pointer, what looks like one, and the end of a buffer");
}

#[test]
fn host_buffers_are_read_by_the_addresses_that_kernels_have() {
    let (driver, context) = Faulty::context();
    driver.map_elsewhere(1 << 20);
    let options = HostMemoryOptions { mapped: true, ..HostMemoryOptions::default() };
    let buffer = HostBuffer::allocate(&context, 64, options).unwrap();
    let bytes = bytes_of(&[buffer.device_address().unwrap() + 4, buffer.address() + 8]);
    let mut reader = context.read_arguments(context.moment());
    let pieces = short(&reader.read(&[Parameter::new(0, 16)], ArgumentBytes::Separate(&[&bytes])).unwrap());
    let at = buffer.address();
    assert_eq!(pieces, [(0, 0, 8, What::Host(at, 4), Guess), (0, 8, 8, What::Host(at, 8), Guess)]);
}

/// One byte past the end of a buffer may be the first byte of memory of others.
#[test]
fn the_end_of_a_buffer_that_is_another_allocation_belongs_to_that() {
    let scene = Scene::new();
    let end = bytes_of(&[scene.at(256)]);
    let behind = scene.driver.foreign(scene.at(256), 64);
    assert_eq!(scene.read(&[&end]), [(0, 0, 8, What::Foreign(behind, scene.at(256), 64, 0), Guess)]);
    scene.driver.free_foreign(scene.at(256));
    assert_eq!(scene.read(&[&end]), [(0, 0, 8, scene.in_buffer(256), Guess)]);
    // A part of an allocation that is wrapped ends within that allocation.
    let wrapped = Buffer::adopt(&scene.context, FOREIGN + 64, 64, Box::new(|| ())).unwrap();
    let pieces = scene.read(&[&bytes_of(&[FOREIGN + 63, FOREIGN + 64, FOREIGN + 128, FOREIGN + 129])]);
    let what: Vec<_> = pieces.iter().map(|piece| piece.3).collect();
    let wrapped_at = |offset| What::Buffer(wrapped.address(), offset);
    assert_eq!(what, [scene.in_foreign(63), wrapped_at(0), wrapped_at(64), scene.in_foreign(129)]);
}

#[test]
fn what_the_driver_answered_is_not_asked_again() {
    let scene = Scene::new();
    let Scene { driver, context, .. } = &scene;
    let bytes = bytes_of(&[FOREIGN, FOREIGN + 8, LOOKALIKE, 3, LOOKALIKE, scene.at(0), LOOKALIKE + 1]);
    let read = |reader: &mut ArgumentReader<'_>| {
        reader.read(&[Parameter::new(0, bytes.len())], ArgumentBytes::Separate(&[&bytes])).unwrap();
        driver.asked()
    };
    let recorded = context.moment();
    let mut reader = context.read_arguments(recorded);
    assert_eq!(read(&mut reader), [FOREIGN, LOOKALIKE, LOOKALIKE + 1], "each range and each word once");
    assert!(read(&mut reader).is_empty());
    // Another reader of work from then asks about the allocations of others alone, since these may have changed.
    assert_eq!(read(&mut context.read_arguments(recorded)), [FOREIGN]);
    // What was recorded since may point to memory that was allocated since.
    let later = context.moment();
    assert_eq!(read(&mut context.read_arguments(later)), [FOREIGN, LOOKALIKE, LOOKALIKE + 1]);
    assert_eq!(read(&mut context.read_arguments(later)), [FOREIGN]);
    assert_eq!(read(&mut context.read_arguments(recorded)), [FOREIGN]);
}

/// Others free memory, and allocate it anew at the same place; and allocate it where none was.
#[test]
fn memory_that_changes_hands_is_noticed() {
    let scene = Scene::new();
    let (at_foreign, at_none) = (bytes_of(&[FOREIGN + 100]), bytes_of(&[LOOKALIKE]));
    let read = || [scene.read(&[&at_foreign])[0].3, scene.read(&[&at_none])[0].3];
    assert_eq!(read(), [scene.in_foreign(100), What::Value]);
    scene.driver.free_foreign(FOREIGN);
    assert_eq!(read(), [What::Value, What::Value]);
    let again = scene.driver.foreign(FOREIGN, 4096);
    let new = scene.driver.foreign(LOOKALIKE - 8, 64);
    assert_ne!(again, scene.foreign);
    assert_eq!(read(), [What::Foreign(again, FOREIGN, 4096, 100), What::Foreign(new, LOOKALIKE - 8, 64, 8)]);
    // A buffer is known without the driver, whenever it was made.
    let recorded = scene.context.moment();
    let word = bytes_of(&[0x7777_0000_0000]);
    let mut reader = scene.context.read_arguments(recorded);
    let mut what = || short(&reader.read(&undeclared(&[&word]), ArgumentBytes::Separate(&[&word])).unwrap())[0].3;
    assert_eq!(what(), What::Value);
    let wrapped = Buffer::adopt(&scene.context, 0x7777_0000_0000, 64, Box::new(|| ())).unwrap();
    assert_eq!(what(), What::Buffer(wrapped.address(), 0));
    let stale = wrapped.address();
    drop(wrapped);
    assert_eq!(what(), What::Value, "{stale:#x} is no buffer's any more");
}

#[test]
fn a_refusal_of_the_driver_is_passed_on_and_not_remembered() {
    let scene = Scene::new();
    let recorded = scene.context.moment();
    let bytes = bytes_of(&[LOOKALIKE, FOREIGN]);
    let mut reader = scene.context.read_arguments(recorded);
    let mut read = || reader.read(&undeclared(&[&bytes]), ArgumentBytes::Separate(&[&bytes]));
    scene.driver.fail("address_origin", Status::LAUNCH_FAILED);
    assert_eq!(read().map(drop).unwrap_err().status, Status::LAUNCH_FAILED);
    assert!(scene.driver.asked().is_empty());
    assert_eq!(short(&read().unwrap())[1].3, scene.in_foreign(0));
    assert_eq!(scene.driver.asked(), [LOOKALIKE, FOREIGN]);
}

/// A reader that holds what it found keeps it alive, and one that dropped it does not.
#[test]
fn pieces_keep_their_buffers() {
    let scene = Scene::new();
    let address = scene.buffer.address();
    let mut reader = scene.context.read_arguments(scene.context.moment());
    let word = bytes_of(&[address]);
    let pieces = reader.read(&undeclared(&[&word]), ArgumentBytes::Separate(&[&word])).unwrap();
    drop(scene.buffer);
    assert!(scene.driver.is_allocated(address));
    drop(pieces);
    assert!(!scene.driver.is_allocated(address));
}
