/* The kernels of quickstart.cpp for a GPU: the same names, parameters and arithmetic. A block is a row on both devices;
 * here its threads share the row. scripts/device_code.sh makes quickstart.ptx and quickstart_ptx.h of this file. */
#include <stdint.h>

struct Size { int width, height, channels; };
struct Direction { int x, y; };

static __device__ int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static __device__ int absolute(int value) {
    return value < 0 ? -value : value;
}

static __device__ int pixel(const uint8_t *image, Size s, int x, int y) {
    return image[clamp(y, 0, s.height - 1) * s.width + clamp(x, 0, s.width - 1)];
}

extern "C" __global__ void grey(const uint8_t *in, uint8_t *out, Size s) {
    const int row = (int)blockIdx.x * s.width;
    for (int i = row + (int)threadIdx.x; i < row + s.width; i += (int)blockDim.x) {
        const uint8_t *p = in + i * s.channels;
        out[i] = s.channels == 1 ? p[0] : (uint8_t)((77 * p[0] + 150 * p[1] + 29 * p[2]) / 256);
    }
}

extern "C" __global__ void blur(const uint8_t *in, uint8_t *out, Size s, Direction d) {
    const int y = (int)blockIdx.x;
    for (int x = (int)threadIdx.x; x < s.width; x += (int)blockDim.x) {
        const int sides = pixel(in, s, x - d.x, y - d.y) + pixel(in, s, x + d.x, y + d.y);
        out[y * s.width + x] = (uint8_t)((sides + 2 * pixel(in, s, x, y)) / 4);
    }
}

extern "C" __global__ void gradient(const uint8_t *in, int16_t *out, Size s, Direction d) {
    const int y = (int)blockIdx.x;
    for (int x = (int)threadIdx.x; x < s.width; x += (int)blockDim.x) {
        int sum = 0;
        for (int k = -1; k <= 1; k++)
            sum += (2 - absolute(k)) * (pixel(in, s, x + d.x + k * d.y, y + d.y + k * d.x) -
                                        pixel(in, s, x - d.x + k * d.y, y - d.y + k * d.x));
        out[y * s.width + x] = (int16_t)sum;
    }
}

extern "C" __global__ void magnitude(const int16_t *a, const int16_t *b, uint8_t *out, Size s) {
    const int row = (int)blockIdx.x * s.width;
    for (int i = row + (int)threadIdx.x; i < row + s.width; i += (int)blockDim.x) {
        const int sum = absolute(a[i]) + absolute(b[i]);
        out[i] = (uint8_t)(sum < 255 ? sum : 255);
    }
}
