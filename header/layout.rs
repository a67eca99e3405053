//! The place of each declaration: its section, and its place within, so that all that a declaration needs stands before it.

use std::collections::HashSet;
use std::path::Path;

use super::items::{Item, What};
use super::sections::{Section, NATIVE, NATIVES, NUMBERS, SECTIONS};

/// A section with its declarations: constants and types, then functions.
pub struct Part<'a> {
    pub section: &'static Section,
    pub items: Vec<&'a Item>,
}

/// All sections.
pub fn parts<'a>(items: &'a [Item], root: &Path) -> Vec<Part<'a>> {
    let places = Places::read(root);
    let mut parts: Vec<_> =
        SECTIONS.iter().chain([&NATIVES]).map(|section| Part { section, items: Vec::new() }).collect();
    let last = parts.len() - 1;
    let handles = SECTIONS.iter().position(|section| section.id == "handles").expect("there are handles");
    let mut placed: Vec<_> = items
        .iter()
        .map(|item| {
            let (section, line) = places.find(item);
            let native = is_function(item) && NATIVE.iter().any(|end| item.name.ends_with(end));
            let number = NUMBERS.contains(&item.name.as_str());
            let section = if native {
                last
            } else if number {
                handles
            } else {
                section
            };
            ((section, is_function(item), line), item)
        })
        .collect();
    placed.sort_by_key(|(place, _)| *place);
    // What a declaration needs may belong to a later section, or stand behind it in the source.
    let mut written = HashSet::new();
    for ((section, ..), item) in placed {
        write(item, items, &mut written, &mut parts[section].items);
    }
    parts
}

fn is_function(item: &Item) -> bool {
    matches!(item.what, What::Function(_))
}

/// Writes an item behind those that it needs.
fn write<'a>(item: &'a Item, items: &'a [Item], written: &mut HashSet<&'a str>, out: &mut Vec<&'a Item>) {
    if written.contains(item.name.as_str()) {
        return;
    }
    for (name, pointer) in uses(item) {
        let needed = items.iter().find(|item| item.name == name);
        // A pointer to a struct needs no more than the name of the struct, which stands before all sections.
        if let Some(needed) = needed.filter(|needed| !(pointer && needed.has_tag())) {
            write(needed, items, written, out);
        }
    }
    written.insert(&item.name);
    out.push(item);
}

/// The names that a declaration uses, and whether by a pointer: types, and lengths of arrays.
fn uses(item: &Item) -> Vec<(&str, bool)> {
    let by = |kind: &'_ str| kind.ends_with('*');
    match &item.what {
        What::Struct(members) | What::Union(members) => {
            let kinds = members.iter().map(|member| (base(&member.kind), by(&member.kind)));
            kinds.chain(members.iter().filter_map(|member| Some((member.length.as_deref()?, false)))).collect()
        }
        What::Function(signature) | What::Callback(signature) => {
            let kinds = signature.parameters.iter().map(|parameter| &parameter.kind).chain([&signature.returns]);
            kinds.map(|kind| (base(kind), by(kind))).collect()
        }
        What::Alias(of) => vec![(of.as_str(), false)],
        What::Constant(_) | What::Handle => Vec::new(),
    }
}

/// The structs that are named before they are described.
pub fn named_before<'a>(parts: &[Part<'a>]) -> Vec<&'a Item> {
    let order: Vec<_> = parts.iter().flat_map(|part| part.items.iter().copied()).collect();
    let is_used = |(at, item): &(usize, &'a Item)| {
        let before = order[..*at].iter().flat_map(|earlier| uses(earlier));
        matches!(item.what, What::Struct(_)) && before.into_iter().any(|(name, _)| name == item.name)
    };
    order.iter().copied().enumerate().filter(is_used).map(|(_, item)| item).collect()
}

/// A type without const and stars.
pub fn base(kind: &str) -> &str {
    kind.trim_start_matches("const ")
        .trim_end_matches([' ', '*'])
        .trim_end_matches("const")
        .trim_end_matches([' ', '*'])
}

/// Places where the sources declare what.
struct Places {
    /// Each line that declares something: the section, the number of the line counted over the section's files, and the
    /// line.
    lines: Vec<(usize, usize, String)>,
}

impl Places {
    fn read(root: &Path) -> Places {
        let mut lines = Vec::new();
        for (at, section) in SECTIONS.iter().enumerate() {
            for source in section.sources {
                let text = std::fs::read_to_string(root.join(source)).expect("the sources can be read");
                let public = text.lines().filter(|line| line.starts_with("pub "));
                lines.extend(public.map(|line| (at, line.to_owned())));
            }
        }
        let numbered = lines.into_iter().enumerate();
        Places { lines: numbered.map(|(number, (section, line))| (section, number, line)).collect() }
    }

    /// The section and the line of an item.
    fn find(&self, item: &Item) -> (usize, usize) {
        let name = if item.name == "gc_host_block" { "HostBlock" } else { &item.name };
        let declares = |line: &str| {
            let mut words =
                line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty());
            words.any(|word| word == name) && DECLARE.iter().any(|keyword| line.contains(&format!("{keyword} {name}")))
        };
        let found = self.lines.iter().find(|(_, _, line)| declares(line));
        let (section, number, _) = found.unwrap_or_else(|| panic!("no section of header/sections.rs has {name}"));
        (*section, *number)
    }
}

/// The words before the name of a declaration.
const DECLARE: &[&str] = &["fn", "const", "struct", "union", "type", "enum"];
