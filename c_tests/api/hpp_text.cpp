// Tests what graphcap.hpp has for names, and for graphs as text: JSON, what its names are bound to, differences, DOT.
#include "hpp_check.h"

#include <atomic>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using graphcap::Binding;
using graphcap::fill_with;
using graphcap::Graph;
using graphcap::Node;

constexpr std::size_t COUNT = 4, BYTES = COUNT * sizeof(float);

static_assert(!std::is_copy_constructible_v<Binding> && !std::is_copy_assignable_v<Binding> &&
                  std::is_nothrow_move_constructible_v<Binding> && std::is_nothrow_move_assignable_v<Binding>,
              "a binding owns its callable");
// Objects and nodes are called by their names.
void names(const graphcap::Context& context) {
    const graphcap::Buffer buffer(context, BYTES);
    graphcap::set_name(buffer, "weights");
    expect(graphcap::name_of(buffer) == "weights", "a buffer has its name");
    const Graph graph(context);
    const Node node = graph.add_empty({});
    graph.set_name(node, "join");
    const Graph copy = graph.clone();
    expect(graph.name(node) == "join" && copy.name(graph.find_in_clone(node, copy)) == "join",
           "a node and its copy have the name");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.add_dependencies({{node, node}}); }) &&
               graphcap::last_error_message().find("\"join\"") != std::string::npos,
           "a message has the name");
}

// A graph goes through text and back.
void texts(const graphcap::Context& context) {
    const graphcap::Buffer buffer(context, BYTES);
    const graphcap::Event event(context);
    graphcap::set_name(buffer, "words");
    graphcap::set_name(event, "done");
    const Graph graph(context);
    const auto set = graph.add_memset({}, fill_with(buffer, std::uint32_t{7}, COUNT));
    const auto record = graph.add_event_record({set}, event);
    const auto call = graph.add_host({record}, [] {});
    graph.set_name(call, "report");
    std::atomic<int> alive{0};
    const std::string json = graph.json();
    {
        std::uint32_t unused = 0;
        const Graph again = Graph::import_json(
            context, json, graphcap::bind("words", buffer), graphcap::bind("done", event),
            graphcap::bind_host_memory("unused", &unused, sizeof unused),
            graphcap::bind_host_function("report", [kept = std::make_shared<Counted>(alive)] {}));
        expect(again.json() == json && alive == 1, "what was read back is the same");
        expect(graph.diff(again).find("~ node 2: function 0x") == 0, "but for the function");
        again.set_name(again.nodes().front(), "clear");
        expect(graph.diff(again).find("~ node 0: name \"\" -> \"clear\"\n") == 0, "a difference is told");
        gc_optimize_report report;
        const Graph optimized = graph.optimize(&report);
        expect(report.node_count == graph.node_count() && report.barrier_count > 0, "what is not known keeps its place");
        expect(optimized.node_count() == report.node_count + report.added_node_count, "all nodes are there");
        expect(graph.optimize_text().find("no gain: no shorter path was found\nrecorded: ") == 0, "the report in words");
        expect(graph.optimize_reasons().size() >= report.barrier_count, "the reasons as data");
        expect(graph.findings().empty() && graph.findings_text().empty(), "a chain has no findings");
        expect(graph.findings_json().find("\"findings\": []") != std::string::npos, "a chain has none in JSON");
        auto measuring = graphcap::detail::versioned<gc_optimize_options>();
        measuring.flags = GRAPHCAP_OPTIMIZE_MEASURE;
        graph.optimize(measuring, &report);
        expect(report.candidate_count == 0, "what is not known must not be measured");
        expect(graph.optimize_text(measuring).find("not measured, but estimated: ") != std::string::npos, "the reason in words");
        expect(throws(GRAPHCAP_ERROR_NOT_SUPPORTED, [&] { graph.verify(); }), "what is not known cannot be verified");
        /* Verifying compares all bytes of the buffer. */
        const graphcap::Stream stream(context);
        stream.fill(buffer, std::uint32_t{0}, COUNT);
        stream.synchronize();
        const Graph known(context);
        known.add_memset({}, fill_with(buffer, std::uint32_t{3}, 1));
        std::string words;
        const gc_verify_report verified = known.verify(&words);
        expect(verified.finding == GRAPHCAP_VERIFY_NOTHING && verified.node_count == 1, "nothing is wrong");
        expect(words.find("verified: 1 nodes") == 0, "the report in words");
        const auto options = graphcap::detail::versioned<gc_verify_options>();
        expect(known.verify_with(options, [](std::uint64_t, std::uint64_t) { return false; }).stopped == 1, "it can be ended");
        bool is_caught = false;
        try {
            known.verify_with(options, [](std::uint64_t, std::uint64_t) -> bool { throw 7; });
        } catch (int thrown) {
            is_caught = thrown == 7;
        }
        expect(is_caught, "what progress throws goes on");
        auto stepping = graphcap::detail::versioned<gc_step_options>();
        stepping.flags = GRAPHCAP_STEP_SUMMARIZE;
        unsigned calls = 0;
        const graphcap::StepReport stepped = known.step(stepping, [&](const gc_step& step) { return ++calls, step.count == 1; });
        expect(stepped.report.run_count == 1 && calls == 2 && stepped.findings.empty(), "a node is stepped");
        expect(stepped.text.find("stepped: 1 of 1 nodes") == 0 && known.step().report.run_count == 1, "the steps in words");
        is_caught = false;
        try {
            known.step(stepping, [](const gc_step&) -> bool { throw 8; });
        } catch (int thrown) {
            is_caught = thrown == 8;
        }
        expect(is_caught, "what the function of a step throws goes on");
        const graphcap::BisectReport bad = known.bisect([&] {
            std::uint32_t word = 0;
            stream.memcpy_dtoh(&word, buffer, sizeof word);
            stream.synchronize();
            return word != 3;
        });
        expect(bad.report.outcome == GRAPHCAP_BISECT_NODES && bad.findings.size() == 1, "the node is found that makes a replay bad");
        expect(bad.findings[0].node == known.nodes()[0].id() && bad.text.find("bisected: 3 of 3 replays") == 0, "and told in words");
        is_caught = false;
        try {
            known.bisect([]() -> bool { throw 9; });
        } catch (int thrown) {
            is_caught = thrown == 9;
        }
        expect(is_caught, "what the function of a search throws goes on");
        graphcap::Plan plan;
        const Graph planned = graph.optimize(plan, &report);
        gc_optimize_report applied;
        const Graph likewise = plan.apply(again, &applied);
        expect(likewise.node_count() == planned.node_count() && applied.edges_after == report.edges_after, "a plan is applied");
        const auto exec = planned.instantiate();
        exec.update(likewise);
        const Graph shorter(context);
        expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { plan.apply(shorter); }), "a plan of another graph is refused");
        plan.apply_in_place(again, &applied);
        again.optimize_in_place();
        expect(again.edge_count() == applied.edges_after, "a graph is changed in place");
    }
    expect(eventually([&] { return alive == 0; }), "a callable goes with the graph");
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { Graph::import_json(context, json); }), "names must be bound");
    expect(graph.diff(Graph::import_json(context, json, graphcap::bind_rest(graph))).empty(), "a graph gives what it uses");
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { Graph::import_json(context, json, graphcap::bind_process()); }),
           "the process gives no host functions");
    expect(graph.dot(GRAPHCAP_DOT_MEMSET_NODE_PARAMS).find("at words to 0x7") != std::string::npos, "names are drawn");
}

// A callable is destroyed once, whoever has it then: the binding, the import that fails, or the graph.
void callables_of_bindings(const graphcap::Context& context) {
    std::atomic<int> alive{0};
    const auto counted = [&] { return [kept = std::make_shared<Counted>(alive)] {}; };
    graphcap::bind_host_function("none", counted());
    expect(alive == 0, "a binding that no import takes destroys its callable");
    Binding first = graphcap::bind_host_function("first", counted());
    Binding second = graphcap::bind_host_function("a name that is too long to be kept in place", counted());
    first = std::move(second);
    expect(alive == 1, "an assignment destroys the callable that it replaces");

    const Graph graph(context);
    const auto call = graph.add_host({}, [] {});
    graph.set_name(call, "a name that is too long to be kept in place");
    const std::string json = graph.json();
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { Graph::import_json(context, "nonsense", std::move(first)); }) &&
               alive == 0,
           "an import that fails destroys it");
    std::vector<Binding> bindings;
    bindings.push_back(graphcap::bind_host_function("a name that is too long to be kept in place", counted()));
    bindings.push_back(graphcap::bind_host_function("unused", counted()));
    Graph again = Graph::import_json(context, json, std::move(bindings));
    expect(alive == 1, "what no node calls is destroyed at the import");
    bindings.clear();
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { Graph::import_json(context, json, std::move(bindings)); }) && alive == 1,
           "bindings are for one import");
    again.reset();
    expect(eventually([&] { return alive == 0; }), "a graph destroys what its nodes called");
    expect(throws(GRAPHCAP_ERROR_INVALID_HANDLE,
                  [&] { Graph::import_json(graphcap::Context(), json, graphcap::bind_host_function("none", counted())); }) &&
               alive == 0,
           "an import without a context destroys it as well");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        names(context);
        texts(context);
        callables_of_bindings(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
