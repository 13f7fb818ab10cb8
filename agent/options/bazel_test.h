#pragma once
/* The test of Bazel that a process belongs to, as the environment of the process tells. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/extern_c.h"

BEGIN_C

/* All zero: none. Numbers count from 1; 0: not known, or there is only one. */
struct bazel_test {
  char target[512]; /* "//app:cart_test"; empty: it is longer than this */
  unsigned shard, shards;
  unsigned run;
  char part[64]; /* the folder of a shard or run in bazel-testlogs: "shard_1_of_4_run_2_of_3" */
};

/* bazel_test_read reads the environment. Returns false, and sets all to zero, if this is no test of
   Bazel. Bazel does not tell which attempt at a flaky test this is. */
bool bazel_test_read(struct bazel_test *out);

END_C
