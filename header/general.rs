//! Texts that say no more than the header's introduction does of all functions and structs. The header leaves them out;
//! graphcap-api.json has them.

use super::doc::Tag;

/// Statuses with the texts that the introduction or the head of a section has for all functions.
const STATUSES: &[(&str, &[&str])] = &[
    (
        "GRAPHCAP_ERROR_INVALID_CONTEXT",
        &[
            "the stream and the buffer belong to different contexts",
            "the generator and the stream belong to different contexts",
            "the objects belong to different contexts",
            "exec and graph belong to different contexts",
            "a buffer belongs to another context",
            "the buffer belongs to another context",
            "a module, or the pool, belongs to a context other than the stream's",
            "an object belongs to a device of another kind",
            "the event and the stream belong to devices of different kinds",
        ],
    ),
    (
        "GRAPHCAP_ERROR_NOT_SUPPORTED",
        &[
            "the device or its driver is too old for such a node, or cannot do the work",
            "the device is the host device, which has no native handles",
            "the GPU does not support the write",
            "the driver is too old",
        ],
    ),
    ("GRAPHCAP_ERROR_OUT_OF_MEMORY", &["the device does not have enough memory"]),
    (
        "GRAPHCAP_ERROR_CAPTURE_IMPLICIT",
        &[
            "the stream is the legacy stream and a blocking stream is being captured; the capture goes on",
            "the stream is the legacy stream and a blocking stream of the context is being captured; the capture goes on",
        ],
    ),
    // In the head of "Devices and contexts".
    ("GRAPHCAP_ERROR_NO_DEVICE", &["the driver finds no GPU"]),
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
    (
        "GRAPHCAP_ERROR_NOT_PERMITTED",
        &[
            "another thread began the capture on its per-thread stream",
            "the capture is of another thread's per-thread stream",
        ],
    ),
    ("GRAPHCAP_ERROR_BUSY", &["another thread is using the capture", "the mailbox is full, and the call may not wait"]),
    (
        "GRAPHCAP_ERROR_ILLEGAL_STATE",
        &[
            "the stream is not being captured",
            "the stream is being captured already",
            "the stream is being captured; the capture goes on",
            "the actor is closed",
        ],
    ),
    ("GRAPHCAP_ERROR_INVALID_VALUE", &["node is no node of the graph"]),
    ("GRAPHCAP_ERROR_SEALED", &["the pool is sealed"]),
    (
        "GRAPHCAP_ERROR_CALLBACK",
        &[
            "the function of an op is written in Rust and panicked",
            "the recording function is written in Rust and panicked",
            "the function is written in Rust and panicked",
        ],
    ),
    ("GRAPHCAP_ERROR_TIMEOUT", &["the mailbox was full for gc_actor_options::post_timeout_ns"]),
    ("GRAPHCAP_SUCCESS", &["the message is in the mailbox"]),
];

/// The text of a parameter or status as far as it is particular to the function. `kind` is the type of the parameter.
pub fn particular<'a>(tag: &'a Tag, kind: Option<&str>) -> Option<&'a str> {
    if kind.is_some_and(|kind| only_names(tag, kind)) || is_of_an_array(tag) || is_of_all(tag) {
        return None;
    }
    Some(if tag.tag.contains("out") { without_ends(&tag.text) } else { &tag.text })
}

/// True of a status with a text that stands elsewhere for all functions.
fn is_of_all(tag: &Tag) -> bool {
    let texts = STATUSES.iter().find(|(status, _)| *status == tag.name).map_or(&[][..], |(_, texts)| texts);
    tag.tag == "retval" && texts.contains(&&*tag.text)
}

/// True where the text says no more than the name and the type do: "the stream" of a gc_stream, "the new graph" of a
/// gc_graph **, the number of what there are several of.
fn only_names(tag: &Tag, kind: &str) -> bool {
    let object = kind.trim_start_matches("const ").trim_start_matches("gc_").trim_end_matches([' ', '*']);
    let object = match object {
        "rng" => "generator".to_owned(),
        "graph_cache" => "cache".to_owned(),
        object => object.replace('_', " "),
    };
    let text = without_ends(&tag.text);
    match &*tag.tag {
        "param[in]" => {
            let counted = tag.name.strip_suffix("_count").map(|one| format!("the number of {one}s"));
            text == format!("the {object}") || Some(text) == counted.as_deref() || PLAIN.contains(&text)
        }
        "param[out]" => text == format!("the new {object}") || text == "the struct to fill",
        _ => false,
    }
}

/// The words of the introduction, or of the type, for such parameters: objects to destroy, options, modes of captures, nodes, the
/// data of callbacks.
const PLAIN: &[&str] = &[
    "NULL has no effect",
    "NULL for the defaults",
    "one of the GRAPHCAP_CAPTURE_MODE_ numbers",
    "one of its nodes",
    "the stream, of the same context",
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
                || text.starts_with("the number of ") && text.ends_with("; may be NULL")
        }
        _ => text == "where to write; may be NULL when capacity is 0",
    }
}
