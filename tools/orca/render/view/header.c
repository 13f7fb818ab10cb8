#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/process.h"
#include "tools/orca/render/width.h"

/* What happened after the last line that was read. */
static const struct {
  const char *reason, *text;
} ends[] = {{"exit", "ended by exit"},
            {"stop", "ended by orca stop"},
            {"duration", "ended by the option duration"},
            {"flush", "the recording went on after a flush"},
            {"rotated", "the next set of files follows"},
            {"snapshot", "the recording went on after this snapshot"},
            {"error", "ended because a file could not be written"}};

static void put_end(struct builder *b, struct span reason) {
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    if (!span_is(reason, ends[i].reason)) continue;
    builder_string(b, ends[i].text);
    return;
  }
  builder_string(b, "ended by ");
  text_plain(b, reason);
}

void view_recorded(struct builder *b, const struct model *m) {
  struct span utc, day, reason;
  unit_ticks(b, recording_time(&m->recording));
  /* "2026-11-20 11:30:00 UTC" of "2026-11-20T11:30:00.123456789Z" */
  if (dump_info(m->dump, INFO_START_UTC, &utc) && span_cut(&utc, 'T', &day) && utc.len >= 8) {
    builder_format(b, " from %.*s %.8s UTC", (int)day.len, day.data, utc.data);
  }
  if (!m->recording.ended) {
    builder_string(b, "; the JVM was killed, or it is still running");
  } else if (dump_info(m->dump, INFO_END_REASON, &reason)) {
    builder_string(b, "; ");
    put_end(b, reason);
  }
}

/* HotSpot of JDK 8 has a version of its own, "25.504-b01". Later ones have that of the JDK, with a
   '+' before the number of the build: "25.0.3+9-LTS". */
static bool is_jdk_8(struct span version) {
  return span_starts(version, "25.") && memmem(version.data, version.len, "-b", 2) != NULL &&
         memchr(version.data, '+', version.len) == NULL;
}

void view_jvm(struct builder *b, const struct model *m) {
  struct span version;
  if (!dump_info(m->dump, INFO_JAVA_VERSION, &version)) return;
  text_plain(b, version);
  if (is_jdk_8(version)) builder_string(b, " (JDK 8)");
}

static void put_jvm(struct builder *b, const struct model *m) {
  struct span pid;
  size_t start = b->len;
  view_jvm(b, m);
  if (!dump_info(m->dump, INFO_PID, &pid)) return;
  builder_string(b, b->len > start ? ", pid " : "pid ");
  text_plain(b, pid);
}

/* "//app:cart_test, shard 2 of 4, run 3" */
static void put_test(struct builder *b, const struct model *m) {
  struct span target, shard, run;
  if (!dump_info(m->dump, INFO_TEST_TARGET, &target)) return;
  text_plain(b, target);
  if (dump_info(m->dump, INFO_TEST_SHARD, &shard)) {
    builder_string(b, ", shard ");
    text_plain(b, shard);
  }
  if (dump_info(m->dump, INFO_TEST_RUN, &run)) {
    builder_string(b, ", run ");
    text_plain(b, run);
  }
}

/* CPU time of the process. Old recordings contain only that of Java threads. */
static void put_cpu(struct builder *b, const struct model *m) {
  double seconds = (double)recording_time(&m->recording) / (double)TICKS_PER_S;
  if (!m->recording.cpu_known) {
    builder_string(b, "not known");
    return;
  }
  if (m->process.known) {
    view_process_cpu(b, m);
    return;
  }
  unit_time(b, m->cpu.total_ns);
  if (seconds <= 0) return;
  builder_format(b, " in Java threads: %.2f CPUs busy on average",
                 (double)m->cpu.total_ns / 1e9 / seconds);
}

static void put_threads(struct builder *b, const struct model *m) {
  uint64_t alive = 0;
  for (size_t i = 0; i < m->threads.num; i++) alive += m->threads.rows[i].alive;
  builder_format(b, "%s, %s of them alive at the end", UNIT_COUNT(m->threads.num),
                 UNIT_COUNT(alive));
  uint64_t left_out = 0;
  /* How many of them a filter would keep is not known. */
  if (m->matcher.active || !model_short_threads(m, &left_out) || left_out == 0) return;
  builder_string(b, "; ");
  unit_many(b, left_out, "virtual thread", "virtual threads");
  builder_string(b, " that ended before ");
  coverage_put_threshold(b, dump_coverage(m->dump));
  builder_string(b, " left out");
}

static void put_events(struct builder *b, const struct model *m) {
  struct span engine, number;
  unit_count(b, m->recording.num_events);
  if (coverage_option(dump_coverage(m->dump), OPTION_engine, &engine)) {
    builder_string(b, ", engine ");
    text_plain(b, engine);
  }
  /* The number of pairs that the option threshold left out is written when the recording ends.
     Older agents wrote no sums of them. */
  if (coverage_has_short_pairs(dump_coverage(m->dump))) return;
  int64_t n;
  bool known = dump_info(m->dump, INFO_THRESHOLD_PAIRS, &number) && text_parse_decimal(number, &n);
  builder_string(b, "; ");
  if (known && n >= 0) {
    unit_many(b, (uint64_t)n, "pair", "pairs");
  } else {
    builder_string(b, "pairs");
  }
  view_put_shorter(b, m->dump);
  bool has_sums = m->recording.short_calls.num > 0;
  if (has_sums) builder_string(b, " only as sums");
  known = dump_info(m->dump, INFO_THRESHOLD_WAKES, &number) && text_parse_decimal(number, &n);
  bool has_wakes = known && n > 0;
  if (has_wakes) builder_string(b, has_sums ? ", " : " and ");
  if (has_wakes) unit_many(b, (uint64_t)n, "wake-up", "wake-ups");
  if (has_wakes || !has_sums) builder_string(b, " left out");
}

/* `time,trigger,reason`: the last time that a trigger fired. */
static void put_trigger(struct builder *b, const struct model *m) {
  struct span rest, time, trigger;
  ticks_t at;
  if (!dump_info(m->dump, INFO_TRIGGER, &rest) || !span_cut(&rest, ',', &time) ||
      !span_cut(&rest, ',', &trigger) || rest.data == NULL || !text_parse_ticks(time, &at) ||
      at < m->recording.start) {
    return;
  }
  text_plain(b, trigger);
  builder_string(b, " after ");
  unit_time(b, (at - m->recording.start) / TICKS_PER_NS);
  builder_string(b, ": ");
  text_plain(b, rest);
}

static bool read_two_digits(const char *text, unsigned *out) {
  bool good = text[0] >= '0' && text[0] <= '9' && text[1] >= '0' && text[1] <= '9';
  if (good) *out = (unsigned)(text[0] - '0') * 10 + (unsigned)(text[1] - '0');
  return good;
}

/* Appends the time of day in UTC, "12:03:04", or the time since the start if that is not known. */
static void put_time_of_day(struct builder *b, const struct model *m, ticks_t at) {
  struct span utc, day;
  unsigned hours, minutes, seconds;
  ticks_t passed = at < m->recording.start ? 0 : at - m->recording.start;
  bool is_known = dump_info(m->dump, INFO_START_UTC, &utc) && span_cut(&utc, 'T', &day) &&
                  utc.len >= 8 && read_two_digits(utc.data, &hours) &&
                  read_two_digits(utc.data + 3, &minutes) &&
                  read_two_digits(utc.data + 6, &seconds);
  if (!is_known) {
    unit_ticks(b, passed);
    return;
  }
  uint64_t time = hours * 3600 + minutes * 60 + seconds + passed / TICKS_PER_S;
  builder_format(b, "%02u:%02u:%02u UTC", (unsigned)(time / 3600 % 24), (unsigned)(time / 60 % 60),
                 (unsigned)(time % 60));
}

#define CHANGES_SHOWN 6

/* "threshold=1ms since 12:03:04 UTC; locks=all since 12:05:00 UTC (trigger contention)" */
static void put_changes(struct builder *b, const struct model *m) {
  const struct option_changes *all = &dump_coverage(m->dump)->changes;
  size_t first = all->num > CHANGES_SHOWN ? all->num - CHANGES_SHOWN : 0;
  if (first > 0) {
    unit_many(b, first, "earlier change", "earlier changes");
    builder_string(b, "; ");
  }
  for (size_t i = first; i < all->num; i++) {
    const struct option_change *c = &all->rows[i];
    if (i > first) builder_string(b, "; ");
    text_plain(b, c->key);
    builder_char(b, '=');
    text_plain(b, c->value);
    builder_string(b, " since ");
    put_time_of_day(b, m, c->to);
    if (span_is(c->cause, "set") || span_is(c->cause, "end")) continue;
    builder_string(b, " (trigger ");
    text_plain(b, c->cause);
    builder_char(b, ')');
  }
}

/* Is this the JVM option that loads Orca's agent? It is not part of the program's command. */
static bool is_agent_option(struct span word) {
  static const char agent[] = "-agentpath:", library[] = "liborca.so";
  return word.len > strlen(agent) && memcmp(word.data, agent, strlen(agent)) == 0 &&
         memmem(word.data, word.len, library, strlen(library)) != NULL;
}

void view_command_line(struct builder *b, const struct model *m) {
  struct span command, word, option;
  size_t start = b->len;
  bool is_off =
      coverage_option(dump_coverage(m->dump), OPTION_command, &option) && span_is(option, "off");
  if (is_off) {
    builder_string(b, "not recorded (command=off)");
    return;
  }
  if (!dump_info(m->dump, INFO_COMMAND, &command)) return;
  while (span_cut(&command, ' ', &word)) {
    if (is_agent_option(word)) continue;
    if (b->len > start) builder_char(b, ' ');
    text_plain(b, word);
  }
}

/* The rows. `cut` shortens a row to one line; commands lose their middle, because the main class is
   at the end. Rows without `cut` are wrapped. With `may_miss`, an empty row is left out. A
   `detail` is left out of the brief header. */
static const struct row {
  const char *label;
  void (*put)(struct builder *, const struct model *);
  void (*cut)(struct builder *, struct span, size_t);
  bool may_miss, is_detail;
} rows[] = {{"Command   ", view_command_line, width_cut, false, false},
            {"Test      ", put_test, width_cut, true, false},
            {"JVM       ", put_jvm, width_cut_end, false, false},
            {"Recorded  ", view_recorded, width_cut_end, false, false},
            {"Trigger   ", put_trigger, NULL, true, false},
            {"Changed   ", put_changes, NULL, true, false},
            {"CPU time  ", put_cpu, NULL, false, false},
            {"CPUs      ", view_cpus, NULL, true, false},
            {"Pauses    ", view_pauses, width_cut_end, true, false},
            {"Threads   ", put_threads, width_cut_end, false, false},
            {"Events    ", put_events, width_cut_end, false, false},
            {"Sampled   ", view_sampled, NULL, false, true},
            {"Cost      ", view_cost, NULL, true, false}};

static void put_rows(struct builder *b, const struct model *m, const struct style *style,
                     bool is_brief) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *row = &rows[i];
    if (is_brief && row->is_detail) continue;
    struct builder text = {0};
    builder_string(&text, row->label);
    size_t start = text.len;
    row->put(&text, m);
    bool is_missing = text.len == start;
    if (is_missing) builder_string(&text, "not known");
    if (text.failed || (is_missing && row->may_miss)) {
      b->failed |= text.failed;
    } else if (row->cut != NULL) {
      row->cut(b, (struct span){text.data, text.len}, style->width);
      builder_char(b, '\n');
    } else {
      style_wrap(b, style, row->label, (struct span){text.data + start, text.len - start});
    }
    builder_free(&text);
  }
}

void view_header(struct builder *b, const struct model *m, const struct style *style) {
  put_rows(b, m, style, false);
  view_sampled_caution(b, m, style);
  view_filter(b, m, style);
}

void view_brief_header(struct builder *b, const struct model *m, const struct style *style) {
  put_rows(b, m, style, true);
  view_sampled_caution(b, m, style);
}

/* --- the facts as JSON ----------------------------------------------------------------------- */

/* With command=off, the command is empty. */
static void put_info(struct json *j, const struct model *m, const char *key,
                     enum info_key info_key) {
  struct span value;
  json_key(j, key);
  if (dump_info(m->dump, info_key, &value) && value.len > 0) {
    json_name(j, value);
  } else {
    json_null(j);
  }
}

static void put_ticks(struct json *j, const char *key, ticks_t ticks) {
  json_unsigned_member(j, key, (ticks + TICKS_PER_NS / 2) / TICKS_PER_NS);
}

void view_facts_object(struct json *j, const struct model *m) {
  const struct recording *r = &m->recording;
  uint64_t short_threads = 0;
  json_begin_object(j);
  put_info(j, m, "command", INFO_COMMAND);
  put_info(j, m, "pid", INFO_PID);
  put_info(j, m, "java_version", INFO_JAVA_VERSION);
  put_info(j, m, "start_utc", INFO_START_UTC);
  put_info(j, m, "end_reason", INFO_END_REASON);
  put_ticks(j, "length_ns", r->end - r->start);
  put_ticks(j, "from_ns", r->from - r->start);
  put_ticks(j, "to_ns", r->to - r->start);
  json_unsigned_member(j, "events", r->num_events);
  json_unsigned_member(j, "all_events", r->all_events);
  json_unsigned_member(j, "samples", r->samples);
  json_unsigned_member(j, "all_samples", r->all_samples);
  json_unsigned_member(j, "ticks", r->ticks);
  json_text_member(j, "sampler", r->by_signal ? "signal" : "safepoint");
  json_unsigned_member(j, "cpu_samples", r->cpu_samples);
  json_unsigned_member(j, "pause_ns", r->pause_ns);
  json_unsigned_member(j, "longest_pause_ns", r->longest_pause_ns);
  json_unsigned_member(j, "threads", r->num_threads);
  if (model_short_threads(m, &short_threads)) {
    json_unsigned_member(j, "short_threads", short_threads);
  }
  json_unsigned_member(j, "cpu_ns", m->cpu.total_ns);
  view_process_facts(j, m);
  json_end_object(j);
}

void view_facts(struct page *p, const struct model *m) {
  if (!page_is_json(p)) return;
  json_key(&p->json, "recording");
  view_facts_object(&p->json, m);
}
