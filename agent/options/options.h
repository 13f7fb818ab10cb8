#pragma once
/* The options of a recording: the rows of options.def. All functions may be called from any thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/options/triggers.h"

BEGIN_C

/* The words of each choice, in the order of options.def. */
enum sampler_mode { SAMPLER_SIGNAL, SAMPLER_SAFEPOINT };
enum engine_mode { ENGINE_WEAVE, ENGINE_CALLBACKS };
enum owners_mode { OWNERS_LATE, OWNERS_ALL };
enum locks_mode { LOCKS_WAITS, LOCKS_ALL };
enum monitors_mode { MONITORS_CONTENDED, MONITORS_ALL };
enum cpu_mode { CPU_OFF, CPU_ON };
enum overflow_mode { OVERFLOW_WAIT, OVERFLOW_DROP };
enum command_mode { COMMAND_OFF, COMMAND_MASKED, COMMAND_ON };
enum profile_mode {
#define PROFILE(id, options) PROFILE_##id,
#include "agent/options/profile.def"
};

enum option_key {
#define OPTION(key, ...) OPTION_##key,
#include "agent/options/options.def"
  NUM_OPTIONS
};

#define START_LATER UINT64_MAX /* options.start for start=later */

#define MAX_OPTION 1024 /* size of a value, with its NUL */

/* The field of an option of each type. */
#define FIELD_groups(key) uint32_t key    /* bit g is set where group g is recorded */
#define FIELD_duration(key) uint64_t key  /* nanoseconds, 0: off, or no limit */
#define FIELD_length(key) uint64_t key    /* the same */
#define FIELD_age(key) uint64_t key       /* the same */
#define FIELD_threshold(key) uint64_t key /* nanoseconds, 0: every pair is recorded */
#define FIELD_start(key) uint64_t key     /* nanoseconds; START_LATER: until orca attach */
#define FIELD_percent(key) double key     /* a fraction: 0.01 is 1 % */
#define FIELD_depth(key) int key          /* frames */
#define FIELD_size(key) uint64_t key      /* bytes, 0: off */
#define FIELD_keep(key) unsigned key      /* sets of files, 0: all */
#define FIELD_patterns(key) bool key      /* there are some; `text` has them, for patterns_parse */
#define FIELD_triggers(key) struct triggers key
#define FIELD_choice(key) enum key##_mode key

struct options {
  char prefix[4096]; /* as the user gave it; prefix_expand replaces %p and %t */
#define OPTION(key, type, ...) FIELD_##type(key);
#include "agent/options/options.def"
  char text[NUM_OPTIONS][MAX_OPTION]; /* the value of each option, also of a default */
};

/* What can change an option during a recording, and what follows: see options.def. */
enum option_changer { CHANGER_NOBODY, CHANGER_SET, CHANGER_TRIGGER };
enum option_follower { FOLLOWER_START, FOLLOWER_HOOKS, FOLLOWER_SAMPLER, FOLLOWER_WRITER };

struct option_info {
  const char *key, *fallback; /* fallback: the default */
  enum option_changer changer;
  enum option_follower follower;
  bool forgets_holders;
  const char *takes; /* completes "option KEY takes …" */
  const char *meaning;
  const char *effect; /* why recordings with different values cannot be compared; "": they can */
};

extern const struct option_info option_infos[NUM_OPTIONS];

/* options_find returns the row of an option; -1 if there is none of this name. */
int options_find(struct span key);

/* options_parse parses `text`, the part of -agentpath after `liborca.so=`; it reads the files of
   options that the text names (option_files.h). NULL and "" select all defaults. On false `error`
   contains one sentence: the option, its valid values, and the value. */
bool options_parse(const char *text, struct options *out, char *error, size_t error_size);

/* options_take takes "key=value[,key=value…]" besides the options of `o`. Patterns are added. Error
   as for options_parse. */
bool options_take(const char *words, struct options *o, char *error, size_t error_size);

/* options_print appends the prefix and all options, with a syntax that options_parse reads:
   "orca-%p,events=all,…". */
void options_print(const struct options *o, struct builder *b);

/* options_cut_word cuts the first option from "key=value,key=value". A comma inside of what a
   trigger changes for a while (trigger=cpu>90%:locks=all,for=30s) does not end the option. It
   returns false where span_cut does. */
bool options_cut_word(struct span *rest, struct span *word);

/* options_check_combination returns false, with one sentence in `refusal`, for options that exclude
   each other, or that need another one. options_parse calls it. */
bool options_check_combination(const struct options *o, struct builder *refusal);

#define PREFIX_DEFAULT "orca-%p"
#define PREFIX_DEFAULT_SIZE 128

/* prefix_default writes the prefix that PREFIX_DEFAULT stands for at the time `utc_ns`. In a test
   of Bazel it also contains the time in milliseconds and the shard and run, so that the recordings
   of all shards, runs and attempts can be put into one folder. */
void prefix_default(uint64_t utc_ns, char out[PREFIX_DEFAULT_SIZE]);

/* prefix_folder returns the folder of a relative prefix: in a test of Bazel that of its undeclared
   outputs, under `bazel run` that of the user; otherwise NULL, the working directory. It comes from
   the environment and is never freed. */
const char *prefix_folder(void);

/* prefix_vary writes the prefix that a JVM of `orca run` tries after `number` others, not expanded.
   For "shop" these are "shop", "shop-%p", "shop-%p-2" and so on; for "orca-%p", which has the pid
   already, "orca-%p", "orca-%p-2" and so on. Returns false when it does not fit into `size`. */
bool prefix_vary(const char *prefix, unsigned number, char *out, size_t size);

/* prefix_expand writes `prefix` to `out`, with %p replaced by the pid, %t by the time `utc_ns`
   (20261120T113000Z), and %% by %. A relative prefix gets `folder` and '/' before it, unless
   `folder` is NULL or empty. Returns false when the result and its NUL do not fit into `size`. */
bool prefix_expand(const char *prefix, long pid, uint64_t utc_ns, const char *folder, char *out,
                   size_t size);

END_C
