//! Provenance of addresses on the CUDA device, on the stand-in for its driver: memory of graphcap's, of others and of nobody; and
//! how often the driver is asked.

mod stand_in;

use graphcap::core::{
    ArgumentBytes, Buffer, Certainty, Context, HostBuffer, Located, Meaning, Memory, Parameter, Piece,
};
use graphcap::driver::{AddressOrigin, Attach, HostMemoryOptions, MemoryKind};
use libloading::Symbol;
use stand_in::{check_violations, function, open, Foreign};

/// Number of times that the driver was asked about an address so far.
fn questions() -> u64 {
    let questions: Symbol<'_, unsafe extern "C" fn() -> u64> = function("stand_in_pointer_questions");
    // SAFETY: it takes nothing.
    unsafe { questions() }
}

/// Reads one parameter that was recorded by now.
fn read(context: &Context, words: &[u64]) -> Vec<Piece> {
    let mut reader = context.read_arguments(context.moment());
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    reader.read(&[Parameter::new(0, bytes.len())], ArgumentBytes::Packed(&bytes)).unwrap()
}

/// The allocation and the offset that a word is read as.
fn foreign(context: &Context, word: u64) -> Option<(AddressOrigin, u64)> {
    match read(context, &[word])[..] {
        [Piece { meaning: Meaning::Foreign { allocation, offset }, certainty: Certainty::Guess, .. }] => {
            Some((allocation, offset))
        }
        _ => None,
    }
}

/// One test, since all count the questions of one driver.
#[test]
fn addresses_are_what_the_driver_says() {
    let context = open();
    memory_of_others_is_told_with_its_allocation(&context);
    buffers_are_told_without_a_question(&context);
    a_kernel_of_340_words_is_asked_about_once(&context);
    drop(context);
    check_violations();
}

fn memory_of_others_is_told_with_its_allocation(context: &Context) {
    let memory = Foreign::new(4096);
    let (first, offset) = foreign(context, memory.0 + 100).unwrap();
    assert_eq!((first.base, first.bytes, offset), (memory.0, 4096, 100));
    assert_ne!(first.id, 0);
    assert_eq!(foreign(context, memory.0), Some((first, 0)));
    assert_eq!(foreign(context, memory.0 + 4095), Some((first, 4095)));
    assert!(foreign(context, memory.0 - 1).is_none_or(|(other, _)| other.id != first.id));
    let at = memory.0;
    drop(memory);
    assert!(foreign(context, at + 100).is_none());
    // Sooner or later memory is at the same place again.
    let mut others = Vec::new();
    let again = loop {
        let memory = Foreign::new(4096);
        if memory.0 == at || others.len() == 1000 {
            break memory;
        }
        others.push(memory);
    };
    let (second, _) = foreign(context, again.0).unwrap();
    assert_eq!((second.base, second.bytes), (again.0, 4096));
    assert_ne!(second.id, first.id);
    // What is known of memory of others is of use to wrap a part of it.
    // SAFETY: the memory lives until the buffer is gone.
    let wrapped = unsafe { Buffer::wrap(context, again.0 + 64, 64, Box::new(|| ())) }.unwrap();
    for (bytes, fits) in [(4096 - 64, true), (4096 - 63, false)] {
        // SAFETY: as above.
        let wrapped = unsafe { Buffer::wrap(context, again.0 + 64, bytes, Box::new(|| ())) };
        assert_eq!(wrapped.is_ok(), fits, "{bytes} bytes");
    }
    let [outside, start, end] = [63, 64, 128].map(|offset| context.find_buffer(again.0 + offset));
    assert!(outside.is_none());
    assert_eq!((start.unwrap().offset, end.unwrap().offset), (0, 64));
    drop(wrapped);
}

fn buffers_are_told_without_a_question(context: &Context) {
    let kinds = [MemoryKind::Pooled, MemoryKind::Waitable, MemoryKind::Managed(Attach::Global)];
    let buffers = kinds.map(|kind| Buffer::allocate_as(context, 256, kind).unwrap());
    let options = HostMemoryOptions { mapped: true, ..HostMemoryOptions::default() };
    let pinned = HostBuffer::allocate(context, 256, options).unwrap();
    let mut words: Vec<u64> = buffers.iter().map(|buffer| buffer.address() + 8).collect();
    words.push(pinned.device_address().unwrap() + 8);
    let before = questions();
    let pieces = read(context, &words);
    assert_eq!(questions(), before);
    assert_eq!(pieces.len(), 4);
    for (at, piece) in pieces.iter().enumerate() {
        let Meaning::Buffer(Located { memory, offset: 8 }) = &piece.meaning else { panic!("{piece:?}") };
        assert_eq!(matches!(memory, Memory::HostBuffer(_)), at == 3);
    }
    // The driver knows memory of buffers that are gone until it goes back, and again when it is allocated anew.
    let start = buffers[1].address();
    drop((pieces, buffers, pinned));
    let (lingering, _) = foreign(context, start + 8).unwrap();
    assert_eq!((lingering.base, lingering.bytes), (start, 256));
    context.collect().unwrap();
    assert!(foreign(context, start + 8).is_none());
}

/// As the largest parameter that was seen has them: some pointers, and many numbers that may be some.
fn a_kernel_of_340_words_is_asked_about_once(context: &Context) {
    let buffers: Vec<_> = (0..3).map(|_| Buffer::allocate(context, 1 << 16).unwrap()).collect();
    let others: Vec<_> = (0..2).map(|_| Foreign::new(1 << 16)).collect();
    let words: Vec<u64> = (0..340)
        .map(|at| match at {
            at if at % 100 < 3 => buffers[at % 100].address() + at as u64,
            at if at % 100 < 5 => others[at % 100 - 3].0 + at as u64,
            at if at % 4 == 0 => 0x10_0000_0000 * at as u64 + 0x100, // two numbers in a word, different each time
            at if at % 4 == 1 => 1024,
            at if at % 4 == 2 => 0x3f80_0000_0000_0000,
            _ => 0x0000_0100_0000_0200, // the same each time
        })
        .collect();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let distinct = (5..340).filter(|at| at % 100 >= 5 && at % 4 == 0).count() as u64 + 1;
    let parameters = [Parameter::new(0, bytes.len())];
    let asked = |recorded, kernels: usize| {
        let before = questions();
        let mut reader = context.read_arguments(recorded);
        for _ in 0..kernels {
            let pieces = reader.read(&parameters, ArgumentBytes::Packed(&bytes)).unwrap();
            let pointers = pieces.iter().filter(|piece| !matches!(piece.meaning, Meaning::Value)).count();
            assert_eq!(pointers, 4 * 5);
        }
        questions() - before
    };
    let recorded = context.moment();
    let (cold, warm, graph) = (asked(recorded, 1), asked(recorded, 1), asked(recorded, 100));
    println!("questions about a kernel of 340 words: {cold} at first, then {warm}; {graph} about 100 such kernels");
    assert_eq!((cold, warm, graph), (distinct + 2, 2, 2));
    assert_eq!(asked(context.moment(), 1), distinct + 2);
}
