/* Locks and semaphores of a simulation. */
#include <stdlib.h>

#include "tools/orca/causal/whatif/simulation_internal.h"

static const struct lock_change *change_of(const struct stage *g, uint32_t lock) {
  static const struct lock_change none;
  return g->c->locks == NULL ? &none : &g->c->locks[lock];
}

static void note_held(struct stage *g, uint32_t p, uint32_t state, bool is_read) {
  struct player *player = &g->players[p];
  uint32_t lock = g->locks[state].lock;
  const struct lock_change *change = change_of(g, lock);
  if (player->num_held == SIMULATION_MAX_HELD) return;
  player->held[player->num_held++] = (struct holding){lock, state, is_read, g->now};
  player->hold_factor *= 1 - change->shorter;
  player->moving += change->has_moved;
}

/* Takes a lock if it is free for this player. */
static bool take_free(struct stage *g, uint32_t state, uint32_t p, bool is_read) {
  struct lock_state *l = &g->locks[state];
  if (l->is_held || (!is_read && l->readers > 0)) return false;
  if (is_read) {
    l->readers++;
  } else {
    l->is_held = true;
  }
  note_held(g, p, state, is_read);
  return true;
}

static bool is_fair(const struct stage *g, uint32_t lock) {
  return g->s->locks[lock].is_fair && !change_of(g, lock)->is_unfair;
}

/* A reader lets a waiting writer go first. */
static bool must_queue(const struct stage *g, const struct lock_state *l, bool is_read) {
  if (l->waiters.first == NOBODY) return false;
  return is_fair(g, l->lock) || (is_read && !g->players[l->waiters.first].asked_read);
}

bool simulation_acquire(struct stage *g, uint32_t p, const struct act *a) {
  struct player *player = &g->players[p];
  const struct lock_change *change = change_of(g, a->object);
  if (change->is_dropped || player->num_held == SIMULATION_MAX_HELD) return true;
  uint32_t state = g->first_state[a->object];
  if (change->stripes > 1) {
    g->random = g->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    state += (uint32_t)(g->random >> 33) % change->stripes;
  }
  struct lock_state *l = &g->locks[state];
  bool below = change->is_read != NULL && change->is_read[a->place] > 0;
  bool is_read = a->is_read || change->is_all_read || below;
  if (!must_queue(g, l, is_read) && take_free(g, state, p, is_read)) return true;
  player->asked = g->now;
  player->asked_read = is_read;
  simulation_join(g, &l->waiters, p);
  return false;
}

/* The player that releases a lock wakes a waiter. */
static void wake_waiter(struct stage *g, uint32_t p, uint32_t state) {
  struct lock_state *l = &g->locks[state];
  if (l->waiters.first == NOBODY) return;
  g->players[p].wake_cost += g->s->locks[l->lock].wake_cost;
  if (l->is_waking) return;
  l->is_waking = true;
  simulation_at(g, g->now + g->s->locks[l->lock].hand_off * g->variant->hand_off, GRANT | state);
}

void simulation_grant(struct stage *g, uint32_t state) {
  struct lock_state *l = &g->locks[state];
  bool is_permit = g->s->locks[l->lock].sort == LOCK_SEMAPHORE;
  l->is_waking = false;
  while (l->waiters.first != NOBODY) {
    uint32_t p = l->waiters.first;
    bool is_read = g->players[p].asked_read;
    bool is_taken = is_permit ? l->permits >= 1 : take_free(g, state, p, is_read);
    if (!is_taken) return;
    if (is_permit) l->permits--;
    simulation_pop(g, &l->waiters);
    g->r->locks[l->lock].waited += g->now - g->players[p].asked;
    simulation_resume(g, p, g->now);
    if (!is_permit && !is_read) return;
  }
}

static void release_holding(struct stage *g, uint32_t p, unsigned at) {
  struct player *player = &g->players[p];
  struct holding h = player->held[at];
  struct lock_state *l = &g->locks[h.state];
  const struct lock_change *change = change_of(g, h.lock);
  player->num_held--;
  for (unsigned i = at; i < player->num_held; i++) player->held[i] = player->held[i + 1];
  if (h.is_read) {
    l->readers--;
  } else {
    l->is_held = false;
  }
  player->moving -= change->has_moved;
  player->hold_factor = 1;
  for (unsigned i = 0; i < player->num_held; i++) {
    player->hold_factor *= 1 - change_of(g, player->held[i].lock)->shorter;
  }
  g->r->locks[h.lock].held += g->now - h.since;
  wake_waiter(g, p, h.state);
}

void simulation_release(struct stage *g, uint32_t p, uint32_t lock) {
  for (unsigned i = g->players[p].num_held; i > 0; i--) {
    if (g->players[p].held[i - 1].lock == lock) {
      release_holding(g, p, i - 1);
      return;
    }
  }
}

void simulation_release_all(struct stage *g, uint32_t p) {
  struct player *player = &g->players[p];
  while (player->num_held > 0) release_holding(g, p, player->num_held - 1);
}

bool simulation_take_permit(struct stage *g, uint32_t p, uint32_t lock) {
  struct lock_state *l = &g->locks[g->first_state[lock]];
  if (change_of(g, lock)->is_dropped) return true;
  if (l->permits >= 1 && !(is_fair(g, lock) && l->waiters.first != NOBODY)) {
    l->permits--;
    return true;
  }
  g->players[p].asked = g->now;
  simulation_join(g, &l->waiters, p);
  return false;
}

void simulation_return_permit(struct stage *g, uint32_t p, uint32_t lock) {
  g->locks[g->first_state[lock]].permits++;
  wake_waiter(g, p, g->first_state[lock]);
}

bool simulation_make_locks(struct stage *g) {
  size_t num = 0;
  g->first_state = calloc(g->s->num_locks + 1, sizeof *g->first_state);
  if (g->first_state == NULL) return false;
  for (uint32_t i = 0; i < g->s->num_locks; i++) {
    uint32_t stripes = change_of(g, i)->stripes;
    g->first_state[i] = (uint32_t)num;
    num += stripes > 1 ? stripes : 1;
  }
  g->locks = calloc(num + 1, sizeof *g->locks);
  if (g->locks == NULL) return false;
  for (uint32_t i = 0; i < g->s->num_locks; i++) {
    uint32_t end = i + 1 < g->s->num_locks ? g->first_state[i + 1] : (uint32_t)num;
    for (uint32_t at = g->first_state[i]; at < end; at++) {
      g->locks[at] = (struct lock_state){
          .lock = i, .permits = g->s->locks[i].permits, .waiters = {NOBODY, NOBODY}};
    }
  }
  return true;
}
