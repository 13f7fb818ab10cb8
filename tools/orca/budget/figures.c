#include "tools/orca/budget/figures.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

static struct figure *find_figure(const struct figures *f, enum budget_kind kind, const char *key) {
  for (size_t i = 0; i < f->num; i++) {
    if (f->rows[i].kind == kind && strcmp(f->rows[i].key, key) == 0) return &f->rows[i];
  }
  return NULL;
}

const struct figure *figures_find(const struct figures *f, enum budget_kind kind, const char *key) {
  return find_figure(f, kind, key);
}

static void free_figure(struct figure *figure) {
  free(figure->key);
  free(figure->text);
  free(figure->path);
}

static char *copy_text(const char *text) { return strdup(text == NULL ? "" : text); }

bool figures_add(struct figures *f, const struct figure *figure) {
  struct figure *known = find_figure(f, figure->kind, figure->key == NULL ? "" : figure->key);
  if (known != NULL) {
    known->number += figure->number;
    known->total_ns += figure->total_ns;
    if (figure->longest_ns > known->longest_ns) known->longest_ns = figure->longest_ns;
    known->sorts |= figure->sorts;
    known->may_lack |= figure->may_lack;
    return true;
  }
  void *grown = grow(f->rows, f->num, &f->capacity, sizeof *f->rows);
  if (grown == NULL) return false;
  f->rows = grown;
  struct figure *copy = &f->rows[f->num];
  *copy = *figure;
  copy->key = copy_text(figure->key);
  copy->text = copy_text(figure->text);
  copy->path = copy_text(figure->path);
  bool good = copy->key != NULL && copy->text != NULL && copy->path != NULL;
  if (good) f->num++;
  if (!good) free_figure(copy);
  return good;
}

const char figures_lack_orders[] =
    "the recording has more inversions than are listed, so one that the file lacks need not be new";

bool figures_are_complete(const struct figures *f, enum budget_kind kind) {
  return f->unproven[kind] == NULL || strcmp(f->unproven[kind], figures_lack_orders) != 0;
}

uint64_t figures_scaled(const struct figures *f, uint64_t value) {
  return (uint64_t)((unsigned __int128)value * FIGURES_SCALE / f->scale);
}

struct more_waits figures_more_waits(const struct figures *f, unsigned sorts) {
  struct more_waits sum = {0};
  for (int sort = 0; sort < NUM_LOCK_SORTS; sort++) {
    if (sorts != 0 && (sorts & 1u << sort) == 0) continue;
    sum.number += f->more[sort].number;
    if (f->more[sort].longest_ns > sum.longest_ns) sum.longest_ns = f->more[sort].longest_ns;
  }
  return sum;
}

bool figures_is_least(const struct figures *f, const struct figure *figure) {
  return figure->kind == BUDGET_LOCK && figures_more_waits(f, figure->sorts).number > 0;
}

void figures_free(struct figures *f) {
  for (size_t i = 0; i < f->num; i++) free_figure(&f->rows[i]);
  free(f->rows);
  *f = (struct figures){0};
}
