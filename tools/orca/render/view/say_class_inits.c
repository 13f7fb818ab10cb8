/* The words about threads that wait for the initialization of a class. */
#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/say.h"

static void put_class_link(struct builder *b, const struct found_class_link *f) {
  builder_string(b, f->thread);
  if (f->initializes != NULL) builder_format(b, " initializes %s and", f->initializes);
  builder_string(b, " waits");
  say_at(b, &f->place);
  builder_format(b, " for %s", f->class_name);
  if (f->is_super) builder_string(b, ", a superclass or interface of that");
}

/* "range waits for Offsets$Offset, too" */
static void put_others(struct builder *b, const struct found_class_deadlock *f) {
  const struct found_class_link *others = f->others.rows;
  for (size_t i = 0; i < f->others.num; i++) {
    builder_string(b, i == 0 ? ". So " : "; ");
    builder_format(b, "%s waits for %s, too", others[i].thread, others[i].class_name);
  }
  if (f->num_others > f->others.num) {
    builder_string(b, "; and ");
    unit_many(b, f->num_others - f->others.num, "more thread", "more threads");
  }
}

void say_class_deadlock(struct builder *b, const struct found_class_deadlock *f) {
  const struct found_class_link *links = f->links.rows;
  for (size_t i = 0; i < f->links.num; i++) {
    builder_string(b, i == 0 ? "DEADLOCK of class initialization: " : "; ");
    put_class_link(b, &links[i]);
  }
  put_others(b, f);
  builder_char(b, '.');
}

static void put_initializer(struct builder *b, const struct found_class_wait *f) {
  builder_format(b, ". Meanwhile %s", f->initializer);
  if (f->joins != NULL) {
    builder_format(b, " joins %s", f->joins);
  } else if (f->does != NULL) {
    builder_string(b, strcmp(f->does, "sleeps") == 0   ? " sleeps"
                      : strcmp(f->does, "parked") == 0 ? " is parked"
                      : strcmp(f->does, "io") == 0     ? " is"
                                                       : " waits");
    if (f->call != NULL) builder_format(b, " in %s", f->call);
  } else {
    builder_string(b, " was last seen");
  }
  say_at(b, &f->initializer_place);
}

/* "a and b wait at A.b and c waits at A.d" */
static void put_waiters(struct builder *b, const struct found_class_wait *f) {
  const struct found_class_waiters *waiters = f->waiters.rows;
  uint64_t told = 0;
  for (size_t i = 0; i < f->waiters.num; i++) {
    if (i > 0) builder_string(b, told + waiters[i].num_threads == f->num_threads ? " and " : ", ");
    told += waiters[i].num_threads;
    builder_format(b, "%s %s", waiters[i].threads, waiters[i].num_threads == 1 ? "waits" : "wait");
    say_at(b, &waiters[i].place);
  }
  if (told < f->num_threads) builder_format(b, " and %s more", UNIT_COUNT(f->num_threads - told));
}

void say_class_wait(struct builder *b, const struct found_class_wait *f) {
  builder_string(b, "Stuck when the recording ended: ");
  put_waiters(b, f);
  builder_format(b, " until %s has initialized %s, for %s%s", f->initializer, f->class_name,
                 f->longest_is_least   ? "at least "
                 : f->num_threads == 1 ? ""
                                       : "up to ",
                 UNIT_TIME(f->longest));
  put_initializer(b, f);
  builder_char(b, '.');
}
