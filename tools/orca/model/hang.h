#pragma once
/* Whether the program could still go on when the recording ended. It hangs if no thread of it can:
   each waits for another one, or for a signal that no thread is left to send. A part of it hangs if
   some threads need only each other, while others run.

   Who can: a thread that runs, is ready to run, sleeps, waits until a time, or for something
   outside of the JVM, and who waits for such a thread (wait_for.h). Only a time limit for the
   results of others does not count (has_limits): to give up is no progress. The JVM's own threads
   (jvm_thread.def) do not count. A thread of a pool that waits for a task can go on only if another
   one gives it a task. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/state/stacks.h"
#include "tools/orca/model/wait_for.h"

BEGIN_C

struct model;
struct thread;

/* A struct of zeros is empty; hang_free frees its memory. */
struct hang {
  struct wait_for graph; /* of the moment; its waits are those of threads that the program has */
  ticks_t moment;        /* the end; or when a signal began to end the JVM */
  ticks_t since;         /* since then these threads could not go on; 0: no thread hangs */
  bool is_part;          /* other threads can go on */
  bool has_limits;       /* a time limit of a wait can end it */
  bool is_known;         /* all threads and events are known, and the program did not end */
};

/* hang_is_idle returns whether a waiter is a thread of a pool, the JDK or the JVM that waits for
   work. */
bool hang_is_idle(const struct model *m, const struct waiter *waiter);

/* hang_is_jvm_thread returns whether a thread is in jvm_thread.def. */
bool hang_is_jvm_thread(const struct thread *t);

/* hang_is_main returns whether this is the thread main; hang_lives, whether a thread lived at the
   moment of the graph. hang_is_in_task returns whether a stack is in a task of a pool. */
bool hang_is_main(const struct model *m, uint32_t thread);
bool hang_lives(const struct hang *h, const struct thread *t);
bool hang_is_in_task(const struct model *m, stack_id_t stack);

/* hang_lasts returns whether a waiter is another thread, and has waited for more than a moment at
   the end, with no time limit after which it has something to do. False if that is not known. */
bool hang_lasts(const struct model *m, const struct waiter *waiter);

void hang_free(struct hang *h);

END_C
