#include "agent/base/bounded_lock.h"

#include "agent/base/clock.h"

void bounded_lock_init(struct semaphore *lock) { semaphore_init(lock, 1); }

bool bounded_lock(struct semaphore *lock) {
  return semaphore_try(lock) || semaphore_wait(lock, clock_monotonic_ns() + NS_PER_S);
}

void bounded_unlock(struct semaphore *lock, bool is_locked) {
  if (is_locked) semaphore_post(lock);
}
