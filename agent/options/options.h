#pragma once
/* The agent's options: the rows of options.def, parsed once at the start and constant after. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum walk_mode { WALK_JVMTI, WALK_ASYNC };
enum engine_mode { ENGINE_WEAVE, ENGINE_CALLBACKS };
enum sampler_mode { SAMPLER_SIGNAL, SAMPLER_SAFEPOINT };
enum owners_mode { OWNERS_LATE, OWNERS_ALL, OWNERS_OFF };
enum locks_mode { LOCKS_WAITS, LOCKS_ALL };
enum monitors_mode { MONITORS_CONTENDED, MONITORS_ALL };
enum cpu_mode { CPU_OFF, CPU_ON };
enum overflow_mode { OVERFLOW_WAIT, OVERFLOW_DROP };

enum option_key {
#define OPTION(key, type, fallback, takes, meaning) OPTION_##key,
#include "agent/options/options.def"
  NUM_OPTIONS
};

#define START_LATER UINT64_MAX

#define MAX_OPTION 1024 /* bytes of a value */

struct options {
  char prefix[4096]; /* as given: %p and %t not yet replaced; see prefix.h */
  uint32_t events;   /* bit g is set where group g is recorded */
  uint64_t interval; /* nanoseconds, 0: off */
  enum sampler_mode sampler;
  double budget; /* 0.01 is 1 % */
  int depth;     /* frames */
  enum walk_mode walk;
  enum engine_mode engine;
  enum owners_mode owners;
  enum locks_mode locks;
  enum monitors_mode monitors;
  bool filter, track; /* is there one? Its text says which: see patterns.h */
  enum cpu_mode cpu;
  uint64_t threshold; /* nanoseconds, 0: every pair is recorded */
  enum overflow_mode overflow;
  uint64_t start;   /* nanoseconds after the start of the JVM; START_LATER: by command */
  uint64_t maxsize; /* bytes, 0: off */
  unsigned keep;    /* sets, 0: all */
  char text[NUM_OPTIONS][MAX_OPTION]; /* the value in force of each, as a person would write it */
};

struct option_info {
  const char *key, *fallback, *takes, *meaning;
};

extern const struct option_info option_infos[NUM_OPTIONS];

/* options_parse reads what stands behind `liborca.so=`; NULL and "" are all defaults. On false one
   sentence in `error` names the option, what it takes and what it got. */
bool options_parse(const char *given, struct options *out, char *error, size_t error_size);

/* options_print appends all options in force, spelled as they are given: "orca-%p,events=all,…". */
void options_print(const struct options *o, struct builder *b);

#define PREFIX_DEFAULT "orca-%p"

/* prefix_expand replaces %p by the pid, %t by the start time (UTC, 20261120T113000Z) and %% by %.
   A relative prefix lies in `folder` unless that is NULL or empty. False when `size` is too small.
 */
bool prefix_expand(const char *prefix, long pid, uint64_t utc_ns, const char *folder, char *out,
                   size_t size);

#ifdef __cplusplus
}
#endif
