#pragma once
/* Paths as the user can use them after a run. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* shown_path appends an absolute path, without a NUL:
   - In a test of Bazel, which may run in a sandbox that is gone afterwards: a file among the
     undeclared outputs as "bazel-testlogs/…/test.outputs/NAME", and one that Bazel built as
     "bazel-out/…". Both are relative to the workspace.
   - Otherwise relative to the working directory if it is below that.
   Relative paths stay. */
void shown_path(struct builder *b, const char *path);

/* shown_path_is_test returns whether this is a test of Bazel whose outputs Bazel keeps. */
bool shown_path_is_test(void);

END_C
