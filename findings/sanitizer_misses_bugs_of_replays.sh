#!/usr/bin/env bash
# compute-sanitizer: of 22 bugs in graphs that are replayed it names 5. Memcheck names reads and writes of memory that the driver does not
# have as allocated, initcheck reads of new memory that nothing wrote. Nothing names a block within an allocation that another tensor has,
# work that nothing orders, or work that a capture missed; racecheck looks at shared memory alone. One expects memcheck to see a replay
# that reads a tensor which the allocator gave to somebody else.
#
# Seen with compute-sanitizer 2025.3.1 and driver 580.159 on an H200. The bugs are those of c_tests/graph/seeded_bugs.c;
# docs/architecture/seeded-bugs.md has what graphcap says of each.
#
# Needs a GPU, nvcc and compute-sanitizer; without them it is skipped. No package is installed. Takes some minutes.
set -euo pipefail
export PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
for tool in nvcc compute-sanitizer; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 0; }
done
[[ -e /dev/nvidiactl ]] || { echo "skipped: no GPU"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/bugs.cu" <<'CU'
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 256, BYTES = COUNT * 4, SEGMENT = 2 << 20, ONE_BITS = 0x3f800000 };

static void check_at(cudaError_t status, const char *call, int line) {
    if (status == cudaSuccess)
        return;
    printf("line %d: %s: %s\n", line, call, cudaGetErrorString(status));
    exit(3);
}

#define OK(call) check_at(call, #call, __LINE__)

/* CUDA 13 takes the data of edges too. */
#if CUDART_VERSION >= 13000
#define NO_EDGE_DATA NULL,
#else
#define NO_EDGE_DATA
#endif

struct holder {
    uint64_t before[8];
    const uint32_t *data;
};

__global__ void fill(uint32_t *to, uint32_t value, unsigned count) {
    if (threadIdx.x < count)
        to[threadIdx.x] = value;
}

__global__ void add(uint32_t *to, uint32_t value) {
    to[threadIdx.x] += value;
}

__global__ void copy(uint32_t *to, const uint32_t *from) {
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void copy_held(uint32_t *to, struct holder from) {
    to[threadIdx.x] = from.data[threadIdx.x];
}

/* Writes its number into the workspace, waits, and takes the numbers out again. */
__global__ void through_workspace(uint32_t *to, uint32_t *workspace, uint32_t number) {
    const long long start = clock64();
    workspace[threadIdx.x] = number;
    while (clock64() - start < 100000) {
    }
    to[threadIdx.x] = *(volatile uint32_t *)&workspace[threadIdx.x];
}

/* A NaN of what is below 0. */
__global__ void logarithm(float *to, const float *from) {
    to[threadIdx.x] = logf(from[threadIdx.x]);
}

static cudaStream_t stream;

static uint32_t *allocate(uint32_t value) {
    uint32_t *memory;
    OK(cudaMalloc(&memory, BYTES));
    fill<<<1, COUNT>>>(memory, value, COUNT);
    OK(cudaDeviceSynchronize());
    return memory;
}

static void begin(void) {
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
}

static cudaGraph_t end(void) {
    cudaGraph_t graph;
    OK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

static cudaGraphExec_t instantiate(cudaGraph_t graph) {
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    return exec;
}

static void launch(cudaGraphExec_t exec) {
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
}

static void replay(cudaGraph_t graph) {
    launch(instantiate(graph));
}

/* The first word of memory, and how many words of it are another. */
static void tell(const uint32_t *memory, uint32_t wanted) {
    static uint32_t words[COUNT];
    unsigned i, wrong = 0;
    OK(cudaMemcpy(words, memory, BYTES, cudaMemcpyDeviceToHost));
    for (i = 0; i < COUNT; i++)
        wrong += words[i] != wanted;
    printf("wanted %u, got %u first; %u of %u words are wrong\n", wanted, words[0], wrong, COUNT);
}

static void freed_input(void) {
    uint32_t *input = allocate(7), *output = allocate(0);
    cudaGraph_t graph;
    begin();
    copy<<<1, COUNT, 0, stream>>>(output, input);
    graph = end();
    OK(cudaFree(input));
    replay(graph);
    tell(output, 7);
}

static void pointer_inside_a_struct(void) {
    uint32_t *input = allocate(7), *output = allocate(0);
    struct holder holder;
    cudaGraph_t graph;
    memset(&holder, 0, sizeof holder);
    holder.data = input;
    begin();
    copy_held<<<1, COUNT, 0, stream>>>(output, holder);
    graph = end();
    OK(cudaFree(input));
    replay(graph);
    tell(output, 7);
}

/* As a caching allocator has it: two blocks of one allocation. */
static uint32_t *open_segment(void) {
    uint32_t *segment;
    OK(cudaMalloc(&segment, SEGMENT));
    OK(cudaMemset(segment, 0, SEGMENT));
    return segment;
}

static void moved_tensor(void) {
    uint32_t *segment = open_segment(), *tensor = segment, *moved = segment + COUNT, *output = allocate(0);
    cudaGraph_t graph;
    begin();
    copy<<<1, COUNT, 0, stream>>>(output, tensor);
    graph = end();
    fill<<<1, COUNT, 0, stream>>>(moved, 7, COUNT);
    replay(graph);
    tell(output, 7);
}

static void block_of_another_tensor(void) {
    uint32_t *segment = open_segment(), *output = allocate(0);
    cudaGraph_t graph;
    fill<<<1, COUNT, 0, stream>>>(segment, 7, COUNT);
    begin();
    copy<<<1, COUNT, 0, stream>>>(output, segment);
    graph = end();
    /* Another tensor now. */
    fill<<<1, COUNT, 0, stream>>>(segment, 9, COUNT);
    replay(graph);
    tell(output, 7);
}

static void shared_workspace(void) {
    uint32_t *first = allocate(0), *second = allocate(0), *workspace = allocate(0);
    cudaStream_t other;
    cudaEvent_t fork, join;
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    begin();
    OK(cudaEventRecord(fork, stream));
    OK(cudaStreamWaitEvent(other, fork, 0));
    through_workspace<<<1, COUNT, 0, stream>>>(first, workspace, 1);
    through_workspace<<<1, COUNT, 0, other>>>(second, workspace, 2);
    OK(cudaEventRecord(join, other));
    OK(cudaStreamWaitEvent(stream, join, 0));
    replay(end());
    tell(first, 1);
    tell(second, 2);
}

static void wrong_stream(void) {
    uint32_t *output = allocate(0);
    cudaStream_t other;
    cudaGraph_t graph;
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    begin();
    fill<<<1, COUNT, 0, stream>>>(output, 1, COUNT);
    add<<<1, COUNT, 0, other>>>(output, 2);
    graph = end();
    OK(cudaStreamSynchronize(other));
    replay(graph);
    tell(output, 3);
}

static void stale_scalar(void) {
    uint32_t *output = allocate(0), value = 1;
    cudaGraph_t graph;
    begin();
    fill<<<1, COUNT, 0, stream>>>(output, value, COUNT);
    graph = end();
    value = 2;
    replay(graph);
    tell(output, value);
}

/* The exec keeps the priority that it was made with; nothing is computed wrong. */
static void lost_attribute(void) {
    uint32_t *output = allocate(0);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo info;
    cudaGraphNode_t node;
    cudaLaunchAttributeValue value;
    size_t count = 1;
    begin();
    fill<<<1, COUNT, 0, stream>>>(output, 1, COUNT);
    graph = end();
    exec = instantiate(graph);
    OK(cudaGraphGetNodes(graph, &node, &count));
    memset(&value, 0, sizeof value);
    value.priority = -1;
    OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
    printf("update: %d\n", (int)cudaGraphExecUpdate(exec, graph, &info));
    launch(exec);
    tell(output, 1);
}

/* A graph leaves its allocation to another graph, which reads it after it was freed and its memory went to a third one. */
static void pool_across_graphs(void) {
    uint32_t *output = allocate(0), *block, *again;
    cudaGraph_t first, second, third;
    cudaGraphExec_t execs[3];
    begin();
    OK(cudaMallocAsync(&block, SEGMENT, stream));
    fill<<<1, COUNT, 0, stream>>>(block, 7, COUNT);
    first = end();
    begin();
    copy<<<1, COUNT, 0, stream>>>(output, block);
    second = end();
    begin();
    OK(cudaMallocAsync(&again, SEGMENT, stream));
    fill<<<1, COUNT, 0, stream>>>(again, 9, COUNT);
    OK(cudaFreeAsync(again, stream));
    third = end();
    execs[0] = instantiate(first);
    execs[1] = instantiate(second);
    execs[2] = instantiate(third);
    launch(execs[0]);
    launch(execs[1]);
    tell(output, 7);
    OK(cudaFreeAsync(block, stream));
    OK(cudaStreamSynchronize(stream));
    launch(execs[2]);
    launch(execs[1]);
    tell(output, 7);
}

static void overrun_of_an_allocation(void) {
    uint32_t *buffer = allocate(0);
    begin();
    fill<<<1, COUNT, 0, stream>>>(buffer + COUNT / 2, 1, COUNT);
    replay(end());
    tell(buffer, 0);
}

static void overrun_into_a_neighbour(void) {
    uint32_t *segment = open_segment();
    begin();
    fill<<<1, COUNT, 0, stream>>>(segment + COUNT / 2, 1, COUNT);
    replay(end());
    tell(segment + COUNT, 0);
}

static void uninitialised_read(void) {
    uint32_t *scratch, *output = allocate(0);
    OK(cudaMalloc(&scratch, BYTES));
    begin();
    fill<<<1, COUNT, 0, stream>>>(scratch, 7, COUNT / 2);
    copy<<<1, COUNT, 0, stream>>>(output, scratch);
    replay(end());
    tell(output, 7);
}

/* Of a block that somebody wrote before: the allocation is not new. */
static void uninitialised_read_of_a_block(void) {
    uint32_t *segment = open_segment(), *output = allocate(0);
    begin();
    fill<<<1, COUNT, 0, stream>>>(segment, 7, COUNT / 2);
    copy<<<1, COUNT, 0, stream>>>(output, segment);
    replay(end());
    tell(output, 7);
}

static void nan_of_one_kernel(void) {
    uint32_t *values = allocate(0xbf800000 /* -1 */), *output = allocate(0);
    begin();
    logarithm<<<1, COUNT, 0, stream>>>((float *)output, (const float *)values);
    replay(end());
    tell(output, ONE_BITS);
}

static void order_lost_by_an_edit(void) {
    uint32_t *output = allocate(0), *workspace = allocate(0);
    cudaGraph_t graph;
    cudaGraphNode_t from, to;
    size_t count = 1;
    begin();
    through_workspace<<<1, COUNT, 0, stream>>>(workspace, output, 1);
    add<<<1, COUNT, 0, stream>>>(output, 1);
    graph = end();
    OK(cudaGraphGetEdges(graph, &from, &to, NO_EDGE_DATA &count));
    OK(cudaGraphRemoveDependencies(graph, &from, &to, NO_EDGE_DATA 1));
    replay(graph);
    tell(output, 2);
}

static void condition_without_a_value(void) {
    uint32_t *output = allocate(0);
    cudaGraph_t graph, body;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault));
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    OK(cudaGraphAddNode(&node, graph, NULL, NO_EDGE_DATA 0, &params));
    body = params.conditional.phGraph_out[0];
    OK(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    fill<<<1, COUNT, 0, stream>>>(output, 1, COUNT);
    OK(cudaStreamEndCapture(stream, &body));
    replay(graph);
    tell(output, 1);
}

static void freed_host_memory(void) {
    uint32_t *output = allocate(0), *host = (uint32_t *)malloc(BYTES), *other;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    unsigned i;
    for (i = 0; i < COUNT; i++)
        host[i] = 7;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, output, host, BYTES, cudaMemcpyHostToDevice));
    free(host);
    other = (uint32_t *)malloc(BYTES);
    memset(other, 9, BYTES);
    replay(graph);
    tell(output, 7);
    free(other);
}

/* Two branches record one event. */
static void reused_event(void) {
    cudaGraph_t graph;
    cudaGraphNode_t nodes[2];
    cudaEvent_t event;
    OK(cudaEventCreate(&event));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddEventRecordNode(&nodes[0], graph, NULL, 0, event));
    OK(cudaGraphAddEventRecordNode(&nodes[1], graph, NULL, 0, event));
    replay(graph);
    printf("replayed\n");
}

static void wrong_shape(void) {
    uint32_t *output = allocate(0);
    begin();
    fill<<<1, COUNT, 0, stream>>>(output, 1, COUNT / 2);
    replay(end());
    tell(output, 1);
}

static cudaGraph_t record_fill(uint32_t *output, uint32_t value) {
    begin();
    fill<<<1, COUNT, 0, stream>>>(output, value, COUNT);
    return end();
}

static void child_not_updated(void) {
    uint32_t *output = allocate(0);
    cudaGraph_t part = record_fill(output, 1), graph;
    cudaGraphNode_t node, child;
    cudaKernelNodeParams params;
    uint32_t value = 2;
    size_t count = 1;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddChildGraphNode(&child, graph, NULL, 0, part));
    OK(cudaGraphGetNodes(part, &node, &count));
    OK(cudaGraphKernelNodeGetParams(node, &params));
    params.kernelParams[1] = &value;
    OK(cudaGraphKernelNodeSetParams(node, &params));
    replay(graph);
    tell(output, 2);
}

static void repeated_random_state(void) {
    uint32_t *state = allocate(0);
    cudaGraphExec_t exec;
    begin();
    add<<<1, COUNT, 0, stream>>>(state, 1);
    exec = instantiate(end());
    launch(exec);
    OK(cudaMemset(state, 0, BYTES));
    launch(exec);
    tell(state, 2);
}

static void graphs_in_the_wrong_order(void) {
    uint32_t *output = allocate(0);
    cudaGraphExec_t first = instantiate(record_fill(output, 1)), second;
    begin();
    add<<<1, COUNT, 0, stream>>>(output, 1);
    second = instantiate(end());
    launch(second);
    launch(first);
    tell(output, 2);
}

#define BUG(name) \
    { #name, name }

static const struct {
    const char *name;
    void (*run)(void);
} bugs[] = {
    BUG(freed_input),
    BUG(moved_tensor),
    BUG(block_of_another_tensor),
    BUG(shared_workspace),
    BUG(wrong_stream),
    BUG(stale_scalar),
    BUG(lost_attribute),
    BUG(pool_across_graphs),
    BUG(overrun_of_an_allocation),
    BUG(overrun_into_a_neighbour),
    BUG(uninitialised_read),
    BUG(uninitialised_read_of_a_block),
    BUG(nan_of_one_kernel),
    BUG(order_lost_by_an_edit),
    BUG(condition_without_a_value),
    BUG(freed_host_memory),
    BUG(reused_event),
    BUG(pointer_inside_a_struct),
    BUG(wrong_shape),
    BUG(child_not_updated),
    BUG(repeated_random_state),
    BUG(graphs_in_the_wrong_order),
};

int main(int argc, char **argv) {
    for (const auto &bug : bugs) {
        if (argc < 2)
            printf("%s\n", bug.name);
        else if (strcmp(bug.name, argv[1]) == 0) {
            OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            bug.run();
            return 0;
        }
    }
    return argc < 2 ? 0 : 2;
}
CU
nvcc -O1 -o "$work/bugs" "$work/bugs.cu"
declare -A seen=(
    [freed_input]=memcheck [pointer_inside_a_struct]=memcheck [pool_across_graphs]=memcheck [overrun_of_an_allocation]=memcheck
    [uninitialised_read]=initcheck
)
wrong=0
tools="memcheck initcheck racecheck synccheck"
for bug in $("$work/bugs"); do
    for tool in $tools; do
        compute-sanitizer --tool "$tool" "$work/bugs" "$bug" >"$work/$tool" 2>&1 &
    done
    wait
    told=""
    for tool in $tools; do
        grep -qE "SUMMARY: 0 (errors|hazards)" "$work/$tool" || told="$told$tool"
    done
    echo "$bug: ${told:-nothing}"
    [[ $told == "${seen[$bug]:-}" ]] || wrong=1
done
((wrong == 0)) || { echo "compute-sanitizer says otherwise by now"; exit 1; }
