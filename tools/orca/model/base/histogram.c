#include "tools/orca/model/base/histogram.h"

#include <stdlib.h>
#include <string.h>

#define SPLIT_BITS 5 /* each power of two is split into 32 */
#define SPLIT (UINT64_C(1) << SPLIT_BITS)

unsigned histogram_power(uint64_t n) { return n == 0 ? 0 : 63 - (unsigned)__builtin_clzll(n); }

/* The numbers of one bucket differ only in their lowest `shift` bits. */
static size_t find_bucket(uint64_t n) {
  unsigned power = histogram_power(n);
  unsigned shift = power > SPLIT_BITS ? power - SPLIT_BITS : 0;
  return (size_t)(shift * SPLIT + (n >> shift));
}

static uint64_t find_middle(size_t bucket) {
  if (bucket < 2 * SPLIT) return bucket;
  unsigned shift = (unsigned)(bucket / SPLIT) - 1;
  return ((bucket % SPLIT + SPLIT) << shift) + ((UINT64_C(1) << shift) - 1) / 2;
}

uint64_t histogram_round(uint64_t n) { return find_middle(find_bucket(n)); }

bool histogram_add(struct histogram *h, uint64_t n) {
  size_t bucket = find_bucket(n);
  if (bucket >= h->num_buckets) { /* add the buckets of whole powers of two */
    size_t num = (bucket / SPLIT + 1) * SPLIT;
    uint64_t *counts = realloc(h->counts, num * sizeof *counts);
    if (counts == NULL) return false;
    memset(counts + h->num_buckets, 0, (num - h->num_buckets) * sizeof *counts);
    h->counts = counts;
    h->num_buckets = num;
  }
  h->counts[bucket]++;
  if (h->num == 0 || n < h->least) h->least = n;
  if (n > h->most) h->most = n;
  h->num++;
  return true;
}

/* The least and the most number are known exactly, so the result is clamped to them. */
uint64_t histogram_quantile(const struct histogram *h, unsigned permille) {
  uint64_t n = h->num / 1000 * permille + (h->num % 1000 * permille + 999) / 1000;
  if (n <= 1) return h->least;
  if (n >= h->num) return h->most;
  size_t bucket = 0; /* of the n-th smallest number */
  for (uint64_t seen = h->counts[0]; seen < n; seen += h->counts[bucket]) bucket++;
  uint64_t middle = find_middle(bucket);
  if (middle < h->least) return h->least;
  return middle > h->most ? h->most : middle;
}

uint64_t histogram_between(const struct histogram *h, unsigned power) {
  uint64_t from = power == 0 ? 0 : UINT64_C(1) << power, sum = 0;
  size_t last = find_bucket((UINT64_C(2) << power) - 1);
  for (size_t bucket = find_bucket(from); bucket <= last && bucket < h->num_buckets; bucket++) {
    sum += h->counts[bucket];
  }
  return sum;
}

void histogram_free(struct histogram *h) {
  free(h->counts);
  *h = (struct histogram){0};
}
