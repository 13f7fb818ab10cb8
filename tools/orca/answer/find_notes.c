/* Methods that are known to be slow, periods with different limits, places with many events, what
   the agent could not ask. */
#include "tools/orca/answer/find.h"
#include "tools/orca/model/known.h"
#include "tools/orca/model/names.h"

#define TOLD 3
#define BUSY_PER_SECOND 100000 /* events of one kind at one place */
#define SITES_TOLD 2

/* --- known methods --------------------------------------------------------------------------- */

void find_known_methods(const struct finder *f) {
  struct known_found found[KNOWN_MOST];
  size_t num = known_find(f->m, found);
  for (size_t i = 0; i < num && i < TOLD; i++) {
    const struct known *known = found[i].known;
    struct found_known_method out = {.threads = found[i].threads,
                                     .time = found_ns(found[i].time),
                                     .whole = found_ns(found[i].whole),
                                     .is_cpu = known->value == PROFILE_CPU,
                                     .method = name_method(f, found[i].method),
                                     .why = known->why,
                                     .advice = known->advice,
                                     .source = known->source};
    FINDINGS_ADD(f->out, known_method, found[i].time, &out);
  }
}

/* --- periods --------------------------------------------------------------------------------- */

static uint64_t since_start(const struct model *m, ticks_t time) {
  return time > m->recording.start ? found_ns(time - m->recording.start) : 0;
}

void find_period(const struct finder *f, const struct period *p, struct found_period *out) {
  *out = (struct found_period){.begin = since_start(f->m, p->begin),
                               .end = since_start(f->m, p->end),
                               .limit = period_limit_keys[p->limit],
                               .used = found_ratio(p->cpus),
                               .used_is_known = f->m->process.known,
                               .ready = found_ratio(p->ready),
                               .queued = found_ratio(p->queued),
                               .blocked = found_ratio(p->blocked),
                               .io = found_ratio(p->io),
                               .paused = found_ratio(p->paused),
                               .quiet = found_ratio(p->quiet),
                               .are_blocked = p->are_blocked,
                               .lock = name_lock_of(f, p->lock),
                               .place = name_place(f, p->place)};
}

void find_periods(const struct finder *f) {
  const struct model *m = f->m;
  struct found_periods out = {.cpus = found_ratio(process_cpus(m->dump))};
  if (m->periods.num < 2) return;
  for (size_t i = 0; i < m->periods.num; i++) {
    struct found_period *part = FINDINGS_PART(f->out, &out.periods, period);
    if (part != NULL) find_period(f, &m->periods.rows[i], part);
  }
  FINDINGS_ADD(f->out, periods, 0, &out);
}

/* --- places with many events ------------------------------------------------------------------ */

/* The option that makes the agent record less at a site. */
static const char *find_remedy(const struct finder *f, enum event_group group) {
  const struct coverage *c = dump_coverage(f->m->dump);
  struct builder b = {0};
  struct span events;
  if (group == GROUP_METHOD) return "track";
  if (group == GROUP_MONITOR && coverage_had_uses(c, LOCK_MONITOR)) return "monitors=contended";
  if (group == GROUP_LOCK && coverage_had_uses(c, LOCK_LOCK)) return "locks=waits";
  bool is_known = coverage_option(c, OPTION_events, &events) && events.len > 0;
  builder_string(&b, "events=");
  if (is_known) text_plain(&b, events);
  builder_format(&b, "%s-%s", is_known ? "" : "all", group_infos[group].name);
  return findings_text(f->out, &b);
}

void find_many_events(const struct finder *f) {
  const struct recording *r = &f->m->recording;
  struct cost_site site;
  double seconds = (double)(r->end - r->start) / (double)TICKS_PER_S;
  if (f->m->matcher.active) return;
  if (seconds < 1) seconds = 1; /* a short burst at the start is no rate */
  for (size_t i = 0; i < SITES_TOLD && cost_site(&f->m->cost, i, &site); i++) {
    double rate = (double)site.count / seconds;
    if (rate <= BUSY_PER_SECOND) return;
    struct found_many_events out = {.event = event_infos[site.kind].name,
                                    .place = name_place(f, site.place),
                                    .per_second = (uint64_t)rate,
                                    .count = site.count,
                                    .whole = f->m->cost.events,
                                    .remedy = find_remedy(f, event_infos[site.kind].group)};
    FINDINGS_ADD(f->out, many_events, 0, &out);
  }
}

/* --- calls from before the recording ---------------------------------------------------------- */

void find_unasked(const struct finder *f) {
  struct found_unasked out = {.unnamed = dump_info_count(f->m->dump, INFO_INVENTORY_UNNAMED),
                              .skipped = dump_info_count(f->m->dump, INFO_INVENTORY_SKIPPED)};
  if (out.unnamed + out.skipped > 0) FINDINGS_ADD(f->out, unasked, 0, &out);
}
