#include "agent/base/bounded_lock.h"

#include <time.h>

bool bounded_lock(pthread_mutex_t *lock) {
  struct timespec limit;
  clock_gettime(CLOCK_MONOTONIC, &limit);
  limit.tv_sec += 1;
  return pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &limit) == 0;
}

void bounded_unlock(pthread_mutex_t *lock, bool got_it) {
  if (got_it) pthread_mutex_unlock(lock);
}
