#include <stdlib.h>

#include "tools/orca/causal/whatif/moments.h"
#include "tools/orca/causal/whatif/script_internal.h"
#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"

#define UNLIMITED 1e18
#define SLACK (TICKS_PER_S / 1000) /* a task ends a moment after its future is done */

static uint32_t add_point(struct script *s) { return (uint32_t)++s->num_points; }

/* --- points ------------------------------------------------------------------------- */

/* An operation that another one waited for, or may have to wait for after an edit. */
static void mark_cause(struct script_marks *m, struct script *s, uint32_t cause) {
  if (cause == 0 || s->trace->ops[cause - 1].kind == TRACE_MEET) return;
  uint32_t *mark = &m->of_op[cause - 1];
  if (*mark == 0) *mark = add_point(s);
}

/* The end of the thread that this operation joins, as operation plus one; 0: it is not there. */
static uint32_t find_end(const struct trace *t, const struct trace_op *op) {
  uint32_t row = op->event == EVENT_THREAD_JOIN ? trace_find_thread(t, op->object) : 0;
  uint32_t last = row == 0 ? 0 : t->threads[row - 1].last;
  if (last == 0 || op->failed || t->ops[last - 1].kind != TRACE_ENDED) return 0;
  return t->ops[last - 1].open || t->ops[last - 1].begin > op->end ? 0 : last;
}

static bool mark_latch(struct script_marks *m, struct script *s, size_t i) {
  const struct trace_op *op = &s->trace->ops[i];
  struct script_latch *latch = rows_at(&m->latch_ids, op->object, &m->latches, &m->num_latches,
                                       &m->latches_capacity, sizeof *latch, NULL);
  if (latch == NULL) return false;
  if (latch->point == 0) latch->point = add_point(s);
  latch->count++;
  latch->last = op->begin;
  m->of_op[i] = latch->point;
  return true;
}

static bool mark_points(struct script_marks *m, struct script *s) {
  const struct trace *t = s->trace;
  for (size_t i = 0; i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    if (op->event == EVENT_LATCH_COUNT_DOWN && !mark_latch(m, s, i)) return false;
  }
  for (size_t i = 0; i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    bool is_lock = op->kind == TRACE_ACQUIRE || op->kind == TRACE_TAKE_PERMIT;
    if (op->cause == TRACE_BY_OP && !is_lock) mark_cause(m, s, op->cause_op);
    mark_cause(m, s, find_end(t, op));
  }
  return true;
}

/* --- queues ------------------------------------------------------------------------- */

struct queue_facts {
  int64_t missing, most_missing; /* items that were removed, but whose insertion had not begun */
  int64_t inside, most_inside;
  bool was_full;
};

static bool is_queue_op(const struct trace_op *op) {
  return (op->kind == TRACE_INSERT || op->kind == TRACE_REMOVE) && !op->failed && !op->open &&
         !op->runs;
}

static void take_moment(struct queue_facts *f, const struct moment *m) {
  bool is_insert = m->op->kind == TRACE_INSERT;
  if (is_insert && m->is_begin) f->missing--;
  if (!is_insert && m->is_done && ++f->missing > f->most_missing) f->most_missing = f->missing;
  if (!is_insert && m->is_done) f->inside--;
  if (is_insert && m->is_done && ++f->inside > f->most_inside) f->most_inside = f->inside;
  if (is_insert && !m->is_begin) f->was_full = true;
}

static bool read_facts(struct script_marks *m, const struct script *s, struct queue_facts *facts) {
  struct moments moments;
  struct moment moment;
  moments_start(&moments, s->trace);
  while (moments_next(&moments, &moment)) {
    uint64_t row;
    if (!is_queue_op(moment.op) || !hashmap_get(&m->queues, moment.op->object, &row)) continue;
    take_moment(&facts[row - 1], &moment);
  }
  bool good = !moments.failed;
  moments_free(&moments);
  return good;
}

static bool add_queues(struct script_marks *m, struct script *s) {
  for (size_t i = 0; i < s->trace->num_ops; i++) {
    const struct trace_op *op = &s->trace->ops[i];
    bool is_new;
    if (!is_queue_op(op)) continue;
    struct script_queue *q = rows_at(&m->queues, op->object, &s->queues, &s->num_queues,
                                     &s->queues_capacity, sizeof *q, &is_new);
    if (q == NULL) return false;
    if (is_new) *q = (struct script_queue){.object = op->object};
  }
  return true;
}

/* A queue that gave out more items than it got has insertions without lines. */
static bool mark_queues(struct script_marks *m, struct script *s) {
  if (!add_queues(m, s)) return false;
  struct queue_facts *facts = calloc(s->num_queues + 1, sizeof *facts);
  bool good = facts != NULL && read_facts(m, s, facts);
  for (size_t i = 0; good && i < s->num_queues; i++) {
    s->queues[i].capacity = facts[i].was_full ? (double)facts[i].most_inside : UNLIMITED;
    if (s->queues[i].capacity < 1) s->queues[i].capacity = 1;
    s->queues[i].is_known = facts[i].most_missing <= 0;
    if (!s->queues[i].is_known) good = hashmap_put(&m->queues, s->queues[i].object, 0);
  }
  free(facts);
  return good;
}

/* --- barriers ----------------------------------------------------------------------- */

/* The generation of a barrier that fills at the moment. */
struct filling {
  uint32_t generation; /* plus one */
  ticks_t first_end;   /* the barrier has tripped when the first thread left it */
};

static bool mark_barrier(struct script_marks *m, struct script *s, struct filling *f, size_t i) {
  const struct trace_op *op = &s->trace->ops[i];
  if (f->generation == 0 || f->first_end < op->begin) {
    struct script_generation *rows =
        grow(s->generations, s->num_generations, &s->generations_capacity, sizeof *rows);
    if (rows == NULL) return false;
    s->generations = rows;
    rows[s->num_generations++] = (struct script_generation){0};
    *f = (struct filling){(uint32_t)s->num_generations, op->end};
  }
  if (op->end < f->first_end) f->first_end = op->end;
  struct script_generation *generation = &s->generations[f->generation - 1];
  generation->parties++;
  generation->tripped = op->begin;
  m->of_op[i] = f->generation;
  return true;
}

static bool mark_barriers(struct script_marks *m, struct script *s) {
  struct hashmap ids = {0};
  struct filling *fillings = NULL;
  size_t num = 0, capacity = 0;
  bool good = true;
  for (size_t i = 0; good && i < s->trace->num_ops; i++) {
    const struct trace_op *op = &s->trace->ops[i];
    if (op->kind != TRACE_MEET || op->failed || op->open || op->runs) continue;
    struct filling *f = rows_at(&ids, op->object, &fillings, &num, &capacity, sizeof *f, NULL);
    good = f != NULL && mark_barrier(m, s, f, i);
  }
  hashmap_free(&ids);
  free(fillings);
  return good;
}

/* --- futures ------------------------------------------------------------------------ */

/* A FutureTask is the task itself. Returns the task of a wait plus one; 0: not known. */
static uint32_t find_awaited(const struct script *s, const struct trace_op *op,
                             const struct hashmap *queued) {
  uint64_t task = 0;
  bool is_known = op->cause == TRACE_BY_OP || op->failed || op->open || op->runs;
  if (is_known || !hashmap_get(queued, op->object, &task)) return 0;
  const struct trace_task *awaited = &s->found.tasks[task - 1];
  return awaited->end_op != 0 && awaited->end <= op->end + SLACK ? (uint32_t)task : 0;
}

static bool mark_futures(struct script_marks *m, struct script *s) {
  struct hashmap queued = {0}; /* object -> task plus one */
  bool good = true;
  m->of_task = calloc(s->num_tasks + 1, sizeof *m->of_task);
  if (m->of_task == NULL) return false;
  for (uint32_t i = 1; good && i <= s->trace->num_ops; i++) {
    const struct trace_op *op = &s->trace->ops[i - 1];
    uint32_t task = op->event == EVENT_TASK_QUEUED ? trace_pools_task(&s->found, i) : 0;
    if (task != 0 && s->pools[s->found.tasks[task - 1].pool].is_known) {
      good = hashmap_put(&queued, op->object, task);
    }
    uint32_t awaited = op->event == EVENT_FUTURE_AWAIT ? find_awaited(s, op, &queued) : 0;
    if (awaited == 0) continue;
    if (m->of_task[awaited - 1] == 0) m->of_task[awaited - 1] = add_point(s);
    good = hashmap_put(&m->futures, i, m->of_task[awaited - 1]);
  }
  hashmap_free(&queued);
  return good;
}

bool script_mark(struct script_marks *m, struct script *s) {
  m->of_op = calloc(s->trace->num_ops + 1, sizeof *m->of_op);
  return m->of_op != NULL && mark_points(m, s) && mark_queues(m, s) && mark_barriers(m, s) &&
         mark_futures(m, s);
}

void script_unmark(struct script_marks *m) {
  free(m->of_op);
  hashmap_free(&m->latch_ids);
  free(m->latches);
  hashmap_free(&m->queues);
  free(m->of_task);
  hashmap_free(&m->futures);
  *m = (struct script_marks){0};
}
