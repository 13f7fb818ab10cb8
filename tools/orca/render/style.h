#pragma once
/* The look of a page: its width, and bold headings on a terminal. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

#define STYLE_WIDTH 100

struct style {
  size_t width;        /* columns */
  bool bold;           /* a terminal, and NO_COLOR is not set */
  bool has_long_lines; /* a paragraph is one line */
};

/* style_for returns the style for a file descriptor.
   - Terminal of at least 80 columns: its width, at most 160.
   - Anything else: STYLE_WIDTH; tables would be cut too much for less. Only terminals get bold
   headings. */
struct style style_for(int fd);

/* style_heading writes an empty line and then the heading on its own line. */
void style_heading(struct builder *b, const struct style *style, const char *heading);

/* style_wrap writes text as a paragraph. It breaks lines at spaces, but not inside "12 %" or
   "3.5 ms". The first line begins with `first`; the others are indented by the width of `first`. */
void style_wrap(struct builder *b, const struct style *style, const char *first, struct span text);

END_C
