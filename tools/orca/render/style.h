#pragma once
/* How a page looks: as wide as it may be, headings bold on a terminal. */
#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STYLE_WIDTH 100

struct style {
  size_t width; /* columns */
  bool bold;    /* a terminal, and NO_COLOR is not set */
};

/* style_for asks what stands behind a file descriptor: the width of the terminal from 80 columns
   on; STYLE_WIDTH and plain where it is none. */
struct style style_for(int fd);

/* style_heading writes an empty line and a heading on a line of its own. */
void style_heading(struct builder *b, const struct style *style, const char *heading);

/* style_wrap writes text as a paragraph: broken at spaces, but not in "12 %" or "3.5 ms", the first
   line with `first` in front, the others indented as far. */
void style_wrap(struct builder *b, const struct style *style, const char *first, struct span text);

#ifdef __cplusplus
}
#endif
