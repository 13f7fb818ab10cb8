#pragma once
/* The option `trigger`: what makes the agent keep the files of the last minutes. Any thread. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

enum trigger {
#define TRIGGER(id, word, name) TRIGGER_##id,
#include "agent/options/trigger.def"
  NUM_TRIGGERS
};

#define ESCALATION_MAX 256 /* size of its words, with the NUL */

/* What a trigger changes for a while: "cpu>90%:locks=all,for=30s". */
struct escalation {
  uint64_t for_ns;            /* 0: it changes nothing */
  char words[ESCALATION_MAX]; /* "locks=all,threshold=0"; not checked (changes.h) */
};

/* All zero is no trigger. */
struct triggers {
  bool on[NUM_TRIGGERS];
  uint64_t blocked_ns, method_ns;
  double contention, cpu; /* fractions */
  int signal;             /* its number */
  struct escalation escalations[NUM_TRIGGERS];
};

extern const char *const trigger_names[NUM_TRIGGERS]; /* for people: "blocked" */

/* triggers_parse parses "off" or words of trigger.def joined by '+', each alone or with an
   escalation: ':', options joined by ',' or ';', and for=TIME at the end. False for anything else,
   and for a word that is given twice; `*wrong` then becomes the first word that is wrong, unless it
   is NULL. */
bool triggers_parse(const char *value, struct triggers *out, struct span *wrong);

/* triggers_is_open returns whether the value ends inside of an escalation: its for=TIME is missing.
 */
bool triggers_is_open(struct span value);

/* triggers_any returns whether some trigger is on. */
bool triggers_any(const struct triggers *t);

/* triggers_escalate returns whether some trigger has an escalation. */
bool triggers_escalate(const struct triggers *t);

END_C
