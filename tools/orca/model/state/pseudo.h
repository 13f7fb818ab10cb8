#pragma once
/* Frames that are not methods. They show what a thread did outside of Java code, or which part of a
   stack is unknown. Each has a MethodID of its own, so trees, flame graphs, exports and diffs need
   no special case. Their names are in parentheses. They have no class and no line. */
#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

/* The MethodIDs of a recording count up from 1 and never reach these. */
enum pseudo {
#define PSEUDO(id, text) PSEUDO_##id,
#include "tools/orca/model/state/pseudo.def"
  NUM_PSEUDOS
};
#define PSEUDO_FIRST_ID 0xFFFFFF00u

static inline uint32_t pseudo_method(enum pseudo pseudo) {
  return PSEUDO_FIRST_ID + (uint32_t)pseudo;
}

static inline bool pseudo_is(uint32_t method) {
  return method - PSEUDO_FIRST_ID < (uint32_t)NUM_PSEUDOS;
}

/* pseudo_is_leaf returns whether a pseudo frame is on top of a stack, called by the frame below it:
   NATIVE and JVM. */
static inline bool pseudo_is_leaf(uint32_t method) {
  return method == pseudo_method(PSEUDO_NATIVE) || method == pseudo_method(PSEUDO_JVM);
}

/* pseudo_put_name appends the name of a pseudo frame; pseudo_is must hold for `method`. The name of
   DEEPER contains the option depth of the recording if it is known: "(deeper than 64)". */
void pseudo_put_name(struct builder *b, const struct dump *d, uint32_t method);

END_C
