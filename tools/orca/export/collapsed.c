/* Collapsed stacks: "main;Shop.run;Shop.price 1500". The outermost frame is first, each stack
   occurs once, and stacks are sorted. The unit is nanoseconds, so that a wait of 300 ns does not
   become 0; readers accept any integer. Frames are methods without lines, so that a method is one
   frame. */
#include <stdlib.h>
#include <string.h>

#include "tools/orca/export/format.h"
#include "tools/orca/export/frame.h"
#include "tools/orca/model/base/grow.h"

struct folded_line {
  size_t start, len; /* in the text */
  uint64_t ns;
};

struct folded {
  struct builder text;
  struct folded_line *lines;
  size_t num, capacity;
};

static bool add_stack_row(struct folded *f, const struct export_job *job,
                          const struct profile_row *row) {
  uint64_t ns = profile_ns(row, job->value);
  if (ns == 0) return true;
  void *grown = grow(f->lines, f->num, &f->capacity, sizeof *f->lines);
  if (grown == NULL) return false;
  f->lines = grown;
  struct builder *b = &f->text;
  size_t start = b->len;
  struct frame_walk walk = frame_walk(job, row);
  for (struct shown_frame frame; frame_walk_next(&walk, &frame);) {
    size_t at = b->len;
    frame_put_name(b, job, frame);
    for (; !b->failed && at < b->len; at++) {
      if (b->data[at] == ';') b->data[at] = ':'; /* ';' separates frames */
    }
    builder_char(b, ';');
  }
  if (!b->failed) b->len--; /* the last ';' */
  f->lines[f->num++] = (struct folded_line){start, b->len - start, ns};
  return !b->failed;
}

static int compare_texts(const void *left, const void *right, void *text) {
  const struct folded_line *a = left, *b = right;
  int order =
      memcmp((char *)text + a->start, (char *)text + b->start, a->len < b->len ? a->len : b->len);
  return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
}

/* Stacks that differ only in line numbers have the same text and become one line. */
static bool put_lines(struct folded *f, struct output *out) {
  if (f->num > 0) qsort_r(f->lines, f->num, sizeof *f->lines, compare_texts, f->text.data);
  uint64_t ns = 0;
  for (size_t i = 0; i < f->num; i++) {
    struct folded_line *line = &f->lines[i];
    ns += line->ns;
    if (i + 1 < f->num && compare_texts(line, line + 1, f->text.data) == 0) continue;
    builder_bytes(&out->text, f->text.data + line->start, line->len);
    builder_char(&out->text, ' ');
    text_decimal(&out->text, (int64_t)ns);
    builder_char(&out->text, '\n');
    ns = 0;
    if (!output_write_if_large(out)) return false;
  }
  return true;
}

bool export_collapsed(const struct export_job *job) {
  struct folded f = {0};
  struct profile folded;
  const struct profile *p = frame_profile(job, &folded);
  bool is_good = p != NULL;
  for (size_t i = 0; is_good && i < p->num; i++) is_good = add_stack_row(&f, job, &p->rows[i]);
  is_good = is_good && put_lines(&f, job->out);
  profile_free(&folded);
  builder_free(&f.text);
  free(f.lines);
  return is_good;
}
