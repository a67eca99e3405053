//! Handles that lie: garbage, other kinds, dead ones, and races to destroy.

use super::*;
use graphcap_base::error::Status;
use std::ptr::null_mut;
use std::sync::atomic::AtomicU32;
use std::sync::Arc;

/// A handle type over a plain object, with a table of its own, and the number of a kind whose table these tests leave alone.
macro_rules! handle_type {
    ($name:ident) => {
        struct $name;
        impl Handle for $name {
            type Object = Arc<u32>;
            const KIND: Kind = Kind::GraphExec;
            fn context(_: &Arc<u32>) -> Option<&Context> {
                None
            }
            fn table() -> &'static Table<TableEntry<Arc<u32>>> {
                static TABLE: Table<TableEntry<Arc<u32>>> = Table::new();
                &TABLE
            }
        }
    };
}

// Of tests that count nothing: they run at the same time.
handle_type!(Probe);

fn found(failure: Failure) -> Found {
    match failure {
        Failure::Handle { found, argument: "probe", .. } => found,
        other => panic!("{other:?}"),
    }
}

fn refused(handle: *mut Probe) -> Found {
    found(borrow(handle, "probe", &pin()).err().unwrap())
}

#[test]
fn a_reserved_handle_is_entered_later_or_given_back() {
    handle_type!(Reserving);
    let (reserved, other) = (reserve::<Reserving>().unwrap(), reserve::<Reserving>().unwrap());
    assert_eq!(Reserving::table().live(), 0);
    let (handle, other) = (reserved.enter(Arc::new(7)), other.enter(Arc::new(8)));
    assert_eq!((*clone(handle, "probe").unwrap(), *clone(other, "probe").unwrap()), (7, 8));
    assert_eq!(Reserving::table().live(), 2);
    // Numbers that are given back are used again.
    let indices = (0..1000).map(|_| reserve::<Reserving>().unwrap().key.index);
    assert!(indices.max().unwrap() < 100);
    destroy(handle, "probe").unwrap();
    destroy(other, "probe").unwrap();
    assert_eq!(Reserving::table().live(), 0);
}

#[test]
fn tokens_hold_their_parts() {
    for &kind in Kind::ALL {
        for key in [
            Key { index: 0, generation: 1 },
            Key { index: (1 << INDEX_BITS) - 1, generation: u32::MAX },
            Key { index: 0x00AB_CDEF, generation: 0x1234_5678 },
        ] {
            let token = Token::new(kind, key);
            assert_eq!((token.kind(), token.key()), (Some(kind), key));
            assert_eq!(Kind::ALL.iter().filter(|&&other| token.is_of(other)).count(), 1);
        }
    }
}

#[test]
fn a_handle_finds_its_object_until_it_is_destroyed() {
    let object = Arc::new(7);
    let handle = insert::<Probe>(Arc::clone(&object)).unwrap();
    assert!(!handle.is_null());
    let pinned = pin();
    assert_eq!(**borrow(handle, "probe", &pinned).unwrap(), 7);
    assert_eq!(*clone(handle, "probe").unwrap(), 7);
    let in_flight = borrow(handle, "probe", &pinned).unwrap();
    assert!(destroy(handle, "probe").is_ok());
    assert_eq!(refused(handle), Found::Dead);
    assert_eq!(found(destroy(handle, "probe").unwrap_err()), Found::Dead);
    assert_eq!((**in_flight, Arc::strong_count(&object)), (7, 2));
    drop(pinned);
    // Dropped by another thread, since the removal could not wait for this one.
    while Arc::strong_count(&object) > 1 {
        std::thread::yield_now();
    }
}

#[test]
fn a_handle_for_a_call_ends_with_it_and_does_not_count() {
    handle_type!(Lent);
    let object = Arc::new(7);
    for is_taken in [false, true] {
        let (handle, ends) = lend::<Lent>(Arc::clone(&object)).unwrap();
        assert_eq!(**borrow(handle, "probe", &pin()).unwrap(), 7);
        assert_eq!(Lent::table().live(), 0);
        if is_taken {
            drop(take_out::<Lent>(Token::of(handle).key()));
        }
        drop(ends);
        assert_eq!(found(destroy(handle, "probe").unwrap_err()), Found::Dead);
        assert_eq!(Lent::table().live(), 0);
    }
    let owned = insert::<Lent>(object).unwrap();
    assert_eq!(Lent::table().live(), 1);
    assert!(destroy(owned, "probe").is_ok());
    assert_eq!(Lent::table().live(), 0);
}

#[test]
fn null_and_garbage_are_refused() {
    assert_eq!(refused(null_mut()), Found::Null);
    assert!(destroy::<Probe>(null_mut(), "probe").is_ok());
    let real = Box::new(0u64);
    let address = std::ptr::from_ref(&*real).cast_mut().cast::<Probe>();
    assert_eq!(refused(address), Found::Garbage);
    assert_eq!(found(destroy(address, "probe").unwrap_err()), Found::Garbage);
    // The lower half of a handle, as unsigned and as signed integers of 32 bits have it, and errors of others.
    for half in [1, 0x8000_0001, 0xffff_ffff_8000_0001, usize::MAX] {
        let half = ptr::without_provenance_mut(half);
        assert_eq!(refused(half), Found::Half);
        assert_eq!(found(destroy(half, "probe").unwrap_err()), Found::Half);
    }
    // The right kind, with numbers that were never given out.
    for key in [Key { index: 5, generation: 0 }, Key { index: (1 << INDEX_BITS) - 1, generation: 9 }] {
        let forged = Token::new(Probe::KIND, key).0 as usize;
        assert_eq!(refused(ptr::without_provenance_mut(forged)), Found::Dead);
    }
}

#[test]
fn a_handle_of_another_kind_is_refused_by_name() {
    let other = Token::new(Kind::Event, Key { index: 0, generation: 1 }).0 as usize;
    let failure = borrow::<Probe>(ptr::without_provenance_mut(other), "probe", &pin()).err().unwrap();
    assert_eq!(failure.status(), Status::INVALID_HANDLE);
    assert_eq!(failure.to_string(), "'probe' is a gc_event; pass a gc_graph_exec");
}

#[test]
fn a_handle_stays_dead_when_its_slot_is_used_again() {
    let first = insert::<Probe>(Arc::new(0)).unwrap();
    let index = Token::of(first).key().index;
    destroy(first, "probe").unwrap();
    let reused = (0..10_000).map(|n| insert::<Probe>(Arc::new(n)).unwrap()).find(|&handle| {
        let same = Token::of(handle).key().index == index;
        if !same {
            destroy(handle, "probe").unwrap();
        }
        same
    });
    let reused = reused.expect("the slot comes round again");
    assert_ne!(first, reused);
    assert_eq!(refused(first), Found::Dead);
    assert!(borrow(reused, "probe", &pin()).is_ok());
    destroy(reused, "probe").unwrap();
}

#[test]
fn one_of_many_destroyers_wins() {
    for _ in 0..200 {
        let handle = insert::<Probe>(Arc::new(0)).unwrap() as usize;
        let won = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| match destroy::<Probe>(ptr::without_provenance_mut(handle), "probe") {
                    Ok(()) => _ = won.fetch_add(1, Ordering::SeqCst),
                    Err(failure) => assert_eq!(found(failure), Found::Dead),
                });
            }
        });
        assert_eq!(won.load(Ordering::SeqCst), 1);
    }
}

#[test]
fn a_stale_number_stays_taken_until_it_is_destroyed() {
    handle_type!(Ageing);
    let object = Arc::new(7);
    let handle = insert::<Ageing>(Arc::clone(&object)).unwrap();
    let key = Token::of(handle).key();
    let live = Ageing::table().live();
    drop(Ageing::table().make_stale(key, |_| ObjectEnd::Later).unwrap());
    // Other tests look handles up meanwhile; the object goes when none of them can have found it.
    while Arc::strong_count(&object) > 1 {
        std::thread::yield_now();
    }
    assert!(Ageing::table().make_stale(key, |_| ObjectEnd::Later).is_none());
    assert_eq!(Ageing::table().live(), live);
    let refused = borrow(handle, "probe", &pin()).err().unwrap();
    assert_eq!(refused.status(), Status::STALE);
    assert!(refused.to_string().contains("'probe' is a gc_graph_exec that is older than the last reset"), "{refused}");
    destroy(handle, "probe").unwrap();
    assert_eq!(found(borrow(handle, "probe", &pin()).err().unwrap()), Found::Dead);
    assert_eq!(found(destroy(handle, "probe").unwrap_err()), Found::Dead);
}

#[test]
fn a_destroy_beside_a_reset_succeeds_once() {
    for _ in 0..300 {
        let object = Arc::new(7);
        let handle = insert::<Probe>(Arc::clone(&object)).unwrap();
        let number = handle.addr();
        let destroyed = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    if destroy(ptr::without_provenance_mut::<Probe>(number), "probe").is_ok() {
                        destroyed.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
            scope.spawn(|| drop(Probe::table().make_stale(Token::of(handle_of(number)).key(), |_| ObjectEnd::Later)));
        });
        assert_eq!(destroyed.load(Ordering::SeqCst), 1);
        assert!(!Probe::table().is_stale(Token::of(handle).key()));
    }
}

fn handle_of(number: usize) -> *mut Probe {
    ptr::without_provenance_mut(number)
}

#[test]
fn a_handle_can_be_given_another_object() {
    let handle = insert::<Probe>(Arc::new(1)).unwrap();
    let key = Token::of(handle).key();
    assert!(Probe::table().keys(|held| *held.object == 1).contains(&key));
    drop(Probe::table().replace(key, TableEntry::new(Arc::new(2))).unwrap());
    assert_eq!(*clone(handle, "probe").unwrap(), 2);
    destroy(handle, "probe").unwrap();
    assert!(Probe::table().replace(key, TableEntry::new(Arc::new(3))).is_none());
    assert_eq!(refused(handle), Found::Dead);
}

#[test]
fn who_destroys_while_a_reset_replaces_gets_what_is_there_then() {
    for _ in 0..300 {
        let handle = insert::<Probe>(Arc::new(0)).unwrap();
        let key = Token::of(handle).key();
        let removed = AtomicU32::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| while Probe::table().replace(key, TableEntry::new(Arc::new(1))).is_some() {});
            scope.spawn(|| {
                if Probe::table().remove(key, |_| ObjectEnd::Later).is_some() {
                    removed.store(1, Ordering::Relaxed);
                }
                // So that the other thread ends also where this one failed.
                drop(Probe::table().remove(key, |_| ObjectEnd::Later));
            });
        });
        assert_eq!(removed.load(Ordering::Relaxed), 1);
    }
}
