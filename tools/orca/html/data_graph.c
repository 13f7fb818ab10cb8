#include "tools/orca/html/data.h"

/* --- at the end of the recording ---------------------------------------------------------- */

static uint64_t make_ring_key(const struct pair *pair) {
  return (uint64_t)pair->thread << 32 | pair->object;
}

/* The ring of the deadlock that this wait is part of; -1: none. */
static int64_t find_ring(const struct data *d, const struct pair *pair) {
  uint64_t ring = 0;
  hashmap_get(&d->rings, make_ring_key(pair), &ring);
  return (int64_t)ring - 1;
}

static void put_pair_owner(struct data *d, uint32_t thread, stack_id_t stack) {
  json_begin_array(d->j);
  data_thread(d, thread);
  data_stack(d, stack);
  json_end_array(d->j);
}

/* The owners of the lock, or the thread that is joined. */
static void put_owners(struct data *d, const struct pair *pair) {
  const struct holders *holders = &d->m->pass.holders;
  const struct hold *hold = NULL;
  bool asks = lock_event_asks(pair->kind), known = false;
  while (asks &&
         (hold = holders_next(holders, pair->kind, pair->object, pair->thread, hold)) != NULL) {
    put_pair_owner(d, hold->thread, hold->stack);
    known = true;
  }
  if (asks && !known && pair->owner != 0) put_pair_owner(d, pair->owner, 0);
  if (event_joins(pair->kind)) put_pair_owner(d, pair->object, 0);
}

static void put_open_pair(struct data *d, const struct pair *pair) {
  json_begin_object(d->j);
  json_key(d->j, "thread");
  data_thread(d, pair->thread);
  json_key(d->j, "object");
  data_object(d, pair->object);
  json_unsigned_member(d->j, "event", pair->kind);
  json_key(d->j, "since");
  data_time(d, pair->begin);
  json_key(d->j, "ring");
  json_integer(d->j, find_ring(d, pair));
  json_key(d->j, "frame");
  data_stack(d, pair->stack);
  json_key(d->j, "owners");
  json_begin_array(d->j);
  put_owners(d, pair);
  json_end_array(d->j);
  json_end_object(d->j);
}

static void put_all_open(struct data *d) {
  struct pair pair;
  size_t num = 0;
  bool matches;
  json_key(d->j, "open");
  json_begin_array(d->j);
  for (size_t cursor = 0; model_next_open(d->m, &cursor, &pair, &matches);) {
    if (!lock_event_asks(pair.kind) && !event_joins(pair.kind)) continue;
    bool in_ring = find_ring(d, &pair) >= 0;
    if (!in_ring && !matches) continue;
    if (num++ < HTML_BLOCKERS || in_ring) put_open_pair(d, &pair);
  }
  json_end_array(d->j);
  json_unsigned_member(d->j, "openAll", num);
}

/* --- in the whole recording ------------------------------------------------------------- */

/* The least total time of a row that is shown. The rows are sorted by group, so the longest ones
   can be anywhere. */
static uint64_t find_least_shown(const struct tally *t) {
  struct longest longest;
  uint64_t least = 0;
  if (t->num <= HTML_BLOCKERS || !longest_start(&longest, HTML_BLOCKERS)) return 0;
  for (size_t i = 0; i < t->num; i++) {
    longest_add(&longest, &(struct pair){.end = t->rows[i].total});
  }
  longest_sort(&longest);
  least = longest.rows[longest.num - 1].end;
  longest_free(&longest);
  return least;
}

void data_graph(struct data *d) {
  for (size_t i = 0; i < d->m->deadlocks.num; i++) {
    const struct deadlock_link *link = &d->m->deadlocks.links[i];
    d->failed |= !hashmap_put(&d->rings, make_ring_key(&link->wait.pair), link->ring + 1);
  }
  json_key(d->j, "graph");
  json_begin_object(d->j);
  put_all_open(d);
  const struct tally *t = &d->g->blockers;
  uint64_t least = find_least_shown(t);
  json_key(d->j, "run");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num; i++) {
    if (t->rows[i].total < least) continue;
    data_thread(d, t->rows[i].group);
    data_thread(d, (uint32_t)t->rows[i].key);
    json_unsigned(d->j, t->rows[i].count);
    data_ticks(d, t->rows[i].total);
  }
  json_end_array(d->j);
  json_unsigned_member(d->j, "rings", d->m->deadlocks.num_rings);
  json_end_object(d->j);
}
