#pragma once
/* CPU time by method: self is time with the method on top of the stack, total is time with it
   anywhere on the stack, counted once however often it stands there. First sample, then rank. Time
   in native code and in the JVM is self time of the innermost method; a pseudo frame has a row
   where it is a stack by itself.

   With the sampler of CPU time each row of struct spread is one cpu_add. A sample at a safepoint
   tells how much CPU time its thread used since the one before, not where. A thread that
   is blocked or waits in this moment did not use it there; so what it used goes to the stack where
   it is next seen at work, or, if it is not again, was seen last. Over many samples each stack gets
   its due, as a busy stack is met more often. */
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cpu_method {
  uint32_t method;
  uint64_t self_ns, total_ns;
  uint64_t native_ns, jvm_ns; /* of the self time: in native code and in the JVM on its behalf */
  place_t place;  /* the line of it where most of the time goes: self time where it has any */
  place_t caller; /* for a method of the JDK: the program's own place that burns most through it */
  place_t called_from; /* `caller`, else the frame that calls it in most of its time; PSEUDO_ROOT
                          where it is the outermost one */
  bool is_native;      /* some frame of it is native */
};

/* All zero is empty; cpu_free gives the memory back. */
struct cpu {
  struct matcher *matcher; /* whose stacks are asked for; the caller's, as is: */
  const struct stacks *stacks;
  struct profile *profile; /* NULL, or where it goes by thread too; the caller's */
  uint64_t *stack_ns;      /* by stack id */
  size_t num_stacks, stacks_capacity;
  struct hashmap carried;     /* thread -> CPU time whose stack is still to be seen */
  struct hashmap last;        /* thread -> the last stack it was seen at work in */
  uint64_t total_ns;          /* that is asked for */
  uint64_t no_stack_ns;       /* of the total: time of threads that were never seen at work */
  uint64_t num_samples;       /* that saw a thread at work and used CPU time */
  struct cpu_method *methods; /* by self time, then by total, largest first */
  size_t num_methods, methods_capacity;
};

/* cpu_start says what is asked for; without it all is. */
void cpu_start(struct cpu *c, struct matcher *matcher, const struct stacks *stacks);

/* cpu_sample takes the CPU time that a thread used since it was sampled before, and the stack in
   which it is at work now; 0: it is not. False where memory runs out. */
bool cpu_sample(struct cpu *c, uint32_t thread, uint64_t ns, stack_id_t stack);

/* cpu_add takes CPU time whose stack is known; 0: it is not. False where memory runs out. */
bool cpu_add(struct cpu *c, uint32_t thread, uint64_t ns, stack_id_t stack);

/* cpu_forget drops what was taken so far. */
void cpu_forget(struct cpu *c);

/* cpu_sort_by_total puts the ranked methods in the order of their total time instead. */
void cpu_sort_by_total(struct cpu *c);

/* cpu_hottest is the method with the most self time, NULL where no method has any: pseudo frames do
   not count. */
const struct cpu_method *cpu_hottest(const struct cpu *c);

/* cpu_pseudo_ns is the time of the stacks that are this pseudo frame alone. */
uint64_t cpu_pseudo_ns(const struct cpu *c, enum pseudo pseudo);

/* cpu_of_profile fills an empty `c` with another value of a profile, as if that were CPU time; rank
   it then. False where memory runs out. */
bool cpu_of_profile(struct cpu *c, const struct profile *p, enum profile_value value);

/* cpu_rank fills `methods`. Once, behind the last sample. False where memory runs out. */
bool cpu_rank(struct cpu *c, const struct stacks *stacks, const struct dump *d);

void cpu_free(struct cpu *c);

#ifdef __cplusplus
}
#endif
