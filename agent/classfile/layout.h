#pragma once
/* The new code of a method: where each instruction goes when hooks are inserted, and the bytes. A
   pc is a byte offset in the original code ("old pc") or in the new code ("new pc"). The new code
   consists of:

       goto_w body             only if a conditional jump uses a trampoline at the start
       goto_w T …              the trampolines at the start
     body:
       SHORTCUT                jumps to its own end, or returns
     entry:
       nop                     only if anything precedes it: a pc cannot have two stack map frames
       the original code, with an insert before some of its instructions
       HANDLER                 the handler for every exception
       goto_w T …              the trampolines at the end

   A goto whose target became too far is replaced by a goto_w. A conditional jump has no wide form.
   It jumps to a trampoline instead: a `goto_w T` at the start or the end of the code. The
   alternative, the opposite condition over a goto_w, needs a stack map frame after the goto_w, and
   the types there are unknown. The frame of a trampoline is the frame of its target T. */
#include "agent/base/extern_c.h"
#include "agent/classfile/opcodes.h"
#include "agent/classfile/status.h"

BEGIN_C

#define CODE_MAX 65535 /* JVM specification 4.7.3, code_length */

/* Flags of an old pc. */
enum {
  MARK_START = 1,         /* an instruction starts here */
  MARK_UNINITIALIZED = 2, /* `this` is not initialized yet (constructor.h) */
  MARK_WIDE = 4,          /* its goto or jsr became wide */
  MARK_VIA_START = 8,     /* its jump uses a trampoline at the start */
  MARK_VIA_END = 16,      /* its jump uses a trampoline at the end */
};

/* The pieces of code that are inserted between instructions. */
enum insert {
  INSERT_NONE,
  INSERT_EXIT,          /* before a return */
  INSERT_ENTER,         /* at the start of the method, or where a constructor calls `enter` */
  INSERT_BEFORE_LOCK,   /* before a monitorenter */
  INSERT_AFTER_LOCK,    /* after a monitorenter */
  INSERT_BEFORE_UNLOCK, /* before a monitorexit, unless the next two are used (monitors.h) */
  INSERT_COPY_MONITOR,  /* before a monitorexit: duplicates the reference for the next one */
  INSERT_AFTER_UNLOCK,  /* after a monitorexit */
  NUM_INSERTS
};

/* The arrays have an element for each old pc and one for the end of the code. */
struct layout {
  struct span code;     /* the original code */
  uint8_t *marks;       /* [code.len + 1] MARK_ flags */
  uint8_t *between;     /* [code.len + 1] the insert at this pc that jumps to the pc skip */
  uint8_t *before;      /* [code.len + 1] the insert at this pc, after `between`, that jumps to the
                           pc execute too */
  uint32_t *new_target; /* [code.len + 1] the new pc that jumps to this old pc now go to */
  struct span inserts[NUM_INSERTS], shortcut, handler; /* their bytes; not owned */
  bool handler_has_local_zero;         /* the handler loads the object in local variable 0 */
  uint32_t num_via_start, num_via_end; /* the number of trampolines */
};

/* layout_read finds the instructions of `code` and checks that each jump goes to one. `code` must
   outlive the layout. Returns WEAVE_WOVEN or the reason for the failure. Call layout_free in
   either case. */
enum weave_status layout_read(struct layout *l, struct span code);
void layout_free(struct layout *l);

/* layout_next returns the old pc after the instruction at the old pc `pc`. */
uint32_t layout_next(const struct layout *l, uint32_t pc);

/* layout_old_target returns the old pc of the i-th jump target of the instruction at `pc`. `i` is
   less than jump_count (opcodes.h). */
uint32_t layout_old_target(const struct layout *l, uint32_t pc, uint32_t i);

/* layout_place computes `new_target` from the marks and the inserts, and chooses the jumps that
   become wide or use a trampoline. Returns WEAVE_WOVEN or WEAVE_CODE_FULL. */
enum weave_status layout_place(struct layout *l);

/* layout_is_old_start tells whether an instruction starts at this old pc. */
bool layout_is_old_start(const struct layout *l, uint32_t pc);

/* layout_has_insert tells whether any pc has this insert. */
bool layout_has_insert(const struct layout *l, enum insert insert);

/* New pcs, valid after layout_place. */
uint32_t layout_body(const struct layout *l);
uint32_t layout_entry(const struct layout *l);
uint32_t layout_new_pc(const struct layout *l, uint32_t pc); /* of the instruction at an old pc */
uint32_t layout_handler(const struct layout *l);
uint32_t layout_new_len(const struct layout *l); /* the length of the new code in bytes */

/* The new start and the new end of an exception handler's range that started or ended at this old
   pc. An insert after an instruction belongs to the range that starts there, not to the range that
   ends there. INSERT_ENTER belongs to neither. */
uint32_t layout_range_start(const struct layout *l, uint32_t pc);
uint32_t layout_range_end(const struct layout *l, uint32_t pc);

/* The new pc of the k-th trampoline at the start, or at the end. The trampolines are in the order
   of the jumps that use them: those with MARK_VIA_START, or MARK_VIA_END. */
uint32_t layout_via_start(uint32_t k);
uint32_t layout_via_end(const struct layout *l, uint32_t k);

/* layout_put appends the new code to `out`. */
void layout_put(const struct layout *l, struct builder *out);

END_C
