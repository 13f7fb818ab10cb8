#pragma once
/* The usual cells of a table. Each function writes the text of the next cell and ends the cell. */
#include "agent/base/text.h"
#include "tools/orca/render/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A count. Text "1,204", value 1204. */
void cell_count(struct table *t, uint64_t n);

/* A duration, given in nanoseconds or in ticks. The value is in nanoseconds in both cases. */
void cell_ns(struct table *t, uint64_t ns);
void cell_ticks(struct table *t, ticks_t ticks);

/* A share, as text only. It has no value, because CSV and JSON contain `part` and `whole`. */
void cell_share(struct table *t, uint64_t part, uint64_t whole);

/* "0A1B2C3D". */
void cell_hash(struct table *t, uint32_t hash);

void cell_text(struct table *t, const char *text);

/* A number without text: only CSV and JSON show it. */
void cell_raw(struct table *t, uint64_t n);

/* cell_unknown: "-", for a value that is not known. cell_empty: no text, for a value that does not
   apply to the row. */
void cell_unknown(struct table *t);
void cell_empty(struct table *t);

#ifdef __cplusplus
}
#endif
