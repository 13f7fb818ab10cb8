#pragma once
/* A histogram of numbers, with 32 buckets for each power of two. Quantiles are off by at most 1.6
   %, and exact below 64. The memory is some kilobytes, however many numbers are added. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* A struct of zeros is empty; histogram_free frees its memory. */
struct histogram {
  uint64_t *counts; /* by bucket */
  size_t num_buckets;
  uint64_t num;         /* of added numbers */
  uint64_t least, most; /* of the added numbers */
};

/* histogram_add counts a number. It returns false when memory ran out. */
bool histogram_add(struct histogram *h, uint64_t n);

/* histogram_round returns the middle of the bucket of a number, as histogram_quantile would. */
uint64_t histogram_round(uint64_t n);

/* histogram_quantile returns a number that at least `permille` of all numbers do not exceed. It
   returns 0 for an empty histogram. */
uint64_t histogram_quantile(const struct histogram *h, unsigned permille);

/* histogram_between returns how many numbers are at least 2^power and less than 2^(power + 1). For
   power 0 it counts the zeros too. The result is exact. */
uint64_t histogram_between(const struct histogram *h, unsigned power);

/* histogram_power returns the power for which histogram_between counts a number. */
unsigned histogram_power(uint64_t n);

void histogram_free(struct histogram *h);

END_C
