#include "agent/base/os_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "agent/base/memory.h"

struct buffer {
  void *memory;
  size_t size;
};

struct os_thread {
  uintptr_t low, high; /* bounds of the stack; 0: unknown */
  struct buffer buffers[NUM_OS_THREAD_BUFFERS];
};

static __thread struct os_thread *of_this_thread; /* NULL: not made yet */

/* The key frees the data when the thread ends. make_key sets both, once. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void free_thread(void *thread) {
  struct os_thread *t = thread;
  of_this_thread = NULL;
  for (int i = 0; i < NUM_OS_THREAD_BUFFERS; i++) free(t->buffers[i].memory);
  free(t);
}

static void make_key(void) { has_key = pthread_key_create(&key, free_thread) == 0; }

static void find_stack_bounds(struct os_thread *t) {
  pthread_attr_t attr;
  void *low = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attr) != 0) return;
  if (pthread_attr_getstack(&attr, &low, &size) == 0) {
    t->low = (uintptr_t)low;
    t->high = t->low + size;
  }
  pthread_attr_destroy(&attr);
}

static struct os_thread *make_os_thread(void) {
  pthread_once(&once, make_key);
  struct os_thread *t = has_key ? memory_new_zeroed(1, sizeof *t) : NULL;
  if (t == NULL) return NULL;
  find_stack_bounds(t);
  if (pthread_setspecific(key, t) == 0) return of_this_thread = t;
  free(t);
  return NULL;
}

/* Returns the data of the current thread, made at the first call; NULL without memory. */
static struct os_thread *get_os_thread(void) {
  struct os_thread *t = of_this_thread;
  return t != NULL ? t : make_os_thread();
}

static bool has_room(size_t headroom) {
  const struct os_thread *t = get_os_thread();
  uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
  if (t == NULL || sp < t->low || sp >= t->high) return true;
  return sp - t->low >= OS_THREAD_GUARD + headroom;
}

bool os_thread_has_room(void) { return has_room(OS_THREAD_HEADROOM); }
bool os_thread_has_ample_room(void) { return has_room(2 * OS_THREAD_HEADROOM); }

void *os_thread_buffer(enum os_thread_buffer which, size_t size) {
  struct os_thread *t = get_os_thread();
  if (t == NULL) return NULL;
  struct buffer *b = &t->buffers[which];
  if (b->size >= size && b->memory != NULL) return b->memory;
  free(b->memory); /* realloc would copy the old content, which nobody needs */
  b->memory = memory_new_zeroed(1, size);
  b->size = b->memory == NULL ? 0 : size;
  return b->memory;
}

/* --- threads of Orca ------------------------------------------------------------------------- */

#define START_STACK ((size_t)256 << 10)

int os_thread_start(void *(*run)(void *), void *arg, const char *name) {
  pthread_t thread;
  pthread_attr_t attr;
  sigset_t all, old;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attr, START_STACK);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old); /* the new thread inherits it */
  int why = pthread_create(&thread, &attr, run, arg);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attr);
  if (why == 0) pthread_setname_np(thread, name);
  return why;
}
