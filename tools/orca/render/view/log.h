#pragma once
/* Events as lines of text, or as rows of a table for CSV and JSON. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/replay/story.h"
#include "tools/orca/render/page.h"

BEGIN_C

struct log_style {
  ticks_t start; /* times are relative to it */
  bool absolute; /* show the timestamps of the files instead */
  bool stacks;
  bool whole_names; /* names of threads are not cut */
};

/* log_event_text appends an event as a line. With `style->stacks` each frame follows on a line. */
void log_event_text(struct builder *b, const struct story *s, const struct story_event *e,
                    const struct log_style *style);

/* log_event_row appends an event as a row. The stack is the last column: without `style->stacks`
   the table must have one column less. */
extern const struct column log_columns[];
extern const size_t log_num_columns;
void log_event_row(struct table *t, const struct story *s, const struct story_event *e,
                   const struct log_style *style);

END_C
