#include "agent/monitor/credit.h"

#include "agent/base/clock.h"

#define SHARE 50                 /* the JVM stands still for at most 1/50 of the time, */
#define MOST_NS (20 * NS_PER_MS) /* of which so much may be saved up */
#define FIRST_NS (NS_PER_MS / 2) /* what a question costs while nothing is known of it */

void credit_start(struct credit *c, uint64_t now_ns) {
  *c = (struct credit){.at_ns = now_ns, .ns = MOST_NS};
  for (int i = 0; i < CREDIT_RECENT; i++) c->recent[i] = FIRST_NS;
}

bool credit_has(struct credit *c, uint64_t now_ns) {
  c->ns += (int64_t)((now_ns - c->at_ns) / SHARE);
  c->at_ns = now_ns;
  if (c->ns > (int64_t)MOST_NS) c->ns = (int64_t)MOST_NS;
  return c->ns > 0;
}

void credit_pay(struct credit *c, uint64_t took_ns) {
  uint64_t shortest = c->recent[c->next++ % CREDIT_RECENT] = took_ns;
  for (int i = 0; i < CREDIT_RECENT; i++) {
    if (c->recent[i] < shortest) shortest = c->recent[i];
  }
  c->ns -= (int64_t)shortest;
}
