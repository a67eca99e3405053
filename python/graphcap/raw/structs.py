"""The structs of graphcap.h as ctypes has them. Generated from include/graphcap-api.json by python/scripts/generate.py. Do not edit.

A new struct is what its INIT macro makes: struct_size is set, and so are the members that have no other default.
"""

from __future__ import annotations

import ctypes as _c
from typing import Any as _Any


class gc_context_options(_c.Structure):
    """Options of a new context. With all members 0 it is on a device of the kind that GRAPHCAP_DEVICE_AUTO finds.

    Members:
        struct_size: sizeof(gc_context_options).
        device_kind: One of the GRAPHCAP_DEVICE_ numbers.
        device_ordinal: Number of the device among those of its kind, from 0.
        flags: A combination of GRAPHCAP_CONTEXT_GUARDED and GRAPHCAP_CONTEXT_STRICT, or 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("device_kind", _c.c_int32),
        ("device_ordinal", _c.c_uint32),
        ("flags", _c.c_uint32),
    )
    struct_size: int
    device_kind: int
    device_ordinal: int
    flags: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_context_options))
        super().__init__(**members)


assert _c.sizeof(gc_context_options) == 16


class gc_context_info(_c.Structure):
    """Facts about a context. Start from GRAPHCAP_CONTEXT_INFO_INIT.

    Members:
        struct_size: sizeof(gc_context_info). Set it before the call.
        device_kind: The kind of the device: GRAPHCAP_DEVICE_HOST or GRAPHCAP_DEVICE_CUDA.
        device_ordinal: The number of the device among those of its kind: gc_context_options::device_ordinal.
        reserved: 0.
        generation: 1, and 1 more after each gc_context_reset().
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("device_kind", _c.c_int32),
        ("device_ordinal", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("generation", _c.c_uint64),
    )
    struct_size: int
    device_kind: int
    device_ordinal: int
    reserved: int
    generation: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_context_info))
        super().__init__(**members)


assert _c.sizeof(gc_context_info) == 24


class gc_host_block(_c.Structure):
    """The block that a host kernel runs.

    Members:
        struct_size: Size of this struct, for later growth.
        shared_mem_bytes: Dynamic shared memory of the block in bytes.
        grid_dim: Blocks in the grid.
        block_dim: Threads in a block; the kernel runs them itself, usually as a loop.
        block_index: Index of this block.
        reserved: Keeps shared_mem aligned; 0.
        shared_mem: Scratch of shared_mem_bytes bytes for this block alone, 64-byte aligned, not cleared; NULL when that is 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("shared_mem_bytes", _c.c_uint32),
        ("grid_dim", _c.c_uint32 * 3),
        ("block_dim", _c.c_uint32 * 3),
        ("block_index", _c.c_uint32 * 3),
        ("reserved", _c.c_uint32),
        ("shared_mem", _c.c_void_p),
    )
    struct_size: int
    shared_mem_bytes: int
    grid_dim: _c.Array[_c.c_uint32]
    block_dim: _c.Array[_c.c_uint32]
    block_index: _c.Array[_c.c_uint32]
    reserved: int
    shared_mem: int | None

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_host_block))
        super().__init__(**members)


assert _c.sizeof(gc_host_block) == 56


class gc_host_kernel(_c.Structure):
    """A kernel of the host device in a module description. Start from GRAPHCAP_HOST_KERNEL_INIT.

    Members:
        struct_size: sizeof(gc_host_kernel).
        flags: 0.
        name: The name by which gc_module_get_kernel() finds the kernel, UTF-8; copied.
        function: The code. It must stay callable while the module lives.
        parameter_sizes: The size of each parameter in bytes, 8 for a buffer; copied. If it is NULL, arguments are not checked.
        parameter_count: The number of parameter_sizes; 0 when it is NULL.
        accesses: Accesses of the kernel to the memory that its parameters point to, as gc_kernel_set_accesses() takes them: a number for each parameter; copied. If it is NULL, nothing is stated. It holds for the kernel of this name in the image as well.
        access_count: The number of accesses; 0 when it is NULL.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("name", _c.c_void_p),
        ("function", _c.c_void_p),
        ("parameter_sizes", _c.c_void_p),
        ("parameter_count", _c.c_uint64),
        ("accesses", _c.c_void_p),
        ("access_count", _c.c_uint64),
    )
    struct_size: int
    flags: int
    name: int | None
    function: int | None
    parameter_sizes: int | None
    parameter_count: int
    accesses: int | None
    access_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_host_kernel))
        super().__init__(**members)


assert _c.sizeof(gc_host_kernel) == 56


class gc_host_global(_c.Structure):
    """A global variable of the host device in a module description. Start from GRAPHCAP_HOST_GLOBAL(name, variable).

    Members:
        struct_size: sizeof(gc_host_global).
        flags: 0.
        name: The name by which gc_module_get_global() finds the variable, UTF-8; copied.
        address: The variable: memory of the program's, which host kernels use by its name in C. It must stay valid while the module lives.
        size: Its size in bytes, not 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("name", _c.c_void_p),
        ("address", _c.c_void_p),
        ("size", _c.c_uint64),
    )
    struct_size: int
    flags: int
    name: int | None
    address: int | None
    size: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_host_global))
        super().__init__(**members)


assert _c.sizeof(gc_host_global) == 32


class gc_module_description(_c.Structure):
    """Description of a module to load. Start from GRAPHCAP_MODULE_DESCRIPTION_INIT.

    Members:
        struct_size: sizeof(gc_module_description).
        flags: 0.
        image: PTX, cubin or fatbin for a CUDA device, or Tile IR where the driver takes it; NULL for none. PTX is a text, with or without a NUL at its end; it is compiled during the call, which can take seconds. Relocatable cubins and LTO-IR are refused: link them first. Not used by host devices.
        image_size: Bytes at image; 0 when it is NULL.
        host_kernels: Kernels for a host device, under the names that they have in the image; NULL for none. A CUDA device checks them too. A CUDA driver older than 12.4 does not report the parameters of kernels; there the parameter_sizes are used.
        host_kernel_count: The number of host kernels, at most 1048576.
        host_globals: Global variables for a host device, under the names that they have in the image; NULL for none. A CUDA device checks them too, and uses those of the image.
        host_global_count: The number of host globals, at most 1048576.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("image", _c.c_void_p),
        ("image_size", _c.c_uint64),
        ("host_kernels", _c.c_void_p),
        ("host_kernel_count", _c.c_uint64),
        ("host_globals", _c.c_void_p),
        ("host_global_count", _c.c_uint64),
    )
    struct_size: int
    flags: int
    image: int | None
    image_size: int
    host_kernels: int | None
    host_kernel_count: int
    host_globals: int | None
    host_global_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_module_description))
        super().__init__(**members)


assert _c.sizeof(gc_module_description) == 56


class gc_stream_options(_c.Structure):
    """Options of a new stream. With all members 0 it is a blocking stream of normal priority.

    Members:
        struct_size: sizeof(gc_stream_options).
        flags: 0 or GRAPHCAP_STREAM_NON_BLOCKING.
        priority: Lower is more urgent. Clamped to the range that gc_context_stream_priority_range() returns.
        reserved: 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("priority", _c.c_int32),
        ("reserved", _c.c_uint32),
    )
    struct_size: int
    flags: int
    priority: int
    reserved: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_stream_options))
        super().__init__(**members)


assert _c.sizeof(gc_stream_options) == 16


class gc_launch_event(_c.Structure):
    """An event that a launch records. The event is then as gc_event_record() leaves it: it holds the point, and in a capture the kernel's node. On a host device that point is the end of the kernel.

    Members:
        event: An event of the stream's context. It takes no times, see GRAPHCAP_EVENT_DISABLE_TIMING.
        flags: Flags of the record: 0 or those that the driver knows.
        trigger_at_block_start: 1 where each block triggers the event when it begins; 0 for GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.
    """

    _fields_ = (
        ("event", _c.c_void_p),
        ("flags", _c.c_int32),
        ("trigger_at_block_start", _c.c_int32),
    )
    event: int | None
    flags: int
    trigger_at_block_start: int


assert _c.sizeof(gc_launch_event) == 16


class gc_access_policy_window(_c.Structure):
    """A range of addresses, and how the caches of a device treat accesses to it.

    Members:
        base: The first address; see gc_buffer_address().
        size: The size of the range in bytes; 0 means no window.
        hit_ratio: The fraction of the accesses that hit_property applies to, from 0 to 1. miss_property applies to the others.
        hit_property: One of the GRAPHCAP_ACCESS_PROPERTY_ numbers.
        miss_property: GRAPHCAP_ACCESS_PROPERTY_NORMAL or GRAPHCAP_ACCESS_PROPERTY_STREAMING.
    """

    _fields_ = (
        ("base", _c.c_void_p),
        ("size", _c.c_uint64),
        ("hit_ratio", _c.c_float),
        ("hit_property", _c.c_int32),
        ("miss_property", _c.c_int32),
    )
    base: int | None
    size: int
    hit_ratio: float
    hit_property: int
    miss_property: int


assert _c.sizeof(gc_access_policy_window) == 32


class gc_memory_sync_domain_map(_c.Structure):
    """The domains of the device that the two memory-sync domains map to.

    Members:
        default_domain: The domain for GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT.
        remote_domain: The domain for GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE.
    """

    _fields_ = (
        ("default_domain", _c.c_uint8),
        ("remote_domain", _c.c_uint8),
    )
    default_domain: int
    remote_domain: int


assert _c.sizeof(gc_memory_sync_domain_map) == 2


class gc_launch_attribute_value(_c.Union):
    """The value of a launch attribute. It has the layout of CUDA's type, 64 bytes, and therefore no struct_size; but an event is graphcap's. The attribute determines which member is used.

    Members:
        bytes: The whole value, also for attributes that have no member here.
        number: For attributes whose value is a number.
        dimensions: For GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION and GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: in x, y and z.
        access_policy_window: For GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW.
        memory_sync_domain_map: For GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP.
        event: For GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT and GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.
    """

    _fields_ = (
        ("bytes", _c.c_uint8 * 64),
        ("number", _c.c_int32),
        ("dimensions", _c.c_uint32 * 3),
        ("access_policy_window", gc_access_policy_window),
        ("memory_sync_domain_map", gc_memory_sync_domain_map),
        ("event", gc_launch_event),
    )
    bytes: _c.Array[_c.c_uint8]
    number: int
    dimensions: _c.Array[_c.c_uint32]
    access_policy_window: gc_access_policy_window
    memory_sync_domain_map: gc_memory_sync_domain_map
    event: gc_launch_event


assert _c.sizeof(gc_launch_attribute_value) == 64


class gc_launch_attribute(_c.Structure):
    """An attribute of a launch. Start from GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(id) and set the value, or fill it by gc_launch_attribute_init_number() or gc_launch_attribute_init_dimensions().

    Members:
        struct_size: sizeof(gc_launch_attribute).
        id: Number of the attribute.
        value: Its value.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("id", _c.c_uint32),
        ("value", gc_launch_attribute_value),
    )
    struct_size: int
    id: int
    value: gc_launch_attribute_value

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_launch_attribute))
        super().__init__(**members)


assert _c.sizeof(gc_launch_attribute) == 72


class gc_launch_config(_c.Structure):
    """The shape of a launch. Start from GRAPHCAP_LAUNCH_CONFIG_INIT or GRAPHCAP_LAUNCH_CONFIG(blocks, threads).

    Members:
        struct_size: sizeof(gc_launch_config).
        grid_dim: Blocks in x, y and z; none may be 0.
        block_dim: Threads per block in x, y and z; none may be 0.
        shared_mem_bytes: Dynamic shared memory per block in bytes.
        flags: 0.
        reserved: 0.
        attributes: Attributes of the launch beyond its shape, one element for each attribute; copied. Of several elements with one id the last one holds. May be NULL when attribute_count is 0.
        attribute_count: The number of attributes, at most 64.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("grid_dim", _c.c_uint32 * 3),
        ("block_dim", _c.c_uint32 * 3),
        ("shared_mem_bytes", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("attributes", _c.c_void_p),
        ("attribute_count", _c.c_uint64),
    )
    struct_size: int
    grid_dim: _c.Array[_c.c_uint32]
    block_dim: _c.Array[_c.c_uint32]
    shared_mem_bytes: int
    flags: int
    reserved: int
    attributes: int | None
    attribute_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_launch_config))
        members.setdefault("grid_dim", (1, 1, 1))
        members.setdefault("block_dim", (1, 1, 1))
        super().__init__(**members)


assert _c.sizeof(gc_launch_config) == 56


class gc_kernel_arg(_c.Structure):
    """One argument of a kernel. Start from GRAPHCAP_ARG_INIT_VALUE(variable), GRAPHCAP_ARG_INIT_BUFFER(buffer) or GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, offset).

    Members:
        struct_size: sizeof(gc_kernel_arg).
        kind: GRAPHCAP_ARG_VALUE or GRAPHCAP_ARG_BUFFER.
        access: One of the GRAPHCAP_ACCESS_ numbers; how this launch uses the buffer. 0 for a value. It holds for the node that records the launch, in the place of what gc_kernel_set_accesses() said of the parameter: gc_graph_optimize() goes by it.
        reserved: 0.
        buffer: The buffer of a buffer argument; NULL for a value.
        offset: The offset in the buffer that the kernel's pointer points to, in bytes; at most the buffer's size. 0 for a value.
        value: The bytes of a value, as the kernel's parameter has them; NULL for a buffer.
        value_size: The size of a value in bytes; 0 for a buffer.
        access_offset: The first byte of the buffer that access is about, counted from the start of the buffer; 0 for a value.
        access_size: Bytes that access is about: the kernel touches no others by this argument. 0 for the whole buffer, and for a value.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("kind", _c.c_uint32),
        ("access", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("buffer", _c.c_void_p),
        ("offset", _c.c_uint64),
        ("value", _c.c_void_p),
        ("value_size", _c.c_uint64),
        ("access_offset", _c.c_uint64),
        ("access_size", _c.c_uint64),
    )
    struct_size: int
    kind: int
    access: int
    reserved: int
    buffer: int | None
    offset: int
    value: int | None
    value_size: int
    access_offset: int
    access_size: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_kernel_arg))
        super().__init__(**members)


assert _c.sizeof(gc_kernel_arg) == 64


class gc_memcpy_params(_c.Structure):
    """A copy. Start from GRAPHCAP_MEMCPY_INIT_HTOD(destination, destination_offset, source_host, size), GRAPHCAP_MEMCPY_INIT_DTOH(destination_host, source, source_offset, size), GRAPHCAP_MEMCPY_INIT_DTOD(destination, destination_offset, source, source_offset, size) or GRAPHCAP_MEMCPY_INIT_HTOH(destination_host, source_host, size), and set the other members for a copy of several rows.

    A copy has depth slices of height rows of size bytes. Each side has its own pitch, so that a part of a picture or of a volume can be copied.

    Members that the direction does not use must be NULL or 0.

    Members:
        struct_size: sizeof(gc_memcpy_params).
        direction: One of the GRAPHCAP_MEMCPY_ numbers, which are those of the CUDA runtime.
        destination: The buffer to write.
        destination_offset: The first byte written, counted from the start of the buffer, or of the host buffer.
        destination_host: The host memory to write; it is written at each replay and must be valid then. NULL with a destination_host_buffer; may be NULL when size, height or depth is 0.
        source: The buffer to read.
        source_offset: The first byte read, counted from the start of the buffer, or of the host buffer.
        source_host: The host memory to read; it is read at each replay and must be valid then, unless GRAPHCAP_MEMCPY_SNAPSHOT is set. NULL with a source_host_buffer; may be NULL when size, height or depth is 0.
        size: Bytes in a row; 0 copies nothing.
        flags: 0 or GRAPHCAP_MEMCPY_SNAPSHOT.
        reserved: 0.
        destination_host_buffer: The host buffer to write instead of destination_host, or NULL. A graph keeps it alive.
        source_host_buffer: The host buffer to read instead of source_host, or NULL. A graph keeps it alive.
        height: Rows in a slice; 0 copies nothing. The INIT macros write 1.
        depth: Slices; 0 copies nothing. The INIT macros write 1.
        destination_pitch: Bytes from the start of one written row to the start of the next, at least size; 0 means size. A CUDA device takes at most 2147483647.
        destination_slice_height: Rows from the start of one written slice to the start of the next, at least height; 0 means height.
        source_pitch: Bytes from the start of one row that is read to the start of the next, at least size; 0 means size. A CUDA device takes at most 2147483647.
        source_slice_height: Rows from the start of one slice that is read to the start of the next, at least height; 0 means height.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("direction", _c.c_uint32),
        ("destination", _c.c_void_p),
        ("destination_offset", _c.c_uint64),
        ("destination_host", _c.c_void_p),
        ("source", _c.c_void_p),
        ("source_offset", _c.c_uint64),
        ("source_host", _c.c_void_p),
        ("size", _c.c_uint64),
        ("flags", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("destination_host_buffer", _c.c_void_p),
        ("source_host_buffer", _c.c_void_p),
        ("height", _c.c_uint64),
        ("depth", _c.c_uint64),
        ("destination_pitch", _c.c_uint64),
        ("destination_slice_height", _c.c_uint64),
        ("source_pitch", _c.c_uint64),
        ("source_slice_height", _c.c_uint64),
    )
    struct_size: int
    direction: int
    destination: int | None
    destination_offset: int
    destination_host: int | None
    source: int | None
    source_offset: int
    source_host: int | None
    size: int
    flags: int
    reserved: int
    destination_host_buffer: int | None
    source_host_buffer: int | None
    height: int
    depth: int
    destination_pitch: int
    destination_slice_height: int
    source_pitch: int
    source_slice_height: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_memcpy_params))
        members.setdefault("height", 1)
        members.setdefault("depth", 1)
        super().__init__(**members)


assert _c.sizeof(gc_memcpy_params) == 136


class gc_memset_params(_c.Structure):
    """Rows of elements to set to a value. Start from GRAPHCAP_MEMSET_INIT(buffer, offset, value, element_size, width, height, pitch).

    Members:
        struct_size: sizeof(gc_memset_params).
        element_size: 1, 2 or 4 bytes.
        buffer: The buffer to write; NULL with a host_buffer.
        offset: The first byte written, counted from the start of the buffer, or of the host buffer; its address must be a multiple of element_size.
        value: The value; bits that do not fit an element are ignored.
        reserved: 0.
        width: Elements in a row; 0 sets nothing.
        height: Rows; 0 sets nothing.
        pitch: Bytes from the start of one row to the start of the next: a multiple of element_size, and at least the bytes of a row; 0 means the bytes of a row. A CUDA device takes at most 2147483647.
        host_buffer: The host buffer to write in the place of buffer, which is NULL then; or NULL. It was made with GRAPHCAP_HOST_BUFFER_MAPPED. A graph keeps it alive.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("element_size", _c.c_uint32),
        ("buffer", _c.c_void_p),
        ("offset", _c.c_uint64),
        ("value", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("width", _c.c_uint64),
        ("height", _c.c_uint64),
        ("pitch", _c.c_uint64),
        ("host_buffer", _c.c_void_p),
    )
    struct_size: int
    element_size: int
    buffer: int | None
    offset: int
    value: int
    reserved: int
    width: int
    height: int
    pitch: int
    host_buffer: int | None

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_memset_params))
        members.setdefault("height", 1)
        super().__init__(**members)


assert _c.sizeof(gc_memset_params) == 64


class gc_mem_op(_c.Structure):
    """One operation of a batch. Start from GRAPHCAP_MEM_OP_INIT_WAIT32(buffer, offset, value, flags), _WRITE32, _WAIT64 or _WRITE64.

    Members:
        struct_size: sizeof(gc_mem_op).
        kind: One of the GRAPHCAP_MEM_OP_ numbers.
        buffer: The buffer to write or to read, waitable; NULL with a host_buffer.
        offset: The offset of the value in the buffer, or in the host buffer, in bytes. The value's address must be a multiple of its size.
        value: The value to write or to compare with; at most 0xffffffff for 32 bits.
        flags: GRAPHCAP_WRITE_VALUE_ or GRAPHCAP_WAIT_VALUE_ flags, as the function for a single operation takes them.
        reserved: 0.
        host_buffer: The host buffer to write or to read in the place of buffer; or NULL. It was made with GRAPHCAP_HOST_BUFFER_MAPPED. A graph keeps it alive.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("kind", _c.c_uint32),
        ("buffer", _c.c_void_p),
        ("offset", _c.c_uint64),
        ("value", _c.c_uint64),
        ("flags", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("host_buffer", _c.c_void_p),
    )
    struct_size: int
    kind: int
    buffer: int | None
    offset: int
    value: int
    flags: int
    reserved: int
    host_buffer: int | None

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_mem_op))
        super().__init__(**members)


assert _c.sizeof(gc_mem_op) == 48


class gc_stream_attribute_value(_c.Union):
    """The value of a stream attribute. It has the layout of CUDA's type, 64 bytes, and therefore no struct_size. The attribute determines which member is used.

    Members:
        bytes: The whole value, also for attributes that have no member here.
        access_policy_window: For GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW.
        synchronization_policy: For GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY: one of the GRAPHCAP_SYNCHRONIZATION_POLICY_ numbers.
        priority: For GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY: clamped to the range of the context.
        memory_sync_domain_map: For GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP.
        memory_sync_domain: For GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN: one of the GRAPHCAP_MEMORY_SYNC_DOMAIN_ numbers.
    """

    _fields_ = (
        ("bytes", _c.c_uint8 * 64),
        ("access_policy_window", gc_access_policy_window),
        ("synchronization_policy", _c.c_int32),
        ("priority", _c.c_int32),
        ("memory_sync_domain_map", gc_memory_sync_domain_map),
        ("memory_sync_domain", _c.c_int32),
    )
    bytes: _c.Array[_c.c_uint8]
    access_policy_window: gc_access_policy_window
    synchronization_policy: int
    priority: int
    memory_sync_domain_map: gc_memory_sync_domain_map
    memory_sync_domain: int


assert _c.sizeof(gc_stream_attribute_value) == 64


class gc_ipc_handle(_c.Structure):
    """The handle by which another process opens an event: 64 bytes that only the driver understands. Copy them to that process unchanged.

    Members:
        bytes: The bytes.
    """

    _fields_ = (
        ("bytes", _c.c_uint8 * 64),
    )
    bytes: _c.Array[_c.c_uint8]


assert _c.sizeof(gc_ipc_handle) == 64


class gc_event_options(_c.Structure):
    """Options of a new event. With all members 0 it takes time stamps.

    Members:
        struct_size: sizeof(gc_event_options).
        flags: 0, or GRAPHCAP_EVENT_ flags combined with |.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
    )
    struct_size: int
    flags: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_event_options))
        super().__init__(**members)


assert _c.sizeof(gc_event_options) == 8


class gc_work(_c.Structure):
    """Work as data: what a stream does, a node, or an op of a script. Start from GRAPHCAP_WORK_INIT, set kind, and the members that the kind names; the others stay 0. All of it is read during the call, which copies what the struct points to. What takes the work keeps alive the objects that it uses. GRAPHCAP_ERROR_INVALID_VALUE: it is NULL, its kind is unknown, or a member that the kind does not name is not 0.

    Members:
        struct_size: sizeof(gc_work).
        kind: A GRAPHCAP_WORK_ number.
        name: The name of the node, of at most 1024 bytes, or of the op, UTF-8; NULL for none, and for an op that of its kind. A stream names the node that it records; outside of captures it has no use for a name. Nodes of a graph exec have the names of their graph's: there it is NULL.
        kernel: GRAPHCAP_WORK_KERNEL: the kernel.
        config: GRAPHCAP_WORK_KERNEL: the shape of the launch.
        arguments: GRAPHCAP_WORK_KERNEL: one for each parameter of the kernel.
        argument_count: GRAPHCAP_WORK_KERNEL: the number of arguments.
        memcpy_params: GRAPHCAP_WORK_MEMCPY: the copy.
        memset_params: GRAPHCAP_WORK_MEMSET: the rows.
        function: GRAPHCAP_WORK_HOST: the function.
        user_data: GRAPHCAP_WORK_HOST: passed to function and to destroy; may be NULL.
        destroy: GRAPHCAP_WORK_HOST: called exactly once, also when the call fails after it has read this struct; may be NULL. After a fault of a CUDA device it may never be called.
        graph: GRAPHCAP_WORK_CHILD_GRAPH: the graph.
        event: GRAPHCAP_WORK_EVENT_RECORD and GRAPHCAP_WORK_EVENT_WAIT: the event.
        buffer: GRAPHCAP_WORK_CONDITIONAL with scripts and GRAPHCAP_WORK_SET_CONDITION: where the value is. GRAPHCAP_WORK_MEM_FREE: what is freed.
        offset: The first byte of the value in buffer.
        conditional_kind: GRAPHCAP_WORK_CONDITIONAL: a GRAPHCAP_CONDITIONAL_ number.
        body_count: GRAPHCAP_WORK_CONDITIONAL: the number of bodies: 1 or 2 of an if, the second for 0; 1 of a while; at least 1 of a switch.
        bodies: GRAPHCAP_WORK_CONDITIONAL: the scripts that become the bodies, as they are now; NULL with condition.
        rng_uniform_params: GRAPHCAP_WORK_RNG_UNIFORM: what is filled, and with what.
        sgemm_params: GRAPHCAP_WORK_SGEMM: the matrices.
        fft_params: GRAPHCAP_WORK_FFT_R2C and GRAPHCAP_WORK_FFT_C2R: the transforms.
        operations: GRAPHCAP_WORK_MEM_OPS: the operations, in this order.
        operation_count: GRAPHCAP_WORK_MEM_OPS: the number of operations.
        condition: GRAPHCAP_WORK_CONDITIONAL and GRAPHCAP_WORK_SET_CONDITION: a condition of the graph, or of the outermost graph of a body, of gc_graph_create_condition().
        scalar: GRAPHCAP_WORK_SET_CONDITION: the scalar instead of buffer and offset.
        size: GRAPHCAP_WORK_MEM_ALLOC: bytes, at least 1.
        flags: GRAPHCAP_WORK_EVENT_RECORD: 0 or GRAPHCAP_EVENT_RECORD_EXTERNAL. GRAPHCAP_WORK_EVENT_WAIT: 0 or GRAPHCAP_EVENT_WAIT_EXTERNAL.
        reserved: 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("kind", _c.c_uint32),
        ("name", _c.c_void_p),
        ("kernel", _c.c_void_p),
        ("config", _c.c_void_p),
        ("arguments", _c.c_void_p),
        ("argument_count", _c.c_uint64),
        ("memcpy_params", _c.c_void_p),
        ("memset_params", _c.c_void_p),
        ("function", _c.c_void_p),
        ("user_data", _c.c_void_p),
        ("destroy", _c.c_void_p),
        ("graph", _c.c_void_p),
        ("event", _c.c_void_p),
        ("buffer", _c.c_void_p),
        ("offset", _c.c_uint64),
        ("conditional_kind", _c.c_uint32),
        ("body_count", _c.c_uint32),
        ("bodies", _c.c_void_p),
        ("rng_uniform_params", _c.c_void_p),
        ("sgemm_params", _c.c_void_p),
        ("fft_params", _c.c_void_p),
        ("operations", _c.c_void_p),
        ("operation_count", _c.c_uint64),
        ("condition", _c.c_uint64),
        ("scalar", _c.c_void_p),
        ("size", _c.c_uint64),
        ("flags", _c.c_uint32),
        ("reserved", _c.c_uint32),
    )
    struct_size: int
    kind: int
    name: int | None
    kernel: int | None
    config: int | None
    arguments: int | None
    argument_count: int
    memcpy_params: int | None
    memset_params: int | None
    function: int | None
    user_data: int | None
    destroy: int | None
    graph: int | None
    event: int | None
    buffer: int | None
    offset: int
    conditional_kind: int
    body_count: int
    bodies: int | None
    rng_uniform_params: int | None
    sgemm_params: int | None
    fft_params: int | None
    operations: int | None
    operation_count: int
    condition: int
    scalar: int | None
    size: int
    flags: int
    reserved: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_work))
        super().__init__(**members)


assert _c.sizeof(gc_work) == 208


class gc_capture_info(_c.Structure):
    """The answer of gc_stream_capture_info(). If status is not GRAPHCAP_CAPTURE_STATUS_ACTIVE, the members after status are 0.

    Members:
        struct_size: sizeof(gc_capture_info). Set it before the call.
        status: One of the GRAPHCAP_CAPTURE_STATUS_ numbers.
        id: The number of the capture. All streams in a capture have the same number. The numbers grow from capture to capture on one device. All captures into one existing graph have the number of that graph.
        node_count: The number of nodes in the graph so far.
        edge_count: The number of edges in the graph so far.
        frontier_count: The number of nodes that the next recorded work of the stream will depend on. gc_stream_capture_frontier() lists them.
        native_graph: On a CUDA device the CUgraph, valid until the capture ends. Nodes may be added and edited. The graph and its nodes must not be destroyed. NULL on the host device.
        work_outside: In a strict capture, the number of calls by which the thread that began it had work executed on streams outside of it, or was refused that in a guarded context; see GRAPHCAP_CAPTURE_STRICT. 0 in other captures.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("status", _c.c_int32),
        ("id", _c.c_uint64),
        ("node_count", _c.c_uint64),
        ("edge_count", _c.c_uint64),
        ("frontier_count", _c.c_uint64),
        ("native_graph", _c.c_void_p),
        ("work_outside", _c.c_uint64),
    )
    struct_size: int
    status: int
    id: int
    node_count: int
    edge_count: int
    frontier_count: int
    native_graph: int | None
    work_outside: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_capture_info))
        super().__init__(**members)


assert _c.sizeof(gc_capture_info) == 56


class gc_capture_options(_c.Structure):
    """Options of a capture. Start from GRAPHCAP_CAPTURE_OPTIONS_INIT.

    Members:
        struct_size: sizeof(gc_capture_options).
        flags: Any of GRAPHCAP_CAPTURE_STRICT and GRAPHCAP_CAPTURE_NOTE_MEMORY; 0 for none.
        modules: The modules that gc_capture_record_kernel() searches for kernels, the first one first. They belong to the stream's context. The array is copied; the modules are kept while the capture goes on. NULL for none.
        module_count: Number of modules; 0 when modules is NULL.
        pool: A pool of the stream's context, which the capture keeps, and so do its graph and the graph execs made of that. NULL for none.
        graph: A graph of the stream's context, which may already have nodes and which the capture goes into, see gc_capture_begin(). NULL for a new graph. Not together with a pool: gc_stream_end_capture_with_pool() takes one.
        dependencies: The nodes of graph that the first recorded work depends on. A node that is listed twice counts once. NULL for none.
        dependency_count: The number of dependencies; 0 when dependencies is NULL.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("modules", _c.c_void_p),
        ("module_count", _c.c_uint64),
        ("pool", _c.c_void_p),
        ("graph", _c.c_void_p),
        ("dependencies", _c.c_void_p),
        ("dependency_count", _c.c_uint64),
    )
    struct_size: int
    flags: int
    modules: int | None
    module_count: int
    pool: int | None
    graph: int | None
    dependencies: int | None
    dependency_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_capture_options))
        super().__init__(**members)


assert _c.sizeof(gc_capture_options) == 56


class gc_instantiate_options(_c.Structure):
    """Options of an instantiation. 0 is the default of every member.

    Members:
        struct_size: sizeof(gc_instantiate_options).
        flags: 0 or GRAPHCAP_INSTANTIATE_ flags.
        upload_stream: For GRAPHCAP_INSTANTIATE_UPLOAD the stream of the upload, of a context on a device of the graph's kind; NULL for the legacy stream of the graph's context. NULL without the flag.
        turn_limit: The number of turns that a while loop has at most in one run of its conditional node. If its condition is not 0 then, the launch faults, and the message names the node. 0 for as many turns as the condition says. Of a loop in a body, each run counts anew. A CUDA device takes 0 alone, as its driver counts no turns.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("upload_stream", _c.c_void_p),
        ("turn_limit", _c.c_uint64),
    )
    struct_size: int
    flags: int
    upload_stream: int | None
    turn_limit: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_instantiate_options))
        super().__init__(**members)


assert _c.sizeof(gc_instantiate_options) == 24


class gc_kernel_node_params(_c.Structure):
    """Description of what a kernel node launches. Start from GRAPHCAP_KERNEL_NODE_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_kernel_node_params).
        grid_dim: Blocks in x, y and z.
        block_dim: Threads per block in x, y and z.
        shared_mem_bytes: Dynamic shared memory per block in bytes.
        argument_layout: One of the GRAPHCAP_ARGUMENTS_ numbers.
        reserved: 0.
        argument_count: Number of arguments that gc_node_get_argument() returns: 1 for GRAPHCAP_ARGUMENTS_PACKED, 0 for GRAPHCAP_ARGUMENTS_UNKNOWN.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("grid_dim", _c.c_uint32 * 3),
        ("block_dim", _c.c_uint32 * 3),
        ("shared_mem_bytes", _c.c_uint32),
        ("argument_layout", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("argument_count", _c.c_uint64),
    )
    struct_size: int
    grid_dim: _c.Array[_c.c_uint32]
    block_dim: _c.Array[_c.c_uint32]
    shared_mem_bytes: int
    argument_layout: int
    reserved: int
    argument_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_kernel_node_params))
        super().__init__(**members)


assert _c.sizeof(gc_kernel_node_params) == 48


class gc_memcpy_node_params(_c.Structure):
    """Description of what a copy node copies. Start from GRAPHCAP_MEMCPY_NODE_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_memcpy_node_params).
        direction: One of the GRAPHCAP_MEMCPY_ numbers of directions.
        destination: The address of the first byte written.
        source: The address of the first byte read.
        size: Bytes in a row.
        height: Rows in a slice, at least 1.
        depth: Slices, at least 1.
        destination_pitch: Bytes from the start of one written row to the start of the next, as the copy was given them; size where it was given none.
        destination_slice_pitch: Bytes from the start of one written slice to the start of the next; 0 for one slice.
        source_pitch: Bytes from the start of one row that is read to the start of the next, as the copy was given them; size where it was given none.
        source_slice_pitch: Bytes from the start of one slice that is read to the start of the next; 0 for one slice.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("direction", _c.c_uint32),
        ("destination", _c.c_uint64),
        ("source", _c.c_uint64),
        ("size", _c.c_uint64),
        ("height", _c.c_uint64),
        ("depth", _c.c_uint64),
        ("destination_pitch", _c.c_uint64),
        ("destination_slice_pitch", _c.c_uint64),
        ("source_pitch", _c.c_uint64),
        ("source_slice_pitch", _c.c_uint64),
    )
    struct_size: int
    direction: int
    destination: int
    source: int
    size: int
    height: int
    depth: int
    destination_pitch: int
    destination_slice_pitch: int
    source_pitch: int
    source_slice_pitch: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_memcpy_node_params))
        super().__init__(**members)


assert _c.sizeof(gc_memcpy_node_params) == 80


class gc_memset_node_params(_c.Structure):
    """Description of what a memset node sets. Start from GRAPHCAP_MEMSET_NODE_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_memset_node_params).
        element_size: 1, 2 or 4 bytes.
        address: The address of the first byte written.
        value: The value.
        reserved: 0.
        width: Elements in a row.
        height: Rows, at least 1.
        pitch: Bytes from the start of one row to the start of the next, as the memset was given them; 0 for one row that was given none.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("element_size", _c.c_uint32),
        ("address", _c.c_uint64),
        ("value", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("width", _c.c_uint64),
        ("height", _c.c_uint64),
        ("pitch", _c.c_uint64),
    )
    struct_size: int
    element_size: int
    address: int
    value: int
    reserved: int
    width: int
    height: int
    pitch: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_memset_node_params))
        super().__init__(**members)


assert _c.sizeof(gc_memset_node_params) == 48


class gc_mem_op_node_params(_c.Structure):
    """One value operation of a node. Start from GRAPHCAP_MEM_OP_NODE_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_mem_op_node_params).
        kind: One of the GRAPHCAP_MEM_OP_ numbers.
        address: The address of the value.
        value: The value that is written or compared with.
        flags: GRAPHCAP_WRITE_VALUE_ or GRAPHCAP_WAIT_VALUE_ flags.
        reserved: 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("kind", _c.c_uint32),
        ("address", _c.c_uint64),
        ("value", _c.c_uint64),
        ("flags", _c.c_uint32),
        ("reserved", _c.c_uint32),
    )
    struct_size: int
    kind: int
    address: int
    value: int
    flags: int
    reserved: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_mem_op_node_params))
        super().__init__(**members)


assert _c.sizeof(gc_mem_op_node_params) == 32


class gc_host_node_params(_c.Structure):
    """Description of what a host node calls. Start from GRAPHCAP_HOST_NODE_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_host_node_params).
        is_foreign: 1 if the function was not given to graphcap, as that of a node that other code made: function and user_data are NULL then. Else 0.
        function: The function.
        user_data: Argument that it is called with. It is valid as long as the node calls the function: see the destroy of the call that gave it.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("is_foreign", _c.c_uint32),
        ("function", _c.c_void_p),
        ("user_data", _c.c_void_p),
    )
    struct_size: int
    is_foreign: int
    function: int | None
    user_data: int | None

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_host_node_params))
        super().__init__(**members)


assert _c.sizeof(gc_host_node_params) == 24


class gc_unresolved_pointer(_c.Structure):
    """An address of memory that no graph keeps, in an argument of a kernel node. It has no struct_size and keeps its 32 bytes.

    Members:
        node: The kernel node.
        address: The address.
        parameter: Number of the argument that has it, as gc_node_get_argument() counts them: the kernel's parameter, or 0 where all arguments are one block (GRAPHCAP_ARGUMENTS_PACKED).
        offset: Offset in that argument at which the 8 bytes of the address start.
    """

    _fields_ = (
        ("node", _c.c_uint64),
        ("address", _c.c_uint64),
        ("parameter", _c.c_uint64),
        ("offset", _c.c_uint64),
    )
    node: int
    address: int
    parameter: int
    offset: int


assert _c.sizeof(gc_unresolved_pointer) == 32


class gc_graph_binding(_c.Structure):
    """An object that gc_graph_import_json() uses where the text has a name. Start from GRAPHCAP_BINDING_INIT(kind, name, handle), GRAPHCAP_BINDING_INIT_HOST_MEMORY(name, pointer, size) or GRAPHCAP_BINDING_INIT_HOST_FUNCTION(name, function, user_data, destroy).

    Members:
        struct_size: sizeof(gc_graph_binding).
        kind: One of the GRAPHCAP_BINDING_ numbers.
        name: The name in the text, not NULL; ignored for a graph and for the process. Buffers, host buffers and host memory are in the member "memory" of the text, the others in "kernels", "events" and "functions".
        handle: The handle of a buffer, a host buffer, a kernel, an event or a graph; else NULL.
        pointer: Host memory of size bytes, which is valid at each replay; else NULL.
        function: The function of a host function; else NULL.
        user_data: Passed to function and to destroy; may be NULL. NULL for other kinds.
        destroy: Called exactly once for a host function, when no node of the graph, of its copies and of their execs calls function any more; when no node does at all, or the import fails, before gc_graph_import_json() returns. May be NULL. NULL for other kinds.
        size: Bytes at pointer: a text of which a copy goes beyond them is refused. 0 for other kinds.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("kind", _c.c_uint32),
        ("name", _c.c_void_p),
        ("handle", _c.c_void_p),
        ("pointer", _c.c_void_p),
        ("function", _c.c_void_p),
        ("user_data", _c.c_void_p),
        ("destroy", _c.c_void_p),
        ("size", _c.c_uint64),
    )
    struct_size: int
    kind: int
    name: int | None
    handle: int | None
    pointer: int | None
    function: int | None
    user_data: int | None
    destroy: int | None
    size: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_binding))
        super().__init__(**members)


assert _c.sizeof(gc_graph_binding) == 64


class gc_graph_exec_info(_c.Structure):
    """Facts about a graph exec. Start from GRAPHCAP_GRAPH_EXEC_INFO_INIT.

    Members:
        struct_size: sizeof(gc_graph_exec_info). Set it before the call.
        flags: The GRAPHCAP_INSTANTIATE_ flags that it was made with, as the driver tells them: GRAPHCAP_INSTANTIATE_UPLOAD and GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY are never among them.
        generation: The generation of its context in which it was made. A program that keeps graph execs can compare it with gc_context_info::generation; graphcap itself refuses a graph exec of an older generation.
        node_count: The number of nodes that a launch runs, also those that GRAPHCAP_INSTANTIATE_WATCH adds, and on a CUDA device those that set grids (gc_node_set_grid_scalar()). Those that GRAPHCAP_INSTANTIATE_SHAPE adds are not counted.
        num_replays: As gc_graph_exec_num_replays().
        is_uploaded: As gc_graph_exec_is_uploaded().
        reserved: 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("generation", _c.c_uint64),
        ("node_count", _c.c_uint64),
        ("num_replays", _c.c_uint64),
        ("is_uploaded", _c.c_uint32),
        ("reserved", _c.c_uint32),
    )
    struct_size: int
    flags: int
    generation: int
    node_count: int
    num_replays: int
    is_uploaded: int
    reserved: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_exec_info))
        super().__init__(**members)


assert _c.sizeof(gc_graph_exec_info) == 40


class gc_graph_exec_progress_info(_c.Structure):
    """Progress of the launches of a graph exec. They run one after another, and the nodes are those of the one that began last. Start from GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT.

    Members:
        struct_size: sizeof(gc_graph_exec_progress_info). Set it before the call.
        is_running: 1 if a launch has begun and not completed all its nodes, else 0. If it is 1 while completed_count and ready_count are 0, it is not known which nodes have completed, see GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS.
        launch_count: Number of launches that succeeded, as gc_graph_exec_num_replays() counts them.
        begun_count: Number of them that have begun to run.
        node_count: Number of nodes of the graph.
        completed_count: Number of them that have completed.
        ready_count: Number of those that are GRAPHCAP_NODE_READY.
        first_ready: The first of these, or 0.
        conditional: The innermost conditional node that the launch is within, also in a child graph, or 0. This member and those that follow are 0 on a CUDA device.
        body_node: The node of its body that runs, or 0.
        turn: The turn of the innermost loop that the launch is within, from 1 on; 0 within none.
        body: Number of the body of that conditional node; 0 also where conditional is 0.
        reserved: Always 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("is_running", _c.c_uint32),
        ("launch_count", _c.c_uint64),
        ("begun_count", _c.c_uint64),
        ("node_count", _c.c_uint64),
        ("completed_count", _c.c_uint64),
        ("ready_count", _c.c_uint64),
        ("first_ready", _c.c_uint64),
        ("conditional", _c.c_uint64),
        ("body_node", _c.c_uint64),
        ("turn", _c.c_uint64),
        ("body", _c.c_uint32),
        ("reserved", _c.c_uint32),
    )
    struct_size: int
    is_running: int
    launch_count: int
    begun_count: int
    node_count: int
    completed_count: int
    ready_count: int
    first_ready: int
    conditional: int
    body_node: int
    turn: int
    body: int
    reserved: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_exec_progress_info))
        super().__init__(**members)


assert _c.sizeof(gc_graph_exec_progress_info) == 88


class gc_edge_data(_c.Structure):
    """Data that an edge carries. All 0 is an edge as gc_graph_add_dependencies() makes it. Only an edge between two kernel nodes carries something. It has the layout of CUDA's type, 8 bytes, and therefore no struct_size.

    Members:
        from_port: One of the GRAPHCAP_PORT_ numbers.
        to_port: 0.
        edge_type: One of the GRAPHCAP_EDGE_TYPE_ numbers.
        reserved: 0.
    """

    _fields_ = (
        ("from_port", _c.c_uint8),
        ("to_port", _c.c_uint8),
        ("edge_type", _c.c_uint8),
        ("reserved", _c.c_uint8 * 5),
    )
    from_port: int
    to_port: int
    edge_type: int
    reserved: _c.Array[_c.c_uint8]


assert _c.sizeof(gc_edge_data) == 8


class gc_conditional_node_params(_c.Structure):
    """Description of what decides about the bodies of a conditional node. Start from GRAPHCAP_CONDITIONAL_NODE_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_conditional_node_params).
        kind: One of the GRAPHCAP_CONDITIONAL_ numbers.
        condition: The condition.
        body_count: The number of bodies. gc_node_get_graph() returns each.
        reserved: 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("kind", _c.c_uint32),
        ("condition", _c.c_uint64),
        ("body_count", _c.c_uint32),
        ("reserved", _c.c_uint32),
    )
    struct_size: int
    kind: int
    condition: int
    body_count: int
    reserved: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_conditional_node_params))
        super().__init__(**members)


assert _c.sizeof(gc_conditional_node_params) == 24


class gc_mem_alloc_node_params(_c.Structure):
    """Description of what an allocation node allocates. Start from GRAPHCAP_MEM_ALLOC_NODE_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_mem_alloc_node_params).
        reserved: 0.
        address: The address of the first byte, which is the same in all launches.
        size: Bytes.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("address", _c.c_uint64),
        ("size", _c.c_uint64),
    )
    struct_size: int
    reserved: int
    address: int
    size: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_mem_alloc_node_params))
        super().__init__(**members)


assert _c.sizeof(gc_mem_alloc_node_params) == 24


class gc_mem_free_node_params(_c.Structure):
    """Description of what a free node frees. Start from GRAPHCAP_MEM_FREE_NODE_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_mem_free_node_params).
        reserved: 0.
        address: The address of the first byte of the allocation.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("address", _c.c_uint64),
    )
    struct_size: int
    reserved: int
    address: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_mem_free_node_params))
        super().__init__(**members)


assert _c.sizeof(gc_mem_free_node_params) == 16


class gc_graph_memory(_c.Structure):
    """Memory that a device holds for the allocations of graphs, of the whole process. Start from GRAPHCAP_GRAPH_MEMORY_INIT.

    Members:
        struct_size: sizeof(gc_graph_memory).
        flags: 0.
        used_bytes: Bytes that graphs use. NVIDIA's driver counts here what it has reserved.
        used_high: The most bytes in use since the last reset.
        reserved_bytes: Bytes that are reserved for graphs, in steps of 32 MiB.
        reserved_high: The most bytes reserved since the last reset.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("used_bytes", _c.c_uint64),
        ("used_high", _c.c_uint64),
        ("reserved_bytes", _c.c_uint64),
        ("reserved_high", _c.c_uint64),
    )
    struct_size: int
    flags: int
    used_bytes: int
    used_high: int
    reserved_bytes: int
    reserved_high: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_memory))
        super().__init__(**members)


assert _c.sizeof(gc_graph_memory) == 40


class gc_graph_exec_update_info(_c.Structure):
    """The answer of gc_graph_exec_update(). Members that do not apply are 0.

    Members:
        struct_size: sizeof(gc_graph_exec_update_info). Set it before the call.
        result: One of the GRAPHCAP_GRAPH_EXEC_UPDATE_ numbers.
        status: The status that the call returns.
        kept_attribute: The number of the first launch attribute (CUlaunchAttributeID) that differs and of which the exec keeps its own; 0 if none differs, or attributes were not compared.
        exec_node: The node that the refusal, or the attribute, is about, as far as it is known: a node of the graph that the exec was made from.
        graph_node: The node of the updating graph that it is about. CUDA calls it the error node.
        from_node: A node that graph_node depends on and that does not fit. CUDA calls it the error from-node.
        slower_count: The number of kernels of the exec that replay slower for good with the update than those of a new one, as far as it is known, as gc_graph_exec_apply() says. It is counted where attributes are compared. 0 on the host device.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("result", _c.c_int32),
        ("status", _c.c_int32),
        ("kept_attribute", _c.c_uint32),
        ("exec_node", _c.c_uint64),
        ("graph_node", _c.c_uint64),
        ("from_node", _c.c_uint64),
        ("slower_count", _c.c_uint64),
    )
    struct_size: int
    result: int
    status: int
    kept_attribute: int
    exec_node: int
    graph_node: int
    from_node: int
    slower_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_exec_update_info))
        super().__init__(**members)


assert _c.sizeof(gc_graph_exec_update_info) == 48


class gc_graph_exec_check_info(_c.Structure):
    """The answer of gc_graph_exec_check(). The members from node on tell of the first address whose memory is gone; they are 0 if gone_count is 0.

    Members:
        struct_size: sizeof(gc_graph_exec_check_info). Set it before the call.
        is_noted: 1 if it was noted which memory the nodes name. If it is 0, all other members are 0.
        node_count: The number of nodes that name memory by addresses.
        address_count: The number of these addresses.
        allocation_count: The number of allocations that they lie in, each of which the device was asked about. Those of child graphs count apart; blocks of gc_memory_block_begin() are not counted.
        unread_count: The number of nodes of which the driver did not tell the arguments. Nothing is known of their memory.
        gone_count: The number of addresses whose memory is gone.
        node: The node, as the graph has it that the exec was made from or last updated by.
        place: One of the GRAPHCAP_ADDRESS_ numbers.
        is_exchanged: 1 if other memory lies at the address by now, 0 if none does.
        index: Of an argument: which one, counted from 0. It is 0 if all arguments are one block. Of a value operation: which one of the node.
        offset: Offset in that argument at which the 8 bytes of the address start.
        address: The address.
        allocation_address: First address of the allocation, or of the block, that it lay in.
        allocation_size: Its size in bytes.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("is_noted", _c.c_uint32),
        ("node_count", _c.c_uint64),
        ("address_count", _c.c_uint64),
        ("allocation_count", _c.c_uint64),
        ("unread_count", _c.c_uint64),
        ("gone_count", _c.c_uint64),
        ("node", _c.c_uint64),
        ("place", _c.c_uint32),
        ("is_exchanged", _c.c_uint32),
        ("index", _c.c_uint64),
        ("offset", _c.c_uint64),
        ("address", _c.c_uint64),
        ("allocation_address", _c.c_uint64),
        ("allocation_size", _c.c_uint64),
    )
    struct_size: int
    is_noted: int
    node_count: int
    address_count: int
    allocation_count: int
    unread_count: int
    gone_count: int
    node: int
    place: int
    is_exchanged: int
    index: int
    offset: int
    address: int
    allocation_address: int
    allocation_size: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_exec_check_info))
        super().__init__(**members)


assert _c.sizeof(gc_graph_exec_check_info) == 104


class gc_graph_exec_apply_options(_c.Structure):
    """Options of gc_graph_exec_apply(). 0 is the default of every member.

    Members:
        struct_size: sizeof(gc_graph_exec_apply_options).
        flags: 0 or GRAPHCAP_GRAPH_EXEC_APPLY_ flags.
        upload_stream: The stream that the graph exec is uploaded on if the graph is instantiated: one of a context on a device of its kind. NULL for no upload.
        expected_replays: The number of replays that are expected before the graph exec is changed again; 0 where only the time of the call counts, and of the launch behind it. See gc_graph_exec_apply().
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("upload_stream", _c.c_void_p),
        ("expected_replays", _c.c_uint64),
    )
    struct_size: int
    flags: int
    upload_stream: int | None
    expected_replays: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_exec_apply_options))
        super().__init__(**members)


assert _c.sizeof(gc_graph_exec_apply_options) == 24


class gc_graph_exec_apply_report(_c.Structure):
    """Report of gc_graph_exec_apply(): its way, the reason, and the cost. Members that do not apply are 0.

    Members:
        struct_size: sizeof(gc_graph_exec_apply_report). Set it before the call.
        route: One of the GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ numbers. If the call fails, the way that was tried last; GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING if none was.
        reason: One of the GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ numbers.
        status: The status that the call returns.
        update_result: The answer of the driver to an update, if one was tried: one of the GRAPHCAP_GRAPH_EXEC_UPDATE_ numbers.
        kept_attribute: The number of the launch attribute (CUlaunchAttributeID) because of which the graph was instantiated; 0 if none differs.
        exec_node: The node of the graph exec that a refused update or the attribute is about, as far as it is known.
        graph_node: The node of the graph that it is about.
        from_node: A node that graph_node depends on and that does not fit.
        node_count: Number of nodes that the graph exec has now.
        changed_count: Number of them that did something else than those of the graph; UINT64_MAX where that is not known.
        nanoseconds: Time that the call took, in nanoseconds.
        next_launch_nanoseconds: Time that the next launch takes longer than usual on the calling thread, in nanoseconds. This is an estimate from measurements of such a device.
        slower_count: The number of kernels of the graph exec that replay slower from here on than those of a new one, as far as it is known. It is counted where so many replays are expected that a new graph exec could pay. Kernels of child graphs and of bodies are not counted. 0 on the host device.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("route", _c.c_int32),
        ("reason", _c.c_int32),
        ("status", _c.c_int32),
        ("update_result", _c.c_int32),
        ("kept_attribute", _c.c_uint32),
        ("exec_node", _c.c_uint64),
        ("graph_node", _c.c_uint64),
        ("from_node", _c.c_uint64),
        ("node_count", _c.c_uint64),
        ("changed_count", _c.c_uint64),
        ("nanoseconds", _c.c_uint64),
        ("next_launch_nanoseconds", _c.c_uint64),
        ("slower_count", _c.c_uint64),
    )
    struct_size: int
    route: int
    reason: int
    status: int
    update_result: int
    kept_attribute: int
    exec_node: int
    graph_node: int
    from_node: int
    node_count: int
    changed_count: int
    nanoseconds: int
    next_launch_nanoseconds: int
    slower_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_exec_apply_report))
        super().__init__(**members)


assert _c.sizeof(gc_graph_exec_apply_report) == 88


class gc_graph_cache_options(_c.Structure):
    """Options of a graph cache. Start from GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT, and set at least record.

    Members:
        struct_size: sizeof(gc_graph_cache_options).
        flags: 0 or GRAPHCAP_GRAPH_CACHE_ flags.
        instantiate_flags: Flags of the graph execs: 0, GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH, GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY and GRAPHCAP_INSTANTIATE_SHAPE.
        reserved: 0.
        max_bytes: The most bytes that the graphs and graph execs of the cache may take on the device and on the host together, by the model that gc_graph_cache_stats describes; 0 for no limit.
        record: The function that records the work of a key; not NULL.
        user_data: Passed to record and to destroy; may be NULL.
        destroy: Called exactly once with user_data, when the cache is gone, or when gc_graph_cache_create() fails after it has read this struct; may be NULL.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("instantiate_flags", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("max_bytes", _c.c_uint64),
        ("record", _c.c_void_p),
        ("user_data", _c.c_void_p),
        ("destroy", _c.c_void_p),
    )
    struct_size: int
    flags: int
    instantiate_flags: int
    reserved: int
    max_bytes: int
    record: int | None
    user_data: int | None
    destroy: int | None

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_cache_options))
        super().__init__(**members)


assert _c.sizeof(gc_graph_cache_options) == 48


class gc_graph_cache_stats(_c.Structure):
    """Counts of what a graph cache did since it was made, and has. Start from GRAPHCAP_GRAPH_CACHE_STATS_INIT.

    A launch that succeeds counts as a hit, or as an update, or as an instantiation. Bytes are not measured, since no device tells them: docs/cache.md has the number of bytes for a node of each kind. Memory that nodes allocate or use is not counted.

    Members:
        struct_size: sizeof(gc_graph_cache_stats).
        reserved: 0.
        hits: Launches of a graph exec that did the work of the key already.
        recordings: Calls of the recording function that gave a graph.
        updates: Updates of graph execs that keys share. A first launch of a key counts here too, if a graph exec was updated for it.
        instantiations: Graph execs that were made.
        evictions: Keys that were dropped because of max_bytes, or not kept because their work alone takes more.
        keys: The keys that the cache has.
        execs: The graph execs that it has.
        bytes: The bytes that its graphs and graph execs take on the device and on the host; never more than max_bytes.
        device_bytes: Those of the bytes that are on the device.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("hits", _c.c_uint64),
        ("recordings", _c.c_uint64),
        ("updates", _c.c_uint64),
        ("instantiations", _c.c_uint64),
        ("evictions", _c.c_uint64),
        ("keys", _c.c_uint64),
        ("execs", _c.c_uint64),
        ("bytes", _c.c_uint64),
        ("device_bytes", _c.c_uint64),
    )
    struct_size: int
    reserved: int
    hits: int
    recordings: int
    updates: int
    instantiations: int
    evictions: int
    keys: int
    execs: int
    bytes: int
    device_bytes: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_graph_cache_stats))
        super().__init__(**members)


assert _c.sizeof(gc_graph_cache_stats) == 80


class gc_pool_options(_c.Structure):
    """Options of a pool. Start from GRAPHCAP_POOL_OPTIONS_INIT.

    Members:
        struct_size: sizeof(gc_pool_options).
        flags: GRAPHCAP_POOL_SHARED or 0.
        capacity: The most that gc_pool_allocate() can allocate from the pool together, in bytes: the addresses that the first allocation reserves. They cost no memory. 0 for as many as the device has memory.
        reuse: Reuse of memory of the pool by captures: one of the GRAPHCAP_POOL_REUSE_ numbers.
        reserved: 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("capacity", _c.c_uint64),
        ("reuse", _c.c_int32),
        ("reserved", _c.c_uint32),
    )
    struct_size: int
    flags: int
    capacity: int
    reuse: int
    reserved: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_pool_options))
        super().__init__(**members)


assert _c.sizeof(gc_pool_options) == 24


class gc_pool_memory(_c.Structure):
    """Memory that a pool has. Start from GRAPHCAP_POOL_MEMORY_INIT.

    Members:
        struct_size: sizeof(gc_pool_memory).
        flags: 0.
        capacity: Bytes that can be allocated from the pool together. 0 if the options of the pool did not limit it and nothing was allocated yet.
        reserved_bytes: Bytes that the pool has taken from the device.
        used_bytes: Bytes that are allocated. Each allocation counts as a multiple of 256 bytes. It is allocated until its buffer is destroyed, no graph uses it, and graphcap has found that the work submitted with it has completed. What graphs share counts once.
        used_high: The most bytes that were allocated at any time.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("capacity", _c.c_uint64),
        ("reserved_bytes", _c.c_uint64),
        ("used_bytes", _c.c_uint64),
        ("used_high", _c.c_uint64),
    )
    struct_size: int
    flags: int
    capacity: int
    reserved_bytes: int
    used_bytes: int
    used_high: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_pool_memory))
        super().__init__(**members)


assert _c.sizeof(gc_pool_memory) == 40


class gc_rng_uniform_params(_c.Structure):
    """Floats of a buffer that are filled with random numbers. Start from GRAPHCAP_RNG_UNIFORM_PARAMS_INIT, and set rng, buffer and count.

    Members:
        struct_size: sizeof(gc_rng_uniform_params).
        flags: 0, or GRAPHCAP_RNG_REPEAT.
        rng: The generator.
        buffer: Memory that is filled.
        offset: Its first byte filled; the address there is a multiple of 4.
        count: Number of floats of 4 bytes; 0 has no effect.
        first: GRAPHCAP_RNG_REPEAT: the number of the element that the first float has; 0 without the flag.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("rng", _c.c_void_p),
        ("buffer", _c.c_void_p),
        ("offset", _c.c_uint64),
        ("count", _c.c_uint64),
        ("first", _c.c_uint64),
    )
    struct_size: int
    flags: int
    rng: int | None
    buffer: int | None
    offset: int
    count: int
    first: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_rng_uniform_params))
        super().__init__(**members)


assert _c.sizeof(gc_rng_uniform_params) == 48


class gc_op_vtable(_c.Structure):
    """The functions of an op. Start from GRAPHCAP_OP_VTABLE_INIT, and set at least record.

    Members:
        struct_size: sizeof(gc_op_vtable).
        reserved: 0.
        record: Records the op; not NULL.
        prepare: Prepares the op; may be NULL.
        name: Names the op; may be NULL.
        destroy: Called exactly once with the op's user data, when the script and all recordings that go on are gone, or when gc_script_push_op() fails after it has read this struct; may be NULL.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("record", _c.c_void_p),
        ("prepare", _c.c_void_p),
        ("name", _c.c_void_p),
        ("destroy", _c.c_void_p),
    )
    struct_size: int
    reserved: int
    record: int | None
    prepare: int | None
    name: int | None
    destroy: int | None

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_op_vtable))
        super().__init__(**members)


assert _c.sizeof(gc_op_vtable) == 40


class gc_sgemm_params(_c.Structure):
    """A product of matrices of floats: C = alpha * op(A) * op(B) + beta * C. All are column-major; op(A) has m rows and k columns, op(B) k rows and n columns, C m rows and n columns. Start from GRAPHCAP_SGEMM_PARAMS_INIT.

    Addresses are multiples of 4. C overlaps no other operand. All sizes and leading dimensions are at most 2147483647. With an alpha of 0 neither A nor B is read, with a beta of 0 C is not.

    Members:
        struct_size: sizeof(gc_sgemm_params).
        math_mode: One of the GRAPHCAP_MATH_ numbers.
        m: Rows of op(A) and of C; with 0 there is nothing to do.
        n: Columns of op(B) and of C; with 0 there is nothing to do.
        k: Columns of op(A), and rows of op(B). With 0 C becomes beta * C.
        transpose_a: 1 where op(A) is A transposed; 0 where it is A.
        transpose_b: 1 where op(B) is B transposed; 0 where it is B.
        a: The buffer of A.
        a_offset: The first byte of A.
        lda: Elements from one column of A to the next; 0 for the number of its rows.
        stride_a: Elements from one A of the batch to the next; 0 where all use one.
        b: The buffer of B.
        b_offset: The first byte of B.
        ldb: Elements from one column of B to the next; 0 for the number of its rows.
        stride_b: Elements from one B of the batch to the next; 0 where all use one.
        c: The buffer of C.
        c_offset: The first byte of C.
        ldc: Elements from one column of C to the next; 0 for m.
        stride_c: Elements from one C of the batch to the next. No two overlap.
        alpha: Factor of the product; 0 with an alpha_scalar.
        beta: Factor of C before the product is added; 0 with a beta_scalar.
        alpha_scalar: A scalar of type GRAPHCAP_SCALAR_F32 that is read in place of alpha when the product is calculated; or NULL.
        beta_scalar: A scalar of type GRAPHCAP_SCALAR_F32 that is read in place of beta when the product is calculated; or NULL.
        batch_count: The number of products; 0 for 1.
        workspace_bytes: Bytes of memory that cuBLAS may use for each recording of this product alone, which the graph keeps: 16384 to 2147483647, or UINT64_MAX for as many as a stream has. gc_graph_optimize() can let such products of one stream run side by side. With 0 cuBLAS uses the stream's workspace, which keeps them in order, as it does for what is executed. No effect on the host device.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("math_mode", _c.c_uint32),
        ("m", _c.c_uint64),
        ("n", _c.c_uint64),
        ("k", _c.c_uint64),
        ("transpose_a", _c.c_uint32),
        ("transpose_b", _c.c_uint32),
        ("a", _c.c_void_p),
        ("a_offset", _c.c_uint64),
        ("lda", _c.c_uint64),
        ("stride_a", _c.c_uint64),
        ("b", _c.c_void_p),
        ("b_offset", _c.c_uint64),
        ("ldb", _c.c_uint64),
        ("stride_b", _c.c_uint64),
        ("c", _c.c_void_p),
        ("c_offset", _c.c_uint64),
        ("ldc", _c.c_uint64),
        ("stride_c", _c.c_uint64),
        ("alpha", _c.c_float),
        ("beta", _c.c_float),
        ("alpha_scalar", _c.c_void_p),
        ("beta_scalar", _c.c_void_p),
        ("batch_count", _c.c_uint64),
        ("workspace_bytes", _c.c_uint64),
    )
    struct_size: int
    math_mode: int
    m: int
    n: int
    k: int
    transpose_a: int
    transpose_b: int
    a: int | None
    a_offset: int
    lda: int
    stride_a: int
    b: int | None
    b_offset: int
    ldb: int
    stride_b: int
    c: int | None
    c_offset: int
    ldc: int
    stride_c: int
    alpha: float
    beta: float
    alpha_scalar: int | None
    beta_scalar: int | None
    batch_count: int
    workspace_bytes: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_sgemm_params))
        super().__init__(**members)


assert _c.sizeof(gc_sgemm_params) == 176


class gc_fft_plan_params(_c.Structure):
    """Sizes of Fourier transforms of floats: batch_count transforms between length real numbers and length / 2 + 1 complex ones, the first half of the spectrum. A complex number is two floats, the real part first. Nothing is divided by the length: there and back multiplies by it. On the way back the imaginary part of the first complex number, and for an even length that of the last one, is ignored. Start from GRAPHCAP_FFT_PLAN_PARAMS_INIT.

    Members:
        struct_size: sizeof(gc_fft_plan_params).
        direction: One of the GRAPHCAP_FFT_DIRECTION_ numbers.
        length: Real numbers in a transform: 1 to 2147483647.
        batch_count: The number of transforms; 0 for 1.
        input_distance: Numbers from the first input of one transform to that of the next, real or complex as the input is; 0 for as many as one has. No two overlap.
        output_distance: Numbers from the first output of one transform to that of the next; as input_distance.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("direction", _c.c_uint32),
        ("length", _c.c_uint64),
        ("batch_count", _c.c_uint64),
        ("input_distance", _c.c_uint64),
        ("output_distance", _c.c_uint64),
    )
    struct_size: int
    direction: int
    length: int
    batch_count: int
    input_distance: int
    output_distance: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_fft_plan_params))
        super().__init__(**members)


assert _c.sizeof(gc_fft_plan_params) == 40


class gc_fft_params(_c.Structure):
    """Fourier transforms from one buffer to another. Start from GRAPHCAP_FFT_PARAMS_INIT. The input is kept.

    Members:
        struct_size: sizeof(gc_fft_params).
        reserved: 0.
        plan: The plan; NULL for one that is made from plan_params when the op is prepared.
        plan_params: The sizes; NULL with a plan.
        input: The buffer of the input.
        input_offset: The first byte of the input, whose address is a multiple of 8.
        output: The buffer of the output, which does not overlap the input.
        output_offset: The first byte of the output, whose address is a multiple of 8.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("plan", _c.c_void_p),
        ("plan_params", _c.c_void_p),
        ("input", _c.c_void_p),
        ("input_offset", _c.c_uint64),
        ("output", _c.c_void_p),
        ("output_offset", _c.c_uint64),
    )
    struct_size: int
    reserved: int
    plan: int | None
    plan_params: int | None
    input: int | None
    input_offset: int
    output: int | None
    output_offset: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_fft_params))
        super().__init__(**members)


assert _c.sizeof(gc_fft_params) == 56


class gc_script_failure(_c.Structure):
    """Reason why a script could not be prepared, recorded or submitted. Start from GRAPHCAP_SCRIPT_FAILURE_INIT. All members but struct_size are 0 after a call that succeeded, and after one that found a wrong argument.

    Members:
        struct_size: sizeof(gc_script_failure).
        status: Status that the call returned.
        has_op: 1 if an op failed; 0 if the capture could not begin or end.
        reserved: 0.
        op_index: The place of the op that failed among the ops of the script, from 0.
        op_name: Its name, UTF-8, cut to fit; ends with a NUL.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("status", _c.c_int32),
        ("has_op", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("op_index", _c.c_uint64),
        ("op_name", _c.c_char * 64),
    )
    struct_size: int
    status: int
    has_op: int
    reserved: int
    op_index: int
    op_name: bytes

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_script_failure))
        super().__init__(**members)


assert _c.sizeof(gc_script_failure) == 88


class gc_actor_options(_c.Structure):
    """Options of an actor. 0 is the default of every member.

    Members:
        struct_size: sizeof(gc_actor_options).
        completion: Way in which the actor learns that a launch has completed: a GRAPHCAP_ACTOR_COMPLETION_ number.
        mailbox_capacity: The most messages that wait; 0 for 1024.
        post_timeout_ns: The longest time that a message waits for room in the mailbox, in nanoseconds; 0 for no limit.
        flags: 0 or GRAPHCAP_ACTOR_REFUSE_WHEN_FULL.
        reserved: 0.
        stall_limit_ns: Nanoseconds after which a launch that has not completed counts as late, see gc_future_stall_report() and gc_future_on_stall(). They begin when the actor made the launch, or had answered the launch before it. 0 for no limit. With a limit the actor has another thread, which sleeps while no launch is in flight.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("completion", _c.c_uint32),
        ("mailbox_capacity", _c.c_uint64),
        ("post_timeout_ns", _c.c_uint64),
        ("flags", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("stall_limit_ns", _c.c_uint64),
    )
    struct_size: int
    completion: int
    mailbox_capacity: int
    post_timeout_ns: int
    flags: int
    reserved: int
    stall_limit_ns: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_actor_options))
        super().__init__(**members)


assert _c.sizeof(gc_actor_options) == 40


class gc_kernel_statement(_c.Structure):
    """Statement about kernels by their names, for kernels of others. It goes behind what the launch and gc_kernel_set_accesses() state. It has no struct_size and keeps its 24 bytes.

    Members:
        kernel: Pattern of the names, mangled or not: `*` stands for any characters, `?` for one.
        parameter: Number of the parameter, counted from 0; 0 where the launch has one block of arguments.
        offset: Place of the address in the parameter or block, in bytes; or GRAPHCAP_STATEMENT_EACH_WORD.
        access: GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ_WRITE, or GRAPHCAP_ACCESS_NONE for no address.
        reserved: 0.
    """

    _fields_ = (
        ("kernel", _c.c_void_p),
        ("parameter", _c.c_uint32),
        ("offset", _c.c_uint32),
        ("access", _c.c_uint32),
        ("reserved", _c.c_uint32),
    )
    kernel: int | None
    parameter: int
    offset: int
    access: int
    reserved: int


assert _c.sizeof(gc_kernel_statement) == 24


class gc_optimize_options(_c.Structure):
    """Options of gc_graph_optimize(). Start from GRAPHCAP_OPTIMIZE_OPTIONS_INIT.

    Members:
        struct_size: sizeof(gc_optimize_options).
        flags: 0 or GRAPHCAP_OPTIMIZE_ flags.
        lanes: At most so many nodes run at once, up to GRAPHCAP_OPTIMIZE_MAX_LANES; 0 for 128, which is as many kernels as a GPU runs at once.
        permits: Permissions for replays when candidates are measured: 0 or GRAPHCAP_PERMIT_ flags.
        max_bytes: Bytes of device memory that may be used for what the graph writes when candidates are measured; 0 for 1 GiB.
        statements: Statements about kernels; the first one that is of an address counts. A kernel of which nothing else is stated keeps its place unless one of them says that it writes something. May be NULL.
        statement_count: Number of statements.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("lanes", _c.c_uint32),
        ("permits", _c.c_uint32),
        ("max_bytes", _c.c_uint64),
        ("statements", _c.c_void_p),
        ("statement_count", _c.c_uint64),
    )
    struct_size: int
    flags: int
    lanes: int
    permits: int
    max_bytes: int
    statements: int | None
    statement_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_optimize_options))
        super().__init__(**members)


assert _c.sizeof(gc_optimize_options) == 40


class gc_optimize_candidate(_c.Structure):
    """A graph that gc_graph_optimize() measured.

    Members:
        edges: Its edges: one of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
        lanes: Number of lanes that its nodes are on; 0 with the recorded edges.
        added_node_count: Number of nodes that it has besides those recorded.
        pipelined_ns: Nanoseconds per replay when replays are launched one behind another.
        single_ns: Nanoseconds per replay when each is waited for before the next one is launched.
        launch_ns: Nanoseconds that a launch takes the CPU.
    """

    _fields_ = (
        ("edges", _c.c_int32),
        ("lanes", _c.c_uint32),
        ("added_node_count", _c.c_uint64),
        ("pipelined_ns", _c.c_uint64),
        ("single_ns", _c.c_uint64),
        ("launch_ns", _c.c_uint64),
    )
    edges: int
    lanes: int
    added_node_count: int
    pipelined_ns: int
    single_ns: int
    launch_ns: int


assert _c.sizeof(gc_optimize_candidate) == 40


class gc_optimize_report(_c.Structure):
    """Report of gc_graph_optimize(). Start from GRAPHCAP_OPTIMIZE_REPORT_INIT.

    Members:
        struct_size: sizeof(gc_optimize_report). Set it before the call.
        edges: One of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
        lanes: Number of lanes that the nodes are on; 0 with the recorded edges.
        candidate_count: Number of candidates measured; 0 if the options do not say so, and if it must not be (gc_graph_optimize_text() tells why).
        node_count: Number of nodes of the recorded graph.
        added_node_count: Number of nodes that the result has besides: kernels that do nothing, before all and behind all.
        edges_before: Number of edges of the recorded graph.
        edges_after: Number of edges of the result.
        path_before: Number of nodes on the longest path of the recorded graph.
        path_after: Number of nodes on the longest path of the result. Nodes that were added do not count.
        barrier_count: Number of nodes that keep their place: all that was recorded before such a node stays before it, and all that was recorded behind it stays behind. gc_graph_optimize_text() tells which and why.
        chosen_candidate: Index of the candidate that the result is.
        reserved: 0.
        candidates: The candidates; the first one is the graph as it was recorded.
        inner_graph_count: Number of graphs that the nodes of the graph have, also those within these: graphs of child nodes, bodies of conditionals.
        inner_changed_count: Number of them that have other edges now.
        observed_count: Number of addresses in arguments, by kernel, that count as read by GRAPHCAP_OPTIMIZE_OBSERVE.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("edges", _c.c_int32),
        ("lanes", _c.c_uint32),
        ("candidate_count", _c.c_uint32),
        ("node_count", _c.c_uint64),
        ("added_node_count", _c.c_uint64),
        ("edges_before", _c.c_uint64),
        ("edges_after", _c.c_uint64),
        ("path_before", _c.c_uint64),
        ("path_after", _c.c_uint64),
        ("barrier_count", _c.c_uint64),
        ("chosen_candidate", _c.c_uint32),
        ("reserved", _c.c_uint32),
        ("candidates", gc_optimize_candidate * 8),
        ("inner_graph_count", _c.c_uint64),
        ("inner_changed_count", _c.c_uint64),
        ("observed_count", _c.c_uint64),
    )
    struct_size: int
    edges: int
    lanes: int
    candidate_count: int
    node_count: int
    added_node_count: int
    edges_before: int
    edges_after: int
    path_before: int
    path_after: int
    barrier_count: int
    chosen_candidate: int
    reserved: int
    candidates: _c.Array[gc_optimize_candidate]
    inner_graph_count: int
    inner_changed_count: int
    observed_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_optimize_report))
        super().__init__(**members)


assert _c.sizeof(gc_optimize_report) == 424


class gc_optimize_reason(_c.Structure):
    """A reason for which gc_graph_optimize() leaves nodes in order. It has no struct_size and keeps its 56 bytes. Members that a kind does not name are 0.

    Members:
        kind: One of the GRAPHCAP_OPTIMIZE_REASON_ numbers.
        parameter: Number of the kernel's argument, counted from 0: of the kinds that name one.
        node: The node that keeps its place; with GRAPHCAP_OPTIMIZE_REASON_CONFLICT the one that comes later.
        earlier: GRAPHCAP_OPTIMIZE_REASON_CONFLICT: the node that `node` stays behind.
        address: GRAPHCAP_OPTIMIZE_REASON_CONFLICT: the first byte that both touch; gc_context_find_buffer() tells the buffer. GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE: the first byte of the workspace.
        bytes: Bytes from `address` on, without a gap.
        earlier_writes: GRAPHCAP_OPTIMIZE_REASON_CONFLICT: 1 if `earlier` writes these bytes. It may read them, too.
        later_writes: GRAPHCAP_OPTIMIZE_REASON_CONFLICT: 1 if `node` writes these bytes. It may read them, too.
        count: GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE: how many nodes share it. GRAPHCAP_OPTIMIZE_REASON_CONFLICT: how many buffers a pool gave the byte at `address`, one after another; where it is more than 1, GRAPHCAP_POOL_REUSE_NEVER gives each memory of its own, and the nodes may be free of each other.
    """

    _fields_ = (
        ("kind", _c.c_int32),
        ("parameter", _c.c_uint32),
        ("node", _c.c_uint64),
        ("earlier", _c.c_uint64),
        ("address", _c.c_uint64),
        ("bytes", _c.c_uint64),
        ("earlier_writes", _c.c_uint32),
        ("later_writes", _c.c_uint32),
        ("count", _c.c_uint64),
    )
    kind: int
    parameter: int
    node: int
    earlier: int
    address: int
    bytes: int
    earlier_writes: int
    later_writes: int
    count: int


assert _c.sizeof(gc_optimize_reason) == 56


class gc_verify_options(_c.Structure):
    """Options of gc_graph_verify(). Start from GRAPHCAP_VERIFY_OPTIONS_INIT.

    Members:
        struct_size: sizeof(gc_verify_options).
        flags: 0 or GRAPHCAP_VERIFY_ flags.
        permits: 0 or GRAPHCAP_PERMIT_ flags.
        orders: Number of random orders tried, each with its reverse; 0 for 16.
        max_bytes: Bytes of device memory, and as many of pinned host memory, may be used for what the graph writes; 0 for 256 MiB.
        seed: Number that the random orders depend on.
        progress: Called before each step; may be NULL.
        text: Called with the report in words; may be NULL.
        user_data: Passed to progress and text; may be NULL.
        statements: As gc_optimize_options::statements.
        statement_count: Number of statements.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("permits", _c.c_uint32),
        ("orders", _c.c_uint32),
        ("max_bytes", _c.c_uint64),
        ("seed", _c.c_uint64),
        ("progress", _c.c_void_p),
        ("text", _c.c_void_p),
        ("user_data", _c.c_void_p),
        ("statements", _c.c_void_p),
        ("statement_count", _c.c_uint64),
    )
    struct_size: int
    flags: int
    permits: int
    orders: int
    max_bytes: int
    seed: int
    progress: int | None
    text: int | None
    user_data: int | None
    statements: int | None
    statement_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_verify_options))
        super().__init__(**members)


assert _c.sizeof(gc_verify_options) == 72


class gc_verify_report(_c.Structure):
    """Report of gc_graph_verify(). Start from GRAPHCAP_VERIFY_REPORT_INIT.

    Members:
        struct_size: sizeof(gc_verify_report). Set it before the call.
        finding: The most telling of what was found, to which the next members belong: a pair of nodes whose order matters before all others. One of the GRAPHCAP_VERIFY_ numbers; GRAPHCAP_VERIFY_NOTHING if nothing is wrong.
        first: The node, or of two nodes the one that was recorded first; 0 where no node is known.
        second: The other node, or 0.
        address: The address of a byte by which it was seen.
        finding_count: Number of findings. The text has up to 256.
        stopped: 1 if the progress function ended the call, else 0.
        lanes: On how many lanes at most the nodes were replayed.
        node_count: Number of nodes of the graph.
        replay_count: Number of replays of all nodes.
        order_count: Number of orders tried.
        pair_count: Number of pairs of nodes that need no order by what is declared; 0 in graphs of more than 2,048 nodes.
        pairs_tried: Number of these pairs that have run in both orders.
        bytes_compared: Number of bytes compared.
        bytes_excluded: Number of bytes not compared, since they differ from replay to replay of the recorded graph.
        bytes_unwatched: Number of bytes that there was no room to save and compare, of memory that nodes reach and are not declared to write.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("finding", _c.c_int32),
        ("first", _c.c_uint64),
        ("second", _c.c_uint64),
        ("address", _c.c_uint64),
        ("finding_count", _c.c_uint64),
        ("stopped", _c.c_uint32),
        ("lanes", _c.c_uint32),
        ("node_count", _c.c_uint64),
        ("replay_count", _c.c_uint64),
        ("order_count", _c.c_uint64),
        ("pair_count", _c.c_uint64),
        ("pairs_tried", _c.c_uint64),
        ("bytes_compared", _c.c_uint64),
        ("bytes_excluded", _c.c_uint64),
        ("bytes_unwatched", _c.c_uint64),
    )
    struct_size: int
    finding: int
    first: int
    second: int
    address: int
    finding_count: int
    stopped: int
    lanes: int
    node_count: int
    replay_count: int
    order_count: int
    pair_count: int
    pairs_tried: int
    bytes_compared: int
    bytes_excluded: int
    bytes_unwatched: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_verify_report))
        super().__init__(**members)


assert _c.sizeof(gc_verify_report) == 112


class gc_finding(_c.Structure):
    """A finding of gc_graph_check() or gc_graph_exec_check_findings(). It has no struct_size and keeps its 64 bytes. Members that a kind does not name are 0.

    Members:
        kind: One of the GRAPHCAP_FINDING_ numbers.
        severity: One of the GRAPHCAP_SEVERITY_ numbers.
        node: The node.
        other: GRAPHCAP_FINDING_UNORDERED, GRAPHCAP_FINDING_SHARED_WORKSPACE, GRAPHCAP_FINDING_EVENT_REUSED: the other node.
        address: The first byte; gc_context_find_buffer() tells the buffer.
        bytes: Bytes from `address` on; of memory that is gone, those of its allocation, or of its block; of an input that nobody reads, those of all its rows.
        beyond: GRAPHCAP_FINDING_OVERRUN: how many of these bytes lie behind the end of the memory.
        place: The part of the node that has the address: one of the GRAPHCAP_ADDRESS_ numbers.
        index: Of an argument: which one, counted from 0. Of a value operation: which one of the node.
        offset: Offset in that argument at which the 8 bytes of the address start.
        value: GRAPHCAP_FINDING_CONDITION_UNSET: the value of the condition.
    """

    _fields_ = (
        ("kind", _c.c_int32),
        ("severity", _c.c_int32),
        ("node", _c.c_uint64),
        ("other", _c.c_uint64),
        ("address", _c.c_uint64),
        ("bytes", _c.c_uint64),
        ("beyond", _c.c_uint64),
        ("place", _c.c_uint32),
        ("index", _c.c_uint32),
        ("offset", _c.c_uint32),
        ("value", _c.c_uint32),
    )
    kind: int
    severity: int
    node: int
    other: int
    address: int
    bytes: int
    beyond: int
    place: int
    index: int
    offset: int
    value: int


assert _c.sizeof(gc_finding) == 64


class gc_typed_memory(_c.Structure):
    """Memory of a kind. It has no struct_size and keeps its 24 bytes.

    Members:
        address: The first byte.
        bytes: Number of bytes.
        element: One of the GRAPHCAP_ELEMENT_ numbers.
        flags: 0 or GRAPHCAP_MEMORY_SCRATCH.
    """

    _fields_ = (
        ("address", _c.c_uint64),
        ("bytes", _c.c_uint64),
        ("element", _c.c_uint32),
        ("flags", _c.c_uint32),
    )
    address: int
    bytes: int
    element: int
    flags: int


assert _c.sizeof(gc_typed_memory) == 24


class gc_step(_c.Structure):
    """A node before or after it runs. A later version may have more members at its end.

    Members:
        struct_size: sizeof(gc_step) of the library.
        has_run: 0 before the node runs, 1 after it.
        node: The node; 0 where all nodes run together.
        index: Its number in the order in which the nodes run, from 0.
        count: Number of steps.
        bytes: After it: number of bytes looked at, of those that it writes. 0 without GRAPHCAP_STEP_SUMMARIZE, as the next members.
        hash: Hash of these bytes.
        floats: Number of floats in them; memory of no told kind counts as floats of single precision.
        nans: Number of floats that are not numbers.
        infinities: Number of floats that are infinite.
        least: The least finite float; infinite if there is none.
        greatest: The greatest finite float; negative and infinite if there is none.
        mean: The mean of the finite floats, or 0.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("has_run", _c.c_uint32),
        ("node", _c.c_uint64),
        ("index", _c.c_uint64),
        ("count", _c.c_uint64),
        ("bytes", _c.c_uint64),
        ("hash", _c.c_uint64),
        ("floats", _c.c_uint64),
        ("nans", _c.c_uint64),
        ("infinities", _c.c_uint64),
        ("least", _c.c_double),
        ("greatest", _c.c_double),
        ("mean", _c.c_double),
    )
    struct_size: int
    has_run: int
    node: int
    index: int
    count: int
    bytes: int
    hash: int
    floats: int
    nans: int
    infinities: int
    least: float
    greatest: float
    mean: float

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_step))
        super().__init__(**members)


assert _c.sizeof(gc_step) == 96


class gc_step_options(_c.Structure):
    """Options of gc_graph_step(). Start from GRAPHCAP_STEP_OPTIONS_INIT.

    Members:
        struct_size: sizeof(gc_step_options).
        flags: 0 or GRAPHCAP_STEP_ flags.
        permits: 0 or GRAPHCAP_PERMIT_ flags.
        memory_count: Number of pieces of memory at `memory`.
        first: The node from which on nodes are told and looked at; 0 for the first one.
        last: The last node that runs; 0 for that of the graph.
        max_bytes: Bytes of device memory that may be used for what the graph writes; 0 for 1 GiB.
        each: Called before and after each node; may be NULL.
        text: Called with the report in words; may be NULL.
        user_data: Passed to each and text; may be NULL.
        memory: Memory whose kind is told: floats that are not finite are findings there alone. May be NULL.
        hashes: Hashes that the nodes should leave, from the first node on, as gc_step::hash told them in another run; may be NULL.
        hash_count: Number of hashes.
        statements: As gc_optimize_options::statements.
        statement_count: Number of statements.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("flags", _c.c_uint32),
        ("permits", _c.c_uint32),
        ("memory_count", _c.c_uint32),
        ("first", _c.c_uint64),
        ("last", _c.c_uint64),
        ("max_bytes", _c.c_uint64),
        ("each", _c.c_void_p),
        ("text", _c.c_void_p),
        ("user_data", _c.c_void_p),
        ("memory", _c.c_void_p),
        ("hashes", _c.c_void_p),
        ("hash_count", _c.c_uint64),
        ("statements", _c.c_void_p),
        ("statement_count", _c.c_uint64),
    )
    struct_size: int
    flags: int
    permits: int
    memory_count: int
    first: int
    last: int
    max_bytes: int
    each: int | None
    text: int | None
    user_data: int | None
    memory: int | None
    hashes: int | None
    hash_count: int
    statements: int | None
    statement_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_step_options))
        super().__init__(**members)


assert _c.sizeof(gc_step_options) == 104


class gc_step_report(_c.Structure):
    """Report of gc_graph_step(). Start from GRAPHCAP_STEP_REPORT_INIT.

    Members:
        struct_size: sizeof(gc_step_report). Set it before the call.
        stopped: 1 if the function of the options ended the call, else 0.
        node_count: Number of nodes of the graph.
        run_count: Number of nodes that ran, from gc_step_options::first on.
        together_count: Number of nodes that ran together, as the graph cannot be copied; else 0.
        finding_count: Number of findings; up to 256 are written.
        bytes_saved: Number of bytes saved before and restored after.
        bytes_unwatched: Number of bytes that nodes write or that should be watched, for which there was no room.
        time_ns: Time that the nodes took, with the looks at memory, and without the functions of the options.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("stopped", _c.c_uint32),
        ("node_count", _c.c_uint64),
        ("run_count", _c.c_uint64),
        ("together_count", _c.c_uint64),
        ("finding_count", _c.c_uint64),
        ("bytes_saved", _c.c_uint64),
        ("bytes_unwatched", _c.c_uint64),
        ("time_ns", _c.c_uint64),
    )
    struct_size: int
    stopped: int
    node_count: int
    run_count: int
    together_count: int
    finding_count: int
    bytes_saved: int
    bytes_unwatched: int
    time_ns: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_step_report))
        super().__init__(**members)


assert _c.sizeof(gc_step_report) == 64


class gc_bisect_options(_c.Structure):
    """Options of gc_graph_bisect(). Start from GRAPHCAP_BISECT_OPTIONS_INIT.

    Members:
        struct_size: sizeof(gc_bisect_options).
        permits: 0 or GRAPHCAP_PERMIT_ flags.
        repeats: Number of replays of a trial, which is good when all are; 0 for 3. A trial has four times as many where of so many replays of the graph itself some are good and some are bad.
        max_replays: Number of replays after which the call ends; 0 for 10,000.
        max_bytes: Bytes of device memory that may be used for what the graph writes, all of which is restored; 0 for 1 GiB.
        text: Called once in the end with the report in words, and the call's user_data; may be NULL.
        statements: As gc_optimize_options::statements.
        statement_count: Number of statements.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("permits", _c.c_uint32),
        ("repeats", _c.c_uint32),
        ("max_replays", _c.c_uint32),
        ("max_bytes", _c.c_uint64),
        ("text", _c.c_void_p),
        ("statements", _c.c_void_p),
        ("statement_count", _c.c_uint64),
    )
    struct_size: int
    permits: int
    repeats: int
    max_replays: int
    max_bytes: int
    text: int | None
    statements: int | None
    statement_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_bisect_options))
        super().__init__(**members)


assert _c.sizeof(gc_bisect_options) == 48


class gc_bisect_report(_c.Structure):
    """Report of gc_graph_bisect(). Start from GRAPHCAP_BISECT_REPORT_INIT.

    Members:
        struct_size: sizeof(gc_bisect_report). Set it before the call.
        outcome: One of the GRAPHCAP_BISECT_ numbers.
        stopped: 1 if is_good or max_replays ended the call, else 0. The findings may then be more or fewer than need be.
        confirmed: 1 if replays gave the same answer once more in the end, else 0.
        recorded_count: Number of replays of the graph as it is.
        recorded_bad: Number of them that were bad.
        node_count: Number of nodes of the graph.
        always_on_count: Number of nodes that cannot be switched off: all but kernels, copies and memsets.
        replay_count: Number of replays.
        finding_count: Number of findings; up to 256 are written.
        bytes_saved: Number of bytes restored before each replay and in the end.
        unknown_count: Number of nodes that may write memory that is not restored.
    """

    _fields_ = (
        ("struct_size", _c.c_uint32),
        ("outcome", _c.c_int32),
        ("stopped", _c.c_uint32),
        ("confirmed", _c.c_uint32),
        ("recorded_count", _c.c_uint32),
        ("recorded_bad", _c.c_uint32),
        ("node_count", _c.c_uint64),
        ("always_on_count", _c.c_uint64),
        ("replay_count", _c.c_uint64),
        ("finding_count", _c.c_uint64),
        ("bytes_saved", _c.c_uint64),
        ("unknown_count", _c.c_uint64),
    )
    struct_size: int
    outcome: int
    stopped: int
    confirmed: int
    recorded_count: int
    recorded_bad: int
    node_count: int
    always_on_count: int
    replay_count: int
    finding_count: int
    bytes_saved: int
    unknown_count: int

    def __init__(self, **members: _Any) -> None:
        members.setdefault("struct_size", _c.sizeof(gc_bisect_report))
        super().__init__(**members)


assert _c.sizeof(gc_bisect_report) == 72


__all__ = [
    "gc_context_options",
    "gc_context_info",
    "gc_host_block",
    "gc_host_kernel",
    "gc_host_global",
    "gc_module_description",
    "gc_stream_options",
    "gc_launch_event",
    "gc_access_policy_window",
    "gc_memory_sync_domain_map",
    "gc_launch_attribute_value",
    "gc_launch_attribute",
    "gc_launch_config",
    "gc_kernel_arg",
    "gc_memcpy_params",
    "gc_memset_params",
    "gc_mem_op",
    "gc_stream_attribute_value",
    "gc_ipc_handle",
    "gc_event_options",
    "gc_work",
    "gc_capture_info",
    "gc_capture_options",
    "gc_instantiate_options",
    "gc_kernel_node_params",
    "gc_memcpy_node_params",
    "gc_memset_node_params",
    "gc_mem_op_node_params",
    "gc_host_node_params",
    "gc_unresolved_pointer",
    "gc_graph_binding",
    "gc_graph_exec_info",
    "gc_graph_exec_progress_info",
    "gc_edge_data",
    "gc_conditional_node_params",
    "gc_mem_alloc_node_params",
    "gc_mem_free_node_params",
    "gc_graph_memory",
    "gc_graph_exec_update_info",
    "gc_graph_exec_check_info",
    "gc_graph_exec_apply_options",
    "gc_graph_exec_apply_report",
    "gc_graph_cache_options",
    "gc_graph_cache_stats",
    "gc_pool_options",
    "gc_pool_memory",
    "gc_rng_uniform_params",
    "gc_op_vtable",
    "gc_sgemm_params",
    "gc_fft_plan_params",
    "gc_fft_params",
    "gc_script_failure",
    "gc_actor_options",
    "gc_kernel_statement",
    "gc_optimize_options",
    "gc_optimize_candidate",
    "gc_optimize_report",
    "gc_optimize_reason",
    "gc_verify_options",
    "gc_verify_report",
    "gc_finding",
    "gc_typed_memory",
    "gc_step",
    "gc_step_options",
    "gc_step_report",
    "gc_bisect_options",
    "gc_bisect_report",
]
