#include <math.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/diff.h"
#include "tools/orca/render/view/view.h"

#define MOST_SHOWN 5 /* rows of a limit, as text */

enum state { KEPT, BROKEN, UNPROVEN };

static const struct {
  const char *key, *word;
} states[] = {[KEPT] = {"kept", "kept"},
              [BROKEN] = {"broken", "BROKEN"},
              [UNPROVEN] = {"unproven", "NOT PROVEN"}};

/* A limit, and one row that breaks it. */
struct finding {
  const struct comparison *comparison;
  const struct diff_limit *limit;
  enum state state;
  const char *why;            /* of UNPROVEN */
  const struct diff_row *row; /* of BROKEN; the total for a limit of a total */
};

static bool is_total(const struct finding *f) { return diff_limit_kinds[f->limit->kind].is_total; }

/* --- one finding ---------------------------------------------------------------------- */

static void put_name(struct builder *b, const struct finding *f) {
  if (is_total(f)) {
    builder_string(b, diff_limit_kinds[f->limit->kind].help);
  } else {
    view_diff_name(b, f->comparison, diff_limit_kinds[f->limit->kind].part, f->row);
  }
}

/* "BROKEN lock+10%: monitor of Cart at Cart.add (Cart.java:7): 400 ms in each second of run instead
   of 100 ms (+300 %)" */
static void put_sentence(struct builder *b, const struct finding *f) {
  builder_format(b, "%s ", states[f->state].word);
  diff_limit_write(b, f->limit);
  if (f->state == UNPROVEN) builder_format(b, ": %s", f->why);
  if (f->state != BROKEN) return;
  builder_string(b, ": ");
  put_name(b, f);
  if (!is_total(f)) {
    builder_string(b, " at ");
    view_diff_place(b, f->comparison, f->row);
  }
  builder_string(b, ": ");
  view_diff_rate(b, f->row->rates[1]);
  builder_string(b, " in each second of run instead of ");
  view_diff_rate(b, f->row->rates[0]);
  if (f->row->rates[0] > 0) {
    builder_format(b, " (+%.0f %%)", 100 * diff_change(f->row) / f->row->rates[0]);
  }
}

static void put_paragraph(struct page *p, const struct finding *f) {
  struct builder s = {0};
  put_sentence(&s, f);
  view_put_sentence(&p->out, &p->style, &s);
}

/* --- the table ------------------------------------------------------------------------ */

static void put_limit(const struct cell *c) {
  const struct finding *f = c->row;
  diff_limit_write(c->text, f->limit);
}

static void put_state(const struct cell *c) {
  const struct finding *f = c->row;
  builder_string(c->text, states[f->state].key);
}

static void put_why(const struct cell *c) {
  const struct finding *f = c->row;
  if (f->why != NULL) builder_string(c->text, f->why);
}

static void put_what(const struct cell *c) {
  const struct finding *f = c->row;
  if (f->row != NULL) put_name(c->text, f);
}

static void put_place(const struct cell *c) {
  const struct finding *f = c->row;
  if (f->row != NULL && !is_total(f)) view_diff_place(c->text, f->comparison, f->row);
}

static void put_place_parts(const struct cell *c) {
  const struct finding *f = c->row;
  if (f->row != NULL && !is_total(f)) view_diff_put_place_object(c, f->comparison, f->row);
}

static void put_object_parts(const struct cell *c) {
  const struct finding *f = c->row;
  enum compare_part part = diff_limit_kinds[f->limit->kind].part;
  if (f->row != NULL && !is_total(f)) view_diff_put_lock_object(c, f->comparison, part, f->row);
}

static void put_rate(const struct cell *c, int side) {
  const struct finding *f = c->row;
  if (f->row == NULL) {
    table_unknown(c->table);
  } else {
    table_number(c->table, (uint64_t)llround(f->row->rates[side]));
  }
}

static void put_a_rate(const struct cell *c) { put_rate(c, 0); }

static void put_b_rate(const struct cell *c) { put_rate(c, 1); }

static const struct column columns[] = {
    {.key = "limit", .put = put_limit},
    {.key = "state", .put = put_state},
    {.key = "why", .put = put_why},
    {.key = "what", .put = put_what},
    {.key = "main_place", .put = put_place},
    {.key = "a_ns_per_s", .put = put_a_rate},
    {.key = "b_ns_per_s", .put = put_b_rate},
    {.key = "main_place_parts", .is_json = true, .put = put_place_parts},
    {.key = "object_parts", .is_json = true, .put = put_object_parts}};

/* --- all ------------------------------------------------------------------------------ */

/* The findings of a limit, as text or as rows of `t`. */
struct shown {
  struct page *page;
  struct table *table; /* NULL: text */
  size_t num_broken;   /* rows of this limit */
};

static void show(struct shown *s, const struct finding *f) {
  if (s->table != NULL) {
    table_add(s->table, NULL, f);
  } else if (f->state != BROKEN || s->num_broken < MOST_SHOWN) {
    put_paragraph(s->page, f);
  }
  s->num_broken += f->state == BROKEN;
}

static void show_row(struct shown *s, struct finding *f, const struct diff_row *row) {
  if (!diff_limit_is_broken(f->limit, row)) return;
  f->state = BROKEN;
  f->row = row;
  show(s, f);
}

/* A limit that the runs cannot prove is not judged. Returns whether it is broken. */
static bool show_limit(struct shown *s, const struct comparison *c,
                       const struct diff_limit *limit) {
  const struct diff_limit_info *info = &diff_limit_kinds[limit->kind];
  const struct diff *rows = &c->parts[info->part];
  struct finding f = {.comparison = c, .limit = limit, .why = diff_limit_find_why(limit, c)};
  s->num_broken = 0;
  if (f.why != NULL) f.state = UNPROVEN;
  if (f.why == NULL && info->is_total) show_row(s, &f, &c->totals[info->part]);
  for (size_t i = 0; f.why == NULL && !info->is_total && i < rows->num; i++) {
    if (!compare_is_several(info->part, &rows->rows[i])) show_row(s, &f, &rows->rows[i]);
  }
  if (f.why == NULL && s->num_broken == 0) {
    f.why = diff_limit_find_why_open(limit, c);
    if (f.why != NULL) f.state = UNPROVEN;
  }
  if (s->num_broken == 0) show(s, &f);
  if (s->table == NULL && s->num_broken > MOST_SHOWN) {
    page_more(&s->page->out, s->num_broken - MOST_SHOWN);
  }
  return s->num_broken > 0;
}

bool view_diff_limits(struct page *p, const struct comparison *c, const struct diff_limit *limits,
                      size_t num) {
  struct shown s = {.page = p};
  bool is_broken = false;
  if (num == 0) return false;
  if (page_is_text(p)) {
    style_heading(&p->out, &p->style, "What must not get worse (--fail-on)");
  } else {
    s.table = TABLE_NEW(columns);
    p->out.failed |= s.table == NULL;
  }
  for (size_t i = 0; i < num && !p->out.failed; i++) is_broken |= show_limit(&s, c, &limits[i]);
  if (s.table != NULL) page_table(p, "limits", "", s.table, 0);
  return is_broken;
}
