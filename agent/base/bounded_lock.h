#pragma once
/* Locks a mutex, but waits for it at most one second. Use it for a mutex that is held during calls
   of the JVM: a debugger may suspend the owner in such a call for any time. A caller that did not
   get the lock continues without it; each caller documents the consequence. */
#include <pthread.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* bounded_lock returns whether it locked `lock`. Any thread. */
bool bounded_lock(pthread_mutex_t *lock);

/* bounded_unlock unlocks `lock` if `is_locked`, the result of bounded_lock, is true. */
void bounded_unlock(pthread_mutex_t *lock, bool is_locked);

#ifdef __cplusplus
}
#endif
