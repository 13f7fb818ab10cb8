#include "tools/orca/cmd/status.h"

#include <string.h>

#include "agent/base/clock.h"
#include "agent/options/options.h"
#include "tools/orca/render/json.h"
#include "tools/orca/render/page.h"
#include "tools/orca/render/unit.h"

#define TABLE_PREFIX "table."

/* --- lines ------------------------------------------------------------------------------------ */

/* Cuts the next line "key=value". False at the end. */
static bool cut_line(struct span *rest, struct span *key, struct span *value) {
  if (!span_cut(rest, '\n', value)) return false;
  span_cut(value, '=', key);
  return true;
}

/* Returns the lines after the first one. */
static struct span skip_first(struct span answer) {
  struct span first;
  span_cut(&answer, '\n', &first);
  return answer;
}

static bool find_value(struct span answer, const char *wanted, struct span *out) {
  struct span rest = skip_first(answer), key, value;
  while (cut_line(&rest, &key, &value)) {
    if (!span_is(key, wanted) || value.data == NULL) continue;
    *out = value;
    return true;
  }
  return false;
}

/* Returns 0 for a key that is missing, as in the answer of an older agent. */
static uint64_t read_number(struct span answer, const char *key) {
  struct span value;
  int64_t n = 0;
  if (!find_value(answer, key, &value) || !text_parse_decimal(value, &n) || n < 0) return 0;
  return (uint64_t)n;
}

/* --- groups ----------------------------------------------------------------------------------- */

static void put_bytes(struct builder *b, uint64_t bytes) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  double number = (double)bytes;
  size_t unit = 0;
  for (; number >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++) number /= 1000;
  builder_format(b, unit == 0 || number >= 100 ? "%.0f %s" : "%.1f %s", number, units[unit]);
}

/* The options that differ from their defaults. */
static void put_options(struct builder *b, struct span answer) {
  struct span rest, word, prefix;
  size_t start = b->len;
  if (!find_value(answer, "options", &rest)) return;
  span_cut(&rest, ',', &prefix);
  while (options_cut_word(&rest, &word)) {
    struct span value = word, key;
    span_cut(&value, '=', &key);
    int row = options_find(key);
    if (row >= 0 && span_is(value, option_infos[row].fallback)) continue;
    if (b->len > start) builder_char(b, ' ');
    builder_bytes(b, word.data, word.len);
  }
  if (b->len == start) builder_string(b, "all have their defaults");
}

/* All values of a key, each in the form of `put`. */
static void put_all(struct builder *b, struct span answer, const char *wanted,
                    void (*put)(struct builder *, struct span)) {
  struct span rest = skip_first(answer), key, value;
  size_t start = b->len;
  while (cut_line(&rest, &key, &value)) {
    if (!span_is(key, wanted) || value.data == NULL) continue;
    if (b->len > start) builder_string(b, "; ");
    put(b, value);
  }
}

static void put_value(struct builder *b, struct span value) {
  builder_bytes(b, value.data, value.len);
}

/* "cpu,12,locks=all" */
static void put_escalation(struct builder *b, struct span value) {
  struct span trigger, seconds;
  span_cut(&value, ',', &trigger);
  if (!span_cut(&value, ',', &seconds) || value.data == NULL) return;
  put_value(b, trigger);
  builder_string(b, " has changed ");
  put_value(b, value);
  builder_string(b, " for ");
  put_value(b, seconds);
  builder_string(b, " s more");
}

static void put_changed(struct builder *b, struct span answer) {
  put_all(b, answer, "changed", put_value);
}

static void put_escalations(struct builder *b, struct span answer) {
  put_all(b, answer, "escalation", put_escalation);
}

static void put_end(struct builder *b, struct span answer) {
  struct span ignored;
  if (!find_value(answer, "duration.left.ms", &ignored)) return;
  builder_format(b, "by itself in %s",
                 UNIT_TIME(read_number(answer, "duration.left.ms") * NS_PER_MS));
}

static void put_written(struct builder *b, struct span answer) {
  unit_many(b, read_number(answer, "events.written"), "event", "events");
  builder_string(b, " and ");
  unit_many(b, read_number(answer, "samples.written"), "sample", "samples");
  builder_format(b, " of threads in %s", UNIT_TIME(read_number(answer, "recorded.ms") * NS_PER_MS));
}

static void put_rate(struct builder *b, struct span answer, const char *key, uint64_t ms) {
  builder_format(b, "%s", UNIT_COUNT((read_number(answer, key) * 1000 + ms / 2) / ms));
}

static void put_rates(struct builder *b, struct span answer) {
  uint64_t ms = read_number(answer, "recent.ms");
  if (ms == 0) return;
  put_rate(b, answer, "recent.events", ms);
  builder_string(b, " events, ");
  put_rate(b, answer, "recent.samples", ms);
  builder_string(b, " samples, ");
  put_bytes(b, read_number(answer, "recent.bytes") * 1000 / ms);
  builder_format(b, " a second in the last %s", UNIT_TIME(ms * NS_PER_MS));
}

/* What was lost, and why. */
static const struct loss {
  const char *key, *one, *many;
} losses[] = {
    {"events.dropped", "event (queue full, or file not written)",
     "events (queue full, or file not written)"},
    {"sampler.signal.lost", "sample without a whole stack", "samples without a whole stack"},
    {"sampler.signal.untimed", "thread without CPU samples", "threads without CPU samples"},
    {"pauses.lost", "GC pause", "GC pauses"},
    {"hooks.skipped", "call near the end of a stack", "calls near the end of a stack"},
    {"locks.full", "full table of lock counts (some acquisitions are not counted)",
     "full tables of lock counts"},
    {"memory.failed", "allocation failed", "allocations failed"},
};

static void put_losses(struct builder *b, struct span answer) {
  size_t start = b->len;
  for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
    uint64_t n = read_number(answer, losses[i].key);
    if (n == 0) continue;
    if (b->len > start) builder_string(b, ", ");
    unit_many(b, n, losses[i].one, losses[i].many);
  }
  if (b->len == start) builder_string(b, "nothing");
}

/* Without loss. */
static void put_delays(struct builder *b, struct span answer) {
  uint64_t waited = read_number(answer, "events.waited"),
           sets = read_number(answer, "sets.delayed");
  if (waited > 0) {
    unit_many(b, waited, "time a thread waited for room in its queue",
              "times a thread waited for room in its queue");
  }
  if (waited > 0 && sets > 0) builder_string(b, ", ");
  if (sets > 0)
    unit_many(b, sets, "time no set of files could begin", "times no set of files could begin");
}

static void put_pauses(struct builder *b, struct span answer) {
  uint64_t pauses = read_number(answer, "sampler.pauses");
  unit_many(b, pauses, "time the JVM stopped for a look at all threads",
            "times the JVM stopped for a look at all threads");
  if (pauses == 0) return;
  builder_format(b, ": %s in total, longest %s",
                 UNIT_TIME(read_number(answer, "sampler.pause.total")),
                 UNIT_TIME(read_number(answer, "sampler.pause.longest")));
}

static void put_disk(struct builder *b, struct span answer) {
  uint64_t kept = read_number(answer, "disk.kept");
  struct span ignored;
  unit_many(b, read_number(answer, "disk.sets"), "set of files, ", "sets of files, ");
  put_bytes(b, read_number(answer, "disk.bytes"));
  if (kept > 0) builder_format(b, "; kept by triggers: %s", UNIT_COUNT(kept));
  if (!find_value(answer, "disk.free", &ignored)) return;
  builder_string(b, "; ");
  put_bytes(b, read_number(answer, "disk.free"));
  builder_string(b, " are free");
}

static void put_memory(struct builder *b, struct span answer) {
  put_bytes(b, read_number(answer, "tables.bytes"));
  builder_string(b, " in tables (entries, bytes):");
}

/* A group without text is left out. */
static const struct {
  const char *label;
  void (*put)(struct builder *, struct span answer);
} groups[] = {
    {"Options   ", put_options}, {"Changed   ", put_changed}, {"Trigger   ", put_escalations},
    {"Ends      ", put_end},     {"Written   ", put_written}, {"Rates     ", put_rates},
    {"Lost      ", put_losses},  {"Delayed   ", put_delays},  {"Pauses    ", put_pauses},
    {"Disk      ", put_disk},    {"Memory    ", put_memory}};

static void put_tables(struct builder *b, struct span answer) {
  struct span rest = skip_first(answer), line;
  while (span_cut(&rest, '\n', &line)) {
    if (!span_starts(line, TABLE_PREFIX)) continue;
    builder_bytes(b, line.data, line.len);
    builder_char(b, '\n');
  }
}

void status_put_text(struct builder *b, struct span answer) {
  struct span first, ignored, rest = answer;
  span_cut(&rest, '\n', &first);
  builder_bytes(b, first.data, first.len);
  builder_char(b, '\n');
  if (!find_value(answer, "options", &ignored)) return;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    size_t start = b->len;
    builder_string(b, groups[i].label);
    size_t text = b->len;
    groups[i].put(b, answer);
    if (b->len == text) {
      b->len = start;
    } else {
      builder_char(b, '\n');
    }
  }
  put_tables(b, answer);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_json_value(struct json *j, struct span key, struct span value) {
  struct span bytes = value, entries;
  int64_t n, m;
  if (span_starts(key, TABLE_PREFIX) && span_cut(&bytes, ',', &entries) && bytes.data != NULL &&
      text_parse_decimal(entries, &n) && text_parse_decimal(bytes, &m)) {
    json_begin_object(j);
    json_unsigned_member(j, "entries", (uint64_t)n);
    json_unsigned_member(j, "bytes", (uint64_t)m);
    json_end_object(j);
  } else if (text_parse_decimal(value, &n)) {
    json_integer(j, n);
  } else {
    json_string(j, value);
  }
}

/* A key that can be there several times is an array. */
static void put_json_all(struct json *j, struct span answer, const char *wanted) {
  struct span rest = skip_first(answer), key, value;
  json_key(j, wanted);
  json_begin_array(j);
  while (cut_line(&rest, &key, &value)) {
    if (span_is(key, wanted) && value.data != NULL) json_string(j, value);
  }
  json_end_array(j);
}

void status_put_json(struct builder *b, struct span answer) {
  struct json j = {.out = b};
  struct span rest = answer, first, key, value;
  span_cut(&rest, '\n', &first);
  json_begin_object(&j);
  json_unsigned_member(&j, "schema", PAGE_SCHEMA);
  json_key(&j, "state");
  json_string(&j, first);
  put_json_all(&j, answer, "changed");
  put_json_all(&j, answer, "escalation");
  while (cut_line(&rest, &key, &value)) {
    char name[64] = "";
    bool is_list = span_is(key, "changed") || span_is(key, "escalation");
    if (is_list || value.data == NULL || key.len >= sizeof name) continue;
    memcpy(name, key.data, key.len);
    json_key(&j, name);
    put_json_value(&j, key, value);
  }
  json_end_object(&j);
  builder_char(b, '\n');
}
