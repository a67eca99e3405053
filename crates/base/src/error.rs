//! The one error type of the library: a status number and a sentence.
//!
//! Positive statuses are the CUDA driver's own numbers, on every device; negative ones are graphcap's own.

use std::borrow::Cow;

/// A status number as it crosses the C boundary. 0 is success and never inside an [`Error`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Status(pub i32);

/// Declares the statuses once: constant, number, C name and meaning.
macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $c_name:literal, $description:literal;)*) => {
        impl Status {
            $($(#[$doc])* #[doc = $description] pub const $name: Status = Status($number);)*

            /// The name that the status has in graphcap.h, or `None` for a number that graphcap never returns.
            pub fn name(self) -> Option<&'static std::ffi::CStr> {
                match self.0 { $($number => Some($c_name),)* _ => None }
            }

            /// Returns what the status means, in a sentence.
            pub fn description(self) -> Option<&'static std::ffi::CStr> {
                match self.0 { $($number => Some(const {
                    match std::ffi::CStr::from_bytes_with_nul(concat!($description, "\0").as_bytes()) {
                        Ok(text) => text,
                        Err(_) => panic!("a description holds no NUL"),
                    }
                }),)* _ => None }
            }

            /// Every status that graphcap can return.
            pub const ALL: &'static [Status] = &[$(Status::$name),*];
        }
    };
}

statuses! {
    SUCCESS = 0, c"GRAPHCAP_SUCCESS", "The call did what it says.";
    INVALID_VALUE = 1, c"GRAPHCAP_ERROR_INVALID_VALUE", "An argument is NULL, out of range or inconsistent with another.";
    OUT_OF_MEMORY = 2, c"GRAPHCAP_ERROR_OUT_OF_MEMORY", "The device or the host has not enough memory.";
    NOT_INITIALIZED = 3, c"GRAPHCAP_ERROR_NOT_INITIALIZED", "The driver could not be initialised.";
    STUB_LIBRARY = 34, c"GRAPHCAP_ERROR_STUB_LIBRARY", "The driver library that was loaded is a stub without a driver behind it.";
    NO_DEVICE = 100, c"GRAPHCAP_ERROR_NO_DEVICE", "There is no device of the kind asked for.";
    INVALID_DEVICE = 101, c"GRAPHCAP_ERROR_INVALID_DEVICE", "The device ordinal is not below the number of devices.";
    INVALID_IMAGE = 200, c"GRAPHCAP_ERROR_INVALID_IMAGE", "The module image is damaged or of no known kind.";
    INVALID_CONTEXT = 201, c"GRAPHCAP_ERROR_INVALID_CONTEXT", "The context is not valid, or objects of different contexts were mixed.";
    NO_BINARY_FOR_GPU = 209, c"GRAPHCAP_ERROR_NO_BINARY_FOR_GPU", "The module holds no code for this device.";
    INVALID_PTX = 218, c"GRAPHCAP_ERROR_INVALID_PTX", "The PTX of the module could not be compiled.";
    UNSUPPORTED_PTX_VERSION = 222, c"GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION", "The PTX of the module is newer than the driver.";
    INVALID_HANDLE = 400, c"GRAPHCAP_ERROR_INVALID_HANDLE", "A handle is NULL, destroyed, of another kind, or was never one.";
    ILLEGAL_STATE = 401, c"GRAPHCAP_ERROR_ILLEGAL_STATE", "The object is in a state in which the call is not allowed.";
    LOSSY_QUERY = 402, c"GRAPHCAP_ERROR_LOSSY_QUERY", "The answer has no room for what edges carry; ask the call that gives edge data.";
    NOT_FOUND = 500, c"GRAPHCAP_ERROR_NOT_FOUND", "Nothing of that name or number exists.";
    NOT_READY = 600, c"GRAPHCAP_ERROR_NOT_READY", "The work asked about has not completed yet.";
    ILLEGAL_ADDRESS = 700, c"GRAPHCAP_ERROR_ILLEGAL_ADDRESS", "A kernel faulted; the context can run nothing any more.";
    LAUNCH_OUT_OF_RESOURCES = 701, c"GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES", "A launch needs more than the device has.";
    HOST_MEMORY_ALREADY_REGISTERED = 712, c"GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "The host memory is pinned already, in part at least.";
    LAUNCH_FAILED = 719, c"GRAPHCAP_ERROR_LAUNCH_FAILED", "Work failed while it ran; the context can run nothing any more.";
    COOPERATIVE_LAUNCH_TOO_LARGE = 720, c"GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "A cooperative launch has more blocks than the device runs at once.";
    NOT_PERMITTED = 800, c"GRAPHCAP_ERROR_NOT_PERMITTED", "The call is not allowed here, for example inside a callback.";
    NOT_SUPPORTED = 801, c"GRAPHCAP_ERROR_NOT_SUPPORTED", "The device or its driver does not offer this.";
    CAPTURE_UNSUPPORTED = 900, c"GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED", "The call is not allowed while a stream is being captured.";
    CAPTURE_INVALIDATED = 901, c"GRAPHCAP_ERROR_CAPTURE_INVALIDATED", "An earlier call broke the capture.";
    CAPTURE_MERGE = 902, c"GRAPHCAP_ERROR_CAPTURE_MERGE", "The call would have merged two captures.";
    CAPTURE_UNMATCHED = 903, c"GRAPHCAP_ERROR_CAPTURE_UNMATCHED", "The capture was not begun on this stream.";
    CAPTURE_UNJOINED = 904, c"GRAPHCAP_ERROR_CAPTURE_UNJOINED", "Work of a forked stream was not joined to the stream that began the capture.";
    CAPTURE_ISOLATION = 905, c"GRAPHCAP_ERROR_CAPTURE_ISOLATION", "A capture would have depended on work from outside it.";
    CAPTURE_IMPLICIT = 906, c"GRAPHCAP_ERROR_CAPTURE_IMPLICIT", "The call would have depended on a capture through the legacy stream.";
    CAPTURED_EVENT = 907, c"GRAPHCAP_ERROR_CAPTURED_EVENT", "The event was last recorded in a capture, which has no completion to ask about.";
    CAPTURE_WRONG_THREAD = 908, c"GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD", "The capture was ended by a thread other than the one that began it.";
    TIMEOUT = 909, c"GRAPHCAP_ERROR_TIMEOUT", "The time allowed has passed.";
    GRAPH_EXEC_UPDATE_FAILURE = 910, c"GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "The graph exec cannot be updated to this graph; it is unchanged.";
    INVALID_CLUSTER_SIZE = 912, c"GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE", "A cluster has too many blocks, or does not divide the grid.";
    UNKNOWN = 999, c"GRAPHCAP_ERROR_UNKNOWN", "The driver failed without saying why.";
    STALE = -1, c"GRAPHCAP_ERROR_STALE", "The object is older than the last reset of its context.";
    SEALED = -2, c"GRAPHCAP_ERROR_SEALED", "The pool is sealed.";
    BUSY = -3, c"GRAPHCAP_ERROR_BUSY", "Another thread, a graph or an earlier call is using the object.";
    PANIC = -4, c"GRAPHCAP_ERROR_PANIC", "graphcap failed internally; the object can no longer be used.";
    CALLBACK = -5, c"GRAPHCAP_ERROR_CALLBACK", "A callback of the caller reported a failure.";
    BUFFER_TOO_SMALL = -6, c"GRAPHCAP_ERROR_BUFFER_TOO_SMALL", "The memory offered for the answer is too small; the size needed was written.";
    LIBRARY = -7, c"GRAPHCAP_ERROR_LIBRARY", "A library could not be loaded or lacks what is needed.";
    FORKED = -8, c"GRAPHCAP_ERROR_FORKED", "The process was forked after graphcap was first used; only the parent can use it.";
    CANCELLED = -9, c"GRAPHCAP_ERROR_CANCELLED", "The actor was closed before it came to the message.";
}

/// Reason for the failure of a call: the status that C sees, and what to tell a person.
///
/// The message says what was attempted, on which object, and what to do next. It does not name the
/// C function: the C boundary puts that in front.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The number that the C boundary returns.
    pub status: Status,
    /// One or two sentences for a person.
    pub message: Cow<'static, str>,
}

impl Error {
    /// An error of `status` told by `message`.
    #[cold]
    pub fn new(status: Status, message: impl Into<Cow<'static, str>>) -> Self {
        Error { status, message: message.into() }
    }

    /// An argument that is out of range or inconsistent.
    #[cold]
    pub fn invalid_value(message: impl Into<Cow<'static, str>>) -> Self {
        Error::new(Status::INVALID_VALUE, message)
    }
}

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_distinct_number_and_name() {
        for (i, a) in Status::ALL.iter().enumerate() {
            assert!(a.name().is_some() && a.description().is_some());
            for b in &Status::ALL[..i] {
                assert_ne!(a.0, b.0);
                assert_ne!(a.name(), b.name());
            }
        }
        // The page about statuses has each of them, with its number.
        let page = include_str!("../../../docs/statuses.md");
        for status in Status::ALL {
            let name = status.name().unwrap().to_str().unwrap();
            assert_eq!(page.matches(&format!("| `{name}` | {} |", status.0)).count(), 1, "{name}");
        }
        assert_eq!(Status(123_456).name(), None);
        assert_eq!(Status(123_456).description(), None);
    }
}
