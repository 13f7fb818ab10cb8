/* What the critical path shows, and what a simulation predicts. */
#include "tools/orca/answer/find.h"

#define LEAST_TOLD 0.4 /* of the path */

/* Where the CPU time goes, if one place has most of it. */
static place_t find_hot_place(const struct model *m) {
  const struct cpu_method *hot = cpu_hottest(&m->cpu);
  return hot == NULL || hot->self_ns * 2 < m->cpu.total_ns ? 0 : hot->place;
}

void find_gain(const struct finder *f, const struct bounds_gain *gain, struct found_rows *out) {
  struct found_gain *part = FINDINGS_PART(f->out, out, gain);
  if (part == NULL) return;
  bool is_lock = gain->limit == LIMIT_LOCK;
  place_t place = gain->limit == LIMIT_CPU ? find_hot_place(f->m) : gain->place;
  *part = (struct found_gain){.least = found_ratio(gain->gain.least),
                              .middle = found_ratio(gain->gain.middle),
                              .most = found_ratio(gain->gain.most),
                              .of_run = f->answer->bounds.of_run,
                              .recorded = found_ns(gain->work),
                              .predicted = found_ns(gain->time),
                              .limit = limit_keys[gain->limit],
                              .limit_lock = name_lock_of(f, is_lock ? gain->next_lock : 0),
                              .limit_place = name_place(f, place),
                              .shares_cpus = gain->shares_cpus};
}

/* Returns the longest part at another line of the same method, where the thread does the same;
   NULL: there is none. */
static const struct bounds_part *find_other_line(const struct bounds *b,
                                                 const struct bounds_part *part) {
  for (size_t i = 1; i < b->num_parts; i++) {
    const struct bounds_part *other = &b->parts[i];
    bool is_alike = other->reason == part->reason && other->has_lock == part->has_lock;
    if (is_alike && place_method(other->place) == place_method(part->place)) return other;
  }
  return NULL;
}

/* Other findings tell of locks, CPU time and I/O. */
void find_path(const struct finder *f) {
  const struct bounds *b = &f->answer->bounds;
  const struct bounds_part *part = &b->parts[0];
  if (!answer_is_quiet(f->m) || !b->known || !b->of_run || b->num_parts == 0) return;
  if (has_waiting_work(f)) return;
  bool sleeps = part->reason == PATH_SLEEPS || part->reason == PATH_TIMEOUT;
  bool is_told = part->has_lock || !sleeps || part->place == 0;
  const struct bounds_part *other = is_told ? NULL : find_other_line(b, part);
  ticks_t time = part->time + (other == NULL ? 0 : other->time);
  if (is_told || (double)time < LEAST_TOLD * (double)b->work) return;
  struct found_path out = {.does = path_reason_keys[part->reason],
                           .place = name_place(f, part->place),
                           .other_place = name_place(f, other == NULL ? 0 : other->place),
                           .path = found_ns(time),
                           .whole_path = found_ns(b->work)};
  FINDINGS_ADD(f->out, path, time, &out);
}
