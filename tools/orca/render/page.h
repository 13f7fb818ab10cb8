#pragma once
/* The output of a command. As text: prose and tables. As CSV or JSON: the same tables with plain
   numbers (nanoseconds, counts) and with keys that never change. */
#include "agent/base/extern_c.h"
#include "tools/orca/render/table.h"

BEGIN_C

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

/* format_find parses "text", "csv" or "json". False: the name is none of them. */
bool format_find(const char *name, enum format *out);

/* Must not move between page_start and page_free, because `json` points to `out`. */
struct page {
  struct builder out;
  struct style style;
  enum format format;
  bool several; /* the page has several tables: the rows of CSV begin with the name of theirs */
  bool has_whole_names;  /* tables may be wider than the style: the output is not a terminal */
  bool is_brief;         /* the header is short, and paragraphs are lines */
  bool missed;           /* the command sets it if nothing is there of what the user selected */
  bool has_broken_limit; /* the command sets it if a limit that the user gave is broken */
  struct json json;
};

/* page_start begins a page whose style fits the terminal or file of descriptor `fd`. */
void page_start(struct page *p, int fd, enum format format, bool several);

/* What the last line of a brief page begins with: it says what to ask or record next. */
#define PAGE_NEXT "Next: "

/* page_make_brief makes paragraphs lines, for a program that reads text. */
void page_make_brief(struct page *p);

/* page_put_schema writes the version of the JSON as its first member. It grows only if a key
   changes its meaning or goes away (docs/json.md). Nothing for text and CSV. */
#define PAGE_SCHEMA 2
void page_put_schema(struct page *p);

/* page_put_rows writes a table as text. Only a terminal, which has no room, gets shortened names.
 */
void page_put_rows(struct page *p, const struct table *t);

/* page_is_text: the caller may append prose to `out`. */
static inline bool page_is_text(const struct page *p) { return p->format == FORMAT_TEXT; }

/* page_is_json: the caller may append members to the outermost object through `json`. */
static inline bool page_is_json(const struct page *p) { return p->format == FORMAT_JSON; }

/* page_table writes a table and frees it.
   - Text: below `heading`, with "and 25 more" if `more` is 25. A table without rows is left out.
   - CSV and JSON: under `key`. */
void page_table(struct page *p, const char *key, const char *heading, struct table *t, size_t more);

/* page_more appends the line "    and 25 more". */
void page_more(struct builder *b, size_t more);

/* page_sentences writes paragraphs that each begin with "* ", and frees `text`. The caller must
   have wrapped them for page_style. JSON gets an array of the paragraphs, CSV gets nothing. */
void page_sentences(struct page *p, const char *key, struct builder *text);
struct style page_style(const struct page *p);

/* page_print ends the page, writes it to stdout without an empty first line, and frees it. False:
   memory ran out, and nothing was written. `main` checks stdout for errors at its end. */
bool page_print(struct page *p);

void page_free(struct page *p);

END_C
