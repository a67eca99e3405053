//! The reason for the failure of a C call, kept as data: the message is formatted only once, straight into the thread's buffer.

use std::fmt;

use super::handle::Kind;
use graphcap_base::error::{Error, Status};
use graphcap_driver::BatchError;

/// The result of the middle step of every exported function.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// Reason for the failure of a call.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Error of the layers below.
    Told(Error),
    /// A handle that names no object of the kind expected.
    Handle { argument: &'static str, expected: Kind, found: Found },
    /// A handle of a kind whose objects lack what is asked for, or none.
    OtherKind { argument: &'static str, is_null: bool, kind: Option<Kind>, lacks: &'static str, known: &'static str },
    /// A handle whose object met a panic.
    Poisoned { argument: &'static str, kind: Kind },
    /// A handle whose object is older than the last reset of its context.
    Stale { argument: &'static str, kind: Kind },
    /// All numbers of a kind are taken.
    TableFull(Kind),
    /// An argument that is NULL and may not be.
    Null(&'static str),
    /// Bits or numbers that mean nothing.
    Unknown { argument: &'static str, number: i128, known: &'static str },
    /// A text that is not UTF-8.
    NotUtf8(&'static str),
    /// An array that no memory can hold, or that is not aligned.
    NoArray { argument: &'static str, count: usize },
    /// The first member of a struct does not state a size that can be meant.
    StructSize { argument: &'static str, of: &'static str, stated: usize, known: usize },
    /// A struct of a later version uses what this one lacks.
    StructTail { argument: &'static str, stated: usize, known: usize },
    /// The elements of an array state different sizes.
    MixedSizes { argument: &'static str, stated: usize, first: usize },
    /// Failure of one element of an array.
    Element { index: usize, failure: Box<Failure> },
    /// The failure of an argument that is a member of another one. `place` is the path of the member.
    Member { place: &'static str, failure: Box<Failure> },
    /// A text did not fit.
    TextTooSmall { needed: usize, capacity: usize },
    /// Values did not fit.
    ArrayTooSmall { needed: usize, capacity: usize },
    /// The call was made in a forked child.
    Forked,
}

/// Finding about a handle that was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// NULL.
    Null,
    /// The handle of a destroyed object, or a number that looks like one.
    Dead,
    /// A handle of another kind.
    Other(Kind),
    /// A number of 32 bits, where handles have 64.
    Half,
    /// Never a handle.
    Garbage,
}

impl Failure {
    /// This failure, told as one of the element `index` of an array.
    #[cold]
    pub(crate) fn of_element(self, index: usize) -> Self {
        Failure::Element { index, failure: Box::new(self) }
    }

    /// This failure, told of the member `place` of an argument: in the name of what is wrong, that is instead of the first part.
    #[cold]
    pub(crate) fn of_member(self, place: &'static str) -> Self {
        Failure::Member { place, failure: Box::new(self) }
    }

    /// The argument that is wrong; nothing where that is none by itself.
    pub(crate) fn argument(&self) -> &'static str {
        match self {
            Failure::Handle { argument, .. }
            | Failure::OtherKind { argument, .. }
            | Failure::Poisoned { argument, .. }
            | Failure::Stale { argument, .. }
            | Failure::Null(argument)
            | Failure::Unknown { argument, .. }
            | Failure::NotUtf8(argument)
            | Failure::NoArray { argument, .. }
            | Failure::StructSize { argument, .. }
            | Failure::StructTail { argument, .. }
            | Failure::MixedSizes { argument, .. } => argument,
            Failure::Element { failure, .. } | Failure::Member { failure, .. } => failure.argument(),
            Failure::Told(_)
            | Failure::TableFull(_)
            | Failure::TextTooSmall { .. }
            | Failure::ArrayTooSmall { .. }
            | Failure::Forked => "",
        }
    }

    /// The number that C gets.
    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Told(error) => error.status,
            Failure::Handle { .. } | Failure::OtherKind { .. } => Status::INVALID_HANDLE,
            Failure::Poisoned { .. } => Status::PANIC,
            Failure::Stale { .. } => Status::STALE,
            Failure::Element { failure, .. } | Failure::Member { failure, .. } => failure.status(),
            Failure::TableFull(_) => Status::OUT_OF_MEMORY,
            Failure::TextTooSmall { .. } | Failure::ArrayTooSmall { .. } => Status::BUFFER_TOO_SMALL,
            Failure::Forked => Status::FORKED,
            Failure::Null(_)
            | Failure::Unknown { .. }
            | Failure::NotUtf8(_)
            | Failure::NoArray { .. }
            | Failure::MixedSizes { .. }
            | Failure::StructSize { .. }
            | Failure::StructTail { .. } => Status::INVALID_VALUE,
        }
    }
}

impl From<Error> for Failure {
    #[cold]
    fn from(error: Error) -> Self {
        Failure::Told(error)
    }
}

impl From<BatchError> for Failure {
    #[cold]
    fn from(BatchError { index, error }: BatchError) -> Self {
        match index {
            Some(index) => Failure::Told(error).of_element(index),
            None => Failure::Told(error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tell(None, f)
    }
}

/// The name of an argument, with `place` instead of its first part.
struct Argument {
    place: Option<&'static str>,
    name: &'static str,
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(place) = self.place else { return f.write_str(self.name) };
        f.write_str(place)?;
        match self.name.split_once('.') {
            Some((_, rest)) => write!(f, ".{rest}"),
            None => Ok(()),
        }
    }
}

impl Failure {
    /// Writes the message, with the argument named as a member where `place` says so.
    fn tell(&self, place: Option<&'static str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let argument = Argument { place, name: self.argument() };
        match self {
            Failure::Told(error) => f.write_str(&error.message),
            Failure::Handle { expected, found, .. } => {
                let expected = expected.c_name();
                match found {
                    Found::Null => write!(f, "'{argument}' is NULL; pass a {expected}"),
                    Found::Dead => {
                        write!(f, "'{argument}' is a {expected} that was destroyed; pass a live one")
                    }
                    Found::Other(kind) => {
                        write!(f, "'{argument}' is a {}; pass a {expected}", kind.c_name())
                    }
                    Found::Half => write!(
                        f,
                        "'{argument}' has 32 bits and was never a handle, or the upper half is missing: declare the argument as a pointer \
                         where the call is declared; pass a {expected} that graphcap made"
                    ),
                    Found::Garbage => {
                        write!(f, "'{argument}' was never a handle; pass a {expected} that graphcap made")
                    }
                }
            }
            Failure::OtherKind { is_null, kind, lacks, known, .. } => {
                match kind {
                    _ if *is_null => write!(f, "'{argument}' is NULL")?,
                    Some(kind) => write!(f, "'{argument}' is a {}, which has no {lacks}", kind.c_name())?,
                    None => write!(f, "'{argument}' was never a handle")?,
                }
                write!(f, "; pass {known}")
            }
            Failure::Poisoned { kind, .. } => write!(
                f,
                "an earlier call on '{argument}' failed inside graphcap; all that can be done with this {} is to destroy it",
                kind.c_name()
            ),
            Failure::Stale { kind, .. } => write!(
                f,
                "'{argument}' is a {} that is older than the last reset of its context; destroy it, and make another one",
                kind.c_name()
            ),
            Failure::TableFull(kind) => {
                write!(f, "too many objects of kind {} are alive; destroy some", kind.c_name())
            }
            Failure::Null(_) => write!(f, "'{argument}' is NULL; pass a valid pointer"),
            Failure::Unknown { number, known, .. } => {
                write!(f, "'{argument}' is {number}; it must be {known}")
            }
            Failure::NotUtf8(_) => write!(f, "'{argument}' is not UTF-8; pass a text that is"),
            Failure::NoArray { count, .. } => {
                write!(f, "'{argument}' is not aligned or cannot have {count} elements; pass an array of that many")
            }
            Failure::StructSize { of, stated, known, .. } => {
                // The type is named as in C, with its path before.
                let of = of.rsplit("gc_").next().unwrap_or(of).to_uppercase();
                write!(
                    f,
                    "the struct_size of '{argument}' is {stated}, which is no size of that struct ({known} bytes in this version); \
                     start from GRAPHCAP_{of}_INIT, or set it to the size of the struct"
                )
            }
            Failure::StructTail { stated, known, .. } => write!(
                f,
                "'{argument}' has {stated} bytes, of which this version knows {known}, and the rest is not zero; \
                 leave the newer members zero or use a newer graphcap"
            ),
            Failure::MixedSizes { stated, first, .. } => write!(
                f,
                "an element of '{argument}' has struct_size {stated} and the first one {first}; give all the same"
            ),
            Failure::Element { index, failure } => {
                failure.tell(place, f)?;
                write!(f, " (element {index})")
            }
            Failure::Member { place, failure } => failure.tell(Some(place), f),
            Failure::TextTooSmall { needed, capacity } => {
                write!(f, "the text needs {needed} bytes and 'capacity' is {capacity}; offer {needed}")
            }
            Failure::ArrayTooSmall { needed, capacity } => {
                write!(f, "there are {needed} and 'capacity' is {capacity}; offer room for {needed}")
            }
            Failure::Forked => f.write_str(
                "the process was forked after graphcap was first used; use graphcap in the parent, \
                 or call exec in the child",
            ),
        }
    }
}
