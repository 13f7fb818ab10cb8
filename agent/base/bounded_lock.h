#pragma once
/* A lock for the rare places that have to call the JVM while they hold it. In such a call a
   debugger may stop the thread for as long as it likes; so nobody waits for the lock for more than
   a second, and a caller that did not get it goes on without: what that may cost is said where it
   is used. */
#include <pthread.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* bounded_lock tells whether it got the lock; only then bounded_unlock gives it back. */
bool bounded_lock(pthread_mutex_t *lock);
void bounded_unlock(pthread_mutex_t *lock, bool got_it);

#ifdef __cplusplus
}
#endif
