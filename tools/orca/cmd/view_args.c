#include "tools/orca/cmd/view_args.h"

#include <fnmatch.h>
#include <string.h>

#include "tools/orca/cmd/args.h"
#include "tools/orca/model/recording.h"
#include "tools/orca/render/unit.h"

#define DEFAULT_WITHIN (5 * TICKS_PER_S / 1000)

const char view_args_filter_help[] =
    "Filters select a part of the recording. Several patterns for the same filter match if any of\n"
    "them does.\n"
    "  --thread PATTERN   threads by name ('worker-*') or hash\n"
    "  --lock PATTERN     locks and other objects by class (HashMap, 'com.acme.*'), class@hash\n"
    "                     or hash\n"
    "  --event PATTERN    events by name ('Object*') or group (monitor, wait, ...)\n"
    "  --class PATTERN    events and samples with this class in the stack (OrderService,\n"
    "                     'com.acme.*')\n"
    "  --from, --to TIME  2.5 or 150ms since the start, -1s before the end, 90% of the recording,\n"
    "                     23:38:05 as a time of day in UTC, or a timestamp of the files\n"
    "  --around TIME      from 5 ms before TIME to 5 ms after it\n"
    "  --within TIME      for --around: this long before and after, instead of 5 ms\n"
    "A wait that is partly outside of the time range counts with its part inside.\n";

const char view_args_table_help[] =
    "  --top N            at most N rows in a table\n"
    "  --format FORMAT    text, csv or json: the same tables, in nanoseconds and counts\n";

/* --- parsing ---------------------------------------------------------------------------- */

static bool add_pattern(struct filter_patterns *p, const char *value) {
  if (p->num == FILTER_PATTERNS) return false;
  p->texts[p->num++] = value;
  return true;
}

static bool take_thread(struct view_args *v, const char *value) {
  return add_pattern(&v->filter.threads, value);
}

static bool take_lock(struct view_args *v, const char *value) {
  return add_pattern(&v->filter.locks, value);
}

static bool take_class(struct view_args *v, const char *value) {
  return add_pattern(&v->filter.classes, value);
}

static bool matches_event(const char *pattern) {
  for (int i = 0; i < NUM_EVENTS; i++) {
    if (fnmatch(pattern, event_infos[i].name, 0) == 0) return true;
  }
  for (int i = 0; i < NUM_GROUPS; i++) {
    if (fnmatch(pattern, group_infos[i].name, 0) == 0) return true;
  }
  return false;
}

static bool take_event(struct view_args *v, const char *value) {
  return matches_event(value) && add_pattern(&v->filter.events, value);
}

static bool take_from(struct view_args *v, const char *value) {
  return time_arg_read(value, &v->from);
}

static bool take_to(struct view_args *v, const char *value) { return time_arg_read(value, &v->to); }

static bool take_around(struct view_args *v, const char *value) {
  return time_arg_read(value, &v->around);
}

static bool take_within(struct view_args *v, const char *value) {
  return time_arg_duration(value, &v->within) && v->within > 0;
}

static bool take_top(struct view_args *v, const char *value) { return args_count(value, &v->top); }

static bool take_format(struct view_args *v, const char *value) {
  return format_find(value, &v->format);
}

static const struct {
  const char *option;
  bool (*take)(struct view_args *v, const char *value);
  const char *problem;
  bool needs_tables;
} options[] = {
    {"--thread", take_thread, "--thread can be given at most 16 times, so there is no room for ",
     false},
    {"--lock", take_lock, "--lock can be given at most 16 times, so there is no room for ", false},
    {"--event", take_event, "--event takes the name of an event or a group, not ", false},
    {"--class", take_class, "--class can be given at most 16 times, so there is no room for ",
     false},
    {"--from", take_from, "--from takes " TIME_ARG_EXAMPLES ", not ", false},
    {"--to", take_to, "--to takes " TIME_ARG_EXAMPLES ", not ", false},
    {"--around", take_around, "--around takes " TIME_ARG_EXAMPLES ", not ", false},
    {"--within", take_within, "--within takes a duration such as 5ms, not ", false},
    {"--top", take_top, "--top takes a number from 1, not ", true},
    {"--format", take_format, "--format takes text, csv or json, not ", true},
};

enum args_result view_args_take(struct view_args *v, bool has_tables, char **argv, int *at,
                                const char **problem, const char **subject) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (options[i].needs_tables && !has_tables) continue;
    const char *value = args_value(options[i].option, argv, at);
    if (value == NULL) continue;
    if (options[i].take(v, value)) return ARGS_TAKEN;
    *problem = options[i].problem;
    *subject = value;
    return ARGS_WRONG;
  }
  return ARGS_UNKNOWN;
}

/* --- times ---------------------------------------------------------------------------------- */

static bool append_wrong_time(struct builder *why, const struct time_arg *t, const char *problem) {
  builder_string(why, "the time ");
  builder_string(why, t->text);
  builder_string(why, problem);
  return false;
}

/* ", from 2026-11-20T11:37:36.123456789Z" */
static void append_start(struct builder *why, const struct dump *d) {
  struct span utc;
  if (!dump_info(d, INFO_START_UTC, &utc)) return;
  builder_string(why, ", from ");
  text_plain(why, utc);
}

static bool find_time(const struct time_arg *t, const struct dump *d, ticks_t start, ticks_t end,
                      struct builder *why, ticks_t *out) {
  return t->kind == TIME_NONE || time_arg_resolve(t, d, start, end, out) ||
         append_wrong_time(why, t, " is a time of day, but .info has no start.utc");
}

/* Like find_time, but the moment must not be after the end of the recording. */
static bool resolve_time(const struct time_arg *t, const struct dump *d, ticks_t start, ticks_t end,
                         struct builder *why, ticks_t *out) {
  if (t->kind == TIME_NONE) return true;
  if (!find_time(t, d, start, end, why, out)) return false;
  if (*out <= end) return true;
  append_wrong_time(why, t, " is after the end: the recording lasted ");
  unit_ticks(why, end - start);
  if (t->kind == TIME_OF_DAY) append_start(why, d);
  return false;
}

bool view_args_check_moment(struct dump *d, const struct time_arg *t, struct builder *why) {
  ticks_t start, end, moment;
  if (t->kind == TIME_NONE) return true;
  recording_span(d, &start, &end);
  return resolve_time(t, d, start, end, why, &moment);
}

/* The moment must be within the recording. The range around it may extend beyond. */
static bool resolve_around(struct view_args *v, struct dump *d, ticks_t start, ticks_t end,
                           struct builder *why) {
  ticks_t middle = 0, within = v->within > 0 ? v->within : DEFAULT_WITHIN;
  if (v->around.kind == TIME_NONE) return true;
  if (!resolve_time(&v->around, d, start, end, why, &middle)) return false;
  v->filter.from = middle - start > within ? middle - within : start;
  v->filter.to = middle < FILTER_NO_END - within ? middle + within : FILTER_NO_END;
  return true;
}

static bool has_times(const struct view_args *v) {
  return v->from.kind != TIME_NONE || v->to.kind != TIME_NONE || v->around.kind != TIME_NONE;
}

bool view_args_has_filter(const struct view_args *v) {
  const struct filter *f = &v->filter;
  return has_times(v) || f->threads.num + f->locks.num + f->events.num + f->classes.num > 0;
}

/* "--from 3 has to be before --to 2" */
static bool is_in_order(const struct view_args *v, ticks_t start, struct builder *why) {
  ticks_t from = v->filter.from > start ? v->filter.from : start;
  if (v->to.kind == TIME_NONE || from < v->filter.to) return true;
  if (v->from.kind != TIME_NONE) {
    builder_string(why, "--from ");
    builder_string(why, v->from.text);
    builder_string(why, " has to be before --to ");
    builder_string(why, v->to.text);
  } else {
    append_wrong_time(why, &v->to, " is the start of the recording: nothing comes before it");
  }
  return false;
}

bool view_args_check(const struct view_args *v, const char **problem) {
  bool has_around = v->around.kind != TIME_NONE;
  if (v->within > 0 && !has_around) {
    *problem = "--within needs --around TIME, which is missing";
    return false;
  }
  if (has_around && (v->from.kind != TIME_NONE || v->to.kind != TIME_NONE)) {
    *problem = "--around cannot be combined with --from or --to";
    return false;
  }
  return true;
}

bool view_args_resolve(struct view_args *v, struct dump *d, struct builder *why) {
  ticks_t start, end;
  v->filter.from = 0;
  v->filter.to = FILTER_NO_END;
  if (!has_times(v)) return true;
  recording_span(d, &start, &end);
  if (!resolve_around(v, d, start, end, why)) return false;
  if (!resolve_time(&v->from, d, start, end, why, &v->filter.from)) return false;
  /* --to may be after the end. */
  if (!find_time(&v->to, d, start, end, why, &v->filter.to)) return false;
  return is_in_order(v, start, why);
}
