#include "tools/orca/cmd/view_args.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "tools/orca/model/recording.h"
#include "tools/orca/render/unit.h"

#define DEFAULT_WITHIN (5 * TICKS_PER_S / 1000)

/* --- parsing ---------------------------------------------------------------------------- */

static bool parse_pattern(const char *text, void *target) {
  struct filter_patterns *p = target;
  if (p->num == FILTER_PATTERNS) return false;
  p->texts[p->num++] = text;
  return true;
}

static bool parse_event(const char *text, void *target) {
  for (int i = 0; i < NUM_EVENTS; i++) {
    if (fnmatch(text, event_infos[i].name, 0) == 0) return parse_pattern(text, target);
  }
  for (int i = 0; i < NUM_GROUPS; i++) {
    if (fnmatch(text, group_infos[i].name, 0) == 0) return parse_pattern(text, target);
  }
  return false;
}

bool view_args_parse_time(const char *text, void *target) { return time_arg_read(text, target); }

static bool parse_duration(const char *text, void *target) {
  ticks_t *ticks = target;
  return time_arg_duration(text, ticks) && *ticks > 0;
}

static bool parse_format(const char *text, void *target) { return format_find(text, target); }

#define NO_ROOM " can be given at most 16 times, so there is no room for "

static const struct args_option filter_rows[] = {
    {"--thread", "PATTERN", "threads by name ('worker-*') or hash", parse_pattern,
     offsetof(struct view_args, filter.threads), "--thread" NO_ROOM},
    {"--lock", "PATTERN",
     "locks and other objects by class (HashMap, 'com.acme.*'), class@hash or hash", parse_pattern,
     offsetof(struct view_args, filter.locks), "--lock" NO_ROOM},
    {"--event", "PATTERN", "events by name ('Object*') or group (monitor, wait, ...)", parse_event,
     offsetof(struct view_args, filter.events),
     "--event takes the name of an event or a group, not "},
    {"--class", "PATTERN",
     "events and samples with this class in the stack (OrderService, 'com.acme.*')", parse_pattern,
     offsetof(struct view_args, filter.classes), "--class" NO_ROOM},
    {"--from", "TIME",
     "start: 2.5 or 150ms since the start of the recording, -1s before its end, 90% of it, "
     "23:38:05 as a time of day in UTC, or a timestamp of the files",
     view_args_parse_time, offsetof(struct view_args, from),
     "--from takes " TIME_ARG_EXAMPLES ", not "},
    {"--to", "TIME", "end, in the same forms", view_args_parse_time, offsetof(struct view_args, to),
     "--to takes " TIME_ARG_EXAMPLES ", not "},
    {"--around", "TIME", "from 5 ms before TIME to 5 ms after it", view_args_parse_time,
     offsetof(struct view_args, around), "--around takes " TIME_ARG_EXAMPLES ", not "},
    {"--within", "TIME", "for --around: this long before and after, instead of 5 ms",
     parse_duration, offsetof(struct view_args, within),
     "--within takes a duration such as 5ms, not "}};

static const struct args_option page_rows[] = {
    {"--top", "N", "at most N rows in a table", args_parse_count, offsetof(struct view_args, top),
     "--top takes a number from 1, not "},
    {"--format", "FORMAT", "text, csv or json: the same tables, in nanoseconds and counts",
     parse_format, offsetof(struct view_args, format), "--format takes text, csv or json, not "},
    {"--brief",
     .help = "for programs that read text: a paragraph is one line, and the last line says what to "
             "ask or record next (log and diff do not)",
     .offset = offsetof(struct view_args, is_brief)}};

const struct args_options view_args_filters = ARGS_OPTIONS(filter_rows),
                          view_args_tables = ARGS_OPTIONS(page_rows);

/* --- times ---------------------------------------------------------------------------------- */

static bool append_wrong_time(struct builder *why, const struct time_arg *t, const char *problem) {
  builder_format(why, "the time %s%s", t->text, problem);
  return false;
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
  struct span utc; /* as 2026-11-20T11:37:36.123456789Z */
  if (t->kind == TIME_OF_DAY && dump_info(d, INFO_START_UTC, &utc)) {
    builder_string(why, ", from ");
    text_plain(why, utc);
  }
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

bool view_args_check(const struct view_args *v, struct refusal *why) {
  bool has_around = v->around.kind != TIME_NONE;
  bool has_range = v->from.kind != TIME_NONE || v->to.kind != TIME_NONE;
  if (v->within > 0 && !has_around) {
    return refuse(why, "--within needs --around TIME, which is missing");
  }
  return !has_around || !has_range ||
         refuse(why, "--around cannot be combined with --from or --to");
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
  ticks_t from = v->filter.from > start ? v->filter.from : start;
  if (v->to.kind == TIME_NONE || from < v->filter.to) return true;
  if (v->from.kind != TIME_NONE) {
    builder_format(why, "--from %s has to be before --to %s", v->from.text, v->to.text);
  } else {
    append_wrong_time(why, &v->to, " is the start of the recording: nothing comes before it");
  }
  return false;
}
