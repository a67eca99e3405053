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
        context.stream().fill(buffer_, value_, 1);
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
        what_fails_is_told(context, stream);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
