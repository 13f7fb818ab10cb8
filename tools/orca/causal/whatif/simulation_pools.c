/* Thread pools of a simulation. */
#include <stdlib.h>

#include "tools/orca/causal/whatif/simulation_internal.h"

static size_t most_of(const struct stage *g, size_t pool) {
  const uint32_t *threads = g->c->pool_threads;
  return threads != NULL && threads[pool] != 0 ? threads[pool] : g->s->pools[pool].threads;
}

size_t simulation_count_further(const struct stage *g, size_t pool) {
  size_t most = most_of(g, pool), recorded = g->s->pools[pool].threads;
  return g->s->pools[pool].is_known && most > recorded ? most - recorded : 0;
}

bool simulation_make_pools(struct stage *g) {
  const struct script *s = g->s;
  g->pools = calloc(s->num_pools + 1, sizeof *g->pools);
  g->was_done = calloc(s->num_tasks + 1, sizeof *g->was_done);
  if (g->pools == NULL || g->was_done == NULL) return false;
  for (size_t i = 0; i < s->num_pools; i++) {
    g->pools[i].most = most_of(g, i);
    g->pools[i].idle = (struct line){NOBODY, NOBODY};
  }
  bool good = true;
  for (uint32_t i = 0; good && i < s->num_tasks; i++) {
    struct pool_state *pool = &g->pools[s->tasks[i].pool];
    pool->left++;
    if (s->tasks[i].is_waiting) good = heap_add(&pool->queue, 0, i);
  }
  return good;
}

void simulation_free_pools(struct stage *g) {
  for (size_t i = 0; g->pools != NULL && i < g->s->num_pools; i++) heap_free(&g->pools[i].queue);
  free(g->pools);
  free(g->was_done);
}

/* --- tasks -------------------------------------------------------------------------------- */

static const struct script_thread *thread_of(const struct stage *g, uint32_t p) {
  return &g->s->threads[g->players[p].thread];
}

/* Gives the next task of the queue to a thread of the pool. Returns false if there is none, or if
   as many threads as allowed have one. */
static bool take_task(struct stage *g, struct pool_state *pool, uint32_t p) {
  if (pool->queue.num == 0 || pool->busy >= pool->most) return false;
  g->players[p].task = heap_take(&pool->queue);
  pool->busy++;
  return true;
}

/* A thread leaves its pool when all tasks are done, if it did so in the recording. */
static bool can_leave(const struct stage *g, const struct pool_state *pool, uint32_t p) {
  return pool->left == 0 && pool->queue.num == 0 && thread_of(g, p)->ended &&
         !g->players[p].is_further;
}

/* Begins the task that the thread has, or what follows its last one. */
static void go_on(struct stage *g, uint32_t p) {
  struct player *player = &g->players[p];
  bool has_task = player->task != NO_TASK;
  simulation_release_all(g, p);
  player->tracked = player->moved = 0;
  player->is_looping = has_task && g->was_done[player->task];
  player->phase = 0;
  player->pc = has_task ? g->s->tasks[player->task].first : thread_of(g, p)->leave;
}

bool simulation_ask_for_task(struct stage *g, uint32_t p, uint32_t row) {
  struct pool_state *pool = &g->pools[row];
  bool has_waited = g->players[p].phase > 0;
  if (!has_waited && !take_task(g, pool, p) && !can_leave(g, pool, p)) {
    simulation_join(g, &pool->idle, p);
    return false;
  }
  go_on(g, p);
  return true;
}

void simulation_queue_task(struct stage *g, uint32_t task) {
  struct pool_state *pool = &g->pools[g->s->tasks[task].pool];
  if (!heap_add(&pool->queue, 0, task)) {
    g->failed = true;
    return;
  }
  uint32_t p = pool->idle.first;
  if (p == NOBODY || !take_task(g, pool, p)) return;
  simulation_pop(g, &pool->idle);
  simulation_resume(g, p, g->now + g->s->pools[g->s->tasks[task].pool].hand_off);
}

/* All tasks are done: threads that waited for more leave. */
static void dismiss(struct stage *g, struct pool_state *pool) {
  struct line idle = pool->idle;
  pool->idle = (struct line){NOBODY, NOBODY};
  while (idle.first != NOBODY) {
    uint32_t p = simulation_pop(g, &idle);
    if (can_leave(g, pool, p)) {
      simulation_resume(g, p, g->now);
    } else {
      simulation_join(g, &pool->idle, p);
    }
  }
}

void simulation_end_task(struct stage *g, uint32_t p, uint32_t task) {
  struct pool_state *pool = &g->pools[g->s->tasks[task].pool];
  pool->busy--;
  pool->left -= !g->was_done[task];
  g->was_done[task] = true;
  g->players[p].task = NO_TASK;
  g->players[p].phase = 0;
  g->players[p].pc = thread_of(g, p)->work;
  if (pool->left == 0 && pool->queue.num == 0) dismiss(g, pool);
}
