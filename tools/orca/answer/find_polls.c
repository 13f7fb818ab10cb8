/* Loops that poll: threads that sleep or wait for a short time, again and again, at one place. */
#include "tools/orca/answer/find.h"

#define POLLS_TOLD 2
/* A single thread that sleeps for longer may be a heartbeat. */
#define SHORT_MEAN (TICKS_PER_S / 100)
#define LEAST_PERCENT 50 /* of the recording: the time of all threads */
#define WHOLE_PERCENT 90 /* of the lives of its threads: they do nothing else */

/* Whether the row is worth a sentence: a heartbeat is not, nor are sleeps while others are busy. */
static bool polls(const struct model *m, const struct spending_row *row) {
  uint64_t calls = 0;
  bool is_long = row->total * 100 >= recording_time(&m->recording) * LEAST_PERCENT &&
                 row->quiet * 2 >= row->total;
  if (is_long) calls = count_polls(m, row);
  if (calls == 0) return false;
  bool is_several = count_threads(&m->spending.threads, row->id) > 1;
  return is_several || row->total / calls <= SHORT_MEAN || spending_is_in_tasks(&m->spending, row);
}

/* Whether the threads of a pool were there for nearly all of their lives, in tasks: they can do no
   more. */
static bool fills_workers(const struct model *m, const struct spending_row *row) {
  size_t num;
  const struct tally_row *threads = tally_of(&m->spending.threads, row->id, &num);
  ticks_t lived = 0;
  if (!spending_is_in_tasks(&m->spending, row)) return false;
  for (size_t i = 0; i < num; i++) {
    const struct thread *t = threads_find(&m->threads, (uint32_t)threads[i].key);
    lived += t == NULL ? 0 : t->last - t->first;
  }
  return row->total * 100 >= lived * WHOLE_PERCENT;
}

/* Workers without any time left limit what the program does, and so come before threads that only
   pause outside of tasks, however many these are. */
static ticks_t find_weight(const struct model *m, const struct spending_row *row,
                           ticks_t of_pauses) {
  bool is_behind = row->total <= of_pauses && fills_workers(m, row);
  return is_behind ? of_pauses + 1 : row->total;
}

/* The rows are sorted by their time. */
void find_polls(const struct finder *f) {
  const struct spending *s = &f->m->spending;
  size_t told = 0;
  ticks_t pauses = 0; /* outside of tasks */
  if (filter_has_patterns(&f->m->matcher.filter)) return;
  for (size_t i = 0; i < s->num && told < POLLS_TOLD; i++) {
    const struct spending_row *row = &s->rows[i];
    struct found_poll out = {0};
    if (!polls(f->m, row)) continue;
    struct found_rest *rest = FINDINGS_PART(f->out, &out.rests, rest);
    if (rest == NULL) return;
    *rest = find_rest(f, row);
    FINDINGS_ADD(f->out, poll, find_weight(f->m, row, pauses), &out);
    bool is_pause = !spending_is_in_tasks(s, row);
    if (is_pause && row->total > pauses) pauses = row->total;
    told++;
  }
}
