// graphcap.h for SWIG, for Python: what becomes of statuses and outputs.
%module graphcap
%{
#include <graphcap.h>
%}
%include <stdint.i>
%include <carrays.i>
%array_class(uint32_t, words)

// A status that is no success becomes an exception, and the object that a call makes its result.
%typemap(out) gc_status {
    if ($1 != GRAPHCAP_SUCCESS) {
        char text[1024] = "";
        gc_last_error_message(text, sizeof text, NULL);
        SWIG_exception_fail(SWIG_RuntimeError, text);
    }
    $result = SWIG_Py_Void();
}
%define MADE(type, name)
%typemap(in, numinputs=0) type **name (type *made) { $1 = &made; }
%typemap(argout) type **name { Py_DECREF($result); $result = SWIG_NewPointerObj(*$1, $*1_descriptor, 0); }
%enddef
MADE(gc_context, context_out)
MADE(gc_stream, stream_out)
MADE(gc_buffer, buffer_out)
MADE(gc_graph, graph_out)
MADE(gc_graph_exec, exec_out)

%include <graphcap.h>
