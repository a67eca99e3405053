/* The rest of a program: what else is alive in the library, and who else calls it, while one thing is measured. */
#ifndef BENCH_GPU_COMPANY_H
#define BENCH_GPU_COMPANY_H

#include "work.h"

typedef struct company company;

company *company_start(const gpu *device);
/* Stops the threads, checks what their kernels counted, and gives everything back. */
void company_stop(company *c);

/* What it is made of, as a line of text. */
extern const char *const company_text;

#endif
