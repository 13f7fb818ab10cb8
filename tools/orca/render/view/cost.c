/* What recording itself cost in this run. */
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

#define LEAST_PERCENT 2        /* of the CPU time: below it, the cost is not worth a line */
#define LEAST_MEGABYTES 0.1    /* a second */
#define BUSY_PER_SECOND 100000 /* events of one kind at one place */
#define SITES_SHOWN 2

static double get_seconds(const struct model *m) {
  return (double)(m->recording.end - m->recording.start) / (double)TICKS_PER_S;
}

/* --- the row of the header ----------------------------------------------------------------- */

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

void view_cost(struct builder *b, const struct model *m) {
  const struct recording *r = &m->recording;
  uint64_t thread_ns, agent_ns = get_agent_ns(m), all = get_cpu_ns(m);
  bool is_known = !m->matcher.active && m->cost.events > 0 && r->cpu_known &&
                  cost_thread_ns(&m->cost, m->dump, r->cpu_samples, &thread_ns);
  if (!is_known) return;
  if (thread_ns > m->cpu.total_ns) thread_ns = m->cpu.total_ns; /* it is a part of this time */
  uint64_t ns = thread_ns + agent_ns;
  if ((double)ns * 100 <= (double)all * LEAST_PERCENT) return;
  bool is_all = (double)ns * 100 > (double)all * 99;
  builder_format(b, "recording took %s%s of the CPU time: %s in Java threads, estimated from ",
                 is_all ? "nearly all" : "about ", is_all ? "" : UNIT_SHARE(ns, all),
                 UNIT_TIME(thread_ns));
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
  unit_many(b, r->cpu_samples, "CPU sample", "CPU samples");
  if (m->process.known) builder_format(b, "; %s in Orca's threads", UNIT_TIME(agent_ns));
  double megabytes = (double)dump_bytes(m->dump) / 1e6;
  if (megabytes > LEAST_MEGABYTES * get_seconds(m)) {
    builder_format(b, "; %.1f MB a second written", megabytes / get_seconds(m));
  }
}

/* --- places with many events --------------------------------------------------------------- */

static bool has_option(const struct model *m, const char *key, const char *value) {
  struct span found;
  return dump_option(m->dump, key, &found) && span_is(found, value);
}

/* Appends what makes the agent record less at a site. */
static void put_remedy(struct builder *b, const struct model *m, enum event_kind kind) {
  enum event_group group = event_infos[kind].group;
  const char *name = group_infos[group].name;
  struct span events;
  if (group == GROUP_METHOD) {
    builder_string(b, "A pattern with ! in the option track leaves this method out.");
  } else if (group == GROUP_MONITOR && has_option(m, "monitors", "all")) {
    builder_string(b,
                   "The option monitors=contended leaves out the monitors that no thread has to "
                   "wait for; the option filter chooses classes.");
  } else if (group == GROUP_LOCK && has_option(m, "locks", "all")) {
    builder_string(b, "The option locks=waits only counts the acquisitions that need not wait.");
  } else {
    bool is_known = dump_option(m->dump, "events", &events) && events.len > 0;
    builder_format(b, "The option events=%.*s-%s leaves out these events.",
                   is_known ? (int)events.len : 3, is_known ? events.data : "all", name);
  }
}

void view_busy_sites(struct builder *b, const struct model *m, const struct style *style) {
  struct cost_site site;
  double seconds = get_seconds(m);
  if (m->matcher.active) return;
  if (seconds < 1) seconds = 1; /* a short burst at the start is no rate */
  for (size_t i = 0; i < SITES_SHOWN && cost_site(&m->cost, i, &site); i++) {
    double rate = (double)site.count / seconds;
    if (rate <= BUSY_PER_SECOND) return;
    struct builder s = {0};
    builder_format(&s, "Many events: %s", event_infos[site.kind].name);
    if (site.place != 0) view_put_at(&s, m, site.place);
    builder_format(&s, " made %s events a second, %s of all, which slows these calls. ",
                   UNIT_COUNT((uint64_t)rate), UNIT_SHARE(site.count, m->cost.events));
    put_remedy(&s, m, site.kind);
    view_put_sentence(b, style, &s);
  }
}
