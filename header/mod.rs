//! Makes the headers of src/ffi, and the interface as data: cbindgen translates the declarations, and the modules here lay them out and add
//! what Rust cannot say, the INIT macros and the shorthands, from tables.

mod abi;
mod cuda;
mod data;
mod doc;
mod ffi;
mod general;
mod inits;
mod items;
mod json;
mod layout;
mod sections;
mod shorthands;
mod write;

use std::path::{Path, PathBuf};

use items::Item;
use layout::Part;
use shorthands::Shorthand;

/// All that the interface has, as the generated files lay it out.
pub struct Interface<'a> {
    pub items: &'a [Item],
    pub parts: Vec<Part<'a>>,
    pub shorthands: Vec<Shorthand>,
}

/// Writes the header to OUT_DIR, where tests/header.rs compares it with the committed one, and, when
/// GRAPHCAP_HEADER is `write`, to include/.
pub fn generate() {
    println!("cargo:rerun-if-changed=cbindgen.toml");
    println!("cargo:rerun-if-env-changed=GRAPHCAP_HEADER");
    let root = PathBuf::from(env("CARGO_MANIFEST_DIR"));
    println!("cargo:rerun-if-changed=header");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in sections::SECTIONS.iter().flat_map(|section| section.sources) {
        println!("cargo:rerun-if-changed={source}");
        builder = builder.with_src(root.join(source));
    }
    let mut text = Vec::new();
    builder.generate().expect("cbindgen understands src/ffi").write(&mut text);
    let items = items::parse(&String::from_utf8(text).expect("cbindgen writes UTF-8"));
    let interface =
        Interface { items: &items, parts: layout::parts(&items, &root), shorthands: shorthands::all(&items) };
    inits::check(&items);
    cuda::check(&interface);
    publish(&root, sections::MANUAL, &write::header(&interface));
    publish(&root, sections::ALLOCATORS, &write::allocators(&interface));
    publish(&root, "graphcap_ffi.h", &ffi::header(&interface));
    publish(&root, "graphcap-api.json", &data::document(&interface));
    let skipped = shorthands::skipped(&items).to_string();
    std::fs::write(Path::new(&env("OUT_DIR")).join("skipped_shorthands"), skipped).expect("OUT_DIR can be written to");
}

/// Writes one generated file.
fn publish(root: &Path, name: &str, content: &str) {
    std::fs::write(Path::new(&env("OUT_DIR")).join(name), content).expect("OUT_DIR can be written to");
    let committed = root.join("include").join(name);
    println!("cargo:rerun-if-changed={}", committed.display());
    // A file that has the right content keeps its time, by which C compilers decide what to do.
    let write = std::env::var("GRAPHCAP_HEADER").as_deref() == Ok("write");
    if write && std::fs::read_to_string(&committed).ok().as_deref() != Some(content) {
        std::fs::write(committed, content).expect("include/ can be written to");
    }
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
