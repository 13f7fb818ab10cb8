/* The rules of .info. */
#include <string.h>

#include "tools/orca/check/check_internal.h"

/* --- formats of values ------------------------------------------------------------- */

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

/* ISO 8601 with nanoseconds. A `d` in the pattern is a digit. */
static bool is_utc(struct span value) {
  static const char pattern[] = "dddd-dd-ddTdd:dd:dd.dddddddddZ";
  if (value.len != sizeof pattern - 1) return false;
  for (size_t i = 0; i < value.len; i++) {
    char c = value.data[i];
    if (pattern[i] == 'd' ? c < '0' || c > '9' : c != pattern[i]) return false;
  }
  return true;
}

static bool (*const is_valid[])(struct span value) = {
    [INFO_KIND_ANY] = is_any,     [INFO_KIND_TEXT] = is_text, [INFO_KIND_COUNT] = is_count,
    [INFO_KIND_TICKS] = is_ticks, [INFO_KIND_UTC] = is_utc,
};

/* --- the keys ---------------------------------------------------------------------- */

static bool is_key_name(struct span key) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  for (size_t i = 0; i < key.len; i++) {
    if (memchr(letters, key.data[i], sizeof letters - 1) == NULL) return false;
  }
  return true;
}

/* --- a set ----------------------------------------------------------------------------- */

/* The values in .info of a set. The last value of a key counts. */
struct info_values {
  bool has[NUM_INFO_KEYS]; /* the key exists */
  int64_t events, samples, short_calls;
  bool is_flush; /* the numbers are those of a flush; more may have been written after it */
  bool is_over;  /* the recording ended regularly */
};

static bool is_regular_end(struct span reason) {
  static const char *const others[] = {"flush", "snapshot", "rotated", "error"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (span_is(reason, others[i])) return false;
  }
  return true;
}

#define NO_INFO_VALUES ((struct info_values){.events = -1, .samples = -1, .short_calls = -1})

static void check_line(struct check *c, const struct stream *s, struct span key, struct span value,
                       struct info_values *values) {
  if (!is_key_name(key)) check_add_fault(c, s, RULE_INFO_KEY_SPELLING, subject_none());
  enum info_key found = info_key_find(key);
  if (found == NUM_INFO_KEYS) return;
  const struct info_key_row *row = &info_keys[found];
  values->has[found] = true;
  if (row->is_required && !is_valid[row->kind](value)) {
    check_add_fault(c, s, RULE_INFO_VALUE, subject_from_text(row->name));
  }
  if (found == INFO_EVENTS_WRITTEN) text_parse_decimal(value, &values->events);
  if (found == INFO_SAMPLES_WRITTEN) text_parse_decimal(value, &values->samples);
  if (found == INFO_THRESHOLD_PAIRS) text_parse_decimal(value, &values->short_calls);
  if (found != INFO_END_REASON) return;
  values->is_flush = span_is(value, "flush");
  values->is_over = is_regular_end(value);
}

/* Returns the names of the required keys of this part that are missing, joined by ", ". */
static struct subject list_missing_keys(const struct info_values *values, enum info_part part,
                                        size_t *out_num) {
  struct builder names = {0};
  *out_num = 0;
  for (int i = 0; i < NUM_INFO_KEYS; i++) {
    if (info_keys[i].part != part || !info_keys[i].is_required || values->has[i]) continue;
    if ((*out_num)++ > 0) builder_string(&names, ", ");
    builder_string(&names, info_keys[i].name);
  }
  builder_char(&names, '\0');
  struct subject subject = subject_from_text(names.failed ? "" : names.data);
  builder_free(&names);
  return subject;
}

/* --- the counts of events and samples -------------------------------------------------- */

/* The sums over all sets; negative: the key is missing in a set. */
struct sums {
  int64_t events, samples;
  int64_t short_calls; /* of the last set; it counts from the beginning of the recording */
  bool is_flush, is_over;
};

static int64_t add_counts(int64_t a, int64_t b) {
  return a < 0 || b < 0 ? -1 : a > INT64_MAX - b ? INT64_MAX : a + b;
}

static void end_set(struct check *c, struct sums *sums, struct info_values *values, bool is_last) {
  static const struct info_values no_values;
  size_t num, num_end_keys;
  struct subject subject = list_missing_keys(values, INFO_PART_START, &num);
  if (num > 0) check_add_file_fault(c, DUMP_INFO, RULE_INFO_KEY_MISSING, subject);
  list_missing_keys(&no_values, INFO_PART_END, &num_end_keys);
  subject = list_missing_keys(values, INFO_PART_END, &num);
  /* The keys of the end are missing if the JVM was killed, but only in the last set. */
  bool may_be_missing = is_last && num == num_end_keys;
  if (num > 0 && !may_be_missing) {
    check_add_file_fault(c, DUMP_INFO, RULE_INFO_END_MISSING, subject);
  }
  sums->events = add_counts(sums->events, values->events);
  sums->samples = add_counts(sums->samples, values->samples);
  sums->short_calls = values->short_calls;
  sums->is_flush = values->is_flush;
  sums->is_over = values->is_over;
  *values = NO_INFO_VALUES;
}

static void check_count_key(struct check *c, const struct sums *sums, int64_t written,
                            uint64_t expected, enum rule rule) {
  if (written < 0) return;
  bool is_right = sums->is_flush ? (uint64_t)written <= expected : (uint64_t)written == expected;
  if (!is_right) check_add_file_fault(c, DUMP_INFO, rule, subject_from_number(expected));
}

/* Recordings of older agents have no sums of short calls. Sets that were deleted had some. */
static void check_short_calls(struct check *c, const struct sums *sums) {
  bool is_whole = dump_sets(c->dump)->num == 1 && c->has_first_set && sums->is_over;
  bool is_lossy = c->totals->is_lossy || c->totals->num_failed_allocations > 0;
  if (!is_whole || is_lossy || c->num_short_calls == 0) return;
  check_count_key(c, sums, sums->short_calls, c->num_short_calls, RULE_INFO_SHORT);
}

void check_info(struct check *c, struct stream *s) {
  struct faults *faults = dump_faults(c->dump);
  struct sums sums = {0};
  struct info_values values = NO_INFO_VALUES;
  size_t set = 0;
  for (struct span key, value; stream_info(s, &key, &value); set = stream_set(s)) {
    if (stream_set(s) != set) { /* the first line of the next set has already been read */
      unsigned current_set = faults->set;
      faults->set = dump_sets(c->dump)->sets[set].number;
      end_set(c, &sums, &values, false);
      faults->set = current_set;
    }
    check_line(c, s, key, value, &values);
  }
  end_set(c, &sums, &values, true);
  const struct check_totals *totals = c->totals;
  check_count_key(c, &sums, sums.events, totals->lines[DUMP_EVENTS] + c->num_repeated[DUMP_EVENTS],
                  RULE_INFO_EVENTS);
  check_count_key(c, &sums, sums.samples, totals->samples + c->num_repeated[DUMP_SAMPLES],
                  RULE_INFO_SAMPLES);
  check_short_calls(c, &sums);
}
