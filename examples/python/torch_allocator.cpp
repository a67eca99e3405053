// What lets PyTorch allocate from a pool of graphcap's: PyTorch does not look at NULL, and its next kernel would fault, so a refusal
// becomes an exception here. torch_pool.py builds this file and uses it. To build it by hand:
//
//     c++ -std=c++17 -shared -fPIC -I INCLUDE torch_allocator.cpp LIBRARY -o torch_allocator.so
//
// With PyTorch's headers (-I .../torch/include) the exception is PyTorch's own of memory that is not there.
#include <graphcap_allocators.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#if __has_include(<c10/util/Exception.h>)
#include <c10/util/Exception.h>
#endif

extern "C" {

void *torch_allocate(std::ptrdiff_t size, int device, void *stream) {
    void *const address = gc_pool_torch_allocate(size, device, stream);
    if (address != nullptr || size == 0) return address;
    char text[512] = "";
    if (gc_last_error_message(text, sizeof text, nullptr) != GRAPHCAP_SUCCESS && text[0] == '\0')
        return nullptr;
#if __has_include(<c10/util/Exception.h>)
    TORCH_CHECK_WITH(OutOfMemoryError, false, text);
#else
    throw std::runtime_error(text);
#endif
}

void torch_free(void *address, std::ptrdiff_t size, int device, void *stream) {
    gc_pool_torch_free(address, size, device, stream);
}

void torch_record_stream(void *address, void *stream) {
    gc_pool_torch_record_stream(address, stream);
}
}
