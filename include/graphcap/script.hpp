/**
 * @file graphcap/script.hpp
 * Scripts: lists of ops that are recorded as graphs, or submitted. graphcap.hpp includes this file; a program includes
 * graphcap.hpp.
 */
#ifndef GRAPHCAP_SCRIPT_HPP
#define GRAPHCAP_SCRIPT_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../graphcap.h"
#include "capture.hpp"
#include "context.hpp"
#include "error.hpp"
#include "event.hpp"
#include "graph.hpp"
#include "handle.hpp"
#include "kernel.hpp"
#include "memory.hpp"
#include "pool.hpp"
#include "shape.hpp"
#include "stream.hpp"
#include "work.hpp"

namespace graphcap {

/** Target of an op that records itself. It is lent to the op for one call. */
class RecordContext {
public:
    /** For a handle that an op was given. */
    explicit RecordContext(const gc_record_context* context) noexcept : context_(context) {
        const gc_stream* stream = nullptr;
        if (gc_record_context_stream(context, &stream) == GRAPHCAP_SUCCESS)
            stream_ = Stream(const_cast<gc_stream*>(stream));
    }
    RecordContext(const RecordContext&) = delete;
    RecordContext& operator=(const RecordContext&) = delete;
    /** The stream's handle is not this object's. */
    ~RecordContext() { stream_.release(); }

    /** The stream to submit to. */
    const Stream& stream() const noexcept { return stream_; }
    /** The graph that is recorded into. Throws GRAPHCAP_ERROR_ILLEGAL_STATE where the work runs instead. */
    Graph graph() const {
        return Graph(detail::make<gc_graph>([&](gc_graph** out) { return gc_record_context_graph(context_, out); }));
    }
    /** The pool of the capture that is recorded into. Throws GRAPHCAP_ERROR_NOT_FOUND where it has none. */
    Pool pool() const {
        return Pool(detail::make<gc_pool>([&](gc_pool** out) { return gc_record_context_pool(context_, out); }));
    }

    /** A cublasHandle_t for products that the op records by itself, until it returns. Throws
     *  GRAPHCAP_ERROR_NOT_SUPPORTED on the host device. */
    void* native_blas() const {
        return detail::ask<void*>([&](void** out) { return gc_record_context_native_blas(context_, out); });
    }
    /** A curandGenerator_t (Philox 4x32-10) for random numbers that the op records by itself, until it returns. Throws
     *  GRAPHCAP_ERROR_NOT_SUPPORTED on the host device. */
    void* native_rand() const {
        return detail::ask<void*>([&](void** out) { return gc_record_context_native_rand(context_, out); });
    }

private:
    const gc_record_context* context_;
    Stream stream_;
};

/** An op of the program's: derive from it, and push it to a script. Functions may run on several threads at the same
 *  time, since a script may be recorded by several. */
class Op {
public:
    virtual ~Op() = default;
    /** Submits the op's work. An exception that leaves it leaves the call that records; on the thread of an actor its
     *  what() goes into the message of the future. */
    virtual void record(const RecordContext& context) const = 0;
    /** Does beforehand what must not happen inside a capture. The context is that of the script, and the op's for
     *  this call. */
    virtual void prepare(const Context& context) const { (void)context; }
    /** Name of the op in messages. */
    virtual const char* name() const noexcept { return "op"; }
};

/** Thrown where an op of a script fails: the error, with the op. */
class ScriptError : public Error {
public:
    ScriptError(const Error& error, const gc_script_failure& failure)
        : Error(error), index_(failure.op_index), name_(failure.op_name) {}
    /** The place of the op in its script, from 0. */
    std::size_t op_index() const noexcept { return index_; }
    /** The name of the op. */
    const std::string& op_name() const noexcept { return name_; }

private:
    std::size_t index_;
    std::string name_;
};

/** A plan of Fourier transforms, which any number of ops can share. Ops and graphs that use it keep it. */
class FftPlan : public detail::Handle<gc_fft_plan, gc_fft_plan_destroy> {
public:
    using Handle::Handle;

    /** Plans transforms; the struct's size is set here. */
    FftPlan(const Context& context, gc_fft_plan_params params)
        : Handle(detail::make<gc_fft_plan>([&](gc_fft_plan** out) {
              params.struct_size = static_cast<std::uint32_t>(sizeof params);
              return gc_fft_plan_create(context.get(), &params, out);
          })) {}
};

/** A list of ops. The graphs that are recorded from it keep what they use. Any thread may use it. */
class Script : public detail::Handle<gc_script, gc_script_destroy> {
public:
    using Handle::Handle;

    /** Makes a script without ops. */
    explicit Script(const Context& context)
        : Handle(detail::make<gc_script>([&](gc_script** out) { return gc_script_create(context.get(), out); })) {}

    /** Adds an op that a struct describes. */
    void push(const gc_work& work) const { check(gc_script_push(get(), &work)); }
    /** Adds an op of the program's. */
    void push(std::unique_ptr<Op> op) const {
        auto vtable = detail::versioned<gc_op_vtable>();
        vtable.record = record_op;
        vtable.prepare = prepare_op;
        vtable.name = name_op;
        vtable.destroy = drop_op;
        check(gc_script_push_op(get(), &vtable, op.release()));
    }
    /** Adds a launch of a kernel; arguments as for Stream::launch(). */
    template <class... Arguments>
    void push_kernel(const Kernel& kernel, const Shape& shape, const Arguments&... arguments) const {
        const detail::Call<sizeof...(Arguments)> call{shape, detail::argument(arguments)...};
        auto work = work_of(GRAPHCAP_WORK_KERNEL);
        work.kernel = kernel.get();
        work.config = &call.config;
        work.arguments = call.data();
        work.argument_count = call.size();
        push(work);
    }
    /** Adds a copy; copy_htod() and its relatives make the struct. */
    void push_copy(const gc_memcpy_params& params) const {
        auto work = work_of(GRAPHCAP_WORK_MEMCPY);
        work.memcpy_params = &params;
        push(work);
    }
    /** Adds setting rows of elements. */
    void push_fill(const gc_memset_params& params) const {
        auto work = work_of(GRAPHCAP_WORK_MEMSET);
        work.memset_params = &params;
        push(work);
    }
    /** Adds filling floats with random numbers; Rng::uniform() and Rng::repeating() make the struct. */
    void push_uniform(const gc_rng_uniform_params& params) const {
        auto work = work_of(GRAPHCAP_WORK_RNG_UNIFORM);
        work.rng_uniform_params = &params;
        push(work);
    }
    /** Adds `function()`, which runs on the CPU at each launch. */
    template <class F>
    void push_host_func(F&& function) const {
        detail::give_host_function(std::forward<F>(function), [&](gc_host_fn entry, void* data, gc_destroy_fn destroy) {
            auto work = work_of(GRAPHCAP_WORK_HOST);
            work.function = entry;
            work.user_data = data;
            work.destroy = destroy;
            return gc_script_push(get(), &work);
        });
    }
    /** Adds a graph, which is copied when the op is recorded. */
    void push_child(const Graph& graph) const {
        auto work = work_of(GRAPHCAP_WORK_CHILD_GRAPH);
        work.graph = graph.get();
        push(work);
    }
    /** Adds scripts that run depending on the word at `offset` of `buffer`; `kind` is a GRAPHCAP_CONDITIONAL_ number. */
    void push_conditional(std::uint32_t kind, const Buffer& buffer, std::size_t offset,
                          std::initializer_list<std::reference_wrapper<const Script>> bodies) const {
        std::vector<const gc_script*> handles;
        for (const Script& body : bodies) handles.push_back(body.get());
        auto work = work_of(GRAPHCAP_WORK_CONDITIONAL);
        work.buffer = buffer.get();
        work.offset = offset;
        work.conditional_kind = kind;
        work.bodies = handles.data();
        work.body_count = static_cast<std::uint32_t>(handles.size());
        push(work);
    }
    /** Adds a product of matrices. */
    void push_sgemm(const gc_sgemm_params& params) const {
        auto work = work_of(GRAPHCAP_WORK_SGEMM);
        work.sgemm_params = &params;
        push(work);
    }
    /** Adds Fourier transforms of floats, from real numbers to complex ones. */
    void push_fft_r2c(const gc_fft_params& params) const { push_fft(GRAPHCAP_WORK_FFT_R2C, params); }
    /** Adds Fourier transforms of floats, from complex numbers to real ones. */
    void push_fft_c2r(const gc_fft_params& params) const { push_fft(GRAPHCAP_WORK_FFT_C2R, params); }
    /** Adds a record of an event, at each launch. */
    void push_event_record(const Event& event) const { push_event(GRAPHCAP_WORK_EVENT_RECORD, event); }
    /** Adds a wait for the record that an event holds at each launch. */
    void push_event_wait(const Event& event) const { push_event(GRAPHCAP_WORK_EVENT_WAIT, event); }

    /** Another handle of the context. */
    Context context() const { return detail::context_of(get()); }

    /** Prepares the ops that are not prepared yet. */
    void prepare() const {
        run([&](gc_script_failure* failure) { return gc_script_prepare(get(), failure); });
    }
    /** Records the ops as a graph. Where an op throws, the exception leaves this call; where it fails otherwise,
     *  ScriptError tells which. */
    Graph record(const Stream& stream, gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_GLOBAL) const {
        gc_graph* graph = nullptr;
        run([&](gc_script_failure* failure) { return gc_script_record(get(), stream.get(), mode, failure, &graph); });
        return Graph(graph);
    }
    /** Submits the ops: they run, or are recorded if the stream is being captured. */
    void submit(const Stream& stream) const {
        run([&](gc_script_failure* failure) { return gc_script_submit(get(), stream.get(), failure); });
    }

private:
    void push_fft(std::uint32_t kind, const gc_fft_params& params) const {
        auto work = work_of(kind);
        work.fft_params = &params;
        push(work);
    }
    void push_event(std::uint32_t kind, const Event& event) const {
        auto work = work_of(kind);
        work.event = event.get();
        push(work);
    }

    /** Exception that an op of this thread threw, until the call that records has returned: no exception may pass
     *  through C. */
    static std::exception_ptr& thrown() {
        static thread_local std::exception_ptr thrown;
        return thrown;
    }

    template <class Call>
    static void run(Call&& call) {
        auto failure = detail::versioned<gc_script_failure>();
        const std::exception_ptr outer = std::exchange(thrown(), nullptr);
        const gc_status status = call(&failure);
        const std::exception_ptr inner = std::exchange(thrown(), outer);
        if (status == GRAPHCAP_SUCCESS) return;
        if (inner) std::rethrow_exception(inner);
        try {
            check(status);
        } catch (const Error& error) {
            if (failure.has_op == 0) throw;
            throw ScriptError(error, failure);
        }
    }

    template <class Call>
    static gc_status guarded(Call&& call) noexcept {
        try {
            call();
            return GRAPHCAP_SUCCESS;
        } catch (const std::exception& error) {
            thrown() = std::current_exception();
            // On the thread of an actor nobody takes the exception, and the text is what can be told.
            const gc_status told = gc_callback_set_message(error.what());
            (void)told;
        } catch (...) {
            thrown() = std::current_exception();
        }
        return GRAPHCAP_ERROR_CALLBACK;
    }
    static gc_status record_op(const gc_record_context* context, void* op) noexcept {
        return guarded([&] { static_cast<const Op*>(op)->record(RecordContext(context)); });
    }
    static gc_status prepare_op(const gc_context* context, void* op) noexcept {
        Context lent(const_cast<gc_context*>(context));
        const gc_status status = guarded([&] { static_cast<const Op*>(op)->prepare(lent); });
        // The handle is not the op's.
        lent.release();
        return status;
    }
    static const char* name_op(void* op) noexcept { return static_cast<const Op*>(op)->name(); }
    static void drop_op(void* op) noexcept { delete static_cast<Op*>(op); }
};

} // namespace graphcap

#endif
