//! Lays out graphcap.h.

use super::inits::{self, Init};
use super::items::{join, Item, Parameter, What};
use super::shorthands::{self, Shorthand};

/// The columns of a line.
const WIDTH: usize = 120;

/// All of graphcap.h.
pub fn header(items: &[Item]) -> String {
    let mut text = String::from(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
         /* Generated from src/ffi of graphcap by `make header`. Do not edit. */\n\
         #ifndef GRAPHCAP_H\n#define GRAPHCAP_H\n\n",
    );
    text.push_str(include_str!("introduction.h"));
    text.push_str("\n#include <stddef.h>\n#include <stdint.h>\n");
    text.push_str(&version());
    text.push('\n');
    text.push_str(include_str!("nodiscard.h"));
    let mut functions = String::new();
    for item in items {
        let out = if matches!(item.what, What::Function(_)) { &mut functions } else { &mut text };
        out.push('\n');
        out.push_str(&declaration(item));
        for init in inits::of(item, items) {
            out.push_str(&init_macro(&init));
        }
    }
    text.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    text.push_str(&functions);
    text.push_str("\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n");
    text.push_str(&shorthand_part(&shorthands::all(items)));
    text.push_str("\n#endif /* GRAPHCAP_H */\n");
    text
}

fn version() -> String {
    let [major, minor, patch] = ["MAJOR", "MINOR", "PATCH"]
        .map(|part| super::env(&format!("CARGO_PKG_VERSION_{part}")).parse::<u32>().expect("a version is numbers"));
    let number = major * 10_000 + minor * 100 + patch;
    let text = super::env("CARGO_PKG_VERSION");
    format!(
        "\n/** The version of this header. gc_version() returns the version of the library. */\n\
         #define GRAPHCAP_VERSION_MAJOR {major}\n\
         #define GRAPHCAP_VERSION_MINOR {minor}\n\
         #define GRAPHCAP_VERSION_PATCH {patch}\n\
         /** major * 10000 + minor * 100 + patch, as gc_version() tells it. */\n\
         #define GRAPHCAP_VERSION_NUMBER {number}\n\
         #define GRAPHCAP_VERSION_STRING \"{text}\"\n"
    )
}

/// A comment: in one line where it fits.
fn comment(doc: &[String], indent: &str) -> String {
    if let [line] = doc {
        let one = format!("{indent}/** {line} */\n");
        if one.len() <= WIDTH {
            return one;
        }
    }
    let mut text = format!("{indent}/**\n");
    for line in doc {
        text.push_str(format!("{indent} * {line}").trim_end());
        text.push('\n');
    }
    text + indent + " */\n"
}

/// A text in lines that fit into a comment.
fn wrap(text: &str) -> Vec<String> {
    if text.len() + "/**  */".len() <= WIDTH {
        return vec![text.to_owned()];
    }
    let words: Vec<_> = text.split(' ').map(str::to_owned).collect();
    fill(" * ", &words, " ", "", " * ").split("\n").map(|line| line.trim_start_matches(" * ").to_owned()).collect()
}

/// One declaration with its comment.
fn declaration(item: &Item) -> String {
    let Item { name, doc, what } = item;
    let doc = comment(doc, "");
    match what {
        What::Constant(value) => format!("{doc}#define {name} {value}\n"),
        What::Handle => format!("{doc}typedef struct {name} {name};\n"),
        What::Alias(of) => format!("{doc}typedef {};\n", join(of, name)),
        What::Callback(signature) => {
            let before = format!("typedef {}", join(&signature.returns, &format!("(*{name})")));
            format!("{doc}{};\n", call(&before, &signature.parameters))
        }
        What::Struct(members) | What::Union(members) => {
            let kind = if matches!(what, What::Struct(_)) { "struct" } else { "union" };
            let members: String = members
                .iter()
                .map(|member| comment(&member.doc, "    ") + &format!("    {};\n", member.declaration()))
                .collect();
            format!("{doc}typedef {kind} {name} {{\n{members}}} {name};\n")
        }
        What::Function(signature) => {
            let mark = if must_be_looked_at(name, &signature.returns) { "GRAPHCAP_NODISCARD " } else { "" };
            let before = mark.to_owned() + &join(&signature.returns, name);
            format!("{doc}{};\n", call(&before, &signature.parameters))
        }
    }
}

/// Whether a program must not ignore what the function returns: of statuses all but those that the header's part on
/// statuses names. By the type that they return none can be forgotten.
fn must_be_looked_at(name: &str, returns: &str) -> bool {
    let ignorable = name.ends_with("_destroy") || name == "gc_last_error_message" || name == "gc_host_fail";
    returns == "gc_status" && !ignorable
}

/// A name with its parameters, in lines that are filled.
fn call(before: &str, parameters: &[Parameter]) -> String {
    let mut parts: Vec<_> = parameters.iter().map(Parameter::declaration).collect();
    if parts.is_empty() {
        parts.push("void".into());
    }
    fill(&format!("{before}("), &parts, ", ", ")", "    ")
}

/// Parts behind a beginning, in lines of at most WIDTH columns.
fn fill(begin: &str, parts: &[String], between: &str, end: &str, indent: &str) -> String {
    let mut text = begin.to_owned();
    let mut column = begin.len();
    for (at, part) in parts.iter().enumerate() {
        let last = at + 1 == parts.len();
        let separator = if at == 0 { "" } else { between };
        let needed = separator.len() + part.len() + if last { end.len() + 1 } else { between.trim_end().len() };
        if at > 0 && column + needed > WIDTH {
            text.push_str(separator.trim_end());
            text.push('\n');
            text.push_str(indent);
            column = indent.len();
        } else {
            text.push_str(separator);
            column += separator.len();
        }
        text.push_str(part);
        column += part.len();
    }
    text + end
}

/// An INIT macro.
fn init_macro(init: &Init) -> String {
    let Init { name, parameters, of, effect, values } = init;
    let parameters = if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
    let doc = format!("/** Initialiser of a {of}: {effect}. */\n");
    let one = format!("#define {name}{parameters} {{{}}}\n", values.join(", "));
    if one.len() <= WIDTH {
        return doc + &one;
    }
    let lines = fill("    {", values, ", ", "}", "     ").replace('\n', " \\\n");
    format!("{doc}#define {name}{parameters} \\\n{lines}\n")
}

/// The shorthands, with what stands around them.
fn shorthand_part(shorthands: &[Shorthand]) -> String {
    let mut text = String::from(
        "\n/*\n * Shorthands: functions with typed arguments over one function of the library each. They are compiled with the\n \
         * program; the library does not export them. A program that defines GRAPHCAP_NO_SHORTHANDS has none.\n */\n\
         #ifndef GRAPHCAP_NO_SHORTHANDS\n\n\
         /* Casts in C's style are the only ones that C has. */\n\
         #if defined(__cplusplus) && defined(__GNUC__)\n\
         #pragma GCC diagnostic push\n\
         #pragma GCC diagnostic ignored \"-Wold-style-cast\"\n\
         #endif\n",
    );
    for shorthand in shorthands {
        let mark = if must_be_looked_at(shorthand.name, shorthand.returns) { "GRAPHCAP_NODISCARD " } else { "" };
        let before = format!("{mark}static inline {}", join(shorthand.returns, shorthand.name));
        let doc = comment(&wrap(&shorthand.doc), "");
        text.push_str(&format!("\n{doc}{}\n{{\n", call(&before, &shorthand.parameters)));
        for statement in &shorthand.body {
            text.push_str(&format!("    {statement}\n"));
        }
        text.push_str("}\n");
    }
    text.push_str(
        "\n#if defined(__cplusplus) && defined(__GNUC__)\n\
         #pragma GCC diagnostic pop\n\
         #endif\n\n\
         #endif /* GRAPHCAP_NO_SHORTHANDS */\n",
    );
    text
}
