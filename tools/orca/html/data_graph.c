#include "tools/orca/html/data.h"
#include "tools/orca/model/names.h"

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

/* The threads that the wait needs, as far as they are known. */
static void put_owners(struct data *d, const struct waiter *w) {
  const struct wait_link *owners = &d->m->hang.graph.owners[w->first_owner];
  for (size_t i = 0; i < w->num_owners; i++) {
    put_pair_owner(d, owners[i].owner, owners[i].owner_stack_is_later ? 0 : owners[i].owner_stack);
  }
}

/* The object of a wait for a class is a ClassID. */
static void put_object(struct data *d, const struct pair *pair) {
  bool is_class = pair->kind == EVENT_CLASS_INIT_WAIT;
  struct builder name = {0};
  json_key(d->j, "object");
  data_object(d, is_class ? 0 : pair->object);
  if (!is_class) return;
  names_class(&name, d->m->dump, pair->object);
  json_key(d->j, "className");
  json_string(d->j, (struct span){name.data, name.len});
  builder_free(&name);
}

static void put_waiter(struct data *d, const struct waiter *w) {
  const struct pair *pair = &w->pair;
  json_begin_object(d->j);
  json_key(d->j, "thread");
  data_thread(d, pair->thread);
  put_object(d, pair);
  json_unsigned_member(d->j, "event", pair->kind);
  json_key(d->j, "since");
  data_time(d, pair->begin);
  json_key(d->j, "ring");
  json_integer(d->j, find_ring(d, pair));
  json_key(d->j, "hangs");
  json_boolean(d->j, d->m->hang.since != 0 && !w->can_end);
  json_key(d->j, "frame");
  data_stack(d, pair->stack);
  json_key(d->j, "owners");
  json_begin_array(d->j);
  put_owners(d, w);
  json_end_array(d->j);
  json_end_object(d->j);
}

/* Who waits for work or until a time waits for nobody. */
static bool is_shown(const struct data *d, const struct waiter *w) {
  const struct model *m = d->m;
  struct pair pair = w->pair;
  pair.end = m->recording.end;
  matcher_clip_pair(&d->m->matcher, &pair);
  if (find_ring(d, &w->pair) >= 0) return true;
  bool waits = w->num_owners > 0 || lock_event_asks(pair.kind) || !w->is_asleep;
  return waits && !hang_is_idle(m, w) && matcher_pair(m->pass.matcher, &m->stacks, &pair);
}

static void put_waiters(struct data *d) {
  const struct wait_for *graph = &d->m->hang.graph;
  size_t num = 0;
  json_key(d->j, "signal");
  json_boolean(d->j, d->m->hang.moment < d->m->recording.to);
  json_key(d->j, "open");
  json_begin_array(d->j);
  for (size_t i = 0; i < graph->num; i++) {
    const struct waiter *w = &graph->waiters[i];
    if (!is_shown(d, w)) continue;
    if (num++ < HTML_BLOCKERS || find_ring(d, &w->pair) >= 0) put_waiter(d, w);
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
  put_waiters(d);
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
