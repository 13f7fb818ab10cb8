#pragma once
/* Signals of which it is not known yet what each thread that they woke did next, and threads that
   woke and did nothing so far. From what they do, told one by one, comes how many wake-ups of a
   signal were of no use. Memory goes by what is under way. */
#include "agent/base/hashmap.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wake_judge_signal;

/* All zero is empty; wake_judge_free gives the memory back. */
struct wake_judge {
  struct hashmap pending; /* thread that woke -> what it is remembered by */
  size_t num_pending;
  struct wake_judge_signal *signals;
  size_t num_signals, signals_capacity, spare;
};

/* What became of those whom a signal woke. */
struct wake_judgement {
  uint64_t judged;  /* so many, */
  uint64_t sure;    /* of so many it is certain, */
  uint64_t useless; /* so many were woken for nothing */
};

/* wake_judge_mark is the mark of the next signal that wakes anybody. 0: memory ran out. */
size_t wake_judge_mark(struct wake_judge *j);

/* wake_judge_signal takes that signal, which woke so many; `asked`: it counts. */
void wake_judge_signal(struct wake_judge *j, uint64_t called, bool asked);

/* wake_judge_pending remembers a thread that woke until wake_judge_next asks for it; `what` is the
   caller's, not 0. False: memory ran out. */
bool wake_judge_pending(struct wake_judge *j, uint32_t thread, uint64_t what);

/* wake_judge_next forgets a thread and gives what it was remembered by; 0: it was not. */
uint64_t wake_judge_next(struct wake_judge *j, uint32_t thread);

/* wake_judge_tell: one of those who were called went `back`, or did not; `sure`: that is certain.
   Where it is the last of them, `*out` is what became of all, and the mark is void; else it is all
   zero, as it is for a signal that does not count. */
void wake_judge_tell(struct wake_judge *j, size_t mark, bool back, bool sure,
                     struct wake_judgement *out);

/* wake_judge_drop: one of them gave up at that moment, and is none of those that were woken. */
void wake_judge_drop(struct wake_judge *j, size_t mark, struct wake_judgement *out);

void wake_judge_free(struct wake_judge *j);

#ifdef __cplusplus
}
#endif
