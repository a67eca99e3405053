/* A stand-in for cuBLAS. */
#include "library.h"

struct handle {
    void *stream;
    uint64_t workspace;
    size_t bytes;
    int pointer_mode, math_mode, is_live;
};

STAND_IN_EXPORT int cublasCreate_v2(struct handle **out);
STAND_IN_EXPORT int cublasDestroy_v2(struct handle *handle);
STAND_IN_EXPORT int cublasSetStream_v2(struct handle *handle, void *stream);
STAND_IN_EXPORT int cublasSetWorkspace_v2(struct handle *handle, uint64_t workspace, size_t bytes);
STAND_IN_EXPORT int cublasSetPointerMode_v2(struct handle *handle, int mode);
STAND_IN_EXPORT int cublasSetMathMode(struct handle *handle, int mode);
STAND_IN_EXPORT int cublasSgemmStridedBatched(struct handle *handle, int transpose_a, int transpose_b, int m, int n, int k,
                                              const float *alpha, uint64_t a, int lda, long long stride_a, uint64_t b,
                                              int ldb, long long stride_b, const float *beta, uint64_t c, int ldc,
                                              long long stride_c, int batch);

int cublasCreate_v2(struct handle **out) {
    static const struct handle none = {NULL, 0, 0, 0, 0, 1};
    library_is_called("cublasCreate_v2");
    *out = malloc(sizeof **out);
    if (*out == NULL)
        return 3;
    **out = none;
    facts.live++;
    return 0;
}

int cublasDestroy_v2(struct handle *handle) {
    library_is_called("cublasDestroy_v2");
    facts.live--;
    free(handle);
    return 0;
}

int cublasSetStream_v2(struct handle *handle, void *stream) {
    library_is_called("cublasSetStream_v2");
    handle->stream = stream;
    handle->workspace = 0; /* as the real one */
    return 0;
}

int cublasSetWorkspace_v2(struct handle *handle, uint64_t workspace, size_t bytes) {
    library_is_called("cublasSetWorkspace_v2");
    if (workspace % 256 != 0)
        return 7;
    handle->workspace = workspace;
    handle->bytes = bytes;
    return 0;
}

int cublasSetPointerMode_v2(struct handle *handle, int mode) {
    handle->pointer_mode = mode;
    return 0;
}

int cublasSetMathMode(struct handle *handle, int mode) {
    handle->math_mode = mode;
    return 0;
}

int cublasSgemmStridedBatched(struct handle *handle, int transpose_a, int transpose_b, int m, int n, int k,
                              const float *alpha, uint64_t a, int lda, long long stride_a, uint64_t b, int ldb,
                              long long stride_b, const float *beta, uint64_t c, int ldc, long long stride_c, int batch) {
    library_is_called("cublasSgemmStridedBatched");
    (void)stride_a, (void)stride_b, (void)stride_c, (void)a, (void)b;
    if (m < 1 || n < 1 || k < 0 || batch < 1 || lda < (transpose_a ? k : m) || ldb < (transpose_b ? n : k) || ldc < m ||
        alpha == NULL || beta == NULL)
        return 7;
    if (handle->workspace == 0)
        library_violates("a product has no workspace, and would allocate one in the graph");
    library_notes(handle->stream, handle->workspace, handle->bytes, (uint64_t)(uintptr_t)handle, handle->pointer_mode,
                  handle->math_mode);
    return library_works(handle->stream, handle->workspace, c) ? 13 : 0;
}
