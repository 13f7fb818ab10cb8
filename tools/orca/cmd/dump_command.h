#pragma once
/* Runs a command on the dump that its arguments name. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"
#include "tools/orca/pack/unpacked.h"
#include "tools/orca/render/progress.h"

BEGIN_C

struct digest_file;

struct open_dump {
  struct unpacked unpacked;   /* if the dump is in a file */
  struct dump *dump;          /* NULL: not open */
  bool takes_digest;          /* the command reads digests too; set it before the dump is opened */
  struct digest_file *digest; /* the dump is one of a digest: fill the model by digest_fill */
  struct progress progress;
};

/* dump_command_open opens the dump `name`, or what located_find finds by that name. A terminal on
   stderr shows the progress of reading. A command that prints while it reads must remove that with
   dump_set_read_callback. `*o` must not move until dump_command_close. Returns false, and prints
   the reason to stderr, if the dump cannot be opened, or is a digest that the command does not
   take.
 */
bool dump_command_open(struct open_dump *o, const char *name);
void dump_command_close(struct open_dump *o);

/* dump_command_run opens the dump `name`, calls `run` on it and closes it. It returns the result of
   `run`, or MISUSED if the dump cannot be opened. */
int dump_command_run(const char *name, int (*run)(struct dump *d, const void *arg),
                     const void *arg);

/* dump_command_end prints the faults found so far to stderr, at most the first three kinds: "orca:
   hot: shop.orca:17: …". Returns WRONG if there are faults, otherwise `status`. If `status` is
   MISUSED, it prints and changes nothing. For the end of a command. */
int dump_command_end(const char *command, struct dump *d, int status);

END_C
