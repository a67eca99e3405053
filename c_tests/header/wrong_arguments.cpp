// Arguments of typed kernels that must not compile, and ones that must. header_matrix.py compiles this file: the lines with
// errors must be exactly those that end with "// wrong".
#include <graphcap.hpp>

struct Line {
    float slope, offset;
};

void launches(const graphcap::Stream& stream, const graphcap::Capture& capture, const graphcap::Graph& graph,
              const graphcap::GraphExec& exec, const graphcap::Node any, const graphcap::KernelNode node,
              const graphcap::TypedKernel<void(float*, float)>& scale,
              const graphcap::TypedKernel<void(const float*, void*, Line)>& apply,
              const graphcap::TypedBuffer<float>& floats, const graphcap::TypedBuffer<int>& ints,
              const graphcap::Buffer& bytes, float* on_the_cpu) {
    stream.launch(scale, {4}, floats, 2.0f);
    stream.launch(scale, {4}, floats.at(1), 2.0f);
    stream.launch(scale, {4}, graphcap::at<float>(bytes, 16), 2.0f);
    stream.launch(scale, {4}, graphcap::device_address<float>(4096), 2.0f);
    stream.launch(scale, {4}, floats, 2); // wrong
    stream.launch(scale, {4}, floats, 2.0); // wrong
    stream.launch(scale, {4}, 2.0, 2.0f); // wrong
    stream.launch(scale, {4}, on_the_cpu, 2.0f); // wrong
    stream.launch(scale, {4}, floats.address(), 2.0f); // wrong
    stream.launch(scale, {4}, graphcap::device_address<double>(4096), 2.0f); // wrong
    stream.launch(scale, {4}, ints, 2.0f); // wrong
    stream.launch(scale, {4}, bytes, 2.0f); // wrong
    stream.launch(scale, {4}, floats); // wrong
    stream.launch(scale, {4}, floats, 2.0f, 2.0f); // wrong

    stream.launch(apply, {4}, floats, bytes, Line{1, 2});
    stream.launch(apply, {4}, graphcap::at<const float>(bytes), ints, Line{1, 2});
    stream.launch(apply, {4}, floats, bytes, 1.0f); // wrong
    stream.launch(scale, {4}, graphcap::at<const float>(bytes), 2.0f); // wrong

    capture.record_kernel(scale, {4}, floats, 2.0f);
    capture.record_kernel(scale, {4}, floats, 2); // wrong

    graph.add_kernel({}, scale, {4}, floats, 2.0f);
    graph.add_kernel({any, node}, scale, {4}, floats, 2.0f);
    graph.add_kernel({}, scale, {4}, floats, 2); // wrong
    graph.add_kernel({1, 2}, scale, {4}, floats, 2.0f); // wrong
    graph.set_kernel(node, scale, {4}, floats, 2.0f);
    graph.set_kernel(node, scale, {4}, ints, 2.0f); // wrong
    graph.set_kernel(any, scale, {4}, floats, 2.0f); // wrong
    graph.set_memcpy(node, graphcap::copy_dtod(floats, ints, 16)); // wrong

    exec.set_kernel(node, scale, {4}, floats, 2.0f);
    exec.set_kernel(node, scale, {4}, 2.0, 2.0f); // wrong
    exec.set_kernel(any, scale, {4}, floats, 2.0f); // wrong
}

void names(const graphcap::Context& context, const graphcap::Module& module, const graphcap::Kernel& kernel,
           const graphcap::Graph& graph, const graphcap::GraphExec& exec, const graphcap::TypedBuffer<float>& floats) {
    graphcap::set_name(graph, "named");
    graphcap::set_name(floats, graphcap::name_of(kernel));
    graphcap::set_name(context, "named"); // wrong
    graphcap::set_name(module, "named"); // wrong
    graphcap::set_name(kernel, "named"); // wrong
    graphcap::set_name(exec, "named"); // wrong
    graphcap::name_of(module); // wrong
}

void texts(const graphcap::Context& context, const graphcap::Buffer& buffer) {
    graphcap::Binding binding = graphcap::bind("words", buffer);
    graphcap::Graph::import_json(context, "", binding); // wrong
    graphcap::Graph::import_json(context, "", {graphcap::Binding(binding)}); // wrong
    graphcap::Graph::import_json(context, "", std::move(binding), graphcap::bind("more", buffer));
}

void conditions(const graphcap::Stream& stream, const graphcap::Condition condition,
                const graphcap::TypedKernel<void(unsigned long long)>& judge,
                const graphcap::TypedKernel<void(unsigned)>& count) {
    stream.launch(judge, {1}, condition);
    stream.launch(count, {1}, condition); // wrong
}
