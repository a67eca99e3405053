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
    const SOURCES: [&str; 41] = [
        "src/ffi/version.rs",
        "src/ffi/status.rs",
        "src/ffi/objects.rs",
        "src/ffi/callback.rs",
        "src/ffi/device.rs",
        "src/ffi/context.rs",
        "src/ffi/buffer.rs",
        "src/ffi/host_buffer.rs",
        "src/ffi/managed.rs",
        "src/ffi/stream.rs",
        "src/ffi/stream_work.rs",
        "src/ffi/stream_attributes.rs",
        "src/ffi/copy.rs",
        "src/ffi/stream_values.rs",
        "src/ffi/violation.rs",
        "src/ffi/thread.rs",
        "src/ffi/launch_attributes.rs",
        "src/ffi/launch.rs",
        "src/ffi/event.rs",
        "src/ffi/module.rs",
        "src/ffi/kernel.rs",
        "src/ffi/kernel_attributes.rs",
        "src/ffi/graph.rs",
        "src/ffi/graph_nodes.rs",
        "src/ffi/edges.rs",
        "src/ffi/graph_edits.rs",
        "src/ffi/graph_memory.rs",
        "src/ffi/conditional.rs",
        "src/ffi/node.rs",
        "src/ffi/node_get.rs",
        "src/ffi/node_set.rs",
        "src/ffi/node_attributes.rs",
        "src/ffi/recording.rs",
        "src/ffi/name.rs",
        "src/ffi/capture_graph.rs",
        "src/ffi/graph_text.rs",
        "src/ffi/graph_exec.rs",
        "src/ffi/exec_set.rs",
        "src/ffi/capture.rs",
        "src/ffi/capture_record.rs",
        "src/ffi/belonging.rs",
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
        for source in SOURCES.into_iter().chain([DRIVER]) {
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
        let ignorable = |name: &str| name.ends_with("_destroy") || name == "gc_last_error_message";
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
