#include "tools/orca/model/base/histogram.h"

#include <stdlib.h>
#include <string.h>

#define SPLIT_BITS 5 /* each power of two is split into 32 */
#define SPLIT (UINT64_C(1) << SPLIT_BITS)

unsigned histogram_power(uint64_t n) { return n == 0 ? 0 : 63 - (unsigned)__builtin_clzll(n); }

/* Numbers that fall into one bucket differ in their last `shift` bits only. */
static unsigned shift_of(uint64_t n) {
  unsigned power = histogram_power(n);
  return power > SPLIT_BITS ? power - SPLIT_BITS : 0;
}

static size_t bucket_of(uint64_t n) {
  unsigned shift = shift_of(n);
  return (size_t)(shift * SPLIT + (n >> shift));
}

static uint64_t middle_of(size_t bucket) {
  if (bucket < 2 * SPLIT) return bucket;
  unsigned shift = (unsigned)(bucket / SPLIT) - 1;
  return ((bucket % SPLIT + SPLIT) << shift) + ((UINT64_C(1) << shift) - 1) / 2;
}

uint64_t histogram_round(uint64_t n) { return middle_of(bucket_of(n)); }

/* A power's worth of buckets at a time. */
static bool make_room(struct histogram *h, size_t bucket) {
  if (bucket < h->num_buckets) return true;
  size_t num = (bucket / SPLIT + 1) * SPLIT;
  uint64_t *counts = realloc(h->counts, num * sizeof *counts);
  if (counts == NULL) return false;
  memset(counts + h->num_buckets, 0, (num - h->num_buckets) * sizeof *counts);
  h->counts = counts;
  h->num_buckets = num;
  return true;
}

bool histogram_add(struct histogram *h, uint64_t n) {
  size_t bucket = bucket_of(n);
  if (!make_room(h, bucket)) return false;
  h->counts[bucket]++;
  if (h->num == 0 || n < h->least) h->least = n;
  if (n > h->most) h->most = n;
  h->num++;
  return true;
}

/* The middle of the bucket in which the n-th smallest number is. */
static uint64_t nth(const struct histogram *h, uint64_t n) {
  size_t bucket = 0;
  for (uint64_t seen = h->counts[0]; seen < n; seen += h->counts[bucket]) bucket++;
  return middle_of(bucket);
}

/* The first and the last are known, and nothing is outside of them. */
uint64_t histogram_quantile(const struct histogram *h, unsigned permille) {
  uint64_t n = h->num / 1000 * permille + (h->num % 1000 * permille + 999) / 1000;
  if (n <= 1) return h->least;
  if (n >= h->num) return h->most;
  uint64_t middle = nth(h, n);
  if (middle < h->least) return h->least;
  return middle > h->most ? h->most : middle;
}

uint64_t histogram_between(const struct histogram *h, unsigned power) {
  uint64_t from = power == 0 ? 0 : UINT64_C(1) << power, sum = 0;
  size_t last = bucket_of((UINT64_C(2) << power) - 1);
  for (size_t bucket = bucket_of(from); bucket <= last && bucket < h->num_buckets; bucket++) {
    sum += h->counts[bucket];
  }
  return sum;
}

void histogram_free(struct histogram *h) {
  free(h->counts);
  *h = (struct histogram){0};
}
