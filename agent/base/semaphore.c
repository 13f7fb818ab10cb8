#include "agent/base/semaphore.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "agent/base/clock.h"

void semaphore_init(struct semaphore *s, uint32_t count) {
  *s = (struct semaphore){.count = count};
}

/* Either this thread sees the waiter, or the kernel, which reads the count after the waiter was
   counted, sees the count. */
void semaphore_post(struct semaphore *s) {
  __atomic_fetch_add(&s->count, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&s->waiters, __ATOMIC_SEQ_CST) == 0) return;
  int saved = errno;
  syscall(SYS_futex, &s->count, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  errno = saved;
}

bool semaphore_try(struct semaphore *s) {
  uint32_t count = __atomic_load_n(&s->count, __ATOMIC_RELAXED);
  while (count != 0) {
    if (__atomic_compare_exchange_n(&s->count, &count, count - 1, true, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
  }
  return false;
}

/* Sleeps while the count is 0. False if the time is over. The bitset variant takes a point in time
   instead of a duration. */
static bool sleep_until(struct semaphore *s, uint64_t until_ns) {
  struct timespec until = {(time_t)(until_ns / NS_PER_S), (long)(until_ns % NS_PER_S)};
  const struct timespec *limit = until_ns == SEMAPHORE_FOREVER ? NULL : &until;
  __atomic_fetch_add(&s->waiters, 1, __ATOMIC_SEQ_CST);
  long result = syscall(SYS_futex, &s->count, FUTEX_WAIT_BITSET_PRIVATE, 0, limit, NULL,
                        FUTEX_BITSET_MATCH_ANY);
  bool is_over = result != 0 && errno == ETIMEDOUT;
  __atomic_fetch_sub(&s->waiters, 1, __ATOMIC_RELAXED);
  return !is_over;
}

bool semaphore_wait(struct semaphore *s, uint64_t until_ns) {
  while (!semaphore_try(s)) {
    if (!sleep_until(s, until_ns)) return semaphore_try(s);
  }
  return true;
}
