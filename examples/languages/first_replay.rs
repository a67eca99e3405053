//! A first replay in Rust, by what bindgen makes of graphcap.h: docs/languages.md tells how it is built.

#[allow(dead_code, non_camel_case_types)]
mod graphcap;
use graphcap::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

fn ok(status: gc_status) {
    if status != GRAPHCAP_SUCCESS {
        let mut text = [0; 1024];
        unsafe { gc_last_error_message(text.as_mut_ptr(), 1024, null_mut()) };
        panic!("{}", unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy());
    }
}

/// Calls a function that makes an object.
fn made<T>(call: impl FnOnce(*mut *mut T) -> gc_status) -> *mut T {
    let mut object = null_mut();
    ok(call(&mut object));
    object
}

fn main() {
    let mut words = [0u32; 16];
    unsafe {
        let context = made(|out| gc_context_create(null(), out));
        let stream = made(|out| gc_stream_create(context, null(), out));
        let buffer = made(|out| gc_buffer_allocate(context, 64, out));
        ok(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        ok(gc_stream_memset(stream, buffer, 0, 7, 4, 16)); // 16 words of 4 bytes become 7
        let graph = made(|out| gc_stream_end_capture(stream, out));
        let replayed = made(|out| gc_graph_instantiate(graph, null(), out));
        ok(gc_graph_launch(replayed, stream));
        ok(gc_stream_memcpy_dtoh(stream, words.as_mut_ptr().cast(), buffer, 0, 64));
        ok(gc_stream_synchronize(stream));
    }
    println!("replayed {}", words.iter().sum::<u32>());
}
