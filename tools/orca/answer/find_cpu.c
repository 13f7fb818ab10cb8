/* The hottest method. */
#include "tools/orca/answer/find.h"

#define HARDLY_SAMPLES 10 /* below it, shares are chance */
#define MUCH_UNKNOWN_PERCENT 20
#define MUCH_MORE 1.5         /* times the time of the hottest method */
#define LEAST_PART_PERCENT 10 /* of the self time: native code, the JVM */

/* The caller may be the cause of much more: a regular expression runs in many methods of the JDK.
   Returns its time including what it calls; 0: it is not much more. */
static uint64_t find_caller_ns(const struct model *m, const struct cpu_method *hot) {
  uint32_t caller = place_method(hot->caller);
  for (size_t i = 0; i < m->cpu.num_methods; i++) {
    const struct cpu_method *row = &m->cpu.methods[i];
    if (row->method != caller) continue;
    return (double)row->total_ns < MUCH_MORE * (double)hot->total_ns ? 0 : row->total_ns;
  }
  return 0;
}

static uint64_t find_part(const struct cpu_method *hot, uint64_t ns) {
  return ns * 100 > hot->self_ns * LEAST_PART_PERCENT ? ns : 0;
}

static void add_hottest(const struct finder *f, const struct cpu_method *hot) {
  const struct model *m = f->m;
  const struct bounds *b = &f->answer->bounds;
  uint64_t unknown = model_unknown_ns(m);
  bool has_unknown =
      m->recording.by_signal && unknown * 100 > m->cpu.total_ns * MUCH_UNKNOWN_PERCENT;
  struct found_cpu out = {.cpu = m->cpu.total_ns,
                          .is_java = m->recording.by_signal || m->recording.tasks_known,
                          .samples = m->cpu.num_samples,
                          .place = name_place(f, hot->place),
                          .self = hot->self_ns,
                          .total = hot->total_ns,
                          .native = find_part(hot, hot->native_ns),
                          .jvm = find_part(hot, hot->jvm_ns),
                          .caller = name_place(f, hot->caller),
                          .caller_total = hot->caller == 0 ? 0 : find_caller_ns(m, hot),
                          .unknown = has_unknown ? unknown : 0,
                          .path = found_ns(bounds_method_time(b, place_method(hot->place))),
                          .path_wait = found_ns(bounds_method_wait(b, place_method(hot->place))),
                          .whole_path = found_ns(b->work)};
  if (b->faster_method.known) find_gain(f, &b->faster_method, &out.gain);
  FINDINGS_ADD(f->out, cpu, m->cpu.total_ns * TICKS_PER_NS, &out);
}

void find_cpu(const struct finder *f) {
  const struct model *m = f->m;
  const struct cpu_method *hot = cpu_hottest(&m->cpu);
  if (!filter_has_samples(&m->matcher.filter)) return; /* the filter selects no samples */
  if (hot != NULL && m->cpu.num_samples >= HARDLY_SAMPLES) {
    add_hottest(f, hot);
    return;
  }
  struct found_no_cpu out = {.cpu = m->cpu.total_ns,
                             .samples = hot == NULL ? 0 : m->cpu.num_samples,
                             .was_sampled = m->recording.ticks > 0 || m->recording.by_signal,
                             .cpu_is_known = m->recording.cpu_known};
  FINDINGS_ADD(f->out, no_cpu, 0, &out);
}
