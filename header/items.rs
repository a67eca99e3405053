//! The declarations that cbindgen writes, taken apart: one item for each, with its name, its comment and its parts.

/// One declaration.
pub struct Item {
    pub name: String,
    /// The lines of its comment, without stars.
    pub doc: Vec<String>,
    pub what: What,
}

/// The kinds of declarations, with their parts.
pub enum What {
    /// A macro that is a number.
    Constant(String),
    /// The type of a handle: a struct without members.
    Handle,
    /// A name for another type.
    Alias(String),
    /// A pointer to a function.
    Callback(Signature),
    Struct(Vec<Member>),
    Union(Vec<Member>),
    Function(Signature),
}

/// The result and the parameters of a function.
pub struct Signature {
    pub returns: String,
    pub parameters: Vec<Parameter>,
}

/// A parameter of a function.
#[derive(Clone)]
pub struct Parameter {
    /// Its type as C writes it before a name: `const gc_node *`.
    pub kind: String,
    pub name: String,
}

/// A member of a struct or union.
pub struct Member {
    pub doc: Vec<String>,
    pub kind: String,
    pub name: String,
    /// Number of elements of an array: a number or a constant.
    pub length: Option<String>,
}

impl Item {
    /// The members of a struct or union.
    pub fn members(&self) -> Option<&[Member]> {
        match &self.what {
            What::Struct(members) | What::Union(members) => Some(members),
            _ => None,
        }
    }

    /// True where a pointer to it needs no more than its name.
    pub fn has_tag(&self) -> bool {
        matches!(self.what, What::Struct(_) | What::Handle)
    }

    /// True of a struct that states its size, as all do that may grow.
    pub fn is_versioned(&self) -> bool {
        matches!(&self.what, What::Struct(members) if members[0].name == "struct_size")
    }
}

impl Parameter {
    /// The parameter as C declares it.
    pub fn declaration(&self) -> String {
        join(&self.kind, &self.name)
    }
}

impl Member {
    /// The member as C declares it.
    pub fn declaration(&self) -> String {
        let length = self.length.as_ref().map(|length| format!("[{length}]")).unwrap_or_default();
        join(&self.kind, &self.name) + &length
    }
}

/// A type and a name: the star of a pointer stands at the name.
pub fn join(kind: &str, name: &str) -> String {
    let space = if kind.ends_with('*') { "" } else { " " };
    format!("{kind}{space}{name}")
}

/// Takes apart all that cbindgen wrote.
pub fn parse(text: &str) -> Vec<Item> {
    let mut lines = text.lines().peekable();
    let mut items = Vec::new();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            continue;
        }
        let mut doc = Vec::new();
        let mut line = line;
        if line == "/**" {
            doc = comment(&mut lines);
            line = lines.next().expect("a comment stands before a declaration");
        }
        items.push(if let Some(define) = line.strip_prefix("#define ") {
            let (name, value) = define.split_once(' ').expect("a constant has a value");
            Item { name: name.into(), doc, what: What::Constant(value.into()) }
        } else if line.ends_with('{') {
            record(line, doc, &mut lines)
        } else {
            let mut declaration = line.to_owned();
            while !declaration.ends_with(';') {
                declaration.push(' ');
                declaration.push_str(lines.next().expect("a declaration ends").trim());
            }
            declared(&declaration, doc)
        });
    }
    items
}

/// The lines of a comment up to its end.
fn comment<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Vec<String> {
    let inside = lines.map(str::trim_start).take_while(|line| *line != "*/").map(|line| line.trim_start_matches('*'));
    inside.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()).collect()
}

/// A struct or a union with its members.
fn record<'a>(first: &str, doc: Vec<String>, lines: &mut impl Iterator<Item = &'a str>) -> Item {
    let mut members = Vec::new();
    let mut about = Vec::new();
    let name = loop {
        let line = lines.next().expect("a struct ends").trim();
        if let Some(name) = line.strip_prefix("} ") {
            break name.trim_end_matches(';').to_owned();
        }
        if line == "/**" {
            about = comment(lines);
            continue;
        }
        let declaration = line.trim_end_matches(';');
        let (declaration, length) = match declaration.split_once('[') {
            Some((before, length)) => (before, Some(length.trim_end_matches(']').to_owned())),
            None => (declaration, None),
        };
        let Parameter { kind, name } = parameter(declaration);
        members.push(Member { doc: std::mem::take(&mut about), kind, name, length });
    };
    let what = if first.contains("union") { What::Union(members) } else { What::Struct(members) };
    Item { name, doc, what }
}

/// A declaration of one statement.
fn declared(declaration: &str, doc: Vec<String>) -> Item {
    let statement = declaration.trim_end_matches(';');
    let (name, what) = if let Some(rest) = statement.strip_prefix("typedef struct ") {
        (rest.split(' ').next().unwrap_or_default().to_owned(), What::Handle)
    } else if let Some(rest) = statement.strip_prefix("typedef ") {
        match rest.split_once("(*") {
            Some((returns, rest)) => {
                let (name, parameters) = rest.split_once(")(").expect("a function type has parameters");
                let parameters = self::parameters(parameters.trim_end_matches(')'));
                (name.to_owned(), What::Callback(Signature { returns: returns.trim().into(), parameters }))
            }
            None => {
                let Parameter { kind, name } = parameter(rest);
                (name, What::Alias(kind))
            }
        }
    } else {
        let (before, rest) = statement.split_once('(').expect("what is left are functions");
        let Parameter { kind, name } = parameter(before);
        let parameters = self::parameters(rest.trim_end_matches(')'));
        (name, What::Function(Signature { returns: kind, parameters }))
    };
    Item { name, doc, what }
}

/// A list of parameters, as between the parentheses of a declaration.
pub fn parameters(list: &str) -> Vec<Parameter> {
    list.split(',').map(str::trim).filter(|part| !part.is_empty() && *part != "void").map(parameter).collect()
}

/// A type and the name behind it.
fn parameter(text: &str) -> Parameter {
    let text = text.trim();
    let at = text.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').expect("a declaration has a type") + 1;
    Parameter { kind: text[..at].trim().to_owned(), name: text[at..].to_owned() }
}
