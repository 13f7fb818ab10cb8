#pragma once
/* Frames that are no methods: what a CPU sample did outside of Java code, or what is not known of a
   stack. They are frames with a MethodID of their own, so that trees, flame graphs, exports and
   diffs need no case for them. Their names are in parentheses; they have no class and no line. */
#include "tools/orca/dump/dump.h"

#ifdef __cplusplus
extern "C" {
#endif

/* MethodIDs count up from 1, so that no method of a recording has one of these. */
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

/* pseudo_is_leaf tells whether that is what the frame below it called: NATIVE and JVM. */
static inline bool pseudo_is_leaf(uint32_t method) {
  return method == pseudo_method(PSEUDO_NATIVE) || method == pseudo_method(PSEUDO_JVM);
}

/* pseudo_put_name writes the name of a method that pseudo_is, "(deeper than 64)" with the option
   depth of the recording. */
void pseudo_put_name(struct builder *b, const struct dump *d, uint32_t method);

#ifdef __cplusplus
}
#endif
