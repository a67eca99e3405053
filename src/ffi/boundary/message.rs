//! The last failure of each thread, in words; and what a function of the caller's tells of its own.
//!
//! A fixed buffer without destructor: it can be written and read while a thread ends, and writing it never
//! allocates. It is touched when a call fails and when it is read, never by a call that succeeds.

use std::cell::RefCell;
use std::fmt::{self, Write};
use std::thread::LocalKey;

/// Bytes of the longest message; longer ones are cut.
pub(crate) const CAPACITY: usize = 1024;

struct Message {
    length: usize,
    text: [u8; CAPACITY],
}

thread_local! {
    static LAST: RefCell<Message> = const { RefCell::new(Message { length: 0, text: [0; CAPACITY] }) };
    static OF_CALLBACK: RefCell<Message> = const { RefCell::new(Message { length: 0, text: [0; CAPACITY] }) };
}

impl Write for Message {
    /// Takes what fits, whole characters only.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let text = prefix(text, CAPACITY - self.length);
        if let Some(place) = self.text.get_mut(self.length..self.length + text.len()) {
            place.copy_from_slice(text.as_bytes());
            self.length += text.len();
        }
        Ok(())
    }
}

/// The longest start of `text` that has at most `bytes` bytes and ends between two characters.
pub(crate) fn prefix(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Remembers that this thread's call of `function` failed because of `reason`.
#[cold]
#[inline(never)]
pub(crate) fn set(function: &str, reason: &dyn fmt::Display) {
    LAST.with(|last| {
        // It is borrowed only if a Display implementation fails a call of its own; the outer message then stands.
        if let Ok(mut last) = last.try_borrow_mut() {
            last.length = 0;
            // Message::write_str never fails; a Display that does leaves a message cut short.
            let _ = write!(last, "{function}: {reason}");
        }
    });
}

/// Remembers why a function of the caller's is about to fail, which runs on this thread. An empty text forgets that.
pub(crate) fn set_of_callback(text: &str) {
    OF_CALLBACK.with(|told| {
        if let Ok(mut told) = told.try_borrow_mut() {
            told.length = 0;
            // Message::write_str never fails.
            let _ = told.write_str(text);
        }
    });
}

/// Gives `read` what [`set_of_callback`] remembered, and empty text where that is nothing.
pub(crate) fn with_callback<R>(read: impl FnOnce(&str) -> R) -> R {
    read_from(&OF_CALLBACK, read)
}

/// Gives `read` the last message; empty when no call of this thread failed yet.
pub(crate) fn with_last<R>(read: impl FnOnce(&str) -> R) -> R {
    read_from(&LAST, read)
}

fn read_from<R>(from: &'static LocalKey<RefCell<Message>>, read: impl FnOnce(&str) -> R) -> R {
    from.with(|message| match message.try_borrow() {
        Ok(message) => {
            let text = message.text.get(..message.length).unwrap_or_default();
            read(std::str::from_utf8(text).unwrap_or_default())
        }
        Err(_) => read(""),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last() -> String {
        with_last(str::to_owned)
    }

    #[test]
    fn a_message_names_the_function_and_replaces_the_one_before() {
        set("gc_one", &"a long reason");
        set("gc_two", &"why");
        assert_eq!(last(), "gc_two: why");
    }

    #[test]
    fn messages_belong_to_their_thread() {
        set("gc_one", &"here");
        assert_eq!(std::thread::spawn(last).join().unwrap(), "");
        assert_eq!(last(), "gc_one: here");
    }

    #[test]
    fn a_message_is_cut_between_characters() {
        // Two bytes each, at odd offsets: the last one would be cut in half.
        set("gc_x", &"é".repeat(CAPACITY));
        let text = last();
        assert!(text.starts_with("gc_x: éé") && text.ends_with('é'));
        assert_eq!(text.len(), CAPACITY);
        set("gc_xy", &"é".repeat(CAPACITY));
        assert_eq!(last().len(), CAPACITY - 1);
    }

    #[test]
    fn a_prefix_ends_between_characters() {
        assert_eq!(prefix("añb", 0), "");
        assert_eq!(prefix("añb", 2), "a");
        assert_eq!(prefix("añb", 3), "añ");
        assert_eq!(prefix("añb", 9), "añb");
    }

    #[test]
    fn failing_inside_a_display_keeps_the_outer_message() {
        struct Nested;
        impl fmt::Display for Nested {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                set("gc_inner", &"inner");
                with_last(|text| assert_eq!(text, ""));
                f.write_str("outer")
            }
        }
        set("gc_outer", &Nested);
        assert_eq!(last(), "gc_outer: outer");
    }
}
