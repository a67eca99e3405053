/* The kernel of progress.c for a GPU: it runs until a word of host memory is not 0. */
extern "C" __global__ void spin(const volatile unsigned int *word) {
    while (*word == 0) {
    }
}
