//! Writes graphcap.h, and graphcap_allocators.h.

use super::doc::{wrap, Doc, WIDTH};
use super::inits::{self, Init};
use super::items::{join, Item, Member, Parameter, What};
use super::layout::{self, Part};
use super::sections::{ALLOCATORS, MANUAL};
use super::shorthands::Shorthand;
use super::{cuda, Interface};

const ORIGIN: &str = "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
                      /* Generated from src/ffi of graphcap by `make header`. Do not edit. */\n";
const C_BEGINS: &str = "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
const C_ENDS: &str = "\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n";

/// All of graphcap.h.
pub fn header(interface: &Interface) -> String {
    let Interface { items, parts, shorthands } = interface;
    let mut text = format!("{ORIGIN}#ifndef GRAPHCAP_H\n#define GRAPHCAP_H\n\n");
    text.push_str(&include_str!("introduction.h").replace("/// CONTENTS\n", &contents(parts)));
    text.push_str("\n#include <stddef.h>\n#include <stdint.h>\n");
    text.push_str(&version());
    text.push('\n');
    text.push_str(include_str!("nodiscard.h"));
    text.push_str(C_BEGINS);
    let named = layout::named_before(parts);
    text.push_str("\n/* Structs that are described where they belong. */\n");
    for Item { name, .. } in &named {
        text.push_str(&format!("/// See struct {name}.\ntypedef struct {name} {name};\n"));
    }
    for part in of_header(parts, MANUAL) {
        text.push_str(&section(part, items, &named));
    }
    text.push_str(C_ENDS);
    text.push_str(&shorthand_part(shorthands));
    text.push_str("\n#endif /* GRAPHCAP_H */\n");
    text
}

/// All of graphcap_allocators.h.
pub fn allocators(interface: &Interface) -> String {
    let sections = of_header(&interface.parts, ALLOCATORS).map(|part| section(part, interface.items, &[]));
    let sections = sections.collect::<String>();
    format!(
        "{ORIGIN}#ifndef GRAPHCAP_ALLOCATORS_H\n#define GRAPHCAP_ALLOCATORS_H\n\n\
         /// @file graphcap_allocators.h\n///\n/// What is said of all functions of graphcap.h is true of these.\n\n\
         #include \"graphcap.h\"\n{C_BEGINS}{sections}{C_ENDS}\n#endif /* GRAPHCAP_ALLOCATORS_H */\n"
    )
}

/// The sections of one header.
fn of_header<'a, 'b>(parts: &'a [Part<'b>], header: &'a str) -> impl Iterator<Item = &'a Part<'b>> {
    parts.iter().filter(move |part| part.section.header() == header)
}

/// The list of the sections.
fn contents(parts: &[Part]) -> String {
    of_header(parts, MANUAL)
        .map(|part| format!("/// - @ref graphcap_{} \"{}\"\n", part.section.id, part.section.title))
        .collect()
}

/// A section with all that it has.
fn section(part: &Part, items: &[Item], named: &[&Item]) -> String {
    let section = part.section;
    let mut text = format!("\n/// @defgroup graphcap_{} {}\n///\n", section.id, section.title);
    for paragraph in section.head.split("\n\n") {
        for line in wrap(paragraph, "", "") {
            text.push_str(&format!("/// {line}\n"));
        }
        text.push_str("///\n");
    }
    text.push_str("/// @{\n");
    let mut before = "";
    for &item in &part.items {
        let is_named = named.iter().any(|named| named.name == item.name);
        let one = declaration(item, is_named);
        // Constants that take a line each stand together.
        let kind = if matches!(item.what, What::Constant(_)) && one.lines().count() == 2 { "constant" } else { "" };
        if kind.is_empty() || kind != before {
            text.push('\n');
        }
        before = kind;
        text.push_str(&one);
        for init in inits::of(item, items) {
            text.push_str(&init_macro(&init));
        }
    }
    text + "\n/// @}\n"
}

fn version() -> String {
    let [major, minor, patch] = ["MAJOR", "MINOR", "PATCH"]
        .map(|part| super::env(&format!("CARGO_PKG_VERSION_{part}")).parse::<u32>().expect("a version is numbers"));
    let number = major * 10_000 + minor * 100 + patch;
    let text = super::env("CARGO_PKG_VERSION");
    format!(
        "\n/// Major number of the version of this header. gc_version() returns the version of the library.\n\
         #define GRAPHCAP_VERSION_MAJOR {major}\n\
         /// Minor number.\n\
         #define GRAPHCAP_VERSION_MINOR {minor}\n\
         /// Patch number.\n\
         #define GRAPHCAP_VERSION_PATCH {patch}\n\
         /// major * 10000 + minor * 100 + patch, as gc_version() tells it.\n\
         #define GRAPHCAP_VERSION_NUMBER {number}\n\
         /// The version as text.\n\
         #define GRAPHCAP_VERSION_STRING \"{text}\"\n"
    )
}

/// One declaration with its comment.
fn declaration(item: &Item, is_named: bool) -> String {
    let Item { name, doc, what } = item;
    let parameters = match what {
        What::Function(signature) => &signature.parameters[..],
        _ => &[],
    };
    let doc = Doc::parse(doc).comment("", parameters, cuda::name(name));
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
            let member = |member: &Member| {
                Doc::parse(&member.doc).comment("    ", &[], None) + &format!("    {};\n", member.declaration())
            };
            let members: String = members.iter().map(member).collect();
            if is_named {
                format!("{doc}{kind} {name} {{\n{members}}};\n")
            } else {
                format!("{doc}typedef {kind} {name} {{\n{members}}} {name};\n")
            }
        }
        What::Function(signature) => {
            let mark = if must_be_looked_at(name, &signature.returns) { "GRAPHCAP_NODISCARD " } else { "" };
            let before = mark.to_owned() + &join(&signature.returns, name);
            format!("{doc}{};\n", call(&before, &signature.parameters))
        }
    }
}

/// True where a program must not ignore what the function returns: of statuses all but those that the header's part on
/// statuses names. By the type that they return none can be forgotten.
pub fn must_be_looked_at(name: &str, returns: &str) -> bool {
    let ignorable = name.ends_with("_destroy") || name == "gc_last_error_message" || name == "gc_host_fail";
    returns == "gc_status" && !ignorable
}

/// A name with its parameters, in lines that are filled.
pub fn call(before: &str, parameters: &[Parameter]) -> String {
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
    let doc = format!("/// Initialiser of a {of}: {effect}.\n");
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
    let mut said = "";
    for shorthand in shorthands {
        // Shorthands that do the same for objects of several types have one comment.
        if shorthand.doc != said {
            let doc = Doc { text: vec![shorthand.doc.clone()], tags: Vec::new() };
            text.push('\n');
            text.push_str(&doc.comment("", &[], cuda::name(shorthand.name)));
            said = &shorthand.doc;
        }
        let mark = if must_be_looked_at(shorthand.name, shorthand.returns) { "GRAPHCAP_NODISCARD " } else { "" };
        let before = format!("{mark}static inline {}", join(shorthand.returns, shorthand.name));
        text.push_str(&call(&before, &shorthand.parameters));
        match &shorthand.body[..] {
            [statement] => text.push_str(&format!("\n{{ {statement} }}\n")),
            statements => text.push_str(&format!("\n{{\n    {}\n}}\n", statements.join("\n    "))),
        }
    }
    text.push_str(
        "\n#if defined(__cplusplus) && defined(__GNUC__)\n\
         #pragma GCC diagnostic pop\n\
         #endif\n\n\
         #endif /* GRAPHCAP_NO_SHORTHANDS */\n",
    );
    text
}
