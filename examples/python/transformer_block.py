#!/usr/bin/env python3
"""A feed-forward block of a transformer and what draws the next token, as ../c/transformer_block.c has it, through ctypes alone (see
binding): a script describes the block, an actor records and replays it.

    GRAPHCAP_LIBRARY=path/to/libgraphcap.so.0 python3 transformer_block.py

Without the variable the library is ../../lib/libgraphcap.so.0. The kernels for the host device are in Python, so they are slow. Writes
the graph as transformer_block_py.dot, and as .svg where graphviz is installed. Exits 77 where a GPU lacks cuBLAS."""

import itertools
import math
import os
import random
import shutil
import subprocess
import sys
from ctypes import Structure, addressof, byref, c_float, c_size_t, c_uint32, c_uint64, c_void_p, create_string_buffer, sizeof

from binding import (CAPTURE_THREAD_LOCAL, DEVICE_TO_HOST, EXAMPLES, FOREVER, WORK_MEMCPY, KernelFunction, MemcpyParams, call, load,
                     made, push, push_kernel, push_product, push_uniform)

TOKENS, WIDTH, HIDDEN, CHOICES, THREADS, LAUNCHES, IN_FLIGHT = 8, 16, 32, 20, 128, 200, 20


class Memory(Structure):
    """Arrays in the device's memory. Matrices are column-major: a token is a column."""
    _fields_ = [("x", c_float * WIDTH * TOKENS), ("w1", c_float * HIDDEN * WIDTH), ("bias", c_float * HIDDEN),
                ("w2", c_float * CHOICES * HIDDEN), ("hidden", c_float * HIDDEN * TOKENS), ("logits", c_float * CHOICES * TOKENS),
                ("uniform", c_float * TOKENS), ("choice", c_uint32 * TOKENS)]


# ---- The kernels for the host device, called once for each block. An argument is the address of a value.

def floats(address, first, count):
    return (c_float * count).from_address(c_uint64.from_address(address).value + 4 * first)


def bias_gelu(block, arguments):
    token = (c_uint32 * 10).from_address(block)[8]  # block_index[0]; a block has a column here
    hidden, bias = floats(arguments[0], HIDDEN * token, HIDDEN), floats(arguments[1], 0, HIDDEN)
    for i in range(HIDDEN):
        hidden[i] = gelu(hidden[i] + bias[i])
    return 0


def sample(block, arguments):
    token = (c_uint32 * 10).from_address(block)[8]
    passed = running_sums(floats(arguments[0], CHOICES * token, CHOICES))
    wanted = floats(arguments[1], token, 1)[0] * passed[-1]
    chosen = next((i for i, end in enumerate(passed) if end > wanted), CHOICES - 1)
    c_uint32.from_address(c_uint64.from_address(arguments[2]).value + 4 * token).value = chosen
    return 0


def gelu(x):
    return x / (1 + math.exp(-1.5957691216 * (x + 0.044715 * x**3)))


def running_sums(logits):
    largest = max(logits)
    return list(itertools.accumulate(math.exp(logit - largest) for logit in logits))


# ---- What the block should give. Python's floats are doubles.

def times(matrix, column):
    return [sum(row[i] * factor for row, factor in zip(matrix, column)) for i in range(len(matrix[0]))]


def wrong_results(logits, seen):
    wrong = 0
    for token in range(TOKENS):
        wrong += sum(abs(a - b) > 1e-4 * (1 + abs(b)) for a, b in zip(seen.logits[token], logits[token]))
        ends = [0] + [end / running_sums(logits[token])[-1] for end in running_sums(logits[token])]
        choice = seen.choice[token]
        wrong += choice >= CHOICES or not ends[choice] - 1e-4 < seen.uniform[token] < ends[choice + 1] + 1e-4
    return wrong


def make_up():
    given, numbers = Memory(), random.Random(17)
    for matrix, scale in ((given.x, 1), (given.w1, 0.5), ([given.bias], 0.5), (given.w2, 0.5)):
        for column in matrix:
            column[:] = [numbers.uniform(-scale, scale) for _ in column]
    return given


def block_script(context, module, rng, memory, results):
    """The block. Its results are copied to memory that the CPU reads."""
    x, w1, bias, w2, hidden, logits, uniform, choice = ((memory, getattr(Memory, name).offset) for name, _ in Memory._fields_)
    script = made("gc_script_create", context)
    push_product(script, HIDDEN, TOKENS, WIDTH, w1, x, hidden)
    push_kernel(script, module, b"bias_gelu", TOKENS, HIDDEN, [hidden, bias], HIDDEN, HIDDEN * TOKENS)
    push_product(script, CHOICES, TOKENS, HIDDEN, w2, hidden, logits)
    push_uniform(script, rng, *uniform, TOKENS)
    push_kernel(script, module, b"sample", TOKENS, THREADS, [logits, uniform, choice], CHOICES)
    copy = MemcpyParams(direction=DEVICE_TO_HOST, source=memory, size=sizeof(Memory), height=1, depth=1,
                        destination_host_buffer=results)
    push(script, WORK_MEMCPY, memcpy=addressof(copy))
    return script


def write_graph(actor, graph_exec):
    written, text = made("gc_actor_export_dot", actor, graph_exec, c_uint32(0)), create_string_buffer(1 << 16)
    call("gc_future_wait", written, FOREVER, None)
    call("gc_future_text", written, text, c_size_t(len(text)), None)
    call("gc_future_destroy", written)
    with open("transformer_block_py.dot", "wb") as file:
        file.write(text.value)
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg", "transformer_block_py.dot", "-o", "transformer_block_py.svg"], check=True)


def main():
    given, address, wrong = make_up(), c_void_p(), 0
    exact = [times(given.w2, [gelu(a + b) for a, b in zip(times(given.w1, x), given.bias)]) for x in given.x]
    context = made("gc_context_create", None)
    stream = made("gc_stream_create", context, None)
    rng = made("gc_rng_create", stream, c_uint64(17), c_uint64(0))
    functions = KernelFunction(bias_gelu), KernelFunction(sample)  # kept as long as graphs that call them
    module = load(context, os.path.join(EXAMPLES, "c", "transformer_block.ptx"),
                  [(b"bias_gelu", functions[0], (8, 8, 4, 4)), (b"sample", functions[1], (8, 8, 8, 4))])
    memory = made("gc_buffer_allocate", context, c_size_t(sizeof(given)))
    call("gc_stream_memcpy_htod", stream, memory, c_size_t(0), byref(given), c_size_t(sizeof(given)))
    call("gc_stream_synchronize", stream)
    results = made("gc_host_buffer_allocate", context, c_size_t(sizeof(given)), c_uint32(0))
    call("gc_host_buffer_pointer", results, byref(address))

    script = block_script(context, module, rng, memory, results)
    actor = made("gc_actor_create", context, None)
    recorded = made("gc_actor_record", actor, script, CAPTURE_THREAD_LOCAL, c_uint32(0))
    call("gc_future_wait", recorded, FOREVER, None)
    graph_exec = made("gc_future_take_exec", recorded)
    write_graph(actor, graph_exec)
    for done in range(IN_FLIGHT, LAUNCHES + 1, IN_FLIGHT):
        for launched in [made("gc_actor_launch", actor, graph_exec) for _ in range(IN_FLIGHT)]:
            call("gc_future_wait", launched, FOREVER, None)
            call("gc_future_destroy", launched)
        wrong += wrong_results(exact, Memory.from_address(address.value))
        print(f"\r{done} of {LAUNCHES} launches, {done * TOKENS} tokens were drawn, {wrong} results are wrong", end="", flush=True)
    print()
    call("gc_actor_close", actor, FOREVER)
    kinds = "future", "actor", "graph_exec", "script", "host_buffer", "buffer", "module", "rng", "stream", "context"
    for kind, handle in zip(kinds, (recorded, actor, graph_exec, script, results, memory, module, rng, stream, context)):
        call(f"gc_{kind}_destroy", handle)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
