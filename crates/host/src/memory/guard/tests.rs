//! Guarded blocks: where they lie, what is told of addresses, canaries, and that nothing is used again.

use super::*;

fn write(address: Address, byte: u8) {
    // SAFETY: the address lies in pages that may be touched.
    unsafe { std::ptr::with_exposed_provenance_mut::<u8>(address as usize).write(byte) };
}

fn told(address: Address) -> String {
    BytePlace::of(space::find(address).unwrap(), address).to_string()
}

#[test]
fn a_block_ends_where_its_alignment_lets_it_end() {
    for (bytes, alignment) in [(1, 256), (256, 256), (257, 512), (4096, 256), (10_000, 512)] {
        let block = Guarded::allocate(bytes, alignment).unwrap();
        let record = space::record(block.number);
        assert_eq!(block.address() % alignment as u64, 0);
        assert!(record.pages().end - record.end() < alignment as u64, "{bytes}");
        assert!(record.pages().start <= block.address() && record.pages().start.is_multiple_of(pages::size()));
        write(block.address(), 1);
        write(record.end() - 1, 2);
        check_all();
    }
    assert!(Guarded::allocate(usize::MAX, 256).is_none());
}

#[test]
fn addresses_are_told_by_the_block_that_is_nearest() {
    let [first, second] = [(); 2].map(|()| Guarded::allocate(4096, 256).unwrap());
    let (start, next) = (first.address(), second.address());
    let record = space::record(first.number);
    record.set_name("weights");
    assert_eq!(told(start + 7), format!("byte 7 of buffer \"weights\" of 4096 bytes at {start:#x}"));
    assert_eq!(
        told(start + 4100),
        format!("byte 4100 of buffer \"weights\" of 4096 bytes at {start:#x}, 4 bytes past its end")
    );
    // Other tests may have allocated between the two.
    assert!(told(next - 8).starts_with("the byte 8 bytes before the start of an unnamed buffer of 4096 bytes"));
    drop(first);
    assert!(told(start).ends_with(", which is freed"), "{}", told(start));
    let again = Guarded::allocate(4096, 256).unwrap();
    assert!(again.address() > next, "addresses are not used again");
    assert!(space::find(1).is_none() && space::find(u64::MAX).is_none());
    record.set_name(&format!("{}\u{e9}", "n".repeat(93)));
    assert!(told(start).contains(&format!("\"{}\"", "n".repeat(93))), "cut between two characters: {}", told(start));
}

#[test]
fn each_byte_of_a_canary_counts() {
    let block = Guarded::allocate(1001, 256).unwrap();
    let record = space::record(block.number);
    let canaries = record.slack();
    assert_eq!(canaries.iter().map(|slack| slack.end - slack.start).sum::<u64>(), pages::size() - 1001);
    for slack in canaries {
        assert_eq!(pages::damaged(slack.clone()), None);
        for address in slack.clone() {
            write(address, 0);
            assert_eq!(pages::damaged(slack.clone()), Some(address));
            pages::fill(address..address + 1);
        }
    }
}

#[test]
fn what_a_graph_allocates_is_open_as_long_as_anything_wants_it() {
    let block = Guarded::allocate(100, 512).unwrap();
    let address = block.address();
    write(address, 3);
    block.open();
    block.close();
    write(address, 4);
    block.close();
    assert!(told(address).ends_with("which a graph allocates and which is not allocated now"));
    block.open();
    write(address, 5);
    block.close();
    check_all();
}
