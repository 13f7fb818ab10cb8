#include "tools/orca/causal/whatif/simulation.h"

#include <stdlib.h>

#include "tools/orca/causal/whatif/simulation_internal.h"

#define WAKE_UP (20e3 * TICKS_PER_NS) /* from the insertion into a queue until the remover runs */
#define LEAST_LOOP 20                 /* acts of a thread that goes on after its last one */

const struct variant variants[NUM_VARIANTS] = {
#define VARIANT(id, cost, hand_off, others) [VARIANT_##id] = {cost, hand_off, others},
#include "tools/orca/causal/whatif/variant.def"
#undef VARIANT
};

/* --- lines and times ---------------------------------------------------------------------- */

uint32_t simulation_pop(struct stage *g, struct line *l) {
  uint32_t p = l->first;
  l->first = g->players[p].next;
  if (l->first == NOBODY) l->last = NOBODY;
  return p;
}

void simulation_join(struct stage *g, struct line *l, uint32_t p) {
  g->players[p].next = NOBODY;
  if (l->first == NOBODY) {
    l->first = p;
  } else {
    g->players[l->last].next = p;
  }
  l->last = p;
}

void simulation_at(struct stage *g, double time, uint32_t what) {
  if (!heap_add(&g->events, time, what)) g->failed = true;
}

void simulation_resume(struct stage *g, uint32_t p, double time) {
  g->players[p].phase++;
  simulation_at(g, time, p);
}

/* --- CPUs --------------------------------------------------------------------------------- */

/* Gives CPU time to all running threads up to now. */
static void serve(struct stage *g) {
  double time = g->now - g->served_at, ready = (double)g->running.num;
  g->served_at = g->now;
  if (ready == 0 || time <= 0) return;
  double rate = capacity_rate(&g->capacity, ready);
  g->service += time * rate;
  g->r->cpu += time * rate * ready;
  g->r->queued += time * (1 - rate) * ready;
}

static void run_for(struct stage *g, uint32_t p, double cpu) {
  serve(g);
  if (!heap_add(&g->running, g->service + cpu, p)) g->failed = true;
}

/* --- queues, points and barriers ---------------------------------------------------------- */

static bool insert(struct stage *g, uint32_t p, uint32_t row) {
  struct queue_state *q = &g->queues[row];
  if (q->removers.first != NOBODY) {
    simulation_resume(g, simulation_pop(g, &q->removers), g->now + WAKE_UP);
  } else if (q->items >= g->s->queues[row].capacity) {
    simulation_join(g, &q->inserters, p);
    return false;
  } else {
    q->items++;
  }
  return true;
}

static bool remove_item(struct stage *g, uint32_t p, uint32_t row) {
  struct queue_state *q = &g->queues[row];
  if (q->items < 1) {
    simulation_join(g, &q->removers, p);
    return false;
  }
  if (q->inserters.first != NOBODY) {
    simulation_resume(g, simulation_pop(g, &q->inserters), g->now + WAKE_UP);
  } else {
    q->items--;
  }
  return true;
}

static void reach(struct stage *g, uint32_t row) {
  struct point_state *point = &g->points[row];
  struct line waiters = point->waiters;
  point->count++;
  point->waiters = (struct line){NOBODY, NOBODY};
  while (waiters.first != NOBODY) {
    uint32_t p = simulation_pop(g, &waiters);
    if (g->players[p].count <= point->count) {
      simulation_resume(g, p, g->now + g->s->acts[g->players[p].pc].time);
    } else {
      simulation_join(g, &point->waiters, p);
    }
  }
}

static bool await_point(struct stage *g, uint32_t p, const struct act *a) {
  struct point_state *point = &g->points[a->object];
  if (point->count >= a->count) return true;
  g->players[p].count = a->count;
  simulation_join(g, &point->waiters, p);
  return false;
}

static bool meet(struct stage *g, uint32_t p, const struct act *a) {
  struct point_state *barrier = &g->generations[a->object];
  if (++barrier->count < g->s->generations[a->object].parties) {
    simulation_join(g, &barrier->waiters, p);
    return false;
  }
  while (barrier->waiters.first != NOBODY) {
    uint32_t waiter = simulation_pop(g, &barrier->waiters);
    simulation_resume(g, waiter, g->now + g->s->acts[g->players[waiter].pc].time);
  }
  return true;
}

/* --- acts --------------------------------------------------------------------------------- */

/* Returns the part of the time of an act that remains after the changes. */
static double factor(const struct stage *g, const struct player *p, const struct act *a) {
  const struct changes *c = g->c;
  double f = p->hold_factor;
  const float *less = a->kind == ACT_RUN ? c->site_less : c->stack_less;
  if (less != NULL) f *= 1 - (double)less[a->place];
  if (p->tracked > 0) f *= 1 - c->tracked_less;
  if (p->num_held == 0 && c->shorter_group != 0 && a->kind != ACT_EXTERNAL &&
      g->s->threads[p->thread].group + 1 == c->shorter_group) {
    f *= 1 - c->group_less;
  }
  if (a->kind == ACT_SLEEP) f *= 1 - c->sleep_less;
  return f;
}

/* Returns the part of an act that moves to after the release of a lock. */
static double moved_part(const struct stage *g, const struct player *p, const struct act *a) {
  if (p->moving == 0) return 0;
  if (g->c->moved_method != 0) return p->moved > 0;
  const float *moved = a->kind == ACT_RUN ? g->c->site_moved : g->c->stack_moved;
  return moved == NULL ? 0 : (double)moved[a->place];
}

/* Runs `cpu` in phase `first`, then waits for `time`. Returns whether both are over. */
static bool spend(struct stage *g, uint32_t p, unsigned first, double cpu, double time) {
  struct player *player = &g->players[p];
  if (player->phase == first) {
    player->phase++;
    if (cpu > 0) {
      run_for(g, p, cpu);
      return false;
    }
  }
  if (player->phase == first + 1) {
    player->phase++;
    if (time > 0) {
      simulation_at(g, g->now + time, p);
      return false;
    }
  }
  return true;
}

/* Returns the CPU time of an act, in ticks, with the part of recording that the variant has. */
static double cpu_of(const struct stage *g, const struct act *a) {
  double less = (double)a->count * TICKS_PER_NS * (1 - g->variant->cost);
  if (a->kind != ACT_RUN) return a->cpu;
  return a->cpu > less ? a->cpu - less : 0;
}

static bool spend_act(struct stage *g, uint32_t p, const struct act *a) {
  struct player *player = &g->players[p];
  /* The factors do not change within an act. */
  double f = factor(g, player, a), moved = moved_part(g, player, a);
  double cpu = cpu_of(g, a), run = cpu * f * (1 - moved);
  if (a->kind == ACT_RUN && player->phase == 0) {
    run += player->wake_cost;
    player->wake_cost = 0;
  }
  if (!spend(g, p, 0, run, a->time * f * (1 - moved))) return false;
  player->moved_cpu += cpu * f * moved;
  player->moved_time += a->time * f * moved;
  return true;
}

/* What was moved out of the lock follows its release. */
static bool leave(struct stage *g, uint32_t p, const struct act *a) {
  struct player *player = &g->players[p];
  if (player->phase == 0) {
    simulation_release(g, p, a->object);
    player->phase = 1;
  }
  if (player->moving > 0) return true;
  if (!spend(g, p, 1, player->moved_cpu, player->moved_time)) return false;
  player->moved_cpu = player->moved_time = 0;
  return true;
}

static void enter_call(struct stage *g, struct player *p, const struct act *a, int change) {
  if (a->object == g->c->tracked_method && (change > 0 || p->tracked > 0)) {
    p->tracked = (unsigned)((int)p->tracked + change);
  }
  if (a->object == g->c->moved_method && (change > 0 || p->moved > 0)) {
    p->moved = (unsigned)((int)p->moved + change);
  }
}

/* Plays the current act of a player. Returns whether it is over; otherwise the player waits. */
static bool play_act(struct stage *g, uint32_t p, const struct act *a) {
  struct player *player = &g->players[p];
  if (a->kind <= ACT_EXTERNAL) return spend_act(g, p, a);
  if (a->kind == ACT_RELEASE) return leave(g, p, a);
  if (player->phase > 0) return true; /* it has waited */
  switch ((enum act_kind)a->kind) {
    case ACT_ACQUIRE:
      return simulation_acquire(g, p, a);
    case ACT_TAKE:
      return simulation_take_permit(g, p, a->object);
    case ACT_RETURN:
      simulation_return_permit(g, p, a->object);
      return true;
    case ACT_INSERT:
      return insert(g, p, a->object);
    case ACT_REMOVE:
      return remove_item(g, p, a->object);
    case ACT_MEET:
      return player->is_looping || meet(g, p, a);
    case ACT_REACH:
      if (!player->is_looping) reach(g, a->object);
      return true;
    case ACT_AWAIT:
      return player->is_looping || await_point(g, p, a);
    case ACT_ENTRY:
      enter_call(g, player, a, 1);
      return true;
    case ACT_EXIT:
      enter_call(g, player, a, -1);
      return true;
    case ACT_QUEUE:
      simulation_queue_task(g, a->object);
      return true;
    case ACT_STOP:
      return player->loop < player->end;
    default:
      return true;
  }
}

static void note_done(struct stage *g, const struct player *p, const struct act *a) {
  if (a->is_start && !g->has_begun) {
    g->has_begun = true;
    g->begun = g->now;
  }
  bool is_goal = a->is_goal && !p->is_looping && g->goals_left > 0 && --g->goals_left == 0;
  bool is_work = g->s->goal == GOAL_WORK && p->is_worker && g->work_left > 0 && --g->work_left == 0;
  g->is_done |= is_goal || is_work;
}

/* A thread that is through, but had not ended in the recording, goes on with the later half of what
   it did. Returns false if that takes no time. */
static bool loop(struct stage *g, uint32_t p) {
  struct player *player = &g->players[p];
  bool can = player->loop < player->end && !(player->is_looping && player->looped >= g->now);
  simulation_release_all(g, p);
  player->pc = player->loop;
  player->is_looping = true;
  player->looped = g->now;
  player->tracked = player->moved = 0;
  return can;
}

/* Plays an act after which the player does not go on with the next one. Returns false if it waits.
 */
static bool jump(struct stage *g, uint32_t p, const struct act *a) {
  if (a->kind == ACT_WORK) return simulation_ask_for_task(g, p, a->object);
  note_done(g, &g->players[p], a);
  simulation_end_task(g, p, a->object);
  return true;
}

/* A further thread of a pool begins when a recorded one does, and then runs tasks. */
static void skip_to_work(const struct stage *g, struct player *p) {
  size_t work = g->s->threads[p->thread].work;
  if (p->is_further && p->task == NO_TASK) p->pc = work;
}

static void play(struct stage *g, uint32_t p) {
  struct player *player = &g->players[p];
  while (!g->is_done && !g->failed && g->steps < g->max_steps) {
    if (player->task == NO_TASK && player->pc == player->end && !loop(g, p)) return;
    const struct act *a = &g->s->acts[player->pc];
    g->steps++;
    if (a->kind == ACT_WORK || a->kind == ACT_TASK_DONE) {
      if (!jump(g, p, a)) return;
      continue;
    }
    if (!play_act(g, p, a)) return;
    player->phase = 0;
    player->pc++;
    note_done(g, player, a);
    skip_to_work(g, player);
  }
}

/* --- the run ------------------------------------------------------------------------------ */

static struct point_state *make_points(size_t num) {
  struct point_state *points = calloc(num + 1, sizeof *points);
  for (size_t i = 0; points != NULL && i < num; i++) {
    points[i].waiters = (struct line){NOBODY, NOBODY};
  }
  return points;
}

static void start_player(struct stage *g, uint32_t i, uint32_t thread) {
  const struct script_thread *t = &g->s->threads[thread];
  struct player *p = &g->players[i];
  size_t end = t->first + t->num;
  bool can_loop = !t->ended && t->num > LEAST_LOOP && t->pool == 0;
  bool is_further = i >= g->s->num_threads;
  bool skips = is_further && t->num > 0 && g->s->acts[t->first].kind != ACT_AWAIT;
  *p = (struct player){.thread = thread,
                       .is_further = is_further,
                       .task = NO_TASK,
                       .pc = skips ? t->work : t->first,
                       .end = end,
                       .loop = can_loop ? t->first + t->num / 2 : end,
                       .is_worker = t->is_worker,
                       .hold_factor = 1};
  if (t->num > 0) simulation_at(g, t->start, i);
}

static void start_players(struct stage *g) {
  const struct script *s = g->s;
  uint32_t next = (uint32_t)s->num_threads;
  for (uint32_t i = 0; i < s->num_threads; i++) start_player(g, i, i);
  for (size_t i = 0; i < s->num_pools; i++) {
    for (size_t k = simulation_count_further(g, i); k > 0; k--)
      start_player(g, next++, s->pools[i].pattern);
  }
}

static bool start(struct stage *g) {
  const struct script *s = g->s;
  size_t num_players = s->num_threads;
  for (size_t i = 0; i < s->num_pools; i++) num_players += simulation_count_further(g, i);
  g->players = calloc(num_players + 1, sizeof *g->players);
  g->queues = calloc(s->num_queues + 1, sizeof *g->queues);
  g->points = make_points(s->num_points);
  g->generations = make_points(s->num_generations);
  g->r->locks = calloc(s->num_locks + 1, sizeof *g->r->locks);
  if (g->players == NULL || g->queues == NULL || g->points == NULL || g->generations == NULL ||
      g->r->locks == NULL || !simulation_make_locks(g) || !simulation_make_pools(g)) {
    return false;
  }
  for (size_t i = 0; i < s->num_queues; i++) {
    g->queues[i].inserters = g->queues[i].removers = (struct line){NOBODY, NOBODY};
  }
  g->capacity = s->capacity;
  g->capacity.others *= g->variant->others;
  if (g->c->cpus > 0) g->capacity.cpus = g->c->cpus;
  g->work_left = s->work;
  g->goals_left = s->num_goals;
  g->max_steps = 1000000 + 50 * (uint64_t)s->num_acts;
  start_players(g);
  return !g->failed;
}

/* Returns when the first running thread has its CPU time. */
static double next_served(const struct stage *g) {
  double left = g->running.rows[0].key - g->service;
  double rate = capacity_rate(&g->capacity, (double)g->running.num);
  return g->served_at + (left > 0 ? left / rate : 0);
}

/* Handles the next event. Returns false if there is none before the limit. */
static bool advance(struct stage *g, double limit) {
  bool has_event = g->events.num > 0, has_running = g->running.num > 0;
  double event = has_event ? g->events.rows[0].key : limit;
  double served = has_running ? next_served(g) : limit;
  if ((!has_event || event >= limit) && (!has_running || served >= limit)) {
    g->r->end = has_event || has_running ? SIMULATION_ENDLESS : SIMULATION_STUCK;
    return false;
  }
  if (has_running && (!has_event || served <= event)) {
    if (served > g->now) g->now = served;
    serve(g);
    play(g, heap_take(&g->running));
    return true;
  }
  if (event > g->now) g->now = event;
  uint32_t what = heap_take(&g->events);
  if ((what & GRANT) != 0) {
    simulation_grant(g, what & ~GRANT);
  } else {
    play(g, what);
  }
  return true;
}

void simulation_run(struct simulation *r, const struct script *s, const struct changes *changes,
                    double limit) {
  static const struct changes none;
  struct stage g = {.s = s, .c = changes == NULL ? &none : changes, .r = r, .random = 1};
  g.variant = g.c->variant == NULL ? &variants[VARIANT_RECORDED] : g.c->variant;
  *r = (struct simulation){.end = SIMULATION_NO_MEMORY};
  bool good = start(&g);
  while (good && !g.is_done && !g.failed) {
    if (g.steps >= g.max_steps) r->end = SIMULATION_ENDLESS;
    if (g.steps >= g.max_steps || !advance(&g, limit)) break;
  }
  if (g.failed) r->end = SIMULATION_NO_MEMORY;
  if (g.is_done) r->end = SIMULATION_DONE;
  r->time = g.has_begun ? g.now - g.begun : g.now;
  heap_free(&g.events);
  heap_free(&g.running);
  free(g.players);
  free(g.locks);
  free(g.first_state);
  free(g.queues);
  free(g.points);
  free(g.generations);
  simulation_free_pools(&g);
}

void simulation_free(struct simulation *r) {
  free(r->locks);
  *r = (struct simulation){0};
}
