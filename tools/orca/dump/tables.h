#pragma once
/* The tables that explain the ids of a dump, in memory. */
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/dump/arena.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

struct info_row {
  enum info_key key;
  struct span value;
  struct info_row *next; /* the previous row of the file */
};

/* Methods of one name in classes of one origin (origin.h), with equal parameters and lines. */
struct alike_methods {
  uint32_t first; /* MethodID */
  uint32_t first_class;
  uint64_t classes;
};

/* All zero is empty. The maps contain the address of the row of each id. */
struct tables {
  struct arena memory;
  struct hashmap classes, methods, objects;
  struct hashmap origins; /* digest of a method's origin -> the first such method */
  struct hashmap alike;   /* MethodID -> struct alike_methods */
  struct info_row *info;  /* the last row of the file */
};

/* tables_load adds all lines of a file. Returns false if memory ran out. */
bool tables_load(struct tables *t, enum dump_file file, struct stream *s);

/* tables_put_info adds a key of .info. The last value of a key counts. Returns false if memory ran
   out. */
bool tables_put_info(struct tables *t, enum info_key key, struct span value);

void tables_free(struct tables *t);

END_C
