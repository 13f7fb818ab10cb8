#pragma once
/* The options of a command: parsing and help. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

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

enum args_result {
  ARGS_UNKNOWN, /* another option, or its value is missing */
  ARGS_TAKEN,
  ARGS_WRONG, /* the value is wrong */
};

/* args_take parses the option argv[*at] into the struct `targets` and advances `*at` to the last
   word of the option. For ARGS_WRONG, the message is `*problem` followed by `*subject`. */
enum args_result args_take(const struct args_options *options, void *targets, char **argv, int *at,
                           const char **problem, const char **subject);

/* args_put_help appends the options with their help texts. args_put_text appends lines, of which it
   wraps the long ones. */
void args_put_help(struct builder *b, const struct args_options *options);
void args_put_text(struct builder *b, const char *text);

/* args_print_help prints the help of a command: the lines of `usage`, the options, the lines of
   `end`. Without memory it prints nothing. */
void args_print_help(const char *usage, const struct args_options *options, const char *end);

/* args_value returns the value of `option` if argv[*at] is this option: the text after its "=", or
   the next word, to which it advances `*at`. Returns NULL for another option or without a value. */
const char *args_value(const char *option, char **argv, int *at);

/* args_count parses a number of at least 1. */
bool args_count(const char *text, size_t *out);

/* Functions for struct args_option. The target is a size_t of at least 1, or a const char *. */
bool args_parse_count(const char *text, void *target);
bool args_parse_text(const char *text, void *target);

/* args_is_help returns whether a word is "--help" or "-h". */
bool args_is_help(const char *word);

END_C
