//! The circles in which files of a crate import each other.
//!
//! A file imports another one when its code, tests aside, names it by a path: in a `use`, also a grouped one, or
//! inline (`super::capture::Record`). A path leads to the file that defines what is named, through re-exports. So
//! three things are no imports: a plain `mod child;`, a re-export whose name the file itself does not use, and a path
//! through a parent to something that the parent re-exports from elsewhere.

use std::collections::{BTreeMap, BTreeSet};

/// The sources of a crate that are compiled into the library, with what each imports.
pub struct Crate<'a> {
    /// By module, as in `["core", "stream"]`.
    files: BTreeMap<Vec<&'a str>, Source<'a>>,
}

/// A source without comments, literals and tests.
pub struct Source<'a> {
    path: &'a str,
    code: &'a str,
    uses: Vec<Use<'a>>,
    inline: Vec<(usize, Vec<&'a str>)>,
    words: Vec<&'a str>,
}

/// One name that a `use` brings into a file.
struct Use<'a> {
    line: usize,
    path: Vec<&'a str>,
    name: &'a str,
    re_export: bool,
}

/// One import, for a message.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Import {
    from: String,
    to: String,
    line: usize,
    text: String,
}

/// The words and signs of a piece of code, with the line that each stands in.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut line, mut at) = (1, 0);
    while let Some(first) = code[at..].chars().next() {
        let rest = &code[at..];
        let length = match first {
            c if c.is_alphanumeric() || c == '_' => super::first_word(rest).len(),
            ':' if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        if !first.is_whitespace() {
            found.push((line, &rest[..length]));
        }
        line += usize::from(first == '\n');
        at += length;
    }
    found
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

impl<'a> Source<'a> {
    /// `code` has been through `code_of` and `without_tests`.
    pub fn new(path: &'a str, code: &'a str) -> Self {
        let tokens = tokens(code);
        let word = |at: usize| tokens.get(at).map_or("", |&(_, word)| word);
        let mut source = Source { path, code, uses: Vec::new(), inline: Vec::new(), words: Vec::new() };
        let mut at = 0;
        while let Some(&(line, token)) = tokens.get(at) {
            let before = at.checked_sub(1).map_or("", word);
            if token == "use" && before != "." && word(at + 1) != "<" {
                let re_export = matches!(before, "pub" | ")");
                at = source.read_use(&tokens, at + 1, &[], re_export);
            } else if is_word(token) && !matches!(before, "::" | ".") {
                // `pub(in path)` says who may see something, not what is used.
                let visibility = before == "in" && word(at - 2) == "(";
                let mut path = vec![token];
                while word(at + 1) == "::" && is_word(word(at + 2)) {
                    path.push(word(at + 2));
                    at += 2;
                }
                if before != "mod" {
                    source.words.push(token);
                }
                if path.len() > 1 && !visibility {
                    source.inline.push((line, path));
                }
                at += 1;
            } else {
                at += 1;
            }
        }
        source
    }

    /// Reads one branch of a `use`, from `at` on; returns where it ends.
    fn read_use(&mut self, tokens: &[(usize, &'a str)], mut at: usize, stem: &[&'a str], re_export: bool) -> usize {
        let mut path = stem.to_vec();
        let mut name = None;
        while let Some(&(line, token)) = tokens.get(at) {
            at += 1;
            match token {
                "::" => {}
                "{" => {
                    while tokens.get(at).is_some_and(|&(_, next)| next != "}") {
                        at = self.read_use(tokens, at, &path, re_export);
                        at += usize::from(tokens.get(at).is_some_and(|&(_, next)| next == ","));
                    }
                    return at + 1;
                }
                "as" => {
                    name = tokens.get(at).map(|&(_, name)| name);
                    at += 1;
                }
                "self" if !path.is_empty() => {}
                _ if is_word(token) || token == "*" => path.push(token),
                _ => at -= 1,
            }
            let next = tokens.get(at).map_or(";", |&(_, next)| next);
            if matches!(next, "," | "}" | ";") {
                let name = name.or(path.last().copied()).unwrap_or_default();
                self.uses.push(Use { line, path, name, re_export });
                break;
            }
        }
        at
    }

    /// The children that the source declares.
    fn children(&self) -> Vec<&'a str> {
        let tokens = tokens(self.code);
        let child = |three: &[(usize, &'a str)]| match *three {
            [(_, "mod"), (_, name), (_, ";")] => Some(name),
            _ => None,
        };
        tokens.windows(3).filter_map(child).collect()
    }
}

/// The module of a file: `["core", "captures", "black_box"]`.
fn module_of<'a>(crate_name: &'a str, path: &'a str) -> Vec<&'a str> {
    let below = path.split_once("src/").map_or(path, |(_, below)| below);
    let below = below.trim_end_matches(".rs").trim_end_matches("/mod");
    let modules = below.split('/').filter(|&module| module != "lib");
    std::iter::once(crate_name).chain(modules).collect()
}

impl<'a> Crate<'a> {
    /// The crate of that name, of `sources`; without those that only tests declare.
    pub fn new(name: &'a str, sources: impl IntoIterator<Item = Source<'a>>) -> Self {
        let mut all: BTreeMap<_, _> =
            sources.into_iter().map(|source| (module_of(name, source.path), source)).collect();
        let mut files = BTreeMap::new();
        let mut next = vec![vec![name]];
        while let Some(module) = next.pop() {
            if let Some(source) = all.remove(&module) {
                next.extend(source.children().into_iter().map(|child| [module.as_slice(), &[child]].concat()));
                files.insert(module, source);
            }
        }
        Self { files }
    }

    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The module whose file defines what `path` names in the file of `module`. None for what is not of this crate.
    fn target(&self, module: &[&'a str], path: &[&'a str], depth: usize) -> Option<Vec<&'a str>> {
        let (&first, rest) = path.split_first()?;
        let mut at = match first {
            "crate" => vec![*module.first()?],
            "self" => module.to_vec(),
            "super" => module.split_last()?.1.to_vec(),
            _ => self.step(module, first, module, depth)?,
        };
        for &segment in rest {
            if segment == "super" {
                at.pop();
            } else if let Some(next) = self.step(&at, segment, module, depth) {
                at = next;
            } else {
                // An item of the file, or of another crate.
                break;
            }
        }
        self.files.contains_key(&at).then_some(at)
    }

    /// Tells where `name` of the file of `module` leads `asker`: to a child, or to what a `use` there names.
    fn step(&self, module: &[&'a str], name: &'a str, asker: &[&'a str], depth: usize) -> Option<Vec<&'a str>> {
        let child = [module, &[name]].concat();
        if self.files.contains_key(&child) {
            return Some(child);
        }
        // Only a module and its children see what it imports for itself.
        let seen = |one: &&Use| one.name == name && (one.re_export || asker.starts_with(module));
        // The `use` of a macro names the macro beside it.
        let found = self.files.get(module)?.uses.iter().find(|one| seen(one) && one.path != [name])?;
        (depth < 8).then(|| self.target(module, &found.path, depth + 1)).flatten()
    }

    fn imports(&self) -> Vec<Import> {
        let mut found = BTreeSet::new();
        for (module, source) in &self.files {
            let used = source.uses.iter().filter(|one| !one.re_export || source.words.contains(&one.name));
            let paths = used.map(|one| (one.line, &one.path));
            for (line, path) in paths.chain(source.inline.iter().map(|(line, path)| (*line, path))) {
                let Some(target) = self.target(module, path, 0).filter(|target| target != module) else { continue };
                let (from, to) = (source.path.to_owned(), self.files[&target].path.to_owned());
                found.insert(Import { from, to, line, text: path.join("::") });
            }
        }
        found.into_iter().collect()
    }
}

/// A circle: its files, and the imports among them.
struct Circle {
    members: BTreeSet<String>,
    imports: Vec<Import>,
}

fn circles(imports: &[Import]) -> Vec<Circle> {
    let mut onward: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for import in imports {
        onward.entry(&import.from).or_default().insert(&import.to);
    }
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for &start in onward.keys() {
        let (mut found, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(at) = next.pop() {
            next.extend(onward.get(at).into_iter().flatten().filter(|to| found.insert(**to)));
        }
        reached.insert(start, found);
    }
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|found| found.contains(to));
    let mut found: Vec<Circle> = Vec::new();
    for &start in reached.keys().filter(|start| reaches(start, start)) {
        if found.iter().any(|circle| circle.members.contains(start)) {
            continue;
        }
        let both_ways = reached.keys().filter(|other| reaches(start, other) && reaches(other, start));
        let members: BTreeSet<_> = both_ways.map(|&member| member.to_owned()).collect();
        let inside = |import: &&Import| members.contains(&import.from) && members.contains(&import.to);
        let imports = imports.iter().filter(inside).cloned().collect();
        found.push(Circle { members, imports });
    }
    found
}

impl Circle {
    /// The shortest way from `start` back to it.
    fn way_round(&self, start: &str) -> String {
        let mut ways: Vec<Vec<&Import>> =
            self.imports.iter().filter(|import| import.from == start).map(|import| vec![import]).collect();
        let mut seen = BTreeSet::new();
        while !ways.is_empty() {
            if let Some(way) = ways.iter().find(|way| way[way.len() - 1].to == start) {
                let lines = way.iter().map(|import| {
                    format!("\n    {}:{} imports {} ({})", import.from, import.line, import.to, import.text)
                });
                return lines.collect();
            }
            let longer = ways.iter().flat_map(|way| {
                let last = &way[way.len() - 1].to;
                self.imports
                    .iter()
                    .filter(move |import| import.from == *last)
                    .map(|next| [way.as_slice(), &[next]].concat())
            });
            ways = longer.filter(|way| seen.insert(way[way.len() - 1].to.clone())).collect();
        }
        String::new()
    }
}

/// The circles of a crate, each told with its files and the imports that close it.
pub fn complaints(one: &Crate) -> Vec<String> {
    let told = |circle: &Circle| {
        let members: Vec<_> = circle.members.iter().map(String::as_str).collect();
        format!("a circle of imports: {}{}", members.join(", "), circle.way_round(members[0]))
    };
    circles(&one.imports()).iter().map(told).collect()
}
