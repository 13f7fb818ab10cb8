#pragma once
/* Makes the classes with the static methods that shortcuts call. Each has the name "ask", takes the
   parameters of a rewritten method, and returns false. */
#include "agent/classfile/weave.h"

/* The class that is being made. */
struct falsehoods {
  unsigned number;            /* of the class */
  char class_name[64];        /* java/lang/RewriteFalsehoods0 */
  struct builder descriptors; /* the descriptors of its methods, as entries of a constant pool */
  uint32_t num;               /* of its methods */
  size_t file_start;          /* the offset in `descriptors` of those of the current class file */
};

/* falsehoods_begin begins the next class file. Returns false if the class is full. */
bool falsehoods_begin(struct falsehoods *f);

/* falsehoods_for returns the method that the shortcut of `m` calls, and adds it if it is missing.
   The strings of the result are valid until falsehoods_next. No two class files may contain the
   same class: its methods would be added twice, which JVMs refuse. */
struct weave_static falsehoods_for(struct falsehoods *f, const struct weave_method *m);

/* falsehoods_put appends the class to `out`. falsehoods_next begins the next, empty class. */
void falsehoods_put(const struct falsehoods *f, struct builder *out);
void falsehoods_next(struct falsehoods *f);
