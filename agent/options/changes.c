#include "agent/options/changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/event/event.h"

_Static_assert(NUM_OPTIONS <= 64, "options_compare has a bit for each");

uint64_t options_compare(const struct options *a, const struct options *b) {
  uint64_t keys = 0;
  for (int key = 0; key < NUM_OPTIONS; key++) {
    if (strcmp(a->text[key], b->text[key]) != 0) keys |= UINT64_C(1) << key;
  }
  return keys;
}

uint64_t options_followed_by(enum option_follower follower) {
  uint64_t keys = 0;
  for (int key = 0; key < NUM_OPTIONS; key++) {
    if (option_infos[key].follower == follower) keys |= UINT64_C(1) << key;
  }
  return keys;
}

void options_copy_changing(struct options *to, const struct options *from) {
#define OPTION(key, type, fallback, changer, ...)         \
  if (CHANGER_##changer != CHANGER_NOBODY) {              \
    __typeof__(to->key) value = from->key;                \
    if (sizeof value > sizeof(uint64_t)) {                \
      to->key = value; /* no other thread reads it */     \
    } else {                                              \
      __atomic_store(&to->key, &value, __ATOMIC_RELAXED); \
    }                                                     \
  }
#include "agent/options/options.def"
  memcpy(to->text, from->text, sizeof to->text);
}

/* --- refusals -------------------------------------------------------------------------------- */

static void put_changes(struct builder *b, enum option_changer by) {
  for (int key = 0; key < NUM_OPTIONS; key++) {
    if (option_infos[key].changer < by) continue;
    builder_char(b, ' ');
    builder_string(b, option_infos[key].key);
  }
}

static void refuse_word(struct span word, enum option_changer by, struct builder *b) {
  builder_string(b, "there is no option \"");
  builder_bytes(b, word.data, word.len);
  builder_string(
      b, by == CHANGER_TRIGGER ? "\"; a trigger can change" : "\"; a running recording can change");
  put_changes(b, by);
  builder_string(b, ", each as key=value");
}

static void refuse_fixed(struct span key, enum option_changer by, struct builder *b) {
  builder_bytes(b, key.data, key.len);
  if (by == CHANGER_TRIGGER) {
    builder_string(b, " can't be changed by a trigger; it can change");
    put_changes(b, by);
  } else {
    builder_string(b, " can't change while recording; orca stop, then orca attach with it");
  }
}

/* Returns false if a word is no option that can be changed so. Clears the texts of the others, to
   which patterns would be added. */
static bool check_words(const char *words, enum option_changer by, struct options *out,
                        struct builder *refusal) {
  struct span rest = {words, strlen(words)}, word;
  while (options_cut_word(&rest, &word)) {
    struct span value = word, key;
    span_cut(&value, '=', &key);
    int row = value.data == NULL ? -1 : options_find(key);
    if (row >= 0 && option_infos[row].changer >= by) {
      out->text[row][0] = '\0';
      continue;
    }
    if (row < 0) refuse_word(word, by, refusal);
    if (row >= 0) refuse_fixed(key, by, refusal);
    return false;
  }
  return true;
}

/* --- the new options ------------------------------------------------------------------------- */

/* Refuses what a start could choose, but a running recording cannot reach. */
static bool is_reachable(const struct options *now, const struct options *next,
                         struct builder *refusal) {
  uint64_t hooked = options_compare(now, next) & options_followed_by(FOLLOWER_HOOKS);
  const char *what = NULL;
  if ((now->interval == 0) != (next->interval == 0)) {
    what = "interval can't change from or to 0";
  } else if (((now->events ^ next->events) >> GROUP_THREAD & 1) != 0) {
    what = "the group thread of events can't change";
  } else if (now->engine == ENGINE_CALLBACKS && hooked != 0) {
    builder_string(refusal, option_infos[__builtin_ctzll(hooked)].key);
    what = " can't change with engine=callbacks";
  }
  if (what == NULL) return true;
  builder_string(refusal, what);
  builder_string(refusal, " while recording; orca stop, then orca attach with it");
  return false;
}

/* The triggers stay as they are while one of them changes other options, whose values are checked
   without them first. */
static bool change(const struct options *now, const char *words, enum option_changer by,
                   struct options *out, char *error, size_t error_size) {
  struct builder refusal = {0};
  snprintf(error, error_size, "out of memory for the options");
  *out = *now;
  if (by == CHANGER_TRIGGER) out->trigger = (struct triggers){0};
  bool good = check_words(words, by, out, &refusal) && options_take(words, out, error, error_size);
  if (by == CHANGER_TRIGGER) out->trigger = now->trigger;
  good = good && (by != CHANGER_TRIGGER || options_check_combination(out, &refusal)) &&
         is_reachable(now, out, &refusal);
  if (refusal.len > 0) snprintf(error, error_size, "%.*s", (int)refusal.len, refusal.data);
  builder_free(&refusal);
  return good;
}

bool options_change(const struct options *now, const char *words, struct options *out, char *error,
                    size_t error_size) {
  return change(now, words, CHANGER_SET, out, error, error_size);
}

/* --- triggers -------------------------------------------------------------------------------- */

bool options_escalate(const struct options *now, enum trigger trigger, struct options *out,
                      char *error, size_t error_size) {
  return change(now, now->trigger.escalations[trigger].words, CHANGER_TRIGGER, out, error,
                error_size);
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
