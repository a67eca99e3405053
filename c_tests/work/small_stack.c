/* Threads that wait run no kernels where their stack is too small for them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "kernels.h"

#include <sys/mman.h>
#include <ucontext.h>

/* Uses more than the stacks below have, and less than a kernel is promised. */
static int32_t kernel_deep(const gc_host_block *block, const void *const *arguments) {
    volatile unsigned char locals[150 << 10];
    size_t i;
    (void)block;
    (void)arguments;
    for (i = 0; i < sizeof locals; i += 512)
        locals[i] = 1;
    return locals[512] - 1;
}

static const gc_host_kernel deep_kernel = {(uint32_t)sizeof(gc_host_kernel), 0, "deep", kernel_deep, sizes_u32, 0, NULL, 0};

static struct rig rig;
static gc_module *module;
static gc_kernel *deep;

enum { BYTES = 128 << 10 };

static void setup(void) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.host_kernels = &deep_kernel;
    description.host_kernel_count = 1;
    rig_open(&rig);
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    deep = get_kernel(module, "deep");
}

static void teardown(void) {
    CHECK_OK(gc_kernel_destroy(deep));
    CHECK_OK(gc_module_destroy(module));
    rig_close(&rig);
}

/* A stack with a page below it that nobody may touch. */
static unsigned char *open_stack(void) {
    unsigned char *stack =
        (unsigned char *)mmap(NULL, BYTES + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE) != 0)
        exit(EXIT_FAILURE);
    return stack;
}

static void *launch_and_wait(void *unused) {
    unsigned i;
    (void)unused;
    for (i = 0; i < 50; i++) {
        CHECK_OK(launch(rig.stream, deep, 8, 1, NULL, 0));
        CHECK_OK(gc_stream_synchronize(rig.stream));
    }
    CHECK_OK(launch(rig.stream, deep, 8, 1, NULL, 0));
    CHECK_OK(gc_context_synchronize(rig.context));
    return NULL;
}

static void a_thread_with_a_small_stack_waits_only(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    NOT_ON_CUDA("its kernels run on the GPU");
    setup();
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, BYTES) == 0);
    CHECK(pthread_create(&thread, &attributes, launch_and_wait, NULL) == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    teardown();
}

static ucontext_t caller, coroutine;

static void run_coroutine(void) {
    launch_and_wait(NULL);
}

static void a_coroutine_waits_only(void) {
    unsigned char *stack;
    NOT_ON_CUDA("its kernels run on the GPU");
    setup();
    /* So that the stack of this thread is known, and is large enough. */
    launch_and_wait(NULL);
    stack = open_stack();
    CHECK(getcontext(&coroutine) == 0);
    coroutine.uc_stack.ss_sp = stack + 4096;
    coroutine.uc_stack.ss_size = BYTES;
    coroutine.uc_link = &caller;
    makecontext(&coroutine, run_coroutine, 0);
    CHECK(swapcontext(&caller, &coroutine) == 0);
    munmap(stack, BYTES + 4096);
    teardown();
}

int main(void) {
    RUN(a_thread_with_a_small_stack_waits_only);
    RUN(a_coroutine_waits_only);
    return check_finish();
}
