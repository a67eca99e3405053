//! The sections of the manual, in the order in which a reader meets them: simple things first.

/// A subject of the header.
pub struct Section {
    /// The name of its group; `graphcap_` stands before it.
    pub id: &'static str,
    pub title: &'static str,
    /// The words that a reader has to know first.
    pub head: &'static str,
    /// The files whose declarations it has, in this order. cbindgen is given single files, because of a whole crate it
    /// would take every public constant.
    pub sources: &'static [&'static str],
}

/// The manual.
pub const MANUAL: &str = "graphcap.h";

/// The header of what few programs need.
pub const ALLOCATORS: &str = "graphcap_allocators.h";

impl Section {
    /// The header that has the section.
    pub fn header(&self) -> &'static str {
        if self.id == "allocators" {
            ALLOCATORS
        } else {
            MANUAL
        }
    }
}

pub const SECTIONS: &[Section] = &[
    Section {
        id: "errors",
        title: "Errors and versions",
        head: "A call that fails returns a status and leaves a message for its thread. The number tells a program what to do; the \
               message tells a person what went wrong, in which function, with which objects, and what to do about it. \
               gc_status_name() and gc_status_description() explain a number.\n\n\
               A program checks each status, and asks gc_last_error_message() before the next call of the thread fails. \
               gc_live_handles() tells at the end of a program whether it forgot to destroy something. gc_version() tells the \
               version of the library, GRAPHCAP_VERSION_NUMBER that of this header.",
        sources: &[
            "src/ffi/boundary/version.rs",
            "src/ffi/boundary/status.rs",
            "src/ffi/boundary/callback.rs",
        ],
    },
    Section {
        id: "observing",
        title: "The log and the trace",
        head: "GRAPHCAP_LOG=level[,subject...] in the environment writes messages to standard error: error, warning, info or debug; \
               context, library, capture, exec, pool, fallback, call. A program takes them by gc_log_set_callback(). \
               GRAPHCAP_TRACE=file has a trace written as gc_trace_start() does.",
        sources: &["src/ffi/observe/log.rs", "src/ffi/observe/trace.rs"],
    },
    Section {
        id: "handles",
        title: "Handles",
        head: "The types of all objects. A function that makes an object gives a handle, which the caller destroys when it is not \
               needed any more; the object itself lives as long as anything uses it.",
        sources: &["src/ffi/boundary/handle_types.rs"],
    },
    Section {
        id: "contexts",
        title: "Devices and contexts",
        head: "A context is one use of a device. All other objects belong to a context, and keep it alive. A context of a GPU is \
               the primary context of the device, which the CUDA runtime, PyTorch and others use too; a context of a host \
               device is made of threads of the process.\n\n\
               gc_context_create() with NULL takes a GPU if there is one, and else the host device; GRAPHCAP_DEVICE in the \
               environment decides otherwise. What needs a GPU gives GRAPHCAP_ERROR_LIBRARY where NVIDIA's driver cannot be loaded, \
               GRAPHCAP_ERROR_STUB_LIBRARY where that is the toolkit's stub, GRAPHCAP_ERROR_NOT_SUPPORTED where it is of CUDA before \
               12.0, GRAPHCAP_ERROR_NOT_INITIALIZED or GRAPHCAP_ERROR_NO_DEVICE. An ordinal that no device has gives \
               GRAPHCAP_ERROR_INVALID_DEVICE. gc_context_reset() begins a context anew after a fault on a host device. \
               Objects can have names, which messages and texts of graphs then use.",
        sources: &[
            "src/ffi/objects/device.rs",
            "src/ffi/objects/context.rs",
            "src/ffi/objects/generation.rs",
            "src/ffi/objects/name.rs",
            "src/ffi/objects/memory_report.rs",
            "src/ffi/objects/belonging.rs",
        ],
    },
    Section {
        id: "buffers",
        title: "Memory",
        head: "A gc_buffer is memory of a device, a gc_host_buffer is memory of the CPU that the device can reach. graphcap \
               allocates both, or takes what the program has: gc_buffer_wrap() and gc_host_buffer_register(). Work names a part \
               of a buffer by an offset in bytes.\n\n\
               A buffer lives as long as work, a graph or a graph exec uses it, also after its handle was destroyed. Memory \
               that the CPU and the device both use by the same addresses is managed memory. Value operations, which write a \
               number or wait for one, take waitable memory alone: that of gc_buffer_allocate_waitable(), gc_pool_allocate() and \
               scalars, and wrapped memory that is not from a CUDA memory pool.",
        sources: &["src/ffi/objects/buffer.rs", "src/ffi/objects/host_buffer.rs", "src/ffi/objects/managed.rs"],
    },
    Section {
        id: "modules",
        title: "Modules and kernels",
        head: "A module is code for a device: an image for GPUs (PTX, cubin or fatbin), C functions for host devices, or both, so \
               that one program runs on either. A kernel is an entry of a module, and keeps it loaded.\n\n\
               The parameters of a kernel are known from its image or its description; a launch is checked against them. \
               Kernels may state what they do with their arguments, by gc_kernel_set_accesses(): that is what optimising and \
               the checks of accesses go by. Occupancy functions tell how many blocks run at once.",
        sources: &[
            "crates/driver/src/code.rs",
            "src/ffi/objects/module.rs",
            "src/ffi/objects/kernel.rs",
            "src/ffi/objects/kernel_attributes.rs",
        ],
    },
    Section {
        id: "streams",
        title: "Streams and their work",
        head: "A stream runs its work in order: launches of kernels, copies, memsets, host functions, operations on values, \
               waits for events. Streams run beside each other. The calls here queue work and return; the synchronize functions \
               wait. While a stream is captured, the same calls record nodes instead.\n\n\
               The legacy stream, gc_context_legacy_stream(), waits for the blocking streams of the context, and they wait for \
               it; streams made with GRAPHCAP_STREAM_NON_BLOCKING do not. Programs that capture do best with streams of that \
               kind. Arguments, configs and structs are read within the call.",
        sources: &[
            "src/ffi/objects/stream.rs",
            "src/ffi/operations/launch_attributes.rs",
            "src/ffi/operations/launch.rs",
            "src/ffi/operations/stream_work.rs",
            "src/ffi/operations/copy.rs",
            "src/ffi/operations/copy_batch.rs",
            "src/ffi/operations/stream_values.rs",
            "src/ffi/objects/stream_attributes.rs",
        ],
    },
    Section {
        id: "events",
        title: "Events",
        head: "An event is a point in the work of a stream. gc_event_record() sets it; streams wait for it by \
               gc_stream_wait_event(), the CPU by gc_event_synchronize(), and two events tell the time between them.\n\n\
               An event that is recorded in a capture holds the point in the capture. A stream that then waits for it joins \
               the capture; before the end, events join it back. Events can be shared with other processes, and be recorded \
               and awaited by the nodes of graphs.",
        sources: &["src/ffi/objects/event.rs"],
    },
    Section {
        id: "work",
        title: "Work as data",
        head: "A gc_work describes any work: its kind, a name, and for each kind a pointer to its parameters. One call for each place \
               takes it: gc_stream_submit() gives it to a stream, gc_capture_record() to a capture, gc_graph_add_node() makes it a \
               new node, gc_node_set() and gc_graph_exec_set_node() the work of a node that there is, and gc_script_push() an op.\n\n\
               The shorthands of C, such as \
               gc_graph_add_kernel_node(), fill a gc_work and make that call. Messages about a \
               shorthand name that call with the kind, and a parameter as the member that it fills: 'work.body_count'.",
        sources: &["src/ffi/work/data.rs", "src/ffi/work/stream.rs"],
    },
    Section {
        id: "capture",
        title: "Capture",
        head: "A capture turns the work of streams into a graph: gc_stream_begin_capture(), the work, gc_stream_end_capture(). The \
               rules are CUDA's: a call that would need the work to run breaks the capture, and the mode says which calls of \
               which threads do. The graph keeps alive all that the work uses.\n\n\
               gc_stream_capture_violation() tells which call broke a capture, where, and by which rule. gc_stream_capture() \
               captures the work of a function and always ends the capture. A gc_capture is a capture as an object: destroying the \
               object ends the capture.\n\n\
               The legacy stream cannot be captured: GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED. A call about a capture gives \
               GRAPHCAP_ERROR_ILLEGAL_STATE when the stream is not being captured, and one that begins a capture when it is, or cannot be \
               recorded. \
               An end gives GRAPHCAP_ERROR_CAPTURE_UNJOINED when a stream that joined was not joined back, and \
               GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD when another thread began the capture, in a mode other than relaxed. A capture of a \
               per-thread stream is its thread's alone; calls of others give GRAPHCAP_ERROR_NOT_PERMITTED.\n\n\
               gc_stream_capture_info(), gc_stream_capture_frontier(), gc_stream_capture_graph(), \
               gc_stream_export_capture_dot() and gc_stream_update_capture_dependencies() harm no capture. On a CUDA device no other \
               thread may record into that capture during such a call.",
        sources: &[
            "src/ffi/captures/recording.rs",
            "src/ffi/captures/violation.rs",
            "src/ffi/boundary/thread.rs",
            "src/ffi/captures/capture_scope.rs",
            "src/ffi/captures/capture.rs",
            "src/ffi/work/capture.rs",
            "src/ffi/captures/capture_graph.rs",
        ],
    },
    Section {
        id: "graph",
        title: "Graphs",
        head: "A graph is nodes and the edges between them. It comes from a capture, is built by hand, or is read from a text. A \
               gc_node is a number that names a node within its graph for as long as the graph lives; it is never used again.\n\n\
               The functions here list the nodes and edges of a graph, and read each node back: its kind, its parameters, as \
               they are at present, in structs with addresses. Graphs can be written as text for people (DOT) and for \
               programs (JSON), and two graphs be compared: GRAPHCAP_ERROR_NOT_SUPPORTED where graphs lie within each other \
               more than 16 deep. A graph runs after gc_graph_instantiate() has made a graph exec.",
        sources: &[
            "src/ffi/graphs/graph.rs",
            "src/ffi/graphs/node.rs",
            "src/ffi/graphs/node_get.rs",
            "src/ffi/graphs/host_node.rs",
            "src/ffi/graphs/unresolved_pointers.rs",
            "src/ffi/graphs/graph_text.rs",
            "src/ffi/graphs/wrap.rs",
        ],
    },
    Section {
        id: "exec",
        title: "Graph execs",
        head: "A graph exec is a graph made ready to run: gc_graph_launch() submits it as one piece of work, as often as the \
               program likes. It keeps what the graph keeps. Launches of one graph exec run one after another.\n\n\
               GRAPHCAP_INSTANTIATE_WATCH has gc_graph_exec_progress() tell at which nodes a launch is that seems to hang. \
               gc_graph_upload() does beforehand what the first launch would do.",
        sources: &[
            "src/ffi/graphs/graph_exec.rs",
            "src/ffi/graphs/relaunch.rs",
            "src/ffi/graphs/progress.rs",
        ],
    },
    Section {
        id: "building",
        title: "Building graphs",
        head: "Nodes are added to a graph with the nodes that they wait for, and edges between nodes at any time. Nodes can be of \
               each kind of work, graphs within a node, conditional nodes whose bodies are graphs of their own, and nodes that \
               allocate and free memory of the graph.\n\n\
               A condition belongs to a graph. Nodes before the conditional node set it, from memory of the device or from a \
               kernel; each launch begins with its default. What a node uses, the graph keeps alive. All structs and arrays \
               are read within the call.",
        sources: &[
            "src/ffi/work/node.rs",
            "src/ffi/work/add_many.rs",
            "src/ffi/graphs/graph_nodes.rs",
            "src/ffi/graphs/edges.rs",
            "src/ffi/graphs/conditional.rs",
            "src/ffi/graphs/graph_memory.rs",
        ],
    },
    Section {
        id: "editing",
        title: "Editing graphs",
        head: "A graph can be changed after it was made: what its nodes do, their attributes, its nodes and edges, and which \
               buffer they use. Graph execs that were made of it stay as they are; the next section changes those.\n\n\
               A node that is set does its new work with the edges that it has. A node keeps its kind. A graph that a capture \
               goes into cannot be changed by other calls until the capture is over.",
        sources: &[
            "src/ffi/graphs/graph_edits.rs",
            "src/ffi/work/node_set.rs",
            "src/ffi/graphs/node_attributes.rs",
            "src/ffi/graphs/node_grid.rs",
            "src/ffi/graphs/replace_buffer.rs",
        ],
    },
    Section {
        id: "update",
        title: "Updating graph execs",
        head: "A graph exec can be changed without being made anew: one node at a time, or as a whole after another graph of the \
               same shape. Launches that were submitted before run as they were; later ones do the new work.\n\n\
               gc_graph_exec_apply() takes the cheapest way from a graph exec to a graph: nothing, edits of single nodes, an \
               update, or a new instantiation; it reports which way it took, and why. gc_graph_exec_check() tells whether memory \
               that a graph exec uses is gone.",
        sources: &[
            "src/ffi/work/exec_set.rs",
            "src/ffi/work/set_many.rs",
            "src/ffi/graphs/exec_set.rs",
            "src/ffi/graphs/exec_update.rs",
            "src/ffi/graphs/exec_check.rs",
            "src/ffi/graphs/memory_block.rs",
            "src/ffi/graphs/exec_apply.rs",
        ],
    },
    Section {
        id: "cache",
        title: "Graph caches",
        head: "A graph cache keeps graph execs by key, as a program that meets the same shapes again and again needs them. \
               gc_graph_cache_launch() launches what the key names; if the cache does not have it, a function of the program's \
               records the work, and the cache keeps the result.\n\n\
               A cache may have a limit of bytes, and removes first what was not used for the longest time. Keys whose \
               graphs have one shape can share a graph exec.",
        sources: &["src/ffi/graphs/graph_cache.rs"],
    },
    Section {
        id: "pools",
        title: "Pools",
        head: "A pool is memory and objects that graphs share. A graph that is captured with a pool keeps the pool, and so all \
               that was added to it. Memory that is allocated from a pool goes back to it and is used again wherever that is \
               safe: in the order of a stream, within one capture, or by graphs that do not run at once.\n\n\
               A pool can be sealed: what would add to it, or capture with it, then gives GRAPHCAP_ERROR_SEALED. The allocators \
               of PyTorch and RMM can take their memory from a pool: graphcap_allocators.h. gc_pool_get_memory() tells what a pool has, gc_pool_trim() gives back what nothing uses.",
        sources: &[
            "src/ffi/objects/pool.rs",
            "src/ffi/objects/pool_memory.rs",
            "src/ffi/objects/pool_streams.rs",
            "src/ffi/captures/pool_capture.rs",
            "src/ffi/graphs/exec_pool.rs",
        ],
    },
    Section {
        id: "allocators",
        title: "Allocators of PyTorch and RMM",
        head: "Functions with the signatures that PyTorch's pluggable allocator and RMM's resource of callbacks ask for, and the \
               choice of the pool that gives them memory. They know memory by its address, and streams by the driver's handles.",
        sources: &["src/ffi/objects/pool_raw.rs"],
    },
    Section {
        id: "scalars",
        title: "Scalars and random numbers",
        head: "A scalar is one number in memory of the device, which graphs read each time they run: a learning rate, a grid, a \
               condition. gc_scalar_update() writes it in the order of a stream, without a change of the graph.\n\n\
               A gc_rng is a generator of random numbers, Philox 4x32-10, with the same numbers on each device. A graph that \
               draws from it draws new numbers at each launch. Its state can be that of PyTorch's generators or of cuRAND's.",
        sources: &["src/ffi/objects/scalar.rs", "src/ffi/objects/rng.rs"],
    },
    Section {
        id: "ops",
        title: "Ops and scripts",
        head: "An op is a piece of work that can be submitted and recorded again: work of a kind that graphcap knows, products of \
               matrices and Fourier transforms among them, or functions of the program's own. A script is a list of ops.\n\n\
               A script prepares its ops once, submits them to a stream or records them as a graph, and tells which op failed. \
               An op's functions get a gc_record_context, which leads to the stream, and to what belongs to the recording. What \
               ops do can also give GRAPHCAP_ERROR_LIBRARY, if a library of NVIDIA's cannot be loaded, and \
               GRAPHCAP_ERROR_CALLBACK, if a function that is written in Rust panics.",
        sources: &[
            "src/ffi/kit/op.rs",
            "src/ffi/kit/math.rs",
            "src/ffi/kit/script.rs",
            "src/ffi/work/script.rs",
        ],
    },
    Section {
        id: "actors",
        title: "Actors and futures",
        head: "An actor is a thread of graphcap's with a stream and a mailbox. It records scripts, launches graph execs and changes \
               them, in the order of the messages; the program does not wait. Each message gives a future.\n\n\
               A future is polled, awaited, or calls a function; it holds a status, a text, or the graph exec that was made. \
               It also tells what an actor that seems to hang is waiting for. Descriptors let an event loop wait for actors and futures.\n\n\
               A call that sends a message succeeds when the message is in the mailbox. If the mailbox is full it waits; \
               GRAPHCAP_ERROR_BUSY is the answer where it may not, and GRAPHCAP_ERROR_TIMEOUT after \
               gc_actor_options::post_timeout_ns. A closed actor answers GRAPHCAP_ERROR_ILLEGAL_STATE.",
        sources: &["src/ffi/kit/actor.rs", "src/ffi/kit/future.rs"],
    },
    Section {
        id: "optimising",
        title: "Optimising and verifying",
        head: "gc_graph_optimize() makes a graph that runs at once what need not run in order. It goes by what nodes read and \
               write: kernels say so by gc_kernel_set_accesses(), or by the access of an argument. Nodes of which that is not \
               known keep their place.\n\n\
               The result can be measured, explained as text and as data, kept as a plan for graphs of the same shape, and \
               verified: gc_graph_verify() runs a graph in many orders and compares what it writes. gc_graph_check() finds faults without \
               running anything, gc_graph_step() by running nodes one by one, gc_graph_bisect() by leaving nodes out.",
        sources: &[
            "src/ffi/graphs/kernel_statement.rs",
            "src/ffi/graphs/optimize.rs",
            "src/ffi/graphs/optimize_reasons.rs",
            "src/ffi/graphs/plan.rs",
            "src/ffi/graphs/verify.rs",
            "src/ffi/graphs/check.rs",
            "src/ffi/graphs/step.rs",
            "src/ffi/graphs/bisect.rs",
        ],
    },
];

/// Functions that stand in the last section, wherever they are declared: the ends of their names.
pub const NATIVE: &[&str] = &["_native", "_native_blas", "_native_rand"];

/// Numbers that name something as handles do, and stand with these.
pub const NUMBERS: &[&str] = &["gc_node", "gc_condition"];

/// The last section.
pub const NATIVES: Section = Section {
    id: "natives",
    title: "Native handles",
    head: "The driver's own handles of graphcap's objects, for calls of CUDA and of other libraries: CUcontext, CUstream, CUevent, \
           CUmodule, CUfunction, CUgraph, CUgraphNode and CUgraphExec. They are valid until the handle of graphcap's is \
           destroyed, and must not be destroyed by the program. Host devices have none.\n\n\
           What a program does by them, graphcap learns when it next asks the driver: see the functions for what follows from \
           giving a handle out. The other way round, gc_stream_wrap(), gc_graph_wrap(), gc_buffer_wrap() and gc_host_buffer_register() take what \
           others made.",
    sources: &[],
};
