// Tests graphcap/graph.hpp: graphs built by hand, looked at and edited; execs that are edited; copies; child graphs; what a
// graph keeps alive.
#include "hpp_check.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

using graphcap::copy_dtod;
using graphcap::copy_dtoh;
using graphcap::copy_htod;
using graphcap::fill_with;
using graphcap::Graph;
using graphcap::GraphExec;
using graphcap::Node;
using graphcap::TypedBuffer;

constexpr std::size_t COUNT = 4, BYTES = COUNT * sizeof(float);
using Floats = std::vector<float>;

static_assert(std::is_trivially_copyable_v<Node> && sizeof(Node) == sizeof(gc_node), "a node is a number");
static_assert(std::is_convertible_v<graphcap::KernelNode, Node> && !std::is_convertible_v<Node, graphcap::KernelNode>,
              "a node of a kind is a node, and not the other way round");

// Whether a kernel node may be passed where a node of another kind is changed.
template <class N, class = void>
struct ChangesAsMemcpy : std::false_type {};
template <class N>
struct ChangesAsMemcpy<N, std::void_t<decltype(std::declval<const Graph&>().set_memcpy(std::declval<N>(),
                                                                                         gc_memcpy_params{}))>>
    : std::true_type {};
static_assert(ChangesAsMemcpy<graphcap::MemcpyNode>::value && !ChangesAsMemcpy<graphcap::KernelNode>::value &&
                  !ChangesAsMemcpy<Node>::value,
              "a node of another kind does not compile");

// A graph of every kind of node that all drivers have: a diamond of kernels between two copies.
struct Diamond {
    explicit Diamond(const graphcap::Context& context)
        : module(load(context)), kernel(module.kernel<apply>("apply")), in(context, COUNT), left(context, COUNT),
          right(context, COUNT), graph(context) {
        top = graph.add_memcpy({}, copy_htod(in, source.data(), BYTES));
        first = graph.add_kernel({top}, kernel, {COUNT}, left, in, Line{2.0f, 0.0f});
        second = graph.add_kernel(top, kernel, {COUNT}, right, in, Line{1.0f, 10.0f});
        bottom = graph.add_memcpy({first, second}, copy_dtoh(result.data(), left, BYTES));
        beside = graph.add_memcpy({bottom}, copy_dtoh(result.data() + COUNT, right, BYTES));
    }
    Floats run(const GraphExec& exec, const graphcap::Stream& stream) {
        std::fill(result.begin(), result.end(), 0.0f);
        exec.launch(stream);
        stream.synchronize();
        return result;
    }

    Floats source = {1, 2, 3, 4}, result = Floats(2 * COUNT);
    graphcap::Module module;
    graphcap::TypedKernel<void(float*, const float*, Line)> kernel;
    TypedBuffer<float> in, left, right;
    Graph graph;
    graphcap::MemcpyNode top, bottom, beside;
    graphcap::KernelNode first, second;
};

void building(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    Diamond d(context);
    expect(d.graph.node_count() == 5 && d.graph.edge_count() == 5, "nodes and edges are there");
    const GraphExec exec = d.graph.instantiate();
    const GraphExec uploaded = d.graph.instantiate(stream, GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY);
    expect(throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { d.graph.instantiate(graphcap::Stream()); }) &&
               throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { exec.upload(graphcap::Stream()); }) && !exec.is_uploaded(),
           "an empty stream is not the legacy stream");
    expect(uploaded.is_uploaded() && !exec.is_uploaded(), "an exec is uploaded where it is made");
    const GraphExec frees = d.graph.instantiate(GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH);
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD;
    options.upload_stream = stream.get();
    expect(d.graph.instantiate(options).node_count() == exec.node_count(), "options make the same exec");
    expect(frees.flags() == GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH && exec.flags() == 0, "an exec tells its flags");
    expect(d.run(exec, stream) == Floats({2, 4, 6, 8, 11, 12, 13, 14}), "a graph that was built runs");

    const GraphExec watched = d.graph.instantiate(GRAPHCAP_INSTANTIATE_WATCH);
    expect(d.run(watched, stream) == Floats({2, 4, 6, 8, 11, 12, 13, 14}), "a watched exec does the same work");
    std::string words;
    expect(watched.progress(&words).completed_count == 5 && watched.progress().is_running == 0 &&
               words.find("1 launches") != std::string::npos && watched.nodes_in_state(GRAPHCAP_NODE_READY).empty() &&
               watched.nodes_in_state(GRAPHCAP_NODE_COMPLETED).size() == 5,
           "it tells how far its launches are");
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { exec.progress(); }), "an exec that is not watched does not");
    expect(throws(GRAPHCAP_ERROR_ILLEGAL_STATE, [&] { exec.times(1); }), "without a trace there are no times");

    // Handles may go; the exec keeps what it uses.
    d.module.reset();
    d.in.reset(), d.left.reset(), d.right.reset(), d.graph.reset();
    d.kernel = {};
    d.source[0] = 5;
    expect(d.run(exec, stream)[0] == 10.0f, "an exec keeps buffers and modules");
}

void every_kind(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Module module = load(context);
    const graphcap::Kernel negate_kernel = module.kernel("negate");
    const TypedBuffer<float> data(context, COUNT);
    const graphcap::Buffer value = graphcap::Buffer::waitable(context, 8);
    const graphcap::Event event(context), other(context);
    auto calls = std::make_shared<std::atomic<int>>(0);
    std::uint64_t seen = 0;
    Floats result(COUNT);
    const Graph graph(context);

    const auto start = graph.add_empty({});
    const auto fill = graph.add_memset({start}, fill_with(data, 3.0f, COUNT));
    const auto kernel = graph.add_kernel({fill}, negate_kernel, {COUNT}, data);
    const auto host = graph.add_host({kernel}, [calls] { ++*calls; });
    const auto record = graph.add_event_record({host}, event);
    const auto operations = graph.add_batch_mem_op(
        {start}, {GRAPHCAP_MEM_OP_INIT_WRITE64(value.get(), 0, 7, GRAPHCAP_WRITE_VALUE_DEFAULT),
                  GRAPHCAP_MEM_OP_INIT_WAIT64(value.get(), 0, 7, GRAPHCAP_WAIT_VALUE_EQ)});
    const auto wait = graph.add_event_wait({operations}, other);
    const std::vector<Node> last{record, wait};
    const auto out = graph.add_memcpy(last, copy_dtoh(result.data(), data, BYTES));
    graph.add_memcpy(last, copy_dtoh(&seen, value, 8));

    const GraphExec exec = graph.instantiate();
    exec.launch(stream);
    stream.synchronize();
    expect(result == Floats({-3, -3, -3, -3}) && seen == 7 && *calls == 1 && event.is_complete(), "all kinds run");

    const std::array<std::pair<Node, std::uint32_t>, 8> kinds{{{start, GRAPHCAP_NODE_EMPTY},
                                                               {fill, GRAPHCAP_NODE_MEMSET},
                                                               {kernel, GRAPHCAP_NODE_KERNEL},
                                                               {host, GRAPHCAP_NODE_HOST},
                                                               {record, GRAPHCAP_NODE_EVENT_RECORD},
                                                               {operations, GRAPHCAP_NODE_BATCH_MEM_OP},
                                                               {wait, GRAPHCAP_NODE_EVENT_WAIT},
                                                               {out, GRAPHCAP_NODE_MEMCPY}}};
    for (const auto& [node, kind] : kinds) expect(graph.kind(node) == kind, "a node tells its kind");

    const auto memset = graph.memset_params(fill);
    expect(memset.address == data.address() && memset.element_size == 4 && memset.width == COUNT, "a memset is read");
    const auto mem_ops = graph.mem_ops(operations);
    expect(mem_ops.size() == 2 && mem_ops[0].kind == GRAPHCAP_MEM_OP_WRITE_VALUE64 && mem_ops[0].value == 7 &&
               mem_ops[1].address == value.address(),
           "value operations are read");
    const auto called = graph.host_params(host);
    expect(called.is_foreign == 0 && called.function != nullptr && called.user_data != nullptr, "a host function is read");
    expect(graph.event(record).id() == event.id() && graph.event(wait).id() == other.id(), "events are read");

    // The exec alone is changed, of each kind.
    const graphcap::Buffer values = graphcap::Buffer::waitable(context, 8);
    const graphcap::Event third(context);
    auto later_calls = std::make_shared<std::atomic<int>>(0);
    exec.set_memset(fill, fill_with(data, 5.0f, COUNT));
    exec.set_kernel(kernel, negate_kernel, {2}, data);
    exec.set_host(host, [later_calls] { ++*later_calls; });
    exec.set_event_record(record, other);
    exec.set_event_wait(wait, third);
    exec.set_batch_mem_op(operations, {GRAPHCAP_MEM_OP_INIT_WRITE64(value.get(), 0, 9, GRAPHCAP_WRITE_VALUE_DEFAULT),
                                       GRAPHCAP_MEM_OP_INIT_WAIT64(value.get(), 0, 9, GRAPHCAP_WAIT_VALUE_EQ)});
    exec.set_memcpy(out, copy_dtoh(result.data(), data, BYTES));
    exec.launch(stream);
    stream.synchronize();
    expect(result == Floats({-5, -5, 5, 5}) && seen == 9 && *calls == 1 && *later_calls == 1, "an exec is changed");
    const GraphExec untouched = graph.instantiate();
    untouched.launch(stream);
    stream.synchronize();
    expect(result == Floats({-3, -3, -3, -3}) && *calls == 2, "the graph is not");

    // The graph alone is changed.
    graph.set_memset(fill, fill_with(data, 6.0f, COUNT));
    graph.set_kernel(kernel, negate_kernel, {1}, data);
    graph.set_host(host, [later_calls] { *later_calls += 10; });
    graph.set_event_record(record, third);
    graph.set_event_wait(wait, event);
    graph.set_batch_mem_op(operations, {GRAPHCAP_MEM_OP_INIT_WRITE64(value.get(), 0, 4, GRAPHCAP_WRITE_VALUE_DEFAULT)});
    graph.set_memcpy(out, copy_dtoh(result.data(), data, 2 * sizeof(float)));
    graph.instantiate().launch(stream);
    stream.synchronize();
    expect(result == Floats({-6, 6, -3, -3}) && seen == 4 && *later_calls == 11, "a graph is changed");
    expect(graph.event(record).id() == third.id(), "and tells its new event");
}

void memory_of_graphs(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const Graph graph(context);
    const auto [begin, memory] = graph.add_mem_alloc({}, 64);
    const auto set = graph.add_memset({begin}, graphcap::fill_with(memory, std::uint8_t{1}, 64));
    const GraphExec exec = graph.instantiate(GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH);
    exec.launch(stream), exec.launch(stream);
    stream.free_buffer(memory);
    stream.synchronize();
    const Graph other(context);
    const auto end = other.add_mem_free({}, memory);
    expect(graph.buffer(begin).address() == memory.address() && other.buffer(end).address() == memory.address(),
           "nodes know their memory");
    const gc_mem_alloc_node_params allocates = graph.mem_alloc_params(begin);
    expect(allocates.address == memory.address() && allocates.size == 64 &&
               other.mem_free_params(end).address == memory.address(),
           "and tell what they allocate and free");
    expect(graph.kind(set) == GRAPHCAP_NODE_MEMSET && context.graph_memory().reserved_bytes > 0, "graphs have memory");
    expect(context.memory_report().find(" buffers\n") != std::string::npos &&
               context.memory_report(GRAPHCAP_MEMORY_REPORT_JSON).find("\"graphs\": [") != std::string::npos,
           "a context tells what it has");
    context.reset_graph_memory_high();
    context.trim_graph_memory();
}

void children(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const TypedBuffer<float> data(context, COUNT);
    Floats result(COUNT);
    const auto run = [&](const GraphExec& exec) {
        exec.launch(stream);
        stream.synchronize();
        return result;
    };
    const Graph inner(context), graph(context);
    const auto inner_fill = inner.add_memset({}, fill_with(data, 1.0f, COUNT));
    const auto child = graph.add_child({}, inner);
    graph.add_memcpy({child}, copy_dtoh(result.data(), data, BYTES));
    expect(graph.kind(child) == GRAPHCAP_NODE_CHILD && run(graph.instantiate()) == Floats(COUNT, 1.0f), "a child runs");

    inner.set_memset(inner_fill, fill_with(data, 2.0f, COUNT));
    const GraphExec exec = graph.instantiate();
    expect(run(exec) == Floats(COUNT, 1.0f), "a child is a copy");
    exec.set_child(child, inner);
    expect(run(exec) == Floats(COUNT, 2.0f) && run(graph.instantiate()) == Floats(COUNT, 1.0f),
           "another child in the exec alone");
    graph.set_child(child, inner);
    expect(run(graph.instantiate()) == Floats(COUNT, 2.0f), "and in the graph");
    const Graph copy = graph.child(child);
    expect(copy.node_count() == 1 && inner.roots() == std::vector<Node>{inner_fill}, "the graph of a child is there");
    copy.set_memset(copy.as<graphcap::MemsetNode>(copy.roots().front()), fill_with(data, 3.0f, COUNT));
    expect(run(graph.instantiate()) == Floats(COUNT, 3.0f), "and can be edited");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.add_child({}, graph); }), "no graph is its own child");
    graph.remove(child);
    expect(throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { copy.node_count(); }), "it goes with its node");
}

void attributes(const graphcap::Context& context) {
    Diamond d(context);
    const std::vector<gc_launch_attribute> list = {graphcap::launch_attribute(GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -1),
                                                   graphcap::cluster_dimension({2})};
    const graphcap::Shape shape(COUNT);
    // A shape has its attributes: here the list that it is given goes at the end of the line.
    const graphcap::Shape prioritised = shape.with({graphcap::launch_attribute(GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -1)});
    const auto urgent = d.graph.add_kernel({d.top}, d.kernel, prioritised, d.left, d.in, Line{3.0f, 0.0f});
    expect(d.graph.attributes(urgent).size() == 1, "a shape keeps its attributes");
    const auto node = d.graph.add_kernel({d.top}, d.kernel, shape.with(list), d.left, d.in, Line{3.0f, 0.0f});
    expect(d.graph.attributes(node).size() == 2, "set attributes are listed");
    expect(d.graph.attribute(node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY).number == -1, "an attribute is read");
    d.graph.set_attribute(node, graphcap::launch_attribute(GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -2));
    d.graph.copy_attributes(d.first, d.graph, node);
    expect(d.graph.attribute(d.first, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY).number == -2, "attributes are copied");
    const graphcap::Kernel kernel = d.graph.kernel(d.first);
    kernel.set_attribute(GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, 25);
    expect(kernel.attribute(GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT) == 25, "a kernel has attributes");
    expect(kernel.max_active_blocks(64) > 0 && kernel.suggested_block_size().block_size > 0 &&
               kernel.available_shared_mem(1, 64) > 0,
           "blocks fit");
    expect(kernel.max_cluster_size(shape) >= 8 && kernel.max_active_clusters(shape.with(list)) > 0, "clusters fit");
    const gc_edge_data early = {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}};
    try {
        d.graph.add_dependencies_with_data({{d.second, node, early}});
        expect(d.graph.edge_data(d.second, node).from_port == GRAPHCAP_PORT_PROGRAMMATIC, "an edge carries a port");
        expect(d.graph.edges_with_data().size() == d.graph.edge_count(), "edges are listed with what they carry");
        expect(throws(GRAPHCAP_ERROR_LOSSY_QUERY, [&] { d.graph.edges(); }), "edges alone lose it");
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED, "a driver before 12.3 has no such edges");
    }
}

void looking(const graphcap::Context& context) {
    const Diamond d(context);
    const Graph& graph = d.graph;
    expect(graph.nodes() == std::vector<Node>({d.top, d.first, d.second, d.bottom, d.beside}), "nodes are listed");
    expect(graph.order() == graph.nodes() && graph.roots() == std::vector<Node>{d.top}, "order and roots");
    expect(graph.dependencies(d.bottom).size() == 2 && graph.dependencies(d.top).empty() &&
               graph.dependents(d.top) == std::vector<Node>({d.first, d.second}),
           "dependencies and dependents");
    expect(graph.unresolved_pointers().empty(), "the graph keeps what its kernels use");
    const gc_kernel_node_params params = graph.kernel_params(d.first);
    expect(params.grid_dim[0] == COUNT && params.block_dim[0] == 1, "the shape of a kernel node");
    expect(graph.kernel_name(d.first) == "apply" && graph.kernel(d.second).name() == "apply", "the kernel of a node");
    if (params.argument_layout == GRAPHCAP_ARGUMENTS_SEPARATE) {
        const auto line = graph.argument<Line>(d.first, 2);
        expect(params.argument_count == 3 && line.slope == 2.0f && line.offset == 0.0f, "an argument is read");
        const auto found = context.find_buffer(graph.argument<std::uint64_t>(d.second, 0));
        expect(found.buffer && !found.host_buffer && found.offset == 0 && found.buffer.address() == d.right.address(),
               "the buffer of an address is found");
        expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.argument<float>(d.first, 2); }) &&
                   throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.argument(d.first, 3); }) &&
                   graph.argument(d.first, 2).size() == sizeof(Line),
               "an argument has one size");
    }
    const graphcap::HostBuffer pinned(context, 16);
    const auto inside =
        context.find_buffer(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pinned.data())) + 4);
    expect(!inside.buffer && inside.host_buffer.data() == pinned.data() && inside.offset == 4, "so is a host buffer");
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { context.find_buffer(16); }), "no buffer is at a small number");
    const gc_memcpy_node_params copy = graph.memcpy_params(d.top);
    expect(copy.direction == GRAPHCAP_MEMCPY_HOST_TO_DEVICE && copy.size == BYTES && copy.destination == d.in.address(),
           "a copy is read");
    expect(graph.as<graphcap::KernelNode>(Node(d.first)) == d.first &&
               throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.as<graphcap::KernelNode>(d.top); }),
           "a node is taken for what it is");
    const std::unordered_set<Node> set{d.top, d.first, d.top};
    expect(set.size() == 2 && Node() != Node(d.top) && !Node(), "nodes are keys");
    const std::unordered_map<graphcap::KernelNode, int> kernels{{d.first, 1}, {d.second, 2}};
    expect(kernels.at(d.second) == 2, "and so are nodes of a kind");
}

// What the library lists may grow or shrink from one question to the next.
void lists_that_change() {
    std::size_t calls = 0;
    const std::array<std::size_t, 3> sizes{40, 60, 5};
    const std::vector<int> list = graphcap::detail::ask_list<int>([&](int* to, std::size_t capacity, std::size_t* needed) {
        *needed = sizes[calls++];
        std::fill_n(to, std::min(capacity, *needed), static_cast<int>(*needed));
        return *needed > capacity ? GRAPHCAP_ERROR_BUFFER_TOO_SMALL : GRAPHCAP_SUCCESS;
    });
    expect(calls == 3 && list == std::vector<int>(5, 5), "a list is as long as the last answer");
}

void edges_and_removal(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    Diamond d(context);
    d.graph.add_dependencies({{d.first, d.second}, {d.top, d.beside}});
    expect(d.graph.edge_count() == 7, "edges are added");
    d.graph.remove_dependencies({{d.first, d.second}, {d.top, d.beside}});
    expect(d.graph.edge_count() == 5, "and removed");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE,
                  [&] { d.graph.add_dependencies({{d.first, d.second}, {d.top, d.first}}); }) &&
               d.graph.edge_count() == 5,
           "edges are added whole or not at all");
    d.graph.remove(d.second);
    expect(d.graph.node_count() == 4 && d.graph.edge_count() == 3, "a node goes with its edges");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { d.graph.kind(d.second); }), "and is no node any more");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { d.graph.add_empty({d.second}); }), "nothing waits for it");
    d.run(d.graph.instantiate(), stream);
    expect(d.result[0] == 2.0f, "what is left runs");
}

void copies(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    Diamond d(context);
    const Graph clone = d.graph.clone();
    const graphcap::KernelNode found = d.graph.find_in_clone(d.first, clone);
    expect(clone.node_count() == 5 && clone.kernel_name(found) == "apply", "a copy has the same nodes");
    clone.set_kernel(found, d.kernel, {COUNT}, d.left, d.in, Line{3.0f, 0.0f});
    expect(d.run(clone.instantiate(), stream)[1] == 6.0f && d.run(d.graph.instantiate(), stream)[1] == 4.0f,
           "a copy is changed alone");
}

void enabling(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    Diamond d(context);
    const GraphExec exec = d.graph.instantiate();
    d.run(exec, stream);
    exec.set_kernel(d.first, d.kernel, {COUNT}, d.left, d.in, Line{7.0f, 0.0f});
    exec.set_enabled(d.first, false);
    expect(!exec.is_enabled(d.first) && exec.is_enabled(d.second), "a node is disabled");
    expect(d.run(exec, stream)[1] == 4.0f, "a disabled node does nothing");
    exec.set_enabled(d.first, true);
    expect(exec.is_enabled(d.first) && d.run(exec, stream)[1] == 14.0f, "an enabled node does what it was set to");
}

void updates(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    Diamond d(context), other(context), longer(context);
    const GraphExec exec = d.graph.instantiate();
    expect(exec.can_update(other.graph).status == GRAPHCAP_SUCCESS, "a graph of the same nodes updates an exec");
    expect(exec.check_memory().is_noted == 0, "no capture noted memory");
    expect(exec.findings().empty() && exec.findings_text().empty(), "what is not noted gives no findings");
    expect(exec.findings_json().find("\"findings\": []") != std::string::npos, "nor any in JSON");
    expect(exec.update(other.graph).result == GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, "an exec is updated");
    exec.launch(stream);
    stream.synchronize();
    longer.graph.add_empty({});
    expect(exec.can_update(longer.graph).result == GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED, "a longer graph does not");
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    options.flags = GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW;
    const auto is_refused = [](auto&& call) {
        try {
            call();
        } catch (const graphcap::Error& error) {
            return error.status() == GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
        }
        return false;
    };
    expect(is_refused([&] { exec.update(longer.graph); }), "an update is refused");
    expect(is_refused([&] { exec.apply(longer.graph, options); }), "no other exec is made that is not allowed");
    const gc_graph_exec_apply_report report = exec.apply(longer.graph);
    expect(report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW && report.node_count == longer.graph.node_count(),
           "a longer graph is applied anew");
    expect(exec.apply(longer.graph).route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING, "what is done already is not done again");
}

void buffers_are_replaced(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    Diamond d(context);
    const GraphExec exec = d.graph.instantiate();
    const TypedBuffer<float> other(context, COUNT), third(context, COUNT);
    const Floats before = d.run(exec, stream);
    expect(exec.replace_buffer(d.left, other) == 2 && exec.replace_buffer(d.left, other) == 0, "nodes of an exec use another buffer");
    expect(d.run(exec, stream) == before, "the exec does the same with another buffer");
    expect(d.graph.replace_buffer(d.in, third) == 3, "nodes of a graph use another buffer");
    expect(d.run(d.graph.instantiate(), stream) == before, "the graph does the same with another buffer");
}

void retained_objects(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    std::atomic<int> alive{0};
    auto shared = std::make_shared<int>(3);
    GraphExec exec;
    {
        const Graph graph(context);
        graph.add_empty({});
        graph.retain(Counted(alive));
        graph.retain(shared);
        graph.retain(std::make_unique<int>(4));
        expect(alive == 1 && shared.use_count() == 2, "a graph keeps objects");
        exec = graph.instantiate();
    }
    exec.launch(stream);
    stream.synchronize();
    expect(alive == 1 && shared.use_count() == 2, "its exec keeps them");
    exec.reset();
    expect(eventually([&] { return alive == 0 && shared.use_count() == 1; }), "they are destroyed with the last exec");
    const Graph none;
    expect(throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { none.retain(Counted(alive)); }) && alive == 0,
           "an object that cannot be kept is destroyed");
}

// A callable that a node ran goes when nothing can run it any more.
void callables(const graphcap::Context& context) {
    std::atomic<int> alive{0};
    const Graph graph(context);
    const auto host = graph.add_host({}, [kept = std::make_shared<Counted>(alive)] {});
    expect(alive == 1, "a node keeps its callable");
    graph.set_host(host, [kept = std::make_shared<Counted>(alive)] {});
    expect(eventually([&] { return alive == 1; }), "a change lets go of the one before");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE,
                  [&] { graph.add_host({host, host}, [kept = std::make_shared<Counted>(alive)] {}); }) &&
               eventually([&] { return alive == 1; }),
           "a callable of a node that cannot be added is destroyed");
    graph.remove(host);
    expect(eventually([&] { return alive == 0; }), "a removed node lets go of its callable");
}

// A capture goes on in a graph that was built.
void capture_into(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    Diamond d(context);
    try {
        stream.begin_capture_to_graph(d.graph, {d.beside}, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED, "an old driver cannot capture into a graph");
        return;
    }
    stream.memcpy_dtod(d.left, d.right, BYTES);
    const std::vector<Node> frontier = stream.capture_frontier();
    const Graph same = stream.end_capture();
    expect(frontier.size() == 1 && same.node_count() == 6 &&
               d.graph.dependencies(frontier.front()) == std::vector<Node>{d.beside},
           "captured nodes and built ones are in one graph");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        building(context);
        every_kind(context);
        memory_of_graphs(context);
        children(context);
        attributes(context);
        looking(context);
        lists_that_change();
        edges_and_removal(context);
        copies(context);
        enabling(context);
        updates(context);
        buffers_are_replaced(context);
        retained_objects(context);
        callables(context);
        capture_into(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
