//! graphcap_ffi.h: the declarations alone, for programs that read C without a preprocessor, as cffi and LuaJIT do. It has
//! no directives and no bodies; constants are enumerators.

use super::items::{join, Item, Parameter, What};
use super::write::call;
use super::{abi, layout, Interface};

/// All of graphcap_ffi.h.
pub fn header(interface: &Interface) -> String {
    let Interface { items, parts, .. } = interface;
    let mut text = String::from(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
         /* Generated from src/ffi of graphcap by `make header`. Do not edit. graphcap.h is the manual. */\n",
    );
    let named = layout::named_before(parts);
    for Item { name, .. } in &named {
        text.push_str(&format!("typedef struct {name} {name};\n"));
    }
    for part in parts {
        text.push_str(&format!("\n/* {} */\n", part.section.title));
        let mut constants = Vec::new();
        for item in &part.items {
            if let What::Constant(value) = &item.what {
                constants.push(format!("    {} = {value}", item.name));
            }
        }
        if !constants.is_empty() {
            text.push_str(&format!("enum {{\n{}\n}};\n", constants.join(",\n")));
        }
        for item in &part.items {
            text.push_str(&declaration(item, items, named.iter().any(|named| named.name == item.name)));
        }
    }
    text
}

fn declaration(item: &Item, items: &[Item], is_named: bool) -> String {
    let name = &item.name;
    match &item.what {
        What::Constant(_) => String::new(),
        What::Handle => format!("typedef struct {name} {name};\n"),
        What::Alias(of) => format!("typedef {};\n", join(of, name)),
        What::Callback(signature) => {
            let before = format!("typedef {}", join(&signature.returns, &format!("(*{name})")));
            format!("{};\n", call(&before, &signature.parameters))
        }
        What::Struct(members) | What::Union(members) => {
            let kind = if matches!(item.what, What::Struct(_)) { "struct" } else { "union" };
            let member = |member: &super::items::Member| {
                let length = member.length.as_deref().map(|length| format!("[{}]", abi::length(length, items)));
                let parameter = Parameter { kind: member.kind.clone(), name: member.name.clone() };
                format!("    {}{};\n", parameter.declaration(), length.unwrap_or_default())
            };
            let members: String = members.iter().map(member).collect();
            let (before, after) = if is_named { ("", String::new()) } else { ("typedef ", format!(" {name}")) };
            format!("{before}{kind} {name} {{\n{members}}}{after};\n")
        }
        What::Function(signature) => {
            format!("{};\n", call(&join(&signature.returns, name), &signature.parameters))
        }
    }
}
