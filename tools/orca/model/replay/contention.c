#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/replay/contention_state.h"

bool contention_start(struct contention *c, struct model *m, const struct locks *locks) {
  *c = (struct contention){.model = m, .locks = locks, .by_class = locks != &m->locks};
  c->is_lossy = coverage_is_lossy(dump_coverage(m->dump));
  c->has_permits = coverage_has_whole_pairs(dump_coverage(m->dump));
  for (size_t i = 0; i < locks->num; i++) {
    const struct lock *lock = &locks->rows[i];
    uint64_t key = (uint64_t)lock->sort << 32 | (c->by_class ? lock->class_id : lock->object);
    if (!hashmap_put(&c->ids, key, (uint64_t)lock->id + 1)) return false;
  }
  return true;
}

/* --- rows -------------------------------------------------------------------------- */

size_t contention_thread_number(struct contention *c, uint32_t hash) {
  bool is_new;
  size_t at = rows_number(&c->thread_rows, hash, &c->threads, &c->num_threads, &c->threads_capacity,
                          sizeof *c->threads, &is_new);
  if (is_new) c->threads[at - 1].hash = hash;
  return at;
}

size_t contention_lock_number(struct contention *c, enum lock_sort sort, uint32_t object) {
  bool is_new;
  size_t at =
      rows_number(&c->lock_rows, lock_key(sort, object), &c->lock_states, &c->num_lock_states,
                  &c->lock_states_capacity, sizeof *c->lock_states, &is_new);
  if (is_new) c->lock_states[at - 1].sort = sort;
  if (is_new) c->lock_states[at - 1].object = object;
  return at;
}

struct contention_lock *contention_find_lock(const struct contention *c, enum lock_sort sort,
                                             uint32_t object) {
  uint64_t at = 0;
  hashmap_get(&c->lock_rows, lock_key(sort, object), &at);
  return at == 0 ? NULL : &c->lock_states[at - 1];
}

/* --- steps ------------------------------------------------------------------------- */

static bool take_contention_sample(struct contention *c, const struct step *step) {
  if (step->sample->kind == SAMPLE_TICK) {
    c->tick_before = c->tick;
    c->tick = step->time;
    return true;
  }
  if (!contention_has_location(step->sample)) return true;
  size_t at = contention_thread_number(c, step->sample->thread);
  if (at == 0 || !contention_charge_holder(c, at, step->time)) return false;
  return contention_note_sample(c, at, step);
}

/* Charges the time before the event to the location before the event. */
static bool take_contention_event(struct contention *c, const struct step *step) {
  enum event_kind kind = step->event->kind;
  size_t at = contention_thread_number(c, step->event->thread);
  if (at == 0 || !contention_charge_holder(c, at, step->time)) return false;
  contention_note_event(c, at, step);
  if (wake_events[kind].act == WAKE_ACT_PERMIT) return contention_take_unpark(c, step, at);
  if (lock_event_asks(kind)) return contention_begin_wait(c, step);
  if (step->pair != NULL && lock_event_asks(step->pair->kind) && !contention_end_wait(c, step)) {
    return false;
  }
  bool is_semaphore =
      lock_events[kind].act != LOCK_ACT_NONE && lock_events[kind].sort == LOCK_SEMAPHORE;
  return is_semaphore ? contention_take_permit(c, step) : contention_take_lock_event(c, step, at);
}

/* Steps of open pairs are ignored: contention_end counts their waits. */
bool contention_take(struct contention *c, const struct step *step) {
  uint64_t most = CONTENTION_CHARGES + ++c->steps * CONTENTION_CHARGES_PER_STEP;
  c->has_given_up |= c->charges > most;
  if (c->has_given_up) return true;
  if (step->sample != NULL) return take_contention_sample(c, step);
  if (step->event == NULL) return true;
  c->holders = step->holders;
  enum event_kind kind = step->event->kind;
  bool is_news =
      kind == EVENT_MONITOR_OWNER || kind == EVENT_MONITOR_HELD || kind == EVENT_READ_LOCK_HELD;
  return is_news ? contention_take_news(c, step) : take_contention_event(c, step);
}

/* --- the end ----------------------------------------------------------------------- */

static int compare_contention_pairs(const void *left, const void *right) {
  const struct contention_pair *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->times != b->times) return compare_numbers(b->times, a->times);
  return compare_numbers(a->id, b->id);
}

static void forget_results(struct contention *c) {
  tally_free(&c->holder_stacks);
  tally_free(&c->certain_stacks);
  tally_free(&c->holder_places);
  tally_free(&c->holder_samples);
  tally_free(&c->handoffs);
  tally_free(&c->held);
  tally_free(&c->lock_holders);
  tally_free(&c->read_holds);
  tally_free(&c->pair_locks);
  c->num_pairs = 0;
}

/* Adds up what each thread held others up, by lock. */
static bool add_holders(struct contention *c) {
  for (size_t i = 0; i < c->num_pairs; i++) {
    size_t num;
    const struct tally_row *locks = tally_of(&c->pair_locks, c->pairs[i].id, &num);
    for (size_t k = 0; k < num; k++) {
      uint32_t lock = (uint32_t)locks[k].key;
      if (!tally_add(&c->lock_holders, lock, c->pairs[i].holder, 1, locks[k].total)) return false;
    }
  }
  tally_sort(&c->lock_holders);
  tally_sort(&c->read_holds);
  return true;
}

bool contention_end(struct contention *c) {
  if (c->has_given_up) {
    forget_results(c);
    return true;
  }
  for (size_t i = 0; i < c->num_lock_states; i++) {
    if (!contention_end_open_waits(c, &c->lock_states[i], c->model->recording.end)) return false;
  }
  hashmap_free(&c->pair_rows); /* its rows are about to move */
  size_t kept = 0;
  for (size_t i = 0; i < c->num_pairs; i++) {
    if (c->pairs[i].parts > 0) c->pairs[kept++] = c->pairs[i];
  }
  c->num_pairs = kept;
  if (c->num_pairs > 0) qsort(c->pairs, c->num_pairs, sizeof *c->pairs, compare_contention_pairs);
  tally_sort(&c->holder_stacks);
  tally_sort(&c->certain_stacks);
  tally_sort(&c->holder_places);
  tally_sort(&c->holder_samples);
  tally_sort(&c->handoffs);
  tally_sort(&c->held);
  tally_sort(&c->pair_locks);
  return add_holders(c);
}

static bool take_contention_step(void *arg, const struct step *step) {
  return contention_take(arg, step);
}

bool contention_read(struct contention *c, struct model *m, const struct locks *locks) {
  return contention_start(c, m, locks) && replay(m, CONTENTION_LINES, take_contention_step, c) &&
         contention_end(c);
}

ticks_t contention_time(const struct tally *times, uint32_t id) {
  size_t num;
  const struct tally_row *rows = tally_of(times, id, &num);
  return num == 0 ? 0 : rows[0].total;
}

void contention_free(struct contention *c) {
  hashmap_free(&c->ids);
  hashmap_free(&c->pair_rows);
  hashmap_free(&c->thread_rows);
  hashmap_free(&c->lock_rows);
  forget_results(c);
  free(c->pairs);
  free(c->threads);
  free(c->lock_states);
  free(c->waits);
  free(c->shares);
  *c = (struct contention){0};
}
