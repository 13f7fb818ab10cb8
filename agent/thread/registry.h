#pragma once
/* The contexts of threads, by the identity hash of the thread, for other threads. JVMTI's
   thread-local storage is of use to the thread itself only: JDK 25 crashes when it reads the
   storage of another thread that is just ending.

   Two threads may have the same hash; the files cannot tell them apart either. Of the virtual
   threads only those are in the registry that another thread announced, and those that have had a
   young call. These functions never call the JVM and never allocate memory. Any thread. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct context;

#define REGISTRY_BUCKETS 16384
#define REGISTRY_SLICE 256 /* buckets */
#define REGISTRY_SLICES (REGISTRY_BUCKETS / REGISTRY_SLICE)
#define REGISTRY_ENDED 4096

/* The last threads that ended. */
struct ended_ring {
  uint32_t hashes[REGISTRY_ENDED]; /* 0: none */
  unsigned num; /* threads that ever ended; modulo REGISTRY_ENDED the next index of the ring */
};

struct registry {
  pthread_mutex_t lock;                      /* of everything below; never held in a JVM call */
  struct context *buckets[REGISTRY_BUCKETS]; /* chained by context.next_registered */
  struct ended_ring ended_platform, ended_virtual; /* two, since virtual threads end often */
};

void registry_init(struct registry *r);

/* registry_add adds the context of a living thread with the hash `c->thread`. The registry does not
   own the context. */
void registry_add(struct registry *r, struct context *c);

/* registry_find returns a context with this hash, NULL without one. The caller must make sure that
   the context is not removed while it uses it. */
struct context *registry_find(struct registry *r, uint32_t thread);

/* registry_adopt returns a context with this hash, of a virtual or a platform thread, that its
   thread has not adopted, and marks it as adopted; NULL without one. The thread itself calls it. */
struct context *registry_adopt(struct registry *r, uint32_t thread, bool is_virtual);

/* registry_remove removes a context whose thread goes on. */
void registry_remove(struct registry *r, struct context *c);

/* registry_end removes a context, if it is in the registry, and remembers that its thread ended. */
void registry_end(struct registry *r, struct context *c);

/* registry_visit calls `visit` for the contexts of a slice, from 0 to REGISTRY_SLICES - 1, under
   the lock, until it returns false. In slices, so that nobody has to wait for the lock for long. */
void registry_visit(struct registry *r, int slice, bool (*visit)(struct context *c, void *arg),
                    void *arg);

/* registry_has_ended returns whether the thread with this hash is among the last REGISTRY_ENDED
   platform threads or REGISTRY_ENDED virtual threads that ended. False if a living thread has the
   hash. */
bool registry_has_ended(struct registry *r, uint32_t thread);

/* registry_ask calls `ask`, under the lock, for the context with this hash. Returns how many
   contexts have the hash; `ask` is called only if that is one. */
int registry_ask(struct registry *r, uint32_t thread,
                 void (*ask)(const struct context *c, void *arg), void *arg);

END_C
