#include "agent/options/options.h"

#include <stdio.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/event/event.h"
#include "agent/options/changes.h"
#include "agent/options/option_files.h"
#include "agent/options/patterns.h"
#include "agent/options/values.h"

enum { HOLDERS_KEEP, HOLDERS_FORGET };

const struct option_info option_infos[NUM_OPTIONS] = {
#define OPTION(key, type, fallback, changer, follower, holders, ...) \
  {#key, fallback, CHANGER_##changer, FOLLOWER_##follower, HOLDERS_##holders, __VA_ARGS__},
#include "agent/options/options.def"
};

int options_find(struct span key) {
  for (int i = 0; i < NUM_OPTIONS; i++) {
    if (span_is(key, option_infos[i].key)) return i;
  }
  return -1;
}

/* --- types: each function parses a value into its field; false for an invalid value -- */

static bool parse_duration(const char *value, uint64_t *out) { return value_duration(value, out); }

static bool parse_percent(const char *value, double *out) { return value_percent(value, out); }

/* The writer keeps lines in memory for the time of the threshold, and a JVM that is killed loses
   them; hence the limit. */
static bool parse_threshold(const char *value, uint64_t *out) {
  return parse_duration(value, out) && *out <= 10 * NS_PER_S;
}

static bool parse_start(const char *value, uint64_t *out) {
  bool now = strcmp(value, "now") == 0, later = strcmp(value, "later") == 0;
  *out = later ? START_LATER : 0;
  return now || later || parse_duration(value, out);
}

/* 0 is refused: it could mean off, or an empty recording. */
static bool parse_length(const char *value, uint64_t *out) {
  *out = 0;
  return strcmp(value, "off") == 0 || (parse_duration(value, out) && *out > 0);
}

static bool parse_depth(const char *value, int *out) {
  double number;
  const char *unit;
  if (strchr(value, '.') != NULL || !value_number(value, &number, &unit)) return false;
  *out = (int)(number <= 2048 ? number : 0);
  return *unit == '\0' && *out >= 1;
}

static bool parse_size(const char *value, uint64_t *out) {
  *out = 0;
  return strcmp(value, "off") == 0 || value_size(value, out);
}

static bool parse_triggers(const char *value, struct triggers *out) {
  return triggers_parse(value, out, NULL);
}

static bool parse_keep(const char *value, unsigned *out) {
  double number;
  const char *unit;
  *out = 0;
  if (strcmp(value, "off") == 0) return true;
  if (strchr(value, '.') != NULL || !value_number(value, &number, &unit)) return false;
  if (*unit != '\0' || number < 2 || number > 1e9) return false;
  *out = (unsigned)number;
  return true;
}

static bool parse_age(const char *value, uint64_t *out) {
  *out = 0;
  return strcmp(value, "off") == 0 || (parse_duration(value, out) && *out >= NS_PER_S);
}

/* Evaluates from left to right: + adds groups and - removes them. */
static bool parse_groups(const char *value, uint32_t *out) {
  return groups_parse((struct span){value, strlen(value)}, out);
}

static bool parse_patterns(const char *value, bool *out) {
  struct patterns patterns;
  *out = *value != '\0';
  return !*out || patterns_parse(value, &patterns);
}

/* Looks for the value among the words of an option, such as "off, masked or on". */
static bool choose(enum option_key row, const char *value, unsigned *out) {
  struct span rest = {option_infos[row].takes, strlen(option_infos[row].takes)}, word;
  for (*out = 0; span_cut(&rest, ' ', &word);) {
    if (span_is(word, "or")) continue;
    if (word.len > 0 && word.data[word.len - 1] == ',') word.len--;
    if (span_is(word, value)) return true;
    ++*out;
  }
  return false;
}

static const char *const profiles[] = {
#define PROFILE(id, options) options,
#include "agent/options/profile.def"
};

/* --- the rows of options.def ---------------------------------------------------------- */

static bool set_option(struct options *o, enum option_key row, const char *value) {
  if (strlen(value) >= sizeof o->text[row]) return false;
  strcpy(o->text[row], value);
  switch (row) {
#define parse_choice(value, out) choose(row, value, (unsigned *)(out)) /* an enum */
#define OPTION(key, type, ...) \
  case OPTION_##key:           \
    return parse_##type(value, &o->key);
#include "agent/options/options.def"
    case NUM_OPTIONS:
      break;
  }
  return false;
}

/* Of several triggers, only the wrong one is named. */
static struct span find_wrong(enum option_key key, const char *value) {
  struct span all = {value, strlen(value)}, wrong = all;
  struct triggers ignored;
  if (key == OPTION_trigger) triggers_parse(value, &ignored, &wrong);
  return wrong.len == 0 || span_is(wrong, "off") ? all : wrong;
}

static void refuse_value(enum option_key key, const char *value, struct builder *b) {
  struct span wrong = find_wrong(key, value);
  builder_string(b, "option ");
  builder_string(b, option_infos[key].key);
  builder_string(b, " takes ");
  builder_string(b, option_infos[key].takes);
  if (key == OPTION_events) {
    builder_string(b, " of");
    for (int g = 0; g < NUM_GROUPS; g++) {
      builder_char(b, ' ');
      builder_string(b, group_infos[g].name);
    }
  }
  builder_string(b, ", not \"");
  builder_bytes(b, wrong.data, wrong.len);
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
  builder_string(b, ", each as key=value after PREFIX and a comma");
}

bool options_cut_word(struct span *rest, struct span *word) {
  static const char key[] = "trigger=";
  if (!span_cut(rest, ',', word)) return false;
  while (span_starts(*word, key) && rest->data != NULL &&
         triggers_is_open((struct span){word->data + strlen(key), word->len - strlen(key)})) {
    struct span more;
    span_cut(rest, ',', &more);
    word->len = (size_t)(more.data - word->data) + more.len;
  }
  return true;
}

/* The commas of an escalation become semicolons, so that a comma always ends an option. */
static void hide_commas(char *value) {
  for (char *c = value; *c != '\0'; c++) {
    if (*c == ',') *c = ';';
  }
}

static bool take_option(struct span word, struct options *o, struct builder *refusal) {
  struct span value = word, key;
  span_cut(&value, '=', &key);
  int row = options_find(key);
  if (row < 0 || value.data == NULL) {
    refuse_key(word, refusal);
    return false;
  }
  char text[MAX_OPTION + 1];
  bool is_repeatable = row == OPTION_track || row == OPTION_filter;
  const char *earlier = is_repeatable ? o->text[row] : "";
  snprintf(text, sizeof text, "%s%s%.*s", earlier, *earlier == '\0' ? "" : "+", (int)value.len,
           value.data);
  if (row == OPTION_trigger) hide_commas(text);
  if (set_option(o, (enum option_key)row, text)) return true;
  refuse_value((enum option_key)row, text, refusal);
  return false;
}

/* Is the first word the prefix? Not if it looks like key=value: users of other agents write
   file=/tmp/x, which would be a strange name of a file. A file of such a name is ./key=value. */
static bool is_prefix(struct span word) {
  size_t letters = 0;
  while (letters < word.len && word.data[letters] >= 'a' && word.data[letters] <= 'z') letters++;
  return letters == 0 || letters == word.len || word.data[letters] != '=';
}

static bool take_prefix(struct span word, struct options *o, struct builder *refusal) {
  if (word.len >= sizeof o->prefix) {
    builder_string(refusal, "the prefix is too long for a file name (at most 4095 bytes)");
    return false;
  }
  if (word.len > 0 && word.data[word.len - 1] == '/') {
    builder_string(refusal, "the prefix ends with /; it is a folder and the start of a file name");
    return false;
  }
  memcpy(o->prefix, word.data, word.len);
  o->prefix[word.len] = '\0';
  return true;
}

static bool take_words(const char *text, struct options *o, struct builder *refusal) {
  struct span rest = {text, strlen(text)}, word;
  for (bool first = true; options_cut_word(&rest, &word); first = false) {
    if (word.len == 0) continue;
    bool prefix = first && is_prefix(word);
    if (!(prefix ? take_prefix(word, o, refusal) : take_option(word, o, refusal))) return false;
  }
  return true;
}

/* Does any option but `start` and `engine` differ from its default? With start=later the recording
   takes its options from `orca attach`. Only the engine is chosen earlier, because the JVM grants
   some capabilities only at its start. */
static bool has_other_options(const struct options *o) {
  bool found = false;
  for (int i = 0; i < NUM_OPTIONS; i++) {
    if (i == OPTION_start || i == OPTION_engine) continue;
    found |= strcmp(o->text[i], option_infos[i].fallback) != 0;
  }
  return found;
}

static bool needs_blocked_threads(const struct triggers *t) {
  return t->on[TRIGGER_DEADLOCK] || t->on[TRIGGER_BLOCKED] || t->on[TRIGGER_CONTENTION];
}

static bool records_blocked_threads(const struct options *o) {
  return (o->events >> GROUP_MONITOR & 1) != 0 && (o->events >> GROUP_LOCK & 1) != 0;
}

static bool records_calls(const struct options *o) {
  return o->track && (o->events >> GROUP_METHOD & 1) != 0;
}

bool options_check_combination(const struct options *o, struct builder *refusal) {
  bool all = o->monitors == MONITORS_ALL;
  const char *why = NULL;
  if (o->threshold > 0 && o->locks == LOCKS_ALL && o->engine == ENGINE_WEAVE) {
    why = "locks=all records each acquisition, so it needs threshold=0 (a profile may set another)";
  } else if (o->start == START_LATER && has_other_options(o)) {
    why = "with start=later only engine can be given; orca attach takes the other options";
  } else if (all && !o->filter) {
    why = "option monitors=all needs the option filter, classes such as filter=com.acme.*";
  } else if (o->engine == ENGINE_CALLBACKS && (all || o->track)) {
    why = "options track and monitors=all need engine=weave, not engine=callbacks";
  } else if (o->keep != 0 && o->maxsize == 0 && o->age == 0) {
    why =
        "option keep (a profile sets it, too) needs the option maxsize, the size of a set such as "
        "maxsize=100MB, or the "
        "option age, such as age=10m";
  } else if (needs_blocked_threads(&o->trigger) && !records_blocked_threads(o)) {
    why =
        "the triggers deadlock, blocked and contention need the groups monitor and lock of events";
  } else if (o->trigger.on[TRIGGER_METHOD] && !records_calls(o)) {
    why =
        "the trigger method needs the option track, methods such as track=com.acme.Cart.add*, and "
        "the group method of events";
  }
  if (why != NULL) builder_string(refusal, why);
  return why == NULL;
}

static void set_defaults(struct options *o) {
  for (int i = 0; i < NUM_OPTIONS; i++) {
    set_option(o, (enum option_key)i, option_infos[i].fallback);
  }
}

/* Which profile is wanted is known only after all words, so they are taken a second time. */
static bool take_all(const char *text, struct options *o, struct builder *refusal) {
  set_defaults(o);
  if (!take_words(text, o, refusal)) return false;
  const char *options = profiles[o->profile];
  if (*options == '\0') return true;
  set_defaults(o);
  return take_words(options, o, refusal) && take_words(text, o, refusal);
}

/* `good`: all words have been taken. Frees the refusal. */
static bool conclude(bool good, struct options *o, struct builder *refusal, char *error,
                     size_t error_size) {
  good = good && options_check_combination(o, refusal);
  if (!good) snprintf(error, error_size, "%.*s", (int)refusal->len, refusal->data);
  builder_free(refusal);
  /* Only woven code can distinguish contended from uncontended acquisitions. */
  if (o->engine == ENGINE_CALLBACKS) set_option(o, OPTION_locks, "all");
  return good && options_check_escalations(o, error, error_size);
}

bool options_take(const char *words, struct options *o, char *error, size_t error_size) {
  struct builder refusal = {0};
  bool good = take_words(words, o, &refusal);
  return conclude(good, o, &refusal, error, error_size);
}

bool options_parse(const char *text, struct options *out, char *error, size_t error_size) {
  struct builder expanded = {0}, refusal = {0};
  *out = (struct options){.prefix = PREFIX_DEFAULT};
  bool good = option_files_expand(text == NULL ? "" : text, &expanded, error, error_size);
  if (good) {
    good = take_all(expanded.data, out, &refusal);
    good = conclude(good, out, &refusal, error, error_size);
  }
  builder_free(&expanded);
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
