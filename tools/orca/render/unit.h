#pragma once
/* Numbers in the spelling of the text output. Each function appends to a builder. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/base/text.h"

BEGIN_C

/* A duration in nanoseconds, with three digits below one minute: "950 µs", "12.3 ms", "1.25 s",
   "3 min 05 s", "2 h 03 min", "4 d 07 h". 0 is "0 s". */
void unit_time(struct builder *b, uint64_t ns);

/* A duration in ticks, in the same format. */
void unit_ticks(struct builder *b, ticks_t ticks);

/* "1,204". */
void unit_count(struct builder *b, uint64_t n);

/* A share: "62 %", "4.1 %", "0 %". Shares above 0 but below 0.05 % are "<0.1 %". Shares below 100 %
   that would round to it are ">99 %". If `whole` is 0: "-". */
void unit_share(struct builder *b, uint64_t part, uint64_t whole);

/* The same as a C string, for builder_format: UNIT_TIME(ns) is the text of unit_time. It is valid
   until the end of the full expression. */
struct unit_text {
  char text[32];
};
struct unit_text unit_time_text(uint64_t ns);
struct unit_text unit_ticks_text(ticks_t ticks);
struct unit_text unit_count_text(uint64_t n);
struct unit_text unit_share_text(uint64_t part, uint64_t whole);
#define UNIT_TIME(ns) (unit_time_text(ns).text)
#define UNIT_TICKS(ticks) (unit_ticks_text(ticks).text)
#define UNIT_COUNT(n) (unit_count_text(n).text)
#define UNIT_SHARE(part, whole) (unit_share_text(part, whole).text)

/* A count with its noun, singular or plural: "1 thread", "1,204 threads". */
void unit_many(struct builder *b, uint64_t n, const char *one, const char *many);

END_C
