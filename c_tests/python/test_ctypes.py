#!/usr/bin/env python3
"""The C ABI from another language: Python's ctypes alone, kernels as callbacks and as PTX, capture, replay, messages.

The library is the file that the environment variable GRAPHCAP_LIBRARY names; GRAPHCAP_DEVICE chooses the device."""

import ctypes
import json
import os
import select
import threading
import time
import unittest
from ctypes import (CFUNCTYPE, POINTER, Structure, addressof, byref, c_char, c_char_p, c_float, c_int32, c_size_t, c_uint32,
                    c_uint64, c_void_p, cast, create_string_buffer, pointer, sizeof)

SUCCESS = 0
INVALID_VALUE = 1
TIMEOUT = 909
INVALID_HANDLE = 400
ILLEGAL_STATE = 401
ILLEGAL_ADDRESS = 700
NOT_FOUND = 500
CAPTURE_UNSUPPORTED = 900
CAPTURE_INVALIDATED = 901
CAPTURE_UNMATCHED = 903
BUFFER_TOO_SMALL = -6
BUSY = -3

DEVICE_CUDA = 1
CAPTURE_MODE_GLOBAL = 0
CAPTURE_MODE_RELAXED = 2
FOREVER = (1 << 64) - 1
EVENT_RECORD_EXTERNAL = 1
EXEC_UPDATE_DRY_RUN = 2
STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3
SYNCHRONIZATION_POLICY_SPIN = 2
ARG_VALUE = 1
ARG_BUFFER = 2
MEM_OP_WAIT_VALUE32 = 1
MEM_OP_WRITE_VALUE64 = 5
WAIT_VALUE_EQ = 1
SCALAR_U64 = 4
SCALAR_F32 = 5
WORK_KERNEL, WORK_MEMCPY, WORK_MEMSET, WORK_HOST, WORK_CHILD_GRAPH, WORK_CONDITIONAL, WORK_EMPTY = 1, 2, 3, 4, 5, 6, 9
WORK_SGEMM, WORK_FFT_R2C, WORK_RNG_UNIFORM = 16, 17, 24
MEM_ATTACH_GLOBAL = 1
MEM_ATTACH_SINGLE = 4
MEMCPY_HOST_TO_DEVICE = 1
MEMCPY_DEVICE_TO_HOST = 2
MEMCPY_PEER = 5
NODE_MEMCPY = 1
CONDITIONAL_WHILE = 1


class HostBlock(Structure):
    _fields_ = [("struct_size", c_uint32), ("shared_mem_bytes", c_uint32), ("grid_dim", c_uint32 * 3),
                ("block_dim", c_uint32 * 3), ("block_index", c_uint32 * 3), ("reserved", c_uint32),
                ("shared_mem", c_void_p)]


HostKernelFunction = CFUNCTYPE(c_int32, POINTER(HostBlock), POINTER(c_void_p))
HostFunction = CFUNCTYPE(None, c_void_p)
CaptureFunction = CFUNCTYPE(c_int32, c_void_p, c_void_p)
OpFunction = CFUNCTYPE(c_int32, c_void_p, c_void_p)
FutureFunction = CFUNCTYPE(None, c_void_p, c_void_p)
RecordFunction = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p)


class HostKernel(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("name", c_char_p), ("function", HostKernelFunction),
                ("parameter_sizes", POINTER(c_size_t)), ("parameter_count", c_size_t)]


class ModuleDescription(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("image", c_void_p), ("image_size", c_size_t),
                ("host_kernels", POINTER(HostKernel)), ("host_kernel_count", c_size_t)]


class LaunchConfig(Structure):
    _fields_ = [("struct_size", c_uint32), ("grid_dim", c_uint32 * 3), ("block_dim", c_uint32 * 3),
                ("shared_mem_bytes", c_uint32), ("flags", c_uint32), ("reserved", c_uint32),
                ("attributes", c_void_p), ("attribute_count", c_size_t)]


class KernelArg(Structure):
    _fields_ = [("struct_size", c_uint32), ("kind", c_uint32), ("access", c_uint32), ("reserved", c_uint32),
                ("buffer", c_void_p), ("offset", c_size_t), ("value", c_void_p), ("value_size", c_size_t),
                ("access_offset", c_size_t), ("access_size", c_size_t)]


class UnresolvedPointer(Structure):
    _fields_ = [("node", c_uint64), ("address", c_uint64), ("parameter", c_size_t), ("offset", c_size_t)]


class OptimizeReason(Structure):
    _fields_ = [("kind", c_int32), ("parameter", c_uint32), ("node", c_uint64), ("earlier", c_uint64), ("address", c_uint64),
                ("bytes", c_uint64), ("earlier_writes", c_uint32), ("later_writes", c_uint32), ("count", c_uint64)]


class CaptureInfo(Structure):
    _fields_ = [("struct_size", c_uint32), ("status", c_int32), ("id", c_uint64), ("node_count", c_size_t),
                ("edge_count", c_size_t), ("frontier_count", c_size_t), ("native_graph", c_void_p)]


class ExecUpdateInfo(Structure):
    _fields_ = [("struct_size", c_uint32), ("result", c_int32), ("status", c_int32), ("kept_attribute", c_uint32),
                ("exec_node", c_uint64), ("graph_node", c_uint64), ("from_node", c_uint64)]


class ExecApplyReport(Structure):
    _fields_ = [("struct_size", c_uint32), ("route", c_int32), ("reason", c_int32), ("status", c_int32),
                ("update_result", c_int32), ("kept_attribute", c_uint32), ("exec_node", c_uint64), ("graph_node", c_uint64),
                ("from_node", c_uint64), ("node_count", c_uint64), ("changed_count", c_uint64), ("nanoseconds", c_uint64),
                ("next_launch_nanoseconds", c_uint64)]


class OptimizeOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("lanes", c_uint32), ("permits", c_uint32),
                ("max_bytes", c_uint64)]


class OptimizeCandidate(Structure):
    _fields_ = [("edges", c_int32), ("lanes", c_uint32), ("added_node_count", c_uint64), ("pipelined_ns", c_uint64),
                ("single_ns", c_uint64), ("launch_ns", c_uint64)]


class OptimizeReport(Structure):
    _fields_ = [("struct_size", c_uint32), ("edges", c_int32), ("lanes", c_uint32), ("candidate_count", c_uint32),
                ("node_count", c_uint64), ("added_node_count", c_uint64), ("edges_before", c_uint64),
                ("edges_after", c_uint64), ("path_before", c_uint64), ("path_after", c_uint64), ("barrier_count", c_uint64),
                ("chosen_candidate", c_uint32), ("reserved", c_uint32), ("candidates", OptimizeCandidate * 8),
                ("inner_graph_count", c_uint64), ("inner_changed_count", c_uint64)]


VerifyProgress = CFUNCTYPE(c_int32, c_uint64, c_uint64, c_void_p)
VerifyText = CFUNCTYPE(None, c_char_p, c_void_p)


class VerifyOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("permits", c_uint32), ("orders", c_uint32),
                ("max_bytes", c_uint64), ("seed", c_uint64), ("progress", VerifyProgress), ("text", VerifyText),
                ("user_data", c_void_p)]


class VerifyReport(Structure):
    _fields_ = [("struct_size", c_uint32), ("finding", c_int32), ("first", c_uint64), ("second", c_uint64),
                ("address", c_uint64), ("finding_count", c_uint64), ("stopped", c_uint32), ("lanes", c_uint32),
                ("node_count", c_uint64), ("replay_count", c_uint64), ("order_count", c_uint64), ("pair_count", c_uint64),
                ("pairs_tried", c_uint64), ("bytes_compared", c_uint64), ("bytes_excluded", c_uint64),
                ("bytes_unwatched", c_uint64)]


class GraphCacheOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("instantiate_flags", c_uint32), ("reserved", c_uint32),
                ("max_bytes", c_uint64), ("record", RecordFunction), ("user_data", c_void_p), ("destroy", HostFunction)]


class GraphCacheStats(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("hits", c_uint64), ("recordings", c_uint64),
                ("updates", c_uint64), ("instantiations", c_uint64), ("evictions", c_uint64), ("keys", c_uint64),
                ("execs", c_uint64), ("bytes", c_uint64), ("device_bytes", c_uint64)]


class ContextInfo(Structure):
    _fields_ = [("struct_size", c_uint32), ("device_kind", c_int32), ("device_ordinal", c_uint32), ("reserved", c_uint32),
                ("generation", c_uint64)]


class GraphExecInfo(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("generation", c_uint64), ("node_count", c_uint64),
                ("num_replays", c_uint64), ("is_uploaded", c_uint32), ("reserved", c_uint32)]


class CaptureOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("modules", POINTER(c_void_p)),
                ("module_count", c_size_t), ("pool", c_void_p), ("graph", c_void_p),
                ("dependencies", POINTER(c_uint64)), ("dependency_count", c_size_t)]


class MemcpyParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("direction", c_uint32), ("destination", c_void_p),
                ("destination_offset", c_size_t), ("destination_host", c_void_p), ("source", c_void_p),
                ("source_offset", c_size_t), ("source_host", c_void_p), ("size", c_size_t), ("flags", c_uint32),
                ("reserved", c_uint32), ("destination_host_buffer", c_void_p), ("source_host_buffer", c_void_p),
                ("height", c_size_t), ("depth", c_size_t), ("destination_pitch", c_size_t),
                ("destination_slice_height", c_size_t), ("source_pitch", c_size_t), ("source_slice_height", c_size_t)]


class MemsetParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("element_size", c_uint32), ("buffer", c_void_p), ("offset", c_size_t),
                ("value", c_uint32), ("reserved", c_uint32), ("width", c_size_t), ("height", c_size_t),
                ("pitch", c_size_t)]


class OpVtable(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("record", OpFunction), ("prepare", c_void_p),
                ("name", c_void_p), ("destroy", HostFunction)]


class RngUniformParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("rng", c_void_p), ("buffer", c_void_p), ("offset", c_size_t),
                ("count", c_size_t), ("first", c_uint64)]


class MemOp(Structure):
    _fields_ = [("struct_size", c_uint32), ("kind", c_uint32), ("buffer", c_void_p), ("offset", c_size_t),
                ("value", c_uint64), ("flags", c_uint32), ("reserved", c_uint32), ("host", c_void_p)]


class Work(Structure):
    _fields_ = [("struct_size", c_uint32), ("kind", c_uint32), ("name", c_char_p), ("kernel", c_void_p), ("config", c_void_p),
                ("arguments", c_void_p), ("argument_count", c_size_t), ("memcpy_params", POINTER(MemcpyParams)),
                ("memset_params", POINTER(MemsetParams)), ("function", HostFunction), ("user_data", c_void_p),
                ("destroy", c_void_p), ("graph", c_void_p), ("event", c_void_p), ("buffer", c_void_p), ("offset", c_size_t),
                ("conditional_kind", c_uint32), ("body_count", c_uint32), ("bodies", c_void_p),
                ("rng_uniform_params", POINTER(RngUniformParams)),
                ("sgemm_params", c_void_p), ("fft_params", c_void_p), ("operations", POINTER(MemOp)),
                ("operation_count", c_size_t), ("condition", c_uint64), ("scalar", c_void_p), ("size", c_size_t),
                ("flags", c_uint32), ("reserved", c_uint32)]


def work(kind, **members):
    """A gc_work to be passed."""
    return byref(Work(struct_size=sizeof(Work), kind=kind, **members))


class SgemmParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("math_mode", c_uint32), ("m", c_uint64), ("n", c_uint64), ("k", c_uint64),
                ("transpose_a", c_uint32), ("transpose_b", c_uint32), ("a", c_void_p), ("a_offset", c_size_t),
                ("lda", c_uint64), ("stride_a", c_uint64), ("b", c_void_p), ("b_offset", c_size_t), ("ldb", c_uint64),
                ("stride_b", c_uint64), ("c", c_void_p), ("c_offset", c_size_t), ("ldc", c_uint64), ("stride_c", c_uint64),
                ("alpha", c_float), ("beta", c_float), ("alpha_scalar", c_void_p), ("beta_scalar", c_void_p),
                ("batch_count", c_uint64), ("workspace_bytes", c_uint64)]


class FftPlanParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("direction", c_uint32), ("length", c_uint64), ("batch_count", c_uint64),
                ("input_distance", c_uint64), ("output_distance", c_uint64)]


class FftParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("plan", c_void_p), ("plan_params", c_void_p),
                ("input", c_void_p), ("input_offset", c_size_t), ("output", c_void_p), ("output_offset", c_size_t)]


class ScriptFailure(Structure):
    _fields_ = [("struct_size", c_uint32), ("status", c_int32), ("has_op", c_uint32), ("reserved", c_uint32),
                ("op_index", c_size_t), ("op_name", c_char * 64)]


class ActorOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("completion", c_uint32), ("mailbox_capacity", c_size_t),
                ("post_timeout_ns", c_uint64), ("flags", c_uint32), ("reserved", c_uint32), ("stall_limit_ns", c_uint64)]


class KernelNodeParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("grid_dim", c_uint32 * 3), ("block_dim", c_uint32 * 3),
                ("shared_mem_bytes", c_uint32), ("argument_layout", c_uint32), ("reserved", c_uint32),
                ("argument_count", c_size_t)]


class MemcpyNodeParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("direction", c_uint32), ("destination", c_uint64), ("source", c_uint64),
                ("size", c_size_t), ("height", c_size_t), ("depth", c_size_t), ("destination_pitch", c_size_t),
                ("destination_slice_pitch", c_size_t), ("source_pitch", c_size_t), ("source_slice_pitch", c_size_t)]


class MemsetNodeParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("element_size", c_uint32), ("address", c_uint64), ("value", c_uint32),
                ("reserved", c_uint32), ("width", c_size_t), ("height", c_size_t), ("pitch", c_size_t)]


class MemOpNodeParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("kind", c_uint32), ("address", c_uint64), ("value", c_uint64),
                ("flags", c_uint32), ("reserved", c_uint32)]


class HostNodeParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("is_foreign", c_uint32), ("function", HostFunction), ("user_data", c_void_p)]


class ConditionalNodeParams(Structure):
    _fields_ = [("struct_size", c_uint32), ("kind", c_uint32), ("condition", c_uint64), ("body_count", c_uint32),
                ("reserved", c_uint32)]


class AccessPolicyWindow(Structure):
    _fields_ = [("base", c_void_p), ("size", c_size_t), ("hit_ratio", ctypes.c_float), ("hit_property", c_int32),
                ("miss_property", c_int32)]


class StreamAttributeValue(ctypes.Union):
    _fields_ = [("bytes", ctypes.c_uint8 * 64), ("access_policy_window", AccessPolicyWindow),
                ("synchronization_policy", c_int32), ("priority", c_int32),
                ("memory_sync_domain_map", ctypes.c_uint8 * 2), ("memory_sync_domain", c_int32)]


def load():
    library = ctypes.CDLL(os.environ["GRAPHCAP_LIBRARY"])
    library.gc_live_handles.restype = c_uint64
    library.gc_status_name.restype = c_char_p
    library.gc_version_string.restype = c_char_p
    signatures = {
        "gc_context_create": [c_void_p, POINTER(c_void_p)],
        "gc_context_get_info": [c_void_p, POINTER(ContextInfo)],
        "gc_stream_create": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_stream_synchronize_for": [c_void_p, c_uint64],
        "gc_stream_get_attribute": [c_void_p, c_uint32, POINTER(StreamAttributeValue)],
        "gc_stream_set_attribute": [c_void_p, c_uint32, POINTER(StreamAttributeValue)],
        "gc_event_create": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_event_record": [c_void_p, c_void_p, c_uint32],
        "gc_event_synchronize_for": [c_void_p, c_uint64],
        "gc_event_elapsed_time": [c_void_p, c_void_p, POINTER(ctypes.c_float)],
        "gc_stream_begin_capture": [c_void_p, c_int32],
        "gc_stream_end_capture": [c_void_p, POINTER(c_void_p)],
        "gc_stream_end_capture_exec": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_stream_capture_info": [c_void_p, POINTER(CaptureInfo)],
        "gc_stream_capture_frontier": [c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
        "gc_stream_update_capture_dependencies": [c_void_p, POINTER(c_uint64), c_void_p, c_size_t, c_uint32],
        "gc_thread_exchange_capture_mode": [POINTER(c_int32)],
        "gc_stream_memcpy_htod": [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t],
        "gc_stream_memcpy_dtoh": [c_void_p, c_void_p, c_void_p, c_size_t, c_size_t],
        "gc_stream_write_value32": [c_void_p, c_void_p, c_size_t, c_uint32, c_uint32],
        "gc_stream_write_value64": [c_void_p, c_void_p, c_size_t, c_uint64, c_uint32],
        "gc_stream_wait_value32": [c_void_p, c_void_p, c_size_t, c_uint32, c_uint32],
        "gc_stream_wait_value64": [c_void_p, c_void_p, c_size_t, c_uint64, c_uint32],
        "gc_stream_batch_mem_op": [c_void_p, POINTER(MemOp), c_size_t, c_uint32],
        "gc_stream_launch_host_func": [c_void_p, HostFunction, c_void_p, c_void_p],
        "gc_stream_launch_kernel": [c_void_p, c_void_p, POINTER(LaunchConfig), POINTER(KernelArg), c_size_t],
        "gc_pool_create": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_pool_id": [c_void_p, POINTER(c_uint64)],
        "gc_pool_add_buffer": [c_void_p, c_void_p, POINTER(c_size_t)],
        "gc_pool_add_object": [c_void_p, c_void_p, HostFunction, POINTER(c_size_t)],
        "gc_pool_allocate": [c_void_p, c_size_t, POINTER(c_void_p)],
        "gc_pool_seal": [c_void_p],
        "gc_pool_clear": [c_void_p],
        "gc_pool_handle_new": [c_void_p, POINTER(c_uint64)],
        "gc_pool_handle_lookup": [c_uint64, POINTER(c_void_p)],
        "gc_pool_handle_release": [c_uint64],
        "gc_stream_begin_capture_with_pool": [c_void_p, c_int32, c_void_p],
        "gc_stream_end_capture_with_pool": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_stream_capture": [c_void_p, c_int32, POINTER(CaptureOptions), CaptureFunction, c_void_p, c_void_p,
                              POINTER(c_void_p)],
        "gc_graph_exec_pool": [c_void_p, POINTER(c_void_p)],
        "gc_graph_exec_pool_buffer_count": [c_void_p, POINTER(c_size_t)],
        "gc_capture_begin": [c_void_p, c_int32, POINTER(CaptureOptions), POINTER(c_void_p)],
        "gc_capture_record_kernel": [c_void_p, c_char_p, POINTER(LaunchConfig), POINTER(KernelArg), c_size_t],
        "gc_capture_record_memcpy": [c_void_p, POINTER(MemcpyParams)],
        "gc_context_memcpy": [c_void_p, POINTER(MemcpyParams)],
        "gc_context_memset": [c_void_p, POINTER(MemsetParams)],
        "gc_host_buffer_allocate": [c_void_p, c_size_t, c_uint32, POINTER(c_void_p)],
        "gc_host_buffer_register": [c_void_p, c_void_p, c_size_t, c_uint32, c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_host_buffer_pointer": [c_void_p, POINTER(c_void_p)],
        "gc_host_buffer_size": [c_void_p, POINTER(c_size_t)],
        "gc_host_buffer_device_address": [c_void_p, POINTER(c_uint64)],
        "gc_capture_record_memset": [c_void_p, c_void_p, c_size_t, c_uint32, c_uint32, c_size_t],
        "gc_capture_recorded_count": [c_void_p, POINTER(c_uint64)],
        "gc_capture_is_active": [c_void_p, POINTER(c_int32)],
        "gc_capture_end": [c_void_p, POINTER(c_void_p)],
        "gc_capture_abort": [c_void_p],
        "gc_buffer_allocate": [c_void_p, c_size_t, POINTER(c_void_p)],
        "gc_buffer_allocate_waitable": [c_void_p, c_size_t, POINTER(c_void_p)],
        "gc_buffer_allocate_managed": [c_void_p, c_size_t, c_uint32, POINTER(c_void_p)],
        "gc_scalar_create": [c_void_p, c_uint32, c_void_p, POINTER(c_void_p)],
        "gc_scalar_create_block": [c_void_p, POINTER(c_uint32), POINTER(c_void_p), c_size_t, POINTER(c_void_p)],
        "gc_scalar_update": [c_void_p, c_void_p, c_uint32, c_void_p],
        "gc_scalar_update_many": [c_void_p, POINTER(c_void_p), POINTER(c_uint32), POINTER(c_void_p), c_size_t],
        "gc_scalar_read": [c_void_p, c_void_p, c_uint32, c_void_p],
        "gc_scalar_type": [c_void_p, POINTER(c_uint32)],
        "gc_scalar_address": [c_void_p, POINTER(c_uint64)],
        "gc_scalar_buffer": [c_void_p, POINTER(c_void_p), POINTER(c_size_t)],
        "gc_object_context": [c_void_p, POINTER(c_void_p)],
        "gc_rng_create": [c_void_p, c_uint64, c_uint64, POINTER(c_void_p)],
        "gc_rng_set_seed": [c_void_p, c_void_p, c_uint64],
        "gc_rng_get_seed": [c_void_p, c_void_p, POINTER(c_uint64)],
        "gc_rng_set_offset": [c_void_p, c_void_p, c_uint64],
        "gc_rng_get_offset": [c_void_p, c_void_p, POINTER(c_uint64)],
        "gc_rng_torch_state": [c_void_p, c_void_p, c_uint32, c_uint64, POINTER(c_uint64)],
        "gc_rng_subsequence": [c_void_p, POINTER(c_uint64)],
        "gc_stream_attach_mem_async": [c_void_p, c_void_p, c_uint32],
        "gc_buffer_address": [c_void_p, POINTER(c_uint64)],
        "gc_stream_memcpy_dtod": [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_size_t],
        "gc_stream_memset": [c_void_p, c_void_p, c_size_t, c_uint32, c_uint32, c_size_t],
        "gc_module_load": [c_void_p, POINTER(ModuleDescription), POINTER(c_void_p)],
        "gc_module_get_kernel": [c_void_p, c_char_p, POINTER(c_void_p)],
        "gc_graph_create": [c_void_p, POINTER(c_void_p)],
        "gc_graph_add_child_node": [c_void_p, POINTER(c_uint64), c_size_t, c_void_p, POINTER(c_uint64)],
        "gc_graph_add_dependencies": [c_void_p, POINTER(c_uint64), POINTER(c_uint64), c_void_p, c_size_t],
        "gc_graph_remove_dependencies": [c_void_p, POINTER(c_uint64), POINTER(c_uint64), c_size_t],
        "gc_graph_remove_node": [c_void_p, c_uint64],
        "gc_graph_retain_callback": [c_void_p, c_void_p, HostFunction],
        "gc_graph_clone": [c_void_p, POINTER(c_void_p)],
        "gc_node_find_in_clone": [c_void_p, c_uint64, c_void_p, POINTER(c_uint64)],
        "gc_graph_export_json": [c_void_p, c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_graph_import_json": [c_void_p, c_char_p, c_size_t, c_void_p, c_size_t, POINTER(c_void_p)],
        "gc_graph_optimize": [c_void_p, POINTER(OptimizeOptions), POINTER(c_void_p), POINTER(c_void_p),
                                        POINTER(OptimizeReport)],
        "gc_plan_apply": [c_void_p, c_void_p, c_uint32, POINTER(c_void_p), POINTER(OptimizeReport)],
        "gc_plan_destroy": [c_void_p],
        "gc_graph_optimize_text": [c_void_p, POINTER(OptimizeOptions), c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_graph_optimize_reasons": [c_void_p, POINTER(OptimizeOptions), POINTER(OptimizeReason), c_size_t, POINTER(c_size_t)],
        "gc_graph_verify": [c_void_p, POINTER(VerifyOptions), POINTER(VerifyReport)],
        "gc_kernel_set_accesses": [c_void_p, POINTER(c_uint32), c_size_t],
        "gc_kernel_set_buffer_access": [c_void_p, c_void_p, c_uint32],
        "gc_kernel_set_concurrency": [c_void_p, c_uint32],
        "gc_graph_diff": [c_void_p, c_void_p, c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_set_name": [c_void_p, c_char_p],
        "gc_get_name": [c_void_p, c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_node_set_grid_scalar": [c_void_p, c_uint64, c_uint32, c_void_p],
        "gc_node_set_name": [c_void_p, c_uint64, c_char_p],
        "gc_node_get_name": [c_void_p, c_uint64, c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_node_kind": [c_void_p, c_uint64, POINTER(c_uint32)],
        "gc_node_get_dependencies": [c_void_p, c_uint64, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
        "gc_node_get_dependents": [c_void_p, c_uint64, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
        "gc_graph_get_roots": [c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
        "gc_graph_get_order": [c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
        "gc_node_get_graph": [c_void_p, c_uint64, c_size_t, POINTER(c_void_p)],
        "gc_node_get_kernel_params": [c_void_p, c_uint64, POINTER(KernelNodeParams)],
        "gc_node_get_argument": [c_void_p, c_uint64, c_size_t, c_void_p, c_size_t, POINTER(c_size_t)],
        "gc_node_kernel_name": [c_void_p, c_uint64, c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_node_get_kernel": [c_void_p, c_uint64, POINTER(c_void_p)],
        "gc_node_get_memcpy_params": [c_void_p, c_uint64, POINTER(MemcpyNodeParams)],
        "gc_node_get_memset_params": [c_void_p, c_uint64, POINTER(MemsetNodeParams)],
        "gc_node_get_mem_op_params": [c_void_p, c_uint64, c_size_t, POINTER(MemOpNodeParams), POINTER(c_size_t)],
        "gc_node_get_host_params": [c_void_p, c_uint64, POINTER(HostNodeParams)],
        "gc_node_get_conditional_params": [c_void_p, c_uint64, POINTER(ConditionalNodeParams)],
        "gc_graph_create_condition": [c_void_p, c_uint32, c_uint32, POINTER(c_uint64)],
        "gc_node_get_event": [c_void_p, c_uint64, POINTER(c_void_p)],
        "gc_context_find_buffer": [c_void_p, c_uint64, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_size_t)],
        "gc_graph_cache_create": [c_void_p, POINTER(GraphCacheOptions), POINTER(c_void_p)],
        "gc_graph_cache_launch": [c_void_p, c_char_p, c_size_t, c_void_p, c_void_p],
        "gc_graph_cache_remove": [c_void_p, c_char_p, c_size_t],
        "gc_graph_cache_clear": [c_void_p],
        "gc_graph_cache_get_stats": [c_void_p, POINTER(GraphCacheStats)],
        "gc_graph_cache_destroy": [c_void_p],
        "gc_script_create": [c_void_p, POINTER(c_void_p)],
        "gc_script_push": [c_void_p, POINTER(Work)],
        "gc_stream_submit": [c_void_p, POINTER(Work), POINTER(c_uint64)],
        "gc_capture_record": [c_void_p, POINTER(Work)],
        "gc_graph_add_node": [c_void_p, POINTER(c_uint64), c_void_p, c_size_t, POINTER(Work), POINTER(c_uint64)],
        "gc_node_set": [c_void_p, c_uint64, POINTER(Work)],
        "gc_graph_exec_set_node": [c_void_p, c_uint64, POINTER(Work)],
        "gc_script_push_op": [c_void_p, POINTER(OpVtable), c_void_p],
        "gc_script_prepare": [c_void_p, POINTER(ScriptFailure)],
        "gc_script_record": [c_void_p, c_void_p, c_int32, POINTER(ScriptFailure), POINTER(c_void_p)],
        "gc_script_submit": [c_void_p, c_void_p, POINTER(ScriptFailure)],
        "gc_script_destroy": [c_void_p],
        "gc_actor_create": [c_void_p, POINTER(ActorOptions), POINTER(c_void_p)],
        "gc_actor_record": [c_void_p, c_void_p, c_int32, c_uint32, POINTER(c_void_p)],
        "gc_actor_adopt": [c_void_p, c_void_p, c_uint32, POINTER(c_void_p)],
        "gc_actor_launch": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_actor_update": [c_void_p, c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_actor_set_fft_plan": [c_void_p, c_void_p, c_size_t, c_void_p, POINTER(c_void_p)],
        "gc_actor_export_dot": [c_void_p, c_void_p, c_uint32, POINTER(c_void_p)],
        "gc_actor_close": [c_void_p, c_uint64],
        "gc_actor_event_fd": [c_void_p, POINTER(c_int32)],
        "gc_actor_next_completed": [c_void_p, POINTER(c_void_p)],
        "gc_actor_destroy": [c_void_p],
        "gc_future_poll": [c_void_p, POINTER(c_uint32)],
        "gc_future_wait": [c_void_p, c_uint64, POINTER(ScriptFailure)],
        "gc_future_on_done": [c_void_p, FutureFunction, c_void_p, HostFunction],
        "gc_future_on_stall": [c_void_p, FutureFunction, c_void_p, HostFunction],
        "gc_future_stall_report": [c_void_p, c_void_p, c_void_p, c_size_t, POINTER(c_size_t)],
        "gc_future_take_exec": [c_void_p, POINTER(c_void_p)],
        "gc_future_text": [c_void_p, c_void_p, c_size_t, POINTER(c_size_t)],
        "gc_future_event_fd": [c_void_p, POINTER(c_int32)],
        "gc_future_destroy": [c_void_p],
        "gc_fft_plan_create": [c_void_p, POINTER(FftPlanParams), POINTER(c_void_p)],
        "gc_fft_plan_destroy": [c_void_p],
        "gc_record_context_stream": [c_void_p, POINTER(c_void_p)],
        "gc_record_context_graph": [c_void_p, POINTER(c_void_p)],
        "gc_record_context_pool": [c_void_p, POINTER(c_void_p)],
        "gc_record_context_native_blas": [c_void_p, POINTER(c_void_p)],
        "gc_record_context_native_rand": [c_void_p, POINTER(c_void_p)],
        "gc_callback_set_message": [c_char_p],
        "gc_graph_exec_update": [c_void_p, c_void_p, c_uint32, POINTER(ExecUpdateInfo)],
        "gc_graph_exec_apply": [c_void_p, c_void_p, c_void_p, POINTER(ExecApplyReport)],
        "gc_graph_exec_set_node_enabled": [c_void_p, c_uint64, c_int32],
        "gc_graph_exec_is_node_enabled": [c_void_p, c_uint64, POINTER(c_int32)],
        "gc_graph_get_nodes": [c_void_p, POINTER(c_uint64), c_size_t, POINTER(c_size_t)],
        "gc_graph_unresolved_pointers": [c_void_p, POINTER(UnresolvedPointer), c_size_t, POINTER(c_size_t)],
        "gc_graph_node_count": [c_void_p, POINTER(c_size_t)],
        "gc_graph_edge_count": [c_void_p, POINTER(c_size_t)],
        "gc_context_memory_report": [c_void_p, c_uint32, c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_graph_export_dot": [c_void_p, c_uint32, c_char_p, c_size_t, POINTER(c_size_t)],
        "gc_graph_instantiate": [c_void_p, c_void_p, POINTER(c_void_p)],
        "gc_graph_launch": [c_void_p, c_void_p],
        "gc_graph_relaunch": [c_void_p],
        "gc_graph_upload": [c_void_p, c_void_p],
        "gc_graph_exec_num_replays": [c_void_p, POINTER(c_uint64)],
        "gc_context_reset": [c_void_p],
        "gc_graph_exec_get_info": [c_void_p, POINTER(GraphExecInfo)],
        "gc_last_error_message": [c_char_p, c_size_t, POINTER(c_size_t)],
    }
    for kind in (
        "context", "stream", "event", "buffer", "host_buffer", "module", "kernel", "pool", "graph", "graph_exec",
        "capture",
        "scalar", "rng",
    ):
        signatures[f"gc_{kind}_destroy"] = [c_void_p]
    for name in ("gc_context_synchronize", "gc_stream_synchronize"):
        signatures[name] = [c_void_p]
    for name, arguments in signatures.items():
        function = getattr(library, name)
        function.argtypes = arguments
        function.restype = c_int32
    return library


GC = load()


def message():
    text = create_string_buffer(1024)
    assert GC.gc_last_error_message(text, len(text), None) == SUCCESS
    return text.value.decode()


def check(status):
    if status != SUCCESS:
        raise AssertionError(f"{GC.gc_status_name(status).decode()}: {message()}")


def made(function, *arguments):
    """The handle that a creating function puts into its last parameter."""
    handle = c_void_p()
    check(function(*arguments, byref(handle)))
    return handle


@HostKernelFunction
def scale(block, arguments):
    """scale(float *data, float by): one element per block."""
    data = cast(cast(arguments[0], POINTER(c_void_p))[0], POINTER(ctypes.c_float))
    data[block.contents.block_index[0]] *= cast(arguments[1], POINTER(ctypes.c_float))[0]
    return 0


@HostKernelFunction
def fault(_block, _arguments):
    return 1


# scale for a GPU.
PTX = b"""
.version 6.0
.target sm_50
.address_size 64
.visible .entry scale(.param .u64 data, .param .f32 by)
{
    .reg .u32 %block;
    .reg .u64 %at;
    .reg .f32 %x, %by;
    ld.param.u64 %at, [data];
    ld.param.f32 %by, [by];
    mov.u32 %block, %ctaid.x;
    mad.wide.u32 %at, %block, 4, %at;
    ld.f32 %x, [%at];
    mul.f32 %x, %x, %by;
    st.f32 [%at], %x;
    ret;
}
"""


class Capture(unittest.TestCase):
    def setUp(self):
        self.context = made(GC.gc_context_create, None)
        self.stream = made(GC.gc_stream_create, self.context, None)
        sizes = (c_size_t * 2)(sizeof(c_void_p), sizeof(ctypes.c_float))
        kernels = (HostKernel * 2)(
            HostKernel(sizeof(HostKernel), 0, b"scale", scale, sizes, 2),
            HostKernel(sizeof(HostKernel), 0, b"fault", fault, sizes, 0))
        image = create_string_buffer(PTX)  # ends with a NUL
        description = ModuleDescription(sizeof(ModuleDescription), 0, cast(image, c_void_p), sizeof(image), kernels, 2)
        self.module = made(GC.gc_module_load, self.context, byref(description))
        self.scale = made(GC.gc_module_get_kernel, self.module, b"scale")
        self.buffer = made(GC.gc_buffer_allocate_waitable, self.context, 16)

    def tearDown(self):
        check(GC.gc_buffer_destroy(self.buffer))
        check(GC.gc_kernel_destroy(self.scale))
        check(GC.gc_module_destroy(self.module))
        check(GC.gc_stream_destroy(self.stream))
        check(GC.gc_context_destroy(self.context))
        self.assertEqual(GC.gc_live_handles(), 0)

    def launch(self, kernel, blocks, arguments):
        config = LaunchConfig(sizeof(LaunchConfig), (blocks, 1, 1), (1, 1, 1), 0, 0, 0, None, 0)
        array = (KernelArg * max(len(arguments), 1))(*arguments)
        return GC.gc_stream_launch_kernel(self.stream, kernel, byref(config), array, len(arguments))

    def scale_arguments(self, value):
        return [
            KernelArg(sizeof(KernelArg), ARG_BUFFER, 0, 0, self.buffer, 0, None, 0),
            KernelArg(sizeof(KernelArg), ARG_VALUE, 0, 0, None, 0, cast(byref(value), c_void_p), sizeof(value))]

    def launch_scale(self, by):
        value = ctypes.c_float(by)  # which the arguments point to
        return self.launch(self.scale, 4, self.scale_arguments(value))

    def replayed(self, graph):
        """Replays a graph once and gives it up."""
        graph_exec = made(GC.gc_graph_instantiate, graph, None)
        check(GC.gc_graph_destroy(graph))
        check(GC.gc_graph_launch(graph_exec, self.stream))
        check(GC.gc_stream_synchronize(self.stream))
        check(GC.gc_graph_exec_destroy(graph_exec))

    def test_replays_follow_their_inputs(self):
        data = (ctypes.c_float * 4)()
        result = (ctypes.c_float * 4)()
        calls = []
        called = HostFunction(lambda _: calls.append(threading.get_ident()))
        check(GC.gc_stream_begin_capture(self.stream, CAPTURE_MODE_GLOBAL))
        check(GC.gc_stream_memcpy_htod(self.stream, self.buffer, 0, data, sizeof(data)))
        check(self.launch_scale(2.0))
        check(self.launch_scale(-1.5))
        check(GC.gc_stream_launch_host_func(self.stream, called, None, None))
        check(GC.gc_stream_memcpy_dtoh(self.stream, result, self.buffer, 0, sizeof(result)))
        graph = made(GC.gc_stream_end_capture, self.stream)
        count = c_size_t()
        check(GC.gc_graph_node_count(graph, byref(count)))
        self.assertEqual(count.value, 5)
        check(GC.gc_graph_edge_count(graph, byref(count)))
        self.assertEqual(count.value, 4)
        check(GC.gc_graph_export_dot(graph, 0, None, 0, byref(count)))
        text = create_string_buffer(count.value)
        check(GC.gc_graph_export_dot(graph, 0, text, len(text), None))
        self.assertTrue(text.value.decode().startswith("digraph"))
        self.assertEqual(text.value.count(b"->"), 4)
        self.assertEqual(GC.gc_graph_export_dot(graph, 0, text, 4, None), BUFFER_TOO_SMALL)

        check(GC.gc_context_memory_report(self.context, 1, None, 0, byref(count)))
        text = create_string_buffer(count.value)
        check(GC.gc_context_memory_report(self.context, 1, text, len(text), None))
        report = json.loads(text.value)
        self.assertEqual((report["format"], len(report["graphs"]), report["execs"]), ("graphcap memory", 1, []))
        self.assertTrue(any(row["graphs"] == [0] for row in report["buffers"]))

        graph_exec = made(GC.gc_graph_instantiate, graph, None)
        check(GC.gc_graph_destroy(graph))
        check(GC.gc_graph_upload(graph_exec, self.stream))
        for replay in range(20):
            data[:] = [replay, 1, -2, 0.25]
            check(GC.gc_graph_launch(graph_exec, self.stream))
            check(GC.gc_stream_synchronize(self.stream))
            self.assertEqual(list(result), [-3.0 * x for x in data])
        replays = c_uint64()
        check(GC.gc_graph_exec_num_replays(graph_exec, byref(replays)))
        self.assertEqual(replays.value, 20)
        self.assertEqual(len(calls), 20)
        self.assertNotIn(threading.get_ident(), calls)
        check(GC.gc_graph_exec_destroy(graph_exec))

    def test_a_graph_is_built_read_and_edited(self):
        node, kind, enabled, count = c_uint64(), c_uint32(), c_int32(), c_size_t()
        result = (c_uint32 * 2)()
        gone = []
        letting_go = HostFunction(lambda _: gone.append(1))
        graph = made(GC.gc_graph_create, self.context)
        check(GC.gc_graph_retain_callback(graph, None, letting_go))
        fill = MemsetParams(sizeof(MemsetParams), 4, self.buffer, 0, 7, 0, 1, 1, 0)
        check(GC.gc_graph_add_node(graph, None, None, 0, work(WORK_MEMSET, memset_params=pointer(fill)), byref(node)))
        filled = c_uint64(node.value)
        copy = MemcpyParams(struct_size=sizeof(MemcpyParams), direction=MEMCPY_DEVICE_TO_HOST, source=self.buffer,
                            destination_host=ctypes.addressof(result), size=4, height=1, depth=1)
        check(GC.gc_graph_add_node(graph, byref(filled), None, 1, work(WORK_MEMCPY, memcpy_params=pointer(copy)), byref(node)))
        copied = c_uint64(node.value)
        check(GC.gc_graph_add_node(graph, None, None, 0, work(WORK_EMPTY), byref(node)))
        check(GC.gc_graph_add_dependencies(graph, byref(copied), byref(node), None, 1))
        order = (c_uint64 * 4)()
        check(GC.gc_graph_get_order(graph, order, len(order), byref(count)))
        self.assertEqual(order[:count.value], [filled.value, copied.value, node.value])
        check(GC.gc_node_kind(graph, copied, byref(kind)))
        self.assertEqual(kind.value, NODE_MEMCPY)
        check(GC.gc_node_set_name(graph, filled, "Füllung".encode()))
        text = ctypes.create_string_buffer(16)
        check(GC.gc_node_get_name(graph, filled, text, len(text), byref(count)))
        self.assertEqual((text.value.decode(), count.value), ("Füllung", 9))
        check(GC.gc_set_name(graph, b"whole"))
        check(GC.gc_get_name(graph, text, len(text), None))
        self.assertEqual(text.value, b"whole")
        memset = MemsetNodeParams(struct_size=sizeof(MemsetNodeParams))
        check(GC.gc_node_get_memset_params(graph, filled, byref(memset)))
        self.assertEqual((memset.element_size, memset.value, memset.width, memset.height), (4, 7, 1, 1))
        memcpy = MemcpyNodeParams(struct_size=sizeof(MemcpyNodeParams))
        check(GC.gc_node_get_memcpy_params(graph, copied, byref(memcpy)))
        self.assertEqual((memcpy.destination, memcpy.size), (ctypes.addressof(result), 4))
        found, pinned, offset = c_void_p(), c_void_p(), c_size_t()
        check(GC.gc_context_find_buffer(self.context, memcpy.source, byref(found), byref(pinned), byref(offset)))
        self.assertEqual((pinned.value, offset.value), (None, 0))
        check(GC.gc_buffer_destroy(found))
        replay = made(GC.gc_graph_instantiate, graph, None)

        def run():
            result[0] = 0
            check(GC.gc_graph_launch(replay, self.stream))
            check(GC.gc_stream_synchronize(self.stream))
            return result[0]

        self.assertEqual(run(), 7)
        fill.value = 9
        check(GC.gc_graph_exec_set_node(replay, filled, work(WORK_MEMSET, memset_params=pointer(fill))))
        self.assertEqual(run(), 9)
        check(GC.gc_graph_exec_set_node_enabled(replay, copied, 0))
        check(GC.gc_graph_exec_is_node_enabled(replay, copied, byref(enabled)))
        self.assertEqual((enabled.value, run()), (0, 0))
        self.assertEqual(GC.gc_graph_exec_set_node_enabled(replay, node, 0), INVALID_VALUE)
        clone = made(GC.gc_graph_clone, graph)
        inner = made(GC.gc_graph_create, self.context)
        check(GC.gc_graph_add_child_node(graph, None, 0, clone, byref(node)))
        check(GC.gc_node_set(graph, node, work(WORK_CHILD_GRAPH, graph=inner)))
        within = made(GC.gc_node_get_graph, graph, node, 0)
        check(GC.gc_graph_node_count(within, byref(count)))
        self.assertEqual(count.value, 0)
        called = HostFunction(lambda _: None)
        check(GC.gc_graph_add_node(inner, None, None, 0, work(WORK_HOST, function=called, user_data=7), byref(node)))
        host = HostNodeParams(struct_size=sizeof(HostNodeParams))
        check(GC.gc_node_get_host_params(inner, node, byref(host)))
        self.assertEqual((host.is_foreign, host.user_data), (0, 7))
        self.assertEqual(ctypes.cast(host.function, c_void_p).value, ctypes.cast(called, c_void_p).value)
        condition = c_uint64()
        check(GC.gc_graph_create_condition(inner, 0, 0, byref(condition)))
        loop = work(WORK_CONDITIONAL, condition=condition, conditional_kind=CONDITIONAL_WHILE, body_count=1)
        check(GC.gc_graph_add_node(inner, None, None, 0, loop, byref(node)))
        conditional = ConditionalNodeParams(struct_size=sizeof(ConditionalNodeParams))
        check(GC.gc_node_get_conditional_params(inner, node, byref(conditional)))
        self.assertEqual((conditional.kind, conditional.condition, conditional.body_count),
                         (CONDITIONAL_WHILE, condition.value, 1))
        for object_of in (within, inner):
            check(GC.gc_graph_destroy(object_of))
        check(GC.gc_graph_exec_update(replay, clone, 0, None))
        check(GC.gc_node_find_in_clone(graph, filled, clone, byref(node)))
        check(GC.gc_graph_remove_node(clone, node))
        update = ExecUpdateInfo(sizeof(ExecUpdateInfo))
        for refused in (GC.gc_graph_exec_update(replay, clone, EXEC_UPDATE_DRY_RUN, byref(update)),
                        GC.gc_graph_exec_update(replay, clone, 0, byref(update))):
            self.assertEqual((refused, update.status, update.result), (910, 910, 2))
        report = ExecApplyReport(sizeof(ExecApplyReport))
        # A node of the exec is disabled, and nobody knows which one of the graph that is.
        self.assertEqual(GC.gc_graph_exec_apply(replay, clone, None, byref(report)), 401)
        self.assertEqual((report.route, report.reason, report.status), (3, 4, 401))
        check(GC.gc_graph_node_count(clone, byref(count)))
        self.assertEqual(count.value, 2)
        check(GC.gc_graph_destroy(clone))
        check(GC.gc_graph_destroy(graph))
        self.assertEqual(gone, [])
        check(GC.gc_graph_exec_destroy(replay))
        check(GC.gc_context_collect(self.context))
        for _ in range(2000):
            if gone:
                break
            time.sleep(0.001)
        self.assertEqual(gone, [1])

    def test_a_reset_makes_older_objects_stale(self):
        context, stream, info = c_void_p(), c_void_p(), ContextInfo(sizeof(ContextInfo))
        check(GC.gc_context_create(None, byref(context)))
        check(GC.gc_stream_create(context, None, byref(stream)))
        check(GC.gc_context_get_info(context, byref(info)))
        self.assertEqual(info.generation, 1)
        check(GC.gc_context_reset(context))
        check(GC.gc_context_get_info(context, byref(info)))
        self.assertEqual(info.generation, 2)
        self.assertEqual(GC.gc_stream_synchronize(stream), -1)
        check(GC.gc_stream_destroy(stream))
        check(GC.gc_stream_create(context, None, byref(stream)))
        check(GC.gc_stream_synchronize(stream))
        graph, graph_exec, exec_info = c_void_p(), c_void_p(), GraphExecInfo(sizeof(GraphExecInfo))
        check(GC.gc_graph_create(context, byref(graph)))
        check(GC.gc_graph_instantiate(graph, None, byref(graph_exec)))
        check(GC.gc_graph_exec_get_info(graph_exec, byref(exec_info)))
        self.assertEqual(exec_info.generation, 2)
        check(GC.gc_graph_exec_destroy(graph_exec))
        check(GC.gc_graph_destroy(graph))
        check(GC.gc_stream_destroy(stream))
        check(GC.gc_context_destroy(context))

    def test_zero_is_the_default_of_every_option(self):
        # An actor_options of the first version has fewer bytes than a whole one.
        for size in (32, sizeof(ActorOptions)):
            options = ActorOptions(struct_size=size)
            check(GC.gc_actor_destroy(made(GC.gc_actor_create, self.context, byref(options))))
        capture = made(GC.gc_capture_begin, self.stream, CAPTURE_MODE_RELAXED, byref(CaptureOptions(struct_size=sizeof(CaptureOptions))))
        check(GC.gc_capture_destroy(capture))
        # What describes the work has no default: a launch of no blocks is none.
        config = LaunchConfig(struct_size=sizeof(LaunchConfig))
        value = ctypes.c_float(2)
        arguments = (KernelArg * 2)(*self.scale_arguments(value))
        self.assertEqual(GC.gc_stream_launch_kernel(self.stream, self.scale, byref(config), arguments, 2), INVALID_VALUE)
        self.assertIn("GRAPHCAP_LAUNCH_CONFIG(", message())
        config.grid_dim[:] = config.block_dim[:] = (1, 1, 1)
        check(GC.gc_stream_launch_kernel(self.stream, self.scale, byref(config), arguments, 2))
        check(GC.gc_stream_synchronize(self.stream))

    def test_misuse_is_a_status_and_a_message(self):
        self.assertEqual(GC.gc_stream_synchronize(None), INVALID_HANDLE)
        self.assertIn("gc_stream_synchronize", message())
        self.assertEqual(GC.gc_stream_synchronize(self.buffer), INVALID_HANDLE)
        self.assertIn("gc_buffer", message())
        self.assertEqual(GC.gc_stream_begin_capture(self.stream, 9), INVALID_VALUE)
        self.assertIn("mode", message())
        self.assertEqual(self.launch(self.scale, 4, []), INVALID_VALUE)
        self.assertIn("2", message())

    def test_a_broken_capture_can_be_left(self):
        check(GC.gc_stream_begin_capture(self.stream, CAPTURE_MODE_RELAXED))
        check(self.launch_scale(2.0))
        self.assertEqual(GC.gc_stream_synchronize(self.stream), CAPTURE_UNSUPPORTED)
        graph = c_void_p(1)
        self.assertEqual(GC.gc_stream_end_capture(self.stream, byref(graph)), CAPTURE_INVALIDATED)
        self.assertIsNone(graph.value)
        check(GC.gc_stream_synchronize(self.stream))

    def test_a_capture_tells_how_far_it_is(self):
        info = CaptureInfo(struct_size=sizeof(CaptureInfo))
        nodes, count = (c_uint64 * 4)(), c_size_t()
        check(GC.gc_stream_begin_capture(self.stream, CAPTURE_MODE_GLOBAL))
        check(self.launch_scale(2.0))
        check(GC.gc_stream_capture_frontier(self.stream, nodes, len(nodes), byref(count)))
        first = nodes[0]
        self.assertEqual(count.value, 1)
        check(self.launch_scale(2.0))
        check(GC.gc_stream_capture_info(self.stream, byref(info)))
        self.assertEqual((info.status, info.node_count, info.edge_count, info.frontier_count), (1, 2, 1, 1))
        check(GC.gc_stream_update_capture_dependencies(self.stream, (c_uint64 * 1)(first), None, 1, 1))
        check(self.launch_scale(2.0))
        graph = made(GC.gc_stream_end_capture, self.stream)
        check(GC.gc_graph_get_nodes(graph, nodes, len(nodes), byref(count)))
        self.assertEqual((count.value, nodes[0]), (3, first))
        pointers = (UnresolvedPointer * 2)()
        check(GC.gc_graph_unresolved_pointers(graph, pointers, len(pointers), byref(count)))
        self.assertEqual((count.value, pointers[0].node, pointers[0].address), (0, 0, 0))
        check(GC.gc_graph_destroy(graph))

    def test_a_relaxed_thread_waits_beside_captures(self):
        other = made(GC.gc_stream_create, self.context, None)
        check(GC.gc_stream_begin_capture(self.stream, CAPTURE_MODE_GLOBAL))
        mode = c_int32(CAPTURE_MODE_RELAXED)
        check(GC.gc_thread_exchange_capture_mode(byref(mode)))
        self.assertEqual(mode.value, CAPTURE_MODE_GLOBAL)
        check(GC.gc_stream_synchronize(other))
        check(GC.gc_thread_exchange_capture_mode(byref(mode)))
        self.assertEqual(GC.gc_stream_synchronize(other), CAPTURE_UNSUPPORTED)
        graph = c_void_p()
        self.assertEqual(GC.gc_stream_end_capture(self.stream, byref(graph)), CAPTURE_INVALIDATED)
        check(GC.gc_stream_destroy(other))

    def test_a_replay_takes_times_and_waits_have_limits(self):
        events = [made(GC.gc_event_create, self.context, None) for _ in range(2)]
        check(GC.gc_stream_begin_capture(self.stream, CAPTURE_MODE_GLOBAL))
        for event in events:
            check(GC.gc_event_record(event, self.stream, EVENT_RECORD_EXTERNAL))
        graph = made(GC.gc_stream_end_capture, self.stream)
        replay = made(GC.gc_graph_instantiate, graph, None)
        check(GC.gc_graph_launch(replay, self.stream))
        check(GC.gc_event_synchronize_for(events[1], 60 * 10**9))
        milliseconds = ctypes.c_float(-1)
        check(GC.gc_event_elapsed_time(*events, byref(milliseconds)))
        self.assertGreaterEqual(milliseconds.value, 0)
        gate = threading.Event()
        hold = HostFunction(lambda _: gate.wait())
        check(GC.gc_stream_launch_host_func(self.stream, hold, None, None))
        self.assertEqual(GC.gc_stream_synchronize_for(self.stream, 1000), TIMEOUT)
        gate.set()
        check(GC.gc_stream_synchronize_for(self.stream, 60 * 10**9))
        value = StreamAttributeValue(synchronization_policy=SYNCHRONIZATION_POLICY_SPIN)
        check(GC.gc_stream_set_attribute(self.stream, STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, byref(value)))
        told = StreamAttributeValue()
        check(GC.gc_stream_get_attribute(self.stream, STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, byref(told)))
        self.assertEqual((told.synchronization_policy, sizeof(told)), (SYNCHRONIZATION_POLICY_SPIN, 64))
        for event in events:
            check(GC.gc_event_destroy(event))
        check(GC.gc_graph_exec_destroy(replay))
        check(GC.gc_graph_destroy(graph))

    def test_an_object_owns_a_capture(self):
        data = (ctypes.c_float * 4)(1, 2, 3, 4)
        result = (ctypes.c_float * 4)()
        modules = (c_void_p * 1)(self.module)
        options = CaptureOptions(sizeof(CaptureOptions), 0, modules, 1)
        capture = made(GC.gc_capture_begin, self.stream, CAPTURE_MODE_GLOBAL, byref(options))
        copy = MemcpyParams(sizeof(MemcpyParams), MEMCPY_HOST_TO_DEVICE, destination=self.buffer,
                            source_host=ctypes.addressof(data), size=sizeof(data), height=1, depth=1)
        check(GC.gc_capture_record_memcpy(capture, byref(copy)))
        config = LaunchConfig(sizeof(LaunchConfig), (4, 1, 1), (1, 1, 1), 0, 0, 0, None, 0)
        by = ctypes.c_float(3.0)
        arguments = (KernelArg * 2)(*self.scale_arguments(by))
        check(GC.gc_capture_record_kernel(capture, b"scale", byref(config), arguments, 2))
        check(GC.gc_capture_record(capture, work(WORK_KERNEL, kernel=self.scale, config=addressof(config),
                                                 arguments=addressof(arguments), argument_count=2)))
        self.assertEqual(GC.gc_capture_record_kernel(capture, b"absent", byref(config), arguments, 2), NOT_FOUND)
        self.assertIn("absent", message())
        check(GC.gc_capture_record_memset(capture, self.buffer, 0, 0, 4, 1))
        copy = MemcpyParams(sizeof(MemcpyParams), MEMCPY_DEVICE_TO_HOST, source=self.buffer,
                            destination_host=ctypes.addressof(result), size=sizeof(result), height=1, depth=1)
        check(GC.gc_capture_record_memcpy(capture, byref(copy)))
        count, active = c_uint64(), c_int32()
        check(GC.gc_capture_recorded_count(capture, byref(count)))
        check(GC.gc_capture_is_active(capture, byref(active)))
        self.assertEqual((count.value, active.value), (5, 1))
        self.replayed(made(GC.gc_capture_end, capture))
        self.assertEqual(list(result), [0, 18, 27, 36])
        self.assertEqual(GC.gc_capture_abort(capture), CAPTURE_UNMATCHED)
        check(GC.gc_capture_destroy(capture))

    def test_rows_are_copied_from_and_to_pinned_memory(self):
        pinned, words_at, size = c_void_p(), c_void_p(), c_size_t()
        check(GC.gc_host_buffer_allocate(self.context, 64, 0, byref(pinned)))
        check(GC.gc_host_buffer_pointer(pinned, byref(words_at)))
        check(GC.gc_host_buffer_size(pinned, byref(size)))
        words = (c_uint32 * 16).from_address(words_at.value)
        words[:] = range(16)
        buffer = c_void_p()
        check(GC.gc_buffer_allocate(self.context, size, byref(buffer)))
        rows = MemsetParams(sizeof(MemsetParams), 4, buffer, 0, 7, 0, 4, 4, 16)
        check(GC.gc_context_memset(self.context, byref(rows)))
        copy = MemcpyParams(sizeof(MemcpyParams), MEMCPY_HOST_TO_DEVICE, destination=buffer, size=8, height=2, depth=1,
                            destination_pitch=16, source_pitch=32, source_host_buffer=pinned)
        check(GC.gc_stream_submit(self.stream, work(WORK_MEMCPY, memcpy_params=pointer(copy)), None))
        copy = MemcpyParams(sizeof(MemcpyParams), MEMCPY_DEVICE_TO_HOST, source=buffer, size=64, height=1, depth=1,
                            destination_host_buffer=pinned)
        check(GC.gc_stream_submit(self.stream, work(WORK_MEMCPY, memcpy_params=pointer(copy)), None))
        check(GC.gc_stream_synchronize(self.stream))
        self.assertEqual(list(words), [0, 1, 7, 7, 8, 9] + [7] * 10)
        check(GC.gc_host_buffer_destroy(pinned))
        check(GC.gc_buffer_destroy(buffer))

    def test_bytes_are_copied_between_contexts(self):
        other = made(GC.gc_context_create, None)
        buffer, data, result = c_void_p(), (c_uint32 * 4)(1, 2, 3, 4), (c_uint32 * 4)()
        check(GC.gc_buffer_allocate(other, sizeof(data), byref(buffer)))
        check(GC.gc_stream_memcpy_htod(self.stream, self.buffer, 0, data, sizeof(data)))
        peer = MemcpyParams(sizeof(MemcpyParams), MEMCPY_PEER, destination=buffer, source=self.buffer, source_offset=4, size=12,
                            height=1, depth=1)
        check(GC.gc_stream_submit(self.stream, work(WORK_MEMCPY, memcpy_params=pointer(peer)), None))
        check(GC.gc_stream_synchronize(self.stream))
        peer = MemcpyParams(sizeof(MemcpyParams), MEMCPY_PEER, destination=self.buffer, source=buffer, size=12, height=1, depth=1)
        check(GC.gc_context_memcpy(self.context, byref(peer)))
        check(GC.gc_buffer_destroy(buffer))
        check(GC.gc_context_destroy(other))
        check(GC.gc_stream_memcpy_dtoh(self.stream, result, self.buffer, 0, sizeof(result)))
        check(GC.gc_stream_synchronize(self.stream))
        self.assertEqual(list(result), [2, 3, 4, 4])

    def test_a_function_captures_and_its_failure_wins(self):
        data = (ctypes.c_float * 4)(1, 2, 3, 4)
        result = (ctypes.c_float * 4)()
        answers = [77, SUCCESS]

        def submit(stream, _user_data):
            check(GC.gc_stream_memcpy_htod(stream, self.buffer, 0, data, sizeof(data)))
            check(self.launch_scale(-1.0))
            check(GC.gc_stream_memcpy_dtoh(stream, result, self.buffer, 0, sizeof(result)))
            return answers.pop(0)

        function, graph = CaptureFunction(submit), c_void_p(1)
        arguments = (self.stream, CAPTURE_MODE_GLOBAL, None, function, None, None)
        self.assertEqual(GC.gc_stream_capture(*arguments, byref(graph)), 77)
        self.assertIn("returned 77", message())
        self.assertIsNone(graph.value)
        self.replayed(made(GC.gc_stream_capture, *arguments))
        self.assertEqual(list(result), [-1, -2, -3, -4])

    def test_a_pool_goes_with_the_last_exec(self):
        gone, index, count, number = [], c_size_t(), c_size_t(), c_uint64()
        letting_go = HostFunction(lambda _user_data: gone.append(True))
        pool, data = made(GC.gc_pool_create, self.context, None), (ctypes.c_float * 4)(1, 2, 3, 4)
        buffer, result = made(GC.gc_pool_allocate, pool, sizeof(data)), (ctypes.c_float * 4)()
        check(GC.gc_pool_add_object(pool, None, letting_go, byref(index)))
        check(GC.gc_pool_add_buffer(pool, buffer, byref(index)))
        check(GC.gc_pool_handle_new(pool, byref(number)))
        self.assertEqual(index.value, 1)

        def submit(stream, _user_data):
            check(GC.gc_stream_memcpy_htod(stream, buffer, 0, data, sizeof(data)))
            check(GC.gc_stream_memcpy_dtoh(stream, result, buffer, 0, sizeof(result)))
            return SUCCESS

        options = CaptureOptions(sizeof(CaptureOptions), 0, None, 0, pool)
        function = CaptureFunction(submit)
        graph = made(GC.gc_stream_capture, self.stream, CAPTURE_MODE_GLOBAL, byref(options), function, None, None)
        check(GC.gc_stream_begin_capture_with_pool(self.stream, CAPTURE_MODE_GLOBAL, pool))
        check(GC.gc_graph_destroy(made(GC.gc_stream_end_capture_with_pool, self.stream, pool)))
        execution = made(GC.gc_graph_instantiate, graph, None)
        check(GC.gc_pool_destroy(pool))
        check(GC.gc_buffer_destroy(buffer))
        check(GC.gc_graph_destroy(graph))
        check(GC.gc_graph_exec_pool_buffer_count(execution, byref(count)))
        self.assertEqual(count.value, 2)
        for found in (made(GC.gc_graph_exec_pool, execution), made(GC.gc_pool_handle_lookup, number)):
            check(GC.gc_pool_seal(found))
            self.assertEqual(GC.gc_pool_clear(found), BUSY)
            check(GC.gc_pool_destroy(found))
        check(GC.gc_pool_handle_release(number))
        check(GC.gc_graph_launch(execution, self.stream))
        check(GC.gc_stream_synchronize(self.stream))
        self.assertEqual(list(result), list(data))
        self.assertEqual(gone, [])
        check(GC.gc_graph_exec_destroy(execution))
        for _ in range(2000):
            if gone:
                break
            time.sleep(0.001)
        self.assertEqual(gone, [True])

    def test_a_cache_records_the_work_of_keys(self):
        recorded, destroyed = [], threading.Event()

        def record(stream, key, size, _user_data, _launch_data):
            recorded.append(ctypes.string_at(key, size))
            return GC.gc_stream_memset(stream, self.buffer, 0, len(recorded), 4, 1)

        function, destroy = RecordFunction(record), HostFunction(lambda _: destroyed.set())
        options = GraphCacheOptions(sizeof(GraphCacheOptions), 1, 0, 0, 0, function, None, destroy)
        cache = made(GC.gc_graph_cache_create, self.context, byref(options))
        for key in (b"a", b"shape", b"a"):
            check(GC.gc_graph_cache_launch(cache, key, len(key), self.stream, None))
        check(GC.gc_stream_synchronize(self.stream))
        stats = GraphCacheStats(sizeof(GraphCacheStats))
        check(GC.gc_graph_cache_get_stats(cache, byref(stats)))
        self.assertEqual((recorded, stats.recordings, stats.updates, stats.keys), ([b"a", b"shape"], 2, 2, 2))
        check(GC.gc_graph_cache_remove(cache, b"a", 1))
        check(GC.gc_graph_cache_clear(cache))
        check(GC.gc_context_destroy(made(GC.gc_object_context, cache)))
        check(GC.gc_graph_cache_destroy(cache))
        self.assertTrue(destroyed.wait(20))

    def test_a_script_is_recorded_of_structs_and_functions(self):
        destroyed, contexts = threading.Event(), []

        def record(context, _user_data):
            contexts.append(context)
            return GC.gc_stream_memset(made(GC.gc_record_context_stream, context), self.buffer, 4, 5, 4, 1)

        function, destroy = OpFunction(record), HostFunction(lambda _: destroyed.set())
        script = made(GC.gc_script_create, self.context)
        params = MemsetParams(struct_size=sizeof(MemsetParams), element_size=4, buffer=self.buffer, value=4, width=1, height=1)
        check(GC.gc_script_push(script, work(WORK_MEMSET, memset_params=pointer(params))))
        vtable = OpVtable(struct_size=sizeof(OpVtable), record=function, destroy=destroy)
        check(GC.gc_script_push_op(script, byref(vtable), None))
        check(GC.gc_script_prepare(script, None))
        failure = ScriptFailure(sizeof(ScriptFailure))
        graph = made(GC.gc_script_record, script, self.stream, CAPTURE_MODE_GLOBAL, byref(failure))
        check(GC.gc_script_submit(script, self.stream, None))
        check(GC.gc_stream_synchronize(self.stream))
        check(GC.gc_graph_destroy(graph))
        params.width = 1 << 40
        check(GC.gc_script_push(script, work(WORK_MEMSET, memset_params=pointer(params))))
        self.assertEqual(GC.gc_script_submit(script, self.stream, byref(failure)), INVALID_VALUE)
        self.assertEqual((failure.has_op, failure.op_index, failure.op_name), (1, 2, b"memset"))
        self.assertEqual(GC.gc_record_context_stream(contexts[0], byref(c_void_p())), INVALID_HANDLE)
        check(GC.gc_stream_synchronize(self.stream))
        check(GC.gc_script_destroy(script))
        self.assertTrue(destroyed.wait(20))

    def test_an_actor_answers_by_futures(self):
        """Record, launch, update and write by message; futures found by poll(2)."""
        script, done, destroyed = made(GC.gc_script_create, self.context), threading.Event(), threading.Event()
        params = MemsetParams(struct_size=sizeof(MemsetParams), element_size=4, buffer=self.buffer, value=4, width=1, height=1)
        check(GC.gc_script_push(script, work(WORK_MEMSET, memset_params=pointer(params))))
        options = ActorOptions(struct_size=sizeof(ActorOptions), mailbox_capacity=8)
        actor = made(GC.gc_actor_create, self.context, byref(options))
        recorded = made(GC.gc_actor_record, actor, script, CAPTURE_MODE_RELAXED, 0)
        check(GC.gc_future_wait(recorded, FOREVER, None))
        executable = made(GC.gc_future_take_exec, recorded)
        watched, fd = select.poll(), c_int32()
        check(GC.gc_actor_event_fd(actor, byref(fd)))
        watched.register(fd.value, select.POLLIN)
        pending = {made(GC.gc_actor_launch, actor, executable).value for _ in range(5)}
        while pending:
            watched.poll()
            answered = c_void_p()
            while GC.gc_actor_next_completed(actor, byref(answered)) == 0:
                check(GC.gc_future_wait(answered, 0, None))
                pending.remove(answered.value)
                check(GC.gc_future_destroy(answered))
        graph = made(GC.gc_script_record, script, self.stream, CAPTURE_MODE_RELAXED, None)
        updated = made(GC.gc_actor_update, actor, executable, graph)
        adopted = made(GC.gc_actor_adopt, actor, graph, 0)
        function, destroy = FutureFunction(lambda _future, _data: done.set()), HostFunction(lambda _: destroyed.set())
        check(GC.gc_future_on_done(adopted, function, None, destroy))
        written = made(GC.gc_actor_export_dot, actor, executable, 0)
        own = c_int32()
        check(GC.gc_future_event_fd(written, byref(own)))
        self.assertTrue(select.select([own.value], [], [], 20)[0])
        text, is_done = ctypes.create_string_buffer(1 << 16), c_uint32()
        check(GC.gc_future_text(written, text, sizeof(text), None))
        check(GC.gc_future_poll(written, byref(is_done)))
        self.assertTrue(is_done.value == 1 and text.value.startswith(b"digraph"))
        self.assertTrue(done.wait(20) and destroyed.wait(20))
        check(GC.gc_actor_close(actor, FOREVER))
        for future in (recorded, updated, adopted, written):
            check(GC.gc_future_wait(future, 0, None))
            check(GC.gc_future_destroy(future))
        for destroy_object, handle in ((GC.gc_graph_exec_destroy, executable), (GC.gc_graph_destroy, graph),
                                       (GC.gc_script_destroy, script), (GC.gc_actor_destroy, actor)):
            check(destroy_object(handle))

    def test_an_actor_replaces_the_plan_of_a_transform(self):
        plans = [made(GC.gc_fft_plan_create, self.context, byref(FftPlanParams(
            struct_size=sizeof(FftPlanParams), length=length, batch_count=batch))) for length, batch in ((4, 1), (2, 2))]
        numbers = (c_float * 16)(1, 2, 3, 4)
        buffer = made(GC.gc_buffer_allocate, self.context, sizeof(numbers))
        check(GC.gc_stream_memcpy_htod(self.stream, buffer, 0, numbers, sizeof(numbers)))
        check(GC.gc_stream_synchronize(self.stream))
        transform = FftParams(struct_size=sizeof(FftParams), plan=plans[0], input=buffer, output=buffer, output_offset=32)
        script = made(GC.gc_script_create, self.context)
        check(GC.gc_script_push(script, work(WORK_FFT_R2C, fft_params=addressof(transform))))
        actor = made(GC.gc_actor_create, self.context, None)
        futures = [made(GC.gc_actor_record, actor, script, CAPTURE_MODE_RELAXED, 0)]
        check(GC.gc_future_wait(futures[0], FOREVER, None))
        executable = made(GC.gc_future_take_exec, futures[0])
        futures += [made(GC.gc_actor_set_fft_plan, actor, executable, 0, plans[1]), made(GC.gc_actor_launch, actor, executable)]
        for future in futures:
            check(GC.gc_future_wait(future, FOREVER, None))
            check(GC.gc_future_destroy(future))
        check(GC.gc_stream_memcpy_dtoh(self.stream, numbers, buffer, 0, sizeof(numbers)))
        check(GC.gc_stream_synchronize(self.stream))
        self.assertAlmostEqual(numbers[8], 3, 3)
        self.assertAlmostEqual(numbers[12], 7, 3)
        for destroy_object, handle in ((GC.gc_graph_exec_destroy, executable), (GC.gc_script_destroy, script),
                                       (GC.gc_actor_destroy, actor), (GC.gc_buffer_destroy, buffer),
                                       (GC.gc_fft_plan_destroy, plans[0]), (GC.gc_fft_plan_destroy, plans[1])):
            check(destroy_object(handle))

    def test_matrices_are_multiplied_and_transforms_made(self):
        buffer = made(GC.gc_buffer_allocate, self.context, 128)
        numbers = (c_float * 32)(*([1, 2, 3, 4, 5, 6, 7, 8] + [0] * 24))
        check(GC.gc_stream_memcpy_htod(self.stream, buffer, 0, numbers, sizeof(numbers)))
        check(GC.gc_stream_synchronize(self.stream))
        product = SgemmParams(struct_size=sizeof(SgemmParams), m=2, n=2, k=2, a=buffer, b=buffer, b_offset=16, c=buffer,
                              c_offset=32, alpha=1)
        shape = FftPlanParams(struct_size=sizeof(FftPlanParams), length=4)
        plan = made(GC.gc_fft_plan_create, self.context, byref(shape))
        transform = FftParams(struct_size=sizeof(FftParams), plan=plan, input=buffer, output=buffer, output_offset=64)
        script = made(GC.gc_script_create, self.context)
        for kind, params in ((WORK_SGEMM, {"sgemm_params": product}), (WORK_FFT_R2C, {"fft_params": transform})):
            pointers = {name: ctypes.addressof(struct) for name, struct in params.items()}
            check(GC.gc_script_push(script, work(kind, **pointers)))
        check(GC.gc_fft_plan_destroy(plan))
        check(GC.gc_script_submit(script, self.stream, None))
        check(GC.gc_stream_memcpy_dtoh(self.stream, numbers, buffer, 0, sizeof(numbers)))
        check(GC.gc_stream_synchronize(self.stream))
        # The columns (1, 2) and (3, 4) by (5, 6) and (7, 8); and the transform of 1, 2, 3, 4.
        self.assertEqual(list(numbers[8:12]), [23, 34, 31, 46])
        self.assertEqual([round(number, 5) for number in numbers[16:22]], [10, 0, -2, 2, -2, 0])
        check(GC.gc_script_destroy(script))
        check(GC.gc_buffer_destroy(buffer))

    def test_values_are_written_and_waited_for(self):
        other = made(GC.gc_stream_create, self.context, None)
        check(GC.gc_stream_write_value64(self.stream, self.buffer, 0, 0, 0))
        check(GC.gc_stream_synchronize(self.stream))
        operations = (MemOp * 2)(
            MemOp(sizeof(MemOp), MEM_OP_WAIT_VALUE32, self.buffer, 0, 7, WAIT_VALUE_EQ, 0, None),
            MemOp(sizeof(MemOp), MEM_OP_WRITE_VALUE64, self.buffer, 8, 1 << 40, 0, 0, None))
        check(GC.gc_stream_batch_mem_op(self.stream, operations, 2, 0))
        check(GC.gc_stream_wait_value64(self.stream, self.buffer, 8, 1 << 40, WAIT_VALUE_EQ))
        check(GC.gc_stream_write_value32(other, self.buffer, 0, 7, 0))
        check(GC.gc_stream_wait_value32(other, self.buffer, 12, 1 << 8, WAIT_VALUE_EQ))
        check(GC.gc_stream_synchronize(other))
        seen = (c_uint64 * 2)()
        check(GC.gc_stream_memcpy_dtoh(self.stream, seen, self.buffer, 0, sizeof(seen)))
        check(GC.gc_stream_synchronize(self.stream))
        self.assertEqual(list(seen), [7, 1 << 40])
        check(GC.gc_stream_destroy(other))

    def test_the_cpu_sees_managed_memory(self):
        buffer = c_void_p()
        check(GC.gc_buffer_allocate_managed(self.context, 8, MEM_ATTACH_GLOBAL, byref(buffer)))
        check(GC.gc_stream_attach_mem_async(self.stream, buffer, MEM_ATTACH_SINGLE))
        check(GC.gc_stream_memset(self.stream, buffer, 0, 0x1234, 2, 4))
        check(GC.gc_stream_synchronize(self.stream))
        address = c_uint64()
        check(GC.gc_buffer_address(buffer, byref(address)))
        self.assertEqual(list((c_uint32 * 2).from_address(address.value)), [0x12341234, 0x12341234])
        check(GC.gc_buffer_destroy(buffer))

    def test_a_scalar_changes_between_replays(self):
        rate, memory, offset, of, address = c_void_p(), c_void_p(), c_size_t(), c_uint32(), c_uint64()
        check(GC.gc_scalar_create(self.stream, SCALAR_F32, byref(c_float(0.5)), byref(rate)))
        check(GC.gc_scalar_buffer(rate, byref(memory), byref(offset)))
        check(GC.gc_scalar_type(rate, byref(of)))
        check(GC.gc_scalar_address(rate, byref(address)))
        self.assertEqual(of.value, SCALAR_F32)
        self.assertNotEqual(address.value, 0)
        check(GC.gc_stream_begin_capture(self.stream, CAPTURE_MODE_GLOBAL))
        check(GC.gc_stream_memcpy_dtod(self.stream, self.buffer, 0, memory, offset.value, 4))
        self.assertEqual(GC.gc_scalar_update(rate, self.stream, SCALAR_F32, byref(c_float(1))), ILLEGAL_STATE)
        graph = made(GC.gc_stream_end_capture, self.stream)
        execution = made(GC.gc_graph_instantiate, graph, None)
        for value in (0.25, -8.0):
            check(GC.gc_scalar_update(rate, self.stream, SCALAR_F32, byref(c_float(value))))
            check(GC.gc_graph_launch(execution, self.stream))
            seen, told = c_float(), c_float()
            check(GC.gc_stream_memcpy_dtoh(self.stream, byref(seen), self.buffer, 0, 4))
            check(GC.gc_scalar_read(rate, self.stream, SCALAR_F32, byref(told)))
            self.assertEqual((seen.value, told.value), (value, value))
        self.assertEqual(GC.gc_scalar_read(rate, self.stream, SCALAR_U64, byref(c_uint64())), INVALID_VALUE)
        self.assertIn("of type f32, not u64", message())
        check(GC.gc_graph_exec_destroy(execution))
        check(GC.gc_graph_destroy(graph))
        check(GC.gc_buffer_destroy(memory))
        check(GC.gc_scalar_destroy(rate))

    def test_replays_draw_the_next_random_numbers(self):
        rng, seed, offset, subsequence = c_void_p(), c_uint64(), c_uint64(), c_uint64()
        check(GC.gc_rng_create(self.stream, 0, 0, byref(rng)))
        params = RngUniformParams(struct_size=sizeof(RngUniformParams), rng=rng, buffer=self.buffer, count=2)
        script = made(GC.gc_script_create, self.context)
        uniform = work(WORK_RNG_UNIFORM, rng_uniform_params=pointer(params))
        check(GC.gc_script_push(script, uniform))
        graph = c_void_p()
        check(GC.gc_script_record(script, self.stream, CAPTURE_MODE_GLOBAL, None, byref(graph)))
        execution = made(GC.gc_graph_instantiate, graph, None)
        # Random123's answer for counter and key 0.
        words = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
        for first in (0, 2):
            floats = (c_float * 2)()
            check(GC.gc_graph_launch(execution, self.stream))
            check(GC.gc_stream_memcpy_dtoh(self.stream, byref(floats), self.buffer, 0, 8))
            check(GC.gc_rng_get_offset(rng, self.stream, byref(offset)))
            self.assertEqual(list(floats), [(word >> 8) / (1 << 24) for word in words[first:first + 2]])
            self.assertEqual(offset.value, first + 2)
        check(GC.gc_rng_set_seed(rng, self.stream, 1 << 40))
        check(GC.gc_rng_set_offset(rng, self.stream, 1 << 50))
        check(GC.gc_stream_submit(self.stream, uniform, None))
        check(GC.gc_rng_get_seed(rng, self.stream, byref(seed)))
        check(GC.gc_rng_get_offset(rng, self.stream, byref(offset)))
        check(GC.gc_rng_subsequence(rng, byref(subsequence)))
        self.assertEqual((seed.value, offset.value, subsequence.value), (1 << 40, (1 << 50) + 2, 0))
        state, captured = (c_uint64 * 4)(), c_void_p()
        self.assertEqual(GC.gc_rng_torch_state(rng, self.stream, 32, 4, state), ILLEGAL_STATE)
        check(GC.gc_stream_begin_capture(self.stream, CAPTURE_MODE_GLOBAL))
        check(GC.gc_rng_torch_state(rng, self.stream, 24, 4, state))
        check(GC.gc_stream_end_capture(self.stream, byref(captured)))
        self.assertEqual(state[2:], [1 << 32, 0])
        check(GC.gc_graph_destroy(captured))
        check(GC.gc_context_destroy(made(GC.gc_object_context, rng)))
        check(GC.gc_graph_exec_destroy(execution))
        check(GC.gc_graph_destroy(graph))
        check(GC.gc_script_destroy(script))
        check(GC.gc_rng_destroy(rng))

    def test_scalars_of_a_block_are_updated_at_once(self):
        first, second = c_uint64(1 << 40), c_float(2.5)
        types = (c_uint32 * 2)(SCALAR_U64, SCALAR_F32)
        values = (c_void_p * 2)(addressof(first), addressof(second))
        scalars = (c_void_p * 2)()
        check(GC.gc_scalar_create_block(self.stream, types, values, 2, scalars))
        first.value, second.value = 7, -1.5
        check(GC.gc_scalar_update_many(self.stream, scalars, types, values, 2))
        first.value, second.value = 0, 0
        check(GC.gc_scalar_read(scalars[0], self.stream, SCALAR_U64, byref(first)))
        check(GC.gc_scalar_read(scalars[1], self.stream, SCALAR_F32, byref(second)))
        self.assertEqual((first.value, second.value), (7, -1.5))
        context = made(GC.gc_object_context, scalars[1])
        check(GC.gc_context_destroy(context))
        for scalar in scalars:
            check(GC.gc_scalar_destroy(scalar))

    def test_a_faulting_kernel_is_named(self):
        info = ContextInfo(sizeof(ContextInfo))
        check(GC.gc_context_get_info(self.context, byref(info)))
        if info.device_kind == DEVICE_CUDA:
            self.skipTest("after a fault the driver refuses everything until the process ends")
        kernel = made(GC.gc_module_get_kernel, self.module, b"fault")
        check(self.launch(kernel, 1, []))
        self.assertEqual(GC.gc_context_synchronize(self.context), ILLEGAL_ADDRESS)
        self.assertIn("fault", message())
        check(GC.gc_kernel_destroy(kernel))


if __name__ == "__main__":
    unittest.main()
