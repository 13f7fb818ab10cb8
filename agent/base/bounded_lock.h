#pragma once
/* Takes a lock, but waits for it at most one second. Use it for a lock that is held during calls of
   the JVM: a debugger may suspend the owner in such a call for any time. A caller that did not get
   the lock continues without it; each caller documents the consequence. The lock is a semaphore,
   whose count is 1 while no thread owns it. */
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/base/semaphore.h"

BEGIN_C

/* bounded_lock_init makes a free lock. */
void bounded_lock_init(struct semaphore *lock);

/* bounded_lock returns whether it took `lock`. Any thread. */
bool bounded_lock(struct semaphore *lock);

/* bounded_unlock frees `lock` if `is_locked`, the result of bounded_lock, is true. */
void bounded_unlock(struct semaphore *lock, bool is_locked);

END_C
