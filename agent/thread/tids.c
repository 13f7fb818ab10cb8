#include "agent/thread/tids.h"

#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/base/task.h"

#define MAX_ENDED 100000 /* threads between two tids_take_ended: 3 MB */

struct tids_ended {
  struct tids_ended *next; /* ended before this one */
  uint32_t tid, thread;
  int64_t wait_ns;
};

void tids_init(struct tids *t) { pthread_mutex_init(&t->lock, NULL); }

static bool is_open(const struct tids *t) { return __atomic_load_n(&t->open, __ATOMIC_RELAXED); }

static void forget_all(struct tids *t) {
  hashmap_free(&t->java);
  hashmap_free(&t->native);
  t->num_unknown = 0;
}

void tids_open(struct tids *t) {
  pthread_mutex_lock(&t->lock);
  forget_all(t);
  __atomic_store_n(&t->open, true, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&t->lock);
}

void tids_take_ended(struct tids *t,
                     void (*tell)(void *arg, uint32_t tid, uint32_t thread, int64_t wait_ns),
                     void *arg) {
  pthread_mutex_lock(&t->lock);
  struct tids_ended *newest = t->ended, *ended = NULL;
  t->ended = NULL;
  t->num_ended = 0;
  pthread_mutex_unlock(&t->lock);
  for (struct tids_ended *before; newest != NULL; newest = before) { /* turns the list around */
    before = newest->next;
    newest->next = ended;
    ended = newest;
  }
  for (struct tids_ended *next; ended != NULL; ended = next) {
    next = ended->next;
    if (tell != NULL) tell(arg, ended->tid, ended->thread, ended->wait_ns);
    free(ended);
  }
}

void tids_close(struct tids *t) {
  pthread_mutex_lock(&t->lock);
  __atomic_store_n(&t->open, false, __ATOMIC_RELAXED);
  forget_all(t);
  pthread_mutex_unlock(&t->lock);
  tids_take_ended(t, NULL, NULL);
}

/* Stores how long the thread waited for a CPU, because the kernel will have forgotten it when
   tids_take_ended is called. Lost without memory, or beyond MAX_ENDED threads. */
static void add_ended(struct tids *t, uint32_t tid, int64_t wait_ns) {
  uint64_t thread = 0;
  struct tids_ended *ended = memory_new(sizeof *ended);
  pthread_mutex_lock(&t->lock);
  hashmap_get(&t->java, tid, &thread);
  if (ended != NULL && is_open(t) && thread != 0 && t->num_ended < MAX_ENDED) {
    *ended = (struct tids_ended){t->ended, tid, (uint32_t)thread, wait_ns};
    t->ended = ended;
    t->num_ended++;
    ended = NULL;
  }
  pthread_mutex_unlock(&t->lock);
  free(ended);
}

/* Enters a thread; `thread` 0: as a native one. Without memory it is not entered, and is native. */
static void enter_tid(struct tids *t, uint32_t tid, uint32_t thread, int64_t native_ns) {
  pthread_mutex_lock(&t->lock);
  uint64_t *java = is_open(t) ? hashmap_at(&t->java, tid) : NULL;
  if (java != NULL) {
    *java = thread;
    if (thread == 0) hashmap_put(&t->native, tid, (uint64_t)native_ns + 1);
  }
  pthread_mutex_unlock(&t->lock);
}

static uint32_t get_own_tid(void) { return (uint32_t)syscall(SYS_gettid); }

void tids_begin(struct tids *t, uint32_t thread) {
  if (is_open(t)) enter_tid(t, get_own_tid(), thread, 0);
}

void tids_end(struct tids *t) {
  int64_t cpu_ns, wait_ns;
  if (!is_open(t)) return;
  if (task_read_schedstat("/proc/self/task", get_own_tid(), &cpu_ns, &wait_ns)) {
    add_ended(t, get_own_tid(), wait_ns);
  }
  enter_tid(t, get_own_tid(), 0, (int64_t)clock_own_cpu_ns());
}

void tids_put(struct tids *t, uint32_t tid, uint32_t thread) { enter_tid(t, tid, thread, 0); }

uint32_t tids_get(struct tids *t, uint32_t tid, int64_t *out_native_ns) {
  uint64_t thread = 0, native = 0;
  pthread_mutex_lock(&t->lock);
  hashmap_get(&t->java, tid, &thread);
  if (thread == 0) hashmap_get(&t->native, tid, &native);
  pthread_mutex_unlock(&t->lock);
  *out_native_ns = native == 0 ? 0 : (int64_t)(native - 1);
  return (uint32_t)thread;
}

static void sweep_map(struct hashmap *m, bool (*lives)(const void *arg, uint32_t tid),
                      const void *arg) {
  struct hashmap kept = {0};
  struct hashmap_slot slot;
  for (size_t cursor = 0; hashmap_next(m, &cursor, &slot);) {
    if (lives(arg, (uint32_t)slot.key)) hashmap_put(&kept, slot.key, slot.value);
  }
  hashmap_free(m);
  *m = kept;
}

void tids_sweep(struct tids *t, bool (*lives)(const void *arg, uint32_t tid), const void *arg) {
  pthread_mutex_lock(&t->lock);
  sweep_map(&t->java, lives, arg);
  sweep_map(&t->native, lives, arg);
  pthread_mutex_unlock(&t->lock);
}

bool tids_is_unknown(const struct tids *t, const char *name) {
  for (unsigned i = 0; i < t->num_unknown; i++) {
    if (task_names_have(&t->unknown[i], name)) return true;
  }
  return false;
}
