#include "agent/monitor/credit.h"

#include "agent/base/clock.h"

#define SHARE 50                   /* queries may take 1/50 of the time */
#define MAX_NS (20 * NS_PER_MS)    /* bound of the balance */
#define ASSUMED_NS (NS_PER_MS / 2) /* assumed duration of the queries before the first one */

void credit_start(struct credit *c, uint64_t now_ns) {
  *c = (struct credit){.updated_ns = now_ns, .balance_ns = MAX_NS};
  for (int i = 0; i < CREDIT_RECENT; i++) c->recent[i] = ASSUMED_NS;
}

bool credit_is_left(struct credit *c, uint64_t now_ns) {
  c->balance_ns += (int64_t)((now_ns - c->updated_ns) / SHARE);
  c->updated_ns = now_ns;
  if (c->balance_ns > (int64_t)MAX_NS) c->balance_ns = (int64_t)MAX_NS;
  return c->balance_ns > 0;
}

uint64_t credit_next(const struct credit *c) {
  return c->balance_ns > 0 ? 0 : c->updated_ns + (uint64_t)(1 - c->balance_ns) * SHARE;
}

void credit_charge(struct credit *c, uint64_t ns) { c->balance_ns -= (int64_t)ns; }

void credit_spend(struct credit *c, uint64_t took_ns) {
  uint64_t shortest = c->recent[c->num_spent++ % CREDIT_RECENT] = took_ns;
  for (int i = 0; i < CREDIT_RECENT; i++) {
    if (c->recent[i] < shortest) shortest = c->recent[i];
  }
  credit_charge(c, shortest);
}
