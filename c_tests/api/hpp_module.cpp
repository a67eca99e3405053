// Tests the modules of graphcap/kernel.hpp: how they are loaded, their variables, and how host kernels fault.
#include "hpp_check.h"

#include <array>
#include <exception>
#include <stdexcept>
#include <vector>

namespace {

// A variable, on the host device and in an image for a GPU.
std::uint32_t number = 0;
const char ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .global .align 4 .u32 number;\n";

std::int32_t refuse(const gc_host_block&, std::int32_t answer) { return answer; }

void complain(const gc_host_block&) { throw std::runtime_error("a kernel's exception"); }

std::int32_t reject(const gc_host_block&) { return graphcap::host_fail("no memory for the halo"); }

// On the host device, also where there is a GPU: these are ways in which a host kernel faults.
void faults(const char* kernel_name, bool with_answer, gc_status status, const char* reason) {
    const graphcap::Context context(GRAPHCAP_DEVICE_HOST);
    const graphcap::Stream stream(context);
    const graphcap::Module module(
        context, {graphcap::host_kernel<refuse>("refuse"), graphcap::host_kernel<complain>("complain"),
                  graphcap::host_kernel<reject>("reject")});
    const graphcap::Kernel kernel = module.kernel(kernel_name);
    if (with_answer) {
        stream.launch(kernel, {1}, std::int32_t{0});
        stream.synchronize();
        stream.launch(kernel, {1}, std::int32_t{5});
    } else {
        stream.launch(kernel, {1});
    }
    expect(throws(status, [&] { stream.synchronize(); }), kernel_name);
    expect(thrown([&] { stream.synchronize(); }).find(reason) != std::string::npos, reason);
}

// Host functions fail by exceptions: on the host device the context faults, on a CUDA device the next wait tells.
void functions_that_throw() {
    const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
    const graphcap::Stream stream(context);
    unsigned calls = 0;
    stream.launch_host_func([] { throw std::runtime_error("a function's exception"); });
    stream.launch_host_func([&] { calls++; });
    const std::string told = thrown([&] { stream.synchronize(); });
    expect(told.find("GRAPHCAP_ERROR_CALLBACK") == 0 && told.find("a function's exception") != std::string::npos,
           "the text of the exception is told");
    if (context.device_kind() == GRAPHCAP_DEVICE_HOST) {
        context.reset_context();
        const graphcap::Stream another(context);
        another.launch_host_func([] { throw 7; });
        expect(thrown([&] { another.synchronize(); }).find("no std::exception") != std::string::npos,
               "other exceptions have no text");
    } else {
        stream.synchronize();
        expect(calls == 1, "the work behind it runs");
    }
}

void kernels_from_a_vector(const graphcap::Context& context) {
    if (skipped_on_cuda(context, "kernels_from_a_vector", "a GPU needs an image")) return;
    const std::vector<gc_host_kernel> kernels{graphcap::host_kernel<apply>("apply"), graphcap::host_kernel<negate>("negate")};
    const graphcap::Module module(context, kernels);
    expect(module.kernel("negate").name() == "negate", "a module loads kernels from a vector");
    const graphcap::Buffer buffer(context, 64);
    module.kernel("negate").set_buffer_access(buffer, GRAPHCAP_ACCESS_READ);
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { module.kernel("negate").set_buffer_access(buffer, 9); }), "access");
    module.kernel("negate").set_concurrency(GRAPHCAP_CONCURRENCY_ALONE);
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { module.kernel("negate").set_concurrency(7); }), "concurrency");
}

// Vectors, arrays and lists go with an image, and with variables.
void modules_of_containers(const graphcap::Context& context) {
    const std::vector<gc_host_kernel> kernels{graphcap::host_kernel<apply>("apply"), graphcap::host_kernel<negate>("negate")};
    const std::array<gc_host_global, 1> globals{graphcap::host_global("number", number)};
    expect(graphcap::Module(context, hpp_ptx, sizeof hpp_ptx, kernels).kernel("apply").name() == "apply",
           "a vector of kernels goes with an image");
    expect(graphcap::Module(context, ptx, sizeof ptx, {}, globals).global("number").size() == sizeof number,
           "an array of variables goes with an image");
    if (skipped_on_cuda(context, "modules_of_containers", "a GPU needs an image")) return;
    const graphcap::Module module(context, kernels, globals);
    expect(module.kernel("negate").name() == "negate" && module.global("number").size() == sizeof number,
           "kernels go with variables");
    const graphcap::Module listed(context, {graphcap::host_kernel<apply>("apply")}, {graphcap::host_global("number", number)});
    expect(listed.global("number").size() == sizeof number, "and lists of both");
}

void globals(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    graphcap::Buffer buffer;
    {
        const graphcap::Module module(context, ptx, sizeof ptx, {}, {graphcap::host_global("number", number)});
        buffer = module.global("number");
        expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { (void)module.global("nix"); }), "a variable that is not there is not found");
    }
    stream.fill(buffer, std::uint32_t{5}, 1);
    std::uint32_t read = 0;
    stream.memcpy_dtoh(&read, buffer, sizeof read);
    stream.synchronize();
    expect(buffer.size() == sizeof number && read == 5, "a module's variable is a buffer");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        kernels_from_a_vector(context);
        modules_of_containers(context);
        globals(context);
        faults("complain", false, GRAPHCAP_ERROR_CALLBACK, "a kernel's exception");
        faults("refuse", true, GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "returned 5");
        faults("reject", false, GRAPHCAP_ERROR_CALLBACK, "no memory for the halo");
        functions_that_throw();
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
