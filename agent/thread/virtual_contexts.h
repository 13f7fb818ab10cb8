#pragma once
/* The contexts of virtual threads, by the identity hash of the thread, for other threads. The
   registry has few of them: to add all would cost too much in programs that start many. Here each
   hash has one place, which the thread that came last keeps. So a context may be missing while its
   thread lives. These functions never call the JVM. Any thread. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

struct context;

#define VIRTUAL_PLACES 65536
#define VIRTUAL_LOCKS 64

struct virtual_place {
  struct context *context; /* NULL: none */
  bool was_used;           /* it has had a context */
};

struct virtual_contexts {
  struct virtual_place *places; /* NULL before the first virtual thread; atomic; never freed */
  bool is_incomplete;           /* without memory, a context was not added; atomic */
  pthread_mutex_t
      locks[VIRTUAL_LOCKS]; /* each of its part of the places; nothing is locked inside */
};

void virtual_contexts_init(struct virtual_contexts *v);

/* virtual_contexts_bytes returns how much memory the places take. */
size_t virtual_contexts_bytes(const struct virtual_contexts *v);

/* virtual_contexts_add adds the context of a thread that begins or is noticed.
   virtual_contexts_remove removes it, if it is still there, before it is used for another thread.
 */
void virtual_contexts_add(struct virtual_contexts *v, struct context *c);
void virtual_contexts_remove(struct virtual_contexts *v, struct context *c);

enum virtual_answer {
  VIRTUAL_FOUND,
  VIRTUAL_UNKNOWN, /* its context may have been replaced */
  VIRTUAL_NONE,    /* the thread never had a context */
};

/* virtual_contexts_ask calls `ask` for the context with this hash, under a lock. */
enum virtual_answer virtual_contexts_ask(struct virtual_contexts *v, uint32_t thread,
                                         void (*ask)(const struct context *c, void *arg),
                                         void *arg);

END_C
