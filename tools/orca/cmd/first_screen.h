#pragma once
/* The output of `orca run` after the program: what the JVM that worked most did, and the commands
   that show more. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/recording.h"
#include "tools/orca/run/new_dumps.h"

BEGIN_C

/* A JVM of a run: how much it worked, and how the user can name its recording. */
struct run_jvm {
  const char *path;       /* prefix of its recording; owned by the struct new_dumps */
  struct builder quoted;  /* the prefix as the user can give it to a shell, with a NUL */
  struct builder command; /* what the JVM ran, without a NUL */
  uint64_t cpu_ns;        /* of the process, or of its Java threads in recordings without it */
  ticks_t time;           /* length of the recording */
};

/* All zero is empty; free it with run_jvms_free. */
struct run_jvms {
  struct run_jvm *rows; /* the one that worked most first */
  size_t num;
  bool begins_with_deadlock; /* the first one is there because it has a deadlock */
};

/* run_jvms_read reads the recordings of a run, at least one. A recording that cannot be read counts
   as one without work. Returns false if memory ran out. */
bool run_jvms_read(struct run_jvms *out, const struct new_dumps *dumps);

/* run_jvms_put_first moves the JVM with this prefix, which has a deadlock, to the front. */
void run_jvms_put_first(struct run_jvms *jvms, const char *prefix);

void run_jvms_free(struct run_jvms *jvms);

/* first_screen_print prints at most 30 lines about a run of at least one JVM. Of the JVMs after the
   first, it prints one line each. `program` is how the user calls orca. Returns the exit status of
   the report. */
int first_screen_print(const struct run_jvms *run, const char *program);

END_C
