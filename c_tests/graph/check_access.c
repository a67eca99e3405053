/* GRAPHCAP_CHECK_ACCESS=1: a kernel that touches what it did not state ends the process, with a message that names the kernel,
 * the argument and the byte. One that states what it does is never told of, whatever other threads do meanwhile. By protection keys
 * where the CPU has them, and by pages. Each program is a child process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "child.h"
#include "nodes.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, SIZE = 2 * PAGE, CELLS = 6, LAUNCHES = 12 };

static struct rig rig;
static gc_buffer *cells[CELLS];
static uint32_t seed;

static unsigned random_below(unsigned limit) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % limit;
}

static uint32_t words[CELLS];

/* A launch of `mix` on three cells. With `wrong` the access of that argument is left out: that of the result is stated to be read,
 * that of another one to be of the other page. */
static void launch_random(const gc_stream *stream, int wrong) {
    static const uint32_t accesses[] = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ};
    const unsigned first = random_below(CELLS), of[] = {first, (first + 1) % CELLS, (first + 2 + random_below(CELLS - 2)) % CELLS};
    const uint32_t constant = random_below(1000);
    struct kernel_call call;
    unsigned i;
    call_mix(&call, &rig, cells[of[0]], 0, 0, 0, constant);
    for (i = 0; i < 3; i++) {
        gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER(cells[of[i]]);
        argument.access = accesses[i];
        if ((int)i == wrong && i == 0)
            argument.access = GRAPHCAP_ACCESS_READ;
        else if ((int)i == wrong)
            argument.access_offset = PAGE;
        if ((int)i == wrong && i != 0)
            argument.access_size = 4;
        else if (random_below(2) == 0)
            argument.access_size = 4;
        set_argument(&call, i, argument);
    }
    words[of[0]] = mixed(words[of[1]], words[of[2]], constant);
    REQUIRE_OK(gc_stream_launch_kernel(stream, call.kernel, &call.config, call.arguments, call.count));
}

/* Eagerly or by a replay of an optimized graph. At most one access is left out. */
static void run_program(int wrong_launch, int wrong_argument) {
    const int is_captured = random_below(2) == 0;
    gc_graph *graph = NULL, *result = NULL;
    unsigned i;
    for (i = 0; i < CELLS; i++) {
        words[i] = random_below(100000);
        REQUIRE_OK(gc_stream_memset(rig.stream, cells[i], 0, words[i], 4, SIZE / 4));
    }
    if (is_captured)
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    for (i = 0; i < LAUNCHES; i++)
        launch_random(rig.stream, (int)i == wrong_launch ? wrong_argument : -1);
    if (is_captured) {
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        REQUIRE_OK(gc_graph_optimize(graph, NULL, &result, NULL, NULL));
        run_graph(&rig, result);
        CHECK_OK(gc_graph_destroy(result));
        CHECK_OK(gc_graph_destroy(graph));
    }
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < CELLS; i++)
        CHECK(read_u32(rig.stream, cells[i], 0) == words[i]);
}

static volatile int is_over;
static unsigned char *shared_bytes;

/* Another thread touches memory that no kernel states, and copies, allocates and frees. */
static void *meddle(void *unused) {
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned rounds = 0;
    (void)unused;
    while (!is_over) {
        gc_buffer *buffer = open_buffer(rig.context, 100);
        shared_bytes[rounds++ % PAGE]++;
        CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 8));
        CHECK(read_u32(stream, buffer, 0) == 1);
        CHECK_OK(gc_buffer_destroy(buffer));
    }
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void true_programs(unsigned rounds) {
    static const uint32_t stated[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    gc_host_buffer *pinned = NULL;
    void *pointer = NULL;
    pthread_t thread;
    unsigned i;
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, PAGE, 0, &pinned));
    REQUIRE_OK(gc_host_buffer_pointer(pinned, &pointer));
    shared_bytes = (unsigned char *)pointer;
    REQUIRE_OK(gc_kernel_set_accesses(rig.add, stated, 3));
    if (pthread_create(&thread, NULL, meddle, NULL) != 0)
        exit(EXIT_FAILURE);
    for (i = 0; i < rounds; i++) {
        seed = i * 7919 + 1;
        run_program(-1, -1);
        REQUIRE_OK(gc_stream_memset(rig.stream, cells[0], 0, 3, 4, 64));
        REQUIRE_OK(launch_add(&rig, rig.stream, cells[0], 0, i, 1));
        CHECK(read_u32(rig.stream, cells[0], 0) == 3 + i);
    }
    is_over = 1;
    pthread_join(thread, NULL);
    CHECK_OK(gc_host_buffer_destroy(pinned));
}

static uint32_t *besides_word;

/* Adds 1 to a word that no argument points to. */
static int32_t reach(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    *besides_word += 1;
    return 0;
}

static int kernel_runs, is_touched;

/* Adds 1 to the word as soon as the kernel runs. */
static void *touch(void *argument) {
    while (!__atomic_load_n(&kernel_runs, __ATOMIC_ACQUIRE))
        pause_ms(1);
    *besides_word += 1;
    __atomic_store_n(&is_touched, 1, __ATOMIC_RELEASE);
    return argument;
}

/* Waits for the thread above. One that waits for the kernel goes on behind it. */
static int32_t await_touch(const gc_host_block *block, const void *const *arguments) {
    unsigned looks = 0;
    (void)block, (void)arguments;
    __atomic_store_n(&kernel_runs, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&is_touched, __ATOMIC_ACQUIRE) && looks++ < 5000)
        pause_ms(1);
    return looks < 5000 ? 0 : 1;
}

/* Whether the CPU has protection keys, and the system gives some. */
static int has_keys(void) {
#ifdef SYS_pkey_alloc
    const long key = syscall(SYS_pkey_alloc, 0L, 0L);
    if (key >= 0)
        syscall(SYS_pkey_free, key);
    return key >= 0;
#else
    return 0;
#endif
}

static void load_one(const char *name, gc_host_kernel_fn function, gc_module **module, gc_kernel **kernel) {
    static const size_t size = 8;
    static const uint32_t of_argument[] = {GRAPHCAP_ACCESS_READ};
    const gc_host_kernel kernels[] = {{sizeof(gc_host_kernel), 0, name, function, &size, 1, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    uint64_t address = 0;
    description.host_kernels = kernels;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(rig.context, &description, module));
    REQUIRE_OK(gc_module_get_kernel(*module, name, kernel));
    REQUIRE_OK(gc_stream_memset(rig.stream, cells[0], 0, 7, 4, SIZE / 4));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    REQUIRE_OK(gc_buffer_address(cells[0], &address));
    besides_word = (uint32_t *)(uintptr_t)address;
    REQUIRE_OK(gc_kernel_set_accesses(*kernel, of_argument, 1));
}

/* A kernel that waits for another thread, which touches what the kernel does not state. */
static void thread_program(void) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(cells[1])};
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    pthread_t thread;
    load_one("await_touch", await_touch, &module, &kernel);
    if (pthread_create(&thread, NULL, touch, NULL) != 0)
        exit(EXIT_FAILURE);
    REQUIRE_OK(gc_stream_launch_kernel(rig.stream, kernel, &config, arguments, 1));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    pthread_join(thread, NULL);
    CHECK(*besides_word == 8);
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

/* A kernel that touches a buffer which is stated besides: to be read and written, to be read, or not at all. */
static void reach_program(unsigned way) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(cells[1])};
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    load_one("reach", reach, &module, &kernel);
    if (way < 2)
        REQUIRE_OK(gc_kernel_set_buffer_access(kernel, cells[0], way == 0 ? GRAPHCAP_ACCESS_READ_WRITE : GRAPHCAP_ACCESS_READ));
    REQUIRE_OK(gc_stream_launch_kernel(rig.stream, kernel, &config, arguments, 1));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    CHECK(read_u32(rig.stream, cells[0], 0) == 8);
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    printf("nothing happened\n");
}

/* Launches that state of all their arguments that they are read: the kernel writes one of them. */
static void read_alone_program(void) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(cells[1])};
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    unsigned i;
    load_one("reach", reach, &module, &kernel);
    REQUIRE_OK(gc_kernel_set_accesses(kernel, NULL, 0));
    arguments[0].access = GRAPHCAP_ACCESS_READ;
    for (i = 0; i < 3; i++)
        REQUIRE_OK(gc_stream_launch_kernel(rig.stream, kernel, &config, arguments, 1));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    CHECK(read_u32(rig.stream, cells[0], 0) == 10);
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

/* So many programs that state what they do, or the one of that number with an access left out. */
static int child_main(const char *number, const char *argument) {
    unsigned i;
    dup2(STDOUT_FILENO, STDERR_FILENO);
    setenv("GRAPHCAP_DEVICE", "host", 1);
    if (strcmp(argument, "odd") == 0) {
        setenv("GRAPHCAP_CHECK_ACCESS", "yes", 1);
        gc_context *context = NULL;
        CHECK_MESSAGE(gc_context_create(NULL, &context), GRAPHCAP_ERROR_INVALID_VALUE, "it is \"yes\"");
        return check_failures == 0 ? 0 : 1;
    }
    rig_open(&rig);
    for (i = 0; i < CELLS; i++) {
        char name[16];
        snprintf(name, sizeof name, "cell %u", i);
        cells[i] = open_buffer(rig.context, SIZE);
        REQUIRE_OK(gc_set_name(cells[i], name));
    }
    if (strcmp(argument, "true") != 0 || atoi(number) % 2 == 0) {
        static const uint32_t mix[] = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_NONE};
        REQUIRE_OK(gc_kernel_set_accesses(rig.mix, mix, 4));
    }
    if (strcmp(argument, "true") == 0) {
        true_programs((unsigned)atoi(number));
    } else if (strcmp(argument, "thread") == 0) {
        thread_program();
    } else if (strcmp(argument, "read alone") == 0) {
        read_alone_program();
    } else if (strcmp(argument, "besides") == 0) {
        reach_program((unsigned)atoi(number));
    } else {
        seed = (uint32_t)atoi(number) * 104729u + 3;
        run_program((int)random_below(LAUNCHES), atoi(argument));
        printf("nothing happened\n");
    }
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_buffer_destroy(cells[i]));
    rig_close(&rig);
    return check_failures == 0 ? 0 : 1;
}

static void an_access_that_is_left_out_is_found(void) {
    static const char *const told[] = {" wrote to byte 0 of buffer \"cell ", " read byte 0 of buffer \"cell ", " read byte 0 of buffer \"cell "};
    const unsigned rounds = soak(8, 300);
    unsigned round, argument;
    for (round = 0; round < rounds; round++) {
        for (argument = 0; argument < 3; argument++) {
            struct child child;
            const char *line;
            char number[16], which[16], message[8192] = "", words_of_argument[64];
            int status = 0;
            snprintf(number, sizeof number, "%u", round);
            snprintf(which, sizeof which, "%u", argument);
            snprintf(words_of_argument, sizeof words_of_argument, "argument %u, which points to it, is stated to be read", argument);
            child_start(&child, number, which);
            while ((line = child_line(&child, 60)) != NULL) {
                if (strncmp(line, "graphcap: GRAPHCAP_CHECK_ACCESS=1: kernel \"mix\"", 47) == 0)
                    snprintf(message, sizeof message, "%s", line);
                CHECK(strcmp(line, "nothing happened") != 0);
            }
            close(child.output);
            CHECK(waitpid(child.process, &status, 0) == child.process);
            CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
            if (strstr(message, told[argument]) == NULL || strstr(message, words_of_argument) == NULL) {
                fprintf(stderr, "    round %u, argument %u: %s\n", round, argument, message);
                CHECK(0);
            }
        }
    }
}

/* Once for a kernel, however often it is launched. */
static void launches_that_state_reads_alone_are_told_not_to_be_checked(void) {
    struct child child;
    const char *line;
    unsigned lines = 0;
    int status = 0;
    child_start(&child, "0", "read alone");
    while ((line = child_line(&child, 60)) != NULL)
        lines += strstr(line, "kernel \"reach\" is not checked: its launch states GRAPHCAP_ACCESS_READ of every argument") != NULL;
    close(child.output);
    CHECK(waitpid(child.process, &status, 0) == child.process);
    CHECK(lines == 1 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void buffers_that_no_argument_points_to_are_checked(void) {
    static const char *const told[] = {"nothing happened", "the buffer is stated to be read", "no argument that is stated points to it"};
    unsigned way;
    for (way = 0; way < 3; way++) {
        struct child child;
        const char *line;
        char number[16];
        int status = 0, is_told = 0;
        snprintf(number, sizeof number, "%u", way);
        child_start(&child, number, "besides");
        while ((line = child_line(&child, 60)) != NULL)
            is_told |= strstr(line, told[way]) != NULL;
        close(child.output);
        CHECK(waitpid(child.process, &status, 0) == child.process);
        CHECK(is_told && (way == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0 : WIFSIGNALED(status)));
    }
}

static void what_is_stated_right_is_never_told_of(void) {
    unsigned is_odd;
    for (is_odd = 0; is_odd < 2; is_odd++) {
        struct child child;
        char number[16];
        snprintf(number, sizeof number, "%u", soak(80, 20000) + is_odd);
        child_start(&child, number, "true");
        CHECK(child_end(&child, (int)soak(300, 3000)) == 0);
    }
}

static void a_kernel_may_wait_for_a_thread_that_touches_what_is_hidden(void) {
    struct child child;
    child_start(&child, "0", "thread");
    CHECK(child_end(&child, 60) == 0);
}

static void other_words_are_refused(void) {
    struct child child;
    child_start(&child, "0", "odd");
    CHECK(child_end(&child, 60) == 0);
}

int main(int argc, char **argv) {
    static const char *const ways[] = {"1", "pages"};
    size_t way;
    if (argc == 3)
        return child_main(argv[1], argv[2]);
    for (way = 0; way < LENGTH_OF(ways); way++) {
        setenv("GRAPHCAP_CHECK_ACCESS", ways[way], 1);
        RUN(an_access_that_is_left_out_is_found);
        RUN(buffers_that_no_argument_points_to_are_checked);
        RUN(launches_that_state_reads_alone_are_told_not_to_be_checked);
        RUN(what_is_stated_right_is_never_told_of);
        if (way == 0 && has_keys())
            RUN(a_kernel_may_wait_for_a_thread_that_touches_what_is_hidden);
    }
    RUN(other_words_are_refused);
    return check_finish();
}
