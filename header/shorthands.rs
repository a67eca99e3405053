//! The shorthands: `static inline` functions of graphcap.h with typed arguments, over one function of the library each.
//!
//! ROWS is the table of them. A row names what the shorthand calls and what it passes on, so that the header, the manual
//! and graphcap-api.json are all made of it. A row is left out while the library does not export what it calls, or
//! still exports a function of its name.

use super::items::{parameters, Item, Parameter, What};

/// One shorthand.
struct Row {
    name: &'static str,
    /// Its effect, from the verb on.
    effect: &'static str,
    body: Body,
}

/// The way in which a shorthand does it.
enum Body {
    /// Fills a gc_work and passes it to a verb.
    Work(&'static Verb, &'static Work),
    /// Passes its parameters on to a function, in their order.
    Call(&'static str, &'static str),
    /// Asks for a struct, and tells one member: the function, the struct and its plain macro; the parameters, an object and an
    /// output; the value.
    Ask { function: &'static str, of: &'static str, init: &'static str, parameters: &'static str, value: &'static str },
    /// Fills a struct of options, and passes it on: the function and its arguments, with `&options`; the struct and its plain
    /// macro; the parameters and the assignments.
    Options {
        function: &'static str,
        arguments: &'static str,
        of: &'static str,
        init: &'static str,
        parameters: &'static str,
        sets: &'static [(&'static str, &'static str)],
    },
    /// Fills a struct: the struct, its plain macro, the parameters and the assignments.
    Fill {
        of: &'static str,
        init: &'static str,
        parameters: &'static str,
        sets: &'static [(&'static str, &'static str)],
    },
}

/// A function that takes a gc_work.
struct Verb {
    function: &'static str,
    /// The parameters of a shorthand before those that fill the gc_work.
    before: &'static str,
    /// Those behind them.
    after: &'static str,
    /// The arguments of the function. The gc_work is `&work`; a function that takes the copy alone has `&copy`.
    arguments: &'static str,
}

/// One way to fill a gc_work.
struct Work {
    /// GRAPHCAP_WORK_ and this is the kind.
    kind: &'static str,
    parameters: &'static str,
    /// A member and its value, which is a parameter or an expression. `copy.` begins a member of a gc_memcpy_params that
    /// the shorthand fills.
    sets: &'static [(&'static str, &'static str)],
    /// The call that follows success: a function, and its arguments; none if the last of them is NULL.
    then: Option<(&'static str, &'static str, &'static str)>,
}

const ADD: Verb = Verb {
    function: "gc_graph_add_node",
    before: "const gc_graph *graph, const gc_node *dependencies, size_t dependency_count",
    after: "gc_node *node_out",
    arguments: "graph, dependencies, NULL, dependency_count, &work, node_out",
};
const SET: Verb = Verb {
    function: "gc_node_set",
    before: "const gc_graph *graph, gc_node node",
    after: "",
    arguments: "graph, node, &work",
};
const EXEC_SET: Verb = Verb {
    function: "gc_graph_exec_set_node",
    before: "const gc_graph_exec *exec, gc_node node",
    after: "",
    arguments: "exec, node, &work",
};
const CAPTURE: Verb =
    Verb { function: "gc_capture_record", before: "const gc_capture *capture", after: "", arguments: "capture, &work" };
const SUBMIT: Verb = Verb {
    function: "gc_stream_submit",
    before: "const gc_stream *stream",
    after: "",
    arguments: "stream, &work, NULL",
};
const AT_ONCE: Verb =
    Verb { function: "gc_context_memcpy", before: "const gc_context *context", after: "", arguments: "context, &copy" };
/// Submits work in a capture, and tells the node.
const SUBMIT_NODE: Verb = Verb { after: "gc_node *node_out", arguments: "stream, &work, node_out", ..SUBMIT };

const EMPTY: Work = Work { kind: "EMPTY", parameters: "", sets: &[], then: None };
const KERNEL: Work = Work {
    kind: "KERNEL",
    parameters: "const gc_kernel *kernel, const gc_launch_config *config, const gc_kernel_arg *arguments, \
                 size_t argument_count",
    sets: &[
        ("kernel", "kernel"),
        ("config", "config"),
        ("arguments", "arguments"),
        ("argument_count", "argument_count"),
    ],
    ..EMPTY
};
const MEMCPY: Work = Work {
    kind: "MEMCPY",
    parameters: "const gc_memcpy_params *params",
    sets: &[("memcpy_params", "params")],
    ..EMPTY
};
const PEER: Work = Work {
    kind: "MEMCPY",
    parameters: "const gc_buffer *destination, size_t destination_offset, const gc_buffer *source, \
                 size_t source_offset, size_t size",
    sets: &[
        ("copy.direction", "GRAPHCAP_MEMCPY_PEER"),
        ("copy.destination", "destination"),
        ("copy.destination_offset", "destination_offset"),
        ("copy.source", "source"),
        ("copy.source_offset", "source_offset"),
        ("copy.size", "size"),
        ("memcpy_params", "&copy"),
    ],
    ..EMPTY
};
const MEMSET: Work = Work {
    kind: "MEMSET",
    parameters: "const gc_memset_params *params",
    sets: &[("memset_params", "params")],
    ..EMPTY
};
const HOST: Work = Work {
    kind: "HOST",
    parameters: "gc_host_fn function, void *user_data, gc_destroy_fn destroy",
    sets: &[("function", "function"), ("user_data", "user_data"), ("destroy", "destroy")],
    ..EMPTY
};
const CHILD: Work =
    Work { kind: "CHILD_GRAPH", parameters: "const gc_graph *child", sets: &[("graph", "child")], ..EMPTY };
const CONDITIONAL: Work = Work {
    kind: "CONDITIONAL",
    parameters: "gc_condition condition, uint32_t conditional_kind, uint32_t body_count",
    sets: &[("condition", "condition"), ("conditional_kind", "conditional_kind"), ("body_count", "body_count")],
    ..EMPTY
};
const EVENT_RECORD: Work =
    Work { kind: "EVENT_RECORD", parameters: "const gc_event *event", sets: &[("event", "event")], ..EMPTY };
const EVENT_WAIT: Work = Work { kind: "EVENT_WAIT", ..EVENT_RECORD };
const EVENT_RECORD_FLAGS: Work = Work {
    parameters: "const gc_event *event, uint32_t flags",
    sets: &[("event", "event"), ("flags", "flags")],
    ..EVENT_RECORD
};
const EVENT_WAIT_FLAGS: Work = Work { kind: "EVENT_WAIT", ..EVENT_RECORD_FLAGS };
const MEM_OPS: Work = Work {
    kind: "MEM_OPS",
    parameters: "const gc_mem_op *operations, size_t operation_count",
    sets: &[("operations", "operations"), ("operation_count", "operation_count")],
    ..EMPTY
};
/// An allocation. The verb's node_out stands before buffer_out in a shorthand, so that both are named here.
const MEM_ALLOC: Work = Work {
    kind: "MEM_ALLOC",
    parameters: "size_t size",
    sets: &[("size", "size")],
    then: Some(("gc_node_get_buffer", "graph, *node_out, ", "gc_buffer **buffer_out")),
};
const MEM_FREE: Work =
    Work { kind: "MEM_FREE", parameters: "const gc_buffer *buffer", sets: &[("buffer", "buffer")], ..EMPTY };
const SET_CONDITION: Work = Work {
    kind: "SET_CONDITION",
    parameters: "gc_condition condition, const gc_buffer *buffer, size_t offset",
    sets: &[("condition", "condition"), ("buffer", "buffer"), ("offset", "offset")],
    ..EMPTY
};
const SCALAR_CONDITION: Work = Work {
    kind: "SET_CONDITION",
    parameters: "gc_condition condition, const gc_scalar *scalar",
    sets: &[("condition", "condition"), ("scalar", "scalar")],
    ..EMPTY
};
const RNG_UNIFORM: Work = Work {
    kind: "RNG_UNIFORM",
    parameters: "const gc_rng_uniform_params *params",
    sets: &[("rng_uniform_params", "params")],
    ..EMPTY
};

const fn work(name: &'static str, effect: &'static str, verb: &'static Verb, work: &'static Work) -> Row {
    Row { name, effect, body: Body::Work(verb, work) }
}

/// The context of an object whose type is given.
const fn context(name: &'static str, parameters: &'static str) -> Row {
    Row { name, effect: "Tells the context of an object", body: Body::Call("gc_object_context", parameters) }
}

/// The driver's handle of an object whose type is given.
const fn native(name: &'static str, parameters: &'static str) -> Row {
    Row { name, effect: "Tells the driver's handle of an object", body: Body::Call("gc_object_native", parameters) }
}

/// One fact about a context.
const fn of_context(name: &'static str, effect: &'static str, parameters: &'static str, value: &'static str) -> Row {
    let (of, init) = ("gc_context_info", "GRAPHCAP_CONTEXT_INFO_INIT");
    Row { name, effect, body: Body::Ask { function: "gc_context_get_info", of, init, parameters, value } }
}

/// One fact about a graph exec.
const fn of_exec(name: &'static str, effect: &'static str, parameters: &'static str, value: &'static str) -> Row {
    let (of, init) = ("gc_graph_exec_info", "GRAPHCAP_GRAPH_EXEC_INFO_INIT");
    Row { name, effect, body: Body::Ask { function: "gc_graph_exec_get_info", of, init, parameters, value } }
}

const ROWS: &[Row] = &[
    // Work of a stream.
    work("gc_stream_memcpy", "Copies memory", &SUBMIT, &MEMCPY),
    work("gc_stream_memcpy_peer", "Copies between buffers that may be of two contexts", &SUBMIT, &PEER),
    work("gc_context_memcpy_peer", "Copies between buffers that may be of two contexts, and waits", &AT_ONCE, &PEER),
    work("gc_stream_memset_2d", "Fills rows of memory", &SUBMIT, &MEMSET),
    work("gc_stream_fill_uniform", "Fills a buffer with random numbers", &SUBMIT, &RNG_UNIFORM),
    work("gc_stream_mem_free", "Frees memory that a launch of a graph left allocated", &SUBMIT, &MEM_FREE),
    work("gc_stream_capture_child_node", "Records a graph as one node", &SUBMIT_NODE, &CHILD),
    work("gc_stream_capture_conditional_node", "Records a conditional node", &SUBMIT_NODE, &CONDITIONAL),
    // Nodes of a graph.
    work("gc_graph_add_empty_node", "Adds a node that does nothing", &ADD, &EMPTY),
    work("gc_graph_add_kernel_node", "Adds a node that launches a kernel", &ADD, &KERNEL),
    work("gc_graph_add_memcpy_node", "Adds a node that copies", &ADD, &MEMCPY),
    work("gc_graph_add_memset_node", "Adds a node that fills memory", &ADD, &MEMSET),
    work("gc_graph_add_host_node", "Adds a node that calls a host function", &ADD, &HOST),
    work("gc_graph_add_batch_mem_op_node", "Adds a node of operations on values in memory", &ADD, &MEM_OPS),
    work("gc_graph_add_event_record_node", "Adds a node that records an event", &ADD, &EVENT_RECORD),
    work("gc_graph_add_event_wait_node", "Adds a node that waits for an event", &ADD, &EVENT_WAIT),
    work("gc_graph_add_mem_alloc_node", "Adds a node that allocates memory, and tells its buffer", &ADD, &MEM_ALLOC),
    work("gc_graph_add_mem_free_node", "Adds a node that frees memory which the graph allocates", &ADD, &MEM_FREE),
    work("gc_graph_add_conditional_node", "Adds a node that runs its bodies by a condition", &ADD, &CONDITIONAL),
    work("gc_graph_add_set_condition_node", "Adds a node that sets a condition from a buffer", &ADD, &SET_CONDITION),
    work(
        "gc_graph_add_scalar_condition_node",
        "Adds a node that sets a condition from a scalar",
        &ADD,
        &SCALAR_CONDITION,
    ),
    // What a node of a graph does.
    work("gc_node_set_kernel", "Sets the launch of a kernel node", &SET, &KERNEL),
    work("gc_node_set_memcpy", "Sets the copy of a memcpy node", &SET, &MEMCPY),
    work("gc_node_set_memset", "Sets what a memset node fills", &SET, &MEMSET),
    work("gc_node_set_host", "Sets the function of a host node", &SET, &HOST),
    work("gc_node_set_batch_mem_op", "Sets the operations of a node of values", &SET, &MEM_OPS),
    work("gc_node_set_event_record", "Sets the event that a node records", &SET, &EVENT_RECORD),
    work("gc_node_set_event_wait", "Sets the event that a node waits for", &SET, &EVENT_WAIT),
    work("gc_node_set_child", "Sets the graph of a child node", &SET, &CHILD),
    // What a node of an exec does.
    work("gc_graph_exec_set_kernel_node", "Sets the launch of a kernel node", &EXEC_SET, &KERNEL),
    work("gc_graph_exec_set_memcpy_node", "Sets the copy of a memcpy node", &EXEC_SET, &MEMCPY),
    work("gc_graph_exec_set_memset_node", "Sets what a memset node fills", &EXEC_SET, &MEMSET),
    work("gc_graph_exec_set_host_node", "Sets the function of a host node", &EXEC_SET, &HOST),
    work("gc_graph_exec_set_batch_mem_op_node", "Sets the operations of a node of values", &EXEC_SET, &MEM_OPS),
    work("gc_graph_exec_set_event_record_node", "Sets the event that a node records", &EXEC_SET, &EVENT_RECORD),
    work("gc_graph_exec_set_event_wait_node", "Sets the event that a node waits for", &EXEC_SET, &EVENT_WAIT),
    work("gc_graph_exec_set_child_node", "Sets the graph of a child node", &EXEC_SET, &CHILD),
    // Work that a gc_capture records.
    work("gc_capture_record_kernel_handle", "Records the launch of a kernel", &CAPTURE, &KERNEL),
    work("gc_capture_record_memset_2d", "Records the filling of rows of memory", &CAPTURE, &MEMSET),
    work("gc_capture_record_host_func", "Records a host function", &CAPTURE, &HOST),
    work("gc_capture_record_event", "Records an event", &CAPTURE, &EVENT_RECORD_FLAGS),
    work("gc_capture_record_wait_event", "Records a wait for an event", &CAPTURE, &EVENT_WAIT_FLAGS),
    work("gc_capture_record_batch_mem_op", "Records operations on values in memory", &CAPTURE, &MEM_OPS),
    // What holds for several kinds of objects.
    context("gc_stream_get_context", "const gc_stream *stream, gc_context **context_out"),
    context("gc_event_get_context", "const gc_event *event, gc_context **context_out"),
    context("gc_buffer_get_context", "const gc_buffer *buffer, gc_context **context_out"),
    context("gc_host_buffer_get_context", "const gc_host_buffer *host_buffer, gc_context **context_out"),
    context("gc_scalar_get_context", "const gc_scalar *scalar, gc_context **context_out"),
    context("gc_rng_get_context", "const gc_rng *rng, gc_context **context_out"),
    context("gc_module_get_context", "const gc_module *module, gc_context **context_out"),
    context("gc_pool_get_context", "const gc_pool *pool, gc_context **context_out"),
    context("gc_graph_get_context", "const gc_graph *graph, gc_context **context_out"),
    context("gc_graph_exec_get_context", "const gc_graph_exec *exec, gc_context **context_out"),
    context("gc_graph_cache_get_context", "const gc_graph_cache *cache, gc_context **context_out"),
    context("gc_plan_get_context", "const gc_plan *plan, gc_context **context_out"),
    context("gc_script_get_context", "const gc_script *script, gc_context **context_out"),
    context("gc_actor_get_context", "const gc_actor *actor, gc_context **context_out"),
    context("gc_future_get_context", "const gc_future *future, gc_context **context_out"),
    native("gc_context_native", "const gc_context *context, void **native_out"),
    native("gc_stream_native", "const gc_stream *stream, void **native_out"),
    native("gc_event_native", "const gc_event *event, void **native_out"),
    native("gc_module_native", "const gc_module *module, void **native_out"),
    native("gc_kernel_native", "const gc_kernel *kernel, void **native_out"),
    native("gc_graph_native", "const gc_graph *graph, void **native_out"),
    native("gc_graph_exec_native", "const gc_graph_exec *exec, void **native_out"),
    // Facts.
    of_context(
        "gc_context_device_kind",
        "Tells the kind of the device",
        "const gc_context *context, gc_device_kind *kind_out",
        "info.device_kind",
    ),
    of_context(
        "gc_context_device_ordinal",
        "Tells the number of the device",
        "const gc_context *context, uint32_t *ordinal_out",
        "info.device_ordinal",
    ),
    of_context(
        "gc_context_generation",
        "Tells how often the context was reset",
        "const gc_context *context, uint64_t *generation_out",
        "info.generation",
    ),
    of_exec(
        "gc_graph_exec_flags",
        "Tells the flags that a graph exec was made with",
        "const gc_graph_exec *exec, uint32_t *flags_out",
        "info.flags",
    ),
    of_exec(
        "gc_graph_exec_generation",
        "Tells the generation in which a graph exec was made",
        "const gc_graph_exec *exec, uint64_t *generation_out",
        "info.generation",
    ),
    of_exec(
        "gc_graph_exec_node_count",
        "Tells the number of nodes of a graph exec",
        "const gc_graph_exec *exec, size_t *count_out",
        "(size_t)info.node_count",
    ),
    // Captures.
    Row {
        name: "gc_stream_begin_capture_to_graph",
        effect: "Begins a capture into a graph, which no object owns",
        body: Body::Options {
            function: "gc_capture_begin",
            arguments: "stream, mode, &options, NULL",
            of: "gc_capture_options",
            init: "GRAPHCAP_CAPTURE_OPTIONS_INIT",
            parameters: "const gc_stream *stream, const gc_graph *graph, const gc_node *dependencies, size_t count, \
                         gc_capture_mode mode",
            sets: &[("graph", "graph"), ("dependencies", "dependencies"), ("dependency_count", "count")],
        },
    },
    // Attributes of launches.
    Row {
        name: "gc_launch_attribute_init_number",
        effect: "Fills an attribute whose value is a number",
        body: Body::Fill {
            of: "gc_launch_attribute",
            init: "GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(id)",
            parameters: "gc_launch_attribute *attribute, gc_launch_attribute_id id, int32_t number",
            sets: &[("value.number", "number")],
        },
    },
    Row {
        name: "gc_launch_attribute_init_dimensions",
        effect: "Fills an attribute whose value is dimensions, in x, y and z",
        body: Body::Fill {
            of: "gc_launch_attribute",
            init: "GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(id)",
            parameters: "gc_launch_attribute *attribute, gc_launch_attribute_id id, uint32_t x, uint32_t y, uint32_t z",
            sets: &[("value.dimensions[0]", "x"), ("value.dimensions[1]", "y"), ("value.dimensions[2]", "z")],
        },
    },
];

/// A shorthand as the header has it.
pub struct Shorthand {
    pub name: &'static str,
    /// Its effect, and where to read on.
    pub doc: String,
    pub returns: &'static str,
    pub parameters: Vec<Parameter>,
    /// The function of the library; a macro where it only fills a struct.
    pub calls: &'static str,
    /// The statements of its body.
    pub body: Vec<String>,
}

/// The shorthands over functions that the library exports.
pub fn all(items: &[Item]) -> Vec<Shorthand> {
    let exported = |name: &str| items.iter().any(|item| item.name == name && matches!(item.what, What::Function(_)));
    let ready = |row: &&Row| {
        let called = match &row.body {
            Body::Work(verb, _) => verb.function,
            Body::Call(function, _) | Body::Options { function, .. } | Body::Ask { function, .. } => function,
            Body::Fill { .. } => return true,
        };
        exported(called) && !exported(row.name)
    };
    ROWS.iter().filter(ready).map(shorthand).collect()
}

/// The number of rows that have no shorthand.
pub fn skipped(items: &[Item]) -> usize {
    ROWS.len() - all(items).len()
}

fn shorthand(row: &Row) -> Shorthand {
    let &Row { name, effect, ref body } = row;
    match body {
        Body::Work(verb, work) => of_work(name, effect, verb, work),
        Body::Call(function, list) => {
            let parameters = parameters(list);
            let arguments: Vec<_> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            Shorthand {
                name,
                doc: format!("{effect}. See {function}()."),
                returns: "gc_status",
                calls: function,
                body: vec![format!("return {function}({});", arguments.join(", "))],
                parameters,
            }
        }
        Body::Ask { function, of, init, parameters: list, value } => {
            let parameters = parameters(list);
            let (object, output) = (&parameters[0].name, &parameters[1].name);
            let body = vec![
                format!("{of} info = {init};"),
                format!("const gc_status status = {function}({object}, &info);"),
                format!("if ({output} != NULL) *{output} = {value};"),
                "return status;".to_owned(),
            ];
            let doc = format!("{effect}. See {function}(). {output} may be NULL.");
            Shorthand { name, doc, returns: "gc_status", parameters, calls: function, body }
        }
        Body::Options { function, arguments, of, init, parameters: list, sets } => {
            let mut body = vec![format!("{of} options = {init};")];
            body.extend(sets.iter().map(|(member, value)| format!("options.{member} = {value};")));
            body.push(format!("return {function}({arguments});"));
            let doc = format!("{effect}. See {function}() and {of}.");
            Shorthand { name, doc, returns: "gc_status", parameters: parameters(list), calls: function, body }
        }
        Body::Fill { of, init, parameters: list, sets } => {
            let parameters = parameters(list);
            let filled = &parameters[0].name;
            let mut body = vec![format!("const {of} filled = {init};"), format!("if ({filled} == NULL) return;")];
            body.push(format!("*{filled} = filled;"));
            body.extend(sets.iter().map(|(member, value)| format!("{filled}->{member} = {value};")));
            let calls = init.split('(').next().unwrap_or(init);
            let doc = format!("{effect}. See {calls}. NULL for {filled} has no effect.");
            Shorthand { name, doc, returns: "void", parameters, calls, body }
        }
    }
}

fn of_work(name: &'static str, effect: &str, verb: &'static Verb, work: &Work) -> Shorthand {
    let takes_work = verb.arguments.contains("&work");
    let kind = match takes_work {
        true => format!("GRAPHCAP_WORK_{}", work.kind),
        false => work.sets[0].1.to_owned(),
    };
    let mut list = vec![verb.before, work.parameters, verb.after];
    let mut body = Vec::new();
    if takes_work {
        body.push("gc_work work = GRAPHCAP_WORK_INIT;".to_owned());
    }
    if work.sets.iter().any(|(member, _)| member.starts_with("copy.")) {
        body.push("gc_memcpy_params copy = GRAPHCAP_MEMCPY_PARAMS_INIT;".to_owned());
    }
    if work.then.is_some() {
        body.push("gc_status status;".to_owned());
    }
    if takes_work {
        body.push(format!("work.kind = {kind};"));
    }
    body.extend(work.sets.iter().filter_map(|(member, value)| match member.strip_prefix("copy.") {
        Some(_) => Some(format!("{member} = {value};")),
        None => takes_work.then(|| format!("work.{member} = {value};")),
    }));
    let call = format!("{}({})", verb.function, verb.arguments);
    match work.then {
        None => body.push(format!("return {call};")),
        Some((function, arguments, output)) => {
            list.push(output);
            let output = &parameters(output)[0].name;
            // Refused by what says that it is missing, before there is a node.
            // The place of the node may be that of a dependency.
            body.push(format!("if ({output} == NULL && node_out != NULL) *node_out = 0;"));
            body.push(format!("if ({output} == NULL) return {function}(graph, 0, NULL);"));
            body.push(format!("*{output} = NULL;"));
            body.push(format!("status = {call};"));
            body.push("if (status != GRAPHCAP_SUCCESS) return status;".to_owned());
            body.push(format!("status = {function}({arguments}{output});"));
            body.push("if (status != GRAPHCAP_SUCCESS) *node_out = 0;".to_owned());
            body.push("return status;".to_owned());
        }
    }
    let list: Vec<_> = list.into_iter().filter(|part| !part.is_empty()).collect();
    Shorthand {
        name,
        doc: format!("{effect}. See {}() and {kind}.", verb.function),
        returns: "gc_status",
        parameters: parameters(&list.join(", ")),
        calls: verb.function,
        body,
    }
}
