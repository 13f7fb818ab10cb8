#pragma once
/* Classes with the methods that shortcuts ask: one for each method that is rewritten, all of which
   say false. */
#include "agent/classfile/weave.h"

struct falsehoods {
  unsigned number;      /* of the class that is being filled */
  char class_name[64];  /* java/lang/RewriteFalsehoods0 */
  struct builder names; /* the descriptors of its methods, as entries of a constant pool */
  uint32_t num;
  size_t since; /* those of the class file that is being rewritten are from here on */
};

/* falsehoods_begin stands before another class file; false when there is no room for one more. */
bool falsehoods_begin(struct falsehoods *f);

/* falsehoods_for is what the method asks. It lasts until falsehoods_next. */
struct weave_static falsehoods_for(struct falsehoods *f, const struct weave_method *m);

/* falsehoods_put writes the class, falsehoods_next goes on with an empty one. */
void falsehoods_put(const struct falsehoods *f, struct builder *out);
void falsehoods_next(struct falsehoods *f);
