/// @file graphcap.h
///
/// graphcap captures GPU work from streams into graphs, keeps alive all that a graph needs, and replays it. Behind this
/// one interface stand two kinds of device: CUDA devices, which are GPUs behind NVIDIA's driver, loaded at run time;
/// and host devices, built into the library, which execute streams, events, captures and graphs on the CPU by the rules
/// and with the statuses of that driver. Where the two differ, the function says so.
///
/// A first program: gc_context_create, gc_module_load, gc_module_get_kernel, gc_buffer_allocate, gc_stream_create,
/// gc_stream_begin_capture, gc_stream_launch_kernel, gc_stream_end_capture, gc_graph_instantiate, and then
/// gc_graph_launch as often as you like.
///
/// @par Contents
/// CONTENTS
///
/// @par Handles
/// Objects are named by pointers to incomplete structs. The pointer is a number that graphcap looks up and never
/// dereferences. A handle that is NULL, destroyed or of another kind, and a pointer that never was a handle, give
/// GRAPHCAP_ERROR_INVALID_HANDLE. Handles are checked before all other arguments. Destroying NULL succeeds.
///
/// @par Statuses
/// A function that can fail returns a gc_status: GRAPHCAP_SUCCESS (0) or the reason. Positive numbers are the CUDA
/// driver's own, on every device; negative ones are graphcap's. On success the call did what its description begins
/// with, and wrote all outputs. Each function lists the statuses that are particular to it, and of a status the causes
/// that its parameters do not show. Functions that destroy a handle return GRAPHCAP_SUCCESS,
/// GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_FORKED or GRAPHCAP_ERROR_PANIC and nothing else. Every other function
/// that returns a status can also return, without listing it
/// - GRAPHCAP_ERROR_INVALID_HANDLE, if a handle, or one in a struct among the arguments, is not a live handle of its
///   kind;
/// - GRAPHCAP_ERROR_INVALID_VALUE, if an argument, or a member of a struct, is not what its description allows: a
///   pointer is NULL, see "Pointers"; a number, a flag or a mode is unknown; a number is out of range, or 0 where it
///   says not 0; a range leaves its buffer; an address is not aligned; a text is not UTF-8; a node is none of the
///   graph, or of another kind; a reserved member is not 0; the struct_size of a struct is not valid. Also if a graph
///   was lost, because a capture into it failed;
/// - GRAPHCAP_ERROR_BUFFER_TOO_SMALL for a text or an array, see "Outputs";
/// - GRAPHCAP_ERROR_INVALID_CONTEXT, if its objects belong to different contexts, or to devices of different kinds,
///   where the function does not say that they may;
/// - GRAPHCAP_ERROR_NOT_SUPPORTED, if the device or its driver cannot do it;
/// - of a launch, and of a kernel node: GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE,
///   GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE and GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES, for example too few
///   registers for so many threads in a block;
/// - of a stream or a capture: GRAPHCAP_ERROR_CAPTURE_INVALIDATED, if an earlier call broke the capture; and
///   GRAPHCAP_ERROR_CAPTURE_IMPLICIT, if the stream is the legacy stream and a blocking stream is being captured. That
///   capture is then invalidated. It goes on after functions of scalars and generators, gc_stream_is_capturing(),
///   gc_stream_capture_status(), gc_stream_capture_info(), gc_stream_capture_frontier(), gc_stream_capture_graph(),
///   gc_stream_export_capture_dot(), gc_stream_update_capture_dependencies() and gc_stream_set_condition(), and where a
///   function says so;
/// - GRAPHCAP_ERROR_OUT_OF_MEMORY, if memory, addresses, threads or descriptors do not suffice, or the capacity of a
///   pool;
/// - GRAPHCAP_ERROR_NOT_PERMITTED inside a callback, see "Callbacks";
/// - GRAPHCAP_ERROR_FORKED in a forked child;
/// - GRAPHCAP_ERROR_STALE for an object that is older than the last gc_context_reset() of its context;
/// - GRAPHCAP_ERROR_CALLBACK, if a function of the program's that the call runs is written in Rust and panics;
/// - GRAPHCAP_ERROR_PANIC, if graphcap itself fails. After that the objects of the call return this status too, and can
///   only be destroyed;
/// - the status of a fault, once work of the context has faulted: all later calls on the context return it.
///
/// On a host device the status of a fault is GRAPHCAP_ERROR_ILLEGAL_ADDRESS or GRAPHCAP_ERROR_LAUNCH_FAILED, or
/// GRAPHCAP_ERROR_CALLBACK where host code called gc_host_fail(), and only the context of the fault is beyond use,
/// until gc_context_reset() begins it anew. On a CUDA device it is what the driver returns, for example one of these
/// two, and the fault is final for the process: no CUDA context can be used or made any more, and no reset mends that.
/// Host devices go on.
///
/// Compilers warn when a program ignores a status. GRAPHCAP_NODISCARD marks the functions that return one; it is
/// [[nodiscard]] in C++17 and C23, and warn_unused_result in GCC and Clang otherwise. Not marked are the functions that
/// destroy a handle, gc_host_fail(), and gc_last_error_message(). The last one leaves a text that ends with a NUL,
/// whatever it returns, if text is not NULL and capacity is not 0.
///
/// graphcap passes on what NVIDIA's driver returns. On a CUDA device a call may therefore return a number that this
/// header does not have. The message holds the driver's name for it. A call that the driver is too old for returns
/// GRAPHCAP_ERROR_NOT_SUPPORTED, and the message names the version of CUDA that has the function.
///
/// @par Memory
/// A call returns GRAPHCAP_ERROR_OUT_OF_MEMORY if it cannot allocate memory whose size the caller decides: buffers and
/// snapshots; copies of images, arguments, operations and other arrays; and the lists that a graph of many nodes needs
/// when it is instantiated, listed or written as text. If any other allocation of graphcap's fails, the process ends as
/// by abort(), as Rust programs do. Most of these allocations are small.
///
/// @par Messages
/// gc_last_error_message() tells what went wrong in the last failed call of the calling thread: in which function, why,
/// and what to do. A call that succeeds does not change the message.
///
/// @par Pointers
/// A pointer must not be NULL unless its description says that it may be. user_data and destroy may. An array, a text
/// and other memory may be NULL when its count, capacity or size is 0, and needed when the capacity is not 0. NULL as
/// options stands for the defaults, unless the function says otherwise. What a call takes by a pointer to const it
/// reads within the call: the caller may change it when the call returns. Memory that work copies from is read when the
/// work runs.
///
/// @par Outputs
/// Outputs come last. When a call fails, outputs that are not NULL hold NULL, 0 or the empty text. The place of a
/// number or handle may hold an input of the same call, such as the node that a new one waits for. A text is copied
/// into memory of the caller's: text, capacity in bytes, and needed, which is set to the size of the whole text with
/// its NUL. A capacity of 0 asks only for the size. A text that does not fit is cut, ends with a NUL, and gives
/// GRAPHCAP_ERROR_BUFFER_TOO_SMALL. Texts are UTF-8. Arrays are copied in the same way: capacity and needed then count
/// elements. If an array does not fit, its first elements are written.
///
/// @par Structs
/// The first member of a struct that the caller fills is struct_size, its sizeof. Start from the INIT macro of the
/// struct, which sets it, and change what you need. Reserved members are 0. 0 is the default of every option, also of
/// options that are added later: a struct of zeros but for struct_size is valid wherever all members are options.
/// Members that describe the work have no default: such are the grid and the block of a launch, a kind, a function, an
/// element_size, an alpha, and the height and the depth of a copy. INIT macros set a grid, a block, a height and a
/// depth to 1.
///
/// The elements of an array state one struct_size, the distance from one to the next.
///
/// A program that was compiled with an older header goes on to work with a newer library. The caller also sets the
/// struct_size of a struct that the library fills. The library writes no more bytes than that, and sets members that it
/// does not know to 0.
///
/// @par Ownership
/// "Owned by the caller until X": the caller passes the handle to X once. A handle that a function gives is owned by
/// the caller until the destroy function of its type, gc_<type>_destroy(), where nothing else is said. Destroying makes
/// the handle dead at once. The object lives as long as anything uses it: children keep their parents alive, a graph
/// and the graph execs made from it keep alive the buffers, modules and callbacks that they use, and so does submitted
/// work. Any order of destruction is legal, also while work runs. A graph captured with a pool keeps the pool, and a
/// pool keeps what was added to it until it is cleared, or nothing uses it any more. "Copied": the caller may free or
/// change the original when the call returns. Plain host memory that a copy uses is not kept alive: a capture records
/// the pointer as it is, and each replay reads or writes the memory. A gc_host_buffer is kept alive, and so are the
/// saved bytes of a source with GRAPHCAP_MEMCPY_SNAPSHOT.
///
/// @par What ends at once
/// A call that destroys a handle does not wait for work. The object ends when nothing uses it any more, within the call
/// or later, on a thread of graphcap's. The following end within the call, also while other threads make calls:
/// - on a host device, a host buffer and a buffer of gc_buffer_wrap() that no graph, graph exec, pool or unfinished
///   work uses. The memory is then freed or unpinned, and its destroy function has been called;
/// - a stream of gc_stream_wrap(): graphcap does not use the stream any more;
/// - a capture that was begun on a destroyed stream, or that is owned by a destroyed gc_capture: it is discarded;
/// - an actor: it is closed.
///
/// These calls wait until the calls that other threads are in have returned; for memory, 1 second at most. In a
/// callback they do not wait. A destroy function may run within the call that destroys: a program that holds a mutex
/// over that call, and takes the same mutex in the destroy function, waits for itself for ever. docs/threads.md tells
/// when all other objects end.
///
/// @par Callbacks
/// A callback is a function, the user_data that is passed to it, and a destroy function for the user_data. graphcap
/// calls destroy exactly once, when it will not use user_data any more, even if the call that took the callback fails.
/// The process may end before that; see "The end of the process". destroy may be called on any thread. graphcap holds
/// no lock while a callback runs. No function that graphcap calls may leave by longjmp(), and an exception that leaves
/// it ends the process; graphcap.hpp catches exceptions.
///
/// Host functions and host kernels run on threads of graphcap's or of the driver's, and so do most destroy functions.
/// There a call that makes, submits, changes or waits for something gives GRAPHCAP_ERROR_NOT_PERMITTED, whether the
/// function lists it or not. A question that a driver may have to answer gives it too. Handles may be destroyed there.
/// Also allowed are functions that return no status, and these functions: gc_buffer_address, gc_buffer_size,
/// gc_callback_set_message, gc_capture_recorded_count, gc_context_get_info, gc_context_device_name, gc_event_id,
/// gc_future_poll, gc_get_name, gc_graph_cache_get_stats, gc_graph_exec_get_info, gc_graph_exec_is_uploaded,
/// gc_graph_exec_num_replays, gc_host_fail, gc_host_buffer_device_address, gc_host_buffer_pointer, gc_host_buffer_size,
/// gc_host_check_range, gc_host_set_conditional, gc_kernel_name, gc_kernel_parameter_count, gc_kernel_parameter_size,
/// gc_last_error_message, gc_memory_block_begin, gc_memory_block_end, gc_object_native (of a context, an event, a
/// module and a kernel), gc_pool_buffer_count, gc_pool_id, gc_pool_is_sealed, gc_record_context_stream,
/// gc_rng_subsequence, gc_scalar_address, gc_scalar_type, gc_stream_capture_violation, gc_stream_id, gc_trace_mark.
/// Host functions and destroy functions may call only the functions named here, and make no CUDA calls.
/// gc_host_set_conditional() and gc_host_fail() are for host functions and host kernels: a destroy function must not
/// call them. A host kernel may call only gc_host_check_range(), gc_host_fail() and gc_host_set_conditional().
///
/// @par Threads
/// Any function may be called from any thread, with any objects, at the same time. Calls on one graph wait for each
/// other. Launches of one graph exec run one after another, in the order of the calls, even on different streams;
/// gc_graph_launch() does not wait for the previous launch to run. Exceptions are stated at the function. While a call
/// reads through a pointer, no other thread may change what is there.
///
/// A thread may also make calls while it ends, in destructors of thread-specific data.
///
/// Callbacks and host kernels run in the default floating-point environment: they round to nearest, keep denormal
/// numbers, and trap no exceptions. A host kernel has at least 256 KiB of stack. Threads of graphcap's have 8 MiB, and
/// block the signals that are sent to the process. docs/threads.md has the rules: stacks, signals, floating point, and
/// functions that end their thread.
///
/// @par Asynchrony
/// Functions that take a stream return when their work is queued. Kernels, copies, memsets and host functions run
/// later, in the stream's order; wait with gc_stream_synchronize(), gc_event_synchronize() or gc_context_synchronize().
/// On a CUDA device a call that copies from or to pageable host memory (of malloc(), of the stack) may return only when
/// the copy has run, and so has the work before it. A call that copies from or to a gc_host_buffer, or memory that is
/// pinned through CUDA, does not wait. gc_context_memcpy() and gc_context_memset() return when they are done.
///
/// @par The end of the process
/// If all handles are destroyed, exit() waits until graphcap's threads have ended, for 5 seconds at most. It does not
/// wait while handles are left, nor in a host function. On a host device every destroy function has run then, and a
/// leak checker finds nothing. On a CUDA device the process may end before some destroy functions are called;
/// docs/threads.md says which. A program that needs such a call waits for it before it ends.
///
/// @par Fork
/// After a fork only the parent can use graphcap. In the child all functions that return a status return
/// GRAPHCAP_ERROR_FORKED, except for gc_last_error_message(). A child may leave by exit(); a child of a process that
/// uses CUDA should leave by _exit(), because NVIDIA's driver was seen to crash in exit() there. A child that calls
/// exec is not affected.
