#pragma once
/* What a signal handler saw of its thread, on the way to the thread that decodes it. All memory is
   there before the first signal. Captures move between two lock-free stacks of concurrencykit, the
   unused ones and the filled ones; unlike the reservation of a ring, a handler that is interrupted
   in between holds nobody up. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAPTURE_STACK_BYTES (128 * 1024 - 256) /* the rest is the other fields */

struct capture {
  void *next;       /* a link of ck's stack; first */
  int64_t cpu_ns;   /* CPU time since the thread's capture before */
  uint32_t thread;  /* hash */
  int32_t state;    /* JavaThread::_thread_state */
  uint64_t mounted; /* the number of the virtual thread that a carrier runs; 0: none or not known */
  uintptr_t pc, sp, fp;
  uintptr_t bcp; /* register r13: the interpreter keeps its bytecode pointer there */
  uintptr_t anchor_sp, anchor_pc, anchor_fp; /* where Java code was left; 0: it was not */
  uint32_t stack_len;                        /* bytes in `stack` */
  uint8_t stack[CAPTURE_STACK_BYTES];        /* from `sp` on */
};

struct captures;

/* captures_new makes `num` of them; their pages are only taken from the kernel when they are first
   used. NULL without memory. captures_free: no handler can be inside any more. */
struct captures *captures_new(size_t num);
void captures_free(struct captures *c);

/* captures_take gives an unused one, NULL where none is left; captures_put hands a filled one to
   the decoder. Any thread, also in a signal handler. */
struct capture *captures_take(struct captures *c);
void captures_put(struct captures *c, struct capture *filled);

/* captures_filled takes all that are filled, oldest first, linked by `next`; NULL: none.
   captures_return gives one back. One thread. */
struct capture *captures_filled(struct captures *c);
void captures_return(struct captures *c, struct capture *done);

#ifdef __cplusplus
}
#endif
