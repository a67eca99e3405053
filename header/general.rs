//! Texts that say no more than the header's introduction does of all functions and structs. The header leaves them out;
//! graphcap-api.json has them.

use super::doc::Tag;

/// Statuses with the ends of texts that the introduction or the head of a section has for all functions.
const STATUSES: &[(&str, &[&str])] = &[
    (
        "GRAPHCAP_ERROR_INVALID_CONTEXT",
        &[
            "to different contexts",
            "to another context",
            "to a context other than the stream's",
            "devices of different kinds",
            "a device of another kind",
            "a device of another kind than the kernel",
            "is of another context than the plan",
        ],
    ),
    (
        "GRAPHCAP_ERROR_NOT_SUPPORTED",
        &[
            "the device or its driver is too old for such a node, or cannot do the work",
            "the device is the host device, which has no native handles",
            "the GPU does not support the write",
            "the GPU does not support value writes of that size",
            "the GPU does not support value writes of 64 bits",
            "the driver is too old",
            "the device has no clusters",
            "the device cannot map memory to addresses",
            "the device does not remove such a node",
            "cannot do the work of an op",
            // In the heads of "Devices and contexts" and "Graphs".
            "the driver is older than 12.0",
            "more than 16 deep",
        ],
    ),
    (
        "GRAPHCAP_ERROR_OUT_OF_MEMORY",
        &[
            "the device does not have enough memory",
            "or the pool not enough capacity",
            "a thread cannot be started",
            "no thread can be started",
            "there is not enough memory; the capture goes on",
            "can have no more descriptors",
        ],
    ),
    (
        "GRAPHCAP_ERROR_ILLEGAL_ADDRESS",
        &["faulted before; this process cannot use CUDA any more", "a kernel faulted before"],
    ),
    ("GRAPHCAP_ERROR_INVALID_HANDLE", &["is not a live handle of one of these kinds"]),
    ("GRAPHCAP_ERROR_BUFFER_TOO_SMALL", &["cut to fit"]),
    (
        "GRAPHCAP_ERROR_CAPTURE_IMPLICIT",
        &[
            "is the legacy stream and a blocking stream is being captured; the capture goes on",
            "is the legacy stream and a blocking stream of the context is being captured; the capture goes on",
            "is the legacy stream and a blocking stream is being captured; the capture is invalidated",
            "is on the legacy stream and a blocking stream is being captured; that capture is invalidated",
        ],
    ),
    ("GRAPHCAP_ERROR_CAPTURE_INVALIDATED", &["broken before", "broke the capture", "by an op or before"]),
    ("GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE", &["does not divide the grid, or is too large", "the grid of the node"]),
    ("GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", &["has more blocks than the device runs at once"]),
    ("GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES", &["many threads in a block", "lacks resources for a launch"]),
    // In the head of "Devices and contexts".
    ("GRAPHCAP_ERROR_NO_DEVICE", &["the driver finds no GPU"]),
    ("GRAPHCAP_ERROR_INVALID_DEVICE", &["the ordinal is not below the number of devices"]),
    ("GRAPHCAP_ERROR_STUB_LIBRARY", &["the driver library is the toolkit's stub"]),
    ("GRAPHCAP_ERROR_NOT_INITIALIZED", &["the driver could not be initialised"]),
    (
        "GRAPHCAP_ERROR_LIBRARY",
        &[
            "NVIDIA's driver could not be loaded; the message names what was tried",
            "a library of NVIDIA's that an op needs could not be loaded",
        ],
    ),
    // In that of "Capture", of the type of captures as objects, of "Pools", "Ops and scripts" and "Actors and futures".
    ("GRAPHCAP_ERROR_CAPTURE_UNJOINED", &["a stream that joined the capture was not joined back"]),
    ("GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED", &["the stream is the legacy stream"]),
    ("GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD", &["in a mode other than relaxed"]),
    (
        "GRAPHCAP_ERROR_NOT_PERMITTED",
        &["another thread began the capture on its per-thread stream", "is of another thread's per-thread stream"],
    ),
    ("GRAPHCAP_ERROR_BUSY", &["another thread is using the capture", "the mailbox is full, and the call may not wait"]),
    (
        "GRAPHCAP_ERROR_ILLEGAL_STATE",
        &[
            "the stream is not being captured",
            "the stream is being captured already",
            "the stream is being captured; the capture goes on",
            "the capture is over",
            "the actor is closed",
        ],
    ),
    ("GRAPHCAP_ERROR_SEALED", &["the pool is sealed"]),
    ("GRAPHCAP_ERROR_CALLBACK", &["is written in Rust and panicked"]),
    ("GRAPHCAP_ERROR_TIMEOUT", &["the mailbox was full for gc_actor_options::post_timeout_ns"]),
    ("GRAPHCAP_SUCCESS", &["the message is in the mailbox"]),
];

/// Ends of the causes of GRAPHCAP_ERROR_INVALID_VALUE that the introduction has: arguments that their descriptions do not allow.
const ARGUMENTS: &[&str] = &[
    " is NULL",
    " is not 0",
    " is 0",
    " is unknown",
    " are unknown",
    " is not UTF-8",
    " not valid UTF-8",
    " is not valid",
    " of the two",
    " of one within it",
    " node of the graph",
    " of these numbers",
    " is not a capture mode",
    " is not a GRAPHCAP_SCALAR_ number",
    " is not 1",
    "2 or 4",
    " is not a GRAPHCAP_MEM_ATTACH_ number",
    " is not managed",
    " is not mapped",
    " none of the graph",
    " lie within its buffer",
    " is not a multiple of element_size",
    " is not a multiple of 4",
    " is not a multiple of 8",
    " lie within the buffer",
    " lie within it",
    " refuse the buffer",
    " ranges overlap",
    " such attribute",
    " such argument",
    " cannot be set",
    " cannot have that value",
    " the number of parameters",
    " is of another type",
    " is more than 255",
    " or more than 255",
    " is above 2",
    " is too long",
    " has no graph",
    " of that index",
    " without the flag",
    " was lost when a capture into it failed",
];

/// The text of a parameter or status as far as it is particular to the function. `kind` is the type of the parameter.
pub fn particular(tag: &Tag, kind: Option<&str>) -> Option<String> {
    if tag.tag.starts_with("param") {
        let text = without_rules(tag);
        let general = text.is_empty() || kind.is_some_and(|kind| only_names(tag, &text, kind)) || is_of_an_array(tag);
        return (!general).then_some(text);
    }
    (!is_of_all(tag)).then(|| tag.text.clone())
}

/// The text of a parameter without what the introduction says of all parameters: that a pointer is not NULL, unless it is that of
/// an array without elements; what is copied; who sets struct_size; how often destroy is called.
fn without_rules(tag: &Tag) -> String {
    // NULL as options stands for the defaults: a text tells where it does not.
    if tag.name == "options" {
        return tag.text.clone();
    }
    if tag.name == "destroy" {
        let rest = tag.text.strip_prefix("called exactly once, also when this call fails; ").unwrap_or(&tag.text);
        return rest.strip_prefix("may be NULL").unwrap_or(rest).trim_start_matches(". ").to_owned();
    }
    let mut text = tag.text.replace(", not NULL", "").replace("; not NULL", "");
    if let Some((before, after)) = cut_out(&text, &["; may be NULL when ", "; may be NULL if "], " is 0") {
        text = before.to_owned() + after;
    }
    let text = text.replace("; read and copied during the call", "").replace("; copied", "");
    let text = text.strip_prefix("in: struct_size; out: ").unwrap_or(&text);
    (if tag.tag.contains("out") { without_ends(text) } else { text }).to_owned()
}

/// A text around a part that begins with one of these words and ends with others.
fn cut_out<'a>(text: &'a str, begins: &[&str], ends: &str) -> Option<(&'a str, &'a str)> {
    let (before, rest) = begins.iter().find_map(|begin| text.split_once(begin))?;
    let (name, after) = rest.split_once(ends)?;
    (!name.contains(' ')).then_some((before, after))
}

/// True of a status with a text that stands elsewhere for all functions.
fn is_of_all(tag: &Tag) -> bool {
    let ends = STATUSES.iter().find(|(status, _)| *status == tag.name).map_or(&[][..], |(_, ends)| ends);
    let of_arguments =
        || tag.name == "GRAPHCAP_ERROR_INVALID_VALUE" && causes(&tag.text).all(|cause| ends_with(cause, ARGUMENTS));
    tag.tag == "retval" && (ends_with(&tag.text, ends) || of_arguments())
}

/// True of a text with one of these ends. A text of several parts needs an end that has a semicolon, too.
fn ends_with(text: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| text.ends_with(end) && (end.contains(';') || !text.contains(';')))
}

/// The causes that a text lists.
fn causes(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';']).map(str::trim).filter(|cause| !cause.is_empty())
}

/// True where the text says no more than the name and the type do: "the stream" of a gc_stream, "the new graph" of a
/// gc_graph **, the number of what there are several of.
fn only_names(tag: &Tag, text: &str, kind: &str) -> bool {
    let object = kind.trim_start_matches("const ").trim_start_matches("gc_").trim_end_matches([' ', '*']);
    let object = match object {
        "rng" => "generator".to_owned(),
        "graph_cache" => "cache".to_owned(),
        object => object.replace('_', " "),
    };
    let counts = |name: &str| tag.name == name && text.starts_with("the number of ") && !text.contains([',', ';', '.']);
    match &*tag.tag {
        "param[in]" => {
            let counted = tag.name.strip_suffix("_count").map(|one| format!("the number of {one}s"));
            text == format!("the {object}")
                || Some(text) == counted.as_deref()
                || PLAIN.contains(&text)
                || counts("count")
        }
        "param[out]" => text == format!("the new {object}") || text == "the struct to fill" || counts("count_out"),
        "param[in,out]" => ["the description", "the counters"].contains(&text),
        _ => false,
    }
}

/// The words of the introduction, of the type, or of the name, for such parameters: objects to destroy, options, modes of captures,
/// nodes, the data of callbacks.
const PLAIN: &[&str] = &[
    "NULL has no effect",
    "NULL for the defaults",
    "one of the GRAPHCAP_CAPTURE_MODE_ numbers",
    "one of its nodes",
    "the stream, of the same context",
    "the copy",
    "the rows",
    "the op",
    "the function",
    "the name",
    "the value",
    "the key",
    "the nodes",
    "the scalars",
    "passed to function and to destroy; may be NULL",
    "passed to destroy; may be NULL",
];

/// The text of an output without what the introduction says of all: that it is 0 on failure, and that the caller owns
/// handles until the function that destroys them, unless the text says otherwise.
fn without_ends(text: &str) -> &str {
    let text = text.strip_suffix("; NULL on failure").or_else(|| text.strip_suffix("; 0 on failure")).unwrap_or(text);
    let owned = text.split_once(", owned by the caller until gc_");
    let only_destroyed = |(_, function): &(&str, &str)| function.ends_with("_destroy()") && !function.contains(' ');
    owned.filter(only_destroyed).map_or(text, |(before, _)| before)
}

/// True of the place, the capacity or the size of a text or an array, as all functions have them.
fn is_of_an_array(tag: &Tag) -> bool {
    let text = &*tag.text;
    match &*tag.name {
        "text" => text.ends_with("ends with a NUL. May be NULL when capacity is 0"),
        "capacity" => {
            text == "bytes at text; 0 asks only for the size"
                || text.starts_with("how many ") && text.contains(" fit; 0 asks only for the")
        }
        "needed" => {
            text.starts_with("the size of the whole ") && text.ends_with(" in bytes with its NUL; may be NULL")
                || text.starts_with("the number of ")
                    && ["; may be NULL", "; may be NULL when capacity is not 0"].iter().any(|end| text.ends_with(end))
        }
        _ => text == "where to write; may be NULL when capacity is 0",
    }
}
