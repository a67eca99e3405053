//! graphcap.h and graphcap_allocators.h say what the library does: they are the generated ones, and constants, version and
//! functions agree with the Rust sources and the list of exported symbols.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use graphcap::Status;

const MANUAL: &str = include_str!("../include/graphcap.h");
const ALLOCATORS: &str = include_str!("../include/graphcap_allocators.h");
const HEADER: &str = concat!(include_str!("../include/graphcap.h"), include_str!("../include/graphcap_allocators.h"));
const SYMBOLS: &str = include_str!("../src/ffi/symbols.txt");

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// All of src/ffi as one text.
fn sources() -> String {
    let mut paths = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ffi"), &mut paths);
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// The macros of the header that are numbers.
fn numbers(header: &str) -> BTreeMap<&str, i64> {
    let defines = header.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' '));
    defines.filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect()
}

/// The words that the inline functions of the header have before their type.
const INLINE: &str = "static inline ";

/// The functions that a text declares, where `before` stands in front of each name. Inline ones are in no library.
fn functions<'a>(text: &'a str, before: &str) -> BTreeSet<&'a str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains(INLINE));
    let after = code.filter_map(|line| Some(&line[line.find(before)? + before.len()..]));
    after
        .filter_map(|rest| Some(&rest[..rest.find('(')?]))
        .map(|name| name.trim_start_matches(['*', ' ']))
        .filter(|name| name.starts_with("gc_") && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .collect()
}

/// A GRAPHCAP_FINDING_ number has its name in the schema of findings. Those of gc_graph_step() are 32 and more.
#[test]
fn the_schema_of_findings_names_all_kinds() {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../docs/findings.schema.json")).unwrap();
    let kinds = schema["$defs"]["finding"]["properties"]["kind"]["enum"].as_array().unwrap();
    let kinds: BTreeSet<String> = kinds.iter().map(|kind| kind.as_str().unwrap().to_owned()).collect();
    let numbers = numbers(MANUAL).into_iter().filter(|(_, number)| *number < 32);
    let names = numbers.filter_map(|(name, _)| Some(name.strip_prefix("GRAPHCAP_FINDING_")?.to_lowercase()));
    assert_eq!(kinds, names.collect());
}

#[cfg(feature = "header")]
#[test]
fn the_committed_files_are_the_generated_ones() {
    let files = [
        ("graphcap.h", include_str!(concat!(env!("OUT_DIR"), "/graphcap.h")), MANUAL),
        ("graphcap_allocators.h", include_str!(concat!(env!("OUT_DIR"), "/graphcap_allocators.h")), ALLOCATORS),
        (
            "graphcap_ffi.h",
            include_str!(concat!(env!("OUT_DIR"), "/graphcap_ffi.h")),
            include_str!("../include/graphcap_ffi.h"),
        ),
        (
            "graphcap-api.json",
            include_str!(concat!(env!("OUT_DIR"), "/graphcap-api.json")),
            include_str!("../include/graphcap-api.json"),
        ),
    ];
    for (name, generated, committed) in files {
        let differing = generated.lines().zip(committed.lines()).enumerate().find(|(_, (new, old))| new != old);
        assert_eq!(differing, None, "include/{name} is out of date: run `make header` and commit it");
        assert!(generated == committed, "include/{name} is out of date: run `make header` and commit it");
    }
}

#[test]
fn every_constant_of_the_sources_is_in_the_header_and_the_other_way_round() {
    let sources = sources();
    let mut declared = BTreeMap::new();
    for line in sources.lines().filter_map(|line| line.strip_prefix("pub const ")) {
        let (name, rest) = line.split_once(": ").unwrap();
        let value = rest.split_once("= ").unwrap().1.trim_end_matches(';');
        declared.insert(name, value.parse::<i64>().expect("a constant of the C API is a plain number"));
    }
    let mut in_header = numbers(HEADER);
    in_header.retain(|name, _| !name.starts_with("GRAPHCAP_VERSION_"));
    assert_eq!(declared, in_header);
    assert!(declared.len() > 50);
}

#[test]
fn statuses_are_those_of_the_library_with_their_meaning() {
    let (sources, in_header) = (sources(), numbers(HEADER));
    for status in Status::ALL {
        let name = status.name().unwrap().to_str().unwrap();
        let description = status.description().unwrap().to_str().unwrap();
        assert_eq!(in_header.get(name), Some(&i64::from(status.0)), "{name}");
        let declaration = format!("/// {description}\npub const {name}: gc_status = {};\n", status.0);
        assert!(sources.contains(&declaration), "src/ffi/boundary/status.rs lacks\n{declaration}");
    }
    let known: BTreeSet<_> = Status::ALL.iter().map(|status| status.name().unwrap().to_str().unwrap()).collect();
    let extra: Vec<_> = in_header.keys().filter(|name| name.starts_with("GRAPHCAP_ERROR_")).collect();
    assert!(extra.iter().all(|name| known.contains(**name)), "{extra:?}");
}

#[test]
fn the_version_is_cargos() {
    let in_header = numbers(HEADER);
    let parts = ["MAJOR", "MINOR", "PATCH"].map(|part| in_header[format!("GRAPHCAP_VERSION_{part}").as_str()]);
    assert_eq!(parts.map(|part| part.to_string()).join("."), env!("CARGO_PKG_VERSION"));
    assert_eq!(in_header["GRAPHCAP_VERSION_NUMBER"], parts[0] * 10_000 + parts[1] * 100 + parts[2]);
    assert!(HEADER.contains(&format!("#define GRAPHCAP_VERSION_STRING \"{}\"\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn sources_header_and_symbol_list_have_the_same_functions() {
    let sources = sources();
    let listed: Vec<_> = SYMBOLS.lines().collect();
    assert!(listed.is_sorted() && listed.len() > 50);
    let listed: BTreeSet<_> = listed.into_iter().collect();
    assert_eq!(functions(&sources, "extern \"C\" fn "), listed, "src/ffi against src/ffi/symbols.txt");
    let returning = ["gc_status ", "void ", "uint32_t ", "uint64_t ", "char *"];
    let in_header: BTreeSet<_> = returning.iter().flat_map(|before| functions(HEADER, before)).collect();
    assert_eq!(in_header, listed, "graphcap.h against src/ffi/symbols.txt");
    let inline = HEADER.lines().filter_map(|line| line.split_once(INLINE)?.1.split_once('('));
    let inline: BTreeSet<_> = inline.filter_map(|(before, _)| before.rsplit([' ', '*']).next()).collect();
    assert!(inline.len() > 1 && inline.is_disjoint(&listed), "{:?}", inline.intersection(&listed));
}

/// Names that break the rule of CONTRIBUTING.md for `get_`, each with its reason.
const WITHOUT_GET: [(&str, &str); 1] = [("gc_stream_capture_info", "the interface was asked for under this name")];

#[test]
fn get_stands_where_something_is_set_or_described_and_not_before_a_number_or_a_predicate() {
    let names: BTreeSet<_> = SYMBOLS.lines().collect();
    let described = ["_info", "_params", "_attribute", "_attributes"];
    let plain = ["_count", "_size", "_address", "_id"];
    let mut wrong: BTreeSet<&str> = BTreeSet::new();
    for name in &names {
        if let Some((object, noun)) = name.split_once("_set_") {
            let bare = format!("{object}_{noun}");
            wrong.extend(names.get(bare.as_str()).copied());
        }
        let verb = ["_get_", "_set_", "_copy_"].iter().any(|verb| name.contains(verb));
        if !verb && described.iter().any(|end| name.ends_with(end)) {
            wrong.insert(name);
        }
        let number = plain.iter().any(|end| name.ends_with(end));
        if name.contains("_get_is_") || name.contains("_get_has_") || (name.contains("_get_") && number) {
            wrong.insert(name);
        }
    }
    assert_eq!(wrong, WITHOUT_GET.iter().map(|(name, _)| name).copied().collect());
}

#[cfg(feature = "header")]
#[test]
fn every_row_of_the_shorthands_is_in_the_header() {
    assert_eq!(include_str!(concat!(env!("OUT_DIR"), "/skipped_shorthands")), "0");
}

#[test]
fn the_data_have_the_functions_of_the_library_with_texts() {
    let data: serde_json::Value = serde_json::from_str(include_str!("../include/graphcap-api.json")).unwrap();
    let functions = data["functions"].as_array().unwrap();
    let names: BTreeSet<_> = functions.iter().map(|function| function["name"].as_str().unwrap()).collect();
    assert_eq!(names, SYMBOLS.lines().collect());
    for function in functions {
        assert!(!function["text"].as_array().unwrap().is_empty(), "{}", function["name"]);
        for parameter in function["parameters"].as_array().unwrap() {
            assert_ne!(parameter["text"], "", "{} of {}", parameter["name"], function["name"]);
        }
    }
}

#[test]
fn every_function_is_exported_unmangled_and_documented() {
    let sources = sources();
    let lines: Vec<_> = sources.lines().collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.contains("extern \"C\" fn gc_")) {
        assert_eq!(lines[at - 1], "#[no_mangle]", "{line}");
        assert!(lines[at - 2].starts_with("/// "), "{line}");
    }
}

#[test]
fn every_status_must_be_looked_at_unless_it_is_of_a_destroy_or_of_the_message() {
    const MARK: &str = "GRAPHCAP_NODISCARD ";
    let (mut marked, mut unmarked) = (BTreeSet::new(), BTreeSet::new());
    for line in HEADER.lines().filter(|line| !line.contains(INLINE)) {
        let (set, line) = line.strip_prefix(MARK).map_or((&mut unmarked, line), |rest| (&mut marked, rest));
        set.extend(line.strip_prefix("gc_status ").and_then(|rest| Some(rest.split_once('(')?.0)));
    }
    // The sources tell which functions return a status, however the header is laid out.
    let sources = sources();
    let returning: BTreeSet<_> = sources
        .split("pub unsafe extern \"C\" fn ")
        .chain(sources.split("pub extern \"C\" fn "))
        .filter(|text| text.starts_with("gc_"))
        .filter(|text| text[..text.find('{').unwrap()].trim_end().ends_with("-> gc_status"))
        .map(|text| &text[..text.find('(').unwrap()])
        .collect();
    let ignorable: BTreeSet<_> = returning
        .iter()
        .copied()
        .filter(|name| name.ends_with("_destroy") || ["gc_last_error_message", "gc_host_fail"].contains(name))
        .collect();
    assert_eq!(unmarked, ignorable);
    assert_eq!(marked, &returning - &ignorable);
    assert!(marked.len() > 100 && unmarked.len() > 8, "{} {}", marked.len(), unmarked.len());
    let (inline, uses): (Vec<_>, Vec<_>) =
        HEADER.lines().filter(|line| line.starts_with(MARK)).partition(|line| line.contains(INLINE));
    assert_eq!(uses.len(), marked.len(), "GRAPHCAP_NODISCARD stands before something else, too");
    let of_statuses = |line: &&str| line.contains(&format!("{INLINE}gc_status "));
    assert!(inline.iter().all(of_statuses));
    assert_eq!(HEADER.lines().filter(of_statuses).count(), inline.len(), "a shorthand without the mark");
}

#[test]
fn the_macro_of_each_struct_of_options_sets_zeros() {
    let lines = HEADER.lines().map(|line| line.strip_prefix("typedef ").unwrap_or(line));
    let structs = lines.filter_map(|line| line.strip_prefix("struct ")?.strip_suffix("_options {"));
    let structs: Vec<_> = structs.collect();
    for name in &structs {
        let macro_name = name.trim_start_matches("gc_").to_uppercase();
        let start = format!("#define GRAPHCAP_{macro_name}_OPTIONS_INIT ");
        let text = &HEADER[HEADER.find(&start).expect(name) + start.len()..];
        let sized = format!("{{(uint32_t)sizeof({name}_options), ");
        let members = text[..text.find('}').unwrap()].trim_start_matches(['\\', '\n', ' ']).strip_prefix(&sized);
        let members = members.expect(name);
        assert!(
            members.split([',', '\\', '\n', ' ']).all(|member| ["0", "NULL", ""].contains(&member)),
            "{name}: {members}"
        );
    }
    assert!(structs.len() > 10, "{structs:?}");
}

#[test]
fn the_header_stands_alone() {
    let includes =
        |header: &'static str| header.lines().filter(|line| line.starts_with("#include")).collect::<Vec<_>>();
    assert_eq!(includes(MANUAL), ["#include <stddef.h>", "#include <stdint.h>"]);
    assert_eq!(includes(ALLOCATORS), ["#include \"graphcap.h\""]);
    assert!(!HEADER.contains("[0];") && !HEADER.contains("bool "));
}

#[test]
fn no_text_of_the_header_begins_with_a_question_word() {
    let header = std::fs::read_to_string("include/graphcap.h").unwrap();
    let lines: Vec<&str> = header.lines().map(str::trim).collect();
    for pair in lines.windows(2).filter(|pair| !pair[0].starts_with("///")) {
        let first = pair[1].strip_prefix("/// ").and_then(|text| text.split_whitespace().next());
        let is_question = matches!(first, Some("What" | "How" | "Whether" | "Why" | "That"));
        assert!(!is_question, "begin with a noun or a verb: {}", pair[1]);
    }
}
