/* The figures of all works: printed, and written as CSV and as a picture. */
#ifndef BENCH_OPTIMIZE_TABLE_H
#define BENCH_OPTIMIZE_TABLE_H

#include "measure.h"

void table_print_head(void);
void table_print_row(const row *r);

/* What the measured result gains, for each work, and whether that is what is promised. `promises_times`: also times, which are
 * promised of one kind of GPU. */
void table_print_summary(const row *rows, int count, bool promises_times);

/* graphcap-bench-optimize.csv and .svg in `folder`. False, after saying why, when one cannot be written. */
bool table_write(const row *rows, int count, int rounds, const char *device, const char *folder);

#endif
