/* Modules: images and tables of host kernels, and what is refused in them. */
#include "kernels.h"

static gc_context *context;

/* Loads the image of the tests with another table of host kernels. */
static gc_status load(const gc_host_kernel *kernels, size_t count) {
    gc_module_description description = test_module();
    gc_module *module = NULL;
    gc_status status;
    description.host_kernels = kernels;
    description.host_kernel_count = count;
    status = gc_module_load(context, &description, &module);
    CHECK((status == GRAPHCAP_SUCCESS) == (module != NULL));
    CHECK_OK(gc_module_destroy(module));
    return status;
}

#define LOAD_REFUSES(kernels, count, word) \
    check_message(__FILE__, __LINE__, "gc_module_load", load(kernels, count), GRAPHCAP_ERROR_INVALID_VALUE, word)

static void kernels_are_found_by_name(void) {
    gc_module *module = load_kernels(context);
    gc_kernel *kernel = (gc_kernel *)&context, *again = NULL;
    size_t i;
    for (i = 0; i < LENGTH_OF(test_kernels); i++) {
        CHECK_OK(gc_module_get_kernel(module, test_kernels[i].name, &kernel));
        CHECK_OK(gc_kernel_destroy(kernel));
    }
    CHECK_OK(gc_module_get_kernel(module, "add", &kernel));
    CHECK_OK(gc_module_get_kernel(module, "add", &again));
    CHECK(kernel != again);
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_kernel_destroy(again));
    CHECK_MESSAGE(gc_module_get_kernel(module, "Add", &kernel), GRAPHCAP_ERROR_NOT_FOUND, "Add");
    CHECK(kernel == NULL);
    CHECK_MESSAGE(gc_module_get_kernel(module, "ad", &kernel), GRAPHCAP_ERROR_NOT_FOUND, "'ad'");
    CHECK_STATUS(gc_module_get_kernel(module, "", &kernel), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_MESSAGE(gc_module_get_kernel(module, NULL, &kernel), GRAPHCAP_ERROR_INVALID_VALUE, "name");
    CHECK_MESSAGE(gc_module_get_kernel(module, "\xff\xfe", &kernel), GRAPHCAP_ERROR_INVALID_VALUE, "name");
    CHECK_OK(gc_module_destroy(module));
}

static void bad_tables_are_refused(void) {
    gc_host_kernel kernels[2] = {GRAPHCAP_HOST_KERNEL_INIT, GRAPHCAP_HOST_KERNEL_INIT};
    size_t i;
    for (i = 0; i < 2; i++) {
        kernels[i].name = i == 0 ? "one" : "two";
        kernels[i].function = kernel_nothing;
    }
    CHECK_OK(load(kernels, 2));
    kernels[1].name = "one";
    LOAD_REFUSES(kernels, 2, "one");
    kernels[1].name = NULL;
    LOAD_REFUSES(kernels, 2, "name");
    kernels[1].name = "";
    LOAD_REFUSES(kernels, 2, "name");
    kernels[1].name = "\xc3(";
    LOAD_REFUSES(kernels, 2, "name");
    kernels[1].name = "two";
    kernels[1].function = NULL;
    LOAD_REFUSES(kernels, 2, "function");
    kernels[1].function = kernel_nothing;
    kernels[1].flags = 1;
    LOAD_REFUSES(kernels, 2, "flags");
    kernels[1].flags = 0;
    kernels[1].parameter_count = 2;
    LOAD_REFUSES(kernels, 2, "parameter");
    kernels[1].parameter_count = 0;
    LOAD_REFUSES(NULL, 2, "host_kernels");
    {
        /* A count that was never set must not take the process along. */
        const size_t sizes[] = {4};
        kernels[1].parameter_sizes = sizes;
        kernels[1].parameter_count = (size_t)1 << 58;
        LOAD_REFUSES(kernels, 2, "parameter_count");
    }
    {
        const size_t sizes[] = {4, 0};
        kernels[1].parameter_sizes = sizes;
        kernels[1].parameter_count = 2;
        LOAD_REFUSES(kernels, 2, "parameter_sizes");
    }
    {
        /* Each parameter is small enough, and all together are not. */
        const size_t halves[] = {16384, 16384}, gaps[] = {32760, 3, 2};
        kernels[1].parameter_sizes = halves;
        kernels[1].parameter_count = 2;
        LOAD_REFUSES(kernels, 2, "32768 bytes in all");
        kernels[1].parameter_sizes = gaps;
        kernels[1].parameter_count = 3;
        LOAD_REFUSES(kernels, 2, "32764 at most");
    }
}

/* The most bytes that all parameters of a kernel have together. */
static void the_largest_parameters_are_taken(void) {
    const size_t whole[] = {32764}, parts[] = {16384, 16380};
    gc_host_kernel kernels[2] = {GRAPHCAP_HOST_KERNEL_INIT, GRAPHCAP_HOST_KERNEL_INIT};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    NOT_ON_CUDA("an image would have to have the kernels");
    kernels[0].name = "whole", kernels[0].function = kernel_nothing;
    kernels[0].parameter_sizes = whole, kernels[0].parameter_count = 1;
    kernels[1].name = "parts", kernels[1].function = kernel_nothing;
    kernels[1].parameter_sizes = parts, kernels[1].parameter_count = 2;
    description.host_kernels = kernels, description.host_kernel_count = 2;
    CHECK_OK(gc_module_load(context, &description, &module));
    CHECK_OK(gc_module_destroy(module));
}

static void bad_descriptions_are_refused(void) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = (gc_module *)&description;
    CHECK_MESSAGE(gc_module_load(context, NULL, &module), GRAPHCAP_ERROR_INVALID_VALUE, "description");
    CHECK(module == NULL);
    CHECK_MESSAGE(gc_module_load(context, &description, &module), GRAPHCAP_ERROR_NO_BINARY_FOR_GPU, "kernel");
    description.flags = 8;
    CHECK_MESSAGE(gc_module_load(context, &description, &module), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    description.flags = 0;
    description.image_size = 10;
    CHECK_MESSAGE(gc_module_load(context, &description, &module), GRAPHCAP_ERROR_INVALID_VALUE, "image");
}

/* The host device has no use for an image; beside a table of host kernels it does no harm. */
static void the_host_device_takes_any_image(void) {
    static const char image[] = "not a kernel image", tile_ir[] = "\177TileIR";
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    NOT_ON_CUDA("a GPU needs an image that is one");
    description.image = image;
    description.image_size = sizeof image;
    CHECK_MESSAGE(gc_module_load(context, &description, &module), GRAPHCAP_ERROR_NO_BINARY_FOR_GPU, "host");
    CHECK(module == NULL);
    description.image = tile_ir;
    description.image_size = sizeof tile_ir;
    CHECK_MESSAGE(gc_module_load(context, &description, &module), GRAPHCAP_ERROR_NO_BINARY_FOR_GPU, "Tile IR");
    description.host_kernels = test_kernels;
    description.host_kernel_count = LENGTH_OF(test_kernels);
    CHECK_OK(gc_module_load(context, &description, &module));
    CHECK_OK(gc_module_destroy(module));
}

/* And a GPU has no use for host kernels. */
static void a_gpu_needs_an_image(void) {
    static const char image[] = "not a kernel image";
    static const unsigned char lto_ir[] = {0xed, 0x43, 0x4e, 0x7f, 1, 0};
    gc_module_description description = test_module();
    gc_module *module = (gc_module *)&description;
    gc_status status;
    NOT_ON_HOST("the host device uses no image");
    description.image = image;
    description.image_size = sizeof image;
    status = gc_module_load(context, &description, &module);
    CHECK(module == NULL && (status == GRAPHCAP_ERROR_INVALID_IMAGE || status == GRAPHCAP_ERROR_INVALID_PTX));
    description.image = lto_ir;
    description.image_size = sizeof lto_ir;
    CHECK_MESSAGE(gc_module_load(context, &description, &module), GRAPHCAP_ERROR_INVALID_IMAGE, "link it first");
    description.image = NULL;
    description.image_size = 0;
    CHECK_MESSAGE(gc_module_load(context, &description, &module), GRAPHCAP_ERROR_NO_BINARY_FOR_GPU, "image");
    CHECK(module == NULL);
    description = test_module();
    description.host_kernels = NULL;
    description.host_kernel_count = 0;
    CHECK_OK(gc_module_load(context, &description, &module));
    CHECK_OK(gc_module_destroy(module));
}

/* The description is copied: the caller may free it at once. */
static void a_description_is_copied(void) {
    gc_host_kernel *kernels = (gc_host_kernel *)malloc(sizeof *kernels);
    char *name = (char *)malloc(4);
    char *image = (char *)malloc(sizeof kernels_ptx);
    size_t *sizes = (size_t *)malloc(2 * sizeof *sizes);
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    size_t size = 0;
    memcpy(name, "add", 4);
    memcpy(image, kernels_ptx, sizeof kernels_ptx);
    sizes[0] = 4;
    sizes[1] = 24;
    memcpy(kernels, &test_kernels[0], sizeof *kernels);
    kernels->name = name;
    kernels->parameter_sizes = sizes;
    kernels->parameter_count = 2;
    description.image = image;
    description.image_size = sizeof kernels_ptx;
    description.host_kernels = kernels;
    description.host_kernel_count = 1;
    CHECK_OK(gc_module_load(context, &description, &module));
    memset(name, 'x', 3);
    memset(image, 'x', sizeof kernels_ptx);
    sizes[1] = 99;
    memset(kernels, 0xff, sizeof *kernels);
    free(kernels);
    free(sizes);
    free(image);
    free(name);
    CHECK_OK(gc_module_get_kernel(module, "add", &kernel));
    CHECK_OK(gc_kernel_parameter_size(kernel, 1, &size));
    /* The table's size on the host device, the image's on a GPU. */
    CHECK(size == (on_cuda() ? sizeof(uint32_t) : 24));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

int main(void) {
    context = open_context();
    RUN(kernels_are_found_by_name);
    RUN(bad_tables_are_refused);
    RUN(the_largest_parameters_are_taken);
    RUN(bad_descriptions_are_refused);
    RUN(the_host_device_takes_any_image);
    RUN(a_gpu_needs_an_image);
    RUN(a_description_is_copied);
    CHECK_OK(gc_context_destroy(context));
    return check_finish();
}
