#include "agent/meta/walker.h"

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/record/intern.h"

#define CHECKED_OF 1024        /* one of so many stacks is compared */
#define MAX_TO_JNI (256 << 10) /* a JavaThread is smaller */

/* --- on and off ------------------------------------------------------------------------------ */

/* A JNIEnv is a member of its JavaThread, always at the same offset. */
static bool find_jni_offset(struct walker *w, jvmtiEnv *ti, JNIEnv *jni) {
  jthread self = NULL;
  if ((*ti)->GetCurrentThread(ti, &self) != JVMTI_ERROR_NONE || self == NULL) return false;
  uintptr_t java_thread = hotspot_read_thread(&w->hotspot, jni, self);
  (*jni)->DeleteLocalRef(jni, self);
  w->to_jni = (uintptr_t)jni - java_thread;
  return java_thread != 0 && w->to_jni < MAX_TO_JNI && hotspot_is_current(&w->hotspot, java_thread);
}

static bool open_walker(struct walker *w, jvmtiEnv *ti, JNIEnv *jni, const char **why) {
  if (!hotspot_open(&w->hotspot, ti, jni, why) || !physical_can_read(&w->hotspot, why))
    return false;
  *why = "the JVM's structures are not as expected, or cannot be read";
  if (!find_jni_offset(w, ti, jni)) return false;
  *why = "there is no memory for it";
  w->shapes = shapes_new();
  w->read = physical_read;
  w->read_near = physical_read_near;
  w->follows = physical_follows;
  w->above = physical_above;
  return w->shapes != NULL;
}

bool walker_start(struct walker *w, jvmtiEnv *ti, JNIEnv *jni, bool checks_all, const char **why) {
  if (!w->is_open) w->is_open = open_walker(w, ti, jni, why);
  __atomic_store_n(&w->checks_all, checks_all, __ATOMIC_RELAXED);
  __atomic_store_n(&w->is_on, w->is_open, __ATOMIC_RELEASE);
  return w->is_open;
}

void walker_stop(struct walker *w) { __atomic_store_n(&w->is_on, false, __ATOMIC_RELEASE); }

void walker_differed(struct walker *w) {
  if (!__atomic_exchange_n(&w->is_on, false, __ATOMIC_ACQ_REL)) return;
  log_line(
      "walk=cached: a stack was not the one that the JVM walked; from now on stacks are taken as "
      "with walk=jvmti");
}

/* --- walking --------------------------------------------------------------------------------- */

bool walker_key(const struct walker *w, JNIEnv *jni, uintptr_t until, struct physical_key *key) {
  if (!walker_is_on(w)) return false;
  return w->read(&w->hotspot, (uintptr_t)jni - w->to_jni, until, key);
}

bool walker_near_key(const struct walker *w, JNIEnv *jni, unsigned num, struct physical_key *key,
                     struct physical_trail *trail) {
  if (!walker_is_on(w)) return false;
  return w->read_near(&w->hotspot, (uintptr_t)jni - w->to_jni, num, key, trail);
}

bool walker_follows(const struct walker *w, JNIEnv *jni, const struct physical_trail *trail) {
  if (!walker_is_on(w)) return false;
  return w->follows(&w->hotspot, (uintptr_t)jni - w->to_jni, trail);
}

uintptr_t walker_above(const struct walker *w, JNIEnv *jni) {
  if (!walker_is_on(w)) return PHYSICAL_ALL;
  return w->above(&w->hotspot, (uintptr_t)jni - w->to_jni);
}

/* Xorshift: at random, so that it does not fall into step with what the program does. */
static uint32_t make_random(uint32_t *last) {
  if (*last == 0) *last = (uint32_t)hash_word(clock_monotonic_ns()) | 1;
  *last ^= *last << 13;
  *last ^= *last >> 17;
  *last ^= *last << 5;
  return *last;
}

bool walker_checks(const struct walker *w, uint32_t *random) {
  return __atomic_load_n(&w->checks_all, __ATOMIC_RELAXED) || make_random(random) % CHECKED_OF == 0;
}

jint walker_walk(jvmtiEnv *ti, jint skip, jint max, jvmtiFrameInfo *frames) {
  jint n = 0;
  return (*ti)->GetStackTrace(ti, NULL, skip, max, frames, &n) == JVMTI_ERROR_NONE ? n : 0;
}

struct table_size walker_size(const struct walker *w) {
  return w->is_open ? shapes_size(w->shapes) : (struct table_size){0};
}
