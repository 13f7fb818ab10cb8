#pragma once
/* What the option `threshold` left out before it reached the queue. Each thread counts in one of
   several cache lines, so that threads on different CPUs rarely write the same one. Any thread. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LEFT_OUT_PARTS 64

struct left_out_counts {
  uint64_t pairs;   /* calls that were shorter than the threshold */
  uint64_t wakes;   /* calls that only wake threads, while nobody waited */
  uint64_t lock_ns; /* duration of those `pairs` that acquire locks */
};

/* All zero is empty. */
struct left_out {
  struct {
    struct left_out_counts counts;
  } __attribute__((aligned(64))) parts[LEFT_OUT_PARTS];
};

/* left_out_pair counts a call that took `ns`. left_out_wake counts a call that wakes nobody. */
void left_out_pair(struct left_out *l, bool is_lock, uint64_t ns);
void left_out_wake(struct left_out *l);

/* left_out_sum returns the sums since left_out_reset. A recording begins with the latter. */
struct left_out_counts left_out_sum(const struct left_out *l);
void left_out_reset(struct left_out *l);

#ifdef __cplusplus
}
#endif
