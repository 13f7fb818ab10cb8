#pragma once
/* Calls of a collection of the JDK that call the program back for its keys, such as HashMap.put,
   which calls Key.equals. Their time is spread over methods of the JDK and of the program. */
#include "tools/orca/answer/find.h"

BEGIN_C

struct operation {
  uint32_t class_id;       /* of the collection; 0: there is no such operation */
  uint32_t method;         /* the method that the program calls; 0: several */
  place_t caller;          /* the place of the program that calls it most */
  bool has_one_caller;     /* nearly always */
  bool has_shared_buckets; /* a hash map has nodes for many keys in one bucket */
  uint64_t ns;             /* its CPU time, with all that it calls */
};

/* operations_find returns the collection whose operations have nearly all self time of a method, if
   they compare keys for most of their time. */
struct operation operations_find(const struct finder *f, const struct cpu_method *hot);

/* operations_has returns whether a stack is in an operation of this collection. */
bool operations_has(const struct model *m, const struct operation *o, stack_id_t stack);

END_C
