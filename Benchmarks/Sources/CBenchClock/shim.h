#ifndef SIGNET_BENCH_CLOCK_H
#define SIGNET_BENCH_CLOCK_H

#include <time.h>

/// Seconds of a clock. In C, because Swift does not know any more whose `timespec` is once a package brings another header of it.
static inline double bench_seconds(clockid_t clock) {
  struct timespec time = {0, 0};
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#endif
