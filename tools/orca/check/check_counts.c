/* The rules of .counts. */
#include "tools/orca/check/check_internal.h"

static void check_object(struct check *c, const struct stream *s, uint32_t object) {
  if (dump_objects(c->dump, object) != NULL) return;
  check_add_fault(c, s, RULE_COUNT_OBJECT, subject_from_hash(object));
}

/* --- counts ------------------------------------------------------------------------------- */

/* The count of an event and object never decreases. `counts` has the last ones. */
static void check_count(struct check *c, const struct stream *s, const struct count_line *line,
                        struct hashmap *counts) {
  const struct event_info *info = &event_infos[line->kind];
  if (info->role != ROLE_END) {
    check_add_fault(c, s, RULE_COUNT_EVENT, subject_from_text(info->name));
  }
  check_object(c, s, line->object);
  uint64_t *before = hashmap_at(counts, (uint64_t)line->kind << 32 | line->object);
  if (before == NULL) {
    c->failed = true;
    return;
  }
  uint64_t count = (uint64_t)line->count;
  if (count < *before) check_add_fault(c, s, RULE_COUNT_LESS, subject_from_hash(line->object));
  *before = count;
}

/* --- sums of short calls ------------------------------------------------------------------ */

/* Returns the threshold if it was the same all the time, else INT64_MAX. While it changes, the
   agent may know the new one before .info does. Sums of a later set may be of calls before the set,
   and so of an earlier threshold. */
static int64_t read_constant_threshold(const struct check *c) {
  const struct coverage *coverage = dump_coverage(c->dump);
  uint64_t ns = coverage->threshold_ns;
  bool is_constant = c->has_first_set && !coverage_threshold_changed(coverage);
  return is_constant && ns > 0 && ns <= INT64_MAX ? (int64_t)ns : INT64_MAX;
}

/* Returns whether `total` is more than `count` times `longest`. The product can be too large. */
static bool is_more_than(int64_t total, int64_t count, int64_t longest) {
  return count > 0 && total > 0 && (total - 1) / count >= longest;
}

static void check_short_times(struct check *c, const struct stream *s,
                              const struct count_line *line, int64_t threshold) {
  if (line->longest_ns > line->total_ns) {
    check_add_fault(c, s, RULE_SHORT_LONGEST, subject_from_number((uint64_t)line->longest_ns));
  } else if (is_more_than(line->total_ns, line->count, line->longest_ns)) {
    check_add_fault(c, s, RULE_SHORT_TOTAL, subject_from_number((uint64_t)line->total_ns));
  }
  if (line->longest_ns >= threshold) {
    check_add_fault(c, s, RULE_SHORT_LONG, subject_from_number((uint64_t)line->longest_ns));
  }
}

static void check_short_calls(struct check *c, const struct stream *s,
                              const struct count_line *line, int64_t threshold) {
  bool takes_time = event_begins_span(line->kind);
  if (!takes_time && !event_has(line->kind, TRAIT_HANDS_OVER)) {
    check_add_fault(c, s, RULE_SHORT_EVENT, subject_from_text(event_infos[line->kind].name));
  }
  if (line->count == 0) check_add_fault(c, s, RULE_SHORT_NONE, subject_none());
  if (line->object != 0) check_object(c, s, line->object);
  check_short_times(c, s, line, event_has(line->kind, TRAIT_HANDS_OVER) ? 1 : threshold);
  if (check_stack(c, s, line->stack, digest(line->stack), line->kind)) {
    check_top_frame(c, s, line->kind, line->stack);
  }
  if (takes_time) c->num_short_calls += (uint64_t)line->count;
}

void check_counts(struct check *c, struct stream *s) {
  struct hashmap counts = {0};
  ticks_t least = 0;
  int64_t threshold = read_constant_threshold(c);
  for (struct count_line line; stream_count(s, &line);) {
    check_time(c, s, &least, line.time);
    if (line.is_short) {
      check_short_calls(c, s, &line, threshold);
    } else {
      check_count(c, s, &line, &counts);
    }
  }
  hashmap_free(&counts);
}
