#pragma once
/* The recordings that are in one place, by the common part of the names of their files. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* All zero is empty; free it with stems_free. */
struct stems {
  char **names; /* in alphabetical order, each once */
  size_t num, capacity;
};

/* stems_find takes the name of a file. If it is a file of a recording, it sets `*out` to the stem,
   "a/shop" of "a/shop.0001.info", and returns true. */
bool stems_find(struct span file, struct span *out);

/* stems_add adds a stem. Returns false if memory ran out. */
bool stems_add(struct stems *s, struct span stem);

/* stems_read adds the recordings that are in a folder itself. Returns false if memory ran out. */
bool stems_read(struct stems *s, const char *folder);

/* stems_put_choice appends which recordings `place` contains, at least one: some of their names,
   and how to name one of several, "PLACE/NAME". */
void stems_put_choice(const struct stems *s, const char *place, struct builder *why);

void stems_free(struct stems *s);

END_C
