#include "tools/orca/budget/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

bool verdict_breaks(const struct budget_row *row, const struct figures *run,
                    const struct figure *figure) {
  if (!budget_is_time(row->kind)) return figure->number > row->number;
  return figures_scaled(run, figure->number) > row->number ||
         figures_scaled(run, figure->longest_ns) > row->longest_ns;
}

/* --- rows ------------------------------------------------------------------------------- */

/* Adds a row that no run has a figure of. Returns NULL when memory ran out. */
static struct verdict_row *add_verdict_row(struct verdict *v, enum budget_kind kind,
                                           const char *key) {
  void *grown = grow(v->rows, v->num, &v->capacity, sizeof *v->rows);
  if (grown == NULL) return NULL;
  v->rows = grown;
  struct verdict_row *row = &v->rows[v->num];
  *row = (struct verdict_row){.kind = kind, .key = key};
  row->found = calloc(v->num_runs, sizeof *row->found);
  if (row->found == NULL) return NULL;
  v->num++;
  return row;
}

static bool is_larger(const struct figures *run_a, const struct figure *a,
                      const struct figures *run_b, const struct figure *b) {
  uint64_t longest_a = figures_scaled(run_a, a->longest_ns);
  uint64_t longest_b = figures_scaled(run_b, b->longest_ns);
  if (longest_a != longest_b) return longest_a > longest_b;
  return figures_scaled(run_a, a->number) > figures_scaled(run_b, b->number);
}

/* Sets `found` and `worst` to the figures with this kind and key. */
static void find_figures(const struct verdict *v, struct verdict_row *row, const char *key) {
  for (size_t i = 0; i < v->num_runs; i++) {
    const struct figures *run = &v->runs[i];
    row->found[i] = figures_find(run, row->kind, key);
    if (row->found[i] == NULL) continue;
    if (row->worst != NULL && !is_larger(run, row->found[i], row->worst_run, row->worst)) continue;
    row->worst = row->found[i];
    row->worst_run = run;
  }
}

/* Whether a figure is too large for an idle machine. */
static bool is_above(const struct budget_row *budget, const struct figure *figure) {
  return figure->number > budget->number || figure->longest_ns > budget->longest_ns;
}

/* Whether each run has a figure that is too large for an idle machine. */
static bool breaks_without_scale(const struct verdict *v, const struct verdict_row *row) {
  if (!budget_is_time(row->kind) || row->row == NULL) return false;
  for (size_t i = 0; i < v->num_runs; i++) {
    if (row->found[i] == NULL || !is_above(row->row, row->found[i])) return false;
  }
  return true;
}

/* A run that has no figure keeps the budget. */
static bool breaks_by_rule(const struct verdict *v, const struct verdict_row *row) {
  size_t num_broken = 0;
  for (size_t i = 0; i < v->num_runs; i++) {
    num_broken += row->found[i] != NULL && verdict_breaks(row->row, &v->runs[i], row->found[i]);
  }
  return budget_is_time(row->kind) ? num_broken == v->num_runs : num_broken > 0;
}

static const char least_was_found[] =
    "the recording has sums of short waits of several locks that are not told apart: with them, "
    "a lock can have more waits than its limit allows";

static const char machine_was_loaded[] =
    "the figure is above the limit, but threads waited for a CPU so much that this can be the "
    "reason; "
    "record when the machine is less loaded";

/* The sorts that the lock has in any run; 0: not known. */
static unsigned find_sorts(const struct verdict *v, const struct verdict_row *row) {
  unsigned sorts = 0;
  for (size_t i = 0; i < v->num_runs; i++) {
    if (row->found[i] != NULL) sorts |= row->found[i]->sorts;
  }
  return sorts;
}

/* Whether a lock of these sorts is above its limits if all waits of several locks are its own.
   `figure` NULL: the run has none. */
static bool can_be_above(const struct budget_row *budget, const struct figures *run,
                         const struct figure *figure, unsigned sorts) {
  struct more_waits more = figures_more_waits(run, sorts);
  if (budget->kind != BUDGET_LOCK || more.number == 0) return false;
  struct figure most = {.number = more.number, .longest_ns = more.longest_ns};
  if (figure != NULL) {
    most.number += figure->number;
    if (figure->longest_ns > most.longest_ns) most.longest_ns = figure->longest_ns;
  }
  return is_above(budget, &most);
}

/* Why a run with this figure, which breaks nothing, does not prove that the budget is kept. NULL:
   it does. */
static const char *find_doubt(const struct verdict_row *row, const struct figures *run,
                              const struct figure *figure, unsigned sorts) {
  const struct budget_row *limit = budget_is_time(row->kind) ? row->row : NULL;
  if (limit != NULL && figure != NULL && is_above(limit, figure)) return machine_was_loaded;
  if (run->unproven[row->kind] != NULL) return run->unproven[row->kind];
  return limit != NULL && can_be_above(limit, run, figure, sorts) ? least_was_found : NULL;
}

/* Every run has to prove an exact budget. One run that keeps a time is enough. */
static const char *find_why_unproven(const struct verdict *v, const struct verdict_row *row) {
  bool is_time = budget_is_time(row->kind);
  unsigned sorts = find_sorts(v, row);
  const char *why = NULL;
  for (size_t i = 0; i < v->num_runs; i++) {
    const struct figure *figure = row->found[i];
    if (is_time && row->row != NULL && figure != NULL &&
        verdict_breaks(row->row, &v->runs[i], figure)) {
      continue;
    }
    const char *doubt = find_doubt(row, &v->runs[i], figure, sorts);
    if (doubt == NULL && is_time) return NULL;
    if (doubt != NULL) why = doubt;
  }
  return why;
}

static void settle(const struct verdict *v, struct verdict_row *row, bool is_broken) {
  row->why = is_broken ? NULL : find_why_unproven(v, row);
  row->state = is_broken ? VERDICT_BROKEN : row->why != NULL ? VERDICT_UNPROVEN : VERDICT_KEPT;
}

/* --- problems --------------------------------------------------------------------------- */

static bool has_row(const struct verdict *v, enum budget_kind kind, const char *key) {
  for (size_t i = 0; i < v->num; i++) {
    if (v->rows[i].kind == kind && strcmp(v->rows[i].key, key) == 0) return true;
  }
  return false;
}

/* A problem that is not known breaks the budget. But if a run has only some of its problems, and
   the file has problems of an earlier run, this one may have been among those left out there. */
static bool breaks_as_new(const struct verdict *v, const struct verdict_row *row) {
  bool has_known = false, is_certain = false;
  for (size_t i = 0; i < v->budget->num; i++) has_known |= v->budget->rows[i].kind == row->kind;
  for (size_t i = 0; i < v->num_runs; i++) {
    is_certain |= row->found[i] != NULL && figures_are_complete(&v->runs[i], row->kind);
  }
  return is_certain || !has_known;
}

/* Adds a row for each problem that is not known, once for all runs that have it. */
static bool judge_problems(struct verdict *v, enum budget_kind kind) {
  size_t before = v->num;
  for (size_t i = 0; i < v->num_runs; i++) {
    const struct figures *run = &v->runs[i];
    for (size_t k = 0; k < run->num; k++) {
      const char *key = run->rows[k].key;
      if (run->rows[k].kind != kind || budget_find(v->budget, kind, key) != NULL) continue;
      if (has_row(v, kind, key)) continue;
      struct verdict_row *row = add_verdict_row(v, kind, key);
      if (row == NULL) return false;
      find_figures(v, row, key);
      settle(v, row, breaks_as_new(v, row));
    }
  }
  if (v->num > before) return true;
  struct verdict_row *row = add_verdict_row(v, kind, "");
  if (row != NULL) settle(v, row, false);
  return row != NULL;
}

/* --- numbers ---------------------------------------------------------------------------- */

/* Without a line in the file nothing may be lost, and the other counts and shares do not matter. */
static bool judge_number(struct verdict *v, enum budget_kind kind) {
  static char no_key[] = "";
  static const struct budget_row nothing_lost = {.kind = BUDGET_LOST, .key = no_key};
  const struct budget_row *budget = budget_find(v->budget, kind, "");
  if (budget == NULL && kind == BUDGET_LOST) budget = &nothing_lost;
  if (budget == NULL) return true;
  struct verdict_row *row = add_verdict_row(v, kind, "");
  if (row == NULL) return false;
  row->row = budget;
  find_figures(v, row, "");
  settle(v, row, breaks_by_rule(v, row));
  return true;
}

/* Whether the budget of a lock is not proven, and a run would prove it without the figures of the
   lock. Then the lock has a row of its own, not only that of all locks. */
static bool is_open(const struct verdict *v, const struct verdict_row *row) {
  unsigned sorts = find_sorts(v, row);
  if (row->state != VERDICT_UNPROVEN) return false;
  for (size_t i = 0; i < v->num_runs; i++) {
    if (find_doubt(row, &v->runs[i], NULL, sorts) == NULL) return true;
  }
  return false;
}

static bool judge_lock(struct verdict *v, const struct budget_row *budget, const char *key,
                       bool only_if_notable) {
  struct verdict_row *row = add_verdict_row(v, BUDGET_LOCK, key);
  if (row == NULL) return false;
  row->row = budget;
  find_figures(v, row, key);
  settle(v, row, breaks_by_rule(v, row));
  bool is_notable = row->state == VERDICT_BROKEN || breaks_without_scale(v, row) || is_open(v, row);
  if (!is_notable && only_if_notable) {
    free(row->found);
    v->num--;
  }
  return true;
}

static bool is_in_earlier_run(const struct verdict *v, size_t num, const char *key) {
  for (size_t i = 0; i < num; i++) {
    if (figures_find(&v->runs[i], BUDGET_LOCK, key) != NULL) return true;
  }
  return false;
}

/* Judges the locks of a run that have no row of their own. */
static bool judge_locks_of_run(struct verdict *v, const struct budget_row *any, size_t at) {
  const struct figures *run = &v->runs[at];
  for (size_t i = 0; i < run->num; i++) {
    const struct figure *figure = &run->rows[i];
    if (figure->kind != BUDGET_LOCK || budget_of_lock(v->budget, figure->key) != any) continue;
    if (is_in_earlier_run(v, at, figure->key)) continue;
    if (!judge_lock(v, any, figure->key, true)) return false;
  }
  return true;
}

/* A lock that a run lacks cannot break the budget for sure, but may leave it open. */
static bool judge_other_locks(struct verdict *v, const struct budget_row *any) {
  size_t before = v->num;
  for (size_t i = 0; i < v->num_runs; i++) {
    if (!judge_locks_of_run(v, any, i)) return false;
  }
  return v->num > before || judge_lock(v, any, any->key, false);
}

static bool judge_locks(struct verdict *v) {
  for (size_t i = 0; i < v->budget->num; i++) {
    const struct budget_row *budget = &v->budget->rows[i];
    if (budget->kind != BUDGET_LOCK) continue;
    bool is_any = strcmp(budget->key, BUDGET_ANY_LOCK) == 0;
    bool good = is_any ? judge_other_locks(v, budget) : judge_lock(v, budget, budget->key, false);
    if (!good) return false;
  }
  return true;
}

/* --- all -------------------------------------------------------------------------------- */

static bool judge_kind(struct verdict *v, enum budget_kind kind) {
  switch (budget_kinds[kind].form) {
    case FORM_NEVER:
    case FORM_KNOWN:
      return judge_problems(v, kind);
    case FORM_LOCK:
      return judge_locks(v);
    default:
      return judge_number(v, kind);
  }
}

static int compare_rows(const void *left, const void *right) {
  const struct verdict_row *a = left, *b = right;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  bool is_broken_a = a->state == VERDICT_BROKEN, is_broken_b = b->state == VERDICT_BROKEN;
  if (is_broken_a != is_broken_b) return is_broken_a ? -1 : 1;
  return strcmp(a->key, b->key);
}

bool verdict_find(struct verdict *v, const struct budget *budget, const struct figures *runs,
                  size_t num) {
  *v = (struct verdict){.budget = budget, .runs = runs, .num_runs = num};
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) {
    if (!judge_kind(v, (enum budget_kind)kind)) return false;
  }
  qsort(v->rows, v->num, sizeof *v->rows, compare_rows);
  for (size_t i = 0; i < v->num; i++) {
    v->num_broken += v->rows[i].state == VERDICT_BROKEN;
    v->num_kept += v->rows[i].state == VERDICT_KEPT;
    v->num_unproven += v->rows[i].state == VERDICT_UNPROVEN;
  }
  return true;
}

bool verdict_is_retryable(const struct verdict *v) {
  for (size_t i = 0; i < v->num; i++) {
    if (v->rows[i].state == VERDICT_BROKEN && !budget_is_time(v->rows[i].kind)) return false;
  }
  return v->num_broken > 0;
}

void verdict_free(struct verdict *v) {
  for (size_t i = 0; i < v->num; i++) free(v->rows[i].found);
  free(v->rows);
  *v = (struct verdict){0};
}
