/* The kernels of hpp.cpp for a GPU, under the same names and with the same parameters. scripts/device_code.sh makes
 * hpp.ptx and hpp_ptx.h of this file. */
struct Line {
    float slope, offset;
};

extern "C" __global__ void apply(float *out, const float *in, Line line) {
    out[blockIdx.x] = line.slope * in[blockIdx.x] + line.offset;
}

extern "C" __global__ void negate(float *data) {
    data[blockIdx.x] *= -1.0f;
}
