// A first replay in Go, by cgo: docs/languages.md tells how it is built.
package main

/*
#cgo CFLAGS: -I${SRCDIR}/include
#cgo LDFLAGS: -L${SRCDIR}/lib -lgraphcap
#include <graphcap.h>
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

func ok(status C.gc_status) {
	if status != C.GRAPHCAP_SUCCESS {
		var text [1024]C.char
		C.gc_last_error_message(&text[0], 1024, nil)
		panic(C.GoString(&text[0]))
	}
}

func main() {
	runtime.LockOSThread() // messages are of the thread whose call failed
	var context *C.gc_context
	var stream *C.gc_stream
	var buffer *C.gc_buffer
	var graph *C.gc_graph
	var replayed *C.gc_graph_exec
	ok(C.gc_context_create(nil, &context))
	ok(C.gc_stream_create(context, nil, &stream))
	ok(C.gc_buffer_allocate(context, 64, &buffer))
	ok(C.gc_stream_begin_capture(stream, C.GRAPHCAP_CAPTURE_MODE_GLOBAL))
	ok(C.gc_stream_memset(stream, buffer, 0, 7, 4, 16)) // 16 words of 4 bytes become 7
	ok(C.gc_stream_end_capture(stream, &graph))
	ok(C.gc_graph_instantiate(graph, nil, &replayed))
	ok(C.gc_graph_launch(replayed, stream))
	var words [16]uint32
	ok(C.gc_stream_memcpy_dtoh(stream, unsafe.Pointer(&words), buffer, 0, 64))
	ok(C.gc_stream_synchronize(stream))
	sum := uint32(0)
	for _, word := range words {
		sum += word
	}
	fmt.Println("replayed", sum)
}
