#pragma once
/* The words of a report: each finding as a sentence, made of its row alone. */
#include "agent/base/extern_c.h"
#include "tools/orca/answer/finding.h"

BEGIN_C

/* say_finding appends the sentence of a finding. */
void say_finding(struct builder *b, const struct finding *finding);

/* The sentences, and those of parts that other texts contain. */
#define PART(id) void say_##id(struct builder *b, const struct found_##id *f);
#define FINDING(id, key, rank) void say_##id(struct builder *b, const struct found_##id *f);
#define FIELD(id, type, name)
#define ROWS(id, name, part)
#define END(id)
#include "tools/orca/answer/finding.def"
#undef PART
#undef FINDING
#undef FIELD
#undef ROWS
#undef END

/* --- parts of sentences --------------------------------------------------------------------- */

/* say_at appends " at A.b (A.java:7)", or " at an unknown place". */
void say_at(struct builder *b, const struct named_place *place);

/* say_the_lock appends the title of a lock, with "the " where it begins with a noun: "the monitor
   in Cart.add:12 (Object@0A1B2C3D)". */
void say_the_lock(struct builder *b, const struct named_lock *lock);

/* say_gain_of appends ": by simulation, without it the run would be 1.9 to 2.1 times as fast (6.10
   s to 2.90 s); then its CPUs are full". `gains`: at most one; nothing without one. `change`: what
   was simulated, "without it". */
void say_gain_of(struct builder *b, const struct found_rows *gains, const char *change);

/* say_only_gain appends a sentence: " By simulation, without it its threads would be 1.9 to 2.1
   times as fast." As say_gain_of, where no sentence about the path comes before. */
void say_only_gain(struct builder *b, const struct found_rows *gains, const char *change);

/* say_ended appends ", which ended 4.10 s ago without releasing it" to the name of a holder, and
   the exception that ended it; nothing for 0. `failure`: at most one. */
void say_ended(struct builder *b, uint64_t ago, const struct found_rows *failure);

/* say_failures appends " In the recording, exceptions ended …." with each; nothing without one. */
void say_failures(struct builder *b, const struct found_rows *failures);

/* say_doing appends what a thread does: " has waited for 5.22 s in CountDownLatch.await at
   Plan.deploy (Plan.java:48)". `does` must be known. */
struct said_doing {
  const char *does, *call, *joins; /* as the fields of a link */
  const struct named_place *place;
  uint64_t time;
  bool time_is_least;
  bool are_several; /* threads */
};
void say_doing(struct builder *b, const struct said_doing *doing);

/* say_pool_note appends " (these are all workers of their pool: …)"; nothing without workers. */
void say_pool_note(struct builder *b, uint64_t workers);

/* say_period_more appends for what and where threads were blocked or ran in a period: ", mostly for
   the monitor in Cart.add:12 (Object@0A1B2C3D)". */
void say_period_more(struct builder *b, const struct found_period *p);

/* say_shares appends "A.b (A.java:7) 52 %, A.c (A.java:9) 31 %, 5 more". */
void say_shares(struct builder *b, const struct found_rows *shares, uint64_t more, uint64_t whole);

END_C
