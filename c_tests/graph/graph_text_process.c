/* JSON texts whose objects are taken from those that live in the process. */
#include "nodes.h"

#include <pthread.h>

enum { BYTES = 256, ROOM = 1 << 15, ROUNDS = 200 };

static struct rig rig;
static char text[ROOM], again[ROOM];
static unsigned calls;

static gc_buffer *open_named(const gc_context *context, size_t size, const char *name) {
    gc_buffer *named = open_buffer(context, size);
    CHECK_OK(gc_set_name(named, name));
    return named;
}

static gc_host_buffer *open_host_named(const char *name) {
    gc_host_buffer *named = NULL;
    CHECK_OK(gc_host_buffer_allocate(rig.context, BYTES, 0, &named));
    CHECK_OK(gc_set_name(named, name));
    return named;
}

/* Fills a word of the buffer and copies it to the host buffer; with an event too. */
static gc_graph *open_work(const gc_buffer *words, const gc_host_buffer *pinned, const gc_event *event) {
    gc_graph *graph = open_graph(rig.context);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, words, 0, 16);
    gc_node last = fill_node(&rig, graph, NULL, 0, words, 1, 5), node = 0;
    copy.destination_host_buffer = pinned;
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &last, 1, &copy, &node));
    REQUIRE_OK(gc_graph_add_event_record_node(graph, &node, 1, event, &last));
    CHECK_OK(gc_graph_export_json(graph, text, ROOM, NULL));
    return graph;
}

static gc_graph_binding of_process(void) {
    const gc_graph_binding binding = GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_PROCESS, NULL, NULL);
    return binding;
}

static gc_status import(gc_graph **graph_out) {
    const gc_graph_binding binding = of_process();
    return gc_graph_import_json(rig.context, text, strlen(text), &binding, 1, graph_out);
}

static void names_are_found_in_the_process(void) {
    gc_buffer *words = open_named(rig.context, BYTES, "process words");
    gc_buffer *other = open_named(rig.context, BYTES, "other words");
    gc_host_buffer *pinned = open_host_named("process pinned");
    gc_event *event = open_event(rig.context);
    gc_graph_binding bindings[2];
    gc_graph *graph, *copy = NULL;
    CHECK_OK(gc_set_name(event, "process event"));
    graph = open_work(words, pinned, event);
    REQUIRE_OK(import(&copy));
    CHECK_OK(gc_graph_export_json(copy, again, ROOM, NULL));
    CHECK(strcmp(text, again) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    clear_buffer(rig.context, words);
    run_graph(&rig, copy);
    CHECK(read_u32(rig.stream, words, 1) == 5);
    CHECK_OK(gc_graph_destroy(copy));
    /* What is bound goes first. */
    clear_buffer(rig.context, words);
    {
        const gc_graph_binding bound = GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "process words", other);
        bindings[0] = of_process();
        bindings[1] = bound;
    }
    REQUIRE_OK(gc_graph_import_json(rig.context, text, strlen(text), bindings, 2, &copy));
    run_graph(&rig, copy);
    CHECK(read_u32(rig.stream, words, 1) == 0 && read_u32(rig.stream, other, 1) == 5);
    CHECK_OK(gc_graph_destroy(copy));
    /* The graph keeps what it found. */
    REQUIRE_OK(import(&copy));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(words));
    CHECK_OK(gc_host_buffer_destroy(pinned));
    run_graph(&rig, copy);
    CHECK_OK(gc_graph_destroy(copy));
    CHECK_STATUS(import(&copy), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_OK(gc_buffer_destroy(other));
}

/* Two handles of one object are one object, and a scalar is found by the name of its buffer. */
static void objects_are_counted_once(void) {
    const uint32_t zero = 0;
    gc_buffer *words = open_named(rig.context, BYTES, "words"), *again_words = NULL, *memory = NULL;
    gc_graph *graph = open_graph(rig.context), *copy = NULL;
    gc_host_buffer *none = NULL;
    gc_scalar *scalar = NULL;
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(NULL, 0, 9, 4, 1, 1, 0);
    uint64_t address = 0;
    size_t offset = 0;
    uint32_t value = 0;
    gc_node node = fill_node(&rig, graph, NULL, 0, words, 1, 5);
    CHECK_OK(gc_buffer_address(words, &address));
    REQUIRE_OK(gc_context_find_buffer(rig.context, address, &again_words, &none, &offset));
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_U32, &zero, &scalar));
    REQUIRE_OK(gc_scalar_buffer(scalar, &memory, &offset));
    CHECK_OK(gc_set_name(scalar, "number"));
    set.buffer = memory;
    set.offset = offset;
    REQUIRE_OK(gc_graph_add_memset_node(graph, &node, 1, &set, &node));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_export_json(graph, text, ROOM, NULL));
    CHECK_OK(gc_graph_destroy(graph));
    REQUIRE_OK(import(&copy));
    run_graph(&rig, copy);
    CHECK_OK(gc_scalar_read(scalar, rig.stream, GRAPHCAP_SCALAR_U32, &value));
    CHECK(value == 9 && read_u32(rig.stream, words, 1) == 5);
    CHECK_OK(gc_graph_destroy(copy));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(again_words));
    CHECK_OK(gc_buffer_destroy(words));
}

static void what_does_not_fit_is_told(void) {
    gc_context *elsewhere = open_context();
    gc_buffer *words = open_named(rig.context, BYTES, "words"), *twin;
    gc_host_buffer *pinned = open_host_named("pinned"), *host_twin;
    gc_event *event = open_event(rig.context), *event_twin = open_event(rig.context);
    gc_graph *graph, *copy = NULL;
    CHECK_OK(gc_set_name(event, "done"));
    graph = open_work(words, pinned, event);
    /* What is not like it stands in nobody's way. */
    twin = open_named(rig.context, BYTES / 2, "words");
    host_twin = open_host_named("words");
    REQUIRE_OK(import(&copy));
    CHECK_OK(gc_graph_destroy(copy));
    CHECK_OK(gc_set_name(words, "renamed"));
    CHECK_MESSAGE(import(&copy), GRAPHCAP_ERROR_INVALID_VALUE, "a buffer of 128 bytes");
    CHECK_MESSAGE(import(&copy), GRAPHCAP_ERROR_INVALID_VALUE, "a host buffer of 256 bytes");
    CHECK_OK(gc_buffer_destroy(twin));
    CHECK_OK(gc_host_buffer_destroy(host_twin));
    CHECK_MESSAGE(import(&copy), GRAPHCAP_ERROR_NOT_FOUND, "words");
    twin = open_named(elsewhere, BYTES, "words");
    CHECK_MESSAGE(import(&copy), GRAPHCAP_ERROR_INVALID_CONTEXT, "of another context");
    CHECK_OK(gc_set_name(words, "words"));
    REQUIRE_OK(import(&copy));
    CHECK_OK(gc_graph_destroy(copy));
    CHECK_OK(gc_buffer_destroy(twin));
    twin = open_named(rig.context, BYTES, "words");
    CHECK_MESSAGE(import(&copy), GRAPHCAP_ERROR_INVALID_VALUE, "several objects");
    CHECK_OK(gc_buffer_destroy(twin));
    CHECK_OK(gc_set_name(event_twin, "done"));
    CHECK_MESSAGE(import(&copy), GRAPHCAP_ERROR_INVALID_VALUE, "events[0]");
    CHECK(copy == NULL);
    CHECK_OK(gc_event_destroy(event_twin));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(words));
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_context_destroy(elsewhere));
}

/* A kernel is found by its module, also where it has no handle of its own. */
static void kernels_of_two_modules_are_told_apart(void) {
    struct rig other;
    gc_graph *graph, *copy = NULL;
    gc_module *twin;
    gc_buffer *words;
    const gc_graph_binding binding = of_process();
    rig_open(&other);
    words = open_named(other.context, BYTES, "words");
    graph = open_graph(other.context);
    fill_node(&other, graph, NULL, 0, words, 1, 5);
    CHECK_OK(gc_graph_export_json(graph, text, ROOM, NULL));
    CHECK_OK(gc_kernel_destroy(other.fill));
    REQUIRE_OK(gc_graph_import_json(other.context, text, strlen(text), &binding, 1, &copy));
    CHECK_OK(gc_graph_destroy(copy));
    twin = load_kernels(other.context);
    CHECK_MESSAGE(gc_graph_import_json(other.context, text, strlen(text), &binding, 1, &copy), GRAPHCAP_ERROR_INVALID_VALUE,
                  "kernels[0]");
    CHECK_OK(gc_module_destroy(twin));
    REQUIRE_OK(gc_graph_import_json(other.context, text, strlen(text), &binding, 1, &copy));
    run_graph(&other, copy);
    CHECK(read_u32(other.stream, words, 1) == 5);
    CHECK_OK(gc_graph_destroy(copy));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(words));
    other.fill = get_kernel(other.module, "fill");
    rig_close(&other);
}

static void wrong_bindings_are_refused(void) {
    gc_buffer *words = open_named(rig.context, BYTES, "words");
    gc_graph *graph = open_graph(rig.context), *copy = NULL;
    gc_graph_binding bindings[2];
    gc_node node = 0;
    bindings[0] = bindings[1] = of_process();
    REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &calls, NULL, &node));
    CHECK_OK(gc_graph_export_json(graph, text, ROOM, NULL));
    CHECK_MESSAGE(import(&copy), GRAPHCAP_ERROR_NOT_FOUND, "host function");
    CHECK_MESSAGE(gc_graph_import_json(rig.context, text, strlen(text), bindings, 2, &copy), GRAPHCAP_ERROR_INVALID_VALUE, "twice");
    bindings[0].handle = words;
    CHECK_MESSAGE(gc_graph_import_json(rig.context, text, strlen(text), bindings, 1, &copy), GRAPHCAP_ERROR_INVALID_VALUE, "handle");
    CHECK(copy == NULL);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(words));
}

static void *make_and_destroy(void *unused) {
    unsigned i;
    for (i = 0; i < ROUNDS; i++)
        CHECK_OK(gc_buffer_destroy(open_named(rig.context, BYTES, "coming")));
    return unused;
}

/* What is destroyed meanwhile is not used, or kept. */
static void objects_may_go_meanwhile(void) {
    gc_buffer *words = open_named(rig.context, BYTES, "coming");
    gc_graph *graph = open_graph(rig.context), *copy;
    pthread_t thread;
    unsigned i;
    fill_node(&rig, graph, NULL, 0, words, 1, 5);
    CHECK_OK(gc_graph_export_json(graph, text, ROOM, NULL));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(words));
    CHECK(pthread_create(&thread, NULL, make_and_destroy, NULL) == 0);
    for (i = 0; i < ROUNDS; i++) {
        gc_status status = import(&copy);
        CHECK(status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_NOT_FOUND);
        if (status == GRAPHCAP_SUCCESS) {
            run_graph(&rig, copy);
            CHECK_OK(gc_graph_destroy(copy));
        }
    }
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(void) {
    rig_open(&rig);
    RUN(names_are_found_in_the_process);
    RUN(objects_are_counted_once);
    RUN(what_does_not_fit_is_told);
    RUN(kernels_of_two_modules_are_told_apart);
    RUN(wrong_bindings_are_refused);
    RUN(objects_may_go_meanwhile);
    rig_close(&rig);
    return check_finish();
}
