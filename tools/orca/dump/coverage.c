#include "tools/orca/dump/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "agent/options/values.h"
#include "tools/orca/dump/dump.h"

/* --- the values of an option ---------------------------------------------------------------- */

static bool find_value(const struct coverage *c, const char *key, struct span *out) {
  struct span rest = c->options, option, name;
  while (span_cut(&rest, ',', &option)) {
    if (!span_cut(&option, '=', &name) || option.data == NULL || !span_is(name, key)) continue;
    *out = option;
    return true;
  }
  return false;
}

bool coverage_option(const struct coverage *c, enum option_key key, struct span *out) {
  return find_value(c, option_infos[key].key, out);
}

static struct span value_at_start(const struct coverage *c, enum option_key key) {
  struct span value = {option_infos[key].fallback, strlen(option_infos[key].fallback)};
  coverage_option(c, key, &value);
  return value;
}

const struct option_change *coverage_next_change(const struct coverage *c, enum option_key key,
                                                 const struct option_change *before) {
  const struct option_changes *all = &c->changes;
  size_t at = before == NULL ? 0 : (size_t)(before - all->rows) + 1;
  while (at < all->num && !span_is(all->rows[at].key, option_infos[key].key)) at++;
  return at < all->num ? &all->rows[at] : NULL;
}

static bool has_changed(const struct coverage *c, enum option_key key) {
  return coverage_next_change(c, key, NULL) != NULL;
}

bool coverage_constant(const struct coverage *c, enum option_key key, struct span *out) {
  *out = value_at_start(c, key);
  return !has_changed(c, key);
}

/* Whether something holds for an option: surely, or while the option changes perhaps. */
struct answer {
  bool surely, perhaps;
};

#define WHOLE_RECORDING UINT64_MAX

/* With WHOLE_RECORDING: surely with each value that the option had, perhaps with one of them. */
static struct answer ask(const struct coverage *c, enum option_key key, bool (*is)(struct span),
                         ticks_t at) {
  bool now = is(value_at_start(c, key));
  struct answer answer = {now, now};
  const struct option_change *change = NULL;
  while ((change = coverage_next_change(c, key, change)) != NULL && change->from <= at) {
    bool next = is(change->value), is_over = at != WHOLE_RECORDING && change->to <= at;
    answer = is_over ? (struct answer){next, next}
                     : (struct answer){answer.surely && next, answer.perhaps || next};
  }
  return answer;
}

static bool is_all(struct span value) { return span_is(value, "all"); }

/* A threshold that leaves out no pair: "0", "0ms". */
static bool is_zero(struct span threshold) {
  size_t zeros = 0;
  while (zeros < threshold.len && (threshold.data[zeros] < '1' || threshold.data[zeros] > '9')) {
    zeros++;
  }
  return zeros == threshold.len;
}

/* Returns a duration in nanoseconds, 0 for a value that is none. */
static uint64_t parse_duration(struct span value) {
  char text[32] = "";
  uint64_t ns;
  if (value.len == 0 || value.len >= sizeof text) return 0;
  memcpy(text, value.data, value.len);
  return value_duration(text, &ns) ? ns : 0;
}

/* --- reading --------------------------------------------------------------------------------- */

static bool parse_change(struct span value, struct option_change *out) {
  struct span rest = value, from, to;
  return span_cut(&rest, ',', &from) && span_cut(&rest, ',', &to) &&
         span_cut(&rest, ',', &out->cause) && span_cut(&rest, '=', &out->key) &&
         rest.data != NULL && text_parse_ticks(from, &out->from) &&
         text_parse_ticks(to, &out->to) && out->from <= out->to && (out->value = rest, true);
}

bool coverage_add_change(struct coverage *coverage, struct arena *memory, struct span value) {
  struct option_changes *c = &coverage->changes;
  struct option_change change;
  if (!parse_change(value, &change)) return true;
  if (c->num > 0 && change.from < c->rows[c->num - 1].from) return true;
  struct span copy = arena_keep(memory, value);
  if (copy.data == NULL) return false;
  parse_change(copy, &change);
  if (c->num == c->capacity) {
    size_t capacity = c->capacity == 0 ? 8 : 2 * c->capacity;
    struct option_change *rows = realloc(c->rows, capacity * sizeof *rows);
    if (rows == NULL) return false;
    c->rows = rows;
    c->capacity = capacity;
  }
  c->rows[c->num++] = change;
  return true;
}

static bool is_lossy(const struct coverage *c, const struct dump *d) {
  struct span dropped;
  if (dump_info(d, INFO_EVENTS_DROPPED, &dropped)) return !span_is(dropped, "0");
  return span_is(value_at_start(c, OPTION_overflow), "drop");
}

/* Agents of older versions had the option walk. */
static bool has_cached_stacks(const struct coverage *c, const struct dump *d) {
  struct span value;
  return !dump_info(d, INFO_WALK_FALLBACK, &value) &&
         (!find_value(c, "walk", &value) || span_is(value, "cached"));
}

static void read_depth(struct coverage *c) {
  struct span value;
  int64_t depth;
  bool is_known =
      coverage_option(c, OPTION_depth, &value) && text_parse_decimal(value, &depth) && depth > 0;
  c->depth = is_known ? (size_t)depth : SIZE_MAX;
}

static void read_groups(struct coverage *c) {
  uint32_t groups;
  const struct option_change *change = NULL;
  c->groups = groups_parse(value_at_start(c, OPTION_events), &groups) ? groups : UINT32_MAX;
  while ((change = coverage_next_change(c, OPTION_events, change)) != NULL) {
    if (groups_parse(change->value, &groups)) c->groups &= groups;
  }
}

static void read_threshold(struct coverage *c) {
  const struct option_change *change = NULL;
  c->threshold = value_at_start(c, OPTION_threshold);
  while ((change = coverage_next_change(c, OPTION_threshold, change)) != NULL) {
    bool is_longer =
        is_zero(c->threshold) || parse_duration(change->value) > parse_duration(c->threshold);
    if (is_longer) c->threshold = change->value;
  }
  if (is_zero(c->threshold)) c->threshold = (struct span){NULL, 0};
  c->threshold_ns = parse_duration(c->threshold);
}

void coverage_read(struct coverage *c, const struct dump *d) {
  struct span value;
  *c = (struct coverage){.changes = c->changes};
  dump_info(d, INFO_OPTIONS, &c->options);
  if (dump_info(d, INFO_START_MONOTONIC, &value)) text_parse_ticks(value, &c->start);
  c->is_lossy = is_lossy(c, d);
  c->counts_were_full = dump_info(d, INFO_LOCKS_FULL, &value) && !span_is(value, "0");
  c->has_all_uses = ask(c, OPTION_locks, is_all, WHOLE_RECORDING).surely;
  c->has_all_monitors = ask(c, OPTION_monitors, is_all, WHOLE_RECORDING).surely;
  c->has_cached_stacks = has_cached_stacks(c, d);
  read_depth(c);
  read_groups(c);
  read_threshold(c);
}

void coverage_free(struct coverage *c) {
  free(c->changes.rows);
  *c = (struct coverage){0};
}

/* --- lines that are missing ---------------------------------------------------------------- */

bool coverage_is_lossy(const struct coverage *c) { return c->is_lossy; }

bool coverage_has_group(const struct coverage *c, enum event_group group) {
  return (c->groups >> group & 1) != 0;
}

bool coverage_groups_changed(const struct coverage *c) { return has_changed(c, OPTION_events); }

bool coverage_has_short_pairs(const struct coverage *c) { return c->threshold.len == 0; }

bool coverage_has_whole_pairs(const struct coverage *c) {
  return !c->is_lossy && coverage_has_short_pairs(c);
}

bool coverage_threshold_changed(const struct coverage *c) {
  return has_changed(c, OPTION_threshold);
}

void coverage_put_threshold(struct builder *b, const struct coverage *c) {
  static const char any[] = "the threshold";
  text_plain(b, c->threshold.len > 0 ? c->threshold : (struct span){any, strlen(any)});
}

struct coverage_threshold coverage_threshold_at(const struct coverage *c, ticks_t at) {
  const struct option_change *change = NULL;
  bool is_on = !is_zero(value_at_start(c, OPTION_threshold));
  struct coverage_threshold t = {is_on, is_on ? c->start : UINT64_MAX};
  while ((change = coverage_next_change(c, OPTION_threshold, change)) != NULL) {
    if (change->from > at) continue;
    bool was_on = t.is_on;
    t.is_on = !is_zero(change->value);
    if (t.is_on && !was_on) t.begin = change->from;
  }
  return t;
}

/* --- acquisitions and releases ------------------------------------------------------------- */

/* The option threshold drops pairs, and the events of monitors=all are no pairs. Short acquisitions
   of other locks are missing. */
bool coverage_has_releases(const struct coverage *c, enum lock_sort sort) {
  if (sort == LOCK_MONITOR) return true;
  return coverage_has_short_pairs(c) && (c->has_all_uses || sort == LOCK_SEMAPHORE);
}

/* For locks that are no monitors, while options change. */
static struct answer ask_releases(const struct coverage *c, enum lock_sort sort, ticks_t at) {
  struct answer is_short = ask(c, OPTION_threshold, is_zero, at);
  if (sort == LOCK_SEMAPHORE) return is_short;
  struct answer all = ask(c, OPTION_locks, is_all, at);
  return (struct answer){is_short.surely && all.surely, is_short.perhaps && all.perhaps};
}

static bool changes_nothing(const struct coverage *c, enum lock_sort sort) {
  return sort == LOCK_MONITOR || c->changes.num == 0;
}

bool coverage_has_releases_at(const struct coverage *c, enum lock_sort sort, ticks_t at) {
  return changes_nothing(c, sort) ? coverage_has_releases(c, sort)
                                  : ask_releases(c, sort, at).surely;
}

bool coverage_may_have_free(const struct coverage *c, enum lock_sort sort, ticks_t at) {
  return changes_nothing(c, sort) ? coverage_has_releases(c, sort)
                                  : ask_releases(c, sort, at).perhaps;
}

bool coverage_had_free_before(const struct coverage *c, enum lock_sort sort, ticks_t at) {
  const struct option_change *change = NULL;
  if (sort == LOCK_MONITOR || sort == LOCK_SEMAPHORE) return sort == LOCK_SEMAPHORE;
  bool had = is_all(value_at_start(c, OPTION_locks));
  while (!had && (change = coverage_next_change(c, OPTION_locks, change)) != NULL) {
    had = change->from <= at && is_all(change->value);
  }
  return had;
}

static enum option_key uses_option(enum lock_sort sort) {
  return sort == LOCK_MONITOR ? OPTION_monitors : OPTION_locks;
}

bool coverage_has_uses(const struct coverage *c, enum lock_sort sort) {
  return sort == LOCK_MONITOR ? c->has_all_monitors : c->has_all_uses;
}

bool coverage_had_uses(const struct coverage *c, enum lock_sort sort) {
  return ask(c, uses_option(sort), is_all, WHOLE_RECORDING).perhaps;
}

const char *coverage_uses_option(enum lock_sort sort) {
  return sort == LOCK_MONITOR ? "monitors=all" : "locks=all";
}

bool coverage_has_owners(const struct coverage *c) {
  return ask(c, OPTION_owners, is_all, WHOLE_RECORDING).surely;
}

bool coverage_has_exact_counts(const struct coverage *c) {
  return coverage_has_short_pairs(c) && !c->counts_were_full;
}

/* The agent counts acquisitions of locks from the moment on when locks=waits was in force. */
bool coverage_lacks_counts(const struct coverage *c, enum lock_sort sort) {
  if (has_changed(c, OPTION_events)) return true;
  if (sort == LOCK_MONITOR) return coverage_monitor_hooks_changed(c);
  if (sort == LOCK_SEMAPHORE) return has_changed(c, OPTION_threshold);
  return has_changed(c, OPTION_locks) && is_all(value_at_start(c, OPTION_locks));
}

bool coverage_monitor_hooks_changed(const struct coverage *c) {
  return has_changed(c, OPTION_events) || has_changed(c, OPTION_monitors) ||
         has_changed(c, OPTION_filter);
}

bool coverage_method_hooks_changed(const struct coverage *c) {
  return has_changed(c, OPTION_events) || has_changed(c, OPTION_track);
}

bool coverage_forgets_holders(const struct coverage *c, size_t *next, ticks_t at) {
  bool forgets = false;
  for (; *next < c->changes.num && c->changes.rows[*next].from <= at; ++*next) {
    int row = options_find(c->changes.rows[*next].key);
    forgets |= row >= 0 && option_infos[row].forgets_holders;
  }
  return forgets;
}

/* --- samples ------------------------------------------------------------------------------- */

bool coverage_interval_changed(const struct coverage *c) { return has_changed(c, OPTION_interval); }

uint64_t coverage_interval_ns(const struct coverage *c, ticks_t at) {
  struct span interval;
  const struct option_change *change = NULL;
  if (!coverage_option(c, OPTION_interval, &interval)) return 0;
  while ((change = coverage_next_change(c, OPTION_interval, change)) != NULL && change->to <= at) {
    interval = change->value;
  }
  return parse_duration(interval);
}
