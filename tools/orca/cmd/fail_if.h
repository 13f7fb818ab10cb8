#pragma once
/* The option --fail-if deadlock of the commands that show deadlocks. */
#include "agent/base/extern_c.h"
#include "tools/orca/cmd/args.h"
#include "tools/orca/cmd/commands.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* The row of the option. `member`: a bool of the struct `type` of the command's options. */
#define FAIL_IF_ROW(type, member)                                                    \
  {                                                                                  \
    "--fail-if", "deadlock", "exit status 4 if threads of the recording deadlocked", \
        fail_if_parse, offsetof(type, member), "--fail-if takes deadlock, not "      \
  }

/* The exit statuses of a view that has the option, for its help. */
#define FAIL_IF_STATUSES \
  VIEW_STATUSES ", 4 with --fail-if: threads deadlocked, in any of the recordings."

/* For struct args_option. The target is a bool. */
bool fail_if_parse(const char *text, void *target);

/* fail_if_judge returns the exit status. `is_asked`: the option was given. */
int fail_if_judge(const struct model *m, bool is_asked);

END_C
