//! A graph as JSON text: everything that its nodes do, one node a line.

use std::fmt::{self, Write};
use std::io;

use serde::Serialize;

use super::picture::Picture;
use super::text::Text;
use graphcap_base::error::Result;

/// Sink through which what a serializer writes goes into the text.
struct Sink<'a>(&'a mut Text);

impl io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Serializers write whole characters.
        let more = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(more).map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a picture. The same picture gives the same text.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub(crate) fn export(picture: &Picture) -> Result<String> {
    Text::of(|text| {
        text.write_str("{\n\"format\": ")?;
        value(text, &picture.format)?;
        write!(text, ",\n\"version\": {},\n", picture.version)?;
        if let Some(name) = &picture.name {
            text.write_str("\"name\": ")?;
            value(text, name)?;
            text.write_str(",\n")?;
        }
        lines(text, "memory", &picture.memory)?;
        lines(text, "kernels", &picture.kernels)?;
        lines(text, "functions", &picture.functions)?;
        lines(text, "events", &picture.events)?;
        lines(text, "conditions", &picture.conditions)?;
        text.write_str("\"graph\": {\n")?;
        lines(text, "nodes", &picture.graph.nodes)?;
        text.write_str("\"edges\": ")?;
        value(text, &picture.graph.edges)?;
        text.write_str("\n}\n}\n")
    })
}

pub(super) fn value(text: &mut Text, value: &impl Serialize) -> fmt::Result {
    serde_json::to_writer(Sink(text), value).map_err(|_| fmt::Error)
}

/// A member whose value is a list, with a line for each element.
pub(super) fn lines(text: &mut Text, name: &str, list: &[impl Serialize]) -> fmt::Result {
    write!(text, "\"{name}\": [")?;
    for (index, element) in list.iter().enumerate() {
        text.write_str(if index == 0 { "\n" } else { ",\n" })?;
        value(text, element)?;
    }
    text.write_str(if list.is_empty() { "],\n" } else { "\n],\n" })
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
