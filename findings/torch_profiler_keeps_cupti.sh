#!/usr/bin/env bash
# PyTorch's profiler and CUPTI, which has one subscriber at a time: the first of the two keeps the other out for good. Where another tool
# subscribes when the profiler is used for the first time, the profiler warns on the error output, records no kernel, and records none
# later either, though the other tool has unsubscribed. Where the profiler was used before, it stays the subscriber after its profile has
# ended, and cuptiSubscribe() answers 39 (multiple subscribers) to the other tool.
#
# Seen with PyTorch 2.11.0+cu130 and driver 580.159. graphcap's trace tells which of the two has CUPTI (docs/tracing.md).
#
# Needs a GPU and a Python with PyTorch for CUDA (PYTHON, else python3); without them it is skipped. No package is installed.
set -euo pipefail
python=${PYTHON:-python3}
"$python" -c 'import sys, torch; sys.exit(not torch.cuda.is_available())' 2>/dev/null || { echo "skipped: no PyTorch with a GPU"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ask.py" <<'P'
import ctypes
import sys

import torch
from torch.profiler import ProfilerActivity, profile


def kernels() -> int:
    """Number of kernels that a profile of three additions tells."""
    x = torch.zeros(64, device="cuda")
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as recorded:
        for _ in range(3):
            x += 1
        torch.cuda.synchronize()
    on_device = torch.autograd.DeviceType.CUDA
    return sum(event.device_type == on_device for event in recorded.events())


name = next(line.split()[-1] for line in open("/proc/self/maps") if "libcupti.so" in line)
cupti = ctypes.CDLL(name)
hear = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p)(lambda *_: None)
subscriber = ctypes.c_void_p()
torch.cuda.init()
if sys.argv[1] == "profiler first":
    alone = kernels()
    answer = cupti.cuptiSubscribe(ctypes.byref(subscriber), hear, None)
    print(f"PyTorch {torch.__version__}, profiler first: {alone} kernels; a tool that subscribes afterwards is answered {answer}")
    sys.exit(alone == 0 or answer != 39)
assert cupti.cuptiSubscribe(ctypes.byref(subscriber), hear, None) == 0
during = kernels()
assert cupti.cuptiUnsubscribe(subscriber) == 0
behind = kernels()
print(f"PyTorch {torch.__version__}, other tool first: while it subscribes {during} kernels, after it left {behind}")
sys.exit(during + behind != 0)
P
"$python" -W ignore "$work/ask.py" "other tool first" 2>/dev/null || { echo "changed: the profiler records kernels beside or after another tool"; exit 1; }
"$python" -W ignore "$work/ask.py" "profiler first" 2>/dev/null || { echo "changed: the profiler leaves CUPTI to others after a profile"; exit 1; }
