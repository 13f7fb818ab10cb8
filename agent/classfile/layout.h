#pragma once
/* A method's code with the hooks between its instructions: where everything comes to stand, and
   the bytes. This is how the new code looks:

       goto_w body             only where a conditional jump needs to be passed on from here
       goto_w T …
     body:
       SHORTCUT                which jumps to its end, or returns
     entry:
       nop                     where anything stands before it: two frames at one place cannot be
       the code, with inserts at some of its instructions
       HANDLER                 where any exception goes
       goto_w T …              as above

   A jump that became too far is a goto_w where it was a goto. A conditional one has no wide form;
   it jumps to a `goto_w T` at the start or the end instead. (The other way, the opposite condition
   over a goto_w, needs a stack map frame behind the goto_w, and nobody knows the types there. The
   frame of a `goto_w T` is the one of T.) */
#include "agent/classfile/opcodes.h"
#include "agent/classfile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CODE_MAX 65535 /* JVM specification 4.7.3, code_length */

/* What there is to know of an old pc. */
enum {
  MARK_START = 1,     /* an instruction begins */
  MARK_UNBORN = 2,    /* `this` is not initialised yet */
  MARK_WIDE = 4,      /* its goto or jsr became wide */
  MARK_VIA_START = 8, /* its jump is passed on at the start */
  MARK_VIA_END = 16,  /* its jump is passed on at the end */
};

/* What may be put in. */
enum insert {
  INSERT_NONE,
  INSERT_EXIT,     /* before a return */
  INSERT_ENTER,    /* where the method, or a constructor's part with hooks, begins */
  INSERT_LOCK,     /* before a monitorenter, */
  INSERT_LOCKED,   /* and behind it */
  INSERT_UNLOCK,   /* before a monitorexit; or else, monitors.h tells when, */
  INSERT_RELEASE,  /* before it, */
  INSERT_RELEASED, /* and behind it */
  NUM_INSERTS
};

struct layout {
  struct span code;
  uint8_t *marks;   /* [code.len + 1], as all of these */
  uint8_t *between; /* the insert between the instruction before and this one: jumps go behind it */
  uint8_t *before;  /* that before this one, to which jumps go */
  uint32_t *to;     /* where a jump to an old pc goes now */
  struct span inserts[NUM_INSERTS], shortcut, handler; /* the bytes */
  bool handler_has_first;                              /* it needs the object in local variable 0 */
  uint32_t num_via_start, num_via_end;
};

/* layout_read finds the instructions of `code`, which must outlive the layout, and checks that
   each jump goes to one. WEAVE_WOVEN or why not; layout_free in either case. */
enum weave_status layout_read(struct layout *l, struct span code);
void layout_free(struct layout *l);

/* layout_next is the pc behind the instruction at `pc`. */
uint32_t layout_next(const struct layout *l, uint32_t pc);

/* layout_jump is the i-th old pc that the instruction at `pc` may jump to, of jump_count (jumps.h).
 */
uint32_t layout_jump(const struct layout *l, uint32_t pc, uint32_t i);

/* layout_place computes `to` from the marks and the hooks, and chooses the jumps to widen. */
enum weave_status layout_place(struct layout *l);

/* layout_old_start: an instruction begins at this old pc. */
bool layout_old_start(const struct layout *l, uint32_t pc);

/* layout_uses: this insert stands somewhere. */
bool layout_uses(const struct layout *l, enum insert insert);

/* Where things stand in the new code, once placed. */
uint32_t layout_body(const struct layout *l);
uint32_t layout_entry(const struct layout *l);
uint32_t layout_at(const struct layout *l, uint32_t pc); /* the instruction itself */
uint32_t layout_handler(const struct layout *l);
uint32_t layout_len(const struct layout *l);

/* Where the range of an exception handler begins and ends that had this old pc there. What is put
   behind an instruction is in the range that begins there, and not in one that ends there; but
   ENTER is in neither. */
uint32_t layout_range_start(const struct layout *l, uint32_t pc);
uint32_t layout_range_end(const struct layout *l, uint32_t pc);

/* The k-th `goto_w T` at the start, or at the end: those of the jumps with MARK_VIA_START, or
   MARK_VIA_END, in their order. */
uint32_t layout_via_start(uint32_t k);
uint32_t layout_via_end(const struct layout *l, uint32_t k);

/* layout_put writes the new code. */
void layout_put(const struct layout *l, struct builder *out);

#ifdef __cplusplus
}
#endif
