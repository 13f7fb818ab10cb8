#pragma once
/* What a command puts out: prose and tables for a person; the same tables as CSV or JSON for a
   program, with plain numbers (nanoseconds, counts) under names that stay. */
#include "tools/orca/render/table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

/* format_find reads "text", "csv" or "json"; false where it is none of them. */
bool format_find(const char *name, enum format *out);

/* Stays where it is from page_start to page_free. */
struct page {
  struct builder out;
  struct style style;
  enum format format;
  bool several; /* tables: as CSV each value is a line then, see table_csv_long */
  bool missed;  /* set by whoever fills it: what is asked for is not there */
  struct json json;
};

/* page_start begins a page for what stands behind a file descriptor. */
void page_start(struct page *p, int fd, enum format format, bool several);

/* page_is_text: prose may be appended to `out`. */
static inline bool page_is_text(const struct page *p) { return p->format == FORMAT_TEXT; }

/* page_is_json: members may be appended to `json`, whose outermost object is open. */
static inline bool page_is_json(const struct page *p) { return p->format == FORMAT_JSON; }

/* page_table puts a table, which is freed then: for a person below its heading, with "and 25 more"
   where there is more, and not at all without rows; for a program under its key. */
void page_table(struct page *p, const char *key, const char *heading, struct table *t, size_t more);

/* page_more is that last line of a table. */
void page_more(struct builder *b, size_t more);

/* page_sentences puts text of paragraphs that each begin with "* ", and frees it; it has to be
   written for page_style. In JSON an array of them, in CSV nothing. */
void page_sentences(struct page *p, const char *key, struct builder *text);
struct style page_style(const struct page *p);

/* page_print ends the page and writes it to stdout, and frees it. False: memory ran out, and
   nothing is written. A first empty line is left out. */
bool page_print(struct page *p);

void page_free(struct page *p);

#ifdef __cplusplus
}
#endif
