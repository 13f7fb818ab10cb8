#pragma once
/* Limits of a comparison: what must not get worse, and by how much. `lock+10%` is broken if threads
   are blocked more than 10 % longer on a lock, and diff.h says that this is not chance. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/compare.h"

BEGIN_C

enum diff_limit_kind {
#define LIMIT(id, word, part, is_total, help) DIFF_LIMIT_##id,
#include "tools/orca/model/diff_limit.def"
  NUM_DIFF_LIMITS
};

struct diff_limit_info {
  const char *word, *help; /* see diff_limit.def */
  enum compare_part part;
  bool is_total;
};

extern const struct diff_limit_info diff_limit_kinds[NUM_DIFF_LIMITS];

struct diff_limit {
  enum diff_limit_kind kind;
  uint32_t permille; /* how much more than in the first run is allowed: 100 is 10 % */
};

/* diff_limit_parse parses "lock+10%" or "cpu+12.5%", up to 100000 %. False: the text is wrong. */
bool diff_limit_parse(const char *text, struct diff_limit *out);

/* diff_limit_write appends the limit as diff_limit_parse reads it. */
void diff_limit_write(struct builder *b, const struct diff_limit *limit);

/* diff_limit_is_broken returns whether a row, or the total, of the limit's part is worse than the
   limit allows. It is not if the change is chance, or is less than DIFF_LEAST_CHANGE, or if time on
   several objects that are not told apart can be the reason. */
bool diff_limit_is_broken(const struct diff_limit *limit, const struct diff_row *row);

/* diff_limit_find_why_open returns why it is not known whether the limit is kept, although no row
   breaks it. Time on several objects that are not told apart may belong to a row. NULL: it is kept.
   The text is a constant. */
const char *diff_limit_find_why_open(const struct diff_limit *limit, const struct comparison *c);

/* diff_limit_find_why returns why the two recordings cannot prove that the limit is kept, such as
   lost events; NULL: they can. The text is a constant. */
const char *diff_limit_find_why(const struct diff_limit *limit, const struct comparison *c);

END_C
