#include "agent/record/missing_hooks.h"

#include <limits.h>
#include <stdlib.h>

#include "agent/base/memory.h"

#define NO_ROW INT_MAX /* after all rows */

struct missing_hook {
  struct missing_hook *next;
  int row;
  char *text;
};

void missing_hooks_init(struct missing_hooks *m) {
  *m = (struct missing_hooks){0};
  pthread_mutex_init(&m->lock, NULL);
}

/* Removes the entry that `link` points to. */
static void remove_hook(struct missing_hook **link) {
  struct missing_hook *hook = *link;
  *link = hook->next;
  free(hook->text);
  free(hook);
}

void missing_hooks_clear(struct missing_hooks *m) {
  pthread_mutex_lock(&m->lock);
  while (m->first != NULL) remove_hook(&m->first);
  m->num_chosen = 0;
  pthread_mutex_unlock(&m->lock);
}

/* Inserts an entry after those of smaller rows and of no row. Replaces the entry of the same row.
   The caller holds the lock. */
static void insert_hook(struct missing_hooks *m, int row, const char *text) {
  struct missing_hook *hook = memory_new(sizeof *hook), **link = &m->first;
  char *copy = memory_new_text(text);
  if (hook == NULL || copy == NULL) {
    free(hook);
    free(copy);
    return;
  }
  while (*link != NULL && ((*link)->row < row || row == NO_ROW)) link = &(*link)->next;
  if (*link != NULL && (*link)->row == row) remove_hook(link);
  *hook = (struct missing_hook){*link, row, copy};
  *link = hook;
}

void missing_hooks_set_row(struct missing_hooks *m, int row, const char *text) {
  pthread_mutex_lock(&m->lock);
  insert_hook(m, row, text);
  pthread_mutex_unlock(&m->lock);
}

void missing_hooks_add(struct missing_hooks *m, const char *text) {
  pthread_mutex_lock(&m->lock);
  if (m->num_chosen < MISSING_HOOKS_MAX_CHOSEN) {
    m->num_chosen++;
    insert_hook(m, NO_ROW, text);
  }
  pthread_mutex_unlock(&m->lock);
}

void missing_hooks_visit(struct missing_hooks *m, void (*visit)(void *arg, const char *text),
                         void *arg) {
  pthread_mutex_lock(&m->lock);
  for (struct missing_hook *hook = m->first; hook != NULL; hook = hook->next) {
    visit(arg, hook->text);
  }
  pthread_mutex_unlock(&m->lock);
}
