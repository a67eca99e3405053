# A host kernel and a host function in Python, behind the replay of first_replay_ctypes.py; structs come from graphcap-api.json.
from first_replay_ctypes import api, buffer, c, context, gc, plain, stream, words

def struct(of, /, **members):
    told = next(one for one in api["structs"] if one["name"] == of)
    fields = [(m["name"], plain[m["abi"]] * m["length"] if "length" in m else plain[m["abi"]]) for m in told["members"]]
    kind = type(of, (c.Structure,), {"_fields_": fields})
    return kind(struct_size=c.sizeof(kind), **members)
@c.CFUNCTYPE(c.c_int32, c.c_void_p, c.POINTER(c.c_void_p))
def add_one(block, arguments):                              # once per block; arguments[0] points to argument 0
    data = c.cast(arguments[0], c.POINTER(c.POINTER(c.c_uint32)))[0]
    for at in range(16):
        data[at] += 1
    return 0
@c.CFUNCTYPE(None, c.c_void_p)
def tell(user_data):
    print("added", sum(words))
name, sizes = c.create_string_buffer(b"add_one"), (c.c_size_t * 1)(8)
described = struct("gc_host_kernel", name=c.cast(name, c.c_void_p), function=c.cast(add_one, c.c_void_p),
                   parameter_sizes=c.cast(sizes, c.c_void_p), parameter_count=1)
code = struct("gc_module_description", host_kernels=c.cast(c.byref(described), c.c_void_p), host_kernel_count=1)
shape = struct("gc_launch_config", grid_dim=(1, 1, 1), block_dim=(1, 1, 1))
argument = struct("gc_kernel_arg", kind=2, buffer=buffer)   # GRAPHCAP_ARG_BUFFER
module, kernel = c.c_void_p(), c.c_void_p()
gc.gc_module_load(context, c.byref(code), c.byref(module))
gc.gc_module_get_kernel(module, name, c.byref(kernel))
gc.gc_stream_launch_kernel(stream, kernel, c.byref(shape), c.byref(argument), 1)
gc.gc_stream_memcpy_dtoh(stream, words, buffer, 0, 64)
gc.gc_stream_launch_host_func(stream, c.cast(tell, c.c_void_p), None, None)
gc.gc_stream_synchronize(stream)
