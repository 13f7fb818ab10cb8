#pragma once
/* Counts the useless wake-ups of each signal (a notify, …). A wake-up is useless if the woken
   thread goes back to the same wait. The caller reports the outcome of each wake-up. The report of
   the last one completes the judgement of the signal. Memory: the signals and woken threads whose
   outcome is not known yet. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"

BEGIN_C

struct judged_signal;

/* All zero is empty; wake_judge_free frees the memory. */
struct wake_judge {
  struct hashmap pending; /* woken thread -> value of wake_judge_put_thread; 0: none */
  size_t num_pending;
  struct judged_signal *signals;
  size_t num_signals, signals_capacity;
  size_t spare; /* the first free slot of `signals`, plus one: the next mark */
};

/* The outcome of one signal. */
struct wake_judgement {
  uint64_t judged;  /* threads that it woke */
  uint64_t sure;    /* of them: the outcome is certain */
  uint64_t useless; /* of them: woken for nothing */
};

/* wake_judge_next_mark returns the mark of the next signal, 0 when memory ran out. Further calls
   return the same mark until wake_judge_add_signal uses it. */
size_t wake_judge_next_mark(struct wake_judge *j);

/* wake_judge_add_signal adds the signal with that mark, which wakes `num_woken` threads. If it
   wakes none, nothing is added. `counts`: the signal matches the filter. */
void wake_judge_add_signal(struct wake_judge *j, uint64_t num_woken, bool counts);

/* wake_judge_put_thread stores a value for a woken thread: anything but 0. Returns false when
   memory ran out. */
bool wake_judge_put_thread(struct wake_judge *j, uint32_t thread, uint64_t value);

/* wake_judge_take_thread removes a thread and returns its value, 0 if it has none. */
uint64_t wake_judge_take_thread(struct wake_judge *j, uint32_t thread);

/* wake_judge_report reports the outcome for one thread that the signal `mark` woke. `is_back`: it
   went back to its wait; `is_sure`: this is certain. The report for the last thread stores the
   judgement in `*out` and invalidates the mark. Other reports, and all for a signal that does not
   count, set `*out` to zero. */
void wake_judge_report(struct wake_judge *j, size_t mark, bool is_back, bool is_sure,
                       struct wake_judgement *out);

/* wake_judge_exclude_thread removes one thread from those that the signal woke, because its wait
   failed at the same moment. `*out` is as above. */
void wake_judge_exclude_thread(struct wake_judge *j, size_t mark, struct wake_judgement *out);

void wake_judge_free(struct wake_judge *j);

END_C
