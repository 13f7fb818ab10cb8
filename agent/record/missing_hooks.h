#pragma once
/* The methods and classes that could not be hooked in a recording, each with the reason. Producers
   add them, and the writer writes them to the end of .info. Any thread, for a short time. */
#include <pthread.h>
#include <stddef.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define MISSING_HOOKS_MAX_CHOSEN 100

struct missing_hook;

struct missing_hooks {
  pthread_mutex_t lock;
  struct missing_hook *first; /* under lock: the rows in order, then what the user selected */
  size_t num_chosen;          /* entries that are not rows; under lock */
};

void missing_hooks_init(struct missing_hooks *m);

/* missing_hooks_clear removes all entries. */
void missing_hooks_clear(struct missing_hooks *m);

/* missing_hooks_set_row sets the entry of a row of tracked.def. missing_hooks_add adds an entry for
   what the user selected; after MISSING_HOOKS_MAX_CHOSEN of them it does nothing. Both copy `text`:
   "com.acme.Cart.add(I)V: it is native". Without memory they do nothing. */
void missing_hooks_set_row(struct missing_hooks *m, int row, const char *text);
void missing_hooks_add(struct missing_hooks *m, const char *text);

/* missing_hooks_visit calls `visit` for each entry. `visit` must not call functions of this file.
 */
void missing_hooks_visit(struct missing_hooks *m, void (*visit)(void *arg, const char *text),
                         void *arg);

END_C
