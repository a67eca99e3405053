/* Device code: the committed PTX has the kernels of the tables for the host device, under the same names and with
 * parameters of the same sizes, and is of a version and for a target that every driver takes. No GPU is needed. */
#include "kernels.h"

#include "../../examples/c/quickstart_kernels.h"

/* What is left of a text of PTX. */
struct reader {
    const char *at;
};

/* Moves behind the next `word` before `end`, if there is one. */
static int skip_past(struct reader *reader, const char *word, const char *end) {
    const char *found = strstr(reader->at, word);
    if (found == NULL || found >= end)
        return 0;
    reader->at = found + strlen(word);
    return 1;
}

/* The size of a parameter, from behind its ".param" on: ".u64 name", ".f32 name" or ".align 4 .b8 name[12]". */
static size_t parameter_size(const char *text) {
    const char *array = text + strcspn(text, ",[)");
    if (*array == '[')
        return (size_t)strtoul(array + 1, NULL, 10);
    return (size_t)strtoul(text + strcspn(text, "0123456789"), NULL, 10) / 8;
}

static const gc_host_kernel *find(const gc_host_kernel *table, size_t count, const char *name, size_t length) {
    size_t i;
    for (i = 0; i < count; i++)
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0)
            return &table[i];
    return NULL;
}

/* Compares the parameters up to `end` with those that the table states. */
static void expect_parameters(const gc_host_kernel *kernel, struct reader *reader, const char *end) {
    size_t count = 0;
    while (skip_past(reader, ".param", end)) {
        if (kernel->parameter_sizes != NULL) {
            size_t wanted = count < kernel->parameter_count ? kernel->parameter_sizes[count] : 0;
            if (check_failed(parameter_size(reader->at) == wanted))
                fprintf(stderr, "parameter %zu of %s has %zu bytes, not %zu\n", count, kernel->name,
                        parameter_size(reader->at), wanted);
        }
        count++;
    }
    if (kernel->parameter_sizes != NULL && check_failed(count == kernel->parameter_count))
        fprintf(stderr, "%s has %zu parameters, not %zu\n", kernel->name, count, kernel->parameter_count);
}

static void expect_entries(const char *ptx, const gc_host_kernel *table, size_t count) {
    struct reader reader;
    const char *whole = ptx + strlen(ptx);
    size_t entries = 0;
    reader.at = ptx;
    while (skip_past(&reader, ".entry ", whole)) {
        size_t length = strcspn(reader.at, "(");
        const gc_host_kernel *kernel = find(table, count, reader.at, length);
        entries++;
        if (check_failed(kernel != NULL))
            fprintf(stderr, "no host kernel is called %.*s\n", (int)length, reader.at);
        else
            expect_parameters(kernel, &reader, reader.at + strcspn(reader.at, ")"));
    }
    CHECK(entries == count);
}

/* A driver of CUDA 12.0 takes PTX up to ISA 8.0; the GPUs that it runs begin with sm_50. */
static void expect_version(const char *ptx) {
    struct reader reader;
    const char *whole = ptx + strlen(ptx);
    reader.at = ptx;
    CHECK(skip_past(&reader, ".version ", whole) && strtod(reader.at, NULL) <= 8.0);
    CHECK(skip_past(&reader, ".target sm_", whole) && strtoul(reader.at, NULL, 10) <= 50);
    CHECK(skip_past(&reader, ".address_size 64", whole));
}

/* A text ends where its NUL is, and its NUL is at its end. */
#define EXPECT_CODE(array, table)                                                   \
    do {                                                                            \
        CHECK(memchr(array, 0, sizeof array) == array + sizeof array - 1);          \
        expect_version((const char *)array);                                        \
        expect_entries((const char *)array, table, LENGTH_OF(table));               \
    } while (0)

static void the_kernels_of_the_tests_are_there(void) {
    EXPECT_CODE(kernels_ptx, test_kernels);
}

static void the_kernels_of_the_example_are_there(void) {
    EXPECT_CODE(quickstart_kernels_ptx, kernel_table);
}

int main(void) {
    RUN(the_kernels_of_the_tests_are_there);
    RUN(the_kernels_of_the_example_are_there);
    return check_finish();
}
