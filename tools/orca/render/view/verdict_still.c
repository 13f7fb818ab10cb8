/* The sentence about a program in which nothing moves any more: the calls that had not ended when
   the recording did. */
#include <stdlib.h>
#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/stall_words.h"

#define SHOWN 3        /* groups that the sentence names */
#define OPEN_GROUPS 32 /* of which SHOWN are named */
/* Without any activity at the end: then the open calls are told. */
#define STILL_TICKS TICKS_PER_S

/* Calls of one kind at one place that had not ended when the recording did. */
struct open_group {
  uint32_t id; /* in `threads` */
  int call;    /* an enum event_kind, or CALL_IO */
  place_t place;
  stack_id_t stack; /* of one of the threads */
  ticks_t total;    /* sum over all threads */
  ticks_t shortest, longest;
  size_t num_older; /* calls that began before the recording */
};

struct open_groups {
  struct open_group rows[OPEN_GROUPS];
  size_t num;
  struct tally threads; /* by row */
};

struct open_call {
  int call;
  uint32_t thread;
  stack_id_t stack;
  ticks_t time;
  bool is_older;
};

static bool add_open_call(struct open_groups *g, const struct model *m,
                          const struct open_call *open) {
  size_t at = 0;
  place_t place = stacks_place(&m->stacks, open->stack);
  while (at < g->num && (g->rows[at].call != open->call || g->rows[at].place != place)) at++;
  if (at == OPEN_GROUPS) return true;
  if (at == g->num) {
    g->rows[g->num++] = (struct open_group){.id = (uint32_t)at,
                                            .call = open->call,
                                            .place = place,
                                            .stack = open->stack,
                                            .shortest = open->time};
  }
  struct open_group *row = &g->rows[at];
  row->total += open->time;
  if (open->time < row->shortest) row->shortest = open->time;
  if (open->time > row->longest) row->longest = open->time;
  row->num_older += open->is_older;
  return tally_add(&g->threads, (uint32_t)at, open->thread, 1, 0); /* all are named */
}

static int compare_open_groups(const void *left, const void *right) {
  const struct open_group *a = left, *b = right;
  int calls = view_compare_calls(a->call, b->call);
  if (calls != 0) return calls;
  if (a->total != b->total) return a->total < b->total ? 1 : -1;
  return a->id < b->id ? -1 : 1;
}

/* Adds the calls that began and did not end. Locks are told elsewhere. */
static bool add_begun_calls(const struct model *m, struct open_groups *out) {
  struct pair pair;
  bool matches, good = true;
  for (size_t cursor = 0; good && model_next_open(m, &cursor, &pair, &matches);) {
    struct open_call open = {(int)pair.kind, pair.thread, pair.stack, pair.end - pair.begin,
                             pair.is_older};
    bool counts = matches && !lock_event_asks(pair.kind) && pair.kind != EVENT_THREAD_SLEEP &&
                  open.time >= STILL_TICKS && !spending_is_idle(&m->spending, pair.stack);
    if (counts) good = add_open_call(out, m, &open);
  }
  return good;
}

/* Adds the threads that stand in I/O. */
static bool add_io_calls(const struct model *m, struct open_groups *out) {
  bool good = true;
  ticks_t until = m->threads.clock.tick;
  for (size_t i = 0; good && i < m->threads.num; i++) {
    const struct thread *row = &m->threads.rows[i];
    if (row->io_since == 0 || until < row->io_since + STILL_TICKS) continue;
    struct open_call open = {CALL_IO, row->hash, row->io_stack, until - row->io_since, false};
    good = add_open_call(out, m, &open);
  }
  return good;
}

/* Finds the groups, the largest first. */
static bool find_open_calls(const struct model *m, struct open_groups *out) {
  bool good = add_begun_calls(m, out) && add_io_calls(m, out);
  tally_sort(&out->threads);
  qsort(out->rows, out->num, sizeof *out->rows, compare_open_groups);
  return good;
}

/* " for 2.98 s", " for at least 2.98 s", " for 1.50 s to 2.98 s". The begin of an I/O call is known
   from samples, that of an older call is not known. */
static void put_lengths(struct builder *b, const struct open_group *row, bool is_at_least) {
  if (row->longest > row->shortest + row->shortest / 10) {
    builder_format(b, " for %s to %s", UNIT_TICKS(row->shortest), UNIT_TICKS(row->longest));
  } else {
    bool are_equal = strcmp(UNIT_TICKS(row->shortest), UNIT_TICKS(row->longest)) == 0;
    builder_format(b, " for %s%s", is_at_least || !are_equal ? "at least " : "",
                   UNIT_TICKS(row->shortest));
  }
}

static const char *choose_verb(int call) {
  return call == CALL_IO ? "been" : call == EVENT_THREAD_PARK ? "been parked" : "waited";
}

/* "main has waited in Future.get at A.b (A.java:7) for 2.98 s" */
static void put_open_group(struct builder *b, const struct model *m, const struct open_groups *g,
                           const struct open_group *row) {
  size_t num = view_num_threads(&g->threads, row->id);
  view_main_threads(b, m, &g->threads, row->id);
  builder_format(b, " %s %s", num == 1 ? "has" : "have", choose_verb(row->call));
  view_put_call(b, m, row->call, row->stack);
  if (row->place != 0) view_put_at(b, m, row->place);
  if (row->num_older == num) {
    builder_string(b, " since before the recording");
  } else {
    put_lengths(b, row, row->call == CALL_IO || row->num_older > 0);
  }
  view_put_pool_note(b, m, &g->threads, row->id, row->call);
}

/* Returns for how long nothing moved when the recording ended; 0: not for long. With patterns the
   threads that do something may be left out. */
static ticks_t find_still_time(const struct model *m) {
  ticks_t still = spending_still(&m->spending, m->recording.to);
  bool is_told = m->deadlocks.num_rings == 0 && !filter_has_patterns(&m->matcher.filter);
  return is_told && still >= STILL_TICKS ? still : 0;
}

bool view_is_still(const struct model *m) { return find_still_time(m) > 0; }

bool view_standstill_verdict(struct builder *b, const struct model *m, const struct style *style) {
  struct open_groups g = {0};
  struct builder s = {0};
  ticks_t still = find_still_time(m);
  bool good = still == 0 || find_open_calls(m, &g);
  if (g.num > 0) {
    builder_format(&s, "The program has been idle for the last %s", UNIT_TICKS(still));
    for (size_t i = 0; i < g.num && i < SHOWN; i++) {
      builder_string(&s, i == 0 ? ": " : "; ");
      put_open_group(&s, m, &g, &g.rows[i]);
    }
    builder_char(&s, '.');
  }
  view_put_sentence(b, style, &s);
  tally_free(&g.threads);
  b->failed |= !good;
  return g.num > 0;
}
