#include "sampler/ended_threads.h"

#include <stdlib.h>

#include "agent/base/memory.h"

#define MAX_ENDED_THREADS 100000 /* 3 MB */

struct ended_thread {
  struct ended_thread *next;
  uint32_t recording, thread;
  int64_t cpu_ns;
};

void ended_threads_open(struct ended_threads *e, uint32_t recording) {
  __atomic_store_n(&e->recording, recording, __ATOMIC_RELAXED);
}

void ended_threads_close(struct ended_threads *e) {
  __atomic_store_n(&e->recording, 0, __ATOMIC_RELAXED);
  ended_threads_take(e, NULL, NULL); /* visits none: the list is closed */
}

void ended_threads_add(struct ended_threads *e, uint32_t recording, uint32_t thread,
                       int64_t cpu_ns) {
  if (!ended_threads_wants(e, recording) ||
      __atomic_load_n(&e->num, __ATOMIC_RELAXED) >= MAX_ENDED_THREADS)
    return;
  struct ended_thread *t = memory_new(sizeof *t);
  if (t == NULL) return;
  *t = (struct ended_thread){.recording = recording, .thread = thread, .cpu_ns = cpu_ns};
  __atomic_fetch_add(&e->num, 1, __ATOMIC_RELAXED);
  t->next = __atomic_load_n(&e->head, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&e->head, &t->next, t, true, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
}

/* Takes the whole list at once, so no other thread can change a link that this loop follows. A
   thread may have added itself after the end of its recording, if that came in the middle of
   ended_threads_add. */
void ended_threads_take(struct ended_threads *e,
                        void (*visit)(void *arg, uint32_t thread, int64_t cpu_ns), void *arg) {
  struct ended_thread *t = __atomic_exchange_n(&e->head, NULL, __ATOMIC_ACQUIRE);
  for (struct ended_thread *next; t != NULL; t = next) {
    next = t->next;
    if (ended_threads_wants(e, t->recording)) visit(arg, t->thread, t->cpu_ns);
    free(t);
    __atomic_fetch_sub(&e->num, 1, __ATOMIC_RELAXED);
  }
}
