#include "agent/monitor/contention.h"

#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/jvmti_compat.h"
#include "agent/record/stack.h"

/* --- the locks of classes --------------------------------------------------------------------- */

/* The lock that HotSpot uses to initialize or link a class is an empty int[] that only the JVM
   knows. From JDK 26 on, a virtual thread that blocks on it unmounts. The JVM then sends
   MonitorContendedEnter and no MonitorContendedEntered. */

#define FIRST_ENDLESS 26

#define GETSTATIC 0xB2
#define PUTSTATIC 0xB3
#define INVOKESTATIC 0xB8
#define NEW 0xBB

static bool is_empty_int_array(jvmtiEnv *ti, JNIEnv *jni, jobject object) {
  char *signature = NULL;
  jclass klass = (*jni)->GetObjectClass(jni, object);
  (*ti)->GetClassSignature(ti, klass, &signature, NULL);
  bool is_array = signature != NULL && strcmp(signature, "[I") == 0;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*jni)->DeleteLocalRef(jni, klass);
  return is_array && (*jni)->GetArrayLength(jni, object) == 0;
}

/* The bytecodes in which a virtual thread unmounts while it waits for the initialization of a
   class. Anywhere else it is pinned, and gets its end event. */
static bool initializes_class(unsigned char opcode) {
  return opcode == NEW || opcode == GETSTATIC || opcode == PUTSTATIC || opcode == INVOKESTATIC;
}

static bool is_initializing_class(jvmtiEnv *ti) {
  jvmtiFrameInfo top;
  jint n = 0, len = 0;
  unsigned char *code = NULL;
  if ((*ti)->GetStackTrace(ti, NULL, 0, 1, &top, &n) != JVMTI_ERROR_NONE || n != 1) return false;
  if (top.location < 0) return false;
  if ((*ti)->GetBytecodes(ti, top.method, &len, &code) != JVMTI_ERROR_NONE) return false;
  bool is_initializing = top.location < len && initializes_class(code[top.location]);
  (*ti)->Deallocate(ti, code);
  return is_initializing;
}

/* The current thread is virtual and about to block on `monitor`. Returns whether that is the lock
   of a class, in a JVM that may leave out the end. Also true for an empty int[] of the program if
   the interpreter enters it and the synchronized block begins with an instruction that can
   initialize a class. HotSpot shows the thread at that instruction, not at the monitorenter before
   it. */
static bool may_hide_end(jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
  return compat_version(ti) >= FIRST_ENDLESS && is_empty_int_array(ti, jni, monitor) &&
         is_initializing_class(ti);
}

/* --- the two events --------------------------------------------------------------------------- */

static void set_blocking(struct context *here, bool blocking) {
  __atomic_store_n(&here->blocking, blocking, __ATOMIC_RELEASE);
}

/* The current thread blocks no longer, whether its MonitorContendedEntered is written or not. */
static void end_blocking(struct context *here) {
  set_blocking(here, false);
  blocked_end(here->blocked);
}

void contention_enter(struct contention *c, jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
  if (!threads_have_room(c->threads)) return;
  struct recorder *r = c->threads->recorder;
  struct context *here = context_here(c->threads, ti, jni);
  if (here == NULL || !recorder_wants(r, EVENT_MONITOR_CONTENDED_ENTER)) return;
  if (here->is_virtual && may_hide_end(ti, jni, monitor)) {
    figure_add(&r->figures.monitor_endless, 1);
    return;
  }
  if (here->blocking) { /* the JVM left out the end event of the last contention */
    end_blocking(here);
    stack_release(here->blocked_stack);
  }
  __atomic_store_n(&here->monitor, object_hash(&r->meta, ti, jni, monitor), __ATOMIC_RELAXED);
  here->blocked_stack = stack_here(&r->meta, ti, jni, here->is_virtual, STACK_HERE, /* uses */ 2);
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_MONITOR_CONTENDED_ENTER,
                          .thread = here->thread,
                          .object = here->monitor,
                          .stack = here->blocked_stack};
  here->blocked =
      owners_request(c->owners, ti, jni, monitor, record.thread, record.object, &record.owner);
  record.u.blocked = here->blocked;
  here->blocked_in = here->recording;
  set_blocking(here, recorder_put(r, here->lane, &record));
  if (!here->blocking) {
    blocked_end(here->blocked);
    stack_release(here->blocked_stack); /* for the end event, which will not be written */
  }
}

void contention_entered(struct contention *c, jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
  struct recorder *r = c->threads->recorder;
  struct context *here = context_here(c->threads, ti, jni);
  jint hash = 0;
  if (here == NULL || !recorder_is_on(r)) return;
  (*ti)->GetObjectHashCode(ti, monitor, &hash);
  if (!here->blocking || here->monitor != (uint32_t)hash) {
    bool is_orphan = recorder_wants(r, EVENT_MONITOR_CONTENDED_ENTERED);
    if (is_orphan) figure_add(&r->figures.monitor_orphans, 1);
    return;
  }
  /* `blocking` is cleared last: the order matters to context_check_owner. */
  __atomic_store_n(&here->entered, here->monitor, __ATOMIC_RELAXED);
  __atomic_store_n(&here->entered_ns, clock_monotonic_ns(), __ATOMIC_RELEASE);
  end_blocking(here);
  if (here->blocked_in != here->recording) { /* its begin event is in an earlier recording */
    figure_add(&r->figures.monitor_orphans, 1);
    stack_release(here->blocked_stack);
    return;
  }
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_MONITOR_CONTENDED_ENTERED,
                          .thread = here->thread,
                          .object = here->monitor,
                          .stack = here->blocked_stack};
  recorder_put(r, here->lane, &record);
}
