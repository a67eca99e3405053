/* Kernels: their names and parameters, and that they outlive the handle of their module. */
#include "kernels.h"

static struct rig rig;

static void names_are_told(void) {
    char text[16] = "x";
    size_t needed = 0;
    CHECK_OK(gc_kernel_name(rig.fill, text, sizeof text, &needed));
    CHECK(strcmp(text, "fill") == 0 && needed == 5);
    CHECK_OK(gc_kernel_name(rig.fill, text, 5, NULL));
    memset(text, 'x', sizeof text);
    CHECK_MESSAGE(gc_kernel_name(rig.fill, text, 4, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL, "5");
    CHECK(strcmp(text, "fil") == 0 && needed == 5 && text[4] == 'x');
    needed = 0;
    CHECK_OK(gc_kernel_name(rig.fill, NULL, 0, &needed));
    CHECK(needed == 5);
}

static void parameters_are_told(void) {
    size_t count = 99, size = 99;
    gc_kernel *nothing = get_kernel(rig.module, "nothing"), *saxpy = get_kernel(rig.module, "saxpy");
    CHECK_OK(gc_kernel_parameter_count(saxpy, &count));
    CHECK(count == 4);
    CHECK_OK(gc_kernel_parameter_size(saxpy, 0, &size));
    CHECK(size == sizeof(float));
    CHECK_OK(gc_kernel_parameter_size(saxpy, 3, &size));
    CHECK(size == sizeof(uint64_t));
    CHECK_MESSAGE(gc_kernel_parameter_size(saxpy, 4, &size), GRAPHCAP_ERROR_INVALID_VALUE, "index");
    CHECK(size == 0);
    CHECK_MESSAGE(gc_kernel_parameter_size(saxpy, SIZE_MAX, &size), GRAPHCAP_ERROR_INVALID_VALUE, "index");
    CHECK_OK(gc_kernel_parameter_count(nothing, &count));
    CHECK(count == 0);
    CHECK_MESSAGE(gc_kernel_parameter_size(nothing, 0, &size), GRAPHCAP_ERROR_INVALID_VALUE, "index");
    CHECK_OK(gc_kernel_destroy(saxpy));
    CHECK_OK(gc_kernel_destroy(nothing));
}

static void parameters_that_were_not_stated_are_not_told(void) {
    size_t count = 99, size = 99;
    gc_kernel *unchecked;
    NOT_ON_CUDA("an image states the parameters of all its kernels");
    unchecked = get_kernel(rig.module, "unchecked");
    CHECK_MESSAGE(gc_kernel_parameter_count(unchecked, &count), GRAPHCAP_ERROR_NOT_SUPPORTED, "unchecked");
    CHECK(count == 0);
    CHECK_MESSAGE(gc_kernel_parameter_size(unchecked, 0, &size), GRAPHCAP_ERROR_NOT_SUPPORTED, "unchecked");
    CHECK_OK(gc_kernel_destroy(unchecked));
}

static void an_image_states_the_parameters(void) {
    size_t count = 99, size = 99;
    gc_kernel *unchecked, *copy_wide;
    NOT_ON_HOST("the host device uses no image");
    unchecked = get_kernel(rig.module, "unchecked");
    copy_wide = get_kernel(rig.module, "copy_wide");
    CHECK_OK(gc_kernel_parameter_count(unchecked, &count));
    CHECK(count == 3);
    CHECK_OK(gc_kernel_parameter_size(copy_wide, 1, &size));
    CHECK(size == sizeof(struct wide));
    CHECK_OK(gc_kernel_destroy(copy_wide));
    CHECK_OK(gc_kernel_destroy(unchecked));
}

static void kernels_outlive_their_modules_handle(void) {
    gc_module *module = load_kernels(rig.context);
    gc_kernel *fill = get_kernel(module, "fill");
    gc_buffer *buffer = open_buffer(rig.context, 4);
    uint32_t value = 12;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(launch(rig.stream, fill, 1, 1, arguments, 3));
    /* What was launched runs, whatever becomes of the handles. */
    CHECK_OK(gc_kernel_destroy(fill));
    CHECK(read_u32(rig.stream, buffer, 0) == 12);
    CHECK_STATUS(launch(rig.stream, fill, 1, 1, arguments, 3), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(names_are_told);
    RUN(parameters_are_told);
    RUN(parameters_that_were_not_stated_are_not_told);
    RUN(an_image_states_the_parameters);
    RUN(kernels_outlive_their_modules_handle);
    rig_close(&rig);
    return check_finish();
}
