//! The names of the objects that a failed call was given, for its message.

use std::fmt::Write;
use std::sync::Arc;

use super::failure::Failure;
use super::handle::{self, Handle, Kind, Token};
use super::handle_types::{gc_buffer, gc_event, gc_graph, gc_graph_exec, gc_host_buffer, gc_scalar, gc_stream};
use graphcap_base::error::Status;
use graphcap_base::names::quoted;

/// Names those of the objects `involved` that have names and that the message of `failure` speaks of without their names: to go behind
/// the message. Calls that only ask how far work is are not told more.
#[cold]
pub(super) fn unsaid(failure: &Failure, involved: &[Token]) -> String {
    let mut text = String::new();
    let error = match failure {
        Failure::Told(error) => error,
        Failure::Element { failure, .. } | Failure::Member { failure, .. } => return unsaid(failure, involved),
        _ => return text,
    };
    if error.status == Status::NOT_READY {
        return text;
    }
    for &token in involved {
        let Some((word, role, name)) = named(token) else { continue };
        let name = quoted(&name).to_string();
        if has_word(&error.message, word) && !error.message.contains(&name) && !text.contains(&name) {
            let _ = write!(text, "; the {role} is {name}");
        }
    }
    text
}

/// The word by which messages speak of an object, what it is, and the name of it.
fn named(token: Token) -> Option<(&'static str, &'static str, Arc<str>)> {
    let (word, role, name) = match token.kind()? {
        Kind::Buffer => ("buffer", "buffer", look::<gc_buffer>(token, |buffer| buffer.name())),
        Kind::Scalar => ("scalar", "scalar", look::<gc_scalar>(token, |scalar| scalar.buffer().name())),
        Kind::HostBuffer => ("buffer", "host buffer", look::<gc_host_buffer>(token, |buffer| buffer.name())),
        Kind::Stream => ("stream", "stream", look::<gc_stream>(token, |stream| stream.name())),
        Kind::Event => ("event", "event", look::<gc_event>(token, |event| event.name())),
        Kind::Graph => ("graph", "graph", look::<gc_graph>(token, |graph| graph.name())),
        Kind::GraphExec => ("exec", "graph of the graph exec", look::<gc_graph_exec>(token, |exec| exec.graph_name())),
        _ => return None,
    };
    Some((word, role, name?))
}

fn look<H: Handle>(token: Token, name: impl FnOnce(&H::Object) -> Option<Arc<str>>) -> Option<Arc<str>> {
    name(handle::find::<H>(token.pointer(), &handle::pin())?)
}

/// True where a text has a word that stands alone, as names of functions have it within.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (text.get(..at), text.get(at + word.len()..));
        !before.is_some_and(|text| text.ends_with(is_part)) && !after.is_some_and(|text| text.starts_with(is_part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use graphcap_base::error::Error;

    #[test]
    fn words_stand_alone() {
        assert!(
            has_word("the graph has no edge", "graph") && has_word("of a graph", "graph") && has_word("graph", "graph")
        );
        assert!(!has_word("gc_graph_launch() and graphs", "graph"));
    }

    #[test]
    fn nothing_is_said_of_no_object() {
        let failure = Failure::Told(Error::invalid_value("the graph has no edge"));
        assert_eq!(unsaid(&failure, &[Token::of(std::ptr::null::<gc_graph>())]), "");
    }
}
