//! Makes include/graphcap.h of src/ffi: cbindgen translates the declarations, and the modules here lay them out and add
//! what Rust cannot say, the INIT macros and the shorthands, from tables.

mod inits;
mod items;
mod shorthands;
mod write;

use std::path::{Path, PathBuf};

/// In the order in which a reader of the header meets them. cbindgen is given single files, because of a
/// whole crate it would take every public constant.
const SOURCES: &[&str] = &[
    "src/ffi/boundary/version.rs",
    "src/ffi/boundary/status.rs",
    "src/ffi/boundary/handle_types.rs",
    "src/ffi/boundary/callback.rs",
    "src/ffi/objects/device.rs",
    "src/ffi/objects/context.rs",
    "src/ffi/objects/generation.rs",
    "src/ffi/objects/buffer.rs",
    "src/ffi/objects/host_buffer.rs",
    "src/ffi/objects/managed.rs",
    "src/ffi/objects/pool.rs",
    "src/ffi/objects/pool_memory.rs",
    "src/ffi/objects/pool_raw.rs",
    "src/ffi/objects/pool_streams.rs",
    "src/ffi/objects/stream.rs",
    "src/ffi/operations/stream_work.rs",
    "src/ffi/objects/stream_attributes.rs",
    "src/ffi/operations/copy.rs",
    "src/ffi/operations/copy_batch.rs",
    "src/ffi/operations/stream_values.rs",
    "src/ffi/objects/scalar.rs",
    "src/ffi/objects/rng.rs",
    "src/ffi/captures/violation.rs",
    "src/ffi/boundary/thread.rs",
    "src/ffi/operations/launch_attributes.rs",
    "src/ffi/operations/launch.rs",
    "src/ffi/objects/event.rs",
    "src/ffi/objects/module.rs",
    "src/ffi/objects/kernel.rs",
    "src/ffi/objects/kernel_attributes.rs",
    "src/ffi/graphs/graph.rs",
    "src/ffi/graphs/graph_nodes.rs",
    "src/ffi/graphs/edges.rs",
    "src/ffi/graphs/graph_edits.rs",
    "src/ffi/graphs/graph_memory.rs",
    "src/ffi/graphs/conditional.rs",
    "src/ffi/graphs/node.rs",
    "src/ffi/graphs/node_get.rs",
    "src/ffi/graphs/unresolved_pointers.rs",
    "src/ffi/graphs/host_node.rs",
    "src/ffi/graphs/node_set.rs",
    "src/ffi/graphs/node_attributes.rs",
    "src/ffi/graphs/node_grid.rs",
    "src/ffi/captures/recording.rs",
    "src/ffi/objects/name.rs",
    "src/ffi/captures/capture_graph.rs",
    "src/ffi/graphs/graph_text.rs",
    "src/ffi/graphs/optimize.rs",
    "src/ffi/graphs/optimize_reasons.rs",
    "src/ffi/graphs/verify.rs",
    "src/ffi/graphs/plan.rs",
    "src/ffi/objects/memory_report.rs",
    "src/ffi/graphs/graph_exec.rs",
    "src/ffi/graphs/relaunch.rs",
    "src/ffi/graphs/progress.rs",
    "src/ffi/graphs/exec_pool.rs",
    "src/ffi/graphs/exec_set.rs",
    "src/ffi/graphs/replace_buffer.rs",
    "src/ffi/graphs/exec_update.rs",
    "src/ffi/graphs/exec_check.rs",
    "src/ffi/graphs/exec_apply.rs",
    "src/ffi/graphs/graph_cache.rs",
    "src/ffi/kit/op.rs",
    "src/ffi/kit/math.rs",
    "src/ffi/kit/op_desc.rs",
    "src/ffi/kit/script.rs",
    "src/ffi/kit/actor.rs",
    "src/ffi/kit/future.rs",
    "src/ffi/captures/capture.rs",
    "src/ffi/captures/capture_scope.rs",
    "src/ffi/captures/capture_record.rs",
    "src/ffi/captures/pool_capture.rs",
    "src/ffi/objects/belonging.rs",
];
/// Only for the struct that host kernels get.
const DRIVER: &str = "src/driver/code.rs";
/// The files here that the header is made of.
const PARTS: &[&str] =
    &["mod.rs", "inits.rs", "items.rs", "shorthands.rs", "write.rs", "introduction.h", "nodiscard.h"];

/// Writes the header to OUT_DIR, where tests/header.rs compares it with the committed one, and, when
/// GRAPHCAP_HEADER is `write`, to include/.
pub fn generate() {
    println!("cargo:rerun-if-changed=cbindgen.toml");
    println!("cargo:rerun-if-env-changed=GRAPHCAP_HEADER");
    let root = PathBuf::from(env("CARGO_MANIFEST_DIR"));
    for part in PARTS {
        println!("cargo:rerun-if-changed=header/{part}");
    }
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is valid");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES.iter().copied().chain([DRIVER]) {
        println!("cargo:rerun-if-changed={source}");
        builder = builder.with_src(root.join(source));
    }
    let mut text = Vec::new();
    builder.generate().expect("cbindgen understands src/ffi").write(&mut text);
    let items = items::parse(&String::from_utf8(text).expect("cbindgen writes UTF-8"));
    inits::check(&items);
    publish(&root, "graphcap.h", &write::header(&items));
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
