//! The INIT macros: one for each struct that states its size, which lists all members, and those that fill a struct from
//! parameters. Both are made of the members that cbindgen found, so a new member is in them by being there.

use super::items::{Item, Member, What};

/// The words and the values of the plain macro of a struct. Only structs that are not in the table are all zeros: "the defaults"
/// where they are options, else "empty".
struct Plain {
    of: &'static str,
    effect: &'static str,
    /// Members that are not 0.
    sets: &'static [(&'static str, &'static str)],
}

/// A macro with parameters.
struct Filling {
    name: &'static str,
    parameters: &'static [&'static str],
    of: &'static str,
    effect: &'static str,
    /// A member and its value; a value that is a parameter is cast to the member's type. Members that are not named are
    /// as in the plain macro.
    sets: &'static [(&'static str, &'static str)],
}

const fn plain(of: &'static str, effect: &'static str) -> Plain {
    Plain { of, effect, sets: &[] }
}

const PLAIN: &[Plain] = &[
    plain("gc_graph_exec_apply_options", "all ways are allowed, and there is no upload"),
    plain("gc_optimize_options", "no flags, as many lanes as kernels run at once on a GPU"),
    plain("gc_verify_options", "no flags, 16 random orders, 256 MiB"),
    plain("gc_step_options", "no flags, all nodes, 1 GiB"),
    plain("gc_bisect_options", "3 replays of a trial, 10,000 in all, 1 GiB"),
    plain("gc_graph_cache_options", "no sharing, no limit; set record"),
    plain("gc_op_vtable", "no functions; set record"),
    plain("gc_work", "no kind; set it, and what it names"),
    plain("gc_rng_uniform_params", "no flags; set rng, buffer and count"),
    plain("gc_sgemm_params", "no matrices, and an alpha of 0; set them"),
    plain("gc_fft_plan_params", "from real numbers to complex ones, one transform; set length"),
    plain("gc_fft_params", "no transforms; set a plan or its sizes, input and output"),
    plain("gc_capture_options", "no modules, no pool, not strict, a new graph"),
    plain("gc_pool_options", "as much capacity as the device has memory, used again wherever that is safe"),
    plain("gc_module_description", "nothing to load; set the image, the host kernels, or both"),
    plain("gc_host_kernel", "set at least name and function"),
    plain("gc_host_global", "set name, address and size"),
    plain("gc_kernel_arg", "set kind, and the members that the kind uses"),
    plain("gc_mem_op", "set kind, buffer, offset, value and flags"),
    plain("gc_graph_binding", "set kind, name, and the members that the kind uses"),
    Plain {
        of: "gc_launch_config",
        effect: "one block of one thread",
        sets: &[("grid_dim", "{1, 1, 1}"), ("block_dim", "{1, 1, 1}")],
    },
    Plain {
        of: "gc_memcpy_params",
        effect: "one row; set direction, the members that it uses, and size",
        sets: &[("height", "1"), ("depth", "1")],
    },
    Plain {
        of: "gc_memset_params",
        effect: "one row; set buffer, element_size and width at least",
        sets: &[("height", "1")],
    },
];

/// The members of a gc_mem_op that its macros set, from parameters of these names.
const MEM_OP: &[&str] = &["buffer", "offset", "value", "flags"];

const FILLING: &[Filling] = &[
    Filling {
        name: "GRAPHCAP_LAUNCH_CONFIG",
        parameters: &["blocks", "threads"],
        of: "gc_launch_config",
        effect: "blocks and threads per block in x, 1 in y and z",
        sets: &[("grid_dim", "{(uint32_t)(blocks), 1, 1}"), ("block_dim", "{(uint32_t)(threads), 1, 1}")],
    },
    Filling {
        name: "GRAPHCAP_LAUNCH_ATTRIBUTE_INIT",
        parameters: &["id"],
        of: "gc_launch_attribute",
        effect: "a value of zeros; set the member that the attribute uses",
        sets: &[("id", "id")],
    },
    Filling {
        name: "GRAPHCAP_HOST_GLOBAL",
        parameters: &["name", "variable"],
        of: "gc_host_global",
        effect: "a variable under a name",
        sets: &[("name", "name"), ("address", "&(variable)"), ("size", "sizeof(variable)")],
    },
    Filling {
        name: "GRAPHCAP_ARG_INIT_VALUE",
        parameters: &["variable"],
        of: "gc_kernel_arg",
        effect: "the value of a variable, which is copied at the launch",
        sets: &[("kind", "GRAPHCAP_ARG_VALUE"), ("value", "&(variable)"), ("value_size", "sizeof(variable)")],
    },
    Filling {
        name: "GRAPHCAP_ARG_INIT_BUFFER",
        parameters: &["buffer"],
        of: "gc_kernel_arg",
        effect: "the start of a buffer",
        sets: &[("kind", "GRAPHCAP_ARG_BUFFER"), ("buffer", "buffer")],
    },
    Filling {
        name: "GRAPHCAP_ARG_INIT_BUFFER_AT",
        parameters: &["buffer", "offset"],
        of: "gc_kernel_arg",
        effect: "a buffer from an offset in bytes",
        sets: &[("kind", "GRAPHCAP_ARG_BUFFER"), ("buffer", "buffer"), ("offset", "offset")],
    },
    Filling {
        name: "GRAPHCAP_MEM_OP_INIT_WAIT32",
        parameters: MEM_OP,
        of: "gc_mem_op",
        effect: "a wait for a value of 32 bits",
        sets: &[
            ("kind", "GRAPHCAP_MEM_OP_WAIT_VALUE32"),
            ("buffer", "buffer"),
            ("offset", "offset"),
            ("value", "(uint32_t)(value)"),
            ("flags", "flags"),
        ],
    },
    Filling {
        name: "GRAPHCAP_MEM_OP_INIT_WRITE32",
        parameters: MEM_OP,
        of: "gc_mem_op",
        effect: "a write of a value of 32 bits",
        sets: &[
            ("kind", "GRAPHCAP_MEM_OP_WRITE_VALUE32"),
            ("buffer", "buffer"),
            ("offset", "offset"),
            ("value", "(uint32_t)(value)"),
            ("flags", "flags"),
        ],
    },
    Filling {
        name: "GRAPHCAP_MEM_OP_INIT_WAIT64",
        parameters: MEM_OP,
        of: "gc_mem_op",
        effect: "a wait for a value of 64 bits",
        sets: &[
            ("kind", "GRAPHCAP_MEM_OP_WAIT_VALUE64"),
            ("buffer", "buffer"),
            ("offset", "offset"),
            ("value", "value"),
            ("flags", "flags"),
        ],
    },
    Filling {
        name: "GRAPHCAP_MEM_OP_INIT_WRITE64",
        parameters: MEM_OP,
        of: "gc_mem_op",
        effect: "a write of a value of 64 bits",
        sets: &[
            ("kind", "GRAPHCAP_MEM_OP_WRITE_VALUE64"),
            ("buffer", "buffer"),
            ("offset", "offset"),
            ("value", "value"),
            ("flags", "flags"),
        ],
    },
    Filling {
        name: "GRAPHCAP_MEMCPY_INIT_HTOD",
        parameters: &["destination", "destination_offset", "source_host", "size"],
        of: "gc_memcpy_params",
        effect: "from host memory into a buffer",
        sets: &[
            ("direction", "GRAPHCAP_MEMCPY_HOST_TO_DEVICE"),
            ("destination", "destination"),
            ("destination_offset", "destination_offset"),
            ("source_host", "source_host"),
            ("size", "size"),
        ],
    },
    Filling {
        name: "GRAPHCAP_MEMCPY_INIT_DTOH",
        parameters: &["destination_host", "source", "source_offset", "size"],
        of: "gc_memcpy_params",
        effect: "from a buffer into host memory",
        sets: &[
            ("direction", "GRAPHCAP_MEMCPY_DEVICE_TO_HOST"),
            ("destination_host", "destination_host"),
            ("source", "source"),
            ("source_offset", "source_offset"),
            ("size", "size"),
        ],
    },
    Filling {
        name: "GRAPHCAP_MEMCPY_INIT_DTOD",
        parameters: &["destination", "destination_offset", "source", "source_offset", "size"],
        of: "gc_memcpy_params",
        effect: "from a buffer into a buffer",
        sets: &[
            ("direction", "GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE"),
            ("destination", "destination"),
            ("destination_offset", "destination_offset"),
            ("source", "source"),
            ("source_offset", "source_offset"),
            ("size", "size"),
        ],
    },
    Filling {
        name: "GRAPHCAP_MEMCPY_INIT_HTOH",
        parameters: &["destination_host", "source_host", "size"],
        of: "gc_memcpy_params",
        effect: "from host memory into host memory",
        sets: &[
            ("direction", "GRAPHCAP_MEMCPY_HOST_TO_HOST"),
            ("destination_host", "destination_host"),
            ("source_host", "source_host"),
            ("size", "size"),
        ],
    },
    Filling {
        name: "GRAPHCAP_MEMSET_INIT",
        parameters: &["buffer", "offset", "value", "element_size", "width", "height", "pitch"],
        of: "gc_memset_params",
        effect: "rows of elements of a buffer",
        sets: &[
            ("element_size", "element_size"),
            ("buffer", "buffer"),
            ("offset", "offset"),
            ("value", "value"),
            ("width", "width"),
            ("height", "height"),
            ("pitch", "pitch"),
        ],
    },
    Filling {
        name: "GRAPHCAP_BINDING_INIT",
        parameters: &["kind", "name", "handle"],
        of: "gc_graph_binding",
        effect: "an object by its handle",
        sets: &[("kind", "kind"), ("name", "name"), ("handle", "handle")],
    },
    Filling {
        name: "GRAPHCAP_BINDING_INIT_HOST_MEMORY",
        parameters: &["name", "pointer", "size"],
        of: "gc_graph_binding",
        effect: "plain host memory of size bytes",
        sets: &[("kind", "GRAPHCAP_BINDING_HOST_MEMORY"), ("name", "name"), ("pointer", "pointer"), ("size", "size")],
    },
    Filling {
        name: "GRAPHCAP_BINDING_INIT_HOST_FUNCTION",
        parameters: &["name", "function", "user_data", "destroy"],
        of: "gc_graph_binding",
        effect: "a host function",
        sets: &[
            ("kind", "GRAPHCAP_BINDING_HOST_FUNCTION"),
            ("name", "name"),
            ("function", "function"),
            ("user_data", "user_data"),
            ("destroy", "destroy"),
        ],
    },
];

/// A macro of the header that initialises a struct.
pub struct Init {
    pub name: String,
    pub parameters: Vec<String>,
    /// The struct.
    pub of: String,
    /// The meaning of the struct then, as one phrase.
    pub effect: String,
    /// The value of each member, in order.
    pub values: Vec<String>,
}

/// The macros of one struct, the plain one first.
pub fn of(item: &Item, items: &[Item]) -> Vec<Init> {
    if !item.is_versioned() || item.name == "gc_host_block" {
        return Vec::new();
    }
    let members = item.members().unwrap_or_default();
    let row = PLAIN.iter().find(|row| row.of == item.name);
    let sets = row.map_or(&[][..], |row| row.sets);
    let default = if item.name.ends_with("_options") { "the defaults" } else { "empty" };
    let filling: Vec<_> = FILLING.iter().filter(|row| row.of == item.name).collect();
    let name = format!("GRAPHCAP_{}_INIT", item.name.trim_start_matches("gc_").to_uppercase());
    let mut found = Vec::new();
    if filling.iter().all(|row| row.name != name) {
        let values = values(item, members, &[sets], &[], items);
        let effect = row.map_or(default, |row| row.effect).to_owned();
        found.push(Init { name, parameters: Vec::new(), of: item.name.clone(), effect, values });
    }
    found.extend(filling.into_iter().map(|row| Init {
        name: row.name.into(),
        parameters: row.parameters.iter().map(|&name| name.into()).collect(),
        of: item.name.clone(),
        effect: row.effect.into(),
        values: values(item, members, &[row.sets, sets], row.parameters, items),
    }));
    found
}

/// Demands that each row of the tables is of a struct that there is.
pub fn check(items: &[Item]) {
    for of in PLAIN.iter().map(|row| row.of).chain(FILLING.iter().map(|row| row.of)) {
        assert!(items.iter().any(|item| item.name == *of), "header/inits.rs has a row for {of}, which there is not");
    }
}

/// The values of all members: from the first of the tables that has the member, else 0.
fn values(
    item: &Item,
    members: &[Member],
    tables: &[&[(&str, &str)]],
    parameters: &[&str],
    items: &[Item],
) -> Vec<String> {
    for (name, _) in tables.iter().copied().flatten() {
        assert!(members.iter().any(|member| member.name == *name), "{} has no member {name}", item.name);
    }
    let value = |member: &Member| {
        if member.name == "struct_size" {
            return format!("(uint32_t)sizeof({})", item.name);
        }
        let set = tables.iter().copied().flatten().find(|(name, _)| *name == member.name);
        match set {
            Some((_, value)) if parameters.contains(value) && is_pointer(&member.kind, items) => format!("({value})"),
            Some((_, value)) if parameters.contains(value) => format!("({})({value})", member.kind),
            Some((_, value)) => (*value).to_owned(),
            None => zero(&member.kind, member.length.is_some(), items),
        }
    };
    members.iter().map(value).collect()
}

fn is_pointer(kind: &str, items: &[Item]) -> bool {
    let callback = || items.iter().any(|item| item.name == kind && matches!(item.what, What::Callback(_)));
    kind.ends_with('*') || callback()
}

/// The zero of a type: all members of structs are listed, of a union and of an array the first one.
fn zero(kind: &str, array: bool, items: &[Item]) -> String {
    let one = if is_pointer(kind, items) {
        "NULL".to_owned()
    } else if kind == "float" {
        "0.0f".to_owned()
    } else {
        match items.iter().find(|item| item.name == kind).map(|item| &item.what) {
            Some(What::Struct(members)) => {
                let zeros: Vec<_> = members.iter().map(|m| zero(&m.kind, m.length.is_some(), items)).collect();
                format!("{{{}}}", zeros.join(", "))
            }
            Some(What::Union(members)) => {
                format!("{{{}}}", zero(&members[0].kind, members[0].length.is_some(), items))
            }
            _ => "0".to_owned(),
        }
    };
    if array {
        format!("{{{one}}}")
    } else {
        one
    }
}
