//! Comments: what the doc comments of the sources say, laid out for C.

use super::general;
use super::items::Parameter;

/// The columns of a line.
pub const WIDTH: usize = 120;

/// A comment taken apart.
#[derive(Default)]
pub struct Doc {
    /// Paragraphs and elements of lists (which begin with "- "), one text each.
    pub text: Vec<String>,
    pub tags: Vec<Tag>,
}

/// One `@param`, `@retval` or `@return`.
pub struct Tag {
    /// `param[in]`, `retval`
    pub tag: String,
    /// The parameter or the status; empty for `@return`.
    pub name: String,
    pub text: String,
}

impl Doc {
    pub fn parse(lines: &[String]) -> Doc {
        let mut doc = Doc::default();
        // What the next line goes on with: text, a tag, or nothing after an empty line.
        let mut open: Option<&mut String> = None;
        for line in lines {
            let line = line.trim_end();
            if line.is_empty() {
                open = None;
            } else if let Some(tag) = line.strip_prefix('@') {
                let mut words = tag.splitn(2, ' ');
                let tag = words.next().unwrap_or_default().to_owned();
                let rest = words.next().unwrap_or_default().trim_start();
                let (name, text) =
                    if tag == "return" { ("", rest) } else { rest.split_once(' ').unwrap_or((rest, "")) };
                doc.tags.push(Tag { tag, name: name.to_owned(), text: text.trim_start().to_owned() });
                open = doc.tags.last_mut().map(|tag| &mut tag.text);
            } else if let (Some(text), false) = (&mut open, line.trim_start().starts_with("- ")) {
                text.push(' ');
                text.push_str(line.trim_start());
            } else {
                doc.text.push(line.trim_start().to_owned());
                open = doc.text.last_mut();
            }
        }
        doc
    }

    /// The comment as the header has it, with the call of CUDA that does the same.
    pub fn comment<'a>(&'a self, indent: &str, parameters: &[Parameter], cuda: Option<&str>) -> String {
        let mut lines = Vec::new();
        for (at, text) in self.text.iter().enumerate() {
            let cuda = cuda.filter(|_| at == 0).map(|cuda| format!(" CUDA: {cuda}.")).unwrap_or_default();
            let element = text.starts_with("- ");
            // Elements of a list stand together, also with the text that leads to them.
            if at > 0 && !element {
                lines.push(String::new());
            }
            lines.extend(wrap(&(text.clone() + &cuda), indent, if element { "  " } else { "" }));
        }
        let kind = |name: &str| parameters.iter().find(|parameter| parameter.name == name).map(|found| &*found.kind);
        let particular = |tag: &'a Tag| Some((tag, general::particular(tag, kind(&tag.name))?));
        let tags: Vec<(&Tag, String)> = self.tags.iter().filter_map(particular).collect();
        if !tags.is_empty() {
            lines.push(String::new());
        }
        let longest = |of: fn(&Tag) -> &str| {
            let params = tags.iter().filter(|(tag, _)| tag.tag.starts_with("param"));
            params.map(|(tag, _)| of(tag).len()).max().unwrap_or(0)
        };
        let (tag_width, name_width) = (longest(|tag| &tag.tag), longest(|tag| &tag.name));
        for (Tag { tag, name, .. }, text) in tags {
            let line = if tag.starts_with("param") {
                format!("@{tag:tag_width$} {name:name_width$}  ")
            } else {
                format!("@{tag} {name}").trim_end().to_owned() + " "
            };
            lines.extend(wrap(&(line + &text), indent, "    "));
        }
        frame(&lines, indent)
    }
}

/// Lines as a comment.
fn frame(lines: &[String], indent: &str) -> String {
    lines.iter().map(|line| format!("{indent}/// {line}").trim_end().to_owned() + "\n").collect()
}

/// A text in lines that fit into a comment; those after the first begin with `hanging`.
pub fn wrap(text: &str, indent: &str, hanging: &str) -> Vec<String> {
    let room = WIDTH - indent.len() - "/// ".len();
    let mut lines = vec![String::new()];
    // The spaces that align parameters make empty words.
    for word in text.split(' ') {
        let first = lines.len() == 1;
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() && first && !word.is_empty() {
            line.push_str(word);
        } else if line.len() + 1 + word.len() <= room {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(format!("{hanging}{word}"));
        }
    }
    lines
}
