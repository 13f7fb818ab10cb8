#pragma once
/* Events as lines for a person, or as rows for a program. */
#include "tools/orca/model/replay/story.h"
#include "tools/orca/render/page.h"

#ifdef __cplusplus
extern "C" {
#endif

struct log_style {
  ticks_t start; /* times count from here */
  bool absolute; /* times as the files have them instead */
  bool stacks;
};

/* log_event_text appends an event as a line, and its stack as further lines. */
void log_event_text(struct builder *b, const struct story *s, const struct story_event *e,
                    const struct log_style *style);

/* The columns of an event as a row, and the row. The last column is the stack, so that one less
   leaves it out. */
extern const struct column log_columns[];
extern const size_t log_num_columns;
void log_event_row(struct table *t, const struct story *s, const struct story_event *e,
                   const struct log_style *style);

#ifdef __cplusplus
}
#endif
