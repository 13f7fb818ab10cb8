#include "tools/orca/model/model.h"

uint64_t model_unknown_ns(const struct model *m) {
  uint64_t ns = m->lost_ns + m->cpu.no_stack_ns + cpu_pseudo_ns(&m->cpu, PSEUDO_NOT_DECODED) +
                cpu_pseudo_ns(&m->cpu, PSEUDO_NOT_SAMPLED);
  return ns < m->cpu.total_ns ? ns : m->cpu.total_ns;
}

/* Agents that write no sums count the pairs all the same. */
static bool has_no_short_calls(const struct model *m) {
  struct span pairs;
  return dump_info(m->dump, INFO_THRESHOLD_PAIRS, &pairs) && span_is(pairs, "0");
}

enum short_coverage model_short_coverage(const struct model *m) {
  const struct recording *r = &m->recording;
  if (coverage_has_short_pairs(dump_coverage(m->dump))) return SHORT_ALL;
  if (r->short_calls.num == 0 && !has_no_short_calls(m)) return SHORT_NONE;
  bool goes_to_end = r->short_calls.num > 0 ? r->has_all_short : r->is_whole;
  return goes_to_end && matcher_has_all_short_calls(&m->matcher) ? SHORT_ALL : SHORT_SOME;
}

bool model_short_threads(const struct model *m, uint64_t *out) {
  struct span value;
  int64_t num = 0;
  bool is_known = dump_info(m->dump, INFO_THRESHOLD_THREADS, &value) &&
                  text_parse_decimal(value, &num) && num >= 0;
  if (is_known) *out = (uint64_t)num;
  return is_known;
}

bool model_lacks_short_calls(const struct model *m) { return model_short_coverage(m) != SHORT_ALL; }

bool model_next_open(const struct model *m, size_t *cursor, struct pair *out, bool *out_matches) {
  if (!pairs_next_open(&m->pass.pairs, cursor, out)) return false;
  out->end = m->recording.end;
  matcher_clip_pair(&m->matcher, out);
  *out_matches = matcher_pair(m->pass.matcher, &m->stacks, out);
  return true;
}

_Static_assert((int)NUM_ANALYSES <= PASS_LISTENERS, "a pass has room for all analyses");

void model_start(struct model *m, struct dump *d, const struct filter *filter, analyses_t set) {
  *m = (struct model){.dump = d};
  matcher_start(&m->matcher, filter, d);
  pass_start(&m->pass, d, &m->matcher, &m->stacks);
  m->threads.dump = d;
  if ((set & ANALYSES(PROFILE)) != 0) m->cpu.profile = m->threads.profile = &m->profile;
  recording_start(&m->recording, d);
  threads_start(&m->threads, d, m->matcher.filter.from, m->matcher.filter.to);
  ticks_t from = m->matcher.filter.from;
  spending_start(&m->spending, d, &m->stacks,
                 from > m->recording.start ? from : m->recording.start);
  m->threads.spending = &m->spending;
  locks_start(&m->locks, &m->pass.holders, &m->matcher, &m->stacks);
  spread_start(&m->spread, d);
  cpu_start(&m->cpu, &m->matcher, &m->stacks);
  for (int id = 0; id < NUM_ANALYSES; id++) {
    if (analyses[id]->start != NULL) analyses[id]->start(m);
    if ((set >> id & 1) != 0) pass_add(&m->pass, &analyses[id]->listener, m);
  }
}

bool model_read(struct model *m, struct dump *d, const struct filter *filter, analyses_t set) {
  set = analyses_with_used(set);
  model_start(m, d, filter, set);
  if (!pass_read(&m->pass)) return false;
  m->recording.cut |= m->pass.cut;
  recording_end(&m->recording, d, m->matcher.filter.from, m->matcher.filter.to);
  if (!pass_end(&m->pass, m->recording.end)) return false;
  for (int id = 0; id < NUM_ANALYSES; id++) {
    const struct analysis *analysis = analyses[id];
    if ((set >> id & 1) != 0 && analysis->end != NULL && !analysis->end(m)) return false;
  }
  m->recording.num_threads = m->threads.num;
  return !m->matcher.failed;
}

#define nothing_to_free(part) ((void)(part))

void model_free(struct model *m) {
#define ANALYSIS(ID, id, type, free) free(&m->id);
#include "tools/orca/model/analysis.def"
  pass_free(&m->pass);
  stacks_free(&m->stacks);
  spread_free(&m->spread);
  spending_free(&m->spending);
  stalls_free(&m->stalls_by_class);
  sums_free(&m->sums);
  matcher_free(&m->matcher);
  *m = (struct model){0};
}

void replay_start(struct pass *p, struct model *m) {
  pass_start(p, m->dump, &m->matcher, &m->stacks);
}

bool replay_run(struct pass *p, const struct model *m) {
  bool good = pass_read(p) && pass_end(p, m->recording.end);
  pass_free(p);
  return good;
}

bool replay(struct model *m, unsigned lines, bool (*take)(void *arg, const struct step *step),
            void *arg) {
  const struct listener row = {.name = "replay", .lines = lines, .take = take};
  struct pass p;
  replay_start(&p, m);
  pass_add(&p, &row, arg);
  return replay_run(&p, m);
}
