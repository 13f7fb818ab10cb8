#pragma once
/* PREFIX.info: what was recorded, when and how, and at the end what became of it. */
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known at the start. The strings are the caller's. */
struct info_start {
  const char *java_version, *command, *options;
  uint64_t monotonic_ns, utc_ns; /* the same moment by both clocks */
  unsigned cpus;                 /* that the process may use; 0: not known */
  double quota;                  /* of CPUs, by its control group; 0: none */
};

/* One key and its value; the number and the time decimal, as the files spell them. */
void info_text(struct builder *b, const char *key, const char *value);
void info_number(struct builder *b, const char *key, uint64_t value);
void info_ticks(struct builder *b, const char *key, uint64_t monotonic_ns);

void info_start_write(struct builder *b, const struct info_start *start);

#ifdef __cplusplus
}
#endif
