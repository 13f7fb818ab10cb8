#pragma once
/* The usual cells of a table. Each function writes the text of the next cell and ends the cell. */
#include <stddef.h>

#include "agent/base/extern_c.h"
#include "agent/base/text.h"
#include "tools/orca/render/table.h"

BEGIN_C

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

/* The same as cell_count, cell_ns and cell_ticks, or as cell_unknown if the number is not known. */
void cell_count_if(struct table *t, bool is_known, uint64_t n);
void cell_ns_if(struct table *t, bool is_known, uint64_t ns);
void cell_ticks_if(struct table *t, bool is_known, ticks_t ticks);

/* --- columns that show a member of the row --------------------------------------- */

/* The initializer of `offset`. Does not compile without warnings if the member has another type. */
#define COLUMN_MEMBER(type, member, member_type) \
  .offset = offsetof(type, member) + 0 * sizeof(&((type *)0)->member == (member_type *)0)

/* The initializers of `align`, `put` and `offset` of a column. */
#define COLUMN_COUNT(type, member) \
  .align = ALIGN_RIGHT, .put = column_count, COLUMN_MEMBER(type, member, uint64_t)
#define COLUMN_NS(type, member) \
  .align = ALIGN_RIGHT, .put = column_ns, COLUMN_MEMBER(type, member, uint64_t)
#define COLUMN_TICKS(type, member) \
  .align = ALIGN_RIGHT, .put = column_ticks, COLUMN_MEMBER(type, member, ticks_t)
#define COLUMN_RAW(type, member) \
  .align = ALIGN_RIGHT, .put = column_raw, COLUMN_MEMBER(type, member, uint64_t)
#define COLUMN_HASH(type, member) .put = column_hash, COLUMN_MEMBER(type, member, uint32_t)
#define COLUMN_TEXT(type, member) .put = column_text, COLUMN_MEMBER(type, member, const char *)

/* Each writes the cell with the function above of the same name. */
void column_count(const struct cell *c);
void column_ns(const struct cell *c);
void column_ticks(const struct cell *c);
void column_raw(const struct cell *c);
void column_hash(const struct cell *c);
void column_text(const struct cell *c);

END_C
