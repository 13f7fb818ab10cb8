#pragma once
/* Options of a command, taken off its arguments. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* args_value is the value of an option that is argv[*at]: behind its "=", or the next word, which
   `*at` then is. NULL: it is not that option, or has no value. */
const char *args_value(const char *option, char **argv, int *at);

/* args_count reads a number from 1 on. */
bool args_count(const char *text, size_t *out);

/* args_is_help: "--help" or "-h". */
bool args_is_help(const char *word);

#ifdef __cplusplus
}
#endif
