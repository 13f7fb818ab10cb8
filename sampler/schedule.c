#include "sampler/schedule.h"

#include "agent/base/clock.h"

#define BUSY 0.5                    /* CPUs; a process that uses less gets a part of the budget */
#define IDLE_WAIT_NS (5 * NS_PER_S) /* what little use of the CPU can add up to */

uint64_t schedule_wait(uint64_t interval_ns, double budget, double used, uint64_t cost_ns) {
  double wait_ns = (double)interval_ns, busy_ns = (double)cost_ns / budget;
  double idle_ns = used > 0 ? busy_ns * BUSY / used : IDLE_WAIT_NS;
  if (idle_ns > IDLE_WAIT_NS) idle_ns = IDLE_WAIT_NS;
  if (idle_ns > wait_ns && cost_ns > 0) wait_ns = idle_ns;
  return (uint64_t)(busy_ns > wait_ns ? busy_ns : wait_ns);
}
