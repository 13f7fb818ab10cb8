#pragma once
/* The command line of a process, as the key `command` of .info has it. Any thread. */
#include <stdbool.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* command_line_put appends the words of a command line, separated by spaces. `words` is the content
   of /proc/PID/cmdline: a NUL ends each word. With `is_masked`, `***` replaces what is probably a
   secret:
   - the rest of a word after NAME= and the like, if NAME contains a word of secret_words, such as
     -Ddb.password=… or --token=…,
   - the word after an option --NAME,
   - the password in user:password@host.
   In doubt it replaces more. It can't know a secret of another form, such as -p VALUE. */
void command_line_put(struct builder *b, struct span words, bool is_masked);

END_C
