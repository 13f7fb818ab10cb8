#pragma once
/* What explains the ids of a dump, in memory. */
#include <stdbool.h>

#include "agent/base/hashmap.h"
#include "tools/orca/dump/arena.h"
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

struct info_row {
  struct span key, value;
  struct info_row *next; /* the one before it in the file */
};

/* All zero is empty. The maps lead from an id to the address of its row. */
struct tables {
  struct arena memory;
  struct hashmap classes, methods, objects;
  struct info_row *info;
};

/* tables_load reads a file whole. False where memory ran out. */
bool tables_load(struct tables *t, enum dump_file file, struct stream *s);

/* tables_put_info adds a key of .info, whose last value counts. False where memory ran out. */
bool tables_put_info(struct tables *t, struct span key, struct span value);

void tables_free(struct tables *t);

#ifdef __cplusplus
}
#endif
