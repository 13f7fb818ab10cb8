#pragma once
/* Stack map frames (JVM specification 4.7.4): the types that the locals and the operand stack have
   at a jump target. The verifier checks them. */
#include "agent/base/extern_c.h"
#include "agent/classfile/big_endian.h"
#include "agent/classfile/layout.h"
#include "agent/classfile/pool.h"

BEGIN_C

/* The verification types, numbered as in a StackMapTable. */
enum vtag {
  V_TOP,
  V_INTEGER,
  V_FLOAT,
  V_DOUBLE,
  V_LONG,
  V_NULL,
  V_UNINITIALIZED_THIS,
  V_OBJECT,        /* operand: the number of its class in the constant pool */
  V_UNINITIALIZED, /* operand: the pc of its `new` */
};

struct vtype {
  uint8_t tag; /* enum vtag */
  uint16_t operand;
};

/* How an entry of the table encodes a frame relative to the previous frame. */
enum frame_form {
  FRAME_SAME,   /* the same locals, an empty stack */
  FRAME_STACK1, /* the same locals, one value on the stack */
  FRAME_CHOP,   /* without the last `num_changed` locals, an empty stack */
  FRAME_APPEND, /* with `num_changed` more locals, an empty stack */
  FRAME_FULL,   /* independent of the previous frame */
};

struct frame_types {
  enum frame_form form;
  uint32_t num_changed;
  struct vtype *locals, *stack;
  uint32_t num_locals, num_stack;
};

/* An iteration over the frames of a method. `pc` and `types` belong to the current frame. The
   iteration starts at the frame of the method's entry, whose `pc` is -1. */
struct frame_walk {
  struct cursor table; /* the entries of a StackMapTable */
  uint32_t left;       /* the number of entries that are not read yet */
  int64_t pc;
  struct frame_types types;
  uint32_t max_locals, max_stack;
};

/* The source of a method's frames. The frame at the entry follows from the descriptor, the other
   frames come from the table. */
struct frame_origin {
  struct span descriptor;
  bool is_static;
  struct vtype this_type; /* the type of local 0 if the method is not static */
  uint32_t max_locals, max_stack;
  struct span table; /* the body of the StackMapTable; {NULL, 0}: the code has none */
};

/* frame_walk_start starts at the frame of the entry. It finds the classes of the arguments in
   `pool` or adds them to it. If `pool` is NULL their operand is 0. Returns WEAVE_WOVEN or the
   reason for the failure. Call frame_walk_end in either case. */
enum weave_status frame_walk_start(struct frame_walk *w, const struct frame_origin *origin,
                                   struct pool *pool);

/* frame_walk_next goes to the next frame. Returns false after the last frame, or if the table is
   malformed; then w->table.failed is set. */
bool frame_walk_next(struct frame_walk *w);
void frame_walk_end(struct frame_walk *w);

/* A StackMapTable that is being written, in the order of the frames' pcs. All zero is empty. */
struct frame_table {
  struct builder entries;
  uint32_t num;
  uint32_t min_pc; /* the smallest pc that the next frame may have */
};

/* frame_put appends the frame `types` at the new pc `pc`. The operands of uninitialized types in
   `types` are old pcs, which it moves. Returns false if no instruction starts at such an old pc. */
bool frame_put(struct frame_table *t, uint32_t pc, const struct frame_types *types,
               const struct layout *l);

END_C
