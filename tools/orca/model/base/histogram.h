#pragma once
/* How often numbers occurred, by size: 32 buckets for each power of two, so that a quantile is off
   by 1.6 % at most (below 64 by nothing), in some kilobytes however many numbers there are. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is empty; histogram_free gives the memory back. */
struct histogram {
  uint64_t *counts; /* by bucket */
  size_t num_buckets;
  uint64_t num;         /* numbers that were added */
  uint64_t least, most; /* of them */
};

/* histogram_add counts a number. False: memory ran out. */
bool histogram_add(struct histogram *h, uint64_t n);

/* histogram_round gives the middle of the bucket of a number: what a quantile makes of it. */
uint64_t histogram_round(uint64_t n);

/* histogram_quantile gives the number that `permille` of all are not above; 0 where there is none.
 */
uint64_t histogram_quantile(const struct histogram *h, unsigned permille);

/* histogram_between counts, exactly, the numbers from 2^power on that are below 2^(power + 1); for
   power 0 also the zeros. */
uint64_t histogram_between(const struct histogram *h, unsigned power);

/* The power of a number, as above. */
unsigned histogram_power(uint64_t n);

void histogram_free(struct histogram *h);

#ifdef __cplusplus
}
#endif
