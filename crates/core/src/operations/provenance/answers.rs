//! Answers of a device about words that are no device memory, and until when each holds.
//!
//! To ask NVIDIA's driver takes 57 ns for a pointer and 500 ns for a word that is none, and most words of a kernel's
//! arguments are none: sizes, strides, factors. They are the same in most kernels of a program, so it pays to remember
//! them; and the answers that are worth remembering are the ones that nothing tells of when they change: memory may be
//! allocated there later, by others.
//!
//! So each answer has the time of its question, and each reader says since when what it reads has been recorded. Work
//! points to memory that was allocated when it was recorded. So an answer to a question that was asked *later* tells of it
//! rightly, and is used; one that was asked before is not, and the device is asked again. What is left: memory of others
//! that was freed after work was recorded that points to it, and allocated anew at the same address after the question.
//! Such work is broken, since it uses memory that was freed; that its word is told to be a value harms nobody.

use graphcap_base::lock::{lock, rank, Mutex};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of words that are remembered: enough for the arguments of hundreds of different kernels.
const MOST: usize = 16 * 1024;

/// A moment of a context's, before or after its questions to the device.
///
/// Work that was recorded before [`Context::moment`](crate::Context::moment) was called points to memory that
/// questions asked after that know of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Moment(u64);

/// The words that were found to be no device memory.
#[derive(Default)]
pub(crate) struct Answers {
    clock: AtomicU64,
    /// Each with the time of its question.
    none: Mutex<HashMap<u64, Moment>, rank::Answers>,
}

impl Answers {
    /// This moment. All questions that begin from here on are later.
    pub(crate) fn moment(&self) -> Moment {
        Moment(self.clock.fetch_add(1, Ordering::SeqCst) + 1)
    }

    /// The time of a question that begins now.
    pub(crate) fn asking(&self) -> Moment {
        Moment(self.clock.load(Ordering::SeqCst))
    }

    /// Returns whether a question that was asked at `since` or later was answered that no device memory is at `word`.
    pub(crate) fn is_none(&self, word: u64, since: Moment) -> bool {
        lock(&self.none).get(&word).is_some_and(|&asked| asked >= since)
    }

    /// Remembers the answer to a question that was asked at `asked`.
    pub(crate) fn note_none(&self, word: u64, asked: Moment) {
        let mut none = lock(&self.none);
        if none.len() >= MOST && !none.contains_key(&word) {
            none.clear();
        }
        let noted = none.entry(word).or_insert(asked);
        // Another thread may have asked later, and been quicker.
        *noted = asked.max(*noted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_holds_for_what_was_recorded_before_the_question() {
        let answers = Answers::default();
        let before = answers.moment();
        answers.note_none(7, answers.asking());
        assert!(answers.is_none(7, before));
        assert!(!answers.is_none(8, before));
        let after = answers.moment();
        assert!(!answers.is_none(7, after), "memory may have been allocated there since");
        assert!(answers.is_none(7, before));
        answers.note_none(7, answers.asking());
        answers.note_none(7, before);
        assert!(answers.is_none(7, after), "a late note of an early question takes nothing back");
    }

    #[test]
    fn a_bounded_number_of_words_is_remembered() {
        let answers = Answers::default();
        let since = answers.moment();
        for word in 0..3 * MOST as u64 {
            answers.note_none(word, answers.asking());
            assert!(answers.is_none(word, since));
        }
        assert!(lock(&answers.none).len() <= MOST);
    }
}
