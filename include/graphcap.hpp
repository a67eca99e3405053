/**
 * @file graphcap.hpp
 * The C++17 layer over graphcap.h: owning classes, exceptions, typed kernels. Header only, no macros, no state.
 *
 * The parts are files in graphcap/, one for each subject. Each includes what it needs; a program includes this file.
 *
 * Ownership. Context, Stream, Event, Buffer, HostBuffer, Pool, Scalar, Rng, Module, Kernel, Graph, GraphExec, GraphCache, Plan, Script,
 * Actor, Future and Capture own one handle each. They can be moved, not copied. A default-constructed or moved-from object is empty; calling it throws an Error
 * with GRAPHCAP_ERROR_INVALID_HANDLE. Any order of destruction is legal: objects that are still used stay alive.
 * A Node owns nothing: it is a number that names a node of a graph, and is copied like one. A Binding owns a callable.
 *
 * Errors. Every call that fails throws Error, which carries the status and the library's message.
 *
 * Threads. As in graphcap.h: an object may be used by several threads at once. Moving, resetting and destroying an
 * object while another thread uses it is a race on the C++ object and not allowed.
 *
 * Exceptions never cross into C. An exception that leaves the function given to capture() ends the capture, and then
 * leaves capture(). One that leaves the function of a GraphCache leaves launch() in the same way, and one that leaves an Op
 * leaves Script::record(). A host function or a host kernel fails by an exception: the calls that wait for its work throw
 * Error with GRAPHCAP_ERROR_CALLBACK and the text of the exception. An exception that leaves a function of Future ends the
 * program (std::terminate), as one that leaves a thread does.
 */
#ifndef GRAPHCAP_HPP
#define GRAPHCAP_HPP

#if __cplusplus < 201703L
#error "graphcap.hpp needs C++17: compile with -std=c++17 or a newer standard"
#else

#include "graphcap.h"
#include "graphcap/error.hpp"
#include "graphcap/process.hpp"
#include "graphcap/handle.hpp"
#include "graphcap/shape.hpp"
#include "graphcap/context.hpp"
#include "graphcap/event.hpp"
#include "graphcap/memory.hpp"
#include "graphcap/pool.hpp"
#include "graphcap/work.hpp"
#include "graphcap/kernel.hpp"
#include "graphcap/node.hpp"
#include "graphcap/typed_kernel.hpp"
#include "graphcap/host.hpp"
#include "graphcap/binding.hpp"
#include "graphcap/graph_exec.hpp"
#include "graphcap/verify.hpp"
#include "graphcap/bisect.hpp"
#include "graphcap/step.hpp"
#include "graphcap/graph.hpp"
#include "graphcap/update.hpp"
#include "graphcap/plan.hpp"
#include "graphcap/stream.hpp"
#include "graphcap/scalar.hpp"
#include "graphcap/rng.hpp"
#include "graphcap/capture.hpp"
#include "graphcap/graph_cache.hpp"
#include "graphcap/script.hpp"
#include "graphcap/actor.hpp"

#endif
#endif
