#include "agent/meta/walker.h"

#include <dlfcn.h>

#include "agent/base/log.h"
#include "agent/base/os_thread.h"
#include "agent/meta/method_ids.h"

/* --- on and off ------------------------------------------------------------------------------ */

static bool set_event_mode(jvmtiEnv *ti, jvmtiEventMode mode, jvmtiEvent event) {
  return (*ti)->SetEventNotificationMode(ti, mode, event, NULL) == JVMTI_ERROR_NONE;
}

bool walker_start(struct walker *w, jvmtiEnv *ti, JNIEnv *jni,
                  void (*async)(struct walker_async_trace *, jint, void *)) {
  if (async == NULL) {
    void *found = dlsym(RTLD_DEFAULT, "AsyncGetCallTrace");
    __builtin_memcpy(&async, &found, sizeof async);
  }
  if (async == NULL) return false;
  if (!set_event_mode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD)) return false;
  if (!set_event_mode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE)) return false;
  method_ids_add_all(NULL, ti, jni);
  __atomic_store_n(&w->async, async, __ATOMIC_RELEASE);
  return true;
}

void walker_stop(struct walker *w, jvmtiEnv *ti) {
  __atomic_store_n(&w->async, NULL, __ATOMIC_RELEASE);
  set_event_mode(ti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_LOAD); /* also after walker_differed */
}

void walker_class(const struct walker *w, jvmtiEnv *ti, jclass klass) {
  if (__atomic_load_n(&w->async, __ATOMIC_RELAXED) != NULL) method_ids_add_class(NULL, ti, klass);
}

void walker_differed(struct walker *w) {
  if (__atomic_exchange_n(&w->async, NULL, __ATOMIC_ACQ_REL) == NULL) return;
  log_line(
      "walk=async: AsyncGetCallTrace gave a wrong stack; from now on stacks are taken as with "
      "walk=jvmti");
}

/* --- walking --------------------------------------------------------------------------------- */

jint walker_surely(jvmtiEnv *ti, jint skip, jint max, jvmtiFrameInfo *frames) {
  jint n = 0;
  return (*ti)->GetStackTrace(ti, NULL, skip, max, frames, &n) == JVMTI_ERROR_NONE ? n : 0;
}

/* Walks with AsyncGetCallTrace. Returns the number of frames; 0 if it gave no stack, or a frame
   without a jmethodID. */
static jint walk_async(const struct walker *w, JNIEnv *jni, jint skip, jint max,
                       jvmtiFrameInfo *frames) {
  void (*async)(struct walker_async_trace *, jint, void *) =
      __atomic_load_n(&w->async, __ATOMIC_ACQUIRE);
  if (async == NULL) return 0;
  struct walker_async_frame *from =
      os_thread_buffer(OS_THREAD_ASYNC, (size_t)(max + skip) * sizeof *from);
  if (from == NULL) return 0;
  struct walker_async_trace trace = {.jni = jni, .frames = from};
  async(&trace, max + skip, NULL);
  for (jint i = skip; i < trace.num_frames; i++) {
    if (from[i].method == NULL) return 0;
    frames[i - skip].method = from[i].method;
    frames[i - skip].location = from[i].location < 0 ? -1 : from[i].location;
  }
  return trace.num_frames > skip ? trace.num_frames - skip : 0;
}

jint walker_here(const struct walker *w, jvmtiEnv *ti, JNIEnv *jni, bool is_virtual, jint skip,
                 jint max, jvmtiFrameInfo *frames, bool *out_sure) {
  jint n = is_virtual ? 0 : walk_async(w, jni, skip, max, frames);
  *out_sure = n == 0;
  return n > 0 ? n : walker_surely(ti, skip, max, frames);
}
