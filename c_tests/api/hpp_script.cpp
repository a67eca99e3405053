// graphcap.hpp: scripts of ops.
#include "hpp_check.h"

#include <memory>
#include <stdexcept>
#include <string>

using graphcap::Script;

namespace {

class Fill : public graphcap::Op {
public:
    Fill(const graphcap::Buffer& buffer, unsigned value, bool throws) : buffer_(buffer), value_(value), throws_(throws) {}
    void record(const graphcap::RecordContext& context) const override {
        if (throws_) throw std::runtime_error("not today");
        expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { (void)context.pool(); }), "the capture has no pool");
        try {
            expect(context.native_blas() != nullptr, "an op is lent a handle of cuBLAS");
        } catch (const graphcap::Error& error) {
            expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED || error.status() == GRAPHCAP_ERROR_LIBRARY,
                   "there is none on the host device, or where cuBLAS is not installed");
        }
        try {
            expect(context.native_rand() != nullptr, "an op is lent a generator of cuRAND");
        } catch (const graphcap::Error& error) {
            expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED || error.status() == GRAPHCAP_ERROR_LIBRARY,
                   "there is none on the host device, or where cuRAND is not installed");
        }
        context.stream().fill(buffer_, value_, 1);
    }
    void prepare(const graphcap::Context& context) const override {
        expect(graphcap::Stream(context).context().generation() == context.generation(), "an op is prepared for a context");
    }
    const char* name() const noexcept override { return "fill"; }

private:
    const graphcap::Buffer& buffer_;
    unsigned value_;
    bool throws_;
};

void scripts_are_recorded_and_submitted(const graphcap::Context& context, const graphcap::Stream& stream) {
    const graphcap::Buffer buffer(context, 64);
    const Script script(context), body(context);
    expect(script.context().generation() == context.generation(), "a script tells its context");
    unsigned called = 0;
    script.push(std::make_unique<Fill>(buffer, 7, false));
    script.push_copy(graphcap::copy_dtod(buffer, buffer, 4, 4, 0));
    script.push_host_func([&] { called++; });
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer.get(), 8, 9, 4, 1, 1, 0);
    body.push_fill(set);
    script.push_conditional(GRAPHCAP_CONDITIONAL_IF, buffer, 0, {body});
    const graphcap::Event event(context);
    script.push_event_record(event);
    script.push_event_wait(event);
    script.push_child(body.record(stream));
    script.prepare();
    const graphcap::Graph graph = script.record(stream);
    expect(graph.node_count() == 8, "each op is a node, and the condition is set by one");
    const graphcap::GraphExec exec = graph.instantiate();
    exec.launch(stream);
    script.submit(stream);
    stream.synchronize();
    expect(called == 2, "a script is recorded and runs");
}

void products_and_transforms_are_calculated(const graphcap::Context& context, const graphcap::Stream& stream) {
    const float numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float results[24] = {};
    const graphcap::Buffer buffer(context, sizeof results);
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    shape.length = 4;
    graphcap::FftPlan plan;
    try {
        plan = graphcap::FftPlan(context, shape);
    } catch (const graphcap::Error& error) {
        // The device's library is not installed.
        expect(error.status() == GRAPHCAP_ERROR_LIBRARY, "a plan is made");
        return;
    }
    stream.memcpy_htod(buffer, numbers, sizeof numbers);
    const Script script(context);
    gc_sgemm_params product = GRAPHCAP_SGEMM_PARAMS_INIT;
    product.m = product.n = product.k = 2;
    product.a = product.b = product.c = buffer.get();
    product.b_offset = 16;
    product.c_offset = 32;
    product.alpha = 1;
    script.push_sgemm(product);
    gc_fft_params forth = GRAPHCAP_FFT_PARAMS_INIT, back = GRAPHCAP_FFT_PARAMS_INIT;
    gc_fft_plan_params shape_back = shape;
    shape_back.direction = GRAPHCAP_FFT_DIRECTION_C2R;
    forth.plan = plan.get();
    back.plan_params = &shape_back;
    forth.input = forth.output = back.input = back.output = buffer.get();
    forth.output_offset = back.input_offset = 48;
    back.output_offset = 72;
    script.push_fft_r2c(forth);
    script.push_fft_c2r(back);
    script.record(stream).instantiate().launch(stream);
    stream.memcpy_dtoh(results, buffer, sizeof results);
    stream.synchronize();
    expect(results[8] == 23 && results[11] == 46, "matrices are multiplied");
    expect(results[12] == 10 && results[18] == 4 && results[21] == 16, "numbers are transformed there and back");
}

gc_work fill_work(const gc_memset_params& params, const char* name = nullptr) {
    auto work = graphcap::work_of(GRAPHCAP_WORK_MEMSET);
    work.memset_params = &params;
    work.name = name;
    return work;
}

std::uint32_t first_word(const graphcap::Stream& stream, const graphcap::Buffer& buffer) {
    std::uint32_t word = 0;
    stream.memcpy_dtoh(&word, buffer, sizeof word);
    stream.synchronize();
    return word;
}

void work_as_data_goes_anywhere(const graphcap::Context& context, const graphcap::Stream& stream) {
    const graphcap::Buffer buffer(context, 64);
    gc_memset_params params = GRAPHCAP_MEMSET_INIT(buffer.get(), 0, 1, 4, 1, 1, 0);
    expect(!stream.submit(fill_work(params)) && first_word(stream, buffer) == 1, "work runs on a stream");
    const graphcap::Graph graph(context);
    const auto node = graph.add({}, fill_work(params, "one"));
    expect(graph.name(node) == "one" && graph.kind(node) == GRAPHCAP_NODE_MEMSET, "work is a node");
    const auto exec = graph.instantiate();
    params.value = 2;
    graph.set(node, fill_work(params));
    params.value = 3;
    exec.set(node, fill_work(params));
    exec.launch(stream);
    expect(first_word(stream, buffer) == 3, "work of an exec is set");
    graph.instantiate().launch(stream);
    expect(first_word(stream, buffer) == 2, "work of a graph is set");
    gc_memset_params other = params;
    params.value = 6;
    other.value = 7;
    const std::vector<graphcap::Node> nodes = {node, node};
    exec.set_nodes(nodes, {fill_work(params), fill_work(other)});
    exec.launch(stream);
    expect(first_word(stream, buffer) == 7, "nodes of an exec are set one after another");
    std::size_t failed = 0;
    const graphcap::Graph built(context);
    gc_node ids[2] = {0, 0};
    built.add_nodes({fill_work(params), fill_work(other)}, ids, {{nullptr, 0}, {&ids[0], 1}}, &failed);
    built.instantiate().launch(stream);
    expect(failed == SIZE_MAX && first_word(stream, buffer) == 7, "nodes that are added together wait for each other");
    failed = 0;
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] {
        graph.set_nodes(nodes, {fill_work(params), graphcap::work_of(GRAPHCAP_WORK_EMPTY)}, &failed);
    }), "a node that cannot be set throws");
    graph.instantiate().launch(stream);
    expect(failed == 1 && first_word(stream, buffer) == 6, "nodes before the one that fails are set");
    const graphcap::Capture capture(stream);
    params.value = 4;
    capture.record(fill_work(params));
    capture.end().instantiate().launch(stream);
    expect(first_word(stream, buffer) == 4, "work is recorded");
    const Script script(context);
    params.value = 5;
    script.push(fill_work(params));
    script.submit(stream);
    expect(first_word(stream, buffer) == 5, "work is an op");
}

void what_fails_is_told(const graphcap::Context& context, const graphcap::Stream& stream) {
    const graphcap::Buffer buffer(context, 64);
    const Script throwing(context), failing(context);
    throwing.push(std::make_unique<Fill>(buffer, 7, true));
    bool caught = false;
    try {
        (void)throwing.record(stream);
    } catch (const std::runtime_error& error) {
        caught = error.what() == std::string("not today");
    }
    expect(caught && !stream.is_capturing(), "an exception leaves the call that records");
    failing.push(std::make_unique<Fill>(buffer, 7, false));
    const gc_memset_params beyond = GRAPHCAP_MEMSET_INIT(buffer.get(), 60, 9, 4, 2, 1, 0);
    failing.push_fill(beyond);
    caught = false;
    try {
        (void)failing.record(stream);
    } catch (const graphcap::ScriptError& error) {
        caught = error.status() == GRAPHCAP_ERROR_INVALID_VALUE && error.op_index() == 1 && error.op_name() == "memset";
    }
    expect(caught && !stream.is_capturing(), "the op that fails is told");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        const graphcap::Stream stream(context);
        scripts_are_recorded_and_submitted(context, stream);
        products_and_transforms_are_calculated(context, stream);
        work_as_data_goes_anywhere(context, stream);
        what_fails_is_told(context, stream);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
