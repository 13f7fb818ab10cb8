#include "agent/options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/event/event.h"
#include "agent/options/patterns.h"

const struct option_info option_infos[NUM_OPTIONS] = {
#define OPTION(key, type, fallback, takes, meaning) {#key, fallback, takes, meaning},
#include "agent/options/options.def"
};

/* --- types: each reads a value into its field; false where it is none -------------- */

/* The number at the start of `text`, and what follows it. No sign, no exponent, no hexadecimal. */
static bool parse_number(const char *text, double *out, const char **unit) {
  size_t len = strspn(text, "0123456789.");
  char digits[32];
  if (len == 0 || len >= sizeof digits) return false;
  memcpy(digits, text, len);
  digits[len] = '\0';
  char *end;
  *out = strtod(digits, &end);
  *unit = text + len;
  return *end == '\0';
}

static bool parse_duration(const char *value, uint64_t *out) {
  static const struct {
    const char *name;
    double ns;
  } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 6e10}, {"h", 3.6e12}};
  double number;
  const char *unit;
  if (!parse_number(value, &number, &unit)) return false;
  *out = 0;
  if (number == 0 && *unit == '\0') return true;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (strcmp(unit, units[i].name) != 0) continue;
    double ns = number * units[i].ns;
    if (ns < 1e18) *out = (uint64_t)ns;
    return ns < 1e18;
  }
  return false;
}

/* Lines wait as long as the threshold, in memory: a JVM that is killed loses that much. */
static bool parse_threshold(const char *value, uint64_t *out) {
  return parse_duration(value, out) && *out <= 10 * NS_PER_S;
}

static bool parse_start(const char *value, uint64_t *out) {
  bool now = strcmp(value, "now") == 0, later = strcmp(value, "later") == 0;
  *out = later ? START_LATER : 0;
  return now || later || parse_duration(value, out);
}

static bool parse_percent(const char *value, double *out) {
  const char *unit;
  if (!parse_number(value, out, &unit) || strcmp(unit, "%") != 0) return false;
  bool sane = *out >= 0.01 && *out <= 100;
  *out /= 100;
  return sane;
}

static bool parse_depth(const char *value, int *out) {
  double number;
  const char *unit;
  if (strchr(value, '.') != NULL || !parse_number(value, &number, &unit)) return false;
  *out = (int)(number <= 2048 ? number : 0);
  return *unit == '\0' && *out >= 1;
}

static bool parse_size(const char *value, uint64_t *out) {
  static const struct {
    const char *name;
    double bytes;
  } units[] = {{"KB", 0x1p10}, {"MB", 0x1p20}, {"GB", 0x1p30}};
  double number;
  const char *unit;
  *out = 0;
  if (strcmp(value, "off") == 0) return true;
  if (!parse_number(value, &number, &unit)) return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    double bytes = number * units[i].bytes;
    if (strcmp(unit, units[i].name) != 0 || bytes < 0x1p16 || bytes >= 0x1p60) continue;
    *out = (uint64_t)bytes;
    return true;
  }
  return false;
}

static bool parse_keep(const char *value, unsigned *out) {
  double number;
  const char *unit;
  *out = 0;
  if (strcmp(value, "off") == 0) return true;
  if (strchr(value, '.') != NULL || !parse_number(value, &number, &unit)) return false;
  if (*unit != '\0' || number < 2 || number > 1e9) return false;
  *out = (unsigned)number;
  return true;
}

/* The groups that a word of `events` names. */
static bool groups_of(struct span word, uint32_t *out) {
  enum event_group group;
  bool known = true;
  *out = 0;
  if (span_is(word, "all")) {
    *out = (1u << NUM_GROUPS) - 1;
  } else if (group_find(word, &group)) {
    *out = 1u << group;
  } else {
    known = span_is(word, "none");
  }
  return known;
}

/* From left to right, + adds and - takes away. */
static bool parse_groups(const char *value, uint32_t *out) {
  char sign = '+';
  *out = 0;
  for (;;) {
    size_t len = strcspn(value, "+-");
    uint32_t groups;
    if (!groups_of((struct span){value, len}, &groups)) return false;
    *out = sign == '+' ? *out | groups : *out & ~groups;
    if (value[len] == '\0') return true;
    sign = value[len];
    value += len + 1;
  }
}

static bool parse_patterns(const char *value, bool *out) {
  struct patterns patterns;
  *out = *value != '\0';
  return !*out || patterns_parse(value, &patterns);
}

/* The row of `value` among names separated by '|'; -1 where it has none. */
static int choice(const char *value, const char *names) {
  struct span rest = {names, strlen(names)}, name;
  for (int row = 0; span_cut(&rest, '|', &name); row++) {
    if (span_is(name, value)) return row;
  }
  return -1;
}

#define CHOICE(type, names)                                            \
  static bool parse_##type(const char *value, enum type##_mode *out) { \
    int row = choice(value, names);                                    \
    if (row >= 0) *out = (enum type##_mode)row;                        \
    return row >= 0;                                                   \
  }

CHOICE(engine, "weave|callbacks")
CHOICE(sampler, "signal|safepoint")
CHOICE(owners, "late|all|off")
CHOICE(locks, "waits|all")
CHOICE(walk, "jvmti|async")
CHOICE(monitors, "contended|all")
CHOICE(cpu, "off|on")
CHOICE(overflow, "wait|drop")

/* --- the walk over the rows ---------------------------------------------------------- */

static bool set(struct options *o, enum option_key key, const char *value) {
  if (strlen(value) >= sizeof o->text[key]) return false;
  strcpy(o->text[key], value);
  switch (key) {
#define OPTION(key, type, fallback, takes, meaning) \
  case OPTION_##key:                                \
    return parse_##type(value, &o->key);
#include "agent/options/options.def"
    case NUM_OPTIONS:
      break;
  }
  return false;
}

static int find(struct span key) {
  for (int i = 0; i < NUM_OPTIONS; i++) {
    if (span_is(key, option_infos[i].key)) return i;
  }
  return -1;
}

static void group_names(struct builder *b) {
  for (int g = 0; g < NUM_GROUPS; g++) {
    builder_char(b, ' ');
    builder_string(b, group_infos[g].name);
  }
}

static void refuse_value(enum option_key key, const char *value, struct builder *b) {
  builder_string(b, "option ");
  builder_string(b, option_infos[key].key);
  builder_string(b, " takes ");
  builder_string(b, option_infos[key].takes);
  if (key == OPTION_events) {
    builder_string(b, " of");
    group_names(b);
  }
  builder_string(b, ", not \"");
  builder_string(b, value);
  builder_char(b, '"');
}

static void refuse_key(struct span word, struct builder *b) {
  builder_string(b, "there is no option \"");
  builder_bytes(b, word.data, word.len);
  builder_string(b, "\"; the options are");
  for (int i = 0; i < NUM_OPTIONS; i++) {
    builder_char(b, ' ');
    builder_string(b, option_infos[i].key);
  }
  builder_string(b, ", each as key=value behind PREFIX and a comma");
}

/* What may be repeated adds to what was given before. */
static const char *given_before(const struct options *o, enum option_key key) {
  return key == OPTION_track || key == OPTION_filter ? o->text[key] : "";
}

static bool take_option(struct span word, struct options *o, struct builder *refusal) {
  struct span value = word, key;
  span_cut(&value, '=', &key);
  int row = find(key);
  if (row < 0 || value.data == NULL) {
    refuse_key(word, refusal);
    return false;
  }
  char text[MAX_OPTION + 1];
  const char *before = given_before(o, (enum option_key)row);
  snprintf(text, sizeof text, "%s%s%.*s", before, *before == '\0' ? "" : "+", (int)value.len,
           value.data);
  if (set(o, (enum option_key)row, text)) return true;
  refuse_value((enum option_key)row, text, refusal);
  return false;
}

/* The first word is the prefix, unless it is plainly an option whose prefix was left out. */
static bool is_prefix(struct span word) {
  struct span rest = word, key;
  span_cut(&rest, '=', &key);
  return rest.data == NULL || find(key) < 0;
}

static bool take_prefix(struct span word, struct options *o, struct builder *refusal) {
  if (word.len >= sizeof o->prefix) {
    builder_string(refusal, "the prefix is too long for a file name");
    return false;
  }
  memcpy(o->prefix, word.data, word.len);
  o->prefix[word.len] = '\0';
  return true;
}

static bool take_all(const char *given, struct options *o, struct builder *refusal) {
  struct span rest = {given, strlen(given)}, word;
  for (bool first = true; span_cut(&rest, ',', &word); first = false) {
    if (word.len == 0) continue;
    bool prefix = first && is_prefix(word);
    if (!(prefix ? take_prefix(word, o, refusal) : take_option(word, o, refusal))) return false;
  }
  return true;
}

/* What is recorded later is asked for later; only the engine has to be there from the start. */
static bool asks_for_more(const struct options *o) {
  bool more = false;
  for (int i = 0; i < NUM_OPTIONS; i++) {
    if (i == OPTION_start || i == OPTION_engine) continue;
    more |= strcmp(o->text[i], option_infos[i].fallback) != 0;
  }
  return more;
}

/* Options that need one another, or exclude one another. */
static bool agree(const struct options *o, struct builder *refusal) {
  bool all = o->monitors == MONITORS_ALL;
  const char *why = NULL;
  if (o->threshold > 0 && o->locks == LOCKS_ALL && o->engine == ENGINE_WEAVE) {
    why = "option threshold leaves out what is short, and locks=all records each; give one of them";
  } else if (o->start == START_LATER && asks_for_more(o)) {
    why = "with start=later only engine can be given; orca attach takes the other options";
  } else if (all && !o->filter) {
    why = "option monitors=all needs the option filter, classes such as filter=com.acme.*";
  } else if (o->engine == ENGINE_CALLBACKS && (all || o->track)) {
    why = "options track and monitors=all take engine=weave, not engine=callbacks";
  } else if (o->keep != 0 && o->maxsize == 0) {
    why = "option keep needs the option maxsize, the size of a set such as maxsize=100MB";
  }
  if (why != NULL) builder_string(refusal, why);
  return why == NULL;
}

bool options_parse(const char *given, struct options *out, char *error, size_t error_size) {
  *out = (struct options){.prefix = PREFIX_DEFAULT};
  for (int i = 0; i < NUM_OPTIONS; i++) set(out, (enum option_key)i, option_infos[i].fallback);
  struct builder refusal = {0};
  bool good = take_all(given == NULL ? "" : given, out, &refusal) && agree(out, &refusal);
  /* Only woven code can tell which acquisitions need not wait. */
  if (out->engine == ENGINE_CALLBACKS) set(out, OPTION_locks, "all");
  if (!good) snprintf(error, error_size, "%.*s", (int)refusal.len, refusal.data);
  builder_free(&refusal);
  return good;
}

void options_print(const struct options *o, struct builder *b) {
  builder_string(b, o->prefix);
  for (int i = 0; i < NUM_OPTIONS; i++) {
    builder_char(b, ',');
    builder_string(b, option_infos[i].key);
    builder_char(b, '=');
    builder_string(b, o->text[i]);
  }
}
