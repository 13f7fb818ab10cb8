/* The rules of .info. */
#include <string.h>

#include "tools/orca/check/check_internal.h"

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

/* --- a set ----------------------------------------------------------------------------- */

/* What .info of a set says: its last word. */
struct said {
  uint32_t keys; /* bit i: keys[i] stands there */
  int64_t events, samples;
  bool open; /* the last word was only asked for, the run went on: more may stand there */
};

static void check_line(struct check *c, const struct stream *s, struct span key, struct span value,
                       struct said *said) {
  if (!is_key(key)) check_broken(c, s, RULE_INFO_KEY_SPELLING, of_nothing());
  for (size_t i = 0; i < NUM_KEYS; i++) {
    if (!span_is(key, keys[i].name)) continue;
    said->keys |= UINT32_C(1) << i;
    if (!keys[i].is_spelled(value)) check_broken(c, s, RULE_INFO_VALUE, of_text(keys[i].name));
  }
  if (span_is(key, "events.written")) text_parse_decimal(value, &said->events);
  if (span_is(key, "samples.written")) text_parse_decimal(value, &said->samples);
  if (span_is(key, "end.reason")) said->open = span_is(value, "flush");
}

/* The names of the missing keys, of the end or not of it, joined by ", ". */
static struct subject missing(const struct said *said, bool of_end, size_t *out_num) {
  struct builder names = {0};
  *out_num = 0;
  for (size_t i = 0; i < NUM_KEYS; i++) {
    if (keys[i].is_end != of_end || (said->keys >> i & 1) != 0) continue;
    if ((*out_num)++ > 0) builder_string(&names, ", ");
    builder_string(&names, keys[i].name);
  }
  builder_char(&names, '\0');
  struct subject what = of_text(names.failed ? "" : names.data);
  builder_free(&names);
  return what;
}

/* A run that was killed has no end, but every set before the last one has. */
static void check_keys(struct check *c, const struct said *said, bool last) {
  size_t num, num_end_keys = 0;
  struct subject what = missing(said, false, &num);
  if (num > 0) check_broken_file(c, DUMP_INFO, RULE_INFO_KEY_MISSING, what);
  what = missing(said, true, &num);
  for (size_t i = 0; i < NUM_KEYS; i++) num_end_keys += keys[i].is_end;
  bool all = num == num_end_keys;
  if (num > 0 && !(all && last)) check_broken_file(c, DUMP_INFO, RULE_INFO_END_MISSING, what);
}

/* --- the numbers --------------------------------------------------------------------- */

/* Of all sets together; negative: one of them does not say it. */
struct sums {
  int64_t events, samples;
  bool open;
};

static int64_t sum(int64_t a, int64_t b) {
  return a < 0 || b < 0 ? -1 : a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void end_set(struct check *c, struct sums *sums, struct said *said, bool last) {
  check_keys(c, said, last);
  sums->events = sum(sums->events, said->events);
  sums->samples = sum(sums->samples, said->samples);
  sums->open = said->open;
  *said = (struct said){.events = -1, .samples = -1};
}

/* The first line of the next set has been read already. */
static void end_one_before(struct check *c, struct sums *sums, struct said *said, size_t set) {
  struct faults *faults = dump_faults(c->dump);
  unsigned now = faults->set;
  faults->set = dump_sets(c->dump)->sets[set].number;
  end_set(c, sums, said, false);
  faults->set = now;
}

static void check_number(struct check *c, const struct sums *sums, int64_t told, uint64_t real,
                         enum rule rule) {
  if (told < 0) return;
  bool right = sums->open ? (uint64_t)told <= real : (uint64_t)told == real;
  if (!right) check_broken_file(c, DUMP_INFO, rule, of_number(real));
}

void check_info(struct check *c, struct stream *s) {
  struct sums sums = {0};
  struct said said = {.events = -1, .samples = -1};
  size_t set = 0;
  for (struct span key, value; stream_info(s, &key, &value); set = stream_set(s)) {
    if (stream_set(s) != set) end_one_before(c, &sums, &said, set);
    check_line(c, s, key, value, &said);
  }
  end_set(c, &sums, &said, true);
  const struct check_totals *totals = c->totals;
  check_number(c, &sums, sums.events, totals->lines[DUMP_EVENTS] + c->left_out[DUMP_EVENTS],
               RULE_INFO_EVENTS);
  check_number(c, &sums, sums.samples, totals->samples + c->left_out[DUMP_SAMPLES],
               RULE_INFO_SAMPLES);
}
