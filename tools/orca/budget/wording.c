#include "tools/orca/budget/wording.h"

#include <string.h>

#include "tools/orca/budget/budget_text.h"
#include "tools/orca/render/unit.h"

#define SCALE_SHOWN 1200 /* from this scale on, limits are seen to grow */

void wording_name(struct builder *b, const struct verdict_row *row) {
  builder_string(b, budget_kinds[row->kind].word);
  if (row->key[0] == '\0') return;
  builder_string(b, ": ");
  builder_string(b, row->key);
}

void wording_limit(struct builder *b, const struct verdict_row *row) {
  if (row->row != NULL) {
    builder_string(b, "at most ");
    budget_put_limits(b, row->row);
  } else if (budget_kinds[row->kind].form == FORM_KNOWN) {
    builder_string(b, "only those in the file");
  } else {
    builder_string(b, "none");
  }
}

static void put_amount(struct builder *b, const struct figure *figure, bool is_least) {
  switch (budget_kinds[figure->kind].form) {
    case FORM_COUNT:
      unit_count(b, figure->number);
      return;
    case FORM_SHARE:
      unit_share(b, figure->number, 1000);
      return;
    case FORM_LOCK:
      if (is_least) builder_string(b, "at least ");
      unit_many(b, figure->number, "wait", "waits");
      builder_format(b, ", longest %s", UNIT_TIME(figure->longest_ns));
      return;
    default:
      return;
  }
}

void wording_figure(struct builder *b, const struct figures *run, const struct figure *figure) {
  put_amount(b, figure, figures_is_least(run, figure));
  if (!budget_is_time(figure->kind) || run->scale < SCALE_SHOWN) return;
  uint64_t tenths = (run->scale + FIGURES_SCALE / 20) / (FIGURES_SCALE / 10);
  builder_format(b, " (threads waited for a CPU, so the limits are %u.%u times as large)",
                 (unsigned)(tenths / 10), (unsigned)(tenths % 10));
}

void wording_unproven(struct builder *b, const struct verdict_row *row) {
  if (row->worst != NULL && figures_is_least(row->worst_run, row->worst)) {
    wording_figure(b, row->worst_run, row->worst);
    builder_string(b, "; ");
  }
  builder_string(b, row->why);
}

static size_t count_found(const struct verdict *v, const struct verdict_row *row) {
  size_t num = 0;
  for (size_t i = 0; i < v->num_runs; i++) num += row->found[i] != NULL;
  return num;
}

/* The text up to the first newline. */
static struct span cut_first_line(const char *text) {
  return (struct span){text, strcspn(text, "\n")};
}

void wording_message(struct builder *b, const struct verdict *v, const struct verdict_row *row) {
  wording_name(b, row);
  builder_string(b, "; allowed: ");
  wording_limit(b, row);
  builder_string(b, "; found");
  if (row->worst != NULL && budget_kinds[row->kind].form >= FORM_COUNT) {
    builder_char(b, ' ');
    wording_figure(b, row->worst_run, row->worst);
  }
  builder_format(b, " in %s of ", UNIT_COUNT(count_found(v, row)));
  unit_many(b, v->num_runs, "run", "runs");
  if (row->worst == NULL || row->worst->text[0] == '\0') return;
  struct span line = cut_first_line(row->worst->text);
  builder_string(b, ": ");
  builder_bytes(b, line.data, line.len);
}

void wording_runs(struct builder *b, const struct verdict *v, const struct verdict_row *row,
                  const char *indent) {
  for (size_t i = 0; i < v->num_runs; i++) {
    if (row->found[i] == NULL) continue;
    size_t start = b->len;
    builder_string(b, indent);
    builder_string(b, v->runs[i].name);
    builder_string(b, ": ");
    start = b->len;
    wording_figure(b, &v->runs[i], row->found[i]);
    if (b->len == start && !b->failed) b->len -= strlen(": "); /* a problem has no figure */
    builder_char(b, '\n');
  }
}

/* Quotes a word for a shell, if it has other characters than those of most file names. */
static void put_shell_word(struct builder *b, const char *word) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-@%,:=";
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    builder_string(b, word);
    return;
  }
  builder_char(b, '\'');
  for (; *word != '\0'; word++) {
    if (*word == '\'') {
      builder_string(b, "'\\''");
    } else {
      builder_char(b, *word);
    }
  }
  builder_char(b, '\'');
}

void wording_command(struct builder *b, const struct verdict_row *row) {
  builder_format(b, "orca %s ", budget_kinds[row->kind].command);
  bool is_known = row->worst_run != NULL && !row->worst_run->is_digest;
  put_shell_word(b, is_known ? row->worst_run->name : "PREFIX");
}

void wording_sum(struct builder *b, const struct verdict *v) {
  unit_many(b, v->num_broken, "budget is broken", "budgets are broken");
  builder_format(b, ", %s %s kept", UNIT_COUNT(v->num_kept), v->num_kept == 1 ? "is" : "are");
  if (v->num_unproven > 0) {
    builder_format(b, ", %s %s not proven", UNIT_COUNT(v->num_unproven),
                   v->num_unproven == 1 ? "is" : "are");
  }
  builder_string(b, ", in ");
  unit_many(b, v->num_runs, "run", "runs");
}
