"""The constants and statuses of graphcap.h. Generated from include/graphcap-api.json by python/scripts/generate.py. Do not edit."""

from typing import Final

# statuses
GRAPHCAP_SUCCESS: Final = 0
"""The call did what it says."""
GRAPHCAP_ERROR_INVALID_VALUE: Final = 1
"""An argument is NULL, out of range or inconsistent with another."""
GRAPHCAP_ERROR_OUT_OF_MEMORY: Final = 2
"""The device or the host has not enough memory."""
GRAPHCAP_ERROR_NOT_INITIALIZED: Final = 3
"""The driver could not be initialised."""
GRAPHCAP_ERROR_STUB_LIBRARY: Final = 34
"""The driver library that was loaded is a stub without a driver behind it."""
GRAPHCAP_ERROR_NO_DEVICE: Final = 100
"""There is no device of the kind asked for."""
GRAPHCAP_ERROR_INVALID_DEVICE: Final = 101
"""The device ordinal is not below the number of devices."""
GRAPHCAP_ERROR_INVALID_IMAGE: Final = 200
"""The module image is damaged or of no known kind."""
GRAPHCAP_ERROR_INVALID_CONTEXT: Final = 201
"""The context is not valid, or objects of different contexts were mixed."""
GRAPHCAP_ERROR_NO_BINARY_FOR_GPU: Final = 209
"""The module holds no code for this device."""
GRAPHCAP_ERROR_INVALID_PTX: Final = 218
"""The PTX of the module could not be compiled."""
GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION: Final = 222
"""The PTX of the module is newer than the driver."""
GRAPHCAP_ERROR_INVALID_HANDLE: Final = 400
"""A handle is NULL, destroyed, of another kind, or was never one."""
GRAPHCAP_ERROR_ILLEGAL_STATE: Final = 401
"""The object is in a state in which the call is not allowed."""
GRAPHCAP_ERROR_LOSSY_QUERY: Final = 402
"""The answer has no room for what edges carry; ask the call that gives edge data."""
GRAPHCAP_ERROR_NOT_FOUND: Final = 500
"""Nothing of that name or number exists."""
GRAPHCAP_ERROR_NOT_READY: Final = 600
"""The work asked about has not completed yet."""
GRAPHCAP_ERROR_ILLEGAL_ADDRESS: Final = 700
"""A kernel faulted; the context can run nothing any more."""
GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: Final = 701
"""A launch needs more than the device has."""
GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED: Final = 712
"""The host memory is pinned already, in part at least."""
GRAPHCAP_ERROR_LAUNCH_FAILED: Final = 719
"""Work failed while it ran; the context can run nothing any more."""
GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: Final = 720
"""A cooperative launch has more blocks than the device runs at once."""
GRAPHCAP_ERROR_NOT_PERMITTED: Final = 800
"""The call is not allowed here, for example inside a callback."""
GRAPHCAP_ERROR_NOT_SUPPORTED: Final = 801
"""The device or its driver does not offer this."""
GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: Final = 900
"""The call is not allowed while a stream is being captured."""
GRAPHCAP_ERROR_CAPTURE_INVALIDATED: Final = 901
"""An earlier call broke the capture."""
GRAPHCAP_ERROR_CAPTURE_MERGE: Final = 902
"""The call would have merged two captures."""
GRAPHCAP_ERROR_CAPTURE_UNMATCHED: Final = 903
"""The capture was not begun on this stream."""
GRAPHCAP_ERROR_CAPTURE_UNJOINED: Final = 904
"""Work of a forked stream was not joined to the stream that began the capture."""
GRAPHCAP_ERROR_CAPTURE_ISOLATION: Final = 905
"""A capture would have depended on work from outside it."""
GRAPHCAP_ERROR_CAPTURE_IMPLICIT: Final = 906
"""The call would have depended on a capture through the legacy stream."""
GRAPHCAP_ERROR_CAPTURED_EVENT: Final = 907
"""The event was last recorded in a capture, which has no completion to ask about."""
GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: Final = 908
"""The capture was ended by a thread other than the one that began it."""
GRAPHCAP_ERROR_TIMEOUT: Final = 909
"""The time allowed has passed."""
GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: Final = 910
"""The graph exec cannot be updated to this graph; it is unchanged."""
GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: Final = 912
"""A cluster has too many blocks, or does not divide the grid."""
GRAPHCAP_ERROR_UNKNOWN: Final = 999
"""The driver failed without saying why."""
GRAPHCAP_ERROR_STALE: Final = -1
"""The object is older than the last reset of its context."""
GRAPHCAP_ERROR_SEALED: Final = -2
"""The pool is sealed."""
GRAPHCAP_ERROR_BUSY: Final = -3
"""Another thread, a graph or an earlier call is using the object."""
GRAPHCAP_ERROR_PANIC: Final = -4
"""graphcap failed internally; the object can no longer be used."""
GRAPHCAP_ERROR_CALLBACK: Final = -5
"""A callback of the caller reported a failure."""
GRAPHCAP_ERROR_BUFFER_TOO_SMALL: Final = -6
"""The memory offered for the answer is too small; the size needed was written."""
GRAPHCAP_ERROR_LIBRARY: Final = -7
"""A library could not be loaded or lacks what is needed."""
GRAPHCAP_ERROR_FORKED: Final = -8
"""The process was forked after graphcap was first used; only the parent can use it."""
GRAPHCAP_ERROR_CANCELLED: Final = -9
"""The actor was closed before it came to the message."""

# constants
GRAPHCAP_LOG_LEVEL_OFF: Final = 0
"""No messages."""
GRAPHCAP_LOG_LEVEL_ERROR: Final = 1
"""A context faulted, or graphcap failed internally."""
GRAPHCAP_LOG_LEVEL_WARNING: Final = 2
"""A capture was broken."""
GRAPHCAP_LOG_LEVEL_INFO: Final = 3
"""All else that happens seldom."""
GRAPHCAP_LOG_LEVEL_DEBUG: Final = 4
"""Each call that failed, with its message."""
GRAPHCAP_LOG_CONTEXT: Final = 1
"""Contexts that were opened or faulted."""
GRAPHCAP_LOG_LIBRARY: Final = 2
"""Libraries that were found or not found."""
GRAPHCAP_LOG_CAPTURE: Final = 4
"""Captures that were broken, as gc_stream_capture_violation() tells it."""
GRAPHCAP_LOG_EXEC: Final = 8
"""Graph execs that were made anew, and the reason; findings about their graphs that GRAPHCAP_CHECK=1 asks for."""
GRAPHCAP_LOG_POOL: Final = 16
"""Pools that grew."""
GRAPHCAP_LOG_FALLBACK: Final = 32
"""Another way that was taken because the first one was missing."""
GRAPHCAP_LOG_CALL: Final = 64
"""Calls that failed."""
GRAPHCAP_DEVICE_AUTO: Final = 0
"""The kind that the environment variable GRAPHCAP_DEVICE names: auto, cuda or host. With auto, or without the variable, it is CUDA if its driver works and finds a GPU, else the host device. gc_device_auto_reason() tells which kind it is, and why."""
GRAPHCAP_DEVICE_CUDA: Final = 1
"""A GPU through NVIDIA's driver."""
GRAPHCAP_DEVICE_HOST: Final = 2
"""The device built into the library, which executes on the CPU."""
GRAPHCAP_CONTEXT_GUARDED: Final = 1
"""gc_context_options::flags: graphcap refuses a call on the context's objects that would harm an open capture, and the capture goes on. A refused call returns the status that the driver would have returned, but the driver does not see the call. This protects all captures that were begun through graphcap, in this or in another context. Refused are: unsafe calls; waits for, and queries of, capturing streams and captured events; work on the legacy stream; waits that would merge captures or depend on outside work; launches of impossible shapes; and ends that would discard the capture, which are ends on a joined stream, by the wrong thread, or with unjoined work. A call that exists to discard a capture still does: destroying the stream that the capture was begun on, gc_capture_abort(), gc_capture_destroy(), and gc_stream_capture(), whose capture ends in any case. While no capture is open, the flag costs next to nothing. The check is exact for what graphcap made. docs/capture.md lists what is left to the driver, and can harm a capture as it does without this flag: what others do without graphcap, and what graphcap cannot follow."""
GRAPHCAP_CONTEXT_STRICT: Final = 2
"""gc_context_options::flags: every capture of a stream of the context is strict, as with GRAPHCAP_CAPTURE_STRICT. This holds for gc_stream_begin_capture(), for the recordings of graph caches and scripts, and for work that graphcap records into captures that others began; work outside of those is not counted."""
GRAPHCAP_MEMORY_REPORT_TEXT: Final = 0
"""gc_context_memory_report(): lines for people."""
GRAPHCAP_MEMORY_REPORT_JSON: Final = 1
"""gc_context_memory_report(): JSON, which docs/memory.md describes."""
GRAPHCAP_HOST_BUFFER_PORTABLE: Final = 1
"""All CUDA contexts treat the memory as pinned, not only the context that it is made in, when a copy gets it as a plain host pointer."""
GRAPHCAP_HOST_BUFFER_MAPPED: Final = 2
"""Kernels can use the memory, by the address that gc_host_buffer_device_address() returns."""
GRAPHCAP_HOST_BUFFER_WRITE_COMBINED: Final = 4
"""On a CUDA device the CPU's writes are not cached. This makes the CPU's writes and the device's reads faster, and the CPU's reads very slow. gc_host_buffer_register() does not accept it."""
GRAPHCAP_MEM_ATTACH_GLOBAL: Final = 1
"""Every stream may use the memory. The GRAPHCAP_MEM_ATTACH_ numbers are CUDA's."""
GRAPHCAP_MEM_ATTACH_HOST: Final = 2
"""The CPU alone may use the memory."""
GRAPHCAP_MEM_ATTACH_SINGLE: Final = 4
"""The stream that the memory is attached to may use it, and the CPU may while that stream has no work."""
GRAPHCAP_CONCURRENCY_FREE: Final = 0
"""Beside all nodes that touch other memory."""
GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME: Final = 1
"""Never beside another launch of a kernel with this concurrency, and in the recorded order: for kernels that talk to other processes or devices, which make the launches that belong to them in the same order. It holds among the nodes of each graph: beside a child graph or a body that has such kernels too, a kernel is ordered as it was recorded, so record one after the other. A graph with such a kernel is neither measured nor verified: the other processes would not replay with it."""
GRAPHCAP_CONCURRENCY_ALONE: Final = 2
"""Beside no other node of its graph: for kernels that need the whole device, as those that spin until all their blocks have begun."""
GRAPHCAP_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK: Final = 0
"""Threads in a block at most."""
GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_SIZE: Final = 1
"""Bytes of shared memory that each block has whatever the launch says."""
GRAPHCAP_KERNEL_ATTRIBUTE_CONST_SIZE: Final = 2
"""Bytes of constant memory."""
GRAPHCAP_KERNEL_ATTRIBUTE_LOCAL_SIZE: Final = 3
"""Bytes of local memory of each thread."""
GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS: Final = 4
"""Registers of each thread."""
GRAPHCAP_KERNEL_ATTRIBUTE_PTX_VERSION: Final = 5
"""The version of PTX that the kernel was compiled for, ten times the major one plus the minor one."""
GRAPHCAP_KERNEL_ATTRIBUTE_BINARY_VERSION: Final = 6
"""The architecture that the kernel was compiled for, ten times the major one plus the minor one."""
GRAPHCAP_KERNEL_ATTRIBUTE_CACHE_MODE_CA: Final = 7
"""1 where the kernel was compiled to cache global loads in L1."""
GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE: Final = 8
"""Bytes of dynamic shared memory that a launch can have at most. Can be set. graphcap raises it for launches and nodes that have more."""
GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT: Final = 9
"""Share of the memory of a multiprocessor that should be shared memory, in percent of the most that is possible, or -1 for no preference. Can be set."""
GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: Final = 10
"""1 where a launch must have clusters."""
GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: Final = 11
"""Blocks in x of a cluster, or 0. Can be set, unless the kernel was compiled with it."""
GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: Final = 12
"""Blocks in y of a cluster, or 0. Can be set, unless the kernel was compiled with it."""
GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: Final = 13
"""Blocks in z of a cluster, or 0. Can be set, unless the kernel was compiled with it."""
GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE: Final = 14
"""1 where clusters may have more blocks than every GPU can run, which is 8. Can be set."""
GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SCHEDULING: Final = 15
"""Spread of the blocks of clusters: one of the GRAPHCAP_CLUSTER_SCHEDULING_ numbers. Can be set."""
GRAPHCAP_STREAM_NON_BLOCKING: Final = 1
"""The stream does not wait for the legacy default stream, and the legacy default stream does not wait for it."""
GRAPHCAP_CAPTURE_MODE_GLOBAL: Final = 0
"""Bars the unsafe calls of all threads. Only the thread that began the capture may end it."""
GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL: Final = 1
"""Bars the unsafe calls of the thread that began the capture; other threads may wait, query and free as they like. Only the thread that began the capture may end it."""
GRAPHCAP_CAPTURE_MODE_RELAXED: Final = 2
"""Bars no unsafe calls. Any thread may end the capture."""
GRAPHCAP_CAPTURE_STATUS_NONE: Final = 0
"""The stream executes its work."""
GRAPHCAP_CAPTURE_STATUS_ACTIVE: Final = 1
"""The stream records its work."""
GRAPHCAP_CAPTURE_STATUS_INVALIDATED: Final = 2
"""An earlier call broke the capture. It must still be ended."""
GRAPHCAP_LAUNCH_ATTRIBUTE_IGNORE: Final = 0
"""No attribute; an entry of a launch that has no effect."""
GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: Final = 1
"""Addresses that the caches of the device should keep: gc_launch_attribute_value::access_policy_window."""
GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE: Final = 2
"""Demand that all blocks run at once, so that they can wait for each other: gc_launch_attribute_value::number, 0 or 1."""
GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: Final = 4
"""Blocks in a cluster: gc_launch_attribute_value::dimensions. They divide the grid."""
GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING: Final = 5
"""Spread of the blocks of clusters over the device: gc_launch_attribute_value::number, one of the GRAPHCAP_CLUSTER_SCHEDULING_ numbers."""
GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION: Final = 6
"""Permission that the kernel begins when the kernel before it on the stream allows it, before that one is over: gc_launch_attribute_value::number, 0 or 1. Of launches alone; in a graph an edge says so, see GRAPHCAP_EDGE_TYPE_PROGRAMMATIC."""
GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: Final = 7
"""An event that is recorded when all blocks have triggered it: gc_launch_attribute_value::event. Of launches alone. In a capture the edge from the kernel to what waits for the event has data: gc_graph_get_edges() lists it."""
GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY: Final = 8
"""The priority: gc_launch_attribute_value::number. It is cut to the range of the context's streams."""
GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP: Final = 9
"""Domains of the device that the two memory-sync domains map to: gc_launch_attribute_value::memory_sync_domain_map."""
GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN: Final = 10
"""The memory-sync domain: gc_launch_attribute_value::number, one of the GRAPHCAP_MEMORY_SYNC_DOMAIN_ numbers."""
GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: Final = 11
"""Blocks in a cluster where there is room for more than the cluster dimension says: gc_launch_attribute_value::dimensions. Of launches alone."""
GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT: Final = 12
"""An event that is recorded when all blocks have begun: gc_launch_attribute_value::event. Of launches alone. In a capture the edge from the kernel to what waits for the event has data, as with a programmatic event."""
GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE: Final = 13
"""Permission that kernels change the node: gc_launch_attribute_value::number, 0 or 1."""
GRAPHCAP_LAUNCH_ATTRIBUTE_SHARED_MEMORY_CARVEOUT: Final = 14
"""Share of the memory of a multiprocessor that should be shared memory: gc_launch_attribute_value::number, in percent of the most that is possible, or -1 for no preference."""
GRAPHCAP_CLUSTER_SCHEDULING_DEFAULT: Final = 0
"""Spread of the blocks of clusters: as the driver likes."""
GRAPHCAP_CLUSTER_SCHEDULING_SPREAD: Final = 1
"""Spread of the blocks of clusters: over as many multiprocessors as possible."""
GRAPHCAP_CLUSTER_SCHEDULING_LOAD_BALANCING: Final = 2
"""Spread of the blocks of clusters: so that multiprocessors are loaded equally."""
GRAPHCAP_ARG_VALUE: Final = 1
"""gc_kernel_arg::kind: the bytes at value, copied when the kernel is launched or recorded. For a host kernel they are aligned to 16 bytes if their number is a multiple of 16, else to 8 bytes."""
GRAPHCAP_ARG_BUFFER: Final = 2
"""gc_kernel_arg::kind: the device address of buffer, plus offset."""
GRAPHCAP_ACCESS_DEFAULT: Final = 0
"""gc_kernel_arg::access: not stated."""
GRAPHCAP_ACCESS_READ: Final = 1
"""gc_kernel_arg::access: the kernel only reads the buffer."""
GRAPHCAP_ACCESS_WRITE: Final = 2
"""gc_kernel_arg::access: the kernel only writes the buffer."""
GRAPHCAP_ACCESS_READ_WRITE: Final = 3
"""gc_kernel_arg::access: the kernel reads and writes the buffer."""
GRAPHCAP_ACCESS_NONE: Final = 4
"""gc_kernel_set_accesses(): the parameter is no address."""
GRAPHCAP_MEMCPY_HOST_TO_HOST: Final = 0
"""gc_memcpy_params::direction: from source_host or source_host_buffer to destination_host or destination_host_buffer."""
GRAPHCAP_MEMCPY_HOST_TO_DEVICE: Final = 1
"""gc_memcpy_params::direction: from source_host or source_host_buffer to destination."""
GRAPHCAP_MEMCPY_DEVICE_TO_HOST: Final = 2
"""gc_memcpy_params::direction: from source to destination_host or destination_host_buffer."""
GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE: Final = 3
"""gc_memcpy_params::direction: from source to destination."""
GRAPHCAP_MEMCPY_PEER: Final = 5
"""gc_memcpy_params::direction: from source to destination, buffers of any contexts on devices of the kind of the stream's. A stream copies one row so; without this direction both buffers are of its context. Nodes and gc_stream_memcpy_batch() make no difference between this direction and GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE. Only the stream orders the copy. Work of other contexts on the buffers is ordered by events, as within one context: streams wait for events of other contexts too. As for any work, the buffers and their contexts may be destroyed: the memory lives until the copy has run, and as long as a graph uses it. Between CUDA devices the driver copies directly if it can, else through host memory. A capture records the copy in a form that CUDA's captures accept."""
GRAPHCAP_MEMCPY_SNAPSHOT: Final = 1
"""gc_memcpy_params::flags: the call saves the bytes at source_host, and the copy reads the saved bytes, at each replay too. The memory may be freed or changed when the call returns."""
GRAPHCAP_WAIT_VALUE_GEQ: Final = 0
"""The wait ends when the value in memory is greater than or equal to the value of the wait. The comparison is cyclic: their difference, which wraps, is not negative as a signed number. It therefore works with counters that wrap."""
GRAPHCAP_WAIT_VALUE_EQ: Final = 1
"""The wait ends when the two values are equal."""
GRAPHCAP_WAIT_VALUE_AND: Final = 2
"""The wait ends when the two values have a bit in common."""
GRAPHCAP_WAIT_VALUE_NOR: Final = 3
"""The wait ends when some bit is set in neither of the two values."""
GRAPHCAP_WAIT_VALUE_FLUSH: Final = 1073741824
"""After the wait, the work that follows also sees the writes of other devices that had arrived at this device. For a GPU that supports it; no effect on a host device."""
GRAPHCAP_WRITE_VALUE_DEFAULT: Final = 0
"""Whoever sees the value also sees all that the stream wrote before."""
GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER: Final = 1
"""The value may be seen before earlier writes of the stream. The flag is accepted and has no effect at present, because the driver's functions for such writes do not take it."""
GRAPHCAP_MEM_OP_WAIT_VALUE32: Final = 1
"""gc_mem_op::kind: a wait for a value of 32 bits, see gc_stream_wait_value32(). The GRAPHCAP_MEM_OP_ numbers are CUDA's."""
GRAPHCAP_MEM_OP_WRITE_VALUE32: Final = 2
"""gc_mem_op::kind: a write of a value of 32 bits, see gc_stream_write_value32()."""
GRAPHCAP_MEM_OP_WAIT_VALUE64: Final = 4
"""gc_mem_op::kind: a wait for a value of 64 bits, see gc_stream_wait_value64()."""
GRAPHCAP_MEM_OP_WRITE_VALUE64: Final = 5
"""gc_mem_op::kind: a write of a value of 64 bits, see gc_stream_write_value64()."""
GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW: Final = 1
"""Addresses that the caches of the device should keep: gc_stream_attribute_value::access_policy_window."""
GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY: Final = 3
"""Way in which a thread waits for the stream: gc_stream_attribute_value::synchronization_policy."""
GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY: Final = 8
"""The priority: gc_stream_attribute_value::priority."""
GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP: Final = 9
"""Domains of the device that the two memory-sync domains map to: gc_stream_attribute_value::memory_sync_domain_map."""
GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN: Final = 10
"""The memory-sync domain of the stream's kernels, which determines whose writes their fences wait for: gc_stream_attribute_value::memory_sync_domain."""
GRAPHCAP_SYNCHRONIZATION_POLICY_AUTO: Final = 1
"""A synchronization policy: as the context's flags say."""
GRAPHCAP_SYNCHRONIZATION_POLICY_SPIN: Final = 2
"""A synchronization policy: the thread spins."""
GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD: Final = 3
"""A synchronization policy: the thread spins and yields."""
GRAPHCAP_SYNCHRONIZATION_POLICY_BLOCKING_SYNC: Final = 4
"""A synchronization policy: the thread sleeps."""
GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT: Final = 0
"""A memory-sync domain: the domain of kernels that state none."""
GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE: Final = 1
"""A memory-sync domain: the domain of kernels that write to other devices."""
GRAPHCAP_ACCESS_PROPERTY_NORMAL: Final = 0
"""Treatment of accesses by a cache: as usual."""
GRAPHCAP_ACCESS_PROPERTY_STREAMING: Final = 1
"""Treatment of accesses by a cache: they are unlikely to be repeated."""
GRAPHCAP_ACCESS_PROPERTY_PERSISTING: Final = 2
"""Treatment of accesses by a cache: they are likely to be repeated. Only for gc_access_policy_window::hit_property."""
GRAPHCAP_EVENT_BLOCKING_SYNC: Final = 1
"""Threads that wait for the event sleep rather than spin."""
GRAPHCAP_EVENT_DISABLE_TIMING: Final = 2
"""The event takes no time stamps; gc_event_elapsed_time() refuses it."""
GRAPHCAP_EVENT_INTERPROCESS: Final = 4
"""Other processes can open the event, see gc_event_ipc_handle(). Requires GRAPHCAP_EVENT_DISABLE_TIMING."""
GRAPHCAP_EVENT_RECORD_EXTERNAL: Final = 1
"""gc_event_record(): the record is a node of the graph that is being captured. Each launch of the graph records the event for work outside the graph."""
GRAPHCAP_EVENT_WAIT_EXTERNAL: Final = 1
"""gc_stream_wait_event(): the wait is a node of the graph that is being captured. Each replay waits there for the record that the event holds when the graph is launched."""
GRAPHCAP_WORK_KERNEL: Final = 1
"""gc_work::kind: launches kernel with config and arguments, which are checked and copied as by gc_stream_launch_kernel(). A node has the attributes of the config that nodes can have; one that it cannot have is GRAPHCAP_ERROR_INVALID_VALUE. A node of a graph that is set keeps its other attributes. In a graph exec the attributes stay: a config can only say what they are, and the kernel is one for the device of the node. Scripts and nodes take no attribute that records an event. GRAPHCAP_ERROR_INVALID_VALUE: the device cannot have that shape or that much shared memory, or the arguments do not match the kernel's parameters. GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES, GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE, GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: as for every launch."""
GRAPHCAP_WORK_MEMCPY: Final = 2
"""gc_work::kind: makes the copy of memcpy_params: one row, or rows in two or three dimensions. Host memory must stay valid until the copy has run, and the bytes that the copy reads must not change until then. Captures, graphs and scripts take a plain pointer as it is: each replay reads or writes the memory. GRAPHCAP_MEMCPY_SNAPSHOT saves the bytes during the call. A size, height or depth of 0 copies nothing; a node copies at least a byte. GRAPHCAP_ERROR_INVALID_VALUE: a member is set that the direction does not use, host memory that it uses is NULL, a pitch is less than size, a slice height is less than height, a range does not lie within its buffer, or the two sides overlap. GRAPHCAP_ERROR_INVALID_CONTEXT: a stream copies without GRAPHCAP_MEMCPY_PEER, and a buffer is of another context. GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture refuses plain host memory. In a graph exec the direction, the device of the memory, and the extent of a copy of several rows stay; on a CUDA device a node that copies between managed and pinned memory takes no pageable memory, with which the launch would fault."""
GRAPHCAP_WORK_MEMSET: Final = 3
"""gc_work::kind: sets the rows of memset_params. A width or height of 0 sets nothing; a node sets at least an element. GRAPHCAP_ERROR_INVALID_VALUE: element_size is not 1, 2 or 4, the first address or the pitch is not a multiple of it, the pitch is less than a row, the rows do not lie within the buffer, or the host buffer is not mapped. In a graph exec the device of the memory and the extent of several rows stay."""
GRAPHCAP_WORK_HOST: Final = 4
"""gc_work::kind: calls function with user_data on the CPU, once per launch of a graph; see gc_host_fn. destroy is called when nothing will call function any more: the work has run; or the graph, the graph execs, the node's later work and the script have let go of it. On a CUDA device a graph exec lets go of a function that came from its graph when it is destroyed."""
GRAPHCAP_WORK_CHILD_GRAPH: Final = 5
"""gc_work::kind: runs a copy of graph, as it is at the call; a script copies it when the op is recorded. A stream takes it while it is being captured. GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has conditions or allocations of its own, or belongs to a node. GRAPHCAP_ERROR_INVALID_VALUE: it is the graph that it would be put into, or has that within a node."""
GRAPHCAP_WORK_CONDITIONAL: Final = 6
"""gc_work::kind: runs bodies depending on a value. conditional_kind is one of the GRAPHCAP_CONDITIONAL_ numbers. With condition, which gc_graph_create_condition() made and no node has yet, it is a conditional node of body_count bodies. They are empty; gc_node_get_graph() gives them to be filled, with kernel, copy, memset, empty, child and conditional nodes. A stream takes it while it is being captured. With buffer, offset and bodies, which are scripts, the value is the 4 bytes at offset of buffer, whose address is a multiple of 4, as they are when the graph comes there; GRAPHCAP_CONDITIONAL_WHILE looks again after each turn. Scripts take only this form. A body can have kernels, copies, memsets, child graphs, and up to 8 conditionals within each other; the ops between these become child graphs within the conditional node. A body with work of another kind is refused at once; what ops of the caller's and child graphs have is found when the graph is instantiated. GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is for a version of CUDA before 12.3, or before 12.8 for a second body and for GRAPHCAP_CONDITIONAL_SWITCH. GRAPHCAP_ERROR_OUT_OF_MEMORY: on the host device also for more than 1048576 bodies. GRAPHCAP_ERROR_CAPTURE_INVALIDATED and GRAPHCAP_ERROR_LIBRARY: as for GRAPHCAP_WORK_SGEMM, for a node whose bodies are scripts."""
GRAPHCAP_WORK_EVENT_RECORD: Final = 7
"""gc_work::kind: records event. With GRAPHCAP_EVENT_RECORD_EXTERNAL in flags, and in graphs and scripts always, each launch of the graph records it, and streams outside the graph wait for the record. Otherwise it marks what the stream has done so far, as gc_event_record() does; in a capture, another stream that waits for it joins the capture. GRAPHCAP_ERROR_INVALID_HANDLE: the event and the stream belong to two devices of one kind. GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a CUDA device captures the stream, and the event is one for several processes. GRAPHCAP_ERROR_INVALID_VALUE: a graph cannot record it."""
GRAPHCAP_WORK_EVENT_WAIT: Final = 8
"""gc_work::kind: waits for event. With GRAPHCAP_EVENT_WAIT_EXTERNAL in flags, and in graphs and scripts always, each launch of the graph waits for the record that the event holds then. Otherwise what comes next waits for what the event marks, as gc_stream_wait_event() does; in a capture, that joins streams which the capture forked to. GRAPHCAP_ERROR_CAPTURE_ISOLATION: the stream is captured, and the event was recorded outside of captures. GRAPHCAP_ERROR_CAPTURE_MERGE: it was recorded in another capture, which is invalidated too. GRAPHCAP_ERROR_INVALID_VALUE: it was last recorded in a capture that is over, or a graph cannot wait for it. GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: it is one for several processes. These invalidate the capture."""
GRAPHCAP_WORK_EMPTY: Final = 9
"""gc_work::kind: nothing: where edges meet. For new nodes."""
GRAPHCAP_WORK_MEM_OPS: Final = 10
"""gc_work::kind: writes values into buffers and waits for values there, one after another, as gc_stream_batch_mem_op() does: the operations, at most 255. A node has at least one."""
GRAPHCAP_WORK_MEM_ALLOC: Final = 11
"""gc_work::kind: allocates size bytes of device memory, in each launch at the same address. For new nodes of graphs; gc_node_get_buffer() gives the buffer, which other nodes take as any buffer. Order the nodes that use the memory after the allocation, and before the free. Memory that the graph does not free is allocated until work of GRAPHCAP_WORK_MEM_FREE, of a stream or of a graph, or the next launch of a graph exec with GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH frees it. A launch fails if the memory is still allocated. A launch that frees the memory fails if the memory is not allocated. While it is allocated, streams can use the buffer as well; while it is not, their copies and memsets are refused. A kernel that uses it then faults on a CUDA device, and reads and writes undefined values on a host device. Destroying the buffer frees nothing, as long as another handle, a graph or a graph exec has the memory. When none has it any more, it is freed behind the work that uses it. A graph with allocation or free nodes cannot be copied or become a child node, keeps its nodes and edges, and has one graph exec at a time. If a conditional body has such a node, gc_graph_instantiate() returns GRAPHCAP_ERROR_INVALID_VALUE for the outermost graph. If a node allocates memory after another node has freed the same number of bytes, both allocations can have the same address. The memory is for kernels, copies and memsets of its context, and for nodes of other contexts on its device. Value operations and other work refuse it. GRAPHCAP_ERROR_NOT_SUPPORTED: the graph is that of a child node."""
GRAPHCAP_WORK_MEM_FREE: Final = 12
"""gc_work::kind: frees buffer, which a node of a graph allocates. For new nodes, and for streams, which free what a launch left allocated; then the graph can be launched again. In the graph that allocates it, one node frees an allocation, and then no node of another graph can. Nodes of several other graphs can free it, as long as no node of its own graph does; a launch that finds it free is refused. GRAPHCAP_ERROR_INVALID_VALUE: the memory is not allocated, the buffer is none that a node allocates, or, in a graph, a node frees it already, or a graph exec was made of the graph that leaves it allocated. GRAPHCAP_ERROR_NOT_SUPPORTED: the graph is that of a child node. GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is not captured, and a capture bars this thread from freeing memory; that capture is invalidated."""
GRAPHCAP_WORK_SET_CONDITION: Final = 13
"""gc_work::kind: sets condition to the 4 bytes at offset of buffer, whose address is a multiple of 4, or to the value of scalar, which is a number of 32 bits, as they are when the work runs. So any kernel decides about a conditional, and gc_scalar_update(). For new nodes, and for streams that are being captured. It is a kernel node of one thread. The conditional node that is to see the value depends on it. A while is decided anew by such work at the end of its body."""
GRAPHCAP_WORK_SGEMM: Final = 16
"""gc_work::kind: multiplies the matrices of sgemm_params. A product of no elements does nothing. As a node, work of this kind and of those below is a child graph, which is recorded during the call. GRAPHCAP_ERROR_CAPTURE_INVALIDATED: another thread made a call meanwhile that breaks captures of the context; call again. GRAPHCAP_ERROR_LIBRARY: the library is missing. GRAPHCAP_ERROR_UNKNOWN: it failed otherwise, as it may while a blocking stream is captured; the message has its number."""
GRAPHCAP_WORK_FFT_R2C: Final = 17
"""gc_work::kind: makes the Fourier transforms of fft_params, from real numbers to complex ones."""
GRAPHCAP_WORK_FFT_C2R: Final = 18
"""gc_work::kind: makes the Fourier transforms of fft_params, from complex numbers to real ones."""
GRAPHCAP_WORK_RNG_UNIFORM: Final = 24
"""gc_work::kind: fills floats with the random numbers of rng_uniform_params, at least 0 and below 1. The float of an element is its upper 24 bits over 2^24, exactly. So the bits are the same on all devices. Element i is described at gc_rng_create(). A script names the op "uniform" unless name says otherwise. The fill draws the next numbers of the generator whenever it runs; a recorded one at each replay. The fills of a capture have one node in common, without dependencies, which takes the numbers of all of them. They share these in the order of the calls, on whatever streams, so branches draw the same numbers however they run. Captures into one graph count as one; the body of a conditional node draws by a node of its own, at each turn. Replays of several recordings, and fills that are not recorded, may run at the same time: each has numbers of its own. The launches of all graph execs of one recording, of its copies, and of graphs that it is a child of take turns, on whatever streams. A launch answers GRAPHCAP_ERROR_BUSY where the launch before was on another stream, has no event behind it, and that stream is being captured by now. Two uses as a child within one graph are not kept apart: order them. With GRAPHCAP_RNG_REPEAT the fill has the same numbers each time, and takes nothing. GRAPHCAP_ERROR_INVALID_VALUE: first is not 0 without GRAPHCAP_RNG_REPEAT, or the floats overrun the buffer or are not aligned. GRAPHCAP_ERROR_NOT_SUPPORTED: the next numbers were asked for in a capture that others began; it goes on. GRAPHCAP_ERROR_ILLEGAL_STATE: another thread ended the capture meanwhile. GRAPHCAP_ERROR_NOT_PERMITTED: the next numbers were asked for in a capture that another thread began on its per-thread stream."""
GRAPHCAP_CAPTURE_DEPENDENCIES_ADD: Final = 0
"""The nodes are added to the nodes that the next work depends on."""
GRAPHCAP_CAPTURE_DEPENDENCIES_SET: Final = 1
"""The nodes replace the nodes that the next work depends on."""
GRAPHCAP_VIOLATION_NONE: Final = 0
"""graphcap has found nothing that broke the capture."""
GRAPHCAP_VIOLATION_UNSAFE_CALL: Final = 1
"""An unsafe call that the mode of the capture bars for the calling thread."""
GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM: Final = 2
"""A call that is not allowed on a stream in a capture: waiting for it, asking whether it is complete."""
GRAPHCAP_VIOLATION_WHOLE_CONTEXT: Final = 3
"""A wait for a whole context that has a stream in a capture."""
GRAPHCAP_VIOLATION_CAPTURED_EVENT: Final = 4
"""A query of, or a wait for, an event that was recorded in the capture; or a wait in the capture for an event of a capture that is over."""
GRAPHCAP_VIOLATION_LEGACY_STREAM: Final = 5
"""Work on the legacy stream while a blocking stream was being captured."""
GRAPHCAP_VIOLATION_ISOLATION: Final = 6
"""A call that would have made a stream of the capture wait for work from outside the capture."""
GRAPHCAP_VIOLATION_MERGE: Final = 7
"""A call that would have made a stream of one capture wait for another capture."""
GRAPHCAP_VIOLATION_UNMATCHED_END: Final = 8
"""The capture was ended on a stream that had joined it."""
GRAPHCAP_VIOLATION_UNJOINED: Final = 9
"""The capture was ended while work of forked streams was not joined."""
GRAPHCAP_VIOLATION_WRONG_THREAD: Final = 10
"""The capture was ended by a thread that may not end it."""
GRAPHCAP_VIOLATION_SHAPE: Final = 11
"""A launch of an impossible shape on a stream of the capture."""
GRAPHCAP_VIOLATION_OUTSIDE: Final = 12
"""A call outside graphcap, as far as the graphcap calls that have returned show."""
GRAPHCAP_VIOLATION_WORK_OUTSIDE: Final = 13
"""The capture is strict and is not broken, but work went past it: the thread that began it had work executed on streams outside of the capture, or was refused that in a guarded context. See GRAPHCAP_CAPTURE_STRICT."""
GRAPHCAP_VIOLATION_LAST_FAILED: Final = 14
"""The capture is strict, and the last call that was to record into it before its end failed. See GRAPHCAP_CAPTURE_STRICT."""
GRAPHCAP_VIOLATION_GRAPH_LAUNCH: Final = 15
"""A launch of a graph on a stream of the capture."""
GRAPHCAP_CAPTURE_STRICT: Final = 1
"""gc_capture_options::flags: the capture is strict. What would go wrong in silence is refused or told. GRAPHCAP_CONTEXT_STRICT makes all captures of a context strict. While no strict capture is open, the flag costs next to nothing. Host memory: a graph does not keep plain host memory alive. A strict capture refuses a copy that reads or writes plain host memory with GRAPHCAP_ERROR_NOT_PERMITTED: nothing is recorded, and the capture goes on. Copy through a gc_host_buffer, which the graph keeps, or record the bytes that are there now with GRAPHCAP_MEMCPY_SNAPSHOT. An address that lies in a live host buffer or managed buffer of the stream's context is taken, and the graph keeps that buffer. Work outside: work that the thread which began the capture has executed on other streams runs once, and no replay repeats it. Each such call is counted, in gc_capture_info::work_outside and by gc_stream_capture_violation() as GRAPHCAP_VIOLATION_WORK_OUTSIDE. On a stream of a guarded context it is counted and refused, with GRAPHCAP_ERROR_NOT_PERMITTED, and the capture goes on. Counted are kernels, copies, memsets, value operations, host functions, updates and reads of scalars, calls of libraries, and launches of graph execs, in contexts on devices of the same kind. Not counted are work that another capture records, and what is submitted without graphcap. Failed calls: if a call that was to record work or to order it fails, its status is ignored, and no call has recorded anything after it, the end of the capture returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED, its message names the call that failed, and gc_stream_capture_violation() reports GRAPHCAP_VIOLATION_LAST_FAILED."""
GRAPHCAP_CAPTURE_NOTE_MEMORY: Final = 2
"""gc_capture_options::flags: the end of the capture notes the memory that the recorded work names by its address, so that memory which is gone is told before a replay uses it: memory whose address stands in work that other code recorded, such as kernels of PyTorch or of a library, or in a value argument. A graph does not keep such memory. The end of the capture reads each node once, and notes for each address the allocation that it lies in. Memory that was freed and allocated again at the same address is seen. gc_graph_instantiate(), gc_graph_exec_update() and gc_graph_exec_apply() then ask once for each allocation, and refuse a graph that names memory which is gone with GRAPHCAP_ERROR_INVALID_VALUE, before the driver sees it; the message has node, kernel, parameter and address. gc_graph_exec_check() asks for an exec. Clones of the graph, and graphs that have it as a child, are checked as well. Each aligned word of 8 bytes counts that the device knows as an address at the end, so a value can be noted that looks like one. Memory that graphs allocate counts while it is allocated. docs/what-a-graph-keeps.md tells what is not seen, as pointers that lie in memory, and memory that an allocator hands on without freeing it. A node that is set later, or whose buffer is replaced, is passed over. If the driver does not tell the nodes, nothing is noted. GRAPHCAP_CHECK=1 in the environment sets the flag for all captures that gc_ calls begin or record into, and end."""
GRAPHCAP_DOT_VERBOSE: Final = 1
"""gc_graph_export_dot(): shows what all other flags show. The names of CUDA's runtime are used only with GRAPHCAP_DOT_RUNTIME_TYPES."""
GRAPHCAP_DOT_RUNTIME_TYPES: Final = 2
"""gc_graph_export_dot(): kinds of nodes and directions of copies have the names that CUDA's runtime gives them, as cudaGraphNodeTypeMemset and cudaMemcpyHostToDevice."""
GRAPHCAP_DOT_KERNEL_NODE_PARAMS: Final = 4
"""gc_graph_export_dot(): kernel nodes show grid, block, shared memory and arguments. An address in a buffer is shown as the name of the buffer and an offset."""
GRAPHCAP_DOT_MEMCPY_NODE_PARAMS: Final = 8
"""gc_graph_export_dot(): copy nodes show direction, size, source and destination."""
GRAPHCAP_DOT_MEMSET_NODE_PARAMS: Final = 16
"""gc_graph_export_dot(): memset nodes show size, destination and value."""
GRAPHCAP_DOT_HOST_NODE_PARAMS: Final = 32
"""gc_graph_export_dot(): host nodes show which function they call. Nodes that call one function show the same name."""
GRAPHCAP_DOT_EVENT_NODE_PARAMS: Final = 64
"""gc_graph_export_dot(): event record nodes and event wait nodes show their event."""
GRAPHCAP_DOT_EXT_SEMAS_SIGNAL_NODE_PARAMS: Final = 128
"""gc_graph_export_dot(): accepted, and shows nothing. graphcap does not read nodes that signal external semaphores."""
GRAPHCAP_DOT_EXT_SEMAS_WAIT_NODE_PARAMS: Final = 256
"""gc_graph_export_dot(): accepted, and shows nothing. graphcap does not read nodes that wait for external semaphores."""
GRAPHCAP_DOT_KERNEL_NODE_ATTRIBUTES: Final = 512
"""gc_graph_export_dot(): kernel nodes show the attributes that graphcap reads back from the device."""
GRAPHCAP_DOT_HANDLES: Final = 1024
"""gc_graph_export_dot(): nodes show their gc_node."""
GRAPHCAP_DOT_MEM_ALLOC_NODE_PARAMS: Final = 2048
"""gc_graph_export_dot(): allocation nodes show the allocation and its size."""
GRAPHCAP_DOT_MEM_FREE_NODE_PARAMS: Final = 4096
"""gc_graph_export_dot(): free nodes show the allocation and its size."""
GRAPHCAP_DOT_BATCH_MEM_OP_NODE_PARAMS: Final = 8192
"""gc_graph_export_dot(): nodes of value operations show their operations, the first eight of them."""
GRAPHCAP_DOT_EXTRA_TOPO_INFO: Final = 16384
"""gc_graph_export_dot(): edges show their number, and nodes the stream that a capture recorded them on: its name, or else "stream 0", "stream 1" in the order in which the streams of the graph first recorded something. Edges that carry ports or a type show these in any case."""
GRAPHCAP_DOT_CONDITIONAL_NODE_PARAMS: Final = 32768
"""gc_graph_export_dot(): conditional nodes show their condition, and the value that launches begin with."""
GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH: Final = 1
"""gc_instantiate_options::flags: a launch frees what earlier launches of the exec allocated and nobody freed."""
GRAPHCAP_INSTANTIATE_UPLOAD: Final = 2
"""gc_instantiate_options::flags: the exec is uploaded on upload_stream, as gc_graph_upload() does."""
GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH: Final = 4
"""gc_instantiate_options::flags: kernels on the device can launch the exec."""
GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY: Final = 8
"""gc_instantiate_options::flags: each kernel node runs with its own priority, and not with that of the stream of the launch. A host device runs all nodes alike."""
GRAPHCAP_INSTANTIATE_WATCH: Final = 65536
"""gc_instantiate_options::flags: gc_graph_exec_progress() tells which nodes a launch of the exec has completed. Behind each node runs a kernel of one thread, so launches take longer. The exec cannot be changed."""
GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS: Final = 131072
"""gc_instantiate_options::flags, with GRAPHCAP_INSTANTIATE_WATCH: on a CUDA device the record of an event is a leaf behind each node, in the place of the kernel that nodes wait for. Launches are made more slowly. While several launches are queued, gc_graph_exec_progress() does not know the nodes of the one that runs. A host device makes no difference."""
GRAPHCAP_INSTANTIATE_SHAPE: Final = 262144
"""gc_instantiate_options::flags: on a CUDA device the exec has a kernel that does nothing before all nodes, if several nodes wait for none, and one behind all, if no node waits for several. Such graphs are launched and run faster so. The graph is not changed, gc_graph_exec_node_count() does not count these kernels, and the exec is edited and updated as any other one; an update adds them to what it compares. A host device makes no difference."""
GRAPHCAP_NODE_KERNEL: Final = 0
"""gc_node_kind(): a kernel launch."""
GRAPHCAP_NODE_MEMCPY: Final = 1
"""gc_node_kind(): a copy."""
GRAPHCAP_NODE_MEMSET: Final = 2
"""gc_node_kind(): a memset."""
GRAPHCAP_NODE_HOST: Final = 3
"""gc_node_kind(): a host function."""
GRAPHCAP_NODE_CHILD: Final = 4
"""gc_node_kind(): a graph that runs as one node."""
GRAPHCAP_NODE_EMPTY: Final = 5
"""gc_node_kind(): nothing; a node where edges meet."""
GRAPHCAP_NODE_EVENT_WAIT: Final = 6
"""gc_node_kind(): a wait for an event."""
GRAPHCAP_NODE_EVENT_RECORD: Final = 7
"""gc_node_kind(): a record of an event."""
GRAPHCAP_NODE_MEM_ALLOC: Final = 10
"""gc_node_kind(): an allocation."""
GRAPHCAP_NODE_MEM_FREE: Final = 11
"""gc_node_kind(): the end of an allocation."""
GRAPHCAP_NODE_BATCH_MEM_OP: Final = 12
"""gc_node_kind(): value operations."""
GRAPHCAP_NODE_CONDITIONAL: Final = 13
"""gc_node_kind(): graphs that run depending on a value."""
GRAPHCAP_NODE_OTHER: Final = 2147483647
"""gc_node_kind(): a kind of the driver's that graphcap does not know."""
GRAPHCAP_ARGUMENTS_UNKNOWN: Final = 0
"""gc_kernel_node_params::argument_layout: the driver does not tell the arguments."""
GRAPHCAP_ARGUMENTS_SEPARATE: Final = 1
"""gc_kernel_node_params::argument_layout: one argument per parameter of the kernel."""
GRAPHCAP_ARGUMENTS_PACKED: Final = 2
"""gc_kernel_node_params::argument_layout: one block of bytes, laid out as the kernel's parameters are."""
GRAPHCAP_MEMCPY_DEFAULT: Final = 4
"""gc_memcpy_node_params::direction: the addresses tell."""
GRAPHCAP_BINDING_BUFFER: Final = 1
"""gc_graph_binding::kind: handle is a gc_buffer."""
GRAPHCAP_BINDING_HOST_BUFFER: Final = 2
"""gc_graph_binding::kind: handle is a gc_host_buffer."""
GRAPHCAP_BINDING_HOST_MEMORY: Final = 3
"""gc_graph_binding::kind: pointer is plain host memory."""
GRAPHCAP_BINDING_KERNEL: Final = 4
"""gc_graph_binding::kind: handle is a gc_kernel."""
GRAPHCAP_BINDING_EVENT: Final = 5
"""gc_graph_binding::kind: handle is a gc_event."""
GRAPHCAP_BINDING_HOST_FUNCTION: Final = 6
"""gc_graph_binding::kind: function is what host nodes call."""
GRAPHCAP_BINDING_GRAPH: Final = 7
"""gc_graph_binding::kind: a graph, whose buffers, host buffers, kernels, events and host functions are bound by the names that gc_graph_export_json() writes for them: those that no other binding has. One at most."""
GRAPHCAP_BINDING_PROCESS: Final = 8
"""gc_graph_binding::kind: the objects of the process that belong to the context of the import. What no other binding has is taken from those of its name, kind and size. One at most."""
GRAPHCAP_OWNERSHIP_BORROWED: Final = 1
"""gc_ownership: others. The object outlives the handle, whose end leaves it alone."""
GRAPHCAP_OWNERSHIP_TAKEN: Final = 2
"""gc_ownership: graphcap, from the success of the call on."""
GRAPHCAP_NODE_WAITS: Final = 0
"""gc_node_state: it waits for a node that has not completed."""
GRAPHCAP_NODE_READY: Final = 1
"""gc_node_state: all that it waits for has completed, and it has not: it runs, or is about to. If the launch hangs, one of these nodes does."""
GRAPHCAP_NODE_COMPLETED: Final = 2
"""gc_node_state: it has completed."""
GRAPHCAP_PORT_DEFAULT: Final = 0
"""gc_edge_data::from_port: the edge begins where the node ends."""
GRAPHCAP_PORT_PROGRAMMATIC: Final = 1
"""gc_edge_data::from_port: the edge begins where all blocks of the kernel have triggered, or ended. Together with GRAPHCAP_EDGE_TYPE_PROGRAMMATIC."""
GRAPHCAP_PORT_LAUNCH_ORDER: Final = 2
"""gc_edge_data::from_port: the edge begins where all blocks of the kernel have begun."""
GRAPHCAP_EDGE_TYPE_DEFAULT: Final = 0
"""gc_edge_data::edge_type: the second node begins when the point that from_port names is reached."""
GRAPHCAP_EDGE_TYPE_PROGRAMMATIC: Final = 1
"""gc_edge_data::edge_type: the kernel may begin early, and waits by itself (griddepcontrol.wait) for what it needs."""
GRAPHCAP_CONDITION_ASSIGN_DEFAULT: Final = 1
"""gc_graph_create_condition(): each launch of the outermost graph begins with the default value, not with 0."""
GRAPHCAP_CONDITIONAL_IF: Final = 0
"""gc_graph_add_conditional_node(): the first body runs once unless the value is 0; the second body, if there is one, runs if it is 0."""
GRAPHCAP_CONDITIONAL_WHILE: Final = 1
"""gc_graph_add_conditional_node(): the body runs again and again as long as the value is not 0."""
GRAPHCAP_CONDITIONAL_SWITCH: Final = 2
"""gc_graph_add_conditional_node(): the body runs of which the value is the index; no body if there is none."""
GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS: Final = 0
"""The update was made or, with GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, can be made. Also the answer of a call that fails before the driver compares anything."""
GRAPHCAP_GRAPH_EXEC_UPDATE_ERROR: Final = 1
"""The driver refused the update for a reason that no other number tells."""
GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED: Final = 2
"""The number of nodes or the edges differ, or the order in which the edges of a node were added."""
GRAPHCAP_GRAPH_EXEC_UPDATE_NODE_TYPE_CHANGED: Final = 3
"""A node is of another kind."""
GRAPHCAP_GRAPH_EXEC_UPDATE_FUNCTION_CHANGED: Final = 4
"""A kernel node launches another function. Drivers since CUDA 11.2 allow that and do not answer this number."""
GRAPHCAP_GRAPH_EXEC_UPDATE_PARAMETERS_CHANGED: Final = 5
"""The parameters of a node differ in a way that an exec does not allow."""
GRAPHCAP_GRAPH_EXEC_UPDATE_NOT_SUPPORTED: Final = 6
"""Something of a node cannot be updated: the kind of a conditional, or the number of its bodies."""
GRAPHCAP_GRAPH_EXEC_UPDATE_UNSUPPORTED_FUNCTION_CHANGE: Final = 7
"""A kernel node launches a function of another context."""
GRAPHCAP_GRAPH_EXEC_UPDATE_ATTRIBUTES_CHANGED: Final = 8
"""A launch attribute differs that an exec does not allow to differ: whether a kernel is cooperative, or its priority in an exec made with GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY."""
GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES: Final = 1
"""gc_graph_exec_update(): compare the launch attributes of the kernel nodes, and tell of the first one that differs. This takes time for each node: on a CUDA device more than the update itself."""
GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN: Final = 2
"""gc_graph_exec_update(): answer what the update would answer, and change nothing."""
GRAPHCAP_ADDRESS_ARGUMENT: Final = 0
"""gc_address_place: an argument of a kernel."""
GRAPHCAP_ADDRESS_COPY_DESTINATION: Final = 1
"""gc_address_place: the destination of a copy."""
GRAPHCAP_ADDRESS_COPY_SOURCE: Final = 2
"""gc_address_place: the source of a copy."""
GRAPHCAP_ADDRESS_MEMSET: Final = 3
"""gc_address_place: the memory that a memset writes."""
GRAPHCAP_ADDRESS_VALUE: Final = 4
"""gc_address_place: the word of a value operation."""
GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET: Final = 1
"""gc_graph_exec_apply_options::flags: do not set single nodes."""
GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE: Final = 2
"""gc_graph_exec_apply_options::flags: do not update the graph exec as a whole."""
GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW: Final = 4
"""gc_graph_exec_apply_options::flags: do not instantiate the graph. The call then waits for no work of the device."""
GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES: Final = 8
"""gc_graph_exec_apply_options::flags: the kernels may keep the launch attributes that they have in the graph exec, even if those of the graph differ."""
GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING: Final = 0
"""Nothing was done: the graph exec does what the graph does."""
GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_SET: Final = 1
"""Single nodes of the graph exec were set."""
GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE: Final = 2
"""The graph exec was updated as a whole, as gc_graph_exec_update() does."""
GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW: Final = 3
"""The graph was instantiated, and took the place of what the graph exec was."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_UNCHANGED: Final = 0
"""The graph exec does what the graph does."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FEW_NODES: Final = 1
"""It is known which nodes were changed, and to set them costs less than an update."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_NODES: Final = 2
"""It is known which nodes were changed, and an update costs less than to set them."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_NOT_KNOWN: Final = 3
"""It is not known which nodes differ: the graph exec does the work of another graph, more was changed than the work of nodes, a capture went into the graph, or its native handle was given out."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_REFUSED: Final = 4
"""The graph exec cannot be updated by the graph. update_result tells why."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ATTRIBUTE: Final = 5
"""A launch attribute differs, and an update would keep that of the graph exec."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ONLY_ALLOWED: Final = 6
"""The flags allow no cheaper way."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED: Final = 7
"""The call failed before it looked for a way. gc_graph_exec_apply_report::status tells why."""
GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_REPLAYS: Final = 8
"""So many replays are expected that a new graph exec takes less time in all, as it replays faster than one that was changed."""
GRAPHCAP_GRAPH_CACHE_SHARE_EXECS: Final = 1
"""gc_graph_cache_options::flags: keys whose graphs have the same topology share a graph exec. A launch for another key than the one before updates the graph exec, as gc_graph_exec_update() does. That costs a tenth of a new graph exec, and the memory of one graph exec serves all of these keys; but their launches run one after another, on whatever streams, and each change of the key costs an update."""
GRAPHCAP_GRAPH_CACHE_THREAD_LOCAL: Final = 2
"""gc_graph_cache_options::flags: captures are begun in GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, so that an unsafe call of the recording function breaks its capture. Without the flag the mode is GRAPHCAP_CAPTURE_MODE_RELAXED."""
GRAPHCAP_POOL_REUSE_ORDERED: Final = 0
"""A capture uses memory again that gc_buffer_destroy_on_stream() freed in it, on every stream that is behind the free and behind all uses of the memory that were recorded. The default."""
GRAPHCAP_POOL_REUSE_SAME_STREAM: Final = 1
"""As GRAPHCAP_POOL_REUSE_ORDERED, where that stream alone used the memory: memory orders no streams of the graph."""
GRAPHCAP_POOL_REUSE_NEVER: Final = 2
"""Captures use no memory again: each allocation has bytes of its own, and no node waits for another one because of memory."""
GRAPHCAP_POOL_SHARED: Final = 1
"""gc_pool_options: graphs that never run at once share memory of the pool. What is allocated on a stream of a capture with the pool, and what gc_pool_allocate() allocates while such a capture goes on, is allocated again by other captures with it, once the capture is over and the buffer destroyed, although the graph goes on to use it. Launches of all graph execs that keep the pool run one after another, whatever their streams are. What a replay leaves in such memory is lost when another graph of the pool runs. Graphs that share memory can be nodes of one graph where its edges order them."""
GRAPHCAP_SCALAR_I32: Final = 1
"""A scalar of type int32_t."""
GRAPHCAP_SCALAR_U32: Final = 2
"""A scalar of type uint32_t."""
GRAPHCAP_SCALAR_I64: Final = 3
"""A scalar of type int64_t."""
GRAPHCAP_SCALAR_U64: Final = 4
"""A scalar of type uint64_t."""
GRAPHCAP_SCALAR_F32: Final = 5
"""A scalar of type float."""
GRAPHCAP_SCALAR_F64: Final = 6
"""A scalar of type double."""
GRAPHCAP_RNG_REPEAT: Final = 1
"""gc_rng_uniform_params::flags: each time the fill runs it has the same numbers, those from element first of the sequence on. The generator does not move on."""
GRAPHCAP_TORCH_STATE_24: Final = 24
"""gc_rng_torch_state(): the layout of at::PhiloxCudaState with 24 bytes, in which the offset within the graph has 32 bits, of PyTorch before it had 64."""
GRAPHCAP_TORCH_STATE_32: Final = 32
"""gc_rng_torch_state(): the layout of at::PhiloxCudaState with 32 bytes, in which the offset within the graph has 64 bits, as in PyTorch 2.11."""
GRAPHCAP_MATH_FLOAT32: Final = 0
"""gc_sgemm_params::math_mode: 32-bit floating point throughout."""
GRAPHCAP_MATH_TF32: Final = 1
"""gc_sgemm_params::math_mode: a GPU may round the factors to TF32, which has 10 bits behind the point, to be faster. The host device calculates as with GRAPHCAP_MATH_FLOAT32."""
GRAPHCAP_FFT_DIRECTION_R2C: Final = 0
"""gc_fft_plan_params::direction: from real numbers to complex ones."""
GRAPHCAP_FFT_DIRECTION_C2R: Final = 1
"""gc_fft_plan_params::direction: from complex numbers to real ones."""
GRAPHCAP_ACTOR_COMPLETION_EVENT: Final = 0
"""gc_actor_options::completion: the actor records an event behind each launch, and asks about it while it has nothing else to do. On the host device it counts launches instead."""
GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION: Final = 1
"""gc_actor_options::completion: the actor has the stream call a host function behind each launch, and sleeps meanwhile."""
GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE: Final = 2
"""gc_actor_options::completion: the actor waits for the stream after each launch, so that one launch runs at a time."""
GRAPHCAP_ACTOR_REFUSE_WHEN_FULL: Final = 1
"""gc_actor_options::flags: a message to a full mailbox is refused with GRAPHCAP_ERROR_BUSY. Without the flag the call waits for room."""
GRAPHCAP_STATEMENT_EACH_WORD: Final = 4294967295
"""gc_kernel_statement::offset: each word of the parameter."""
GRAPHCAP_OPTIMIZE_SHAPE_ONLY: Final = 1
"""gc_optimize_options::flags: keep the edges, and change the shape alone."""
GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS: Final = 2
"""gc_optimize_options::flags: a kernel of which nothing is stated writes the buffers and other allocations that its arguments point into, and touches nothing else."""
GRAPHCAP_OPTIMIZE_MEASURE: Final = 4
"""gc_optimize_options::flags: candidates are replayed and timed, and the result is the fastest, when replays are launched one behind another. Graphs within nodes stay as they were recorded then. With GRAPHCAP_OPTIMIZE_IN_PLACE nothing is measured."""
GRAPHCAP_OPTIMIZE_MEASURE_SINGLE: Final = 8
"""gc_optimize_options::flags: as GRAPHCAP_OPTIMIZE_MEASURE, and the result is the fastest when each replay is waited for before the next one is launched."""
GRAPHCAP_OPTIMIZE_UNOBSERVED: Final = 16
"""gc_optimize_options::flags: nobody looks at what kernels write while a replay runs. Kernels of which it is stated that they write host memory, managed memory or memory of another device are then ordered as those that write device memory."""
GRAPHCAP_OPTIMIZE_OBSERVE: Final = 32
"""gc_optimize_options::flags: as GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS, and the nodes are run one by one, each with what is in memory and with zeros behind each address in its arguments: memory behind an address that no node of the kernel changed counts as read. It is a promise that other contents change nothing there either, and that zeros do no harm. Limits and memory are as with GRAPHCAP_OPTIMIZE_MEASURE."""
GRAPHCAP_OPTIMIZE_CANDIDATES: Final = 8
"""gc_optimize_report::candidates: how many there can be."""
GRAPHCAP_OPTIMIZE_IN_PLACE: Final = 512
"""gc_optimize_options::flags and gc_plan_apply(): change the graph itself, which then need not be one that can be cloned. graph_out has to be NULL. No other call may use the graph meanwhile, and no capture may go into it."""
GRAPHCAP_OPTIMIZE_MAX_LANES: Final = 256
"""gc_optimize_options::lanes: the most that there can be."""
GRAPHCAP_OPTIMIZE_EDGES_RECORDED: Final = 0
"""Those that were recorded: the options say so, or other edges would leave no shorter path."""
GRAPHCAP_OPTIMIZE_EDGES_LANES: Final = 1
"""Those that the work needs, on lanes."""
GRAPHCAP_OPTIMIZE_EDGES_NEEDED: Final = 2
"""Those that the work needs, and no others; where this was measured to be the fastest."""
GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL: Final = 1
"""Nothing is stated of what the kernel of the node touches: gc_kernel_set_accesses()."""
GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_ARGUMENTS: Final = 2
"""The arguments of the kernel of the node are not told: its arguments come in one block, or the driver is older than 12.4."""
GRAPHCAP_OPTIMIZE_REASON_UNRESOLVED: Final = 3
"""The argument `parameter` points to no memory that graphcap knows: gc_buffer_wrap()."""
GRAPHCAP_OPTIMIZE_REASON_UNSTATED: Final = 4
"""The launch stated something of its buffers, but the argument `parameter` is a value that holds an address."""
GRAPHCAP_OPTIMIZE_REASON_SEEN_OUTSIDE: Final = 5
"""By the argument `parameter` the kernel may write memory that the CPU, or another device, sees; UINT32_MAX where gc_kernel_set_buffer_access() stated so of a buffer."""
GRAPHCAP_OPTIMIZE_REASON_COOPERATIVE: Final = 6
"""The launch is cooperative, or gc_kernel_set_concurrency() says that the kernel runs beside nothing."""
GRAPHCAP_OPTIMIZE_REASON_NODE_KIND: Final = 7
"""The work of nodes of its kind may be seen from outside, or is not known: gc_node_kind()."""
GRAPHCAP_OPTIMIZE_REASON_EDGE: Final = 8
"""An edge of the node carries something: gc_graph_get_edges()."""
GRAPHCAP_OPTIMIZE_REASON_CONDITION: Final = 9
"""It sets a condition, as gc_graph_add_set_condition_node() and GRAPHCAP_WORK_CONDITIONAL do."""
GRAPHCAP_OPTIMIZE_REASON_CONFLICT: Final = 10
"""Two nodes that follow each other on the longest path touch the same bytes, and one of them writes these."""
GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE: Final = 11
"""Nodes share the workspace of their stream's products: gc_sgemm_params::workspace_bytes gives each one of its own."""
GRAPHCAP_VERIFY_TRUST_PARAMETERS: Final = 1
"""gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS."""
GRAPHCAP_VERIFY_UNOBSERVED: Final = 2
"""gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_UNOBSERVED."""
GRAPHCAP_VERIFY_OBSERVE: Final = 4
"""gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_OBSERVE; what was observed is checked as what is stated."""
GRAPHCAP_PERMIT_HOST_FUNCTIONS: Final = 1
"""Permission for trial replays: host functions are called at each replay. What they write is neither saved nor compared."""
GRAPHCAP_PERMIT_EVENTS: Final = 2
"""Permission for trial replays: events are recorded and waited for at each replay."""
GRAPHCAP_PERMIT_VALUES: Final = 4
"""Permission for trial replays: values are written and waited for at each replay. What is waited for must come each time."""
GRAPHCAP_PERMIT_OTHER_DEVICES: Final = 8
"""Permission for trial replays: memory of other devices is written. What others write there meanwhile is lost."""
GRAPHCAP_VERIFY_NOTHING: Final = 0
"""Nothing."""
GRAPHCAP_VERIFY_UNDECLARED: Final = 1
"""A node writes bytes that it is not declared to write."""
GRAPHCAP_VERIFY_BOTH_WRITE: Final = 2
"""Two nodes write the same byte, and neither has to come before the other one."""
GRAPHCAP_VERIFY_ORDER: Final = 3
"""Two nodes need no order by what is declared, and another order of the two gives another result."""
GRAPHCAP_VERIFY_LANES: Final = 4
"""Nodes that run side by side on lanes give another result than one after another."""
GRAPHCAP_VERIFY_RECORDED: Final = 5
"""The graph as it was recorded gives another result than its nodes one after another."""
GRAPHCAP_SEVERITY_NOTE: Final = 1
"""gc_severity: it is right in many programs."""
GRAPHCAP_SEVERITY_WARNING: Final = 2
"""gc_severity: it is wrong unless the program knows more than the graph."""
GRAPHCAP_SEVERITY_ERROR: Final = 3
"""gc_severity: a replay does wrong."""
GRAPHCAP_FINDING_MEMORY_GONE: Final = 1
"""The memory at `address`, or its block, was freed since a capture with GRAPHCAP_CAPTURE_NOTE_MEMORY, and nothing lies there now. An error."""
GRAPHCAP_FINDING_MEMORY_EXCHANGED: Final = 2
"""The memory at `address`, or its block, was freed since a capture with GRAPHCAP_CAPTURE_NOTE_MEMORY, and other memory lies there now. An error."""
GRAPHCAP_FINDING_OVERRUN: Final = 3
"""A copy, memset or value operation begins in memory and ends `beyond` bytes behind its end. An error."""
GRAPHCAP_FINDING_UNORDERED: Final = 4
"""No path orders `node` and `other`, and both touch `bytes` bytes at `address`, which one of them writes. An error between copies and memsets; a warning where one is a kernel, by what is stated of it; a note in a graph with a node that waits for an event or a value, which may order the two."""
GRAPHCAP_FINDING_SHARED_WORKSPACE: Final = 5
"""No path orders `node` and `other`, and both use the workspace of one stream's products. A warning."""
GRAPHCAP_FINDING_HOST_MEMORY: Final = 6
"""A copy from or to memory of the CPU's that no graph keeps. A note."""
GRAPHCAP_FINDING_CONDITION_UNSET: Final = 7
"""No node sets the condition of the node, as far as arguments show it: it is `value` in every replay. A warning."""
GRAPHCAP_FINDING_NOT_FREED: Final = 8
"""No node frees the memory that the node allocates. A note."""
GRAPHCAP_FINDING_EVENT_REUSED: Final = 9
"""No path orders `node` and `other`, and both record one event. A note."""
GRAPHCAP_FINDING_UNREAD: Final = 10
"""A copy brings `bytes` bytes of the CPU's to rows from `address` on, and no node reads one of them, though nodes of the graph free them or write them again. Only where it is known what each node reads, and not of managed or wrapped memory that is written again. A note."""
GRAPHCAP_FINDING_OVERWRITTEN: Final = 11
"""`node` reads `bytes` bytes at `address` that graphs of a pool with GRAPHCAP_POOL_SHARED share, and no earlier node of the graph writes them: a launch of another graph of the pool overwrites them. A warning."""
GRAPHCAP_STEP_SUMMARIZE: Final = 1
"""gc_step_options::flags: what each node writes is hashed, and its floats are counted."""
GRAPHCAP_STEP_WATCH_ALL: Final = 2
"""gc_step_options::flags: all other memory of the nodes and of the context's buffers is hashed behind each node, too. It finds nodes that change memory that they are not declared to write, and takes much longer."""
GRAPHCAP_STEP_SKIP: Final = 4
"""gc_step_options::flags: nodes before gc_step_options::first do not run."""
GRAPHCAP_STEP_KEEP: Final = 8
"""gc_step_options::flags: memory stays as the nodes leave it, unless the call fails."""
GRAPHCAP_ELEMENT_BYTES: Final = 0
"""Bytes that are no floats."""
GRAPHCAP_ELEMENT_F32: Final = 1
"""Floats of single precision."""
GRAPHCAP_ELEMENT_F16: Final = 2
"""Floats of half precision."""
GRAPHCAP_ELEMENT_BF16: Final = 3
"""Floats in the bfloat16 format."""
GRAPHCAP_ELEMENT_F64: Final = 4
"""Floats of double precision."""
GRAPHCAP_FINDING_NOT_FINITE: Final = 32
"""gc_graph_step(): `node` wrote `value` floats that are not finite, the first at `address`, to memory whose kind is told. An error for the first node, a note for later ones."""
GRAPHCAP_FINDING_UNDECLARED: Final = 33
"""gc_graph_step(): `node` changed memory that it is not declared to write, among `bytes` bytes at `address`. An error."""
GRAPHCAP_FINDING_DIFFERS: Final = 34
"""gc_graph_step(): `node` did not leave the hash that gc_step_options::hashes has for it. An error."""
GRAPHCAP_FINDING_NOT_WATCHED: Final = 35
"""gc_graph_step(): `node` may write memory that is not looked at. A note."""
GRAPHCAP_FINDING_UNWRITTEN: Final = 36
"""gc_step_options::memory: `node` reads memory with GRAPHCAP_MEMORY_SCRATCH that no node wrote before: `bytes` bytes that it writes, from `address` on, depend on that. It is told of the first such node. An error."""
GRAPHCAP_MEMORY_SCRATCH: Final = 1
"""gc_typed_memory::flags: no node uses bytes of it that no node wrote before. It is filled with two patterns, and each node runs from both, so that it runs two or three times. Saved memory takes three times its room."""
GRAPHCAP_FINDING_MAKES_BAD: Final = 64
"""gc_graph_bisect(): `node` is of the smallest set of nodes that makes a replay bad when all others are off. `value` is 1 if a replay is good when `node` alone is off, 0 if it is bad, and 2 if that was not tried. An error."""
GRAPHCAP_FINDING_GOOD_WITHOUT: Final = 65
"""gc_graph_bisect(): a replay is good when `node` alone is off, and bad when all nodes are off that can be. An error."""
GRAPHCAP_FINDING_EDGE_MISSING: Final = 66
"""gc_graph_bisect(): no path orders `other` before `node`, and a replay is good with such edges. An error."""
GRAPHCAP_BISECT_GOOD: Final = 0
"""No replay of the graph that was judged was bad."""
GRAPHCAP_BISECT_NODES: Final = 1
"""The findings are GRAPHCAP_FINDING_MAKES_BAD."""
GRAPHCAP_BISECT_WITHOUT: Final = 2
"""The findings are GRAPHCAP_FINDING_GOOD_WITHOUT: is_good does not accept a replay that does nothing."""
GRAPHCAP_BISECT_ORDER: Final = 3
"""The findings are GRAPHCAP_FINDING_EDGE_MISSING: a replay is good when the nodes run one after another."""
GRAPHCAP_BISECT_UNKNOWN: Final = 4
"""Replays are bad, and it was not found by what; or none was judged."""

__all__ = [
    "GRAPHCAP_SUCCESS",
    "GRAPHCAP_ERROR_INVALID_VALUE",
    "GRAPHCAP_ERROR_OUT_OF_MEMORY",
    "GRAPHCAP_ERROR_NOT_INITIALIZED",
    "GRAPHCAP_ERROR_STUB_LIBRARY",
    "GRAPHCAP_ERROR_NO_DEVICE",
    "GRAPHCAP_ERROR_INVALID_DEVICE",
    "GRAPHCAP_ERROR_INVALID_IMAGE",
    "GRAPHCAP_ERROR_INVALID_CONTEXT",
    "GRAPHCAP_ERROR_NO_BINARY_FOR_GPU",
    "GRAPHCAP_ERROR_INVALID_PTX",
    "GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION",
    "GRAPHCAP_ERROR_INVALID_HANDLE",
    "GRAPHCAP_ERROR_ILLEGAL_STATE",
    "GRAPHCAP_ERROR_LOSSY_QUERY",
    "GRAPHCAP_ERROR_NOT_FOUND",
    "GRAPHCAP_ERROR_NOT_READY",
    "GRAPHCAP_ERROR_ILLEGAL_ADDRESS",
    "GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES",
    "GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
    "GRAPHCAP_ERROR_LAUNCH_FAILED",
    "GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
    "GRAPHCAP_ERROR_NOT_PERMITTED",
    "GRAPHCAP_ERROR_NOT_SUPPORTED",
    "GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED",
    "GRAPHCAP_ERROR_CAPTURE_INVALIDATED",
    "GRAPHCAP_ERROR_CAPTURE_MERGE",
    "GRAPHCAP_ERROR_CAPTURE_UNMATCHED",
    "GRAPHCAP_ERROR_CAPTURE_UNJOINED",
    "GRAPHCAP_ERROR_CAPTURE_ISOLATION",
    "GRAPHCAP_ERROR_CAPTURE_IMPLICIT",
    "GRAPHCAP_ERROR_CAPTURED_EVENT",
    "GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD",
    "GRAPHCAP_ERROR_TIMEOUT",
    "GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
    "GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE",
    "GRAPHCAP_ERROR_UNKNOWN",
    "GRAPHCAP_ERROR_STALE",
    "GRAPHCAP_ERROR_SEALED",
    "GRAPHCAP_ERROR_BUSY",
    "GRAPHCAP_ERROR_PANIC",
    "GRAPHCAP_ERROR_CALLBACK",
    "GRAPHCAP_ERROR_BUFFER_TOO_SMALL",
    "GRAPHCAP_ERROR_LIBRARY",
    "GRAPHCAP_ERROR_FORKED",
    "GRAPHCAP_ERROR_CANCELLED",
    "GRAPHCAP_LOG_LEVEL_OFF",
    "GRAPHCAP_LOG_LEVEL_ERROR",
    "GRAPHCAP_LOG_LEVEL_WARNING",
    "GRAPHCAP_LOG_LEVEL_INFO",
    "GRAPHCAP_LOG_LEVEL_DEBUG",
    "GRAPHCAP_LOG_CONTEXT",
    "GRAPHCAP_LOG_LIBRARY",
    "GRAPHCAP_LOG_CAPTURE",
    "GRAPHCAP_LOG_EXEC",
    "GRAPHCAP_LOG_POOL",
    "GRAPHCAP_LOG_FALLBACK",
    "GRAPHCAP_LOG_CALL",
    "GRAPHCAP_DEVICE_AUTO",
    "GRAPHCAP_DEVICE_CUDA",
    "GRAPHCAP_DEVICE_HOST",
    "GRAPHCAP_CONTEXT_GUARDED",
    "GRAPHCAP_CONTEXT_STRICT",
    "GRAPHCAP_MEMORY_REPORT_TEXT",
    "GRAPHCAP_MEMORY_REPORT_JSON",
    "GRAPHCAP_HOST_BUFFER_PORTABLE",
    "GRAPHCAP_HOST_BUFFER_MAPPED",
    "GRAPHCAP_HOST_BUFFER_WRITE_COMBINED",
    "GRAPHCAP_MEM_ATTACH_GLOBAL",
    "GRAPHCAP_MEM_ATTACH_HOST",
    "GRAPHCAP_MEM_ATTACH_SINGLE",
    "GRAPHCAP_CONCURRENCY_FREE",
    "GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME",
    "GRAPHCAP_CONCURRENCY_ALONE",
    "GRAPHCAP_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK",
    "GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_SIZE",
    "GRAPHCAP_KERNEL_ATTRIBUTE_CONST_SIZE",
    "GRAPHCAP_KERNEL_ATTRIBUTE_LOCAL_SIZE",
    "GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS",
    "GRAPHCAP_KERNEL_ATTRIBUTE_PTX_VERSION",
    "GRAPHCAP_KERNEL_ATTRIBUTE_BINARY_VERSION",
    "GRAPHCAP_KERNEL_ATTRIBUTE_CACHE_MODE_CA",
    "GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE",
    "GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT",
    "GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET",
    "GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH",
    "GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT",
    "GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH",
    "GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE",
    "GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SCHEDULING",
    "GRAPHCAP_STREAM_NON_BLOCKING",
    "GRAPHCAP_CAPTURE_MODE_GLOBAL",
    "GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL",
    "GRAPHCAP_CAPTURE_MODE_RELAXED",
    "GRAPHCAP_CAPTURE_STATUS_NONE",
    "GRAPHCAP_CAPTURE_STATUS_ACTIVE",
    "GRAPHCAP_CAPTURE_STATUS_INVALIDATED",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_IGNORE",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE",
    "GRAPHCAP_LAUNCH_ATTRIBUTE_SHARED_MEMORY_CARVEOUT",
    "GRAPHCAP_CLUSTER_SCHEDULING_DEFAULT",
    "GRAPHCAP_CLUSTER_SCHEDULING_SPREAD",
    "GRAPHCAP_CLUSTER_SCHEDULING_LOAD_BALANCING",
    "GRAPHCAP_ARG_VALUE",
    "GRAPHCAP_ARG_BUFFER",
    "GRAPHCAP_ACCESS_DEFAULT",
    "GRAPHCAP_ACCESS_READ",
    "GRAPHCAP_ACCESS_WRITE",
    "GRAPHCAP_ACCESS_READ_WRITE",
    "GRAPHCAP_ACCESS_NONE",
    "GRAPHCAP_MEMCPY_HOST_TO_HOST",
    "GRAPHCAP_MEMCPY_HOST_TO_DEVICE",
    "GRAPHCAP_MEMCPY_DEVICE_TO_HOST",
    "GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE",
    "GRAPHCAP_MEMCPY_PEER",
    "GRAPHCAP_MEMCPY_SNAPSHOT",
    "GRAPHCAP_WAIT_VALUE_GEQ",
    "GRAPHCAP_WAIT_VALUE_EQ",
    "GRAPHCAP_WAIT_VALUE_AND",
    "GRAPHCAP_WAIT_VALUE_NOR",
    "GRAPHCAP_WAIT_VALUE_FLUSH",
    "GRAPHCAP_WRITE_VALUE_DEFAULT",
    "GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER",
    "GRAPHCAP_MEM_OP_WAIT_VALUE32",
    "GRAPHCAP_MEM_OP_WRITE_VALUE32",
    "GRAPHCAP_MEM_OP_WAIT_VALUE64",
    "GRAPHCAP_MEM_OP_WRITE_VALUE64",
    "GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW",
    "GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY",
    "GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY",
    "GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP",
    "GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN",
    "GRAPHCAP_SYNCHRONIZATION_POLICY_AUTO",
    "GRAPHCAP_SYNCHRONIZATION_POLICY_SPIN",
    "GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD",
    "GRAPHCAP_SYNCHRONIZATION_POLICY_BLOCKING_SYNC",
    "GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT",
    "GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE",
    "GRAPHCAP_ACCESS_PROPERTY_NORMAL",
    "GRAPHCAP_ACCESS_PROPERTY_STREAMING",
    "GRAPHCAP_ACCESS_PROPERTY_PERSISTING",
    "GRAPHCAP_EVENT_BLOCKING_SYNC",
    "GRAPHCAP_EVENT_DISABLE_TIMING",
    "GRAPHCAP_EVENT_INTERPROCESS",
    "GRAPHCAP_EVENT_RECORD_EXTERNAL",
    "GRAPHCAP_EVENT_WAIT_EXTERNAL",
    "GRAPHCAP_WORK_KERNEL",
    "GRAPHCAP_WORK_MEMCPY",
    "GRAPHCAP_WORK_MEMSET",
    "GRAPHCAP_WORK_HOST",
    "GRAPHCAP_WORK_CHILD_GRAPH",
    "GRAPHCAP_WORK_CONDITIONAL",
    "GRAPHCAP_WORK_EVENT_RECORD",
    "GRAPHCAP_WORK_EVENT_WAIT",
    "GRAPHCAP_WORK_EMPTY",
    "GRAPHCAP_WORK_MEM_OPS",
    "GRAPHCAP_WORK_MEM_ALLOC",
    "GRAPHCAP_WORK_MEM_FREE",
    "GRAPHCAP_WORK_SET_CONDITION",
    "GRAPHCAP_WORK_SGEMM",
    "GRAPHCAP_WORK_FFT_R2C",
    "GRAPHCAP_WORK_FFT_C2R",
    "GRAPHCAP_WORK_RNG_UNIFORM",
    "GRAPHCAP_CAPTURE_DEPENDENCIES_ADD",
    "GRAPHCAP_CAPTURE_DEPENDENCIES_SET",
    "GRAPHCAP_VIOLATION_NONE",
    "GRAPHCAP_VIOLATION_UNSAFE_CALL",
    "GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM",
    "GRAPHCAP_VIOLATION_WHOLE_CONTEXT",
    "GRAPHCAP_VIOLATION_CAPTURED_EVENT",
    "GRAPHCAP_VIOLATION_LEGACY_STREAM",
    "GRAPHCAP_VIOLATION_ISOLATION",
    "GRAPHCAP_VIOLATION_MERGE",
    "GRAPHCAP_VIOLATION_UNMATCHED_END",
    "GRAPHCAP_VIOLATION_UNJOINED",
    "GRAPHCAP_VIOLATION_WRONG_THREAD",
    "GRAPHCAP_VIOLATION_SHAPE",
    "GRAPHCAP_VIOLATION_OUTSIDE",
    "GRAPHCAP_VIOLATION_WORK_OUTSIDE",
    "GRAPHCAP_VIOLATION_LAST_FAILED",
    "GRAPHCAP_VIOLATION_GRAPH_LAUNCH",
    "GRAPHCAP_CAPTURE_STRICT",
    "GRAPHCAP_CAPTURE_NOTE_MEMORY",
    "GRAPHCAP_DOT_VERBOSE",
    "GRAPHCAP_DOT_RUNTIME_TYPES",
    "GRAPHCAP_DOT_KERNEL_NODE_PARAMS",
    "GRAPHCAP_DOT_MEMCPY_NODE_PARAMS",
    "GRAPHCAP_DOT_MEMSET_NODE_PARAMS",
    "GRAPHCAP_DOT_HOST_NODE_PARAMS",
    "GRAPHCAP_DOT_EVENT_NODE_PARAMS",
    "GRAPHCAP_DOT_EXT_SEMAS_SIGNAL_NODE_PARAMS",
    "GRAPHCAP_DOT_EXT_SEMAS_WAIT_NODE_PARAMS",
    "GRAPHCAP_DOT_KERNEL_NODE_ATTRIBUTES",
    "GRAPHCAP_DOT_HANDLES",
    "GRAPHCAP_DOT_MEM_ALLOC_NODE_PARAMS",
    "GRAPHCAP_DOT_MEM_FREE_NODE_PARAMS",
    "GRAPHCAP_DOT_BATCH_MEM_OP_NODE_PARAMS",
    "GRAPHCAP_DOT_EXTRA_TOPO_INFO",
    "GRAPHCAP_DOT_CONDITIONAL_NODE_PARAMS",
    "GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH",
    "GRAPHCAP_INSTANTIATE_UPLOAD",
    "GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH",
    "GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY",
    "GRAPHCAP_INSTANTIATE_WATCH",
    "GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS",
    "GRAPHCAP_INSTANTIATE_SHAPE",
    "GRAPHCAP_NODE_KERNEL",
    "GRAPHCAP_NODE_MEMCPY",
    "GRAPHCAP_NODE_MEMSET",
    "GRAPHCAP_NODE_HOST",
    "GRAPHCAP_NODE_CHILD",
    "GRAPHCAP_NODE_EMPTY",
    "GRAPHCAP_NODE_EVENT_WAIT",
    "GRAPHCAP_NODE_EVENT_RECORD",
    "GRAPHCAP_NODE_MEM_ALLOC",
    "GRAPHCAP_NODE_MEM_FREE",
    "GRAPHCAP_NODE_BATCH_MEM_OP",
    "GRAPHCAP_NODE_CONDITIONAL",
    "GRAPHCAP_NODE_OTHER",
    "GRAPHCAP_ARGUMENTS_UNKNOWN",
    "GRAPHCAP_ARGUMENTS_SEPARATE",
    "GRAPHCAP_ARGUMENTS_PACKED",
    "GRAPHCAP_MEMCPY_DEFAULT",
    "GRAPHCAP_BINDING_BUFFER",
    "GRAPHCAP_BINDING_HOST_BUFFER",
    "GRAPHCAP_BINDING_HOST_MEMORY",
    "GRAPHCAP_BINDING_KERNEL",
    "GRAPHCAP_BINDING_EVENT",
    "GRAPHCAP_BINDING_HOST_FUNCTION",
    "GRAPHCAP_BINDING_GRAPH",
    "GRAPHCAP_BINDING_PROCESS",
    "GRAPHCAP_OWNERSHIP_BORROWED",
    "GRAPHCAP_OWNERSHIP_TAKEN",
    "GRAPHCAP_NODE_WAITS",
    "GRAPHCAP_NODE_READY",
    "GRAPHCAP_NODE_COMPLETED",
    "GRAPHCAP_PORT_DEFAULT",
    "GRAPHCAP_PORT_PROGRAMMATIC",
    "GRAPHCAP_PORT_LAUNCH_ORDER",
    "GRAPHCAP_EDGE_TYPE_DEFAULT",
    "GRAPHCAP_EDGE_TYPE_PROGRAMMATIC",
    "GRAPHCAP_CONDITION_ASSIGN_DEFAULT",
    "GRAPHCAP_CONDITIONAL_IF",
    "GRAPHCAP_CONDITIONAL_WHILE",
    "GRAPHCAP_CONDITIONAL_SWITCH",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_ERROR",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_NODE_TYPE_CHANGED",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_FUNCTION_CHANGED",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_PARAMETERS_CHANGED",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_NOT_SUPPORTED",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_UNSUPPORTED_FUNCTION_CHANGE",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_ATTRIBUTES_CHANGED",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES",
    "GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN",
    "GRAPHCAP_ADDRESS_ARGUMENT",
    "GRAPHCAP_ADDRESS_COPY_DESTINATION",
    "GRAPHCAP_ADDRESS_COPY_SOURCE",
    "GRAPHCAP_ADDRESS_MEMSET",
    "GRAPHCAP_ADDRESS_VALUE",
    "GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET",
    "GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE",
    "GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW",
    "GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES",
    "GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING",
    "GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_SET",
    "GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE",
    "GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_UNCHANGED",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FEW_NODES",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_NODES",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_NOT_KNOWN",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_REFUSED",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ATTRIBUTE",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ONLY_ALLOWED",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED",
    "GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_REPLAYS",
    "GRAPHCAP_GRAPH_CACHE_SHARE_EXECS",
    "GRAPHCAP_GRAPH_CACHE_THREAD_LOCAL",
    "GRAPHCAP_POOL_REUSE_ORDERED",
    "GRAPHCAP_POOL_REUSE_SAME_STREAM",
    "GRAPHCAP_POOL_REUSE_NEVER",
    "GRAPHCAP_POOL_SHARED",
    "GRAPHCAP_SCALAR_I32",
    "GRAPHCAP_SCALAR_U32",
    "GRAPHCAP_SCALAR_I64",
    "GRAPHCAP_SCALAR_U64",
    "GRAPHCAP_SCALAR_F32",
    "GRAPHCAP_SCALAR_F64",
    "GRAPHCAP_RNG_REPEAT",
    "GRAPHCAP_TORCH_STATE_24",
    "GRAPHCAP_TORCH_STATE_32",
    "GRAPHCAP_MATH_FLOAT32",
    "GRAPHCAP_MATH_TF32",
    "GRAPHCAP_FFT_DIRECTION_R2C",
    "GRAPHCAP_FFT_DIRECTION_C2R",
    "GRAPHCAP_ACTOR_COMPLETION_EVENT",
    "GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION",
    "GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE",
    "GRAPHCAP_ACTOR_REFUSE_WHEN_FULL",
    "GRAPHCAP_STATEMENT_EACH_WORD",
    "GRAPHCAP_OPTIMIZE_SHAPE_ONLY",
    "GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS",
    "GRAPHCAP_OPTIMIZE_MEASURE",
    "GRAPHCAP_OPTIMIZE_MEASURE_SINGLE",
    "GRAPHCAP_OPTIMIZE_UNOBSERVED",
    "GRAPHCAP_OPTIMIZE_OBSERVE",
    "GRAPHCAP_OPTIMIZE_CANDIDATES",
    "GRAPHCAP_OPTIMIZE_IN_PLACE",
    "GRAPHCAP_OPTIMIZE_MAX_LANES",
    "GRAPHCAP_OPTIMIZE_EDGES_RECORDED",
    "GRAPHCAP_OPTIMIZE_EDGES_LANES",
    "GRAPHCAP_OPTIMIZE_EDGES_NEEDED",
    "GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL",
    "GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_ARGUMENTS",
    "GRAPHCAP_OPTIMIZE_REASON_UNRESOLVED",
    "GRAPHCAP_OPTIMIZE_REASON_UNSTATED",
    "GRAPHCAP_OPTIMIZE_REASON_SEEN_OUTSIDE",
    "GRAPHCAP_OPTIMIZE_REASON_COOPERATIVE",
    "GRAPHCAP_OPTIMIZE_REASON_NODE_KIND",
    "GRAPHCAP_OPTIMIZE_REASON_EDGE",
    "GRAPHCAP_OPTIMIZE_REASON_CONDITION",
    "GRAPHCAP_OPTIMIZE_REASON_CONFLICT",
    "GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE",
    "GRAPHCAP_VERIFY_TRUST_PARAMETERS",
    "GRAPHCAP_VERIFY_UNOBSERVED",
    "GRAPHCAP_VERIFY_OBSERVE",
    "GRAPHCAP_PERMIT_HOST_FUNCTIONS",
    "GRAPHCAP_PERMIT_EVENTS",
    "GRAPHCAP_PERMIT_VALUES",
    "GRAPHCAP_PERMIT_OTHER_DEVICES",
    "GRAPHCAP_VERIFY_NOTHING",
    "GRAPHCAP_VERIFY_UNDECLARED",
    "GRAPHCAP_VERIFY_BOTH_WRITE",
    "GRAPHCAP_VERIFY_ORDER",
    "GRAPHCAP_VERIFY_LANES",
    "GRAPHCAP_VERIFY_RECORDED",
    "GRAPHCAP_SEVERITY_NOTE",
    "GRAPHCAP_SEVERITY_WARNING",
    "GRAPHCAP_SEVERITY_ERROR",
    "GRAPHCAP_FINDING_MEMORY_GONE",
    "GRAPHCAP_FINDING_MEMORY_EXCHANGED",
    "GRAPHCAP_FINDING_OVERRUN",
    "GRAPHCAP_FINDING_UNORDERED",
    "GRAPHCAP_FINDING_SHARED_WORKSPACE",
    "GRAPHCAP_FINDING_HOST_MEMORY",
    "GRAPHCAP_FINDING_CONDITION_UNSET",
    "GRAPHCAP_FINDING_NOT_FREED",
    "GRAPHCAP_FINDING_EVENT_REUSED",
    "GRAPHCAP_FINDING_UNREAD",
    "GRAPHCAP_FINDING_OVERWRITTEN",
    "GRAPHCAP_STEP_SUMMARIZE",
    "GRAPHCAP_STEP_WATCH_ALL",
    "GRAPHCAP_STEP_SKIP",
    "GRAPHCAP_STEP_KEEP",
    "GRAPHCAP_ELEMENT_BYTES",
    "GRAPHCAP_ELEMENT_F32",
    "GRAPHCAP_ELEMENT_F16",
    "GRAPHCAP_ELEMENT_BF16",
    "GRAPHCAP_ELEMENT_F64",
    "GRAPHCAP_FINDING_NOT_FINITE",
    "GRAPHCAP_FINDING_UNDECLARED",
    "GRAPHCAP_FINDING_DIFFERS",
    "GRAPHCAP_FINDING_NOT_WATCHED",
    "GRAPHCAP_FINDING_UNWRITTEN",
    "GRAPHCAP_MEMORY_SCRATCH",
    "GRAPHCAP_FINDING_MAKES_BAD",
    "GRAPHCAP_FINDING_GOOD_WITHOUT",
    "GRAPHCAP_FINDING_EDGE_MISSING",
    "GRAPHCAP_BISECT_GOOD",
    "GRAPHCAP_BISECT_NODES",
    "GRAPHCAP_BISECT_WITHOUT",
    "GRAPHCAP_BISECT_ORDER",
    "GRAPHCAP_BISECT_UNKNOWN",
]
