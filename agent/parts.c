/* The parts of the agent in the order in which they start, and backwards when it stops. */
#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/jvmti_compat.h"
#include "agent/base/log.h"

static bool enable(struct agent *a, jvmtiEvent event) {
  return (*a->ti)->SetEventNotificationMode(a->ti, JVMTI_ENABLE, event, NULL) == JVMTI_ERROR_NONE;
}

static void disable(struct agent *a, jvmtiEvent event) {
  (*a->ti)->SetEventNotificationMode(a->ti, JVMTI_DISABLE, event, NULL);
}

static bool start_walk(struct agent *a, JNIEnv *jni) {
  if (a->recorder.options.walk == WALK_JVMTI) return true;
  if (!walker_start(&a->recorder.meta.walker, a->ti, jni, NULL)) {
    log_line("walk=async: this JVM has no AsyncGetCallTrace; stacks are taken as with walk=jvmti");
  }
  return true;
}

static void stop_walk(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  walker_stop(&a->recorder.meta.walker, a->ti);
}

static bool start_threads(struct agent *a, JNIEnv *jni) {
  context_announce_all(&a->threads, a->ti, jni);
  bool good = enable(a, JVMTI_EVENT_THREAD_START) && enable(a, JVMTI_EVENT_THREAD_END);
  if (compat_has_virtual_threads(&a->capabilities)) {
    good = good && enable(a, COMPAT_EVENT_VIRTUAL_THREAD_START) &&
           enable(a, COMPAT_EVENT_VIRTUAL_THREAD_END);
  }
  context_announce_all(&a->threads, a->ti, jni);
  return good;
}

/* The ends of threads are heard to the end of the JVM: what is kept of a thread goes with it. */
static void stop_threads(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  disable(a, JVMTI_EVENT_THREAD_START);
  if (compat_has_virtual_threads(&a->capabilities)) disable(a, COMPAT_EVENT_VIRTUAL_THREAD_START);
}

static bool start_owners(struct agent *a, JNIEnv *jni) {
  return owners_start(&a->owners, a->ti, jni);
}

static void stop_owners(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  owners_stop(&a->owners);
}

static bool start_contention(struct agent *a, JNIEnv *jni) {
  (void)jni;
  if ((a->recorder.options.events >> GROUP_MONITOR & 1) == 0) return true;
  return enable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTER) &&
         enable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
}

static void stop_contention(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  disable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
  disable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
}

static bool make_hooks(struct agent *a, JNIEnv *jni) {
  if (a->hooks.lock_fields != NULL) return true;
  a->hooks = (struct hooks){&a->threads, a->ti, lock_fields_new(jni), a->lock_counts};
  return a->hooks.lock_fields != NULL;
}

static bool start_engine(struct agent *a, JNIEnv *jni) {
  if (!make_hooks(a, jni)) return false;
  if (a->recorder.options.engine == ENGINE_CALLBACKS) {
    if (a->callbacks == NULL) a->callbacks = callbacks_engine_new(&a->hooks);
    return a->callbacks != NULL && callbacks_engine_start(a->callbacks, jni);
  }
  if (a->weave == NULL) a->weave = weave_engine_new(&a->hooks);
  return a->weave != NULL && weave_engine_start(a->weave, jni);
}

/* What is woven may stay so while the JVM ends: the hooks see that nothing is recorded any more. */
static void stop_engine(struct agent *a, JNIEnv *jni, bool exiting) {
  if (a->callbacks != NULL) callbacks_engine_stop(a->callbacks);
  if (a->weave != NULL && !exiting) weave_engine_stop(a->weave, jni);
}

static bool start_sampler(struct agent *a, JNIEnv *jni) {
  return sampler_start(&a->sampler, a->ti, jni);
}

static void stop_sampler(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  sampler_stop(&a->sampler);
}

/* Pauses belong to the samples: without those nobody asks for them. */
static bool start_pauses(struct agent *a, JNIEnv *jni) {
  (void)jni;
  pauses_init(&a->pauses, &a->recorder);
  if (a->recorder.options.interval == 0) return true;
  return enable(a, JVMTI_EVENT_GARBAGE_COLLECTION_START) &&
         enable(a, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

static void stop_pauses(struct agent *a, JNIEnv *jni, bool exiting) {
  (void)jni, (void)exiting;
  disable(a, JVMTI_EVENT_GARBAGE_COLLECTION_START);
  disable(a, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

/* A part that does not start is left out; the others go on without it. */
static const struct part {
  const char *what;
  bool (*start)(struct agent *, JNIEnv *);
  void (*stop)(struct agent *, JNIEnv *, bool exiting);
} parts[] = {
    {"stacks", start_walk, stop_walk},
    {"the life of threads", start_threads, stop_threads},
    {"the owners of monitors", start_owners, stop_owners},
    {"contention", start_contention, stop_contention},
    {"tracked methods", start_engine, stop_engine},
    {"pauses of the garbage collector", start_pauses, stop_pauses},
    {"samples", start_sampler, stop_sampler},
};
#define NUM_PARTS (sizeof parts / sizeof *parts)

void parts_start(struct agent *a, JNIEnv *jni) {
  recorder_switch(&a->recorder, true);
  for (size_t i = 0; i < NUM_PARTS; i++) {
    if (!parts[i].start(a, jni)) {
      log_line("this JVM does not let Orca record %s; the rest is recorded", parts[i].what);
    }
  }
}

/* Where the disk is slow, the end of a JVM takes so much longer at most. */
#define STOP_LIMIT_NS (5 * NS_PER_S)

bool parts_stop(struct agent *a, JNIEnv *jni, const char *reason, bool exiting) {
  for (size_t i = NUM_PARTS; i > 0; i--) parts[i - 1].stop(a, jni, exiting);
  recorder_switch(&a->recorder, false);
  threads_unhide_all(&a->threads, jni);
  if (writer_stop(a->writer, reason, STOP_LIMIT_NS)) return true;
  log_line("the files could not be finished within 5 s; they end early");
  return false;
}
