#pragma once
/* The contexts of platform threads by the identity hash of the thread, for other threads that ask
   about it. JVMTI's thread-local storage serves only the thread itself: JDK 25 crashes when it is
   asked for the storage of another thread that is just ending.

   Two threads may have the same hash; the files cannot tell them apart either. Virtual threads are
   not in the table. Nothing here calls the JVM or allocates memory. Any thread. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct context;

#define REGISTRY_BUCKETS 1024
#define REGISTRY_ENDED 4096

struct registry {
  pthread_mutex_t lock;                      /* of everything below; never held in a JVM call */
  struct context *buckets[REGISTRY_BUCKETS]; /* chained by context.next_registered */
  uint32_t ended[REGISTRY_ENDED];            /* ring of the hashes of the last threads that ended;
                                                0: none */
  unsigned num_ended;                        /* ever; the next goes to this index, modulo */
};

void registry_init(struct registry *r);

/* registry_add adds the context of a living thread under `c->thread`. The registry does not own
   it. */
void registry_add(struct registry *r, struct context *c);

/* registry_find returns a context with this hash, NULL without one. The caller has to make sure
   that the context is not removed meanwhile. */
struct context *registry_find(struct registry *r, uint32_t thread);

/* registry_adopt returns a context with this hash that its thread has not adopted, and marks it as
   adopted; NULL without one. The thread itself calls it. */
struct context *registry_adopt(struct registry *r, uint32_t thread);

/* registry_end removes a context, if it is in the registry, and remembers that its thread ended. */
void registry_end(struct registry *r, struct context *c);

/* registry_has_ended tells whether the thread with this hash is among the last REGISTRY_ENDED
   threads that ended, and no living thread has the hash. */
bool registry_has_ended(struct registry *r, uint32_t thread);

/* registry_ask returns what `ask` says about the context with this hash; false where there is none,
   or where several have the hash. `ask` runs under the lock. */
bool registry_ask(struct registry *r, uint32_t thread,
                  bool (*ask)(const struct context *c, const void *arg), const void *arg);

#ifdef __cplusplus
}
#endif
