#include "sampler/schedule.h"

uint64_t schedule_wait(uint64_t interval_ns, double budget, uint64_t pause_ns) {
  double fair = (double)pause_ns / budget;
  return fair > (double)interval_ns ? (uint64_t)fair : interval_ns;
}
