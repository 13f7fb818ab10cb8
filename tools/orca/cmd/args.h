#pragma once
/* The options of a command: parsing and help. */
#include <sys/types.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/attach/refusal.h"

BEGIN_C

/* A row whose name does not begin with "-" is about an operand: it is only in the help. */
struct args_option {
  const char *name;  /* "--top" */
  const char *value; /* what the help calls its value, "N"; NULL: the option has no value */
  const char *help;  /* lines, which args_put_help wraps; NULL: not in the help */

  /* Parses the value into the target. For an option without value, `text` is its name. Returns
     false if the text is wrong. NULL: the target is a bool that becomes true. */
  bool (*parse)(const char *text, void *target);
  size_t offset;       /* of the target in the struct that the command fills */
  const char *problem; /* of a wrong text, which follows: "--top takes a number from 1, not " */
};

struct args_options {
  const struct args_option *rows;
  size_t num;
};
#define ARGS_OPTIONS(rows) \
  { rows, sizeof(rows) / sizeof *(rows) }

/* Options, and the struct that they fill. */
struct args_table {
  const struct args_options *options;
  void *targets;
};

/* args_take parses the option argv[*at] of one of the tables, and advances `*at` to the last word
   of the option. Its value follows "=", or is the next word; that of "-o" can also follow at once.
   Returns false and sets `why` for another option or a wrong value. */
bool args_take(const struct args_table *tables, size_t num, char **argv, int *at,
               struct refusal *why);

/* args_put_help appends the options with their help texts. args_put_text appends lines, of which it
   wraps the long ones. */
void args_put_help(struct builder *b, const struct args_options *options);
void args_put_text(struct builder *b, const char *text);

/* Functions for struct args_option. The target is a size_t of at least 1, a const char *, or a bool
   that tells whether the text is "json" and not "text". */
bool args_parse_count(const char *text, void *target);
bool args_parse_text(const char *text, void *target);
bool args_parse_json(const char *text, void *target);
#define ARGS_JSON_PROBLEM "--format takes text or json, not "

/* args_pid parses the number of a process. */
bool args_pid(const char *text, pid_t *out);

/* args_is_help returns whether a word is "--help" or "-h". */
bool args_is_help(const char *word);

END_C
