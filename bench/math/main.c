/* graphcap-bench-math: products of matrices and Fourier transforms of the host device, on one lane beside OpenBLAS and FFTW on one
 * thread, and on all lanes beside one.
 *
 * One process has one core, and so one lane; another one has all. They take turns, and each figure is the best of its
 * rounds, since other programs only ever make one slower. One lane and the other library are compared by the CPU time that
 * their process took, which leaves out the time that other programs had the core; all lanes and one by the clock, for which
 * the machine must be idle. Usage: graphcap-bench-math [rounds] */
#define _GNU_SOURCE
#include <cblas.h>
#include <fftw3.h>
#include <graphcap.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../machine.h"
#include "../timing.h"

enum what { GRAPHCAP, THEIRS };

/* What a process is asked to do once, and to tell the time of. */
struct job {
    int is_fft, transpose_a, transpose_b, is_back;
    uint64_t size, batch;
    enum what what;
    int is_new; /* or as the last one was */
};

/* A process, and the ends of the pipes to it and from it. */
struct worker {
    pid_t process;
    int to, from;
};

static void must(gc_status status, const char *call) {
    char text[1024];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(text, sizeof text, NULL);
    fprintf(stderr, "%s gave %d: %s\n", call, (int)status, text);
    exit(EXIT_FAILURE);
}
#define MUST(call) must((call), #call)

/* ---- What a process does ---- */

static struct {
    gc_context *context;
    gc_stream *stream;
    gc_buffer *buffers[3];
    gc_graph_exec *exec;
    float *memory[3];
    fftwf_plan plan;
} mine;

static void drop_all(void) {
    MUST(gc_graph_exec_destroy(mine.exec));
    for (int i = 0; i < 3; i++) {
        MUST(gc_buffer_destroy(mine.buffers[i]));
        fftwf_free(mine.memory[i]);
        mine.buffers[i] = NULL;
        mine.memory[i] = NULL;
    }
    if (mine.plan) fftwf_destroy_plan(mine.plan);
    mine.plan = NULL;
    mine.exec = NULL;
}

static void fill(size_t i, size_t count) {
    mine.memory[i] = fftwf_malloc(count * sizeof(float));
    for (size_t k = 0; k < count; k++) mine.memory[i][k] = (float)((k * 7919 + i) % 1000) / 500.0f - 1.0f;
    MUST(gc_buffer_allocate(mine.context, count * sizeof(float), &mine.buffers[i]));
    MUST(gc_stream_memcpy_htod(mine.stream, mine.buffers[i], 0, mine.memory[i], count * sizeof(float)));
    MUST(gc_stream_synchronize(mine.stream));
}

static void record(const gc_work *desc) {
    gc_script *script = NULL;
    gc_graph *graph = NULL;
    MUST(gc_script_create(mine.context, &script));
    MUST(gc_script_push(script, desc));
    MUST(gc_script_record(script, mine.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph));
    MUST(gc_graph_instantiate(graph, NULL, &mine.exec));
    MUST(gc_graph_destroy(graph));
    MUST(gc_script_destroy(script));
}

static void begin_product(const struct job *job) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_sgemm_params params = GRAPHCAP_SGEMM_PARAMS_INIT;
    for (size_t i = 0; i < 3; i++) fill(i, job->size * job->size);
    params.m = params.n = params.k = job->size;
    params.transpose_a = (uint32_t)job->transpose_a;
    params.transpose_b = (uint32_t)job->transpose_b;
    params.a = mine.buffers[0];
    params.b = mine.buffers[1];
    params.c = mine.buffers[2];
    params.alpha = 1;
    desc.kind = GRAPHCAP_WORK_SGEMM;
    desc.sgemm_params = &params;
    record(&desc);
}

static void begin_transform(const struct job *job) {
    int length = (int)job->size, batch = (int)job->batch, half = length / 2 + 1;
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_params params = GRAPHCAP_FFT_PARAMS_INIT;
    fill(0, (size_t)(job->is_back ? 2 * half : length) * job->batch);
    fill(1, (size_t)(job->is_back ? length : 2 * half) * job->batch);
    fill(2, 1);
    shape.length = job->size;
    shape.batch_count = job->batch;
    shape.direction = job->is_back ? GRAPHCAP_FFT_DIRECTION_C2R : GRAPHCAP_FFT_DIRECTION_R2C;
    params.plan_params = &shape;
    params.input = mine.buffers[0];
    params.output = mine.buffers[1];
    desc.kind = job->is_back ? GRAPHCAP_WORK_FFT_C2R : GRAPHCAP_WORK_FFT_R2C;
    desc.fft_params = &params;
    record(&desc);
    /* Both keep their input. */
    const unsigned flags = FFTW_MEASURE | FFTW_PRESERVE_INPUT;
    mine.plan = job->is_back ? fftwf_plan_many_dft_c2r(1, &length, batch, (fftwf_complex *)mine.memory[0], NULL, 1, half,
                                                       mine.memory[1], NULL, 1, length, flags)
                             : fftwf_plan_many_dft_r2c(1, &length, batch, mine.memory[0], NULL, 1, length,
                                                       (fftwf_complex *)mine.memory[1], NULL, 1, half, flags);
}

/* How long something took. */
struct took {
    double clock, cpu;
};

static double cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static struct took run(const struct job *job) {
    double start = now_ns(), cpu = cpu_ns();
    struct took took;
    if (job->what == GRAPHCAP) {
        MUST(gc_graph_launch(mine.exec, mine.stream));
        MUST(gc_stream_synchronize(mine.stream));
    } else if (job->is_fft) {
        fftwf_execute(mine.plan);
    } else {
        int n = (int)job->size;
        cblas_sgemm(CblasColMajor, job->transpose_a ? CblasTrans : CblasNoTrans, job->transpose_b ? CblasTrans : CblasNoTrans, n,
                    n, n, 1.0f, mine.memory[0], n, mine.memory[1], n, 0.0f, mine.memory[2], n);
    }
    took.clock = now_ns() - start;
    took.cpu = cpu_ns() - cpu;
    return took;
}

static void work(int from, int to) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    struct job job;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    MUST(gc_context_create(&options, &mine.context));
    MUST(gc_stream_create(mine.context, NULL, &mine.stream));
    openblas_set_num_threads(1);
    while (read(from, &job, sizeof job) == (ssize_t)sizeof job) {
        if (job.is_new) {
            drop_all();
            if (job.is_fft)
                begin_transform(&job);
            else
                begin_product(&job);
            run(&job);
        }
        struct took took = run(&job);
        if (write(to, &took, sizeof took) != (ssize_t)sizeof took) exit(EXIT_FAILURE);
    }
    drop_all();
    MUST(gc_stream_destroy(mine.stream));
    MUST(gc_context_destroy(mine.context));
    exit(EXIT_SUCCESS);
}

/* ---- What the program asks of them ---- */

static struct worker start(int one_core) {
    int to[2], from[2];
    struct worker worker;
    if (pipe(to) != 0 || pipe(from) != 0) exit(EXIT_FAILURE);
    worker.process = fork();
    if (worker.process == 0) {
        cpu_set_t cores;
        CPU_ZERO(&cores);
        CPU_SET((size_t)sched_getcpu(), &cores);
        if (one_core && sched_setaffinity(0, sizeof cores, &cores) != 0) exit(EXIT_FAILURE);
        close(to[1]);
        close(from[0]);
        work(to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    worker.to = to[1];
    worker.from = from[0];
    return worker;
}

static struct took ask(const struct worker *worker, struct job job, enum what what, int is_new) {
    struct took took;
    job.what = what;
    job.is_new = is_new;
    if (write(worker->to, &job, sizeof job) != (ssize_t)sizeof job ||
        read(worker->from, &took, sizeof took) != (ssize_t)sizeof took)
        exit(EXIT_FAILURE);
    return took;
}

/* The best times: on one lane, and of the other library, in CPU time; by the clock on all lanes, and on one. */
static void measure(const struct worker workers[2], struct job job, int rounds, double best[4]) {
    for (int i = 0; i < 4; i++) best[i] = INFINITY;
    for (int round = 0; round < rounds; round++) {
        struct took one = ask(&workers[0], job, GRAPHCAP, round == 0), theirs = ask(&workers[0], job, THEIRS, 0);
        best[0] = fmin(best[0], one.cpu);
        best[1] = fmin(best[1], theirs.cpu);
        best[2] = fmin(best[2], ask(&workers[1], job, GRAPHCAP, round == 0).clock);
        best[3] = fmin(best[3], one.clock);
    }
}

static void products(const struct worker workers[2], int rounds, int transpose_a, int transpose_b) {
    static const uint64_t sizes[] = {256, 384, 512, 768, 1024, 1536, 2048};
    double sum = 0, least = INFINITY, times[4];
    size_t count = sizeof sizes / sizeof *sizes;
    printf("\nsgemm, %s%s x %s%s, GFLOP/s\n  size  one lane  OpenBLAS  ratio  all lanes  times one\n", "A",
           transpose_a ? "^T" : "", "B", transpose_b ? "^T" : "");
    for (size_t i = 0; i < count; i++) {
        struct job job = {0, transpose_a, transpose_b, 0, sizes[i], 1, GRAPHCAP, 0};
        double work = 2.0 * (double)(sizes[i] * sizes[i] * sizes[i]);
        measure(workers, job, sizes[i] > 1024 ? rounds / 3 + 1 : rounds, times);
        printf("  %4llu  %8.1f  %8.1f  %5.2f  %9.1f  %9.2f\n", (unsigned long long)sizes[i], work / times[0], work / times[1],
               times[1] / times[0], work / times[2], times[3] / times[2]);
        fflush(stdout);
        sum += log(times[1] / times[0]);
        least = fmin(least, times[1] / times[0]);
    }
    printf("  geometric mean %.2f, least %.2f\n", exp(sum / (double)count), least);
}

static void transforms(const struct worker workers[2], int rounds, int is_back) {
    double least = INFINITY, sum = 0, times[4];
    size_t count = 0;
    printf("\nfft %s, us for each transform\n   length  batch  one lane      FFTW  ratio  all lanes  times one\n",
           is_back ? "c2r" : "r2c");
    for (int power = 8; power <= 22; power++, count++) {
        /* Powers of two, and then two other lengths. */
        uint64_t length = power <= 20 ? (uint64_t)1 << power : power == 21 ? 1000 : 100000;
        uint64_t batch = length < 1 << 16 ? ((uint64_t)1 << 16) / length : 1;
        struct job job = {1, 0, 0, is_back, length, batch, GRAPHCAP, 0};
        measure(workers, job, length > 1 << 18 ? rounds / 3 + 1 : rounds, times);
        for (int i = 0; i < 4; i++) times[i] /= 1e3 * (double)batch;
        printf("  %7llu  %5llu  %8.2f  %8.2f  %5.2f  %9.2f  %9.2f\n", (unsigned long long)length, (unsigned long long)batch,
               times[0], times[1], times[1] / times[0], times[2], times[3] / times[2]);
        fflush(stdout);
        sum += log(times[1] / times[0]);
        least = fmin(least, times[1] / times[0]);
    }
    printf("  geometric mean %.2f, least %.2f\n", exp(sum / (double)count), least);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 60;
    char name[128];
    const struct worker workers[2] = {start(1), start(0)};
    if (rounds < 1) rounds = 1;
    printf("%s; OpenBLAS's kernel %s; best of %d rounds\n", processor_name(name, sizeof name), openblas_get_corename(), rounds);
    products(workers, rounds, 0, 0);
    products(workers, rounds, 1, 0);
    products(workers, rounds, 0, 1);
    transforms(workers, rounds, 0);
    transforms(workers, rounds, 1);
    for (int i = 0; i < 2; i++) {
        close(workers[i].to);
        waitpid(workers[i].process, NULL, 0);
    }
    return EXIT_SUCCESS;
}
