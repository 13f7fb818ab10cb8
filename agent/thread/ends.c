#include "agent/thread/ends.h"

#include "agent/base/bounded_lock.h"
#include "agent/base/jvmti_compat.h"

#define FIRST_SAFE 10       /* version of the JDK */
#define MAX_REMEMBERED 4096 /* the JVM lists an ended thread only for a moment */

static bool is_needed;
static struct semaphore lock;
/* Under the lock: a ring of the hashes of the last threads that ended. */
static uint32_t ended[MAX_REMEMBERED];
static unsigned num_ended;
static __thread unsigned depth; /* how many times the current thread holds the lock */

void ends_prepare(jvmtiEnv *ti) {
  is_needed = compat_version(ti) < FIRST_SAFE;
  bounded_lock_init(&lock);
  num_ended = 0;
}

void ends_note(uint32_t thread) {
  if (!is_needed) return;
  bool is_locked = bounded_lock(&lock);
  ended[num_ended++ % MAX_REMEMBERED] = thread;
  bounded_unlock(&lock, is_locked);
}

static bool has_ended(uint32_t thread) {
  unsigned num = num_ended < MAX_REMEMBERED ? num_ended : MAX_REMEMBERED;
  for (unsigned i = 0; i < num; i++) {
    if (ended[i] == thread) return true;
  }
  return false;
}

bool ends_hold(jvmtiEnv *ti, jthread thread) {
  jint hash = 0;
  if (!is_needed) return true;
  if ((*ti)->GetObjectHashCode(ti, thread, &hash) != JVMTI_ERROR_NONE) return false;
  if (depth == 0 && !bounded_lock(&lock)) return false;
  if (has_ended((uint32_t)hash)) {
    if (depth == 0) bounded_unlock(&lock, true);
    return false;
  }
  depth++;
  return true;
}

void ends_release(void) {
  if (is_needed && --depth == 0) bounded_unlock(&lock, true);
}
