/* The parts of a recording. They start in the order of the table `parts`. They stop in reverse,
   those of WHILE_OFF after the others. */
#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/jvmti_compat.h"
#include "agent/base/limit.h"
#include "agent/base/log.h"
#include "agent/trigger_signal.h"

static bool enable_event(struct agent *a, jvmtiEvent event) {
  return (*a->ti)->SetEventNotificationMode(a->ti, JVMTI_ENABLE, event, NULL) == JVMTI_ERROR_NONE;
}

static void disable_event(struct agent *a, jvmtiEvent event) {
  (*a->ti)->SetEventNotificationMode(a->ti, JVMTI_DISABLE, event, NULL);
}

/* Without physical frames an event takes longer, and nothing else changes. */
static bool start_walk(struct agent *a, JNIEnv *jni) {
  const char *why = NULL;
  if (!walker_start(&a->recorder.meta.walker, a->ti, jni, &why))
    figure_set_text(&a->recorder.figures.walk_fallback, why);
  return true;
}

static void stop_walk(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  walker_stop(&a->recorder.meta.walker);
}

static bool start_threads(struct agent *a, JNIEnv *jni) {
  context_announce_all(&a->threads, a->ti, jni);
  bool good = enable_event(a, JVMTI_EVENT_THREAD_START) && enable_event(a, JVMTI_EVENT_THREAD_END);
  if (compat_has_virtual_threads(&a->capabilities)) {
    good = good && enable_event(a, COMPAT_EVENT_VIRTUAL_THREAD_START) &&
           enable_event(a, COMPAT_EVENT_VIRTUAL_THREAD_END);
  }
  context_announce_all(&a->threads, a->ti, jni);
  return good;
}

/* ThreadEnd stays enabled until the JVM ends, because its callback frees the thread's context. */
static void stop_threads(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  disable_event(a, JVMTI_EVENT_THREAD_START);
  if (compat_has_virtual_threads(&a->capabilities))
    disable_event(a, COMPAT_EVENT_VIRTUAL_THREAD_START);
}

/* A JVM that is only starting has no calls that matter. */
static bool start_inventory(struct agent *a, JNIEnv *jni) {
  a->inventory.threads = &a->threads;
  return !a->begins_live || inventory_run(&a->inventory, a->ti, jni);
}

static void stop_inventory(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)a, (void)jni, (void)exiting;
}

static bool start_owners(struct agent *a, JNIEnv *jni) {
  a->owners.acquisitions.has_capability = a->capabilities.can_get_owned_monitor_stack_depth_info;
  return owners_start(&a->owners, a->ti, jni);
}

static void stop_owners(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  owners_stop(&a->owners);
}

/* The events stay enabled when they are not wanted any more, since a thread that is blocked now
   still has to record its end. */
static bool start_contention(struct agent *a, JNIEnv *jni) {
  (void)jni;
  bool is_wanted = (a->recorder.options.events >> GROUP_MONITOR & 1) != 0;
  if (is_wanted && (!enable_event(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTER) ||
                    !enable_event(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED))) {
    log_line("this JVM does not let Orca record contended monitors; the rest is recorded");
  }
  return true;
}

static void stop_contention(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  disable_event(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
  disable_event(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
}

static bool start_engine(struct agent *a, JNIEnv *jni) {
  if (a->hooks.lock_fields == NULL) {
    a->hooks = (struct hooks){&a->threads,       a->ti,     lock_fields_new(jni),
                              a->lock_counts,    &a->young, pool_sizes_new(),
                              task_futures_new()};
    const struct hooks *h = &a->hooks;
    if (h->lock_fields == NULL || h->pool_sizes == NULL || h->task_futures == NULL) return false;
  }
  if (a->recorder.options.engine == ENGINE_CALLBACKS) {
    if (a->callbacks == NULL) a->callbacks = callbacks_engine_new(&a->hooks);
    return a->callbacks != NULL && callbacks_engine_start(a->callbacks, jni);
  }
  if (a->weave == NULL) a->weave = weave_engine_new(&a->hooks);
  return a->weave != NULL && weave_engine_start(a->weave, jni);
}

static bool change_engine(struct agent *a, JNIEnv *jni) {
  const struct options *now = &a->recorder.options;
  return a->weave == NULL || now->engine != ENGINE_WEAVE || weave_engine_change(a->weave, jni, now);
}

/* Woven classes may stay while the JVM ends: their hooks see that the recorder is off. */
static void stop_engine(struct agent *a, JNIEnv *jni, bool exiting) {
  if (a->callbacks != NULL) callbacks_engine_stop(a->callbacks);
  if (a->weave != NULL && !exiting) weave_engine_stop(a->weave, jni);
}

/* Without it calls below the threshold cost more time. */
static bool start_young_watch(struct agent *a, JNIEnv *jni) {
  young_watch_follow(&a->young, a->ti, jni);
  return true;
}

static void stop_young_watch(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)exiting;
  young_watch_stop(&a->young, a->ti, jni);
}

static bool start_sampler(struct agent *a, JNIEnv *jni) {
  return sampler_start(&a->sampler, a->ti, jni);
}

static bool change_sampler(struct agent *a, JNIEnv *jni) {
  (void)jni;
  sampler_change(&a->sampler);
  return true;
}

static void stop_sampler(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  sampler_stop(&a->sampler);
}

/* GC pauses are lines of .samples, so interval=0 switches them off too. */
static bool start_pauses(struct agent *a, JNIEnv *jni) {
  (void)jni;
  pauses_init(&a->pauses, &a->recorder);
  if (a->recorder.options.interval == 0) return true;
  return enable_event(a, JVMTI_EVENT_GARBAGE_COLLECTION_START) &&
         enable_event(a, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

static void stop_pauses(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  disable_event(a, JVMTI_EVENT_GARBAGE_COLLECTION_START);
  disable_event(a, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

/* The watch stays when it is not wanted any more. */
static void start_deadlock_watch(struct agent *a, JNIEnv *jni) {
  struct agent_thread *watch = &a->deadlocks.thread;
  bool runs = watch->ready && agent_thread_is_running(watch);
  if (a->recorder.options.trigger.on[TRIGGER_DEADLOCK] && !runs &&
      !deadlock_watch_start(&a->deadlocks, a->ti, jni)) {
    log_line("trigger=deadlock: there is no thread to look for deadlocks; it does not fire");
  }
}

static void start_signal(struct agent *a) {
  const struct triggers *t = &a->recorder.options.trigger;
  if (!t->on[TRIGGER_SIGNAL]) {
    trigger_signal_stop();
  } else if (!trigger_signal_start(t->signal, writer_wake, a->writer)) {
    log_line(
        "trigger=signal: the program has replaced the handler of an earlier recording; the "
        "signal does not fire");
  }
}

static void start_escalations(struct agent *a, JNIEnv *jni) {
  if (triggers_escalate(&a->recorder.options.trigger) && !escalation_start(a, jni)) {
    log_line("trigger: there is no thread to change options when it fires");
  }
}

/* Without them the other triggers still work. */
static bool start_triggers(struct agent *a, JNIEnv *jni) {
  start_deadlock_watch(a, jni);
  start_signal(a);
  start_escalations(a, jni);
  return true;
}

static void stop_triggers(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  escalation_stop(a);
  trigger_signal_stop();
  deadlock_watch_stop(&a->deadlocks);
}

/* Without it, only locks may be missing in the counts, which .info says. */
static bool start_sweeper(struct agent *a, JNIEnv *jni) {
  if (!sweeper_start(a, jni))
    log_line("there is no thread to forget unloaded classes and dead locks");
  return true;
}

static void stop_sweeper(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  sweeper_stop(a);
}

/* Whether the recorder is on or off when a part stops. Hooks record until it is off. If contended
   monitors stopped earlier, a thread could get its monitor without an event, and hooks would record
   what it does next. The owners answer the requests of contended monitors, so they stop last. */
enum stop_time { WHILE_ON, WHILE_OFF };

static const struct part {
  const char *name; /* completes "this JVM does not let Orca record …" */
  bool (*start)(struct agent *, JNIEnv *);
  void (*stop)(struct agent *, JNIEnv *, bool exiting);
  enum stop_time stop_time;
  /* Follows the recorder's options, which have changed. False if the JVM refuses; then it goes on
     as before. NULL: none of its options can change. */
  bool (*change)(struct agent *, JNIEnv *);
} parts[] = {
    {"stacks", start_walk, stop_walk, WHILE_ON, NULL},
    {"starts and ends of threads", start_threads, stop_threads, WHILE_ON, NULL},
    {"the calls that threads are already in", start_inventory, stop_inventory, WHILE_ON, NULL},
    {"the owners of monitors", start_owners, stop_owners, WHILE_OFF, NULL},
    {"contended monitors", start_contention, stop_contention, WHILE_OFF, start_contention},
    {"calls below the threshold", start_young_watch, stop_young_watch, WHILE_ON, start_young_watch},
    {"tracked methods", start_engine, stop_engine, WHILE_ON, change_engine},
    {"GC pauses", start_pauses, stop_pauses, WHILE_ON, NULL},
    {"samples", start_sampler, stop_sampler, WHILE_ON, change_sampler},
    {"unloaded classes", start_sweeper, stop_sweeper, WHILE_ON, NULL},
    {"triggers", start_triggers, stop_triggers, WHILE_ON, start_triggers},
};
#define NUM_PARTS (sizeof parts / sizeof *parts)

void parts_start(struct agent *a, JNIEnv *jni) {
  recorder_switch(&a->recorder, true);
  for (size_t i = 0; i < NUM_PARTS; i++) {
    if (!parts[i].start(a, jni)) {
      log_line("this JVM does not let Orca record %s; the rest is recorded", parts[i].name);
    }
  }
}

bool parts_change(struct agent *a, JNIEnv *jni, const struct options *before,
                  const struct options *next) {
  size_t num = 0;
  recorder_change(&a->recorder, next);
  while (num < NUM_PARTS && (parts[num].change == NULL || parts[num].change(a, jni))) num++;
  if (num == NUM_PARTS) return true;
  recorder_change(&a->recorder, before);
  while (num-- > 0) {
    if (parts[num].change != NULL) parts[num].change(a, jni);
  }
  return false;
}

/* A slow or stuck disk delays the end of the JVM by at most twice this time. First the parts end,
   when no thread waits for room in the queue any more; then the writer ends. */
#define STOP_LIMIT_NS (5 * NS_PER_S)

static void stop_parts(struct agent *a, JNIEnv *jni, bool exiting, enum stop_time when) {
  for (size_t i = NUM_PARTS; i > 0; i--) {
    if (parts[i - 1].stop_time == when) parts[i - 1].stop(a, jni, exiting);
  }
}

bool parts_stop(struct agent *a, JNIEnv *jni, const char *reason, bool exiting) {
  uint64_t limit = limit_ns(STOP_LIMIT_NS);
  stall_limit_patience(&a->recorder.stall, limit);
  stop_parts(a, jni, exiting, WHILE_ON);
  recorder_switch(&a->recorder, false);
  stop_parts(a, jni, exiting, WHILE_OFF);
  if (!exiting) {
    threads_forget_ended(&a->threads, jni);
    counted_locks_end(a->lock_counts, jni);
  }
  if (writer_stop(a->writer, reason, limit)) return true;
  log_line("the files were not finished within %u s; the last events may be missing",
           (unsigned)(limit / NS_PER_S));
  return false;
}
