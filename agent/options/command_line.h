#pragma once
/* The command line of a process, as the key `command` of .info has it. Any thread. */
#include <stdbool.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* command_line_read appends the words of the command line of this process, each with a NUL, or
   nothing if they cannot be read. */
void command_line_read(struct builder *out);

/* command_line_has_agent returns whether an option of the JVM, `-agentpath:FILE=OPTIONS` with the
   name liborca.so, gives this JVM the agent with other options than `options`. `words` is as in
   command_line_put. What comes after the main class belongs to the program. */
bool command_line_has_agent(struct span words, const char *options);

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
