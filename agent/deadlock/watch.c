#include "agent/deadlock/watch.h"

#include "agent/base/clock.h"
#include "agent/deadlock/search.h"

void deadlock_watch_init(struct deadlock_watch *w, struct threads *threads,
                         void (*answered)(void *), void *answered_arg) {
  *w = (struct deadlock_watch){
      .threads = threads, .answered = answered, .answered_arg = answered_arg};
  suspects_init(&w->suspects);
}

static void run_watch(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct deadlock_watch *w = arg;
  (void)self;
  while (suspects_wait(&w->suspects)) {
    uint32_t ring[SUSPECTS_MAX];
    size_t num = deadlock_search(w->threads, ti, jni, w->suspects.threads, w->suspects.num, ring);
    suspects_answer(&w->suspects, ring, num);
    w->answered(w->answered_arg);
  }
}

bool deadlock_watch_start(struct deadlock_watch *w, jvmtiEnv *ti, JNIEnv *jni) {
  if (w->thread.ready && agent_thread_is_running(&w->thread)) return false;
  suspects_reset(&w->suspects);
  return agent_thread_start(&w->thread, "Orca deadlock watch", w->threads, ti, jni, run_watch, w);
}

void deadlock_watch_stop(struct deadlock_watch *w) {
  suspects_end(&w->suspects);
  agent_thread_stop(&w->thread, NS_PER_S);
}
