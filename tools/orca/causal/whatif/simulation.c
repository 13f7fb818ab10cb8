#include "tools/orca/causal/whatif/simulation.h"

#include <stdlib.h>

#include "tools/orca/causal/whatif/heap.h"

#define MAX_HELD 32
#define WAKE_UP (20e3 * TICKS_PER_NS) /* from the insertion into a queue until the remover runs */
#define LEAST_LOOP 20                 /* acts of a thread that goes on after its last one */
#define NO_TASK UINT32_MAX
#define GRANT UINT32_C(0x80000000) /* in the heap of events: a lock instead of a thread */
#define NOBODY UINT32_MAX

const struct variant variants[NUM_VARIANTS] = {
#define VARIANT(id, cost, hand_off, others) [VARIANT_##id] = {cost, hand_off, others},
#include "tools/orca/causal/whatif/variant.def"
#undef VARIANT
};

/* --- state -------------------------------------------------------------------------------- */

struct holding {
  uint32_t lock;  /* row */
  uint32_t state; /* of its stripe */
  bool is_read;
  double since;
};

struct player {
  uint32_t thread; /* of the script; a further thread of a pool plays like one that was recorded */
  bool is_further;
  uint32_t task;  /* row; NO_TASK: none */
  size_t pc, end; /* acts */
  size_t loop;    /* the act from which it goes on after the last one; `end`: it does not */
  double looped;  /* when it did last */
  unsigned phase; /* of the act */
  bool is_looping, is_worker;
  uint32_t next;  /* waiter of the same lock, queue, point or barrier; or NOBODY */
  uint32_t count; /* of the point that it awaits */
  double asked;   /* when it began to wait for a lock */
  bool asked_read;
  unsigned tracked, moved; /* depth of the calls of changes.tracked_method and moved_method */
  double moved_cpu, moved_time;
  double wake_cost;   /* of its last releases, in the next run */
  double hold_factor; /* of the locks that it holds */
  unsigned moving;    /* locks with has_moved that it holds */
  unsigned num_held;
  struct holding held[MAX_HELD];
};

struct line {
  uint32_t first, last; /* players; NOBODY: none */
};

/* A stripe of a lock, or a semaphore. */
struct lock_state {
  uint32_t lock;
  bool is_held, is_waking;
  uint32_t readers;
  double permits;
  struct line waiters;
};

struct queue_state {
  double items;
  struct line inserters, removers;
};

struct pool_state {
  size_t most, busy, left; /* threads that may run tasks, and do; tasks that were never done */
  struct heap queue;       /* all with the same key: the first that came is the first */
  struct line idle;
};

/* A point, or a generation of a barrier. */
struct point_state {
  uint32_t count;
  struct line waiters;
};

struct stage {
  const struct script *s;
  const struct changes *c;
  const struct variant *variant;
  struct simulation *r;
  struct capacity capacity;
  struct heap events;             /* time -> player, or GRANT and lock state */
  struct heap running;            /* service at which it has its CPU time -> player */
  double now, service, served_at; /* service: CPU time of each running thread so far */
  struct player *players;
  struct pool_state *pools;
  bool *was_done; /* by task */
  struct lock_state *locks;
  uint32_t *first_state; /* by lock */
  struct queue_state *queues;
  struct point_state *points, *generations;
  uint64_t steps, max_steps, random;
  uint64_t work_left, goals_left;
  double begun; /* the first act with is_start; below 0: not yet */
  bool has_begun, is_done, failed;
};

static uint32_t pop_line(struct stage *g, struct line *l) {
  uint32_t p = l->first;
  l->first = g->players[p].next;
  if (l->first == NOBODY) l->last = NOBODY;
  return p;
}

static void join_line(struct stage *g, struct line *l, uint32_t p) {
  g->players[p].next = NOBODY;
  if (l->first == NOBODY) {
    l->first = p;
  } else {
    g->players[l->last].next = p;
  }
  l->last = p;
}

static void at_time(struct stage *g, double time, uint32_t what) {
  if (!heap_add(&g->events, time, what)) g->failed = true;
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

/* --- locks -------------------------------------------------------------------------------- */

static const struct lock_change *change_of(const struct stage *g, uint32_t lock) {
  static const struct lock_change none;
  return g->c->locks == NULL ? &none : &g->c->locks[lock];
}

static void note_held(struct stage *g, uint32_t p, uint32_t state, bool is_read) {
  struct player *player = &g->players[p];
  uint32_t lock = g->locks[state].lock;
  const struct lock_change *change = change_of(g, lock);
  if (player->num_held == MAX_HELD) return;
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

/* Returns whether the acquisition `a` is done; otherwise the player waits. */
static bool acquire(struct stage *g, uint32_t p, const struct act *a) {
  struct player *player = &g->players[p];
  const struct lock_change *change = change_of(g, a->object);
  if (change->is_dropped || player->num_held == MAX_HELD) return true;
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
  join_line(g, &l->waiters, p);
  return false;
}

/* The player that releases a lock wakes a waiter. */
static void wake_waiter(struct stage *g, uint32_t p, uint32_t state) {
  struct lock_state *l = &g->locks[state];
  if (l->waiters.first == NOBODY) return;
  g->players[p].wake_cost += g->s->locks[l->lock].wake_cost;
  if (l->is_waking) return;
  l->is_waking = true;
  at_time(g, g->now + g->s->locks[l->lock].hand_off * g->variant->hand_off, GRANT | state);
}

static void resume(struct stage *g, uint32_t p, double time) {
  g->players[p].phase++;
  at_time(g, time, p);
}

/* A waiter runs and tries again. */
static void grant(struct stage *g, uint32_t state) {
  struct lock_state *l = &g->locks[state];
  bool is_permit = g->s->locks[l->lock].sort == LOCK_SEMAPHORE;
  l->is_waking = false;
  while (l->waiters.first != NOBODY) {
    uint32_t p = l->waiters.first;
    bool is_read = g->players[p].asked_read;
    bool is_taken = is_permit ? l->permits >= 1 : take_free(g, state, p, is_read);
    if (!is_taken) return;
    if (is_permit) l->permits--;
    pop_line(g, &l->waiters);
    g->r->locks[l->lock].waited += g->now - g->players[p].asked;
    resume(g, p, g->now);
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

static void release(struct stage *g, uint32_t p, uint32_t lock) {
  for (unsigned i = g->players[p].num_held; i > 0; i--) {
    if (g->players[p].held[i - 1].lock == lock) {
      release_holding(g, p, i - 1);
      return;
    }
  }
}

static bool take_permit(struct stage *g, uint32_t p, uint32_t lock) {
  struct lock_state *l = &g->locks[g->first_state[lock]];
  if (change_of(g, lock)->is_dropped) return true;
  if (l->permits >= 1 && !(is_fair(g, lock) && l->waiters.first != NOBODY)) {
    l->permits--;
    return true;
  }
  g->players[p].asked = g->now;
  join_line(g, &l->waiters, p);
  return false;
}

static void return_permit(struct stage *g, uint32_t p, uint32_t lock) {
  g->locks[g->first_state[lock]].permits++;
  wake_waiter(g, p, g->first_state[lock]);
}

/* --- queues, points and barriers ---------------------------------------------------------- */

static bool insert(struct stage *g, uint32_t p, uint32_t row) {
  struct queue_state *q = &g->queues[row];
  if (q->removers.first != NOBODY) {
    resume(g, pop_line(g, &q->removers), g->now + WAKE_UP);
  } else if (q->items >= g->s->queues[row].capacity) {
    join_line(g, &q->inserters, p);
    return false;
  } else {
    q->items++;
  }
  return true;
}

static bool remove_item(struct stage *g, uint32_t p, uint32_t row) {
  struct queue_state *q = &g->queues[row];
  if (q->items < 1) {
    join_line(g, &q->removers, p);
    return false;
  }
  if (q->inserters.first != NOBODY) {
    resume(g, pop_line(g, &q->inserters), g->now + WAKE_UP);
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
    uint32_t p = pop_line(g, &waiters);
    if (g->players[p].count <= point->count) {
      resume(g, p, g->now + g->s->acts[g->players[p].pc].time);
    } else {
      join_line(g, &point->waiters, p);
    }
  }
}

static bool await_point(struct stage *g, uint32_t p, const struct act *a) {
  struct point_state *point = &g->points[a->object];
  if (point->count >= a->count) return true;
  g->players[p].count = a->count;
  join_line(g, &point->waiters, p);
  return false;
}

static bool meet(struct stage *g, uint32_t p, const struct act *a) {
  struct point_state *barrier = &g->generations[a->object];
  if (++barrier->count < g->s->generations[a->object].parties) {
    join_line(g, &barrier->waiters, p);
    return false;
  }
  while (barrier->waiters.first != NOBODY) {
    uint32_t waiter = pop_line(g, &barrier->waiters);
    resume(g, waiter, g->now + g->s->acts[g->players[waiter].pc].time);
  }
  return true;
}

/* --- pools -------------------------------------------------------------------------------- */

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
  while (player->num_held > 0) release_holding(g, p, player->num_held - 1);
  player->tracked = player->moved = 0;
  player->is_looping = has_task && g->was_done[player->task];
  player->phase = 0;
  player->pc = has_task ? g->s->tasks[player->task].first : thread_of(g, p)->leave;
}

/* The thread asks for a task. Returns false if it has to wait. */
static bool ask_for_task(struct stage *g, uint32_t p, uint32_t row) {
  struct pool_state *pool = &g->pools[row];
  bool has_waited = g->players[p].phase > 0;
  if (!has_waited && !take_task(g, pool, p) && !can_leave(g, pool, p)) {
    join_line(g, &pool->idle, p);
    return false;
  }
  go_on(g, p);
  return true;
}

static void queue_task(struct stage *g, uint32_t task) {
  struct pool_state *pool = &g->pools[g->s->tasks[task].pool];
  if (!heap_add(&pool->queue, 0, task)) {
    g->failed = true;
    return;
  }
  uint32_t p = pool->idle.first;
  if (p == NOBODY || !take_task(g, pool, p)) return;
  pop_line(g, &pool->idle);
  resume(g, p, g->now + g->s->pools[g->s->tasks[task].pool].hand_off);
}

/* All tasks are done: threads that waited for more leave. */
static void dismiss(struct stage *g, struct pool_state *pool) {
  struct line idle = pool->idle;
  pool->idle = (struct line){NOBODY, NOBODY};
  while (idle.first != NOBODY) {
    uint32_t p = pop_line(g, &idle);
    if (can_leave(g, pool, p)) {
      resume(g, p, g->now);
    } else {
      join_line(g, &pool->idle, p);
    }
  }
}

static void end_task(struct stage *g, uint32_t p, uint32_t task) {
  struct pool_state *pool = &g->pools[g->s->tasks[task].pool];
  pool->busy--;
  pool->left -= !g->was_done[task];
  g->was_done[task] = true;
  g->players[p].task = NO_TASK;
  g->players[p].phase = 0;
  g->players[p].pc = thread_of(g, p)->work;
  if (pool->left == 0 && pool->queue.num == 0) dismiss(g, pool);
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
      at_time(g, g->now + time, p);
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
    release(g, p, a->object);
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
      return acquire(g, p, a);
    case ACT_TAKE:
      return take_permit(g, p, a->object);
    case ACT_RETURN:
      return_permit(g, p, a->object);
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
      queue_task(g, a->object);
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
  while (player->num_held > 0) release_holding(g, p, player->num_held - 1);
  player->pc = player->loop;
  player->is_looping = true;
  player->looped = g->now;
  player->tracked = player->moved = 0;
  return can;
}

/* Plays an act after which the player does not go on with the next one. Returns false if it waits.
 */
static bool jump(struct stage *g, uint32_t p, const struct act *a) {
  if (a->kind == ACT_WORK) return ask_for_task(g, p, a->object);
  note_done(g, &g->players[p], a);
  end_task(g, p, a->object);
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

static bool make_locks(struct stage *g) {
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

static struct point_state *make_points(size_t num) {
  struct point_state *points = calloc(num + 1, sizeof *points);
  for (size_t i = 0; points != NULL && i < num; i++) {
    points[i].waiters = (struct line){NOBODY, NOBODY};
  }
  return points;
}

static size_t most_of(const struct stage *g, size_t pool) {
  const uint32_t *threads = g->c->pool_threads;
  return threads != NULL && threads[pool] != 0 ? threads[pool] : g->s->pools[pool].threads;
}

/* Returns how many threads a pool has in addition to those of the recording. */
static size_t count_further(const struct stage *g, size_t pool) {
  size_t most = most_of(g, pool), recorded = g->s->pools[pool].threads;
  return g->s->pools[pool].is_known && most > recorded ? most - recorded : 0;
}

static bool make_pools(struct stage *g) {
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

static void free_pools(struct stage *g) {
  for (size_t i = 0; g->pools != NULL && i < g->s->num_pools; i++) heap_free(&g->pools[i].queue);
  free(g->pools);
  free(g->was_done);
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
  if (t->num > 0) at_time(g, t->start, i);
}

static void start_players(struct stage *g) {
  const struct script *s = g->s;
  uint32_t next = (uint32_t)s->num_threads;
  for (uint32_t i = 0; i < s->num_threads; i++) start_player(g, i, i);
  for (size_t i = 0; i < s->num_pools; i++) {
    for (size_t k = count_further(g, i); k > 0; k--) start_player(g, next++, s->pools[i].pattern);
  }
}

static bool start(struct stage *g) {
  const struct script *s = g->s;
  size_t num_players = s->num_threads;
  for (size_t i = 0; i < s->num_pools; i++) num_players += count_further(g, i);
  g->players = calloc(num_players + 1, sizeof *g->players);
  g->queues = calloc(s->num_queues + 1, sizeof *g->queues);
  g->points = make_points(s->num_points);
  g->generations = make_points(s->num_generations);
  g->r->locks = calloc(s->num_locks + 1, sizeof *g->r->locks);
  if (g->players == NULL || g->queues == NULL || g->points == NULL || g->generations == NULL ||
      g->r->locks == NULL || !make_locks(g) || !make_pools(g)) {
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
    grant(g, what & ~GRANT);
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
  free_pools(&g);
}

void simulation_free(struct simulation *r) {
  free(r->locks);
  *r = (struct simulation){0};
}
