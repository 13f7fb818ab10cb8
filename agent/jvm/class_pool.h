#pragma once
/* The constant pool of a loaded class. */
#include <jvmti.h>

#include "agent/classfile/pool.h"

BEGIN_C

/* All zero is empty. class_pool_free frees the memory. */
struct class_pool {
  struct builder bytes;
  struct pool pool;
};

/* class_pool_read reads the pool of a class. Returns false, and there is nothing to free, if the
   JVM does not give it or without memory. The pool of an old version of a class is not known. */
bool class_pool_read(struct class_pool *p, jvmtiEnv *ti, jclass klass);
void class_pool_free(struct class_pool *p);

END_C
