#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/finding.h"
#include "tools/orca/render/view/process.h"

#define FEW_SAMPLES 100   /* below it, shares are wrong by 10 % and more */
#define HARDLY_SAMPLES 10 /* below it, shares are chance */
#define MUCH_UNKNOWN_PERCENT 20

#define STUCK_TICKS TICKS_PER_S
#define STUCK_SHOWN 3

/* --- CPU ----------------------------------------------------------------------- */

static const char *explain_no_cpu(const struct recording *r) {
  if (r->ticks == 0 && !r->by_signal)
    return "No samples were taken, so the use of CPU time is not known.";
  if (!r->cpu_known) return "The JVM did not report the CPU time of its threads.";
  return "No sample found a running thread.";
}

#define MUCH_MORE 1.5 /* times the time of the hottest method */

/* The caller may be the cause of much more: a regular expression runs in many methods of the JDK.
 */
static void put_caller_share(struct builder *b, const struct model *m,
                             const struct cpu_method *hot) {
  uint32_t caller = place_method(hot->caller);
  for (size_t i = 0; i < m->cpu.num_methods; i++) {
    const struct cpu_method *row = &m->cpu.methods[i];
    if (row->method != caller) continue;
    if ((double)row->total_ns < MUCH_MORE * (double)hot->total_ns) return;
    builder_format(b, ", which takes %s including what it calls",
                   UNIT_SHARE(row->total_ns, m->cpu.total_ns));
  }
}

/* If the CPU time of the JVM's own threads is known, the shares do not include it. */
static void put_hottest(struct builder *b, const struct model *m, const struct cpu_method *hot) {
  bool is_java = m->recording.by_signal || m->recording.tasks_known;
  builder_format(b, "%s of the %sCPU time is spent in ", UNIT_SHARE(hot->self_ns, m->cpu.total_ns),
                 is_java ? "Java threads' " : "");
  names_place(b, m->dump, hot->place);
  struct builder outside = {0};
  view_outside_java(&outside, hot, " of it in native code", " of it in the JVM");
  if (outside.len > 0) {
    builder_string(b, ", ");
    builder_bytes(b, outside.data, outside.len);
  }
  b->failed |= outside.failed;
  builder_free(&outside);
  if (hot->total_ns > hot->self_ns) {
    builder_format(b, ", %s including what it calls", UNIT_SHARE(hot->total_ns, m->cpu.total_ns));
  }
  if (hot->caller != 0) {
    builder_string(b, "; it is called most by ");
    names_place(b, m->dump, hot->caller);
    put_caller_share(b, m, hot);
  }
  builder_char(b, '.');
}

/* Says so if unknown stacks or few samples make the shares uncertain. */
static void put_doubts(struct builder *b, const struct model *m) {
  uint64_t unknown = model_unknown_ns(m);
  if (m->recording.by_signal && unknown * 100 > m->cpu.total_ns * MUCH_UNKNOWN_PERCENT) {
    builder_format(b,
                   " The stack of %s of that time, or its outer part, is not known: it was lost or "
                   "not sampled.",
                   UNIT_SHARE(unknown, m->cpu.total_ns));
  }
  if (m->cpu.num_samples >= FEW_SAMPLES) return;
  builder_string(b, " These shares are rough: only ");
  unit_many(b, m->cpu.num_samples, "sample", "samples");
  builder_string(b, " found a running thread.");
}

static void say_cpu(struct builder *b, const struct model *m, const struct style *style) {
  struct builder s = {0};
  if (!filter_has_samples(&m->matcher.filter)) return; /* the filter selects no samples */
  const struct cpu_method *hot = cpu_hottest(&m->cpu);
  view_finding(style, "cpu");
  view_figure(style, "cpu_ns", m->cpu.total_ns);
  view_figure(style, "samples", m->cpu.num_samples);
  if (hot == NULL) {
    builder_string(&s, explain_no_cpu(&m->recording));
  } else if (m->cpu.num_samples < HARDLY_SAMPLES) {
    builder_format(&s, "The Java threads used %s of CPU time: ", UNIT_TIME(m->cpu.total_ns));
    unit_many(&s, m->cpu.num_samples, "sample is", "samples are");
    builder_string(&s, " too few for a profile.");
  } else {
    view_figure_place(style, "place", m, hot->place);
    view_figure(style, "self_ns", hot->self_ns);
    view_figure(style, "total_ns", hot->total_ns);
    put_hottest(&s, m, hot);
    put_doubts(&s, m);
    view_put_method_bound(&s, m, place_method(hot->place));
  }
  view_put_sentence(b, style, &s);
}

/* --- deadlocks ------------------------------------------------------------------- */

/* A thread cannot get the write side while it holds the read side itself. Returns false, and writes
   nothing, if it is not known to hold it. */
static bool put_own_read_side(struct builder *b, const struct model *m, const struct pair *pair) {
  const struct holders *h = &m->pass.holders;
  bool is_known = lock_events[pair->kind].sort == LOCK_WRITE && holders_has_all(h, LOCK_READ) &&
                  holders_are_known(h, LOCK_READ, pair->object);
  const struct hold *hold =
      is_known ? holders_find(h, LOCK_READ, pair->object, pair->thread) : NULL;
  if (hold == NULL) return false;
  builder_string(b, ", though it holds the read side itself, which it acquired");
  view_put_at(b, m, stacks_place(&m->stacks, hold->stack));
  return true;
}

static void put_acquisition(struct builder *b, const struct model *m,
                            const struct wait_link *link) {
  size_t depth;
  const struct frame *frames = stacks_frames(&m->stacks, link->owner_stack, &depth);
  builder_string(b, ", which acquired it");
  if (!link->owner_stack_is_later || depth == 0) {
    view_put_at(b, m, stacks_place(&m->stacks, link->owner_stack));
  } else {
    builder_string(b, " in ");
    names_method(b, m->dump, frames[0].method);
  }
}

void view_put_link(struct builder *b, const struct model *m, const struct wait_link *link) {
  const struct pair *pair = &link->pair;
  bool is_join = pair->kind == EVENT_THREAD_JOIN;
  names_thread(b, &m->threads, pair->thread);
  builder_string(b, is_join ? " joins " : lock_sorts[lock_events[pair->kind].sort].asks);
  if (is_join) names_thread(b, &m->threads, pair->object);
  if (!is_join) view_the_lock(b, m, pair->object);
  view_put_at(b, m, stacks_place(&m->stacks, pair->stack));
  if (is_join || (put_own_read_side(b, m, pair) && link->owner == pair->thread)) return;
  if (link->owner == 0) return;
  builder_string(b, ", held by ");
  names_thread(b, &m->threads, link->owner);
  if (link->owner_stack != 0) put_acquisition(b, m, link);
}

static void say_deadlock(struct builder *b, const struct model *m, const struct style *style,
                         size_t ring) {
  struct builder s = {0};
  uint64_t num = 0;
  for (size_t i = 0; i < m->deadlocks.num; i++) {
    const struct deadlock_link *link = &m->deadlocks.links[i];
    if (link->ring != ring) continue;
    num++;
    builder_string(&s, s.len == 0 ? "DEADLOCK: " : "; ");
    view_put_link(&s, m, &link->wait);
  }
  builder_char(&s, '.');
  view_finding(style, "deadlock");
  view_figure(style, "group", ring + 1);
  view_figure(style, "threads", num);
  view_put_sentence(b, style, &s);
}

/* A thread that waits without a time limit, for long, and until the end: it may be stuck. */
static bool is_stuck(const struct pair *pair) {
  return lock_events[pair->kind].act == LOCK_ACT_WAITS && pair->end - pair->begin >= STUCK_TICKS;
}

/* Without a known deadlock, names the stuck threads. An owner that is not known can hide one. */
static void say_stuck(struct builder *b, const struct model *m, const struct style *style) {
  struct builder s = {0};
  struct pair pair;
  uint64_t num = 0;
  bool matches;
  for (size_t cursor = 0; model_next_open(m, &cursor, &pair, &matches);) {
    if (!matches || !is_stuck(&pair) || num++ >= STUCK_SHOWN) continue;
    builder_string(&s, num == 1 ? "Stuck when the recording ended: " : "; ");
    view_put_link(
        &s, m,
        &(struct wait_link){.pair = pair, .owner = holders_owner_now(&m->pass.holders, &pair)});
    builder_format(&s, ", for %s", UNIT_TICKS(pair.end - pair.begin));
  }
  if (num > STUCK_SHOWN) {
    builder_string(&s, "; and ");
    unit_many(&s, num - STUCK_SHOWN, "more thread", "more threads");
  }
  if (num > 0) builder_char(&s, '.');
  view_finding(style, "stuck");
  view_figure(style, "threads", num);
  view_put_sentence(b, style, &s);
}

/* The parts of the threads' time. Those that do not matter come after the findings, if at all. */
static void say_times(struct builder *b, const struct model *m, const struct style *style) {
  ticks_t locks = locks_blocked(&m->locks), io = m->spending.in_activity[ACTIVITY_IO];
  ticks_t stood = view_stood_time(m), pause = view_pause_time(m);
  struct {
    const char *kind; /* of findings without a kind of their own */
    ticks_t time;
    bool matters;
    void (*say)(struct builder *b, const struct model *m, const struct style *style);
  } parts[] = {
      {"cpu", m->cpu.total_ns * TICKS_PER_NS, m->cpu.num_samples >= HARDLY_SAMPLES, say_cpu},
      {"lock", locks, view_locks_matter(m), view_lock_verdicts},
      {"process", view_process_ns(m) * TICKS_PER_NS, true, view_process_verdicts},
      {"overhead", view_overhead_ns(m) * TICKS_PER_NS, true, view_overhead_verdicts},
      {"io", io, io > recording_time(&m->recording) / 100, view_io_verdict},
      {"stood", stood, stood > 0, view_stood_verdict},
      {"pause", pause, pause > 0, view_pause_verdict},
  };
  size_t num = sizeof parts / sizeof *parts;
  for (size_t i = 1; i < num; i++) { /* the largest first */
    for (size_t k = i; k > 0 && parts[k].time > parts[k - 1].time; k--) {
      typeof(parts[0]) larger = parts[k];
      parts[k] = parts[k - 1];
      parts[k - 1] = larger;
    }
  }
  for (size_t i = 0; i < num; i++) {
    /* Pauses between larger parts of the time are no reason of their own. */
    bool is_minor_pause = parts[i].say == view_pause_verdict && i > 0;
    view_finding(style, parts[i].kind);
    view_figure_ticks(style, "time_ns", parts[i].time);
    if (parts[i].matters && !is_minor_pause) parts[i].say(b, m, style);
  }
  view_finding(style, "pool");
  if (!view_gains_by_pool(m)) view_pool_verdict(b, m, style);
  view_finding(style, "known_method");
  view_known(b, m, style);
  view_findings(b, m, style);
  view_finding(style, "cpu_wait");
  view_process_waits(b, m, style);
  for (size_t i = 0; i < num; i++) {
    bool tells_absence = parts[i].say == say_cpu || parts[i].say == view_lock_verdicts;
    view_finding(style, parts[i].kind);
    if (!parts[i].matters && tells_absence) parts[i].say(b, m, style);
  }
}

void view_verdict(struct builder *b, const struct model *m, const struct style *style) {
  style_heading(b, style, "In short");
  for (size_t ring = 0; ring < m->deadlocks.num_rings; ring++) say_deadlock(b, m, style, ring);
  if (m->deadlocks.num_rings == 0) say_stuck(b, m, style);
  view_finding(style, "pool");
  if (view_gains_by_pool(m)) view_pool_verdict(b, m, style);
  view_finding(style, "idle");
  view_quiet_verdict(b, m, style);
  view_finding(style, "path");
  if (view_is_quiet(m)) view_path_verdict(b, m, style);
  view_sharing(b, m, style);
  say_times(b, m, style);
  view_finding(style, "periods");
  view_periods_verdict(b, m, style); /* the findings above name the culprits in more detail */
  view_finding(style, "many_events");
  view_busy_sites(b, m, style);
  uint64_t pinned = m->recording.events[EVENT_THREAD_PINNED];
  if (pinned == 0) return;
  struct builder s = {0};
  view_finding(style, "pinned");
  view_figure(style, "times", pinned);
  builder_string(&s, "Virtual threads were pinned ");
  unit_many(&s, pinned, "time", "times");
  builder_string(&s, ", which also blocks their carrier threads: at ");
  view_put_keys(&s, m, &m->pinned, 0, view_place_name);
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}
