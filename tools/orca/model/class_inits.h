#pragma once
/* Threads that wait until another thread has initialized a class. A ClassInitWait tells that a
   thread waits so at its time; the thread has waited since its last sample before that, and waits
   until its next line. It began between that sample and the round of the sampler before, which may
   be seconds. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

struct class_init {
  uint32_t thread, class_id;
  uint32_t initializer; /* a thread: it runs the static initializer, or a superclass's first */
  stack_id_t stack;     /* of `thread` */
  ticks_t begin, end;   /* it waited at least from `begin` on */
  ticks_t earliest;     /* it may have begun to wait then */
  bool is_open;         /* had not ended when the recording did; `end` is that time */
  bool matches;         /* the filter */
};

/* The last sample of a thread. */
struct class_init_thread {
  ticks_t heard;
  ticks_t round_before; /* the round of the sampler before that */
  stack_id_t stack;
  size_t wait; /* the row in `waits` that has not ended, plus one; 0: none */
};

/* A struct of zeros is empty; class_inits_free frees its memory. */
struct class_inits {
  ticks_t tick, tick_before; /* the last two rounds of the sampler */
  struct class_init *waits;  /* in the order of their begins */
  size_t num, capacity;
  size_t num_open;
  struct hashmap ids; /* hash of a thread -> row in `threads` plus one */
  struct class_init_thread *threads;
  size_t num_threads, threads_capacity;
};

/* class_init_is_least returns whether the wait may have been notably longer than its time. */
bool class_init_is_least(const struct class_init *wait);

/* class_inits_find returns what the thread waits for at the end of the recording; NULL: not for a
   class. */
const struct class_init *class_inits_find(const struct class_inits *c, uint32_t thread);

/* class_inits_stack returns the stack of the thread in its last sample; 0: not known. */
stack_id_t class_inits_stack(const struct class_inits *c, uint32_t thread);

/* class_inits_leads returns whether the thread waits, or waits for a thread that waits, and so on
   round a ring: none of them can go on. class_inits_is_in_ring: and the thread is on the ring. */
bool class_inits_leads(const struct class_inits *c, uint32_t thread);
bool class_inits_is_in_ring(const struct class_inits *c, uint32_t thread);

void class_inits_free(struct class_inits *c);

END_C
