#pragma once
/* Names of virtual threads that the program gave no name: "virtual thread 3 of Shop.serve:12". The
   place is where the thread was created, and the number counts the virtual threads of this place in
   the order of their start. Without a ThreadStart event the place is not known, and the name is
   "virtual thread 3". */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

struct virtual_name;

/* A struct of zeros is empty; virtual_names_free frees its memory. */
struct virtual_names {
  struct hashmap ids; /* hash of a thread -> row plus one */
  struct virtual_name *rows;
  size_t num, capacity;
  struct hashmap counts; /* place_t -> number of virtual threads that started there */
};

/* has_carrier returns whether a thread is a virtual thread that runs on carrier threads. A bound
   virtual thread is not: the JVM runs it on a thread of the kernel of its own. */
bool has_carrier(const struct dump *d, uint32_t hash);

/* is_carrier returns whether a thread runs virtual threads. */
bool is_carrier(const struct dump *d, uint32_t hash);

/* virtual_names_start takes a ThreadStart event: `hash` is the started thread, `place` the place of
   its stack. It ignores threads that are not virtual. Call it once per event, in the order of the
   file. Returns false when memory ran out. */
bool virtual_names_start(struct virtual_names *v, const struct dump *d, uint32_t hash,
                         place_t place);

/* virtual_names_put takes a ThreadStarted event without a name. It appends the name of the thread,
   or nothing if the thread is not virtual. Returns false when memory ran out. */
bool virtual_names_put(struct virtual_names *v, const struct dump *d, uint32_t hash,
                       struct builder *b);

void virtual_names_free(struct virtual_names *v);

END_C
