/* Modules: the kernels that a text of PTX declares, of which some do by their name what the PTX of the tests does. */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The version of PTX up to which the driver takes it. */
#define NEWEST_PTX (STAND_IN_DRIVER_VERSION >= 13000 ? 9.0 : 8.0)

static const void *parameter(const struct launch *launch, size_t index) {
    return launch->parameters + launch->function->offsets[index];
}

uint64_t parameter_u64(const struct launch *launch, size_t index) {
    uint64_t value;
    memcpy(&value, parameter(launch, index), sizeof value);
    return value;
}

static uint32_t parameter_u32(const struct launch *launch, size_t index) {
    uint32_t value;
    memcpy(&value, parameter(launch, index), sizeof value);
    return value;
}

static uint64_t threads_of(const struct launch *launch) {
    uint64_t threads = 1;
    size_t i;
    for (i = 0; i < 3; i++)
        threads *= (uint64_t)launch->grid[i] * launch->block[i];
    return threads;
}

/* The elements that a kernel of one thread per element works on; NULL when they are no memory of the device's. */
static uint32_t *elements_of(const struct launch *launch, uint64_t *count) {
    uint64_t address = parameter_u64(launch, 0), threads = threads_of(launch);
    *count = parameter_u64(launch, 2) < threads ? parameter_u64(launch, 2) : threads;
    return is_device_memory(address, *count * sizeof(uint32_t)) ? (uint32_t *)(uintptr_t)address : NULL;
}

static int run_fill_kernel(const struct launch *launch) {
    uint64_t i, count;
    uint32_t *elements = elements_of(launch, &count);
    for (i = 0; elements != NULL && i < count; i++)
        elements[i] = parameter_u32(launch, 1);
    return elements != NULL ? OK : ILLEGAL_ADDRESS;
}

static int run_add_kernel(const struct launch *launch) {
    uint64_t i, count;
    uint32_t *elements = elements_of(launch, &count);
    for (i = 0; elements != NULL && i < count; i++)
        elements[i] += parameter_u32(launch, 1);
    return elements != NULL ? OK : ILLEGAL_ADDRESS;
}

static int run_mix_kernel(const struct launch *launch) {
    size_t i;
    for (i = 0; i < 3; i++)
        if (!is_device_memory(parameter_u64(launch, i), sizeof(uint32_t)))
            return ILLEGAL_ADDRESS;
    *(uint32_t *)(uintptr_t)parameter_u64(launch, 0) = 3 * *(const uint32_t *)(uintptr_t)parameter_u64(launch, 1) +
                                                       *(const uint32_t *)(uintptr_t)parameter_u64(launch, 2) +
                                                       parameter_u32(launch, 3);
    return OK;
}

static int run_copy_wide_kernel(const struct launch *launch) {
    uint64_t address = parameter_u64(launch, 0);
    size_t bytes = launch->function->sizes[1];
    if (!is_device_memory(address, bytes))
        return ILLEGAL_ADDRESS;
    memcpy((void *)(uintptr_t)address, parameter(launch, 1), bytes);
    return OK;
}

static int run_negate_kernel(const struct launch *launch) {
    uint64_t address = parameter_u64(launch, 0), i;
    if (!is_device_memory(address, launch->grid[0] * sizeof(float)))
        return ILLEGAL_ADDRESS;
    for (i = 0; i < launch->grid[0]; i++)
        ((float *)(uintptr_t)address)[i] *= -1.0f;
    return OK;
}

/* Counts, and sets a condition to whether the count is below a limit. */
static int run_loop_kernel(const struct launch *launch) {
    uint64_t condition = parameter_u64(launch, 0), address = parameter_u64(launch, 1);
    if (!condition_is(condition) || !is_device_memory(address, sizeof(uint32_t)))
        return ILLEGAL_ADDRESS;
    ((struct condition *)(uintptr_t)condition)->value =
        ++*(uint32_t *)(uintptr_t)address < parameter_u32(launch, 2);
    return OK;
}

/* Sets a condition to a value in memory. */
static int run_set_condition_kernel(const struct launch *launch) {
    uint64_t condition = parameter_u64(launch, 0), address = parameter_u64(launch, 1);
    if (!condition_is(condition) || !is_device_memory(address, sizeof(uint32_t)))
        return ILLEGAL_ADDRESS;
    ((struct condition *)(uintptr_t)condition)->value = *(const uint32_t *)(uintptr_t)address;
    return OK;
}

static const struct global *find_global(const struct module *module, const char *name) {
    const struct global *global = module->globals;
    while (global != NULL && strcmp(global->name, name) != 0)
        global = global->next;
    return global;
}

/* Marks how far a launch of a graph is. The launch that it begins it counts. */
static int run_mark_kernel(const struct launch *launch) {
    const uint64_t number = parameter_u64(launch, 0), mark = parameter_u64(launch, 1);
    if (!is_device_memory(number, 8) || !is_device_memory(mark, 8))
        return ILLEGAL_ADDRESS;
    if (parameter_u64(launch, 2) == 1)
        *(uint64_t *)(uintptr_t)number = *(const uint64_t *)(uintptr_t)mark + 1;
    __atomic_store_n((uint64_t *)(uintptr_t)mark, *(const uint64_t *)(uintptr_t)number, __ATOMIC_RELEASE);
    return OK;
}

/* Sets the grid of a node by sizes in memory, and by its own where there are none. */
static int run_set_grid_kernel(const struct launch *launch) {
    unsigned grid[3];
    size_t i;
    for (i = 0; i < 3; i++) {
        const uint64_t address = parameter_u64(launch, 1 + i);
        if (address != 0 && !is_device_memory(address, sizeof(uint32_t)))
            return ILLEGAL_ADDRESS;
        grid[i] = address != 0 ? *(const uint32_t *)(uintptr_t)address : parameter_u32(launch, 4 + i);
    }
    return kernel_sets_grid(parameter_u64(launch, 0), grid) == OK ? OK : LAUNCH_FAILED;
}

/* Adds to the numbers of its module, by a factor of its module. */
static int run_tally_kernel(const struct launch *launch) {
    const struct global *numbers = find_global(launch->function->module, "numbers");
    const struct global *factor = find_global(launch->function->module, "factor");
    size_t i;
    if (numbers == NULL || factor == NULL)
        return ILLEGAL_ADDRESS;
    for (i = 0; i < numbers->bytes / sizeof(uint32_t) && i < threads_of(launch); i++)
        ((uint32_t *)(uintptr_t)numbers->address)[i] +=
            parameter_u32(launch, 0) * *(const uint32_t *)(uintptr_t)factor->address;
    return OK;
}

static uint64_t mixed(uint64_t word, uint64_t place) {
    uint64_t x = word + (place + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Summarizes pieces of memory, {address, bytes, kind}: a hash, and of floats (kind 1) how many are not finite. */
static int run_summarize_kernel(const struct launch *launch) {
    const uint64_t *piece = (const uint64_t *)(uintptr_t)parameter_u64(launch, 0);
    uint64_t *summary = (uint64_t *)(uintptr_t)parameter_u64(launch, 1), i;
    unsigned block;
    for (block = 0; block < launch->grid[0]; block++, piece += 3, summary += 7) {
        const size_t size = ((piece[0] | piece[1]) & 3) == 0 ? 4 : 1;
        double least = HUGE_VAL, greatest = -HUGE_VAL, sum = 0;
        if (!is_device_memory((uintptr_t)piece, 24) || !is_device_memory((uintptr_t)summary, 56) ||
            !is_device_memory(piece[0], piece[1]))
            return ILLEGAL_ADDRESS;
        summary[0] = summary[1] = summary[2] = 0, summary[3] = UINT64_MAX;
        for (i = 0; i < piece[1] / size; i++)
            summary[0] += mixed(size == 4 ? ((const uint32_t *)(uintptr_t)piece[0])[i] : ((const unsigned char *)(uintptr_t)piece[0])[i], i);
        for (i = 0; piece[2] == 1 && i < piece[1] / 4; i++) {
            const float element = ((const float *)(uintptr_t)piece[0])[i];
            if (isfinite(element)) {
                sum += element;
                least = element < least ? element : least;
                greatest = element > greatest ? element : greatest;
                continue;
            }
            summary[isnan(element) ? 1 : 2]++;
            summary[3] = i < summary[3] ? i : summary[3];
        }
        memcpy(&summary[4], &least, 8), memcpy(&summary[5], &greatest, 8), memcpy(&summary[6], &sum, 8);
    }
    return OK;
}

static const struct {
    const char *name;
    size_t parameters;
    int (*run)(const struct launch *launch);
} kernels[] = {
    {"fill", 3, run_fill_kernel},
    {"unchecked", 3, run_fill_kernel},
    {"add", 3, run_add_kernel},
    {"mix", 4, run_mix_kernel},
    {"copy_wide", 2, run_copy_wide_kernel},
    {"negate", 1, run_negate_kernel},
    {"loop", 3, run_loop_kernel},
    {"tally", 1, run_tally_kernel},
    {"graphcap_set_condition_from", 2, run_set_condition_kernel},
    {"graphcap_rng_reserve", 3, run_rng_reserve_kernel},
    {"graphcap_rng_uniform", 5, run_rng_uniform_kernel},
    {"graphcap_mark", 3, run_mark_kernel},
    {"graphcap_set_grid", 7, run_set_grid_kernel},
    {"graphcap_summarize", 2, run_summarize_kernel},
    {"torch_wide", 2, run_torch_wide_kernel},
    {"torch_narrow", 2, run_torch_narrow_kernel},
};

int run_launch(const struct launch *launch) {
    return launch->function->run != NULL ? launch->function->run(launch) : OK;
}

/* Reads a parameter from behind its ".param": ".u64 name", ".f32 name" or ".align 4 .b8 name[12]". */
static size_t parameter_size(const char *text) {
    const char *array = text + strcspn(text, ",[)");
    if (*array == '[')
        return (size_t)strtoul(array + 1, NULL, 10);
    return (size_t)strtoul(text + strcspn(text, "0123456789"), NULL, 10) / 8;
}

/* How many threads a block of a kernel may have: what ".maxntid 8, 4" states before its body, or what the device has. */
static unsigned most_threads_of(const char *text) {
    const char *stated = strstr(text, ".maxntid"), *body = strchr(text, '{');
    unsigned threads[3] = {1, 1, 1};
    if (stated == NULL || body == NULL || stated > body)
        return 1024;
    sscanf(stated, ".maxntid %u , %u , %u", &threads[0], &threads[1], &threads[2]);
    return threads[0] * threads[1] * threads[2];
}

static int reuses_functions;
static struct function *unloaded;

void stand_in_reuse_functions(int on) {
    pthread_mutex_lock(&model_lock);
    reuses_functions = on;
    pthread_mutex_unlock(&model_lock);
}

static struct function *new_function(void) {
    struct function *function = unloaded;
    struct object head;
    if (!reuses_functions || function == NULL)
        return (struct function *)object_new(sizeof *function, FUNCTIONS);
    unloaded = function->next;
    head = function->head;
    memset(function, 0, sizeof *function);
    function->head = head;
    function->head.live = 1;
    return function;
}

static void add_function(struct module *module, const char *text) {
    struct function *function = new_function(), **last;
    size_t length = strcspn(text, "( \n\t"), i;
    const char *end = text + strcspn(text, "){"), *at = text;
    function->module = module;
    function->most_shared = 49152;
    function->most_threads = most_threads_of(text);
    function->name = (char *)calloc(length + 1, 1);
    memcpy(function->name, text, length);
    while ((at = strstr(at, ".param")) != NULL && at < end && function->parameter_count < MOST_PARAMETERS) {
        size_t size = parameter_size(at += strlen(".param"));
        size_t alignment = size >= 8 ? 8 : size > 0 ? size : 1;
        size_t offset = (function->parameter_bytes + alignment - 1) / alignment * alignment;
        function->offsets[function->parameter_count] = offset;
        function->sizes[function->parameter_count++] = size;
        function->parameter_bytes = offset + size;
    }
    for (i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (strcmp(kernels[i].name, function->name) == 0 && kernels[i].parameters == function->parameter_count)
            function->run = kernels[i].run;
    for (last = &module->functions; *last != NULL;)
        last = &(*last)->next;
    *last = function;
    module->function_count++;
}

/* Reads a variable from behind its ".global" or ".const": " .align 4 .b8 numbers[16] = {1, 0, 0, 0};". */
static void add_global(struct module *module, const char *text) {
    struct global *global = (struct global *)calloc(1, sizeof *global);
    const char *end = text + strcspn(text, ";"), *value;
    size_t width, count = 1, i;
    unsigned bits = 0;
    if (sscanf(text, " .align %*u .%*[a-z]%u %63[a-zA-Z0-9_]", &bits, global->name) != 2 || bits % 8 != 0) {
        note_violation("the stand-in cannot read a global variable");
        free(global);
        return;
    }
    width = bits / 8;
    value = text + strcspn(text, "[=;");
    if (*value == '[')
        count = (size_t)strtoul(value + 1, NULL, 10);
    global->bytes = width * count;
    global->address = (uint64_t)(uintptr_t)calloc(1, global->bytes);
    if (global->address == 0)
        abort();
    range_begin(global->address, global->bytes);
    value += strcspn(value, "=;");
    for (i = 0; i < count && value < end; i++) {
        uint64_t number;
        value += strcspn(value, "0123456789;");
        number = strtoull(value, (char **)&value, 10);
        memcpy((char *)(uintptr_t)global->address + i * width, &number, width);
    }
    global->next = module->globals;
    module->globals = global;
}

/* Adds the variables that are declared by `kind`. */
static void add_globals(struct module *module, const char *image, const char *kind) {
    while ((image = strstr(image, kind)) != NULL)
        add_global(module, image += strlen(kind));
}

/* Copies what the compiler has to say to where the options say. */
static void write_log(const char *text, unsigned count, const unsigned *options, void **values) {
    enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6 };
    char *log = NULL;
    size_t bytes = 0;
    unsigned i;
    for (i = 0; i < count; i++) {
        if (options[i] == ERROR_LOG)
            log = (char *)values[i];
        if (options[i] == ERROR_LOG_BYTES)
            bytes = (size_t)(uintptr_t)values[i];
    }
    if (log != NULL && bytes > 0)
        snprintf(log, bytes, "%s", text);
}

DRIVER int cuModuleLoadDataEx(struct module **out, const char *image, unsigned count, unsigned *options,
                              void **values) {
    struct module *module;
    struct context *context;
    const char *version, *entry;
    int answer = OK;
    ENTER(cuModuleLoadDataEx);
    version = strstr(image, ".version");
    pthread_mutex_lock(&model_lock);
    context = current_context(&answer);
    if (context == NULL)
        goto out;
    if (version == NULL) {
        answer = NO_BINARY_FOR_GPU;
        goto out;
    }
    if (strtod(version + strlen(".version"), NULL) > NEWEST_PTX) {
        answer = UNSUPPORTED_PTX_VERSION;
        goto out;
    }
    if (strstr(image, ".target") == NULL) {
        write_log("ptxas fatal: the stand-in finds no .target\n", count, options, values);
        answer = INVALID_PTX;
        goto out;
    }
    module = (struct module *)object_new(sizeof *module, STAND_IN_MODULES);
    module->context = context;
    module->next = context->modules;
    context->modules = module;
    for (entry = image; (entry = strstr(entry, ".entry ")) != NULL;)
        add_function(module, entry += strlen(".entry "));
    add_globals(module, image, ".visible .global");
    add_globals(module, image, ".visible .const");
    *out = module;
out:
    pthread_mutex_unlock(&model_lock);
    return answer;
}

void module_end(struct module *module) {
    struct module **place = &module->context->modules;
    struct function *function;
    struct global *global;
    if (module->uses > 0)
        note_violation("a module was unloaded while a graph has kernels of it");
    while ((global = module->globals) != NULL) {
        module->globals = global->next;
        range_end(global->address);
        free((void *)(uintptr_t)global->address);
        free(global);
    }
    while ((function = module->functions) != NULL) {
        module->functions = function->next;
        object_end(&function->head);
        free(function->name);
        function->name = NULL;
        function->next = unloaded;
        unloaded = function;
    }
    while (*place != module)
        place = &(*place)->next;
    *place = module->next;
    object_end(&module->head);
}

DRIVER int cuModuleUnload(struct module *module) {
    int answer = enter("cuModuleUnload");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    if (!object_is(module, STAND_IN_MODULES)) {
        answer = INVALID_HANDLE;
    } else if (answer != OK || (current_context(&answer) != NULL && (answer = may_be_unsafe()) == OK)) {
        module_end(module);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuModuleGetFunction(struct function **out, struct module *module, const char *name) {
    struct function *function;
    int answer = NOT_FOUND;
    ENTER(cuModuleGetFunction);
    if (*name == '\0')
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    if (!object_is(module, STAND_IN_MODULES))
        answer = INVALID_HANDLE;
    else
        for (function = module->functions; function != NULL && answer != OK; function = function->next)
            if (strcmp(function->name, name) == 0) {
                *out = function;
                answer = OK;
            }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, struct module *module, const char *name) {
    const struct global *global;
    int answer = OK;
    ENTER(cuModuleGetGlobal_v2);
    if (*name == '\0')
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    if (current_context(&answer) == NULL) {
        /* As it says. */
    } else if (!object_is(module, STAND_IN_MODULES)) {
        answer = INVALID_HANDLE;
    } else if ((global = find_global(module, name)) == NULL) {
        answer = NOT_FOUND;
    } else {
        *address = global->address;
        *bytes = global->bytes;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

int is_shape(const struct launch *launch) {
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    return threads > 0 && threads <= launch->function->most_threads && launch->block[2] <= 64 && launch->grid[0] > 0 &&
           launch->grid[0] <= 0x7fffffff && launch->grid[1] > 0 && launch->grid[1] <= 0xffff && launch->grid[2] > 0 &&
           launch->grid[2] <= 0xffff &&
           launch->shared_bytes <= launch->function->most_shared;
}

void take_parameters(const struct function *function, unsigned char *bytes, void **parameters) {
    size_t i;
    for (i = 0; i < function->parameter_count; i++)
        memcpy(bytes + function->offsets[i], parameters[i], function->sizes[i]);
}

/* The block of arguments that a list of launch parameters describes: pairs of a name and a value, until CU_LAUNCH_PARAM_END. */
void take_packed(const struct function *function, unsigned char *bytes, void **extra) {
    enum { END = 0, BUFFER_POINTER = 1, BUFFER_SIZE = 2 };
    const void *start = NULL;
    size_t size = 0;
    for (; (uintptr_t)extra[0] != END; extra += 2) {
        if ((uintptr_t)extra[0] == BUFFER_POINTER)
            start = extra[1];
        else if ((uintptr_t)extra[0] == BUFFER_SIZE)
            size = *(const size_t *)extra[1];
    }
    if (start != NULL)
        memcpy(bytes, start, size < function->parameter_bytes ? size : function->parameter_bytes);
}

int submit_launch(struct launch launch, void *handle, void **parameters, void **extra) {
    struct function *function = launch.function;
    unsigned char bytes[4096 + MOST_PARAMETERS * 8];
    struct stream *stream;
    struct node *node;
    int answer, fault = OK;
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (answer == OK && !object_is(function, FUNCTIONS))
        answer = INVALID_HANDLE;
    if (answer == OK && !is_shape(&launch)) {
        invalidate(stream->capture);
        answer = INVALID_VALUE;
    }
    if (answer == OK && stream->capture != NULL) {
        node = node_new(NODE_KERNEL, function->parameter_bytes);
        if (node != NULL) {
            launch.parameters = (unsigned char *)node->payload;
            if (extra != NULL)
                take_packed(function, launch.parameters, extra);
            else
                take_parameters(function, launch.parameters, parameters);
            node->work.launch = launch;
            function->module->uses++;
        }
        answer = record(stream, node);
    } else if (answer == OK && function->run != NULL) {
        launch.parameters = bytes;
        if (extra != NULL)
            take_packed(function, bytes, extra);
        else
            take_parameters(function, bytes, parameters);
        fault = run_launch(&launch);
    }
    pthread_mutex_unlock(&model_lock);
    if (fault != OK)
        note_fault(fault);
    return answer;
}

DRIVER int cuLaunchKernel(struct function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, void *handle,
                          void **parameters, void **extra) {
    struct launch launch = {function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, NULL, {NULL}};
    ENTER(cuLaunchKernel);
    return submit_launch(launch, handle, parameters, extra);
}

#if STAND_IN_DRIVER_VERSION >= 12030
DRIVER int cuFuncGetName(const char **name, struct function *function) {
    ENTER(cuFuncGetName);
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    *name = function->name;
    return OK;
}

/* A library's kernel is a function here. */
DRIVER int cuKernelGetName(const char **name, struct function *kernel) {
    ENTER(cuKernelGetName);
    if (!object_is(kernel, FUNCTIONS))
        return INVALID_HANDLE;
    *name = kernel->name;
    return OK;
}
#endif

#if STAND_IN_DRIVER_VERSION >= 12040
DRIVER int cuModuleGetFunctionCount(unsigned *count, struct module *module) {
    ENTER(cuModuleGetFunctionCount);
    if (!object_is(module, STAND_IN_MODULES))
        return INVALID_HANDLE;
    *count = module->function_count;
    return OK;
}

DRIVER int cuModuleEnumerateFunctions(struct function **functions, unsigned capacity, struct module *module) {
    struct function *function;
    unsigned at = 0;
    ENTER(cuModuleEnumerateFunctions);
    if (!object_is(module, STAND_IN_MODULES))
        return INVALID_HANDLE;
    for (function = module->functions; function != NULL && at < capacity; function = function->next)
        functions[at++] = function;
    return OK;
}

DRIVER int cuFuncLoad(struct function *function) {
    ENTER(cuFuncLoad);
    return object_is(function, FUNCTIONS) ? OK : INVALID_HANDLE;
}

static int parameter_of(const struct function *function, size_t index, size_t *offset, size_t *size) {
    if (!object_is(function, FUNCTIONS))
        return INVALID_HANDLE;
    if (index >= function->parameter_count)
        return INVALID_VALUE;
    *offset = function->offsets[index];
    *size = function->sizes[index];
    return OK;
}

DRIVER int cuFuncGetParamInfo(struct function *function, size_t index, size_t *offset, size_t *size) {
    ENTER(cuFuncGetParamInfo);
    return parameter_of(function, index, offset, size);
}

/* A library's kernel is a function here. */
DRIVER int cuKernelGetParamInfo(struct function *kernel, size_t index, size_t *offset, size_t *size) {
    ENTER(cuKernelGetParamInfo);
    return parameter_of(kernel, index, offset, size);
}
#endif
