#include "tools/orca/causal/path/path_table.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"

/* A group of the tallies. A trace has less than 2^27 locks, because it has less operations. */
static uint32_t group_of(enum path_reason reason, uint32_t lock) {
  return lock * NUM_PATH_REASONS + (uint32_t)reason;
}

/* Samples tell the places of these. */
static bool is_sampled(enum path_reason reason) {
  return reason == PATH_RUNS || reason == PATH_OFF_CPU;
}

/* Returns the piece in which a time is; NULL: none. The latest piece comes first. */
static const struct path_piece *piece_at(const struct path *p, ticks_t time) {
  size_t low = 0, high = p->num_pieces;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (p->pieces[middle].begin < time) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low < p->num_pieces && time <= p->pieces[low].end ? &p->pieces[low] : NULL;
}

/* A sample on the path stands for running if it has CPU time, whatever the piece says: running time
   and other time of a stretch are known only as sums. */
static bool add_sample(struct path_table *t, const struct path *p, const struct trace_sample *s) {
  const struct path_piece *piece = piece_at(p, s->time);
  if (piece == NULL || piece->thread != s->thread) return true;
  enum path_reason reason = s->cpu > 0 ? PATH_RUNS : PATH_OFF_CPU;
  place_t place = stacks_place(&t->trace->model->stacks, s->stack);
  return tally_add(&t->samples, group_of(reason, piece->lock), place, 1, s->cpu > 0 ? s->cpu : 1);
}

static bool add_piece(struct path_table *t, const struct path_piece *piece) {
  uint32_t group = group_of(piece->reason, piece->lock);
  ticks_t time = piece->end - piece->begin;
  t->total += time;
  t->reasons[piece->reason] += time;
  if (is_sampled(piece->reason)) return tally_add(&t->running, group, 0, 1, time);
  /* Who waits for a CPU has not come to the next operation yet. */
  place_t place =
      piece->reason == PATH_QUEUED ? 0 : stacks_place(&t->trace->model->stacks, piece->stack);
  return tally_add(&t->times, group, place, 1, time);
}

bool path_table_add(struct path_table *t, const struct path *p) {
  const struct trace *trace = t->trace = p->trace;
  for (size_t i = 0; i < p->num_pieces; i++) {
    if (!add_piece(t, &p->pieces[i])) return false;
  }
  if (p->num_pieces == 0) return true;
  for (size_t i = trace_first_sample(trace, p->pieces[p->num_pieces - 1].begin);
       i < trace->num_samples && trace->samples[i].time <= p->pieces[0].end; i++) {
    if (!add_sample(t, p, &trace->samples[i])) return false;
  }
  return true;
}

/* --- the end ------------------------------------------------------------------------------ */

static bool add_row(struct path_table *t, uint32_t group, place_t place, ticks_t time) {
  struct path_row *rows = grow(t->rows, t->num, &t->capacity, sizeof *rows);
  if (rows == NULL) return false;
  t->rows = rows;
  rows[t->num++] = (struct path_row){(enum path_reason)(group % NUM_PATH_REASONS),
                                     group / NUM_PATH_REASONS, place, time};
  return true;
}

/* Divides the running time of a group among the places of its samples. */
static bool divide(struct path_table *t, const struct tally_row *running) {
  size_t num;
  const struct tally_row *samples = tally_of(&t->samples, running->group, &num);
  uint64_t all = 0, before = 0;
  ticks_t assigned = 0;
  for (size_t i = 0; i < num; i++) all += samples[i].total;
  if (all == 0) return add_row(t, running->group, 0, running->total);
  for (size_t i = 0; i < num; i++) {
    before += samples[i].total;
    ticks_t end = (ticks_t)((unsigned __int128)running->total * before / all);
    if (!add_row(t, running->group, samples[i].key, end - assigned)) return false;
    assigned = end;
  }
  return true;
}

static int compare_path_rows(const void *left, const void *right) {
  const struct path_row *a = left, *b = right;
  if (a->time != b->time) return compare_numbers(b->time, a->time);
  if (a->reason != b->reason) return compare_numbers(a->reason, b->reason);
  return a->lock != b->lock ? compare_numbers(a->lock, b->lock)
                            : compare_numbers(a->place, b->place);
}

bool path_table_end(struct path_table *t) {
  bool good = true;
  tally_sort(&t->samples);
  for (size_t i = 0; good && i < t->running.num; i++) good = divide(t, &t->running.rows[i]);
  for (size_t i = 0; good && i < t->times.num; i++) {
    const struct tally_row *row = &t->times.rows[i];
    good = add_row(t, row->group, row->key, row->total);
  }
  if (t->num > 0) qsort(t->rows, t->num, sizeof *t->rows, compare_path_rows);
  return good;
}

void path_table_free(struct path_table *t) {
  tally_free(&t->times);
  tally_free(&t->running);
  tally_free(&t->samples);
  free(t->rows);
  *t = (struct path_table){0};
}
