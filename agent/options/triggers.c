#include "agent/options/triggers.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "agent/base/bytes.h"
#include "agent/options/values.h"

const char *const trigger_names[NUM_TRIGGERS] = {
#define TRIGGER(id, word, name) name,
#include "agent/options/trigger.def"
};

static const char *const words[NUM_TRIGGERS] = {
#define TRIGGER(id, word, name) word,
#include "agent/options/trigger.def"
};

static bool parse_signal(const char *name, int *out) {
  bool usr1 = strcmp(name, "USR1") == 0;
  *out = usr1 ? SIGUSR1 : SIGUSR2;
  return usr1 || strcmp(name, "USR2") == 0;
}

/* `argument`: the text after the word. */
static bool parse_argument(struct triggers *t, enum trigger trigger, const char *argument) {
  switch (trigger) {
    case TRIGGER_DEADLOCK:
      return *argument == '\0';
    case TRIGGER_BLOCKED:
      return value_duration(argument, &t->blocked_ns) && t->blocked_ns > 0;
    case TRIGGER_CONTENTION:
      return value_percent(argument, &t->contention);
    case TRIGGER_CPU:
      return value_percent(argument, &t->cpu);
    case TRIGGER_SIGNAL:
      return parse_signal(argument, &t->signal);
    case NUM_TRIGGERS:
      break;
  }
  return false;
}

static bool parse_word(struct triggers *t, struct span word) {
  char text[64];
  if (word.len >= sizeof text) return false;
  snprintf(text, sizeof text, "%.*s", (int)word.len, word.data);
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    size_t len = strlen(words[i]);
    if (strncmp(text, words[i], len) != 0) continue;
    bool again = t->on[i];
    t->on[i] = true;
    return !again && parse_argument(t, (enum trigger)i, text + len);
  }
  return false;
}

bool triggers_parse(const char *value, struct triggers *out) {
  struct span rest = {value, strlen(value)}, word;
  *out = (struct triggers){0};
  if (strcmp(value, "off") == 0) return true;
  while (span_cut(&rest, '+', &word)) {
    if (!parse_word(out, word)) return false;
  }
  return triggers_any(out);
}

bool triggers_any(const struct triggers *t) {
  bool any = false;
  for (int i = 0; i < NUM_TRIGGERS; i++) any |= t->on[i];
  return any;
}
