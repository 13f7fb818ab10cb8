#pragma once
/* PREFIX.info: what was recorded, when and how; at its end, why the recording ended and what was
   lost. */
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/event/info.h"
#include "agent/options/bazel_test.h"
#include "agent/record/figures.h"

BEGIN_C

/* What is known when a recording starts. The caller owns the strings. */
struct info_start {
  const char *java_version, *command, *options;
  uint64_t monotonic_ns, utc_ns; /* the same moment on both clocks */
  unsigned cpus;                 /* that the process may use; 0: not known */
  double quota;                  /* CPU quota of its control group, in CPUs; 0: none */
  const char *run;               /* the key `run`; NULL: none. It is never freed */
  struct bazel_test test;        /* that the process belongs to; all zero: none */
};

/* info_text, info_number, info_ticks and info_value write one line KEY=VALUE each. info_ticks takes
   a time of clock_monotonic_ns and writes it as all files do, in seconds. info_value frees the
   value. */
void info_text(struct builder *b, enum info_key key, const char *value);
void info_number(struct builder *b, enum info_key key, uint64_t value);
void info_ticks(struct builder *b, enum info_key key, uint64_t monotonic_ns);
void info_value(struct builder *b, enum info_key key, struct builder *value);

/* info_figures_write writes the figures of the producers, but not their missing hooks. */
void info_figures_write(struct builder *b, const struct recording_figures *f);

/* info_start_write writes the lines at the start of .info. */
void info_start_write(struct builder *b, const struct info_start *start);

END_C
