// Tests graphcap/typed_kernel.hpp: which arguments a typed kernel takes, and what arrives in the kernel. That a wrong
// argument does not compile is asserted here at compile time, and shown with real sources by header/header_matrix.py.
#include "hpp_check.h"

#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using graphcap::at;
using graphcap::TypedBuffer;
using graphcap::TypedKernel;

enum class Colour : std::uint32_t { red };

using Scale = void(float* data, float factor);
using Everything = void(const float* in, void* out, double wide, std::int64_t count, Line line, Colour colour, bool on);

// Whether `stream.launch(kernel, shape, arguments...)` compiles.
template <class Signature, class... Arguments>
constexpr auto launches(int)
    -> decltype(std::declval<const graphcap::Stream&>().launch(std::declval<const TypedKernel<Signature>&>(),
                                                               graphcap::Shape{}, std::declval<Arguments>()...),
                true) {
    return true;
}
template <class Signature, class... Arguments>
constexpr bool launches(long) {
    return false;
}
template <class Signature, class... Arguments>
constexpr bool takes = launches<Signature, Arguments...>(0);

using FloatPlace = graphcap::Place<float>;

static_assert(takes<Scale, TypedBuffer<float>, float> && takes<Scale, FloatPlace, float> &&
                  takes<Scale, graphcap::DeviceAddress<float>, float> && takes<Scale, std::nullptr_t, float>,
              "a pointer takes a buffer of its elements, a place in one, an explicit address, and null");
static_assert(!takes<Scale, TypedBuffer<float>> && !takes<Scale, TypedBuffer<float>, float, float> && !takes<Scale>,
              "the number of arguments is that of the signature");
static_assert(!takes<Scale, TypedBuffer<float>, int> && !takes<Scale, TypedBuffer<float>, double> &&
                  !takes<Scale, TypedBuffer<float>, bool> && !takes<Scale, TypedBuffer<float>, Line> &&
                  !takes<Scale, TypedBuffer<float>, TypedBuffer<float>> && !takes<Scale, TypedBuffer<float>, Colour>,
              "a float takes no int, no double, no structure, no buffer");
static_assert(!takes<Scale, double, float> && !takes<Scale, std::uint64_t, float> && !takes<Scale, int, float> &&
                  !takes<Scale, float*, float> && !takes<Scale, const void*, float>,
              "a pointer takes no number and no pointer of the CPU");
static_assert(!takes<Scale, TypedBuffer<int>, float> && !takes<Scale, graphcap::Place<double>, float> &&
                  !takes<Scale, graphcap::DeviceAddress<std::uint32_t>, float>,
              "a pointer takes no other elements");
static_assert(!takes<Scale, graphcap::Buffer, float> && !takes<Scale, graphcap::BufferArgument, float>,
              "a pointer to elements takes no memory without a type");
static_assert(!takes<Scale, graphcap::Place<const float>, float> && takes<void(const float*), graphcap::Place<const float>> &&
                  takes<void(const float*), TypedBuffer<float>>,
              "a pointer to what is written takes nothing const");
static_assert(takes<Everything, FloatPlace, graphcap::Buffer, double, std::int64_t, Line, Colour, bool> &&
                  takes<Everything, FloatPlace, graphcap::BufferArgument, float, int, Line, Colour, bool> &&
                  takes<Everything, FloatPlace, TypedBuffer<Line>, float, std::uint32_t, Line, Colour, bool>,
              "void takes any memory; a number takes what always fits");
static_assert(!takes<Everything, FloatPlace, graphcap::Buffer, double, std::uint64_t, Line, Colour, bool> &&
                  !takes<Everything, FloatPlace, graphcap::Buffer, double, double, Line, Colour, bool> &&
                  !takes<Everything, FloatPlace, graphcap::Buffer, int, int, Line, Colour, bool> &&
                  !takes<Everything, FloatPlace, graphcap::Buffer, double, int, float, Colour, bool> &&
                  !takes<Everything, FloatPlace, graphcap::Buffer, double, int, Line, std::uint32_t, bool> &&
                  !takes<Everything, FloatPlace, graphcap::Buffer, double, int, Line, Colour, int>,
              "a number takes none that might not fit; structures, enumerations and truth values only their own");
static_assert(takes<void(unsigned long long), graphcap::Condition> && takes<void(std::uint64_t), graphcap::Condition> &&
                  takes<void(graphcap::Condition), graphcap::Condition>,
              "a number of 64 bits takes a condition");
static_assert(!takes<void(std::uint32_t), graphcap::Condition> && !takes<void(std::int64_t), graphcap::Condition> &&
                  !takes<void(double), graphcap::Condition> && !takes<void(float*), graphcap::Condition> &&
                  !takes<void(graphcap::Condition), std::uint64_t>,
              "nothing else does, and a condition is no number");
static_assert(takes<void()> && !takes<void(), int>, "a kernel without parameters takes nothing");

void arguments_arrive(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Module module = load(context);
    const auto apply_kernel = module.kernel<apply>("apply");
    const auto negate_kernel = module.kernel<void(float*)>("negate");
    static_assert(std::is_same_v<decltype(apply_kernel), const TypedKernel<void(float*, const float*, Line)>>,
                  "the signature is that of the function");
    const TypedBuffer<float> in(context, 4), out(context, 8);
    std::vector<float> result(8);
    stream.fill(in, 3.0f, 4);
    stream.fill(out, 9.0f, 8);
    stream.launch(apply_kernel, {4}, out.at(2), in, Line{2.0f, 1.0f});
    stream.launch(negate_kernel, {2}, at<float>(out, 3 * sizeof(float)));
    stream.launch(negate_kernel, {1}, graphcap::device_address<float>(out.address() + 7 * sizeof(float)));
    stream.memcpy_dtoh(result.data(), out, 8 * sizeof(float));
    stream.synchronize();
    expect(result == std::vector<float>({9, 9, 7, -7, -7, 7, 9, -9}), "buffers, places and addresses arrive");

    // A launch without types takes typed buffers and places as well.
    stream.launch(apply_kernel.untyped(), {1}, out, in.at(1), Line{0.0f, 5.0f});
    stream.memcpy_dtoh(result.data(), out, sizeof(float));
    stream.synchronize();
    expect(result[0] == 5.0f, "a typed buffer is a buffer");

    graphcap::Capture capture(stream);
    capture.record_kernel(apply_kernel, {4}, out, in, Line{1.0f, 1.0f});
    capture.end().instantiate().launch(stream);
    stream.memcpy_dtoh(result.data(), out, sizeof(float));
    stream.synchronize();
    expect(result[0] == 4.0f, "a typed kernel is recorded");
}

void signatures_are_checked(const graphcap::Context& context) {
    const graphcap::Module module = load(context);
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { module.kernel<void()>("absent"); }), "a typed kernel is looked for");
    if (context.device_kind() == GRAPHCAP_DEVICE_CUDA) {
        try {
            module.kernel("negate").parameter_count();
        } catch (const graphcap::Error&) {
            skipped_on_cuda(context, "signatures_are_checked", "the driver does not tell parameters");
            return;
        }
    }
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { module.kernel<void(float*, float)>("negate"); }) &&
               throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { module.kernel<void()>("negate"); }),
           "a signature with more or fewer parameters is refused");
    std::string why;
    try {
        module.kernel<void(float*, const float*, float)>("apply");
    } catch (const graphcap::Error& error) {
        why = error.what();
    }
    expect(why.find("\"apply\" takes 8 bytes as parameter 2, its signature has 4") != std::string::npos,
           "a signature with another size is refused with both sizes");
    const TypedKernel<void(float*)> empty;
    const graphcap::Stream stream(context);
    expect(!empty && throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { stream.launch(empty, {1}, nullptr); }),
           "an empty typed kernel throws");
}

void typed_buffers(const graphcap::Context& context) {
    const TypedBuffer<Line> lines(context, 3);
    expect(lines.count() == 3 && lines.size() == 3 * sizeof(Line), "a typed buffer counts elements");
    const TypedBuffer<float> adopted(graphcap::Buffer::managed(context, 10));
    expect(adopted.count() == 2, "a buffer can be given a type");
    bool refused = false;
    try {
        const TypedBuffer<Line> huge(context, ~std::size_t{0} / 4);
    } catch (const graphcap::Error&) {
        refused = true;
    }
    expect(refused, "more elements than there are addresses are refused");
}

// What a pointer to const tells about the use of the buffer.
void access_follows_const(const graphcap::Context& context) {
    const TypedBuffer<float> buffer(context, 4);
    const auto access = [](const auto& argument) { return argument.get().access; };
    expect(access(graphcap::KernelArgument<const float*>(buffer)) == GRAPHCAP_ACCESS_READ &&
               access(graphcap::KernelArgument<float*>(buffer)) == GRAPHCAP_ACCESS_DEFAULT &&
               access(graphcap::KernelArgument<float*>(buffer.at(1, GRAPHCAP_ACCESS_WRITE))) == GRAPHCAP_ACCESS_WRITE,
           "a pointer to const reads, unless the program says what else");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        arguments_arrive(context);
        signatures_are_checked(context);
        typed_buffers(context);
        access_follows_const(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
