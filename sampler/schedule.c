#include "sampler/schedule.h"

uint64_t schedule_wait(uint64_t interval_ns, double budget, uint64_t cost_ns) {
  double wait_ns = (double)cost_ns / budget;
  return wait_ns > (double)interval_ns ? (uint64_t)wait_ns : interval_ns;
}
