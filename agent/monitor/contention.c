#include "agent/monitor/contention.h"

#include "agent/base/clock.h"
#include "agent/monitor/class_lock.h"
#include "agent/record/stack.h"

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
  if (here->is_virtual && class_lock_may_hide_end(ti, jni, monitor)) {
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
  /* `blocking` is cleared last: the order matters to context_had_monitor. */
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
