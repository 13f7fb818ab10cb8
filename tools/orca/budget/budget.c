#include "tools/orca/budget/budget.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

const struct budget_kind_info budget_kinds[NUM_BUDGET_KINDS] = {
#define KIND(id, word, form, command, title, advice) {word, command, title, advice, form},
#include "tools/orca/budget/kind.def"
};

const struct budget_row *budget_find(const struct budget *b, enum budget_kind kind,
                                     const char *key) {
  for (size_t i = 0; i < b->num; i++) {
    if (b->rows[i].kind == kind && strcmp(b->rows[i].key, key) == 0) return &b->rows[i];
  }
  return NULL;
}

const struct budget_row *budget_of_lock(const struct budget *b, const char *key) {
  const struct budget_row *own = budget_find(b, BUDGET_LOCK, key);
  return own != NULL ? own : budget_find(b, BUDGET_LOCK, BUDGET_ANY_LOCK);
}

static void free_row(struct budget_row *row) {
  free(row->key);
  free(row->comment);
}

bool budget_add(struct budget *b, const struct budget_row *row) {
  void *grown = grow(b->rows, b->num, &b->capacity, sizeof *b->rows);
  if (grown == NULL) return false;
  b->rows = grown;
  struct budget_row *copy = &b->rows[b->num];
  *copy = *row;
  copy->key = strdup(row->key);
  copy->comment = strdup(row->comment == NULL ? "" : row->comment);
  bool good = copy->key != NULL && copy->comment != NULL;
  if (good) b->num++;
  if (!good) free_row(copy);
  return good;
}

static int compare_rows(const void *left, const void *right) {
  const struct budget_row *a = left, *b = right;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return strcmp(a->key, b->key);
}

void budget_sort(struct budget *b) {
  if (b->num > 0) qsort(b->rows, b->num, sizeof *b->rows, compare_rows);
}

void budget_free(struct budget *b) {
  for (size_t i = 0; i < b->num; i++) free_row(&b->rows[i]);
  free(b->rows);
  free(b->header);
  free(b->footer);
  *b = (struct budget){0};
}
