#include "agent/base/bounded_lock.h"

#include <time.h>

#ifdef ORCA_TSAN /* some versions of ThreadSanitizer do not know pthread_mutex_clocklock */
#define CLOCK CLOCK_REALTIME
#define lock_until(lock, limit) pthread_mutex_timedlock(lock, limit)
#else
#define CLOCK CLOCK_MONOTONIC
#define lock_until(lock, limit) pthread_mutex_clocklock(lock, CLOCK, limit)
#endif

bool bounded_lock(pthread_mutex_t *lock) {
  struct timespec limit;
  clock_gettime(CLOCK, &limit);
  limit.tv_sec += 1;
  return lock_until(lock, &limit) == 0;
}

void bounded_unlock(pthread_mutex_t *lock, bool is_locked) {
  if (is_locked) pthread_mutex_unlock(lock);
}
