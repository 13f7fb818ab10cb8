#pragma once
/* The option `trigger`: what makes the agent keep the files of the last minutes. Any thread. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum trigger {
#define TRIGGER(id, word, name) TRIGGER_##id,
#include "agent/options/trigger.def"
  NUM_TRIGGERS
};

/* All zero is no trigger. */
struct triggers {
  bool on[NUM_TRIGGERS];
  uint64_t blocked_ns;
  double contention, cpu; /* fractions */
  int signal;             /* its number */
};

extern const char *const trigger_names[NUM_TRIGGERS]; /* for people: "blocked" */

/* triggers_parse parses "off" or words of trigger.def joined by '+'. False for anything else, and
   for a word that is given twice. */
bool triggers_parse(const char *value, struct triggers *out);

/* triggers_any returns whether some trigger is on. */
bool triggers_any(const struct triggers *t);

#ifdef __cplusplus
}
#endif
