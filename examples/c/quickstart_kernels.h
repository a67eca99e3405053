/* The kernels of quickstart.c. For the host device a kernel is a C function, called once per block, several blocks at a
 * time; here a block is a tile of the picture. arguments[i] points to argument i; a buffer arrives as its address. The
 * kernels for a GPU are in quickstart_kernels.cu, under the same names. */
#ifndef QUICKSTART_KERNELS_H
#define QUICKSTART_KERNELS_H

#include "quickstart_kernels_ptx.h"

#include <graphcap.h>
#include <stdlib.h>

typedef struct { int32_t width, height, channels; } shape;
typedef struct { int32_t x, y; } direction;

#define ARGUMENT(type, index) (*(type const *)arguments[index])
#define FOR_EACH_PIXEL_OF_BLOCK(s) \
    for (int y = first_of(block, 1), bottom = end_of(block, 1, (s).height); y < bottom; y++) \
        for (int x = first_of(block, 0), right = end_of(block, 0, (s).width), i = y * (s).width + x; x < right; \
             x++, i++)

/* Where a block begins and ends along x (0) or y (1). */
static int first_of(const gc_host_block *block, int axis) {
    return (int)(block->block_index[axis] * block->block_dim[axis]);
}

static int end_of(const gc_host_block *block, int axis, int size) {
    int end = first_of(block, axis) + (int)block->block_dim[axis];
    return end < size ? end : size;
}

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static int pixel(const uint8_t *image, shape s, int x, int y) {
    return image[clamp(y, 0, s.height - 1) * s.width + clamp(x, 0, s.width - 1)];
}

/* in: width * height * channels bytes; out: width * height bytes of brightness. */
static int32_t grey(const gc_host_block *block, const void *const *arguments) {
    const uint8_t *in = ARGUMENT(uint8_t *, 0);
    uint8_t *out = ARGUMENT(uint8_t *, 1);
    const shape s = ARGUMENT(shape, 2);
    FOR_EACH_PIXEL_OF_BLOCK(s) {
        const uint8_t *p = in + i * s.channels;
        out[i] = s.channels == 1 ? p[0] : (uint8_t)((77 * p[0] + 150 * p[1] + 29 * p[2]) / 256);
    }
    return 0; /* anything else would fault the context, as an illegal address does on a GPU */
}

/* A binomial blur of five pixels along one direction. */
static int32_t blur(const gc_host_block *block, const void *const *arguments) {
    const uint8_t *in = ARGUMENT(uint8_t *, 0);
    uint8_t *out = ARGUMENT(uint8_t *, 1);
    const shape s = ARGUMENT(shape, 2);
    const direction d = ARGUMENT(direction, 3);
    FOR_EACH_PIXEL_OF_BLOCK(s) {
        int near = pixel(in, s, x - d.x, y - d.y) + pixel(in, s, x + d.x, y + d.y);
        int far = pixel(in, s, x - 2 * d.x, y - 2 * d.y) + pixel(in, s, x + 2 * d.x, y + 2 * d.y);
        out[i] = (uint8_t)((far + 4 * near + 6 * in[i]) / 16);
    }
    return 0;
}

/* Sobel's gradient along one direction, as 16-bit integers. */
static int32_t gradient(const gc_host_block *block, const void *const *arguments) {
    const uint8_t *in = ARGUMENT(uint8_t *, 0);
    int16_t *out = ARGUMENT(int16_t *, 1);
    const shape s = ARGUMENT(shape, 2);
    const direction d = ARGUMENT(direction, 3);
    FOR_EACH_PIXEL_OF_BLOCK(s) {
        int sum = 0;
        for (int k = -1; k <= 1; k++)
            sum += (2 - abs(k)) * (pixel(in, s, x + d.x + k * d.y, y + d.y + k * d.x) -
                                   pixel(in, s, x - d.x + k * d.y, y - d.y + k * d.x));
        out[i] = (int16_t)sum;
    }
    return 0;
}

/* How steep the picture is at each pixel, whatever the direction. */
static int32_t magnitude(const gc_host_block *block, const void *const *arguments) {
    const int16_t *along_x = ARGUMENT(int16_t *, 0), *along_y = ARGUMENT(int16_t *, 1);
    uint8_t *out = ARGUMENT(uint8_t *, 2);
    const shape s = ARGUMENT(shape, 3);
    FOR_EACH_PIXEL_OF_BLOCK(s) out[i] = (uint8_t)clamp(abs(along_x[i]) + abs(along_y[i]), 0, 255);
    return 0;
}

static const size_t parameters_of_grey[] = {8, 8, sizeof(shape)}; /* an address has 8 bytes */
static const size_t parameters_along[] = {8, 8, sizeof(shape), sizeof(direction)};
static const size_t parameters_of_magnitude[] = {8, 8, 8, sizeof(shape)};

enum { GREY, BLUR, GRADIENT, MAGNITUDE, KERNELS };
static const gc_host_kernel kernel_table[KERNELS] = {
    {sizeof(gc_host_kernel), 0, "grey", grey, parameters_of_grey, 3, NULL, 0},
    {sizeof(gc_host_kernel), 0, "blur", blur, parameters_along, 4, NULL, 0},
    {sizeof(gc_host_kernel), 0, "gradient", gradient, parameters_along, 4, NULL, 0},
    {sizeof(gc_host_kernel), 0, "magnitude", magnitude, parameters_of_magnitude, 4, NULL, 0},
};

#endif
