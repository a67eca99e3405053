// A feed-forward block of a transformer and what draws the next token, as ../c/transformer_block.c has it: a script describes the
// block, an actor records and replays it.
// Usage: transformer_block_cpp, which writes transformer_block_cpp.dot, and .svg where graphviz is installed
#include "../c/transformer_block.h"
#include "transformer_block_ptx.h"

#include <graphcap.hpp>

#include <cstdio>
#include <vector>

// ---- The kernels for the host device. Those for a GPU are in ../c/transformer_block.cu.

static void bias_gelu(const gc_host_block& block, float* hidden, const float* bias, std::uint32_t rows, std::uint32_t count) {
    const std::uint32_t first = block.block_index[0] * THREADS, end = first + THREADS < count ? first + THREADS : count;
    for (std::uint32_t i = first; i < end; i++) hidden[i] = gelu(hidden[i] + bias[i % rows]);
}

static void sample(const gc_host_block& block, const float* logits, const float* uniform, std::uint32_t* choice,
                   std::uint32_t choices) {
    const std::uint32_t token = block.block_index[0];
    choice[token] = drawn(logits + token * choices, uniform[token], choices);
}

// ---- The block

class Block {
public:
    explicit Block(const graphcap::Context& context)
        : module_(context, transformer_block_ptx, sizeof transformer_block_ptx,
                  {graphcap::host_kernel<bias_gelu>("bias_gelu"), graphcap::host_kernel<sample>("sample")}),
          stream_(context),
          rng_(stream_, 17),
          memory_(context, sizeof given),
          results_(context, sizeof(block_results)) {
        make_up();
        stream_.memcpy_htod(memory_, &given, sizeof given);
        stream_.synchronize();
    }

    // Each replay of the script draws new tokens, and copies what it calculated to results().
    graphcap::Script script(const graphcap::Context& context) const {
        const std::size_t results = offsetof(block_memory, results), hidden = offsetof(block_memory, hidden);
        const std::size_t logits = results + offsetof(block_results, logits), uniform = results + offsetof(block_results, uniform);
        const graphcap::Shape by_element{(HIDDEN * TOKENS + THREADS - 1) / THREADS, THREADS}, by_token{TOKENS, THREADS};
        graphcap::Script script(context);
        push_product(script, HIDDEN, WIDTH, offsetof(block_memory, w1), offsetof(block_memory, x), hidden);
        script.push_kernel(module_.kernel("bias_gelu"), by_element, graphcap::at(memory_, hidden),
                           graphcap::at(memory_, offsetof(block_memory, bias)), std::uint32_t{HIDDEN},
                           std::uint32_t{HIDDEN * TOKENS});
        push_product(script, CHOICES, HIDDEN, offsetof(block_memory, w2), hidden, logits);
        script.push_uniform(rng_.uniform(memory_, TOKENS, uniform));
        script.push_kernel(module_.kernel("sample"), by_token, graphcap::at(memory_, logits), graphcap::at(memory_, uniform),
                           graphcap::at(memory_, results + offsetof(block_results, choice)), std::uint32_t{CHOICES});
        script.push_copy(graphcap::copy_dtoh(results_, memory_, sizeof(block_results), 0, results));
        return script;
    }

    const block_results& results() const { return *static_cast<const block_results*>(results_.data()); }
    std::uint64_t drawn_numbers() const { return rng_.offset(stream_); }

private:
    // C = A B, with `m` rows, and a column for each token; the operands by their places in the memory.
    void push_product(const graphcap::Script& script, int m, int k, std::size_t a, std::size_t b, std::size_t c) const {
        gc_sgemm_params product = GRAPHCAP_SGEMM_PARAMS_INIT;
        product.m = static_cast<std::uint64_t>(m);
        product.n = TOKENS;
        product.k = static_cast<std::uint64_t>(k);
        product.a = product.b = product.c = memory_.get();
        product.a_offset = a;
        product.b_offset = b;
        product.c_offset = c;
        product.alpha = 1;
        script.push_sgemm(product);
    }

    graphcap::Module module_;
    graphcap::Stream stream_;
    graphcap::Rng rng_;
    graphcap::Buffer memory_;
    graphcap::HostBuffer results_;
};

int main() {
    constexpr int LAUNCHES = 1000, IN_FLIGHT = 50;
    int wrong = 0;
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        const Block block(context);
        const graphcap::Actor actor(context);
        const graphcap::GraphExec exec = [&] {
            const graphcap::Future recorded = actor.record(block.script(context));
            recorded.wait();
            return recorded.take_exec(); // keeps what it needs
        }();
        const graphcap::Future pictured = actor.export_dot(exec);
        pictured.wait();
        write_graph("transformer_block_cpp", pictured.text().c_str());

        for (int done = 0; done < LAUNCHES;) {
            std::vector<graphcap::Future> flying;
            for (int i = 0; i < IN_FLIGHT; i++) flying.push_back(actor.launch(exec));
            for (const graphcap::Future& launched : flying) launched.wait();
            done += IN_FLIGHT;
            wrong += wrong_results(&block.results());
            show_progress(done, LAUNCHES, wrong);
        }
        actor.close();
        std::printf("%llu random numbers were drawn\n", static_cast<unsigned long long>(block.drawn_numbers()));
        wrong += block.drawn_numbers() != std::uint64_t{LAUNCHES} * TOKENS;
    } catch (const graphcap::Error& error) {
        std::fprintf(stderr, "transformer_block_cpp: %s\n", error.what());
        return error.status() == GRAPHCAP_ERROR_LIBRARY ? 77 : 1; // 77: there is no cuBLAS here
    } catch (const std::exception& error) {
        std::fprintf(stderr, "transformer_block_cpp: %s\n", error.what());
        return 1;
    }
    return wrong == 0 ? 0 : 1;
}
