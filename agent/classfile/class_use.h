#pragma once
/* Which class an instruction initializes. */
#include "agent/classfile/pool.h"

BEGIN_C

enum class_use {
  USE_NONE,    /* the instruction initializes no class, or is not complete */
  USE_CREATES, /* `new`: the class itself is initialized */
  USE_MEMBER   /* a static field or method: the class that declares it, maybe a superclass */
};

/* class_use_at tells what the instruction at `pc` does. Unless that is USE_NONE, it sets `*name` to
   the name of the class in the instruction, such as "java/lang/Object"; it points into the pool. */
enum class_use class_use_at(struct span code, uint32_t pc, const struct pool *p, struct span *name);

END_C
