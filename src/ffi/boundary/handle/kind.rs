//! The kinds of handle.

/// Declares the kinds of handle, each with its number and the name of its type in C.
macro_rules! kinds {
    ($($kind:ident = $number:literal, $name:literal;)*) => {
        /// The kinds of handle. The numbers are the top byte of the token. Addresses of a user process start with 0,
        /// save for memory tags on AArch64, so that a real pointer is not mistaken for a handle.
        #[repr(u8)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Kind {
            $($kind = $number,)*
        }

        impl Kind {
            /// In the order of their numbers.
            pub(crate) const ALL: &'static [Kind] = &[$(Kind::$kind),*];

            /// Number of numbers from the first kind to the last one.
            pub(crate) const SPAN: usize = match Kind::ALL {
                [first, .., last] => *last as usize - *first as usize + 1,
                _ => Kind::ALL.len(),
            };

            /// The name of the type in C.
            pub(crate) fn c_name(self) -> &'static str {
                match self {
                    $(Kind::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    Context = 0xC1, "gc_context";
    Stream = 0xC2, "gc_stream";
    Event = 0xC3, "gc_event";
    Buffer = 0xC4, "gc_buffer";
    Module = 0xC5, "gc_module";
    Kernel = 0xC6, "gc_kernel";
    Graph = 0xC7, "gc_graph";
    GraphExec = 0xC8, "gc_graph_exec";
    Capture = 0xC9, "gc_capture";
    HostBuffer = 0xCA, "gc_host_buffer";
    Pool = 0xCB, "gc_pool";
    GraphCache = 0xCC, "gc_graph_cache";
    Scalar = 0xCD, "gc_scalar";
    Script = 0xCE, "gc_script";
    RecordContext = 0xCF, "gc_record_context";
    Actor = 0xD4, "gc_actor";
    Future = 0xD5, "gc_future";
    FftPlan = 0xD8, "gc_fft_plan";
    Rng = 0xDC, "gc_rng";
    Plan = 0xDE, "gc_plan";
}
