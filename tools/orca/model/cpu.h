#pragma once
/* CPU time by method. Self time is the time with the method on top of the stack. Total time is the
   time with the method anywhere on the stack; a method counts once per stack. Time in native code
   and in the JVM is self time of the innermost Java method. A pseudo frame has a row only if it is
   a whole stack.

   With the CPU sampler (signals), cpu_add takes each row of struct spread.

   With samples at safepoints, cpu_sample takes each Sample line. A Sample line has the CPU time
   that its thread used since its last Sample line. It does not show in which stack the thread used
   it. A thread that is blocked or waiting at the sample did not use it there. So the time is
   carried to the next stack in which the thread runs. If the thread is not seen running again, the
   time goes to the last stack in which it ran. Over many samples the error is small, because a busy
   stack is sampled more often. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/profile.h"

BEGIN_C

struct cpu_method {
  uint32_t method;
  uint64_t self_ns, total_ns;
  uint64_t native_ns, jvm_ns; /* parts of the self time: in native code, in the JVM */
  place_t place;       /* the line with most self time; without self time, with most total time */
  place_t caller;      /* for a method of the JDK: the program's place that uses most self time
                          through it; else 0 */
  place_t called_from; /* `caller`; if that is 0, the place that calls the method for most of its
                          total time; PSEUDO_ROOT if the method is outermost */
  bool is_native;      /* one of its frames is native */
};

/* A struct of zeros is empty; cpu_free frees its memory. */
struct cpu {
  struct matcher *matcher;     /* only stacks that match count; NULL: all. The caller's */
  const struct stacks *stacks; /* the caller's */
  struct profile *profile; /* receives the time by thread and stack too; NULL: none. The caller's */
  uint64_t *stack_ns;      /* by stack_id_t */
  size_t num_stacks, stacks_capacity;
  struct hashmap carried;     /* thread -> CPU time that waits for the next stack of the thread */
  struct hashmap last;        /* thread -> the last stack in which it ran */
  uint64_t total_ns;          /* of all stacks that match */
  uint64_t no_stack_ns;       /* of `total_ns`: time without a stack */
  uint64_t num_samples;       /* samples of a running thread that had used CPU time */
  struct cpu_method *methods; /* by self time, then by total time, the largest first */
  size_t num_methods, methods_capacity;
};

/* cpu_start makes only the stacks count that match. The matcher and the stacks must outlive `c`.
   Without cpu_start all stacks count. */
void cpu_start(struct cpu *c, struct matcher *matcher, const struct stacks *stacks);

/* cpu_sample takes the CPU time of a Sample line in nanoseconds, and the stack in which its thread
   is running; 0 if it is not running. It returns false when memory ran out. */
bool cpu_sample(struct cpu *c, uint32_t thread, uint64_t ns, stack_id_t stack);

/* cpu_add takes CPU time in nanoseconds whose stack is known, or is 0. It returns false when memory
   ran out. */
bool cpu_add(struct cpu *c, uint32_t thread, uint64_t ns, stack_id_t stack);

/* cpu_forget drops all time that was taken so far, also in the profile. */
void cpu_forget(struct cpu *c);

/* cpu_rank fills `methods`. Call it once, after all time was taken. It returns false when memory
   ran out. */
bool cpu_rank(struct cpu *c, const struct stacks *stacks, const struct dump *d);

/* cpu_sort_by_total sorts the ranked methods by total time, the largest first. */
void cpu_sort_by_total(struct cpu *c);

/* cpu_hottest returns the method with most self time. It ignores pseudo frames. It returns NULL if
   no method has self time. */
const struct cpu_method *cpu_hottest(const struct cpu *c);

/* cpu_pseudo_ns returns the time of the stacks that consist of this pseudo frame alone. */
uint64_t cpu_pseudo_ns(const struct cpu *c, enum pseudo pseudo);

/* cpu_of_profile fills an empty `c` with another value of a profile instead of CPU time. Call
   cpu_rank after it. It returns false when memory ran out. */
bool cpu_of_profile(struct cpu *c, const struct profile *p, enum profile_value value);

void cpu_free(struct cpu *c);

END_C
