"""The C interface of libgraphcap.so.0, function by function.

A function takes the parameters of the C function that it calls, without its outputs, and returns these: a handle as an int, a
number, a text, a list of nodes, the bytes of an array of structs. One that returns a status in C raises `graphcap.Error` instead.
A struct that the library fills is passed, as in C.

- A handle may be an object of graphcap's, an int, or None, which is NULL.
- A pointer may be an address, None, or an object with memory: a struct of `graphcap.raw`, `bytes`, a NumPy array.
- A list of nodes or handles may be a list.
- A callback is the address of a C function, as an int.

The header graphcap.h, which `graphcap.get_include()` has, tells what each function does.

>>> import graphcap
>>> from graphcap import raw
>>> context = raw.gc_context_create(raw.gc_context_options(device_kind=raw.GRAPHCAP_DEVICE_HOST))
>>> raw.gc_context_device_name(context) != ""
True
>>> raw.gc_context_destroy(context)
"""

from . import constants, functions, structs
from .constants import *
from .functions import *
from .structs import *

__all__: list[str] = []
__all__ += constants.__all__
__all__ += functions.__all__
__all__ += structs.__all__
