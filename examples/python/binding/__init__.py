"""The part of graphcap.h that transformer_block.py and bench/gpu/rival_block_torch.py use, by ctypes: structs, calls that end the
program when they fail, and ops.

The library is the file that GRAPHCAP_LIBRARY names, or lib/libgraphcap.so.0 beside the folder examples."""

import ctypes
import os
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_float, c_int32, c_size_t, c_uint32, c_uint64, c_void_p, sizeof

WORK_KERNEL, WORK_MEMCPY, WORK_SGEMM, WORK_RNG_UNIFORM = 1, 2, 16, 24
DEVICE_CUDA, DEVICE_TO_HOST, CAPTURE_THREAD_LOCAL, ARG_VALUE, ARG_BUFFER, ERROR_LIBRARY = 1, 2, 1, 1, 2, -7
FOREVER = c_uint64(2**64 - 1)
EXAMPLES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KernelFunction = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(c_void_p))
SHORT = {"u4": c_uint32, "i4": c_int32, "u8": c_uint64, "z": c_size_t, "p": c_void_p, "s": c_char_p, "f": c_float,
         "dim": c_uint32 * 3, "function": KernelFunction}


def struct(name, fields):
    """A struct of graphcap.h. All begin with their size, which is filled in."""
    members = [("struct_size", c_uint32)] + [(member, SHORT[kind]) for member, kind in (field.split(":") for field in fields.split())]
    return type(name, (Structure,), {"_fields_": members, "__init__": lambda self, **values: Structure.__init__(
        self, struct_size=sizeof(type(self)), **values)})


ContextOptions = struct("ContextOptions", "device_kind:i4 device_ordinal:u4 flags:u4")
HostKernel = struct("HostKernel", "flags:u4 name:s function:function parameter_sizes:p parameter_count:z")
ModuleDescription = struct("ModuleDescription", "flags:u4 image:s image_size:z host_kernels:p host_kernel_count:z")
LaunchConfig = struct("LaunchConfig", "grid:dim block:dim shared:u4 flags:u4 reserved:u4 attributes:p attribute_count:z")
KernelArg = struct("KernelArg", "kind:u4 access:u4 reserved:u4 buffer:p offset:z value:p value_size:z access_offset:z access_size:z")
MemcpyParams = struct("MemcpyParams", "direction:u4 destination:p destination_offset:z destination_host:p source:p source_offset:z "
                      "source_host:p size:z flags:u4 reserved:u4 destination_host_buffer:p source_host_buffer:p height:z depth:z "
                      "destination_pitch:z destination_slice:z source_pitch:z source_slice:z")
SgemmParams = struct("SgemmParams", "math_mode:u4 m:u8 n:u8 k:u8 transpose_a:u4 transpose_b:u4 a:p a_offset:z lda:u8 stride_a:u8 "
                     "b:p b_offset:z ldb:u8 stride_b:u8 c:p c_offset:z ldc:u8 stride_c:u8 alpha:f beta:f alpha_scalar:p "
                     "beta_scalar:p batch_count:u8")
UniformParams = struct("UniformParams", "flags:u4 rng:p buffer:p offset:z count:z first:u8")
Work = struct("Work", "kind:u4 name:s kernel:p config:p arguments:p argument_count:z memcpy:p memset:p function:p user_data:p "
              "destroy:p graph:p event:p buffer:p offset:z conditional_kind:u4 body_count:u4 bodies:p uniform:p sgemm:p fft:p "
              "operations:p operation_count:z condition:u8 scalar:p size:z flags:u4 reserved:u4")


GC = ctypes.CDLL(os.environ.get("GRAPHCAP_LIBRARY") or os.path.join(EXAMPLES, "..", "lib", "libgraphcap.so.0"))


def call(name, *arguments):
    """Calls a function that answers a status. Ends the program when it fails, with 77 where a library of NVIDIA's is missing."""
    status = getattr(GC, name)(*arguments)
    if status != 0:
        why = ctypes.create_string_buffer(1024)
        GC.gc_last_error_message(why, c_size_t(len(why)), None)
        print(("skipped: " if status == ERROR_LIBRARY else "") + why.value.decode(), file=sys.stderr)
        sys.exit(77 if status == ERROR_LIBRARY else 1)


def made(name, *arguments):
    """The handle that a function puts into its last parameter."""
    handle = c_void_p()
    call(name, *arguments, byref(handle))
    return handle


def load(context, path, host_kernels=()):
    """Loads PTX, and functions under the names of its kernels, each with the sizes of its parameters."""
    sizes = [(c_size_t * len(sizes))(*sizes) for _, _, sizes in host_kernels]
    host = (HostKernel * len(host_kernels))(*(
        HostKernel(name=name, function=function, parameter_sizes=ctypes.addressof(size), parameter_count=len(size))
        for (name, function, _), size in zip(host_kernels, sizes)))
    with open(path, "rb") as file:
        image = file.read()
    code = ModuleDescription(image=image, image_size=len(image), host_kernels=ctypes.addressof(host),
                             host_kernel_count=len(host))
    return made("gc_module_load", context, byref(code))


def push(script, kind, **params):
    call("gc_script_push", script, byref(Work(kind=kind, **params)))


def push_kernel(script, module, name, grid, threads, places, *numbers):
    """Adds a launch. Its parameters are places, each a buffer and an offset, and then numbers of 32 bits."""
    values = [c_uint32(number) for number in numbers]
    arguments = [KernelArg(kind=ARG_BUFFER, buffer=buffer, offset=offset) for buffer, offset in places]
    arguments += [KernelArg(kind=ARG_VALUE, value=ctypes.addressof(value), value_size=4) for value in values]
    array = (KernelArg * len(arguments))(*arguments)
    config = LaunchConfig(grid=(grid, 1, 1), block=(threads, 1, 1))
    kernel = made("gc_module_get_kernel", module, name)
    push(script, WORK_KERNEL, kernel=kernel, config=ctypes.addressof(config), arguments=ctypes.addressof(array),
         argument_count=len(arguments))
    call("gc_kernel_destroy", kernel)  # the script keeps it


def push_product(script, m, n, k, a, b, c):
    """Adds C = A B of column-major matrices. Each is a buffer and an offset."""
    product = SgemmParams(m=m, n=n, k=k, a=a[0], a_offset=a[1], b=b[0], b_offset=b[1], c=c[0], c_offset=c[1], alpha=1)
    push(script, WORK_SGEMM, sgemm=ctypes.addressof(product))


def push_uniform(script, rng, buffer, offset, count):
    """Adds filling floats with random numbers."""
    fill = UniformParams(rng=rng, buffer=buffer, offset=offset, count=count)
    push(script, WORK_RNG_UNIFORM, uniform=ctypes.addressof(fill))
