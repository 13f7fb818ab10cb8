#pragma once
/* Parses the options of a command. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* args_value returns the value of `option` if argv[*at] is this option: the text after its "=", or
   the next word, to which it advances `*at`. Returns NULL for another option or without a value. */
const char *args_value(const char *option, char **argv, int *at);

/* args_count parses a number of at least 1. */
bool args_count(const char *text, size_t *out);

/* args_is_help returns whether a word is "--help" or "-h". */
bool args_is_help(const char *word);

#ifdef __cplusplus
}
#endif
