//! The circles of the sources: no files of a crate import each other in one. Cargo's
//! dependencies keep the crates in order, `forbid(unsafe_code)` unsafe code where it belongs, and Clippy the locks ranked and the C
//! boundary free of panics.

mod imports;

use std::path::Path;

use imports::{Crate, Source};

/// The code of a source: comments and the inside of literals are blanked, lines stay where they are.
fn code_of(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut code = String::new();
    let mut i = 0;
    // Copies blanks for what lies before `end`.
    let blank = |code: &mut String, from: usize, end: usize| {
        code.extend((from..end).map(|i| if at(i) == '\n' { '\n' } else { ' ' }));
        end
    };
    while i < chars.len() {
        let word_before = code.chars().last().is_some_and(|c| c.is_alphanumeric() || c == '_');
        if at(i) == '/' && at(i + 1) == '/' {
            let end = (i..chars.len()).find(|&j| at(j) == '\n').unwrap_or(chars.len());
            i = blank(&mut code, i, end);
        } else if at(i) == '/' && at(i + 1) == '*' {
            let (mut depth, mut end) = (1, i + 2);
            while depth > 0 && end < chars.len() {
                match (at(end), at(end + 1)) {
                    ('/', '*') => (depth, end) = (depth + 1, end + 2),
                    ('*', '/') => (depth, end) = (depth - 1, end + 2),
                    _ => end += 1,
                }
            }
            i = blank(&mut code, i, end);
        } else if at(i) == 'r'
            && !word_before
            && (at(i + 1) == '"' || (at(i + 1) == '#' && matches!(at(i + 2), '"' | '#')))
        {
            let hashes = (i + 1..).take_while(|&j| at(j) == '#').count();
            let mut end = i + hashes + 2;
            while end < chars.len() && !(at(end) == '"' && (1..=hashes).all(|n| at(end + n) == '#')) {
                end += 1;
            }
            i = blank(&mut code, i, (end + hashes + 1).min(chars.len()));
        } else if at(i) == '"' {
            let mut end = i + 1;
            while end < chars.len() && at(end) != '"' {
                end += if at(end) == '\\' { 2 } else { 1 };
            }
            i = blank(&mut code, i, (end + 1).min(chars.len()));
        } else if at(i) == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            let end =
                (i + 3 - usize::from(at(i + 1) != '\\')..).find(|&j| at(j) == '\'' || j >= chars.len()).unwrap_or(i);
            i = blank(&mut code, i, end + 1);
        } else {
            code.push(at(i));
            i += 1;
        }
    }
    code
}

/// The code without what is compiled for tests only.
fn without_tests(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    let next = |rest: &str| [rest.find("#[cfg(test)]"), rest.find("#[cfg(any(test,")].into_iter().flatten().min();
    while let Some(start) = next(rest) {
        kept += &rest[..start];
        let item = &rest[start..];
        let mut depth = 0;
        let end = item.char_indices().find(|&(_, c)| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0 && matches!(c, ';' | '}')
        });
        let end = end.map_or(item.len(), |(at, _)| at + 1);
        kept.extend(item[..end].chars().filter(|&c| c == '\n'));
        rest = &item[end..];
    }
    kept + rest
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The crates, each by its name and the folder of its sources.
fn crates(root: &Path) -> Vec<(String, std::path::PathBuf)> {
    let inner = std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap());
    let inner = inner.map(|entry| (entry.file_name().into_string().unwrap(), entry.path().join("src")));
    inner.chain([("graphcap".to_owned(), root.join("src"))]).collect()
}

#[test]
fn files_of_a_crate_import_each_other_in_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut said = Vec::new();
    for (name, folder) in crates(root) {
        let mut files = Vec::new();
        rust_files(&folder, &mut files);
        let sources: Vec<_> = files
            .iter()
            .map(|path| {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                (name, std::fs::read_to_string(path).unwrap())
            })
            .collect();
        let sources = stripped(&sources);
        let one = crate_from(&name, &sources);
        assert!(one.file_count() > 0, "the sources of the crate '{name}' were not found");
        said.extend(imports::complaints(&one));
    }
    assert!(said.is_empty(), "\n{}\n", said.join("\n"));
}

/// The code of sources, without comments, literals and tests.
fn stripped(sources: &[(String, String)]) -> Vec<(String, String)> {
    sources.iter().map(|(name, source)| (name.clone(), without_tests(&code_of(source)))).collect()
}

fn crate_from<'a>(name: &'a str, sources: &'a [(String, String)]) -> Crate<'a> {
    Crate::new(name, sources.iter().map(|(path, code)| Source::new(path, code)))
}

/// Returns what the checker says of the circles in a crate of these files, of which `lib.rs` declares those beside it.
fn complaints_of_circles(files: &[(&str, &str)]) -> Vec<String> {
    let beside = files.iter().filter_map(|(path, _)| path.strip_prefix("crates/core/src/")?.strip_suffix(".rs"));
    let declared = beside.filter(|name| !name.contains('/')).map(|name| format!("mod {name}; "));
    let mut sources = vec![("crates/core/src/lib.rs".to_owned(), declared.collect::<String>())];
    for (path, source) in files {
        match *path {
            "crates/core/src/lib.rs" => sources[0].1 += source,
            path => sources.push((path.to_owned(), (*source).to_owned())),
        }
    }
    imports::complaints(&crate_from("core", &stripped(&sources)))
}

const A: &str = "crates/core/src/a.rs";
const B: &str = "crates/core/src/b.rs";
const C: &str = "crates/core/src/c.rs";

#[test]
fn a_circle_is_found_and_named() {
    let said = complaints_of_circles(&[(A, "\n\nuse super::b::B;"), (B, "use crate::a::A;")]);
    let [said] = &said[..] else { panic!("{said:?}") };
    for part in [
        A,
        B,
        "crates/core/src/a.rs:3 imports crates/core/src/b.rs (super::b::B)",
        "crates/core/src/b.rs:1 imports crates/core/src/a.rs",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn every_kind_of_import_is_followed() {
    for source in [
        "use super::b::B;",
        "use super::b;",
        "use super::b as c;",
        "use super::b::*;",
        "use crate::b::B;",
        "use crate::{b::{B, B2}, c};",
        "use super::{c::{self, C}, b::{self}};",
        "fn f() { use super::b::B; }",
        "fn f() { super::b::f() }",
        "fn f(b: &crate::b::B<u8>) {}",
        "fn f() -> Vec<super::b::B> { Vec::new() }",
        "use super::{b}; fn f() { b::f() }",
        // Through what others re-export or import.
        "use super::B;",
        "use crate::{Again};",
        "use super::c::FromB;",
        "pub use super::b::B; fn f() -> B { B }",
        "use self::child::G; mod child;",
        "fn f() { for x in super::b::all() {} }",
    ] {
        let files = [
            ("crates/core/src/lib.rs", "pub use b::B; pub use self::b::B as Again;"),
            (A, source),
            (B, "use super::a::A;"),
            (C, "pub(super) use super::b::FromB;"),
            ("crates/core/src/a/child.rs", "use super::super::b::B;"),
        ];
        assert_eq!(complaints_of_circles(&files).len(), 1, "{source}");
    }
}

#[test]
fn what_is_no_import_makes_no_circle() {
    for source in [
        "",
        "// use super::b::B;",
        "#[cfg(test)]\nuse super::b::B;",
        "#[cfg(test)]\nmod tests {\n    use super::super::b::B;\n}",
        "#[cfg(test)]\nmod test_child;",
        "fn f() { \"super::b::B\" }",
        "use graphcap_driver::b::B;",
        "use std::b::B;",
        "pub(in crate::b) struct A;",
        "fn f(x: X) { x.b::<u8>(); x::b::f() }",
        "use super::c::C;",
        "use super::C;",
        "pub use super::b::B;",
    ] {
        let files = [
            ("crates/core/src/lib.rs", "pub use a::A; pub use b::B; pub use c::C;"),
            (A, source),
            (B, "use super::a::A; use super::A as Other;"),
            (C, ""),
            ("crates/core/src/a/test_child.rs", "use crate::b::B; use super::A;"),
        ];
        assert_eq!(complaints_of_circles(&files), [""; 0], "{source}");
    }
}

#[test]
fn a_parent_and_its_child_can_be_a_circle() {
    let child = ("crates/core/src/a/child.rs", "use super::A;");
    for (source, circles) in [
        ("mod child; struct A;", 0),
        ("mod child; pub use child::Child; struct A;", 0),
        ("mod child; pub use child::child; struct A;", 0),
        ("mod child; use child::Child; struct A;", 1),
        ("mod child; pub use child::Child; struct A(Child);", 1),
        ("mod child; struct A; fn f() { child::f() }", 1),
    ] {
        assert_eq!(complaints_of_circles(&[(A, source), child]).len(), circles, "{source}");
    }
    let of_mod = [("crates/core/src/lib.rs", "struct M; fn f() { a::f() }"), (A, "use super::M;")];
    assert_eq!(complaints_of_circles(&of_mod).len(), 1);
}

#[test]
fn each_circle_is_told_once() {
    let d = "crates/core/src/d.rs";
    let three = [(A, "use super::b::B;"), (B, "use super::c::C;"), (C, "use super::a::A;")];
    let two_of_two =
        [(A, "use super::b::B;"), (B, "use super::a::A;"), (C, "use super::d::D;"), (d, "use super::c::C;")];
    for (files, circles) in [(&three[..], 1), (&two_of_two, 2)] {
        let said = complaints_of_circles(files);
        assert_eq!(said.len(), circles, "{said:?}");
        assert!(files.iter().all(|(path, _)| said.iter().any(|said| said.contains(path))), "{said:?}");
    }
}
