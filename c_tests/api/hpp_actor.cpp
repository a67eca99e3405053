// graphcap.hpp: actors and futures.
#include "hpp_check.h"

#include <future>
#include <map>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using graphcap::Actor;
using graphcap::Future;
using graphcap::Script;

namespace {

void actors_record_launch_update_and_write(const graphcap::Context& context, const graphcap::Stream& stream) {
    std::atomic<int> first{0}, second{0};
    std::atomic<int> answered{0};
    const Actor actor(context);
    expect(actor.context().generation() == context.generation(), "an actor tells its context");
    const Script script(context), other(context);
    script.push_host_func([&] { first++; });
    other.push_host_func([&] { second++; });
    const Future recorded = actor.record(script);
    recorded.wait();
    expect(recorded.context().generation() == context.generation(), "a future tells its context");
    const graphcap::GraphExec exec = recorded.take_exec();
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { (void)recorded.take_exec(); }), "an exec is taken once");
    std::vector<Future> launches;
    for (int i = 0; i < 10; i++) {
        launches.push_back(actor.launch(exec));
        launches.back().on_done([&] { answered++; });
    }
    for (const Future& launched : launches) launched.wait();
    expect(first == 10 && launches.front().is_done(), "launches are answered when they have run");
    const graphcap::Graph graph = other.record(stream);
    actor.update(exec, graph).wait();
    expect(actor.launch(exec).wait_for(std::chrono::seconds(20)), "an answer comes in time");
    expect(second == 1, "an exec does the work that it was updated to");
    const Future written = actor.export_dot(exec);
    written.wait();
    expect(written.text().rfind("digraph", 0) == 0, "the graph is written");
    const Future adopted = actor.adopt(graph);
    adopted.wait();
    actor.launch(adopted.take_exec()).wait();
    expect(second == 2, "a graph is adopted");
    expect(actor.close_and_wait(std::chrono::seconds(20)) && answered == 10, "all is answered at the end");
    actor.close();
    expect(throws(GRAPHCAP_ERROR_ILLEGAL_STATE, [&] { (void)actor.launch(exec); }), "a closed actor takes no message");
}

void actors_replace_the_plans_of_transforms(const graphcap::Context& context, const graphcap::Stream& stream) {
    const auto planned = [&](std::uint64_t length, std::uint64_t batch) {
        gc_fft_plan_params params = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
        params.length = length;
        params.batch_count = batch;
        return graphcap::FftPlan(context, params);
    };
    graphcap::FftPlan whole, halves;
    try {
        whole = planned(4, 1);
        halves = planned(2, 2);
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_LIBRARY, "a plan is made where its library is installed");
        return;
    }
    const float given[] = {1, 2, 3, 4};
    float seen[8] = {};
    const graphcap::Buffer in(context, sizeof given), out(context, sizeof seen);
    stream.memcpy_htod(in, given, sizeof given);
    stream.synchronize();
    gc_fft_params transform = GRAPHCAP_FFT_PARAMS_INIT;
    transform.plan = whole.get();
    transform.input = in.get();
    transform.output = out.get();
    const Script script(context);
    script.push_fft_r2c(transform);
    const Actor actor(context);
    const Future recorded = actor.record(script);
    recorded.wait();
    const graphcap::GraphExec exec = recorded.take_exec();
    actor.set_fft_plan(exec, 0, halves).wait();
    actor.launch(exec).wait();
    stream.memcpy_dtoh(seen, out, sizeof seen);
    stream.synchronize();
    const bool is_host = context.device_kind() == GRAPHCAP_DEVICE_HOST; // what stands in for a GPU does not calculate
    expect(!is_host || (seen[0] > 2.99f && seen[0] < 3.01f && seen[4] > 6.99f && seen[4] < 7.01f), "a launch goes by the plan");
    const Future refused = actor.set_fft_plan(exec, 1, halves);
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { refused.wait(); }), "the op is named by its index");
}

class Throwing : public graphcap::Op {
public:
    void record(const graphcap::RecordContext&) const override { throw std::runtime_error("not today"); }
};

void what_fails_is_told(const graphcap::Context& context) {
    const graphcap::Buffer buffer(context, 64);
    const Actor actor(context);
    const Script failing(context);
    const gc_memset_params beyond = GRAPHCAP_MEMSET_INIT(buffer.get(), 60, 9, 4, 2, 1, 0);
    failing.push_fill(beyond);
    const Future recorded = actor.record(failing);
    for (int round = 0; round < 2; round++) {
        bool caught = false;
        try {
            recorded.wait();
        } catch (const graphcap::ScriptError& error) {
            caught = error.status() == GRAPHCAP_ERROR_INVALID_VALUE && error.op_index() == 0 && error.op_name() == "memset";
        }
        expect(caught, "the op that fails is told, each time");
    }
    const Script throwing(context);
    throwing.push(std::make_unique<Throwing>());
    const Future thrown = actor.record(throwing);
    std::string told;
    try {
        thrown.wait();
    } catch (const graphcap::ScriptError& error) {
        told = error.what();
    }
    expect(told.find("not today") != std::string::npos, "what an op throws on the actor's thread is told");
}

// A launch that a host function holds.
void late_launches_are_reported(const graphcap::Context& context) {
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    options.stall_limit_ns = 1000000;
    const Actor actor(context, options);
    std::promise<void> go, late;
    std::shared_future<void> held = go.get_future().share();
    graphcap::Graph graph(context);
    graph.add_host({}, [held] { held.wait(); });
    const graphcap::GraphExec exec = [&] {
        const Future adopted = actor.adopt(graph, GRAPHCAP_INSTANTIATE_WATCH);
        adopted.wait();
        return adopted.take_exec();
    }();
    const Future launched = actor.launch(exec);
    const std::uint64_t handles = graphcap::live_handles();
    std::promise<void> counted;
    launched.on_stall([&late, done = counted.get_future().share()] {
        late.set_value();
        done.wait();
    });
    late.get_future().wait();
    expect(graphcap::live_handles() == handles, "a handle lent to a callback does not count");
    counted.set_value();
    auto progress = graphcap::detail::versioned<gc_graph_exec_progress_info>();
    expect(launched.stall_report(&progress).find("has not completed within") != std::string::npos, "it is told in words");
    expect(progress.completed_count == 0 && progress.node_count == 1, "and in numbers");
    go.set_value();
    launched.wait();
    const Future adopted = actor.adopt(graph);
    expect(adopted.stall_report().empty(), "other messages are not late");
}

// Futures by the handles that the queue gives.
void an_event_loop_waits_for_many(const graphcap::Context& context) {
    gc_actor_options options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    options.mailbox_capacity = 4;
    const Actor actor(context, options);
    const Future adopted = actor.adopt(graphcap::Graph(context));
    const int own = adopted.event_fd();
    pollfd watched{own, POLLIN, 0};
    expect(poll(&watched, 1, -1) == 1 && adopted.is_done(), "a future has a descriptor");
    const graphcap::GraphExec exec = adopted.take_exec();
    watched.fd = actor.event_fd();
    expect(actor.next_completed() == nullptr, "nothing was answered yet");
    std::map<const gc_future*, Future> pending;
    for (int i = 0; i < 16; i++) {
        Future launched = actor.launch(exec);
        const gc_future* const handle = launched.get();
        pending.emplace(handle, std::move(launched));
    }
    while (!pending.empty()) {
        expect(poll(&watched, 1, -1) == 1, "there is something to wait for");
        while (const gc_future* const handle = actor.next_completed()) {
            pending.at(handle).wait();
            pending.erase(handle);
        }
    }
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        const graphcap::Stream stream(context);
        actors_record_launch_update_and_write(context, stream);
        actors_replace_the_plans_of_transforms(context, stream);
        what_fails_is_told(context);
        late_launches_are_reported(context);
        an_event_loop_waits_for_many(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
