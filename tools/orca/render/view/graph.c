#include "tools/orca/render/view/graph.h"

#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"

/* --- cells -------------------------------------------------------------------------------- */

static ticks_t subtract_start(const struct model *m, ticks_t time) {
  return time > m->recording.start ? time - m->recording.start : 0;
}

static void cell_since(struct table *t, const struct model *m, ticks_t time) {
  if (time == 0) {
    cell_unknown(t);
  } else {
    cell_ticks(t, subtract_start(m, time));
  }
}

static void cell_thread(struct table *t, const struct model *m, uint32_t thread) {
  if (thread == 0) {
    cell_unknown(t);
    return;
  }
  names_thread(table_text(t), &m->threads, thread);
  table_next(t);
}

static void cell_object(struct table *t, const struct model *m, enum event_kind kind,
                        uint32_t object) {
  if (kind == EVENT_THREAD_JOIN) {
    builder_string(table_text(t), "the end of ");
    names_thread(table_text(t), &m->threads, object);
  } else {
    names_object(table_text(t), m->dump, object);
  }
  table_next(t);
}

static void cell_stack(struct table *t, const struct model *m, stack_id_t stack) {
  view_stack(table_text(t), m, stack, "; ");
  table_next(t);
}

/* A note with the text `what`, then a note for each frame. */
static void note_stack(struct table *t, const struct model *m, const char *what, stack_id_t stack) {
  builder_string(table_text(t), what);
  if (stack == 0) builder_string(table_text(t), " (not known)");
  table_note(t);
  view_stack_notes(t, m, stack);
}

/* --- waiters ----------------------------------------------------------------------- */

static const struct column link_columns[] = {{"", ALIGN_RIGHT, false, "group"},
                                             {"thread", ALIGN_LEFT, true, "thread"},
                                             {"waits for", ALIGN_LEFT, true, "waits_for"},
                                             {"since", ALIGN_RIGHT, false, "since_ns"},
                                             {"held by", ALIGN_LEFT, true, "owner"},
                                             {"which got it", ALIGN_RIGHT, false, "owner_since_ns"},
                                             {NULL, ALIGN_LEFT, false, "call"},
                                             {NULL, ALIGN_LEFT, false, "stack"},
                                             {NULL, ALIGN_LEFT, false, "owner_stack"}};
#define NUM_LINK_COLUMNS (sizeof link_columns / sizeof *link_columns)

static void put_link(struct table *t, const struct model *m, const struct wait_link *link) {
  cell_thread(t, m, link->thread);
  cell_object(t, m, link->kind, link->object);
  cell_since(t, m, link->since);
  cell_thread(t, m, link->owner);
  cell_since(t, m, link->owner_since);
  cell_text(t, event_infos[link->kind].name);
  cell_stack(t, m, link->stack);
  cell_stack(t, m, link->owner_stack);
}

static void put_stacks(struct table *t, const struct model *m, const struct wait_link *link) {
  note_stack(t, m, "waits at", link->stack);
  if (link->kind != EVENT_THREAD_JOIN)
    note_stack(t, m, "its owner acquired it at", link->owner_stack);
}

/* --- deadlocks ------------------------------------------------------------- */

void view_deadlocks(struct page *p, const struct model *m) {
  struct table *t = table_new(link_columns, NUM_LINK_COLUMNS);
  if (page_is_text(p) && m->deadlocks.num_rings == 0) {
    builder_string(&p->out, "\nNo deadlock, as far as the owners of the locks are known.\n");
  }
  for (size_t i = 0; i < m->deadlocks.num; i++) {
    const struct deadlock_link *link = &m->deadlocks.links[i];
    const struct pair *pair = &link->pair;
    struct wait_link waits = {pair->kind,  pair->thread, pair->object,      link->owner,
                              pair->stack, pair->begin,  link->owner_stack, link->owner_since};
    cell_count(t, link->ring + 1);
    put_link(t, m, &waits);
    put_stacks(t, m, &waits);
  }
  page_table(p, "deadlocks", "Deadlocks (times: since the start of the recording)", t, 0);
}

/* --- lock orders ----------------------------------------------------------- */

static const struct column order_columns[] = {
    {"", ALIGN_RIGHT, false, "group"},      {"thread", ALIGN_LEFT, true, "thread"},
    {"has", ALIGN_LEFT, true, "has"},       {"and asks for", ALIGN_LEFT, true, "asks_for"},
    {"times", ALIGN_RIGHT, false, "times"}, {"first", ALIGN_RIGHT, false, "first_ns"},
    {NULL, ALIGN_RIGHT, false, "alike"},    {NULL, ALIGN_LEFT, false, "gates_known"},
    {NULL, ALIGN_LEFT, false, "has_stack"}, {NULL, ALIGN_LEFT, false, "asks_stack"}};

static void put_order(struct table *t, const struct model *m, const struct order *order,
                      const struct order_ring *ring, size_t group) {
  cell_count(t, group);
  cell_thread(t, m, order->thread);
  names_object(table_text(t), m->dump, order->has.object);
  table_next(t);
  names_object(table_text(t), m->dump, order->asks.object);
  table_next(t);
  cell_count(t, order->times);
  cell_since(t, m, order->first);
  cell_raw(t, ring->alike);
  cell_text(t, order->partial ? "no" : "yes");
  cell_stack(t, m, order->has_stack);
  cell_stack(t, m, order->asks_stack);
  note_stack(t, m, "acquired the first at", order->has_stack);
  note_stack(t, m, "asks for the other at", order->asks_stack);
}

static void put_ring_notes(struct table *t, const struct order_ring *ring) {
  if (ring->alike > 0) {
    unit_many(table_text(t), ring->alike, "more group", "more groups");
    builder_string(table_text(t), " of other locks at the same lines");
    table_note(t);
  }
  if (!ring->partial) return;
  builder_string(
      table_text(t),
      "other locks that these threads held are not known; one of them may prevent the deadlock");
  table_note(t);
}

void view_orders(struct page *p, const struct model *m, size_t top) {
  const struct orders *o = &m->orders;
  size_t shown = o->num_rings < top ? o->num_rings : top;
  struct table *t = table_new(order_columns, sizeof order_columns / sizeof *order_columns);
  for (size_t i = 0; i < shown; i++) {
    const struct order_ring *ring = &o->rings[i];
    for (size_t k = 0; k < ring->num; k++) put_order(t, m, &o->links[ring->first + k], ring, i + 1);
    put_ring_notes(t, ring);
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
    put_link(t, m, link);
    builder_string(table_text(t), "at ");
    view_place_name(table_text(t), m, stacks_place(&m->stacks, link->stack));
    table_note(t);
  }
  page_table(p, "waiting", heading, t, g->num_moment - shown);
}

void view_chain(struct page *p, const struct wait_graph *g) {
  struct builder heading = {0};
  struct table *t = table_new(link_columns, NUM_LINK_COLUMNS);
  size_t num = g->num_chain > 1 ? g->num_chain : 0;
  for (size_t i = 0; i < num; i++) {
    cell_count(t, i + 1);
    put_link(t, g->model, &g->chain[i]);
  }
  builder_string(&heading, "The longest row of threads, each waiting for the next one: at ");
  unit_ticks(&heading, subtract_start(g->model, g->chain_time));
  builder_char(&heading, '\0');
  page_table(p, "longest_row", heading.failed ? "" : heading.data, t, 0);
  builder_free(&heading);
}

void view_broken_rings(struct page *p, const struct wait_graph *g, size_t top) {
  struct table *t = table_new(link_columns, NUM_LINK_COLUMNS);
  size_t shown = 0;
  for (size_t i = 0; i < g->num_rings && shown < top; i++) {
    const struct wait_ring *ring = &g->rings[i];
    if (!ring->ended) continue;
    shown++;
    for (size_t k = 0; k < ring->num; k++) {
      cell_count(t, shown);
      put_link(t, g->model, &g->links[ring->first + k]);
    }
    builder_string(table_text(t), "came apart after ");
    unit_ticks(table_text(t), ring->end - ring->begin);
    table_note(t);
  }
  page_table(p, "came_apart", "Rings that came apart, as a thread gave up", t,
             (size_t)g->all_rings - shown);
}

/* --- limits ---------------------------------------------------------------- */

void view_graph_limits(struct builder *b, const struct model *m, const struct style *style) {
  struct span value;
  bool monitors = dump_option(m->dump, "monitors", &value) && span_is(value, "all");
  struct builder s = {0};
  if (m->pass.holders.all && monitors) return;
  style_heading(b, style, "What this recording cannot tell");
  if (!monitors) {
    builder_string(&s,
                   "The owner of a monitor is known only if a thread was blocked on it for some "
                   "time. The options monitors=all,filter=com.acme.* record every acquisition: "
                   "its thread, order and location. ");
  }
  if (!m->pass.holders.all) {
    builder_string(&s,
                   "Other locks and their owners are known only for the times when a thread had "
                   "to wait; the option locks=all records every acquisition.");
  }
  view_say(b, style, &s);
}
