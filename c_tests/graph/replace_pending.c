/* Another buffer in the place of one in an exec of which launches are pending: they run as they were, and what they use stays until
 * they are over. */
#include "nodes.h"

enum { WORDS = 64, BYTES = WORDS * sizeof(uint32_t) };

static struct rig rig;

/* Saved bytes are read by launches that were made before, also when the node was set anew since. */
static void saved_bytes_stay_while_launches_read_them(void) {
    gc_buffer *one = open_buffer(rig.context, BYTES), *other = open_buffer(rig.context, BYTES);
    gc_graph *graph = open_graph(rig.context);
    gc_memcpy_params saved = GRAPHCAP_MEMCPY_INIT_HTOD(one, 0, NULL, BYTES);
    uint32_t words[WORDS];
    gc_graph_exec *exec;
    struct gate gate;
    gc_node node = 0;
    unsigned i;
    memset(words, 0, sizeof words);
    saved.source_host = words;
    saved.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &saved, &node));
    exec = open_exec(graph);
    for (i = 0; i < WORDS; i++)
        words[i] = 70 + i;
    CHECK_OK(gc_graph_exec_set_memcpy_node(exec, node, &saved));
    memset(words, 0, sizeof words);
    CHECK_OK(gc_graph_exec_replace_buffer(exec, one, other, NULL));
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    saved.source_host = words;
    CHECK_OK(gc_graph_exec_set_memcpy_node(exec, node, &saved));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(read_u32(rig.stream, other, 0) == 70 && read_u32(rig.stream, other, WORDS - 1) == 70 + WORDS - 1);
    CHECK(read_u32(rig.stream, one, 0) == 0);
    gate_free(&gate);
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
}

/* Buffers of which is told when they are let go. */
struct told {
    struct foreign memory;
    gc_buffer *buffer;
    unsigned released;
};

static void told_open(struct told *told) {
    foreign_open(&told->memory);
    told->released = 0;
    told->buffer = wrap_foreign(rig.context, &told->memory, &told->released);
}

static int is_let_go(struct told *told) {
    return collect_until(rig.context, &told->released, 1);
}

static int is_kept(struct told *told) {
    CHECK_OK(gc_context_collect(rig.context));
    return count_of(&told->released) == 0;
}

static void the_old_buffer_stays_for_launches_that_were_made_before(void) {
    struct told old, next;
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    struct gate gate;
    told_open(&old);
    told_open(&next);
    add_node(&rig, graph, NULL, 0, old.buffer, 0, 1);
    exec = open_exec(graph);
    CHECK_OK(gc_graph_replace_buffer(graph, old.buffer, next.buffer, NULL));
    gate_init(&gate);
    foreign_clear(&old.memory);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_exec_replace_buffer(exec, old.buffer, next.buffer, NULL));
    CHECK_OK(gc_buffer_destroy(old.buffer));
    CHECK_OK(gc_buffer_destroy(next.buffer));
    CHECK(is_kept(&old));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(foreign_word(&old.memory, 0) == 1);
    CHECK(is_let_go(&old) && is_kept(&next));
    gate_free(&gate);
    CHECK_OK(gc_graph_destroy(graph));
    foreign_clear(&next.memory);
    replay(&rig, exec);
    CHECK(foreign_word(&next.memory, 0) == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(is_let_go(&next));
    foreign_close(&old.memory);
    foreign_close(&next.memory);
}

int main(void) {
    rig_open(&rig);
    RUN(saved_bytes_stay_while_launches_read_them);
    RUN(the_old_buffer_stays_for_launches_that_were_made_before);
    rig_close(&rig);
    return check_finish();
}
