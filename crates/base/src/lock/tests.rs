//! The check of the order of locks, with locks of ranks that the library has.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread;

use super::*;

type First = Mutex<u32, rank::Parting>;
type Second = Mutex<u32, rank::History>;
type ByAddress = Mutex<u32, rank::Queue>;
type Leaf = Mutex<u32, rank::Names>;

/// Returns what the panic of `call` says; `None` where there is none.
fn complaint(call: impl FnOnce()) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(call)).err()?;
    Some(*payload.downcast::<String>().expect("the panic has a message"))
}

/// Checks that `call` is refused because of these two locks, and leaves nothing held.
#[track_caller]
fn assert_refused(taken: &str, held: &str, call: impl FnOnce()) {
    let said = complaint(call).expect("the order was not checked");
    assert!(said.contains(&format!("{taken} (")), "{said}");
    assert!(said.contains(&format!("holds {held} (")), "{said}");
    let first = First::new(0);
    assert_eq!(complaint(|| drop(lock(&first))), None, "something is still held");
}

#[test]
fn locks_are_taken_from_the_top_of_the_table_to_its_bottom() {
    let (first, second, leaf) = (First::new(1), Second::new(2), Leaf::new(3));
    let (first, second, leaf) = (lock(&first), lock(&second), lock(&leaf));
    assert_eq!((*first, *second, *leaf), (1, 2, 3));
}

#[test]
fn a_lock_further_up_is_refused() {
    let (first, second) = (First::new(0), Second::new(0));
    assert_refused("a handle's Parting", "Membership.history", || {
        let _second = lock(&second);
        let _first = lock(&first);
    });
}

#[test]
fn what_was_let_go_counts_no_more() {
    let (first, second, leaf) = (First::new(0), Second::new(0), Leaf::new(0));
    drop(lock(&leaf));
    let held = (lock(&first), lock(&second));
    // In the order in which they were taken, which leaves the second one held.
    drop(held.0);
    assert_refused("a handle's Parting", "Membership.history", || {
        let _held = held.1;
        let _first = lock(&first);
    });
    drop((lock(&first), lock(&leaf)));
}

#[test]
fn what_another_thread_holds_does_not_count() {
    let (first, leaf) = (First::new(0), Leaf::new(0));
    let _leaf = lock(&leaf);
    thread::scope(|scope| {
        scope.spawn(|| *lock(&first) += 1);
    });
}

#[test]
fn a_lock_is_not_taken_twice() {
    let second = Second::new(0);
    assert_refused("Membership.history", "Membership.history", || {
        let _once = lock(&second);
        let _again = lock(&second);
    });
}

#[test]
fn locks_of_one_row_are_not_held_together() {
    let (of_lanes, same, leaf) = (Mutex::<_, rank::Ready>::new(0), Mutex::<_, rank::Ready>::new(0), Leaf::new(0));
    let (beside, other_leaf) = (Mutex::<_, rank::Offers>::new(0), Mutex::<_, rank::Ranges>::new(0));
    assert_refused("Ready.streams", "Ready.streams", || drop((lock(&of_lanes), lock(&same))));
    assert_refused("Lanes.offers", "Ready.streams", || drop((lock(&of_lanes), lock(&beside))));
    assert_refused("Ready.streams", "Lanes.offers", || drop((lock(&beside), lock(&of_lanes))));
    assert_refused("RANGES", "a name", || drop((lock(&leaf), lock(&other_leaf))));
}

#[test]
fn several_of_one_rank_go_by_their_addresses() {
    let queues = [const { ByAddress::new(0) }; 3];
    drop(queues.each_ref().map(lock));
    // One that was let go does not stand in the way.
    let (first, last) = (lock(&queues[0]), lock(&queues[2]));
    drop(last);
    drop((lock(&queues[1]), first));
    assert_refused("Stream.queue", "Stream.queue", || drop((lock(&queues[1]), lock(&queues[0]))));
    assert_refused("Stream.queue", "Stream.queue", || drop((lock(&queues[1]), lock(&queues[1]))));
}

#[test]
fn one_of_several_can_be_the_last() {
    let queues = [const { ByAddress::new(0) }; 3];
    drop((lock(&queues[1]), lock(&queues[2]), lock_last(&queues[0])));
    assert_refused("Stream.queue", "Stream.queue", || drop((lock_last(&queues[0]), lock(&queues[2]))));
    assert_refused("Stream.queue", "Stream.queue", || drop((lock_last(&queues[0]), lock_last(&queues[1]))));
}

#[test]
fn a_lock_that_is_held_for_moments_has_its_place_in_the_order_too() {
    let (first, second) = (First::new(0), Second::new(0));
    assert_refused("a handle's Parting", "Membership.history", || {
        let _second = lock_soon(&second);
        let _first = lock_soon(&first);
    });
}

#[test]
fn threads_that_look_for_a_lock_have_it_one_after_another() {
    let leaf = Leaf::new(0);
    thread::scope(|scope| {
        let add_up = || (0..1000).for_each(|_| *lock_soon(&leaf) += 1);
        (0..4).for_each(|_| drop(scope.spawn(add_up)));
    });
    assert_eq!(*lock(&leaf), 4000);
}

#[test]
fn a_lock_that_is_held_for_longer_is_slept_for() {
    let leaf = Leaf::new(0);
    thread::scope(|scope| {
        let held = lock(&leaf);
        let waits = scope.spawn(|| *lock_soon(&leaf));
        thread::sleep(Duration::from_millis(2));
        drop(held);
        assert_eq!(waits.join().unwrap(), 0);
    });
}

#[test]
fn an_attempt_is_free_but_what_it_took_counts() {
    let (first, second) = (First::new(0), Second::new(7));
    let leaf = lock(&LEAF);
    let taken = second.try_lock().expect("nobody has it");
    assert_eq!(*taken, 7);
    assert!(second.try_lock().is_none());
    drop(leaf);
    assert_refused("a handle's Parting", "Membership.history", || {
        let _taken = taken;
        let _first = lock(&first);
    });

    static LEAF: Leaf = Leaf::new(0);
}

#[test]
fn reading_and_writing_have_the_same_order() {
    let (readable, second) = (RwLock::<_, rank::Begins>::new(5), Second::new(0));
    {
        let _second = lock(&second);
        assert_eq!(*readable.read(), 5);
        *readable.write() = 6;
    }
    assert_refused("Membership.history", "BEGINS", || drop((readable.read(), lock(&second))));
    assert_refused("Membership.history", "BEGINS", || drop((readable.write(), lock(&second))));
    assert_refused("BEGINS", "BEGINS", || drop((readable.read(), readable.read())));
}

#[test]
fn a_wait_lets_go_of_its_lock_and_takes_it_again() {
    let (first, second, changed) = (First::new(0), Second::new(0), Condvar::new());
    let _first = lock(&first);
    let waited = changed.wait_timeout(lock(&second), Duration::from_millis(1));
    let (mut waited, outcome) = changed.wait_timeout_while(waited, Duration::from_millis(1), |value| *value == 0);
    assert!(outcome.timed_out());
    *waited = 1;
    drop(waited);
    drop(lock(&second));
    thread::scope(|scope| {
        scope.spawn(|| {
            *lock(&second) = 2;
            changed.notify_all();
        });
        let mut waited = lock(&second);
        while *waited != 2 {
            waited = changed.wait(waited);
        }
    });
}

#[test]
fn no_lock_further_down_is_held_over_a_wait() {
    let (first, second, changed) = (First::new(0), Second::new(0), Condvar::new());
    assert_refused("a handle's Parting", "Membership.history", || {
        let waiting = lock(&first);
        let _second = lock(&second);
        drop(changed.wait_timeout(waiting, Duration::from_millis(1)));
    });
}

#[test]
fn a_panic_leaves_the_lock_usable() {
    let (first, second) = (First::new(0), Second::new(0));
    let said = complaint(|| {
        let _first = lock(&first);
        *lock(&second) = 3;
        panic!("{}", String::from("not of the order"));
    });
    assert_eq!(said.as_deref(), Some("not of the order"));
    assert_eq!((*lock(&first), *second.try_lock().unwrap()), (0, 3));
}

#[test]
fn many_locks_are_held_at_once() {
    let queues: Vec<_> = (0..100).map(ByAddress::new).collect();
    let held: Vec<_> = queues.iter().map(lock).collect();
    assert_eq!(held.iter().map(|held| **held).sum::<u32>(), 4950);
    drop(held);
    drop(lock(&First::new(0)));
}

#[test]
fn a_cell_tries_again_after_a_failure_and_keeps_what_was_made() {
    let cell = OnceCell::<u32, rank::Loading>::new();
    assert_eq!((cell.get(), cell.get_or_try_init(|| Err("not now"))), (None, Err("not now")));
    assert_eq!(cell.get_or_try_init(|| Ok::<_, &str>(7)), Ok(&7));
    assert_eq!((cell.get(), cell.get_or_try_init(|| Err("never"))), (Some(&7), Ok(&7)));
}

#[test]
fn one_thread_makes_what_many_need() {
    let (cell, made) = (OnceCell::<u32, rank::Loading>::new(), Mutex::<u32, rank::Names>::new(0));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let make = || {
                    thread::yield_now();
                    Ok::<_, ()>(made.try_lock().map_or(0, |mut made| {
                        *made += 1;
                        *made
                    }))
                };
                assert_eq!(cell.get_or_try_init(make), Ok(&1));
            });
        }
    });
    assert_eq!(*lock(&made), 1);
}

#[test]
fn making_has_its_place_in_the_order() {
    let (first, cell) = (First::new(0), OnceCell::<u32, rank::Loading>::new());
    assert_refused("a handle's Parting", "a library's functions", || {
        let _ = cell.get_or_try_init(|| Ok::<_, ()>(*lock(&first)));
    });
    assert_refused("a library's functions", "a library's functions", || {
        let _ = cell.get_or_try_init(|| cell.get_or_try_init(|| Ok::<_, ()>(1)).copied());
    });
    // What is there is had whatever is held.
    let leaf = Leaf::new(0);
    assert_eq!(cell.get_or_try_init(|| Ok::<_, ()>(2)), Ok(&2));
    let _leaf = lock(&leaf);
    assert_eq!(cell.get_or_try_init(|| Ok::<_, ()>(3)), Ok(&2));
}
