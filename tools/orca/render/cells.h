#pragma once
/* The usual cells of a table, each put and ended in one call. */
#include "agent/base/text.h"
#include "tools/orca/render/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A count: "1,204", 1204. */
void cell_count(struct table *t, uint64_t n);

/* A duration, in nanoseconds for a program, whether it is given so or in the files' ticks. */
void cell_ns(struct table *t, uint64_t ns);
void cell_ticks(struct table *t, ticks_t ticks);

/* A share, for a person; a program has the two numbers it is made of. */
void cell_share(struct table *t, uint64_t part, uint64_t whole);

/* "0A1B2C3D". */
void cell_hash(struct table *t, uint32_t hash);

void cell_text(struct table *t, const char *text);

/* Text, which may be empty. */
void cell_span(struct table *t, struct span text);

/* A number for a program alone. */
void cell_raw(struct table *t, uint64_t n);

/* What is not known: "-". cell_empty: what does not apply, nothing at all. */
void cell_unknown(struct table *t);
void cell_empty(struct table *t);

#ifdef __cplusplus
}
#endif
