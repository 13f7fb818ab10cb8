#pragma once
/* Captures: copies of a thread's registers and stack, made by a signal handler and decoded later by
   the sampler's thread. All memory is reserved before the first signal. A capture moves between two
   lock-free stacks of concurrencykit: the unused captures and the filled ones. A signal handler
   that is interrupted between taking and adding a capture blocks no other thread; a ring's
   reservation would. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"

BEGIN_C

#define CAPTURE_STACK_BYTES (128 * 1024 - 256) /* the other fields of struct capture fit in 256 */

struct capture {
  void *next;       /* the link of ck's stack; must be the first field */
  uint64_t time_ns; /* clock_monotonic_ns */
  int64_t cpu_ns;   /* CPU time since the thread's previous capture */
  uint32_t thread;  /* identity hash of the thread that the signal interrupted */
  int32_t state;    /* JavaThread::_thread_state */
  uint64_t mounted; /* java.lang.Thread.tid of the virtual thread on this carrier; 0: unknown */
  uintptr_t pc, sp, fp;
  uintptr_t lr;  /* the link register; 0 on x86-64 */
  uintptr_t bcp; /* the register with the bytecode pointer while the interpreter runs */
  uintptr_t anchor_sp, anchor_pc, anchor_fp; /* the JavaFrameAnchor; 0: no last Java frame */
  uint32_t stack_len;                        /* bytes used in `stack` */
  uint8_t stack[CAPTURE_STACK_BYTES];        /* content of the stack, from `sp` upwards */
};

struct captures;

/* captures_new reserves memory for `num` captures. The kernel provides each page at its first use.
   Returns NULL if memory runs out. Any thread. */
struct captures *captures_new(size_t num);

/* captures_free releases all captures. No signal handler may use them any more. NULL is allowed. */
void captures_free(struct captures *c);

/* captures_take returns an unused capture, which the caller then owns; NULL if all are in use.
   captures_put passes a filled capture to the decoder. Any thread, also in a signal handler. */
struct capture *captures_take(struct captures *c);
void captures_put(struct captures *c, struct capture *filled);

/* captures_take_filled returns all filled captures, oldest first, linked by `next`; NULL if there
   are none. The caller passes each to captures_return after use. Decoder thread only. */
struct capture *captures_take_filled(struct captures *c);
void captures_return(struct captures *c, struct capture *done);

END_C
