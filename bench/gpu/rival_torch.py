#!/usr/bin/env python3
"""PyTorch's CUDAGraph.replay(), beside graphcap-bench-gpu. See rival.py for what it prints."""

import rival

try:
    import torch
except ImportError as error:
    rival.skip(f"PyTorch is not installed ({error})")
if not torch.cuda.is_available():
    rival.skip("PyTorch finds no GPU")


def build(nodes):
    total = torch.zeros(1, dtype=torch.int64, device="cuda")
    total.add_(1)  # PyTorch loads the kernel here, not in the capture
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(nodes):
            total.add_(1)
    return graph.replay, torch.cuda.synchronize, total.item


rival.measure("torch", torch.__version__, build)
