#include "tools/orca/model/bounds.h"

#include <stdlib.h>

ticks_t bounds_lock_time(const struct tally *times, uint32_t id) {
  size_t num;
  const struct tally_row *rows = tally_of(times, id, &num);
  return num == 0 ? 0 : rows[0].total;
}

static double path_left(const struct bounds *b, const struct bounds_change *change) {
  return change->path >= b->work ? 0 : (double)(b->work - change->path) / (double)b->work;
}

/* The CPUs can be as busy as they are allowed to, but no more. */
static double cpu_left(const struct bounds *b, const struct bounds_change *change) {
  double left = b->cpu_part * (1 - change->cpu);
  return left > 1 ? 1 : left;
}

bool bounds_needs_cpus(const struct bounds *b, const struct bounds_change *change) {
  return cpu_left(b, change) > path_left(b, change);
}

double bounds_left(const struct bounds *b, const struct bounds_change *change) {
  double path = path_left(b, change), cpu = cpu_left(b, change);
  return cpu > path ? cpu : path;
}

void bounds_free(struct bounds *b) {
  tally_free(&b->locks);
  free(b->stretches);
  free(b->pool.title);
  *b = (struct bounds){0};
}
