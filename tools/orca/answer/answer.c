#include "tools/orca/answer/answer.h"

#include "tools/orca/answer/find.h"
#include "tools/orca/model/model.h"

/* --- the second pass ------------------------------------------------------------------------- */

static bool take_contention(void *arg, const struct step *step) {
  return contention_take(arg, step);
}

static bool take_signals(void *arg, const struct step *step) { return signals_take(arg, step); }

static bool take_past(void *arg, const struct step *step) { return past_waits_take(arg, step); }

static bool take_trace(void *arg, const struct step *step) { return trace_take(arg, step); }

/* The contention must find owners that a finding names, or hand-off, and must not take long. The
   first of several waiters becomes an owner that is known. */
static bool needs_contention(const struct model *m) {
  const struct locks *locks = &m->locks;
  bool is_useful = false;
  for (size_t i = 0; i < locks->num && !is_useful; i++) {
    bool can_have_handoff = locks->rows[i].sort != LOCK_MONITOR && locks->rows[i].waited > 0;
    is_useful =
        can_have_handoff || locks->rows[i].waited > 1 || locks_should_name_owners(&locks->rows[i]);
  }
  return is_useful && m->recording.all_events + m->recording.all_samples <= ANSWER_LINES;
}

static bool start_signals(struct answer *a, struct pass *p) {
  static const struct listener signals = {
      .name = "signals", .lines = SIGNALS_LINES, .take = take_signals};
  static const struct listener past = {
      .name = "past waits", .lines = PAST_WAITS_LINES, .take = take_past};
  if (!past_waits_start(&a->past, a->model)) return false;
  a->has_signals = a->model->hang.since != 0 || a->past.num > 0;
  if (!a->has_signals) return true;
  if (!signals_start(&a->signals, a->model)) return false;
  pass_add(p, &signals, &a->signals);
  pass_add(p, &past, &a->past);
  return true;
}

bool answer_start(struct answer *a, struct model *m, const struct locks *locks, struct pass *p) {
  static const struct listener contention = {
      .name = "contention", .lines = CONTENTION_LINES, .take = take_contention};
  static const struct listener trace = {.name = "trace", .lines = TRACE_LINES, .take = take_trace};
  *a = (struct answer){.model = m};
  a->has_contention = locks != NULL || needs_contention(m);
  a->has_trace = bounds_can_be_known(m);
  if (a->has_contention) {
    if (!contention_start(&a->contention, m, locks != NULL ? locks : &m->locks)) return false;
    pass_add(p, &contention, &a->contention);
  }
  if (!start_signals(a, p)) return false;
  if (a->has_trace) {
    trace_start(&a->trace, m, BOUNDS_LINES);
    pass_add(p, &trace, &a->trace);
  }
  return true;
}

/* Reads the recording if a part of the answer needs it. `started`: memory did not run out before.
 */
static bool run(struct answer *a, struct pass *p, bool started) {
  bool is_needed = a->has_contention || a->has_signals || a->has_trace;
  if (started && is_needed) return replay_run(p, a->model);
  pass_free(p);
  return started;
}

bool answer_read(struct answer *a, struct model *m, const struct locks *locks) {
  struct pass p;
  replay_start(&p, m);
  return run(a, &p, answer_start(a, m, locks, &p)) && answer_end(a);
}

bool answer_read_stopped(struct answer *a, struct model *m) {
  static void (*const finders[])(const struct finder *) = {find_deadlocks, find_class_inits,
                                                           find_hang, find_stuck, find_carriers};
  struct pass p;
  *a = (struct answer){.model = m};
  replay_start(&p, m);
  if (!run(a, &p, start_signals(a, &p))) return false;
  signals_end(&a->signals);
  past_waits_end(&a->past);
  struct finder f = {a, m, &a->findings};
  for (size_t i = 0; i < sizeof finders / sizeof *finders; i++) finders[i](&f);
  findings_settle(&a->findings);
  return !a->findings.failed;
}

/* --- findings -------------------------------------------------------------------------------- */

static void find_all(struct answer *a) {
  static void (*const finders[])(const struct finder *) = {
      find_deadlocks,     find_class_inits,  find_hang,
      find_stuck,         find_standstill,   find_stood,
      find_locks,         find_io, /* names a lock */
      find_pools,         find_queues,       find_main,
      find_child,         find_task_time,    find_polls,
      find_path,          find_spin,         find_cpu,
      find_growth,        find_process,      find_joins,
      find_known_methods, find_rests, /* after all that explain time */
      find_lock_orders,   find_two_monitors, find_values_as_locks,
      find_wakeups,       find_pinned,       find_periods,
      find_many_events,   find_carriers,     find_busy_carriers,
      find_unasked};
  struct finder f = {a, a->model, &a->findings};
  for (size_t i = 0; i < sizeof finders / sizeof *finders; i++) finders[i](&f);
  findings_settle(&a->findings);
}

bool answer_end(struct answer *a) {
  bool good = !a->has_contention || contention_end(&a->contention);
  good = good && (!a->has_trace || (trace_finish(&a->trace) && bounds_find(&a->bounds, &a->trace)));
  signals_end(&a->signals);
  past_waits_end(&a->past);
  bool is_of_model = a->contention.locks == NULL || a->contention.locks == &a->model->locks;
  if (good && is_of_model) find_all(a);
  return good && !a->findings.failed;
}

void answer_free(struct answer *a) {
  contention_free(&a->contention);
  signals_free(&a->signals);
  past_waits_free(&a->past);
  bounds_free(&a->bounds);
  trace_free(&a->trace);
  findings_free(&a->findings);
}
