#pragma once
/* A place in the source: a method and a source line. Many stacks and locations share a place. The
   user can look a place up in an editor. A pseudo frame has no line: it stands for
   code that is in no Java method, or for an unknown part of a stack. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

/* 0: no place. */
typedef uint64_t place_t;

static inline place_t place(uint32_t method, uint32_t line) {
  return (uint64_t)method << 32 | line;
}
static inline uint32_t place_method(place_t p) { return (uint32_t)(p >> 32); }

/* The source line; 0: unknown. */
static inline uint32_t place_line(place_t p) { return (uint32_t)p; }

/* place_of_frame returns the place of a frame. Its line is 0 if it is unknown. */
place_t place_of_frame(const struct dump *d, struct frame frame);

/* place_type returns the signature of the class of a method; empty: it is not known. */
struct span place_type(const struct dump *d, uint32_t method);

/* place_is_platform returns whether the class of a method belongs to the JDK (is_platform_type).
   False for an unknown method. */
bool place_is_platform(const struct dump *d, uint32_t method);

/* place_is_class returns whether the name of the class with this signature ends with `end`, which
   begins after a '/' or is the whole name: "Cart" fits "Lcom/acme/Cart;". */
bool place_is_class(struct span signature, const char *end);

/* place_of_stack returns the place that says most about a stack, 0 for the empty stack:
   - the innermost frame outside of the JDK, because HashTable.put or Object.wait alone says little;
   - else the innermost frame outside of java.lang.Object and java.lang.Thread;
   - else the top frame.
   A pseudo frame at the outer end is ignored, unless it is the only frame. */
place_t place_of_stack(const struct dump *d, const struct frame *frames, size_t depth);

/* --- pseudo frames ------------------------------------------------------------------------ */

/* Frames that are not methods. They show what a thread did outside of Java code, or which part of a
   stack is unknown. Each has a MethodID of its own, so trees, flame graphs, exports and diffs need
   no special case. Their names are in parentheses. They have no class and no line. */

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
