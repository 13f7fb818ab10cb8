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
    case TRIGGER_METHOD:
      return value_duration(argument, &t->method_ns) && t->method_ns > 0;
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

static bool parse_word(struct triggers *t, struct span word, enum trigger *out) {
  char text[64];
  if (word.len >= sizeof text) return false;
  snprintf(text, sizeof text, "%.*s", (int)word.len, word.data);
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    size_t len = strlen(words[i]);
    if (strncmp(text, words[i], len) != 0) continue;
    bool again = t->on[i];
    t->on[i] = true;
    *out = (enum trigger)i;
    return !again && parse_argument(t, (enum trigger)i, text + len);
  }
  return false;
}

/* --- escalations ----------------------------------------------------------------------------- */

static bool is_separator(char c) { return c == ',' || c == ';'; }

/* Cuts a word of an escalation, up to a separator, and up to '+' if it is for=TIME. Returns the
   number of its bytes. */
static size_t measure_item(struct span rest) {
  bool is_last = span_starts(rest, "for=");
  size_t len = 0;
  while (len < rest.len && !is_separator(rest.data[len]) && !(is_last && rest.data[len] == '+'))
    len++;
  return len;
}

/* Cuts an escalation, with its for=TIME. Sets `*is_open` if that is missing. */
static struct span cut_escalation(struct span *rest, bool *is_open) {
  struct span all = *rest;
  *is_open = true;
  for (bool is_last = false; !is_last;) {
    size_t len = measure_item(*rest);
    is_last = span_starts(*rest, "for=");
    if (is_last) *is_open = false;
    *rest = (struct span){rest->data + len, rest->len - len};
    if (is_last || rest->len == 0) break;
    *rest = (struct span){rest->data + 1, rest->len - 1};
  }
  return (struct span){all.data, all.len - rest->len};
}

/* A trigger with its escalation; `escalation.data` is NULL without one. */
struct piece {
  struct span all, word, escalation;
  bool is_open;
};

/* Cuts the first piece, and the '+' after it. False at the end. */
static bool cut_piece(struct span *rest, struct piece *out) {
  if (rest->data == NULL) return false;
  struct span start = *rest;
  size_t len = 0;
  while (len < rest->len && rest->data[len] != '+' && rest->data[len] != ':') len++;
  *out = (struct piece){.word = {rest->data, len}};
  *rest = (struct span){rest->data + len, rest->len - len};
  if (rest->len > 0 && rest->data[0] == ':') {
    *rest = (struct span){rest->data + 1, rest->len - 1};
    out->escalation = cut_escalation(rest, &out->is_open);
  }
  out->all = (struct span){start.data, start.len - rest->len};
  bool is_last = rest->len == 0;
  if (!is_last && rest->data[0] != '+') {
    out->all = start; /* text after for=TIME */
    out->is_open = is_last = true;
  }
  *rest = is_last ? (struct span){NULL, 0} : (struct span){rest->data + 1, rest->len - 1};
  return true;
}

static bool parse_escalation(struct escalation *e, struct span text) {
  char time[32];
  size_t last = text.len;
  while (last > 0 && !is_separator(text.data[last - 1])) last--;
  struct span value = {text.data + last + strlen("for="), text.len - last - strlen("for=")};
  if (last < 2 || last > sizeof e->words || value.len >= sizeof time) return false;
  for (size_t i = 0; i + 1 < last; i++) {
    e->words[i] = text.data[i] == ';' ? ',' : text.data[i];
  }
  e->words[last - 1] = '\0';
  snprintf(time, sizeof time, "%.*s", (int)value.len, value.data);
  return value_duration(time, &e->for_ns) && e->for_ns > 0;
}

static bool parse_piece(struct triggers *t, const struct piece *piece) {
  enum trigger trigger;
  if (piece->is_open || !parse_word(t, piece->word, &trigger)) return false;
  return piece->escalation.data == NULL ||
         parse_escalation(&t->escalations[trigger], piece->escalation);
}

/* --- the option ------------------------------------------------------------------------------ */

bool triggers_parse(const char *value, struct triggers *out, struct span *wrong) {
  struct span rest = {value, strlen(value)};
  struct piece piece;
  *out = (struct triggers){0};
  if (strcmp(value, "off") == 0) return true;
  while (cut_piece(&rest, &piece)) {
    if (parse_piece(out, &piece)) continue;
    if (wrong != NULL) *wrong = piece.all;
    return false;
  }
  return true;
}

bool triggers_is_open(struct span value) {
  struct piece piece = {.is_open = false};
  while (cut_piece(&value, &piece)) continue;
  return piece.escalation.data != NULL && piece.is_open;
}

bool triggers_any(const struct triggers *t) {
  bool any = false;
  for (int i = 0; i < NUM_TRIGGERS; i++) any |= t->on[i];
  return any;
}

bool triggers_escalate(const struct triggers *t) {
  bool any = false;
  for (int i = 0; i < NUM_TRIGGERS; i++) any |= t->escalations[i].for_ns > 0;
  return any;
}
