#include "agent/meta/walker.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/record/intern.h"

#define FIRST_VIRTUAL 0x00130000 /* JNI 19: virtual threads are a preview */
#define CHECKED_OF 1024          /* one of so many stacks is compared */
#define MAX_TO_JNI (256 << 10)   /* a JavaThread is smaller */

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
  w->methods = physical_read_methods;
  w->follows = physical_follows;
  w->above = physical_above;
  bool is_told =
      (*jni)->GetVersion(jni) < FIRST_VIRTUAL || w->hotspot.has[HOTSPOT_THREAD_CONTINUATION];
  w->is_platform = is_told ? physical_is_platform : NULL;
  return w->shapes != NULL;
}

bool walker_start(struct walker *w, jvmtiEnv *ti, JNIEnv *jni, const char **why) {
  const char *way = getenv("ORCA_WALK");
  bool checks_all = way != NULL && strcmp(way, "checked") == 0;
  bool is_wanted = way == NULL || strcmp(way, "jvmti") != 0;
  if (is_wanted && !w->is_open) w->is_open = open_walker(w, ti, jni, why);
  if (!is_wanted) *why = "the environment variable ORCA_WALK is jvmti";
  __atomic_store_n(&w->checks_all, checks_all, __ATOMIC_RELAXED);
  __atomic_store_n(&w->is_on, is_wanted && w->is_open, __ATOMIC_RELEASE);
  return walker_is_on(w);
}

void walker_stop(struct walker *w) { __atomic_store_n(&w->is_on, false, __ATOMIC_RELEASE); }

void walker_differed(struct walker *w) {
  if (!__atomic_exchange_n(&w->is_on, false, __ATOMIC_ACQ_REL)) return;
  log_line(
      "a stack that was found by its addresses was not the one that the JVM walked; from now on "
      "the "
      "JVM walks every stack");
}

/* --- the newest frames -----------------------------------------------------------------------

   The word of too few frames is the number of frames to look at next, plus WALKER_MOST_WORD. */

#define FIRST_FRAMES 2 /* a hook, and code into which the rest is inlined */
#define MOST_FRAMES 80

uintptr_t walker_find_near(const struct walker *w, JNIEnv *jni, const struct physical_key *seed,
                           struct walker_near *out) {
  unsigned num = FIRST_FRAMES, most = UINT_MAX;
  out->num = 0;
  out->trail.num = 0;
  while (walker_is_on(w) && num >= FIRST_FRAMES && num <= most) {
    unsigned asked = num;
    out->key = *seed;
    physical_add(&out->key, num);
    if (!w->read_near(&w->hotspot, (uintptr_t)jni - w->to_jni, &num, &out->key, &out->trail)) {
      most = num; /* as many as there are may tell it, too */
      continue;
    }
    out->num = asked;
    uintptr_t word = shapes_get(w->shapes, &out->key);
    if (word < WALKER_MOST_WORD) return word;
    num = (unsigned)(word - WALKER_MOST_WORD);
  }
  out->num = 0;
  return 0;
}

bool walker_put_near(const struct walker *w, const struct walker_near *near, unsigned num_needed,
                     uintptr_t word) {
  if (near->num == 0 || num_needed == 0) return false;
  bool is_told = num_needed <= near->num;
  shapes_put(w->shapes, &near->key, is_told ? word : WALKER_MOST_WORD + num_needed);
  return is_told;
}

/* Each physical frame ends, seen from the newest frame, with the method that was compiled. That
   method may also be inlined into itself, so its first place is the least that the physical frame
   reaches to. */
unsigned walker_count_frames(const struct walker *w, JNIEnv *jni, const jvmtiFrameInfo *frames,
                             jint num, jint last) {
  jmethodID methods[MOST_FRAMES];
  if (!walker_is_on(w)) return 0;
  unsigned n = w->methods(&w->hotspot, (uintptr_t)jni - w->to_jni, MOST_FRAMES, methods);
  /* The first frame is that of a native method, into which nothing is inlined. */
  if (n == 0 || num == 0 || methods[0] != frames[0].method) return 0;
  jint end = 0;
  for (unsigned i = 0; i < n; i++, end++) {
    while (end < num && frames[end].method != methods[i]) end++;
    if (end == num) return 0; /* the JVM has left out frames, or gave too few */
    if (end >= last) return i + 1;
  }
  return 0;
}

/* --- walking --------------------------------------------------------------------------------- */

bool walker_key(const struct walker *w, JNIEnv *jni, uintptr_t until, struct physical_key *key) {
  if (!walker_is_on(w)) return false;
  return w->read(&w->hotspot, (uintptr_t)jni - w->to_jni, until, key);
}

bool walker_follows(const struct walker *w, JNIEnv *jni, const struct physical_trail *trail) {
  if (!walker_is_on(w)) return false;
  return w->follows(&w->hotspot, (uintptr_t)jni - w->to_jni, trail);
}

uintptr_t walker_above(const struct walker *w, JNIEnv *jni) {
  if (!walker_is_on(w)) return PHYSICAL_ALL;
  return w->above(&w->hotspot, (uintptr_t)jni - w->to_jni);
}

bool walker_is_platform(const struct walker *w, JNIEnv *jni) {
  return walker_is_on(w) && w->is_platform != NULL &&
         w->is_platform(&w->hotspot, (uintptr_t)jni - w->to_jni);
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
