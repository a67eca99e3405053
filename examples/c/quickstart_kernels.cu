/* The kernels of quickstart.c for a GPU: the same names, parameters and arithmetic as in quickstart_kernels.h, for one
 * pixel per thread. scripts/device_code.sh makes quickstart_kernels.ptx and quickstart_kernels_ptx.h of this file. */
#include <stdint.h>

struct shape { int32_t width, height, channels; };
struct direction { int32_t x, y; };

/* Declares x, y and i, the pixel of the thread; leaves when it lies outside. */
#define PIXEL_OF_THREAD(s)                                            \
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);       \
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);       \
    const int i = y * (s).width + x;                                  \
    if (x >= (s).width || y >= (s).height) return

static __device__ int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static __device__ int absolute(int value) {
    return value < 0 ? -value : value;
}

static __device__ int pixel(const uint8_t *image, shape s, int x, int y) {
    return image[clamp(y, 0, s.height - 1) * s.width + clamp(x, 0, s.width - 1)];
}

extern "C" __global__ void grey(const uint8_t *in, uint8_t *out, shape s) {
    PIXEL_OF_THREAD(s);
    const uint8_t *p = in + i * s.channels;
    out[i] = s.channels == 1 ? p[0] : (uint8_t)((77 * p[0] + 150 * p[1] + 29 * p[2]) / 256);
}

extern "C" __global__ void blur(const uint8_t *in, uint8_t *out, shape s, direction d) {
    PIXEL_OF_THREAD(s);
    int near = pixel(in, s, x - d.x, y - d.y) + pixel(in, s, x + d.x, y + d.y);
    int far = pixel(in, s, x - 2 * d.x, y - 2 * d.y) + pixel(in, s, x + 2 * d.x, y + 2 * d.y);
    out[i] = (uint8_t)((far + 4 * near + 6 * in[i]) / 16);
}

extern "C" __global__ void gradient(const uint8_t *in, int16_t *out, shape s, direction d) {
    PIXEL_OF_THREAD(s);
    int sum = 0;
    for (int k = -1; k <= 1; k++)
        sum += (2 - absolute(k)) * (pixel(in, s, x + d.x + k * d.y, y + d.y + k * d.x) -
                                    pixel(in, s, x - d.x + k * d.y, y - d.y + k * d.x));
    out[i] = (int16_t)sum;
}

extern "C" __global__ void magnitude(const int16_t *along_x, const int16_t *along_y, uint8_t *out, shape s) {
    PIXEL_OF_THREAD(s);
    out[i] = (uint8_t)clamp(absolute(along_x[i]) + absolute(along_y[i]), 0, 255);
}
