/* What the threads of a row of the spending did. */
#include <string.h>

#include "tools/orca/answer/find.h"

#define LEAST_CALLS 50
#define MOST_MEAN (TICKS_PER_S / 10) /* of a call */
#define LEAST_TIMED_OUT_PERCENT 90

const char *name_rest(enum activity activity) {
  if (activity == ACTIVITY_IO) return "io";
  return activity == ACTIVITY_SLEEPS ? "sleeps" : activity == ACTIVITY_PARKED ? "parked" : "waits";
}

/* --- calls of a row ------------------------------------------------------------------------- */

/* Whether nearly all these calls ended because their time was over. Short calls, which have no
   lines, may have ended in any way. */
static bool end_by_time(const struct stall *s) {
  if (s->kind == EVENT_THREAD_SLEEP) return true;
  if (s->short_calls.num > 0) return false;
  return s->signals == 0 ? s->kind == EVENT_THREAD_PARK
                         : s->failed * 100 >= s->count * LEAST_TIMED_OUT_PERCENT;
}

/* The calls at the place of a row that end by their time. */
static uint64_t count_calls(const struct model *m, const struct spending_row *row) {
  const struct stalls *stalls = &m->stalls;
  uint64_t calls = 0;
  for (size_t i = 0; i < stalls->num; i++) {
    const struct stall *s = &stalls->rows[i];
    size_t num = 0;
    const struct tally_row *places = NULL;
    if ((int)s->kind == row->call && end_by_time(s))
      places = tally_of(&stalls->places, s->id, &num);
    for (size_t k = 0; k < num; k++) {
      if (places[k].key == row->place) calls += places[k].count;
    }
  }
  return calls;
}

uint64_t count_polls(const struct model *m, const struct spending_row *row) {
  uint64_t calls = row->call < 0 || row->is_idle || row->place == 0 ? 0 : count_calls(m, row);
  return calls >= LEAST_CALLS && row->total / calls <= MOST_MEAN ? calls : 0;
}

/* The class of a lambda says nothing. */
struct named_place name_caller(const struct finder *f, stack_id_t stack) {
  struct lock_places none = {0};
  struct found_caller caller;
  struct named_place place = {0};
  if (find_caller(f, stack, &none, &caller)) place = name_place(f, caller.place);
  bool is_lambda = place.text != NULL && strstr(place.text, "$$Lambda") != NULL;
  return is_lambda ? (struct named_place){0} : place;
}

struct found_rest find_rest(const struct finder *f, const struct spending_row *row) {
  const struct tally *threads = &f->m->spending.threads;
  int call = row->activity == ACTIVITY_IO ? CALL_IO : row->call;
  struct found_rest rest = {.threads = name_threads(f, threads, row->id),
                            .num_threads = count_threads(threads, row->id),
                            .does = name_rest(row->activity),
                            .call = name_call(f, call, row->stack),
                            .place = name_place(f, row->place),
                            .total = found_ns(row->total),
                            .calls = count_polls(f->m, row)};
  if (rest.calls > 0) rest.caller = name_caller(f, row->stack);
  return rest;
}
