/* Single calls without a graph: an eager launch, an event record, memory taken and given back. Nothing is promised. */
#include "../timing.h"
#include "report.h"

enum { BATCH = 50, ALLOCATION = 64 * 1024 };

typedef struct {
    work *w;
    const gc_event *event;
    void *native_event;
} call_state;

static void repeat_launch(const call_state *s, side who) {
    if (who == RAW) {
        for (int i = 0; i < BATCH; i++) work_launch_raw(s->w);
    } else {
        for (int i = 0; i < BATCH; i++) work_launch_graphcap(s->w);
    }
    s->w->runs += BATCH;
}

static void repeat_record(const call_state *s, side who) {
    if (who == RAW) {
        for (int i = 0; i < BATCH; i++) CU_CHECK(cu.cuEventRecord(s->native_event, s->w->native));
    } else {
        for (int i = 0; i < BATCH; i++) CHECK(gc_event_record(s->event, s->w->stream, 0));
    }
}

static void repeat_allocate(const call_state *s, side who) {
    if (who == RAW) {
        for (int i = 0; i < BATCH; i++) {
            uint64_t address;
            CU_CHECK(cu.cuMemAllocAsync(&address, ALLOCATION, s->w->native));
            CU_CHECK(cu.cuMemFreeAsync(address, s->w->native));
        }
    } else {
        for (int i = 0; i < BATCH; i++) {
            gc_buffer *buffer;
            CHECK(gc_buffer_allocate(s->w->device->context, ALLOCATION, &buffer));
            CHECK(gc_buffer_destroy(buffer));
        }
    }
}

static const struct {
    const char *name;
    void (*repeat)(const call_state *s, side who);
} calls[] = {{"eager kernel launch", repeat_launch},
             {"event record", repeat_record},
             {"64 KiB taken and given back", repeat_allocate}};

typedef struct {
    call_state call;
    size_t index;
} take_state;

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const take_state *s = user_data;
    work_enter(s->call.w, who);
    const double start = now_ns();
    calls[s->index].repeat(&s->call, who);
    ns[0] = (now_ns() - start) / BATCH;
    work_synchronize(s->call.w, who);
}

void bench_calls(report *r, work *w) {
    gc_event *event;
    take_state s = {.call = {.w = w}};
    CHECK(gc_event_create(w->device->context, NULL, &event));
    CHECK(gc_event_native(event, &s.call.native_event));
    s.call.event = event;
    for (s.index = 0; s.index < sizeof calls / sizeof calls[0]; s.index++) {
        figure ns;
        report_compare(r, take, &s, 1, &ns);
        report_add(r, calls[s.index].name, work_name(w), 0, ns, 0.0);
    }
    CHECK(gc_event_destroy(event));
}
