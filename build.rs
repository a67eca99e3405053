//! Names the shared library, and with the feature `header` generates graphcap.h from src/ffi.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libgraphcap.so.0");
        // The fork handler and thread-local destructors must stay mapped after a dlclose.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    #[cfg(feature = "header")]
    header::generate();
}

#[cfg(feature = "header")]
mod header {
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

    /// Writes the header to OUT_DIR, where tests/header.rs compares it with the committed one, and, when
    /// GRAPHCAP_HEADER is `write`, to include/.
    pub fn generate() {
        println!("cargo:rerun-if-changed=cbindgen.toml");
        println!("cargo:rerun-if-env-changed=GRAPHCAP_HEADER");
        let root = PathBuf::from(env("CARGO_MANIFEST_DIR"));
        let mut config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml is valid");
        config.after_includes = Some(version_defines() + config.after_includes.as_deref().unwrap_or_default());
        let mut builder = cbindgen::Builder::new().with_config(config);
        for source in SOURCES.iter().copied().chain([DRIVER]) {
            println!("cargo:rerun-if-changed={source}");
            builder = builder.with_src(root.join(source));
        }
        let bindings = builder.generate().expect("cbindgen understands src/ffi");
        let mut header = Vec::new();
        bindings.write(&mut header);
        let header = mark_statuses(&String::from_utf8(header).expect("cbindgen writes UTF-8"));
        std::fs::write(Path::new(&env("OUT_DIR")).join("graphcap.h"), &header).expect("OUT_DIR can be written to");
        let committed = root.join("include/graphcap.h");
        println!("cargo:rerun-if-changed={}", committed.display());
        // A file that has the right content keeps its time, by which C compilers decide what to do.
        let write = std::env::var("GRAPHCAP_HEADER").as_deref() == Ok("write");
        if write && std::fs::read_to_string(&committed).ok().as_deref() != Some(&header) {
            std::fs::write(committed, header).expect("include/graphcap.h can be written to");
        }
    }

    /// Puts GRAPHCAP_NODISCARD before each function that returns a status, except for those that the header's part on
    /// statuses names. cbindgen marks functions one by one; by the type that they return none can be forgotten.
    fn mark_statuses(header: &str) -> String {
        let ignorable =
            |name: &str| name.ends_with("_destroy") || name == "gc_last_error_message" || name == "gc_host_fail";
        let mut marked = String::with_capacity(header.len() + 4096);
        for line in header.split_inclusive('\n') {
            let name = line.strip_prefix("gc_status ").and_then(|rest| rest.split_once('(')).map(|(name, _)| name);
            if name.is_some_and(|name| !ignorable(name)) {
                marked.push_str("GRAPHCAP_NODISCARD\n");
            }
            marked.push_str(line);
        }
        marked
    }

    fn version_defines() -> String {
        let [major, minor, patch] =
            ["MAJOR", "MINOR", "PATCH"].map(|part| env(&format!("CARGO_PKG_VERSION_{part}")).parse::<u32>().unwrap());
        let number = major * 10_000 + minor * 100 + patch;
        let text = env("CARGO_PKG_VERSION");
        format!(
            "\n/** The version of this header. gc_version() returns the version of the library. */\n\
             #define GRAPHCAP_VERSION_MAJOR {major}\n\
             #define GRAPHCAP_VERSION_MINOR {minor}\n\
             #define GRAPHCAP_VERSION_PATCH {patch}\n\
             /** major * 10000 + minor * 100 + patch, as gc_version() tells it. */\n\
             #define GRAPHCAP_VERSION_NUMBER {number}\n\
             #define GRAPHCAP_VERSION_STRING \"{text}\"\n"
        )
    }

    fn env(name: &str) -> String {
        std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
    }
}
