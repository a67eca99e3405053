//! Names the shared library, and with the feature `header` generates graphcap.h from src/ffi.

#[cfg(feature = "header")]
mod header;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libgraphcap.so.0");
        // The fork handler and thread-local destructors must stay mapped after a dlclose.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        // Debug information that is kept apart is found by it. GCC asks for one by itself, other linkers do not.
        println!("cargo:rustc-cdylib-link-arg=-Wl,--build-id=sha1");
    }
    #[cfg(feature = "header")]
    header::generate();
}
