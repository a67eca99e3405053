/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from src/ffi of graphcap by `make header`. Do not edit. */
#ifndef GRAPHCAP_H
#define GRAPHCAP_H

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
/// - @ref graphcap_errors "Errors and versions"
/// - @ref graphcap_observing "The log and the trace"
/// - @ref graphcap_handles "Handles"
/// - @ref graphcap_contexts "Devices and contexts"
/// - @ref graphcap_buffers "Memory"
/// - @ref graphcap_modules "Modules and kernels"
/// - @ref graphcap_streams "Streams and their work"
/// - @ref graphcap_events "Events"
/// - @ref graphcap_work "Work as data"
/// - @ref graphcap_capture "Capture"
/// - @ref graphcap_graph "Graphs"
/// - @ref graphcap_exec "Graph execs"
/// - @ref graphcap_building "Building graphs"
/// - @ref graphcap_editing "Editing graphs"
/// - @ref graphcap_update "Updating graph execs"
/// - @ref graphcap_cache "Graph caches"
/// - @ref graphcap_pools "Pools"
/// - @ref graphcap_scalars "Scalars and random numbers"
/// - @ref graphcap_ops "Ops and scripts"
/// - @ref graphcap_actors "Actors and futures"
/// - @ref graphcap_optimising "Optimising and verifying"
/// - @ref graphcap_natives "Native handles"
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

#include <stddef.h>
#include <stdint.h>

/// Major number of the version of this header. gc_version() returns the version of the library.
#define GRAPHCAP_VERSION_MAJOR 0
/// Minor number.
#define GRAPHCAP_VERSION_MINOR 1
/// Patch number.
#define GRAPHCAP_VERSION_PATCH 0
/// major * 10000 + minor * 100 + patch, as gc_version() tells it.
#define GRAPHCAP_VERSION_NUMBER 100
/// The version as text.
#define GRAPHCAP_VERSION_STRING "0.1.0"

/// Marks the functions whose status a program must not ignore. A program that defines it as empty before it includes
/// this header may ignore any status.
#ifndef GRAPHCAP_NODISCARD
#if defined(__cplusplus) && __cplusplus >= 201703L
#define GRAPHCAP_NODISCARD [[nodiscard]]
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L
#define GRAPHCAP_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define GRAPHCAP_NODISCARD __attribute__((__warn_unused_result__))
#else
#define GRAPHCAP_NODISCARD
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Structs that are described where they belong. */
/// See struct gc_launch_config.
typedef struct gc_launch_config gc_launch_config;
/// See struct gc_edge_data.
typedef struct gc_edge_data gc_edge_data;
/// See struct gc_rng_uniform_params.
typedef struct gc_rng_uniform_params gc_rng_uniform_params;
/// See struct gc_sgemm_params.
typedef struct gc_sgemm_params gc_sgemm_params;
/// See struct gc_fft_params.
typedef struct gc_fft_params gc_fft_params;

/// @defgroup graphcap_errors Errors and versions
///
/// A call that fails returns a status and leaves a message for its thread. The number tells a program what to do; the
/// message tells a person what went wrong, in which function, with which objects, and what to do about it.
/// gc_status_name() and gc_status_description() explain a number.
///
/// A program checks each status, and asks gc_last_error_message() before the next call of the thread fails.
/// gc_live_handles() tells at the end of a program whether it forgot to destroy something. gc_version() tells the
/// version of the library, GRAPHCAP_VERSION_NUMBER that of this header.
///
/// @{

/// The result of a call: GRAPHCAP_SUCCESS, or the reason why it failed.
///
/// Positive numbers are the CUDA driver's own, on every device; negative ones are graphcap's. A later version, or
/// NVIDIA's driver behind a CUDA device, may return numbers that this header does not have.
typedef int32_t gc_status;

/// The call did what it says.
#define GRAPHCAP_SUCCESS 0
/// An argument is NULL, out of range or inconsistent with another.
#define GRAPHCAP_ERROR_INVALID_VALUE 1
/// The device or the host has not enough memory.
#define GRAPHCAP_ERROR_OUT_OF_MEMORY 2
/// The driver could not be initialised.
#define GRAPHCAP_ERROR_NOT_INITIALIZED 3
/// The driver library that was loaded is a stub without a driver behind it.
#define GRAPHCAP_ERROR_STUB_LIBRARY 34
/// There is no device of the kind asked for.
#define GRAPHCAP_ERROR_NO_DEVICE 100
/// The device ordinal is not below the number of devices.
#define GRAPHCAP_ERROR_INVALID_DEVICE 101
/// The module image is damaged or of no known kind.
#define GRAPHCAP_ERROR_INVALID_IMAGE 200
/// The context is not valid, or objects of different contexts were mixed.
#define GRAPHCAP_ERROR_INVALID_CONTEXT 201
/// The module holds no code for this device.
#define GRAPHCAP_ERROR_NO_BINARY_FOR_GPU 209
/// The PTX of the module could not be compiled.
#define GRAPHCAP_ERROR_INVALID_PTX 218
/// The PTX of the module is newer than the driver.
#define GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION 222
/// A handle is NULL, destroyed, of another kind, or was never one.
#define GRAPHCAP_ERROR_INVALID_HANDLE 400
/// The object is in a state in which the call is not allowed.
#define GRAPHCAP_ERROR_ILLEGAL_STATE 401
/// The answer has no room for what edges carry; ask the call that gives edge data.
#define GRAPHCAP_ERROR_LOSSY_QUERY 402
/// Nothing of that name or number exists.
#define GRAPHCAP_ERROR_NOT_FOUND 500
/// The work asked about has not completed yet.
#define GRAPHCAP_ERROR_NOT_READY 600
/// A kernel faulted; the context can run nothing any more.
#define GRAPHCAP_ERROR_ILLEGAL_ADDRESS 700
/// A launch needs more than the device has.
#define GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES 701
/// The host memory is pinned already, in part at least.
#define GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED 712
/// Work failed while it ran; the context can run nothing any more.
#define GRAPHCAP_ERROR_LAUNCH_FAILED 719
/// A cooperative launch has more blocks than the device runs at once.
#define GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE 720
/// The call is not allowed here, for example inside a callback.
#define GRAPHCAP_ERROR_NOT_PERMITTED 800
/// The device or its driver does not offer this.
#define GRAPHCAP_ERROR_NOT_SUPPORTED 801
/// The call is not allowed while a stream is being captured.
#define GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED 900
/// An earlier call broke the capture.
#define GRAPHCAP_ERROR_CAPTURE_INVALIDATED 901
/// The call would have merged two captures.
#define GRAPHCAP_ERROR_CAPTURE_MERGE 902
/// The capture was not begun on this stream.
#define GRAPHCAP_ERROR_CAPTURE_UNMATCHED 903
/// Work of a forked stream was not joined to the stream that began the capture.
#define GRAPHCAP_ERROR_CAPTURE_UNJOINED 904
/// A capture would have depended on work from outside it.
#define GRAPHCAP_ERROR_CAPTURE_ISOLATION 905
/// The call would have depended on a capture through the legacy stream.
#define GRAPHCAP_ERROR_CAPTURE_IMPLICIT 906
/// The event was last recorded in a capture, which has no completion to ask about.
#define GRAPHCAP_ERROR_CAPTURED_EVENT 907
/// The capture was ended by a thread other than the one that began it.
#define GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD 908
/// The time allowed has passed.
#define GRAPHCAP_ERROR_TIMEOUT 909
/// The graph exec cannot be updated to this graph; it is unchanged.
#define GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE 910
/// A cluster has too many blocks, or does not divide the grid.
#define GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE 912
/// The driver failed without saying why.
#define GRAPHCAP_ERROR_UNKNOWN 999
/// The object is older than the last reset of its context.
#define GRAPHCAP_ERROR_STALE -1
/// The pool is sealed.
#define GRAPHCAP_ERROR_SEALED -2
/// Another thread, a graph or an earlier call is using the object.
#define GRAPHCAP_ERROR_BUSY -3
/// graphcap failed internally; the object can no longer be used.
#define GRAPHCAP_ERROR_PANIC -4
/// A callback of the caller reported a failure.
#define GRAPHCAP_ERROR_CALLBACK -5
/// The memory offered for the answer is too small; the size needed was written.
#define GRAPHCAP_ERROR_BUFFER_TOO_SMALL -6
/// A library could not be loaded or lacks what is needed.
#define GRAPHCAP_ERROR_LIBRARY -7
/// The process was forked after graphcap was first used; only the parent can use it.
#define GRAPHCAP_ERROR_FORKED -8
/// The actor was closed before it came to the message.
#define GRAPHCAP_ERROR_CANCELLED -9

/// A function that a stream runs on the CPU, see gc_stream_launch_host_func().
///
/// It runs on a thread of graphcap's or of the driver's, once per launch, and may block. It may call only the gc_
/// functions that the general section on callbacks allows, and no CUDA functions. A recorded host function may run on
/// several threads at once, because launches of different graph execs do not wait for each other. A host function must
/// not wait for another one: a CUDA device may run them one at a time. It fails by gc_host_fail().
typedef void (*gc_host_fn)(void *user_data);

/// Releases what the user data of a callback holds. graphcap calls it exactly once, on any thread, when it will not use
/// the user data any more. It is called even if the call that took the callback fails. It may be called within the call
/// that destroys the object; see "What ends at once".
///
/// It may call what a gc_host_fn may call.
typedef void (*gc_destroy_fn)(void *user_data);

/// Returns the version of the loaded library.
///
/// Compare it with GRAPHCAP_VERSION_NUMBER, which is the version of the header.
///
/// @return major * 10000 + minor * 100 + patch. Never fails, not even in a forked child.
uint32_t gc_version(void);

/// Returns the version of the loaded library, as text such as "0.1.0".
///
/// @return a static text, never NULL. Never fails, not even in a forked child.
const char *gc_version_string(void);

/// Returns the name of a status, such as "GRAPHCAP_ERROR_INVALID_VALUE". CUDA: cuGetErrorName.
///
/// @param[in] status  any number
/// @return a static text, never NULL; "GRAPHCAP_ERROR_UNRECOGNIZED" for a number that this version does not have. Never
///     fails, not even in a forked child.
const char *gc_status_name(gc_status status);

/// Returns a sentence that says what a status means. gc_last_error_message() says what happened in a particular call.
/// CUDA: cuGetErrorString.
///
/// @param[in] status  any number
/// @return a static text, never NULL. Never fails, not even in a forked child.
const char *gc_status_description(gc_status status);

/// Copies the message of the last failed call of the calling thread: which function failed, why, and what to do.
///
/// A call that succeeds does not change the message. This function does not change it either, even when it fails. The
/// text is empty while no call of the thread has failed. Works in a forked child too.
///
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL the text was cut to fit, between two characters
gc_status gc_last_error_message(char *text, size_t capacity, size_t *needed);

/// Returns the number of handles of all kinds in the process that are not yet destroyed. For leak tests; handles that
/// callbacks get for the time of their call do not count.
///
/// @return the count. Never fails, not even in a forked child.
uint64_t gc_live_handles(void);

/// @}

/// @defgroup graphcap_observing The log and the trace
///
/// GRAPHCAP_LOG=level[,subject...] in the environment writes messages to standard error: error, warning, info or debug;
/// context, library, capture, exec, pool, fallback, call. A program takes them by gc_log_set_callback().
/// GRAPHCAP_TRACE=file has a trace written as gc_trace_start() does.
///
/// @{

/// The importance of a message: one of the GRAPHCAP_LOG_LEVEL_ numbers.
typedef int32_t gc_log_level;

/// No messages.
#define GRAPHCAP_LOG_LEVEL_OFF 0
/// A context faulted, or graphcap failed internally.
#define GRAPHCAP_LOG_LEVEL_ERROR 1
/// A capture was broken.
#define GRAPHCAP_LOG_LEVEL_WARNING 2
/// All else that happens seldom.
#define GRAPHCAP_LOG_LEVEL_INFO 3
/// Each call that failed, with its message.
#define GRAPHCAP_LOG_LEVEL_DEBUG 4
/// Contexts that were opened or faulted.
#define GRAPHCAP_LOG_CONTEXT 1
/// Libraries that were found or not found.
#define GRAPHCAP_LOG_LIBRARY 2
/// Captures that were broken, as gc_stream_capture_violation() tells it.
#define GRAPHCAP_LOG_CAPTURE 4
/// Graph execs that were made anew, and the reason; findings about their graphs that GRAPHCAP_CHECK=1 asks for.
#define GRAPHCAP_LOG_EXEC 8
/// Pools that grew.
#define GRAPHCAP_LOG_POOL 16
/// Another way that was taken because the first one was missing.
#define GRAPHCAP_LOG_FALLBACK 32
/// Calls that failed.
#define GRAPHCAP_LOG_CALL 64

/// Takes a message of the log, with the thread that made it (the operating system's number), the time by
/// CLOCK_MONOTONIC, and how many messages were dropped before it. It is called at the end of a gc_ call, on any thread,
/// perhaps on several at once. It may call gc_ functions, whose messages are dropped.
typedef void (*gc_log_fn)(gc_log_level level, uint32_t subject, const char *text, uint64_t thread, uint64_t time_ns,
    uint64_t dropped, void *user_data);

/// Makes a function take the messages of the log instead of the one before. Messages of threads that run work come at
/// the end of the next call of another thread.
///
/// @param[in] level     the least important level; GRAPHCAP_LOG_LEVEL_OFF ends it
/// @param[in] subjects  GRAPHCAP_LOG_ bits; 0 for all
/// @param[in] function  the function; may be NULL for GRAPHCAP_LOG_LEVEL_OFF
/// @param[in] destroy   called when function is not called any more, also when this call fails; may be NULL
GRAPHCAP_NODISCARD gc_status gc_log_set_callback(gc_log_level level, uint32_t subjects, gc_log_fn function,
    void *user_data, gc_destroy_fn destroy);

/// Begins a trace of what devices run and of calls, in a file. A file that is there is removed first. docs/tracing.md
/// tells what is in it. If a context of a CUDA device is open, the call waits for the work of the device, as CUPTI does
/// where it is subscribed to.
///
/// @param[in] path   the file, UTF-8
/// @param[in] limit  the most bytes of the file; 0 for 1 GiB. Records that find no room are dropped
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE a trace goes on
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the file cannot be made
GRAPHCAP_NODISCARD gc_status gc_trace_start(const char *path, uint64_t limit);

/// Ends the trace. The file is whole when the call returns.
///
/// @param[out] dropped_out  how many records found no room; may be NULL
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE no trace goes on
GRAPHCAP_NODISCARD gc_status gc_trace_stop(uint64_t *dropped_out);

/// Adds a mark to the trace, on the line of the calling thread. Does nothing while no trace goes on.
///
/// @retval GRAPHCAP_ERROR_INVALID_VALUE name is NULL or not UTF-8
GRAPHCAP_NODISCARD gc_status gc_trace_mark(const char *name);

/// @}

/// @defgroup graphcap_handles Handles
///
/// The types of all objects. A function that makes an object gives a handle, which the caller destroys when it is not
/// needed any more; the object itself lives as long as anything uses it.
///
/// @{

/// An open device, with its default streams.
///
/// Every other object belongs to a context and keeps the context alive. The handle of a context can be destroyed before
/// the objects.
typedef struct gc_context gc_context;

/// A queue of work on a device. Its work runs in the order of the calls and asynchronously to the caller.
///
/// While a stream is captured its work is not run but recorded into a graph.
typedef struct gc_stream gc_stream;

/// A point in a stream that other streams and the CPU can wait for.
typedef struct gc_event gc_event;

/// Device memory. A graph that uses a buffer keeps it alive, and so do the graph execs made from it.
typedef struct gc_buffer gc_buffer;

/// Pinned host memory. The CPU uses it as any other memory. The device reaches it directly, so that copies from and to
/// it are fast and never block their caller. A graph that uses a host buffer keeps it alive, and so do the graph execs
/// made from it.
typedef struct gc_host_buffer gc_host_buffer;

/// A typed value in device memory, which streams update between replays. A graph that uses a scalar keeps it alive, and
/// so do the graph execs made from it.
typedef struct gc_scalar gc_scalar;

/// A generator of random numbers, whose state is in device memory. A graph that draws from it keeps that memory alive,
/// and so do the graph execs made from it.
typedef struct gc_rng gc_rng;

/// A plan of Fourier transforms. A graph that uses a plan keeps it alive, and so do the graph execs made from it.
typedef struct gc_fft_plan gc_fft_plan;

/// Loaded code. A graph that uses a kernel keeps its module alive, and so do the graph execs made from it.
typedef struct gc_module gc_module;

/// A kernel of a module. It keeps the module alive.
typedef struct gc_kernel gc_kernel;

/// A graph: nodes of work and the edges that order them. It keeps alive all that its nodes use.
///
/// Calls on one graph wait for each other.
typedef struct gc_graph gc_graph;

/// An executable graph. It keeps alive all that its nodes use.
///
/// Calls on one graph exec wait for each other. Its launches run one after another, in the order of the calls, even on
/// different streams. gc_graph_launch() does not wait for the previous launch to run.
typedef struct gc_graph_exec gc_graph_exec;

/// Objects and memory that graphs share. A capture that was begun with a pool keeps it, and so do its graph, the graph
/// execs made of that and their launches. So the pool's objects, which go together with it, outlive the last replay.
///
/// A second handle of a pool has another value. Each of them is destroyed by itself.
typedef struct gc_pool gc_pool;

/// A cache of graph execs: it maps keys of the caller's to work, has a function record what it does not have, and
/// launches.
///
/// Any thread may launch through it; launches of different keys go on beside each other. The graph execs stay within
/// the cache, since one that keys share does the work of another key a moment later. It keeps alive all that its graph
/// execs use.
typedef struct gc_graph_cache gc_graph_cache;

/// Result of gc_graph_optimize(), to be made of later graphs that are recorded alike. It keeps alive nothing of the
/// graph.
typedef struct gc_plan gc_plan;

/// A list of ops, which is recorded as a graph or submitted to a stream. It keeps alive all that its ops use.
///
/// Any thread may use it, also while another thread records it.
typedef struct gc_script gc_script;

/// The place where an op of the caller's records itself, while its function runs. Its handle is dead when the function
/// returns.
typedef struct gc_record_context gc_record_context;

/// One thread that owns a stream, and records, launches and updates graph execs by message.
///
/// Any thread may use it. What it answers comes by futures.
typedef struct gc_actor gc_actor;

/// The answer of an actor to one message, which comes later.
///
/// Any thread may use it, also several at the same time. Asking again gives the same answer.
typedef struct gc_future gc_future;

/// A capture of a stream that an object owns. The object ends or aborts the capture exactly once.
///
/// It is an ordinary capture: the stream records whatever is submitted to it, through this object or directly, and
/// other streams join it through events. The object is the owner of the capture: destroying the object ends the
/// capture. It ends no later capture of the stream.
///
/// Only one thread at a time may record, end or abort through one object. A second thread gets GRAPHCAP_ERROR_BUSY, and
/// may call again. gc_capture_recorded_count() and gc_capture_is_active() never wait, and never answer
/// GRAPHCAP_ERROR_BUSY. Only the thread that began a capture of the per-thread stream can use it. Other threads get
/// GRAPHCAP_ERROR_NOT_PERMITTED. Once the capture is over, calls that record return GRAPHCAP_ERROR_ILLEGAL_STATE.
typedef struct gc_capture gc_capture;

/// A number that names a node of a graph; 0 names no node. A name need not be destroyed. It is valid from the moment
/// that the node is recorded, through the end of the capture, until the node is removed or the last handle of the graph
/// is destroyed. It is never used again for another node. Functions return GRAPHCAP_ERROR_INVALID_VALUE for a number
/// that names no node of the graph in question. gc_node_native() returns the CUgraphNode on a CUDA device.
typedef uint64_t gc_node;

/// A number that names a condition: a value of 32 bits that decides about the bodies of one conditional node. A
/// condition need not be destroyed; it goes with its graph. Kernels that set it take the number as an argument.
typedef uint64_t gc_condition;

/// @}

/// @defgroup graphcap_contexts Devices and contexts
///
/// A context is one use of a device. All other objects belong to a context, and keep it alive. A context of a GPU is
/// the primary context of the device, which the CUDA runtime, PyTorch and others use too; a context of a host device is
/// made of threads of the process.
///
/// gc_context_create() with NULL takes a GPU if there is one, and else the host device; GRAPHCAP_DEVICE in the
/// environment decides otherwise. What needs a GPU gives GRAPHCAP_ERROR_LIBRARY where NVIDIA's driver cannot be loaded,
/// GRAPHCAP_ERROR_STUB_LIBRARY where that is the toolkit's stub, GRAPHCAP_ERROR_NOT_SUPPORTED where it is of CUDA
/// before 12.0, GRAPHCAP_ERROR_NOT_INITIALIZED or GRAPHCAP_ERROR_NO_DEVICE. An ordinal that no device has gives
/// GRAPHCAP_ERROR_INVALID_DEVICE. gc_context_reset() begins a context anew after a fault on a host device. Objects can
/// have names, which messages and texts of graphs then use.
///
/// @{

/// A kind of device: one of the GRAPHCAP_DEVICE_ numbers.
typedef int32_t gc_device_kind;

/// The kind that the environment variable GRAPHCAP_DEVICE names: auto, cuda or host. With auto, or without the
/// variable, it is CUDA if its driver works and finds a GPU, else the host device. gc_device_auto_reason() tells which
/// kind it is, and why.
#define GRAPHCAP_DEVICE_AUTO 0

/// A GPU through NVIDIA's driver.
#define GRAPHCAP_DEVICE_CUDA 1
/// The device built into the library, which executes on the CPU.
#define GRAPHCAP_DEVICE_HOST 2

/// gc_context_options::flags: graphcap refuses a call on the context's objects that would harm an open capture, and the
/// capture goes on.
///
/// A refused call returns the status that the driver would have returned, but the driver does not see the call. This
/// protects all captures that were begun through graphcap, in this or in another context. Refused are: unsafe calls;
/// waits for, and queries of, capturing streams and captured events; work on the legacy stream; waits that would merge
/// captures or depend on outside work; launches of impossible shapes; and ends that would discard the capture, which
/// are ends on a joined stream, by the wrong thread, or with unjoined work. A call that exists to discard a capture
/// still does: destroying the stream that the capture was begun on, gc_capture_abort(), gc_capture_destroy(), and
/// gc_stream_capture(), whose capture ends in any case. While no capture is open, the flag costs next to nothing.
///
/// The check is exact for what graphcap made. docs/capture.md lists what is left to the driver, and can harm a capture
/// as it does without this flag: what others do without graphcap, and what graphcap cannot follow.
#define GRAPHCAP_CONTEXT_GUARDED 1

/// gc_context_options::flags: every capture of a stream of the context is strict, as with GRAPHCAP_CAPTURE_STRICT. This
/// holds for gc_stream_begin_capture(), for the recordings of graph caches and scripts, and for work that graphcap
/// records into captures that others began; work outside of those is not counted.
#define GRAPHCAP_CONTEXT_STRICT 2

/// Options of a new context. With all members 0 it is on a device of the kind that GRAPHCAP_DEVICE_AUTO finds.
typedef struct gc_context_options {
    /// sizeof(gc_context_options).
    uint32_t struct_size;
    /// One of the GRAPHCAP_DEVICE_ numbers.
    gc_device_kind device_kind;
    /// Number of the device among those of its kind, from 0.
    uint32_t device_ordinal;
    /// A combination of GRAPHCAP_CONTEXT_GUARDED and GRAPHCAP_CONTEXT_STRICT, or 0.
    uint32_t flags;
} gc_context_options;
/// Initialiser of a gc_context_options: the defaults.
#define GRAPHCAP_CONTEXT_OPTIONS_INIT {(uint32_t)sizeof(gc_context_options), 0, 0, 0}

/// Facts about a context. Start from GRAPHCAP_CONTEXT_INFO_INIT.
typedef struct gc_context_info {
    /// sizeof(gc_context_info). Set it before the call.
    uint32_t struct_size;
    /// The kind of the device: GRAPHCAP_DEVICE_HOST or GRAPHCAP_DEVICE_CUDA.
    gc_device_kind device_kind;
    /// The number of the device among those of its kind: gc_context_options::device_ordinal.
    uint32_t device_ordinal;
    /// 0.
    uint32_t reserved;
    /// 1, and 1 more after each gc_context_reset().
    uint64_t generation;
} gc_context_info;
/// Initialiser of a gc_context_info: empty.
#define GRAPHCAP_CONTEXT_INFO_INIT {(uint32_t)sizeof(gc_context_info), 0, 0, 0, 0}

/// gc_context_memory_report(): lines for people.
#define GRAPHCAP_MEMORY_REPORT_TEXT 0
/// gc_context_memory_report(): JSON, which docs/memory.md describes.
#define GRAPHCAP_MEMORY_REPORT_JSON 1

/// Counts the devices of a kind. There is one device of the host kind, or as many as the environment variable
/// GRAPHCAP_HOST_DEVICES says. A call that succeeds finds at least one device. CUDA: cuDeviceGetCount.
///
/// The first call that concerns CUDA loads NVIDIA's driver: libcuda.so.1, then libcuda.so, or the file that the
/// environment variable GRAPHCAP_CUDA_LIBRARY names. After a failure the next call tries again.
///
/// @param[in]  kind   one of the GRAPHCAP_DEVICE_ numbers
/// @param[out] count  the number of devices; their ordinals are 0 to count - 1
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an environment variable is malformed: GRAPHCAP_DEVICE, or GRAPHCAP_HOST_DEVICES
///     for host devices
GRAPHCAP_NODISCARD gc_status gc_device_count(gc_device_kind kind, uint32_t *count);

/// Copies the name of a device, such as "NVIDIA H200". CUDA: cuDeviceGetName.
///
/// @param[in] kind     one of the GRAPHCAP_DEVICE_ numbers
/// @param[in] ordinal  which device of the kind, from 0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an environment variable is malformed: GRAPHCAP_DEVICE; GRAPHCAP_HOST_DEVICES or
///     GRAPHCAP_HOST_THREADS for host devices
GRAPHCAP_NODISCARD gc_status gc_device_name(gc_device_kind kind, uint32_t ordinal, char *text, size_t capacity,
    size_t *needed);

/// Copies a sentence that tells which kind of device GRAPHCAP_DEVICE_AUTO means now, and why: what the environment asks
/// for, or what is missing for CUDA.
///
/// Loads and initialises NVIDIA's driver unless GRAPHCAP_DEVICE is set to cuda or host. With cuda it does not check
/// whether CUDA works.
///
/// @retval GRAPHCAP_ERROR_INVALID_VALUE GRAPHCAP_DEVICE is malformed
GRAPHCAP_NODISCARD gc_status gc_device_auto_reason(char *text, size_t capacity, size_t *needed);

/// Makes a context on a device. CUDA: cuDevicePrimaryCtxRetain.
///
/// On a CUDA device the context uses the device's primary context, as the CUDA runtime and the libraries on it do.
/// graphcap retains the primary context, and makes it current only during calls that need it: the caller's current
/// context stays as it was. All contexts on one GPU share its primary context. Their objects can be mixed only where a
/// function says so. In a trace the call waits for the work of the device, as CUPTI does where it is subscribed to.
///
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the driver is older than 12.0, or the device has no memory pools; or maps no
///     memory into reserved addresses, for GRAPHCAP_CUDA_MEMORY=guard
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an environment variable is malformed: GRAPHCAP_DEVICE; GRAPHCAP_HOST_DEVICES,
///     GRAPHCAP_HOST_THREADS or GRAPHCAP_HOST_MEMORY for host devices; GRAPHCAP_CUDA_MEMORY
GRAPHCAP_NODISCARD gc_status gc_context_create(const gc_context_options *options, gc_context **context_out);

/// Destroys a context handle. The context itself lives until its last object and the submitted work are gone. Does not
/// wait. CUDA: cuDevicePrimaryCtxRelease.
gc_status gc_context_destroy(gc_context *context);

/// Waits until all work of the context has completed. On a CUDA device that is all work of the primary context,
/// including work that others submitted; the call then unloads the code of destroyed modules. CUDA: cuCtxSynchronize.
///
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED a stream of the context is being captured, or, on a CUDA device, any
///     stream of the primary context; the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_context_synchronize(const gc_context *context);

/// Waits as gc_context_synchronize() does, but no longer than a given time. When that has passed, the message tells
/// what goes on, as that of gc_stream_synchronize_for() does. The rules of captures treat both calls alike. This call
/// does not unload the code of destroyed modules.
///
/// @param[in] nanoseconds  the longest time to wait; 0 checks once, UINT64_MAX waits for ever
/// @retval GRAPHCAP_ERROR_TIMEOUT the time passed before all work completed; the work goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED a stream of the context is being captured, or, on a CUDA device, any
///     stream of the primary context; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the device is a CUDA device whose driver is older than 12.5
GRAPHCAP_NODISCARD gc_status gc_context_synchronize_for(const gc_context *context, uint64_t nanoseconds);

/// Returns the range of priorities that streams of the context can have. A lower number is more urgent. CUDA:
/// cuCtxGetStreamPriorityRange.
///
/// Both are 0 if the device has no priorities. A host device has the range of a GPU, and runs all its streams alike.
///
/// @param[out] least_out     the least urgent priority
/// @param[out] greatest_out  the most urgent priority, the lowest number
GRAPHCAP_NODISCARD gc_status gc_context_stream_priority_range(const gc_context *context, int32_t *least_out,
    int32_t *greatest_out);

/// Releases what destroyed objects left because releasing it has to wait: unloads code, frees pinned host memory, and
/// returns to the device the memory that is held for later allocations.
///
/// gc_context_synchronize() also unloads code and frees pinned memory, but keeps the memory that is held for later
/// allocations. gc_context_collect() also releases what ended contexts of the same GPU left, memory that default
/// streams of other threads used, and what graph execs kept whose native handles were given out. It may wait for all
/// work of the device, including work of other contexts and libraries, and other threads that call the driver wait with
/// it. It harms no capture. On a host device there is never anything to release.
///
/// Nothing is released that unfinished work uses. Memory that was used on the legacy stream, or on the per-thread
/// default stream of the calling thread, is released if the work there is complete, and otherwise by a later call.
GRAPHCAP_NODISCARD gc_status gc_context_collect(const gc_context *context);

/// Makes the primary context of a CUDA device current on the calling thread, as cudaSetDevice() does. CUDA:
/// cuCtxSetCurrent.
///
/// Calls that need it then take less time. It stays current until another one is made so: do that before the last
/// context of the device is destroyed. On a host device the call has no effect.
GRAPHCAP_NODISCARD gc_status gc_context_make_current(const gc_context *context);

/// Describes a context: its device and its generation. The call may be made inside callbacks. CUDA: cuCtxGetDevice.
GRAPHCAP_NODISCARD gc_status gc_context_get_info(const gc_context *context, gc_context_info *info_out);

/// Copies the name of the device that the context is on. CUDA: cuDeviceGetName.
GRAPHCAP_NODISCARD gc_status gc_context_device_name(const gc_context *context, char *text, size_t capacity,
    size_t *needed);

/// Returns a handle to the legacy default stream of the context. The legacy stream and all blocking streams of the
/// context wait for each other. CUDA: CU_STREAM_LEGACY.
///
/// The legacy stream cannot be captured. Each call returns a new handle to the same stream.
///
/// @param[out] stream_out  a handle owned by the caller until gc_stream_destroy(), which leaves the stream itself alone
GRAPHCAP_NODISCARD gc_status gc_context_legacy_stream(const gc_context *context, gc_stream **stream_out);

/// Returns a handle to the per-thread default stream. In each call the handle means the default stream of the calling
/// thread. CUDA: CU_STREAM_PER_THREAD.
///
/// Keep a handle while a thread captures on its default stream. Destroying the last such handle of the context discards
/// the captures that were begun on per-thread streams. On a CUDA device it discards only the capture of the thread that
/// destroys the handle, because the driver lets no other thread end a capture of a per-thread stream. A thread should
/// end its capture before the thread ends.
///
/// @param[out] stream_out  a handle owned by the caller until gc_stream_destroy(), which leaves the streams themselves
///     alone
GRAPHCAP_NODISCARD gc_status gc_context_per_thread_stream(const gc_context *context, gc_stream **stream_out);

/// Begins a context anew. Every object that was made in it before is stale from then on: every function returns
/// GRAPHCAP_ERROR_STALE for it, except those that destroy a handle, which succeed. All handles of the context itself
/// stay valid and name the new generation, in which new objects can be made at once. docs/resets.md lists what happens
/// to what. CUDA: cuDevicePrimaryCtxReset.
///
/// The call treats all objects as if their handles were destroyed one after another, and waits for nothing. Captures
/// that were begun on their streams are discarded. Submitted work goes on; what it uses is released behind it.
/// Addresses of buffers, pointers of host buffers and native handles are invalid. The device is not reset, and neither
/// is the primary context of a GPU. Wrapped streams and wrapped memory stay the caller's. Other contexts go on.
///
/// A stale handle counts in gc_live_handles() until it is destroyed. Numbers of gc_pool_handle_new() find their pools
/// no more.
///
/// After a fault on a host device the new generation works as a new context does. NVIDIA's driver does not recover from
/// a fault. There the call returns the status of the fault and changes nothing.
///
/// A call that another thread makes on an old object at the same time either takes effect as if it had been made before
/// the reset, or returns GRAPHCAP_ERROR_STALE.
///
/// @retval GRAPHCAP_ERROR_BUSY another thread is resetting the context
GRAPHCAP_NODISCARD gc_status gc_context_reset(const gc_context *context);

/// Gives an object a name. Messages and texts of graphs call the object by its name. All handles of one object share
/// the name. A clone of a graph begins with the name of the graph. A scalar goes by the name of its buffer. Several
/// objects may have the same name.
///
/// @param[in] handle  a gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event or gc_graph
/// @param[in] name    the name, UTF-8, at most 1024 bytes. NULL and the empty text take the name away
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED handle is a gc_kernel, which keeps the name that it was found by; or a default
///     stream; or the graph of a node, which goes by the name of the node
GRAPHCAP_NODISCARD gc_status gc_set_name(const void *handle, const char *name);

/// Copies the name of an object. The name of a kernel is the one that it was found by, as gc_kernel_name() copies it.
/// The call may be made inside callbacks.
///
/// @param[in]  handle  a gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event, gc_graph or gc_kernel
/// @param[out] text    where to copy the name to; it ends with a NUL. It is empty for an object without a name. May be
///     NULL when capacity is 0
GRAPHCAP_NODISCARD gc_status gc_get_name(const void *handle, char *text, size_t capacity, size_t *needed);

/// Gives a node of a graph a name. Messages and texts of the graph call the node by its name. Clones of the graph that
/// are made after the call have the name, and so have child nodes that the graph is added as. Several nodes may have
/// the same name.
///
/// @param[in] name  the name, UTF-8, at most 1024 bytes. NULL and the empty text take the name away
GRAPHCAP_NODISCARD gc_status gc_node_set_name(const gc_graph *graph, gc_node node, const char *name);

/// Copies the name of a node: the name that gc_node_set_name() gave it, or else the name of the kernel that it
/// launches, which gc_node_kernel_name() copies in either case.
///
/// @param[out] text  where to copy the name to; it ends with a NUL. It is empty for a node without a name. May be NULL
///     when capacity is 0
GRAPHCAP_NODISCARD gc_status gc_node_get_name(const gc_graph *graph, gc_node node, char *text, size_t capacity,
    size_t *needed);

/// Writes what the live buffers, host buffers, pools, graphs and graph execs of a context take, and which graphs and
/// execs keep a buffer or a pool alive. The bytes of a pool's blocks are among those of the pool.
///
/// The bytes of graphs and execs are those of a model, which docs/cache.md describes: no device tells them. Each graph
/// and exec has a number in the report. A graph or exec whose native handle was given out may keep buffers that the
/// report does not tell of, and so does a capture that goes on. What the device does not answer, after a fault for
/// instance, is left out. The call takes time for all objects of the context and their nodes. Objects that other
/// threads make or destroy meanwhile may be in the report or not.
///
/// @param[in] format  GRAPHCAP_MEMORY_REPORT_TEXT or GRAPHCAP_MEMORY_REPORT_JSON
GRAPHCAP_NODISCARD gc_status gc_context_memory_report(const gc_context *context, uint32_t format, char *text,
    size_t capacity, size_t *needed);

/// Returns the context that an object belongs to. C and C++ have shorthands with typed arguments, such as
/// gc_stream_get_context(). The kind of the handle is not checked, neither here nor by the shorthands.
///
/// @param[in]  object       a handle of any kind; of a context another handle is returned
/// @param[out] context_out  another handle of the context
GRAPHCAP_NODISCARD gc_status gc_object_context(const void *object, gc_context **context_out);

/// Returns the module that a kernel is of. CUDA: cuFuncGetModule.
///
/// @param[out] module_out  another handle of the module
GRAPHCAP_NODISCARD gc_status gc_kernel_get_module(const gc_kernel *kernel, gc_module **module_out);

/// @}

/// @defgroup graphcap_buffers Memory
///
/// A gc_buffer is memory of a device, a gc_host_buffer is memory of the CPU that the device can reach. graphcap
/// allocates both, or takes what the program has: gc_buffer_wrap() and gc_host_buffer_register(). Work names a part of
/// a buffer by an offset in bytes.
///
/// A buffer lives as long as work, a graph or a graph exec uses it, also after its handle was destroyed. Memory that
/// the CPU and the device both use by the same addresses is managed memory. Value operations, which write a number or
/// wait for one, take waitable memory alone: that of gc_buffer_allocate_waitable(), gc_pool_allocate() and scalars, and
/// wrapped memory that is not from a CUDA memory pool.
///
/// @{

/// All CUDA contexts treat the memory as pinned, not only the context that it is made in, when a copy gets it as a
/// plain host pointer.
#define GRAPHCAP_HOST_BUFFER_PORTABLE 1

/// Kernels can use the memory, by the address that gc_host_buffer_device_address() returns.
#define GRAPHCAP_HOST_BUFFER_MAPPED 2

/// On a CUDA device the CPU's writes are not cached. This makes the CPU's writes and the device's reads faster, and the
/// CPU's reads very slow. gc_host_buffer_register() does not accept it.
#define GRAPHCAP_HOST_BUFFER_WRITE_COMBINED 4

/// Every stream may use the memory. The GRAPHCAP_MEM_ATTACH_ numbers are CUDA's.
#define GRAPHCAP_MEM_ATTACH_GLOBAL 1
/// The CPU alone may use the memory.
#define GRAPHCAP_MEM_ATTACH_HOST 2
/// The stream that the memory is attached to may use it, and the CPU may while that stream has no work.
#define GRAPHCAP_MEM_ATTACH_SINGLE 4

/// Allocates device memory, aligned to at least 256 bytes. Its content is undefined. May be called while streams are
/// captured. CUDA: cuMemAlloc.
///
/// On a CUDA device the memory comes from a pool of the context's own. Value operations, such as
/// gc_stream_write_value32(), refuse this memory on every device; see gc_buffer_allocate_waitable() and
/// gc_pool_allocate().
///
/// @param[in] context  the context that the memory belongs to
/// @param[in] size     bytes, not 0
GRAPHCAP_NODISCARD gc_status gc_buffer_allocate(const gc_context *context, size_t size, gc_buffer **buffer_out);

/// Allocates device memory that value operations accept, such as gc_stream_wait_value32(). Otherwise the memory is as
/// that of gc_buffer_allocate().
///
/// Use it for counters and flags. NVIDIA's driver refuses value operations on memory of pools. It can free the memory
/// that it accepts only in calls that wait for all work of the device. The memory of a destroyed buffer that nothing
/// uses any more is therefore freed when gc_context_synchronize() or gc_context_collect() waits for a context of that
/// device, or when the device's primary context ends.
///
/// @param[in] context  the context that the memory belongs to
/// @param[in] size     bytes, not 0
GRAPHCAP_NODISCARD gc_status gc_buffer_allocate_waitable(const gc_context *context, size_t size,
    gc_buffer **buffer_out);

/// Makes a buffer from memory that the caller allocated by other means.
///
/// On a host device the memory is ordinary memory of the process. On a CUDA device it is memory that the driver knows
/// and the device can use, given by its device address: device, managed or pinned memory, for example of the CUDA
/// runtime or of a library. Plain malloc() memory is refused. graphcap does not check whether this device can reach the
/// memory. The range must lie within one allocation. The caller keeps the memory valid until destroy is called. That
/// happens once the buffer is destroyed, no graph or graph exec uses it any more, and the work submitted with it
/// through gc_ calls has completed. On a host device that may be within gc_buffer_destroy(); see "What ends at once".
///
/// Do not call cudaFree() in destroy: it waits, and it breaks captures. Pass the address to a thread of your own
/// instead.
///
/// @param[in] context  the context that the memory belongs to
/// @param[in] address  the first byte of the memory
/// @param[in] size     bytes, not 0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the range passes the end of the address space, or, on a CUDA device, does not
///     lie within one allocation that the driver knows
GRAPHCAP_NODISCARD gc_status gc_buffer_wrap(const gc_context *context, void *address, size_t size, void *user_data,
    gc_destroy_fn destroy, gc_buffer **buffer_out);

/// Destroys a buffer. Its memory is freed when no graph or graph exec uses the buffer any more and the work submitted
/// with it has completed. Does not wait for work. CUDA: cuMemFree.
///
/// On a CUDA device the memory goes back to the pool of the context, for later allocations. gc_context_collect()
/// returns the free memory of the pool to the device.
///
/// graphcap puts no work of its own on a default stream to learn when the stream's work has completed. Memory that was
/// used on a default stream is freed when the program has submitted to that stream again or waited for it, at
/// gc_context_synchronize(), or when gc_context_collect() finds the work complete. The progress of the per-thread
/// default stream of another thread becomes known only when that thread waits for the stream, or by
/// gc_context_synchronize() or gc_context_collect(). If neither happens, memory that was used on that stream stays
/// allocated until the process ends.
gc_status gc_buffer_destroy(gc_buffer *buffer);

/// Returns the size of a buffer.
///
/// @param[out] size_out  bytes
GRAPHCAP_NODISCARD gc_status gc_buffer_size(const gc_buffer *buffer, size_t *size_out);

/// Returns the device address of a buffer, as a number. It is valid as long as the buffer is. CUDA: CUdeviceptr.
///
/// @param[out] address_out  the address of its first byte
GRAPHCAP_NODISCARD gc_status gc_buffer_address(const gc_buffer *buffer, uint64_t *address_out);

/// Checks whether a range of memory lies within one live allocation of the host devices. For host kernels that want to
/// fault as a GPU would: they return the status.
///
/// @param[in] address  the first byte
/// @param[in] size     bytes
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS the range does not lie within one live allocation
GRAPHCAP_NODISCARD gc_status gc_host_check_range(const void *address, size_t size);

/// Allocates pinned host memory, aligned to at least 256 bytes. Its content is undefined. May be called while streams
/// are captured. CUDA: cuMemHostAlloc.
///
/// On a host device it is ordinary memory.
///
/// @param[in] context  the context whose copies use the host buffer
/// @param[in] size     bytes, not 0
/// @param[in] flags    0 or GRAPHCAP_HOST_BUFFER_ flags
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY there is not enough memory that can be pinned
GRAPHCAP_NODISCARD gc_status gc_host_buffer_allocate(const gc_context *context, size_t size, uint32_t flags,
    gc_host_buffer **host_buffer_out);

/// Pins host memory that the caller allocated by other means, and makes a host buffer from it. May be called while
/// streams are captured. CUDA: cuMemHostRegister.
///
/// The caller keeps the memory valid until destroy is called. That happens once the host buffer is destroyed, nothing
/// uses it any more, and the memory is unpinned. On a host device that is within gc_host_buffer_destroy(); see "What
/// ends at once". A CUDA device unpins the memory when gc_context_collect() or gc_context_synchronize() runs for a
/// context of that device, when some of the memory is registered again, or when the device's primary context ends.
///
/// If a host buffer that is destroyed still pins some of the memory, this call ends that one first, unless something
/// uses it. It waits for its end, for 1 second at most. On a CUDA device it does what gc_context_collect() does, which
/// may wait for the device, but only while no stream is captured.
///
/// @param[in] context  the context whose copies use the host buffer
/// @param[in] address  the first byte of the memory
/// @param[in] size     bytes, not 0
/// @param[in] flags    0, GRAPHCAP_HOST_BUFFER_PORTABLE, GRAPHCAP_HOST_BUFFER_MAPPED, or both
/// @param[in] destroy  It is not called if the process ends first
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the range passes the end of the address space, some of the memory was allocated
///     as pinned memory, or the driver cannot pin it
/// @retval GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED some of the memory is registered already; on a CUDA device,
///     also while a stream is captured, memory of a destroyed host buffer that is still pinned: gc_context_collect()
///     unpins it
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY that much memory cannot be pinned
GRAPHCAP_NODISCARD gc_status gc_host_buffer_register(const gc_context *context, void *address, size_t size,
    uint32_t flags, void *user_data, gc_destroy_fn destroy, gc_host_buffer **host_buffer_out);

/// Destroys a host buffer. Its memory is freed or unpinned when no graph or graph exec uses the host buffer any more
/// and the work submitted with it has completed. Does not wait for work, and harms no capture. After this call the
/// caller must not touch memory of gc_host_buffer_allocate(). CUDA: cuMemFreeHost, cuMemHostUnregister.
///
/// On a CUDA device freeing or unpinning the memory waits for all work of the device. It is therefore left to calls
/// that wait anyway: gc_context_collect() and gc_context_synchronize() of any context of that device, and
/// gc_host_buffer_register() of the same memory.
gc_status gc_host_buffer_destroy(gc_host_buffer *host_buffer);

/// Returns the size of a host buffer.
///
/// @param[out] size_out  bytes
GRAPHCAP_NODISCARD gc_status gc_host_buffer_size(const gc_host_buffer *host_buffer, size_t *size_out);

/// Returns the address at which the CPU uses the memory of a host buffer. A copy reads the memory when it runs; the CPU
/// must not change the memory before.
///
/// @param[out] pointer_out  its first byte, valid as long as the host buffer is
GRAPHCAP_NODISCARD gc_status gc_host_buffer_pointer(const gc_host_buffer *host_buffer, void **pointer_out);

/// Returns the address at which kernels use the memory of a host buffer, as a number. Pass it to a kernel as a value.
/// Launches and graphs do not keep the host buffer alive for such a value; the caller keeps it until they are done.
/// CUDA: cuMemHostGetDevicePointer.
///
/// @param[in]  host_buffer  the host buffer, made with GRAPHCAP_HOST_BUFFER_MAPPED
/// @param[out] address_out  the address of its first byte, valid as long as the host buffer is
GRAPHCAP_NODISCARD gc_status gc_host_buffer_device_address(const gc_host_buffer *host_buffer, uint64_t *address_out);

/// Allocates managed memory. The CPU and the device use it by one address, which gc_buffer_address() returns. Its
/// content is undefined. May be called while streams are captured. CUDA: cuMemAllocManaged.
///
/// While submitted work that uses the memory has not been waited for, the CPU must not touch the memory, unless the
/// device supports that (CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS). Value operations refuse managed memory. On a
/// host device it is ordinary memory of the device. On a CUDA device it is freed as that of
/// gc_buffer_allocate_waitable() is.
///
/// @param[in] context  the context that the memory belongs to
/// @param[in] size     bytes, not 0
/// @param[in] flags    GRAPHCAP_MEM_ATTACH_GLOBAL, or GRAPHCAP_MEM_ATTACH_HOST for memory that streams may use only
///     after gc_stream_attach_mem_async() allows it
GRAPHCAP_NODISCARD gc_status gc_buffer_allocate_managed(const gc_context *context, size_t size, uint32_t flags,
    gc_buffer **buffer_out);

/// Sets who may use a managed buffer: every stream, the CPU alone, or this stream alone. The change is work of the
/// stream: it takes effect when the work that was submitted to the stream before has completed. CUDA:
/// cuStreamAttachMemAsync.
///
/// The change cannot be recorded into a graph. On a host device everyone may use all memory; there the call has no
/// effect beyond the rules of captures.
///
/// @param[in] stream  the stream; with GRAPHCAP_MEM_ATTACH_SINGLE it is the stream that may use the memory
/// @param[in] buffer  a buffer of gc_buffer_allocate_managed(), or wrapped managed memory, of the same context
/// @param[in] flags   one of the GRAPHCAP_MEM_ATTACH_ numbers
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured; the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_stream_attach_mem_async(const gc_stream *stream, const gc_buffer *buffer,
    uint32_t flags);

/// @}

/// @defgroup graphcap_modules Modules and kernels
///
/// A module is code for a device: an image for GPUs (PTX, cubin or fatbin), C functions for host devices, or both, so
/// that one program runs on either. A kernel is an entry of a module, and keeps it loaded.
///
/// The parameters of a kernel are known from its image or its description; a launch is checked against them. Kernels
/// may state what they do with their arguments, by gc_kernel_set_accesses(): that is what optimising and the checks of
/// accesses go by. Occupancy functions tell how many blocks run at once.
///
/// @{

/// The block that a host kernel runs.
typedef struct gc_host_block {
    /// Size of this struct, for later growth.
    uint32_t struct_size;
    /// Dynamic shared memory of the block in bytes.
    uint32_t shared_mem_bytes;
    /// Blocks in the grid.
    uint32_t grid_dim[3];
    /// Threads in a block; the kernel runs them itself, usually as a loop.
    uint32_t block_dim[3];
    /// Index of this block.
    uint32_t block_index[3];
    /// Keeps shared_mem aligned; 0.
    uint32_t reserved;
    /// Scratch of shared_mem_bytes bytes for this block alone, 64-byte aligned, not cleared; NULL when that is 0.
    void *shared_mem;
} gc_host_block;

/// A kernel of the host device: called once per block of the grid, in any order and in parallel.
///
/// arguments points to one pointer per parameter, each to the bytes of the argument; a buffer argument is the address
/// of its memory. The kernel returns 0, or another number to fault the context as an illegal address would on a GPU. It
/// runs on threads of graphcap's. It must not block for other work, and must not make gc_ calls other than
/// gc_host_check_range(), gc_host_fail() and gc_host_set_conditional().
typedef int32_t (*gc_host_kernel_fn)(const gc_host_block *block, const void *const *arguments);

/// A kernel of the host device in a module description. Start from GRAPHCAP_HOST_KERNEL_INIT.
typedef struct gc_host_kernel {
    /// sizeof(gc_host_kernel).
    uint32_t struct_size;
    /// 0.
    uint32_t flags;
    /// The name by which gc_module_get_kernel() finds the kernel, UTF-8; copied.
    const char *name;
    /// The code. It must stay callable while the module lives.
    gc_host_kernel_fn function;
    /// The size of each parameter in bytes, 8 for a buffer; copied. If it is NULL, arguments are not checked.
    const size_t *parameter_sizes;
    /// The number of parameter_sizes; 0 when it is NULL.
    size_t parameter_count;
    /// Accesses of the kernel to the memory that its parameters point to, as gc_kernel_set_accesses() takes them: a
    /// number for each parameter; copied. If it is NULL, nothing is stated. It holds for the kernel of this name in the
    /// image as well.
    const uint32_t *accesses;
    /// The number of accesses; 0 when it is NULL.
    size_t access_count;
} gc_host_kernel;
/// Initialiser of a gc_host_kernel: set at least name and function.
#define GRAPHCAP_HOST_KERNEL_INIT {(uint32_t)sizeof(gc_host_kernel), 0, NULL, NULL, NULL, 0, NULL, 0}

/// A global variable of the host device in a module description. Start from GRAPHCAP_HOST_GLOBAL(name, variable).
typedef struct gc_host_global {
    /// sizeof(gc_host_global).
    uint32_t struct_size;
    /// 0.
    uint32_t flags;
    /// The name by which gc_module_get_global() finds the variable, UTF-8; copied.
    const char *name;
    /// The variable: memory of the program's, which host kernels use by its name in C. It must stay valid while the
    /// module lives.
    void *address;
    /// Its size in bytes, not 0.
    size_t size;
} gc_host_global;
/// Initialiser of a gc_host_global: set name, address and size.
#define GRAPHCAP_HOST_GLOBAL_INIT {(uint32_t)sizeof(gc_host_global), 0, NULL, NULL, 0}
/// Initialiser of a gc_host_global: a variable under a name.
#define GRAPHCAP_HOST_GLOBAL(name, variable) \
    {(uint32_t)sizeof(gc_host_global), 0, (name), &(variable), sizeof(variable)}

/// Description of a module to load. Start from GRAPHCAP_MODULE_DESCRIPTION_INIT.
typedef struct gc_module_description {
    /// sizeof(gc_module_description).
    uint32_t struct_size;
    /// 0.
    uint32_t flags;
    /// PTX, cubin or fatbin for a CUDA device, or Tile IR where the driver takes it; NULL for none. PTX is a text, with
    /// or without a NUL at its end; it is compiled during the call, which can take seconds. Relocatable cubins and
    /// LTO-IR are refused: link them first. Not used by host devices.
    const void *image;
    /// Bytes at image; 0 when it is NULL.
    size_t image_size;
    /// Kernels for a host device, under the names that they have in the image; NULL for none. A CUDA device checks them
    /// too. A CUDA driver older than 12.4 does not report the parameters of kernels; there the parameter_sizes are
    /// used.
    const gc_host_kernel *host_kernels;
    /// The number of host kernels, at most 1048576.
    size_t host_kernel_count;
    /// Global variables for a host device, under the names that they have in the image; NULL for none. A CUDA device
    /// checks them too, and uses those of the image.
    const gc_host_global *host_globals;
    /// The number of host globals, at most 1048576.
    size_t host_global_count;
} gc_module_description;
/// Initialiser of a gc_module_description: nothing to load; set the image, the host kernels, or both.
#define GRAPHCAP_MODULE_DESCRIPTION_INIT {(uint32_t)sizeof(gc_module_description), 0, NULL, 0, NULL, 0, NULL, 0}

/// The way in which launches of a kernel run beside other nodes of an optimized graph: one of the GRAPHCAP_CONCURRENCY_
/// numbers.
typedef uint32_t gc_kernel_concurrency;

/// Beside all nodes that touch other memory.
#define GRAPHCAP_CONCURRENCY_FREE 0

/// Never beside another launch of a kernel with this concurrency, and in the recorded order: for kernels that talk to
/// other processes or devices, which make the launches that belong to them in the same order. It holds among the nodes
/// of each graph: beside a child graph or a body that has such kernels too, a kernel is ordered as it was recorded, so
/// record one after the other. A graph with such a kernel is neither measured nor verified: the other processes would
/// not replay with it.
#define GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME 1

/// Beside no other node of its graph: for kernels that need the whole device, as those that spin until all their blocks
/// have begun.
#define GRAPHCAP_CONCURRENCY_ALONE 2

/// An attribute of a kernel: one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers, which are CUDA's. A CUDA device also
/// accepts other attributes that its driver knows.
typedef uint32_t gc_kernel_attribute;

/// Threads in a block at most.
#define GRAPHCAP_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK 0
/// Bytes of shared memory that each block has whatever the launch says.
#define GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_SIZE 1
/// Bytes of constant memory.
#define GRAPHCAP_KERNEL_ATTRIBUTE_CONST_SIZE 2
/// Bytes of local memory of each thread.
#define GRAPHCAP_KERNEL_ATTRIBUTE_LOCAL_SIZE 3
/// Registers of each thread.
#define GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS 4
/// The version of PTX that the kernel was compiled for, ten times the major one plus the minor one.
#define GRAPHCAP_KERNEL_ATTRIBUTE_PTX_VERSION 5
/// The architecture that the kernel was compiled for, ten times the major one plus the minor one.
#define GRAPHCAP_KERNEL_ATTRIBUTE_BINARY_VERSION 6
/// 1 where the kernel was compiled to cache global loads in L1.
#define GRAPHCAP_KERNEL_ATTRIBUTE_CACHE_MODE_CA 7

/// Bytes of dynamic shared memory that a launch can have at most. Can be set. graphcap raises it for launches and nodes
/// that have more.
#define GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE 8

/// Share of the memory of a multiprocessor that should be shared memory, in percent of the most that is possible, or -1
/// for no preference. Can be set.
#define GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT 9

/// 1 where a launch must have clusters.
#define GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET 10
/// Blocks in x of a cluster, or 0. Can be set, unless the kernel was compiled with it.
#define GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH 11
/// Blocks in y of a cluster, or 0. Can be set, unless the kernel was compiled with it.
#define GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT 12
/// Blocks in z of a cluster, or 0. Can be set, unless the kernel was compiled with it.
#define GRAPHCAP_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH 13
/// 1 where clusters may have more blocks than every GPU can run, which is 8. Can be set.
#define GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE 14
/// Spread of the blocks of clusters: one of the GRAPHCAP_CLUSTER_SCHEDULING_ numbers. Can be set.
#define GRAPHCAP_KERNEL_ATTRIBUTE_CLUSTER_SCHEDULING 15

/// Loads a module. All that the description points to is copied, except for the code of the host kernels and the memory
/// of the host globals. CUDA: cuModuleLoadDataEx.
///
/// A description with an image and host kernels serves both kinds of device. If the driver cannot load the image, the
/// message contains what the driver's compiler says.
///
/// @param[in] context      the context that the module belongs to
/// @param[in] description  what to load
/// @retval GRAPHCAP_ERROR_INVALID_VALUE a name or a function is missing, two host kernels or two host globals have the
///     same name, a host global is no range of memory, or accesses are not what gc_kernel_set_accesses() takes
/// @retval GRAPHCAP_ERROR_INVALID_IMAGE the image is damaged, cut short, of no known kind, or has to be linked first
/// @retval GRAPHCAP_ERROR_INVALID_PTX the driver cannot compile the PTX
/// @retval GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION the driver is too old for the version of the PTX
/// @retval GRAPHCAP_ERROR_NO_BINARY_FOR_GPU there is no code for the device of the context: neither host kernels nor
///     host globals on a host device; no image, or no code for this GPU, on a CUDA device
GRAPHCAP_NODISCARD gc_status gc_module_load(const gc_context *context, const gc_module_description *description,
    gc_module **module_out);

/// Destroys a module. Its code stays loaded while kernels, graphs, graph execs or launches use it. Unloading code of a
/// CUDA device waits for all work. The code is therefore unloaded when gc_context_collect() or gc_context_synchronize()
/// waits for any context of that device, or when the device's primary context ends. CUDA: cuModuleUnload.
gc_status gc_module_destroy(gc_module *module);

/// Finds a kernel of a module by its name. CUDA: cuModuleGetFunction.
///
/// @param[in]  name        the exact name, UTF-8
/// @param[out] kernel_out  the kernel
/// @retval GRAPHCAP_ERROR_NOT_FOUND the module has no kernel of that name; the message lists the module's kernels, on a
///     CUDA device only with a driver for CUDA 12.4 or newer
GRAPHCAP_NODISCARD gc_status gc_module_get_kernel(const gc_module *module, const char *name, gc_kernel **kernel_out);

/// Finds a global variable of a module by its name, as a buffer: copies, memsets, kernel arguments and nodes of graphs
/// take it as they take any buffer, and gc_buffer_size() and gc_buffer_address() tell its size and its device address.
/// CUDA: cuModuleGetGlobal.
///
/// On a CUDA device the variable is one of the image, declared with __device__, __constant__ or __managed__. On a host
/// device it is one of the description's host_globals. The buffer keeps the module loaded, and so do the work and the
/// graphs that use the buffer. Several buffers of one variable are the same memory.
///
/// @param[in]  name        the exact name, UTF-8; that of a C++ variable is mangled unless it is extern "C"
/// @param[out] buffer_out  the variable
/// @retval GRAPHCAP_ERROR_NOT_FOUND the module has no global variable of that name; on a host device the message lists
///     those that it has
GRAPHCAP_NODISCARD gc_status gc_module_get_global(const gc_module *module, const char *name, gc_buffer **buffer_out);

/// Destroys a kernel handle. Graphs and launches that use the kernel are not affected.
gc_status gc_kernel_destroy(gc_kernel *kernel);

/// Copies the name of a kernel, which is the one that it was found by. gc_get_name() copies the names of objects of
/// several kinds. Both may be called inside callbacks. CUDA: cuFuncGetName.
GRAPHCAP_NODISCARD gc_status gc_kernel_name(const gc_kernel *kernel, char *text, size_t capacity, size_t *needed);

/// Counts the parameters of a kernel.
///
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the parameters are not known: the module description does not state them, and
///     no driver reports them. CUDA drivers report them from 12.4 on
GRAPHCAP_NODISCARD gc_status gc_kernel_parameter_count(const gc_kernel *kernel, size_t *count_out);

/// Returns the size of a parameter of a kernel. CUDA: cuFuncGetParamInfo.
///
/// @param[in]  index     which parameter, from 0
/// @param[out] size_out  bytes; 8 for a buffer
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the parameters are not known: the module description does not state them, and
///     no driver reports them. CUDA drivers report them from 12.4 on
GRAPHCAP_NODISCARD gc_status gc_kernel_parameter_size(const gc_kernel *kernel, size_t index, size_t *size_out);

/// States what a kernel does with the memory that its parameters point to. gc_graph_optimize() orders the launches of
/// the kernel by that. The statement holds for all handles of the kernel, and for launches that were recorded before.
///
/// A parameter with GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE is a pointer. The kernel
/// may touch any byte of the buffers that it points into, or of another allocation if no buffer is there, in this way
/// and in no other. Through a pointer that is NULL it touches nothing. A parameter with GRAPHCAP_ACCESS_NONE is no
/// pointer. The kernel touches no other memory: it follows no pointer that lies in memory, and uses no variable of its
/// module, but for what gc_kernel_set_buffer_access() states. It waits for nothing that the CPU or another kernel does
/// meanwhile. A wrong statement makes replays of optimized graphs wrong.
///
/// @param[in] accesses  a number for each parameter of the kernel; NULL takes an earlier statement back
/// @param[in] count     how many; 0 if accesses is NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE as far as the parameters are known, count is not their number or a parameter
///     that is to be a pointer has not 8 bytes. The earlier statement holds
GRAPHCAP_NODISCARD gc_status gc_kernel_set_accesses(const gc_kernel *kernel, const uint32_t *accesses, size_t count);

/// States what a kernel does with a buffer that none of its arguments points to: a variable of its module, see
/// gc_module_get_global(), or memory that a pointer in memory leads to. gc_graph_optimize(), gc_graph_verify() and
/// GRAPHCAP_CHECK_ACCESS go by it. It adds to what gc_kernel_set_accesses() or the launch states of the arguments, or
/// to parameters that are trusted. A kernel of which nothing else is stated stays unknown.
///
/// The statement is of all bytes of the buffer. It holds for all handles of the kernel, and for launches that were
/// recorded before. It keeps the buffer alive until the last handle of the kernel, the last graph that has the kernel,
/// and submitted work are gone. Take it back only after the launches that use the buffer by it.
///
/// @param[in] buffer  the buffer; a statement of a buffer with these bytes takes the place of the one before
/// @param[in] access  GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE or GRAPHCAP_ACCESS_READ_WRITE; GRAPHCAP_ACCESS_NONE
///     takes the statement back
GRAPHCAP_NODISCARD gc_status gc_kernel_set_buffer_access(const gc_kernel *kernel, const gc_buffer *buffer,
    uint32_t access);

/// States how launches of a kernel run beside other nodes of graphs that gc_graph_optimize() makes, besides what they
/// touch. The statement holds for all handles of the kernel, and for launches that were recorded before. Where a graph
/// keeps its recorded edges, its nodes run beside each other as they were recorded.
///
/// @param[in] concurrency  one of the GRAPHCAP_CONCURRENCY_ numbers; GRAPHCAP_CONCURRENCY_FREE takes an earlier
///     statement back
GRAPHCAP_NODISCARD gc_status gc_kernel_set_concurrency(const gc_kernel *kernel, gc_kernel_concurrency concurrency);

/// Returns an attribute of a kernel. CUDA: cuFuncGetAttribute.
///
/// A CUDA device returns the driver's value. A host device returns what was set; a kernel has at most 1,024 threads in
/// a block there, and 0 of registers, versions, and static, constant and local memory.
///
/// @param[in]  attribute  one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers
/// @param[out] value_out  the value
GRAPHCAP_NODISCARD gc_status gc_kernel_get_attribute(const gc_kernel *kernel, gc_kernel_attribute attribute,
    int32_t *value_out);

/// Sets an attribute of a kernel, for launches and nodes that are made from now on through any handle of the kernel. A
/// host device stores the value. Of those that it stores, only GRAPHCAP_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE has
/// an effect there. CUDA: cuFuncSetAttribute.
///
/// @param[in] attribute  one of the GRAPHCAP_KERNEL_ATTRIBUTE_ numbers that can be set
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED the kernel was compiled with the size of a cluster
GRAPHCAP_NODISCARD gc_status gc_kernel_set_attribute(const gc_kernel *kernel, gc_kernel_attribute attribute,
    int32_t value);

/// Returns how many blocks of a kernel one multiprocessor runs at once. CUDA:
/// cuOccupancyMaxActiveBlocksPerMultiprocessor.
///
/// A host device answers this and the next questions as a GPU of compute capability 9.0 with 132 multiprocessors would
/// for a kernel that is not limited by its registers: each multiprocessor runs at most 2,048 threads and 32 blocks, and
/// has 233,472 bytes of shared memory, of which each block takes 1,024 beside its own. It runs the blocks on the CPU,
/// as many at once as it has lanes.
///
/// @param[in]  block_size        threads in a block, at least 1
/// @param[in]  shared_mem_bytes  dynamic shared memory of each block in bytes
/// @param[out] blocks_out        the number of blocks; 0 if one does not fit
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an argument is larger than any device has
GRAPHCAP_NODISCARD gc_status gc_kernel_max_active_blocks(const gc_kernel *kernel, uint32_t block_size,
    size_t shared_mem_bytes, uint32_t *blocks_out);

/// Returns the block size with the highest occupancy. CUDA: cuOccupancyMaxPotentialBlockSize.
///
/// @param[in]  shared_mem_bytes  dynamic shared memory of each block in bytes, the same for every block size
/// @param[in]  block_size_limit  the most threads that a block may have; 0 for as many as the kernel can have
/// @param[out] block_size_out    threads in a block; 0 if no block fits; a CUDA driver may return an error instead
/// @param[out] grid_size_out     the number of such blocks that gives the device the highest occupancy
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an argument is larger than any device has
GRAPHCAP_NODISCARD gc_status gc_kernel_suggested_block_size(const gc_kernel *kernel, size_t shared_mem_bytes,
    uint32_t block_size_limit, uint32_t *block_size_out, uint32_t *grid_size_out);

/// Returns how much dynamic shared memory each block can have while one multiprocessor runs a number of blocks at once.
/// CUDA: cuOccupancyAvailableDynamicSMemPerBlock.
///
/// @param[in]  blocks      the number of blocks, at least 1
/// @param[in]  block_size  threads in a block, at least 1
/// @param[out] bytes_out   dynamic shared memory of each block in bytes
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an argument is larger than any device has, or so many blocks do not fit
GRAPHCAP_NODISCARD gc_status gc_kernel_available_shared_mem(const gc_kernel *kernel, uint32_t blocks,
    uint32_t block_size, size_t *bytes_out);

/// Returns how many clusters of a launch the device runs at once. CUDA: cuOccupancyMaxActiveClusters.
///
/// @param[in]  config        the launch; its attributes have GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION. Events among
///     them have no effect
/// @param[out] clusters_out  the number of clusters
/// @retval GRAPHCAP_ERROR_INVALID_VALUE a dimension of config is too large, or an attribute cannot have its value
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE the launch has no clusters, or they do not divide the grid or are too
///     large
GRAPHCAP_NODISCARD gc_status gc_kernel_max_active_clusters(const gc_kernel *kernel, const gc_launch_config *config,
    uint32_t *clusters_out);

/// Returns how many blocks a cluster of a launch can have at most. CUDA: cuOccupancyMaxPotentialClusterSize.
///
/// @param[in]  config      the launch. Events among its attributes have no effect
/// @param[out] blocks_out  the number of blocks; 0 if a block does not fit
/// @retval GRAPHCAP_ERROR_INVALID_VALUE a dimension of config is too large
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE an attribute asks for clusters that do not fit the launch
GRAPHCAP_NODISCARD gc_status gc_kernel_max_cluster_size(const gc_kernel *kernel, const gc_launch_config *config,
    uint32_t *blocks_out);

/// @}

/// @defgroup graphcap_streams Streams and their work
///
/// A stream runs its work in order: launches of kernels, copies, memsets, host functions, operations on values, waits
/// for events. Streams run beside each other. The calls here queue work and return; the synchronize functions wait.
/// While a stream is captured, the same calls record nodes instead.
///
/// The legacy stream, gc_context_legacy_stream(), waits for the blocking streams of the context, and they wait for it;
/// streams made with GRAPHCAP_STREAM_NON_BLOCKING do not. Programs that capture do best with streams of that kind.
/// Arguments, configs and structs are read within the call.
///
/// @{

/// The stream does not wait for the legacy default stream, and the legacy default stream does not wait for it.
#define GRAPHCAP_STREAM_NON_BLOCKING 1

/// Options of a new stream. With all members 0 it is a blocking stream of normal priority.
typedef struct gc_stream_options {
    /// sizeof(gc_stream_options).
    uint32_t struct_size;
    /// 0 or GRAPHCAP_STREAM_NON_BLOCKING.
    uint32_t flags;
    /// Lower is more urgent. Clamped to the range that gc_context_stream_priority_range() returns.
    int32_t priority;
    /// 0.
    uint32_t reserved;
} gc_stream_options;
/// Initialiser of a gc_stream_options: the defaults.
#define GRAPHCAP_STREAM_OPTIONS_INIT {(uint32_t)sizeof(gc_stream_options), 0, 0, 0}

/// Determines whose unsafe calls a capture bars, and who may end the capture. One of the GRAPHCAP_CAPTURE_MODE_
/// numbers, which are CUDA's. If in doubt, use GRAPHCAP_CAPTURE_MODE_GLOBAL, which is 0: it finds most mistakes, and is
/// the default of CUDA and of PyTorch.
///
/// The mode does not determine what is captured. In every mode a capture records the stream that it was begun on and
/// the streams that join it, whichever threads submit to them.
///
/// Unsafe calls are calls that may wait for, or free, what work outside the capture uses. In graphcap these are waiting
/// for another stream or for an event, asking whether they are complete, and instantiating a graph. Outside graphcap
/// they are cudaMalloc(), cudaFree(), unloading a module and the like. Each thread has a mode as well, which is global
/// unless gc_thread_exchange_capture_mode() changed it. A capture bars the unsafe calls of
/// - the thread that began it, unless the capture's mode or the thread's mode is relaxed;
/// - other threads, if the capture's mode and the thread's mode are both global.
///
/// A barred call fails with GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED and breaks every capture that bars it, in any context.
/// The end of a broken capture returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED.
///
/// The relaxed mode still has rules. In every mode, and from every thread, these calls break a capture: waiting for a
/// stream that is part of it, asking whether that stream is complete, and launching or uploading a graph on it; waiting
/// for the whole context; waiting for, or asking about, an event that was recorded in it; work on the legacy stream
/// while a blocking stream is part of it; waiting in it for an event from outside; merging it with another capture;
/// ending it on a stream other than the one that it was begun on, or with work that was not joined.
///
/// In no mode do these calls break a capture: destroying graphcap objects, except the stream that the capture was begun
/// on; making objects, except graph execs; submitting work to other streams; and calls that are refused for wrong
/// arguments, except a launch of an impossible shape. What graphcap does for itself breaks no capture either.
typedef int32_t gc_capture_mode;

/// Bars the unsafe calls of all threads. Only the thread that began the capture may end it.
#define GRAPHCAP_CAPTURE_MODE_GLOBAL 0

/// Bars the unsafe calls of the thread that began the capture; other threads may wait, query and free as they like.
/// Only the thread that began the capture may end it.
#define GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL 1

/// Bars no unsafe calls. Any thread may end the capture.
#define GRAPHCAP_CAPTURE_MODE_RELAXED 2

/// State of the capture of a stream: one of the GRAPHCAP_CAPTURE_STATUS_ numbers.
typedef int32_t gc_capture_state;

/// The stream executes its work.
#define GRAPHCAP_CAPTURE_STATUS_NONE 0
/// The stream records its work.
#define GRAPHCAP_CAPTURE_STATUS_ACTIVE 1
/// An earlier call broke the capture. It must still be ended.
#define GRAPHCAP_CAPTURE_STATUS_INVALIDATED 2

/// An attribute of a launch or of a kernel node: one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, which are CUDA's. A
/// CUDA device also accepts other attributes that its driver knows.
typedef uint32_t gc_launch_attribute_id;

/// No attribute; an entry of a launch that has no effect.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_IGNORE 0
/// Addresses that the caches of the device should keep: gc_launch_attribute_value::access_policy_window.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW 1
/// Demand that all blocks run at once, so that they can wait for each other: gc_launch_attribute_value::number, 0 or 1.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE 2
/// Blocks in a cluster: gc_launch_attribute_value::dimensions. They divide the grid.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION 4

/// Spread of the blocks of clusters over the device: gc_launch_attribute_value::number, one of the
/// GRAPHCAP_CLUSTER_SCHEDULING_ numbers.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING 5

/// Permission that the kernel begins when the kernel before it on the stream allows it, before that one is over:
/// gc_launch_attribute_value::number, 0 or 1. Of launches alone; in a graph an edge says so, see
/// GRAPHCAP_EDGE_TYPE_PROGRAMMATIC.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION 6

/// An event that is recorded when all blocks have triggered it: gc_launch_attribute_value::event. Of launches alone. In
/// a capture the edge from the kernel to what waits for the event has data: gc_graph_get_edges() lists it.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT 7

/// The priority: gc_launch_attribute_value::number. It is cut to the range of the context's streams.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY 8
/// Domains of the device that the two memory-sync domains map to: gc_launch_attribute_value::memory_sync_domain_map.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP 9
/// The memory-sync domain: gc_launch_attribute_value::number, one of the GRAPHCAP_MEMORY_SYNC_DOMAIN_ numbers.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN 10

/// Blocks in a cluster where there is room for more than the cluster dimension says:
/// gc_launch_attribute_value::dimensions. Of launches alone.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION 11

/// An event that is recorded when all blocks have begun: gc_launch_attribute_value::event. Of launches alone. In a
/// capture the edge from the kernel to what waits for the event has data, as with a programmatic event.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT 12

/// Permission that kernels change the node: gc_launch_attribute_value::number, 0 or 1.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE 13

/// Share of the memory of a multiprocessor that should be shared memory: gc_launch_attribute_value::number, in percent
/// of the most that is possible, or -1 for no preference.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_SHARED_MEMORY_CARVEOUT 14

/// Spread of the blocks of clusters: as the driver likes.
#define GRAPHCAP_CLUSTER_SCHEDULING_DEFAULT 0
/// Spread of the blocks of clusters: over as many multiprocessors as possible.
#define GRAPHCAP_CLUSTER_SCHEDULING_SPREAD 1
/// Spread of the blocks of clusters: so that multiprocessors are loaded equally.
#define GRAPHCAP_CLUSTER_SCHEDULING_LOAD_BALANCING 2

/// An event that a launch records. The event is then as gc_event_record() leaves it: it holds the point, and in a
/// capture the kernel's node. On a host device that point is the end of the kernel.
typedef struct gc_launch_event {
    /// An event of the stream's context. It takes no times, see GRAPHCAP_EVENT_DISABLE_TIMING.
    const gc_event *event;
    /// Flags of the record: 0 or those that the driver knows.
    int32_t flags;
    /// 1 where each block triggers the event when it begins; 0 for GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.
    int32_t trigger_at_block_start;
} gc_launch_event;

/// A range of addresses, and how the caches of a device treat accesses to it.
typedef struct gc_access_policy_window {
    /// The first address; see gc_buffer_address().
    void *base;
    /// The size of the range in bytes; 0 means no window.
    size_t size;
    /// The fraction of the accesses that hit_property applies to, from 0 to 1. miss_property applies to the others.
    float hit_ratio;
    /// One of the GRAPHCAP_ACCESS_PROPERTY_ numbers.
    int32_t hit_property;
    /// GRAPHCAP_ACCESS_PROPERTY_NORMAL or GRAPHCAP_ACCESS_PROPERTY_STREAMING.
    int32_t miss_property;
} gc_access_policy_window;

/// The domains of the device that the two memory-sync domains map to.
typedef struct gc_memory_sync_domain_map {
    /// The domain for GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT.
    uint8_t default_domain;
    /// The domain for GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE.
    uint8_t remote_domain;
} gc_memory_sync_domain_map;

/// The value of a launch attribute. It has the layout of CUDA's type, 64 bytes, and therefore no struct_size; but an
/// event is graphcap's. The attribute determines which member is used.
typedef union gc_launch_attribute_value {
    /// The whole value, also for attributes that have no member here.
    uint8_t bytes[64];
    /// For attributes whose value is a number.
    int32_t number;
    /// For GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION and GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: in x,
    /// y and z.
    uint32_t dimensions[3];
    /// For GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW.
    gc_access_policy_window access_policy_window;
    /// For GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP.
    gc_memory_sync_domain_map memory_sync_domain_map;
    /// For GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT and GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.
    gc_launch_event event;
} gc_launch_attribute_value;

/// An attribute of a launch. Start from GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(id) and set the value, or fill it by
/// gc_launch_attribute_init_number() or gc_launch_attribute_init_dimensions().
typedef struct gc_launch_attribute {
    /// sizeof(gc_launch_attribute).
    uint32_t struct_size;
    /// Number of the attribute.
    gc_launch_attribute_id id;
    /// Its value.
    gc_launch_attribute_value value;
} gc_launch_attribute;
/// Initialiser of a gc_launch_attribute: a value of zeros; set the member that the attribute uses.
#define GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(id) {(uint32_t)sizeof(gc_launch_attribute), (gc_launch_attribute_id)(id), {{0}}}

/// The shape of a launch. Start from GRAPHCAP_LAUNCH_CONFIG_INIT or GRAPHCAP_LAUNCH_CONFIG(blocks, threads).
struct gc_launch_config {
    /// sizeof(gc_launch_config).
    uint32_t struct_size;
    /// Blocks in x, y and z; none may be 0.
    uint32_t grid_dim[3];
    /// Threads per block in x, y and z; none may be 0.
    uint32_t block_dim[3];
    /// Dynamic shared memory per block in bytes.
    uint32_t shared_mem_bytes;
    /// 0.
    uint32_t flags;
    /// 0.
    uint32_t reserved;
    /// Attributes of the launch beyond its shape, one element for each attribute; copied. Of several elements with one
    /// id the last one holds. May be NULL when attribute_count is 0.
    const gc_launch_attribute *attributes;
    /// The number of attributes, at most 64.
    size_t attribute_count;
};
/// Initialiser of a gc_launch_config: one block of one thread.
#define GRAPHCAP_LAUNCH_CONFIG_INIT {(uint32_t)sizeof(gc_launch_config), {1, 1, 1}, {1, 1, 1}, 0, 0, 0, NULL, 0}
/// Initialiser of a gc_launch_config: blocks and threads per block in x, 1 in y and z.
#define GRAPHCAP_LAUNCH_CONFIG(blocks, threads) \
    {(uint32_t)sizeof(gc_launch_config), {(uint32_t)(blocks), 1, 1}, {(uint32_t)(threads), 1, 1}, 0, 0, 0, NULL, 0}

/// gc_kernel_arg::kind: the bytes at value, copied when the kernel is launched or recorded. For a host kernel they are
/// aligned to 16 bytes if their number is a multiple of 16, else to 8 bytes.
#define GRAPHCAP_ARG_VALUE 1

/// gc_kernel_arg::kind: the device address of buffer, plus offset.
#define GRAPHCAP_ARG_BUFFER 2
/// gc_kernel_arg::access: not stated.
#define GRAPHCAP_ACCESS_DEFAULT 0
/// gc_kernel_arg::access: the kernel only reads the buffer.
#define GRAPHCAP_ACCESS_READ 1
/// gc_kernel_arg::access: the kernel only writes the buffer.
#define GRAPHCAP_ACCESS_WRITE 2
/// gc_kernel_arg::access: the kernel reads and writes the buffer.
#define GRAPHCAP_ACCESS_READ_WRITE 3
/// gc_kernel_set_accesses(): the parameter is no address.
#define GRAPHCAP_ACCESS_NONE 4

/// One argument of a kernel. Start from GRAPHCAP_ARG_INIT_VALUE(variable), GRAPHCAP_ARG_INIT_BUFFER(buffer) or
/// GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, offset).
typedef struct gc_kernel_arg {
    /// sizeof(gc_kernel_arg).
    uint32_t struct_size;
    /// GRAPHCAP_ARG_VALUE or GRAPHCAP_ARG_BUFFER.
    uint32_t kind;
    /// One of the GRAPHCAP_ACCESS_ numbers; how this launch uses the buffer. 0 for a value. It holds for the node that
    /// records the launch, in the place of what gc_kernel_set_accesses() said of the parameter: gc_graph_optimize()
    /// goes by it.
    uint32_t access;
    /// 0.
    uint32_t reserved;
    /// The buffer of a buffer argument; NULL for a value.
    const gc_buffer *buffer;
    /// The offset in the buffer that the kernel's pointer points to, in bytes; at most the buffer's size. 0 for a
    /// value.
    size_t offset;
    /// The bytes of a value, as the kernel's parameter has them; NULL for a buffer.
    const void *value;
    /// The size of a value in bytes; 0 for a buffer.
    size_t value_size;
    /// The first byte of the buffer that access is about, counted from the start of the buffer; 0 for a value.
    size_t access_offset;
    /// Bytes that access is about: the kernel touches no others by this argument. 0 for the whole buffer, and for a
    /// value.
    size_t access_size;
} gc_kernel_arg;
/// Initialiser of a gc_kernel_arg: set kind, and the members that the kind uses.
#define GRAPHCAP_KERNEL_ARG_INIT {(uint32_t)sizeof(gc_kernel_arg), 0, 0, 0, NULL, 0, NULL, 0, 0, 0}
/// Initialiser of a gc_kernel_arg: the value of a variable, which is copied at the launch.
#define GRAPHCAP_ARG_INIT_VALUE(variable) \
    {(uint32_t)sizeof(gc_kernel_arg), GRAPHCAP_ARG_VALUE, 0, 0, NULL, 0, &(variable), sizeof(variable), 0, 0}
/// Initialiser of a gc_kernel_arg: the start of a buffer.
#define GRAPHCAP_ARG_INIT_BUFFER(buffer) \
    {(uint32_t)sizeof(gc_kernel_arg), GRAPHCAP_ARG_BUFFER, 0, 0, (buffer), 0, NULL, 0, 0, 0}
/// Initialiser of a gc_kernel_arg: a buffer from an offset in bytes.
#define GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, offset) \
    {(uint32_t)sizeof(gc_kernel_arg), GRAPHCAP_ARG_BUFFER, 0, 0, (buffer), (size_t)(offset), NULL, 0, 0, 0}

/// gc_memcpy_params::direction: from source_host or source_host_buffer to destination_host or destination_host_buffer.
#define GRAPHCAP_MEMCPY_HOST_TO_HOST 0
/// gc_memcpy_params::direction: from source_host or source_host_buffer to destination.
#define GRAPHCAP_MEMCPY_HOST_TO_DEVICE 1
/// gc_memcpy_params::direction: from source to destination_host or destination_host_buffer.
#define GRAPHCAP_MEMCPY_DEVICE_TO_HOST 2
/// gc_memcpy_params::direction: from source to destination.
#define GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE 3

/// gc_memcpy_params::direction: from source to destination, buffers of any contexts on devices of the kind of the
/// stream's. A stream copies one row so; without this direction both buffers are of its context. Nodes and
/// gc_stream_memcpy_batch() make no difference between this direction and GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE.
///
/// Only the stream orders the copy. Work of other contexts on the buffers is ordered by events, as within one context:
/// streams wait for events of other contexts too. As for any work, the buffers and their contexts may be destroyed: the
/// memory lives until the copy has run, and as long as a graph uses it. Between CUDA devices the driver copies directly
/// if it can, else through host memory. A capture records the copy in a form that CUDA's captures accept.
#define GRAPHCAP_MEMCPY_PEER 5

/// gc_memcpy_params::flags: the call saves the bytes at source_host, and the copy reads the saved bytes, at each replay
/// too. The memory may be freed or changed when the call returns.
#define GRAPHCAP_MEMCPY_SNAPSHOT 1

/// A copy. Start from GRAPHCAP_MEMCPY_INIT_HTOD(destination, destination_offset, source_host, size),
/// GRAPHCAP_MEMCPY_INIT_DTOH(destination_host, source, source_offset, size), GRAPHCAP_MEMCPY_INIT_DTOD(destination,
/// destination_offset, source, source_offset, size) or GRAPHCAP_MEMCPY_INIT_HTOH(destination_host, source_host, size),
/// and set the other members for a copy of several rows.
///
/// A copy has depth slices of height rows of size bytes. Each side has its own pitch, so that a part of a picture or of
/// a volume can be copied.
///
/// Members that the direction does not use must be NULL or 0.
typedef struct gc_memcpy_params {
    /// sizeof(gc_memcpy_params).
    uint32_t struct_size;
    /// One of the GRAPHCAP_MEMCPY_ numbers, which are those of the CUDA runtime.
    uint32_t direction;
    /// The buffer to write.
    const gc_buffer *destination;
    /// The first byte written, counted from the start of the buffer, or of the host buffer.
    size_t destination_offset;
    /// The host memory to write; it is written at each replay and must be valid then. NULL with a
    /// destination_host_buffer; may be NULL when size, height or depth is 0.
    void *destination_host;
    /// The buffer to read.
    const gc_buffer *source;
    /// The first byte read, counted from the start of the buffer, or of the host buffer.
    size_t source_offset;
    /// The host memory to read; it is read at each replay and must be valid then, unless GRAPHCAP_MEMCPY_SNAPSHOT is
    /// set. NULL with a source_host_buffer; may be NULL when size, height or depth is 0.
    const void *source_host;
    /// Bytes in a row; 0 copies nothing.
    size_t size;
    /// 0 or GRAPHCAP_MEMCPY_SNAPSHOT.
    uint32_t flags;
    /// 0.
    uint32_t reserved;
    /// The host buffer to write instead of destination_host, or NULL. A graph keeps it alive.
    const gc_host_buffer *destination_host_buffer;
    /// The host buffer to read instead of source_host, or NULL. A graph keeps it alive.
    const gc_host_buffer *source_host_buffer;
    /// Rows in a slice; 0 copies nothing. The INIT macros write 1.
    size_t height;
    /// Slices; 0 copies nothing. The INIT macros write 1.
    size_t depth;
    /// Bytes from the start of one written row to the start of the next, at least size; 0 means size. A CUDA device
    /// takes at most 2147483647.
    size_t destination_pitch;
    /// Rows from the start of one written slice to the start of the next, at least height; 0 means height.
    size_t destination_slice_height;
    /// Bytes from the start of one row that is read to the start of the next, at least size; 0 means size. A CUDA
    /// device takes at most 2147483647.
    size_t source_pitch;
    /// Rows from the start of one slice that is read to the start of the next, at least height; 0 means height.
    size_t source_slice_height;
} gc_memcpy_params;
/// Initialiser of a gc_memcpy_params: one row; set direction, the members that it uses, and size.
#define GRAPHCAP_MEMCPY_PARAMS_INIT \
    {(uint32_t)sizeof(gc_memcpy_params), 0, NULL, 0, NULL, NULL, 0, NULL, 0, 0, 0, NULL, NULL, 1, 1, 0, 0, 0, 0}
/// Initialiser of a gc_memcpy_params: from host memory into a buffer.
#define GRAPHCAP_MEMCPY_INIT_HTOD(destination, destination_offset, source_host, size) \
    {(uint32_t)sizeof(gc_memcpy_params), GRAPHCAP_MEMCPY_HOST_TO_DEVICE, (destination), (size_t)(destination_offset), \
     NULL, NULL, 0, (source_host), (size_t)(size), 0, 0, NULL, NULL, 1, 1, 0, 0, 0, 0}
/// Initialiser of a gc_memcpy_params: from a buffer into host memory.
#define GRAPHCAP_MEMCPY_INIT_DTOH(destination_host, source, source_offset, size) \
    {(uint32_t)sizeof(gc_memcpy_params), GRAPHCAP_MEMCPY_DEVICE_TO_HOST, NULL, 0, (destination_host), (source), \
     (size_t)(source_offset), NULL, (size_t)(size), 0, 0, NULL, NULL, 1, 1, 0, 0, 0, 0}
/// Initialiser of a gc_memcpy_params: from a buffer into a buffer.
#define GRAPHCAP_MEMCPY_INIT_DTOD(destination, destination_offset, source, source_offset, size) \
    {(uint32_t)sizeof(gc_memcpy_params), GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE, (destination), (size_t)(destination_offset), \
     NULL, (source), (size_t)(source_offset), NULL, (size_t)(size), 0, 0, NULL, NULL, 1, 1, 0, 0, 0, 0}
/// Initialiser of a gc_memcpy_params: from host memory into host memory.
#define GRAPHCAP_MEMCPY_INIT_HTOH(destination_host, source_host, size) \
    {(uint32_t)sizeof(gc_memcpy_params), GRAPHCAP_MEMCPY_HOST_TO_HOST, NULL, 0, (destination_host), NULL, 0, \
     (source_host), (size_t)(size), 0, 0, NULL, NULL, 1, 1, 0, 0, 0, 0}

/// Rows of elements to set to a value. Start from GRAPHCAP_MEMSET_INIT(buffer, offset, value, element_size, width,
/// height, pitch).
typedef struct gc_memset_params {
    /// sizeof(gc_memset_params).
    uint32_t struct_size;
    /// 1, 2 or 4 bytes.
    uint32_t element_size;
    /// The buffer to write; NULL with a host_buffer.
    const gc_buffer *buffer;
    /// The first byte written, counted from the start of the buffer, or of the host buffer; its address must be a
    /// multiple of element_size.
    size_t offset;
    /// The value; bits that do not fit an element are ignored.
    uint32_t value;
    /// 0.
    uint32_t reserved;
    /// Elements in a row; 0 sets nothing.
    size_t width;
    /// Rows; 0 sets nothing.
    size_t height;
    /// Bytes from the start of one row to the start of the next: a multiple of element_size, and at least the bytes of
    /// a row; 0 means the bytes of a row. A CUDA device takes at most 2147483647.
    size_t pitch;
    /// The host buffer to write in the place of buffer, which is NULL then; or NULL. It was made with
    /// GRAPHCAP_HOST_BUFFER_MAPPED. A graph keeps it alive.
    const gc_host_buffer *host_buffer;
} gc_memset_params;
/// Initialiser of a gc_memset_params: one row; set buffer, element_size and width at least.
#define GRAPHCAP_MEMSET_PARAMS_INIT {(uint32_t)sizeof(gc_memset_params), 0, NULL, 0, 0, 0, 0, 1, 0, NULL}
/// Initialiser of a gc_memset_params: rows of elements of a buffer.
#define GRAPHCAP_MEMSET_INIT(buffer, offset, value, element_size, width, height, pitch) \
    {(uint32_t)sizeof(gc_memset_params), (uint32_t)(element_size), (buffer), (size_t)(offset), (uint32_t)(value), 0, \
     (size_t)(width), (size_t)(height), (size_t)(pitch), NULL}

/// The wait ends when the value in memory is greater than or equal to the value of the wait. The comparison is cyclic:
/// their difference, which wraps, is not negative as a signed number. It therefore works with counters that wrap.
#define GRAPHCAP_WAIT_VALUE_GEQ 0

/// The wait ends when the two values are equal.
#define GRAPHCAP_WAIT_VALUE_EQ 1
/// The wait ends when the two values have a bit in common.
#define GRAPHCAP_WAIT_VALUE_AND 2
/// The wait ends when some bit is set in neither of the two values.
#define GRAPHCAP_WAIT_VALUE_NOR 3

/// After the wait, the work that follows also sees the writes of other devices that had arrived at this device. For a
/// GPU that supports it; no effect on a host device.
#define GRAPHCAP_WAIT_VALUE_FLUSH 1073741824

/// Whoever sees the value also sees all that the stream wrote before.
#define GRAPHCAP_WRITE_VALUE_DEFAULT 0

/// The value may be seen before earlier writes of the stream. The flag is accepted and has no effect at present,
/// because the driver's functions for such writes do not take it.
#define GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER 1

/// gc_mem_op::kind: a wait for a value of 32 bits, see gc_stream_wait_value32(). The GRAPHCAP_MEM_OP_ numbers are
/// CUDA's.
#define GRAPHCAP_MEM_OP_WAIT_VALUE32 1

/// gc_mem_op::kind: a write of a value of 32 bits, see gc_stream_write_value32().
#define GRAPHCAP_MEM_OP_WRITE_VALUE32 2
/// gc_mem_op::kind: a wait for a value of 64 bits, see gc_stream_wait_value64().
#define GRAPHCAP_MEM_OP_WAIT_VALUE64 4
/// gc_mem_op::kind: a write of a value of 64 bits, see gc_stream_write_value64().
#define GRAPHCAP_MEM_OP_WRITE_VALUE64 5

/// One operation of a batch. Start from GRAPHCAP_MEM_OP_INIT_WAIT32(buffer, offset, value, flags), _WRITE32, _WAIT64 or
/// _WRITE64.
typedef struct gc_mem_op {
    /// sizeof(gc_mem_op).
    uint32_t struct_size;
    /// One of the GRAPHCAP_MEM_OP_ numbers.
    uint32_t kind;
    /// The buffer to write or to read, waitable; NULL with a host_buffer.
    const gc_buffer *buffer;
    /// The offset of the value in the buffer, or in the host buffer, in bytes. The value's address must be a multiple
    /// of its size.
    size_t offset;
    /// The value to write or to compare with; at most 0xffffffff for 32 bits.
    uint64_t value;
    /// GRAPHCAP_WRITE_VALUE_ or GRAPHCAP_WAIT_VALUE_ flags, as the function for a single operation takes them.
    uint32_t flags;
    /// 0.
    uint32_t reserved;
    /// The host buffer to write or to read in the place of buffer; or NULL. It was made with
    /// GRAPHCAP_HOST_BUFFER_MAPPED. A graph keeps it alive.
    const gc_host_buffer *host_buffer;
} gc_mem_op;
/// Initialiser of a gc_mem_op: set kind, buffer, offset, value and flags.
#define GRAPHCAP_MEM_OP_INIT {(uint32_t)sizeof(gc_mem_op), 0, NULL, 0, 0, 0, 0, NULL}
/// Initialiser of a gc_mem_op: a wait for a value of 32 bits.
#define GRAPHCAP_MEM_OP_INIT_WAIT32(buffer, offset, value, flags) \
    {(uint32_t)sizeof(gc_mem_op), GRAPHCAP_MEM_OP_WAIT_VALUE32, (buffer), (size_t)(offset), (uint32_t)(value), \
     (uint32_t)(flags), 0, NULL}
/// Initialiser of a gc_mem_op: a write of a value of 32 bits.
#define GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, offset, value, flags) \
    {(uint32_t)sizeof(gc_mem_op), GRAPHCAP_MEM_OP_WRITE_VALUE32, (buffer), (size_t)(offset), (uint32_t)(value), \
     (uint32_t)(flags), 0, NULL}
/// Initialiser of a gc_mem_op: a wait for a value of 64 bits.
#define GRAPHCAP_MEM_OP_INIT_WAIT64(buffer, offset, value, flags) \
    {(uint32_t)sizeof(gc_mem_op), GRAPHCAP_MEM_OP_WAIT_VALUE64, (buffer), (size_t)(offset), (uint64_t)(value), \
     (uint32_t)(flags), 0, NULL}
/// Initialiser of a gc_mem_op: a write of a value of 64 bits.
#define GRAPHCAP_MEM_OP_INIT_WRITE64(buffer, offset, value, flags) \
    {(uint32_t)sizeof(gc_mem_op), GRAPHCAP_MEM_OP_WRITE_VALUE64, (buffer), (size_t)(offset), (uint64_t)(value), \
     (uint32_t)(flags), 0, NULL}

/// An attribute of a stream: one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers, which are CUDA's. A CUDA device also
/// accepts other attributes that its driver knows.
typedef uint32_t gc_stream_attribute;

/// Addresses that the caches of the device should keep: gc_stream_attribute_value::access_policy_window.
#define GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW 1
/// Way in which a thread waits for the stream: gc_stream_attribute_value::synchronization_policy.
#define GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY 3
/// The priority: gc_stream_attribute_value::priority.
#define GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY 8
/// Domains of the device that the two memory-sync domains map to: gc_stream_attribute_value::memory_sync_domain_map.
#define GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP 9

/// The memory-sync domain of the stream's kernels, which determines whose writes their fences wait for:
/// gc_stream_attribute_value::memory_sync_domain.
#define GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN 10

/// A synchronization policy: as the context's flags say.
#define GRAPHCAP_SYNCHRONIZATION_POLICY_AUTO 1
/// A synchronization policy: the thread spins.
#define GRAPHCAP_SYNCHRONIZATION_POLICY_SPIN 2
/// A synchronization policy: the thread spins and yields.
#define GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD 3
/// A synchronization policy: the thread sleeps.
#define GRAPHCAP_SYNCHRONIZATION_POLICY_BLOCKING_SYNC 4
/// A memory-sync domain: the domain of kernels that state none.
#define GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT 0
/// A memory-sync domain: the domain of kernels that write to other devices.
#define GRAPHCAP_MEMORY_SYNC_DOMAIN_REMOTE 1
/// Treatment of accesses by a cache: as usual.
#define GRAPHCAP_ACCESS_PROPERTY_NORMAL 0
/// Treatment of accesses by a cache: they are unlikely to be repeated.
#define GRAPHCAP_ACCESS_PROPERTY_STREAMING 1
/// Treatment of accesses by a cache: they are likely to be repeated. Only for gc_access_policy_window::hit_property.
#define GRAPHCAP_ACCESS_PROPERTY_PERSISTING 2

/// The value of a stream attribute. It has the layout of CUDA's type, 64 bytes, and therefore no struct_size. The
/// attribute determines which member is used.
typedef union gc_stream_attribute_value {
    /// The whole value, also for attributes that have no member here.
    uint8_t bytes[64];
    /// For GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW.
    gc_access_policy_window access_policy_window;
    /// For GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY: one of the GRAPHCAP_SYNCHRONIZATION_POLICY_ numbers.
    int32_t synchronization_policy;
    /// For GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY: clamped to the range of the context.
    int32_t priority;
    /// For GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP.
    gc_memory_sync_domain_map memory_sync_domain_map;
    /// For GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN: one of the GRAPHCAP_MEMORY_SYNC_DOMAIN_ numbers.
    int32_t memory_sync_domain;
} gc_stream_attribute_value;

/// Makes a stream. CUDA: cuStreamCreateWithPriority.
///
/// @param[in] context  the context that the stream belongs to
GRAPHCAP_NODISCARD gc_status gc_stream_create(const gc_context *context, const gc_stream_options *options,
    gc_stream **stream_out);

/// Makes a handle for a stream that others made: the CUDA runtime, PyTorch or a library.
///
/// graphcap uses the stream as it is. While the stream is captured, what others submit to it is captured too. graphcap
/// or others may capture it; in both cases the graph keeps alive what gc_ calls recorded. Each call asks the driver
/// which capture the stream is in, which costs about 20 ns.
///
/// The stream must be a live CUstream of the primary context. It must outlive the handle and the calls in progress with
/// the handle, so destroy the handle first. Unlike for a gc_ handle, a value that is not a live CUstream is undefined
/// behaviour. NULL means the legacy stream, also in programs built with --default-stream per-thread: pass
/// CU_STREAM_PER_THREAD there.
///
/// @param[in]  context     a context on the device of the stream
/// @param[in]  native      the stream; NULL and CU_STREAM_LEGACY mean the legacy default stream, CU_STREAM_PER_THREAD
///     the per-thread default stream
/// @param[out] stream_out  a handle owned by the caller until gc_stream_destroy(), which leaves the stream itself alone
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT the stream belongs to a context other than the device's primary context
GRAPHCAP_NODISCARD gc_status gc_stream_wrap(const gc_context *context, void *native, gc_stream **stream_out);

/// Destroys a stream. Submitted work still runs. Does not wait. A capture that was begun on the stream is discarded,
/// unless a gc_capture owns it; a gc_capture keeps the stream until the capture is over. CUDA: cuStreamDestroy.
///
/// On a host device, destroying a stream gives up a wait for a value if the value is not there and no work that was
/// submitted to other streams before brings it. The work behind the wait, on the stream or in the replay, is then
/// discarded without being run. The waits of a default stream are given up in the same way when the context is gone. A
/// CUDA device goes on waiting.
///
/// For a wrapped stream only the handle is destroyed. The stream stays as it is, and so does a capture that it is in,
/// unless gc_stream_begin_capture_to_graph() began the capture. The call waits for the calls of other threads, see
/// "What ends at once". Inside a host function it does not wait: there the stream must live until they have returned.
gc_status gc_stream_destroy(gc_stream *stream);

/// Waits until everything submitted to the stream so far has completed. CUDA: cuStreamSynchronize.
///
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured, or a capture bars this thread from waiting;
///     the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_stream_synchronize(const gc_stream *stream);

/// Waits as gc_stream_synchronize() does, but no longer than a given time.
///
/// The rules of captures treat both calls alike. The driver of a CUDA device has no such wait, so graphcap polls it,
/// less and less often the longer the wait takes. There the call also waits for work that others submit meanwhile. If
/// another thread begins to capture the stream meanwhile, the capture is left alone, and the work counts as not
/// complete until the capture is over.
///
/// When the time passes, the message tells of the launches of the context that go on, as far as is known: of graph
/// execs that were made with GRAPHCAP_INSTANTIATE_WATCH the nodes that could run and have not completed, and on the
/// host device the turn of a loop and the node of its body that runs.
///
/// @param[in] nanoseconds  the longest time to wait; 0 checks once, UINT64_MAX waits for ever
/// @retval GRAPHCAP_ERROR_TIMEOUT the time passed before the work completed; the work goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured, or a capture bars this thread from waiting;
///     the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_stream_synchronize_for(const gc_stream *stream, uint64_t nanoseconds);

/// Returns whether everything submitted to the stream so far has completed. Does not wait. CUDA: cuStreamQuery.
///
/// @param[out] complete_out  1 if it has completed, else 0
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured, or a capture bars this thread from asking;
///     the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_stream_is_complete(const gc_stream *stream, int32_t *complete_out);

/// Returns the number by which messages name a stream. It is graphcap's own number: no other stream of the process has
/// it or had it. CUDA: cuStreamGetId.
///
/// @param[out] id_out  the number, at least 1
GRAPHCAP_NODISCARD gc_status gc_stream_id(const gc_stream *stream, uint64_t *id_out);

/// Begins a capture: from now on the stream records its work instead of running it. CUDA: cuStreamBeginCapture.
///
/// Other streams join the capture when they wait for an event that was recorded in it. They must be joined back before
/// the capture ends. The graph keeps alive all objects that gc_ calls use while recording. It does not keep memory that
/// a copy gets as a plain host pointer: each replay reads or writes that memory, which must be valid then.
/// docs/capture.md has all rules of captures, and tells what to do when a capture broke.
///
/// @param[in] stream  the stream; not the legacy stream
GRAPHCAP_NODISCARD gc_status gc_stream_begin_capture(const gc_stream *stream, gc_capture_mode mode);

/// Ends a capture and returns the graph that it recorded. A capture that a gc_capture owns can be ended here too; it is
/// then over for the gc_capture. After a capture into an existing graph, graph_out is another handle to that graph, and
/// each handle is destroyed on its own. This includes a capture that code outside graphcap began into a graph whose
/// native handle was given out. CUDA: cuStreamEndCapture.
///
/// If the call fails, the capture is over too, and an existing graph that it recorded into is lost. There are
/// exceptions. After GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE and GRAPHCAP_ERROR_NOT_PERMITTED the
/// capture goes on. After GRAPHCAP_ERROR_CAPTURE_UNMATCHED it is invalidated, and must still be ended on the stream
/// that it was begun on. After GRAPHCAP_ERROR_INVALID_CONTEXT the graph has what was recorded. In a guarded context the
/// capture goes on, unharmed, also after GRAPHCAP_ERROR_CAPTURE_UNMATCHED, GRAPHCAP_ERROR_CAPTURE_UNJOINED and
/// GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD.
///
/// @param[in] stream  the stream that the capture was begun on
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT code outside graphcap began the capture, into a graph of another context
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED the stream joined a capture that was begun on another stream; the capture
///     is invalidated. Or the capture goes into a graph, and another handle of the stream began it, of another context
///     or wrapped; the capture goes on
GRAPHCAP_NODISCARD gc_status gc_stream_end_capture(const gc_stream *stream, gc_graph **graph_out);

/// Returns whether a stream records its work. CUDA: cuStreamIsCapturing.
///
/// @param[out] capturing_out  1 while a capture is active, 0 when there is no capture or it was broken
GRAPHCAP_NODISCARD gc_status gc_stream_is_capturing(const gc_stream *stream, int32_t *capturing_out);

/// Returns the state of a stream's capture. CUDA: cuStreamIsCapturing.
///
/// @param[out] status_out  one of the GRAPHCAP_CAPTURE_STATUS_ numbers
GRAPHCAP_NODISCARD gc_status gc_stream_capture_status(const gc_stream *stream, gc_capture_state *status_out);

/// Makes the later work of a stream wait for the point that an event marks. The CPU does not wait. An event that was
/// never recorded has no effect. CUDA: cuStreamWaitEvent.
///
/// If the event was recorded in a capture, the stream joins that capture. The stream and the event may belong to
/// different contexts, also on different devices of one kind. So one capture can hold work of several contexts. Its
/// graph belongs to the context of the stream that the capture was begun on, and keeps the other contexts.
///
/// With GRAPHCAP_EVENT_WAIT_EXTERNAL, on a stream that is being captured, the wait becomes a node of the graph,
/// wherever the event was recorded. At that node each replay waits for the record that the event holds when the graph
/// is launched. If the event holds no record then, the replay does not wait. This orders a graph after work outside of
/// it. The graph and the graph execs made from it keep the event.
///
/// @param[in] event  an event of a context on a device of the same kind
/// @param[in] flags  0 or GRAPHCAP_EVENT_WAIT_EXTERNAL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the event was last recorded in a capture that is over or invalid; a capture of
///     the stream is then invalidated
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE GRAPHCAP_EVENT_WAIT_EXTERNAL is set, and the stream is in no capture
/// @retval GRAPHCAP_ERROR_CAPTURE_ISOLATION the stream is being captured and the event was recorded outside of the
///     capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_MERGE the stream and the event are in different captures; both are invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured and the event is one for several processes
///     (GRAPHCAP_EVENT_INTERPROCESS); the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT the stream is the legacy stream, and a blocking stream is being captured or
///     the event was recorded in a capture that goes on; the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_stream_wait_event(const gc_stream *stream, const gc_event *event, uint32_t flags);

/// Copies from host memory into a buffer. CUDA: cuMemcpyHtoDAsync.
///
/// The host memory must stay valid and unchanged until the copy has run. While the stream is captured only the pointer
/// is recorded: the memory is read at each replay. A CUDA device may copy pageable memory during the call, see
/// Asynchrony above.
///
/// @param[in] destination         the buffer to write, of the same context
/// @param[in] destination_offset  the first byte written, counted from the start of the buffer
/// @param[in] source              the first byte read
/// @param[in] size                bytes; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the host memory overlaps the range
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED a strict capture of the stream refuses the host memory
///     (GRAPHCAP_CAPTURE_STRICT)
GRAPHCAP_NODISCARD gc_status gc_stream_memcpy_htod(const gc_stream *stream, const gc_buffer *destination,
    size_t destination_offset, const void *source, size_t size);

/// Copies from a buffer into host memory. CUDA: cuMemcpyDtoHAsync.
///
/// The host memory must stay valid until the copy has run. While the stream is captured only the pointer is recorded:
/// the memory is written at each replay. On a CUDA device a call with pageable memory may return only when the copy has
/// run, see Asynchrony above.
///
/// @param[out] destination    the first byte written
/// @param[in]  source         the buffer to read, of the same context
/// @param[in]  source_offset  the first byte read, counted from the start of the buffer
/// @param[in]  size           bytes; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the host memory overlaps the range
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED a strict capture of the stream refuses the host memory
///     (GRAPHCAP_CAPTURE_STRICT)
GRAPHCAP_NODISCARD gc_status gc_stream_memcpy_dtoh(const gc_stream *stream, void *destination, const gc_buffer *source,
    size_t source_offset, size_t size);

/// Copies between two buffers, or within one buffer. The ranges must not overlap. CUDA: cuMemcpyDtoDAsync.
///
/// @param[in] destination         the buffer to write, of the same context
/// @param[in] destination_offset  the first byte written, counted from the start of the buffer
/// @param[in] source              the buffer to read, of the same context
/// @param[in] source_offset       the first byte read, counted from the start of the buffer
/// @param[in] size                bytes; 0 has no effect
GRAPHCAP_NODISCARD gc_status gc_stream_memcpy_dtod(const gc_stream *stream, const gc_buffer *destination,
    size_t destination_offset, const gc_buffer *source, size_t source_offset, size_t size);

/// Sets elements of a buffer to a value. CUDA: cuMemsetD32Async.
///
/// @param[in] buffer        the buffer to write, of the same context
/// @param[in] offset        the first byte written, counted from the start of the buffer; its address must be a
///     multiple of element_size
/// @param[in] value         the value; bits that do not fit an element are ignored
/// @param[in] element_size  1, 2 or 4 bytes
/// @param[in] count         the number of elements; 0 has no effect
GRAPHCAP_NODISCARD gc_status gc_stream_memset(const gc_stream *stream, const gc_buffer *buffer, size_t offset,
    uint32_t value, uint32_t element_size, size_t count);

/// Runs a function on the CPU when the earlier work of the stream has completed. Later work of the stream waits for the
/// function. CUDA: cuLaunchHostFunc.
///
/// See gc_host_fn for how the function runs and what it may call. While the stream is captured the function is
/// recorded: it runs once per launch of the graph, and never during the capture itself.
///
/// A CUDA device may run the host functions of all streams one at a time, so no host function may wait for another one.
///
/// @param[in] destroy  called exactly once; may be NULL. It is called after function has run; for a recorded function,
///     after the graph and all graph execs made from it are gone; or when this call fails. After a fault of a CUDA
///     device it may never be called, because the driver keeps what it holds
GRAPHCAP_NODISCARD gc_status gc_stream_launch_host_func(const gc_stream *stream, gc_host_fn function, void *user_data,
    gc_destroy_fn destroy);

/// Makes the calling host function or host kernel fail, with a reason. The call returns; then a kernel returns its
/// status, which ends the launch, and a host function returns.
///
/// On a host device the failure faults the context, as a kernel does that returns a number other than 0. The calls that
/// wait for the work give GRAPHCAP_ERROR_CALLBACK, with the reason and the name of the kernel. For a node of a graph
/// the message also has the number and the name of the node, the name of the graph, and the turn of a loop. It has them
/// for every other fault of a node too. gc_context_reset() begins such a context anew. On a CUDA device, where the
/// driver calls the function, all other work goes on. The next call that waits for work of the context gives
/// GRAPHCAP_ERROR_CALLBACK, once, with the first reason.
///
/// In a destroy function the call has no effect.
///
/// @param[in] reason  UTF-8. Of several reasons in one call of the function the first one counts
/// @retval GRAPHCAP_ERROR_CALLBACK the function has failed
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED the thread runs no host function and no host kernel
gc_status gc_host_fail(const char *reason);

/// Launches a kernel. CUDA: cuLaunchKernelEx.
///
/// A shape that the device cannot run breaks the capture of the stream; other wrong arguments do not. A host device
/// runs at most 1024 threads in a block (1024, 1024 and 64 in x, y and z), 2147483647, 65535 and 65535 blocks in x, y
/// and z, and 232448 bytes of shared memory.
///
/// The call copies the arguments and the values that they point to. Buffers among the arguments are kept alive until
/// the launch has run, or by the graph that the launch is recorded into. The number and the sizes of the arguments are
/// checked against the kernel's parameters if these are known, see gc_kernel_parameter_count(). On a CUDA device whose
/// driver is for CUDA 12.4 or newer, the parameters are those of the image. With an older driver they are those that
/// the module's description states for the host kernel of that name.
///
/// gc_launch_config::attributes say how the kernel is launched beyond its shape. An attribute that is unknown, or
/// cannot have its value, is GRAPHCAP_ERROR_INVALID_VALUE. A host device keeps the attributes with the node of a
/// recorded launch, and runs the blocks as always: those of a cooperative launch must not wait for each other.
///
/// @param[in] kernel     a kernel of the same context
/// @param[in] config     the shape of the launch
/// @param[in] arguments  one per parameter of the kernel
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the device cannot have that shape or that much shared memory, or the number of
///     the arguments, or the size of one, does not match the kernel's parameters
GRAPHCAP_NODISCARD gc_status gc_stream_launch_kernel(const gc_stream *stream, const gc_kernel *kernel,
    const gc_launch_config *config, const gc_kernel_arg *arguments, size_t argument_count);

/// Copies as GRAPHCAP_WORK_MEMCPY does on the legacy stream, and returns when the copy has run. The copy runs after the
/// work of the legacy stream and of the blocking streams of the context. Captures of non-blocking streams are not
/// harmed. CUDA: cuMemcpy.
///
/// If another thread begins to capture a blocking stream during the call, the call may fail on a CUDA device while the
/// copy stays queued. The message says so. Host memory must then stay valid until the program has waited for the legacy
/// stream.
///
/// @param[in] context  the context of the buffers
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see GRAPHCAP_WORK_MEMCPY
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT a blocking stream of the context is being captured; the capture is
///     invalidated, unless another thread began it during this call
GRAPHCAP_NODISCARD gc_status gc_context_memcpy(const gc_context *context, const gc_memcpy_params *params);

/// Sets rows as GRAPHCAP_WORK_MEMSET does on the legacy stream, and returns when the memset has run. The memset runs
/// after the work of the legacy stream and of the blocking streams of the context. Captures of non-blocking streams are
/// not harmed. CUDA: cuMemsetD32.
///
/// @param[in] context  the context of the buffer
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see GRAPHCAP_WORK_MEMSET
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT a blocking stream of the context is being captured; the capture is
///     invalidated, unless another thread began it during this call
GRAPHCAP_NODISCARD gc_status gc_context_memset(const gc_context *context, const gc_memset_params *params);

/// Makes several copies, as cuMemcpyBatchAsync does. All of them come after the earlier work of the stream and before
/// its later work. In which order the copies run, and whether several run at once, is not stated, so no copy may write
/// what another copy of the call reads or writes. CUDA: cuMemcpyBatchAsync.
///
/// Each copy works as work of GRAPHCAP_WORK_MEMCPY does, and may have several rows. Plain host memory must not change
/// until the copies have run, unless GRAPHCAP_MEMCPY_SNAPSHOT is set. While the stream is captured each copy is
/// recorded as a node of its own, which depends on the node before it, in the order of the copies.
///
/// All copies are checked before the first one is queued. If one of them is wrong, nothing is done, and
/// failed_index_out is its index. If the device refuses a copy later, any of the others may be queued. If a capture is
/// broken meanwhile, the copies before it are recorded.
///
/// A CUDA device with a driver for CUDA 12.8 or newer queues the copies by one call of the driver. Queued one by one
/// are copies of several rows, snapshots, copies on the legacy stream, copies of host memory on devices that do not
/// take its addresses, and all copies with an older driver. A call with a source in pageable host memory may wait until
/// the stream comes to the copies. A call that writes pageable host memory may return before that: synchronize the
/// stream before the memory is read.
///
/// @param[in]  params            the copies
/// @param[in]  count             the number of copies; 0 has no effect
/// @param[out] failed_index_out  the index of the first copy that failed; SIZE_MAX if the call succeeds, the failure is
///     not that of one copy, or the driver does not tell of which it is; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see GRAPHCAP_WORK_MEMCPY; a capture of the stream goes on
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED a strict capture of the stream refuses plain host memory
///     (GRAPHCAP_CAPTURE_STRICT)
GRAPHCAP_NODISCARD gc_status gc_stream_memcpy_batch(const gc_stream *stream, const gc_memcpy_params *params,
    size_t count, size_t *failed_index_out);

/// Writes a value of 32 bits into a buffer when the earlier work of the stream has completed. CUDA:
/// cuStreamWriteValue32.
///
/// The write ends a wait for the value on any stream. Kernels and the CPU may see the value too. A recorded write is
/// done at each replay.
///
/// @param[in] buffer  the buffer to write, waitable, of the same context
/// @param[in] offset  the first byte written, counted from the start of the buffer; its address must be a multiple of 4
/// @param[in] flags   GRAPHCAP_WRITE_VALUE_DEFAULT or GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER
GRAPHCAP_NODISCARD gc_status gc_stream_write_value32(const gc_stream *stream, const gc_buffer *buffer, size_t offset,
    uint32_t value, uint32_t flags);

/// Writes a value of 64 bits into a buffer when the earlier work of the stream has completed, as
/// gc_stream_write_value32() does. CUDA: cuStreamWriteValue64.
///
/// @param[in] buffer  the buffer to write, waitable, of the same context
/// @param[in] offset  the first byte written, counted from the start of the buffer; its address must be a multiple of 8
/// @param[in] flags   GRAPHCAP_WRITE_VALUE_DEFAULT or GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER
GRAPHCAP_NODISCARD gc_status gc_stream_write_value64(const gc_stream *stream, const gc_buffer *buffer, size_t offset,
    uint64_t value, uint32_t flags);

/// Makes the later work of a stream wait until a value of 32 bits in a buffer meets the condition that flags state.
/// CUDA: cuStreamWaitValue32.
///
/// The value may be written by gc_stream_write_value32() on another stream, by kernels, copies and memsets, and by the
/// CPU if it can reach the buffer. Other streams go on meanwhile; for a recorded wait, other branches of the replay go
/// on too. A wait may miss a value that is there only for a moment. On a host device a wait takes no thread. It sees a
/// value of a gc_ value write at once, and any other value within some milliseconds.
///
/// A call that waits for the stream waits for the value too. Destroying the stream does not wait, see
/// gc_stream_destroy().
///
/// @param[in] buffer  the buffer to read, waitable, of the same context
/// @param[in] offset  the first byte read, counted from the start of the buffer; its address must be a multiple of 4
/// @param[in] value   the value to compare the value in the buffer with
/// @param[in] flags   GRAPHCAP_WAIT_VALUE_GEQ, _EQ, _AND or _NOR; GRAPHCAP_WAIT_VALUE_FLUSH may be combined with it by
///     |
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the GPU does not support the wait or the flag GRAPHCAP_WAIT_VALUE_FLUSH
GRAPHCAP_NODISCARD gc_status gc_stream_wait_value32(const gc_stream *stream, const gc_buffer *buffer, size_t offset,
    uint32_t value, uint32_t flags);

/// Makes the later work of a stream wait until a value of 64 bits in a buffer meets a condition, as
/// gc_stream_wait_value32() does. CUDA: cuStreamWaitValue64.
///
/// @param[in] buffer  the buffer to read, waitable, of the same context
/// @param[in] offset  the first byte read, counted from the start of the buffer; its address must be a multiple of 8
/// @param[in] value   the value to compare the value in the buffer with
/// @param[in] flags   GRAPHCAP_WAIT_VALUE_GEQ, _EQ, _AND or _NOR; GRAPHCAP_WAIT_VALUE_FLUSH may be combined with it by
///     |
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the GPU does not support the wait or the flag GRAPHCAP_WAIT_VALUE_FLUSH
GRAPHCAP_NODISCARD gc_status gc_stream_wait_value64(const gc_stream *stream, const gc_buffer *buffer, size_t offset,
    uint64_t value, uint32_t flags);

/// Does several value writes and value waits one after another, as one piece of work. Either all of them are queued or
/// recorded, or none. Recorded, they are one node. CUDA: cuStreamBatchMemOp.
///
/// Each operation works as the function for a single operation does. A wait therefore holds the operations behind it
/// too.
///
/// @param[in] operations  the operations, in this order
/// @param[in] count       the number of operations, at most 255; 0 has no effect
/// @param[in] flags       0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE value operations refuse a buffer, or an operation is not as gc_mem_op says
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the GPU does not support an operation or the flag GRAPHCAP_WAIT_VALUE_FLUSH
GRAPHCAP_NODISCARD gc_status gc_stream_batch_mem_op(const gc_stream *stream, const gc_mem_op *operations, size_t count,
    uint32_t flags);

/// Returns the flags of a stream: the flags that it was made with, or, for a wrapped stream, the flags that the driver
/// reports. Harms no capture. CUDA: cuStreamGetFlags.
///
/// The driver does not report the flags of a stream that is being captured. If a wrapped stream was being captured when
/// it was wrapped, and is being captured now, the call returns GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED.
///
/// @param[out] flags_out  0 or GRAPHCAP_STREAM_NON_BLOCKING
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the flags are not known, and the driver cannot be asked; the capture goes
///     on
GRAPHCAP_NODISCARD gc_status gc_stream_flags(const gc_stream *stream, uint32_t *flags_out);

/// Returns the priority of a stream, within the range of its context. Harms no capture. The priority of a default
/// stream is 0 until gc_stream_set_attribute() or gc_stream_copy_attributes() changes it. CUDA: cuStreamGetPriority.
///
/// @param[out] priority_out  the priority; lower is more urgent
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED the stream is the per-thread stream, its capture was broken before, and
///     the driver does not return the priority
GRAPHCAP_NODISCARD gc_status gc_stream_priority(const gc_stream *stream, int32_t *priority_out);

/// Returns an attribute of a stream. CUDA: cuStreamGetAttribute.
///
/// A CUDA device returns the driver's value, also for attributes that this header does not know. A host device returns
/// the value that was set, or the initial value of a GPU.
///
/// @param[in]  attribute  one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers
/// @param[out] value_out  the value; all 64 bytes are written, 0 on failure
GRAPHCAP_NODISCARD gc_status gc_stream_get_attribute(const gc_stream *stream, gc_stream_attribute attribute,
    gc_stream_attribute_value *value_out);

/// Sets an attribute of a stream for the work that is submitted from now on. A host device stores the value, and runs
/// the stream as before. CUDA: cuStreamSetAttribute.
///
/// @param[in] attribute  one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers
/// @param[in] value      the value; bytes that the attribute does not use are ignored
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED the capture of the stream was broken before, and the driver does not set
///     the attribute; a host device sets it
GRAPHCAP_NODISCARD gc_status gc_stream_set_attribute(const gc_stream *stream, gc_stream_attribute attribute,
    const gc_stream_attribute_value *value);

/// Copies the attributes of a stream to another stream. The driver determines which attributes are copied. A host
/// device copies all attributes that it stores. CUDA: cuStreamCopyAttributes.
///
/// @param[in] stream  the stream whose attributes are set
/// @param[in] source  the stream whose attributes are read, of the same context
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED the capture of stream or source was broken before, and the driver does
///     not copy the attributes; a host device copies them
GRAPHCAP_NODISCARD gc_status gc_stream_copy_attributes(const gc_stream *stream, const gc_stream *source);

/// @}

/// @defgroup graphcap_events Events
///
/// An event is a point in the work of a stream. gc_event_record() sets it; streams wait for it by
/// gc_stream_wait_event(), the CPU by gc_event_synchronize(), and two events tell the time between them.
///
/// An event that is recorded in a capture holds the point in the capture. A stream that then waits for it joins the
/// capture; before the end, events join it back. Events can be shared with other processes, and be recorded and awaited
/// by the nodes of graphs.
///
/// @{

/// Threads that wait for the event sleep rather than spin.
#define GRAPHCAP_EVENT_BLOCKING_SYNC 1
/// The event takes no time stamps; gc_event_elapsed_time() refuses it.
#define GRAPHCAP_EVENT_DISABLE_TIMING 2
/// Other processes can open the event, see gc_event_ipc_handle(). Requires GRAPHCAP_EVENT_DISABLE_TIMING.
#define GRAPHCAP_EVENT_INTERPROCESS 4

/// gc_event_record(): the record is a node of the graph that is being captured. Each launch of the graph records the
/// event for work outside the graph.
#define GRAPHCAP_EVENT_RECORD_EXTERNAL 1

/// gc_stream_wait_event(): the wait is a node of the graph that is being captured. Each replay waits there for the
/// record that the event holds when the graph is launched.
#define GRAPHCAP_EVENT_WAIT_EXTERNAL 1

/// The handle by which another process opens an event: 64 bytes that only the driver understands. Copy them to that
/// process unchanged.
typedef struct gc_ipc_handle {
    /// The bytes.
    uint8_t bytes[64];
} gc_ipc_handle;

/// Options of a new event. With all members 0 it takes time stamps.
typedef struct gc_event_options {
    /// sizeof(gc_event_options).
    uint32_t struct_size;
    /// 0, or GRAPHCAP_EVENT_ flags combined with |.
    uint32_t flags;
} gc_event_options;
/// Initialiser of a gc_event_options: the defaults.
#define GRAPHCAP_EVENT_OPTIONS_INIT {(uint32_t)sizeof(gc_event_options), 0}

/// Makes an event. It counts as complete until it is first recorded. CUDA: cuEventCreate.
///
/// @param[in] context  the context that the event belongs to
/// @retval GRAPHCAP_ERROR_INVALID_VALUE GRAPHCAP_EVENT_INTERPROCESS comes without GRAPHCAP_EVENT_DISABLE_TIMING
GRAPHCAP_NODISCARD gc_status gc_event_create(const gc_context *context, const gc_event_options *options,
    gc_event **event_out);

/// Destroys an event. Stream waits for the event that were submitted before stay in effect. CUDA: cuEventDestroy.
gc_status gc_event_destroy(gc_event *event);

/// Records an event: the event marks the point that the stream has reached. The event forgets the point that it marked
/// before. CUDA: cuEventRecordWithFlags.
///
/// While the stream is captured the event marks a point in the capture: another stream that waits for it joins the
/// capture, and the CPU cannot wait for it.
///
/// With GRAPHCAP_EVENT_RECORD_EXTERNAL, on a stream that is being captured, the record becomes a node of the graph. The
/// call leaves the event as it is, and the event does not mark a point of the capture. Each launch of the graph records
/// the event as this call does outside of captures, and the event is reached when the replay comes to the node. This
/// measures times inside a graph, with gc_event_elapsed_time(), and lets other streams and the CPU wait for a part of a
/// graph. The graph and the graph execs made from it keep the event.
///
/// @param[in] stream  a stream of any context on the event's device
/// @param[in] flags   0 or GRAPHCAP_EVENT_RECORD_EXTERNAL
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE event and stream belong to two devices of one kind
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE GRAPHCAP_EVENT_RECORD_EXTERNAL is set, and the stream is in no capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured by a CUDA device, and the event was made
///     with GRAPHCAP_EVENT_INTERPROCESS
GRAPHCAP_NODISCARD gc_status gc_event_record(const gc_event *event, const gc_stream *stream, uint32_t flags);

/// Returns whether the point that the event marks was reached. Does not wait. CUDA: cuEventQuery.
///
/// @param[out] complete_out  1 if it was reached or the event was never recorded, else 0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the event was last recorded in a capture that is over or invalid
/// @retval GRAPHCAP_ERROR_CAPTURED_EVENT the event was last recorded in a capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED a capture bars this thread from asking; the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_event_is_complete(const gc_event *event, int32_t *complete_out);

/// Waits until the point that the event marks is reached. Returns at once if it was never recorded. CUDA:
/// cuEventSynchronize.
///
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the event was last recorded in a capture that is over or invalid
/// @retval GRAPHCAP_ERROR_CAPTURED_EVENT the event was last recorded in a capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED a capture bars this thread from waiting; the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_event_synchronize(const gc_event *event);

/// Waits as gc_event_synchronize() does, but no longer than a given time. When that has passed, the message tells what
/// goes on, as that of gc_stream_synchronize_for() does.
///
/// The rules of captures treat both calls alike. The driver of a CUDA device has no such wait, so graphcap polls it,
/// less and less often the longer the wait takes. There, if the event is recorded again meanwhile, the call waits for
/// the new record. If the new record is in a capture, the capture is left alone, and the event counts as not reached
/// until the capture is over.
///
/// @param[in] nanoseconds  the longest time to wait; 0 checks once, UINT64_MAX waits for ever
/// @retval GRAPHCAP_ERROR_TIMEOUT the time passed before the point was reached; the work goes on
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the event was last recorded in a capture that is over or invalid
/// @retval GRAPHCAP_ERROR_CAPTURED_EVENT the event was last recorded in a capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED a capture bars this thread from waiting; the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_event_synchronize_for(const gc_event *event, uint64_t nanoseconds);

/// Returns the time between two events. Events that a graph records (GRAPHCAP_EVENT_RECORD_EXTERNAL) have times too.
/// CUDA: cuEventElapsedTime.
///
/// @param[in]  start             the earlier event
/// @param[in]  end               the later event, of any context on the device of start
/// @param[out] milliseconds_out  the time in milliseconds
/// @retval GRAPHCAP_ERROR_NOT_READY start or end was not reached yet
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE start or end was never recorded, or was made with
///     GRAPHCAP_EVENT_DISABLE_TIMING, or they belong to two devices of one kind
/// @retval GRAPHCAP_ERROR_CAPTURED_EVENT start or end was last recorded in a capture; the capture goes on
/// @retval GRAPHCAP_ERROR_INVALID_VALUE start or end was last recorded in a capture that is over or invalid
GRAPHCAP_NODISCARD gc_status gc_event_elapsed_time(const gc_event *start, const gc_event *end, float *milliseconds_out);

/// Returns the handle by which another process opens an event. The event must have been made with
/// GRAPHCAP_EVENT_INTERPROCESS, and must live while others open it. CUDA: cuIpcGetEventHandle.
///
/// @param[out] handle_out  64 bytes for the other process; all 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE the event was not made for other processes
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the event was not made for other processes
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the device is a host device
GRAPHCAP_NODISCARD gc_status gc_event_ipc_handle(const gc_event *event, gc_ipc_handle *handle_out);

/// Opens an event of another process. Both processes can record it and wait for it. The event takes no time stamps.
/// CUDA: cuIpcOpenEventHandle.
///
/// @param[in] context     a context on the same device
/// @param[in] ipc_handle  the handle that gc_event_ipc_handle() returned in the other process. The driver refuses a
///     handle of the calling process
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE the bytes are not the handle of an event
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the device is a host device
GRAPHCAP_NODISCARD gc_status gc_event_open_ipc_handle(const gc_context *context, const gc_ipc_handle *ipc_handle,
    gc_event **event_out);

/// Returns the number by which messages name an event. No other event of the process has it or had it.
///
/// @param[out] id_out  the number, at least 1
GRAPHCAP_NODISCARD gc_status gc_event_id(const gc_event *event, uint64_t *id_out);

/// @}

/// @defgroup graphcap_work Work as data
///
/// A gc_work describes any work: its kind, a name, and for each kind a pointer to its parameters. One call for each
/// place takes it: gc_stream_submit() gives it to a stream, gc_capture_record() to a capture, gc_graph_add_node() makes
/// it a new node, gc_node_set() and gc_graph_exec_set_node() the work of a node that there is, and gc_script_push() an
/// op.
///
/// The shorthands of C, such as gc_graph_add_kernel_node(), fill a gc_work and make that call. Messages about a
/// shorthand name that call with the kind, and a parameter as the member that it fills: 'work.body_count'.
///
/// @{

/// gc_work::kind: launches kernel with config and arguments, which are checked and copied as by
/// gc_stream_launch_kernel().
///
/// A node has the attributes of the config that nodes can have; one that it cannot have is
/// GRAPHCAP_ERROR_INVALID_VALUE. A node of a graph that is set keeps its other attributes. In a graph exec the
/// attributes stay: a config can only say what they are, and the kernel is one for the device of the node. Scripts and
/// nodes take no attribute that records an event.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: the device cannot have that shape or that much shared memory, or the arguments do not
/// match the kernel's parameters. GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES, GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE,
/// GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: as for every launch.
#define GRAPHCAP_WORK_KERNEL 1

/// gc_work::kind: makes the copy of memcpy_params: one row, or rows in two or three dimensions.
///
/// Host memory must stay valid until the copy has run, and the bytes that the copy reads must not change until then.
/// Captures, graphs and scripts take a plain pointer as it is: each replay reads or writes the memory.
/// GRAPHCAP_MEMCPY_SNAPSHOT saves the bytes during the call. A size, height or depth of 0 copies nothing; a node copies
/// at least a byte.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: a member is set that the direction does not use, host memory that it uses is NULL, a
/// pitch is less than size, a slice height is less than height, a range does not lie within its buffer, or the two
/// sides overlap. GRAPHCAP_ERROR_INVALID_CONTEXT: a stream copies without GRAPHCAP_MEMCPY_PEER, and a buffer is of
/// another context. GRAPHCAP_ERROR_NOT_PERMITTED: a strict capture refuses plain host memory. In a graph exec the
/// direction, the device of the memory, and the extent of a copy of several rows stay; on a CUDA device a node that
/// copies between managed and pinned memory takes no pageable memory, with which the launch would fault.
#define GRAPHCAP_WORK_MEMCPY 2

/// gc_work::kind: sets the rows of memset_params. A width or height of 0 sets nothing; a node sets at least an element.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: element_size is not 1, 2 or 4, the first address or the pitch is not a multiple of it,
/// the pitch is less than a row, the rows do not lie within the buffer, or the host buffer is not mapped. In a graph
/// exec the device of the memory and the extent of several rows stay.
#define GRAPHCAP_WORK_MEMSET 3

/// gc_work::kind: calls function with user_data on the CPU, once per launch of a graph; see gc_host_fn. destroy is
/// called when nothing will call function any more: the work has run; or the graph, the graph execs, the node's later
/// work and the script have let go of it. On a CUDA device a graph exec lets go of a function that came from its graph
/// when it is destroyed.
#define GRAPHCAP_WORK_HOST 4

/// gc_work::kind: runs a copy of graph, as it is at the call; a script copies it when the op is recorded. A stream
/// takes it while it is being captured.
///
/// GRAPHCAP_ERROR_NOT_SUPPORTED: the graph has conditions or allocations of its own, or belongs to a node.
/// GRAPHCAP_ERROR_INVALID_VALUE: it is the graph that it would be put into, or has that within a node.
#define GRAPHCAP_WORK_CHILD_GRAPH 5

/// gc_work::kind: runs bodies depending on a value. conditional_kind is one of the GRAPHCAP_CONDITIONAL_ numbers.
///
/// With condition, which gc_graph_create_condition() made and no node has yet, it is a conditional node of body_count
/// bodies. They are empty; gc_node_get_graph() gives them to be filled, with kernel, copy, memset, empty, child and
/// conditional nodes. A stream takes it while it is being captured.
///
/// With buffer, offset and bodies, which are scripts, the value is the 4 bytes at offset of buffer, whose address is a
/// multiple of 4, as they are when the graph comes there; GRAPHCAP_CONDITIONAL_WHILE looks again after each turn.
/// Scripts take only this form. A body can have kernels, copies, memsets, child graphs, and up to 8 conditionals within
/// each other; the ops between these become child graphs within the conditional node. A body with work of another kind
/// is refused at once; what ops of the caller's and child graphs have is found when the graph is instantiated.
///
/// GRAPHCAP_ERROR_NOT_SUPPORTED: the driver is for a version of CUDA before 12.3, or before 12.8 for a second body and
/// for GRAPHCAP_CONDITIONAL_SWITCH. GRAPHCAP_ERROR_OUT_OF_MEMORY: on the host device also for more than 1048576 bodies.
/// GRAPHCAP_ERROR_CAPTURE_INVALIDATED and GRAPHCAP_ERROR_LIBRARY: as for GRAPHCAP_WORK_SGEMM, for a node whose bodies
/// are scripts.
#define GRAPHCAP_WORK_CONDITIONAL 6

/// gc_work::kind: records event. With GRAPHCAP_EVENT_RECORD_EXTERNAL in flags, and in graphs and scripts always, each
/// launch of the graph records it, and streams outside the graph wait for the record. Otherwise it marks what the
/// stream has done so far, as gc_event_record() does; in a capture, another stream that waits for it joins the capture.
///
/// GRAPHCAP_ERROR_INVALID_HANDLE: the event and the stream belong to two devices of one kind.
/// GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: a CUDA device captures the stream, and the event is one for several processes.
/// GRAPHCAP_ERROR_INVALID_VALUE: a graph cannot record it.
#define GRAPHCAP_WORK_EVENT_RECORD 7

/// gc_work::kind: waits for event. With GRAPHCAP_EVENT_WAIT_EXTERNAL in flags, and in graphs and scripts always, each
/// launch of the graph waits for the record that the event holds then. Otherwise what comes next waits for what the
/// event marks, as gc_stream_wait_event() does; in a capture, that joins streams which the capture forked to.
///
/// GRAPHCAP_ERROR_CAPTURE_ISOLATION: the stream is captured, and the event was recorded outside of captures.
/// GRAPHCAP_ERROR_CAPTURE_MERGE: it was recorded in another capture, which is invalidated too.
/// GRAPHCAP_ERROR_INVALID_VALUE: it was last recorded in a capture that is over, or a graph cannot wait for it.
/// GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: it is one for several processes. These invalidate the capture.
#define GRAPHCAP_WORK_EVENT_WAIT 8

/// gc_work::kind: nothing: where edges meet. For new nodes.
#define GRAPHCAP_WORK_EMPTY 9

/// gc_work::kind: writes values into buffers and waits for values there, one after another, as gc_stream_batch_mem_op()
/// does: the operations, at most 255. A node has at least one.
#define GRAPHCAP_WORK_MEM_OPS 10

/// gc_work::kind: allocates size bytes of device memory, in each launch at the same address. For new nodes of graphs;
/// gc_node_get_buffer() gives the buffer, which other nodes take as any buffer.
///
/// Order the nodes that use the memory after the allocation, and before the free. Memory that the graph does not free
/// is allocated until work of GRAPHCAP_WORK_MEM_FREE, of a stream or of a graph, or the next launch of a graph exec
/// with GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH frees it. A launch fails if the memory is still allocated. A launch
/// that frees the memory fails if the memory is not allocated. While it is allocated, streams can use the buffer as
/// well; while it is not, their copies and memsets are refused. A kernel that uses it then faults on a CUDA device, and
/// reads and writes undefined values on a host device.
///
/// Destroying the buffer frees nothing, as long as another handle, a graph or a graph exec has the memory. When none
/// has it any more, it is freed behind the work that uses it. A graph with allocation or free nodes cannot be copied or
/// become a child node, keeps its nodes and edges, and has one graph exec at a time. If a conditional body has such a
/// node, gc_graph_instantiate() returns GRAPHCAP_ERROR_INVALID_VALUE for the outermost graph.
///
/// If a node allocates memory after another node has freed the same number of bytes, both allocations can have the same
/// address. The memory is for kernels, copies and memsets of its context, and for nodes of other contexts on its
/// device. Value operations and other work refuse it. GRAPHCAP_ERROR_NOT_SUPPORTED: the graph is that of a child node.
#define GRAPHCAP_WORK_MEM_ALLOC 11

/// gc_work::kind: frees buffer, which a node of a graph allocates. For new nodes, and for streams, which free what a
/// launch left allocated; then the graph can be launched again.
///
/// In the graph that allocates it, one node frees an allocation, and then no node of another graph can. Nodes of
/// several other graphs can free it, as long as no node of its own graph does; a launch that finds it free is refused.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: the memory is not allocated, the buffer is none that a node allocates, or, in a graph,
/// a node frees it already, or a graph exec was made of the graph that leaves it allocated.
/// GRAPHCAP_ERROR_NOT_SUPPORTED: the graph is that of a child node. GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: the stream is
/// not captured, and a capture bars this thread from freeing memory; that capture is invalidated.
#define GRAPHCAP_WORK_MEM_FREE 12

/// gc_work::kind: sets condition to the 4 bytes at offset of buffer, whose address is a multiple of 4, or to the value
/// of scalar, which is a number of 32 bits, as they are when the work runs. So any kernel decides about a conditional,
/// and gc_scalar_update(). For new nodes, and for streams that are being captured.
///
/// It is a kernel node of one thread. The conditional node that is to see the value depends on it. A while is decided
/// anew by such work at the end of its body.
#define GRAPHCAP_WORK_SET_CONDITION 13

/// gc_work::kind: multiplies the matrices of sgemm_params. A product of no elements does nothing.
///
/// As a node, work of this kind and of those below is a child graph, which is recorded during the call.
/// GRAPHCAP_ERROR_CAPTURE_INVALIDATED: another thread made a call meanwhile that breaks captures of the context; call
/// again. GRAPHCAP_ERROR_LIBRARY: the library is missing. GRAPHCAP_ERROR_UNKNOWN: it failed otherwise, as it may while
/// a blocking stream is captured; the message has its number.
#define GRAPHCAP_WORK_SGEMM 16

/// gc_work::kind: makes the Fourier transforms of fft_params, from real numbers to complex ones.
#define GRAPHCAP_WORK_FFT_R2C 17
/// gc_work::kind: makes the Fourier transforms of fft_params, from complex numbers to real ones.
#define GRAPHCAP_WORK_FFT_C2R 18

/// gc_work::kind: fills floats with the random numbers of rng_uniform_params, at least 0 and below 1. The float of an
/// element is its upper 24 bits over 2^24, exactly. So the bits are the same on all devices. Element i is described at
/// gc_rng_create(). A script names the op "uniform" unless name says otherwise.
///
/// The fill draws the next numbers of the generator whenever it runs; a recorded one at each replay. The fills of a
/// capture have one node in common, without dependencies, which takes the numbers of all of them. They share these in
/// the order of the calls, on whatever streams, so branches draw the same numbers however they run. Captures into one
/// graph count as one; the body of a conditional node draws by a node of its own, at each turn.
///
/// Replays of several recordings, and fills that are not recorded, may run at the same time: each has numbers of its
/// own. The launches of all graph execs of one recording, of its copies, and of graphs that it is a child of take
/// turns, on whatever streams. A launch answers GRAPHCAP_ERROR_BUSY where the launch before was on another stream, has
/// no event behind it, and that stream is being captured by now. Two uses as a child within one graph are not kept
/// apart: order them. With GRAPHCAP_RNG_REPEAT the fill has the same numbers each time, and takes nothing.
///
/// GRAPHCAP_ERROR_INVALID_VALUE: first is not 0 without GRAPHCAP_RNG_REPEAT, or the floats overrun the buffer or are
/// not aligned. GRAPHCAP_ERROR_NOT_SUPPORTED: the next numbers were asked for in a capture that others began; it goes
/// on. GRAPHCAP_ERROR_ILLEGAL_STATE: another thread ended the capture meanwhile. GRAPHCAP_ERROR_NOT_PERMITTED: the next
/// numbers were asked for in a capture that another thread began on its per-thread stream.
#define GRAPHCAP_WORK_RNG_UNIFORM 24

/// Work as data: what a stream does, a node, or an op of a script. Start from GRAPHCAP_WORK_INIT, set kind, and the
/// members that the kind names; the others stay 0. All of it is read during the call, which copies what the struct
/// points to. What takes the work keeps alive the objects that it uses. GRAPHCAP_ERROR_INVALID_VALUE: it is NULL, its
/// kind is unknown, or a member that the kind does not name is not 0.
typedef struct gc_work {
    /// sizeof(gc_work).
    uint32_t struct_size;
    /// A GRAPHCAP_WORK_ number.
    uint32_t kind;
    /// The name of the node, of at most 1024 bytes, or of the op, UTF-8; NULL for none, and for an op that of its kind.
    /// A stream names the node that it records; outside of captures it has no use for a name. Nodes of a graph exec
    /// have the names of their graph's: there it is NULL.
    const char *name;
    /// GRAPHCAP_WORK_KERNEL: the kernel.
    const gc_kernel *kernel;
    /// GRAPHCAP_WORK_KERNEL: the shape of the launch.
    const gc_launch_config *config;
    /// GRAPHCAP_WORK_KERNEL: one for each parameter of the kernel.
    const gc_kernel_arg *arguments;
    /// GRAPHCAP_WORK_KERNEL: the number of arguments.
    size_t argument_count;
    /// GRAPHCAP_WORK_MEMCPY: the copy.
    const gc_memcpy_params *memcpy_params;
    /// GRAPHCAP_WORK_MEMSET: the rows.
    const gc_memset_params *memset_params;
    /// GRAPHCAP_WORK_HOST: the function.
    gc_host_fn function;
    /// GRAPHCAP_WORK_HOST: passed to function and to destroy; may be NULL.
    void *user_data;
    /// GRAPHCAP_WORK_HOST: called exactly once, also when the call fails after it has read this struct; may be NULL.
    /// After a fault of a CUDA device it may never be called.
    gc_destroy_fn destroy;
    /// GRAPHCAP_WORK_CHILD_GRAPH: the graph.
    const gc_graph *graph;
    /// GRAPHCAP_WORK_EVENT_RECORD and GRAPHCAP_WORK_EVENT_WAIT: the event.
    const gc_event *event;
    /// GRAPHCAP_WORK_CONDITIONAL with scripts and GRAPHCAP_WORK_SET_CONDITION: where the value is.
    /// GRAPHCAP_WORK_MEM_FREE: what is freed.
    const gc_buffer *buffer;
    /// The first byte of the value in buffer.
    size_t offset;
    /// GRAPHCAP_WORK_CONDITIONAL: a GRAPHCAP_CONDITIONAL_ number.
    uint32_t conditional_kind;
    /// GRAPHCAP_WORK_CONDITIONAL: the number of bodies: 1 or 2 of an if, the second for 0; 1 of a while; at least 1 of
    /// a switch.
    uint32_t body_count;
    /// GRAPHCAP_WORK_CONDITIONAL: the scripts that become the bodies, as they are now; NULL with condition.
    const gc_script *const *bodies;
    /// GRAPHCAP_WORK_RNG_UNIFORM: what is filled, and with what.
    const gc_rng_uniform_params *rng_uniform_params;
    /// GRAPHCAP_WORK_SGEMM: the matrices.
    const gc_sgemm_params *sgemm_params;
    /// GRAPHCAP_WORK_FFT_R2C and GRAPHCAP_WORK_FFT_C2R: the transforms.
    const gc_fft_params *fft_params;
    /// GRAPHCAP_WORK_MEM_OPS: the operations, in this order.
    const gc_mem_op *operations;
    /// GRAPHCAP_WORK_MEM_OPS: the number of operations.
    size_t operation_count;
    /// GRAPHCAP_WORK_CONDITIONAL and GRAPHCAP_WORK_SET_CONDITION: a condition of the graph, or of the outermost graph
    /// of a body, of gc_graph_create_condition().
    gc_condition condition;
    /// GRAPHCAP_WORK_SET_CONDITION: the scalar instead of buffer and offset.
    const gc_scalar *scalar;
    /// GRAPHCAP_WORK_MEM_ALLOC: bytes, at least 1.
    size_t size;
    /// GRAPHCAP_WORK_EVENT_RECORD: 0 or GRAPHCAP_EVENT_RECORD_EXTERNAL. GRAPHCAP_WORK_EVENT_WAIT: 0 or
    /// GRAPHCAP_EVENT_WAIT_EXTERNAL.
    uint32_t flags;
    /// 0.
    uint32_t reserved;
} gc_work;
/// Initialiser of a gc_work: no kind; set it, and what it names.
#define GRAPHCAP_WORK_INIT \
    {(uint32_t)sizeof(gc_work), 0, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, \
     NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, 0, 0, 0}

/// Submits work to a stream. It runs in the stream's order, or is recorded if the stream is being captured.
///
/// Every kind of work but GRAPHCAP_WORK_EMPTY and GRAPHCAP_WORK_MEM_ALLOC is work of a stream.
/// GRAPHCAP_WORK_CHILD_GRAPH, a conditional by condition, and GRAPHCAP_WORK_SET_CONDITION need a stream that is being
/// captured: they become nodes behind what the stream recorded last, and what it records next depends on them. This is
/// short for gc_stream_capture_graph(), gc_stream_capture_frontier(), gc_graph_add_node() and
/// gc_stream_update_capture_dependencies(), with their rules for threads and for captures that others began. Where the
/// last of the four fails, the node is removed, unless the capture goes on: then it stays in the graph, and nothing
/// waits for it.
///
/// A capture into a body, or into the graph of a child node, puts such a node there when it ends, as it does all that
/// it recorded: gc_node_get_graph() gives the graphs of the node from then on. The copy of a child is made at once.
///
/// @param[out] node_out  the node that was recorded; 0 where no capture goes on, and where the work is not one node
///     that the stream goes on from, as a mark of an event or a copy of no bytes; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the work is none of a stream, or is wrong: see gc_work and its kind
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE the work needs a capture, and the stream is in none
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED code outside graphcap began the capture that the work needs, or scripts are to
///     be bodies in a capture into a body
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the work cannot be captured; the capture is broken
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT the stream is the legacy stream and a blocking stream of the context is
///     being captured: that capture is invalidated, but goes on where the work needs a capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED the work needs a capture, and another thread began it on its per-thread stream
GRAPHCAP_NODISCARD gc_status gc_stream_submit(const gc_stream *stream, const gc_work *work, gc_node *node_out);

/// @}

/// @defgroup graphcap_capture Capture
///
/// A capture turns the work of streams into a graph: gc_stream_begin_capture(), the work, gc_stream_end_capture(). The
/// rules are CUDA's: a call that would need the work to run breaks the capture, and the mode says which calls of which
/// threads do. The graph keeps alive all that the work uses.
///
/// gc_stream_capture_violation() tells which call broke a capture, where, and by which rule. gc_stream_capture()
/// captures the work of a function and always ends the capture. A gc_capture is a capture as an object: destroying the
/// object ends the capture.
///
/// The legacy stream cannot be captured: GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED. A call about a capture gives
/// GRAPHCAP_ERROR_ILLEGAL_STATE when the stream is not being captured, and one that begins a capture when it is, or
/// cannot be recorded. An end gives GRAPHCAP_ERROR_CAPTURE_UNJOINED when a stream that joined was not joined back, and
/// GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD when another thread began the capture, in a mode other than relaxed. A capture
/// of a per-thread stream is its thread's alone; calls of others give GRAPHCAP_ERROR_NOT_PERMITTED.
///
/// gc_stream_capture_info(), gc_stream_capture_frontier(), gc_stream_capture_graph(), gc_stream_export_capture_dot()
/// and gc_stream_update_capture_dependencies() harm no capture. On a CUDA device no other thread may record into that
/// capture during such a call.
///
/// @{

/// The answer of gc_stream_capture_info(). If status is not GRAPHCAP_CAPTURE_STATUS_ACTIVE, the members after status
/// are 0.
typedef struct gc_capture_info {
    /// sizeof(gc_capture_info). Set it before the call.
    uint32_t struct_size;
    /// One of the GRAPHCAP_CAPTURE_STATUS_ numbers.
    gc_capture_state status;
    /// The number of the capture. All streams in a capture have the same number. The numbers grow from capture to
    /// capture on one device. All captures into one existing graph have the number of that graph.
    uint64_t id;
    /// The number of nodes in the graph so far.
    size_t node_count;
    /// The number of edges in the graph so far.
    size_t edge_count;
    /// The number of nodes that the next recorded work of the stream will depend on. gc_stream_capture_frontier() lists
    /// them.
    size_t frontier_count;
    /// On a CUDA device the CUgraph, valid until the capture ends. Nodes may be added and edited. The graph and its
    /// nodes must not be destroyed. NULL on the host device.
    void *native_graph;
    /// In a strict capture, the number of calls by which the thread that began it had work executed on streams outside
    /// of it, or was refused that in a guarded context; see GRAPHCAP_CAPTURE_STRICT. 0 in other captures.
    uint64_t work_outside;
} gc_capture_info;
/// Initialiser of a gc_capture_info: empty.
#define GRAPHCAP_CAPTURE_INFO_INIT {(uint32_t)sizeof(gc_capture_info), 0, 0, 0, 0, 0, NULL, 0}

/// The nodes are added to the nodes that the next work depends on.
#define GRAPHCAP_CAPTURE_DEPENDENCIES_ADD 0
/// The nodes replace the nodes that the next work depends on.
#define GRAPHCAP_CAPTURE_DEPENDENCIES_SET 1

/// The rule that a call violated when it broke a capture: one of the GRAPHCAP_VIOLATION_ numbers. Later versions may
/// have more.
typedef int32_t gc_violation;

/// graphcap has found nothing that broke the capture.
#define GRAPHCAP_VIOLATION_NONE 0
/// An unsafe call that the mode of the capture bars for the calling thread.
#define GRAPHCAP_VIOLATION_UNSAFE_CALL 1
/// A call that is not allowed on a stream in a capture: waiting for it, asking whether it is complete.
#define GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM 2
/// A wait for a whole context that has a stream in a capture.
#define GRAPHCAP_VIOLATION_WHOLE_CONTEXT 3

/// A query of, or a wait for, an event that was recorded in the capture; or a wait in the capture for an event of a
/// capture that is over.
#define GRAPHCAP_VIOLATION_CAPTURED_EVENT 4

/// Work on the legacy stream while a blocking stream was being captured.
#define GRAPHCAP_VIOLATION_LEGACY_STREAM 5
/// A call that would have made a stream of the capture wait for work from outside the capture.
#define GRAPHCAP_VIOLATION_ISOLATION 6
/// A call that would have made a stream of one capture wait for another capture.
#define GRAPHCAP_VIOLATION_MERGE 7
/// The capture was ended on a stream that had joined it.
#define GRAPHCAP_VIOLATION_UNMATCHED_END 8
/// The capture was ended while work of forked streams was not joined.
#define GRAPHCAP_VIOLATION_UNJOINED 9
/// The capture was ended by a thread that may not end it.
#define GRAPHCAP_VIOLATION_WRONG_THREAD 10
/// A launch of an impossible shape on a stream of the capture.
#define GRAPHCAP_VIOLATION_SHAPE 11
/// A call outside graphcap, as far as the graphcap calls that have returned show.
#define GRAPHCAP_VIOLATION_OUTSIDE 12

/// The capture is strict and is not broken, but work went past it: the thread that began it had work executed on
/// streams outside of the capture, or was refused that in a guarded context. See GRAPHCAP_CAPTURE_STRICT.
#define GRAPHCAP_VIOLATION_WORK_OUTSIDE 13

/// The capture is strict, and the last call that was to record into it before its end failed. See
/// GRAPHCAP_CAPTURE_STRICT.
#define GRAPHCAP_VIOLATION_LAST_FAILED 14

/// A launch of a graph on a stream of the capture.
#define GRAPHCAP_VIOLATION_GRAPH_LAUNCH 15

/// A function that gc_stream_capture() calls while the stream is being captured. It submits the work to record, to the
/// stream that it gets or to streams that it forks to and joins.
///
/// It runs once, on the thread that called gc_stream_capture(), and may make any gc_ and CUDA call that a capture
/// allows.
///
/// @return GRAPHCAP_SUCCESS, or any other number to discard the capture, which gc_stream_capture() then returns
typedef gc_status (*gc_capture_fn)(const gc_stream *stream, void *user_data);

/// gc_capture_options::flags: the capture is strict. What would go wrong in silence is refused or told.
/// GRAPHCAP_CONTEXT_STRICT makes all captures of a context strict. While no strict capture is open, the flag costs next
/// to nothing.
///
/// Host memory: a graph does not keep plain host memory alive. A strict capture refuses a copy that reads or writes
/// plain host memory with GRAPHCAP_ERROR_NOT_PERMITTED: nothing is recorded, and the capture goes on. Copy through a
/// gc_host_buffer, which the graph keeps, or record the bytes that are there now with GRAPHCAP_MEMCPY_SNAPSHOT. An
/// address that lies in a live host buffer or managed buffer of the stream's context is taken, and the graph keeps that
/// buffer.
///
/// Work outside: work that the thread which began the capture has executed on other streams runs once, and no replay
/// repeats it. Each such call is counted, in gc_capture_info::work_outside and by gc_stream_capture_violation() as
/// GRAPHCAP_VIOLATION_WORK_OUTSIDE. On a stream of a guarded context it is counted and refused, with
/// GRAPHCAP_ERROR_NOT_PERMITTED, and the capture goes on. Counted are kernels, copies, memsets, value operations, host
/// functions, updates and reads of scalars, calls of libraries, and launches of graph execs, in contexts on devices of
/// the same kind. Not counted are work that another capture records, and what is submitted without graphcap.
///
/// Failed calls: if a call that was to record work or to order it fails, its status is ignored, and no call has
/// recorded anything after it, the end of the capture returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED, its message names the
/// call that failed, and gc_stream_capture_violation() reports GRAPHCAP_VIOLATION_LAST_FAILED.
#define GRAPHCAP_CAPTURE_STRICT 1

/// gc_capture_options::flags: the end of the capture notes the memory that the recorded work names by its address, so
/// that memory which is gone is told before a replay uses it: memory whose address stands in work that other code
/// recorded, such as kernels of PyTorch or of a library, or in a value argument. A graph does not keep such memory.
///
/// The end of the capture reads each node once, and notes for each address the allocation that it lies in. Memory that
/// was freed and allocated again at the same address is seen. gc_graph_instantiate(), gc_graph_exec_update() and
/// gc_graph_exec_apply() then ask once for each allocation, and refuse a graph that names memory which is gone with
/// GRAPHCAP_ERROR_INVALID_VALUE, before the driver sees it; the message has node, kernel, parameter and address.
/// gc_graph_exec_check() asks for an exec. Clones of the graph, and graphs that have it as a child, are checked as
/// well.
///
/// Each aligned word of 8 bytes counts that the device knows as an address at the end, so a value can be noted that
/// looks like one. Memory that graphs allocate counts while it is allocated. docs/what-a-graph-keeps.md tells what is
/// not seen, as pointers that lie in memory, and memory that an allocator hands on without freeing it. A node that is
/// set later, or whose buffer is replaced, is passed over. If the driver does not tell the nodes, nothing is noted.
///
/// GRAPHCAP_CHECK=1 in the environment sets the flag for all captures that gc_ calls begin or record into, and end.
#define GRAPHCAP_CAPTURE_NOTE_MEMORY 2

/// Options of a capture. Start from GRAPHCAP_CAPTURE_OPTIONS_INIT.
typedef struct gc_capture_options {
    /// sizeof(gc_capture_options).
    uint32_t struct_size;
    /// Any of GRAPHCAP_CAPTURE_STRICT and GRAPHCAP_CAPTURE_NOTE_MEMORY; 0 for none.
    uint32_t flags;
    /// The modules that gc_capture_record_kernel() searches for kernels, the first one first. They belong to the
    /// stream's context. The array is copied; the modules are kept while the capture goes on. NULL for none.
    const gc_module *const *modules;
    /// Number of modules; 0 when modules is NULL.
    size_t module_count;
    /// A pool of the stream's context, which the capture keeps, and so do its graph and the graph execs made of that.
    /// NULL for none.
    const gc_pool *pool;
    /// A graph of the stream's context, which may already have nodes and which the capture goes into, see
    /// gc_capture_begin(). NULL for a new graph. Not together with a pool: gc_stream_end_capture_with_pool() takes one.
    const gc_graph *graph;
    /// The nodes of graph that the first recorded work depends on. A node that is listed twice counts once. NULL for
    /// none.
    const gc_node *dependencies;
    /// The number of dependencies; 0 when dependencies is NULL.
    size_t dependency_count;
} gc_capture_options;
/// Initialiser of a gc_capture_options: no modules, no pool, not strict, a new graph.
#define GRAPHCAP_CAPTURE_OPTIONS_INIT {(uint32_t)sizeof(gc_capture_options), 0, NULL, 0, NULL, NULL, NULL, 0}

/// Describes the capture that a stream is in: its status, its number, and the size of its graph so far. CUDA:
/// cuStreamGetCaptureInfo.
GRAPHCAP_NODISCARD gc_status gc_stream_capture_info(const gc_stream *stream, gc_capture_info *info_out);

/// Lists the nodes that the next work recorded on a stream will depend on. There are none before the first work of a
/// capture, and none if the stream is not being captured or its capture was broken.
GRAPHCAP_NODISCARD gc_status gc_stream_capture_frontier(const gc_stream *stream, gc_node *nodes_out, size_t capacity,
    size_t *needed);

/// Writes the graph that a stream's capture has recorded so far in Graphviz's DOT language, as gc_graph_export_dot()
/// does, without the names of nodes and events and without what lies within child nodes and conditional nodes.
///
/// @param[in] stream  a stream that is being captured
/// @param[in] flags   0 or GRAPHCAP_DOT_ flags
GRAPHCAP_NODISCARD gc_status gc_stream_export_capture_dot(const gc_stream *stream, uint32_t flags, char *text,
    size_t capacity, size_t *needed);

/// Sets the nodes that the next work recorded on a stream depends on, and what the edges from them carry. CUDA:
/// cuStreamUpdateCaptureDependencies.
///
/// With GRAPHCAP_CAPTURE_DEPENDENCIES_SET and no nodes, the next work depends on nothing and starts a branch of its
/// own. Nodes that GRAPHCAP_CAPTURE_DEPENDENCIES_SET takes away need not be joined before the end of the capture. Of a
/// node that is listed twice the first entry counts. If the next work is no kernel, a host device makes edges that
/// carry nothing. On a CUDA device a node may also be one that others added to the graph, by the name that
/// gc_stream_capture_frontier() or gc_graph_get_nodes() lists.
///
/// @param[in] stream  a stream that is being captured
/// @param[in] nodes   nodes of the graph that is captured into
/// @param[in] data    what the edge from each node carries; NULL for nothing
/// @param[in] flags   GRAPHCAP_CAPTURE_DEPENDENCIES_ADD or GRAPHCAP_CAPTURE_DEPENDENCIES_SET
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an edge cannot carry its data; the capture goes on as it was
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED an edge is to carry something, and the driver is older than 12.3
GRAPHCAP_NODISCARD gc_status gc_stream_update_capture_dependencies(const gc_stream *stream, const gc_node *nodes,
    const gc_edge_data *data, size_t count, uint32_t flags);

/// Reports what broke the capture that a stream is in, or what went past it if it is strict. If the stream is in no
/// capture, reports on the latest capture that was begun or ended on it.
///
/// The text names the call, its stream (by gc_stream_id()), its thread (by the operating system's number), the time
/// since the capture began, the rule, and what to do instead. For work that was not joined it names the streams, and
/// the events that forked them (by gc_event_id()). For a call outside graphcap it names the graphcap calls before and
/// after it, and quotes the driver's log if the driver keeps one (CUDA 12.9). The message of each later failure of the
/// capture holds the same text, which may be cut there.
///
/// For GRAPHCAP_VIOLATION_WORK_OUTSIDE the text names the first call by which work went past the capture, its stream,
/// and how many calls followed. It is reported while nothing broke the capture, also after its end.
///
/// graphcap finds another violation when one of its own calls fails. A capture that was broken from outside can
/// therefore be invalidated while this function still reports GRAPHCAP_VIOLATION_NONE. If the call that broke the
/// capture runs on another thread and has not returned yet, this function reports GRAPHCAP_VIOLATION_OUTSIDE at first.
/// A capture of a per-thread stream is reported to its own thread only.
///
/// @param[out] violation_out  one of the GRAPHCAP_VIOLATION_ numbers
/// @param[out] text           what happened, in words; empty for GRAPHCAP_VIOLATION_NONE
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL the text did not fit and was cut; violation_out was written
GRAPHCAP_NODISCARD gc_status gc_stream_capture_violation(const gc_stream *stream, gc_violation *violation_out,
    char *text, size_t capacity, size_t *needed);

/// Exchanges the capture mode of the calling thread. A second call with the mode that this call returned restores it.
/// CUDA: cuThreadExchangeStreamCaptureMode.
///
/// gc_capture_mode tells which unsafe calls captures bar. A thread that has to make an unsafe call beside captures, and
/// knows that the call harms none of them, makes itself relaxed for the time of the call.
///
/// Threads begin with GRAPHCAP_CAPTURE_MODE_GLOBAL. The mode applies to all devices. It is also CUDA's mode of the
/// thread, as cuThreadExchangeStreamCaptureMode() and the CUDA runtime know it. The first gc_ call that needs the
/// driver loads it. A thread that sets its mode before then passes the mode on to CUDA with its first gc_ call that the
/// mode affects.
///
/// @param[in,out] mode  in: one of the GRAPHCAP_CAPTURE_MODE_ numbers; out: the thread's mode before the call;
///     unchanged on failure
GRAPHCAP_NODISCARD gc_status gc_thread_exchange_capture_mode(gc_capture_mode *mode);

/// Captures what a function submits to a stream: begins a capture, calls the function, and ends the capture in any
/// case. A graph is made only if all of this succeeded.
///
/// If the function fails, this call returns the function's status, whatever state the capture is in by then. The
/// message names that status, and the last call that failed inside the function. If the function succeeds although a
/// call in it broke the capture, this call returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED. The stream is usable again in
/// any case.
///
/// The function has to end the captures that it begins itself. Beginning another capture of this stream inside it gives
/// GRAPHCAP_ERROR_ILLEGAL_STATE. Captures of other streams can be nested, also with gc_stream_capture().
///
/// @param[in] stream    the stream; not the legacy stream
/// @param[in] options   NULL for the defaults: no pool, not strict, a new graph. Modules are kept while the capture
///     goes on, and have no other effect
/// @param[in] function  the function that submits. It is not called if the capture cannot begin
/// @param[in] destroy   called exactly once, on this thread and before this call returns, also when it fails; may be
///     NULL
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED the function ended the capture itself
/// @return any other number: what function returned
GRAPHCAP_NODISCARD gc_status gc_stream_capture(const gc_stream *stream, gc_capture_mode mode,
    const gc_capture_options *options, gc_capture_fn function, void *user_data, gc_destroy_fn destroy,
    gc_graph **graph_out);

/// Begins a capture of a stream, as gc_stream_begin_capture() does, and makes an object that owns it.
///
/// The object keeps the stream until the capture is over: gc_stream_destroy() does not discard this capture. A wrapped
/// stream must live until then.
///
/// Without capture_out no object owns the capture, and modules have no effect: it is as one that
/// gc_stream_begin_capture() began, with options.
///
/// **A capture into a graph** (gc_capture_options::graph): nodes are part of the graph as soon as they are recorded,
/// and the graph can be inspected and instantiated during the capture. The call that ends the capture returns another
/// handle to the graph, which is destroyed on its own. A graph whose handles were all destroyed lives until the capture
/// is over. While work is recorded, no other thread may use the graph on a CUDA device.
///
/// A capture that fails destroys the graph that it goes into, as the driver does. It fails when the call that ends it
/// reports so, or when the stream is destroyed and gc_stream_end_capture() would have failed. Every later call on the
/// graph then answers GRAPHCAP_ERROR_INVALID_VALUE. Its handles must still be destroyed. Graph execs that were made
/// from it still work. A whole capture that is aborted leaves in the graph what was recorded.
///
/// A graph within a node, see gc_node_get_graph(), gets the recorded nodes when the capture ends. Until then no other
/// call can change it, and its node cannot be removed. A capture that fails leaves such a graph as it was.
///
/// @param[in]  stream       the stream; not the legacy stream
/// @param[in]  mode         one of the GRAPHCAP_CAPTURE_MODE_ numbers; GRAPHCAP_CAPTURE_MODE_GLOBAL if in doubt
/// @param[in]  options      NULL for the defaults: no modules, no pool, not strict, a new graph
/// @param[out] capture_out  the capture, owned by the caller until gc_capture_destroy(); NULL on failure; may be NULL
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE the stream is being captured already, or another capture goes into the graph
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED there are a graph and a pool; or the capture goes into a graph, and the device
///     is a CUDA device whose driver is older than 12.3, or the graph is within a node and the program knows the native
///     handle of the stream, which is so of the per-thread stream of a CUDA device
GRAPHCAP_NODISCARD gc_status gc_capture_begin(const gc_stream *stream, gc_capture_mode mode,
    const gc_capture_options *options, gc_capture **capture_out);

/// Destroys a capture object. If its capture goes on, ends the capture and discards what it recorded.
///
/// A broken capture is ended too. The call may be made on any thread: in a mode other than relaxed the driver gives the
/// graph only to the thread that began the capture, but it discards the capture on any thread. Nothing can be ended
/// inside a host function; if the call is made there, another thread ends the capture soon. A capture of another
/// thread's per-thread stream stays open, and that thread has to end it. The call waits for the calls of other threads,
/// see "What ends at once".
gc_status gc_capture_destroy(gc_capture *capture);

/// Records a launch of a kernel that is found by its name in the modules that gc_capture_begin() was given.
///
/// Wrong arguments do not harm the capture. Unlike with gc_stream_launch_kernel(), that includes a shape that cannot be
/// launched: graphcap checks it before the driver sees the launch, as far as the limits of the device and the kernel
/// are known.
///
/// @param[in] name       the exact name, UTF-8; if several modules have a kernel of that name, the first module is used
/// @param[in] config     the shape of the launch
/// @param[in] arguments  one per parameter of the kernel, as for gc_stream_launch_kernel(); the arguments and the
///     values that they point to are copied, and the graph keeps the buffers
/// @retval GRAPHCAP_ERROR_INVALID_VALUE as for gc_stream_launch_kernel()
/// @retval GRAPHCAP_ERROR_NOT_FOUND no module of the capture has a kernel of that name
GRAPHCAP_NODISCARD gc_status gc_capture_record_kernel(const gc_capture *capture, const char *name,
    const gc_launch_config *config, const gc_kernel_arg *arguments, size_t argument_count);

/// Records a copy, as GRAPHCAP_WORK_MEMCPY does.
///
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see GRAPHCAP_WORK_MEMCPY
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED the capture is of another thread's per-thread stream, or it is strict and the
///     copy uses plain host memory
GRAPHCAP_NODISCARD gc_status gc_capture_record_memcpy(const gc_capture *capture, const gc_memcpy_params *params);

/// Records setting elements of a buffer to a value, as gc_stream_memset() does.
///
/// @param[in] buffer        the buffer to write, of the stream's context
/// @param[in] offset        the first byte written, counted from the start of the buffer; its address must be a
///     multiple of element_size
/// @param[in] value         the value; bits that do not fit an element are ignored
/// @param[in] element_size  1, 2 or 4 bytes
/// @param[in] count         the number of elements; 0 records nothing
GRAPHCAP_NODISCARD gc_status gc_capture_record_memset(const gc_capture *capture, const gc_buffer *buffer, size_t offset,
    uint32_t value, uint32_t element_size, size_t count);

/// Counts the operations that were recorded through a capture object: the calls of gc_capture_record_ functions that
/// succeeded and had something to record. Works also when the capture is over.
///
/// Work that was submitted without this object, to the stream or to streams that joined, is in the graph but is not
/// counted here. gc_graph_node_count() counts both.
///
/// @param[out] count_out  the number
GRAPHCAP_NODISCARD gc_status gc_capture_recorded_count(const gc_capture *capture, uint64_t *count_out);

/// Returns whether the capture of an object goes on and can be recorded into.
///
/// @param[out] active_out  1 while it does; 0 when it was broken or is over. It does not matter what ended it: this
///     object, gc_stream_end_capture(), also on the wrong thread, or the destruction of its stream
GRAPHCAP_NODISCARD gc_status gc_capture_is_active(const gc_capture *capture, int32_t *active_out);

/// Ends a capture and returns the graph that it recorded. On one stream n operations are n nodes and n - 1 edges.
///
/// After GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE, GRAPHCAP_ERROR_BUSY and
/// GRAPHCAP_ERROR_NOT_PERMITTED the capture goes on. In a guarded context it also goes on after
/// GRAPHCAP_ERROR_CAPTURE_UNJOINED and GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD; gc_capture_abort() discards it. After every
/// other answer the stream is usable again. The object stays until gc_capture_destroy().
///
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED the capture was ended or aborted before, through this object or through its
///     stream. A later capture of the stream goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD another thread began the capture, in a mode other than relaxed; the
///     capture is gone
GRAPHCAP_NODISCARD gc_status gc_capture_end(const gc_capture *capture, gc_graph **graph_out);

/// Ends a capture and discards what was recorded. It succeeds also if the capture was broken, if work was not joined,
/// or if another thread began the capture.
///
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED the capture was ended or aborted before, through this object or through its
///     stream
GRAPHCAP_NODISCARD gc_status gc_capture_abort(const gc_capture *capture);

/// Records work in a capture, as gc_stream_submit() does on its stream.
///
/// Marks of events and waits for them are no operations of the graph: gc_capture_recorded_count() does not count them.
/// Nor does it count a copy of no bytes, a memset, product or fill of no elements, and a list of no value operations. A
/// shape that cannot be launched is refused before it breaks the capture.
///
/// @param[in] work  the work. Its name is NULL: name a node with gc_stream_submit(), or afterwards
/// @retval GRAPHCAP_ERROR_INVALID_VALUE as gc_stream_submit() says, or work has a name
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the work cannot be captured; the capture is broken
GRAPHCAP_NODISCARD gc_status gc_capture_record(const gc_capture *capture, const gc_work *work);

/// Returns the graph that a stream's capture goes into, while the capture goes on. CUDA: cuStreamGetCaptureInfo.
///
/// The graph can be looked at, instantiated, and edited: nodes and edges can be added to it, and conditions made.
/// Nothing can be taken away from it until the capture is over. What the stream records next depends on an added node
/// only after gc_stream_update_capture_dependencies(). Added nodes need not be joined before the end of the capture.
/// From this call on the capture is as one of gc_stream_begin_capture_to_graph(): gc_stream_end_capture() returns
/// another handle to the graph, a capture that fails destroys the graph, and every later call on it then answers
/// GRAPHCAP_ERROR_INVALID_VALUE.
///
/// Of a capture into a body or the graph of a child node this is that graph. Nothing can be added to it before the end
/// of the capture, which puts the recorded nodes into it: calls that would change it return
/// GRAPHCAP_ERROR_ILLEGAL_STATE.
///
/// All streams of one capture give the same graph, which belongs to the context of the stream that the capture was
/// begun on. Other calls return other handles to it. Where that stream is a per-thread stream, only the thread that
/// began the capture can ask for the graph, on whichever of the capture's streams. On a CUDA device no other thread may
/// use the graph while work is recorded.
///
/// @param[in]  stream     a stream that is being captured
/// @param[out] graph_out  the graph, owned by the caller until gc_graph_destroy(); NULL on failure. A graph whose
///     handles were all destroyed lives until the capture is over
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT code outside graphcap began the capture, into a gc_graph of another context
///     than that of the stream that it was begun on
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED code outside graphcap began the capture; gc_stream_capture_info() has the
///     native graph
GRAPHCAP_NODISCARD gc_status gc_stream_capture_graph(const gc_stream *stream, gc_graph **graph_out);

/// Records that a condition is set to the 4 bytes at an offset of a buffer, as they are when the launch comes to it. It
/// may be recorded anywhere in the graph of the condition: ahead of the conditional node, in a body of it, and in the
/// bodies of nodes within it. A while is decided anew by what its body sets last. See GRAPHCAP_WORK_SET_CONDITION for
/// all else.
///
/// In a capture into a body, or into the graph of a child node, the call is recorded as a kernel launch is. Elsewhere
/// rules for threads, and what a call that fails leaves, are as for gc_stream_submit().
///
/// @param[in] stream     a stream that is being captured
/// @param[in] condition  a condition of the graph that gc_stream_capture_graph() gives, or of the outermost graph of a
///     body
/// @param[in] buffer     the buffer with the value, of a context on a device of the kind of the graph; the graph keeps
///     it alive
/// @param[in] offset     the first byte of the value; its address must be a multiple of 4
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT the buffer belongs to a device of another kind; or as
///     gc_stream_capture_graph()
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED code outside graphcap began the capture
GRAPHCAP_NODISCARD gc_status gc_stream_set_condition(const gc_stream *stream, gc_condition condition,
    const gc_buffer *buffer, size_t offset);

/// @}

/// @defgroup graphcap_graph Graphs
///
/// A graph is nodes and the edges between them. It comes from a capture, is built by hand, or is read from a text. A
/// gc_node is a number that names a node within its graph for as long as the graph lives; it is never used again.
///
/// The functions here list the nodes and edges of a graph, and read each node back: its kind, its parameters, as they
/// are at present, in structs with addresses. Graphs can be written as text for people (DOT) and for programs (JSON),
/// and two graphs be compared: GRAPHCAP_ERROR_NOT_SUPPORTED where graphs lie within each other more than 16 deep. A
/// graph runs after gc_graph_instantiate() has made a graph exec.
///
/// @{

/// gc_graph_export_dot(): shows what all other flags show. The names of CUDA's runtime are used only with
/// GRAPHCAP_DOT_RUNTIME_TYPES.
#define GRAPHCAP_DOT_VERBOSE 1

/// gc_graph_export_dot(): kinds of nodes and directions of copies have the names that CUDA's runtime gives them, as
/// cudaGraphNodeTypeMemset and cudaMemcpyHostToDevice.
#define GRAPHCAP_DOT_RUNTIME_TYPES 2

/// gc_graph_export_dot(): kernel nodes show grid, block, shared memory and arguments. An address in a buffer is shown
/// as the name of the buffer and an offset.
#define GRAPHCAP_DOT_KERNEL_NODE_PARAMS 4

/// gc_graph_export_dot(): copy nodes show direction, size, source and destination.
#define GRAPHCAP_DOT_MEMCPY_NODE_PARAMS 8
/// gc_graph_export_dot(): memset nodes show size, destination and value.
#define GRAPHCAP_DOT_MEMSET_NODE_PARAMS 16
/// gc_graph_export_dot(): host nodes show which function they call. Nodes that call one function show the same name.
#define GRAPHCAP_DOT_HOST_NODE_PARAMS 32
/// gc_graph_export_dot(): event record nodes and event wait nodes show their event.
#define GRAPHCAP_DOT_EVENT_NODE_PARAMS 64
/// gc_graph_export_dot(): accepted, and shows nothing. graphcap does not read nodes that signal external semaphores.
#define GRAPHCAP_DOT_EXT_SEMAS_SIGNAL_NODE_PARAMS 128
/// gc_graph_export_dot(): accepted, and shows nothing. graphcap does not read nodes that wait for external semaphores.
#define GRAPHCAP_DOT_EXT_SEMAS_WAIT_NODE_PARAMS 256
/// gc_graph_export_dot(): kernel nodes show the attributes that graphcap reads back from the device.
#define GRAPHCAP_DOT_KERNEL_NODE_ATTRIBUTES 512
/// gc_graph_export_dot(): nodes show their gc_node.
#define GRAPHCAP_DOT_HANDLES 1024
/// gc_graph_export_dot(): allocation nodes show the allocation and its size.
#define GRAPHCAP_DOT_MEM_ALLOC_NODE_PARAMS 2048
/// gc_graph_export_dot(): free nodes show the allocation and its size.
#define GRAPHCAP_DOT_MEM_FREE_NODE_PARAMS 4096
/// gc_graph_export_dot(): nodes of value operations show their operations, the first eight of them.
#define GRAPHCAP_DOT_BATCH_MEM_OP_NODE_PARAMS 8192

/// gc_graph_export_dot(): edges show their number, and nodes the stream that a capture recorded them on: its name, or
/// else "stream 0", "stream 1" in the order in which the streams of the graph first recorded something. Edges that
/// carry ports or a type show these in any case.
#define GRAPHCAP_DOT_EXTRA_TOPO_INFO 16384

/// gc_graph_export_dot(): conditional nodes show their condition, and the value that launches begin with.
#define GRAPHCAP_DOT_CONDITIONAL_NODE_PARAMS 32768
/// gc_instantiate_options::flags: a launch frees what earlier launches of the exec allocated and nobody freed.
#define GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH 1
/// gc_instantiate_options::flags: the exec is uploaded on upload_stream, as gc_graph_upload() does.
#define GRAPHCAP_INSTANTIATE_UPLOAD 2
/// gc_instantiate_options::flags: kernels on the device can launch the exec.
#define GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH 4

/// gc_instantiate_options::flags: each kernel node runs with its own priority, and not with that of the stream of the
/// launch. A host device runs all nodes alike.
#define GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY 8

/// gc_instantiate_options::flags: gc_graph_exec_progress() tells which nodes a launch of the exec has completed. Behind
/// each node runs a kernel of one thread, so launches take longer. The exec cannot be changed.
#define GRAPHCAP_INSTANTIATE_WATCH 65536

/// gc_instantiate_options::flags, with GRAPHCAP_INSTANTIATE_WATCH: on a CUDA device the record of an event is a leaf
/// behind each node, in the place of the kernel that nodes wait for. Launches are made more slowly. While several
/// launches are queued, gc_graph_exec_progress() does not know the nodes of the one that runs. A host device makes no
/// difference.
#define GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS 131072

/// gc_instantiate_options::flags: on a CUDA device the exec has a kernel that does nothing before all nodes, if several
/// nodes wait for none, and one behind all, if no node waits for several. Such graphs are launched and run faster so.
/// The graph is not changed, gc_graph_exec_node_count() does not count these kernels, and the exec is edited and
/// updated as any other one; an update adds them to what it compares. A host device makes no difference.
#define GRAPHCAP_INSTANTIATE_SHAPE 262144

/// Options of an instantiation. 0 is the default of every member.
typedef struct gc_instantiate_options {
    /// sizeof(gc_instantiate_options).
    uint32_t struct_size;
    /// 0 or GRAPHCAP_INSTANTIATE_ flags.
    uint32_t flags;
    /// For GRAPHCAP_INSTANTIATE_UPLOAD the stream of the upload, of a context on a device of the graph's kind; NULL for
    /// the legacy stream of the graph's context. NULL without the flag.
    const gc_stream *upload_stream;
    /// The number of turns that a while loop has at most in one run of its conditional node. If its condition is not 0
    /// then, the launch faults, and the message names the node. 0 for as many turns as the condition says. Of a loop in
    /// a body, each run counts anew. A CUDA device takes 0 alone, as its driver counts no turns.
    uint64_t turn_limit;
} gc_instantiate_options;
/// Initialiser of a gc_instantiate_options: the defaults.
#define GRAPHCAP_INSTANTIATE_OPTIONS_INIT {(uint32_t)sizeof(gc_instantiate_options), 0, NULL, 0}

/// gc_node_kind(): a kernel launch.
#define GRAPHCAP_NODE_KERNEL 0
/// gc_node_kind(): a copy.
#define GRAPHCAP_NODE_MEMCPY 1
/// gc_node_kind(): a memset.
#define GRAPHCAP_NODE_MEMSET 2
/// gc_node_kind(): a host function.
#define GRAPHCAP_NODE_HOST 3
/// gc_node_kind(): a graph that runs as one node.
#define GRAPHCAP_NODE_CHILD 4
/// gc_node_kind(): nothing; a node where edges meet.
#define GRAPHCAP_NODE_EMPTY 5
/// gc_node_kind(): a wait for an event.
#define GRAPHCAP_NODE_EVENT_WAIT 6
/// gc_node_kind(): a record of an event.
#define GRAPHCAP_NODE_EVENT_RECORD 7
/// gc_node_kind(): an allocation.
#define GRAPHCAP_NODE_MEM_ALLOC 10
/// gc_node_kind(): the end of an allocation.
#define GRAPHCAP_NODE_MEM_FREE 11
/// gc_node_kind(): value operations.
#define GRAPHCAP_NODE_BATCH_MEM_OP 12
/// gc_node_kind(): graphs that run depending on a value.
#define GRAPHCAP_NODE_CONDITIONAL 13
/// gc_node_kind(): a kind of the driver's that graphcap does not know.
#define GRAPHCAP_NODE_OTHER 2147483647
/// gc_kernel_node_params::argument_layout: the driver does not tell the arguments.
#define GRAPHCAP_ARGUMENTS_UNKNOWN 0
/// gc_kernel_node_params::argument_layout: one argument per parameter of the kernel.
#define GRAPHCAP_ARGUMENTS_SEPARATE 1
/// gc_kernel_node_params::argument_layout: one block of bytes, laid out as the kernel's parameters are.
#define GRAPHCAP_ARGUMENTS_PACKED 2

/// Description of what a kernel node launches. Start from GRAPHCAP_KERNEL_NODE_PARAMS_INIT.
typedef struct gc_kernel_node_params {
    /// sizeof(gc_kernel_node_params).
    uint32_t struct_size;
    /// Blocks in x, y and z.
    uint32_t grid_dim[3];
    /// Threads per block in x, y and z.
    uint32_t block_dim[3];
    /// Dynamic shared memory per block in bytes.
    uint32_t shared_mem_bytes;
    /// One of the GRAPHCAP_ARGUMENTS_ numbers.
    uint32_t argument_layout;
    /// 0.
    uint32_t reserved;
    /// Number of arguments that gc_node_get_argument() returns: 1 for GRAPHCAP_ARGUMENTS_PACKED, 0 for
    /// GRAPHCAP_ARGUMENTS_UNKNOWN.
    size_t argument_count;
} gc_kernel_node_params;
/// Initialiser of a gc_kernel_node_params: empty.
#define GRAPHCAP_KERNEL_NODE_PARAMS_INIT {(uint32_t)sizeof(gc_kernel_node_params), {0}, {0}, 0, 0, 0, 0}

/// gc_memcpy_node_params::direction: the addresses tell.
#define GRAPHCAP_MEMCPY_DEFAULT 4

/// Description of what a copy node copies. Start from GRAPHCAP_MEMCPY_NODE_PARAMS_INIT.
typedef struct gc_memcpy_node_params {
    /// sizeof(gc_memcpy_node_params).
    uint32_t struct_size;
    /// One of the GRAPHCAP_MEMCPY_ numbers of directions.
    uint32_t direction;
    /// The address of the first byte written.
    uint64_t destination;
    /// The address of the first byte read.
    uint64_t source;
    /// Bytes in a row.
    size_t size;
    /// Rows in a slice, at least 1.
    size_t height;
    /// Slices, at least 1.
    size_t depth;
    /// Bytes from the start of one written row to the start of the next, as the copy was given them; size where it was
    /// given none.
    size_t destination_pitch;
    /// Bytes from the start of one written slice to the start of the next; 0 for one slice.
    size_t destination_slice_pitch;
    /// Bytes from the start of one row that is read to the start of the next, as the copy was given them; size where it
    /// was given none.
    size_t source_pitch;
    /// Bytes from the start of one slice that is read to the start of the next; 0 for one slice.
    size_t source_slice_pitch;
} gc_memcpy_node_params;
/// Initialiser of a gc_memcpy_node_params: empty.
#define GRAPHCAP_MEMCPY_NODE_PARAMS_INIT {(uint32_t)sizeof(gc_memcpy_node_params), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// Description of what a memset node sets. Start from GRAPHCAP_MEMSET_NODE_PARAMS_INIT.
typedef struct gc_memset_node_params {
    /// sizeof(gc_memset_node_params).
    uint32_t struct_size;
    /// 1, 2 or 4 bytes.
    uint32_t element_size;
    /// The address of the first byte written.
    uint64_t address;
    /// The value.
    uint32_t value;
    /// 0.
    uint32_t reserved;
    /// Elements in a row.
    size_t width;
    /// Rows, at least 1.
    size_t height;
    /// Bytes from the start of one row to the start of the next, as the memset was given them; 0 for one row that was
    /// given none.
    size_t pitch;
} gc_memset_node_params;
/// Initialiser of a gc_memset_node_params: empty.
#define GRAPHCAP_MEMSET_NODE_PARAMS_INIT {(uint32_t)sizeof(gc_memset_node_params), 0, 0, 0, 0, 0, 0, 0}

/// One value operation of a node. Start from GRAPHCAP_MEM_OP_NODE_PARAMS_INIT.
typedef struct gc_mem_op_node_params {
    /// sizeof(gc_mem_op_node_params).
    uint32_t struct_size;
    /// One of the GRAPHCAP_MEM_OP_ numbers.
    uint32_t kind;
    /// The address of the value.
    uint64_t address;
    /// The value that is written or compared with.
    uint64_t value;
    /// GRAPHCAP_WRITE_VALUE_ or GRAPHCAP_WAIT_VALUE_ flags.
    uint32_t flags;
    /// 0.
    uint32_t reserved;
} gc_mem_op_node_params;
/// Initialiser of a gc_mem_op_node_params: empty.
#define GRAPHCAP_MEM_OP_NODE_PARAMS_INIT {(uint32_t)sizeof(gc_mem_op_node_params), 0, 0, 0, 0, 0}

/// Description of what a host node calls. Start from GRAPHCAP_HOST_NODE_PARAMS_INIT.
typedef struct gc_host_node_params {
    /// sizeof(gc_host_node_params).
    uint32_t struct_size;
    /// 1 if the function was not given to graphcap, as that of a node that other code made: function and user_data are
    /// NULL then. Else 0.
    uint32_t is_foreign;
    /// The function.
    gc_host_fn function;
    /// Argument that it is called with. It is valid as long as the node calls the function: see the destroy of the call
    /// that gave it.
    void *user_data;
} gc_host_node_params;
/// Initialiser of a gc_host_node_params: empty.
#define GRAPHCAP_HOST_NODE_PARAMS_INIT {(uint32_t)sizeof(gc_host_node_params), 0, NULL, NULL}

/// An address of memory that no graph keeps, in an argument of a kernel node. It has no struct_size and keeps its 32
/// bytes.
typedef struct gc_unresolved_pointer {
    /// The kernel node.
    gc_node node;
    /// The address.
    uint64_t address;
    /// Number of the argument that has it, as gc_node_get_argument() counts them: the kernel's parameter, or 0 where
    /// all arguments are one block (GRAPHCAP_ARGUMENTS_PACKED).
    size_t parameter;
    /// Offset in that argument at which the 8 bytes of the address start.
    size_t offset;
} gc_unresolved_pointer;

/// gc_graph_binding::kind: handle is a gc_buffer.
#define GRAPHCAP_BINDING_BUFFER 1
/// gc_graph_binding::kind: handle is a gc_host_buffer.
#define GRAPHCAP_BINDING_HOST_BUFFER 2
/// gc_graph_binding::kind: pointer is plain host memory.
#define GRAPHCAP_BINDING_HOST_MEMORY 3
/// gc_graph_binding::kind: handle is a gc_kernel.
#define GRAPHCAP_BINDING_KERNEL 4
/// gc_graph_binding::kind: handle is a gc_event.
#define GRAPHCAP_BINDING_EVENT 5
/// gc_graph_binding::kind: function is what host nodes call.
#define GRAPHCAP_BINDING_HOST_FUNCTION 6

/// gc_graph_binding::kind: a graph, whose buffers, host buffers, kernels, events and host functions are bound by the
/// names that gc_graph_export_json() writes for them: those that no other binding has. One at most.
#define GRAPHCAP_BINDING_GRAPH 7

/// gc_graph_binding::kind: the objects of the process that belong to the context of the import. What no other binding
/// has is taken from those of its name, kind and size. One at most.
#define GRAPHCAP_BINDING_PROCESS 8

/// An object that gc_graph_import_json() uses where the text has a name. Start from GRAPHCAP_BINDING_INIT(kind, name,
/// handle), GRAPHCAP_BINDING_INIT_HOST_MEMORY(name, pointer, size) or GRAPHCAP_BINDING_INIT_HOST_FUNCTION(name,
/// function, user_data, destroy).
typedef struct gc_graph_binding {
    /// sizeof(gc_graph_binding).
    uint32_t struct_size;
    /// One of the GRAPHCAP_BINDING_ numbers.
    uint32_t kind;
    /// The name in the text, not NULL; ignored for a graph and for the process. Buffers, host buffers and host memory
    /// are in the member "memory" of the text, the others in "kernels", "events" and "functions".
    const char *name;
    /// The handle of a buffer, a host buffer, a kernel, an event or a graph; else NULL.
    const void *handle;
    /// Host memory of size bytes, which is valid at each replay; else NULL.
    void *pointer;
    /// The function of a host function; else NULL.
    gc_host_fn function;
    /// Passed to function and to destroy; may be NULL. NULL for other kinds.
    void *user_data;
    /// Called exactly once for a host function, when no node of the graph, of its copies and of their execs calls
    /// function any more; when no node does at all, or the import fails, before gc_graph_import_json() returns. May be
    /// NULL. NULL for other kinds.
    gc_destroy_fn destroy;
    /// Bytes at pointer: a text of which a copy goes beyond them is refused. 0 for other kinds.
    size_t size;
} gc_graph_binding;
/// Initialiser of a gc_graph_binding: set kind, name, and the members that the kind uses.
#define GRAPHCAP_GRAPH_BINDING_INIT {(uint32_t)sizeof(gc_graph_binding), 0, NULL, NULL, NULL, NULL, NULL, NULL, 0}
/// Initialiser of a gc_graph_binding: an object by its handle.
#define GRAPHCAP_BINDING_INIT(kind, name, handle) \
    {(uint32_t)sizeof(gc_graph_binding), (uint32_t)(kind), (name), (handle), NULL, NULL, NULL, NULL, 0}
/// Initialiser of a gc_graph_binding: plain host memory of size bytes.
#define GRAPHCAP_BINDING_INIT_HOST_MEMORY(name, pointer, size) \
    {(uint32_t)sizeof(gc_graph_binding), GRAPHCAP_BINDING_HOST_MEMORY, (name), NULL, (pointer), NULL, NULL, NULL, \
     (size_t)(size)}
/// Initialiser of a gc_graph_binding: a host function.
#define GRAPHCAP_BINDING_INIT_HOST_FUNCTION(name, function, user_data, destroy) \
    {(uint32_t)sizeof(gc_graph_binding), GRAPHCAP_BINDING_HOST_FUNCTION, (name), NULL, NULL, (function), (user_data), \
     (destroy), 0}

/// Owner of a graph or graph exec that others made: one of the GRAPHCAP_OWNERSHIP_ numbers.
typedef int32_t gc_ownership;

/// gc_ownership: others. The object outlives the handle, whose end leaves it alone.
#define GRAPHCAP_OWNERSHIP_BORROWED 1
/// gc_ownership: graphcap, from the success of the call on.
#define GRAPHCAP_OWNERSHIP_TAKEN 2

/// Makes a graph without nodes. Add nodes to it, or capture into it. CUDA: cuGraphCreate.
///
/// @param[in] context  the context that the graph belongs to
GRAPHCAP_NODISCARD gc_status gc_graph_create(const gc_context *context, gc_graph **graph_out);

/// Destroys a graph. Graph execs made from it are not affected. The destroy of a graph that was wrapped as borrowed
/// waits, a second at most, for calls of other threads that may see it. CUDA: cuGraphDestroy.
gc_status gc_graph_destroy(gc_graph *graph);

/// Counts the nodes of a graph.
GRAPHCAP_NODISCARD gc_status gc_graph_node_count(const gc_graph *graph, size_t *count_out);

/// Counts the edges of a graph.
GRAPHCAP_NODISCARD gc_status gc_graph_edge_count(const gc_graph *graph, size_t *count_out);

/// Lists the nodes of a graph, in the order in which they were made. CUDA: cuGraphGetNodes.
GRAPHCAP_NODISCARD gc_status gc_graph_get_nodes(const gc_graph *graph, gc_node *nodes_out, size_t capacity,
    size_t *needed);

/// Writes a graph in Graphviz's DOT language. CUDA: cuGraphDebugDotPrint.
///
/// Each node is a box with its number, in the order in which the nodes were made, its name if it was given one, and its
/// kind or the name of its kernel. Conditional nodes have if, while or switch below. The flags, whose numbers are those
/// of CUgraphDebugDot_flags, add lines to the boxes. Objects are called by the names that gc_set_name() gave them, or
/// else by their kind and place, as "buffer 0". The graph of a child node and the bodies of a conditional node are
/// clusters. On a CUDA device the names of kernels that others recorded need a driver for 12.3 or newer.
///
/// @param[in] flags  0 or GRAPHCAP_DOT_ flags
GRAPHCAP_NODISCARD gc_status gc_graph_export_dot(const gc_graph *graph, uint32_t flags, char *text, size_t capacity,
    size_t *needed);

/// Makes a graph exec from the current state of a graph. It can be launched any number of times. CUDA:
/// cuGraphInstantiateWithParams.
///
/// A graph with allocations, or with conditions, has one graph exec at a time.
///
/// GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH needs a CUDA device, and a graph of kernels, memsets, copies of device and pinned
/// memory, and child graphs of these. It excludes GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH.
///
/// GRAPHCAP_INSTANTIATE_WATCH makes the exec of a copy of the graph, and excludes GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH.
/// GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS needs it. gc_graph_exec_progress() knows the nodes by the names that they have
/// in the graph.
///
/// GRAPHCAP_INSTANTIATE_SHAPE on a CUDA device: the driver's graph has the two kernels until the exec is made, and
/// again during each update by it, so nobody may use its CUgraph meanwhile.
///
/// If the graph cannot be launched, the message tells why, and names the node where one is the cause: edges form a
/// cycle, a node is of a kind that conditional bodies or launches from the device do not have, a node is of another
/// context, or a condition has no node. On a CUDA device it also has the driver's result (CUgraphInstantiateResult).
///
/// @retval GRAPHCAP_ERROR_INVALID_VALUE two flags exclude each other, or the graph cannot be launched: as one whose
///     child graphs share memory of a pool and are not ordered, or one of whose memory is gone that
///     GRAPHCAP_CAPTURE_NOTE_MEMORY noted
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph is that of a node, it has an exec and can have only one, a flag asks
///     for launches from a host device, GRAPHCAP_INSTANTIATE_WATCH is given for a graph with allocations or nodes that
///     kernels can change, or on a CUDA device with conditions, or GRAPHCAP_INSTANTIATE_SHAPE on a CUDA device for one
///     with allocations, or turn_limit is not 0 on a CUDA device; on a CUDA device also what gc_node_set_grid_scalar()
///     says
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE GRAPHCAP_INSTANTIATE_SHAPE is given on a CUDA device while a capture goes into
///     the graph
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED a capture bars this thread from instantiating, or the stream of the
///     upload is being captured; the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_graph_instantiate(const gc_graph *graph, const gc_instantiate_options *options,
    gc_graph_exec **exec_out);

/// Returns what kind of work a node does. Captured and added nodes, and nodes that others added, have kinds alike.
/// CUDA: cuGraphNodeGetType.
///
/// @param[out] kind_out  one of the GRAPHCAP_NODE_ numbers, which are those of CUgraphNodeType
GRAPHCAP_NODISCARD gc_status gc_node_kind(const gc_graph *graph, gc_node node, uint32_t *kind_out);

/// Lists the nodes that a node waits for, in the order in which they were made. CUDA: cuGraphNodeGetDependencies.
///
/// @retval GRAPHCAP_ERROR_LOSSY_QUERY capacity is not 0, and an edge to the node carries data; gc_graph_get_edges()
///     lists it
GRAPHCAP_NODISCARD gc_status gc_node_get_dependencies(const gc_graph *graph, gc_node node, gc_node *nodes_out,
    size_t capacity, size_t *needed);

/// Lists the nodes that wait for a node, in the order in which they were made. CUDA: cuGraphNodeGetDependentNodes.
///
/// @retval GRAPHCAP_ERROR_LOSSY_QUERY capacity is not 0, and an edge from the node carries data; gc_graph_get_edges()
///     lists it
GRAPHCAP_NODISCARD gc_status gc_node_get_dependents(const gc_graph *graph, gc_node node, gc_node *nodes_out,
    size_t capacity, size_t *needed);

/// Lists the nodes of a graph that wait for no other node, in the order in which they were made. CUDA:
/// cuGraphGetRootNodes.
GRAPHCAP_NODISCARD gc_status gc_graph_get_roots(const gc_graph *graph, gc_node *nodes_out, size_t capacity,
    size_t *needed);

/// Lists the nodes of a graph so that each node comes after the nodes that it waits for. Of the nodes that can come
/// next, the one that was made first comes first, so the order is always that of a graph with the same nodes and edges.
///
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the edges of the graph form a cycle
GRAPHCAP_NODISCARD gc_status gc_graph_get_order(const gc_graph *graph, gc_node *nodes_out, size_t capacity,
    size_t *needed);

/// Returns the graph that a child node runs, or a body of a conditional node. The graph can be looked at, edited and
/// captured into like other graphs, for execs that are made later. It cannot be instantiated or become a child node; a
/// clone of the graph of a child node can. The body of a conditional node cannot be cloned. CUDA:
/// cuGraphChildGraphNodeGetGraph.
///
/// @param[in]  graph      the graph that has the node
/// @param[in]  node       a child node, or a conditional node
/// @param[in]  index      0 for a child node; the index of the body for a conditional node
/// @param[out] graph_out  a handle of the graph, owned by the caller until gc_graph_destroy(); NULL on failure. When
///     the node is removed, or the outermost graph destroyed, functions return GRAPHCAP_ERROR_INVALID_HANDLE for it
GRAPHCAP_NODISCARD gc_status gc_node_get_graph(const gc_graph *graph, gc_node node, size_t index, gc_graph **graph_out);

/// Returns the graph that has a node: a graph, or one that lies within its nodes, at any depth.
///
/// @param[in]  graph      the graph to search
/// @param[in]  node       a node of the graph, or of a graph within it
/// @param[out] graph_out  a handle of the graph that has the node, owned by the caller until gc_graph_destroy(); NULL
///     on failure. One of a graph within a node is as gc_node_get_graph() gives it
GRAPHCAP_NODISCARD gc_status gc_node_get_containing_graph(const gc_graph *graph, gc_node node, gc_graph **graph_out);

/// Returns the shape of a kernel node and how many arguments it has. CUDA: cuGraphKernelNodeGetParams.
///
/// @param[in] node  one of its nodes, a kernel node
GRAPHCAP_NODISCARD gc_status gc_node_get_kernel_params(const gc_graph *graph, gc_node node,
    gc_kernel_node_params *params_out);

/// Copies the bytes of an argument of a kernel node. gc_context_find_buffer() tells which buffer an address among them
/// is in.
///
/// @param[in]  node    one of its nodes, a kernel node
/// @param[in]  index   the number of the argument, from 0
/// @param[out] needed  the size of the argument in bytes; may be NULL
GRAPHCAP_NODISCARD gc_status gc_node_get_argument(const gc_graph *graph, gc_node node, size_t index, void *bytes_out,
    size_t capacity, size_t *needed);

/// Copies the name of the kernel that a node launches, also if the node has a name of its own: gc_node_get_name()
/// copies that. On a CUDA device the call needs a driver for 12.3 or newer, except for kernels that were found through
/// graphcap. The text is empty if the driver does not tell the name.
///
/// @param[in] node  one of its nodes, a kernel node
GRAPHCAP_NODISCARD gc_status gc_node_kernel_name(const gc_graph *graph, gc_node node, char *text, size_t capacity,
    size_t *needed);

/// Returns the kernel that a node launches.
///
/// @param[in]  node        one of its nodes, a kernel node
/// @param[out] kernel_out  a handle of the kernel
/// @retval GRAPHCAP_ERROR_NOT_FOUND the kernel was not found through graphcap
GRAPHCAP_NODISCARD gc_status gc_node_get_kernel(const gc_graph *graph, gc_node node, gc_kernel **kernel_out);

/// Returns what a copy node copies. gc_context_find_buffer() tells which buffers the addresses are in. CUDA:
/// cuGraphMemcpyNodeGetParams.
///
/// @param[in] node  one of its nodes, a copy node
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the node copies from or to an array
GRAPHCAP_NODISCARD gc_status gc_node_get_memcpy_params(const gc_graph *graph, gc_node node,
    gc_memcpy_node_params *params_out);

/// Returns what a memset node sets. gc_context_find_buffer() tells which buffer the address is in. CUDA:
/// cuGraphMemsetNodeGetParams.
///
/// @param[in] node  one of its nodes, a memset node
GRAPHCAP_NODISCARD gc_status gc_node_get_memset_params(const gc_graph *graph, gc_node node,
    gc_memset_node_params *params_out);

/// Returns one of the value operations of a node. gc_context_find_buffer() tells which buffer the address is in. CUDA:
/// cuGraphBatchMemOpNodeGetParams.
///
/// @param[in]  node       one of its nodes, of value operations
/// @param[in]  index      the number of the operation, from 0
/// @param[out] count_out  the number of operations of the node; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the node has an operation that graphcap does not know
GRAPHCAP_NODISCARD gc_status gc_node_get_mem_op_params(const gc_graph *graph, gc_node node, size_t index,
    gc_mem_op_node_params *params_out, size_t *count_out);

/// Returns the event that a node records or waits for. CUDA: cuGraphEventRecordNodeGetEvent,
/// cuGraphEventWaitNodeGetEvent.
///
/// @param[in]  node       one of its nodes, an event record node or an event wait node
/// @param[out] event_out  a handle of the event
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the event is none of graphcap's
/// @retval GRAPHCAP_ERROR_NOT_FOUND others changed the node, so that the graph does not keep its event
GRAPHCAP_NODISCARD gc_status gc_node_get_event(const gc_graph *graph, gc_node node, gc_event **event_out);

/// Finds the live buffer or host buffer that an address is in. Buffers of other contexts are found once work of this
/// context has used them. A host buffer is found by the CPU's address and by the device's. Of overlapping buffers, the
/// one that starts latest is found, and of these the one made latest. An address one past the last byte is found too,
/// unless another buffer begins there.
///
/// @param[in]  address          the address
/// @param[out] buffer_out       a handle of the buffer, owned by the caller until gc_buffer_destroy(); NULL on failure,
///     and for a host buffer
/// @param[out] host_buffer_out  a handle of the host buffer, owned by the caller until gc_host_buffer_destroy(); NULL
///     on failure, and for a buffer
/// @param[out] offset_out       the address as bytes from the start of the buffer; may be NULL
/// @retval GRAPHCAP_ERROR_NOT_FOUND no buffer is at the address
GRAPHCAP_NODISCARD gc_status gc_context_find_buffer(const gc_context *context, uint64_t address, gc_buffer **buffer_out,
    gc_host_buffer **host_buffer_out, size_t *offset_out);

/// Returns the function that a host node calls, with its user data, as they were given to gc_graph_add_host_node(),
/// gc_node_set_host(), gc_stream_launch_host_func(), gc_capture_record_host_func() or gc_graph_import_json(). For a
/// callable of C++ that the node owns, they are graphcap.hpp's. CUDA: cuGraphHostNodeGetParams.
///
/// @param[in] node  one of its nodes, a host node
GRAPHCAP_NODISCARD gc_status gc_node_get_host_params(const gc_graph *graph, gc_node node,
    gc_host_node_params *params_out);

/// Lists the device pointers in the arguments of a graph's kernel nodes that lie in memory of others: in no buffer that
/// graphcap knows, and in no allocation of the graph's nodes. No graph and no graph exec keeps that memory. The caller
/// keeps it until the last replay, or wraps it: gc_buffer_wrap().
///
/// Each aligned word of 8 bytes counts that the driver knows as an address when the function is called: a value can
/// look like one, and memory that was freed has none, so ask right after the capture. Pointers that lie in memory are
/// not found. The graphs of nodes are asked on their own. Host devices list nothing. docs/what-a-graph-keeps.md tells
/// what a graph keeps of work of others.
///
/// @param[out] pointers_out  where to write the pointers, in the order of gc_graph_get_nodes(), parameters and offsets
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the driver does not tell the arguments of a kernel node; drivers since CUDA
///     12.4 do
GRAPHCAP_NODISCARD gc_status gc_graph_unresolved_pointers(const gc_graph *graph, gc_unresolved_pointer *pointers_out,
    size_t capacity, size_t *needed);

/// Writes a graph as JSON: its nodes with everything that they do, its edges, the graphs and bodies within nodes, the
/// conditions, and the names of the objects that nodes use. gc_graph_import_json() makes a graph of the text.
///
/// docs/graph.schema.json describes the format. Numbers of 64 bits are texts. An address is a buffer and an offset. The
/// same graph gives the same text; objects without a name are called by their kind and place, as "buffer 0". What the
/// memory holds is not written, except for the bytes of snapshots. Captured nodes tell the stream that recorded them,
/// as GRAPHCAP_DOT_EXTRA_TOPO_INFO shows it. On a CUDA device a condition is a small number; where a kernel of the
/// program's takes one, the text has that number.
GRAPHCAP_NODISCARD gc_status gc_graph_export_json(const gc_graph *graph, char *text, size_t capacity, size_t *needed);

/// Makes a graph of the text that gc_graph_export_json() wrote, perhaps in another process.
///
/// The bindings give the buffers, host buffers, host memory, kernels, events and host functions that the text has names
/// for. An object that is named in the text and used by a node must be bound; other bindings are ignored. A binding of
/// GRAPHCAP_BINDING_GRAPH takes what nothing else is bound to, but plain host memory, from a graph of the process: the
/// graph that wrote the text, or one with objects of the same names. No node of that graph may be changed meanwhile.
/// Memory must be at least as large as that of the text. The kernel of nodes that set a condition from memory needs no
/// binding. The graph keeps alive what it uses, except for host memory, which the caller keeps. Nodes have the names
/// that they have in the text.
///
/// GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_PROCESS, NULL, NULL) takes what is still left from the named objects of the
/// process that belong to context and whose handles are not destroyed. docs/graph-texts.md tells what is found. The
/// call holds all named objects while it runs, so that registered host memory may stay pinned until it returns.
///
/// The text may come from anywhere. Its nodes use nothing but what was bound, what a bound graph uses, and on request
/// what has its names in the process. An argument that holds an address of the process is refused unless the text says
/// which memory it is of. What kernels make of the numbers in a text, graphcap does not know.
///
/// @param[in] context        the context that the graph is to belong to
/// @param[in] json           the text, UTF-8; it need not end with a NUL
/// @param[in] size           bytes at json, at most 67108864
/// @param[in] bindings       what is bound. The user data of all host functions goes to graphcap in any case, unless
///     the array is NULL, has too many elements, or has elements of sizes that cannot be or with members that this
///     version does not have
/// @param[in] binding_count  the number of bindings, at most 1048576
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the text is no text of a graph, or says what a node cannot do: the message
///     tells the place, by line and column or as graph.nodes[3].arguments[1]. Or two bindings have one name, or two are
///     graphs or the process; objects of the process have a name of the text, and none fits or several do; a member is
///     not NULL that the kind does not use; what is bound is of another kind, or smaller than what the text uses of it
/// @retval GRAPHCAP_ERROR_NOT_FOUND nothing is bound to a name that a node uses
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the text has nodes that are not read back: kernels that set the condition of a
///     node in the body of a later node, and nodes or arguments that graphcap could not read; or graphs lie within each
///     other more than 16 deep; or the device cannot do the work
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT an object that is used belongs to a device of another kind, or objects of the
///     process that have a name of the text belong to other contexts
GRAPHCAP_NODISCARD gc_status gc_graph_import_json(const gc_context *context, const char *json, size_t size,
    const gc_graph_binding *bindings, size_t binding_count, gc_graph **graph_out);

/// Writes what two graphs differ in, as text for people: a line for each difference, and the empty text if there is
/// none. A line begins with - for what the first graph alone has, with + for what the second one alone has, and with ~
/// for what differs in two nodes that are paired. docs/graph-texts.md tells how nodes are paired: as
/// gc_graph_exec_update() pairs them, and where that tells of more differences, by what they do. So two graphs of the
/// same branches do not differ, in whatever order the branches were recorded, although an update may exchange them or
/// refuse.
///
/// The graphs of child nodes and the bodies of conditional nodes are compared in the same way. The stream that recorded
/// a node is not compared. Kernels, and memory and events with a name, are compared by their names, other memory by its
/// address, snapshots by their bytes. Other events, and host functions, are the same only where they come from the same
/// call: in a graph and its clone, and not in two graphs that were built alike. The graphs may belong to different
/// contexts.
///
/// @param[in] graph  the first graph
/// @param[in] other  the second graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the edges of one of the graphs form a cycle
GRAPHCAP_NODISCARD gc_status gc_graph_diff(const gc_graph *graph, const gc_graph *other, char *text, size_t capacity,
    size_t *needed);

/// Makes a handle for a graph that others made, as PyTorch or a library; a second one if it has one. docs/devices.md
/// tells what can be done with it.
///
/// An address without memory is refused, and a destroyed graph as far as the driver tells. Any other value that is no
/// graph, a graph of a node, and use of the graph by others during a gc_ call on it are undefined behaviour.
///
/// @param[in]  context    a context on its device
/// @param[in]  native     the CUgraph
/// @param[in]  ownership  one of the GRAPHCAP_OWNERSHIP_ numbers
/// @param[out] graph_out  a handle owned by the caller until gc_graph_destroy()
/// @retval GRAPHCAP_ERROR_INVALID_VALUE native is no graph
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT it has a handle of another context
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the device is the host device
GRAPHCAP_NODISCARD gc_status gc_graph_wrap(const gc_context *context, void *native, gc_ownership ownership,
    gc_graph **graph_out);

/// Makes a handle for a graph exec that others made, by the rules of gc_graph_wrap().
///
/// @param[in]  context    a context on its device
/// @param[in]  native     the CUgraphExec
/// @param[in]  ownership  one of the GRAPHCAP_OWNERSHIP_ numbers
/// @param[in]  graph      the graph that it was made of, unchanged since; NULL for an exec whose nodes are not set
/// @param[out] exec_out   a handle owned by the caller until gc_graph_exec_destroy()
/// @retval GRAPHCAP_ERROR_INVALID_VALUE native is no graph exec, or graph is that of a node
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT graph is of another context, or the exec has a handle of another one
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the device is the host device
GRAPHCAP_NODISCARD gc_status gc_graph_exec_wrap(const gc_context *context, void *native, gc_ownership ownership,
    const gc_graph *graph, gc_graph_exec **exec_out);

/// @}

/// @defgroup graphcap_exec Graph execs
///
/// A graph exec is a graph made ready to run: gc_graph_launch() submits it as one piece of work, as often as the
/// program likes. It keeps what the graph keeps. Launches of one graph exec run one after another.
///
/// GRAPHCAP_INSTANTIATE_WATCH has gc_graph_exec_progress() tell at which nodes a launch is that seems to hang.
/// gc_graph_upload() does beforehand what the first launch would do.
///
/// @{

/// Facts about a graph exec. Start from GRAPHCAP_GRAPH_EXEC_INFO_INIT.
typedef struct gc_graph_exec_info {
    /// sizeof(gc_graph_exec_info). Set it before the call.
    uint32_t struct_size;
    /// The GRAPHCAP_INSTANTIATE_ flags that it was made with, as the driver tells them: GRAPHCAP_INSTANTIATE_UPLOAD and
    /// GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY are never among them.
    uint32_t flags;
    /// The generation of its context in which it was made. A program that keeps graph execs can compare it with
    /// gc_context_info::generation; graphcap itself refuses a graph exec of an older generation.
    uint64_t generation;
    /// The number of nodes that a launch runs, also those that GRAPHCAP_INSTANTIATE_WATCH adds, and on a CUDA device
    /// those that set grids (gc_node_set_grid_scalar()). Those that GRAPHCAP_INSTANTIATE_SHAPE adds are not counted.
    uint64_t node_count;
    /// As gc_graph_exec_num_replays().
    uint64_t num_replays;
    /// As gc_graph_exec_is_uploaded().
    uint32_t is_uploaded;
    /// 0.
    uint32_t reserved;
} gc_graph_exec_info;
/// Initialiser of a gc_graph_exec_info: empty.
#define GRAPHCAP_GRAPH_EXEC_INFO_INIT {(uint32_t)sizeof(gc_graph_exec_info), 0, 0, 0, 0, 0, 0}

/// Progress of a node: GRAPHCAP_NODE_WAITS, GRAPHCAP_NODE_READY or GRAPHCAP_NODE_COMPLETED.
typedef uint32_t gc_node_state;

/// gc_node_state: it waits for a node that has not completed.
#define GRAPHCAP_NODE_WAITS 0

/// gc_node_state: all that it waits for has completed, and it has not: it runs, or is about to. If the launch hangs,
/// one of these nodes does.
#define GRAPHCAP_NODE_READY 1

/// gc_node_state: it has completed.
#define GRAPHCAP_NODE_COMPLETED 2

/// Progress of the launches of a graph exec. They run one after another, and the nodes are those of the one that began
/// last. Start from GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT.
typedef struct gc_graph_exec_progress_info {
    /// sizeof(gc_graph_exec_progress_info). Set it before the call.
    uint32_t struct_size;
    /// 1 if a launch has begun and not completed all its nodes, else 0. If it is 1 while completed_count and
    /// ready_count are 0, it is not known which nodes have completed, see GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS.
    uint32_t is_running;
    /// Number of launches that succeeded, as gc_graph_exec_num_replays() counts them.
    uint64_t launch_count;
    /// Number of them that have begun to run.
    uint64_t begun_count;
    /// Number of nodes of the graph.
    uint64_t node_count;
    /// Number of them that have completed.
    uint64_t completed_count;
    /// Number of those that are GRAPHCAP_NODE_READY.
    uint64_t ready_count;
    /// The first of these, or 0.
    gc_node first_ready;
    /// The innermost conditional node that the launch is within, also in a child graph, or 0. This member and those
    /// that follow are 0 on a CUDA device.
    gc_node conditional;
    /// The node of its body that runs, or 0.
    gc_node body_node;
    /// The turn of the innermost loop that the launch is within, from 1 on; 0 within none.
    uint64_t turn;
    /// Number of the body of that conditional node; 0 also where conditional is 0.
    uint32_t body;
    /// Always 0.
    uint32_t reserved;
} gc_graph_exec_progress_info;
/// Initialiser of a gc_graph_exec_progress_info: empty.
#define GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT \
    {(uint32_t)sizeof(gc_graph_exec_progress_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// Launches a graph exec once. The launch is called a replay. It runs in the stream's order, asynchronously to the
/// caller. The stream may be of any context on a device of the same kind. What the nodes use stays until the replay is
/// complete, whichever context it belongs to. CUDA: cuGraphLaunch.
///
/// @param[in] stream  a stream of a context on a device of the same kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the graph allocates memory that an earlier launch left allocated, or frees
///     memory that is not allocated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured and the device cannot record the launch of a
///     graph; the capture is invalidated
/// @retval GRAPHCAP_ERROR_BUSY the graph exec shares memory (GRAPHCAP_POOL_SHARED) or random numbers with other graph
///     execs; the latest launch of these was on another stream, has no event behind it, and that stream is being
///     captured by now
GRAPHCAP_NODISCARD gc_status gc_graph_launch(const gc_graph_exec *exec, const gc_stream *stream);

/// Prepares a graph exec for its first launch, which is faster then. The first upload that succeeds prepares the graph
/// exec. Later uploads have no effect, even on a stream that is being captured. An upload that failed can be tried
/// again. CUDA: cuGraphUpload.
///
/// A CUDA device leaves the upload to the first launch while a launch of an earlier exec has left memory of the graph
/// allocated, and if a node other than a kernel waits for a GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.
///
/// @param[in] stream  a stream of a context on a device of the same kind; the upload runs in its order
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured; the capture is invalidated
GRAPHCAP_NODISCARD gc_status gc_graph_upload(const gc_graph_exec *exec, const gc_stream *stream);

/// Counts the launches of a graph exec that succeeded, whether they have run yet or not.
GRAPHCAP_NODISCARD gc_status gc_graph_exec_num_replays(const gc_graph_exec *exec, uint64_t *count_out);

/// Returns whether an upload of a graph exec succeeded.
///
/// @param[out] uploaded_out  1 if an upload succeeded, else 0
GRAPHCAP_NODISCARD gc_status gc_graph_exec_is_uploaded(const gc_graph_exec *exec, int32_t *uploaded_out);

/// Describes a graph exec. The call may be made inside callbacks. CUDA: cuGraphExecGetFlags.
GRAPHCAP_NODISCARD gc_status gc_graph_exec_get_info(const gc_graph_exec *exec, gc_graph_exec_info *info_out);

/// Destroys a graph exec. Queued launches still run, and are not waited for. Memory that only this graph exec kept
/// alive is freed when the launches have completed, as gc_buffer_destroy() describes. The destroy of a graph exec that
/// was wrapped as borrowed waits, a second at most, for calls of other threads that may see it. CUDA:
/// cuGraphExecDestroy.
gc_status gc_graph_exec_destroy(gc_graph_exec *exec);

/// Ends the capture of a stream and makes a graph exec of what was recorded: gc_stream_end_capture(),
/// gc_graph_instantiate() and gc_graph_destroy() in one call. The graph exec remembers the stream, and
/// gc_graph_relaunch() launches it there. It does not keep the stream alive.
///
/// The capture is over as it is after gc_stream_end_capture(). Where that succeeds and no graph exec can be made, the
/// graph is destroyed. The options are checked first; where they are not valid, the capture goes on.
///
/// Calls that change a graph exec, as gc_graph_exec_set_kernel_node(), need its graph: a program that makes them calls
/// the three functions itself.
///
/// @param[in] stream   the stream that the capture was begun on
/// @param[in] options  how to make the graph exec; NULL for the defaults
/// @retval GRAPHCAP_ERROR_INVALID_VALUE as gc_graph_instantiate() has it
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT upload_stream is of a device of another kind; or as gc_stream_end_capture()
///     has it
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED as gc_stream_end_capture() has it
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT as gc_stream_end_capture() and gc_graph_instantiate() have it
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED another capture bars this thread from instantiating, or the stream of the
///     upload is being captured; that capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED as gc_graph_instantiate() has it
GRAPHCAP_NODISCARD gc_status gc_stream_end_capture_exec(const gc_stream *stream, const gc_instantiate_options *options,
    gc_graph_exec **exec_out);

/// Launches a graph exec once on the stream that it remembers, as gc_graph_launch() does. gc_stream_end_capture_exec()
/// makes graph execs that remember a stream.
///
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE the graph exec remembers no stream, or the stream was destroyed
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the graph allocates memory that an earlier launch left allocated, or frees
///     memory that is not allocated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_BUSY as gc_graph_launch() has it
GRAPHCAP_NODISCARD gc_status gc_graph_relaunch(const gc_graph_exec *exec);

/// Tells how far the launches of a graph exec are that was made with GRAPHCAP_INSTANTIATE_WATCH: in numbers, and in
/// words. The text names the nodes that could run and have not completed, those that wait for them, and those that have
/// completed, each by its number, its kind, and its name or that of its kernel.
///
/// The call reads memory of the host, or asks about events, and waits for nothing, so a thread can make it while a
/// launch hangs. A node of a child graph or of a body is not in the lists: the node that it is within has not
/// completed. On the host device the text tells the conditional nodes that the launch is within, also those in child
/// graphs: the body that runs, its turn in a loop, and the node of the body.
///
/// @param[in,out] progress_out  how far it is; empty on failure
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL the text was cut to fit; progress_out is empty
/// @retval GRAPHCAP_ERROR_NOT_FOUND the graph exec was made without GRAPHCAP_INSTANTIATE_WATCH
GRAPHCAP_NODISCARD gc_status gc_graph_exec_progress(const gc_graph_exec *exec,
    gc_graph_exec_progress_info *progress_out, char *text, size_t capacity, size_t *needed);

/// Lists the nodes of one state in the launch that gc_graph_exec_progress() tells of, each behind those that it waits
/// for.
///
/// @param[in]  state      GRAPHCAP_NODE_WAITS, GRAPHCAP_NODE_READY or GRAPHCAP_NODE_COMPLETED
/// @param[out] nodes_out  where to write, as the graph calls them
/// @retval GRAPHCAP_ERROR_NOT_FOUND the graph exec was made without GRAPHCAP_INSTANTIATE_WATCH
GRAPHCAP_NODISCARD gc_status gc_graph_exec_nodes_in_state(const gc_graph_exec *exec, gc_node_state state,
    gc_node *nodes_out, size_t capacity, size_t *needed);

/// Writes JSON that tells when each node ran in the last replays of a trace that goes on, what it waited for, the path
/// of nodes that took longest, and when nothing ran; docs/tracing.md describes it. The call reads the whole file of the
/// trace.
///
/// @param[in]  exec     the graph exec; replays before it was last set or updated are left out
/// @param[in]  replays  how many replays
/// @param[out] text     where to write
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE no trace goes on, or its file cannot be read
GRAPHCAP_NODISCARD gc_status gc_graph_exec_times(const gc_graph_exec *exec, uint64_t replays, char *text,
    size_t capacity, size_t *needed);

/// @}

/// @defgroup graphcap_building Building graphs
///
/// Nodes are added to a graph with the nodes that they wait for, and edges between nodes at any time. Nodes can be of
/// each kind of work, graphs within a node, conditional nodes whose bodies are graphs of their own, and nodes that
/// allocate and free memory of the graph.
///
/// A condition belongs to a graph. Nodes before the conditional node set it, from memory of the device or from a
/// kernel; each launch begins with its default. What a node uses, the graph keeps alive. All structs and arrays are
/// read within the call.
///
/// @{

/// gc_edge_data::from_port: the edge begins where the node ends.
#define GRAPHCAP_PORT_DEFAULT 0

/// gc_edge_data::from_port: the edge begins where all blocks of the kernel have triggered, or ended. Together with
/// GRAPHCAP_EDGE_TYPE_PROGRAMMATIC.
#define GRAPHCAP_PORT_PROGRAMMATIC 1

/// gc_edge_data::from_port: the edge begins where all blocks of the kernel have begun.
#define GRAPHCAP_PORT_LAUNCH_ORDER 2
/// gc_edge_data::edge_type: the second node begins when the point that from_port names is reached.
#define GRAPHCAP_EDGE_TYPE_DEFAULT 0
/// gc_edge_data::edge_type: the kernel may begin early, and waits by itself (griddepcontrol.wait) for what it needs.
#define GRAPHCAP_EDGE_TYPE_PROGRAMMATIC 1

/// Data that an edge carries. All 0 is an edge as gc_graph_add_dependencies() makes it. Only an edge between two kernel
/// nodes carries something. It has the layout of CUDA's type, 8 bytes, and therefore no struct_size.
struct gc_edge_data {
    /// One of the GRAPHCAP_PORT_ numbers.
    uint8_t from_port;
    /// 0.
    uint8_t to_port;
    /// One of the GRAPHCAP_EDGE_TYPE_ numbers.
    uint8_t edge_type;
    /// 0.
    uint8_t reserved[5];
};

/// gc_graph_create_condition(): each launch of the outermost graph begins with the default value, not with 0.
#define GRAPHCAP_CONDITION_ASSIGN_DEFAULT 1

/// gc_graph_add_conditional_node(): the first body runs once unless the value is 0; the second body, if there is one,
/// runs if it is 0.
#define GRAPHCAP_CONDITIONAL_IF 0

/// gc_graph_add_conditional_node(): the body runs again and again as long as the value is not 0.
#define GRAPHCAP_CONDITIONAL_WHILE 1
/// gc_graph_add_conditional_node(): the body runs of which the value is the index; no body if there is none.
#define GRAPHCAP_CONDITIONAL_SWITCH 2

/// Description of what decides about the bodies of a conditional node. Start from
/// GRAPHCAP_CONDITIONAL_NODE_PARAMS_INIT.
typedef struct gc_conditional_node_params {
    /// sizeof(gc_conditional_node_params).
    uint32_t struct_size;
    /// One of the GRAPHCAP_CONDITIONAL_ numbers.
    uint32_t kind;
    /// The condition.
    gc_condition condition;
    /// The number of bodies. gc_node_get_graph() returns each.
    uint32_t body_count;
    /// 0.
    uint32_t reserved;
} gc_conditional_node_params;
/// Initialiser of a gc_conditional_node_params: empty.
#define GRAPHCAP_CONDITIONAL_NODE_PARAMS_INIT {(uint32_t)sizeof(gc_conditional_node_params), 0, 0, 0, 0}

/// Description of what an allocation node allocates. Start from GRAPHCAP_MEM_ALLOC_NODE_PARAMS_INIT.
typedef struct gc_mem_alloc_node_params {
    /// sizeof(gc_mem_alloc_node_params).
    uint32_t struct_size;
    /// 0.
    uint32_t reserved;
    /// The address of the first byte, which is the same in all launches.
    uint64_t address;
    /// Bytes.
    size_t size;
} gc_mem_alloc_node_params;
/// Initialiser of a gc_mem_alloc_node_params: empty.
#define GRAPHCAP_MEM_ALLOC_NODE_PARAMS_INIT {(uint32_t)sizeof(gc_mem_alloc_node_params), 0, 0, 0}

/// Description of what a free node frees. Start from GRAPHCAP_MEM_FREE_NODE_PARAMS_INIT.
typedef struct gc_mem_free_node_params {
    /// sizeof(gc_mem_free_node_params).
    uint32_t struct_size;
    /// 0.
    uint32_t reserved;
    /// The address of the first byte of the allocation.
    uint64_t address;
} gc_mem_free_node_params;
/// Initialiser of a gc_mem_free_node_params: empty.
#define GRAPHCAP_MEM_FREE_NODE_PARAMS_INIT {(uint32_t)sizeof(gc_mem_free_node_params), 0, 0}

/// Memory that a device holds for the allocations of graphs, of the whole process. Start from
/// GRAPHCAP_GRAPH_MEMORY_INIT.
typedef struct gc_graph_memory {
    /// sizeof(gc_graph_memory).
    uint32_t struct_size;
    /// 0.
    uint32_t flags;
    /// Bytes that graphs use. NVIDIA's driver counts here what it has reserved.
    uint64_t used_bytes;
    /// The most bytes in use since the last reset.
    uint64_t used_high;
    /// Bytes that are reserved for graphs, in steps of 32 MiB.
    uint64_t reserved_bytes;
    /// The most bytes reserved since the last reset.
    uint64_t reserved_high;
} gc_graph_memory;
/// Initialiser of a gc_graph_memory: empty.
#define GRAPHCAP_GRAPH_MEMORY_INIT {(uint32_t)sizeof(gc_graph_memory), 0, 0, 0, 0, 0}

/// Adds a node that does the work to a graph. The graph keeps alive what the work uses. CUDA: cuGraphAddNode.
///
/// Nodes of one graph may have kernels, buffers and events of several contexts, on one device or on several devices of
/// one kind. A kernel or a copy uses memory of other devices, but not memory that graphs allocate; a kernel uses not
/// that of gc_buffer_allocate_waitable() either: GRAPHCAP_ERROR_NOT_SUPPORTED.
///
/// @param[in] dependencies      the nodes that the new node waits for
/// @param[in] dependency_data   what the edge from each of them carries; NULL where no edge carries anything. Only an
///     edge to a kernel node carries something
/// @param[in] dependency_count  the number of dependencies
/// @retval GRAPHCAP_ERROR_INVALID_VALUE a dependency is listed twice, an edge cannot carry its data, the condition was
///     not made for this graph, the condition or the allocation has a node already, or the work is wrong: see gc_work
///     and its kind
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE the graph is within a node of one that a capture goes into
GRAPHCAP_NODISCARD gc_status gc_graph_add_node(const gc_graph *graph, const gc_node *dependencies,
    const gc_edge_data *dependency_data, size_t dependency_count, const gc_work *work, gc_node *node_out);

/// Adds nodes to a graph, one after another, as gc_graph_add_node() does. If one fails, those before it are added, and
/// the works behind it are not read.
///
/// A node can wait for one that the call adds before it: its dependencies are then in nodes_out, each element of which
/// is written before the dependencies of the next node are read.
///
/// @param[in]  dependencies       for each node the nodes that it waits for; an element may be NULL when its count is
///     0. NULL where no node waits for another one
/// @param[in]  dependency_counts  for each node the number of its dependencies; NULL where dependencies is
/// @param[in]  works              the work of each node, all of the same struct_size
/// @param[out] nodes_out          the new nodes, count elements; 0 for those that were not added
/// @param[out] failed_index_out   the index of the node that failed; SIZE_MAX if none did; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see gc_graph_add_node()
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE see gc_graph_add_node()
GRAPHCAP_NODISCARD gc_status gc_graph_add_nodes(const gc_graph *graph, const gc_node *const *dependencies,
    const size_t *dependency_counts, const gc_work *works, size_t count, gc_node *nodes_out, size_t *failed_index_out);

/// Adds a child node to a graph: a node that runs the nodes of a graph as one node. CUDA: cuGraphAddChildGraphNode.
///
/// The node has a copy of the child graph as it is now, and keeps alive what that uses. gc_node_get_graph() gives the
/// copy. Child nodes whose graphs share memory of a pool have to be ordered by edges when the graph is instantiated.
///
/// @param[in] dependencies      the nodes that the new node waits for
/// @param[in] dependency_count  the number of dependencies
/// @param[in] child             a graph of the same context
/// @retval GRAPHCAP_ERROR_INVALID_VALUE a dependency is listed twice, or the graph would contain itself
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED child is the graph of a node itself, or has allocation nodes or conditions; or,
///     on a CUDA device, a node with GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE
GRAPHCAP_NODISCARD gc_status gc_graph_add_child_node(const gc_graph *graph, const gc_node *dependencies,
    size_t dependency_count, const gc_graph *child, gc_node *node_out);

/// Adds edges to a graph: node to[i] waits for node from[i], as data[i] says. Either all edges are added or none. CUDA:
/// cuGraphAddDependencies.
///
/// A cycle of edges is found when the graph is instantiated. A host device runs each edge as one that carries nothing:
/// the second kernel begins when the first one is over.
///
/// @param[in] from   the first node of each edge
/// @param[in] to     the second node of each edge
/// @param[in] data   what each edge carries; NULL for nothing
/// @param[in] count  the number of edges; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an edge leads from a node to itself, is there already, is listed twice, or
///     cannot carry its data
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED an edge is to carry something, and the driver is older than 12.3
GRAPHCAP_NODISCARD gc_status gc_graph_add_dependencies(const gc_graph *graph, const gc_node *from, const gc_node *to,
    const gc_edge_data *data, size_t count);

/// Removes edges from a graph. Either all edges are removed or none. CUDA: cuGraphRemoveDependencies.
///
/// @param[in] from   the first node of each edge
/// @param[in] to     the second node of each edge
/// @param[in] count  the number of edges; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE an edge is not there or is listed twice
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE a capture goes into the graph
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph allocates or frees memory
GRAPHCAP_NODISCARD gc_status gc_graph_remove_dependencies(const gc_graph *graph, const gc_node *from, const gc_node *to,
    size_t count);

/// Lists the edges of a graph: node to_out[i] waits for node from_out[i], as data_out[i] says. The order of the edges
/// has no meaning. CUDA: cuGraphGetEdges.
///
/// @param[out] from_out  where to write the first node of each edge
/// @param[out] to_out    where to write the second node of each edge
/// @param[out] data_out  where to write what each edge carries; may be NULL, and edges must then carry nothing
/// @retval GRAPHCAP_ERROR_LOSSY_QUERY data_out is NULL, capacity is not 0, and an edge carries something
GRAPHCAP_NODISCARD gc_status gc_graph_get_edges(const gc_graph *graph, gc_node *from_out, gc_node *to_out,
    gc_edge_data *data_out, size_t capacity, size_t *needed);

/// Makes a condition for a conditional node of a graph. CUDA: cuGraphConditionalHandleCreate.
///
/// Kernels set the value while the graph runs: on a GPU by graphcap_set_condition() of graphcap/device.cuh, which is
/// cudaGraphSetConditional(); on the host device by gc_host_set_conditional(). gc_graph_add_set_condition_node() sets
/// it from device memory. Each launch of the outermost graph begins with the default value, or, without
/// GRAPHCAP_CONDITION_ASSIGN_DEFAULT, with 0. No value stays from one launch to the next.
///
/// @param[in] default_value  the value that a launch begins with; 0 without the flag
/// @param[in] flags          0 or GRAPHCAP_CONDITION_ASSIGN_DEFAULT
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the driver is for a version of CUDA before 12.3
GRAPHCAP_NODISCARD gc_status gc_graph_create_condition(const gc_graph *graph, uint32_t default_value, uint32_t flags,
    gc_condition *condition_out);

/// Sets the value of a condition, from a host kernel or a host function of the graph that has the condition, while that
/// graph runs on a host device. The body whose conditional node comes later in the graph is decided by the last value.
/// CUDA: cudaGraphSetConditional.
///
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE condition is none of a graph on a host device that lives
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS the graph of the condition does not run. If work of a device made the call,
///     the context of the graph has faulted
GRAPHCAP_NODISCARD gc_status gc_host_set_conditional(gc_condition condition, uint32_t value);

/// Returns what decides about the bodies of a conditional node, and how many bodies it has.
///
/// @param[in] node  one of its nodes, a conditional node
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the node was not added through graphcap: the driver tells nothing of such a
///     node
GRAPHCAP_NODISCARD gc_status gc_node_get_conditional_params(const gc_graph *graph, gc_node node,
    gc_conditional_node_params *params_out);

/// Returns what an allocation node allocates. CUDA: cuGraphMemAllocNodeGetParams.
///
/// @param[in] node  one of its nodes, an allocation node
GRAPHCAP_NODISCARD gc_status gc_node_get_mem_alloc_params(const gc_graph *graph, gc_node node,
    gc_mem_alloc_node_params *params_out);

/// Returns what a free node frees. CUDA: cuGraphMemFreeNodeGetParams.
///
/// @param[in] node  one of its nodes, a free node
GRAPHCAP_NODISCARD gc_status gc_node_get_mem_free_params(const gc_graph *graph, gc_node node,
    gc_mem_free_node_params *params_out);

/// Returns the memory that an allocation node allocates, or that a free node frees.
///
/// @param[in]  node        one of its nodes, an allocation node or a free node
/// @param[out] buffer_out  a handle of the memory, owned by the caller until gc_buffer_destroy(), which frees nothing
/// @retval GRAPHCAP_ERROR_NOT_FOUND others added the free node, and graphcap does not know the memory
GRAPHCAP_NODISCARD gc_status gc_node_get_buffer(const gc_graph *graph, gc_node node, gc_buffer **buffer_out);

/// Returns how much memory the device of a context holds for the allocations of graphs. The numbers are of the whole
/// process. What graphs have freed stays reserved for later launches until gc_context_graph_memory_trim(). CUDA:
/// cuDeviceGetGraphMemAttribute.
GRAPHCAP_NODISCARD gc_status gc_context_graph_memory(const gc_context *context, gc_graph_memory *memory_out);

/// Resets used_high and reserved_high of gc_context_graph_memory() to what is in use and reserved now. CUDA:
/// cuDeviceSetGraphMemAttribute.
GRAPHCAP_NODISCARD gc_status gc_context_graph_memory_reset_high(const gc_context *context);

/// Returns to the device the memory that is reserved for graphs. Memory that is allocated, or that unfinished launches
/// use, stays. The call does not affect captures. CUDA: cuDeviceGraphMemTrim.
GRAPHCAP_NODISCARD gc_status gc_context_graph_memory_trim(const gc_context *context);

/// @}

/// @defgroup graphcap_editing Editing graphs
///
/// A graph can be changed after it was made: what its nodes do, their attributes, its nodes and edges, and which buffer
/// they use. Graph execs that were made of it stay as they are; the next section changes those.
///
/// A node that is set does its new work with the edges that it has. A node keeps its kind. A graph that a capture goes
/// into cannot be changed by other calls until the capture is over.
///
/// @{

/// Removes a node from a graph, with all its edges. Graph execs that were made before still run it. CUDA:
/// cuGraphDestroyNode.
///
/// The graph lets go of the buffers, modules, events and callbacks that no other node can use. It keeps everything once
/// the native handle of the graph or of one of its nodes was given out. The first change of a graph that was captured
/// reads all its nodes.
///
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE a capture goes into the graph
GRAPHCAP_NODISCARD gc_status gc_graph_remove_node(const gc_graph *graph, gc_node node);

/// Makes a graph keep an object of the caller's: destroy is called when the graph, its copies, the graph execs made
/// from them, and their launches are gone. A graph of a node is gone when the node of the outermost graph that it is
/// within is removed, or gets another graph. CUDA: cuGraphRetainUserObject.
///
/// @param[in] destroy  not NULL. After a fault of a CUDA device it may never be called
GRAPHCAP_NODISCARD gc_status gc_graph_retain_callback(const gc_graph *graph, void *user_data, gc_destroy_fn destroy);

/// Makes a copy of a graph as it is now. The copy keeps alive what its nodes use. CUDA: cuGraphClone.
///
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph has allocation nodes or conditions, or, on a CUDA device, a node that
///     kernels can change
GRAPHCAP_NODISCARD gc_status gc_graph_clone(const gc_graph *graph, gc_graph **clone_out);

/// Finds the node of a clone that is a copy of a node of the original. CUDA: cuGraphNodeFindInClone.
///
/// @param[in]  graph     the original graph
/// @param[in]  clone     a graph that gc_graph_clone() made of graph
/// @param[out] node_out  the node of the clone
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the node was added after the clone was made, or was removed from the clone
GRAPHCAP_NODISCARD gc_status gc_node_find_in_clone(const gc_graph *graph, gc_node node, const gc_graph *clone,
    gc_node *node_out);

/// Makes a node of a graph do other work of its kind. Graph execs that were made before are not changed. CUDA:
/// cuGraphNodeSetParams.
///
/// The graph keeps alive what the new work uses, and lets go of what the node used before, unless the native handle of
/// the graph or of one of its nodes was given out. An edge keeps the data that it carries, so a set of a kernel node is
/// refused where the new work cannot have it. Handles of the graph that a child node had before are stale; on a CUDA
/// device a child node needs a driver for 12.2 or newer.
///
/// Work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node. Allocation nodes, free nodes,
/// conditional nodes, empty nodes and setters of conditions cannot be set.
///
/// @param[in] work  the work. With a name the node is named so
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the node cannot be set, or the work is wrong
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE a capture goes into a graph within the graph
GRAPHCAP_NODISCARD gc_status gc_node_set(const gc_graph *graph, gc_node node, const gc_work *work);

/// Returns a launch attribute of a kernel node. CUDA: cuGraphKernelNodeGetAttribute.
///
/// @param[in]  node       one of its nodes, a kernel node
/// @param[in]  attribute  one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, of an attribute that nodes have
/// @param[out] value_out  the value; all 64 bytes are written, 0 on failure
GRAPHCAP_NODISCARD gc_status gc_node_get_attribute(const gc_graph *graph, gc_node node,
    gc_launch_attribute_id attribute, gc_launch_attribute_value *value_out);

/// Lists the launch attributes of a kernel node that are set: those whose value is not the one that a node begins with.
/// gc_node_get_attribute() returns their values.
///
/// @param[in]  node            one of its nodes, a kernel node
/// @param[out] attributes_out  where to write GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, in their order
GRAPHCAP_NODISCARD gc_status gc_node_get_attributes(const gc_graph *graph, gc_node node,
    gc_launch_attribute_id *attributes_out, size_t capacity, size_t *needed);

/// Sets a launch attribute of a kernel node, for graph execs that are made from now on. gc_node_set_kernel() leaves it
/// as it is. CUDA: cuGraphKernelNodeSetAttribute.
///
/// A host device stores the value, and runs the kernel as before. It refuses the values that a GPU refuses.
///
/// @param[in] node       one of its nodes, a kernel node
/// @param[in] attribute  one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, of an attribute that nodes have
/// @param[in] value      the value; bytes that the attribute does not use are ignored
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE the cluster does not divide the grid of the node, or is too large
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the driver does not take back GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE
GRAPHCAP_NODISCARD gc_status gc_node_set_attribute(const gc_graph *graph, gc_node node,
    gc_launch_attribute_id attribute, const gc_launch_attribute_value *value);

/// Sets the launch attributes of a kernel node to those of another one. CUDA: cuGraphKernelNodeCopyAttributes.
///
/// @param[in] graph        the graph of the node whose attributes are set
/// @param[in] node         one of its nodes, a kernel node
/// @param[in] source       the graph of the node whose attributes are read, of the same context; it may be the same
///     graph
/// @param[in] source_node  one of its nodes, a kernel node
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the kernels of the nodes belong to two devices
GRAPHCAP_NODISCARD gc_status gc_node_copy_attributes(const gc_graph *graph, gc_node node, const gc_graph *source,
    gc_node source_node);

/// Makes each replay take the size of a kernel node's grid along one axis from a scalar, as it is when the node runs:
/// gc_scalar_update() between two replays decides how many blocks the later one has. A node whose grid has a 0 then
/// does nothing, and the nodes behind it run. A grid that no launch can have faults the context with
/// GRAPHCAP_ERROR_LAUNCH_FAILED.
///
/// It holds for execs that are made from then on, and in clones, child graphs and the text of gc_graph_export_json(),
/// until gc_node_set_kernel() gives the node a grid of its own along all axes; the graph keeps the scalar until then.
/// On the host device also for execs that are updated, until gc_graph_exec_set_kernel_node() gives the node of an exec
/// such a grid.
///
/// On a CUDA device an exec is made of a copy of the graph, in which a kernel of one thread sets the grid in front of
/// the node. gc_graph_exec_apply() makes such an exec anew where something changed. It cannot be updated, and its nodes
/// cannot be set or disabled. gc_graph_instantiate() answers GRAPHCAP_ERROR_NOT_SUPPORTED for a graph that also has
/// conditions or allocations, and with GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH.
///
/// @param[in] node    one of its nodes, a kernel node
/// @param[in] axis    0 for x, 1 for y, 2 for z; the sizes along the other axes stay what they are
/// @param[in] scalar  the scalar, of type GRAPHCAP_SCALAR_U32
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the kernel is cooperative or has clusters; on a CUDA device also: the driver is
///     older than CUDA 12.4, the kernel is of another context than the graph, or the graph is the body of a conditional
///     or within the graph of a node
GRAPHCAP_NODISCARD gc_status gc_node_set_grid_scalar(const gc_graph *graph, gc_node node, uint32_t axis,
    const gc_scalar *scalar);

/// Puts a buffer in the place of another one in all nodes of a graph, whether they were captured or added by hand, and
/// of the graphs within nodes. Graph execs and clones that were made before go on as they were;
/// gc_graph_exec_replace_buffer() changes a graph exec, and gc_graph_exec_apply() has one do what the changed graph
/// does.
///
/// The addresses of the old buffer are replaced in copies, on both sides, in memsets and value operations, in grids
/// that come from memory, and in the arguments of kernels: those that were given as buffers, and each aligned word of 8
/// bytes in a value that lies in the buffer, as a pointer in a struct. A number that looks like such an address is
/// replaced as well. Offsets in the buffer stay. Pointers that lie in memory are not seen, nor the arguments of kernels
/// that the driver does not tell, nor what host functions use.
///
/// The new buffer must have all bytes that the nodes use. Of a kernel those are the bytes that its launch states
/// (gc_kernel_arg::access_size), or else the whole old buffer.
///
/// The graph keeps the new buffer. It lets go of the old one as gc_graph_remove_node() does, where no node uses it any
/// more. If the call fails, the graph is as it was.
///
/// @param[in]  from_buffer  the buffer to be replaced
/// @param[in]  to_buffer    the buffer that takes its place, of the same context; may be from_buffer, which changes
///     nothing
/// @param[out] changed_out  how many nodes were changed, those of graphs within nodes among them; 0 if no node uses
///     from_buffer, and on failure; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE a node uses bytes that the new buffer does not have, or elements or values
///     would not be aligned in it, or it is not for value operations; the message names the node. Or one buffer is
///     memory of the host, and the other one is not
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT the buffers belong to different contexts, or to a device of another kind than
///     the graph
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED a node allocates one of the buffers, a kernel that uses from_buffer was not
///     found through graphcap, or the device does not change a node so
GRAPHCAP_NODISCARD gc_status gc_graph_replace_buffer(const gc_graph *graph, const gc_buffer *from_buffer,
    const gc_buffer *to_buffer, size_t *changed_out);

/// Puts a buffer in the place of another one in all nodes of a graph exec, as gc_graph_replace_buffer() does in those
/// of a graph: for launches from now on. The graph that the graph exec was made from is not changed; it must not be
/// destroyed before. If the call fails, the graph exec is as it was.
///
/// The graph exec keeps the new buffer. It lets go of the old one when the launches that were made before are over,
/// unless its native handle was given out. A graph exec bars more changes than a graph, those of copies of several rows
/// among them: gc_graph_replace_buffer() and gc_graph_exec_apply() make these.
///
/// @param[in]  from_buffer  the buffer to be replaced
/// @param[in]  to_buffer    the buffer that takes its place, of the same context; may be from_buffer, which changes
///     nothing
/// @param[out] changed_out  how many nodes were changed, those of graphs within nodes among them; 0 if no node uses
///     from_buffer, and on failure; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE as for gc_graph_replace_buffer(), and where a graph exec bars the change of a
///     node; or the graph is destroyed that the graph exec was made from
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT as for gc_graph_replace_buffer()
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE it is not known what the nodes of the graph exec do: nodes of its graph were
///     set, added or removed since, another graph updated the graph exec, a child graph was set in it, or others can
///     change the graph. gc_graph_replace_buffer() and gc_graph_exec_apply() do it then
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED as for gc_graph_replace_buffer(); or the graph exec was made with
///     GRAPHCAP_INSTANTIATE_WATCH; or a node that uses from_buffer takes its grid from a scalar
GRAPHCAP_NODISCARD gc_status gc_graph_exec_replace_buffer(const gc_graph_exec *exec, const gc_buffer *from_buffer,
    const gc_buffer *to_buffer, size_t *changed_out);

/// @}

/// @defgroup graphcap_update Updating graph execs
///
/// A graph exec can be changed without being made anew: one node at a time, or as a whole after another graph of the
/// same shape. Launches that were submitted before run as they were; later ones do the new work.
///
/// gc_graph_exec_apply() takes the cheapest way from a graph exec to a graph: nothing, edits of single nodes, an
/// update, or a new instantiation; it reports which way it took, and why. gc_graph_exec_check() tells whether memory
/// that a graph exec uses is gone.
///
/// @{

/// The answer of the driver to an update: one of the GRAPHCAP_GRAPH_EXEC_UPDATE_ numbers, which are those of
/// CUgraphExecUpdateResult.
typedef int32_t gc_graph_exec_update_result;

/// The update was made or, with GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, can be made. Also the answer of a call that fails
/// before the driver compares anything.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS 0

/// The driver refused the update for a reason that no other number tells.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_ERROR 1
/// The number of nodes or the edges differ, or the order in which the edges of a node were added.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED 2
/// A node is of another kind.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_NODE_TYPE_CHANGED 3
/// A kernel node launches another function. Drivers since CUDA 11.2 allow that and do not answer this number.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_FUNCTION_CHANGED 4
/// The parameters of a node differ in a way that an exec does not allow.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_PARAMETERS_CHANGED 5
/// Something of a node cannot be updated: the kind of a conditional, or the number of its bodies.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_NOT_SUPPORTED 6
/// A kernel node launches a function of another context.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_UNSUPPORTED_FUNCTION_CHANGE 7

/// A launch attribute differs that an exec does not allow to differ: whether a kernel is cooperative, or its priority
/// in an exec made with GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_ATTRIBUTES_CHANGED 8

/// gc_graph_exec_update(): compare the launch attributes of the kernel nodes, and tell of the first one that differs.
/// This takes time for each node: on a CUDA device more than the update itself.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES 1

/// gc_graph_exec_update(): answer what the update would answer, and change nothing.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN 2

/// The answer of gc_graph_exec_update(). Members that do not apply are 0.
typedef struct gc_graph_exec_update_info {
    /// sizeof(gc_graph_exec_update_info). Set it before the call.
    uint32_t struct_size;
    /// One of the GRAPHCAP_GRAPH_EXEC_UPDATE_ numbers.
    gc_graph_exec_update_result result;
    /// The status that the call returns.
    gc_status status;
    /// The number of the first launch attribute (CUlaunchAttributeID) that differs and of which the exec keeps its own;
    /// 0 if none differs, or attributes were not compared.
    uint32_t kept_attribute;
    /// The node that the refusal, or the attribute, is about, as far as it is known: a node of the graph that the exec
    /// was made from.
    gc_node exec_node;
    /// The node of the updating graph that it is about. CUDA calls it the error node.
    gc_node graph_node;
    /// A node that graph_node depends on and that does not fit. CUDA calls it the error from-node.
    gc_node from_node;
    /// The number of kernels of the exec that replay slower for good with the update than those of a new one, as far as
    /// it is known, as gc_graph_exec_apply() says. It is counted where attributes are compared. 0 on the host device.
    uint64_t slower_count;
} gc_graph_exec_update_info;
/// Initialiser of a gc_graph_exec_update_info: empty.
#define GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT {(uint32_t)sizeof(gc_graph_exec_update_info), 0, 0, 0, 0, 0, 0, 0}

/// The part of a node that has an address: one of the GRAPHCAP_ADDRESS_ numbers.
typedef uint32_t gc_address_place;

/// gc_address_place: an argument of a kernel.
#define GRAPHCAP_ADDRESS_ARGUMENT 0
/// gc_address_place: the destination of a copy.
#define GRAPHCAP_ADDRESS_COPY_DESTINATION 1
/// gc_address_place: the source of a copy.
#define GRAPHCAP_ADDRESS_COPY_SOURCE 2
/// gc_address_place: the memory that a memset writes.
#define GRAPHCAP_ADDRESS_MEMSET 3
/// gc_address_place: the word of a value operation.
#define GRAPHCAP_ADDRESS_VALUE 4

/// The answer of gc_graph_exec_check(). The members from node on tell of the first address whose memory is gone; they
/// are 0 if gone_count is 0.
typedef struct gc_graph_exec_check_info {
    /// sizeof(gc_graph_exec_check_info). Set it before the call.
    uint32_t struct_size;
    /// 1 if it was noted which memory the nodes name. If it is 0, all other members are 0.
    uint32_t is_noted;
    /// The number of nodes that name memory by addresses.
    uint64_t node_count;
    /// The number of these addresses.
    uint64_t address_count;
    /// The number of allocations that they lie in, each of which the device was asked about. Those of child graphs
    /// count apart; blocks of gc_memory_block_begin() are not counted.
    uint64_t allocation_count;
    /// The number of nodes of which the driver did not tell the arguments. Nothing is known of their memory.
    uint64_t unread_count;
    /// The number of addresses whose memory is gone.
    uint64_t gone_count;
    /// The node, as the graph has it that the exec was made from or last updated by.
    gc_node node;
    /// One of the GRAPHCAP_ADDRESS_ numbers.
    gc_address_place place;
    /// 1 if other memory lies at the address by now, 0 if none does.
    uint32_t is_exchanged;
    /// Of an argument: which one, counted from 0. It is 0 if all arguments are one block. Of a value operation: which
    /// one of the node.
    uint64_t index;
    /// Offset in that argument at which the 8 bytes of the address start.
    uint64_t offset;
    /// The address.
    uint64_t address;
    /// First address of the allocation, or of the block, that it lay in.
    uint64_t allocation_address;
    /// Its size in bytes.
    uint64_t allocation_size;
} gc_graph_exec_check_info;
/// Initialiser of a gc_graph_exec_check_info: empty.
#define GRAPHCAP_GRAPH_EXEC_CHECK_INFO_INIT \
    {(uint32_t)sizeof(gc_graph_exec_check_info), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// gc_graph_exec_apply_options::flags: do not set single nodes.
#define GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET 1
/// gc_graph_exec_apply_options::flags: do not update the graph exec as a whole.
#define GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE 2
/// gc_graph_exec_apply_options::flags: do not instantiate the graph. The call then waits for no work of the device.
#define GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW 4

/// gc_graph_exec_apply_options::flags: the kernels may keep the launch attributes that they have in the graph exec,
/// even if those of the graph differ.
#define GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES 8

/// Options of gc_graph_exec_apply(). 0 is the default of every member.
typedef struct gc_graph_exec_apply_options {
    /// sizeof(gc_graph_exec_apply_options).
    uint32_t struct_size;
    /// 0 or GRAPHCAP_GRAPH_EXEC_APPLY_ flags.
    uint32_t flags;
    /// The stream that the graph exec is uploaded on if the graph is instantiated: one of a context on a device of its
    /// kind. NULL for no upload.
    const gc_stream *upload_stream;
    /// The number of replays that are expected before the graph exec is changed again; 0 where only the time of the
    /// call counts, and of the launch behind it. See gc_graph_exec_apply().
    uint64_t expected_replays;
} gc_graph_exec_apply_options;
/// Initialiser of a gc_graph_exec_apply_options: all ways are allowed, and there is no upload.
#define GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT {(uint32_t)sizeof(gc_graph_exec_apply_options), 0, NULL, 0}

/// The way in which a graph exec came to do what a graph does: one of the GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ numbers.
typedef int32_t gc_graph_exec_apply_route;

/// Nothing was done: the graph exec does what the graph does.
#define GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING 0
/// Single nodes of the graph exec were set.
#define GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_SET 1
/// The graph exec was updated as a whole, as gc_graph_exec_update() does.
#define GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE 2
/// The graph was instantiated, and took the place of what the graph exec was.
#define GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW 3

/// The reason for the route that gc_graph_exec_apply() took: one of the GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ numbers.
/// gc_graph_exec_apply_reason_description() tells them in words.
typedef int32_t gc_graph_exec_apply_reason;

/// The graph exec does what the graph does.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_UNCHANGED 0
/// It is known which nodes were changed, and to set them costs less than an update.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FEW_NODES 1
/// It is known which nodes were changed, and an update costs less than to set them.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_NODES 2

/// It is not known which nodes differ: the graph exec does the work of another graph, more was changed than the work of
/// nodes, a capture went into the graph, or its native handle was given out.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_NOT_KNOWN 3

/// The graph exec cannot be updated by the graph. update_result tells why.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_REFUSED 4
/// A launch attribute differs, and an update would keep that of the graph exec.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ATTRIBUTE 5
/// The flags allow no cheaper way.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ONLY_ALLOWED 6
/// The call failed before it looked for a way. gc_graph_exec_apply_report::status tells why.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED 7

/// So many replays are expected that a new graph exec takes less time in all, as it replays faster than one that was
/// changed.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_REPLAYS 8

/// Report of gc_graph_exec_apply(): its way, the reason, and the cost. Members that do not apply are 0.
typedef struct gc_graph_exec_apply_report {
    /// sizeof(gc_graph_exec_apply_report). Set it before the call.
    uint32_t struct_size;
    /// One of the GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ numbers. If the call fails, the way that was tried last;
    /// GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING if none was.
    gc_graph_exec_apply_route route;
    /// One of the GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ numbers.
    gc_graph_exec_apply_reason reason;
    /// The status that the call returns.
    gc_status status;
    /// The answer of the driver to an update, if one was tried: one of the GRAPHCAP_GRAPH_EXEC_UPDATE_ numbers.
    gc_graph_exec_update_result update_result;
    /// The number of the launch attribute (CUlaunchAttributeID) because of which the graph was instantiated; 0 if none
    /// differs.
    uint32_t kept_attribute;
    /// The node of the graph exec that a refused update or the attribute is about, as far as it is known.
    gc_node exec_node;
    /// The node of the graph that it is about.
    gc_node graph_node;
    /// A node that graph_node depends on and that does not fit.
    gc_node from_node;
    /// Number of nodes that the graph exec has now.
    uint64_t node_count;
    /// Number of them that did something else than those of the graph; UINT64_MAX where that is not known.
    uint64_t changed_count;
    /// Time that the call took, in nanoseconds.
    uint64_t nanoseconds;
    /// Time that the next launch takes longer than usual on the calling thread, in nanoseconds. This is an estimate
    /// from measurements of such a device.
    uint64_t next_launch_nanoseconds;
    /// The number of kernels of the graph exec that replay slower from here on than those of a new one, as far as it is
    /// known. It is counted where so many replays are expected that a new graph exec could pay. Kernels of child graphs
    /// and of bodies are not counted. 0 on the host device.
    uint64_t slower_count;
} gc_graph_exec_apply_report;
/// Initialiser of a gc_graph_exec_apply_report: empty.
#define GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT \
    {(uint32_t)sizeof(gc_graph_exec_apply_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// Makes a node of a graph exec do other work of its kind, in later launches. The graph is not changed. CUDA:
/// cuGraphExecNodeSetParams.
///
/// The exec keeps alive what the new work uses. It lets go of what the node used before when the earlier launches are
/// complete, unless the native handle of the exec was given out. A child node gets a graph with nodes of the same
/// kinds, in the same order, with the same edges; so work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers
/// sets a child node that was made of such work.
///
/// @param[in] node  a node of the graph that the exec was made from; the graph must not be destroyed, nor the node
///     removed
/// @param[in] work  the work. Its name is NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the node was added after the exec was made or cannot be set, the graph is
///     destroyed, or work has a name, is wrong, or changes what its kind says must stay
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED a child graph has allocation nodes or conditions, or, on a CUDA device, a node
///     that kernels can change; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE a child graph does not have the same nodes and edges as the graph
///     of the node, or one of its nodes cannot be changed so in an exec; or, on a CUDA device, it copies pageable
///     memory where the exec was made with a child that copies between managed and pinned memory. The exec is as it was
GRAPHCAP_NODISCARD gc_status gc_graph_exec_set_node(const gc_graph_exec *exec, gc_node node, const gc_work *work);

/// Makes nodes of a graph do other work, one after another, as gc_node_set() does. If one fails, those before it are
/// set, and the works behind it are not read.
///
/// @param[in]  works             the work of each node
/// @param[out] failed_index_out  the index of the node that failed; SIZE_MAX if none did; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see gc_node_set()
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE see gc_node_set()
GRAPHCAP_NODISCARD gc_status gc_graph_set_nodes(const gc_graph *graph, const gc_node *nodes, const gc_work *works,
    size_t count, size_t *failed_index_out);

/// Makes nodes of a graph exec do other work, one after another, as gc_graph_exec_set_node() does. If one fails, those
/// before it are set, and the works behind it are not read.
///
/// @param[in]  works             the work of each node, as for gc_graph_set_nodes()
/// @param[out] failed_index_out  the index of the node that failed; SIZE_MAX if none did; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE see gc_graph_exec_set_node()
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED see gc_graph_exec_set_node()
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE see gc_graph_exec_set_node()
GRAPHCAP_NODISCARD gc_status gc_graph_exec_set_nodes(const gc_graph_exec *exec, const gc_node *nodes,
    const gc_work *works, size_t count, size_t *failed_index_out);

/// Disables or enables a node of a graph exec, in later launches. A disabled node does nothing; nodes that depend on it
/// wait for what it depends on. CUDA: cuGraphNodeSetEnabled.
///
/// @param[in] node     a kernel, copy or memset node of the graph that the exec was made from; the graph must not be
///     destroyed, nor the node removed
/// @param[in] enabled  0 disables the node, any other number enables it
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the node was added after the exec was made or is a cooperative kernel, or the
///     graph is destroyed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH; or, on a CUDA device,
///     a memset of one row is to be disabled in an exec of several branches, or with nothing that executes between it
///     and a conditional before it
GRAPHCAP_NODISCARD gc_status gc_graph_exec_set_node_enabled(const gc_graph_exec *exec, gc_node node, int32_t enabled);

/// Tells whether later launches of a graph exec run a node. CUDA: cuGraphNodeGetEnabled.
///
/// @param[in]  node         a node that gc_graph_exec_set_node_enabled() takes
/// @param[out] enabled_out  1 if the node is enabled, else 0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the graph that the exec was made from is destroyed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
GRAPHCAP_NODISCARD gc_status gc_graph_exec_is_node_enabled(const gc_graph_exec *exec, gc_node node,
    int32_t *enabled_out);

/// Makes each node of a graph exec do what the matching node of a graph does, in later launches. This costs much less
/// than a new exec. Launches that were made before run as they were. A refused update changes nothing; the message
/// tells what differs, and names the nodes. CUDA: cuGraphExecUpdate.
///
/// The driver matches nodes by their edges. It begins with the nodes that no other node depends on, the newest first,
/// and goes on from each node to those that it depends on, in the order in which the edges were added. Graphs that are
/// built or captured by the same calls in the same order match. The graph must have as many nodes as the exec, of the
/// same kinds and with the same edges, also within nodes.
///
/// What a node does may differ; its kind, the context of its kernel, the number of rows and the kinds of memory of its
/// copy may not. docs/edit-graphs.md lists what may differ.
///
/// After an update the exec keeps alive what the graph keeps alive. It lets go of what it kept before when the earlier
/// launches are complete, unless the native handle of the exec was given out. The graph may be changed or destroyed
/// afterwards. Functions that change nodes of the exec take the nodes of the graph that it was made from, as before.
/// Disabled nodes stay disabled, and the counter of replays goes on.
///
/// The exec keeps the launch attributes of its own kernel nodes, even if those of the graph differ: the driver does so,
/// and answers success. With GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES the call tells of it in
/// gc_graph_exec_update_info::kept_attribute.
///
/// The first call on a graph exec that was neither uploaded nor launched uploads it. On a CUDA device an upload may
/// wait for work of the device. The call harms no capture. A capture may be going into the graph: the exec gets what
/// was recorded so far.
///
/// With GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN the call tells whether the update would be made, without trying: it returns
/// the same status, with the same message and the same info_out. The launch attributes are compared. This takes time
/// for each node; nothing is changed or uploaded. On a CUDA device it returns GRAPHCAP_ERROR_INVALID_VALUE if the graph
/// that the exec was made from was destroyed before it was read. The call does not see what others do to a graph whose
/// native handle was given out.
///
/// @param[in]     graph     a graph of the same context, not within a node. The graph that the exec was made from is
///     allowed
/// @param[in]     flags     0 or GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES and GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN
///     combined with |
/// @param[in,out] info_out  what was answered, also when the update is refused; may be NULL
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE the update is refused; the exec is as it was
/// @retval GRAPHCAP_ERROR_INVALID_VALUE memory of the graph is gone that GRAPHCAP_CAPTURE_NOTE_MEMORY noted, or, with
///     GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN on a CUDA device, it is not known any more what the exec was made from
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE the graph exec was made with GRAPHCAP_INSTANTIATE_SHAPE, on a CUDA device, and
///     a capture goes into the graph
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the exec or the graph has a node that kernels can change; on a CUDA device, the
///     graph frees memory that another graph allocates, and the exec was made of that graph, or updated by it last:
///     update by another one; the exec is as it was; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
GRAPHCAP_NODISCARD gc_status gc_graph_exec_update(const gc_graph_exec *exec, const gc_graph *graph, uint32_t flags,
    gc_graph_exec_update_info *info_out);

/// Tells whether memory is gone that the nodes of a graph exec name by addresses: it was freed, or freed and other
/// memory allocated in its place. A launch would use that. Blocks of gc_memory_block_begin() are such memory.
///
/// Known are the addresses that GRAPHCAP_CAPTURE_NOTE_MEMORY noted in the graph that the exec was made from or last
/// updated by. The call asks the device once for each allocation, and reads no node. Nodes that were set in the exec
/// since are passed over. It is not known which these are if they were set after an update by another graph than that
/// of the exec, or are within a child graph or a body; gc_graph_exec_check_info::is_noted is 0 then. Success says
/// nothing where it is 0.
///
/// gc_graph_exec_check_findings() lists all memory that is gone. The call harms no capture and does not wait for work.
///
/// @param[in,out] info_out  what was found, also when memory is gone; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE memory is gone: the message has the node, its kernel, the parameter and the
///     address
GRAPHCAP_NODISCARD gc_status gc_graph_exec_check(const gc_graph_exec *exec, gc_graph_exec_check_info *info_out);

/// Takes note that an allocator of the program gave out a block: graphs that note memory tell when it is gone, of which
/// the driver knows nothing within an allocation. Blocks that it overlaps are over; told again with its address and
/// number, it has the new size and name. An allocator ends the blocks of a segment before it gives that back.
/// docs/checking.md.
///
/// @param[in] address     the first byte
/// @param[in] size        bytes, not 0
/// @param[in] name        for messages; may be NULL
/// @param[in] generation  the allocator's number of it, which no later block at the address has
/// @retval GRAPHCAP_ERROR_INVALID_VALUE size is 0 or too large, or name is too long or is not UTF-8
GRAPHCAP_NODISCARD gc_status gc_memory_block_begin(uint64_t address, size_t size, const char *name,
    uint64_t generation);

/// Takes note that a block was taken back. Without effect for one that is over.
///
/// @param[in] address     as of gc_memory_block_begin()
/// @param[in] generation  as of gc_memory_block_begin()
GRAPHCAP_NODISCARD gc_status gc_memory_block_end(uint64_t address, uint64_t generation);

/// Makes a graph exec do what a graph does, in later launches, by the cheapest way that is right. Launches that were
/// made before run as they were. Later launches run behind them, on whatever streams. If the call fails, the graph exec
/// is as it was. docs/edit-graphs.md has the costs. The call goes one of four ways:
/// - Nothing: it is known that the graph exec does what the graph does.
/// - Set: the graph is the one that the graph exec was made from, and single nodes were changed since, in the graph or
///   in the graph exec. They are set, which costs time for each changed node alone.
/// - Update: as gc_graph_exec_update() does, which costs time for each node. A new capture is applied this way.
/// - Anew: the graph is instantiated with the flags that the graph exec was made with, and takes the place of what the
///   graph exec was, behind the same handle. The call does this where an update is refused, or would keep a launch
///   attribute that differs. Disabled nodes stay disabled, and the counter of replays goes on. From then on functions
///   that change nodes of the graph exec take the nodes of this graph.
///
/// Anew may wait for all work of the device, and calls of other threads to the driver may wait meanwhile;
/// GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW bars it. So may the first call on a graph exec that was neither uploaded nor
/// launched, since it uploads it.
///
/// NVIDIA's driver replays a graph exec of about 190 nodes and more slower for good where kernels were changed in it;
/// gc_graph_exec_apply_options::expected_replays has the call weigh that. Launch attributes are compared where kernels
/// may have some, which takes time for each kernel node; GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES saves it.
///
/// Several threads may call this, launch and change the graph exec at once. Each launch runs the work of before or
/// after a call, never parts of both.
///
/// @param[in]     graph       a graph of the same context, not within a node
/// @param[in,out] report_out  what was done, also when the call is refused; may be NULL
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE an update is refused, and the flags keep the graph from being
///     instantiated
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the graph cannot be launched, or memory of it is gone that
///     GRAPHCAP_CAPTURE_NOTE_MEMORY noted
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE as for gc_graph_exec_update(); or the graph would have to be instantiated, and
///     one of these is so: the native handle of the graph exec was given out; nodes of the graph exec are disabled and
///     it is not known which nodes of the graph they are; or the driver cannot tell how far a stream is on which the
///     graph exec was launched, because that stream is being captured, is the per-thread stream of another thread, was
///     destroyed, is of another device, or has for a second had a call of another thread in progress
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph would have to be instantiated and can have only one graph exec at a
///     time; or the flags allow no way; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED as gc_graph_instantiate() has it
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT as gc_graph_instantiate() has it
GRAPHCAP_NODISCARD gc_status gc_graph_exec_apply(const gc_graph_exec *exec, const gc_graph *graph,
    const gc_graph_exec_apply_options *options, gc_graph_exec_apply_report *report_out);

/// Returns a sentence that says what a reason means.
///
/// @param[in] reason  any number
/// @return a static text, never NULL. Never fails, not even in a forked child.
const char *gc_graph_exec_apply_reason_description(gc_graph_exec_apply_reason reason);

/// @}

/// @defgroup graphcap_cache Graph caches
///
/// A graph cache keeps graph execs by key, as a program that meets the same shapes again and again needs them.
/// gc_graph_cache_launch() launches what the key names; if the cache does not have it, a function of the program's
/// records the work, and the cache keeps the result.
///
/// A cache may have a limit of bytes, and removes first what was not used for the longest time. Keys whose graphs have
/// one shape can share a graph exec.
///
/// @{

/// gc_graph_cache_options::flags: keys whose graphs have the same topology share a graph exec. A launch for another key
/// than the one before updates the graph exec, as gc_graph_exec_update() does. That costs a tenth of a new graph exec,
/// and the memory of one graph exec serves all of these keys; but their launches run one after another, on whatever
/// streams, and each change of the key costs an update.
#define GRAPHCAP_GRAPH_CACHE_SHARE_EXECS 1

/// gc_graph_cache_options::flags: captures are begun in GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, so that an unsafe call of
/// the recording function breaks its capture. Without the flag the mode is GRAPHCAP_CAPTURE_MODE_RELAXED.
#define GRAPHCAP_GRAPH_CACHE_THREAD_LOCAL 2

/// A function that records the work of a key for a gc_graph_cache. It submits the work to the stream that it gets,
/// which is being captured, or to streams that it forks to and joins.
///
/// It runs within gc_graph_cache_launch(), on the thread that called that, and may make any gc_ and CUDA call that a
/// capture allows, with three exceptions: it does not end the capture; a launch through the same cache returns
/// GRAPHCAP_ERROR_BUSY; and it must not wait for another thread that launches the same key. A launch through another
/// cache returns GRAPHCAP_ERROR_BUSY where it would have to wait for a recording of another thread. It may destroy the
/// cache, the stream of the launch, and the stream that it gets: the launch goes on. Several threads may run it at the
/// same time, each for another key.
///
/// The stream is made for this call. The handle is dead when gc_graph_cache_launch() returns, and so is the CUstream. A
/// handle of the graph that the function got by gc_stream_capture_graph() must not be used to change the graph
/// afterwards.
///
/// @param[in] stream       the stream to submit to; the function does not destroy it
/// @param[in] key          the key of the launch, as it was passed to gc_graph_cache_launch()
/// @param[in] key_size     its size in bytes
/// @param[in] user_data    gc_graph_cache_options::user_data
/// @param[in] launch_data  the user_data of gc_graph_cache_launch()
/// @return GRAPHCAP_SUCCESS, or any other number to discard the capture, which gc_graph_cache_launch() then returns
typedef gc_status (*gc_graph_cache_record_fn)(const gc_stream *stream, const void *key, size_t key_size,
    void *user_data, void *launch_data);

/// Options of a graph cache. Start from GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT, and set at least record.
typedef struct gc_graph_cache_options {
    /// sizeof(gc_graph_cache_options).
    uint32_t struct_size;
    /// 0 or GRAPHCAP_GRAPH_CACHE_ flags.
    uint32_t flags;
    /// Flags of the graph execs: 0, GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH, GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY
    /// and GRAPHCAP_INSTANTIATE_SHAPE.
    uint32_t instantiate_flags;
    /// 0.
    uint32_t reserved;
    /// The most bytes that the graphs and graph execs of the cache may take on the device and on the host together, by
    /// the model that gc_graph_cache_stats describes; 0 for no limit.
    uint64_t max_bytes;
    /// The function that records the work of a key; not NULL.
    gc_graph_cache_record_fn record;
    /// Passed to record and to destroy; may be NULL.
    void *user_data;
    /// Called exactly once with user_data, when the cache is gone, or when gc_graph_cache_create() fails after it has
    /// read this struct; may be NULL.
    gc_destroy_fn destroy;
} gc_graph_cache_options;
/// Initialiser of a gc_graph_cache_options: no sharing, no limit; set record.
#define GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT {(uint32_t)sizeof(gc_graph_cache_options), 0, 0, 0, 0, NULL, NULL, NULL}

/// Counts of what a graph cache did since it was made, and has. Start from GRAPHCAP_GRAPH_CACHE_STATS_INIT.
///
/// A launch that succeeds counts as a hit, or as an update, or as an instantiation. Bytes are not measured, since no
/// device tells them: docs/cache.md has the number of bytes for a node of each kind. Memory that nodes allocate or use
/// is not counted.
typedef struct gc_graph_cache_stats {
    /// sizeof(gc_graph_cache_stats).
    uint32_t struct_size;
    /// 0.
    uint32_t reserved;
    /// Launches of a graph exec that did the work of the key already.
    uint64_t hits;
    /// Calls of the recording function that gave a graph.
    uint64_t recordings;
    /// Updates of graph execs that keys share. A first launch of a key counts here too, if a graph exec was updated for
    /// it.
    uint64_t updates;
    /// Graph execs that were made.
    uint64_t instantiations;
    /// Keys that were dropped because of max_bytes, or not kept because their work alone takes more.
    uint64_t evictions;
    /// The keys that the cache has.
    uint64_t keys;
    /// The graph execs that it has.
    uint64_t execs;
    /// The bytes that its graphs and graph execs take on the device and on the host; never more than max_bytes.
    uint64_t bytes;
    /// Those of the bytes that are on the device.
    uint64_t device_bytes;
} gc_graph_cache_stats;
/// Initialiser of a gc_graph_cache_stats: empty.
#define GRAPHCAP_GRAPH_CACHE_STATS_INIT {(uint32_t)sizeof(gc_graph_cache_stats), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// Makes a graph cache without keys.
///
/// @param[in] context  the context whose graphs the cache records
/// @param[in] options  how the cache records and keeps; not NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the environment variable GRAPHCAP_CHECK is neither 0 nor 1
GRAPHCAP_NODISCARD gc_status gc_graph_cache_create(const gc_context *context, const gc_graph_cache_options *options,
    gc_graph_cache **cache_out);

/// Launches the work of a key on a stream, as gc_graph_launch() launches a graph exec. If the cache does not have the
/// work, it has the recording function record it first. docs/cache.md tells more.
///
/// The function is called with a new stream that is being captured. Then a graph exec is made, or one that keys share
/// is updated, and launched. Making a graph exec, and its first launch, can wait for other work of the device. If the
/// function fails, the capture is discarded, this call returns the function's status, and the message names that status
/// and the last call that failed inside the function. After a failure before the launch the cache is as it was. If only
/// the launch fails, the cache has the key.
///
/// Addresses of plain host memory in recorded copies stay those of the first launch of the key. Each later launch reads
/// or writes the same addresses, also when the memory is gone. Copy through a gc_host_buffer that outlives the cache,
/// or record bytes that stay the same with GRAPHCAP_MEMCPY_SNAPSHOT. With GRAPHCAP_CHECK=1 in the environment each
/// launch of a key that the cache has calls the recording function too, with all its effects, and compares its work
/// with what the first launch recorded. If they differ, the call returns GRAPHCAP_ERROR_INVALID_VALUE, the message
/// tells what differs, and nothing is launched.
///
/// A thread that launches a key which another thread records waits for that thread, and records the key itself if that
/// failed. Launches of other keys go on meanwhile.
///
/// When the bytes of all keys would exceed gc_graph_cache_options::max_bytes, the cache drops the keys that were not
/// launched for the longest time. Their queued launches still run, and nothing is waited for. A key whose work alone
/// exceeds it is recorded anew for each launch.
///
/// A graph exec of its own is made for a graph that allocates or frees memory, for one with conditional nodes, and for
/// one that differs from all graph execs of the same topology in something that an update would not change.
///
/// @param[in] key        key_size bytes that name the work, for example a shape
/// @param[in] key_size   the size of the key in bytes
/// @param[in] stream     a stream of a context on a device of the same kind
/// @param[in] user_data  passed to the recording function if this call calls it, as launch_data; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the recording function submitted nothing, its graph cannot be instantiated,
///     GRAPHCAP_CHECK=1 found other work than at the first launch, or as gc_graph_launch() has it
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED as gc_graph_instantiate() has it
/// @retval GRAPHCAP_ERROR_BUSY the call was made inside the recording function of the cache, or inside one of another
///     cache while another thread records the key
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED the recording function ended the capture itself
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is being captured, or a capture bars this thread from
///     instantiating; that capture is invalidated
/// @return any other number: what the recording function returned
GRAPHCAP_NODISCARD gc_status gc_graph_cache_launch(const gc_graph_cache *cache, const void *key, size_t key_size,
    const gc_stream *stream, void *user_data);

/// Drops the work of a key, so that the next launch of the key records it anew. Queued launches still run. Has no
/// effect if the cache does not have the key. What another thread records for the key meanwhile is launched, and is not
/// kept.
///
/// @param[in] key_size  the size of the key in bytes
GRAPHCAP_NODISCARD gc_status gc_graph_cache_remove(const gc_graph_cache *cache, const void *key, size_t key_size);

/// Drops the work of all keys, as gc_graph_cache_remove() drops that of one. The counters go on.
GRAPHCAP_NODISCARD gc_status gc_graph_cache_clear(const gc_graph_cache *cache);

/// Returns what a graph cache did, and what it has.
GRAPHCAP_NODISCARD gc_status gc_graph_cache_get_stats(const gc_graph_cache *cache, gc_graph_cache_stats *stats_out);

/// Destroys a graph cache. Queued launches still run, and launches that other threads are making are made. Does not
/// wait.
gc_status gc_graph_cache_destroy(gc_graph_cache *cache);

/// @}

/// @defgroup graphcap_pools Pools
///
/// A pool is memory and objects that graphs share. A graph that is captured with a pool keeps the pool, and so all that
/// was added to it. Memory that is allocated from a pool goes back to it and is used again wherever that is safe: in
/// the order of a stream, within one capture, or by graphs that do not run at once.
///
/// A pool can be sealed: what would add to it, or capture with it, then gives GRAPHCAP_ERROR_SEALED. The allocators of
/// PyTorch and RMM can take their memory from a pool: graphcap_allocators.h. gc_pool_get_memory() tells what a pool
/// has, gc_pool_trim() gives back what nothing uses.
///
/// @{

/// A capture uses memory again that gc_buffer_destroy_on_stream() freed in it, on every stream that is behind the free
/// and behind all uses of the memory that were recorded. The default.
#define GRAPHCAP_POOL_REUSE_ORDERED 0

/// As GRAPHCAP_POOL_REUSE_ORDERED, where that stream alone used the memory: memory orders no streams of the graph.
#define GRAPHCAP_POOL_REUSE_SAME_STREAM 1

/// Captures use no memory again: each allocation has bytes of its own, and no node waits for another one because of
/// memory.
#define GRAPHCAP_POOL_REUSE_NEVER 2

/// gc_pool_options: graphs that never run at once share memory of the pool. What is allocated on a stream of a capture
/// with the pool, and what gc_pool_allocate() allocates while such a capture goes on, is allocated again by other
/// captures with it, once the capture is over and the buffer destroyed, although the graph goes on to use it. Launches
/// of all graph execs that keep the pool run one after another, whatever their streams are. What a replay leaves in
/// such memory is lost when another graph of the pool runs. Graphs that share memory can be nodes of one graph where
/// its edges order them.
#define GRAPHCAP_POOL_SHARED 1

/// Options of a pool. Start from GRAPHCAP_POOL_OPTIONS_INIT.
typedef struct gc_pool_options {
    /// sizeof(gc_pool_options).
    uint32_t struct_size;
    /// GRAPHCAP_POOL_SHARED or 0.
    uint32_t flags;
    /// The most that gc_pool_allocate() can allocate from the pool together, in bytes: the addresses that the first
    /// allocation reserves. They cost no memory. 0 for as many as the device has memory.
    size_t capacity;
    /// Reuse of memory of the pool by captures: one of the GRAPHCAP_POOL_REUSE_ numbers.
    int32_t reuse;
    /// 0.
    uint32_t reserved;
} gc_pool_options;
/// Initialiser of a gc_pool_options: as much capacity as the device has memory, used again wherever that is safe.
#define GRAPHCAP_POOL_OPTIONS_INIT {(uint32_t)sizeof(gc_pool_options), 0, 0, 0, 0}

/// Memory that a pool has. Start from GRAPHCAP_POOL_MEMORY_INIT.
typedef struct gc_pool_memory {
    /// sizeof(gc_pool_memory).
    uint32_t struct_size;
    /// 0.
    uint32_t flags;
    /// Bytes that can be allocated from the pool together. 0 if the options of the pool did not limit it and nothing
    /// was allocated yet.
    uint64_t capacity;
    /// Bytes that the pool has taken from the device.
    uint64_t reserved_bytes;
    /// Bytes that are allocated. Each allocation counts as a multiple of 256 bytes. It is allocated until its buffer is
    /// destroyed, no graph uses it, and graphcap has found that the work submitted with it has completed. What graphs
    /// share counts once.
    uint64_t used_bytes;
    /// The most bytes that were allocated at any time.
    uint64_t used_high;
} gc_pool_memory;
/// Initialiser of a gc_pool_memory: empty.
#define GRAPHCAP_POOL_MEMORY_INIT {(uint32_t)sizeof(gc_pool_memory), 0, 0, 0, 0, 0}

/// Makes a pool without objects. It takes memory of the device only when gc_pool_allocate() needs it.
///
/// @param[in] context  the context that the pool belongs to
/// @param[in] options  NULL for the defaults: as much capacity as the device has memory, used again wherever that is
///     safe
GRAPHCAP_NODISCARD gc_status gc_pool_create(const gc_context *context, const gc_pool_options *options,
    gc_pool **pool_out);

/// Destroys the handle of a pool. Captures that were begun with the pool keep it, and so do their graphs, the graph
/// execs made of these, the launches of these, and other handles of the pool. Does not wait.
///
/// When the last of them is gone, the objects of the pool go: one after another, in the order in which they were added.
/// A buffer goes then unless somebody else keeps it. An object's destroy is called.
gc_status gc_pool_destroy(gc_pool *pool);

/// Returns the number of a pool. No other pool of the process has it or had it. All handles of one pool return the same
/// number.
///
/// @param[out] id_out  the number, at least 1
GRAPHCAP_NODISCARD gc_status gc_pool_id(const gc_pool *pool, uint64_t *id_out);

/// Adds a buffer to a pool, which keeps the buffer from here on. A buffer may be added more than once.
///
/// @param[in]  buffer     a buffer of the same context
/// @param[out] index_out  how many objects the pool had before
GRAPHCAP_NODISCARD gc_status gc_pool_add_buffer(const gc_pool *pool, const gc_buffer *buffer, size_t *index_out);

/// Adds an object of the caller's to a pool, which calls destroy when it goes. gc_pool_destroy() tells when that is.
///
/// @param[in]  destroy    not NULL. After a fault of a CUDA device it may never be called
/// @param[out] index_out  how many objects the pool had before
GRAPHCAP_NODISCARD gc_status gc_pool_add_object(const gc_pool *pool, void *user_data, gc_destroy_fn destroy,
    size_t *index_out);

/// Allocates device memory from a pool, aligned to at least 256 bytes. Its content is undefined. May be called while
/// streams are captured. Value operations, such as gc_stream_write_value32(), accept this memory.
///
/// The buffer is like any other: graphs that use it keep it, and it is not added to the objects of the pool. Once it is
/// destroyed, no graph uses it any more and the work submitted with it has completed, its memory is free for later
/// allocations from the pool. The graphs of captures with the pool that go on during this call keep the memory, too,
/// since their work may use it by its address. The memory of a pool goes back to the device when the pool is gone, and
/// all that was allocated from it. In a pool that was made with GRAPHCAP_POOL_SHARED, graphs of the pool do not keep a
/// buffer that was allocated while a capture with the pool went on: they share its memory.
///
/// @param[in] size  bytes, not 0
GRAPHCAP_NODISCARD gc_status gc_pool_allocate(const gc_pool *pool, size_t size, gc_buffer **buffer_out);

/// Returns how many objects a pool has: the buffers and the objects of the caller's that were added since it was
/// cleared last.
GRAPHCAP_NODISCARD gc_status gc_pool_buffer_count(const gc_pool *pool, size_t *count_out);

/// Seals a pool: it refuses to take in objects, to allocate, and to be used by captures that begin.
///
/// @param[in] pool  the pool; a sealed one stays sealed
GRAPHCAP_NODISCARD gc_status gc_pool_seal(const gc_pool *pool);

/// Takes gc_pool_seal() back.
///
/// @param[in] pool  the pool; it need not be sealed
GRAPHCAP_NODISCARD gc_status gc_pool_unseal(const gc_pool *pool);

/// Returns whether a pool is sealed.
///
/// @param[out] sealed_out  1 if it is sealed, else 0
GRAPHCAP_NODISCARD gc_status gc_pool_is_sealed(const gc_pool *pool, int32_t *sealed_out);

/// Lets go of all objects of a pool, as its end does: behind the launches of all graph execs that kept the pool. Memory
/// that was allocated from the pool stays allocated. A sealed pool stays sealed. Does not wait.
///
/// @retval GRAPHCAP_ERROR_BUSY a capture, a graph or a graph exec keeps the pool; nothing has changed
GRAPHCAP_NODISCARD gc_status gc_pool_clear(const gc_pool *pool);

/// Registers a pool under a number, for parts of a program that cannot pass handles to each other. The pool is kept
/// until gc_pool_handle_release(). To do this again changes nothing.
///
/// @param[out] id_out  the number, which is that of gc_pool_id()
GRAPHCAP_NODISCARD gc_status gc_pool_handle_new(const gc_pool *pool, uint64_t *id_out);

/// Finds a pool by the number that gc_pool_handle_new() returned.
///
/// @param[in]  id        the number
/// @param[out] pool_out  another handle of the pool
/// @retval GRAPHCAP_ERROR_NOT_FOUND no pool can be found by that number, or it was released
GRAPHCAP_NODISCARD gc_status gc_pool_handle_lookup(uint64_t id, gc_pool **pool_out);

/// Takes gc_pool_handle_new() back. The pool stays as long as somebody else keeps it. To do this again has no effect.
///
/// @param[in] id  the number that gc_pool_handle_new() returned
/// @retval GRAPHCAP_ERROR_NOT_FOUND gc_pool_handle_new() has returned neither that number nor a greater one
GRAPHCAP_NODISCARD gc_status gc_pool_handle_release(uint64_t id);

/// Returns how much memory a pool has. The buffers that were added to the pool do not count.
GRAPHCAP_NODISCARD gc_status gc_pool_get_memory(const gc_pool *pool, gc_pool_memory *memory_out);

/// Returns memory of a pool to the device: what lies behind the last allocation, in the pieces in which the pool took
/// it. What is allocated stays where it is, and later allocations take memory from the device again. The pool may be
/// sealed, and streams may be captured. Does not wait; call gc_context_collect() before, if work that used memory of
/// the pool has completed only now. What allocators of others freed, as gc_pool_torch_free(), goes back to the pool
/// first, unless a graph may use it; their streams are waited for by gc_context_collect() and gc_context_synchronize().
///
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY the system of a host device refuses to take memory back
GRAPHCAP_NODISCARD gc_status gc_pool_trim(const gc_pool *pool);

/// Allocates device memory from a pool, for work that the stream is given from here on. Its content is undefined. While
/// the stream is not captured, it is as gc_pool_allocate(). CUDA: cuMemAllocAsync.
///
/// While the stream is captured, memory is used again that gc_buffer_destroy_on_stream() freed on a stream of the same
/// capture: where all uses of it that were recorded, and its free, precede what the stream records next. The reuse of
/// the pool's options tells whether and where. Captures into graphs within nodes are captures of their own. Nothing is
/// used again once gc_stream_update_capture_dependencies() has set what the next work of a stream of the capture
/// depends on. The graph keeps the memory, also when the buffer is destroyed, and it goes back to the pool when the
/// graph, its execs and their launches are gone. From a pool with GRAPHCAP_POOL_SHARED, with which the capture was
/// begun, other captures with the pool get it when this one is over and the buffer destroyed.
///
/// Other streams of the capture may use the buffer once they wait for an event that was recorded on the stream after
/// this call. Work that uses the buffer without such a wait, where its memory was used before, is refused with
/// GRAPHCAP_ERROR_INVALID_VALUE; the capture goes on.
///
/// A graph in which memory is used again depends on the order in which it was recorded: who removes nodes or edges from
/// it keeps what uses one memory in order.
///
/// @param[in]  pool        the pool, of the same context; the capture need not have been begun with it
/// @param[in]  size        bytes, not 0
/// @param[out] buffer_out  the new buffer, owned by the caller until gc_buffer_destroy_on_stream() or
///     gc_buffer_destroy()
GRAPHCAP_NODISCARD gc_status gc_pool_allocate_on_stream(const gc_pool *pool, const gc_stream *stream, size_t size,
    gc_buffer **buffer_out);

/// Destroys a buffer as gc_buffer_destroy() does. If gc_pool_allocate_on_stream() allocated it in the capture that the
/// stream is in, later allocations of that capture may use its memory again. After gc_buffer_destroy() they do not.
/// CUDA: cuMemFreeAsync.
///
/// All uses of the buffer come before: those by its handle, which graphcap sees, and those by its address within the
/// arguments of a kernel, or by work of others, which are to precede what the stream records next. The memory is not
/// used again where work used it that the capture does not have: work that ran, and work of another capture or graph.
///
/// @param[in] buffer  the buffer; other handles of it must not be used any more
/// @param[in] stream  a stream of the same context
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT the buffer and the stream belong to different contexts; the handle lives
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED the call was made inside a host function; the handle lives
GRAPHCAP_NODISCARD gc_status gc_buffer_destroy_on_stream(gc_buffer *buffer, const gc_stream *stream);

/// Begins a capture of a stream, as gc_stream_begin_capture() does. The capture keeps a pool, and so do its graph and
/// the graph execs made of that.
///
/// @param[in] stream  the stream; not the legacy stream
/// @param[in] pool    a pool of the stream's context
GRAPHCAP_NODISCARD gc_status gc_stream_begin_capture_with_pool(const gc_stream *stream, gc_capture_mode mode,
    const gc_pool *pool);

/// Ends the capture of a stream, as gc_stream_end_capture() does. The graph keeps a pool, and so do the graph execs
/// made of it. The capture need not have been begun with a pool, and the pool may be sealed.
///
/// @param[in]  stream     the stream that the capture was begun on
/// @param[in]  pool       a pool of the stream's context; if the capture was begun with a pool, that one
/// @param[out] graph_out  the graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the capture was begun with another pool; it goes on
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT the stream and the pool belong to different contexts; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED as gc_stream_end_capture() has it
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT as gc_stream_end_capture() has it
GRAPHCAP_NODISCARD gc_status gc_stream_end_capture_with_pool(const gc_stream *stream, const gc_pool *pool,
    gc_graph **graph_out);

/// Returns the pool that a graph exec keeps: the pool of the capture that gave its graph. After gc_graph_exec_update()
/// it is the pool of the new graph. If child graphs bring further pools, one of all is returned.
///
/// @param[out] pool_out  another handle of the pool
/// @retval GRAPHCAP_ERROR_NOT_FOUND the graph exec keeps no pool
GRAPHCAP_NODISCARD gc_status gc_graph_exec_pool(const gc_graph_exec *exec, gc_pool **pool_out);

/// Returns whether a graph exec keeps a pool.
///
/// @param[out] has_pool_out  1 if it keeps one, else 0
GRAPHCAP_NODISCARD gc_status gc_graph_exec_has_pool(const gc_graph_exec *exec, int32_t *has_pool_out);

/// Returns how many objects the pool of a graph exec has at this moment, as gc_pool_buffer_count() does of
/// gc_graph_exec_pool().
///
/// @param[out] count_out  the number of objects; 0 if the graph exec keeps no pool
GRAPHCAP_NODISCARD gc_status gc_graph_exec_pool_buffer_count(const gc_graph_exec *exec, size_t *count_out);

/// @}

/// @defgroup graphcap_scalars Scalars and random numbers
///
/// A scalar is one number in memory of the device, which graphs read each time they run: a learning rate, a grid, a
/// condition. gc_scalar_update() writes it in the order of a stream, without a change of the graph.
///
/// A gc_rng is a generator of random numbers, Philox 4x32-10, with the same numbers on each device. A graph that draws
/// from it draws new numbers at each launch. Its state can be that of PyTorch's generators or of cuRAND's.
///
/// @{

/// A scalar of type int32_t.
#define GRAPHCAP_SCALAR_I32 1
/// A scalar of type uint32_t.
#define GRAPHCAP_SCALAR_U32 2
/// A scalar of type int64_t.
#define GRAPHCAP_SCALAR_I64 3
/// A scalar of type uint64_t.
#define GRAPHCAP_SCALAR_U64 4
/// A scalar of type float.
#define GRAPHCAP_SCALAR_F32 5
/// A scalar of type double.
#define GRAPHCAP_SCALAR_F64 6

/// gc_rng_uniform_params::flags: each time the fill runs it has the same numbers, those from element first of the
/// sequence on. The generator does not move on.
#define GRAPHCAP_RNG_REPEAT 1

/// Floats of a buffer that are filled with random numbers. Start from GRAPHCAP_RNG_UNIFORM_PARAMS_INIT, and set rng,
/// buffer and count.
struct gc_rng_uniform_params {
    /// sizeof(gc_rng_uniform_params).
    uint32_t struct_size;
    /// 0, or GRAPHCAP_RNG_REPEAT.
    uint32_t flags;
    /// The generator.
    const gc_rng *rng;
    /// Memory that is filled.
    const gc_buffer *buffer;
    /// Its first byte filled; the address there is a multiple of 4.
    size_t offset;
    /// Number of floats of 4 bytes; 0 has no effect.
    size_t count;
    /// GRAPHCAP_RNG_REPEAT: the number of the element that the first float has; 0 without the flag.
    uint64_t first;
};
/// Initialiser of a gc_rng_uniform_params: no flags; set rng, buffer and count.
#define GRAPHCAP_RNG_UNIFORM_PARAMS_INIT {(uint32_t)sizeof(gc_rng_uniform_params), 0, NULL, NULL, 0, 0, 0}

/// gc_rng_torch_state(): the layout of at::PhiloxCudaState with 24 bytes, in which the offset within the graph has 32
/// bits, of PyTorch before it had 64.
#define GRAPHCAP_TORCH_STATE_24 24

/// gc_rng_torch_state(): the layout of at::PhiloxCudaState with 32 bytes, in which the offset within the graph has 64
/// bits, as in PyTorch 2.11.
#define GRAPHCAP_TORCH_STATE_32 32

/// Makes a scalar: a typed value in device memory of its own. Graphs use it by its address, and gc_scalar_update()
/// changes it between their replays.
///
/// The first value is written in the order of the stream. Work of other streams sees it when the caller has ordered
/// that work behind, by an event or by a wait. The stream is not used otherwise.
///
/// The memory is as that of gc_buffer_allocate_waitable(). Graphs, graph execs and submitted work that use the scalar
/// keep it alive. Make the scalars of one graph by gc_scalar_create_block(), so that one call updates them.
///
/// @param[in] stream       the stream that writes the first value; the scalar belongs to its context
/// @param[in] scalar_type  one of the GRAPHCAP_SCALAR_ numbers
/// @param[in] initial      the first value, of that type
GRAPHCAP_NODISCARD gc_status gc_scalar_create(const gc_stream *stream, uint32_t scalar_type, const void *initial,
    gc_scalar **scalar_out);

/// Makes several scalars that share one buffer. They lie in it as the members of a C struct of their types do, in this
/// order: a kernel may be given the address of the first one, and use all of them as a struct or, if they are of one
/// type, as an array. Either all scalars are made, or none.
///
/// What keeps one of them alive keeps all alive. The first values are written by one command; see gc_scalar_create()
/// for all else.
///
/// @param[in]  stream       the stream that writes the first values; the scalars belong to its context
/// @param[in]  types        for each scalar one of the GRAPHCAP_SCALAR_ numbers
/// @param[in]  initial      for each scalar a pointer to its first value, of its type
/// @param[in]  count        the number of scalars, 1 to 255
/// @param[out] scalars_out  the new scalars, as many as count, each owned by the caller until gc_scalar_destroy();
///     NULLs on failure
GRAPHCAP_NODISCARD gc_status gc_scalar_create_block(const gc_stream *stream, const uint32_t *types,
    const void *const *initial, size_t count, gc_scalar **scalars_out);

/// Changes the value of a scalar when the earlier work of the stream has completed.
///
/// Replays and other work that are submitted to the stream after the call see the new value, and those before see the
/// old one, also while they still wait to run. Work of other streams is the caller's to order, by events. The value is
/// copied by the call and travels within the command: no memory of the caller's is read later. The call cannot be
/// recorded.
///
/// @param[in] scalar_type  the type of the scalar, one of the GRAPHCAP_SCALAR_ numbers
/// @param[in] value        the value, of that type
GRAPHCAP_NODISCARD gc_status gc_scalar_update(const gc_scalar *scalar, const gc_stream *stream, uint32_t scalar_type,
    const void *value);

/// Changes the values of several scalars by one command, when the earlier work of the stream has completed. Either all
/// updates are queued, or none. Of several updates of one scalar the last one holds.
///
/// The scalars may be of several blocks. See gc_scalar_update() for all else.
///
/// @param[in] stream  the stream, of the same context as the scalars
/// @param[in] types   for each scalar its type, one of the GRAPHCAP_SCALAR_ numbers
/// @param[in] values  for each scalar a pointer to its value, of its type
/// @param[in] count   the number of updates, at most 255; 0 has no effect
GRAPHCAP_NODISCARD gc_status gc_scalar_update_many(const gc_stream *stream, const gc_scalar *const *scalars,
    const uint32_t *types, const void *const *values, size_t count);

/// Reads the value of a scalar as it is when the earlier work of the stream has completed, and waits for that.
///
/// The call waits by the same rules as gc_stream_synchronize(): a capture that forbids that wait is invalidated, unless
/// the context is guarded. To read without waiting, copy from the buffer of gc_scalar_buffer() to a gc_host_buffer;
/// such a copy can be recorded.
///
/// @param[in]  scalar_type  the type of the scalar, one of the GRAPHCAP_SCALAR_ numbers
/// @param[out] value_out    the value, of that type; 0 on failure. It is left alone if scalar_type is not a
///     GRAPHCAP_SCALAR_ number
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED another capture forbids the wait
GRAPHCAP_NODISCARD gc_status gc_scalar_read(const gc_scalar *scalar, const gc_stream *stream, uint32_t scalar_type,
    void *value_out);

/// Destroys a scalar. Its memory is freed as that of gc_buffer_allocate_waitable(): when all scalars of its block are
/// destroyed, no graph or graph exec uses them any more, and the work submitted with them has completed. Does not wait.
gc_status gc_scalar_destroy(gc_scalar *scalar);

/// Returns the type of a scalar.
///
/// @param[out] type_out  one of the GRAPHCAP_SCALAR_ numbers
GRAPHCAP_NODISCARD gc_status gc_scalar_type(const gc_scalar *scalar, uint32_t *type_out);

/// Returns the device address of a scalar, as a number: what a kernel gets as a pointer to the scalar. It is valid as
/// long as the scalar is, and while a graph keeps it alive.
///
/// A kernel argument that is to keep the scalar alive names it: GRAPHCAP_ARG_INIT_BUFFER_AT() with the buffer and the
/// offset that gc_scalar_buffer() returns.
///
/// @param[out] address_out  the address of its first byte, a multiple of its size
GRAPHCAP_NODISCARD gc_status gc_scalar_address(const gc_scalar *scalar, uint64_t *address_out);

/// Returns the buffer that a scalar lies in, and where in it: for arguments of kernels, copies, conditions and all else
/// that takes buffers. The scalars of a block have one buffer, and its name; a scalar of gc_scalar_create() has one of
/// its own, at offset 0.
///
/// What writes the buffer changes the scalars in it, also kernels. Value operations accept the buffer.
///
/// @param[out] buffer_out  another handle of the buffer
/// @param[out] offset_out  where the scalar starts in the buffer, in bytes
GRAPHCAP_NODISCARD gc_status gc_scalar_buffer(const gc_scalar *scalar, gc_buffer **buffer_out, size_t *offset_out);

/// Makes a generator of random numbers, of the stream's context.
///
/// A generator is a sequence of 2^64 elements, and the number of the element that is drawn next, which is 0. The
/// sequence is that of Philox 4x32-10: element i is word i mod 4 of what Philox gives for counter i / 4, where the key
/// is the seed, and the upper half of the counter is the subsequence. cuRAND's curand_init(seed, subsequence, offset,
/// &state) stands at element offset of the same sequence. So generators of one seed and different subsequences never
/// share numbers: one for each device, say.
///
/// The state is in device memory. It is written in the order of the stream; work of other streams that draws is the
/// caller's to order behind that, by an event. Any thread may use a generator.
///
/// @param[in] stream       the stream, not being captured
/// @param[in] seed         which numbers
/// @param[in] subsequence  which part of them; 0 where there is only one
GRAPHCAP_NODISCARD gc_status gc_rng_create(const gc_stream *stream, uint64_t seed, uint64_t subsequence,
    gc_rng **rng_out);

/// Gives an at::PhiloxCudaState for a kernel that was written for PyTorch and is recorded next on the stream, so that
/// the kernel draws other numbers at each replay. docs/random.md has an example.
///
/// The state points to the generator's seed and to an offset in device memory, which each replay writes before the
/// kernel runs, by the node that takes the numbers of the graph's fills. The capture of the stream depends on that node
/// after the call. The graph keeps the memory, so a state is for kernels of this graph alone. Pass the first 24 or 32
/// bytes, as the layout says, as the kernel's argument; a kernel unpacks them by at::cuda::philox::unpack().
///
/// The kernel draws up to increment numbers in each thread: elements of the sequence of the generator's seed, from the
/// one that the generator draws next on, of the subsequence that has the number of the thread, as by curand_init(seed,
/// thread, offset, &state). Nothing checks that it draws no more. The generator's own subsequence is not used. Another
/// generator of the same seed may share numbers with the kernel; this one does not.
///
/// @param[in]  stream     the stream, of the same context, being captured by a gc_ call
/// @param[in]  layout     sizeof(at::PhiloxCudaState) of the PyTorch that the kernel was compiled with:
///     GRAPHCAP_TORCH_STATE_24 or GRAPHCAP_TORCH_STATE_32
/// @param[in]  increment  how many numbers each thread draws at most; rounded up to a multiple of 4
/// @param[out] state_out  4 words of 64 bits, the first bytes of which are the state; all 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE increment is more than the sequence has, or the graph draws more numbers before
///     than the layout has bits for
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE the stream is not being captured, or another thread ended the capture meanwhile
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED others began the capture, which goes on
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED in a capture that another thread began on its per-thread stream
GRAPHCAP_NODISCARD gc_status gc_rng_torch_state(const gc_rng *rng, const gc_stream *stream, uint32_t layout,
    uint64_t increment, uint64_t *state_out);

/// Begins another sequence when the earlier work of the stream has completed: that of the seed, with the same
/// subsequence, from element 0 on.
///
/// Graphs that were recorded before draw from it too. Work of other streams is the caller's to order, by events. The
/// call cannot be recorded.
///
/// @param[in] seed  the seed
GRAPHCAP_NODISCARD gc_status gc_rng_set_seed(const gc_rng *rng, const gc_stream *stream, uint64_t seed);

/// Returns the seed of a generator as it is when the earlier work of the stream has completed, and waits for that, as
/// gc_scalar_read() does.
///
/// @param[out] seed_out  the seed
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED another capture forbids the wait
GRAPHCAP_NODISCARD gc_status gc_rng_get_seed(const gc_rng *rng, const gc_stream *stream, uint64_t *seed_out);

/// Makes a generator go on from an element of its sequence, when the earlier work of the stream has completed. See
/// gc_rng_set_seed() for all else.
///
/// @param[in] offset  the number of the element that is drawn next
GRAPHCAP_NODISCARD gc_status gc_rng_set_offset(const gc_rng *rng, const gc_stream *stream, uint64_t offset);

/// Returns the number of the element that is drawn next, as it is when the earlier work of the stream has completed,
/// and waits for that, as gc_scalar_read() does.
///
/// @param[out] offset_out  the number of the element
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED another capture forbids the wait
GRAPHCAP_NODISCARD gc_status gc_rng_get_offset(const gc_rng *rng, const gc_stream *stream, uint64_t *offset_out);

/// Returns the subsequence of a generator.
///
/// @param[out] subsequence_out  what gc_rng_create() was given
GRAPHCAP_NODISCARD gc_status gc_rng_subsequence(const gc_rng *rng, uint64_t *subsequence_out);

/// Destroys a generator. Its state is freed when no graph or graph exec draws from it any more and the work that draws
/// from it has completed. Does not wait.
gc_status gc_rng_destroy(gc_rng *rng);

/// @}

/// @defgroup graphcap_ops Ops and scripts
///
/// An op is a piece of work that can be submitted and recorded again: work of a kind that graphcap knows, products of
/// matrices and Fourier transforms among them, or functions of the program's own. A script is a list of ops.
///
/// A script prepares its ops once, submits them to a stream or records them as a graph, and tells which op failed. An
/// op's functions get a gc_record_context, which leads to the stream, and to what belongs to the recording. What ops do
/// can also give GRAPHCAP_ERROR_LIBRARY, if a library of NVIDIA's cannot be loaded, and GRAPHCAP_ERROR_CALLBACK, if a
/// function that is written in Rust panics.
///
/// @{

/// Records an op: submits its work to the stream of gc_record_context_stream(), or to streams that it forks to and
/// joins.
///
/// It runs within gc_script_record() and gc_script_submit(), on the thread that called that, once for each of these
/// calls, also on several threads at the same time. It may make any gc_ and CUDA call that a capture allows. It does
/// not end the capture.
///
/// @param[in] context    where to record; dead when the function returns: later calls with it give
///     GRAPHCAP_ERROR_INVALID_HANDLE
/// @param[in] user_data  the op's, see gc_script_push_op()
/// @return GRAPHCAP_SUCCESS, or any other number, which the call that records then returns
typedef gc_status (*gc_op_record_fn)(const gc_record_context *context, void *user_data);

/// Does beforehand what must not happen inside a capture, such as loading a module. It runs within gc_script_prepare(),
/// or before the first recording, until it has succeeded once. Several threads that use the script for the first time
/// may run it at the same time. Otherwise it is as gc_op_record_fn.
///
/// @param[in] context    a handle of the script's context; dead when the function returns
/// @param[in] user_data  the op's, see gc_script_push_op()
/// @return GRAPHCAP_SUCCESS, or any other number, which the call then returns
typedef gc_status (*gc_op_prepare_fn)(const gc_context *context, void *user_data);

/// Returns what messages call an op: a text that ends with a NUL, which is copied before the function's result is used
/// otherwise; NULL for none. It runs once, within gc_script_push_op().
typedef const char *(*gc_op_name_fn)(void *user_data);

/// The functions of an op. Start from GRAPHCAP_OP_VTABLE_INIT, and set at least record.
typedef struct gc_op_vtable {
    /// sizeof(gc_op_vtable).
    uint32_t struct_size;
    /// 0.
    uint32_t reserved;
    /// Records the op; not NULL.
    gc_op_record_fn record;
    /// Prepares the op; may be NULL.
    gc_op_prepare_fn prepare;
    /// Names the op; may be NULL.
    gc_op_name_fn name;
    /// Called exactly once with the op's user data, when the script and all recordings that go on are gone, or when
    /// gc_script_push_op() fails after it has read this struct; may be NULL.
    gc_destroy_fn destroy;
} gc_op_vtable;
/// Initialiser of a gc_op_vtable: no functions; set record.
#define GRAPHCAP_OP_VTABLE_INIT {(uint32_t)sizeof(gc_op_vtable), 0, NULL, NULL, NULL, NULL}

/// gc_sgemm_params::math_mode: 32-bit floating point throughout.
#define GRAPHCAP_MATH_FLOAT32 0

/// gc_sgemm_params::math_mode: a GPU may round the factors to TF32, which has 10 bits behind the point, to be faster.
/// The host device calculates as with GRAPHCAP_MATH_FLOAT32.
#define GRAPHCAP_MATH_TF32 1

/// gc_fft_plan_params::direction: from real numbers to complex ones.
#define GRAPHCAP_FFT_DIRECTION_R2C 0
/// gc_fft_plan_params::direction: from complex numbers to real ones.
#define GRAPHCAP_FFT_DIRECTION_C2R 1

/// A product of matrices of floats: C = alpha * op(A) * op(B) + beta * C. All are column-major; op(A) has m rows and k
/// columns, op(B) k rows and n columns, C m rows and n columns. Start from GRAPHCAP_SGEMM_PARAMS_INIT.
///
/// Addresses are multiples of 4. C overlaps no other operand. All sizes and leading dimensions are at most 2147483647.
/// With an alpha of 0 neither A nor B is read, with a beta of 0 C is not.
struct gc_sgemm_params {
    /// sizeof(gc_sgemm_params).
    uint32_t struct_size;
    /// One of the GRAPHCAP_MATH_ numbers.
    uint32_t math_mode;
    /// Rows of op(A) and of C; with 0 there is nothing to do.
    uint64_t m;
    /// Columns of op(B) and of C; with 0 there is nothing to do.
    uint64_t n;
    /// Columns of op(A), and rows of op(B). With 0 C becomes beta * C.
    uint64_t k;
    /// 1 where op(A) is A transposed; 0 where it is A.
    uint32_t transpose_a;
    /// 1 where op(B) is B transposed; 0 where it is B.
    uint32_t transpose_b;
    /// The buffer of A.
    const gc_buffer *a;
    /// The first byte of A.
    size_t a_offset;
    /// Elements from one column of A to the next; 0 for the number of its rows.
    uint64_t lda;
    /// Elements from one A of the batch to the next; 0 where all use one.
    uint64_t stride_a;
    /// The buffer of B.
    const gc_buffer *b;
    /// The first byte of B.
    size_t b_offset;
    /// Elements from one column of B to the next; 0 for the number of its rows.
    uint64_t ldb;
    /// Elements from one B of the batch to the next; 0 where all use one.
    uint64_t stride_b;
    /// The buffer of C.
    const gc_buffer *c;
    /// The first byte of C.
    size_t c_offset;
    /// Elements from one column of C to the next; 0 for m.
    uint64_t ldc;
    /// Elements from one C of the batch to the next. No two overlap.
    uint64_t stride_c;
    /// Factor of the product; 0 with an alpha_scalar.
    float alpha;
    /// Factor of C before the product is added; 0 with a beta_scalar.
    float beta;
    /// A scalar of type GRAPHCAP_SCALAR_F32 that is read in place of alpha when the product is calculated; or NULL.
    const gc_scalar *alpha_scalar;
    /// A scalar of type GRAPHCAP_SCALAR_F32 that is read in place of beta when the product is calculated; or NULL.
    const gc_scalar *beta_scalar;
    /// The number of products; 0 for 1.
    uint64_t batch_count;
    /// Bytes of memory that cuBLAS may use for each recording of this product alone, which the graph keeps: 16384 to
    /// 2147483647, or UINT64_MAX for as many as a stream has. gc_graph_optimize() can let such products of one stream
    /// run side by side. With 0 cuBLAS uses the stream's workspace, which keeps them in order, as it does for what is
    /// executed. No effect on the host device.
    uint64_t workspace_bytes;
};
/// Initialiser of a gc_sgemm_params: no matrices, and an alpha of 0; set them.
#define GRAPHCAP_SGEMM_PARAMS_INIT \
    {(uint32_t)sizeof(gc_sgemm_params), 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, NULL, 0, 0, 0, NULL, 0, 0, 0, 0.0f, 0.0f, NULL, \
     NULL, 0, 0}

/// Sizes of Fourier transforms of floats: batch_count transforms between length real numbers and length / 2 + 1 complex
/// ones, the first half of the spectrum. A complex number is two floats, the real part first. Nothing is divided by the
/// length: there and back multiplies by it. On the way back the imaginary part of the first complex number, and for an
/// even length that of the last one, is ignored. Start from GRAPHCAP_FFT_PLAN_PARAMS_INIT.
typedef struct gc_fft_plan_params {
    /// sizeof(gc_fft_plan_params).
    uint32_t struct_size;
    /// One of the GRAPHCAP_FFT_DIRECTION_ numbers.
    uint32_t direction;
    /// Real numbers in a transform: 1 to 2147483647.
    uint64_t length;
    /// The number of transforms; 0 for 1.
    uint64_t batch_count;
    /// Numbers from the first input of one transform to that of the next, real or complex as the input is; 0 for as
    /// many as one has. No two overlap.
    uint64_t input_distance;
    /// Numbers from the first output of one transform to that of the next; as input_distance.
    uint64_t output_distance;
} gc_fft_plan_params;
/// Initialiser of a gc_fft_plan_params: from real numbers to complex ones, one transform; set length.
#define GRAPHCAP_FFT_PLAN_PARAMS_INIT {(uint32_t)sizeof(gc_fft_plan_params), 0, 0, 0, 0, 0}

/// Fourier transforms from one buffer to another. Start from GRAPHCAP_FFT_PARAMS_INIT. The input is kept.
struct gc_fft_params {
    /// sizeof(gc_fft_params).
    uint32_t struct_size;
    /// 0.
    uint32_t reserved;
    /// The plan; NULL for one that is made from plan_params when the op is prepared.
    const gc_fft_plan *plan;
    /// The sizes; NULL with a plan.
    const gc_fft_plan_params *plan_params;
    /// The buffer of the input.
    const gc_buffer *input;
    /// The first byte of the input, whose address is a multiple of 8.
    size_t input_offset;
    /// The buffer of the output, which does not overlap the input.
    const gc_buffer *output;
    /// The first byte of the output, whose address is a multiple of 8.
    size_t output_offset;
};
/// Initialiser of a gc_fft_params: no transforms; set a plan or its sizes, input and output.
#define GRAPHCAP_FFT_PARAMS_INIT {(uint32_t)sizeof(gc_fft_params), 0, NULL, NULL, NULL, 0, NULL, 0}

/// Reason why a script could not be prepared, recorded or submitted. Start from GRAPHCAP_SCRIPT_FAILURE_INIT. All
/// members but struct_size are 0 after a call that succeeded, and after one that found a wrong argument.
typedef struct gc_script_failure {
    /// sizeof(gc_script_failure).
    uint32_t struct_size;
    /// Status that the call returned.
    gc_status status;
    /// 1 if an op failed; 0 if the capture could not begin or end.
    uint32_t has_op;
    /// 0.
    uint32_t reserved;
    /// The place of the op that failed among the ops of the script, from 0.
    size_t op_index;
    /// Its name, UTF-8, cut to fit; ends with a NUL.
    char op_name[64];
} gc_script_failure;
/// Initialiser of a gc_script_failure: empty.
#define GRAPHCAP_SCRIPT_FAILURE_INIT {(uint32_t)sizeof(gc_script_failure), 0, 0, 0, 0, {0}}

/// Returns the stream that an op submits to.
///
/// @param[in]  context     what the op was given
/// @param[out] stream_out  the stream; NULL on failure. The handle belongs to the context: the op does not destroy it,
///     and it is dead when the op returns
GRAPHCAP_NODISCARD gc_status gc_record_context_stream(const gc_record_context *context, const gc_stream **stream_out);

/// Returns the graph that an op is recorded into. It can be looked at, and nodes be added to it, as
/// gc_stream_capture_graph() tells.
///
/// @param[in]  context    what the op was given
/// @param[out] graph_out  the graph
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE the script is submitted to a stream that is not being captured, so that the
///     work runs and there is no graph; or the op ended the capture
/// @return otherwise as gc_stream_capture_graph()
GRAPHCAP_NODISCARD gc_status gc_record_context_graph(const gc_record_context *context, gc_graph **graph_out);

/// Returns the pool of the capture that an op is recorded into. gc_script_record() and actors begin captures without
/// one; gc_script_submit() records into whatever capture the stream is in, which may have been begun with a pool.
///
/// @param[in]  context   what the op was given
/// @param[out] pool_out  another handle of the pool
/// @retval GRAPHCAP_ERROR_NOT_FOUND the capture was begun without a pool, or the work runs instead of being recorded
GRAPHCAP_NODISCARD gc_status gc_record_context_pool(const gc_record_context *context, gc_pool **pool_out);

/// Tells why a function of the program's is about to fail that graphcap calls on this thread: gc_op_vtable::record or
/// prepare, or a function that submits into a capture of graphcap's. The message of the call that runs it, or of the
/// future that has its answer, has the text if the function then returns a number other than GRAPHCAP_SUCCESS.
/// Elsewhere it has no effect.
///
/// @param[in] text  UTF-8. What is behind the first 1024 bytes is left out
GRAPHCAP_NODISCARD gc_status gc_callback_set_message(const char *text);

/// Plans Fourier transforms, which any number of GRAPHCAP_WORK_FFT_R2C or GRAPHCAP_WORK_FFT_C2R ops can share. The
/// first plan of a size may take a second on a GPU. On the host device a plan takes milliseconds where the length is a
/// product of small primes and is below a million, and seconds where it has a prime factor of millions. A capture of
/// the calling thread goes on. Any thread may use a plan. CUDA: cufftMakePlanMany.
///
/// @param[in]  context   where the transforms will run
/// @param[in]  params    their sizes
/// @param[out] plan_out  the new plan
/// @retval GRAPHCAP_ERROR_INVALID_VALUE transforms overlap
/// @retval GRAPHCAP_ERROR_LIBRARY cuFFT cannot be loaded; the message has the names that were tried
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the library lacks a function, or cannot transform so
/// @retval GRAPHCAP_ERROR_UNKNOWN cuFFT failed otherwise, as it may while a blocking stream is captured; the message
///     has its answer. Plans are best made before captures begin
GRAPHCAP_NODISCARD gc_status gc_fft_plan_create(const gc_context *context, const gc_fft_plan_params *params,
    gc_fft_plan **plan_out);

/// Destroys a plan. Ops and graphs that use it keep it. What a GPU has of it goes in gc_context_collect() or
/// gc_context_synchronize().
gc_status gc_fft_plan_destroy(gc_fft_plan *plan);

/// Makes a script without ops.
///
/// Any thread may use a script, also to record it while another thread does. Calls that record or submit see the ops
/// that it had when they began.
///
/// @param[in] context  the context that its ops are prepared for, and on whose streams it is recorded
GRAPHCAP_NODISCARD gc_status gc_script_create(const gc_context *context, gc_script **script_out);

/// Adds an op of the caller's at the end of a script.
///
/// @param[in] vtable     the functions of the op
/// @param[in] user_data  passed to the functions; may be NULL
GRAPHCAP_NODISCARD gc_status gc_script_push_op(const gc_script *script, const gc_op_vtable *vtable, void *user_data);

/// Does beforehand what must not happen inside a capture: prepares the ops of a script that are not prepared yet.
/// gc_script_record() and gc_script_submit() do so too, before they record anything.
///
/// @param[in,out] failure_out  the op that failed; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE a Fourier transform does not fit its buffers
/// @return any other number: what gc_op_vtable::prepare of the first op that failed returned, or what the device
///     answered
GRAPHCAP_NODISCARD gc_status gc_script_prepare(const gc_script *script, gc_script_failure *failure_out);

/// Records a script as a graph: begins a capture of a stream, records the ops in order, and ends the capture in any
/// case.
///
/// The first op that fails ends the recording. The capture is discarded, the stream is as before, the message names the
/// op by index and name, and so does failure_out. An op that succeeds although it broke or ended the capture counts as
/// one that failed. A script can be recorded any number of times.
///
/// @param[in]     stream       a stream of the script's context; not the legacy stream
/// @param[in,out] failure_out  the op that failed; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the work of an op is wrong
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED the stream is the legacy stream, or a capture bars this thread from what
///     an op needs
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED an op ended the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED an op forked to a stream and did not join it
/// @retval GRAPHCAP_ERROR_UNKNOWN a library of NVIDIA's failed, as it may while other threads capture
/// @return any other number: what a function of the first op that failed returned
GRAPHCAP_NODISCARD gc_status gc_script_record(const gc_script *script, const gc_stream *stream, gc_capture_mode mode,
    gc_script_failure *failure_out, gc_graph **graph_out);

/// Submits the ops of a script to a stream, in order. They run, or are recorded if the stream is being captured.
///
/// Where an op fails, the ops before it stay submitted. A capture goes on, unless the failure broke it.
///
/// @param[in]     stream       a stream of the script's context
/// @param[in,out] failure_out  the op that failed; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the work of an op is wrong
/// @retval GRAPHCAP_ERROR_CAPTURE_ISOLATION an op of a captured stream waits for work outside the capture
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE another thread ended the capture meanwhile
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED a capture bars this thread from what an op needs
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED an op ended the capture
/// @retval GRAPHCAP_ERROR_UNKNOWN a library of NVIDIA's failed, as it may while other threads capture
/// @return any other number: what a function of the first op that failed returned
GRAPHCAP_NODISCARD gc_status gc_script_submit(const gc_script *script, const gc_stream *stream,
    gc_script_failure *failure_out);

/// Destroys a script. Graphs that were recorded from it keep what they use, and calls that use the script go on.
gc_status gc_script_destroy(gc_script *script);

/// Adds a built-in op at the end of a script.
///
/// Handles and members are checked now. What depends on the device, and ranges of buffers, is checked when the op is
/// recorded; a copy with GRAPHCAP_MEMCPY_SNAPSHOT is checked now, and the shape of one with GRAPHCAP_MEMCPY_PEER.
///
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the work is none of a script, or is wrong: see gc_work and its kind
GRAPHCAP_NODISCARD gc_status gc_script_push(const gc_script *script, const gc_work *work);

/// @}

/// @defgroup graphcap_actors Actors and futures
///
/// An actor is a thread of graphcap's with a stream and a mailbox. It records scripts, launches graph execs and changes
/// them, in the order of the messages; the program does not wait. Each message gives a future.
///
/// A future is polled, awaited, or calls a function; it holds a status, a text, or the graph exec that was made. It
/// also tells what an actor that seems to hang is waiting for. Descriptors let an event loop wait for actors and
/// futures.
///
/// A call that sends a message succeeds when the message is in the mailbox. If the mailbox is full it waits;
/// GRAPHCAP_ERROR_BUSY is the answer where it may not, and GRAPHCAP_ERROR_TIMEOUT after
/// gc_actor_options::post_timeout_ns. A closed actor answers GRAPHCAP_ERROR_ILLEGAL_STATE.
///
/// @{

/// gc_actor_options::completion: the actor records an event behind each launch, and asks about it while it has nothing
/// else to do. On the host device it counts launches instead.
#define GRAPHCAP_ACTOR_COMPLETION_EVENT 0

/// gc_actor_options::completion: the actor has the stream call a host function behind each launch, and sleeps
/// meanwhile.
#define GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION 1

/// gc_actor_options::completion: the actor waits for the stream after each launch, so that one launch runs at a time.
#define GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE 2

/// gc_actor_options::flags: a message to a full mailbox is refused with GRAPHCAP_ERROR_BUSY. Without the flag the call
/// waits for room.
#define GRAPHCAP_ACTOR_REFUSE_WHEN_FULL 1

/// Options of an actor. 0 is the default of every member.
typedef struct gc_actor_options {
    /// sizeof(gc_actor_options).
    uint32_t struct_size;
    /// Way in which the actor learns that a launch has completed: a GRAPHCAP_ACTOR_COMPLETION_ number.
    uint32_t completion;
    /// The most messages that wait; 0 for 1024.
    size_t mailbox_capacity;
    /// The longest time that a message waits for room in the mailbox, in nanoseconds; 0 for no limit.
    uint64_t post_timeout_ns;
    /// 0 or GRAPHCAP_ACTOR_REFUSE_WHEN_FULL.
    uint32_t flags;
    /// 0.
    uint32_t reserved;
    /// Nanoseconds after which a launch that has not completed counts as late, see gc_future_stall_report() and
    /// gc_future_on_stall(). They begin when the actor made the launch, or had answered the launch before it. 0 for no
    /// limit. With a limit the actor has another thread, which sleeps while no launch is in flight.
    uint64_t stall_limit_ns;
} gc_actor_options;
/// Initialiser of a gc_actor_options: the defaults.
#define GRAPHCAP_ACTOR_OPTIONS_INIT {(uint32_t)sizeof(gc_actor_options), 0, 0, 0, 0, 0, 0}

/// Takes an answer, see gc_future_on_done(), or a launch that is late, see gc_future_on_stall().
///
/// It may make any gc_ and CUDA call. On the actor's thread, where it takes answers, it cannot wait for futures of the
/// actor or for its end, and its message to a full mailbox is refused: GRAPHCAP_ERROR_BUSY. The actor does nothing else
/// while it runs.
///
/// @param[in] future     the future, by a handle of its own; dead when the function returns
/// @param[in] user_data  what gc_future_on_done() or gc_future_on_stall() was given
typedef void (*gc_future_fn)(const gc_future *future, void *user_data);

/// Starts an actor: a thread, with a stream of its own, that does what it is told by messages, one after another.
///
/// Each message is answered by a gc_future. A launch is answered when the device has completed it; several launches can
/// be in flight, and those that one thread asked for are answered in the order of its calls. While the actor has
/// nothing to do its thread sleeps.
///
/// A call that sends a message waits while the mailbox is full, as gc_actor_options says. A call on the actor's own
/// thread, which is in the callback of a future, never waits: it is refused with GRAPHCAP_ERROR_BUSY.
///
/// At most 256 launches are in flight. The next one stays in the mailbox until one of them has completed, and so do the
/// messages behind it. Other messages are handled while 256 launches are in flight.
///
/// If the context faults or is reset, the actor answers everything with the cause: the launches in flight, the messages
/// that wait, and those that come later. A launch that had completed before the fault succeeds; with
/// GRAPHCAP_ACTOR_COMPLETION_EVENT a GPU does not tell, and such a launch gets the fault if the actor had not seen it
/// complete. Any other error is that of the message that failed, and the actor goes on.
///
/// @param[in] context  the context that the actor works in
/// @param[in] options  how the actor works; NULL for the defaults
/// @retval GRAPHCAP_ERROR_INVALID_VALUE gc_actor_options::post_timeout_ns is not 0 with GRAPHCAP_ACTOR_REFUSE_WHEN_FULL
GRAPHCAP_NODISCARD gc_status gc_actor_create(const gc_context *context, const gc_actor_options *options,
    gc_actor **actor_out);

/// Destroys an actor, and closes it as gc_actor_close() does. Does not wait: launches that it made finish, and their
/// futures are answered.
gc_status gc_actor_destroy(gc_actor *actor);

/// Makes the actor record a script on its stream and make a graph exec of the graph. gc_future_take_exec() gets the
/// graph exec from the answer.
///
/// The script is recorded when the actor comes to the message, with the ops that it has then. Its functions run on the
/// actor's thread.
///
/// @param[in]  script      a script of the actor's context
/// @param[in]  mode        a GRAPHCAP_CAPTURE_MODE_ number: which calls of other threads the capture bars
/// @param[in]  flags       0 or GRAPHCAP_INSTANTIATE_ flags, but not GRAPHCAP_INSTANTIATE_UPLOAD
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error
///     of gc_script_record() or of gc_graph_instantiate(), or one that every message can have: GRAPHCAP_ERROR_CANCELLED
///     when the actor was closed before it came to the message, GRAPHCAP_ERROR_STALE when the context was reset, or the
///     status of a fault
GRAPHCAP_NODISCARD gc_status gc_actor_record(const gc_actor *actor, const gc_script *script, gc_capture_mode mode,
    uint32_t flags, gc_future **future_out);

/// Makes the actor make a graph exec of a graph that the caller captured or built. gc_future_take_exec() gets the graph
/// exec from the answer.
///
/// @param[in]  graph       a graph; to be launched by the actor it is of a context on the actor's device. The graph
///     exec keeps it, for gc_actor_export_dot()
/// @param[in]  flags       0 or GRAPHCAP_INSTANTIATE_ flags, but not GRAPHCAP_INSTANTIATE_UPLOAD
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error
///     of gc_graph_instantiate(), or one that every message can have, see gc_actor_record()
GRAPHCAP_NODISCARD gc_status gc_actor_adopt(const gc_actor *actor, const gc_graph *graph, uint32_t flags,
    gc_future **future_out);

/// Makes the actor launch a graph exec on its stream. The answer comes when the launch has completed. The graph exec
/// lives until then, also if its handle is destroyed.
///
/// @param[in]  exec        a graph exec of a context on the actor's device
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error
///     of gc_graph_launch(), or one that every message can have, see gc_actor_record()
GRAPHCAP_NODISCARD gc_status gc_actor_launch(const gc_actor *actor, const gc_graph_exec *exec, gc_future **future_out);

/// Makes the actor update a graph exec to do the work of a graph, behind the launches that were asked for before. Later
/// launches do the work of the graph.
///
/// @param[in]  graph       as gc_graph_exec_update() takes it; the graph exec keeps it, for gc_actor_export_dot()
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is an error
///     of gc_graph_exec_update(), and the graph exec is unchanged then; or one that every message can have, see
///     gc_actor_record()
GRAPHCAP_NODISCARD gc_status gc_actor_update(const gc_actor *actor, const gc_graph_exec *exec, const gc_graph *graph,
    gc_future **future_out);

/// Makes the actor make the Fourier transforms of a graph exec by another plan, behind the launches that were asked for
/// before. The graph exec is one that an actor recorded, and the transforms are those of an op of its script.
///
/// The actor records the ops that the script had then once more, so that functions of ops run again on the actor's
/// thread, and applies the new graph to the graph exec as gc_graph_exec_apply() does. What was set in single nodes of
/// the graph exec is lost. The plan may have another length or batch than the one before, where the op's buffers have
/// room. The plan before ends when no launch, op or graph needs it any more.
///
/// So that it can be recorded again, a graph exec that an actor recorded from a script with a Fourier transform keeps
/// the ops of the script.
///
/// @param[in]  exec        a graph exec that an actor recorded
/// @param[in]  op_index    the index of the op in the script, from 0: a GRAPHCAP_WORK_FFT_R2C or GRAPHCAP_WORK_FFT_C2R
/// @param[in]  plan        a plan of the same direction, of the actor's context; the graph exec keeps it
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is
///     GRAPHCAP_ERROR_NOT_FOUND for a graph exec that no actor recorded from a script with a transform, or that
///     gc_actor_update() gave another graph since; GRAPHCAP_ERROR_INVALID_VALUE where the op is no transform, or one of
///     the other direction, or its buffers are too small; an error of gc_script_record() or of gc_graph_exec_apply(),
///     or one that every message can have, see gc_actor_record(). The graph exec is unchanged then
GRAPHCAP_NODISCARD gc_status gc_actor_set_fft_plan(const gc_actor *actor, const gc_graph_exec *exec, size_t op_index,
    const gc_fft_plan *plan, gc_future **future_out);

/// Makes the actor write the graph of a graph exec in Graphviz's DOT language, as gc_graph_export_dot() does. It is the
/// graph that an actor made the graph exec of, or the one that it was last updated to by an actor. gc_future_text()
/// gets the text from the answer.
///
/// @param[in]  exec        a graph exec that an actor made
/// @param[in]  flags       0 or GRAPHCAP_DOT_ flags
/// @param[out] future_out  the answer, owned by the caller until gc_future_destroy(); NULL on failure. It is
///     GRAPHCAP_ERROR_NOT_FOUND for a graph exec that no actor made, an error of gc_graph_export_dot(), or one that
///     every message can have, see gc_actor_record()
GRAPHCAP_NODISCARD gc_status gc_actor_export_dot(const gc_actor *actor, const gc_graph_exec *exec, uint32_t flags,
    gc_future **future_out);

/// Closes an actor. It takes no more messages, answers those that it has not come to with GRAPHCAP_ERROR_CANCELLED,
/// lets the launches that it made finish, and answers them. Closing again only waits.
///
/// @param[in] nanoseconds  the longest time to wait until the actor's thread has answered everything; 0 does not wait,
///     and UINT64_MAX waits for ever
/// @retval GRAPHCAP_ERROR_TIMEOUT launches had not completed by then; the actor is closed, and they go on
/// @retval GRAPHCAP_ERROR_BUSY the call was made on the actor's own thread, with a time to wait; the actor is closed
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED the call was made inside a host function; the actor is not closed
GRAPHCAP_NODISCARD gc_status gc_actor_close(const gc_actor *actor, uint64_t nanoseconds);

/// Returns a file descriptor for event loops that is readable while gc_actor_next_completed() has a future to return.
/// The descriptor is an eventfd. The first call begins this: futures of calls that were made before do not come.
///
/// @param[out] fd_out  the descriptor, the same in each call; 0 on failure. It belongs to the actor, and is closed when
///     the actor is destroyed and all its futures are answered. Watch it by poll(2) and the like; do not read from it,
///     write to it or close it
GRAPHCAP_NODISCARD gc_status gc_actor_event_fd(const gc_actor *actor, int32_t *fd_out);

/// Returns the next future that the actor has answered. Each one is returned once, and not if it was destroyed
/// meanwhile. Those of launches that one thread asked for come in the order of its calls. Another thread's call that
/// sent the message may not have returned yet.
///
/// @param[in]  actor       an actor whose gc_actor_event_fd() was called
/// @param[out] future_out  the handle that the call gave which sent the message. It is no new handle: it is destroyed
///     once. NULL on failure
/// @retval GRAPHCAP_ERROR_NOT_READY there is none at present
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE gc_actor_event_fd() was not called
GRAPHCAP_NODISCARD gc_status gc_actor_next_completed(const gc_actor *actor, gc_future **future_out);

/// Tells whether a future has been answered. Does not wait.
///
/// @param[out] is_done_out  1 if it has been answered, else 0
GRAPHCAP_NODISCARD gc_status gc_future_poll(const gc_future *future, uint32_t *is_done_out);

/// Waits for the answer, and returns it. Further calls return the same answer.
///
/// If the time passes while a launch of a graph exec that was made with GRAPHCAP_INSTANTIATE_WATCH goes on, the message
/// of the error names the nodes that could run and have not completed.
///
/// @param[in]     nanoseconds  the longest time to wait; 0 checks once, UINT64_MAX waits for ever
/// @param[in,out] failure_out  what the answer is if it is an error, with the op of a script that failed; may be NULL.
///     Its status tells an answer from an error of this call, where it stays 0
/// @retval GRAPHCAP_SUCCESS the message was carried out; a launch has completed
/// @retval GRAPHCAP_ERROR_CANCELLED the actor was closed before it came to the message
/// @retval GRAPHCAP_ERROR_TIMEOUT the time passed before the answer came
/// @retval GRAPHCAP_ERROR_BUSY the call was made on the actor's own thread, and the future is not answered
/// @return otherwise the error that the answer is; the call that sent the message tells which there are
GRAPHCAP_NODISCARD gc_status gc_future_wait(const gc_future *future, uint64_t nanoseconds,
    gc_script_failure *failure_out);

/// Registers a function that is called when the future is answered: on the actor's thread, or, if it is answered
/// already, on this thread before the call returns. Any number of functions can be given; they are called in that
/// order.
///
/// @param[in] function  called exactly once, also if the future is destroyed before
/// @param[in] destroy   called exactly once, after function, or when this call fails; may be NULL
GRAPHCAP_NODISCARD gc_status gc_future_on_done(const gc_future *future, gc_future_fn function, void *user_data,
    gc_destroy_fn destroy);

/// Tells how far a launch was when it had not completed within gc_actor_options::stall_limit_ns, in numbers and in
/// words. The first line of the text says it all. Further lines name nodes, as gc_graph_exec_progress() does, if the
/// graph exec was made with GRAPHCAP_INSTANTIATE_WATCH. The report stays when the launch completes after all. Does not
/// wait.
///
/// Of the launches of an actor, which complete one after another, the earliest one that has not completed is reported.
///
/// @param[in]     future        the future of gc_actor_launch()
/// @param[in,out] progress_out  how far the launch was; all 0 for a graph exec that was made without
///     GRAPHCAP_INSTANTIATE_WATCH; empty on failure; may be NULL
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL the text was cut to fit; progress_out is empty
/// @retval GRAPHCAP_ERROR_NOT_FOUND nothing was reported: the launch was not late by now, the actor has no limit, or
///     the message is no launch
GRAPHCAP_NODISCARD gc_status gc_future_stall_report(const gc_future *future, gc_graph_exec_progress_info *progress_out,
    char *text, size_t capacity, size_t *needed);

/// Registers a function that is called when a launch has not completed within gc_actor_options::stall_limit_ns: on a
/// thread of the actor's that does nothing else, or, if it was reported already, on this thread before the call
/// returns. The function may make any gc_ call, and wait. While it runs, other launches of the actor are not reported;
/// the answer may come meanwhile. gc_future_stall_report() has the report.
///
/// @param[in] future    the future of gc_actor_launch()
/// @param[in] function  called at most once, also if the future is destroyed before
/// @param[in] destroy   called exactly once: after function, when the future is answered before that, or when this call
///     fails; may be NULL
GRAPHCAP_NODISCARD gc_status gc_future_on_stall(const gc_future *future, gc_future_fn function, void *user_data,
    gc_destroy_fn destroy);

/// Takes the graph exec from an answer: that of gc_actor_record() and gc_actor_adopt(). It can be taken once. If nobody
/// takes it, it goes with the future.
///
/// @param[out] exec_out  the graph exec
/// @retval GRAPHCAP_ERROR_NOT_READY the future is not answered yet
/// @retval GRAPHCAP_ERROR_NOT_FOUND the message makes no graph exec, or the graph exec was taken before
/// @return otherwise the error that the answer is
GRAPHCAP_NODISCARD gc_status gc_future_take_exec(const gc_future *future, gc_graph_exec **exec_out);

/// Copies the text of an answer: that of gc_actor_export_dot().
///
/// @retval GRAPHCAP_ERROR_NOT_READY the future is not answered yet
/// @retval GRAPHCAP_ERROR_NOT_FOUND the message has no text for its answer
/// @return otherwise the error that the answer is
GRAPHCAP_NODISCARD gc_status gc_future_text(const gc_future *future, char *text, size_t capacity, size_t *needed);

/// Returns a file descriptor, an eventfd, that is readable once the future is answered. It is made by the first call.
///
/// gc_actor_event_fd() is one descriptor for all futures of an actor.
///
/// @param[out] fd_out  the descriptor, the same in each call; 0 on failure. It belongs to the future, and is closed
///     when the future is answered and destroyed. Watch it by poll(2) and the like; do not read from it, write to it or
///     close it
GRAPHCAP_NODISCARD gc_status gc_future_event_fd(const gc_future *future, int32_t *fd_out);

/// Destroys a future. The message is carried out all the same, and functions of gc_future_on_done() and
/// gc_future_on_stall() are called.
gc_status gc_future_destroy(gc_future *future);

/// @}

/// @defgroup graphcap_optimising Optimising and verifying
///
/// gc_graph_optimize() makes a graph that runs at once what need not run in order. It goes by what nodes read and
/// write: kernels say so by gc_kernel_set_accesses(), or by the access of an argument. Nodes of which that is not known
/// keep their place.
///
/// The result can be measured, explained as text and as data, kept as a plan for graphs of the same shape, and
/// verified: gc_graph_verify() runs a graph in many orders and compares what it writes. gc_graph_check() finds faults
/// without running anything, gc_graph_step() by running nodes one by one, gc_graph_bisect() by leaving nodes out.
///
/// @{

/// gc_kernel_statement::offset: each word of the parameter.
#define GRAPHCAP_STATEMENT_EACH_WORD 4294967295

/// Statement about kernels by their names, for kernels of others. It goes behind what the launch and
/// gc_kernel_set_accesses() state. It has no struct_size and keeps its 24 bytes.
typedef struct gc_kernel_statement {
    /// Pattern of the names, mangled or not: `*` stands for any characters, `?` for one.
    const char *kernel;
    /// Number of the parameter, counted from 0; 0 where the launch has one block of arguments.
    uint32_t parameter;
    /// Place of the address in the parameter or block, in bytes; or GRAPHCAP_STATEMENT_EACH_WORD.
    uint32_t offset;
    /// GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ_WRITE, or GRAPHCAP_ACCESS_NONE for no address.
    uint32_t access;
    /// 0.
    uint32_t reserved;
} gc_kernel_statement;

/// gc_optimize_options::flags: keep the edges, and change the shape alone.
#define GRAPHCAP_OPTIMIZE_SHAPE_ONLY 1

/// gc_optimize_options::flags: a kernel of which nothing is stated writes the buffers and other allocations that its
/// arguments point into, and touches nothing else.
#define GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS 2

/// gc_optimize_options::flags: candidates are replayed and timed, and the result is the fastest, when replays are
/// launched one behind another. Graphs within nodes stay as they were recorded then. With GRAPHCAP_OPTIMIZE_IN_PLACE
/// nothing is measured.
#define GRAPHCAP_OPTIMIZE_MEASURE 4

/// gc_optimize_options::flags: as GRAPHCAP_OPTIMIZE_MEASURE, and the result is the fastest when each replay is waited
/// for before the next one is launched.
#define GRAPHCAP_OPTIMIZE_MEASURE_SINGLE 8

/// gc_optimize_options::flags: nobody looks at what kernels write while a replay runs. Kernels of which it is stated
/// that they write host memory, managed memory or memory of another device are then ordered as those that write device
/// memory.
#define GRAPHCAP_OPTIMIZE_UNOBSERVED 16

/// gc_optimize_options::flags: as GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS, and the nodes are run one by one, each with what
/// is in memory and with zeros behind each address in its arguments: memory behind an address that no node of the
/// kernel changed counts as read. It is a promise that other contents change nothing there either, and that zeros do no
/// harm. Limits and memory are as with GRAPHCAP_OPTIMIZE_MEASURE.
#define GRAPHCAP_OPTIMIZE_OBSERVE 32

/// gc_optimize_report::candidates: how many there can be.
#define GRAPHCAP_OPTIMIZE_CANDIDATES 8

/// gc_optimize_options::flags and gc_plan_apply(): change the graph itself, which then need not be one that can be
/// cloned. graph_out has to be NULL. No other call may use the graph meanwhile, and no capture may go into it.
#define GRAPHCAP_OPTIMIZE_IN_PLACE 512

/// gc_optimize_options::lanes: the most that there can be.
#define GRAPHCAP_OPTIMIZE_MAX_LANES 256

/// Options of gc_graph_optimize(). Start from GRAPHCAP_OPTIMIZE_OPTIONS_INIT.
typedef struct gc_optimize_options {
    /// sizeof(gc_optimize_options).
    uint32_t struct_size;
    /// 0 or GRAPHCAP_OPTIMIZE_ flags.
    uint32_t flags;
    /// At most so many nodes run at once, up to GRAPHCAP_OPTIMIZE_MAX_LANES; 0 for 128, which is as many kernels as a
    /// GPU runs at once.
    uint32_t lanes;
    /// Permissions for replays when candidates are measured: 0 or GRAPHCAP_PERMIT_ flags.
    uint32_t permits;
    /// Bytes of device memory that may be used for what the graph writes when candidates are measured; 0 for 1 GiB.
    uint64_t max_bytes;
    /// Statements about kernels; the first one that is of an address counts. A kernel of which nothing else is stated
    /// keeps its place unless one of them says that it writes something. May be NULL.
    const gc_kernel_statement *statements;
    /// Number of statements.
    uint64_t statement_count;
} gc_optimize_options;
/// Initialiser of a gc_optimize_options: no flags, as many lanes as kernels run at once on a GPU.
#define GRAPHCAP_OPTIMIZE_OPTIONS_INIT {(uint32_t)sizeof(gc_optimize_options), 0, 0, 0, 0, NULL, 0}

/// Edges of an optimized graph: one of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
typedef int32_t gc_optimize_edges;

/// Those that were recorded: the options say so, or other edges would leave no shorter path.
#define GRAPHCAP_OPTIMIZE_EDGES_RECORDED 0
/// Those that the work needs, on lanes.
#define GRAPHCAP_OPTIMIZE_EDGES_LANES 1
/// Those that the work needs, and no others; where this was measured to be the fastest.
#define GRAPHCAP_OPTIMIZE_EDGES_NEEDED 2

/// A graph that gc_graph_optimize() measured.
typedef struct gc_optimize_candidate {
    /// Its edges: one of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
    gc_optimize_edges edges;
    /// Number of lanes that its nodes are on; 0 with the recorded edges.
    uint32_t lanes;
    /// Number of nodes that it has besides those recorded.
    uint64_t added_node_count;
    /// Nanoseconds per replay when replays are launched one behind another.
    uint64_t pipelined_ns;
    /// Nanoseconds per replay when each is waited for before the next one is launched.
    uint64_t single_ns;
    /// Nanoseconds that a launch takes the CPU.
    uint64_t launch_ns;
} gc_optimize_candidate;

/// Report of gc_graph_optimize(). Start from GRAPHCAP_OPTIMIZE_REPORT_INIT.
typedef struct gc_optimize_report {
    /// sizeof(gc_optimize_report). Set it before the call.
    uint32_t struct_size;
    /// One of the GRAPHCAP_OPTIMIZE_EDGES_ numbers.
    gc_optimize_edges edges;
    /// Number of lanes that the nodes are on; 0 with the recorded edges.
    uint32_t lanes;
    /// Number of candidates measured; 0 if the options do not say so, and if it must not be (gc_graph_optimize_text()
    /// tells why).
    uint32_t candidate_count;
    /// Number of nodes of the recorded graph.
    uint64_t node_count;
    /// Number of nodes that the result has besides: kernels that do nothing, before all and behind all.
    uint64_t added_node_count;
    /// Number of edges of the recorded graph.
    uint64_t edges_before;
    /// Number of edges of the result.
    uint64_t edges_after;
    /// Number of nodes on the longest path of the recorded graph.
    uint64_t path_before;
    /// Number of nodes on the longest path of the result. Nodes that were added do not count.
    uint64_t path_after;
    /// Number of nodes that keep their place: all that was recorded before such a node stays before it, and all that
    /// was recorded behind it stays behind. gc_graph_optimize_text() tells which and why.
    uint64_t barrier_count;
    /// Index of the candidate that the result is.
    uint32_t chosen_candidate;
    /// 0.
    uint32_t reserved;
    /// The candidates; the first one is the graph as it was recorded.
    gc_optimize_candidate candidates[GRAPHCAP_OPTIMIZE_CANDIDATES];
    /// Number of graphs that the nodes of the graph have, also those within these: graphs of child nodes, bodies of
    /// conditionals.
    uint64_t inner_graph_count;
    /// Number of them that have other edges now.
    uint64_t inner_changed_count;
    /// Number of addresses in arguments, by kernel, that count as read by GRAPHCAP_OPTIMIZE_OBSERVE.
    uint64_t observed_count;
} gc_optimize_report;
/// Initialiser of a gc_optimize_report: empty.
#define GRAPHCAP_OPTIMIZE_REPORT_INIT \
    {(uint32_t)sizeof(gc_optimize_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {{0, 0, 0, 0, 0, 0}}, 0, 0, 0}

/// Reason why nodes stay in order: one of the GRAPHCAP_OPTIMIZE_REASON_ numbers. Those below
/// GRAPHCAP_OPTIMIZE_REASON_CONFLICT are reasons for which a node keeps its place: all that was recorded before it
/// stays before it, and all that was recorded behind it stays behind.
typedef int32_t gc_optimize_reason_kind;

/// Nothing is stated of what the kernel of the node touches: gc_kernel_set_accesses().
#define GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL 1

/// The arguments of the kernel of the node are not told: its arguments come in one block, or the driver is older than
/// 12.4.
#define GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_ARGUMENTS 2

/// The argument `parameter` points to no memory that graphcap knows: gc_buffer_wrap().
#define GRAPHCAP_OPTIMIZE_REASON_UNRESOLVED 3
/// The launch stated something of its buffers, but the argument `parameter` is a value that holds an address.
#define GRAPHCAP_OPTIMIZE_REASON_UNSTATED 4

/// By the argument `parameter` the kernel may write memory that the CPU, or another device, sees; UINT32_MAX where
/// gc_kernel_set_buffer_access() stated so of a buffer.
#define GRAPHCAP_OPTIMIZE_REASON_SEEN_OUTSIDE 5

/// The launch is cooperative, or gc_kernel_set_concurrency() says that the kernel runs beside nothing.
#define GRAPHCAP_OPTIMIZE_REASON_COOPERATIVE 6
/// The work of nodes of its kind may be seen from outside, or is not known: gc_node_kind().
#define GRAPHCAP_OPTIMIZE_REASON_NODE_KIND 7
/// An edge of the node carries something: gc_graph_get_edges().
#define GRAPHCAP_OPTIMIZE_REASON_EDGE 8
/// It sets a condition, as gc_graph_add_set_condition_node() and GRAPHCAP_WORK_CONDITIONAL do.
#define GRAPHCAP_OPTIMIZE_REASON_CONDITION 9
/// Two nodes that follow each other on the longest path touch the same bytes, and one of them writes these.
#define GRAPHCAP_OPTIMIZE_REASON_CONFLICT 10
/// Nodes share the workspace of their stream's products: gc_sgemm_params::workspace_bytes gives each one of its own.
#define GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE 11

/// A reason for which gc_graph_optimize() leaves nodes in order. It has no struct_size and keeps its 56 bytes. Members
/// that a kind does not name are 0.
typedef struct gc_optimize_reason {
    /// One of the GRAPHCAP_OPTIMIZE_REASON_ numbers.
    gc_optimize_reason_kind kind;
    /// Number of the kernel's argument, counted from 0: of the kinds that name one.
    uint32_t parameter;
    /// The node that keeps its place; with GRAPHCAP_OPTIMIZE_REASON_CONFLICT the one that comes later.
    gc_node node;
    /// GRAPHCAP_OPTIMIZE_REASON_CONFLICT: the node that `node` stays behind.
    gc_node earlier;
    /// GRAPHCAP_OPTIMIZE_REASON_CONFLICT: the first byte that both touch; gc_context_find_buffer() tells the buffer.
    /// GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE: the first byte of the workspace.
    uint64_t address;
    /// Bytes from `address` on, without a gap.
    uint64_t bytes;
    /// GRAPHCAP_OPTIMIZE_REASON_CONFLICT: 1 if `earlier` writes these bytes. It may read them, too.
    uint32_t earlier_writes;
    /// GRAPHCAP_OPTIMIZE_REASON_CONFLICT: 1 if `node` writes these bytes. It may read them, too.
    uint32_t later_writes;
    /// GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE: how many nodes share it. GRAPHCAP_OPTIMIZE_REASON_CONFLICT: how many
    /// buffers a pool gave the byte at `address`, one after another; where it is more than 1, GRAPHCAP_POOL_REUSE_NEVER
    /// gives each memory of its own, and the nodes may be free of each other.
    uint64_t count;
} gc_optimize_reason;

/// gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS.
#define GRAPHCAP_VERIFY_TRUST_PARAMETERS 1
/// gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_UNOBSERVED.
#define GRAPHCAP_VERIFY_UNOBSERVED 2
/// gc_verify_options::flags: as GRAPHCAP_OPTIMIZE_OBSERVE; what was observed is checked as what is stated.
#define GRAPHCAP_VERIFY_OBSERVE 4

/// Permission for trial replays: host functions are called at each replay. What they write is neither saved nor
/// compared.
#define GRAPHCAP_PERMIT_HOST_FUNCTIONS 1

/// Permission for trial replays: events are recorded and waited for at each replay.
#define GRAPHCAP_PERMIT_EVENTS 2

/// Permission for trial replays: values are written and waited for at each replay. What is waited for must come each
/// time.
#define GRAPHCAP_PERMIT_VALUES 4

/// Permission for trial replays: memory of other devices is written. What others write there meanwhile is lost.
#define GRAPHCAP_PERMIT_OTHER_DEVICES 8

/// A function that gc_graph_verify() calls before each step, on the thread that called it, with how many steps are
/// done, of how many; their number can grow. It may make any gc_ call that does not use the memory of the graph.
///
/// @return 0 to go on; any other number to end the call, which then reports what was found by then
typedef int32_t (*gc_verify_progress_fn)(uint64_t done, uint64_t total, void *user_data);

/// A function that gc_graph_verify() calls once in the end, on the thread that called it, with its report in words: a
/// text that ends with a NUL and lives until the function returns.
typedef void (*gc_verify_text_fn)(const char *text, void *user_data);

/// Options of gc_graph_verify(). Start from GRAPHCAP_VERIFY_OPTIONS_INIT.
typedef struct gc_verify_options {
    /// sizeof(gc_verify_options).
    uint32_t struct_size;
    /// 0 or GRAPHCAP_VERIFY_ flags.
    uint32_t flags;
    /// 0 or GRAPHCAP_PERMIT_ flags.
    uint32_t permits;
    /// Number of random orders tried, each with its reverse; 0 for 16.
    uint32_t orders;
    /// Bytes of device memory, and as many of pinned host memory, may be used for what the graph writes; 0 for 256 MiB.
    uint64_t max_bytes;
    /// Number that the random orders depend on.
    uint64_t seed;
    /// Called before each step; may be NULL.
    gc_verify_progress_fn progress;
    /// Called with the report in words; may be NULL.
    gc_verify_text_fn text;
    /// Passed to progress and text; may be NULL.
    void *user_data;
    /// As gc_optimize_options::statements.
    const gc_kernel_statement *statements;
    /// Number of statements.
    uint64_t statement_count;
} gc_verify_options;
/// Initialiser of a gc_verify_options: no flags, 16 random orders, 256 MiB.
#define GRAPHCAP_VERIFY_OPTIONS_INIT {(uint32_t)sizeof(gc_verify_options), 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, 0}

/// Verdict of gc_graph_verify(): one of the GRAPHCAP_VERIFY_ numbers.
typedef int32_t gc_verify_finding;

/// Nothing.
#define GRAPHCAP_VERIFY_NOTHING 0
/// A node writes bytes that it is not declared to write.
#define GRAPHCAP_VERIFY_UNDECLARED 1
/// Two nodes write the same byte, and neither has to come before the other one.
#define GRAPHCAP_VERIFY_BOTH_WRITE 2
/// Two nodes need no order by what is declared, and another order of the two gives another result.
#define GRAPHCAP_VERIFY_ORDER 3
/// Nodes that run side by side on lanes give another result than one after another.
#define GRAPHCAP_VERIFY_LANES 4
/// The graph as it was recorded gives another result than its nodes one after another.
#define GRAPHCAP_VERIFY_RECORDED 5

/// Report of gc_graph_verify(). Start from GRAPHCAP_VERIFY_REPORT_INIT.
typedef struct gc_verify_report {
    /// sizeof(gc_verify_report). Set it before the call.
    uint32_t struct_size;
    /// The most telling of what was found, to which the next members belong: a pair of nodes whose order matters before
    /// all others. One of the GRAPHCAP_VERIFY_ numbers; GRAPHCAP_VERIFY_NOTHING if nothing is wrong.
    gc_verify_finding finding;
    /// The node, or of two nodes the one that was recorded first; 0 where no node is known.
    gc_node first;
    /// The other node, or 0.
    gc_node second;
    /// The address of a byte by which it was seen.
    uint64_t address;
    /// Number of findings. The text has up to 256.
    uint64_t finding_count;
    /// 1 if the progress function ended the call, else 0.
    uint32_t stopped;
    /// On how many lanes at most the nodes were replayed.
    uint32_t lanes;
    /// Number of nodes of the graph.
    uint64_t node_count;
    /// Number of replays of all nodes.
    uint64_t replay_count;
    /// Number of orders tried.
    uint64_t order_count;
    /// Number of pairs of nodes that need no order by what is declared; 0 in graphs of more than 2,048 nodes.
    uint64_t pair_count;
    /// Number of these pairs that have run in both orders.
    uint64_t pairs_tried;
    /// Number of bytes compared.
    uint64_t bytes_compared;
    /// Number of bytes not compared, since they differ from replay to replay of the recorded graph.
    uint64_t bytes_excluded;
    /// Number of bytes that there was no room to save and compare, of memory that nodes reach and are not declared to
    /// write.
    uint64_t bytes_unwatched;
} gc_verify_report;
/// Initialiser of a gc_verify_report: empty.
#define GRAPHCAP_VERIFY_REPORT_INIT {(uint32_t)sizeof(gc_verify_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// Weight of a finding: one of the GRAPHCAP_SEVERITY_ numbers. A higher one weighs more.
typedef int32_t gc_severity;

/// gc_severity: it is right in many programs.
#define GRAPHCAP_SEVERITY_NOTE 1
/// gc_severity: it is wrong unless the program knows more than the graph.
#define GRAPHCAP_SEVERITY_WARNING 2
/// gc_severity: a replay does wrong.
#define GRAPHCAP_SEVERITY_ERROR 3

/// Kind of a finding: one of the GRAPHCAP_FINDING_ numbers.
typedef int32_t gc_finding_kind;

/// The memory at `address`, or its block, was freed since a capture with GRAPHCAP_CAPTURE_NOTE_MEMORY, and nothing lies
/// there now. An error.
#define GRAPHCAP_FINDING_MEMORY_GONE 1

/// The memory at `address`, or its block, was freed since a capture with GRAPHCAP_CAPTURE_NOTE_MEMORY, and other memory
/// lies there now. An error.
#define GRAPHCAP_FINDING_MEMORY_EXCHANGED 2

/// A copy, memset or value operation begins in memory and ends `beyond` bytes behind its end. An error.
#define GRAPHCAP_FINDING_OVERRUN 3

/// No path orders `node` and `other`, and both touch `bytes` bytes at `address`, which one of them writes. An error
/// between copies and memsets; a warning where one is a kernel, by what is stated of it; a note in a graph with a node
/// that waits for an event or a value, which may order the two.
#define GRAPHCAP_FINDING_UNORDERED 4

/// No path orders `node` and `other`, and both use the workspace of one stream's products. A warning.
#define GRAPHCAP_FINDING_SHARED_WORKSPACE 5
/// A copy from or to memory of the CPU's that no graph keeps. A note.
#define GRAPHCAP_FINDING_HOST_MEMORY 6
/// No node sets the condition of the node, as far as arguments show it: it is `value` in every replay. A warning.
#define GRAPHCAP_FINDING_CONDITION_UNSET 7
/// No node frees the memory that the node allocates. A note.
#define GRAPHCAP_FINDING_NOT_FREED 8
/// No path orders `node` and `other`, and both record one event. A note.
#define GRAPHCAP_FINDING_EVENT_REUSED 9

/// A copy brings `bytes` bytes of the CPU's to rows from `address` on, and no node reads one of them, though nodes of
/// the graph free them or write them again. Only where it is known what each node reads, and not of managed or wrapped
/// memory that is written again. A note.
#define GRAPHCAP_FINDING_UNREAD 10

/// `node` reads `bytes` bytes at `address` that graphs of a pool with GRAPHCAP_POOL_SHARED share, and no earlier node
/// of the graph writes them: a launch of another graph of the pool overwrites them. A warning.
#define GRAPHCAP_FINDING_OVERWRITTEN 11

/// A finding of gc_graph_check() or gc_graph_exec_check_findings(). It has no struct_size and keeps its 64 bytes.
/// Members that a kind does not name are 0.
typedef struct gc_finding {
    /// One of the GRAPHCAP_FINDING_ numbers.
    gc_finding_kind kind;
    /// One of the GRAPHCAP_SEVERITY_ numbers.
    gc_severity severity;
    /// The node.
    gc_node node;
    /// GRAPHCAP_FINDING_UNORDERED, GRAPHCAP_FINDING_SHARED_WORKSPACE, GRAPHCAP_FINDING_EVENT_REUSED: the other node.
    gc_node other;
    /// The first byte; gc_context_find_buffer() tells the buffer.
    uint64_t address;
    /// Bytes from `address` on; of memory that is gone, those of its allocation, or of its block; of an input that
    /// nobody reads, those of all its rows.
    uint64_t bytes;
    /// GRAPHCAP_FINDING_OVERRUN: how many of these bytes lie behind the end of the memory.
    uint64_t beyond;
    /// The part of the node that has the address: one of the GRAPHCAP_ADDRESS_ numbers.
    gc_address_place place;
    /// Of an argument: which one, counted from 0. Of a value operation: which one of the node.
    uint32_t index;
    /// Offset in that argument at which the 8 bytes of the address start.
    uint32_t offset;
    /// GRAPHCAP_FINDING_CONDITION_UNSET: the value of the condition.
    uint32_t value;
} gc_finding;

/// gc_step_options::flags: what each node writes is hashed, and its floats are counted.
#define GRAPHCAP_STEP_SUMMARIZE 1

/// gc_step_options::flags: all other memory of the nodes and of the context's buffers is hashed behind each node, too.
/// It finds nodes that change memory that they are not declared to write, and takes much longer.
#define GRAPHCAP_STEP_WATCH_ALL 2

/// gc_step_options::flags: nodes before gc_step_options::first do not run.
#define GRAPHCAP_STEP_SKIP 4
/// gc_step_options::flags: memory stays as the nodes leave it, unless the call fails.
#define GRAPHCAP_STEP_KEEP 8

/// Kind of the elements of memory: one of the GRAPHCAP_ELEMENT_ numbers.
typedef uint32_t gc_element;

/// Bytes that are no floats.
#define GRAPHCAP_ELEMENT_BYTES 0
/// Floats of single precision.
#define GRAPHCAP_ELEMENT_F32 1
/// Floats of half precision.
#define GRAPHCAP_ELEMENT_F16 2
/// Floats in the bfloat16 format.
#define GRAPHCAP_ELEMENT_BF16 3
/// Floats of double precision.
#define GRAPHCAP_ELEMENT_F64 4

/// gc_graph_step(): `node` wrote `value` floats that are not finite, the first at `address`, to memory whose kind is
/// told. An error for the first node, a note for later ones.
#define GRAPHCAP_FINDING_NOT_FINITE 32

/// gc_graph_step(): `node` changed memory that it is not declared to write, among `bytes` bytes at `address`. An error.
#define GRAPHCAP_FINDING_UNDECLARED 33
/// gc_graph_step(): `node` did not leave the hash that gc_step_options::hashes has for it. An error.
#define GRAPHCAP_FINDING_DIFFERS 34
/// gc_graph_step(): `node` may write memory that is not looked at. A note.
#define GRAPHCAP_FINDING_NOT_WATCHED 35

/// gc_step_options::memory: `node` reads memory with GRAPHCAP_MEMORY_SCRATCH that no node wrote before: `bytes` bytes
/// that it writes, from `address` on, depend on that. It is told of the first such node. An error.
#define GRAPHCAP_FINDING_UNWRITTEN 36

/// gc_typed_memory::flags: no node uses bytes of it that no node wrote before. It is filled with two patterns, and each
/// node runs from both, so that it runs two or three times. Saved memory takes three times its room.
#define GRAPHCAP_MEMORY_SCRATCH 1

/// Memory of a kind. It has no struct_size and keeps its 24 bytes.
typedef struct gc_typed_memory {
    /// The first byte.
    uint64_t address;
    /// Number of bytes.
    uint64_t bytes;
    /// One of the GRAPHCAP_ELEMENT_ numbers.
    gc_element element;
    /// 0 or GRAPHCAP_MEMORY_SCRATCH.
    uint32_t flags;
} gc_typed_memory;

/// A node before or after it runs. A later version may have more members at its end.
typedef struct gc_step {
    /// sizeof(gc_step) of the library.
    uint32_t struct_size;
    /// 0 before the node runs, 1 after it.
    uint32_t has_run;
    /// The node; 0 where all nodes run together.
    gc_node node;
    /// Its number in the order in which the nodes run, from 0.
    uint64_t index;
    /// Number of steps.
    uint64_t count;
    /// After it: number of bytes looked at, of those that it writes. 0 without GRAPHCAP_STEP_SUMMARIZE, as the next
    /// members.
    uint64_t bytes;
    /// Hash of these bytes.
    uint64_t hash;
    /// Number of floats in them; memory of no told kind counts as floats of single precision.
    uint64_t floats;
    /// Number of floats that are not numbers.
    uint64_t nans;
    /// Number of floats that are infinite.
    uint64_t infinities;
    /// The least finite float; infinite if there is none.
    double least;
    /// The greatest finite float; negative and infinite if there is none.
    double greatest;
    /// The mean of the finite floats, or 0.
    double mean;
} gc_step;
/// Initialiser of a gc_step: empty.
#define GRAPHCAP_STEP_INIT {(uint32_t)sizeof(gc_step), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// A function that gc_graph_step() calls before and after each node, on the thread that called it. All earlier nodes
/// are complete, and it may read what they wrote. Otherwise as gc_verify_progress_fn.
///
/// @return 0 to go on; any other number to end the call, which then reports what was found by then
typedef int32_t (*gc_step_fn)(const gc_step *step, void *user_data);

/// A function that gc_graph_step() calls once in the end with its report in words, as gc_verify_text_fn.
typedef void (*gc_step_text_fn)(const char *text, void *user_data);

/// Options of gc_graph_step(). Start from GRAPHCAP_STEP_OPTIONS_INIT.
typedef struct gc_step_options {
    /// sizeof(gc_step_options).
    uint32_t struct_size;
    /// 0 or GRAPHCAP_STEP_ flags.
    uint32_t flags;
    /// 0 or GRAPHCAP_PERMIT_ flags.
    uint32_t permits;
    /// Number of pieces of memory at `memory`.
    uint32_t memory_count;
    /// The node from which on nodes are told and looked at; 0 for the first one.
    gc_node first;
    /// The last node that runs; 0 for that of the graph.
    gc_node last;
    /// Bytes of device memory that may be used for what the graph writes; 0 for 1 GiB.
    uint64_t max_bytes;
    /// Called before and after each node; may be NULL.
    gc_step_fn each;
    /// Called with the report in words; may be NULL.
    gc_step_text_fn text;
    /// Passed to each and text; may be NULL.
    void *user_data;
    /// Memory whose kind is told: floats that are not finite are findings there alone. May be NULL.
    const gc_typed_memory *memory;
    /// Hashes that the nodes should leave, from the first node on, as gc_step::hash told them in another run; may be
    /// NULL.
    const uint64_t *hashes;
    /// Number of hashes.
    uint64_t hash_count;
    /// As gc_optimize_options::statements.
    const gc_kernel_statement *statements;
    /// Number of statements.
    uint64_t statement_count;
} gc_step_options;
/// Initialiser of a gc_step_options: no flags, all nodes, 1 GiB.
#define GRAPHCAP_STEP_OPTIONS_INIT \
    {(uint32_t)sizeof(gc_step_options), 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, 0}

/// Report of gc_graph_step(). Start from GRAPHCAP_STEP_REPORT_INIT.
typedef struct gc_step_report {
    /// sizeof(gc_step_report). Set it before the call.
    uint32_t struct_size;
    /// 1 if the function of the options ended the call, else 0.
    uint32_t stopped;
    /// Number of nodes of the graph.
    uint64_t node_count;
    /// Number of nodes that ran, from gc_step_options::first on.
    uint64_t run_count;
    /// Number of nodes that ran together, as the graph cannot be copied; else 0.
    uint64_t together_count;
    /// Number of findings; up to 256 are written.
    uint64_t finding_count;
    /// Number of bytes saved before and restored after.
    uint64_t bytes_saved;
    /// Number of bytes that nodes write or that should be watched, for which there was no room.
    uint64_t bytes_unwatched;
    /// Time that the nodes took, with the looks at memory, and without the functions of the options.
    uint64_t time_ns;
} gc_step_report;
/// Initialiser of a gc_step_report: empty.
#define GRAPHCAP_STEP_REPORT_INIT {(uint32_t)sizeof(gc_step_report), 0, 0, 0, 0, 0, 0, 0, 0}

/// gc_graph_bisect(): `node` is of the smallest set of nodes that makes a replay bad when all others are off. `value`
/// is 1 if a replay is good when `node` alone is off, 0 if it is bad, and 2 if that was not tried. An error.
#define GRAPHCAP_FINDING_MAKES_BAD 64

/// gc_graph_bisect(): a replay is good when `node` alone is off, and bad when all nodes are off that can be. An error.
#define GRAPHCAP_FINDING_GOOD_WITHOUT 65
/// gc_graph_bisect(): no path orders `other` before `node`, and a replay is good with such edges. An error.
#define GRAPHCAP_FINDING_EDGE_MISSING 66

/// Outcome of gc_graph_bisect(): one of the GRAPHCAP_BISECT_ numbers.
typedef int32_t gc_bisect_outcome;

/// No replay of the graph that was judged was bad.
#define GRAPHCAP_BISECT_GOOD 0
/// The findings are GRAPHCAP_FINDING_MAKES_BAD.
#define GRAPHCAP_BISECT_NODES 1
/// The findings are GRAPHCAP_FINDING_GOOD_WITHOUT: is_good does not accept a replay that does nothing.
#define GRAPHCAP_BISECT_WITHOUT 2
/// The findings are GRAPHCAP_FINDING_EDGE_MISSING: a replay is good when the nodes run one after another.
#define GRAPHCAP_BISECT_ORDER 3
/// Replays are bad, and it was not found by what; or none was judged.
#define GRAPHCAP_BISECT_UNKNOWN 4

/// A function that judges a replay for gc_graph_bisect(), on the thread that called it. The replay is complete, and the
/// function may read what it wrote; its reads must be complete when it returns. It gets the number of replays before
/// this one, and how many there may be. Otherwise as gc_verify_progress_fn.
///
/// @return 1 if the replay is good, 0 if it is bad; a negative number to end the call, which then reports what was
///     found by then
typedef int32_t (*gc_is_good_fn)(uint64_t replay, uint64_t max_replays, void *user_data);

/// Options of gc_graph_bisect(). Start from GRAPHCAP_BISECT_OPTIONS_INIT.
typedef struct gc_bisect_options {
    /// sizeof(gc_bisect_options).
    uint32_t struct_size;
    /// 0 or GRAPHCAP_PERMIT_ flags.
    uint32_t permits;
    /// Number of replays of a trial, which is good when all are; 0 for 3. A trial has four times as many where of so
    /// many replays of the graph itself some are good and some are bad.
    uint32_t repeats;
    /// Number of replays after which the call ends; 0 for 10,000.
    uint32_t max_replays;
    /// Bytes of device memory that may be used for what the graph writes, all of which is restored; 0 for 1 GiB.
    uint64_t max_bytes;
    /// Called once in the end with the report in words, and the call's user_data; may be NULL.
    gc_step_text_fn text;
    /// As gc_optimize_options::statements.
    const gc_kernel_statement *statements;
    /// Number of statements.
    uint64_t statement_count;
} gc_bisect_options;
/// Initialiser of a gc_bisect_options: 3 replays of a trial, 10,000 in all, 1 GiB.
#define GRAPHCAP_BISECT_OPTIONS_INIT {(uint32_t)sizeof(gc_bisect_options), 0, 0, 0, 0, NULL, NULL, 0}

/// Report of gc_graph_bisect(). Start from GRAPHCAP_BISECT_REPORT_INIT.
typedef struct gc_bisect_report {
    /// sizeof(gc_bisect_report). Set it before the call.
    uint32_t struct_size;
    /// One of the GRAPHCAP_BISECT_ numbers.
    gc_bisect_outcome outcome;
    /// 1 if is_good or max_replays ended the call, else 0. The findings may then be more or fewer than need be.
    uint32_t stopped;
    /// 1 if replays gave the same answer once more in the end, else 0.
    uint32_t confirmed;
    /// Number of replays of the graph as it is.
    uint32_t recorded_count;
    /// Number of them that were bad.
    uint32_t recorded_bad;
    /// Number of nodes of the graph.
    uint64_t node_count;
    /// Number of nodes that cannot be switched off: all but kernels, copies and memsets.
    uint64_t always_on_count;
    /// Number of replays.
    uint64_t replay_count;
    /// Number of findings; up to 256 are written.
    uint64_t finding_count;
    /// Number of bytes restored before each replay and in the end.
    uint64_t bytes_saved;
    /// Number of nodes that may write memory that is not restored.
    uint64_t unknown_count;
} gc_bisect_report;
/// Initialiser of a gc_bisect_report: empty.
#define GRAPHCAP_BISECT_REPORT_INIT {(uint32_t)sizeof(gc_bisect_report), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/// Makes a graph that does what a graph does, and runs at once what need not run one after another. The graph itself is
/// not changed, and may be used meanwhile: the result has what was there at one time. docs/optimize.md has all rules.
///
/// Two nodes stay in the recorded order if one writes bytes that the other one reads or writes, or if a path of such
/// nodes leads from one to the other. The others are laid out on lanes, each of which runs one node at a time. A
/// cooperative launch runs beside nothing. A graph with an edge that carries something keeps its edges, and so does one
/// of more than 4,096 nodes if a node of it may wait for what another one does. If the edges that the work needs leave
/// no shorter path, the result has the recorded edges.
///
/// What copies and memsets touch is known, and orders them, in host memory as well: the CPU may see them in another
/// order while a replay runs. What a kernel touches is known if gc_kernel_set_accesses() said it, or if the launch did
/// by gc_kernel_arg::access of each of its buffers, one of which is written; the statement of the launch goes first.
/// Memory that graphcap did not allocate counts as memory of the device. All other nodes keep their place: kernels of
/// which nothing is stated, kernels that may write host memory, managed memory or memory of another device, kernels
/// that run beside nothing, host functions, events, value operations, allocations, child graphs and conditionals, whose
/// graphs are optimized inside. gc_optimize_options::statements and flags free some of these.
/// GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS is right only for kernels that follow no pointer in memory, and use no variable
/// of their module, no texture or surface object and no heap of the device.
///
/// On a CUDA device a graph of several roots or leaves gets one kernel that does nothing before all, and one behind
/// all, as it would be replayed slowly otherwise. GRAPHCAP_OPTIMIZE_SHAPE_ONLY does this alone, on any graph that can
/// be cloned.
///
/// All this is an estimate. With GRAPHCAP_OPTIMIZE_MEASURE or GRAPHCAP_OPTIMIZE_MEASURE_SINGLE up to eight candidates
/// are replayed on a stream of their own, and the result is the fastest. What the nodes write is saved, and restored
/// before each replay and at the end, also when the call fails, unless a node failed. That memory must live, work that
/// uses it must be complete, and nothing else may use it meanwhile. Nothing is measured where it is not known what a
/// node writes, where that is more than max_bytes, and where a node does what permits do not say.
///
/// The result is a copy as gc_graph_clone() makes it: gc_node_find_in_clone() finds its nodes. Graphs of the same nodes
/// and edges, whose nodes conflict alike, come out alike, and update each other's execs. A plan makes later graphs come
/// out alike whose conflicts differ.
///
/// GRAPHCAP_OPTIMIZE_IN_PLACE changes the graph itself: one with allocations or conditions, or one within a node.
///
/// @param[in]     graph       the graph; if a capture is going into it, a new graph has what was recorded so far
/// @param[out]    graph_out   the new graph, owned by the caller until gc_graph_destroy(); NULL on failure. Has to be
///     NULL with GRAPHCAP_OPTIMIZE_IN_PLACE, and only then may be
/// @param[out]    plan_out    a plan of what was made, owned by the caller until gc_plan_destroy(); NULL on failure;
///     may be NULL
/// @param[in,out] report_out  what was made; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the edges of the graph form a cycle
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE GRAPHCAP_OPTIMIZE_IN_PLACE is given while a capture goes into the graph, or
///     into one within it; nothing was changed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph has allocations or conditions, or on a CUDA device nodes that kernels
///     can change, and cannot be copied, or the device cannot change its edges
/// @return the status of a fault when a node failed while it was measured; the memory cannot be restored then
GRAPHCAP_NODISCARD gc_status gc_graph_optimize(const gc_graph *graph, const gc_optimize_options *options,
    gc_graph **graph_out, gc_plan **plan_out, gc_optimize_report *report_out);

/// Writes what gc_graph_optimize() makes of a graph, as text for people of at most 40 lines: the gain; what was
/// recorded and what the result has; each candidate with its times, which this call measures anew if the options say
/// so; and why it is not more: nodes that keep their place, and nodes of the longest path that stay behind others, in
/// groups by kernel and reason.
///
/// @param[in] graph  the graph, as gc_graph_optimize() takes it
/// @retval GRAPHCAP_ERROR_INVALID_VALUE as gc_graph_optimize() has it
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph has allocations or conditions and cannot be copied
GRAPHCAP_NODISCARD gc_status gc_graph_optimize_text(const gc_graph *graph, const gc_optimize_options *options,
    char *text, size_t capacity, size_t *needed);

/// Lists why gc_graph_optimize() with these options leaves nodes in order: first the nodes that keep their place, in
/// the recorded order; then the nodes that stay behind others on the longest path, which no lanes can shorten, from its
/// first node on; then the workspaces that nodes share. Nothing is measured, and the graph stays as it is. The graphs
/// of child nodes and conditional nodes are asked on their own.
///
/// The list is empty where nothing keeps nodes in order, and with GRAPHCAP_OPTIMIZE_SHAPE_ONLY.
///
/// @param[in]  options      as gc_graph_optimize() takes them; NULL for the defaults
/// @param[out] reasons_out  where to write the reasons
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the edges of the graph form a cycle, or the flags have
///     GRAPHCAP_OPTIMIZE_IN_PLACE
GRAPHCAP_NODISCARD gc_status gc_graph_optimize_reasons(const gc_graph *graph, const gc_optimize_options *options,
    gc_optimize_reason *reasons_out, size_t capacity, size_t *needed);

/// Makes of a graph what gc_graph_optimize() made of the graph that the plan is of: the same nodes and edges in the
/// same order, so that graph execs of both update each other. The graph has to have the nodes and the recorded edges of
/// that one; what its nodes do may differ. It is checked that all nodes that have to stay in the recorded order do, in
/// time that grows with the numbers of nodes, edges and lanes. Nothing is measured.
///
/// @param[in]     graph       the graph, of the context of the plan; as gc_graph_optimize() takes it
/// @param[in]     flags       0 or GRAPHCAP_OPTIMIZE_IN_PLACE
/// @param[out]    graph_out   the new graph, owned by the caller until gc_graph_destroy(); NULL on failure. Has to be
///     NULL with GRAPHCAP_OPTIMIZE_IN_PLACE, and only then may be
/// @param[in,out] report_out  what was made; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the plan is of a graph of other nodes or edges
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE GRAPHCAP_OPTIMIZE_IN_PLACE is given while a capture goes into the graph, or
///     into one within it; nothing was changed
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE two nodes have to stay in order that the plan runs side by side;
///     the message names them and what they conflict in
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED the graph has allocations or conditions and cannot be copied, or the device
///     cannot change its edges
GRAPHCAP_NODISCARD gc_status gc_plan_apply(const gc_plan *plan, const gc_graph *graph, uint32_t flags,
    gc_graph **graph_out, gc_optimize_report *report_out);

/// Destroys a plan. Graphs that were made by it go on.
gc_status gc_plan_destroy(gc_plan *plan);

/// Checks by trial whether what is declared of a graph's kernels is true (gc_kernel_set_accesses(), or that their
/// parameters can be trusted), which gc_graph_optimize() relies on.
///
/// The graph is replayed five times as it was recorded: bytes that differ then are not compared. Its nodes run one by
/// one in the recorded order, which shows what each of them writes: no more than is declared, and no byte that another
/// node writes from which no order is needed. Then they run one after another in other orders that the declared
/// accesses allow: the reverse, random ones each with its reverse, and some that have the remaining pairs of nodes the
/// other way round. Last they run side by side on lanes. All that is written is compared. Where an order gives another
/// result, orders between it and the recorded one tell which two nodes must not change places.
///
/// A write of what is there already is not seen, and what never gives another result is not found.
///
/// All memory that the nodes write is saved before and restored after, also when the call fails; memory that they only
/// reach as far as there is room. It is used as gc_graph_optimize() uses it when it measures. The call waits for its
/// replays, on a stream of its own.
///
/// @param[in,out] report_out  what was done and found
/// @retval GRAPHCAP_SUCCESS the report was written, whatever was found
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the edges of the graph form a cycle, or memory that nodes write is gone
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED what a node writes is not known, or it does what the options do not permit (the
///     message names it); or the graph has allocations, conditions, an edge that carries something, or more than 16,384
///     nodes
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY the nodes write more bytes than the options allow to save, or there is not
///     enough memory
/// @return the status of a fault when a node failed while it ran; the memory cannot be restored then
GRAPHCAP_NODISCARD gc_status gc_graph_verify(const gc_graph *graph, const gc_verify_options *options,
    gc_verify_report *report_out);

/// Lists what is wrong with a graph, or may be, without running or changing it; docs/checking.md explains each finding.
///
/// The findings come node by node, each node behind those that it waits for. What is not known gives no finding. The
/// graphs of child nodes and conditional nodes are asked on their own.
///
/// @param[in]  least         the GRAPHCAP_SEVERITY_ number from which on findings are listed
/// @param[out] findings_out  where to write the findings
/// @retval GRAPHCAP_SUCCESS the graph was checked, whatever was found
/// @retval GRAPHCAP_ERROR_INVALID_VALUE the edges of the graph form a cycle
GRAPHCAP_NODISCARD gc_status gc_graph_check(const gc_graph *graph, gc_severity least, gc_finding *findings_out,
    size_t capacity, size_t *needed);

/// Writes the findings of gc_graph_check() as text for people: a line for each with its severity, the node, what is
/// wrong, and what to do. The text is empty where nothing was found.
///
/// @param[in] least  as gc_graph_check() takes it
/// @retval GRAPHCAP_ERROR_INVALID_VALUE as gc_graph_check() has it
GRAPHCAP_NODISCARD gc_status gc_graph_check_text(const gc_graph *graph, gc_severity least, char *text, size_t capacity,
    size_t *needed);

/// Writes the findings of gc_graph_check() as JSON, as `graphcap check --json` does. docs/findings.schema.json
/// describes it. Nodes are places in the list of gc_graph_get_nodes(), as in the text of gc_graph_export_json().
///
/// @param[in] least  as gc_graph_check() takes it
/// @retval GRAPHCAP_ERROR_INVALID_VALUE as gc_graph_check() has it
GRAPHCAP_NODISCARD gc_status gc_graph_check_json(const gc_graph *graph, gc_severity least, char *text, size_t capacity,
    size_t *needed);

/// Lists the memory that is gone and that nodes of a graph exec name, as gc_graph_check() lists it of a graph.
/// gc_graph_exec_check() tells what is known of it. Nodes are those of gc_graph_exec_check_info::node.
///
/// @param[in]  least         as gc_graph_check() takes it
/// @param[out] findings_out  where to write the findings
/// @retval GRAPHCAP_SUCCESS the exec was checked, whatever was found
GRAPHCAP_NODISCARD gc_status gc_graph_exec_check_findings(const gc_graph_exec *exec, gc_severity least,
    gc_finding *findings_out, size_t capacity, size_t *needed);

/// Writes the findings of gc_graph_exec_check_findings() as text for people, as gc_graph_check_text() does.
///
/// @param[in] least  as gc_graph_check() takes it
GRAPHCAP_NODISCARD gc_status gc_graph_exec_check_text(const gc_graph_exec *exec, gc_severity least, char *text,
    size_t capacity, size_t *needed);

/// Writes the findings of gc_graph_exec_check_findings() as JSON, as gc_graph_check_json() does, with ids of nodes
/// instead of their places.
///
/// @param[in] least  as gc_graph_check() takes it
GRAPHCAP_NODISCARD gc_status gc_graph_exec_check_json(const gc_graph_exec *exec, gc_severity least, char *text,
    size_t capacity, size_t *needed);

/// Replays a graph node by node, each on its own behind those that it waits for, and waits for each. docs/stepping.md
/// shows how to find a wrong node so.
///
/// Memory is used as by gc_graph_verify(). What the nodes write is saved before and restored after, also when a node
/// fails, as far as gc_step_options::max_bytes allows. What a kernel writes is known by what is stated of it; a kernel
/// of which nothing is stated counts as writing all memory that its arguments point to. A graph that cannot be copied
/// runs as one step.
///
/// @param[out]    findings_out  where to write the findings, in the order in which the nodes ran
/// @param[in]     capacity      how many findings fit; more are left out
/// @param[in,out] report_out    what was done
/// @retval GRAPHCAP_SUCCESS the nodes ran, whatever was found
/// @retval GRAPHCAP_ERROR_INVALID_VALUE a flag, a kind or a node is unknown, a struct_size is not valid, the edges of
///     the graph form a cycle, or memory that nodes write is gone
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED a node does what the options do not permit; the message names it
/// @return the status by which a node failed: the message names the node, and its arguments as bytes of buffers
GRAPHCAP_NODISCARD gc_status gc_graph_step(const gc_graph *graph, const gc_step_options *options,
    gc_finding *findings_out, size_t capacity, gc_step_report *report_out);

/// Finds the smallest set of nodes, or of missing edges, that makes replays of a graph bad. docs/stepping.md shows how
/// to use it.
///
/// is_good judges each replay. First the graph is replayed as it is, then its nodes one after another, in the order
/// that gc_graph_get_order() tells and in another one. Where that is good, edges are missing, and the smallest set of
/// edges is looked for. Else nodes are switched off, which then do nothing: the smallest set is looked for with which a
/// replay is bad. So is_good has to accept replays that leave work out, none of which may wait for what a node writes
/// that is off, and to tell bad ones by what no replay may leave, such as NaNs. Where it does not, each node is
/// switched off alone.
///
/// Memory is used as by gc_graph_step(): what the nodes write is restored before each replay and in the end, also when
/// a replay fails. Nothing else may use that memory meanwhile. A graph that cannot be copied is not tried in order. The
/// graph is not changed.
///
/// @param[in]     is_good       judges a replay
/// @param[in]     user_data     passed to is_good and gc_bisect_options::text; may be NULL
/// @param[out]    findings_out  where to write the findings, in the order in which the nodes run
/// @param[in]     capacity      how many findings fit; more are left out
/// @param[in,out] report_out    what was done and found
/// @retval GRAPHCAP_SUCCESS the report was written, whatever was found
/// @retval GRAPHCAP_ERROR_INVALID_VALUE is_good is NULL, a flag is unknown, a struct_size is not valid, the edges of
///     the graph form a cycle, or memory that nodes write is gone
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED a node does what the options do not permit; the message names it
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY the nodes write more bytes than gc_bisect_options::max_bytes, or there is not
///     enough memory
/// @return the status by which a replay failed: the message tells how many nodes were on
GRAPHCAP_NODISCARD gc_status gc_graph_bisect(const gc_graph *graph, const gc_bisect_options *options,
    gc_is_good_fn is_good, void *user_data, gc_finding *findings_out, size_t capacity, gc_bisect_report *report_out);

/// @}

/// @defgroup graphcap_natives Native handles
///
/// The driver's own handles of graphcap's objects, for calls of CUDA and of other libraries: CUcontext, CUstream,
/// CUevent, CUmodule, CUfunction, CUgraph, CUgraphNode and CUgraphExec. They are valid until the handle of graphcap's
/// is destroyed, and must not be destroyed by the program. Host devices have none.
///
/// What a program does by them, graphcap learns when it next asks the driver: see the functions for what follows from
/// giving a handle out. The other way round, gc_stream_wrap(), gc_graph_wrap(), gc_buffer_wrap() and
/// gc_host_buffer_register() take what others made.
///
/// @{

/// Returns the driver's handle of an object: the CUcontext, CUstream, CUevent, CUmodule, CUfunction, CUgraph or
/// CUgraphExec. Code outside graphcap may use it.
///
/// The call may be made inside callbacks for a context, an event, a module and a kernel.
///
/// **A context** has the primary context of the device, which the CUDA runtime and the libraries on it use too.
///
/// **A stream**: libraries may submit work to it, also while it is captured. After this call others may begin and end
/// captures on the stream. Each later call therefore asks the driver which capture the stream is in, which costs about
/// 20 ns. A default stream gives CU_STREAM_LEGACY or CU_STREAM_PER_THREAD, which mean a stream of the current context.
///
/// **An event**: others may record it and wait for it from then on.
///
/// **A graph**: nodes that others add are replayed like all other nodes; the graph does not keep alive what they use.
/// An exec that others make of the graph keeps alive what the graph keeps. The driver sees to that, which makes
/// launches slower by half or more: launches of execs of others, and of the execs that gc_graph_instantiate() makes of
/// the graph after this call. Two threads must not use a CUgraph at once. No gc_ call may use the graph while others
/// use the CUgraph.
///
/// **A graph exec**: others may launch it. No gc_ call may use the graph exec while others use it. graphcap does not
/// see where others launch the CUgraphExec. After gc_graph_exec_destroy(), what the graph exec keeps alive therefore
/// stays until a gc_context_synchronize() or gc_context_collect() that begins after the destroy has returned.
///
/// @param[in]  object      a gc_context, gc_stream, gc_event, gc_module, gc_kernel, gc_graph or gc_graph_exec
/// @param[out] native_out  the driver's handle, valid until the graphcap handle is destroyed; the caller must not
///     destroy it
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE object is a stream, and a capture that was begun on it goes into a graph within
///     a node; end the capture first
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED the call was made inside a host function for a stream, a graph or a graph exec
GRAPHCAP_NODISCARD gc_status gc_object_native(const void *object, void **native_out);

/// Returns the CUgraphNode of a node. Others may change the graph after this call, as after gc_graph_native(), and
/// launches become slower as they do there. If others remove a node, functions refuse its name once graphcap has looked
/// at the graph again. If others remove a node and add one before graphcap looks again, the driver may give both nodes
/// the same handle; graphcap then takes the new node for the old one.
///
/// @param[out] native_out  the driver's handle, valid until the node is removed or the graph destroyed
GRAPHCAP_NODISCARD gc_status gc_node_native(const gc_graph *graph, gc_node node, void **native_out);

/// Returns a handle of cuBLAS, a cublasHandle_t, for products that an op records by itself. It is set to the stream of
/// gc_record_context_stream(), in the workspace that graphcap's own products on that stream use, which the graph keeps;
/// with factors from memory of the host's and without TF32. Nobody else uses it until the op returns. The op does not
/// destroy it, and leaves stream and workspace as they are.
///
/// The library is called with the context current, and in the relaxed capture mode where it may allocate. The stream
/// counts as one that others use from then on, as after gc_stream_native().
///
/// @param[in]  context     what the op was given
/// @param[out] native_out  the library's handle, valid until the op returns; NULL on failure. Another call returns it
///     again
/// @retval GRAPHCAP_ERROR_LIBRARY cuBLAS cannot be loaded; the message has the names that were tried
/// @return otherwise as gc_script_record(), for the work of an op
GRAPHCAP_NODISCARD gc_status gc_record_context_native_blas(const gc_record_context *context, void **native_out);

/// Returns a generator of cuRAND, a curandGenerator_t of the type CURAND_RNG_PSEUDO_PHILOX4_32_10, for random numbers
/// that an op records by itself. It is set to the stream of gc_record_context_stream(), and is as a new one otherwise:
/// seed 0, offset 0 and CURAND_ORDERING_PSEUDO_DEFAULT. It is lent for one call of gc_op_vtable::record: the next call
/// gets another one. A graph that the op is recorded into keeps the generator, whose memory its nodes use; what is
/// executed keeps it until it is complete. The op does not destroy it, does not use it when it has returned, and leaves
/// its stream as it is. Generators that nothing needs any more are lent again, and are destroyed in
/// gc_context_collect() and gc_context_synchronize().
///
/// The generator is for work that is executed: in a capture its first numbers, and those after another seed or offset,
/// break the capture in any mode. A recorded op draws by a generator of its own that has drawn before the capture;
/// docs/math.md. cuRAND's numbers have another order than those of gc_rng.
///
/// The library is called with the context current, and in the relaxed capture mode. The stream counts as one that
/// others use from then on, as after gc_stream_native().
///
/// @param[in]  context     what the op was given
/// @param[out] native_out  the library's generator, valid until the op returns; NULL on failure. Until then another
///     call returns it again
/// @retval GRAPHCAP_ERROR_LIBRARY cuRAND cannot be loaded; the message has the names that were tried
/// @return otherwise as gc_script_record(), for the work of an op
GRAPHCAP_NODISCARD gc_status gc_record_context_native_rand(const gc_record_context *context, void **native_out);

/// @}

#ifdef __cplusplus
} /* extern "C" */
#endif

/*
 * Shorthands: functions with typed arguments over one function of the library each. They are compiled with the
 * program; the library does not export them. A program that defines GRAPHCAP_NO_SHORTHANDS has none.
 */
#ifndef GRAPHCAP_NO_SHORTHANDS

/* Casts in C's style are the only ones that C has. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/// Copies memory. See gc_stream_submit() and GRAPHCAP_WORK_MEMCPY. CUDA: cuMemcpy3DAsync.
GRAPHCAP_NODISCARD static inline gc_status gc_stream_memcpy(const gc_stream *stream, const gc_memcpy_params *params)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMCPY;
    work.memcpy_params = params;
    return gc_stream_submit(stream, &work, NULL);
}

/// Copies between buffers that may be of two contexts. See gc_stream_submit() and GRAPHCAP_WORK_MEMCPY. CUDA:
/// cuMemcpyPeerAsync.
GRAPHCAP_NODISCARD static inline gc_status gc_stream_memcpy_peer(const gc_stream *stream, const gc_buffer *destination,
    size_t destination_offset, const gc_buffer *source, size_t source_offset, size_t size)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_PARAMS_INIT;
    work.kind = GRAPHCAP_WORK_MEMCPY;
    copy.direction = GRAPHCAP_MEMCPY_PEER;
    copy.destination = destination;
    copy.destination_offset = destination_offset;
    copy.source = source;
    copy.source_offset = source_offset;
    copy.size = size;
    work.memcpy_params = &copy;
    return gc_stream_submit(stream, &work, NULL);
}

/// Copies between buffers that may be of two contexts, and waits. See gc_context_memcpy() and GRAPHCAP_MEMCPY_PEER.
/// CUDA: cuMemcpyPeer.
GRAPHCAP_NODISCARD static inline gc_status gc_context_memcpy_peer(const gc_context *context,
    const gc_buffer *destination, size_t destination_offset, const gc_buffer *source, size_t source_offset,
    size_t size)
{
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_PARAMS_INIT;
    copy.direction = GRAPHCAP_MEMCPY_PEER;
    copy.destination = destination;
    copy.destination_offset = destination_offset;
    copy.source = source;
    copy.source_offset = source_offset;
    copy.size = size;
    return gc_context_memcpy(context, &copy);
}

/// Fills rows of memory. See gc_stream_submit() and GRAPHCAP_WORK_MEMSET. CUDA: cuMemsetD2D32Async.
GRAPHCAP_NODISCARD static inline gc_status gc_stream_memset_2d(const gc_stream *stream, const gc_memset_params *params)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMSET;
    work.memset_params = params;
    return gc_stream_submit(stream, &work, NULL);
}

/// Fills a buffer with random numbers. See gc_stream_submit() and GRAPHCAP_WORK_RNG_UNIFORM. CUDA:
/// curandGenerateUniform.
GRAPHCAP_NODISCARD static inline gc_status gc_stream_fill_uniform(const gc_stream *stream,
    const gc_rng_uniform_params *params)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_RNG_UNIFORM;
    work.rng_uniform_params = params;
    return gc_stream_submit(stream, &work, NULL);
}

/// Frees memory that a launch of a graph left allocated. See gc_stream_submit() and GRAPHCAP_WORK_MEM_FREE.
GRAPHCAP_NODISCARD static inline gc_status gc_stream_mem_free(const gc_stream *stream, const gc_buffer *buffer)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEM_FREE;
    work.buffer = buffer;
    return gc_stream_submit(stream, &work, NULL);
}

/// Records a graph as one node. See gc_stream_submit() and GRAPHCAP_WORK_CHILD_GRAPH.
GRAPHCAP_NODISCARD static inline gc_status gc_stream_capture_child_node(const gc_stream *stream, const gc_graph *child,
    gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_CHILD_GRAPH;
    work.graph = child;
    return gc_stream_submit(stream, &work, node_out);
}

/// Records a conditional node. See gc_stream_submit() and GRAPHCAP_WORK_CONDITIONAL.
GRAPHCAP_NODISCARD static inline gc_status gc_stream_capture_conditional_node(const gc_stream *stream,
    gc_condition condition, uint32_t conditional_kind, uint32_t body_count, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_CONDITIONAL;
    work.condition = condition;
    work.conditional_kind = conditional_kind;
    work.body_count = body_count;
    return gc_stream_submit(stream, &work, node_out);
}

/// Adds a node that does nothing. See gc_graph_add_node() and GRAPHCAP_WORK_EMPTY. CUDA: cuGraphAddEmptyNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_empty_node(const gc_graph *graph, const gc_node *dependencies,
    size_t dependency_count, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EMPTY;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that launches a kernel. See gc_graph_add_node() and GRAPHCAP_WORK_KERNEL. CUDA: cuGraphAddKernelNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_kernel_node(const gc_graph *graph, const gc_node *dependencies,
    size_t dependency_count, const gc_kernel *kernel, const gc_launch_config *config, const gc_kernel_arg *arguments,
    size_t argument_count, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_KERNEL;
    work.kernel = kernel;
    work.config = config;
    work.arguments = arguments;
    work.argument_count = argument_count;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that copies. See gc_graph_add_node() and GRAPHCAP_WORK_MEMCPY. CUDA: cuGraphAddMemcpyNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_memcpy_node(const gc_graph *graph, const gc_node *dependencies,
    size_t dependency_count, const gc_memcpy_params *params, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMCPY;
    work.memcpy_params = params;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that fills memory. See gc_graph_add_node() and GRAPHCAP_WORK_MEMSET. CUDA: cuGraphAddMemsetNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_memset_node(const gc_graph *graph, const gc_node *dependencies,
    size_t dependency_count, const gc_memset_params *params, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMSET;
    work.memset_params = params;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that calls a host function. See gc_graph_add_node() and GRAPHCAP_WORK_HOST. CUDA: cuGraphAddHostNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_host_node(const gc_graph *graph, const gc_node *dependencies,
    size_t dependency_count, gc_host_fn function, void *user_data, gc_destroy_fn destroy, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_HOST;
    work.function = function;
    work.user_data = user_data;
    work.destroy = destroy;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node of operations on values in memory. See gc_graph_add_node() and GRAPHCAP_WORK_MEM_OPS. CUDA:
/// cuGraphAddBatchMemOpNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_batch_mem_op_node(const gc_graph *graph,
    const gc_node *dependencies, size_t dependency_count, const gc_mem_op *operations, size_t operation_count,
    gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEM_OPS;
    work.operations = operations;
    work.operation_count = operation_count;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that records an event. See gc_graph_add_node() and GRAPHCAP_WORK_EVENT_RECORD. CUDA:
/// cuGraphAddEventRecordNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_event_record_node(const gc_graph *graph,
    const gc_node *dependencies, size_t dependency_count, const gc_event *event, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EVENT_RECORD;
    work.event = event;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that waits for an event. See gc_graph_add_node() and GRAPHCAP_WORK_EVENT_WAIT. CUDA:
/// cuGraphAddEventWaitNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_event_wait_node(const gc_graph *graph,
    const gc_node *dependencies, size_t dependency_count, const gc_event *event, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EVENT_WAIT;
    work.event = event;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that allocates memory, and tells its buffer. See gc_graph_add_node() and GRAPHCAP_WORK_MEM_ALLOC. CUDA:
/// cuGraphAddMemAllocNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_mem_alloc_node(const gc_graph *graph,
    const gc_node *dependencies, size_t dependency_count, size_t size, gc_node *node_out, gc_buffer **buffer_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    gc_status status;
    work.kind = GRAPHCAP_WORK_MEM_ALLOC;
    work.size = size;
    if (buffer_out == NULL && node_out != NULL) *node_out = 0;
    if (buffer_out == NULL) return gc_node_get_buffer(graph, 0, NULL);
    *buffer_out = NULL;
    status = gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
    if (status != GRAPHCAP_SUCCESS) return status;
    status = gc_node_get_buffer(graph, *node_out, buffer_out);
    if (status != GRAPHCAP_SUCCESS) *node_out = 0;
    return status;
}

/// Adds a node that frees memory which the graph allocates. See gc_graph_add_node() and GRAPHCAP_WORK_MEM_FREE. CUDA:
/// cuGraphAddMemFreeNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_mem_free_node(const gc_graph *graph,
    const gc_node *dependencies, size_t dependency_count, const gc_buffer *buffer, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEM_FREE;
    work.buffer = buffer;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that runs its bodies by a condition. See gc_graph_add_node() and GRAPHCAP_WORK_CONDITIONAL. CUDA:
/// cuGraphAddNode.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_conditional_node(const gc_graph *graph,
    const gc_node *dependencies, size_t dependency_count, gc_condition condition, uint32_t conditional_kind,
    uint32_t body_count, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_CONDITIONAL;
    work.condition = condition;
    work.conditional_kind = conditional_kind;
    work.body_count = body_count;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that sets a condition from a buffer. See gc_graph_add_node() and GRAPHCAP_WORK_SET_CONDITION.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_set_condition_node(const gc_graph *graph,
    const gc_node *dependencies, size_t dependency_count, gc_condition condition, const gc_buffer *buffer,
    size_t offset, gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_SET_CONDITION;
    work.condition = condition;
    work.buffer = buffer;
    work.offset = offset;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Adds a node that sets a condition from a scalar. See gc_graph_add_node() and GRAPHCAP_WORK_SET_CONDITION.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_add_scalar_condition_node(const gc_graph *graph,
    const gc_node *dependencies, size_t dependency_count, gc_condition condition, const gc_scalar *scalar,
    gc_node *node_out)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_SET_CONDITION;
    work.condition = condition;
    work.scalar = scalar;
    return gc_graph_add_node(graph, dependencies, NULL, dependency_count, &work, node_out);
}

/// Sets the launch of a kernel node. See gc_node_set() and GRAPHCAP_WORK_KERNEL. CUDA: cuGraphKernelNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_node_set_kernel(const gc_graph *graph, gc_node node,
    const gc_kernel *kernel, const gc_launch_config *config, const gc_kernel_arg *arguments, size_t argument_count)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_KERNEL;
    work.kernel = kernel;
    work.config = config;
    work.arguments = arguments;
    work.argument_count = argument_count;
    return gc_node_set(graph, node, &work);
}

/// Sets the copy of a memcpy node. See gc_node_set() and GRAPHCAP_WORK_MEMCPY. CUDA: cuGraphMemcpyNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_node_set_memcpy(const gc_graph *graph, gc_node node,
    const gc_memcpy_params *params)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMCPY;
    work.memcpy_params = params;
    return gc_node_set(graph, node, &work);
}

/// Sets what a memset node fills. See gc_node_set() and GRAPHCAP_WORK_MEMSET. CUDA: cuGraphMemsetNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_node_set_memset(const gc_graph *graph, gc_node node,
    const gc_memset_params *params)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMSET;
    work.memset_params = params;
    return gc_node_set(graph, node, &work);
}

/// Sets the function of a host node. See gc_node_set() and GRAPHCAP_WORK_HOST. CUDA: cuGraphHostNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_node_set_host(const gc_graph *graph, gc_node node, gc_host_fn function,
    void *user_data, gc_destroy_fn destroy)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_HOST;
    work.function = function;
    work.user_data = user_data;
    work.destroy = destroy;
    return gc_node_set(graph, node, &work);
}

/// Sets the operations of a node of values. See gc_node_set() and GRAPHCAP_WORK_MEM_OPS. CUDA:
/// cuGraphBatchMemOpNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_node_set_batch_mem_op(const gc_graph *graph, gc_node node,
    const gc_mem_op *operations, size_t operation_count)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEM_OPS;
    work.operations = operations;
    work.operation_count = operation_count;
    return gc_node_set(graph, node, &work);
}

/// Sets the event that a node records. See gc_node_set() and GRAPHCAP_WORK_EVENT_RECORD. CUDA:
/// cuGraphEventRecordNodeSetEvent.
GRAPHCAP_NODISCARD static inline gc_status gc_node_set_event_record(const gc_graph *graph, gc_node node,
    const gc_event *event)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EVENT_RECORD;
    work.event = event;
    return gc_node_set(graph, node, &work);
}

/// Sets the event that a node waits for. See gc_node_set() and GRAPHCAP_WORK_EVENT_WAIT. CUDA:
/// cuGraphEventWaitNodeSetEvent.
GRAPHCAP_NODISCARD static inline gc_status gc_node_set_event_wait(const gc_graph *graph, gc_node node,
    const gc_event *event)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EVENT_WAIT;
    work.event = event;
    return gc_node_set(graph, node, &work);
}

/// Sets the graph of a child node. See gc_node_set() and GRAPHCAP_WORK_CHILD_GRAPH.
GRAPHCAP_NODISCARD static inline gc_status gc_node_set_child(const gc_graph *graph, gc_node node,
    const gc_graph *child)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_CHILD_GRAPH;
    work.graph = child;
    return gc_node_set(graph, node, &work);
}

/// Sets the launch of a kernel node. See gc_graph_exec_set_node() and GRAPHCAP_WORK_KERNEL. CUDA:
/// cuGraphExecKernelNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_set_kernel_node(const gc_graph_exec *exec, gc_node node,
    const gc_kernel *kernel, const gc_launch_config *config, const gc_kernel_arg *arguments, size_t argument_count)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_KERNEL;
    work.kernel = kernel;
    work.config = config;
    work.arguments = arguments;
    work.argument_count = argument_count;
    return gc_graph_exec_set_node(exec, node, &work);
}

/// Sets the copy of a memcpy node. See gc_graph_exec_set_node() and GRAPHCAP_WORK_MEMCPY. CUDA:
/// cuGraphExecMemcpyNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_set_memcpy_node(const gc_graph_exec *exec, gc_node node,
    const gc_memcpy_params *params)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMCPY;
    work.memcpy_params = params;
    return gc_graph_exec_set_node(exec, node, &work);
}

/// Sets what a memset node fills. See gc_graph_exec_set_node() and GRAPHCAP_WORK_MEMSET. CUDA:
/// cuGraphExecMemsetNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_set_memset_node(const gc_graph_exec *exec, gc_node node,
    const gc_memset_params *params)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMSET;
    work.memset_params = params;
    return gc_graph_exec_set_node(exec, node, &work);
}

/// Sets the function of a host node. See gc_graph_exec_set_node() and GRAPHCAP_WORK_HOST. CUDA:
/// cuGraphExecHostNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_set_host_node(const gc_graph_exec *exec, gc_node node,
    gc_host_fn function, void *user_data, gc_destroy_fn destroy)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_HOST;
    work.function = function;
    work.user_data = user_data;
    work.destroy = destroy;
    return gc_graph_exec_set_node(exec, node, &work);
}

/// Sets the operations of a node of values. See gc_graph_exec_set_node() and GRAPHCAP_WORK_MEM_OPS. CUDA:
/// cuGraphExecBatchMemOpNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_set_batch_mem_op_node(const gc_graph_exec *exec, gc_node node,
    const gc_mem_op *operations, size_t operation_count)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEM_OPS;
    work.operations = operations;
    work.operation_count = operation_count;
    return gc_graph_exec_set_node(exec, node, &work);
}

/// Sets the event that a node records. See gc_graph_exec_set_node() and GRAPHCAP_WORK_EVENT_RECORD. CUDA:
/// cuGraphExecEventRecordNodeSetEvent.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_set_event_record_node(const gc_graph_exec *exec, gc_node node,
    const gc_event *event)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EVENT_RECORD;
    work.event = event;
    return gc_graph_exec_set_node(exec, node, &work);
}

/// Sets the event that a node waits for. See gc_graph_exec_set_node() and GRAPHCAP_WORK_EVENT_WAIT. CUDA:
/// cuGraphExecEventWaitNodeSetEvent.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_set_event_wait_node(const gc_graph_exec *exec, gc_node node,
    const gc_event *event)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EVENT_WAIT;
    work.event = event;
    return gc_graph_exec_set_node(exec, node, &work);
}

/// Sets the graph of a child node. See gc_graph_exec_set_node() and GRAPHCAP_WORK_CHILD_GRAPH. CUDA:
/// cuGraphExecChildGraphNodeSetParams.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_set_child_node(const gc_graph_exec *exec, gc_node node,
    const gc_graph *child)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_CHILD_GRAPH;
    work.graph = child;
    return gc_graph_exec_set_node(exec, node, &work);
}

/// Records the launch of a kernel. See gc_capture_record() and GRAPHCAP_WORK_KERNEL.
GRAPHCAP_NODISCARD static inline gc_status gc_capture_record_kernel_handle(const gc_capture *capture,
    const gc_kernel *kernel, const gc_launch_config *config, const gc_kernel_arg *arguments, size_t argument_count)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_KERNEL;
    work.kernel = kernel;
    work.config = config;
    work.arguments = arguments;
    work.argument_count = argument_count;
    return gc_capture_record(capture, &work);
}

/// Records the filling of rows of memory. See gc_capture_record() and GRAPHCAP_WORK_MEMSET.
GRAPHCAP_NODISCARD static inline gc_status gc_capture_record_memset_2d(const gc_capture *capture,
    const gc_memset_params *params)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEMSET;
    work.memset_params = params;
    return gc_capture_record(capture, &work);
}

/// Records a host function. See gc_capture_record() and GRAPHCAP_WORK_HOST.
GRAPHCAP_NODISCARD static inline gc_status gc_capture_record_host_func(const gc_capture *capture, gc_host_fn function,
    void *user_data, gc_destroy_fn destroy)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_HOST;
    work.function = function;
    work.user_data = user_data;
    work.destroy = destroy;
    return gc_capture_record(capture, &work);
}

/// Records an event. See gc_capture_record() and GRAPHCAP_WORK_EVENT_RECORD.
GRAPHCAP_NODISCARD static inline gc_status gc_capture_record_event(const gc_capture *capture, const gc_event *event,
    uint32_t flags)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EVENT_RECORD;
    work.event = event;
    work.flags = flags;
    return gc_capture_record(capture, &work);
}

/// Records a wait for an event. See gc_capture_record() and GRAPHCAP_WORK_EVENT_WAIT.
GRAPHCAP_NODISCARD static inline gc_status gc_capture_record_wait_event(const gc_capture *capture,
    const gc_event *event, uint32_t flags)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_EVENT_WAIT;
    work.event = event;
    work.flags = flags;
    return gc_capture_record(capture, &work);
}

/// Records operations on values in memory. See gc_capture_record() and GRAPHCAP_WORK_MEM_OPS.
GRAPHCAP_NODISCARD static inline gc_status gc_capture_record_batch_mem_op(const gc_capture *capture,
    const gc_mem_op *operations, size_t operation_count)
{
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_MEM_OPS;
    work.operations = operations;
    work.operation_count = operation_count;
    return gc_capture_record(capture, &work);
}

/// Tells the context of an object. See gc_object_context().
GRAPHCAP_NODISCARD static inline gc_status gc_stream_get_context(const gc_stream *stream, gc_context **context_out)
{ return gc_object_context(stream, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_event_get_context(const gc_event *event, gc_context **context_out)
{ return gc_object_context(event, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_buffer_get_context(const gc_buffer *buffer, gc_context **context_out)
{ return gc_object_context(buffer, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_host_buffer_get_context(const gc_host_buffer *host_buffer,
    gc_context **context_out)
{ return gc_object_context(host_buffer, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_scalar_get_context(const gc_scalar *scalar, gc_context **context_out)
{ return gc_object_context(scalar, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_rng_get_context(const gc_rng *rng, gc_context **context_out)
{ return gc_object_context(rng, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_module_get_context(const gc_module *module, gc_context **context_out)
{ return gc_object_context(module, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_pool_get_context(const gc_pool *pool, gc_context **context_out)
{ return gc_object_context(pool, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_graph_get_context(const gc_graph *graph, gc_context **context_out)
{ return gc_object_context(graph, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_get_context(const gc_graph_exec *exec,
    gc_context **context_out)
{ return gc_object_context(exec, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_graph_cache_get_context(const gc_graph_cache *cache,
    gc_context **context_out)
{ return gc_object_context(cache, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_plan_get_context(const gc_plan *plan, gc_context **context_out)
{ return gc_object_context(plan, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_script_get_context(const gc_script *script, gc_context **context_out)
{ return gc_object_context(script, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_actor_get_context(const gc_actor *actor, gc_context **context_out)
{ return gc_object_context(actor, context_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_future_get_context(const gc_future *future, gc_context **context_out)
{ return gc_object_context(future, context_out); }

/// Tells the driver's handle of an object. See gc_object_native().
GRAPHCAP_NODISCARD static inline gc_status gc_context_native(const gc_context *context, void **native_out)
{ return gc_object_native(context, native_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_stream_native(const gc_stream *stream, void **native_out)
{ return gc_object_native(stream, native_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_event_native(const gc_event *event, void **native_out)
{ return gc_object_native(event, native_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_module_native(const gc_module *module, void **native_out)
{ return gc_object_native(module, native_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_kernel_native(const gc_kernel *kernel, void **native_out)
{ return gc_object_native(kernel, native_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_graph_native(const gc_graph *graph, void **native_out)
{ return gc_object_native(graph, native_out); }
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_native(const gc_graph_exec *exec, void **native_out)
{ return gc_object_native(exec, native_out); }

/// Tells the kind of the device. See gc_context_get_info(). kind_out may be NULL.
GRAPHCAP_NODISCARD static inline gc_status gc_context_device_kind(const gc_context *context, gc_device_kind *kind_out)
{
    gc_context_info info = GRAPHCAP_CONTEXT_INFO_INIT;
    const gc_status status = gc_context_get_info(context, &info);
    if (kind_out != NULL) *kind_out = info.device_kind;
    return status;
}

/// Tells the number of the device. See gc_context_get_info(). ordinal_out may be NULL.
GRAPHCAP_NODISCARD static inline gc_status gc_context_device_ordinal(const gc_context *context, uint32_t *ordinal_out)
{
    gc_context_info info = GRAPHCAP_CONTEXT_INFO_INIT;
    const gc_status status = gc_context_get_info(context, &info);
    if (ordinal_out != NULL) *ordinal_out = info.device_ordinal;
    return status;
}

/// Tells how often the context was reset. See gc_context_get_info(). generation_out may be NULL.
GRAPHCAP_NODISCARD static inline gc_status gc_context_generation(const gc_context *context, uint64_t *generation_out)
{
    gc_context_info info = GRAPHCAP_CONTEXT_INFO_INIT;
    const gc_status status = gc_context_get_info(context, &info);
    if (generation_out != NULL) *generation_out = info.generation;
    return status;
}

/// Tells the flags that a graph exec was made with. See gc_graph_exec_get_info(). flags_out may be NULL.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_flags(const gc_graph_exec *exec, uint32_t *flags_out)
{
    gc_graph_exec_info info = GRAPHCAP_GRAPH_EXEC_INFO_INIT;
    const gc_status status = gc_graph_exec_get_info(exec, &info);
    if (flags_out != NULL) *flags_out = info.flags;
    return status;
}

/// Tells the generation in which a graph exec was made. See gc_graph_exec_get_info(). generation_out may be NULL.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_generation(const gc_graph_exec *exec,
    uint64_t *generation_out)
{
    gc_graph_exec_info info = GRAPHCAP_GRAPH_EXEC_INFO_INIT;
    const gc_status status = gc_graph_exec_get_info(exec, &info);
    if (generation_out != NULL) *generation_out = info.generation;
    return status;
}

/// Tells the number of nodes of a graph exec. See gc_graph_exec_get_info(). count_out may be NULL.
GRAPHCAP_NODISCARD static inline gc_status gc_graph_exec_node_count(const gc_graph_exec *exec, size_t *count_out)
{
    gc_graph_exec_info info = GRAPHCAP_GRAPH_EXEC_INFO_INIT;
    const gc_status status = gc_graph_exec_get_info(exec, &info);
    if (count_out != NULL) *count_out = (size_t)info.node_count;
    return status;
}

/// Begins a capture into a graph, which no object owns. See gc_capture_begin() and gc_capture_options.
GRAPHCAP_NODISCARD static inline gc_status gc_stream_begin_capture_to_graph(const gc_stream *stream,
    const gc_graph *graph, const gc_node *dependencies, size_t count, gc_capture_mode mode)
{
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    options.graph = graph;
    options.dependencies = dependencies;
    options.dependency_count = count;
    return gc_capture_begin(stream, mode, &options, NULL);
}

/// Fills an attribute whose value is a number. See GRAPHCAP_LAUNCH_ATTRIBUTE_INIT. NULL for attribute has no effect.
static inline void gc_launch_attribute_init_number(gc_launch_attribute *attribute, gc_launch_attribute_id id,
    int32_t number)
{
    const gc_launch_attribute filled = GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(id);
    if (attribute == NULL) return;
    *attribute = filled;
    attribute->value.number = number;
}

/// Fills an attribute whose value is dimensions, in x, y and z. See GRAPHCAP_LAUNCH_ATTRIBUTE_INIT. NULL for attribute
/// has no effect.
static inline void gc_launch_attribute_init_dimensions(gc_launch_attribute *attribute, gc_launch_attribute_id id,
    uint32_t x, uint32_t y, uint32_t z)
{
    const gc_launch_attribute filled = GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(id);
    if (attribute == NULL) return;
    *attribute = filled;
    attribute->value.dimensions[0] = x;
    attribute->value.dimensions[1] = y;
    attribute->value.dimensions[2] = z;
}

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif /* GRAPHCAP_NO_SHORTHANDS */

#endif /* GRAPHCAP_H */
