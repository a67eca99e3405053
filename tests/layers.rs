//! The layers of the sources: none reaches upward, no files within one import each other in a circle but those that
//! are listed, unsafe code stays where it belongs, locks are those of `src/lock.rs`, and the C boundary has nothing in it that
//! can panic.

mod circles;

use std::path::Path;

use circles::{Layer, Source, ALLOWED, FOLDERS};

/// From the bottom to the top, with the names that lib.rs re-exports from each.
const LAYERS: [(&str, &[&str]); 11] = [
    ("error", &["Error", "Result", "Status"]),
    ("names", &[]),
    ("lock", &[]),
    ("room", &[]),
    ("slots", &[]),
    ("thread", &[]),
    ("rules", &[]),
    ("driver", &[]),
    ("core", &[]),
    ("kit", &[]),
    ("ffi", &[]),
];

/// Where unsafe blocks and impls may be. The host device's tests write kernels, which get raw pointers.
const UNSAFE_ALLOWED: [&str; 6] = [
    "src/ffi/",
    "src/driver/environment/",
    "src/driver/host/raw.rs",
    "src/driver/host/memory/guard/",
    "src/driver/host/tests/",
    "src/driver/cuda/",
];

/// What panics, apart from indexing.
const PANICKING: [&str; 8] =
    [".unwrap()", ".expect(", "panic!", "unreachable!", "todo!", "unimplemented!", "assert!", "assert_eq!"];

/// The standard library's locks, which know no order.
const UNRANKED: [&str; 4] = ["Mutex", "RwLock", "Condvar", "*"];

fn layer_of(name: &str) -> Option<usize> {
    LAYERS.iter().position(|(layer, exports)| *layer == name || exports.contains(&name))
}

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
    while let Some(start) = rest.find("#[cfg(test)]") {
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

fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The names that follow each `crate::`, also in braces.
fn crate_paths(code: &str) -> Vec<(usize, &str)> {
    let mut paths = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        if at > 0 && code[..at].ends_with('$') {
            continue;
        }
        let after = &code[at + found.len()..];
        let Some(group) = after.strip_prefix('{') else {
            paths.push((line_of(code, at), first_word(after)));
            continue;
        };
        let (mut depth, mut start) = (0, true);
        for (offset, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                c if start && !c.is_whitespace() => {
                    paths.push((line_of(code, at), first_word(&group[offset..])));
                    start = false;
                }
                _ => {}
            }
        }
    }
    paths
}

/// The lines that name a lock of the standard library by its path, also in braces.
fn unranked_locks(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, path) in code.match_indices("sync::") {
        let after = &code[at + path.len()..];
        let names = match after.strip_prefix('{') {
            Some(group) => &group[..group.find(';').unwrap_or(group.len())],
            None => &after[..first_word(after).len().max(1)],
        };
        let words = names.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '*'));
        found.extend(words.filter(|word| UNRANKED.contains(word)).map(|word| (line_of(code, at), word)));
    }
    found
}

/// How far below the crate's root the module of a file is.
fn depth_of(path: &str) -> usize {
    path.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod").split('/').count()
}

/// What is wrong with the file `path`, which has the content `source`.
fn complaints(path: &str, source: &str) -> Vec<String> {
    let code = code_of(source);
    let shipped = without_tests(&code);
    let mut found = Vec::new();
    let layer = first_word(path.trim_start_matches("src/"));
    match layer_of(layer) {
        _ if path == "src/lib.rs" => {}
        None => found.push(format!("{path}: '{layer}' is no layer that this test knows")),
        Some(own) => {
            for (line, name) in crate_paths(&code) {
                match layer_of(name) {
                    Some(used) if used <= own => {}
                    Some(_) => found.push(format!("{path}:{line}: '{layer}' reaches up to '{name}'")),
                    None => found.push(format!("{path}:{line}: 'crate::{name}' is in no layer that this test knows")),
                }
            }
            let to_root = "super::".repeat(depth_of(path));
            if let Some(at) = shipped.find(&to_root) {
                found.push(format!("{path}:{}: names the crate's root by super, not by crate", line_of(&shipped, at)));
            }
        }
    }
    if !UNSAFE_ALLOWED.iter().any(|allowed| path.starts_with(allowed)) {
        for (at, word) in code.match_indices("unsafe") {
            let next = code[at + word.len()..].trim_start();
            if next.starts_with('{') || first_word(next) == "impl" {
                found.push(format!("{path}:{}: unsafe code does not belong here", line_of(&code, at)));
            }
        }
    }
    // `tests.rs`, `a_tests.rs` and what lies in `tests/` is compiled for tests only.
    if !path.starts_with("src/lock") && !path.ends_with("tests.rs") && !path.contains("/tests/") {
        for (line, name) in unranked_locks(&shipped) {
            found.push(format!("{path}:{line}: {name} of std::sync has no rank; crate::lock has those that do"));
        }
    }
    if path.starts_with("src/ffi/") && !path.ends_with("/tests.rs") {
        for (line, text) in shipped.lines().enumerate() {
            let constant = text.starts_with("const _: () = ");
            for what in PANICKING.iter().filter(|what| !constant && text.contains(**what)) {
                found.push(format!("{path}:{}: {what} can panic", line + 1));
            }
            let before = text
                .char_indices()
                .filter(|&(at, c)| c == '[' && at > 0)
                .filter_map(|(at, _)| text[..at].chars().last());
            if before.into_iter().any(|c| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '?')) {
                found.push(format!("{path}:{}: indexing can panic", line + 1));
            }
        }
    }
    found
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

/// All sources of the library: their paths and contents.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rust_files(&root.join("src"), &mut files);
    files.sort();
    assert!(files.len() > 20, "the sources were not found");
    let named = files.iter().map(|path| {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        (name, std::fs::read_to_string(path).unwrap())
    });
    named.collect()
}

#[test]
fn the_sources_keep_to_their_layers() {
    let complaints: Vec<_> = sources().iter().flat_map(|(name, source)| complaints(name, source)).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn files_of_a_layer_import_each_other_in_no_circle_but_those_listed() {
    let sources = stripped(&sources());
    let layers: Vec<_> = FOLDERS.iter().map(|layer| layer_from(layer, &sources)).collect();
    for (name, layer) in FOLDERS.iter().zip(&layers) {
        assert!(layer.file_count() > 0, "the layer '{name}' was not found");
    }
    let complaints = circles::complaints(&layers, &ALLOWED);
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// The code of sources, without comments, literals and tests.
fn stripped(sources: &[(String, String)]) -> Vec<(String, String)> {
    sources.iter().map(|(name, source)| (name.clone(), without_tests(&code_of(source)))).collect()
}

fn layer_from<'a>(name: &'a str, sources: &'a [(String, String)]) -> Layer<'a> {
    Layer::new(name, sources.iter().map(|(path, code)| Source::new(path, code)))
}

/// What the checker says of the circles in a layer of these files, of which `core/mod.rs` declares those beside it.
fn complaints_of_circles(files: &[(&str, &str)], allowed: &[(&str, &[&str])]) -> Vec<String> {
    let beside = files.iter().filter_map(|(path, _)| path.strip_prefix("src/core/")?.strip_suffix(".rs"));
    let declared = beside.filter(|name| !name.contains('/')).map(|name| format!("mod {name}; "));
    let mut sources = vec![("src/core/mod.rs".to_owned(), declared.collect::<String>())];
    for (path, source) in files {
        match *path {
            "src/core/mod.rs" => sources[0].1 += source,
            path => sources.push((path.to_owned(), (*source).to_owned())),
        }
    }
    circles::complaints(&[layer_from("core", &stripped(&sources))], allowed)
}

const A: &str = "src/core/a.rs";
const B: &str = "src/core/b.rs";
const C: &str = "src/core/c.rs";

#[test]
fn a_circle_is_found_and_named() {
    let said = complaints_of_circles(&[(A, "\n\nuse super::b::B;"), (B, "use crate::core::a::A;")], &[]);
    let [said] = &said[..] else { panic!("{said:?}") };
    for part in [A, B, "src/core/a.rs:3 imports src/core/b.rs (super::b::B)", "src/core/b.rs:1 imports src/core/a.rs"] {
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
        "use crate::core::b::B;",
        "use crate::{core::{b::{B, B2}, c}, driver};",
        "use super::{c::{self, C}, b::{self}};",
        "fn f() { use super::b::B; }",
        "fn f() { super::b::f() }",
        "fn f(b: &crate::core::b::B<u8>) {}",
        "fn f() -> Vec<super::b::B> { Vec::new() }",
        "use super::{b}; fn f() { b::f() }",
        // Through what others re-export or import.
        "use super::B;",
        "use crate::core::{Again};",
        "use super::c::FromB;",
        "pub use super::b::B; fn f() -> B { B }",
        "use self::child::G; mod child;",
        "fn f() { for x in super::b::all() {} }",
    ] {
        let files = [
            ("src/core/mod.rs", "pub use b::B; pub use self::b::B as Again;"),
            (A, source),
            (B, "use super::a::A;"),
            (C, "pub(super) use super::b::FromB;"),
            ("src/core/a/child.rs", "use super::super::b::B;"),
        ];
        assert_eq!(complaints_of_circles(&files, &[]).len(), 1, "{source}");
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
        "use crate::driver::b::B;",
        "use std::b::B;",
        "pub(in crate::core::b) struct A;",
        "fn f(x: X) { x.b::<u8>(); x::b::f() }",
        "use super::c::C;",
        "use super::C;",
        "pub use super::b::B;",
    ] {
        let files = [
            ("src/core/mod.rs", "pub use a::A; pub use b::B; pub use c::C;"),
            (A, source),
            (B, "use super::a::A; use super::A as Other;"),
            (C, ""),
            ("src/core/a/test_child.rs", "use crate::core::b::B; use super::A;"),
        ];
        assert_eq!(complaints_of_circles(&files, &[]), [""; 0], "{source}");
    }
}

#[test]
fn a_parent_and_its_child_can_be_a_circle() {
    let child = ("src/core/a/child.rs", "use super::A;");
    for (source, circles) in [
        ("mod child; struct A;", 0),
        ("mod child; pub use child::Child; struct A;", 0),
        ("mod child; pub use child::child; struct A;", 0),
        ("mod child; use child::Child; struct A;", 1),
        ("mod child; pub use child::Child; struct A(Child);", 1),
        ("mod child; struct A; fn f() { child::f() }", 1),
    ] {
        assert_eq!(complaints_of_circles(&[(A, source), child], &[]).len(), circles, "{source}");
    }
    let of_mod = [("src/core/mod.rs", "struct M; fn f() { a::f() }"), (A, "use super::M;")];
    assert_eq!(complaints_of_circles(&of_mod, &[]).len(), 1);
}

#[test]
fn the_list_of_circles_is_a_ratchet() {
    let two = [(A, "use super::b::B;"), (B, "use super::a::A;"), (C, "")];
    let three = [(A, "use super::b::B;"), (B, "use super::c::C;"), (C, "use super::a::A;")];
    let none = [(A, ""), (B, "use super::a::A;"), (C, "")];
    let of_two: &[(&str, &[&str])] = &[("", &[A, B])];
    let of_three: &[(&str, &[&str])] = &[("", &[A, B, C])];
    assert_eq!(complaints_of_circles(&two, of_two), [""; 0]);
    assert_eq!(complaints_of_circles(&three, of_three), [""; 0]);
    for (files, allowed, parts) in [
        (&three, of_two, ["not on the list", "new in it: src/core/c.rs\n    src/core/c.rs:1 imports src/core/a.rs"]),
        (&two, of_three, ["smaller or gone", "no longer in it: src/core/c.rs\n  now: src/core/a.rs, src/core/b.rs"]),
        (&none, of_two, ["smaller or gone", "no longer in it: src/core/a.rs, src/core/b.rs"]),
    ] {
        let said = complaints_of_circles(files, allowed);
        let [said] = &said[..] else { panic!("{said:?}") };
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    }
    // Two listed circles that became one have no new member.
    let d = "src/core/d.rs";
    let joined =
        [(A, "use super::b::B;"), (B, "use super::{a, c};"), (C, "use super::d::D;"), (d, "use super::{b, c};")];
    let said = complaints_of_circles(&joined, &[("", &[A, B]), ("", &[C, d])]);
    assert!(said.len() == 1 && said[0].contains("listed circles are one"), "{said:?}");
}

#[test]
fn reaching_upward_is_found() {
    assert_eq!(complaints("src/rules/mod.rs", "use crate::error::Status;\n"), [""; 0]);
    for (path, source) in [
        ("src/core/objects/stream.rs", "use crate::ffi::stream;"),
        ("src/driver/host/mod.rs", "fn f() { crate::core::go() }"),
        ("src/rules/mod.rs", "use crate::{error::{Error, Status}, driver::Driver};"),
        ("src/error.rs", "use crate::slots;"),
        ("src/slots.rs", "use crate::{\n    error,\n    rules,\n};"),
        ("src/driver/host/raw.rs", "use super::super::super::ffi;"),
        ("src/core/mod.rs", "use crate::utils;"),
        ("src/utils.rs", ""),
    ] {
        assert_eq!(complaints(path, source).len(), 1, "{path}: {source}");
    }
}

#[test]
fn misplaced_unsafe_code_is_found() {
    let offending = ["fn f() { unsafe { g() } }", "unsafe impl Send for X {}", "fn f() { unsafe\n{ g() } }"];
    for source in offending {
        assert_eq!(complaints("src/core/objects/stream.rs", source).len(), 1, "{source}");
        assert_eq!(complaints("src/ffi/objects/stream.rs", source), [""; 0]);
        assert_eq!(complaints("src/driver/host/raw.rs", source), [""; 0]);
    }
    // Declaring is not doing, and words are only words.
    for source in ["pub unsafe fn f() {}", "// unsafe { }", "/* unsafe { } */", "const A: &str = \"unsafe { }\";"] {
        assert_eq!(complaints("src/core/objects/stream.rs", source), [""; 0], "{source}");
    }
}

#[test]
fn a_lock_without_a_rank_is_found() {
    for source in [
        "use std::sync::Mutex;",
        "use std::sync::{Arc, RwLock};",
        "use std::sync::{\n    atomic::{AtomicBool, Ordering},\n    Condvar,\n};",
        "use std::{cell::Cell, sync::{Arc, Mutex}};",
        "use std::sync;\nstatic A: sync::Mutex<()> = B;",
        "static A: std::sync::RwLock<()> = B;",
        "use std::sync::*;",
    ] {
        assert_eq!(complaints("src/core/state.rs", source).len(), 1, "{source}");
        for path in ["src/lock.rs", "src/lock/order.rs", "src/core/state_tests.rs", "src/driver/host/tests/mod.rs"] {
            assert_eq!(complaints(path, source), [""; 0], "{path}: {source}");
        }
    }
    for source in [
        "use std::sync::{mpsc, Arc, OnceLock};\nuse crate::lock::{lock, Mutex};\nfn f(a: Mutex<()>) {}",
        "use std::sync::atomic::AtomicU64;",
        "// use std::sync::Mutex;",
        "#[cfg(test)]\nmod tests {\n    use std::sync::Mutex;\n}",
    ] {
        assert_eq!(complaints("src/core/state.rs", source), [""; 0], "{source}");
    }
}

#[test]
fn what_can_panic_in_the_c_boundary_is_found() {
    for source in [
        "fn f() { a.unwrap(); }",
        "fn f() { a.expect(\"b\"); }",
        "fn f() { panic!() }",
        "fn f() { a[0] }",
        "fn f() { g()[0] }",
        "fn f() { unreachable!() }",
        "#[cfg(test)]\nmod tests {\n    fn g() {}\n}\nfn f() { a[..2] }",
        "fn f<'a>(c: char) { if c == '\"' { a.unwrap() } }",
    ] {
        assert_eq!(complaints("src/ffi/objects/stream.rs", source).len(), 1, "{source}");
        assert_eq!(complaints("src/core/objects/stream.rs", source), [""; 0]);
    }
    for source in [
        "#[repr(C)]\nstruct A { b: [u8; 4] }\nfn f(c: &[u8]) { d(&[1], vec![2]) }",
        "#[cfg(test)]\nmod tests {\n    fn f() { a[0].unwrap() }\n}\n",
        "#[cfg(test)]\nmod tests;\nfn f() {}",
        "fn f() { \"a[0].unwrap()\" }",
        "fn f() { r#\"a[0].unwrap()\"# }",
    ] {
        assert_eq!(complaints("src/ffi/objects/stream.rs", source), [""; 0], "{source}");
    }
}
