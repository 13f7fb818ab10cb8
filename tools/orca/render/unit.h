#pragma once
/* Numbers as a person reads them. Each appends to a builder. */
#include "agent/base/bytes.h"
#include "agent/base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A duration in nanoseconds, three digits of it: "950 µs", "12.3 ms", "1.25 s", "3 min 05 s",
   "2 h 03 min", "4 d 07 h"; "0 s". */
void unit_time(struct builder *b, uint64_t ns);

/* The same of a duration in the files' ticks. */
void unit_ticks(struct builder *b, ticks_t ticks);

/* "1,204". */
void unit_count(struct builder *b, uint64_t n);

/* A share: "62 %", "4.1 %", "0 %"; "<0.1 %" where it is more than nothing,
   ">99 %" where it is less than all. Whole 0: "-". */
void unit_share(struct builder *b, uint64_t part, uint64_t whole);

/* A count and what is counted: "1 thread", "1,204 threads". */
void unit_many(struct builder *b, uint64_t n, const char *one, const char *many);

#ifdef __cplusplus
}
#endif
