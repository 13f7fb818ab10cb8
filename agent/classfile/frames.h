#pragma once
/* Stack map frames (JVM specification 4.7.4): what the verifier has to find in the locals and on
   the operand stack where the code is jumped to. */
#include "agent/classfile/big_endian.h"
#include "agent/classfile/layout.h"
#include "agent/classfile/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vtag {
  V_TOP,
  V_INTEGER,
  V_FLOAT,
  V_DOUBLE,
  V_LONG,
  V_NULL,
  V_UNINITIALIZED_THIS,
  V_OBJECT,        /* operand: its class in the constant pool */
  V_UNINITIALIZED, /* operand: the pc of its `new` */
};

struct vtype {
  uint8_t tag;
  uint16_t operand;
};

/* How a frame is told from the one before. */
enum frame_form {
  FRAME_SAME,   /* the same locals, an empty stack */
  FRAME_STACK1, /* the same locals, one thing on the stack */
  FRAME_CHOP,   /* without the last `change` locals, an empty stack */
  FRAME_APPEND, /* with `change` more locals, an empty stack */
  FRAME_FULL,
};

struct frame_types {
  enum frame_form form;
  uint32_t change;
  struct vtype *locals, *stack;
  uint32_t num_locals, num_stack;
};

/* A walk over the frames of a method. `pc` and `types` are those of the frame walked to last; both
   before the first frame are those of the method's entry, where `pc` is -1. */
struct frame_walk {
  struct cursor table; /* the entries of a StackMapTable */
  uint32_t left;       /* number of them that are still to come */
  int64_t pc;
  struct frame_types types;
  uint32_t max_locals, max_stack;
};

/* The frames of a method: that at its entry follows from its descriptor, the others are told. */
struct frame_origin {
  struct span descriptor;
  bool is_static;
  struct vtype this_type; /* of local 0 where it is not static */
  uint32_t max_locals, max_stack;
  struct span table; /* the body of the StackMapTable; {NULL, 0}: there is none */
};

/* frame_walk_start stands at the entry. The classes of the arguments are found in `pool` or added
   to it; with NULL they are left out: operand 0. WEAVE_WOVEN or why not; frame_walk_end after it in
   either case. */
enum weave_status frame_walk_start(struct frame_walk *w, const struct frame_origin *origin,
                                   struct pool *pool);

/* frame_walk_next goes to the next frame. False at the end or where the table is malformed, which
   w->table.failed tells apart. */
bool frame_walk_next(struct frame_walk *w);
void frame_walk_end(struct frame_walk *w);

/* A StackMapTable that is being written: frames in the order of their pcs. All zero is empty. */
struct frame_table {
  struct builder entries;
  uint32_t num;
  uint32_t least_pc; /* that the next frame may have */
};

/* frame_put appends a frame that stands at `pc` of the new code. The operands of uninitialised
   types are old pcs; false where they are none. */
bool frame_put(struct frame_table *t, uint32_t pc, const struct frame_types *types,
               const struct layout *l);

#ifdef __cplusplus
}
#endif
