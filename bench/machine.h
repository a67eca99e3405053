/* What the head of a table says of the machine. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdio.h>

/* The processor's name as Linux tells it. */
static inline const char *processor_name(char *text, size_t capacity) {
    char line[256], name[128] = "unknown processor";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "model name : %127[^\n]", name) == 1) break;
    }
    if (file) fclose(file);
    snprintf(text, capacity, "%s", name);
    return text;
}

#endif
