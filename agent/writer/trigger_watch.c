#include "agent/writer/trigger_watch.h"

#include <time.h>

#include "agent/base/clock.h"

void trigger_watch_begin(struct trigger_watch *w, const struct writer_input *input) {
  w->alarm = (struct alarm){.options = input->options, .cpus = input->cpus, .threads = &w->threads};
  w->dropped = figure_get(&input->figures->events_dropped);
  w->signals = input->signals == NULL ? 0 : __atomic_load_n(input->signals, __ATOMIC_RELAXED);
}

void trigger_watch_end(struct trigger_watch *w) {
  alarm_free(&w->alarm);
  carryover_free(&w->threads);
  *w = (struct trigger_watch){0};
}

void trigger_watch_change(struct trigger_watch *w, const struct writer_input *input) {
  alarm_free(&w->alarm);
  trigger_watch_begin(w, input);
}

bool trigger_watch_is_on(const struct trigger_watch *w) {
  return w->alarm.options != NULL && triggers_any(&w->alarm.options->trigger);
}

/* The end of a thread comes after the ends of its calls, whose messages name the thread. */
void trigger_watch_follow(struct trigger_watch *w, const struct writer_input *input,
                          const struct record *event) {
  bool is_thread = event->event == EVENT_THREAD_STARTED || event->event == EVENT_THREAD_ENDED;
  if (trigger_watch_is_on(w)) alarm_follow(&w->alarm, event);
  w->names_threads |= is_thread && input->options->track;
  if (is_thread && w->names_threads) carryover_follow(&w->threads, event);
}

static uint64_t read_cpu_ns(void) {
  struct timespec t = {0, 0};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Takes the answer about suspects, and asks about new ones. */
static void look_for_deadlock(struct trigger_watch *w, struct suspects *suspects, uint64_t now) {
  uint32_t threads[SUSPECTS_MAX];
  uint64_t asked;
  size_t num;
  if (suspects_take(suspects, threads, &num, &asked))
    alarm_answer(&w->alarm, threads, num, asked, now);
  if (!suspects_are_free(suspects)) return;
  num = alarm_suspects(&w->alarm, now, threads);
  if (num > 1) suspects_ask(suspects, threads, num, now);
}

enum trigger trigger_watch_look(struct trigger_watch *w, const struct writer_input *input,
                                uint64_t now_ns, uint64_t known_ns, char *why, size_t size) {
  if (!trigger_watch_is_on(w)) return NUM_TRIGGERS;
  uint64_t dropped = figure_get(&input->figures->events_dropped);
  unsigned signals = __atomic_load_n(input->signals, __ATOMIC_RELAXED);
  if (dropped != w->dropped) alarm_forget(&w->alarm);
  if (signals != w->signals) alarm_signal(&w->alarm);
  w->dropped = dropped;
  w->signals = signals;
  look_for_deadlock(w, input->suspects, now_ns);
  /* With thousands of threads, the clock takes as long as the rest of a round of the writer. */
  uint64_t cpu_ns = alarm_is_due(&w->alarm, now_ns) ? read_cpu_ns() : 0;
  return alarm_look(&w->alarm, now_ns, known_ns, cpu_ns, why, size);
}
