#include "agent/options/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/event/event.h"

static const struct change {
  enum option_key key;
  bool for_a_while;
} changes[] = {
#define CHANGE(key, for_a_while) {OPTION_##key, for_a_while},
#include "agent/options/change.def"
};
#define NUM_CHANGES (sizeof changes / sizeof *changes)

static const struct change *find_change(struct span key) {
  for (size_t i = 0; i < NUM_CHANGES; i++) {
    if (span_is(key, option_infos[changes[i].key].key)) return &changes[i];
  }
  return NULL;
}

/* --- refusals -------------------------------------------------------------------------------- */

static bool is_option(struct span key) {
  for (int i = 0; i < NUM_OPTIONS; i++) {
    if (span_is(key, option_infos[i].key)) return true;
  }
  return false;
}

static void put_changes(struct builder *b, bool for_a_while) {
  for (size_t i = 0; i < NUM_CHANGES; i++) {
    if (for_a_while && !changes[i].for_a_while) continue;
    builder_char(b, ' ');
    builder_string(b, option_infos[changes[i].key].key);
  }
}

static void refuse_word(struct span word, bool for_a_while, struct builder *b) {
  builder_string(b, "there is no option \"");
  builder_bytes(b, word.data, word.len);
  builder_string(b,
                 for_a_while ? "\"; a trigger can change" : "\"; a running recording can change");
  put_changes(b, for_a_while);
  builder_string(b, ", each as key=value");
}

static void refuse_fixed(struct span key, bool for_a_while, struct builder *b) {
  builder_bytes(b, key.data, key.len);
  if (for_a_while) {
    builder_string(b, " can't be changed by a trigger; it can change");
    put_changes(b, true);
  } else {
    builder_string(b, " can't change while recording; orca stop, then orca attach with it");
  }
}

/* Returns false if a word is none of change.def. */
static bool check_words(const char *words, bool for_a_while, struct builder *refusal) {
  struct span rest = {words, strlen(words)}, word;
  while (options_cut_word(&rest, &word)) {
    struct span value = word, key;
    span_cut(&value, '=', &key);
    const struct change *change = find_change(key);
    if (value.data == NULL || !is_option(key)) {
      refuse_word(word, for_a_while, refusal);
      return false;
    }
    if (change == NULL || (for_a_while && !change->for_a_while)) {
      refuse_fixed(key, for_a_while, refusal);
      return false;
    }
  }
  return true;
}

/* --- the new options ------------------------------------------------------------------------- */

static bool has_word(const char *words, const char *key) {
  struct span rest = {words, strlen(words)}, word;
  while (options_cut_word(&rest, &word)) {
    struct span value = word, name;
    if (span_cut(&value, '=', &name) && span_is(name, key)) return true;
  }
  return false;
}

/* Appends all options that the words do not change, then the words, and a NUL. */
static void put_text(const struct options *now, const char *words, bool for_a_while,
                     struct builder *b) {
  builder_string(b, now->prefix);
  for (int key = 0; key < NUM_OPTIONS; key++) {
    const char *name = option_infos[key].key;
    if (has_word(words, name) || (for_a_while && key == OPTION_trigger)) continue;
    builder_format(b, ",%s=%s", name, now->text[key]);
  }
  builder_format(b, ",%s%c", words, '\0');
}

/* What a start could choose, but a running recording cannot reach. Returns NULL: nothing. */
static const char *find_obstacle(const struct options *now, const struct options *next) {
  static const enum option_key hooked[] = {OPTION_events, OPTION_locks, OPTION_monitors,
                                           OPTION_filter, OPTION_track};
  uint32_t changed = now->events ^ next->events;
  if ((now->interval == 0) != (next->interval == 0)) {
    return "interval can't change from or to 0 while recording; orca stop, then orca attach with "
           "it";
  }
  if ((changed >> GROUP_THREAD & 1) != 0) {
    return "the group thread of events can't change while recording; orca stop, then orca attach "
           "with it";
  }
  for (size_t i = 0; now->engine == ENGINE_CALLBACKS && i < sizeof hooked / sizeof *hooked; i++) {
    if (options_differ(now, next, hooked[i])) {
      return "with engine=callbacks events, locks, monitors, filter and track can't change while "
             "recording; orca stop, then orca attach";
    }
  }
  return NULL;
}

/* The triggers stay as they are, while one of them changes other options. */
static bool keep_triggers(const struct options *now, struct options *out, char *error,
                          size_t error_size) {
  struct builder refusal = {0};
  out->trigger = now->trigger;
  strcpy(out->text[OPTION_trigger], now->text[OPTION_trigger]);
  bool good = options_check_combination(out, &refusal);
  if (!good) snprintf(error, error_size, "%.*s", (int)refusal.len, refusal.data);
  builder_free(&refusal);
  return good;
}

static bool change(const struct options *now, const char *words, bool for_a_while,
                   struct options *out, char *error, size_t error_size) {
  struct builder text = {0}, refusal = {0};
  bool good = check_words(words, for_a_while, &refusal);
  if (!good) snprintf(error, error_size, "%.*s", (int)refusal.len, refusal.data);
  if (good) put_text(now, words, for_a_while, &text);
  if (good && text.failed) {
    snprintf(error, error_size, "out of memory for the options");
    good = false;
  }
  good = good && options_parse(text.data, out, error, error_size);
  if (good && for_a_while) good = keep_triggers(now, out, error, error_size);
  const char *obstacle = good ? find_obstacle(now, out) : NULL;
  if (obstacle != NULL) snprintf(error, error_size, "%s", obstacle);
  builder_free(&text);
  builder_free(&refusal);
  return good && obstacle == NULL;
}

bool options_change(const struct options *now, const char *words, struct options *out, char *error,
                    size_t error_size) {
  return change(now, words, false, out, error, error_size);
}

/* --- triggers -------------------------------------------------------------------------------- */

bool options_escalate(const struct options *now, enum trigger trigger, struct options *out,
                      char *error, size_t error_size) {
  return change(now, now->trigger.escalations[trigger].words, true, out, error, error_size);
}

bool options_check_escalations(const struct options *o, char *error, size_t error_size) {
  char why[1000] = "out of memory";
  if (!triggers_escalate(&o->trigger)) return true;
  struct options *ignored = memory_new(sizeof *ignored); /* too large for a small stack */
  int at = 0;
  bool good = ignored != NULL;
  for (; good && at < NUM_TRIGGERS; at++) {
    if (o->trigger.escalations[at].for_ns == 0) continue;
    good = options_escalate(o, (enum trigger)at, ignored, why, sizeof why);
    if (!good) break;
  }
  if (!good) snprintf(error, error_size, "trigger %s: %s", trigger_names[at], why);
  free(ignored);
  return good;
}

bool options_differ(const struct options *a, const struct options *b, enum option_key key) {
  return strcmp(a->text[key], b->text[key]) != 0;
}
