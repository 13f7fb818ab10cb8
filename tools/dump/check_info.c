/* The rules of .info. */
#include <string.h>

#include "tools/dump/check_parts.h"

/* --- how values are spelled ------------------------------------------------------ */

static bool is_any(struct span value) {
  (void)value;
  return true;
}

static bool is_text(struct span value) { return value.len > 0; }

static bool is_count(struct span value) {
  int64_t n;
  return text_parse_decimal(value, &n) && n >= 0;
}

static bool is_ticks(struct span value) {
  ticks_t t;
  return text_parse_ticks(value, &t);
}

/* ISO 8601 with nanoseconds: a `d` stands for a digit. */
static bool is_utc(struct span value) {
  static const char pattern[] = "dddd-dd-ddTdd:dd:dd.dddddddddZ";
  if (value.len != sizeof pattern - 1) return false;
  for (size_t i = 0; i < value.len; i++) {
    char c = value.data[i];
    if (pattern[i] == 'd' ? c < '0' || c > '9' : c != pattern[i]) return false;
  }
  return true;
}

/* --- the keys ---------------------------------------------------------------------- */

/* Keys that must stand there; those of the end all together or not at all. */
static const struct key {
  const char *name;
  bool is_end;
  bool (*is_spelled)(struct span value);
} keys[] = {
    {"format", false, is_text},
    {"orca.version", false, is_text},
    {"pid", false, is_count},
    {"java.version", false, is_text},
    {"command", false, is_any},
    {"options", false, is_any},
    {"start.monotonic", false, is_ticks},
    {"start.utc", false, is_utc},
    {"end.monotonic", true, is_ticks},
    {"end.reason", true, is_text},
    {"events.written", true, is_count},
    {"events.dropped", true, is_count},
    {"events.waited", true, is_count},
    {"samples.written", true, is_count},
    {"sampler.pause.total", true, is_text},
};
#define NUM_KEYS (sizeof keys / sizeof *keys)

static bool is_key(struct span key) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  for (size_t i = 0; i < key.len; i++) {
    if (memchr(letters, key.data[i], sizeof letters - 1) == NULL) return false;
  }
  return true;
}

static void check_line(struct check *c, const struct stream *s, struct span key,
                       struct span value) {
  if (!is_key(key)) check_broken(c, s, RULE_INFO_KEY_SPELLING, of_nothing());
  for (size_t i = 0; i < NUM_KEYS; i++) {
    if (!span_is(key, keys[i].name) || keys[i].is_spelled(value)) continue;
    check_broken(c, s, RULE_INFO_VALUE, of_text(keys[i].name));
  }
}

/* The names of the missing keys, of the end or not of it, joined by ", ". */
static struct subject missing(const struct dump *d, bool of_end, size_t *out_num) {
  struct builder names = {0};
  struct span value;
  *out_num = 0;
  for (size_t i = 0; i < NUM_KEYS; i++) {
    if (keys[i].is_end != of_end || dump_info(d, keys[i].name, &value)) continue;
    if ((*out_num)++ > 0) builder_string(&names, ", ");
    builder_string(&names, keys[i].name);
  }
  builder_char(&names, '\0');
  struct subject what = of_text(names.failed ? "" : names.data);
  builder_free(&names);
  return what;
}

static void check_keys(struct check *c) {
  size_t num, num_end_keys = 0;
  struct subject what = missing(c->dump, false, &num);
  if (num > 0) check_broken_file(c, DUMP_INFO, RULE_INFO_KEY_MISSING, what);
  what = missing(c->dump, true, &num);
  for (size_t i = 0; i < NUM_KEYS; i++) num_end_keys += keys[i].is_end;
  if (num > 0 && num < num_end_keys) check_broken_file(c, DUMP_INFO, RULE_INFO_END_MISSING, what);
}

/* --- the numbers --------------------------------------------------------------------- */

/* Where the last word was only asked for, the run went on: more may stand there than it says. */
static void check_number(struct check *c, const char *key, uint64_t real, enum rule rule) {
  struct span value, reason = {"", 0};
  int64_t told;
  if (!dump_info(c->dump, key, &value) || !text_parse_decimal(value, &told)) return;
  dump_info(c->dump, "end.reason", &reason);
  bool open = span_is(reason, "flush");
  bool right = open ? (uint64_t)told <= real : (uint64_t)told == real;
  if (!right) check_broken_file(c, DUMP_INFO, rule, of_number(real));
}

void check_info(struct check *c, struct stream *s) {
  for (struct span key, value; stream_info(s, &key, &value);) check_line(c, s, key, value);
  check_keys(c);
  check_number(c, "events.written", c->totals->lines[DUMP_EVENTS], RULE_INFO_EVENTS);
  check_number(c, "samples.written", c->totals->samples, RULE_INFO_SAMPLES);
}
