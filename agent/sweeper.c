/* The sweeper, a thread of Orca's own: it makes the tables of classes and methods forget what the
   JVM has unloaded, and the table of counts the locks that died. The JVM tells agents of unloaded
   classes only with a capability that costs time, so the sweeper asks for the loaded classes once
   the tables have grown. */
#include "agent/agent.h"
#include "agent/base/clock.h"

#define PAUSE_NS (5 * NS_PER_S)

static void drop_unloaded(struct agent *a, jvmtiEnv *ti, JNIEnv *jni) {
  struct meta *m = &a->recorder.meta;
  cpu_sampler_drop_unloaded(&a->sampler.cpu, ti, jni);
  if (!meta_has_grown(m)) return;
  struct living_classes *living = meta_find_living(m, ti, jni);
  if (living == NULL) return;
  meta_drop_unloaded(m, living);
  living_classes_put(&a->living_classes, living);
}

static void run_sweeper(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct agent *a = arg;
  while (agent_thread_sleep(self, PAUSE_NS)) {
    counted_locks_sweep(a->lock_counts, jni);
    drop_unloaded(a, ti, jni);
  }
}

bool sweeper_start(struct agent *a, JNIEnv *jni) {
  return agent_thread_start(&a->sweeper, "Orca sweeper", &a->threads, a->ti, jni, run_sweeper, a);
}

void sweeper_stop(struct agent *a) {
  agent_thread_stop(&a->sweeper, NS_PER_S);
  living_classes_put(&a->living_classes, NULL);
}
