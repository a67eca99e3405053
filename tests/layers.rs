//! The layers of the sources: none reaches upward, unsafe code stays where it belongs, and the C boundary has
//! nothing in it that can panic.

use std::path::Path;

/// From the bottom to the top, with the names that lib.rs re-exports from each.
const LAYERS: [(&str, &[&str]); 8] = [
    ("error", &["Error", "Result", "Status"]),
    ("room", &[]),
    ("slots", &[]),
    ("thread", &[]),
    ("rules", &[]),
    ("driver", &[]),
    ("core", &[]),
    ("ffi", &[]),
];

/// Where unsafe blocks and impls may be. The host device's tests write kernels, which get raw pointers.
const UNSAFE_ALLOWED: [&str; 4] = ["src/ffi/", "src/driver/host/raw.rs", "src/driver/host/tests/", "src/driver/cuda/"];

/// What panics, apart from indexing.
const PANICKING: [&str; 8] =
    [".unwrap()", ".expect(", "panic!", "unreachable!", "todo!", "unimplemented!", "assert!", "assert_eq!"];

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

#[test]
fn the_sources_keep_to_their_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    rust_files(&root.join("src"), &mut files);
    files.sort();
    assert!(files.len() > 20, "the sources were not found");
    let complaints: Vec<_> = files
        .iter()
        .flat_map(|path| {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            complaints(&name, &std::fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn reaching_upward_is_found() {
    assert_eq!(complaints("src/rules/mod.rs", "use crate::error::Status;\n"), [""; 0]);
    for (path, source) in [
        ("src/core/stream.rs", "use crate::ffi::stream;"),
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
        assert_eq!(complaints("src/core/stream.rs", source).len(), 1, "{source}");
        assert_eq!(complaints("src/ffi/stream.rs", source), [""; 0]);
        assert_eq!(complaints("src/driver/host/raw.rs", source), [""; 0]);
    }
    // Declaring is not doing, and words are only words.
    for source in ["pub unsafe fn f() {}", "// unsafe { }", "/* unsafe { } */", "const A: &str = \"unsafe { }\";"] {
        assert_eq!(complaints("src/core/stream.rs", source), [""; 0], "{source}");
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
        assert_eq!(complaints("src/ffi/stream.rs", source).len(), 1, "{source}");
        assert_eq!(complaints("src/core/stream.rs", source), [""; 0]);
    }
    for source in [
        "#[repr(C)]\nstruct A { b: [u8; 4] }\nfn f(c: &[u8]) { d(&[1], vec![2]) }",
        "#[cfg(test)]\nmod tests {\n    fn f() { a[0].unwrap() }\n}\n",
        "#[cfg(test)]\nmod tests;\nfn f() {}",
        "fn f() { \"a[0].unwrap()\" }",
        "fn f() { r#\"a[0].unwrap()\"# }",
    ] {
        assert_eq!(complaints("src/ffi/stream.rs", source), [""; 0], "{source}");
    }
}
