/* The kernel that counts and sets a condition, for both devices. */
#ifndef GRAPHCAP_TESTS_LOOP_H
#define GRAPHCAP_TESTS_LOOP_H

#include "condition_kernel_ptx.h"
#include "nodes.h"

/* loop(gc_condition condition, uint32_t *count, uint32_t limit): sets the condition to whether the count is below the limit. */
static inline int32_t kernel_loop(const gc_host_block *block, const void *const *arguments) {
    uint32_t *count = PARAMETER(uint32_t *, 1);
    (void)block;
    return gc_host_set_conditional(PARAMETER(gc_condition, 0), ++*count < PARAMETER(uint32_t, 2));
}

static inline gc_module *load_loop(const gc_context *context) {
    static const size_t sizes[] = {sizeof(gc_condition), sizeof(void *), sizeof(uint32_t)};
    static const gc_host_kernel kernels[] = {{(uint32_t)sizeof(gc_host_kernel), 0, "loop", kernel_loop, sizes, 3, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    description.image = condition_kernel_ptx;
    description.image_size = sizeof condition_kernel_ptx;
    description.host_kernels = kernels;
    description.host_kernel_count = LENGTH_OF(kernels);
    REQUIRE_OK(gc_module_load(context, &description, &module));
    return module;
}

#endif
