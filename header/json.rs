//! Values of JSON, and how they are written: short ones in a line, so that a change shows where it is.

/// A value.
pub enum Json {
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// The columns of a line.
const WIDTH: usize = 120;

impl Json {
    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    pub fn list(values: impl IntoIterator<Item = Json>) -> Json {
        Json::List(values.into_iter().collect())
    }

    /// The value with the end of its line.
    pub fn document(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, 0);
        text.push('\n');
        text
    }

    /// The value in one line.
    fn line(&self) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        match self {
            Json::Bool(value) => value.to_string(),
            Json::Number(value) => value.to_string(),
            Json::Text(text) => quoted(text),
            Json::List(values) => format!("[{}]", joined(values.iter().map(Json::line).collect())),
            Json::Object(members) => {
                let members = members.iter().map(|(name, value)| format!("{}: {}", quoted(name), value.line()));
                format!("{{{}}}", joined(members.collect()))
            }
        }
    }

    /// Writes the value behind what the line has already.
    fn write(&self, text: &mut String, depth: usize, before: usize) {
        let line = self.line();
        if before + line.len() <= WIDTH {
            text.push_str(&line);
            return;
        }
        let mut parts = |open: char, close: char, values: Vec<(String, &Json)>| {
            text.push(open);
            for (at, (name, value)) in values.iter().enumerate() {
                let indent = " ".repeat(depth + 1);
                text.push_str(if at == 0 { "\n" } else { ",\n" });
                text.push_str(&indent);
                text.push_str(name);
                value.write(text, depth + 1, indent.len() + name.len() + 1);
            }
            text.push('\n');
            text.push_str(&" ".repeat(depth));
            text.push(close);
        };
        match self {
            Json::List(values) => parts('[', ']', values.iter().map(|value| (String::new(), value)).collect()),
            Json::Object(members) => {
                parts('{', '}', members.iter().map(|(name, value)| (format!("{}: ", quoted(name)), value)).collect());
            }
            _ => text.push_str(&line),
        }
    }
}

/// A text in quotation marks.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
