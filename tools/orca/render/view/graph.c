#include "tools/orca/render/view/graph.h"

#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"

/* --- cells -------------------------------------------------------------------------------- */

static ticks_t subtract_start(const struct model *m, ticks_t time) {
  return time > m->recording.start ? time - m->recording.start : 0;
}

/* A note with the text `what`, then a note for each frame. */
static void add_stack_notes(struct table *t, const struct model *m, const char *what,
                            stack_id_t stack) {
  builder_string(table_text(t), what);
  if (stack == 0) builder_string(table_text(t), " (not known)");
  table_note(t);
  view_stack_notes(t, m, stack);
}

/* --- waiters ----------------------------------------------------------------------- */

/* The context of the cells. */
struct link_context {
  const struct model *model;
  uint64_t group;
};

static const struct model *get_model(const struct cell *c) {
  return ((const struct link_context *)c->context)->model;
}

static void put_group(const struct cell *c) {
  cell_count(c->table, ((const struct link_context *)c->context)->group);
}

/* A time of 0 is not known. */
static void put_since(const struct cell *c) {
  const struct wait_link *link = c->row;
  if (c->member == &link->pair.begin && link->pair.is_older) {
    builder_string(c->text, "earlier");
    table_unknown(c->table);
    return;
  }
  ticks_t time = *(const ticks_t *)c->member;
  cell_ticks_if(c->table, time != 0, subtract_start(get_model(c), time));
}

/* A hash of 0 is not known. */
static void put_thread(const struct cell *c) {
  uint32_t thread = *(const uint32_t *)c->member;
  if (thread == 0) {
    cell_unknown(c->table);
  } else {
    names_thread(c->text, &get_model(c)->threads, thread);
  }
}

static void put_stack(const struct cell *c) {
  view_stack(c->text, get_model(c), *(const stack_id_t *)c->member, "; ");
}

/* What is no lock: the end of a thread, a class, or a task. */
static bool put_other(const struct cell *c) {
  const struct wait_link *link = c->row;
  if (link->executor != 0) {
    builder_string(c->text, "a task in the queue of ");
    names_object(c->text, get_model(c)->dump, link->executor);
    return true;
  }
  if (link->pair.kind == EVENT_CLASS_INIT_WAIT) {
    builder_string(c->text, "the initialization of ");
    names_class(c->text, get_model(c)->dump, link->pair.object);
    return true;
  }
  if (event_infos[link->pair.kind].group == GROUP_FUTURE && link->pair.object == 0) {
    builder_string(c->text, "a task");
    return true;
  }
  if (!event_joins(link->pair.kind)) return false;
  builder_string(c->text, "the end of ");
  if (link->pair.object == 0) builder_string(c->text, "a virtual thread");
  if (link->pair.object != 0) names_thread(c->text, &get_model(c)->threads, link->pair.object);
  return true;
}

static void put_link_object(const struct cell *c) {
  const struct wait_link *link = c->row;
  if (!put_other(c)) names_object(c->text, get_model(c)->dump, link->pair.object);
}

static void put_link_title(const struct cell *c) {
  const struct wait_link *link = c->row;
  if (!put_other(c)) view_lock_title(c->text, get_model(c), link->pair.object);
}

static void put_link_event(const struct cell *c) {
  const struct wait_link *link = c->row;
  builder_string(c->text, event_infos[link->pair.kind].name);
}

/* Only a lock has parts. */
static void put_link_parts(const struct cell *c) {
  const struct wait_link *link = c->row;
  if (!lock_event_asks(link->pair.kind)) return;
  view_put_lock_object(c, get_model(c)->dump, lock_sorts[lock_events[link->pair.kind].sort].key,
                       link->pair.object, 0, 1);
}

static void put_stack_parts(const struct cell *c) {
  view_put_stack_objects(c, get_model(c), *(const stack_id_t *)c->member);
}

#define LINK_THREAD(member) \
  .shrinks = true, .put = put_thread, COLUMN_MEMBER(struct wait_link, member, uint32_t)
#define LINK_SINCE(member) \
  .align = ALIGN_RIGHT, .put = put_since, COLUMN_MEMBER(struct wait_link, member, ticks_t)
#define LINK_STACK(member) .put = put_stack, COLUMN_MEMBER(struct wait_link, member, stack_id_t)

#define STACK_PARTS(type, member) .put = put_stack_parts, COLUMN_MEMBER(type, member, stack_id_t)

static const struct column link_columns[] = {
    {"", ALIGN_RIGHT, .key = "group", .put = put_group},
    {"thread", .key = "thread", LINK_THREAD(pair.thread)},
    {"waits for", .shrinks = true, .put = put_link_title},
    {.key = "waits_for", .put = put_link_object},
    {"since", .key = "since_ns", LINK_SINCE(pair.begin)},
    {"held by", .key = "owner", LINK_THREAD(owner)},
    {"which got it", .key = "owner_since_ns", LINK_SINCE(owner_since)},
    {.key = "call", .put = put_link_event},
    {.key = "stack", LINK_STACK(pair.stack)},
    {.key = "owner_stack", LINK_STACK(owner_stack)},
    {.key = "waits_for_title", .put = put_link_title},
    {.key = "waits_for_parts", .is_json = true, .put = put_link_parts},
    {.key = "stack_parts", .is_json = true, STACK_PARTS(struct wait_link, pair.stack)},
    {.key = "owner_stack_parts", .is_json = true, STACK_PARTS(struct wait_link, owner_stack)}};
#define NUM_LINK_COLUMNS (sizeof link_columns / sizeof *link_columns)

/* --- deadlocks ------------------------------------------------------------- */

void view_deadlocks(struct page *p, const struct model *m) {
  struct table *t = TABLE_NEW(link_columns);
  if (page_is_text(p) && m->deadlocks.num_rings == 0) {
    builder_format(&p->out, "\nNo deadlock%s, as far as the owners of the locks are known.\n",
                   m->matcher.active ? " in what the filters select" : "");
  }
  for (size_t i = 0; i < m->deadlocks.num; i++) {
    const struct deadlock_link *link = &m->deadlocks.links[i];
    table_add(t, &(struct link_context){m, link->ring + 1}, &link->wait);
    add_stack_notes(t, m, "waits at", link->wait.pair.stack);
    if (!lock_event_asks(link->wait.pair.kind)) continue;
    add_stack_notes(t, m,
                    link->wait.owner_stack_is_later
                        ? "its owner acquired it in the first of these methods; later it was at"
                        : "its owner acquired it at",
                    link->wait.owner_stack);
  }
  page_table(p, "deadlocks", "Deadlocks (times: since the start of the recording)", t, 0);
}

/* --- a hang ---------------------------------------------------------------- */

/* What a thread needs that can never go on; of several owners the first one. */
static struct wait_link make_hang_link(const struct hang *h, const struct waiter *w) {
  if (w->num_owners == 0) return (struct wait_link){.pair = w->pair};
  return h->graph.owners[w->first_owner];
}

void view_hang(struct page *p, const struct model *m, size_t top) {
  const struct hang *h = &m->hang;
  struct table *t = table_new(link_columns + 1, NUM_LINK_COLUMNS - 1);
  size_t num = 0;
  for (size_t i = 0; h->since != 0 && i < h->graph.num; i++) {
    const struct waiter *w = &h->graph.waiters[i];
    if (w->can_end || hang_is_idle(m, w) || deadlocks_has_thread(&m->deadlocks, w->pair.thread))
      continue;
    if (++num > top) continue;
    struct wait_link link = make_hang_link(h, w);
    table_add(t, &(struct link_context){m, 0}, &link);
    builder_format(table_text(t), "in %s at ", names_call(w->pair.kind));
    view_place_name(table_text(t), m, stacks_place(&m->stacks, w->pair.stack));
    if (w->need == WAIT_NEEDS_ANYONE && !w->is_timed)
      builder_string(table_text(t), ", and no living thread can end it");
    if (w->is_timed) builder_string(table_text(t), ", until its time limit is over");
    table_note(t);
  }
  page_table(p, "hang", h->is_part ? "Threads that cannot go on" : "No thread can go on", t,
             num > top ? num - top : 0);
}

/* --- lock orders ----------------------------------------------------------- */

/* The context of a struct order. */
struct order_context {
  struct link_context link; /* first, for get_model and put_group */
  const struct order_ring *ring;
};

static void put_has(const struct cell *c) {
  names_object(c->text, get_model(c)->dump, ((const struct order *)c->row)->has.object);
}

static void put_asks(const struct cell *c) {
  names_object(c->text, get_model(c)->dump, ((const struct order *)c->row)->asks.object);
}

static void put_has_title(const struct cell *c) {
  view_lock_title(c->text, get_model(c), ((const struct order *)c->row)->has.object);
}

static void put_asks_title(const struct cell *c) {
  view_lock_title(c->text, get_model(c), ((const struct order *)c->row)->asks.object);
}

static void put_has_parts(const struct cell *c) {
  const struct order *order = c->row;
  view_put_lock_object(c, get_model(c)->dump, lock_sorts[order->has.sort].key, order->has.object, 0,
                       1);
}

static void put_asks_parts(const struct cell *c) {
  const struct order *order = c->row;
  view_put_lock_object(c, get_model(c)->dump, lock_sorts[order->asks.sort].key, order->asks.object,
                       0, 1);
}

static void put_alike(const struct cell *c) {
  cell_raw(c->table, ((const struct order_context *)c->context)->ring->alike);
}

static void put_gates_known(const struct cell *c) {
  builder_string(c->text, ((const struct order *)c->row)->partial ? "no" : "yes");
}

#define ORDER_STACK(member) .put = put_stack, COLUMN_MEMBER(struct order, member, stack_id_t)

static const struct column order_columns[] = {
    {"", ALIGN_RIGHT, .key = "group", .put = put_group},
    {"thread", .shrinks = true, .key = "thread", .put = put_thread,
     COLUMN_MEMBER(struct order, thread, uint32_t)},
    {"has", .shrinks = true, .put = put_has_title},
    {.key = "has", .put = put_has},
    {"and asks for", .shrinks = true, .put = put_asks_title},
    {.key = "asks_for", .put = put_asks},
    {"times", .key = "times", COLUMN_COUNT(struct order, times)},
    {"first", ALIGN_RIGHT, .key = "first_ns", .put = put_since,
     COLUMN_MEMBER(struct order, first, ticks_t)},
    {.key = "alike", .put = put_alike},
    {.key = "gates_known", .put = put_gates_known},
    {.key = "has_stack", ORDER_STACK(has_stack)},
    {.key = "asks_stack", ORDER_STACK(asks_stack)},
    {.key = "has_title", .put = put_has_title},
    {.key = "asks_for_title", .put = put_asks_title},
    {.key = "has_parts", .is_json = true, .put = put_has_parts},
    {.key = "asks_for_parts", .is_json = true, .put = put_asks_parts},
    {.key = "has_stack_parts", .is_json = true, STACK_PARTS(struct order, has_stack)},
    {.key = "asks_stack_parts", .is_json = true, STACK_PARTS(struct order, asks_stack)}};

void view_orders(struct page *p, const struct model *m, size_t top) {
  const struct orders *o = &m->orders;
  size_t shown = o->num_rings < top ? o->num_rings : top;
  struct table *t = TABLE_NEW(order_columns);
  for (size_t i = 0; i < shown; i++) {
    const struct order_ring *ring = &o->rings[i];
    struct order_context context = {{m, i + 1}, ring};
    for (size_t k = 0; k < ring->num; k++) {
      const struct order *order = &o->links[ring->first + k];
      table_add(t, &context, order);
      add_stack_notes(t, m, "acquired the first at", order->has_stack);
      add_stack_notes(t, m, "asks for the other at", order->asks_stack);
    }
    if (ring->alike > 0) {
      unit_many(table_text(t), ring->alike, "more group", "more groups");
      builder_string(table_text(t), " of other locks at the same lines");
      table_note(t);
    }
    if (!ring->partial) continue;
    builder_string(
        table_text(t),
        "other locks that these threads held are not known; one of them may prevent the deadlock");
    table_note(t);
  }
  page_table(p, "orders", "Locks taken in an order that can deadlock", t, o->num_rings - shown);
}

/* --- over time ------------------------------------------------------------- */

void view_moment(struct page *p, const struct wait_graph *g, const char *heading, size_t top) {
  size_t shown = g->num_moment < top ? g->num_moment : top;
  struct table *t = table_new(link_columns + 1, NUM_LINK_COLUMNS - 1);
  for (size_t i = 0; i < shown; i++) {
    const struct wait_link *link = &g->moment[i];
    const struct model *m = g->model;
    table_add(t, &(struct link_context){m, 0}, link);
    builder_string(table_text(t), "at ");
    view_place_name(table_text(t), m, stacks_place(&m->stacks, link->pair.stack));
    table_note(t);
  }
  page_table(p, "waiting", heading, t, g->num_moment - shown);
}

void view_chain(struct page *p, const struct wait_graph *g) {
  struct builder heading = {0};
  struct table *t = TABLE_NEW(link_columns);
  size_t num = g->num_chain > 1 ? g->num_chain : 0;
  for (size_t i = 0; i < num; i++) {
    table_add(t, &(struct link_context){g->model, i + 1}, &g->chain[i]);
  }
  builder_format(&heading, "The longest row of threads, each waiting for the next one: at %s%c",
                 UNIT_TICKS(subtract_start(g->model, g->chain_time)), '\0');
  page_table(p, "longest_row", heading.failed ? "" : heading.data, t, 0);
  builder_free(&heading);
}

void view_broken_rings(struct page *p, const struct wait_graph *g, size_t top) {
  struct table *t = TABLE_NEW(link_columns);
  size_t shown = 0;
  for (size_t i = 0; i < g->num_rings && shown < top; i++) {
    const struct wait_ring *ring = &g->rings[i];
    if (!ring->ended) continue;
    struct link_context context = {g->model, ++shown};
    for (size_t k = 0; k < ring->num; k++) table_add(t, &context, &g->links[ring->first + k]);
    builder_format(table_text(t), "came apart after %s", UNIT_TICKS(ring->end - ring->begin));
    table_note(t);
  }
  page_table(p, "came_apart", "Rings that came apart, as a thread gave up", t,
             (size_t)g->all_rings - shown);
}

/* --- limits ---------------------------------------------------------------- */

void view_graph_limits(struct builder *b, const struct model *m, const struct style *style) {
  bool monitors = coverage_has_uses(dump_coverage(m->dump), LOCK_MONITOR);
  bool locks = coverage_has_uses(dump_coverage(m->dump), LOCK_LOCK);
  struct builder s = {0};
  if (locks && monitors) return;
  style_heading(b, style, "What this recording cannot tell");
  if (!monitors) {
    builder_string(&s,
                   "The owner of a monitor is known only if a thread was blocked on it for some "
                   "time. The options monitors=all,filter=com.acme.* record every acquisition: "
                   "its thread, order and location. ");
  }
  if (!locks) {
    builder_string(&s,
                   "Other locks and their owners are known only for the times when a thread had "
                   "to wait; the option locks=all records every acquisition.");
  }
  view_put_sentence(b, style, &s);
}
