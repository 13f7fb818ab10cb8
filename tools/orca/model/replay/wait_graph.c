#include "tools/orca/model/replay/wait_graph.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"

/* Nested waits of one thread; the innermost one counts. */
#define NESTED 4

struct wait_row {
  struct wait_link links[NESTED];
  unsigned num;
  size_t ring; /* that contains the thread, plus one; 0: none */
};

void wait_graph_start(struct wait_graph *g, struct model *m, ticks_t at) {
  *g = (struct wait_graph){.model = m, .at = at};
  holders_start(&g->holders, m->dump);
}

/* --- rows --------------------------------------------------------------------------------- */

/* Returns the row of a thread, NULL if it does not wait. */
static struct wait_row *find_waiting_row(const struct wait_graph *g, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&g->ids, thread, &at);
  return at == 0 || g->rows[at - 1].num == 0 ? NULL : &g->rows[at - 1];
}

static struct wait_link *get_innermost_wait(struct wait_row *row) {
  return &row->links[row->num - 1];
}

static bool does_wait_match(const struct wait_graph *g, const struct wait_link *link,
                            ticks_t until) {
  const struct model *m = g->model;
  struct pair pair = link->pair;
  pair.end = until;
  if (pair.end <= pair.begin) pair.end = pair.begin + 1;
  return matcher_pair(m->locks.matcher, &m->stacks, &pair);
}

/* Sets the owner that the link has now: another thread may have got the lock since. The owner of a
   semaphore stays the one from the begin of the wait, because nothing shows that it changed. */
static void update_owner(const struct holders *holders, struct wait_link *link) {
  enum event_kind kind = link->pair.kind;
  if (event_joins(kind) || lock_events[kind].sort == LOCK_SEMAPHORE) return;
  uint32_t owner = holders_owner_now(holders, &link->pair);
  if (owner != link->owner) holders_set_owner(holders, link, owner);
}

/* --- chains and rings -------------------------------------------------------------- */

static bool has_thread_link(const struct wait_link *links, size_t num, uint32_t thread) {
  for (size_t i = 0; i < num; i++) {
    if (links[i].pair.thread == thread) return true;
  }
  return false;
}

/* Follows the owners, from a thread that begins to wait. Returns whether they lead back to it. They
   may also lead into a ring that the thread is not part of: then the chain ends with that ring. */
static bool follow_owners(const struct wait_graph *g, struct wait_row *row, struct wait_link *out,
                          size_t *out_num) {
  uint32_t start = get_innermost_wait(row)->pair.thread;
  *out_num = 0;
  while (row != NULL && *out_num < WAIT_CHAIN) {
    struct wait_link *link = get_innermost_wait(row);
    update_owner(&g->holders, link);
    out[(*out_num)++] = *link;
    if (link->owner == start) return true;
    bool is_end = link->owner == 0 || has_thread_link(out, *out_num, link->owner);
    row = is_end ? NULL : find_waiting_row(g, link->owner);
  }
  return false;
}

/* Adds a ring, unless WAIT_RINGS are recorded. */
static bool add_wait_ring(struct wait_graph *g, const struct wait_link *links, size_t num,
                          ticks_t now) {
  if (g->num_rings == WAIT_RINGS) return true;
  struct wait_ring *ring = &g->rings[g->num_rings++];
  *ring = (struct wait_ring){.first = g->num_links, .num = num, .begin = now};
  for (size_t i = 0; i < num; i++) {
    struct wait_row *row = find_waiting_row(g, links[i].pair.thread);
    if (row != NULL) row->ring = g->num_rings;
  }
  for (size_t i = 0; i < num; i++) {
    void *grown = grow(g->links, g->num_links, &g->links_capacity, sizeof *g->links);
    if (grown == NULL) return false;
    g->links = grown;
    g->links[g->num_links++] = links[i];
  }
  return true;
}

/* Records the ring that a new wait closes, or its chain if that is the longest one. */
static bool record_chain(struct wait_graph *g, struct wait_row *row, ticks_t now) {
  struct wait_link chain[WAIT_CHAIN];
  size_t num;
  bool is_ring = follow_owners(g, row, chain, &num);
  if (!does_wait_match(g, &chain[0], now)) return true;
  if (is_ring) return add_wait_ring(g, chain, num, now);
  if (num <= g->num_chain) return true;
  memcpy(g->chain, chain, num * sizeof *chain);
  g->num_chain = num;
  g->chain_time = now;
  return true;
}

static void end_ring(struct wait_graph *g, struct wait_row *row, ticks_t now) {
  struct wait_ring *ring = row->ring == 0 ? NULL : &g->rings[row->ring - 1];
  row->ring = 0;
  if (ring == NULL || ring->ended) return;
  ring->end = now;
  ring->ended = true;
  g->all_rings++;
}

/* --- waits ----------------------------------------------------------------- */

static bool begin_wait_link(struct wait_graph *g, const struct step *step) {
  const struct event_line *line = step->event;
  struct wait_row *row =
      rows_at(&g->ids, line->thread, &g->rows, &g->num, &g->capacity, sizeof *row, NULL);
  if (row == NULL) return false;
  if (row->num == NESTED) row->num--;
  struct wait_link *link = &row->links[row->num++];
  *link = (struct wait_link){.pair = {.kind = line->kind,
                                      .thread = line->thread,
                                      .object = line->object,
                                      .last_owner = step->owner,
                                      .owner_time = step->time,
                                      .stack = step->stack,
                                      .begin = step->time,
                                      .is_older = step->origin == STEP_OLDER},
                             .owner = line->object};
  if (!event_joins(line->kind)) holders_set_owner(&g->holders, link, step->owner);
  return record_chain(g, row, step->time);
}

/* Takes a MonitorOwner: the owner that the thread waits for has changed. */
static bool change_owner(struct wait_graph *g, const struct step *step) {
  const struct event_line *line = step->event;
  struct wait_row *row = find_waiting_row(g, line->thread);
  struct wait_link *link = row == NULL ? NULL : get_innermost_wait(row);
  bool is_about = link != NULL && link->pair.kind == EVENT_MONITOR_CONTENDED_ENTER &&
                  link->pair.object == line->object;
  if (!is_about || step->owner == 0) return true;
  link->pair.last_owner = step->owner;
  link->pair.owner_time = step->time;
  if (link->owner == step->owner) return true;
  end_ring(g, row, step->time);
  holders_set_owner(&g->holders, link, step->owner);
  return record_chain(g, row, step->time);
}

static void end_wait_link(struct wait_graph *g, const struct pair *pair) {
  struct wait_row *row = find_waiting_row(g, pair->thread);
  if (row == NULL) return;
  end_ring(g, row, pair->end);
  unsigned at = row->num;
  while (at > 0 && row->links[at - 1].pair.kind != pair->kind) at--;
  if (at > 0) row->num = at - 1;
}

/* --- the moment ------------------------------------------------------------ */

static int compare_wait_links(const void *left, const void *right) {
  const struct wait_link *a = left, *b = right;
  if (a->pair.begin != b->pair.begin) return a->pair.begin < b->pair.begin ? -1 : 1;
  return (a->pair.thread > b->pair.thread) - (a->pair.thread < b->pair.thread);
}

static bool record_moment(struct wait_graph *g, ticks_t now) {
  g->has_moment = true;
  for (size_t i = 0; i < g->num; i++) {
    struct wait_row *row = &g->rows[i];
    if (row->num == 0 || !does_wait_match(g, get_innermost_wait(row), now)) continue;
    update_owner(&g->holders, get_innermost_wait(row));
    void *grown = grow(g->moment, g->num_moment, &g->moment_capacity, sizeof *g->moment);
    if (grown == NULL) return false;
    g->moment = grown;
    g->moment[g->num_moment++] = *get_innermost_wait(row);
  }
  if (g->num_moment > 0) qsort(g->moment, g->num_moment, sizeof *g->moment, compare_wait_links);
  return true;
}

bool wait_graph_take(struct wait_graph *g, const struct step *step) {
  if (!g->has_moment && step->time > g->at && !record_moment(g, g->at)) return false;
  if (step->event == NULL) return true;
  enum event_kind kind = step->event->kind;
  bool is_inferred = step->origin == STEP_INFERRED; /* then no holder changes, as in the pass */
  if (!is_inferred && !holders_follow(&g->holders, step->pairs, step->event, step->pair)) {
    return false;
  }
  if (kind == EVENT_MONITOR_OWNER) {
    if (!change_owner(g, step)) return false;
  } else if (event_joins(kind) || lock_event_asks(kind)) {
    if (!begin_wait_link(g, step)) return false;
  } else if (step->pair != NULL) {
    end_wait_link(g, step->pair);
  } else if (kind == EVENT_MONITOR_HELD) {
    return holders_note_acquisition(&g->holders, step->event, step->stack);
  }
  if (is_inferred) return true;
  bool is_released;
  ticks_t held;
  return holders_event(&g->holders, g->model->dump, step->event, step->stack, &is_released, &held);
}

bool wait_graph_end(struct wait_graph *g) {
  return g->has_moment || record_moment(g, g->model->recording.end);
}

void wait_graph_free(struct wait_graph *g) {
  hashmap_free(&g->ids);
  free(g->rows);
  free(g->moment);
  free(g->links);
  holders_free(&g->holders);
  *g = (struct wait_graph){0};
}
