/* What recording itself cost in this run. */
#include <inttypes.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define LEAST_PERCENT 2     /* of the CPU time: below it, the cost is not worth a line */
#define LEAST_MEGABYTES 0.1 /* a second */
#define LEAST_SAMPLES 5     /* in hooks; their time by fewer is too rough */

static double get_seconds(const struct model *m) {
  return (double)(m->recording.end - m->recording.start) / (double)TICKS_PER_S;
}

/* CPU time of the process, or of its Java threads in recordings without it. */
static uint64_t get_cpu_ns(const struct model *m) {
  return m->process.known ? m->process.cpu_ns : m->cpu.total_ns;
}

/* CPU time of the threads of the agent, which is measured and not estimated. */
static uint64_t get_agent_ns(const struct model *m) {
  struct process_share shares[NUM_PROCESS_OWNERS];
  if (!m->process.known) return 0;
  process_shares(&m->process, m->cpu.total_ns, shares);
  return shares[OWNER_ORCA].cpu_ns;
}

static void put_measure(struct builder *b, const struct model *m, uint64_t hooks_ns) {
  builder_format(b, "%s of it in hooks, measured by ", UNIT_TIME(hooks_ns));
  unit_many(b, m->recording.cpu_hooks, "CPU sample", "CPU samples");
  builder_format(b, " of %" PRIu64, m->recording.cpu_samples);
}

static void put_estimate(struct builder *b, const struct model *m) {
  builder_string(b, "estimated from ");
  unit_many(b, m->cost.events, "event", "events");
  uint64_t left_out = cost_left_out(m->dump), wakes = cost_wakes(m->dump);
  if (left_out > 0) {
    builder_string(b, ", ");
    unit_many(b, left_out, "pair left out", "pairs left out");
  }
  if (wakes > 0) {
    builder_string(b, ", ");
    unit_many(b, wakes, "wake-up left out", "wake-ups left out");
  }
  builder_string(b, " and ");
  unit_many(b, m->recording.cpu_samples, "CPU sample", "CPU samples");
}

void view_cost(struct builder *b, const struct model *m) {
  const struct recording *r = &m->recording;
  uint64_t hooks_ns = r->cpu_hooks >= LEAST_SAMPLES ? cpu_pseudo_ns(&m->cpu, PSEUDO_HOOKS) : 0;
  uint64_t thread_ns, agent_ns = get_agent_ns(m), all = get_cpu_ns(m);
  bool is_known = !m->matcher.active && m->cost.events > 0 && r->cpu_known &&
                  cost_thread_ns(&m->cost, m->dump, r->cpu_samples, &thread_ns);
  if (!is_known) return;
  if (hooks_ns > 0) thread_ns = hooks_ns + r->cpu_samples * COST_SAMPLE_NS;
  if (thread_ns > m->cpu.total_ns) thread_ns = m->cpu.total_ns; /* it is a part of this time */
  uint64_t ns = thread_ns + agent_ns;
  if ((double)ns * 100 <= (double)all * LEAST_PERCENT) return;
  bool is_all = (double)ns * 100 > (double)all * 99;
  builder_format(b, "recording took %s%s of the CPU time: %s in Java threads, ",
                 is_all ? "nearly all" : "about ", is_all ? "" : UNIT_SHARE(ns, all),
                 UNIT_TIME(thread_ns));
  if (hooks_ns > 0) {
    put_measure(b, m, hooks_ns);
  } else {
    put_estimate(b, m);
  }
  if (m->process.known) builder_format(b, "; %s in Orca's threads", UNIT_TIME(agent_ns));
  double megabytes = (double)dump_size(m->dump) / 1e6;
  if (megabytes > LEAST_MEGABYTES * get_seconds(m)) {
    builder_format(b, "; %.1f MB a second written", megabytes / get_seconds(m));
  }
}
